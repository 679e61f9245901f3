/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/tables/child-index.h"
#include "core/analyze/tables/measure-sums.h"
#include "core/analyze/tree/call-tree-private.h"
#include "core/analyze/tree/stack-walk.h"

/* The mark of a frame is its node + 1 among the callees; 0: it is outside the function. */
#define MARK_CUT 0x80000000u /* the node stands for a frame outside it, as there is no child */

/* On the way through the stacks. */
typedef struct {
    PvFunctionId function;
    PvChildIndex callers;
    PvChildIndex callees;
    PvNodeId caller; /* of the stacks that are inside the function now */
    bool is_caller_cut;
    PvStackWeights weights;
    PvMeasureColumn *caller_columns;
    PvMeasureColumn *callee_columns;
} Dividing;

static uint32_t
find_callee (const Dividing *dividing, uint32_t mark, uint64_t key)
{
    if ((mark & MARK_CUT) != 0)
        return mark;
    PvNodeId child = pv_child_index_find (&dividing->callees, mark - 1, key);
    return child != 0 ? child + 1 : mark | MARK_CUT;
}

/* Goes out from the function as far as there are nodes. */
static void
find_caller (Dividing *dividing, const PvStackFrame *path, size_t depth)
{
    PvNodeId node = 0, next = 0;
    size_t i = depth + 1;
    for (; i > 0; i--, node = next) {
        next = pv_child_index_find (&dividing->callers, node, path[i - 1].key);
        if (next == 0)
            break;
    }
    dividing->caller = node;
    dividing->is_caller_cut = i > 0;
}

static void
enter_frame (void *data, PvStackFrame *path, size_t depth)
{
    Dividing *dividing = data;
    uint32_t outside = depth > 0 ? path[depth - 1].mark : 0;
    if (outside != 0) {
        path[depth].mark = find_callee (dividing, outside, path[depth].key);
    } else if (path[depth].function == dividing->function) {
        path[depth].mark = find_callee (dividing, 1, path[depth].key);
        find_caller (dividing, path, depth);
    }
}

static void
add (PvMeasureColumn *column, PvNodeId node, bool is_cut, uint64_t weight)
{
    column->total[node] += weight;
    if (!is_cut)
        column->self[node] += weight;
}

static void
count_stack (void *data, PvStackFrame *path, size_t depth, PvStackId stack)
{
    Dividing *dividing = data;
    uint32_t mark = path[depth].mark;
    if (mark == 0)
        return;
    for (uint32_t m = 0; m < dividing->weights.n_measures; m++) {
        uint64_t weight = dividing->weights.of_stack[m][stack];
        add (&dividing->caller_columns[m], dividing->caller, dividing->is_caller_cut, weight);
        add (&dividing->callee_columns[m], (mark & ~MARK_CUT) - 1, (mark & MARK_CUT) != 0, weight);
    }
}

/* The root has everything, also what is not in the function. */
static void
finish_column (const PvCallTree *tree, PvMeasureColumn *column, uint64_t whole)
{
    for (PvNodeId node = tree->n_nodes; node-- > 1;)
        column->total[tree->parent_of_node[node]] += column->total[node];
    column->self[0] += whole - MIN (column->total[0], whole);
    column->total[0] = column->whole = whole;
}

/* False when cancelled. */
static bool
divide (Dividing *dividing, const PvSandwich *sandwich, PvJob *job)
{
    static const PvStackVisitor visitor = {.enter = enter_frame, .count = count_stack};
    const PvCallTree *tree = pv_call_tree_top_down (sandwich->callers);
    const PvStackWeights *weights = &dividing->weights;
    pv_child_index_fill (&dividing->callers, sandwich->callers);
    pv_child_index_fill (&dividing->callees, sandwich->callees);
    if (!pv_stack_walk_some (tree, weights->stacks, weights->n_stacks, &visitor, dividing, job))
        return false;
    for (uint32_t m = 0; m < weights->n_measures; m++) {
        finish_column (sandwich->callers, &dividing->caller_columns[m], weights->whole[m]);
        finish_column (sandwich->callees, &dividing->callee_columns[m], weights->whole[m]);
    }
    return true;
}

bool
pv_measure_sums_by_half (const PvSandwich *sandwich, const PvMeasureId *measures,
                         uint32_t n_measures, PvMeasureSums **ret_callers,
                         PvMeasureSums **ret_callees, PvJob *job)
{
    g_assert (sandwich != NULL && sandwich->callers != NULL && sandwich->callees != NULL);
    g_assert (ret_callers != NULL && ret_callees != NULL);
    const PvCallTree *tree = pv_call_tree_top_down (sandwich->callers);
    g_autoptr (PvMeasureSums) callers =
        pv_measure_sums_new (measures, n_measures, sandwich->callers->n_nodes);
    g_autoptr (PvMeasureSums) callees =
        pv_measure_sums_new (measures, n_measures, sandwich->callees->n_nodes);
    Dividing dividing = {
        .function = sandwich->function,
        .caller_columns = callers->columns,
        .callee_columns = callees->columns,
    };
    bool is_done = pv_stack_weights_init (&dividing.weights, tree, measures, n_measures, job) &&
                   divide (&dividing, sandwich, job);
    for (uint32_t m = 0; m < n_measures && is_done; m++)
        is_done = pv_measure_sums_size_nodes (&callers->columns[m], sandwich->callers, job) &&
                  pv_measure_sums_size_nodes (&callees->columns[m], sandwich->callees, job);
    pv_stack_weights_clear (&dividing.weights);
    pv_child_index_clear (&dividing.callers);
    pv_child_index_clear (&dividing.callees);
    *ret_callers = is_done ? g_steal_pointer (&callers) : NULL;
    *ret_callees = is_done ? g_steal_pointer (&callees) : NULL;
    return is_done;
}
