/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/columns/value.h"
#include "core/analyze/compare/changes.h"
#include "core/analyze/tables/known-totals.h"
#include "core/analyze/tables/measure-sums.h"

/*
 * The columns of tables of functions, nodes, callers and lines, in the window and in reports. A
 * table says with a PvRow all that it knows of one of its rows; pv_column_get () makes the value of
 * any column of that. A new column is a kind with its row in column_kinds, and its row in
 * pv_columns (column.c). Any thread.
 */
typedef enum {
    PV_COLUMN_NAME,
    PV_COLUMN_SELF,
    PV_COLUMN_TOTAL,
    PV_COLUMN_CALLS, /* how often the call was made: in tables of callers and callees */
    PV_COLUMN_MEDIAN,
    PV_COLUMN_MODULE,
    PV_COLUMN_PACKAGE,
    PV_COLUMN_PLACE, /* file and line of the declaration */
    PV_COLUMN_FILE,  /* the same, or those of the row's frame: the whole path ... */
    PV_COLUMN_LINE,  /* ... and the line */
    PV_COLUMN_ADDRESS,
    PV_COLUMN_GROUP,
    PV_COLUMN_NOISE,
    PV_COLUMN_DEPTH,
    PV_COLUMN_FORMER, /* the name in the base of a comparison, if it is another one */
    PV_COLUMN_NOW_IN, /* function of which it is now a part: inlined, or moved there */
    PV_COLUMN_WAS_IN, /* function of which it was a part in the base */
    PV_N_COLUMNS,
    /* Not values of rows, but a report's own: texts and numbers that come with a row, in order, and
     * the place of columns beside the amounts. */
    PV_COLUMN_WORDS = PV_N_COLUMNS,
    PV_COLUMN_NUMBER,
    PV_COLUMN_EXTRAS,
} PvColumnKind;

#define PV_MEASURE_SHOWN (UINT32_MAX - 1) /* the one that the tree was built for */

/* show, measure and formula are those of PV_COLUMN_SELF and PV_COLUMN_TOTAL. With a formula the
 * column shows its result, from the sums of measures, instead of an amount of one. */
typedef struct {
    PvColumnKind kind;
    PvShow show;
    PvMeasureId measure;
    PvFormula *formula; /* or NULL */
} PvColumn;

/* Columns of the measure that the query shows. */
#define PV_SELF(show)                                                                              \
    {                                                                                              \
        PV_COLUMN_SELF, show, PV_MEASURE_SHOWN, NULL                                               \
    }
#define PV_TOTAL(show)                                                                             \
    {                                                                                              \
        PV_COLUMN_TOTAL, show, PV_MEASURE_SHOWN, NULL                                              \
    }

/* All that a table knows of one of its rows; initialise with pv_row_init (). Everything is
 * borrowed. */
typedef struct {
    const PvProfile *profile;
    const PvSymbolTable *symbols;
    const PvQuery *query;
    const PvCallTree *tree;   /* NULL: there is none */
    PvFunctionId function;    /* 0: none */
    const char *label, *name; /* of a node; NULL: those of the function */
    const PvFrame *frame;     /* its file and line are the row's; NULL: those of the function */
    PvLocationId location;
    const char *module;        /* NULL: that of the function */
    const char *group;         /* or NULL */
    uint32_t depth;            /* in a tree */
    uint32_t n_folded;         /* not 0: the row stands for several, whose own cost is not known */
    uint64_t self;             /* by the tree's measure, as total and whole */
    uint64_t total;            /* ... */
    uint64_t whole;            /* 100 % */
    uint64_t n_calls;          /* PV_AMOUNT_UNKNOWN: not known */
    uint64_t median_ms;        /* of lifetimes; UINT64_MAX: not known */
    uint32_t sums_row;         /* of the sums */
    uint32_t change_row;       /* of the changes */
    const PvMeasureSums *sums; /* of other measures; NULL: none */
    const PvChanges *changes;  /* of a signed measure; NULL: its own, or none */
    bool has_own_changes;
    PvChange self_change, total_change;
} PvRow;

void pv_row_init (PvRow *row, const PvProfile *profile, const PvSymbolTable *symbols,
                  const PvQuery *query, PvFunctionId function);
/* The same for a row of that tree, whose total is 100 %. */
void pv_row_init_from_tree (PvRow *row, const PvCallTree *tree, PvFunctionId function);
/* True if chance explains self and total of the row of a comparison. */
bool pv_row_is_noise (const PvRow *row);

PvValue pv_column_get (const PvColumn *column, const PvRow *row);

/* With a reference to the formula, for other threads. */
PvColumn pv_column_copy (const PvColumn *column);
void pv_column_clear (PvColumn *column);
bool pv_column_is_same (const PvColumn *a, const PvColumn *b);

bool pv_column_has_words (const PvColumn *column);
/* True if it shows self or total. */
bool pv_column_is_amount (const PvColumn *column);
/* True if its values come from sums of other measures, or from changes. */
bool pv_column_needs_sums (const PvColumn *column, const PvCallTree *tree);
/* True if a tree by that query has something to show there. */
bool pv_column_is_there (const PvColumn *column, const PvProfile *profile, const PvQuery *query);
/* The pair whose difference a column shows where that measure is shown; NULL: its amounts are not
 * signed. */
const PvPair *pv_column_get_pair (const PvColumn *column, const PvProfile *profile,
                                  PvMeasureId shown);
/* Adds the measures that a column needs beside a tree by the measure shown to an array of
 * PvMeasureId that lacks them. */
void pv_column_add_measures (const PvColumn *column, const PvProfile *profile, PvMeasureId shown,
                             GArray *measures);

/* True if rows have changes: the tree compares profiles, by a measure that both sides have. */
bool pv_tree_has_changes (const PvCallTree *tree);
/* A row of changes. is_self: else its total. */
PvChange pv_change_get (const PvChanges *changes, uint32_t row, bool is_self);

/* Kinds of tables. */
typedef enum {
    PV_TABLE_FUNCTIONS,
    PV_TABLE_TREE,
    PV_TABLE_CALLERS,
    PV_N_TABLES,
} PvTableKind;

/* A column that tables have. Reports print the extra ones that are there beside the amounts. */
typedef struct {
    PvColumn column;
    const char *id;                 /* in the settings; of extra ones, in TSV and JSON too */
    const char *title;              /* to be translated */
    uint16_t width_px[PV_N_TABLES]; /* 0: that table does not have it */
    uint8_t chosen;                 /* 1 << PvTableKind: shown unless the user has decided */
    const char *report_title;       /* of extra ones, to be translated; else NULL */
} PvColumnSpec;

extern const PvColumnSpec pv_columns[];
extern const unsigned pv_n_columns;

/* The columns of a table in their order, PvColumnSpec pointers; g_ptr_array_unref () it. */
GPtrArray *pv_columns_list (PvTableKind table);

/* Says all that a table knows of the row with that key. False: there is no such row, and the value
 * is not set. */
typedef bool (*PvGetRowFunc) (gconstpointer rows, uint32_t key, PvRow *ret_row);

/* Sorts n keys by a column, up or down; rows with equal values stand in the order of their keys.
 * Blocking. */
void pv_column_sort (const PvColumn *column, bool is_descending, PvGetRowFunc get_row,
                     gconstpointer rows, uint32_t *keys, uint32_t n);
