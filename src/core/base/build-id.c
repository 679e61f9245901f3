/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/base/build-id.h"

#include <unistd.h>

/* Numbers of elf(5). */
enum {
    CLASS_OFFSET = 4,
    CLASS_64BIT = 2,
    ORDER_OFFSET = 5,
    ORDER_LITTLE = 1,
    ORDER_BIG = 2,
    HEADER_BYTES = 64, /* of 64 bits; the other one is shorter */
    SEGMENT_NOTE = 4,
    NOTE_BUILD_ID = 3,
};

#define MAX_SEGMENTS   256u
#define MAX_NOTE_BYTES 65536u

/* Notes are (name size, descriptor size, type, name, descriptor), each padded to align. */
size_t
pv_build_id_find (PvCursor notes, uint64_t align, uint8_t *ret_build_id)
{
    g_assert (ret_build_id != NULL);

    size_t mask = align == 8 ? 7 : 3;

    while (!notes.failed && pv_cursor_left (&notes) > 12) {
        size_t name_size = pv_cursor_u32 (&notes);
        size_t desc_size = pv_cursor_u32 (&notes);
        uint32_t type = pv_cursor_u32 (&notes);
        /* The descriptor begins at a multiple of align from the note's start. */
        size_t padded_name_size = ((12 + name_size + mask) & ~mask) - 12;
        const uint8_t *name = pv_cursor_take (&notes, padded_name_size);
        const uint8_t *desc = pv_cursor_take (&notes, desc_size);
        if (notes.failed)
            return 0;
        if (type == NOTE_BUILD_ID && name_size == 4 && memcmp (name, "GNU", 4) == 0 &&
            desc_size > 0 && desc_size <= PV_BUILD_ID_MAX) {
            memcpy (ret_build_id, desc, desc_size);
            return desc_size;
        }
        size_t padding = -desc_size & mask;
        pv_cursor_skip (&notes, MIN (padding, pv_cursor_left (&notes)));
    }
    return 0;
}

/* A segment with notes. */
typedef struct {
    uint64_t offset, size_bytes, align;
} Notes;

static size_t
read_notes (int fd, const Notes *notes, uint8_t *ret_build_id)
{
    size_t size_bytes = MIN (notes->size_bytes, MAX_NOTE_BYTES);
    if (notes->offset > INT64_MAX)
        return 0;
    g_autofree uint8_t *bytes = g_malloc (MAX (size_bytes, 1));
    ssize_t n = pread (fd, bytes, size_bytes, (off_t)notes->offset);
    return n > 0
               ? pv_build_id_find (pv_cursor (bytes, (size_t)n, false), notes->align, ret_build_id)
               : 0;
}

/* Reads one entry of the table of segments; false if it has no notes. */
static bool
take_notes (PvCursor entry, bool is_64bit, Notes *ret)
{
    bool is_notes = pv_cursor_u32 (&entry) == SEGMENT_NOTE;
    if (is_64bit) {
        pv_cursor_u32 (&entry); /* flags */
        ret->offset = pv_cursor_u64 (&entry);
        pv_cursor_skip (&entry, 16); /* addresses */
        ret->size_bytes = pv_cursor_u64 (&entry);
        pv_cursor_skip (&entry, 8); /* size in memory */
        ret->align = pv_cursor_u64 (&entry);
    } else {
        ret->offset = pv_cursor_u32 (&entry);
        pv_cursor_skip (&entry, 8);
        ret->size_bytes = pv_cursor_u32 (&entry);
        pv_cursor_skip (&entry, 8);
        ret->align = pv_cursor_u32 (&entry);
    }
    return is_notes && !entry.failed;
}

size_t
pv_build_id_read (int fd, uint8_t *ret_build_id)
{
    g_assert (fd >= 0 && ret_build_id != NULL);

    uint8_t header[HEADER_BYTES] = {0};
    uint8_t order = G_BYTE_ORDER == G_LITTLE_ENDIAN ? ORDER_LITTLE : ORDER_BIG;
    if (pread (fd, header, sizeof header, 0) <= 0 || memcmp (header, "\177ELF", 4) != 0 ||
        header[ORDER_OFFSET] != order)
        return 0;
    bool is_64bit = header[CLASS_OFFSET] == CLASS_64BIT;
    size_t least = is_64bit ? 56 : 32;
    PvCursor cursor = pv_cursor (header, sizeof header, false);
    pv_cursor_skip (&cursor, is_64bit ? 32 : 28);
    uint64_t offset = is_64bit ? pv_cursor_u64 (&cursor) : pv_cursor_u32 (&cursor);
    pv_cursor_skip (&cursor, is_64bit ? 14 : 10); /* sections, flags, size of the header */
    size_t entry_size = pv_cursor_u16 (&cursor);
    size_t n_entries = pv_cursor_u16 (&cursor);
    n_entries = MIN (n_entries, MAX_SEGMENTS);
    if (entry_size < least || entry_size > 2 * least || n_entries == 0 || offset > INT64_MAX)
        return 0;
    g_autofree uint8_t *table = g_malloc (n_entries * entry_size);
    ssize_t n = pread (fd, table, n_entries * entry_size, (off_t)offset);
    for (size_t i = 0; n > 0 && (i + 1) * entry_size <= (size_t)n; i++) {
        Notes notes;
        if (!take_notes (pv_cursor (table + i * entry_size, entry_size, false), is_64bit, &notes))
            continue;
        size_t size = read_notes (fd, &notes, ret_build_id);
        if (size > 0)
            return size;
    }
    return 0;
}
