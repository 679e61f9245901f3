/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

/*
 * One line of text in a row of a table or list, cut in the middle where there is no room. GTK keeps
 * some two hundred rows of a table of which a few dozen are seen; a GtkLabel shapes its text to
 * know its size, this only to draw it. Its size is that of the font, whatever the text.
 */
#define PV_TYPE_TEXT_CELL (pv_text_cell_get_type ())
G_DECLARE_FINAL_TYPE (PvTextCell, pv_text_cell, PV, TEXT_CELL, GtkWidget)

/* It takes the room it gets, but not less than about so many characters. */
GtkWidget *pv_text_cell_new (int width_chars);
void pv_text_cell_set_text (PvTextCell *cell, const char *text); /* UTF-8; copied */
const char *pv_text_cell_get_text (PvTextCell *cell);
/* For a column at the end of rows: digits of one width, and room for the text, whatever it is, up
 * to max_chars. */
void pv_text_cell_set_at_end (PvTextCell *cell, int max_chars);
/* Whether a part of the text, as it was drawn last, is not seen. */
gboolean pv_text_cell_is_cut (PvTextCell *cell);

/* For other widgets that draw text of their own. In pixels, of the widget's font. */
void pv_text_get_font_size (GtkWidget *widget, int *ret_char_width, int *ret_line_height);
