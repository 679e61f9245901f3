/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The history of a heap: bins in turn, each with its rows, before what is known of the whole
 * recording, so that a file that was cut off has a history up to there.
 */
#include "core/model/heap/heap-rows.h"
#include "core/model/heap/heap-sizes.h"
#include "core/model/pack/pack-format.h"
#include "core/write/pack/pack.h"

/* Rows column by column: those of some bins, the last of which may go on in the next section. */
typedef struct {
    PvPackFile *file;
    uint32_t n_rows;
    uint32_t sites[PV_PACK_MAX_ROWS];
    uint64_t columns[PV_HEAP_N_COLUMNS][PV_PACK_MAX_ROWS]; /* without sites */
} RowWriter;

static void
write_sites (PvPackFile *file, const PvHeap *heap)
{
    for (uint32_t first = 0; first < heap->n_sites;) {
        uint32_t n = MIN (heap->n_sites - first, PV_PACK_MAX_ROWS);
        uint32_t before = 0;
        pv_pack_file_put (file, n);
        for (uint32_t s = first; s < first + n; s++) {
            pv_pack_file_put_signed (file, (int64_t)heap->stack_of_site[s] - before);
            before = heap->stack_of_site[s];
        }
        pv_pack_file_end_section (file, PV_PACK_SITES);
        first += n;
    }
}

/* --- bins and rows --- */

static void
end_rows (RowWriter *self)
{
    uint32_t before = 0;
    if (self->n_rows == 0)
        return;
    pv_pack_file_put (self->file, self->n_rows);
    for (uint32_t i = 0; i < self->n_rows; i++) {
        pv_pack_file_put_signed (self->file, (int64_t)self->sites[i] - before);
        before = self->sites[i];
    }
    for (unsigned c = PV_HEAP_COLUMN_ALLOCATED; c < PV_HEAP_N_COLUMNS; c++)
        for (uint32_t i = 0; i < self->n_rows; i++)
            pv_pack_file_put (self->file, self->columns[c][i]);
    pv_pack_file_end_section (self->file, PV_PACK_HEAP_ROWS);
    self->n_rows = 0;
}

/* Signed columns are folded already. */
static void
add_rows (RowWriter *self, const PvHeapRows *rows)
{
    PvHeapColumnReader readers[PV_HEAP_N_COLUMNS];
    for (unsigned c = 0; c < PV_HEAP_N_COLUMNS; c++)
        readers[c] = pv_heap_column_reader (rows, c);
    for (uint32_t at = 0; at < rows->n_rows; at += PV_HEAP_READ_ROWS) {
        uint32_t n = MIN (rows->n_rows - at, PV_HEAP_READ_ROWS);
        if (self->n_rows + n > PV_PACK_MAX_ROWS)
            end_rows (self);
        pv_heap_column_read_sites (&readers[PV_HEAP_COLUMN_SITE], n, self->sites + self->n_rows);
        for (unsigned c = PV_HEAP_COLUMN_ALLOCATED; c < PV_HEAP_N_COLUMNS; c++)
            pv_heap_column_read (&readers[c], n, self->columns[c] + self->n_rows);
        self->n_rows += n;
    }
}

static uint32_t
count_rows (const PvHeap *heap, uint32_t bin)
{
    return heap->rows_of_bin[bin] != NULL ? heap->rows_of_bin[bin]->n_rows : 0;
}

static uint64_t
count_frees (const PvHeap *heap, uint32_t bin)
{
    int64_t before = bin > 0 ? heap->bins[bin - 1].live_blocks : 0;
    return heap->bins[bin].n_allocations - (uint64_t)(heap->bins[bin].live_blocks - before);
}

/* Bins that have about as many rows as a section. */
static uint32_t
find_end (const PvHeap *heap, uint32_t first)
{
    uint64_t n_rows = 0;
    uint32_t end = first;
    while (end < heap->n_bins && end - first < PV_PACK_MAX_ROWS && n_rows < PV_PACK_MAX_ROWS)
        n_rows += count_rows (heap, end++);
    return end;
}

static void
write_bins (PvPackFile *file, const PvHeap *heap, uint32_t first, uint32_t end)
{
    uint64_t before = 0;
    pv_pack_file_put (file, end - first);
    for (uint32_t b = first; b < end; b++)
        pv_pack_file_put (file, count_frees (heap, b));
    for (uint32_t b = first; b < end; b++)
        pv_pack_file_put (file, heap->bins[b].peak_ms - b * heap->bin_ms);
    for (uint32_t b = first; b < end; b++) {
        pv_pack_file_put_signed (file, (int64_t)(heap->bins[b].rss_bytes - before));
        before = heap->bins[b].rss_bytes;
    }
    for (uint32_t b = first; b < end; b++)
        pv_pack_file_put (file, count_rows (heap, b));
    pv_pack_file_end_section (file, PV_PACK_HEAP_BINS);
}

static bool
write_history (PvPackFile *file, const PvHeap *heap, PvJob *job, GError **error)
{
    g_autofree RowWriter *self = g_new (RowWriter, 1);
    self->file = file;
    self->n_rows = 0;
    for (uint32_t first = 0; first < heap->n_bins;) {
        uint32_t end = find_end (heap, first);
        write_bins (file, heap, first, end);
        for (; first < end; first++) {
            if (heap->rows_of_bin[first] != NULL)
                add_rows (self, heap->rows_of_bin[first]);
            pv_job_add_done (job, count_rows (heap, first));
        }
        end_rows (self);
        if (!pv_job_check (job, error))
            return false;
    }
    return true;
}

