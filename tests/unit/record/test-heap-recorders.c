/* SPDX-License-Identifier: GPL-3.0-or-later */
/* heaptrack's recorder with the stand-in of tests/record/standin/heaptrack, jemalloc's with shell
 * scripts that write what they were told to. */
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../cases.h"
#include "../scratch.h"
#include "record/plan/recordings.h"
#include "recorder-run.h"

static char *scratch;

static char *
get_trace_path (const char *name)
{
    return g_test_build_filename (G_TEST_DIST, "heaptrack", name, NULL);
}

/* The whole lines of what the stand-in replays. */
static GString *
read_trace (const char *name)
{
    g_autofree char *path = get_trace_path (name);
    GString *trace = recorder_unpack (path);
    const char *newline = strrchr (trace->str, '\n');
    g_string_truncate (trace, (gsize)(newline - trace->str) + 1);
    return trace;
}

/* Takes the recorder's own line out, which is the second one. */
static void
take_remark (GString *text)
{
    static const char remark[] = "\n# recorded with: heaptrack --raw ";
    const char *at = strstr (text->str, remark);
    if (text->len == 0)
        return;
    g_assert_nonnull (at);
    g_assert_true (at == strchr (text->str, '\n'));
    gssize start = at + 1 - text->str;
    g_string_erase (text, start, strchr (at + 1, '\n') + 1 - (at + 1));
    g_assert_null (strstr (text->str, "# recorded"));
}

/* Takes the line off that says why the recording ends before the program. */
static bool
take_cut (GString *text, const char *reason)
{
    g_autofree char *line = g_strdup_printf ("\n# recording cut: %s\n", reason);
    bool is_cut = g_str_has_suffix (text->str, line);
    if (is_cut)
        g_string_truncate (text, text->len - strlen (line) + 1);
    return is_cut;
}

/* Returns how much of the trace is in the file, which is to be a beginning of it. */
static double
check_recorded (const char *path, const char *name)
{
    GString *trace = read_trace (name), *text = recorder_unpack (path);
    take_remark (text);
    take_cut (text, "stopped");
    g_assert_true (g_str_has_prefix (trace->str, text->str));
    g_assert_true (text->len == 0 || g_str_has_suffix (text->str, "\n"));
    double share = (double)text->len / (double)trace->len;
    g_string_free (trace, true);
    g_string_free (text, true);
    return share;
}

static void
check_private (const char *path, mode_t wanted)
{
    struct stat status;
    g_assert_cmpint (lstat (path, &status), ==, 0);
    g_assert_cmpint (status.st_mode, ==, wanted);
}

static void
check_nothing_left (const PvRecordPlan *plan)
{
    g_assert_false (g_file_test (plan->output, G_FILE_TEST_EXISTS));
}

static void
finish (RecorderRun *run, PvRecordPlan *plan)
{
    recorder_run_clear (run);
    pv_recordings_remove (plan->output, NULL);
    pv_record_plan_free (plan);
    /* No pipe, no folder of the recorder's stays behind. */
    g_autoptr (GDir) dir = g_dir_open (scratch, 0, NULL);
    g_assert_null (g_dir_read_name (dir));
}

/* A recording without any error. */
static RecorderRun
run_well (const PvRecordPlan *plan, RecorderDo action, void *user)
{
    RecorderRun run = recorder_run (plan, action, user);
    g_assert_no_error (run.error);
    return run;
}

/* Heaptrack, launched */

static bool
stop (PvRecording *recording, void *user)
{
    if (!recorder_runs_since (recording, *(double *)user))
        return false;
    pv_recording_stop (recording);
    return true;
}

/* When heaptrack has told of allocations, as a user sees in what grows. */
static bool
stop_later (PvRecording *recording, void *user)
{
    if (!recorder_has_allocations (recording))
        return false;
    pv_recording_stop (recording);
    return true;
}

TEST (launch)
{
    PvRecordPlan *plan =
        recorder_make_plan (PV_RECORD_HEAPTRACK, scratch, "timeout", "0.3", "sleep", "60", NULL);
    RecorderRun run = run_well (plan, NULL, NULL);
    g_assert_true (pv_recording_has_file (run.recording));
    g_assert_nonnull (strstr (run.says, "124"));
    g_assert_cmpfloat (check_recorded (plan->output, "killed.raw.zst"), ==, 1);
    check_private (plan->output, S_IFREG | 0600);
    finish (&run, plan);
}

