/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Random traces through the builder, with limits so low that bins are joined again and again, and
 * every figure against a replay of the trace that keeps all events.
 */
#include "../cases.h"
#include "heap-trace.h"

static void
check_range (const Trace *trace, const PvHeap *heap, uint32_t first, uint32_t end)
{
    g_autofree Replay *replay = g_new (Replay, 1);
    heap_trace_replay (replay, trace, heap, first, end);
    for (PvHeapMeasure m = PV_HEAP_PEAK; m < PV_N_HEAP_MEASURES; m++) {
        int64_t weights[MAX_TEST_SITES], total, sum = 0;
        pv_heap_weigh_sites (heap, m, first, end, weights, &total);
        for (uint32_t s = 0; s < heap->n_sites; s++) {
            g_assert_cmpint (weights[s], ==, replay->weights[m][s]);
            sum += weights[s];
        }
        g_assert_cmpint (total, ==, sum);
    }
    if (first < end) {
        const PvHeapBin *peak = &heap->bins[pv_heap_find_peak (heap, first, end)];
        g_assert_cmpint (peak->peak_bytes, ==, replay->highest);
        g_assert_cmpuint (peak->peak_ms, ==, replay->highest_ms);
    }
}

static uint64_t
highest_rss (const Trace *trace, uint64_t bin_ms, uint64_t bin)
{
    uint64_t before = 0, highest = 0;
    for (guint i = 0; i < trace->moments->len; i++) {
        const Moment *moment = &g_array_index (trace->moments, Moment, i);
        if (moment->event.kind != PV_HEAP_EVENT_RSS)
            continue;
        if (moment->time_ms / bin_ms < bin)
            before = moment->event.value;
        else if (moment->time_ms / bin_ms == bin)
            highest = MAX (highest, moment->event.value);
    }
    return highest > 0 ? highest : before;
}

static void
check_bin (const Trace *trace, const PvHeap *heap, uint32_t bin)
{
    g_autofree Replay *replay = g_new (Replay, 1);
    heap_trace_replay (replay, trace, heap, bin, bin + 1);
    const PvHeapBin *b = &heap->bins[bin];
    g_assert_cmpint (b->live_bytes, ==, replay->total);
    g_assert_cmpint (b->live_blocks, ==, replay->blocks);
    g_assert_cmpint (b->peak_bytes, ==, replay->highest);
    g_assert_cmpuint (b->peak_ms, ==, replay->highest_ms);
    g_assert_cmpuint (b->allocated_bytes, ==, replay->allocated);
    g_assert_cmpuint (b->n_allocations, ==, replay->n_allocations);
    g_assert_cmpuint (b->n_temporary, ==, replay->n_temporary);
    g_assert_cmpuint (b->rss_bytes, ==, highest_rss (trace, heap->bin_ms, bin));
}

static void
check_totals (const Trace *trace, const PvHeap *heap)
{
    int64_t live = 0, peak = 0;
    uint64_t allocated = 0, n = 0, n_frees = 0, n_temporary = 0, peak_ms = 0, rss = 0;
    for (guint i = 0; i < trace->moments->len; i++) {
        const Moment *moment = &g_array_index (trace->moments, Moment, i);
        live += heap_trace_delta (&moment->event);
        if (live > peak) {
            peak = live;
            peak_ms = moment->time_ms;
        }
        n += moment->event.kind == PV_HEAP_EVENT_ALLOC;
        allocated += moment->event.kind == PV_HEAP_EVENT_ALLOC ? moment->event.value : 0;
        n_frees += heap_trace_is_free (&moment->event);
        n_temporary += moment->event.kind == PV_HEAP_EVENT_FREE_TEMPORARY;
        if (moment->event.kind == PV_HEAP_EVENT_RSS)
            rss = MAX (rss, moment->event.value);
    }
    g_assert_cmpint (heap->leaked_bytes, ==, live);
    g_assert_cmpint (heap->peak_bytes, ==, peak);
    g_assert_cmpuint (heap->peak_ms, ==, peak_ms);
    g_assert_cmpuint (heap->n_allocations, ==, n);
    g_assert_cmpuint (heap->allocated_bytes, ==, allocated);
    g_assert_cmpuint (heap->n_frees, ==, n_frees);
    g_assert_cmpuint (heap->n_temporary, ==, n_temporary);
    g_assert_cmpuint (heap->peak_rss_bytes, ==, rss);
    g_assert_cmpuint (heap->duration_ms, ==, trace->now_ms);
    g_assert_cmpuint (heap->n_bins, ==, trace->now_ms / heap->bin_ms + 1);
}

