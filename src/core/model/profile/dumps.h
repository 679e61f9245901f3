/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/model/profile/profile.h"

/* The dumps that a range, in nanoseconds since profile->start_ns, begins and ends with: for each
 * end the last dump that is not later. The profile has dumps. */
void pv_dumps_find (const PvProfile *profile, uint64_t start_ns, uint64_t end_ns,
                    uint32_t *ret_first, uint32_t *ret_last);

/* The measure that counts the same as this one in another aspect: the state itself, its growth or
 * its decrease. UINT32_MAX: there is none. */
PvMeasureId pv_dumps_find_measure (const PvProfile *profile, PvMeasureId measure,
                                   PvAggregation aspect);

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
