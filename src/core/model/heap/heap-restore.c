/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/model/heap/heap-restore.h"

#include "core/model/heap/heap-builder-private.h"

/* The most bins, and the same limits of sums as a builder's. */
enum { MAX_BINS = 1 << 16 };
#define MAX_MS  ((uint64_t)1 << 44)
#define MAX_SUM ((uint64_t)1 << 62)

/* Bytes for a site while its measures are summed and its sizes and ages are listed. */
enum { BYTES_PER_SITE = 32 };

typedef struct {
    uint32_t site;
    PvHeapRow row;
} Row;

/* Amounts that go up to a limit and no further. */
typedef struct {
    uint64_t allocated, freed;
    uint64_t allocations, temporary, frees;
    uint64_t sizes, sized_bytes;
    uint64_t bin_sizes, bin_sized_bytes;
    uint64_t ages;
} Sums;

struct PvHeapRestorer {
    PvHeapFrame frame;
    PV_ARRAY (uint32_t) stack_of_site;
    PV_ARRAY (PvHeapBin) bins;
    PV_ARRAY (PvHeapRows *) rows_of_bin;
    uint64_t n_rows, rows_bytes;
    Sums sums;

    PV_ARRAY (Row) rows; /* of the bin at hand */
    PvHeapBin bin;
    int64_t at_peak; /* from its start to its highest moment */
    PvHeapRowBuffer buffer;

    PV_ARRAY (PvHeapSizeRows *) sizes_of_bin;
    PvHeapSizeBuffer size_buffer; /* of the next one */
    PvHeapSizeRow last_size;      /* in the buffer */
    uint64_t sizes_bytes;

    PV_ARRAY (uint32_t) site_of_size;
    PV_ARRAY (uint8_t) class_of_size;
    PV_ARRAY (uint64_t) allocations_of_size;
    PV_ARRAY (uint64_t) bytes_of_size;
    PV_ARRAY (uint32_t) site_of_age;
    PV_ARRAY (uint16_t) class_of_age;
    PV_ARRAY (uint64_t) frees_of_age;
};

PvHeapRestorer *
pv_heap_restorer_new (const PvHeapFrame *frame)
{
    g_assert (frame != NULL);
    if (frame->bin_ms == 0 || frame->duration_ms > MAX_MS || frame->bin_ms > MAX_MS * 4 ||
        frame->duration_ms / frame->bin_ms >= MAX_BINS)
        return NULL;
    PvHeapRestorer *self = g_new0 (PvHeapRestorer, 1);
    self->frame = *frame;
    return self;
}

void
pv_heap_restorer_free (PvHeapRestorer *self)
{
    if (self == NULL)
        return;
    for (size_t b = 0; b < self->rows_of_bin.len; b++)
        g_free (self->rows_of_bin.data[b]);
    pv_array_clear (&self->stack_of_site);
    pv_array_clear (&self->bins);
    pv_array_clear (&self->rows_of_bin);
    pv_array_clear (&self->rows);
    pv_heap_row_buffer_clear (&self->buffer);
    for (size_t b = 0; b < self->sizes_of_bin.len; b++)
        g_free (self->sizes_of_bin.data[b]);
    pv_array_clear (&self->sizes_of_bin);
    pv_heap_size_buffer_clear (&self->size_buffer);
    pv_array_clear (&self->site_of_size);
    pv_array_clear (&self->class_of_size);
    pv_array_clear (&self->allocations_of_size);
    pv_array_clear (&self->bytes_of_size);
    pv_array_clear (&self->site_of_age);
    pv_array_clear (&self->class_of_age);
    pv_array_clear (&self->frees_of_age);
    g_free (self);
}

uint64_t
pv_heap_restorer_count_bytes (const PvHeapRestorer *self)
{
    g_assert (self != NULL);
    return self->stack_of_site.len * (sizeof (uint32_t) + BYTES_PER_SITE) +
           self->bins.cap * sizeof (PvHeapBin) + self->rows_of_bin.cap * sizeof (PvHeapRows *) +
           self->rows_bytes + self->rows.cap * (sizeof (Row) + 2 * PV_HEAP_N_COLUMNS * 9) +
           self->sizes_of_bin.cap * sizeof (PvHeapSizeRows *) + self->sizes_bytes +
           2 * self->size_buffer.packed.cap +
           self->class_of_size.cap * (sizeof (uint32_t) + 1 + 2 * sizeof (uint64_t)) +
           self->class_of_age.cap * (sizeof (uint32_t) + sizeof (uint16_t) + sizeof (uint64_t));
}

