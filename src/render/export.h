#pragma once

#include <glib.h>
#include <stdbool.h>

#include "core/analyze/call-tree.h"
#include "render/flame-graph.h"

/* A picture of the flame graph with title and legend, by the ending of path: .svg, .png, .pdf. The
 * height follows from the tree where view->height is 0. Written to a temporary file that replaces
 * path when complete. Errors are of G_FILE_ERROR. */
bool pv_export_flame_graph (const char *path, const PvCallTree *tree, const PvFlameView *view,
                            const char *title, GError **error);
