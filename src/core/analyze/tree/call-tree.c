/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/tree/call-tree.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/analyze/tree/call-tree-private.h"
#include "core/analyze/tree/shape-build.h"
#include "core/base/format.h"
#include "core/base/large.h"
#include "core/base/ref.h"
#include "core/base/search.h"

enum { STACKS_FOR_THREADS = 1 << 14, ROWS_PER_CHUNK = 1 << 14, PREFETCH_AHEAD = 12 };

/* Several workers fill the columns, each some rows. */
typedef struct {
    PvCallTreeData *data;
    const PvRawTree *raw;
    const PvTreeLayout *layout;
    PvFunctionId *function_of_node;
    const PvFrame **frame_of_node;
    PvLocationId *location_of_node;
    PvStackId *stack_of_node;
} Columns;

/* The frame of a function in the chain of the stack's location, if there is one. */
static const PvFrame *
find_frame (const PvTreeShape *shape, PvStackId stack, PvFunctionId function)
{
    uint32_t n_frames;
    const PvFrame *chain = pv_symbol_table_frames (
        shape->symbols, shape->profile->location_of_stack[stack], &n_frames);
    for (uint32_t i = 0; i < n_frames; i++) {
        if (chain[i].function == function)
            return &chain[i];
    }
    return NULL;
}

static void
fill_node (const Columns *columns, PvNodeId node)
{
    const PvTreeShape *shape = columns->data->shape;
    const PvRawTree *raw = columns->raw;
    uint32_t raw_node = columns->layout->raw_of_node[node];
    uint32_t origin = raw->origin != NULL ? raw->origin[raw_node] : raw_node;
    columns->data->origin_of_node[node] = origin;
    if (node == 0 || origin == PV_ORIGIN_GROUP || shape->frame_of_node[origin] == PV_FRAME_FOLDED) {
        columns->function_of_node[node] = 0;
        columns->frame_of_node[node] = NULL;
        columns->location_of_node[node] = 0;
        columns->stack_of_node[node] = 0;
        return;
    }
    PvFunctionId function = shape->function_of_node[origin];
    PvStackId stack = shape->stack_of_node[origin];
    PvStackId better = raw->representative != NULL ? raw->representative[raw_node] : 0;
    const PvFrame *frame = NULL;
    if (better != 0 && better != stack)
        frame = find_frame (shape, better, function);
    if (frame != NULL)
        stack = better;
    columns->function_of_node[node] = function;
    columns->frame_of_node[node] = frame != NULL ? frame : pv_tree_shape_frame (shape, origin);
    columns->location_of_node[node] = shape->profile->location_of_stack[stack];
    columns->stack_of_node[node] = stack;
}

/* Rows of the shape and their stacks are accessed in random order: prefetch them. */
static inline void
prefetch_node (const Columns *columns, size_t near, size_t far)
{
    const PvTreeShape *shape = columns->data->shape;
    const uint32_t *origin_of_raw = columns->raw->origin;
    uint32_t near_raw = columns->layout->raw_of_node[near];
    uint32_t far_raw = columns->layout->raw_of_node[far];
    uint32_t near_origin = origin_of_raw != NULL ? origin_of_raw[near_raw] : near_raw;
    uint32_t far_origin = origin_of_raw != NULL ? origin_of_raw[far_raw] : far_raw;
    if (columns->raw->representative != NULL)
        __builtin_prefetch (&columns->raw->representative[far_raw]);
    if (far_origin != PV_ORIGIN_GROUP) {
        __builtin_prefetch (&shape->function_of_node[far_origin]);
        __builtin_prefetch (&shape->stack_of_node[far_origin]);
        __builtin_prefetch (&shape->frame_of_node[far_origin]);
    }
    if (near_origin != PV_ORIGIN_GROUP && shape->frame_of_node[near_origin] != PV_FRAME_FOLDED)
        __builtin_prefetch (&shape->profile->location_of_stack[shape->stack_of_node[near_origin]]);
}

