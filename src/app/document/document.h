/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "app/document/symbol-fetch.h"
#include "app/source/source.h"
#include "app/work/tasks.h"
#include "core/analyze/tables/facets.h"
#include "record/run/recording.h"

/*
 * A profile that is shown: the query, its results, and what the user looks at (zoom, selection,
 * search). Where the profile comes from is its source's business (source.h). Views read the
 * document, learn by its signal what has changed, and call the functions below for what the user
 * does; all work is done in worker threads. Main loop only.
 *
 * Three states say what a view can show, and one more what is being loaded meanwhile:
 *
 *                    ┌──────────────────────── load ◀───────────────────────┐
 *                    ▼                                                      │
 *     new ─ load ─▶ LOADING ── failed, cancelled, or finished empty ──▶ FAILED
 *                    │ loaded: there is an answer
 *                    ▼
 *                   READY     stays: later failures are messages
 *
 *     NONE ── began ──▶ FIRST     in LOADING; then better names of what is shown, until finished
 *       ▲               RENEWAL   in READY: what is shown stays until all of it is replaced at once
 *       │               LIVE      in either, while recording: silent, its failures do not matter
 *       └── finished and shown ──┘
 *
 * A preview, the first part of a long file, makes the document READY and turns FIRST into RENEWAL.
 * A renewal comes without an answer: that is made here, because it carries over what the user looks
 * at by then. A query that changes while one is being made is answered next.
 */
#define PV_TYPE_DOCUMENT (pv_document_get_type ())
G_DECLARE_FINAL_TYPE (PvDocument, pv_document, PV, DOCUMENT, GObject)

typedef enum {
    PV_DOCUMENT_LOADING,
    PV_DOCUMENT_READY, /* there is an answer */
    PV_DOCUMENT_FAILED,
} PvDocumentState;

typedef enum {
    PV_LOADING_NONE,
    PV_LOADING_FIRST,
    PV_LOADING_RENEWAL,
    PV_LOADING_LIVE,
} PvDocumentLoading;

/* Flags of the signal "changed". The signal "message" has a sentence for the user; "closed" comes
 * before the source is closed. */
typedef enum {
    PV_CHANGED_STATE = 1 << 0,
    PV_CHANGED_PROGRESS = 1 << 1, /* of loading, or of the source's other activity */
    PV_CHANGED_TREE = 1 << 2,     /* a new answer: ids of nodes, and names, are new */
    PV_CHANGED_FUNCTIONS = 1 << 3,
    PV_CHANGED_SEARCH = 1 << 4,
    PV_CHANGED_SELECTION = 1 << 5,
    PV_CHANGED_ZOOM = 1 << 6,
    PV_CHANGED_CALLERS_CALLEES = 1 << 7,
    PV_CHANGED_QUERY = 1 << 8, /* its answer comes later */
    PV_CHANGED_TITLE = 1 << 9,
    PV_CHANGED_FACETS = 1 << 10,
    PV_CHANGED_RECORDING = 1 << 11,    /* its state or figures; about four times a second */
    PV_CHANGED_SYMBOL_FETCH = 1 << 12, /* progress of fetching from servers; as often */
    PV_CHANGED_DIRECTION = 1 << 13,    /* is_inverted, whose tree comes later, or is_sandwich */
    PV_CHANGED_FORMULAS = 1 << 14,
    PV_CHANGED_COMPARISON = 1 << 15, /* its sums, or how it is shown */
} PvDocumentChange;

/* Results that follow from the answer, each with a task of its own (document-answer.c). */
typedef enum {
    PV_DERIVED_FUNCTIONS,
    PV_DERIVED_SEARCH,
    PV_DERIVED_CALLERS_CALLEES,
    PV_DERIVED_SUMS,
    PV_DERIVED_FACET_KEYS,
    PV_N_DERIVED,
} PvDerived;

typedef enum { PV_HALF_CALLERS, PV_HALF_CALLEES, PV_N_HALVES } PvSandwichHalf;

/* The zoom of half a sandwich, whose tree belongs to the view. */
typedef struct {
    PvTreePath path; /* of the node, from the root of that tree; no steps: the function, whole */
    double start;    /* the part of its width that is in view */
    double end;
} PvHalfZoom;

