/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Any number of neighbouring samples is summed up by what their stacks have in common, which is a
 * node of the tree's shape, and by the deepest one. Blocks of FANOUT samples have that sum, FANOUT
 * blocks are a node of the next level, and so on: a stretch of any length is a few nodes.
 *
 * A cut goes from left to right. A sample that is wide enough is an item; of others, as many as fit
 * into the least width. Items become boxes, level by level.
 */
#include "core/analyze/time/flame-chart.h"

#include <stdlib.h>

#include "core/analyze/time/time-index.h"
#include "core/analyze/tree/box-tree.h"
#include "core/analyze/tree/call-tree-private.h"
#include "core/base/ref.h"
#include "core/base/search.h"

enum {
    FANOUT = 16,
    MAX_LEVELS = 8,
    SAMPLES_PER_CHECK = 1 << 16,
    ITEMS_PER_CHECK = 1 << 10,
    MOST_DISTANCES = 1 << 16, /* that the period is taken from */
};

#define NO_POSITION UINT32_MAX

/* The sum of a stretch of samples. */
typedef struct {
    uint32_t common; /* the innermost frame of all of them; NO_POSITION: of no samples */
    uint32_t deepest;
    uint32_t n_kept;
} Stretch;

typedef PV_ARRAY (Stretch) StretchArray;

typedef struct {
    PvFlameChart chart;
    PvSampleFilter filter;              /* of the query, without its time */
    PV_ARRAY (uint32_t) samples;        /* of the thread, kept or not */
    PV_ARRAY (uint32_t) first_of_depth; /* nodes of the shape by depth, and their end */
    uint64_t base_ns;                   /* the profile's start in the samples' clock */
    unsigned n_levels;                  /* of sums */
    StretchArray levels[MAX_LEVELS];
} Chart;

static const Chart *
get_chart (const PvFlameChart *chart)
{
    return (const Chart *)chart;
}

static const PvTreeShape *
get_shape (const Chart *self)
{
    return pv_call_tree_data (self->chart.tree)->shape;
}

/* Samples of the thread, by number */

/* When it was taken, or its wait began. */
static uint64_t
get_own_time (const Chart *self, uint32_t i)
{
    return pv_sample_set_time_ns (self->filter.set, self->samples.data[i]) - self->base_ns;
}

static uint64_t
get_end (const Chart *self, uint32_t i)
{
    uint64_t start_ns = get_own_time (self, i);
    uint64_t next_ns = i + 1 < self->samples.len ? get_own_time (self, i + 1) : UINT64_MAX;
    uint64_t lasts_ns = self->chart.period_ns;
    if (self->filter.set->duration_ns != NULL)
        lasts_ns = MAX (self->filter.set->duration_ns[self->samples.data[i]], 1);
    else if (next_ns != UINT64_MAX && next_ns - start_ns <= PV_CHART_MOST_PERIODS * lasts_ns)
        return next_ns;
    return start_ns + MIN (lasts_ns, next_ns - start_ns);
}

/* When its box begins: of a delay, which is the last part of a wait, when that does. */
static uint64_t
get_time (const Chart *self, uint32_t i)
{
    const PvSampleFilter *filter = &self->filter;
    uint64_t start_ns = get_own_time (self, i);
    if (!filter->is_delay)
        return start_ns;
    uint32_t sample = self->samples.data[i];
    uint64_t weight = filter->weights != NULL ? filter->weights[sample] : filter->uniform_weight;
    uint64_t duration_ns = filter->set->duration_ns[sample];
    uint64_t before_ns = duration_ns - MIN (weight, duration_ns);
    return start_ns + MIN (before_ns, get_end (self, i) - start_ns);
}

/* Where the stack of a sample ends in the tree's shape; NO_POSITION: the query drops it. */
static uint32_t
get_position (const Chart *self, uint32_t i)
{
    const PvCallTreeData *data = pv_call_tree_data (self->chart.tree);
    uint32_t sample = self->samples.data[i];
    if (pv_sample_filter_weigh (&self->filter, sample, 0) == 0)
        return NO_POSITION;
    return pv_find_position (data->shape, data->focus, self->filter.set->stack[sample]);
}

/* The first sample that starts at or after a time. */
static uint32_t
find_from (const Chart *self, uint64_t time_ns)
{
    return pv_bisect (0, (uint32_t)self->samples.len, i, get_time (self, i) < time_ns);
}

/* Nodes of the shape */