static void
fill_nodes (void *data, size_t item, unsigned worker)
{
    const Columns *columns = data;
    size_t first = item * ROWS_PER_CHUNK;
    size_t end = MIN (first + ROWS_PER_CHUNK, columns->layout->n_nodes);
    (void)worker;
    for (size_t node = first; node < end; node++) {
        if (node + 2 * PREFETCH_AHEAD < end)
            prefetch_node (columns, node + PREFETCH_AHEAD, node + 2 * PREFETCH_AHEAD);
        fill_node (columns, (PvNodeId)node);
    }
}

static size_t
count_chunks (size_t n_rows)
{
    return (n_rows + ROWS_PER_CHUNK - 1) / ROWS_PER_CHUNK;
}

static void
fill_columns (PvCallTreeData *data, const PvRawTree *raw, const PvTreeLayout *layout, PvPool *pool)
{
    uint32_t n = layout->n_nodes;
    Columns columns = {
        .data = data,
        .raw = raw,
        .layout = layout,
        .function_of_node = pv_new_large (PvFunctionId, n),
        .frame_of_node = pv_new_large (const PvFrame *, n),
        .location_of_node = pv_new_large (PvLocationId, n),
        .stack_of_node = pv_new_large (PvStackId, n),
    };
    data->origin_of_node = pv_new_large (uint32_t, n);
    pv_pool_run (pool, count_chunks (n), fill_nodes, &columns);
    data->tree.function_of_node = columns.function_of_node;
    data->tree.frame_of_node = columns.frame_of_node;
    data->tree.location_of_node = columns.location_of_node;
    data->tree.stack_of_node = columns.stack_of_node;
}

static void
fill_groups (PvCallTreeData *data, const PvRawTree *raw, const PvTreeLayout *layout)
{
    uint32_t *group_of_node = pv_new_large (uint32_t, layout->n_nodes);
    group_of_node[0] = 0;
    for (PvNodeId node = 1; node < layout->n_nodes; node++)
        group_of_node[node] = data->origin_of_node[node] == PV_ORIGIN_GROUP
                                  ? raw->group[layout->raw_of_node[node]]
                                  : group_of_node[layout->parent_of_node[node]];
    data->tree.group_of_node = group_of_node;
}

/* Takes the layout's arrays; the caller keeps the raw tree. */
static void
fill_tree (PvCallTreeData *data, const PvRawTree *raw, PvTreeLayout *layout, PvPool *pool)
{
    PvCallTree *tree = &data->tree;
    fill_columns (data, raw, layout, pool);
    if (raw->group != NULL)
        fill_groups (data, raw, layout);
    if (raw->origin == NULL && data->top_down == NULL)
        data->node_of_shape_node = g_steal_pointer (&layout->node_of_raw);
    tree->n_nodes = layout->n_nodes;
    tree->parent_of_node = g_steal_pointer (&layout->parent_of_node);
    tree->first_child = g_steal_pointer (&layout->first_child);
    tree->self = g_steal_pointer (&layout->self);
    tree->total = g_steal_pointer (&layout->total);
    tree->left = g_steal_pointer (&layout->left);
    tree->n_levels = layout->n_levels;
    tree->level_start = g_steal_pointer (&layout->level_start);
}

static PvCallTreeData *
new_tree (PvTreeShape *shape, PvFocus *focus, const PvQuery *query)
{
    PvCallTreeData *data = g_new0 (PvCallTreeData, 1);
    data->tree.ref_count = 1;
    data->shape = pv_tree_shape_ref (shape);
    data->focus = focus != NULL ? pv_focus_ref (focus) : NULL;
    data->tree.profile = shape->profile;
    data->tree.symbols = shape->symbols;
    data->tree.has_folded = shape->has_folded;
    pv_query_copy (&data->tree.query, query);
    return data;
}

