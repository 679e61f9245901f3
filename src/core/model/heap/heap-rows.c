/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/model/heap/heap-rows.h"

/* Values are loaded and stored eight bytes at a time, whatever their length. */
enum { SLACK = 8, MAX_BYTES_PER_ROW = PV_HEAP_N_COLUMNS * 9 };

void
pv_heap_row_buffer_begin (PvHeapRowBuffer *buffer, uint32_t n_rows)
{
    buffer->n_rows = buffer->last_site = 0;
    memset (buffer->any, 0, sizeof buffer->any);
    if (n_rows <= buffer->cap)
        return;
    uint32_t cap = n_rows + n_rows / 2;
    for (unsigned c = 0; c < PV_HEAP_N_COLUMNS; c++) {
        g_free (buffer->columns[c]);
        buffer->columns[c] = g_new (uint64_t, cap);
    }
    g_free (buffer->packed);
    buffer->packed = g_malloc ((size_t)cap * MAX_BYTES_PER_ROW + SLACK);
    buffer->cap = cap;
}

void
pv_heap_row_buffer_clear (PvHeapRowBuffer *buffer)
{
    for (unsigned c = 0; c < PV_HEAP_N_COLUMNS; c++)
        g_free (buffer->columns[c]);
    g_free (buffer->packed);
    *buffer = (PvHeapRowBuffer){0};
}

static inline unsigned
length_of (uint64_t value)
{
    return value == 0 ? 0 : (71 - (unsigned)__builtin_clzll (value)) / 8;
}

static inline uint8_t *
put (uint8_t *bytes, uint64_t value, unsigned length)
{
    value = GUINT64_TO_LE (value);
    memcpy (bytes, &value, sizeof value);
    return bytes + length;
}

/* Returns where the column ends; up to SLACK bytes behind that are overwritten. */
static uint8_t *
pack_column (const uint64_t *values, uint32_t n, uint64_t any, uint8_t *to, uint8_t *ret_width)
{
    *ret_width = any == 0 ? 0 : any < 256 ? 1 : PV_HEAP_ANY_WIDTH;
    if (any < 256) {
        for (uint32_t i = 0; any > 0 && i < n; i++)
            to[i] = (uint8_t)values[i];
        return any > 0 ? to + n : to;
    }
    uint8_t *bytes = to + n / 2 + n % 2;
    for (uint32_t i = 0; i < n; i += 2) {
        uint64_t second = i + 1 < n ? values[i + 1] : 0;
        unsigned length = length_of (values[i]), second_length = length_of (second);
        bytes = put (bytes, values[i], length);
        bytes = put (bytes, second, second_length);
        *to++ = (uint8_t)(length | second_length << 4);
    }
    return bytes;
}

PvHeapRows *
pv_heap_rows_pack (PvHeapRowBuffer *buffer)
{
    uint32_t n = buffer->n_rows;
    PvHeapRows head = {.n_rows = n};
    if (n == 0)
        return NULL;
    uint8_t *end = buffer->packed;
    for (unsigned c = 0; c < PV_HEAP_N_COLUMNS; c++) {
        head.starts[c] = sizeof head + (size_t)(end - buffer->packed);
        end = pack_column (buffer->columns[c], n, buffer->any[c], end, &head.widths[c]);
    }
    size_t packed_bytes = (size_t)(end - buffer->packed);
    head.size_bytes = sizeof head + packed_bytes + SLACK;
    uint8_t *block = g_malloc (head.size_bytes);
    memcpy (block, &head, sizeof head);
    memcpy (block + sizeof head, buffer->packed, packed_bytes);
    memset (block + sizeof head + packed_bytes, 0, SLACK);
    return (PvHeapRows *)block;
}

PvHeapColumnReader
pv_heap_column_reader (const PvHeapRows *rows, PvHeapColumn column)
{
    const uint8_t *start = (const uint8_t *)rows + rows->starts[column];
    PvHeapColumnReader reader = {.width = rows->widths[column], .lengths = start, .values = start};
    if (reader.width == PV_HEAP_ANY_WIDTH)
        reader.values += rows->n_rows / 2 + rows->n_rows % 2;
    return reader;
}

static inline uint64_t
take (const uint8_t **bytes, unsigned length)
{
    static const uint64_t masks[9] = {
        0,          0xff,         0xffff,         0xffffff,
        0xffffffff, 0xffffffffff, 0xffffffffffff, 0xffffffffffffff,
        UINT64_MAX,
    };
    uint64_t value;
    memcpy (&value, *bytes, sizeof value);
    *bytes += length;
    return GUINT64_FROM_LE (value) & masks[length];
}

void
pv_heap_column_read (PvHeapColumnReader *reader, uint32_t n, uint64_t *ret_values)
{
    const uint8_t *bytes = reader->values;
    if (reader->width == 0) {
        memset (ret_values, 0, n * sizeof *ret_values);
        return;
    }
    if (reader->width == 1) {
        for (uint32_t i = 0; i < n; i++)
            ret_values[i] = bytes[i];
        reader->values += n;
        return;
    }
    for (uint32_t i = 0; i + 1 < n; i += 2) {
        unsigned lengths = *reader->lengths++;
        ret_values[i] = take (&bytes, lengths & 15);
        ret_values[i + 1] = take (&bytes, lengths >> 4);
    }
    if (n % 2 != 0)
        ret_values[n - 1] = take (&bytes, *reader->lengths & 15);
    reader->values = bytes;
}

void
pv_heap_column_read_sites (PvHeapColumnReader *reader, uint32_t n, uint32_t *ret_sites)
{
    uint32_t site = reader->last_site;
    if (reader->width == 1) {
        for (uint32_t i = 0; i < n; i++)
            ret_sites[i] = site += reader->values[i];
        reader->values += n;
    } else {
        uint64_t values[PV_HEAP_READ_ROWS];
        pv_heap_column_read (reader, n, values);
        for (uint32_t i = 0; i < n; i++)
            ret_sites[i] = site += (uint32_t)values[i];
    }
    reader->last_site = site;
}

void
pv_heap_column_read_signed (PvHeapColumnReader *reader, uint32_t n, int64_t *ret_values)
{
    uint64_t *values = (uint64_t *)ret_values;
    pv_heap_column_read (reader, n, values);
    for (uint32_t i = 0; i < n; i++)
        ret_values[i] = (int64_t)(values[i] >> 1 ^ (0 - (values[i] & 1)));
}

void
pv_heap_rows_add_up (const PvHeapRows *rows, PvHeapColumn column, const uint16_t *slot_of_site,
                     int64_t *sums)
{
    uint32_t sites[PV_HEAP_READ_ROWS];
    int64_t values[PV_HEAP_READ_ROWS];
    PvHeapColumnReader site_reader = pv_heap_column_reader (rows, PV_HEAP_COLUMN_SITE);
    PvHeapColumnReader reader = pv_heap_column_reader (rows, column);
    for (uint32_t at = 0; at < rows->n_rows; at += PV_HEAP_READ_ROWS) {
        uint32_t n = MIN (rows->n_rows - at, PV_HEAP_READ_ROWS);
        pv_heap_column_read_sites (&site_reader, n, sites);
        if (column >= PV_HEAP_COLUMN_NET)
            pv_heap_column_read_signed (&reader, n, values);
        else
            pv_heap_column_read (&reader, n, (uint64_t *)values);
        for (uint32_t i = 0; slot_of_site == NULL && i < n; i++)
            sums[sites[i]] += values[i];
        for (uint32_t i = 0; slot_of_site != NULL && i < n; i++)
            sums[slot_of_site[sites[i]]] += values[i];
    }
}
