/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Recordings by the stand-in for perf; see tests/record/standin/perf for what it can do wrong.
 */
#include "../cases.h"
#include "../scratch.h"
#include "record/run/recording.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "record/perf/perf-file.h"
#include "record/process/background.h"

enum { PATIENCE_MS = 60000, POLL_MS = 20 };

typedef struct {
    char *folder;
    PvRecordPlan *plan;
    PvRecording *recording;
    GMainLoop *loop;
    PvRecordingState states[8]; /* as they came */
    unsigned n_states;
    unsigned n_ended;
    PvRecordingState wanted;
    uint64_t largest_bytes; /* while it ran */
    bool was_slow;
} Fixture;

static char *
make_standin_path (void)
{
    return g_build_filename (g_getenv ("PV_SOURCE"), "tests", "record", "standin", NULL);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
    fixture->folder = g_dir_make_tmp ("pv recording-XXXXXX", NULL);
    fixture->loop = g_main_loop_new (NULL, false);
    PvRecordPlan *plan = fixture->plan = pv_record_plan_new ();
    plan->call_graph = PV_CALL_GRAPH_FP;
    plan->output = g_build_filename (fixture->folder, "out.data", NULL);
    g_autofree char *log = g_build_filename (fixture->folder, "log", NULL);
    g_setenv ("PV_STANDIN_PERF_LOG", log, true);
    g_setenv ("PV_STANDIN_PERF", data != NULL ? data : "", true);
    g_setenv ("PV_STANDIN_PERF_SECONDS", "0.6", true);
    g_setenv ("PV_STANDIN_SLOW_SECONDS", "600", true); /* it is killed before */
    g_setenv ("PV_STANDIN_PKEXEC", "", true);
}

/* Beyond what GLib opens once; threads that end give back theirs a moment later. */
static void
assert_no_file_left_open (void)
{
    static unsigned n_before;
    pv_background_wait ();
    for (unsigned i = 0; n_before != 0 && count_files ("/proc/self/fd") > n_before; i++) {
        g_assert_cmpuint (i, <, PATIENCE_MS / 10);
        g_main_context_iteration (NULL, false);
        g_usleep (10000);
    }
    if (n_before == 0)
        n_before = count_files ("/proc/self/fd");
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
    pv_recording_free (fixture->recording);
    assert_no_file_left_open ();
    g_autofree char *log = g_build_filename (fixture->folder, "log", NULL);
    g_unlink (log);
    g_unlink (fixture->plan->output);
    g_assert_cmpuint (count_files (fixture->folder), ==, 0);
    g_rmdir (fixture->folder);
    pv_record_plan_free (fixture->plan);
    g_main_loop_unref (fixture->loop);
    g_free (fixture->folder);
}

static void
set_program (Fixture *fixture, const char *const *argv)
{
    g_strfreev (fixture->plan->argv);
    fixture->plan->argv = g_strdupv ((char **)argv);
}

static void
set_sleep (Fixture *fixture, const char *seconds)
{
    set_program (fixture, (const char *const[]){"sleep", seconds, NULL});
}

static void
note_change (PvRecording *recording, void *user)
{
    Fixture *fixture = user;
    PvRecordingState state = pv_recording_get_state (recording);
    const PvRecordingFigures *figures = pv_recording_get_figures (recording);
    g_assert_cmpuint (fixture->n_ended, ==, 0);
    if (fixture->n_states == 0 || fixture->states[fixture->n_states - 1] != state) {
        g_assert_cmpuint (fixture->n_states, <, G_N_ELEMENTS (fixture->states));
        fixture->states[fixture->n_states++] = state;
    }
    if (state == PV_RECORDING_RUNNING)
        fixture->largest_bytes = MAX (fixture->largest_bytes, figures->size_bytes);
    fixture->was_slow = fixture->was_slow || figures->is_slow;
    if (state >= fixture->wanted)
        g_main_loop_quit (fixture->loop);
}

static void
note_end (PvRecording *recording, void *user)
{
    Fixture *fixture = user;
    g_assert_cmpint (pv_recording_get_state (recording), ==, PV_RECORDING_ENDED);
    fixture->n_ended++;
    g_main_loop_quit (fixture->loop);
}

static GError *
try_to_start (Fixture *fixture)
{
    PvRecordingOptions options = {.events = {note_change, note_end, fixture}};
    GError *error = NULL;
    fixture->recording = pv_recording_start (fixture->plan, &options, &error);
    g_assert_true ((fixture->recording == NULL) == (error != NULL));
    return error;
}

