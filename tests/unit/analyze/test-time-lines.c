/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Time lines of random profiles, held against sums made sample by sample. What transforms do to
 * them is in test-properties.c.
 */
#include <string.h>

#include "../cases.h"
#include "../made.h"
#include "core/analyze/time/time-bins.h"
#include "core/analyze/time/time-find.h"
#include "core/model/build/builder.h"
#include "timed-profile.h"

enum { N_FUNCTIONS = 9, N_STACKS = 60, N_THREADS = 12, N_CLASSES = 4, N_VIEWS = 25, N_TIMES = 40 };
enum { OFF_CPU = 2, DELAY }; /* the measures of intervals; a delay is the end of one */

typedef struct {
    GRand *random;
    PvProfile *profile;
    PvSymbolTable *symbols;
    PvCallTree *tree;
    PvTimeIndex *index;
    uint8_t *class_of_function;
} Case;

/* Making a case */

/* Steps of time: none, small, and now and then a pause. */
static uint64_t
pick_step (GRand *random, unsigned mood)
{
    if (timed_pick (random, 200) == 0)
        return timed_pick (random, 2000000);
    return mood == 0 ? 0 : mood == 1 ? timed_pick (random, 3) : timed_pick (random, 1000);
}

/* Threads take turns of random length on four processors. */
static void
add_samples (GRand *random, PvProfileBuilder *builder, unsigned n_samples)
{
    PvStackId stacks[N_STACKS];
    PvThreadId threads[N_THREADS];
    timed_add_stacks (random, builder, N_FUNCTIONS, stacks, N_STACKS, 5);
    for (unsigned t = 0; t < N_THREADS; t++) {
        PvProcessId process = pv_profile_builder_add_process (builder, (int)t / 3 + 1, "p", 0);
        threads[t] = pv_profile_builder_add_thread (builder, process, (int)t + 10, "t", 0);
    }
    uint64_t time_ns = 5000000000;
    unsigned mood = timed_pick (random, 3), n_threads = 1 + timed_pick (random, N_THREADS);
    unsigned n_without_time = timed_pick (random, 3) == 0 ? timed_pick (random, 20) : 0;
    unsigned turn = 1 + timed_pick (random, timed_pick (random, 2) == 0 ? 100 : 30000);
    PvNewSample sample = {.cpu = 0};
    for (unsigned i = 0; i < n_samples; i++) {
        time_ns += pick_step (random, mood);
        if (timed_pick (random, turn) == 0) {
            sample.thread = threads[timed_pick (random, n_threads)];
            sample.cpu =
                (uint16_t)(timed_pick (random, 9) == 0 ? PV_CPU_UNKNOWN : timed_pick (random, 4));
        }
        sample.time_ns = i < n_without_time ? 0 : time_ns;
        sample.stack = stacks[timed_pick (random, N_STACKS)];
        const uint64_t weights[] = {timed_pick (random, 4) == 0 ? 0 : timed_pick (random, 1000000),
                                    7};
        pv_profile_builder_add_sample (builder, 0, &sample, weights);
        if (timed_pick (random, 3) > 0)
            continue;
        sample.duration_ns = timed_pick (random, 30) == 0 ? timed_pick (random, 100000000)
                                                          : timed_pick (random, 900);
        const uint64_t waits[] = {timed_pick (random, 2) == 0 ? sample.duration_ns
                                                              : timed_pick (random, 5000),
                                  sample.duration_ns / (1 + timed_pick (random, 3))};
        pv_profile_builder_add_sample (builder, 1, &sample, waits);
        sample.duration_ns = 0;
    }
}

static void
make_profile (Case *test, unsigned n_samples)
{
    g_autoptr (PvProfileBuilder) builder = timed_new_builder ("sevens");
    add_samples (test->random, builder, n_samples);
    test->profile = pv_profile_builder_snapshot (builder);
    test->symbols = timed_name_functions (test->profile);
}

