/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "render/flame/flame-graph.h"

#include <math.h>
#include <string.h>

#include "render/draw/function-label.h"
#include "render/draw/shared-image.h"
#include "render/flame/flame-graph-private.h"
#include "render/flame/value-colors.h"

enum {
    ROW_PADDING = 4,
    LABEL_PADDING = 4,     /* on either side, in pixels of the drawing */
    LABEL_LEAST_WIDTH = 9, /* boxes with less room have no text */
    BUNDLE_LABEL_LEAST_WIDTH = 60,
    MATCH_BUDGET = 1 << 20, /* nodes in bundles searched for matches per drawing */
};

void
pv_flame_view_init (PvFlameView *view)
{
    g_assert (view != NULL);

    *view = (PvFlameView){
        .zoom_right = 1,
        .selected = PV_NODE_NONE,
        .device_scale = 1,
    };
}

PvFlamePainter *
pv_flame_painter_new (const PangoFontDescription *font)
{
    PvFlamePainter *painter = g_new0 (PvFlamePainter, 1);
    painter->font = pv_glyph_font_new (font);
    painter->strings = pv_arena_new ();
    /* Computed once, so that it is the same at every scale and in every format. */
    painter->row_height = ceil (pv_glyph_font_get_ascent (painter->font) +
                                pv_glyph_font_get_descent (painter->font)) +
                          ROW_PADDING;
    return painter;
}

static void
drop_functions (PvFlamePainter *painter)
{
    g_clear_pointer (&painter->hue_of_function, g_free);
    g_clear_pointer (&painter->names, g_free);
    if (painter->symbols != NULL)
        pv_symbol_table_free ((PvSymbolTable *)painter->symbols);
    painter->symbols = NULL;
}

void
pv_flame_painter_free (PvFlamePainter *painter)
{
    if (painter == NULL)
        return;
    drop_functions (painter);
    for (size_t i = 0; i < G_N_ELEMENTS (painter->images); i++)
        g_clear_pointer (&painter->images[i], cairo_surface_destroy);
    pv_glyph_font_free (painter->font);
    pv_arena_free (painter->strings);
    pv_array_clear (&painter->boxes);
    pv_array_clear (&painter->bundles);
    pv_array_clear (&painter->matches);
    pv_array_clear (&painter->spans);
    pv_array_clear (&painter->spans_above);
    pv_array_clear (&painter->ancestors);
    pv_array_clear (&painter->order);
    pv_array_clear (&painter->outlines);
    for (int i = 0; i < PV_N_SHADE_STATES; i++)
        pv_glyph_run_clear (&painter->glyphs[i]);
    g_free (painter);
}

double
pv_flame_painter_get_row_height (PvFlamePainter *painter)
{
    return painter->row_height;
}

/* True if the measure is of a heap: in bytes, or in the same set as one in bytes. */
static bool
is_heap_measure (const PvProfile *profile, PvMeasureId measure)
{
    if (!pv_profile_has_weights (profile, measure))
        return false;
    if (profile->heap != NULL)
        return true;
    for (uint32_t i = 0; i < profile->n_measures; i++)
        if (profile->measures[i].set == profile->measures[measure].set &&
            profile->measures[i].unit == PV_UNIT_BYTES)
            return true;
    return false;
}

static void
prepare_functions (PvFlamePainter *painter, const PvSymbolTable *symbols, PvColorScheme scheme)
{
    if (painter->symbols != symbols) {
        drop_functions (painter);
        pv_arena_free (painter->strings);
        painter->strings = pv_arena_new ();
        painter->symbols = pv_symbol_table_ref (symbols);
    }
    if (painter->hue_of_function == NULL || painter->scheme != scheme) {
        g_free (painter->hue_of_function);
        painter->hue_of_function = g_new0 (uint8_t, symbols->n_functions + 1);
        painter->scheme = scheme;
    }
    unsigned generation = pv_glyph_font_get_generation (painter->font);
    if (painter->names == NULL || painter->font_generation != generation) {
        g_free (painter->names);
        painter->names = g_new0 (PvLabelName, symbols->n_functions + 1);
        painter->font_generation = generation;
    }
}

