/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Trees, lists and charts of random heaps against replays of their traces.
 */
#include <stdlib.h>

#include "../cases.h"
#include "../made.h"
#include "../model/heap-trace.h"
#include "../new-query.h"
#include "core/analyze/query/heap-weights.h"
#include "core/analyze/series/series-build.h"
#include "core/analyze/tables/functions.h"
#include "core/model/build/builder.h"
#include "weigh-stacks.h"

enum { MAX_TEST_FUNCTIONS = 12, MAX_DEPTH = 5 };

/* A profile of a random heap; function i is "f<i>", and location i is its only place. */
typedef struct {
    GRand *rand;
    Trace trace;
    PvProfile *profile;
    PvSymbolTable *symbols;
    uint32_t n_functions;
    uint32_t function_of_site[MAX_TEST_SITES]; /* where its stack ends */
    uint32_t on_stack[MAX_TEST_SITES];         /* bits of functions */
} Made;

static PvStackId
random_stack (Made *made, PvProfileBuilder *builder, const PvLocationId *locations, uint32_t site)
{
    int depth = g_rand_int_range (made->rand, 1, MAX_DEPTH);
    PvStackId stack = 0;
    for (int d = 0; d < depth; d++) {
        uint32_t f = (uint32_t)g_rand_int_range (made->rand, 0, (gint32)made->n_functions);
        stack = pv_profile_builder_stack (builder, stack, locations[f]);
        made->function_of_site[site] = f;
        made->on_stack[site] |= 1u << f;
    }
    return stack;
}

static PvSymbolTable *
name_functions (const PvProfile *profile, const PvLocationId *locations, uint32_t n_functions)
{
    g_autoptr (PvSymbolBuilder) builder = pv_symbol_builder_new (profile);
    for (uint32_t f = 0; f < n_functions; f++) {
        g_autofree char *name = g_strdup_printf ("f%u", f);
        PvFunction function = {.name = name, .module = 1};
        PvFrame frame = {.function = pv_symbol_builder_function (builder, &function), .line = f};
        pv_symbol_builder_set_frames (builder, locations[f], &frame, 1);
    }
    return pv_symbol_builder_publish (builder, true);
}

static Made
make_of (GRand *rand, Trace trace, bool is_exact, uint64_t max_rows)
{
    Made made = {.rand = rand, .trace = trace};
    made.n_functions = (uint32_t)g_rand_int_range (rand, 1, MAX_TEST_FUNCTIONS);
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    PvModuleId m = made_module (builder, "/bin/made");
    PvLocationId locations[MAX_TEST_FUNCTIONS];
    for (uint32_t f = 0; f < made.n_functions; f++)
        locations[f] = pv_profile_builder_location (builder, m, 16 * f, PV_LOCATION_EXACT);
    uint32_t stacks[MAX_TEST_SITES];
    for (uint32_t s = 0; s < made.trace.n_sites; s++)
        stacks[s] = random_stack (&made, builder, locations, s);
    PvHeap *heap = heap_trace_build (&made.trace, is_exact, max_rows, stacks, rand);
    pv_profile_builder_set_heap (builder, heap);
    made.profile = pv_profile_builder_snapshot (builder);
    made.symbols = name_functions (made.profile, locations, made.n_functions);
    return made;
}

static Made
make (unsigned seed, bool is_exact)
{
    GRand *rand = g_rand_new_with_seed (seed);
    return make_of (rand, heap_trace_random (rand, 2500), is_exact, 800);
}

static void
made_clear (Made *made)
{
    pv_symbol_table_free (made->symbols);
    pv_profile_free (made->profile);
    heap_trace_clear (&made->trace);
    g_rand_free (made->rand);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Made, made_clear)

