/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bins made of whole nodes, whose edges are then corrected: the edge between two bins is first
 * moved to the nearest node border, which gives some samples to the wrong one of the two; these are
 * moved back, as sums of nodes below and at last one by one. With a fan-out of 16 that is 4 nodes
 * of each level on average. Weights are unsigned and wrap, so they may be below zero meanwhile.
 */
#include "core/analyze/time/time-bins.h"

#include "core/analyze/time/time-index-private.h"
#include "core/base/array.h"
#include "core/base/large.h"
#include "core/base/search.h"

enum {
    EDGES_PER_CHECK = 64,
    /* With fewer samples for each bin, all are read. */
    SAMPLES_PER_BIN = 128,
    /* The level is as high as this allows. */
    NODES_PER_BIN = 8,
};

typedef struct {
    const PvTimeIndexData *data;
    const PvTimeView *view;
    PvTimeBins *bins;
    uint32_t *place_of_row;   /* in the view; PV_TIME_NO_ROW: not requested */
    uint32_t first_row;       /* of those requested ... */
    uint32_t last_row;        /* ... and the last one */
    uint32_t *sample_of_edge; /* the first one behind it; n_bins + 1 */
    PvJob *job;
} Summing;

uint64_t
pv_time_view_get_start (const PvTimeView *view, uint32_t bin)
{
    g_assert (view != NULL && bin <= view->n_bins && view->start_ns <= view->end_ns);
    unsigned __int128 length_ns = view->end_ns - view->start_ns;
    return view->start_ns + (uint64_t)(length_ns * bin / view->n_bins);
}

static inline void
add (Summing *self, uint32_t place, uint32_t bin, uint32_t class, uint64_t weight,
     uint32_t n_samples)
{
    size_t at = (size_t)place * self->bins->n_bins + bin;
    self->bins->weights[at * self->bins->n_classes + class] += weight;
    self->bins->n_samples[at] += n_samples;
}

/* Moves a weight from the bin before the edge to the one behind it; bins outside the view do not
 * matter. */
static inline void
move_right (Summing *self, uint32_t place, uint32_t edge, uint32_t class, uint64_t weight,
            uint32_t n_samples)
{
    if (edge < self->bins->n_bins)
        add (self, place, edge, class, weight, n_samples);
    if (edge > 0)
        add (self, place, edge - 1, class, 0 - weight, 0 - n_samples);
}

static void
add_samples (Summing *self, uint32_t first, uint32_t end, uint32_t bin)
{
    for (uint32_t i = first; i < end; i++) {
        uint64_t weight;
        uint32_t cell;
        if (!pv_time_index_take (self->data, i, &weight, &cell))
            continue;
        uint32_t place = self->place_of_row[cell >> 8];
        if (place != PV_TIME_NO_ROW)
            add (self, place, bin, cell & 0xff, weight, 1);
    }
}

/* The first sum of a node that may be of a requested row. */
static inline uint32_t
find_sum (const Summing *self, uint32_t l, uint32_t node)
{
    const PvTimeLevel *level = &self->data->levels[l];
    uint32_t low = level->first_sum[node], high = level->first_sum[node + 1];
    if (l == 0 || self->first_row == 0)
        return low;
    return pv_bisect (low, high, i, level->sums[i].cell >> 8 < self->first_row);
}

static void
add_node (Summing *self, uint32_t l, uint32_t node, uint32_t bin)
{
    const PvTimeLevel *level = &self->data->levels[l];
    uint32_t end = level->first_sum[node + 1];
    for (uint32_t i = find_sum (self, l, node); i < end; i++) {
        const PvTimeSum *sum = &level->sums[i];
        uint32_t row = sum->cell >> 8;
        if (self->place_of_row[row] != PV_TIME_NO_ROW)
            add (self, self->place_of_row[row], bin, sum->cell & 0xff, sum->weight, sum->n_samples);
        else if (l > 0 && row > self->last_row)
            break;
    }
}

