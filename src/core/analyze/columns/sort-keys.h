/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * Sort keys of the rows of a table. Blocking; any thread.
 */
typedef struct {
    const char *text; /* borrowed; NULL comes last */
    uint64_t amount;
    uint32_t line; /* of a place in the file that is the text */
    uint32_t key;  /* of the row: decides between equal values, upwards in either direction */
} PvSortKey;

/* An amount in the order of the values; NAN comes before all. */
uint64_t pv_sort_key_order_value (double value);

void pv_sort_keys (PvSortKey *keys, uint32_t n, bool is_descending);

/* The main loop sorts at most this many rows; more take some milliseconds. */
#define PV_SORT_MAX_AT_ONCE 4000
