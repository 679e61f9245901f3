/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/base/subprocess.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { POLL_MS = 50, END_POLL_US = 1000, PIECE = 1 << 16 };

/* Starting */

/* Resets all signals, including the two that glibc reserves and sigfillset () leaves out: otherwise
 * they would be ignored in the program. */
static void
set_signals (posix_spawnattr_t *attributes, bool starts_session)
{
    struct sigaction hangup;
    sigset_t reset, blocked;
    memset (&reset, 0xff, sizeof reset);
    sigemptyset (&blocked);
    if (sigaction (SIGHUP, NULL, &hangup) == 0 && hangup.sa_handler == SIG_IGN)
        sigdelset (&reset, SIGHUP);
    posix_spawnattr_setsigdefault (attributes, &reset);
    posix_spawnattr_setsigmask (attributes, &blocked);
    posix_spawnattr_setflags (attributes, (short)(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK |
                                                  (starts_session ? POSIX_SPAWN_SETSID : 0)));
}

static void
add_descriptors (posix_spawn_file_actions_t *actions, const PvSubprocess *program)
{
    int n_fds = MAX ((int)program->n_fds, STDERR_FILENO + 1);
    for (int i = 0; i < n_fds; i++) {
        int fd = i < (int)program->n_fds ? program->fds[i] : -1;
        g_assert (fd < 0 || fd >= i || program->fds[fd] == fd);
        if (fd < 0)
            posix_spawn_file_actions_addopen (actions, i, "/dev/null", O_RDWR, 0);
        else
            posix_spawn_file_actions_adddup2 (actions, fd, i);
    }
    posix_spawn_file_actions_addclosefrom_np (actions, n_fds);
}

int
pv_subprocess_start (const PvSubprocess *program, pid_t *ret_pid)
{
    g_assert (program->argv != NULL && program->argv[0] != NULL);
    const char *path = program->path != NULL ? program->path : program->argv[0];
    const char *const *environment =
        program->environment != NULL ? program->environment : (const char *const *)environ;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_t actions;
    posix_spawnattr_init (&attributes);
    posix_spawn_file_actions_init (&actions);
    set_signals (&attributes, program->starts_session);
    add_descriptors (&actions, program);
    int code = posix_spawnp (ret_pid, path, &actions, &attributes, (char *const *)program->argv,
                             (char *const *)environment);
    posix_spawn_file_actions_destroy (&actions);
    posix_spawnattr_destroy (&attributes);
    return code;
}

/* Talking to one */

typedef struct {
    const PvSubprocessRun *run;
    PvJob *job;
    char *name; /* for errors */
    pid_t pid;
    int fd; /* both its input and its output: a socket, as writing to one raises no signal */
    size_t n_sent;
    GString *output;
    gint64 deadline_us;
} Running;

static bool
set_start_error (const Running *running, int code, GError **error)
{
    if (code == ENOENT)
        g_set_error (error, G_SPAWN_ERROR, G_SPAWN_ERROR_NOENT, _ ("There is no program “%s”."),
                     running->name);
    else
        g_set_error (error, G_SPAWN_ERROR, G_SPAWN_ERROR_FAILED, _ ("“%s” cannot be started: %s."),
                     running->name, g_strerror (code));
    return false;
}

static void
set_limits (const Running *running)
{
    struct rlimit memory = {running->run->max_memory, running->run->max_memory};
    if (memory.rlim_max > 0)
        prlimit (running->pid, RLIMIT_AS, &memory, NULL);
    /* It ends even if we end first. */
    struct rlimit seconds = {running->run->max_ms / 1000 + 1, running->run->max_ms / 1000 + 1};
    prlimit (running->pid, RLIMIT_CPU, &seconds, NULL);
}