/* Some bins, as a time range of the query. */
static void
random_bins (Made *made, uint32_t *ret_first, uint32_t *ret_end, PvQuery *query)
{
    const PvHeap *heap = made->profile->heap;
    uint32_t a = (uint32_t)g_rand_int_range (made->rand, 0, (gint32)heap->n_bins);
    uint32_t b = (uint32_t)g_rand_int_range (made->rand, (gint32)a + 1, (gint32)heap->n_bins + 1);
    query->start_ns = a * heap->bin_ms * 1000000;
    query->end_ns = b * heap->bin_ms * 1000000;
    if (g_rand_int_range (made->rand, 0, 3) == 0) {
        a = 0;
        b = heap->n_bins;
        query->start_ns = 0;
        query->end_ns = UINT64_MAX;
    }
    *ret_first = a;
    *ret_end = b;
}

/* Keeps the stacks with one function on them, or, half of the time, all. */
static uint32_t
random_focus (Made *made, PvQuery *query)
{
    uint32_t f = (uint32_t)g_rand_int_range (made->rand, 0, (gint32)made->n_functions);
    if (g_rand_boolean (made->rand))
        return UINT32_MAX;
    g_autofree char *expression = g_strdup_printf ("^f%u$", f);
    pv_query_add_transform (query, PV_TRANSFORM_FOCUS, expression);
    return 1u << f;
}

static bool
is_kept (const Made *made, uint32_t site, uint32_t focus)
{
    return (made->on_stack[site] & focus) != 0;
}

static uint32_t
function_number (const PvSymbolTable *symbols, PvFunctionId function)
{
    return (uint32_t)strtoul (symbols->functions[function].name + 1, NULL, 10);
}

/* Turns signed weights to what a query counts. */
static void
count_weights (PvHeapMeasure measure, uint32_t n_sites, int64_t *weights)
{
    for (uint32_t s = 0; s < n_sites; s++) {
        if (measure == PV_HEAP_GROWTH)
            weights[s] = ABS (weights[s]);
        else if (measure == PV_HEAP_DECREASE)
            weights[s] = MAX (-weights[s], 0);
        else
            weights[s] = MAX (weights[s], 0);
    }
}

static void
check_tree (const Made *made, const PvCallTree *tree, uint32_t focus, const int64_t *weights)
{
    uint64_t total = 0, n_kept = 0, self[MAX_TEST_FUNCTIONS] = {0};
    for (uint32_t s = 0; s < made->trace.n_sites; s++) {
        if (!is_kept (made, s, focus) || weights[s] <= 0)
            continue;
        total += (uint64_t)weights[s];
        self[made->function_of_site[s]] += (uint64_t)weights[s];
        n_kept++;
    }
    g_assert_cmpuint (tree->total[0], ==, total);
    g_assert_cmpuint (tree->n_kept_samples, ==, n_kept);
    g_assert_cmpuint (tree->end_weights[PV_STACK_END_UNKNOWN], ==, total);
    g_autoptr (PvFunctionList) list = pv_function_list_build (tree, NULL);
    for (uint32_t i = 0; i < list->n_rows; i++) {
        uint32_t f = function_number (tree->symbols, list->rows[i].function);
        g_assert_cmpuint (list->rows[i].self, ==, self[f]);
        self[f] = 0;
    }
    for (uint32_t f = 0; f < MAX_TEST_FUNCTIONS; f++)
        g_assert_cmpuint (self[f], ==, 0);
}