typedef struct {
    GSubprocess *awaited; /* for whose end the program waits */
    double last_share;
    unsigned n_steps;
} Growing;

static bool
watch (PvRecording *recording, void *user)
{
    Growing *growing = user;
    pv_recording_flush (recording);
    double share = check_recorded (pv_recording_get_path (recording), "killed.raw.zst");
    growing->n_steps += share > growing->last_share;
    growing->last_share = share;
    if (growing->n_steps < 4)
        return false;
    g_subprocess_force_exit (growing->awaited);
    g_subprocess_wait (growing->awaited, NULL, NULL);
    return true;
}

TEST (growing)
{
    Growing growing = {
        .awaited = g_subprocess_new (G_SUBPROCESS_FLAGS_NONE, NULL, "sleep", "600", NULL),
    };
    g_autofree char *option =
        g_strconcat ("--pid=", g_subprocess_get_identifier (growing.awaited), NULL);
    PvRecordPlan *plan = recorder_make_plan (PV_RECORD_HEAPTRACK, scratch, "tail", "-s", "0.05",
                                             option, "-f", "/dev/null", NULL);
    RecorderRun run = run_well (plan, watch, &growing);
    g_assert_cmpuint (growing.n_steps, ==, 4);
    g_assert_cmpfloat (check_recorded (plan->output, "killed.raw.zst"), ==, 1);
    g_object_unref (growing.awaited);
    finish (&run, plan);
}

TEST (stop)
{
    PvRecordPlan *plan = recorder_make_plan (PV_RECORD_HEAPTRACK, scratch, "sleep", "600", NULL);
    RecorderRun run = run_well (plan, stop_later, NULL);
    double share = check_recorded (plan->output, "killed.raw.zst");
    g_assert_cmpfloat (share, >, 0);
    g_assert_cmpfloat (share, <, 1);
    g_assert_true (pv_target_get_status (pv_recording_get_target (run.recording))->is_ended);
    finish (&run, plan);
}

static char *
get_told_path (void)
{
    return g_build_filename (scratch, "goes-on", NULL);
}

/* A program that ends when signalled; when it ends, it makes a file first. */
static PvRecordPlan *
make_told_plan (void)
{
    g_autofree char *path = get_told_path ();
    g_autofree char *done = g_build_filename (scratch, "done", NULL);
    g_assert_true (g_file_set_contents (path, "", 0, NULL));
    return recorder_make_plan (PV_RECORD_HEAPTRACK, scratch, "sh", "-c",
                               "while [ -e \"$1\" ]; do sleep 0.05; done; : >\"$2\"", "sh", path,
                               done, NULL);
}

static void
tell_to_end (void)
{
    g_autofree char *path = get_told_path ();
    g_assert_no_errno (g_unlink (path));
}

static void
wait_until_it_is_done (void)
{
    g_autofree char *done = g_build_filename (scratch, "done", NULL);
    for (unsigned i = 0; i < 6000 && !g_file_test (done, G_FILE_TEST_EXISTS); i++)
        g_usleep (10000);
    g_assert_no_errno (g_unlink (done));
}

/* It goes on and writes, also when nobody records any more. */
TEST (leave_target)
{
    PvRecordPlan *plan = make_told_plan ();
    plan->leaves_target = true;
    RecorderRun run = run_well (plan, stop_later, NULL);
    g_assert_cmpfloat (check_recorded (plan->output, "killed.raw.zst"), <, 1);
    g_autoptr (GString) text = recorder_unpack (plan->output);
    g_assert_true (take_cut (text, "stopped"));
    recorder_run_clear (&run);
    tell_to_end ();
    wait_until_it_is_done ();
    finish (&run, plan);
}

/* The user does not wait for the program to begin; that is not heaptrack's fault, nor the
 * program's. */
TEST (stop_early)
{
    double seconds = 0;
    char *environment[] = {(char *)"PV_STANDIN_TRACE=/dev/null", NULL};
    PvRecordPlan *plan = recorder_make_plan (PV_RECORD_HEAPTRACK, scratch, "sleep", "600", NULL);
    plan->environment = g_strdupv (environment);
    RecorderRun run = recorder_run (plan, stop, &seconds);
    g_assert_error (run.error, PV_RECORD_ERROR, PV_RECORD_ERROR_NOTHING);
    g_assert_nonnull (strstr (run.error->message, "was stopped before"));
    check_nothing_left (plan);
    finish (&run, plan);
}

