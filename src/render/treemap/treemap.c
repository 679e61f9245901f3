/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "render/treemap/treemap.h"

#include <math.h>

#include "render/draw/raster.h"
#include "render/draw/shared-image.h"
#include "render/flame/value-colors.h"
#include "render/treemap/treemap-private.h"

enum {
    LABEL_PADDING = 4,     /* on either side, in pixels of the drawing */
    LABEL_LEAST_WIDTH = 9, /* boxes with less room have no text */
    BUNDLE_LABEL_LEAST_WIDTH = 60,
    LEAST_HATCH = 8, /* of pixels: smaller bundles have the colour that a hatch has from afar */
    BAND_BYTES = 1 << 19,   /* of pixels that are filled together */
    MATCH_BUDGET = 1 << 20, /* nodes in bundles searched for matches per drawing */
};

PvTreemap *
pv_treemap_new (const PangoFontDescription *font)
{
    PvTreemap *treemap = g_new0 (PvTreemap, 1);
    treemap->painter = pv_flame_painter_new (font);
    return treemap;
}

void
pv_treemap_free (PvTreemap *treemap)
{
    if (treemap == NULL)
        return;
    pv_flame_painter_free (treemap->painter);
    pv_array_clear (&treemap->boxes);
    pv_array_clear (&treemap->colors);
    pv_array_clear (&treemap->outlines);
    g_free (treemap);
}

void
pv_treemap_forget (PvTreemap *treemap)
{
    g_assert (treemap != NULL);
    treemap->shape = (PvTreemapShape){0};
    treemap->boxes.len = 0;
}

static bool
is_same_shape (const PvTreemapShape *a, const PvTreemapShape *b)
{
    return a->tree == b->tree && a->root == b->root && a->width == b->width &&
           a->height == b->height && a->header == b->header && a->scale == b->scale;
}

void
pv_treemap_prepare (PvTreemap *treemap, const PvCallTree *tree, const PvFlameView *view)
{
    g_assert (treemap != NULL && tree != NULL && view != NULL);

    const double scale = view->device_scale > 0 && view->device_scale < 64 ? view->device_scale : 1;
    const PvTreemapShape shape = {
        .tree = tree,
        .root = view->zoom_node < tree->n_nodes ? view->zoom_node : 0,
        .width = view->width > 0 ? (int)MIN (round (view->width * scale), 1e6) : 0,
        .height = view->height > 0 ? (int)MIN (round (view->height * scale), 1e6) : 0,
        .header = (int)round (pv_flame_painter_get_row_height (treemap->painter) * scale),
        .scale = scale,
    };
    pv_flame_painter_prepare (treemap->painter, tree, view);
    if (is_same_shape (&shape, &treemap->shape))
        return;
    treemap->shape = shape;
    pv_treemap_layout (&shape, &treemap->boxes);
}

/* Colors */

/* True if a search finds a node of the bundle; budget bounds the time. */
static bool
has_match (const PvCallTree *tree, const PvFlameView *view, const PvTreemapBox *box,
           uint32_t *budget)
{
    uint32_t n = MIN (box->last - box->first + 1, *budget);
    for (PvNodeId node = box->first; view->is_match != NULL && node < box->first + n; node++) {
        PvFunctionId function = tree->function_of_node[node];
        (*budget)--;
        if (function != 0 && view->is_match[function])
            return true;
    }
    return false;
}

static void
color_boxes (PvTreemap *treemap, const PvFlameView *view)
{
    const PvCallTree *tree = treemap->shape.tree;
    uint32_t budget = MATCH_BUDGET;
    pv_flame_painter_choose_lines (treemap->painter, view);
    pv_array_resize (&treemap->colors, treemap->boxes.len);
    for (size_t i = 0; i < treemap->boxes.len; i++) {
        const PvTreemapBox *box = &treemap->boxes.data[i];
        if (box->kind != PV_TREEMAP_BUNDLE)
            treemap->colors.data[i] = pv_flame_color_of_width (
                treemap->painter,
                pv_flame_painter_color_node (treemap->painter, tree, view, box->first, false),
                MIN (box->right - box->left, box->bottom - box->top));
        else
            treemap->colors.data[i] =
                has_match (tree, view, box, &budget) ? PV_SHADE_MATCH_DIMMED * PV_N_HUES : 0;
    }
}

/* Drawing */

typedef struct {
    PvTreemap *treemap;
    cairo_t *cr; /* in device pixels while boxes are filled */
    PvRaster raster;
    bool has_raster;
} Canvas;

