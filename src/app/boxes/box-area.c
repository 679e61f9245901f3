/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/boxes/box-area.h"

#include <glib/gi18n.h>
#include <math.h>

#include "app/widgets/accessible.h"
#include "app/widgets/keys.h"
#include "app/widgets/menus.h"
#include "app/widgets/setup.h"
#include "app/widgets/style.h"
#include "core/base/format.h"

/*
 * The picture is one render node, kept until something changes. Hovering appends a second, small
 * node: GSK then sees that the first one is the same and repaints only what the outlines cover.
 *
 * GtkAccessible cannot be implemented outside GTK 4.8, so a screen reader sees a few real but
 * invisible children instead ("cells"): one at the selected box, which has the keyboard focus, and
 * one at each box that a key leads to.
 */
#define SAME_PX    0.01 /* places in the window may differ by this, for rounding */
#define MENU_RIGHT 100  /* of a box, at most, where the menu opens by a key, ... */
#define MENU_BELOW 24   /* ... and below its top */

enum { HOVER_CHANGED, MENU_REQUESTED, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_ABSTRACT_TYPE (PvBoxArea, pv_box_area, PV_TYPE_VIEW)

static PvBoxAreaClass *
get_class (PvBoxArea *self)
{
    return G_TYPE_INSTANCE_GET_CLASS (self, PV_TYPE_BOX_AREA, PvBoxAreaClass);
}

/* The picture */

const PvCallTree *
pv_box_area_get_tree (PvBoxArea *self)
{
    return self->base.document != NULL ? get_class (self)->get_tree (self) : NULL;
}

const PvCallTree *
pv_box_area_sync_view (PvBoxArea *self)
{
    const PvCallTree *tree = pv_box_area_get_tree (self);

    pv_style_sync_view (GTK_WIDGET (self), &self->view);
    if (self->base.document != NULL)
        get_class (self)->sync_view (self, tree);
    return tree;
}

void
pv_box_area_invalidate_outlines (PvBoxArea *self)
{
    g_clear_pointer (&self->overlay, gsk_render_node_unref);
    gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
pv_box_area_invalidate (PvBoxArea *self)
{
    g_clear_pointer (&self->picture, gsk_render_node_unref);
    pv_box_area_invalidate_outlines (self);
}

static void
pv_box_area_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
    PvBoxArea *self = PV_BOX_AREA (widget);
    const PvCallTree *tree = pv_box_area_sync_view (self);
    PvNodeId outlined = self->hovered != PV_NODE_NONE ? self->hovered : self->echo;

    if (tree == NULL)
        return;
    if (self->picture == NULL)
        self->picture = get_class (self)->draw (self, tree);
    if (self->overlay == NULL && outlined < tree->n_nodes)
        self->overlay = get_class (self)->outline (self, tree, outlined);
    gtk_snapshot_append_node (snapshot, self->picture);
    if (self->overlay != NULL)
        gtk_snapshot_append_node (snapshot, self->overlay);
}

/* Hover */

static void
set_hovered (PvBoxArea *self, PvNodeId node, const PvFlameBundle *bundle)
{
    gboolean has_bundle = bundle != NULL;

    if (node == self->hovered && has_bundle == self->has_bundle &&
        (!has_bundle || bundle->first == self->bundle.first))
        return;
    self->hovered = node;
    self->has_bundle = has_bundle;
    if (has_bundle)
        self->bundle = *bundle;
    pv_box_area_invalidate_outlines (self);
    g_signal_emit (self, signals[HOVER_CHANGED], 0);
}

void
pv_box_area_update_hovered (PvBoxArea *self)
{
    const PvCallTree *tree = pv_box_area_sync_view (self);
    PvNodeId node = PV_NODE_NONE;
    PvFlameBundle bundle;
    gboolean has_bundle = FALSE;

    if (tree != NULL && self->pointer_x >= 0) {
        node = get_class (self)->hit (self, tree, self->pointer_x, self->pointer_y);
        has_bundle =
            get_class (self)->find_bundle (self, tree, self->pointer_x, self->pointer_y, &bundle);
    }
    if (has_bundle && node == PV_NODE_NONE)
        node = bundle.first;
    set_hovered (self, node, has_bundle ? &bundle : NULL);
}

void
pv_box_area_rest (PvBoxArea *self)
{
    self->pointer_x = -1;
    set_hovered (self, PV_NODE_NONE, NULL);
}

void
pv_box_area_forget_nodes (PvBoxArea *self)
{
    self->hovered = self->echo = PV_NODE_NONE;
    self->has_bundle = FALSE;
    for (unsigned i = 0; i < PV_BOX_MAX_CELLS; i++)
        self->node_of_cell[i] = 0;
    pv_box_area_invalidate (self);
}

/* Where in the window the pointer is, which stays when the area moves below it. False if it has
 * been there before. */
static gboolean
take_rest (PvBoxArea *self, double x, double y)
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
on_enter (PvBoxArea *self, double x, double y)
{
    take_rest (self, x, y);
}

/* GTK also reports motion when only what is under the pointer has changed. */
static void
on_motion (PvBoxArea *self, double x, double y)
{
    gboolean has_moved = take_rest (self, x, y);

    if (self->pointer_x < 0 && !has_moved)
        return;
    self->pointer_x = x;
    self->pointer_y = y;
    pv_box_area_update_hovered (self);
}

static void
on_leave (PvBoxArea *self)
{
    self->rest_x = -1;
    pv_box_area_rest (self);
}

/* Cells */

static unsigned
count_cells (PvBoxArea *self)
{
    return get_class (self)->n_moves + 1;
}

static void
label_cell (PvBoxArea *self, const PvCallTree *tree, unsigned cell)
{
    PvNodeId node = self->node_of_cell[cell];
    g_autofree char *percent = pv_format_percent (tree->total[node], tree->total[0]);
    g_autofree char *text =
        get_class (self)->describe != NULL
            ? get_class (self)->describe (self, tree, node)
            : g_strdup_printf (_ ("%s, %s of all"), pv_call_tree_get_label (tree, node), percent);

    pv_accessible_set_name (self->cells[cell], text);
}

/* The selected node gets the cell that it had as a neighbour, so that the focus moves like the
 * selection. */
static void
assign_cells (PvBoxArea *self, const PvCallTree *tree, PvNodeId node)
{
    unsigned n_cells = count_cells (self), next = 0;

    for (unsigned i = 0; i < n_cells; i++)
        if (self->node_of_cell[i] == node)
            self->current_cell = i;
    self->node_of_cell[self->current_cell] = node;
    for (unsigned move = 0; move < get_class (self)->n_moves; move++, next++) {
        if (next == self->current_cell)
            next++;
        self->node_of_cell[next] = get_class (self)->move (self, tree, node, move);
    }
}

void
pv_box_area_update_cells (PvBoxArea *self)
{
    const PvCallTree *tree = pv_box_area_sync_view (self);
    gboolean had_focus = gtk_widget_has_focus (self->cells[self->current_cell]);
    PvNodeId node =
        self->view.selected != PV_NODE_NONE ? self->view.selected : self->view.zoom_node;

    g_assert (tree != NULL);
    assign_cells (self, tree, node);
    for (unsigned i = 0; i < count_cells (self); i++) {
        gboolean is_current = i == self->current_cell;
        gtk_widget_set_focusable (self->cells[i],
                                  is_current || gtk_widget_has_focus (self->cells[i]));
        gtk_widget_set_visible (self->cells[i], is_current || self->node_of_cell[i] != node);
        label_cell (self, tree, i);
    }
    if (had_focus)
        gtk_widget_grab_focus (self->cells[self->current_cell]);
    for (unsigned i = 0; i < count_cells (self); i++)
        gtk_widget_set_focusable (self->cells[i], i == self->current_cell);
    gtk_widget_queue_allocate (GTK_WIDGET (self));
}

void
pv_box_area_show_empty_cells (PvBoxArea *self, const char *label)
{
    for (unsigned i = 0; i < count_cells (self); i++)
        gtk_widget_set_visible (self->cells[i], i == self->current_cell);
    pv_accessible_set_name (self->cells[self->current_cell], label);
}

static void
pv_box_area_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
    PvBoxArea *self = PV_BOX_AREA (widget);
    const PvCallTree *tree;

