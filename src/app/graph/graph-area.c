/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/graph/graph-area.h"

#include <adwaita.h>
#include <glib/gi18n.h>
#include <math.h>

#include "app/pictures/fingers.h"
#include "app/widgets/accessible.h"
#include "app/widgets/focus.h"
#include "app/widgets/keys.h"
#include "app/widgets/menus.h"
#include "app/widgets/setup.h"

#define LEAST_ZOOM    0.05
#define MOST_ZOOM     8.0
#define READABLE_ZOOM 0.7 /* a large graph is not shown smaller at first */
#define ZOOM_STEP     1.2
#define SCROLL_STEP   60.0 /* pixels */
#define HIT_DISTANCE  6.0  /* pixels from an edge */
#define MARGIN        24.0 /* around a graph that fits */

enum {
    NODE_CHOSEN,
    ACTIVATED,
    MENU_REQUESTED,
    HIT_CHANGED,
    N_SIGNALS,
};

static guint signals[N_SIGNALS];

struct _PvGraphArea {
    GtkWidget parent;

    PvGraphLayout *layout; /* NULL: none */
    PvGraphPainter *painter;
    PvGraphView view;
    uint32_t hovered_edge;
    double zoom;
    double left, top; /* of the widget, in the layout's pixels */
    gboolean is_fitted;
    double drag_left, drag_top; /* where they were as the drag began */
    double pointer_x, pointer_y;
    double fitted_width, fitted_height; /* of the widget at the last fit, ... */
    double fitted_least;                /* ... and how small the graph may have become */
    GtkWidget *cell;                    /* for the keyboard and screen readers: the selected node */
};

G_DEFINE_FINAL_TYPE (PvGraphArea, pv_graph_area, GTK_TYPE_WIDGET)

PangoFontDescription *
pv_graph_area_copy_font (PvGraphArea *self)
{
    PangoContext *context;

    g_assert (PV_IS_GRAPH_AREA (self));
    context = gtk_widget_get_pango_context (GTK_WIDGET (self));
    return pango_font_description_copy (pango_context_get_font_description (context));
}

/* The view */