static void
fill (Canvas *canvas, const cairo_rectangle_int_t *area, PvColor color)
{
    if (area->width <= 0 || area->height <= 0)
        return;
    if (canvas->has_raster) {
        pv_raster_fill (&canvas->raster, area->x, area->y, area->x + area->width,
                        area->y + area->height, pv_raster_pack (color));
        return;
    }
    cairo_rectangle (canvas->cr, area->x, area->y, area->width, area->height);
    pv_color_set_source (canvas->cr, color, 1);
    cairo_fill (canvas->cr);
}

static void
fill_stripes (Canvas *canvas, const cairo_rectangle_int_t *area, PvStripes stripes, PvColor color)
{
    const double scale = canvas->treemap->shape.scale;
    if (canvas->has_raster) {
        pv_stripes_raster (&canvas->raster, stripes, scale, area, pv_raster_pack (color));
        return;
    }
    pv_color_set_source (canvas->cr, color, 1);
    pv_stripes_draw (canvas->cr, stripes, scale, area, canvas->treemap->painter->is_vector);
}

/* A frame inside of an area. */
static void
fill_frame (Canvas *canvas, const cairo_rectangle_int_t *area, PvColor color)
{
    const int right = area->x + area->width - 1, bottom = area->y + area->height - 1;
    fill (canvas, &(cairo_rectangle_int_t){area->x, area->y, area->width, 1}, color);
    fill (canvas, &(cairo_rectangle_int_t){area->x, bottom, area->width, 1}, color);
    fill (canvas, &(cairo_rectangle_int_t){area->x, area->y, 1, area->height}, color);
    fill (canvas, &(cairo_rectangle_int_t){right, area->y, 1, area->height}, color);
}

static void
fill_bundle (Canvas *canvas, const cairo_rectangle_int_t *area, unsigned color)
{
    const PvFlamePainter *painter = canvas->treemap->painter;
    if (color != 0) {
        fill (canvas, area, painter->palette.fills[color / PV_N_HUES][color % PV_N_HUES]);
        return;
    }
    if (area->width < LEAST_HATCH || area->height < LEAST_HATCH) {
        fill (canvas, area, pv_color_mix (painter->hatch->ground, painter->hatch->stripe, 0.33));
        return;
    }
    fill (canvas, area, painter->hatch->ground);
    fill_stripes (canvas, area, PV_STRIPES_RISING, painter->hatch->stripe);
}

/* How a part of a box is filled. */
typedef struct {
    PvColor color;
    PvStripes stripes;
    PvColor stripe_color;
} Filling;

static void
fill_part (Canvas *canvas, int left, int top, int right, int bottom, const Filling *filling)
{
    const cairo_rectangle_int_t area = {left, top, right - left, bottom - top};
    fill (canvas, &area, filling->color);
    if (filling->stripes != PV_STRIPES_NONE && area.width >= 4 && area.height >= 4)
        fill_stripes (canvas, &area, filling->stripes, filling->stripe_color);
}

/* Leaves a line free at the right and lower edge of a node's own part, as boxes do. */
static void
fill_own_lines (Canvas *canvas, const PvTreemapPart *own)
{
    const PvColor color = canvas->treemap->painter->palette.background;
    const int width = own->right - own->left, height = own->bottom - own->top;
    if (width <= 0 || height <= 0)
        return;
    fill (canvas, &(cairo_rectangle_int_t){own->right - 1, own->top, 1, height}, color);
    fill (canvas, &(cairo_rectangle_int_t){own->left, own->bottom - 1, width, 1}, color);
}

/* Only what the boxes inside do not cover: with dozens of them inside of each other, the others'
 * pixels would be most of the work. */
static void
fill_around (Canvas *canvas, const PvTreemapBox *box, const cairo_rectangle_int_t *area,
             const Filling *filling)
{
    const int right = area->x + area->width, bottom = area->y + area->height;
    const PvTreemapPart *inside = &box->inside, *own = &box->own;
    fill_part (canvas, area->x, area->y, right, inside->top, filling);
    fill_part (canvas, area->x, inside->bottom, right, bottom, filling);
    fill_part (canvas, area->x, inside->top, inside->left, inside->bottom, filling);
    fill_part (canvas, inside->right, inside->top, right, inside->bottom, filling);
    fill_part (canvas, own->left, own->top, own->right - 1, own->bottom - 1, filling);
    fill_own_lines (canvas, own);
}

