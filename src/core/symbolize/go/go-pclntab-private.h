/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/base/cursor.h"
#include "core/base/idmap.h"
#include "core/symbolize/go/go-pclntab.h"

/* Private to go-pclntab*.c. */
typedef enum {
    GO_1_2,
    GO_1_16,
    GO_1_18,
    GO_1_20,
} PvGoVersion;

struct PvGoTable {
    PvElfImage *binary;
    PvArena *arena;
    PvGoVersion version;
    bool swap;
    size_t pointer_size;
    unsigned quantum; /* of pc differences */

    const uint8_t *data; /* the whole table and whatever follows in its section */
    size_t size_bytes;
    uint64_t link_addr;

    uint64_t n_functions;
    uint64_t text_start; /* 1.18: base of function starts */
    uint64_t functions;  /* offsets in data of the sub-tables */
    uint64_t names;
    uint64_t compilation_units; /* 1.16: lists of file name offsets */
    uint64_t files;
    uint64_t n_files; /* 1.2 */
    uint64_t programs;
    uint64_t gofunc; /* link address; 0: unknown */

    PvIdMap string_ids; /* offset in data + 1 -> 1 + index in strings */
    const char **strings;
    size_t n_strings;
    size_t cap;
};

/* A cursor that starts at an offset of the table; failed if that is out of range. */
static inline PvCursor
pv_go_table_cursor_at (const PvGoTable *table, uint64_t offset)
{
    bool is_inside = offset <= table->size_bytes;
    PvCursor cursor =
        is_inside ? pv_cursor (table->data + offset, table->size_bytes - offset, table->swap)
                  : pv_cursor (table->data, 0, table->swap);
    cursor.failed = !is_inside;
    return cursor;
}

static inline uint64_t
pv_go_table_read_pointer (const PvGoTable *table, PvCursor *cursor)
{
    return table->pointer_size == 8 ? pv_cursor_u64 (cursor) : pv_cursor_u32 (cursor);
}

/* The i-th pair of the function table; i may equal the number of functions, for the end. */
bool pv_go_table_read_pair (const PvGoTable *table, uint64_t i, uint64_t *ret_start,
                            uint64_t *ret_record);

/* Finds and reads the header; table->binary and swap are set. False if there is no table. */
bool pv_go_table_find_header (PvGoTable *table);

/* The base address of inline trees' offsets; 0 if unknown. */
uint64_t pv_go_table_find_gofunc (const PvGoTable *table);