static uint32_t
get_depth (const Chart *self, uint32_t node)
{
    const uint32_t n_depths = (uint32_t)self->first_of_depth.len - 1;
    return pv_bisect (1, n_depths, depth, self->first_of_depth.data[depth] <= node) - 1;
}

/* Nodes are in level order. */
static void
find_depths (Chart *self)
{
    const PvTreeShape *shape = get_shape (self);
    uint32_t start = 0;
    pv_array_push (&self->first_of_depth, 0);
    for (uint32_t node = 1; node < shape->n_nodes; node++)
        if (shape->parent_of_node[node] >= start) {
            start = node;
            pv_array_push (&self->first_of_depth, node);
        }
    pv_array_push (&self->first_of_depth, shape->n_nodes);
}

/* A parent's number is smaller than its children's. */
static uint32_t
find_common (const PvTreeShape *shape, uint32_t a, uint32_t b)
{
    while (a != b) {
        if (a > b)
            a = shape->parent_of_node[a];
        else
            b = shape->parent_of_node[b];
    }
    return a;
}

/* Sums */

static Stretch
sum_sample (const Chart *self, uint32_t i)
{
    uint32_t position = get_position (self, i);
    return position != NO_POSITION ? (Stretch){position, position, 1} : (Stretch){0, 0, 0};
}

/* next begins with sample i. Samples with a gap between them have nothing in common. */
static void
append (const Chart *self, Stretch *sum, const Stretch *next, uint32_t i)
{
    if (sum->common == NO_POSITION) {
        *sum = *next;
        return;
    }
    bool has_gap = sum->common != 0 && get_end (self, i - 1) < get_time (self, i);
    sum->common = has_gap ? 0 : find_common (get_shape (self), sum->common, next->common);
    /* Those of a deeper level have larger numbers. */
    sum->deepest = MAX (sum->deepest, next->deepest);
    sum->n_kept += next->n_kept;
}

/* Sums up the samples [first, end). */
static Stretch
sum_up (const Chart *self, uint32_t first, uint32_t end)
{
    Stretch sum = {.common = NO_POSITION};
    while (first < end) {
        uint32_t width = 1;
        unsigned level = 0;
        while (level < self->n_levels && first % (width * FANOUT) == 0 &&
               end - first >= width * FANOUT) {
            width *= FANOUT;
            level++;
        }
        Stretch next =
            level == 0 ? sum_sample (self, first) : self->levels[level - 1].data[first / width];
        append (self, &sum, &next, first);
        first += width;
    }
    return sum;
}

/* The first kept sample of [first, end), or end. Passes blocks that have none. */
static uint32_t
find_kept (const Chart *self, uint32_t first, uint32_t end)
{
    uint32_t width = 1;
    unsigned level = 0;
    while (first < end) {
        for (; level < self->n_levels && first % (width * FANOUT) == 0; level++)
            width *= FANOUT;
        for (; level > 0 &&
               (end - first < width || self->levels[level - 1].data[first / width].n_kept > 0);
             level--)
            width /= FANOUT;
        if (level == 0 && get_position (self, first) != NO_POSITION)
            return first;
        first += width;
    }
    return end;
}

/* The last kept sample before `end`: there must be one. */
static uint32_t
find_last_kept (const Chart *self, uint32_t end)
{
    uint32_t width = 1;
    unsigned level = 0;
    for (;; end -= width) {
        for (; level < self->n_levels && end % (width * FANOUT) == 0; level++)
            width *= FANOUT;
        for (; level > 0 && self->levels[level - 1].data[end / width - 1].n_kept > 0; level--)
            width /= FANOUT;
        if (level == 0 && get_position (self, end - 1) != NO_POSITION)
            return end - 1;
    }
}

/* A level has only whole blocks. */
static bool
add_level (Chart *self, PvJob *job)
{
    uint32_t width = 1;
    for (unsigned l = 0; l <= self->n_levels; l++)
        width *= FANOUT;
    uint32_t n_blocks = (uint32_t)self->samples.len / width;
    StretchArray *level = &self->levels[self->n_levels];
    if (n_blocks == 0)
        return false;
    pv_array_reserve (level, n_blocks);
    for (uint32_t block = 0; block < n_blocks; block++) {
        Stretch sum = sum_up (self, block * width, (block + 1) * width);
        pv_array_push (level, sum);
        if (block % (SAMPLES_PER_CHECK / FANOUT) == 0 && pv_job_is_cancelled (job))
            return false;
    }
    self->n_levels++;
    return n_blocks >= FANOUT && self->n_levels < MAX_LEVELS - 1;
}

