/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/pictures/range-gestures.h"

#include <math.h>

#include "app/pictures/fingers.h"
#include "app/widgets/setup.h"

#define BURST_US        (700 * 1000)
#define FACTOR_PER_STEP 0.8
#define PIXELS_PER_STEP 60

typedef struct {
    GtkWidget *widget;
    PvRangeGestures gestures;
    double pointer_x;
    gint64 last_scroll_us;
    double last_dx; /* of the drag */
    double last_dy;
    gboolean is_dragging;
} State;

/* Steps of a wheel that follow each other are one movement. */
static gboolean
continue_burst (State *state)
{
    gint64 now_us = g_get_monotonic_time ();
    gboolean continues = now_us - state->last_scroll_us < BURST_US;

    state->last_scroll_us = now_us;
    return continues;
}

static void
on_motion (State *state, double x, double y)
{
    state->pointer_x = x;
}

static gboolean
on_scroll (State *state, double dx, double dy, GtkEventController *scroll)
{
    GdkModifierType modifiers = gtk_event_controller_get_current_event_state (scroll);
    double unit = pv_scroll_get_unit (scroll, PIXELS_PER_STEP);

    if (modifiers & GDK_CONTROL_MASK) {
        state->gestures.zoom (state->widget, state->pointer_x,
                              pow (1 / FACTOR_PER_STEP, dy * unit / PIXELS_PER_STEP),
                              continue_burst (state));
        return GDK_EVENT_STOP;
    }
    if (dx == 0)
        return GDK_EVENT_PROPAGATE;
    state->gestures.pan (state->widget, -dx * unit, 0, continue_burst (state));
    return dy == 0 ? GDK_EVENT_STOP : GDK_EVENT_PROPAGATE;
}

static void
begin_fingers (gpointer user)
{
    State *state = user;

    state->last_scroll_us = 0;
}

static void
zoom_with_fingers (gpointer user, double x, double y, double factor)
{
    State *state = user;

    state->gestures.zoom (state->widget, x, 1 / factor, continue_burst (state));
}

static void
pan_with_fingers (gpointer user, double dx, double dy)
{
    State *state = user;

    state->gestures.pan (state->widget, dx, dy, continue_burst (state));
}

static void
on_drag_begin (State *state, double x, double y, GtkGesture *drag)
{
    guint button = gtk_gesture_single_get_current_button (GTK_GESTURE_SINGLE (drag));

    if (button != GDK_BUTTON_PRIMARY && button != GDK_BUTTON_MIDDLE)
        gtk_gesture_set_state (drag, GTK_EVENT_SEQUENCE_DENIED);
    state->is_dragging = FALSE;
    state->last_dx = state->last_dy = 0;
}

static void
on_drag_update (State *state, double dx, double dy, GtkGesture *drag)
{
    gboolean continues = state->is_dragging;

    if (!continues && !gtk_drag_check_threshold (state->widget, 0, 0, (int)dx, (int)dy))
        return;
    if (!continues) {
        gtk_gesture_set_state (drag, GTK_EVENT_SEQUENCE_CLAIMED);
        gtk_widget_set_cursor_from_name (state->widget, "grabbing");
    }
    state->is_dragging = TRUE;
    state->gestures.pan (state->widget, dx - state->last_dx, dy - state->last_dy, continues);
    state->last_dx = dx;
    state->last_dy = dy;
}

static void
on_drag_end (State *state)
{
    if (state->is_dragging)
        gtk_widget_set_cursor (state->widget, NULL);
    state->is_dragging = FALSE;
}

void
pv_range_gestures_add (GtkWidget *widget, const PvRangeGestures *gestures)
{
    static const PvTwoFingers fingers = {begin_fingers, zoom_with_fingers, pan_with_fingers};
    State *state = g_new0 (State, 1);

    g_assert (gestures != NULL && gestures->zoom != NULL && gestures->pan != NULL);
    *state = (State){.widget = widget, .gestures = *gestures};
    g_object_set_data_full (G_OBJECT (widget), "pv-range-gestures", state, g_free);
    pv_add_controller (widget, gtk_event_controller_motion_new (), state, "enter", on_motion,
                       "motion", on_motion, NULL);
    pv_add_controller (widget,
                       gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES),
                       state, "scroll", on_scroll, NULL);
    pv_two_fingers_add (widget, &fingers, state);
    gtk_gesture_single_set_button (
        pv_add_controller (widget, gtk_gesture_drag_new (), state, "drag-begin", on_drag_begin,
                           "drag-update", on_drag_update, "drag-end", on_drag_end, NULL),
        0);
}
