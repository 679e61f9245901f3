/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/tables/function-rows.h"

#include "core/base/ref.h"

/* Numbers of samples and single runs are only there to tell noise. */
static gboolean
is_for_noise (const PvFunctionRows *rows, PvMeasureId measure)
{
    const PvPair *pair = rows->changes != NULL ? rows->changes->pair : NULL;

    return pair != NULL && measure != PV_MEASURE_SAMPLES && measure != pair->both &&
           measure != pair->of_side[PV_SIDE_BASE] && measure != pair->of_side[PV_SIDE_NEW] &&
           pv_profile_get_pair (rows->functions->tree->profile, measure) == pair;
}

/* Functions without weight by the tree's own measure. */
static void
add_others (PvFunctionRows *rows)
{
    const PvFunctionList *list = rows->functions->list;
    uint32_t n_functions = rows->sums->n_rows;
    g_autofree bool *is_listed = g_new0 (bool, n_functions);
    GArray *added = g_array_new (FALSE, FALSE, sizeof (PvFunctionId));

    for (uint32_t i = 0; i < list->n_rows; i++)
        is_listed[list->rows[i].function] = true;
    for (PvFunctionId f = 1; f < n_functions; f++) {
        gboolean has_weight = FALSE;
        for (uint32_t m = 0; m < rows->sums->n_columns && !has_weight && !is_listed[f]; m++)
            has_weight = rows->sums->columns[m].total[f] > 0 &&
                         !is_for_noise (rows, rows->sums->columns[m].measure);
        if (!has_weight)
            continue;
        g_array_append_val (added, f);
        rows->n_rows++;
    }
    rows->added = (PvFunctionId *)(gpointer)g_array_free (added, FALSE);
}

PvFunctionRows *
pv_function_rows_new (PvFunctions *functions, const PvMeasureId *measures, uint32_t n_measures,
                      PvJob *job)
{
    PvFunctionRows *rows = g_new0 (PvFunctionRows, 1);

    g_assert (functions != NULL);
    rows->ref_count = 1;
    rows->functions = pv_functions_ref (functions);
    rows->n_rows = functions->list->n_rows;
    if (n_measures == 0)
        return rows;
    rows->sums = pv_measure_sums_by_function (functions->tree, measures, n_measures, job);
    if (rows->sums == NULL) {
        g_clear_pointer (&rows, pv_function_rows_unref);
        return NULL;
    }
    if (pv_tree_has_changes (functions->tree))
        rows->changes = pv_changes_by_function_from_sums (functions->tree, rows->sums, job);
    add_others (rows);
    return rows;
}

PV_DEFINE_REF (pv_function_rows_ref, PvFunctionRows, PvFunctionRows)

void
pv_function_rows_unref (PvFunctionRows *rows)
{
    if (!pv_ref_was_last (rows))
        return;
    pv_changes_free (rows->changes);
    pv_functions_unref (rows->functions);
    pv_measure_sums_free (rows->sums);
    g_free (rows->added);
    g_free (rows);
}

gboolean
pv_function_rows_have (const PvFunctionRows *rows, const PvMeasureId *measures, uint32_t n_measures)
{
    g_assert (rows != NULL);
    for (uint32_t i = 0; i < n_measures; i++)
        if (pv_measure_sums_find (rows->sums, measures[i]) == NULL)
            return FALSE;
    return TRUE;
}

PvFunctionId
pv_function_rows_get (const PvFunctionRows *rows, uint32_t key)
{
    const PvFunctionList *list = rows->functions->list;

    if (key >= rows->n_rows)
        return 0;
    return key < list->n_rows ? list->rows[key].function : rows->added[key - list->n_rows];
}

bool
pv_function_rows_get_row (gconstpointer data, uint32_t key, PvRow *ret_row)
{
    const PvFunctionRows *rows = data;
    const PvFunctionList *list = rows->functions->list;
    PvFunctionId function = pv_function_rows_get (rows, key);

    if (key >= rows->n_rows)
        return false;
    pv_row_init_from_tree (ret_row, rows->functions->tree, function);
    if (key < list->n_rows) {
        ret_row->self = list->rows[key].self;
        ret_row->total = list->rows[key].total;
        ret_row->median_ms = list->rows[key].median_ms;
    }
    ret_row->sums = rows->sums;
    ret_row->changes = rows->changes;
    ret_row->sums_row = ret_row->change_row = function;
    return true;
}

gboolean
pv_function_rows_is_noise (const PvFunctionRows *rows, uint32_t key)
{
    return key < rows->n_rows && rows->changes != NULL &&
           pv_changes_is_row_noise (rows->changes, pv_function_rows_get (rows, key));
}

uint32_t *
pv_function_rows_sort (const PvFunctionRows *rows, const PvColumn *column, gboolean is_descending,
                       const bool *is_match, gboolean hides_noise, uint32_t *ret_n, PvJob *job)
{
    g_autofree uint32_t *keys = NULL;
    uint32_t n = 0;

    g_assert (rows != NULL && ret_n != NULL);
    keys = g_new (uint32_t, MAX (rows->n_rows, 1));
    for (uint32_t key = 0; key < rows->n_rows; key++)
        if ((is_match == NULL || is_match[pv_function_rows_get (rows, key)]) &&
            !(hides_noise && pv_function_rows_is_noise (rows, key)))
            keys[n++] = key;
    if (pv_job_is_cancelled (job))
        return NULL;
    pv_column_sort (column, is_descending, pv_function_rows_get_row, rows, keys, n);
    *ret_n = n;
    return g_steal_pointer (&keys);
}
