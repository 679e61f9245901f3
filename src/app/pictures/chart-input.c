/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib/gi18n.h>
#include <math.h>

#include "app/pictures/chart-area-private.h"

#define DRAG_FROM_PX    5    /* less is still a click */
#define EDGE_PX         8    /* this near an end of the range is on it */
#define ZOOM_STEP       1.25 /* for a notch of the wheel, or a key */
#define SCROLL_STEP_PX  60
#define CURSOR_STEPS    100 /* presses of an arrow key to cross what is visible */
#define CURSOR_STEPS_XL 10  /* page keys */
#define NS_PER_MS       1000000

static gboolean
is_of_time (PvChartArea *self)
{
    return self->series != NULL && self->series->start_ms != NULL;
}

/* The time range */

static void
set_brush_times (PvChartArea *self, double start_ms, double end_ms)
{
    if (start_ms == self->view.brush_start_ms && end_ms == self->view.brush_end_ms)
        return;
    self->view.brush_start_ms = start_ms;
    self->view.brush_end_ms = end_ms;
    gtk_widget_queue_draw (GTK_WIDGET (self));
    pv_document_set_time_range (self->document, (uint64_t)(start_ms * NS_PER_MS),
                                (uint64_t)(end_ms * NS_PER_MS));
}

static void
set_brush (PvChartArea *self, double x1, double x2)
{
    double start_ms, end_ms;

    if (pv_chart_snap_range (self->painter, self->series, &self->view, x1, x2, &start_ms, &end_ms))
        set_brush_times (self, start_ms, end_ms);
}

/* Holds the end of the range that stays while the other one, at x, is dragged. TRUE: x is at an
 * end. */
static gboolean
hold_range (PvChartArea *self, double x)
{
    const PvChartView *view = &self->view;
    double start, end;

    self->held_start_ms = self->held_end_ms = -1;
    if (!is_of_time (self) || view->brush_end_ms <= view->brush_start_ms)
        return FALSE;
    pv_chart_area_sync_view (self);
    start = pv_chart_time_to_x (self->painter, self->series, view, view->brush_start_ms);
    end = pv_chart_time_to_x (self->painter, self->series, view, view->brush_end_ms);
    if (fabs (x - end) <= EDGE_PX)
        self->held_start_ms = self->held_end_ms = view->brush_start_ms;
    else if (fabs (x - start) <= EDGE_PX)
        self->held_start_ms = self->held_end_ms = view->brush_end_ms;
    return self->held_start_ms >= 0;
}

/* The range from the held times to the point at x. */
static void
drag_brush (PvChartArea *self, double x)
{
    double start_ms, end_ms;

    if (pv_chart_snap_range (self->painter, self->series, &self->view, x, x, &start_ms, &end_ms))
        set_brush_times (self, MIN (start_ms, self->held_start_ms),
                         MAX (end_ms, self->held_end_ms));
}

static void
clear_range (PvChartArea *self)
{
    self->anchor_ms = -1;
    pv_document_clear_time_range (self->document);
}

/* The pointer */

static void
move_pointer (PvChartArea *self, double x, double y)
{
    self->pointer_x = x;
    self->pointer_y = y;
    pv_chart_area_forget_cursor (self);
    pv_chart_area_update_hit (self);
}

/* By the shape of the pointer. */
static void
show_edge (PvChartArea *self, double x)
{
    gboolean is_at_edge = self->has_hit && self->hit.is_in_plot && hold_range (self, x);

    if (self->is_at_edge == is_at_edge)
        return;
    self->is_at_edge = is_at_edge;
    gtk_widget_set_cursor_from_name (GTK_WIDGET (self), is_at_edge ? "col-resize" : NULL);
}

