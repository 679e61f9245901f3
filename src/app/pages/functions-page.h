/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "app/document/document.h"

/* The page Functions: a list of all functions, and callers and callees of the selected one. */
#define PV_TYPE_FUNCTIONS_PAGE (pv_functions_page_get_type ())
G_DECLARE_FINAL_TYPE (PvFunctionsPage, pv_functions_page, PV, FUNCTIONS_PAGE, GtkWidget)

GtkWidget *pv_functions_page_new (PvDocument *document);
void pv_functions_page_select_match (PvFunctionsPage *page, gboolean forward);
/* The definitions of the formulas in its columns; free with g_strfreev (). */
char **pv_functions_page_list_formulas (PvFunctionsPage *page);
