/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/tables/stack-quality.h"
#include "core/analyze/time/time-bins.h"

/*
 * How complete the stacks of a set were at each time, whatever a query keeps: where a recording is
 * bad. Sums over all bins are those of pv_stack_quality_measure (), but for samples without a time.
 * Immutable, any thread; a byte for each stack, and few for many samples. Holds the profile.
 */
typedef struct PvQualityIndex PvQualityIndex;

/* Of the sets of profiles for which pv_time_index_can_build (). NULL when cancelled. */
PvQualityIndex *pv_quality_index_build (const PvProfile *profile, const PvSymbolTable *symbols,
                                        uint32_t set, PvJob *job);
void pv_quality_index_free (PvQualityIndex *index);

/* Whether all stacks are complete: then there is nothing to show. */
bool pv_quality_index_is_complete (const PvQualityIndex *index);

/* Samples of each class of each bin of the view, at bin * PV_N_STACK_CLASSES + class; a sample is
 * in the bin in which it starts. Takes time for bins, not for samples. Free with g_free (). */
uint32_t *pv_quality_index_count (const PvQualityIndex *index, const PvTimeView *view);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvQualityIndex, pv_quality_index_free)
