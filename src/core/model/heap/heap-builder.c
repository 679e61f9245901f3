/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The history of a heap in one pass. The activity of a site in the open bin is in one cache line
 * per site, and packed into a row when the bin is over.
 *
 * The level at a bin's highest moment needs no second pass. Whenever the running total exceeds all
 * that was before it in the bin, a new epoch begins. A site keeps its sum as it was at the end of
 * the epoch it was last touched in, and copies it only when it is touched in a later one: so what
 * it has at the end of the bin is its sum at the last of these moments.
 */
#include <string.h>

#include "core/base/large.h"
#include "core/base/pool.h"
#include "core/model/heap/heap-builder-private.h"

enum {
    FIRST_BIN_MS = 10,
    MAX_BINS = 1 << 16,
    FINE_BINS = 1 << 10,
    DEFAULT_MAX_ROWS = 10 << 20,
    BYTES_PER_ROW = 13,
    MIN_SITES = 1 << 10,
    WORD_BITS = 64,
    WORDS_AT_ONCE = 64,
    PREFETCH_AHEAD = 12,
    SLICE_EVENTS = 1 << 12,
    SAMPLED_JOINS = 16,
    ROWS_FOR_THREADS = 1 << 18,
    MAX_JOIN_SITES = 1 << 20, /* in the scratch memory of all threads together: 48 MB */
};

/* Stamps stop where nanoseconds would pass 64 bits; bytes allocated and bytes freed stop at 2^62
 * each, so that no sum or difference can overflow. */
#define MAX_MS    ((uint64_t)1 << 44)
#define MAX_BYTES ((uint64_t)1 << 62)

/* Events of less are quick. */
#define TAME_BYTES ((uint64_t)1 << 32)

G_STATIC_ASSERT (sizeof (PvHeapSite) == 64);

static void
open_bin (PvHeapBuilder *builder, uint64_t index)
{
    builder->open = index;
    builder->open_end_ms = (index + 1) * builder->bin_ms;
    builder->first_epoch = ++builder->epoch;
    builder->n_open_events = 0;
    builder->open_volume = 0;
    builder->has_rss = false;
    builder->bin = (PvHeapBin){
        .live_bytes = builder->bin.live_bytes,
        .live_blocks = builder->bin.live_blocks,
        .peak_bytes = builder->bin.live_bytes,
        .peak_ms = index * builder->bin_ms,
        .rss_bytes = builder->last_rss,
    };
}

PvHeapBuilder *
pv_heap_builder_new (bool is_exact, uint64_t max_rows)
{
    PvHeapBuilder *builder = g_new0 (PvHeapBuilder, 1);
    builder->is_exact = is_exact;
    builder->max_rows = max_rows > 0 ? max_rows : DEFAULT_MAX_ROWS;
    builder->bin_ms = FIRST_BIN_MS;
    builder->allocated_budget = builder->freed_budget = MAX_BYTES;
    open_bin (builder, 0);
    return builder;
}

void
pv_heap_builder_free (PvHeapBuilder *builder)
{
    if (builder == NULL)
        return;
    for (size_t b = 0; b < builder->parts.len; b++) {
        g_free (builder->parts.data[b].rows);
        g_free (builder->parts.data[b].sizes);
    }
    g_free (builder->sites);
    g_free (builder->touched);
    pv_array_clear (&builder->parts);
    pv_heap_row_buffer_clear (&builder->buffer);
    pv_heap_size_buffer_clear (&builder->size_buffer);
    pv_heap_sizes_clear (&builder->sizes);
    pv_heap_ages_clear (&builder->ages);
    pv_array_clear (&builder->unfreed_of_site);
    g_free (builder);
}

static void *
grow (void *old, size_t old_size, size_t new_size)
{
    void *block = pv_large_alloc0 (new_size, 1);
    if (old_size > 0)
        memcpy (block, old, old_size);
    g_free (old);
    return block;
}

static void
ensure_sites (PvHeapBuilder *builder, uint32_t n_sites)
{
    if (n_sites > builder->cap_sites) {
        size_t old = builder->cap_sites, cap = MAX (MAX (n_sites, old + old / 2), MIN_SITES);
        cap = (cap + WORD_BITS - 1) / WORD_BITS * WORD_BITS;
        builder->sites =
            grow (builder->sites, old * sizeof (PvHeapSite), cap * sizeof (PvHeapSite));
        builder->touched = grow (builder->touched, old / 8, cap / 8);
        builder->cap_sites = (uint32_t)cap;
    }
    builder->n_sites = MAX (builder->n_sites, n_sites);
}