static void
start (Fixture *fixture)
{
    g_autoptr (GError) error = try_to_start (fixture);
    g_assert_no_error (error);
}

static gboolean
lose_patience (gpointer user)
{
    g_error ("the recording does not end");
    return G_SOURCE_REMOVE;
}

static void
wait_for (Fixture *fixture, PvRecordingState state)
{
    fixture->wanted = state;
    guint patience = g_timeout_add (PATIENCE_MS, lose_patience, NULL);
    while (pv_recording_get_state (fixture->recording) < state ||
           (state == PV_RECORDING_ENDED && fixture->n_ended == 0))
        g_main_loop_run (fixture->loop);
    g_source_remove (patience);
    g_assert_cmpuint (fixture->n_ended, <=, 1);
    /* Not past it: it may have ended without ever having run. */
    for (unsigned i = 0; state == PV_RECORDING_RUNNING; i++) {
        g_assert_cmpuint (i, <, fixture->n_states);
        if (fixture->states[i] == state)
            break;
    }
}

static void
start_running (Fixture *fixture)
{
    start (fixture);
    wait_for (fixture, PV_RECORDING_RUNNING);
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
    fixture->wanted = PV_RECORDING_ENDED;
    g_timeout_add (milliseconds, quit, fixture->loop);
    g_main_loop_run (fixture->loop);
}

static gboolean
go_on (gpointer user)
{
    return G_SOURCE_CONTINUE;
}

/* Until the condition holds, which others bring about: how long they take depends on the machine.
 */
static void
run_until (const Fixture *fixture, bool (*holds) (const Fixture *fixture))
{
    guint patience = g_timeout_add (PATIENCE_MS, lose_patience, NULL);
    guint poll = g_timeout_add (POLL_MS, go_on, NULL);
    while (!holds (fixture))
        g_main_context_iteration (NULL, true);
    g_source_remove (poll);
    g_source_remove (patience);
}

static bool
has_grown (const Fixture *fixture)
{
    return fixture->largest_bytes > 50000;
}

static bool
has_piped (const Fixture *fixture)
{
    return fixture->largest_bytes > 10000;
}

static bool
has_lasted (const Fixture *fixture)
{
    return pv_recording_get_figures (fixture->recording)->elapsed_seconds > 0.8;
}

static bool
has_no_output (const Fixture *fixture)
{
    return !g_file_test (fixture->plan->output, G_FILE_TEST_EXISTS);
}

/* Ends with status 3 when it is told to. */
static void
set_told_program (Fixture *fixture)
{
    g_autofree char *path = g_build_filename (fixture->folder, "goes-on", NULL);
    g_assert_true (g_file_set_contents (path, "", 0, NULL));
    set_program (fixture, (const char *const[]){"sh", "-c",
                                                "while [ -e \"$1\" ]; do sleep 0.05; done; exit 3",
                                                "sh", path, NULL});
}

static void
tell_program_to_end (const Fixture *fixture)
{
    g_autofree char *path = g_build_filename (fixture->folder, "goes-on", NULL);
    g_assert_no_errno (g_unlink (path));
}

static void
assert_ended (Fixture *fixture, bool has_file)
{
    wait_for (fixture, PV_RECORDING_ENDED);
    const GError *error = pv_recording_get_error (fixture->recording);
    g_assert_no_error (error);
    g_assert_true (pv_recording_has_file (fixture->recording) == has_file);
    g_assert_true (g_file_test (fixture->plan->output, G_FILE_TEST_EXISTS) == has_file);
}

static void
assert_failed (Fixture *fixture, PvRecordError code, bool has_file)
{
    wait_for (fixture, PV_RECORDING_ENDED);
    const GError *error = pv_recording_get_error (fixture->recording);
    g_assert_error (error, PV_RECORD_ERROR, (int)code);
    g_test_message ("%s", error->message);
    g_assert_true (g_str_has_suffix (error->message, "."));
    g_assert_true (pv_recording_has_file (fixture->recording) == has_file);
    g_assert_true (g_file_test (fixture->plan->output, G_FILE_TEST_EXISTS) == has_file);
}

/* The arguments of all calls of perf, one after the other. */
static char *
read_log (const Fixture *fixture)
{
    g_autofree char *path = g_build_filename (fixture->folder, "log", NULL);
    char *text = NULL;
    return g_file_get_contents (path, &text, NULL, NULL) ? text : g_strdup ("");
}

