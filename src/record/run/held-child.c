/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "record/run/held-child.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "record/plan/find-program.h"
#include "record/process/child-code.h"
#include "record/process/environment.h"

/* All that the child needs, made before: it shares our memory, and other threads may hold any lock,
 * so it calls only what is safe in a signal handler. Owned by the thread that makes it. */
typedef struct {
    char *path;
    char **argv;
    char **environment;
    char *folder;
    char *terminal;
    uint64_t max_memory_bytes;
    unsigned max_fds;
    int child_fd;  /* the child's copy of this is where it is spoken to */
    int thread_fd; /* the same socket, for the thread */
    bool has_own_session;
} Setup;

/* What is sent to us. */
typedef struct {
    enum { CHILD_IS_THERE, CHILD_FAILED, THREAD_GOES_ON } kind;
    int step;  /* PvHeldChildStep */
    int value; /* pid, errno, what vfork () returned or -errno */
} Message;

/* --- in the child --- */

static void
give_up (const Setup *setup, PvHeldChildStep step)
{
    Message message = {.kind = CHILD_FAILED, .step = (int)step, .value = errno};
    send (setup->child_fd, &message, sizeof message, MSG_NOSIGNAL);
    _exit (PV_CHILD_NOT_EXECUTED);
}

static void
close_others (const Setup *setup)
{
    pv_child_close_others (3, setup->child_fd, setup->max_fds);
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl (fd, F_GETFD) < 0)
            open ("/dev/null", O_RDWR); /* the lowest that is free: this one */
}

static void
enter_terminal (const Setup *setup)
{
    int fd = open (setup->terminal, O_RDWR);
    if (fd < 0 || ioctl (fd, TIOCSCTTY, 0) != 0)
        give_up (setup, PV_HELD_CHILD_TERMINAL);
    for (int i = 0; i <= 2; i++)
        dup2 (fd, i);
    if (fd > 2)
        close (fd);
}

static void
limit_memory (const Setup *setup)
{
    struct rlimit limit;
    if (setup->max_memory_bytes == 0)
        return;
    if (getrlimit (RLIMIT_AS, &limit) != 0)
        give_up (setup, PV_HELD_CHILD_MEMORY);
    if (limit.rlim_max == RLIM_INFINITY || limit.rlim_max > setup->max_memory_bytes)
        limit.rlim_max = setup->max_memory_bytes;
    limit.rlim_cur = limit.rlim_max;
    if (setrlimit (RLIMIT_AS, &limit) != 0)
        give_up (setup, PV_HELD_CHILD_MEMORY);
}

/* If we went away with something unread, that is said first, once; a word that was sent before is
 * still there. */
static void
wait_for_release (const Setup *setup)
{
    char byte;
    ssize_t n;
    do
        n = read (setup->child_fd, &byte, 1);
    while (n < 0 && (errno == EINTR || errno == ECONNRESET));
    if (n != 1)
        _exit (PV_CHILD_NOT_EXECUTED);
}

static G_NORETURN void
run_child (const Setup *setup)
{
    Message message = {.kind = CHILD_IS_THERE, .value = (int)getpid ()};
    if (setup->has_own_session)
        setsid ();
    send (setup->child_fd, &message, sizeof message, MSG_NOSIGNAL);
    pv_child_reset_signals ();
    close_others (setup);
    if (setup->terminal != NULL)
        enter_terminal (setup);
    if (setup->folder != NULL && chdir (setup->folder) != 0)
        give_up (setup, PV_HELD_CHILD_FOLDER);
    pv_child_unblock_signals ();
    wait_for_release (setup);
    limit_memory (setup);
    execve (setup->path, setup->argv, setup->environment);
    give_up (setup, PV_HELD_CHILD_EXECUTE);
    _exit (PV_CHILD_NOT_EXECUTED);
}

/* --- the thread --- */

static void
setup_free (Setup *setup)
{
    if (setup->thread_fd >= 0)
        close (setup->thread_fd);
    g_free (setup->path);
    g_strfreev (setup->argv);
    g_strfreev (setup->environment);
    g_free (setup->folder);
    g_free (setup->terminal);
    g_free (setup);
}

/* Only this thread waits in vfork () until the child has become the program or has ended. */
static void *
run_thread (void *data)
{
    Setup *setup = data;
    pid_t pid = vfork ();
    if (pid == 0)
        run_child (setup);
    Message message = {.kind = THREAD_GOES_ON, .value = pid < 0 ? -errno : (int)pid};
    send (setup->thread_fd, &message, sizeof message, MSG_NOSIGNAL);
    setup_free (setup);
    return NULL;
}

