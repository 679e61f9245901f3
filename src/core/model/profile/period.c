/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/model/profile/period.h"

#include <glib.h>
#include <string.h>

/* Largest first; of equal ones, the first is written. */
static const struct {
    PvUnit unit;
    uint64_t factor;
    const char *name;
} scales[] = {
    {PV_UNIT_NS, 1000000000, "s"},
    {PV_UNIT_NS, 1000000, "ms"},
    {PV_UNIT_NS, 1000, "µs"},
    {PV_UNIT_NS, 1000, "us"},
    {PV_UNIT_NS, 1, "ns"},
    {PV_UNIT_BYTES, UINT64_C (1) << 30, "GiB"},
    {PV_UNIT_BYTES, UINT64_C (1) << 20, "MiB"},
    {PV_UNIT_BYTES, UINT64_C (1) << 10, "KiB"},
    {PV_UNIT_BYTES, 1, "B"},
    {PV_UNIT_BYTES, 1, "bytes"},
};

char *
pv_period_format (const char *type, uint64_t amount, PvUnit unit, const char *unit_name)
{
    g_assert (type != NULL && unit_name != NULL);
    for (size_t i = 0; i < G_N_ELEMENTS (scales); i++) {
        if (scales[i].unit == unit && amount % scales[i].factor == 0) {
            amount /= scales[i].factor;
            unit_name = scales[i].name;
            break;
        }
    }
    return g_strdup_printf ("%s%s%" G_GUINT64_FORMAT "%s%s", type, *type != '\0' ? " " : "", amount,
                            *unit_name != '\0' ? " " : "", unit_name);
}

/* The start of the word that ends there. */
static const char *
find_word (const char *text, const char *end)
{
    while (end > text && end[-1] != ' ')
        end--;
    return end;
}

bool
pv_period_parse (const char *text, PvPeriod *ret_period)
{
    g_assert (ret_period != NULL);
    if (text == NULL)
        return false;
    const char *unit_name = find_word (text, text + strlen (text));
    if (unit_name == text)
        return false;
    const char *number = find_word (text, unit_name - 1);
    char *end;
    const uint64_t amount = g_ascii_strtoull (number, &end, 10);
    if (!g_ascii_isdigit (*number) || end + 1 != unit_name)
        return false;
    *ret_period = (PvPeriod){.type = text,
                             .type_length = number > text ? (size_t)(number - text) - 1 : 0,
                             .amount = amount,
                             .unit = PV_UNIT_COUNT,
                             .unit_name = unit_name};
    for (size_t i = 0; i < G_N_ELEMENTS (scales); i++)
        if (strcmp (unit_name, scales[i].name) == 0) {
            ret_period->unit = scales[i].unit;
            return !__builtin_mul_overflow (amount, scales[i].factor, &ret_period->amount);
        }
    return true;
}
