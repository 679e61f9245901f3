/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/model/heap/heap-join.h"

#include "core/base/large.h"

enum { WORD_BITS = 64 };

struct PvHeapJoiner {
    uint32_t n_sites;
    PvHeapRow *sums; /* per site; zeros between joins */
    uint64_t *words; /* bits of the sites that have any; zeros too */
    PvHeapRowBuffer buffer;
};

static uint32_t
count_words (uint32_t n_sites)
{
    return n_sites / WORD_BITS + 1;
}

PvHeapJoiner *
pv_heap_joiner_new (uint32_t n_sites)
{
    PvHeapJoiner *joiner = g_new0 (PvHeapJoiner, 1);
    joiner->n_sites = n_sites;
    joiner->sums = pv_new0_large (PvHeapRow, MAX (n_sites, 1));
    joiner->words = g_new0 (uint64_t, count_words (n_sites));
    return joiner;
}

void
pv_heap_joiner_free (PvHeapJoiner *joiner)
{
    if (joiner == NULL)
        return;
    g_free (joiner->sums);
    g_free (joiner->words);
    pv_heap_row_buffer_clear (&joiner->buffer);
    g_free (joiner);
}

typedef enum { BEFORE_PEAK, WITH_PEAK, AFTER_PEAK } Place;

/* A few rows of all columns. */
typedef struct {
    uint32_t sites[PV_HEAP_READ_ROWS];
    uint64_t allocated[PV_HEAP_READ_ROWS];
    uint64_t allocations[PV_HEAP_READ_ROWS];
    uint64_t temporary[PV_HEAP_READ_ROWS];
    int64_t net[PV_HEAP_READ_ROWS];
    int64_t at_peak[PV_HEAP_READ_ROWS];
    int64_t held[PV_HEAP_READ_ROWS];
} Piece;

static void
add_piece (PvHeapJoiner *joiner, const Piece *piece, uint32_t n, Place place, int64_t extend_ms)
{
    for (uint32_t i = 0; i < n; i++) {
        uint32_t site = piece->sites[i];
        PvHeapRow *sums = &joiner->sums[site];
        joiner->words[site / WORD_BITS] |= (uint64_t)1 << site % WORD_BITS;
        sums->allocated += piece->allocated[i];
        sums->allocations += piece->allocations[i];
        sums->temporary += piece->temporary[i];
        sums->net += piece->net[i];
        if (place == BEFORE_PEAK)
            sums->at_peak += piece->net[i];
        else if (place == WITH_PEAK)
            sums->at_peak += piece->at_peak[i];
        sums->held = pv_heap_add_held (pv_heap_add_held (sums->held, piece->held[i], 1),
                                       piece->net[i], extend_ms);
    }
}

static void
add_rows (PvHeapJoiner *joiner, const PvHeapRows *rows, Place place, int64_t extend_ms)
{
    Piece piece;
    PvHeapColumnReader readers[PV_HEAP_N_COLUMNS];
    for (unsigned c = 0; c < PV_HEAP_N_COLUMNS; c++)
        readers[c] = pv_heap_column_reader (rows, c);
    for (uint32_t at = 0; at < rows->n_rows; at += PV_HEAP_READ_ROWS) {
        uint32_t n = MIN (rows->n_rows - at, PV_HEAP_READ_ROWS);
        pv_heap_column_read_sites (&readers[PV_HEAP_COLUMN_SITE], n, piece.sites);
        pv_heap_column_read (&readers[PV_HEAP_COLUMN_ALLOCATED], n, piece.allocated);
        pv_heap_column_read (&readers[PV_HEAP_COLUMN_ALLOCATIONS], n, piece.allocations);
        pv_heap_column_read (&readers[PV_HEAP_COLUMN_TEMPORARY], n, piece.temporary);
        pv_heap_column_read_signed (&readers[PV_HEAP_COLUMN_NET], n, piece.net);
        if (place == WITH_PEAK)
            pv_heap_column_read_signed (&readers[PV_HEAP_COLUMN_AT_PEAK], n, piece.at_peak);
        pv_heap_column_read_signed (&readers[PV_HEAP_COLUMN_HELD], n, piece.held);
        add_piece (joiner, &piece, n, place, extend_ms);
    }
}

static uint32_t
count_sites (const PvHeapJoiner *joiner)
{
    uint32_t n = 0;
    for (uint32_t w = 0; w < count_words (joiner->n_sites); w++)
        n += (uint32_t)__builtin_popcountll (joiner->words[w]);
    return n;
}