static void
randomize (Case *test, PvQuery *query)
{
    pv_query_init (query);
    query->measure = timed_pick (test->random, 4);
    if (timed_pick (test->random, 4) == 0) {
        const PvThreadId hidden = 1 + timed_pick (test->random, N_THREADS);
        pv_query_set_except (query, PV_ORIGIN_THREAD, &hidden, 1);
    }
    if (timed_pick (test->random, 4) == 0) {
        const uint32_t cpu = timed_pick (test->random, 4);
        pv_query_set_only (query, PV_ORIGIN_CPU, &cpu, 1);
    }
    if (timed_pick (test->random, 4) == 0)
        pv_query_add_transform (query, PV_TRANSFORM_FOCUS, "^f[1-4]$");
    /* The index is of all times. */
    query->start_ns = timed_pick (test->random, 1000);
    query->end_ns =
        timed_pick (test->random, 2) == 0 ? UINT64_MAX : timed_pick (test->random, 100000);
}

/* False if no sample has a time: then there is no time line. */
static bool
set_up (Case *test, unsigned seed, unsigned n_samples)
{
    g_auto (PvQuery) query;
    *test = (Case){.random = g_rand_new_with_seed (seed)};
    make_profile (test, n_samples);
    randomize (test, &query);
    test->tree = timed_build_tree (test->profile, test->symbols, &query);
    test->class_of_function = g_new (uint8_t, test->symbols->n_functions);
    for (PvFunctionId f = 0; f < test->symbols->n_functions; f++)
        test->class_of_function[f] = (uint8_t)timed_pick (test->random, N_CLASSES);
    if (!pv_time_index_can_build (test->profile, query.measure))
        return false;
    PvTimeRowKind kind = timed_pick (test->random, 3) == 0 ? PV_TIME_CPUS : PV_TIME_THREADS;
    test->index = pv_time_index_build (test->tree, kind, test->class_of_function, N_CLASSES, NULL);
    return true;
}

static void
tear_down (Case *test)
{
    pv_time_index_unref (test->index);
    pv_call_tree_free (test->tree);
    g_free (test->class_of_function);
    pv_symbol_table_free (test->symbols);
    pv_profile_free (test->profile);
    g_rand_free (test->random);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Case, tear_down)

/* The slow and obvious way */

static const PvSampleSet *
get_set (const Case *test)
{
    return pv_profile_get_measure_set (test->profile, test->index->measure);
}

static PvFunctionId
function_of_stack (const Case *test, PvStackId stack)
{
    uint32_t n_frames;
    return pv_symbol_table_frames (test->symbols, test->profile->location_of_stack[stack],
                                   &n_frames)
        ->function;
}

/* 0: none has that name. */
static PvFunctionId
find_function (const Case *test, const char *name)
{
    for (PvFunctionId f = test->symbols->n_functions - 1; f > 0; f--)
        if (strcmp (test->symbols->functions[f].name, name) == 0)
            return f;
    return 0;
}

static bool
has_function (const Case *test, PvStackId stack, PvFunctionId function)
{
    for (; stack != 0; stack = test->profile->parent_of_stack[stack])
        if (function_of_stack (test, stack) == function)
            return true;
    return false;
}

/* As the query's focus wants it. */
static bool
is_in_focus (const Case *test, PvStackId stack)
{
    for (char name[] = "f1"; name[1] <= '4'; name[1]++)
        if (has_function (test, stack, find_function (test, name)))
            return true;
    return false;
}

/* The row of a sample; UINT32_MAX if the query drops it. */
static uint32_t
find_row (const Case *test, uint32_t sample)
{
    const PvSampleSet *set = get_set (test);
    const PvQuery *query = &test->tree->query;
    PvThreadId thread = pv_sample_set_thread (set, sample);
    uint16_t cpu = pv_sample_set_cpu (set, sample);
    if (!pv_query_shows (query, PV_ORIGIN_THREAD, thread) ||
        !pv_query_shows (query, PV_ORIGIN_CPU, cpu) ||
        (query->n_transforms > 0 && !is_in_focus (test, set->stack[sample])))
        return UINT32_MAX;
    for (uint32_t row = 0; row < test->index->n_rows; row++)
        if (test->index->kind == PV_TIME_CPUS ? test->index->rows[row].cpu == cpu
                                              : test->index->rows[row].thread == thread)
            return row;
    return UINT32_MAX;
}

