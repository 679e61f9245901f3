/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The bottom-up tree: for every top-down node with self weight, the path from it up to the root;
 * paths with the same start share nodes. Built level by level from lists of (node reached, weight),
 * sorted by key. Does not follow paths below light nodes: a complete tree would have several times
 * the nodes of the top-down one, none of them visible.
 */
#include <string.h>

#include "core/analyze/query/key-sort.h"
#include "core/analyze/tree/call-tree-private.h"
#include "core/base/array.h"

enum { NODES_PER_CHECK = 4096, CUT_FRACTION = 100000 };

/* A path that has reached a node of the top-down tree. */
typedef struct {
    uint64_t key;
    uint64_t weight;
    PvNodeId cursor;
    uint32_t group;
} Path;

G_STATIC_ASSERT (sizeof (Path) == sizeof (PvKeyed));

typedef PV_ARRAY (Path) PathArray;
typedef PV_ARRAY (size_t) OffsetArray;

typedef struct {
    const PvCallTree *from;
    uint64_t cut;
    unsigned n_key_bits;
    PvNodeId *node_of_leaf; /* top-down node with self weight -> inverted node of its function */

    PV_ARRAY (uint32_t) parent;
    PV_ARRAY (uint32_t) origin;
    PV_ARRAY (uint32_t) group;
    PV_ARRAY (uint64_t) self;
    PV_ARRAY (uint64_t) total;

    PathArray paths;
    OffsetArray first_path;
    PathArray next_paths;
    OffsetArray next_first_path;
    PvKeyedArray scratch;
} Inversion;

static void
clear_inversion (Inversion *inversion)
{
    g_free (inversion->node_of_leaf);
    pv_array_clear (&inversion->parent);
    pv_array_clear (&inversion->origin);
    pv_array_clear (&inversion->group);
    pv_array_clear (&inversion->self);
    pv_array_clear (&inversion->total);
    pv_array_clear (&inversion->paths);
    pv_array_clear (&inversion->first_path);
    pv_array_clear (&inversion->next_paths);
    pv_array_clear (&inversion->next_first_path);
    pv_array_clear (&inversion->scratch);
}

static uint32_t
add_node (Inversion *inversion, uint32_t parent, uint32_t origin, uint32_t group)
{
    uint32_t node = (uint32_t)inversion->parent.len;
    pv_array_push (&inversion->parent, parent);
    pv_array_push (&inversion->origin, origin);
    if (inversion->from->group_of_node != NULL)
        pv_array_push (&inversion->group, group);
    pv_array_push (&inversion->self, 0);
    pv_array_push (&inversion->total, 0);
    return node;
}

/* Sorts the paths [first, n) of the next level; each run of equal keys is a child of parent,
 * represented by its heaviest path. */
static void
make_children (Inversion *inversion, uint32_t parent, size_t first, size_t n)
{
    Path *paths = inversion->next_paths.data;
    const uint32_t *origin_of_node = pv_call_tree_data (inversion->from)->origin_of_node;
    if (first == n)
        return;
    pv_key_sort ((PvKeyed *)(paths + first), n - first, inversion->n_key_bits, &inversion->scratch);
    for (size_t start = first, end; start < n; start = end) {
        uint64_t total = 0;
        size_t heaviest = start;
        for (end = start; end < n && paths[end].key == paths[start].key; end++) {
            total += paths[end].weight;
            if (paths[end].weight > paths[heaviest].weight)
                heaviest = end;
        }
        uint32_t node = add_node (inversion, parent, origin_of_node[paths[heaviest].cursor], 0);
        inversion->total.data[node] = total;
        pv_array_push (&inversion->next_first_path, start);
    }
}

/* Moves every path of the node one caller up, or ends it here. */
static void
expand_node (Inversion *inversion, uint32_t node, size_t first_path, size_t end_path)
{
    if (inversion->total.data[node] < inversion->cut) {
        inversion->self.data[node] = inversion->total.data[node];
        return;
    }
    const PvCallTree *from = inversion->from;
    size_t first = inversion->next_paths.len;
    for (size_t i = first_path; i < end_path; i++) {
        Path path = inversion->paths.data[i];
        path.cursor = from->parent_of_node[path.cursor];
        if (!pv_call_tree_is_frame (from, path.cursor)) {
            inversion->self.data[node] += path.weight;
            continue;
        }
        path.key = pv_call_tree_key (from, path.cursor);
        pv_array_push (&inversion->next_paths, path);
    }
    make_children (inversion, node, first, inversion->next_paths.len);
}

static void
enter_next_level (Inversion *inversion)
{
    PathArray paths = inversion->paths;
    inversion->paths = inversion->next_paths;
    inversion->next_paths = paths;
    inversion->next_paths.len = 0;
    OffsetArray offsets = inversion->first_path;
    inversion->first_path = inversion->next_first_path;
    inversion->next_first_path = offsets;
    inversion->next_first_path.len = 0;
    pv_array_push (&inversion->first_path, inversion->paths.len);
}

