/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "render/graph/run-program.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { POLL_MS = 50, PIECE = 1 << 16 };

typedef struct {
    const PvProgramRun *run;
    PvJob *job;
    pid_t pid;
    int fd; /* both its input and its output: a socket, as writing to one raises no signal */
    size_t n_sent;
    GString *output;
    gint64 deadline_us;
} Running;

static bool
set_error (GError **error, int code)
{
    g_set_error_literal (error, G_SPAWN_ERROR,
                         code == ENOENT ? G_SPAWN_ERROR_NOENT : G_SPAWN_ERROR_FAILED,
                         g_strerror (code));
    return false;
}

/* 0 or errno. */
static int
spawn (Running *running, int child_fd)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t signals;
    sigemptyset (&signals);
    posix_spawn_file_actions_init (&actions);
    posix_spawnattr_init (&attributes);
    posix_spawnattr_setsigmask (&attributes, &signals);
    sigaddset (&signals, SIGPIPE);
    sigaddset (&signals, SIGINT);
    sigaddset (&signals, SIGTERM);
    posix_spawnattr_setsigdefault (&attributes, &signals);
    posix_spawnattr_setflags (
        &attributes, (short)(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSID));
    posix_spawn_file_actions_adddup2 (&actions, child_fd, STDIN_FILENO);
    posix_spawn_file_actions_adddup2 (&actions, child_fd, STDOUT_FILENO);
    posix_spawn_file_actions_addopen (&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addclosefrom_np (&actions, STDERR_FILENO + 1);
    int code = posix_spawnp (&running->pid, running->run->argv[0], &actions, &attributes,
                             (char *const *)running->run->argv, environ);
    posix_spawn_file_actions_destroy (&actions);
    posix_spawnattr_destroy (&attributes);
    return code;
}

static bool
start (Running *running, GError **error)
{
    int fds[2];
    if (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) != 0)
        return set_error (error, errno);
    int code = spawn (running, fds[1]);
    close (fds[1]);
    running->fd = fds[0];
    if (code != 0) {
        close (fds[0]);
        return set_error (error, code);
    }
    if (running->run->max_memory > 0) {
        struct rlimit limit = {running->run->max_memory, running->run->max_memory};
        prlimit (running->pid, RLIMIT_AS, &limit, NULL);
    }
    /* It ends even if we end first. */
    struct rlimit seconds = {running->run->max_ms / 1000 + 1, running->run->max_ms / 1000 + 1};
    prlimit (running->pid, RLIMIT_CPU, &seconds, NULL);
    return true;
}

/* Sends what fits. */
static void
send_more (Running *running)
{
    const PvProgramRun *run = running->run;
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
    bool is_late = g_get_monotonic_time () > running->deadline_us;
    if (!is_late && running->output->len <= running->run->max_output)
        return true;
    g_set_error_literal (error, G_SPAWN_ERROR, G_SPAWN_ERROR_TOO_BIG,
                         g_strerror (is_late ? ETIMEDOUT : EFBIG));
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

/* Once its output has ended, or it is to end. */
static bool
finish (Running *running, bool is_done, GError **error)
{
    int status = 0;
    pid_t ended = 0;
    while (is_done && (ended = waitpid (running->pid, &status, WNOHANG)) == 0) {
        is_done = check_limits (running, error);
        g_usleep (1000);
    }
    if (!is_done && ended == 0) {
        kill (running->pid, SIGKILL);
        while (waitpid (running->pid, &status, 0) < 0 && errno == EINTR)
            continue;
    }
    if (is_done && (!WIFEXITED (status) || WEXITSTATUS (status) != 0)) {
        g_set_error (error, G_SPAWN_ERROR, G_SPAWN_ERROR_FAILED, "%s failed",
                     running->run->argv[0]);
        return false;
    }
    return is_done;
}

GString *
pv_run_program (const PvProgramRun *run, PvJob *job, GError **error)
{
    g_assert (run != NULL && run->argv != NULL && run->argv[0] != NULL);
    g_assert (run->input != NULL || run->input_len == 0);
    g_autoptr (GString) output = g_string_new (NULL);
    Running running = {
        .run = run,
        .job = job,
        .output = output,
        .deadline_us = g_get_monotonic_time () + (gint64)run->max_ms * 1000,
    };
    if (!pv_job_check (job, error) || !start (&running, error))
        return NULL;
    if (run->input_len == 0)
        shutdown (running.fd, SHUT_WR);
    bool is_done = exchange (&running, error);
    close (running.fd);
    return finish (&running, is_done, error) ? g_steal_pointer (&output) : NULL;
}
