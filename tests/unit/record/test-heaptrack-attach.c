/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How a recording by heaptrack that was attached may end, and when: what the stand-in for gdb is at
 * is never disturbed, the process stays, and heaptrack is taken out of it again.
 */
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "../cases.h"
#include "../scratch.h"
#include "record/process/background.h"
#include "recorder-run.h"

enum { PATIENCE_MS = 60000, POLL_MS = 20 };

typedef enum { STOP, KILL, DISCARD, FREE } Way;

/* heaptrack is in when the stand-in for it has opened its pipe, whose private folder goes then. */
typedef enum { AT_ONCE, WHEN_PUT_IN, WHEN_RECORDED } When;

typedef struct {
    const char *name;
    Way way;
    const char *gdb_seconds, *gdb_lingers;
    When when;
    const char *log;
    bool is_replaced; /* what was there before; else it had not begun to record, or is discarded */
} Case;

/* gdb needs a second to begin; has put heaptrack in, but is still there; has long gone. */
#define BEFORE    "1", "0", AT_ONCE
#define MEANWHILE "0", "2", WHEN_PUT_IN
#define AFTER     "0", "0", WHEN_RECORDED

static const Case cases[] = {
    {"stop-before", STOP, BEFORE, "inject\nstop 1\n", false},
    {"kill-before", KILL, BEFORE, "inject\n", false},
    {"discard-before", DISCARD, BEFORE, "inject\n", false},
    {"free-before", FREE, BEFORE, "inject\n", false},
    {"stop-meanwhile", STOP, MEANWHILE, "inject\nstop 1\n", false},
    {"kill-meanwhile", KILL, MEANWHILE, "inject\nstop 1\n", false},
    {"discard-meanwhile", DISCARD, MEANWHILE, "inject\nstop 1\n", false},
    {"free-meanwhile", FREE, MEANWHILE, "inject\nstop 1\n", false},
    {"stop-after", STOP, AFTER, "inject\nstop 1\n", true},
    {"kill-after", KILL, AFTER, "inject\nstop 1\n", true},
    {"discard-after", DISCARD, AFTER, "inject\nstop 1\n", false},
    {"free-after", FREE, AFTER, "inject\nstop 1\n", true},
};

static gboolean
set (gpointer user)
{
    *(bool *)user = true;
    return G_SOURCE_REMOVE;
}

static void
run_for (unsigned milliseconds)
{
    bool is_over = false;
    g_timeout_add (milliseconds, set, &is_over);
    while (!is_over)
        g_main_context_iteration (NULL, true);
}

static bool
has_private_folder (void)
{
    const char *name;
    g_autoptr (GDir) dir = g_dir_open (g_get_tmp_dir (), 0, NULL);
    while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
        if (g_str_has_prefix (name, "profview-heap-"))
            return true;
    return false;
}

static void
wait_until (PvRecording *recording, When when)
{
    run_for (300);
    for (unsigned i = 0; i < PATIENCE_MS / POLL_MS; i++) {
        if (when == AT_ONCE || (when == WHEN_PUT_IN && !has_private_folder ()) ||
            (when == WHEN_RECORDED && recorder_has_allocations (recording)))
            return;
        run_for (POLL_MS);
    }
    g_error ("heaptrack does not begin");
}

static void
note_end (PvRecording *recording, void *user)
{
    *(bool *)user = true;
}

static void
end (PvRecording *recording, Way way, const bool *has_ended)
{
    if (way == STOP)
        pv_recording_stop (recording);
    else if (way == KILL)
        pv_recording_kill (recording);
    else if (way == DISCARD)
        pv_recording_discard (recording);
    for (unsigned i = 0; way != FREE && !*has_ended && i < PATIENCE_MS / POLL_MS; i++)
        run_for (POLL_MS);
    g_assert_true (way == FREE || *has_ended);
}