TEST (trees)
{
    for (unsigned seed = 0; seed < pv_test_rounds (40); seed++) {
        g_auto (Made) made = make (seed, seed % 2 == 0);
        const PvHeap *heap = made.profile->heap;
        g_autofree Replay *replay = g_new (Replay, 1);
        g_autoptr (PvCallTree) tree = NULL;
        for (PvMeasureId m = 0; m < made.profile->n_measures; m++) {
            uint32_t first, end;
            g_auto (PvQuery) query = new_query ();
            query.measure = m;
            query.no_default_suppressions = true;
            query.is_inverted = g_rand_int_range (made.rand, 0, 4) == 0;
            query.grouping = g_rand_boolean (made.rand) ? PV_GROUP_THREAD : PV_GROUP_NONE;
            random_bins (&made, &first, &end, &query);
            uint32_t focus = random_focus (&made, &query);
            PvCallTree *next =
                pv_call_tree_build (made.profile, made.symbols, &query, tree, NULL, NULL);
            pv_call_tree_free (tree);
            tree = next;
            heap_trace_replay (replay, &made.trace, heap, first, end);
            PvHeapMeasure measure = made.profile->measures[m].heap;
            count_weights (measure, made.trace.n_sites, replay->weights[measure]);
            check_tree (&made, tree, focus, replay->weights[measure]);
            if (end - first == heap->n_bins && focus == UINT32_MAX)
                g_assert_cmpuint (tree->total[0], ==, made.profile->measures[m].total);
            g_autofree uint64_t *of_stack = weigh_stacks (made.profile, &query, NULL);
            for (uint32_t s = 0; s < heap->n_sites; s++)
                of_stack[heap->stack_of_site[s]] -= (uint64_t)replay->weights[measure][s];
            for (PvStackId s = 0; s < made.profile->n_stacks; s++)
                g_assert_cmpuint (of_stack[s], ==, 0);
        }
    }
}

/* Suppressed bytes are missing from the leaks, and from nothing else. */
TEST (suppressed)
{
    g_auto (Made) made = make (1, true);
    g_autofree bool *is_suppressed = g_new0 (bool, made.profile->n_stacks);
    uint32_t stack = made.profile->heap->stack_of_site[0];
    is_suppressed[stack] = true;
    for (PvMeasureId m = 0; m < made.profile->n_measures; m++) {
        PvQuery query = new_query ();
        query.measure = m;
        uint64_t total, total_without;
        g_autofree uint64_t *weights = weigh_heap_stacks (made.profile, &query, NULL, &total);
        g_autofree uint64_t *without =
            weigh_heap_stacks (made.profile, &query, is_suppressed, &total_without);
        bool is_leaked = made.profile->measures[m].heap == PV_HEAP_LEAKED;
        g_assert_cmpuint (without[stack], ==, is_leaked ? 0 : weights[stack]);
        g_assert_cmpuint (total - total_without, ==, is_leaked ? weights[stack] : 0);
    }
}

/* --- charts ----------------------------------------------------------------------------------- */

static PvHeapMeasure
measure_of_chart (PvChartKind kind)
{
    return kind == PV_CHART_LIVE          ? PV_HEAP_PEAK
           : kind == PV_CHART_ALLOCATIONS ? PV_HEAP_ALLOCATIONS
                                          : PV_HEAP_TEMPORARY;
}

/* The layers of one point, where `weights` is what each site is worth there. */
static void
check_point (const Made *made, const PvSeries *series, uint32_t point, uint32_t focus,
             const int64_t *weights)
{
    int64_t total = 0, of_function[MAX_TEST_FUNCTIONS] = {0}, sum = 0;
    for (uint32_t s = 0; s < made->trace.n_sites; s++) {
        if (!is_kept (made, s, focus))
            continue;
        total += weights[s];
        of_function[made->function_of_site[s]] += weights[s];
    }
    for (uint32_t l = 0; l < series->n_layers; l++) {
        const PvSeriesLayer *layer = &series->layers[l];
        sum += layer->values[point];
        if (layer->function == 0) {
            g_assert_cmpuint (l, ==, series->n_layers - 1);
            continue;
        }
        uint32_t f = function_number (series->tree->symbols, layer->function);
        g_assert_cmpint (layer->values[point], ==, of_function[f]);
        g_assert_cmpuint (layer->frame->function, ==, layer->function);
    }
    g_assert_cmpint (sum, ==, total);
    g_assert_cmpint (series->totals[point], ==, total);
    g_assert_cmpint (series->highest, >=, total);
}