static bool
start (Running *running, GError **error)
{
    int ends[2];
    if (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return set_start_error (running, errno, error);
    const PvSubprocess program = {
        .argv = running->run->argv,
        .environment = running->run->environment,
        .fds = (int[]){ends[1], ends[1]},
        .n_fds = 2,
        .starts_session = true,
    };
    int code = pv_subprocess_start (&program, &running->pid);
    close (ends[1]);
    running->fd = ends[0];
    if (code != 0) {
        close (ends[0]);
        return set_start_error (running, code, error);
    }
    set_limits (running);
    if (running->run->input_len == 0)
        shutdown (running->fd, SHUT_WR);
    return true;
}

/* Sends what fits. */
static void
send_more (Running *running)
{
    const PvSubprocessRun *run = running->run;
    while (running->n_sent < run->input_len) {
        ssize_t n =
            send (running->fd, run->input + running->n_sent,
                  MIN (run->input_len - running->n_sent, PIECE), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n < 0 && (errno == EAGAIN || errno == EINTR))
            return;
        /* A program that no longer reads may still have an answer. */
        running->n_sent = n < 0 ? run->input_len : running->n_sent + (size_t)n;
    }
    shutdown (running->fd, SHUT_WR);
}

/* False at the end of its output. */
static bool
receive_more (Running *running)
{
    char piece[PIECE];
    ssize_t n = recv (running->fd, piece, sizeof piece, MSG_DONTWAIT);
    if (n > 0)
        g_string_append_len (running->output, piece, n);
    return n > 0 || (n < 0 && (errno == EAGAIN || errno == EINTR));
}

static bool
check_limits (const Running *running, GError **error)
{
    if (!pv_job_check (running->job, error))
        return false;
    if (g_get_monotonic_time () > running->deadline_us)
        g_set_error (error, G_SPAWN_ERROR, G_SPAWN_ERROR_TOO_BIG, _ ("“%s” took too long."),
                     running->name);
    else if (running->output->len > running->run->max_output)
        g_set_error (error, G_SPAWN_ERROR, G_SPAWN_ERROR_TOO_BIG, _ ("“%s” wrote too much."),
                     running->name);
    else
        return true;
    return false;
}

static bool
exchange (Running *running, GError **error)
{
    for (bool is_open = true; is_open;) {
        bool sends = running->n_sent < running->run->input_len;
        struct pollfd wanted = {.fd = running->fd, .events = sends ? POLLIN | POLLOUT : POLLIN};
        if (!check_limits (running, error))
            return false;
        if (poll (&wanted, 1, POLL_MS) <= 0)
            continue;
        if (sends && (wanted.revents & (POLLOUT | POLLERR | POLLHUP)) != 0)
            send_more (running);
        if ((wanted.revents & (POLLIN | POLLHUP | POLLERR)) != 0)
            is_open = receive_more (running);
    }
    return check_limits (running, error);
}

/* Lets it end, or kills its group. Reaps it in any case. */
static bool
await_end (const Running *running, bool is_good, int *ret_status, GError **error)
{
    pid_t ended;
    if (!is_good)
        kill (-running->pid, SIGKILL);
    while ((ended = waitpid (running->pid, ret_status, is_good ? WNOHANG : 0)) == 0 ||
           (ended < 0 && errno == EINTR)) {
        is_good = is_good && check_limits (running, error);
        if (is_good)
            g_usleep (END_POLL_US);
        else
            kill (-running->pid, SIGKILL);
    }
    return is_good;
}

static bool
check_status (const Running *running, int status, GError **error)
{
    if (WIFSIGNALED (status))
        g_set_error (error, G_SPAWN_ERROR, G_SPAWN_ERROR_FAILED,
                     _ ("“%s” was killed by a signal: %s."), running->name,
                     strsignal (WTERMSIG (status)));
    else if (WEXITSTATUS (status) != 0)
        g_set_error (error, G_SPAWN_ERROR, G_SPAWN_ERROR_FAILED,
                     /* Translators: a program, and a number */
                     _ ("“%s” ended with exit status %d."), running->name, WEXITSTATUS (status));
    return status == 0;
}

GString *
pv_subprocess_run (const PvSubprocessRun *run, PvJob *job, int *ret_status, GError **error)
{
    g_assert (run != NULL && run->argv != NULL && run->argv[0] != NULL);
    g_assert (run->input != NULL || run->input_len == 0);
    g_autoptr (GString) output = g_string_new (NULL);
    g_autofree char *name = g_filename_display_name (run->argv[0]);
    Running running = {
        .run = run,
        .job = job,
        .name = name,
        .output = output,
        .deadline_us = g_get_monotonic_time () + (gint64)run->max_ms * 1000,
    };
    int status = 0;
    if (!pv_job_check (job, error) || !start (&running, error))
        return NULL;
    bool is_good = exchange (&running, error);
    close (running.fd);
    if (!await_end (&running, is_good, &status, error) ||
        (ret_status == NULL && !check_status (&running, status, error)))
        return NULL;
    if (ret_status != NULL)
        *ret_status = status;
    return g_steal_pointer (&output);
}
