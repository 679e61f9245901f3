/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/pictures/time-input.h"

#include <math.h>

#include "app/pictures/fingers.h"
#include "app/widgets/accessible.h"
#include "app/widgets/keys.h"
#include "app/widgets/menus.h"
#include "app/widgets/setup.h"

#define DRAG_FROM_PX    5    /* less is still a click */
#define EDGE_PX         8    /* this near an end of the range is on it */
#define ZOOM_STEP       1.25 /* for a notch of the wheel, or a key */
#define SCROLL_STEP_PX  60
#define CURSOR_STEPS    100 /* presses of an arrow key to cross what is visible */
#define CURSOR_STEPS_XL 10  /* page keys */
#define NO_ANCHOR       UINT64_MAX

static gboolean
get_axis (PvTimeInput *self, PvTimeAxis *ret_axis)
{
    return self->document != NULL && self->functions->get_axis (self->widget, ret_axis);
}

/* Not clamped to the picture. */
static double
to_x (const PvTimeAxis *axis, uint64_t time_ns)
{
    double span = (double)(axis->end_ns - axis->start_ns);

    return axis->x + ((double)time_ns - (double)axis->start_ns) / span * axis->width;
}

/* A visible time. */
static uint64_t
to_time (const PvTimeAxis *axis, double x)
{
    double share = CLAMP ((x - axis->x) / MAX (axis->width, 1), 0, 1);

    return axis->start_ns + (uint64_t)(share * (double)(axis->end_ns - axis->start_ns));
}

/* The time range */

static void
snap (PvTimeInput *self, uint64_t time_ns, uint64_t *ret_start_ns, uint64_t *ret_end_ns)
{
    *ret_start_ns = *ret_end_ns = time_ns;
    if (self->functions->snap != NULL)
        self->functions->snap (self->widget, time_ns, ret_start_ns, ret_end_ns);
}

/* Makes a range of what is held and a time before, in or after it. */
static void
set_range (PvTimeInput *self, uint64_t time_ns)
{
    uint64_t start_ns, end_ns;

    snap (self, time_ns, &start_ns, &end_ns);
    start_ns = MIN (start_ns, self->held_start_ns);
    end_ns = MAX (end_ns, self->held_end_ns);
    pv_document_set_time_range (self->document, start_ns, MAX (end_ns, start_ns + 1));
}

/* Holds the end of the range that stays while the one at x is dragged; FALSE: x is at neither. */
static gboolean
hold_other_end (PvTimeInput *self, const PvTimeAxis *axis, double x)
{
    const PvQuery *query = &pv_document_get (self->document)->query;
    uint64_t end_ns = MIN (query->end_ns, axis->limit_ns);

    if (!axis->has_time || !pv_document_has_time_range (self->document) ||
        end_ns <= query->start_ns)
        return FALSE;
    if (fabs (x - to_x (axis, end_ns)) <= EDGE_PX)
        self->held_start_ns = query->start_ns;
    else if (fabs (x - to_x (axis, query->start_ns)) <= EDGE_PX)
        self->held_start_ns = end_ns;
    else
        return FALSE;
    self->held_end_ns = self->held_start_ns;
    return TRUE;
}

/* The pointer */

void
pv_time_input_forget_cursor (PvTimeInput *self)
{
    self->has_cursor = FALSE;
    self->anchor_ns = NO_ANCHOR;
}

static void
move_pointer (PvTimeInput *self, double x, double y)
{
    self->pointer_x = x;
    self->pointer_y = y;
    if (self->drag == PV_TIME_OTHER_DRAG)
        return;
    pv_time_input_forget_cursor (self);
    self->functions->update_hit (self->widget);
}

static void
set_shape (PvTimeInput *self, const char *name)
{
    if (g_strcmp0 (self->shape, name) == 0)
        return;
    self->shape = name;
    gtk_widget_set_cursor_from_name (self->widget, name);
}

/* TRUE if a press acts where the pointer is. */
static gboolean
takes_press (PvTimeInput *self, PvTimeAxis *ret_axis)
{
    return get_axis (self, ret_axis) &&
           (self->functions->takes_press == NULL || self->functions->takes_press (self->widget));
}

