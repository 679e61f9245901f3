/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "core/base/format.h"

/* An amount and its share, drawn over a bar whose length is the share. As high as its row, which
 * has a text beside it. */
#define PV_TYPE_AMOUNT_CELL (pv_amount_cell_get_type ())
G_DECLARE_FINAL_TYPE (PvAmountCell, pv_amount_cell, PV, AMOUNT_CELL, GtkWidget)

GtkWidget *pv_amount_cell_new (void);
/* One that asks for the room that any amount needs, in the user's size of text: outside of tables.
 */
GtkWidget *pv_amount_cell_new_with_room (void);
/* A total of 0 has no shares. */
void pv_amount_cell_set (PvAmountCell *cell, uint64_t amount, uint64_t total, PvUnit unit);
/* The same of a net amount, with its sign; the bar is as long as its size. */
void pv_amount_cell_set_net (PvAmountCell *cell, int64_t amount, uint64_t total, PvUnit unit);
/* A figure without a share; copied. */
void pv_amount_cell_set_plain (PvAmountCell *cell, const char *text);
void pv_amount_cell_clear (PvAmountCell *cell); /* shows nothing */
/* The shown text, NULL if nothing is shown; borrowed. */
const char *pv_amount_cell_get_text (PvAmountCell *cell);