/* After more than the first quarter of the trace, which comes at once. */
static bool
kill_target (PvRecording *recording, void *user)
{
    if (!recorder_has_allocations (recording) ||
        check_recorded (pv_recording_get_path (recording), "killed.raw.zst") <= 0.27)
        return false;
    kill (pv_target_get_pid (pv_recording_get_target (recording)), SIGKILL);
    return true;
}

/* Bytes that were in the pipe by then are retained. */
TEST (target_killed)
{
    PvRecordPlan *plan = recorder_make_plan (PV_RECORD_HEAPTRACK, scratch, "sleep", "600", NULL);
    RecorderRun run = run_well (plan, kill_target, NULL);
    g_assert_nonnull (strstr (run.says, "SIGKILL"));
    double share = check_recorded (plan->output, "killed.raw.zst");
    g_assert_cmpfloat (share, >, 0.27);
    g_assert_cmpfloat (share, <, 1);
    g_autoptr (GString) text = recorder_unpack (plan->output);
    g_assert_false (take_cut (text, "stopped"));
    finish (&run, plan);
}

static bool
discard (PvRecording *recording, void *user)
{
    if (!recorder_runs_since (recording, *(double *)user))
        return false;
    pv_recording_discard (recording);
    return true;
}

TEST (discard)
{
    double seconds = 0.4;
    PvRecordPlan *plan = recorder_make_plan (PV_RECORD_HEAPTRACK, scratch, "sleep", "60", NULL);
    RecorderRun run = run_well (plan, discard, &seconds);
    g_assert_false (pv_recording_has_file (run.recording));
    check_nothing_left (plan);
    finish (&run, plan);
}

TEST (replaced)
{
    PvRecordPlan *plan = recorder_make_plan (PV_RECORD_HEAPTRACK, scratch, "sh", "-c",
                                             "sleep 0.5; exec sleep 2.5", NULL);
    RecorderRun run = run_well (plan, NULL, NULL);
    g_assert_nonnull (strstr (run.says, "replaced itself"));
    g_assert_cmpfloat (check_recorded (plan->output, "killed.raw.zst"), >, 0);
    finish (&run, plan);
}

TEST (nothing)
{
    char *environment[] = {(char *)"PV_STANDIN_TRACE=/dev/null", NULL};
    PvRecordPlan *plan = recorder_make_plan (PV_RECORD_HEAPTRACK, scratch, "sleep", "0.1", NULL);
    plan->environment = g_strdupv (environment);
    RecorderRun run = recorder_run (plan, NULL, NULL);
    g_assert_error (run.error, PV_RECORD_ERROR, PV_RECORD_ERROR_NOTHING);
    g_assert_false (pv_recording_has_file (run.recording));
    check_nothing_left (plan);
    finish (&run, plan);
}

/* The file has the command line, whatever it is, and no secret of it. */
TEST (command)
{
    char *environment[] = {(char *)"TOKEN=secret", NULL};
    PvRecordPlan *plan = recorder_make_plan (PV_RECORD_HEAPTRACK, scratch, "sh", "-c", "exit 0",
                                             "a\nv 1 1\n\xff \033[2J", NULL);
    plan->environment = g_strdupv (environment);
    RecorderRun run = run_well (plan, NULL, NULL);
    g_autoptr (GString) text = recorder_unpack (plan->output);
    g_assert_nonnull (strstr (text->str,
                              "\n# recorded with: heaptrack --raw sh -c 'exit 0' 'a v 1 1 "
                              "\uFFFD  [2J'\n"));
    g_assert_null (strstr (text->str, "secret"));
    g_assert_cmpfloat (check_recorded (plan->output, "killed.raw.zst"), >, 0);
    finish (&run, plan);
}

