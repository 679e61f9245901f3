/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The program that is started is tool-child, told by its arguments what to do.
 */
#include "../cases.h"
#include "../scratch.h"
#include "record/process/tool.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATIENCE_MS = 60000, N_AT_ONCE = 40, N_THREADS = 8 };

static char *own_path, *child_path;

/* Starts a sleeper that is to get a signal when we are gone, says its number, and is killed. */
static int
be_parent (void)
{
    int ends[2];
    g_assert_no_errno (pipe (ends));
    const char *argv[] = {child_path, "ids", NULL};
    PvToolOptions first = {.argv = argv, .fds = (int[]){-1, 1}, .n_fds = 2, .last_signal = SIGINT};
    PvTool *tool = pv_tool_start (&first, NULL, NULL, NULL);
    pv_tool_wait (tool, PATIENCE_MS, NULL);
    pv_tool_free (tool);
    argv[1] = "sleep";
    PvToolOptions second = {.argv = argv, .fds = (int[]){-1, 1}, .n_fds = 2, .last_signal = SIGINT};
    tool = pv_tool_start (&second, NULL, NULL, NULL);
    pv_tool_wait_start (tool);
    /* Both have the pipe: what reads it sees its end when both are gone. */
    g_usleep (200000);
    kill (getpid (), SIGKILL);
    return 0;
}

/* The tests */

typedef struct {
    GMainLoop *loop;
    PvToolEnd end;
    unsigned n_ends;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
    fixture->loop = g_main_loop_new (NULL, false);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
    g_main_loop_unref (fixture->loop);
}

static void
note_end (const PvToolEnd *end, void *user)
{
    Fixture *fixture = user;
    fixture->end = *end;
    fixture->n_ends++;
    g_main_loop_quit (fixture->loop);
}

static gboolean
quit (gpointer user)
{
    g_main_loop_quit (user);
    return G_SOURCE_REMOVE;
}

static void
run_for (Fixture *fixture, unsigned milliseconds)
{
    g_timeout_add (milliseconds, quit, fixture->loop);
    g_main_loop_run (fixture->loop);
}

static void
wait_for_end (Fixture *fixture)
{
    guint patience = g_timeout_add (PATIENCE_MS, quit, fixture->loop);
    while (fixture->n_ends == 0)
        g_main_loop_run (fixture->loop);
    g_source_remove (patience);
    g_assert_cmpuint (fixture->n_ends, ==, 1);
}

static PvTool *
start (Fixture *fixture, PvToolOptions options, const char *what, const char *more)
{
    const char *argv[] = {child_path, what, more, NULL};
    options.argv = argv;
    PvTool *tool = assert_ok (
        error, pv_tool_start (&options, fixture != NULL ? note_end : NULL, fixture, &error));
    return tool;
}

/* What one says on its output, and that it ends well. */
static char *
hear (Fixture *fixture, PvToolOptions options, const char *what)
{
    int ends[2];
    g_assert_no_errno (pipe2 (ends, O_CLOEXEC));
    int fds[] = {-1, ends[1], -1};
    if (options.fds == NULL) {
        options.fds = fds;
        options.n_fds = 3;
    }
    g_autoptr (PvTool) tool = start (fixture, options, what, NULL);
    close (ends[1]);
    wait_for_end (fixture);
    g_assert_cmpint (fixture->end.start_errno, ==, 0);
    g_assert_cmpint (fixture->end.wait_status, ==, 0);
    char text[4096];
    ssize_t n = read (ends[0], text, sizeof text - 1);
    g_assert_cmpint (n, >=, 0);
    text[n] = '\0';
    close (ends[0]);
    return g_strdup (text);
}

FIXTURE_TEST (exit, fixture)
{
    g_autoptr (PvTool) tool = start (fixture, (PvToolOptions){0}, "exit", "7");
    g_assert_cmpint (pv_tool_wait_start (tool), ==, 0);
    wait_for_end (fixture);
    g_assert_cmpint (fixture->end.start_errno, ==, 0);
    g_assert_true (WIFEXITED (fixture->end.wait_status));
    g_assert_cmpint (WEXITSTATUS (fixture->end.wait_status), ==, 7);
    PvToolEnd end;
    g_assert_true (pv_tool_wait (tool, 0, &end));
    g_assert_cmpint (end.wait_status, ==, fixture->end.wait_status);
    pv_tool_signal (tool, SIGKILL); /* to nobody */
}

