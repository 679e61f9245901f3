/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "render/draw/amount.h"

#include <glib.h>

char *
pv_render_format_count (uint64_t count)
{
    char digits[24];
    int n = g_snprintf (digits, sizeof digits, "%" G_GUINT64_FORMAT, count);
    GString *text = g_string_new (NULL);
    for (int i = 0; i < n; i++) {
        if (i > 0 && (n - i) % 3 == 0)
            g_string_append_c (text, ',');
        g_string_append_c (text, digits[i]);
    }
    return g_string_free (text, FALSE);
}

static char *
format_bytes (double number, const char *per)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    size_t i = 0;
    for (; number >= 1024 && i + 1 < G_N_ELEMENTS (units); i++)
        number /= 1024;
    return i == 0 ? g_strdup_printf ("%.0f B%s", number, per)
                  : g_strdup_printf ("%.2f %s%s", number, units[i], per);
}

char *
pv_render_format_amount (uint64_t amount, PvUnit unit)
{
    double number = (double)amount;
    switch (unit) {
    case PV_UNIT_BYTES:
        return format_bytes (number, "");
    case PV_UNIT_BYTE_MS:
        return format_bytes (number / 1000, "·s");
    case PV_UNIT_NS:
        if (number >= 1e9)
            return g_strdup_printf ("%.3f s", number / 1e9);
        return number >= 1e6 ? g_strdup_printf ("%.3f ms", number / 1e6)
                             : g_strdup_printf ("%.3f µs", number / 1e3);
    case PV_UNIT_COUNT:
        break;
    }
    return pv_render_format_count (amount);
}
