/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <float.h>
#include <glib.h>
#include <limits.h>
#include <stdbool.h>

#include "cli/options/fetching.h"
#include "core/analyze/compare/scale.h"
#include "core/analyze/graph/graph.h"
#include "core/analyze/query/query-words.h"
#include "core/analyze/series/series.h"
#include "core/load/load.h"
#include "core/write/table.h"
#include "record/plan/plan.h"

/*
 * The parsed command line, for headless commands and the window. Options are parsed before any
 * file is read; pv_query_words_resolve () looks up what needs the profile (names of measures,
 * threads, processes). The table of all options is in options-parse.c.
 */
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
} PvPictureView;

enum { PV_LIMIT_DEFAULT = INT_MIN };
enum { PV_TIMELINE_BINS_DEFAULT = 100, PV_TIMELINE_BINS_MAX = 1000000 };
#define PV_MIN_PERCENT_DEFAULT (-DBL_MAX)

typedef struct {
    bool show_help;
    bool show_version;
    char *headless_option; /* the first one given that is for headless commands only */
    PvPrint print;
    PvFormat format;
    bool has_header;     /* tsv or csv begins with a line that says measure, unit and total */
    bool has_full_names; /* not shortened, on a terminal either */
    char *export_path;
    bool with_sources; /* in a pack */
    bool is_anonymous; /* what is printed or exported has pseudonyms */
    PvPictureView view;
    PvChartKind chart; /* PV_N_CHARTS: none, but a view */
    char *function;    /* regular expression of --function */
    char **files;      /* NULL-terminated; or NULL */
    bool is_merged;    /* all files form one profile ... */
    bool is_series;    /* ... or one series of dumps; never both */

    bool is_runs; /* all files, or those in a folder, are runs in order */

    /* A comparison: of the first file with the second; or of base_files with all files; or, if
     * there is one file, of a part of it with another part. */
    bool is_diff;
    char **base_files;               /* NULL-terminated; or NULL */
    char **side_options[PV_N_SIDES]; /* of a query, for this side only: "--time=0..1"; or NULL */
    char **renames;                  /* see PvCompareInput; or NULL */
    PvScale scale;
    char *scale_function;     /* a regular expression, of PV_SCALE_FUNCTION */
    PvMeasurePart width_part; /* what boxes are as wide as: both sides, or ... */
    PvSide width_side;        /* ... this one */
    bool is_side_by_side;     /* each side in a picture of its own; width_part has both */
    bool hides_noise;
    char **with_files; /* that are joined with the only file; or NULL */
    char **checks;     /* conditions of --check; or NULL */

    PvQueryWords words;

    char *sysroot;
    char **symbol_paths;
    char **path_maps;
    bool no_demangle;
    bool fetches_debug_info; /* from the servers in DEBUGINFOD_URLS */
    int n_jobs;
    uint64_t max_unpacked_bytes; /* 0: the default */
    uint64_t max_memory_bytes;   /* 0: the default */
    PvFetching fetching;

    PvRecordPlan *record_plan; /* what to record; or NULL */
    double record_seconds;     /* when to stop; 0: never */

    int limit;            /* rows; 0: all; PV_LIMIT_DEFAULT: depends on the format */
    bool is_histogram;    /* of the durations of system calls, in place of their table */
    char *sum_field;      /* of marks, to be summed up; NULL: list them */
    int n_bins;           /* of a time line; 0: not given */
    int n_graph_nodes;    /* of a call graph: see PvGraphLimits; -1: not given */
    double node_fraction; /* -1: not given */
    double edge_fraction; /* -1: not given */
    int n_callers;        /* -1: not given */
    int n_callees;        /* -1: not given */
    int width;            /* 0: not given */
    int height;           /* 0: not given */
    double min_percent;   /* PV_MIN_PERCENT_DEFAULT: depends on the format */
} PvOptions;

/* Options of an empty command line. */
void pv_options_init (PvOptions *options);
void pv_options_clear (PvOptions *options);

/* For pv_load (); borrows from options. */
void pv_options_fill_load (const PvOptions *options, PvLoadOptions *ret_load);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PvOptions, pv_options_clear)
