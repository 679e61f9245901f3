/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Charts of a heap: first assigns sites to layers, then sums up each layer in one pass over the
 * rows of the history.
 */
#include <string.h>

#include "core/analyze/series/series-layers.h"
#include "core/base/large.h"
#include "core/base/pool.h"
#include "core/model/heap/heap-rows.h"
#include "core/model/heap/heap-sizes.h"

enum {
    ROWS_FOR_THREADS = 1 << 18,
    N_PIECES = 64, /* many, because bins differ in their number of rows */
};

typedef struct {
    PvSeriesBuild *build;
    PvSeries *series;
    const PvHeap *heap;
    uint32_t first_bin;
    uint32_t end_bin;
    uint32_t bins_per_point;
    uint16_t *slot_of_site;
    uint32_t *at_peak;             /* bin shown at each point; live only */
    uint64_t *allocations_of_size; /* by the heap's sizes; sizes only */
    uint64_t *bytes_of_size;
} HeapSeries;

/* Adds to the weight of each site its share of the measure, 0 to 1. */
static void
add_shares (const HeapSeries *self, PvHeapMeasure measure, double *weight_of_site)
{
    const PvHeap *heap = self->heap;
    g_autofree int64_t *amount_of_site = pv_new_large (int64_t, MAX (heap->n_sites, 1));
    int64_t total = 0;
    pv_heap_weigh_sites (heap, measure, self->first_bin, self->end_bin, amount_of_site, &total);
    for (uint32_t s = 0; total > 0 && s < heap->n_sites; s++)
        weight_of_site[s] += (double)MAX (amount_of_site[s], 0) / (double)total;
}

/* Weighs sites: live ones by their shares of the area under the curve over time and of the peak. */
static void
weigh_sites (const HeapSeries *self, double *ret_weight_of_site)
{
    PvChartKind kind = self->series->kind;
    memset (ret_weight_of_site, 0, self->heap->n_sites * sizeof *ret_weight_of_site);
    if (kind == PV_CHART_LIVE) {
        add_shares (self, PV_HEAP_LIFETIME, ret_weight_of_site);
        add_shares (self, PV_HEAP_PEAK, ret_weight_of_site);
    } else {
        add_shares (self, kind == PV_CHART_TEMPORARY ? PV_HEAP_TEMPORARY : PV_HEAP_ALLOCATIONS,
                    ret_weight_of_site);
    }
}

static void
rank_functions (HeapSeries *self, uint32_t max_layers)
{
    const PvHeap *heap = self->heap;
    g_autofree double *weight_of_site = pv_new_large (double, MAX (heap->n_sites, 1));
    weigh_sites (self, weight_of_site);
    pv_series_begin_ranking (self->build);
    for (uint32_t s = 0; s < heap->n_sites; s++) {
        PvStackId stack = heap->stack_of_site[s];
        PvFunctionId function = pv_series_find_function (self->build, stack);
        if (function != UINT32_MAX)
            pv_series_add_weight (self->build, function, stack, weight_of_site[s]);
    }
    pv_series_end_ranking (self->build, max_layers);
}

static void
deal_out_sites (HeapSeries *self)
{
    const PvHeap *heap = self->heap;
    g_autofree uint16_t *slot_of_function = pv_series_make_slots (self->build);
    self->slot_of_site = pv_new_large (uint16_t, MAX (heap->n_sites, 1));
    for (uint32_t s = 0; s < heap->n_sites; s++) {
        PvFunctionId function = pv_series_find_function (self->build, heap->stack_of_site[s]);
        self->slot_of_site[s] = function != UINT32_MAX ? slot_of_function[function]
                                                       : (uint16_t)(self->build->n_own + 1);
    }
}

/* Points */

static void
lay_out_points (HeapSeries *self, uint32_t max_points)
{
    const PvHeap *heap = self->heap;
    PvSeries *series = self->series;
    uint32_t n_bins = self->end_bin - self->first_bin;
    max_points = MAX (max_points, 1);
    self->bins_per_point = MAX (n_bins / max_points + (n_bins % max_points != 0), 1);
    series->n_points = n_bins / self->bins_per_point + (n_bins % self->bins_per_point != 0);
    series->start_ms = g_new (uint64_t, (size_t)series->n_points + 1);
    for (uint32_t p = 0; p < series->n_points; p++)
        series->start_ms[p] = (self->first_bin + (uint64_t)p * self->bins_per_point) * heap->bin_ms;
    /* The last bin ends with the recording, but is at least 1 ms wide. */
    uint64_t start_ms = self->end_bin > 0 ? (self->end_bin - 1) * heap->bin_ms : 0;
    uint64_t end_ms = self->end_bin * heap->bin_ms;
    series->start_ms[series->n_points] = MIN (end_ms, MAX (heap->duration_ms, start_ms + 1));
}