void
pv_flame_painter_prepare (PvFlamePainter *painter, const PvCallTree *tree, const PvFlameView *view)
{
    bool is_heap = is_heap_measure (tree->profile, tree->query.measure);
    pv_palette_update (&painter->palette, view->is_dark, view->is_high_contrast, is_heap);
    pv_glyph_font_set_scale (painter->font, painter->is_vector ? 0 : view->device_scale);
    prepare_functions (painter, tree->symbols, view->colors);
}

void
pv_flame_painter_layout (PvFlamePainter *painter, const PvCallTree *tree, const PvFlameView *view,
                         PvFlameLayout *ret_layout)
{
    pv_flame_layout_init (ret_layout, tree, view, pv_flame_painter_get_row_height (painter));
}

static uint8_t
hue_of_function (PvFlamePainter *painter, const PvCallTree *tree, PvFunctionId function)
{
    if (function >= tree->symbols->n_functions)
        function = 0;
    uint8_t *known = &painter->hue_of_function[function];
    if (*known == 0)
        *known = pv_palette_hue (tree->profile, tree->symbols, function, painter->scheme) + 1;
    return *known - 1;
}

uint16_t
pv_flame_painter_color_node (PvFlamePainter *painter, const PvCallTree *tree,
                             const PvFlameView *view, PvNodeId node, bool is_ancestor)
{
    PvFunctionId function = tree->function_of_node[node];
    bool is_by_change = pv_color_is_by_change (view->colors);
    bool is_by_value = view->colors == PV_COLOR_BY_VALUE || is_by_change;
    unsigned hue = is_by_change  ? pv_change_hue (view->values, tree, node, view->colors)
                   : is_by_value ? pv_value_hue (view->values, tree, node)
                                 : hue_of_function (painter, tree, function);
    const PvFrame *frame = tree->frame_of_node[node];
    bool is_inlined = frame != NULL && frame->is_inlined;
    PvShadeState state = is_inlined && !is_by_value ? PV_SHADE_INLINED : PV_SHADE_NORMAL;

    if (is_inlined && view->colors == PV_COLOR_BY_KIND) {
        hue = (PV_FAMILY_KIND + 3) * PV_N_SHADES + hue % PV_N_SHADES;
        state = PV_SHADE_NORMAL;
    }
    if (view->is_match != NULL && function != 0 && view->is_match[function])
        state = is_ancestor ? PV_SHADE_MATCH_DIMMED : PV_SHADE_MATCH;
    else if (view->is_match != NULL)
        state = PV_SHADE_FADED;
    else if (is_ancestor)
        state = PV_SHADE_DIMMED;
    return (uint16_t)(state * PV_N_HUES + hue);
}

/* Finds the callers of the zoomed node, root first: one per level. */
static void
find_ancestors (PvFlamePainter *painter, const PvCallTree *tree, const PvFlameView *view)
{
    painter->ancestors.len = 0;
    if (view->zoom_node == 0 || view->zoom_node >= tree->n_nodes)
        return;
    uint32_t level = pv_call_tree_get_level (tree, view->zoom_node);
    pv_array_resize (&painter->ancestors, level);
    PvNodeId node = view->zoom_node;
    while (level-- > 0 && (node = tree->parent_of_node[node]) < tree->n_nodes)
        painter->ancestors.data[level] = node;
}

/* Marks the pixels of a bundle that contain a match, whatever else is in them. */
static void
add_matches (PvFlamePainter *painter, const PvFlameLayout *layout, const PvFlameView *view,
             const PvFlameBundleBox *bundle, uint32_t *budget)
{
    const PvCallTree *tree = layout->tree;
    PvFlameMatch match = {.top = bundle->top};
    uint32_t n = MIN (bundle->nodes.last - bundle->nodes.first + 1, *budget);
    *budget -= n;
    for (PvNodeId node = bundle->nodes.first; node < bundle->nodes.first + n; node++) {
        PvFunctionId function = tree->function_of_node[node];
        if (function == 0 || !view->is_match[function])
            continue;
        int left = (int)MAX (floor (pv_flame_layout_left (layout, node)), bundle->left);
        int right = (int)MIN (ceil (pv_flame_layout_right (layout, node)), bundle->right);
        right = MAX (right, left + 1);
        if (left >= bundle->right)
            break;
        if (left > match.right && match.right > match.left)
            pv_array_push (&painter->matches, match);
        if (left > match.right || match.right == match.left)
            match.left = left;
        match.right = MAX (match.right, right);
    }
    if (match.right > match.left)
        pv_array_push (&painter->matches, match);
}