/* GTK also reports motion when only what is under the pointer has changed or moved. */
static void
on_motion (PvChartArea *self, double x, double y, GtkEventController *motion)
{
    GdkEvent *event = gtk_event_controller_get_current_event (motion);
    double window_x, window_y;

    if (event != NULL && gdk_event_get_position (event, &window_x, &window_y)) {
        if (window_x == self->rest_x && window_y == self->rest_y && self->has_cursor)
            return;
        self->rest_x = window_x;
        self->rest_y = window_y;
    }
    move_pointer (self, x, y);
    if (!self->is_pressed)
        show_edge (self, x);
}

static void
on_leave (PvChartArea *self)
{
    self->pointer_x = -1;
    if (!self->has_cursor)
        pv_chart_area_update_hit (self);
}

/* Shows the range, or else everything. */
static void
fit (PvChartArea *self)
{
    if (pv_document_has_time_range (self->document) && !pv_chart_area_is_zoomed (self))
        pv_chart_area_zoom_to_range (self);
    else
        pv_chart_area_reset_zoom (self);
}

/* Selects a function; above the layers, and in resident memory, which has no layers of functions,
 * shows the moment. */
static void
click (PvChartArea *self)
{
    const PvChartHit *hit = pv_chart_area_get_hit (self);

    if (hit == NULL)
        return;
    if (hit->function != 0)
        pv_chart_area_select (self, hit->function);
    else if (hit->is_in_plot && !self->view.is_compact &&
             (self->kind == PV_CHART_RSS ||
              ((self->kind == PV_CHART_LIVE || self->kind == PV_CHART_DUMPS) &&
               hit->layer == PV_CHART_NONE)))
        pv_chart_area_show_moment (self);
}

static void
on_pressed (PvChartArea *self, int n_press, double x, double y, GtkGesture *gesture)
{
    guint button = gtk_gesture_single_get_current_button (GTK_GESTURE_SINGLE (gesture));
    GdkEvent *event = gtk_gesture_get_last_event (gesture, NULL);

    gtk_widget_grab_focus (GTK_WIDGET (self));
    move_pointer (self, x, y);
    if (event != NULL && gdk_event_triggers_context_menu (event)) {
        if (self->has_hit && self->hit.function != 0)
            pv_chart_area_select (self, self->hit.function);
        g_signal_emit (self, pv_chart_signals[PV_CHART_MENU_REQUESTED], 0, x, y);
    } else if (button == GDK_BUTTON_PRIMARY && n_press == 2 && self->view.is_compact) {
        fit (self);
    } else if (button == GDK_BUTTON_PRIMARY && n_press == 2 && self->has_hit &&
               self->hit.function != 0) {
        g_signal_emit (self, pv_chart_signals[PV_CHART_ACTIVATED], 0);
    }
}

static void
on_drag_begin (PvChartArea *self, double x, double y)
{
    const PvChartHit *hit;

    move_pointer (self, x, y);
    hit = pv_chart_area_get_hit (self);
    self->is_pressed = hit != NULL && hit->is_in_plot;
    self->is_brushing = FALSE;
    self->press_x = x;
}

static void
on_drag_update (PvChartArea *self, double dx, double dy, GtkGesture *gesture)
{
    if (!self->is_pressed || !is_of_time (self))
        return;
    if (!self->is_brushing && fabs (dx) < DRAG_FROM_PX)
        return;
    if (!self->is_brushing) {
        gtk_gesture_set_state (gesture, GTK_EVENT_SEQUENCE_CLAIMED);
        pv_document_remember (self->document);
        if (!hold_range (self, self->press_x))
            pv_chart_snap_range (self->painter, self->series, &self->view, self->press_x,
                                 self->press_x, &self->held_start_ms, &self->held_end_ms);
    }
    self->is_brushing = TRUE;
    pv_chart_area_sync_view (self);
    drag_brush (self, self->press_x + dx);
}

