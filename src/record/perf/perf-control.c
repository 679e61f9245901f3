/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Commands are lines; perf answers each with "ack\n" and a zero byte. Specification: --control in
 * perf-record(1).
 */
#include "record/perf/perf-control.h"

#include <errno.h>
#include <glib-unix.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "record/run/recording-private.h"

/* Returns the number of pending answers; -1: perf is gone. */
static int
take_answers (int fd)
{
    char bytes[256];
    int n_answers = 0;
    ssize_t n = recv (fd, bytes, sizeof bytes, MSG_DONTWAIT);
    if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
        return -1;
    for (ssize_t i = 0; i < n; i++)
        n_answers += bytes[i] == '\n';
    return n_answers;
}

static gboolean
read_answers (int fd, GIOCondition condition, gpointer user)
{
    (void)condition;
    PvPerfControl *control = user;
    int n_answers = take_answers (fd);
    if (n_answers < 0) {
        pv_source_clear (&control->source);
        return G_SOURCE_REMOVE;
    }
    if (n_answers > 0)
        control->answered (control->user); /* last: the callback may free the recording */
    return G_SOURCE_CONTINUE;
}

bool
pv_perf_control_open (PvPerfControl *control, GMainContext *context, void (*answered) (void *user),
                      void *user, int *ret_perf_fd, GError **error)
{
    int fds[2];
    /* A stream, because perf reads byte by byte. */
    if (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, fds) != 0) {
        g_set_error (error, PV_RECORD_ERROR, PV_RECORD_ERROR_FAILED,
                     _ ("The control connection to perf cannot be created: %s."),
                     g_strerror (errno));
        return false;
    }
    *control = (PvPerfControl){.is_open = true, .fd = fds[0], .answered = answered, .user = user};
    control->source = g_unix_fd_source_new (fds[0], G_IO_IN);
    g_source_set_callback (control->source, G_SOURCE_FUNC (read_answers), control, NULL);
    g_source_attach (control->source, context);
    *ret_perf_fd = fds[1];
    return true;
}

void
pv_perf_control_send (PvPerfControl *control, const char *command)
{
    if (!control->is_open)
        return;
    int code = errno;
    g_autofree char *line = g_strconcat (command, "\n", NULL);
    ssize_t n = send (control->fd, line, strlen (line), MSG_NOSIGNAL | MSG_DONTWAIT);
    (void)n;
    errno = code;
}

void
pv_perf_control_forget (PvPerfControl *control)
{
    pv_source_clear (&control->source);
}

void
pv_perf_control_close (PvPerfControl *control)
{
    if (!control->is_open)
        return;
    pv_perf_control_forget (control);
    close (control->fd);
    control->is_open = false;
}