static void
changed_view (PvGraphArea *self)
{
    gtk_widget_queue_allocate (GTK_WIDGET (self));
    gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* The graph is not lost out of view; a small one stays in the middle. */
static double
clamp_place (double place, double shown, double whole, double margin)
{
    if (shown >= whole + 2 * margin)
        return (whole - shown) / 2;
    return CLAMP (place, -margin, whole + margin - shown);
}

static void
place (PvGraphArea *self, double left, double top)
{
    double margin = MARGIN / self->zoom;

    if (self->layout == NULL)
        return;
    self->left = clamp_place (left, gtk_widget_get_width (GTK_WIDGET (self)) / self->zoom,
                              self->layout->width, margin);
    self->top = clamp_place (top, gtk_widget_get_height (GTK_WIDGET (self)) / self->zoom,
                             self->layout->height, margin);
}

static void
move_to (PvGraphArea *self, double left, double top)
{
    place (self, left, top);
    changed_view (self);
}

/* The picture stays in place at this point of the widget. */
static void
zoom_at (PvGraphArea *self, double zoom, double x, double y)
{
    double old = self->zoom;

    self->zoom = CLAMP (zoom, LEAST_ZOOM, MOST_ZOOM);
    self->is_fitted = FALSE;
    move_to (self, self->left + x / old - x / self->zoom, self->top + y / old - y / self->zoom);
}

void
pv_graph_area_zoom (PvGraphArea *self, double factor)
{
    g_assert (PV_IS_GRAPH_AREA (self) && factor > 0);
    zoom_at (self, self->zoom * factor, gtk_widget_get_width (GTK_WIDGET (self)) / 2.0,
             gtk_widget_get_height (GTK_WIDGET (self)) / 2.0);
}

static void
fit (PvGraphArea *self, double least)
{
    double width = gtk_widget_get_width (GTK_WIDGET (self));
    double height = gtk_widget_get_height (GTK_WIDGET (self));
    const PvPlacedNode *node;
    uint32_t first = self->view.selected != PV_GRAPH_NO_NODE ? self->view.selected : 0;

    if (self->layout == NULL || width < 1 || height < 1 || self->layout->graph->n_nodes == 0)
        return;
    self->zoom = MIN ((width - 2 * MARGIN) / MAX (self->layout->width, 1),
                      (height - 2 * MARGIN) / MAX (self->layout->height, 1));
    self->zoom = CLAMP (self->zoom, MAX (least, LEAST_ZOOM), 1);
    self->fitted_width = width;
    self->fitted_height = height;
    self->fitted_least = least;
    node = &self->layout->nodes[first];
    self->is_fitted = TRUE;
    place (self, node->x + node->width / 2 - width / self->zoom / 2,
           node->y + node->height / 2 - height / self->zoom / 2);
}

void
pv_graph_area_fit (PvGraphArea *self)
{
    g_assert (PV_IS_GRAPH_AREA (self));
    fit (self, LEAST_ZOOM);
    changed_view (self);
}

/* Hover */

uint32_t
pv_graph_area_get_hovered_node (PvGraphArea *self)
{
    g_assert (PV_IS_GRAPH_AREA (self));
    return self->view.hovered;
}

uint32_t
pv_graph_area_get_hovered_edge (PvGraphArea *self)
{
    g_assert (PV_IS_GRAPH_AREA (self));
    return self->hovered_edge;
}

static uint32_t
find_node (PvGraphArea *self, double x, double y)
{
    return self->layout != NULL
               ? pv_graph_layout_find_node (self->layout, self->left + x / self->zoom,
                                            self->top + y / self->zoom)
               : PV_GRAPH_NO_NODE;
}

static void
set_hit (PvGraphArea *self, uint32_t node, uint32_t edge)
{
    if (self->view.hovered == node && self->hovered_edge == edge)
        return;
    self->view.hovered = node;
    self->hovered_edge = edge;
    gtk_widget_queue_draw (GTK_WIDGET (self));
    g_signal_emit (self, signals[HIT_CHANGED], 0);
}

/* Selection */

static void
name_cell (PvGraphArea *self)
{
    g_autofree char *name = NULL;
    gboolean has_node = self->layout != NULL && self->view.selected != PV_GRAPH_NO_NODE;

    if (has_node) {
        const PvGraph *graph = self->layout->graph;
        const PvFunction *function =
            &graph->tree->symbols->functions[graph->nodes[self->view.selected].function];
        name = g_strdup_printf ("%s, %s", function->label,
                                self->layout->nodes[self->view.selected].amounts);
        g_strdelimit (name, "\n", ' ');
    }
    pv_accessible_set_name (self->cell, has_node ? name : _ ("Call graph"));
}

static void
show_node (PvGraphArea *self, uint32_t index)
{
    const PvPlacedNode *node = &self->layout->nodes[index];
    double width = gtk_widget_get_width (GTK_WIDGET (self)) / self->zoom;
    double height = gtk_widget_get_height (GTK_WIDGET (self)) / self->zoom;
    double left = self->left, top = self->top;

    if (node->x < left || node->x + node->width > left + width)
        left = node->x + node->width / 2 - width / 2;
    if (node->y < top || node->y + node->height > top + height)
        top = node->y + node->height / 2 - height / 2;
    if (left != self->left || top != self->top)
        move_to (self, left, top);
}

void
pv_graph_area_select (PvGraphArea *self, uint32_t node)
{
    g_assert (PV_IS_GRAPH_AREA (self));
    if (self->layout == NULL || node >= self->layout->graph->n_nodes)
        node = PV_GRAPH_NO_NODE;
    if (self->view.selected == node)
        return;
    self->view.selected = node;
    set_hit (self, PV_GRAPH_NO_NODE, PV_GRAPH_NO_NODE);
    if (node != PV_GRAPH_NO_NODE)
        show_node (self, node);
    name_cell (self);
    changed_view (self);
}

uint32_t
pv_graph_area_get_selected (PvGraphArea *self)
{
    g_assert (PV_IS_GRAPH_AREA (self));
    return self->view.selected;
}

static void
choose (PvGraphArea *self, uint32_t node)
{
    if (node == PV_GRAPH_NO_NODE)
        return;
    pv_graph_area_select (self, node);
    g_signal_emit (self, signals[NODE_CHOSEN], 0, node);
}

/* Motion */

static void
on_motion (PvGraphArea *self, double x, double y)
{
    uint32_t node = find_node (self, x, y), edge = PV_GRAPH_NO_NODE;

    /* A pointer at rest changes nothing, whatever comes to be below it. */
    if (x == self->pointer_x && y == self->pointer_y)
        return;
    self->pointer_x = x;
    self->pointer_y = y;
    if (self->layout != NULL && node == PV_GRAPH_NO_NODE)
        edge = pv_graph_layout_find_edge (self->layout, self->left + x / self->zoom,
                                          self->top + y / self->zoom, HIT_DISTANCE / self->zoom);
    set_hit (self, node, edge);
}

/* The pointer, or the picture below it, has come. */
static void
on_enter (PvGraphArea *self, double x, double y)
{
    self->pointer_x = x;
    self->pointer_y = y;
}

static void
on_leave (PvGraphArea *self)
{
    set_hit (self, PV_GRAPH_NO_NODE, PV_GRAPH_NO_NODE);
}

void
pv_graph_area_show (PvGraphArea *self, PvGraphLayout *layout, gboolean keeps)
{
    g_assert (PV_IS_GRAPH_AREA (self));
    g_clear_pointer (&self->layout, pv_graph_layout_unref);
    self->layout = layout != NULL ? pv_graph_layout_ref (layout) : NULL;
    self->view.selected = PV_GRAPH_NO_NODE;
    set_hit (self, PV_GRAPH_NO_NODE, PV_GRAPH_NO_NODE);
    name_cell (self);
    if (keeps)
        move_to (self, self->left, self->top);
    else
        fit (self, READABLE_ZOOM);
    changed_view (self);
}

void
pv_graph_area_set_colors (PvGraphArea *self, PvColorScheme colors)
{
    g_assert (PV_IS_GRAPH_AREA (self));
    self->view.colors = colors;
    gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* Pointer */

static void
on_pressed (PvGraphArea *self, int n_press, double x, double y)
{
    uint32_t node = find_node (self, x, y);

    gtk_widget_grab_focus (self->cell);
    choose (self, node);
    if (n_press == 2 && node != PV_GRAPH_NO_NODE)
        g_signal_emit (self, signals[ACTIVATED], 0, node);
}

static gboolean
open_menu (gpointer user, double x, double y)
{
    PvGraphArea *self = user;

    gtk_widget_grab_focus (self->cell);
    choose (self, find_node (self, x, y));
    g_signal_emit (self, signals[MENU_REQUESTED], 0, x, y);
    return TRUE;
}

static void
on_drag_begin (PvGraphArea *self, double x, double y)
{
    self->drag_left = self->left;
    self->drag_top = self->top;
}

static void
on_drag_update (PvGraphArea *self, double x, double y)
{
    if (hypot (x, y) < 4)
        return;
    self->is_fitted = FALSE;
    gtk_widget_set_cursor_from_name (GTK_WIDGET (self), "grabbing");
    move_to (self, self->drag_left - x / self->zoom, self->drag_top - y / self->zoom);
}

static void
on_drag_end (PvGraphArea *self)
{
    gtk_widget_set_cursor (GTK_WIDGET (self), NULL);
}

/* The graph follows, by pixels of the window. */
static void
pan (gpointer user, double dx, double dy)
{
    PvGraphArea *self = user;

    self->is_fitted = FALSE;
    move_to (self, self->left - dx / self->zoom, self->top - dy / self->zoom);
}

static gboolean
on_scroll (PvGraphArea *self, double dx, double dy, GtkEventController *controller)
{
    GdkModifierType state = gtk_event_controller_get_current_event_state (controller);
    double unit = pv_scroll_get_unit (controller, SCROLL_STEP);

    if (state & GDK_CONTROL_MASK) {
        zoom_at (self, self->zoom * pow (ZOOM_STEP, -dy * unit / SCROLL_STEP), self->pointer_x,
                 self->pointer_y);
        return GDK_EVENT_STOP;
    }
    if (state & GDK_SHIFT_MASK && dx == 0) {
        dx = dy;
        dy = 0;
    }
    pan (self, -dx * unit, -dy * unit);
    return GDK_EVENT_STOP;
}

static void
zoom_with_fingers (gpointer user, double x, double y, double factor)
{
    PvGraphArea *self = user;

    zoom_at (self, self->zoom * factor, x, y);
}

/* Keyboard */

/* The heaviest edge from or to the node. */
static uint32_t
find_neighbour (const PvGraph *graph, uint32_t node, gboolean is_caller)
{
    for (uint32_t i = 0; i < graph->n_edges; i++) {
        if (is_caller && graph->edges[i].callee == node)
            return graph->edges[i].caller;
        if (!is_caller && graph->edges[i].caller == node)
            return graph->edges[i].callee;
    }
    return PV_GRAPH_NO_NODE;
}

/* The nearest node on that side: nodes at the same height first. */
static uint32_t
find_beside (const PvGraphLayout *layout, uint32_t node, int direction)
{
    const PvPlacedNode *from = &layout->nodes[node];
    double least = INFINITY, middle = from->x + from->width / 2;
    uint32_t found = PV_GRAPH_NO_NODE;

    for (uint32_t i = 0; i < layout->graph->n_nodes; i++) {
        const PvPlacedNode *to = &layout->nodes[i];
        double x = (to->x + to->width / 2 - middle) * direction;
        double y = to->y + to->height / 2 - from->y - from->height / 2;
        double distance = x + 4 * fabs (y);
        if (i != node && x > 1 && distance < least) {
            least = distance;
            found = i;
        }
    }
    return found;
}

static uint32_t
find_target (PvGraphArea *self, guint key)
{
    uint32_t selected = self->view.selected;

    if (selected == PV_GRAPH_NO_NODE || key == GDK_KEY_Home)
        return 0;
    switch (key) {
    case GDK_KEY_Up:
        return find_neighbour (self->layout->graph, selected, TRUE);
    case GDK_KEY_Down:
        return find_neighbour (self->layout->graph, selected, FALSE);
    case GDK_KEY_Left:
        return find_beside (self->layout, selected, -1);
    default:
        return find_beside (self->layout, selected, 1);
    }
}

static gboolean
zoom_by_key (PvGraphArea *self, guint key)
{
    if (key == GDK_KEY_plus)
        pv_graph_area_zoom (self, ZOOM_STEP);
    else if (key == GDK_KEY_minus)
        pv_graph_area_zoom (self, 1 / ZOOM_STEP);
    else
        return GDK_EVENT_PROPAGATE;
    return GDK_EVENT_STOP;
}

/* Below the selected node. */
static void
request_menu (PvGraphArea *self)
{
    const uint32_t selected = self->view.selected;

    if (self->layout == NULL || selected == PV_GRAPH_NO_NODE)
        return;
    const PvPlacedNode *node = &self->layout->nodes[selected];
    g_signal_emit (self, signals[MENU_REQUESTED], 0,
                   (node->x + node->width / 2 - self->left) * self->zoom,
                   (node->y + node->height - self->top) * self->zoom);
}

static gboolean
on_key (PvGraphArea *self, guint key, guint code, GdkModifierType state)
{
    uint32_t selected = self->view.selected;

    if (self->layout == NULL || self->layout->graph->n_nodes == 0 || state & GDK_ALT_MASK)
        return GDK_EVENT_PROPAGATE;
    key = pv_key_plain (key);
    if (zoom_by_key (self, key) == GDK_EVENT_STOP)
        return GDK_EVENT_STOP;
    if (state & GDK_CONTROL_MASK)
        return GDK_EVENT_PROPAGATE;
    switch (key) {
    case GDK_KEY_Up:
    case GDK_KEY_Down:
    case GDK_KEY_Left:
    case GDK_KEY_Right:
    case GDK_KEY_Home:
        choose (self, find_target (self, key));
        return GDK_EVENT_STOP;
    case GDK_KEY_Return:
        if (selected != PV_GRAPH_NO_NODE)
            g_signal_emit (self, signals[ACTIVATED], 0, selected);
        return GDK_EVENT_STOP;
    case GDK_KEY_Menu:
        request_menu (self);
        return GDK_EVENT_STOP;
    case GDK_KEY_F10:
        if (!(state & GDK_SHIFT_MASK))
            return GDK_EVENT_PROPAGATE;
        request_menu (self);
        return GDK_EVENT_STOP;
    default:
        return GDK_EVENT_PROPAGATE;
    }
}

/* Drawing */

static void
pv_graph_area_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
    PvGraphArea *self = PV_GRAPH_AREA (widget);
    AdwStyleManager *style = adw_style_manager_get_default ();
    double width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);
    cairo_t *cr;

    if (self->layout == NULL)
        return;
    self->view.is_dark = adw_style_manager_get_dark (style);
    self->view.is_high_contrast = adw_style_manager_get_high_contrast (style);
    self->view.has_focus = gtk_widget_has_focus (self->cell);
    self->view.left = self->left;
    self->view.top = self->top;
    self->view.right = self->left + width / self->zoom;
    self->view.bottom = self->top + height / self->zoom;
    if (self->painter == NULL) {
        g_autoptr (PangoFontDescription) font = pv_graph_area_copy_font (self);
        self->painter = pv_graph_painter_new (font);
    }
    pv_graph_painter_prepare (self->painter, self->layout, &self->view);
    cr = gtk_snapshot_append_cairo (snapshot,
                                    &GRAPHENE_RECT_INIT (0, 0, (float)width, (float)height));
    pv_color_set_source (cr, self->painter->palette.background, 1);
    cairo_paint (cr);
    cairo_scale (cr, self->zoom, self->zoom);
    cairo_translate (cr, -self->left, -self->top);
    pv_graph_draw (self->painter, cr, self->layout, &self->view);
    cairo_destroy (cr);
}

