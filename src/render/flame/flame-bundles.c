/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "core/analyze/tree/box-tree.h"
#include "render/flame/flame-graph-private.h"

/*
 * Which boxes of a level are drawn as one, and their hatch.
 *
 * The wide node of a node is its nearest ancestor that is as wide as a box of its own. Neighbours
 * with the same wide node belong together. A level's spans tell the wide node of each of its nodes,
 * so that the next level finds its own without climbing: nodes whose parents lie in one span have
 * the same wide node, and follow each other.
 */
static const double LARGEST_GAP = 2; /* in a bundle, in pixels of the drawing */

typedef struct {
    PvFlamePainter *painter;
    const PvFlameLayout *layout;
    int top;
    PvNodeId ancestor;
    size_t above; /* the span above that the next node may lie under */
    PvFlameBundleBox bundle;
    PvNodeId wide_node; /* of the bundle */
    bool has_bundle;
} Collector;

static bool
is_folded (const PvCallTree *tree, PvNodeId node)
{
    return tree->has_folded && tree->function_of_node[node] == 0 &&
           pv_call_tree_count_folded (tree, node) > 0;
}

static bool
is_wide (const Collector *self, PvNodeId node)
{
    const PvFlameLayout *layout = self->layout;
    double width = pv_flame_layout_right (layout, node) - pv_flame_layout_left (layout, node);
    return (layout->scale == 0 || width >= layout->least_width) && !is_folded (layout->tree, node);
}

static void
add_span (Collector *self, PvNodeId first, PvNodeId last, PvNodeId wide_node)
{
    PvFlameSpan span = {first, last, wide_node};
    pv_array_push (&self->painter->spans, span);
}

static void
add_box (Collector *self, PvNodeId node, int left, int right)
{
    PvFlameBox box = {node, left, right, self->top, node == self->ancestor};
    if (left < right)
        pv_array_push (&self->painter->boxes, box);
}

/* One box alone is no bundle, except folded children. */
static void
finish_bundle (Collector *self)
{
    const PvFlameBundleBox *bundle = &self->bundle;
    PvNodeId first = bundle->nodes.first, last = bundle->nodes.last;
    if (!self->has_bundle)
        return;
    self->has_bundle = false;
    add_span (self, first, last, self->wide_node);
    if (bundle->left >= bundle->right)
        return;
    if (first == last && !is_folded (self->layout->tree, first))
        add_box (self, first, bundle->left, bundle->right);
    else
        pv_array_push (&self->painter->bundles, *bundle);
}

/* By climbing, where the level above is not known. */
static PvNodeId
find_wide_node (const Collector *self, PvNodeId node)
{
    const PvCallTree *tree = self->layout->tree;
    do
        node = node != 0 ? tree->parent_of_node[node] : 0;
    while (node != 0 && !is_wide (self, node));
    return node;
}

/* The wide node of `first`, and the last node up to *last that is known to have the same. */
static PvNodeId
take_same (Collector *self, PvNodeId first, PvNodeId *last)
{
    const PvCallTree *tree = self->layout->tree;
    PvNodeId parent = tree->parent_of_node[first];
    size_t n = self->painter->spans_above.len;
    const PvFlameSpan *spans = self->painter->spans_above.data;
    while (self->above < n && spans[self->above].last < parent)
        self->above++;
    const PvFlameSpan *span = self->above < n ? &spans[self->above] : NULL;
    if (span == NULL || parent < span->first) { /* the parent is too narrow to be drawn */
        *last = parent < tree->n_nodes ? MIN (*last, tree->first_child[parent + 1] - 1) : *last;
        return find_wide_node (self, first);
    }
    *last = MIN (*last, tree->first_child[span->last + 1] - 1);
    return span->wide_node;
}

