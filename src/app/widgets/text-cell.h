/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

typedef enum {
    PV_CUT_MIDDLE,
    PV_CUT_START, /* of paths */
    PV_CUT_PARTS, /* leaves out the last of the parts that commas divide: of figures */
} PvCut;

/* One line of text in a table, a list or a bar, cut in the middle where there is no room. */
#define PV_TYPE_TEXT_CELL (pv_text_cell_get_type ())
G_DECLARE_FINAL_TYPE (PvTextCell, pv_text_cell, PV, TEXT_CELL, GtkWidget)

/* Never narrower than about so many characters. */
GtkWidget *pv_text_cell_new (int min_chars);
void pv_text_cell_set_min_chars (PvTextCell *cell, int min_chars);
/* The cell asks for the width of its text, up to about so many characters; 0, the default: it asks
 * for no more than the minimum. */
void pv_text_cell_set_max_chars (PvTextCell *cell, int max_chars);
/* 0 to 1; 0, the default, is where lines start. */
void pv_text_cell_set_xalign (PvTextCell *cell, float xalign);

/* The middle is the default. */
void pv_text_cell_set_cut (PvTextCell *cell, PvCut cut);

/* NULL shows nothing. Copied. */
void pv_text_cell_set_text (PvTextCell *cell, const char *text);
/* The whole text, or NULL; borrowed. */
const char *pv_text_cell_get_text (PvTextCell *cell);
/* The whole text is shown as a tool tip where it is cut. */
void pv_text_cell_show_cut_text (PvTextCell *cell);
