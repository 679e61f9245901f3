/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/tables/functions.h"

#include <stdlib.h>

#include "core/analyze/query/heap-weights.h"
#include "core/analyze/tables/known-totals.h"
#include "core/analyze/tree/call-tree-private.h"
#include "core/analyze/tree/stack-walk.h"
#include "core/base/array.h"
#include "core/base/idmap.h"

/* Rows under construction; row 0 is for frames that are not functions. */
typedef struct {
    const PvCallTree *tree;
    bool by_group;
    uint32_t group_place; /* of the current group, if by group */
    const char *group;    /* its name */
    PvIdMap row_of_key;   /* if there are keys; else rows are function ids */
    PV_ARRAY (PvFunctionRow) rows;
    PV_ARRAY (uint64_t) best;  /* the goodness of the row's frame */
    PV_ARRAY (uint32_t) depth; /* how often the row is on the current path */
} Gather;

/* Rows of lines, addresses and groups are numbered as they come. */
static bool
has_keys (const Gather *gather)
{
    return gather->by_group || gather->tree->query.granularity != PV_BY_FUNCTION;
}

static uint32_t
row_of_frame (Gather *gather, const PvStackFrame *frame)
{
    const bool is_by_function = gather->tree->query.granularity == PV_BY_FUNCTION;
    if (!has_keys (gather))
        return frame->function;
    if (is_by_function && frame->function == 0)
        return 0;
    uint32_t *row = pv_id_map_slot (&gather->row_of_key, frame->key);
    if (*row == 0) {
        *row = (uint32_t)gather->rows.len;
        pv_array_resize (&gather->rows, gather->rows.len + 1);
        pv_array_resize (&gather->best, gather->best.len + 1);
        pv_array_resize (&gather->depth, gather->depth.len + 1);
    }
    return *row;
}

/* The rows of the group before are complete. */
static void
start_group (void *data, uint32_t group)
{
    Gather *gather = data;
    const PvCallTreeData *tree = pv_call_tree_data (gather->tree);
    if (!gather->by_group)
        return;
    pv_id_map_clear (&gather->row_of_key);
    gather->group_place = group;
    gather->group = group < tree->n_groups ? tree->group_names[group] : NULL;
}

static void
enter_frame (void *data, PvStackFrame *path, size_t depth)
{
    Gather *gather = data;
    path[depth].mark = row_of_frame (gather, &path[depth]);
    gather->depth.data[path[depth].mark]++;
}

/* Self weight decides which frame is the function's hottest; without any, total weight. */
static uint64_t
goodness (const PvStackFrame *frame)
{
    return frame->self > 0 ? frame->self | (uint64_t)1 << 63 : frame->total;
}

static void
leave_frame (void *data, PvStackFrame *path, size_t depth)
{
    Gather *gather = data;
    const PvStackFrame *frame = &path[depth];
    uint32_t r = frame->mark;
    PvFunctionRow *row = &gather->rows.data[r];
    row->self += frame->self;
    if (--gather->depth.data[r] == 0)
        row->total += frame->total;
    if (goodness (frame) > gather->best.data[r]) {
        gather->best.data[r] = goodness (frame);
        row->function = frame->function;
        row->frame = frame->frame;
        row->location = gather->tree->profile->location_of_stack[frame->stack];
        row->group_place = gather->group_place;
        row->group = gather->group;
    }
}

static bool
gather_rows (Gather *gather, PvJob *job)
{
    static const PvStackVisitor visitor = {enter_frame, leave_frame, start_group, NULL};
    return pv_stack_walk (gather->tree, &visitor, gather, job);
}

/* Lifetimes */

/* The row of the function at which the site's stack ends; 0: no row. */
static uint32_t
row_of_site (const Gather *gather, PvStackReader *reader, uint32_t site)
{
    const PvFocus *focus = pv_call_tree_data (gather->tree)->focus;
    PvStackId stack = gather->tree->profile->heap->stack_of_site[site];
    PvStackFrame leaf;
    if ((focus != NULL && !focus->is_kept[stack]) || !pv_stack_reader_begin (reader, stack, &leaf))
        return 0;
    return has_keys (gather) ? pv_id_map_find (&gather->row_of_key, leaf.key) : leaf.function;
}

