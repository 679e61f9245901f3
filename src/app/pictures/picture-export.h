/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

/* Called with the widget that asked, and a path that it owns then. */
typedef void (*PvPicturePathFunc) (GtkWidget *widget, char *path);

/* Asks where a picture is to be written, with this name proposed; what it is follows from the
 * ending. Nothing is called if the user thinks better of it, or the widget goes. */
void pv_picture_export_ask (GtkWidget *widget, const char *title, const char *name,
                            PvPicturePathFunc func);

/* Tells the user what became of it: path NULL, nothing because of error. */
void pv_picture_export_tell (GtkWidget *widget, const char *path, const GError *error);
