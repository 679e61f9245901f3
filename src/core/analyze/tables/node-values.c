/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/tables/node-values.h"

#include "core/analyze/tables/measure-sums.h"
#include "core/base/large.h"

static double
compute_whole (const PvMeasureSums *sums, const PvFormula *formula)
{
    double amounts[PV_FORMULA_MAX_STEPS];
    for (uint32_t i = 0; i < formula->n_measures; i++)
        amounts[i] = (double)pv_measure_sums_find (sums, formula->measures[i])->whole;
    return pv_formula_compute (formula, amounts);
}

static PvNodeValues *
compute (const PvCallTree *tree, PvFormula *formula, const PvMeasureSums *sums)
{
    PvNodeValues *values = g_new0 (PvNodeValues, 1);
    values->ref_count = 1;
    values->tree = pv_call_tree_ref (tree);
    values->formula = pv_formula_ref (formula);
    values->whole = compute_whole (sums, formula);
    values->value_of_node = pv_new_large (float, MAX (tree->n_nodes, 1));
    for (PvNodeId node = 0; node < tree->n_nodes; node++)
        values->value_of_node[node] = (float)pv_measure_sums_compute (sums, formula, false, node);
    return values;
}

PvNodeValues *
pv_node_values_build (const PvCallTree *tree, PvFormula *formula, PvJob *job)
{
    g_assert (tree != NULL && formula != NULL);
    g_autoptr (PvMeasureSums) sums =
        pv_measure_sums_by_node (tree, formula->measures, formula->n_measures, job);
    return sums != NULL ? compute (tree, formula, sums) : NULL;
}

bool
pv_node_values_build_halves (const PvSandwich *sandwich, PvFormula *formula,
                             PvNodeValues **ret_callers, PvNodeValues **ret_callees, PvJob *job)
{
    g_assert (sandwich != NULL && formula != NULL && ret_callers != NULL && ret_callees != NULL);
    g_autoptr (PvMeasureSums) callers = NULL;
    g_autoptr (PvMeasureSums) callees = NULL;
    if (!pv_measure_sums_by_half (sandwich, formula->measures, formula->n_measures, &callers,
                                  &callees, job))
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
    pv_formula_unref (values->formula);
    g_free (values->value_of_node);
    g_free (values);
}