static void
pv_graph_area_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
    PvGraphArea *self = PV_GRAPH_AREA (widget);
    cairo_rectangle_t box = {0, 0, 1, 1};

    if (self->layout != NULL && self->is_fitted &&
        (width != self->fitted_width || height != self->fitted_height))
        fit (self, self->fitted_least);
    if (self->layout != NULL && self->view.selected != PV_GRAPH_NO_NODE) {
        const PvPlacedNode *node = &self->layout->nodes[self->view.selected];
        box.x = CLAMP ((node->x - self->left) * self->zoom, 0, width);
        box.y = CLAMP ((node->y - self->top) * self->zoom, 0, height);
        box.width = node->width * self->zoom;
        box.height = node->height * self->zoom;
    }
    pv_accessible_box_place (self->cell, box.x, box.y, box.width, box.height);
}

static gboolean
pv_graph_area_grab_focus (GtkWidget *widget)
{
    return gtk_widget_grab_focus (PV_GRAPH_AREA (widget)->cell);
}

/* Object */

static void
pv_graph_area_dispose (GObject *object)
{
    PvGraphArea *self = PV_GRAPH_AREA (object);

    g_clear_pointer (&self->cell, gtk_widget_unparent);
    G_OBJECT_CLASS (pv_graph_area_parent_class)->dispose (object);
}

