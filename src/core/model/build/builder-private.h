/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/base/idmap.h"
#include "core/model/build/builder.h"
#include "core/model/build/losses.h"
#include "core/model/profile/store.h"
#include "core/model/profile/symbols.h"

/*
 * Declarations shared by the files of the builder: builder.c (tables), builder-samples.c and
 * builder-publish.c (snapshots).
 */

/* One column of weights. While all are equal, only that number is stored. */
typedef struct {
    PvStoreColumn weights;
    uint64_t uniform;
    bool is_uniform;
} PvWeightColumn;

typedef struct {
    const char *name;
    bool is_hidden_if_empty;
    bool is_derived;
    bool is_exact;
    bool has_durations;
    bool has_wide_times;
    uint32_t n_samples;
    uint32_t n_published; /* samples that snapshots have seen stay where they are */
    /* See PvSampleSet: either time_ns or the other two are empty, and the same for contexts. */
    PvStoreColumn time_ns;
    PvStoreColumn time_base_ns;
    PvStoreColumn time_offset_ns;
    PvStoreColumn context;
    PvStoreColumn wide_context;
    PvStoreColumn contexts;
    PvIdMap context_ids; /* of thread, processor and end -> index in contexts + 1 */
    PvStoreColumn stack;
    PvStoreColumn duration_ns;
    PvStoreColumn label_set; /* empty as long as no sample has labels */
    PvFields *fields;        /* in the store; NULL: none */
    PvStoreColumn record;    /* empty as long as no sample has one */
    PvStoreColumn end_of_record;
    PvStoreColumn record_bytes;
    PvStoreColumn wait; /* empty as long as nothing is known of any */
    PV_ARRAY (PvWeightColumn) weights;
    PV_ARRAY (PvMeasure) measures; /* their set field is filled in by the snapshot */
    const PvTimeBlocks *blocks;    /* in the store; NULL: none */
    uint64_t latest_ns;
    bool is_unordered;
    bool is_stuck; /* unordered, and snapshots have seen samples that would have to move */
} PvSetBuilder;

#define PV_LIST_BY_NAME(id, name, T) T##List name;

struct PvProfileBuilder {
    PvStore *store;
    PvFacts facts;
    uint64_t n_lost;
    uint64_t n_skipped;

    /* As in a profile. The memory that rows point to is in the store. */
    union {
        PvRowList tables[PV_N_PROFILE_TABLES];
        struct {
            PV_PROFILE_TABLES (PV_LIST_BY_NAME)
        };
    };
    PvModuleId unknown_modules[2]; /* of programs, of the kernel; 0: not made yet */
    PvStoreColumn module_of_location;
    PvStoreColumn address_of_location;
    PvStoreColumn kind_of_location;
    PvStoreColumn given_of_location;
    PvStoreColumn given_frames;
    PvHashMap location_ids; /* of (address, module and kind), mixed */
    PvStoreColumn parent_of_stack;
    PvStoreColumn location_of_stack;
    PvIdMap stack_ids; /* of parent << 32 | location; not of those that are ONLY_CHILD */
    PvStoreColumn recent_child_of_stack;
    PvHashMap chain_ids; /* of a hash over the locations */
    PV_ARRAY (PvSetBuilder) sets;
    uint32_t preferred_set;
    uint32_t preferred_measure;
    uint32_t n_pairs;
    PvCompared *compared; /* in the store; NULL: none */
    PvJoinedFile *joined; /* in the store */
    uint32_t n_joined;
    PvKnownCalls *known_calls;   /* in the store; NULL: none */
    PvSymbolTable *packed_names; /* in the store; NULL: none */
    PvHashMap label_set_ids;     /* of a hash over its labels */
    PV_ARRAY (uint32_t) first_label_of_set;
    uint64_t n_record_bytes; /* of all sets */
    PvHashMap wait_ids;      /* of a hash over its members */
    bool has_dump_times;
    const char *drop_frames;
    const char *keep_frames;
    bool is_of_allocations;
    PvHeap *heap; /* NULL: samples */
};

static_assert (offsetof (PvProfileBuilder, notes.len) ==
                   offsetof (PvProfileBuilder, tables[PV_PROFILE_NOTES].len),
               "tables have the same place by name and by id");

void pv_set_builder_clear (PvSetBuilder *set);
/* Gives every sample 64 bits for its time, in time_ns. */
void pv_set_builder_widen_times (PvSetBuilder *set);
