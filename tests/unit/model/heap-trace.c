/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "heap-trace.h"

#include <string.h>

void
heap_trace_clear (Trace *trace)
{
    g_array_unref (trace->moments);
    g_array_unref (trace->live);
    g_free (trace->ages);
}

static void
add_moment (Trace *trace, PvHeapEventKind kind, uint64_t value, uint32_t site, uint64_t age_ms)
{
    Moment moment = {
        .event = {.value = value, .site = site, .kind = kind, .age_ms = (uint32_t)age_ms},
        .time_ms = trace->now_ms,
    };
    g_array_append_val (trace->moments, moment);
}

static uint64_t
random_size (GRand *rand)
{
    switch (g_rand_int_range (rand, 0, 6)) {
    case 0:
        return (uint64_t)g_rand_int_range (rand, 0, 4);
    case 1:
        return (uint64_t)1 << g_rand_int_range (rand, 0, 27);
    case 2:
        return ((uint64_t)1 << g_rand_int_range (rand, 0, 27)) + 1;
    default:
        return (uint64_t)g_rand_int_range (rand, 1, 5000);
    }
}

static void
random_time (Trace *trace, GRand *rand)
{
    uint64_t step = (uint64_t)g_rand_int_range (rand, 0, 25);
    if (g_rand_int_range (rand, 0, 60) == 0)
        step = (uint64_t)g_rand_int_range (rand, 0, 3000);
    if (g_rand_int_range (rand, 0, 900) == 0)
        step = (uint64_t)g_rand_int_range (rand, 0, 2000000);
    trace->now_ms += step;
    add_moment (trace, PV_HEAP_EVENT_TIME, trace->now_ms, 0, 0);
    if (g_rand_int_range (rand, 0, 3) == 0)
        add_moment (trace, PV_HEAP_EVENT_RSS, (uint64_t)g_rand_int_range (rand, 1, 100) * 4096, 0,
                    0);
}

static void
random_event (Trace *trace, GRand *rand, int growth)
{
    if (trace->live->len == 0 || g_rand_int_range (rand, 0, 100) < growth) {
        Block block = {.site = (uint32_t)g_rand_int_range (rand, 0, (gint32)trace->n_sites),
                       .bytes = random_size (rand),
                       .time_ms = trace->now_ms};
        g_array_append_val (trace->live, block);
        add_moment (trace, PV_HEAP_EVENT_ALLOC, block.bytes, block.site, 0);
        return;
    }
    guint at = (guint)g_rand_int_range (rand, 0, (gint32)trace->live->len);
    Block block = g_array_index (trace->live, Block, at);
    bool is_temporary = at + 1 == trace->live->len && g_rand_boolean (rand);
    g_array_remove_index_fast (trace->live, at);
    uint64_t age_ms = trace->now_ms - block.time_ms;
    trace->ages[block.site][pv_heap_age_class (age_ms)]++;
    add_moment (trace, is_temporary ? PV_HEAP_EVENT_FREE_TEMPORARY : PV_HEAP_EVENT_FREE,
                block.bytes, block.site, age_ms);
}

static Trace
make_trace (GRand *rand, int n_events, uint32_t n_sites, int per_stamp)
{
    Trace trace = {
        .moments = g_array_new (FALSE, FALSE, sizeof (Moment)),
        .live = g_array_new (FALSE, FALSE, sizeof (Block)),
        .n_sites = n_sites,
        .ages = g_malloc0 (n_sites * sizeof *trace.ages),
    };
    int growth = 70;
    for (int i = 0; i < n_events; i++) {
        if (g_rand_int_range (rand, 0, 200) == 0)
            growth = g_rand_int_range (rand, 20, 80);
        if (g_rand_int_range (rand, 0, per_stamp) == 0)
            random_time (&trace, rand);
        else
            random_event (&trace, rand, growth);
    }
    return trace;
}

Trace
heap_trace_random (GRand *rand, int n_events)
{
    uint32_t n_sites = (uint32_t)g_rand_int_range (rand, 1, FEW_SITES);
    return make_trace (rand, n_events, n_sites, g_rand_int_range (rand, 1, 30));
}

Trace
heap_trace_random_wide (GRand *rand, int n_events)
{
    return make_trace (rand, n_events, MAX_TEST_SITES, MAX_TEST_SITES / 2);
}

PvHeap *
heap_trace_build (const Trace *trace, bool is_exact, uint64_t max_rows, const uint32_t *stacks,
                  GRand *rand)
{
    PvHeapBuilder *builder = pv_heap_builder_new (is_exact, max_rows);
    guint n = trace->moments->len;
    g_autofree PvHeapEvent *events = g_new (PvHeapEvent, MAX (n, 1));
    for (guint i = 0; i < n; i++)
        events[i] = g_array_index (trace->moments, Moment, i).event;
    /* A copy takes as long as it is large: of long traces there are not more. */
    gint32 per_copy = MAX (20, (gint32)n / 3000);
    for (guint i = 0; i < n;) {
        guint piece = (guint)g_rand_int_range (rand, 1, 300);
        piece = MIN (piece, n - i);
        pv_heap_builder_add (builder, events + i, piece);
        i += piece;
        if (g_rand_int_range (rand, 0, per_copy) == 0) {
            PvHeapBuilder *copy = pv_heap_builder_copy (builder);
            pv_heap_builder_free (builder);
            builder = copy;
        }
    }
    for (guint i = 0; is_exact && i < trace->live->len; i++) {
        Block block = g_array_index (trace->live, Block, i);
        uint64_t age_ms = trace->now_ms - block.time_ms;
        trace->ages[block.site][pv_heap_age_class (age_ms)]++;
        pv_heap_builder_add_unfreed (builder, block.site, age_ms);
    }
    PvHeap *heap = pv_heap_builder_finish (builder, stacks, trace->n_sites);
    pv_heap_builder_free (builder);
    return heap;
}

