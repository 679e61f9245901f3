/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Byte order and size of addresses are not in the file. The order is told by numbers that are known
 * (a version, a magic number); the size is the one with which more of the file can be read.
 */
#include "core/read/gprof/gmon.h"

#include <string.h>

#include "core/base/cursor.h"

enum {
    TAGGED_HEADER_BYTES = 20,
    DIMENSION_BYTES = 15,
    BIN_BYTES = 2,
    BSD_MAGIC = 0x00051879,
    OLD_BSD_RATE = 100, /* as gprof takes it */
    MAX_BYTES_PER_BIN = 16,
    CHECKED_ARCS = 64,
    SNIFFED_BYTES = 1 << 16, /* a file of fewer is seen whole */
};

#define MAX_RANGE_BYTES (UINT64_C (1) << 32)

static const char magic[] = {'g', 'm', 'o', 'n'};
static const uint8_t sizes[] = {8, 4};

static uint64_t
take_address (PvCursor *cursor, unsigned address_bytes)
{
    return address_bytes == 8 ? pv_cursor_u64 (cursor) : pv_cursor_u32 (cursor);
}

/* --- the layout of glibc --- */

static bool
is_dimension (const uint8_t *at)
{
    if (!g_ascii_isalpha (at[0]))
        return false;
    for (size_t i = 0; i < DIMENSION_BYTES && at[i] != '\0'; i++)
        if (!g_ascii_isprint (at[i]))
            return false;
    return true;
}

static bool
take_histogram (GmonFile *file, PvCursor *cursor, bool is_kept)
{
    GmonHistogram histogram = {0};
    histogram.low = take_address (cursor, file->address_bytes);
    histogram.high = take_address (cursor, file->address_bytes);
    histogram.n_bins = pv_cursor_u32 (cursor);
    uint32_t rate = pv_cursor_u32 (cursor);
    const uint8_t *dimension = pv_cursor_take (cursor, DIMENSION_BYTES);
    pv_cursor_skip (cursor, 1); /* its short form */
    histogram.bins = pv_cursor_take (cursor, (size_t)histogram.n_bins * BIN_BYTES);
    if (cursor->failed || histogram.low > histogram.high || !is_dimension (dimension))
        return false;
    if (!is_kept || histogram.n_bins == 0 || histogram.low == histogram.high)
        return true;
    if (file->histograms.len == 0) {
        file->rate = rate;
        file->dimension = (const char *)dimension;
        file->dimension_length = strnlen ((const char *)dimension, DIMENSION_BYTES);
    }
    pv_array_push (&file->histograms, histogram);
    return true;
}

static bool
take_arc (GmonFile *file, PvCursor *cursor, bool is_kept)
{
    GmonArc arc;
    arc.from = take_address (cursor, file->address_bytes);
    arc.to = take_address (cursor, file->address_bytes);
    arc.count = pv_cursor_u32 (cursor);
    if (cursor->failed)
        return false;
    if (is_kept && arc.count > 0)
        pv_array_push (&file->arcs, arc);
    return true;
}

/* Counts of basic blocks, which no compiler asks for any more. */
static bool
skip_blocks (GmonFile *file, PvCursor *cursor)
{
    uint64_t n = pv_cursor_u32 (cursor);
    return pv_cursor_skip (cursor, n * 2 * file->address_bytes);
}

/* Returns how many bytes were records. */
static size_t
take_records (GmonFile *file, const uint8_t *data, size_t size_bytes, bool is_kept)
{
    PvCursor cursor = pv_cursor (data, size_bytes, file->swap);
    pv_cursor_skip (&cursor, TAGGED_HEADER_BYTES);
    size_t done = MIN (TAGGED_HEADER_BYTES, size_bytes);
    bool is_good = !cursor.failed;
    while (is_good && pv_cursor_left (&cursor) > 0) {
        uint8_t tag = pv_cursor_u8 (&cursor);
        is_good = tag == 0   ? take_histogram (file, &cursor, is_kept)
                  : tag == 1 ? take_arc (file, &cursor, is_kept)
                  : tag == 2 ? skip_blocks (file, &cursor)
                             : false;
        if (is_good)
            done = size_bytes - pv_cursor_left (&cursor);
    }
    return done;
}