static uint64_t
get_weight (const Case *test, uint32_t sample)
{
    const PvMeasure *measure = &test->profile->measures[test->index->measure];
    return pv_sample_set_weight (get_set (test), measure->column, sample);
}

static uint64_t
get_start (const Case *test, uint32_t sample)
{
    return pv_sample_set_time_ns (get_set (test), sample) - test->profile->start_ns;
}

static uint64_t
get_duration (const Case *test, uint32_t sample)
{
    return get_set (test)->duration_ns != NULL ? get_set (test)->duration_ns[sample] : 0;
}

/* The part of a sample's weight that comes before a time. */
static uint64_t
weigh_before (const Case *test, uint32_t sample, uint64_t time_ns)
{
    uint64_t start_ns = get_start (test, sample), duration_ns = get_duration (test, sample);
    uint64_t weight = get_weight (test, sample);
    if (time_ns <= start_ns)
        return 0;
    if (duration_ns == 0 || time_ns - start_ns >= duration_ns)
        return weight;
    if (test->index->measure == DELAY) {
        uint64_t before_ns = start_ns + duration_ns - weight;
        return time_ns > before_ns ? time_ns - before_ns : 0;
    }
    return weight * (time_ns - start_ns) / duration_ns;
}

static uint64_t
bin_start (const PvTimeView *view, uint32_t bin)
{
    return view->start_ns + (view->end_ns - view->start_ns) * bin / view->n_bins;
}

/* Weights by row, bin and class, as if all rows were wanted. */
typedef struct {
    uint64_t *weights;
    uint32_t *n_samples;
} PlainBins;

static void
add_plainly (const Case *test, const PvTimeView *view, uint32_t sample, uint32_t row, uint8_t class,
             uint32_t n_classes, PlainBins *bins)
{
    uint64_t start_ns = get_start (test, sample);
    uint64_t end_ns = start_ns + get_duration (test, sample);
    if (end_ns < view->start_ns || start_ns >= view->end_ns)
        return;
    uint32_t low = 0, high = view->n_bins; /* the last bin that starts at or before it */
    while (high - low > 1) {
        uint32_t middle = (low + high) / 2;
        if (bin_start (view, middle) <= start_ns)
            low = middle;
        else
            high = middle;
    }
    for (uint32_t bin = low; bin < view->n_bins && bin_start (view, bin) <= end_ns; bin++) {
        size_t at = (size_t)row * view->n_bins + bin;
        bins->weights[at * n_classes + class] +=
            weigh_before (test, sample, bin_start (view, bin + 1)) -
            weigh_before (test, sample, bin_start (view, bin));
        bins->n_samples[at] +=
            start_ns >= bin_start (view, bin) && start_ns < bin_start (view, bin + 1);
    }
}

/* through: 0: all samples, in their classes. */
static PlainBins
make_plain_bins (const Case *test, const PvTimeView *view, PvFunctionId through)
{
    const PvSampleSet *set = get_set (test);
    uint32_t n_classes = through != 0 ? 1 : N_CLASSES;
    size_t n = (size_t)test->index->n_rows * view->n_bins;
    PlainBins bins = {g_new0 (uint64_t, MAX (n * n_classes, 1)), g_new0 (uint32_t, MAX (n, 1))};
    for (uint32_t i = 0; i < set->n_samples; i++) {
        uint32_t row = find_row (test, i);
        PvStackId stack = set->stack[i];
        if (row == UINT32_MAX || get_weight (test, i) == 0 || pv_sample_set_time_ns (set, i) == 0 ||
            (through != 0 && !has_function (test, stack, through)))
            continue;
        uint8_t class = through != 0 ? 0 : test->class_of_function[function_of_stack (test, stack)];
        add_plainly (test, view, i, row, class, n_classes, &bins);
    }
    return bins;
}

/* Views */