static void
check_sizes (const Trace *trace, const PvHeap *heap)
{
    uint64_t all[PV_HEAP_N_SIZE_CLASSES] = {0};
    for (uint32_t s = 0; s < trace->n_sites; s++) {
        uint64_t counts[PV_HEAP_N_SIZE_CLASSES] = {0}, bytes[PV_HEAP_N_SIZE_CLASSES] = {0};
        for (guint i = 0; i < trace->moments->len; i++) {
            const PvHeapEvent *event = &g_array_index (trace->moments, Moment, i).event;
            if (event->kind != PV_HEAP_EVENT_ALLOC || event->site != s)
                continue;
            unsigned c = 0;
            while (heap->size_classes[c].high_bytes < event->value)
                c++;
            g_assert_cmpuint (heap->size_classes[c].low_bytes, <=, event->value);
            counts[c]++;
            bytes[c] += event->value;
            all[c]++;
        }
        uint32_t next = heap->first_size_of_site[s];
        for (unsigned c = 0; c < PV_HEAP_N_SIZE_CLASSES; c++) {
            if (counts[c] == 0)
                continue;
            g_assert_cmpuint (next, <, heap->first_size_of_site[s + 1]);
            g_assert_cmpuint (heap->class_of_size[next], ==, c);
            g_assert_cmpuint (heap->allocations_of_size[next], ==, counts[c]);
            g_assert_cmpuint (heap->bytes_of_size[next++], ==, bytes[c]);
        }
        g_assert_cmpuint (next, ==, heap->first_size_of_site[s + 1]);
    }
    for (unsigned c = 0; c < PV_HEAP_N_SIZE_CLASSES; c++)
        g_assert_cmpuint (heap->size_classes[c].n_allocations, ==, all[c]);
}

static void
check_ages (const Trace *trace, const PvHeap *heap)
{
    for (uint32_t s = 0; s < trace->n_sites; s++) {
        uint32_t next = heap->first_age_of_site[s];
        for (unsigned c = 0; c < PV_HEAP_N_AGE_CLASSES; c++) {
            if (trace->ages[s][c] == 0)
                continue;
            g_assert_cmpuint (next, <, heap->first_age_of_site[s + 1]);
            g_assert_cmpuint (heap->class_of_age[next], ==, c);
            g_assert_cmpuint (heap->frees_of_age[next++], ==, trace->ages[s][c]);
        }
        g_assert_cmpuint (next, ==, heap->first_age_of_site[s + 1]);
    }
}

TEST (random)
{
    for (unsigned seed = 0; seed < pv_test_rounds (60); seed++) {
        g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
        g_auto (Trace) trace = heap_trace_random (rand, g_rand_int_range (rand, 0, 4000));
        uint64_t max_rows = (uint64_t)g_rand_int_range (rand, 1, 2000);
        bool is_exact = g_rand_boolean (rand);
        uint32_t stacks[MAX_TEST_SITES] = {0};
        g_autoptr (PvHeap) heap = heap_trace_build (&trace, is_exact, max_rows, stacks, rand);
        g_assert_cmpuint (heap->n_rows, <=, MAX (max_rows, 2 * (uint64_t)trace.n_sites));
        check_totals (&trace, heap);
        check_sizes (&trace, heap);
        g_assert_true ((heap->first_age_of_site != NULL) == is_exact);
        if (is_exact)
            check_ages (&trace, heap);
        for (int i = 0; i < 20; i++)
            check_bin (&trace, heap, (uint32_t)g_rand_int_range (rand, 0, (gint32)heap->n_bins));
        check_range (&trace, heap, 0, heap->n_bins);
        for (int i = 0; i < 20; i++) {
            uint32_t a = (uint32_t)g_rand_int_range (rand, 0, (gint32)heap->n_bins + 1);
            uint32_t b = (uint32_t)g_rand_int_range (rand, 0, (gint32)heap->n_bins + 1);
            check_range (&trace, heap, MIN (a, b), MAX (a, b));
        }
    }
}

