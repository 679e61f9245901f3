/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Programs that are run for their answer. tool-child does what its arguments say. */
#include "core/base/subprocess.h"

#include "../cases.h"
#include "../scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/error.h"

#define ARGV(...) ((const char *const[]){__VA_ARGS__, NULL})

enum { PATIENCE_MS = 60000, LARGE = 8 << 20, N_ROUNDS = 20 };

static char *child;

static PvSubprocessRun
make_run (const char *const *argv, const char *input)
{
    return (PvSubprocessRun){
        .argv = argv,
        .input = input,
        .input_len = input != NULL ? strlen (input) : 0,
        .max_output = 4 * (size_t)LARGE,
        .max_ms = PATIENCE_MS,
    };
}

/* The answer of one that ends well. */
static char *
ask (const char *const *argv, const char *input)
{
    const PvSubprocessRun run = make_run (argv, input);
    GString *answer = assert_ok (error, pv_subprocess_run (&run, NULL, NULL, &error));
    return g_string_free (answer, FALSE);
}

static void
assert_fails (const PvSubprocessRun *run, int code, const char *reason)
{
    g_autoptr (GError) error = NULL;
    g_assert_null (pv_subprocess_run (run, NULL, NULL, &error));
    g_assert_error (error, G_SPAWN_ERROR, code);
    g_assert_nonnull (strstr (error->message, run->argv[0]));
    g_assert_nonnull (strstr (error->message, reason));
}

static void
assert_nothing_left (unsigned n_fds)
{
    g_assert_cmpint (waitpid (-1, NULL, WNOHANG), ==, -1);
    g_assert_cmpint (errno, ==, ECHILD);
    g_assert_cmpuint (count_files ("/proc/self/fd"), ==, n_fds);
}

/* Answers */

static char *
make_large (void)
{
    char *text = g_malloc (LARGE + 1);
    for (unsigned i = 0; i < LARGE; i++)
        text[i] = (char)('!' + (i * 7 + i / 4096) % 90);
    text[LARGE] = '\0';
    return text;
}

TEST (answers)
{
    const unsigned n_fds = count_files ("/proc/self/fd");
    g_autofree char *hello = ask (ARGV ("cat"), "hello");
    g_autofree char *nothing = ask (ARGV ("cat"), NULL);
    g_assert_cmpstr (hello, ==, "hello");
    g_assert_cmpstr (nothing, ==, "");
    assert_nothing_left (n_fds);
}

/* Each side has more to write than the kernel keeps, and the second one writes first. */
TEST (large)
{
    g_autofree char *text = make_large ();
    g_autofree char *same = ask (ARGV ("cat"), text);
    g_assert_true (strcmp (same, text) == 0);
    const char *command = "head -c 8388608 /dev/zero | tr '\\0' z; cat";
    g_autofree char *both = ask (ARGV ("sh", "-c", command), text);
    g_assert_cmpuint (strlen (both), ==, 2 * (size_t)LARGE);
    g_assert_cmpuint (strspn (both, "z"), >=, LARGE);
    g_assert_true (strcmp (both + LARGE, text) == 0);
}

TEST (unread)
{
    g_autofree char *text = make_large ();
    for (unsigned i = 0; i < N_ROUNDS; i++) {
        g_autofree char *closed = ask (ARGV ("sh", "-c", "exec 0<&-; echo answer"), text);
        g_autofree char *some = ask (ARGV ("sh", "-c", "head -c 9 >&2; echo answer"), text);
        g_assert_cmpstr (closed, ==, "answer\n");
        g_assert_cmpstr (some, ==, "answer\n");
    }
}

