#include "app/flame-nodes.h"

#include <math.h>

/*
 * The picture is drawn into one image and handed over in pieces that share its pixels, because of
 * what renderers do with them:
 *
 * GSK's cairo renderer plays a cairo node into a buffer of its own, as large as what is visible of
 * the node and has to be repainted, and blends that buffer over the window. For a node of the
 * window's size that is three passes through main memory, and two small changes far apart cost
 * nearly as much as painting everything. In strips of a row the buffer never leaves the processor's
 * cache, and only rows with a change are played. (A texture node would be copied whole, whatever is
 * to be repainted.)
 *
 * Every other renderer uploads each node's pixels once and keeps them as long as the node is shown.
 * A texture node gives it the pixels as they are; a cairo node would be played into an image first.
 */
enum {
    ROWS_PER_STRIP = 1,
    TEXTURE_HEIGHT = 1024, /* pixels; every GL can do that */
    MAX_OUTLINES = 200,    /* nodes; more are drawn row by row */
    MAX_ROWS = 12,         /* with outlines; they are repainted each on their own */
    MAX_AREAS = 3,         /* that are repainted where there are more rows */
};

static GskRenderNode *
make_container (GPtrArray *nodes)
{
    GskRenderNode *container =
        gsk_container_node_new ((GskRenderNode **)nodes->pdata, (guint)nodes->len);
    g_ptr_array_unref (nodes);
    return container;
}

static GPtrArray *
new_nodes (void)
{
    return g_ptr_array_new_with_free_func ((GDestroyNotify)gsk_render_node_unref);
}

/* Strips begin where rows do, so that an outline lies in one of them. */
static GskRenderNode *
make_strips (PvFlamePainter *painter, const PvCallTree *tree, const PvFlameView *view,
             cairo_surface_t *image)
{
    GPtrArray *nodes = new_nodes ();
    cairo_pattern_t *pattern = pv_flame_make_pattern (image, view->device_scale);
    cairo_rectangle_t root = {.height = pv_flame_painter_get_row_height (painter)};
    double height;

    pv_flame_get_box (painter, tree, view, 0, &root);
    height = root.height * ROWS_PER_STRIP;
    for (double y = fmod (root.y, height) - height; y < view->height; y += height) {
        double top = MAX (y, 0), bottom = MIN (y + height, view->height);
        graphene_rect_t bounds =
            GRAPHENE_RECT_INIT (0, (float)top, (float)view->width, (float)(bottom - top));
        GskRenderNode *strip;
        cairo_t *cr;
        if (top >= bottom)
            continue;
        strip = gsk_cairo_node_new (&bounds);
        cr = gsk_cairo_node_get_draw_context (strip);
        cairo_set_source (cr, pattern);
        cairo_rectangle (cr, 0, top, view->width, bottom - top);
        cairo_fill (cr);
        cairo_destroy (cr);
        g_ptr_array_add (nodes, strip);
    }
    cairo_pattern_destroy (pattern);
    return make_container (nodes);
}

static GskRenderNode *
make_textures (const PvFlameView *view, cairo_surface_t *image)
{
    GPtrArray *nodes = new_nodes ();
    int width = cairo_image_surface_get_width (image);
    int height = cairo_image_surface_get_height (image);
    gsize stride = (gsize)cairo_image_surface_get_stride (image);
    double scale = view->device_scale;

    for (int y = 0; width > 0 && y < height; y += TEXTURE_HEIGHT) {
        int n = MIN (TEXTURE_HEIGHT, height - y);
        g_autoptr (GBytes) pixels = g_bytes_new_with_free_func (
            cairo_image_surface_get_data (image) + (gsize)y * stride, (gsize)n * stride,
            (GDestroyNotify)cairo_surface_destroy, cairo_surface_reference (image));
        g_autoptr (GdkTexture) texture =
            gdk_memory_texture_new (width, n, GDK_MEMORY_DEFAULT, pixels, stride);
        graphene_rect_t bounds =
            GRAPHENE_RECT_INIT (0, (float)(y / scale), (float)(width / scale), (float)(n / scale));
        g_ptr_array_add (nodes, gsk_texture_node_new (texture, &bounds));
    }
    return make_container (nodes);
}

GskRenderNode *
pv_flame_nodes_draw (PvFlamePainter *painter, const PvCallTree *tree, const PvFlameView *view,
                     GskRenderer *renderer)
{
    cairo_surface_t *image = pv_flame_draw_image (painter, tree, view);
    GskRenderNode *node;

    if (renderer != NULL && G_TYPE_CHECK_INSTANCE_TYPE (renderer, GSK_TYPE_CAIRO_RENDERER))
        node = make_strips (painter, tree, view, image);
    else
        node = make_textures (view, image);
    cairo_surface_destroy (image);
    return node;
}

static GdkRGBA
to_rgba (PvColor color, double alpha)
{
    return (GdkRGBA){(float)color.red, (float)color.green, (float)color.blue, (float)alpha};
}

