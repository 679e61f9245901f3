/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/base/array.h"
#include "core/model/heap/heap-classes.h"
#include "core/model/heap/heap-join.h"
#include "core/model/heap/heap.h"

/* Declarations shared by the files of the builder and the restorer. */

/* A site in the open bin: one line of the processor's cache. */
typedef struct {
    uint64_t epoch; /* below first_epoch: not touched in the open bin, and the sums are 0 */
    int64_t net;
    int64_t at_peak;
    int64_t held;
    uint64_t allocated;
    uint32_t allocations;
    uint32_t temporary;
    /* For the whole recording: */
    uint64_t frees;
    uint32_t sizes;      /* block for all classes of sizes but the first */
    uint8_t first_class; /* one more than it; 0: nothing was allocated */
    bool has_sizes;      /* others were allocated in the open bin */
} PvHeapSite;

struct PvHeapBuilder {
    bool is_exact;
    uint64_t max_rows;

    PvHeapSite *sites;
    uint64_t *touched; /* bits: sites of the open bin */
    uint32_t n_touched;
    uint32_t n_sites;
    uint32_t cap_sites;

    uint64_t now_ms;
    uint64_t bin_ms;
    uint64_t open; /* index of the open bin: the next one, or the last if that is reopened */
    uint64_t open_end_ms;
    uint64_t epoch;
    uint64_t first_epoch; /* of the open bin */
    uint64_t n_open_events;
    uint64_t open_volume; /* bytes allocated and freed in it */
    PvHeapBin bin;        /* the open one */
    bool has_rss;         /* reported in the open bin */

    PV_ARRAY (PvHeapPart) parts; /* bins that are closed */
    uint64_t n_rows;
    uint64_t rows_bytes;
    uint64_t sizes_bytes;
    PvHeapRowBuffer buffer;
    PvHeapSizeBuffer size_buffer;

    uint64_t allocated_budget;
    uint64_t freed_budget;
    uint64_t last_rss;
    bool is_attached;
    uint64_t n_allocations;
    uint64_t allocated_bytes;
    uint64_t n_frees;
    uint64_t n_temporary;
    int64_t peak_bytes;
    uint64_t peak_ms;
    uint64_t peak_rss;

    PvHeapSizes sizes;
    PvHeapAges ages;
    PV_ARRAY (uint64_t) unfreed_of_site;
};

/* Sizes and ages by site, when all events are in and the heap has its bins. */
void pv_heap_builder_publish_sizes (PvHeapBuilder *builder, PvHeap *heap);
void pv_heap_builder_publish_ages (PvHeapBuilder *builder, PvHeap *heap);

/* The bounds of all classes of sizes, and no allocations. */
void pv_heap_init_size_classes (PvHeapSizeClass *classes);

/* The totals of all measures, of a heap that has all else. */
void pv_heap_sum_measures (PvHeap *heap);
