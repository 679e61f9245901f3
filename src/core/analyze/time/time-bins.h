/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/time/time-index.h"

/*
 * How much there is in each bin of each row: what a time line draws, a bin being a pixel. A sample
 * is in exactly one bin, so the bins add up to the samples of the range. An interval is in all bins
 * that it reaches into, with its share of the weight; the shares add up to the weight of its part
 * in the range, as in a tree of that range. Any thread.
 */
typedef struct {
    uint64_t start_ns;    /* since profile->start_ns */
    uint64_t end_ns;      /* exclusive; not below start_ns */
    uint32_t n_bins;      /* of equal width, up to a nanosecond; those without any are empty */
    const uint32_t *rows; /* of the index, each once; NULL: all */
    uint32_t n_rows;
    bool is_sum; /* all rows together, as one row; `rows` is not used */
} PvTimeView;

typedef struct {
    uint32_t n_rows; /* in the order of the view */
    uint32_t n_bins;
    uint32_t n_classes;
    uint64_t *weights;   /* see pv_time_bins_get () */
    uint32_t *n_samples; /* by row and bin; intervals count where they start */
} PvTimeBins;

/* Where a bin starts; of n_bins, where the last one ends. Since profile->start_ns. */
uint64_t pv_time_view_get_start (const PvTimeView *view, uint32_t bin);

/* Takes time for pixels, not for samples; but intervals that reach into several bins are looked at
 * one by one. NULL when cancelled. */
PvTimeBins *pv_time_bins_build (const PvTimeIndex *index, const PvTimeView *view, PvJob *job);
void pv_time_bins_free (PvTimeBins *bins);

/* The weights of a bin, one for each class. */
static inline const uint64_t *
pv_time_bins_get (const PvTimeBins *bins, uint32_t row, uint32_t bin)
{
    g_assert (row < bins->n_rows && bin < bins->n_bins);
    return bins->weights + ((size_t)row * bins->n_bins + bin) * bins->n_classes;
}

/* The sum of the weights of a bin. */
uint64_t pv_time_bins_sum (const PvTimeBins *bins, uint32_t row, uint32_t bin);

/* Sums of all rows in a range of time. Intervals count that reach into it, as in a tree of that
 * range. Fast enough for the main loop. */
void pv_time_index_sum (const PvTimeIndex *index, uint64_t start_ns, uint64_t end_ns,
                        uint64_t *ret_weight, uint64_t *ret_n_samples);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvTimeBins, pv_time_bins_free)