/* The part of a view that the user chooses besides the query: direction, zoom and selection. */
typedef struct {
    gboolean is_inverted; /* the flame graph shows the bottom-up tree */
    gboolean is_sandwich; /* in its place: the function between its callers and its callees */
    PvNodeId zoom;        /* node of flame_tree, 0: all */
    double range_start;   /* the part of its width that is in view: 0 and 1 for all of it */
    double range_end;
    PvHalfZoom half_zooms[PV_N_HALVES];
    uint64_t chart_start_ns; /* the part of the flame chart that is in view; both 0: all of it */
    uint64_t chart_end_ns;
    PvNodeId selected;     /* node of flame_tree or PV_NODE_NONE */
    PvFunctionId function; /* selected in every view; 0: none */
    /* It is the node that was selected; else the function, whose heaviest node that is. */
    gboolean is_node_selected;
} PvLook;

/* Data that views may read. Everything may be NULL or 0 before the state is READY, except for spec,
 * file, title and answer. */
typedef struct {
    PvDocumentState state;
    PvDocumentLoading loading;
    const PvSourceSpec *spec;
    GFile *file; /* or the folder, or the first of several files */

    const PvRecordPlan *plan;     /* of the running or past recording; NULL: it was opened */
    const PvRecording *recording; /* also when it has ended; NULL: none, or it could not start */
    gboolean is_recording;        /* it has not ended */
    gboolean is_discarded;        /* the user does not want it */
    uint64_t n_recorded;          /* samples, allocations or dumps in what was loaded last */
    uint64_t n_lost;

    char *title;
    const GError *error; /* when FAILED; PV_READ_ERROR, PV_FETCH_ERROR, PV_RECORD_ERROR ... */

    const PvAnswer *answer;  /* never NULL: pv_no_answer unless READY */
    PvQuery query;           /* the newest; never inverted, and without formulas */
    char **formulas;         /* those requested in words, as definitions; or NULL */
    char *suppressions_name; /* name of the file of suppressions; NULL: none */
    PvLook look;
    PvComparisonView comparison; /* display settings of a comparison */

    /* Results that follow from this answer (PvDerived), never from an older one; NULL until known.
     */
    PvFunctions *functions;
    PvSearchResult *search;                  /* NULL also if there is none, or it failed */
    PvCallersCalleesResult *callers_callees; /* of look.function */
    PvComparedSums *sums;                    /* of a comparison */
    PvFacetKeys *facet_keys;

    PvSearchTerm search_term; /* text NULL: none */
    char *search_error;       /* why it failed, for the user; or NULL */
    /* NULL, or one per function of the symbols of flame_tree. Until the search has run again, they
     * are those of the answer before, as names are the same. */
    bool *is_match;
    uint32_t n_is_match;

    gboolean can_go_back;
    gboolean can_go_forward;

    gboolean is_preview; /* only the first part of the file is shown */
    PvStage stage;       /* of what is being loaded */
    double fraction;     /* -1: unknown */
} PvDocumentData;

/* Takes source, which must be new. symbols may be NULL; copied. */
PvDocument *pv_document_new (PvSource *source, const PvSymbolOptions *symbols);
/* Never NULL. Valid as long as the document; its pointers until the next change. */
const PvDocumentData *pv_document_get (PvDocument *document);

/* Asks a query in words, as in PvQueryWords: with the first answer, or, if something is shown, now.
 * If it does not apply to the profile, a message says so. */
void pv_document_apply_words (PvDocument *document, const char *const *words);
/* The words that ask the same, or those that wait for the profile; NULL: none wait. g_strfreev ()
 * them. */
char **pv_document_list_words (PvDocument *document);
/* Loads, fetches or records what the source is for; again, if that had failed. */
void pv_document_load (PvDocument *document);
/* True while something is loaded that the user waits for; a live view does not count. */
gboolean pv_document_is_loading (PvDocument *document);
/* For the user: what the source does beside loading ("Receiving, 3 MB of 7 MB"), and how much of
 * that is done (0..1, -1: unknown; may be NULL). NULL: nothing; otherwise g_free () it. */
char *pv_document_describe_activity (PvDocument *document, double *ret_fraction);
/* Loading, or busy with such an activity. */
gboolean pv_document_is_busy (PvDocument *document);
/* TRUE: nothing could be recorded. */
gboolean pv_document_failed_to_record (PvDocument *document);
/* TRUE: pv_document_cancel () leaves out the rest of the activity, and shows what is there. */
gboolean pv_document_can_skip (PvDocument *document);
/* After a PV_FETCH_ERROR that names another server: the user agrees to ask that one. */
void pv_document_follow_redirect (PvDocument *document);
/* After another one: asks for this URL, which becomes the document's. */
void pv_document_fetch_instead (PvDocument *document, const char *url);
/* Reads the files again, which may be another recording by now, or asks the server again. What is
 * shown stays until all of it can be replaced at once, and for good if that fails; the user still
 * looks at the same functions. */
void pv_document_reload (PvDocument *document);
/* In the state LOADING: gives up, the state is then FAILED. Later: stops looking for better names,
 * and fetching. */