static bool
lay_out (PvCallTreeData *data, PvRawTree *raw, PvPool *pool, PvJob *job, GError **error)
{
    const uint32_t *parent = raw->parent != NULL ? raw->parent : data->shape->parent_of_node;
    PvTreeLayout layout;
    bool is_done =
        pv_tree_layout_build (&layout, parent, raw->self, raw->n_nodes, pool, job, error);
    if (is_done) {
        g_clear_pointer (&raw->parent, g_free);
        g_clear_pointer (&raw->self, g_free);
        fill_tree (data, raw, &layout, pool);
        data->n_counted = raw->n_counted;
        data->counted = g_steal_pointer (&raw->counted);
        pv_tree_layout_clear (&layout);
    }
    pv_raw_tree_clear (raw);
    return is_done;
}

static void
name_groups (PvCallTreeData *data, const PvTreeGroups *groups)
{
    data->group_names = g_new0 (char *, data->n_groups + 1);
    for (uint32_t g = 0; g < data->n_groups; g++) {
        uint32_t id = data->groups[g];
        data->group_names[g] = pv_tree_groups_make_name (groups, id);
        *pv_id_map_slot (&data->place_of_group, (uint64_t)id + 1) = g + 1;
    }
}

static PvCallTree *
build_top_down (PvTreeShape *shape, PvFocus *focus, const PvQuery *query, PvPool *pool, PvJob *job,
                GError **error)
{
    PvCallTreeData *data = new_tree (shape, focus, query);
    g_autoptr (PvCallTree) tree = &data->tree;
    data->tree.query.is_inverted = false;
    g_autoptr (PvTreeGroups) groups = pv_tree_groups_new (shape->profile, shape->symbols, query);
    PvRawTree raw;
    PvKeptSamples kept;
    bool is_weighed =
        groups != NULL ? pv_raw_tree_weigh_groups (&raw, shape, focus, query, groups, &kept,
                                                   &data->groups, &data->n_groups, pool, job, error)
                       : pv_raw_tree_weigh (&raw, shape, focus, query, &kept, job, error);
    if (!is_weighed || !lay_out (data, &raw, pool, job, error))
        return NULL;
    name_groups (data, groups);
    tree->n_kept_samples = kept.n_samples;
    memcpy (tree->end_weights, kept.end_weights, sizeof kept.end_weights);
    return g_steal_pointer (&tree);
}

static PvCallTree *
build_inverted (PvCallTree *top_down, const PvQuery *query, const PvTreeDetail *detail,
                PvPool *pool, PvJob *job, GError **error)
{
    PvCallTreeData *from = (PvCallTreeData *)top_down;
    PvRawTree raw;
    g_autoptr (PvTreeShape) shape = pv_raw_tree_invert (&raw, top_down, detail, job, error);
    if (shape == NULL)
        return NULL;
    PvCallTreeData *data = new_tree (shape, from->focus, query);
    g_autoptr (PvCallTree) tree = &data->tree;
    data->top_down = pv_call_tree_ref (top_down);
    if (!lay_out (data, &raw, pool, job, error))
        return NULL;
    data->n_groups = from->n_groups;
    data->groups = g_memdup2 (from->groups, from->n_groups * sizeof (uint32_t));
    data->group_names = g_new0 (char *, data->n_groups + 1);
    for (uint32_t g = 0; g < data->n_groups; g++) {
        data->group_names[g] = g_strdup (from->group_names[g]);
        *pv_id_map_slot (&data->place_of_group, (uint64_t)data->groups[g] + 1) = g + 1;
    }
    tree->n_kept_samples = top_down->n_kept_samples;
    memcpy (tree->end_weights, top_down->end_weights, sizeof tree->end_weights);
    return g_steal_pointer (&tree);
}

