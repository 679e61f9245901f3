#pragma once

#include <gio/gio.h>
#include <stdint.h>

/*
 * A list of rows that are only numbers: what a key means is known to the page that owns the model.
 * Objects exist for the rows that a view asks for, that is for those on screen.
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

uint32_t pv_row_model_get_key (PvRowModel *model, uint32_t position);
/* The position of a key, or G_MAXUINT32: a linear search. */
uint32_t pv_row_model_find (PvRowModel *model, uint32_t key);
