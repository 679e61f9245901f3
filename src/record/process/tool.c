/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "record/process/tool.h"

#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <glib/gi18n-lib.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/eventfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "record/process/launch.h"

enum {
    N_STANDARD_FDS = 3,
    STACK_BYTES = 256 << 10, /* for the thread */
};

/* Shared by the owner and the thread; the last user frees it. */
struct PvTool {
    atomic_uint n_users;
    /* Used by the thread only. */
    PvSubprocess program; /* its texts are the tool's own */
    int fds[PV_LAUNCH_MAX_FDS];
    char *helper; /* NULL: not needed */
    int last_signal;

    int event_fd;     /* eventfd, readable once the tool has ended */
    GSource *watcher; /* used by the owner */
    PvToolEnded ended;
    void *user;

    pthread_mutex_t mutex;
    pthread_cond_t changed;
    pid_t pid;          /* 0: not started yet, or reaped */
    int waiting_signal; /* to send once it is started */
    bool has_started;
    PvToolEnd end; /* complete once it has ended */
};

/* The thread */

static void
close_fd (int *fd)
{
    if (*fd >= 0)
        close (*fd);
    *fd = -1;
}

/* Our copies must be closed, or readers never see the end of the program's output. */
static void
close_fds (PvTool *tool)
{
    for (unsigned i = 0; i < tool->program.n_fds; i++)
        close_fd (&tool->fds[i]);
}

static void
release (PvTool *tool)
{
    if (atomic_fetch_sub (&tool->n_users, 1) != 1)
        return;
    close_fds (tool);
    close_fd (&tool->event_fd);
    g_free (tool->helper);
    g_free ((char *)tool->program.path);
    g_strfreev ((char **)tool->program.argv);
    g_strfreev ((char **)tool->program.environment);
    pthread_cond_destroy (&tool->changed);
    pthread_mutex_destroy (&tool->mutex);
    g_free (tool);
}

static void
note_start (PvTool *tool, pid_t pid, int start_errno)
{
    pthread_mutex_lock (&tool->mutex);
    tool->has_started = true;
    tool->end.start_errno = start_errno;
    tool->pid = pid;
    if (pid > 0 && tool->waiting_signal != 0)
        kill (pid, tool->waiting_signal);
    pthread_cond_broadcast (&tool->changed);
    pthread_mutex_unlock (&tool->mutex);
}

/* The pid is valid until the process is reaped, so reaps while no one can send a signal. */
static void
wait_for_end (PvTool *tool, pid_t pid)
{
    siginfo_t info;
    while (waitid (P_PID, (id_t)pid, &info, WEXITED | WNOWAIT) != 0 && errno == EINTR)
        ;
    pthread_mutex_lock (&tool->mutex);
    while (waitpid (pid, &tool->end.wait_status, 0) < 0 && errno == EINTR)
        ;
    tool->pid = 0;
    pthread_mutex_unlock (&tool->mutex);
}

/* Only the helper can ask for a signal at our end. 0 or errno. */
static int
launch (PvTool *tool, pid_t *ret_pid)
{
    PvLaunchFailure failure = {0};
    int control_fd = -1;
    const PvLaunch order = {
        .helper = tool->helper,
        .program = tool->program,
        .last_signal = tool->last_signal,
    };
    int code = tool->helper != NULL ? pv_launch (&order, ret_pid, &control_fd)
                                    : pv_subprocess_start (&tool->program, ret_pid);
    close_fds (tool);
    if (control_fd < 0)
        return code;
    pv_launch_find_failure (control_fd, true, &failure);
    close (control_fd);
    return failure.code;
}

/* Lives as long as the process, because last_signal is sent when this thread ends. */
static void *
run_thread (void *data)
{
    PvTool *tool = data;
    pid_t pid = 0;
    int start_errno = launch (tool, &pid);
    note_start (tool, pid, start_errno);
    if (pid > 0)
        wait_for_end (tool, pid);
    eventfd_write (tool->event_fd, 1);
    release (tool);
    return NULL;
}