TEST (status)
{
    PvSubprocessRun run = make_run (ARGV ("sh", "-c", "echo part; exit 3"), NULL);
    int status = 0;
    assert_fails (&run, G_SPAWN_ERROR_FAILED, "3");
    g_autoptr (GString) part = pv_subprocess_run (&run, NULL, &status, NULL);
    g_assert_cmpstr (part->str, ==, "part\n");
    g_assert_true (WIFEXITED (status) && WEXITSTATUS (status) == 3);
    run.argv = ARGV ("sh", "-c", "echo part; kill -KILL $$");
    assert_fails (&run, G_SPAWN_ERROR_FAILED, strsignal (SIGKILL));
    g_autoptr (GString) killed = pv_subprocess_run (&run, NULL, &status, NULL);
    g_assert_cmpstr (killed->str, ==, "part\n");
    g_assert_true (WIFSIGNALED (status) && WTERMSIG (status) == SIGKILL);
}

TEST (missing)
{
    const unsigned n_fds = count_files ("/proc/self/fd");
    PvSubprocessRun run = make_run (ARGV ("profview-no-such-program"), "text");
    assert_fails (&run, G_SPAWN_ERROR_NOENT, "");
    run.argv = ARGV ("/nonexistent/program");
    assert_fails (&run, G_SPAWN_ERROR_NOENT, "");
    run.argv = ARGV ("/etc/passwd");
    assert_fails (&run, G_SPAWN_ERROR_FAILED, g_strerror (EACCES));
    assert_nothing_left (n_fds);
}

/* Limits */

TEST (limits)
{
    const unsigned n_fds = count_files ("/proc/self/fd");
    PvSubprocessRun run = make_run (ARGV ("cat", "/dev/zero"), NULL);
    run.max_output = 1 << 20;
    assert_fails (&run, G_SPAWN_ERROR_TOO_BIG, "too much");
    run = make_run (ARGV ("sleep", "100"), NULL);
    run.max_ms = 100;
    assert_fails (&run, G_SPAWN_ERROR_TOO_BIG, "too long");
    /* Its answer is complete, but it goes on. */
    run.argv = ARGV ("sh", "-c", "echo answer; exec 0<&- 1>&-; exec sleep 100");
    assert_fails (&run, G_SPAWN_ERROR_TOO_BIG, "too long");
    assert_nothing_left (n_fds);
    run = make_run (ARGV ("sh", "-c", "sleep 0.3; ulimit -v; ulimit -t"), NULL);
    run.max_memory = (size_t)1 << 30;
    run.max_ms = 9000;
    g_autoptr (GString) answer = pv_subprocess_run (&run, NULL, NULL, NULL);
    g_assert_cmpstr (answer->str, ==, "1048576\n10\n");
}

/* A zombie whose parent is slow to reap it has ended. */
static bool
is_running (int pid)
{
    g_autofree char *path = g_strdup_printf ("/proc/%d/stat", pid);
    g_autofree char *stat = NULL;
    const char *end = g_file_get_contents (path, &stat, NULL, NULL) ? strrchr (stat, ')') : NULL;
    return end != NULL && end[2] != 'Z' && end[2] != 'X';
}

typedef struct {
    PvJob *job;
    char *path; /* written once there is something to cancel */
} Cancelling;

static void *
cancel_later (void *data)
{
    const Cancelling *cancelling = data;
    g_autofree char *text = NULL;
    for (unsigned i = 0; i < PATIENCE_MS && (text == NULL || strchr (text, '\n') == NULL); i++) {
        g_clear_pointer (&text, g_free);
        g_usleep (1000);
        g_file_get_contents (cancelling->path, &text, NULL, NULL);
    }
    pv_job_cancel (cancelling->job);
    return NULL;
}