/* Replaces the ancestor flag by the colour. In a second pass, because in large trees each node
 * costs a cache miss or two, which prefetching hides. */
static void
color_boxes (PvFlamePainter *painter, const PvCallTree *tree, const PvFlameView *view)
{
    enum { AHEAD = 12 };
    PvFlameBox *boxes = painter->boxes.data;
    size_t n = painter->boxes.len;
    for (size_t i = 0; i < n; i++) {
        if (i + AHEAD < n) {
            __builtin_prefetch (&tree->function_of_node[boxes[i + AHEAD].node]);
            __builtin_prefetch (&tree->frame_of_node[boxes[i + AHEAD].node]);
        }
        if (i + AHEAD / 2 < n && tree->frame_of_node[boxes[i + AHEAD / 2].node] != NULL)
            __builtin_prefetch (tree->frame_of_node[boxes[i + AHEAD / 2].node]);
        boxes[i].color = pv_flame_color_of_width (
            painter,
            pv_flame_painter_color_node (painter, tree, view, boxes[i].node, boxes[i].color),
            boxes[i].right - boxes[i].left);
        if (painter->has_stripes)
            boxes[i].stripes = (uint8_t)pv_change_find_stripes (view->values, tree, boxes[i].node);
    }
}

void
pv_flame_painter_choose_lines (PvFlamePainter *painter, const PvFlameView *view)
{
    painter->hatch = view->is_match != NULL                 ? &painter->palette.faded_hatch
                     : pv_color_is_by_change (view->colors) ? &painter->palette.grey_hatch
                                                            : &painter->palette.hatch;
    painter->border = painter->palette.is_high_contrast ? &painter->palette.border
                      : view->is_match != NULL          ? &painter->palette.faded_border
                                                        : NULL;
}

/* Finds everything to draw: the boxes and bundles of the visible rows. */
static void
collect (PvFlamePainter *painter, const PvFlameLayout *layout, const PvFlameView *view)
{
    const PvCallTree *tree = layout->tree;
    uint32_t first, last, budget = MATCH_BUDGET;

    painter->boxes.len = painter->bundles.len = painter->matches.len = painter->spans.len = 0;
    pv_flame_painter_choose_lines (painter, view);
    painter->has_stripes = pv_color_is_by_change (view->colors) && view->values != NULL &&
                           view->values->marks_of_node != NULL;
    painter->drawn = *layout;
    find_ancestors (painter, tree, view);
    if (!pv_flame_layout_visible_levels (layout, &first, &last))
        return;
    if (first > 0) {
        pv_flame_collect_level (painter, layout, first - 1, PV_NODE_NONE);
        painter->boxes.len = painter->bundles.len = 0;
    }
    for (uint32_t level = first; level <= last; level++) {
        size_t n_bundles = painter->bundles.len;
        pv_flame_collect_level (painter, layout, level,
                                level < painter->ancestors.len ? painter->ancestors.data[level]
                                                               : PV_NODE_NONE);
        for (size_t i = n_bundles; view->is_match != NULL && i < painter->bundles.len; i++)
            add_matches (painter, layout, view, &painter->bundles.data[i], &budget);
    }
    color_boxes (painter, tree, view);
}

/* Sorts boxes by colour, so that each colour is one path and one fill: painter->order gets their
 * indexes. */
static void
sort_by_color (PvFlamePainter *painter, uint32_t ret_end[PV_N_FLAME_COLORS])
{
    uint32_t sum = 0, n = (uint32_t)painter->boxes.len;
    memset (ret_end, 0, PV_N_FLAME_COLORS * sizeof *ret_end);
    for (uint32_t i = 0; i < n; i++)
        ret_end[painter->boxes.data[i].color]++;
    for (unsigned color = 0; color < PV_N_FLAME_COLORS; color++) {
        uint32_t count = ret_end[color];
        ret_end[color] = sum;
        sum += count;
    }
    pv_array_reserve (&painter->order, n);
    for (uint32_t i = 0; i < n; i++)
        painter->order.data[ret_end[painter->boxes.data[i].color]++] = i;
}

