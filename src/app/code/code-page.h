/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "app/document/document.h"

/* The page Source: the selected function's source, with what its lines cost. Main loop only. */
#define PV_TYPE_CODE_PAGE (pv_code_page_get_type ())
G_DECLARE_FINAL_TYPE (PvCodePage, pv_code_page, PV, CODE_PAGE, GtkWidget)

/* Whether there are lines that can have costs: in comparisons they have none. symbols may be NULL.
 */
gboolean pv_code_page_can_show (const PvProfile *profile, const PvSymbolTable *symbols);

GtkWidget *pv_code_page_new (PvDocument *document);

/* Asks for a file name and writes a picture of what is shown. */
void pv_code_page_export (PvCodePage *page);
/* The command that prints the same. The function's name lives as long as what the page shows. */
void pv_code_page_describe_command (PvCodePage *page, PvCommand *command);