/* Views of all, of nothing, of a few nanoseconds, of one pixel; some rows, or all. */
static void
pick_view (const Case *test, PvTimeView *ret_view, uint32_t *rows)
{
    GRand *random = test->random;
    uint64_t length_ns = test->profile->duration_ns + 1;
    *ret_view = (PvTimeView){.end_ns = length_ns, .n_bins = 1 + timed_pick (random, 300)};
    if (timed_pick (random, 5) > 0) {
        ret_view->start_ns = (uint64_t)g_rand_double_range (random, 0, (double)length_ns * 1.1);
        ret_view->end_ns = (uint64_t)g_rand_double_range (random, 0, (double)length_ns * 1.1);
    }
    if (ret_view->start_ns > ret_view->end_ns || timed_pick (random, 4) == 0)
        ret_view->end_ns = ret_view->start_ns + timed_pick (random, 500) * timed_pick (random, 500);
    if (timed_pick (random, 10) == 0)
        ret_view->end_ns = ret_view->start_ns;
    if (timed_pick (random, 5) == 0)
        ret_view->n_bins = 1;
    if (timed_pick (random, 3) > 0)
        return;
    ret_view->rows = rows;
    for (uint32_t row = 0; row < test->index->n_rows; row++)
        if (timed_pick (random, 2) == 0)
            rows[ret_view->n_rows++] = row;
}

static void
check_view (const Case *test, const PvTimeIndex *index, const PvTimeView *view,
            PvFunctionId through)
{
    g_autoptr (PvTimeBins) bins = pv_time_bins_build (index, view, NULL);
    PlainBins plain = make_plain_bins (test, view, through);
    g_assert_cmpuint (bins->n_rows, ==, view->rows != NULL ? view->n_rows : index->n_rows);
    g_assert_cmpuint (bins->n_bins, ==, view->n_bins);
    g_assert_cmpuint (bins->n_classes, ==, index->n_classes);
    for (uint32_t place = 0; place < bins->n_rows; place++) {
        size_t row = view->rows != NULL ? view->rows[place] : place;
        g_assert_cmpmem (pv_time_bins_get (bins, place, 0),
                         (size_t)view->n_bins * index->n_classes * sizeof (uint64_t),
                         plain.weights + row * view->n_bins * index->n_classes,
                         (size_t)view->n_bins * index->n_classes * sizeof (uint64_t));
        g_assert_cmpmem (bins->n_samples + (size_t)place * view->n_bins,
                         view->n_bins * sizeof (uint32_t), plain.n_samples + row * view->n_bins,
                         view->n_bins * sizeof (uint32_t));
    }
    for (uint32_t bin = 0; bin <= view->n_bins; bin++)
        g_assert_cmpuint (pv_time_view_get_start (view, bin), ==, bin_start (view, bin));
    g_free (plain.weights);
    g_free (plain.n_samples);
}

/* All rows as one, whichever the view has. */
static void
check_sum (const Case *test, const PvTimeView *view)
{
    PvTimeView all = *view;
    all.is_sum = true;
    g_autoptr (PvTimeBins) bins = pv_time_bins_build (test->index, &all, NULL);
    PlainBins plain = make_plain_bins (test, view, 0);
    size_t n = (size_t)view->n_bins * test->index->n_classes;
    g_assert_cmpuint (bins->n_rows, ==, 1);
    for (size_t i = 0; i < n; i++) {
        uint64_t sum = 0;
        for (size_t row = 0; row < test->index->n_rows; row++)
            sum += plain.weights[row * n + i];
        g_assert_cmpuint (bins->weights[i], ==, sum);
    }
    for (size_t bin = 0; bin < view->n_bins; bin++) {
        uint32_t sum = 0;
        for (size_t row = 0; row < test->index->n_rows; row++)
            sum += plain.n_samples[row * view->n_bins + bin];
        g_assert_cmpuint (bins->n_samples[bin], ==, sum);
    }
    g_free (plain.weights);
    g_free (plain.n_samples);
}

/* The bins of a range add up to the tree of that range. */
static void
check_total (const Case *test, const PvTimeView *view)
{
    g_auto (PvQuery) query;
    uint64_t weight, n_samples;
    pv_query_copy (&query, &test->tree->query);
    query.start_ns = view->start_ns;
    query.end_ns = view->end_ns;
    g_autoptr (PvCallTree) tree = timed_build_tree (test->profile, test->symbols, &query);
    pv_time_index_sum (test->index, view->start_ns, view->end_ns, &weight, &n_samples);
    /* Without a range, those without a time count too. */
    g_assert_cmpuint (weight, ==, tree->total[0]);
    g_assert_cmpuint (n_samples, ==, tree->n_kept_samples);
}

