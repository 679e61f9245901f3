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
make_changes (const PvCallTree *tree, const PvMeasureSums *sums, PvNoise *noise)
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
        changes->noise = pv_noise_ref (noise);
    return changes;
}

/* Takes the sums; NULL without any. */
static PvChanges *
take_sums (const PvCallTree *tree, PvMeasureSums *sums, PvNoise *noise)
{
    if (sums == NULL)
        return NULL;
    PvChanges *changes = make_changes (tree, sums, noise);
    changes->own_sums = sums;
    return changes;
}

/* The same by node of the tree. */
static PvChanges *
take_nodes (const PvCallTree *tree, PvMeasureSums *sums, PvNoise *noise)
{
    PvChanges *changes = take_sums (tree, sums, noise);
    if (changes != NULL)
        changes->function_of_row = tree->function_of_node;
    return changes;
}

/* Stands for everything that the query keeps, where a row is expected. */
#define ROW_OF_WHOLE UINT32_MAX

static uint64_t
get_amount (const PvMeasureColumn *column, uint32_t row, bool is_self)
{
    if (row == ROW_OF_WHOLE)
        return column->whole;
    return is_self ? column->self[row] : column->total[row];
}

/* The amount of a side; the mean of several runs is not rounded. */
static double
find_mean (const PvChanges *changes, PvSide side, uint32_t row, bool is_self)
{
    const PvPair *pair = changes->pair;
    const uint32_t n = pair->n_runs_of_side[side];
    double sum = 0;
    if (n == 0)
        return (double)get_amount (pv_measure_sums_find (changes->sums, pair->of_side[side]), row,
                                   is_self);
    for (uint32_t r = 0; r < n; r++)
        sum += (double)get_amount (
            pv_measure_sums_find (changes->sums, pair->runs_of_side[side][r]), row, is_self);
    return sum / n * changes->run_factor_of_side[side];
}

/* The number of samples; for several runs, that of all of them. */
static uint64_t
count_samples (const PvChanges *changes, PvSide side, uint32_t row, bool is_self)
{
    PvMeasureId samples = changes->pair->samples_of_side[side];
    if (samples == UINT32_MAX)
        return 0;
    return get_amount (pv_measure_sums_find (changes->sums, samples), row, is_self);
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
        double amount =
            (double)get_amount (column, row, is_self) * changes->run_factor_of_side[side];
        sum += amount;
        squares += amount * amount;
    }
    double variance = (squares - sum * sum / n) / (n - 1);
    return MAX (variance, 0);
}

/* The variance of the difference between the means of both sides, by what runs differ; negative:
 * one run each. A single run varies as those of the other side. */
static double
find_run_variance (const PvChanges *changes, uint32_t row, bool is_self)
{
    double variances[PV_N_SIDES], sum = 0;
    for (PvSide side = 0; side < PV_N_SIDES; side++)
        variances[side] = find_variance_of_run (changes, side, row, is_self);
    if (variances[PV_SIDE_BASE] < 0 && variances[PV_SIDE_NEW] < 0)
        return -1;
    for (PvSide side = 0; side < PV_N_SIDES; side++) {
        PvSide other = side == PV_SIDE_BASE ? PV_SIDE_NEW : PV_SIDE_BASE;
        double variance = variances[side] >= 0 ? variances[side] : variances[other];
        sum += variance / MAX (changes->pair->n_runs_of_side[side], 1);
    }
    return sum;
}

static PvFunctionId
get_function (const PvChanges *changes, uint32_t row)
{
    if (row == ROW_OF_WHOLE)
        return 0;
    return changes->function_of_row != NULL ? changes->function_of_row[row] : (PvFunctionId)row;
}

static PvNoiseRow
make_noise_row (const PvChanges *changes, uint32_t row, bool is_self)
{
    PvNoiseRow noise_row = {
        .base = find_mean (changes, PV_SIDE_BASE, row, is_self),
        .newer = find_mean (changes, PV_SIDE_NEW, row, is_self),
        .n_base = count_samples (changes, PV_SIDE_BASE, row, is_self),
        .n_new = count_samples (changes, PV_SIDE_NEW, row, is_self),
        .run_variance = find_run_variance (changes, row, is_self),
    };
    if (changes->noise != NULL)
        noise_row.spread =
            pv_noise_get_spread (changes->noise, get_function (changes, row), is_self);
    return noise_row;
}

