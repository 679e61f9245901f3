/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The bottom-up tree on demand. A node has paths: the frames that its chain of callers has reached,
 * each of the stack that it began with. Expanding moves every path one caller up and sorts by the
 * caller's key; runs of equal keys are the children. Stacks that only other measures weigh have
 * paths too, but no nodes of their own.
 */
#include <stdlib.h>

#include "core/analyze/query/key-sort.h"
#include "core/analyze/tables/bottom-up.h"
#include "core/analyze/tree/call-tree-private.h"
#include "core/analyze/tree/stack-walk.h"
#include "core/base/arena.h"
#include "core/base/large.h"

/* A frame of a stack, as the reader names it. */
typedef struct {
    uint64_t key;
    uint32_t start; /* index, among stacks with weight, of the one where the path began */
    PvStackId stack;
    uint32_t place;
    uint32_t unused;
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
    uint64_t *others; /* of the other measures: totals, then self; NULL without any */
} Entry;

struct PvBottomUp {
    PvCallTree *tree;
    PvStackReader *reader;
    PV_ARRAY (Entry) entries;     /* entry 0 is the parent of the roots */
    PV_ARRAY (uint32_t) expanded; /* entries, in the order of their expansion */
    uint32_t n_measures;          /* besides the tree's own */
    PvMeasureId *measures;
    uint64_t *wholes;
    uint64_t *weights; /* by start of a path: of the tree's own measure, then of the others */
    PvKeyedArray scratch;
    PvArena *arena;
};

static void
push_path (PathArray *paths, const PvStackFrame *frame, uint32_t start)
{
    Path path = {.key = frame->key, .start = start, .stack = frame->stack, .place = frame->place};
    pv_array_push (paths, path);
}

/* Weights by each measure at the start of a path, the tree's own first. */
static uint64_t *
weights_at (const PvBottomUp *bottom_up, uint32_t start)
{
    return bottom_up->weights + (size_t)start * (1 + bottom_up->n_measures);
}

/* A path at the leaf of a stack; its weights are still 0. Returns where it starts, UINT32_MAX if
 * the stack has no frame. */
static uint32_t
start_path (PvBottomUp *bottom_up, PathArray *paths, PvStackId stack)
{
    PvStackFrame leaf;
    if (!pv_stack_reader_begin (bottom_up->reader, stack, &leaf))
        return UINT32_MAX;
    push_path (paths, &leaf, (uint32_t)paths->len);
    return (uint32_t)paths->len - 1;
}

/* A path for each stack that the tree counts. */
static void
start_counted (PvBottomUp *bottom_up, PathArray *paths)
{
    const PvCallTreeData *data = pv_call_tree_data (bottom_up->tree);
    bottom_up->weights = pv_new0_large (uint64_t, MAX (data->n_counted, 1));
    for (size_t i = 0; i < data->n_counted; i++) {
        uint32_t start = start_path (bottom_up, paths, data->counted[i].stack);
        if (start != UINT32_MAX)
            *weights_at (bottom_up, start) = data->counted[i].weight;
    }
}

/* By stack, the weights of the tree's own measure. */
static uint64_t *
sum_counted (const PvCallTree *tree)
{
    const PvCallTreeData *data = pv_call_tree_data (tree);
    uint64_t *weight_of_stack = pv_new0_large (uint64_t, MAX (tree->profile->n_stacks, 1));
    for (size_t i = 0; i < data->n_counted; i++)
        weight_of_stack[data->counted[i].stack] += data->counted[i].weight;
    return weight_of_stack;
}

static void
start_weighed (PvBottomUp *bottom_up, PathArray *paths, uint64_t *const *weight_of_stack)
{
    uint32_t n_columns = 1 + bottom_up->n_measures, n_stacks = bottom_up->tree->profile->n_stacks;
    PV_ARRAY (uint64_t) weights = {0};
    for (PvStackId s = 0; s < n_stacks; s++) {
        bool has_weight = false;
        for (uint32_t c = 0; c < n_columns && !has_weight; c++)
            has_weight = weight_of_stack[c][s] > 0;
        if (!has_weight || start_path (bottom_up, paths, s) == UINT32_MAX)
            continue;
        for (uint32_t c = 0; c < n_columns; c++)
            pv_array_push (&weights, weight_of_stack[c][s]);
    }
    bottom_up->weights = pv_array_steal (&weights);
}

/* The same for each stack that any of the measures weighs. False when cancelled. */
static bool
start_others (PvBottomUp *bottom_up, PathArray *paths, PvJob *job)
{
    uint32_t n = bottom_up->n_measures;
    g_autofree uint64_t **weight_of_stack = g_new0 (uint64_t *, 1 + n);
    bool is_done = true;
    weight_of_stack[0] = sum_counted (bottom_up->tree);
    for (uint32_t m = 0; m < n && is_done; m++) {
        weight_of_stack[1 + m] = pv_measure_weigh_stacks (bottom_up->tree, bottom_up->measures[m],
                                                          &bottom_up->wholes[m], job);
        is_done = weight_of_stack[1 + m] != NULL;
    }
    if (is_done)
        start_weighed (bottom_up, paths, weight_of_stack);
    for (uint32_t c = 0; c < 1 + n; c++)
        g_free (weight_of_stack[c]);
    return is_done;
}

