/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/launch/plan-variant.h"

#include <string.h>

#include "record/plan/launches.h"

#define PLAN "plan"

GVariant *
pv_plan_to_variant (const PvRecordPlan *plan)
{
    g_autofree char *text = pv_record_plan_to_text (plan);
    GVariantDict dict;

    g_variant_dict_init (&dict, NULL);
    g_variant_dict_insert (&dict, PLAN, "s", text);
    return g_variant_dict_end (&dict);
}

PvRecordPlan *
pv_plan_from_variant (GVariant *variant)
{
    g_autoptr (PvRecordPlan) plan = NULL;
    const char *text;

    g_assert (variant != NULL);
    if (!g_variant_is_of_type (variant, G_VARIANT_TYPE_VARDICT) ||
        !g_variant_lookup (variant, PLAN, "&s", &text))
        return NULL;
    plan = pv_record_plan_from_text (text);
    if (plan == NULL ||
        (pv_record_plan_find_fault (plan) != NULL && !pv_record_plan_lacks_process (plan)))
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