    if (self->base.document == NULL)
        return;
    if (width != (int)self->view.width || height != (int)self->view.height)
        pv_box_area_invalidate (self);
    if (get_class (self)->resize != NULL)
        get_class (self)->resize (self, width, height);
    tree = pv_box_area_sync_view (self);
    for (unsigned i = 0; i < count_cells (self); i++) {
        cairo_rectangle_t box = {0, 0, 1, 1};
        if (tree != NULL && self->node_of_cell[i] < tree->n_nodes)
            get_class (self)->get_box (self, tree, self->node_of_cell[i], &box);
        pv_accessible_box_place (self->cells[i], CLAMP (box.x, 0, width), box.y,
                                 MIN (box.width, width), box.height);
    }
}

static gboolean
pv_box_area_grab_focus (GtkWidget *widget)
{
    PvBoxArea *self = PV_BOX_AREA (widget);

    return gtk_widget_grab_focus (self->cells[self->current_cell]);
}

/* The search or another view selected it: show that until the pointer moves again. */
void
pv_box_area_show_selected (PvBoxArea *self)
{
    pv_box_area_sync_view (self);
    pv_box_area_invalidate (self);
    if (self->view.selected != PV_NODE_NONE && self->view.selected != self->hovered)
        pv_box_area_rest (self);
}

