/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Weights below a level of groups: samples, or stacks where these have a group, are sorted by
 * group, and each group gets a copy of the part of the shape that its stacks reach. Groups are
 * processed in parallel. A worker marks the nodes of a group in a bit set; the number of bits set
 * before a node, precomputed per word, is the position of its copy.
 */
#include <stdlib.h>

#include "core/analyze/tree/call-tree-private.h"
#include "core/analyze/tree/stack-walk.h"
#include "core/base/array.h"
#include "core/base/large.h"

enum { SAMPLES_PER_CHECK = 1 << 16, WORD_BITS = 64 };

typedef struct {
    uint32_t stack;
    uint32_t group; /* id */
    uint64_t weight;
} GroupSample;

typedef PV_ARRAY (GroupSample) GroupSampleArray;

static bool
gather_samples (GroupSampleArray *samples, const PvTreeShape *shape, const PvFocus *focus,
                const PvQuery *query, const PvTreeGroups *groups, PvKeptSamples *kept, PvJob *job,
                GError **error)
{
    PvSampleFilter filter;
    pv_sample_filter_init (&filter, query, shape->profile);
    bool is_cancelled = false;
    for (uint32_t i = filter.first; i < filter.last && !is_cancelled; i++) {
        uint64_t weight = pv_take_sample (&filter, shape, focus, i, kept);
        if (weight > 0) {
            uint32_t group = pv_tree_groups_find_by_sample (groups, filter.set, i);
            GroupSample sample = {filter.set->stack[i], group, weight};
            pv_array_push (samples, sample);
        }
        if (i % SAMPLES_PER_CHECK == 0)
            is_cancelled = !pv_job_check (job, error);
    }
    pv_sample_filter_clear (&filter);
    return !is_cancelled;
}

/* The group of a stack is that of its innermost kept frame; 0 without one. */
static bool
gather_stacks (GroupSampleArray *samples, PvTreeShape *shape, const PvFocus *focus,
               const PvQuery *query, const PvTreeGroups *groups, PvKeptSamples *kept, PvJob *job,
               GError **error)
{
    g_autofree uint64_t *weight_of_stack =
        pv_weigh_stacks (shape->profile, shape, focus, query, kept, job, error);
    g_autoptr (PvStackReader) reader =
        weight_of_stack != NULL ? pv_stack_reader_new_for_shape (shape, job) : NULL;
    if (reader == NULL)
        return pv_job_check (job, error);
    for (PvStackId s = 0; s < shape->profile->n_stacks; s++) {
        if (s % SAMPLES_PER_CHECK == 0 && !pv_job_check (job, error))
            return false;
        if (weight_of_stack[s] == 0)
            continue;
        PvStackFrame leaf;
        uint32_t group = pv_stack_reader_begin (reader, s, &leaf)
                             ? pv_tree_groups_find_by_leaf (groups, leaf.frame, leaf.function)
                             : 0;
        GroupSample sample = {s, group, weight_of_stack[s]};
        pv_array_push (samples, sample);
    }
    return true;
}

typedef struct {
    uint32_t id;
    size_t first; /* first sample */
    size_t n;
    PV_ARRAY (uint32_t) nodes; /* of the shape, reached by its stacks; sorted, without the root */
    uint32_t first_copy;
} Group;

static int
compare_groups (const void *a, const void *b, void *groups)
{
    return pv_tree_groups_compare (groups, ((const Group *)a)->id, ((const Group *)b)->id);
}

/* Sorts *samples by group. */
static Group *
make_groups (GroupSampleArray *samples, const PvTreeGroups *kinds, uint32_t *ret_n_groups)
{
    uint32_t n_ids = pv_tree_groups_count_ids (kinds);
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
        pv_array_push (&groups, group);
    }
    GroupSample *sorted = g_new (GroupSample, MAX (samples->len, 1));
    for (size_t i = 0; i < samples->len; i++)
        sorted[next[samples->data[i].group]++] = samples->data[i];
    g_free (samples->data);
    samples->data = sorted;
    samples->cap = MAX (samples->len, 1);
    if (groups.len > 1)
        qsort_r (groups.data, groups.len, sizeof (Group), compare_groups, (void *)kinds);
    *ret_n_groups = (uint32_t)groups.len;
    return groups.data;
}

static int
compare_ids (const void *a, const void *b)
{
    uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    return (left > right) - (left < right);
}

/* Adds up the samples of each stack, group by group: then each group's samples are one per stack,
 * sorted by stack. */
