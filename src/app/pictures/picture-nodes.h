/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

/*
 * A finished picture as GSK's render nodes, cut so that what did not change is not painted again.
 * Main loop only; the nodes are the caller's.
 */

/* image in device pixels, width and height in those of the drawing. Strips of the picture start at
 * first_y, or whole strips above or below it. Made for this renderer, right with any. */
GskRenderNode *pv_picture_nodes_make (cairo_surface_t *image, double width, double height,
                                      double device_scale, double first_y, double strip_height,
                                      GskRenderer *renderer);

/* All of them in one node; takes them, and the array. */
GskRenderNode *pv_picture_nodes_join (GPtrArray *nodes);
GPtrArray *pv_picture_nodes_new_array (void);
