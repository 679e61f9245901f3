/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/compare/changes.h"

#include <stdlib.h>
#include <string.h>

bool
pv_changes_can_sum (const PvCallTree *tree)
{
    g_assert (tree != NULL);
    const PvProfile *profile = tree->profile;
    if (pv_profile_get_pair (profile, tree->query.measure) == NULL)
        return false;
    return profile->compared != NULL || profile->measures[tree->query.measure].part == PV_PART_BOTH;
}

void
pv_changes_add_measures (const PvPair *pair, GArray *measures)
{
    g_assert (pair != NULL && measures != NULL);
    for (PvSide side = 0; side < PV_N_SIDES; side++) {
        pv_measures_add (measures, pair->of_side[side]);
        if (pair->samples_of_side[side] != UINT32_MAX)
            pv_measures_add (measures, pair->samples_of_side[side]);
        for (uint32_t r = 0; r < pair->n_runs_of_side[side]; r++)
            pv_measures_add (measures, pair->runs_of_side[side][r]);
    }
}

static GArray *
list_measures (const PvPair *pair)
{
    GArray *measures = g_array_new (FALSE, FALSE, sizeof (PvMeasureId));
    pv_changes_add_measures (pair, measures);
    return measures;
}

static PvChanges *
make_changes (const PvCallTree *tree, const PvMeasureSums *sums, const PvNoise *noise)
{
    const PvPair *pair = pv_profile_get_pair (tree->profile, tree->query.measure);
    PvChanges *changes = g_new0 (PvChanges, 1);
    changes->n_rows = sums->n_rows;
    changes->unit = tree->profile->measures[pair->both].unit;
    changes->sums = sums;
    changes->pair = pair;
    for (PvSide side = 0; side < PV_N_SIDES; side++) {
        const PvMeasureColumn *column = pv_measure_sums_find (sums, pair->of_side[side]);
        double factor = tree->query.factor_of_side[side];
        changes->whole_of_side[side] = column->whole;
        changes->self_of_side[side] = column->self;
        changes->total_of_side[side] = column->total;
        changes->run_factor_of_side[side] = factor != 0 ? factor : 1;
    }
    if (noise != NULL)
        changes->noise = *noise;
    return changes;
}

static PvChanges *
take_sums (const PvCallTree *tree, PvMeasureSums *sums, const PvNoise *noise)
{
    if (sums == NULL)
        return NULL;
    PvChanges *changes = make_changes (tree, sums, noise);
    changes->own_sums = sums;
    return changes;
}

/* The number of samples; for several runs, that of all of them. */
static uint64_t
count_samples (const PvChanges *changes, PvSide side, uint32_t row, bool is_self)
{
    PvMeasureId samples = changes->pair->samples_of_side[side];
    if (samples == UINT32_MAX)
        return 0;
    const PvMeasureColumn *column = pv_measure_sums_find (changes->sums, samples);
    return is_self ? column->self[row] : column->total[row];
}

/* The variance of a single run, from what those of a side differ; negative: there is only one. */
static double
find_variance_of_run (const PvChanges *changes, PvSide side, uint32_t row, bool is_self)
{
    uint32_t n = changes->pair->n_runs_of_side[side];
    double sum = 0, squares = 0;
    if (n < 2)
        return -1;
    for (uint32_t r = 0; r < n; r++) {
        const PvMeasureColumn *column =
            pv_measure_sums_find (changes->sums, changes->pair->runs_of_side[side][r]);
        double amount = (double)(is_self ? column->self[row] : column->total[row]) *
                        changes->run_factor_of_side[side];
        sum += amount;
        squares += amount * amount;
    }
    double variance = (squares - sum * sum / n) / (n - 1);
    return MAX (variance, 0);
}

/* The variance of the mean of a side's runs. One run varies as those of the other side. */
static double
find_run_variance (const PvChanges *changes, PvSide side, uint32_t row, bool is_self)
{
    PvSide other = side == PV_SIDE_BASE ? PV_SIDE_NEW : PV_SIDE_BASE;
    double variance = find_variance_of_run (changes, side, row, is_self);
    if (variance < 0)
        variance = find_variance_of_run (changes, other, row, is_self);
    return variance < 0 ? -1 : variance / MAX (changes->pair->n_runs_of_side[side], 1);
}

