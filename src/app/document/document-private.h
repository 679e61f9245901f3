/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/document/document.h"

/*
 * Shared by the files of PvDocument. Each calls only those above it, and all emit the signals:
 *
 *     document.c           the data that views read, and the signals
 *     document-history.c   what the user looked at, to come back to
 *     document-answer.c     has answers made, and what follows from them, and shows them
 *     document-actions.c   what the user does: query, going back, selection, search
 *     comparing.c          the same of comparisons
 *     document-command.c   commands that answer what is shown
 *     document-loading.c   the states: what the source delivers
 *     document-object.c    how a document begins and ends
 */

/* A node of a flame tree, for later trees. */
typedef struct {
    gboolean is_set; /* FALSE: none */
    PvTreePath path;
    gboolean has_anchor;
    PvTreeAnchor anchor;
} PvTreeSpot;

/* A view of the document that the user can come back to. */
typedef struct {
    PvQuery query;
    PvLook look; /* its nodes are ... */
    PvTreeSpot zoom;
    PvTreeSpot selected; /* ... these, which outlive their tree */
} PvHistoryEntry;

/* Whose query it is. */
typedef enum {
    PV_QUERY_UNSET,
    PV_QUERY_DEFAULT, /* the first one for a profile of its kind */
    PV_QUERY_CHOSEN,  /* the user has changed it */
} PvQueryState;

/* Why another answer is made after the one that is being made. */
typedef enum {
    PV_BUILD_NOTHING,
    PV_BUILD_NAMES, /* there are better names; may wait a little */
    PV_BUILD_QUERY, /* the time range changed */
} PvNextBuild;

/* A result that follows from the answer. */
typedef struct {
    PvDocument *document;
    PvTask *task;
    unsigned serial; /* of the answer that it was begun for; 0: none */
} PvDerivation;

struct _PvDocument {
    GObject parent;

    PvDocumentData data;
    PvSource *source; /* closed before the document goes */
    GError *error;
    PvQueryState query_state;
    char **words;           /* the query until the profile is known; or NULL */
    gboolean has_new_words; /* the first answer is not made by these */
    PvFormula *formula;     /* for the profile; or NULL */
    char *added_path;       /* the folder that a renewal looks for files in; or NULL */

    PvSymbolTable *symbols; /* the newest of the answer's profile; NULL before there is one */
    /* A renewal that is being answered; both are NULL, or both are there. */
    PvProfile *next_profile;
    PvSymbolTable *next_symbols;

    PvSymbolFetch *symbol_fetch; /* NULL once closed */

    /* The document that records a side of this comparison, until all of that is compared; or
     * NULL. */
    PvDocument *recorded;
    gboolean has_live_scale; /* the scale is that of a live comparison, not the user's */
    gboolean is_hidden;
    unsigned n_watching; /* visible comparisons that follow this recording */

    PvTask *answer_task;
    PvTask *suppressions_task;
    PvDerivation derived[PV_N_DERIVED];
    gint64 last_build_us; /* when the last answer was begun; monotonic */
    guint rebuild_timeout;
    PvNextBuild next_build;

    GPtrArray *back; /* PvHistoryEntry */
    GPtrArray *forward;
    /* The measure changed, and the tree does not tell if the selected function has something in it:
     * the functions will. */
    gboolean may_lack_function;
    PvHistoryEntry *wanted; /* the entry gone back to, until it is answered; or NULL */
    GArray *opened;         /* PvTreeAnchor: nodes that the user has unfolded */

    PvDocumentChange pending; /* collected between freeze and thaw */
    int freeze_count;
};

/* document.c */

/* Emits "changed", or collects what has changed while frozen. */
void pv_document_emit (PvDocument *document, PvDocumentChange what);
void pv_document_freeze (PvDocument *document);
void pv_document_thaw (PvDocument *document);
/* Emits "message". */
void pv_document_emit_message (PvDocument *document, const char *text);

void pv_document_add_signals (GType type);
/* Adapts the query to a profile that replaces another. A recording gets the defaults, as if it had
 * just been opened, until the user changes the query. */
void pv_document_adapt_query (PvDocument *document, PvQuery *query, const PvProfile *from,
                              const PvProfile *to);

/* document-history.c */

GPtrArray *pv_document_make_history (void);
void pv_document_clear_half_zooms (PvHalfZoom *zooms);
void pv_look_init (PvLook *look);
void pv_look_clear (PvLook *look);
void pv_document_update_history_flags (PvDocument *document);
/* Takes the last entry of `from` as the query and as what is wanted; `to` gets what is shown. FALSE
 * if there is none. */
gboolean pv_document_step (PvDocument *document, GPtrArray *from, GPtrArray *to);
void pv_document_forget_wanted (PvDocument *document);
/* Selects and zooms as wanted; there must be something. FALSE: the flame tree lacks a node. */
gboolean pv_document_show_wanted (PvDocument *document);
/* Where a folded tree must have nodes: what is wanted, or else what is shown. */
void pv_document_add_spots (PvDocument *document, PvQuestion *question);
/* For a renewal: the nodes of the flame tree that the history has; some may be PV_NODE_NONE. */
void pv_document_list_history_nodes (PvDocument *document, GArray *nodes);
/* join: between trees of different profiles; else NULL. */
void pv_document_translate_history (PvDocument *document, const PvCallTree *old,
                                    const PvCallTree *new_tree, PvTreeJoin *join);
/* To a profile that replaces another. */
void pv_document_adapt_history (PvDocument *document, const PvProfile *to);

/* document-answer.c */

void pv_document_make_tasks (PvDocument *document);
void pv_document_cancel_tasks (PvDocument *document);
void pv_document_close_tasks (PvDocument *document);
/* Has an answer made for what the document has now, and gives up the one that is being made for an
 * earlier query. Does nothing if nothing is shown. */
void pv_document_start_build (PvDocument *document);
/* Builds a folded tree again after the zoom or what is opened has changed. */
void pv_document_refine (PvDocument *document);
/* The same for a result that follows from the answer. */
void pv_document_derive (PvDocument *document, PvDerived which);
void pv_document_drop_derived (PvDocument *document, PvDerived which);
/* Has an answer made with better names: after the one that is being made, and at most four times a
 * second. */
void pv_document_rebuild_for_names (PvDocument *document);
/* Takes and shows an answer in place of the one before, and begins all that follows from it. */
void pv_document_show_answer (PvDocument *document, PvReply *reply);
void pv_document_forget_matches (PvDocument *document);
void pv_document_forget_scale (PvDocument *document);
void pv_document_update_title (PvDocument *document);

/* Drops a renewal that is being answered. */
void pv_document_drop_next (PvDocument *document);
/* After an answer was shown, or was given up: if nothing more is under way, the loading is over. */
void pv_document_settle (PvDocument *document);

/* document-loading.c */

void pv_document_connect (PvDocument *document, const PvSymbolOptions *symbols);

/* document-actions.c */

/* For the first answer, which is that of the user's words: takes the formulas, or says why the
 * words do not apply. */
void pv_document_take_words (PvDocument *document, PvReply *reply);
/* The functions of suppressions_task, whose input is a path. */
gpointer pv_document_read_suppressions (gpointer path, PvJob *job, GError **error);
void pv_document_take_suppressions (gpointer owner, gpointer suppressions, const GError *error);

/* comparing.c */

/* A comparison that follows a recording does so no more. */
void pv_document_leave_recording (PvDocument *document);