FIXTURE_TEST (killed, fixture)
{
    g_autofree char *number = g_strdup_printf ("%d", SIGUSR2);
    g_autoptr (PvTool) tool = start (fixture, (PvToolOptions){0}, "die", number);
    wait_for_end (fixture);
    g_assert_true (WIFSIGNALED (fixture->end.wait_status));
    g_assert_cmpint (WTERMSIG (fixture->end.wait_status), ==, SIGUSR2);
}

/* Also before it is started. */
static void
test_signal (Fixture *fixture, gconstpointer data)
{
    bool is_late = GPOINTER_TO_INT (data) != 0;
    g_autoptr (PvTool) tool = start (fixture, (PvToolOptions){0}, "sleep", NULL);
    if (is_late)
        run_for (fixture, 100);
    g_assert_false (pv_tool_wait (tool, 0, NULL));
    pv_tool_signal (tool, SIGKILL);
    wait_for_end (fixture);
    g_assert_true (WIFSIGNALED (fixture->end.wait_status));
    g_assert_cmpint (WTERMSIG (fixture->end.wait_status), ==, SIGKILL);
}

FIXTURE_TEST (missing, fixture)
{
    const char *names[] = {"no-program-has-this-name", "/nonexistent/program", "/etc/passwd"};
    for (size_t i = 0; i < G_N_ELEMENTS (names); i++) {
        PvToolOptions options = {.argv = (const char *const[]){names[i], NULL}};
        assert_error (error, pv_tool_start (&options, note_end, fixture, &error), G_SPAWN_ERROR,
                      G_SPAWN_ERROR_NOENT);
    }
    run_for (fixture, 50);
    g_assert_cmpuint (fixture->n_ends, ==, 0);
}

/* What only execve () finds out. */
FIXTURE_TEST (no_program, fixture)
{
    g_autofree char *path = g_build_filename (g_get_tmp_dir (), "pv-tool-XXXXXX", NULL);
    int fd = g_mkstemp_full (path, O_RDWR | O_CLOEXEC, 0700);
    close (fd);
    PvToolOptions options = {.argv = (const char *const[]){path, NULL}};
    g_autoptr (PvTool) tool =
        assert_ok (error, pv_tool_start (&options, note_end, fixture, &error));
    g_assert_cmpint (pv_tool_wait_start (tool), ==, ENOEXEC);
    wait_for_end (fixture);
    g_assert_cmpint (fixture->end.start_errno, ==, ENOEXEC);
    g_unlink (path);
}

FIXTURE_TEST (fds, fixture)
{
    /* Ours, that are open beyond execve () and not meant for it. */
    int other = open ("/dev/null", O_RDWR);
    assert_string (hear (fixture, (PvToolOptions){0}, "fds"), "0 1 2 ");
    close (other);
}

FIXTURE_TEST (more_fds, fixture)
{
    int ends[2];
    g_assert_no_errno (pipe2 (ends, O_CLOEXEC));
    int fds[] = {ends[0], ends[1], -1, ends[0]};
    g_autoptr (PvTool) tool = start (fixture, (PvToolOptions){.fds = fds, .n_fds = 4}, "fds", NULL);
    wait_for_end (fixture);
    char text[100] = "";
    g_assert_cmpint (read (ends[0], text, sizeof text - 1), >, 0);
    g_assert_cmpstr (text, ==, "0 1 2 3 ");
    close (ends[0]);
    close (ends[1]);
}

