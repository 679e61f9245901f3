/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "record/heap/heaptrack-pump.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>
#include <zstd.h>

#include "record/process/background.h"
#include "record/process/tool.h"

enum {
    BUFFER_BYTES = 256 * 1024,
    PIPE_BYTES = 1024 * 1024, /* the default limit for unprivileged users */
    SMALL_READ_BYTES = 64 * 1024,
    /* Pause between reads, so that not every 4 KiB write of the program wakes the reader. Even at
     * 500 MB/s the pipe does not fill up in that time. */
    COLLECT_US = 1000,
    FRAME_US = 500 * 1000,
    FRAME_BYTES = 1024 * 1024, /* uncompressed */
    PROBE_MS = 100,
    LEVEL = 3, /* zstd's default, as in heaptrack */
};

enum { REQUEST_FLUSH = 1, REQUEST_FINISH = 2, REQUEST_QUIT = 4 };

struct PvHeaptrackPump {
    atomic_uint n_users; /* the thread and the owner */
    int wake_fd, event_fd;
    atomic_uint requests;
    pthread_mutex_t mutex;
    PvHeaptrackPumpStatus status; /* under mutex */

    /* Used by the thread only. */
    char *comment;        /* to insert after the first line; NULL: none, or done */
    int pipe_fd, file_fd; /* file_fd: -1 once it is complete */
    size_t pipe_bytes;
    bool was_opened, has_allocations, is_closed;
    ZSTD_CCtx *zstd;
    char *buffer; /* unprocessed input, often with a partial line at its end */
    size_t len;
    uint8_t *packed; /* the current frame */
    size_t packed_len, packed_size;
    size_t frame_bytes; /* uncompressed, in the current frame */
    int64_t frame_started_at_us;
    off_t whole_end; /* end of the complete frames in the file */
};

static void
notify (int event_fd)
{
    uint64_t one = 1;
    while (write (event_fd, &one, sizeof one) < 0 && errno == EINTR)
        ;
}

static void
publish (PvHeaptrackPump *pump, int error)
{
    pthread_mutex_lock (&pump->mutex);
    PvHeaptrackPumpStatus *status = &pump->status;
    status->was_opened = pump->was_opened;
    status->has_allocations = pump->has_allocations;
    if (pump->file_fd < 0 && !status->is_complete) {
        status->is_complete = true;
        status->error = error;
    }
    if (pump->is_closed && status->closed_at_us == 0)
        status->closed_at_us = g_get_monotonic_time ();
    pthread_mutex_unlock (&pump->mutex);
    notify (pump->event_fd);
}

/* The file */

/* Cuts off an incomplete frame, which would damage the file. */
static void
give_up_file (PvHeaptrackPump *pump, int error)
{
    if (ftruncate (pump->file_fd, pump->whole_end) != 0 && error == 0)
        error = errno;
    close (pump->file_fd);
    pump->file_fd = -1;
    publish (pump, error);
}

static bool
write_frame (PvHeaptrackPump *pump)
{
    const uint8_t *pos = pump->packed;
    size_t left = pump->packed_len;
    while (left > 0) {
        ssize_t n = write (pump->file_fd, pos, left);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0) {
            give_up_file (pump, n < 0 ? errno : ENOSPC);
            return false;
        }
        pos += n;
        left -= (size_t)n;
    }
    pump->whole_end += (off_t)pump->packed_len;
    pump->packed_len = 0;
    pump->frame_bytes = 0;
    return true;
}

static bool
pack (PvHeaptrackPump *pump, const char *bytes, size_t size, ZSTD_EndDirective directive)
{
    ZSTD_inBuffer in = {bytes, size, 0};
    size_t left;
    do {
        if (pump->packed_size - pump->packed_len < ZSTD_CStreamOutSize ()) {
            pump->packed_size = 2 * pump->packed_size + ZSTD_CStreamOutSize ();
            pump->packed = g_realloc (pump->packed, pump->packed_size);
        }
        ZSTD_outBuffer out = {pump->packed + pump->packed_len, pump->packed_size - pump->packed_len,
                              0};
        left = ZSTD_compressStream2 (pump->zstd, &out, &in, directive);
        if (ZSTD_isError (left)) {
            give_up_file (pump, ENOMEM);
            return false;
        }
        pump->packed_len += out.pos;
    } while (in.pos < in.size || (directive == ZSTD_e_end && left > 0));
    return true;
}

static void
end_frame (PvHeaptrackPump *pump)
{
    if (pump->file_fd >= 0 && pump->frame_bytes > 0 && pack (pump, NULL, 0, ZSTD_e_end))
        write_frame (pump);
}

static void
complete_file (PvHeaptrackPump *pump)
{
    end_frame (pump);
    if (pump->file_fd < 0)
        return;
    int error = close (pump->file_fd) == 0 || errno == EINTR ? 0 : errno;
    pump->file_fd = -1;
    publish (pump, error);
}

/* The pipe */

