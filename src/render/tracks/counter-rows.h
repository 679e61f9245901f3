/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "render/tracks/tracks.h"

/*
 * The section of counters below the rows of tracks, with which it scrolls: a heading, and below it
 * a row for each counter, a line with what is below it filled.
 */
#define PV_COUNTER_NONE UINT32_MAX

/* Those of which something is in view: [*ret_first, *ret_end). */
void pv_counter_rows_get_visible (const PvTracks *tracks, const PvTracksView *view,
                                  uint32_t *ret_first, uint32_t *ret_end);
/* The counter of a row; PV_COUNTER_NONE: none is there. */
uint32_t pv_counter_rows_find (const PvTracks *tracks, const PvTracksView *view, double y);
/* Adds what the counters [first, end) are over the time of the bins, which nobody else may have a
 * reference of. */
void pv_counter_rows_fill (PvTrackBins *bins, uint32_t first, uint32_t end);
/* "malloc · Web Content"; g_free () it. */
char *pv_counter_rows_name (const PvTracks *tracks, uint32_t counter);