static void
on_drag_end (PvChartArea *self, double dx, double dy)
{
    gboolean was_brushing = self->is_brushing;

    self->is_brushing = FALSE;
    if (self->is_pressed && !was_brushing && fabs (dx) < DRAG_FROM_PX && fabs (dy) < DRAG_FROM_PX)
        click (self);
    self->is_pressed = FALSE;
    gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
on_drag_cancel (PvChartArea *self)
{
    self->is_brushing = self->is_pressed = FALSE;
}

/* Zoom */

static void
zoom_at (PvChartArea *self, double x, double factor)
{
    if (!is_of_time (self))
        return;
    pv_chart_area_sync_view (self);
    if (pv_chart_zoom (self->painter, self->series, &self->view, x, factor))
        pv_chart_area_view_changed (self);
}

/* Around the cursor or the pointer, else the middle. */
static void
zoom_by_key (PvChartArea *self, double factor)
{
    cairo_rectangle_t plot;
    double x;

    if (!is_of_time (self))
        return;
    pv_chart_area_sync_view (self);
    plot = pv_chart_get_plot_rect (self->painter, self->series, &self->view);
    x = plot.x + plot.width / 2;
    if (self->has_cursor)
        x = pv_chart_time_to_x (self->painter, self->series, &self->view, self->cursor_x);
    else if (self->pointer_x >= 0)
        x = self->pointer_x;
    zoom_at (self, CLAMP (x, plot.x, plot.x + plot.width), factor);
}

static gboolean
on_scroll (PvChartArea *self, double dx, double dy, GtkEventController *scroll)
{
    GdkModifierType state = gtk_event_controller_get_current_event_state (scroll);
    gboolean is_wheel = gtk_event_controller_scroll_get_unit (
                            GTK_EVENT_CONTROLLER_SCROLL (scroll)) == GDK_SCROLL_UNIT_WHEEL;
    double by = fabs (dx) > fabs (dy) ? dx : dy;

    if (!is_of_time (self))
        return GDK_EVENT_PROPAGATE;
    if (state & GDK_CONTROL_MASK) {
        zoom_at (self, self->pointer_x >= 0 ? self->pointer_x : self->view.width / 2,
                 pow (ZOOM_STEP, is_wheel ? -dy : -dy / SCROLL_STEP_PX));
        return GDK_EVENT_STOP;
    }
    if (!pv_chart_area_is_zoomed (self))
        return GDK_EVENT_PROPAGATE;
    pv_chart_area_sync_view (self);
    if (pv_chart_pan (self->painter, self->series, &self->view,
                      is_wheel ? by * SCROLL_STEP_PX : by))
        pv_chart_area_view_changed (self);
    return GDK_EVENT_STOP;
}

static void
on_pinch_begin (PvChartArea *self)
{
    self->pinch_scale = 1;
    /* Two fingers do not drag. */
    self->is_brushing = self->is_pressed = FALSE;
}

static void
on_pinch (PvChartArea *self, double scale, GtkGesture *gesture)
{
    double x = self->view.width / 2;

    gtk_gesture_get_bounding_box_center (gesture, &x, &(double){0});
    zoom_at (self, x, scale / self->pinch_scale);
    self->pinch_scale = scale;
}

/* Keys */

/* A screen reader reads what the focus moves to, so move it. */
static void
move_focus (PvChartArea *self)
{
    unsigned next = (self->current_cell + 1) % PV_CHART_N_CELLS;
    PvChartText text = pv_chart_describe_hit (self->series, &self->hit);
    GString *name = g_string_new (text.time);
    gboolean had_focus = gtk_widget_has_focus (self->cells[self->current_cell]);

    if (text.site != NULL)
        g_string_append_printf (name, ", %s", text.site);
    if (text.value != NULL)
        g_string_append_printf (name, ", %s", text.value);
    if (text.total != NULL) {
        g_string_append (name, ", ");
        /* Translators: an amount of all functions together. */
        g_string_append_printf (name, _ ("%s in total"), text.total);
    }
    if (text.resident != NULL) {
        g_string_append (name, ", ");
        /* Translators: an amount of memory that was resident. */
        g_string_append_printf (name, _ ("%s resident"), text.resident);
    }
    gtk_accessible_update_property (GTK_ACCESSIBLE (self->cells[next]),
                                    GTK_ACCESSIBLE_PROPERTY_LABEL, name->str, -1);
    gtk_widget_set_focusable (self->cells[next], TRUE);
    if (had_focus)
        gtk_widget_grab_focus (self->cells[next]);
    gtk_widget_set_focusable (self->cells[self->current_cell], FALSE);
    self->current_cell = next;
    pv_chart_text_clear (&text);
    g_string_free (name, TRUE);
}

static void
update_by_keys (PvChartArea *self)
{
    self->pointer_x = -1; /* ignored until it moves again */
    pv_chart_area_update_hit (self);
    if (self->has_hit)
        move_focus (self);
}

/* The visible span, in units of the cursor: milliseconds, or fractions of the plot. */
static void
get_span (PvChartArea *self, double *ret_start, double *ret_end)
{
    const PvSeries *series = self->series;

    *ret_start = 0;
    *ret_end = 1;
    if (series->start_ms == NULL)
        return;
    *ret_start = (double)series->start_ms[0];
    *ret_end = (double)series->start_ms[series->n_points];
    if (pv_chart_area_is_zoomed (self)) {
        *ret_start = self->view.start_ms;
        *ret_end = self->view.end_ms;
    }
}

/* Puts the cursor where the pointer was, else at the peak, else at the start. */
static void
begin_cursor (PvChartArea *self)
{
    double start, end;

    get_span (self, &start, &end);
    self->cursor_x = start;
    if (is_of_time (self) && self->last_ms >= 0)
        self->cursor_x = self->last_ms;
    else if (self->series->has_peak)
        self->cursor_x = (double)self->series->peak_ms;
    self->cursor_x = CLAMP (self->cursor_x, start, end);
    self->has_cursor = TRUE;
}

/* The middle of the point at `at`, so that rounding to pixels does not show another one. */
static double
center_on_point (const PvSeries *series, double at)
{
    uint32_t low = 0, high = series->n_points;

    if (series->start_ms == NULL)
        return (floor (CLAMP (at, 0, 0.999999) * series->n_points) + 0.5) / series->n_points;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if ((double)series->start_ms[middle] <= at)
            low = middle;
        else
            high = middle;
    }
    return (double)(series->start_ms[low] + series->start_ms[low + 1]) / 2;
}

