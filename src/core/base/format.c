/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/base/format.h"

#include <glib.h>
#include <glib/gi18n-lib.h>
#include <limits.h>
#include <locale.h>
#include <stdbool.h>
#include <string.h>

#include "core/base/intern.h"

/* The locale's style, in UTF-8. Set once, before there are threads. */
static struct {
    char point[16];
    char separator[16]; /* between groups of digits; "": none */
    char grouping[8];   /* as in localeconv () */
} style = {".", ",", "\3"};

/* Converts the locale's text to UTF-8; false if it is too long or cannot be converted. */
static bool
convert (const char *text, char *ret_text, size_t size)
{
    g_autofree char *utf8 = g_locale_to_utf8 (text, -1, NULL, NULL, NULL);
    if (utf8 == NULL || strlen (utf8) >= size)
        return false;
    strcpy (ret_text, utf8);
    return true;
}

void
pv_format_use_locale (void)
{
    const struct lconv *locale = localeconv ();
    char point[sizeof style.point], separator[sizeof style.separator];
    if (!convert (locale->decimal_point, point, sizeof point) || *point == '\0' ||
        !convert (locale->thousands_sep, separator, sizeof separator))
        return;
    /* The C locale does not group digits; long numbers are easier to read if we do. */
    if (*separator == '\0' && strcmp (point, ".") == 0)
        return;
    strcpy (style.point, point);
    strcpy (style.separator, separator);
    g_strlcpy (style.grouping, locale->grouping, sizeof style.grouping);
}

static bool has_decimal_sizes;

void
pv_format_set_decimal_sizes (bool is_decimal)
{
    has_decimal_sizes = is_decimal;
}

double
pv_format_get_size_factor (void)
{
    return has_decimal_sizes ? 1000 : 1024;
}

char *
pv_format_count (uint64_t count)
{
    /* From the end: digits, and a separator before each complete group. */
    char text[24 * (sizeof style.separator + 1)];
    char *p = text + sizeof text;
    size_t separator_len = strlen (style.separator);
    const char *group = style.grouping;
    int n_in_group = 0;
    *--p = '\0';
    do {
        if (*group > 0 && *group != CHAR_MAX && n_in_group == *group) {
            p -= separator_len;
            memcpy (p, style.separator, separator_len);
            n_in_group = 0;
            /* The last size in the list applies to all further groups. */
            if (group[1] != '\0')
                group++;
        }
        *--p = (char)('0' + count % 10);
        count /= 10;
        n_in_group++;
    } while (count > 0);
    return g_strdup (p);
}

/* Replaces the decimal point of a number in C's format by the locale's. */
static char *
localize (const char *number)
{
    const char *point = strchr (number, '.');
    return point == NULL ? g_strdup (number)
                         : g_strdup_printf ("%.*s%s%s", (int)(point - number), number, style.point,
                                            point + 1);
}

char *
pv_format_decimals (double number, int n_decimals)
{
    g_assert (n_decimals >= 0 && n_decimals <= 9);

    char format[8], text[400]; /* DBL_MAX has 309 digits */
    g_snprintf (format, sizeof format, "%%.%df", n_decimals);
    return localize (g_ascii_formatd (text, sizeof text, format, number));
}

char *
pv_format_digits (double number, int max_digits)
{
    g_assert (max_digits > 0 && max_digits <= 17);

    char format[8], text[40];
    g_snprintf (format, sizeof format, "%%.%dg", max_digits);
    return localize (g_ascii_formatd (text, sizeof text, format, number));
}

typedef struct {
    double size;
    const char *name;
} Scale;

static const Scale binary_sizes[] = {{0x1p60, "EiB"}, {0x1p50, "PiB"}, {0x1p40, "TiB"},
                                     {0x1p30, "GiB"}, {0x1p20, "MiB"}, {0x1p10, "KiB"}};
static const Scale decimal_sizes[] = {{1e18, "EB"}, {1e15, "PB"}, {1e12, "TB"},
                                      {1e9, "GB"},  {1e6, "MB"},  {1e3, "kB"}};

const char *
pv_format_name_size (unsigned power)
{
    const Scale *sizes = has_decimal_sizes ? decimal_sizes : binary_sizes;
    g_assert (power < PV_N_SIZE_UNITS);
    return power > 0 ? sizes[PV_N_SIZE_UNITS - 1 - power].name : "B";
}

/* As many decimals as leave three significant digits after rounding. */
static int
count_decimals (double scaled)
{
    return scaled < 9.995 ? 2 : scaled < 99.95 ? 1 : 0;
}

