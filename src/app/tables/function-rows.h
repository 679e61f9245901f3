/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/work/tasks.h"
#include "core/analyze/columns/column.h"

/*
 * The functions of the list with all that it can show of each, in any order: the rows of a
 * PvFunctions, then the functions that only other measures have. Rows are known by their keys.
 * Immutable and reference counted; any thread.
 */
typedef struct {
    int ref_count; /* atomic */
    PvFunctions *functions;
    PvMeasureSums *sums; /* of other measures; NULL: none */
    PvChanges *changes;  /* of a comparison, by function; NULL: none, or not summed */
    uint32_t n_rows;
    PvFunctionId *added; /* the functions of keys from functions->list->n_rows on */
} PvFunctionRows;

/* Blocking. NULL when cancelled. */
PvFunctionRows *pv_function_rows_new (PvFunctions *functions, const PvMeasureId *measures,
                                      uint32_t n_measures, PvJob *job);
PvFunctionRows *pv_function_rows_ref (PvFunctionRows *rows);
void pv_function_rows_unref (PvFunctionRows *rows);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvFunctionRows, pv_function_rows_unref)

/* True if these rows have all the measures. */
gboolean pv_function_rows_have (const PvFunctionRows *rows, const PvMeasureId *measures,
                                uint32_t n_measures);
/* 0 behind the last row. */
PvFunctionId pv_function_rows_get (const PvFunctionRows *rows, uint32_t key);
/* A PvGetRowFunc. */
bool pv_function_rows_get_row (gconstpointer rows, uint32_t key, PvRow *ret_row);
/* True if chance explains self and total of a row of a comparison. */
gboolean pv_function_rows_is_noise (const PvFunctionRows *rows, uint32_t key);

/* The keys of all rows that match, in order; rows with equal values stay in the order of the list.
 * is_match has one entry per function, or is NULL. hides_noise: without rows that are noise.
 * Blocking; NULL when cancelled. g_free () it. */
uint32_t *pv_function_rows_sort (const PvFunctionRows *rows, const PvColumn *column,
                                 gboolean is_descending, const bool *is_match, gboolean hides_noise,
                                 uint32_t *ret_n, PvJob *job);