static double
get_step (PvChartArea *self, double n_steps)
{
    const PvSeries *series = self->series;
    double start, end, point;

    get_span (self, &start, &end);
    point = series->start_ms != NULL ? (double)(series->start_ms[1] - series->start_ms[0])
                                     : 1.0 / series->n_points;
    return MAX ((end - start) / n_steps, point);
}

static void
pan_to_cursor (PvChartArea *self)
{
    double width = self->view.end_ms - self->view.start_ms;

    if (!pv_chart_area_is_zoomed (self) ||
        (self->cursor_x >= self->view.start_ms && self->cursor_x < self->view.end_ms))
        return;
    self->view.start_ms =
        self->cursor_x < self->view.start_ms ? self->cursor_x : self->cursor_x - width;
    self->view.start_ms = MAX (self->view.start_ms, (double)self->series->start_ms[0]);
    self->view.end_ms = self->view.start_ms + width;
    pv_chart_area_view_changed (self);
}

static void
set_cursor (PvChartArea *self, double to, gboolean extends)
{
    const PvSeries *series = self->series;
    double first = series->start_ms != NULL ? (double)series->start_ms[0] : 0;
    double last = series->start_ms != NULL ? (double)series->start_ms[series->n_points] - 1 : 1;

    if (extends && self->anchor_ms < 0 && is_of_time (self)) {
        self->anchor_ms = self->cursor_x;
        pv_document_remember (self->document);
    } else if (!extends)
        self->anchor_ms = -1;
    self->cursor_x = center_on_point (series, CLAMP (to, first, last));
    pan_to_cursor (self);
    update_by_keys (self);
    if (!extends || !is_of_time (self))
        return;
    set_brush (self, pv_chart_time_to_x (self->painter, series, &self->view, self->anchor_ms),
               pv_chart_time_to_x (self->painter, series, &self->view, self->cursor_x));
}

