/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/base/array.h"
#include "core/base/idmap.h"
#include "core/read/legacy/legacy-map.h"
#include "core/read/legacy/legacy-text.h"
#include "core/read/unpack/reader.h"

/*
 * What the readers of the profiles that gperftools, tcmalloc, jemalloc, Go and Java write by
 * themselves share while one is read. Nearly all are text: a header, stacks of addresses with
 * numbers, and then what was mapped where. legacy.c tells them apart.
 */

#define LEGACY_MAX_COLUMNS 4

typedef struct {
    const char *name;
    PvUnit unit;
    const char *unit_name; /* of a count; NULL: none */
    PvAggregation aggregation;
    bool is_optional; /* left out where all is zero */
} LegacyColumn;

typedef struct {
    PvStackId stack;
    PvThreadId thread;
    uint32_t label_set;
    int64_t values[LEGACY_MAX_COLUMNS];
} LegacyRow;

typedef struct {
    const char *path; /* of the file; NULL: unknown */
    PvProfileBuilder *builder;
    const PvReadContext *context;
    LegacyText text;   /* still to be read, without the map at the end */
    const char *start; /* of the file, for progress */
    LegacyMap map;
    PvModuleId unknown_module;
    PvModuleId java_module;
    const char *binary; /* that a symbolized profile names; NULL: none */
    PvIdMap return_locations, exact_locations;
    PvIdMap has_names;    /* locations that were given frames */
    PvIdMap name_of_addr; /* from a section of symbols: in names, from 1 */
    PV_ARRAY (LegacyText) names;
    PV_ARRAY (PvGivenFrame) frames;
    PV_ARRAY (uint64_t) addrs;
    PV_ARRAY (PvLocationId) locations;
    PV_ARRAY (LegacyRow) rows;
    LegacyColumn columns[LEGACY_MAX_COLUMNS];
    uint32_t n_columns;
    uint32_t preferred_column;
    double carries[LEGACY_MAX_COLUMNS];
    uint64_t n_lines;
    uint64_t n_bad_lines;
    bool is_cut; /* the last line of text has no end */
} LegacySession;

/* For a file of these bytes, which must stay as long as the session. path may be NULL. */
void legacy_session_init (LegacySession *session, const void *data, size_t size_bytes,
                          const char *path, PvProfileBuilder *builder,
                          const PvReadContext *context);
void legacy_session_clear (LegacySession *session);

/* Every so many lines: progress and cancelling. False when cancelled. */
bool legacy_session_next_line (LegacySession *session, LegacyText *ret_line);
bool legacy_session_is_cancelled (const LegacySession *session);

/* Of the main program; "" if it is unknown. */
const char *legacy_get_program_name (const LegacySession *session);

/* Sets the error of a file that is damaged at its beginning; false. */
bool legacy_fail (GError **error);