/* The bins of a point: [first, end). */
static uint32_t
get_first_bin (const HeapSeries *self, uint32_t point)
{
    uint64_t bin = self->first_bin + (uint64_t)point * self->bins_per_point;
    return (uint32_t)MIN (bin, self->end_bin);
}

/* Sums up a column of the rows in bins [first, end) by slot. */
static void
add_up (const HeapSeries *self, uint32_t first, uint32_t end, PvHeapColumn column, int64_t *sums)
{
    for (uint32_t b = first; b < end; b++) {
        const PvHeapRows *rows = self->heap->rows_of_bin[b];
        if (rows != NULL)
            pv_heap_rows_add_up (rows, column, self->slot_of_site, sums);
    }
}

static void
store_point (const HeapSeries *self, uint32_t point, const int64_t *sums)
{
    for (uint32_t i = 0; i < self->build->n_own + 2; i++)
        self->build->values[(size_t)i * self->series->n_points + point] = sums[i];
}

/* Threads process the points in pieces. A level is what all earlier bins have left, so each piece
 * starts at 0, and what the pieces before it left is added at the end. */
typedef struct {
    HeapSeries *self;
    PvHeapColumn column; /* NET: levels; else amounts */
    uint32_t n_pieces;
    int64_t *left_of_piece; /* by slot */
} Filling;

static uint32_t
first_point_of (const Filling *filling, size_t piece)
{
    return (uint32_t)(filling->self->series->n_points * piece / filling->n_pieces);
}

/* The level at the peak of each point: what was live before the peak's bin, plus what the bin's
 * rows add until the peak. */
static void
fill_levels (void *data, size_t item, unsigned worker)
{
    Filling *filling = data;
    HeapSeries *self = filling->self;
    const PvHeap *heap = self->heap;
    uint32_t n_slots = self->build->n_own + 2, end = first_point_of (filling, item + 1);
    uint32_t p = first_point_of (filling, item), at = item == 0 ? 0 : get_first_bin (self, p);
    int64_t *level = filling->left_of_piece + item * n_slots;
    g_autofree int64_t *highest = g_new (int64_t, n_slots);
    (void)worker;
    for (; p < end && !pv_job_is_cancelled (self->build->job); p++) {
        uint32_t bin =
            pv_heap_find_peak (heap, get_first_bin (self, p), get_first_bin (self, p + 1));
        add_up (self, at, bin, PV_HEAP_COLUMN_NET, level);
        memcpy (highest, level, n_slots * sizeof *level);
        add_up (self, bin, bin + 1, PV_HEAP_COLUMN_AT_PEAK, highest);
        store_point (self, p, highest);
        self->at_peak[p] = bin;
        at = bin;
    }
    add_up (self, at, get_first_bin (self, end), PV_HEAP_COLUMN_NET, level);
}

static void
add_what_was_left (const Filling *filling)
{
    const HeapSeries *self = filling->self;
    uint32_t n_slots = self->build->n_own + 2, n_points = self->series->n_points;
    g_autofree int64_t *level = g_new0 (int64_t, n_slots);
    for (uint32_t piece = 0; piece < filling->n_pieces; piece++) {
        uint32_t first = first_point_of (filling, piece), end = first_point_of (filling, piece + 1);
        for (uint32_t i = 0; i < n_slots; i++) {
            for (uint32_t p = first; p < end; p++)
                self->build->values[(size_t)i * n_points + p] += level[i];
            level[i] += filling->left_of_piece[(size_t)piece * n_slots + i];
        }
    }
}