void pv_document_cancel (PvDocument *document);
/* Stops all work, for a tab that is closed. A recording is stopped and kept: it is completed
 * without the document, and the application lives until then. */
void pv_document_close (PvDocument *document);
/* Looks for files also in this folder (or perf archive) from now on, and again for those that were
 * missing: stacks that ended for want of them are unwound again. Replaces as a reload does. */
void pv_document_add_symbol_path (PvDocument *document, const char *path);
/* The same for all that the options ask for, unless that is what it was loaded with. */
void pv_document_add_symbols (PvDocument *document, const PvSymbolOptions *symbols);

/* True if a debuginfod server could have the debug information that a module lacks. */
gboolean pv_document_can_fetch_symbols (PvDocument *document, PvModuleId module);
/* Fetches it, after those requested before. When all are there, names are found again as after
 * pv_document_add_symbol_path (). */
void pv_document_fetch_symbols (PvDocument *document, PvModuleId module);
void pv_document_cancel_symbol_fetch (PvDocument *document, PvModuleId module);
/* Bytes that have come, and how many it is; 0: unknown. */
PvSymbolFetchState pv_document_get_symbol_fetch (PvDocument *document, PvModuleId module,
                                                 uint64_t *ret_done, uint64_t *ret_total);

/* As in recording.h. Nothing happens unless something is being recorded here. */
void pv_document_stop_recording (PvDocument *document);
void pv_document_kill_recording (PvDocument *document);
void pv_document_discard_recording (PvDocument *document);
/* While nobody sees the document, nor a comparison that follows it, a recording is not loaded
 * before it has ended. */
void pv_document_set_hidden (PvDocument *document, gboolean is_hidden);
/* The application's end of the launched program's terminal: the caller closes it, and must read
 * from it, or the program blocks. -1: no terminal, or it was taken. */
int pv_document_take_terminal (PvDocument *document);

/* pv_document_go_back () undoes the changes that these make to the query. */
void pv_document_set_measure (PvDocument *document, PvMeasureId measure);
/* Nanoseconds since the start, end exclusive; 0 and UINT64_MAX: everything. May be called for every
 * motion of a drag: the answer of one range is shown before the next one is made. */
void pv_document_set_time_range (PvDocument *document, uint64_t start_ns, uint64_t end_ns);
/* Before a new range is dragged: pv_document_go_back () returns to what is shown now. */
void pv_document_remember (PvDocument *document);
void pv_document_clear_time_range (PvDocument *document);
gboolean pv_document_has_time_range (PvDocument *document);
/* Shows what was live at a moment: sets the range that ends there, and the measure. Does nothing
 * unless the profile is a heap or a series of heaps. */
void pv_document_show_moment (PvDocument *document, uint64_t end_ns);
/* Takes out of the stacks the functions that only allocate (PV_TRANSFORM_HIDE_ALLOCATORS), or the
 * frames that the file says to drop (PV_TRANSFORM_DROP). */
void pv_document_set_transform (PvDocument *document, PvTransformKind kind, gboolean is_set);
gboolean pv_document_has_transform (PvDocument *document, PvTransformKind kind);
/* Leaks that match the suppressions in the file do not count; it replaces an earlier file. NULL: no
 * file. Read in a worker; an error is a message. */
void pv_document_set_suppressions_file (PvDocument *document, GFile *file);
/* Counts the leaks that built-in suppressions, and those of the recording, hide. */
void pv_document_set_show_suppressed (PvDocument *document, gboolean is_shown);
/* Keeps the samples that another query keeps: its processes, threads, processors and labels. */
void pv_document_set_samples (PvDocument *document, const PvQuery *wanted);
void pv_document_remove_label (PvDocument *document, uint32_t index);
/* key: of the label, for PV_GROUP_LABEL; else NULL. */
void pv_document_set_grouping (PvDocument *document, PvGrouping by, const char *key);
/* Adds one after the others, see pv_query_add_transform (); none that is there already. */
void pv_document_add_transform (PvDocument *document, PvTransformKind kind, const char *expression);
void pv_document_remove_transform (PvDocument *document, uint32_t index);
/* An index that is gone by now is ignored. */
void pv_document_switch_transform (PvDocument *document, uint32_t index, gboolean is_on);
/* Makes it another one, see pv_query_edit_transform (). */
void pv_document_edit_transform (PvDocument *document, uint32_t index, PvTransformKind kind,
                                 const char *expression);
void pv_document_move_transform (PvDocument *document, uint32_t index, uint32_t to);
/* The active transforms as options of the command line (pv_query_list_transforms ()), and the other
 * way round: these instead of those. Free with g_strfreev (). */