FIXTURE_TEST (copy, fixture)
{
    int in[2], out[2];
    g_assert_no_errno (pipe2 (in, O_CLOEXEC));
    g_assert_no_errno (pipe2 (out, O_CLOEXEC));
    int fds[] = {in[0], -1, out[1]};
    g_autoptr (PvTool) tool =
        start (fixture, (PvToolOptions){.fds = fds, .n_fds = 3}, "copy", NULL);
    close (in[0]);
    close (out[1]);
    g_assert_cmpint (write (in[1], "hello", 5), ==, 5);
    close (in[1]);
    wait_for_end (fixture);
    char text[100] = "";
    g_assert_cmpint (read (out[0], text, sizeof text - 1), ==, 5);
    g_assert_cmpstr (text, ==, "hello");
    g_assert_cmpint (read (out[0], text, sizeof text), ==, 0); /* nobody else has it */
    close (out[0]);
}

/* What is blocked and ignored is so for us alone; GIO ignores SIGPIPE. */
FIXTURE_TEST (signals, fixture)
{
    sigset_t mask;
    sigemptyset (&mask);
    sigaddset (&mask, SIGUSR1);
    pthread_sigmask (SIG_BLOCK, &mask, NULL);
    signal (SIGPIPE, SIG_IGN);
    signal (SIGHUP, SIG_DFL); /* it stays ignored, as under nohup */
    assert_string (hear (fixture, (PvToolOptions){0}, "signals"), "");
    pthread_sigmask (SIG_UNBLOCK, &mask, NULL);
}

FIXTURE_TEST (environment, fixture)
{
    const char *environment[] = {"TOOL_TEST=yes", "PV_UNIT_TEST=tool", NULL};
    PvToolOptions options = {.environment = environment};
    assert_string (hear (fixture, options, "environment"), "yes (null)");
    g_setenv ("TOOL_TEST", "ours", true);
    g_setenv ("HOME", "/home", true);
    fixture->n_ends = 0;
    assert_string (hear (fixture, (PvToolOptions){0}, "environment"), "ours /home");
}

FIXTURE_TEST (session, fixture)
{
    int pid, group, session;
    g_autofree char *ours = hear (fixture, (PvToolOptions){0}, "ids");
    g_assert_cmpint (sscanf (ours, "%d %d %d", &pid, &group, &session), ==, 3);
    g_assert_cmpint (group, ==, getpgrp ());
    g_assert_cmpint (session, ==, getsid (0));
    fixture->n_ends = 0;
    g_autofree char *own = hear (fixture, (PvToolOptions){.has_own_session = true}, "ids");
    g_assert_cmpint (sscanf (own, "%d %d %d", &pid, &group, &session), ==, 3);
    g_assert_cmpint (group, ==, pid);
    g_assert_cmpint (session, ==, pid);
}

/* When we are killed; but not when a thread of ours ends that had it started. */
FIXTURE_TEST (last_signal, fixture)
{
    int ends[2];
    g_assert_no_errno (pipe2 (ends, O_CLOEXEC));
    PvToolOptions options = {
        .argv = (const char *const[]){own_path, "--be-parent", NULL},
        .fds = (int[]){-1, ends[1]},
        .n_fds = 2,
    };
    g_autoptr (PvTool) parent = pv_tool_start (&options, note_end, fixture, NULL);
    g_assert_nonnull (parent);
    close (ends[1]);
    wait_for_end (fixture);
    g_assert_cmpint (WTERMSIG (fixture->end.wait_status), ==, SIGKILL);
    char text[100];
    ssize_t n;
    do { /* until its end: the sleeper would have it for 100 s */
        struct pollfd file = {.fd = ends[0], .events = POLLIN};
        g_assert_cmpint (poll (&file, 1, 10000), ==, 1);
        n = read (ends[0], text, sizeof text);
    } while (n > 0);
    close (ends[0]);
}

static void *
start_in_thread (void *data)
{
    PvTool **tool = data;
    *tool = start (NULL, (PvToolOptions){.last_signal = SIGKILL}, "sleep", NULL);
    pv_tool_wait_start (*tool);
    return NULL;
}

