/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/model/heap/heap.h"

/*
 * Sizes of a site's allocations by class, while they are counted, for sites that have more than one
 * class: of the bin that is open. A site has a block: where each class is in it, one byte each, and
 * then a cell for each class seen so far. Sizes must be at most 2^62, so there are 64 classes.
 */
enum { PV_HEAP_N_COUNTED_CLASSES = 64 };

typedef struct {
    uint64_t n;
    uint64_t bytes;
} PvHeapSizeCell;

typedef struct {
    PvHeapSizeCell *cells;
    size_t len;
    size_t cap;
    uint32_t free_block[8]; /* by log of the number of cells; linked through n; 0: none */
} PvHeapSizes;

void pv_heap_sizes_clear (PvHeapSizes *sizes);

/* Room for one class more in a block; 0 makes the block. */
void pv_heap_sizes_insert (PvHeapSizes *sizes, uint32_t *block, unsigned size_class);

/* The cell of a class, or NULL if the block (0: no block) has none. */
static inline PvHeapSizeCell *
pv_heap_sizes_find (const PvHeapSizes *sizes, uint32_t block, unsigned size_class)
{
    if (block == 0)
        return NULL;
    unsigned place = ((const uint8_t *)&sizes->cells[block])[size_class];
    return place != 0 ? &sizes->cells[block + place] : NULL;
}

static inline unsigned
pv_heap_size_class (uint64_t size_bytes)
{
    return size_bytes < 2 ? (unsigned)size_bytes : 65 - (unsigned)__builtin_clzll (size_bytes - 1);
}

static inline void
pv_heap_sizes_add (PvHeapSizes *sizes, uint32_t *block, unsigned size_class, uint64_t size_bytes)
{
    PvHeapSizeCell *cell = pv_heap_sizes_find (sizes, *block, size_class);
    if (G_UNLIKELY (cell == NULL)) {
        pv_heap_sizes_insert (sizes, block, size_class);
        cell = pv_heap_sizes_find (sizes, *block, size_class);
    }
    cell->n++;
    cell->bytes += size_bytes;
}

/* Takes out what was counted in a block, by class, and leaves zeros. Returns how many classes have
 * any; the arrays have room for all. */
unsigned pv_heap_sizes_take (PvHeapSizes *sizes, uint32_t block, uint8_t *ret_classes,
                             PvHeapSizeCell *ret_cells);

/*
 * How long the blocks of a site lived, by class: a table of counts by site and class. When it gets
 * large, classes are made coarser, step by step down to one for each doubling. Blocks of class 0
 * are not stored: they are all that are not in the table.
 */
typedef struct {
    uint64_t *slots; /* key + 1, and a count in the low bits; 0: free */
    uint32_t mask;   /* slots - 1 */
    uint32_t len;
    unsigned coarse_bits;  /* of a class above the exact ones that are dropped */
    uint64_t *more_counts; /* pairs of key and count that no longer fitted a slot */
    size_t n_more;
    size_t cap_more;
    size_t n_waiting;
    uint64_t waiting[64]; /* keys whose slots are on their way from memory */
} PvHeapAges;

void pv_heap_ages_clear (PvHeapAges *ages);
void pv_heap_ages_add (PvHeapAges *ages, uint32_t site, uint64_t age_ms); /* not class 0 */
void pv_heap_ages_flush (PvHeapAges *ages);                               /* before reading */

/* Calls back for every count; a key may come several times. */
typedef void (*PvHeapAgeFunc) (void *data, uint32_t site, unsigned age_class, uint64_t n);
void pv_heap_ages_foreach (const PvHeapAges *ages, PvHeapAgeFunc func, void *data);
