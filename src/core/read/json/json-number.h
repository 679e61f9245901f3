/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A number of JSON. True: it is a whole number that fits into ret_integer, else ret_real has it. */
bool pv_json_parse_number (const char *text, size_t size_bytes, int64_t *ret_integer,
                           double *ret_real);
