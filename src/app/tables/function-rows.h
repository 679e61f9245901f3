/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/tables/sort-keys.h"
#include "app/work/tasks.h"
#include "core/analyze/compare/changes.h"
#include "core/analyze/tables/measure-sums.h"

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

typedef enum {
    PV_FIELD_NAME,
    PV_FIELD_SELF,
    PV_FIELD_TOTAL,
    PV_FIELD_MEDIAN,
    PV_FIELD_CALLS, /* their number: only of callers and callees */
    PV_FIELD_MODULE,
    PV_FIELD_PACKAGE,
    PV_FIELD_PLACE, /* file and line of the declaration */
} PvFunctionField;

/* The part of a change that a column of a comparison shows, for the measure of the tree. */
typedef enum {
    PV_CHANGE_NONE, /* nothing: it is an ordinary column */
    PV_CHANGE_DELTA,
    PV_CHANGE_PERCENT, /* of the base */
    PV_CHANGE_BASE,
    PV_CHANGE_NEW,
} PvChangePart;

/* A column; measure: for PV_FIELD_SELF and PV_FIELD_TOTAL. With a formula it shows the result of
 * that, from the sums of measures, instead of an amount of one. */
typedef struct {
    PvFunctionField field;
    PvMeasureId measure;
    PvFormula *formula; /* or NULL */
    PvChangePart change;
} PvFunctionColumn;

/* One row of a comparison. */
typedef struct {
    uint64_t base, new_;
    gboolean is_noise; /* chance explains it; or nothing changed, and that might be chance too */
} PvChange;

/* With a reference to the formula, for other threads. */
PvFunctionColumn pv_function_column_copy (PvFunctionColumn column);
void pv_function_column_clear (PvFunctionColumn *column);

gboolean pv_function_field_has_words (PvFunctionField field);
/* Unit of the amounts of a column, beside this tree. */
PvUnit pv_function_column_get_unit (PvFunctionColumn column, const PvCallTree *tree);

#define PV_MEASURE_SHOWN (UINT32_MAX - 1) /* the one that the tree was built for */

/* The pair whose net amounts a column shows, beside this tree; NULL: its amounts are not signed. */
const PvPair *pv_function_column_get_pair (PvFunctionColumn column, const PvCallTree *tree);
/* Adds the measures that a column of a measure needs to an array of PvMeasureId that lacks them. */
void pv_function_column_add_measures (PvFunctionColumn column, const PvProfile *profile,
                                      PvMeasureId shown, GArray *measures);
/* The net amount of a row of sums; *ret_whole is the sum of all that was added and all that was
 * taken away. FALSE: the sums lack the sides. */
gboolean pv_pair_get_amount (const PvPair *pair, const PvMeasureSums *sums, gboolean is_self,
                             uint32_t row, int64_t *ret_amount, uint64_t *ret_whole);

/* True if rows have changes: the tree compares profiles, by a measure that both sides have. */
gboolean pv_tree_has_changes (const PvCallTree *tree);
/* A row of changes. is_self: else its total. */
PvChange pv_change_get (const PvChanges *changes, uint32_t row, gboolean is_self);
/* For a reader; g_free () it. */
char *pv_change_format (PvChange change, PvChangePart part, PvUnit unit);
/* For other programs: the percent of a row that is new is empty. g_free () it. */
char *pv_change_make_figure (PvChange change, PvChangePart part);
/* Sort key of a change: deltas by their size, percents from gone to new. */
uint64_t pv_change_order (PvChange change, PvChangePart part);

/* Blocking. NULL when cancelled. */
PvFunctionRows *pv_function_rows_new (PvFunctions *functions, const PvMeasureId *measures,
                                      uint32_t n_measures, PvJob *job);
PvFunctionRows *pv_function_rows_ref (PvFunctionRows *rows);
void pv_function_rows_unref (PvFunctionRows *rows);

/* True if these rows have all the measures. */
gboolean pv_function_rows_have (const PvFunctionRows *rows, const PvMeasureId *measures,
                                uint32_t n_measures);
/* 0 behind the last row. */
PvFunctionId pv_function_rows_get (const PvFunctionRows *rows, uint32_t key);
/* Amount of a row. FALSE if it is not known; net, if the column's measure is signed. *ret_whole is
 * 100 % of its share. */
gboolean pv_function_rows_get_amount (const PvFunctionRows *rows, PvFunctionColumn column,
                                      uint32_t key, int64_t *ret_amount, uint64_t *ret_whole);
/* Change of a row, for a column that shows one. FALSE if it is not known. */
gboolean pv_function_rows_get_change (const PvFunctionRows *rows, PvFunctionColumn column,
                                      uint32_t key, PvChange *ret_change);
/* True if chance explains self and total of a row of a comparison. */
gboolean pv_function_rows_is_noise (const PvFunctionRows *rows, uint32_t key);
/* Value of a row, for a column with a formula; NAN: no value, or not known. */
double pv_function_rows_get_value (const PvFunctionRows *rows, PvFunctionColumn column,
                                   uint32_t key);
/* Text of a row, for a column with words; g_free () it. NULL: no text. */
char *pv_function_rows_make_text (const PvFunctionRows *rows, PvFunctionField field, uint32_t key);
/* UINT64_MAX: unknown. */
uint64_t pv_function_rows_get_median_ms (const PvFunctionRows *rows, uint32_t key);

/* The keys of all rows that match, in order; rows with equal values stay in the order of the list.
 * is_match has one entry per function, or is NULL. hides_noise: without rows that are noise.
 * Blocking; NULL when cancelled. g_free () it. */
uint32_t *pv_function_rows_sort (const PvFunctionRows *rows, PvFunctionColumn column,
                                 gboolean is_descending, const bool *is_match, gboolean hides_noise,
                                 uint32_t *ret_n, PvJob *job);

/* A figure for other programs, plain; is_share: in percent. g_free () it. */
char *pv_make_figure (int64_t amount, uint64_t whole, gboolean is_share);
/* Value of a column's formula for a row of sums. NAN: no value, or the sums lack a measure. */
double pv_function_column_compute (PvFunctionColumn column, const PvMeasureSums *sums,
                                   uint32_t row);
/* A cell of any column for a text; g_free () it. NULL: empty. */
char *pv_function_rows_make_cell (const PvFunctionRows *rows, PvFunctionColumn column,
                                  gboolean is_share, uint32_t key);

/* Text of a field with words; g_free () it. NULL: no text, or nothing is known. */
char *pv_function_make_text (const PvFunction *function, const PvProfile *profile,
                             PvFunctionField field);
/* Sets the sort key of a field with words. Text that the function does not hold goes to texts. */
void pv_function_add_words (PvSortKey *sort, const PvFunction *function, const PvProfile *profile,
                            PvFunctionField field, GStringChunk *texts);