static char *
scale_amount (uint64_t amount, const Scale *scales, size_t n_scales, const char *base)
{
    for (size_t i = 0; i < n_scales; i++) {
        double scaled = (double)amount / scales[i].size;
        bool is_next = i + 1 < n_scales;
        /* An amount that rounding would make "1024 KiB" is "1.00 MiB". */
        double least = is_next ? 1 - 0.5 * scales[i + 1].size / scales[i].size : 1;
        if (scaled < least)
            continue;
        g_autofree char *number = scaled < 9999.5
                                      ? pv_format_decimals (scaled, count_decimals (scaled))
                                      : pv_format_count ((uint64_t)(scaled + 0.5));
        return g_strdup_printf ("%s %s", number, scales[i].name);
    }
    return g_strdup_printf ("%" G_GUINT64_FORMAT " %s", amount, base);
}

char *
pv_format_short_count (uint64_t count)
{
    static const Scale scales[] = {{1e18, "E"}, {1e15, "P"}, {1e12, "T"},
                                   {1e9, "G"},  {1e6, "M"},  {1e3, "k"}};
    return count < 1000 ? pv_format_count (count)
                        : scale_amount (count, scales, G_N_ELEMENTS (scales), "");
}

char *
pv_format_amount (uint64_t amount, PvUnit unit)
{
    g_assert (unit <= PV_UNIT_BYTE_MS);
    static const Scale times[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "µs"}};
    static const Scale binary_held[] = {{0x1p40 * 1000, "TiB·s"},
                                        {0x1p30 * 1000, "GiB·s"},
                                        {0x1p20 * 1000, "MiB·s"},
                                        {0x1p10 * 1000, "KiB·s"},
                                        {1000, "B·s"}};
    static const Scale decimal_held[] = {
        {1e15, "TB·s"}, {1e12, "GB·s"}, {1e9, "MB·s"}, {1e6, "kB·s"}, {1000, "B·s"}};
    const Scale *sizes = has_decimal_sizes ? decimal_sizes : binary_sizes;
    const Scale *held = has_decimal_sizes ? decimal_held : binary_held;
    switch (unit) {
    case PV_UNIT_NS:
        return scale_amount (amount, times, G_N_ELEMENTS (times), "ns");
    case PV_UNIT_BYTES:
        return scale_amount (amount, sizes, G_N_ELEMENTS (binary_sizes), "B");
    case PV_UNIT_BYTE_MS:
        return scale_amount (amount, held, G_N_ELEMENTS (binary_held), "B·ms");
    case PV_UNIT_COUNT:
        break;
    }
    return pv_format_count (amount);
}

char *
pv_format_signed_amount (int64_t amount, PvUnit unit)
{
    g_autofree char *size =
        pv_format_amount (amount < 0 ? -(uint64_t)amount : (uint64_t)amount, unit);
    return g_strconcat (amount < 0 ? "−" : amount > 0 ? "+" : "", size, NULL);
}

char *
pv_fill_in (const char *form, const char *text)
{
    g_assert (form != NULL && text != NULL);
    /* Translators may number places. */
    const char *place = strstr (form, "%s"), *numbered = strstr (form, "%1$s");
    if (place != NULL)
        return g_strdup_printf ("%.*s%s%s", (int)(place - form), form, text, place + 2);
    return numbered != NULL
               ? g_strdup_printf ("%.*s%s%s", (int)(numbered - form), form, text, numbered + 4)
               : g_strdup (form);
}

char *
pv_format_percent (double part, double whole)
{
    g_autofree char *number = pv_format_decimals (whole > 0 ? 100 * part / whole : 0, 1);
    /* Translators: a percentage, with the space before its sign that the language wants */
    return g_strdup_printf (_ ("%s %%"), number);
}

static void
add_after (GString *line, const char *separator, char *text)
{
    g_assert (line != NULL && text != NULL);
    if (line->len > 0)
        g_string_append (line, separator);
    g_string_append (line, text);
    g_free (text);
}

void
pv_format_add_fact (GString *line, char *fact)
{
    /* Translators: between facts of a line, such as “3.2 s, 530 samples” */
    add_after (line, C_ ("separator", ", "), fact);
}

void
pv_format_add_remark (GString *line, char *remark)
{
    /* Translators: between parts of a line that have commas themselves */
    add_after (line, C_ ("separator", "; "), remark);
}

char *
pv_format_cut (const char *text, size_t max_bytes)
{
    g_assert (text != NULL);
    if (strlen (text) <= max_bytes)
        return g_strdup (text);
    const char *end = g_utf8_find_prev_char (text, text + max_bytes + 1);
    return g_strdup_printf ("%.*s…", end != NULL ? (int)(end - text) : 0, text);
}

char *
pv_format_path (const char *path)
{
    g_assert (path != NULL);
    return pv_make_showable (path, strlen (path));
}

char *
pv_format_folder (const char *path)
{
    const char *home = g_get_home_dir ();
    size_t length = strlen (home);
    if (length <= 1 || strncmp (path, home, length) != 0 ||
        (path[length] != '/' && path[length] != '\0'))
        return g_filename_display_name (path);
    g_autofree char *inside = g_filename_display_name (path + length);
    return g_strconcat ("~", inside, NULL);
}
