/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/code/line-costs.h"

#include <stdlib.h>
#include <string.h>

#include "core/analyze/tree/stack-walk.h"
#include "core/base/array.h"
#include "core/base/idmap.h"

/* A sum under construction; row 0 is of frames of other functions. */
typedef struct {
    PvLineCost cost;
    uint32_t function; /* index of its function's row */
    uint32_t depth;    /* how often it is on the current path */
} Row;

typedef struct {
    PvFunctionId function;
    PvFunctionLines sums;
    uint32_t depth;
} FunctionRow;

typedef struct {
    const bool *is_wanted;
    PvIdMap row_of_key; /* of frames: see PvStackFrame */
    PvIdMap row_of_function;
    PV_ARRAY (Row) rows;
    PV_ARRAY (FunctionRow) functions; /* row 0 is none */
} Gather;

static uint32_t
row_of_function (Gather *gather, PvFunctionId function)
{
    uint32_t *row = pv_id_map_slot (&gather->row_of_function, function);
    if (*row == 0) {
        FunctionRow added = {.function = function, .sums = {.function = function}};
        *row = (uint32_t)gather->functions.len;
        pv_array_push (&gather->functions, added);
    }
    return *row;
}

static uint32_t
row_of_frame (Gather *gather, const PvStackFrame *frame)
{
    if (frame->function == 0 || !gather->is_wanted[frame->function])
        return 0;
    uint32_t *row = pv_id_map_slot (&gather->row_of_key, frame->key);
    if (*row == 0) {
        Row added = {.cost = {.file = frame->frame->file, .line = frame->frame->line},
                     .function = row_of_function (gather, frame->function)};
        *row = (uint32_t)gather->rows.len;
        pv_array_push (&gather->rows, added);
    }
    return *row;
}

static void
enter_frame (void *data, PvStackFrame *path, size_t depth)
{
    Gather *gather = data;
    uint32_t r = row_of_frame (gather, &path[depth]);
    path[depth].mark = r;
    gather->rows.data[r].depth++;
    gather->functions.data[gather->rows.data[r].function].depth++;
}

static void
leave_frame (void *data, PvStackFrame *path, size_t depth)
{
    Gather *gather = data;
    const PvStackFrame *frame = &path[depth];
    Row *row = &gather->rows.data[frame->mark];
    FunctionRow *function = &gather->functions.data[row->function];
    row->cost.self += frame->self;
    function->sums.self += frame->self;
    if (--row->depth == 0)
        row->cost.total += frame->total;
    if (--function->depth == 0)
        function->sums.total += frame->total;
}

static int
compare_files (const char *a, const char *b)
{
    return a == b ? 0 : g_strcmp0 (a, b); /* NULL comes first */
}

static int
compare_rows (const void *a, const void *b)
{
    const Row *left = a, *right = b;
    if (left->function != right->function)
        return left->function < right->function ? -1 : 1;
    int order = compare_files (left->cost.file, right->cost.file);
    if (order != 0)
        return order;
    return (left->cost.line > right->cost.line) - (left->cost.line < right->cost.line);
}

static int
compare_functions (const void *a, const void *b)
{
    const PvFunctionLines *left = a, *right = b;
    if (left->total != right->total)
        return left->total > right->total ? -1 : 1;
    return left->function < right->function ? -1 : 1;
}

/* The file with the largest part of its total: lines of macros are in others. */
static const char *
find_main_file (const PvFunctionLines *function)
{
    const char *best = NULL;
    uint64_t best_total = 0, total = 0;
    for (uint32_t i = 0; i < function->n_lines; i++) {
        const PvLineCost *line = &function->lines[i];
        bool is_next = i > 0 && compare_files (line->file, line[-1].file) == 0;
        total = (is_next ? total : 0) + line->total;
        if (line->file != NULL && (best == NULL || total > best_total)) {
            best = line->file;
            best_total = total;
        }
    }
    return best;
}

static PvLineCosts *
make_costs (Gather *gather)
{
    PvLineCosts *costs = g_new0 (PvLineCosts, 1);
    const size_t n_rows = gather->rows.len - 1;
    qsort (gather->rows.data + 1, n_rows, sizeof (Row), compare_rows);
    costs->lines = g_new (PvLineCost, MAX (n_rows, 1));
    costs->n_functions = (uint32_t)gather->functions.len - 1;
    costs->functions = g_new (PvFunctionLines, MAX (costs->n_functions, 1));
    for (size_t r = 1; r <= n_rows; r++) {
        PvFunctionLines *function = &gather->functions.data[gather->rows.data[r].function].sums;
        costs->lines[r - 1] = gather->rows.data[r].cost;
        if (function->n_lines++ == 0)
            function->lines = &costs->lines[r - 1];
    }
    for (uint32_t f = 0; f < costs->n_functions; f++) {
        costs->functions[f] = gather->functions.data[f + 1].sums;
        costs->functions[f].file = find_main_file (&costs->functions[f]);
    }
    qsort (costs->functions, costs->n_functions, sizeof (PvFunctionLines), compare_functions);
    return costs;
}

PvLineCosts *
pv_line_costs_build (const PvCallTree *tree, const bool *is_wanted, PvJob *job)
{
    g_assert (tree != NULL && is_wanted != NULL);
    g_assert (tree->query.granularity == PV_BY_LINE);

    static const PvStackVisitor visitor = {enter_frame, leave_frame, NULL, NULL};
    Gather gather = {.is_wanted = is_wanted};
    pv_array_push (&gather.rows, (Row){0});
    pv_array_push (&gather.functions, (FunctionRow){0});
    PvLineCosts *costs = NULL;
    if (pv_stack_walk_through (tree, is_wanted, &visitor, &gather, job))
        costs = make_costs (&gather);
    pv_id_map_clear (&gather.row_of_key);
    pv_id_map_clear (&gather.row_of_function);
    pv_array_clear (&gather.rows);
    pv_array_clear (&gather.functions);
    return costs;
}

void
pv_line_costs_free (PvLineCosts *costs)
{
    if (costs == NULL)
        return;
    g_free (costs->functions);
    g_free (costs->lines);
    g_free (costs);
}