/* The amount of a sample of a side, in the mean of all that was recorded, so also where the query
 * keeps none; 0: there are none at all. */
static double
find_usual_weight (const PvChanges *changes, const PvCallTree *tree, PvSide side)
{
    const PvMeasure *measures = tree->profile->measures;
    const PvPair *pair = changes->pair;
    if (pair->samples_of_side[side] == UINT32_MAX)
        return 0;
    uint64_t n = measures[pair->samples_of_side[side]].total;
    uint64_t amount = measures[pair->of_side[side]].total;
    return n > 0 ? (double)amount / (double)n * changes->run_factor_of_side[side] : 0;
}

/* Finds the noise of changes by function. False when cancelled. */
static bool
estimate_noise (PvChanges *changes, const PvCallTree *tree, PvJob *job)
{
    const PvPair *pair = changes->pair;
    const double base_weight = find_usual_weight (changes, tree, PV_SIDE_BASE);
    const double new_weight = find_usual_weight (changes, tree, PV_SIDE_NEW);
    const PvNoiseKind kind = {
        .is_sampled = pair->samples_of_side[PV_SIDE_BASE] != UINT32_MAX &&
                      pair->samples_of_side[PV_SIDE_NEW] != UINT32_MAX,
        .n_runs = MAX (pair->n_runs_of_side[PV_SIDE_BASE] + pair->n_runs_of_side[PV_SIDE_NEW], 2),
        .base_weight = base_weight > 0 ? base_weight : new_weight,
        .new_weight = new_weight > 0 ? new_weight : base_weight,
    };
    g_autoptr (PvSpreads) spreads = pv_spreads_measure (tree, job);
    if (spreads == NULL)
        return false;
    g_assert (spreads->n_functions == changes->n_rows);
    g_autofree PvNoiseRow *self = g_new (PvNoiseRow, changes->n_rows);
    g_autofree PvNoiseRow *total = g_new (PvNoiseRow, changes->n_rows);
    for (uint32_t f = 0; f < changes->n_rows; f++) {
        self[f] = make_noise_row (changes, f, true);
        total[f] = make_noise_row (changes, f == 0 ? ROW_OF_WHOLE : f, false);
        self[f].spread = spreads->self[f];
        total[f].spread = spreads->total[f];
    }
    changes->noise = pv_noise_new (&kind, self, total, changes->n_rows);
    return true;
}

/* True if the sums have all that changes are made of. */
static bool
has_measures (const PvCallTree *tree, const PvMeasureSums *sums)
{
    g_autoptr (GArray) measures =
        list_measures (pv_profile_get_pair (tree->profile, tree->query.measure));
    for (guint i = 0; i < measures->len; i++)
        if (pv_measure_sums_find (sums, g_array_index (measures, PvMeasureId, i)) == NULL)
            return false;
    return true;
}

/* Takes the changes, by function; NULL when cancelled. */
static PvChanges *
take_functions (PvChanges *changes, const PvCallTree *tree, PvJob *job)
{
    if (changes != NULL && !estimate_noise (changes, tree, job))
        g_clear_pointer (&changes, pv_changes_free);
    return changes;
}

PvChanges *
pv_changes_by_function_from_sums (const PvCallTree *tree, const PvMeasureSums *sums, PvJob *job)
{
    g_assert (pv_changes_can_sum (tree) && sums != NULL);
    return has_measures (tree, sums) ? take_functions (make_changes (tree, sums, NULL), tree, job)
                                     : NULL;
}

PvChanges *
pv_changes_by_node_from_sums (const PvCallTree *tree, const PvMeasureSums *sums, PvNoise *noise)
{
    g_assert (pv_changes_can_sum (tree) && sums != NULL);
    if (!has_measures (tree, sums))
        return NULL;
    PvChanges *changes = make_changes (tree, sums, noise);
    changes->function_of_row = tree->function_of_node;
    return changes;
}

