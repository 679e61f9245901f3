/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Weights of the sites of a heap: each measure is one pass over some columns of the rows. Where
 * there are many rows the bins are dealt out to threads, each with sums of its own.
 */
#include <string.h>

#include "core/base/large.h"
#include "core/base/pool.h"
#include "core/model/heap/heap-builder-private.h"
#include "core/model/heap/heap-rows.h"

enum {
    ROWS_FOR_THREADS = 1 << 19,
    MAX_WORKERS = 8,       /* of a pool that takes what there is */
    PIECES_PER_WORKER = 8, /* bins differ in their rows */
};

/* The parameters of a sum over bins, and its working memory. */
typedef struct {
    const PvHeap *heap;
    PvHeapMeasure measure;
    uint32_t level_end; /* bins below it count by what they leave */
    uint32_t first;     /* bins [first, end) count by the measure's own column */
    uint32_t end;
    uint64_t end_ms; /* of the range, for lifetimes */
    uint64_t start_ms;
    int64_t *weights_of_worker[MAX_WORKERS];
    uint32_t first_bin_of_piece[MAX_WORKERS * PIECES_PER_WORKER + 1];
} Weighing;

/* The end of a bin; the last bin ends with the recording. */
static uint64_t
get_end_ms (const PvHeap *heap, uint32_t bin)
{
    return MIN ((bin + UINT64_C (1)) * heap->bin_ms, heap->duration_ms);
}

/* Some rows' bytes that were held within the bin, and those times rest_ms. `any` has all bits of
 * the numbers: if they are small, only the sum needs an eye on it. */
static void
add_held (const uint32_t *sites, const int64_t *held, const int64_t *net, int64_t rest_ms,
          uint32_t n, uint64_t any, int64_t *weights)
{
    bool is_small = any < (uint64_t)1 << 40 && rest_ms < (int64_t)1 << 22;
    for (uint32_t i = 0; i < n; i++) {
        int64_t *weight = &weights[sites[i]];
        int64_t sum;
        if (is_small && !__builtin_add_overflow (*weight, held[i] + net[i] * rest_ms, &sum) &&
            sum <= PV_HEAP_HELD_MAX && sum >= -PV_HEAP_HELD_MAX)
            *weight = sum;
        else
            *weight = pv_heap_add_held (pv_heap_add_held (*weight, held[i], 1), net[i], rest_ms);
    }
}

/* Bytes live at the start count for the whole range, less those freed; a row's bytes count from
 * their events to the end of the bin, and then to the end of the range. */
static void
add_lifetime (const Weighing *weighing, uint32_t bin, const PvHeapRows *rows, int64_t *weights)
{
    uint32_t sites[PV_HEAP_READ_ROWS];
    int64_t net[PV_HEAP_READ_ROWS], held[PV_HEAP_READ_ROWS] = {0};
    bool is_before = bin < weighing->first;
    uint64_t from_ms = is_before ? weighing->start_ms : get_end_ms (weighing->heap, bin);
    int64_t rest_ms = (int64_t)(weighing->end_ms - from_ms);
    PvHeapColumnReader site_reader = pv_heap_column_reader (rows, PV_HEAP_COLUMN_SITE);
    PvHeapColumnReader net_reader = pv_heap_column_reader (rows, PV_HEAP_COLUMN_NET);
    PvHeapColumnReader held_reader = pv_heap_column_reader (rows, PV_HEAP_COLUMN_HELD);
    for (uint32_t at = 0; at < rows->n_rows; at += PV_HEAP_READ_ROWS) {
        uint32_t n = MIN (rows->n_rows - at, PV_HEAP_READ_ROWS);
        uint64_t any = 0;
        pv_heap_column_read_sites (&site_reader, n, sites);
        pv_heap_column_read_signed (&net_reader, n, net);
        if (!is_before)
            pv_heap_column_read_signed (&held_reader, n, held);
        for (uint32_t i = 0; i < n; i++)
            any |= (uint64_t)(net[i] ^ net[i] >> 63) | (uint64_t)(held[i] ^ held[i] >> 63);
        add_held (sites, held, net, rest_ms, n, any, weights);
    }
}