/* Bins */

static void
take_sizes (PvHeapBuilder *builder, uint32_t number)
{
    uint8_t classes[PV_HEAP_N_COUNTED_CLASSES];
    PvHeapSizeCell cells[PV_HEAP_N_COUNTED_CLASSES];
    unsigned n = pv_heap_sizes_take (&builder->sizes, builder->sites[number].sizes, classes, cells);
    for (unsigned i = 0; i < n; i++) {
        const PvHeapSizeRow row = {number, classes[i], cells[i].n, cells[i].bytes};
        pv_heap_size_buffer_push (&builder->size_buffer, &row);
    }
}

static void
take_site (PvHeapBuilder *builder, uint32_t number)
{
    PvHeapSite *site = &builder->sites[number];
    if (site->has_sizes)
        take_sizes (builder, number);
    const PvHeapRow row = {
        .allocated = site->allocated,
        .allocations = site->allocations,
        .temporary = site->temporary,
        .net = site->net,
        .at_peak = site->epoch == builder->epoch ? site->at_peak : site->net,
        .held = site->held,
    };
    pv_heap_row_buffer_push (&builder->buffer, number, &row);
    *site = (PvHeapSite){
        .frees = site->frees,
        .sizes = site->sizes,
        .first_class = site->first_class,
    };
}

/* The sites of some words of the set, which is emptied. Returns how many there are. */
static unsigned
take_numbers (uint64_t *words, uint32_t first_word, uint32_t n_words, uint32_t *numbers)
{
    unsigned n = 0;
    for (uint32_t w = first_word; w < first_word + n_words; w++) {
        for (uint64_t word = words[w]; word != 0; word &= word - 1)
            numbers[n++] = w * WORD_BITS + (uint32_t)__builtin_ctzll (word);
        words[w] = 0;
    }
    return n;
}

/* The rows of the open bin, whose sites are then as if it had just begun. */
static PvHeapRows *
take_rows (PvHeapBuilder *builder)
{
    uint32_t numbers[WORDS_AT_ONCE * WORD_BITS];
    uint32_t n_words = builder->n_touched > 0 ? builder->cap_sites / WORD_BITS : 0;
    pv_heap_row_buffer_begin (&builder->buffer, builder->n_touched);
    for (uint32_t w = 0; w < n_words; w += WORDS_AT_ONCE) {
        unsigned n = take_numbers (builder->touched, w, MIN (n_words - w, WORDS_AT_ONCE), numbers);
        for (unsigned i = 0; i < n; i++) {
            if (i + PREFETCH_AHEAD < n)
                __builtin_prefetch (&builder->sites[numbers[i + PREFETCH_AHEAD]], 1);
            take_site (builder, numbers[i]);
        }
    }
    builder->n_touched = 0;
    return pv_heap_rows_pack (&builder->buffer);
}

static void
count_part (PvHeapBuilder *builder, const PvHeapPart *part, int sign)
{
    uint64_t n_rows = part->rows != NULL ? part->rows->n_rows : 0;
    uint64_t rows_bytes = part->rows != NULL ? part->rows->size_bytes - sizeof *part->rows : 0;
    uint64_t sizes_bytes = part->sizes != NULL ? part->sizes->size_bytes : 0;
    builder->n_rows += sign > 0 ? n_rows : -n_rows;
    builder->rows_bytes += sign > 0 ? rows_bytes : -rows_bytes;
    builder->sizes_bytes += sign > 0 ? sizes_bytes : -sizes_bytes;
}

static void
push_part (PvHeapBuilder *builder, PvHeapRows *rows)
{
    PvHeapPart part = {
        .bin = builder->bin,
        .rows = rows,
        .sizes = pv_heap_size_rows_pack (&builder->size_buffer),
        .has_rss = builder->has_rss,
    };
    pv_array_push (&builder->parts, part);
    count_part (builder, &part, 1);
}

/* A bin that was open before, and closed: both parts of it become one. */
static void
join_reopened (PvHeapBuilder *builder)
{
    PvHeapPart *parts = &builder->parts.data[builder->open];
    const uint64_t ends_ms[] = {builder->open_end_ms, builder->open_end_ms};
    PvHeapJoiner *joiner = pv_heap_joiner_new (builder->n_sites);
    count_part (builder, &parts[0], -1);
    count_part (builder, &parts[1], -1);
    parts[0] = pv_heap_joiner_join (joiner, parts, 2, ends_ms, builder->open_end_ms);
    count_part (builder, &parts[0], 1);
    builder->parts.len--;
    pv_heap_joiner_free (joiner);
}

