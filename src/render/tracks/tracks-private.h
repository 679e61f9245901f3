/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "render/draw/glyphs.h"
#include "render/draw/palette.h"
#include "render/tracks/tracks.h"

/* The private part of PvTracksPainter, for drawing and export only. */
struct PvTracksPainter {
    PvGlyphFont *font;
    PvPalette palette;
    bool is_vector;             /* paths and exact glyph positions instead of pixels */
    cairo_surface_t *images[2]; /* of the last drawings, latest first */
};

/* Sets palette and font for a view; pv_tracks_draw () does it too. */
void pv_tracks_painter_prepare (PvTracksPainter *painter, const PvTracksView *view);

/* Draws over the background, which the caller has painted. If is_vector, and on what is no image,
 * columns are as wide as a unit. bins NULL: only names. */
void pv_tracks_draw (PvTracksPainter *painter, cairo_t *cr, const PvTracks *tracks,
                     const PvTrackBins *bins, const PvTracksView *view);

/* Draws the section of other events over the picture. */
void pv_event_rows_draw (const PvTracksPainter *painter, cairo_t *cr, const PvTracks *tracks,
                         const PvTrackBins *bins, const PvTracksView *view);

/* Draws the section of counters over the picture. */
void pv_counter_rows_draw (const PvTracksPainter *painter, cairo_t *cr, const PvTracks *tracks,
                           const PvTrackBins *bins, const PvTracksView *view);

enum { PV_EVENTS_HEADING_HEIGHT = 20, PV_EVENT_HEIGHT = 22 };

/* The place in the bins of a track that is in view. False: it is not, or has none. */
bool pv_track_bins_find_visible (const PvTrackBins *bins, const PvTracksView *view, uint32_t track,
                                 uint32_t *ret_place);

/* Ticks are at the top of a row; the pointer reaches them from a little below, too. */
enum { PV_TICK_HEIGHT = 6, PV_TICK_REACH = 9 };

/* Amount that fills a row: for a measure of time, one CPU's; else the highest of all. Above 0. */
uint64_t pv_track_bins_get_full (const PvTrackBins *bins);
