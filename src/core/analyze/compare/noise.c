/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/compare/noise.h"

#include <glib.h>
#include <math.h>
#include <stdlib.h>

#include "core/base/array.h"
#include "core/base/ref.h"

/* The part of intervals that miss the truth, and of what stands out wrongly. */
#define ERROR_RATE 0.05
/* A normal variable passes this as often, to either side. */
#define NORMAL_LIMIT 1.959963984540054

/* So few samples cannot stand out, even if all are of one side (R. E. Tarone, Biometrics 46,
 * 1990). */
enum { MIN_JUDGED_SAMPLES = 6 };

/* Functions with up to twice as many samples are alike. */
enum { N_SIZES = 64 };
/* Weight of their spread, and of the usual variance between runs, in degrees of freedom. */
#define PRIOR_SPREAD 8.0
#define PRIOR_RUNS   4.0
/* Samples of a run with which half of what its number tells is told. */
#define TELLING_SAMPLES 10.0
/* Freedom of a variance that is not estimated. */
#define CERTAIN 1e9

struct PvNoise {
    int ref_count; /* atomic */
    bool is_sampled;
    bool has_times;
    double freedom; /* of the variance between runs; 0: one run of each side */
    double base_weight, new_weight;
    double drift;       /* squared: variance that all amounts have in common, to their squares */
    double limit;       /* probability below which a difference stands out */
    PvSpreads *spreads; /* settled: of each function, also where little was measured */
};

/* --- distributions --- */

/* Between Student's t and a normal variable that is passed as often (D. L. Wallace, Annals of
 * Mathematical Statistics 30, 1959). */
static double
normal_from_student (double t, double freedom)
{
    return (8 * freedom + 1) / (8 * freedom + 3) * sqrt (freedom * log1p (t * t / freedom));
}

double
pv_noise_widen_limit (double z, double freedom)
{
    g_assert (freedom > 0);
    double scaled = z * (8 * freedom + 3) / (8 * freedom + 1);
    return sqrt (freedom * expm1 (scaled * scaled / freedom));
}

/* --- variance --- */

/* The weight of a sample; of a side that has none of a row, that of all its samples. */
static double
get_weight (double amount, uint64_t n, double usual)
{
    return n > 0 ? amount / (double)n : usual;
}

/* The variance of the difference if samples come one by one. */
static double
find_sample_variance (const PvNoise *noise, const PvNoiseRow *row)
{
    if (!noise->is_sampled)
        return 0;
    double base_weight = get_weight (row->base, row->n_base, noise->base_weight);
    double new_weight = get_weight (row->newer, row->n_new, noise->new_weight);
    return base_weight * base_weight * (double)MAX (row->n_base, row->n_new == 0) +
           new_weight * new_weight * (double)MAX (row->n_new, row->n_base == 0);
}

/* Samples in bursts have a dispersion above 1. Regular ones have one below, which is no promise for
 * the next run. */
static double
get_dispersion (const PvNoiseRow *row)
{
    return MAX (row->spread.dispersion, 1);
}

/* Variance of the difference, and the degrees of freedom of its estimate. */
typedef struct {
    double variance, freedom;
} Variance;

/* The freedom of what runs differ by themselves: numbers as small as 1 and 2 tell little of that.
 */
static double
find_run_freedom (const PvNoise *noise, const PvNoiseRow *row)
{
    if (!noise->is_sampled)
        return noise->freedom;
    double per_run = (double)(row->n_base + row->n_new) / (noise->freedom + 2);
    return noise->freedom * per_run / (per_run + TELLING_SAMPLES);
}

static Variance
find_variance (const PvNoise *noise, const PvNoiseRow *row)
{
    double within = find_sample_variance (noise, row) * get_dispersion (row);
    if (noise->freedom <= 0)
        return (Variance){within, row->spread.freedom};
    double freedom = find_run_freedom (noise, row);
    double weight = PRIOR_RUNS / (PRIOR_RUNS + freedom);
    double sure = weight * within;
    double drift = noise->drift * (row->base * row->base + row->newer * row->newer);
    double unsure = weight * drift + (1 - weight) * MAX (row->run_variance, 0);
    double variance = sure + unsure;
    if (variance <= 0)
        return (Variance){0, freedom};
    /* F. E. Satterthwaite, Biometrics Bulletin 2, 1946. */
    double spread = sure > 0 ? sure * sure / row->spread.freedom : 0;
    double runs = unsure > 0 ? unsure * unsure / freedom : 0;
    return (Variance){variance, variance * variance / (spread + runs)};
}