/* Sums of the recording are those of its bins. */
static void
close_bin (PvHeapBuilder *builder)
{
    builder->n_allocations += builder->bin.n_allocations;
    builder->allocated_bytes += builder->bin.allocated_bytes;
    builder->n_temporary += builder->bin.n_temporary;
    push_part (builder, take_rows (builder));
    if (builder->open + 1 < builder->parts.len)
        join_reopened (builder);
}

/* Joins that are shared out to threads. */
typedef struct {
    PvHeapBuilder *builder;
    uint64_t factor;
    PvHeapPart *joined;
    PvHeapJoiner **joiner_of_worker;
} JoinWork;

static void
join_group (void *data, size_t item, unsigned worker)
{
    JoinWork *work = data;
    PvHeapBuilder *builder = work->builder;
    PvHeapJoiner **joiner = &work->joiner_of_worker[worker];
    uint64_t first = item * work->factor;
    uint64_t end = MIN (first + work->factor, builder->parts.len);
    g_autofree uint64_t *ends_ms = g_new (uint64_t, end - first);
    if (*joiner == NULL)
        *joiner = pv_heap_joiner_new (builder->n_sites);
    for (uint64_t b = first; b < end; b++)
        ends_ms[b - first] = (b + 1) * builder->bin_ms;
    work->joined[item] =
        pv_heap_joiner_join (*joiner, builder->parts.data + first, (uint32_t)(end - first), ends_ms,
                             (first + work->factor) * builder->bin_ms);
}

/* Between bins only: nothing is open. */
static void
lengthen_bins (PvHeapBuilder *builder, uint64_t factor)
{
    size_t n = (builder->parts.len + factor - 1) / factor;
    uint32_t max_workers = MAX_JOIN_SITES / MAX (builder->n_sites, 1);
    bool is_small = builder->n_rows < ROWS_FOR_THREADS || max_workers < 2;
    g_autoptr (PvPool) pool = pv_pool_new (is_small ? 1 : max_workers < 8 ? max_workers : 0);
    unsigned n_workers = pv_pool_get_size (pool);
    JoinWork work = {
        .builder = builder,
        .factor = factor,
        .joined = g_new (PvHeapPart, MAX (n, 1)),
        .joiner_of_worker = g_new0 (PvHeapJoiner *, n_workers),
    };
    pv_pool_run (pool, n, join_group, &work);
    for (unsigned w = 0; w < n_workers; w++)
        pv_heap_joiner_free (work.joiner_of_worker[w]);
    g_free (work.joiner_of_worker);
    pv_array_clear (&builder->parts);
    builder->n_rows = builder->rows_bytes = builder->sizes_bytes = 0;
    pv_array_append (&builder->parts, work.joined, n);
    for (size_t b = 0; b < n; b++)
        count_part (builder, &work.joined[b], 1);
    g_free (work.joined);
    builder->bin_ms *= factor;
}

/* The part of all rows that would be left if factor bins at a time became one, from a sample. */
static double
estimate_rest (const PvHeapBuilder *builder, PvHeapJoiner *joiner, uint64_t factor)
{
    size_t n_groups = builder->parts.len / factor;
    size_t step = MAX (n_groups / SAMPLED_JOINS, 1);
    uint64_t n_before = 0, n_after = 0;
    for (size_t g = 0; g < n_groups; g += step) {
        const PvHeapPart *parts = &builder->parts.data[g * factor];
        for (uint64_t i = 0; i < factor; i++)
            n_before += parts[i].rows != NULL ? parts[i].rows->n_rows : 0;
        n_after += pv_heap_joiner_count (joiner, parts, (uint32_t)factor);
    }
    return n_before > 0 ? (double)n_after / (double)n_before : 1;
}

/* True if n_bins bins, with that part of the rows left, would have too many. Each site needs at
 * least one row, so more sites may have more rows; beyond FINE_BINS, which fill a screen, fewer are
 * allowed. */
static bool
is_over (const PvHeapBuilder *builder, double rest, size_t n_bins)
{
    uint64_t max_rows = n_bins > FINE_BINS ? builder->max_rows / 4 : builder->max_rows;
    max_rows = MAX (max_rows, (uint64_t)builder->n_sites * 2);
    return (double)builder->n_rows * rest > (double)max_rows ||
           (double)builder->rows_bytes * rest > (double)max_rows * BYTES_PER_ROW ||
           (double)builder->sizes_bytes * rest > (double)max_rows * BYTES_PER_ROW;
}