bool
heap_trace_is_free (const PvHeapEvent *event)
{
    return event->kind == PV_HEAP_EVENT_FREE || event->kind == PV_HEAP_EVENT_FREE_TEMPORARY;
}

int64_t
heap_trace_delta (const PvHeapEvent *event)
{
    if (event->kind == PV_HEAP_EVENT_ALLOC)
        return (int64_t)event->value;
    return heap_trace_is_free (event) ? -(int64_t)event->value : 0;
}

static void
copy_live (Replay *replay, PvHeapMeasure measure)
{
    memcpy (replay->weights[measure], replay->live, replay->n_sites * sizeof *replay->live);
}

static void
take_peak (Replay *replay, uint64_t time_ms)
{
    replay->highest = replay->total;
    replay->highest_ms = time_ms;
    copy_live (replay, PV_HEAP_PEAK);
}

static void
replay_within (Replay *replay, const Moment *moment, uint64_t end_ms)
{
    const PvHeapEvent *event = &moment->event;
    uint32_t s = event->site;
    int64_t delta = heap_trace_delta (event);
    replay->weights[PV_HEAP_GROWTH][s] += delta;
    replay->weights[PV_HEAP_LIFETIME][s] += delta * (int64_t)(end_ms - moment->time_ms);
    if (event->kind == PV_HEAP_EVENT_ALLOC) {
        replay->weights[PV_HEAP_ALLOCATED][s] += delta;
        replay->weights[PV_HEAP_ALLOCATIONS][s]++;
        replay->allocated += event->value;
        replay->n_allocations++;
    }
    if (event->kind == PV_HEAP_EVENT_FREE_TEMPORARY) {
        replay->weights[PV_HEAP_TEMPORARY][s]++;
        replay->n_temporary++;
    }
    if (replay->total > replay->highest)
        take_peak (replay, moment->time_ms);
}

/* Sites that the trace does not have are not looked at. */
static void
clear_replay (Replay *replay, uint32_t n_sites)
{
    replay->n_sites = n_sites;
    replay->total = replay->highest = replay->blocks = 0;
    replay->highest_ms = replay->allocated = replay->n_allocations = replay->n_temporary = 0;
    memset (replay->live, 0, n_sites * sizeof *replay->live);
    for (size_t m = 0; m < PV_N_HEAP_MEASURES; m++)
        memset (replay->weights[m], 0, n_sites * sizeof *replay->weights[m]);
}

void
heap_trace_replay (Replay *replay, const Trace *trace, const PvHeap *heap, uint64_t first,
                   uint64_t end)
{
    bool is_begun = false;
    uint64_t start_ms = MIN (first * heap->bin_ms, heap->duration_ms);
    uint64_t end_ms = MIN (end * heap->bin_ms, heap->duration_ms);
    clear_replay (replay, trace->n_sites);
    for (guint i = 0; i <= trace->moments->len; i++) {
        const Moment *moment =
            i < trace->moments->len ? &g_array_index (trace->moments, Moment, i) : NULL;
        uint64_t bin = moment != NULL ? moment->time_ms / heap->bin_ms : UINT64_MAX;
        if (!is_begun && bin >= first) {
            is_begun = true;
            take_peak (replay, start_ms);
            for (uint32_t s = 0; first < end && s < trace->n_sites; s++)
                replay->weights[PV_HEAP_LIFETIME][s] =
                    replay->live[s] * (int64_t)(end_ms - start_ms);
        }
        if (bin >= end)
            break;
        int64_t delta = heap_trace_delta (&moment->event);
        replay->live[moment->event.site] += delta;
        replay->total += delta;
        if (moment->event.kind == PV_HEAP_EVENT_ALLOC)
            replay->blocks++;
        else if (heap_trace_is_free (&moment->event))
            replay->blocks--;
        if (bin >= first)
            replay_within (replay, moment, end_ms);
    }
    if (first == end)
        copy_live (replay, PV_HEAP_PEAK);
    copy_live (replay, PV_HEAP_LIVE);
    copy_live (replay, PV_HEAP_LEAKED);
    /* Whoever asks for a part takes what is above or below zero. */
    for (uint32_t s = 0; s < trace->n_sites; s++)
        replay->weights[PV_HEAP_INCREASE][s] = replay->weights[PV_HEAP_DECREASE][s] =
            replay->weights[PV_HEAP_GROWTH][s];
}