static void
fill_sums (void *data, size_t item, unsigned worker)
{
    const Filling *filling = data;
    const HeapSeries *self = filling->self;
    uint32_t n_slots = self->build->n_own + 2, end = first_point_of (filling, item + 1);
    g_autofree int64_t *sums = g_new (int64_t, n_slots);
    (void)worker;
    for (uint32_t p = first_point_of (filling, item);
         p < end && !pv_job_is_cancelled (self->build->job); p++) {
        memset (sums, 0, n_slots * sizeof *sums);
        add_up (self, get_first_bin (self, p), get_first_bin (self, p + 1), filling->column, sums);
        store_point (self, p, sums);
    }
}

static bool
fill_values (HeapSeries *self, PvHeapColumn column)
{
    g_autoptr (PvPool) pool = pv_pool_new (self->heap->n_rows < ROWS_FOR_THREADS ? 1 : 0);
    Filling filling = {.self = self, .column = column, .n_pieces = N_PIECES};
    if (column == PV_HEAP_COLUMN_NET) {
        self->at_peak = g_new0 (uint32_t, MAX (self->series->n_points, 1));
        filling.left_of_piece = g_new0 (int64_t, (size_t)N_PIECES * (self->build->n_own + 2));
        pv_pool_run (pool, N_PIECES, fill_levels, &filling);
        add_what_was_left (&filling);
        g_free (filling.left_of_piece);
    } else {
        pv_pool_run (pool, N_PIECES, fill_sums, &filling);
    }
    return !pv_job_is_cancelled (self->build->job);
}

static void
fill_rss (const HeapSeries *self, int64_t *ret_values)
{
    for (uint32_t p = 0; p < self->series->n_points; p++) {
        uint64_t highest = 0;
        for (uint32_t b = get_first_bin (self, p); b < get_first_bin (self, p + 1); b++)
            highest = MAX (highest, self->heap->bins[b].rss_bytes);
        ret_values[p] = (int64_t)MIN (highest, INT64_MAX);
    }
}

/* True if a transform may leave out much. Hiding does not: it drops only stacks that have nothing
 * else. */
static bool
is_part (const PvQuery *query)
{
    for (uint32_t i = 0; i < query->n_transforms; i++)
        if (pv_transforms[query->transforms[i].kind].leaves_out)
            return true;
    return false;
}

/* Adds resident memory to the chart of live bytes. */
static void
add_resident (HeapSeries *self)
{
    PvSeries *series = self->series;
    if (self->heap->peak_rss_bytes == 0 || is_part (&series->tree->query))
        return;
    series->resident = g_new0 (int64_t, MAX (series->n_points, 1));
    fill_rss (self, series->resident);
    for (uint32_t p = 0; p < series->n_points; p++)
        series->highest_resident = MAX (series->highest_resident, series->resident[p]);
}

/* Sizes of the bins; of all there are, if the heap does not tell them by time. */
static void
weigh_sizes (HeapSeries *self)
{
    const PvHeap *heap = self->heap;
    size_t n = MAX (heap->first_size_of_site[heap->n_sites], 1);
    self->allocations_of_size = pv_new_large (uint64_t, n);
    self->bytes_of_size = pv_new_large (uint64_t, n);
    self->series->is_of_whole = !pv_heap_weigh_sizes (
        heap, self->first_bin, self->end_bin, self->allocations_of_size, self->bytes_of_size);
    if (!self->series->is_of_whole)
        return;
    self->first_bin = 0;
    self->end_bin = heap->n_bins;
}

/* Points are the range of classes in which the tree's stacks allocate. */
static void
lay_out_sizes (HeapSeries *self)
{
    const PvHeap *heap = self->heap;
    PvSeries *series = self->series;
    PvHeapSizeClass classes[PV_HEAP_N_SIZE_CLASSES];
    unsigned first = PV_HEAP_N_SIZE_CLASSES, end = 0;
    for (unsigned c = 0; c < PV_HEAP_N_SIZE_CLASSES; c++) {
        classes[c] = heap->size_classes[c];
        classes[c].n_allocations = classes[c].allocated_bytes = 0;
    }
    for (uint32_t s = 0; s < heap->n_sites; s++) {
        if (self->slot_of_site[s] == self->build->n_own + 1)
            continue;
        for (uint32_t i = heap->first_size_of_site[s]; i < heap->first_size_of_site[s + 1]; i++) {
            unsigned c = heap->class_of_size[i];
            if (self->allocations_of_size[i] == 0)
                continue;
            classes[c].n_allocations += self->allocations_of_size[i];
            classes[c].allocated_bytes += self->bytes_of_size[i];
            first = MIN (first, c);
            end = MAX (end, c + 1);
        }
    }
    series->n_points = end > first ? end - first : 0;
    series->size_classes = g_memdup2 (classes + (end > first ? first : 0),
                                      MAX (series->n_points, 1) * sizeof *classes);
}