static void
fill_box (Canvas *canvas, size_t index, const PvFlameView *view)
{
    const PvTreemap *treemap = canvas->treemap;
    const PvTreemapBox *box = &treemap->boxes.data[index];
    const PvPalette *palette = &treemap->painter->palette;
    const PvColor *border = treemap->painter->border;
    const unsigned color = treemap->colors.data[index];
    cairo_rectangle_int_t area = pv_treemap_get_inside (box);
    Filling filling = {.color = palette->fills[color / PV_N_HUES][color % PV_N_HUES]};

    if (border != NULL && area.width >= PV_FLAME_LEAST_BORDERED &&
        area.height >= PV_FLAME_LEAST_BORDERED) {
        fill_frame (canvas, &area, *border);
        area = (cairo_rectangle_int_t){area.x + 1, area.y + 1, area.width - 2, area.height - 2};
    }
    if (box->kind == PV_TREEMAP_BUNDLE) {
        fill_bundle (canvas, &area, color);
        return;
    }
    if (pv_color_is_by_change (view->colors) && view->values != NULL) {
        filling.stripes = pv_change_find_stripes (view->values, treemap->shape.tree, box->first);
        filling.stripe_color = pv_flame_get_stripe_color (treemap->painter, color);
    }
    if (box->is_open && box->is_covered)
        fill_around (canvas, box, &area, &filling);
    else
        fill_part (canvas, area.x, area.y, area.x + area.width, area.y + area.height, &filling);
}

/* Lines of the background around a box separate it from its siblings and from the box around it.
 * Siblings at its left or above it have such a line already. */
static void
fill_lines (Canvas *canvas, const PvTreemapBox *box, const PvTreemapBox *parent, PvColor color)
{
    const int left = MAX (box->left - 1, parent->left), top = MAX (box->top - 1, parent->top);
    const int right = MIN (box->right, parent->right - 1) - 1;
    const int bottom = MIN (box->bottom, parent->bottom - 1) - 1;
    const bool is_inside = parent->is_open;
    if (!is_inside || box->left <= parent->inside.left)
        fill (canvas, &(cairo_rectangle_int_t){left, top, 1, bottom + 1 - top}, color);
    if (!is_inside || box->top <= parent->inside.top)
        fill (canvas, &(cairo_rectangle_int_t){left, top, right + 1 - left, 1}, color);
    fill (canvas, &(cairo_rectangle_int_t){right, top, 1, bottom + 1 - top}, color);
    fill (canvas, &(cairo_rectangle_int_t){left, bottom, right + 1 - left, 1}, color);
}

/* Every box lies over the one that it is in. */
static void
fill_boxes (Canvas *canvas, const PvFlameView *view)
{
    const PvTreemap *treemap = canvas->treemap;
    const PvPalette *palette = &treemap->painter->palette;
    const cairo_rectangle_int_t all = {0, 0, treemap->shape.width, treemap->shape.height};
    fill (canvas, &all, palette->background);
    for (size_t i = 0; i < treemap->boxes.len; i++) {
        const PvTreemapBox *box = &treemap->boxes.data[i];
        const PvTreemapBox *parent = &treemap->boxes.data[box->parent];
        if (canvas->has_raster &&
            (box->top - 1 >= canvas->raster.bottom || box->bottom <= canvas->raster.top))
            continue;
        if (i > 0)
            fill_lines (canvas, box, parent, palette->background);
        fill_box (canvas, i, view);
    }
}

/* Boxes of the same depth lie all over the picture: band by band, its pixels stay in the cache. */
static void
fill_bands (Canvas *canvas, const PvFlameView *view)
{
    const int top = canvas->raster.top, bottom = canvas->raster.bottom;
    const int height = MAX (BAND_BYTES / MAX (4 * canvas->treemap->shape.width, 1), 16);
    for (int y = top; y < bottom; y += height) {
        canvas->raster.top = y;
        canvas->raster.bottom = MIN (y + height, bottom);
        fill_boxes (canvas, view);
    }
    canvas->raster.top = top;
    canvas->raster.bottom = bottom;
}

static double
find_baseline (const PvTreemap *treemap)
{
    const PvGlyphFont *font = treemap->painter->font;
    const double scale = treemap->shape.scale;
    const double middle = (treemap->shape.header - 1) / scale / 2;
    const double rise = pv_glyph_font_get_ascent (font) - pv_glyph_font_get_descent (font);
    return floor ((middle + rise / 2) * scale + 0.5) / scale;
}

