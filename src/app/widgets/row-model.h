/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>
#include <stdint.h>

/*
 * A list of rows that are only numbers: what a key means is known to the page that owns the model.
 * Objects exist for the rows that a view asks for, that is for those on screen.
 *
 * GTK makes widgets for some two hundred rows around the one it looks at, and making all at once,
 * or freeing them, would hold the main loop for several frames; and it makes all anew when it is
 * told that the rows are others. So nobody is told that: rows that stay where they are get new
 * keys, the signal "replaced" says so (pv_columns_set_model () heeds it), and then the list gets
 * longer or shorter, a few rows whenever the main loop is idle. Meanwhile the list as a GListModel
 * has not as many rows as here; the key of one too many is G_MAXUINT32. The signal "filled" says
 * that it has.
 */
#define PV_TYPE_ROW (pv_row_get_type ())
G_DECLARE_FINAL_TYPE (PvRow, pv_row, PV, ROW, GObject)

uint32_t pv_row_get_key (PvRow *row);

#define PV_TYPE_ROW_MODEL (pv_row_model_get_type ())
G_DECLARE_FINAL_TYPE (PvRowModel, pv_row_model, PV, ROW_MODEL, GObject)

PvRowModel *pv_row_model_new (void);

/* Replaces n_removed rows at position by copies of keys. */
void pv_row_model_splice (PvRowModel *model, uint32_t position, uint32_t n_removed,
                          const uint32_t *keys, uint32_t n_added);
/* Replaces all rows; keys NULL: by 0 .. n_keys - 1. */
void pv_row_model_set (PvRowModel *model, const uint32_t *keys, uint32_t n_keys);

/* The view is told of nothing that happens between the two, and then that all rows are new, if any
 * is. */
void pv_row_model_freeze (PvRowModel *model);
void pv_row_model_thaw (PvRowModel *model);

/* All rows, those too that the view does not know yet. */
uint32_t pv_row_model_get_n_rows (PvRowModel *model);

/* Gives a row object that GTK holds the key that now is at its position. */
void pv_row_model_update_row (PvRowModel *model, PvRow *row, uint32_t position);

/* G_MAXUINT32 at the end of a list that is getting shorter. */
uint32_t pv_row_model_get_key (PvRowModel *model, uint32_t position);
/* The position of a key, or G_MAXUINT32: a linear search. */
uint32_t pv_row_model_find (PvRowModel *model, uint32_t key);
