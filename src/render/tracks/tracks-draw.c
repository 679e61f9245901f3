/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "render/chart/time-ruler.h"
#include "render/draw/raster.h"
#include "render/draw/shared-image.h"
#include "render/tracks/tracks-private.h"

#define LEAST_LOST_SHARE 0.25

enum {
    MANY_EDGES = 100000, /* in a vector format: more would be a file of megabytes */
    PADDING = 8,
    BLOCKED_HEIGHT = 2,
    PREEMPTED_HEIGHT = 4,
    NAMED_HEIGHT = 13, /* rows that are lower have no names */
};

PvTracksPainter *
pv_tracks_painter_new (const PangoFontDescription *font)
{
    PvTracksPainter *painter = g_new0 (PvTracksPainter, 1);
    painter->font = pv_glyph_font_new (font);
    return painter;
}

void
pv_tracks_painter_free (PvTracksPainter *painter)
{
    if (painter == NULL)
        return;
    for (size_t i = 0; i < G_N_ELEMENTS (painter->images); i++)
        g_clear_pointer (&painter->images[i], cairo_surface_destroy);
    pv_glyph_font_free (painter->font);
    g_free (painter);
}

typedef struct {
    PvTracksPainter *painter;
    const PvTracks *tracks;
    const PvTrackBins *bins;   /* or NULL */
    const PvTimeBins *amounts; /* of them: of tracks, or of all */
    const PvTimeBins *lit;     /* the same; or NULL */
    const PvTracksView *view;
    cairo_rectangle_t plot;
    double scale;             /* columns to a unit ... */
    double y_scale;           /* ... and steps of height */
    PvRaster raster;          /* of pixels; unless */
    cairo_t *cr;              /* paths are drawn */
    uint32_t *pixel_of_class; /* of the raster */
    uint32_t lit_pixels[2];   /* by class of lit samples */
    uint32_t gap_pixels[3];   /* by PvWaitKind */
    uint32_t tick_pixel;
} Drawing;

void
pv_tracks_painter_prepare (PvTracksPainter *painter, const PvTracksView *view)
{
    pv_palette_update (&painter->palette, view->is_dark, view->is_high_contrast, false);
    pv_glyph_font_set_scale (painter->font, painter->is_vector ? 0 : view->device_scale);
}

/* Columns */

uint64_t
pv_track_bins_get_full (const PvTrackBins *bins)
{
    const PvTimeIndex *index = bins->tracks->index;
    uint64_t bin_ns = (bins->end_ns - bins->start_ns) / MAX (bins->bins->n_bins, 1);
    if (index->profile->measures[index->measure].unit == PV_UNIT_NS)
        return MAX (bin_ns, 1);
    return MAX (bins->highest, 1);
}

/* The bins that a column of device pixels shows: at least one. False outside of them. */
static bool
find_bins (const Drawing *drawing, int column, uint32_t *ret_first, uint32_t *ret_end)
{
    const PvTrackBins *bins = drawing->bins;
    double span = (double)(bins->end_ns - bins->start_ns);
    const PvTracksView *view = drawing->view;
    double ns_per_pixel =
        (double)(view->end_ns - view->start_ns) / (drawing->plot.width * drawing->scale);
    double left = (double)view->start_ns - (double)bins->start_ns +
                  (column - drawing->plot.x * drawing->scale) * ns_per_pixel;
    /* Rounding must not show the bin before. */
    double first = left / span * bins->bins->n_bins + 1e-4;
    double end = (left + ns_per_pixel) / span * bins->bins->n_bins + 1e-4;
    if (end <= 0 || first >= bins->bins->n_bins)
        return false;
    *ret_first = (uint32_t)MAX (first, 0);
    *ret_end = (uint32_t)CLAMP (end, *ret_first + 1, bins->bins->n_bins);
    return *ret_first < bins->bins->n_bins;
}

/* Classes of the lit samples, which are drawn over the others. */
static uint32_t
count_lit (const Drawing *drawing)
{
    return drawing->lit != NULL ? drawing->lit->n_classes : 0;
}

