/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/tables/measure-sums.h"

#include "core/analyze/tables/child-index.h"
#include "core/analyze/tree/call-tree-private.h"
#include "core/analyze/tree/stack-walk.h"
#include "core/base/array.h"
#include "core/base/large.h"

enum { SAMPLES_PER_CHECK = 1 << 16, STACKS_PER_CHECK = 1 << 14 };

PvMeasureSums *
pv_measure_sums_new (const PvMeasureId *measures, uint32_t n_measures, uint32_t n_rows)
{
    g_assert (measures != NULL || n_measures == 0);
    PvMeasureSums *sums = g_new0 (PvMeasureSums, 1);
    sums->n_rows = n_rows;
    sums->n_columns = n_measures;
    sums->columns = g_new0 (PvMeasureColumn, MAX (n_measures, 1));
    for (uint32_t i = 0; i < n_measures; i++) {
        sums->columns[i].measure = measures[i];
        sums->columns[i].self = pv_new0_large (uint64_t, MAX (n_rows, 1));
        sums->columns[i].total = pv_new0_large (uint64_t, MAX (n_rows, 1));
    }
    return sums;
}

/* The tree's own query, for a measure. */
static void
init_query (PvQuery *query, const PvCallTree *tree, PvMeasureId measure)
{
    pv_query_copy (query, &tree->query);
    if (measure != PV_MEASURE_SAMPLES)
        query->measure = measure;
}

/* Samples one by one */

/* Calls add, which may be NULL, with each sample that the tree keeps; false when cancelled. */
typedef void (*AddFunc) (void *data, const PvSampleSet *set, uint32_t sample, uint64_t weight);

static bool
take_samples (const PvCallTree *tree, PvMeasureId measure, uint64_t *ret_whole, AddFunc add,
              void *user, PvJob *job)
{
    const PvCallTreeData *data = pv_call_tree_data (tree);
    g_auto (PvQuery) query;
    PvSampleFilter filter;
    PvKeptSamples kept = {0};
    bool is_cancelled = false;
    init_query (&query, tree, measure);
    pv_sample_filter_init (&filter, &query, tree->profile);
    for (uint32_t i = filter.first; i < filter.last && !is_cancelled; i++) {
        uint64_t weight = pv_take_sample (&filter, data->shape, data->focus, i, &kept);
        if (weight > 0 && add != NULL)
            add (user, filter.set, i, measure == PV_MEASURE_SAMPLES ? 1 : weight);
        if (i % SAMPLES_PER_CHECK == 0)
            is_cancelled = pv_job_is_cancelled (job);
    }
    pv_sample_filter_clear (&filter);
    *ret_whole = measure == PV_MEASURE_SAMPLES ? kept.n_samples : kept.total;
    return !is_cancelled;
}

static void
add_to_stack (void *data, const PvSampleSet *set, uint32_t sample, uint64_t weight)
{
    uint64_t *weight_of_stack = data;
    weight_of_stack[set->stack[sample]] += weight;
}

uint64_t *
pv_measure_weigh_stacks (const PvCallTree *tree, PvMeasureId measure, uint64_t *ret_whole,
                         PvJob *job)
{
    g_assert (tree != NULL && ret_whole != NULL);
    const PvCallTreeData *data = pv_call_tree_data (tree);
    if (measure == PV_MEASURE_SAMPLES) {
        g_autofree uint64_t *weight_of_stack =
            pv_new0_large (uint64_t, MAX (tree->profile->n_stacks, 1));
        return take_samples (tree, measure, ret_whole, add_to_stack, weight_of_stack, job)
                   ? g_steal_pointer (&weight_of_stack)
                   : NULL;
    }
    g_auto (PvQuery) query;
    PvKeptSamples kept = {0};
    init_query (&query, tree, measure);
    uint64_t *weight_of_stack =
        pv_weigh_stacks (tree->profile, data->shape, data->focus, &query, &kept, job, NULL);
    *ret_whole = kept.total;
    return weight_of_stack;
}

bool
pv_measure_find_whole (const PvCallTree *tree, PvMeasureId measure, uint64_t *ret_whole, PvJob *job)
{
    g_assert (tree != NULL && pv_profile_has_weights (tree->profile, measure));
    g_assert (ret_whole != NULL);
    if (tree->profile->heap == NULL)
        return take_samples (tree, measure, ret_whole, NULL, NULL, job);
    g_autofree uint64_t *of_stacks = pv_measure_weigh_stacks (tree, measure, ret_whole, job);
    return of_stacks != NULL;
}

