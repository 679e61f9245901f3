/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "record/run/target.h"

#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <glib/gi18n-lib.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "record/plan/find-program.h"
#include "record/process/environment.h"
#include "record/process/launch.h"
#include "record/process/proc-stat.h"
#include "record/process/process-tree.h"

enum { POLL_MS = 200, KILL_ROUNDS = 5, N_STANDARD_FDS = 3 };

struct PvTarget {
    pid_t pid;
    bool is_launched, is_held;
    PvTargetStatus status;
    PvTargetEnded ended;
    void *user;
    GSource *watch;
    PvProcessTree *tree;

    /* Launched targets only. */
    int control_fd;      /* see launch.h; -1: none */
    bool starts_session; /* else it is in our session and group */
    char *program;
    char *folder;
    bool has_group_left; /* processes remained in the group when it ended */
    bool has_failed;     /* failure says at which step, before exec */
    PvLaunchFailure failure;

    /* Attached targets only. */
    int pid_fd;
    uint64_t start_ticks;
};

static PvTarget *
target_new (pid_t pid)
{
    PvTarget *target = g_new0 (PvTarget, 1);
    target->pid = pid;
    target->control_fd = target->pid_fd = -1;
    target->tree = pv_process_tree_new (pid);
    return target;
}

static void
clear_watch (PvTarget *target)
{
    if (target->watch == NULL)
        return;
    g_source_destroy (target->watch);
    g_clear_pointer (&target->watch, g_source_unref);
}

/* Must be the last call of a source: the callback may free target. */
static void
set_ended (PvTarget *target)
{
    target->status.is_ended = true;
    target->is_held = false;
    clear_watch (target);
    if (target->ended != NULL)
        target->ended (target, target->user);
}

/* Launched */

static void
child_ended (GPid pid, int wait_status, gpointer data)
{
    PvTarget *target = data;
    PvTargetStatus *status = &target->status;
    status->is_known = true;
    if (WIFSIGNALED (wait_status)) {
        status->signal = WTERMSIG (wait_status);
        status->has_dumped_core = WCOREDUMP (wait_status);
    } else {
        status->exit_code = WEXITSTATUS (wait_status);
    }
    target->has_failed = pv_launch_find_failure (target->control_fd, false, &target->failure);
    if (target->has_failed)
        status->exec_errno = target->failure.code;
    /* Already reaped, so other processes, running or zombies, are left in its group. */
    target->has_group_left = target->starts_session && kill (-pid, 0) == 0;
    set_ended (target);
}

static void
watch_child (PvTarget *target)
{
    target->watch = g_child_watch_source_new (target->pid);
    g_source_set_callback (target->watch, G_SOURCE_FUNC (child_ended), target, NULL);
    g_source_attach (target->watch, g_main_context_get_thread_default ());
}

/* True if we have a terminal to share: the program must get its Ctrl+C, Ctrl+Z and window sizes,
 * and be able to read from it. */