/* How far the classes reach up together, and then those of the lit samples: of height steps. They
 * are summed up before they are rounded. False outside of the bins. */
static bool
find_edges (const Drawing *drawing, uint32_t place, int column, int height, double full, int *edges)
{
    const PvTimeBins *bins = drawing->amounts, *lit = drawing->lit;
    double sum = 0, lit_sum = 0;
    uint32_t first, end;
    if (!find_bins (drawing, column, &first, &end))
        return false;
    full *= end - first;
    for (uint32_t class = 0; class < bins->n_classes; class ++) {
        for (uint32_t bin = first; bin < end; bin++)
            sum += (double)pv_time_bins_get (bins, place, bin)[class];
        edges[class] = (int)ceil (MIN (sum / full, 1) * height);
    }
    for (uint32_t class = 0; class < count_lit (drawing); class ++) {
        for (uint32_t bin = first; bin < end; bin++)
            lit_sum += (double)pv_time_bins_get (lit, place, bin)[class];
        edges[bins->n_classes + class] = (int)ceil (MIN (lit_sum / full, 1) * height);
    }
    return true;
}

/* Pixels of one column, from the bottom up. */
static void
fill_column (const Drawing *drawing, int column, int bottom, const int *edges)
{
    uint32_t n_classes = drawing->amounts->n_classes;
    int edge = 0;
    for (uint32_t class = 0; class < n_classes; class ++) {
        if (edges[class] > edge)
            pv_raster_fill (&drawing->raster, column, bottom - edges[class], column + 1,
                            bottom - edge, drawing->pixel_of_class[class]);
        edge = edges[class];
    }
    edge = 0;
    for (uint32_t class = 0; class < count_lit (drawing); class ++) {
        int top = edges[n_classes + class];
        if (top > edge)
            pv_raster_fill (&drawing->raster, column, bottom - top, column + 1, bottom - edge,
                            drawing->lit_pixels[class]);
        edge = top;
    }
}

static int
to_device (double at, double scale)
{
    return (int)floor (at * scale + 0.5);
}

static void
fill_track (const Drawing *drawing, uint32_t place, double top, double bottom, double full,
            int *edges)
{
    int left = to_device (drawing->plot.x, drawing->scale);
    int right = to_device (drawing->plot.x + drawing->plot.width, drawing->scale);
    int low = to_device (bottom, drawing->scale);
    int height = low - to_device (top, drawing->scale);
    for (int column = left; column < right; column++)
        if (find_edges (drawing, place, column, height, full, edges))
            fill_column (drawing, column, low, edges);
}

/* The area below an edge as a path; of one on top of another only where it can be seen. */
static void
add_area (const Drawing *drawing, const int *edges, int n_columns, uint32_t stride, uint32_t edge,
          bool is_on_top, double bottom)
{
    int left = to_device (drawing->plot.x, drawing->scale);
    int height = 0;
    for (int column = 0; column <= n_columns; column++) {
        const int *its = edges + (size_t)column * stride; /* all are 0 after the last one */
        int next = is_on_top && its[edge] <= its[edge - 1] ? 0 : its[edge];
        double x = (left + column) / drawing->scale;
        if (next == height)
            continue;
        if (height == 0)
            cairo_move_to (drawing->cr, x, bottom);
        else
            cairo_line_to (drawing->cr, x, bottom - height / drawing->y_scale);
        cairo_line_to (drawing->cr, x, bottom - next / drawing->y_scale);
        if (next == 0)
            cairo_close_path (drawing->cr);
        height = next;
    }
}

/* One path for each class. Each begins at the bottom, below those that are drawn after it: so no
 * seam is seen between two of them. */
