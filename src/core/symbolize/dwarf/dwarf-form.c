/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "core/symbolize/dwarf/dwarf-index-private.h"

/*
 * Attribute values (DWARF 5, section 7.5.6, and the GNU forms of split DWARF 4 and of dwz). A value
 * is read without knowing its attribute; the meaning of the number (a string's offset, an index
 * into .debug_addr, a reference) is resolved later and depends on the unit.
 */
PvCursor
pv_dwarf_section_cursor (const PvDwarfFile *file, PvDwarfSectionId section, uint64_t offset)
{
    PvDwarfBytes bytes = file->sections[section];
    if (bytes.data == NULL || offset > bytes.size)
        return (PvCursor){.swap = file->swap, .failed = true};
    return pv_cursor (bytes.data + offset, bytes.size - (size_t)offset, file->swap);
}

uint64_t
pv_dwarf_read_uint (PvCursor *cursor, unsigned size)
{
    switch (size) {
    case 1:
        return pv_cursor_u8 (cursor);
    case 2:
        return pv_cursor_u16 (cursor);
    case 4:
        return pv_cursor_u32 (cursor);
    case 8:
        return pv_cursor_u64 (cursor);
    case 3: {
        const uint8_t *p = pv_cursor_take (cursor, 3);
        if (p == NULL)
            return 0;
        bool is_big = (G_BYTE_ORDER == G_BIG_ENDIAN) != cursor->swap;
        return is_big ? (uint32_t)p[0] << 16 | (uint32_t)p[1] << 8 | p[2]
                      : (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8 | p[0];
    }
    default:
        cursor->failed = true;
        return 0;
    }
}

static void
read_block (PvCursor *cursor, uint64_t size, PvDwarfValue *value)
{
    size = MIN (size, SIZE_MAX);
    value->data = pv_cursor_take (cursor, (size_t)size);
    value->size = value->data != NULL ? (size_t)size : 0;
}

bool
pv_dwarf_read_value (PvCursor *cursor, const PvDwarfUnit *unit, uint16_t form,
                     int64_t implicit_value, PvDwarfValue *value)
{
    /* Only one level: an indirect form must not refer to an indirect form. */
    if (form == DW_FORM_indirect) {
        uint64_t real_form = pv_dwarf_uleb (cursor);
        if (real_form > 0xffff || real_form == DW_FORM_indirect)
            return false;
        form = (uint16_t)real_form;
        implicit_value = form == DW_FORM_implicit_const ? pv_dwarf_sleb (cursor) : 0;
    }
    *value = (PvDwarfValue){.form = form};
    switch (form) {
    case DW_FORM_flag_present:
        value->number = 1;
        break;
    case DW_FORM_implicit_const:
        value->number = (uint64_t)implicit_value;
        break;
    case DW_FORM_data1:
    case DW_FORM_ref1:
    case DW_FORM_flag:
    case DW_FORM_strx1:
    case DW_FORM_addrx1:
        value->number = pv_cursor_u8 (cursor);
        break;
    case DW_FORM_data2:
    case DW_FORM_ref2:
    case DW_FORM_strx2:
    case DW_FORM_addrx2:
        value->number = pv_cursor_u16 (cursor);
        break;
    case DW_FORM_strx3:
    case DW_FORM_addrx3:
        value->number = pv_dwarf_read_uint (cursor, 3);
        break;
    case DW_FORM_data4:
    case DW_FORM_ref4:
    case DW_FORM_ref_sup4:
    case DW_FORM_strx4:
    case DW_FORM_addrx4:
        value->number = pv_cursor_u32 (cursor);
        break;
    case DW_FORM_data8:
    case DW_FORM_ref8:
    case DW_FORM_ref_sup8:
    case DW_FORM_ref_sig8:
        value->number = pv_cursor_u64 (cursor);
        break;
    case DW_FORM_addr:
        value->number = pv_dwarf_read_uint (cursor, unit->address_size);
        break;
    case DW_FORM_ref_addr:
        value->number = pv_dwarf_read_uint (cursor, unit->version == 2 ? unit->address_size
                                                                       : unit->offset_size);
        break;
    case DW_FORM_strp:
    case DW_FORM_line_strp:
    case DW_FORM_strp_sup:
    case DW_FORM_sec_offset:
    case DW_FORM_GNU_ref_alt:
    case DW_FORM_GNU_strp_alt:
        value->number = pv_dwarf_read_uint (cursor, unit->offset_size);
        break;
    case DW_FORM_sdata:
        value->number = (uint64_t)pv_dwarf_sleb (cursor);
        break;
    case DW_FORM_udata:
    case DW_FORM_ref_udata:
    case DW_FORM_strx:
    case DW_FORM_addrx:
    case DW_FORM_loclistx:
    case DW_FORM_rnglistx:
    case DW_FORM_GNU_addr_index:
    case DW_FORM_GNU_str_index:
        value->number = pv_dwarf_uleb (cursor);
        break;
    case DW_FORM_string:
        value->data = (const uint8_t *)pv_cursor_string (cursor, &value->size);
        break;
    case DW_FORM_data16:
        read_block (cursor, 16, value);
        break;
    case DW_FORM_block1:
        read_block (cursor, pv_cursor_u8 (cursor), value);
        break;
    case DW_FORM_block2:
        read_block (cursor, pv_cursor_u16 (cursor), value);
        break;
    case DW_FORM_block4:
        read_block (cursor, pv_cursor_u32 (cursor), value);
        break;
    case DW_FORM_block:
    case DW_FORM_exprloc:
        read_block (cursor, pv_dwarf_uleb (cursor), value);
        break;
    default:
        return false;
    }
    return !cursor->failed;
}

static const char *
string_at (const PvDwarfFile *file, PvDwarfSectionId section, uint64_t offset)
{
    PvCursor cursor = pv_dwarf_section_cursor (file, section, offset);
    return pv_cursor_string (&cursor, NULL);
}

static const char *
string_by_index (const PvDwarfView *view, uint64_t index)
{
    unsigned size = view->unit->offset_size;
    if (index > UINT32_MAX)
        return NULL;
    PvCursor cursor = pv_dwarf_section_cursor (view->file, PV_DWARF_STR_OFFSETS,
                                               view->str_offsets_base + index * size);
    uint64_t offset = pv_dwarf_read_uint (&cursor, size);
    return cursor.failed ? NULL : string_at (view->file, PV_DWARF_STR, offset);
}

const char *
pv_dwarf_value_string (const PvDwarfView *view, const PvDwarfValue *value)
{
    switch (value->form) {
    case DW_FORM_string:
        return (const char *)value->data;
    case DW_FORM_strp:
        return string_at (view->file, PV_DWARF_STR, value->number);
    case DW_FORM_line_strp:
        return string_at (view->file, PV_DWARF_LINE_STR, value->number);
    case DW_FORM_strp_sup:
    case DW_FORM_GNU_strp_alt:
        return view->file->alternate != NULL
                   ? string_at (view->file->alternate, PV_DWARF_STR, value->number)
                   : NULL;
    case DW_FORM_strx:
    case DW_FORM_strx1:
    case DW_FORM_strx2:
    case DW_FORM_strx3:
    case DW_FORM_strx4:
    case DW_FORM_GNU_str_index:
        return string_by_index (view, value->number);
    default:
        return NULL;
    }
}

bool
pv_dwarf_view_addr_at (const PvDwarfView *view, uint64_t index, uint64_t *ret_addr)
{
    /* Addresses of a split unit are in the skeleton's file. */
    const PvDwarfView *owner = view->skeleton != NULL ? view->skeleton : view;
    unsigned size = view->unit->address_size;
    if (index > UINT32_MAX)
        return false;
    PvCursor cursor =
        pv_dwarf_section_cursor (owner->file, PV_DWARF_ADDR, owner->addr_base + index * size);
    uint64_t addr = pv_dwarf_read_uint (&cursor, size);
    if (cursor.failed)
        return false;
    *ret_addr = addr;
    return true;
}

bool
pv_dwarf_value_addr (const PvDwarfView *view, const PvDwarfValue *value, uint64_t *ret_addr)
{
    switch (value->form) {
    case DW_FORM_addr:
        *ret_addr = value->number;
        return true;
    case DW_FORM_addrx:
    case DW_FORM_addrx1:
    case DW_FORM_addrx2:
    case DW_FORM_addrx3:
    case DW_FORM_addrx4:
    case DW_FORM_GNU_addr_index:
        return pv_dwarf_view_addr_at (view, value->number, ret_addr);
    default:
        return false;
    }
}

bool
pv_dwarf_value_ref (const PvDwarfView *view, const PvDwarfValue *value,
                    const PvDwarfFile **ret_file, uint64_t *ret_offset)
{
    switch (value->form) {
    case DW_FORM_ref1:
    case DW_FORM_ref2:
    case DW_FORM_ref4:
    case DW_FORM_ref8:
    case DW_FORM_ref_udata:
        *ret_file = view->file;
        *ret_offset = view->unit->offset + value->number;
        return *ret_offset >= view->unit->first_die && *ret_offset < view->unit->end;
    case DW_FORM_ref_addr:
        *ret_file = view->file;
        *ret_offset = value->number;
        return true;
    case DW_FORM_ref_sup4:
    case DW_FORM_ref_sup8:
    case DW_FORM_GNU_ref_alt:
        *ret_file = view->file->alternate;
        *ret_offset = value->number;
        return *ret_file != NULL;
    default:
        return false;
    }
}

uint64_t
pv_dwarf_value_number (const PvDwarfValue *value)
{
    switch (value->form) {
    case DW_FORM_data1:
    case DW_FORM_data2:
    case DW_FORM_data4:
    case DW_FORM_data8:
    case DW_FORM_sdata:
    case DW_FORM_udata:
    case DW_FORM_implicit_const:
    case DW_FORM_sec_offset:
    case DW_FORM_flag:
    case DW_FORM_flag_present:
        return value->number;
    default:
        return 0;
    }
}