static void
move_cursor (PvChartArea *self, double by, gboolean extends)
{
    if (!self->has_cursor) {
        /* The first key only shows it. */
        begin_cursor (self);
        by = extends ? by : 0;
    }
    set_cursor (self, self->cursor_x + by, extends);
}

static void
move_layer (PvChartArea *self, int by)
{
    uint32_t n = self->series->n_layers;

    if (!self->has_cursor)
        begin_cursor (self);
    /* The total comes after the highest layer and before the lowest. */
    if (self->cursor_layer == PV_CHART_NONE)
        self->cursor_layer = by > 0 ? 0 : n - 1;
    else if (by > 0)
        self->cursor_layer = self->cursor_layer + 1 < n ? self->cursor_layer + 1 : PV_CHART_NONE;
    else
        self->cursor_layer = self->cursor_layer > 0 ? self->cursor_layer - 1 : PV_CHART_NONE;
    self->cursor_x = center_on_point (self->series, self->cursor_x);
    update_by_keys (self);
}

static void
move_to_end (PvChartArea *self, gboolean to_end, gboolean extends)
{
    double start, end;

    get_span (self, &start, &end);
    if (!self->has_cursor)
        begin_cursor (self);
    set_cursor (self, to_end ? end : start, extends);
}

static gboolean
move_by_key (PvChartArea *self, guint key, gboolean extends)
{
    switch (key) {
    case GDK_KEY_Left:
    case GDK_KEY_KP_Left:
        move_cursor (self, -get_step (self, CURSOR_STEPS), extends);
        return TRUE;
    case GDK_KEY_Right:
    case GDK_KEY_KP_Right:
        move_cursor (self, get_step (self, CURSOR_STEPS), extends);
        return TRUE;
    case GDK_KEY_Page_Up:
    case GDK_KEY_KP_Page_Up:
        move_cursor (self, -get_step (self, CURSOR_STEPS_XL), extends);
        return TRUE;
    case GDK_KEY_Page_Down:
    case GDK_KEY_KP_Page_Down:
        move_cursor (self, get_step (self, CURSOR_STEPS_XL), extends);
        return TRUE;
    case GDK_KEY_Home:
    case GDK_KEY_KP_Home:
        move_to_end (self, FALSE, extends);
        return TRUE;
    case GDK_KEY_End:
    case GDK_KEY_KP_End:
        move_to_end (self, TRUE, extends);
        return TRUE;
    case GDK_KEY_Up:
    case GDK_KEY_KP_Up:
        move_layer (self, 1);
        return TRUE;
    case GDK_KEY_Down:
    case GDK_KEY_KP_Down:
        move_layer (self, -1);
        return TRUE;
    default:
        return FALSE;
    }
}

static void
request_menu_at_cursor (PvChartArea *self)
{
    cairo_rectangle_t plot;
    double x;

    pv_chart_area_sync_view (self);
    plot = pv_chart_get_plot_rect (self->painter, self->series, &self->view);
    x = plot.x + plot.width / 2;
    if (self->has_cursor && is_of_time (self))
        x = pv_chart_time_to_x (self->painter, self->series, &self->view, self->cursor_x);
    if (self->has_hit && self->hit.function != 0)
        pv_chart_area_select (self, self->hit.function);
    g_signal_emit (self, pv_chart_signals[PV_CHART_MENU_REQUESTED], 0, x, plot.y + plot.height / 2);
}

