/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/document/document.h"
#include "app/document/loading.h"

/* What the files of PvDocument share: document.c asks and takes answers, document-load.c loads,
 * document-fetch.c asks servers, document-record.c records, document-intents.c has what the user
 * wants. */
/* What the user looked at, to come back to. */
typedef struct {
    PvNodeId zoom; /* of flame_tree */
    uint64_t start_ns, end_ns;
    PvMeasureId measure; /* PV_SAME_MEASURE: whichever there is */
} PvHistoryEntry;

#define PV_SAME_MEASURE UINT32_MAX

typedef struct _PvCapture PvCapture;

struct _PvDocument {
    GObject parent;

    PvDocumentData data;
    GError *error;
    PvSourceSpec *spec;
    PvFetcher *fetcher; /* NULL: was opened from files */
    gboolean is_behind; /* more was fetched while what came before was being loaded */
    PvLoading *loading;
    PvSymbolOptions symbol_options; /* ours */

    /* A renewal loads again what is shown already, from the file or only its names. Nothing of it
     * is seen before its names are complete; then trees are made of the next profile and symbols,
     * and take the place of everything at once. */
    gboolean is_renewing;       /* the loading that runs is a renewal */
    PvProfile *renewed_profile; /* that its symbols will belong to */
    PvProfile *next_profile;    /* both NULL, or both there until their trees are */
    PvSymbolTable *next_symbols;
    char *added_path; /* why names are renewed, or NULL */

    /* A live load is of what has been recorded so far: it fails in silence and shows no progress.
     * Times are monotonic. */
    PvRecordPlan *plan;       /* NULL: it was opened */
    PvCapture *capture;       /* NULL: nothing has been recorded */
    gboolean is_live;         /* the loading that runs, or ran last, is one */
    gboolean is_live_pending; /* one was begun, and its trees are not there yet */
    gboolean is_hidden;       /* nobody sees a live load */
    guint live_source;
    gint64 live_start_us; /* of the last one */
    gint64 next_live_us;  /* not before this */
    PvTask *dumps_task;   /* finds the dumps of a recording that is a folder */

    PvTask *tree_task;
    PvTask *functions_task;
    PvTask *search_task;
    PvTask *callers_callees_task;
    PvTask *suppressions_task;
    PvTask *facet_keys_task;
    gint64 last_build_us;
    guint rebuild_source;
    gboolean is_stale;     /* symbols came while a tree was being built */
    gboolean is_outdated;  /* another range was asked for meanwhile: it comes next */
    gboolean has_query;    /* with what profiles of the kind are first shown with */
    gboolean is_own_query; /* the user has asked for something else */

    bool *is_match;

    GArray *back; /* PvHistoryEntry */
    GArray *forward;

    PvDocumentChange pending; /* collected between freeze and thaw */
    int freeze_count;
};

/* Reads the files, or with a profile only looks for its names. */
void pv_document_start_loading (PvDocument *document, const PvProfile *profile);
void pv_document_start_live_loading (PvDocument *document, unsigned n_workers);
/* Before something is loaded that has nothing to do with what was. */
void pv_document_forget_loaded (PvDocument *document);
void pv_document_fail (PvDocument *document, const GError *error);
/* What it is called may follow from what was loaded. */
void pv_document_update_title (PvDocument *document);

/* document-fetch.c: asks the server. */
void pv_document_start_fetching (PvDocument *document);

/* document-record.c. Whether loading the document means to record. */
gboolean pv_document_wants_to_record (PvDocument *document);
void pv_document_start_recording (PvDocument *document);
/* Stops the recording, if there is one, and leaves the rest to itself. */
void pv_document_leave_recording (PvDocument *document);
/* A recording that has begun to be written, but has nothing to show yet. */
gboolean pv_document_is_too_early (PvDocument *document, const PvProfile *profile);
void pv_document_count_recorded (PvDocument *document, const PvProfile *profile);
/* The live loading that ran has ended, however; trees were shown, whatever of. */
void pv_document_live_loaded (PvDocument *document);
void pv_document_live_shown (PvDocument *document);
/* The next live load need not wait. */
void pv_document_hurry_live (PvDocument *document);

/* The same question about what was read again, as far as it has a meaning there. What is recorded
 * is asked what it would be if it were opened, until the user asks for something else. */
void pv_document_adapt_query (PvDocument *document, PvQuery *query, const PvProfile *from,
                              const PvProfile *to);

/* Builds trees with new names: after the build that runs, and a quarter of a second after the last
 * one began. A new query does not wait: it calls pv_document_start_build () itself. */
void pv_document_rebuild_for_symbols (PvDocument *document);

/* What is told between the two is told at once. */
void pv_document_freeze (PvDocument *document);
void pv_document_thaw (PvDocument *document);

/* Tells of changes, or collects them while frozen. */
void pv_document_emit (PvDocument *document, PvDocumentChange what);

/* A sentence for the user, about what was asked for and is over. */
void pv_document_remark (PvDocument *document, const char *text);

/* Asks for trees, a search or callers_callees by what the document says now; a question that runs
 * is cancelled. */
void pv_document_start_build (PvDocument *document);
void pv_document_start_search (PvDocument *document);
void pv_document_start_callers_callees (PvDocument *document);

/* Of the task of suppressions; its input is a path. */
gpointer pv_read_suppressions (gpointer path, PvJob *job, GError **error);
void pv_document_take_suppressions (gpointer owner, gpointer suppressions, const GError *error);

void pv_document_update_history_flags (PvDocument *document);
void pv_document_forget_matches (PvDocument *document);