/* The shares of what the layers are ranked by, from the weights of the whole range. */
static void
add_shares (const Made *made, const int64_t *weights, uint32_t focus, double *share_of_function)
{
    int64_t total = 0;
    for (uint32_t s = 0; s < made->trace.n_sites; s++)
        total += weights[s];
    for (uint32_t s = 0; total > 0 && s < made->trace.n_sites; s++)
        if (is_kept (made, s, focus))
            share_of_function[made->function_of_site[s]] += (double)weights[s] / (double)total;
}

/* No function without a layer matters more than one with a layer, and layers are in order. */
static void
check_order (const Made *made, const PvSeries *series, const Replay *whole, uint32_t focus)
{
    double shares[MAX_TEST_FUNCTIONS] = {0}, last = 2;
    bool has_layer[MAX_TEST_FUNCTIONS] = {false};
    if (series->kind == PV_CHART_LIVE)
        add_shares (made, whole->weights[PV_HEAP_LIFETIME], focus, shares);
    add_shares (made, whole->weights[measure_of_chart (series->kind)], focus, shares);
    for (uint32_t l = 0; l < series->n_layers && series->layers[l].function != 0; l++) {
        uint32_t f = function_number (series->tree->symbols, series->layers[l].function);
        g_assert_cmpfloat (shares[f], <=, last + 1e-9);
        last = shares[f];
        has_layer[f] = true;
    }
    for (unsigned f = 0; f < MAX_TEST_FUNCTIONS && series->n_layers > 1; f++)
        g_assert_true (has_layer[f] || shares[f] <= last + 1e-9);
}

static void
check_order_of_sizes (const PvSeries *series)
{
    for (uint32_t l = 1; l < series->n_layers && series->layers[l].function != 0; l++)
        g_assert_cmpint (series->layers[l - 1].weight, >=, series->layers[l].weight);
}

static void
check_series (const Made *made, const PvSeries *series, uint32_t first, uint32_t end,
              uint32_t focus)
{
    const PvHeap *heap = made->profile->heap;
    g_autofree Replay *replay = g_new (Replay, 1);
    int64_t highest = 0;
    uint64_t highest_ms = 0;
    g_assert_cmpuint (series->start_ms[0], ==, first * heap->bin_ms);
    for (uint32_t p = 0; p < series->n_points; p++) {
        uint64_t from = series->start_ms[p] / heap->bin_ms;
        uint64_t to =
            p + 1 < series->n_points ? series->start_ms[p + 1] / heap->bin_ms : (uint64_t)end;
        g_assert_cmpuint (from, <, to);
        g_assert_cmpuint (series->start_ms[p], <, series->start_ms[p + 1]);
        heap_trace_replay (replay, &made->trace, heap, from, to);
        check_point (made, series, p, focus, replay->weights[measure_of_chart (series->kind)]);
        if (series->totals[p] > highest) {
            highest = series->totals[p];
            highest_ms = replay->highest_ms;
        }
    }
    heap_trace_replay (replay, &made->trace, heap, first, end);
    check_order (made, series, replay, focus);
    g_assert_cmpint (series->highest, ==, highest);
    g_assert_cmpint (series->has_peak, ==, series->kind == PV_CHART_LIVE && highest > 0);
    if (series->has_peak) {
        g_assert_cmpint (series->peak_value, ==, highest);
        g_assert_cmpuint (series->peak_ms, ==, highest_ms);
    }
}

/* The tree of some bins, or of all if ret_first is NULL. */
static PvCallTree *
build_tree (Made *made, uint32_t *ret_focus, uint32_t *ret_first, uint32_t *ret_end)
{
    g_auto (PvQuery) query = new_query ();
    if (ret_first != NULL)
        random_bins (made, ret_first, ret_end, &query);
    query.measure = (PvMeasureId)g_rand_int_range (made->rand, 0, 8);
    query.is_inverted = g_rand_boolean (made->rand);
    *ret_focus = random_focus (made, &query);
    return query_tree (made->profile, made->symbols, &query);
}

