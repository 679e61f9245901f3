/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "core/model/heap/heap.h"

/* Frequent lines become operations, which are converted to events in place. */

typedef enum {
    HEAPTRACK_OP_ALLOC, /* value: pointer, or number of an allocation info; size, site */
    HEAPTRACK_OP_FREE,  /* value: as above */
    HEAPTRACK_OP_TIME,  /* value: ms */
    HEAPTRACK_OP_RSS,   /* value: bytes */
    HEAPTRACK_OP_ATTACHED,
    HEAPTRACK_OP_LARGE, /* value: size of the allocation that follows */
} HeaptrackOpKind;

typedef struct {
    uint64_t value;
    uint32_t size;
    uint32_t site : 29;
    uint32_t kind : 3;
} HeaptrackOp;

#define HEAPTRACK_MAX_TRACES ((1u << 29) - 1)
#define HEAPTRACK_BATCH_OPS  16384u

/* Operations, later replaced by events in place. */
typedef struct {
    size_t len;
    union {
        HeaptrackOp ops[HEAPTRACK_BATCH_OPS];
        PvHeapEvent events[HEAPTRACK_BATCH_OPS];
    };
} HeaptrackBatch;

G_STATIC_ASSERT (sizeof (HeaptrackOp) == sizeof (PvHeapEvent));