static void
add_outline (GPtrArray *nodes, const PvFlameOutline *outline)
{
    graphene_rect_t box =
        GRAPHENE_RECT_INIT ((float)outline->box.x, (float)outline->box.y, (float)outline->box.width,
                            (float)outline->box.height);
    GdkRGBA color = to_rgba (outline->color, outline->alpha);
    GdkRGBA shade = to_rgba (outline->shade, outline->shade_alpha);
    float thickness = (float)outline->thickness;
    GskRoundedRect frame;

    if (outline->shade_alpha > 0)
        g_ptr_array_add (nodes, gsk_color_node_new (&shade, &box));
    if (box.size.width <= 2 * thickness || box.size.height <= 2 * thickness) {
        g_ptr_array_add (nodes, gsk_color_node_new (&color, &box));
        return;
    }
    gsk_rounded_rect_init_from_rect (&frame, &box, 0);
    g_ptr_array_add (
        nodes, gsk_border_node_new (&frame, (float[]){thickness, thickness, thickness, thickness},
                                    (GdkRGBA[]){color, color, color, color}));
}

static graphene_rect_t
get_row_bounds (const PvFlameOutline *outlines, size_t n)
{
    const cairo_rectangle_t *first = &outlines[0].box, *last = &outlines[n - 1].box;
    return GRAPHENE_RECT_INIT ((float)first->x, (float)first->y,
                               (float)(last->x + last->width - first->x), (float)first->height);
}

/* All outlines of a row in one node. */
static void
add_row (GPtrArray *nodes, const PvFlameOutline *outlines, size_t n)
{
    graphene_rect_t bounds = get_row_bounds (outlines, n);
    GskRenderNode *node = gsk_cairo_node_new (&bounds);
    cairo_t *cr = gsk_cairo_node_get_draw_context (node);

    pv_flame_draw_outlines (cr, outlines, n);
    cairo_destroy (cr);
    g_ptr_array_add (nodes, node);
}

/* How many outlines, from the first on, lie in the same row. */
static size_t
count_row (const PvFlameOutline *outlines, size_t n)
{
    size_t count = 1;
    while (count < n && !outlines[0].is_hovered && outlines[count].box.y == outlines[0].box.y)
        count++;
    return count;
}

static int
compare_tops (gconstpointer a, gconstpointer b)
{
    float x = ((const graphene_rect_t *)a)->origin.y, y = ((const graphene_rect_t *)b)->origin.y;
    return x < y ? -1 : x > y;
}

static double
get_area (const graphene_rect_t *rect)
{
    return (double)rect->size.width * rect->size.height;
}

/* Unites areas that lie side by side, then others, one below the other, that waste least by it. */
static void
merge_areas (GArray *areas, guint max)
{
    for (;;) {
        guint best = 0;
        double least = G_MAXDOUBLE;
        for (guint i = 0; i + 1 < areas->len && least > 0; i++) {
            const graphene_rect_t *a = &g_array_index (areas, graphene_rect_t, i), *b = a + 1;
            graphene_rect_t both;
            graphene_rect_union (a, b, &both);
            double waste = b->origin.y < a->origin.y + a->size.height
                               ? 0
                               : MAX (get_area (&both) - get_area (a) - get_area (b), 1);
            if (waste < least) {
                least = waste;
                best = i;
            }
        }
        if (least > 0 && areas->len <= max)
            return;
        graphene_rect_t *a = &g_array_index (areas, graphene_rect_t, best);
        graphene_rect_union (a, a + 1, a);
        g_array_remove_index (areas, best + 1);
    }
}

/* What hovering changes, as a few rectangles one below the other: of more than thirty changed
 * pieces in a window, counted after cutting them at each other's upper and lower edges, GSK makes
 * one that covers them all. Nodes that nobody sees tell it of larger pieces, in which the outlines
 * lie. */
static void
add_areas (GPtrArray *nodes, const PvFlameOutline *outlines, size_t n)
{
    g_autoptr (GArray) areas = g_array_new (FALSE, FALSE, sizeof (graphene_rect_t));

    for (size_t i = 0, n_row; i < n; i += n_row) {
        n_row = count_row (&outlines[i], n - i);
        graphene_rect_t area = get_row_bounds (&outlines[i], n_row);
        g_array_append_val (areas, area);
    }
    g_array_sort (areas, compare_tops);
    merge_areas (areas, G_MAXUINT);
    if (areas->len > MAX_ROWS)
        merge_areas (areas, MAX_AREAS);
    for (guint i = 0; i < areas->len; i++)
        g_ptr_array_add (nodes, gsk_color_node_new (&(GdkRGBA){0, 0, 0, 0},
                                                    &g_array_index (areas, graphene_rect_t, i)));
}

GskRenderNode *
pv_flame_nodes_outline (PvFlamePainter *painter, const PvCallTree *tree, const PvFlameView *view,
                        PvNodeId hovered)
{
    const PvFlameOutline *outlines;
    size_t n = pv_flame_get_outlines (painter, tree, view, hovered, &outlines);
    GPtrArray *nodes = new_nodes ();

    add_areas (nodes, outlines, n);
    for (size_t i = 0, n_row; i < n; i += n_row) {
        n_row = n > MAX_OUTLINES ? count_row (&outlines[i], n - i) : 1;
        if (n_row == 1)
            add_outline (nodes, &outlines[i]);
        else
            add_row (nodes, &outlines[i], n_row);
    }
    if (nodes->len > 0)
        return make_container (nodes);
    g_ptr_array_unref (nodes);
    return NULL;
}
