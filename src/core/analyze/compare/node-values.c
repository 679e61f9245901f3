/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/compare/node-values.h"

#include <math.h>

#include "core/base/large.h"
#include "core/base/ref.h"

/* How many functions the tree has; 1 unless all measures of the formula are sizes of functions,
 * which are compared with their mean. */
static double
count_sized (const PvCallTree *tree, const PvMeasureSums *sums, const PvFormula *formula)
{
    for (uint32_t i = 0; i < formula->n_measures; i++)
        if (!pv_profile_is_size_beside (tree->profile, formula->measures[i], tree->query.measure))
            return 1;
    g_autofree bool *is_seen = g_new0 (bool, MAX (tree->symbols->n_functions, 1));
    double n = 0;
    for (PvNodeId node = 1; node < tree->n_nodes; node++) {
        PvFunctionId function = tree->function_of_node[node];
        n += !is_seen[function] && pv_measure_sums_compute (sums, formula, false, node) > 0;
        is_seen[function] = true;
    }
    return MAX (n, 1);
}

static double
compute_whole (const PvMeasureSums *sums, const PvFormula *formula)
{
    double amounts[PV_FORMULA_MAX_STEPS];
    for (uint32_t i = 0; i < formula->n_measures; i++)
        amounts[i] = (double)pv_measure_sums_find (sums, formula->measures[i])->whole;
    return pv_formula_compute (formula, amounts);
}

bool
pv_node_values_have_sides (const PvCallTree *tree)
{
    g_assert (tree != NULL);
    return pv_changes_can_sum (tree);
}

static PvNodeValues *
values_new (const PvCallTree *tree)
{
    PvNodeValues *values = g_new0 (PvNodeValues, 1);
    values->ref_count = 1;
    values->tree = pv_call_tree_ref (tree);
    values->whole = NAN;
    return values;
}

/* Takes the sums. */
static void
add_formula (PvNodeValues *values, PvFormula *formula, PvMeasureSums *sums)
{
    uint32_t n_nodes = values->tree->n_nodes;
    values->formula = pv_formula_ref (formula);
    const double n_sized = count_sized (values->tree, sums, formula);
    values->whole = compute_whole (sums, formula) / n_sized;
    values->is_mean = n_sized > 1;
    values->value_of_node = pv_new_large (float, MAX (n_nodes, 1));
    for (PvNodeId n = 0; n < n_nodes; n++)
        values->value_of_node[n] = (float)pv_measure_sums_compute (sums, formula, false, n);
    pv_measure_sums_free (sums);
}

static uint8_t
find_marks (const PvChanges *changes, PvNodeId node)
{
    uint64_t base = changes->total_of_side[PV_SIDE_BASE][node];
    uint64_t newer = changes->total_of_side[PV_SIDE_NEW][node];
    unsigned marks = pv_changes_is_noise (changes, node, false) ? PV_NODE_IS_NOISE : 0;
    if (base == 0 && newer > 0)
        marks |= PV_NODE_IS_NEW;
    if (base > 0 && newer == 0)
        marks |= PV_NODE_IS_GONE;
    return (uint8_t)marks;
}

static double
find_sure (const PvChanges *changes, PvNodeId node)
{
    PvInterval interval = pv_changes_find_interval (changes, node, false, 1);
    return interval.low > 0 ? interval.low : interval.high < 0 ? interval.high : 0;
}

/* Takes the changes. */
static void
add_sides (PvNodeValues *values, PvChanges *changes)
{
    uint32_t n_nodes = values->tree->n_nodes;
    values->sides = changes;
    if (values->tree->profile->compared != NULL) {
        values->marks_of_node = pv_new_large (uint8_t, MAX (n_nodes, 1));
        values->sure_of_node = pv_new_large (float, MAX (n_nodes, 1));
        for (PvNodeId n = 0; n < n_nodes; n++) {
            values->marks_of_node[n] = find_marks (changes, n);
            values->sure_of_node[n] = (float)find_sure (changes, n);
        }
    }
    for (PvNodeId n = 0; n < n_nodes; n++) {
        double size = fabs (pv_node_values_get_sure (values, n));
        if (size > (double)values->largest_change &&
            (pv_node_values_get_marks (values, n) & PV_NODE_IS_NOISE) == 0)
            values->largest_change = (uint64_t)size;
    }
}

