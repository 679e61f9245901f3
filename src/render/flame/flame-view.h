/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>

#include "core/analyze/compare/node-values.h"
#include "core/analyze/tree/call-tree.h"
#include "render/draw/palette.h"

/* The visible part of a flame graph and its appearance. */
typedef struct {
    double width;
    double height;
    double scroll_y;   /* pixels of the drawing above the view */
    double row_height; /* 0: from the font */
    double zoom_left;  /* visible range in fractions of the total; usually the zoomed node's */
    double zoom_right;
    PvNodeId zoom_node; /* its ancestors take the full width; 0: none */
    bool is_flame;      /* root at the bottom; else icicle, root at the top */
    bool is_dark;
    bool is_high_contrast;
    PvColorScheme colors;
    const PvNodeValues
        *values; /* for PV_COLOR_BY_VALUE and _CHANGE; NULL, or of another tree: not yet known */
    const char *scale_text; /* how a comparison is scaled, for the legend of an export; or NULL */
    const bool *is_match;   /* per function id of the tree's symbols; others fade; or NULL */
    PvNodeId selected;      /* PV_NODE_NONE */
    double least_share;     /* of the width: narrower boxes are bundled, also if they can be seen */
    double device_scale;    /* for hair lines and label fitting */
} PvFlameView;

void pv_flame_view_init (PvFlameView *view);
