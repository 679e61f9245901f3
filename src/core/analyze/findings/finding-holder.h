/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/findings/finding-weights.h"

/* A thread that others waited for. */
typedef struct {
    PvThreadId thread; /* 0: nobody is known */
    double share;      /* of their waits, 0 to 1 */
} PvHolder;

/* Finds the thread that was waited for most, in the waits of a measure whose stacks have the bit. A
 * thread that woke another one after it had to wait itself is not to blame for the time until it
 * was woken: the thread that woke it is. */
PvHolder pv_finding_find_holder (const PvFindingContext *context, const PvFindingWeights *weights,
                                 const uint64_t *bits_of_stack, uint64_t bit);
