/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The pipeline: unpack | tokenise | find blocks | history. The tokeniser runs in the calling thread
 * and is the only stage that uses the profile's builder; the others have threads of their own if
 * there are enough processors. Texts and batches circulate in two rings. Short files, which fit in
 * the first block, are read without threads.
 */
#include "core/read/heaptrack/heaptrack-pipe.h"

#include <pthread.h>
#include <unistd.h>

#include "core/read/heaptrack/heaptrack-lines.h"
#include "core/read/unpack/stage-ring.h"

enum { N_TEXTS = 6, N_BATCHES = 8, MAX_THREADS = 4 };

/* The stages of a text, and of a batch. */
enum { TEXT_FEED, TEXT_TOKENISE, N_TEXT_STAGES };
enum { BATCH_TOKENISE, BATCH_BLOCKS, BATCH_HISTORY, N_BATCH_STAGES };

typedef struct {
    HeaptrackSession *session;
    HeaptrackText texts[N_TEXTS];
    HeaptrackBatch *batches; /* N_BATCHES, or one for up to two threads */
    PvStageRing text_ring;
    PvStageRing batch_ring;
    pthread_t feed_thread, blocks_thread, history_thread;
    bool has_feed_thread;
    bool has_blocks_thread;
    bool has_history_thread;
    int64_t start_us;
    bool has_preview; /* or it is too late for one */
} HeaptrackPipe;

static void
add_to_history (HeaptrackPipe *pipe, const HeaptrackBatch *batch)
{
    if (batch->len > 0)
        pv_heap_builder_add (pipe->session->heap, batch->events, batch->len);
}

static void *
run_history (void *data)
{
    HeaptrackPipe *pipe = data;
    size_t slot;
    while (pv_stage_ring_wait (&pipe->batch_ring, BATCH_HISTORY, &slot)) {
        add_to_history (pipe, &pipe->batches[slot]);
        pv_stage_ring_pass (&pipe->batch_ring, BATCH_HISTORY);
    }
    return NULL;
}

static void *
run_blocks (void *data)
{
    HeaptrackPipe *pipe = data;
    size_t slot;
    while (pv_stage_ring_wait (&pipe->batch_ring, BATCH_BLOCKS, &slot)) {
        heaptrack_blocks_resolve (&pipe->session->blocks, &pipe->batches[slot]);
        if (!pipe->has_history_thread)
            add_to_history (pipe, &pipe->batches[slot]);
        pv_stage_ring_pass (&pipe->batch_ring, BATCH_BLOCKS);
    }
    return NULL;
}

static void *
run_feed (void *data)
{
    HeaptrackPipe *pipe = data;
    size_t slot;
    while (pv_stage_ring_wait (&pipe->text_ring, TEXT_FEED, &slot) &&
           heaptrack_feed_fill (&pipe->session->feed, &pipe->texts[slot]))
        pv_stage_ring_pass (&pipe->text_ring, TEXT_FEED);
    pv_stage_ring_close (&pipe->text_ring);
    return NULL;
}

/* The tokeniser's side */

/* The next batch to fill. The ring is never stopped, so there always is one. */
static void
take_batch (HeaptrackPipe *pipe)
{
    size_t slot = 0;
    if (pipe->has_blocks_thread)
        pv_stage_ring_wait (&pipe->batch_ring, BATCH_TOKENISE, &slot);
    pipe->session->batch = &pipe->batches[slot];
    pipe->session->batch->len = 0;
}

static void
push_batch (HeaptrackSession *session)
{
    HeaptrackPipe *pipe = session->pipe;
    if (session->heap == NULL)
        heaptrack_decide (session, HEAPTRACK_RAW); /* only timestamps so far */
    if (pipe->has_blocks_thread) {
        pv_stage_ring_pass (&pipe->batch_ring, BATCH_TOKENISE);
    } else {
        heaptrack_take_batch (session, session->batch);
    }
    take_batch (pipe);
}

/* Gives a profile of what was read so far. The other stages wait while the history is copied. */
static void
give_preview (HeaptrackPipe *pipe)
{
    HeaptrackSession *session = pipe->session;
    push_batch (session);
    if (pipe->has_blocks_thread)
        pv_stage_ring_drain (&pipe->batch_ring);
    PvHeapBuilder *heap = pv_heap_builder_copy (session->heap);
    heaptrack_publish (session, heap);
    pv_heap_builder_free (heap);
    session->context->preview (session->context->previewer,
                               pv_profile_builder_snapshot (session->builder));
}

