/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

/*
 * Gestures that zoom and move a picture: Ctrl with the wheel, two fingers, and dragging with the
 * left or middle button or with a finger. continues: the movement that the last call belonged to is
 * not over.
 */
typedef struct {
    /* `at` is where the pointer is, in pixels; factor less than 1 shows less. */
    void (*zoom) (GtkWidget *widget, double at, double factor, gboolean continues);
    /* The picture follows the pointer. */
    void (*pan) (GtkWidget *widget, double dx, double dy, gboolean continues);
} PvRangeGestures;

/* For good; a widget has them once. */
void pv_range_gestures_add (GtkWidget *widget, const PvRangeGestures *gestures);
