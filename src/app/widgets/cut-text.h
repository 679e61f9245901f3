/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

/* A tool tip with the full text while the label is cut. */
void pv_label_show_cut_text (GtkLabel *label);

/* Shows strings, which are cut where there is little room, but not to fewer than so many
 * characters; 0: they are not cut. Never wider than most_chars (-1: any width). The caller owns it.
 */
GtkListItemFactory *pv_string_factory_new (int least_chars, int most_chars);
/* From now on, the button of a list of strings cuts its text where there is little room; the list,
 * once it is open, does not. */
void pv_drop_down_cut_title (GtkDropDown *drop_down);

/* The layout's text without its middle, "std::vec…push_back", or without its start, "…/src/main.c",
 * so that it fits in width (Pango units), if an ellipsis does. What is cut is
 * inside of template arguments or parameters, if the rest fits: "std::map<std::s…t>>::insert".
 * Pango itself would leave a gap behind the ellipsis to fill the width. The layout has no width and
 * no ellipsis of its own. The caller frees. */
char *pv_cut_text (PangoLayout *layout, int width, gboolean is_start);

/* A label for a menu that says just this: its underscores are no mnemonics. The caller frees. */
char *pv_make_menu_label (const char *text);