/* The pointer's shape says what a press does there. */
static void
show_shape (PvTimeInput *self)
{
    const char *name = NULL;
    PvTimeAxis axis;

    if (self->drag != PV_TIME_NO_DRAG)
        return;
    if (takes_press (self, &axis)) {
        if (self->functions->get_shape != NULL)
            name = self->functions->get_shape (self->widget, self->pointer_x, self->pointer_y);
        if (name == NULL && self->pointer_x >= axis.x &&
            hold_other_end (self, &axis, self->pointer_x))
            name = "col-resize";
    }
    set_shape (self, name);
}

/* GTK also reports motion when only what is under the pointer has changed or moved. */
static void
on_motion (PvTimeInput *self, double x, double y, GtkEventController *motion)
{
    GdkEvent *event = gtk_event_controller_get_current_event (motion);
    double window_x, window_y;
    gboolean rests = FALSE;

    if (event != NULL && gdk_event_get_position (event, &window_x, &window_y)) {
        rests = window_x == self->rest_x && window_y == self->rest_y;
        self->rest_x = window_x;
        self->rest_y = window_y;
    }
    if (rests && self->has_cursor) {
        self->pointer_x = x;
        self->pointer_y = y;
        return;
    }
    move_pointer (self, x, y);
    show_shape (self);
}

static void
on_leave (PvTimeInput *self)
{
    self->pointer_x = -1;
    if (!self->has_cursor)
        self->functions->update_hit (self->widget);
}

void
pv_time_input_fit (PvTimeInput *self)
{
    if (pv_document_has_time_range (self->document) && !self->functions->is_zoomed (self->widget))
        self->functions->zoom_to_range (self->widget);
    else
        self->functions->reset_zoom (self->widget);
}

static void
on_pressed (PvTimeInput *self, int n_press, double x, double y, GtkGesture *gesture)
{
    guint button = gtk_gesture_single_get_current_button (GTK_GESTURE_SINGLE (gesture));

    gtk_widget_grab_focus (self->widget);
    move_pointer (self, x, y);
    if (button == GDK_BUTTON_PRIMARY && n_press == 2)
        self->functions->click_twice (self->widget);
}

static void
on_drag_begin (PvTimeInput *self, double x, double y)
{
    PvTimeAxis axis;

    move_pointer (self, x, y);
    self->drag = takes_press (self, &axis) ? PV_TIME_PRESSED : PV_TIME_NO_DRAG;
    self->press_x = x;
    self->last_dx = 0;
}

static void
begin_drag (PvTimeInput *self, const PvTimeAxis *axis, double press_y)
{
    self->drag = self->functions->begin_drag != NULL
                     ? self->functions->begin_drag (self->widget, press_y)
                     : PV_TIME_BRUSHING;
    if (self->drag == PV_TIME_PANNING || self->drag == PV_TIME_OTHER_DRAG)
        set_shape (self, "grabbing");
    if (self->drag != PV_TIME_BRUSHING)
        return;
    if (!hold_other_end (self, axis, self->press_x))
        snap (self, to_time (axis, self->press_x), &self->held_start_ns, &self->held_end_ns);
    pv_document_remember (self->document);
}

/* TRUE if the pointer has gone far enough; beside the times, up or down. */
static gboolean
is_drag (PvTimeInput *self, const PvTimeAxis *axis, double dx, double dy)
{
    return fabs (self->press_x < axis->x ? dy : dx) >= DRAG_FROM_PX;
}

static void
on_drag_update (PvTimeInput *self, double dx, double dy, GtkGesture *gesture)
{
    PvTimeAxis axis;
    double x, y;

    if (self->drag == PV_TIME_NO_DRAG || !get_axis (self, &axis) || !axis.has_time ||
        (self->drag == PV_TIME_PRESSED && !is_drag (self, &axis, dx, dy)))
        return;
    gtk_gesture_drag_get_start_point (GTK_GESTURE_DRAG (gesture), &x, &y);
    if (self->drag == PV_TIME_PRESSED) {
        gtk_gesture_set_state (gesture, GTK_EVENT_SEQUENCE_CLAIMED);
        begin_drag (self, &axis, y);
    }
    if (self->drag == PV_TIME_BRUSHING)
        set_range (self, to_time (&axis, self->press_x + dx));
    else if (self->drag == PV_TIME_PANNING)
        self->functions->pan (self->widget, self->last_dx - dx);
    else if (self->drag == PV_TIME_OTHER_DRAG)
        self->functions->drag (self->widget, y + dy);
    self->last_dx = dx;
}

