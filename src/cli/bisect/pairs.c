/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/bisect/pairs.h"

#include <glib.h>
#include <math.h>

#include "core/analyze/compare/noise.h"

/* Evidence of 200 to 1. */
#define DECISIVE 5.3
/* Other commits change an amount by so much of the whole change. */
#define OTHERS 0.15
/* Standard errors between an estimate and 0 until it is a change: many looks, few wrong. */
#define CHANGE_LIMIT 4.0
/* Weight of the usual spread, in degrees of freedom. */
#define PRIOR_SPREAD 4.0
/* A normal variable passes this in 5 of 100 cases, to either side. */
#define NORMAL_LIMIT 1.959963984540054

static double
find_mean (const double *changes, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += changes[i];
    return sum / (double)n;
}

void
pv_pair_spread_add (PvPairSpread *spread, const double *changes, size_t n)
{
    if (n == 0)
        return;
    const double mean = find_mean (changes, n);
    for (size_t i = 0; i < n; i++)
        spread->squares += (changes[i] - mean) * (changes[i] - mean);
    spread->freedom += (double)(n - 1);
}

PvEstimate
pv_pair_spread_estimate (const PvPairSpread *spread, const double *changes, size_t n, double usual)
{
    g_assert (n > 0 && usual >= 0);
    double freedom = spread->freedom + PRIOR_SPREAD;
    double variance = (spread->squares + PRIOR_SPREAD * usual * usual) / freedom;
    double widened = pv_noise_widen_limit (NORMAL_LIMIT, freedom) / NORMAL_LIMIT;
    return (PvEstimate){find_mean (changes, n), widened * sqrt (variance / (double)n)};
}

double
pv_estimate_get_end (const PvEstimate *estimate, bool is_high)
{
    return estimate->change + (is_high ? NORMAL_LIMIT : -NORMAL_LIMIT) * estimate->error;
}

static double
find_log_likelihood (double distance, double variance)
{
    return -distance * distance / (2 * variance) - log (variance) / 2;
}

/* Variance of the estimate of a commit that has nothing of the change, without its own error.
 */
static double
find_others (const PvEstimate *whole)
{
    double others = OTHERS * whole->change;
    return others * others;
}

double
pv_estimate_weigh (const PvEstimate *whole, const PvEstimate *commit)
{
    g_assert (whole->change != 0);
    double variance = commit->error * commit->error + find_others (whole);
    return find_log_likelihood (commit->change - whole->change,
                                variance + whole->error * whole->error) -
           find_log_likelihood (commit->change, variance);
}

bool
pv_estimate_is_enough (const PvEstimate *whole, const PvEstimate *commit)
{
    double rest = find_others (whole) + whole->error * whole->error;
    return fabs (pv_estimate_weigh (whole, commit)) >= DECISIVE ||
           commit->error * commit->error < rest / 9;
}

bool
pv_estimate_is_change (const PvEstimate *estimate)
{
    return fabs (estimate->change) > CHANGE_LIMIT * estimate->error;
}