static void
outline_track (const Drawing *drawing, uint32_t place, double top, double bottom, double full,
               int *edges)
{
    const PvTimeBins *bins = drawing->amounts;
    bool is_lit = drawing->lit != NULL;
    uint32_t n_lit = count_lit (drawing), stride = bins->n_classes + n_lit;
    int left = to_device (drawing->plot.x, drawing->scale);
    int n_columns = (int)(drawing->plot.width * drawing->scale);
    int height = to_device (bottom - top, drawing->y_scale);
    memset (edges, 0, ((size_t)n_columns + 1) * stride * sizeof *edges);
    for (int column = 0; column < n_columns; column++)
        find_edges (drawing, place, left + column, height, full, edges + (size_t)column * stride);
    for (uint32_t class = bins->n_classes; class -- > 0;) {
        PvColor color =
            pv_tracks_get_color (&drawing->painter->palette, drawing->tracks, class, is_lit);
        add_area (drawing, edges, n_columns, stride, class, class > 0, bottom);
        pv_color_set_source (drawing->cr, color, 1);
        cairo_fill (drawing->cr);
    }
    for (uint32_t class = n_lit; class -- > 0;) {
        add_area (drawing, edges, n_columns, stride, bins->n_classes + class, class > 0, bottom);
        pv_color_set_source (drawing->cr,
                             pv_tracks_get_lit_color (&drawing->painter->palette, class), 1);
        cairo_fill (drawing->cr);
    }
}

/* A column for each pixel; in a vector format for each unit and with finer heights, or, if these
 * are many, for two. */
static void
choose_scales (Drawing *drawing)
{
    const PvTimeBins *bins = drawing->bins != NULL ? drawing->bins->bins : NULL;
    double n_edges =
        bins != NULL ? (double)bins->n_rows * bins->n_classes * drawing->plot.width : 0;
    bool is_large = n_edges > MANY_EDGES;
    drawing->scale = drawing->y_scale = drawing->view->device_scale;
    if (drawing->cr != NULL) {
        drawing->scale = is_large ? 0.5 : 1;
        drawing->y_scale = is_large ? 1 : 4;
    }
}

PvColor
pv_tracks_get_wait_color (const PvPalette *palette, PvWaitKind kind)
{
    g_assert (palette != NULL && kind != PV_WAIT_NONE);
    double paler = kind == PV_WAIT_PREEMPTED ? 0.3 : 0.65;
    return pv_color_mix (palette->foreground, palette->background, paler);
}

/* The thread's kind of wait at the middle of a column of device pixels. */
static PvWaitKind
find_gap (const Drawing *drawing, uint32_t place, int column)
{
    const PvTrackBins *bins = drawing->bins;
    const PvTracksView *view = drawing->view;
    double pixel =
        (column + 0.5 - drawing->plot.x * drawing->scale) / (drawing->plot.width * drawing->scale);
    double time_ns = (double)view->start_ns + pixel * (double)(view->end_ns - view->start_ns);
    double part = (time_ns - (double)bins->start_ns) / (double)(bins->end_ns - bins->start_ns);
    if (part < 0 || part >= 1)
        return PV_WAIT_NONE;
    return bins->gaps[(size_t)place * PV_TRACK_GAPS + (size_t)(part * PV_TRACK_GAPS)];
}

static void
draw_gap (const Drawing *drawing, PvWaitKind kind, int left, int right, double bottom)
{
    int height = (kind == PV_WAIT_PREEMPTED ? PREEMPTED_HEIGHT : BLOCKED_HEIGHT) /
                 (drawing->view->is_compact ? 2 : 1);
    if (kind == PV_WAIT_NONE || left == right)
        return;
    if (drawing->cr == NULL) {
        int low = to_device (bottom, drawing->scale);
        pv_raster_fill (&drawing->raster, left, low - to_device (height, drawing->scale), right,
                        low, drawing->gap_pixels[kind]);
        return;
    }
    pv_color_set_source (drawing->cr, pv_tracks_get_wait_color (&drawing->painter->palette, kind),
                         1);
    cairo_rectangle (drawing->cr, left / drawing->scale, bottom - height,
                     (right - left) / drawing->scale, height);
    cairo_fill (drawing->cr);
}