/* Clicks */

/* Finds the node or the bundle at a point, if any. */
static PvNodeId
find_at (PvBoxArea *self, const PvCallTree *tree, double x, double y, PvFlameBundle *ret_bundle,
         gboolean *ret_has_bundle)
{
    *ret_has_bundle = tree != NULL && get_class (self)->find_bundle (self, tree, x, y, ret_bundle);
    return tree != NULL ? get_class (self)->hit (self, tree, x, y) : PV_NODE_NONE;
}

static void
on_pressed (PvBoxArea *self, int n_press, double x, double y, GtkGesture *gesture)
{
    const PvCallTree *tree = pv_box_area_sync_view (self);
    guint button = gtk_gesture_single_get_current_button (GTK_GESTURE_SINGLE (gesture));
    GdkModifierType state =
        gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (gesture));
    PvFlameBundle bundle;
    gboolean has_bundle;
    PvNodeId node = find_at (self, tree, x, y, &bundle, &has_bundle);
    gboolean is_on_box = node != PV_NODE_NONE && !has_bundle;

    gtk_widget_grab_focus (GTK_WIDGET (self));
    self->is_pressed = FALSE;
    if (button == GDK_BUTTON_PRIMARY) {
        if (is_on_box)
            get_class (self)->select_node (self, node);
        self->has_control = (state & GDK_CONTROL_MASK) != 0;
        /* Ctrl and a click on a box leads to its source, elsewhere to nothing. */
        self->is_pressed = !self->has_control || (n_press == 1 && is_on_box);
        self->press_x = x;
        self->press_y = y;
    }
}

/* Opens the menu of the box at a place. A finger that rests there clicks nothing. */
static gboolean
request_menu (gpointer user, double x, double y)
{
    PvBoxArea *self = user;
    const PvCallTree *tree = pv_box_area_sync_view (self);
    PvFlameBundle bundle;
    gboolean has_bundle;
    PvNodeId node = find_at (self, tree, x, y, &bundle, &has_bundle);

    gtk_widget_grab_focus (GTK_WIDGET (self));
    self->is_pressed = FALSE;
    if (node == PV_NODE_NONE)
        return FALSE;
    get_class (self)->select_node (self, node);
    g_signal_emit (self, signals[MENU_REQUESTED], 0, x, y);
    return TRUE;
}

/* A drag is no click. */
static void
on_released (PvBoxArea *self, int n_press, double x, double y)
{
    const PvCallTree *tree = pv_box_area_sync_view (self);
    gboolean is_click =
        self->is_pressed && !gtk_drag_check_threshold (GTK_WIDGET (self), (int)self->press_x,
                                                       (int)self->press_y, (int)x, (int)y);
    PvFlameBundle bundle;
    gboolean has_bundle;
    PvNodeId node = find_at (self, tree, x, y, &bundle, &has_bundle);

    self->is_pressed = FALSE;
    if (is_click && self->has_control)
        gtk_widget_activate_action (GTK_WIDGET (self), "filter.open-in-editor", NULL);
    else if (is_click && tree != NULL)
        get_class (self)->click (self, tree, n_press, node, has_bundle ? &bundle : NULL);
}

/* Keys */

static void
move_selection (PvBoxArea *self, unsigned move)
{
    const PvCallTree *tree = pv_box_area_sync_view (self);
    PvNodeId from =
        self->view.selected != PV_NODE_NONE ? self->view.selected : self->view.zoom_node;
    PvNodeId to;

    if (tree == NULL)
        return;
    to = get_class (self)->move (self, tree, from, move);
    pv_box_area_rest (self);
    if (get_class (self)->arrive != NULL)
        get_class (self)->arrive (self, tree, from, to, move);
    else
        get_class (self)->select_node (self, to);
}

static void
request_menu_at_selection (PvBoxArea *self)
{
    const PvCallTree *tree = pv_box_area_sync_view (self);
    cairo_rectangle_t box;

    if (tree != NULL && self->view.selected != PV_NODE_NONE &&
        get_class (self)->get_box (self, tree, self->view.selected, &box))
        g_signal_emit (self, signals[MENU_REQUESTED], 0, box.x + MIN (box.width / 2, MENU_RIGHT),
                       box.y + MIN (box.height, MENU_BELOW));
}

