/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Digits up to that are exact in a double. */
#define PV_JSON_MAX_EXACT ((uint64_t)1 << 53)

/* So many digits always fit into 63 bits. */
enum { PV_JSON_FEW_DIGITS = 18 };

/* The nearest to digits, up to PV_JSON_MAX_EXACT, with a point before the last n of them, which are
 * PV_JSON_FEW_DIGITS or fewer. */
double pv_json_put_point (uint64_t digits, size_t n);
/* A number of JSON. True: it is a whole number that fits into ret_integer, else ret_real has it. */
bool pv_json_parse_number (const char *text, size_t size_bytes, int64_t *ret_integer,
                           double *ret_real);