/* Lines at the bottom of a row while its thread is off its CPU: a low one while it is blocked, a
 * higher one in another color while it waits for a CPU. */
static void
draw_gaps (const Drawing *drawing, uint32_t place, double bottom)
{
    int left = to_device (drawing->plot.x, drawing->scale);
    int right = to_device (drawing->plot.x + drawing->plot.width, drawing->scale);
    PvWaitKind kind = PV_WAIT_NONE;
    for (int column = left; column <= right; column++) {
        PvWaitKind next = column < right ? find_gap (drawing, place, column) : PV_WAIT_NONE;
        if (next == kind && column < right)
            continue;
        draw_gap (drawing, kind, left, column, bottom);
        left = column;
        kind = next;
    }
}

PvColor
pv_tracks_get_tick_color (const PvPalette *palette)
{
    g_assert (palette != NULL);
    return palette->is_dark ? (PvColor){0.36, 0.84, 0.80} : (PvColor){0.0, 0.43, 0.45};
}

/* True if a mark is in a column of device pixels. */
static bool
has_tick (const Drawing *drawing, uint32_t place, int column)
{
    const PvTrackBins *bins = drawing->bins;
    const PvTracksView *view = drawing->view;
    double ns_per_column =
        (double)(view->end_ns - view->start_ns) / (drawing->plot.width * drawing->scale);
    double left = (double)view->start_ns - (double)bins->start_ns +
                  (column - drawing->plot.x * drawing->scale) * ns_per_column;
    double per_ns = PV_TRACK_GAPS / (double)(bins->end_ns - bins->start_ns);
    double first = left * per_ns, end = (left + ns_per_column) * per_ns;
    if (end <= 0 || first >= PV_TRACK_GAPS)
        return false;
    size_t part = (size_t)MAX (first, 0), n = (size_t)CLAMP (end, part + 1, PV_TRACK_GAPS);
    const uint8_t *ticks = bins->ticks + (size_t)place * PV_TRACK_GAPS;
    for (; part < n; part++)
        if (ticks[part] != 0)
            return true;
    return false;
}

/* Lines at the top of a row where something happened in its thread; many in a pixel are one. */
static void
draw_ticks (const Drawing *drawing, uint32_t place, double top)
{
    int left = to_device (drawing->plot.x, drawing->scale);
    int right = to_device (drawing->plot.x + drawing->plot.width, drawing->scale);
    int high = to_device (top, drawing->scale);
    int height = drawing->view->is_compact ? PV_TICK_HEIGHT / 3 : PV_TICK_HEIGHT;
    int low = to_device (top + height, drawing->scale);
    for (int column = left; column < right; column++) {
        if (!has_tick (drawing, place, column))
            continue;
        if (drawing->cr == NULL)
            pv_raster_fill (&drawing->raster, column, high, column + 1, low, drawing->tick_pixel);
        else
            cairo_rectangle (drawing->cr, column / drawing->scale, top, 1 / drawing->scale, height);
    }
    if (drawing->cr == NULL)
        return;
    pv_color_set_source (drawing->cr, pv_tracks_get_tick_color (&drawing->painter->palette), 1);
    cairo_fill (drawing->cr);
}

static void
draw_columns (const Drawing *drawing, uint32_t place, double y, double height, double full)
{
    size_t n_edges = (size_t)drawing->amounts->n_classes + count_lit (drawing);
    g_autofree int *edges =
        g_new (int, drawing->cr != NULL ? ((size_t)drawing->plot.width + 1) * n_edges : n_edges);
    if (drawing->cr != NULL)
        outline_track (drawing, place, y + 3, y + height - 1, full, edges);
    else
        fill_track (drawing, place, y + 3, y + height - 1, full, edges);
}

static bool
has_bins (const Drawing *drawing)
{
    return drawing->bins != NULL && drawing->bins->end_ns > drawing->bins->start_ns &&
           drawing->plot.width >= 2;
}