static void
weigh_sides (PvNodeValues *values)
{
    const PvCallTree *tree = values->tree;
    const PvChanges *sides = values->sides;
    if (tree->profile->compared == NULL ||
        tree->profile->measures[tree->query.measure].part != PV_PART_BOTH)
        return;
    for (PvSide side = 0; side < PV_N_SIDES; side++)
        values->tree_of_side[side] =
            pv_call_tree_reweigh (tree, sides->pair->of_side[side], sides->self_of_side[side],
                                  sides->total_of_side[side]);
}

/* Finds the noise; signed measures of a single profile have none. False when cancelled. */
static bool
find_noise (const PvCallTree *tree, PvNoise **ret_noise, PvJob *job)
{
    *ret_noise = NULL;
    if (tree->profile->compared == NULL)
        return true;
    g_autoptr (PvChanges) functions = pv_changes_by_function (tree, job);
    if (functions != NULL && functions->noise != NULL)
        *ret_noise = pv_noise_ref (functions->noise);
    return functions != NULL;
}

static bool
build_sides (PvNodeValues *values, PvJob *job)
{
    g_autoptr (PvNoise) noise = NULL;
    if (!find_noise (values->tree, &noise, job))
        return false;
    PvChanges *changes = pv_changes_by_node (values->tree, noise, job);
    if (changes == NULL)
        return false;
    add_sides (values, changes);
    weigh_sides (values);
    return true;
}

static bool
build_formula (PvNodeValues *values, PvFormula *formula, PvJob *job)
{
    g_autoptr (GArray) measures = g_array_new (FALSE, FALSE, sizeof (PvMeasureId));
    pv_measures_add_formula (measures, formula);
    PvMeasureSums *sums = pv_measure_sums_by_node (
        values->tree, (const PvMeasureId *)(gpointer)measures->data, measures->len, job);
    if (sums != NULL)
        add_formula (values, formula, sums);
    return sums != NULL;
}

PvNodeValues *
pv_node_values_build (const PvCallTree *tree, PvFormula *formula, PvJob *job)
{
    g_assert (tree != NULL && (formula != NULL || pv_node_values_have_sides (tree)));
    g_autoptr (PvNodeValues) values = values_new (tree);
    bool is_done = (formula == NULL || build_formula (values, formula, job)) &&
                   (!pv_node_values_have_sides (tree) || build_sides (values, job));
    return is_done ? g_steal_pointer (&values) : NULL;
}

int64_t
pv_node_values_get_net (const PvNodeValues *values, PvNodeId node, bool is_self)
{
    g_assert (values != NULL && values->sides != NULL && node < values->tree->n_nodes);
    return is_self ? pv_changes_get_self (values->sides, node)
                   : pv_changes_get_total (values->sides, node);
}

int64_t
pv_node_values_sum_net (const PvNodeValues *values, PvNodeId first, PvNodeId last)
{
    int64_t net = 0;
    for (PvNodeId node = first; node <= last; node++)
        net += pv_node_values_get_net (values, node, false);
    return net;
}

double
pv_node_values_get_balance (const PvNodeValues *values, PvNodeId node)
{
    double net = (double)pv_node_values_get_net (values, node, false);
    double both = (double)values->sides->total_of_side[PV_SIDE_BASE][node] +
                  (double)values->sides->total_of_side[PV_SIDE_NEW][node];
    return both > 0 ? CLAMP (net / both, -1, 1) : NAN;
}

int
pv_change_find_step (double base, double newer)
{
    double high = MAX (base, newer), low = MIN (base, newer);
    int step = high < low * 1.005  ? 0
               : high < low * 1.25 ? 1
               : high < low * 1.5  ? 2
               : high < low * 2    ? 3
                                   : 4;
    if (high <= 0)
        return 0;
    return newer < base ? -step : step;
}

