/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/base/array.h"
#include "core/base/intern.h"
#include "core/model/build/builder.h"
#include "core/read/json/json-end.h"
#include "core/read/unpack/reader.h"
#include "core/read/unpack/unpack.h"

/*
 * Reads JSON as it is unpacked, one value after the other, as the caller requests them. Values that
 * the caller does not take are skipped, so that a reader is written as the file is nested:
 *
 *     static const char *const keys[] = {"name", "times", NULL};
 *     int key;
 *     if (pv_json_enter_object (json))
 *         while (pv_json_next_key (json, keys, &key)) {
 *             if (key == 0)
 *                 name = pv_json_intern (json, strings);
 *             else if (key == 1)
 *                 pv_json_append_numbers (json, &times, 0);
 *         }
 *
 * Where the file ends early, is damaged or passes a limit, everything that is open seems to end
 * there. pv_json_get_end () tells, and pv_json_add_note () tells the user. One thread at a time.
 */
typedef struct PvJson PvJson;

typedef enum {
    PV_JSON_NONE, /* there is no value: the end */
    PV_JSON_NULL,
    PV_JSON_BOOLEAN,
    PV_JSON_NUMBER,
    PV_JSON_STRING,
    PV_JSON_ARRAY,
    PV_JSON_OBJECT,
} PvJsonType;

/* Columns of a table. */
typedef PV_ARRAY (int32_t) PvInt32Column;
typedef PV_ARRAY (int64_t) PvInt64Column;
typedef PV_ARRAY (double) PvNumberColumn;
typedef PV_ARRAY (uint64_t) PvIdColumn;
typedef PV_ARRAY (PvStringId) PvStringColumn;

/* The first value is the current one then. Takes ownership of neither; both must live as long. Uses
 * the context's budget and its job, to which it reports how much of the packed file was read. */
PvJson *pv_json_new (PvUnpackStream *stream, const PvReadContext *context);
void pv_json_free (PvJson *json);

/* --- the current value --- */

PvJsonType pv_json_get_type (PvJson *json);

/* These look at the value, which stays the current one. `otherwise` is for values of another type.
 */
bool pv_json_get_boolean (PvJson *json, bool otherwise);
double pv_json_get_number (PvJson *json, double otherwise);
/* Rounds towards zero; what does not fit becomes the nearest that does. */
int64_t pv_json_get_integer (PvJson *json, int64_t otherwise);
/* NULL if it is no string. May hold any bytes, also zeros and what is not UTF-8; a zero follows.
 * Valid until the next call of any function but those of this group. ret_size_bytes may be NULL. */
const char *pv_json_get_string (PvJson *json, size_t *ret_size_bytes);
/* A number or string as the identity of something: the same for equal ones, and for a number and
 * its digits as a string; 0 for other values. */
uint64_t pv_json_get_id (PvJson *json);
uint64_t pv_json_make_id (const char *text, size_t size_bytes); /* of a string */
/* 0, the empty string, if it is no string. */
PvStringId pv_json_intern (PvJson *json, PvInterner *interner);

/* --- into it and on --- */

/* False: the value is of another type, and stays the current one. After true the first call of
 * pv_json_next_... () gives the first value. */
bool pv_json_enter_object (PvJson *json);
bool pv_json_enter_array (PvJson *json);

/* Goes on to the next value of the innermost array or object that was entered, over what is left of
 * the current one. False: there was none, and the array or object has been left. */
bool pv_json_next_element (PvJson *json);
/* keys ends with NULL. ret_key is the key's index there, or -1. */
bool pv_json_next_key (PvJson *json, const char *const *keys, int *ret_key);
/* The last key that was passed, whatever it is; a zero follows. Valid until the next one. */
const char *pv_json_get_key (PvJson *json, size_t *ret_size_bytes);

/* Leaves the innermost array or object before its end. */
void pv_json_leave (PvJson *json);

/* --- whole objects --- */

/* A key, and what takes its value into a member of a row. */
typedef struct {
    const char *key;
    void (*take) (PvJson *json, void *member, void *user);
    size_t offset; /* of the member */
} PvJsonField;

/* The last entry of fields: other keys are skipped, or taken by a function whose member is the row.
 */
#define PV_JSON_NO_MORE_FIELDS                                                                     \
    {                                                                                              \
        NULL, NULL, 0                                                                              \
    }

/* Takes the members of the object that is the current value. False: it is no object. */
bool pv_json_take_object (PvJson *json, const PvJsonField *fields, void *row, void *user);
/* Takes only the value of the last key that was passed. */
void pv_json_take_field (PvJson *json, const PvJsonField *fields, void *row, void *user);

/* Owners of the strings of fields; either may be NULL if no field needs it. */
void pv_json_keep_strings (PvJson *json, PvProfileBuilder *builder, PvInterner *interner);

/* For fields. A value of another type leaves the member as it is; so does an empty text. */
void pv_json_take_text (PvJson *json, void *member, void *user); /* const char *, the builder's */
void pv_json_take_interned (PvJson *json, void *member,
                            void *user);                            /* PvStringId; 0 if no string */
void pv_json_take_number (PvJson *json, void *member, void *user);  /* double */
void pv_json_take_integer (PvJson *json, void *member, void *user); /* int64_t */
/* The same two, also of strings that are such a number. */
void pv_json_take_loose_number (PvJson *json, void *member, void *user);
void pv_json_take_loose_integer (PvJson *json, void *member, void *user);
void pv_json_take_id (PvJson *json, void *member, void *user);     /* uint64_t */
void pv_json_take_uint32 (PvJson *json, void *member, void *user); /* or the nearest that fits */
void pv_json_take_index (PvJson *json, void *member, void *user);  /* int32_t, from -1 on */
void pv_json_take_boolean (PvJson *json, void *member, void *user);
void pv_json_take_numbers (PvJson *json, void *member,
                           void *user); /* a column; NAN where none is */

/* --- whole columns --- */

/* Append an array's elements, `otherwise` for those of another type and for numbers that do not
 * fit; true counts as 1 and false as 0. False: the value is no array. Else it has been taken. What
 * is appended counts against the budget until pv_json_free (). */
bool pv_json_append_int32s (PvJson *json, PvInt32Column *column, int32_t otherwise);
/* The same, where elements of arrays in the array are its own. */
bool pv_json_append_flat_int32s (PvJson *json, PvInt32Column *column, int32_t otherwise);
bool pv_json_append_int64s (PvJson *json, PvInt64Column *column, int64_t otherwise);
bool pv_json_append_numbers (PvJson *json, PvNumberColumn *column, double otherwise);
/* Identities; objects are taken by a function instead, unless it is NULL. */
bool pv_json_append_ids (PvJson *json, PvIdColumn *column,
                         void (*take_object) (PvJson *json, void *user), void *user);
bool pv_json_append_strings (PvJson *json, PvStringColumn *column, PvInterner *interner);

/* --- the end --- */

PvJsonEnd pv_json_get_end (const PvJson *json);
/* Unpacked bytes that have been read so far. */
uint64_t pv_json_get_position (const PvJson *json);
/* Tells that the reader keeps so many bytes more, beyond columns and strings that were interned.
 * Ends the reading here if that is more than the budget. */
void pv_json_count_bytes (PvJson *json, uint64_t n_bytes);
/* Adds a note if the file was not read to its end, unless that was cancelled, or has more behind
 * its end. */
void pv_json_add_note (PvJson *json, PvProfileBuilder *builder);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvJson, pv_json_free)
