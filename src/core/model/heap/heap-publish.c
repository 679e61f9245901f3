/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sizes and ages by site, as PvHeap has them. */
#include <string.h>

#include "core/base/large.h"
#include "core/model/heap/heap-builder-private.h"

/* Sizes */

void
pv_heap_init_size_classes (PvHeapSizeClass *classes)
{
    for (unsigned c = 0; c < PV_HEAP_N_SIZE_CLASSES; c++) {
        uint64_t low = c < 3 ? c : ((uint64_t)1 << (c - 2)) + 1;
        uint64_t high = c < 3 ? c : c < 65 ? (uint64_t)1 << (c - 1) : UINT64_MAX;
        classes[c] = (PvHeapSizeClass){.low_bytes = low, .high_bytes = high};
    }
}

/* The cells of one site by class. The first class is what the others leave of all. Returns how many
 * there are. */
static unsigned
find_cells (const PvHeapBuilder *builder, uint32_t number, PvHeapSizeCell all,
            PvHeapSizeCell *cells)
{
    const PvHeapSite *site = &builder->sites[number];
    unsigned n = 0;
    memset (cells, 0, PV_HEAP_N_COUNTED_CLASSES * sizeof *cells);
    if (site->first_class == 0)
        return 0;
    for (unsigned c = 0; c < PV_HEAP_N_COUNTED_CLASSES; c++) {
        const PvHeapSizeCell *cell = pv_heap_sizes_find (&builder->sizes, site->sizes, c);
        if (cell == NULL)
            continue;
        cells[c] = *cell;
        all.n -= cell->n;
        all.bytes -= cell->bytes;
        n++;
    }
    cells[site->first_class - 1] = all;
    return n + 1;
}

static int64_t *
weigh (const PvHeap *heap, PvHeapMeasure measure)
{
    int64_t *weights = pv_new_large (int64_t, MAX (heap->n_sites, 1));
    pv_heap_weigh_sites (heap, measure, 0, heap->n_bins, weights, NULL);
    return weights;
}

/* Adds up what was counted in all bins. */
static void
gather_cells (PvHeapBuilder *builder, const PvHeap *heap)
{
    for (uint32_t b = 0; b < heap->n_bins; b++) {
        PvHeapSizeReader reader = pv_heap_size_reader (heap->sizes_of_bin[b]);
        while (pv_heap_size_reader_next (&reader)) {
            PvHeapSizeCell *cell = pv_heap_sizes_find (
                &builder->sizes, builder->sites[reader.row.site].sizes, reader.row.size_class);
            cell->n += reader.row.n_allocations;
            cell->bytes += reader.row.allocated_bytes;
        }
    }
}

void
pv_heap_builder_publish_sizes (PvHeapBuilder *builder, PvHeap *heap)
{
    PvHeapSizeCell cells[PV_HEAP_N_COUNTED_CLASSES];
    g_autofree int64_t *allocations_of_site = weigh (heap, PV_HEAP_ALLOCATIONS);
    g_autofree int64_t *bytes_of_site = weigh (heap, PV_HEAP_ALLOCATED);
    uint32_t *first = g_new (uint32_t, (size_t)heap->n_sites + 1);
    PV_ARRAY (uint8_t) classes = {0};
    PV_ARRAY (uint64_t) allocations = {0};
    PV_ARRAY (uint64_t) bytes = {0};
    pv_heap_init_size_classes (heap->size_classes);
    gather_cells (builder, heap);
    for (uint32_t s = 0; s < heap->n_sites; s++) {
        first[s] = (uint32_t)classes.len;
        PvHeapSizeCell all = {(uint64_t)allocations_of_site[s], (uint64_t)bytes_of_site[s]};
        if (s >= builder->n_sites || find_cells (builder, s, all, cells) == 0)
            continue;
        for (unsigned c = 0; c < PV_HEAP_N_COUNTED_CLASSES; c++) {
            if (cells[c].n == 0)
                continue;
            pv_array_push (&classes, (uint8_t)c);
            pv_array_push (&allocations, cells[c].n);
            pv_array_push (&bytes, cells[c].bytes);
            heap->size_classes[c].n_allocations += cells[c].n;
            heap->size_classes[c].allocated_bytes += cells[c].bytes;
        }
    }
    first[heap->n_sites] = (uint32_t)classes.len;
    heap->first_size_of_site = first;
    heap->class_of_size = pv_array_steal (&classes);
    heap->allocations_of_size = pv_array_steal (&allocations);
    heap->bytes_of_size = pv_array_steal (&bytes);
    pv_heap_sizes_clear (&builder->sizes);
}

