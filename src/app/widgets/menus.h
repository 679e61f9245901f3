/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

/* Menus. Main loop only. */

/* From now on, no button of a menu shows its tool tip while the menu is open, which it would cover.
 * Once, after GTK began. */
void pv_menus_init (void);

/* An item with a label to be translated, which is hidden where nothing has its action; both NULL:
 * another section begins. */
typedef struct {
    const char *label, *action;
} PvMenuItem;

/* The caller owns the menu. */
GMenuModel *pv_menu_new (const PvMenuItem *items, size_t n_items);

/* A child of the widget, which places it in its size_allocate () if it has one. The model may be
 * NULL. */
GtkWidget *pv_menu_popover_new (GtkWidget *parent, GMenuModel *model);

/* Opens it at a place of the widget `of`, which is its parent or inside of that. */
void pv_menu_open_at (GtkPopover *menu, GtkWidget *of, double x, double y);

/* From now on, the widget, which is all that the popover shows, is so wide, or less where the
 * window is too narrow for that. */
void pv_popover_set_width (GtkPopover *popover, GtkWidget *widget, int width_px);

/* Opens the menu of a place. Returns FALSE if there is none: the press is then for others. */
typedef gboolean (*PvMenuFunc) (gpointer object, double x, double y);

/* Calls open (object, x, y) where the user asks for the menu of a place of the widget: with the
 * mouse's secondary button, or with a finger that rests. destroy (may be NULL) frees the object
 * when the widget goes. */
void pv_menu_add_gestures (GtkWidget *widget, PvMenuFunc open, gpointer object,
                           GDestroyNotify destroy);
/* The same with a finger only, for a widget that has a menu for the mouse by itself. */
void pv_menu_add_long_press (GtkWidget *widget, PvMenuFunc open, gpointer object);