static void
fill_matches (PvFlamePainter *painter, cairo_t *cr, int height)
{
    for (size_t i = 0; i < painter->matches.len; i++) {
        const PvFlameMatch *match = &painter->matches.data[i];
        cairo_rectangle (cr, match->left, match->top, match->right - match->left, height);
    }
    pv_color_set_source (cr, painter->palette.fills[PV_SHADE_MATCH_DIMMED][0], 1);
    cairo_fill (cr);
}

/* Every box that is wide enough gets a border, drawn as a box below it. */
static void
fill_borders (PvFlamePainter *painter, cairo_t *cr, int height)
{
    for (size_t i = 0; i < painter->boxes.len; i++) {
        const PvFlameBox *box = &painter->boxes.data[i];
        if (pv_flame_inset_of_width (painter, box->right - box->left) > 0)
            cairo_rectangle (cr, box->left, box->top, box->right - box->left, height);
    }
    for (size_t i = 0; i < painter->bundles.len; i++) {
        const PvFlameBundleBox *bundle = &painter->bundles.data[i];
        int width = bundle->right - bundle->left;
        if (pv_flame_inset_of_width (painter, width) > 0)
            cairo_rectangle (cr, bundle->left, bundle->top, width, height);
    }
    pv_color_set_source (cr, *painter->border, 1);
    cairo_fill (cr);
}

static void
fill_boxes (PvFlamePainter *painter, cairo_t *cr, int height)
{
    uint32_t end[PV_N_FLAME_COLORS];
    const PvColor *colors = &painter->palette.fills[0][0];
    uint32_t i = 0;

    if (painter->boxes.len == 0)
        return;
    sort_by_color (painter, end);
    for (unsigned color = 0; color < PV_N_FLAME_COLORS; color++) {
        if (i == end[color])
            continue;
        for (; i < end[color]; i++) {
            const PvFlameBox *box = &painter->boxes.data[painter->order.data[i]];
            int width = box->right - box->left;
            int inset = pv_flame_inset_of_width (painter, width);
            cairo_rectangle (cr, box->left + inset, box->top + inset,
                             width - pv_flame_gap_of_width (width) - inset, height - 2 * inset);
        }
        pv_color_set_source (cr, colors[color], 1);
        cairo_fill (cr);
    }
}

static void
draw_stripes (PvFlamePainter *painter, cairo_t *cr, int height)
{
    for (size_t i = 0; i < painter->boxes.len; i++) {
        const PvFlameBox *box = &painter->boxes.data[i];
        if (!pv_flame_has_stripes (painter, box))
            continue;
        cairo_rectangle_int_t inside = pv_flame_get_inside (painter, box, height);
        pv_color_set_source (cr, pv_flame_get_stripe_color (painter, box->color), 1);
        pv_stripes_draw (cr, box->stripes, painter->drawn.device_scale, &inside,
                         painter->is_vector);
    }
}

/* One path per colour: a fill per box would cost several times as much. */
static void
fill_all (PvFlamePainter *painter, cairo_t *cr)
{
    double scale = painter->drawn.device_scale;
    int height = MAX ((int)painter->drawn.row_height - 1, 1);
    pv_color_set_source (cr, painter->palette.background, 1);
    cairo_paint (cr);
    cairo_save (cr);
    cairo_scale (cr, 1 / scale, 1 / scale);
    if (pv_flame_inset (painter) > 0)
        fill_borders (painter, cr, height);
    pv_flame_fill_bundles (painter, cr, height);
    fill_matches (painter, cr, height);
    fill_boxes (painter, cr, height);
    draw_stripes (painter, cr, height);
    cairo_restore (cr);
}

static const PvLabelName *
label_of_node (PvFlamePainter *painter, const PvCallTree *tree, PvNodeId node)
{
    const PvFunction *function = pv_flame_function (tree, node);
    PvLabelName *label = &painter->names[function != NULL ? tree->function_of_node[node] : 0];
    if (label->name == NULL || function == NULL)
        pv_function_label_init (label, pv_glyph_font_get_advances (painter->font), function,
                                function == NULL ? pv_call_tree_get_name (tree, node) : NULL,
                                painter->strings);
    return label;
}

/* Shows a name that needs Pango: the whole name if there is room, else the short one, cut at its
 * end. */
static void
show_foreign_label (PvFlamePainter *painter, cairo_t *cr, const PvLabelName *label, PvColor color,
                    double x, double baseline, double room)
{
    pv_color_set_source (cr, color, 1);
    const char *text = label->name;
    if (strcmp (label->name, label->short_name) != 0 &&
        pv_glyph_font_measure_text (painter->font, label->name) > room)
        text = label->short_name;
    pv_glyph_font_show_text (painter->font, cr, text, x, baseline, room);
}