FIXTURE_TEST (thread_ends, fixture)
{
    pthread_t thread;
    g_autoptr (PvTool) tool = NULL;
    g_assert_cmpint (pthread_create (&thread, NULL, start_in_thread, &tool), ==, 0);
    pthread_join (thread, NULL);
    g_assert_false (pv_tool_wait (tool, 200, NULL));
    pv_tool_signal (tool, SIGKILL);
    g_assert_true (pv_tool_wait (tool, PATIENCE_MS, NULL));
}

FIXTURE_TEST (forget, fixture)
{
    g_autoptr (PvTool) forgotten = start (fixture, (PvToolOptions){0}, "exit", "0");
    pv_tool_forget (forgotten);
    pv_tool_free (start (fixture, (PvToolOptions){0}, "exit", "0"));
    PvTool *late = start (fixture, (PvToolOptions){0}, "exit", "0");
    g_assert_true (pv_tool_wait (late, PATIENCE_MS, NULL)); /* its end is on the way */
    pv_tool_free (late);
    g_assert_true (pv_tool_wait (forgotten, PATIENCE_MS, NULL));
    run_for (fixture, 100);
    g_assert_cmpuint (fixture->n_ends, ==, 0);
}

static bool
has_children (void)
{
    siginfo_t info;
    return waitid (P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0;
}

/* The threads give back what they have a moment after the end is known. */
static void
wait_for_nothing_left (unsigned n_fds)
{
    for (unsigned i = 0;
         i < PATIENCE_MS / 10 && (count_files ("/proc/self/fd") > n_fds || has_children ()); i++)
        g_usleep (10000);
    g_assert_cmpuint (count_files ("/proc/self/fd"), ==, n_fds);
    g_assert_false (has_children ());
}

static void *
start_many (void *data)
{
    const char *argv[] = {"/nonexistent/program", NULL};
    PvToolOptions missing = {.argv = argv};
    for (unsigned i = 0; i < N_AT_ONCE; i++) {
        g_autofree char *status = g_strdup_printf ("%u", i);
        PvTool *tool = start (NULL, (PvToolOptions){0}, "exit", status);
        g_assert_null (pv_tool_start (&missing, NULL, NULL, NULL));
        PvToolEnd end;
        g_assert_true (pv_tool_wait (tool, PATIENCE_MS, &end));
        g_assert_cmpint (WEXITSTATUS (end.wait_status), ==, (int)i);
        pv_tool_free (tool);
    }
    return NULL;
}

/* Somebody else's children are let be, and nothing of ours is left. */
FIXTURE_TEST (many, fixture)
{
    char *argv[] = {child_path, (char *)"exit", (char *)"3", NULL};
    GPid other;
    int wait_status;
    wait_for_nothing_left (count_files ("/proc/self/fd"));
    g_assert_true (
        g_spawn_async (NULL, argv, NULL, G_SPAWN_DO_NOT_REAP_CHILD, NULL, NULL, &other, NULL));
    unsigned n_fds = count_files ("/proc/self/fd");
    pthread_t threads[N_THREADS];
    for (unsigned i = 0; i < N_THREADS; i++)
        g_assert_cmpint (pthread_create (&threads[i], NULL, start_many, NULL), ==, 0);
    for (unsigned i = 0; i < N_THREADS; i++)
        pthread_join (threads[i], NULL);
    g_assert_cmpint (waitpid (other, &wait_status, 0), ==, other);
    g_assert_cmpint (WEXITSTATUS (wait_status), ==, 3);
    wait_for_nothing_left (n_fds);
}

#define ADD(path, data, function)                                                                  \
    g_test_add ("/tool/" path, Fixture, GINT_TO_POINTER (data), set_up, function, tear_down)

TESTS_MAIN (argc, argv)
{
    g_autofree char *path = g_file_read_link ("/proc/self/exe", NULL);
    g_autofree char *child =
        g_build_filename (g_getenv ("PV_BUILD"), "tests/record/tool-child", NULL);
    own_path = path;
    child_path = child;
    if (argc == 2 && strcmp (argv[1], "--be-parent") == 0)
        return be_parent ();
    pv_test_init (argc, argv);
    ADD ("signal", true, test_signal);
    ADD ("signal-early", false, test_signal);
    return g_test_run ();
}
