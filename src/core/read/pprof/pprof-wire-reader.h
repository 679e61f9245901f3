/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/base/cursor.h"

/*
 * protobuf's wire format: a message is a sequence of fields, each a tag (number and type) and a
 * value. Nested messages are bytes, like strings.
 */
typedef enum {
    PPROF_VARINT = 0,
    PPROF_FIXED64 = 1,
    PPROF_BYTES = 2,
    PPROF_FIXED32 = 5,
} PprofWireType;

typedef struct {
    uint32_t number;
    PprofWireType type;
    uint64_t value; /* a number, or the number of bytes */
    PvCursor bytes; /* for PPROF_BYTES */
} PprofField;

/* Reads the next field. False at the end of the message or if it is damaged, which sets failed. */
static inline bool
pprof_next_field (PvCursor *message, PprofField *ret_field)
{
    if (message->failed || message->pos == message->end)
        return false;
    uint64_t tag = pv_cursor_varint (message);
    ret_field->number = (uint32_t)MIN (tag >> 3, UINT32_MAX);
    ret_field->type = (PprofWireType)(tag & 7);
    switch (ret_field->type) {
    case PPROF_VARINT:
        ret_field->value = pv_cursor_varint (message);
        break;
    case PPROF_FIXED64:
        ret_field->value = pv_cursor_u64 (message);
        break;
    case PPROF_BYTES:
        ret_field->value = pv_cursor_varint (message);
        ret_field->bytes = pv_cursor_sub (message, (size_t)MIN (ret_field->value, SIZE_MAX));
        break;
    case PPROF_FIXED32:
        ret_field->value = pv_cursor_u32 (message);
        break;
    default:
        ret_field->value = 0;
        message->failed = true;
    }
    message->failed |= ret_field->number == 0;
    return !message->failed;
}

/* The value of a field that must be a number; fails the message if it is not. */
static inline uint64_t
pprof_number (PvCursor *message, const PprofField *field)
{
    if (G_LIKELY (field->type == PPROF_VARINT))
        return field->value;
    message->failed = true;
    return 0;
}

/* The bytes of a field that must be PPROF_BYTES; fails the message if it is not. */
static inline PvCursor
pprof_bytes (PvCursor *message, const PprofField *field)
{
    if (G_LIKELY (field->type == PPROF_BYTES))
        return field->bytes;
    message->failed = true;
    return pv_cursor (NULL, 0, false);
}
