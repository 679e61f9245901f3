/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/tables/stack-quality.h"
#include "core/analyze/time/time-bins.h"

/* Counts of each bin: samples of each PvStackClass, then lost events. */
enum { PV_QUALITY_LOST = PV_N_STACK_CLASSES, PV_N_QUALITIES };

/*
 * How complete the stacks of a set were at each time, and what was lost, whatever a query keeps:
 * where a recording is bad. Sums over all bins are those of pv_stack_quality_measure (), but for
 * samples without a time, and profile->n_lost.
 * Immutable, any thread; a byte for each stack, and few for many samples. Holds the profile.
 */
typedef struct PvQualityIndex PvQualityIndex;

/* Indexes a set, which must be of a measure for which pv_time_index_can_build () holds. NULL when
 * cancelled. */
PvQualityIndex *pv_quality_index_build (const PvProfile *profile, const PvSymbolTable *symbols,
                                        uint32_t set, PvJob *job);
void pv_quality_index_free (PvQualityIndex *index);

/* True if no stack is known to be truncated or broken, nor unknown in a recording of perf, and
 * nothing was lost: there is nothing to show. */
bool pv_quality_index_is_fine (const PvQualityIndex *index);

/* PV_N_QUALITIES counts for each bin of the view; a sample is in the bin in which it starts. Takes
 * time for bins, not for samples. Free with g_free (). */
uint64_t *pv_quality_index_count (const PvQualityIndex *index, const PvTimeView *view);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvQualityIndex, pv_quality_index_free)