/* --- the caller --- */

/* Ctrl+C, Ctrl+Z and window sizes of a terminal that we share with the program must reach it, and
 * it must be able to read from there. */
static bool
has_terminal (void)
{
    int fd = open ("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (fd >= 0)
        close (fd);
    return fd >= 0;
}

/* Shells and getcwd ()'s users believe PWD if it names the folder. */
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

static bool
set_start_error (GError **error, int code)
{
    g_set_error (error, G_SPAWN_ERROR, G_SPAWN_ERROR_FORK, _ ("No process can be started: %s."),
                 g_strerror (code));
    return false;
}

static void
close_fd (int *fd)
{
    if (*fd >= 0)
        close (*fd);
    *fd = -1;
}

/* Ours, the child's and the thread's, which is the child's too. All above 2, where the child's
 * terminal does not get into their way. */
static bool
make_sockets (int *ret_fds, GError **error)
{
    int fds[2];
    ret_fds[0] = ret_fds[1] = ret_fds[2] = -1;
    if (socketpair (AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds) != 0)
        return set_start_error (error, errno);
    bool is_made = true;
    for (int i = 0; i < 3 && is_made; i++) {
        ret_fds[i] = fcntl (fds[MIN (i, 1)], F_DUPFD_CLOEXEC, 3);
        is_made = ret_fds[i] >= 0;
    }
    int code = errno;
    close (fds[0]);
    close (fds[1]);
    if (is_made)
        return true;
    for (int i = 0; i < 3; i++)
        close_fd (&ret_fds[i]);
    return set_start_error (error, code);
}

static Setup *
make_setup (const PvRecordPlan *plan, const char *terminal, const char *const *environment,
            const char *path)
{
    Setup *setup = g_new0 (Setup, 1);
    setup->path = g_strdup (path);
    setup->argv = g_strdupv (plan->argv);
    setup->environment = make_environment (plan, environment);
    setup->folder = g_strdup (plan->folder);
    setup->terminal = g_strdup (terminal);
    setup->max_memory_bytes = plan->max_memory_bytes;
    setup->max_fds = pv_child_get_max_fds ();
    setup->has_own_session = terminal != NULL || !has_terminal ();
    setup->child_fd = setup->thread_fd = -1;
    return setup;
}

/* The first that is said: within the time of a vfork (). 0 or errno. */
static int
receive_pid (int socket_fd, pid_t *ret_pid)
{
    Message message;
    ssize_t n;
    do
        n = recv (socket_fd, &message, sizeof message, 0);
    while (n < 0 && errno == EINTR);
    if (n != sizeof message)
        return n < 0 ? errno : EIO;
    if (message.value < 0)
        return -message.value;
    *ret_pid = (pid_t)message.value;
    return 0;
}

bool
pv_held_child_start (const PvRecordPlan *plan, const char *terminal, const char *const *environment,
                     PvHeldChild *ret_child, GError **error)
{
    int fds[3];
    pid_t pid = 0;
    g_autofree char *path = pv_find_folder (plan, error) ? pv_find_program (plan, error) : NULL;
    if (path == NULL || !make_sockets (fds, error))
        return false;
    Setup *setup = make_setup (plan, terminal, environment, path);
    bool has_own_session = setup->has_own_session;
    setup->child_fd = fds[1];
    setup->thread_fd = fds[2];
    int code = pv_child_start_thread (run_thread, setup);
    if (code != 0)
        setup_free (setup);
    else
        code = receive_pid (fds[0], &pid);
    close_fd (&fds[1]);
    if (code != 0) {
        close_fd (&fds[0]);
        return set_start_error (error, code);
    }
    *ret_child = (PvHeldChild){.pid = pid, .socket_fd = fds[0], .has_own_session = has_own_session};
    return true;
}

void
pv_held_child_release (PvHeldChild *child)
{
    /* It may have been killed meanwhile: that shows when it is waited for. */
    send (child->socket_fd, "", 1, MSG_NOSIGNAL);
}

bool
pv_held_child_find_failure (const PvHeldChild *child, PvHeldChildFailure *ret_failure)
{
    Message message;
    while (recv (child->socket_fd, &message, sizeof message, MSG_DONTWAIT) == sizeof message) {
        if (message.kind != CHILD_FAILED)
            continue;
        *ret_failure = (PvHeldChildFailure){.step = message.step, .code = message.value};
        return true;
    }
    return false;
}

void
pv_held_child_clear (PvHeldChild *child)
{
    close_fd (&child->socket_fd);
}
