/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/tree/sandwich.h"

#include <stdlib.h>

#include "core/analyze/tree/call-tree-private.h"
#include "core/analyze/tree/stack-walk.h"
#include "core/base/array.h"
#include "core/base/idmap.h"
#include "core/base/large.h"

enum { MAX_NODES = 1 << 21 };

typedef struct {
    uint32_t parent;
    uint32_t place; /* in the final order; only used there */
    PvFunctionId function;
    PvStackId stack;
    uint32_t frame;
    uint64_t key;
    uint64_t self;
} Node;

/* A tree while it grows. Node 0 is the root. */
typedef struct {
    PV_ARRAY (Node) nodes;
    PvIdMap id_of_key;   /* key + 1 -> a dense number from 1 */
    PvIdMap node_of_key; /* parent << 32 | that number -> node + 1 */
    uint32_t n_keys;
} Half;

typedef struct {
    PvFunctionId function;
    Half callers;
    Half callees;
} Division;

static void
init_half (Half *half)
{
    Node root = {.parent = UINT32_MAX};
    *half = (Half){0};
    pv_array_push (&half->nodes, root);
}

static void
clear_half (Half *half)
{
    pv_array_clear (&half->nodes);
    pv_id_map_clear (&half->id_of_key);
    pv_id_map_clear (&half->node_of_key);
}

/* The parent itself, if there are too many nodes. */
static uint32_t
take_child (Half *half, uint32_t parent, const PvStackFrame *frame)
{
    uint32_t *id = pv_id_map_slot (&half->id_of_key, frame->key + 1);
    if (*id == 0)
        *id = ++half->n_keys;
    uint32_t *slot = pv_id_map_slot (&half->node_of_key, (uint64_t)parent << 32 | *id);
    if (*slot == 0 && half->nodes.len >= MAX_NODES)
        return parent;
    if (*slot == 0) {
        Node node = {
            .parent = parent,
            .function = frame->function,
            .stack = frame->stack,
            .frame = frame->place,
            .key = frame->key,
        };
        pv_array_push (&half->nodes, node);
        *slot = (uint32_t)half->nodes.len;
    }
    return *slot - 1;
}

/* The mark of a frame is its node + 1 among the callees; 0: it is outside the function. */
static void
enter_frame (void *data, PvStackFrame *path, size_t depth)
{
    Division *division = data;
    uint32_t outside = depth > 0 ? path[depth - 1].mark : 0;
    if (outside != 0)
        path[depth].mark = take_child (&division->callees, outside - 1, &path[depth]) + 1;
    else if (path[depth].function == division->function)
        path[depth].mark = take_child (&division->callees, 0, &path[depth]) + 1;
}

static void
leave_frame (void *data, PvStackFrame *path, size_t depth)
{
    Division *division = data;
    if (path[depth].mark == 0)
        return;
    division->callees.nodes.data[path[depth].mark - 1].self += path[depth].self;
    if (depth > 0 && path[depth - 1].mark != 0)
        return;
    uint32_t node = 0;
    for (size_t i = depth + 1; i-- > 0;)
        node = take_child (&division->callers, node, &path[i]);
    division->callers.nodes.data[node].self += path[depth].total;
}

static int
compare_nodes (const void *a, const void *b, void *user)
{
    const Node *nodes = user, *x = &nodes[*(const uint32_t *)a], *y = &nodes[*(const uint32_t *)b];
    uint32_t left = nodes[x->parent].place, right = nodes[y->parent].place;
    if (left != right)
        return left < right ? -1 : 1;
    return (x->key > y->key) - (x->key < y->key);
}

/* Level by level, siblings adjacent and by name: free with g_free (). Nodes come after their
 * parents, so their levels are known in one pass. */