/* --- sizes and ages --- */

/* Rows of sites from `site` on, until a section is full; *ret_end is the site after them. A site
 * has a few hundred classes at most. */
static uint32_t
count_entries (const PvHeap *heap, const uint32_t *first_of_site, uint32_t site, uint32_t *ret_end)
{
    uint32_t end = site;
    while (end < heap->n_sites && first_of_site[end] - first_of_site[site] < PV_PACK_MAX_ROWS / 2)
        end++;
    *ret_end = end;
    return first_of_site[end] - first_of_site[site];
}

static void
put_sites (PvPackFile *file, const uint32_t *first_of_site, uint32_t site, uint32_t end)
{
    uint32_t before = 0;
    for (uint32_t s = site; s < end; s++) {
        for (uint32_t i = first_of_site[s]; i < first_of_site[s + 1]; i++) {
            pv_pack_file_put_signed (file, (int64_t)s - before);
            before = s;
        }
    }
}

static void
put_column (PvPackFile *file, const uint64_t *column, uint32_t first, uint32_t n)
{
    for (uint32_t i = first; i < first + n; i++)
        pv_pack_file_put (file, column[i]);
}

/* Columns of a section. */
typedef struct {
    uint32_t n_rows;
    uint32_t bins[PV_PACK_MAX_ROWS];
    PvHeapSizeRow rows[PV_PACK_MAX_ROWS];
} BinSizes;

static void
end_bin_sizes (PvPackFile *file, BinSizes *self)
{
    uint32_t before = 0;
    pv_pack_file_put (file, self->n_rows);
    for (uint32_t i = 0; i < self->n_rows; i++) {
        pv_pack_file_put_signed (file, (int64_t)self->bins[i] - before);
        before = self->bins[i];
    }
    for (uint32_t i = 0; i < self->n_rows; i++)
        pv_pack_file_put (file, self->rows[i].site);
    for (uint32_t i = 0; i < self->n_rows; i++)
        pv_pack_file_put (file, self->rows[i].size_class);
    for (uint32_t i = 0; i < self->n_rows; i++)
        pv_pack_file_put (file, self->rows[i].n_allocations);
    for (uint32_t i = 0; i < self->n_rows; i++)
        pv_pack_file_put (file, self->rows[i].allocated_bytes);
    pv_pack_file_end_section (file, PV_PACK_HEAP_BIN_SIZES);
    self->n_rows = 0;
}

static void
write_bin_sizes (PvPackFile *file, const PvHeap *heap)
{
    g_autofree BinSizes *self = g_new (BinSizes, 1);
    self->n_rows = 0;
    for (uint32_t b = 0; b < heap->n_bins; b++) {
        PvHeapSizeReader reader = pv_heap_size_reader (heap->sizes_of_bin[b]);
        while (pv_heap_size_reader_next (&reader)) {
            self->bins[self->n_rows] = b;
            self->rows[self->n_rows++] = reader.row;
            if (self->n_rows == PV_PACK_MAX_ROWS)
                end_bin_sizes (file, self);
        }
    }
    if (self->n_rows > 0)
        end_bin_sizes (file, self);
}

static void
write_sizes (PvPackFile *file, const PvHeap *heap)
{
    uint32_t end;
    for (uint32_t site = 0; site < heap->n_sites; site = end) {
        uint32_t first = heap->first_size_of_site[site];
        uint32_t n = count_entries (heap, heap->first_size_of_site, site, &end);
        pv_pack_file_put (file, n);
        put_sites (file, heap->first_size_of_site, site, end);
        for (uint32_t i = first; i < first + n; i++)
            pv_pack_file_put (file, heap->class_of_size[i]);
        put_column (file, heap->allocations_of_size, first, n);
        put_column (file, heap->bytes_of_size, first, n);
        pv_pack_file_end_section (file, PV_PACK_HEAP_SIZES);
    }
}

static void
write_ages (PvPackFile *file, const PvHeap *heap)
{
    uint32_t end;
    for (uint32_t site = 0; site < heap->n_sites; site = end) {
        uint32_t first = heap->first_age_of_site[site];
        uint32_t n = count_entries (heap, heap->first_age_of_site, site, &end);
        pv_pack_file_put (file, n);
        put_sites (file, heap->first_age_of_site, site, end);
        for (uint32_t i = first; i < first + n; i++)
            pv_pack_file_put (file, heap->class_of_age[i]);
        put_column (file, heap->frees_of_age, first, n);
        pv_pack_file_end_section (file, PV_PACK_HEAP_AGES);
    }
}

bool
pv_pack_write_heap (PvPackFile *file, const PvHeap *heap, PvJob *job, GError **error)
{
    g_assert (file != NULL && heap != NULL);
    pv_pack_file_put (file, (heap->is_exact ? PV_PACK_HEAP_EXACT : 0) |
                                (heap->is_attached ? PV_PACK_HEAP_ATTACHED : 0) |
                                (heap->is_cut ? PV_PACK_HEAP_CUT : 0) |
                                (heap->sizes_of_bin != NULL ? PV_PACK_HEAP_TIMED : 0));
    pv_pack_file_put (file, heap->bin_ms);
    pv_pack_file_put (file, heap->duration_ms);
    pv_pack_file_end_section (file, PV_PACK_HEAP);
    write_sites (file, heap);
    if (!write_history (file, heap, job, error))
        return false;
    if (heap->sizes_of_bin != NULL)
        write_bin_sizes (file, heap);
    write_sizes (file, heap);
    if (heap->first_age_of_site != NULL)
        write_ages (file, heap);
    return true;
}
