/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "core/base/search.h"
#include "core/symbolize/dwarf/dwarf-index-private.h"

/*
 * Sections and unit headers of a file with debug information (DWARF 2 to 5, section 7.5.1). Unit
 * headers form a chain by length through .debug_info:
 *
 *   length 4 (or 0xffffffff and 8)  version 2
 *   versions 2-4: abbreviations' offset, address size
 *   version 5:    unit type, address size, abbreviations' offset, then for skeleton and split units
 *                 the dwo id (8), for type units signature (8) and type offset
 *
 * A package (.dwp, DWARF 5 section 7.3.5) is found through .debug_cu_index: a hash table of dwo
 * ids, and for each the offset and size of its part of every section.
 */
const char *const pv_dwarf_section_names[PV_DWARF_N_SECTIONS] = {
    [PV_DWARF_INFO] = ".debug_info",         [PV_DWARF_ABBREV] = ".debug_abbrev",
    [PV_DWARF_STR] = ".debug_str",           [PV_DWARF_STR_OFFSETS] = ".debug_str_offsets",
    [PV_DWARF_LINE] = ".debug_line",         [PV_DWARF_LINE_STR] = ".debug_line_str",
    [PV_DWARF_ADDR] = ".debug_addr",         [PV_DWARF_RANGES] = ".debug_ranges",
    [PV_DWARF_RNGLISTS] = ".debug_rnglists",
};

#define MAX_VERSION 5

static PvDwarfBytes
get_section (PvElfImage *image, const char *name, const char *suffix)
{
    char full_name[64];
    g_snprintf (full_name, sizeof full_name, "%s%s", name, suffix);
    const PvElfSection *section = pv_elf_image_find_section (image, full_name);
    if (section == NULL) {
        /* The old compressed format; the image unpacks it. */
        g_snprintf (full_name, sizeof full_name, ".z%s%s", name + 1, suffix);
        section = pv_elf_image_find_section (image, full_name);
    }
    PvDwarfBytes bytes = {NULL, 0};
    if (section != NULL) {
        bytes.data = pv_elf_image_get_section_data (image, section, &bytes.size);
        if (bytes.data == NULL)
            bytes.size = 0;
    }
    return bytes;
}

/* Reads the header at the cursor, which is at offset; false if damaged. Marks unreadable units to
 * be skipped with version 0. Reads only the start of the header of newer versions. */
static bool
read_unit_header (PvCursor *cursor, uint64_t offset, PvDwarfUnit *unit)
{
    const uint8_t *start = cursor->pos;
    *unit = (PvDwarfUnit){.offset = offset, .offset_size = 4, .type = DW_UT_compile};
    uint64_t length = pv_cursor_u32 (cursor);
    if (length == 0xffffffff) {
        unit->offset_size = 8;
        length = pv_cursor_u64 (cursor);
    } else if (length >= 0xfffffff0) {
        return false;
    }
    if (cursor->failed || length > pv_cursor_left (cursor))
        return false;
    PvCursor body = pv_cursor_sub (cursor, (size_t)length);
    unit->end = offset + (uint64_t)(cursor->pos - start);
    unit->version = pv_cursor_u16 (&body);
    if (!body.failed && unit->version > MAX_VERSION) {
        unit->is_foreign = true;
        unit->address_size = 8;
        unit->first_die = offset + (uint64_t)(body.pos - start);
        return true;
    }
    if (unit->version >= 5) {
        unit->type = pv_cursor_u8 (&body);
        unit->address_size = pv_cursor_u8 (&body);
        unit->abbrev_offset = pv_dwarf_read_uint (&body, unit->offset_size);
        if (unit->type == DW_UT_skeleton || unit->type == DW_UT_split_compile)
            unit->dwo_id = pv_cursor_u64 (&body);
        else if (unit->type == DW_UT_type || unit->type == DW_UT_split_type)
            pv_cursor_skip (&body, 8 + (size_t)unit->offset_size);
    } else {
        unit->abbrev_offset = pv_dwarf_read_uint (&body, unit->offset_size);
        unit->address_size = pv_cursor_u8 (&body);
    }
    unit->first_die = offset + (uint64_t)(body.pos - start);
    if (body.failed || unit->version < 2 || (unit->address_size != 4 && unit->address_size != 8))
        unit->version = 0;
    return true;
}

static void
read_units (PvDwarfFile *file)
{
    PvCursor cursor = pv_dwarf_section_cursor (file, PV_DWARF_INFO, 0);
    PV_ARRAY (PvDwarfUnit) units = {0};
    while (pv_cursor_left (&cursor) >= 4) {
        uint64_t offset = (uint64_t)(cursor.pos - file->sections[PV_DWARF_INFO].data);
        PvDwarfUnit unit;
        if (!read_unit_header (&cursor, offset, &unit)) {
            file->is_damaged = true;
            break;
        }
        if (unit.version != 0)
            pv_array_push (&units, unit);
        file->n_skipped += unit.version == 0 || unit.is_foreign;
    }
    file->n_units = units.len;
    file->units = units.data;
}

bool
pv_dwarf_file_init (PvDwarfFile *file, PvElfImage *image, bool is_dwo)
{
    g_assert (image != NULL && file->units == NULL);
    file->image = pv_elf_image_ref (image);
    file->swap = pv_elf_image_is_swapped (image);
    file->is_dwo = is_dwo;
    for (size_t i = 0; i < PV_DWARF_N_SECTIONS; i++)
        file->sections[i] = get_section (image, pv_dwarf_section_names[i], is_dwo ? ".dwo" : "");
    if (file->sections[PV_DWARF_INFO].size == 0)
        return false;
    read_units (file);
    return file->n_units > 0;
}

