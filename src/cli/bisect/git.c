/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/bisect/git.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/saved-files.h"
#include "core/base/subprocess.h"

static int
wait_for_end (pid_t pid)
{
    int status = -1;
    while (waitpid (pid, &status, 0) < 0 && errno == EINTR)
        continue;
    return status;
}

/* 0 with an error if it could not be started. */
static pid_t
start (const PvSubprocess *program, GError **error)
{
    pid_t pid;
    int code = pv_subprocess_start (program, &pid);
    if (code == 0)
        return pid;
    g_set_error (error, G_SPAWN_ERROR, G_SPAWN_ERROR_FAILED, "%s: %s", program->argv[0],
                 g_strerror (code));
    return 0;
}

/* Reads what was written, and closes the file. */
static char *
take_text (int fd)
{
    GString *text = g_string_new (NULL);
    char buffer[4096];
    ssize_t n;
    lseek (fd, 0, SEEK_SET);
    while ((n = read (fd, buffer, sizeof buffer)) > 0)
        g_string_append_len (text, buffer, n);
    close (fd);
    while (text->len > 0 && text->str[text->len - 1] == '\n')
        g_string_truncate (text, text->len - 1);
    return g_string_free (text, FALSE);
}

char *
pv_git_ask (const char *folder, GError **error, ...)
{
    g_autoptr (GPtrArray) argv = g_ptr_array_new ();
    const char *const first[] = {
        "git", "-C", folder, "-c", "core.hooksPath=/dev/null", "-c", "advice.detachedHead=false"};
    for (size_t i = 0; i < G_N_ELEMENTS (first); i++)
        g_ptr_array_add (argv, (char *)first[i]);
    va_list rest;
    va_start (rest, error);
    const char *argument;
    do {
        argument = va_arg (rest, const char *);
        g_ptr_array_add (argv, (char *)argument);
    } while (argument != NULL);
    va_end (rest);
    int output = memfd_create ("output", MFD_CLOEXEC);
    int messages = memfd_create ("messages", MFD_CLOEXEC);
    const int fds[] = {-1, output, messages};
    const PvSubprocess program = {
        .argv = (const char *const *)argv->pdata, .fds = fds, .n_fds = G_N_ELEMENTS (fds)};
    pid_t pid = start (&program, error);
    int status = pid != 0 ? wait_for_end (pid) : -1;
    g_autofree char *text = take_text (output);
    g_autofree char *message = take_text (messages);
    if (status == 0)
        return g_steal_pointer (&text);
    if (pid != 0)
        g_set_error (error, G_SPAWN_ERROR, G_SPAWN_ERROR_FAILED, "git: %s",
                     *message != '\0' ? message : _ ("ended without a message"));
    return NULL;
}

/* --- the shell --- */

static volatile sig_atomic_t caught; /* the last signal; or 0 */
static volatile pid_t group;         /* of what is running; or 0 */

static void
pass_on (int number)
{
    int code = errno;
    caught = number;
    if (group != 0)
        kill (-group, number);
    errno = code;
}

static const int passed[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

/* Runs it in a session of its own, so that all that it starts can be told to end. */
static int
run_session (const PvSubprocess *program, int *ret_signal, GError **error)
{
    struct sigaction before[G_N_ELEMENTS (passed)];
    struct sigaction action = {.sa_handler = pass_on, .sa_flags = SA_RESTART};
    sigemptyset (&action.sa_mask);
    caught = 0;
    for (size_t i = 0; i < G_N_ELEMENTS (passed); i++) {
        sigaction (passed[i], NULL, &before[i]);
        if (before[i].sa_handler != SIG_IGN)
            sigaction (passed[i], &action, NULL);
    }
    pid_t pid = start (program, error);
    group = pid;
    if (pid != 0 && caught != 0)
        kill (-pid, caught);
    int status = pid != 0 ? wait_for_end (pid) : -1;
    group = 0;
    for (size_t i = 0; i < G_N_ELEMENTS (passed); i++)
        sigaction (passed[i], &before[i], NULL);
    *ret_signal = caught;
    return status;
}

int
pv_shell_run (const char *folder, const char *command, const char *log_path, int *ret_signal,
              GError **error)
{
    *ret_signal = 0;
    int fd = open (log_path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0) {
        pv_saved_set_error (error, log_path, errno);
        return -1;
    }
    const char *const argv[] = {"sh",    "-c", "cd \"$1\" && exec sh -c \"$2\"", "sh", folder,
                                command, NULL};
    const int fds[] = {-1, fd, fd};
    const PvSubprocess program = {
        .argv = argv, .fds = fds, .n_fds = G_N_ELEMENTS (fds), .starts_session = true};
    int status = run_session (&program, ret_signal, error);
    close (fd);
    return status;
}