static void
merge_samples (GroupSample *samples, Group *groups, uint32_t n_groups, uint32_t n_stacks)
{
    g_autofree uint64_t *weight_of_stack = pv_new0_large (uint64_t, MAX (n_stacks, 1));
    PV_ARRAY (PvStackId) stacks = {0};
    for (uint32_t g = 0; g < n_groups; g++) {
        GroupSample *own = samples + groups[g].first;
        stacks.len = 0;
        for (size_t i = 0; i < groups[g].n; i++) {
            if (weight_of_stack[own[i].stack] == 0)
                pv_array_push (&stacks, own[i].stack);
            weight_of_stack[own[i].stack] += own[i].weight;
        }
        if (stacks.len > 1)
            qsort (stacks.data, stacks.len, sizeof (PvStackId), compare_ids);
        for (size_t i = 0; i < stacks.len; i++) {
            uint64_t *weight = &weight_of_stack[stacks.data[i]];
            own[i] = (GroupSample){stacks.data[i], groups[g].id, *weight};
            *weight = 0;
        }
        groups[g].n = stacks.len;
    }
    pv_array_clear (&stacks);
}

static void
list_counted (PvRawTree *raw, const GroupSample *samples, const Group *groups, uint32_t n_groups)
{
    size_t n = 0;
    for (uint32_t g = 0; g < n_groups; g++)
        n += groups[g].n;
    raw->counted = g_new (PvCountedStack, MAX (n, 1));
    for (uint32_t g = 0; g < n_groups; g++) {
        for (size_t i = groups[g].first; i < groups[g].first + groups[g].n; i++)
            raw->counted[raw->n_counted++] =
                (PvCountedStack){samples[i].stack, g, samples[i].weight};
    }
}

/* A worker's set of nodes. */
typedef struct {
    uint64_t *words;
    uint32_t *n_before; /* bits set before the word; only for words with bits */
} NodeSet;

typedef struct {
    const PvTreeShape *shape;
    GroupSample *samples;
    Group *groups;
    NodeSet *set_of_worker;
    PvRawTree raw;
    PvJob *job;
} GroupBuild;

static inline bool
add_to_set (NodeSet *set, uint32_t node)
{
    uint64_t bit = (uint64_t)1 << node % WORD_BITS;
    bool is_new = (set->words[node / WORD_BITS] & bit) == 0;
    set->words[node / WORD_BITS] |= bit;
    return is_new;
}

static inline uint32_t
count_before (const NodeSet *set, uint32_t node)
{
    uint64_t below = ((uint64_t)1 << node % WORD_BITS) - 1;
    return set->n_before[node / WORD_BITS] +
           (uint32_t)__builtin_popcountll (set->words[node / WORD_BITS] & below);
}

static void
empty_set (NodeSet *set, const Group *group)
{
    for (size_t i = 0; i < group->nodes.len; i++)
        set->words[group->nodes.data[i] / WORD_BITS] = 0;
}

static NodeSet *
get_set (GroupBuild *build, unsigned worker)
{
    NodeSet *set = &build->set_of_worker[worker];
    size_t n_words = build->shape->n_nodes / WORD_BITS + 1;
    if (set->words == NULL) {
        set->words = g_new0 (uint64_t, n_words);
        set->n_before = g_new0 (uint32_t, n_words);
    }
    return set;
}

/* Sorts by id. If a group reaches much of the shape, reads its nodes from the set instead. */
static void
sort_nodes (const GroupBuild *build, const NodeSet *set, Group *group)
{
    uint32_t n_words = build->shape->n_nodes / WORD_BITS + 1;
    if (group->nodes.len < n_words / 16) {
        if (group->nodes.len > 1)
            qsort (group->nodes.data, group->nodes.len, sizeof (uint32_t), compare_ids);
        return;
    }
    group->nodes.len = 0;
    for (uint32_t w = 0; w < n_words; w++) {
        for (uint64_t word = set->words[w]; word != 0; word &= word - 1)
            group->nodes.data[group->nodes.len++] =
                w * WORD_BITS + (uint32_t)__builtin_ctzll (word);
    }
}

static void
find_nodes (void *data, size_t item, unsigned worker)
{
    GroupBuild *build = data;
    const PvTreeShape *shape = build->shape;
    Group *group = &build->groups[item];
    NodeSet *set = get_set (build, worker);
    for (size_t i = group->first; i < group->first + group->n; i++) {
        uint32_t node = shape->position_of_stack[build->samples[i].stack];
        for (; node != 0 && add_to_set (set, node); node = shape->parent_of_node[node])
            pv_array_push (&group->nodes, node);
        if (i % SAMPLES_PER_CHECK == 0 && pv_job_is_cancelled (build->job))
            break;
    }
    sort_nodes (build, set, group);
    empty_set (set, group);
}

