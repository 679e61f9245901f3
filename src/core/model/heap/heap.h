/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/base/format.h"

/*
 * The history of a heap: what each allocation site allocated and freed, over time. Kept in one pass
 * over a trace, and enough to answer any question about a moment or a range without reading the
 * trace again.
 *
 * A site is a stack that allocates (a PvStackId of the profile); sites are numbered from 0. Time is
 * cut into bins of bin_ms each, 10 at first; whenever there would be more rows or bins than the
 * stated limits, neighbouring bins are joined, so an hour stays as bounded as a second. Bin b holds
 * the events at [b * bin_ms, (b + 1) * bin_ms) milliseconds since the start. All figures of a bin
 * are exact, however often bins were joined; a question about a range is about whole bins.
 *
 * Bytes are those that were requested, without the allocator's own. Immutable, reference counted,
 * any thread may read.
 */
typedef enum {
    PV_HEAP_NONE,        /* not a heap measure */
    PV_HEAP_PEAK,        /* bytes live when the most were, within the range */
    PV_HEAP_LEAKED,      /* bytes live at the end of the range, without suppressed sites */
    PV_HEAP_LIVE,        /* bytes live at the end of the range */
    PV_HEAP_GROWTH,      /* bytes live at its end minus those at its start: in parts, see PvPair */
    PV_HEAP_ALLOCATED,   /* bytes allocated within the range */
    PV_HEAP_ALLOCATIONS, /* calls that allocated */
    PV_HEAP_TEMPORARY,   /* allocations freed before anything else was allocated or freed */
    PV_HEAP_LIFETIME,    /* bytes times the milliseconds they were held within the range */
    PV_HEAP_INCREASE,    /* the growth of sites that grew */
    PV_HEAP_DECREASE,    /* that of sites that shrank, as an amount above zero */
    PV_N_HEAP_MEASURES
} PvHeapMeasure;

/* Everything in one bin. Levels (live_...) are at its end; they are negative only in damaged
 * files. */
typedef struct {
    int64_t live_bytes;
    int64_t live_blocks;
    int64_t peak_bytes; /* the highest level after any event in the bin, or at its start ... */
    uint64_t peak_ms;   /* ... and when that was first reached */
    uint64_t allocated_bytes;
    uint64_t n_allocations;
    uint64_t n_temporary;
    uint64_t rss_bytes; /* highest reported in the bin, else the last one before it */
} PvHeapBin;

/* A class of allocation sizes: [low, high] bytes. */
typedef struct {
    uint64_t low_bytes;
    uint64_t high_bytes;
    uint64_t n_allocations;
    uint64_t allocated_bytes;
} PvHeapSizeClass;

enum { PV_HEAP_N_SIZE_CLASSES = 66 }; /* 0, 1, 2, 3-4, 5-8, ... by powers of two */
enum { PV_HEAP_N_AGE_CLASSES = 640 }; /* see pv_heap_age_class () */

typedef struct PvHeapRows PvHeapRows;
typedef struct PvHeapSizeRows PvHeapSizeRows;

typedef struct {
    int ref_count; /* atomic */

    uint32_t n_sites;
    const uint32_t *stack_of_site; /* PvStackId; several sites may have the same */

    uint64_t bin_ms;
    uint32_t n_bins;
    const PvHeapBin *bins;
    uint64_t duration_ms; /* the last time stamp */

    /* Activity of sites in each bin, see heap-rows.h; NULL where nothing happened. */
    uint64_t n_rows;
    PvHeapRows *const *rows_of_bin;

    /* The whole recording. */
    uint64_t n_allocations;
    uint64_t allocated_bytes;
    uint64_t n_frees;
    uint64_t n_temporary;
    int64_t leaked_bytes; /* live at the end, suppressed ones too */
    int64_t peak_bytes;
    uint64_t peak_ms;
    uint64_t peak_rss_bytes; /* 0: unknown */
    /* Sums over the weights of sites, of which negative ones count as 0; growth is increase +
     * decrease. */
    uint64_t total_of_measure[PV_N_HEAP_MEASURES];

    /* Sizes and ages, sparse: those of site s are the entries [first_size_of_site[s],
     * first_size_of_site[s + 1]), and so on. */
    PvHeapSizeClass size_classes[PV_HEAP_N_SIZE_CLASSES]; /* of all sites together */
    const uint32_t *first_size_of_site;
    const uint8_t *class_of_size;
    const uint64_t *allocations_of_size;
    const uint64_t *bytes_of_size;
    /* Further sizes of sites in each bin, see heap-sizes.h; entries are NULL where there are none.
     * NULL: sizes are those of the whole recording only, as in packs of earlier versions. */
    PvHeapSizeRows *const *sizes_of_bin;
    const uint32_t *first_age_of_site; /* NULL: the file does not tell which block was freed */
    const uint16_t *class_of_age;
    /* Blocks that lived that long; those never freed count with their age at the end. Where there
     * were millions of different ages, neighbouring classes of a doubling count as its first. */
    const uint64_t *frees_of_age;

    /* How exact the figures are, for display. */
    bool is_exact;    /* blocks are known by their pointers (raw traces) */
    bool is_attached; /* recorded from the middle of the program's life */
    bool is_cut;      /* ends before the program did: leaked and peak are "so far" */
} PvHeap;