/* sign: 1 to the right, -1 to the left. */
static void
move_samples (Summing *self, uint32_t first, uint32_t end, uint32_t edge, int sign)
{
    for (uint32_t i = first; i < end; i++) {
        uint64_t weight;
        uint32_t cell;
        if (!pv_time_index_take (self->data, i, &weight, &cell))
            continue;
        uint32_t place = self->place_of_row[cell >> 8];
        if (place != PV_TIME_NO_ROW)
            move_right (self, place, edge, cell & 0xff, (uint64_t)sign * weight, (uint32_t)sign);
    }
}

static void
move_node (Summing *self, uint32_t l, uint32_t node, uint32_t edge, int sign)
{
    const PvTimeLevel *level = &self->data->levels[l];
    uint32_t end = level->first_sum[node + 1];
    for (uint32_t i = find_sum (self, l, node); i < end; i++) {
        const PvTimeSum *sum = &level->sums[i];
        uint32_t row = sum->cell >> 8;
        if (self->place_of_row[row] != PV_TIME_NO_ROW)
            move_right (self, self->place_of_row[row], edge, sum->cell & 0xff,
                        (uint64_t)sign * sum->weight, (uint32_t)sign * sum->n_samples);
        else if (l > 0 && row > self->last_row)
            break;
    }
}

/* Samples, or nodes of a level, between an edge and the nearest border of the level above. */
typedef struct {
    uint32_t first;
    uint32_t end;
    uint32_t border; /* the node above that begins there */
    int sign;        /* 1: it is right of the edge, -1: left */
} Rest;

static inline Rest
find_rest_of_block (const PvTimeIndexData *data, uint32_t sample)
{
    uint32_t block = pv_time_index_find_block (data, sample);
    uint32_t first = data->first_of_block[block];
    if (block < data->n_blocks && data->first_of_block[block + 1] - sample < sample - first)
        return (Rest){sample, data->first_of_block[block + 1], block + 1, 1};
    return (Rest){first, sample, block, -1};
}

static inline Rest
find_rest_of_node (const PvTimeLevel *level, uint32_t edge)
{
    uint32_t node = edge / PV_TIME_FANOUT, first = node * PV_TIME_FANOUT;
    uint32_t end = MIN (first + PV_TIME_FANOUT, level->n_nodes);
    return end - edge < edge - first ? (Rest){edge, end, node + 1, 1}
                                     : (Rest){first, edge, node, -1};
}

static inline void
prefetch (const void *array, uint32_t first, uint32_t end, size_t element_size)
{
    const char *data = array;
    for (size_t i = first * element_size; data != NULL && i < end * element_size; i += 64)
        __builtin_prefetch (data + i);
}

/* Edges are far from one another in memory: without this they are mostly waiting for it. */
static void
prefetch_edge (const Summing *self, uint32_t edge)
{
    const PvTimeIndexData *data = self->data;
    const PvSampleSet *set = data->filter.set;
    const PvTimeLevel *level = &data->levels[0];
    Rest samples = find_rest_of_block (data, self->sample_of_edge[edge]);
    Rest blocks = find_rest_of_node (level, samples.border);
    prefetch (set->stack, samples.first, samples.end, sizeof *set->stack);
    prefetch (set->context, samples.first, samples.end, sizeof *set->context);
    prefetch (data->filter.weights, samples.first, samples.end, sizeof *data->filter.weights);
    prefetch (level->sums, level->first_sum[blocks.first], level->first_sum[blocks.end],
              sizeof *level->sums);
}

/* The border of the level that is nearest to the edge, which gets what is between them. */
static uint32_t
correct_edge (Summing *self, uint32_t edge, uint32_t top)
{
    Rest rest = find_rest_of_block (self->data, self->sample_of_edge[edge]);
    move_samples (self, rest.first, rest.end, edge, rest.sign);
    for (uint32_t l = 0; l < top; l++) {
        rest = find_rest_of_node (&self->data->levels[l], rest.border);
        for (uint32_t node = rest.first; node < rest.end; node++)
            move_node (self, l, node, edge, rest.sign);
    }
    return rest.border;
}

