/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/pictures/fingers.h"

#include "app/widgets/setup.h"

typedef struct {
    GtkWidget *widget;
    const PvTwoFingers *functions;
    gpointer object;
    double scale; /* of the last event, as its middle */
    double x, y;
    gboolean has_middle;
} Fingers;

/* FALSE: there are no fingers, only what a test says of them. */
static gboolean
find_middle (GtkGesture *gesture, double *ret_x, double *ret_y)
{
    return gtk_gesture_is_recognized (gesture) &&
           gtk_gesture_get_bounding_box_center (gesture, ret_x, ret_y);
}

/* One finger's gestures, and those of what is around, leave these two alone from now on. */
static void
on_begin (Fingers *fingers, GdkEventSequence *sequence, GtkGesture *gesture)
{
    fingers->scale = 1;
    fingers->has_middle = find_middle (gesture, &fingers->x, &fingers->y);
    if (fingers->functions->begin != NULL)
        fingers->functions->begin (fingers->object);
    gtk_gesture_set_state (gesture, GTK_EVENT_SEQUENCE_CLAIMED);
}

static void
on_scale_changed (Fingers *fingers, double scale, GtkGesture *gesture)
{
    double x = gtk_widget_get_width (fingers->widget) / 2.0;
    double y = gtk_widget_get_height (fingers->widget) / 2.0;
    gboolean has_middle = find_middle (gesture, &x, &y);

    if (has_middle && fingers->has_middle && (x != fingers->x || y != fingers->y))
        fingers->functions->pan (fingers->object, x - fingers->x, y - fingers->y);
    fingers->x = x;
    fingers->y = y;
    fingers->has_middle = has_middle;
    if (scale <= 0 || scale == fingers->scale)
        return;
    fingers->functions->zoom (fingers->object, x, y, scale / fingers->scale);
    fingers->scale = scale;
}

void
pv_two_fingers_add (GtkWidget *widget, const PvTwoFingers *functions, gpointer object)
{
    Fingers *fingers = g_new0 (Fingers, 1);
    gpointer zoom;

    g_assert (GTK_IS_WIDGET (widget) && functions->zoom != NULL && functions->pan != NULL);
    *fingers = (Fingers){.widget = widget, .functions = functions, .object = object, .scale = 1};
    zoom = pv_add_controller (widget, gtk_gesture_zoom_new (), fingers, "begin", on_begin,
                              "scale-changed", on_scale_changed, NULL);
    g_object_set_data_full (zoom, "pv-fingers", fingers, g_free);
}

double
pv_scroll_get_unit (GtkEventController *scroll, double notch_px)
{
    g_assert (GTK_IS_EVENT_CONTROLLER_SCROLL (scroll));
    return gtk_event_controller_scroll_get_unit (GTK_EVENT_CONTROLLER_SCROLL (scroll)) ==
                   GDK_SCROLL_UNIT_WHEEL
               ? notch_px
               : 1;
}
