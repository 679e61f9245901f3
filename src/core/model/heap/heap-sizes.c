/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/model/heap/heap-sizes.h"

#include <string.h>

#include "core/base/large.h"

enum { VARINT_BITS = 7, MAX_ROW_BYTES = 5 + 5 + 10 + 10 };

/* Rows: differences of sites, classes, allocations and bytes, each with seven bits to a byte, the
 * lowest first. */

void
pv_heap_size_buffer_clear (PvHeapSizeBuffer *buffer)
{
    pv_array_clear (&buffer->packed);
    buffer->n_rows = buffer->last_site = 0;
}

static inline uint8_t *
put (uint8_t *at, uint64_t value)
{
    for (; value >> VARINT_BITS != 0; value >>= VARINT_BITS)
        *at++ = (uint8_t)(value | 1u << VARINT_BITS);
    *at++ = (uint8_t)value;
    return at;
}

static uint64_t
take (const uint8_t **at)
{
    uint64_t value = 0;
    unsigned shift = 0;
    for (;; shift += VARINT_BITS) {
        uint8_t byte = *(*at)++;
        value |= (uint64_t)(byte & ((1u << VARINT_BITS) - 1)) << shift;
        if (byte >> VARINT_BITS == 0)
            return value;
    }
}

void
pv_heap_size_buffer_push (PvHeapSizeBuffer *buffer, const PvHeapSizeRow *row)
{
    pv_array_reserve (&buffer->packed, buffer->packed.len + MAX_ROW_BYTES);
    uint8_t *at = buffer->packed.data + buffer->packed.len;
    at = put (at, row->site - buffer->last_site);
    at = put (at, row->size_class);
    at = put (at, row->n_allocations);
    at = put (at, row->allocated_bytes);
    buffer->packed.len = (size_t)(at - buffer->packed.data);
    buffer->last_site = row->site;
    buffer->n_rows++;
}

PvHeapSizeRows *
pv_heap_size_rows_pack (PvHeapSizeBuffer *buffer)
{
    if (buffer->n_rows == 0)
        return NULL;
    PvHeapSizeRows *rows = g_malloc (sizeof *rows + buffer->packed.len);
    rows->n_rows = buffer->n_rows;
    rows->size_bytes = sizeof *rows + buffer->packed.len;
    memcpy (rows->packed, buffer->packed.data, buffer->packed.len);
    buffer->packed.len = 0;
    buffer->n_rows = buffer->last_site = 0;
    return rows;
}

PvHeapSizeReader
pv_heap_size_reader (const PvHeapSizeRows *rows)
{
    if (rows == NULL)
        return (PvHeapSizeReader){0};
    return (PvHeapSizeReader){.n_left = rows->n_rows, .at = rows->packed};
}

bool
pv_heap_size_reader_next (PvHeapSizeReader *reader)
{
    if (reader->n_left == 0)
        return false;
    reader->n_left--;
    reader->row.site += (uint32_t)take (&reader->at);
    reader->row.size_class = (uint32_t)take (&reader->at);
    reader->row.n_allocations = take (&reader->at);
    reader->row.allocated_bytes = take (&reader->at);
    return true;
}

static int
compare_rows (const PvHeapSizeRow *a, const PvHeapSizeRow *b)
{
    if (a->site != b->site)
        return a->site < b->site ? -1 : 1;
    return a->size_class < b->size_class ? -1 : a->size_class > b->size_class;
}

/* The rows of two bins as those of one. NULL if both are. */
static PvHeapSizeRows *
join_two (const PvHeapSizeRows *a, const PvHeapSizeRows *b, PvHeapSizeBuffer *buffer)
{
    PvHeapSizeReader first = pv_heap_size_reader (a), second = pv_heap_size_reader (b);
    bool has_first = pv_heap_size_reader_next (&first);
    bool has_second = pv_heap_size_reader_next (&second);
    while (has_first || has_second) {
        int order = !has_second ? -1 : !has_first ? 1 : compare_rows (&first.row, &second.row);
        PvHeapSizeRow row = order <= 0 ? first.row : second.row;
        if (order == 0) {
            row.n_allocations += second.row.n_allocations;
            row.allocated_bytes += second.row.allocated_bytes;
        }
        pv_heap_size_buffer_push (buffer, &row);
        if (order <= 0)
            has_first = pv_heap_size_reader_next (&first);
        if (order >= 0)
            has_second = pv_heap_size_reader_next (&second);
    }
    return pv_heap_size_rows_pack (buffer);
}