/* --- intervals --- */

/* The interval of one side's amount, of samples that weigh as much as bursts do. */
static PvInterval
find_side (double amount, double weight, double limit)
{
    double n = weight > 0 ? amount / weight : 0, half = limit * limit / 2;
    double width = limit * sqrt (n + half / 2);
    return (PvInterval){weight * MAX (n + half - width, 0), weight * (n + half + width)};
}

PvInterval
pv_noise_find_interval (const PvNoise *noise, const PvNoiseRow *row, double factor)
{
    g_assert (row != NULL);
    const double change = row->newer - factor * row->base;
    if (noise == NULL)
        return (PvInterval){change, change};
    Variance found = find_variance (noise, row);
    double limit = pv_noise_widen_limit (NORMAL_LIMIT, found.freedom);
    double one_by_one = find_sample_variance (noise, row);
    if (one_by_one <= 0) {
        double width = limit * sqrt (found.variance * (1 + factor * factor) / 2);
        return (PvInterval){change - width, change + width};
    }
    double dispersion = found.variance / one_by_one;
    PvInterval base = find_side (
        row->base, dispersion * get_weight (row->base, row->n_base, noise->base_weight), limit);
    PvInterval newer = find_side (
        row->newer, dispersion * get_weight (row->newer, row->n_new, noise->new_weight), limit);
    return (PvInterval){change - hypot (row->newer - newer.low, factor * (base.high - row->base)),
                        change + hypot (newer.high - row->newer, factor * (row->base - base.low))};
}

/* --- what stands out --- */

/* How often chance alone gives such a difference, to either side, if there is none: for samples,
 * by the variance of two sides that are alike. */
static double
find_probability (const PvNoise *noise, const PvNoiseRow *row)
{
    double change = row->newer - row->base;
    if (change == 0)
        return 1;
    Variance found = find_variance (noise, row);
    double one_by_one = find_sample_variance (noise, row), variance = found.variance;
    if (one_by_one > 0)
        variance *= get_weight (row->base, row->n_base, noise->base_weight) *
                    get_weight (row->newer, row->n_new, noise->new_weight) *
                    (double)(row->n_base + row->n_new) / one_by_one;
    if (variance <= 0)
        return 0;
    double z = normal_from_student (fabs (change) / sqrt (variance), found.freedom);
    return erfc (z / G_SQRT2);
}

static bool
is_judged (const PvNoise *noise, const PvNoiseRow *row)
{
    return noise->is_sampled ? row->n_base + row->n_new >= MIN_JUDGED_SAMPLES
                             : row->base > 0 || row->newer > 0;
}

bool
pv_noise_explains (const PvNoise *noise, const PvNoiseRow *row)
{
    g_assert (row != NULL);
    if (noise == NULL)
        return false;
    PvInterval interval = pv_noise_find_interval (noise, row, 1);
    return !is_judged (noise, row) || find_probability (noise, row) > noise->limit ||
           (interval.low <= 0 && interval.high >= 0);
}

static void
choose_limit (PvNoise *noise, const PvNoiseRow *const *rows, uint32_t n_functions)
{
    PV_ARRAY (double) probabilities = {0};
    for (unsigned kind = 0; kind < 2; kind++)
        for (uint32_t f = 0; f < n_functions; f++) {
            PvNoiseRow row = rows[kind][f];
            row.spread = pv_noise_get_spread (noise, f, kind == 0);
            if (is_judged (noise, &row))
                pv_array_push (&probabilities, find_probability (noise, &row));
        }
    pv_sort_doubles (probabilities.data, probabilities.len);
    size_t n = MAX (probabilities.len, 1), n_found = 0;
    for (size_t i = 0; i < probabilities.len; i++)
        if (probabilities.data[i] <= ERROR_RATE * (double)(i + 1) / (double)n)
            n_found = i + 1;
    noise->limit = ERROR_RATE * (double)MAX (n_found, 1) / (double)n;
    pv_array_clear (&probabilities);
}

/* --- spreads --- */

static unsigned
find_size (const PvNoiseRow *row)
{
    return (unsigned)g_bit_storage (row->n_base + row->n_new);
}