TEST (series)
{
    for (unsigned seed = 0; seed < pv_test_rounds (60); seed++) {
        g_auto (Made) made = make (seed, false);
        uint32_t focus, first, end;
        g_autoptr (PvCallTree) tree = build_tree (&made, &focus, NULL, NULL);
        for (PvChartKind kind = PV_CHART_LIVE; kind <= PV_CHART_TEMPORARY; kind++) {
            PvQuery range = new_query ();
            random_bins (&made, &first, &end, &range);
            uint32_t max_layers = (uint32_t)g_rand_int_range (made.rand, 1, 14);
            uint32_t max_points = (uint32_t)g_rand_int_range (made.rand, 1, 60);
            g_autoptr (PvSeries) series = pv_series_build (tree, kind, range.start_ns, range.end_ns,
                                                           max_layers, max_points, NULL);
            g_assert_cmpuint (series->n_layers, <=, max_layers);
            g_assert_cmpuint (series->n_points, <=, max_points);
            check_series (&made, series, first, end, focus);
        }
    }
}

/* So many rows that threads share the work. */
TEST (large_series)
{
    GRand *rand = g_rand_new_with_seed (5);
    g_auto (Made) made = make_of (rand, heap_trace_random_wide (rand, 900000), false, 0);
    const PvHeap *heap = made.profile->heap;
    g_assert_cmpuint (heap->n_rows, >, 300000);
    uint32_t focus;
    g_autoptr (PvCallTree) tree = build_tree (&made, &focus, NULL, NULL);
    for (PvChartKind kind = PV_CHART_LIVE; kind <= PV_CHART_TEMPORARY; kind++) {
        uint32_t first = heap->n_bins / 8, end = heap->n_bins - 3;
        g_autoptr (PvSeries) series = pv_series_build (tree, kind, first * heap->bin_ms * 1000000,
                                                       end * heap->bin_ms * 1000000, 6, 20, NULL);
        check_series (&made, series, first, end, focus);
    }
}

/* The series of everything, one point for each bin: the same as the whole heap's bins. */
/* Beside coarser points too, and not beside a part of the stacks. */
static void
check_resident (const Made *made, const PvSeries *rss)
{
    static const PvTransformKind kinds[] = {PV_TRANSFORM_FOCUS, PV_TRANSFORM_IGNORE,
                                            PV_TRANSFORM_SHOW, PV_TRANSFORM_SHOW_FROM};
    g_autoptr (PvSeries) live =
        pv_series_build (rss->tree, PV_CHART_LIVE, 0, UINT64_MAX, 4, 7, NULL);
    g_assert_cmpmem (live->resident, live->n_points * sizeof *live->resident, rss->totals,
                     rss->n_points * sizeof *rss->totals);
    for (size_t i = 0; i < G_N_ELEMENTS (kinds); i++) {
        g_auto (PvQuery) query = new_query ();
        pv_query_add_transform (&query, kinds[i], "a");
        g_autoptr (PvCallTree) tree = query_tree (made->profile, made->symbols, &query);
        g_autoptr (PvSeries) part =
            pv_series_build (tree, PV_CHART_LIVE, 0, UINT64_MAX, 4, 7, NULL);
        g_assert_null (part->resident);
        g_assert_cmpint (part->highest_resident, ==, 0);
    }
}