PvCallTree *
pv_call_tree_take_raw (PvCallTree *top_down, PvTreeShape *shape, PvRawTree *raw, PvJob *job,
                       GError **error)
{
    g_assert (top_down != NULL && shape != NULL && raw != NULL);
    g_autoptr (PvPool) pool = pv_pool_new (raw->n_nodes < STACKS_FOR_THREADS ? 1 : 0);
    PvCallTreeData *data = new_tree (shape, NULL, &top_down->query);
    g_autoptr (PvCallTree) tree = &data->tree;
    data->top_down = pv_call_tree_ref (top_down);
    data->is_half = true;
    tree->query.is_inverted = true;
    tree->query.grouping = PV_GROUP_NONE;
    if (!lay_out (data, raw, pool, job, error))
        return NULL;
    tree->n_kept_samples = top_down->n_kept_samples;
    memcpy (tree->end_weights, top_down->end_weights, sizeof tree->end_weights);
    return g_steal_pointer (&tree);
}

/* True if the stacks of a top-down tree answer the query, except for its direction. */
static bool
answers (const PvCallTreeData *data, const PvProfile *profile, const PvSymbolTable *symbols,
         const PvQuery *query)
{
    PvQuery top_down = *query;
    top_down.is_inverted = false;
    return data->shape->profile == profile && data->shape->base_symbols == symbols &&
           pv_query_equal (&data->tree.query, &top_down) &&
           pv_query_check_complete (&data->tree.query, NULL);
}

static const PvTreeDetail only_stacks = {0};

static PvCallTree *
build (const PvProfile *profile, const PvSymbolTable *symbols, const PvQuery *query,
       const PvTreeDetail *detail, const PvCallTree *previous, PvJob *job, GError **error)
{
    g_autoptr (PvPool) pool = pv_pool_new (profile->n_stacks < STACKS_FOR_THREADS ? 1 : 0);
    const PvCallTreeData *old =
        previous != NULL ? pv_call_tree_data (pv_call_tree_top_down (previous)) : NULL;
    const PvTreeDetail *inverted_detail = detail;
    if (query->is_inverted) /* made from stacks */
        detail = &only_stacks;
    if (query->is_inverted && old != NULL && answers (old, profile, symbols, query))
        return build_inverted ((PvCallTree *)&old->tree, query, inverted_detail, pool, job, error);
    g_autoptr (PvFocus) focus = NULL;
    if (pv_focus_is_needed (query)) {
        focus =
            pv_focus_build (profile, symbols, query, old != NULL ? old->focus : NULL, job, error);
        if (focus == NULL)
            return NULL;
    }
    g_autofree uint64_t *weight_of_stack = NULL;
    if (detail != NULL && detail != &only_stacks) {
        weight_of_stack = pv_weigh_subtrees (profile, focus, query, job, error);
        if (weight_of_stack == NULL)
            return NULL;
    }
    g_autoptr (PvTreeShape) shape =
        pv_tree_shape_build (profile, symbols, query, detail, weight_of_stack,
                             old != NULL ? old->shape : NULL, pool, job, error);
    if (shape == NULL)
        return NULL;
    g_clear_pointer (&weight_of_stack, g_free);
    g_autoptr (PvCallTree) top_down = NULL;
    if (old != NULL && old->shape == shape && answers (old, profile, symbols, query))
        top_down = pv_call_tree_ref (&old->tree);
    else
        top_down = build_top_down (shape, focus, query, pool, job, error);
    if (top_down == NULL || !query->is_inverted)
        return g_steal_pointer (&top_down);
    return build_inverted (top_down, query, inverted_detail, pool, job, error);
}

PvCallTree *
pv_call_tree_build (const PvProfile *profile, const PvSymbolTable *symbols, const PvQuery *query,
                    const PvCallTree *previous, PvJob *job, GError **error)
{
    g_assert (profile != NULL && symbols != NULL && query != NULL);
    return build (profile, symbols, query, NULL, previous, job, error);
}

PvCallTree *
pv_call_tree_build_folded (const PvProfile *profile, const PvSymbolTable *symbols,
                           const PvQuery *query, const PvTreeDetail *detail,
                           const PvCallTree *previous, PvJob *job, GError **error)
{
    g_assert (profile != NULL && symbols != NULL && query != NULL && detail != NULL);
    return build (profile, symbols, query, detail, previous, job, error);
}

