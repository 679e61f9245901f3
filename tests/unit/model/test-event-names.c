/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "../cases.h"
#include "../made.h"
#include "core/model/profile/event-names.h"

#include "core/model/build/builder.h"

static PvProfile *
make_profile (const char *const *names)
{
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    for (uint32_t i = 0; names[i] != NULL; i++)
        made_set (builder, names[i], false, PV_UNIT_COUNT);
    return pv_profile_builder_snapshot (builder);
}

TEST (titles)
{
    static const char *const names[] = {"cpu-clock:ppp",      "cpu_core/instructions/P",
                                        "sched:sched_switch", "raw 0x1c2",
                                        "cycles-of-mine",     NULL};
    g_autoptr (PvProfile) profile = make_profile (names);
    g_assert_cmpstr (pv_measure_get_event_title (profile, 0), ==, "CPU time");
    g_assert_nonnull (pv_measure_get_event_meaning (profile, 0));
    g_assert_cmpstr (pv_measure_get_event_title (profile, 1), ==, "Instructions");
    for (PvMeasureId m = 2; m < 5; m++) {
        g_assert_cmpstr (pv_measure_get_event_title (profile, m), ==, names[m]);
        g_assert_null (pv_measure_get_event_meaning (profile, m));
    }
    g_assert_cmpuint (pv_profile_find_measure_or_title (profile, "cpu time"), ==, 0);
    g_assert_cmpuint (pv_profile_find_measure_or_title (profile, "raw 0x1c2"), ==, 3);
    g_assert_cmpuint (pv_profile_find_measure_or_title (profile, "cycles"), ==, UINT32_MAX);
}

/* Two events that would have the same title keep their names. */
TEST (same_titles)
{
    static const char *const names[] = {"cycles:u", "cycles:k", "page-faults", NULL};
    g_autoptr (PvProfile) profile = make_profile (names);
    g_assert_cmpstr (pv_measure_get_event_title (profile, 0), ==, "cycles:u");
    g_assert_cmpstr (pv_measure_get_event_title (profile, 1), ==, "cycles:k");
    g_assert_cmpstr (pv_measure_get_event_title (profile, 2), ==, "Page faults");
    g_assert_cmpuint (pv_profile_find_measure_or_title (profile, "CPU cycles"), ==, UINT32_MAX);
}

/* Each measure has a page of the help; tests/install/check-help.py looks whether that is there. */
TEST (pages_of_help)
{
    static const char *const names[] = {"cycles:u", "blocked", "weight", "a-count", NULL};
    g_autoptr (PvProfile) profile = make_profile (names);
    g_assert_cmpstr (pv_measure_get_help (profile, 0), ==, "measure-cpu");
    g_assert_cmpstr (pv_measure_get_help (profile, 1), ==, "measure-waits#blocked");
    g_assert_cmpstr (pv_measure_get_help (profile, 2), ==, "measure-memory");
    g_assert_cmpstr (pv_measure_get_help (profile, 3), ==, "measure-self");
    for (PvHeapMeasure heap = PV_HEAP_NONE + 1; heap < PV_N_HEAP_MEASURES; heap++) {
        ((PvMeasure *)profile->measures)[3].heap = heap;
        g_assert_true (g_str_has_prefix (pv_measure_get_help (profile, 3), "measure-heap#"));
    }
}
