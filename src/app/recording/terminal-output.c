/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/recording/terminal-output.h"

#include <errno.h>
#include <glib-unix.h>
#include <glib/gi18n.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "app/work/work.h"
#include "core/base/format.h"

#define FEED_MS           33 /* drawing is slower than reading */
#define POLL_MS           200
#define MAX_UNWRITTEN     (1 << 20)
#define MAX_TYPED_AT_ONCE 1024

/* Shared by the worker that reads and the main loop; reference counted. */
typedef struct {
    int fd;
    GMutex mutex;
    /* n bytes from start wait to be shown; the buffer has twice PV_TERMINAL_MAX_WAITING. */
    char *bytes;
    size_t start, n;
    uint64_t n_skipped; /* skipped before start, not reported yet */
} Shared;

struct PvTerminalOutput {
    PvTerminalEvents events;
    Shared *shared;
    PvTask *task;
    guint feed_source;
    gboolean is_at_end; /* the worker has read everything */
    GByteArray *unwritten;
    guint write_source;
};

static void
shared_clear (gpointer data)
{
    Shared *shared = data;

    close (shared->fd);
    g_mutex_clear (&shared->mutex);
    g_free (shared->bytes);
}

static void
shared_unref (gpointer data)
{
    g_atomic_rc_box_release_full (data, shared_clear);
}

/* Reading, in a worker */

/* Skips half of what waits, up to the end of a line. */
static void
skip_oldest (Shared *shared)
{
    size_t n_skipped = shared->n - PV_TERMINAL_MAX_WAITING / 2;
    const char *kept = shared->bytes + shared->start + n_skipped;
    const char *end = memchr (kept, '\n', shared->n - n_skipped);

    if (end != NULL)
        n_skipped += (size_t)(end + 1 - kept);
    shared->start += n_skipped;
    shared->n -= n_skipped;
    shared->n_skipped += n_skipped;
}

static void
take_bytes (Shared *shared, const char *bytes, size_t n)
{
    g_mutex_lock (&shared->mutex);
    if (shared->n + n > PV_TERMINAL_MAX_WAITING)
        skip_oldest (shared);
    if (shared->start + shared->n + n > 2 * PV_TERMINAL_MAX_WAITING) {
        memmove (shared->bytes, shared->bytes + shared->start, shared->n);
        shared->start = 0;
    }
    memcpy (shared->bytes + shared->start + shared->n, bytes, n);
    shared->n += n;
    g_mutex_unlock (&shared->mutex);
}

static gpointer
read_all (gpointer data, PvJob *job, GError **error)
{
    Shared *shared = data;
    char bytes[1 << 14];

    while (!pv_job_is_cancelled (job)) {
        struct pollfd waiting = {.fd = shared->fd, .events = POLLIN};
        ssize_t n;
        if (poll (&waiting, 1, POLL_MS) == 0)
            continue;
        n = read (shared->fd, bytes, sizeof bytes);
        if (n > 0)
            take_bytes (shared, bytes, (size_t)n);
        else if (n == 0 || (errno != EINTR && errno != EAGAIN))
            break; /* EIO: the other end is closed */
    }
    return NULL;
}

/* Showing */

static size_t
measure_piece (const char *bytes, size_t n)
{
    size_t max = MIN (n, PV_TERMINAL_MAX_PIECE);
    unsigned n_lines = 0;
    size_t i = 0;

    while (i < max && n_lines < PV_TERMINAL_MAX_LINES)
        n_lines += bytes[i++] == '\n';
    return i;
}

static void
report_skipped (PvTerminalOutput *output, uint64_t n_skipped)
{
    g_autofree char *size = pv_format_amount (n_skipped, PV_UNIT_BYTES);
    g_autofree char *sentence = g_strdup_printf (_ ("… %s of output skipped …"), size);
    g_autofree char *line = g_strdup_printf ("\033[0;2m%s\033[0m\r\n", sentence);

    output->events.feed (output->events.owner, line, strlen (line));
}