/* "37 small functions", if there is room for all of it. */
static void
draw_bundle_label (PvTreemap *treemap, cairo_t *cr, const PvTreemapBox *box, double x, double y,
                   double room)
{
    PvGlyphFont *font = treemap->painter->font;
    const PvFlameBundle bundle = {box->first, box->last};
    if (room < BUNDLE_LABEL_LEAST_WIDTH || box->has_gaps)
        return;
    g_autofree char *text = pv_flame_bundle_format (treemap->shape.tree, &bundle);
    pv_color_set_source (cr, treemap->painter->palette.texts[PV_SHADE_NORMAL], 1);
    if (pv_glyph_font_measure_text (font, text) <= room)
        pv_glyph_font_show_text (font, cr, text, x, y, room);
}

/* A box has its name at the top, unless segments say it, or there are boxes without a header in
 * it. */
static void
draw_label (PvTreemap *treemap, cairo_t *cr, size_t index)
{
    const PvTreemapBox *box = &treemap->boxes.data[index];
    const double scale = treemap->shape.scale;
    const double x = box->left / scale + LABEL_PADDING;
    const double y = box->top / scale + find_baseline (treemap);
    const double room = (box->right - box->left - 1) / scale - 2 * LABEL_PADDING + 1;
    const unsigned state = treemap->colors.data[index] / PV_N_HUES;
    const bool has_segments = box->kind == PV_TREEMAP_NODE && box->first != box->last;

    if (box->bottom - box->top < treemap->shape.header || room < LABEL_LEAST_WIDTH)
        return;
    if (box->kind == PV_TREEMAP_BUNDLE) {
        if (treemap->painter->hatch != &treemap->painter->palette.faded_hatch)
            draw_bundle_label (treemap, cr, box, x, y, room);
        return;
    }
    if (box->kind == PV_TREEMAP_HIDDEN) {
        pv_color_set_source (cr, treemap->painter->palette.texts[state], 1);
        pv_glyph_font_show_text (treemap->painter->font, cr, "…", x, y, room);
        return;
    }
    if (box->header > 0 ? !has_segments : !box->is_open)
        pv_flame_painter_add_label (treemap->painter, cr, treemap->shape.tree, box->first, state, x,
                                    y, room);
}

static void
frame_selected (PvTreemap *treemap, cairo_t *cr, const PvFlameView *view)
{
    const PvPalette *palette = &treemap->painter->palette;
    PvFlameOutline outline = {
        .thickness = palette->is_high_contrast ? 3 : 2, .color = palette->selection, .alpha = 1};
    bool is_own = false;
    const uint32_t index =
        pv_treemap_find_node (&treemap->shape, &treemap->boxes, view->selected, &is_own);
    if (index == UINT32_MAX)
        return;
    const cairo_rectangle_int_t inside = pv_treemap_get_inside (&treemap->boxes.data[index]);
    const double scale = treemap->shape.scale;
    outline.box = (cairo_rectangle_t){inside.x / scale, inside.y / scale, inside.width / scale,
                                      inside.height / scale};
    if (!is_own)
        outline.thickness /= 2;
    pv_flame_draw_outlines (cr, &outline, 1);
}

static void
draw_prepared (PvTreemap *treemap, cairo_t *cr, const PvFlameView *view)
{
    const double scale = treemap->shape.scale;
    Canvas canvas = {.treemap = treemap, .cr = cr};
    cairo_save (cr);
    cairo_rectangle (cr, 0, 0, treemap->shape.width / scale, treemap->shape.height / scale);
    cairo_clip (cr);
    canvas.has_raster = !treemap->painter->is_vector && pv_raster_init (&canvas.raster, cr, scale);
    cairo_save (cr);
    cairo_scale (cr, 1 / scale, 1 / scale);
    if (canvas.has_raster)
        fill_bands (&canvas, view);
    else
        fill_boxes (&canvas, view);
    cairo_restore (cr);
    if (canvas.has_raster)
        cairo_surface_mark_dirty (cairo_get_group_target (cr));
    for (size_t i = 0; i < treemap->boxes.len; i++)
        draw_label (treemap, cr, i);
    pv_flame_painter_show_labels (treemap->painter, cr);
    if (view->selected != PV_NODE_NONE)
        frame_selected (treemap, cr, view);
    cairo_restore (cr);
}

void
pv_treemap_draw (PvTreemap *treemap, cairo_t *cr, const PvCallTree *tree, const PvFlameView *view)
{
    g_assert (cr != NULL);

    pv_treemap_prepare (treemap, tree, view);
    color_boxes (treemap, view);
    draw_prepared (treemap, cr, view);
}