static void
assert_asked (const Fixture *fixture, const char *part)
{
    g_autofree char *log = read_log (fixture);
    if (strstr (log, part) == NULL)
        g_error ("not in what perf was asked for: %s\n%s", part, log);
}

static void
assert_described (const Fixture *fixture, const char *part)
{
    g_autofree char *text = pv_recording_describe (fixture->recording);
    if (text == NULL || strstr (text, part) == NULL)
        g_error ("“%s” is not in “%s”", part, text);
}

/* The stand-in has replayed all of the recording, in which only the command is ours. */
static void
assert_replayed (const Fixture *fixture, const char *name)
{
    g_autofree char *path = g_build_filename (g_getenv ("PV_TEST_DATA"), "recordings", name, NULL);
    g_autofree char *original = NULL, *copy = NULL;
    gsize original_len, copy_len;
    g_assert_true (g_file_get_contents (path, &original, &original_len, NULL));
    g_assert_true (g_file_get_contents (fixture->plan->output, &copy, &copy_len, NULL));
    g_assert_cmpuint (copy_len, >=, original_len);
    gsize n_other = 0;
    for (gsize i = 0; i < original_len; i++)
        n_other += copy[i] != original[i];
    /* An entry of the table of features, or the command itself. */
    g_assert_cmpuint (n_other, <=, copy_len > original_len ? 16 : 500);
    g_autofree char *command = pv_record_plan_format_command (fixture->plan);
    g_assert_nonnull (memmem (copy, copy_len, command, strlen (command)));
}

/* As it should be */

FIXTURE_TEST (launch, fixture)
{
    set_told_program (fixture);
    start (fixture);
    g_assert_cmpint (pv_recording_get_state (fixture->recording), ==, PV_RECORDING_PREPARING);
    wait_for (fixture, PV_RECORDING_RUNNING);
    g_assert_false (pv_recording_has_file (fixture->recording));
    struct stat status;
    g_assert_no_errno (stat (fixture->plan->output, &status));
    g_assert_cmpuint (status.st_mode & 0777, ==, 0600);
    run_until (fixture, has_grown);
    run_until (fixture, has_lasted);
    tell_program_to_end (fixture);
    assert_ended (fixture, true);
    const PvRecordingFigures *figures = pv_recording_get_figures (fixture->recording);
    g_assert_cmpfloat (figures->elapsed_seconds, >, 0.8);
    g_assert_cmpint (pv_target_get_status (pv_recording_get_target (fixture->recording))->exit_code,
                     ==, 3);
    assert_described (fixture, "3");
    assert_replayed (fixture, "recursion-fp.data");
    assert_asked (fixture, "\"-D\", \"-1\", \"--control=fd:0,0\"");
    assert_asked (fixture, "\"--call-graph\", \"fp\"");
    assert_asked (fixture, "\"-F\", \"999\"");
}

FIXTURE_TEST (stop, fixture)
{
    set_sleep (fixture, "100");
    start_running (fixture);
    run_for (fixture, 300);
    pv_recording_flush (fixture->recording);
    pv_recording_stop (fixture->recording);
    pv_recording_stop (fixture->recording);
    g_assert_cmpint (pv_recording_get_state (fixture->recording), ==, PV_RECORDING_STOPPING);
    assert_ended (fixture, true);
    const PvTarget *target = pv_recording_get_target (fixture->recording);
    g_assert_cmpint (pv_target_get_status (target)->signal, ==, SIGTERM);
    assert_replayed (fixture, "recursion-fp.data");
}

/* Programs may not want to end. */
/* A later recording has another name, or none; ours is not made again. */
static void
test_moved (Fixture *fixture, gconstpointer data)
{
    g_autofree char *other = g_build_filename (fixture->folder, "elsewhere", NULL);
    set_sleep (fixture, "60");
    start_running (fixture);
    run_for (fixture, 300);
    if (data == NULL)
        g_assert_cmpint (g_rename (fixture->plan->output, other), ==, 0);
    else
        g_assert_cmpint (g_unlink (fixture->plan->output), ==, 0);
    pv_recording_stop (fixture->recording);
    assert_failed (fixture, PV_RECORD_ERROR_FAILED, false);
    g_assert_nonnull (strstr (pv_recording_get_error (fixture->recording)->message, "out.data"));
    g_assert_true (g_file_test (other, G_FILE_TEST_EXISTS) == (data == NULL));
    g_unlink (other);
}

