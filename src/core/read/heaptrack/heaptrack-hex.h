/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdint.h>

#define HEAPTRACK_MAX_HEX_DIGITS 16

/* The value plus 1; 0 if the byte is not a digit. */
static const uint8_t heaptrack_value_of_digit[256] = {
    ['0'] = 1, ['1'] = 2,  ['2'] = 3,  ['3'] = 4,  ['4'] = 5,  ['5'] = 6,  ['6'] = 7,  ['7'] = 8,
    ['8'] = 9, ['9'] = 10, ['a'] = 11, ['b'] = 12, ['c'] = 13, ['d'] = 14, ['e'] = 15, ['f'] = 16,
};

/* Parses a lower-case hexadecimal number and returns its end; text if it has no digits or more than
 * 16. The text must end with a byte that is not a digit. */
static inline __attribute__ ((always_inline)) const char *
heaptrack_parse_hex (const char *text, uint64_t *ret_value)
{
    const char *at = text;
    uint64_t value = 0;
    for (unsigned digit; (digit = heaptrack_value_of_digit[(uint8_t)*at]) != 0; at++)
        value = (value << 4) + digit - 1;
    *ret_value = value;
    return G_LIKELY (at - text <= HEAPTRACK_MAX_HEX_DIGITS) ? at : text;
}
