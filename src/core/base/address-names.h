/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Names of functions at run-time addresses, which are sorted. Inlined functions come after the one
 * that they are in: "outer--inlined--innermost". */
typedef struct {
    const uint64_t *addrs;
    char *const *names; /* NULL: unknown */
    size_t n;
    const char *warning; /* why some are missing, a line; NULL: nothing went wrong */
} PvAddressNames;
