/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * drop_frames and keep_frames of google/pprof's profile.proto. They have RE2 syntax; GRegex gives
 * these expressions the same meaning, except for the syntax that only RE2 has.
 */
#include "core/model/profile/drop-frames.h"

#include <string.h>

/* An expression that is invalid alone may be valid within brackets: "a)(b". */
static bool
check_expression (const char *expression, GError **error)
{
    g_autoptr (GRegex) regex = g_regex_new (expression, 0, 0, error);
    return regex != NULL;
}

char *
pv_drop_frames_make_expression (const PvProfile *profile, GError **error)
{
    g_assert (profile != NULL);
    const char *drop = profile->drop_frames, *keep = profile->keep_frames;
    if (drop == NULL || !check_expression (drop, error) ||
        (keep != NULL && !check_expression (keep, error)))
        return NULL;
    g_autofree char *expression = keep != NULL ? g_strdup_printf ("^(?!(?:%s)$)(?:%s)$", keep, drop)
                                               : g_strdup_printf ("^(?:%s)$", drop);
    return check_expression (expression, error) ? g_steal_pointer (&expression) : NULL;
}

char *
pv_drop_frames_simplify (const char *name)
{
    g_assert (name != NULL);
    static const char *const reserved[] = {"(anonymous namespace)", "operator()"};
    name += *name == '.';
    const char *end = name;
    while (*end != '\0') {
        size_t skipped = *end == '(' ? 0 : 1;
        for (size_t i = 0; i < G_N_ELEMENTS (reserved); i++) {
            if (g_str_has_prefix (end, reserved[i]))
                skipped = strlen (reserved[i]);
        }
        if (skipped == 0)
            break;
        end += skipped;
    }
    return g_strndup (name, (size_t)(end - name));
}
