/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The history of a heap. Without the sections that come after some bin it ends there.
 */
#include "core/read/pack/pack-reading.h"

/* Columns of sections, in their order. */
enum { BIN_FREES, BIN_AFTER, BIN_RSS, BIN_ROWS, N_BIN_COLUMNS };
enum { AGE_SITE, AGE_CLASS, AGE_COUNT };
enum { BIN_SIZE_BIN, BIN_SIZE_SITE, BIN_SIZE_CLASS, BIN_SIZE_COUNT, BIN_SIZE_BYTES };
enum { SIZE_SITE, SIZE_CLASS, SIZE_COUNT, SIZE_BYTES };

bool
pv_pack_take_heap (PvPackReading *self, PvCursor *cursor)
{
    uint64_t flags = pv_cursor_varint (cursor);
    PvHeapFrame frame = {
        .is_exact = (flags & PV_PACK_HEAP_EXACT) != 0,
        .is_attached = (flags & PV_PACK_HEAP_ATTACHED) != 0,
        .is_cut = (flags & PV_PACK_HEAP_CUT) != 0,
        .has_sizes_of_bins = (flags & PV_PACK_HEAP_TIMED) != 0,
        .bin_ms = pv_cursor_varint (cursor),
        .duration_ms = pv_cursor_varint (cursor),
    };
    /* A profile has samples or a heap. */
    if (cursor->failed || self->heap != NULL || self->sets.len > 0 || self->dump_times.len > 0)
        return false;
    pv_pack_give_stacks (self);
    self->heap = pv_heap_restorer_new (&frame);
    return self->heap != NULL;
}

/* The number of rows of a section, and the first column, with differences. */
static bool
begin_rows (PvPackReading *self, PvCursor *cursor, uint64_t *ret_n)
{
    *ret_n = pv_cursor_varint (cursor);
    return self->heap != NULL && *ret_n <= PV_PACK_MAX_ROWS &&
           pv_pack_take_column (cursor, *ret_n, true, &self->columns[0]);
}

static bool
take_columns (PvPackReading *self, PvCursor *cursor, uint64_t n, unsigned first, unsigned end)
{
    for (unsigned c = first; c < end; c++)
        if (!pv_pack_take_column (cursor, n, false, &self->columns[c]))
            return false;
    return true;
}

bool
pv_pack_take_sites (PvPackReading *self, PvCursor *cursor)
{
    uint64_t n;
    if (!begin_rows (self, cursor, &n))
        return false;
    for (uint64_t i = 0; i < n && pv_pack_step (self, cursor); i++) {
        uint64_t stack = self->columns[0].data[i];
        if (stack == 0 || stack >= self->n_stacks ||
            !pv_heap_restorer_add_site (self->heap, (uint32_t)stack))
            return false;
    }
    return true;
}

/* Ends bins that have all their rows. */
static bool
end_bins (PvPackReading *self)
{
    while (self->next_bin < self->bins.len && self->bins.data[self->next_bin].n_rows == 0) {
        const PvPackBin *bin = &self->bins.data[self->next_bin];
        if (!pv_heap_restorer_end_bin (self->heap, bin->n_frees, bin->after_ms, bin->rss_bytes))
            return false;
        self->next_bin++;
    }
    return true;
}

bool
pv_pack_take_heap_bins (PvPackReading *self, PvCursor *cursor)
{
    uint64_t n = pv_cursor_varint (cursor);
    const PvPackNumbers *columns = self->columns;
    if (self->heap == NULL || n > PV_PACK_MAX_ROWS || self->next_bin < self->bins.len ||
        !take_columns (self, cursor, n, BIN_FREES, BIN_RSS) ||
        !pv_pack_take_column (cursor, n, true, &self->columns[BIN_RSS]) ||
        !take_columns (self, cursor, n, BIN_ROWS, N_BIN_COLUMNS))
        return false;
    self->bins.len = self->next_bin = 0;
    for (uint64_t i = 0; i < n && pv_pack_step (self, cursor); i++) {
        PvPackBin bin = {.n_frees = columns[BIN_FREES].data[i],
                         .after_ms = columns[BIN_AFTER].data[i],
                         .rss_bytes = columns[BIN_RSS].data[i],
                         .n_rows = columns[BIN_ROWS].data[i]};
        pv_array_push (&self->bins, bin);
    }
    return end_bins (self);
}

static int64_t
unfold (uint64_t number)
{
    return (int64_t)(number >> 1 ^ (0 - (number & 1)));
}

