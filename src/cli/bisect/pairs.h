/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/*
 * By how much a commit differs from the good one, from pairs of runs that were made in turn: each
 * pair gives a change. Logarithms of ratios fit best, but differences do as well. Any thread.
 */

/* The spread of changes from pair to pair: that of a machine, learnt from the pairs of all commits,
 * and at first as usual. Begin with zeros. */
typedef struct {
    double squares, freedom;
} PvPairSpread;

/* The standard deviation, relative to the amounts, that is usual. */
#define PV_PAIR_USUAL_SPREAD 0.03

/* A mean and its standard error, which is wide enough for as little as is known of the spread. */
typedef struct {
    double change, error;
} PvEstimate;

/* Adds what n pairs of one commit differ among themselves. */
void pv_pair_spread_add (PvPairSpread *spread, const double *changes, size_t n);
/* n > 0. usual: PV_PAIR_USUAL_SPREAD in the unit of changes. */
PvEstimate pv_pair_spread_estimate (const PvPairSpread *spread, const double *changes, size_t n,
                                    double usual);
/* One end of the interval that holds 95 of 100 true changes. */
double pv_estimate_get_end (const PvEstimate *estimate, bool is_high);

/* True if the estimate is certainly not 0, however often one looks at it while it is measured. */
bool pv_estimate_is_change (const PvEstimate *estimate);
/* The natural logarithm of how many times likelier a commit's estimate is if it has the whole
 * change of the range than if it has none of it. Commits beside the one that is looked for change
 * something as well: even a certain estimate is not exact. */
double pv_estimate_weigh (const PvEstimate *whole, const PvEstimate *commit);
/* True if that decides, or if measuring more would not change it. */
bool pv_estimate_is_enough (const PvEstimate *whole, const PvEstimate *commit);
