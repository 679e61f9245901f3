/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/pictures/flame-area-private.h"
#include "app/pictures/range-gestures.h"

#define KEY_FACTOR   0.7 /* of zooming by a key */
#define KEY_PAN      0.2 /* of the view's width */
#define KEY_BURST_US (700 * 1000)

/* Movements */

static void
zoom_at (GtkWidget *widget, double at, double factor, gboolean continues)
{
    PvFlameArea *self = PV_FLAME_AREA (widget);
    int width = gtk_widget_get_width (widget);
    PvFlameRange range;

    if (pv_box_area_get_tree (&self->area) == NULL || width <= 0)
        return;
    range = pv_flame_area_get_range (self);
    pv_flame_range_zoom (&range, pv_box_area_get_tree (&self->area), CLAMP (at / width, 0, 1),
                         factor);
    pv_flame_area_set_range (self, &range, continues);
}

/* Sideways the range moves, up and down the picture scrolls. */
static void
pan_by (GtkWidget *widget, double dx, double dy, gboolean continues)
{
    PvFlameArea *self = PV_FLAME_AREA (widget);
    GtkAdjustment *vertical = self->adjustments[GTK_ORIENTATION_VERTICAL];
    int width = gtk_widget_get_width (widget);
    PvFlameRange range;

    if (pv_box_area_get_tree (&self->area) == NULL || width <= 0)
        return;
    range = pv_flame_area_get_range (self);
    pv_flame_range_pan (&range, pv_box_area_get_tree (&self->area), -dx / width);
    pv_flame_area_set_range (self, &range, continues);
    if (vertical != NULL && dy != 0)
        gtk_adjustment_set_value (vertical, gtk_adjustment_get_value (vertical) - dy);
}

/* Makes room for the boxes that a bundle hides. */
static void
open_bundle (PvFlameArea *self, const PvFlameBundle *bundle)
{
    const PvCallTree *tree = pv_box_area_get_tree (&self->area);
    PvFlameRange range = pv_flame_range_of_bundle (tree, bundle);

    for (PvNodeId node = bundle->first; tree->has_folded && !self->is_chart && node <= bundle->last;
         node++)
        if (pv_call_tree_count_folded (tree, node) > 0) {
            pv_flame_area_zoom_to_node (self, node);
            return;
        }
    pv_flame_area_zoom_to_range (self, &range, FALSE);
}

/* Clicks and keys */

static void
click (PvBoxArea *area, const PvCallTree *tree, int n_press, PvNodeId node,
       const PvFlameBundle *bundle)
{
    PvFlameArea *self = PV_FLAME_AREA (area);
    gboolean had_click = n_press > 1 && self->has_click;

    if (n_press == 1)
        self->has_click = FALSE;
    if (bundle != NULL)
        open_bundle (self, bundle);
    else if (node != PV_NODE_NONE)
        pv_flame_area_zoom_to_node (self, area->view.selected != PV_NODE_NONE ? area->view.selected
                                                                              : node);
    else if (n_press == 2)
        pv_flame_area_zoom_to_node (self, 0);
    if (self->is_own && !self->is_chart && n_press == 2)
        pv_flame_area_show_sandwich (self, had_click);
}

static void
arrive (PvBoxArea *area, const PvCallTree *tree, PvNodeId from, PvNodeId to, unsigned move)
{
    PvFlameArea *self = PV_FLAME_AREA (area);

    if (to == from && self->is_chart)
        to = pv_flame_area_find_neighbour (self, from, (PvFlameMove)move);
    if (!self->is_own || pv_call_tree_get_level (tree, to) >= self->n_hidden)
        pv_flame_area_select_node (self, to);
    else if (move == PV_MOVE_PARENT)
        g_signal_emit (self, pv_flame_signals[PV_FLAME_EDGE_REACHED], 0);
    if (self->is_chart)
        pv_flame_area_see_selected (self);
}

/* Where a key zooms: at the selected box, if it is in view. */
static double
get_zoom_center (PvFlameArea *self)
{
    double width = gtk_widget_get_width (GTK_WIDGET (self));
    PvNodeId selected = pv_flame_area_get_look (self).selected;
    cairo_rectangle_t box;

    if (selected == PV_NODE_NONE ||
        !pv_flame_get_box (self->painter, pv_box_area_get_tree (&self->area), &self->area.view,
                           selected, &box))
        return width / 2;
    return CLAMP (box.x + box.width / 2, 0, width);
}

/* Keys that zoom and move as wheel and drag do; FALSE: another key. */
static gboolean
move_view (PvFlameArea *self, guint key, GdkModifierType state)
{
    double step = KEY_PAN * gtk_widget_get_width (GTK_WIDGET (self));
    gboolean continues = self->last_key_us + KEY_BURST_US > g_get_monotonic_time ();
    double factor = 0, dx = 0;

    if (key == GDK_KEY_plus)
        factor = KEY_FACTOR;
    else if (key == GDK_KEY_minus)
        factor = 1 / KEY_FACTOR;
    else if (state & GDK_SHIFT_MASK && key == GDK_KEY_Left)
        dx = step;
    else if (state & GDK_SHIFT_MASK && key == GDK_KEY_Right)
        dx = -step;
    if ((factor == 0 && dx == 0) || pv_box_area_get_tree (&self->area) == NULL)
        return FALSE;
    pv_box_area_sync_view (&self->area);
    if (factor != 0)
        zoom_at (GTK_WIDGET (self), get_zoom_center (self), factor, continues);
    else
        pan_by (GTK_WIDGET (self), dx, 0, continues);
    self->last_key_us = g_get_monotonic_time ();
    return TRUE;
}

static gboolean
take_key (PvBoxArea *area, guint key, GdkModifierType state)
{
    PvFlameArea *self = PV_FLAME_AREA (area);

    if (move_view (self, key, state))
        return TRUE;
    if (key != GDK_KEY_Return || !self->is_own || self->is_chart ||
        self->own_selected == self->home)
        return FALSE;
    pv_flame_area_show_sandwich (self, FALSE);
    return TRUE;
}

static gboolean
find_move (PvBoxArea *area, guint key, unsigned *ret_move)
{
    gboolean is_flame = area->view.is_flame;

    if (key == GDK_KEY_Up)
        *ret_move = is_flame ? PV_MOVE_CHILD : PV_MOVE_PARENT;
    else if (key == GDK_KEY_Down)
        *ret_move = is_flame ? PV_MOVE_PARENT : PV_MOVE_CHILD;
    else if (key == GDK_KEY_Left)
        *ret_move = PV_MOVE_LEFT;
    else if (key == GDK_KEY_Right)
        *ret_move = PV_MOVE_RIGHT;
    else
        return FALSE;
    return TRUE;
}

void
pv_flame_area_init_input_class (PvBoxAreaClass *class)
{
    class->click = click;
    class->arrive = arrive;
    class->take_key = take_key;
    class->find_move = find_move;
}

void
pv_flame_area_add_gestures (PvFlameArea *self)
{
    static const PvRangeGestures gestures = {zoom_at, pan_by};

    pv_range_gestures_add (GTK_WIDGET (self), &gestures);
}