static PvHeapColumn
column_of_measure (PvHeapMeasure measure)
{
    switch (measure) {
    case PV_HEAP_PEAK:
        return PV_HEAP_COLUMN_AT_PEAK;
    case PV_HEAP_ALLOCATED:
        return PV_HEAP_COLUMN_ALLOCATED;
    case PV_HEAP_ALLOCATIONS:
        return PV_HEAP_COLUMN_ALLOCATIONS;
    case PV_HEAP_TEMPORARY:
        return PV_HEAP_COLUMN_TEMPORARY;
    default:
        return PV_HEAP_COLUMN_NET;
    }
}

static void
add_bin (const Weighing *weighing, uint32_t bin, int64_t *weights)
{
    const PvHeapRows *rows = weighing->heap->rows_of_bin[bin];
    if (rows == NULL)
        return;
    if (weighing->measure == PV_HEAP_LIFETIME)
        add_lifetime (weighing, bin, rows, weights);
    else if (bin < weighing->level_end)
        pv_heap_rows_add_up (rows, PV_HEAP_COLUMN_NET, NULL, weights);
    else
        pv_heap_rows_add_up (rows, column_of_measure (weighing->measure), NULL, weights);
}

static void
add_piece (void *data, size_t item, unsigned worker)
{
    Weighing *weighing = data;
    int64_t **weights = &weighing->weights_of_worker[worker];
    if (*weights == NULL)
        *weights = pv_new0_large (int64_t, weighing->heap->n_sites);
    for (uint32_t b = weighing->first_bin_of_piece[item];
         b < weighing->first_bin_of_piece[item + 1]; b++)
        add_bin (weighing, b, *weights);
}

/* Bins [begin, end) in pieces of about as many rows each. */
static void
make_pieces (Weighing *weighing, uint32_t begin, uint32_t end, uint64_t n_rows, unsigned n_pieces)
{
    uint64_t so_far = 0;
    unsigned piece = 0;
    weighing->first_bin_of_piece[0] = begin;
    for (uint32_t b = begin; b < end; b++) {
        const PvHeapRows *rows = weighing->heap->rows_of_bin[b];
        so_far += rows != NULL ? rows->n_rows : 0;
        while (piece + 1 < n_pieces && so_far >= n_rows / n_pieces * (piece + 1))
            weighing->first_bin_of_piece[++piece] = b + 1;
    }
    while (piece < n_pieces)
        weighing->first_bin_of_piece[++piece] = end;
}

/* Sums of lifetimes stop at their limit, all others cannot reach it. */
static void
merge (Weighing *weighing, unsigned n_workers)
{
    int64_t *to = weighing->weights_of_worker[0];
    for (unsigned w = 1; w < n_workers; w++) {
        const int64_t *from = weighing->weights_of_worker[w];
        for (uint32_t s = 0; from != NULL && s < weighing->heap->n_sites; s++)
            to[s] = pv_heap_add_held (to[s], from[s], 1);
        g_free (weighing->weights_of_worker[w]);
    }
}

static void
weigh_bins (Weighing *weighing, uint32_t begin, uint32_t end, int64_t *weights)
{
    const PvHeap *heap = weighing->heap;
    uint64_t n_rows = 0;
    for (uint32_t b = begin; b < end; b++)
        n_rows += heap->rows_of_bin[b] != NULL ? heap->rows_of_bin[b]->n_rows : 0;
    weighing->weights_of_worker[0] = weights;
    /* With as many sites as rows, adding up the threads' sums would cost more than it saves. */
    if (n_rows < ROWS_FOR_THREADS || n_rows / 4 < heap->n_sites) {
        for (uint32_t b = begin; b < end; b++)
            add_bin (weighing, b, weights);
        return;
    }
    g_autoptr (PvPool) pool = pv_pool_new (0);
    unsigned n_workers = pv_pool_get_size (pool), n_pieces = n_workers * PIECES_PER_WORKER;
    g_assert (n_workers <= MAX_WORKERS);
    make_pieces (weighing, begin, end, n_rows, n_pieces);
    pv_pool_run (pool, n_pieces, add_piece, weighing);
    merge (weighing, n_workers);
}