FIXTURE_TEST (stubborn, fixture)
{
    set_program (fixture, (const char *const[]){"sh", "-c",
                                                "trap '' TERM; while :; do sleep 0.1; done", NULL});
    start_running (fixture);
    run_for (fixture, 300);
    pv_recording_stop (fixture->recording);
    assert_ended (fixture, true);
    const PvTarget *target = pv_recording_get_target (fixture->recording);
    g_assert_cmpint (pv_target_get_status (target)->signal, ==, SIGKILL);
}

FIXTURE_TEST (leave, fixture)
{
    set_sleep (fixture, "100");
    fixture->plan->leaves_target = true;
    start_running (fixture);
    pv_recording_stop (fixture->recording);
    assert_ended (fixture, true);
    assert_described (fixture, "is still running");
    pid_t pid = pv_target_get_pid (pv_recording_get_target (fixture->recording));
    g_assert_no_errno (kill (pid, 0));
    kill (pid, SIGKILL);
}

FIXTURE_TEST (discard, fixture)
{
    set_sleep (fixture, "100");
    start_running (fixture);
    run_for (fixture, 200);
    pv_recording_discard (fixture->recording);
    assert_ended (fixture, false);
}

FIXTURE_TEST (discard_early, fixture)
{
    set_sleep (fixture, "100");
    start (fixture);
    pv_recording_discard (fixture->recording);
    assert_ended (fixture, false);
    g_assert_cmpint (pv_target_get_status (pv_recording_get_target (fixture->recording))->signal,
                     ==, SIGKILL);
}

static void
test_free (Fixture *fixture, gconstpointer data)
{
    set_sleep (fixture, "0.5");
    start (fixture);
    if (data == NULL)
        wait_for (fixture, PV_RECORDING_RUNNING);
    g_clear_pointer (&fixture->recording, pv_recording_free);
    pv_background_wait ();
    run_for (fixture, 100);
    g_assert_cmpuint (fixture->n_ended, ==, 0);
    /* perf has completed the file all the same. */
    g_assert_true (data != NULL || pv_perf_file_has_samples (fixture->plan->output));
}

FIXTURE_TEST (free_discarded, fixture)
{
    set_sleep (fixture, "0.5");
    start_running (fixture);
    pv_recording_discard (fixture->recording);
    g_clear_pointer (&fixture->recording, pv_recording_free);
    run_until (fixture, has_no_output);
    pv_background_wait ();
    run_for (fixture, 100);
    g_assert_true (has_no_output (fixture));
}

FIXTURE_TEST (attach, fixture)
{
    /* perf takes a while to begin, and is to find it. */
    char *argv[] = {(char *)"sleep", (char *)"1000", NULL};
    g_autoptr (GError) error = NULL;
    GPid pid;
    g_assert_true (g_spawn_async (NULL, argv, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD,
                                  NULL, NULL, &pid, &error));
    fixture->plan->target = PV_TARGET_ATTACH;
    fixture->plan->pid = pid;
    start_running (fixture);
    g_autofree char *part = g_strdup_printf ("\"-p\", \"%d\"", (int)pid);
    assert_asked (fixture, part);
    run_until (fixture, has_grown);
    kill (pid, SIGTERM);
    assert_ended (fixture, true);
    assert_replayed (fixture, "recursion-fp.data");
    waitpid (pid, NULL, 0);
}

FIXTURE_TEST (system, fixture)
{
    fixture->plan->target = PV_TARGET_SYSTEM;
    fixture->plan->call_graph = PV_CALL_GRAPH_DWARF;
    start_running (fixture);
    g_assert_null (pv_recording_get_target (fixture->recording));
    run_for (fixture, 300);
    pv_recording_stop (fixture->recording);
    assert_ended (fixture, true);
    assert_asked (fixture, "\"-a\"");
    assert_replayed (fixture, "inlining-dwarf-z.data");
}

FIXTURE_TEST (off_cpu, fixture)
{
    set_sleep (fixture, "0.3");
    fixture->plan->kind = PV_RECORD_OFF_CPU;
    start (fixture);
    assert_ended (fixture, true);
    assert_asked (fixture, "--switch-events");
}