PvCallTree *
pv_call_tree_build_stacks (const PvProfile *profile, const PvSymbolTable *symbols,
                           const PvQuery *query, const PvCallTree *previous, PvJob *job,
                           GError **error)
{
    g_assert (profile != NULL && symbols != NULL && query != NULL);
    return build (profile, symbols, query, &only_stacks, previous, job, error);
}

PvCallTree *
pv_call_tree_build_measure (const PvCallTree *tree, PvMeasureId measure, PvJob *job, GError **error)
{
    g_assert (tree != NULL && pv_profile_has_weights (tree->profile, measure));
    const PvCallTree *top_down = pv_call_tree_top_down (tree);
    PvQuery query;
    pv_query_copy (&query, &tree->query);
    query.measure = measure;
    query.is_inverted = false;
    PvCallTree *other =
        pv_call_tree_build_stacks (tree->profile, pv_call_tree_data (top_down)->shape->base_symbols,
                                   &query, top_down, job, error);
    pv_query_clear (&query);
    return other;
}

/* Siblings side by side, from the left edge of their parent on. */
static void
place_nodes (const PvCallTree *tree, uint64_t *left)
{
    left[0] = 0;
    for (PvNodeId node = 0; node < tree->n_nodes; node++) {
        uint64_t next = left[node];
        for (PvNodeId child = tree->first_child[node]; child < tree->first_child[node + 1];
             child++) {
            left[child] = next;
            next += tree->total[child];
        }
    }
}

PvCallTree *
pv_call_tree_reweigh (const PvCallTree *tree, PvMeasureId measure, const uint64_t *self,
                      const uint64_t *total)
{
    g_assert (tree != NULL && pv_profile_has_weights (tree->profile, measure) && self != NULL &&
              total != NULL);
    g_assert (pv_call_tree_data (tree)->model == NULL);
    PvCallTreeData *data = g_new (PvCallTreeData, 1);
    uint64_t *weights[3];
    *data = *pv_call_tree_data (tree);
    for (unsigned i = 0; i < G_N_ELEMENTS (weights); i++)
        weights[i] = pv_new_large (uint64_t, MAX (tree->n_nodes, 1));
    memcpy (weights[0], self, tree->n_nodes * sizeof *self);
    memcpy (weights[1], total, tree->n_nodes * sizeof *total);
    data->model = pv_call_tree_ref (tree);
    data->tree.ref_count = 1;
    data->tree.has_weightless = true;
    data->tree.n_kept_samples = 0; /* not known */
    data->tree.self = weights[0];
    data->tree.total = weights[1];
    data->tree.left = weights[2];
    pv_query_copy (&data->tree.query, &tree->query);
    data->tree.query.measure = measure;
    if (tree->n_nodes > 0)
        place_nodes (&data->tree, weights[2]);
    return &data->tree;
}

PV_DEFINE_REF (pv_call_tree_ref, PvCallTree, const PvCallTree)

void
pv_call_tree_free (PvCallTree *tree)
{
    if (!pv_ref_was_last (tree))
        return;
    PvCallTreeData *data = (PvCallTreeData *)tree;
    pv_query_clear (&tree->query);
    g_free ((void *)tree->self);
    g_free ((void *)tree->total);
    g_free ((void *)tree->left);
    if (data->model != NULL) { /* the model owns all the rest */
        pv_call_tree_free (data->model);
        g_free (data);
        return;
    }
    pv_call_tree_free (data->top_down); /* is top-down itself: recurses only once */
    pv_tree_shape_unref (data->shape);
    pv_focus_unref (data->focus);
    g_free ((void *)tree->function_of_node);
    g_free ((void *)tree->parent_of_node);
    g_free ((void *)tree->first_child);
    g_free ((void *)tree->frame_of_node);
    g_free ((void *)tree->location_of_node);
    g_free ((void *)tree->group_of_node);
    g_free ((void *)tree->level_start);
    g_free ((void *)tree->stack_of_node);
    g_free (data->origin_of_node);
    g_free (data->node_of_shape_node);
    g_free (data->samples_of_node);
    g_free (data->root_name);
    g_free (data->groups);
    g_free (data->counted);
    g_strfreev (data->group_names);
    pv_id_map_clear (&data->place_of_group);
    g_free (data);
}