PvChanges *
pv_changes_take_functions (const PvCallTree *tree, const PvMeasureSums *sums,
                           PvFunctionId *function_of_row, PvNoise *noise)
{
    g_assert (pv_changes_can_sum (tree) && sums != NULL && function_of_row != NULL);
    PvChanges *changes = has_measures (tree, sums) ? make_changes (tree, sums, noise) : NULL;
    if (changes == NULL)
        g_free (function_of_row);
    else
        changes->function_of_row = changes->own_functions = function_of_row;
    return changes;
}

PvChanges *
pv_changes_by_function (const PvCallTree *tree, PvJob *job)
{
    g_assert (pv_changes_can_sum (tree));
    g_autoptr (GArray) measures =
        list_measures (pv_profile_get_pair (tree->profile, tree->query.measure));
    PvMeasureSums *sums = pv_measure_sums_by_function (
        tree, (const PvMeasureId *)(gpointer)measures->data, measures->len, job);
    return take_functions (take_sums (tree, sums, NULL), tree, job);
}

PvChanges *
pv_changes_by_node (const PvCallTree *tree, PvNoise *noise, PvJob *job)
{
    g_assert (pv_changes_can_sum (tree));
    g_autoptr (GArray) measures =
        list_measures (pv_profile_get_pair (tree->profile, tree->query.measure));
    PvMeasureSums *sums = pv_measure_sums_by_node (
        tree, (const PvMeasureId *)(gpointer)measures->data, measures->len, job);
    return take_nodes (tree, sums, noise);
}

PvChanges *
pv_changes_by_row (const PvCallTree *tree, const PvFunctionList *list, PvNoise *noise, PvJob *job)
{
    g_assert (pv_changes_can_sum (tree) && list != NULL);
    g_autoptr (GArray) measures =
        list_measures (pv_profile_get_pair (tree->profile, tree->query.measure));
    PvMeasureSums *sums = pv_measure_sums_by_row (
        tree, list, (const PvMeasureId *)(gpointer)measures->data, measures->len, job);
    PvChanges *changes = take_sums (tree, sums, noise);
    if (changes == NULL)
        return NULL;
    changes->own_functions = g_new (PvFunctionId, MAX (list->n_rows, 1));
    for (uint32_t i = 0; i < list->n_rows; i++)
        changes->own_functions[i] = list->rows[i].function;
    changes->function_of_row = changes->own_functions;
    return changes;
}

