/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Stands in for heaptrack's libraries: replays a trace that heaptrack has recorded, slowly, while
 * the program that it is preloaded into does whatever it does. To be put in front of PATH:
 *
 *   PATH=BUILD/tests/record/standin/heaptrack/bin:$PATH
 *
 * With that, profview finds this heaptrack, and a gdb for attaching, and launches
 * (`--record=heaptrack -- sleep 3`) and attaches as with the real ones. Like them it opens
 * $DUMP_HEAPTRACK_OUTPUT, takes itself out of the environment of what the program starts, is gone
 * when the program execs, and stops short, in the middle of a line, when it is killed. It always
 * has written all of the trace when the program ends by itself.
 *
 *   PV_STANDIN_TRACE=FILE  .zst; otherwise heaptrack/killed.raw.zst in $PV_TEST_DATA, of a program
 *                          (tests/data/programs/heap.c, "steady") whose hot functions are
 *                          run_steady, wrapper, inlined_wrapper and temporary
 *   PV_STANDIN_SECONDS=S   that replaying takes; otherwise 2
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

enum { SLICE_MS = 20, MAX_PACKED_BYTES = 1 << 24, MAX_BYTES = 1 << 26 };

static char *trace;
static size_t trace_size;
static int pipe_fd = -1;
static unsigned n_slices;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static size_t n_written; /* under mutex */

static size_t
read_file (const char *path, char *bytes, size_t room)
{
    int fd = open (path, O_RDONLY | O_CLOEXEC);
    size_t size = 0;
    ssize_t n;
    while (fd >= 0 && size < room && (n = read (fd, bytes + size, room - size)) > 0)
        size += (size_t)n;
    if (fd >= 0)
        close (fd);
    return size;
}

static void
load_trace (void)
{
    char path[4096];
    const char *named = getenv ("PV_STANDIN_TRACE"), *data = getenv ("PV_TEST_DATA");
    snprintf (path, sizeof path, "%s%s",
              named != NULL  ? named
              : data != NULL ? data
                             : ".",
              named != NULL ? "" : "/heaptrack/killed.raw.zst");
    char *packed = malloc (MAX_PACKED_BYTES);
    trace = malloc (MAX_BYTES);
    ZSTD_DCtx *zstd = ZSTD_createDCtx ();
    ZSTD_inBuffer in = {packed, read_file (path, packed, MAX_PACKED_BYTES), 0};
    ZSTD_outBuffer out = {trace, MAX_BYTES, 0};
    while (in.pos < in.size && out.pos < out.size &&
           !ZSTD_isError (ZSTD_decompressStream (zstd, &out, &in)))
        ;
    ZSTD_freeDCtx (zstd);
    free (packed);
    trace_size = out.pos;
    if (trace_size == 0)
        fprintf (stderr, "stand-in for heaptrack: no trace in %s\n", path);
}

static void
write_until (size_t end)
{
    pthread_mutex_lock (&mutex);
    ssize_t n;
    while (n_written < end && (n = write (pipe_fd, trace + n_written, end - n_written)) > 0)
        n_written += (size_t)n;
    pthread_mutex_unlock (&mutex);
}

static void *
replay (void *data)
{
    (void)data;
    size_t first = trace_size / 4;
    for (unsigned i = 1; i <= n_slices; i++) {
        usleep (SLICE_MS * 1000);
        write_until (first + (trace_size - first) * i / n_slices);
    }
    return NULL;
}

/* Only the one that was launched is traced, not what it forks. */
static void
forget (void)
{
    close (pipe_fd);
    pipe_fd = -1;
}

__attribute__ ((constructor)) static void
begin (void)
{
    const char *output = getenv ("DUMP_HEAPTRACK_OUTPUT"), *seconds = getenv ("PV_STANDIN_SECONDS");
    pipe_fd = output != NULL ? open (output, O_WRONLY | O_CLOEXEC) : -1;
    if (pipe_fd < 0)
        return;
    load_trace ();
    unsetenv ("LD_PRELOAD");
    unsetenv ("DUMP_HEAPTRACK_OUTPUT");
    write_until (trace_size / 4);
    n_slices = (unsigned)((seconds != NULL ? atof (seconds) : 2) * 1000 / SLICE_MS) + 1;
    pthread_atfork (NULL, NULL, forget);
    pthread_t thread;
    if (pthread_create (&thread, NULL, replay, NULL) == 0)
        pthread_detach (thread);
}

__attribute__ ((destructor)) static void
end (void)
{
    if (pipe_fd >= 0)
        write_until (trace_size);
}