static gboolean
on_key (PvBoxArea *self, guint key, guint code, GdkModifierType state)
{
    unsigned move;

    if (state & (GDK_CONTROL_MASK | GDK_ALT_MASK))
        return GDK_EVENT_PROPAGATE;
    key = pv_key_plain (key);
    if (get_class (self)->take_key != NULL && get_class (self)->take_key (self, key, state))
        return GDK_EVENT_STOP;
    if (get_class (self)->find_move (self, key, &move)) {
        move_selection (self, move);
        return GDK_EVENT_STOP;
    }
    switch (key) {
    case GDK_KEY_Return:
    case GDK_KEY_space:
        pv_box_area_sync_view (self);
        if (self->view.selected != PV_NODE_NONE)
            get_class (self)->zoom_to_node (self, self->view.selected);
        return GDK_EVENT_STOP;
    case GDK_KEY_BackSpace:
        get_class (self)->go_back (self);
        return GDK_EVENT_STOP;
    case GDK_KEY_Escape:
    case GDK_KEY_Home:
        get_class (self)->zoom_to_node (self, 0);
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

static void
add_controllers (PvBoxArea *self)
{
    GtkWidget *widget = GTK_WIDGET (self);

    pv_add_controller (widget, gtk_event_controller_motion_new (), self, "enter", on_enter,
                       "motion", on_motion, "leave", on_leave, NULL);
    gtk_gesture_single_set_button (pv_add_controller (widget, gtk_gesture_click_new (), self,
                                                      "pressed", on_pressed, "released",
                                                      on_released, NULL),
                                   0);
    pv_menu_add_gestures (widget, request_menu, self, NULL);
    pv_add_keys (widget, GTK_PHASE_BUBBLE, on_key, self);
}

/* Content */

void
pv_box_area_set_colors (PvBoxArea *self, PvColorScheme colors)
{
    self->view.colors = colors;
    pv_box_area_invalidate (self);
}

PvNodeId
pv_box_area_get_shown_node (PvBoxArea *self)
{
    if (pv_box_area_sync_view (self) == NULL)
        return PV_NODE_NONE;
    if (self->hovered != PV_NODE_NONE)
        return self->hovered;
    return self->view.selected != PV_NODE_NONE ? self->view.selected : self->view.zoom_node;
}

gboolean
pv_box_area_is_hovered (PvBoxArea *self)
{
    return self->hovered != PV_NODE_NONE;
}

gboolean
pv_box_area_get_shown_bundle (PvBoxArea *self, PvFlameBundle *ret_bundle)
{
    if (self->has_bundle)
        *ret_bundle = self->bundle;
    return self->has_bundle;
}

const PvFlameView *
pv_box_area_get_view (PvBoxArea *self)
{
    g_assert (self->base.document != NULL);
    pv_box_area_sync_view (self);
    return &self->view;
}

/* Object */

static void
pv_box_area_constructed (GObject *object)
{
    PvBoxArea *self = PV_BOX_AREA (object);

    G_OBJECT_CLASS (pv_box_area_parent_class)->constructed (object);
    g_assert (count_cells (self) <= PV_BOX_MAX_CELLS);
    for (unsigned i = 0; i < count_cells (self); i++) {
        self->cells[i] = pv_accessible_box_new ();
        gtk_widget_set_parent (self->cells[i], GTK_WIDGET (self));
    }
    add_controllers (self);
}

static void
pv_box_area_end (PvView *view)
{
    PvBoxArea *self = PV_BOX_AREA (view);

    g_clear_pointer (&self->picture, gsk_render_node_unref);
    g_clear_pointer (&self->overlay, gsk_render_node_unref);
}

static void
pv_box_area_class_init (PvBoxAreaClass *class)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

    G_OBJECT_CLASS (class)->constructed = pv_box_area_constructed;
    PV_VIEW_CLASS (class)->end = pv_box_area_end;
    PV_VIEW_CLASS (class)->hears_while_unmapped = TRUE;
    widget_class->snapshot = pv_box_area_snapshot;
    widget_class->size_allocate = pv_box_area_size_allocate;
    widget_class->grab_focus = pv_box_area_grab_focus;
    signals[HOVER_CHANGED] = pv_signal_new (class, "hover-changed", 0);
    signals[MENU_REQUESTED] =
        pv_signal_new (class, "menu-requested", 2, G_TYPE_DOUBLE, G_TYPE_DOUBLE);
    gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
pv_box_area_init (PvBoxArea *self)
{
    pv_flame_view_init (&self->view);
    self->hovered = self->echo = PV_NODE_NONE;
    self->pointer_x = -1;
    gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
    gtk_widget_set_size_request (GTK_WIDGET (self), 200, 100);
    pv_style_connect (pv_box_area_invalidate, self);
}
