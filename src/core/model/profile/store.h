/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/arena.h"
#include "core/base/intern.h"

/*
 * The memory that a builder and all its snapshots share, and the columns in it. Private to model/.
 *
 * A column is an array that one thread appends to. Once published, other threads may read it: from
 * then on growing copies it to a new block and leaves the old one to the store, so the pointers of
 * snapshots stay valid.
 */
typedef struct PvStore {
    int ref_count;          /* atomic */
    struct PvStore *lender; /* strings may belong to this one; NULL: all are its own */
    PvArena *arena;         /* only the builder's thread writes it */
    PvInterner *strings;
    void **blocks; /* malloc'ed, freed with the store */
    size_t n_blocks;
    size_t blocks_cap;
} PvStore;

PvStore *pv_store_new (void);
PvStore *pv_store_ref (PvStore *store);
void pv_store_unref (PvStore *store);
void pv_store_take (PvStore *store, void *block);

typedef struct {
    void *data;
    uint32_t len;
    uint32_t cap;
    uint8_t element_size;
    bool is_published; /* data belongs to the store */
} PvStoreColumn;

void pv_store_column_init (PvStoreColumn *column, size_t element_size);
void pv_store_column_clear (PvStoreColumn *column);

/* Replaces the column's content by a block of n elements from g_malloc () and takes ownership of
 * it. */
void pv_store_column_take (PvStoreColumn *column, void *data, uint32_t n);

/* Makes room for n more elements. Aborts beyond 2^32 - 1 elements. */
void pv_store_column_grow (PvStoreColumn *column, uint32_t n);

/* Appends n uninitialised elements. */
static inline void *
pv_store_column_extend (PvStoreColumn *column, uint32_t n)
{
    if (G_UNLIKELY (n > column->cap - column->len))
        pv_store_column_grow (column, n);
    void *start = (uint8_t *)column->data + (size_t)column->len * column->element_size;
    column->len += n;
    return start;
}

/* Passes the block to the store; the pointer stays valid as long as the store. */
void *pv_store_column_publish (PvStoreColumn *column, PvStore *store);

#define pv_store_column_push(column, T, value)                                                     \
    (*(T *)pv_store_column_extend ((column), 1) = (value))
#define pv_store_column_data(column, T) ((T *)(column)->data)
