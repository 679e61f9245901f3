/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/base/format.h"

/*
 * Tables for people (aligned text; on a terminal, long names are shortened), for scripts
 * (tsv: tab-separated with a header line; tabs, newlines and backslashes in cells escaped), for
 * spreadsheets (csv: the same cells with commas between them, in quotes where that is needed) and
 * for programs (json: an array of objects).
 */
typedef enum {
    PV_FORMAT_TEXT,
    PV_FORMAT_TSV,
    PV_FORMAT_CSV,
    PV_FORMAT_JSON,
} PvFormat;

/* True if the format has cells in lines: tsv or csv. */
bool pv_format_has_cells (PvFormat format);
/* Appends a cell of one of these, and what separates it from the one before. */
void pv_format_append_cell (PvFormat format, GString *out, bool is_first, const char *text);

typedef enum {
    PV_CELL_TEXT,    /* left-aligned in text */
    PV_CELL_NUMBER,  /* a plain integer in tsv and json */
    PV_CELL_AMOUNT,  /* the same, but in the column's unit in text */
    PV_CELL_LINE,    /* a number; 0 is an empty cell, null in json */
    PV_CELL_TIME,    /* milliseconds; UINT64_MAX is an empty cell, null in json */
    PV_CELL_FIGURE,  /* a number written as text, right-aligned; NULL is an empty cell */
    PV_CELL_PERCENT, /* of the column's whole; only in text: scripts can divide */
} PvCellKind;

typedef struct {
    const char *id;    /* name in tsv and json; NULL in a streamed table: only text has it */
    const char *title; /* heading in text, translated; NULL in a streamed table: text lacks it */
    PvCellKind kind;
    PvUnit unit;    /* of an amount */
    uint64_t whole; /* 100 % */
} PvTableColumn;

/*
 * Buffered output: hands text on whenever there is enough of it, so that long output is never in
 * memory as a whole.
 */
typedef struct {
    GString *text; /* not yet handed on */
    /* Consumes the text and empties it. NULL: keep everything in text. */
    void (*hand_on) (GString *text, void *user);
    void *user;
} PvTextSink;

/* Rows are added cell by cell in the order of the columns. Not thread-safe. */
typedef struct PvTable PvTable;

/* Columns are copied, their strings borrowed. */
PvTable *pv_table_new (const PvTableColumn *columns, unsigned n_columns);
void pv_table_free (PvTable *table);

/* Starts streaming a table that has no cells yet. Writes tsv and json row by row as rows are added,
 * text in pv_table_end (). The sink must live until then. */
void pv_table_begin (PvTable *table, PvFormat format, const PvTextSink *sink);
/* Call after the last row of a streamed table. */
void pv_table_end (PvTable *table);

/* Adds a text or a figure. NULL is an empty cell: "" in text and tsv, null in json. Strings are
 * copied. */
void pv_table_add_text (PvTable *table, const char *text);
/* A name with a shorter label, which replaces it in text that would be too wide. */
void pv_table_add_name (PvTable *table, const char *name, const char *label);
void pv_table_add_number (PvTable *table, uint64_t number);

uint32_t pv_table_get_n_rows (const PvTable *table);

/* For text that has to fit a terminal: shortens names, to their labels or in the middle, until
 * lines take at most this many columns, if that leaves a readable part. 0, the default: names are
 * whole. */
void pv_table_set_max_width (PvTable *table, unsigned max_width);

/* Appends a whole table that is not streamed; json ends with a newline like the others. */
void pv_table_append (const PvTable *table, PvFormat format, GString *out);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvTable, pv_table_free)