PvBottomUp *
pv_bottom_up_new (const PvCallTree *tree, const PvMeasureId *measures, uint32_t n_measures,
                  PvJob *job)
{
    g_assert (tree != NULL && (measures != NULL || n_measures == 0));
    g_autoptr (PvBottomUp) bottom_up = g_new0 (PvBottomUp, 1);
    bottom_up->tree = pv_call_tree_ref (pv_call_tree_top_down (tree));
    bottom_up->reader = pv_stack_reader_new (tree, job);
    bottom_up->arena = pv_arena_new ();
    bottom_up->n_measures = n_measures;
    bottom_up->measures = g_memdup2 (measures, n_measures * sizeof (PvMeasureId));
    bottom_up->wholes = g_new0 (uint64_t, MAX (n_measures, 1));
    if (bottom_up->reader == NULL)
        return NULL;
    PathArray paths = {0};
    if (n_measures == 0)
        start_counted (bottom_up, &paths);
    else if (!start_others (bottom_up, &paths, job)) {
        pv_array_clear (&paths);
        return NULL;
    }
    Entry above = {.n_paths = paths.len};
    above.paths = pv_array_steal (&paths);
    pv_array_push (&bottom_up->entries, above);
    return g_steal_pointer (&bottom_up);
}

void
pv_bottom_up_free (PvBottomUp *bottom_up)
{
    if (bottom_up == NULL)
        return;
    for (size_t i = 0; i < bottom_up->entries.len; i++)
        g_free (bottom_up->entries.data[i].paths);
    pv_array_clear (&bottom_up->entries);
    pv_array_clear (&bottom_up->expanded);
    pv_array_clear (&bottom_up->scratch);
    g_free (bottom_up->measures);
    g_free (bottom_up->wholes);
    g_free (bottom_up->weights);
    pv_arena_free (bottom_up->arena);
    pv_stack_reader_free (bottom_up->reader);
    pv_call_tree_free (bottom_up->tree);
    g_free (bottom_up);
}

static void
add_others (const PvBottomUp *bottom_up, uint32_t start, uint64_t *others, bool is_self)
{
    const uint64_t *weights = weights_at (bottom_up, start) + 1;
    uint32_t n = bottom_up->n_measures;
    for (uint32_t m = 0; m < n; m++) {
        others[m] += weights[m];
        if (is_self)
            others[n + m] += weights[m];
    }
}

/* Makes the node of n paths with the same key, which have weight. */
static Entry
make_entry (PvBottomUp *bottom_up, const Path *paths, size_t n)
{
    PvBottomUpNode *node = pv_arena_alloc0 (bottom_up->arena, sizeof *node);
    uint64_t *others =
        bottom_up->n_measures > 0
            ? pv_arena_alloc0 (bottom_up->arena, 2 * bottom_up->n_measures * sizeof (uint64_t))
            : NULL;
    PathArray callers = {0};
    PvStackFrame caller, own;
    size_t heaviest = 0;
    for (size_t i = 0; i < n; i++) {
        uint64_t weight = *weights_at (bottom_up, paths[i].start);
        bool has_caller =
            pv_stack_reader_next (bottom_up->reader, paths[i].stack, paths[i].place, &caller);
        node->total += weight;
        if (has_caller)
            push_path (&callers, &caller, paths[i].start);
        else
            node->self += weight;
        if (others != NULL)
            add_others (bottom_up, paths[i].start, others, !has_caller);
        if (weight > *weights_at (bottom_up, paths[heaviest].start))
            heaviest = i;
    }
    pv_stack_reader_at (bottom_up->reader, paths[heaviest].stack, paths[heaviest].place, &own);
    node->function = own.function;
    node->frame = own.frame;
    node->has_children = node->self < node->total;
    Entry entry = {.node = node, .key = paths[0].key, .n_paths = callers.len, .others = others};
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
        bool has_weight = false;
        for (end = start; end < n_paths && paths[end].key == paths[start].key; end++)
            has_weight |= *weights_at (bottom_up, paths[end].start) > 0;
        if (!has_weight)
            continue;
        Entry child = make_entry (bottom_up, paths + start, end - start);
        pv_array_push (&bottom_up->entries, child);
    }
    pv_array_push (&bottom_up->expanded, id);
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

void
pv_bottom_up_repeat (PvBottomUp *bottom_up, const PvBottomUp *other)
{
    g_assert (bottom_up != NULL && other != NULL && bottom_up->tree == other->tree);
    g_assert (bottom_up->expanded.len == 0);
    for (size_t i = 0; i < other->expanded.len; i++)
        expand (bottom_up, other->expanded.data[i]);
}

PvMeasureSums *
pv_bottom_up_sum (const PvBottomUp *bottom_up, uint32_t first, uint32_t n)
{
    g_assert (bottom_up != NULL && first + n + 1 <= bottom_up->entries.len);
    uint32_t n_measures = bottom_up->n_measures;
    PvMeasureSums *sums = pv_measure_sums_new (bottom_up->measures, n_measures, n);
    for (uint32_t m = 0; m < n_measures; m++) {
        PvMeasureColumn *column = &sums->columns[m];
        column->whole = bottom_up->wholes[m];
        for (uint32_t i = 0; i < n; i++) {
            const uint64_t *others = bottom_up->entries.data[1 + first + i].others;
            column->total[i] = others[m];
            column->self[i] = others[n_measures + m];
        }
    }
    return sums;
}

bool
pv_bottom_up_has (const PvBottomUp *bottom_up, const PvMeasureId *measures, uint32_t n_measures)
{
    g_assert (bottom_up != NULL && (measures != NULL || n_measures == 0));
    for (uint32_t i = 0; i < n_measures; i++) {
        bool is_known = false;
        for (uint32_t m = 0; m < bottom_up->n_measures && !is_known; m++)
            is_known = bottom_up->measures[m] == measures[i];
        if (!is_known)
            return false;
    }
    return true;
}
