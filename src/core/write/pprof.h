/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "core/model/profile/profile.h"
#include "core/model/profile/symbols.h"

/*
 * Profiles in pprof's format: profile.proto of google/pprof, packed with gzip. The writer is given
 * samples one by one and writes each at once; what it keeps is a row for each location, function
 * and string. Equal input gives equal bytes. Not thread-safe.
 *
 * Addresses: those of a module whose addresses are offsets in its file count from where it was
 * mapped, with a mapping of the whole file; run-time addresses are written as they are, and link
 * addresses below a mapping without a start, which is pprof's word for them. A return address is
 * written as the address inside the call that it is looked up at.
 *
 * A function without a name is left out, so that others can still look for one. Its location has
 * its address and its module.
 */
typedef struct PvPprofWriter PvPprofWriter;

/* One value of every sample. Strings are copied. */
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
    bool has_dropped;     /* drop_frames and keep_frames were followed: they are not passed on */
} PvPprofHeader;

/* profile, symbols and the file are borrowed. */
PvPprofWriter *pv_pprof_writer_new (const PvPprofHeader *header, FILE *file);
void pv_pprof_writer_free (PvPprofWriter *writer);

/* The number, from 1 on, of a location with these frames, innermost first: all of its chain or some
 * of it. location 0: no address, in the module of its frames. */
uint32_t pv_pprof_writer_location (PvPprofWriter *writer, PvLocationId location,
                                   const PvFrame *frames, uint32_t n_frames);

/* locations are numbers as above, leaf first; values one for each column. The thread becomes labels
 * "thread", "tid", "process" and "pid", unless the labels have such keys themselves. False once
 * writing has failed: pv_pprof_writer_finish () says how. */
bool pv_pprof_writer_add_sample (PvPprofWriter *writer, const uint64_t *locations,
                                 uint32_t n_locations, const int64_t *values, PvThreadId thread,
                                 uint32_t label_set);

/* Writes the tables, after which the writer can only be freed. False with a G_FILE_ERROR. */
bool pv_pprof_writer_finish (PvPprofWriter *writer, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvPprofWriter, pv_pprof_writer_free)
