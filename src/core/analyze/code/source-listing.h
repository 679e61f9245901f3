/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/code/cost-columns.h"
#include "core/base/array.h"
#include "core/model/code/source-text.h"

/*
 * Functions as a picture shows them: the lines that cost something, with some around them, and how
 * many are left out between. Bounded: of functions with too many lines the hottest are there. The
 * tree, the costs and what they borrow must outlive it. One thread at a time.
 */
typedef struct {
    uint32_t line;        /* 0: none, or unknown */
    uint32_t n_left_out;  /* lines that are not shown here; such a row has nothing else ... */
    uint32_t n_with_cost; /* ... and of these, how many cost something */
    uint32_t rank;        /* 1 to PV_SOURCE_RANKS: the hottest of its function; 0: another */
    char *text;           /* without control characters; NULL: the source is unknown */
    const PvCost *costs;  /* NULL: none */
} PvListedRow;

enum { PV_SOURCE_RANKS = 3 };

/* Lines of a function in one file. */
typedef struct {
    const PvFunctionLines *function; /* the next one has the same: another file of it */
    char *heading;                   /* of the file; NULL: none */
    uint32_t n_rows;
    uint64_t max_total; /* of a line of the function in the first measure, or change */
} PvListedFile;

typedef struct {
    const PvCallTree *tree;
    const PvCostColumns *columns;
    uint32_t n_functions;     /* that are shown */
    uint32_t n_all_functions; /* shown or not */
    PV_ARRAY (PvListedFile) files;
    PV_ARRAY (PvListedRow) rows; /* of all files, one after the other */
} PvSourceListing;

/* Finds the text of a file, and the heading above its lines (sets *ret_heading, to be freed). NULL:
 * not found. The text is used until the next call. file may be NULL: unknown. */
typedef const PvSourceText *(*PvListedSourceFunc) (void *user, const PvFunctionLines *function,
                                                   const char *file, char **ret_heading);

/* Lists the first functions, no more than n_functions, in about max_rows rows. only_file: the one
 * file that is shown; NULL: all. Free it with pv_source_listing_free (). */
PvSourceListing *pv_source_listing_new (const PvCallTree *tree, const PvLineCosts *costs,
                                        const PvCostColumns *columns, uint32_t n_functions,
                                        const char *only_file, uint32_t max_rows,
                                        PvListedSourceFunc find, void *user);
void pv_source_listing_free (PvSourceListing *listing);

/* The text, for the user, of a row that stands for left-out lines: "… 120 lines without cost".
 * g_free () it. */
char *pv_source_listing_describe_gap (const PvListedRow *row);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvSourceListing, pv_source_listing_free)
