/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/base/cursor.h"

PvCursor
pv_cursor_sub (PvCursor *cursor, size_t size_bytes)
{
    const uint8_t *start = pv_cursor_take (cursor, size_bytes);
    if (start == NULL)
        return (PvCursor){cursor->end, cursor->end, cursor->swap, true};
    return (PvCursor){start, start + size_bytes, cursor->swap, false};
}

const char *
pv_cursor_string (PvCursor *cursor, size_t *ret_len)
{
    size_t left = pv_cursor_left (cursor);
    const uint8_t *nul = left > 0 ? memchr (cursor->pos, 0, left) : NULL;
    if (nul == NULL) {
        cursor->failed = true;
        cursor->pos = cursor->end;
        return NULL;
    }
    const char *string = (const char *)cursor->pos;
    if (ret_len != NULL)
        *ret_len = (size_t)(nul - cursor->pos);
    cursor->pos = nul + 1;
    return string;
}

uint64_t
pv_cursor_uleb (PvCursor *cursor)
{
    uint64_t value = 0;
    unsigned shift = 0;
    for (;;) {
        const uint8_t *p = pv_cursor_take (cursor, 1);
        if (p == NULL)
            return 0;
        uint64_t bits = *p & 0x7f;
        /* Padding beyond 64 bits is valid if it is zero. */
        if (shift >= 64 ? bits != 0 : (bits << shift) >> shift != bits) {
            cursor->failed = true;
            return 0;
        }
        if (shift < 64)
            value |= bits << shift;
        if ((*p & 0x80) == 0)
            return value;
        shift = MIN (shift + 7, 70);
    }
}

int64_t
pv_cursor_sleb (PvCursor *cursor)
{
    uint64_t value = 0;
    unsigned shift = 0;
    for (;;) {
        const uint8_t *p = pv_cursor_take (cursor, 1);
        if (p == NULL)
            return 0;
        if (shift < 64)
            value |= (uint64_t)(*p & 0x7f) << shift;
        shift = MIN (shift + 7, 70);
        if ((*p & 0x80) == 0) {
            if (shift < 64 && (*p & 0x40) != 0)
                value |= ~(uint64_t)0 << shift;
            return (int64_t)value;
        }
    }
}

PvCursor
pv_cursor_varint_slowly (PvCursor cursor, uint64_t *ret_value)
{
    uint64_t value = 0;
    *ret_value = 0;
    for (unsigned shift = 0; shift < 70; shift += 7) {
        if (cursor.pos == cursor.end) {
            cursor.failed = true;
            return cursor;
        }
        uint8_t byte = *cursor.pos++;
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80) {
            *ret_value = value;
            return cursor;
        }
    }
    cursor.failed = true;
    return cursor;
}
