/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "render/tracks/tracks.h"

/*
 * The section of other events above the rows of tracks: a heading, which folds it, and below it a
 * thin row for each event, as high as it was frequent at each time.
 */
#define PV_EVENT_NONE UINT32_MAX

bool pv_event_rows_is_heading (const PvTracks *tracks, const PvTracksView *view, double y);
/* The event of a row; PV_EVENT_NONE: none is there. */
uint32_t pv_event_rows_find (const PvTracks *tracks, const PvTracksView *view, double y);
/* Samples of an event around a time, in the bins that are drawn there; false: not known. */
bool pv_event_rows_get_count (const PvTrackBins *bins, uint32_t event, uint64_t time_ns,
                              uint32_t *ret_count);
