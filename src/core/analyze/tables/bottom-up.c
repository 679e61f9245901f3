/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The bottom-up tree on demand. A node has paths: the frames that its chain of callers has reached,
 * with the weight of their stacks. Expanding moves every path one caller up and sorts by the
 * caller's key; runs of equal keys are the children.
 */
#include <stdlib.h>
#include <string.h>

#include "core/analyze/query/key-sort.h"
#include "core/analyze/tables/functions.h"
#include "core/analyze/tree/call-tree-private.h"
#include "core/analyze/tree/stack-walk.h"
#include "core/base/arena.h"

/* A frame of a stack, as the reader names it. */
typedef struct {
    uint64_t key;
    uint64_t weight;
    PvStackId stack;
    uint32_t place;
} Path;

G_STATIC_ASSERT (sizeof (Path) == sizeof (PvKeyed));

typedef PV_ARRAY (Path) PathArray;

typedef struct {
    PvBottomUpNode *node; /* does not move when entries grow */
    uint64_t key;
    Path *paths; /* one caller further up; freed once expanded */
    size_t n_paths;
    uint32_t first_child;
    uint32_t n_children;
    bool is_expanded;
} Entry;

struct PvBottomUp {
    PvCallTree *tree;
    PvStackReader *reader;
    PV_ARRAY (Entry) entries; /* entry 0 is the parent of the roots */
    PvKeyedArray scratch;
    PvArena *arena;
};

static void
push_path (PathArray *paths, const PvStackFrame *frame, uint64_t weight)
{
    Path path = {frame->key, weight, frame->stack, frame->place};
    pv_array_push (paths, path);
}

/* A path for each stack with weight, at its leaf. */
static void
start_paths (const PvBottomUp *bottom_up, Entry *above)
{
    const PvCallTreeData *data = pv_call_tree_data (bottom_up->tree);
    PathArray paths = {0};
    PvStackFrame leaf;
    for (size_t i = 0; i < data->n_counted; i++) {
        if (pv_stack_reader_begin (bottom_up->reader, data->counted[i].stack, &leaf))
            push_path (&paths, &leaf, data->counted[i].weight);
    }
    above->n_paths = paths.len;
    above->paths = pv_array_steal (&paths);
}

PvBottomUp *
pv_bottom_up_new (const PvCallTree *tree)
{
    g_assert (tree != NULL);
    PvBottomUp *bottom_up = g_new0 (PvBottomUp, 1);
    bottom_up->tree = pv_call_tree_ref (pv_call_tree_top_down (tree));
    bottom_up->reader = pv_stack_reader_new (tree, NULL);
    bottom_up->arena = pv_arena_new ();
    Entry above = {0};
    start_paths (bottom_up, &above);
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
    pv_stack_reader_free (bottom_up->reader);
    pv_call_tree_free (bottom_up->tree);
    g_free (bottom_up);
}

/* Makes the node of n paths with the same key. */
static Entry
make_entry (PvBottomUp *bottom_up, const Path *paths, size_t n)
{
    PvBottomUpNode *node = pv_arena_alloc0 (bottom_up->arena, sizeof *node);
    PathArray callers = {0};
    PvStackFrame caller, own;
    size_t heaviest = 0;
    for (size_t i = 0; i < n; i++) {
        node->total += paths[i].weight;
        if (pv_stack_reader_next (bottom_up->reader, paths[i].stack, paths[i].place, &caller))
            push_path (&callers, &caller, paths[i].weight);
        else
            node->self += paths[i].weight;
        if (paths[i].weight > paths[heaviest].weight)
            heaviest = i;
    }
    pv_stack_reader_at (bottom_up->reader, paths[heaviest].stack, paths[heaviest].place, &own);
    node->function = own.function;
    node->frame = own.frame;
    node->has_children = callers.len > 0;
    Entry entry = {.node = node, .key = paths[0].key, .n_paths = callers.len};
    entry.paths = g_renew (Path, pv_array_steal (&callers), entry.n_paths);
    return entry;
}

/* Heaviest first. The sort is not stable, so equal weights are ordered by key. */
static int
compare_entries (const void *a, const void *b)
{
    const Entry *left = a, *right = b;
    if (left->node->total != right->node->total)
        return left->node->total > right->node->total ? -1 : 1;
    return (left->key > right->key) - (left->key < right->key);
}

static void
expand (PvBottomUp *bottom_up, uint32_t id)
{
    const PvTreeShape *shape = pv_call_tree_data (bottom_up->tree)->shape;
    g_autofree Path *paths = g_steal_pointer (&bottom_up->entries.data[id].paths);
    size_t n_paths = bottom_up->entries.data[id].n_paths;
    uint32_t first = (uint32_t)bottom_up->entries.len;
    pv_key_sort ((PvKeyed *)paths, n_paths, shape->n_key_bits, &bottom_up->scratch);
    for (size_t start = 0, end; start < n_paths; start = end) {
        for (end = start; end < n_paths && paths[end].key == paths[start].key; end++)
            ;
        Entry child = make_entry (bottom_up, paths + start, end - start);
        pv_array_push (&bottom_up->entries, child);
    }
    Entry *entry = &bottom_up->entries.data[id];
    entry->is_expanded = true;
    entry->first_child = first;
    entry->n_children = (uint32_t)bottom_up->entries.len - first;
    if (entry->n_children > 1)
        qsort (bottom_up->entries.data + first, entry->n_children, sizeof (Entry), compare_entries);
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