static void
on_drag_end (PvTimeInput *self, double dx, double dy)
{
    PvTimeAxis axis;
    gboolean is_click = self->drag == PV_TIME_PRESSED && fabs (dy) < DRAG_FROM_PX &&
                        get_axis (self, &axis) && !is_drag (self, &axis, dx, dy);

    self->drag = PV_TIME_NO_DRAG;
    show_shape (self);
    if (is_click)
        self->functions->click (self->widget);
}

/* The drag is over; two fingers do not drag either. */
static void
stop_drag (gpointer user)
{
    PvTimeInput *self = user;

    self->drag = PV_TIME_NO_DRAG;
}

/* A finger that rests clicks nothing. */
static gboolean
open_menu (gpointer user, double x, double y)
{
    PvTimeInput *self = user;

    gtk_widget_grab_focus (self->widget);
    stop_drag (self);
    move_pointer (self, x, y);
    self->functions->open_menu (self->widget, x, y);
    return TRUE;
}

/* Zoom */

static double
get_middle (const PvTimeAxis *axis)
{
    return axis->x + axis->width / 2;
}

static void
zoom_at (PvTimeInput *self, const PvTimeAxis *axis, double x, double factor)
{
    self->functions->zoom (self->widget, CLAMP (x, axis->x, axis->x + axis->width), factor);
}

/* The cursor stays where it is, also out of view; else the pointer, or else the middle. */
static void
zoom_by_key (PvTimeInput *self, const PvTimeAxis *axis, double factor)
{
    if (!axis->has_time)
        return;
    if (self->has_cursor)
        self->functions->zoom (self->widget, to_x (axis, self->cursor_ns), factor);
    else
        zoom_at (self, axis, self->pointer_x >= axis->x ? self->pointer_x : get_middle (axis),
                 factor);
}

static gboolean
on_scroll (PvTimeInput *self, double dx, double dy, GtkEventController *scroll)
{
    const PvTimePicture *functions = self->functions;
    GdkModifierType state = gtk_event_controller_get_current_event_state (scroll);
    double unit = pv_scroll_get_unit (scroll, SCROLL_STEP_PX);
    gboolean has_control = (state & GDK_CONTROL_MASK) != 0, is_sideways = fabs (dx) > fabs (dy);
    PvTimeAxis axis;

    if (!get_axis (self, &axis) || !axis.has_time)
        return GDK_EVENT_PROPAGATE;
    if (functions->scroll != NULL && self->pointer_x < axis.x && !has_control) {
        functions->scroll (self->widget, dy * unit);
    } else if (functions->wheel_zooms ? !is_sideways && !(state & GDK_SHIFT_MASK) : has_control) {
        zoom_at (self, &axis, self->pointer_x >= 0 ? self->pointer_x : get_middle (&axis),
                 pow (ZOOM_STEP, -dy * unit / SCROLL_STEP_PX));
    } else {
        if (!functions->wheel_zooms && !functions->is_zoomed (self->widget))
            return GDK_EVENT_PROPAGATE;
        functions->pan (self->widget, (is_sideways ? dx : dy) * unit);
    }
    return GDK_EVENT_STOP;
}

static void
zoom_with_fingers (gpointer user, double x, double y, double factor)
{
    PvTimeInput *self = user;
    PvTimeAxis axis;

    if (get_axis (self, &axis) && axis.has_time)
        zoom_at (self, &axis, x, factor);
}

static void
pan_with_fingers (gpointer user, double dx, double dy)
{
    PvTimeInput *self = user;
    PvTimeAxis axis;

    if (!get_axis (self, &axis) || !axis.has_time)
        return;
    self->functions->pan (self->widget, -dx);
    if (self->functions->scroll != NULL)
        self->functions->scroll (self->widget, -dy);
}

/* Keys */

