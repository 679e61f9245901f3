/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/symbolize/machine/x86-length.h"

#include <glib.h>
#include <stdbool.h>

#include "core/base/cursor.h"

enum { MAP_0F = 1, MAP_0F38 = 2, MAP_0F3A = 3, MAP_5 = 5, MAP_6 = 6, MAX_BYTES = 15 };

/* True if an instruction of the map has a byte of its own after the operands. */
static bool
has_immediate (unsigned map, uint8_t opcode)
{
    if (map == MAP_0F)
        return (opcode >= 0x70 && opcode <= 0x73) || opcode == 0xa4 || opcode == 0xac ||
               opcode == 0xba || opcode == 0xc2 || (opcode >= 0xc4 && opcode <= 0xc6);
    return map == MAP_0F3A;
}

/* True if an instruction of the map 0F has no ModRM byte. */
static bool
is_short (uint8_t opcode)
{
    return (opcode >= 0x04 && opcode <= 0x0c && opcode != 0x0a) || opcode == 0x0e ||
           (opcode >= 0x30 && opcode <= 0x3f) || opcode == 0x77 ||
           (opcode >= 0x80 && opcode <= 0x8f) || (opcode >= 0xa0 && opcode <= 0xa2) ||
           (opcode >= 0xa8 && opcode <= 0xaa) || (opcode >= 0xc8 && opcode <= 0xcf);
}

static bool
is_prefix (uint8_t byte)
{
    switch (byte) {
    case 0x26:
    case 0x2e:
    case 0x36:
    case 0x3e:
    case 0x64:
    case 0x65:
    case 0x66:
    case 0x67:
    case 0xf0:
    case 0xf2:
    case 0xf3:
        return true;
    default:
        return (byte & 0xf0) == 0x40; /* REX */
    }
}

/* Skips ModRM, SIB and displacement. */
static void
skip_operands (PvCursor *cursor)
{
    uint8_t modrm = pv_cursor_u8 (cursor);
    unsigned mod = modrm >> 6, rm = modrm & 7;
    if (mod == 3)
        return;
    unsigned base = rm == 4 ? pv_cursor_u8 (cursor) & 7 : rm;
    if (mod == 1)
        pv_cursor_skip (cursor, 1);
    else if (mod == 2 || base == 5)
        pv_cursor_skip (cursor, 4);
}

/* Skips what comes before the opcode; 0: no map that is known. */
static unsigned
skip_to_opcode (PvCursor *cursor)
{
    uint8_t first = pv_cursor_u8 (cursor);
    while (is_prefix (first) && !cursor->failed)
        first = pv_cursor_u8 (cursor);
    if (first == 0xc5) {
        pv_cursor_skip (cursor, 1);
        return MAP_0F;
    }
    if (first == 0xc4) {
        unsigned map = pv_cursor_u8 (cursor) & 0x1f;
        pv_cursor_skip (cursor, 1);
        return map <= MAP_0F3A ? map : 0;
    }
    if (first == 0x62) {
        unsigned map = pv_cursor_u8 (cursor) & 7;
        pv_cursor_skip (cursor, 2);
        return map <= MAP_0F3A || map == MAP_5 || map == MAP_6 ? map : 0;
    }
    if (first != 0x0f || pv_cursor_left (cursor) == 0)
        return 0;
    if (*cursor->pos != 0x38 && *cursor->pos != 0x3a)
        return is_short (*cursor->pos) ? 0 : MAP_0F;
    return pv_cursor_u8 (cursor) == 0x38 ? MAP_0F38 : MAP_0F3A;
}

size_t
pv_x86_find_length (const uint8_t *bytes, size_t size_bytes)
{
    g_assert (bytes != NULL || size_bytes == 0);

    PvCursor cursor = pv_cursor (bytes, MIN (size_bytes, MAX_BYTES), false);
    unsigned map = skip_to_opcode (&cursor);
    uint8_t opcode = pv_cursor_u8 (&cursor);
    if (map == 0)
        return 0;
    if (!(map == MAP_0F && opcode == 0x77)) /* vzeroupper */
        skip_operands (&cursor);
    if (has_immediate (map, opcode))
        pv_cursor_skip (&cursor, 1);
    return !cursor.failed ? (size_t)(cursor.pos - bytes) : 0;
}