/* The recorded actions of gdb, once there are as many. */
static void
assert_log (const char *path, const char *expected)
{
    g_autofree char *text = NULL;
    for (unsigned i = 0; i < PATIENCE_MS / POLL_MS; i++) {
        g_clear_pointer (&text, g_free);
        if (g_file_get_contents (path, &text, NULL, NULL) && strlen (text) >= strlen (expected))
            break;
        g_usleep (POLL_MS * 1000);
    }
    g_assert_cmpstr (text, ==, expected);
}

static void
assert_files (const char *folder, bool is_replaced)
{
    g_assert_cmpuint (count_files (folder), ==,
                      2); /* the recording and the log: nothing else is left */
    g_autofree char *path = g_build_filename (folder, "recording", NULL), *text = NULL;
    g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
    g_assert_cmpint (strcmp (text, "earlier") != 0, ==, is_replaced);
    if (is_replaced) {
        g_autoptr (GString) trace = recorder_unpack (path);
        g_assert_cmpuint (trace->len, >, 0);
    }
}

static void
test_end (gconstpointer data)
{
    const Case *one = data;
    g_autofree char *folder = g_dir_make_tmp ("pv attach-XXXXXX", NULL);
    g_autofree char *log = g_build_filename (folder, "log", NULL);
    g_setenv ("PV_STANDIN_GDB_LOG", log, true);
    g_setenv ("PV_STANDIN_GDB_SECONDS", one->gdb_seconds, true);
    g_setenv ("PV_STANDIN_GDB_LINGERS", one->gdb_lingers, true);
    char *sleep[] = {(char *)"sleep", (char *)"100", NULL};
    GPid pid;
    g_assert_true (g_spawn_async (NULL, sleep, NULL,
                                  G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD, NULL, NULL, &pid,
                                  NULL));
    g_autoptr (PvRecordPlan) plan =
        recorder_make_plan (PV_RECORD_HEAPTRACK, folder, "unused", NULL);
    plan->target = PV_TARGET_ATTACH;
    plan->pid = pid;
    g_assert_true (g_file_set_contents (plan->output, "earlier", -1, NULL));
    bool has_ended = false;
    PvRecordingOptions options = {.events = {.ended = note_end, .user = &has_ended}};
    PvRecording *recording = assert_ok (error, pv_recording_start (plan, &options, &error));
    wait_until (recording, one->when);
    end (recording, one->way, &has_ended);
    pv_recording_free (recording);
    pv_background_wait ();
    assert_log (log, one->log);
    g_assert_cmpint (kill (pid, 0), ==, 0);
    assert_files (folder, one->is_replaced);
    kill (pid, SIGKILL);
    g_spawn_close_pid (pid);
    g_unlink (log);
    g_unlink (plan->output);
    g_assert_no_errno (g_rmdir (folder));
}

TESTS_MAIN (argc, argv)
{
    pv_test_init (argc, argv);
    const char *folder = g_getenv ("TMPDIR") != NULL ? g_getenv ("TMPDIR") : "/tmp";
    g_autofree char *scratch = g_build_filename (folder, "pv-attach-tmp-XXXXXX", NULL);
    g_assert_nonnull (g_mkdtemp (scratch));
    g_autofree char *path = g_strdup_printf ("%s/tests/record/standin/heaptrack/bin:%s",
                                             g_getenv ("PV_BUILD"), g_getenv ("PATH"));
    g_setenv ("PATH", path, true);
    g_setenv ("TMPDIR", scratch, true);
    g_setenv ("PV_STANDIN_SECONDS", "20", true); /* longer than anything here */
    g_unsetenv ("LD_PRELOAD");
    for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
        g_autofree char *name = g_strconcat ("/heaptrack-attach/", cases[i].name, NULL);
        g_test_add_data_func (name, &cases[i], test_end);
    }
    int status = g_test_run ();
    g_assert_no_errno (g_rmdir (scratch));
    return status;
}