/* Sorts the sites by row, then adds up row by row. */
static void
fill_medians (Gather *gather, PvStackReader *reader, const PvHeap *heap)
{
    g_autofree uint32_t *row_of = g_new (uint32_t, MAX (heap->n_sites, 1));
    g_autofree uint32_t *next = g_new0 (uint32_t, gather->rows.len + 1);
    g_autofree uint32_t *site_of_place = g_new (uint32_t, MAX (heap->n_sites, 1));
    g_autofree PvHeapAgeSum *sum = g_new0 (PvHeapAgeSum, 1);
    for (uint32_t s = 0; s < heap->n_sites; s++) {
        row_of[s] = row_of_site (gather, reader, s);
        next[row_of[s] + 1]++;
    }
    for (size_t r = 0; r < gather->rows.len; r++)
        next[r + 1] += next[r];
    for (uint32_t s = 0; s < heap->n_sites; s++)
        site_of_place[next[row_of[s]]++] = s;
    /* Now next[r] is the end of row r. */
    for (size_t r = 1; r < gather->rows.len; r++) {
        for (uint32_t i = next[r - 1]; i < next[r]; i++)
            pv_heap_age_sum_add (sum, heap, site_of_place[i]);
        if (sum->n_blocks == 0)
            continue;
        gather->rows.data[r].median_ms = pv_heap_age_sum_get_median (sum);
        for (uint32_t i = next[r - 1]; i < next[r]; i++)
            pv_heap_age_sum_remove (sum, heap, site_of_place[i]);
    }
}

static bool
find_medians (Gather *gather, PvJob *job)
{
    const PvHeap *heap = gather->tree->profile->heap;
    for (size_t r = 0; r < gather->rows.len; r++)
        gather->rows.data[r].median_ms = UINT64_MAX;
    if (heap == NULL || heap->first_age_of_site == NULL || gather->by_group)
        return true;
    g_autoptr (PvStackReader) reader = pv_stack_reader_new (gather->tree, job);
    if (reader != NULL)
        fill_medians (gather, reader, heap);
    return reader != NULL;
}

/* The list */

/* Prefers totals that the file states to those of the stacks, which may lack a function. */
static void
put_known_totals (Gather *gather)
{
    const PvCallTree *tree = gather->tree;
    const PvKnownCalls *calls = pv_known_calls_find (tree->profile, &tree->query);
    g_autofree uint64_t *known = pv_known_totals_list (tree->profile, tree->symbols, &tree->query);
    for (uint32_t i = 0; known != NULL && i < calls->n_functions; i++) {
        uint32_t n_frames;
        const PvFrame *frames =
            pv_symbol_table_frames (tree->symbols, calls->functions[i], &n_frames);
        const PvFrame *frame = &frames[n_frames - 1];
        PvFunctionRow *row = &gather->rows.data[frame->function];
        row->total = pv_known_total_choose (known, frame->function, row->self, row->total);
        if (row->frame != NULL)
            continue;
        row->function = frame->function;
        row->frame = frame;
        row->location = calls->functions[i];
    }
}

static int
compare_rows (const void *a, const void *b, void *user)
{
    const PvFunctionRow *left = a, *right = b;
    const PvNameRanks *ranks = user;
    if (left->self != right->self)
        return left->self > right->self ? -1 : 1;
    if (left->total != right->total)
        return left->total > right->total ? -1 : 1;
    int by_name = pv_name_ranks_compare (ranks, left->function, right->function);
    if (by_name != 0)
        return by_name;
    if (left->frame->line != right->frame->line)
        return left->frame->line < right->frame->line ? -1 : 1;
    if (left->location != right->location)
        return left->location < right->location ? -1 : 1;
    return g_strcmp0 (left->group, right->group);
}

static PvFunctionList *
build_list (const PvCallTree *tree, bool by_group, PvJob *job)
{
    Gather gather = {.tree = pv_call_tree_top_down (tree), .by_group = by_group};
    const PvTreeShape *shape = pv_call_tree_data (tree)->shape;
    uint32_t n = has_keys (&gather) ? 1 : tree->symbols->n_functions;
    pv_array_resize (&gather.rows, MAX (n, 1));
    pv_array_resize (&gather.best, MAX (n, 1));
    pv_array_resize (&gather.depth, MAX (n, 1));
    bool is_done = gather_rows (&gather, job) && find_medians (&gather, job);
    pv_array_clear (&gather.best);
    pv_array_clear (&gather.depth);
    pv_id_map_clear (&gather.row_of_key);
    if (!is_done) {
        pv_array_clear (&gather.rows);
        return NULL;
    }
    put_known_totals (&gather);
    PvFunctionList *list = g_new0 (PvFunctionList, 1);
    for (size_t i = 1; i < gather.rows.len; i++) {
        if (gather.rows.data[i].total > 0)
            gather.rows.data[list->n_rows++] = gather.rows.data[i];
    }
    list->rows = g_renew (PvFunctionRow, gather.rows.data, MAX (list->n_rows, 1));
    qsort_r (list->rows, list->n_rows, sizeof (PvFunctionRow), compare_rows, shape->ranks);
    return list;
}

PvFunctionList *
pv_function_list_build (const PvCallTree *tree, PvJob *job)
{
    g_assert (tree != NULL);
    return build_list (tree, false, job);
}

PvFunctionList *
pv_function_list_build_by_group (const PvCallTree *tree, PvJob *job)
{
    g_assert (tree != NULL);
    return build_list (tree, tree->query.grouping != PV_GROUP_NONE, job);
}

void
pv_function_list_free (PvFunctionList *list)
{
    if (list == NULL)
        return;
    g_free (list->rows);
    g_free (list);
}