static void
pv_graph_area_finalize (GObject *object)
{
    PvGraphArea *self = PV_GRAPH_AREA (object);

    g_clear_pointer (&self->layout, pv_graph_layout_unref);
    pv_graph_painter_free (self->painter);
    G_OBJECT_CLASS (pv_graph_area_parent_class)->finalize (object);
}

static void
pv_graph_area_class_init (PvGraphAreaClass *class)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

    G_OBJECT_CLASS (class)->dispose = pv_graph_area_dispose;
    G_OBJECT_CLASS (class)->finalize = pv_graph_area_finalize;
    widget_class->snapshot = pv_graph_area_snapshot;
    widget_class->size_allocate = pv_graph_area_size_allocate;
    widget_class->focus = pv_focus_children;
    widget_class->grab_focus = pv_graph_area_grab_focus;
    signals[NODE_CHOSEN] = pv_signal_new (class, "node-chosen", 1, G_TYPE_UINT);
    signals[ACTIVATED] = pv_signal_new (class, "activated", 1, G_TYPE_UINT);
    signals[MENU_REQUESTED] =
        pv_signal_new (class, "menu-requested", 2, G_TYPE_DOUBLE, G_TYPE_DOUBLE);
    signals[HIT_CHANGED] = pv_signal_new (class, "hit-changed", 0);
    gtk_widget_class_set_css_name (widget_class, "graph");
    gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