/* Joins at once what makes room for a while: every join is a pass over all rows. */
static void
limit_rows (PvHeapBuilder *builder)
{
    const double room = 4.0 / 3;
    while (is_over (builder, 1, builder->parts.len) && builder->parts.len > 1) {
        uint64_t factor = 2;
        size_t n_bins = builder->parts.len;
        PvHeapJoiner *joiner = pv_heap_joiner_new (builder->n_sites);
        while (factor * 2 <= n_bins &&
               is_over (builder, estimate_rest (builder, joiner, factor) * room, n_bins / factor))
            factor *= 2;
        pv_heap_joiner_free (joiner);
        lengthen_bins (builder, factor);
    }
}

/* Events */

static void
set_time (PvHeapBuilder *builder, uint64_t time_ms)
{
    time_ms = MIN (time_ms, MAX_MS);
    if (time_ms <= builder->now_ms)
        return;
    builder->now_ms = time_ms;
    if (time_ms < builder->open_end_ms)
        return;
    close_bin (builder);
    limit_rows (builder);
    uint64_t factor = 1;
    while (time_ms / (builder->bin_ms * factor) >= MAX_BINS)
        factor *= 2;
    if (factor > 1)
        lengthen_bins (builder, factor);
    uint64_t index = time_ms / builder->bin_ms;
    while (builder->parts.len < index) {
        open_bin (builder, builder->parts.len);
        push_part (builder, NULL);
    }
    open_bin (builder, index);
}

static void
set_rss (PvHeapBuilder *builder, uint64_t rss_bytes)
{
    builder->last_rss = rss_bytes;
    builder->bin.rss_bytes = builder->has_rss ? MAX (builder->bin.rss_bytes, rss_bytes) : rss_bytes;
    builder->has_rss = true;
    builder->peak_rss = MAX (builder->peak_rss, rss_bytes);
}

/* The time and the RSS stay. */
static void
attach (PvHeapBuilder *builder)
{
    g_free (take_rows (builder));
    pv_heap_size_buffer_clear (&builder->size_buffer);
    for (size_t b = 0; b < builder->parts.len; b++) {
        PvHeapPart *part = &builder->parts.data[b];
        g_clear_pointer (&part->rows, g_free);
        g_clear_pointer (&part->sizes, g_free);
        part->bin = (PvHeapBin){
            .peak_ms = b * builder->bin_ms,
            .rss_bytes = part->bin.rss_bytes,
        };
    }
    builder->n_rows = builder->rows_bytes = builder->sizes_bytes = 0;
    builder->bin = (PvHeapBin){
        .peak_ms = builder->now_ms,
        .rss_bytes = builder->bin.rss_bytes,
    };
    builder->first_epoch = ++builder->epoch;
    if (builder->n_sites > 0)
        memset (builder->sites, 0, builder->n_sites * sizeof (PvHeapSite));
    pv_heap_sizes_clear (&builder->sizes);
    pv_heap_ages_clear (&builder->ages);
    builder->n_allocations = builder->allocated_bytes = builder->n_frees = 0;
    builder->n_temporary = 0;
    builder->peak_bytes = 0;
    builder->peak_ms = 0;
    builder->is_attached = true;
}

static inline void
touch (PvHeapBuilder *builder, PvHeapSite *site, uint32_t number, uint64_t epoch)
{
    if (site->epoch == epoch)
        return;
    if (site->epoch < builder->first_epoch) {
        builder->touched[number / WORD_BITS] |= (uint64_t)1 << number % WORD_BITS;
        builder->n_touched++;
    }
    site->epoch = epoch;
    site->at_peak = site->net;
}

static inline void
hold (PvHeapSite *site, int64_t bytes, int64_t rest_ms, bool is_tame)
{
    if (is_tame)
        site->held += bytes * rest_ms;
    else
        site->held = pv_heap_add_held (site->held, bytes, rest_ms);
}

static inline void
count_size (PvHeapBuilder *builder, PvHeapSite *site, uint64_t bytes)
{
    unsigned size_class = pv_heap_size_class (bytes);
    if (site->first_class == size_class + 1)
        return;
    if (site->first_class == 0) {
        site->first_class = (uint8_t)(size_class + 1);
        return;
    }
    site->has_sizes = true;
    pv_heap_sizes_add (&builder->sizes, &site->sizes, size_class, bytes);
}