void
pv_dwarf_file_clear (PvDwarfFile *file)
{
    g_clear_pointer (&file->image, pv_elf_image_unref);
    g_free (file->units);
    memset (file, 0, sizeof *file);
}

const PvDwarfUnit *
pv_dwarf_file_find_unit (const PvDwarfFile *file, uint64_t offset)
{
    size_t low = pv_bisect (0, file->n_units, i, file->units[i].offset <= offset);
    if (low == 0)
        return NULL;
    const PvDwarfUnit *unit = &file->units[low - 1];
    return offset >= unit->first_die && offset < unit->end ? unit : NULL;
}

/* Column codes of a package index; version 2 (the GNU extension) and version 5 differ. */
static PvDwarfSectionId
section_of_column (uint32_t column, uint32_t version)
{
    switch (column) {
    case 1:
        return PV_DWARF_INFO;
    case 3:
        return PV_DWARF_ABBREV;
    case 4:
        return PV_DWARF_LINE;
    case 6:
        return PV_DWARF_STR_OFFSETS;
    case 8:
        return version == 5 ? PV_DWARF_RNGLISTS : PV_DWARF_N_SECTIONS;
    default:
        return PV_DWARF_N_SECTIONS;
    }
}

typedef struct {
    uint32_t version, n_columns, n_units, n_slots;
    PvCursor hashes, rows, columns, offsets, sizes;
} PackageIndex;

static bool
read_package_index (PvDwarfBytes bytes, bool swap, PackageIndex *index)
{
    PvCursor cursor = pv_cursor (bytes.data, bytes.size, swap);
    uint32_t word = pv_cursor_u32 (&cursor);
    /* Version 5 is two bytes and padding, version 2 a word: this distinguishes them in any byte
     * order. */
    index->version = word == 2 ? 2 : (word & 0xffff) == 5 || word >> 16 == 5 ? 5 : 0;
    index->n_columns = pv_cursor_u32 (&cursor);
    index->n_units = pv_cursor_u32 (&cursor);
    index->n_slots = pv_cursor_u32 (&cursor);
    if (cursor.failed || index->version == 0 || index->n_columns > 16 ||
        index->n_slots > pv_cursor_left (&cursor) / 12 ||
        (index->n_slots & (index->n_slots - 1)) != 0)
        return false;
    size_t table_size = (size_t)index->n_columns * 4;
    if (table_size == 0 || index->n_units > pv_cursor_left (&cursor) / table_size)
        return false;
    index->hashes = pv_cursor_sub (&cursor, (size_t)index->n_slots * 8);
    index->rows = pv_cursor_sub (&cursor, (size_t)index->n_slots * 4);
    index->columns = pv_cursor_sub (&cursor, table_size);
    index->offsets = pv_cursor_sub (&cursor, table_size * index->n_units);
    index->sizes = pv_cursor_sub (&cursor, table_size * index->n_units);
    return !cursor.failed;
}

/* The 1-based row of an id, or 0: open addressing with a step from the id's upper half. */
static uint32_t
find_package_row (const PackageIndex *index, uint64_t dwo_id)
{
    uint64_t mask = index->n_slots - 1;
    uint64_t slot = dwo_id & mask, step = ((dwo_id >> 32) & mask) | 1;
    for (uint32_t i = 0; i < index->n_slots; i++, slot = (slot + step) & mask) {
        PvCursor hashes = index->hashes, rows = index->rows;
        pv_cursor_skip (&hashes, (size_t)slot * 8);
        pv_cursor_skip (&rows, (size_t)slot * 4);
        uint64_t id = pv_cursor_u64 (&hashes);
        uint32_t row = pv_cursor_u32 (&rows);
        if (row == 0 || row > index->n_units)
            return 0;
        if (id == dwo_id)
            return row;
    }
    return 0;
}

bool
pv_dwarf_file_init_from_package (PvDwarfFile *file, PvElfImage *package, uint64_t dwo_id)
{
    PackageIndex index;
    if (!read_package_index (get_section (package, ".debug_cu_index", ""),
                             pv_elf_image_is_swapped (package), &index))
        return false;
    uint32_t row = find_package_row (&index, dwo_id);
    if (row == 0)
        return false;
    file->image = pv_elf_image_ref (package);
    file->swap = pv_elf_image_is_swapped (package);
    file->is_dwo = true;
    file->sections[PV_DWARF_STR] = get_section (package, ".debug_str", ".dwo");
    pv_cursor_skip (&index.offsets, (size_t)(row - 1) * index.n_columns * 4);
    pv_cursor_skip (&index.sizes, (size_t)(row - 1) * index.n_columns * 4);
    for (uint32_t i = 0; i < index.n_columns; i++) {
        PvDwarfSectionId id = section_of_column (pv_cursor_u32 (&index.columns), index.version);
        uint64_t offset = pv_cursor_u32 (&index.offsets);
        uint64_t size = pv_cursor_u32 (&index.sizes);
        if (id == PV_DWARF_N_SECTIONS)
            continue;
        PvDwarfBytes whole = get_section (package, pv_dwarf_section_names[id], ".dwo");
        if (offset <= whole.size && size <= whole.size - offset)
            file->sections[id] = (PvDwarfBytes){whole.data + offset, (size_t)size};
    }
    if (file->sections[PV_DWARF_INFO].size > 0)
        read_units (file);
    return file->n_units > 0;
}