cairo_surface_t *
pv_treemap_draw_image (PvTreemap *treemap, const PvCallTree *tree, const PvFlameView *view)
{
    pv_treemap_prepare (treemap, tree, view);
    color_boxes (treemap, view);
    cairo_t *cr = pv_shared_image_begin (treemap->painter->images, treemap->shape.width,
                                         treemap->shape.height, treemap->shape.scale);
    draw_prepared (treemap, cr, view);
    return pv_shared_image_end (cr);
}

/* Hover */

static const PvTreemapBox *
box_at (PvTreemap *treemap, const PvCallTree *tree, const PvFlameView *view, double x, double y)
{
    if (!(fabs (x) < 1e6 && fabs (y) < 1e6))
        return NULL;
    pv_treemap_prepare (treemap, tree, view);
    const double scale = treemap->shape.scale;
    const uint32_t index =
        pv_treemap_find_at (&treemap->boxes, (int)floor (x * scale), (int)floor (y * scale));
    return index != UINT32_MAX ? &treemap->boxes.data[index] : NULL;
}

PvNodeId
pv_treemap_hit (PvTreemap *treemap, const PvCallTree *tree, const PvFlameView *view, double x,
                double y)
{
    const PvTreemapBox *box = box_at (treemap, tree, view, x, y);
    if (box == NULL)
        return PV_NODE_NONE;
    return box->has_gaps ? treemap->boxes.data[box->parent].first : box->first;
}

bool
pv_treemap_find_bundle (PvTreemap *treemap, const PvCallTree *tree, const PvFlameView *view,
                        double x, double y, PvFlameBundle *ret_bundle)
{
    g_assert (ret_bundle != NULL);
    const PvTreemapBox *box = box_at (treemap, tree, view, x, y);
    if (box == NULL || box->kind != PV_TREEMAP_BUNDLE || box->has_gaps)
        return false;
    *ret_bundle = (PvFlameBundle){box->first, box->last};
    return true;
}

static cairo_rectangle_t
to_drawing (const PvTreemap *treemap, const PvTreemapBox *box)
{
    const cairo_rectangle_int_t inside = pv_treemap_get_inside (box);
    const double scale = treemap->shape.scale;
    return (cairo_rectangle_t){inside.x / scale, inside.y / scale, inside.width / scale,
                               inside.height / scale};
}

bool
pv_treemap_get_box (PvTreemap *treemap, const PvCallTree *tree, const PvFlameView *view,
                    PvNodeId node, cairo_rectangle_t *ret_box)
{
    g_assert (ret_box != NULL);
    pv_treemap_prepare (treemap, tree, view);
    const uint32_t index = pv_treemap_find_node (&treemap->shape, &treemap->boxes, node, NULL);
    if (index == UINT32_MAX)
        return false;
    *ret_box = to_drawing (treemap, &treemap->boxes.data[index]);
    return true;
}

size_t
pv_treemap_get_outlines (PvTreemap *treemap, const PvCallTree *tree, const PvFlameView *view,
                         PvNodeId hovered, const PvFlameOutline **ret_outlines)
{
    g_assert (ret_outlines != NULL);
    pv_treemap_prepare (treemap, tree, view);
    const PvPalette *palette = &treemap->painter->palette;
    const PvColor shade = palette->is_dark ? (PvColor){1, 1, 1} : (PvColor){0, 0, 0};
    const uint32_t own = pv_treemap_find_node (&treemap->shape, &treemap->boxes, hovered, NULL);

    treemap->outlines.len = 0;
    *ret_outlines = NULL;
    if (own == UINT32_MAX)
        return 0;
    const PvFlameOutline first = {.box = to_drawing (treemap, &treemap->boxes.data[own]),
                                  .thickness = 1.5,
                                  .color = palette->selection,
                                  .alpha = 0.85,
                                  .shade = shade,
                                  .shade_alpha = 0.07,
                                  .is_hovered = true};
    pv_array_push (&treemap->outlines, first);
    const PvFunctionId function = tree->function_of_node[hovered];
    for (uint32_t i = 0; function != 0 && i < treemap->boxes.len; i++) {
        const PvTreemapBox *box = &treemap->boxes.data[i];
        const bool is_one = box->kind == PV_TREEMAP_SEGMENT ||
                            (box->kind == PV_TREEMAP_NODE && box->first == box->last);
        if (i == own || !is_one || tree->function_of_node[box->first] != function)
            continue;
        const PvFlameOutline other = {.box = to_drawing (treemap, box),
                                      .thickness = 1,
                                      .color = palette->selection,
                                      .alpha = 0.45};
        pv_array_push (&treemap->outlines, other);
    }
    *ret_outlines = treemap->outlines.data;
    return treemap->outlines.len;
}
