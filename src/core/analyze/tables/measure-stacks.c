/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sums of other measures by line, address and group: for each measure, the stacks of a tree that is
 * built for it. Frames and groups are found again by their keys and ids, which are the same in
 * trees of the same shape.
 */
#include "core/analyze/tables/measure-sums.h"
#include "core/analyze/tree/call-tree-private.h"
#include "core/analyze/tree/stack-walk.h"

#define NO_ROW UINT32_MAX

typedef struct {
    const PvCallTreeData *source; /* of the list; top-down */
    PvIdMap id_of_key;            /* of frames; ids from 1 */
    PvIdMap row_of_id;            /* place of the group << 32 | id -> index in the list + 1 */
    const PvCallTreeData *other;  /* whose stacks are walked */
    uint32_t place;               /* of the current group in the source, from 0; NO_ROW: none */
    uint32_t *depth;              /* how often each row is on the path */
    PvMeasureColumn *column;
} Rows;

static void
list_rows (Rows *rows, const PvFunctionList *list)
{
    for (uint32_t i = 0; i < list->n_rows; i++) {
        const PvFunctionRow *row = &list->rows[i];
        uint64_t key =
            pv_tree_shape_place_key (rows->source->shape, row->frame, row->function, row->location);
        uint32_t *id = pv_id_map_slot (&rows->id_of_key, key);
        if (*id == 0)
            *id = rows->id_of_key.len;
        *pv_id_map_slot (&rows->row_of_id, (uint64_t)row->group_place << 32 | *id) = i + 1;
    }
}

/* NO_ROW: the list does not have it. */
static uint32_t
find_row (const Rows *rows, uint64_t key)
{
    uint32_t id = rows->place != NO_ROW ? pv_id_map_find (&rows->id_of_key, key) : 0;
    return id != 0 ? pv_id_map_find (&rows->row_of_id, (uint64_t)rows->place << 32 | id) - 1
                   : NO_ROW;
}

static void
start_group (void *data, uint32_t group)
{
    Rows *rows = data;
    rows->place = 0;
    if (group < rows->other->n_groups) {
        uint64_t id = rows->other->groups[group];
        rows->place = pv_id_map_find (&rows->source->place_of_group, id + 1) - 1;
    }
}

static void
enter_frame (void *data, PvStackFrame *path, size_t depth)
{
    Rows *rows = data;
    uint32_t row = find_row (rows, path[depth].key);
    path[depth].mark = row;
    if (row != NO_ROW)
        rows->depth[row]++;
}

static void
leave_frame (void *data, PvStackFrame *path, size_t depth)
{
    Rows *rows = data;
    uint32_t row = path[depth].mark;
    if (row == NO_ROW)
        return;
    rows->column->self[row] += path[depth].self;
    if (--rows->depth[row] == 0)
        rows->column->total[row] += path[depth].total;
}

static bool
add_rows (Rows *rows, PvJob *job)
{
    static const PvStackVisitor visitor = {enter_frame, leave_frame, start_group, NULL};
    g_autoptr (PvCallTree) other =
        pv_call_tree_build_measure (&rows->source->tree, rows->column->measure, job, NULL);
    if (other == NULL)
        return false;
    rows->other = pv_call_tree_data (other);
    rows->column->whole = other->total[0];
    return pv_stack_walk (other, &visitor, rows, job);
}

PvMeasureSums *
pv_measure_sums_by_row (const PvCallTree *tree, const PvFunctionList *list,
                        const PvMeasureId *measures, uint32_t n_measures, PvJob *job)
{
    g_assert (tree != NULL && list != NULL);
    g_autoptr (PvMeasureSums) sums = pv_measure_sums_new (measures, n_measures, list->n_rows);
    Rows rows = {.source = pv_call_tree_data (pv_call_tree_top_down (tree))};
    list_rows (&rows, list);
    rows.depth = g_new0 (uint32_t, MAX (list->n_rows, 1));
    bool is_done = true;
    for (uint32_t m = 0; m < n_measures && is_done; m++) {
        rows.column = &sums->columns[m];
        is_done = add_rows (&rows, job);
    }
    g_free (rows.depth);
    pv_id_map_clear (&rows.id_of_key);
    pv_id_map_clear (&rows.row_of_id);
    return is_done ? g_steal_pointer (&sums) : NULL;
}