static void
draw_tracks (const Drawing *drawing)
{
    const PvTrackBins *bins = drawing->bins;
    double row_height = pv_tracks_get_row_height (drawing->tracks, drawing->view);
    if (!has_bins (drawing))
        return;
    double full = (double)pv_track_bins_get_full (bins);
    for (uint32_t track = bins->first; track < bins->end; track++) {
        double y = drawing->plot.y + track * row_height - drawing->view->scroll_y;
        uint32_t place = bins->place_of_track[track - bins->first];
        if (place == PV_TRACK_NONE || y + row_height <= drawing->plot.y)
            continue;
        draw_columns (drawing, place, y, row_height, full);
        if (bins->gaps != NULL)
            draw_gaps (drawing, place, y + row_height - 1);
        if (bins->ticks != NULL)
            draw_ticks (drawing, place, y);
    }
}

PvColor
pv_tracks_get_color (const PvPalette *palette, const PvTracks *tracks, uint32_t class, bool is_lit)
{
    g_assert (palette != NULL && tracks != NULL && class < tracks->index->n_classes);
    return pv_tracks_get_hue_color (palette, tracks->hue_of_class[class], is_lit);
}

PvColor
pv_tracks_get_hue_color (const PvPalette *palette, unsigned hue, bool is_lit)
{
    g_assert (palette != NULL && hue < PV_N_HUES);
    PvColor color = palette->fills[PV_SHADE_NORMAL][hue];
    if (palette->is_high_contrast)
        color = pv_color_mix (color, palette->foreground, 0.4);
    if (!is_lit)
        return color;
    double luminance = pv_color_luminance (color), grey = pow (luminance, 1 / 2.2);
    return pv_color_keep_contrast (pv_color_mix (color, (PvColor){grey, grey, grey}, 0.6),
                                   palette->background, palette->is_high_contrast ? 4.5 : 3);
}

PvColor
pv_tracks_get_lit_color (const PvPalette *palette, uint32_t class)
{
    g_assert (palette != NULL && class <= PV_LIT_MATCH);
    return class == PV_LIT_MATCH ? palette->fills[PV_SHADE_MATCH][0] : palette->selection;
}

/* Beside lit samples, which are black or white, all others are a grey that can still be seen. */
static void
choose_pixels (Drawing *drawing)
{
    bool is_lit = drawing->bins != NULL && drawing->bins->lit != NULL;
    uint32_t n_classes = drawing->tracks->index->n_classes;
    drawing->pixel_of_class = g_new (uint32_t, MAX (n_classes, 1));
    for (uint32_t class = 0; class < n_classes; class ++)
        drawing->pixel_of_class[class] = pv_raster_pack (
            pv_tracks_get_color (&drawing->painter->palette, drawing->tracks, class, is_lit));
    drawing->tick_pixel = pv_raster_pack (pv_tracks_get_tick_color (&drawing->painter->palette));
    for (uint32_t class = PV_LIT_SELECTED; class <= PV_LIT_MATCH; class ++)
        drawing->lit_pixels[class] =
            pv_raster_pack (pv_tracks_get_lit_color (&drawing->painter->palette, class));
    for (PvWaitKind kind = PV_WAIT_BLOCKED; kind <= PV_WAIT_PREEMPTED; kind++)
        drawing->gap_pixels[kind] =
            pv_raster_pack (pv_tracks_get_wait_color (&drawing->painter->palette, kind));
}

/* Texts */

