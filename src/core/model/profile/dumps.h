/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/model/profile/profile.h"

/* Finds the dumps that a range (nanoseconds since profile->start_ns) starts and ends with: for each
 * end the last dump up to it. The profile must have dumps. */
void pv_dumps_find (const PvProfile *profile, uint64_t start_ns, uint64_t end_ns,
                    uint32_t *ret_first, uint32_t *ret_last);

/* The measure for another aspect of the same quantity: its state, growth or decrease. UINT32_MAX:
 * not found. */
PvMeasureId pv_dumps_find_measure (const PvProfile *profile, PvMeasureId measure,
                                   PvAggregation aspect);

/*
 * Weighs the samples of a series by a state measure: the state itself, or its growth, its decrease,
 * or the sum of both within [start_ns, end_ns) since profile->start_ns. The state is that of the
 * last dump before end_ns, or of the main dump if the range is [0, UINT64_MAX). Growth and decrease
 * are relative to the last dump up to start_ns, or else the first dump, and are computed for each
 * (stack, thread, label set). Increases and decreases of label sets that differ only in the block
 * size, the label "bytes", cancel out.
 *
 * Returns one weight per sample of the measure's set, to g_free ()): 0 for samples that do not
 * count; the weight of several samples combined is at the first of them. Returns NULL for other
 * measures and profiles, whose weights are in their column. ret_total, if not NULL, gets the sum.
 * ret_first and ret_end, if not NULL, get a range of samples; all weights outside it are 0.
 */
uint64_t *pv_dumps_weigh (const PvProfile *profile, const PvMeasure *measure, uint64_t start_ns,
                          uint64_t end_ns, uint32_t *ret_first, uint32_t *ret_end,
                          uint64_t *ret_total);