static uint32_t
choose_level (const Summing *self)
{
    const PvTimeIndexData *data = self->data;
    uint32_t n_nodes = pv_time_index_find_block (data, self->sample_of_edge[self->view->n_bins]) -
                       pv_time_index_find_block (data, self->sample_of_edge[0]);
    uint32_t level = 0;
    while (level + 1 < data->n_levels && n_nodes / NODES_PER_BIN > self->view->n_bins) {
        n_nodes /= PV_TIME_FANOUT;
        level++;
    }
    return level;
}

/* False when cancelled, as the others. */
static bool
sum_up_nodes (Summing *self)
{
    uint32_t top = choose_level (self), before = 0;
    for (uint32_t edge = 0; edge <= self->view->n_bins; edge++) {
        if (edge < self->view->n_bins)
            prefetch_edge (self, edge + 1);
        uint32_t border = correct_edge (self, edge, top);
        for (uint32_t node = before; edge > 0 && node < border; node++)
            add_node (self, top, node, edge - 1);
        before = border;
        if (edge % EDGES_PER_CHECK == 0 && pv_job_is_cancelled (self->job))
            return false;
    }
    return true;
}

static bool
sum_up_samples (Summing *self)
{
    for (uint32_t bin = 0; bin < self->view->n_bins; bin++) {
        add_samples (self, self->sample_of_edge[bin], self->sample_of_edge[bin + 1], bin);
        if (bin % EDGES_PER_CHECK == 0 && pv_job_is_cancelled (self->job))
            return false;
    }
    return true;
}

/* Intervals: until now they are in the bin in which they start. */

typedef struct {
    uint64_t start_ns;
    uint64_t duration_ns;
    uint64_t weight;
    uint64_t before_ns; /* so long after the start the weight begins */
    uint32_t place;
    uint32_t class;
} Interval;

typedef PV_ARRAY (Interval) IntervalArray;

/* Collects the samples that start before the time and end after it. */
static void
collect_open (const Summing *self, uint32_t first, uint32_t end, uint64_t clock_ns,
              IntervalArray *open)
{
    const PvTimeIndexData *data = self->data;
    uint32_t block = pv_time_index_find_block (data, first);
    for (; block < data->n_blocks && data->first_of_block[block] < end; block++) {
        /* That of an interval beyond the end of the clock is its end. */
        if (data->latest_of_block[block] <= clock_ns && clock_ns < UINT64_MAX)
            continue;
        uint32_t stop = MIN (end, data->first_of_block[block + 1]);
        for (uint32_t i = MAX (first, data->first_of_block[block]); i < stop; i++) {
            Interval interval = {.start_ns = pv_sample_set_time_ns (data->filter.set, i),
                                 .duration_ns = data->filter.set->duration_ns[i]};
            uint32_t cell;
            if (clock_ns - interval.start_ns >= interval.duration_ns ||
                !pv_time_index_take (data, i, &interval.weight, &cell))
                continue;
            if (data->filter.is_delay)
                interval.before_ns =
                    interval.duration_ns - MIN (interval.weight, interval.duration_ns);
            interval.place = self->place_of_row[cell >> 8];
            interval.class = cell & 0xff;
            if (interval.place != PV_TIME_NO_ROW)
                pv_array_push (open, interval);
        }
    }
}

/* Rounds down as pv_sample_filter_clip () does. */
static uint64_t
weigh_until (const Interval *interval, uint64_t clock_ns)
{
    uint64_t passed_ns = clock_ns - interval->start_ns;
    if (passed_ns <= interval->before_ns)
        return 0;
    return (uint64_t)((unsigned __int128)interval->weight * (passed_ns - interval->before_ns) /
                      (interval->duration_ns - interval->before_ns));
}

static void
move_rests (Summing *self, IntervalArray *open, uint32_t edge, uint64_t clock_ns)
{
    size_t n_open = 0;
    for (size_t i = 0; i < open->len; i++) {
        const Interval *interval = &open->data[i];
        if (clock_ns - interval->start_ns >= interval->duration_ns)
            continue;
        uint64_t rest = interval->weight - weigh_until (interval, clock_ns);
        move_right (self, interval->place, edge, interval->class, rest, 0);
        open->data[n_open++] = *interval;
    }
    open->len = n_open;
}