void
pv_heap_weigh_sites (const PvHeap *heap, PvHeapMeasure measure, uint32_t first_bin,
                     uint32_t end_bin, int64_t *ret_weight_of_site, int64_t *ret_total)
{
    g_assert (heap != NULL && ret_weight_of_site != NULL);
    g_assert (measure < PV_N_HEAP_MEASURES);
    g_assert (first_bin <= end_bin && end_bin <= heap->n_bins);
    Weighing weighing = {.heap = heap, .measure = measure, .first = first_bin, .end = end_bin};
    uint32_t begin = 0, end = end_bin;
    memset (ret_weight_of_site, 0, heap->n_sites * sizeof *ret_weight_of_site);
    if (measure == PV_HEAP_LEAKED || measure == PV_HEAP_LIVE) {
        weighing.level_end = end_bin;
    } else if (measure == PV_HEAP_PEAK) {
        /* A level at a moment is all that happened before it. */
        uint32_t peak = first_bin < end_bin ? pv_heap_find_peak (heap, first_bin, end_bin) : 0;
        weighing.level_end = first_bin < end_bin ? peak : end_bin;
        end = first_bin < end_bin ? peak + 1 : end_bin;
    } else if (measure != PV_HEAP_LIFETIME) {
        begin = first_bin;
    } else if (first_bin < end_bin) {
        weighing.start_ms = MIN (first_bin * heap->bin_ms, heap->duration_ms);
        weighing.end_ms = get_end_ms (heap, end_bin - 1);
    } else {
        end = 0;
    }
    if (measure != PV_HEAP_NONE)
        weigh_bins (&weighing, begin, end, ret_weight_of_site);
    if (ret_total == NULL)
        return;
    *ret_total = 0;
    for (uint32_t s = 0; s < heap->n_sites; s++)
        *ret_total = pv_heap_add_held (*ret_total, ret_weight_of_site[s], 1);
}

/* The sum of the weights above zero, or, where factor is -1, of those below, negated. */
static uint64_t
sum_positive (const int64_t *weights, int64_t factor, uint32_t n)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < n; i++)
        sum += MIN ((uint64_t)MAX (factor * weights[i], 0), (uint64_t)PV_HEAP_HELD_MAX - sum);
    return sum;
}

void
pv_heap_sum_measures (PvHeap *heap)
{
    g_assert (heap != NULL);
    int64_t *weights = pv_new_large (int64_t, MAX (heap->n_sites, 1));
    for (PvHeapMeasure m = PV_HEAP_PEAK; m < PV_N_HEAP_MEASURES; m++) {
        if (m == PV_HEAP_PEAK || m == PV_HEAP_LIVE || m == PV_HEAP_LIFETIME) {
            pv_heap_weigh_sites (heap, m, 0, heap->n_bins, weights, NULL);
            heap->total_of_measure[m] = sum_positive (weights, 1, heap->n_sites);
        }
        if (m == PV_HEAP_LIVE)
            heap->total_of_measure[PV_HEAP_DECREASE] = sum_positive (weights, -1, heap->n_sites);
    }
    heap->total_of_measure[PV_HEAP_LEAKED] = heap->total_of_measure[PV_HEAP_LIVE];
    heap->total_of_measure[PV_HEAP_INCREASE] = heap->total_of_measure[PV_HEAP_LIVE];
    heap->total_of_measure[PV_HEAP_GROWTH] =
        MIN (heap->total_of_measure[PV_HEAP_INCREASE] + heap->total_of_measure[PV_HEAP_DECREASE],
             INT64_MAX);
    heap->total_of_measure[PV_HEAP_ALLOCATED] = heap->allocated_bytes;
    heap->total_of_measure[PV_HEAP_ALLOCATIONS] = heap->n_allocations;
    heap->total_of_measure[PV_HEAP_TEMPORARY] = heap->n_temporary;
    g_free (weights);
}
