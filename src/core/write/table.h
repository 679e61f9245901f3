/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/base/format.h"

/*
 * Tables for people (aligned text, over-long names as labels or without their middle), for scripts
 * (tsv: tab separated with a header line, tabs, newlines and backslashes in cells escaped) and for
 * programs (json: an array of objects).
 */
typedef enum {
    PV_FORMAT_TEXT,
    PV_FORMAT_TSV,
    PV_FORMAT_JSON,
} PvFormat;

typedef enum {
    PV_CELL_TEXT,    /* in text to the left */
    PV_CELL_NUMBER,  /* in tsv and json a plain integer */
    PV_CELL_AMOUNT,  /* the same, for people in the column's unit */
    PV_CELL_LINE,    /* a number, of which 0 is an empty cell, null in json */
    PV_CELL_TIME,    /* milliseconds; UINT64_MAX is an empty cell, null in json */
    PV_CELL_PERCENT, /* of the column's whole; only for people: scripts can divide */
} PvCellKind;

typedef struct {
    const char *id;    /* name in tsv and json */
    const char *title; /* heading in text, translated */
    PvCellKind kind;
    PvUnit unit;    /* of an amount */
    uint64_t whole; /* 100 % */
} PvTableColumn;

/*
 * Text on its way out: whenever there is a good deal of it, it is handed on, so that what is long
 * never is in memory as a whole.
 */
typedef struct {
    GString *text; /* what was not handed on yet */
    /* Takes the text and empties it. NULL: it all stays where it is. */
    void (*hand_on) (GString *text, void *user);
    void *user;
} PvTextSink;

/* Rows are added cell by cell in the order of the columns. Not thread-safe. */
typedef struct PvTable PvTable;

/* Columns are copied, their strings borrowed. */
PvTable *pv_table_new (const PvTableColumn *columns, unsigned n_columns);
void pv_table_free (PvTable *table);

/* For a table without cells: what it is going to be. tsv and json go out row by row as they are
 * added, text when all are there. The sink must live until pv_table_end (). */
void pv_table_begin (PvTable *table, PvFormat format, const PvTextSink *sink);
/* After the last row of a table that was begun. */
void pv_table_end (PvTable *table);

/* NULL is an empty cell: "" in text and tsv, null in json. Strings are copied. */
void pv_table_add_text (PvTable *table, const char *text);
/* A text with a shorter one for people, in text that is too wide otherwise. */
void pv_table_add_name (PvTable *table, const char *name, const char *label);
void pv_table_add_number (PvTable *table, uint64_t number);

uint32_t pv_table_get_n_rows (const PvTable *table);

/* For text that has to fit a terminal: names are cut until a line takes this many columns, if that
 * leaves something of them. 0, as at first: no limit. */
void pv_table_set_max_width (PvTable *table, unsigned max_width);

/* The whole of a table that was not begun; json ends with a newline as the others do. */
void pv_table_append (const PvTable *table, PvFormat format, GString *out);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvTable, pv_table_free)
