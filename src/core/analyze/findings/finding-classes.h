/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/findings/finding-rule.h"

/* At most so many rules about classes of functions: each is a bit. */
enum { PV_MAX_CLASSES = 64 };

/* Rules that a function is of, a bit for each, by their place. */
typedef struct {
    uint64_t classes;
    uint64_t leaves; /* stacks that end in the function count for these rules */
} PvFunctionBits;

/* The bits of each function of the symbol table. Each function is looked at once for all of the
 * rules. g_free () it; NULL when cancelled. */
PvFunctionBits *pv_finding_classify (const PvFindingContext *context,
                                     const PvFindingRule *const *rules, unsigned n_rules);