/* So many rows that threads share the work. */
TEST (many_rows)
{
    /* Sanitizers see in fewer what there is for them. */
    const uint32_t n_events = g_getenv ("PV_SANITIZED") != NULL ? 600000 : 1800000;
    const uint64_t limits[] = {0, n_events / 6};
    g_autoptr (GRand) rand = g_rand_new_with_seed (1);
    g_auto (Trace) trace = heap_trace_random_wide (rand, n_events);
    for (size_t i = 0; i < G_N_ELEMENTS (limits); i++) {
        uint32_t stacks[MAX_TEST_SITES] = {0};
        g_autoptr (PvHeap) heap = heap_trace_build (&trace, false, limits[i], stacks, rand);
        if (limits[i] == 0) {
            g_assert_cmpuint (heap->n_rows, >, n_events / 3);
        } else {
            g_assert_cmpuint (heap->n_rows, <=, limits[i]);
            g_assert_cmpuint (heap->bin_ms, >, 10);
        }
        check_totals (&trace, heap);
        check_range (&trace, heap, 0, heap->n_bins);
        check_range (&trace, heap, heap->n_bins / 7, heap->n_bins / 3 * 2);
    }
}

static uint64_t
count_ages (const PvHeap *heap, uint32_t site, unsigned first_class, unsigned end_class)
{
    uint64_t n = 0;
    for (uint32_t i = heap->first_age_of_site[site]; i < heap->first_age_of_site[site + 1]; i++)
        if (heap->class_of_age[i] >= first_class && heap->class_of_age[i] < end_class)
            n += heap->frees_of_age[i];
    return n;
}

/* Millions of blocks of one age. */
TEST (many_of_one_age)
{
    const uint32_t n = (1 << 22) + 100;
    g_autoptr (PvHeapBuilder) builder = pv_heap_builder_new (true, 0);
    const PvHeapEvent events[] = {
        {.kind = PV_HEAP_EVENT_ALLOC, .value = 1},
        {.kind = PV_HEAP_EVENT_FREE, .value = 1, .age_ms = 30},
    };
    for (uint32_t i = 0; i < n; i++)
        pv_heap_builder_add (builder, events, G_N_ELEMENTS (events));
    g_autoptr (PvHeap) heap = pv_heap_builder_finish (builder, (uint32_t[]){1}, 1);
    g_assert_cmpuint (heap->first_age_of_site[1], ==, 1);
    g_assert_cmpuint (heap->class_of_age[0], ==, 30);
    g_assert_cmpuint (heap->frees_of_age[0], ==, n);
}

/* So many different ages that classes become coarser, but no block is lost, and none moves to
 * another doubling. */
TEST (many_ages)
{
    enum { SITES = 9000, CLASSES = 480 };
    g_autoptr (PvHeapBuilder) builder = pv_heap_builder_new (true, 0);
    g_autofree PvHeapEvent *events = g_new (PvHeapEvent, CLASSES);
    g_autofree uint32_t *stacks = g_new0 (uint32_t, SITES);
    for (uint32_t s = 0; s < SITES; s++) {
        for (uint32_t c = 0; c < CLASSES; c++)
            events[c] = (PvHeapEvent){
                .kind = PV_HEAP_EVENT_FREE,
                .value = 1,
                .site = s,
                .age_ms = (uint32_t)pv_heap_age_of_class (c),
            };
        pv_heap_builder_add (builder, events, CLASSES);
    }
    g_autoptr (PvHeap) heap = pv_heap_builder_finish (builder, stacks, SITES);
    g_assert_cmpuint (heap->first_age_of_site[SITES], <, 3200000);
    for (uint32_t s = 0; s < SITES; s++) {
        for (unsigned c = 0; c < 64; c++)
            g_assert_cmpuint (count_ages (heap, s, c, c + 1), ==, 1);
        for (unsigned c = 64; c < CLASSES; c += 32)
            g_assert_cmpuint (count_ages (heap, s, c, c + 32), ==, 32);
    }
}

static uint64_t
random_word (GRand *rand)
{
    uint64_t word = ((uint64_t)g_rand_int (rand) << 32) | g_rand_int (rand);
    return word >> g_rand_int_range (rand, 0, 64);
}

