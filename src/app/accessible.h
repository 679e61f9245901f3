#pragma once

#include <gtk/gtk.h>

/* GTK 4.8 tells screen readers the name that a composite widget was given, but the focus is on a
 * button inside it, which is then called "GtkToggleButton". This names the buttons inside;
 * menu_name is for the part that opens a menu, NULL: the same. */
void pv_accessible_name_parts (GtkWidget *composite, const char *name, const char *menu_name);
