/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "record/process/tool.h"

#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <glib/gi18n-lib.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/eventfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "record/process/launch.h"

enum {
    N_STANDARD_FDS = 3,
    STACK_BYTES = 256 << 10, /* for the thread */
    MS_PER_S = 1000,
    NS_PER_MS = 1000000,
    NS_PER_S = 1000000000,
};

/* Shared by the owner and the thread; the last user frees it. */
struct PvTool {
    atomic_uint n_users;
    /* Used by the thread only. */
    char *helper; /* NULL: not needed */
    char *path;
    char **argv;
    char **environment;
    int fds[PV_LAUNCH_MAX_FDS];
    unsigned n_fds;
    bool has_own_session;
    int last_signal;

    int event_fd;     /* eventfd, readable once the tool has ended; -1: no callback */
    GSource *watcher; /* used by the owner */
    PvToolEnded ended;
    void *user;

    pthread_mutex_t mutex;
    pthread_cond_t changed;
    pid_t pid;          /* 0: not started yet, or reaped */
    int waiting_signal; /* to send once it is started */
    bool has_started, has_ended;
    PvToolEnd end;
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
    for (unsigned i = 0; i < tool->n_fds; i++)
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
    g_free (tool->path);
    g_strfreev (tool->argv);
    g_strfreev (tool->environment);
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

static void
note_end (PvTool *tool)
{
    pthread_mutex_lock (&tool->mutex);
    tool->has_ended = true;
    pthread_cond_broadcast (&tool->changed);
    pthread_mutex_unlock (&tool->mutex);
    if (tool->event_fd >= 0)
        eventfd_write (tool->event_fd, 1);
}

/* Only the helper can ask for a signal at our end. 0 or errno. */
static int
launch (PvTool *tool, pid_t *ret_pid)
{
    PvLaunchFailure failure = {0};
    int control_fd = -1;
    const PvLaunch order = {
        .helper = tool->helper,
        .program =
            {
                .path = tool->path,
                .argv = (const char *const *)tool->argv,
                .environment = (const char *const *)tool->environment,
                .fds = tool->fds,
                .n_fds = tool->n_fds,
                .has_own_session = tool->has_own_session,
            },
        .last_signal = tool->last_signal,
    };
    int code = tool->helper != NULL ? pv_launch (&order, ret_pid, &control_fd)
                                    : pv_subprocess_start (&order.program, ret_pid);
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
    note_end (tool);
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
copy_fds (PvTool *tool, const PvToolOptions *options)
{
    unsigned n_fds = MAX (options->n_fds, (unsigned)N_STANDARD_FDS);
    for (; tool->n_fds < n_fds; tool->n_fds++) {
        int fd = tool->n_fds < options->n_fds ? options->fds[tool->n_fds] : -1;
        int copy = fd >= 0 ? fcntl (fd, F_DUPFD_CLOEXEC, PV_LAUNCH_FIRST_FD) : -1;
        if (fd >= 0 && copy < 0 && errno != EBADF)
            return false;
        tool->fds[tool->n_fds] = copy;
    }
    return true;
}

static bool
open_all (PvTool *tool, const PvToolOptions *options, GError **error)
{
    bool is_open = copy_fds (tool, options);
    if (is_open && tool->ended != NULL) {
        tool->event_fd = eventfd (0, EFD_CLOEXEC | EFD_NONBLOCK);
        is_open = tool->event_fd >= 0;
    }
    return is_open || set_start_error (error, errno);
}

static PvTool *
make_tool (const PvToolOptions *options, PvToolEnded ended, void *user)
{
    PvTool *tool = g_new0 (PvTool, 1);
    atomic_init (&tool->n_users, 1);
    tool->event_fd = -1;
    tool->ended = ended;
    tool->user = user;
    tool->argv = g_strdupv ((char **)options->argv);
    tool->environment =
        options->environment != NULL ? g_strdupv ((char **)options->environment) : g_get_environ ();
    tool->has_own_session = options->has_own_session;
    tool->last_signal = options->last_signal;
    pthread_condattr_t clock;
    pthread_condattr_init (&clock);
    pthread_condattr_setclock (&clock, CLOCK_MONOTONIC);
    pthread_cond_init (&tool->changed, &clock);
    pthread_condattr_destroy (&clock);
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
    tool->path = g_find_program_in_path (tool->argv[0]);
    if (tool->path == NULL) {
        g_set_error (error, G_SPAWN_ERROR, G_SPAWN_ERROR_NOENT, _ ("There is no program “%s”."),
                     tool->argv[0]);
        return false;
    }
    if (tool->last_signal != 0)
        tool->helper = pv_launch_find_helper (error);
    return tool->last_signal == 0 || tool->helper != NULL;
}

PvTool *
pv_tool_start (const PvToolOptions *options, PvToolEnded ended, void *user, GError **error)
{
    g_assert (options->argv != NULL && options->argv[0] != NULL);
    g_assert (options->n_fds <= PV_LAUNCH_MAX_FDS);
    PvTool *tool = make_tool (options, ended, user);
    bool is_started = find_files (tool, error) && open_all (tool, options, error);
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
    struct timespec deadline;
    clock_gettime (CLOCK_MONOTONIC, &deadline);
    deadline.tv_sec += milliseconds / MS_PER_S;
    deadline.tv_nsec += (long)(milliseconds % MS_PER_S) * NS_PER_MS;
    if (deadline.tv_nsec >= NS_PER_S) {
        deadline.tv_sec++;
        deadline.tv_nsec -= NS_PER_S;
    }
    pthread_mutex_lock (&tool->mutex);
    int code = 0;
    while (!tool->has_ended && code == 0)
        code = pthread_cond_timedwait (&tool->changed, &tool->mutex, &deadline);
    bool has_ended = tool->has_ended;
    if (has_ended && ret_end != NULL)
        *ret_end = tool->end;
    pthread_mutex_unlock (&tool->mutex);
    return has_ended;
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
