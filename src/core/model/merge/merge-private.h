/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/model/build/builder-private.h"
#include "core/model/merge/merge.h"
#include "core/model/profile/rows.h"

/* Declarations shared by the files of the merger: merge.c (samples), merge-tables.c (rows that
 * samples point to), merge-distributions.c, merge-counters.c, and merge-facts.c (facts about the
 * whole). */

/* The merger's view of a set of the builder. */
typedef struct {
    PV_ARRAY (uint64_t) keys;   /* by column: identity of the measure */
    PvIdMap column_of_key;      /* plus 1 */
    PV_ARRAY (uint32_t) n_seen; /* by column: number of appended sets that have it */
    uint32_t n_appended;        /* number of appended sets */
    bool is_taken;              /* by a set of the profile being appended */
} PvMergedSet;

/* A note, and the files it is about. */
typedef struct {
    PvNote note;
    const char *first_name;
    uint32_t n_files;
    uint32_t last_file;
} PvMergedNote;

/* A distribution of one file. */
typedef struct {
    PvDistribution distribution;
    const char *file;
    uint32_t next; /* of the same name, key and kind; UINT32_MAX: none */
} PvMergedDistribution;

/* The merger's view of a counter of the builder. */
typedef struct {
    const char *file_name;
    uint32_t file; /* the first one is 0 */
} PvMergedCounter;

/* The builder's rows for those of the profile being appended; UINT32_MAX: not requested yet. */
typedef struct {
    const PvProfile *profile;
    PvModuleId *module_of;
    PvLocationId *location_of;
    PvStackId *stack_of;
    PvProcessId *process_of;
    PvThreadId *thread_of;
    uint32_t *label_set_of;
    uint32_t *wait_of;
} PvMergeMaps;

enum { PV_MERGE_MAX_NOTES = 1000 };

struct PvMerger {
    PvProfileBuilder *builder;
    bool is_series;
    uint32_t n_profiles;
    PvMergeMaps maps;

    PvHashMap module_ids;              /* first of those with the same identity */
    PV_ARRAY (PvModuleId) next_module; /* the next one of them */
    PvHashMap named_ids;               /* locations without address, by module and frames */
    PvHashMap variant_ids;             /* of locations whose frames differ between files */
    PvHashMap process_ids;
    PvHashMap thread_ids;
    PV_ARRAY (PvGivenFrame) frames; /* scratch */
    uint64_t n_named;
    PvLocationId last_location;

    PV_ARRAY (PvMergedSet) sets;
    PV_ARRAY (const char *) left_out; /* names of measures that not all files have */
    uint32_t preferred_set;
    uint64_t preferred_key; /* 0: none yet */

    PV_ARRAY (PvMergedDistribution) distributions;
    PvArena *arena; /* what these have */

    PV_ARRAY (PvMergedCounter) counters;

    PV_ARRAY (PvMergedNote) notes;
};

/* merge-tables.c */
void pv_merge_maps_init (PvMerger *merger, const PvProfile *profile);
void pv_merge_maps_clear (PvMerger *merger);
PvModuleId pv_merge_module (PvMerger *merger, PvModuleId module);
PvProcessId pv_merge_process (PvMerger *merger, PvProcessId process);
PvThreadId pv_merge_thread (PvMerger *merger, PvThreadId thread);
/* Gives a copy of a row the strings and ids of the builder; rows in it are copied to the merger's
 * arena. */
void pv_merge_row (PvMerger *merger, PvProfileTable table, void *row);
uint32_t pv_merge_label_set (PvMerger *merger, uint32_t label_set);
uint32_t pv_merge_wait (PvMerger *merger, uint32_t wait);
void pv_merge_stacks (PvMerger *merger); /* all of them, into stack_of */

/* merge-distributions.c */
void pv_merge_distributions (PvMerger *merger, const PvProfile *profile, const char *name);
void pv_merge_add_distributions (PvMerger *merger);

/* merge-counters.c */
void pv_merge_counters (PvMerger *merger, const PvProfile *profile, const char *name);
/* Gives those that several files have the name of their file. */
void pv_merge_name_counters (PvMerger *merger);

/* merge-facts.c */
void pv_merge_facts (PvMerger *merger, const PvProfile *profile, const char *name);
void pv_merge_add_notes (PvMerger *merger);
