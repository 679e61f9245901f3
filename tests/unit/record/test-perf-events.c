/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib/gstdio.h>
#include <stdbool.h>

#include "core/base/error.h"

#include "../cases.h"
#include "record/plan/perf-event-text.h"
#include "record/process/programs.h"

static const char text[] =
    "\nList of pre-defined events (to be used in -e or -M):\n"
    "\n"
    "  branch-instructions OR branches                    [Hardware event]\n"
    "  cpu-cycles OR cycles OR cpu/cpu-cycles/            [Hardware event]\n"
    "  L1-dcache-loads OR cpu/L1-dcache-loads/\n"
    "  duration_time                                      [Tool event]\n"
    "\n"
    "cache:\n"
    "  l1d.replacement                                   \n"
    "       [Counts the number of cache lines replaced in L1\n"
    "        data cache. Unit: cpu]\n"
    "  longest_lat_cache.miss\n"
    "       [Core-originated requests [that missed]]\n"
    "\n"
    "  rNNN                                               [Raw hardware event descriptor]\n"
    "  cpu/t1=v1[,t2=v2,t3 ...]/modifier                  [Raw hardware event descriptor]\n"
    "       [(see 'man perf-list' on how to encode it)]\n"
    "  mem:<addr>[/len][:access]                          [Hardware breakpoint]\n"
    "  sdt_libc:lll_lock_wait                             [SDT event]\n"
    "  sched:sched_switch                                 [Tracepoint event]\n"
    "\n"
    "Metric Groups:\n"
    "\n"
    "Backend:\n"
    "  tma_core_bound\n"
    "       [This metric represents a fraction]\n";

static void
assert_event (const GPtrArray *events, unsigned i, const char *name, const char *group,
              const char *description)
{
    g_assert_cmpuint (i, <, events->len);
    const PvEvent *event = g_ptr_array_index (events, i);
    g_assert_cmpstr (event->name, ==, name);
    g_assert_cmpstr (event->group, ==, group);
    g_assert_cmpstr (event->description, ==, description);
}

TEST (parse)
{
    g_autoptr (GPtrArray) events = pv_perf_events_parse (text);
    g_assert_cmpuint (events->len, ==, 6);
    assert_event (events, 0, "branch-instructions", "Hardware event", NULL);
    assert_event (events, 1, "cycles", "Hardware event", NULL);
    assert_event (events, 2, "L1-dcache-loads", "", NULL);
    assert_event (events, 3, "l1d.replacement", "cache",
                  "Counts the number of cache lines replaced in L1 data cache. Unit: cpu");
    assert_event (events, 4, "longest_lat_cache.miss", "cache",
                  "Core-originated requests [that missed]");
    assert_event (events, 5, "sched:sched_switch", "Tracepoint event", NULL);
}

TEST (damaged)
{
    g_autoptr (GRand) random = g_rand_new_with_seed (5);
    for (unsigned round = 0; round < 2000; round++) {
        g_autofree char *damaged = g_strdup (text);
        for (unsigned i = 0; i < 10; i++)
            damaged[g_rand_int_range (random, 0, sizeof text - 1)] =
                " \n[]:,OR"[g_rand_int_range (random, 0, 8)];
        damaged[g_rand_int_range (random, 0, sizeof text - 1)] = '\0';
        g_autoptr (GPtrArray) events = pv_perf_events_parse (damaged);
        for (unsigned i = 0; i < events->len; i++)
            g_assert_cmpstr (((const PvEvent *)g_ptr_array_index (events, i))->name, !=, "");
    }
}

/* The stand-in for perf has a list too. */
TEST (ask)
{
    g_autofree char *folder =
        g_build_filename (g_getenv ("PV_SOURCE"), "tests", "record", "standin", NULL);
    g_autofree char *before = g_strdup (g_getenv ("PATH"));
    g_autofree char *path = g_strconcat (folder, ":", before, NULL);
    g_setenv ("PATH", path, true);
    g_autoptr (GPtrArray) events = assert_ok (error, pv_events_list (NULL, &error));
    assert_event (events, 1, "cycles", "Hardware event", NULL);
    g_assert_cmpuint (events->len, ==, 8);

    g_autoptr (PvJob) job = pv_job_new ();
    pv_job_cancel (job);
    assert_error (error, pv_events_list (job, &error), PV_JOB_ERROR, PV_JOB_ERROR_CANCELLED);

    g_setenv ("PATH", "/nonexistent", true);
    g_autoptr (GError) error = NULL;
    g_assert_null (pv_events_list (NULL, &error));
    g_assert_nonnull (error);
    g_setenv ("PATH", before, true);
}

/* Listed events count, however perf ends, and an empty list does not. */
TEST (status)
{
    static const char *const scripts[] = {
        "#!/bin/sh\nprintf '  cycles  [Hardware event]\\n'\nexit 3\n",
        "#!/bin/sh\necho 'no perf for this kernel' >&2\nexit 2\n",
    };
    g_autofree char *folder = g_dir_make_tmp ("pv-events-XXXXXX", NULL);
    g_autofree char *perf = g_build_filename (folder, "perf", NULL);
    g_autofree char *before = g_strdup (g_getenv ("PATH"));
    g_setenv ("PATH", folder, true);
    for (size_t i = 0; i < G_N_ELEMENTS (scripts); i++) {
        g_autoptr (GError) error = NULL;
        g_assert_true (g_file_set_contents_full (perf, scripts[i], -1, 0, 0700, NULL));
        g_autoptr (GPtrArray) events = pv_events_list (NULL, &error);
        if (i == 0)
            assert_event (events, 0, "cycles", "Hardware event", NULL);
        g_assert_true ((events == NULL) == (i == 1));
        g_assert_true ((error == NULL) == (i == 0));
    }
    g_setenv ("PATH", before, true);
    g_remove (perf);
    g_rmdir (folder);
}