/* No shell sees any of it. */
FIXTURE_TEST (names, fixture)
{
    static const char odd[] = "-n $(touch pwned) '\"\n`x`;&|*";
    g_autofree char *program = g_build_filename (fixture->folder, odd, NULL);
    g_autofree char *output = g_strconcat (fixture->folder, "/-o , out\n'.data", NULL);
    g_assert_true (
        g_file_set_contents (program, "#!/bin/sh\nsleep 0.2\n[ \"$1\" = \"$2\" ]\n", -1, NULL));
    g_chmod (program, 0700);
    set_program (fixture, (const char *const[]){program, odd, odd, NULL});
    g_free (fixture->plan->output);
    fixture->plan->output = g_steal_pointer (&output);
    start (fixture);
    assert_ended (fixture, true);
    g_assert_cmpint (pv_target_get_status (pv_recording_get_target (fixture->recording))->exit_code,
                     ==, 0);
    assert_replayed (fixture, "recursion-fp.data");
    g_unlink (program);
}

/* Existing files */

static void
make_earlier (Fixture *fixture)
{
    g_assert_true (g_file_set_contents (fixture->plan->output, "precious", -1, NULL));
}

static bool
has_earlier (const Fixture *fixture)
{
    g_autofree char *text = NULL;
    return g_file_get_contents (fixture->plan->output, &text, NULL, NULL) &&
           g_str_equal (text, "precious");
}

static void
assert_earlier (const Fixture *fixture)
{
    g_assert_true (has_earlier (fixture));
}

FIXTURE_TEST (earlier_replaced, fixture)
{
    make_earlier (fixture);
    set_sleep (fixture, "0.3");
    start (fixture);
    assert_ended (fixture, true);
    assert_replayed (fixture, "recursion-fp.data");
}

/* Also when that is known only after perf has started. */
FIXTURE_TEST (earlier_kept, fixture)
{
    make_earlier (fixture);
    set_program (fixture, (const char *const[]){"/nonexistent/program", NULL});
    g_autoptr (GError) error = try_to_start (fixture);
    g_assert_error (error, PV_RECORD_ERROR, PV_RECORD_ERROR_BAD_PLAN);
    assert_earlier (fixture);
    set_sleep (fixture, "100");
    g_setenv ("PV_STANDIN_PERF", "no-permission", true);
    start (fixture);
    wait_for (fixture, PV_RECORDING_ENDED);
    g_assert_error (pv_recording_get_error (fixture->recording), PV_RECORD_ERROR,
                    PV_RECORD_ERROR_NOT_PERMITTED);
    assert_earlier (fixture);
}

FIXTURE_TEST (earlier_discarded, fixture)
{
    make_earlier (fixture);
    set_sleep (fixture, "100");
    start_running (fixture);
    run_for (fixture, 200);
    pv_recording_discard (fixture->recording);
    wait_for (fixture, PV_RECORDING_ENDED);
    g_assert_false (pv_recording_has_file (fixture->recording));
    assert_earlier (fixture);
}

/* Freed before, and while it is being discarded. */
static void
test_earlier_freed (Fixture *fixture, gconstpointer data)
{
    make_earlier (fixture);
    set_sleep (fixture, "100");
    start (fixture);
    if (data != NULL) {
        wait_for (fixture, PV_RECORDING_RUNNING);
        pv_recording_discard (fixture->recording);
    }
    g_clear_pointer (&fixture->recording, pv_recording_free);
    run_until (fixture, has_earlier);
    pv_background_wait ();
    run_for (fixture, 100);
    assert_earlier (fixture); /* still: nobody writes there any more */
}

/* In the middle: what perf makes of its file, if anything, takes its place. */
static void
test_earlier_left (Fixture *fixture, gconstpointer data)
{
    make_earlier (fixture);
    set_sleep (fixture, "1");
    start_running (fixture);
    run_for (fixture, 100);
    if (data != NULL)
        g_usleep (800000); /* perf is killed meanwhile, and we do not know yet */
    g_clear_pointer (&fixture->recording, pv_recording_free);
    pv_background_wait ();
    if (data != NULL)
        assert_earlier (fixture);
    else
        assert_replayed (fixture, "recursion-fp.data");
}

/* As before, but there was nothing, and perf makes nothing. */
static void
test_left_nothing (Fixture *fixture, gconstpointer data)
{
    set_sleep (fixture, "1");
    start_running (fixture);
    g_usleep (900000); /* perf is killed meanwhile, and we do not know yet */
    g_clear_pointer (&fixture->recording, pv_recording_free);
    pv_background_wait ();
    g_assert_false (g_file_test (fixture->plan->output, G_FILE_TEST_EXISTS));
}

