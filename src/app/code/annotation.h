/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/work/work.h"
#include "core/analyze/code/cost-columns.h"
#include "core/model/code/source-text.h"
#include "core/symbolize/files/symbol-options.h"

/*
 * A function's source with the costs of its lines, for the page Source. A row is a line of the
 * text; if the source is not found, a line with costs. Immutable and reference counted; any thread.
 */
#define PV_NO_COST UINT32_MAX

typedef struct {
    int ref_count;    /* atomic */
    PvCallTree *tree; /* by line; ids and texts of the costs belong to it */
    PvLineCosts *line_costs;
    char *name; /* of the function */
    char *label;
    PvFunctionId function;
    gboolean is_chosen;    /* by the user; else it is the hottest one ... */
    gboolean is_own;       /* ... of the user's own code, or of all */
    PvCostColumns columns; /* beside each line */
    char **files;          /* with lines of the function, as recorded; NULL-terminated */
    guint file;            /* index of the shown one; 0 if there are no files */
    char *path;            /* of its source on this machine; NULL: not found */
    gboolean is_newer;     /* than the program: it may have changed since */
    gboolean has_code;     /* its machine code can be shown; only if the source is not found */
    char *no_lines;        /* why there is only machine code, a sentence; else NULL */
    gboolean is_fetched;   /* from a debuginfod server */
    gboolean can_fetch;    /* a debuginfod server could have it; only if it is not found */
    PvSourceText *source;  /* all of it; NULL: not found */

    char *text; /* long lines are cut */
    uint32_t n_rows;
    uint32_t first_line;   /* of row 0, if there is a source */
    uint32_t n_lines;      /* of the source; more than the rows: a part is shown */
    uint32_t *cost_of_row; /* index in costs; PV_NO_COST: none */
    uint32_t n_costs;
    /* Costs of lines of this file, by line: the function's, and, where the source is found, those
     * of other functions too. */
    const PvLineCost **costs;
    const PvLineCost **all_costs; /* of the same lines in whatever functions; NULL: the same */
    gboolean *is_of_function;     /* by cost */
    uint32_t *row_of_cost;        /* UINT32_MAX: none */
    uint32_t n_ranks;             /* costs of the function that have a row */
    uint32_t *cost_of_rank;       /* hottest first, by self, then total; or by size of the change */
    uint64_t max_total;      /* highest total, or largest change, of a line in the first measure */
    GHashTable *body_source; /* PvLineCost of an inlined body -> its text, if found */
} PvAnnotation;

typedef struct {
    PvCallTree *tree;        /* a reference: its profile, symbols and query */
    PvFunctionId function;   /* 0: the hottest one */
    PvSymbolOptions options; /* a copy: where sources are looked for */
    char **measures;         /* names of those to show beside the query's; NULL: none */
    char *file;              /* file to show, if it has lines of the function; NULL: the main one */
} PvAnnotationInput;

void pv_annotation_input_free (gpointer input);
/* Blocking. NULL when cancelled, or with an error if an expression of the query is not valid, or
 * there is no function. */
gpointer pv_annotation_build (gpointer input, PvJob *job, GError **error);
PvAnnotation *pv_annotation_ref (PvAnnotation *annotation);
void pv_annotation_unref (gpointer annotation);

/* Line number of a row. */
uint32_t pv_annotation_get_line (const PvAnnotation *annotation, uint32_t row);
/* The module of the function, and its file on this machine (NULL: none). */
PvModuleId pv_annotation_get_module (const PvAnnotation *annotation, const char **ret_binary);

/* True if the function is in a file without debug information that may be found elsewhere. */
gboolean pv_annotation_lacks_debug_info (const PvAnnotation *annotation);
/* For the user: why there is neither source nor machine code, a sentence. g_free () it. */
char *pv_annotation_explain_nothing (const PvAnnotation *annotation);

/* For the user: path of the shown file, or a note that it is not found. g_free () it. */
char *pv_annotation_describe_path (const PvAnnotation *annotation);

/* Costs of the row's line; NULL: none. */
const PvLineCost *pv_annotation_get_cost (const PvAnnotation *annotation, uint32_t row);

/* True if the row is a line of the function that costs something. */
gboolean pv_annotation_is_of_function (const PvAnnotation *annotation, uint32_t row);
/* The one function that has the row's line; 0: none, or several. */
PvFunctionId pv_annotation_get_function (const PvAnnotation *annotation, uint32_t row);

/* For the user: "Line 12: self 3 ms (1.2 %), total …"; of another function, with its name. g_free
 * () it. */
char *pv_annotation_describe_row (const PvAnnotation *annotation, uint32_t row);
/* The same for any costs, without the line number. */
char *pv_annotation_describe_costs (const PvAnnotation *annotation, const PvCost *costs);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvAnnotation, pv_annotation_unref)
