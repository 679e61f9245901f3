/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/pictures/flame-nodes.h"

#include "app/pictures/picture-nodes.h"

enum {
    MAX_OUTLINES = 200, /* with a node each; more are drawn row by row */
    MAX_ROWS = 12,      /* that are repainted separately */
    MAX_AREAS = 3,      /* that are repainted if there are more rows */
};

/* Strips are aligned with rows, so that an outline lies in a single one. */
GskRenderNode *
pv_flame_nodes_draw (PvFlamePainter *painter, const PvCallTree *tree, const PvFlameView *view,
                     GskRenderer *renderer)
{
    cairo_surface_t *image = pv_flame_draw_image (painter, tree, view);
    cairo_rectangle_t root = {.height = pv_flame_painter_get_row_height (painter)};
    GskRenderNode *node;

    pv_flame_get_box (painter, tree, view, 0, &root);
    node = pv_picture_nodes_make (image, view->width, view->height, view->device_scale, root.y,
                                  root.height, renderer);
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

/* Adds all outlines of a row as one node. */
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

/* The number of outlines, from the first on, that lie in the same row. */
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

/* Merges areas that lie side by side; then, down to max, neighbours whose union covers least that
 * neither of them did. */
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

/* Covers all that hovering changes with a few invisible nodes, one below the other. If more than
 * thirty pieces of a window change (counted after cutting them at each other's upper and lower
 * edges), GSK repaints one rectangle around all of them; larger pieces keep their number small. */
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
    GPtrArray *nodes = pv_picture_nodes_new_array ();

    add_areas (nodes, outlines, n);
    for (size_t i = 0, n_row; i < n; i += n_row) {
        n_row = n > MAX_OUTLINES ? count_row (&outlines[i], n - i) : 1;
        if (n_row == 1)
            add_outline (nodes, &outlines[i]);
        else
            add_row (nodes, &outlines[i], n_row);
    }
    if (nodes->len > 0)
        return pv_picture_nodes_join (nodes);
    g_ptr_array_unref (nodes);
    return NULL;
}

GskRenderNode *
pv_flame_nodes_outline_boxes (const PvFlameOutline *outlines, size_t n, double width, double height)
{
    g_assert (n == 0 || outlines != NULL);
    if (n == 0)
        return NULL;
    if (n > MAX_OUTLINES) {
        GskRenderNode *node =
            gsk_cairo_node_new (&GRAPHENE_RECT_INIT (0, 0, (float)width, (float)height));
        cairo_t *cr = gsk_cairo_node_get_draw_context (node);
        pv_flame_draw_outlines (cr, outlines, n);
        cairo_destroy (cr);
        return node;
    }
    GPtrArray *nodes = pv_picture_nodes_new_array ();
    for (size_t i = 0; i < n; i++)
        add_outline (nodes, &outlines[i]);
    return pv_picture_nodes_join (nodes);
}