gboolean
pv_time_input_begin_cursor (PvTimeInput *self)
{
    PvTimeAxis axis;
    uint64_t start_ns;

    if (self->has_cursor || !get_axis (self, &axis))
        return FALSE;
    start_ns = self->functions->find_start (self->widget);
    self->cursor_ns = CLAMP (start_ns, axis.start_ns, axis.end_ns);
    self->has_cursor = TRUE;
    return TRUE;
}

/* The cursor gets into the middle of what is there, so that rounding to pixels does not show
 * something else. */
static void
set_cursor (PvTimeInput *self, const PvTimeAxis *axis, double to_ns, gboolean extends)
{
    uint64_t start_ns, end_ns;

    if (!extends || !axis->has_time) {
        self->anchor_ns = NO_ANCHOR;
    } else if (self->anchor_ns == NO_ANCHOR) {
        self->anchor_ns = self->cursor_ns;
        pv_document_remember (self->document);
    }
    to_ns = CLAMP (to_ns, (double)axis->first_ns, (double)axis->last_ns);
    snap (self, (uint64_t)to_ns, &start_ns, &end_ns);
    self->cursor_ns = start_ns + (end_ns - start_ns) / 2;
    self->functions->show_cursor (self->widget);
    if (self->anchor_ns == NO_ANCHOR)
        return;
    snap (self, self->anchor_ns, &self->held_start_ns, &self->held_end_ns);
    set_range (self, self->cursor_ns);
}

/* The first key only shows the cursor. */
static void
move_cursor (PvTimeInput *self, const PvTimeAxis *axis, int direction, int n_steps,
             gboolean extends)
{
    double step = (double)(axis->end_ns - axis->start_ns) / n_steps;
    gboolean is_new = pv_time_input_begin_cursor (self);

    step = is_new && !extends ? 0 : MAX (step, (double)axis->step_ns);
    set_cursor (self, axis, (double)self->cursor_ns + direction * step, extends);
}

static void
move_to_end (PvTimeInput *self, const PvTimeAxis *axis, gboolean is_end, gboolean extends)
{
    uint64_t first_ns = axis->first_ns, last_ns = axis->last_ns;

    if (self->functions->ends_are_in_view) {
        first_ns = axis->start_ns;
        last_ns = axis->end_ns;
    }
    pv_time_input_begin_cursor (self);
    set_cursor (self, axis, (double)(is_end ? last_ns : first_ns), extends);
}

/* Clears the time range, or else the zoom. */
static gboolean
go_back (PvTimeInput *self)
{
    if (pv_document_has_time_range (self->document)) {
        self->anchor_ns = NO_ANCHOR;
        pv_document_clear_time_range (self->document);
    } else if (self->functions->is_zoomed (self->widget)) {
        self->functions->reset_zoom (self->widget);
    } else {
        return GDK_EVENT_PROPAGATE;
    }
    return GDK_EVENT_STOP;
}

static gboolean
on_key (PvTimeInput *self, guint key, guint code, GdkModifierType state)
{
    const PvTimePicture *functions = self->functions;
    gboolean extends = (state & GDK_SHIFT_MASK) != 0;
    PvTimeAxis axis;

    if (!get_axis (self, &axis) || !axis.takes_keys)
        return GDK_EVENT_PROPAGATE;
    if (functions->take_key (self->widget, key, state))
        return GDK_EVENT_STOP;
    if (state & (GDK_CONTROL_MASK | GDK_ALT_MASK))
        return GDK_EVENT_PROPAGATE;
    switch (pv_key_plain (key)) {
    case GDK_KEY_Left:
        move_cursor (self, &axis, -1, CURSOR_STEPS, extends);
        return GDK_EVENT_STOP;
    case GDK_KEY_Right:
        move_cursor (self, &axis, 1, CURSOR_STEPS, extends);
        return GDK_EVENT_STOP;
    case GDK_KEY_Page_Up:
        move_cursor (self, &axis, -1, CURSOR_STEPS_XL, extends);
        return GDK_EVENT_STOP;
    case GDK_KEY_Page_Down:
        move_cursor (self, &axis, 1, CURSOR_STEPS_XL, extends);
        return GDK_EVENT_STOP;
    case GDK_KEY_Home:
        move_to_end (self, &axis, FALSE, extends);
        return GDK_EVENT_STOP;
    case GDK_KEY_End:
        move_to_end (self, &axis, TRUE, extends);
        return GDK_EVENT_STOP;
    case GDK_KEY_Up:
        functions->move_across (self->widget, 1);
        return GDK_EVENT_STOP;
    case GDK_KEY_Down:
        functions->move_across (self->widget, -1);
        return GDK_EVENT_STOP;
    case GDK_KEY_plus:
        zoom_by_key (self, &axis, ZOOM_STEP);
        return GDK_EVENT_STOP;
    case GDK_KEY_minus:
        zoom_by_key (self, &axis, 1 / ZOOM_STEP);
        return GDK_EVENT_STOP;
    case GDK_KEY_Return:
    case GDK_KEY_space:
        functions->activate (self->widget);
        return GDK_EVENT_STOP;
    case GDK_KEY_Escape:
        return go_back (self);
    default:
        return GDK_EVENT_PROPAGATE;
    }
}

