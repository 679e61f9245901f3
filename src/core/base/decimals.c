/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/base/decimals.h"

#include <glib.h>
#include <stdbool.h>
#include <string.h>

#include "core/base/format.h"

/* "," of "0,5". */
static char *
find_point (void)
{
    g_autofree char *half = pv_format_decimals (0.5, 1);
    const size_t length = strlen (half);
    g_assert (length > 2);
    return g_strndup (half + 1, length - 2);
}

char *
pv_decimals_localize (const char *number)
{
    g_assert (number != NULL);
    const char *dot = strchr (number, '.');
    g_autofree char *point = find_point ();
    return dot == NULL ? g_strdup (number)
                       : g_strdup_printf ("%.*s%s%s", (int)(dot - number), number, point, dot + 1);
}

char *
pv_decimals_read (const char *text)
{
    g_assert (text != NULL);
    g_autofree char *point = find_point ();
    const size_t length = strlen (point);
    GString *plain = g_string_new (NULL);
    for (const char *p = text; *p != '\0';) {
        const bool is_point =
            g_str_has_prefix (p, point) &&
            (g_ascii_isdigit (p[length]) || (p > text && g_ascii_isdigit (p[-1])));
        g_string_append_c (plain, is_point ? '.' : *p);
        p += is_point ? length : 1;
    }
    return g_string_free (plain, FALSE);
}
