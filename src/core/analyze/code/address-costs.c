/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/code/address-costs.h"

#include "core/analyze/tree/stack-walk.h"

typedef struct {
    const PvProfile *profile;
    const uint32_t *row_of_location;
    uint32_t n_rows;
    PvAddressCost *costs;
    uint32_t *depths; /* by row: how often it is on the current path */
} Gather;

static void
enter_frame (void *data, PvStackFrame *path, size_t depth)
{
    Gather *gather = data;
    PvLocationId location = gather->profile->location_of_stack[path[depth].stack];
    uint32_t row = gather->row_of_location[location];
    g_assert (row < gather->n_rows);
    path[depth].mark = row;
    gather->depths[row]++;
}

static void
leave_frame (void *data, PvStackFrame *path, size_t depth)
{
    Gather *gather = data;
    const PvStackFrame *frame = &path[depth];
    PvAddressCost *cost = &gather->costs[frame->mark];
    cost->self += frame->self;
    if (--gather->depths[frame->mark] == 0)
        cost->total += frame->total;
}

PvAddressCost *
pv_address_costs_build (const PvCallTree *tree, const uint32_t *row_of_location, uint32_t n_rows,
                        const bool *is_wanted, PvJob *job)
{
    g_assert (tree != NULL && row_of_location != NULL && is_wanted != NULL && n_rows > 0);

    static const PvStackVisitor visitor = {enter_frame, leave_frame, NULL, NULL};
    g_autofree PvAddressCost *costs = g_new0 (PvAddressCost, n_rows);
    g_autofree uint32_t *depths = g_new0 (uint32_t, n_rows);
    Gather gather = {tree->profile, row_of_location, n_rows, costs, depths};
    if (!pv_stack_walk_through (tree, is_wanted, &visitor, &gather, job))
        return NULL;
    return g_steal_pointer (&costs);
}
