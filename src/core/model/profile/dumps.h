/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/model/profile/profile.h"

/*
 * What the samples of a series weigh by a measure that is about the state at a moment: the state
 * itself, its growth or its decrease within [start_ns, end_ns) since profile->start_ns. The state
 * is that of the last dump before end_ns; growth and decrease are against the last one that is not
 * after start_ns, or the first of all, and are found for each (stack, thread, label set). But of
 * sets that differ in the size of blocks only, the label "bytes", what one has more and another
 * less is neither growth nor decrease.
 *
 * One weight per sample of the measure's set, g_free () it: those that do not count are 0, and what
 * is found for several samples together is with the first of them. NULL for other measures and
 * other profiles, whose samples weigh what their column says. ret_total, if not NULL, gets the sum.
 * ret_first and ret_end, if not NULL, get the range of samples outside of which all are 0.
 */
uint64_t *pv_dumps_weigh (const PvProfile *profile, const PvMeasure *measure, uint64_t start_ns,
                          uint64_t end_ns, uint32_t *ret_first, uint32_t *ret_end,
                          uint64_t *ret_total);