/* bytes starts at a line. */
static bool
has_allocation (const char *bytes, size_t size)
{
    return (size >= 2 && memcmp (bytes, "+ ", 2) == 0) || memmem (bytes, size, "\n+ ", 3) != NULL;
}

static void
pack_into_frame (PvHeaptrackPump *pump, const char *bytes, size_t size)
{
    if (pump->file_fd < 0 || size == 0)
        return;
    if (pump->frame_bytes == 0)
        pump->frame_started_at_us = g_get_monotonic_time ();
    pump->frame_bytes += size;
    pack (pump, bytes, size, ZSTD_e_continue);
}

/* Packs the first line, then the comment: readers expect the version first. Returns the number of
 * bytes consumed. */
static size_t
pack_first_line (PvHeaptrackPump *pump, size_t size)
{
    const char *newline = memchr (pump->buffer, '\n', size);
    if (newline == NULL || pump->comment == NULL)
        return 0;
    size_t first_size = (size_t)(newline - pump->buffer) + 1;
    pack_into_frame (pump, pump->buffer, first_size);
    pack_into_frame (pump, pump->comment, strlen (pump->comment));
    g_clear_pointer (&pump->comment, g_free);
    return first_size;
}

/* Packs the buffer's complete lines and keeps the rest. */
static void
take_lines (PvHeaptrackPump *pump)
{
    const char *newline = memrchr (pump->buffer, '\n', pump->len);
    size_t size = newline != NULL ? (size_t)(newline - pump->buffer) + 1 : 0;
    if (size == 0 && pump->len == BUFFER_BYTES)
        size = pump->len; /* heaptrack writes no lines that long */
    if (pump->file_fd < 0)
        size = pump->len;
    if (!pump->has_allocations && has_allocation (pump->buffer, size)) {
        pump->has_allocations = true;
        publish (pump, 0);
    }
    size_t packed = pack_first_line (pump, size);
    pack_into_frame (pump, pump->buffer + packed, size - packed);
    memmove (pump->buffer, pump->buffer + size, pump->len - size);
    pump->len -= size;
}

static void
note_opened (PvHeaptrackPump *pump)
{
    if (pump->was_opened)
        return;
    pump->was_opened = true;
    publish (pump, 0);
}

/* Returns the number of bytes read; 0: no data now. */
static size_t
read_some (PvHeaptrackPump *pump)
{
    ssize_t n = read (pump->pipe_fd, pump->buffer + pump->len, BUFFER_BYTES - pump->len);
    /* EAGAIN: a writer has the pipe open. */
    if (n < 0 && errno == EAGAIN)
        note_opened (pump);
    if (n == 0 && pump->was_opened)
        pump->is_closed = true;
    if (n <= 0)
        return 0;
    pump->len += (size_t)n;
    take_lines (pump);
    if (pump->frame_bytes >= FRAME_BYTES)
        end_frame (pump);
    return (size_t)n;
}

/* Takes what the pipe holds now, but not what the program writes meanwhile. */
static void
finish (PvHeaptrackPump *pump)
{
    size_t n, total = 0;
    while (pump->file_fd >= 0 && total < pump->pipe_bytes && (n = read_some (pump)) > 0)
        total += n;
    complete_file (pump);
}

static bool
is_frame_due (const PvHeaptrackPump *pump, int64_t *ret_in_us)
{
    if (pump->file_fd < 0 || pump->frame_bytes == 0)
        return false;
    *ret_in_us = pump->frame_started_at_us + FRAME_US - g_get_monotonic_time ();
    return true;
}

static void
wait_for_something (PvHeaptrackPump *pump)
{
    struct pollfd fds[] = {{.fd = pump->pipe_fd, .events = POLLIN},
                           {.fd = pump->wake_fd, .events = POLLIN}};
    int64_t in_us;
    int timeout_ms = pump->was_opened ? -1 : PROBE_MS;
    if (is_frame_due (pump, &in_us))
        timeout_ms = (int)(MAX (in_us, 0) / 1000 + 1);
    uint64_t count;
    if (poll (fds, G_N_ELEMENTS (fds), timeout_ms) <= 0)
        return;
    /* POLLHUP: a writer had the pipe open, even if it wrote nothing. */
    if ((fds[0].revents & (POLLIN | POLLHUP)) != 0)
        note_opened (pump);
    if ((fds[1].revents & POLLIN) != 0)
        while (read (pump->wake_fd, &count, sizeof count) < 0 && errno == EINTR)
            ;
}

static void
pump_until_told (PvHeaptrackPump *pump)
{
    while (!pump->is_closed) {
        wait_for_something (pump);
        unsigned requests = atomic_exchange (&pump->requests, 0);
        size_t n = read_some (pump);
        int64_t in_us;
        if ((requests & REQUEST_FLUSH) != 0 || (is_frame_due (pump, &in_us) && in_us <= 0))
            end_frame (pump);
        if ((requests & (REQUEST_FINISH | REQUEST_QUIT)) != 0)
            finish (pump);
        if ((requests & REQUEST_QUIT) != 0)
            return;
        if (n > 0 && n < SMALL_READ_BYTES && pump->pipe_bytes >= PIPE_BYTES)
            g_usleep (COLLECT_US);
    }
    complete_file (pump);
    publish (pump, 0);
}

