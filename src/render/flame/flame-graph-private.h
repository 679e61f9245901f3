/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/base/arena.h"
#include "core/base/array.h"
#include "render/draw/glyphs.h"
#include "render/draw/palette.h"
#include "render/draw/stripes.h"
#include "render/flame/flame-graph.h"
#include "render/flame/flame-layout.h"

/* The private part of PvFlamePainter, for drawing and export only. */

/* A box as drawn, in device pixels. */
typedef struct {
    PvNodeId node;
    int left;
    int right;
    int top;
    uint16_t color;  /* state * PV_N_HUES + hue */
    uint8_t stripes; /* PvStripes; only if the painter has_stripes */
} PvFlameBox;

/* A bundle as drawn. */
typedef struct {
    PvFlameBundle nodes;
    int left;
    int right;
    int top;
} PvFlameBundleBox;

/* Pixels of a bundle that hide a match. */
typedef struct {
    int left;
    int right;
    int top;
} PvFlameMatch;

/* Nodes of a level that are drawn as one; see flame-bundles.c. */
typedef struct {
    PvNodeId first;
    PvNodeId last;
    PvNodeId wide_node;
} PvFlameSpan;
typedef PV_ARRAY (PvFlameSpan) PvFlameSpans;

enum { PV_N_FLAME_COLORS = PV_N_SHADE_STATES * PV_N_HUES };

struct PvFlamePainter {
    PvGlyphFont *font;
    double row_height;
    bool is_vector; /* exact glyph positions instead of whole pixels */
    PvPalette palette;

    /* Per function of `symbols` (a reference); filled on first use. */
    const PvSymbolTable *symbols;
    PvColorScheme scheme;
    uint8_t *hue_of_function; /* + 1; 0: unknown yet */
    PvLabelName *names;       /* name NULL: unknown yet */
    unsigned font_generation; /* that widths in names are for */
    PvArena *strings;

    /* The last picture of pv_flame_draw (). */
    PV_ARRAY (PvFlameBox) boxes;
    PV_ARRAY (PvFlameBundleBox) bundles;
    PV_ARRAY (PvFlameMatch) matches;
    PV_ARRAY (PvNodeId) ancestors; /* of the zoomed node, by level, root first */
    PV_ARRAY (uint32_t) order;     /* boxes by colour */
    PvFlameSpans spans;            /* of the level that is being collected */
    PvFlameSpans spans_above;
    const PvHatch *hatch;  /* of the palette */
    const PvColor *border; /* the same; NULL: boxes have none */
    bool has_stripes;
    PvFlameLayout drawn;
    PV_ARRAY (PvFlameOutline) outlines;
    PvGlyphRun glyphs[PV_N_SHADE_STATES];
    cairo_surface_t *images[2]; /* of the last drawings, latest first */
};

/* Updates the palette and the caches for this tree and view. */
void pv_flame_painter_prepare (PvFlamePainter *painter, const PvCallTree *tree,
                               const PvFlameView *view);
/* The layout of the view, in the painter's font. */
void pv_flame_painter_layout (PvFlamePainter *painter, const PvCallTree *tree,
                              const PvFlameView *view, PvFlameLayout *ret_layout);

/* For pictures of other shapes, after pv_flame_painter_prepare (): the index of a node's colour,
 * state * PV_N_HUES + hue; is_ancestor: of the zoomed node. */
uint16_t pv_flame_painter_color_node (PvFlamePainter *painter, const PvCallTree *tree,
                                      const PvFlameView *view, PvNodeId node, bool is_ancestor);
/* The hatch and the border that suit the view. */
void pv_flame_painter_choose_lines (PvFlamePainter *painter, const PvFlameView *view);
/* Draws as much of a node's name as there is room for, in the text colour of a PvShadeState: with
 * the next pv_flame_painter_show_labels (). */
void pv_flame_painter_add_label (PvFlamePainter *painter, cairo_t *cr, const PvCallTree *tree,
                                 PvNodeId node, unsigned state, double x, double baseline,
                                 double room);
