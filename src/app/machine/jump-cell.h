/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "app/machine/machine-rows.h"

/* A row's part of the jumps that pass, begin or end there; loops have a color. Main loop only. */
#define PV_TYPE_JUMP_CELL (pv_jump_cell_get_type ())
G_DECLARE_FINAL_TYPE (PvJumpCell, pv_jump_cell, PV, JUMP_CELL, GtkWidget)

GtkWidget *pv_jump_cell_new (void);
/* Copies the row; NULL: nothing. */
void pv_jump_cell_set (PvJumpCell *cell, const PvMachineRow *row);