/* The nearest kept node at or above a node of the shape; not one of folded children. */
static PvNodeId
find_kept (const PvCallTreeData *data, uint32_t shape_node)
{
    while (data->node_of_shape_node[shape_node] == PV_NODE_NONE ||
           data->shape->frame_of_node[shape_node] == PV_FRAME_FOLDED)
        shape_node = data->shape->parent_of_node[shape_node];
    return data->node_of_shape_node[shape_node];
}

/* The node of the shape at which a stack starts: where its parent ends. */
static uint32_t
find_outer (const PvTreeShape *shape, PvStackId stack)
{
    return shape->position_of_stack[shape->profile->parent_of_stack[stack]] & ~PV_POSITION_DROPPED;
}

/* Ids are only comparable between tables of one builder. */
static bool
is_same_function (const PvCallTree *tree, PvFunctionId function, const PvCallTree *other,
                  PvFunctionId candidate)
{
    if (tree->symbols->store == other->symbols->store || function == 0 || candidate == 0)
        return function == candidate;
    const PvFunction *a = &tree->symbols->functions[function];
    const PvFunction *b = &other->symbols->functions[candidate];
    return strcmp (a->name, b->name) == 0 && strcmp (tree->profile->modules[a->module].name,
                                                     other->profile->modules[b->module].name) == 0;
}

/* Counts the nodes of a function of tree in data's shape, from node up to but excluding outer. */
static unsigned
count_function (const PvCallTreeData *data, uint32_t node, uint32_t outer, const PvCallTree *tree,
                PvFunctionId function)
{
    const PvTreeShape *shape = data->shape;
    unsigned n = 0;
    for (; node != outer && node != 0; node = shape->parent_of_node[node])
        n += is_same_function (tree, function, &data->tree, shape->function_of_node[node]);
    return n;
}

/* Translates by the stack that the node came from. That stack's location may now have more frames,
 * or fewer: chooses the one of the same function, else the innermost. */
static PvNodeId
translate_by_stack (const PvCallTreeData *data, PvNodeId node, const PvCallTreeData *other)
{
    const PvTreeShape *shape = other->shape;
    const PvCallTree *tree = &data->tree;
    PvStackId own = tree->stack_of_node[node];
    uint32_t inner = shape->position_of_stack[own] & ~PV_POSITION_DROPPED;
    /* A function may be inlined into itself: count from the outside. */
    PvFunctionId function = tree->function_of_node[node];
    unsigned ordinal = count_function (data, data->origin_of_node[node],
                                       find_outer (data->shape, own), tree, function);
    uint32_t outer = find_outer (shape, own);
    unsigned left = count_function (other, inner, outer, tree, function);
    for (uint32_t n = inner; n != outer && n != 0; n = shape->parent_of_node[n]) {
        if (is_same_function (tree, function, &other->tree, shape->function_of_node[n]) &&
            left-- <= MAX (ordinal, 1))
            return find_kept (other, n);
    }
    return find_kept (other, inner);
}

static bool
is_same_place (const PvCallTree *tree, PvNodeId node, const PvCallTree *other, PvNodeId candidate)
{
    bool is_group = pv_call_tree_is_group (tree, node);
    if (is_group != pv_call_tree_is_group (other, candidate))
        return false;
    if (is_group && tree->profile == other->profile &&
        !pv_groupings[tree->query.grouping].is_of_stacks &&
        tree->query.grouping == other->query.grouping &&
        g_strcmp0 (tree->query.group_label, other->query.group_label) == 0)
        return tree->group_of_node[node] == other->group_of_node[candidate];
    if (is_group)
        return strcmp (pv_call_tree_get_name (tree, node),
                       pv_call_tree_get_name (other, candidate)) == 0;
    return is_same_function (tree, tree->function_of_node[node], other,
                             other->function_of_node[candidate]);
}

