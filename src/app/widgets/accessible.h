/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

/* GTK 4.8 tells screen readers the name that a composite widget was given, but the focus is on a
 * button inside it, which is then called "GtkToggleButton". This names the buttons inside;
 * menu_name is for the part that opens a menu, NULL: the same. A drop-down, whose items are
 * strings, is described by the one that is selected. */
void pv_accessible_name_parts (GtkWidget *composite, const char *name, const char *menu_name);

/* GtkAccessible cannot be implemented outside GTK 4.8, so pictures have such children where a
 * screen reader and the keyboard find something: focusable, without looks, and nothing for the
 * pointer. */
GtkWidget *pv_accessible_place_new (void);