/* Numbers of any size: nothing overflows (a sanitizer says so), time does not go back. */
TEST (hostile)
{
    for (unsigned seed = 0; seed < pv_test_rounds (40); seed++) {
        g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
        PvHeapBuilder *builder = pv_heap_builder_new (seed % 2 == 0, 100);
        PvHeapEvent events[500];
        for (unsigned i = 0; i < G_N_ELEMENTS (events); i++) {
            events[i] = (PvHeapEvent){
                .value = random_word (rand),
                .site = (uint32_t)g_rand_int_range (rand, 0, 20),
                .kind = (uint32_t)g_rand_int_range (rand, 0, 8) & 7,
                .age_ms = g_rand_int (rand) & PV_HEAP_AGE_UNKNOWN,
            };
            if (events[i].kind == PV_HEAP_EVENT_ATTACHED && i % 16 != 0)
                events[i].kind = PV_HEAP_EVENT_ALLOC;
        }
        pv_heap_builder_add (builder, events, G_N_ELEMENTS (events));
        pv_heap_builder_add_unfreed (builder, 25, UINT64_MAX);
        uint32_t stacks[26] = {0};
        g_autoptr (PvHeap) heap = pv_heap_builder_finish (builder, stacks, 26);
        pv_heap_builder_free (builder);
        g_assert_cmpuint (heap->n_bins, <=, 1 << 16);
        g_assert_cmpuint (heap->n_bins, ==, heap->duration_ms / heap->bin_ms + 1);
        for (PvHeapMeasure m = PV_HEAP_PEAK; m < PV_N_HEAP_MEASURES; m++) {
            int64_t weights[26], total;
            pv_heap_weigh_sites (heap, m, 0, heap->n_bins, weights, &total);
            pv_heap_weigh_sites (heap, m, heap->n_bins / 3, heap->n_bins / 2, weights, &total);
        }
    }
}

TEST (first_stamp)
{
    g_autoptr (PvHeapBuilder) builder = pv_heap_builder_new (false, 0);
    PvHeapEvent events[] = {
        {.kind = PV_HEAP_EVENT_ALLOC, .value = 7},
        {.kind = PV_HEAP_EVENT_TIME, .value = UINT64_MAX},
        {.kind = PV_HEAP_EVENT_TIME, .value = 5},
        {.kind = PV_HEAP_EVENT_ALLOC, .value = 3},
    };
    pv_heap_builder_add (builder, events, G_N_ELEMENTS (events));
    uint32_t stack = 1;
    g_autoptr (PvHeap) heap = pv_heap_builder_finish (builder, &stack, 1);
    g_assert_cmpuint (heap->n_bins, <=, 1 << 16);
    g_assert_cmpuint (heap->n_bins, >, 1 << 14);
    g_assert_cmpint (heap->bins[0].live_bytes, ==, 7);
    g_assert_cmpint (heap->bins[heap->n_bins / 2].peak_bytes, ==, 7);
    g_assert_cmpint (heap->bins[heap->n_bins - 1].live_bytes, ==, 10);
    g_assert_cmpuint (heap->peak_ms, ==, heap->duration_ms);
}

TEST (empty)
{
    g_autoptr (PvHeapBuilder) builder = pv_heap_builder_new (true, 0);
    pv_heap_builder_add (builder, NULL, 0);
    g_autoptr (PvHeap) heap = pv_heap_builder_finish (builder, NULL, 0);
    g_assert_cmpuint (heap->n_sites, ==, 0);
    g_assert_cmpuint (heap->n_rows, ==, 0);
    g_assert_cmpuint (heap->n_bins, ==, 1);
    g_assert_cmpint (heap->bins[0].peak_bytes, ==, 0);
    g_assert_cmpuint (heap->first_age_of_site[0], ==, 0);
}