/* Copies the nodes found. In the shape, parents have lower ids, so sorted ids have parents first
 * and siblings adjacent, ordered by name. */
static void
copy_nodes (void *data, size_t item, unsigned worker)
{
    GroupBuild *build = data;
    const PvTreeShape *shape = build->shape;
    PvRawTree *raw = &build->raw;
    Group *group = &build->groups[item];
    NodeSet *set = get_set (build, worker);
    uint32_t own_node = 1 + (uint32_t)item;
    if (pv_job_is_cancelled (build->job))
        return;
    for (size_t i = 0; i < group->nodes.len; i++) {
        uint32_t node = group->nodes.data[i], copy = group->first_copy + (uint32_t)i;
        if (set->words[node / WORD_BITS] == 0)
            set->n_before[node / WORD_BITS] = copy;
        add_to_set (set, node);
        uint32_t parent = shape->parent_of_node[node];
        raw->parent[copy] = parent != 0 ? count_before (set, parent) : own_node;
        raw->origin[copy] = node;
        raw->self[copy] = 0;
    }
    for (size_t i = group->first; i < group->first + group->n; i++) {
        uint32_t node = shape->position_of_stack[build->samples[i].stack];
        raw->self[node != 0 ? count_before (set, node) : own_node] += build->samples[i].weight;
    }
    empty_set (set, group);
}

/* Allocates the root, the groups, and the copies of each group in sequence. */
static void
allocate_raw (GroupBuild *build, uint32_t n_groups)
{
    PvRawTree *raw = &build->raw;
    size_t n = 1 + (size_t)n_groups;
    for (uint32_t g = 0; g < n_groups; g++) {
        build->groups[g].first_copy = (uint32_t)n;
        n += build->groups[g].nodes.len;
    }
    raw->n_nodes = (uint32_t)n;
    raw->parent = pv_new_large (uint32_t, n);
    raw->self = pv_new_large (uint64_t, n);
    raw->origin = pv_new_large (uint32_t, n);
    raw->group = g_new0 (uint32_t, 1 + (size_t)n_groups);
    raw->parent[0] = UINT32_MAX;
    raw->self[0] = raw->origin[0] = 0;
    for (uint32_t g = 0; g < n_groups; g++) {
        raw->parent[1 + g] = 0;
        raw->self[1 + g] = 0;
        raw->origin[1 + g] = PV_ORIGIN_GROUP;
        raw->group[1 + g] = build->groups[g].id;
    }
}

static bool
build_groups (GroupBuild *build, uint32_t n_groups, PvPool *pool, GError **error)
{
    unsigned n_workers = pv_pool_get_size (pool);
    build->set_of_worker = g_new0 (NodeSet, n_workers);
    pv_pool_run (pool, n_groups, find_nodes, build);
    bool is_done = pv_job_check (build->job, error);
    if (is_done) {
        allocate_raw (build, n_groups);
        pv_pool_run (pool, n_groups, copy_nodes, build);
        is_done = pv_job_check (build->job, error);
    }
    for (uint32_t g = 0; g < n_groups; g++)
        pv_array_clear (&build->groups[g].nodes);
    for (unsigned w = 0; w < n_workers; w++) {
        g_free (build->set_of_worker[w].words);
        g_free (build->set_of_worker[w].n_before);
    }
    g_free (build->set_of_worker);
    return is_done;
}

bool
pv_raw_tree_weigh_groups (PvRawTree *ret_raw, PvTreeShape *shape, const PvFocus *focus,
                          const PvQuery *query, const PvTreeGroups *kinds, PvKeptSamples *ret_kept,
                          uint32_t **ret_groups, uint32_t *ret_n_groups, PvPool *pool, PvJob *job,
                          GError **error)
{
    GroupSampleArray samples = {0};
    PvKeptSamples kept = {0};
    bool is_gathered =
        pv_tree_groups_are_of_stacks (kinds)
            ? gather_stacks (&samples, shape, focus, query, kinds, &kept, job, error)
            : gather_samples (&samples, shape, focus, query, kinds, &kept, job, error);
    if (!is_gathered) {
        pv_array_clear (&samples);
        return false;
    }
    uint32_t n_groups = 0;
    g_autofree Group *groups = make_groups (&samples, kinds, &n_groups);
    GroupBuild build = {.shape = shape, .samples = samples.data, .groups = groups, .job = job};
    merge_samples (samples.data, groups, n_groups, shape->profile->n_stacks);
    list_counted (&build.raw, samples.data, groups, n_groups);
    bool is_done = build_groups (&build, n_groups, pool, error);
    pv_array_clear (&samples);
    if (!is_done) {
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
