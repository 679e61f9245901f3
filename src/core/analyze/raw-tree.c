/*
 * Weights for the nodes of a shape: one pass over the samples gives a weight to each stack, and the
 * stack gives it to the node it ends at.
 */

#include "core/analyze/call-tree-private.h"
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
    g_free (raw->node_of_stack);
    *raw = (PvRawTree){0};
}

/* The stack that brings a node most of its own weight stands for it: its line is the one to show.
 */
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

bool
pv_raw_tree_weigh (PvRawTree *ret_raw, const PvTreeShape *shape, const PvFocus *focus,
                   const PvQuery *query, PvKeptSamples *ret_kept, PvJob *job, GError **error)
{
    PvSampleFilter filter;
    pv_sample_filter_init (&filter, query, shape->profile);
    g_autofree uint64_t *weight_of_stack =
        pv_new0_large (uint64_t, MAX (shape->profile->n_stacks, 1));
    PvKeptSamples kept = {0};
    bool is_cancelled = false;
    for (uint32_t i = filter.first; i < filter.last && !is_cancelled; i++) {
        weight_of_stack[filter.set->stack[i]] += pv_take_sample (&filter, shape, focus, i, &kept);
        if (i % SAMPLES_PER_CHECK == 0)
            is_cancelled = !pv_job_check (job, error);
    }
    pv_sample_filter_clear (&filter);
    if (is_cancelled)
        return false;
    PvRawTree raw = {.n_nodes = shape->n_nodes, .self = pv_new0_large (uint64_t, shape->n_nodes)};
    spread_stack_weights (&raw, shape, weight_of_stack);
    *ret_raw = raw;
    *ret_kept = kept;
    return true;
}