/* Finding */

static uint64_t
get_distance (const Case *test, uint32_t sample, uint64_t time_ns)
{
    uint64_t start_ns = get_start (test, sample);
    uint64_t end_ns = start_ns + get_duration (test, sample);
    if (time_ns < start_ns)
        return start_ns - time_ns;
    return time_ns > end_ns ? time_ns - end_ns : 0;
}

/* The nearest of: the last interval around the time, the last before it, the first after it. */
static uint32_t
find_plainly (const Case *test, uint32_t wanted, uint64_t time_ns)
{
    uint32_t before = UINT32_MAX, after = UINT32_MAX, around = UINT32_MAX;
    for (uint32_t i = 0; i < get_set (test)->n_samples; i++) {
        if (pv_sample_set_time_ns (get_set (test), i) == 0 || get_weight (test, i) == 0 ||
            find_row (test, i) != wanted)
            continue;
        uint64_t start_ns = get_start (test, i);
        if (start_ns > time_ns && after == UINT32_MAX)
            after = i;
        if (start_ns <= time_ns)
            before = i;
        if (start_ns <= time_ns && time_ns < start_ns + get_duration (test, i))
            around = i;
    }
    if (around != UINT32_MAX || after == UINT32_MAX)
        return around != UINT32_MAX ? around : before;
    bool is_after_nearer = before == UINT32_MAX || get_distance (test, after, time_ns) <
                                                       get_distance (test, before, time_ns);
    return is_after_nearer ? after : before;
}

static void
check_nearest (const Case *test)
{
    for (unsigned i = 0; i < N_TIMES && test->index->n_rows > 0; i++) {
        uint32_t row = timed_pick (test->random, test->index->n_rows), sample;
        double length_ns = (double)test->profile->duration_ns * 1.1 + 1;
        uint64_t time_ns = (uint64_t)g_rand_double_range (test->random, 0, length_ns);
        bool has_sample = test->index->rows[row].weight > 0;
        g_assert_true (pv_time_index_find_nearest (test->index, row, time_ns, &sample) ==
                       has_sample);
        if (has_sample)
            g_assert_cmpuint (sample, ==, find_plainly (test, row, time_ns));
    }
}

/* Rows */

static bool
has_thread (const PvSampleSet *set, PvThreadId thread)
{
    for (uint32_t c = 0; c < set->n_contexts; c++)
        if (set->contexts[c].thread == thread)
            return true;
    return false;
}

static void
check_rows (const Case *test)
{
    const PvTimeIndex *index = test->index;
    g_autofree uint64_t *weight_of_row = g_new0 (uint64_t, MAX (index->n_rows, 1));
    g_autofree uint32_t *n_of_row = g_new0 (uint32_t, MAX (index->n_rows, 1));
    g_autofree uint64_t *weight_of_process = g_new0 (uint64_t, test->profile->n_processes);
    uint64_t without_time = 0, total = 0, start_ns = UINT64_MAX, end_ns = 0;
    for (uint32_t i = 0; i < get_set (test)->n_samples; i++) {
        uint32_t row = find_row (test, i);
        uint64_t weight = get_weight (test, i);
        /* A row only has samples without a time, or no weight. */
        if (pv_sample_set_time_ns (get_set (test), i) == 0) {
            if (row != UINT32_MAX)
                without_time += weight;
            continue;
        }
        if (weight == 0)
            continue;
        start_ns = MIN (start_ns, get_start (test, i));
        if (row == UINT32_MAX)
            continue;
        weight_of_row[row] += weight;
        n_of_row[row]++;
        total += weight;
        end_ns = MAX (end_ns, get_start (test, i) + MAX (get_duration (test, i), 1));
    }
    g_assert_cmpuint (index->weight, ==, total);
    g_assert_cmpuint (index->weight_without_time, >=, without_time);
    if (total > 0) {
        g_assert_cmpuint (index->start_ns, <=, start_ns);
        g_assert_cmpuint (index->end_ns, >=, end_ns);
    }
    for (uint32_t row = 0; row < index->n_rows; row++) {
        g_assert_cmpuint (index->rows[row].weight, ==, weight_of_row[row]);
        /* Only threads without any samples of the measure have rows without weight. */
        bool is_bare = index->kind == PV_TIME_THREADS && index->weight > 0 &&
                       !has_thread (get_set (test), index->rows[row].thread);
        g_assert_true ((index->rows[row].weight == 0) == is_bare);
        g_assert_cmpuint (index->rows[row].n_samples, ==, n_of_row[row]);
        weight_of_process[index->rows[row].process] += weight_of_row[row];
    }
    for (uint32_t row = 1; row < index->n_rows; row++) {
        const PvTimeRow *above = &index->rows[row - 1], *below = &index->rows[row];
        if (index->kind == PV_TIME_CPUS) {
            g_assert_cmpuint (above->cpu, <, below->cpu);
        } else if (above->process == below->process) {
            g_assert_cmpuint (above->weight, >=, below->weight);
        } else {
            g_assert_cmpuint (weight_of_process[above->process], >=,
                              weight_of_process[below->process]);
            for (uint32_t r = row + 1; r < index->n_rows; r++)
                g_assert_cmpuint (index->rows[r].process, !=, above->process);
        }
    }
}

