/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "core/base/array.h"

/* Stable sort of records by an integer key: insertion sort for a few, merge sort for more, radix
 * sort for many. A record is any structure of this size that begins with its key. */
typedef struct {
    uint64_t key;
    uint64_t data[2];
} PvKeyed;

typedef PV_ARRAY (PvKeyed) PvKeyedArray;

/* All keys fit in n_bits bits. Grows scratch as needed. */
void pv_key_sort (PvKeyed *records, size_t n, unsigned n_bits, PvKeyedArray *scratch);

/* Bits needed for values up to and including max. */
static inline unsigned
pv_bits_for (uint64_t max)
{
    return max == 0 ? 0 : 64 - (unsigned)__builtin_clzll (max);
}
