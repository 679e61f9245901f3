/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "core/base/name-source.h"

/*
 * Debug information about one address: its function and the calls inlined there. Filled in from
 * DWARF, Go's tables and jitdump.
 */
typedef struct {
    const char *linkage_name; /* mangled, or NULL */
    const char *name; /* qualified, without a linkage name; both NULL: only the line is known */
    const char *file; /* where it runs or calls the next inner frame; absolute or NULL */
    uint32_t line;    /* 0: the compiler gave none */
    const char *decl_file;
    uint32_t decl_line;
    PvNameSource source; /* of both names */
    bool is_inlined;     /* into the next frame */
} PvChainFrame;

/* Innermost frame first. The arena it was made in owns frames and strings. */
typedef struct {
    const PvChainFrame *frames;
    uint32_t n_frames; /* 0: the address is unknown */
} PvFrameChain;