bool
pv_stack_weights_init (PvStackWeights *weights, const PvCallTree *tree, const PvMeasureId *measures,
                       uint32_t n_measures, PvJob *job)
{
    g_assert (weights != NULL && tree != NULL && (measures != NULL || n_measures == 0));
    PV_ARRAY (PvStackId) stacks = {0};
    *weights = (PvStackWeights){.n_measures = n_measures};
    weights->whole = g_new0 (uint64_t, MAX (n_measures, 1));
    weights->of_stack = g_new0 (uint64_t *, MAX (n_measures, 1));
    for (uint32_t m = 0; m < n_measures; m++) {
        weights->of_stack[m] = pv_measure_weigh_stacks (tree, measures[m], &weights->whole[m], job);
        if (weights->of_stack[m] == NULL)
            return false;
    }
    for (PvStackId s = 0; s < tree->profile->n_stacks; s++) {
        bool has_weight = false;
        for (uint32_t m = 0; m < n_measures && !has_weight; m++)
            has_weight = weights->of_stack[m][s] > 0;
        if (has_weight)
            pv_array_push (&stacks, s);
    }
    weights->n_stacks = stacks.len;
    weights->stacks = stacks.data;
    return true;
}

void
pv_stack_weights_clear (PvStackWeights *weights)
{
    for (uint32_t m = 0; m < weights->n_measures; m++)
        g_free (weights->of_stack[m]);
    g_free (weights->of_stack);
    g_free (weights->whole);
    g_free (weights->stacks);
}

/* By function */

/* A frame on the path has n numbers of either kind, one per measure. */
typedef struct {
    PvMeasureSums *sums;
    uint32_t n; /* measures */
    PvStackWeights weights;
    PV_ARRAY (uint64_t) self;
    PV_ARRAY (uint64_t) total;
    uint32_t *depth; /* how often each function is on the path */
} Adding;

static void
enter_frame (void *data, PvStackFrame *path, size_t depth)
{
    Adding *adding = data;
    size_t end = (depth + 1) * adding->n;
    pv_array_resize (&adding->self, end);
    pv_array_resize (&adding->total, end);
    for (size_t i = depth * adding->n; i < end; i++)
        adding->self.data[i] = adding->total.data[i] = 0;
    adding->depth[path[depth].function]++;
}

static void
count_stack (void *data, PvStackFrame *path, size_t depth, PvStackId stack)
{
    Adding *adding = data;
    (void)path;
    for (uint32_t m = 0; m < adding->n; m++) {
        uint64_t weight = adding->weights.of_stack[m][stack];
        adding->self.data[depth * adding->n + m] += weight;
        adding->total.data[depth * adding->n + m] += weight;
    }
}

static void
leave_frame (void *data, PvStackFrame *path, size_t depth)
{
    Adding *adding = data;
    PvFunctionId function = path[depth].function;
    bool is_outermost = --adding->depth[function] == 0;
    for (uint32_t m = 0; m < adding->n; m++) {
        PvMeasureColumn *column = &adding->sums->columns[m];
        size_t own = depth * adding->n + m;
        column->self[function] += adding->self.data[own];
        if (is_outermost)
            column->total[function] += adding->total.data[own];
        if (depth > 0)
            adding->total.data[own - adding->n] += adding->total.data[own];
    }
}

static bool
add_all (Adding *adding, const PvCallTree *tree, PvJob *job)
{
    static const PvStackVisitor visitor = {
        .enter = enter_frame, .leave = leave_frame, .count = count_stack};
    const PvStackWeights *weights = &adding->weights;
    for (uint32_t m = 0; m < adding->n; m++)
        adding->sums->columns[m].whole = weights->whole[m];
    return pv_stack_walk_some (tree, weights->stacks, weights->n_stacks, &visitor, adding, job);
}

/* One measure after another, each from the stacks alone. */
static bool
can_add_directly (const PvCallTree *tree, const PvMeasureSums *sums)
{
    for (uint32_t m = 0; m < sums->n_columns; m++)
        if (sums->columns[m].measure == PV_MEASURE_SAMPLES)
            return false;
    return pv_function_list_can_sum (tree->profile, &tree->query);
}

