/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "record/heap/heaptrack-pump.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "record/launcher/guardian.h"
#include "record/process/background.h"
#include "record/process/launch.h"
#include "record/process/tool.h"

struct PvHeaptrackPump {
    PvTool *guardian;
    int socket_fd;
    int pipe_fd; /* for the case that the guardian is killed */
    bool is_quitting;
    PvHeaptrackPumpStatus status;
};

/* The guardian's end */

/* Lets a detached cat read the pipe; it must not get Ctrl+C from our terminal. */
static void
hand_over (int pipe_fd)
{
    PvSubprocess program = {
        .argv = (const char *const[]){"cat", NULL},
        .fds = &pipe_fd,
        .n_fds = 1,
        .starts_session = true,
    };
    int flags = fcntl (pipe_fd, F_GETFL);
    if (flags < 0 || fcntl (pipe_fd, F_SETFL, flags & ~O_NONBLOCK) != 0)
        return;
    PvTool *cat = pv_tool_start (&program, 0, NULL, NULL, NULL);
    if (cat != NULL)
        pv_tool_wait_start (cat);
    pv_tool_free (cat);
}

static void
note_gone (PvHeaptrackPump *pump)
{
    PvHeaptrackPumpStatus *status = &pump->status;
    status->is_guardian_gone = true;
    if (status->closed_at_us == 0 && status->was_opened)
        hand_over (pump->pipe_fd);
    if (status->is_complete)
        return;
    status->is_complete = true;
    status->error = EOWNERDEAD;
}

/* Takes what the guardian has sent so far. */
static void
receive (PvHeaptrackPump *pump)
{
    /* After PV_GUARDIAN_QUIT it closes its end once the file is complete. */
    while (!pump->status.is_guardian_gone && !(pump->is_quitting && pump->status.is_complete)) {
        PvGuardianStatus status;
        ssize_t n = recv (pump->socket_fd, &status, sizeof status, MSG_DONTWAIT);
        /* ECONNRESET comes once, before what was sent, if the guardian ended before it had read all
         * requests. */
        if (n < 0 && (errno == EINTR || errno == ECONNRESET))
            continue;
        if (n < 0 && errno == EAGAIN)
            return;
        if (n != sizeof status)
            note_gone (pump);
        else
            pump->status = (PvHeaptrackPumpStatus){
                .was_opened = status.was_opened,
                .has_allocations = status.has_allocations,
                .is_complete = status.is_complete,
                .error = status.error,
                .closed_at_us = status.closed_at_us,
            };
    }
}

/* The start */

/* Beside the launcher. */
static char *
find_guardian (GError **error)
{
    g_autofree char *launcher = pv_launch_find_helper (error);
    g_autofree char *folder = launcher != NULL ? g_path_get_dirname (launcher) : NULL;
    g_autofree char *guardian =
        folder != NULL ? g_build_filename (folder, "profview-guardian", NULL) : NULL;
    if (guardian == NULL)
        return NULL;
    if (access (guardian, X_OK) == 0)
        return g_steal_pointer (&guardian);
    g_set_error (error, G_SPAWN_ERROR, G_SPAWN_ERROR_NOENT,
                 _ ("Profview’s helper program is missing: %s. Install Profview again."), guardian);
    return NULL;
}

static GStrv
make_argv (char *program, const PvHeaptrackCleanup *cleanup)
{
    g_autoptr (GStrvBuilder) argv = g_strv_builder_new ();
    g_strv_builder_add (argv, program);
    for (unsigned i = 0; cleanup != NULL && cleanup->files != NULL && cleanup->files[i] != NULL;
         i++) {
        g_autofree char *argument = g_strconcat ("--unlink=", cleanup->files[i], NULL);
        g_strv_builder_add (argv, argument);
    }
    if (cleanup != NULL && cleanup->folder != NULL) {
        g_autofree char *argument = g_strconcat ("--rmdir=", cleanup->folder, NULL);
        g_strv_builder_add (argv, argument);
    }
    g_strv_builder_add (argv, "--");
    if (cleanup != NULL && cleanup->debugger != NULL)
        g_strv_builder_addv (argv, (const char **)cleanup->debugger);
    return g_strv_builder_end (argv);
}

