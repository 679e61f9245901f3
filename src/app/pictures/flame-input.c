/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "app/pictures/flame-area-private.h"
#include "app/pictures/range-gestures.h"

#define KEY_FACTOR   0.7 /* of zooming by a key */
#define KEY_PAN      0.2 /* of the view's width */
#define KEY_BURST_US (700 * 1000)
#define SAME_PX      0.01 /* what places in the window may differ by, for rounding */

/* Movements */

static void
zoom_at (GtkWidget *widget, double at, double factor, gboolean goes_on)
{
    PvFlameArea *self = PV_FLAME_AREA (widget);
    int width = gtk_widget_get_width (widget);
    PvFlameRange range;

    if (pv_flame_area_get_tree (self) == NULL || width <= 0)
        return;
    range = pv_flame_area_get_range (self);
    pv_flame_range_zoom (&range, pv_flame_area_get_tree (self), CLAMP (at / width, 0, 1), factor);
    pv_flame_area_set_range (self, &range, goes_on);
}

/* Sideways the range moves, up and down the picture scrolls. */
static void
pan_by (GtkWidget *widget, double dx, double dy, gboolean goes_on)
{
    PvFlameArea *self = PV_FLAME_AREA (widget);
    GtkAdjustment *vertical = self->adjustments[GTK_ORIENTATION_VERTICAL];
    int width = gtk_widget_get_width (widget);
    PvFlameRange range;

    if (pv_flame_area_get_tree (self) == NULL || width <= 0)
        return;
    range = pv_flame_area_get_range (self);
    pv_flame_range_pan (&range, pv_flame_area_get_tree (self), -dx / width);
    pv_flame_area_set_range (self, &range, goes_on);
    if (vertical != NULL && dy != 0)
        gtk_adjustment_set_value (vertical, gtk_adjustment_get_value (vertical) - dy);
}

/* Makes room for what a bundle hides. */
static void
open_bundle (PvFlameArea *self, const PvFlameBundle *bundle)
{
    const PvCallTree *tree = pv_flame_area_get_tree (self);
    PvFlameRange range = pv_flame_range_of_bundle (tree, bundle);

    for (PvNodeId node = bundle->first; tree->has_folded && !self->is_chart && node <= bundle->last;
         node++)
        if (pv_call_tree_count_folded (tree, node) > 0) {
            pv_flame_area_zoom_to_node (self, node);
            return;
        }
    pv_flame_area_zoom_to_range (self, &range, FALSE);
}

/* Pointer and keys */

/* Where in the window the pointer is, which stays when the area moves below it. False if it has
 * been there before. */
static gboolean
take_rest (PvFlameArea *self, double x, double y)
{
    GtkWidget *window = GTK_WIDGET (gtk_widget_get_root (GTK_WIDGET (self)));
    gboolean has_moved;

    gtk_widget_translate_coordinates (GTK_WIDGET (self), window, x, y, &x, &y);
    has_moved = fabs (x - self->rest_x) > SAME_PX || fabs (y - self->rest_y) > SAME_PX;
    self->rest_x = x;
    self->rest_y = y;
    return has_moved;
}

/* The area may appear under a resting pointer, which hovers nothing before it moves. */
static void
on_enter (PvFlameArea *self, double x, double y)
{
    take_rest (self, x, y);
}

/* GTK also reports motion when only what is under the pointer has changed. */
static void
on_motion (PvFlameArea *self, double x, double y)
{
    gboolean has_moved = take_rest (self, x, y);

    if (self->pointer_x < 0 && !has_moved)
        return;
    self->pointer_x = x;
    self->pointer_y = y;
    pv_flame_area_update_hovered (self);
}

static void
on_leave (PvFlameArea *self)
{
    self->pointer_x = -1;
    self->rest_x = -1;
    pv_flame_area_set_hovered (self, PV_NODE_NONE, NULL);
}

static PvNodeId
hit (PvFlameArea *self, double x, double y)
{
    const PvCallTree *tree = pv_flame_area_get_tree (self);

    if (tree == NULL)
        return PV_NODE_NONE;
    pv_flame_area_sync_view (self);
    return pv_flame_hit (self->painter, tree, &self->view, x, y);
}

static gboolean
find_bundle (PvFlameArea *self, double x, double y, PvFlameBundle *ret_bundle)
{
    const PvCallTree *tree = pv_flame_area_get_tree (self);

    if (tree == NULL)
        return FALSE;
    pv_flame_area_sync_view (self);
    return pv_flame_find_bundle (self->painter, tree, &self->view, x, y, ret_bundle);
}