static void
fill_sizes (HeapSeries *self)
{
    const PvHeap *heap = self->heap;
    const PvSeries *series = self->series;
    for (uint32_t s = 0; series->n_points > 0 && s < heap->n_sites; s++) {
        uint16_t slot = self->slot_of_site[s];
        for (uint32_t i = heap->first_size_of_site[s]; i < heap->first_size_of_site[s + 1]; i++) {
            uint64_t high = heap->size_classes[heap->class_of_size[i]].high_bytes;
            uint32_t p = 0;
            if (self->allocations_of_size[i] == 0)
                continue;
            while (p + 1 < series->n_points && series->size_classes[p].high_bytes < high)
                p++;
            self->build->values[(size_t)slot * series->n_points + p] +=
                (int64_t)self->allocations_of_size[i];
        }
    }
}

/* Series */

static bool
fill_layers (HeapSeries *self, uint32_t max_layers, uint32_t max_points)
{
    PvSeries *series = self->series;
    bool is_done = true;
    if (series->kind == PV_CHART_SIZES)
        weigh_sizes (self);
    rank_functions (self, max_layers);
    if (pv_job_is_cancelled (self->build->job))
        return false;
    deal_out_sites (self);
    if (series->kind == PV_CHART_SIZES)
        lay_out_sizes (self);
    else
        lay_out_points (self, max_points);
    pv_series_allocate_values (self->build);
    if (series->kind == PV_CHART_LIVE)
        is_done = fill_values (self, PV_HEAP_COLUMN_NET);
    else if (series->kind == PV_CHART_SIZES)
        fill_sizes (self);
    else
        is_done =
            fill_values (self, series->kind == PV_CHART_TEMPORARY ? PV_HEAP_COLUMN_TEMPORARY
                                                                  : PV_HEAP_COLUMN_ALLOCATIONS);
    if (is_done)
        pv_series_make_layers (self->build, max_layers);
    return is_done;
}

static void
fill_single_layer (HeapSeries *self, uint32_t max_points)
{
    lay_out_points (self, max_points);
    pv_series_allocate_values (self->build);
    fill_rss (self, self->build->values);
    if (self->heap->peak_rss_bytes > 0)
        pv_series_make_single_layer (self->build);
}

static void
find_peak (HeapSeries *self)
{
    PvSeries *series = self->series;
    for (uint32_t p = 0; p < series->n_points; p++) {
        if (series->totals[p] <= series->peak_value)
            continue;
        series->has_peak = true;
        series->peak_value = series->totals[p];
        series->peak_ms = self->heap->bins[self->at_peak[p]].peak_ms;
    }
}

static bool
has_charts (const PvProfile *profile)
{
    return profile->heap != NULL;
}

static bool
fill (PvSeriesBuild *build, uint64_t start_ns, uint64_t end_ns, uint32_t max_layers,
      uint32_t max_points)
{
    PvSeries *series = build->series;
    HeapSeries self = {.build = build, .series = series, .heap = series->tree->profile->heap};
    bool is_done = true;
    bool is_of_bytes = series->kind == PV_CHART_LIVE || series->kind == PV_CHART_RSS;
    series->unit = is_of_bytes ? PV_UNIT_BYTES : PV_UNIT_COUNT;
    if (series->kind == PV_CHART_SIZES) {
        start_ns = series->tree->query.start_ns;
        end_ns = series->tree->query.end_ns;
    }
    pv_heap_get_bins (self.heap, start_ns, end_ns, &self.first_bin, &self.end_bin);
    if (series->kind == PV_CHART_RSS)
        fill_single_layer (&self, max_points);
    else
        is_done = fill_layers (&self, max_layers, max_points);
    if (is_done)
        pv_series_sum_up (build);
    if (is_done && series->kind == PV_CHART_LIVE) {
        find_peak (&self);
        add_resident (&self);
    }
    g_free (self.slot_of_site);
    g_free (self.at_peak);
    g_free (self.allocations_of_size);
    g_free (self.bytes_of_size);
    return is_done;
}

const PvSeriesSource pv_heap_series = {has_charts, fill};
