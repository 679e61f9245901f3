/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Weighs the nodes of a shape: one pass over the samples finds each stack's weight, which goes to
 * the node at which the stack ends.
 */

#include "core/analyze/query/heap-weights.h"
#include "core/analyze/tree/call-tree-private.h"
#include "core/base/array.h"
#include "core/base/large.h"

enum { SAMPLES_PER_CHECK = 1 << 16 };

void
pv_raw_tree_clear (PvRawTree *raw)
{
    g_free (raw->parent);
    g_free (raw->self);
    g_free (raw->origin);
    g_free (raw->group);
    g_free (raw->representative);
    g_free (raw->counted);
    *raw = (PvRawTree){0};
}

static void
list_counted (PvRawTree *raw, const uint64_t *weight_of_stack, uint32_t n_stacks)
{
    PV_ARRAY (PvCountedStack) counted = {0};
    for (PvStackId s = 0; s < n_stacks; s++) {
        if (weight_of_stack[s] == 0)
            continue;
        PvCountedStack stack = {.stack = s, .weight = weight_of_stack[s]};
        pv_array_push (&counted, stack);
    }
    raw->n_counted = counted.len;
    raw->counted = g_renew (PvCountedStack, pv_array_steal (&counted), raw->n_counted);
}

/* The stack with most of a node's self weight represents it: its line is the one to show. */
static void
spread_stack_weights (PvRawTree *raw, const PvTreeShape *shape, const uint64_t *weight_of_stack)
{
    uint32_t n_stacks = shape->profile->n_stacks;
    g_autofree uint64_t *best_weight = NULL;
    if (shape->query.granularity == PV_BY_FUNCTION) {
        best_weight = pv_new0_large (uint64_t, shape->n_nodes);
        raw->representative = pv_new0_large (uint32_t, shape->n_nodes);
    }
    for (PvStackId s = 0; s < n_stacks; s++) {
        uint64_t weight = weight_of_stack[s];
        if (weight == 0)
            continue;
        uint32_t node = shape->position_of_stack[s];
        raw->self[node] += weight;
        if (best_weight != NULL && weight > best_weight[node]) {
            best_weight[node] = weight;
            raw->representative[node] = s;
        }
    }
}

static bool
weigh_samples (uint64_t *weight_of_stack, const PvProfile *profile, const PvTreeShape *shape,
               const PvFocus *focus, const PvQuery *query, PvKeptSamples *kept, PvJob *job)
{
    PvSampleFilter filter;
    pv_sample_filter_init (&filter, query, profile);
    bool is_cancelled = false;
    for (uint32_t i = filter.first; i < filter.last && !is_cancelled; i++) {
        weight_of_stack[filter.set->stack[i]] += pv_take_sample (&filter, shape, focus, i, kept);
        if (i % SAMPLES_PER_CHECK == 0)
            is_cancelled = pv_job_is_cancelled (job);
    }
    pv_sample_filter_clear (&filter);
    return !is_cancelled;
}

static bool
weigh_sites (uint64_t *weight_of_stack, const PvProfile *profile, const PvTreeShape *shape,
             const PvFocus *focus, const PvQuery *query, PvKeptSamples *kept, PvJob *job)
{
    const PvHeap *heap = profile->heap;
    PvSuppressedStacks *suppressed = NULL;
    if (shape != NULL && pv_profile_has_weights (profile, query->measure) &&
        profile->measures[query->measure].heap == PV_HEAP_LEAKED)
        suppressed = pv_tree_shape_get_suppressed (shape, query);
    g_autofree uint64_t *weight_of_site = pv_heap_weigh_query (
        profile, query, suppressed != NULL ? suppressed->is_suppressed : NULL, NULL, job);
    pv_suppressed_stacks_unref (suppressed);
    for (uint32_t s = 0; weight_of_site != NULL && s < heap->n_sites; s++) {
        PvStackId stack = heap->stack_of_site[s];
        if (weight_of_site[s] == 0 || pv_find_position (shape, focus, stack) == UINT32_MAX)
            continue;
        weight_of_stack[stack] += weight_of_site[s];
        kept->total += weight_of_site[s];
        kept->n_samples++;
    }
    /* A trace does not record whether stacks are complete. */
    kept->end_weights[PV_STACK_END_UNKNOWN] = kept->total;
    return weight_of_site != NULL;
}

uint64_t *
pv_weigh_stacks (const PvProfile *profile, const PvTreeShape *shape, const PvFocus *focus,
                 const PvQuery *query, PvKeptSamples *kept, PvJob *job, GError **error)
{
    g_assert (profile != NULL && query != NULL && kept != NULL);
    g_autofree uint64_t *weight_of_stack = pv_new0_large (uint64_t, MAX (profile->n_stacks, 1));
    bool is_done = profile->heap != NULL
                       ? weigh_sites (weight_of_stack, profile, shape, focus, query, kept, job)
                       : weigh_samples (weight_of_stack, profile, shape, focus, query, kept, job);
    if (is_done)
        return g_steal_pointer (&weight_of_stack);
    pv_job_check (job, error);
    return NULL;
}

uint64_t *
pv_weigh_subtrees (const PvProfile *profile, const PvFocus *focus, const PvQuery *query, PvJob *job,
                   GError **error)
{
    PvKeptSamples unused = {0};
    uint64_t *weight_of_stack = pv_weigh_stacks (profile, NULL, focus, query, &unused, job, error);
    if (weight_of_stack == NULL)
        return NULL;
    for (PvStackId s = profile->n_stacks; s-- > 1;)
        weight_of_stack[profile->parent_of_stack[s]] += weight_of_stack[s];
    return weight_of_stack;
}

bool
pv_raw_tree_weigh (PvRawTree *ret_raw, const PvTreeShape *shape, const PvFocus *focus,
                   const PvQuery *query, PvKeptSamples *ret_kept, PvJob *job, GError **error)
{
    const PvProfile *profile = shape->profile;
    PvKeptSamples kept = {0};
    g_autofree uint64_t *weight_of_stack =
        pv_weigh_stacks (profile, shape, focus, query, &kept, job, error);
    if (weight_of_stack == NULL)
        return false;
    PvRawTree raw = {.n_nodes = shape->n_nodes, .self = pv_new0_large (uint64_t, shape->n_nodes)};
    spread_stack_weights (&raw, shape, weight_of_stack);
    list_counted (&raw, weight_of_stack, profile->n_stacks);
    *ret_raw = raw;
    *ret_kept = kept;
    return true;
}