/* Events before the program was attached to do not count, but the time goes on. */
TEST (attached)
{
    g_autoptr (PvHeapBuilder) builder = pv_heap_builder_new (true, 0);
    PvHeapEvent events[] = {
        {.kind = PV_HEAP_EVENT_ALLOC, .value = 1000},
        {.kind = PV_HEAP_EVENT_RSS, .value = 4096},
        {.kind = PV_HEAP_EVENT_TIME, .value = 25},
        {.kind = PV_HEAP_EVENT_ALLOC, .value = 100, .site = 1},
        {.kind = PV_HEAP_EVENT_FREE_TEMPORARY, .value = 100, .site = 1},
        {.kind = PV_HEAP_EVENT_ATTACHED},
        {.kind = PV_HEAP_EVENT_ALLOC, .value = 5},
        {.kind = PV_HEAP_EVENT_TIME, .value = 31},
        {.kind = PV_HEAP_EVENT_ALLOC, .value = 6, .site = 1},
        {.kind = PV_HEAP_EVENT_FREE, .value = 5, .age_ms = 6},
    };
    pv_heap_builder_add (builder, events, G_N_ELEMENTS (events));
    uint32_t stacks[2] = {1, 2};
    g_autoptr (PvHeap) heap = pv_heap_builder_finish (builder, stacks, 2);
    g_assert_true (heap->is_attached);
    g_assert_cmpuint (heap->n_bins, ==, 4);
    g_assert_cmpuint (heap->n_allocations, ==, 2);
    g_assert_cmpuint (heap->n_temporary, ==, 0);
    g_assert_cmpuint (heap->n_frees, ==, 1);
    g_assert_cmpuint (heap->allocated_bytes, ==, 11);
    g_assert_cmpint (heap->peak_bytes, ==, 11);
    g_assert_cmpint (heap->leaked_bytes, ==, 6);
    g_assert_cmpint (heap->bins[0].peak_bytes, ==, 0);
    g_assert_cmpuint (heap->bins[3].rss_bytes, ==, 4096);
    int64_t weights[2], total;
    pv_heap_weigh_sites (heap, PV_HEAP_ALLOCATED, 0, heap->n_bins, weights, &total);
    g_assert_cmpint (weights[0], ==, 5);
    g_assert_cmpint (weights[1], ==, 6);
    g_assert_cmpuint (heap->first_size_of_site[2], ==, 2);
    g_assert_cmpuint (heap->first_age_of_site[2], ==, 1);
    g_assert_cmpuint (heap->class_of_age[0], ==, 6);
}

/* Every class has its own lower end, and is not more than a thirty-second wide. */
TEST (age_classes)
{
    for (unsigned c = 0; c < PV_HEAP_N_AGE_CLASSES; c++) {
        uint64_t low = pv_heap_age_of_class (c);
        g_assert_cmpuint (pv_heap_age_class (low), ==, c);
        if (c > 0)
            g_assert_cmpuint (pv_heap_age_class (low - 1), ==, c - 1);
        if (c + 1 < PV_HEAP_N_AGE_CLASSES)
            g_assert_cmpuint ((pv_heap_age_of_class (c + 1) - low - 1) * 32, <=, low);
    }
    g_assert_cmpuint (pv_heap_age_class (UINT64_MAX), ==, PV_HEAP_N_AGE_CLASSES - 1);
}

TEST (bins_of_time)
{
    g_autoptr (PvHeapBuilder) builder = pv_heap_builder_new (false, 0);
    PvHeapEvent event = {.kind = PV_HEAP_EVENT_TIME, .value = 40};
    pv_heap_builder_add (builder, &event, 1);
    g_autoptr (PvHeap) heap = pv_heap_builder_finish (builder, NULL, 0);
    uint32_t first, end;
    pv_heap_get_bins (heap, 0, UINT64_MAX, &first, &end);
    g_assert_cmpuint (first, ==, 0);
    g_assert_cmpuint (end, ==, 5);
    pv_heap_get_bins (heap, 10000000, 20000000, &first, &end);
    g_assert_cmpuint (first, ==, 1);
    g_assert_cmpuint (end, ==, 2);
    pv_heap_get_bins (heap, 19999999, 20000001, &first, &end);
    g_assert_cmpuint (first, ==, 1);
    g_assert_cmpuint (end, ==, 3);
    pv_heap_get_bins (heap, 0, 40000000, &first, &end);
    g_assert_cmpuint (end, ==, 5);
    pv_heap_get_bins (heap, UINT64_MAX, UINT64_MAX, &first, &end);
    g_assert_cmpuint (first, ==, 5);
}
