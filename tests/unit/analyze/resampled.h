/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/model/profile/symbols.h"

/*
 * Comparisons of recordings made by drawing samples of a real one, of which the true difference is
 * known: what intervals and rows that stand out are worth.
 */
typedef struct {
    const PvProfile *profile; /* with times, and one set of samples that count */
    const PvSymbolTable *symbols;
    double rate;       /* samples drawn for each one of the recording, in the mean */
    unsigned burst;    /* so often in a row a drawn sample comes */
    unsigned n_runs;   /* of each side */
    PvFunctionId slow; /* what has it is drawn more often on the new side; 0: nothing */
    double factor;     /* ... so many times */
} Resampling;

/* By the number of samples that a side is expected to have. */
typedef enum {
    RESAMPLED_RARE, /* below 10 */
    RESAMPLED_SOME, /* below 100 */
    RESAMPLED_HOT,
    RESAMPLED_MOST, /* more than half of all */
    RESAMPLED_N_SIZES,
} ResampledSize;

typedef struct {
    unsigned n_pairs;
    unsigned n_intervals[RESAMPLED_N_SIZES]; /* of self and total of functions, and the whole */
    unsigned n_covering[RESAMPLED_N_SIZES];  /* with the true difference in them */
    unsigned n_wrong;          /* pairs in which something stands out that did not change */
    unsigned n_found;          /* pairs in which the slow function stands out */
    unsigned n_sure;           /* pairs in which its interval is on the right side of 0 */
    unsigned n_sure_by_blocks; /* the same by a quasi-Poisson model of its blocks, as R's glm () */
} ResampledCounts;

/* Adds n pairs. */
void resampled_count (const Resampling *resampling, unsigned seed, unsigned n_pairs,
                      ResampledCounts *counts);
void resampled_add (ResampledCounts *sum, const ResampledCounts *counts);
double resampled_get_coverage (const ResampledCounts *counts, ResampledSize size);

/* The function whose total is nearest to so many of a thousand samples. */
PvFunctionId resampled_find_function (const Resampling *resampling, unsigned permille);