bool
pv_pack_take_heap_rows (PvPackReading *self, PvCursor *cursor)
{
    const PvPackNumbers *columns = self->columns;
    uint64_t n;
    if (!begin_rows (self, cursor, &n) ||
        !take_columns (self, cursor, n, PV_HEAP_COLUMN_ALLOCATED, PV_HEAP_N_COLUMNS))
        return false;
    for (uint64_t i = 0; i < n && pv_pack_step (self, cursor); i++) {
        PvHeapRow row = {
            .allocated = columns[PV_HEAP_COLUMN_ALLOCATED].data[i],
            .allocations = columns[PV_HEAP_COLUMN_ALLOCATIONS].data[i],
            .temporary = columns[PV_HEAP_COLUMN_TEMPORARY].data[i],
            .net = unfold (columns[PV_HEAP_COLUMN_NET].data[i]),
            .at_peak = unfold (columns[PV_HEAP_COLUMN_AT_PEAK].data[i]),
            .held = unfold (columns[PV_HEAP_COLUMN_HELD].data[i]),
        };
        uint64_t site = columns[PV_HEAP_COLUMN_SITE].data[i];
        if (self->next_bin >= self->bins.len || site > UINT32_MAX ||
            !pv_heap_restorer_add_row (self->heap, (uint32_t)site, &row))
            return false;
        self->bins.data[self->next_bin].n_rows--;
        if (!end_bins (self))
            return false;
    }
    return true;
}

bool
pv_pack_take_heap_bin_sizes (PvPackReading *self, PvCursor *cursor)
{
    const PvPackNumbers *columns = self->columns;
    uint64_t n;
    if (!begin_rows (self, cursor, &n) || !take_columns (self, cursor, n, 1, BIN_SIZE_BYTES + 1))
        return false;
    for (uint64_t i = 0; i < n && pv_pack_step (self, cursor); i++) {
        uint64_t site = columns[BIN_SIZE_SITE].data[i], class = columns[BIN_SIZE_CLASS].data[i];
        const PvHeapSizeRow row = {
            .site = (uint32_t)MIN (site, UINT32_MAX),
            .size_class = (uint32_t)MIN (class, UINT32_MAX),
            .n_allocations = columns[BIN_SIZE_COUNT].data[i],
            .allocated_bytes = columns[BIN_SIZE_BYTES].data[i],
        };
        if (!pv_heap_restorer_add_bin_size (self->heap, columns[BIN_SIZE_BIN].data[i], &row))
            return false;
    }
    return true;
}

bool
pv_pack_take_heap_sizes (PvPackReading *self, PvCursor *cursor)
{
    const PvPackNumbers *columns = self->columns;
    uint64_t n;
    if (!begin_rows (self, cursor, &n) || !take_columns (self, cursor, n, 1, SIZE_BYTES + 1))
        return false;
    for (uint64_t i = 0; i < n && pv_pack_step (self, cursor); i++) {
        uint64_t site = columns[SIZE_SITE].data[i], size_class = columns[SIZE_CLASS].data[i];
        if (site > UINT32_MAX || size_class > UINT32_MAX ||
            !pv_heap_restorer_add_size (self->heap, (uint32_t)site, (uint32_t)size_class,
                                        columns[SIZE_COUNT].data[i], columns[SIZE_BYTES].data[i]))
            return false;
    }
    return true;
}

bool
pv_pack_take_heap_ages (PvPackReading *self, PvCursor *cursor)
{
    const PvPackNumbers *columns = self->columns;
    uint64_t n;
    if (!begin_rows (self, cursor, &n) || !take_columns (self, cursor, n, 1, AGE_COUNT + 1))
        return false;
    for (uint64_t i = 0; i < n && pv_pack_step (self, cursor); i++) {
        uint64_t site = columns[AGE_SITE].data[i], age_class = columns[AGE_CLASS].data[i];
        if (site > UINT32_MAX || age_class > UINT32_MAX ||
            !pv_heap_restorer_add_age (self->heap, (uint32_t)site, (uint32_t)age_class,
                                       columns[AGE_COUNT].data[i]))
            return false;
    }
    return true;
}

void
pv_pack_give_heap (PvPackReading *self)
{
    if (self->heap == NULL)
        return;
    pv_profile_builder_set_heap (self->builder, pv_heap_restorer_finish (self->heap));
    g_clear_pointer (&self->heap, pv_heap_restorer_free);
}
