/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/model/heap/heap-rows.h"
#include "core/model/heap/heap-sizes.h"
#include "core/model/heap/heap.h"

/*
 * Restores the history of a heap from a file of ours: bins in turn, each with its rows. Whatever
 * can be computed from rows is, so that figures agree and no sum overflows, whatever the file says.
 * A function returns false for input that no history has, and then changes nothing.
 * One thread at a time.
 */
typedef struct PvHeapRestorer PvHeapRestorer;

typedef struct {
    bool is_exact;
    bool is_attached;
    bool is_cut;
    bool has_sizes_of_bins; /* they are known, maybe without rows */
    uint64_t bin_ms;
    uint64_t duration_ms;
} PvHeapFrame;

/* NULL: no history has such bins. */
PvHeapRestorer *pv_heap_restorer_new (const PvHeapFrame *frame);
void pv_heap_restorer_free (PvHeapRestorer *self); /* NULL is allowed */

/* All sites come before the first bin. */
bool pv_heap_restorer_add_site (PvHeapRestorer *self, uint32_t stack);

/* A bin: its rows with ascending sites, then what else is known of it. after_ms: from the bin's
 * start to its highest moment. */
bool pv_heap_restorer_add_row (PvHeapRestorer *self, uint32_t site, const PvHeapRow *row);
bool pv_heap_restorer_end_bin (PvHeapRestorer *self, uint64_t n_frees, uint64_t after_ms,
                               uint64_t rss_bytes);

/* A further class of sizes of a site in a bin, see heap-sizes.h: after all bins, with ascending
 * bins, sites of a bin, and classes of a site; n is not 0. */
bool pv_heap_restorer_add_bin_size (PvHeapRestorer *self, uint64_t bin, const PvHeapSizeRow *row);

/* Sizes and ages, with ascending sites, and classes of a site; n is not 0. */
bool pv_heap_restorer_add_size (PvHeapRestorer *self, uint32_t site, uint32_t size_class,
                                uint64_t n, uint64_t n_bytes);
bool pv_heap_restorer_add_age (PvHeapRestorer *self, uint32_t site, uint32_t age_class, uint64_t n);

/* About how much memory is in use, with what finishing takes. */
uint64_t pv_heap_restorer_count_bytes (const PvHeapRestorer *self);

/* The history as far as there were whole bins: with fewer than there should be it is cut. The
 * restorer is spent afterwards and can only be freed. */
PvHeap *pv_heap_restorer_finish (PvHeapRestorer *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvHeapRestorer, pv_heap_restorer_free)