static bool
add_directly (PvMeasureSums *sums, const PvCallTree *tree, PvJob *job)
{
    for (uint32_t m = 0; m < sums->n_columns; m++) {
        PvMeasureColumn *column = &sums->columns[m];
        g_auto (PvQuery) query;
        init_query (&query, tree, column->measure);
        if (!pv_function_sums_add (tree->profile, tree->symbols, &query, column->self,
                                   column->total, &column->whole, job))
            return false;
    }
    return true;
}

PvMeasureSums *
pv_measure_sums_by_function (const PvCallTree *any_tree, const PvMeasureId *measures,
                             uint32_t n_measures, PvJob *job)
{
    g_assert (any_tree != NULL && (measures != NULL || n_measures == 0));
    const PvCallTree *tree = pv_call_tree_top_down (any_tree);
    uint32_t n_functions = MAX (tree->symbols->n_functions, 1);
    g_autoptr (PvMeasureSums) sums = pv_measure_sums_new (measures, n_measures, n_functions);
    if (can_add_directly (tree, sums))
        return add_directly (sums, tree, job) ? g_steal_pointer (&sums) : NULL;
    Adding adding = {.sums = sums, .n = n_measures, .depth = g_new0 (uint32_t, n_functions)};
    bool is_done = pv_stack_weights_init (&adding.weights, tree, measures, n_measures, job) &&
                   add_all (&adding, tree, job);
    pv_stack_weights_clear (&adding.weights);
    g_free (adding.depth);
    pv_array_clear (&adding.self);
    pv_array_clear (&adding.total);
    return is_done ? g_steal_pointer (&sums) : NULL;
}

/* By node */

typedef struct {
    const PvCallTree *tree;
    const PvCallTreeData *data;
    PvIdMap node_of_key;   /* of a grouped tree: see make_key (); else empty */
    PvTreeGroups *groups;  /* NULL: none */
    PvStackReader *reader; /* for groups of stacks; else NULL */
    PvMeasureColumn *column;
} Placing;

static uint64_t
make_key (uint32_t group, uint32_t origin)
{
    return ((uint64_t)group + 1) << 32 | (origin == PV_ORIGIN_GROUP ? 0 : origin);
}

/* False when cancelled. */
static bool
start_placing (Placing *placing, const PvCallTree *tree, PvJob *job)
{
    *placing = (Placing){.tree = tree, .data = pv_call_tree_data (tree)};
    if (tree->group_of_node == NULL)
        return true;
    for (PvNodeId node = 1; node < tree->n_nodes; node++) {
        uint64_t key = make_key (tree->group_of_node[node], placing->data->origin_of_node[node]);
        *pv_id_map_slot (&placing->node_of_key, key) = node;
    }
    placing->groups = pv_tree_groups_new (tree->profile, tree->symbols, &tree->query);
    if (placing->groups != NULL && pv_tree_groups_are_of_stacks (placing->groups))
        placing->reader = pv_stack_reader_new (tree, job);
    return placing->reader != NULL || placing->groups == NULL ||
           !pv_tree_groups_are_of_stacks (placing->groups);
}

static void
end_placing (Placing *placing)
{
    pv_id_map_clear (&placing->node_of_key);
    g_clear_pointer (&placing->reader, pv_stack_reader_free);
    g_clear_pointer (&placing->groups, pv_tree_groups_free);
}

/* The tree's node for a node of the shape, or PV_NODE_NONE. */
static PvNodeId
find_node (const Placing *placing, uint32_t group, uint32_t origin)
{
    if (placing->data->node_of_shape_node != NULL)
        return placing->data->node_of_shape_node[origin];
    PvNodeId node = pv_id_map_find (&placing->node_of_key, make_key (group, origin));
    return node != 0 ? node : PV_NODE_NONE;
}

/* Totals get the weight of their own place only. */
static void
place (const Placing *placing, PvStackId stack, uint32_t group, uint64_t weight)
{
    const PvTreeShape *shape = placing->data->shape;
    uint32_t origin = pv_find_position (shape, placing->data->focus, stack);
    if (origin == UINT32_MAX)
        return;
    PvNodeId node = find_node (placing, group, origin);
    if (node != PV_NODE_NONE)
        placing->column->self[node] += weight;
    while (node == PV_NODE_NONE && origin != 0)
        node = find_node (placing, group, origin = shape->parent_of_node[origin]);
    placing->column->total[node != PV_NODE_NONE ? node : 0] += weight;
}

