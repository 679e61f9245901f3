/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/view/view.h"
#include "render/flame/flame-graph.h"

/*
 * A picture of a document's call tree in which nodes are boxes: what the flame graph and the
 * treemap have in common. The pointer hovers boxes and selects them, keys move the selection, a
 * menu opens on it; classes place and draw boxes, and say what a click zooms. Main loop only.
 * Signals: "hover-changed", another node or none is under the pointer; "menu-requested" (x, y), the
 * user asks for the context menu of the selected node.
 */
#define PV_TYPE_BOX_AREA (pv_box_area_get_type ())
GType pv_box_area_get_type (void);

typedef struct _PvBoxArea PvBoxArea;
typedef struct _PvBoxAreaClass PvBoxAreaClass;
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvBoxArea, g_object_unref)

#define PV_BOX_AREA(object) (G_TYPE_CHECK_INSTANCE_CAST ((object), PV_TYPE_BOX_AREA, PvBoxArea))
#define PV_BOX_AREA_CLASS(class)                                                                   \
    (G_TYPE_CHECK_CLASS_CAST ((class), PV_TYPE_BOX_AREA, PvBoxAreaClass))

enum { PV_BOX_MAX_CELLS = 7 }; /* one more than the moves of a class */

/* For classes only. */
struct _PvBoxArea {
    PvView base;

    PvFlameView view;       /* pv_box_area_sync_view () sets all but what is chosen */
    GskRenderNode *picture; /* NULL: to be drawn */
    GskRenderNode *overlay;
    PvNodeId hovered;
    PvNodeId echo;               /* outlined while nothing is hovered; or PV_NODE_NONE */
    PvFlameBundle bundle;        /* that `hovered` is hidden in, */
    gboolean has_bundle;         /* if there is one */
    double pointer_x, pointer_y; /* negative: outside */
    double rest_x, rest_y;       /* where in the window GTK last reported it */
    gboolean is_pressed;         /* by the button that clicks */
    gboolean has_control;        /* with Ctrl, which leads to the source instead */
    double press_x, press_y;

    GtkWidget *cells[PV_BOX_MAX_CELLS];
    PvNodeId node_of_cell[PV_BOX_MAX_CELLS];
    unsigned current_cell;
};

/* All members but the first and the optional ones must be set. Those with a tree are called when
 * there is one, after pv_box_area_sync_view (). */
struct _PvBoxAreaClass {
    PvViewClass parent_class; /* its "changed" first hears of all, also while unmapped */
    unsigned n_moves;         /* of the keys, from 0 on */

    /* NULL: nothing is shown yet. There is a document. */
    const PvCallTree *(*get_tree) (PvBoxArea *area);
    /* Sets the parts of the view that come from the document; the tree may be NULL. */
    void (*sync_view) (PvBoxArea *area, const PvCallTree *tree);
    /* Optional: the area is allocated, its size in the view is not in sync yet. */
    void (*resize) (PvBoxArea *area, int width, int height);

    /* The picture without hover, and the outlines over it for a node; NULL: nothing. */
    GskRenderNode *(*draw) (PvBoxArea *area, const PvCallTree *tree);
    GskRenderNode *(*outline) (PvBoxArea *area, const PvCallTree *tree, PvNodeId node);
    /* As functions of the flame graph, see render/flame/flame-graph.h. */
    PvNodeId (*hit) (PvBoxArea *area, const PvCallTree *tree, double x, double y);
    bool (*find_bundle) (PvBoxArea *area, const PvCallTree *tree, double x, double y,
                         PvFlameBundle *ret_bundle);
    bool (*get_box) (PvBoxArea *area, const PvCallTree *tree, PvNodeId node,
                     cairo_rectangle_t *ret_box);
    PvNodeId (*move) (PvBoxArea *area, const PvCallTree *tree, PvNodeId from, unsigned move);
    /* Optional: the label of a cell; else the node's share of all. The caller frees it. */
    char *(*describe) (PvBoxArea *area, const PvCallTree *tree, PvNodeId node);

    /* User actions. */
    void (*select_node) (PvBoxArea *area, PvNodeId node);
    void (*zoom_to_node) (PvBoxArea *area, PvNodeId node); /* 0: to all */
    void (*go_back) (PvBoxArea *area);
    /* On a node or on a bundle, else NULL; or on nothing. */
    void (*click) (PvBoxArea *area, const PvCallTree *tree, int n_press, PvNodeId node,
                   const PvFlameBundle *bundle);
    /* The move that a key means, see pv_key_plain (); FALSE: not a key of a move. */
    gboolean (*find_move) (PvBoxArea *area, guint key, unsigned *ret_move);
    /* Optional: a key has moved the selection; else it selects. */
    void (*arrive) (PvBoxArea *area, const PvCallTree *tree, PvNodeId from, PvNodeId to,
                    unsigned move);
    /* Optional: handles other such keys, which come first; FALSE: not one of them. */
    gboolean (*take_key) (PvBoxArea *area, guint key, GdkModifierType state);
};

void pv_box_area_set_colors (PvBoxArea *area, PvColorScheme colors);

/* The tree that is shown; NULL: no tree yet. */
const PvCallTree *pv_box_area_get_tree (PvBoxArea *area);
/* The hovered node, else the selected, else the zoomed one. PV_NODE_NONE: there is no tree. */
PvNodeId pv_box_area_get_shown_node (PvBoxArea *area);
gboolean pv_box_area_is_hovered (PvBoxArea *area);
/* The hovered bundle, see flame-graph.h; FALSE: no bundle. */
gboolean pv_box_area_get_shown_bundle (PvBoxArea *area, PvFlameBundle *ret_bundle);
/* The view that is shown, for an export that looks the same. Valid until the next change. */
const PvFlameView *pv_box_area_get_view (PvBoxArea *area);

/* For classes. */

/* Brings the view up to date; returns the tree, which may be NULL. */
const PvCallTree *pv_box_area_sync_view (PvBoxArea *area);
/* The picture must be drawn again. */
void pv_box_area_invalidate (PvBoxArea *area);
/* The same of the outlines over it. */
void pv_box_area_invalidate_outlines (PvBoxArea *area);
/* The tree has changed: nodes of the old one mean nothing now. No signal. */
void pv_box_area_forget_nodes (PvBoxArea *area);
/* Nothing is hovered before the pointer moves again. */
void pv_box_area_rest (PvBoxArea *area);
/* Finds the hovered node again. */
void pv_box_area_update_hovered (PvBoxArea *area);
/* Gives cells to the selected node and to those that keys lead to. There is a tree. */
void pv_box_area_update_cells (PvBoxArea *area);
/* There is no box to be shown: one cell says so. */
void pv_box_area_show_empty_cells (PvBoxArea *area, const char *label);
/* Another node is selected: draws that. Cells follow by pv_box_area_update_cells (). */
void pv_box_area_show_selected (PvBoxArea *area);