static uint32_t *
make_order (Half *half)
{
    Node *nodes = half->nodes.data;
    uint32_t n = (uint32_t)half->nodes.len, n_levels = 1;
    uint32_t *order = g_new (uint32_t, n);
    g_autofree uint32_t *level_of_node = g_new0 (uint32_t, n);
    for (uint32_t i = 1; i < n; i++) {
        level_of_node[i] = level_of_node[nodes[i].parent] + 1;
        n_levels = MAX (n_levels, level_of_node[i] + 1);
    }
    g_autofree uint32_t *end = g_new0 (uint32_t, n_levels + 1);
    for (uint32_t i = 0; i < n; i++)
        end[level_of_node[i] + 1]++;
    for (uint32_t level = 0; level < n_levels; level++)
        end[level + 1] += end[level];
    for (uint32_t i = 0; i < n; i++)
        order[end[level_of_node[i]]++] = i;
    for (uint32_t level = 1; level < n_levels; level++) {
        uint32_t first = end[level - 1], n_in_level = end[level] - first;
        qsort_r (order + first, n_in_level, sizeof *order, compare_nodes, nodes);
        for (uint32_t i = first; i < end[level]; i++)
            nodes[order[i]].place = i;
    }
    return order;
}

static PvTreeShape *
make_shape (const PvCallTree *from, Half *half, PvRawTree *ret_raw)
{
    const Node *nodes = half->nodes.data;
    uint32_t n = (uint32_t)half->nodes.len;
    g_autofree uint32_t *order = make_order (half);
    PvTreeShape *shape = pv_tree_shape_new_similar (pv_call_tree_data (from)->shape);
    *ret_raw = (PvRawTree){.n_nodes = n, .self = pv_new_large (uint64_t, n)};
    shape->n_nodes = n;
    shape->parent_of_node = pv_new_large (uint32_t, n);
    shape->function_of_node = pv_new_large (PvFunctionId, n);
    shape->stack_of_node = pv_new_large (PvStackId, n);
    shape->frame_of_node = pv_new_large (uint16_t, n);
    if (from->query.granularity != PV_BY_FUNCTION)
        shape->detail_of_node = pv_new_large (uint32_t, n);
    for (uint32_t i = 0; i < n; i++) {
        const Node *node = &nodes[order[i]];
        shape->parent_of_node[i] = i > 0 ? nodes[node->parent].place : UINT32_MAX;
        shape->function_of_node[i] = node->function;
        shape->stack_of_node[i] = node->stack;
        shape->frame_of_node[i] = (uint16_t)node->frame;
        if (shape->detail_of_node != NULL)
            shape->detail_of_node[i] = (uint32_t)node->key;
        ret_raw->self[i] = node->self;
    }
    return shape;
}

static PvCallTree *
finish_half (PvCallTree *from, Half *half, PvJob *job, GError **error)
{
    uint64_t weight = 0, total = 0;
    for (size_t i = 0; i < half->nodes.len; i++)
        weight += half->nodes.data[i].self;
    for (size_t i = 0; i < pv_call_tree_data (from)->n_counted; i++)
        total += pv_call_tree_data (from)->counted[i].weight;
    half->nodes.data[0].self += total - MIN (weight, total);
    PvRawTree raw;
    g_autoptr (PvTreeShape) shape = make_shape (from, half, &raw);
    return pv_call_tree_take_raw (from, shape, &raw, job, error);
}

PvSandwich *
pv_sandwich_build (const PvCallTree *tree, PvFunctionId function, PvJob *job, GError **error)
{
    g_assert (tree != NULL && function != 0 && function < tree->symbols->n_functions);

    static const PvStackVisitor visitor = {enter_frame, leave_frame, NULL};
    PvCallTree *from = (PvCallTree *)pv_call_tree_top_down (tree);
    g_autofree bool *is_wanted = g_new0 (bool, from->symbols->n_functions);
    g_autoptr (PvSandwich) sandwich = g_new0 (PvSandwich, 1);
    Division division = {.function = function};
    init_half (&division.callers);
    init_half (&division.callees);
    is_wanted[function] = true;
    sandwich->function = function;
    if (pv_stack_walk_through (from, is_wanted, &visitor, &division, job)) {
        sandwich->callers = finish_half (from, &division.callers, job, error);
        if (sandwich->callers != NULL)
            sandwich->callees = finish_half (from, &division.callees, job, error);
    } else {
        pv_job_check (job, error);
    }
    clear_half (&division.callers);
    clear_half (&division.callees);
    return sandwich->callees != NULL ? g_steal_pointer (&sandwich) : NULL;
}

void
pv_sandwich_free (PvSandwich *sandwich)
{
    if (sandwich == NULL)
        return;
    pv_call_tree_free (sandwich->callers);
    pv_call_tree_free (sandwich->callees);
    g_free (sandwich);
}
