/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "render/draw/raster.h"
#include "render/flame/flame-graph-private.h"

/*
 * The boxes of a row look the same on each of its lines. When drawing straight into an image, at
 * whole pixels and with a rectangular clip, one line per row is painted and copied: every pixel is
 * written once, several times faster than painting the background and then a path per colour. The
 * result is identical to the pixel. cairo draws on all other targets.
 */
static void
fill_span (const PvRaster *raster, uint32_t *line, int left, int right, uint32_t color)
{
    left = MAX (left, raster->left) - raster->left;
    right = MIN (right, raster->right) - raster->left;
    for (int x = left; x < right; x++)
        line[x] = color;
}

static void
copy_line (const PvRaster *raster, const uint32_t *line, int top, int bottom)
{
    size_t n = (size_t)(raster->right - raster->left) * sizeof *line;
    for (int y = MAX (top, raster->top); y < MIN (bottom, raster->bottom); y++)
        memcpy (raster->data + (size_t)(y + raster->y) * raster->stride +
                    (size_t)(raster->left + raster->x) * sizeof *line,
                line, n);
}

typedef struct {
    uint32_t *line;   /* for the inside of the boxes */
    uint32_t *border; /* for their upper and lower edge, if they have one */
    uint32_t *empty;
    uint32_t *stripes; /* one line of the hatch of bundles, and a period more */
    uint32_t colors[PV_N_FLAME_COLORS];
} PvLines;

static void
paint_box (const PvFlamePainter *painter, const PvRaster *raster, PvLines *lines,
           const PvFlameBox *box, bool has_borders)
{
    int width = box->right - box->left;
    int right = box->right - pv_flame_gap_of_width (width);
    int inset = pv_flame_inset_of_width (painter, width);
    uint32_t color = lines->colors[box->color];
    if (inset > 0) {
        uint32_t border = pv_raster_pack (*painter->border);
        fill_span (raster, lines->border, box->left, box->right, border);
        fill_span (raster, lines->line, box->left, box->right, border);
    } else if (has_borders) {
        fill_span (raster, lines->border, box->left, right, color);
    }
    fill_span (raster, lines->line, box->left + inset, right, color);
}

/* Which boxes, bundles and matches belong to the next row. */
typedef struct {
    size_t box;
    size_t bundle;
    size_t match;
} PvNext;

static void
make_stripes (const PvFlamePainter *painter, const PvRaster *raster, uint32_t *stripes)
{
    int period = pv_flame_stripe_period (painter), width = pv_flame_stripe_width (painter);
    uint32_t ground = pv_raster_pack (painter->hatch->ground);
    uint32_t stripe = pv_raster_pack (painter->hatch->stripe);
    int first = (raster->left % period + period) % period;
    for (int x = 0; x < raster->right - raster->left + period; x++)
        stripes[x] = (first + x) % period < width ? stripe : ground;
}

/* A part of the row's lines `from` to `to`, counted from its top. */
static void
paint_hatch (const PvFlamePainter *painter, const PvRaster *raster, const PvLines *lines,
             const PvFlameBundleBox *bundle, int from, int to)
{
    int period = pv_flame_stripe_period (painter);
    int width = bundle->right - bundle->left;
    int inset = pv_flame_inset_of_width (painter, width);
    int left = MAX (bundle->left + inset, raster->left);
    int right = MIN (bundle->right - pv_flame_gap_of_width (width), raster->right);
    for (int y = MAX (from, raster->top - bundle->top);
         left < right && y < MIN (to, raster->bottom - bundle->top); y++)
        memcpy (raster->data + (size_t)(bundle->top + y + raster->y) * raster->stride +
                    (size_t)(left + raster->x) * sizeof *lines->stripes,
                lines->stripes + (left - raster->left) + y % period,
                (size_t)(right - left) * sizeof *lines->stripes);
}

static void
paint_bundle_borders (const PvFlamePainter *painter, const PvRaster *raster, PvLines *lines,
                      const PvFlameBundleBox *bundle)
{
    uint32_t border = pv_raster_pack (*painter->border);
    if (pv_flame_inset_of_width (painter, bundle->right - bundle->left) == 0)
        return;
    fill_span (raster, lines->border, bundle->left, bundle->right, border);
    fill_span (raster, lines->line, bundle->left, bundle->right, border);
}

