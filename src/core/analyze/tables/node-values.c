/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/tables/node-values.h"

#include <math.h>

#include "core/base/large.h"

static double
compute_whole (const PvMeasureSums *sums, const PvFormula *formula)
{
    double amounts[PV_FORMULA_MAX_STEPS];
    for (uint32_t i = 0; i < formula->n_measures; i++)
        amounts[i] = (double)pv_measure_sums_find (sums, formula->measures[i])->whole;
    return pv_formula_compute (formula, amounts);
}

static const PvPair *
find_pair (const PvCallTree *tree)
{
    const PvPair *pair = pv_profile_get_pair (tree->profile, tree->query.measure);
    return pair != NULL && pair->both == tree->query.measure ? pair : NULL;
}

bool
pv_node_values_have_sides (const PvCallTree *tree)
{
    g_assert (tree != NULL);
    return find_pair (tree) != NULL;
}

/* What has to be summed: PvMeasureId. */
static GArray *
list_measures (const PvCallTree *tree, const PvFormula *formula)
{
    const PvPair *pair = find_pair (tree);
    GArray *measures = g_array_new (FALSE, FALSE, sizeof (PvMeasureId));
    if (formula != NULL)
        pv_measures_add_formula (measures, formula);
    for (PvSide side = 0; pair != NULL && side < PV_N_SIDES; side++)
        pv_measures_add (measures, pair->of_side[side]);
    return measures;
}

/* Takes the sums. */
static PvNodeValues *
compute (const PvCallTree *tree, PvFormula *formula, PvMeasureSums *sums)
{
    PvNodeValues *values = g_new0 (PvNodeValues, 1);
    values->ref_count = 1;
    values->tree = pv_call_tree_ref (tree);
    values->pair = find_pair (tree);
    values->whole = NAN;
    if (formula != NULL) {
        values->formula = pv_formula_ref (formula);
        values->whole = compute_whole (sums, formula);
        values->value_of_node = pv_new_large (float, MAX (tree->n_nodes, 1));
        for (PvNodeId n = 0; n < tree->n_nodes; n++)
            values->value_of_node[n] = (float)pv_measure_sums_compute (sums, formula, false, n);
    }
    if (values->pair != NULL)
        values->sides = sums;
    else
        pv_measure_sums_free (sums);
    return values;
}

PvNodeValues *
pv_node_values_build (const PvCallTree *tree, PvFormula *formula, PvJob *job)
{
    g_assert (tree != NULL && (formula != NULL || pv_node_values_have_sides (tree)));
    g_autoptr (GArray) measures = list_measures (tree, formula);
    PvMeasureSums *sums = pv_measure_sums_by_node (
        tree, (const PvMeasureId *)(gpointer)measures->data, measures->len, job);
    return sums != NULL ? compute (tree, formula, sums) : NULL;
}

int64_t
pv_node_values_get_net (const PvNodeValues *values, PvNodeId node, bool is_self)
{
    g_assert (values != NULL && values->sides != NULL && node < values->tree->n_nodes);
    const PvMeasureColumn *base =
        pv_measure_sums_find (values->sides, values->pair->of_side[PV_SIDE_BASE]);
    const PvMeasureColumn *new =
        pv_measure_sums_find (values->sides, values->pair->of_side[PV_SIDE_NEW]);
    return is_self ? (int64_t)(new->self[node] - base->self[node])
                   : (int64_t)(new->total[node] - base->total[node]);
}

double
pv_node_values_get_balance (const PvNodeValues *values, PvNodeId node)
{
    double net = (double)pv_node_values_get_net (values, node, false);
    double both = (double)values->tree->total[node];
    return both > 0 ? CLAMP (net / both, -1, 1) : NAN;
}

bool
pv_node_values_build_halves (const PvSandwich *sandwich, PvFormula *formula,
                             PvNodeValues **ret_callers, PvNodeValues **ret_callees, PvJob *job)
{
    g_assert (sandwich != NULL && ret_callers != NULL && ret_callees != NULL);
    g_assert (formula != NULL || pv_node_values_have_sides (sandwich->callees));
    g_autoptr (GArray) measures = list_measures (sandwich->callees, formula);
    PvMeasureSums *callers, *callees;
    if (!pv_measure_sums_by_half (sandwich, (const PvMeasureId *)(gpointer)measures->data,
                                  measures->len, &callers, &callees, job))
        return false;
    *ret_callers = compute (sandwich->callers, formula, callers);
    *ret_callees = compute (sandwich->callees, formula, callees);
    return true;
}

PvNodeValues *
pv_node_values_ref (PvNodeValues *values)
{
    g_atomic_int_inc (&values->ref_count);
    return values;
}

void
pv_node_values_unref (PvNodeValues *values)
{
    if (!g_atomic_int_dec_and_test (&values->ref_count))
        return;
    pv_call_tree_free ((PvCallTree *)values->tree);
    g_clear_pointer (&values->formula, pv_formula_unref);
    pv_measure_sums_free (values->sides);
    g_free (values->value_of_node);
    g_free (values);
}
