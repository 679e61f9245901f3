/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "render/tracks/counter-rows.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "render/tracks/tracks-private.h"

enum {
    HEADING_HEIGHT = 20,
    ROW_HEIGHT = 42,
    PADDING = 8,
    N_BINS = 2048,
    LINE = 1,
    TOP_SPACE = 4,
};

static uint32_t
count_counters (const PvTracks *tracks, const PvTracksView *view)
{
    bool is_shown = tracks->counters != NULL && !view->is_compact;
    return is_shown ? pv_counter_index_get_n (tracks->counters) : 0;
}

double
pv_tracks_get_counters_height (const PvTracks *tracks, const PvTracksView *view)
{
    g_assert (tracks != NULL && view != NULL);
    uint32_t n = count_counters (tracks, view);
    return n > 0 ? HEADING_HEIGHT + (double)n * ROW_HEIGHT : 0;
}

/* Where the heading is; it may be outside of the plot. */
static double
get_top (const PvTracks *tracks, const PvTracksView *view)
{
    double row_height = pv_tracks_get_row_height (tracks, view);
    return pv_tracks_get_plot (tracks, view).y + tracks->n_tracks * row_height - view->scroll_y;
}

void
pv_counter_rows_get_visible (const PvTracks *tracks, const PvTracksView *view, uint32_t *ret_first,
                             uint32_t *ret_end)
{
    g_assert (tracks != NULL && view != NULL && ret_first != NULL && ret_end != NULL);
    cairo_rectangle_t plot = pv_tracks_get_plot (tracks, view);
    double top = get_top (tracks, view) + HEADING_HEIGHT, n = count_counters (tracks, view);
    double first = floor ((plot.y - top) / ROW_HEIGHT);
    double end = ceil ((plot.y + plot.height - top) / ROW_HEIGHT);
    *ret_first = (uint32_t)CLAMP (first, 0, n);
    *ret_end = (uint32_t)CLAMP (end, *ret_first, n);
}

uint32_t
pv_counter_rows_find (const PvTracks *tracks, const PvTracksView *view, double y)
{
    g_assert (tracks != NULL && view != NULL);
    cairo_rectangle_t plot = pv_tracks_get_plot (tracks, view);
    double row = floor ((y - get_top (tracks, view) - HEADING_HEIGHT) / ROW_HEIGHT);
    bool is_inside = y >= plot.y && y < plot.y + plot.height && row >= 0;
    return is_inside && row < count_counters (tracks, view) ? (uint32_t)row : PV_COUNTER_NONE;
}

void
pv_counter_rows_fill (PvTrackBins *bins, uint32_t first, uint32_t end)
{
    g_assert (bins != NULL && g_atomic_int_get (&bins->ref_count) == 1 && bins->counters == NULL);
    g_assert (first <= end);
    if (bins->tracks->counters == NULL || first == end)
        return;
    PvTimeView view = {.start_ns = bins->start_ns, .end_ns = bins->end_ns, .n_bins = N_BINS};
    bins->first_counter = first;
    bins->end_counter = MIN (end, pv_counter_index_get_n (bins->tracks->counters));
    bins->counters = g_new (PvCounterRange, (size_t)(end - first) * N_BINS);
    for (uint32_t c = first; c < bins->end_counter; c++)
        pv_counter_index_sample (bins->tracks->counters, c, &view,
                                 bins->counters + (size_t)(c - first) * N_BINS);
}

/* True if the counters belong to several processes. */
static bool
has_several (const PvTracks *tracks)
{
    for (uint32_t c = 1; c < pv_counter_index_get_n (tracks->counters); c++)
        if (pv_counter_index_get (tracks->counters, c)->process !=
            pv_counter_index_get (tracks->counters, 0)->process)
            return true;
    return false;
}

char *
pv_counter_rows_name (const PvTracks *tracks, uint32_t counter)
{
    g_assert (tracks != NULL && tracks->counters != NULL);
    const PvCounter *its = pv_counter_index_get (tracks->counters, counter);
    if (its->process == 0 || !has_several (tracks))
        return g_strdup (its->name);
    g_autofree char *process = pv_format_process (tracks->index->profile, its->process);
    return g_strdup_printf ("%s · %s", its->name, process);
}

static PvColor
get_line_color (const PvPalette *palette)
{
    g_assert (palette != NULL);
    if (palette->is_high_contrast)
        return palette->foreground;
    return palette->is_dark ? (PvColor){0.60, 0.70, 1.0} : (PvColor){0.20, 0.30, 0.72};
}

/* Values at the bottom and at the top of a row. The scale of amounts and percentages includes 0. */
static PvCounterRange
get_scale (const PvCounter *counter)
{
    bool has_zero = counter->kind == PV_COUNTER_AMOUNT || counter->unit == PV_COUNTER_PERCENT;
    PvCounterRange scale = {counter->min, counter->max};
    if (has_zero) {
        scale.min = MIN (scale.min, 0);
        scale.max = MAX (scale.max, counter->unit == PV_COUNTER_PERCENT ? 100 : 0);
    }
    return scale;
}

/* How far up a value is, from 0 to 1. A line that has only one value is in the middle. */
static double
get_height (PvCounterRange scale, double value)
{
    double span = scale.max / 2 - scale.min / 2; /* the whole may be too large */
    return span > 0 ? CLAMP ((value / 2 - scale.min / 2) / span, 0, 1) : 0.5;
}