void pv_flame_painter_show_labels (PvFlamePainter *painter, cairo_t *cr);

/* Adds the boxes and bundles of a level to the painter; of levels above only what this one needs:
 * call it for the level above the first one that is drawn, and then for each. Boxes get is_ancestor
 * in place of a colour. */
void pv_flame_collect_level (PvFlamePainter *painter, const PvFlameLayout *layout, uint32_t level,
                             PvNodeId ancestor);

/* The width of the stripes of bundles, and the distance from one to the next, in device pixels. */
static inline int
pv_flame_stripe_width (const PvFlamePainter *painter)
{
    return MAX ((int)(painter->drawn.device_scale * 2 + 0.5), 1);
}

static inline int
pv_flame_stripe_period (const PvFlamePainter *painter)
{
    return 3 * pv_flame_stripe_width (painter);
}

/* Fills the bundles with their hatch, without what lies over them. */
void pv_flame_fill_bundles (PvFlamePainter *painter, cairo_t *cr, int height);

/* Boxes leave one device pixel free at their right and lower edge, except the narrowest. */
static inline int
pv_flame_gap_of_width (int width)
{
    return width >= 3 ? 1 : 0;
}

enum {
    PV_FLAME_LEAST_BORDERED = 8
}; /* device pixels: a box with less would only show its border */

/* The thickness of the border around boxes. */
static inline int
pv_flame_inset (const PvFlamePainter *painter)
{
    return painter->border != NULL && painter->drawn.row_height >= 6 ? 1 : 0;
}

/* The same for a box of this width. */
static inline int
pv_flame_inset_of_width (const PvFlamePainter *painter, int width)
{
    return width >= PV_FLAME_LEAST_BORDERED ? pv_flame_inset (painter) : 0;
}

/* The color of a box that is as wide as this: where others have a border, narrow ones are strong.
 */
static inline uint16_t
pv_flame_color_of_width (const PvFlamePainter *painter, unsigned color, int width)
{
    unsigned state = color / PV_N_HUES;
    if (painter->border == NULL || width >= PV_FLAME_LEAST_BORDERED || state == PV_SHADE_MATCH ||
        state == PV_SHADE_MATCH_DIMMED)
        return (uint16_t)color;
    state = state == PV_SHADE_FADED ? PV_SHADE_FADED_THIN : PV_SHADE_THIN;
    return (uint16_t)(state * PV_N_HUES + color % PV_N_HUES);
}

/* True if a box has lines over it; not if it is so narrow that they would cover it. */
static inline bool
pv_flame_has_stripes (const PvFlamePainter *painter, const PvFlameBox *box)
{
    return painter->has_stripes && box->stripes != PV_STRIPES_NONE && box->right - box->left >= 4;
}

/* The filled part of a box. */
static inline cairo_rectangle_int_t
pv_flame_get_inside (const PvFlamePainter *painter, const PvFlameBox *box, int height)
{
    int width = box->right - box->left, inset = pv_flame_inset_of_width (painter, width);
    return (cairo_rectangle_int_t){box->left + inset, box->top + inset,
                                   width - pv_flame_gap_of_width (width) - inset,
                                   height - 2 * inset};
}

/* The color of the lines over a box with this color. */
static inline PvColor
pv_flame_get_stripe_color (const PvFlamePainter *painter, unsigned color)
{
    unsigned state = color / PV_N_HUES;
    return pv_stripes_get_color (painter->palette.fills[state][color % PV_N_HUES],
                                 painter->palette.texts[state]);
}

/* The function of a node, or NULL: root and groups have none, only a name in the tree. */
static inline const PvFunction *
pv_flame_function (const PvCallTree *tree, PvNodeId node)
{
    PvFunctionId function = tree->function_of_node[node];
    return function != 0 && function < tree->symbols->n_functions
               ? &tree->symbols->functions[function]
               : NULL;
}

/* Draws background, runs and boxes straight into an image. Does nothing and returns false if the
 * target of cr does not allow that. */
bool pv_flame_raster (PvFlamePainter *painter, cairo_t *cr);