/* The user's own LD_PRELOAD is kept behind ours. */
TEST (environment)
{
    char *environment[] = {(char *)"LD_PRELOAD=libm.so.6", NULL};
    g_autofree char *out = g_build_filename (scratch, "maps", NULL);
    g_autofree char *script = g_strdup_printf ("cat /proc/$$/maps >'%s'", out);
    PvRecordPlan *plan =
        recorder_make_plan (PV_RECORD_HEAPTRACK, scratch, "sh", "-c", script, NULL);
    plan->environment = g_strdupv (environment);
    RecorderRun run = run_well (plan, NULL, NULL);
    g_autofree char *maps = NULL;
    g_assert_true (g_file_get_contents (out, &maps, NULL, NULL));
    g_assert_nonnull (strstr (maps, "libheaptrack_preload.so"));
    g_assert_nonnull (strstr (maps, "libm.so.6"));
    g_unlink (out);
    finish (&run, plan);
}

static char *
put_standin_in (const char *folder)
{
    static const char *const files[][3] = {{"bin", NULL, "heaptrack"},
                                           {"lib", "heaptrack", "libheaptrack_preload.so"}};
    g_autofree char *standin =
        g_test_build_filename (G_TEST_BUILT, "tests", "record", "standin", "heaptrack", NULL);
    for (unsigned i = 0; i < G_N_ELEMENTS (files); i++) {
        const char *middle = files[i][1] != NULL ? files[i][1] : ".";
        g_autofree char *to = g_build_filename (folder, files[i][0], middle, NULL);
        g_autofree char *from_path =
            g_build_filename (standin, files[i][0], middle, files[i][2], NULL);
        g_autofree char *to_path = g_build_filename (to, files[i][2], NULL);
        g_autoptr (GFile) from_file = g_file_new_for_path (from_path);
        g_autoptr (GFile) to_file = g_file_new_for_path (to_path);
        g_assert_cmpint (g_mkdir_with_parents (to, 0700), ==, 0);
        g_assert_true (g_file_copy (from_file, to_file, 0, NULL, NULL, NULL, NULL));
    }
    return g_build_filename (folder, "bin", NULL);
}

/* Where the list of what to preload would be cut. */
TEST (blank_in_path)
{
    g_autofree char *folder = g_dir_make_tmp ("a blank-XXXXXX", NULL);
    g_autofree char *bin = put_standin_in (folder);
    g_autofree char *before = g_strdup (g_getenv ("PATH"));
    g_autofree char *path = g_strconcat (bin, ":", before, NULL);
    g_setenv ("PATH", path, true);
    PvRecordPlan *plan = recorder_make_plan (PV_RECORD_HEAPTRACK, folder, "sleep", "0.1", NULL);
    RecorderRun run = recorder_run (plan, NULL, NULL);
    g_setenv ("PATH", before, true);
    g_assert_no_error (run.error);
    g_assert_cmpfloat (check_recorded (plan->output, "killed.raw.zst"), ==, 1);
    recorder_run_clear (&run);
    remove_tree (folder);
    finish (&run, plan);
}

TEST (not_installed)
{
    g_autofree char *before = g_strdup (g_getenv ("PATH"));
    PvRecordPlan *plan = recorder_make_plan (PV_RECORD_HEAPTRACK, scratch, "/bin/sleep", "1", NULL);
    g_setenv ("PATH", scratch, true);
    RecorderRun launched = recorder_run (plan, NULL, NULL);
    plan->target = PV_TARGET_ATTACH;
    plan->pid = getppid ();
    g_auto (RecorderRun) attached = recorder_run (plan, NULL, NULL);
    g_setenv ("PATH", before, true);
    g_assert_error (launched.error, PV_RECORD_ERROR, PV_RECORD_ERROR_NO_RECORDER);
    g_assert_error (attached.error, PV_RECORD_ERROR, PV_RECORD_ERROR_NO_RECORDER);
    g_assert_nonnull (strstr (attached.error->message, "gdb"));
    check_nothing_left (plan);
    finish (&launched, plan);
}

/* Heaptrack, attached */

typedef struct {
    GSubprocess *process;
    PvRecordPlan *plan;
} Attached;

static Attached
attach_to (const char *seconds)
{
    Attached attached = {
        .process = g_subprocess_new (G_SUBPROCESS_FLAGS_NONE, NULL, "sleep", seconds, NULL),
        .plan = recorder_make_plan (PV_RECORD_HEAPTRACK, scratch, "unused", NULL),
    };
    g_assert_nonnull (attached.process);
    attached.plan->target = PV_TARGET_ATTACH;
    attached.plan->pid = atoi (g_subprocess_get_identifier (attached.process));
    return attached;
}

