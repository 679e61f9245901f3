/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The bottom-up tree on demand. A node has paths: the top-down nodes that its chain of callers has
 * reached, with the weight of their leaves. Expanding moves every path one caller up and sorts by
 * the caller's key; runs of equal keys are the children. Paths of one node end at different
 * top-down nodes, so nothing else needs merging.
 */
#include <stdlib.h>
#include <string.h>

#include "core/analyze/query/key-sort.h"
#include "core/analyze/tables/functions.h"
#include "core/analyze/tree/call-tree-private.h"
#include "core/base/arena.h"

typedef struct {
    uint64_t key;
    uint64_t weight;
    PvNodeId cursor;
    uint32_t padding;
} Path;

G_STATIC_ASSERT (sizeof (Path) == sizeof (PvKeyed));

typedef PV_ARRAY (Path) PathArray;

typedef struct {
    PvBottomUpNode *node; /* does not move when entries grow */
    Path *paths;          /* freed once expanded */
    uint32_t n_paths;
    uint32_t first_child;
    uint32_t n_children;
    bool is_expanded;
} Entry;

struct PvBottomUp {
    PvCallTree *tree;
    PV_ARRAY (Entry) entries; /* entry 0 is the parent of the roots */
    PvKeyedArray scratch;
    PvArena *arena;
};

static bool
has_caller (const PvCallTree *tree, PvNodeId node)
{
    return pv_call_tree_is_frame (tree, tree->parent_of_node[node]);
}

PvBottomUp *
pv_bottom_up_new (const PvCallTree *tree)
{
    g_assert (tree != NULL);
    PvBottomUp *bottom_up = g_new0 (PvBottomUp, 1);
    bottom_up->tree = pv_call_tree_ref (pv_call_tree_top_down (tree));
    bottom_up->arena = pv_arena_new ();
    Entry above = {0};
    pv_array_push (&bottom_up->entries, above);
    return bottom_up;
}

void
pv_bottom_up_free (PvBottomUp *bottom_up)
{
    if (bottom_up == NULL)
        return;
    for (size_t i = 0; i < bottom_up->entries.len; i++)
        g_free (bottom_up->entries.data[i].paths);
    pv_array_clear (&bottom_up->entries);
    pv_array_clear (&bottom_up->scratch);
    pv_arena_free (bottom_up->arena);
    pv_call_tree_free (bottom_up->tree);
    g_free (bottom_up);
}

static void
push_path (PathArray *paths, const PvCallTree *tree, PvNodeId cursor, uint64_t weight)
{
    Path path = {pv_call_tree_key (tree, cursor), weight, cursor, 0};
    pv_array_push (paths, path);
}

/* The entry's paths, one caller further up. */
static PathArray
step_up (const PvBottomUp *bottom_up, const Entry *entry, bool is_top)
{
    const PvCallTree *tree = bottom_up->tree;
    PathArray paths = {0};
    if (is_top) {
        for (PvNodeId n = 1; n < tree->n_nodes; n++) {
            if (tree->self[n] > 0 && pv_call_tree_is_frame (tree, n))
                push_path (&paths, tree, n, tree->self[n]);
        }
        return paths;
    }
    for (uint32_t i = 0; i < entry->n_paths; i++) {
        if (has_caller (tree, entry->paths[i].cursor))
            push_path (&paths, tree, tree->parent_of_node[entry->paths[i].cursor],
                       entry->paths[i].weight);
    }
    return paths;
}

static Entry
make_entry (PvBottomUp *bottom_up, const Path *paths, size_t n)
{
    const PvCallTree *tree = bottom_up->tree;
    PvBottomUpNode *node = pv_arena_alloc0 (bottom_up->arena, sizeof *node);
    size_t heaviest = 0;
    for (size_t i = 0; i < n; i++) {
        node->total += paths[i].weight;
        if (has_caller (tree, paths[i].cursor))
            node->has_children = true;
        else
            node->self += paths[i].weight;
        if (paths[i].weight > paths[heaviest].weight)
            heaviest = i;
    }
    node->node = paths[heaviest].cursor;
    node->function = tree->function_of_node[node->node];
    node->frame = tree->frame_of_node[node->node];
    return (Entry){
        .node = node, .n_paths = (uint32_t)n, .paths = g_memdup2 (paths, n * sizeof *paths)};
}

/* Heaviest first. The sort is not stable, so equal weights are ordered by key. */
static int
compare_entries (const void *a, const void *b, void *user)
{
    const Entry *left = a, *right = b;
    const PvCallTree *tree = user;
    if (left->node->total != right->node->total)
        return left->node->total > right->node->total ? -1 : 1;
    uint64_t left_key = pv_call_tree_key (tree, left->node->node);
    uint64_t right_key = pv_call_tree_key (tree, right->node->node);
    return (left_key > right_key) - (left_key < right_key);
}

static void
expand (PvBottomUp *bottom_up, uint32_t id)
{
    const PvCallTree *tree = bottom_up->tree;
    PathArray paths = step_up (bottom_up, &bottom_up->entries.data[id], id == 0);
    pv_key_sort ((PvKeyed *)paths.data, paths.len, pv_call_tree_data (tree)->shape->n_key_bits,
                 &bottom_up->scratch);
    uint32_t first = (uint32_t)bottom_up->entries.len;
    for (size_t start = 0, end; start < paths.len; start = end) {
        for (end = start; end < paths.len && paths.data[end].key == paths.data[start].key; end++)
            ;
        Entry child = make_entry (bottom_up, paths.data + start, end - start);
        pv_array_push (&bottom_up->entries, child);
    }
    pv_array_clear (&paths);
    Entry *entry = &bottom_up->entries.data[id];
    entry->is_expanded = true;
    entry->first_child = first;
    entry->n_children = (uint32_t)bottom_up->entries.len - first;
    g_clear_pointer (&entry->paths, g_free);
    if (entry->n_children > 1)
        qsort_r (bottom_up->entries.data + first, entry->n_children, sizeof (Entry),
                 compare_entries, (void *)tree);
}

/* Public ids do not count entry 0. */
uint32_t
pv_bottom_up_children (PvBottomUp *bottom_up, uint32_t node, uint32_t *ret_first)
{
    uint32_t id = node == PV_NODE_NONE ? 0 : node + 1;
    g_assert (id < bottom_up->entries.len);
    if (!bottom_up->entries.data[id].is_expanded)
        expand (bottom_up, id);
    *ret_first = bottom_up->entries.data[id].first_child - 1;
    return bottom_up->entries.data[id].n_children;
}

const PvBottomUpNode *
pv_bottom_up_get (const PvBottomUp *bottom_up, uint32_t node)
{
    g_assert (node + 1 < bottom_up->entries.len);
    return bottom_up->entries.data[node + 1].node;
}