/* Failures */

typedef struct {
    const char *name;
    const char *faults;
    PvRecordError code;
    bool has_file;
} Fault;

static const Fault faults[] = {
    {"no-permission", "no-permission", PV_RECORD_ERROR_NOT_PERMITTED, false},
    {"no-tracing", "no-tracing", PV_RECORD_ERROR_NOT_PERMITTED, false},
    {"unknown-event", "unknown-event", PV_RECORD_ERROR_UNSUPPORTED, false},
    {"no-process", "no-process", PV_RECORD_ERROR_BAD_PLAN, false},
    {"wrong-kernel", "wrong-kernel", PV_RECORD_ERROR_NO_RECORDER, false},
    {"old", "old", PV_RECORD_ERROR_NO_RECORDER, false},
    {"many-files", "many-files", PV_RECORD_ERROR_FAILED, false},
    {"gone", "gone", PV_RECORD_ERROR_FAILED, false},
    {"silent", "silent", PV_RECORD_ERROR_FAILED, false},
    {"killed", "killed", PV_RECORD_ERROR_RECORDER_ENDED, true},
    {"killed-early", "killed-early", PV_RECORD_ERROR_RECORDER_ENDED, false},
    {"crash", "crash", PV_RECORD_ERROR_RECORDER_ENDED, true},
    {"full", "full", PV_RECORD_ERROR_DISK_FULL, true},
    {"odd", "odd", PV_RECORD_ERROR_RECORDER_ENDED, true},
};

static void
test_fault (Fixture *fixture, gconstpointer data)
{
    const Fault *fault = data;
    g_setenv ("PV_STANDIN_PERF", fault->faults, true);
    set_sleep (fixture, "100");
    start (fixture);
    assert_failed (fixture, fault->code, fault->has_file);
    g_assert_true (!fault->has_file || pv_perf_file_has_samples (fixture->plan->output));
    const char *message = pv_recording_get_error (fixture->recording)->message;
    g_assert_true ((strstr (message, "is kept") != NULL) == fault->has_file);
    /* Held ones are killed, and those that ran go on. */
    PvTarget *target = (PvTarget *)pv_recording_get_target (fixture->recording);
    if (strstr (message, "before that") != NULL)
        pv_target_signal (target, SIGKILL);
    else
        g_assert_cmpint (pv_target_get_status (target)->signal, ==, SIGKILL);
}

/* Somebody ends it while it waits for perf. */
static void
test_held_ended (Fixture *fixture, gconstpointer data)
{
    set_sleep (fixture, "100");
    start (fixture);
    kill (pv_target_get_pid (pv_recording_get_target (fixture->recording)), SIGKILL);
    assert_failed (fixture, PV_RECORD_ERROR_NOTHING, false);
}

static void
test_mlock (Fixture *fixture, gconstpointer data)
{
    set_sleep (fixture, "0.3");
    start (fixture);
    assert_ended (fixture, true);
    assert_described (fixture, "lock little memory");
    assert_asked (fixture, "\"-m\", \"16\"");
}

/* By default, perf gets more than it would take, if the kernel allows that. */
FIXTURE_TEST (buffer, fixture)
{
    set_sleep (fixture, "0.3");
    fixture->plan->buffer_mib = 2;
    start (fixture);
    assert_ended (fixture, true);
    g_autofree char *option =
        g_strdup_printf ("\"-m\", \"%ld\"", (2L << 20) / sysconf (_SC_PAGESIZE));
    assert_asked (fixture, option);
}

static void
test_lost (Fixture *fixture, gconstpointer data)
{
    set_sleep (fixture, "0.3");
    start (fixture);
    assert_ended (fixture, true);
    assert_described (fixture, "perf lost 3,478 events");
    g_assert_cmpuint (pv_recording_get_figures (fixture->recording)->n_lost, ==, 3478);
}

static void
test_deaf (Fixture *fixture, gconstpointer data)
{
    set_sleep (fixture, "100");
    start_running (fixture);
    pv_recording_stop (fixture->recording);
    assert_ended (fixture, true);
    assert_replayed (fixture, "recursion-fp.data");
}

/* It takes long to stop, and the user does not want to wait. */
static void
test_slow (Fixture *fixture, gconstpointer data)
{
    set_sleep (fixture, "100");
    start_running (fixture);
    run_for (fixture, 400);
    pv_recording_stop (fixture->recording);
    while (!fixture->was_slow && fixture->n_ended == 0)
        run_for (fixture, 100);
    g_assert_cmpuint (fixture->n_ended, ==, 0);
    pv_recording_kill (fixture->recording);
    assert_ended (fixture, true);
    assert_described (fixture, "before it had finished");
    g_assert_true (pv_perf_file_has_samples (fixture->plan->output));
}

