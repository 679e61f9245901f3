/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/tree/box-tree.h"

#include "core/analyze/tree/call-tree-private.h"
#include "core/base/large.h"

typedef struct {
    PvFunctionId *function_of_node;
    PvNodeId *parent_of_node;
    PvNodeId *first_child;
    uint64_t *self;
    uint64_t *total;
    uint64_t *left;
    const PvFrame **frame_of_node;
    PvLocationId *location_of_node;
    PvStackId *stack_of_node;
    uint32_t *level_start;
    uint32_t *origin_of_node;
    uint32_t *samples_of_node;
} Columns;

static void
allocate (Columns *columns, uint32_t n, uint32_t n_levels)
{
    *columns = (Columns){
        .function_of_node = pv_new0_large (PvFunctionId, n),
        .parent_of_node = pv_new_large (PvNodeId, n),
        .first_child = pv_new_large (PvNodeId, (size_t)n + 1),
        .self = pv_new_large (uint64_t, n),
        .total = pv_new_large (uint64_t, n),
        .left = pv_new_large (uint64_t, n),
        .frame_of_node = pv_new0_large (const PvFrame *, n),
        .location_of_node = pv_new0_large (PvLocationId, n),
        .stack_of_node = pv_new0_large (PvStackId, n),
        .level_start = g_new (uint32_t, (size_t)n_levels + 1),
        .origin_of_node = pv_new0_large (uint32_t, n),
        .samples_of_node = pv_new0_large (uint32_t, n),
    };
}

static void
fill_node (const Columns *columns, const PvTreeShape *shape, PvNodeId node, const PvBox *box)
{
    columns->self[node] = columns->total[node] = box->total;
    columns->left[node] = box->left;
    columns->samples_of_node[node] = box->n_samples;
    if (box->is_folded || node == 0)
        return;
    PvStackId stack = shape->stack_of_node[box->position];
    columns->origin_of_node[node] = box->position;
    columns->function_of_node[node] = shape->function_of_node[box->position];
    columns->frame_of_node[node] = pv_tree_shape_frame (shape, box->position);
    columns->location_of_node[node] = shape->profile->location_of_stack[stack];
    columns->stack_of_node[node] = stack;
}

/* Parents of the level start at node `above`. Until all children are there, first_child of a node
 * is where those of the one before it end. */
static void
fill_level (const Columns *columns, const PvTreeShape *shape, const PvBoxLevel *level,
            PvNodeId above, PvNodeId start)
{
    PvNodeId parent = above;
    for (size_t i = 0; i < level->len; i++) {
        const PvBox *box = &level->data[i];
        PvNodeId node = start + (PvNodeId)i;
        fill_node (columns, shape, node, box);
        for (; parent < above + box->parent; parent++)
            columns->first_child[parent + 1] = node;
        columns->parent_of_node[node] = above + box->parent;
        columns->self[above + box->parent] -= box->total;
    }
    for (; parent < start; parent++)
        columns->first_child[parent + 1] = start + (PvNodeId)level->len;
}

PvCallTree *
pv_box_tree_new (const PvCallTree *tree, const char *root_name, const PvBoxLevel *levels,
                 uint32_t n_levels)
{
    g_assert (tree != NULL && root_name != NULL && !tree->query.is_inverted);
    g_assert (levels != NULL && n_levels > 0 && levels[0].len == 1);
    PvTreeShape *shape = pv_call_tree_data (tree)->shape;
    uint32_t n = 0;
    Columns columns;
    for (uint32_t l = 0; l < n_levels; l++)
        n += (uint32_t)levels[l].len;
    allocate (&columns, n, n_levels);
    fill_node (&columns, shape, 0, &levels[0].data[0]);
    columns.parent_of_node[0] = PV_NODE_NONE;
    columns.first_child[0] = columns.level_start[1] = 1;
    columns.level_start[0] = 0;
    for (uint32_t l = 1; l <= n_levels; l++) {
        static const PvBoxLevel no_boxes = {0};
        const PvBoxLevel *level = l < n_levels ? &levels[l] : &no_boxes;
        PvNodeId start = columns.level_start[l];
        fill_level (&columns, shape, level, columns.level_start[l - 1], start);
        if (l < n_levels)
            columns.level_start[l + 1] = start + (PvNodeId)level->len;
    }
    PvCallTreeData *data = g_new0 (PvCallTreeData, 1);
    data->shape = pv_tree_shape_ref (shape);
    data->root_name = g_strdup (root_name);
    data->origin_of_node = columns.origin_of_node;
    data->samples_of_node = columns.samples_of_node;
    data->tree = (PvCallTree){
        .ref_count = 1,
        .profile = shape->profile,
        .symbols = shape->symbols,
        .n_nodes = n,
        .function_of_node = columns.function_of_node,
        .parent_of_node = columns.parent_of_node,
        .first_child = columns.first_child,
        .self = columns.self,
        .total = columns.total,
        .left = columns.left,
        .frame_of_node = columns.frame_of_node,
        .location_of_node = columns.location_of_node,
        .n_levels = n_levels,
        .level_start = columns.level_start,
        .stack_of_node = columns.stack_of_node,
        .has_folded = true,
    };
    pv_query_copy (&data->tree.query, &tree->query);
    data->tree.query.grouping = PV_GROUP_NONE;
    return &data->tree;
}

uint32_t
pv_box_tree_count_samples (const PvCallTree *tree, PvNodeId node)
{
    g_assert (tree != NULL && node < tree->n_nodes);
    const uint32_t *samples_of_node = pv_call_tree_data (tree)->samples_of_node;
    return samples_of_node != NULL ? samples_of_node[node] : 0;
}
