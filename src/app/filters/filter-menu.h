/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "app/document/document.h"

/*
 * Filters for the function that is selected on a page: focus, ignore, hide and so on, for the
 * function itself, its module, file and package. A section of context menus, and keys for
 * the most frequent.
 */

/* The function that is selected on a page, of the symbols of a tree, and its node there, or
 * PV_NODE_NONE. NULL: nothing is selected. */
typedef const PvCallTree *(*PvFindFunctionFunc) (GtkWidget *page, PvFunctionId *ret_function,
                                                 PvNodeId *ret_node);

/* Installs the action group "filter" on a page, and the keys F, I and H; O for its source in an
 * editor (filter.open-in-editor), Z for back. find NULL: it is the function that is selected in the
 * document. */
void pv_filter_menu_install (GtkWidget *page, PvDocument *document, PvFindFunctionFunc find);
/* An empty section for a menu of such a page; to be filled each time before the menu is shown. */
void pv_filter_menu_fill (GMenu *section, GtkWidget *page);