static void
add_to_group (void *data, const PvSampleSet *set, uint32_t sample, uint64_t weight)
{
    const Placing *placing = data;
    place (placing, set->stack[sample],
           pv_tree_groups_find_by_sample (placing->groups, set, sample), weight);
}

/* The group of its innermost kept frame; 0 without one. */
static uint32_t
find_group_of_stack (const Placing *placing, PvStackId stack)
{
    PvStackFrame leaf;
    return placing->reader != NULL && pv_stack_reader_begin (placing->reader, stack, &leaf)
               ? pv_tree_groups_find_by_leaf (placing->groups, leaf.frame, leaf.function)
               : 0;
}

static bool
place_all (Placing *placing, PvJob *job)
{
    PvMeasureColumn *column = placing->column;
    if (placing->groups != NULL && placing->reader == NULL)
        return take_samples (placing->tree, column->measure, &column->whole, add_to_group, placing,
                             job);
    g_autofree uint64_t *weight_of_stack =
        pv_measure_weigh_stacks (placing->tree, column->measure, &column->whole, job);
    for (PvStackId s = 0; weight_of_stack != NULL && s < placing->tree->profile->n_stacks; s++)
        if (weight_of_stack[s] > 0)
            place (placing, s, find_group_of_stack (placing, s), weight_of_stack[s]);
    return weight_of_stack != NULL;
}

static bool
place_measures (PvMeasureSums *sums, const PvCallTree *tree, PvJob *job)
{
    Placing placing;
    bool is_done = start_placing (&placing, tree, job);
    for (uint32_t m = 0; m < sums->n_columns && is_done; m++) {
        placing.column = &sums->columns[m];
        is_done = place_all (&placing, job);
    }
    end_placing (&placing);
    return is_done;
}

/* By node of an inverted tree */

typedef struct {
    const PvCallTree *tree;
    const PvCallTree *top_down;
    PvStackReader *reader;
    PvChildIndex children;
    PvIdMap node_of_group; /* id + 1 -> node */
    PvTreeGroups *groups;  /* NULL: none */
    bool *is_cut;          /* the node's callers are not followed: it has all the rest itself */
    PvMeasureColumn *column;
    PvIdMap place_of_stack; /* node of the group << 32 | stack -> index in stacks + 1 */
    PV_ARRAY (PvCountedStack) stacks;
} Following;

static void
list_groups (Following *following)
{
    const PvCallTree *tree = following->tree;
    for (PvNodeId node = 1; node < tree->n_nodes; node++)
        if (pv_call_tree_is_group (tree, node))
            *pv_id_map_slot (&following->node_of_group, (uint64_t)tree->group_of_node[node] + 1) =
                node;
}

static void
end_following (Following *following)
{
    g_clear_pointer (&following->reader, pv_stack_reader_free);
    g_clear_pointer (&following->groups, pv_tree_groups_free);
    g_clear_pointer (&following->is_cut, g_free);
    pv_child_index_clear (&following->children);
    pv_id_map_clear (&following->node_of_group);
    pv_id_map_clear (&following->place_of_stack);
    pv_array_clear (&following->stacks);
}

/* The root, if the tree lacks the group, as its own measure is 0 there. */
static PvNodeId
find_group_node (const Following *following, uint32_t group)
{
    return pv_id_map_find (&following->node_of_group, (uint64_t)group + 1);
}

/* Goes up from the leaf as far as the tree has nodes; *ret_is_whole: to the end of the stack. */
static PvNodeId
go_up (const Following *following, PvStackId stack, PvNodeId node, bool *ret_is_whole)
{
    PvStackFrame frame;
    bool has_frame = pv_stack_reader_begin (following->reader, stack, &frame);
    while (has_frame) {
        PvNodeId caller = pv_child_index_find (&following->children, node, frame.key);
        if (caller == 0)
            break;
        node = caller;
        has_frame = pv_stack_reader_next (following->reader, frame.stack, frame.place, &frame);
    }
    *ret_is_whole = !has_frame;
    return node;
}