/* Building */

static int
compare_threads (const void *a, const void *b)
{
    const PvChartThread *x = a, *y = b;
    if (x->weight != y->weight)
        return x->weight > y->weight ? -1 : 1;
    return x->thread < y->thread ? -1 : x->thread > y->thread;
}

static bool
weigh_threads (Chart *self, PvJob *job)
{
    const PvCallTree *tree = self->chart.tree;
    const PvCallTreeData *data = pv_call_tree_data (tree);
    const PvSampleSet *set = self->filter.set;
    g_autofree uint64_t *weights = g_new0 (uint64_t, MAX (tree->profile->n_threads, 1));
    PV_ARRAY (PvChartThread) threads = {0};
    PvKeptSamples kept = {0};
    PvSampleFilter filter;
    pv_sample_filter_init (&filter, &tree->query, tree->profile);
    uint32_t first = MAX (filter.first, pv_sample_set_find (set, 1));
    bool is_cancelled = false;
    for (uint32_t i = first; i < filter.last && !is_cancelled; i++) {
        weights[pv_sample_set_thread (set, i)] +=
            pv_take_sample (&filter, data->shape, data->focus, i, &kept);
        is_cancelled = i % SAMPLES_PER_CHECK == 0 && pv_job_is_cancelled (job);
    }
    pv_sample_filter_clear (&filter);
    for (PvThreadId t = 0; t < tree->profile->n_threads; t++)
        if (weights[t] > 0) {
            PvChartThread thread = {t, weights[t]};
            pv_array_push (&threads, thread);
        }
    if (threads.len > 0)
        pv_array_sort (&threads, compare_threads);
    self->chart.n_threads = (uint32_t)threads.len;
    self->chart.threads = pv_array_steal (&threads);
    return !is_cancelled;
}

static void
choose_thread (PvFlameChart *chart, PvThreadId thread)
{
    chart->thread = thread;
    if (thread == PV_CHART_BUSIEST)
        chart->thread = chart->n_threads > 0 ? chart->threads[0].thread : 0;
    for (uint32_t i = 0; i < chart->n_threads; i++)
        if (chart->threads[i].thread == chart->thread)
            chart->weight = chart->threads[i].weight;
}

static bool
find_samples (Chart *self, PvJob *job)
{
    const PvSampleSet *set = self->filter.set;
    for (uint32_t i = pv_sample_set_find (set, 1); i < set->n_samples; i++) {
        if (pv_sample_set_thread (set, i) == self->chart.thread)
            pv_array_push (&self->samples, i);
        if (i % SAMPLES_PER_CHECK == 0 && pv_job_is_cancelled (job))
            return false;
    }
    return true;
}

