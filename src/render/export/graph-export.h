/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "render/draw/palette.h"
#include "render/graph/graph-layout.h"

/* Writes a call graph as .svg, .png or .pdf, as pv_export_flame_graph () does. A picture is as
 * large as its graph; with a width, it is smaller if the graph is wider. device_scale: of a PNG.
 * colors: those of its nodes, as pv_graph_hue () takes them. scale_text: how a comparison was
 * scaled, or NULL. */
bool pv_export_graph (const char *path, const PvGraphLayout *layout, double width,
                      double device_scale, PvColorScheme colors, const char *scale_text,
                      const char *title, GError **error);
