/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The settings' schema: its enums are those of the code, its defaults those of the forms. */
#include <adwaita.h>

#include "../cases.h"
#include "app/work/settings.h"
#include "core/analyze/graph/graph.h"
#include "record/plan/plan.h"
#include "render/flame/flame-graph.h"

static int
get_value (const char *key, const char *nick)
{
    GSettings *settings = pv_settings_get ();

    g_assert_true (g_settings_set_string (settings, key, nick));
    int value = g_settings_get_enum (settings, key);
    g_settings_reset (settings, key);
    return value;
}

TEST (record_enums)
{
    for (int i = 0; i < PV_N_CALL_GRAPHS; i++)
        g_assert_cmpint (get_value ("record-call-graph", pv_call_graph_get_id ((PvCallGraph)i)), ==,
                         i);
    g_assert_cmpint (get_value ("record-target", "launch"), ==, PV_TARGET_LAUNCH);
    g_assert_cmpint (get_value ("record-target", "attach"), ==, PV_TARGET_ATTACH);
    g_assert_cmpint (get_value ("record-target", "system"), ==, PV_TARGET_SYSTEM);
}

TEST (color_enums)
{
    g_assert_cmpint (get_value ("color-scheme", "default"), ==, ADW_COLOR_SCHEME_DEFAULT);
    g_assert_cmpint (get_value ("color-scheme", "force-light"), ==, ADW_COLOR_SCHEME_FORCE_LIGHT);
    g_assert_cmpint (get_value ("color-scheme", "force-dark"), ==, ADW_COLOR_SCHEME_FORCE_DARK);
    g_assert_cmpint (get_value ("flame-colors", "module"), ==, PV_COLOR_BY_MODULE);
    g_assert_cmpint (get_value ("flame-colors", "kind"), ==, PV_COLOR_BY_KIND);
    g_assert_cmpint (get_value ("flame-colors", "name"), ==, PV_COLOR_BY_HASH);
    g_assert_cmpint (get_value ("flame-colors", "package"), ==, PV_COLOR_BY_PACKAGE);
}

TEST (defaults)
{
    GSettings *settings = pv_settings_get ();
    g_autoptr (PvRecordPlan) plan = pv_record_plan_new ();
    g_autofree char *kind = g_settings_get_string (settings, "record-kind");
    PvRecordKind known;

    g_assert_true (pv_record_kind_find (kind, &known));
    g_assert_cmpint (known, ==, plan->kind);
    g_assert_cmpint (g_settings_get_enum (settings, "record-target"), ==, plan->target);
    g_assert_cmpint (g_settings_get_enum (settings, "record-call-graph"), ==, plan->call_graph);
    g_assert_cmpint (g_settings_get_int (settings, "record-stack-bytes"), ==,
                     PV_RECORD_DEFAULT_STACK_BYTES);
    g_assert_cmpint (g_settings_get_int (settings, "record-frequency"), ==,
                     PV_RECORD_DEFAULT_FREQUENCY_HZ);
    g_assert_cmpint (g_settings_get_int (settings, "graph-functions"), ==, PV_GRAPH_N_NODES);
    g_assert_cmpfloat (g_settings_get_double (settings, "graph-function-percent") / 100, ==,
                       PV_GRAPH_NODE_FRACTION);
    g_assert_cmpfloat (g_settings_get_double (settings, "graph-call-percent") / 100, ==,
                       PV_GRAPH_EDGE_FRACTION);
}

TESTS_MAIN (argc, argv)
{
    g_setenv ("GSETTINGS_BACKEND", "memory", TRUE);
    pv_test_init (argc, argv);
    return g_test_run ();
}