char **pv_document_list_transforms (PvDocument *document);
void pv_document_use_transforms (PvDocument *document, const char *const *options);
/* The formula that the values of the flame tree's nodes are wanted of: for the profile that is
 * shown, until there is another. NULL: none. */
void pv_document_set_formula (PvDocument *document, PvFormula *formula);
/* Removes all that the user has filtered, the time range too. The measure and the grouping stay. */
void pv_document_clear_filters (PvDocument *document);
/* Shows the flame graph in this direction; leaves a sandwich. */
void pv_document_set_inverted (PvDocument *document, gboolean is_inverted);
/* Selects the function in every view and shows it between its callers and its callees. 0: the one
 * that is selected. continues: after a zoom that pv_document_go_back () takes back together with
 * it.
 */
void pv_document_show_sandwich (PvDocument *document, PvFunctionId function, gboolean continues);

/* Zooming to folded children zooms to their parent and opens it. */
void pv_document_zoom (PvDocument *document, PvNodeId node);
/* Zooms to a part of a node: start and end are fractions of its width, at least
 * PV_DOCUMENT_LEAST_RANGE apart; others are clamped. continues: from one such range to the next of
 * the same movement, which pv_document_go_back () takes back as a whole. FALSE: it is in view. */
#define PV_DOCUMENT_LEAST_RANGE 1e-9
gboolean pv_document_zoom_to_range (PvDocument *document, PvNodeId node, double start, double end,
                                    gboolean continues);
gboolean pv_document_has_range (PvDocument *document);
/* The same for half a sandwich: node of its tree. 0: zooms out. */
gboolean pv_document_zoom_half (PvDocument *document, PvSandwichHalf half, const PvCallTree *tree,
                                PvNodeId node, double start, double end, gboolean continues);
/* The same for the flame chart: since the start of the profile. Both 0: zooms out. */
gboolean pv_document_zoom_chart (PvDocument *document, uint64_t start_ns, uint64_t end_ns,
                                 gboolean continues);
/* For a tree of another profile: where the node is there. No signal, no step of the history. */
void pv_document_renew_half_zoom (PvDocument *document, PvSandwichHalf half, const PvCallTree *tree,
                                  PvNodeId node, double start, double end);
/* Unfolds the children of a node of the call tree. */
void pv_document_open (PvDocument *document, PvNodeId node);
void pv_document_go_back (PvDocument *document);
void pv_document_go_forward (PvDocument *document);
void pv_document_select_node (PvDocument *document, PvNodeId node);
/* Selects the function in every view, and its heaviest node as soon as that is found. */
void pv_document_select_function (PvDocument *document, PvFunctionId function);

/* NULL or without a text: none. */
void pv_document_search (PvDocument *document, const PvSearchTerm *term);
/* True while it is still being sought. What a view shows of an older answer may stay until then. */
gboolean pv_document_is_deriving (PvDocument *document, PvDerived which);
/* True if the search has found the function. Any id of the trees that are shown, or 0. */
gboolean pv_document_is_match (PvDocument *document, PvFunctionId function);
/* The one that was found after the selected function, or before it, in the order of the table of
 * functions; goes on at the other end. 0: none. */
PvFunctionId pv_document_find_match (PvDocument *document, gboolean forward);

/* A command's output options, and its differences from the document's query. */
typedef struct {
    const char *options[8]; /* such as "--print=tree"; NULL after the last one */
    PvMeasureId measure;    /* UINT32_MAX: the query's */
    PvThreadId thread;      /* only this thread; 0: as the query has it */
    char **formulas;        /* definitions, or NULL; owned by the caller */
    const char *function;   /* --function with exactly this name; NULL: without */
    gboolean are_runs;      /* all runs of a document that has a list of them, and no more */
} PvCommand;

/* The command that answers the query as it is now, for a shell; for a comparison or a join, with
 * the files and options of its sides. NULL unless pv_document_has_command (); g_free () it. */
char *pv_document_make_command (PvDocument *document, const PvCommand *wanted);

/* True if there is a profile, and files or a URL that it was loaded from. Both sides of a
 * comparison must be single files or URLs; in a join, all must also be asked the same. */
gboolean pv_document_has_command (PvDocument *document);

/* Where files of its modules and their sources are looked for. Valid until the next change. */
const PvSymbolOptions *pv_document_get_symbol_options (PvDocument *document);

/* Formats an amount of the measure that is shown, for the user; g_free () it. */
char *pv_document_format_weight (PvDocument *document, uint64_t weight);
/* The measure that is shown; NULL: none yet. */
const PvMeasure *pv_document_get_measure (PvDocument *document);
