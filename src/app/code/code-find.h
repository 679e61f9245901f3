/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtksourceview/gtksource.h>

/* The bar that finds text in a source view, forward or backward, and counts the matches. Hidden
 * until it is opened. Main loop only. */
#define PV_TYPE_CODE_FIND (pv_code_find_get_type ())
G_DECLARE_FINAL_TYPE (PvCodeFind, pv_code_find, PV, CODE_FIND, GtkWidget)

void pv_code_find_set_view (PvCodeFind *find, GtkSourceView *view);
/* Opens the bar, with the selected text if there is some in one line. */
void pv_code_find_start (PvCodeFind *find);
