/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "core/base/format.h"

/* A share of a whole: amount and percentage over a bar of that length. */
#define PV_TYPE_AMOUNT_CELL (pv_amount_cell_get_type ())
G_DECLARE_FINAL_TYPE (PvAmountCell, pv_amount_cell, PV, AMOUNT_CELL, GtkWidget)

GtkWidget *pv_amount_cell_new (void);
void pv_amount_cell_set (PvAmountCell *cell, uint64_t amount, uint64_t whole, PvUnit unit);
/* A figure that is no share of anything. */
void pv_amount_cell_set_plain (PvAmountCell *cell, const char *text);
void pv_amount_cell_clear (PvAmountCell *cell); /* shows nothing */
/* All figures, as they are shown. NULL where there are none. */
const char *pv_amount_cell_get_text (PvAmountCell *cell);
