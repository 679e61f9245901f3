/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * drop_frames and keep_frames of google/pprof's profile.proto. They have RE2 syntax; PCRE2 gives
 * these expressions the same meaning, except for the syntax that only RE2 has.
 */
#include "core/model/profile/drop-frames.h"

#include <string.h>

#include "core/model/profile/matcher.h"

char *
pv_drop_frames_make_expression (const PvProfile *profile, GError **error)
{
    g_assert (profile != NULL);
    const char *drop = profile->drop_frames, *keep = profile->keep_frames;
    /* An expression that is invalid alone may be valid within brackets: "a)(b". */
    if (drop == NULL || !pv_matcher_check (drop, error) ||
        (keep != NULL && !pv_matcher_check (keep, error)))
        return NULL;
    g_autofree char *expression = keep != NULL ? g_strdup_printf ("^(?!(?:%s)$)(?:%s)$", keep, drop)
                                               : g_strdup_printf ("^(?:%s)$", drop);
    return pv_matcher_check (expression, error) ? g_steal_pointer (&expression) : NULL;
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
