/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "core/analyze/query/query.h"
#include "core/base/job.h"

/*
 * The samples that a query keeps, for formats that store samples: samples with the same frames,
 * thread and labels are one row with a weight per measure, the same weight that they add to that
 * measure's tree. Ignores the query's grouping, direction and granularity: frames are as exact as
 * known.
 *
 * Frames form a tree of nodes; node 0 is the root and has no frame. Nodes are the stacks of the
 * profile, or what the query's transforms make of them. Holds references to profile and symbols;
 * one thread at a time.
 */
typedef struct PvSampleRows PvSampleRows;

/* Adjacent frames of one location, innermost first: its whole chain unless some were removed.
 * location is 0 for the frame of a merged module, which stands for several. */
typedef struct {
    PvLocationId location;
    const PvFrame *frames; /* valid until the next call */
    uint32_t n_frames;
} PvLocationFrames;

typedef struct {
    uint32_t node;
    PvThreadId thread; /* one of the threads with the same names and ids; 0: unknown */
    uint32_t label_set;
    const uint64_t *weights; /* one per measure of the profile; valid until the next call */
} PvSampleRow;

/* NULL when cancelled or if an expression is invalid. */
PvSampleRows *pv_sample_rows_new (const PvProfile *profile, const PvSymbolTable *symbols,
                                  const PvQuery *query, PvJob *job, GError **error);
void pv_sample_rows_free (PvSampleRows *rows);

/* The table passed in, or one with more functions if there are merged modules. */
const PvSymbolTable *pv_sample_rows_get_symbols (const PvSampleRows *rows);
uint32_t pv_sample_rows_count_nodes (const PvSampleRows *rows);

/* The frame of a node other than the root, with the enclosing frames of the same location. Returns
 * the next node outwards. */
uint32_t pv_sample_rows_get_frames (PvSampleRows *rows, uint32_t node, PvLocationFrames *ret_place);

/* The next row, always in the same order; skips rows without weight. False at the end. */
bool pv_sample_rows_next (PvSampleRows *rows, PvSampleRow *ret_row);

/* A sample as it is, for formats that keep times. */
typedef struct {
    uint32_t node;
    PvThreadId thread; /* as in PvSampleRow */
    uint64_t time_ns;  /* 0: unknown */
    uint64_t weight;   /* above 0 */
} PvSingleSample;

/* The samples of the query's measure one by one instead of rows: by thread, and by time within a
 * thread. The measure must have a set. NULL as above. pv_sample_rows_next () does not apply. */
PvSampleRows *pv_sample_rows_new_single (const PvProfile *profile, const PvSymbolTable *symbols,
                                         const PvQuery *query, PvJob *job, GError **error);
uint32_t pv_sample_rows_count_singles (const PvSampleRows *rows);
PvSingleSample pv_sample_rows_get_single (const PvSampleRows *rows, uint32_t i);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvSampleRows, pv_sample_rows_free)