static void
on_pressed (PvFlameArea *self, int n_press, double x, double y, GtkGesture *gesture)
{
    guint button = gtk_gesture_single_get_current_button (GTK_GESTURE_SINGLE (gesture));
    GdkEvent *event = gtk_gesture_get_last_event (gesture, NULL);
    PvNodeId node = hit (self, x, y);
    PvFlameBundle bundle;

    gtk_widget_grab_focus (GTK_WIDGET (self));
    self->is_pressed = FALSE;
    if (n_press == 1)
        self->has_click = FALSE;
    if (event != NULL && gdk_event_triggers_context_menu (event)) {
        if (node == PV_NODE_NONE)
            return;
        pv_flame_area_select_node (self, node);
        g_signal_emit (self, pv_flame_signals[PV_FLAME_MENU_REQUESTED], 0, x, y);
    } else if (button == GDK_BUTTON_PRIMARY) {
        GdkModifierType state =
            gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (gesture));
        if (node != PV_NODE_NONE && !find_bundle (self, x, y, &bundle))
            pv_flame_area_select_node (self, node);
        self->has_control = (state & GDK_CONTROL_MASK) != 0;
        /* Ctrl and a click on a box leads to its source, elsewhere to nothing. */
        self->is_pressed = !self->has_control || (n_press == 1 && node != PV_NODE_NONE &&
                                                  !find_bundle (self, x, y, &bundle));
        self->press_x = x;
        self->press_y = y;
    }
}

/* A drag is no click. */
static void
on_released (PvFlameArea *self, int n_press, double x, double y)
{
    PvFlameLook look = pv_flame_area_get_look (self);
    gboolean is_click =
        self->is_pressed && !gtk_drag_check_threshold (GTK_WIDGET (self), (int)self->press_x,
                                                       (int)self->press_y, (int)x, (int)y);
    gboolean has_click = self->has_click;
    PvFlameBundle bundle;

    self->is_pressed = FALSE;
    if (!is_click)
        return;
    if (self->has_control) {
        gtk_widget_activate_action (GTK_WIDGET (self), "filter.open-in-editor", NULL);
        return;
    }
    if (find_bundle (self, x, y, &bundle))
        open_bundle (self, &bundle);
    else if (hit (self, x, y) != PV_NODE_NONE)
        pv_flame_area_zoom_to_node (self, look.selected != PV_NODE_NONE ? look.selected
                                                                        : hit (self, x, y));
    else if (n_press == 2)
        pv_flame_area_zoom_to_node (self, 0);
    if (self->is_own && !self->is_chart && n_press == 2)
        pv_flame_area_show_sandwich (self, has_click);
}

static void
move_selection (PvFlameArea *self, PvFlameMove move)
{
    PvFlameLook look = pv_flame_area_get_look (self);
    PvNodeId from = look.selected != PV_NODE_NONE ? look.selected : look.range.node;
    PvNodeId to;

    if (look.tree == NULL)
        return;
    pv_flame_area_sync_view (self);
    to = pv_flame_move (look.tree, &self->view, from, move);
    if (to == from && self->is_chart)
        to = pv_flame_area_find_beside (self, from, move);
    self->pointer_x = -1; /* ignored until it moves again */
    pv_flame_area_set_hovered (self, PV_NODE_NONE, NULL);
    if (!self->is_own || pv_call_tree_get_level (look.tree, to) >= self->n_hidden)
        pv_flame_area_select_node (self, to);
    else if (move == PV_MOVE_PARENT)
        g_signal_emit (self, pv_flame_signals[PV_FLAME_EDGE_REACHED], 0);
    if (self->is_chart)
        pv_flame_area_see_selected (self);
}

static void
request_menu_at_selection (PvFlameArea *self)
{
    PvFlameLook look = pv_flame_area_get_look (self);
    cairo_rectangle_t box;

    if (look.selected == PV_NODE_NONE || look.tree == NULL)
        return;
    pv_flame_area_sync_view (self);
    if (pv_flame_get_box (self->painter, look.tree, &self->view, look.selected, &box))
        g_signal_emit (self, pv_flame_signals[PV_FLAME_MENU_REQUESTED], 0,
                       box.x + MIN (box.width / 2, 100), box.y + box.height);
}

/* Where a key zooms: at the selected box, if it is in view. */
static double
get_zoom_center (PvFlameArea *self)
{
    double width = gtk_widget_get_width (GTK_WIDGET (self));
    PvNodeId selected = pv_flame_area_get_look (self).selected;
    cairo_rectangle_t box;

    if (selected == PV_NODE_NONE || !pv_flame_get_box (self->painter, pv_flame_area_get_tree (self),
                                                       &self->view, selected, &box))
        return width / 2;
    return CLAMP (box.x + box.width / 2, 0, width);
}