FIXTURE_TEST (cannot_run, fixture)
{
    set_program (fixture, (const char *const[]){"/nonexistent/program", NULL});
    g_autoptr (GError) error = try_to_start (fixture);
    g_assert_error (error, PV_RECORD_ERROR, PV_RECORD_ERROR_BAD_PLAN);
    g_assert_nonnull (strstr (error->message, "/nonexistent/program"));
    g_assert_false (g_file_test (fixture->plan->output, G_FILE_TEST_EXISTS));
}

/* A script whose interpreter is missing is found out by exec only. */
FIXTURE_TEST (cannot_execute, fixture)
{
    g_autofree char *program = g_build_filename (fixture->folder, "script", NULL);
    g_assert_true (g_file_set_contents (program, "#!/nonexistent/interpreter\n", -1, NULL));
    g_chmod (program, 0700);
    set_program (fixture, (const char *const[]){program, NULL});
    start (fixture);
    assert_failed (fixture, PV_RECORD_ERROR_BAD_PLAN, false);
    g_unlink (program);
}

FIXTURE_TEST (no_perf, fixture)
{
    g_autofree char *before = g_strdup (g_getenv ("PATH"));
    g_setenv ("PATH", "/nonexistent", true);
    set_program (fixture, (const char *const[]){"/bin/sleep", "1", NULL});
    g_autoptr (GError) error = try_to_start (fixture);
    g_assert_error (error, PV_RECORD_ERROR, PV_RECORD_ERROR_NO_RECORDER);
    g_assert_false (g_file_test (fixture->plan->output, G_FILE_TEST_EXISTS));
    g_setenv ("PATH", before, true);
}

FIXTURE_TEST (bad_plan, fixture)
{
    g_autoptr (GError) error = try_to_start (fixture);
    g_assert_error (error, PV_RECORD_ERROR, PV_RECORD_ERROR_BAD_PLAN);
}

/* With rights */

static void
test_privileged (Fixture *fixture, gconstpointer data)
{
    g_setenv ("PV_STANDIN_PKEXEC", data != NULL ? data : "", true);
    set_told_program (fixture);
    fixture->plan->is_privileged = true;
    start_running (fixture);
    pv_recording_flush (fixture->recording);
    run_until (fixture, has_piped);
    tell_program_to_end (fixture);
    assert_ended (fixture, true);
    assert_replayed (fixture, "inlining-pipe.data");
    assert_asked (fixture, "\"-o\", \"-\"");
}

static void
test_privileged_stop (Fixture *fixture, gconstpointer data)
{
    set_sleep (fixture, "100");
    fixture->plan->is_privileged = true;
    start_running (fixture);
    run_until (fixture, has_piped);
    if (data != NULL)
        pv_recording_kill (fixture->recording);
    else
        pv_recording_stop (fixture->recording);
    assert_ended (fixture, true);
    if (data == NULL)
        assert_replayed (fixture, "inlining-pipe.data");
}

/* Freed in the middle: all that perf writes until its end is taken. */
FIXTURE_TEST (privileged_left, fixture)
{
    set_sleep (fixture, "1");
    fixture->plan->is_privileged = true;
    start_running (fixture);
    run_for (fixture, 200);
    g_clear_pointer (&fixture->recording, pv_recording_free);
    pv_background_wait ();
    assert_replayed (fixture, "inlining-pipe.data");
}

/* Killed before it wrote a sample, and freed before that is known. */
static void
test_privileged_earlier (Fixture *fixture, gconstpointer data)
{
    make_earlier (fixture);
    g_setenv ("PV_STANDIN_PERF_SECONDS", "100000", true);
    /* No program whose end would complete the recording. */
    fixture->plan->target = PV_TARGET_SYSTEM;
    fixture->plan->is_privileged = true;
    start_running (fixture);
    pv_recording_kill (fixture->recording);
    g_clear_pointer (&fixture->recording, pv_recording_free);
    pv_background_wait ();
    assert_earlier (fixture);
}