static void
read_tagged (GmonFile *file, const uint8_t *data, size_t size_bytes)
{
    PvCursor cursor = pv_cursor (data, size_bytes, false);
    size_t most = 0;
    unsigned best = sizes[0];
    pv_cursor_skip (&cursor, sizeof magic);
    file->swap = pv_cursor_u32 (&cursor) > UINT16_MAX;
    for (size_t i = 0; i < G_N_ELEMENTS (sizes); i++) {
        file->address_bytes = sizes[i];
        size_t done = take_records (file, data, size_bytes, false);
        if (done > most) {
            most = done;
            best = sizes[i];
        }
    }
    file->address_bytes = best;
    file->is_cut = take_records (file, data, size_bytes, true) < size_bytes;
}

/* --- the layouts of BSD --- */

typedef struct {
    GmonHistogram histogram;
    uint64_t histogram_bytes; /* with what comes before it */
    uint32_t rate;
    size_t header_bytes;
} BsdHeader;

/* False: it is no header of this layout. */
static bool
take_bsd_header (const GmonFile *file, PvCursor *cursor, BsdHeader *ret)
{
    *ret = (BsdHeader){0};
    ret->histogram.low = take_address (cursor, file->address_bytes);
    ret->histogram.high = take_address (cursor, file->address_bytes);
    ret->histogram_bytes = pv_cursor_u32 (cursor);
    ret->header_bytes = 2 * file->address_bytes + 4;
    if (file->layout == GMON_BSD) {
        if (pv_cursor_u32 (cursor) != BSD_MAGIC)
            return false;
        ret->rate = pv_cursor_u32 (cursor);
        pv_cursor_skip (cursor, 12);
        ret->header_bytes += 20;
    }
    uint64_t low = ret->histogram.low, high = ret->histogram.high;
    if (cursor->failed || low >= high || high - low > MAX_RANGE_BYTES ||
        ret->histogram_bytes <= ret->header_bytes)
        return false;
    uint64_t n_bins = (ret->histogram_bytes - ret->header_bytes) / BIN_BYTES;
    ret->histogram.n_bins = (uint32_t)n_bins;
    return n_bins > 0 && high - low >= n_bins && (high - low) / n_bins <= MAX_BYTES_PER_BIN;
}

static bool
take_bsd_arc (const GmonFile *file, PvCursor *cursor, GmonArc *ret)
{
    ret->from = take_address (cursor, file->address_bytes);
    ret->to = take_address (cursor, file->address_bytes);
    ret->count = take_address (cursor, file->address_bytes);
    return !cursor->failed;
}

static bool
is_within (const GmonHistogram *histogram, uint64_t address)
{
    return address >= histogram->low && address < histogram->high;
}

/* Tests a file for the old layout, which has no magic number: its arcs, if any, must be of the
 * program. */
static bool
has_good_arcs (const GmonFile *file, PvCursor cursor, const BsdHeader *header, bool is_whole)
{
    size_t bins_bytes = header->histogram.n_bins * BIN_BYTES, n_arcs = 0, n_good = 0;
    GmonArc arc;
    if (pv_cursor_left (&cursor) < bins_bytes)
        return !is_whole;
    pv_cursor_skip (&cursor, bins_bytes);
    if (is_whole && pv_cursor_left (&cursor) % (3 * file->address_bytes) != 0)
        return false;
    while (n_arcs < CHECKED_ARCS && take_bsd_arc (file, &cursor, &arc)) {
        n_arcs++;
        n_good += is_within (&header->histogram, arc.to) && arc.count > 0;
    }
    return n_good * 4 >= n_arcs * 3;
}