/* Highlighted samples */

static uint64_t
sum_class (const PvTimeIndex *lit, const PvQuery *query, uint32_t class)
{
    PvTimeView all = {.start_ns = query->start_ns, .end_ns = query->end_ns, .n_bins = 1};
    g_autoptr (PvTimeBins) bins = pv_time_bins_build (lit, &all, NULL);
    uint64_t sum = 0;
    for (uint32_t row = 0; row < bins->n_rows; row++)
        sum += pv_time_bins_get (bins, row, 0)[class];
    return sum;
}

/* A tree of some part of the time, by whatever it can be, upside down or not. */
static PvCallTree *
build_any_tree (const Case *test)
{
    static const PvGrouping groupings[] = {PV_GROUP_NONE, PV_GROUP_THREAD, PV_GROUP_PROCESS,
                                           PV_GROUP_CPU, PV_GROUP_MODULE};
    uint64_t length_ns = test->profile->duration_ns;
    g_auto (PvQuery) query;
    pv_query_copy (&query, &test->tree->query);
    query.start_ns = 1 + (uint64_t)g_rand_double_range (test->random, 0, (double)length_ns);
    query.end_ns =
        query.start_ns + 1 + (uint64_t)g_rand_double_range (test->random, 0, (double)length_ns);
    query.granularity = (PvGranularity)timed_pick (test->random, PV_BY_ADDRESS + 1);
    query.grouping = groupings[timed_pick (test->random, G_N_ELEMENTS (groupings))];
    query.is_inverted = timed_pick (test->random, 2) == 0;
    return query_tree (test->profile, test->symbols, &query);
}

/* The highlighted amount of a node, in the time of its tree, is its total; that of a search
 * besides, the rest of what it says. */
static void
check_light (const Case *test)
{
    g_autoptr (PvCallTree) tree = build_any_tree (test);
    for (unsigned i = 0; i < 12 && tree->n_nodes > 1; i++) {
        g_auto (PvTimeLight) light = {0};
        PvNodeId node = timed_pick (test->random, tree->n_nodes - 1) + 1;
        pv_time_light_set_node (&light, tree, node);
        g_assert_true (light.has_node);
        g_autoptr (PvTimeIndex) lit = pv_time_index_build_lit (test->index, tree, &light, NULL);
        g_assert_cmpuint (lit->n_classes, ==, 1);
        g_assert_cmpuint (sum_class (lit, &tree->query, PV_LIT_SELECTED), ==, tree->total[node]);
        if (i >= 3)
            continue;

        light.search.text = g_strdup ("F3");
        g_autoptr (PvSearchResult) found = pv_search (tree, &light.search, NULL, NULL);
        g_autoptr (PvTimeIndex) both = pv_time_index_build_lit (test->index, tree, &light, NULL);
        g_assert_cmpuint (sum_class (both, &tree->query, PV_LIT_SELECTED), ==, tree->total[node]);
        g_assert_cmpuint (sum_class (both, &tree->query, PV_LIT_MATCH), <=, found->weight);

        PvTimeLight search = {.search = light.search};
        g_autoptr (PvTimeIndex) all = pv_time_index_build_lit (test->index, tree, &search, NULL);
        g_assert_cmpuint (sum_class (all, &tree->query, PV_LIT_SELECTED), ==, 0);
        g_assert_cmpuint (sum_class (all, &tree->query, PV_LIT_MATCH), ==, found->weight);
        g_assert_cmpuint (sum_class (both, &tree->query, PV_LIT_MATCH) + tree->total[node], >=,
                          found->weight);
    }
}

