/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/array.h"

enum {
    PPROF_MAX_WINDOWS = 16, /* in the pipeline */
    PPROF_N_WINDOWS = 6,    /* if each has memory of its own */
};

/* A sample that was taken but not added yet: the lengths of its parts of the window's arrays. */
typedef struct {
    uint32_t n_frames, n_values, n_label_bytes;
} PprofTaken;

/* A run of complete messages, and the samples taken from them. */
typedef struct {
    const uint8_t *bytes; /* in own, or in the feed's whole */
    size_t len;
    uint8_t *own;
    size_t own_cap;
    PV_ARRAY (PprofTaken) samples;
    PV_ARRAY (uint32_t) frames; /* numbers of locations, leaf first */
    PV_ARRAY (int64_t) values;
    PV_ARRAY (uint8_t) labels;
    uint64_t added_bytes; /* memory of all samples after the last use of this window */
    uint64_t id_bytes;    /* the same for location numbers */
    bool is_skipped;      /* the file is full or concatenated */
} PprofWindow;