/* Translates by the functions on the path from the root. */
static PvNodeId
translate_by_path (const PvCallTree *tree, PvNodeId node, const PvCallTree *other)
{
    g_autoptr (GArray) path = g_array_new (false, false, sizeof (PvNodeId));
    for (PvNodeId n = node; n != 0; n = tree->parent_of_node[n])
        g_array_append_val (path, n);
    PvNodeId at = 0;
    for (guint i = path->len; i > 0; i--) {
        PvNodeId step = g_array_index (path, PvNodeId, i - 1);
        PvNodeId child = other->first_child[at];
        while (child < other->first_child[at + 1] && !is_same_place (tree, step, other, child))
            child++;
        if (child == other->first_child[at + 1])
            break;
        at = child;
    }
    return at;
}

PvNodeId
pv_call_tree_translate (const PvCallTree *tree, PvNodeId node, const PvCallTree *other)
{
    g_assert (node == PV_NODE_NONE || node < tree->n_nodes);
    if (tree == other || node == 0 || node == PV_NODE_NONE)
        return node;
    while (pv_call_tree_count_folded (tree, node) > 0)
        node = tree->parent_of_node[node];
    const PvCallTreeData *data = pv_call_tree_data (tree), *target = pv_call_tree_data (other);
    if (tree->query.is_inverted != other->query.is_inverted)
        return 0;
    bool has_origins = data->node_of_shape_node != NULL || data->samples_of_node != NULL;
    if (has_origins && target->node_of_shape_node != NULL && tree->profile == other->profile) {
        if (data->shape == target->shape)
            return find_kept (target, data->origin_of_node[node]);
        return translate_by_stack (data, node, target);
    }
    return translate_by_path (tree, node, other);
}

uint32_t
pv_call_tree_count_folded (const PvCallTree *tree, PvNodeId node)
{
    g_assert (tree != NULL && node < tree->n_nodes);
    const PvCallTreeData *data = pv_call_tree_data (tree);
    uint32_t origin = data->origin_of_node[node];
    if (data->samples_of_node != NULL)
        return node != 0 && tree->frame_of_node[node] == NULL ? data->samples_of_node[node] : 0;
    if (node == 0 || origin == PV_ORIGIN_GROUP ||
        data->shape->frame_of_node[origin] != PV_FRAME_FOLDED)
        return 0;
    return data->shape->stack_of_node[origin];
}

char *
pv_call_tree_format_folded (const PvCallTree *tree, PvNodeId node)
{
    uint32_t n = pv_call_tree_count_folded (tree, node);
    return n > 0 ? pv_call_tree_format_small (tree, n) : NULL;
}

char *
pv_call_tree_format_small (const PvCallTree *tree, uint64_t n)
{
    g_assert (tree != NULL);
    g_autofree char *count = pv_format_count (n);
    const char *domain = GETTEXT_PACKAGE;
    if (pv_call_tree_data (tree)->samples_of_node == NULL)
        /* Translators: functions too small to be shown one by one; %s is their number. */
        return g_strdup_printf (g_dngettext (domain, "%s small function", "%s small functions", n),
                                count);
    if (pv_profile_counts_waits (tree->profile, tree->query.measure))
        return g_strdup_printf (g_dngettext (domain, "%s wait", "%s waits", n), count);
    return g_strdup_printf (g_dngettext (domain, "%s sample", "%s samples", n), count);
}

bool
pv_call_tree_make_anchor (const PvCallTree *tree, PvNodeId node, PvAnchorKind kind,
                          PvTreeAnchor *ret_anchor)
{
    g_assert (tree != NULL && node < tree->n_nodes && ret_anchor != NULL);
    const PvCallTreeData *data = pv_call_tree_data (tree);
    if (tree->query.is_inverted || (node != 0 && !pv_call_tree_is_frame (tree, node)))
        return false;
    uint32_t origin = data->origin_of_node[node];
    *ret_anchor = (PvTreeAnchor){
        .stack = data->shape->stack_of_node[origin],
        .place = data->shape->frame_of_node[origin],
        .kind = kind,
    };
    return true;
}