static bool
has_terminal (void)
{
    int fd = open ("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (fd >= 0)
        close (fd);
    return fd >= 0;
}

/* Shells and get_current_dir_name () use PWD if it names the folder. */
static char **
make_environment (const PvRecordPlan *plan, const char *const *more_entries)
{
    char **environment = pv_environment_make ((const char *const *)plan->environment, more_entries);
    if (plan->folder == NULL ||
        (plan->environment != NULL && g_environ_getenv (plan->environment, "PWD") != NULL))
        return environment;
    if (g_path_is_absolute (plan->folder))
        return g_environ_setenv (environment, "PWD", plan->folder, TRUE);
    return g_environ_unsetenv (environment, "PWD");
}

PvTarget *
pv_target_launch (const PvRecordPlan *plan, const PvTargetOptions *options, GError **error)
{
    static const PvTargetOptions none = {0};
    g_assert (plan->argv != NULL && plan->argv[0] != NULL);
    if (options == NULL)
        options = &none;
    g_autofree char *path = pv_find_folder (plan, error) ? pv_find_program (plan, error) : NULL;
    g_autofree char *helper = path != NULL ? pv_launch_find_helper (error) : NULL;
    if (helper == NULL)
        return NULL;
    g_auto (GStrv) environment = make_environment (plan, options->environment);
    int fds[N_STANDARD_FDS];
    for (int fd = 0; fd < N_STANDARD_FDS; fd++)
        fds[fd] = fcntl (fd, F_GETFD) >= 0 ? fd : -1;
    const PvLaunch launch = {
        .helper = helper,
        .program =
            {
                .path = path,
                .argv = (const char *const *)plan->argv,
                .environment = (const char *const *)environment,
                .fds = fds,
                .n_fds = N_STANDARD_FDS,
                .starts_session = options->terminal != NULL || !has_terminal (),
            },
        .is_held = true,
        .terminal = options->terminal,
        .folder = plan->folder,
        .max_memory_bytes = plan->max_memory_bytes,
    };
    pid_t pid;
    int control_fd;
    int code = pv_launch (&launch, &pid, &control_fd);
    if (code != 0) {
        g_set_error (error, G_SPAWN_ERROR, G_SPAWN_ERROR_FORK,
                     _ ("A process could not be started: %s."), g_strerror (code));
        return NULL;
    }
    PvTarget *target = target_new (pid);
    target->is_launched = target->is_held = true;
    target->control_fd = control_fd;
    target->starts_session = launch.program.starts_session;
    target->program = g_strdup (plan->argv[0]);
    target->folder = g_strdup (plan->folder);
    watch_child (target);
    return target;
}

void
pv_target_release (PvTarget *target)
{
    g_assert (target != NULL);
    if (!target->is_held)
        return;
    target->is_held = false;
    /* It may have been killed meanwhile; its wait status shows that. */
    send (target->control_fd, "", 1, MSG_NOSIGNAL);
}

/* Attached */

static bool
is_running (pid_t pid, uint64_t start_ticks)
{
    PvProcStat stat;
    return pv_proc_stat_read (pid, &stat) && stat.start_ticks == start_ticks && stat.state != 'Z' &&
           stat.state != 'X';
}

static gboolean
pid_fd_ready (int fd, GIOCondition condition, gpointer data)
{
    set_ended (data);
    return G_SOURCE_REMOVE;
}

static gboolean
poll_process (gpointer data)
{
    PvTarget *target = data;
    if (is_running (target->pid, target->start_ticks))
        return G_SOURCE_CONTINUE;
    set_ended (target);
    return G_SOURCE_REMOVE;
}

static void
watch_process (PvTarget *target)
{
    if (target->pid_fd >= 0) {
        target->watch = g_unix_fd_source_new (target->pid_fd, G_IO_IN);
        g_source_set_callback (target->watch, G_SOURCE_FUNC (pid_fd_ready), target, NULL);
    } else { /* Linux before 5.3, or a sandbox that blocks the call */
        target->watch = g_timeout_source_new (POLL_MS);
        g_source_set_callback (target->watch, poll_process, target, NULL);
    }
    g_source_attach (target->watch, g_main_context_get_thread_default ());
}

PvTarget *
pv_target_attach (pid_t pid, GError **error)
{
    PvProcStat stat;
    int fd = pid > 0 ? (int)syscall (SYS_pidfd_open, pid, 0) : -1;
    /* After opening the pidfd, so that /proc shows the same process. A thread id, which also has a
     * /proc entry, fails there. */
    int code = pid > 0 ? errno : ESRCH;
    bool is_there = pid > 0 && (fd >= 0 || code == ENOSYS || code == EPERM) &&
                    pv_proc_stat_read (pid, &stat) && is_running (pid, stat.start_ticks);
    if (!is_there) {
        if (fd >= 0)
            close (fd);
        g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, _ ("There is no process %d."),
                     (int)pid);
        return NULL;
    }
    PvTarget *target = target_new (pid);
    target->pid_fd = fd;
    target->start_ticks = stat.start_ticks;
    watch_process (target);
    return target;
}

/* Launched and attached */

void
pv_target_set_ended (PvTarget *target, PvTargetEnded ended, void *user)
{
    g_assert (target != NULL);
    target->ended = ended;
    target->user = user;
}

pid_t
pv_target_get_pid (const PvTarget *target)
{
    return target->pid;
}

bool
pv_target_is_launched (const PvTarget *target)
{
    return target->is_launched;
}

const PvTargetStatus *
pv_target_get_status (const PvTarget *target)
{
    return &target->status;
}

bool
pv_target_has_left (const PvTarget *target)
{
    const char *name;
    PvProcStat stat;
    bool has_left = false;
    if (!target->has_group_left || kill (-target->pid, 0) != 0)
        return false;
    g_autoptr (GDir) proc = g_dir_open ("/proc", 0, NULL);
    while (!has_left && proc != NULL && (name = g_dir_read_name (proc)) != NULL)
        has_left = g_ascii_isdigit (*name) && pv_proc_stat_read (atoi (name), &stat) &&
                   stat.group == target->pid && stat.state != 'Z' && stat.state != 'X';
    return has_left;
}

double
pv_target_measure_cpu (PvTarget *target, unsigned *ret_n_processes)
{
    return pv_process_tree_measure (target->tree, ret_n_processes);
}