/* Adds to a sum unless that would go beyond the limit. */
static bool
has_room (uint64_t sum, uint64_t amount)
{
    return amount <= MAX_SUM - sum;
}

/* --- sites and bins --- */

bool
pv_heap_restorer_add_site (PvHeapRestorer *self, uint32_t stack)
{
    g_assert (self != NULL);
    if (self->bins.len > 0 || self->rows.len > 0 || self->stack_of_site.len >= INT32_MAX)
        return false;
    pv_array_push (&self->stack_of_site, stack);
    return true;
}

/* Within a bin a site's level is between what was freed and what was allocated. */
static bool
is_sound (const PvHeapRow *row)
{
    return row->allocated <= MAX_SUM && row->net <= (int64_t)row->allocated &&
           row->net >= -(int64_t)MAX_SUM && row->at_peak <= (int64_t)row->allocated &&
           row->at_peak >= row->net - (int64_t)row->allocated && row->held <= PV_HEAP_HELD_MAX &&
           row->held >= -PV_HEAP_HELD_MAX;
}

bool
pv_heap_restorer_add_row (PvHeapRestorer *self, uint32_t site, const PvHeapRow *row)
{
    g_assert (self != NULL && row != NULL);
    Sums *sums = &self->sums;
    size_t n = self->rows.len;
    if (site >= self->stack_of_site.len || (n > 0 && site <= self->rows.data[n - 1].site) ||
        !is_sound (row))
        return false;
    uint64_t freed = row->allocated - (uint64_t)row->net;
    if (!has_room (sums->allocated, row->allocated) || !has_room (sums->freed, freed) ||
        !has_room (sums->allocations, row->allocations) ||
        !has_room (sums->temporary, row->temporary))
        return false;
    sums->allocated += row->allocated;
    sums->freed += freed;
    sums->allocations += row->allocations;
    sums->temporary += row->temporary;
    self->bin.allocated_bytes += row->allocated;
    self->bin.n_allocations += row->allocations;
    self->bin.n_temporary += row->temporary;
    self->bin.live_bytes += row->net;
    self->at_peak += row->at_peak;
    Row copy = {.site = site, .row = *row};
    pv_array_push (&self->rows, copy);
    return true;
}

static void
push_rows (PvHeapRestorer *self)
{
    pv_heap_row_buffer_begin (&self->buffer, (uint32_t)self->rows.len);
    for (size_t i = 0; i < self->rows.len; i++)
        pv_heap_row_buffer_push (&self->buffer, self->rows.data[i].site, &self->rows.data[i].row);
    PvHeapRows *rows = pv_heap_rows_pack (&self->buffer);
    self->n_rows += self->rows.len;
    self->rows_bytes += rows != NULL ? rows->size_bytes : 0;
    self->rows.len = 0;
    pv_array_push (&self->rows_of_bin, rows);
}

bool
pv_heap_restorer_end_bin (PvHeapRestorer *self, uint64_t n_frees, uint64_t after_ms,
                          uint64_t rss_bytes)
{
    g_assert (self != NULL);
    size_t n = self->bins.len;
    int64_t level = n > 0 ? self->bins.data[n - 1].live_bytes : 0;
    int64_t peak = level + self->at_peak;
    if (n > self->frame.duration_ms / self->frame.bin_ms || after_ms > self->frame.bin_ms ||
        !has_room (self->sums.frees, n_frees) || peak < level || peak < self->bin.live_bytes)
        return false;
    self->sums.frees += n_frees;
    self->bin.live_blocks += (int64_t)self->bin.n_allocations - (int64_t)n_frees;
    self->bin.peak_bytes = peak;
    self->bin.peak_ms = n * self->frame.bin_ms + after_ms;
    self->bin.rss_bytes = rss_bytes;
    pv_array_push (&self->bins, self->bin);
    push_rows (self);
    self->bin = (PvHeapBin){
        .live_bytes = self->bin.live_bytes,
        .live_blocks = self->bin.live_blocks,
    };
    self->at_peak = 0;
    return true;
}

