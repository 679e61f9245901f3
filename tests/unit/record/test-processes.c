/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "../cases.h"
#include "record/process/processes.h"

#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "record/process/proc-stat.h"

enum { PATIENCE_MS = 60000 };

/* /proc/PID/stat */

static void
check_comm (const char *comm)
{
    PvProcStat stat;
    g_autofree char *text = g_strdup_printf (
        "4711 (%s) S 1 4712 4713 34816 -1 4194304 1 2 3 4 50 60 70 80 20 0 3 0 12345 999 1\n",
        comm);
    g_assert_true (pv_proc_stat_parse (text, &stat));
    g_assert_cmpstr (stat.comm, ==, comm);
    g_assert_cmpint (stat.pid, ==, 4711);
    g_assert_cmpint (stat.parent, ==, 1);
    g_assert_cmpint (stat.group, ==, 4712);
    g_assert_cmpint (stat.session, ==, 4713);
    g_assert_cmpint (stat.state, ==, 'S');
    g_assert_cmpuint (stat.own_ticks, ==, 110);
    g_assert_cmpuint (stat.children_ticks, ==, 150);
    g_assert_cmpuint (stat.n_threads, ==, 3);
    g_assert_cmpuint (stat.start_ticks, ==, 12345);
    g_assert_false (stat.is_kernel_thread);
}

TEST (stat)
{
    PvProcStat stat;
    check_comm ("sh");
    check_comm ("");
    check_comm (") R 1 1");
    check_comm ("((a) b\n)(");
    check_comm ("\xff\xfe");
    g_assert_true (pv_proc_stat_parse (
        "2 (kthreadd) S 0 0 0 0 -1 2129984 0 0 0 0 0 0 0 0 20 0 1 0 2 0 0", &stat));
    g_assert_true (stat.is_kernel_thread);

    static const char *const bad[] = {
        "",       "4711",        "4711 (sh",   "4711 sh) S",    "4711 )(",
        "0 (a) ", "4711 (sh) S", "4711 (sh)S", "4711 (sh) S 1", "x (sh) S 1 1 1 1 1 1 1 1 1 1 1 1",
    };
    for (unsigned i = 0; i < G_N_ELEMENTS (bad); i++)
        g_assert_false (pv_proc_stat_parse (bad[i], &stat));
    g_assert_true (pv_proc_stat_read (getpid (), &stat));
    g_assert_cmpint (stat.parent, ==, getppid ());
    g_assert_cmpint (stat.session, ==, getsid (0));
    g_assert_false (pv_proc_stat_read (G_MAXINT, &stat));
    g_assert_false (pv_proc_stat_read (-1, &stat));
}

/* Lists */

/* In the child: nothing stays if a test fails before it ends its programs. */
static void
end_with_parent (gpointer data)
{
    prctl (PR_SET_PDEATHSIG, SIGKILL);
}

static pid_t
start (const char *const *argv)
{
    GPid pid;
    g_assert_true (assert_ok (
        error,
        g_spawn_async (NULL, (char **)argv, NULL,
                       G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_FILE_AND_ARGV_ZERO,
                       end_with_parent, NULL, &pid, &error)));
    return pid;
}

static void
stop (pid_t pid)
{
    kill (pid, SIGKILL);
    waitpid (pid, NULL, 0);
}

static PvRunningProcess *
find (GPtrArray *processes, pid_t pid)
{
    for (unsigned i = 0; i < processes->len; i++) {
        PvRunningProcess *process = processes->pdata[i];
        if (process->pid == pid)
            return process;
    }
    return NULL;
}

/* Between fork () and execve () it is called as we are. */
static GPtrArray *
list_with (pid_t pid, const char *name)
{
    for (unsigned i = 0; i < PATIENCE_MS / 5; i++) {
        GPtrArray *processes = pv_processes_list (NULL);
        PvRunningProcess *process = find (processes, pid);
        if (process != NULL && strcmp (process->name, name) == 0)
            return processes;
        g_ptr_array_unref (processes);
        g_usleep (5000);
    }
    g_error ("no process is called “%s”", name);
}

