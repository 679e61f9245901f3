/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>
#include <stdint.h>

/*
 * A list of keys, one for each row of a table; the page that owns the model knows what they mean.
 * The items of the GListModel are empty objects, made when a view asks for them: a row is known by
 * its position. Main loop only.
 *
 * GTK makes widgets for some two hundred rows around those on screen. Making or replacing them all
 * in one turn of the main loop takes 50 to 140 ms, and a letter typed into a search has 16. So rows
 * that stay where they are get new keys, which the signal "replaced" announces, and the GListModel
 * gets longer or shorter step by step while the main loop is idle. The signal "filled" says that it
 * has its full length. Meanwhile the key of a row too many is G_MAXUINT32.
 *
 * It also knows which rows are selected, as a GtkSelectionModel: GTK's own makes the item of each
 * selected row, and takes 300 ms to select a million. Selected positions move with their rows;
 * nothing is selected once all rows are replaced.
 */
#define PV_TYPE_ROW_MODEL (pv_row_model_get_type ())
G_DECLARE_FINAL_TYPE (PvRowModel, pv_row_model, PV, ROW_MODEL, GObject)

PvRowModel *pv_row_model_new (void);

/* Replaces n_removed rows at position by copies of n_added keys. Other rows keep their widgets. */
void pv_row_model_splice (PvRowModel *model, uint32_t position, uint32_t n_removed,
                          const uint32_t *keys, uint32_t n_added);
/* Replaces all rows; keys NULL: by 0 .. n_keys - 1. */
void pv_row_model_set (PvRowModel *model, const uint32_t *keys, uint32_t n_keys);
/* Puts the rows in another order: copies the keys, which must be the same. Selected rows stay so;
 * of more than 16,384 that are not all of them, the one that leads. */
void pv_row_model_reorder (PvRowModel *model, const uint32_t *keys, uint32_t n_keys);

/* Changes between the two are announced together, as a replacement of all rows. */
void pv_row_model_freeze (PvRowModel *model);
void pv_row_model_thaw (PvRowModel *model);

/* All rows, also those that the GListModel does not have yet. */
uint32_t pv_row_model_get_n_rows (PvRowModel *model);
/* G_MAXUINT32 behind the last row. */
uint32_t pv_row_model_get_key (PvRowModel *model, uint32_t position);
/* The row that was selected last, on its own or as the first of several, and still is; or
 * GTK_INVALID_LIST_POSITION. */
uint32_t pv_row_model_get_selected (PvRowModel *model);
/* The selected rows, borrowed until the next change. */
GtkBitset *pv_row_model_get_all_selected (PvRowModel *model);

/* All keys, borrowed until the next change. */
const uint32_t *pv_row_model_get_keys (PvRowModel *model);
/* The position of a key, or G_MAXUINT32: a linear search. */
uint32_t pv_row_model_find (PvRowModel *model, uint32_t key);
