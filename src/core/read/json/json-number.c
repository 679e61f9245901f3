/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/read/json/json-number.h"

#include <glib.h>
#include <math.h>

/* As many digits always fit into 64 bits, and powers of ten up to that are exact in a long double.
 */
enum { MAX_DIGITS = 19 };

static const long double powers[MAX_DIGITS + 1] = {
    1e0L,  1e1L,  1e2L,  1e3L,  1e4L,  1e5L,  1e6L,  1e7L,  1e8L,  1e9L,
    1e10L, 1e11L, 1e12L, 1e13L, 1e14L, 1e15L, 1e16L, 1e17L, 1e18L, 1e19L,
};

static double
parse_slowly (const char *text, size_t size_bytes)
{
    g_autofree char *copy = g_strndup (text, size_bytes);
    double value = g_ascii_strtod (copy, NULL);
    return isfinite (value) ? value : copysign (G_MAXDOUBLE, value);
}

bool
pv_json_parse_number (const char *text, size_t size_bytes, int64_t *ret_integer, double *ret_real)
{
    g_assert (text != NULL && ret_integer != NULL && ret_real != NULL);
    const char *at = text, *end = text + size_bytes;
    bool is_negative = at < end && *at == '-';
    uint64_t digits = 0;
    at += is_negative;
    const char *first = at, *point = NULL;
    for (; at < end; at++) {
        if (*at == '.' && point == NULL)
            point = at;
        else if (*at >= '0' && *at <= '9')
            digits = digits * 10 + (uint64_t)(*at - '0');
        else
            break;
    }
    size_t n_digits = (size_t)(at - first) - (point != NULL);
    if (at < end || n_digits > MAX_DIGITS || (point == NULL && digits > INT64_MAX)) {
        *ret_real = parse_slowly (text, size_bytes);
        return false;
    }
    if (point == NULL) {
        *ret_integer = is_negative ? -(int64_t)digits : (int64_t)digits;
        return true;
    }
    double value = (double)((long double)digits / powers[at - point - 1]);
    *ret_real = is_negative ? -value : value;
    return false;
}
