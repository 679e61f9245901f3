/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The program that is started is tool-child, told by its arguments what to do.
 */
#include "record/process/tool.h"

#include "../cases.h"
#include "../scratch.h"

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
    const PvSubprocess program = {.argv = argv, .fds = (int[]){-1, 1}, .n_fds = 2};
    PvTool *tool = pv_tool_start (&program, SIGINT, NULL, NULL, NULL);
    pv_tool_wait (tool, PATIENCE_MS, NULL);
    pv_tool_free (tool);
    argv[1] = "sleep";
    tool = pv_tool_start (&program, SIGINT, NULL, NULL, NULL);
    pv_tool_wait_start (tool);
    /* Both have the pipe: what reads it sees its end when both are gone. */
    g_usleep (200000);
    kill (getpid (), SIGKILL);
    return 0;
}

/* The tests */

typedef struct {
    GMainLoop *loop;
    int last_signal; /* 0: without the helper profview-launch */
    PvToolEnd end;
    unsigned n_ends;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
    fixture->loop = g_main_loop_new (NULL, false);
    fixture->last_signal = GPOINTER_TO_INT (data);
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
start (Fixture *fixture, PvSubprocess program, const char *what, const char *more)
{
    const char *argv[] = {child_path, what, more, NULL};
    program.argv = argv;
    return assert_ok (error, pv_tool_start (&program, fixture != NULL ? fixture->last_signal : 0,
                                            fixture != NULL ? note_end : NULL, fixture, &error));
}

/* Runs a tool that ends well; returns its output. */
static char *
hear (Fixture *fixture, PvSubprocess program, const char *what)
{
    int ends[2];
    g_assert_no_errno (pipe2 (ends, O_CLOEXEC));
    int fds[] = {-1, ends[1], -1};
    if (program.fds == NULL) {
        program.fds = fds;
        program.n_fds = 3;
    }
    g_autoptr (PvTool) tool = start (fixture, program, what, NULL);
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

static void
test_exit (Fixture *fixture, gconstpointer data)
{
    g_autoptr (PvTool) tool = start (fixture, (PvSubprocess){0}, "exit", "7");
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

static void
test_killed (Fixture *fixture, gconstpointer data)
{
    g_autofree char *number = g_strdup_printf ("%d", SIGUSR2);
    g_autoptr (PvTool) tool = start (fixture, (PvSubprocess){0}, "die", number);
    wait_for_end (fixture);
    g_assert_true (WIFSIGNALED (fixture->end.wait_status));
    g_assert_cmpint (WTERMSIG (fixture->end.wait_status), ==, SIGUSR2);
}

static void
check_signal (Fixture *fixture, bool is_late)
{
    g_autoptr (PvTool) tool = start (fixture, (PvSubprocess){0}, "sleep", NULL);
    if (is_late)
        run_for (fixture, 100);
    g_assert_false (pv_tool_wait (tool, 0, NULL));
    pv_tool_signal (tool, SIGKILL);
    wait_for_end (fixture);
    g_assert_true (WIFSIGNALED (fixture->end.wait_status));
    g_assert_cmpint (WTERMSIG (fixture->end.wait_status), ==, SIGKILL);
}

static void
test_signal (Fixture *fixture, gconstpointer data)
{
    check_signal (fixture, true);
}

/* Before it is started. */
static void
test_signal_early (Fixture *fixture, gconstpointer data)
{
    check_signal (fixture, false);
}

FIXTURE_TEST (missing, fixture)
{
    const char *names[] = {"no-program-has-this-name", "/nonexistent/program", "/etc/passwd"};
    for (size_t i = 0; i < G_N_ELEMENTS (names); i++) {
        PvSubprocess program = {.argv = (const char *const[]){names[i], NULL}};
        assert_error (error, pv_tool_start (&program, 0, note_end, fixture, &error), G_SPAWN_ERROR,
                      G_SPAWN_ERROR_NOENT);
    }
    run_for (fixture, 50);
    g_assert_cmpuint (fixture->n_ends, ==, 0);
}

/* Failures that only execve () finds. */
static void
test_no_program (Fixture *fixture, gconstpointer data)
{
    g_autofree char *path = g_build_filename (g_get_tmp_dir (), "pv-tool-XXXXXX", NULL);
    int fd = g_mkstemp_full (path, O_RDWR | O_CLOEXEC, 0700);
    close (fd);
    PvSubprocess program = {.argv = (const char *const[]){path, NULL}};
    g_autoptr (PvTool) tool = assert_ok (
        error, pv_tool_start (&program, fixture->last_signal, note_end, fixture, &error));
    g_assert_cmpint (pv_tool_wait_start (tool), ==, ENOEXEC);
    wait_for_end (fixture);
    g_assert_cmpint (fixture->end.start_errno, ==, ENOEXEC);
    g_unlink (path);
}

static void
test_fds (Fixture *fixture, gconstpointer data)
{
    /* Ours, that are open beyond execve () and not meant for it. */
    int other = open ("/dev/null", O_RDWR);
    assert_string (hear (fixture, (PvSubprocess){0}, "fds"), "0 1 2 ");
    close (other);
}

static void
test_more_fds (Fixture *fixture, gconstpointer data)
{
    int ends[2];
    g_assert_no_errno (pipe2 (ends, O_CLOEXEC));
    int fds[] = {ends[0], ends[1], -1, ends[0]};
    g_autoptr (PvTool) tool = start (fixture, (PvSubprocess){.fds = fds, .n_fds = 4}, "fds", NULL);
    wait_for_end (fixture);
    char text[100] = "";
    g_assert_cmpint (read (ends[0], text, sizeof text - 1), >, 0);
    g_assert_cmpstr (text, ==, "0 1 2 3 ");
    close (ends[0]);
    close (ends[1]);
}

static void
test_copy (Fixture *fixture, gconstpointer data)
{
    int in[2], out[2];
    g_assert_no_errno (pipe2 (in, O_CLOEXEC));
    g_assert_no_errno (pipe2 (out, O_CLOEXEC));
    int fds[] = {in[0], -1, out[1]};
    g_autoptr (PvTool) tool = start (fixture, (PvSubprocess){.fds = fds, .n_fds = 3}, "copy", NULL);
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

/* Signals are blocked and ignored for us alone; GIO ignores SIGPIPE. */
static void
test_signals (Fixture *fixture, gconstpointer data)
{
    sigset_t mask;
    sigemptyset (&mask);
    sigaddset (&mask, SIGUSR1);
    pthread_sigmask (SIG_BLOCK, &mask, NULL);
    signal (SIGPIPE, SIG_IGN);
    signal (SIGHUP, SIG_DFL); /* it stays ignored, as under nohup */
    assert_string (hear (fixture, (PvSubprocess){0}, "signals"), "");
    pthread_sigmask (SIG_UNBLOCK, &mask, NULL);
}

static void
test_environment (Fixture *fixture, gconstpointer data)
{
    const char *environment[] = {"TOOL_TEST=yes", "PV_UNIT_TEST=tool", NULL};
    PvSubprocess program = {.environment = environment};
    assert_string (hear (fixture, program, "environment"), "yes (null)");
    g_setenv ("TOOL_TEST", "ours", true);
    g_setenv ("HOME", "/home", true);
    fixture->n_ends = 0;
    assert_string (hear (fixture, (PvSubprocess){0}, "environment"), "ours /home");
}

static void
test_session (Fixture *fixture, gconstpointer data)
{
    int pid, group, session;
    g_autofree char *ours = hear (fixture, (PvSubprocess){0}, "ids");
    g_assert_cmpint (sscanf (ours, "%d %d %d", &pid, &group, &session), ==, 3);
    g_assert_cmpint (group, ==, getpgrp ());
    g_assert_cmpint (session, ==, getsid (0));
    fixture->n_ends = 0;
    g_autofree char *own = hear (fixture, (PvSubprocess){.starts_session = true}, "ids");
    g_assert_cmpint (sscanf (own, "%d %d %d", &pid, &group, &session), ==, 3);
    g_assert_cmpint (group, ==, pid);
    g_assert_cmpint (session, ==, pid);
}

/* When we are killed; but not when a thread of ours ends that had it started. */
FIXTURE_TEST (last_signal, fixture)
{
    int ends[2];
    g_assert_no_errno (pipe2 (ends, O_CLOEXEC));
    PvSubprocess program = {
        .argv = (const char *const[]){own_path, "--be-parent", NULL},
        .fds = (int[]){-1, ends[1]},
        .n_fds = 2,
    };
    g_autoptr (PvTool) parent = pv_tool_start (&program, 0, note_end, fixture, NULL);
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
    const PvSubprocess program = {.argv = (const char *const[]){child_path, "sleep", NULL}};
    *tool = pv_tool_start (&program, SIGKILL, NULL, NULL, NULL);
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
    g_autoptr (PvTool) forgotten = start (fixture, (PvSubprocess){0}, "exit", "0");
    pv_tool_forget (forgotten);
    pv_tool_free (start (fixture, (PvSubprocess){0}, "exit", "0"));
    PvTool *late = start (fixture, (PvSubprocess){0}, "exit", "0");
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
    PvSubprocess missing = {.argv = argv};
    for (unsigned i = 0; i < N_AT_ONCE; i++) {
        g_autofree char *status = g_strdup_printf ("%u", i);
        g_autoptr (PvTool) tool = start (NULL, (PvSubprocess){0}, "exit", status);
        g_assert_null (pv_tool_start (&missing, 0, NULL, NULL, NULL));
        PvToolEnd end;
        g_assert_true (pv_tool_wait (tool, PATIENCE_MS, &end));
        g_assert_cmpint (WEXITSTATUS (end.wait_status), ==, (int)i);
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

#define ADD(path, last_signal, function)                                                           \
    g_test_add ("/tool/" path, Fixture, GINT_TO_POINTER (last_signal), set_up, function, tear_down)
#define ADD_BOTH(path, function)                                                                   \
    do {                                                                                           \
        ADD (path, 0, function);                                                                   \
        ADD (path "/helper", SIGUSR1, function);                                                   \
    } while (0)

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
    ADD_BOTH ("exit", test_exit);
    ADD_BOTH ("killed", test_killed);
    ADD_BOTH ("signal", test_signal);
    ADD_BOTH ("signal-early", test_signal_early);
    ADD_BOTH ("no-program", test_no_program);
    ADD_BOTH ("fds", test_fds);
    ADD_BOTH ("more-fds", test_more_fds);
    ADD_BOTH ("copy", test_copy);
    ADD_BOTH ("signals", test_signals);
    ADD_BOTH ("environment", test_environment);
    ADD_BOTH ("session", test_session);
    return g_test_run ();
}