/* Takes the sums out of the scratch memory. */
static PvHeapRows *
pack_sums (PvHeapJoiner *joiner)
{
    PvHeapRowBuffer *buffer = &joiner->buffer;
    pv_heap_row_buffer_begin (buffer, count_sites (joiner));
    for (uint32_t w = 0; w < count_words (joiner->n_sites); w++) {
        for (uint64_t word = joiner->words[w]; word != 0; word &= word - 1) {
            uint32_t site = w * WORD_BITS + (uint32_t)__builtin_ctzll (word);
            pv_heap_row_buffer_push (buffer, site, &joiner->sums[site]);
            joiner->sums[site] = (PvHeapRow){0};
        }
        joiner->words[w] = 0;
    }
    return pv_heap_rows_pack (buffer);
}

static PvHeapPart
join_bins (const PvHeapPart *parts, uint32_t n_parts, uint32_t peak)
{
    PvHeapPart joined = {.bin = parts[n_parts - 1].bin}; /* the levels at the end */
    PvHeapBin *bin = &joined.bin;
    bin->peak_bytes = parts[peak].bin.peak_bytes;
    bin->peak_ms = parts[peak].bin.peak_ms;
    bin->allocated_bytes = bin->n_allocations = bin->n_temporary = 0;
    for (uint32_t i = 0; i < n_parts; i++) {
        bin->allocated_bytes += parts[i].bin.allocated_bytes;
        bin->n_allocations += parts[i].bin.n_allocations;
        bin->n_temporary += parts[i].bin.n_temporary;
        if (!parts[i].has_rss)
            continue;
        bin->rss_bytes =
            joined.has_rss ? MAX (bin->rss_bytes, parts[i].bin.rss_bytes) : parts[i].bin.rss_bytes;
        joined.has_rss = true;
    }
    return joined;
}

/* Takes the rows of sizes. */
static PvHeapSizeRows *
join_sizes (PvHeapPart *parts, uint32_t n_parts)
{
    PV_ARRAY (PvHeapSizeRows *) rows = {0};
    for (uint32_t i = 0; i < n_parts; i++)
        if (parts[i].sizes != NULL)
            pv_array_push (&rows, g_steal_pointer (&parts[i].sizes));
    PvHeapSizeRows *joined = pv_heap_size_rows_join (rows.data, (uint32_t)rows.len);
    pv_array_clear (&rows);
    return joined;
}

PvHeapPart
pv_heap_joiner_join (PvHeapJoiner *joiner, PvHeapPart *parts, uint32_t n_parts,
                     const uint64_t *ends_ms, uint64_t end_ms)
{
    uint32_t peak = 0;
    for (uint32_t i = 1; i < n_parts; i++) {
        if (parts[i].bin.peak_bytes > parts[peak].bin.peak_bytes)
            peak = i;
    }
    PvHeapPart joined = join_bins (parts, n_parts, peak);
    for (uint32_t i = 0; i < n_parts; i++) {
        Place place = i < peak ? BEFORE_PEAK : i == peak ? WITH_PEAK : AFTER_PEAK;
        if (parts[i].rows != NULL)
            add_rows (joiner, parts[i].rows, place, (int64_t)(end_ms - ends_ms[i]));
        g_clear_pointer (&parts[i].rows, g_free);
    }
    joined.rows = pack_sums (joiner);
    joined.sizes = join_sizes (parts, n_parts);
    return joined;
}

uint32_t
pv_heap_joiner_count (PvHeapJoiner *joiner, const PvHeapPart *parts, uint32_t n_parts)
{
    uint32_t sites[PV_HEAP_READ_ROWS];
    for (uint32_t p = 0; p < n_parts; p++) {
        const PvHeapRows *rows = parts[p].rows;
        if (rows == NULL)
            continue;
        PvHeapColumnReader reader = pv_heap_column_reader (rows, PV_HEAP_COLUMN_SITE);
        for (uint32_t at = 0; at < rows->n_rows; at += PV_HEAP_READ_ROWS) {
            uint32_t n = MIN (rows->n_rows - at, PV_HEAP_READ_ROWS);
            pv_heap_column_read_sites (&reader, n, sites);
            for (uint32_t i = 0; i < n; i++)
                joiner->words[sites[i] / WORD_BITS] |= (uint64_t)1 << sites[i] % WORD_BITS;
        }
    }
    uint32_t n = count_sites (joiner);
    memset (joiner->words, 0, count_words (joiner->n_sites) * sizeof (uint64_t));
    return n;
}