TEST (list)
{
    const char *const argv[] = {"/bin/sleep", "my\nsleep\xff", "100", NULL};
    pid_t pid = start (argv);
    g_autoptr (GPtrArray) processes = list_with (pid, "sleep");
    PvRunningProcess *process = find (processes, pid);
    g_assert_cmpstr (process->command, ==, "my sleep\xef\xbf\xbd 100");
    g_assert_cmpstr (process->user, ==, g_get_user_name ());
    g_assert_true (g_str_has_suffix (process->program, "/sleep") ||
                   strstr (process->program, "coreutils") != NULL);
    g_assert_true (process->is_ours);
    g_assert_cmpfloat (process->cpus, ==, -1);
    g_assert_null (find (processes, getpid ()));
    for (unsigned i = 0; i < processes->len; i++) {
        process = processes->pdata[i];
        g_assert_cmpint (process->pid, >, 0);
        g_assert_true (g_utf8_validate (process->name, -1, NULL));
        g_assert_true (g_utf8_validate (process->command, -1, NULL));
        g_assert_true (g_utf8_validate (process->user, -1, NULL));
        g_assert_null (strchr (process->command, '\n'));
    }
    stop (pid);
    g_autoptr (GPtrArray) later = pv_processes_list (processes);
    g_assert_null (find (later, pid));
}

/* A name that tells lies, and arguments that are not zero-terminated strings any more. */
TEST (strange_names)
{
    static const char name[] = "a) R 1\n(\xff";
    pid_t pid = fork ();
    if (pid == 0) {
        prctl (PR_SET_NAME, name);
        for (;;)
            pause ();
    }
    g_autoptr (GPtrArray) processes = list_with (pid, "a) R 1 (\xef\xbf\xbd");
    g_assert_true (find (processes, pid)->is_ours);
    stop (pid);
}

TEST (long_command)
{
    g_autofree char *word = g_strnfill (50000, 'x');
    g_autofree char *script = g_strconcat ("exec sleep 100 # \xc3\xa9", word, NULL);
    const char *const argv[] = {"/bin/sh", "sh", "-c", "read x", script, NULL};
    g_autoptr (GError) error = NULL;
    GPid pid;
    int input;
    g_assert_true (g_spawn_async_with_pipes (NULL, (char **)argv, NULL,
                                             G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_FILE_AND_ARGV_ZERO,
                                             NULL, NULL, &pid, &input, NULL, NULL, &error));
    g_autoptr (GPtrArray) processes = list_with (pid, "sh");
    PvRunningProcess *process = find (processes, pid);
    g_assert_cmpuint (strlen (process->command), <=, 4096);
    g_assert_true (g_str_has_prefix (process->command, "sh -c read x exec sleep 100 # é"));
    close (input);
    stop (pid);
}

TEST (deleted_program)
{
    g_autofree char *folder = g_dir_make_tmp ("pv-XXXXXX", NULL);
    g_autofree char *path = g_build_filename (folder, "my sleep (deleted)", NULL);
    g_autofree char *sleep_path = g_find_program_in_path ("sleep");
    const char *const copy[] = {"cp", "cp", sleep_path, path, NULL};
    waitpid (start (copy), NULL, 0);
    const char *const argv[] = {path, "sleep", "100", NULL};
    pid_t pid = start (argv);
    g_autoptr (GPtrArray) processes = list_with (pid, "my sleep (delet");
    g_assert_cmpstr (find (processes, pid)->program, ==, path);
    g_assert_cmpint (unlink (path), ==, 0);
    g_autoptr (GPtrArray) later = pv_processes_list (processes);
    g_assert_cmpstr (find (later, pid)->program, ==, path);
    stop (pid);
    rmdir (folder);
}

TEST (zombie)
{
    pid_t pid = fork ();
    if (pid == 0)
        _exit (0);
    siginfo_t info;
    waitid (P_PID, (id_t)pid, &info, WEXITED | WNOWAIT);
    g_autoptr (GPtrArray) processes = pv_processes_list (NULL);
    g_assert_null (find (processes, pid));
    waitpid (pid, NULL, 0);
}