static void
finish_attached (Attached *attached, RecorderRun *run)
{
    g_subprocess_force_exit (attached->process);
    g_subprocess_wait (attached->process, NULL, NULL);
    g_object_unref (attached->process);
    finish (run, attached->plan);
}

TEST (attach)
{
    Attached attached = attach_to ("600");
    RecorderRun run = run_well (attached.plan, stop_later, NULL);
    double share = check_recorded (attached.plan->output, "attach.raw.zst");
    g_assert_cmpfloat (share, >, 0);
    g_assert_cmpfloat (share, <, 1);
    /* The process does not notice. */
    g_assert_nonnull (g_subprocess_get_identifier (attached.process));
    g_assert_cmpint (kill (attached.plan->pid, 0), ==, 0);
    finish_attached (&attached, &run);
}

static bool
end_attached (PvRecording *recording, void *user)
{
    if (!recorder_has_allocations (recording))
        return false;
    g_subprocess_force_exit (user);
    return true;
}

TEST (attached_ends)
{
    Attached attached = attach_to ("600");
    RecorderRun run = run_well (attached.plan, end_attached, attached.process);
    g_assert_cmpfloat (check_recorded (attached.plan->output, "attach.raw.zst"), >, 0);
    finish_attached (&attached, &run);
}

static void
check_attach_fails (const char *says, int code)
{
    Attached attached = attach_to ("60");
    g_setenv ("PV_STANDIN_GDB_SAYS", says, true);
    RecorderRun run = recorder_run (attached.plan, NULL, NULL);
    g_unsetenv ("PV_STANDIN_GDB_SAYS");
    g_assert_error (run.error, PV_RECORD_ERROR, code);
    g_assert_true (g_utf8_validate (run.error->message, -1, NULL));
    check_nothing_left (attached.plan);
    finish_attached (&attached, &run);
}

TEST (attach_fails)
{
    check_attach_fails ("warning: x\nptrace: Operation not permitted.\n",
                        PV_RECORD_ERROR_NOT_PERMITTED);
    check_attach_fails ("No symbol \"dlmopen\" in current context.", PV_RECORD_ERROR_UNSUPPORTED);
    check_attach_fails ("ptrace: No such process.", PV_RECORD_ERROR_BAD_PLAN);
    check_attach_fails ("it \xff does not like it", PV_RECORD_ERROR_FAILED);
    check_attach_fails ("", PV_RECORD_ERROR_FAILED);
}

TEST (attach_to_nobody)
{
    Attached attached = attach_to ("60");
    attached.plan->pid = G_MAXINT32;
    RecorderRun run = recorder_run (attached.plan, NULL, NULL);
    g_assert_error (run.error, PV_RECORD_ERROR, PV_RECORD_ERROR_BAD_PLAN);
    check_nothing_left (attached.plan);
    finish_attached (&attached, &run);
}

/* Jemalloc */

#define WRITE_DUMP                                                                                 \
    "prefix=${MALLOC_CONF##*prof_prefix:}; echo heap_v2/524288 >\"$prefix.$$.0.f.heap\"; "

static PvRecordPlan *
make_jemalloc_plan (const char *script)
{
    return recorder_make_plan (PV_RECORD_JEMALLOC, scratch, "sh", "-c", script, NULL);
}

static unsigned
count_dumps (const char *path)
{
    g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
    unsigned n = 0;
    const char *name;
    while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
        g_autofree char *dump = g_build_filename (path, name, NULL);
        check_private (dump, S_IFREG | 0600);
        n += g_str_has_suffix (name, ".heap");
    }
    return n;
}

TEST (jemalloc_launch)
{
    PvRecordPlan *plan = make_jemalloc_plan ("umask 0; " WRITE_DUMP);
    RecorderRun run = run_well (plan, NULL, NULL);
    g_assert_true (pv_recording_has_file (run.recording));
    g_assert_cmpuint (count_dumps (plan->output), ==, 1);
    check_private (plan->output, S_IFDIR | 0700);
    finish (&run, plan);
}

static char *
read_file (const char *folder, const char *name)
{
    char *text = NULL;
    g_autofree char *path = g_build_filename (folder, name, NULL);
    g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
    return text;
}

