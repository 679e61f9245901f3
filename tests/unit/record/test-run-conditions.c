/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib/gstdio.h>
#include <string.h>

#include "../cases.h"
#include "../scratch.h"
#include "record/advice/run-conditions.h"

/* A machine */

static void
put (const char *root, const char *path, const char *text)
{
    g_autofree char *file = g_build_filename (root, path, NULL);
    g_autofree char *folder = g_path_get_dirname (file);
    g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
    g_assert_true (assert_ok (error, g_file_set_contents (file, text, -1, &error)));
}

#define CPU      "sys/devices/system/cpu/"
#define SUPPLIES "sys/class/power_supply/"

/* The ids of advice, "governor battery". */
static char *
join_ids (const GPtrArray *advice)
{
    g_autoptr (GString) ids = g_string_new (NULL);
    for (guint i = 0; i < advice->len; i++)
        g_string_append_printf (ids, "%s%s", i > 0 ? " " : "",
                                ((const PvAdvice *)advice->pdata[i])->id);
    return g_string_free (g_steal_pointer (&ids), FALSE);
}

static void
check_foreseen (const char *root, const char *wanted)
{
    g_auto (PvMachineState) state = {0};
    pv_machine_state_read (&state, root);
    g_autoptr (GPtrArray) advice = pv_run_conditions_foresee_with (&state, -1);
    assert_string (join_ids (advice), wanted);
}

/* Nothing is said of what is not known. */
TEST (unknown)
{
    g_autofree char *root = scratch_new_folder ();
    g_autoptr (PvRecordPlan) plan = pv_record_plan_new ();
    PvTicks ticks;
    check_foreseen (root, "");
    pv_ticks_read (&ticks, root);
    g_assert_cmpuint (ticks.all, ==, 0);
    g_assert_null (pv_heat_read (root));
    g_assert_cmpuint (pv_machine_find_frequency_khz (root, NULL), ==, 0);
    g_autoptr (GPtrArray) advice = pv_run_conditions_foresee (plan, root);
    g_assert_cmpuint (advice->len, ==, 0);
    put (root, CPU "cpufreq/boost", "\xff");
    put (root, CPU "cpu0/cpufreq/scaling_governor", "");
    put (root, CPU "cpu0/thermal_throttle/core_throttle_count", "-1");
    put (root, CPU "cpu99999/thermal_throttle/core_throttle_count", "3");
    put (root, SUPPLIES "BAT0/type", "Battery");
    put (root, "proc/stat", "cpu");
    check_foreseen (root, "");
    g_assert_null (pv_heat_read (root));
    pv_ticks_read (&ticks, root);
    g_assert_cmpuint (ticks.all, ==, 0);
}

TEST (governor)
{
    g_autofree char *root = scratch_new_folder ();
    put (root, CPU "cpu0/cpufreq/scaling_governor", "performance\n");
    put (root, CPU "cpu1/cpufreq/scaling_governor", "performance\n");
    check_foreseen (root, "");
    put (root, CPU "cpu1/cpufreq/scaling_governor", "schedutil\n");
    put (root, CPU "cpu1/cpufreq/scaling_available_governors", "schedutil performance \n");
    g_auto (PvMachineState) state = {0};
    pv_machine_state_read (&state, root);
    g_assert_cmpstr (state.governor, ==, "schedutil");
    g_autoptr (GPtrArray) advice = pv_run_conditions_foresee_with (&state, -1);
    g_assert_cmpuint (advice->len, ==, 1);
    const PvAdvice *first = advice->pdata[0];
    g_assert_cmpint (first->fix, ==, PV_FIX_COPY);
    g_assert_nonnull (strstr (first->command, "echo performance"));
    g_assert_nonnull (strstr (first->text, "“schedutil”"));
    /* A driver that does not know it. */
    put (root, CPU "cpu1/cpufreq/scaling_available_governors", "schedutil\n");
    pv_machine_state_clear (&state);
    pv_machine_state_read (&state, root);
    g_autoptr (GPtrArray) others = pv_run_conditions_foresee_with (&state, -1);
    first = others->pdata[0];
    g_assert_cmpint (first->fix, ==, PV_FIX_NONE);
    g_assert_null (first->command);
}