static int
compare_distances (const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static void
find_period (Chart *self)
{
    size_t n = self->samples.len, stride = n / MOST_DISTANCES + 1;
    PV_ARRAY (uint64_t) distances = {0};
    for (size_t i = 0; i + 1 < n; i += stride) {
        uint64_t distance_ns = get_time (self, (uint32_t)i + 1) - get_time (self, (uint32_t)i);
        if (distance_ns > 0)
            pv_array_push (&distances, distance_ns);
    }
    if (distances.len > 0) {
        qsort (distances.data, distances.len, sizeof (uint64_t), compare_distances);
        self->chart.period_ns = distances.data[distances.len / 2];
    }
    /* A single sample must be seen. */
    self->chart.period_ns = CLAMP (self->chart.period_ns, 1, UINT32_MAX);
    pv_array_clear (&distances);
}

/* Finds the span of the query; where an end is open, that of the kept samples. */
static void
find_span (Chart *self)
{
    PvFlameChart *chart = &self->chart;
    const PvQuery *query = &chart->tree->query;
    uint32_t n = (uint32_t)self->samples.len;
    if (chart->n_samples == 0)
        return;
    chart->start_ns =
        query->start_ns > 0 ? query->start_ns : get_time (self, find_kept (self, 0, n));
    chart->end_ns =
        query->end_ns < UINT64_MAX ? query->end_ns : get_end (self, find_last_kept (self, n));
    chart->end_ns = MAX (chart->end_ns, chart->start_ns + 1);
}

PvFlameChart *
pv_flame_chart_build (const PvCallTree *tree, PvThreadId thread, PvJob *job)
{
    g_assert (tree != NULL && !tree->query.is_inverted);
    g_assert (pv_time_index_can_build (tree->profile, tree->query.measure));
    Chart *self = g_new0 (Chart, 1);
    g_autoptr (PvFlameChart) chart = &self->chart;
    g_auto (PvQuery) query;
    chart->ref_count = 1;
    chart->tree = pv_call_tree_ref (tree);
    self->base_ns = tree->profile->start_ns;
    pv_query_copy (&query, &tree->query);
    query.start_ns = 0;
    query.end_ns = UINT64_MAX;
    pv_sample_filter_init (&self->filter, &query, tree->profile);
    if (!weigh_threads (self, job))
        return NULL;
    choose_thread (chart, thread);
    if (!find_samples (self, job))
        return NULL;
    if (self->filter.set->duration_ns == NULL)
        find_period (self);
    find_depths (self);
    while (add_level (self, job))
        ;
    if (pv_job_is_cancelled (job))
        return NULL;
    chart->n_samples = sum_up (self, 0, (uint32_t)self->samples.len).n_kept;
    find_span (self);
    return g_steal_pointer (&chart);
}

PV_DEFINE_REF (pv_flame_chart_ref, PvFlameChart, const PvFlameChart)

void
pv_flame_chart_unref (PvFlameChart *chart)
{
    if (!pv_ref_was_last (chart))
        return;
    Chart *self = (Chart *)chart;
    for (unsigned l = 0; l < MAX_LEVELS; l++)
        pv_array_clear (&self->levels[l]);
    pv_array_clear (&self->samples);
    pv_array_clear (&self->first_of_depth);
    pv_sample_filter_clear (&self->filter);
    g_free ((PvChartThread *)chart->threads);
    pv_call_tree_free ((PvCallTree *)chart->tree);
    g_free (self);
}

/* Cutting */

/* A stretch of time to be drawn. */
typedef struct {
    uint64_t start_ns;
    uint64_t end_ns;
    uint32_t common; /* down to here boxes are joined ... */
    uint32_t depth;  /* ... and from there to this depth they are folded */
    uint32_t n_samples;
    uint32_t first; /* its first sample ... */
    uint32_t last;  /* ... and the last one */
} Item;

typedef struct {
    const Chart *chart;
    PV_ARRAY (PvBoxLevel) levels;
    PV_ARRAY (uint32_t) path; /* of the item, outermost first */
    Item first_item;
    Item last_item;
    bool has_items;
} Cut;

static bool
is_folded (const PvTreeShape *shape, uint32_t position)
{
    return position != 0 && shape->frame_of_node[position] == PV_FRAME_FOLDED;
}

/* Adds a box at the end of a level, as a child of the last box above it. NO_POSITION: folded. */
static void
add_box (Cut *cut, uint32_t depth, const Item *item, uint32_t position)
{
    if (depth == cut->levels.len)
        pv_array_push (&cut->levels, (PvBoxLevel){0});
    PvBox box = {
        .left = item->start_ns - cut->chart->chart.start_ns,
        .total = item->end_ns - item->start_ns,
        .parent = depth > 0 ? (uint32_t)cut->levels.data[depth - 1].len - 1 : 0,
        .position = position,
        .n_samples = item->n_samples,
        .is_folded = position == NO_POSITION || is_folded (get_shape (cut->chart), position),
    };
    pv_array_push (&cut->levels.data[depth], box);
}

static void
add_item (Cut *cut, const Item *item)
{
    const PvTreeShape *shape = get_shape (cut->chart);
    uint32_t depth = get_depth (cut->chart, item->common), n_joined = 0;
    if (cut->has_items && cut->last_item.end_ns == item->start_ns)
        n_joined = get_depth (cut->chart, find_common (shape, cut->last_item.common, item->common));
    for (uint32_t level = 1; level <= n_joined; level++) {
        PvBoxLevel *boxes = &cut->levels.data[level];
        boxes->data[boxes->len - 1].total += item->end_ns - item->start_ns;
        boxes->data[boxes->len - 1].n_samples += item->n_samples;
    }
    pv_array_resize (&cut->path, depth + 1);
    for (uint32_t level = depth, node = item->common; level > n_joined; level--) {
        cut->path.data[level] = node;
        node = shape->parent_of_node[node];
    }
    for (uint32_t level = n_joined + 1; level <= depth; level++)
        add_box (cut, level, item, cut->path.data[level]);
    for (uint32_t level = depth + 1; level <= item->depth; level++)
        add_box (cut, level, item, NO_POSITION);
    if (!cut->has_items)
        cut->first_item = *item;
    cut->has_items = true;
    cut->last_item = *item;
}

/* The end of the samples from `first` on that are together at most as wide: at least one more. */
static uint32_t
find_narrow (const Chart *self, uint32_t first, uint32_t end, uint64_t least_ns)
{
    uint64_t limit_ns = get_time (self, first) + least_ns;
    return pv_gallop (first + 1, end, i, get_end (self, i) <= limit_ns);
}

/* The item that begins with a kept sample; returns the first sample after it. */
static uint32_t
take_item (const Chart *self, uint32_t first, uint32_t end, uint64_t least_ns, Item *ret_item)
{
    const PvFlameChart *chart = &self->chart;
    uint32_t after = first + 1, last = first;
    Stretch sum = sum_sample (self, first);
    if (get_end (self, first) - get_time (self, first) < least_ns && after < end) {
        after = find_narrow (self, first, end, least_ns);
        last = find_last_kept (self, after);
        sum = sum_up (self, first, last + 1);
    }
    *ret_item = (Item){
        .start_ns = MAX (get_time (self, first), chart->start_ns),
        .end_ns = MIN (get_end (self, last), chart->end_ns),
        .common = sum.common,
        .depth = get_depth (self, sum.deepest),
        .n_samples = sum.n_kept,
        .first = first,
        .last = last,
    };
    return after;
}

static bool
add_items (Cut *cut, uint64_t start_ns, uint64_t end_ns, uint64_t least_ns, PvJob *job)
{
    const Chart *self = cut->chart;
    uint32_t i = find_from (self, start_ns), end = find_from (self, end_ns), n = 0;
    if (i > 0)
        i--; /* may last until after the start */
    while ((i = find_kept (self, i, end)) < end) {
        Item item;
        if (++n % ITEMS_PER_CHECK == 0 && pv_job_is_cancelled (job))
            return false;
        if (get_end (self, i) <= MAX (get_time (self, i), start_ns)) {
            i++;
            continue;
        }
        i = take_item (self, i, end, least_ns, &item);
        if (item.end_ns > item.start_ns)
            add_item (cut, &item);
    }
    return true;
}

/* Boxes at the ends of a cut reach beyond it */

static bool
is_empty (const Chart *self, uint32_t i)
{
    return get_end (self, i) == get_time (self, i);
}

/* True if the sample and the next one touch. */
static bool
is_joined (const Chart *self, uint32_t i)
{
    return get_end (self, i) == get_time (self, i + 1);
}

/* Takes as many samples before `end` as are all below a node, at once or in blocks. Returns the
 * first that is. */
static uint32_t
skip_back (const Chart *self, uint32_t end, uint32_t node)
{
    const PvTreeShape *shape = get_shape (self);
    uint32_t width = 1;
    unsigned level = 0;
    while (end > 0 && is_joined (self, end - 1)) {
        for (; level < self->n_levels && end % (width * FANOUT) == 0; level++)
            width *= FANOUT;
        for (;; level--, width /= FANOUT) {
            Stretch sum = level > 0 ? self->levels[level - 1].data[end / width - 1]
                                    : sum_sample (self, end - 1);
            if (find_common (shape, sum.common, node) == node ||
                (level == 0 && is_empty (self, end - 1)))
                break;
            if (level == 0)
                return end;
        }
        end -= width;
    }
    return end;
}

/* The same for those from `first` on. Returns the first that is not. */
static uint32_t
skip_ahead (const Chart *self, uint32_t first, uint32_t node)
{
    const PvTreeShape *shape = get_shape (self);
    uint32_t n = (uint32_t)self->samples.len, width = 1;
    unsigned level = 0;
    while (first < n && is_joined (self, first - 1)) {
        for (; level < self->n_levels && first % (width * FANOUT) == 0; level++)
            width *= FANOUT;
        for (;; level--, width /= FANOUT) {
            bool has_block = n - first >= width;
            Stretch sum = {.common = 0};
            if (has_block)
                sum = level > 0 ? self->levels[level - 1].data[first / width]
                                : sum_sample (self, first);
            if ((has_block && find_common (shape, sum.common, node) == node) ||
                (level == 0 && is_empty (self, first)))
                break;
            if (level == 0)
                return first;
        }
        first += width;
    }
    return first;
}

static void
stretch_box (Cut *cut, PvBox *box, uint64_t start_ns, uint64_t end_ns)
{
    const PvFlameChart *chart = &cut->chart->chart;
    start_ns = MAX (start_ns, chart->start_ns);
    end_ns = MIN (end_ns, chart->end_ns);
    box->left = start_ns - chart->start_ns;
    box->total = end_ns - start_ns;
    box->n_samples = MAX (pv_flame_chart_count (chart, start_ns, end_ns), box->n_samples);
}

/* The nodes of an item, from the innermost on, whose boxes are the first or the last of levels. */
static void
stretch_ends (Cut *cut)
{
    const Chart *self = cut->chart;
    const PvTreeShape *shape = get_shape (self);
    uint64_t base_ns = self->chart.start_ns;
    uint32_t first = cut->first_item.first, end = cut->last_item.last + 1;
    uint32_t level = get_depth (self, cut->first_item.common);
    for (uint32_t node = cut->first_item.common; node != 0; node = shape->parent_of_node[node]) {
        PvBox *box = &cut->levels.data[level--].data[0];
        first = skip_back (self, first, node);
        stretch_box (cut, box, get_time (self, first), base_ns + box->left + box->total);
    }
    level = get_depth (self, cut->last_item.common);
    for (uint32_t node = cut->last_item.common; node != 0; node = shape->parent_of_node[node]) {
        PvBoxLevel *boxes = &cut->levels.data[level--];
        PvBox *box = &boxes->data[boxes->len - 1];
        end = skip_ahead (self, end, node);
        stretch_box (cut, box, base_ns + box->left, get_end (self, end - 1));
    }
}

PvCallTree *
pv_flame_chart_cut (const PvFlameChart *chart, uint64_t start_ns, uint64_t end_ns,
                    uint64_t least_ns, PvJob *job)
{
    g_assert (chart != NULL && chart->n_samples > 0 && start_ns < end_ns);
    Cut cut = {.chart = get_chart (chart)};
    const Item whole = {.start_ns = chart->start_ns, .end_ns = chart->end_ns};
    g_autofree char *name = pv_flame_chart_format_thread (chart->tree->profile, chart->thread);
    PvCallTree *tree = NULL;
    start_ns = CLAMP (start_ns, chart->start_ns, chart->end_ns - 1);
    end_ns = CLAMP (end_ns, start_ns + 1, chart->end_ns);
    add_box (&cut, 0, &whole, 0);
    if (add_items (&cut, start_ns, end_ns, least_ns, job)) {
        if (cut.has_items)
            stretch_ends (&cut);
        tree = pv_box_tree_new (chart->tree, name, cut.levels.data, (uint32_t)cut.levels.len);
        tree->query.start_ns = chart->start_ns;
        tree->query.end_ns = chart->end_ns;
        tree->n_kept_samples = pv_flame_chart_count (chart, chart->start_ns, chart->end_ns);
    }
    for (size_t l = 0; l < cut.levels.len; l++)
        pv_array_clear (&cut.levels.data[l]);
    pv_array_clear (&cut.levels);
    pv_array_clear (&cut.path);
    return tree;
}

uint32_t
pv_flame_chart_count (const PvFlameChart *chart, uint64_t start_ns, uint64_t end_ns)
{
    g_assert (chart != NULL && start_ns <= end_ns);
    const Chart *self = get_chart (chart);
    return sum_up (self, find_from (self, start_ns), find_from (self, end_ns)).n_kept;
}

uint64_t *
pv_flame_chart_weigh_functions (const PvFlameChart *chart, uint64_t start_ns, uint64_t end_ns)
{
    g_assert (chart != NULL && start_ns < end_ns);
    const Chart *self = get_chart (chart);
    const PvTreeShape *shape = get_shape (self);
    uint64_t *weights = g_new0 (uint64_t, MAX (shape->symbols->n_functions, 1));
    uint32_t first = find_from (self, start_ns), end = find_from (self, end_ns);
    for (uint32_t i = first > 0 ? first - 1 : 0; i < end; i++) {
        uint64_t left = MAX (get_time (self, i), start_ns), right = MIN (get_end (self, i), end_ns);
        uint32_t position = get_position (self, i);
        if (position != NO_POSITION && left < right)
            weights[shape->function_of_node[position]] += right - left;
    }
    return weights;
}

char *
pv_flame_chart_format_thread (const PvProfile *profile, PvThreadId id)
{
    g_assert (profile != NULL && id < profile->n_threads);
    const PvThread *thread = &profile->threads[id];
    const PvProcess *process = &profile->processes[thread->process];
    g_autofree char *own = pv_format_thread (profile, id);
    bool is_other = process->name != NULL && g_strcmp0 (process->name, thread->name) != 0;
    return is_other ? g_strdup_printf ("%s · %s", process->name, own) : g_steal_pointer (&own);
}
