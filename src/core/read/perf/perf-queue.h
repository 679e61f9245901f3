/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/read/perf/perf-deliver.h"
#include "core/read/perf/perf-sample.h"
#include "core/read/perf/perf-session.h"

/* A piece of decompressed data; aligned to its size, so that a record's address leads to it. */
typedef struct PerfChunk {
    struct PerfChunk *next;
    size_t len;       /* bytes used, including this header */
    size_t n_pending; /* records that wait for their turn */
    bool is_filling;
} PerfChunk;

#define PERF_CHUNK_BYTES ((size_t)1 << 20)

/* Records that wait for their turn, and the chunks that hold those that were decompressed. */
struct PerfQueue {
    PV_ARRAY (PerfQueued) items;
    PV_ARRAY (PerfQueued) scratch;
    PV_ARRAY (size_t) runs; /* starts of ascending runs in items */
    uint64_t next_flush_ns;
    uint64_t max_ns;
    bool ignores_rounds;
    uint64_t n_rounds;
    uint64_t early_ns; /* up to then records were delivered before a round said so */
    bool is_late;      /* a record came after others that it belongs before */
    PerfChunk *chunks;
    size_t chunk_bytes;
    uint64_t delivered_bytes; /* since pages were last given back */
};

PerfQueue *perf_queue_new (void);
void perf_queue_free (PerfQueue *queue);

static inline PerfChunk *
perf_chunk_of (const uint8_t *record)
{
    return (PerfChunk *)((uintptr_t)record & ~(uintptr_t)(PERF_CHUNK_BYTES - 1));
}

/* An empty chunk of the queue, to be filled; its len is that of its header. */
PerfChunk *perf_queue_add_chunk (PerfQueue *queue);
/* Frees chunks without waiting records when many have gathered. */
void perf_queue_reclaim (PerfSession *session);

/* Adds a record, whose bytes must stay until it is delivered. */
static inline void
perf_queue_push (PerfQueue *queue, uint64_t time_ns, const uint8_t *record, size_t size_bytes,
                 bool is_unpacked)
{
    PerfQueued item = {time_ns, record, (uint32_t)size_bytes, is_unpacked};
    if (is_unpacked)
        perf_chunk_of (record)->n_pending++;
    pv_array_push (&queue->items, item);
    queue->is_late |= time_ns < queue->early_ns;
    /* Made-up times of aggregated off-CPU samples say nothing about the others. */
    if (time_ns > queue->max_ns && time_ns < PERF_FAKE_TIME_LOW)
        queue->max_ns = time_ns;
}

/* Delivers what cannot come any earlier: perf has written a FINISHED_ROUND record. */
void perf_queue_finish_round (PerfSession *session);
/* Delivers what is earlier than time_ns. */
void perf_queue_deliver_before (PerfSession *session, uint64_t time_ns);
/* Delivers everything. */
void perf_queue_flush (PerfSession *session);
/* The same where more may come: is_late tells whether that was wrong. */
void perf_queue_flush_early (PerfSession *session);
