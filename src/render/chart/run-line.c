/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "render/chart/run-line.h"

#include <glib.h>
#include <math.h>

enum {
    SIDE = 5,
    EDGE = 5,       /* above and below */
    DOT_SPACING = 7 /* so far apart, every point has a dot */
};

#define LINE_WIDTH  1.5
#define SMALL_DOT   1.8
#define STEP_DOT    3.0
#define MARKED_DOT  4.5
#define LEAST_RANGE 0.1 /* of the most */

typedef struct {
    double bottom, top; /* amounts at the lowest and the highest place */
} Range;

static Range
find_range (const PvRunLine *line)
{
    uint64_t least = UINT64_MAX, most = 0;
    for (uint32_t i = 0; i < line->n_points; i++) {
        least = MIN (least, line->amounts[i]);
        most = MAX (most, line->amounts[i]);
    }
    double span = MAX ((double)(most - least), (double)most * LEAST_RANGE);
    double middle = ((double)least + (double)most) / 2;
    Range range = {MAX (middle - span / 2, 0), middle + span / 2};
    if (range.top <= range.bottom)
        range.top = range.bottom + 1;
    return range;
}

static double
find_x (const PvRunLine *line, const PvRunLineView *view, uint32_t point)
{
    double width = MAX (view->width - 2 * SIDE, 1);
    if (line->n_points < 2)
        return SIDE + width / 2;
    return SIDE + width * point / (line->n_points - 1);
}

static double
find_y (const PvRunLineView *view, Range range, uint64_t amount)
{
    double height = MAX (view->height - 2 * EDGE, 1);
    return view->height - EDGE -
           height * ((double)amount - range.bottom) / (range.top - range.bottom);
}

void
pv_run_line_get_point (const PvRunLine *line, const PvRunLineView *view, uint32_t point,
                       double *ret_x, double *ret_y)
{
    g_assert (line != NULL && view != NULL && point < line->n_points);
    *ret_x = find_x (line, view, point);
    *ret_y = find_y (view, find_range (line), line->amounts[point]);
}

uint32_t
pv_run_line_find (const PvRunLine *line, const PvRunLineView *view, double x)
{
    g_assert (line != NULL && view != NULL);
    double width = MAX (view->width - 2 * SIDE, 1);
    if (line->n_points == 0)
        return PV_POINT_NONE;
    double place = round ((x - SIDE) / width * (line->n_points - 1));
    return (uint32_t)CLAMP (place, 0, (double)(line->n_points - 1));
}

/* Several points in one pixel are drawn as a line from the least to the most. */
static void
draw_path (const PvRunLine *line, const PvRunLineView *view, Range range, cairo_t *cr)
{
    double column = -1;
    uint64_t least = 0, most = 0;
    for (uint32_t i = 0; i < line->n_points; i++) {
        double x = find_x (line, view, i);
        if (column >= 0 && floor (x) == column) {
            least = MIN (least, line->amounts[i]);
            most = MAX (most, line->amounts[i]);
            if (i + 1 < line->n_points && floor (find_x (line, view, i + 1)) == column)
                continue;
            cairo_line_to (cr, x, find_y (view, range, least));
            cairo_line_to (cr, x, find_y (view, range, most));
            cairo_line_to (cr, x, find_y (view, range, line->amounts[i]));
            continue;
        }
        column = floor (x);
        least = most = line->amounts[i];
        cairo_line_to (cr, x, find_y (view, range, line->amounts[i]));
    }
    cairo_set_line_width (cr, LINE_WIDTH);
    cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
    cairo_stroke (cr);
}

static void
draw_dot (const PvRunLine *line, const PvRunLineView *view, Range range, uint32_t point,
          double radius, cairo_t *cr)
{
    cairo_arc (cr, find_x (line, view, point), find_y (view, range, line->amounts[point]), radius,
               0, 2 * G_PI);
    cairo_fill (cr);
}

void
pv_run_line_draw (const PvRunLine *line, const PvRunLineView *view, cairo_t *cr)
{
    g_assert (line != NULL && view != NULL && cr != NULL);
    g_assert (line->n_points == 0 || line->amounts != NULL);
    if (line->n_points == 0)
        return;
    PvPalette palette;
    pv_palette_init_plain (&palette, view->is_dark, view->is_high_contrast);
    Range range = find_range (line);
    double paler =
        view->is_high_contrast ? (line->is_faint ? 0.3 : 0) : (line->is_faint ? 0.6 : 0.25);
    PvColor color = pv_color_mix (palette.foreground, palette.background, paler);
    bool has_dots = (view->width - 2 * SIDE) / line->n_points >= DOT_SPACING;
    pv_color_set_source (cr, color, 1);
    draw_path (line, view, range, cr);
    for (uint32_t i = 0; i < line->n_points && has_dots; i++)
        draw_dot (line, view, range, i, SMALL_DOT, cr);
    if (line->step < line->n_points && !line->is_faint) {
        pv_color_set_source (cr, palette.foreground, 1);
        draw_dot (line, view, range, line->step, STEP_DOT, cr);
    }
    if (line->marked < line->n_points) {
        pv_color_set_source (cr, palette.selection, 1);
        draw_dot (line, view, range, line->marked, MARKED_DOT, cr);
    }
}
