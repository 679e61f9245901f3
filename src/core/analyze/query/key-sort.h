/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "core/base/array.h"

/* Stable sorting of records by an integer key: insertion for a few, byte-wise distribution for
 * many. The record is any structure of this size that begins with its key. */
typedef struct {
    uint64_t key;
    uint64_t data[2];
} PvKeyed;

typedef PV_ARRAY (PvKeyed) PvKeyedArray;

/* Only the lowest n_bits bits of keys are set in any record. scratch is grown as needed. */
void pv_key_sort (PvKeyed *records, size_t n, unsigned n_bits, PvKeyedArray *scratch);

/* Bits needed to write values up to and including max. */
static inline unsigned
pv_bits_for (uint64_t max)
{
    return max == 0 ? 0 : 64 - (unsigned)__builtin_clzll (max);
}