static PvNoiseRow
make_noise_row (const PvChanges *changes, uint32_t row, bool is_self)
{
    const uint64_t *const *amounts = is_self ? changes->self_of_side : changes->total_of_side;
    return (PvNoiseRow){
        .base = (double)amounts[PV_SIDE_BASE][row],
        .newer = (double)amounts[PV_SIDE_NEW][row],
        .n_base = count_samples (changes, PV_SIDE_BASE, row, is_self),
        .n_new = count_samples (changes, PV_SIDE_NEW, row, is_self),
        .base_var = find_run_variance (changes, PV_SIDE_BASE, row, is_self),
        .new_var = find_run_variance (changes, PV_SIDE_NEW, row, is_self),
    };
}

static unsigned
count_runs (const PvPair *pair)
{
    return MAX (pair->n_runs_of_side[PV_SIDE_BASE] + pair->n_runs_of_side[PV_SIDE_NEW], 2);
}

static void
estimate_noise (PvChanges *changes)
{
    const PvPair *pair = changes->pair;
    g_autofree PvNoiseRow *rows = g_new (PvNoiseRow, MAX (changes->n_rows, 1));
    for (uint32_t i = 0; i < changes->n_rows; i++)
        rows[i] = make_noise_row (changes, i, true);
    changes->noise = pv_noise_estimate (rows, changes->n_rows,
                                        pair->samples_of_side[PV_SIDE_BASE] != UINT32_MAX &&
                                            pair->samples_of_side[PV_SIDE_NEW] != UINT32_MAX,
                                        count_runs (pair));
}

PvChanges *
pv_changes_new_from_sums (const PvCallTree *tree, const PvMeasureSums *sums, const PvNoise *noise)
{
    g_assert (pv_changes_can_sum (tree) && sums != NULL);
    g_autoptr (GArray) measures =
        list_measures (pv_profile_get_pair (tree->profile, tree->query.measure));
    for (guint i = 0; i < measures->len; i++)
        if (pv_measure_sums_find (sums, g_array_index (measures, PvMeasureId, i)) == NULL)
            return NULL;
    PvChanges *changes = make_changes (tree, sums, noise);
    if (noise == NULL)
        estimate_noise (changes);
    return changes;
}

PvChanges *
pv_changes_by_function (const PvCallTree *tree, PvJob *job)
{
    g_assert (pv_changes_can_sum (tree));
    g_autoptr (GArray) measures =
        list_measures (pv_profile_get_pair (tree->profile, tree->query.measure));
    PvChanges *changes =
        take_sums (tree,
                   pv_measure_sums_by_function (tree, (const PvMeasureId *)(gpointer)measures->data,
                                                measures->len, job),
                   NULL);
    if (changes != NULL)
        estimate_noise (changes);
    return changes;
}

PvChanges *
pv_changes_by_node (const PvCallTree *tree, const PvNoise *noise, PvJob *job)
{
    g_assert (pv_changes_can_sum (tree) && noise != NULL);
    g_autoptr (GArray) measures =
        list_measures (pv_profile_get_pair (tree->profile, tree->query.measure));
    return take_sums (tree,
                      pv_measure_sums_by_node (tree, (const PvMeasureId *)(gpointer)measures->data,
                                               measures->len, job),
                      noise);
}

PvChanges *
pv_changes_by_row (const PvCallTree *tree, const PvFunctionList *list, const PvNoise *noise,
                   PvJob *job)
{
    g_assert (pv_changes_can_sum (tree) && list != NULL && noise != NULL);
    g_autoptr (GArray) measures =
        list_measures (pv_profile_get_pair (tree->profile, tree->query.measure));
    return take_sums (tree,
                      pv_measure_sums_by_row (tree, list,
                                              (const PvMeasureId *)(gpointer)measures->data,
                                              measures->len, job),
                      noise);
}

bool
pv_changes_by_half (const PvSandwich *sandwich, const PvNoise *noise, PvChanges **ret_callers,
                    PvChanges **ret_callees, PvJob *job)
{
    const PvCallTree *tree = sandwich->callees;
    g_assert (pv_changes_can_sum (tree) && noise != NULL);
    g_autoptr (GArray) measures =
        list_measures (pv_profile_get_pair (tree->profile, tree->query.measure));
    PvMeasureSums *callers, *callees;
    if (!pv_measure_sums_by_half (sandwich, (const PvMeasureId *)(gpointer)measures->data,
                                  measures->len, &callers, &callees, job))
        return false;
    *ret_callers = take_sums (sandwich->callers, callers, noise);
    *ret_callees = take_sums (tree, callees, noise);
    return true;
}

