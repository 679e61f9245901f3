/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

/* Names a widget for screen readers, instead of the text on it, which GTK 4.8 reads as well and
 * newer ones read instead. */
void pv_accessible_set_name (GtkWidget *widget, const char *name);
/* Says more of a widget to screen readers, beside its name. */
void pv_accessible_describe (GtkWidget *widget, const char *text);

/* Names a composite widget and the buttons inside, one of which has the focus: GTK 4.8 would call
 * that "GtkToggleButton", newer ones by what is selected. menu_name is for the part that opens a
 * menu, NULL: the same. A drop-down of strings is described by the selected one. */
void pv_accessible_name_parts (GtkWidget *composite, const char *name, const char *menu_name);

/* The button's label, and its name for screen readers. A new label takes the place of the old one,
 * and a click that has begun on that is lost; so nothing happens where the title stays the same. */
void pv_menu_button_set_title (GtkMenuButton *button, const char *title);

/* GtkAccessible cannot be implemented outside GTK 4.8, so pictures have such children where the
 * keyboard and screen readers find something: focusable, invisible, and ignored by the pointer. */
GtkWidget *pv_accessible_box_new (void);
/* Allocates this part of its parent to such a child, one pixel at least. */
void pv_accessible_box_place (GtkWidget *box, double x, double y, double width, double height);