/*
 * Takes events of blocks, all at the same stamp, up to the first that is something else or at a new
 * site, or `end`; returns where it stopped. With is_tame the sums cannot overflow as long as no
 * event has more than TAME_BYTES, and it stops before such a one, too. What changes with each event
 * is in variables here: the sites may be anywhere in memory, and the compiler cannot know that they
 * are not the builder.
 */
static inline __attribute__ ((always_inline)) const PvHeapEvent *
add_run (PvHeapBuilder *builder, const PvHeapEvent *event, const PvHeapEvent *end, bool is_tame)
{
    PvHeapSite *const sites = builder->sites;
    PvHeapBin *bin = &builder->bin;
    const uint32_t n_sites = builder->n_sites;
    if (n_sites == 0)
        return event; /* no array to point into either */
    const bool is_exact = builder->is_exact;
    const int64_t rest_ms = (int64_t)(builder->open_end_ms - builder->now_ms);
    int64_t live = bin->live_bytes, peak = bin->peak_bytes;
    uint64_t epoch = builder->epoch, allocated = 0, freed = 0;
    uint64_t n_allocations = 0, n_frees = 0, n_temporary = 0;
    for (; event < end; event++) {
        if (end - event > PREFETCH_AHEAD)
            __builtin_prefetch (&sites[event[PREFETCH_AHEAD].site], 1);
        uint64_t bytes = event->value;
        if (event->kind > PV_HEAP_EVENT_FREE_TEMPORARY || event->site >= n_sites ||
            (is_tame && bytes > TAME_BYTES))
            break;
        PvHeapSite *site = &sites[event->site];
        touch (builder, site, event->site, epoch);
        if (event->kind == PV_HEAP_EVENT_ALLOC) {
            if (!is_tame)
                bytes = MIN (bytes, builder->allocated_budget - allocated);
            allocated += bytes;
            n_allocations++;
            live += (int64_t)bytes;
            site->net += (int64_t)bytes;
            site->allocated += bytes;
            site->allocations++;
            hold (site, (int64_t)bytes, rest_ms, is_tame);
            count_size (builder, site, bytes);
            if (live > peak) {
                peak = live;
                epoch++;
            }
        } else {
            if (!is_tame)
                bytes = MIN (bytes, builder->freed_budget - freed);
            uint32_t temporary = event->kind == PV_HEAP_EVENT_FREE_TEMPORARY;
            freed += bytes;
            n_frees++;
            n_temporary += temporary;
            live -= (int64_t)bytes;
            site->net -= (int64_t)bytes;
            site->frees++;
            site->temporary += temporary;
            hold (site, -(int64_t)bytes, rest_ms, is_tame);
            if (event->age_ms > 0 && is_exact)
                pv_heap_ages_add (&builder->ages, event->site, event->age_ms);
        }
    }
    if (peak > bin->peak_bytes)
        bin->peak_ms = builder->now_ms;
    if (peak > builder->peak_bytes && peak > bin->peak_bytes) {
        builder->peak_bytes = peak;
        builder->peak_ms = builder->now_ms;
    }
    builder->epoch = epoch;
    bin->peak_bytes = peak;
    bin->live_bytes = live;
    bin->live_blocks += (int64_t)(n_allocations - n_frees);
    bin->allocated_bytes += allocated;
    bin->n_allocations += n_allocations;
    bin->n_temporary += n_temporary;
    builder->n_frees += n_frees;
    builder->allocated_budget -= allocated;
    builder->freed_budget -= freed;
    builder->open_volume += allocated + freed;
    builder->n_open_events += n_allocations + n_frees;
    return event;
}

/* True if n_events events of TAME_BYTES each would bring no sum near its limit. */
static bool
are_tame (const PvHeapBuilder *builder, size_t n_events)
{
    uint64_t volume = n_events * TAME_BYTES;
    return volume <= builder->allocated_budget && volume <= builder->freed_budget &&
           (unsigned __int128)(builder->open_volume + volume) * builder->bin_ms <
               (uint64_t)PV_HEAP_HELD_MAX;
}

/* An event at which a run has stopped. */
static void
add_odd (PvHeapBuilder *builder, const PvHeapEvent *event)
{
    if (event->kind <= PV_HEAP_EVENT_FREE_TEMPORARY) {
        ensure_sites (builder, event->site + 1);
        add_run (builder, event, event + 1, false);
    } else if (event->kind == PV_HEAP_EVENT_TIME) {
        set_time (builder, event->value);
    } else if (event->kind == PV_HEAP_EVENT_RSS) {
        set_rss (builder, event->value);
    } else if (event->kind == PV_HEAP_EVENT_ATTACHED) {
        attach (builder);
    }
}

