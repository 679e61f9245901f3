/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stddef.h>

#include "core/base/array.h"
#include "core/model/heap/heap.h"

/*
 * Sizes of allocations in one bin of a heap's history, packed. Most sites allocate in one class of
 * sizes only, which their other rows tell: here are the further classes of the others. The first
 * class of a site, the one that it began with, is never here: it has what these leave of all. Rows
 * are in order of sites, and of classes. Immutable, one block of memory, g_free () it.
 */
typedef struct PvHeapSizeRows {
    uint32_t n_rows;
    size_t size_bytes; /* of the whole block */
    uint8_t packed[];
} PvHeapSizeRows;

typedef struct {
    uint32_t site;
    uint32_t size_class;
    uint64_t n_allocations;
    uint64_t allocated_bytes;
} PvHeapSizeRow;

/* Rows to be packed. */
typedef struct {
    uint32_t n_rows;
    uint32_t last_site;
    PV_ARRAY (uint8_t) packed;
} PvHeapSizeBuffer;

void pv_heap_size_buffer_clear (PvHeapSizeBuffer *buffer);
void pv_heap_size_buffer_push (PvHeapSizeBuffer *buffer, const PvHeapSizeRow *row);

/* Empties the buffer. NULL for no rows. */
PvHeapSizeRows *pv_heap_size_rows_pack (PvHeapSizeBuffer *buffer);

/* Reads rows from the first one on. */
typedef struct {
    uint32_t n_left;
    const uint8_t *at;
    PvHeapSizeRow row;
} PvHeapSizeReader;

PvHeapSizeReader pv_heap_size_reader (const PvHeapSizeRows *rows); /* NULL: no rows */
/* False after the last row; else it is reader->row. */
bool pv_heap_size_reader_next (PvHeapSizeReader *reader);

/* The rows of several bins as those of one. Parts without rows are NULL; NULL if all are. Takes the
 * parts and leaves NULL in their places. */
PvHeapSizeRows *pv_heap_size_rows_join (PvHeapSizeRows **parts, uint32_t n_parts);

/* Allocations within bins [first, end) by size: ret_allocations and ret_bytes have an entry for
 * each of the heap's sizes, heap->first_size_of_site[heap->n_sites] in all, which is overwritten.
 * False, with those of the whole recording, if the heap does not know sizes by time. One pass over
 * the rows of sizes. */
bool pv_heap_weigh_sizes (const PvHeap *heap, uint32_t first_bin, uint32_t end_bin,
                          uint64_t *ret_allocations, uint64_t *ret_bytes);