static bool
spread_intervals (Summing *self)
{
    IntervalArray open = {0};
    uint32_t first = self->data->first, edge = 0;
    bool is_cancelled = false;
    for (; edge <= self->view->n_bins && !is_cancelled; edge++) {
        uint64_t clock_ns = pv_profile_get_clock (self->data->index.profile,
                                                  pv_time_view_get_start (self->view, edge));
        collect_open (self, first, self->sample_of_edge[edge], clock_ns, &open);
        first = self->sample_of_edge[edge];
        move_rests (self, &open, edge, clock_ns);
        is_cancelled = edge % EDGES_PER_CHECK == 0 && pv_job_is_cancelled (self->job);
    }
    pv_array_clear (&open);
    return !is_cancelled;
}

/* Sums */

/* The first sample at or after a time, from `low` on: in a range around the guess that grows until
 * it has it. Mostly that is small, and in the cache. */
static uint32_t
find_sample_near (const PvTimeIndexData *data, uint32_t low, uint32_t guess, uint64_t clock_ns)
{
    const PvSampleSet *set = data->filter.set;
    uint32_t first = low, last = data->end;
    for (uint64_t step = 64;; step *= 4) {
        first = guess - (uint32_t)MIN (guess - low, step);
        last = guess + (uint32_t)MIN (data->end - guess, step);
        if ((first == low || pv_sample_set_time_ns (set, first) < clock_ns) &&
            (last == data->end || pv_sample_set_time_ns (set, last) >= clock_ns))
            break;
    }
    return pv_bisect (first, last, i, pv_sample_set_time_ns (set, i) < clock_ns);
}

static void
find_edges (Summing *self)
{
    const PvTimeIndexData *data = self->data;
    const PvTimeView *view = self->view;
    uint32_t *edges = self->sample_of_edge = g_new (uint32_t, (size_t)view->n_bins + 1);
    edges[0] = pv_time_index_find_sample (
        data, pv_profile_get_clock (data->index.profile, view->start_ns));
    uint32_t end =
        pv_time_index_find_sample (data, pv_profile_get_clock (data->index.profile, view->end_ns));
    uint32_t step = (end - edges[0]) / view->n_bins;
    for (uint32_t edge = 1; edge <= view->n_bins; edge++) {
        uint64_t clock_ns =
            pv_profile_get_clock (data->index.profile, pv_time_view_get_start (view, edge));
        uint32_t low = edges[edge - 1];
        edges[edge] = find_sample_near (data, low, low + MIN (step, data->end - low), clock_ns);
    }
}

static void
place_rows (Summing *self)
{
    uint32_t n_rows = self->data->index.n_rows;
    const PvTimeView *view = self->view;
    self->place_of_row = g_new (uint32_t, MAX (n_rows, 1));
    bool has_choice = view->rows != NULL && !view->is_sum;
    self->first_row = has_choice ? UINT32_MAX : 0;
    self->last_row = has_choice ? 0 : UINT32_MAX;
    for (uint32_t row = 0; row < n_rows; row++)
        self->place_of_row[row] = view->is_sum ? 0 : has_choice ? PV_TIME_NO_ROW : row;
    for (uint32_t place = 0; has_choice && place < view->n_rows; place++) {
        g_assert (view->rows[place] < n_rows);
        self->place_of_row[view->rows[place]] = place;
        self->first_row = MIN (self->first_row, view->rows[place]);
        self->last_row = MAX (self->last_row, view->rows[place]);
    }
}

static PvTimeBins *
new_bins (const PvTimeIndex *index, const PvTimeView *view)
{
    PvTimeBins *bins = g_new0 (PvTimeBins, 1);
    bins->n_rows = view->is_sum ? 1 : view->rows != NULL ? view->n_rows : index->n_rows;
    bins->n_bins = view->n_bins;
    bins->n_classes = index->n_classes;
    size_t n = (size_t)bins->n_rows * bins->n_bins;
    bins->weights = pv_new0_large (uint64_t, MAX (n * bins->n_classes, 1));
    bins->n_samples = pv_new0_large (uint32_t, MAX (n, 1));
    return bins;
}