/* At most SLICE_EVENTS. */
static void
add_slice (PvHeapBuilder *builder, const PvHeapEvent *event, const PvHeapEvent *end)
{
    /* A site's counts have 32 bits: after so many events its row is written. */
    if (builder->n_open_events + SLICE_EVENTS > UINT32_MAX) {
        close_bin (builder);
        open_bin (builder, builder->open);
    }
    while (event < end) {
        event = are_tame (builder, (size_t)(end - event)) ? add_run (builder, event, end, true)
                                                          : add_run (builder, event, end, false);
        if (event < end)
            add_odd (builder, event++);
    }
}

void
pv_heap_builder_add (PvHeapBuilder *builder, const PvHeapEvent *events, size_t n_events)
{
    g_assert (builder != NULL && (events != NULL || n_events == 0));
    for (size_t i = 0; i < n_events; i += SLICE_EVENTS)
        add_slice (builder, events + i, events + MIN (i + SLICE_EVENTS, n_events));
}

void
pv_heap_builder_add_unfreed (PvHeapBuilder *builder, uint32_t site, uint64_t age_ms)
{
    ensure_sites (builder, site + 1);
    if (builder->unfreed_of_site.len < builder->n_sites)
        pv_array_resize (&builder->unfreed_of_site, builder->n_sites);
    builder->unfreed_of_site.data[site]++;
    if (age_ms > 0)
        pv_heap_ages_add (&builder->ages, site, age_ms);
}

/* The end */

/* The last bin ends with the recording. */
static void
cut_last_bin (PvHeapBuilder *builder)
{
    PvHeapPart *part = &builder->parts.data[builder->parts.len - 1];
    uint64_t bin_end_ms = builder->parts.len * builder->bin_ms;
    PvHeapJoiner *joiner = pv_heap_joiner_new (builder->n_sites);
    *part = pv_heap_joiner_join (joiner, part, 1, &bin_end_ms, builder->now_ms);
    pv_heap_joiner_free (joiner);
}

static void
publish_bins (PvHeapBuilder *builder, PvHeap *heap)
{
    size_t n = builder->parts.len;
    PvHeapBin *bins = g_new (PvHeapBin, n);
    PvHeapRows **rows_of_bin = g_new (PvHeapRows *, n);
    PvHeapSizeRows **sizes_of_bin = g_new (PvHeapSizeRows *, n);
    for (size_t b = 0; b < n; b++) {
        bins[b] = builder->parts.data[b].bin;
        rows_of_bin[b] = builder->parts.data[b].rows;
        sizes_of_bin[b] = builder->parts.data[b].sizes;
    }
    builder->parts.len = 0;
    heap->bin_ms = builder->bin_ms;
    heap->n_bins = (uint32_t)n;
    heap->bins = bins;
    heap->n_rows = builder->n_rows;
    heap->rows_of_bin = rows_of_bin;
    heap->sizes_of_bin = sizes_of_bin;
}

PvHeap *
pv_heap_builder_finish (PvHeapBuilder *builder, const uint32_t *stack_of_site, uint32_t n_sites)
{
    g_assert (builder != NULL && (stack_of_site != NULL || n_sites == 0));
    g_assert (n_sites >= builder->n_sites);
    close_bin (builder);
    limit_rows (builder);
    cut_last_bin (builder);
    PvHeap *heap = g_new0 (PvHeap, 1);
    heap->ref_count = 1;
    heap->n_sites = n_sites;
    heap->stack_of_site = g_memdup2 (stack_of_site, n_sites * sizeof (uint32_t));
    heap->duration_ms = builder->now_ms;
    heap->n_allocations = builder->n_allocations;
    heap->allocated_bytes = builder->allocated_bytes;
    heap->n_frees = builder->n_frees;
    heap->n_temporary = builder->n_temporary;
    heap->leaked_bytes = builder->bin.live_bytes;
    heap->peak_bytes = builder->peak_bytes;
    heap->peak_ms = builder->peak_ms;
    heap->peak_rss_bytes = builder->peak_rss;
    heap->is_exact = builder->is_exact;
    heap->is_attached = builder->is_attached;
    publish_bins (builder, heap);
    pv_heap_builder_publish_sizes (builder, heap);
    if (builder->is_exact)
        pv_heap_builder_publish_ages (builder, heap);
    pv_heap_sum_measures (heap);
    return heap;
}