static uint32_t
get_step (const PvCallTree *tree, PvNodeId node)
{
    const PvCallTreeData *data = pv_call_tree_data (tree);
    if (!pv_call_tree_is_group (tree, node))
        return tree->function_of_node[node];
    uint64_t id = tree->group_of_node[node];
    return pv_call_tree_group_step (data, pv_id_map_find (&data->place_of_group, id + 1) - 1);
}

void
pv_call_tree_make_path (const PvCallTree *tree, PvNodeId node, PvAnchorKind kind,
                        PvTreePath *ret_path)
{
    g_assert (tree != NULL && node < tree->n_nodes && ret_path != NULL);
    uint32_t n_steps = 0;
    for (PvNodeId n = node; n != 0; n = tree->parent_of_node[n])
        n_steps++;
    *ret_path = (PvTreePath){g_new (uint32_t, n_steps), n_steps, kind};
    for (PvNodeId n = node; n != 0; n = tree->parent_of_node[n])
        ret_path->steps[--n_steps] = get_step (tree, n);
}

PvNodeId
pv_call_tree_find_path (const PvCallTree *tree, const PvTreePath *path, bool *ret_is_whole)
{
    g_assert (tree != NULL && path != NULL);
    PvNodeId node = 0;
    uint32_t i = 0;
    for (; i < path->n_steps; i++) {
        PvNodeId child = tree->first_child[node], end = tree->first_child[node + 1];
        while (child < end && get_step (tree, child) != path->steps[i])
            child++;
        if (child == end)
            break;
        node = child;
    }
    if (ret_is_whole != NULL)
        *ret_is_whole = i == path->n_steps;
    return node;
}

static const char *
get_group_name (const PvCallTreeData *data, PvNodeId node)
{
    uint64_t id = data->tree.group_of_node[node];
    uint32_t place = pv_id_map_find (&data->place_of_group, id + 1);
    return place != 0 ? data->group_names[place - 1] : "";
}

const char *
pv_call_tree_get_name (const PvCallTree *tree, PvNodeId node)
{
    g_assert (node < tree->n_nodes);
    const char *root_name = pv_call_tree_data (tree)->root_name;
    if (node == 0)
        return root_name != NULL ? root_name : C_ ("root", "all");
    if (pv_call_tree_is_group (tree, node))
        return get_group_name (pv_call_tree_data (tree), node);
    if (pv_call_tree_count_folded (tree, node) > 0)
        return _ ("(small functions)");
    return tree->symbols->functions[tree->function_of_node[node]].name;
}

const char *
pv_call_tree_get_label (const PvCallTree *tree, PvNodeId node)
{
    g_assert (node < tree->n_nodes);
    if (!pv_call_tree_is_frame (tree, node))
        return pv_call_tree_get_name (tree, node);
    return tree->symbols->functions[tree->function_of_node[node]].label;
}

const char *
pv_call_tree_get_short_name (const PvCallTree *tree, PvNodeId node)
{
    g_assert (node < tree->n_nodes);
    if (!pv_call_tree_is_frame (tree, node))
        return pv_call_tree_get_name (tree, node);
    return tree->symbols->functions[tree->function_of_node[node]].short_name;
}

uint32_t
pv_call_tree_get_level (const PvCallTree *tree, PvNodeId node)
{
    g_assert (tree != NULL && node < tree->n_nodes);
    return pv_bisect (1, tree->n_levels, level, tree->level_start[level] <= node) - 1;
}

PvModuleId
pv_call_tree_get_module (const PvCallTree *tree, PvNodeId node)
{
    g_assert (node < tree->n_nodes);
    if (!pv_call_tree_is_frame (tree, node))
        return 0;
    return tree->symbols->functions[tree->function_of_node[node]].module;
}