static double
baseline_offset (const PvFlamePainter *painter, const PvFlameLayout *layout)
{
    double scale = layout->device_scale;
    double ascent = pv_glyph_font_get_ascent (painter->font);
    double descent = pv_glyph_font_get_descent (painter->font);
    double middle = (layout->row_height - 1) / scale / 2;
    return floor ((middle + (ascent - descent) / 2) * scale + 0.5) / scale;
}

/* "37 small functions" in the bundles that have room for all of it. */
static void
draw_bundle_labels (PvFlamePainter *painter, cairo_t *cr, const PvFlameLayout *layout,
                    double baseline)
{
    double scale = layout->device_scale;
    pv_color_set_source (cr, painter->palette.texts[PV_SHADE_NORMAL], 1);
    for (size_t i = 0; i < painter->bundles.len; i++) {
        const PvFlameBundleBox *bundle = &painter->bundles.data[i];
        double room = (bundle->right - bundle->left - 1) / scale - 2 * LABEL_PADDING;
        if (room < BUNDLE_LABEL_LEAST_WIDTH)
            continue;
        g_autofree char *text = pv_flame_bundle_format (layout->tree, &bundle->nodes);
        if (pv_glyph_font_measure_text (painter->font, text) <= room)
            pv_glyph_font_show_text (painter->font, cr, text, bundle->left / scale + LABEL_PADDING,
                                     bundle->top / scale + baseline, room);
    }
}

void
pv_flame_painter_add_label (PvFlamePainter *painter, cairo_t *cr, const PvCallTree *tree,
                            PvNodeId node, unsigned state, double x, double baseline, double room)
{
    const PvLabelName *label = label_of_node (painter, tree, node);
    char text[PV_LABEL_MAX];
    if (label->name_width == 0 && label->name[0] != '\0') {
        show_foreign_label (painter, cr, label, painter->palette.texts[state], x, baseline, room);
        return;
    }
    size_t len =
        pv_label_fit (pv_glyph_font_get_advances (painter->font), label, (float)room, text);
    if (len > 0)
        pv_glyph_run_add (&painter->glyphs[state], painter->font, text, len, x, baseline);
}

void
pv_flame_painter_show_labels (PvFlamePainter *painter, cairo_t *cr)
{
    pv_glyph_font_set (painter->font, cr);
    for (int state = 0; state < PV_N_SHADE_STATES; state++) {
        pv_color_set_source (cr, painter->palette.texts[state], 1);
        pv_glyph_run_show (&painter->glyphs[state], cr);
    }
}

static void
draw_labels (PvFlamePainter *painter, cairo_t *cr, const PvFlameLayout *layout)
{
    double scale = layout->device_scale;
    double baseline = baseline_offset (painter, layout);
    double row_height = layout->row_height / scale;

    if (row_height < pv_glyph_font_get_ascent (painter->font))
        return;
    for (size_t i = 0; i < painter->boxes.len; i++) {
        const PvFlameBox *box = &painter->boxes.data[i];
        double room = (box->right - box->left - 1) / scale - 2 * LABEL_PADDING + 1;
        if (room < LABEL_LEAST_WIDTH)
            continue;
        double x = box->left / scale + LABEL_PADDING, y = box->top / scale + baseline;
        pv_flame_painter_add_label (painter, cr, layout->tree, box->node, box->color / PV_N_HUES, x,
                                    y, room);
    }
    pv_flame_painter_show_labels (painter, cr);
    if (painter->hatch != &painter->palette.faded_hatch)
        draw_bundle_labels (painter, cr, layout, baseline);
}

/* A frame inside a rectangle, as an area to fill with the even-odd rule, which avoids a stroke. */
static void
add_frame (cairo_t *cr, double x, double y, double width, double height, double thickness)
{
    cairo_rectangle (cr, x, y, width, height);
    if (width > 2 * thickness && height > 2 * thickness)
        cairo_rectangle (cr, x + thickness, y + thickness, width - 2 * thickness,
                         height - 2 * thickness);
}

