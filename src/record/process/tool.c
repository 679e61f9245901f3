/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "record/process/tool.h"

#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <glib/gi18n-lib.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "record/process/child-code.h"

enum {
    MAX_FDS = 4,
    FIRST_OWN_FD = 16, /* of copies, out of the way of the child's first ones */
    N_STANDARD_FDS = 3,
    MS_PER_S = 1000,
    NS_PER_MS = 1000000,
    NS_PER_S = 1000000000,
};

/* All that the child needs, made before. */
typedef struct {
    char *path;
    char **argv;
    char **environment;
    int fds[MAX_FDS];
    unsigned n_fds;
    int report_fd; /* the child's: errno, if it does not become the program */
    unsigned max_fds;
    bool has_own_session;
    int last_signal;
    pid_t parent;
} Setup;

/* Shared by the owner and the thread; the last one frees it. */
struct PvTool {
    atomic_uint n_users;
    Setup setup;      /* the thread's */
    int reading_fd;   /* of report_fd; the thread's */
    int event_fd;     /* can be read from when it has ended; -1: nobody is told */
    GSource *watcher; /* the owner's */
    PvToolEnded ended;
    void *user;

    pthread_mutex_t mutex;
    pthread_cond_t changed;
    pid_t pid;          /* 0: not started yet, or waited for */
    int waiting_signal; /* for when it is started */
    bool has_started, has_ended;
    PvToolEnd end;
};

/* --- in the child --- */

static void
report (const Setup *setup)
{
    int code = errno;
    ssize_t n = write (setup->report_fd, &code, sizeof code);
    (void)n;
}

static G_NORETURN void
run_child (const Setup *setup)
{
    pv_child_reset_signals ();
    if (setup->has_own_session)
        setsid ();
    if (setup->last_signal != 0) {
        prctl (PR_SET_PDEATHSIG, setup->last_signal);
        if (getppid () != setup->parent) /* gone already */
            _exit (PV_CHILD_NOT_EXECUTED);
    }
    for (unsigned i = 0; i < setup->n_fds; i++)
        dup2 (setup->fds[i], (int)i);
    pv_child_close_others (setup->n_fds, setup->report_fd, setup->max_fds);
    pv_child_unblock_signals ();
    execve (setup->path, setup->argv, setup->environment);
    report (setup);
    _exit (PV_CHILD_NOT_EXECUTED);
}

/* --- the thread --- */

static void
close_fd (int *fd)
{
    if (*fd >= 0)
        close (*fd);
    *fd = -1;
}

/* Whoever reads what the child writes must see the end of it. */
static void
close_setup (Setup *setup)
{
    for (unsigned i = 0; i < setup->n_fds; i++)
        close_fd (&setup->fds[i]);
    close_fd (&setup->report_fd);
}

static void
release (PvTool *tool)
{
    if (atomic_fetch_sub (&tool->n_users, 1) != 1)
        return;
    close_setup (&tool->setup);
    close_fd (&tool->reading_fd);
    close_fd (&tool->event_fd);
    g_free (tool->setup.path);
    g_strfreev (tool->setup.argv);
    g_strfreev (tool->setup.environment);
    pthread_cond_destroy (&tool->changed);
    pthread_mutex_destroy (&tool->mutex);
    g_free (tool);
}

/* What kept it from becoming the program: 0 or errno. */
static int
read_report (int fd)
{
    int code = 0;
    ssize_t n;
    do
        n = read (fd, &code, sizeof code);
    while (n < 0 && errno == EINTR);
    return n == sizeof code ? code : 0;
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

/* Its number is its own until it is waited for, which is done while nobody can send a signal. */
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

/* It stays for as long as the child, whose last signal comes when its thread ends. */
static void *
run_thread (void *data)
{
    PvTool *tool = data;
    pid_t pid = vfork ();
    if (pid == 0)
        run_child (&tool->setup);
    int start_errno = pid < 0 ? errno : 0;
    close_setup (&tool->setup);
    if (pid > 0)
        start_errno = read_report (tool->reading_fd);
    note_start (tool, MAX (pid, 0), start_errno);
    if (pid > 0)
        wait_for_end (tool, pid);
    note_end (tool);
    release (tool);
    return NULL;
}

/* --- the owner --- */

static bool
set_start_error (GError **error, int code)
{
    g_set_error (error, G_SPAWN_ERROR, G_SPAWN_ERROR_FAILED, _ ("No process can be started: %s."),
                 g_strerror (code));
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
    ended (&end, user); /* last: the tool may be freed by whoever is told */
    return G_SOURCE_REMOVE;
}

static bool
copy_fds (Setup *setup, const PvToolOptions *options, int null_fd)
{
    g_assert (options->n_fds <= MAX_FDS);
    unsigned n_fds = MAX (options->n_fds, (unsigned)N_STANDARD_FDS);
    while (setup->n_fds < n_fds) {
        unsigned i = setup->n_fds;
        int fd = i < options->n_fds && options->fds[i] >= 0 ? options->fds[i] : null_fd;
        setup->fds[i] = fcntl (fd, F_DUPFD_CLOEXEC, FIRST_OWN_FD);
        if (setup->fds[i] < 0)
            return false;
        setup->n_fds++;
    }
    return true;
}

static bool
open_report (PvTool *tool)
{
    int ends[2];
    if (pipe2 (ends, O_CLOEXEC) != 0)
        return false;
    tool->reading_fd = ends[0];
    tool->setup.report_fd = fcntl (ends[1], F_DUPFD_CLOEXEC, FIRST_OWN_FD);
    close (ends[1]);
    return tool->setup.report_fd >= 0;
}

static bool
open_all (PvTool *tool, const PvToolOptions *options, GError **error)
{
    int null_fd = open ("/dev/null", O_RDWR | O_CLOEXEC);
    bool is_open = null_fd >= 0 && copy_fds (&tool->setup, options, null_fd) && open_report (tool);
    if (is_open && tool->ended != NULL) {
        tool->event_fd = eventfd (0, EFD_CLOEXEC | EFD_NONBLOCK);
        is_open = tool->event_fd >= 0;
    }
    int code = errno;
    close_fd (&null_fd);
    return is_open || set_start_error (error, code);
}

static PvTool *
make_tool (const PvToolOptions *options, char *path, PvToolEnded ended, void *user)
{
    PvTool *tool = g_new0 (PvTool, 1);
    Setup *setup = &tool->setup;
    atomic_init (&tool->n_users, 1);
    tool->reading_fd = tool->event_fd = setup->report_fd = -1;
    tool->ended = ended;
    tool->user = user;
    setup->path = path;
    setup->argv = g_strdupv ((char **)options->argv);
    setup->environment =
        options->environment != NULL ? g_strdupv ((char **)options->environment) : g_get_environ ();
    setup->max_fds = pv_child_get_max_fds ();
    setup->has_own_session = options->has_own_session;
    setup->last_signal = options->last_signal;
    setup->parent = getpid ();
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

PvTool *
pv_tool_start (const PvToolOptions *options, PvToolEnded ended, void *user, GError **error)
{
    char *path = g_find_program_in_path (options->argv[0]);
    if (path == NULL) {
        g_set_error (error, G_SPAWN_ERROR, G_SPAWN_ERROR_NOENT, _ ("There is no program “%s”."),
                     options->argv[0]);
        return NULL;
    }
    PvTool *tool = make_tool (options, path, ended, user);
    bool is_started = open_all (tool, options, error);
    if (is_started) {
        atomic_fetch_add (&tool->n_users, 1);
        int code = pv_child_start_thread (run_thread, tool);
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
