/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/read/firefox/firefox-file.h"

typedef struct {
    const char *name;
    int kind;      /* see firefox-tables.c */
    size_t offset; /* of the column in what it is part of */
} FirefoxColumn;

/* Columns of tables, by what the table is taken into. */
extern const FirefoxColumn firefox_columns_of_stacks[], firefox_columns_of_frames[],
    firefox_columns_of_functions[], firefox_columns_of_resources[],
    firefox_columns_of_sources[];                                /* FirefoxTables */
extern const FirefoxColumn firefox_columns_of_samples[];         /* FirefoxSamples */
extern const FirefoxColumn firefox_columns_of_counter_samples[]; /* FirefoxCounterSamples */
extern const FirefoxColumn firefox_columns_of_markers[];         /* FirefoxMarkers */

/*
 * Takes the current value, a table in either format: an object of columns, or one of a "schema",
 * which says where in a row a column is, and "data", the rows. True: it has a schema.
 */
bool firefox_take_table (FirefoxFile *file, const FirefoxColumn *columns, void *table);