/* Cells */

void
pv_time_input_set_cell_text (PvTimeInput *self, const char *text, const char *description)
{
    unsigned next = (self->current_cell + 1) % PV_TIME_N_CELLS;
    gboolean had_focus = gtk_widget_has_focus (self->cells[self->current_cell]);

    pv_accessible_set_name (self->cells[next], text);
    if (description != NULL)
        pv_accessible_describe (self->cells[next], description);
    gtk_widget_set_focusable (self->cells[next], TRUE);
    if (had_focus)
        gtk_widget_grab_focus (self->cells[next]);
    gtk_widget_set_focusable (self->cells[self->current_cell], FALSE);
    self->current_cell = next;
}

void
pv_time_input_set_name (PvTimeInput *self, const char *name)
{
    pv_accessible_set_name (self->widget, name);
    for (unsigned i = 0; i < PV_TIME_N_CELLS; i++)
        pv_accessible_set_name (self->cells[i], name);
}

void
pv_time_input_allocate (PvTimeInput *self, int width, int height)
{
    for (unsigned i = 0; i < PV_TIME_N_CELLS; i++)
        pv_accessible_box_place (self->cells[i], 0, 0, width, height);
}

gboolean
pv_time_input_grab_focus (PvTimeInput *self)
{
    return gtk_widget_grab_focus (self->cells[self->current_cell]);
}

/* Object */

static void
add_controllers (PvTimeInput *self)
{
    static const PvTwoFingers fingers = {stop_drag, zoom_with_fingers, pan_with_fingers};
    GtkWidget *widget = self->widget;

    pv_add_controller (widget, gtk_event_controller_motion_new (), self, "enter", on_motion,
                       "motion", on_motion, "leave", on_leave, NULL);
    gtk_gesture_single_set_button (
        pv_add_controller (widget, gtk_gesture_click_new (), self, "pressed", on_pressed, NULL), 0);
    pv_add_controller (widget, gtk_gesture_drag_new (), self, "drag-begin", on_drag_begin,
                       "drag-update", on_drag_update, "drag-end", on_drag_end, "cancel", stop_drag,
                       NULL);
    pv_add_controller (widget,
                       gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES),
                       self, "scroll", on_scroll, NULL);
    pv_two_fingers_add (widget, &fingers, self);
    pv_menu_add_gestures (widget, open_menu, self, NULL);
    pv_add_keys (widget, GTK_PHASE_BUBBLE, on_key, self);
}

void
pv_time_input_init (PvTimeInput *self, GtkWidget *widget, const PvTimePicture *functions)
{
    g_assert (GTK_IS_WIDGET (widget) && functions != NULL);
    *self = (PvTimeInput){.widget = widget,
                          .functions = functions,
                          .pointer_x = -1,
                          .rest_x = -1,
                          .anchor_ns = NO_ANCHOR};
    for (unsigned i = 0; i < PV_TIME_N_CELLS; i++) {
        self->cells[i] = pv_accessible_box_new ();
        gtk_widget_set_focusable (self->cells[i], i == self->current_cell);
        gtk_widget_set_parent (self->cells[i], widget);
    }
    add_controllers (self);
}
