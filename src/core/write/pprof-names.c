/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A profile is copied message by message. Locations get lines behind what they have; functions and
 * strings come behind all others, whose numbers stay. Field numbers are those of profile.proto.
 */
#include "core/write/pprof-names.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/cursor.h"

enum {
    PROFILE_LOCATION = 4,
    PROFILE_FUNCTION = 5,
    PROFILE_STRING_TABLE = 6,
    PROFILE_COMMENT = 13,
};
enum { LOCATION_ADDRESS = 3, LOCATION_LINE = 4, LINE_FUNCTION_ID = 1 };
enum { FUNCTION_ID = 1, FUNCTION_NAME = 2, FUNCTION_SYSTEM_NAME = 3 };
enum { WIRE_VARINT = 0, WIRE_FIXED64 = 1, WIRE_BYTES = 2, WIRE_FIXED32 = 5 };

typedef struct {
    uint64_t number, type, value;
    PvCursor bytes;
} Field;

typedef struct {
    const PvAddressNames *names;
    uint64_t n_strings, max_function;
    uint64_t *function_of_name; /* 0: not used */
    uint64_t n_added;
    PvWire part, line;
    PvWire *out;
} Adding;

static PvCursor
take_bytes (PvCursor *message)
{
    uint64_t size = pv_cursor_varint (message);
    return pv_cursor_sub (message, (size_t)MIN (size, SIZE_MAX));
}

static bool
next_field (PvCursor *message, Field *ret)
{
    if (message->failed || message->pos == message->end)
        return false;
    uint64_t tag = pv_cursor_varint (message);
    *ret = (Field){.number = tag >> 3, .type = tag & 7};
    if (ret->type == WIRE_VARINT)
        ret->value = pv_cursor_varint (message);
    else if (ret->type == WIRE_FIXED64)
        pv_cursor_u64 (message);
    else if (ret->type == WIRE_FIXED32)
        pv_cursor_u32 (message);
    else if (ret->type == WIRE_BYTES)
        ret->bytes = take_bytes (message);
    else
        message->failed = true;
    return !message->failed && ret->number != 0;
}

/* The value of a field in a message; 0 if it has none. */
static uint64_t
find_number (PvCursor message, uint64_t number)
{
    uint64_t value = 0;
    for (Field field; next_field (&message, &field);)
        if (field.number == number && field.type == WIRE_VARINT)
            value = field.value;
    return value;
}

/* The address of a location without lines; 0 if it has none, or is damaged. */
static uint64_t
find_bare_address (PvCursor location)
{
    uint64_t addr = 0;
    for (Field field; next_field (&location, &field);) {
        if (field.number == LOCATION_LINE)
            return 0;
        if (field.number == LOCATION_ADDRESS && field.type == WIRE_VARINT)
            addr = field.value;
    }
    return location.failed || location.pos != location.end ? 0 : addr;
}

static int
compare_addrs (const void *a_, const void *b_)
{
    uint64_t a = *(const uint64_t *)a_, b = *(const uint64_t *)b_;
    return (a > b) - (a < b);
}

/* The index of the name for a location, or -1. */
static ptrdiff_t
find_name (const Adding *adding, PvCursor location)
{
    uint64_t addr = find_bare_address (location);
    const PvAddressNames *names = adding->names;
    if (addr == 0 || names->n == 0)
        return -1;
    const uint64_t *found = bsearch (&addr, names->addrs, names->n, sizeof addr, compare_addrs);
    return found != NULL && names->names[found - names->addrs] != NULL ? found - names->addrs : -1;
}

/* Counts what has numbers. False if the profile is damaged. */
static bool
count (Adding *adding, PvCursor profile)
{
    Field field;
    while (next_field (&profile, &field)) {
        if (field.type != WIRE_BYTES)
            continue;
        if (field.number == PROFILE_STRING_TABLE)
            adding->n_strings++;
        if (field.number == PROFILE_FUNCTION)
            adding->max_function =
                MAX (adding->max_function, find_number (field.bytes, FUNCTION_ID));
    }
    return !profile.failed && profile.pos == profile.end && adding->n_strings > 0 &&
           adding->max_function < UINT64_MAX - adding->names->n;
}

static void
copy_location (Adding *adding, PvCursor location, size_t name)
{
    if (adding->function_of_name[name] == 0)
        adding->function_of_name[name] = adding->max_function + ++adding->n_added;
    adding->part.bytes.len = adding->line.bytes.len = 0;
    pv_array_append (&adding->part.bytes, location.pos, pv_cursor_left (&location));
    pv_wire_append_number (&adding->line, LINE_FUNCTION_ID, adding->function_of_name[name]);
    pv_wire_append_bytes (&adding->part, LOCATION_LINE, adding->line.bytes.data,
                          adding->line.bytes.len);
    pv_wire_append_bytes (adding->out, PROFILE_LOCATION, adding->part.bytes.data,
                          adding->part.bytes.len);
}

static void
copy (Adding *adding, PvCursor profile)
{
    const uint8_t *start = profile.pos;
    for (Field field; next_field (&profile, &field); start = profile.pos) {
        ptrdiff_t name = field.number == PROFILE_LOCATION && field.type == WIRE_BYTES
                             ? find_name (adding, field.bytes)
                             : -1;
        if (name >= 0)
            copy_location (adding, field.bytes, (size_t)name);
        else
            pv_array_append (&adding->out->bytes, start, (size_t)(profile.pos - start));
    }
}

/* Returns the number of the string. */
static uint64_t
add_string (Adding *adding, const char *text)
{
    pv_wire_append_bytes (adding->out, PROFILE_STRING_TABLE, text, strlen (text));
    return adding->n_strings++;
}

static void
add_function (Adding *adding, size_t name)
{
    uint64_t string = add_string (adding, adding->names->names[name]);
    adding->part.bytes.len = 0;
    pv_wire_append_number (&adding->part, FUNCTION_ID, adding->function_of_name[name]);
    pv_wire_append_number (&adding->part, FUNCTION_NAME, string);
    pv_wire_append_number (&adding->part, FUNCTION_SYSTEM_NAME, string);
    pv_wire_append_bytes (adding->out, PROFILE_FUNCTION, adding->part.bytes.data,
                          adding->part.bytes.len);
}

bool
pv_pprof_add_names (const void *data, size_t size_bytes, const PvAddressNames *names, PvWire *out)
{
    g_assert ((data != NULL || size_bytes == 0) && names != NULL && out != NULL);
    const PvCursor profile = pv_cursor (data, size_bytes, false);
    Adding adding = {.names = names, .out = out};
    if (!count (&adding, profile))
        return false;
    adding.function_of_name = g_new0 (uint64_t, names->n + 1);
    copy (&adding, profile);
    for (size_t i = 0; i < names->n; i++)
        if (adding.function_of_name[i] != 0)
            add_function (&adding, i);
    if (names->warning != NULL)
        pv_wire_append_number (out, PROFILE_COMMENT, add_string (&adding, names->warning));
    pv_wire_clear (&adding.part);
    pv_wire_clear (&adding.line);
    g_free (adding.function_of_name);
    return adding.n_added > 0 || names->warning != NULL;
}