PvHeap *pv_heap_ref (const PvHeap *heap);
void pv_heap_unref (PvHeap *heap); /* NULL is allowed */

/* The meaning of each measure. Texts for people are translated where they are shown. */
typedef struct {
    const char *name; /* as --measure knows it */
    const char *title;
    const char *meaning;       /* one line; NULL: needs more than the measure to tell */
    const char *range_meaning; /* the same of a part of the time */
    PvUnit unit;
    bool is_sum; /* over time; else a level, or a difference of levels */
} PvHeapMeasureInfo;

extern const PvHeapMeasureInfo pv_heap_measures[PV_N_HEAP_MEASURES];

/* Lifetimes by classes, exact below 64 ms, then 32 to each doubling (3 %). */
unsigned pv_heap_age_class (uint64_t age_ms);
uint64_t pv_heap_age_of_class (unsigned age_class); /* its lower end, ms */

/* The bins that a range of nanoseconds since the start touches: [*ret_first, *ret_end). A range to
 * the last stamp or beyond has all that happened at it. */
void pv_heap_get_bins (const PvHeap *heap, uint64_t start_ns, uint64_t end_ns, uint32_t *ret_first,
                       uint32_t *ret_end);

/*
 * The weight of each site by a measure within bins [first, end): ret_weight_of_site has n_sites
 * entries, which are overwritten. May be negative in damaged files, and by PV_HEAP_GROWTH and its
 * parts, which here are the plain difference. PV_HEAP_LEAKED is PV_HEAP_LIVE: suppressions need
 * names. Lifetimes beyond 2^62 count as that. ret_total, if not NULL, gets the sum. One pass over
 * the rows of the range, and of all before it for levels; by several threads where there are
 * millions.
 */
void pv_heap_weigh_sites (const PvHeap *heap, PvHeapMeasure measure, uint32_t first_bin,
                          uint32_t end_bin, int64_t *ret_weight_of_site, int64_t *ret_total);

/* The bin within [first, end) that has the highest peak_bytes, the first such one. */
uint32_t pv_heap_find_peak (const PvHeap *heap, uint32_t first_bin, uint32_t end_bin);

/*
 * Builds a PvHeap. One thread at a time; memory is bounded by the number of sites, rows and bins,
 * not by the number of events.
 */
typedef enum {
    PV_HEAP_EVENT_ALLOC,          /* value: bytes */
    PV_HEAP_EVENT_FREE,           /* value: bytes; age_ms */
    PV_HEAP_EVENT_FREE_TEMPORARY, /* a free that directly follows the allocation of the block */
    PV_HEAP_EVENT_TIME,           /* value: milliseconds since the start; never goes back */
    PV_HEAP_EVENT_RSS,            /* value: bytes */
    PV_HEAP_EVENT_ATTACHED,       /* events before it do not count for the totals and bins */
} PvHeapEventKind;

enum { PV_HEAP_AGE_UNKNOWN = (1 << 29) - 1 };

typedef struct {
    uint64_t value;
    uint32_t site; /* below the number of sites added so far; 0 for other kinds of event */
    uint32_t kind : 3;
    uint32_t age_ms : 29; /* of a freed block; PV_HEAP_AGE_UNKNOWN if longer, or not exact */
} PvHeapEvent;

typedef struct PvHeapBuilder PvHeapBuilder;

/* is_exact: free events know their ages, and pv_heap_builder_add_unfreed () will be called.
 * max_rows 0: the default of 10 Mi rows (120 MB); twice the number of sites is always allowed. */
PvHeapBuilder *pv_heap_builder_new (bool is_exact, uint64_t max_rows);
void pv_heap_builder_free (PvHeapBuilder *builder);

/* A copy of the builder, to look at the history before its end. Takes as long as copying the
 * rows. */
PvHeapBuilder *pv_heap_builder_copy (const PvHeapBuilder *builder);

/* Events in their order; sites may be any number below 2^31: those not seen before are made, and
 * those between too, a hundred bytes each. Stamps stop at 2^44 ms, and so do bytes allocated and
 * bytes freed at 2^62 each. */
void pv_heap_builder_add (PvHeapBuilder *builder, const PvHeapEvent *events, size_t n_events);

/* A block that was never freed, for lifetimes: after the last event. */
void pv_heap_builder_add_unfreed (PvHeapBuilder *builder, uint32_t site, uint64_t age_ms);

/* The history; the builder is spent afterwards and can only be freed. stack_of_site is copied and
 * has n_sites entries, at least as many as there were in events. */
PvHeap *pv_heap_builder_finish (PvHeapBuilder *builder, const uint32_t *stack_of_site,
                                uint32_t n_sites);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvHeap, pv_heap_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvHeapBuilder, pv_heap_builder_free)
