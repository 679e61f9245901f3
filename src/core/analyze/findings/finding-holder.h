/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/findings/finding-weights.h"

/* A thread that others waited for, and for which part of their waits. */
typedef struct {
    PvThreadId thread; /* 0: nobody is known */
    double share;      /* 0 to 1 */
} PvHolder;

/* Who was waited for most, in the waits of a measure whose stacks have the bit. A thread that woke
 * another one after it had to wait itself was not what both waited for: until it was woken, that
 * was the thread that woke it. */
PvHolder pv_finding_find_holder (const PvFindingContext *context, const PvFindingWeights *weights,
                                 const uint64_t *bits_of_stack, uint64_t bit);