/* Finds the layout, its order of bytes and its size of addresses. */
static bool
find_bsd (GmonFile *file, const uint8_t *data, size_t size_bytes, bool is_whole)
{
    for (GmonLayout layout = GMON_BSD; layout < GMON_N_LAYOUTS; layout++)
        for (size_t i = 0; i < 2 * G_N_ELEMENTS (sizes); i++) {
            BsdHeader header;
            *file = (GmonFile){
                .layout = layout, .swap = i >= G_N_ELEMENTS (sizes), .address_bytes = sizes[i % 2]};
            PvCursor cursor = pv_cursor (data, size_bytes, file->swap);
            if (take_bsd_header (file, &cursor, &header) &&
                (layout == GMON_BSD || has_good_arcs (file, cursor, &header, is_whole)))
                return true;
        }
    return false;
}

static void
read_bsd (GmonFile *file, const uint8_t *data, size_t size_bytes)
{
    PvCursor cursor = pv_cursor (data, size_bytes, file->swap);
    BsdHeader header;
    GmonArc arc;
    take_bsd_header (file, &cursor, &header);
    file->rate = file->layout == GMON_OLD_BSD ? OLD_BSD_RATE : header.rate;
    header.histogram.bins = pv_cursor_take (&cursor, header.histogram.n_bins * BIN_BYTES);
    if (header.histogram.bins == NULL) {
        file->is_cut = true;
        return;
    }
    pv_array_push (&file->histograms, header.histogram);
    while (take_bsd_arc (file, &cursor, &arc))
        if (arc.count > 0)
            pv_array_push (&file->arcs, arc);
    /* An incomplete arc at the end is left out, as gprof does. */
}

/* --- all layouts --- */

static bool
is_tagged (const uint8_t *data, size_t size_bytes)
{
    static const uint8_t versions[][4] = {{1, 0, 0, 0}, {0, 0, 0, 1}, {0, 0, 0, 0}};
    if (size_bytes < TAGGED_HEADER_BYTES || memcmp (data, magic, sizeof magic) != 0)
        return false;
    for (size_t i = 0; i < G_N_ELEMENTS (versions); i++)
        if (memcmp (data + sizeof magic, versions[i], sizeof versions[i]) == 0)
            return true;
    return false;
}

/* Size of the first three numbers of a header: two addresses and a size. */
#define BSD_SIZES_BYTES 24u

bool
gmon_sniff (const uint8_t *data, size_t size_bytes)
{
    GmonFile file;
    if (is_tagged (data, size_bytes))
        return true;
    /* Without a zero it is text: no size of a histogram fills all bytes of its number. */
    if (memchr (data, 0, MIN (size_bytes, BSD_SIZES_BYTES)) == NULL)
        return false;
    return find_bsd (&file, data, size_bytes, size_bytes < SNIFFED_BYTES);
}

void
gmon_read (GmonFile *file, const uint8_t *data, size_t size_bytes)
{
    g_assert (file != NULL);
    *file = (GmonFile){0};
    if (is_tagged (data, size_bytes))
        read_tagged (file, data, size_bytes);
    else if (find_bsd (file, data, size_bytes, true) || find_bsd (file, data, size_bytes, false))
        read_bsd (file, data, size_bytes);
    else
        file->is_cut = true;
}

void
gmon_clear (GmonFile *file)
{
    g_assert (file != NULL);
    pv_array_clear (&file->histograms);
    pv_array_clear (&file->arcs);
    *file = (GmonFile){0};
}

uint16_t
gmon_get_ticks (const GmonFile *file, const GmonHistogram *histogram, uint32_t bin)
{
    g_assert (bin < histogram->n_bins);
    uint16_t ticks;
    memcpy (&ticks, histogram->bins + (size_t)bin * BIN_BYTES, sizeof ticks);
    return file->swap ? GUINT16_SWAP_LE_BE (ticks) : ticks;
}

uint64_t
gmon_get_start (const GmonHistogram *histogram, uint32_t bin)
{
    g_assert (bin <= histogram->n_bins && histogram->n_bins > 0);
    return histogram->low + (uint64_t)((unsigned __int128)(histogram->high - histogram->low) * bin /
                                       histogram->n_bins);
}
