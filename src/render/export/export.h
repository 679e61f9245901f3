/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "core/analyze/time/flame-chart.h"
#include "core/analyze/tree/call-tree.h"
#include "core/analyze/tree/sandwich.h"
#include "render/chart/chart.h"
#include "render/flame/flame-graph.h"
#include "render/flame/flame-range.h"
#include "render/tracks/heat-picture.h"
#include "render/tracks/tracks.h"

/* Writes a picture of the flame graph with title and legend, as .svg, .png or .pdf by the extension
 * of path. If view->height is 0, the tree determines the height. Writes a temporary file that
 * replaces path when complete. Sets a G_FILE_ERROR. */
bool pv_export_flame_graph (const char *path, const PvCallTree *tree, const PvFlameView *view,
                            const char *title, GError **error);

/* The same of a treemap (treemap.h): of the zoomed node, three fifths as high as it is wide unless
 * the view has a height. A comparison's has the sizes of the new side if it is given that tree. */
bool pv_export_treemap (const char *path, const PvCallTree *tree, const PvFlameView *view,
                        const char *title, GError **error);

/* The same of a comparison whose values have a tree of each side: both beside each other, or one
 * above the other in less width than fits both, each below a heading that says which one it is.
 * They show the same range, which is of the values' tree; the view's own is ignored. */
bool pv_export_side_by_side (const char *path, const PvNodeValues *values,
                             const PvFlameRange *range, const PvFlameView *view, const char *title,
                             GError **error);

/* The same of a sandwich with both halves; the title gets the function's name. The size, of both
 * together, and the colors are those of callees. */
bool pv_export_sandwich (const char *path, const PvSandwich *sandwich, const PvFlameView *callers,
                         const PvFlameView *callees, const char *title, GError **error);

/* The same of the part of a flame chart that is in view, below a ruler of times; the title gets the
 * thread's name. The cut should have a box for each pixel of that part, or more. */
bool pv_export_flame_chart (const char *path, const PvFlameChart *chart, const PvCallTree *cut,
                            const PvFlameView *view, const char *title, GError **error);

/* Writes a chart with title and legend in the same way, 960 x 480 pixels unless the view has a
 * size; a PNG uses view->device_scale. Draws the brush if there is one. */
bool pv_export_chart (const char *path, const PvSeries *series, const PvChartView *view,
                      const char *title, GError **error);

typedef struct {
    PvTracks *tracks;
    PvColorScheme colors;    /* that their hues are of */
    const PvCallTree *tree;  /* of the tracks */
    const PvTimeIndex *lit;  /* the samples to light up, or NULL ... */
    const char *lit_name;    /* ... of what is selected, or NULL ... */
    const char *match_name;  /* ... and of a search, or NULL */
    uint64_t range_start_ns; /* the rest is veiled, and figures are of this range ... */
    uint64_t range_end_ns;   /* ... unless this is 0 */
    guint n_marks;
    const PvRangeMark *marks; /* by letter */
} PvTracksPicture;

/* Writes tracks in the same way, over the view's times and with the shares of the kinds of work.
 * If view->height is 0, all tracks are there, else those that fit; they begin with the first one.
 * A PNG uses view->device_scale. */
bool pv_export_tracks (const char *path, const PvTracksPicture *picture, const PvTracksView *view,
                       const char *title, GError **error);

/* Writes a heat map in the same way, with what the colors mean. If view->height is 0, cells have a
 * height that is easy to see. A PNG uses view->device_scale. */
bool pv_export_heat_map (const char *path, const PvHeatMap *map, const PvHeatView *view,
                         const char *title, GError **error);