/* At the end of whole dumps only, of which nothing else is changed; other files are let be. */
TEST (jemalloc_command)
{
    char *environment[] = {(char *)"TOKEN=secret", NULL};
    PvRecordPlan *plan = make_jemalloc_plan (
        "prefix=${MALLOC_CONF##*prof_prefix:}; printf 'heap_v2/1\n@ 0x1\n  t*: 1: 1 [0: 0]\n' "
        ">\"$prefix.1.0.f.heap\"; touch -d @1000000000.5 \"$prefix.1.0.f.heap\"; printf "
        "'heap_v2/1\n@ 0x1\n  t*: 1: 1 [0' "
        ">\"$prefix.1.1.f.heap\"; : >\"$prefix.1.2.f.heap\"; ln -s /etc/passwd "
        "\"$prefix.1.3.f.heap\"; echo x >\"$prefix.txt\"");
    plan->environment = g_strdupv (environment);
    RecorderRun run = run_well (plan, NULL, NULL);
    g_autofree char *whole = read_file (plan->output, "jeprof.1.0.f.heap");
    g_autofree char *cut = read_file (plan->output, "jeprof.1.1.f.heap");
    g_autofree char *empty = read_file (plan->output, "jeprof.1.2.f.heap");
    g_autofree char *other = read_file (plan->output, "jeprof.txt");
    g_assert_true (g_str_has_prefix (whole, "heap_v2/1\n@ 0x1\n  t*: 1: 1 [0: 0]\n"
                                            "# recorded with: MALLOC_CONF=prof:true,"));
    g_assert_true (g_str_has_suffix (whole, "\n") && strchr (whole, 0)[-2] != '\n');
    g_assert_null (strstr (whole, "secret"));
    struct stat status;
    g_autofree char *path = g_build_filename (plan->output, "jeprof.1.0.f.heap", NULL);
    g_assert_cmpint (stat (path, &status), ==, 0);
    g_assert_cmpint (status.st_mtim.tv_sec, ==, 1000000000);
    g_assert_cmpint (status.st_mtim.tv_nsec, ==, 500000000);
    g_assert_cmpstr (cut, ==, "heap_v2/1\n@ 0x1\n  t*: 1: 1 [0");
    g_assert_cmpstr (empty, ==, "");
    g_assert_cmpstr (other, ==, "x\n");
    remove_tree (plan->output);
    finish (&run, plan);
}

static void
check_conf (uint64_t interval_bytes, const char *wanted)
{
    g_autofree char *out = g_build_filename (scratch, "out", NULL);
    g_autofree char *script = g_strdup_printf (
        WRITE_DUMP "printf '%%s|%%s' \"$MALLOC_CONF\" \"$_RJEM_MALLOC_CONF\" >'%s'", out);
    char *environment[] = {(char *)"MALLOC_CONF=narenas:1,lg_prof_sample:12", NULL};
    PvRecordPlan *plan = make_jemalloc_plan (script);
    plan->environment = g_strdupv (environment);
    plan->dump_interval_bytes = interval_bytes;
    RecorderRun run = run_well (plan, NULL, NULL);
    g_autofree char *told = NULL;
    g_assert_true (g_file_get_contents (out, &told, NULL, NULL));
    g_autofree char *ours = g_strdup_printf ("prof:true,prof_active:true,prof_final:true,"
                                             "lg_prof_interval:%s,prof_prefix:%s/jeprof",
                                             wanted, plan->output);
    g_autofree char *expected = g_strdup_printf ("narenas:1,lg_prof_sample:12,%s|%s", ours, ours);
    g_assert_cmpstr (told, ==, expected);
    g_unlink (out);
    finish (&run, plan);
}

TEST (jemalloc_conf)
{
    check_conf (0, "26");
    check_conf (1, "0");
    check_conf (1 << 20, "20");
    check_conf ((1 << 21) - 1, "20");
    check_conf (G_MAXUINT64, "63");
}

/* Settings end at commas. */
TEST (jemalloc_comma)
{
    PvRecordPlan *plan = make_jemalloc_plan (WRITE_DUMP "case $prefix in *,*) exit 9;; esac");
    g_free (plan->output);
    plan->output = g_build_filename (scratch, "with, comma", NULL);
    RecorderRun run = run_well (plan, NULL, NULL);
    g_assert_null (run.says);
    g_assert_cmpuint (count_dumps (plan->output), ==, 1);
    finish (&run, plan);
}