add_drag (PvGraphArea *self, guint button)
{
    GtkGestureSingle *drag = pv_add_controller (GTK_WIDGET (self), gtk_gesture_drag_new (), self,
                                                "drag-begin", on_drag_begin, "drag-update",
                                                on_drag_update, "drag-end", on_drag_end, NULL);
    gtk_gesture_single_set_button (drag, button);
}

static void
pv_graph_area_init (PvGraphArea *self)
{
    static const PvTwoFingers fingers = {NULL, zoom_with_fingers, pan};
    GtkWidget *widget = GTK_WIDGET (self);

    self->zoom = 1;
    self->view.selected = self->view.hovered = self->hovered_edge = PV_GRAPH_NO_NODE;
    self->cell = pv_accessible_box_new ();
    gtk_widget_set_focusable (self->cell, TRUE);
    gtk_widget_set_parent (self->cell, widget);
    gtk_widget_set_overflow (widget, GTK_OVERFLOW_HIDDEN);
    gtk_widget_set_size_request (widget, 120, 120);
    pv_accessible_set_name (widget, _ ("Call graph"));
    pv_add_controller (widget, gtk_event_controller_motion_new (), self, "motion", on_motion,
                       "enter", on_enter, "leave", on_leave, NULL);
    pv_add_controller (widget, gtk_gesture_click_new (), self, "pressed", on_pressed, NULL);
    pv_menu_add_gestures (widget, open_menu, self, NULL);
    add_drag (self, GDK_BUTTON_PRIMARY);
    add_drag (self, GDK_BUTTON_MIDDLE);
    pv_add_keys (widget, GTK_PHASE_BUBBLE, on_key, self);
    pv_add_controller (widget,
                       gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES),
                       self, "scroll", on_scroll, NULL);
    pv_two_fingers_add (widget, &fingers, self);
    pv_connect (self->cell, "notify::has-focus", gtk_widget_queue_draw, self);
}