/* Keys that do what wheel and drag do; FALSE: it is another. */
static gboolean
move_view (PvFlameArea *self, guint key, GdkModifierType state)
{
    double step = KEY_PAN * gtk_widget_get_width (GTK_WIDGET (self));
    gboolean goes_on = self->last_key_us + KEY_BURST_US > g_get_monotonic_time ();
    double factor = 0, dx = 0;

    if (key == GDK_KEY_plus || key == GDK_KEY_equal || key == GDK_KEY_KP_Add)
        factor = KEY_FACTOR;
    else if (key == GDK_KEY_minus || key == GDK_KEY_KP_Subtract)
        factor = 1 / KEY_FACTOR;
    else if (state & GDK_SHIFT_MASK && (key == GDK_KEY_Left || key == GDK_KEY_KP_Left))
        dx = step;
    else if (state & GDK_SHIFT_MASK && (key == GDK_KEY_Right || key == GDK_KEY_KP_Right))
        dx = -step;
    if ((factor == 0 && dx == 0) || pv_flame_area_get_tree (self) == NULL)
        return FALSE;
    pv_flame_area_sync_view (self);
    if (factor != 0)
        zoom_at (GTK_WIDGET (self), get_zoom_center (self), factor, goes_on);
    else
        pan_by (GTK_WIDGET (self), dx, 0, goes_on);
    self->last_key_us = g_get_monotonic_time ();
    return TRUE;
}

static gboolean
on_key (PvFlameArea *self, guint key, guint code, GdkModifierType state)
{
    if (state & (GDK_CONTROL_MASK | GDK_ALT_MASK))
        return GDK_EVENT_PROPAGATE;
    if (move_view (self, key, state))
        return GDK_EVENT_STOP;
    switch (key) {
    case GDK_KEY_Up:
    case GDK_KEY_KP_Up:
        move_selection (self, self->view.is_flame ? PV_MOVE_CHILD : PV_MOVE_PARENT);
        return GDK_EVENT_STOP;
    case GDK_KEY_Down:
    case GDK_KEY_KP_Down:
        move_selection (self, self->view.is_flame ? PV_MOVE_PARENT : PV_MOVE_CHILD);
        return GDK_EVENT_STOP;
    case GDK_KEY_Left:
    case GDK_KEY_KP_Left:
        move_selection (self, PV_MOVE_LEFT);
        return GDK_EVENT_STOP;
    case GDK_KEY_Right:
    case GDK_KEY_KP_Right:
        move_selection (self, PV_MOVE_RIGHT);
        return GDK_EVENT_STOP;
    case GDK_KEY_Return:
    case GDK_KEY_KP_Enter:
    case GDK_KEY_space:
        if (self->is_own && !self->is_chart && key != GDK_KEY_space &&
            self->own_selected != self->home)
            pv_flame_area_show_sandwich (self, FALSE);
        else
            pv_flame_area_zoom_to_node (self, pv_flame_area_get_look (self).selected);
        return GDK_EVENT_STOP;
    case GDK_KEY_BackSpace:
        pv_document_go_back (self->document);
        return GDK_EVENT_STOP;
    case GDK_KEY_Escape:
    case GDK_KEY_Home:
    case GDK_KEY_KP_Home:
        pv_flame_area_zoom_to_node (self, 0);
        return GDK_EVENT_STOP;
    case GDK_KEY_Menu:
        request_menu_at_selection (self);
        return GDK_EVENT_STOP;
    case GDK_KEY_F10:
        if (!(state & GDK_SHIFT_MASK))
            return GDK_EVENT_PROPAGATE;
        request_menu_at_selection (self);
        return GDK_EVENT_STOP;
    default:
        return GDK_EVENT_PROPAGATE;
    }
}

void
pv_flame_area_add_controllers (PvFlameArea *self)
{
    static const PvRangeGestures gestures = {zoom_at, pan_by};
    GtkEventController *motion = gtk_event_controller_motion_new ();
    GtkEventController *keys = gtk_event_controller_key_new ();
    GtkGesture *click = gtk_gesture_click_new ();

    g_signal_connect_swapped (motion, "enter", G_CALLBACK (on_enter), self);
    g_signal_connect_swapped (motion, "motion", G_CALLBACK (on_motion), self);
    g_signal_connect_swapped (motion, "leave", G_CALLBACK (on_leave), self);
    gtk_widget_add_controller (GTK_WIDGET (self), motion);
    gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), 0);
    g_signal_connect_swapped (click, "pressed", G_CALLBACK (on_pressed), self);
    g_signal_connect_swapped (click, "released", G_CALLBACK (on_released), self);
    gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
    g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (on_key), self);
    gtk_widget_add_controller (GTK_WIDGET (self), keys);
    pv_range_gestures_add (GTK_WIDGET (self), &gestures);
}
