/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/read/events/perf-sample.h"
#include "core/read/events/perf-session.h"
#include "core/read/perf/perf-deliver.h"

/* A chunk of decompressed data, aligned to its size so that a record's address gives its chunk. */
typedef struct PerfChunk {
    struct PerfChunk *next;
    size_t len;       /* bytes used, including this header */
    size_t n_pending; /* queued records in it */
    bool is_filling;
} PerfChunk;

#define PERF_CHUNK_BYTES ((size_t)1 << 20)

/* Queued records, and the chunks that hold the decompressed ones. */
struct PerfQueue {
    PV_ARRAY (PerfQueued) items;
    PV_ARRAY (PerfQueued) scratch;
    PV_ARRAY (size_t) runs; /* starts of ascending runs in items */
    uint64_t next_flush_ns;
    uint64_t max_ns;
    bool ignores_rounds;
    uint64_t n_rounds;
    uint64_t early_ns; /* records up to here were delivered before their round ended */
    bool is_late;      /* a record came too late to be delivered in order */
    PerfChunk *chunks;
    size_t chunk_bytes;
    uint64_t delivered_bytes; /* since pages were last released */
};

PerfQueue *perf_queue_new (void);
void perf_queue_free (PerfQueue *queue);

static inline PerfChunk *
perf_chunk_of (const uint8_t *record)
{
    return (PerfChunk *)((uintptr_t)record & ~(uintptr_t)(PERF_CHUNK_BYTES - 1));
}

/* Adds an empty chunk to fill; its len counts only the header. */
PerfChunk *perf_queue_add_chunk (PerfQueue *queue);
/* Frees chunks without queued records once there are many chunks. */
void perf_queue_reclaim (PerfSession *session);

/* True if the budget has room for more. If not, adds a note, and nothing more is delivered. */
bool perf_queue_has_memory (PerfSession *session);

/* Queues a record. Its bytes must stay valid until it is delivered. */
static inline void
perf_queue_push (PerfQueue *queue, uint64_t time_ns, const uint8_t *record, size_t size_bytes,
                 bool is_unpacked)
{
    PerfQueued item = {time_ns, record, (uint32_t)size_bytes, is_unpacked};
    if (is_unpacked)
        perf_chunk_of (record)->n_pending++;
    pv_array_push (&queue->items, item);
    queue->is_late |= time_ns < queue->early_ns;
    /* Aggregated off-CPU samples have made-up times; ignore them. */
    if (time_ns > queue->max_ns && time_ns < PERF_FAKE_TIME_LOW)
        queue->max_ns = time_ns;
}

/* Handles a FINISHED_ROUND record: delivers the records that none to come can precede. */
void perf_queue_finish_round (PerfSession *session);
/* Delivers the records before time_ns. */
void perf_queue_deliver_before (PerfSession *session, uint64_t time_ns);
/* Delivers everything. */
void perf_queue_flush (PerfSession *session);
/* Delivers everything although more may come; is_late says whether that was wrong. */
void perf_queue_flush_early (PerfSession *session);
