/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <string.h>
#include <sys/wait.h>

#include "../cases.h"
#include "record/perf/perf-messages.h"
#include "record/run/recording.h"

typedef struct {
    const char *text;
    PvTargetKind target;
    PvRecordError code;
    const char *part; /* of our sentence */
} Case;

static const Case cases[] = {
    {"Error:\nAccess to performance monitoring and observability operations is limited.\nConsider "
     "adjusting /proc/sys/kernel/perf_event_paranoid setting to open\n",
     PV_TARGET_LAUNCH, PV_RECORD_ERROR_NOT_PERMITTED, "perf_event_paranoid"},
    {"Error:\nYou may not have permission to collect system-wide stats.\n\nConsider tweaking "
     "/proc/sys/kernel/perf_event_paranoid,\n",
     PV_TARGET_SYSTEM, PV_RECORD_ERROR_NOT_PERMITTED, "whole system"},
    {"Error:\nYou may not have permission to collect stats.\n", PV_TARGET_ATTACH,
     PV_RECORD_ERROR_NOT_PERMITTED, "another user"},
    {"event syntax error: 'sched:sched_switch'\n                     \\___ can't access trace "
     "events\n\nError:\tNo permissions to read /sys/kernel/tracing/events/sched/sched_switch\n",
     PV_TARGET_LAUNCH, PV_RECORD_ERROR_NOT_PERMITTED, "racepoints"},
    {"event syntax error: 'nosuch'\n                     \\___ parser error\nRun 'perf list' for a "
     "list of valid events\n",
     PV_TARGET_LAUNCH, PV_RECORD_ERROR_UNSUPPORTED, "nosuch"},
    {"Error:\nThe L1-dcache-prefetch-misses:u event is not supported.\n", PV_TARGET_LAUNCH,
     PV_RECORD_ERROR_UNSUPPORTED, "“L1-dcache-prefetch-misses:u”"},
    {"Error:\nThe sys_perf_event_open() syscall returned with 22 (Invalid argument) for event "
     "(cycles).\n/bin/dmesg | grep -i perf may provide additional information.\n",
     PV_TARGET_LAUNCH, PV_RECORD_ERROR_UNSUPPORTED, "event"},
    {"Error:\ncpu-clock:uhpppH: PMU Hardware or event type doesn't support branch stack "
     "sampling.\n",
     PV_TARGET_LAUNCH, PV_RECORD_ERROR_UNSUPPORTED, "LBR"},
    {"Permission error mapping pages.\nConsider increasing "
     "/proc/sys/kernel/perf_event_mlock_kb,\nor try again with a smaller value of "
     "-m/--mmap_pages.\n",
     PV_TARGET_LAUNCH, PV_RECORD_ERROR_NOT_PERMITTED, "perf_event_mlock_kb"},
    {"Couldn't create thread/CPU maps: No such process\n", PV_TARGET_ATTACH,
     PV_RECORD_ERROR_BAD_PLAN, "ended before"},
    {"Error:\nThe sys_perf_event_open() syscall returned with 3 (No such process) for event "
     "(cycles).\n",
     PV_TARGET_ATTACH, PV_RECORD_ERROR_BAD_PLAN, "ended before"},
    {"Error:\nToo many events are opened.\nProbably the maximum number of open file descriptors "
     "has been reached.\n",
     PV_TARGET_LAUNCH, PV_RECORD_ERROR_FAILED, "open files"},
    {"failed to write perf data, error: No space left on device\n", PV_TARGET_LAUNCH,
     PV_RECORD_ERROR_DISK_FULL, "no room"},
    {"failed to write perf data, error: Input/output error\n", PV_TARGET_LAUNCH,
     PV_RECORD_ERROR_FAILED, "could not be written"},
    {"WARNING: perf not found for kernel 6.8.0-31\n\n  You may need to install the following\n",
     PV_TARGET_LAUNCH, PV_RECORD_ERROR_NO_RECORDER, "does not match"},
    {"  Error: unknown option `control'\n\n Usage: perf record [<options>] [<command>]\n",
     PV_TARGET_LAUNCH, PV_RECORD_ERROR_NO_RECORDER, "too old"},
    {"Error:\nThe PMU counters are busy/taken by another profiler.\n", PV_TARGET_LAUNCH,
     PV_RECORD_ERROR_FAILED, "in use"},
    {"Events disabled\nthe flux capacitor is empty\n", PV_TARGET_LAUNCH, PV_RECORD_ERROR_FAILED,
     "It said: “the flux capacitor is empty”"},
    {"Error:\nflux \xff\x01\n", PV_TARGET_LAUNCH, PV_RECORD_ERROR_FAILED, "flux"},
    {"", PV_TARGET_LAUNCH, PV_RECORD_ERROR_FAILED, "without recording"},
};

static GError *
explain (const char *text, size_t piece, PvPerfEnd end)
{
    g_auto (PvPerfMessages) messages = {0};
    size_t size = strlen (text);
    for (size_t at = 0; at < size; at += piece)
        pv_perf_messages_add (&messages, text + at, MIN (piece, size - at));
    pv_perf_messages_end (&messages);
    return pv_perf_messages_explain (&messages, &end);
}

