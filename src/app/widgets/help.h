/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "core/base/help-page.h"

/* The user's help. Main loop only. */

/* Opens a page of the help, as PV_HELP () marks it, or its first page if page is NULL: in the
 * desktop's help viewer, or else as a page of HTML in the browser. Finds in a worker what there is.
 * If nothing can open it, a message above the widget's window says where it is. */
void pv_help_show (GtkWidget *widget, const char *page);

/* F1 opens this page, a static text, in a dialog: keys of the application do not work there. */
void pv_help_add_key (GtkWidget *dialog, const char *page);

/* A small “?” that opens the page of the property "page". In .ui files its name for readers of the
 * screen is set there: “Help on noise”. */
#define PV_TYPE_HELP_BUTTON (pv_help_button_get_type ())
G_DECLARE_FINAL_TYPE (PvHelpButton, pv_help_button, PV, HELP_BUTTON, GtkButton)

/* Texts are copied. name: for readers of the screen. */
GtkWidget *pv_help_button_new (const char *page, const char *name);
void pv_help_button_set_page (PvHelpButton *button, const char *page);