/* It ends with what it has started. */
TEST (cancel)
{
    const unsigned n_fds = count_files ("/proc/self/fd");
    g_autoptr (PvJob) job = pv_job_new ();
    g_autoptr (GError) error = NULL;
    g_autofree char *path = g_build_filename (g_get_tmp_dir (), "pv-subprocess-XXXXXX", NULL);
    close (g_mkstemp_full (path, O_RDWR | O_CLOEXEC, 0600));
    Cancelling cancelling = {job, path};
    const PvSubprocessRun run =
        make_run (ARGV ("sh", "-c", "sleep 100 & echo $! > \"$0\"; wait", path), NULL);
    pthread_t thread;
    g_assert_cmpint (pthread_create (&thread, NULL, cancel_later, &cancelling), ==, 0);
    const gint64 start_us = g_get_monotonic_time ();
    g_assert_null (pv_subprocess_run (&run, job, NULL, &error));
    g_assert_error (error, PV_JOB_ERROR, PV_JOB_ERROR_CANCELLED);
    g_assert_cmpint (g_get_monotonic_time () - start_us, <, (gint64)PATIENCE_MS * 1000);
    pthread_join (thread, NULL);
    g_autofree char *text = NULL;
    g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
    const int pid = atoi (text);
    g_assert_cmpint (pid, >, 1);
    for (unsigned i = 0; i < 5000 && is_running (pid); i++)
        g_usleep (1000);
    g_assert_false (is_running (pid));
    assert_nothing_left (n_fds);
    /* Nothing is started for a job that is cancelled. */
    g_unlink (path);
    g_clear_error (&error);
    g_assert_null (pv_subprocess_run (&run, job, NULL, &error));
    g_assert_error (error, PV_JOB_ERROR, PV_JOB_ERROR_CANCELLED);
    g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
}

/* Inherited state */

TEST (descriptors)
{
    int other = open ("/dev/null", O_RDWR); /* open beyond execve () */
    assert_string (ask (ARGV (child, "fds"), "text"), "0 1 2 ");
    close (other);
}

/* The socket's numbers are then those that it has in the program. */
TEST (without_standard_descriptors)
{
    const PvSubprocessRun run = make_run (ARGV ("cat"), "hello");
    int kept[3];
    for (int fd = 0; fd < 3; fd++) {
        kept[fd] = fcntl (fd, F_DUPFD_CLOEXEC, 100);
        close (fd);
    }
    g_autoptr (GString) hello = pv_subprocess_run (&run, NULL, NULL, NULL);
    for (int fd = 0; fd < 3; fd++) {
        if (kept[fd] < 0)
            continue;
        dup2 (kept[fd], fd);
        close (kept[fd]);
    }
    g_assert_nonnull (hello);
    g_assert_cmpstr (hello->str, ==, "hello");
}

TEST (signals)
{
    sigset_t mask;
    sigemptyset (&mask);
    sigaddset (&mask, SIGUSR1);
    pthread_sigmask (SIG_BLOCK, &mask, NULL);
    signal (SIGPIPE, SIG_IGN);
    signal (SIGHUP, SIG_IGN);
    g_autofree char *ignored = ask (ARGV (child, "signals"), NULL);
    signal (SIGHUP, SIG_DFL);
    g_autofree char *none = ask (ARGV (child, "signals"), NULL);
    signal (SIGPIPE, SIG_DFL);
    pthread_sigmask (SIG_UNBLOCK, &mask, NULL);
    g_autofree char *hangup = g_strdup_printf ("%d ", SIGHUP);
    g_assert_cmpstr (ignored, ==, hangup);
    g_assert_cmpstr (none, ==, "");
}

TEST (environment)
{
    PvSubprocessRun run = make_run (ARGV (child, "environment"), NULL);
    run.environment = ARGV ("TOOL_TEST=yes");
    g_autoptr (GString) other = pv_subprocess_run (&run, NULL, NULL, NULL);
    g_assert_cmpstr (other->str, ==, "yes (null)");
    g_setenv ("TOOL_TEST", "ours", TRUE);
    g_setenv ("HOME", "/home", TRUE);
    g_autofree char *ours = ask (ARGV (child, "environment"), NULL);
    g_assert_cmpstr (ours, ==, "ours /home");
}

TEST (session)
{
    int pid, group, session;
    g_autofree char *ids = ask (ARGV (child, "ids"), NULL);
    g_assert_cmpint (sscanf (ids, "%d %d %d", &pid, &group, &session), ==, 3);
    g_assert_cmpint (group, ==, pid);
    g_assert_cmpint (session, ==, pid);
}

TESTS_MAIN (argc, argv)
{
    g_autofree char *path =
        g_build_filename (g_getenv ("PV_BUILD"), "tests/record/tool-child", NULL);
    child = path;
    pv_test_init (argc, argv);
    return g_test_run ();
}