static void
check_turbo (const char *path, const char *value, const char *command)
{
    g_autofree char *root = scratch_new_folder ();
    put (root, path, value);
    g_auto (PvMachineState) state = {0};
    pv_machine_state_read (&state, root);
    g_autoptr (GPtrArray) advice = pv_run_conditions_foresee_with (&state, 0.09);
    g_assert_cmpuint (advice->len, ==, command != NULL ? 1 : 0);
    if (command != NULL)
        g_assert_cmpstr (((const PvAdvice *)advice->pdata[0])->command, ==, command);
}

TEST (turbo)
{
    check_turbo (CPU "intel_pstate/no_turbo", "1\n", NULL);
    check_turbo (CPU "intel_pstate/no_turbo", "0\n",
                 "echo 1 | sudo tee /sys/devices/system/cpu/intel_pstate/no_turbo");
    check_turbo (CPU "cpufreq/boost", "0\n", NULL);
    check_turbo (CPU "cpufreq/boost", "1\n",
                 "echo 0 | sudo tee /sys/devices/system/cpu/cpufreq/boost");
}

TEST (battery)
{
    g_autofree char *root = scratch_new_folder ();
    put (root, SUPPLIES "BAT0/type", "Battery\n");
    put (root, SUPPLIES "BAT0/status", "Discharging\n");
    put (root, SUPPLIES "AC/type", "Mains\n");
    put (root, SUPPLIES "AC/online", "0\n");
    check_foreseen (root, "battery");
    /* It may discharge to protect itself. */
    put (root, SUPPLIES "AC/online", "1\n");
    check_foreseen (root, "");
    put (root, SUPPLIES "AC/online", "0\n");
    put (root, SUPPLIES "ucsi-1/type", "USB\n");
    put (root, SUPPLIES "ucsi-1/online", "1\n");
    check_foreseen (root, "");
    /* A mouse. */
    put (root, SUPPLIES "ucsi-1/online", "0\n");
    put (root, SUPPLIES "BAT0/scope", "Device\n");
    check_foreseen (root, "");
}

/* Runs */

static PvTicks
read_ticks (const char *stat)
{
    g_autofree char *root = scratch_new_folder ();
    PvTicks ticks;
    put (root, "proc/stat", stat);
    pv_ticks_read (&ticks, root);
    return ticks;
}

TEST (ticks)
{
    PvRunConditions run;
    PvTicks before = read_ticks ("cpu  100 20 30 400 50 6 7 8 90 1\ncpu0 1 2 3 4\n");
    g_assert_cmpuint (before.all, ==, 621);
    g_assert_cmpuint (before.idle, ==, 450);
    g_assert_cmpuint (before.stolen, ==, 8);
    PvTicks after = read_ticks ("cpu  300 20 30 1000 150 6 7 108 0 0\n");
    before.own = 1000;
    after.own = 1050;
    pv_run_conditions_set_ticks (&run, &before, &after, true);
    /* 700 of 1,000 ticks were idle, 100 stolen, and 50 ours. */
    g_assert_cmpfloat (run.others, ==, 0.15);
    g_assert_cmpfloat (run.stolen, ==, 0.1);
    pv_run_conditions_set_ticks (&run, &before, &after, false);
    g_assert_cmpfloat (run.others, ==, -1);
    g_assert_cmpfloat (run.stolen, ==, 0.1);
    /* Coarse counts are no share, and those that go back are none at all. */
    after = before;
    after.all += 5;
    after.own += 2;
    pv_run_conditions_set_ticks (&run, &before, &after, true);
    g_assert_cmpfloat (run.others, ==, 0);
    pv_run_conditions_set_ticks (&run, &after, &before, true);
    g_assert_cmpfloat (run.others, ==, -1);
    /* A kernel without steal, and time of ours that was counted late. */
    before = read_ticks ("cpu 1 1 1 1\n");
    after = read_ticks ("cpu 101 1 1 1\n");
    before.own = 0;
    after.own = 120;
    pv_run_conditions_set_ticks (&run, &before, &after, true);
    g_assert_cmpfloat (run.others, ==, 0);
}