static void
test_dismissed (Fixture *fixture, gconstpointer data)
{
    g_setenv ("PV_STANDIN_PKEXEC", data, true);
    set_sleep (fixture, "100");
    fixture->plan->is_privileged = true;
    start (fixture);
    assert_failed (fixture, PV_RECORD_ERROR_DISMISSED, false);
}

/* While the password is asked for, the user thinks better of it. */
FIXTURE_TEST (withdrawn, fixture)
{
    g_setenv ("PV_STANDIN_PKEXEC", "ask", true);
    set_sleep (fixture, "100");
    fixture->plan->is_privileged = true;
    start (fixture);
    run_for (fixture, 200);
    pv_recording_stop (fixture->recording);
    assert_ended (fixture, false);
}

/* As in real life: we are a user, pkexec and perf are root. What is recorded is in a file of ours,
 * and perf is none that we could signal. */
FIXTURE_TEST (live_other_user, fixture)
{
    if (geteuid () != 0) {
        g_test_skip ("only root can become another user");
        return;
    }
    g_autofree char *script =
        g_build_filename (g_getenv ("PV_SOURCE"), "tests", "as-another-user.sh", NULL);
    g_autofree char *copies = g_build_filename (fixture->folder, "copies", NULL);
    const char *argv[] = {script,
                          copies,
                          g_getenv ("PV_TEST_PROGRAM"),
                          "./program",
                          "-p",
                          "/recording/privileged",
                          "-p",
                          "/recording/privileged-stop",
                          "-p",
                          "/recording/privileged-kill",
                          "-p",
                          "/recording/withdrawn",
                          NULL};
    g_autofree char *output = NULL;
    g_autoptr (GError) error = NULL;
    int wait_status;
    g_assert_cmpint (g_chmod (fixture->folder, 0755), ==, 0);
    g_assert_true (g_spawn_sync (NULL, (char **)argv, NULL, G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL,
                                 &output, NULL, &wait_status, &error));
    g_test_message ("%s", output);
    g_assert_cmpint (wait_status, ==, 0);
    for (const char *const *name = (const char *const[]){"privileged", "privileged-stop",
                                                         "privileged-kill", "withdrawn", NULL};
         *name != NULL; name++) {
        g_autofree char *line = g_strdup_printf (" /recording/%s\n", *name);
        g_assert_nonnull (strstr (output, line));
    }
    g_autofree char *remove = g_strdup_printf ("rm -rf '%s'", copies);
    g_assert_cmpint (system (remove), ==, 0);
}

#define ADD(path, data, function)                                                                  \
    g_test_add ("/recording/" path, Fixture, data, set_up, function, tear_down)

TESTS_MAIN (argc, argv)
{
    pv_test_init (argc, argv);
    g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);
    g_setenv ("PV_TEST_PROGRAM", program, true);
    g_autofree char *standins = make_standin_path ();
    g_autofree char *path = g_strconcat (standins, ":", g_getenv ("PATH"), NULL);
    g_setenv ("PATH", path, true);
    ADD ("moved", NULL, test_moved);
    ADD ("deleted", "", test_moved);
    ADD ("free", NULL, test_free);
    ADD ("free-early", "", test_free);
    ADD ("earlier-freed", NULL, test_earlier_freed);
    ADD ("earlier-freed-discarded", "", test_earlier_freed);
    ADD ("earlier-left", NULL, test_earlier_left);
    ADD ("earlier-left-nothing", "killed-early", test_earlier_left);
    ADD ("left-nothing", "killed-early", test_left_nothing);
    for (size_t i = 0; i < G_N_ELEMENTS (faults); i++) {
        g_autofree char *name = g_strconcat ("/recording/fault/", faults[i].name, NULL);
        g_test_add (name, Fixture, &faults[i], set_up, test_fault, tear_down);
    }
    ADD ("held-ended", "silent", test_held_ended);
    ADD ("mlock", "mlock", test_mlock);
    ADD ("lost", "lost", test_lost);
    ADD ("deaf", "deaf", test_deaf);
    ADD ("slow", "slow", test_slow);
    ADD ("privileged", NULL, test_privileged);
    ADD ("privileged-asked", "ask", test_privileged);
    ADD ("privileged-stop", NULL, test_privileged_stop);
    ADD ("privileged-kill", "kill", test_privileged_stop);
    ADD ("privileged-earlier", "deaf", test_privileged_earlier);
    ADD ("dismissed", "dismiss", test_dismissed);
    ADD ("refused", "refuse", test_dismissed);
    ADD ("nobody", "nobody", test_dismissed);
    return g_test_run ();
}
