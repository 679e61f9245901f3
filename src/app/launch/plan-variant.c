/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/launch/plan-variant.h"

#include <string.h>

#include "record/plan/launches.h"

static void
add_strings (GVariantDict *dict, const char *key, char *const *strings)
{
    if (strings != NULL)
        g_variant_dict_insert_value (
            dict, key, g_variant_new_bytestring_array ((const char *const *)strings, -1));
}

static void
add_string (GVariantDict *dict, const char *key, const char *string)
{
    if (string != NULL)
        g_variant_dict_insert_value (dict, key, g_variant_new_bytestring (string));
}

GVariant *
pv_plan_to_variant (const PvRecordPlan *plan)
{
    GVariantDict dict;

    g_assert (plan != NULL);
    g_variant_dict_init (&dict, NULL);
    g_variant_dict_insert (&dict, "kind", "u", (guint32)plan->kind);
    g_variant_dict_insert (&dict, "target", "u", (guint32)plan->target);
    add_strings (&dict, "argv", plan->argv);
    add_string (&dict, "folder", plan->folder);
    add_strings (&dict, "environment", plan->environment);
    g_variant_dict_insert (&dict, "memory", "t", plan->max_memory_bytes);
    g_variant_dict_insert (&dict, "pid", "i", (gint32)plan->pid);
    g_variant_dict_insert (&dict, "call-graph", "u", (guint32)plan->call_graph);
    g_variant_dict_insert (&dict, "stack", "u", (guint32)plan->stack_bytes);
    g_variant_dict_insert (&dict, "frequency", "u", (guint32)plan->frequency_hz);
    g_variant_dict_insert (&dict, "buffer", "u", (guint32)plan->buffer_mib);
    add_strings (&dict, "events", plan->events);
    g_variant_dict_insert (&dict, "interval", "t", plan->dump_interval_bytes);
    g_variant_dict_insert (&dict, "privileged", "b", (gboolean)plan->is_privileged);
    g_variant_dict_insert (&dict, "leave", "b", (gboolean)plan->leaves_target);
    add_string (&dict, "output", plan->output);
    return g_variant_dict_end (&dict);
}

static char **
take_strings (GVariantDict *dict, const char *key)
{
    char **strings = NULL;
    return g_variant_dict_lookup (dict, key, "^aay", &strings) ? strings : NULL;
}

static char *
take_string (GVariantDict *dict, const char *key)
{
    char *string = NULL;
    return g_variant_dict_lookup (dict, key, "^ay", &string) ? string : NULL;
}

static gboolean
take_numbers (GVariantDict *dict, PvRecordPlan *plan)
{
    guint32 kind, target, call_graph, stack, frequency, buffer;
    guint64 memory, interval;
    gint32 pid;
    gboolean is_privileged, leaves_target;

    if (!g_variant_dict_lookup (dict, "kind", "u", &kind) || kind >= PV_N_RECORD_KINDS ||
        !g_variant_dict_lookup (dict, "target", "u", &target) || target > PV_TARGET_SYSTEM ||
        !g_variant_dict_lookup (dict, "call-graph", "u", &call_graph) ||
        call_graph >= PV_N_CALL_GRAPHS || !g_variant_dict_lookup (dict, "memory", "t", &memory) ||
        !g_variant_dict_lookup (dict, "pid", "i", &pid) ||
        !g_variant_dict_lookup (dict, "stack", "u", &stack) ||
        !g_variant_dict_lookup (dict, "frequency", "u", &frequency) ||
        !g_variant_dict_lookup (dict, "buffer", "u", &buffer) ||
        !g_variant_dict_lookup (dict, "interval", "t", &interval) ||
        !g_variant_dict_lookup (dict, "privileged", "b", &is_privileged) ||
        !g_variant_dict_lookup (dict, "leave", "b", &leaves_target))
        return FALSE;
    plan->kind = (PvRecordKind)kind;
    plan->target = (PvTargetKind)target;
    plan->call_graph = (PvCallGraph)call_graph;
    plan->max_memory_bytes = memory;
    plan->pid = pid;
    plan->stack_bytes = stack;
    plan->frequency_hz = frequency;
    plan->buffer_mib = buffer;
    plan->dump_interval_bytes = interval;
    plan->is_privileged = is_privileged;
    plan->leaves_target = leaves_target;
    return TRUE;
}

PvRecordPlan *
pv_plan_from_variant (GVariant *variant)
{
    g_autoptr (PvRecordPlan) plan = pv_record_plan_new ();

    g_assert (variant != NULL);
    if (!g_variant_is_of_type (variant, G_VARIANT_TYPE_VARDICT))
        return NULL;
    g_auto (GVariantDict) dict = G_VARIANT_DICT_INIT (variant);
    if (!take_numbers (&dict, plan))
        return NULL;
    plan->argv = take_strings (&dict, "argv");
    plan->folder = take_string (&dict, "folder");
    plan->environment = take_strings (&dict, "environment");
    plan->events = take_strings (&dict, "events");
    plan->output = take_string (&dict, "output");
    if (pv_record_plan_find_fault (plan) != NULL && !pv_record_plan_lacks_process (plan))
        return NULL;
    return g_steal_pointer (&plan);
}

/* Between two processes */

static void
resolve (char **path, const char *base)
{
    char *relative = *path;

    if (relative != NULL)
        *path = g_canonicalize_filename (relative, base);
    g_free (relative);
}

void
pv_plan_resolve_paths (PvRecordPlan *plan)
{
    g_autofree char *here = g_get_current_dir ();

    g_assert (plan != NULL);
    if (plan->folder == NULL)
        plan->folder = g_strdup (here);
    resolve (&plan->folder, here);
    resolve (&plan->output, here);
}

/* Variables of the terminal or of this one start, which mean nothing to the recorded program. */
static gboolean
is_transient (const char *name)
{
    static const char *const names[] = {"_",
                                        "SHLVL",
                                        "PWD",
                                        "OLDPWD",
                                        "WINDOWID",
                                        "TERM",
                                        "COLORTERM",
                                        "COLUMNS",
                                        "LINES",
                                        "DESKTOP_STARTUP_ID",
                                        "TERM_PROGRAM",
                                        "VTE_VERSION",
                                        "XDG_ACTIVATION_TOKEN",
                                        "GIO_LAUNCHED_DESKTOP_FILE",
                                        "GIO_LAUNCHED_DESKTOP_FILE_PID"};

    for (unsigned i = 0; i < G_N_ELEMENTS (names); i++)
        if (g_str_equal (names[i], name))
            return TRUE;
    return FALSE;
}

void
pv_plan_add_environment (PvRecordPlan *plan, const char *const *environment)
{
    GStrvBuilder *builder;

    g_assert (plan != NULL);
    if (plan->target != PV_TARGET_LAUNCH)
        return;
    builder = g_strv_builder_new ();
    for (unsigned i = 0; environment != NULL && environment[i] != NULL; i++) {
        const char *end = strchr (environment[i], '=');
        g_autofree char *name =
            end != NULL ? g_strndup (environment[i], (gsize)(end - environment[i])) : NULL;
        if (name != NULL && !is_transient (name) && g_strcmp0 (g_getenv (name), end + 1) != 0)
            g_strv_builder_add (builder, environment[i]);
    }
    if (plan->environment != NULL)
        g_strv_builder_addv (builder, (const char **)plan->environment);
    g_strfreev (plan->environment);
    plan->environment = g_strv_builder_end (builder);
    g_strv_builder_unref (builder);
    if (plan->environment[0] == NULL)
        g_clear_pointer (&plan->environment, g_strfreev);
}
