/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "../cases.h"
#include "../scratch.h"
#include "record/run/target.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATIENCE_MS = 60000 };

static const char *own_path;

typedef struct {
    char *folder;
    PvRecordPlan *plan;
    PvTarget *target;
    unsigned n_ended;
    unsigned n_ended_before_free;
    unsigned n_fds;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
    fixture->folder = g_dir_make_tmp ("pv target-XXXXXX", NULL);
    fixture->plan = pv_record_plan_new ();
    fixture->plan->folder = g_strdup (fixture->folder);
    g_main_context_iteration (NULL, FALSE);
    fixture->n_fds = count_files ("/proc/self/fd");
}

/* Nobody waits for a child that another one still waits for. */
static bool
has_children (void)
{
    siginfo_t info = {0};
    return waitid (P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0;
}

static void
pause_a_little (void)
{
    g_main_context_iteration (NULL, FALSE);
    g_usleep (2000);
}

#define wait_until(condition)                                                                      \
    G_STMT_START                                                                                   \
    {                                                                                              \
        int64_t until_us = g_get_monotonic_time () + PATIENCE_MS * 1000;                           \
        bool is_so; /* asked once: what changes quickly may be otherwise by then */                \
        while (!(is_so = (condition)) && g_get_monotonic_time () < until_us)                       \
            pause_a_little ();                                                                     \
        g_assert_true (is_so);                                                                     \
    }                                                                                              \
    G_STMT_END

static void
tear_down (Fixture *fixture, gconstpointer data)
{
    pv_target_free (fixture->target);
    wait_until (!has_children ()); /* no zombie is left, whatever happened */
    wait_until (count_files ("/proc/self/fd") == fixture->n_fds);
    g_autofree char *remove = g_strdup_printf ("rm -rf '%s'", fixture->folder);
    g_assert_cmpint (system (remove), ==, 0);
    pv_record_plan_free (fixture->plan);
    g_free (fixture->folder);
}

static char *
in_folder (const Fixture *fixture, const char *name)
{
    return g_build_filename (fixture->folder, name, NULL);
}

static bool
is_there (const Fixture *fixture, const char *name)
{
    g_autofree char *path = in_folder (fixture, name);
    return g_file_test (path, G_FILE_TEST_EXISTS);
}

static void
write_file (const Fixture *fixture, const char *name, const char *text, int mode)
{
    g_autofree char *path = in_folder (fixture, name);
    g_assert_true (g_file_set_contents (path, text, -1, NULL));
    g_assert_cmpint (g_chmod (path, mode), ==, 0);
}

static char *
read_file (const Fixture *fixture, const char *name)
{
    char *text = NULL;
    g_autofree char *path = in_folder (fixture, name);
    g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
    return text;
}

static void
set_argv (Fixture *fixture, const char *const *argv)
{
    g_strfreev (fixture->plan->argv);
    fixture->plan->argv = g_strdupv ((char **)argv);
}

static void
set_script (Fixture *fixture, const char *script)
{
    const char *const argv[] = {"sh", "-c", script, NULL};
    set_argv (fixture, argv);
}

static void
note_end (PvTarget *target, void *user)
{
    Fixture *fixture = user;
    g_assert_true (pv_target_get_status (target)->is_ended);
    fixture->n_ended++;
}

static void
launch (Fixture *fixture, const PvTargetOptions *options)
{
    fixture->n_ended = 0;
    g_clear_pointer (&fixture->target, pv_target_free);
    fixture->target = assert_ok (error, pv_target_launch (fixture->plan, options, &error));
    g_assert_nonnull (fixture->target);
    pv_target_set_ended (fixture->target, note_end, fixture);
}

/* Launches the program, and lets it begin. */
static void
begin (Fixture *fixture, const PvTargetOptions *options)
{
    launch (fixture, options);
    pv_target_release (fixture->target);
}

/* Runs the program to its end. */
static void
run (Fixture *fixture, const PvTargetOptions *options)
{
    begin (fixture, options);
    wait_until (fixture->n_ended == 1);
}

static void
kill_target (Fixture *fixture)
{
    pv_target_signal (fixture->target, SIGKILL);
    wait_until (fixture->n_ended == 1);
}

static const PvTargetStatus *
run_script (Fixture *fixture, const char *script)
{
    set_script (fixture, script);
    begin (fixture, NULL);
    wait_until (fixture->n_ended > 0);
    g_assert_cmpuint (fixture->n_ended, ==, 1);
    return pv_target_get_status (fixture->target);
}

static void
check_description (const Fixture *fixture, const char *wanted)
{
    g_autofree char *said = pv_target_describe_end (fixture->target);
    if (wanted == NULL)
        g_assert_cmpstr (said, ==, NULL);
    else if (said == NULL || strstr (said, wanted) == NULL)
        g_error ("“%s” does not hold “%s”", said, wanted);
}

static bool
is_process_gone (pid_t pid)
{
    g_autofree char *path = g_strdup_printf ("/proc/%d/stat", (int)pid);
    g_autofree char *text = NULL;
    if (kill (pid, 0) != 0)
        return errno == ESRCH;
    /* In a container whose first process does not care for orphans they stay as zombies. */
    const char *state = g_file_get_contents (path, &text, NULL, NULL) ? strrchr (text, ')') : NULL;
    return state == NULL || state[1] == '\0' || state[2] == 'Z';
}

/* How it starts */

FIXTURE_TEST (held, fixture)
{
    set_script (fixture, "echo $$ > pid; exit 0");
    launch (fixture, NULL);
    for (unsigned i = 0; i < 50; i++)
        pause_a_little ();
    g_assert_false (is_there (fixture, "pid"));
    g_assert_cmpuint (fixture->n_ended, ==, 0);
    g_assert_true (pv_target_is_launched (fixture->target));
    check_description (fixture, NULL);
    pv_target_release (fixture->target);
    pv_target_release (fixture->target);
    wait_until (fixture->n_ended == 1);
    g_autofree char *pid = read_file (fixture, "pid");
    g_assert_cmpint (atoi (pid), ==, pv_target_get_pid (fixture->target));
    check_description (fixture, NULL);
}

static const char *const strange[] = {
    "a b",
    "it's \"x\"",
    "--",
    "-n",
    "$(touch oops)",
    "`touch oops`; touch oops",
    "a\nb",
    "\n",
    "",
    "\\",
    "#x",
    "*",
    "\xff\xfe",
    "$HOME",
    "é",
    "A=1",
};

FIXTURE_TEST (arguments, fixture)
{
    static const char script[] = "#!/bin/sh\nprintf '%s|' \"$@\" > arguments\n";
    static const char *const names[] = {"a b",     "-x",  "new\nline", "$(touch oops)",
                                        "\xff'\"", "A=1", "#"};
    g_autoptr (GString) wanted = g_string_new (NULL);
    const char *argv[G_N_ELEMENTS (strange) + 2] = {NULL};
    for (unsigned i = 0; i < G_N_ELEMENTS (strange); i++) {
        argv[i + 1] = strange[i];
        g_string_append_printf (wanted, "%s|", strange[i]);
    }
    fixture->plan->environment = g_strdupv ((char *[]){(char *)"PATH=.:/usr/bin:/bin", NULL});
    for (unsigned i = 0; i < G_N_ELEMENTS (names); i++) {
        write_file (fixture, names[i], script, 0755);
        argv[0] = names[i]; /* found in PATH, whose "." is the plan's folder */
        set_argv (fixture, argv);
        run (fixture, NULL);
        check_description (fixture, NULL);
        assert_string (read_file (fixture, "arguments"), wanted->str);
    }
    g_assert_false (is_there (fixture, "oops"));
}

FIXTURE_TEST (folder, fixture)
{
    g_autofree char *real = realpath (fixture->folder, NULL);
    run_script (fixture, "{ /bin/pwd; echo \"$PWD\"; } > where");
    g_autofree char *wanted = g_strdup_printf ("%s\n%s\n", real, fixture->folder);
    assert_string (read_file (fixture, "where"), wanted);

    g_autofree char *sub_folder = in_folder (fixture, "sub");
    g_assert_cmpint (g_mkdir (sub_folder, 0700), ==, 0);
    write_file (fixture, "sub/run", "#!/bin/sh\necho \"$0\" > ../name\n", 0700);
    const char *const argv[] = {"./run", NULL};
    g_free (fixture->plan->folder);
    fixture->plan->folder = g_strdup (sub_folder);
    set_argv (fixture, argv);
    run (fixture, NULL);
    assert_string (read_file (fixture, "name"), "./run\n");
}

FIXTURE_TEST (environment, fixture)
{
    char *plan[] = {(char *)"PV_A=plan", (char *)"PV_B=plan", (char *)"PV_C=a b\nc=d", NULL};
    const char *const mine[] = {"PV_B=mine", NULL};
    const PvTargetOptions options = {.environment = mine};
    g_setenv ("PV_A", "ours", TRUE);
    g_setenv ("PV_D", "ours", TRUE);
    fixture->plan->environment = g_strdupv (plan);
    set_script (fixture, "echo \"$PV_A $PV_B $PV_C $PV_D\" > variables");
    run (fixture, &options);
    assert_string (read_file (fixture, "variables"), "plan mine a b\nc=d ours\n");
    g_unsetenv ("PV_A");
    g_unsetenv ("PV_D");
}

/* The loader's variables are for the program alone, not for the helper that becomes it. */
FIXTURE_TEST (loader_variables, fixture)
{
    g_autofree char *output = g_strdup_printf ("LD_DEBUG_OUTPUT=%s/loaded", fixture->folder);
    char *variables[] = {(char *)"LD_DEBUG=files", output, NULL};
    const char *const argv[] = {"true", NULL};
    fixture->plan->environment = g_strdupv (variables);
    set_argv (fixture, argv);
    launch (fixture, NULL);
    g_autofree char *name = g_strdup_printf ("loaded.%d", pv_target_get_pid (fixture->target));
    for (unsigned i = 0; i < 50; i++)
        pause_a_little ();
    g_assert_false (is_there (fixture, name));
    pv_target_release (fixture->target);
    wait_until (fixture->n_ended == 1);
    g_assert_true (is_there (fixture, name));
}

static void
check_refused (Fixture *fixture, const char *program, GQuark domain, int code, const char *named)
{
    const char *const argv[] = {program, "x", NULL};
    g_autoptr (GError) error = NULL;
    set_argv (fixture, argv);
    g_assert_null (pv_target_launch (fixture->plan, NULL, &error));
    g_assert_error (error, domain, code);
    g_assert_nonnull (strstr (error->message, named));
}

FIXTURE_TEST (refused, fixture)
{
    write_file (fixture, "plain", "#!/bin/sh\n", 0644);
    write_file (fixture, "-script", "#!/bin/sh\n", 0755);
    check_refused (fixture, "no-such program", G_SPAWN_ERROR, G_SPAWN_ERROR_NOENT,
                   "no-such program");
    check_refused (fixture, "", G_SPAWN_ERROR, G_SPAWN_ERROR_NOENT, "");
    check_refused (fixture, "./none", G_SPAWN_ERROR, G_SPAWN_ERROR_NOENT, "./none");
    check_refused (fixture, "plain/x", G_SPAWN_ERROR, G_SPAWN_ERROR_NOENT, "plain/x");
    check_refused (fixture, "./plain", G_SPAWN_ERROR, G_SPAWN_ERROR_ACCES, "./plain");
    check_refused (fixture, fixture->folder, G_SPAWN_ERROR, G_SPAWN_ERROR_ACCES, fixture->folder);
    check_refused (fixture, "/dev/null", G_SPAWN_ERROR, G_SPAWN_ERROR_ACCES, "/dev/null");
    check_refused (fixture, "\xff", G_SPAWN_ERROR, G_SPAWN_ERROR_NOENT, "");
    check_refused (fixture, "-script", G_SPAWN_ERROR, G_SPAWN_ERROR_NOENT, "-script");
    fixture->plan->environment = g_strdupv ((char *[]){(char *)"PATH=/none:", NULL});
    check_refused (fixture, "plain", G_SPAWN_ERROR, G_SPAWN_ERROR_ACCES, "plain");
    check_refused (fixture, "sh", G_SPAWN_ERROR, G_SPAWN_ERROR_NOENT, "sh");

    g_free (fixture->plan->folder);
    fixture->plan->folder = in_folder (fixture, "missing");
    check_refused (fixture, "/bin/sh", G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "missing");
    g_free (fixture->plan->folder);
    fixture->plan->folder = in_folder (fixture, "plain");
    check_refused (fixture, "/bin/sh", G_IO_ERROR, G_IO_ERROR_NOT_DIRECTORY, "plain");
}

static void
check_not_executed (Fixture *fixture, int code, const char *said)
{
    const char *const argv[] = {"./program", NULL};
    set_argv (fixture, argv);
    run (fixture, NULL);
    g_assert_cmpint (pv_target_get_status (fixture->target)->exec_errno, ==, code);
    check_description (fixture, said);
    check_description (fixture, "./program");
}

FIXTURE_TEST (not_executed, fixture)
{
    write_file (fixture, "program", "touch oops\n", 0755);
    check_not_executed (fixture, ENOEXEC, "#!");
    write_file (fixture, "program", "#!/no/such/interpreter\n", 0755);
    check_not_executed (fixture, ENOENT, "interpreter");
    write_file (fixture, "program", "#!/etc/passwd\n", 0755);
    check_not_executed (fixture, EACCES, g_strerror (EACCES));
    g_assert_false (is_there (fixture, "oops"));

    /* It goes while it is held. */
    write_file (fixture, "program", "#!/bin/sh\n", 0755);
    const char *const argv[] = {"./program", NULL};
    set_argv (fixture, argv);
    launch (fixture, NULL);
    g_autofree char *path = in_folder (fixture, "program");
    g_assert_cmpint (g_unlink (path), ==, 0);
    pv_target_release (fixture->target);
    wait_until (fixture->n_ended == 1);
    g_assert_cmpint (pv_target_get_status (fixture->target)->exec_errno, ==, ENOENT);
}

/* Inherited state */

static bool
has_only_standard_fds (const char *folder)
{
    g_autoptr (GDir) fds = g_dir_open (folder, 0, NULL);
    unsigned n_fds = 0;
    for (const char *number; (number = g_dir_read_name (fds)) != NULL; n_fds++)
        if (atoi (number) > 2)
            return false;
    return n_fds == 3;
}

FIXTURE_TEST (descriptors, fixture)
{
    /* Without close-on-exec, as libraries may have them; low and high ones. */
    int fd = open ("/dev/null", O_RDONLY), high_fd = fcntl (fd, F_DUPFD, 200);
    g_assert_cmpint (high_fd, >=, 200);
    const char *const argv[] = {"sleep", "100", NULL};
    set_argv (fixture, argv);
    launch (fixture, NULL);
    g_autofree char *proc = g_strdup_printf ("/proc/%d/fd", pv_target_get_pid (fixture->target));
    g_autofree char *comm = g_strdup_printf ("/proc/%d/comm", pv_target_get_pid (fixture->target));
    g_autofree char *name = NULL;
    pv_target_release (fixture->target);
    wait_until ((g_free (name), g_file_get_contents (comm, &name, NULL, NULL)) &&
                strcmp (name, "sleep\n") == 0);
    /* Its loader opens and closes libraries first. */
    wait_until (has_only_standard_fds (proc));
    close (fd);
    close (high_fd);
    kill_target (fixture);
}

FIXTURE_TEST (signals_reset, fixture)
{
    sigset_t blocked, before;
    struct sigaction ignored = {.sa_handler = SIG_IGN}, old[2];
    sigemptyset (&blocked);
    sigaddset (&blocked, SIGTERM);
    sigaddset (&blocked, SIGUSR1);
    pthread_sigmask (SIG_BLOCK, &blocked, &before);
    sigaction (SIGPIPE, &ignored, &old[0]);
    sigaction (SIGINT, &ignored, &old[1]);
    const char *const argv[] = {"cp", "/proc/self/status", "status", NULL};
    set_argv (fixture, argv);
    run (fixture, NULL);
    pthread_sigmask (SIG_SETMASK, &before, NULL);
    sigaction (SIGPIPE, &old[0], NULL);
    sigaction (SIGINT, &old[1], NULL);
    g_autofree char *status = read_file (fixture, "status");
    g_assert_nonnull (strstr (status, "SigBlk:\t0000000000000000"));
    char *line = strstr (status, "SigIgn:\t");
    g_assert_nonnull (line);
    uint64_t set = g_ascii_strtoull (line + strlen ("SigIgn:\t"), NULL, 16);
    g_assert_cmphex (set & ~(UINT64_C (1) << (SIGHUP - 1)), ==, 0);
}

FIXTURE_TEST (memory, fixture)
{
    fixture->plan->max_memory_bytes = UINT64_C (300) << 20;
    run_script (fixture, "{ ulimit -S -v; ulimit -H -v; } > limit");
    assert_string (read_file (fixture, "limit"), "307200\n307200\n");
    fixture->plan->max_memory_bytes = 4096; /* even the dynamic loader finds no room */
    const PvTargetStatus *status = run_script (fixture, "exit 0");
    g_assert_true (status->signal != 0 || status->exec_errno != 0 || status->exit_code != 0);
}

typedef struct {
    int fd;
    char *path;
    GString *text;
} Terminal;

static void
terminal_open (Terminal *terminal)
{
    terminal->fd = posix_openpt (O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
    g_assert_cmpint (terminal->fd, >=, 0);
    g_assert_cmpint (grantpt (terminal->fd), ==, 0);
    g_assert_cmpint (unlockpt (terminal->fd), ==, 0);
    terminal->path = g_strdup (ptsname (terminal->fd));
    terminal->text = g_string_new (NULL);
}

static bool
terminal_shows (Terminal *terminal, const char *text)
{
    char bytes[256];
    ssize_t n = read (terminal->fd, bytes, sizeof bytes);
    if (n > 0)
        g_string_append_len (terminal->text, bytes, n);
    return strstr (terminal->text->str, text) != NULL;
}

static void
terminal_close (Terminal *terminal)
{
    close (terminal->fd);
    g_free (terminal->path);
    g_string_free (terminal->text, TRUE);
}

FIXTURE_TEST (terminal, fixture)
{
    Terminal terminal;
    terminal_open (&terminal);
    const PvTargetOptions options = {.terminal = terminal.path};
    set_script (fixture,
                "tty; echo hello > /dev/tty; read line; echo \"got $line\"; exec sleep 100");
    launch (fixture, &options);
    pid_t pid = pv_target_get_pid (fixture->target);
    pv_target_release (fixture->target);
    wait_until (terminal_shows (&terminal, "hello"));
    g_assert_nonnull (strstr (terminal.text->str, terminal.path));
    g_assert_cmpint (getsid (pid), ==, pid);
    g_assert_cmpint (tcgetpgrp (terminal.fd), ==, pid);
    g_assert_cmpint (write (terminal.fd, "words\n", 6), ==, 6);
    wait_until (terminal_shows (&terminal, "got words"));
    g_assert_cmpint (write (terminal.fd, "\003", 1), ==, 1); /* Ctrl+C */
    wait_until (fixture->n_ended == 1);
    g_assert_cmpint (pv_target_get_status (fixture->target)->signal, ==, SIGINT);
    terminal_close (&terminal);

    const PvTargetOptions no_terminal = {.terminal = "/dev/pts/no-such"};
    launch (fixture, &no_terminal);
    wait_until (fixture->n_ended == 1);
    g_assert_cmpint (pv_target_get_status (fixture->target)->exec_errno, ==, ENOENT);
    check_description (fixture, "terminal");
}

/* This runs with a controlling terminal of its own, below test_shared_terminal (). */
static void
test_inside_terminal (Fixture *fixture, gconstpointer data)
{
    set_script (fixture, "sh -c 'sleep 100; :' & wait");
    launch (fixture, NULL);
    pid_t pid = pv_target_get_pid (fixture->target);
    pv_target_release (fixture->target);
    g_assert_cmpint (getsid (pid), ==, getsid (0));
    g_assert_cmpint (getpgid (pid), ==, getpgrp ());
    unsigned n_processes = 0;
    wait_until ((pv_target_measure_cpu (fixture->target, &n_processes), n_processes == 3));
    pv_target_signal (fixture->target, SIGKILL); /* and not to us */
    wait_until (fixture->n_ended == 1);
    wait_until ((pv_target_measure_cpu (fixture->target, &n_processes), n_processes == 0));
    g_assert_cmpint (pv_target_get_status (fixture->target)->signal, ==, SIGKILL);

    signal (SIGINT, SIG_IGN);
    set_script (fixture, "echo ready; exec sleep 100");
    run (fixture, NULL);
    g_assert_cmpint (pv_target_get_status (fixture->target)->signal, ==, SIGINT);
}

FIXTURE_TEST (shared_terminal, fixture)
{
    Terminal terminal;
    terminal_open (&terminal);
    const PvTargetOptions options = {.terminal = terminal.path};
    const char *const argv[] = {own_path, "-p", "/target/inside-terminal", NULL};
    set_argv (fixture, argv);
    begin (fixture, &options);
    wait_until (terminal_shows (&terminal, "ready") || fixture->n_ended > 0);
    g_assert_cmpint (write (terminal.fd, "\003", 1), ==, 1);
    wait_until (terminal_shows (&terminal, "nothing more") || fixture->n_ended > 0);
    g_test_message ("%s", terminal.text->str);
    g_assert_nonnull (strstr (terminal.text->str, "ready"));
    check_description (fixture, NULL);
    terminal_close (&terminal);
}

/* How it ends */

FIXTURE_TEST (endings, fixture)
{
    const PvTargetStatus *status = run_script (fixture, "exit 0");
    g_assert_true (status->is_known);
    g_assert_cmpint (status->exit_code, ==, 0);
    g_assert_cmpint (status->signal, ==, 0);
    check_description (fixture, NULL);
    status = run_script (fixture, "exit 1");
    g_assert_cmpint (status->exit_code, ==, 1);
    check_description (fixture, "exit status 1.");
    status = run_script (fixture, "exit 3");
    g_assert_cmpint (status->exit_code, ==, 3);
    check_description (fixture, "3");
    status = run_script (fixture, "exit 127");
    g_assert_cmpint (status->exit_code, ==, 127);
    g_assert_cmpint (status->exec_errno, ==, 0);
    status = run_script (fixture, "ulimit -c 0; kill -SEGV $$");
    g_assert_cmpint (status->signal, ==, SIGSEGV);
    g_assert_cmpint (status->exit_code, ==, 0);
    g_assert_false (status->has_dumped_core);
    check_description (fixture, "SIGSEGV");
    status = run_script (fixture, "kill -KILL $$");
    g_assert_cmpint (status->signal, ==, SIGKILL);
    status = run_script (fixture, "sleep 0.01 & exit 0");
    g_assert_cmpint (status->exit_code, ==, 0);
}

FIXTURE_TEST (signals, fixture)
{
    set_script (fixture, "trap '' TERM INT; sh -c 'echo $$ > child; sleep 100; :' & "
                         "while :; do sleep 0.01; done");
    begin (fixture, NULL);
    wait_until (is_there (fixture, "child"));
    g_autofree char *child = NULL;
    wait_until ((g_free (child), child = read_file (fixture, "child"), atoi (child) > 0));
    pv_target_signal (fixture->target, SIGTERM);
    pv_target_signal (fixture->target, SIGINT);
    for (unsigned i = 0; i < 50; i++)
        pause_a_little ();
    g_assert_cmpuint (fixture->n_ended, ==, 0);
    kill_target (fixture);
    wait_until (is_process_gone (atoi (child)));
    pv_target_signal (fixture->target, SIGKILL);

    set_script (fixture, "trap 'exit 5' TERM; echo > ready; while :; do sleep 0.01; done");
    begin (fixture, NULL);
    wait_until (is_there (fixture, "ready"));
    pv_target_signal (fixture->target, SIGTERM);
    wait_until (fixture->n_ended == 1);
    g_assert_cmpint (pv_target_get_status (fixture->target)->exit_code, ==, 5);
}

/* Jobs of an interactive shell are in groups of their own. They are found although the shell may
 * have ended before they are looked for, which depends on the kernel. */
FIXTURE_TEST (signal_other_groups, fixture)
{
    enum { N_ROUNDS = 10 };
    const char *const argv[] = {"bash", "-c",
                                "set -m; sh -c 'echo $$ > child; sleep 100; :' & wait", NULL};
    g_autofree char *path = in_folder (fixture, "child");
    set_argv (fixture, argv);
    for (unsigned round = 0; round < N_ROUNDS; round++) {
        begin (fixture, NULL);
        g_autofree char *child = NULL;
        wait_until (is_there (fixture, "child"));
        wait_until ((g_free (child), child = read_file (fixture, "child"), atoi (child) > 0));
        g_assert_cmpint (getpgid (atoi (child)), ==, atoi (child));
        kill_target (fixture);
        wait_until (is_process_gone (atoi (child)));
        g_assert_no_errno (g_remove (path));
    }
}

FIXTURE_TEST (daemon, fixture)
{
    const PvTargetStatus *status =
        run_script (fixture, "sh -c 'echo $$ > child.new; mv child.new child; exec sleep 100' & "
                             "while ! test -e child; do sleep 0.01; done");
    g_autofree char *child = read_file (fixture, "child");
    g_assert_cmpint (status->exit_code, ==, 0);
    g_assert_true (pv_target_has_left (fixture->target));
    check_description (fixture, "still running");
    g_assert_cmpint (kill (atoi (child), 0), ==, 0);
    pv_target_signal (fixture->target, SIGTERM);
    wait_until (!pv_target_has_left (fixture->target));

    status = run_script (fixture, "exit 0");
    g_assert_cmpint (status->exit_code, ==, 0);
    g_assert_false (pv_target_has_left (fixture->target));
}

FIXTURE_TEST (killed_while_held, fixture)
{
    set_script (fixture, "echo > oops");
    launch (fixture, NULL);
    kill (pv_target_get_pid (fixture->target), SIGKILL);
    siginfo_t info;
    waitid (P_PID, (id_t)pv_target_get_pid (fixture->target), &info, WEXITED | WNOWAIT);
    pv_target_release (fixture->target); /* no SIGPIPE */
    wait_until (fixture->n_ended == 1);
    g_assert_cmpint (pv_target_get_status (fixture->target)->signal, ==, SIGKILL);

    launch (fixture, NULL);
    pv_target_signal (fixture->target, SIGTERM);
    wait_until (fixture->n_ended == 1);
    g_assert_cmpint (pv_target_get_status (fixture->target)->signal, ==, SIGTERM);
    g_assert_false (is_there (fixture, "oops"));
}

FIXTURE_TEST (freed, fixture)
{
    set_script (fixture, "echo > oops");
    launch (fixture, NULL);
    pid_t pid = pv_target_get_pid (fixture->target);
    g_clear_pointer (&fixture->target, pv_target_free);
    wait_until (is_process_gone (pid));
    g_assert_false (is_there (fixture, "oops"));

    set_script (fixture, "sleep 0.2; echo > done");
    launch (fixture, NULL);
    pid = pv_target_get_pid (fixture->target);
    pv_target_release (fixture->target);
    g_clear_pointer (&fixture->target, pv_target_free);
    wait_until (is_there (fixture, "done"));
    wait_until (is_process_gone (pid));
    g_assert_cmpuint (fixture->n_ended, ==, 0);
}

static gboolean
free_once_reaped (void *user)
{
    Fixture *fixture = user;
    siginfo_t info;
    if (waitid (P_PID, (id_t)pv_target_get_pid (fixture->target), &info,
                WEXITED | WNOHANG | WNOWAIT) == 0)
        return G_SOURCE_CONTINUE;
    g_clear_pointer (&fixture->target, pv_target_free);
    fixture->n_ended_before_free = fixture->n_ended;
    return G_SOURCE_REMOVE;
}

/* GLib reaps a child before it calls anything of ours, and what it calls first may free the target:
 * no warning says then that there is no such child, and nothing is called any more. Newer ones reap
 * right before they call, so that the target ends first. */
FIXTURE_TEST (freed_once_reaped, fixture)
{
    set_script (fixture, "true");
    g_idle_add_full (G_PRIORITY_DEFAULT, free_once_reaped, fixture, NULL);
    begin (fixture, NULL);
    wait_until (fixture->target == NULL);
    while (g_main_context_iteration (NULL, FALSE))
        ;
    g_assert_cmpuint (fixture->n_ended, ==, fixture->n_ended_before_free);
}

static void
free_at_end (PvTarget *target, void *user)
{
    Fixture *fixture = user;
    fixture->n_ended++;
    fixture->target = NULL;
    pv_target_free (target);
}

FIXTURE_TEST (freed_at_end, fixture)
{
    set_script (fixture, "exit 1");
    launch (fixture, NULL);
    pv_target_set_ended (fixture->target, free_at_end, fixture);
    pv_target_release (fixture->target);
    wait_until (fixture->n_ended == 1);
    g_assert_null (fixture->target);
}

/* Its own main context, as a worker of somebody's may have. */
FIXTURE_TEST (other_context, fixture)
{
    g_autoptr (GMainContext) context = g_main_context_new ();
    g_main_context_push_thread_default (context);
    set_script (fixture, "exit 4");
    begin (fixture, NULL);
    for (unsigned i = 0; i < PATIENCE_MS && fixture->n_ended == 0; i++) {
        g_main_context_iteration (context, FALSE);
        g_usleep (1000);
    }
    g_assert_cmpint (pv_target_get_status (fixture->target)->exit_code, ==, 4);
    set_script (fixture, "sleep 0.1");
    begin (fixture, NULL);
    g_clear_pointer (&fixture->target, pv_target_free);
    g_main_context_pop_thread_default (context);
}

/* We crash while it is held: it must not run, nor wait for ever. */
FIXTURE_TEST (left_held, fixture)
{
    if (g_test_subprocess ()) {
        g_autofree char *path = g_strdup (g_getenv ("PV_TEST_PID_FILE"));
        set_script (fixture, "echo > \"$PV_TEST_PID_FILE.oops\"");
        launch (fixture, NULL);
        g_autofree char *pid = g_strdup_printf ("%d", pv_target_get_pid (fixture->target));
        g_file_set_contents (path, pid, -1, NULL);
        kill (getpid (), SIGKILL);
    }
    g_autofree char *path = in_folder (fixture, "pid");
    g_setenv ("PV_TEST_PID_FILE", path, TRUE);
    g_test_trap_subprocess (NULL, 0, 0);
    g_unsetenv ("PV_TEST_PID_FILE");
    g_autofree char *pid = read_file (fixture, "pid");
    wait_until (is_process_gone (atoi (pid)));
    g_assert_false (is_there (fixture, "pid.oops"));
}

/* Attached */

FIXTURE_TEST (attach, fixture)
{
    set_script (fixture, "sh -c 'echo $$ > child.new; mv child.new child; exec sleep 100' & wait");
    begin (fixture, NULL);
    wait_until (is_there (fixture, "child"));
    g_autofree char *text = read_file (fixture, "child");
    pid_t pid = atoi (text);
    Fixture other = {0};
    other.target = assert_ok (error, pv_target_attach (pid, &error));
    pv_target_set_ended (other.target, note_end, &other);
    g_assert_false (pv_target_is_launched (other.target));
    g_assert_cmpint (pv_target_get_pid (other.target), ==, pid);
    pv_target_release (other.target);
    pv_target_signal (other.target, SIGKILL);
    for (unsigned i = 0; i < 50; i++)
        pause_a_little ();
    g_assert_cmpuint (other.n_ended, ==, 0);
    kill (pid, SIGTERM);
    wait_until (other.n_ended == 1);
    g_assert_true (pv_target_get_status (other.target)->is_ended);
    g_assert_false (pv_target_get_status (other.target)->is_known);
    check_description (&other, NULL);
    pv_target_free (other.target);
    wait_until (fixture->n_ended == 1);
}

static void *
wait_for_end (void *data)
{
    atomic_int *number = data;
    atomic_store (&number[0], (int)gettid ());
    while (atomic_load (&number[1]) == 0)
        g_usleep (1000);
    return NULL;
}

static void
check_no_process (pid_t pid)
{
    assert_error (error, pv_target_attach (pid, &error), G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
}

FIXTURE_TEST (attach_none, fixture)
{
    static atomic_int numbers[2];
    pthread_t thread;
    check_no_process (0);
    check_no_process (-1);
    check_no_process (G_MAXINT);
    g_assert_cmpint (pthread_create (&thread, NULL, wait_for_end, numbers), ==, 0);
    while (atomic_load (&numbers[0]) == 0)
        g_usleep (1000);
    check_no_process (atomic_load (&numbers[0]));
    atomic_store (&numbers[1], 1);
    pthread_join (thread, NULL);

    pid_t pid = fork ();
    if (pid == 0)
        _exit (0);
    siginfo_t info;
    waitid (P_PID, (id_t)pid, &info, WEXITED | WNOWAIT);
    check_no_process (pid); /* a zombie */
    waitpid (pid, NULL, 0);
    check_no_process (pid);
}

/* Measuring */

static double
measure_for (const Fixture *fixture, unsigned ms, unsigned *ret_n_processes)
{
    pv_target_measure_cpu (fixture->target, NULL);
    g_usleep (ms * 1000);
    return pv_target_measure_cpu (fixture->target, ret_n_processes);
}

/* The machine may be busy with other things, so the program itself says what it used. */
FIXTURE_TEST (cpu, fixture)
{
    unsigned n_processes = 0;
    set_script (fixture, "exec sleep 100");
    begin (fixture, NULL);
    g_assert_cmpfloat (pv_target_measure_cpu (fixture->target, &n_processes), ==, -1);
    g_usleep (200000);
    g_assert_cmpfloat (measure_for (fixture, 300, &n_processes), <, 0.3);
    g_assert_cmpuint (n_processes, ==, 1);
    pv_target_signal (fixture->target, SIGKILL);

    /* If the test fails, nobody else ends them. */
    set_script (fixture, "ulimit -t 20; sh -c 'while :; do :; done' & while :; do :; done");
    begin (fixture, NULL);
    g_usleep (100000);
    double cpus = measure_for (fixture, 800, &n_processes);
    g_assert_cmpuint (n_processes, ==, 2);
    g_assert_cmpfloat (cpus, >, 0.1);
    g_assert_cmpfloat (cpus, <, 2.2);
    kill_target (fixture);
}

/* Children come and go all the time: what they use is counted once. */
FIXTURE_TEST (cpu_of_short_children, fixture)
{
    unsigned n_processes = 0;
    set_script (fixture, "n=0; while [ $((n+=1)) -lt 1000 ]; do "
                         "sh -c 'i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done'; done");
    begin (fixture, NULL);
    pv_target_measure_cpu (fixture->target, NULL);
    double sum = 0;
    for (unsigned i = 0; i < 5; i++) {
        g_usleep (200000);
        double cpus = pv_target_measure_cpu (fixture->target, &n_processes);
        g_assert_cmpfloat (cpus, >=, 0);
        sum += cpus / 5;
    }
    g_assert_cmpfloat (sum, >, 0.1);
    g_assert_cmpfloat (sum, <, 1.3);
    kill_target (fixture);
}

/* Time that was counted while a child ran is not counted again when its parent has it. */
FIXTURE_TEST (cpu_of_an_ended_child, fixture)
{
    set_script (
        fixture,
        "ulimit -t 20; sh -c 'until [ -e stop ]; do :; done'; echo > ended; exec sleep 100");
    begin (fixture, NULL);
    pv_target_measure_cpu (fixture->target, NULL);
    double used_s = 0;
    int64_t before_us = g_get_monotonic_time ();
    while (used_s < 0.6) {
        g_usleep (100000);
        double cpus = pv_target_measure_cpu (fixture->target, NULL);
        int64_t now_us = g_get_monotonic_time ();
        used_s += cpus * (double)(now_us - before_us) / G_USEC_PER_SEC;
        before_us = now_us;
    }
    write_file (fixture, "stop", "", 0644);
    wait_until (is_there (fixture, "ended"));
    g_usleep (50000); /* a tick of the kernel's clock is 10 ms */
    double cpus = pv_target_measure_cpu (fixture->target, NULL);
    g_assert_cmpfloat (cpus, >=, 0);
    g_assert_cmpfloat (cpus, <, 2);
    kill_target (fixture);
}

FIXTURE_TEST (many_processes, fixture)
{
    unsigned n_processes = 0;
    set_script (fixture, "i=0; while [ $i -lt 250 ]; do sleep 100 & i=$((i+1)); done; "
                         "echo > ready; wait");
    begin (fixture, NULL);
    wait_until (is_there (fixture, "ready"));
    int64_t best_us = G_MAXINT64;
    unsigned most = 0;
    for (unsigned i = 0; i < 5; i++) {
        g_usleep (60000);
        int64_t before_us = g_get_monotonic_time ();
        g_assert_cmpfloat (pv_target_measure_cpu (fixture->target, &n_processes), <, 4);
        best_us = MIN (best_us, g_get_monotonic_time () - before_us);
        g_assert_cmpuint (n_processes, <=, 200);
        most = MAX (most, n_processes);
    }
    g_test_message ("%u processes measured in %d us", most, (int)best_us);
    g_assert_cmpuint (most, >, 20);
    g_assert_cmpint (best_us, <, 8000);
    kill_target (fixture);
    wait_until (!pv_target_has_left (fixture->target));

    set_script (fixture, "storm () { while :; do sleep 0.02 & done; }; storm & storm");
    begin (fixture, NULL);
    for (unsigned i = 0; i < 3; i++) {
        g_usleep (100000);
        g_assert_cmpfloat (pv_target_measure_cpu (fixture->target, &n_processes), >=, -1);
        g_assert_cmpuint (n_processes, <=, 200);
    }
    kill_target (fixture);
    wait_until (!pv_target_has_left (fixture->target));
}

/* In a process with threads */

static atomic_bool is_over;

static void *
allocate (void *data)
{
    while (!atomic_load (&is_over))
        free (malloc (100 + (size_t)rand_r (&(unsigned){1}) % 1000));
    return NULL;
}

FIXTURE_TEST (threads, fixture)
{
    pthread_t threads[3];
    for (unsigned i = 0; i < G_N_ELEMENTS (threads); i++)
        g_assert_cmpint (pthread_create (&threads[i], NULL, allocate, NULL), ==, 0);
    const char *const argv[] = {"true", NULL};
    set_argv (fixture, argv);
    for (unsigned i = 0; i < 30; i++) {
        run (fixture, NULL);
        g_assert_cmpint (pv_target_get_status (fixture->target)->exit_code, ==, 0);
        g_assert_cmpint (pv_target_get_status (fixture->target)->signal, ==, 0);
    }
    atomic_store (&is_over, true);
    for (unsigned i = 0; i < G_N_ELEMENTS (threads); i++)
        pthread_join (threads[i], NULL);
}

/* Two at a time: neither keeps what belongs to the other. */
FIXTURE_TEST (two, fixture)
{
    set_script (fixture, "exit 6");
    launch (fixture, NULL);
    PvTarget *second = assert_ok (error, pv_target_launch (fixture->plan, NULL, &error));
    pid_t first_pid = pv_target_get_pid (fixture->target);
    g_clear_pointer (&fixture->target, pv_target_free);
    wait_until (is_process_gone (first_pid));
    fixture->target = second;
    pv_target_set_ended (second, note_end, fixture);
    pv_target_release (second);
    wait_until (fixture->n_ended == 1);
    g_assert_cmpint (pv_target_get_status (second)->exit_code, ==, 6);
}

TESTS_MAIN (argc, argv)
{
    g_autofree char *path = g_file_read_link ("/proc/self/exe", NULL);
    bool is_inside = argc > 2 && strcmp (argv[2], "/target/inside-terminal") == 0;
    own_path = path;
    pv_test_init (argc, argv);
    if (is_inside)
        g_test_add ("/target/inside-terminal", Fixture, NULL, set_up, test_inside_terminal,
                    tear_down);
    return g_test_run ();
}
