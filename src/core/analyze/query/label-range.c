/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/query/label-range.h"

#include <glib.h>
#include <string.h>

typedef enum { KIND_NONE, KIND_SIZE, KIND_TIME, KIND_POWER } UnitKind;

typedef struct {
    const char *name;
    UnitKind kind;
    long double factor; /* bytes or nanoseconds; the power of 1000 */
    long double factor_of_size;
} Unit;

/* Units that users write after a number. */
static const Unit suffixes[] = {
    {"", KIND_NONE, 1, 1},
    {"k", KIND_POWER, 1e3L, 0x1p10L},
    {"K", KIND_POWER, 1e3L, 0x1p10L},
    {"M", KIND_POWER, 1e6L, 0x1p20L},
    {"G", KIND_POWER, 1e9L, 0x1p30L},
    {"T", KIND_POWER, 1e12L, 0x1p40L},
    {"B", KIND_SIZE, 1, 1},
    {"KiB", KIND_SIZE, 0x1p10L, 0x1p10L},
    {"MiB", KIND_SIZE, 0x1p20L, 0x1p20L},
    {"GiB", KIND_SIZE, 0x1p30L, 0x1p30L},
    {"TiB", KIND_SIZE, 0x1p40L, 0x1p40L},
    {"ns", KIND_TIME, 1, 1},
    {"us", KIND_TIME, 1e3L, 1},
    {"µs", KIND_TIME, 1e3L, 1},
    {"ms", KIND_TIME, 1e6L, 1},
    {"s", KIND_TIME, 1e9L, 1},
    {"min", KIND_TIME, 60e9L, 1},
    {"h", KIND_TIME, 3600e9L, 1},
};

/* Units that recorders write, without regard to case. Ambiguous ones mean powers of 1024. */
static const Unit label_units[] = {
    {"bytes", KIND_SIZE, 1, 1},
    {"byte", KIND_SIZE, 1, 1},
    {"b", KIND_SIZE, 1, 1},
    {"kilobytes", KIND_SIZE, 0x1p10L, 0x1p10L},
    {"kb", KIND_SIZE, 0x1p10L, 0x1p10L},
    {"kib", KIND_SIZE, 0x1p10L, 0x1p10L},
    {"megabytes", KIND_SIZE, 0x1p20L, 0x1p20L},
    {"mb", KIND_SIZE, 0x1p20L, 0x1p20L},
    {"mib", KIND_SIZE, 0x1p20L, 0x1p20L},
    {"gigabytes", KIND_SIZE, 0x1p30L, 0x1p30L},
    {"gb", KIND_SIZE, 0x1p30L, 0x1p30L},
    {"gib", KIND_SIZE, 0x1p30L, 0x1p30L},
    {"nanoseconds", KIND_TIME, 1, 1},
    {"ns", KIND_TIME, 1, 1},
    {"microseconds", KIND_TIME, 1e3L, 1},
    {"us", KIND_TIME, 1e3L, 1},
    {"milliseconds", KIND_TIME, 1e6L, 1},
    {"ms", KIND_TIME, 1e6L, 1},
    {"seconds", KIND_TIME, 1e9L, 1},
    {"s", KIND_TIME, 1e9L, 1},
    {"minutes", KIND_TIME, 60e9L, 1},
    {"hours", KIND_TIME, 3600e9L, 1},
};

static const Unit *
find_suffix (const char *name)
{
    for (unsigned i = 0; i < G_N_ELEMENTS (suffixes); i++) {
        if (strcmp (suffixes[i].name, name) == 0)
            return &suffixes[i];
    }
    return NULL;
}

/* Unknown and missing units are neither sizes nor times. */
static Unit
find_label_unit (const PvLabel *label)
{
    for (unsigned i = 0; label->unit != NULL && i < G_N_ELEMENTS (label_units); i++) {
        if (g_ascii_strcasecmp (label_units[i].name, label->unit) == 0)
            return label_units[i];
    }
    return (Unit){"", KIND_NONE, 1, 1};
}

/* Reads digits with a sign and a fraction; NULL without digits. No exponents: "1e3" is more likely
 * a text. */
static const char *
read_number (const char *text, long double *ret_value)
{
    bool is_negative = *text == '-';
    long double value = 0, place = 1;
    const char *at = text + is_negative;
    if (!g_ascii_isdigit (*at))
        return NULL;
    while (g_ascii_isdigit (*at))
        value = value * 10 + (*at++ - '0');
    if (at[0] == '.' && g_ascii_isdigit (at[1])) {
        for (at++; g_ascii_isdigit (*at); at++)
            value += (*at - '0') * (place /= 10);
    }
    *ret_value = is_negative ? -value : value;
    return at;
}

/* Empty text leaves the bound out. */
static bool
parse_bound (PvLabelBound *ret_bound, const char *text)
{
    *ret_bound = (PvLabelBound){.unit = ""};
    if (*text == '\0')
        return true;
    const char *suffix = read_number (text, &ret_bound->value);
    const Unit *unit = suffix != NULL ? find_suffix (suffix) : NULL;
    if (unit == NULL)
        return false;
    ret_bound->unit = unit->name;
    ret_bound->is_set = true;
    return true;
}

bool
pv_label_range_parse (PvLabelRange *ret_range, const char *text)
{
    g_assert (ret_range != NULL && text != NULL);
    const char *dots = strstr (text, "..");
    if (dots == NULL)
        return false;
    g_autofree char *low = g_strndup (text, (gsize)(dots - text));
    return parse_bound (&ret_range->low, low) && parse_bound (&ret_range->high, dots + 2) &&
           (ret_range->low.is_set || ret_range->high.is_set);
}

/* Converts the bound and the number to the same unit; false if their units do not fit. */
static bool
make_comparable (const PvLabelBound *bound, const PvLabel *label, long double *ret_bound,
                 long double *ret_number)
{
    const Unit *suffix = find_suffix (bound->unit);
    Unit own = find_label_unit (label);
    *ret_bound = bound->value;
    *ret_number = label->number;
    if (suffix->kind == KIND_NONE)
        return true;
    if (suffix->kind == KIND_POWER) {
        *ret_bound *= own.kind == KIND_SIZE ? suffix->factor_of_size : suffix->factor;
        *ret_number *= own.kind == KIND_SIZE ? own.factor : 1;
        return own.kind != KIND_TIME;
    }
    *ret_bound *= suffix->factor;
    *ret_number *= own.factor;
    return own.kind == suffix->kind;
}

bool
pv_label_range_has (const PvLabelRange *range, const PvLabel *label)
{
    g_assert (range != NULL && label != NULL);
    long double bound, number;
    if (label->text != NULL)
        return false;
    if (range->low.is_set &&
        (!make_comparable (&range->low, label, &bound, &number) || number < bound))
        return false;
    return !range->high.is_set ||
           (make_comparable (&range->high, label, &bound, &number) && number <= bound);
}
