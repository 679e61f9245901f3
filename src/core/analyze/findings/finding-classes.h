/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/findings/finding-rule.h"

/* At most so many rules about classes of functions: each is a bit. */
enum { PV_MAX_CLASSES = 64 };

/* The classes of each function of the symbol table, a bit for each of the rules, by their place.
 * Each function is looked at once for all of them. g_free () it; NULL when cancelled. */
uint64_t *pv_finding_classify (const PvFindingContext *context, const PvFindingRule *const *rules,
                               unsigned n_rules);

/* For tests: the classes of a name alone. */
uint64_t pv_finding_classify_name (const char *name, bool is_kernel,
                                   const PvFindingRule *const *rules, unsigned n_rules);