TEST (heat)
{
    g_autofree char *root = scratch_new_folder ();
    PvRunConditions run = {0};
    put (root, CPU "cpu0/thermal_throttle/core_throttle_count", "7\n");
    put (root, CPU "cpu0/thermal_throttle/package_throttle_count", "10\n");
    put (root, CPU "cpu10/thermal_throttle/core_throttle_count", "5\n");
    put (root, CPU "cpu10/thermal_throttle/package_throttle_count", "10\n");
    g_autoptr (GArray) before = pv_heat_read (root);
    g_assert_cmpuint (before->len, ==, 2);
    pv_run_conditions_set_heat (&run, before, before);
    g_assert_cmpuint (run.n_throttled, ==, 0);
    put (root, CPU "cpu0/thermal_throttle/package_throttle_count", "12\n");
    put (root, CPU "cpu10/thermal_throttle/package_throttle_count", "12\n");
    put (root, CPU "cpu10/thermal_throttle/core_throttle_count", "215\n");
    put (root, CPU "cpu2/thermal_throttle/core_throttle_count", "9000\n"); /* switched on */
    g_autoptr (GArray) after = pv_heat_read (root);
    pv_run_conditions_set_heat (&run, before, after);
    g_assert_cmpuint (run.n_throttled, ==, 212);
    pv_run_conditions_set_heat (&run, after, before);
    g_assert_cmpuint (run.n_throttled, ==, 0);
    pv_run_conditions_set_heat (&run, NULL, after);
    g_assert_cmpuint (run.n_throttled, ==, 0);
}

TEST (frequency)
{
    g_autofree char *root = scratch_new_folder ();
    bool is_over = true;
    put (root, CPU "cpu0/cpufreq/scaling_cur_freq", "1200000\n");
    put (root, CPU "cpu1/cpufreq/scaling_cur_freq", "3400000\n");
    g_assert_cmpuint (pv_machine_find_frequency_khz (root, NULL), ==, 3400000);
    put (root, CPU "cpu1/cpufreq/cpuinfo_avg_freq", "3100000\n");
    g_assert_cmpuint (pv_machine_find_frequency_khz (root, NULL), ==, 3100000);
    g_assert_cmpuint (pv_machine_find_frequency_khz (root, &is_over), ==, 0);
}

/* Sentences */

/* Quiet runs of both programs, or of one. */
static void
fill_runs (PvRunConditions *runs, unsigned n_rounds, const char *base, const char *newer)
{
    for (unsigned i = 0; i < 2 * n_rounds; i++)
        runs[i] = (PvRunConditions){.side = i % 2 == 0 && base != NULL ? PV_SIDE_BASE : PV_SIDE_NEW,
                                    .round = base != NULL ? i / 2 : i,
                                    .program = i % 2 == 0 ? base : newer,
                                    .others = 0.05,
                                    .stolen = 0.001,
                                    .mean_khz = 3000000 + 1000 * i};
}

static void
check_texts (const PvRunConditions *runs, unsigned n_runs, const char *wanted)
{
    g_auto (GStrv) texts = pv_run_conditions_list (runs, n_runs);
    assert_string (g_strjoinv ("|", texts), wanted);
}

