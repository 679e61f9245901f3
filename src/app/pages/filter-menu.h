/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "app/document/document.h"

/*
 * What can be asked about the function that is selected in a document: focus, ignore, hide and so
 * on, for the function itself, its module, file and package. A section of context menus, and keys
 * for the most frequent.
 */

/* Installs the action group "filter" on a page, and the keys F, I and H; Z for back. */
void pv_filter_menu_install (GtkWidget *page, PvDocument *document);
/* An empty section for a menu; to be filled each time before the menu is shown. */
void pv_filter_menu_fill (GMenu *section, PvDocument *document);
