/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/view/view.h"

/*
 * Contents of the search bar: the text, how to read it, what it finds, and the list of matches. The
 * document searches while the text changes.
 *
 * Signal "show-function" (guint): the user chose a match.
 */
#define PV_TYPE_SEARCH_ROW (pv_search_row_get_type ())
G_DECLARE_FINAL_TYPE (PvSearchRow, pv_search_row, PV, SEARCH_ROW, PvView)

GtkEditable *pv_search_row_get_entry (PvSearchRow *row);

/* Searches for the text itself; NULL: for what is in the entry. Selects all of it. */
void pv_search_row_start (PvSearchRow *row, const char *text);

/* Ends the search; the entry keeps its text. */
void pv_search_row_stop (PvSearchRow *row);
