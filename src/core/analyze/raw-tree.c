/*
 * Weights for the nodes of a shape: one pass over the samples gives a weight to each stack, and the
 * stack gives it to the node it ends at. With grouping, the samples are first dealt out by process
 * or thread, and each group gets a copy of that part of the shape that its stacks reach.
 */
#include <stdlib.h>
#include <string.h>

#include "core/analyze/call-tree-private.h"
#include "core/base/array.h"

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

/* The weight of one sample if the tree keeps it, else 0; counts it. */
static inline uint64_t
take_sample (const PvSampleFilter *filter, const PvTreeShape *shape, const PvFocus *focus,
             uint32_t sample, PvKeptSamples *kept)
{
    if (pv_find_position (shape, focus, filter->set->stack[sample]) == UINT32_MAX)
        return 0;
    uint64_t weight = pv_sample_filter_weigh (filter, sample, kept->total);
    if (weight == 0)
        return 0;
    kept->total += weight;
    kept->n_samples++;
    kept->end_weights[filter->set->stack_end[sample] % PV_N_STACK_ENDS] += weight;
    return weight;
}

/* The stack that brings a node most of its own weight stands for it: its line is the one to show.
 */
static void
spread_stack_weights (PvRawTree *raw, const PvTreeShape *shape, const uint64_t *weight_of_stack)
{
    uint32_t n_stacks = shape->profile->n_stacks;
    g_autofree uint64_t *best_weight = NULL;
    if (shape->query.granularity == PV_BY_FUNCTION) {
        best_weight = g_new0 (uint64_t, shape->n_nodes);
        raw->representative = g_new0 (uint32_t, shape->n_nodes);
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
    g_autofree uint64_t *weight_of_stack = g_new0 (uint64_t, MAX (shape->profile->n_stacks, 1));
    PvKeptSamples kept = {0};
    bool is_cancelled = false;
    for (uint32_t i = filter.first; i < filter.last && !is_cancelled; i++) {
        weight_of_stack[filter.set->stack[i]] += take_sample (&filter, shape, focus, i, &kept);
        if (i % SAMPLES_PER_CHECK == 0)
            is_cancelled = !pv_job_check (job, error);
    }
    pv_sample_filter_clear (&filter);
    if (is_cancelled)
        return false;
    PvRawTree raw = {.n_nodes = shape->n_nodes, .self = g_new0 (uint64_t, shape->n_nodes)};
    spread_stack_weights (&raw, shape, weight_of_stack);
    *ret_raw = raw;
    *ret_kept = kept;
    return true;
}

/* --- groups --- */

typedef struct {
    const PvTreeShape *shape;
    PvRawTree raw;
    size_t cap;
    uint32_t *copy_of_node; /* of the current group; 0: none yet */
    PV_ARRAY (uint32_t) touched;
} GroupBuild;

typedef struct {
    uint32_t stack;
    uint32_t group;
    uint64_t weight;
} GroupSample;

typedef PV_ARRAY (GroupSample) GroupSampleArray;

static uint32_t
add_raw_node (GroupBuild *build, uint32_t parent, uint32_t origin, uint32_t group)
{
    PvRawTree *raw = &build->raw;
    if (raw->n_nodes == build->cap) {
        size_t cap = build->cap;
        raw->parent = pv_array_grow (raw->parent, &cap, raw->n_nodes + 1, sizeof (uint32_t));
        raw->self = g_renew (uint64_t, raw->self, cap);
        raw->origin = g_renew (uint32_t, raw->origin, cap);
        raw->group = g_renew (uint32_t, raw->group, cap);
        build->cap = cap;
    }
    uint32_t node = raw->n_nodes++;
    raw->parent[node] = parent;
    raw->self[node] = 0;
    raw->origin[node] = origin;
    raw->group[node] = group;
    return node;
}

static int
compare_ids (const void *a, const void *b)
{
    uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    return (left > right) - (left < right);
}

/* By id. A group that reaches a good part of the shape is read off the marks instead. */
static void
sort_touched (GroupBuild *build)
{
    uint32_t n_nodes = build->shape->n_nodes;
    if (build->touched.len > n_nodes / 32) {
        build->touched.len = 0;
        for (uint32_t node = 1; node < n_nodes; node++) {
            if (build->copy_of_node[node] != 0)
                build->touched.data[build->touched.len++] = node;
        }
    } else if (build->touched.len > 1) {
        qsort (build->touched.data, build->touched.len, sizeof (uint32_t), compare_ids);
    }
}

/* Copies the nodes that the group's stacks reach. In the shape parents have lower ids, so sorted
 * ids are parents first and siblings stay ordered by name. */
static void
copy_group (GroupBuild *build, uint32_t group_node, const GroupSample *samples, size_t n_samples)
{
    const PvTreeShape *shape = build->shape;
    build->touched.len = 0;
    for (size_t i = 0; i < n_samples; i++) {
        uint32_t node = shape->position_of_stack[samples[i].stack];
        for (; node != 0 && build->copy_of_node[node] == 0; node = shape->parent_of_node[node]) {
            build->copy_of_node[node] = UINT32_MAX;
            pv_array_push (&build->touched, node);
        }
    }
    sort_touched (build);
    build->copy_of_node[0] = group_node;
    for (size_t i = 0; i < build->touched.len; i++) {
        uint32_t node = build->touched.data[i];
        uint32_t parent = build->copy_of_node[shape->parent_of_node[node]];
        build->copy_of_node[node] = add_raw_node (build, parent, node, 0);
    }
    for (size_t i = 0; i < n_samples; i++) {
        uint32_t copy = build->copy_of_node[shape->position_of_stack[samples[i].stack]];
        build->raw.self[copy] += samples[i].weight;
        build->raw.node_of_stack[samples[i].stack] = copy;
    }
    for (size_t i = 0; i < build->touched.len; i++)
        build->copy_of_node[build->touched.data[i]] = 0;
}

static uint32_t
group_of_sample (const PvProfile *profile, const PvSampleSet *set, uint32_t sample,
                 PvGrouping grouping)
{
    PvThreadId thread = set->thread[sample];
    return grouping == PV_GROUP_THREAD ? thread : profile->threads[thread].process;
}

static bool
gather_samples (GroupSampleArray *samples, const PvTreeShape *shape, const PvFocus *focus,
                const PvQuery *query, PvKeptSamples *kept, PvJob *job, GError **error)
{
    PvSampleFilter filter;
    pv_sample_filter_init (&filter, query, shape->profile);
    bool is_cancelled = false;
    for (uint32_t i = filter.first; i < filter.last && !is_cancelled; i++) {
        uint64_t weight = take_sample (&filter, shape, focus, i, kept);
        if (weight > 0) {
            uint32_t group = group_of_sample (shape->profile, filter.set, i, query->grouping);
            GroupSample sample = {filter.set->stack[i], group, weight};
            pv_array_push (samples, sample);
        }
        if (i % SAMPLES_PER_CHECK == 0)
            is_cancelled = !pv_job_check (job, error);
    }
    pv_sample_filter_clear (&filter);
    return !is_cancelled;
}

typedef struct {
    const char *name;
    int32_t number; /* pid or tid */
    uint32_t id;
    size_t first; /* samples */
    size_t n;
} Group;

static int
compare_groups (const void *a, const void *b)
{
    const Group *left = a, *right = b;
    int order = g_strcmp0 (left->name, right->name);
    if (order == 0)
        order = (left->number > right->number) - (left->number < right->number);
    return order != 0 ? order : (left->id > right->id) - (left->id < right->id);
}

/* Deals the samples out: *samples is sorted by group afterwards. */
static Group *
make_groups (GroupSampleArray *samples, const PvProfile *profile, PvGrouping grouping,
             uint32_t *ret_n_groups)
{
    uint32_t n_ids = grouping == PV_GROUP_THREAD ? profile->n_threads : profile->n_processes;
    g_autofree size_t *next = g_new0 (size_t, (size_t)n_ids + 1);
    for (size_t i = 0; i < samples->len; i++)
        next[samples->data[i].group + 1]++;
    PV_ARRAY (Group) groups = {0};
    for (uint32_t id = 0; id < n_ids; id++) {
        size_t n = next[id + 1];
        next[id + 1] += next[id];
        if (n == 0)
            continue;
        Group group = {.id = id, .first = next[id], .n = n};
        if (grouping == PV_GROUP_THREAD) {
            group.name = profile->threads[id].name;
            group.number = profile->threads[id].tid;
        } else {
            group.name = profile->processes[id].name;
            group.number = profile->processes[id].pid;
        }
        pv_array_push (&groups, group);
    }
    GroupSample *sorted = g_new (GroupSample, MAX (samples->len, 1));
    for (size_t i = 0; i < samples->len; i++)
        sorted[next[samples->data[i].group]++] = samples->data[i];
    g_free (samples->data);
    samples->data = sorted;
    samples->cap = MAX (samples->len, 1);
    if (groups.len > 1)
        qsort (groups.data, groups.len, sizeof (Group), compare_groups);
    *ret_n_groups = (uint32_t)groups.len;
    return groups.data;
}

bool
pv_raw_tree_weigh_groups (PvRawTree *ret_raw, const PvTreeShape *shape, const PvFocus *focus,
                          const PvQuery *query, PvKeptSamples *ret_kept, uint32_t **ret_groups,
                          uint32_t *ret_n_groups, PvJob *job, GError **error)
{
    GroupSampleArray samples = {0};
    PvKeptSamples kept = {0};
    if (!gather_samples (&samples, shape, focus, query, &kept, job, error)) {
        pv_array_clear (&samples);
        return false;
    }
    uint32_t n_groups = 0;
    g_autofree Group *groups = make_groups (&samples, shape->profile, query->grouping, &n_groups);
    GroupBuild build = {.shape = shape};
    uint32_t n_stacks = MAX (shape->profile->n_stacks, 1);
    build.raw.node_of_stack = g_new (uint32_t, n_stacks);
    memset (build.raw.node_of_stack, 0xff, n_stacks * sizeof (uint32_t));
    build.copy_of_node = g_new0 (uint32_t, shape->n_nodes);
    add_raw_node (&build, UINT32_MAX, 0, 0);
    bool is_cancelled = false;
    for (uint32_t g = 0; g < n_groups && !is_cancelled; g++) {
        uint32_t node = add_raw_node (&build, 0, PV_ORIGIN_GROUP, groups[g].id);
        copy_group (&build, node, samples.data + groups[g].first, groups[g].n);
        is_cancelled = !pv_job_check (job, error);
    }
    pv_array_clear (&samples);
    pv_array_clear (&build.touched);
    g_free (build.copy_of_node);
    if (is_cancelled) {
        pv_raw_tree_clear (&build.raw);
        return false;
    }
    uint32_t *ids = g_new (uint32_t, MAX (n_groups, 1));
    for (uint32_t g = 0; g < n_groups; g++)
        ids[g] = groups[g].id;
    *ret_raw = build.raw;
    *ret_kept = kept;
    *ret_groups = ids;
    *ret_n_groups = n_groups;
    return true;
}
