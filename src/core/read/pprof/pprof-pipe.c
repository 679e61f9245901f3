/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Unpacking, parsing samples and building the tree of stacks take about the same time, so each has
 * a thread. Other messages have a thread too: they mostly come last, and are taken while the other
 * threads still work on samples.
 */
#include "core/read/pprof/pprof-pipe.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "core/read/pprof/pprof-samples.h"
#include "core/read/pprof/pprof-take.h"
#include "core/read/unpack/stage-ring.h"

enum { STAGE_FEED, STAGE_TAKE, STAGE_TAKE_SAMPLES, STAGE_ADD, N_STAGES };

typedef struct {
    PprofFile *file;
    PprofFeed feed;
    PvStageRing ring;
    PprofWindow windows[PPROF_MAX_WINDOWS];
    atomic_bool is_over; /* no more is wanted */
} Pipe;

static void *
run_feed (void *data)
{
    Pipe *pipe = data;
    size_t slot;
    while (pv_stage_ring_wait (&pipe->ring, STAGE_FEED, &slot) && !atomic_load (&pipe->is_over) &&
           pprof_feed_fill (&pipe->feed, &pipe->windows[slot]))
        pv_stage_ring_pass (&pipe->ring, STAGE_FEED);
    pv_stage_ring_close (&pipe->ring);
    return NULL;
}

static void
take (Pipe *pipe, PprofWindow *window)
{
    pprof_take_messages (pipe->file, window);
    if (pipe->file->is_full || pipe->file->is_concatenated)
        atomic_store (&pipe->is_over, true);
}

static void *
run_take (void *data)
{
    Pipe *pipe = data;
    size_t slot;
    while (pv_stage_ring_wait (&pipe->ring, STAGE_TAKE, &slot)) {
        take (pipe, &pipe->windows[slot]);
        pv_stage_ring_pass (&pipe->ring, STAGE_TAKE);
    }
    return NULL;
}

static void *
run_take_samples (void *data)
{
    Pipe *pipe = data;
    size_t slot;
    while (pv_stage_ring_wait (&pipe->ring, STAGE_TAKE_SAMPLES, &slot)) {
        pprof_take_samples (pipe->file, &pipe->windows[slot]);
        pv_stage_ring_pass (&pipe->ring, STAGE_TAKE_SAMPLES);
    }
    return NULL;
}

/* False if threads cannot be created. The feed starts last, so nothing has happened then. */
static bool
run_threads (Pipe *pipe, PvJob *job)
{
    static void *(*const functions[]) (void *) = {run_take_samples, run_take, run_feed};
    pthread_t threads[G_N_ELEMENTS (functions)];
    size_t n_threads = 0, slot;
    while (n_threads < G_N_ELEMENTS (functions) &&
           pthread_create (&threads[n_threads], NULL, functions[n_threads], pipe) == 0)
        n_threads++;
    bool has_all = n_threads == G_N_ELEMENTS (functions);
    while (has_all && !pv_job_is_cancelled (job) &&
           pv_stage_ring_wait (&pipe->ring, STAGE_ADD, &slot)) {
        pprof_add_taken (pipe->file, &pipe->windows[slot]);
        pv_stage_ring_pass (&pipe->ring, STAGE_ADD);
    }
    pv_stage_ring_stop (&pipe->ring);
    for (size_t i = 0; i < n_threads; i++)
        pthread_join (threads[i], NULL);
    return has_all;
}

static void
take_and_add (Pipe *pipe, PprofWindow *window)
{
    take (pipe, window);
    pprof_take_samples (pipe->file, window);
    pprof_add_taken (pipe->file, window);
}

/* Does the same on one thread. */
static void
run_alone (Pipe *pipe, PvJob *job)
{
    for (size_t n = 0; !pv_job_is_cancelled (job) && !atomic_load (&pipe->is_over); n++) {
        PprofWindow *window = &pipe->windows[n % pipe->feed.n_windows];
        if (!pprof_feed_fill (&pipe->feed, window))
            break;
        take_and_add (pipe, window);
    }
}

static void
clear_pipe (Pipe *pipe)
{
    for (size_t i = 0; i < PPROF_MAX_WINDOWS; i++) {
        PprofWindow *window = &pipe->windows[i];
        g_free (window->own);
        pv_array_clear (&window->samples);
        pv_array_clear (&window->frames);
        pv_array_clear (&window->values);
        pv_array_clear (&window->labels);
    }
    pprof_feed_clear (&pipe->feed);
    pv_stage_ring_clear (&pipe->ring);
}

/* Most files fit in the first window. */
PprofFeedEnd
pprof_read_all (PprofFile *file, PvUnpackStream *stream, PvJob *job, unsigned n_workers)
{
    Pipe pipe = {.file = file};
    bool may_thread = n_workers > 1 || (n_workers == 0 && sysconf (_SC_NPROCESSORS_ONLN) > 1);
    pprof_feed_init (&pipe.feed, stream, job);
    pv_stage_ring_init (&pipe.ring, pipe.feed.n_windows, N_STAGES);
    if (pprof_feed_fill (&pipe.feed, &pipe.windows[0]))
        take_and_add (&pipe, &pipe.windows[0]);
    bool has_more = pipe.feed.end == PPROF_FEED_MORE && !atomic_load (&pipe.is_over);
    if (has_more && !(may_thread && run_threads (&pipe, job)))
        run_alone (&pipe, job);
    PprofFeedEnd end = pipe.feed.end;
    clear_pipe (&pipe);
    return end;
}
