/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/query/time-range.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "core/base/format.h"

typedef struct {
    const char *suffix;
    uint64_t ns;
} Unit;

/* Units with a name, longer ones first, so that "ms" is not read as "s". */
static const Unit units[] = {
    {"ns", 1}, {"us", 1000}, {"µs", 1000}, {"ms", 1000000}, {"s", 1000000000}};

/* A part of the text without the spaces around it. */
typedef struct {
    const char *first;
    const char *end;
} Part;

static Part
trim (const char *first, const char *end)
{
    while (first < end && g_ascii_isspace (*first))
        first++;
    while (end > first && g_ascii_isspace (end[-1]))
        end--;
    return (Part){first, end};
}

static bool
fail (PvTimeRangeFault *ret_fault, const char *text, Part part, const char *message)
{
    if (ret_fault != NULL)
        *ret_fault =
            (PvTimeRangeFault){(size_t)(part.first - text), (size_t)(part.end - text), message};
    return false;
}

/* The unit at the end of a part, or NULL; *ret_number gets the text before it. */
static const Unit *
find_unit (Part part, Part *ret_number)
{
    *ret_number = part;
    for (size_t i = 0; i < G_N_ELEMENTS (units); i++) {
        size_t length = strlen (units[i].suffix);
        if ((size_t)(part.end - part.first) < length ||
            memcmp (part.end - length, units[i].suffix, length) != 0)
            continue;
        *ret_number = trim (part.first, part.end - length);
        return &units[i];
    }
    return NULL;
}

/* Parses a part that is not empty. */
static bool
parse_time (Part part, uint64_t default_ns, uint64_t *ret_ns)
{
    Part number;
    const Unit *unit = find_unit (part, &number);
    g_autofree char *text = g_strndup (number.first, (gsize)(number.end - number.first));
    char *end = NULL;
    double value = g_ascii_strtod (text, &end);
    if (*text == '\0' || *end != '\0' || !isfinite (value) || value < 0 || *text == '-' ||
        *text == '+')
        return false;
    double ns = value * (double)(unit != NULL ? unit->ns : default_ns);
    *ret_ns = ns < 1.8e19 ? (uint64_t)(ns + 0.5) : UINT64_MAX;
    return true;
}

/* Dots, else a dash that is not the sign of an exponent. NULL: neither. */
static const char *
find_separator (const char *text, size_t *ret_length)
{
    const char *dots = strstr (text, ".."), *dash = strstr (text, "–");
    *ret_length = dots != NULL ? 2 : strlen ("–");
    if (dots != NULL || dash != NULL)
        return dots != NULL ? dots : dash;
    *ret_length = 1;
    for (const char *at = strchr (text, '-'); at != NULL; at = strchr (at + 1, '-'))
        if (at < text + 2 || (at[-1] != 'e' && at[-1] != 'E') || !g_ascii_isdigit (at[-2]))
            return at;
    return NULL;
}

bool
pv_time_range_parse (const char *text, uint64_t *ret_start_ns, uint64_t *ret_end_ns,
                     PvTimeRangeFault *ret_fault)
{
    g_assert (text != NULL && ret_start_ns != NULL && ret_end_ns != NULL);
    size_t length;
    const char *separator = find_separator (text, &length), *text_end = text + strlen (text);
    uint64_t start_ns = 0, end_ns = UINT64_MAX, default_ns = 1000000000;
    Part number;
    if (separator == NULL)
        return fail (ret_fault, text, trim (text, text_end), _ ("not a range such as 20ms..300ms"));
    Part from = trim (text, separator), to = trim (separator + length, text_end);
    const Unit *shared = find_unit (to, &number);
    if (*separator != '.' && shared != NULL)
        default_ns = shared->ns;
    if (from.first < from.end && !parse_time (from, default_ns, &start_ns))
        return fail (ret_fault, text, from, _ ("not a time such as 1.5s or 20ms"));
    if (to.first < to.end && !parse_time (to, 1000000000, &end_ns))
        return fail (ret_fault, text, to, _ ("not a time such as 1.5s or 20ms"));
    if (start_ns > end_ns)
        return fail (ret_fault, text, to, _ ("before the start of the range"));
    *ret_start_ns = start_ns;
    *ret_end_ns = end_ns;
    return true;
}

/* In the largest unit that is not larger, with the decimals that it takes. */
static void
append_time (GString *text, uint64_t ns)
{
    static const struct {
        const char *name;
        uint64_t ns;
        int digits;
    } steps[] = {{"s", 1000000000, 9}, {"ms", 1000000, 6}, {"us", 1000, 3}, {"ns", 1, 0}};
    size_t i = 0;
    while (steps[i].ns > MAX (ns, 1))
        i++;
    g_string_append_printf (text, "%" G_GUINT64_FORMAT, ns / steps[i].ns);
    if (ns % steps[i].ns > 0) {
        g_string_append_printf (text, ".%0*" G_GUINT64_FORMAT, steps[i].digits, ns % steps[i].ns);
        while (text->str[text->len - 1] == '0')
            g_string_truncate (text, text->len - 1);
    }
    g_string_append (text, steps[i].name);
}

char *
pv_time_range_format (uint64_t start_ns, uint64_t end_ns)
{
    GString *text = g_string_new (NULL);
    if (start_ns > 0)
        append_time (text, start_ns);
    g_string_append (text, "..");
    if (end_ns < UINT64_MAX)
        append_time (text, end_ns);
    return g_string_free (text, FALSE);
}

/* For people */

/* Longer times are shown in minutes and seconds. */
#define MINUTES_FROM_NS (120 * (uint64_t)1000000000)

/* Without the unit, which unit_ns determines, so that both ends of a range have the same. */
static char *
format_number (uint64_t time_ns, uint64_t unit_ns)
{
    if (unit_ns >= MINUTES_FROM_NS)
        return g_strdup_printf ("%u:%02u", (unsigned)(time_ns / 1000000000 / 60),
                                (unsigned)(time_ns / 1000000000 % 60));
    if (unit_ns < 1000000000)
        return g_strdup_printf ("%u", (unsigned)(time_ns / 1000000));
    return pv_format_decimals ((double)time_ns / 1e9, 2);
}

static const char *
get_unit (uint64_t unit_ns)
{
    return unit_ns >= MINUTES_FROM_NS ? C_ ("unit", "min")
           : unit_ns < 1000000000     ? C_ ("unit", "ms")
                                      : C_ ("unit", "s");
}

char *
pv_format_time_range (uint64_t start_ns, uint64_t end_ns, uint64_t duration_ns)
{
    uint64_t unit_ns = MIN (end_ns, MAX (duration_ns, start_ns));
    g_autofree char *start = format_number (start_ns, unit_ns);
    g_autofree char *end = format_number (unit_ns, unit_ns);
    if (start_ns == 0)
        /* Translators: a range of time from the start on; number and unit. */
        return g_strdup_printf (_ ("until %s %s"), end, get_unit (unit_ns));
    /* Translators: a range of time, from, to, unit. */
    return g_strdup_printf (_ ("%s–%s %s"), start, end, get_unit (unit_ns));
}

char *
pv_format_moment (uint64_t time_ns)
{
    g_autofree char *number = format_number (time_ns, time_ns);
    return g_strdup_printf ("%s %s", number, get_unit (time_ns));
}