TEST (words)
{
    g_autoptr (PvRecordPlan) plan = pv_record_plan_new ();
    PvPerfEnd end = {.plan = plan, .wait_status = 255 << 8};
    for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
        plan->target = cases[i].target;
        for (size_t piece = 1; piece < 2000; piece = piece * 5 + 2) {
            g_autoptr (GError) error = explain (cases[i].text, piece, end);
            g_test_message ("%s", error->message);
            g_assert_error (error, PV_RECORD_ERROR, (int)cases[i].code);
            g_assert_nonnull (strstr (error->message, cases[i].part));
            g_assert_true (g_utf8_validate (error->message, -1, NULL));
        }
    }
}

TEST (ends)
{
    g_autoptr (PvRecordPlan) plan = pv_record_plan_new ();
    PvPerfEnd killed = {
        .plan = plan, .wait_status = SIGKILL, .was_ready = true, .has_samples = true};
    g_autoptr (GError) was_killed = explain ("Events enabled\n", 100, killed);
    g_assert_error (was_killed, PV_RECORD_ERROR, PV_RECORD_ERROR_RECORDER_ENDED);
    g_assert_nonnull (strstr (was_killed->message, "is kept"));
    killed.has_samples = false;
    g_autoptr (GError) was_killed_early = explain ("Events enabled\n", 100, killed);
    g_assert_nonnull (strstr (was_killed_early->message, "Nothing"));
    killed.pipe_code = ENOSPC;
    g_autoptr (GError) was_full = explain ("", 100, killed);
    g_assert_error (was_full, PV_RECORD_ERROR, PV_RECORD_ERROR_DISK_FULL);

    PvPerfEnd silent = {.plan = plan, .wait_status = SIGKILL, .has_timed_out = true};
    g_autoptr (GError) was_silent = explain ("", 100, silent);
    g_assert_error (was_silent, PV_RECORD_ERROR, PV_RECORD_ERROR_FAILED);
    g_assert_nonnull (strstr (was_silent->message, "does not answer"));

    PvPerfEnd early = {.plan = plan, .was_ready = true, .wait_status = 1 << 8};
    g_autoptr (GError) was_early = explain ("strange things\n", 100, early);
    g_assert_error (was_early, PV_RECORD_ERROR, PV_RECORD_ERROR_RECORDER_ENDED);
    g_assert_nonnull (strstr (was_early->message, "strange things"));
}

TEST (pkexec)
{
    static const char said[] = "Error executing command as another user: Request dismissed\n";
    g_autoptr (PvRecordPlan) plan = pv_record_plan_new ();
    plan->is_privileged = true;
    for (int code = 126; code <= 127; code++) {
        PvPerfEnd end = {.plan = plan, .is_privileged = true, .wait_status = code << 8};
        g_autoptr (GError) error = explain (said, 100, end);
        g_assert_error (error, PV_RECORD_ERROR, PV_RECORD_ERROR_DISMISSED);
        /* perf's own end is not pkexec's. */
        end.was_ready = true;
        g_autoptr (GError) other = explain ("", 100, end);
        g_assert_error (other, PV_RECORD_ERROR, PV_RECORD_ERROR_RECORDER_ENDED);
    }
    PvPerfEnd end = {.plan = plan, .is_privileged = true, .wait_status = 255 << 8};
    g_autoptr (GError) error = explain (cases[0].text, 100, end);
    g_assert_error (error, PV_RECORD_ERROR, PV_RECORD_ERROR_NOT_PERMITTED);
    g_assert_nonnull (strstr (error->message, "even with"));
}

TEST (good)
{
    static const char text[] =
        "Events disabled\nEvents enabled\n[ perf record: Woken up 3 times to write data ]\n"
        "Processed 4711 events and lost 3 chunks!\n\nCheck IO/CPU overload!\n\n"
        "[ perf record: Captured and wrote 0.112 MB x.data (1394 samples) ]\n";
    g_auto (PvPerfMessages) messages = {0};
    pv_perf_messages_add (&messages, text, strlen (text));
    pv_perf_messages_end (&messages);
    g_assert_true (messages.is_complete);
    g_assert_true (messages.has_lost);
    g_assert_cmpint (messages.problem, ==, PV_PERF_PROBLEM_NONE);
}

/* Whatever comes, it does not grow without end. */
TEST (flood)
{
    g_auto (PvPerfMessages) messages = {0};
    g_autofree char *block = g_malloc (1 << 16);
    for (int i = 0; i < 1 << 16; i++)
        block[i] = (char)(i % 251);
    memset (block, 'x', 1 << 14);
    for (int i = 0; i < 200; i++)
        pv_perf_messages_add (&messages, block, 1 << 16);
    pv_perf_messages_end (&messages);
    g_assert_cmpuint (messages.lines->len, <=, PV_PERF_MAX_LINES);
    for (unsigned i = 0; i < messages.lines->len; i++)
        g_assert_cmpuint (strlen (g_ptr_array_index (messages.lines, i)), <=, 4000);
}