/* Tests */

static void
check_case (unsigned seed, unsigned n_samples, unsigned n_views)
{
    Case test;
    if (set_up (&test, seed, n_samples)) {
        g_autofree uint32_t *rows = g_new (uint32_t, MAX (test.index->n_rows, 1));
        PvFunctionId function = 1 + timed_pick (test.random, test.symbols->n_functions - 1);
        const PvTimeLight light = {.function = function};
        g_autoptr (PvTimeIndex) through =
            pv_time_index_build_lit (test.index, test.tree, &light, NULL);
        check_rows (&test);
        check_nearest (&test);
        check_light (&test);
        for (unsigned v = 0; v < n_views; v++) {
            PvTimeView view;
            pick_view (&test, &view, rows);
            check_view (&test, test.index, &view, 0);
            check_view (&test, through, &view, function);
            check_sum (&test, &view);
            check_total (&test, &view);
        }
    }
    tear_down (&test);
}

TEST (random)
{
    for (unsigned seed = 0; seed < pv_test_rounds (300); seed++)
        check_case (seed, seed % 60, N_VIEWS);
    for (unsigned seed = 1000; seed < 1040; seed += pv_test_step (3))
        check_case (seed, 3000 + seed % 7 * 1500, N_VIEWS);
}

/* With nodes of several levels. */
TEST (large)
{
    /* Sanitizers see in fewer what there is for them. */
    unsigned n_cases = pv_test_rounds (10);
    for (unsigned seed = 2000; seed < 2000 + n_cases; seed++)
        check_case (seed, 400000, 6);
}

TEST (empty)
{
    g_auto (Case) test = {.random = g_rand_new_with_seed (1)};
    make_profile (&test, 0);
    g_assert_false (pv_time_index_can_build (test.profile, 0));
    g_assert_false (pv_time_index_can_build (test.profile, 99));
}

/* Times and lengths that no recorder writes, but a damaged file may have. */
TEST (extremes)
{
    static const uint64_t edges[] = {0, 1, 9, 10, 1000, UINT64_MAX / 3, UINT64_MAX / 2, UINT64_MAX};
    const PvNewSample samples[] = {{.time_ns = 1, .duration_ns = UINT64_MAX},
                                   {.time_ns = 1, .duration_ns = 0},
                                   {.time_ns = 10, .duration_ns = UINT64_MAX - 20},
                                   {.time_ns = UINT64_MAX / 2, .duration_ns = 1},
                                   {.time_ns = UINT64_MAX - 2, .duration_ns = UINT64_MAX}};
    const uint64_t weight = UINT64_MAX / 50;
    g_auto (Case) test = {.random = g_rand_new_with_seed (5)};
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    g_auto (PvQuery) query = new_query ();
    made_set (builder, "off-cpu", true, PV_UNIT_NS);
    for (size_t i = 0; i < G_N_ELEMENTS (samples); i++)
        pv_profile_builder_add_sample (builder, 0, &samples[i], &weight);
    test.profile = pv_profile_builder_snapshot (builder);
    test.symbols = made_no_symbols (test.profile);
    test.tree = timed_build_tree (test.profile, test.symbols, &query);
    test.index = pv_time_index_build (test.tree, PV_TIME_CPUS, NULL, 1, NULL);
    g_assert_cmpuint (test.index->weight, ==, G_N_ELEMENTS (samples) * weight);
    for (size_t i = 0; i + 1 < G_N_ELEMENTS (edges); i++) {
        const PvTimeView view = {edges[i], edges[i + 1] - 1, .n_bins = 1000};
        g_autoptr (PvTimeBins) bins = pv_time_bins_build (test.index, &view, NULL);
        uint64_t sum = 0, whole, n_samples;
        for (uint32_t bin = 0; bin < view.n_bins; bin++)
            sum += pv_time_bins_sum (bins, 0, bin);
        check_total (&test, &view);
        pv_time_index_sum (test.index, view.start_ns, view.end_ns, &whole, &n_samples);
        g_assert_cmpuint (sum, ==, whole);
    }
}