/* Pushes all top-down nodes with self weight, sorted by group. */
static void
push_leaves (Inversion *inversion, uint32_t n_groups)
{
    const PvCallTree *from = inversion->from;
    g_autofree uint32_t *group_of_node = n_groups > 0 ? g_new0 (uint32_t, from->n_nodes) : NULL;
    for (PvNodeId n = 1; n < from->n_nodes; n++) {
        if (group_of_node != NULL)
            group_of_node[n] = pv_call_tree_is_group (from, n)
                                   ? n - from->first_child[0]
                                   : group_of_node[from->parent_of_node[n]];
        if (from->self[n] == 0 || pv_call_tree_is_group (from, n))
            continue;
        uint32_t group = group_of_node != NULL ? group_of_node[n] : 0;
        Path path = {group, from->self[n], n, group};
        pv_array_push (&inversion->next_paths, path);
    }
    if (n_groups > 1)
        pv_key_sort ((PvKeyed *)inversion->next_paths.data, inversion->next_paths.len,
                     pv_bits_for (n_groups), &inversion->scratch);
}

/* Makes the functions below the root, or below a group, from the leaves [first, end). */
static void
start_group (Inversion *inversion, uint32_t parent, size_t first, size_t end)
{
    Path *paths = inversion->next_paths.data;
    for (size_t i = first; i < end; i++)
        paths[i].key = pv_call_tree_key (inversion->from, paths[i].cursor);
    uint32_t child = (uint32_t)inversion->parent.len;
    make_children (inversion, parent, first, end);
    for (size_t i = first; i < end; i++) {
        if (i > first && paths[i].key != paths[i - 1].key)
            child++;
        inversion->node_of_leaf[paths[i].cursor] = child;
    }
}

/* Makes the root, the groups, and the functions with self weight. Returns the first of the
 * functions. */
static uint32_t
start_inversion (Inversion *inversion)
{
    const PvCallTree *from = inversion->from;
    add_node (inversion, UINT32_MAX, 0, 0);
    inversion->self.data[0] = from->self[0];
    inversion->node_of_leaf[0] = 0;
    uint32_t n_groups =
        from->group_of_node != NULL ? from->first_child[1] - from->first_child[0] : 0;
    for (uint32_t g = 0; g < n_groups; g++) {
        PvNodeId group_node = from->first_child[0] + g;
        uint32_t node = add_node (inversion, 0, PV_ORIGIN_GROUP, from->group_of_node[group_node]);
        inversion->self.data[node] = from->self[group_node];
        inversion->node_of_leaf[group_node] = node;
    }
    push_leaves (inversion, n_groups);
    size_t n = inversion->next_paths.len;
    for (size_t start = 0, end; start < n; start = end) {
        uint32_t group = inversion->next_paths.data[start].group;
        for (end = start; end < n && inversion->next_paths.data[end].group == group; end++)
            ;
        start_group (inversion, n_groups > 0 ? 1 + group : 0, start, end);
    }
    return 1 + n_groups;
}

static bool
follow_paths (Inversion *inversion, uint32_t level_start, PvJob *job, GError **error)
{
    while (level_start < inversion->parent.len) {
        enter_next_level (inversion);
        uint32_t n_in_level = (uint32_t)inversion->parent.len - level_start;
        for (uint32_t i = 0; i < n_in_level; i++) {
            if (i % NODES_PER_CHECK == 0 && !pv_job_check (job, error))
                return false;
            expand_node (inversion, level_start + i, inversion->first_path.data[i],
                         inversion->first_path.data[i + 1]);
        }
        level_start += n_in_level;
    }
    return true;
}

bool
pv_raw_tree_invert (PvRawTree *ret_raw, const PvCallTree *top_down, PvJob *job, GError **error)
{
    const PvTreeShape *shape = pv_call_tree_data (top_down)->shape;
    Inversion inversion = {
        .from = top_down,
        .cut = top_down->total[0] / CUT_FRACTION,
        .n_key_bits = shape->n_key_bits,
        .node_of_leaf = g_new (PvNodeId, top_down->n_nodes),
    };
    memset (inversion.node_of_leaf, 0xff, top_down->n_nodes * sizeof (PvNodeId));
    uint32_t first = start_inversion (&inversion);
    if (!follow_paths (&inversion, first, job, error)) {
        clear_inversion (&inversion);
        return false;
    }
    uint32_t n_stacks = MAX (top_down->profile->n_stacks, 1);
    PvRawTree raw = {.n_nodes = (uint32_t)inversion.parent.len};
    raw.node_of_stack = g_new (uint32_t, n_stacks);
    for (PvStackId s = 0; s < n_stacks; s++) {
        PvNodeId node = top_down->node_of_stack[s];
        raw.node_of_stack[s] = node == PV_NODE_NONE ? PV_NODE_NONE : inversion.node_of_leaf[node];
    }
    /* What the arrays could still grow by would stay as long as the tree is laid out. */
    raw.parent = g_renew (uint32_t, pv_array_steal (&inversion.parent), raw.n_nodes);
    raw.self = g_renew (uint64_t, pv_array_steal (&inversion.self), raw.n_nodes);
    raw.origin = g_renew (uint32_t, pv_array_steal (&inversion.origin), raw.n_nodes);
    raw.group = pv_array_steal (&inversion.group);
    clear_inversion (&inversion);
    *ret_raw = raw;
    return true;
}
