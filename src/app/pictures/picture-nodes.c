/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/pictures/picture-nodes.h"

#include <math.h>

#include "render/draw/shared-image.h"

/*
 * The picture is drawn into one image and passed on in pieces that share its pixels, because
 * renderers treat nodes differently:
 *
 * GSK's cairo renderer draws a cairo node into a buffer as large as the visible part that must be
 * repainted, and blends that buffer over the window. For a node as large as the window these are
 * three passes through main memory, and two small changes far apart cost nearly as much as painting
 * everything. With strips one row high the buffer stays in the processor's cache, and only rows
 * with a change are drawn. (A texture node would always be copied as a whole.)
 *
 * Every other renderer uploads the pixels of a node once and keeps them while the node is shown. A
 * texture node hands them over as they are; a cairo node would be drawn into an image first.
 */
enum {
    TEXTURE_HEIGHT = 1024, /* pixels; every GL implementation supports that */
};

GskRenderNode *
pv_picture_nodes_join (GPtrArray *nodes)
{
    GskRenderNode *container =
        gsk_container_node_new ((GskRenderNode **)nodes->pdata, (guint)nodes->len);
    g_ptr_array_unref (nodes);
    return container;
}

PangoFontDescription *
pv_picture_make_font (GtkWidget *widget)
{
    PangoContext *context = gtk_widget_get_pango_context (widget);
    PangoFontDescription *font =
        pango_font_description_copy (pango_context_get_font_description (context));
    const int size = pango_font_description_get_size (font);

    if (pango_font_description_get_size_is_absolute (font))
        pango_font_description_set_absolute_size (font, size * 0.9);
    else
        pango_font_description_set_size (font, size * 9 / 10);
    return font;
}

GPtrArray *
pv_picture_nodes_new_array (void)
{
    return g_ptr_array_new_with_free_func ((GDestroyNotify)gsk_render_node_unref);
}

static GskRenderNode *
make_strips (cairo_surface_t *image, double width, double height, double scale, double first_y,
             double strip_height)
{
    GPtrArray *nodes = pv_picture_nodes_new_array ();
    cairo_pattern_t *pattern = pv_shared_image_make_pattern (image, scale);

    for (double y = fmod (first_y, strip_height) - strip_height; y < height; y += strip_height) {
        double top = MAX (y, 0), bottom = MIN (y + strip_height, height);
        graphene_rect_t bounds =
            GRAPHENE_RECT_INIT (0, (float)top, (float)width, (float)(bottom - top));
        GskRenderNode *strip;
        cairo_t *cr;
        if (top >= bottom)
            continue;
        strip = gsk_cairo_node_new (&bounds);
        cr = gsk_cairo_node_get_draw_context (strip);
        cairo_set_source (cr, pattern);
        cairo_rectangle (cr, 0, top, width, bottom - top);
        cairo_fill (cr);
        cairo_destroy (cr);
        g_ptr_array_add (nodes, strip);
    }
    cairo_pattern_destroy (pattern);
    return pv_picture_nodes_join (nodes);
}

static GskRenderNode *
make_textures (cairo_surface_t *image, double scale)
{
    GPtrArray *nodes = pv_picture_nodes_new_array ();
    int width = cairo_image_surface_get_width (image);
    int height = cairo_image_surface_get_height (image);
    gsize stride = (gsize)cairo_image_surface_get_stride (image);

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
    return pv_picture_nodes_join (nodes);
}

GskRenderNode *
pv_picture_nodes_make (cairo_surface_t *image, double width, double height, double device_scale,
                       double first_y, double strip_height, GskRenderer *renderer)
{
    g_assert (device_scale > 0 && strip_height > 0);
    if (renderer != NULL && G_TYPE_CHECK_INSTANCE_TYPE (renderer, GSK_TYPE_CAIRO_RENDERER))
        return make_strips (image, width, height, device_scale, first_y, strip_height);
    return make_textures (image, device_scale);
}

GskRenderNode *
pv_picture_nodes_take (cairo_surface_t *image, GtkWidget *widget, double strip_height)
{
    GskRenderNode *node =
        pv_picture_nodes_make (image, gtk_widget_get_width (widget), gtk_widget_get_height (widget),
                               gtk_widget_get_scale_factor (widget), 0, strip_height,
                               gtk_native_get_renderer (gtk_widget_get_native (widget)));

    cairo_surface_destroy (image);
    return node;
}

void
pv_picture_append_color (GtkSnapshot *snapshot, const GdkRGBA *color, double x, double y,
                         double width, double height)
{
    if (width > 0 && height > 0)
        gtk_snapshot_append_color (
            snapshot, color, &GRAPHENE_RECT_INIT ((float)x, (float)y, (float)width, (float)height));
}
