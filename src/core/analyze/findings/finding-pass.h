/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/findings/finding-classes.h"
#include "core/analyze/findings/finding-rule.h"

/* Adds the findings of all rules about classes of functions that are of this scope: one pass over
 * the stacks and two over the samples of the measure, whatever their number. The bits are those of
 * pv_finding_classify () for these rules, of which there are PV_MAX_CLASSES at most. False when
 * cancelled. */
bool pv_finding_pass_run (const PvFindingContext *context, PvRuleScope scope, PvMeasureId measure,
                          const PvFindingRule *const *rules, unsigned n_rules,
                          const PvFunctionBits *bits, PvFindingList *list);