/* Range of values in the bins, at least one, that a column of pixels shows. NAN: none there. */
static PvCounterRange
get_column (const PvTrackBins *bins, const PvCounterRange *ranges, double start_ns, double end_ns)
{
    double per_ns = N_BINS / (double)(bins->end_ns - bins->start_ns);
    double first = (start_ns - (double)bins->start_ns) * per_ns + 1e-4;
    double end = (end_ns - (double)bins->start_ns) * per_ns + 1e-4;
    PvCounterRange range = {NAN, NAN};
    if (end <= 0 || first >= N_BINS)
        return range;
    uint32_t bin = (uint32_t)MAX (first, 0), last = (uint32_t)CLAMP (end, bin + 1, N_BINS);
    for (; bin < last; bin++) {
        range.min = fmin (range.min, ranges[bin].min);
        range.max = fmax (range.max, ranges[bin].max);
    }
    return range;
}

typedef struct {
    cairo_t *cr;
    const PvTrackBins *bins;
    const PvTracksView *view;
    cairo_rectangle_t plot;
    const PvCounterRange *ranges; /* of the row */
    PvCounterRange scale;
    double bottom; /* of its values */
} Row;

static double
to_y (const Row *row, double value)
{
    return row->bottom - get_height (row->scale, value) * (ROW_HEIGHT - TOP_SPACE - LINE - 2);
}

/* A path of a column for each pixel: of what is below the largest value, or of a line that reaches
 * from the smallest to the largest, and to where it was in the column before. */
static void
add_columns (const Row *row, bool is_line)
{
    double step = 1 / row->view->device_scale;
    double ns_per_unit =
        (double)(row->view->end_ns - row->view->start_ns) / MAX (row->plot.width, 1);
    PvCounterRange before = {NAN, NAN};
    for (double x = 0; x < row->plot.width; x += step) {
        double left_ns = (double)row->view->start_ns + x * ns_per_unit;
        PvCounterRange range =
            get_column (row->bins, row->ranges, left_ns, left_ns + step * ns_per_unit);
        PvCounterRange line = range;
        if (!isnan (before.min)) {
            line.min = MIN (line.min, before.max);
            line.max = MAX (line.max, before.min);
        }
        before = range;
        if (isnan (range.min))
            continue;
        double high = to_y (row, is_line ? line.max : range.max) - LINE;
        double low = is_line ? to_y (row, line.min) : row->bottom;
        cairo_rectangle (row->cr, row->plot.x + x, high, step, low - high);
    }
}

static void
draw_values (const PvTracksPainter *painter, Row *row, uint32_t counter)
{
    const PvTrackBins *bins = row->bins;
    PvColor color = get_line_color (&painter->palette);
    if (counter < bins->first_counter || counter >= bins->end_counter)
        return;
    row->ranges = bins->counters + (size_t)(counter - bins->first_counter) * N_BINS;
    row->scale = get_scale (pv_counter_index_get (bins->tracks->counters, counter));
    add_columns (row, false);
    pv_color_set_source (row->cr, color, 0.25);
    cairo_fill (row->cr);
    add_columns (row, true);
    pv_color_set_source (row->cr, color, 1);
    cairo_fill (row->cr);
}

/* --- texts --- */

/* Its name, and below it the values at the bottom and top of the row. */
static void
draw_name (const PvTracksPainter *painter, cairo_t *cr, const PvTracks *tracks, uint32_t counter,
           double top, double width)
{
    const PvCounter *its = pv_counter_index_get (tracks->counters, counter);
    PvCounterRange scale = get_scale (its);
    g_autofree char *name = pv_counter_rows_name (tracks, counter);
    g_autofree char *min = pv_counter_format_value (its, scale.min);
    g_autofree char *max = pv_counter_format_value (its, scale.max);
    /* Translators: the smallest and the largest value of a counter */
    g_autofree char *range =
        scale.min < scale.max ? g_strdup_printf (_ ("%s to %s"), min, max) : g_steal_pointer (&min);
    double half = (ROW_HEIGHT - 2) / 2.0;
    pv_color_set_source (cr, painter->palette.foreground, 1);
    pv_glyph_font_show_centered (painter->font, cr, name, 2 * PADDING, top + 1, half,
                                 width - 3 * PADDING);
    pv_color_set_source (cr, painter->palette.faint, 1);
    pv_glyph_font_show_centered (painter->font, cr, range, 2 * PADDING, top + half, half,
                                 width - 3 * PADDING);
}

void
pv_counter_rows_draw (const PvTracksPainter *painter, cairo_t *cr, const PvTracks *tracks,
                      const PvTrackBins *bins, const PvTracksView *view)
{
    cairo_rectangle_t plot = pv_tracks_get_plot (tracks, view);
    Row row = {.cr = cr, .bins = bins, .view = view, .plot = plot};
    bool has_values = bins != NULL && bins->counters != NULL && bins->end_ns > bins->start_ns;
    double top = get_top (tracks, view);
    uint32_t first, end;
    if (count_counters (tracks, view) == 0)
        return;
    pv_color_set_source (cr, painter->palette.faint, 1);
    pv_glyph_font_show_centered (painter->font, cr, C_ ("heading", "Counters"), PADDING, top,
                                 HEADING_HEIGHT, view->width - 2 * PADDING);
    pv_counter_rows_get_visible (tracks, view, &first, &end);
    for (uint32_t counter = first; counter < end; counter++) {
        double y = top + HEADING_HEIGHT + (double)counter * ROW_HEIGHT;
        row.bottom = y + ROW_HEIGHT - 2;
        if (has_values)
            draw_values (painter, &row, counter);
        draw_name (painter, cr, tracks, counter, y, plot.x);
        pv_color_set_source (cr, painter->palette.foreground, 0.12);
        cairo_rectangle (cr, 0, y + ROW_HEIGHT - 1, view->width, 1);
        cairo_fill (cr);
    }
}