/* --- sizes and ages --- */

/* True if a row may follow the last one: sites go up, and so do the classes of a site. */
static bool
may_follow (size_t n, const uint32_t *sites, uint32_t last_class, uint32_t site, uint32_t row_class)
{
    return n == 0 || site > sites[n - 1] || (site == sites[n - 1] && row_class > last_class);
}

/* Ends bins before this one. */
static void
push_sizes (PvHeapRestorer *self, uint64_t bin)
{
    while (self->sizes_of_bin.len < bin) {
        PvHeapSizeRows *rows = pv_heap_size_rows_pack (&self->size_buffer);
        self->sizes_bytes += rows != NULL ? rows->size_bytes : 0;
        pv_array_push (&self->sizes_of_bin, rows);
    }
}

bool
pv_heap_restorer_add_bin_size (PvHeapRestorer *self, uint64_t bin, const PvHeapSizeRow *row)
{
    g_assert (self != NULL && row != NULL);
    const PvHeapSizeRow *last = &self->last_size;
    if (!self->frame.has_sizes_of_bins || bin >= self->bins.len || bin < self->sizes_of_bin.len ||
        row->site >= self->stack_of_site.len || row->size_class >= PV_HEAP_N_COUNTED_CLASSES ||
        row->n_allocations == 0 || !has_room (self->sums.bin_sizes, row->n_allocations) ||
        !has_room (self->sums.bin_sized_bytes, row->allocated_bytes))
        return false;
    bool is_next = bin == self->sizes_of_bin.len && self->size_buffer.n_rows > 0;
    if (is_next && (row->site < last->site ||
                    (row->site == last->site && row->size_class <= last->size_class)))
        return false;
    push_sizes (self, bin);
    pv_heap_size_buffer_push (&self->size_buffer, row);
    self->last_size = *row;
    self->sums.bin_sizes += row->n_allocations;
    self->sums.bin_sized_bytes += row->allocated_bytes;
    return true;
}

bool
pv_heap_restorer_add_size (PvHeapRestorer *self, uint32_t site, uint32_t size_class, uint64_t n,
                           uint64_t n_bytes)
{
    g_assert (self != NULL);
    size_t len = self->site_of_size.len;
    uint32_t last = len > 0 ? self->class_of_size.data[len - 1] : 0;
    if (site >= self->stack_of_site.len || size_class >= PV_HEAP_N_COUNTED_CLASSES || n == 0 ||
        !may_follow (len, self->site_of_size.data, last, site, size_class) ||
        !has_room (self->sums.sizes, n) || !has_room (self->sums.sized_bytes, n_bytes) ||
        len >= UINT32_MAX - 1)
        return false;
    self->sums.sizes += n;
    self->sums.sized_bytes += n_bytes;
    pv_array_push (&self->site_of_size, site);
    pv_array_push (&self->class_of_size, (uint8_t)size_class);
    pv_array_push (&self->allocations_of_size, n);
    pv_array_push (&self->bytes_of_size, n_bytes);
    return true;
}

bool
pv_heap_restorer_add_age (PvHeapRestorer *self, uint32_t site, uint32_t age_class, uint64_t n)
{
    g_assert (self != NULL);
    size_t len = self->site_of_age.len;
    uint32_t last = len > 0 ? self->class_of_age.data[len - 1] : 0;
    if (!self->frame.is_exact || site >= self->stack_of_site.len ||
        age_class >= PV_HEAP_N_AGE_CLASSES || n == 0 ||
        !may_follow (len, self->site_of_age.data, last, site, age_class) ||
        !has_room (self->sums.ages, n) || len >= UINT32_MAX - 1)
        return false;
    self->sums.ages += n;
    pv_array_push (&self->site_of_age, site);
    pv_array_push (&self->class_of_age, (uint16_t)age_class);
    pv_array_push (&self->frees_of_age, n);
    return true;
}

/* --- the end --- */

/* Where the rows of each site begin; they are in order of sites. */
static uint32_t *
find_first (const uint32_t *sites, size_t n, uint32_t n_sites)
{
    uint32_t *first = g_new (uint32_t, (size_t)n_sites + 1);
    size_t at = 0;
    for (uint32_t s = 0; s < n_sites; s++) {
        first[s] = (uint32_t)at;
        while (at < n && sites[at] == s)
            at++;
    }
    first[n_sites] = (uint32_t)n;
    return first;
}

