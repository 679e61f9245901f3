#include <math.h>
#include <string.h>

#include "render/flame-painter.h"

/*
 * The boxes of a row look the same on each of its lines. Where the drawing goes straight into an
 * image, at whole pixels and under a rectangular clip, one line per row is painted and copied:
 * every pixel is written once, which is several times faster than painting the background and then
 * a path for each colour over it. The result is the same to the pixel. Any other target is left to
 * cairo.
 */
typedef struct {
    uint8_t *data;
    size_t stride;
    int x; /* of the drawing's origin, in pixels of the image */
    int y;
    int left; /* what may be written, in pixels of the drawing */
    int right;
    int top;
    int bottom;
} PvRaster;

static bool
to_whole (double value, int *ret_whole)
{
    double whole = round (value);
    if (!(fabs (value - whole) < 1e-3 && fabs (whole) < 1e6))
        return false;
    *ret_whole = (int)whole;
    return true;
}

/* The clip as one rectangle of the image's pixels. */
static bool
get_clip (cairo_t *cr, PvRaster *raster, double scale)
{
    cairo_rectangle_list_t *list = cairo_copy_clip_rectangle_list (cr);
    bool ok = list->status == CAIRO_STATUS_SUCCESS && list->num_rectangles <= 1;
    if (ok && list->num_rectangles == 1) {
        cairo_rectangle_t *r = &list->rectangles[0];
        ok = to_whole (r->x * scale, &raster->left) && to_whole (r->y * scale, &raster->top) &&
             to_whole ((r->x + r->width) * scale, &raster->right) &&
             to_whole ((r->y + r->height) * scale, &raster->bottom);
    }
    cairo_rectangle_list_destroy (list);
    return ok;
}

static bool
raster_init (PvRaster *raster, cairo_t *cr, double scale)
{
    cairo_surface_t *surface = cairo_get_group_target (cr);
    cairo_matrix_t matrix;
    double scale_x, scale_y, offset_x, offset_y;

    *raster = (PvRaster){0};
    if (cairo_surface_get_type (surface) != CAIRO_SURFACE_TYPE_IMAGE ||
        (cairo_image_surface_get_format (surface) != CAIRO_FORMAT_ARGB32 &&
         cairo_image_surface_get_format (surface) != CAIRO_FORMAT_RGB24) ||
        cairo_get_operator (cr) != CAIRO_OPERATOR_OVER)
        return false;
    cairo_get_matrix (cr, &matrix);
    cairo_surface_get_device_scale (surface, &scale_x, &scale_y);
    cairo_surface_get_device_offset (surface, &offset_x, &offset_y);
    if (matrix.xx != 1 || matrix.yy != 1 || matrix.xy != 0 || matrix.yx != 0 || scale_x != scale ||
        scale_y != scale || !to_whole (matrix.x0 * scale + offset_x, &raster->x) ||
        !to_whole (matrix.y0 * scale + offset_y, &raster->y) || !get_clip (cr, raster, scale))
        return false;
    cairo_surface_flush (surface);
    raster->data = cairo_image_surface_get_data (surface);
    raster->stride = (size_t)cairo_image_surface_get_stride (surface);
    /* The clip never exceeds the image; rounding must not either. */
    raster->left = MAX (raster->left, -raster->x);
    raster->top = MAX (raster->top, -raster->y);
    raster->right = MIN (raster->right, cairo_image_surface_get_width (surface) - raster->x);
    raster->bottom = MIN (raster->bottom, cairo_image_surface_get_height (surface) - raster->y);
    return raster->data != NULL;
}

/* As cairo and pixman round. */
static uint32_t
pack (PvColor color)
{
    const double channels[3] = {color.red, color.green, color.blue};
    uint32_t packed = 0xff;
    for (int i = 0; i < 3; i++) {
        uint32_t c = (uint32_t)(CLAMP (channels[i], 0, 1) * 65536);
        packed = packed << 8 | (c - (c >> 16)) >> 8;
    }
    return packed;
}

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
    uint32_t *line;   /* of the inside of the boxes */
    uint32_t *border; /* of their upper and lower edge, in high contrast */
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
        uint32_t border = pack (painter->palette.border);
        fill_span (raster, lines->border, box->left, box->right, border);
        fill_span (raster, lines->line, box->left, box->right, border);
    } else if (has_borders) {
        fill_span (raster, lines->border, box->left, right, color);
    }
    fill_span (raster, lines->line, box->left + inset, right, color);
}

/* Paints the runs and boxes of one row and copies them down; returns where the next row's begin. */
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
        fill_span (raster, lines->line, r->left, r->right, pack (pv_flame_run_color (painter, r)));
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

    if (!raster_init (&raster, cr, layout->device_scale))
        return false;
    if (raster.left >= raster.right || raster.top >= raster.bottom)
        return true;

    size_t width = (size_t)(raster.right - raster.left);
    uint32_t *buffer = g_new (uint32_t, 3 * width);
    PvLines lines = {.line = buffer, .border = buffer + width, .empty = buffer + 2 * width};
    const PvColor *colors = &painter->palette.fills[0][0];
    for (unsigned i = 0; i < PV_N_FLAME_COLORS; i++)
        lines.colors[i] = pack (colors[i]);
    fill_span (&raster, lines.empty, raster.left, raster.right, pack (painter->palette.background));

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
