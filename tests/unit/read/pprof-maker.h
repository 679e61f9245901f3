/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/model/build/builder.h"
#include "reader-case.h"

/* --- the wire ----------------------------------------------------------------------------------
 */

void wire_number (GByteArray *bytes, unsigned field, uint64_t value);
void wire_bytes (GByteArray *bytes, unsigned field, const void *data, size_t size_bytes);
/* Takes the message. */
void wire_message (GByteArray *bytes, unsigned field, GByteArray *message);
/* numbers: "1 2 0x3 -4". Packed into one field, or a field for each. */
void wire_numbers (GByteArray *bytes, unsigned field, const char *numbers, bool is_packed);
/* A field that nobody knows, of each type. */
void wire_unknown (GByteArray *bytes);

/* --- profiles ----------------------------------------------------------------------------------
 */

/* A profile in the making; its strings come last unless maker_put_strings () is called before. */
typedef struct {
    GByteArray *bytes;
    GPtrArray *strings;
    size_t n_put; /* strings in bytes */
    bool is_unpacked;
    bool has_unknown_fields;
} PprofMaker;

PprofMaker *maker_new (void);
void maker_free (PprofMaker *maker);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PprofMaker, maker_free)
uint64_t maker_string (PprofMaker *maker, const char *string);
void maker_put_strings (PprofMaker *maker);

void maker_type (PprofMaker *maker, const char *type, const char *unit);
/* Any of the strings may be NULL. */
void maker_mapping (PprofMaker *maker, uint64_t id, const char *range, const char *path,
                    const char *build_id);
void maker_function (PprofMaker *maker, uint64_t id, const char *name, const char *system_name,
                     const char *path, uint64_t start_line);
/* lines: "function:line function:line", innermost first. */
void maker_location (PprofMaker *maker, uint64_t id, uint64_t mapping, uint64_t address,
                     const char *lines);
/* labels: "key=text key:5 key:5:unit", or NULL. */
void maker_sample (PprofMaker *maker, const char *locations, const char *values,
                   const char *labels);

/* The file; its bytes stay the maker's. */
GByteArray *maker_finish (PprofMaker *maker);

/* A function with a location of the same id for each letter, all in no module and of no address,
 * and the sample types "samples" in "count" and "cpu" in "nanoseconds". */
PprofMaker *maker_new_letters (const char *letters);

/* --- reading -----------------------------------------------------------------------------------
 */

PvProfile *read_pprof_bytes (const GByteArray *bytes, unsigned n_workers, GError **error);
/* Finishes and frees the maker; the file must be readable. */
PvProfile *read_made (PprofMaker *maker);
/* The same for a profile with nothing wrong: no notes and nothing skipped. */
PvProfile *read_clean (PprofMaker *maker);

/*
 * All samples in their order, a line each: root first, ";" between locations, a space, and the
 * weights. A location is "module+0xaddress" or, where names are given, "function@file:line" (each
 * part that is known), those inlined into it before it with "<" between: "inner<outer". Labels
 * follow in braces.
 */
char *samples_text (const PvProfile *profile);
void assert_samples (const PvProfile *profile, const char *expected);