TEST (sentences)
{
    PvRunConditions runs[8];
    fill_runs (runs, 4, "./old", "./new");
    check_texts (runs, 0, "");
    check_texts (runs, 8, "");
    runs[5].n_throttled = 200;
    runs[7].n_throttled = 12;
    check_texts (runs, 8,
                 "The processor was too hot. It was throttled during runs 3 and 4 of ./new: 212 "
                 "times.");
    fill_runs (runs, 4, "./old", "./new");
    runs[2].others = 0.348;
    runs[1].others = 0.1;
    runs[5].others = runs[7].others = 0.2;
    check_texts (runs, 8,
                 "Other programs were busy. Programs that were not recorded, or that the recorded "
                 "one did not wait for, ran during run 2 of "
                 "./old and runs 1, 3 and 4 of ./new: up to 35 % of the processors’ time.");
    fill_runs (runs, 4, "./old", "./new");
    runs[4].mean_khz = 2104000;
    check_texts (runs, 8,
                 "The processor’s frequency differed. Its fastest core had 2.10 GHz during run 3 "
                 "of ./old and 3.01 GHz during run 4 of ./new.");
    runs[4].mean_khz = 0; /* unknown */
    check_texts (runs, 8, "");
    for (unsigned i = 0; i < 8; i++)
        runs[i].is_on_battery = true;
    runs[0].stolen = 0.0201;
    check_texts (runs, 8,
                 "This virtual machine had to wait. Its host gave processors to others during run "
                 "1 of ./old: up to 2.0 % of their time.|The computer ran on its battery. "
                 "Processors may be slower then and change their frequency more often: during all "
                 "runs.");
    /* The same program twice has no names to tell the sides by, as these may be exchanged. */
    fill_runs (runs, 4, "./same", "./same");
    runs[0].n_throttled = 1;
    check_texts (runs, 8,
                 "The processor was too hot. It was throttled during run 1 of the first program: "
                 "1 time.");
    fill_runs (runs, 4, NULL, NULL);
    runs[6].n_throttled = 3;
    check_texts (runs, 8, "The processor was too hot. It was throttled during run 7: 3 times.");
}

TEST (many_runs)
{
    PvRunConditions runs[40];
    fill_runs (runs, 20, "./old", "./new");
    for (unsigned i = 0; i < 30; i++)
        runs[i].others = 0.5;
    check_texts (runs, 40,
                 "Other programs were busy. Programs that were not recorded, or that the recorded "
                 "one did not wait for, ran during 15 of 20 "
                 "runs of ./old and 15 of 20 runs of ./new: up to 50 % of the processors’ time.");
}

/* A run as it is watched: its machine changes meanwhile. */
static PvRunConditions
watch (PvRecordKind kind, PvTargetKind target)
{
    static const PvTurn turn = {.side = PV_SIDE_NEW, .round = 2, .program = "./new"};
    g_autofree char *root = scratch_new_folder ();
    g_autoptr (PvRecordPlan) plan = pv_record_plan_new ();
    plan->kind = kind;
    plan->target = target;
    put (root, "proc/stat", "cpu 0 0 0 1000000\n");
    put (root, CPU "cpu0/thermal_throttle/core_throttle_count", "7\n");
    put (root, CPU "cpu0/cpufreq/scaling_cur_freq", "1000000\n");
    put (root, SUPPLIES "BAT0/type", "Battery\n");
    put (root, SUPPLIES "BAT0/status", "Discharging\n");
    PvRunWatch *watched = pv_run_watch_start (plan, root);
    g_usleep (1400000); /* three samples of the frequency */
    put (root, "proc/stat", "cpu 1000000 0 0 2000000\n");
    put (root, CPU "cpu0/thermal_throttle/core_throttle_count", "8\n");
    return pv_run_watch_end (watched, &turn);
}

TEST (watched)
{
    PvRunConditions run = watch (PV_RECORD_PERF, PV_TARGET_LAUNCH);
    g_assert_cmpint (run.side, ==, PV_SIDE_NEW);
    g_assert_cmpuint (run.round, ==, 2);
    g_assert_cmpfloat_with_epsilon (run.others, 0.5, 0.01);
    g_assert_cmpuint (run.n_throttled, ==, 1);
    g_assert_cmpuint (run.mean_khz, ==, 1000000);
    g_assert_true (run.is_on_battery);
    /* A program that runs already is no other one, though its time is not ours. */
    g_assert_cmpfloat (watch (PV_RECORD_PERF, PV_TARGET_ATTACH).others, ==, -1);
    /* Allocations are as many on a busy machine. */
    run = watch (PV_RECORD_HEAPTRACK, PV_TARGET_LAUNCH);
    g_autoptr (GPtrArray) advice = pv_run_conditions_check (&run, 1);
    g_assert_cmpuint (advice->len, ==, 0);
}

TESTS_MAIN (argc, argv)
{
    return scratch_run_tests (argc, argv);
}