static void
add_narrow (Collector *self, const PvFlameItem *item)
{
    const PvFlameLayout *layout = self->layout;
    PvFlameBundleBox *bundle = &self->bundle;
    for (PvNodeId first = item->first, last = first; first <= item->last; first = last + 1) {
        last = item->last;
        PvNodeId wide_node = take_same (self, first, &last);
        int left = item->left, right = item->right;
        if (first > item->first)
            left = MAX (left, (int)floor (pv_flame_layout_left (layout, first)));
        if (last < item->last)
            right = MIN (right, (int)ceil (pv_flame_layout_right (layout, last)));
        if (self->has_bundle && self->wide_node == wide_node &&
            left - bundle->right <= LARGEST_GAP * layout->device_scale) {
            bundle->nodes.last = last;
            bundle->right = MAX (bundle->right, right);
            continue;
        }
        if (self->has_bundle)
            left = MAX (left, bundle->right);
        finish_bundle (self);
        *bundle = (PvFlameBundleBox){{first, last}, left, right, self->top};
        self->wide_node = wide_node;
        self->has_bundle = true;
    }
}

static void
add_wide (Collector *self, PvNodeId node, int left, int right)
{
    finish_bundle (self);
    add_box (self, node, left, right);
    add_span (self, node, node, node);
}

/* At an edge of the view a run may begin or end with a sliver of a wide node. */
static void
add_run (Collector *self, const PvFlameItem *item)
{
    PvFlameItem rest = *item;
    bool ends_wide = is_wide (self, rest.last);
    if (is_wide (self, rest.first)) {
        add_wide (self, rest.first, rest.left, rest.left + 1);
        rest.first++;
        rest.left++;
    }
    if (ends_wide) {
        rest.last--;
        rest.right--;
    }
    if (rest.first <= rest.last)
        add_narrow (self, &rest);
    if (ends_wide && item->last >= rest.first)
        add_wide (self, item->last, item->right - 1, item->right);
}

void
pv_flame_collect_level (PvFlamePainter *painter, const PvFlameLayout *layout, uint32_t level,
                        PvNodeId ancestor)
{
    g_assert (painter != NULL && layout != NULL && level < layout->tree->n_levels);

    PvFlameIter iter;
    PvFlameItem item;
    Collector self = {
        .painter = painter,
        .layout = layout,
        .top = (int)pv_flame_layout_row_top (layout, level),
        .ancestor = ancestor,
    };
    PvFlameSpans above = painter->spans;
    painter->spans = painter->spans_above;
    painter->spans_above = above;
    painter->spans.len = 0;
    pv_flame_iter_init (&iter, layout, level, 0);
    while (pv_flame_iter_next (&iter, &item)) {
        if (is_wide (&self, item.first) && item.first == item.last)
            add_wide (&self, item.first, item.left, item.right);
        else if (item.first == item.last)
            add_narrow (&self, &item);
        else
            add_run (&self, &item);
    }
    finish_bundle (&self);
}

uint64_t
pv_flame_bundle_count (const PvCallTree *tree, const PvFlameBundle *bundle)
{
    g_assert (tree != NULL && bundle != NULL);
    g_assert (bundle->first <= bundle->last && bundle->last < tree->n_nodes);

    uint64_t n = 0;
    if (!tree->has_folded && !tree->has_weightless)
        return bundle->last - bundle->first + 1;
    for (PvNodeId node = bundle->first; node <= bundle->last; node++) {
        if (tree->total[node] == 0)
            continue;
        if (!tree->has_folded) {
            n++;
            continue;
        }
        uint32_t n_samples = pv_box_tree_count_samples (tree, node);
        uint32_t n_folded = is_folded (tree, node) ? pv_call_tree_count_folded (tree, node) : 1;
        n += n_samples > 0 ? n_samples : n_folded;
    }
    return n;
}

uint64_t
pv_flame_bundle_weigh (const PvCallTree *tree, const PvFlameBundle *bundle)
{
    g_assert (tree != NULL && bundle != NULL);
    g_assert (bundle->first <= bundle->last && bundle->last < tree->n_nodes);

    uint64_t weight = 0;
    for (PvNodeId node = bundle->first; node <= bundle->last; node++)
        weight += tree->total[node];
    return weight;
}

