/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/read/json/json-number.h"

#include <glib.h>
#include <math.h>

/* As many digits always fit into 64 bits, and powers of ten up to that are exact in both kinds. */
enum { MAX_DIGITS = 19 };

static const double powers[MAX_DIGITS + 1] = {
    1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,
    1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
};

static double
parse_slowly (const char *text, size_t size_bytes)
{
    g_autofree char *copy = g_strndup (text, size_bytes);
    double value = g_ascii_strtod (copy, NULL);
    return isfinite (value) ? value : copysign (G_MAXDOUBLE, value);
}

double
pv_json_put_point (uint64_t digits, size_t n)
{
    g_assert (digits <= PV_JSON_MAX_EXACT && n <= PV_JSON_FEW_DIGITS);
    return (double)digits / powers[n];
}

/* Digits with a point before the last n of them. A quotient is rounded once, to the nearest; to a
 * double, too, but for one that is halfway between two, which it may be by the first rounding. */
static bool
divide (uint64_t digits, size_t n, double *ret)
{
    if (digits <= PV_JSON_MAX_EXACT) {
        *ret = (double)digits / powers[n];
        return true;
    }
    long double quotient = (long double)digits / powers[n];
    *ret = (double)quotient;
    long double beyond = *ret + 2 * (quotient - *ret);
    return beyond == *ret || (double)beyond != beyond;
}

static const char *
read_digits (const char *at, const char *end, uint64_t *digits)
{
    for (; at < end && *at >= '0' && *at <= '9'; at++)
        *digits = *digits * 10 + (uint64_t)(*at - '0');
    return at;
}

bool
pv_json_parse_number (const char *text, size_t size_bytes, int64_t *ret_integer, double *ret_real)
{
    g_assert (text != NULL && ret_integer != NULL && ret_real != NULL);
    const char *end = text + size_bytes;
    bool is_negative = size_bytes > 0 && *text == '-';
    const char *first = text + is_negative;
    uint64_t digits = 0;
    const char *point = read_digits (first, end, &digits), *at = point;
    bool has_point = at < end && *at == '.';
    if (has_point)
        at = read_digits (point + 1, end, &digits);
    size_t n_digits = (size_t)(at - first) - has_point;
    if (at < end || n_digits > MAX_DIGITS || (!has_point && digits > INT64_MAX)) {
        *ret_real = parse_slowly (text, size_bytes);
        return false;
    }
    if (!has_point) {
        *ret_integer = is_negative ? -(int64_t)digits : (int64_t)digits;
        return true;
    }
    if (!divide (digits, (size_t)(at - point - 1), ret_real))
        *ret_real = parse_slowly (text, size_bytes);
    else if (is_negative)
        *ret_real = -*ret_real;
    return false;
}