bool
pv_changes_by_half (const PvSandwich *sandwich, PvNoise *noise, PvChanges **ret_callers,
                    PvChanges **ret_callees, PvJob *job)
{
    const PvCallTree *tree = sandwich->callees;
    g_assert (pv_changes_can_sum (tree));
    g_autoptr (GArray) measures =
        list_measures (pv_profile_get_pair (tree->profile, tree->query.measure));
    PvMeasureSums *callers, *callees;
    if (!pv_measure_sums_by_half (sandwich, (const PvMeasureId *)(gpointer)measures->data,
                                  measures->len, &callers, &callees, job))
        return false;
    *ret_callers = take_nodes (sandwich->callers, callers, noise);
    *ret_callees = take_nodes (tree, callees, noise);
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

/* A call that did not change at all counts as noise, as functions do. */
static void
mark_call (PvCaller *call, const PvChanges *changes, uint32_t row)
{
    PvInterval interval = pv_changes_find_interval (changes, row, false, 1);
    call->is_noise =
        pv_changes_is_noise (changes, row, false) || pv_changes_get_total (changes, row) == 0;
    call->has_interval = true;
    call->low = pv_round_amount (interval.low);
    call->high = pv_round_amount (interval.high);
}

bool
pv_changes_mark_calls (PvCallersCallees *both, const PvCallTree *tree, PvFunctionId function,
                       PvNoise *noise, PvJob *job)
{
    g_assert (both != NULL && pv_changes_can_sum (tree));
    if (noise == NULL || function == 0)
        return true;
    g_autoptr (PvChanges) changes = take_sums (tree, sum_calls (both, tree, function, job), noise);
    if (changes == NULL)
        return false;
    uint32_t n_calls = both->n_callers + both->n_callees;
    changes->own_functions = g_new (PvFunctionId, MAX (n_calls, 1));
    for (uint32_t i = 0; i < n_calls; i++)
        changes->own_functions[i] =
            i < both->n_callers ? function : both->callees[i - both->n_callers].function;
    changes->function_of_row = changes->own_functions;
    for (uint32_t i = 0; i < both->n_callers; i++)
        mark_call (&both->callers[i], changes, i);
    for (uint32_t i = 0; i < both->n_callees; i++)
        mark_call (&both->callees[i], changes, both->n_callers + i);
    return true;
}

/* The function whose self has the largest dispersion; 0: there are none. */
static PvFunctionId
find_least_sure (const PvChanges *changes, const PvFunctionId *functions, uint32_t n_functions)
{
    PvFunctionId found = 0;
    for (uint32_t i = 0; changes->noise != NULL && i < n_functions; i++)
        if (found == 0 || pv_noise_get_spread (changes->noise, functions[i], true).dispersion >
                              pv_noise_get_spread (changes->noise, found, true).dispersion)
            found = functions[i];
    return found;
}

PvChanges *
pv_changes_sum_functions (const PvChanges *changes, const PvFunctionId *functions,
                          uint32_t n_functions)
{
    g_assert (changes != NULL && changes->function_of_row == NULL);
    const PvMeasureSums *all = changes->sums;
    g_autofree PvMeasureId *measures = g_new (PvMeasureId, MAX (all->n_columns, 1));
    for (uint32_t m = 0; m < all->n_columns; m++)
        measures[m] = all->columns[m].measure;
    PvMeasureSums *sums = pv_measure_sums_new (measures, all->n_columns, 1);
    for (uint32_t m = 0; m < all->n_columns; m++) {
        sums->columns[m].whole = all->columns[m].whole;
        for (uint32_t i = 0; i < n_functions; i++)
            sums->columns[m].self[0] += all->columns[m].self[functions[i]];
    }
    PvChanges *sum = g_new0 (PvChanges, 1);
    *sum = *changes;
    sum->n_rows = 1;
    sum->sums = sum->own_sums = sums;
    sum->noise = changes->noise != NULL ? pv_noise_ref (changes->noise) : NULL;
    sum->own_functions = g_new (PvFunctionId, 1);
    *sum->own_functions = find_least_sure (changes, functions, n_functions);
    sum->function_of_row = sum->own_functions;
    for (PvSide side = 0; side < PV_N_SIDES; side++) {
        const PvMeasureColumn *column = pv_measure_sums_find (sums, changes->pair->of_side[side]);
        sum->self_of_side[side] = column->self;
        sum->total_of_side[side] = column->total;
    }
    return sum;
}

void
pv_changes_free (PvChanges *changes)
{
    if (changes == NULL)
        return;
    g_clear_pointer (&changes->noise, pv_noise_unref);
    pv_measure_sums_free (changes->own_sums);
    g_free (changes->own_functions);
    g_free (changes);
}

bool
pv_changes_is_noise (const PvChanges *changes, uint32_t row, bool is_self)
{
    g_assert (changes != NULL && row < changes->n_rows);
    int64_t change =
        is_self ? pv_changes_get_self (changes, row) : pv_changes_get_total (changes, row);
    if (changes->noise == NULL || change == 0)
        return false;
    PvNoiseRow noise_row = make_noise_row (changes, row, is_self);
    return pv_noise_explains (changes->noise, &noise_row);
}

PvInterval
pv_changes_find_interval (const PvChanges *changes, uint32_t row, bool is_self, double factor)
{
    g_assert (changes != NULL && row < changes->n_rows);
    PvNoiseRow noise_row = make_noise_row (changes, row, is_self);
    return pv_noise_find_interval (changes->noise, &noise_row, factor);
}

PvInterval
pv_changes_find_whole_interval (const PvChanges *changes, double factor)
{
    g_assert (changes != NULL && changes->function_of_row == NULL);
    PvNoiseRow noise_row = make_noise_row (changes, ROW_OF_WHOLE, false);
    return pv_noise_find_interval (changes->noise, &noise_row, factor);
}

/* A row whose self did not change may have a total that did. */
bool
pv_changes_is_row_noise (const PvChanges *changes, uint32_t row)
{
    return changes->noise != NULL &&
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
