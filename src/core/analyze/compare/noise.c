/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/compare/noise.h"

#include <glib.h>
#include <math.h>
#include <stdlib.h>

/* One of twenty comparisons may name a function wrongly. */
#define ERROR_RATE 0.05
/* Beyond the first it is no matter of the machine: less work was done, or more. Then what is left
 * of the ratio is no more than what two runs side by side show. */
#define MAX_RATIO   1.4
#define SMALL_DRIFT 0.05
/* Samples of one call come together, so chance alone is never all there is. */
#define MIN_SPREAD 1.3
#define MAX_SPREAD 5.0

/* Least number of functions for an estimate, and of samples for a function to count. */
enum { MIN_FUNCTIONS = 6, MIN_SAMPLES = 20 };

/* No limit is below the 2.24 deviations of a single function: so many samples are within it. */
enum { MIN_JUDGED_SAMPLES = 6 };

/* Weight of the common ratio of variances, in runs. */
#define PRIOR_FREEDOM 4.0

static int
compare_doubles (const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* part: 0.5 is the median. Sorts the values. */
static double
find_quantile (double *values, uint32_t n, double part)
{
    qsort (values, n, sizeof *values, compare_doubles);
    double at = part * (n - 1);
    uint32_t below = (uint32_t)at;
    double above = values[MIN (below + 1, n - 1)];
    return values[below] + (above - values[below]) * (at - below);
}

/* The limit that a normal variable passes, to either side, with this probability. */
static double
normal_limit (double probability)
{
    double low = 0, high = 40;
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;
        if (erfc (middle / G_SQRT2) > probability)
            low = middle;
        else
            high = middle;
    }
    return high;
}

/* The same for Student's t, by the first terms of its expansion (Abramowitz and Stegun 26.7.5). */
static double
student_limit (double probability, double freedom)
{
    double z = normal_limit (probability);
    double z3 = z * z * z, z5 = z3 * z * z;
    return z + (z3 + z) / (4 * freedom) + (5 * z5 + 16 * z3 + 3 * z) / (96 * freedom * freedom);
}

/* The variance of an amount from n samples. With none, that of one sample as heavy as those of the
 * other side. */
static double
sample_variance (double amount, uint64_t n, double other, uint64_t n_other)
{
    if (n > 0)
        return amount / (double)n * amount;
    double weight = n_other > 0 ? other / (double)n_other : 0;
    return weight * weight;
}

/* The variance of new - base. */
static double
find_variance (const PvNoise *noise, const PvNoiseRow *row)
{
    double by_samples = sample_variance (row->base, row->n_base, row->newer, row->n_new) +
                        sample_variance (row->newer, row->n_new, row->base, row->n_base);
    by_samples *= noise->spread * noise->spread;
    if (noise->freedom <= 0)
        return by_samples;
    double mean = (row->base + row->newer) / 2;
    double usual = (by_samples > 0 ? by_samples : mean * mean) * noise->run_ratio;
    double own = MAX (row->base_var, 0) + MAX (row->new_var, 0);
    return (PRIOR_FREEDOM * usual + noise->freedom * own) / (PRIOR_FREEDOM + noise->freedom);
}

/* The difference that remains when any drift up to the common one is allowed. */
static double
find_difference (const PvNoise *noise, const PvNoiseRow *row)
{
    double delta = row->newer - row->base;
    double drifted = row->newer - row->base * noise->drift;
    if ((delta < 0) != (drifted < 0))
        return 0;
    return MIN (fabs (delta), fabs (drifted));
}

static bool
is_heavy (const PvNoiseRow *row)
{
    return row->base > 0 && row->newer > 0 && row->n_base + row->n_new >= MIN_SAMPLES;
}

/* new / base of most functions; 1 if there are too few. */
static double
find_common_ratio (const PvNoiseRow *rows, uint32_t n_rows, double *scratch)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < n_rows; i++)
        if (is_heavy (&rows[i]))
            scratch[n++] = rows[i].newer / rows[i].base;
    return n >= MIN_FUNCTIONS ? find_quantile (scratch, n, 0.5) : 1;
}

