/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/*
 * A bounded reader over bytes of a file. A read beyond the end gives zero and sets failed, which
 * stays set: read a whole structure, then check once. Loads need no alignment. With swap set,
 * multi-byte integers are byte-swapped.
 */
typedef struct {
    const uint8_t *pos;
    const uint8_t *end;
    bool swap;
    bool failed;
} PvCursor;

static inline PvCursor
pv_cursor (const void *data, size_t size_bytes, bool swap)
{
    /* Without data the pointer may be NULL, and C forbids adding even 0 to that. */
    const uint8_t *start = data != NULL ? data : (const uint8_t *)"";
    return (PvCursor){start, data != NULL ? start + size_bytes : start, swap, false};
}

static inline size_t
pv_cursor_left (const PvCursor *cursor)
{
    return (size_t)(cursor->end - cursor->pos);
}

/* The next size_bytes bytes, or NULL (and failed) when fewer are left. */
static inline const uint8_t *
pv_cursor_take (PvCursor *cursor, size_t size_bytes)
{
    if (G_UNLIKELY (size_bytes > pv_cursor_left (cursor))) {
        cursor->failed = true;
        cursor->pos = cursor->end;
        return NULL;
    }
    const uint8_t *start = cursor->pos;
    cursor->pos += size_bytes;
    return start;
}

static inline bool
pv_cursor_skip (PvCursor *cursor, size_t size_bytes)
{
    return pv_cursor_take (cursor, size_bytes) != NULL;
}

static inline uint8_t
pv_cursor_u8 (PvCursor *cursor)
{
    const uint8_t *p = pv_cursor_take (cursor, 1);
    return p != NULL ? *p : 0;
}

static inline uint16_t
pv_cursor_u16 (PvCursor *cursor)
{
    uint16_t value = 0;
    const uint8_t *p = pv_cursor_take (cursor, sizeof value);
    if (p == NULL)
        return 0;
    memcpy (&value, p, sizeof value);
    return cursor->swap ? GUINT16_SWAP_LE_BE (value) : value;
}

static inline uint32_t
pv_cursor_u32 (PvCursor *cursor)
{
    uint32_t value = 0;
    const uint8_t *p = pv_cursor_take (cursor, sizeof value);
    if (p == NULL)
        return 0;
    memcpy (&value, p, sizeof value);
    return cursor->swap ? GUINT32_SWAP_LE_BE (value) : value;
}

static inline uint64_t
pv_cursor_u64 (PvCursor *cursor)
{
    uint64_t value = 0;
    const uint8_t *p = pv_cursor_take (cursor, sizeof value);
    if (p == NULL)
        return 0;
    memcpy (&value, p, sizeof value);
    return cursor->swap ? GUINT64_SWAP_LE_BE (value) : value;
}

/* A cursor over the next size_bytes bytes; empty and failed when fewer are left. */
PvCursor pv_cursor_sub (PvCursor *cursor, size_t size_bytes);

/* A NUL-terminated string and its length; NULL (and failed) when the NUL is missing. */
const char *pv_cursor_string (PvCursor *cursor, size_t *ret_len);

/* DWARF's variable-length integers. Beyond 64 bits, unsigned ones fail; signed ones are cut. */
uint64_t pv_cursor_uleb (PvCursor *cursor);
int64_t pv_cursor_sleb (PvCursor *cursor);

/* For pv_cursor_varint (): numbers longer than eight bytes or near the end. Passes the cursor by
 * value, so that the caller's can stay in registers. */
PvCursor pv_cursor_varint_slowly (PvCursor cursor, uint64_t *ret_value);

/* protobuf's variable-length integers: at most ten bytes, of which 64 bits count; longer: fails. */
static inline uint64_t
pv_cursor_varint (PvCursor *cursor)
{
    if (cursor->pos < cursor->end && *cursor->pos < 0x80)
        return *cursor->pos++;
    uint64_t word = 0, ends = 0;
    if (pv_cursor_left (cursor) >= sizeof word) {
        memcpy (&word, cursor->pos, sizeof word);
        word = GUINT64_FROM_LE (word);
        ends = ~word & UINT64_C (0x8080808080808080); /* in bytes that end a number */
    }
    if (G_UNLIKELY (ends == 0)) {
        *cursor = pv_cursor_varint_slowly (*cursor, &word);
        return word;
    }
    unsigned n_bits = (unsigned)__builtin_ctzll (ends) + 1;
    cursor->pos += n_bits / 8;
    word &= UINT64_MAX >> (64 - n_bits);
    /* 7 bits of every 8, then 14 of every 16, then 28 of every 32 move together. */
    word = (word & UINT64_C (0x007f007f007f007f)) | (word & UINT64_C (0x7f007f007f007f00)) >> 1;
    word = (word & UINT64_C (0x00003fff00003fff)) | (word & UINT64_C (0x3fff00003fff0000)) >> 2;
    return (word & UINT64_C (0x000000000fffffff)) | (word & UINT64_C (0x0fffffff00000000)) >> 4;
}