char *
pv_flame_bundle_format (const PvCallTree *tree, const PvFlameBundle *bundle)
{
    return pv_call_tree_format_small (tree, pv_flame_bundle_count (tree, bundle));
}

/* Hatch */

/* One period of the stripes, in device pixels, which repeats: to the pixel what flame-raster.c
 * paints. */
static cairo_pattern_t *
make_tile (const PvFlamePainter *painter)
{
    int period = pv_flame_stripe_period (painter), width = pv_flame_stripe_width (painter);
    cairo_surface_t *image = cairo_image_surface_create (CAIRO_FORMAT_RGB24, period, period);
    cairo_t *cr = cairo_create (image);
    for (int y = 0; y < period; y++)
        for (int x = 0; x < period; x++) {
            PvColor color =
                (x + y) % period < width ? painter->hatch->stripe : painter->hatch->ground;
            cairo_set_source_rgb (cr, color.red, color.green, color.blue);
            cairo_rectangle (cr, x, y, 1, 1);
            cairo_fill (cr);
        }
    cairo_destroy (cr);
    cairo_pattern_t *pattern = cairo_pattern_create_for_surface (image);
    cairo_pattern_set_extend (pattern, CAIRO_EXTEND_REPEAT);
    cairo_pattern_set_filter (pattern, CAIRO_FILTER_NEAREST);
    cairo_surface_destroy (image);
    return pattern;
}

static void
add_rectangle (const PvFlamePainter *painter, cairo_t *cr, const PvFlameBundleBox *bundle,
               int height)
{
    int width = bundle->right - bundle->left;
    int inset = pv_flame_inset_of_width (painter, width);
    cairo_rectangle (cr, bundle->left + inset, bundle->top + inset,
                     width - pv_flame_gap_of_width (width) - inset, height - 2 * inset);
}

/* Row by row: the stripes begin at the top of each. */
static void
fill_tiles (PvFlamePainter *painter, cairo_t *cr, int height)
{
    cairo_pattern_t *tile = make_tile (painter);
    size_t n = painter->bundles.len;
    for (size_t i = 0; i < n;) {
        int top = painter->bundles.data[i].top;
        cairo_matrix_t matrix;
        cairo_matrix_init_translate (&matrix, 0, -top);
        cairo_pattern_set_matrix (tile, &matrix);
        cairo_set_source (cr, tile);
        for (; i < n && painter->bundles.data[i].top == top; i++)
            add_rectangle (painter, cr, &painter->bundles.data[i], height);
        cairo_fill (cr);
    }
    cairo_pattern_destroy (tile);
}

/* For vectors: stripes across the whole picture, clipped to the bundles. */
static void
fill_stripes (PvFlamePainter *painter, cairo_t *cr, int height)
{
    const PvFlameLayout *layout = &painter->drawn;
    const PvHatch *hatch = painter->hatch;
    int period = pv_flame_stripe_period (painter), width = pv_flame_stripe_width (painter);
    double bottom = layout->view_height;
    cairo_save (cr);
    for (size_t i = 0; i < painter->bundles.len; i++)
        add_rectangle (painter, cr, &painter->bundles.data[i], height);
    cairo_clip (cr);
    pv_color_set_source (cr, hatch->ground, 1);
    cairo_paint (cr);
    for (double x = 0; x < layout->width + bottom; x += period) {
        cairo_move_to (cr, x, 0);
        cairo_line_to (cr, x + width, 0);
        cairo_line_to (cr, x + width - bottom, bottom);
        cairo_line_to (cr, x - bottom, bottom);
        cairo_close_path (cr);
    }
    pv_color_set_source (cr, hatch->stripe, 1);
    cairo_fill (cr);
    cairo_restore (cr);
}

void
pv_flame_fill_bundles (PvFlamePainter *painter, cairo_t *cr, int height)
{
    g_assert (painter != NULL && cr != NULL);

    if (painter->bundles.len == 0)
        return;
    if (painter->is_vector)
        fill_stripes (painter, cr, height);
    else
        fill_tiles (painter, cr, height);
}