/* Around the common ratio. Half of all normal variables are within 0.6745 standard deviations, and
 * three quarters within 1.1503. */
static void
estimate_spread (PvNoise *noise, const PvNoiseRow *rows, uint32_t n_rows, double ratio,
                 double *scratch)
{
    uint32_t n = 0;
    noise->spread = 1;
    for (uint32_t i = 0; i < n_rows; i++)
        if (is_heavy (&rows[i]))
            scratch[n++] = fabs (rows[i].newer - rows[i].base * ratio) /
                           sqrt (find_variance (noise, &rows[i]));
    noise->spread = n < MIN_FUNCTIONS ? MIN_SPREAD
                                      : CLAMP (MAX (find_quantile (scratch, n, 0.5) / 0.6745,
                                                    find_quantile (scratch, n, 0.75) / 1.1503),
                                               MIN_SPREAD, MAX_SPREAD);
}

/* Compares variances between runs with those expected from samples; for exact amounts, with the
 * square of the amount. */
static void
estimate_runs (PvNoise *noise, const PvNoiseRow *rows, uint32_t n_rows)
{
    double sum = 0, n = 0;
    for (uint32_t i = 0; i < n_rows; i++) {
        const PvNoiseRow *row = &rows[i];
        double by_samples = sample_variance (row->base, row->n_base, row->newer, row->n_new) +
                            sample_variance (row->newer, row->n_new, row->base, row->n_base);
        double mean = (row->base + row->newer) / 2;
        double usual = by_samples > 0 ? by_samples : mean * mean;
        if (usual <= 0 || (by_samples > 0 && !is_heavy (row)))
            continue;
        sum += (MAX (row->base_var, 0) + MAX (row->new_var, 0)) / usual;
        n++;
    }
    noise->run_ratio = n > 0 ? sum / n : 1;
}

/* Counts functions that may be named at all: few samples never are, even if all are of one side
 * (R. E. Tarone, Biometrics 46, 1990). */
static uint32_t
count_judged (const PvNoiseRow *rows, uint32_t n_rows, bool is_sampled)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < n_rows; i++)
        n += is_sampled ? rows[i].n_base + rows[i].n_new >= MIN_JUDGED_SAMPLES
                        : rows[i].base > 0 || rows[i].newer > 0;
    return n;
}

PvNoise
pv_noise_estimate (const PvNoiseRow *rows, uint32_t n_rows, bool is_sampled, unsigned n_runs)
{
    g_assert (n_runs >= 2);
    PvNoise noise = {.drift = 1, .spread = MIN_SPREAD, .run_ratio = 1};
    noise.freedom = n_runs - 2;
    noise.is_exact = !is_sampled && noise.freedom <= 0;
    if (noise.is_exact)
        return noise;
    g_autofree double *scratch = g_new (double, MAX (n_rows, 1));
    double ratio = is_sampled ? find_common_ratio (rows, n_rows, scratch) : 1;
    bool is_machine = ratio < MAX_RATIO && ratio > 1 / MAX_RATIO;
    noise.drift = is_machine ? ratio : CLAMP (ratio, 1 - SMALL_DRIFT, 1 + SMALL_DRIFT);
    if (noise.freedom > 0)
        estimate_runs (&noise, rows, n_rows);
    else
        estimate_spread (&noise, rows, n_rows, ratio, scratch);
    /* Self and total of each. */
    double probability = ERROR_RATE / (2 * MAX (count_judged (rows, n_rows, is_sampled), 1));
    noise.limit = noise.freedom > 0 ? student_limit (probability, PRIOR_FREEDOM + noise.freedom)
                                    : normal_limit (probability);
    return noise;
}

bool
pv_noise_explains (const PvNoise *noise, const PvNoiseRow *row)
{
    g_assert (noise != NULL && row != NULL);
    if (noise->is_exact || row->newer == row->base)
        return false;
    return find_difference (noise, row) <= noise->limit * sqrt (find_variance (noise, row));
}

double
pv_noise_find_limit (double probability)
{
    g_assert (probability > 0 && probability < 1);
    return normal_limit (probability);
}
