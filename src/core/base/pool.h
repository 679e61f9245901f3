/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stddef.h>

/*
 * A few pthreads that share the items of a loop. The calling thread works too, as worker 0,
 * so a pool of one has no thread of its own. One pv_pool_run () at a time per pool.
 */
typedef struct PvPool PvPool;

/* item counts 0 .. n_items - 1, each is done once; worker is below pv_pool_get_size () and never
 * runs two items at once, so it can index per-worker state. */
typedef void (*PvPoolFunc) (void *data, size_t item, unsigned worker);

/* n_workers 0: one per processor, at most eight. */
PvPool *pv_pool_new (unsigned n_workers);
void pv_pool_free (PvPool *pool);
unsigned pv_pool_get_size (const PvPool *pool);

/* Returns when every item is done. Items are started in order. */
void pv_pool_run (PvPool *pool, size_t n_items, PvPoolFunc func, void *data);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvPool, pv_pool_free)
