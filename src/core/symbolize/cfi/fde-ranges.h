/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "core/elf/elf-image.h"

/* The link addresses [start, end) of one function; both 0: unknown. */
typedef struct {
    uint64_t start;
    uint64_t end;
} PvFdeRange;

/* Finds in .eh_frame the functions that cover n link addresses, which are sorted and unique. Any
 * thread; the file is untrusted. */
void pv_fde_ranges_find (PvElfImage *binary, const uint64_t *link_addrs, size_t n,
                         PvFdeRange *ret_ranges);
