/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "app/document/document.h"

/* Fills a section with the sets of filters that the user saved, and with what saves and deletes
 * them; it follows the settings. The actions are in the group "saved" of the widget. */
void pv_saved_filters_menu_install (GtkWidget *widget, GMenu *section, PvDocument *document);
