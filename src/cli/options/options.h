/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

#include "cli/options/fetching.h"
#include "core/analyze/query/query-words.h"
#include "core/load/load.h"
#include "core/load/open-request.h"
#include "export/options/export-options.h"
#include "record/plan/plan.h"

/*
 * The parsed command line, for headless commands and the window. Options are parsed before any
 * file is read; pv_query_words_resolve () looks up what needs the profile (names of measures,
 * threads, processes). The table of all options is in options-parse.c.
 */
typedef struct {
    gboolean show_help;
    gboolean show_version;
    int thumbnail_pixels;    /* draw a small picture of the first file into the second; 0: no */
    char *headless_option;   /* the first one given that is for headless commands only */
    gboolean has_full_names; /* not shortened, on a terminal either */
    PvExportOptions out;
    char *export_path;
    gboolean is_anonymous; /* output has pseudonyms in place of names */
    PvOpenRequest open;    /* files, and what else the window takes over as it is */
    gboolean is_merged;    /* all files form one profile ... */
    gboolean is_series;    /* ... or one series of dumps; never both */

    gboolean is_runs; /* all files, or those in a folder, are runs in order */

    /* A comparison: of the first file with the second; or of open.base_files with all files; or, if
     * there is one file, of a part of it with another part. */
    gboolean is_diff;
    char *side_titles[PV_N_SIDES];   /* NULL: the names of the first files */
    char **side_options[PV_N_SIDES]; /* of a query, for this side only: "--time=0..1"; or NULL */
    PvMeasurePart width_part;        /* the width of boxes: both sides, or ... */
    PvSide width_side;               /* ... this one */
    char **checks;                   /* conditions of --check; or NULL */
    gboolean is_strict;              /* those that cannot be told count as broken */

    PvQueryWords words;

    gboolean fetches_debug_info; /* from the servers in DEBUGINFOD_URLS */
    bool no_other_files;         /* as in PvSymbolOptions */
    int n_jobs;
    uint64_t max_unpacked_bytes; /* 0: the default */
    uint64_t max_memory_bytes;   /* 0: the default */
    PvFetching fetching;

    bool awaits_sides;          /* both sides of the comparison are yet to be recorded */
    unsigned n_repeats;         /* of the recording; 0: once, without numbers */
    bool is_repetition;         /* advice has been given */
    char **interleaved;         /* two programs, base and new, recorded in turn; or NULL */
    char **interleaved_command; /* their command line: see pv_turns_put_program () */
    char **remarks;             /* how the runs were recorded, for the comparison; or NULL */
    double until_percent;       /* stop once the change is known to so many; 0: do not */
    char *bisect_range;         /* "GOOD..BAD"; or NULL */
    char *bisect_build;         /* a command of the shell; as bisect_range */
    PvRecordPlan *record_plan;  /* or NULL */
    double record_seconds;      /* when to stop; 0: never */
} PvOptions;

/* Options of an empty command line. */
void pv_options_init (PvOptions *options);
void pv_options_clear (PvOptions *options);

/* For pv_load (); borrows from options. */
void pv_options_fill_load (const PvOptions *options, PvLoadOptions *ret_load);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PvOptions, pv_options_clear)
