/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Charts of a series of dumps: one pass over the samples finds the weight of each stack, by which
 * functions get layers; another sums up the layers dump by dump.
 */
#include <string.h>

#include "core/analyze/series/series-layers.h"
#include "core/base/large.h"
#include "core/base/pool.h"
#include "core/model/profile/dumps.h"

enum {
    SAMPLES_FOR_THREADS = 1 << 18,
    N_PIECES = 8, /* fixed, so that sums do not depend on the number of threads */
};

typedef struct {
    PvSeriesBuild *build;
    const PvProfile *profile;
    const PvSampleSet *set;
    const PvSampleFilter *filter; /* which samples count, at any time */
    uint32_t column;
    /* Measure of growth or decrease, and the dump it begins with; else NULL. */
    const PvMeasure *change;
    uint32_t base_dump;
    uint32_t *first_sample; /* of each point's dump; n_points + 1 entries */
    double *area_of_stack;  /* n_stacks per piece */
    uint16_t *slot_of_stack;
} DumpSeries;

/* Points */

static int
compare_lengths (const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

/* The median time from a dump to the next one. */
static uint64_t
find_usual_ms (const PvProfile *profile)
{
    uint32_t n = profile->n_dumps - 1;
    if (n == 0)
        return 1000;
    g_autofree uint64_t *lengths = g_new (uint64_t, n);
    for (uint32_t d = 0; d < n; d++)
        lengths[d] = (profile->dumps[d + 1].time_ns - profile->dumps[d].time_ns) / 1000000;
    qsort (lengths, n, sizeof *lengths, compare_lengths);
    return MAX (lengths[n / 2], 1);
}

static uint64_t
dump_ms (const PvProfile *profile, uint32_t dump)
{
    return (profile->dumps[dump].time_ns - profile->start_ns) / 1000000;
}

static void
lay_out_points (DumpSeries *self, uint64_t start_ns, uint64_t end_ns)
{
    const PvProfile *profile = self->profile;
    PvSeries *series = self->build->series;
    uint32_t first = 0, end = profile->n_dumps;
    while (first < end && profile->dumps[first].time_ns - profile->start_ns < start_ns)
        first++;
    while (end > first && profile->dumps[end - 1].time_ns - profile->start_ns >= end_ns)
        end--;
    series->first_dump = first;
    series->n_points = end - first;
    series->start_ms = g_new0 (uint64_t, (size_t)series->n_points + 1);
    for (uint32_t p = 0; p < series->n_points; p++)
        series->start_ms[p] = dump_ms (profile, first + p);
    if (end < profile->n_dumps)
        series->start_ms[series->n_points] = dump_ms (profile, end);
    else if (end > first)
        series->start_ms[series->n_points] =
            series->start_ms[series->n_points - 1] + find_usual_ms (profile);
}

static void
find_samples (DumpSeries *self)
{
    const PvSeries *series = self->build->series;
    self->first_sample = g_new0 (uint32_t, (size_t)series->n_points + 1);
    for (uint32_t p = 0; p < series->n_points; p++) {
        uint64_t time_ns = self->profile->dumps[series->first_dump + p].time_ns;
        self->first_sample[p] = pv_sample_set_find (self->set, time_ns);
        self->first_sample[p + 1] = pv_sample_set_find (self->set, time_ns + 1);
    }
}

/* Values */

static uint32_t
first_point_of (const DumpSeries *self, size_t piece)
{
    return (uint32_t)((uint64_t)self->build->series->n_points * piece / N_PIECES);
}

/* The samples of a point, and their weights, by the index of the sample. */
typedef struct {
    uint32_t first;
    uint32_t end;
    uint64_t *weights; /* NULL: those in the column */
} Samples;

static void
clear_samples (Samples *samples)
{
    g_free (samples->weights);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Samples, clear_samples)

/* Samples of a point; for growth or decrease, those of the change since the base. */
static void
get_samples (const DumpSeries *self, uint32_t point, Samples *ret_samples)
{
    const PvProfile *profile = self->profile;
    uint32_t dump = self->build->series->first_dump + point;
    *ret_samples = (Samples){self->first_sample[point], self->first_sample[point + 1], NULL};
    if (self->change == NULL)
        return;
    if (dump <= self->base_dump)
        ret_samples->end = ret_samples->first;
    else
        ret_samples->weights = pv_dumps_weigh (
            profile, self->change, profile->dumps[self->base_dump].time_ns - profile->start_ns,
            profile->dumps[dump].time_ns - profile->start_ns + 1, &ret_samples->first,
            &ret_samples->end, NULL);
}

static uint64_t
weigh_sample (const DumpSeries *self, const Samples *samples, uint32_t i)
{
    if (!pv_sample_filter_allows (self->filter, i))
        return 0;
    return samples->weights != NULL ? samples->weights[i]
                                    : pv_sample_set_weight (self->set, self->column, i);
}

/* Weighs each stack by the area that it adds to the chart. */
static void
weigh_stacks (void *data, size_t piece, unsigned worker)
{
    const DumpSeries *self = data;
    const PvSeries *series = self->build->series;
    double *area_of_stack = self->area_of_stack + piece * self->profile->n_stacks;
    (void)worker;
    for (uint32_t p = first_point_of (self, piece);
         p < first_point_of (self, piece + 1) && !pv_job_is_cancelled (self->build->job); p++) {
        double width = (double)(series->start_ms[p + 1] - series->start_ms[p]);
        g_auto (Samples) samples;
        get_samples (self, p, &samples);
        for (uint32_t i = samples.first; i < samples.end; i++)
            area_of_stack[self->set->stack[i]] += width * (double)weigh_sample (self, &samples, i);
    }
}

static double
sum_of_stack (const DumpSeries *self, PvStackId stack)
{
    double sum = 0;
    for (size_t piece = 0; piece < N_PIECES; piece++)
        sum += self->area_of_stack[piece * self->profile->n_stacks + stack];
    return sum;
}

static void
rank_functions (DumpSeries *self, PvPool *pool, uint32_t max_layers)
{
    uint32_t n_stacks = self->profile->n_stacks;
    self->area_of_stack = pv_new_large (double, (size_t)n_stacks *N_PIECES);
    memset (self->area_of_stack, 0, (size_t)n_stacks * N_PIECES * sizeof (double));
    pv_pool_run (pool, N_PIECES, weigh_stacks, self);
    pv_series_begin_ranking (self->build);
    for (PvStackId s = 0; s < n_stacks; s++) {
        double area = sum_of_stack (self, s);
        PvFunctionId function = area > 0 ? pv_series_find_function (self->build, s) : UINT32_MAX;
        if (function != UINT32_MAX)
            pv_series_add_weight (self->build, function, s, area);
    }
    pv_series_end_ranking (self->build, max_layers);
}

static void
deal_out_stacks (DumpSeries *self)
{
    uint32_t n_stacks = self->profile->n_stacks;
    g_autofree uint16_t *slot_of_function = pv_series_make_slots (self->build);
    self->slot_of_stack = pv_new_large (uint16_t, n_stacks);
    for (PvStackId s = 0; s < n_stacks; s++) {
        PvFunctionId function = pv_series_find_function (self->build, s);
        self->slot_of_stack[s] = function != UINT32_MAX ? slot_of_function[function]
                                                        : (uint16_t)(self->build->n_own + 1);
    }
}

static void
fill_points (void *data, size_t piece, unsigned worker)
{
    const DumpSeries *self = data;
    const PvSeries *series = self->build->series;
    uint32_t n_slots = self->build->n_own + 2;
    g_autofree int64_t *sums = g_new (int64_t, n_slots);
    (void)worker;
    for (uint32_t p = first_point_of (self, piece);
         p < first_point_of (self, piece + 1) && !pv_job_is_cancelled (self->build->job); p++) {
        memset (sums, 0, n_slots * sizeof *sums);
        g_auto (Samples) samples;
        get_samples (self, p, &samples);
        for (uint32_t i = samples.first; i < samples.end; i++)
            sums[self->slot_of_stack[self->set->stack[i]]] +=
                (int64_t)weigh_sample (self, &samples, i);
        for (uint32_t slot = 0; slot < n_slots; slot++)
            self->build->values[(size_t)slot * series->n_points + p] = sums[slot];
    }
}

static void
fill_layers (DumpSeries *self, uint32_t max_layers)
{
    g_autoptr (PvPool) pool = pv_pool_new (self->set->n_samples < SAMPLES_FOR_THREADS ? 1 : 0);
    find_samples (self);
    rank_functions (self, pool, max_layers);
    deal_out_stacks (self);
    pv_series_allocate_values (self->build);
    pv_pool_run (pool, N_PIECES, fill_points, self);
    pv_series_make_layers (self->build, max_layers);
    g_free (self->first_sample);
    g_free (self->area_of_stack);
    g_free (self->slot_of_stack);
}

/* Marks the dump that the file says is the peak, if the values shown are about as high there as
 * anywhere: the tool that took the dumps may have looked for the peak less often. */
static void
mark_peak (PvSeries *series, const PvProfile *profile)
{
    uint32_t dump = profile->main_dump;
    if (!profile->dumps[dump].is_main || dump < series->first_dump ||
        dump - series->first_dump >= series->n_points)
        return;
    uint32_t point = dump - series->first_dump;
    int64_t value = series->totals[point];
    if (value <= 0 || value < series->highest - series->highest / 50)
        return;
    series->has_peak = true;
    series->peak_ms = series->start_ms[point];
    series->peak_value = value;
}

static bool
has_charts (const PvProfile *profile)
{
    return profile->n_dumps > 0;
}

static bool
fill (PvSeriesBuild *build, uint64_t start_ns, uint64_t end_ns, uint32_t max_layers,
      uint32_t max_points)
{
    PvSeries *series = build->series;
    const PvProfile *profile = series->tree->profile;
    const PvMeasure *measure = pv_series_find_dump_measure (series->tree);
    DumpSeries self = {.build = build, .profile = profile};
    lay_out_points (&self, start_ns, end_ns);
    if (measure != NULL && measure->set != PV_NO_SET) {
        PvSampleFilter filter;
        pv_sample_filter_init (&filter, &series->tree->query, profile);
        self.filter = &filter;
        self.set = &profile->sets[measure->set];
        self.column = measure->column;
        if (pv_series_find_base (series->tree, &self.base_dump))
            self.change = measure;
        series->unit = measure->unit;
        fill_layers (&self, max_layers);
        pv_sample_filter_clear (&filter);
    }
    pv_series_sum_up (build);
    if (self.change == NULL)
        mark_peak (series, profile);
    return !pv_job_is_cancelled (build->job);
}

const PvSeriesSource pv_dump_series = {has_charts, fill};
