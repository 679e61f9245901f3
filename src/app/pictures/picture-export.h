/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

/* Called with the widget that asked and the chosen path, which it owns. */
typedef void (*PvPicturePathFunc) (GtkWidget *widget, char *path);

/* Asks the user where to save a picture; name is proposed, its ending says the format. func is not
 * called if the user cancels or the widget is gone. Main loop only. */
void pv_picture_export_ask (GtkWidget *widget, const char *title, const char *name,
                            PvPicturePathFunc func);

/* Tells the user where the picture was saved, or why it was not: a PvTaskDone of a widget's task
 * whose result is the path. */
void pv_picture_export_done (gpointer widget, gpointer path, const GError *error);
/* Tells the user that there is nothing to save. */
void pv_picture_export_refuse (GtkWidget *widget);