/* Blocks all signals in the thread: they are for the main thread. 0 or errno. */
static int
start_thread (PvTool *tool)
{
    pthread_attr_t attributes;
    pthread_t thread;
    sigset_t all, before;
    sigfillset (&all);
    pthread_attr_init (&attributes);
    pthread_attr_setdetachstate (&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize (&attributes, STACK_BYTES);
    pthread_sigmask (SIG_SETMASK, &all, &before);
    int code = pthread_create (&thread, &attributes, run_thread, tool);
    pthread_sigmask (SIG_SETMASK, &before, NULL);
    pthread_attr_destroy (&attributes);
    return code;
}

/* The owner */

static bool
set_start_error (GError **error, int code)
{
    g_set_error (error, G_SPAWN_ERROR, G_SPAWN_ERROR_FAILED,
                 _ ("A process could not be started: %s."), g_strerror (code));
    return false;
}

static gboolean
tell_ended (int fd, GIOCondition condition, gpointer data)
{
    (void)fd, (void)condition;
    PvTool *tool = data;
    PvToolEnd end;
    PvToolEnded ended = tool->ended;
    void *user = tool->user;
    pv_tool_wait (tool, 0, &end);
    pv_tool_forget (tool);
    ended (&end, user); /* last: the callback may free the tool */
    return G_SOURCE_REMOVE;
}

static bool
copy_fds (PvTool *tool, const PvSubprocess *program)
{
    unsigned n_fds = MAX (program->n_fds, (unsigned)N_STANDARD_FDS);
    for (unsigned *n = &tool->program.n_fds; *n < n_fds; ++*n) {
        int fd = *n < program->n_fds ? program->fds[*n] : -1;
        int copy = fd >= 0 ? fcntl (fd, F_DUPFD_CLOEXEC, PV_LAUNCH_FIRST_FD) : -1;
        if (fd >= 0 && copy < 0 && errno != EBADF)
            return false;
        tool->fds[*n] = copy;
    }
    return true;
}

static bool
open_all (PvTool *tool, const PvSubprocess *program, GError **error)
{
    tool->event_fd = eventfd (0, EFD_CLOEXEC | EFD_NONBLOCK);
    return (tool->event_fd >= 0 && copy_fds (tool, program)) || set_start_error (error, errno);
}

static PvTool *
make_tool (const PvSubprocess *program, int last_signal, PvToolEnded ended, void *user)
{
    PvTool *tool = g_new0 (PvTool, 1);
    atomic_init (&tool->n_users, 1);
    tool->event_fd = -1;
    tool->ended = ended;
    tool->user = user;
    tool->program = (PvSubprocess){
        .path = g_find_program_in_path (program->argv[0]),
        .argv = (const char *const *)g_strdupv ((char **)program->argv),
        .environment = (const char *const *)(program->environment != NULL
                                                 ? g_strdupv ((char **)program->environment)
                                                 : g_get_environ ()),
        .fds = tool->fds,
        .starts_session = program->starts_session,
    };
    tool->last_signal = last_signal;
    pthread_cond_init (&tool->changed, NULL);
    pthread_mutex_init (&tool->mutex, NULL);
    return tool;
}

static void
watch (PvTool *tool)
{
    if (tool->ended == NULL)
        return;
    tool->watcher = g_unix_fd_source_new (tool->event_fd, G_IO_IN);
    g_source_set_callback (tool->watcher, G_SOURCE_FUNC (tell_ended), tool, NULL);
    g_source_attach (tool->watcher, g_main_context_get_thread_default ());
}

static bool
find_files (PvTool *tool, GError **error)
{
    if (tool->program.path == NULL) {
        g_set_error (error, G_SPAWN_ERROR, G_SPAWN_ERROR_NOENT, _ ("There is no program “%s”."),
                     tool->program.argv[0]);
        return false;
    }
    if (tool->last_signal != 0)
        tool->helper = pv_launch_find_helper (error);
    return tool->last_signal == 0 || tool->helper != NULL;
}

PvTool *
pv_tool_start (const PvSubprocess *program, int last_signal, PvToolEnded ended, void *user,
               GError **error)
{
    g_assert (program->argv != NULL && program->argv[0] != NULL && program->path == NULL);
    g_assert (program->n_fds <= PV_LAUNCH_MAX_FDS);
    PvTool *tool = make_tool (program, last_signal, ended, user);
    bool is_started = find_files (tool, error) && open_all (tool, program, error);
    if (is_started) {
        atomic_fetch_add (&tool->n_users, 1);
        int code = start_thread (tool);
        is_started = code == 0 || set_start_error (error, code);
        if (!is_started)
            release (tool);
    }
    if (!is_started) {
        release (tool);
        return NULL;
    }
    watch (tool);
    return tool;
}

void
pv_tool_signal (PvTool *tool, int number)
{
    g_assert (tool != NULL && number > 0);
    pthread_mutex_lock (&tool->mutex);
    if (tool->pid > 0)
        kill (tool->pid, number);
    else if (!tool->has_started && tool->waiting_signal != SIGKILL)
        tool->waiting_signal = number;
    pthread_mutex_unlock (&tool->mutex);
}

int
pv_tool_wait_start (PvTool *tool)
{
    g_assert (tool != NULL);
    pthread_mutex_lock (&tool->mutex);
    while (!tool->has_started)
        pthread_cond_wait (&tool->changed, &tool->mutex);
    int code = tool->end.start_errno;
    pthread_mutex_unlock (&tool->mutex);
    return code;
}

bool
pv_tool_wait (PvTool *tool, unsigned milliseconds, PvToolEnd *ret_end)
{
    g_assert (tool != NULL);
    const int64_t deadline_us = g_get_monotonic_time () + (int64_t)milliseconds * 1000;
    struct pollfd ended = {.fd = tool->event_fd, .events = POLLIN};
    int64_t left_us = (int64_t)milliseconds * 1000;
    while (poll (&ended, 1, (int)(left_us / 1000)) < 0 && errno == EINTR)
        left_us = MAX (deadline_us - g_get_monotonic_time (), 0);
    if (ended.revents == 0)
        return false;
    pthread_mutex_lock (&tool->mutex);
    if (ret_end != NULL)
        *ret_end = tool->end;
    pthread_mutex_unlock (&tool->mutex);
    return true;
}

void
pv_tool_forget (PvTool *tool)
{
    g_assert (tool != NULL);
    if (tool->watcher == NULL)
        return;
    g_source_destroy (tool->watcher);
    g_clear_pointer (&tool->watcher, g_source_unref);
}

void
pv_tool_free (PvTool *tool)
{
    if (tool == NULL)
        return;
    pv_tool_forget (tool);
    release (tool);
}
