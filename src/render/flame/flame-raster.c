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
    uint32_t *border; /* for their upper and lower edge, in high contrast */
    uint32_t *empty;
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
        uint32_t border = pv_raster_pack (painter->palette.border);
        fill_span (raster, lines->border, box->left, box->right, border);
        fill_span (raster, lines->line, box->left, box->right, border);
    } else if (has_borders) {
        fill_span (raster, lines->border, box->left, right, color);
    }
    fill_span (raster, lines->line, box->left + inset, right, color);
}

/* Paints the runs and boxes of one row and copies them down; *run and *box become the start of the
 * next row's. */
static void
paint_row (const PvFlamePainter *painter, const PvRaster *raster, PvLines *lines, int top,
           size_t *run, size_t *box)
{
    size_t n = (size_t)(raster->right - raster->left) * sizeof *lines->line;
    int row_height = (int)painter->drawn.row_height;
    int height = MAX (row_height - 1, 1);
    int inset = pv_flame_inset (painter);

    memcpy (lines->line, lines->empty, n);
    for (; *run < painter->runs.len && painter->runs.data[*run].top == top; ++*run) {
        const PvFlameRun *r = &painter->runs.data[*run];
        fill_span (raster, lines->line, r->left, r->right, lines->colors[r->color]);
    }
    if (inset > 0)
        memcpy (lines->border, lines->line, n);
    for (; *box < painter->boxes.len && painter->boxes.data[*box].top == top; ++*box)
        paint_box (painter, raster, lines, &painter->boxes.data[*box], inset > 0);
    if (inset > 0)
        copy_line (raster, lines->border, top, top + 1);
    copy_line (raster, lines->line, top + inset, top + height - inset);
    if (inset > 0)
        copy_line (raster, lines->border, top + height - 1, top + height);
    copy_line (raster, lines->empty, top + height, top + row_height);
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
    uint32_t *buffer = g_new (uint32_t, 3 * width);
    PvLines lines = {.line = buffer, .border = buffer + width, .empty = buffer + 2 * width};
    const PvColor *colors = &painter->palette.fills[0][0];
    for (unsigned i = 0; i < PV_N_FLAME_COLORS; i++)
        lines.colors[i] = pv_raster_pack (colors[i]);
    fill_span (&raster, lines.empty, raster.left, raster.right,
               pv_raster_pack (painter->palette.background));

    int top = raster.bottom, bottom = raster.bottom; /* of all rows */
    if (pv_flame_layout_visible_levels (layout, &first, &last)) {
        size_t run = 0, box = 0;
        uint32_t upper = layout->is_flame ? last : first, lower = layout->is_flame ? first : last;
        top = (int)pv_flame_layout_row_top (layout, upper);
        bottom = (int)(pv_flame_layout_row_top (layout, lower) + layout->row_height);
        for (uint32_t level = first; level <= last; level++)
            paint_row (painter, &raster, &lines, (int)pv_flame_layout_row_top (layout, level), &run,
                       &box);
    }
    copy_line (&raster, lines.empty, raster.top, top);
    copy_line (&raster, lines.empty, bottom, raster.bottom);
    g_free (buffer);
    cairo_surface_mark_dirty (cairo_get_group_target (cr));
    return true;
}
