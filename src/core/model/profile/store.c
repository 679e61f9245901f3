/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/model/profile/store.h"

#include <string.h>

#include "core/base/array.h"
#include "core/base/large.h"
#include "core/base/ref.h"

PvStore *
pv_store_new (void)
{
    PvStore *store = g_new0 (PvStore, 1);
    store->ref_count = 1;
    store->arena = pv_arena_new ();
    store->strings = pv_interner_new ();
    return store;
}

PV_DEFINE_REF (pv_store_ref, PvStore, PvStore)

void
pv_store_unref (PvStore *store)
{
    if (!pv_ref_was_last (store))
        return;
    for (size_t i = 0; i < store->n_blocks; i++)
        g_free (store->blocks[i]);
    g_free (store->blocks);
    pv_interner_free (store->strings);
    pv_arena_free (store->arena);
    pv_store_unref (store->lender);
    g_free (store);
}

void
pv_store_take (PvStore *store, void *block)
{
    if (store->n_blocks == store->blocks_cap)
        store->blocks = pv_array_grow (store->blocks, &store->blocks_cap, store->n_blocks + 1,
                                       sizeof *store->blocks);
    store->blocks[store->n_blocks++] = block;
}

void
pv_store_column_init (PvStoreColumn *column, size_t element_size)
{
    g_assert (element_size > 0);
    *column = (PvStoreColumn){.element_size = (uint8_t)element_size};
}

void
pv_store_column_clear (PvStoreColumn *column)
{
    if (!column->is_published)
        g_free (column->data);
    *column = (PvStoreColumn){.element_size = column->element_size};
}

void
pv_store_column_take (PvStoreColumn *column, void *data, uint32_t n)
{
    pv_store_column_clear (column);
    column->data = data;
    column->len = column->cap = n;
}

void
pv_store_column_grow (PvStoreColumn *column, uint32_t n)
{
    uint64_t needed = (uint64_t)column->len + n;
    g_assert (needed < UINT32_MAX);
    uint64_t cap = MAX (needed, (uint64_t)column->cap + column->cap / 2);
    cap = CLAMP (cap, 64, UINT32_MAX - 1);
    if (column->is_published) {
        void *copy = g_malloc_n (cap, column->element_size);
        memcpy (copy, column->data, (size_t)column->len * column->element_size);
        column->data = copy;
        column->is_published = false;
    } else {
        column->data = pv_large_realloc (column->data, cap, column->element_size);
    }
    column->cap = (uint32_t)cap;
}

void *
pv_store_column_publish (PvStoreColumn *column, PvStore *store)
{
    if (!column->is_published && column->data != NULL) {
        pv_store_take (store, column->data);
        column->is_published = true;
    }
    return column->data;
}
