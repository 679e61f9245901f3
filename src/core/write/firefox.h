/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/base/output.h"
#include "core/model/profile/profile.h"
#include "core/model/profile/symbols.h"

/*
 * Profiles of the Firefox Profiler in its processed format, version 61: newer ones are upgraded
 * from it. First come the threads, each with columns of its samples, then the tables that all of
 * them share, and counters, but for levels that do not count from where the recording began, which
 * the format has none of. Writes as it is told; only keeps functions and strings. Not thread-safe.
 */
typedef struct PvFirefoxWriter PvFirefoxWriter;

typedef struct {
    const PvProfile *profile;
    const PvSymbolTable *symbols;
    const char *name;       /* of it all */
    const char *measure;    /* what samples weigh */
    PvUnit unit;            /* of it */
    bool has_times;         /* else those of samples only give them an order */
    uint64_t interval_ns;   /* about how far samples are apart; 0: unknown */
    uint32_t active_thread; /* the number of the one that is shown first */
    bool is_packed;         /* with gzip */
} PvFirefoxHeader;

/* The kinds of code that frames are of, as colored by the Firefox Profiler. */
typedef enum {
    PV_FIREFOX_OTHER,
    PV_FIREFOX_USER,
    PV_FIREFOX_KERNEL,
} PvFirefoxCategory;

/* Borrows profile, symbols and out, which reports errors. */
PvFirefoxWriter *pv_firefox_writer_new (const PvFirefoxHeader *header, PvWriter *out);
void pv_firefox_writer_free (PvFirefoxWriter *writer);

/* Begins the next thread, 0 first, and the columns of its samples. */
void pv_firefox_writer_begin_thread (PvFirefoxWriter *writer, PvThreadId thread);
void pv_firefox_writer_end_thread (PvFirefoxWriter *writer, uint64_t n_samples);
/* Ends the threads; tables follow. */
void pv_firefox_writer_end_threads (PvFirefoxWriter *writer);

void pv_firefox_writer_begin_table (PvFirefoxWriter *writer, const char *name);
void pv_firefox_writer_end_table (PvFirefoxWriter *writer, uint64_t n_rows);

void pv_firefox_writer_begin_column (PvFirefoxWriter *writer, const char *name);
void pv_firefox_writer_end_column (PvFirefoxWriter *writer);
void pv_firefox_writer_add_number (PvFirefoxWriter *writer, int64_t number);
/* Nanoseconds as milliseconds. */
void pv_firefox_writer_add_ns (PvFirefoxWriter *writer, int64_t ns);
void pv_firefox_writer_add_null (PvFirefoxWriter *writer);
/* A column in which all rows have the same, given as JSON. */
void pv_firefox_writer_add_column (PvFirefoxWriter *writer, const char *name, const char *value,
                                   uint64_t n_rows);

/* The number, 0 first, of a function with code of this file, which may be NULL. */
uint32_t pv_firefox_writer_get_function (PvFirefoxWriter *writer, PvFunctionId function,
                                         const char *file);

/* Writes the tables of functions and strings; after this the writer can only be freed. */
void pv_firefox_writer_finish (PvFirefoxWriter *writer);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvFirefoxWriter, pv_firefox_writer_free)