int
pv_node_values_get_step (const PvNodeValues *values, PvNodeId node)
{
    if ((pv_node_values_get_marks (values, node) & PV_NODE_IS_NOISE) != 0)
        return 0;
    if (values->marks_of_node == NULL) {
        double balance = pv_node_values_get_balance (values, node);
        return isnan (balance) ? 0 : (int)round (balance * 4);
    }
    double base = (double)values->sides->total_of_side[PV_SIDE_BASE][node];
    return pv_change_find_step (base, base + pv_node_values_get_sure (values, node));
}

double
pv_node_values_get_sure (const PvNodeValues *values, PvNodeId node)
{
    return values->sure_of_node != NULL ? (double)values->sure_of_node[node]
                                        : (double)pv_node_values_get_net (values, node, false);
}

double
pv_node_values_get_part (const PvNodeValues *values, PvNodeId node)
{
    double sure = pv_node_values_get_sure (values, node);
    return values->largest_change > 0 ? CLAMP (sure / (double)values->largest_change, -1, 1) : 0;
}

unsigned
pv_node_values_get_marks (const PvNodeValues *values, PvNodeId node)
{
    g_assert (values != NULL && node < values->tree->n_nodes);
    return values->marks_of_node != NULL ? values->marks_of_node[node] : 0;
}

static bool
build_formula_of_halves (const PvSandwich *sandwich, PvFormula *formula, PvNodeValues *callers,
                         PvNodeValues *callees, PvJob *job)
{
    g_autoptr (GArray) measures = g_array_new (FALSE, FALSE, sizeof (PvMeasureId));
    PvMeasureSums *of_callers, *of_callees;
    pv_measures_add_formula (measures, formula);
    if (!pv_measure_sums_by_half (sandwich, (const PvMeasureId *)(gpointer)measures->data,
                                  measures->len, &of_callers, &of_callees, job))
        return false;
    add_formula (callers, formula, of_callers);
    add_formula (callees, formula, of_callees);
    return true;
}

static bool
build_sides_of_halves (const PvSandwich *sandwich, PvNodeValues *callers, PvNodeValues *callees,
                       PvJob *job)
{
    g_autoptr (PvNoise) noise = NULL;
    PvChanges *of_callers, *of_callees;
    if (!find_noise (sandwich->callees, &noise, job) ||
        !pv_changes_by_half (sandwich, noise, &of_callers, &of_callees, job))
        return false;
    add_sides (callers, of_callers);
    add_sides (callees, of_callees);
    /* They are one picture, with one legend. */
    callers->largest_change = callees->largest_change =
        MAX (callers->largest_change, callees->largest_change);
    return true;
}

bool
pv_node_values_build_halves (const PvSandwich *sandwich, PvFormula *formula,
                             PvNodeValues **ret_callers, PvNodeValues **ret_callees, PvJob *job)
{
    g_assert (sandwich != NULL && ret_callers != NULL && ret_callees != NULL);
    bool has_sides = pv_node_values_have_sides (sandwich->callees);
    g_assert (formula != NULL || has_sides);
    g_autoptr (PvNodeValues) callers = values_new (sandwich->callers);
    g_autoptr (PvNodeValues) callees = values_new (sandwich->callees);
    if ((formula != NULL && !build_formula_of_halves (sandwich, formula, callers, callees, job)) ||
        (has_sides && !build_sides_of_halves (sandwich, callers, callees, job)))
        return false;
    *ret_callers = g_steal_pointer (&callers);
    *ret_callees = g_steal_pointer (&callees);
    return true;
}

PV_DEFINE_REF (pv_node_values_ref, PvNodeValues, PvNodeValues)

void
pv_node_values_unref (PvNodeValues *values)
{
    if (!pv_ref_was_last (values))
        return;
    for (PvSide side = 0; side < PV_N_SIDES; side++)
        pv_call_tree_free (values->tree_of_side[side]);
    pv_call_tree_free ((PvCallTree *)values->tree);
    g_clear_pointer (&values->formula, pv_formula_unref);
    pv_changes_free (values->sides);
    g_free (values->value_of_node);
    g_free (values->marks_of_node);
    g_free (values->sure_of_node);
    g_free (values);
}
