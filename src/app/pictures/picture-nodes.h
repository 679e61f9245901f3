/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

/*
 * A finished picture as GSK render nodes, cut into pieces so that unchanged pieces are not painted
 * again. Main loop only; the caller owns the nodes.
 */

/* The image has device pixels; width, height and the strips are in units of the widget. A strip
 * starts at first_y, others follow above and below. The nodes suit this renderer best (NULL: any),
 * but every renderer shows them correctly. */
GskRenderNode *pv_picture_nodes_make (cairo_surface_t *image, double width, double height,
                                      double device_scale, double first_y, double strip_height,
                                      GskRenderer *renderer);

/* The same for the picture of a widget that is realized; takes the image. */
GskRenderNode *pv_picture_nodes_take (cairo_surface_t *image, GtkWidget *widget,
                                      double strip_height);

/* A plain rectangle over a picture; nothing, if it is empty. */
void pv_picture_append_color (GtkSnapshot *snapshot, const GdkRGBA *color, double x, double y,
                              double width, double height);

/* The widget's font, a little smaller: for text in boxes. Free with pango_font_description_free ().
 */
PangoFontDescription *pv_picture_make_font (GtkWidget *widget);

/* An empty array that owns its nodes. */
GPtrArray *pv_picture_nodes_new_array (void);
/* One node that contains all; takes the array. */
GskRenderNode *pv_picture_nodes_join (GPtrArray *nodes);
