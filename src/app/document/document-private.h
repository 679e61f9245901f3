/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/document/document.h"

/*
 * What the files of PvDocument share. Each calls those above it, and all emit the signals:
 *
 *     document-trees.c     builds trees and what follows from them, and shows the results
 *     document-loading.c   the states: what the source delivers
 *     document-actions.c   what the user does: query, history, selection, search
 *     document.c           the object and its signals
 */

/* What the user looked at, to come back to. */
typedef struct {
    PvNodeId zoom; /* of flame_tree */
    PvQuery query;
} PvHistoryEntry;

/* Whose query it is. */
typedef enum {
    PV_QUERY_UNSET,
    PV_QUERY_DEFAULT, /* what a profile of its kind is first shown with */
    PV_QUERY_CHOSEN,  /* the user has changed it */
} PvQueryState;

/* Why trees are built again after those that are being built. */
typedef enum {
    PV_BUILD_NOTHING,
    PV_BUILD_NAMES, /* there are better names; may wait a little */
    PV_BUILD_QUERY, /* the time range changed */
} PvNextBuild;

struct _PvDocument {
    GObject parent;

    PvDocumentData data;
    PvSource *source; /* closed before the document goes */
    GError *error;
    PvQueryState query_state;
    char **words;     /* what is asked before the profile is known; or NULL */
    char *added_path; /* the folder that a renewal looks for files in; or NULL */

    /* A renewal whose trees are being built; both are NULL, or both are there. */
    PvProfile *next_profile;
    PvSymbolTable *next_symbols;

    PvSymbolFetch *symbol_fetch; /* NULL once closed */

    PvTask *tree_task;
    PvTask *functions_task;
    PvTask *search_task;
    PvTask *callers_callees_task;
    PvTask *suppressions_task;
    PvTask *facet_keys_task;
    gint64 last_build_us; /* when the last trees were begun; monotonic */
    guint rebuild_timeout;
    PvNextBuild next_build;

    bool *is_match;

    GArray *back; /* PvHistoryEntry */
    GArray *forward;
    GArray *opened; /* PvTreeAnchor of what the user wants to see of a folded tree */

    PvDocumentChange pending; /* collected between freeze and thaw */
    int freeze_count;
};

/* document.c */

/* Emits "changed", or collects what has changed while frozen. */
void pv_document_emit (PvDocument *document, PvDocumentChange what);
void pv_document_freeze (PvDocument *document);
void pv_document_thaw (PvDocument *document);
/* Emits "message". */
void pv_document_tell (PvDocument *document, const char *text);

/* document-trees.c */

void pv_document_make_tasks (PvDocument *document);
void pv_document_cancel_tasks (PvDocument *document);
void pv_document_close_tasks (PvDocument *document);
/* Compute for what the document has now, and cancel what is being computed for an earlier query. Do
 * nothing if there is nothing to compute from. */
void pv_document_start_build (PvDocument *document);
/* Builds a folded tree again after the zoom or what is opened has changed. */
void pv_document_refine (PvDocument *document);
void pv_document_start_search (PvDocument *document);
void pv_document_start_callers_callees (PvDocument *document);
/* Builds trees with better names: after those that are being built, and at most four times a
 * second. */
void pv_document_rebuild_for_names (PvDocument *document);
/* Takes and shows the trees, and starts to compute what depends on them. Trees of a renewal bring
 * their profile and symbols; others belong to those that the document has. */
void pv_document_show_trees (PvDocument *document, PvTrees *trees);
/* Adapts the query to a profile that replaces another. A recording gets the defaults, as if it had
 * just been opened, until the user changes the query. */
void pv_document_adapt_query (PvDocument *document, PvQuery *query, const PvProfile *from,
                              const PvProfile *to);
void pv_document_forget_matches (PvDocument *document);
void pv_document_update_history_flags (PvDocument *document);
void pv_document_update_title (PvDocument *document);

/* Drops a renewal whose trees are being built. */
void pv_document_drop_next (PvDocument *document);
/* After trees were shown, or were given up: if nothing more is under way, the loading is over. */
void pv_document_settle (PvDocument *document);

/* document-loading.c */

void pv_document_connect (PvDocument *document, const PvSymbolOptions *symbols);

/* document-actions.c: the functions of suppressions_task, whose input is a path. */
gpointer pv_document_read_suppressions (gpointer path, PvJob *job, GError **error);
void pv_document_take_suppressions (gpointer owner, gpointer suppressions, const GError *error);