/* Totals get the weight of their own place only. */
static void
follow (const Following *following, PvStackId stack, PvNodeId node, uint64_t weight)
{
    bool is_whole;
    node = go_up (following, stack, node, &is_whole);
    if (is_whole || following->is_cut[node])
        following->column->self[node] += weight;
    following->column->total[node] += weight;
}

/* Finds the nodes at which stacks that the tree itself counts go on. False when cancelled. */
static bool
find_cuts (Following *following, PvJob *job)
{
    const PvCallTreeData *data = pv_call_tree_data (following->top_down);
    following->is_cut = pv_new0_large (bool, following->tree->n_nodes);
    for (size_t i = 0; i < data->n_counted; i++) {
        PvCountedStack counted = data->counted[i];
        PvNodeId node = counted.group < data->n_groups
                            ? find_group_node (following, data->groups[counted.group])
                            : 0;
        bool is_whole;
        node = go_up (following, counted.stack, node, &is_whole);
        following->is_cut[node] |= !is_whole;
        if (i % STACKS_PER_CHECK == 0 && pv_job_is_cancelled (job))
            return false;
    }
    return true;
}

/* False when cancelled. */
static bool
start_following (Following *following, const PvCallTree *tree, PvJob *job)
{
    *following = (Following){.tree = tree, .top_down = pv_call_tree_top_down (tree)};
    following->reader = pv_stack_reader_new (tree, job);
    if (following->reader == NULL)
        return false;
    pv_child_index_fill (&following->children, tree);
    list_groups (following);
    if (tree->group_of_node != NULL)
        following->groups = pv_tree_groups_new (tree->profile, tree->symbols, &tree->query);
    return find_cuts (following, job);
}

static void
collect_by_group (void *data, const PvSampleSet *set, uint32_t sample, uint64_t weight)
{
    Following *following = data;
    uint32_t group = pv_tree_groups_find_by_sample (following->groups, set, sample);
    PvNodeId node = find_group_node (following, group);
    uint64_t key = (uint64_t)node << 32 | set->stack[sample];
    uint32_t *place = pv_id_map_slot (&following->place_of_stack, key);
    if (*place == 0) {
        PvCountedStack counted = {.stack = set->stack[sample], .group = node};
        pv_array_push (&following->stacks, counted);
        *place = (uint32_t)following->stacks.len;
    }
    following->stacks.data[*place - 1].weight += weight;
}

/* By groups of samples: threads, labels ... */
static bool
follow_samples (Following *following, PvJob *job)
{
    PvMeasureColumn *column = following->column;
    following->stacks.len = 0;
    pv_id_map_clear (&following->place_of_stack);
    if (!take_samples (following->top_down, column->measure, &column->whole, collect_by_group,
                       following, job))
        return false;
    for (size_t i = 0; i < following->stacks.len; i++) {
        const PvCountedStack *counted = &following->stacks.data[i];
        follow (following, counted->stack, counted->group, counted->weight);
    }
    return true;
}

/* By groups of stacks, or without any. */
static bool
follow_stacks (Following *following, PvJob *job)
{
    PvMeasureColumn *column = following->column;
    g_autofree uint64_t *weight_of_stack =
        pv_measure_weigh_stacks (following->top_down, column->measure, &column->whole, job);
    if (weight_of_stack == NULL)
        return false;
    for (PvStackId s = 0; s < following->tree->profile->n_stacks; s++) {
        PvStackFrame leaf;
        PvNodeId top = 0;
        if (weight_of_stack[s] == 0)
            continue;
        if (following->groups != NULL && pv_stack_reader_begin (following->reader, s, &leaf))
            top = find_group_node (following, pv_tree_groups_find_by_leaf (
                                                  following->groups, leaf.frame, leaf.function));
        else if (following->groups != NULL)
            top = find_group_node (following, 0);
        follow (following, s, top, weight_of_stack[s]);
        if (s % STACKS_PER_CHECK == 0 && pv_job_is_cancelled (job))
            return false;
    }
    return true;
}

static bool
follow_measures (PvMeasureSums *sums, const PvCallTree *tree, PvJob *job)
{
    Following following;
    bool is_done = start_following (&following, tree, job);
    bool by_sample = following.groups != NULL && !pv_tree_groups_are_of_stacks (following.groups);
    for (uint32_t m = 0; m < sums->n_columns && is_done; m++) {
        following.column = &sums->columns[m];
        is_done = by_sample ? follow_samples (&following, job) : follow_stacks (&following, job);
    }
    end_following (&following);
    return is_done;
}