static void
draw_names (const Drawing *drawing, cairo_t *cr)
{
    const PvPalette *palette = &drawing->painter->palette;
    double row_height = pv_tracks_get_row_height (drawing->tracks, drawing->view);
    double right = drawing->plot.x + drawing->plot.width;
    uint32_t first, end;
    pv_tracks_get_visible (drawing->tracks, drawing->view, &first, &end);
    for (uint32_t i = first; i < end; i++) {
        const PvTrack *track = &drawing->tracks->tracks[i];
        double y = drawing->plot.y + i * row_height - drawing->view->scroll_y;
        bool is_heading = track->row == PV_TRACK_NONE;
        double indent = track->is_below_heading ? 2 * PADDING : PADDING;
        if (i == drawing->view->selected) {
            pv_color_set_source (cr, palette->foreground, 0.08);
            cairo_rectangle (cr, 0, y, right, row_height);
            cairo_fill (cr);
        }
        pv_color_set_source (cr, is_heading ? palette->faint : palette->foreground, 1);
        if (row_height >= NAMED_HEIGHT)
            pv_glyph_font_show_centered (drawing->painter->font, cr, track->name, indent, y,
                                         row_height,
                                         (is_heading ? right : drawing->plot.x) - indent - PADDING);
        /* Stronger below those that are pinned. */
        pv_color_set_source (cr, palette->foreground,
                             i + 1 == drawing->tracks->n_pinned ? 0.5 : 0.12);
        cairo_rectangle (cr, 0, y + row_height - 1, right, 1);
        cairo_fill (cr);
    }
}

/* Quality */

/* Complete stacks are pale; problems are dark, in a color of their own if the kind is known. */
PvColor
pv_tracks_get_quality_color (const PvPalette *palette, unsigned quality)
{
    g_assert (palette != NULL && quality < PV_N_QUALITIES);
    if (quality == PV_QUALITY_LOST)
        return palette->is_dark ? (PvColor){0.92, 0.50, 0.92} : (PvColor){0.55, 0.0, 0.47};
    if (quality == PV_STACK_BROKEN)
        return palette->is_dark ? (PvColor){0.95, 0.42, 0.42} : (PvColor){0.72, 0.11, 0.11};
    if (quality == PV_STACK_TRUNCATED)
        return palette->is_dark ? (PvColor){1.0, 0.63, 0.30} : (PvColor){0.78, 0.33, 0.0};
    return pv_color_mix (palette->foreground, palette->background,
                         quality == PV_STACK_COMPLETE ? 0.85 : 0.4);
}

/* The shares in a column, from the bottom up; false: nothing. Few lost events are seen too. */
static bool
find_quality (const Drawing *drawing, int column, double edges[PV_N_QUALITIES])
{
    uint32_t first, end;
    double counts[PV_N_QUALITIES] = {0}, n_samples = 0, below = 0, lost, room;
    if (!find_bins (drawing, column, &first, &end))
        return false;
    for (size_t bin = first; bin < end; bin++)
        for (unsigned quality = 0; quality < PV_N_QUALITIES; quality++)
            counts[quality] += (double)drawing->bins->quality[bin * PV_N_QUALITIES + quality];
    for (unsigned class = 0; class < PV_N_STACK_CLASSES; class ++)
        n_samples += counts[class];
    lost = counts[PV_QUALITY_LOST];
    room = lost > 0 ? 1 - MAX (lost / (lost + n_samples), LEAST_LOST_SHARE) : 1;
    room = n_samples > 0 ? room : 0;
    for (unsigned class = 0; class < PV_N_STACK_CLASSES; class ++) {
        below += n_samples > 0 ? counts[class] / n_samples * room : 0;
        edges[class] = below;
    }
    edges[PV_QUALITY_LOST] = lost > 0 ? 1 : below;
    return n_samples > 0 || lost > 0;
}

/* Above the rows: a column is full where there is anything, with what is not complete on top, and
 * what is lost above that. */
