/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <float.h>
#include <glib.h>
#include <limits.h>
#include <stdbool.h>

#include "core/analyze/compare/scale.h"
#include "core/analyze/series/series.h"
#include "core/symbolize/files/symbol-options.h"
#include "core/write/table.h"

/* The choices of what is printed or written of a profile, whatever asked for it. */
typedef enum {
    PV_PRINT_NONE,
    PV_PRINT_SUMMARY,
    PV_PRINT_TOP,
    PV_PRINT_TREE,
    PV_PRINT_CALLERS,
    PV_PRINT_CALLEES,
    PV_PRINT_PEEK,
    PV_PRINT_ANNOTATE,
    PV_PRINT_NOTES,
    PV_PRINT_TIMELINE,
    PV_PRINT_PHASES,
    PV_PRINT_WAKERS,
    PV_PRINT_MARKS,
    PV_PRINT_SYSCALLS,
    PV_PRINT_RUNS,
    PV_PRINT_DISTRIBUTIONS,
    PV_PRINT_COUNTERS,
    PV_PRINT_FINDINGS,
} PvPrint;

/* Pictures, other than charts. */
typedef enum {
    PV_VIEW_UNSET, /* the flame graph */
    PV_VIEW_FLAME_GRAPH,
    PV_VIEW_SANDWICH,    /* of the function that --function names */
    PV_VIEW_FLAME_CHART, /* of one thread */
    PV_VIEW_HEAT_MAP,
    PV_VIEW_TREEMAP,
    PV_VIEW_TIMELINE, /* of the threads; of the CPUs if these are the grouping */
    PV_VIEW_GRAPH,    /* of calls; around the function that --function names, if it does */
    PV_VIEW_SOURCE,   /* of the functions that --function names */
    PV_N_VIEWS,
} PvPictureView;

enum { PV_LIMIT_DEFAULT = INT_MIN };
enum { PV_TIMELINE_BINS_DEFAULT = 100, PV_TIMELINE_BINS_MAX = 1000000 };
#define PV_MIN_PERCENT_DEFAULT (-DBL_MAX)

/* Fetches a source file that is not here. True if it is found from now on; *ret_is_gone: there is
 * nobody left to ask. */
typedef bool (*PvFetchSourceFunc) (const PvProfile *profile, const char *path, PvModuleId module,
                                   const char *binary, bool *ret_is_gone);

typedef struct {
    PvPrint print;
    PvFormat format;
    gboolean has_header;     /* tsv or csv begins with a line that says measure, unit and total */
    unsigned terminal_width; /* text is fit into it; 0: names are whole */
    bool has_measure;        /* the measure was chosen, and not by us */
    gboolean with_sources;   /* in a pack */
    PvPictureView view;
    PvChartKind chart; /* PV_N_CHARTS: none, but a view */
    char *function;    /* a regular expression; or NULL */

    PvScale scale;        /* of the base of a comparison */
    char *scale_function; /* a regular expression, of PV_SCALE_FUNCTION */
    bool is_side_by_side; /* each side in a picture of its own */
    gboolean hides_noise;

    int limit;             /* rows; 0: all; PV_LIMIT_DEFAULT: depends on the format */
    gboolean is_histogram; /* of the durations of system calls, in place of their table */
    char *sum_field;       /* of marks, to be summed up; NULL: list them */
    int n_bins;            /* of a time line; 0: not given */
    int n_graph_nodes;     /* of a call graph: see PvGraphLimits; -1: not given */
    double node_fraction;  /* -1: not given */
    double edge_fraction;  /* -1: not given */
    int n_callers;         /* -1: not given */
    int n_callees;         /* -1: not given */
    int width;             /* 0: not given */
    int height;            /* 0: not given */
    double min_percent;    /* PV_MIN_PERCENT_DEFAULT: depends on the format */

    PvSymbolOptions symbols;        /* to find source and machine code; its strings are borrowed */
    PvFetchSourceFunc fetch_source; /* NULL: source is only looked for here */
} PvExportOptions;

void pv_export_options_init (PvExportOptions *options);
void pv_export_options_clear (PvExportOptions *options);