/* Processes come and go while they are read. */
TEST (vanishing)
{
    const char *const argv[] = {"/bin/sh", "sh", "-c", "while :; do /bin/true; done", NULL};
    pid_t pid = start (argv);
    for (unsigned i = 0; i < 30; i++) {
        g_autoptr (GPtrArray) processes = pv_processes_list (NULL);
        g_assert_nonnull (find (processes, pid));
    }
    stop (pid);
}

TEST (cpus)
{
    const char *const argv[] = {"/bin/sh", "busy", "-c", "while :; do :; done", NULL};
    const char *const idle_argv[] = {"/bin/sleep", "sleep", "100", NULL};
    pid_t pid = start (argv), idle_pid = start (idle_argv);
    g_autoptr (GPtrArray) first = list_with (pid, "sh");
    g_usleep (500000);
    g_autoptr (GPtrArray) second = pv_processes_list (first);
    PvRunningProcess *busy = find (second, pid), *idle = find (second, idle_pid);
    g_assert_cmpfloat (busy->cpus, >, 0.05);
    g_assert_cmpfloat (busy->cpus, <, 1.1);
    g_assert_cmpfloat (idle->cpus, >=, 0);
    g_assert_cmpfloat (idle->cpus, <, 0.05);
    g_assert_cmpuint (busy->cpu_ns, >, find (first, pid)->cpu_ns);
    for (unsigned i = 1; i < second->len; i++) {
        PvRunningProcess *above = second->pdata[i - 1], *below = second->pdata[i];
        g_assert_cmpfloat (above->cpus, >=, below->cpus);
        if (above->cpus == below->cpus)
            g_assert_cmpuint (above->start_ticks, >=, below->start_ticks);
    }
    stop (pid);
    stop (idle_pid);
}

TEST (speed)
{
    int64_t best_us = G_MAXINT64;
    unsigned n = 0;
    for (unsigned i = 0; i < 5; i++) {
        int64_t before_us = g_get_monotonic_time ();
        g_autoptr (GPtrArray) processes = pv_processes_list (NULL);
        best_us = MIN (best_us, g_get_monotonic_time () - before_us);
        n = processes->len;
    }
    g_test_message ("%u processes listed in %d us", n, (int)best_us);
}

/* Another user */

/* Only root can be two users; others see what they see: somebody else's is not theirs. */
TEST (other_user)
{
    pid_t pid = 0;
    if (getuid () == 0) {
        pid = fork ();
        if (pid == 0) {
            if (setresgid (65534, 65534, 65534) == 0 && setresuid (65534, 65534, 65534) == 0)
                prctl (PR_SET_NAME, "somebody");
            for (;;)
                pause ();
        }
    }
    g_autoptr (GPtrArray) processes =
        pid != 0 ? list_with (pid, "somebody") : pv_processes_list (NULL);
    for (unsigned i = 0; i < processes->len; i++) {
        PvRunningProcess *process = processes->pdata[i];
        if (process->is_ours)
            g_assert_cmpstr (process->user, ==, g_get_user_name ());
    }
    if (pid == 0)
        return;
    g_assert_false (find (processes, pid)->is_ours);
    g_assert_cmpstr (find (processes, pid)->user, !=, g_get_user_name ());
    stop (pid);
}

/* Searching */

TEST (matches)
{
    const PvRunningProcess process = {.pid = 4711,
                                      .name = (char *)"Web Content",
                                      .command = (char *)"/usr/lib/firefox -x Ärger",
                                      .user = (char *)"ada"};
    g_assert_true (pv_process_matches (&process, ""));
    g_assert_true (pv_process_matches (&process, "  "));
    g_assert_true (pv_process_matches (&process, "FIRE web"));
    g_assert_true (pv_process_matches (&process, "ada 471"));
    g_assert_true (pv_process_matches (&process, "ärger"));
    g_assert_true (pv_process_matches (&process, "A\xcc\x88rger"));
    g_assert_false (pv_process_matches (&process, "firefox bob"));
    g_assert_false (pv_process_matches (&process, "content/usr"));
}
