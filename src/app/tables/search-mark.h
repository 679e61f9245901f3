/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "app/document/document.h"

/* Shows, or shows no longer, that what stands for a function matches the search. Main loop only. */
void pv_search_mark (GtkWidget *widget, PvDocument *document, PvFunctionId function);