/* Sums by call: of the callers, then of the callees. NULL when cancelled. */
static PvMeasureSums *
sum_calls (const PvCallersCallees *both, const PvCallTree *tree, PvFunctionId function, PvJob *job)
{
    g_autoptr (GArray) measures =
        list_measures (pv_profile_get_pair (tree->profile, tree->query.measure));
    uint32_t n_calls = both->n_callers + both->n_callees;
    PvMeasureSums *sums =
        pv_measure_sums_new ((const PvMeasureId *)(gpointer)measures->data, measures->len, n_calls);
    for (uint32_t m = 0; m < sums->n_columns; m++) {
        g_autofree uint64_t *weights =
            pv_callers_callees_weigh (both, tree, function, sums->columns[m].measure, job);
        if (weights == NULL) {
            pv_measure_sums_free (sums);
            return NULL;
        }
        memcpy (sums->columns[m].total, weights, n_calls * sizeof *weights);
    }
    return sums;
}

/* True if chance explains the change of a call, or it did not change at all, as for functions. */
static bool
is_call_noise (const PvChanges *changes, uint32_t row)
{
    return pv_changes_is_noise (changes, row, false) || pv_changes_get_total (changes, row) == 0;
}

bool
pv_changes_mark_calls (PvCallersCallees *both, const PvCallTree *tree, PvFunctionId function,
                       const PvNoise *noise, PvJob *job)
{
    g_assert (both != NULL && pv_changes_can_sum (tree) && noise != NULL);
    if (noise->is_exact || function == 0)
        return true;
    g_autoptr (PvChanges) changes = take_sums (tree, sum_calls (both, tree, function, job), noise);
    if (changes == NULL)
        return false;
    for (uint32_t i = 0; i < both->n_callers; i++)
        both->callers[i].is_noise = is_call_noise (changes, i);
    for (uint32_t i = 0; i < both->n_callees; i++)
        both->callees[i].is_noise = is_call_noise (changes, both->n_callers + i);
    return true;
}

void
pv_changes_free (PvChanges *changes)
{
    if (changes == NULL)
        return;
    pv_measure_sums_free (changes->own_sums);
    g_free (changes);
}

bool
pv_changes_is_noise (const PvChanges *changes, uint32_t row, bool is_self)
{
    g_assert (changes != NULL && row < changes->n_rows);
    if (changes->noise.is_exact)
        return false;
    PvNoiseRow noise_row = make_noise_row (changes, row, is_self);
    return pv_noise_explains (&changes->noise, &noise_row);
}

/* A row whose self did not change may have a total that did. */
bool
pv_changes_is_row_noise (const PvChanges *changes, uint32_t row)
{
    return !changes->noise.is_exact &&
           (pv_changes_get_self (changes, row) == 0 || pv_changes_is_noise (changes, row, true)) &&
           (pv_changes_get_total (changes, row) == 0 || pv_changes_is_noise (changes, row, false));
}

typedef struct {
    uint64_t self, total;
    uint32_t row;
} SortedRow;

static int
compare_rows (const void *a, const void *b)
{
    const SortedRow *x = a, *y = b;
    if (x->self != y->self)
        return x->self > y->self ? -1 : 1;
    if (x->total != y->total)
        return x->total > y->total ? -1 : 1;
    return x->row < y->row ? -1 : 1;
}

uint32_t *
pv_changes_sort (const PvChanges *changes, uint32_t *ret_n_rows)
{
    g_assert (changes != NULL && ret_n_rows != NULL);
    g_autofree SortedRow *sorted = g_new (SortedRow, MAX (changes->n_rows, 1));
    uint32_t n = 0;
    for (uint32_t i = 0; i < changes->n_rows; i++) {
        if (changes->total_of_side[PV_SIDE_BASE][i] > 0 ||
            changes->total_of_side[PV_SIDE_NEW][i] > 0)
            sorted[n++] = (SortedRow){pv_change_get_size (pv_changes_get_self (changes, i)),
                                      pv_change_get_size (pv_changes_get_total (changes, i)), i};
    }
    qsort (sorted, n, sizeof *sorted, compare_rows);
    uint32_t *rows = g_new (uint32_t, MAX (n, 1));
    for (uint32_t i = 0; i < n; i++)
        rows[i] = sorted[i].row;
    *ret_n_rows = n;
    return rows;
}