/* Signals the group at once, so that no new process escapes, and the session's other groups, such
 * as a shell's jobs. Once the first process is reaped and its group is empty, another group can get
 * its id; so signals the processes seen before, and the group only if no process has that id. */
static void
signal_session (PvTarget *target, int number)
{
    bool has_group = !target->status.is_ended;
    pv_process_tree_signal (target->tree, number, target->pid, has_group ? target->pid : 0);
    if (target->status.is_ended && target->has_group_left && getpgid (target->pid) < 0)
        kill (-target->pid, number);
}

/* Signals one by one; SIGKILL repeats, for processes forked meanwhile. */
static void
signal_descendants (PvTarget *target, int number)
{
    unsigned n_rounds = number == SIGKILL ? KILL_ROUNDS : 1;
    while (n_rounds-- > 0 && pv_process_tree_signal (target->tree, number, getsid (0), 0) > 0)
        ;
}

void
pv_target_signal (PvTarget *target, int signal)
{
    g_assert (target != NULL);
    g_assert (signal == SIGINT || signal == SIGTERM || signal == SIGKILL);
    if (!target->is_launched)
        return;
    if (target->starts_session)
        signal_session (target, signal);
    else
        signal_descendants (target, signal);
}

/* Descriptions */

static char *
describe_failure (const PvTarget *target)
{
    g_autofree char *shown = g_filename_display_name (target->program);
    const char *reason = g_strerror (target->failure.code);
    if (target->failure.step == PV_LAUNCH_TERMINAL)
        return g_strdup_printf (_ ("The program could not be given a terminal: %s."), reason);
    if (target->failure.step == PV_LAUNCH_FOLDER) {
        g_autofree char *folder = g_filename_display_name (target->folder);
        return g_strdup_printf (_ ("The program cannot run in the folder %s: %s."), folder, reason);
    }
    if (target->failure.step == PV_LAUNCH_MEMORY)
        return g_strdup_printf (_ ("The program's memory cannot be limited: %s."), reason);
    if (target->failure.code == ENOEXEC)
        return g_strdup_printf (_ ("“%s” cannot be started: it is neither a program nor a script "
                                   "whose first line names its interpreter (“#!”)."),
                                shown);
    if (target->failure.code == ENOENT)
        return g_strdup_printf (_ ("“%s” cannot be started: its interpreter or loader is missing."),
                                shown);
    return g_strdup_printf (_ ("“%s” cannot be started: %s."), shown, reason);
}

static char *
describe_signal (const PvTargetStatus *status)
{
    const char *name = sigabbrev_np (status->signal);
    const char *meaning = g_strsignal (status->signal);
    g_autofree char *number = g_strdup_printf ("%d", status->signal);
    g_autofree char *whole = name != NULL ? g_strconcat ("SIG", name, NULL) : g_strdup (number);
    if (status->has_dumped_core)
        /* TRANSLATORS: "SIGSEGV", "Segmentation fault" */
        /* Translators: the name of a signal, such as SIGSEGV, and what it means */
        return g_strdup_printf (_ ("The program was killed by %s (%s) and left a core dump."),
                                whole, meaning);
    return g_strdup_printf (_ ("The program was killed by %s (%s)."), whole, meaning);
}

char *
pv_target_describe_end (const PvTarget *target)
{
    g_assert (target != NULL);
    const PvTargetStatus *status = &target->status;
    if (!status->is_ended || !status->is_known)
        return NULL;
    if (target->has_failed)
        return describe_failure (target);
    if (status->signal != 0)
        return describe_signal (status);
    if (status->exit_code != 0)
        return g_strdup_printf (_ ("The program ended with exit status %d."), status->exit_code);
    if (pv_target_has_left (target))
        return g_strdup (_ ("The program ended, but processes that it started are still running."));
    return NULL;
}

/* The end */

static void
forget_child (GPid pid, int wait_status, gpointer data)
{
}

/* In the default context: the caller's own context may be about to go away. The watch may have
 * reaped the child and not have told us yet; then there is none to wait for. */
static void
wait_for_child (PvTarget *target)
{
    siginfo_t info;

    clear_watch (target);
    if (waitid (P_PID, (id_t)target->pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0)
        g_child_watch_add (target->pid, forget_child, NULL);
}

void
pv_target_free (PvTarget *target)
{
    if (target == NULL)
        return;
    if (target->is_held)
        kill (target->pid, SIGKILL);
    if (target->is_launched && !target->status.is_ended)
        wait_for_child (target);
    clear_watch (target);
    if (target->control_fd >= 0)
        close (target->control_fd);
    if (target->pid_fd >= 0)
        close (target->pid_fd);
    pv_process_tree_free (target->tree);
    g_free (target->program);
    g_free (target->folder);
    g_free (target);
}