static void
publish_sizes (PvHeapRestorer *self, PvHeap *heap)
{
    pv_heap_init_size_classes (heap->size_classes);
    for (size_t i = 0; i < self->site_of_size.len; i++) {
        PvHeapSizeClass *row = &heap->size_classes[self->class_of_size.data[i]];
        row->n_allocations += self->allocations_of_size.data[i];
        row->allocated_bytes += self->bytes_of_size.data[i];
    }
    heap->first_size_of_site =
        find_first (self->site_of_size.data, self->site_of_size.len, heap->n_sites);
    heap->class_of_size = pv_array_steal (&self->class_of_size);
    heap->allocations_of_size = pv_array_steal (&self->allocations_of_size);
    heap->bytes_of_size = pv_array_steal (&self->bytes_of_size);
}

static void
publish_ages (PvHeapRestorer *self, PvHeap *heap)
{
    heap->first_age_of_site =
        find_first (self->site_of_age.data, self->site_of_age.len, heap->n_sites);
    heap->class_of_age = pv_array_steal (&self->class_of_age);
    heap->frees_of_age = pv_array_steal (&self->frees_of_age);
}

/* Figures of the whole recording, from all bins. */
static void
sum_bins (PvHeap *heap)
{
    for (uint32_t b = 0; b < heap->n_bins; b++) {
        const PvHeapBin *bin = &heap->bins[b];
        heap->peak_rss_bytes = MAX (heap->peak_rss_bytes, bin->rss_bytes);
        if (bin->peak_bytes <= heap->peak_bytes)
            continue;
        heap->peak_bytes = bin->peak_bytes;
        heap->peak_ms = bin->peak_ms;
    }
    heap->leaked_bytes = heap->bins[heap->n_bins - 1].live_bytes;
}

static void
publish_bins (PvHeapRestorer *self, PvHeap *heap)
{
    PvHeapFrame *frame = &self->frame;
    if (self->bins.len <= frame->duration_ms / frame->bin_ms) {
        heap->is_cut = true;
        heap->duration_ms = self->bins.len * frame->bin_ms;
    }
    if (self->bins.len == 0) {
        pv_array_resize (&self->bins, 1);
        pv_array_resize (&self->rows_of_bin, 1);
    }
    heap->n_bins = (uint32_t)self->bins.len;
    if (frame->has_sizes_of_bins) {
        push_sizes (self, heap->n_bins);
        heap->sizes_of_bin = pv_array_steal (&self->sizes_of_bin);
    }
    heap->bins = pv_array_steal (&self->bins);
    heap->rows_of_bin = pv_array_steal (&self->rows_of_bin);
    heap->n_rows = self->n_rows;
    sum_bins (heap);
}

/* Rows of a bin that is not complete count nowhere. */
static void
drop_open_bin (PvHeapRestorer *self)
{
    for (size_t i = 0; i < self->rows.len; i++) {
        const PvHeapRow *row = &self->rows.data[i].row;
        self->sums.allocated -= row->allocated;
        self->sums.allocations -= row->allocations;
        self->sums.temporary -= row->temporary;
    }
    self->rows.len = 0;
}

PvHeap *
pv_heap_restorer_finish (PvHeapRestorer *self)
{
    g_assert (self != NULL);
    PvHeap *heap = g_new0 (PvHeap, 1);
    drop_open_bin (self);
    heap->ref_count = 1;
    heap->n_sites = (uint32_t)self->stack_of_site.len;
    heap->stack_of_site = pv_array_steal (&self->stack_of_site);
    heap->bin_ms = self->frame.bin_ms;
    heap->duration_ms = self->frame.duration_ms;
    heap->n_allocations = self->sums.allocations;
    heap->allocated_bytes = self->sums.allocated;
    heap->n_temporary = self->sums.temporary;
    heap->n_frees = self->sums.frees;
    heap->is_exact = self->frame.is_exact;
    heap->is_attached = self->frame.is_attached;
    heap->is_cut = self->frame.is_cut;
    publish_bins (self, heap);
    publish_sizes (self, heap);
    if (heap->is_exact)
        publish_ages (self, heap);
    pv_heap_sum_measures (heap);
    return heap;
}
