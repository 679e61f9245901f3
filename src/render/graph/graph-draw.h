/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <cairo.h>

#include "render/draw/glyphs.h"
#include "render/draw/palette.h"
#include "render/graph/graph-layout.h"

#define PV_GRAPH_NO_NODE UINT32_MAX

typedef struct {
    PvColorScheme colors;
    bool is_dark;
    bool is_high_contrast;
    uint32_t selected; /* node, or PV_GRAPH_NO_NODE; its edges stand out */
    uint32_t hovered;
    bool has_focus; /* the keyboard is there */
    /* The part of the layout to draw; the rest is not even read. */
    double left, top, right, bottom;
} PvGraphView;

/* Fonts and colors. Not thread-safe. */
typedef struct {
    PvGlyphFont *fonts[PV_GRAPH_N_SIZES];
    PvPalette palette;
} PvGraphPainter;

/* All of the layout, by module. */
void pv_graph_view_init (PvGraphView *view, const PvGraphLayout *layout);

/* font: that of the layout; NULL: the default. */
PvGraphPainter *pv_graph_painter_new (const PangoFontDescription *font);
void pv_graph_painter_free (PvGraphPainter *painter);
/* Makes the palette that the view needs. */
void pv_graph_painter_prepare (PvGraphPainter *painter, const PvGraphLayout *layout,
                               const PvGraphView *view);

/* Draws onto what is already there, in the layout's pixels: the caller scales and moves. */
void pv_graph_draw (PvGraphPainter *painter, cairo_t *cr, const PvGraphLayout *layout,
                    const PvGraphView *view);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvGraphPainter, pv_graph_painter_free)
