/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/symbolize/dwarf/dwarf-index-private.h"

/*
 * The code ranges of a DIE: low and high pc, or a list. Lists before version 5 (.debug_ranges) are
 * pairs of addresses relative to a base; (-1, base) changes the base, (0, 0) ends the list. Lists
 * of version 5 (.debug_rnglists, section 7.25) are entries with a kind byte.
 */
enum {
    KIND_END,
    KIND_PAIR,
    KIND_PAIRS,
    KIND_LIST,
};

/* The start of the list with that index: the table at the base contains offsets relative to it. */
static bool
get_list_offset (const PvDwarfView *view, uint64_t index, uint64_t *ret_offset)
{
    unsigned size = view->unit->offset_size;
    if (index > UINT32_MAX)
        return false;
    PvCursor cursor =
        pv_dwarf_section_cursor (view->file, PV_DWARF_RNGLISTS, view->rnglists_base + index * size);
    *ret_offset = view->rnglists_base + pv_dwarf_read_uint (&cursor, size);
    return !cursor.failed;
}

static bool
init_list (PvDwarfRanges *ranges, const PvDwarfView *view, const PvDwarfValue *list)
{
    uint64_t offset = list->number;
    ranges->base = view->base_addr;
    if (view->unit->version >= 5) {
        ranges->kind = KIND_LIST;
        if (list->form == DW_FORM_rnglistx && !get_list_offset (view, list->number, &offset))
            return false;
        ranges->cursor = pv_dwarf_section_cursor (view->file, PV_DWARF_RNGLISTS, offset);
    } else {
        /* A split unit's lists stay in the main file, relative to the skeleton's base. */
        const PvDwarfView *owner = view->skeleton != NULL ? view->skeleton : view;
        ranges->kind = KIND_PAIRS;
        if (view->skeleton != NULL)
            offset += view->gnu_ranges_base;
        ranges->cursor = pv_dwarf_section_cursor (owner->file, PV_DWARF_RANGES, offset);
    }
    return !ranges->cursor.failed;
}

bool
pv_dwarf_ranges_init (PvDwarfRanges *ranges, const PvDwarfView *view, const PvDwarfValue *low_pc,
                      const PvDwarfValue *high_pc, const PvDwarfValue *list)
{
    *ranges = (PvDwarfRanges){.view = view};
    if (list->form != 0)
        return init_list (ranges, view, list);
    if (high_pc->form == 0 || !pv_dwarf_value_addr (view, low_pc, &ranges->low))
        return false;
    /* Version 4 and later: a constant is the size. */
    if (!pv_dwarf_value_addr (view, high_pc, &ranges->high))
        ranges->high = ranges->low + pv_dwarf_value_number (high_pc);
    ranges->kind = KIND_PAIR;
    return true;
}

/* Reads one pair of .debug_ranges; false at the end. *ret_high is 0 if the pair only sets the
 * base. */
static bool
read_pair (PvDwarfRanges *ranges, uint64_t *ret_low, uint64_t *ret_high)
{
    unsigned size = ranges->view->unit->address_size;
    uint64_t low = pv_dwarf_read_uint (&ranges->cursor, size);
    uint64_t high = pv_dwarf_read_uint (&ranges->cursor, size);
    *ret_low = *ret_high = 0;
    if (ranges->cursor.failed || (low == 0 && high == 0))
        return false;
    if (low == (size == 8 ? UINT64_MAX : UINT32_MAX)) {
        ranges->base = high;
    } else {
        *ret_low = ranges->base + low;
        *ret_high = ranges->base + high;
    }
    return true;
}

static bool
read_addr_index (PvDwarfRanges *ranges, uint64_t *ret_addr)
{
    return pv_dwarf_view_addr_at (ranges->view, pv_dwarf_uleb (&ranges->cursor), ret_addr);
}

/* The same for one entry of .debug_rnglists. */
static bool
read_entry (PvDwarfRanges *ranges, uint64_t *ret_low, uint64_t *ret_high)
{
    PvCursor *cursor = &ranges->cursor;
    unsigned size = ranges->view->unit->address_size;
    uint64_t low = 0, high = 0;
    bool is_good = true;
    switch (pv_cursor_u8 (cursor)) {
    case DW_RLE_base_addressx:
        is_good = read_addr_index (ranges, &ranges->base);
        break;
    case DW_RLE_startx_endx:
        is_good = read_addr_index (ranges, &low) && read_addr_index (ranges, &high);
        break;
    case DW_RLE_startx_length:
        is_good = read_addr_index (ranges, &low);
        high = low + pv_dwarf_uleb (cursor);
        break;
    case DW_RLE_offset_pair:
        low = ranges->base + pv_dwarf_uleb (cursor);
        high = ranges->base + pv_dwarf_uleb (cursor);
        break;
    case DW_RLE_base_address:
        ranges->base = pv_dwarf_read_uint (cursor, size);
        break;
    case DW_RLE_start_end:
        low = pv_dwarf_read_uint (cursor, size);
        high = pv_dwarf_read_uint (cursor, size);
        break;
    case DW_RLE_start_length:
        low = pv_dwarf_read_uint (cursor, size);
        high = low + pv_dwarf_uleb (cursor);
        break;
    default:
        return false;
    }
    *ret_low = low;
    *ret_high = high;
    return is_good && !cursor->failed;
}

bool
pv_dwarf_ranges_next (PvDwarfRanges *ranges, uint64_t *ret_low, uint64_t *ret_high,
                      uint64_t *budget)
{
    for (;;) {
        uint64_t low = ranges->low, high = ranges->high;
        if (ranges->kind == KIND_END || *budget == 0)
            return false;
        --*budget;
        if (ranges->kind == KIND_PAIR)
            ranges->kind = KIND_END;
        else if (!(ranges->kind == KIND_PAIRS ? read_pair (ranges, &low, &high)
                                              : read_entry (ranges, &low, &high)))
            return false;
        if (low < high) {
            *ret_low = low;
            *ret_high = high;
            return true;
        }
    }
}

bool
pv_dwarf_units_is_code (const PvDwarfUnits *units, uint64_t link_addr)
{
    if (units == NULL || units->code.len == 0)
        return true;
    for (size_t i = 0; i < units->code.len; i++)
        if (link_addr >= units->code.data[i].start && link_addr < units->code.data[i].end)
            return true;
    return false;
}