TEST (series_are_bins)
{
    for (unsigned seed = 100; seed < 100 + pv_test_rounds (20); seed++) {
        g_auto (Made) made = make (seed, false);
        const PvHeap *heap = made.profile->heap;
        PvQuery query = new_query ();
        g_autoptr (PvCallTree) tree = query_tree (made.profile, made.symbols, &query);
        g_autoptr (PvSeries) live =
            pv_series_build (tree, PV_CHART_LIVE, 0, UINT64_MAX, 4, heap->n_bins, NULL);
        g_autoptr (PvSeries) rss =
            pv_series_build (tree, PV_CHART_RSS, 0, UINT64_MAX, 4, heap->n_bins, NULL);
        g_assert_cmpuint (live->n_points, ==, heap->n_bins);
        for (uint32_t b = 0; b < heap->n_bins; b++) {
            g_assert_cmpint (live->totals[b], ==, heap->bins[b].peak_bytes);
            g_assert_cmpint (rss->totals[b], ==, (int64_t)heap->bins[b].rss_bytes);
            g_assert_cmpint (live->resident[b], ==, rss->totals[b]);
        }
        g_assert_cmpint (live->highest_resident, ==, rss->highest);
        g_assert_null (rss->resident);
        g_assert_cmpint (live->peak_value, ==, heap->peak_bytes);
        g_assert_cmpuint (live->peak_ms, ==, heap->peak_ms);
        g_assert_cmpuint (rss->n_layers, ==, 1);
        g_assert_cmpuint ((uint64_t)rss->highest, ==, heap->peak_rss_bytes);
        g_autoptr (PvSeries) coarse =
            pv_series_build (tree, PV_CHART_RSS, 0, UINT64_MAX, 4, 7, NULL);
        g_assert_cmpint (coarse->highest, ==, rss->highest);
        check_resident (&made, coarse);
    }
}

TEST (sizes)
{
    for (unsigned seed = 0; seed < pv_test_rounds (40); seed++) {
        g_auto (Made) made = make (seed, false);
        uint32_t focus, first, end;
        g_autoptr (PvCallTree) tree = build_tree (&made, &focus, &first, &end);
        uint64_t bin_ms = made.profile->heap->bin_ms;
        uint32_t max_layers = (uint32_t)g_rand_int_range (made.rand, 1, 14);
        g_autoptr (PvSeries) series =
            pv_series_build (tree, PV_CHART_SIZES, 0, 5, max_layers, 100, NULL);
        g_assert_cmpuint (series->n_layers, <=, max_layers);
        g_assert_false (series->is_of_whole);
        uint64_t n_expected = 0, n_seen = 0;
        for (uint32_t p = 0; p < series->n_points; p++) {
            const PvHeapSizeClass *size_class = &series->size_classes[p];
            int64_t weights[MAX_TEST_SITES] = {0};
            uint64_t bytes = 0;
            for (guint i = 0; i < made.trace.moments->len; i++) {
                const Moment *moment = &g_array_index (made.trace.moments, Moment, i);
                const PvHeapEvent *event = &moment->event;
                uint64_t bin = moment->time_ms / bin_ms;
                if (event->kind != PV_HEAP_EVENT_ALLOC || !is_kept (&made, event->site, focus) ||
                    bin < first || bin >= end)
                    continue;
                n_expected += p == 0;
                if (event->value < size_class->low_bytes || event->value > size_class->high_bytes)
                    continue;
                weights[event->site]++;
                bytes += event->value;
            }
            check_point (&made, series, p, focus, weights);
            g_assert_cmpuint (size_class->n_allocations, ==, (uint64_t)series->totals[p]);
            g_assert_cmpuint (size_class->allocated_bytes, ==, bytes);
            n_seen += (uint64_t)series->totals[p];
        }
        check_order_of_sizes (series);
        g_assert_cmpuint (n_seen, ==, n_expected);
        if (series->n_points > 0) {
            g_assert_cmpint (series->totals[0], >, 0);
            g_assert_cmpint (series->totals[series->n_points - 1], >, 0);
        }
    }
}

/* A heap that does not tell sizes by time, as those of earlier packs, gives all there are, and says
 * so. */
TEST (sizes_without_times)
{
    g_auto (Made) made = make (3, false);
    PvHeap *heap = (PvHeap *)made.profile->heap;
    g_auto (PvQuery) query = new_query ();
    g_autoptr (PvCallTree) whole = query_tree (made.profile, made.symbols, &query);
    query.end_ns = heap->bin_ms * 1000000;
    g_autoptr (PvCallTree) part = query_tree (made.profile, made.symbols, &query);
    PvHeapSizeRows *const *sizes = heap->sizes_of_bin;
    heap->sizes_of_bin = NULL;
    g_autoptr (PvSeries) all = pv_series_build (whole, PV_CHART_SIZES, 0, 5, 9, 9, NULL);
    g_autoptr (PvSeries) same = pv_series_build (part, PV_CHART_SIZES, 0, 5, 9, 9, NULL);
    heap->sizes_of_bin = sizes;
    g_autoptr (PvSeries) less = pv_series_build (part, PV_CHART_SIZES, 0, 5, 9, 9, NULL);
    g_assert_false (all->is_of_whole || less->is_of_whole);
    g_assert_true (same->is_of_whole);
    g_assert_cmpmem (all->totals, all->n_points * sizeof (int64_t), same->totals,
                     same->n_points * sizeof (int64_t));
    g_assert_cmpint (less->highest, <, all->highest);
}

