/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "app/document/document.h"

/* The page Call Tree: top-down or bottom-up, as a table. */
#define PV_TYPE_TREE_PAGE (pv_tree_page_get_type ())
G_DECLARE_FINAL_TYPE (PvTreePage, pv_tree_page, PV, TREE_PAGE, GtkWidget)

GtkWidget *pv_tree_page_new (PvDocument *document);
/* The definitions of the formulas in its columns; free with g_strfreev (). */
char **pv_tree_page_list_formulas (PvTreePage *page);
