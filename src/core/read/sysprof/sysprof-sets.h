/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/base/array.h"
#include "core/read/sysprof/sysprof-places.h"

/*
 * The sets of samples that a capture becomes: samples, allocations, what was freed, and marks. Each
 * is made when it gets its first one.
 */
typedef struct {
    uint64_t size_bytes;
    PvThreadId thread;
    PvStackId stack;
} SysprofBlock;

typedef struct {
    bool exists;
    uint32_t id;
} SysprofSet;

typedef struct {
    PvProfileBuilder *builder;
    SysprofPlaces *places;
    SysprofSet samples, allocations, frees, marks;

    /* Columns of the frames of allocations, in the order of time. */
    PV_ARRAY (uint32_t) freed;  /* the one that this frees, + 1; 0: not known */
    PV_ARRAY (uint8_t) is_live; /* at the end */
    PV_ARRAY (SysprofBlock) blocks;
    PvHashMap block_of_address; /* by process and address: number + 1 */
    uint64_t n_unknown_frees;
} SysprofSets;

void sysprof_sets_init (SysprofSets *sets, PvProfileBuilder *builder, SysprofPlaces *places);
void sysprof_sets_clear (SysprofSets *sets);
uint64_t sysprof_sets_count_bytes (const SysprofSets *sets);

void sysprof_sets_add_sample (SysprofSets *sets, const SysprofFrame *frame,
                              const SysprofStack *stack);

/* First for all allocations in the order of time, to know which are freed; then again, in the same
 * order, to add them. */
void sysprof_sets_expect_allocation (SysprofSets *sets, const SysprofFrame *frame,
                                     const SysprofAllocation *allocation);
void sysprof_sets_add_allocation (SysprofSets *sets, const SysprofFrame *frame,
                                  const SysprofAllocation *allocation);

void sysprof_sets_add_mark (SysprofSets *sets, const SysprofFrame *frame, const SysprofMark *mark);
void sysprof_sets_add_log (SysprofSets *sets, const SysprofFrame *frame, const SysprofLog *log);

/* Decides what comes first; makes a set of samples if there is nothing else. */
void sysprof_sets_finish (SysprofSets *sets);
