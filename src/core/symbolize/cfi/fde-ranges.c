/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The extents of functions without symbols: every function that can be unwound has a frame
 * description entry (FDE). .eh_frame_hdr (Linux Standard Base, Core, chapter 10) is a table of them
 * sorted by address; without it, .eh_frame is read from start to end.
 */
#include "core/symbolize/cfi/fde-ranges.h"

#include <string.h>

#include "core/base/array.h"
#include "core/base/cursor.h"
#include "core/base/search.h"
#include "core/elf/address-claims.h"
#include "core/symbolize/cfi/cfi.h"

/* The only encodings that linkers write: a 4-byte count, pairs of 4-byte offsets from the
 * section. */
#define ENCODING_UDATA4         0x03
#define ENCODING_DATAREL_SDATA4 0x3b

typedef struct {
    PvCfiSection section;
    const PvCfiArch *arch;
    PvCfiCieCache cies;
    const uint8_t *table; /* pairs, or NULL */
    size_t n_pairs;
    uint64_t table_addr; /* base of the offsets */
    bool swap;
} Frames;

static uint32_t
read_u32 (const Frames *frames, const uint8_t *data)
{
    uint32_t value;
    memcpy (&value, data, sizeof value);
    return frames->swap ? GUINT32_SWAP_LE_BE (value) : value;
}

static size_t
encoded_size (uint8_t encoding, bool is_64bit)
{
    switch (encoding & 0x07) {
    case 0x00:
        return is_64bit ? 8 : 4;
    case 0x02:
        return 2;
    case 0x03:
        return 4;
    case 0x04:
        return 8;
    default:
        return 0;
    }
}

static void
open_table (PvElfImage *binary, Frames *frames)
{
    const PvElfSection *section = pv_elf_image_find_section (binary, ".eh_frame_hdr");
    size_t size_bytes;
    const uint8_t *data =
        section != NULL ? pv_elf_image_get_section_data (binary, section, &size_bytes) : NULL;

    if (data == NULL)
        return;
    PvCursor cursor = pv_cursor (data, size_bytes, frames->swap);
    uint8_t version = pv_cursor_u8 (&cursor);
    uint8_t start_encoding = pv_cursor_u8 (&cursor);
    uint8_t count_encoding = pv_cursor_u8 (&cursor);
    uint8_t table_encoding = pv_cursor_u8 (&cursor);
    size_t start_size = encoded_size (start_encoding, pv_elf_image_is_64bit (binary));
    if (version != 1 || start_size == 0 || count_encoding != ENCODING_UDATA4 ||
        table_encoding != ENCODING_DATAREL_SDATA4)
        return;
    pv_cursor_skip (&cursor, start_size);
    size_t n_pairs = pv_cursor_u32 (&cursor);
    if (cursor.failed || n_pairs == 0 || n_pairs > pv_cursor_left (&cursor) / 8)
        return;
    frames->table = cursor.pos;
    frames->n_pairs = n_pairs;
    frames->table_addr = section->link_addr;
}

static bool
open_frames (PvElfImage *binary, Frames *frames)
{
    const PvElfSection *section = pv_elf_image_find_section (binary, ".eh_frame");
    size_t size_bytes;

    frames->arch = pv_cfi_arch_find (pv_elf_image_get_machine (binary));
    frames->swap = pv_elf_image_is_swapped (binary);
    /* The entry reader only supports native byte order. */
    if (section == NULL || frames->arch == NULL || frames->swap)
        return false;
    const uint8_t *data = pv_elf_image_get_section_data (binary, section, &size_bytes);
    if (data == NULL)
        return false;
    frames->section =
        (PvCfiSection){.data = data, .size_bytes = size_bytes, .link_addr = section->link_addr};
    pv_cfi_cie_cache_init (&frames->cies);
    open_table (binary, frames);
    return true;
}

/* The entry of the last pair that starts at or before link_addr, as an offset in .eh_frame. */
static bool
look_up (const Frames *frames, uint64_t link_addr, size_t *ret_offset)
{
    size_t low = pv_bisect (
        0, frames->n_pairs, i,
        frames->table_addr + (uint64_t)(int64_t)(int32_t)read_u32 (frames, frames->table + 8 * i) <=
            link_addr);
    if (low == 0)
        return false;
    int32_t offset = (int32_t)read_u32 (frames, frames->table + 8 * (low - 1) + 4);
    *ret_offset = frames->table_addr + (uint64_t)(int64_t)offset - frames->section.link_addr;
    return *ret_offset < frames->section.size_bytes;
}

static void
scan_entries (Frames *frames, const uint64_t *link_addrs, size_t n, PvFdeRange *ranges)
{
    size_t offset = 0;
    PvCfiEntry entry;
    PvCfiFde fde;

    while (pv_cfi_next_entry (&frames->section, &offset, &entry)) {
        if (entry.is_cie ||
            !pv_cfi_read_fde (&frames->section, frames->arch, &entry, &frames->cies, &fde))
            continue;
        for (size_t i = pv_addresses_find (link_addrs, n, fde.start);
             i < n && link_addrs[i] < fde.end; i++) {
            if (ranges[i].end != 0)
                break; /* FDEs do not overlap; limits the cost of crafted ones */
            ranges[i] = (PvFdeRange){fde.start, fde.end};
        }
    }
}

void
pv_fde_ranges_find (PvElfImage *binary, const uint64_t *link_addrs, size_t n,
                    PvFdeRange *ret_ranges)
{
    g_assert (binary != NULL);
    g_assert (n == 0 || (link_addrs != NULL && ret_ranges != NULL));

    Frames frames = {0};

    memset (ret_ranges, 0, n * sizeof *ret_ranges);
    if (n == 0 || !open_frames (binary, &frames))
        return;
    if (frames.table == NULL) {
        scan_entries (&frames, link_addrs, n, ret_ranges);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        size_t offset;
        PvCfiEntry entry;
        PvCfiFde fde;
        if (look_up (&frames, link_addrs[i], &offset) &&
            pv_cfi_next_entry (&frames.section, &offset, &entry) && !entry.is_cie &&
            pv_cfi_read_fde (&frames.section, frames.arch, &entry, &frames.cies, &fde) &&
            link_addrs[i] >= fde.start && link_addrs[i] < fde.end)
            ret_ranges[i] = (PvFdeRange){fde.start, fde.end};
    }
}
