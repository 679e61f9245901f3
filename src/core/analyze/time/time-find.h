/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/time/time-index.h"

/*
 * The sample of a row that is nearest to a time since profile->start_ns: an index in the set of the
 * index's measure, whose stack and time are there. Of intervals, one that contains the time, the
 * one that started last; else the end of the one that started last before it counts, or the start
 * of the next one. The earlier one of two that are equally near. False if the row has none. Fast
 * enough for the main loop; any thread.
 */
bool pv_time_index_find_nearest (const PvTimeIndex *index, uint32_t row, uint64_t time_ns,
                                 uint32_t *ret_sample);
