/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "render/draw/glyphs.h"
#include "render/draw/palette.h"
#include "render/tracks/tracks.h"

/* The private part of PvTracksPainter, for drawing and export only. */
struct PvTracksPainter {
    PvGlyphFont *font;
    PvPalette palette;
    bool has_palette;
    bool is_vector;             /* paths and exact glyph positions instead of pixels */
    cairo_surface_t *images[2]; /* of the last drawings, latest first */
};

/* Sets palette and font for a view; pv_tracks_draw () does it too. */
void pv_tracks_painter_prepare (PvTracksPainter *painter, const PvTracksView *view);

/* Draws over the background, which the caller has painted. If is_vector, and on what is no image,
 * columns are as wide as a unit. bins NULL: only names. */
void pv_tracks_draw (PvTracksPainter *painter, cairo_t *cr, const PvTracks *tracks,
                     const PvTrackBins *bins, const PvTracksView *view);

/* The section of other events, over what is there. */
void pv_event_rows_draw (const PvTracksPainter *painter, cairo_t *cr, const PvTracks *tracks,
                         const PvTrackBins *bins, const PvTracksView *view);

/* The section of counters, over what is there. */
void pv_counter_rows_draw (const PvTracksPainter *painter, cairo_t *cr, const PvTracks *tracks,
                           const PvTrackBins *bins, const PvTracksView *view);

enum { PV_EVENTS_HEADING_HEIGHT = 20, PV_EVENT_HEIGHT = 22 };

/* Ticks are at the top of a row; what is a little below them is on them too. */
enum { PV_TICK_HEIGHT = 6, PV_TICK_REACH = 9 };

/* What fills a row: of times, that of one CPU; else the most there is. Above 0. */
uint64_t pv_track_bins_get_full (const PvTrackBins *bins);
