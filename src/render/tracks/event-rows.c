/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "render/tracks/event-rows.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "render/tracks/tracks-private.h"

enum {
    HEADING_HEIGHT = PV_EVENTS_HEADING_HEIGHT,
    ROW_HEIGHT = PV_EVENT_HEIGHT,
    PADDING = 8,
    ARROW = 8
};

static uint32_t
count_shown (const PvTracks *tracks)
{
    return tracks->events != NULL ? MIN (tracks->events->n_events, PV_TRACK_MAX_EVENTS) : 0;
}

bool
pv_event_rows_is_heading (const PvTracks *tracks, const PvTracksView *view, double y)
{
    double top = pv_tracks_get_quality_end (tracks, view);
    return pv_tracks_get_events_height (tracks, view) > 0 && y >= top && y < top + HEADING_HEIGHT;
}

uint32_t
pv_event_rows_find (const PvTracks *tracks, const PvTracksView *view, double y)
{
    double top = pv_tracks_get_quality_end (tracks, view);
    if (y < top + HEADING_HEIGHT || y >= top + pv_tracks_get_events_height (tracks, view))
        return PV_EVENT_NONE;
    return (uint32_t)((y - top - HEADING_HEIGHT) / ROW_HEIGHT);
}

bool
pv_event_rows_get_count (const PvTrackBins *bins, uint32_t event, uint64_t time_ns,
                         uint32_t *ret_count)
{
    g_assert (bins != NULL && ret_count != NULL);
    if (bins->events == NULL || event >= count_shown (bins->tracks) || time_ns < bins->start_ns ||
        time_ns >= bins->end_ns)
        return false;
    uint32_t n_bins = bins->bins->n_bins;
    double part = (double)(time_ns - bins->start_ns) / (double)(bins->end_ns - bins->start_ns);
    *ret_count = bins->events[(size_t)event * n_bins + MIN ((uint32_t)(part * n_bins), n_bins - 1)];
    return true;
}

static void
draw_heading (const PvTracksPainter *painter, cairo_t *cr, const PvTracks *tracks,
              const PvTracksView *view, double top)
{
    uint32_t n = tracks->events->n_events;
    double middle = floor (top + HEADING_HEIGHT / 2.0), left = PADDING;
    g_autofree char *text =
        n > PV_TRACK_MAX_EVENTS
            /* Translators: how many kinds of events a row has, and how many there are */
            ? g_strdup_printf (_ ("Other Events (%u of %u)"), (unsigned)PV_TRACK_MAX_EVENTS, n)
            : g_strdup (_ ("Other Events"));
    pv_color_set_source (cr, painter->palette.faint, 1);
    if (view->folds_events) {
        cairo_move_to (cr, left + 1, middle - ARROW / 2.0);
        cairo_line_to (cr, left + 1, middle + ARROW / 2.0);
        cairo_line_to (cr, left + 1 + ARROW / 2.0 + 1, middle);
    } else {
        cairo_move_to (cr, left, middle - ARROW / 4.0);
        cairo_line_to (cr, left + ARROW, middle - ARROW / 4.0);
        cairo_line_to (cr, left + ARROW / 2.0, middle + ARROW / 4.0 + 1);
    }
    cairo_close_path (cr);
    cairo_fill (cr);
    pv_glyph_font_show_centered (painter->font, cr, text, 2 * PADDING + ARROW / 2.0, top,
                                 HEADING_HEIGHT, view->width - 3 * PADDING);
}

/* As high as the largest of the bins that a column shows, of the largest of all. */
static void
draw_bars (cairo_t *cr, const PvTracks *tracks, const PvTrackBins *bins, const PvTracksView *view,
           uint32_t event, double top)
{
    cairo_rectangle_t plot = pv_tracks_get_plot (tracks, view);
    uint32_t n_bins = bins->bins->n_bins, highest = 0;
    const uint32_t *counts = bins->events + (size_t)event * n_bins;
    double step = 1 / view->device_scale, span = (double)(bins->end_ns - bins->start_ns);
    double ns_per_unit = (double)(view->end_ns - view->start_ns) / MAX (plot.width, 1);
    for (uint32_t bin = 0; bin < n_bins; bin++)
        highest = MAX (highest, counts[bin]);
    for (double x = 0; highest > 0 && x < plot.width; x += step) {
        double left = (double)view->start_ns - (double)bins->start_ns + x * ns_per_unit;
        double first = left / span * n_bins + 1e-4, most = 0;
        double end = (left + step * ns_per_unit) / span * n_bins + 1e-4;
        if (end <= 0 || first >= n_bins)
            continue;
        uint32_t bin = (uint32_t)MAX (first, 0), last = (uint32_t)CLAMP (end, bin + 1, n_bins);
        for (; bin < last; bin++)
            most = MAX (most, counts[bin]);
        double height = most > 0 ? MAX (ceil (most / highest * (ROW_HEIGHT - 4)), 1) : 0;
        if (height > 0)
            cairo_rectangle (cr, plot.x + x, top + ROW_HEIGHT - 1 - height, step, height);
    }
    cairo_fill (cr);
}

void
pv_event_rows_draw (const PvTracksPainter *painter, cairo_t *cr, const PvTracks *tracks,
                    const PvTrackBins *bins, const PvTracksView *view)
{
    const PvPalette *palette = &painter->palette;
    double top = pv_tracks_get_quality_end (tracks, view),
           height = pv_tracks_get_events_height (tracks, view);
    cairo_rectangle_t plot = pv_tracks_get_plot (tracks, view);
    if (height <= 0)
        return;
    pv_color_set_source (cr, palette->background, 1);
    cairo_rectangle (cr, 0, top, view->width, height);
    cairo_fill (cr);
    draw_heading (painter, cr, tracks, view, top);
    for (uint32_t event = 0; !view->folds_events && event < count_shown (tracks); event++) {
        double y = top + HEADING_HEIGHT + event * ROW_HEIGHT;
        pv_color_set_source (cr, palette->foreground, 1);
        pv_glyph_font_show_centered (painter->font, cr, tracks->events->events[event].name,
                                     2 * PADDING, y, ROW_HEIGHT, plot.x - 3 * PADDING);
        pv_color_set_source (cr, pv_color_mix (palette->foreground, palette->background, 0.45), 1);
        if (bins != NULL && bins->events != NULL && bins->end_ns > bins->start_ns)
            draw_bars (cr, tracks, bins, view, event, y);
    }
    /* Stronger than between rows. */
    pv_color_set_source (cr, palette->foreground, 0.3);
    cairo_rectangle (cr, 0, top + height - 1, view->width, 1);
    cairo_fill (cr);
}
