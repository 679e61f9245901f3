/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/base/array.h"
#include "core/base/idmap.h"
#include "core/read/legacy/legacy-map.h"
#include "core/read/legacy/legacy-text.h"
#include "core/read/unpack/reader.h"

/*
 * The state shared by the readers of profiles that gperftools, tcmalloc, jemalloc, Go and Java
 * write themselves. Nearly all are text: a header, stacks of addresses with numbers, then the
 * mappings. legacy.c recognizes the format.
 */

#define LEGACY_MAX_COLUMNS   4
#define LEGACY_MAX_ODD_LINES 16

typedef struct {
    const char *name;
    PvUnit unit;
    const char *unit_name; /* of a count; NULL: none */
    PvAggregation aggregation;
    bool is_optional; /* omitted if all values are zero */
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
    PvText text;       /* the rest to read, without the map at the end */
    const char *start; /* of the file, for progress */
    size_t text_bytes; /* of the whole file */
    LegacyMap map;
    PvModuleId unknown_module;
    PvModuleId java_module;
    const char *binary; /* named by a symbolized profile; NULL: none */
    PvIdMap return_locations, exact_locations;
    PvIdMap has_names;             /* locations with given frames */
    PvIdMap unmapped;              /* locations at addresses without a file */
    uint64_t n_stacks, n_unmapped; /* all, and those whose innermost address is such a one */
    PvIdMap name_of_addr;          /* from the symbol section: index + 1 in names */
    bool has_exact_symbols;        /* the section has the addresses as they are in stacks */
    PV_ARRAY (PvText) names;
    PV_ARRAY (PvGivenFrame) frames;
    PV_ARRAY (uint64_t) addrs;
    PV_ARRAY (PvLocationId) locations;
    PV_ARRAY (LegacyRow) rows;
    LegacyColumn columns[LEGACY_MAX_COLUMNS];
    uint32_t n_columns;
    uint32_t preferred_column;
    bool is_exact; /* nothing was sampled */
    double carries[LEGACY_MAX_COLUMNS];
    uint64_t n_lines;
    uint64_t n_bad_lines;
    const char *odd_lines[LEGACY_MAX_ODD_LINES]; /* the first that may begin another profile */
    uint32_t n_odd_lines;
    bool is_cut; /* the last line of text is incomplete */
} LegacySession;

/* data is the file's content, which must live as long as the session. path may be NULL. */
void legacy_session_init (LegacySession *session, const void *data, size_t size_bytes,
                          const char *path, PvProfileBuilder *builder,
                          const PvReadContext *context);
void legacy_session_clear (LegacySession *session);

/* Takes the next line, and updates progress now and then. False at the end or when cancelled. */
bool legacy_session_next_line (LegacySession *session, PvText *ret_line);
bool legacy_session_is_cancelled (const LegacySession *session);

/* Remembers a line that is none of the profile; counts it as one that could not be read. */
void legacy_add_odd_line (LegacySession *session, PvText line);
void legacy_add_bad_line (LegacySession *session, PvText line);

/* The main program's name; "" if it is unknown. */
const char *legacy_get_program_name (const LegacySession *session);

/* Sets the error for a file that is damaged at its start; returns false. */
bool legacy_fail (GError **error);
