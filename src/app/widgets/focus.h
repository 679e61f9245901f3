/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

/* A focus () of GtkWidgetClass for a widget whose grab_focus () picks one of its children. GTK's
 * own begins with grab_focus (): Tab would skip the children before that one, Shift+Tab would come
 * back to it for ever. Main loop only. */
gboolean pv_focus_children (GtkWidget *widget, GtkDirectionType direction);

/* True if the keyboard focus is inside the widget, but not on itself. */
gboolean pv_focus_is_within (GtkWidget *widget);

/* GTK 4.8 leaves the focus in a closed menu if an item of a submenu was activated: no key would do
 * anything. Once the menu is closed, the widget gets the focus then. */
void pv_focus_return_from_menu (GtkPopover *menu, GtkWidget *widget);
/* The same for an item that is being activated, of any menu; from the menu's button too, where
 * newer GTKs put it. */
void pv_focus_return_soon (GtkWidget *widget);

/* Tab and Shift+Tab leave a list or table, which has the arrow keys for its rows. It must be in a
 * GtkScrolledWindow when they are pressed. */
void pv_focus_leave_by_tab (GtkWidget *list);
