/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "core/base/array.h"

/*
 * Addresses of one file's code in two runs, which had it at different places: all of them are moved
 * by the same number of bytes, the slide, which is a multiple of the page size.
 */

/* Sorted by pv_addresses_sort (), without duplicates. */
typedef PV_ARRAY (uint64_t) PvAddresses;

void pv_addresses_sort (PvAddresses *addresses);

/* How little may do: of one or two addresses, their place in the page. */
typedef enum {
    PV_SLIDE_SURE,   /* several must meet */
    PV_SLIDE_LIKELY, /* few may do, where there are no more */
} PvSlideCare;

/* Finds what has to be subtracted from the addresses of one run so that they are those of the other
 * one that are known. False where too few meet, or several slides fit: they may be of different
 * files. Takes time for a part of the addresses only where there are many. */
bool pv_slide_find (const PvAddresses *known, const PvAddresses *moved, PvSlideCare care,
                    uint64_t *ret_slide);
