/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/*
 * Which differences chance explains. A sampled amount that comes from n samples is uncertain by the
 * square root of n; of so many functions some differ much by chance alone, so the limit grows with
 * their number: at most one of twenty comparisons of two runs of the same build is to name any
 * function. Two things that such runs show are allowed for as well: that most functions are
 * slower or quicker alike (drift, up to two fifths: another speed of the machine), and that samples
 * come in bursts (spread). Both are estimated from the functions themselves, by medians and
 * quartiles, which a change of some functions does not move. Where a side has several runs, the
 * spread between these counts.
 *
 * A value; any thread.
 */
typedef struct {
    double base, newer;       /* amounts */
    uint64_t n_base, n_new;   /* samples they come from */
    double base_var, new_var; /* of the mean of several runs; negative: a single run */
} PvNoiseRow;

typedef struct {
    bool is_exact;    /* nothing is noise */
    double limit;     /* of the difference, in standard deviations */
    double drift;     /* new / base that is common to all */
    double spread;    /* at least 1.3: of the standard deviation */
    double freedom;   /* of the variance between runs; 0: single runs */
    double run_ratio; /* of variances between runs to those of samples */
} PvNoise;

/* From the self amounts of all functions. n_runs: of both sides. is_sampled: numbers of samples are
 * known; without them single runs are exact. */
PvNoise pv_noise_estimate (const PvNoiseRow *rows, uint32_t n_rows, bool is_sampled,
                           unsigned n_runs);

/* True if the difference of a row, of functions or of anything else, is noise. */
bool pv_noise_explains (const PvNoise *noise, const PvNoiseRow *row);

/* How many standard deviations a normal variable passes with this probability, to either side. */
double pv_noise_find_limit (double probability);