static void
fill_frames (cairo_t *cr, PvColor color, double alpha)
{
    cairo_set_fill_rule (cr, CAIRO_FILL_RULE_EVEN_ODD);
    pv_color_set_source (cr, color, alpha);
    cairo_fill (cr);
}

/* Adds the frame of any node's box to the path, in pixels of the drawing. */
static bool
add_node_frame (cairo_t *cr, const PvFlameLayout *layout, PvNodeId node, double thickness)
{
    cairo_rectangle_t box;
    double pixel = 1 / layout->device_scale;
    if (!pv_flame_layout_box (layout, node, &box))
        return false;
    double gap = pv_flame_gap_of_width ((int)round (box.width / pixel)) * pixel;
    add_frame (cr, box.x, box.y, box.width - gap, box.height - pixel, thickness);
    return true;
}

static void
clip_to_view (cairo_t *cr, const PvFlameLayout *layout)
{
    cairo_rectangle (cr, 0, 0, layout->width / layout->device_scale,
                     layout->view_height / layout->device_scale);
    cairo_clip (cr);
}

/* Draws everything collected for the view, on any surface. */
static void
draw_collected (PvFlamePainter *painter, cairo_t *cr, const PvFlameView *view)
{
    const PvFlameLayout *layout = &painter->drawn;
    cairo_save (cr);
    clip_to_view (cr, layout);
    if (!pv_flame_raster (painter, cr))
        fill_all (painter, cr);
    draw_labels (painter, cr, layout);
    int thickness = painter->palette.is_high_contrast ? 3 : 2;
    if (view->selected != PV_NODE_NONE && add_node_frame (cr, layout, view->selected, thickness))
        fill_frames (cr, painter->palette.selection, 1);
    cairo_restore (cr);
}

static void
prepare_and_collect (PvFlamePainter *painter, const PvCallTree *tree, const PvFlameView *view)
{
    PvFlameLayout layout;
    pv_flame_painter_prepare (painter, tree, view);
    pv_flame_painter_layout (painter, tree, view, &layout);
    collect (painter, &layout, view);
}

static cairo_surface_t *
draw_collected_image (PvFlamePainter *painter, const PvFlameView *view)
{
    const PvFlameLayout *layout = &painter->drawn;
    cairo_t *cr = pv_shared_image_begin (painter->images, (int)layout->width,
                                         (int)layout->view_height, layout->device_scale);
    draw_collected (painter, cr, view);
    return pv_shared_image_end (cr);
}

cairo_surface_t *
pv_flame_draw_image (PvFlamePainter *painter, const PvCallTree *tree, const PvFlameView *view)
{
    g_assert (painter != NULL && tree != NULL && view != NULL);

    prepare_and_collect (painter, tree, view);
    return draw_collected_image (painter, view);
}

void
pv_flame_draw (PvFlamePainter *painter, cairo_t *cr, const PvCallTree *tree,
               const PvFlameView *view)
{
    g_assert (painter != NULL && cr != NULL && tree != NULL && view != NULL);

    prepare_and_collect (painter, tree, view);
    if (cairo_surface_get_type (cairo_get_group_target (cr)) != CAIRO_SURFACE_TYPE_RECORDING) {
        draw_collected (painter, cr, view);
        return;
    }
    cairo_surface_t *image = draw_collected_image (painter, view);
    cairo_pattern_t *pattern = pv_shared_image_make_pattern (image, painter->drawn.device_scale);
    cairo_save (cr);
    cairo_set_source (cr, pattern);
    clip_to_view (cr, &painter->drawn);
    cairo_paint (cr);
    cairo_restore (cr);
    cairo_pattern_destroy (pattern);
    cairo_surface_destroy (image);
}

/* True if the last drawing had the same tree and layout, so that its boxes can be reused. */
static bool
is_drawn (const PvFlamePainter *painter, const PvFlameLayout *layout)
{
    const PvFlameLayout *drawn = &painter->drawn;
    return drawn->tree == layout->tree && drawn->width == layout->width &&
           drawn->height == layout->height && drawn->view_height == layout->view_height &&
           drawn->scroll == layout->scroll && drawn->row_height == layout->row_height &&
           drawn->origin == layout->origin && drawn->origin_part == layout->origin_part &&
           drawn->scale == layout->scale && drawn->n_rows == layout->n_rows &&
           drawn->least_width == layout->least_width && drawn->is_flame == layout->is_flame &&
           drawn->device_scale == layout->device_scale;
}

