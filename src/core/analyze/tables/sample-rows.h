/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "core/analyze/query/query.h"
#include "core/base/job.h"

/*
 * What a query leaves of a profile, sample by sample, for formats that keep samples: those with the
 * same frames, thread and labels are one row, with what it weighs by every measure. What a row
 * weighs by a measure is what the tree of that measure would be given by it. Grouping, direction
 * and granularity of the query have no meaning here: frames are as exact as they are known.
 *
 * Frames are given as a tree of nodes, 0 the root without a frame: the stacks of the profile where
 * the query leaves frames alone, else what it makes of them. Holds profile and symbols; one thread
 * at a time.
 */
typedef struct PvSampleRows PvSampleRows;

/* Neighbouring frames of one location, innermost first: its whole chain where nothing was taken
 * out. location is 0 for a frame that stands for several, a merged module. */
typedef struct {
    PvLocationId location;
    const PvFrame *frames; /* valid until the next call */
    uint32_t n_frames;
} PvLocationFrames;

typedef struct {
    uint32_t node;
    PvThreadId thread; /* one of those with the same names and ids; 0: unknown */
    uint32_t label_set;
    const uint64_t *weights; /* one for each measure of the profile; valid until the next call */
} PvSampleRow;

/* NULL when cancelled or when an expression is wrong. */
PvSampleRows *pv_sample_rows_new (const PvProfile *profile, const PvSymbolTable *symbols,
                                  const PvQuery *query, PvJob *job, GError **error);
void pv_sample_rows_free (PvSampleRows *rows);

/* The given table, or with merged modules one that has more functions. */
const PvSymbolTable *pv_sample_rows_get_symbols (const PvSampleRows *rows);
uint32_t pv_sample_rows_count_nodes (const PvSampleRows *rows);

/* The frames of a node, not the root, and the ones outside of them that belong to the same place.
 * Returns the next node outwards. */
uint32_t pv_sample_rows_get_frames (PvSampleRows *rows, uint32_t node, PvLocationFrames *ret_place);

/* The next row, in an order that is always the same; rows that weigh nothing are left out. False at
 * the end. */
bool pv_sample_rows_next (PvSampleRows *rows, PvSampleRow *ret_row);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvSampleRows, pv_sample_rows_free)
