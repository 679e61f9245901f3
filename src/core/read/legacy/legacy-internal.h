/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/base/array.h"
#include "core/base/idmap.h"
#include "core/model/build/builder.h"
#include "core/model/profile/address-space.h"
#include "core/read/unpack/reader.h"

/*
 * What the readers of the profiles that gperftools, tcmalloc, jemalloc, Go and Java write by
 * themselves share. Nearly all are text: a header, stacks of addresses with numbers, and then what
 * was mapped where. legacy.c tells them apart.
 */

/* --- text (legacy-text.c) --------------------------------------------------------------------- */

/* Bytes that are still to be read: of a file, or of a line. */
typedef struct {
    const char *at;
    const char *end;
} LegacyText;

static inline LegacyText
legacy_text (const void *data, size_t size_bytes)
{
    const char *start = data != NULL ? data : "";
    return (LegacyText){start, start + size_bytes};
}

static inline size_t
legacy_left (const LegacyText *text)
{
    return (size_t)(text->end - text->at);
}

/* The next line without blanks around it and without the end of line; false at the end. */
bool legacy_next_line (LegacyText *text, LegacyText *ret_line);

/* Nothing, or a remark that no reader wants. */
static inline bool
legacy_is_comment (LegacyText line)
{
    return line.at == line.end || *line.at == '#' || *line.at == '%';
}

bool legacy_begins_with (const LegacyText *text, const char *prefix);
/* Where needle is first, or NULL. */
const char *legacy_find (const LegacyText *text, const char *needle);
const char *legacy_find_char (const LegacyText *text, char c); /* the first one */
const char *legacy_find_last (const LegacyText *text, char c);

/* These skip blanks first, and take nothing unless they say true. */
bool legacy_take_word (LegacyText *line, const char *word); /* these bytes, whatever follows */
bool legacy_take_token (LegacyText *line, LegacyText *ret_token); /* until the next blank */
bool legacy_take_decimal (LegacyText *line, uint64_t *ret_value); /* too large: UINT64_MAX */
bool legacy_take_signed (LegacyText *line, int64_t *ret_value);   /* too large: the limit */
bool legacy_take_hex (LegacyText *line, uint64_t *ret_value);     /* with or without 0x */
bool legacy_take_address (LegacyText *line, uint64_t *ret_addr);  /* with 0x */

/* --- what is mapped where (legacy-map.c) -------------------------------------------------------
 */

typedef struct {
    char *name; /* with the $ */
    char *value;
} LegacyVariable;

typedef struct {
    PvProfileBuilder *builder;
    PvAddressSpace *space;
    PvIdMap module_of_path;
    PV_ARRAY (LegacyVariable) variables;
    size_t replaced_bytes; /* that they were replaced by */
    PvMapping last;        /* and the path it is of, as the builder's string */
    const char *last_path;
    PvModuleId main_module; /* 0: none yet */
    bool is_empty;
} LegacyMap;

void legacy_map_init (LegacyMap *map, PvProfileBuilder *builder);
void legacy_map_clear (LegacyMap *map);

/* Takes one line of a map in any of its forms; other lines are left alone. */
void legacy_map_add_line (LegacyMap *map, LegacyText line);
void legacy_map_add_lines (LegacyMap *map, LegacyText text);

/* Cuts the map off the end of a text: text ends before the line that announces it. ret_map is what
 * follows that line, empty if there is none. */
bool legacy_map_split (LegacyText *text, LegacyText *ret_map);

/* --- samples (legacy-samples.c) ----------------------------------------------------------------
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

/* How the numbers of a sampled heap become those of the whole. */
typedef enum {
    LEGACY_SCALE_NONE,
    LEGACY_SCALE_POISSON, /* a byte in rate_bytes was sampled: by the probability of the mean */
    LEGACY_SCALE_LINEAR,  /* tcmalloc's first version */
} LegacyScale;

typedef struct {
    double objects, bytes;
} LegacyAmounts;

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