TEST (names)
{
    for (PvChartKind kind = 0; kind < PV_N_CHARTS; kind++)
        g_assert_cmpint (pv_chart_kind_from_name (pv_chart_kind_get_name (kind)), ==, kind);
    g_assert_cmpint (pv_chart_kind_from_name ("nothing"), ==, PV_N_CHARTS);
}

/* --- lifetimes -------------------------------------------------------------------------------- */

static int
compare_ages (const void *a, const void *b)
{
    uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    return (left > right) - (left < right);
}

/* All ages of blocks of the sites that are chosen, sorted. */
static GArray *
gather_ages (const Made *made, const bool *is_chosen)
{
    GArray *ages = g_array_new (FALSE, FALSE, sizeof (uint64_t));
    for (guint i = 0; i < made->trace.moments->len; i++) {
        const PvHeapEvent *event = &g_array_index (made->trace.moments, Moment, i).event;
        uint64_t age_ms = event->age_ms;
        if (heap_trace_is_free (event) && is_chosen[event->site])
            g_array_append_val (ages, age_ms);
    }
    for (guint i = 0; i < made->trace.live->len; i++) {
        const Block *block = &g_array_index (made->trace.live, Block, i);
        uint64_t age_ms = made->trace.now_ms - block->time_ms;
        if (is_chosen[block->site])
            g_array_append_val (ages, age_ms);
    }
    if (ages->len > 1)
        qsort (ages->data, ages->len, sizeof (uint64_t), compare_ages);
    return ages;
}

static void
check_median (const Made *made, const bool *is_chosen, uint64_t median_ms)
{
    g_autoptr (GArray) ages = gather_ages (made, is_chosen);
    if (ages->len == 0) {
        g_assert_cmpuint (median_ms, ==, UINT64_MAX);
        return;
    }
    uint64_t middle_ms = g_array_index (ages, uint64_t, (ages->len - 1) / 2);
    g_assert_cmpuint (median_ms, ==, pv_heap_age_of_class (pv_heap_age_class (middle_ms)));
}

TEST (medians)
{
    for (unsigned seed = 0; seed < pv_test_rounds (40); seed++) {
        g_auto (Made) made = make (seed, true);
        uint32_t focus;
        g_autoptr (PvCallTree) tree = build_tree (&made, &focus, NULL, NULL);
        g_autoptr (PvFunctionList) list = pv_function_list_build (tree, NULL);
        for (uint32_t i = 0; i < list->n_rows; i++) {
            uint32_t f = function_number (tree->symbols, list->rows[i].function);
            bool is_chosen[MAX_TEST_SITES];
            for (uint32_t s = 0; s < made.trace.n_sites; s++)
                is_chosen[s] = is_kept (&made, s, focus) && made.function_of_site[s] == f;
            check_median (&made, is_chosen, list->rows[i].median_ms);
        }
    }
}

TEST (no_lifetimes)
{
    g_auto (Made) made = make (3, false);
    uint32_t focus;
    g_autoptr (PvCallTree) tree = build_tree (&made, &focus, NULL, NULL);
    g_autoptr (PvFunctionList) list = pv_function_list_build (tree, NULL);
    for (uint32_t i = 0; i < list->n_rows; i++)
        g_assert_cmpuint (list->rows[i].median_ms, ==, UINT64_MAX);
}