TEST (jemalloc_nothing)
{
    double seconds = 0.2;
    PvRecordPlan *plan = make_jemalloc_plan ("exit 0");
    RecorderRun run = recorder_run (plan, NULL, NULL);
    g_assert_error (run.error, PV_RECORD_ERROR, PV_RECORD_ERROR_NOTHING);
    g_assert_nonnull (strstr (run.error->message, "--enable-prof"));
    check_nothing_left (plan);
    finish (&run, plan);

    plan = make_jemalloc_plan ("sleep 60");
    run = recorder_run (plan, stop, &seconds);
    g_assert_error (run.error, PV_RECORD_ERROR, PV_RECORD_ERROR_NOTHING);
    g_assert_nonnull (strstr (run.error->message, "64.0"));
    check_nothing_left (plan);
    finish (&run, plan);
}

/* Files that the program itself writes into the folder are not deleted. */
TEST (jemalloc_foreign)
{
    PvRecordPlan *plan = make_jemalloc_plan (
        "prefix=${MALLOC_CONF##*prof_prefix:}; echo x >\"${prefix%/*}/result\"");
    g_autofree char *result = g_build_filename (plan->output, "result", NULL);
    RecorderRun run = recorder_run (plan, NULL, NULL);
    g_assert_error (run.error, PV_RECORD_ERROR, PV_RECORD_ERROR_NOTHING);
    g_assert_cmpint (g_unlink (result), ==, 0);
    finish (&run, plan);
}

static bool
stop_when_there (PvRecording *recording, void *user)
{
    if (!recorder_runs_since (recording, 0) || !g_file_test (user, G_FILE_TEST_EXISTS))
        return false;
    pv_recording_stop (recording);
    return true;
}

/* A dump that was created but not written yet is none. */
static bool
stop_with_dump (PvRecording *recording, void *user)
{
    const char *path = pv_recording_get_path (recording);
    const char *name;
    bool has_dump = false;
    g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
    while (!has_dump && dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
        struct stat status;
        g_autofree char *dump = g_build_filename (path, name, NULL);
        has_dump =
            g_str_has_suffix (name, ".heap") && stat (dump, &status) == 0 && status.st_size > 0;
    }
    if (has_dump)
        pv_recording_stop (recording);
    return has_dump;
}

/* The dump at the end of a program that takes being stopped well. */
TEST (jemalloc_stop)
{
    g_autofree char *ready = g_build_filename (scratch, "ready", NULL);
    g_autofree char *script = g_strdup_printf (
        "trap '%skill $!; exit 0' TERM; sleep 60 & : >'%s'; wait", WRITE_DUMP, ready);
    PvRecordPlan *plan = make_jemalloc_plan (script);
    RecorderRun run = run_well (plan, stop_when_there, ready);
    g_assert_cmpuint (count_dumps (plan->output), ==, 1);
    g_assert_no_errno (g_unlink (ready));
    finish (&run, plan);

    plan = make_jemalloc_plan (WRITE_DUMP "exec sleep 60");
    plan->leaves_target = true;
    run = run_well (plan, stop_with_dump, NULL);
    const PvTarget *target = pv_recording_get_target (run.recording);
    g_assert_false (pv_target_get_status (target)->is_ended);
    kill (pv_target_get_pid (target), SIGKILL);
    finish (&run, plan);
}

TESTS_MAIN (argc, argv)
{
    g_autofree char *standin =
        g_build_filename (g_getenv ("PV_BUILD"), "tests/record/standin/heaptrack/bin", NULL);
    g_autofree char *path = g_strconcat (standin, ":", g_getenv ("PATH"), NULL);
    scratch = g_dir_make_tmp ("recorders-XXXXXX", NULL);
    g_setenv ("PATH", path, true);
    g_setenv ("TMPDIR", scratch, true);
    g_setenv ("G_TEST_SRCDIR", g_getenv ("PV_TEST_DATA"), true);
    g_setenv ("G_TEST_BUILDDIR", g_getenv ("PV_BUILD"), true);
    g_setenv ("PV_STANDIN_SECONDS", "20", true); /* longer than anything here */
    g_unsetenv ("LD_PRELOAD");
    g_unsetenv ("MALLOC_CONF");
    pv_test_init (argc, argv);
    int status = g_test_run ();
    g_rmdir (scratch);
    g_free (scratch);
    return status;
}