/* Gives a preview if reading takes long and most of the file is still to come. */
static void
offer_preview (HeaptrackPipe *pipe)
{
    const HeaptrackSession *session = pipe->session;
    const PvReadContext *context = session->context;
    if (context->preview == NULL || pipe->has_preview || session->stack_of_site.len == 0)
        return;
    int64_t spent_us = g_get_monotonic_time () - pipe->start_us;
    if (spent_us < (int64_t)context->preview_after_ms * 1000)
        return;
    pipe->has_preview = true;
    uint64_t position = atomic_load_explicit (&session->feed.position, memory_order_relaxed);
    if (position < session->file_bytes / 2)
        give_preview (pipe);
}

/* False if reading ends here. */
static bool
tokenise (HeaptrackPipe *pipe, const HeaptrackText *text)
{
    HeaptrackSession *session = pipe->session;
    heaptrack_tokenise (session, text);
    offer_preview (pipe);
    return heaptrack_has_memory (session) && !pv_job_is_cancelled (session->context->job);
}

/* Tokenises all texts; the first one has been read. */
static void
run_tokeniser (HeaptrackPipe *pipe)
{
    HeaptrackFeed *feed = &pipe->session->feed;
    HeaptrackText *text = &pipe->texts[0];
    size_t slot = 0;
    if (!pipe->has_feed_thread) {
        while (tokenise (pipe, text) && heaptrack_feed_fill (feed, text))
            ;
        return;
    }
    while (pv_stage_ring_wait (&pipe->text_ring, TEXT_TOKENISE, &slot)) {
        bool continues = tokenise (pipe, &pipe->texts[slot]);
        pv_stage_ring_pass (&pipe->text_ring, TEXT_TOKENISE);
        if (!continues)
            break;
    }
    pv_stage_ring_stop (&pipe->text_ring);
}

/* Threads */

static unsigned
count_threads (const HeaptrackSession *session)
{
    unsigned n = session->context->n_workers;
    if (n == 0)
        n = (unsigned)CLAMP (sysconf (_SC_NPROCESSORS_ONLN), 1, MAX_THREADS);
    return n;
}

/* If a thread cannot be created, the others do its work. */
static void
start_threads (HeaptrackPipe *pipe, unsigned n_threads)
{
    if (n_threads > 3)
        pipe->has_history_thread =
            pthread_create (&pipe->history_thread, NULL, run_history, pipe) == 0;
    if (!pipe->has_history_thread)
        pipe->batch_ring.n_stages = BATCH_HISTORY;
    if (n_threads > 2)
        pipe->has_blocks_thread =
            pthread_create (&pipe->blocks_thread, NULL, run_blocks, pipe) == 0;
    if (n_threads > 1)
        pipe->has_feed_thread = pthread_create (&pipe->feed_thread, NULL, run_feed, pipe) == 0;
}

static void
join_threads (HeaptrackPipe *pipe)
{
    if (pipe->has_feed_thread)
        pthread_join (pipe->feed_thread, NULL);
    if (pipe->has_blocks_thread)
        pthread_join (pipe->blocks_thread, NULL);
    if (pipe->has_history_thread)
        pthread_join (pipe->history_thread, NULL);
}

bool
heaptrack_run (HeaptrackSession *session)
{
    g_assert (session != NULL && session->batch == NULL);
    HeaptrackPipe *pipe = g_new0 (HeaptrackPipe, 1);
    pipe->session = session;
    pipe->start_us = g_get_monotonic_time ();
    session->pipe = pipe;
    session->push_batch = push_batch;
    pv_stage_ring_init (&pipe->text_ring, N_TEXTS, N_TEXT_STAGES);
    pv_stage_ring_init (&pipe->batch_ring, N_BATCHES, N_BATCH_STAGES);

    size_t slot = 0;
    pv_stage_ring_wait (&pipe->text_ring, TEXT_FEED, &slot);
    bool has_text = heaptrack_feed_fill (&session->feed, &pipe->texts[slot]);
    pv_stage_ring_pass (&pipe->text_ring, TEXT_FEED);
    unsigned n_threads = has_text && !session->feed.is_at_end ? count_threads (session) : 1;
    pipe->batches = g_new (HeaptrackBatch, n_threads > 2 ? N_BATCHES : 1);
    start_threads (pipe, n_threads);
    take_batch (pipe);
    if (has_text)
        run_tokeniser (pipe);
    push_batch (session);
    pv_stage_ring_close (&pipe->batch_ring);
    join_threads (pipe);

    pv_stage_ring_clear (&pipe->text_ring);
    pv_stage_ring_clear (&pipe->batch_ring);
    for (size_t i = 0; i < N_TEXTS; i++)
        g_free (pipe->texts[i].bytes);
    g_free (pipe->batches);
    g_free (pipe);
    session->pipe = NULL;
    session->batch = NULL;
    return !pv_job_is_cancelled (session->context->job);
}