/* Clips a box to the view; false if nothing is left. */
static bool
clip_box (cairo_rectangle_t *box, const PvFlameLayout *layout)
{
    double scale = layout->device_scale;
    double right = MIN (box->x + box->width, layout->width / scale);
    double bottom = MIN (box->y + box->height, layout->view_height / scale);

    box->x = MAX (box->x, 0);
    box->y = MAX (box->y, 0);
    box->width = right - box->x;
    box->height = bottom - box->y;
    return box->width > 0 && box->height > 0;
}

/* The bundle drawn over a device pixel. */
static const PvFlameBundleBox *
bundle_at (const PvFlamePainter *painter, const PvFlameLayout *layout, int x, int y)
{
    size_t low = 0, high = painter->bundles.len;
    int height = (int)layout->row_height;
    bool is_flame = layout->is_flame;
    while (low < high) { /* rows from the root, each from left to right */
        size_t middle = low + (high - low) / 2;
        const PvFlameBundleBox *bundle = &painter->bundles.data[middle];
        bool is_in_row = y >= bundle->top && y < bundle->top + height;
        if (is_in_row && x >= bundle->left && x < bundle->right)
            return bundle;
        if (is_in_row ? x < bundle->left : (y < bundle->top) != is_flame)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

/* The box of a node, or of the bundle that it is in. */
static bool
get_drawn_box (const PvFlamePainter *painter, const PvFlameLayout *layout, PvNodeId node,
               cairo_rectangle_t *ret_box)
{
    double scale = layout->device_scale;
    if (!pv_flame_layout_box (layout, node, ret_box))
        return false;
    const PvFlameBundleBox *bundle = bundle_at (painter, layout, (int)round (ret_box->x * scale),
                                                (int)round (ret_box->y * scale));
    if (bundle == NULL || node < bundle->nodes.first || node > bundle->nodes.last)
        return true;
    ret_box->x = bundle->left / scale;
    ret_box->width = (bundle->right - bundle->left) / scale;
    return true;
}

size_t
pv_flame_get_outlines (PvFlamePainter *painter, const PvCallTree *tree, const PvFlameView *view,
                       PvNodeId hovered, const PvFlameOutline **ret_outlines)
{
    g_assert (painter != NULL && tree != NULL && view != NULL);

    const PvPalette *palette = &painter->palette;
    PvFlameLayout layout;
    PvFlameOutline outline = {.is_hovered = true, .alpha = 0.85, .shade_alpha = 0.07};

    painter->outlines.len = 0;
    *ret_outlines = NULL;
    if (hovered >= tree->n_nodes)
        return 0;
    pv_flame_painter_prepare (painter, tree, view);
    pv_flame_painter_layout (painter, tree, view, &layout);
    if (!is_drawn (painter, &layout))
        collect (painter, &layout, view);

    double scale = layout.device_scale;
    double height = MAX ((int)layout.row_height - 1, 1) / scale;
    PvFunctionId function = tree->function_of_node[hovered];
    outline.color = palette->selection;
    outline.shade = palette->is_dark ? (PvColor){1, 1, 1} : (PvColor){0, 0, 0};
    if (get_drawn_box (painter, &layout, hovered, &outline.box)) {
        int width = (int)round (outline.box.width * scale);
        outline.thickness = outline.box.width < 4 ? 1 : 1.5;
        outline.box.width -= pv_flame_gap_of_width (width) / scale;
        outline.box.height = height;
        if (clip_box (&outline.box, &layout))
            pv_array_push (&painter->outlines, outline);
    }
    for (size_t i = 0; function != 0 && i < painter->boxes.len; i++) {
        const PvFlameBox *box = &painter->boxes.data[i];
        if (box->node >= tree->n_nodes || tree->function_of_node[box->node] != function ||
            box->node == hovered)
            continue;
        int width = box->right - box->left;
        outline = (PvFlameOutline){.box = {box->left / scale, box->top / scale,
                                           (width - pv_flame_gap_of_width (width)) / scale, height},
                                   .thickness = 1,
                                   .color = palette->selection,
                                   .alpha = 0.45};
        if (clip_box (&outline.box, &layout))
            pv_array_push (&painter->outlines, outline);
    }
    *ret_outlines = painter->outlines.data;
    return painter->outlines.len;
}

void
pv_flame_draw_outlines (cairo_t *cr, const PvFlameOutline *outlines, size_t n)
{
    cairo_save (cr);
    for (size_t i = 0; i < n; i++) {
        const PvFlameOutline *outline = &outlines[i];
        const cairo_rectangle_t *box = &outline->box;
        if (outline->shade_alpha > 0) {
            cairo_rectangle (cr, box->x, box->y, box->width, box->height);
            pv_color_set_source (cr, outline->shade, outline->shade_alpha);
            cairo_fill (cr);
        }
        add_frame (cr, box->x, box->y, box->width, box->height, outline->thickness);
        fill_frames (cr, outline->color, outline->alpha);
    }
    cairo_restore (cr);
}

bool
pv_flame_find_bundle (PvFlamePainter *painter, const PvCallTree *tree, const PvFlameView *view,
                      double x, double y, PvFlameBundle *ret_bundle)
{
    g_assert (painter != NULL && tree != NULL && view != NULL && ret_bundle != NULL);

    PvFlameLayout layout;
    if (!(fabs (x) < 1e6 && fabs (y) < 1e6))
        return false;
    pv_flame_painter_prepare (painter, tree, view);
    pv_flame_painter_layout (painter, tree, view, &layout);
    if (!is_drawn (painter, &layout))
        collect (painter, &layout, view);
    double scale = layout.device_scale;
    const PvFlameBundleBox *bundle =
        bundle_at (painter, &layout, (int)floor (x * scale), (int)floor (y * scale));
    if (bundle != NULL)
        *ret_bundle = bundle->nodes;
    return bundle != NULL;
}

PvNodeId
pv_flame_hit (PvFlamePainter *painter, const PvCallTree *tree, const PvFlameView *view, double x,
              double y)
{
    g_assert (painter != NULL && tree != NULL && view != NULL);

    PvFlameLayout layout;
    pv_flame_painter_layout (painter, tree, view, &layout);
    return pv_flame_layout_hit (&layout, x, y);
}

bool
pv_flame_get_box (PvFlamePainter *painter, const PvCallTree *tree, const PvFlameView *view,
                  PvNodeId node, cairo_rectangle_t *ret_box)
{
    g_assert (painter != NULL && tree != NULL && view != NULL);

    PvFlameLayout layout;
    pv_flame_painter_layout (painter, tree, view, &layout);
    return pv_flame_layout_box (&layout, node, ret_box);
}

double
pv_flame_get_full_height (PvFlamePainter *painter, const PvCallTree *tree, const PvFlameView *view)
{
    g_assert (painter != NULL && tree != NULL && view != NULL);

    PvFlameLayout layout;
    pv_flame_painter_layout (painter, tree, view, &layout);
    return layout.n_rows * layout.row_height / layout.device_scale;
}

PvColor
pv_flame_get_hue_color (PvFlamePainter *painter, const PvCallTree *tree, const PvFlameView *view,
                        unsigned hue)
{
    g_assert (painter != NULL && tree != NULL && view != NULL && hue < PV_N_HUES);

    pv_flame_painter_prepare (painter, tree, view);
    return painter->palette.fills[PV_SHADE_NORMAL][hue];
}

PvColor
pv_flame_get_hue_stripe_color (PvFlamePainter *painter, const PvCallTree *tree,
                               const PvFlameView *view, unsigned hue)
{
    g_assert (painter != NULL && tree != NULL && view != NULL && hue < PV_N_HUES);

    pv_flame_painter_prepare (painter, tree, view);
    return pv_flame_get_stripe_color (painter, hue); /* of the normal state, which is 0 */
}

PvColor
pv_flame_get_color (PvFlamePainter *painter, const PvCallTree *tree, const PvFlameView *view,
                    PvNodeId node)
{
    g_assert (painter != NULL && tree != NULL && view != NULL);

    pv_flame_painter_prepare (painter, tree, view);
    if (node >= tree->n_nodes)
        return painter->palette.background;
    find_ancestors (painter, tree, view);
    uint32_t level = pv_call_tree_get_level (tree, node);
    bool is_ancestor = level < painter->ancestors.len && painter->ancestors.data[level] == node;
    unsigned color = pv_flame_painter_color_node (painter, tree, view, node, is_ancestor);
    return painter->palette.fills[color / PV_N_HUES][color % PV_N_HUES];
}