/* Ages */

/* Tables that turn counts of ages into entries: dealt out to sites, sorted by class, and those of
 * one class added up. */
typedef struct {
    uint64_t *left_of_site; /* blocks whose age is not in the table: of class 0 */
    uint32_t *next_of_site;
    uint16_t *classes;
    uint64_t *counts;
} AgeTables;

static void
count_age (void *data, uint32_t site, unsigned age_class, uint64_t n)
{
    AgeTables *tables = data;
    (void)age_class;
    tables->left_of_site[site] -= MIN (n, tables->left_of_site[site]);
    tables->next_of_site[site + 1]++;
}

static void
place_age (void *data, uint32_t site, unsigned age_class, uint64_t n)
{
    AgeTables *tables = data;
    uint32_t at = tables->next_of_site[site]++;
    tables->classes[at] = (uint16_t)age_class;
    tables->counts[at] = n;
}

/* There are some hundred classes at most, and mostly a few: sorted as they come. Returns how many
 * are left. */
static uint32_t
sort_ages (uint16_t *classes, uint64_t *counts, uint32_t n)
{
    uint32_t n_sorted = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint16_t age_class = classes[i];
        uint64_t count = counts[i];
        uint32_t at = n_sorted;
        while (at > 0 && classes[at - 1] > age_class)
            at--;
        if (at > 0 && classes[at - 1] == age_class) {
            counts[at - 1] += count;
            continue;
        }
        memmove (classes + at + 1, classes + at, (n_sorted - at) * sizeof *classes);
        memmove (counts + at + 1, counts + at, (n_sorted - at) * sizeof *counts);
        classes[at] = age_class;
        counts[at] = count;
        n_sorted++;
    }
    return n_sorted;
}

static void
count_blocks (const PvHeapBuilder *builder, uint64_t *blocks_of_site)
{
    for (uint32_t s = 0; s < builder->n_sites; s++)
        blocks_of_site[s] = builder->sites[s].frees;
    for (size_t s = 0; s < builder->unfreed_of_site.len; s++)
        blocks_of_site[s] += builder->unfreed_of_site.data[s];
}

/* Entries that were added to others leave holes. */
static void
close_holes (const AgeTables *tables, uint32_t *first, uint32_t n_sites)
{
    uint32_t out = 0;
    for (uint32_t s = 0; s < n_sites; s++) {
        uint32_t from = first[s];
        uint32_t n = sort_ages (tables->classes + from, tables->counts + from, first[s + 1] - from);
        memmove (tables->classes + out, tables->classes + from, n * sizeof (uint16_t));
        memmove (tables->counts + out, tables->counts + from, n * sizeof (uint64_t));
        first[s] = out;
        out += n;
    }
    first[n_sites] = out;
}

void
pv_heap_builder_publish_ages (PvHeapBuilder *builder, PvHeap *heap)
{
    uint32_t n_sites = heap->n_sites;
    AgeTables tables = {
        .left_of_site = g_new0 (uint64_t, MAX (n_sites, 1)),
        .next_of_site = g_new0 (uint32_t, (size_t)n_sites + 1),
    };
    pv_heap_ages_flush (&builder->ages);
    count_blocks (builder, tables.left_of_site);
    pv_heap_ages_foreach (&builder->ages, count_age, &tables);
    for (uint32_t s = 0; s < n_sites; s++)
        tables.next_of_site[s + 1] += tables.next_of_site[s] + (tables.left_of_site[s] > 0);
    uint32_t *first = g_memdup2 (tables.next_of_site, ((size_t)n_sites + 1) * sizeof (uint32_t));
    tables.classes = g_new (uint16_t, MAX (first[n_sites], 1));
    tables.counts = g_new (uint64_t, MAX (first[n_sites], 1));
    for (uint32_t s = 0; s < n_sites; s++) {
        if (tables.left_of_site[s] > 0)
            place_age (&tables, s, 0, tables.left_of_site[s]);
    }
    pv_heap_ages_foreach (&builder->ages, place_age, &tables);
    pv_heap_ages_clear (&builder->ages);
    close_holes (&tables, first, n_sites);
    heap->first_age_of_site = first;
    heap->class_of_age = tables.classes;
    heap->frees_of_age = tables.counts;
    g_free (tables.left_of_site);
    g_free (tables.next_of_site);
}
