/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "app/document/document.h"

/* Marks or unmarks the widget of a function as a match of the search. Main loop only. */
void pv_search_mark (GtkWidget *widget, PvDocument *document, PvFunctionId function);
