/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sorts records by time. Each CPU's buffer is sorted, but perf drains one after another and writes
 * FINISHED_ROUND after a pass over all of them. No record in round N + 2 is older than the newest
 * in round N, so the end of a round delivers everything up to the newest time of the round before.
 * Without rounds, all records wait for the end. (tools/perf/util/ordered-events.c)
 *
 * A round consists of a few ascending runs, so merging existing runs is nearly linear. The sort is
 * stable: records with equal times stay in file order.
 */
#include "core/read/perf/perf-queue.h"

#include "core/base/search.h"
#include "core/read/perf/perf-maps.h"
#include "core/read/perf/perf-records.h"

#define RELEASE_BYTES  ((uint64_t)32 << 20)
#define BLOCK_RECORDS  ((size_t)16384)
#define CHECK_INTERVAL 4096
#define PREFETCH_AHEAD 8
#define RECLAIM_BYTES  ((size_t)16 << 20)

PerfQueue *
perf_queue_new (void)
{
    return g_new0 (PerfQueue, 1);
}

void
perf_queue_free (PerfQueue *queue)
{
    while (queue->chunks != NULL) {
        PerfChunk *chunk = queue->chunks;
        queue->chunks = chunk->next;
        g_aligned_free (chunk);
    }
    pv_array_clear (&queue->items);
    pv_array_clear (&queue->scratch);
    pv_array_clear (&queue->runs);
    g_free (queue);
}

bool
perf_queue_has_memory (PerfSession *session)
{
    const PerfQueue *queue = session->queue;
    uint64_t used_bytes = pv_profile_builder_count_bytes (session->builder) +
                          perf_maps_count_bytes (session->maps) + queue->chunk_bytes +
                          (queue->items.cap + queue->scratch.cap) * sizeof (PerfQueued);
    if (session->is_full ||
        used_bytes <= pv_budget_get_bytes (&session->context->budget, session->read_bytes))
        return !session->is_full;
    session->is_full = true;
    pv_reader_note_out_of_memory (session->builder);
    return false;
}

/* Chunks */

PerfChunk *
perf_queue_add_chunk (PerfQueue *queue)
{
    PerfChunk *chunk = g_aligned_alloc (1, PERF_CHUNK_BYTES, PERF_CHUNK_BYTES);
    *chunk = (PerfChunk){.next = queue->chunks, .len = sizeof (PerfChunk), .is_filling = true};
    queue->chunks = chunk;
    queue->chunk_bytes += PERF_CHUNK_BYTES;
    return chunk;
}

void
perf_queue_reclaim (PerfSession *session)
{
    PerfQueue *queue = session->queue;
    if (queue->chunk_bytes < RECLAIM_BYTES)
        return;
    perf_stacks_flush (session); /* stack dumps waiting there point into chunks */
    PerfChunk **link = &queue->chunks;
    while (*link != NULL) {
        PerfChunk *chunk = *link;
        if (chunk->n_pending > 0 || chunk->is_filling) {
            link = &chunk->next;
            continue;
        }
        *link = chunk->next;
        g_aligned_free (chunk);
        queue->chunk_bytes -= PERF_CHUNK_BYTES;
    }
}

/* Sorting */

static void
merge (PerfQueued *out, const PerfQueued *a, size_t n_a, const PerfQueued *b, size_t n_b)
{
    size_t i = 0, j = 0;
    while (i < n_a && j < n_b)
        *out++ = b[j].time_ns < a[i].time_ns ? b[j++] : a[i++];
    memcpy (out, a + i, (n_a - i) * sizeof *out);
    memcpy (out + (n_a - i), b + j, (n_b - j) * sizeof *out);
}

/* One pass: merges every pair of neighbouring runs in source to one run in target. */
static void
merge_pairs (PerfQueue *queue, PerfQueued *target, const PerfQueued *source, size_t n)
{
    size_t n_runs = queue->runs.len, n_out = 0;
    for (size_t i = 0; i < n_runs; i += 2) {
        size_t start = queue->runs.data[i];
        size_t middle = i + 1 < n_runs ? queue->runs.data[i + 1] : n;
        size_t end = i + 2 < n_runs ? queue->runs.data[i + 2] : n;
        merge (target + start, source + start, middle - start, source + middle, end - middle);
        queue->runs.data[n_out++] = start;
    }
    queue->runs.len = n_out;
}

