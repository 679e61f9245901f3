/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "record/perf/perf-pipe.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "record/run/recording.h"

enum { PIPE_BYTES = 1 << 20 };

/* Shared by the owner and the thread; the last user frees it. */
struct PvPerfPipe {
    int from, to;
    int breaker; /* eventfd; readable: stop */
    int code;
    pthread_t thread; /* the owner joins or detaches it */
    GMainContext *context;
    PvPerfPipeEvents events;
    bool is_forgotten; /* used only in the context */
};

static void
free_shared (void *data)
{
    PvPerfPipe *pipe = data;
    close (pipe->breaker);
    g_main_context_unref (pipe->context);
}

static void
release_shared (void *data)
{
    g_atomic_rc_box_release_full (data, free_shared);
}

static gboolean
tell_begun (gpointer user)
{
    PvPerfPipe *pipe = user;
    if (!pipe->is_forgotten)
        pipe->events.begun (pipe->events.user);
    return G_SOURCE_REMOVE;
}

static gboolean
tell_ended (gpointer user)
{
    PvPerfPipe *pipe = user;
    if (!pipe->is_forgotten)
        pipe->events.ended (pipe->code, pipe->events.user);
    return G_SOURCE_REMOVE;
}

static void
tell (PvPerfPipe *pipe, GSourceFunc function)
{
    GSource *source = g_idle_source_new ();
    g_source_set_priority (source, G_PRIORITY_DEFAULT);
    g_source_set_callback (source, function, g_atomic_rc_box_acquire (pipe), release_shared);
    g_source_attach (source, pipe->context);
    g_source_unref (source);
}

static int
write_all (int fd, const char *bytes, size_t size)
{
    while (size > 0) {
        ssize_t n = write (fd, bytes, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return n < 0 ? errno : ENOSPC;
        bytes += n;
        size -= (size_t)n;
    }
    return 0;
}

static int
copy (PvPerfPipe *pipe, char *buffer)
{
    bool has_begun = false;
    for (;;) {
        struct pollfd files[] = {{.fd = pipe->from, .events = POLLIN},
                                 {.fd = pipe->breaker, .events = POLLIN}};
        if (poll (files, G_N_ELEMENTS (files), -1) < 0) {
            if (errno == EINTR)
                continue;
            return errno;
        }
        if (files[1].revents != 0)
            return 0;
        ssize_t n = read (pipe->from, buffer, PIPE_BYTES);
        if (n < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        if (n <= 0)
            return n < 0 ? errno : 0;
        int code = write_all (pipe->to, buffer, (size_t)n);
        if (code != 0)
            return code;
        if (!has_begun)
            tell (pipe, tell_begun);
        has_begun = true;
    }
}

static void *
run (void *data)
{
    PvPerfPipe *pipe = data;
    char *buffer = g_malloc (PIPE_BYTES);
    pipe->code = copy (pipe, buffer);
    g_free (buffer);
    close (pipe->from);
    if (close (pipe->to) != 0 && pipe->code == 0)
        pipe->code = errno;
    tell (pipe, tell_ended);
    release_shared (pipe);
    return NULL;
}

static void
set_start_error (GError **error, int code)
{
    g_set_error (error, PV_RECORD_ERROR, PV_RECORD_ERROR_FAILED,
                 _ ("The recording could not be written: %s."), g_strerror (code));
}

PvPerfPipe *
pv_perf_pipe_start (int fd, const char *path, GMainContext *context, const PvPerfPipeEvents *events,
                    GError **error)
{
    int to = g_open (path, O_WRONLY | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
    int breaker = eventfd (0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (to < 0 || breaker < 0) {
        set_start_error (error, errno);
        if (to >= 0)
            close (to);
        if (breaker >= 0)
            close (breaker);
        close (fd);
        return NULL;
    }
    /* The largest size allowed, so that perf blocks less often. */
    fcntl (fd, F_SETPIPE_SZ, PIPE_BYTES);
    PvPerfPipe *pipe = g_atomic_rc_box_new0 (PvPerfPipe);
    pipe->from = fd;
    pipe->to = to;
    pipe->breaker = breaker;
    pipe->context = g_main_context_ref (context);
    pipe->events = *events;
    int code = pthread_create (&pipe->thread, NULL, run, g_atomic_rc_box_acquire (pipe));
    if (code == 0)
        return pipe;
    set_start_error (error, code);
    close (fd);
    close (to);
    release_shared (pipe);
    release_shared (pipe);
    return NULL;
}

void
pv_perf_pipe_break (PvPerfPipe *pipe)
{
    eventfd_write (pipe->breaker, 1);
}

void
pv_perf_pipe_forget (PvPerfPipe *pipe)
{
    pipe->is_forgotten = true;
}

void
pv_perf_pipe_free (PvPerfPipe *pipe)
{
    if (pipe == NULL)
        return;
    pv_perf_pipe_forget (pipe);
    pv_perf_pipe_break (pipe);
    pthread_detach (pipe->thread);
    release_shared (pipe);
}

void
pv_perf_pipe_finish (PvPerfPipe *pipe, bool is_patient)
{
    if (pipe == NULL)
        return;
    if (!is_patient)
        pv_perf_pipe_break (pipe);
    pthread_join (pipe->thread, NULL);
    release_shared (pipe);
}