/* Clears the time range, or else the zoom. */
static gboolean
go_back (PvChartArea *self)
{
    if (pv_document_has_time_range (self->document))
        clear_range (self);
    else if (pv_chart_area_is_zoomed (self))
        pv_chart_area_reset_zoom (self);
    else
        return GDK_EVENT_PROPAGATE;
    return GDK_EVENT_STOP;
}

static gboolean
on_key (PvChartArea *self, guint key, guint code, GdkModifierType state)
{
    gboolean is_shift = (state & GDK_SHIFT_MASK) != 0;

    if ((state & (GDK_CONTROL_MASK | GDK_ALT_MASK)) || self->series == NULL ||
        self->series->n_points == 0 || self->series->n_layers == 0)
        return GDK_EVENT_PROPAGATE;
    if (move_by_key (self, key, is_shift))
        return GDK_EVENT_STOP;
    switch (key) {
    case GDK_KEY_plus:
    case GDK_KEY_equal:
    case GDK_KEY_KP_Add:
        zoom_by_key (self, ZOOM_STEP);
        return GDK_EVENT_STOP;
    case GDK_KEY_minus:
    case GDK_KEY_KP_Subtract:
        zoom_by_key (self, 1 / ZOOM_STEP);
        return GDK_EVENT_STOP;
    case GDK_KEY_Return:
    case GDK_KEY_KP_Enter:
    case GDK_KEY_space:
        click (self);
        return GDK_EVENT_STOP;
    case GDK_KEY_Escape:
        return go_back (self);
    case GDK_KEY_F10:
        if (!is_shift)
            return GDK_EVENT_PROPAGATE;
        request_menu_at_cursor (self);
        return GDK_EVENT_STOP;
    case GDK_KEY_Menu:
        request_menu_at_cursor (self);
        return GDK_EVENT_STOP;
    default:
        return GDK_EVENT_PROPAGATE;
    }
}

/* Controllers */

static void
add_pointer (PvChartArea *self)
{
    GtkEventController *motion = gtk_event_controller_motion_new ();
    GtkGesture *pressing = gtk_gesture_click_new ();
    GtkGesture *drag = gtk_gesture_drag_new ();

    g_signal_connect_swapped (motion, "enter", G_CALLBACK (on_motion), self);
    g_signal_connect_swapped (motion, "motion", G_CALLBACK (on_motion), self);
    g_signal_connect_swapped (motion, "leave", G_CALLBACK (on_leave), self);
    gtk_widget_add_controller (GTK_WIDGET (self), motion);
    gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (pressing), 0);
    g_signal_connect_swapped (pressing, "pressed", G_CALLBACK (on_pressed), self);
    gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (pressing));
    gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (drag), GDK_BUTTON_PRIMARY);
    g_signal_connect_swapped (drag, "drag-begin", G_CALLBACK (on_drag_begin), self);
    g_signal_connect_swapped (drag, "drag-update", G_CALLBACK (on_drag_update), self);
    g_signal_connect_swapped (drag, "drag-end", G_CALLBACK (on_drag_end), self);
    g_signal_connect_swapped (drag, "cancel", G_CALLBACK (on_drag_cancel), self);
    gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drag));
}

void
pv_chart_area_add_controllers (PvChartArea *self)
{
    GtkEventController *keys = gtk_event_controller_key_new ();
    GtkEventController *scroll =
        gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES);
    GtkGesture *pinch = gtk_gesture_zoom_new ();

    add_pointer (self);
    g_signal_connect_swapped (scroll, "scroll", G_CALLBACK (on_scroll), self);
    gtk_widget_add_controller (GTK_WIDGET (self), scroll);
    g_signal_connect_swapped (pinch, "begin", G_CALLBACK (on_pinch_begin), self);
    g_signal_connect_swapped (pinch, "scale-changed", G_CALLBACK (on_pinch), self);
    gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (pinch));
    g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (on_key), self);
    gtk_widget_add_controller (GTK_WIDGET (self), keys);
}
