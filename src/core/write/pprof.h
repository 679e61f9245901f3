/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/base/output.h"
#include "core/model/profile/profile.h"
#include "core/model/profile/symbols.h"

/*
 * Profiles in pprof's format: profile.proto of google/pprof, compressed with gzip. The writer
 * writes each sample at once and only keeps a row for each location, function and string. Equal
 * input gives equal bytes. Not thread-safe.
 *
 * Addresses: adds the module's load address to file offsets, with a mapping of the whole file;
 * writes run-time addresses unchanged, and link addresses with a mapping without a start, as pprof
 * marks them. Writes a return address as the address inside the call that is looked up.
 *
 * Omits functions without a name, so that other tools can still look for one. The location has its
 * address and its module.
 */
typedef struct PvPprofWriter PvPprofWriter;

/* A sample type: one value of every sample. Strings are copied. */
typedef struct {
    const char *name; /* "cpu" */
    const char *unit; /* "nanoseconds", "bytes", "count" */
} PvPprofColumn;

typedef struct {
    const PvProfile *profile;
    const PvSymbolTable *symbols;
    const PvPprofColumn *columns;
    uint32_t n_columns;
    uint32_t default_column;
    uint64_t duration_ns; /* 0: unknown */
    bool has_dropped;     /* drop_frames and keep_frames were applied: do not write them */
} PvPprofHeader;

/* Borrows profile, symbols and out, which reports errors. */
PvPprofWriter *pv_pprof_writer_new (const PvPprofHeader *header, PvWriter *out);
void pv_pprof_writer_free (PvPprofWriter *writer);

/* The id, starting at 1, of a location with these frames, innermost first: all or part of its
 * chain. location 0: no address, in the module of its frames. */
uint32_t pv_pprof_writer_location (PvPprofWriter *writer, PvLocationId location,
                                   const PvFrame *frames, uint32_t n_frames);

/* locations are ids as above, leaf first; values has one per column. The thread becomes labels
 * "thread", "tid", "process" and "pid", except for keys that the labels already have. False once
 * writing has failed. */
bool pv_pprof_writer_add_sample (PvPprofWriter *writer, const uint64_t *locations,
                                 uint32_t n_locations, const int64_t *values, PvThreadId thread,
                                 uint32_t label_set);

/* Writes the tables; after this the writer can only be freed. */
void pv_pprof_writer_finish (PvPprofWriter *writer);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvPprofWriter, pv_pprof_writer_free)
