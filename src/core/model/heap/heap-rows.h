/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdint.h>
#include <string.h>

/*
 * The activity of all sites in one bin of a heap's history, packed: one row for each site that did
 * anything, in order of sites. Each column is on its own, so that a question reads only what it
 * needs. A column whose values all fit a byte has just these; one that is all zeros has nothing;
 * any other has
 *
 *     lengths: half a byte for each row, 0 to 8
 *     values:  that many bytes of each row, lowest first
 *
 * Signed columns are folded (0, -1, 1, -2 ...), sites are differences to the one before. Most rows
 * take about ten bytes. Immutable, one block of memory, g_free () it.
 */
typedef enum {
    PV_HEAP_COLUMN_SITE,
    PV_HEAP_COLUMN_ALLOCATED, /* bytes */
    PV_HEAP_COLUMN_ALLOCATIONS,
    PV_HEAP_COLUMN_TEMPORARY,
    PV_HEAP_COLUMN_NET,     /* from here on signed: bytes allocated minus bytes freed */
    PV_HEAP_COLUMN_AT_PEAK, /* the same, until the bin's peak_ms moment */
    PV_HEAP_COLUMN_HELD,    /* sum of each event's bytes (freed ones negative) times the
                               milliseconds from the event to the end of the bin */
    PV_HEAP_N_COLUMNS
} PvHeapColumn;

enum { PV_HEAP_ANY_WIDTH = 255 };

typedef struct PvHeapRows {
    uint32_t n_rows;
    uint8_t widths[PV_HEAP_N_COLUMNS]; /* 0, 1, or PV_HEAP_ANY_WIDTH */
    size_t size_bytes;                 /* of the whole block */
    size_t starts[PV_HEAP_N_COLUMNS];  /* of the columns within it */
} PvHeapRows;

/* Rows to be packed. */
typedef struct {
    uint32_t n_rows;
    uint32_t cap;
    uint32_t last_site;
    uint64_t any[PV_HEAP_N_COLUMNS]; /* all bits that are set in a column */
    uint64_t *columns[PV_HEAP_N_COLUMNS];
    uint8_t *packed; /* scratch memory */
} PvHeapRowBuffer;

/* Empties the buffer, and makes room. */
void pv_heap_row_buffer_begin (PvHeapRowBuffer *buffer, uint32_t n_rows);
void pv_heap_row_buffer_clear (PvHeapRowBuffer *buffer);

/* NULL for no rows. */
PvHeapRows *pv_heap_rows_pack (PvHeapRowBuffer *buffer);

/* One row, of PvHeapColumn but the site. */
typedef struct {
    uint64_t allocated;
    uint64_t allocations;
    uint64_t temporary;
    int64_t net;
    int64_t at_peak;
    int64_t held;
} PvHeapRow;

static inline void
pv_heap_row_buffer_set (PvHeapRowBuffer *buffer, PvHeapColumn column, uint64_t value)
{
    buffer->columns[column][buffer->n_rows] = value;
    buffer->any[column] |= value;
}

static inline uint64_t
pv_heap_fold (int64_t value)
{
    return (uint64_t)value << 1 ^ (uint64_t)(value >> 63);
}

/* Sites in ascending order. */
static inline void
pv_heap_row_buffer_push (PvHeapRowBuffer *buffer, uint32_t site, const PvHeapRow *row)
{
    pv_heap_row_buffer_set (buffer, PV_HEAP_COLUMN_SITE, site - buffer->last_site);
    pv_heap_row_buffer_set (buffer, PV_HEAP_COLUMN_ALLOCATED, row->allocated);
    pv_heap_row_buffer_set (buffer, PV_HEAP_COLUMN_ALLOCATIONS, row->allocations);
    pv_heap_row_buffer_set (buffer, PV_HEAP_COLUMN_TEMPORARY, row->temporary);
    pv_heap_row_buffer_set (buffer, PV_HEAP_COLUMN_NET, pv_heap_fold (row->net));
    pv_heap_row_buffer_set (buffer, PV_HEAP_COLUMN_AT_PEAK, pv_heap_fold (row->at_peak));
    pv_heap_row_buffer_set (buffer, PV_HEAP_COLUMN_HELD, pv_heap_fold (row->held));
    buffer->last_site = site;
    buffer->n_rows++;
}

/* Reads a column from its start, some rows at a time. */
typedef struct {
    unsigned width;
    const uint8_t *lengths;
    const uint8_t *values;
    uint32_t last_site;
} PvHeapColumnReader;

enum { PV_HEAP_READ_ROWS = 256 };

PvHeapColumnReader pv_heap_column_reader (const PvHeapRows *rows, PvHeapColumn column);

/* All read PV_HEAP_READ_ROWS rows, or all that are left: n of them. */
void pv_heap_column_read_sites (PvHeapColumnReader *reader, uint32_t n, uint32_t *ret_sites);
void pv_heap_column_read (PvHeapColumnReader *reader, uint32_t n, uint64_t *ret_values);
/* The same for columns that are signed. */
void pv_heap_column_read_signed (PvHeapColumnReader *reader, uint32_t n, int64_t *ret_values);

/* Adds each row's value in a column, signed or not, to sums[site], or to sums[slot_of_site[site]]
 * if slot_of_site is not NULL. */
void pv_heap_rows_add_up (const PvHeapRows *rows, PvHeapColumn column, const uint16_t *slot_of_site,
                          int64_t *sums);

/* Amounts of bytes times milliseconds stop at +-2^62 instead of overflowing. */
#define PV_HEAP_HELD_MAX ((int64_t)1 << 62)

static inline int64_t
pv_heap_clamp_held (__int128 held)
{
    if (held > PV_HEAP_HELD_MAX)
        return PV_HEAP_HELD_MAX;
    return held < -PV_HEAP_HELD_MAX ? -PV_HEAP_HELD_MAX : (int64_t)held;
}

/* held + bytes * ms */
static inline int64_t
pv_heap_add_held (int64_t held, int64_t bytes, int64_t ms)
{
    int64_t product, sum;
    if (!__builtin_mul_overflow (bytes, ms, &product) &&
        !__builtin_add_overflow (held, product, &sum) && sum <= PV_HEAP_HELD_MAX &&
        sum >= -PV_HEAP_HELD_MAX)
        return sum;
    return pv_heap_clamp_held (held + (__int128)bytes * ms);
}