static gboolean
feed (gpointer user)
{
    PvTerminalOutput *output = user;
    Shared *shared = output->shared;
    char piece[PV_TERMINAL_MAX_PIECE];
    uint64_t n_skipped;
    size_t n;

    g_mutex_lock (&shared->mutex);
    n = measure_piece (shared->bytes + shared->start, shared->n);
    memcpy (piece, shared->bytes + shared->start, n);
    shared->start += n;
    shared->n -= n;
    n_skipped = shared->n_skipped;
    shared->n_skipped = 0;
    g_mutex_unlock (&shared->mutex);

    if (n_skipped > 0)
        report_skipped (output, n_skipped);
    if (n > 0)
        output->events.feed (output->events.owner, piece, n);
    if (n > 0 || !output->is_at_end)
        return G_SOURCE_CONTINUE;
    output->feed_source = 0;
    output->events.ended (output->events.owner);
    return G_SOURCE_REMOVE;
}

static void
on_all_read (gpointer owner, gpointer result, const GError *error)
{
    PvTerminalOutput *output = owner;

    output->is_at_end = TRUE;
}

PvTerminalOutput *
pv_terminal_output_new (int fd, const PvTerminalEvents *events)
{
    PvTerminalOutput *output = g_new0 (PvTerminalOutput, 1);
    Shared *shared = g_atomic_rc_box_new0 (Shared);

    g_assert (fd >= 0 && events->feed != NULL && events->ended != NULL);
    shared->fd = fd;
    shared->bytes = g_malloc (2 * PV_TERMINAL_MAX_WAITING);
    g_mutex_init (&shared->mutex);
    output->events = *events;
    output->shared = shared;
    output->unwritten = g_byte_array_new ();
    output->task = pv_task_new (output, read_all, shared_unref, NULL, on_all_read);
    output->feed_source = g_timeout_add (FEED_MS, feed, output);
    pv_task_start (output->task, g_atomic_rc_box_acquire (shared));
    return output;
}

/* Typing */

/* False: a write would block. */
static gboolean
can_write (int fd)
{
    struct pollfd waiting = {.fd = fd, .events = POLLOUT};
    return poll (&waiting, 1, 0) > 0;
}

/* O_NONBLOCK would also apply to the process that drains the terminal after us, as it shares the
 * open file. Writing one byte where poll () reports room does not block. */
static gboolean
write_unwritten (int fd, GIOCondition condition, gpointer user)
{
    PvTerminalOutput *output = user;
    unsigned n_written = 0;

    while (n_written < MIN (output->unwritten->len, MAX_TYPED_AT_ONCE) && can_write (fd)) {
        ssize_t n = write (fd, output->unwritten->data + n_written, 1);
        if (n < 0 && errno != EAGAIN && errno != EINTR)
            n_written = output->unwritten->len; /* the other end is closed */
        else if (n > 0)
            n_written++;
    }
    g_byte_array_remove_range (output->unwritten, 0, n_written);
    if (output->unwritten->len > 0)
        return G_SOURCE_CONTINUE;
    output->write_source = 0;
    return G_SOURCE_REMOVE;
}

void
pv_terminal_output_write (PvTerminalOutput *output, const char *bytes, size_t n_bytes)
{
    g_assert (output != NULL);
    if (output->unwritten->len + n_bytes > MAX_UNWRITTEN)
        return;
    g_byte_array_append (output->unwritten, (const guint8 *)bytes, (unsigned)n_bytes);
    if (output->write_source == 0)
        output->write_source =
            g_unix_fd_add (output->shared->fd, G_IO_OUT, write_unwritten, output);
}

void
pv_terminal_output_set_size (PvTerminalOutput *output, unsigned rows, unsigned columns)
{
    struct winsize size = {.ws_row = (unsigned short)MIN (rows, 4096),
                           .ws_col = (unsigned short)MIN (columns, 4096)};

    g_assert (output != NULL);
    ioctl (output->shared->fd, TIOCSWINSZ, &size);
}

void
pv_terminal_output_close (PvTerminalOutput *output)
{
    g_assert (output != NULL);
    pv_task_close (output->task);
    g_clear_handle_id (&output->feed_source, g_source_remove);
    g_clear_handle_id (&output->write_source, g_source_remove);
    g_byte_array_unref (output->unwritten);
    shared_unref (output->shared);
    g_free (output);
}
