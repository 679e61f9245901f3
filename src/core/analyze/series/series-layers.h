/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/series/series.h"
#include "core/analyze/tree/call-tree-private.h"
#include "core/analyze/tree/stack-walk.h"

/*
 * Chooses and fills the layers of a chart. Points and values come from heap-series.c or
 * dump-series.c.
 */

/* A function that may get a layer. */
typedef struct {
    PvFunctionId function;
    PvStackId stack; /* the heaviest one */
    double stack_weight;
    double weight;
} PvSeriesCandidate;

/* A series under construction. Each of the heaviest functions has a slot; two more slots follow,
 * for all others and for what the tree does not keep. */
typedef struct {
    PvSeries *series;
    const PvTreeShape *shape;
    const PvFocus *focus;
    PvStackReader *reader;
    PvJob *job;
    PvSeriesCandidate *candidates; /* heaviest first */
    uint32_t n_own;                /* slots for single functions */
    int64_t *values;               /* (n_own + 2) * n_points, owned by the series */
} PvSeriesBuild;

/* The function at which the stack ends; UINT32_MAX if the tree does not keep the stack. */
static inline PvFunctionId
pv_series_find_function (const PvSeriesBuild *build, PvStackId stack)
{
    PvStackFrame leaf;
    if (pv_find_position (build->shape, build->focus, stack) == UINT32_MAX)
        return UINT32_MAX;
    return pv_stack_reader_begin (build->reader, stack, &leaf) ? leaf.function : 0;
}

/* Allocates one candidate per function. */
void pv_series_begin_ranking (PvSeriesBuild *build);
/* Adds the weight of a stack that ends at the function. */
void pv_series_add_weight (PvSeriesBuild *build, PvFunctionId function, PvStackId stack,
                           double weight);
/* Gives the heaviest candidates their slots. */
void pv_series_end_ranking (PvSeriesBuild *build, uint32_t max_layers);
/* The slot of each function of the tree; free with g_free (). */
uint16_t *pv_series_make_slots (const PvSeriesBuild *build);

/* Allocates zeroed values, once points and slots are known. */
void pv_series_allocate_values (PvSeriesBuild *build);
/* Makes layers and totals from the values. If there is no room for a layer of all others, the
 * lightest layer becomes part of it. */
void pv_series_make_layers (PvSeriesBuild *build, uint32_t max_layers);
/* Makes one layer without a function, from the values of slot 0. */
void pv_series_make_single_layer (PvSeriesBuild *build);
void pv_series_sum_up (PvSeriesBuild *build);

/* A source of charts: a heap's history or a series of dumps. */
typedef struct {
    bool (*has_charts) (const PvProfile *profile);
    /* Fills points, layers and totals; false when cancelled. See pv_series_build (). */
    bool (*fill) (PvSeriesBuild *build, uint64_t start_ns, uint64_t end_ns, uint32_t max_layers,
                  uint32_t max_points);
} PvSeriesSource;

extern const PvSeriesSource pv_dump_series;
extern const PvSeriesSource pv_heap_series;