static void
sort (PerfQueue *queue)
{
    size_t n = queue->items.len;
    queue->runs.len = 0;
    for (size_t i = 0; i < n; i++)
        if (i == 0 || queue->items.data[i].time_ns < queue->items.data[i - 1].time_ns)
            pv_array_push (&queue->runs, i);

    while (queue->runs.len > 1) {
        pv_array_reserve (&queue->scratch, n);
        merge_pairs (queue, queue->scratch.data, queue->items.data, n);
        PerfQueued *swapped = queue->items.data;
        size_t swapped_cap = queue->items.cap;
        queue->items.data = queue->scratch.data;
        queue->items.cap = queue->scratch.cap;
        queue->scratch.data = swapped;
        queue->scratch.cap = swapped_cap;
    }
}

/* Releases the pages of all files; those still needed come back from the page cache. */
static void
release_all (PerfSession *session)
{
    for (size_t i = 0; i < session->files.len; i++)
        pv_mapped_file_release (session->files.data[i], 0,
                                pv_mapped_file_get_size (session->files.data[i]));
    session->queue->delivered_bytes = 0;
}

/* Several threads decode the records of a block before they are delivered in order. */
static void
deliver_block (PerfSession *session, const PerfQueued *items, size_t n)
{
    const PerfDecoded *decoded = perf_deliver_decode (session, items, n);
    bool is_wanted = perf_queue_has_memory (session);
    for (size_t i = 0; i < n; i++) {
        const PerfQueued *item = &items[i];
        if (i + PREFETCH_AHEAD < n && decoded[i + PREFETCH_AHEAD].attr != 0)
            perf_stacks_prefetch (session, &decoded[i + PREFETCH_AHEAD]);
        else if (i + PREFETCH_AHEAD < n)
            __builtin_prefetch (items[i + PREFETCH_AHEAD].record);
        bool is_delivered = is_wanted && !session->is_cancelled;
        if (is_delivered && item->time_ns < PERF_FAKE_TIME_LOW)
            session->last_ns = MAX (session->last_ns, item->time_ns);
        if (is_delivered && decoded[i].attr != 0)
            perf_deliver_decoded (session, item, &decoded[i]);
        else if (is_delivered)
            perf_record_deliver (session, item->record, item->size_bytes, item->time_ns);
        if (item->is_unpacked)
            perf_chunk_of (item->record)->n_pending--;
        else
            session->queue->delivered_bytes += item->size_bytes;
        if (i % CHECK_INTERVAL == 0 && pv_job_is_cancelled (session->context->job))
            session->is_cancelled = true;
        if (session->queue->delivered_bytes > RELEASE_BYTES)
            release_all (session);
    }
}

static void
deliver (PerfSession *session, size_t n)
{
    PerfQueue *queue = session->queue;
    for (size_t i = 0; i < n; i += BLOCK_RECORDS) {
        size_t n_in_block = MIN (n - i, BLOCK_RECORDS);
        deliver_block (session, queue->items.data + i, n_in_block);
        if (session->after_block != NULL)
            session->after_block (session, n - i - n_in_block);
    }
    queue->items.len -= n;
    if (queue->items.len > 0)
        memmove (queue->items.data, queue->items.data + n,
                 queue->items.len * sizeof *queue->items.data);
}

void
perf_queue_deliver_before (PerfSession *session, uint64_t time_ns)
{
    PerfQueue *queue = session->queue;
    sort (queue);
    size_t low = pv_bisect (0, queue->items.len, i, queue->items.data[i].time_ns < time_ns);
    deliver (session, low);
}

void
perf_queue_finish_round (PerfSession *session)
{
    PerfQueue *queue = session->queue;
    if (queue->ignores_rounds)
        return;
    queue->n_rounds++;
    if (queue->next_flush_ns > 0)
        perf_queue_deliver_before (session, queue->next_flush_ns + 1);
    queue->next_flush_ns = queue->max_ns;
    perf_queue_reclaim (session);
}

void
perf_queue_flush (PerfSession *session)
{
    sort (session->queue);
    pv_array_clear (&session->queue->scratch);
    deliver (session, session->queue->items.len);
    perf_queue_reclaim (session);
}

void
perf_queue_flush_early (PerfSession *session)
{
    PerfQueue *queue = session->queue;
    queue->early_ns = MAX (queue->early_ns, queue->max_ns);
    perf_queue_flush (session);
}