/* A query that drops everything leaves no rows, and no bin with weight. */
TEST (nothing_kept)
{
    g_auto (Case) test = {.random = g_rand_new_with_seed (2)};
    g_auto (PvQuery) query = new_query ();
    uint64_t weight, n_samples;
    make_profile (&test, 2000);
    pv_query_add_transform (&query, PV_TRANSFORM_FOCUS, "^nothing$");
    test.tree = timed_build_tree (test.profile, test.symbols, &query);
    test.index = pv_time_index_build (test.tree, PV_TIME_THREADS, NULL, 1, NULL);
    g_assert_cmpuint (test.index->n_rows, ==, 0);
    g_assert_cmpuint (test.index->weight, ==, 0);
    pv_time_index_sum (test.index, 0, UINT64_MAX, &weight, &n_samples);
    g_assert_cmpuint (weight, ==, 0);
    g_assert_cmpuint (n_samples, ==, 0);
}

/* A thread that only waits has a row among those of CPU time, unless it is not shown. */
TEST (without_samples)
{
    g_autoptr (PvProfileBuilder) builder = timed_new_builder (NULL);
    g_auto (PvQuery) query = new_query ();
    const uint64_t weights[] = {10, 0};
    PvNewSample sample = {.time_ns = 100, .duration_ns = 10};
    PvThreadId threads[3];
    PvProcessId process = pv_profile_builder_add_process (builder, 1, "p", 0);
    for (int t = 0; t < 3; t++) {
        threads[t] = sample.thread = pv_profile_builder_add_thread (builder, process, t, "t", 0);
        pv_profile_builder_add_sample (builder, t > 0, &sample, weights);
    }
    g_autoptr (PvProfile) profile = pv_profile_builder_snapshot (builder);
    g_autoptr (PvSymbolTable) symbols = made_no_symbols (profile);
    pv_query_set_except (&query, PV_ORIGIN_THREAD, &threads[2], 1);
    query.measure = pv_profile_find_measure (profile, "cycles");
    g_autoptr (PvCallTree) tree = timed_build_tree (profile, symbols, &query);
    g_autoptr (PvTimeIndex) index = pv_time_index_build (tree, PV_TIME_THREADS, NULL, 1, NULL);
    g_assert_cmpuint (index->n_rows, ==, 2);
    g_assert_cmpuint (index->rows[0].thread, ==, threads[0]);
    g_assert_cmpuint (index->rows[1].thread, ==, threads[1]);
    g_assert_cmpuint (index->rows[1].weight, ==, 0);
    uint32_t found;
    g_assert_false (pv_time_index_find_nearest (index, 1, 0, &found));
}

TEST (cancelled)
{
    g_auto (Case) test = {.random = g_rand_new_with_seed (3)};
    g_auto (PvQuery) query = new_query ();
    g_autoptr (PvJob) job = pv_job_new ();
    make_profile (&test, 1000);
    test.tree = timed_build_tree (test.profile, test.symbols, &query);
    test.index = pv_time_index_build (test.tree, PV_TIME_THREADS, NULL, 1, job);
    const PvTimeView view = {.end_ns = 1000, .n_bins = 10};
    pv_job_cancel (job);
    g_assert_null (pv_time_index_build (test.tree, PV_TIME_THREADS, NULL, 1, job));
    const PvTimeLight light = {.function = 1};
    g_assert_null (pv_time_index_build_lit (test.index, test.tree, &light, job));
    g_assert_null (pv_time_bins_build (test.index, &view, job));
}

/* A few threads take less than a byte and a half for each sample. */
TEST (memory)
{
    Case test;
    unsigned seed = 4000;
    while (!set_up (&test, seed++, 300000) || test.index->measure >= OFF_CPU)
        tear_down (&test);
    g_assert_cmpuint (pv_time_index_count_bytes (test.index), <, 450000);
    tear_down (&test);
}
