/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "app/pictures/flame-area.h"

/* Declarations that the files of PvFlameArea share: flame-area.c has the picture, its zoom and its
 * cells, flame-half.c the special parts of half a sandwich and of one side of a comparison,
 * flame-time.c those of a flame chart, flame-input.c pointer and keys. */
enum { PV_FLAME_SELECTED, PV_FLAME_EDGE_REACHED, PV_FLAME_RANGE_CHANGED, PV_FLAME_N_SIGNALS };

struct _PvFlameArea {
    PvBoxArea area;

    PvFlamePainter *painter;
    GtkAdjustment *adjustments[2]; /* of GtkOrientation */

    AdwAnimation *zoom_animation;
    double from_left, from_right;
    double to_left, to_right;
    gboolean is_direct; /* the range follows pointer or wheel, without an animation */
    gboolean has_begun; /* the movement has changed something */
    gboolean has_click; /* a click has zoomed */
    gint64 last_key_us; /* when one zoomed or moved */

    /* For half a sandwich, see pv_flame_area_set_half (). */
    gboolean is_own;
    PvSandwichHalf half;
    PvCallTree *own_tree;
    PvNodeValues *own_values; /* NULL: no formula */
    PvNodeId home;            /* the node that zooming out leads to */
    PvFlameRange own_range;
    PvNodeId own_selected;
    unsigned n_hidden; /* rows */

    /* For a flame chart, see pv_flame_area_set_chart (); own_tree is one of these trees. */
    gboolean is_chart;
    PvCallTree *whole;
    PvCallTree *cut; /* finer, of a part; or NULL */
    double cut_left; /* that part, in fractions of the whole */
    double cut_right;
    /* The selected box, to find it in other cuts; function 0: no box. */
    PvFunctionId own_function;
    uint32_t own_level;
    uint64_t own_middle;

    /* For one side of a comparison, see pv_flame_area_set_side (). */
    gboolean is_side;
    PvSide side;
};

extern guint pv_flame_signals[PV_FLAME_N_SIGNALS];

/* The state that is shown: the document's, or the area's own. */
typedef struct {
    const PvCallTree *tree;
    PvFlameRange range;
    PvNodeId selected;
    const bool *is_match;
} PvFlameLook;

PvFlameLook pv_flame_area_get_look (PvFlameArea *area);
void pv_flame_area_update_cells (PvFlameArea *area);
/* The tree is another one. */
void pv_flame_area_show_new_tree (PvFlameArea *area);
/* Shows the zoom as it is now, or leads to it by an animation. */
void pv_flame_area_show_zoom (PvFlameArea *area, gboolean animated);

/* FALSE: it is in view. continues: as part of the last movement. */
gboolean pv_flame_area_zoom_to_range (PvFlameArea *area, const PvFlameRange *range,
                                      gboolean continues);
void pv_flame_area_zoom_to_node (PvFlameArea *area, PvNodeId node);
void pv_flame_area_select_node (PvFlameArea *area, PvNodeId node);
/* The selection is another one: shows it. */
void pv_flame_area_show_selected (PvFlameArea *area);

/* For a flame chart, see flame-time.c. */
gboolean pv_flame_area_zoom_in_time (PvFlameArea *area, const PvFlameRange *range,
                                     gboolean continues);
/* Shows the part that the document says. */
void pv_flame_area_follow_chart_zoom (PvFlameArea *area);
void pv_flame_area_select_box (PvFlameArea *area, PvNodeId node);
void pv_flame_area_follow_function (PvFlameArea *area);
/* The next box of a level, which may be out of view; the same box if it is the last. */
PvNodeId pv_flame_area_find_neighbour (PvFlameArea *area, PvNodeId node, PvFlameMove move);

/* Changes the look to that of one side of a comparison: its tree, or NULL if the side has nothing
 * of the part in view, and that part of it. */
void pv_flame_area_look_at_side (PvFlameArea *area, PvFlameLook *look);
/* Leads to the same part of the document's tree, as pv_flame_area_zoom_to_range (). */
gboolean pv_flame_area_zoom_side (PvFlameArea *area, const PvFlameRange *range, gboolean continues);

/* For half a sandwich: the document may have another zoom. */
void pv_flame_area_follow_half_zoom (PvFlameArea *area);

/* Pointer and keys. */
void pv_flame_area_init_input_class (PvBoxAreaClass *class);
void pv_flame_area_add_gestures (PvFlameArea *area);