/* Every so many lines: progress and cancelling. False when cancelled. */
bool legacy_session_next_line (LegacySession *session, LegacyText *ret_line);
bool legacy_session_is_cancelled (const LegacySession *session);

/* Of the main program; "" if it is unknown. */
const char *legacy_get_program_name (const LegacySession *session);

void legacy_session_add_column (LegacySession *session, const LegacyColumn *column);

/* Takes the addresses of a line into session->addrs: every number with 0x until its end. */
void legacy_take_stack (LegacySession *session, LegacyText *line);

/* The location of an address as it was in the process. */
PvLocationId legacy_location (LegacySession *session, uint64_t runtime_addr, PvLocationKind kind);
/* The stack of session->addrs, leaf first. */
PvStackId legacy_stack (LegacySession *session, PvLocationKind leaf, PvLocationKind others);
/* One row for session->rows; rows without any value are left out. */
void legacy_add_row (LegacySession *session, const LegacyRow *row);

/* NULL or names, innermost first, to a location that has none yet. */
void legacy_give_frames (LegacySession *session, PvLocationId location);

LegacyAmounts legacy_unsample (LegacyScale scale, double rate_bytes, int64_t n_objects,
                               int64_t size_bytes);
/* amount as an integer; what it is off by goes to the next one of the column, so that totals are
 * exact and none is off by 1 or more. */
int64_t legacy_round (LegacySession *session, uint32_t column, double amount);

/* Tells that one in so many bytes was sampled. */
void legacy_set_period_bytes (LegacySession *session, uint64_t period_bytes);

/* Makes the sample set of all rows; the preferred column comes first. */
void legacy_session_finish (LegacySession *session);

/* --- names in the text (legacy-names.c) --------------------------------------------------------
 */

/* Takes a "--- symbol" section, if there is one. */
void legacy_take_symbols (LegacySession *session);
/* The name that such a section has for the address, into session->frames. */
bool legacy_find_symbol (LegacySession *session, uint64_t lookup_addr);
/* Takes the comments that Go writes below a stack: names for session->addrs, from which those
 * without one are taken out at both ends, and labels, of which it returns the set. */
uint32_t legacy_take_go_comments (LegacySession *session);
/* The lines with names of Java's ids. */
void legacy_take_java_names (LegacySession *session);
PvLocationId legacy_java_location (LegacySession *session, uint64_t id);

/* --- what was said (legacy.c)
 * -------------------------------------------------------------------------- */

/* Takes the command of a recording, if the line is a remark that tells it; the first one counts. */
bool legacy_take_recorded_with (PvProfileBuilder *builder, LegacyText line);

/* --- what to say (legacy.c)
 * -------------------------------------------------------------------------- */

void legacy_note_negative (LegacySession *session, bool has_negative);
/* Sets the error of a file that is damaged at its beginning; false. */
bool legacy_fail (GError **error);

/* --- the formats -------------------------------------------------------------------------------
 */

/* Each takes what is left of session->text, the header included, and fills in columns and rows.
 * False with an error if there is nothing to show. */
typedef bool (*LegacyReadFunc) (LegacySession *session, GError **error);

bool legacy_is_heap (LegacyText text);
bool legacy_read_heap (LegacySession *session, GError **error);
bool jemalloc_is_heap (LegacyText text);
bool jemalloc_read_heap (LegacySession *session, GError **error);
bool legacy_is_count (LegacyText text);
bool legacy_read_count (LegacySession *session, GError **error);
bool legacy_is_contention (LegacyText text);
bool legacy_read_contention (LegacySession *session, GError **error);
bool legacy_is_threads (LegacyText text);
bool legacy_read_threads (LegacySession *session, GError **error);
bool legacy_is_java (LegacyText text);
bool legacy_read_java (LegacySession *session, GError **error);
bool legacy_is_cpu (LegacyText text);
bool legacy_read_cpu (LegacySession *session, GError **error);