/* The environment is also the debugger's. */
static bool
start_guardian (PvHeaptrackPump *pump, int file_fd, int socket_fd,
                const PvHeaptrackCleanup *cleanup, GError **error)
{
    g_autofree char *path = find_guardian (error);
    if (path == NULL)
        return false;
    g_auto (GStrv) argv = make_argv (path, cleanup);
    g_auto (GStrv) environment = g_environ_unsetenv (g_get_environ (), "DEBUGINFOD_URLS");
    int fds[] = {
        [PV_GUARDIAN_PIPE_FD] = pump->pipe_fd,
        [PV_GUARDIAN_FILE_FD] = file_fd,
        [STDERR_FILENO] = -1,
        [PV_GUARDIAN_SOCKET_FD] = socket_fd,
    };
    PvSubprocess program = {
        .argv = (const char *const *)argv,
        .environment = (const char *const *)environment,
        .fds = fds,
        .n_fds = G_N_ELEMENTS (fds),
        .starts_session = true,
    };
    pump->guardian = pv_tool_start (&program, 0, NULL, NULL, error);
    int code = pump->guardian != NULL ? pv_tool_wait_start (pump->guardian) : 0;
    if (code != 0)
        g_set_error (error, G_SPAWN_ERROR, G_SPAWN_ERROR_FAILED,
                     _ ("A process could not be started: %s."), g_strerror (code));
    return pump->guardian != NULL && code == 0;
}

static void
free_pump (PvHeaptrackPump *pump)
{
    pv_tool_free (pump->guardian);
    if (pump->socket_fd >= 0)
        close (pump->socket_fd);
    close (pump->pipe_fd);
    g_free (pump);
}

PvHeaptrackPump *
pv_heaptrack_pump_start (int pipe_fd, int file_fd, const char *comment,
                         const PvHeaptrackCleanup *cleanup, GError **error)
{
    g_assert (pipe_fd >= 0 && file_fd >= 0);
    g_assert (comment == NULL || strlen (comment) < PV_GUARDIAN_MAX_COMMENT_BYTES);
    PvHeaptrackPump *pump = g_new0 (PvHeaptrackPump, 1);
    pump->pipe_fd = pipe_fd;
    int ends[2] = {-1, -1};
    size_t size = comment != NULL ? strlen (comment) : 1;
    bool is_connected = socketpair (AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) == 0;
    pump->socket_fd = ends[0];
    if (is_connected)
        is_connected = send (ends[0], comment != NULL ? comment : "", size, MSG_NOSIGNAL) > 0;
    if (!is_connected)
        g_set_error (error, G_SPAWN_ERROR, G_SPAWN_ERROR_FAILED,
                     _ ("A process could not be started: %s."), g_strerror (errno));
    bool is_started = is_connected && start_guardian (pump, file_fd, ends[1], cleanup, error);
    close (file_fd);
    if (ends[1] >= 0)
        close (ends[1]);
    if (is_started)
        return pump;
    free_pump (pump);
    return NULL;
}

/* API */

int
pv_heaptrack_pump_get_event_fd (const PvHeaptrackPump *pump)
{
    g_assert (pump != NULL);
    return pump->socket_fd;
}

PvHeaptrackPumpStatus
pv_heaptrack_pump_get_status (PvHeaptrackPump *pump)
{
    g_assert (pump != NULL);
    receive (pump);
    return pump->status;
}

/* If the guardian is gone, the status will show it. */
static void
request (PvHeaptrackPump *pump, PvGuardianRequest what)
{
    char byte = (char)what;
    (void)send (pump->socket_fd, &byte, 1, MSG_NOSIGNAL | MSG_DONTWAIT);
}

void
pv_heaptrack_pump_flush (PvHeaptrackPump *pump)
{
    g_assert (pump != NULL);
    request (pump, PV_GUARDIAN_FLUSH);
}

void
pv_heaptrack_pump_finish (PvHeaptrackPump *pump)
{
    g_assert (pump != NULL);
    request (pump, PV_GUARDIAN_FINISH);
}

static void
wait_until_complete (void *data)
{
    PvHeaptrackPump *pump = data;
    while (!pv_heaptrack_pump_get_status (pump).is_complete) {
        struct pollfd fds = {.fd = pump->socket_fd, .events = POLLIN};
        poll (&fds, 1, -1);
    }
    free_pump (pump);
}

void
pv_heaptrack_pump_free (PvHeaptrackPump *pump)
{
    if (pump == NULL)
        return;
    pump->is_quitting = true;
    request (pump, PV_GUARDIAN_QUIT);
    if (pv_heaptrack_pump_get_status (pump).is_complete)
        free_pump (pump);
    else
        pv_background_run (wait_until_complete, pump);
}