/* Spreads of functions by size: those with as many samples count most. */
static void
find_usual (const PvNoiseRow *rows, uint32_t n_functions, double *ret_usual)
{
    double sums[N_SIZES + 1] = {0}, freedoms[N_SIZES + 1] = {0};
    for (uint32_t f = 0; f < n_functions; f++) {
        unsigned size = find_size (&rows[f]);
        sums[size] += rows[f].spread.freedom * rows[f].spread.dispersion;
        freedoms[size] += rows[f].spread.freedom;
    }
    for (unsigned i = 0; i <= N_SIZES; i++) {
        double sum = 0, freedom = 0;
        for (unsigned k = 0; k <= N_SIZES; k++) {
            double distance = (double)i - (double)k, weight = 1 / (1 + distance * distance);
            sum += weight * sums[k];
            freedom += weight * freedoms[k];
        }
        ret_usual[i] = freedom > 0 ? sum / freedom : 1;
    }
}

/* Joins what was measured and what is usual, each by its weight. Without times, samples are taken
 * to come one by one. */
static void
settle_spreads (const PvNoise *noise, const PvNoiseRow *rows, uint32_t n_functions,
                PvSpread *spreads)
{
    double usual[N_SIZES + 1];
    for (uint32_t f = 0; f < n_functions && !noise->has_times; f++)
        spreads[f] = (PvSpread){1, CERTAIN};
    if (!noise->has_times)
        return;
    find_usual (rows, n_functions, usual);
    for (uint32_t f = 0; f < n_functions; f++) {
        PvSpread own = rows[f].spread;
        double freedom = own.freedom + PRIOR_SPREAD;
        double sum = own.freedom * own.dispersion + PRIOR_SPREAD * usual[find_size (&rows[f])];
        spreads[f] = (PvSpread){sum / freedom, freedom};
    }
}

/* The part of what whole runs differ that samples do not explain. */
static double
find_drift (const PvNoise *noise, const PvNoiseRow *whole)
{
    PvNoiseRow row = *whole;
    row.spread = pv_noise_get_spread (noise, 0, false);
    double squares = row.base * row.base + row.newer * row.newer;
    double within = find_sample_variance (noise, &row) * get_dispersion (&row);
    return squares > 0 ? MAX (row.run_variance - within, 0) / squares : 0;
}

PvNoise *
pv_noise_new (const PvNoiseKind *kind, const PvNoiseRow *self, const PvNoiseRow *total,
              uint32_t n_functions)
{
    g_assert (kind != NULL && kind->n_runs >= 2 && n_functions > 0);
    if (!kind->is_sampled && kind->n_runs == 2)
        return NULL;
    const PvNoiseRow *rows[] = {self, total};
    PvNoise *noise = g_new0 (PvNoise, 1);
    noise->ref_count = 1;
    noise->is_sampled = kind->is_sampled;
    noise->freedom = kind->n_runs - 2;
    noise->base_weight = kind->base_weight;
    noise->new_weight = kind->new_weight;
    noise->spreads = pv_spreads_new (n_functions);
    noise->has_times = total[0].spread.freedom > 0;
    settle_spreads (noise, self, n_functions, noise->spreads->self);
    settle_spreads (noise, total, n_functions, noise->spreads->total);
    if (noise->freedom > 0)
        noise->drift = find_drift (noise, &total[0]);
    choose_limit (noise, rows, n_functions);
    return noise;
}

PV_DEFINE_REF (pv_noise_ref, PvNoise, PvNoise)

void
pv_noise_unref (PvNoise *noise)
{
    if (!pv_ref_was_last (noise))
        return;
    pv_spreads_free (noise->spreads);
    g_free (noise);
}

bool
pv_noise_has_runs (const PvNoise *noise)
{
    g_assert (noise != NULL);
    return noise->freedom > 0;
}

bool
pv_noise_has_times (const PvNoise *noise)
{
    g_assert (noise != NULL);
    return noise->has_times;
}

PvSpread
pv_noise_get_spread (const PvNoise *noise, PvFunctionId function, bool is_self)
{
    g_assert (noise != NULL && function < noise->spreads->n_functions);
    return (is_self ? noise->spreads->self : noise->spreads->total)[function];
}

double
pv_noise_find_limit (double probability)
{
    g_assert (probability > 0 && probability < 1);
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
