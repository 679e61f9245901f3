/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

/*
 * Two fingers zoom a picture and move it, on a touch screen, and with a pinch on a touchpad. They
 * do both at once: what is between them stays there. Places are pixels of the widget.
 */
typedef struct {
    /* May be NULL. Ends what one finger began, which is no click. */
    void (*begin) (gpointer object);
    /* By a factor since the last call, more than 1 where the fingers go apart. What is at the place
     * stays there. */
    void (*zoom) (gpointer object, double x, double y, double factor);
    /* The picture follows the fingers, by so much since the last call. */
    void (*pan) (gpointer object, double dx, double dy);
} PvTwoFingers;

/* The functions are static, and the object lives as long as the widget. */
void pv_two_fingers_add (GtkWidget *widget, const PvTwoFingers *functions, gpointer object);

/* Pixels for 1 of the scroll event that is being handled: touchpads tell pixels, wheels notches, of
 * which one is so many pixels. */
double pv_scroll_get_unit (GtkEventController *scroll, double notch_px);