PvHeapSizeRows *
pv_heap_size_rows_join (PvHeapSizeRows **parts, uint32_t n_parts)
{
    PvHeapSizeBuffer buffer = {0};
    for (uint32_t step = 1; step < n_parts; step *= 2) {
        for (uint32_t i = 0; i + step < n_parts; i += 2 * step) {
            PvHeapSizeRows *a = parts[i], *b = g_steal_pointer (&parts[i + step]);
            parts[i] = join_two (a, b, &buffer);
            g_free (a);
            g_free (b);
        }
    }
    pv_heap_size_buffer_clear (&buffer);
    return n_parts > 0 ? g_steal_pointer (&parts[0]) : NULL;
}

/* Weights */

typedef struct {
    const PvHeap *heap;
    bool *has_rows; /* by entry: it is not its site's first class */
    uint64_t *allocations;
    uint64_t *bytes;
} Weighing;

static void
add_bin (const Weighing *self, uint32_t bin, bool is_in_range)
{
    const PvHeap *heap = self->heap;
    PvHeapSizeReader reader = pv_heap_size_reader (heap->sizes_of_bin[bin]);
    while (pv_heap_size_reader_next (&reader)) {
        uint32_t i = heap->first_size_of_site[reader.row.site];
        uint32_t end = heap->first_size_of_site[reader.row.site + 1];
        while (i < end && heap->class_of_size[i] != reader.row.size_class)
            i++;
        if (i == end)
            continue; /* a damaged pack */
        self->has_rows[i] = true;
        if (is_in_range) {
            self->allocations[i] += reader.row.n_allocations;
            self->bytes[i] += reader.row.allocated_bytes;
        }
    }
}

/* Gives what is left of a site's allocations to its first class. */
static void
add_rest (const Weighing *self, uint32_t site, uint64_t n_allocations, uint64_t n_bytes)
{
    uint32_t first = self->heap->first_size_of_site[site];
    uint32_t end = self->heap->first_size_of_site[site + 1], rest = end;
    for (uint32_t i = end; i-- > first;) {
        n_allocations -= MIN (self->allocations[i], n_allocations);
        n_bytes -= MIN (self->bytes[i], n_bytes);
        rest = self->has_rows[i] ? rest : i;
    }
    if (rest == end)
        return;
    self->allocations[rest] = n_allocations;
    self->bytes[rest] = n_bytes;
}

static int64_t *
weigh (const PvHeap *heap, PvHeapMeasure measure, uint32_t first_bin, uint32_t end_bin)
{
    int64_t *weights = pv_new_large (int64_t, MAX (heap->n_sites, 1));
    pv_heap_weigh_sites (heap, measure, first_bin, end_bin, weights, NULL);
    return weights;
}

bool
pv_heap_weigh_sizes (const PvHeap *heap, uint32_t first_bin, uint32_t end_bin,
                     uint64_t *ret_allocations, uint64_t *ret_bytes)
{
    g_assert (heap != NULL && first_bin <= end_bin && end_bin <= heap->n_bins);
    const size_t n = heap->first_size_of_site[heap->n_sites];
    const bool is_whole = first_bin == 0 && end_bin == heap->n_bins;
    if (is_whole || heap->sizes_of_bin == NULL) {
        if (n > 0) {
            memcpy (ret_allocations, heap->allocations_of_size, n * sizeof *ret_allocations);
            memcpy (ret_bytes, heap->bytes_of_size, n * sizeof *ret_bytes);
        }
        return is_whole;
    }
    g_autofree bool *has_rows = g_new0 (bool, MAX (n, 1));
    const Weighing self = {heap, has_rows, ret_allocations, ret_bytes};
    for (size_t i = 0; i < n; i++)
        ret_allocations[i] = ret_bytes[i] = 0;
    for (uint32_t b = 0; b < heap->n_bins; b++)
        add_bin (&self, b, b >= first_bin && b < end_bin);
    g_autofree int64_t *allocations = weigh (heap, PV_HEAP_ALLOCATIONS, first_bin, end_bin);
    g_autofree int64_t *bytes = weigh (heap, PV_HEAP_ALLOCATED, first_bin, end_bin);
    for (uint32_t s = 0; s < heap->n_sites; s++)
        add_rest (&self, s, (uint64_t)MAX (allocations[s], 0), (uint64_t)MAX (bytes[s], 0));
    return true;
}