PvTimeBins *
pv_time_bins_build (const PvTimeIndex *index, const PvTimeView *view, PvJob *job)
{
    g_assert (index != NULL && view != NULL);
    g_assert (view->n_bins > 0 && view->start_ns <= view->end_ns);
    g_autoptr (PvTimeBins) bins = new_bins (index, view);
    Summing self = {.data = pv_time_index_data (index), .view = view, .bins = bins, .job = job};
    place_rows (&self);
    find_edges (&self);
    uint32_t n_samples = self.sample_of_edge[view->n_bins] - self.sample_of_edge[0];
    bool is_done =
        n_samples / SAMPLES_PER_BIN < view->n_bins ? sum_up_samples (&self) : sum_up_nodes (&self);
    if (is_done && self.data->latest_of_block != NULL)
        is_done = spread_intervals (&self);
    g_free (self.place_of_row);
    g_free (self.sample_of_edge);
    return is_done ? g_steal_pointer (&bins) : NULL;
}

void
pv_time_bins_free (PvTimeBins *bins)
{
    if (bins == NULL)
        return;
    g_free (bins->weights);
    g_free (bins->n_samples);
    g_free (bins);
}

uint64_t
pv_time_bins_sum (const PvTimeBins *bins, uint32_t row, uint32_t bin)
{
    g_assert (bins != NULL);
    const uint64_t *weights = pv_time_bins_get (bins, row, bin);
    uint64_t sum = 0;
    for (uint32_t c = 0; c < bins->n_classes; c++)
        sum += weights[c];
    return sum;
}

/* The part of the weight before a time, which may be before its start or after its end. */
static uint64_t
weigh_before (const Interval *interval, uint64_t clock_ns)
{
    if (clock_ns <= interval->start_ns)
        return 0;
    return clock_ns - interval->start_ns < interval->duration_ns ? weigh_until (interval, clock_ns)
                                                                 : interval->weight;
}

/* Takes those that begin in the time, as many as are counted; adds those that only reach into it,
 * and leaves out those of which nothing is in it. */
static uint64_t
count_intervals (const PvTimeIndex *index, uint64_t start_ns, uint64_t end_ns, uint64_t n_samples)
{
    const PvTimeView view = {start_ns, end_ns, .n_bins = 1, .is_sum = true};
    Summing self = {.data = pv_time_index_data (index), .view = &view};
    IntervalArray open = {0};
    uint64_t start = pv_profile_get_clock (index->profile, start_ns);
    uint64_t end = pv_profile_get_clock (index->profile, end_ns);
    place_rows (&self);
    find_edges (&self);
    collect_open (&self, self.data->first, self.sample_of_edge[0], start, &open);
    for (size_t i = 0; i < open.len; i++)
        n_samples += weigh_before (&open.data[i], end) > weigh_before (&open.data[i], start);
    open.len = 0;
    collect_open (&self, self.sample_of_edge[0], self.sample_of_edge[1], end, &open);
    for (size_t i = 0; i < open.len; i++)
        n_samples -= weigh_before (&open.data[i], end) == 0;
    pv_array_clear (&open);
    g_free (self.place_of_row);
    g_free (self.sample_of_edge);
    return n_samples;
}

void
pv_time_index_sum (const PvTimeIndex *index, uint64_t start_ns, uint64_t end_ns,
                   uint64_t *ret_weight, uint64_t *ret_n_samples)
{
    g_assert (index != NULL && ret_weight != NULL && ret_n_samples != NULL);
    const PvTimeView view = {.start_ns = start_ns, .end_ns = end_ns, .n_bins = 1};
    g_autoptr (PvTimeBins) bins = pv_time_bins_build (index, &view, NULL);
    *ret_weight = *ret_n_samples = 0;
    for (uint32_t row = 0; row < bins->n_rows; row++) {
        *ret_weight += pv_time_bins_sum (bins, row, 0);
        *ret_n_samples += bins->n_samples[row];
    }
    if (pv_time_index_data (index)->latest_of_block != NULL)
        *ret_n_samples = count_intervals (index, start_ns, end_ns, *ret_n_samples);
}