static void
draw_quality (const Drawing *drawing, cairo_t *cr)
{
    const PvPalette *palette = &drawing->painter->palette;
    double top = pv_tracks_get_ruler_height (drawing->view);
    double height = pv_tracks_get_quality_end (drawing->tracks, drawing->view) - top;
    int left = to_device (drawing->plot.x, drawing->scale);
    int right = to_device (drawing->plot.x + drawing->plot.width, drawing->scale);
    pv_color_set_source (cr, palette->background, 1);
    cairo_rectangle (cr, 0, top, drawing->view->width, height);
    cairo_fill (cr);
    pv_color_set_source (cr, palette->faint, 1);
    if (height >= NAMED_HEIGHT)
        pv_glyph_font_show_centered (drawing->painter->font, cr, C_ ("heading", "Quality"), PADDING,
                                     top, height, drawing->plot.x - 2 * PADDING);
    for (unsigned quality = 0; quality < PV_N_QUALITIES; quality++) {
        for (int column = left; drawing->bins != NULL && column < right; column++) {
            double edges[PV_N_QUALITIES];
            if (!find_quality (drawing, column, edges))
                continue;
            double low = quality > 0 ? edges[quality - 1] : 0, high = edges[quality];
            double margin = drawing->view->is_compact ? 1 : 2, room = height - 2 * margin;
            if (high > low)
                cairo_rectangle (cr, column / drawing->scale, top + margin + (1 - high) * room,
                                 1 / drawing->scale, (high - low) * room);
        }
        pv_color_set_source (cr, pv_tracks_get_quality_color (palette, quality), 1);
        cairo_fill (cr);
    }
    pv_color_set_source (cr, palette->foreground, 0.12);
    cairo_rectangle (cr, 0, top + height - 1, drawing->view->width, 1);
    cairo_fill (cr);
}

/* A row of several, full where all have most. Rows that are scrolled may be below it. amounts may
 * be NULL. */
static void
draw_sum (const Drawing *drawing, cairo_t *cr, const PvTimeBins *amounts, const PvTimeBins *lit,
          const char *name, double y, double height)
{
    const PvPalette *palette = &drawing->painter->palette;
    Drawing sum = *drawing;
    pv_color_set_source (cr, palette->background, 1);
    cairo_rectangle (cr, 0, y, drawing->view->width, height);
    cairo_fill (cr);
    if (has_bins (drawing) && amounts != NULL) {
        sum.amounts = amounts;
        sum.lit = lit;
        if (drawing->cr == NULL)
            cairo_surface_flush (cairo_get_group_target (cr));
        draw_columns (&sum, 0, y, height, (double)MAX (drawing->bins->highest_of_all, 1));
        if (drawing->cr == NULL)
            cairo_surface_mark_dirty (cairo_get_group_target (cr));
    }
    pv_color_set_source (cr, palette->foreground, 1);
    pv_glyph_font_show_centered (drawing->painter->font, cr, name, PADDING, y, height,
                                 drawing->plot.x - 2 * PADDING);
}

static void
draw_line (const Drawing *drawing, cairo_t *cr, double y)
{
    pv_color_set_source (cr, drawing->painter->palette.foreground, 0.3);
    cairo_rectangle (cr, 0, y, drawing->view->width, 1);
    cairo_fill (cr);
}

static void
draw_all (const Drawing *drawing, cairo_t *cr)
{
    double top = pv_tracks_get_field (drawing->tracks, drawing->view).y;
    draw_sum (drawing, cr, drawing->bins != NULL ? drawing->bins->all : NULL,
              drawing->bins != NULL ? drawing->bins->all_lit : NULL,
              pv_tracks_name_all (drawing->tracks), top, drawing->plot.y - top);
    draw_line (drawing, cr, drawing->plot.y - 1);
}

/* Those of all without those of the rows in view; NULL for NULL. */
static PvTimeBins *
subtract_visible (const Drawing *drawing, const PvTimeBins *all, const PvTimeBins *rows)
{
    const PvTrackBins *bins = drawing->bins;
    size_t n = all != NULL ? (size_t)all->n_bins * all->n_classes : 0;
    uint32_t place;
    PvTimeBins *rest;
    if (all == NULL || rows == NULL)
        return NULL;
    g_assert (rows->n_bins == all->n_bins && rows->n_classes == all->n_classes);
    rest = g_memdup2 (all, sizeof *all);
    rest->weights = g_memdup2 (all->weights, n * sizeof *all->weights);
    rest->n_samples = NULL;
    for (uint32_t track = bins->first; track < bins->end; track++) {
        if (!pv_track_bins_find_visible (bins, drawing->view, track, &place))
            continue;
        for (size_t i = 0; i < n; i++)
            rest->weights[i] -= rows->weights[place * n + i];
    }
    return rest;
}