static void
add_up (const PvCallTree *tree, uint64_t *total)
{
    for (PvNodeId node = tree->n_nodes; node-- > 1;)
        total[tree->parent_of_node[node]] += total[node];
}

bool
pv_measure_sums_size_nodes (PvMeasureColumn *column, const PvCallTree *tree, PvJob *job)
{
    if (!pv_profile_is_size_beside (tree->profile, column->measure, tree->query.measure))
        return true;
    g_autoptr (PvMeasureSums) functions =
        pv_measure_sums_by_function (tree, &column->measure, 1, job);
    if (functions == NULL)
        return false;
    g_autofree bool *is_seen = g_new0 (bool, MAX (functions->n_rows, 1));
    column->whole = 0;
    for (PvNodeId n = 0; n < tree->n_nodes; n++) {
        PvFunctionId function = tree->function_of_node[n];
        uint64_t size = function != 0 ? functions->columns[0].self[function] : 0;
        column->self[n] = column->total[n] = size;
        column->whole += is_seen[function] ? 0 : size;
        is_seen[function] = true;
    }
    if (tree->n_nodes > 0)
        column->total[0] = column->whole;
    return true;
}

PvMeasureSums *
pv_measure_sums_by_node (const PvCallTree *tree, const PvMeasureId *measures, uint32_t n_measures,
                         PvJob *job)
{
    g_assert (tree != NULL && !pv_call_tree_data (tree)->is_half);
    g_assert (measures != NULL || n_measures == 0);
    g_autoptr (PvMeasureSums) sums = pv_measure_sums_new (measures, n_measures, tree->n_nodes);
    bool is_done = tree->query.is_inverted ? follow_measures (sums, tree, job)
                                           : place_measures (sums, tree, job);
    for (uint32_t m = 0; m < n_measures; m++)
        add_up (tree, sums->columns[m].total);
    for (uint32_t m = 0; m < n_measures && is_done; m++)
        is_done = pv_measure_sums_size_nodes (&sums->columns[m], tree, job);
    return is_done ? g_steal_pointer (&sums) : NULL;
}

/* Columns */

void
pv_measures_add (GArray *measures, PvMeasureId measure)
{
    g_assert (measures != NULL);
    for (guint i = 0; i < measures->len; i++)
        if (g_array_index (measures, PvMeasureId, i) == measure)
            return;
    g_array_append_val (measures, measure);
}

void
pv_measures_add_formula (GArray *measures, const PvFormula *formula)
{
    g_assert (formula != NULL);
    for (uint32_t i = 0; i < formula->n_measures; i++)
        pv_measures_add (measures, formula->measures[i]);
}

void
pv_measure_sums_free (PvMeasureSums *sums)
{
    if (sums == NULL)
        return;
    for (uint32_t i = 0; i < sums->n_columns; i++) {
        g_free (sums->columns[i].self);
        g_free (sums->columns[i].total);
    }
    g_free (sums->columns);
    g_free (sums);
}

bool
pv_measure_sums_can_count (const PvProfile *profile, PvMeasureId measure)
{
    g_assert (profile != NULL);
    return measure == PV_MEASURE_SAMPLES
               ? profile->heap == NULL && profile->n_samples > 0 && profile->n_joined == 0
               : pv_profile_has_weights (profile, measure);
}

const PvMeasureColumn *
pv_measure_sums_find (const PvMeasureSums *sums, PvMeasureId measure)
{
    for (uint32_t i = 0; sums != NULL && i < sums->n_columns; i++)
        if (sums->columns[i].measure == measure)
            return &sums->columns[i];
    return NULL;
}

double
pv_measure_sums_compute (const PvMeasureSums *sums, const PvFormula *formula, bool is_self,
                         uint32_t row)
{
    g_assert (sums != NULL && formula != NULL && row < sums->n_rows);
    double amounts[PV_FORMULA_MAX_STEPS];
    for (uint32_t i = 0; i < formula->n_measures; i++) {
        const PvMeasureColumn *column = pv_measure_sums_find (sums, formula->measures[i]);
        g_assert (column != NULL);
        amounts[i] = (double)(is_self ? column->self : column->total)[row];
    }
    return pv_formula_compute (formula, amounts);
}
