/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "app/work/work.h"

/* How a kind of picture is made. */
typedef struct {
    /* Takes what the widget shows now; NULL: nothing. */
    gpointer (*take) (GtkWidget *widget);
    /* Draws that to a file, in a worker; the path's ending says the format. FALSE without error:
     * cancelled. */
    gboolean (*write) (gpointer taken, const char *path, PvJob *job, GError **error);
    GDestroyNotify free_taken;
} PvPictureExport;

/* Asks the user where to save a picture, name is proposed, saves it, and tells the user where, or
 * why not. Ends with the widget. Main loop only. */
void pv_picture_export (GtkWidget *widget, const PvPictureExport *export, const char *title,
                        const char *name);
/* Tells the user that there is nothing to save. */
void pv_picture_export_refuse (GtkWidget *widget);
