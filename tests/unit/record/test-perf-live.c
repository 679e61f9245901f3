/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Recordings by the real perf, where there is one that may record.
 */
#include <glib/gstdio.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../cases.h"
#include "core/read/readers.h"
#include "record/run/recording.h"

enum { PATIENCE_MS = 60000, N_NAPS = 10, NAP_MS = 30 };

#define NS_PER_MS 1e6

/* The program that is recorded: this one */

static double
get_cpu_seconds (void)
{
    struct timespec now;
    clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void
burn (double seconds)
{
    for (double end = get_cpu_seconds () + seconds; get_cpu_seconds () < end;)
        for (volatile unsigned i = 0; i < 100000;)
            i++;
}

/* How long it was able to run and did not, which the kernel counts. 0 where it does not. */
static double
get_delay_ns (void)
{
    g_autofree char *text = NULL;
    double delay_ns = 0;
    if (g_file_get_contents ("/proc/self/schedstat", &text, NULL, NULL))
        sscanf (text, "%*s %lf", &delay_ns);
    return delay_ns;
}

/* The times of the work, for the test to compare, in ns: CPU time; the naps as long as they were;
 * how long others had the CPU in between, and before. A virtual machine takes more than all of
 * these when its host is busy. */
static int
be_recorded (const char *result_path)
{
    double nap_ns = 0, delay_ns = 0, start_delay_ns = get_delay_ns ();
    for (unsigned i = 0; i < N_NAPS; i++) {
        double before_ns = get_delay_ns ();
        burn (0.03);
        delay_ns += get_delay_ns () - before_ns;
        int64_t begin_us = g_get_monotonic_time ();
        g_usleep (NAP_MS * 1000);
        nap_ns += (double)(g_get_monotonic_time () - begin_us) * 1e3;
    }
    g_autofree char *text = g_strdup_printf ("%.0f %.0f %.0f %.0f", get_cpu_seconds () * 1e9,
                                             nap_ns, delay_ns, start_delay_ns);
    return g_file_set_contents (result_path, text, -1, NULL) ? 0 : 1;
}

/* Recording it */

typedef struct {
    char *folder, *result_path;
    PvRecordPlan *plan;
    GMainLoop *loop;
    double cpu_ns, nap_ns, delay_ns, start_delay_ns; /* as it says */
} Fixture;

static const char *own_path;

static void
set_up (Fixture *fixture, gconstpointer data)
{
    fixture->folder = g_dir_make_tmp ("pv perf,live-XXXXXX", NULL);
    fixture->result_path = g_build_filename (fixture->folder, "result", NULL);
    fixture->loop = g_main_loop_new (NULL, false);
    PvRecordPlan *plan = fixture->plan = pv_record_plan_new ();
    plan->output = g_build_filename (fixture->folder, "out.data", NULL);
    const char *argv[] = {own_path, "--be-recorded", fixture->result_path, NULL};
    plan->argv = g_strdupv ((char **)argv);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
    g_unlink (fixture->plan->output);
    g_unlink (fixture->result_path);
    g_assert_no_errno (g_rmdir (fixture->folder));
    pv_record_plan_free (fixture->plan);
    g_main_loop_unref (fixture->loop);
    g_free (fixture->result_path);
    g_free (fixture->folder);
}

static void
note_end (PvRecording *recording, void *user)
{
    g_main_loop_quit (user);
}

static gboolean
lose_patience (gpointer user)
{
    g_error ("the recording does not end");
    return G_SOURCE_REMOVE;
}

static void
record (Fixture *fixture)
{
    PvRecordingOptions options = {.events = {.ended = note_end, .user = fixture->loop}};
    g_autoptr (PvRecording) recording =
        assert_ok (error, pv_recording_start (fixture->plan, &options, &error));
    guint patience = g_timeout_add (PATIENCE_MS, lose_patience, NULL);
    g_main_loop_run (fixture->loop);
    g_source_remove (patience);
    const GError *problem = pv_recording_get_error (recording);
    g_assert_no_error (problem);
    g_assert_true (pv_recording_has_file (recording));
    g_autofree char *text = NULL;
    g_assert_true (g_file_get_contents (fixture->result_path, &text, NULL, NULL));
    g_assert_cmpint (sscanf (text, "%lf %lf %lf %lf", &fixture->cpu_ns, &fixture->nap_ns,
                             &fixture->delay_ns, &fixture->start_delay_ns),
                     ==, 4);
    g_test_message ("CPU %.0f ns, naps %.0f ns, delays %.0f ns, before %.0f ns", fixture->cpu_ns,
                    fixture->nap_ns, fixture->delay_ns, fixture->start_delay_ns);
}

static double
read_total (const Fixture *fixture, const char *measure)
{
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    PvReadContext context = {.n_workers = 1};
    g_autoptr (GError) error = NULL;
    g_assert_true (pv_read (fixture->plan->output, 0, builder, &context, &error));
    g_autofree char *command = pv_record_plan_format_command (fixture->plan);
    g_assert_cmpstr (pv_profile_builder_facts (builder)->command, ==, command);
    g_autoptr (PvProfile) profile = pv_profile_builder_snapshot (builder);
    double total = -1;
    for (uint32_t i = 0; i < profile->n_measures; i++) {
        g_test_message ("%s %" G_GUINT64_FORMAT, profile->measures[i].name,
                        profile->measures[i].total);
        if (g_str_has_prefix (profile->measures[i].name, measure))
            total = (double)profile->measures[i].total;
    }
    return total;
}

/* The clock's samples are the CPU time. */
static void
test_cpu (Fixture *fixture, gconstpointer data)
{
    fixture->plan->call_graph = (PvCallGraph)GPOINTER_TO_INT (data);
    fixture->plan->events = g_strsplit_set ("cpu-clock", ",", -1);
    record (fixture);
    double total_ns = read_total (fixture, "cpu-clock");
    g_assert_cmpfloat (fabs (total_ns - fixture->cpu_ns), <, 0.2 * fixture->cpu_ns);
}

/* Waits are the naps, and what others had of the CPU. */
static void
test_off_cpu (Fixture *fixture, gconstpointer data)
{
    fixture->plan->kind = PV_RECORD_OFF_CPU;
    record (fixture);
    double total_ns = read_total (fixture, "off-cpu");
    double least_ns = fixture->nap_ns + fixture->delay_ns;
    g_assert_cmpfloat (fixture->nap_ns, >=, N_NAPS * NAP_MS * NS_PER_MS);
    g_assert_cmpfloat (total_ns, >, 0.9 * least_ns);
    g_assert_cmpfloat (total_ns, <, 1.2 * (least_ns + fixture->start_delay_ns));
    double blocked_ns = read_total (fixture, "blocked");
    g_assert_cmpfloat (blocked_ns, >, 0.9 * fixture->nap_ns);
    g_assert_cmpfloat (blocked_ns, <, 1.5 * fixture->nap_ns);
}

static bool
may_record (void)
{
    char *argv[] = {(char *)"perf", (char *)"record",    (char *)"-q",
                    (char *)"-e",   (char *)"cpu-clock", (char *)"-o",
                    NULL,           (char *)"true",      NULL};
    g_autofree char *folder = g_dir_make_tmp ("pv-probe-XXXXXX", NULL);
    g_autofree char *path = argv[6] = g_build_filename (folder, "x", NULL);
    int wait_status = -1;
    bool may =
        g_spawn_sync (NULL, argv, NULL,
                      G_SPAWN_SEARCH_PATH | G_SPAWN_STDOUT_TO_DEV_NULL | G_SPAWN_STDERR_TO_DEV_NULL,
                      NULL, NULL, NULL, NULL, &wait_status, NULL) &&
        wait_status == 0;
    g_unlink (path);
    g_rmdir (folder);
    return may;
}

#define ADD(path, data, function)                                                                  \
    g_test_add ("/perf-live/" path, Fixture, GINT_TO_POINTER (data), set_up, function, tear_down)

TESTS_MAIN (argc, argv)
{
    if (argc == 3 && strcmp (argv[1], "--be-recorded") == 0)
        _exit (be_recorded (argv[2])); /* at once: a leak checker would let it wait */
    pv_test_init (argc, argv);
    if (!may_record ()) {
        puts ("1..0 # SKIP perf is not installed, or may not record here");
        return 0;
    }
    g_autofree char *path = g_file_read_link ("/proc/self/exe", NULL);
    own_path = path;
    ADD ("fp", PV_CALL_GRAPH_FP, test_cpu);
    ADD ("dwarf", PV_CALL_GRAPH_DWARF, test_cpu);
    ADD ("none", PV_CALL_GRAPH_NONE, test_cpu);
    ADD ("off-cpu", 0, test_off_cpu);
    return g_test_run ();
}