/* Below the rows of a compact view. */
static void
draw_rest (const Drawing *drawing, cairo_t *cr)
{
    const PvTrackBins *bins = drawing->bins;
    double height = pv_tracks_get_rest_height (drawing->tracks, drawing->view);
    double top = drawing->plot.y + drawing->plot.height;
    g_autofree char *name = pv_tracks_name_rest (drawing->tracks, drawing->view);
    g_autoptr (PvTimeBins) rest = NULL;
    g_autoptr (PvTimeBins) lit = NULL;
    if (bins != NULL) {
        rest = subtract_visible (drawing, bins->all, bins->bins);
        lit = subtract_visible (drawing, bins->all_lit, bins->lit);
    }
    draw_sum (drawing, cr, rest, lit, name, top, height);
    draw_line (drawing, cr, top);
}

static void
draw_ruler (const Drawing *drawing, cairo_t *cr)
{
    const PvTracksView *view = drawing->view;
    PvTimeRuler ruler = {drawing->plot.x, drawing->plot.width, pv_tracks_get_ruler_height (view),
                         view->width,     view->start_ns,      view->end_ns};
    pv_time_ruler_draw (&ruler, cr, drawing->painter->font, &drawing->painter->palette);
}

void
pv_tracks_draw (PvTracksPainter *painter, cairo_t *cr, const PvTracks *tracks,
                const PvTrackBins *bins, const PvTracksView *view)
{
    g_assert (painter != NULL && cr != NULL && tracks != NULL && view != NULL);
    Drawing drawing = {.painter = painter, .tracks = tracks, .bins = bins, .view = view};
    drawing.plot = pv_tracks_get_plot (tracks, view);
    drawing.amounts = bins != NULL ? bins->bins : NULL;
    drawing.lit = bins != NULL ? bins->lit : NULL;
    pv_tracks_painter_prepare (painter, view);
    choose_pixels (&drawing);
    if (painter->is_vector || !pv_raster_init (&drawing.raster, cr, view->device_scale))
        drawing.cr = cr;
    choose_scales (&drawing);
    draw_tracks (&drawing);
    if (drawing.cr == NULL)
        cairo_surface_mark_dirty (cairo_get_group_target (cr));
    draw_names (&drawing, cr);
    pv_counter_rows_draw (painter, cr, tracks, bins, view);
    if (pv_tracks_name_all (tracks) != NULL)
        draw_all (&drawing, cr);
    if (pv_tracks_get_rest_height (tracks, view) > 0)
        draw_rest (&drawing, cr);
    draw_ruler (&drawing, cr);
    if (tracks->quality != NULL)
        draw_quality (&drawing, cr);
    pv_event_rows_draw (painter, cr, tracks, bins, view);
    g_free (drawing.pixel_of_class);
}

cairo_surface_t *
pv_tracks_draw_image (PvTracksPainter *painter, const PvTracks *tracks, const PvTrackBins *bins,
                      const PvTracksView *view)
{
    g_assert (painter != NULL && tracks != NULL && view != NULL && view->start_ns < view->end_ns);
    int width = (int)MAX (ceil (view->width * view->device_scale), 1);
    int height = (int)MAX (ceil (view->height * view->device_scale), 1);
    cairo_t *cr = pv_shared_image_begin (painter->images, width, height, view->device_scale);
    pv_tracks_painter_prepare (painter, view);
    pv_color_set_source (cr, painter->palette.background, 1);
    cairo_paint (cr);
    pv_tracks_draw (painter, cr, tracks, bins != NULL && bins->tracks == tracks ? bins : NULL,
                    view);
    return pv_shared_image_end (cr);
}
