/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "core/analyze/tree/call-tree.h"
#include "render/chart/chart.h"
#include "render/flame/flame-graph.h"

/* A picture of the flame graph with title and legend, by the ending of path: .svg, .png, .pdf. The
 * height follows from the tree where view->height is 0. Written to a temporary file that replaces
 * path when complete. Errors are of G_FILE_ERROR. */
bool pv_export_flame_graph (const char *path, const PvCallTree *tree, const PvFlameView *view,
                            const char *title, GError **error);

/* A chart with title and legend in the same way. 960 pixels wide and 480 high where the view does
 * not say; a PNG has view->device_scale. The brush is drawn if there is one. */
bool pv_export_chart (const char *path, const PvSeries *series, const PvChartView *view,
                      const char *title, GError **error);
