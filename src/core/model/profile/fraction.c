/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/model/profile/fraction.h"

#include <math.h>
#include <string.h>

#define MAX_NAME_BYTES 32
#define MAX_AMOUNT     ((uint64_t)INT64_MAX / 4)

/* The decimal point is that of the language in which the file was read. */
static bool
parse_unit (const char *name, double *ret_unit)
{
    char digits[MAX_NAME_BYTES + 1] = "", *end;
    size_t n = 0;
    if (strlen (name) > MAX_NAME_BYTES || (*name != '0' && *name != '1'))
        return false;
    for (const char *at = name; *at != '\0'; at++) {
        bool is_digit = g_ascii_isdigit (*at) || strchr ("e+-", *at) != NULL;
        if (is_digit)
            digits[n++] = *at;
        else if (n > 0 && digits[n - 1] != '.')
            digits[n++] = '.';
    }
    *ret_unit = g_ascii_strtod (digits, &end);
    return *end == '\0';
}

uint64_t
pv_fraction_get_ones (const PvMeasure *measure)
{
    g_assert (measure != NULL);
    double unit;
    if (measure->unit != PV_UNIT_COUNT || measure->unit_name == NULL ||
        !parse_unit (measure->unit_name, &unit) || !(unit >= 1e-9) || unit >= 1)
        return 1;
    double ones = pow (10, round (-log10 (unit)));
    return fabs (ones * unit - 1) < 1e-6 ? (uint64_t)ones : 1;
}

uint64_t
pv_fraction_refine (uint64_t amount, uint64_t times)
{
    uint64_t product;
    return __builtin_mul_overflow (amount, times, &product)
               ? MAX_AMOUNT
               : MIN (product, MAX (amount, MAX_AMOUNT));
}