/* Hatch is no line that is copied down: bundles, and the matches over them, are painted last. */
static void
paint_bundles (const PvFlamePainter *painter, const PvRaster *raster, const PvLines *lines, int top,
               int height, PvNext *next)
{
    for (; next->bundle < painter->bundles.len; next->bundle++) {
        const PvFlameBundleBox *bundle = &painter->bundles.data[next->bundle];
        int inset = pv_flame_inset_of_width (painter, bundle->right - bundle->left);
        if (bundle->top != top)
            break;
        paint_hatch (painter, raster, lines, bundle, inset, height - inset);
    }
    for (; next->match < painter->matches.len; next->match++) {
        const PvFlameMatch *match = &painter->matches.data[next->match];
        if (match->top != top)
            break;
        pv_raster_fill (raster, match->left, top, match->right, top + height,
                        lines->colors[PV_SHADE_MATCH_DIMMED * PV_N_HUES]);
    }
}

/* Paints the lines over the row's boxes from `first` to before `end`. */
static void
paint_stripes (const PvFlamePainter *painter, const PvRaster *raster, size_t first, size_t end,
               int height)
{
    for (size_t i = first; i < end; i++) {
        const PvFlameBox *box = &painter->boxes.data[i];
        if (!pv_flame_has_stripes (painter, box))
            continue;
        cairo_rectangle_int_t inside = pv_flame_get_inside (painter, box, height);
        pv_stripes_raster (raster, box->stripes, painter->drawn.device_scale, &inside,
                           pv_raster_pack (pv_flame_get_stripe_color (painter, box->color)));
    }
}

/* Paints the boxes and bundles of one row, and moves on to those of the next. */
static void
paint_row (const PvFlamePainter *painter, const PvRaster *raster, PvLines *lines, int top,
           PvNext *next)
{
    size_t n = (size_t)(raster->right - raster->left) * sizeof *lines->line;
    int row_height = (int)painter->drawn.row_height;
    int height = MAX (row_height - 1, 1);
    int inset = pv_flame_inset (painter);
    size_t first = next->box;

    memcpy (lines->line, lines->empty, n);
    memcpy (lines->border, lines->empty, inset > 0 ? n : 0);
    for (size_t i = next->bundle; inset > 0 && i < painter->bundles.len; i++) {
        if (painter->bundles.data[i].top != top)
            break;
        paint_bundle_borders (painter, raster, lines, &painter->bundles.data[i]);
    }
    for (; next->box < painter->boxes.len && painter->boxes.data[next->box].top == top; next->box++)
        paint_box (painter, raster, lines, &painter->boxes.data[next->box], inset > 0);
    if (inset > 0)
        copy_line (raster, lines->border, top, top + 1);
    copy_line (raster, lines->line, top + inset, top + height - inset);
    if (inset > 0)
        copy_line (raster, lines->border, top + height - 1, top + height);
    copy_line (raster, lines->empty, top + height, top + row_height);
    if (painter->has_stripes)
        paint_stripes (painter, raster, first, next->box, height);
    paint_bundles (painter, raster, lines, top, height, next);
}

bool
pv_flame_raster (PvFlamePainter *painter, cairo_t *cr)
{
    const PvFlameLayout *layout = &painter->drawn;
    PvRaster raster;
    uint32_t first, last;

    if (!pv_raster_init (&raster, cr, layout->device_scale))
        return false;
    if (raster.left >= raster.right || raster.top >= raster.bottom)
        return true;

    size_t width = (size_t)(raster.right - raster.left);
    uint32_t *buffer = g_new (uint32_t, 4 * width + (size_t)pv_flame_stripe_period (painter));
    PvLines lines = {.line = buffer,
                     .border = buffer + width,
                     .empty = buffer + 2 * width,
                     .stripes = buffer + 3 * width};
    make_stripes (painter, &raster, lines.stripes);
    const PvColor *colors = &painter->palette.fills[0][0];
    for (unsigned i = 0; i < PV_N_FLAME_COLORS; i++)
        lines.colors[i] = pv_raster_pack (colors[i]);
    fill_span (&raster, lines.empty, raster.left, raster.right,
               pv_raster_pack (painter->palette.background));

    int top = raster.bottom, bottom = raster.bottom; /* of all rows */
    if (pv_flame_layout_visible_levels (layout, &first, &last)) {
        PvNext next = {0, 0, 0};
        uint32_t upper = layout->is_flame ? last : first, lower = layout->is_flame ? first : last;
        top = (int)pv_flame_layout_row_top (layout, upper);
        bottom = (int)(pv_flame_layout_row_top (layout, lower) + layout->row_height);
        for (uint32_t level = first; level <= last; level++)
            paint_row (painter, &raster, &lines, (int)pv_flame_layout_row_top (layout, level),
                       &next);
    }
    copy_line (&raster, lines.empty, raster.top, top);
    copy_line (&raster, lines.empty, bottom, raster.bottom);
    g_free (buffer);
    cairo_surface_mark_dirty (cairo_get_group_target (cr));
    return true;
}
