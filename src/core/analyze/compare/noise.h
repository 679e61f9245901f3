/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/analyze/compare/spread.h"

/*
 * How sure differences are: the interval of each, and which of them stand out.
 *
 * An amount that comes from n samples is uncertain by the square root of n, times what the spread
 * of its function inside the runs says (spread.h), which counts as much as its samples tell, and
 * else is that of functions with as many samples. Where a side has several runs, what these differ
 * counts as well. Nothing is learnt from the difference itself: with one run of each side, another
 * speed of the machine cannot be told from a change of the code.
 *
 * Intervals join those of both sides, which are those of the score (G. Y. Zou, A. Donner,
 * Statistics in Medicine 27, 2008), so that they fit few samples and none. Of many functions some
 * differ much by chance; those that stand out are chosen so that at most one in twenty of them is
 * wrong (Y. Benjamini, Y. Hochberg, Journal of the Royal Statistical Society B 57, 1995).
 *
 * Immutable and reference counted; any thread.
 */
/* Amounts are in the measure's unit, those of the base as scaled. */
typedef struct {
    double base, newer;     /* amounts; of several runs their mean */
    uint64_t n_base, n_new; /* samples they come from, in all runs */
    double run_variance;    /* of the difference, by what runs differ; negative: one run each */
    PvSpread spread;
} PvNoiseRow;

/* 95 of 100 such intervals hold the true difference. */
typedef struct {
    double low, high;
} PvInterval;

/* The nearest amount that can be shown; any thread. */
static inline int64_t
pv_round_amount (double amount)
{
    const double most = (double)(INT64_MAX / 4);
    return (int64_t)round (CLAMP (amount, -most, most));
}

typedef struct PvNoise PvNoise;

typedef struct {
    bool is_sampled;                /* numbers of samples are known */
    unsigned n_runs;                /* of both sides */
    double base_weight, new_weight; /* of a sample, in the mean */
} PvNoiseKind;

/* From self and total of all functions, with their spreads as measured, which are not needed
 * afterwards; total[0] is of everything. NULL: amounts are exact, and there is one run of each
 * side, so nothing is noise. */
PvNoise *pv_noise_new (const PvNoiseKind *kind, const PvNoiseRow *self, const PvNoiseRow *total,
                       uint32_t n_functions);
PvNoise *pv_noise_ref (PvNoise *noise);
void pv_noise_unref (PvNoise *noise);

/* True if a side has several runs; and if the times of samples are known. */
bool pv_noise_has_runs (const PvNoise *noise);
bool pv_noise_has_times (const PvNoise *noise);

/* The spread of a function's amount, also where little was measured; of anything that is not a
 * function, that of everything: 0. */
PvSpread pv_noise_get_spread (const PvNoise *noise, PvFunctionId function, bool is_self);

/* The interval of newer - factor * base. factor: 1 is the difference. */
PvInterval pv_noise_find_interval (const PvNoise *noise, const PvNoiseRow *row, double factor);

/* True if the difference of a row, of functions or of anything else, does not stand out. Without
 * noise all do. */
bool pv_noise_explains (const PvNoise *noise, const PvNoiseRow *row);

/* How many estimated standard errors a Student variable of that freedom passes as often as a normal
 * one passes z. Any thread. */
double pv_noise_widen_limit (double z, double freedom);
/* How many standard deviations a normal variable passes with this probability, to either side. Any
 * thread. */
double pv_noise_find_limit (double probability);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvNoise, pv_noise_unref)