/* Lets a detached cat read the pipe; it must not get Ctrl+C from our terminal. */
static void
hand_over (int pipe_fd)
{
    PvToolOptions options = {
        .argv = (const char *const[]){"cat", NULL},
        .fds = &pipe_fd,
        .n_fds = 1,
        .has_own_session = true,
    };
    int flags = fcntl (pipe_fd, F_GETFL);
    if (flags < 0 || fcntl (pipe_fd, F_SETFL, flags & ~O_NONBLOCK) != 0)
        return;
    PvTool *cat = pv_tool_start (&options, NULL, NULL, NULL);
    if (cat != NULL)
        pv_tool_wait_start (cat);
    pv_tool_free (cat);
}

static void
free_memory (PvHeaptrackPump *pump)
{
    int fds[] = {pump->pipe_fd, pump->file_fd, pump->wake_fd, pump->event_fd};
    for (unsigned i = 0; i < G_N_ELEMENTS (fds); i++) {
        if (fds[i] >= 0)
            close (fds[i]);
    }
    ZSTD_freeCCtx (pump->zstd);
    pthread_mutex_destroy (&pump->mutex);
    g_free (pump->comment);
    g_free (pump->packed);
    g_free (pump->buffer);
    g_free (pump);
}

/* Either the thread or the owner may be the last user. */
static void
drop (PvHeaptrackPump *pump)
{
    if (atomic_fetch_sub (&pump->n_users, 1) > 1)
        return;
    free_memory (pump);
    pv_background_end ();
}

static void *
run (void *data)
{
    PvHeaptrackPump *pump = data;
    pump_until_told (pump);
    if (pump->was_opened && !pump->is_closed)
        hand_over (pump->pipe_fd);
    drop (pump);
    return NULL;
}

/* API */

static int
start_thread (PvHeaptrackPump *pump)
{
    pthread_t thread;
    atomic_init (&pump->n_users, 2);
    int code = pthread_create (&thread, NULL, run, pump);
    if (code == 0)
        pthread_detach (thread);
    return code;
}

PvHeaptrackPump *
pv_heaptrack_pump_start (int pipe_fd, int file_fd, const char *comment)
{
    PvHeaptrackPump *pump = g_new0 (PvHeaptrackPump, 1);
    pump->comment = g_strdup (comment);
    pump->pipe_fd = pipe_fd;
    pump->file_fd = file_fd;
    pump->wake_fd = eventfd (0, EFD_CLOEXEC | EFD_NONBLOCK);
    pump->event_fd = eventfd (0, EFD_CLOEXEC | EFD_NONBLOCK);
    pump->zstd = ZSTD_createCCtx ();
    pump->buffer = g_malloc (BUFFER_BYTES);
    pthread_mutex_init (&pump->mutex, NULL);
    /* Fails for users with many pipes; the pipe keeps its size then. */
    (void)fcntl (pipe_fd, F_SETPIPE_SZ, PIPE_BYTES);
    int pipe_bytes = fcntl (pipe_fd, F_GETPIPE_SZ);
    pump->pipe_bytes = pipe_bytes > 0 ? (size_t)pipe_bytes : 65536;
    int code = pump->wake_fd < 0 || pump->event_fd < 0 ? errno : 0;
    if (code == 0 && (pump->zstd == NULL || ZSTD_isError (ZSTD_CCtx_setParameter (
                                                pump->zstd, ZSTD_c_compressionLevel, LEVEL))))
        code = ENOMEM;
    if (code == 0)
        code = start_thread (pump);
    if (code == 0)
        return pump;
    free_memory (pump);
    errno = code;
    return NULL;
}

int
pv_heaptrack_pump_get_event_fd (const PvHeaptrackPump *pump)
{
    return pump->event_fd;
}

PvHeaptrackPumpStatus
pv_heaptrack_pump_get_status (PvHeaptrackPump *pump)
{
    pthread_mutex_lock (&pump->mutex);
    PvHeaptrackPumpStatus status = pump->status;
    pthread_mutex_unlock (&pump->mutex);
    return status;
}

static void
request (PvHeaptrackPump *pump, unsigned what)
{
    atomic_fetch_or (&pump->requests, what);
    notify (pump->wake_fd);
}

void
pv_heaptrack_pump_flush (PvHeaptrackPump *pump)
{
    request (pump, REQUEST_FLUSH);
}

void
pv_heaptrack_pump_finish (PvHeaptrackPump *pump)
{
    request (pump, REQUEST_FINISH);
}

void
pv_heaptrack_pump_free (PvHeaptrackPump *pump)
{
    if (pump == NULL)
        return;
    pv_background_begin ();
    request (pump, REQUEST_QUIT);
    drop (pump);
}
