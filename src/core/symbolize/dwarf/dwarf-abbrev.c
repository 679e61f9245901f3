/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>

#include "core/base/search.h"
#include "core/symbolize/dwarf/dwarf-index-private.h"

/*
 * Abbreviation tables (DWARF 5, section 7.5.3): code, tag, has-children, then pairs of attribute
 * and form up to 0, 0; a code of 0 ends the table. Each becomes a list of skip operations, so that
 * skipping an irrelevant DIE takes a few additions.
 */
/* Far more than any compiler writes. Attributes may take no bytes in the DIE, so without a limit a
 * few bytes could take very long to read. */
#define MAX_ATTRS 1000

typedef struct {
    PV_ARRAY (PvDwarfAbbrev) abbrevs;
    PV_ARRAY (PvDwarfAttr) attrs;
    PV_ARRAY (uint16_t) ops;
    uint32_t max_attrs;
    bool is_refused;
} Builder;

/* The size of a form in bytes; -1 if it varies: *ret_skip then tells how to find the end of a
 * value. */
static int
get_form_size (uint16_t form, const PvDwarfUnit *unit, PvDwarfSkip *ret_skip)
{
    *ret_skip = PV_DWARF_SKIP_NOTHING;
    switch (form) {
    case DW_FORM_flag_present:
    case DW_FORM_implicit_const:
        return 0;
    case DW_FORM_data1:
    case DW_FORM_ref1:
    case DW_FORM_flag:
    case DW_FORM_strx1:
    case DW_FORM_addrx1:
        return 1;
    case DW_FORM_data2:
    case DW_FORM_ref2:
    case DW_FORM_strx2:
    case DW_FORM_addrx2:
        return 2;
    case DW_FORM_strx3:
    case DW_FORM_addrx3:
        return 3;
    case DW_FORM_data4:
    case DW_FORM_ref4:
    case DW_FORM_ref_sup4:
    case DW_FORM_strx4:
    case DW_FORM_addrx4:
        return 4;
    case DW_FORM_data8:
    case DW_FORM_ref8:
    case DW_FORM_ref_sup8:
    case DW_FORM_ref_sig8:
        return 8;
    case DW_FORM_data16:
        return 16;
    case DW_FORM_addr:
        return unit->address_size;
    case DW_FORM_ref_addr:
        return unit->version == 2 ? unit->address_size : unit->offset_size;
    case DW_FORM_strp:
    case DW_FORM_line_strp:
    case DW_FORM_strp_sup:
    case DW_FORM_sec_offset:
    case DW_FORM_GNU_ref_alt:
    case DW_FORM_GNU_strp_alt:
        return unit->offset_size;
    default:
        break;
    }
    switch (form) {
    case DW_FORM_sdata:
    case DW_FORM_udata:
    case DW_FORM_ref_udata:
    case DW_FORM_strx:
    case DW_FORM_addrx:
    case DW_FORM_loclistx:
    case DW_FORM_rnglistx:
    case DW_FORM_GNU_addr_index:
    case DW_FORM_GNU_str_index:
        *ret_skip = PV_DWARF_SKIP_LEB;
        return -1;
    case DW_FORM_string:
        *ret_skip = PV_DWARF_SKIP_STRING;
        return -1;
    case DW_FORM_block1:
        *ret_skip = PV_DWARF_SKIP_BLOCK1;
        return -1;
    case DW_FORM_block2:
        *ret_skip = PV_DWARF_SKIP_BLOCK2;
        return -1;
    case DW_FORM_block4:
        *ret_skip = PV_DWARF_SKIP_BLOCK4;
        return -1;
    case DW_FORM_block:
    case DW_FORM_exprloc:
        *ret_skip = PV_DWARF_SKIP_BLOCK;
        return -1;
    case DW_FORM_indirect:
        *ret_skip = PV_DWARF_SKIP_INDIRECT;
        return -1;
    default:
        *ret_skip = PV_DWARF_SKIP_END;
        return -1;
    }
}

/* False if a form is unknown: the attributes after it cannot be found. */
static bool
build_ops (Builder *builder, const PvDwarfUnit *unit, PvDwarfAbbrev *abbrev)
{
    abbrev->first_op = (uint32_t)builder->ops.len;
    unsigned fixed = 0;
    unsigned after_sibling = 0;
    bool has_sibling = false;
    for (uint32_t i = 0; i < abbrev->n_attrs; i++) {
        const PvDwarfAttr *attr = &builder->attrs.data[abbrev->first_attr + i];
        PvDwarfSkip skip;
        int size = get_form_size (attr->form, unit, &skip);
        if (size < 0 && skip == PV_DWARF_SKIP_END)
            return false;
        if (attr->name == DW_AT_sibling && attr->form == DW_FORM_ref4) {
            has_sibling = true;
            after_sibling = 0;
        } else if (size < 0) {
            has_sibling = false;
        }
        after_sibling += size > 0 ? (unsigned)size : 0;
        fixed += size > 0 ? (unsigned)size : 0;
        if (size < 0 || fixed > PV_DWARF_SKIP_MAX - 16) {
            pv_array_push (&builder->ops, (uint16_t)(fixed << PV_DWARF_SKIP_BITS | skip));
            fixed = 0;
        }
    }
    pv_array_push (&builder->ops, (uint16_t)(fixed << PV_DWARF_SKIP_BITS | PV_DWARF_SKIP_END));
    abbrev->sibling_back = has_sibling && after_sibling < 256 ? (uint8_t)after_sibling : 0;
    return true;
}

bool
pv_dwarf_form_is_known (uint16_t form)
{
    static const PvDwarfUnit any = {.version = 5, .address_size = 8, .offset_size = 4};
    PvDwarfSkip skip;
    return get_form_size (form, &any, &skip) >= 0 || skip != PV_DWARF_SKIP_END;
}

bool
pv_dwarf_tag_is_container (uint16_t tag)
{
    return tag == DW_TAG_namespace || tag == DW_TAG_class_type || tag == DW_TAG_structure_type ||
           tag == DW_TAG_union_type || tag == DW_TAG_interface_type || tag == DW_TAG_module ||
           tag == DW_TAG_enumeration_type;
}

/* Tags that never have code below them. Lists only certain cases: lambdas and methods of local
 * classes occur below classes and blocks. */
static bool
is_without_code (uint16_t tag)
{
    return tag == DW_TAG_array_type || tag == DW_TAG_subroutine_type || tag == DW_TAG_call_site ||
           tag == DW_TAG_GNU_call_site || tag == DW_TAG_GNU_formal_parameter_pack ||
           tag == DW_TAG_GNU_template_parameter_pack || tag == DW_TAG_formal_parameter ||
           tag == DW_TAG_variant_part;
}

static void
classify (const Builder *builder, PvDwarfAbbrev *abbrev)
{
    bool has_low = false, has_ranges = false, is_declaration = false;
    for (uint32_t i = 0; i < abbrev->n_attrs; i++) {
        uint16_t name = builder->attrs.data[abbrev->first_attr + i].name;
        has_low |= name == DW_AT_low_pc;
        has_ranges |= name == DW_AT_ranges;
        is_declaration |= name == DW_AT_declaration;
        abbrev->has_origin |= name == DW_AT_abstract_origin;
    }
    abbrev->walk = PV_DWARF_WALK_PLAIN;
    if (abbrev->tag == DW_TAG_subprogram && (has_low || has_ranges))
        abbrev->walk = PV_DWARF_WALK_FUNCTION;
    else if (abbrev->tag == DW_TAG_inlined_subroutine && (has_low || has_ranges))
        abbrev->walk = PV_DWARF_WALK_INLINE;
    else if (abbrev->has_children && abbrev->sibling_back > 0 &&
             (is_without_code (abbrev->tag) ||
              (abbrev->tag == DW_TAG_subprogram && is_declaration)))
        abbrev->walk = PV_DWARF_WALK_SKIP;
    else if (abbrev->has_children && pv_dwarf_tag_is_container (abbrev->tag))
        abbrev->walk = PV_DWARF_WALK_CONTAINER;
}

/* Reads one abbreviation, after its code. */
static bool
read_abbrev (Builder *builder, PvCursor *cursor, const PvDwarfUnit *unit, uint64_t code)
{
    PvDwarfAbbrev abbrev = {.code = code, .first_attr = (uint32_t)builder->attrs.len};
    bool is_known = true;
    uint64_t tag = pv_dwarf_uleb (cursor);
    abbrev.has_children = pv_cursor_u8 (cursor) != 0;
    for (;;) {
        uint64_t name = pv_dwarf_uleb (cursor);
        uint64_t form = pv_dwarf_uleb (cursor);
        int64_t implicit_value = form == DW_FORM_implicit_const ? pv_dwarf_sleb (cursor) : 0;
        if (cursor->failed || builder->attrs.len - abbrev.first_attr > MAX_ATTRS)
            return false;
        if (name == 0 && form == 0)
            break;
        is_known &= name <= 0xffff && form <= 0xffff;
        pv_array_push (&builder->attrs,
                       ((PvDwarfAttr){(uint16_t)name, (uint16_t)form, implicit_value}));
    }
    abbrev.n_attrs = (uint32_t)(builder->attrs.len - abbrev.first_attr);
    abbrev.tag = (uint16_t)tag;
    if (tag == 0 || cursor->failed || builder->attrs.len > UINT32_MAX / 2)
        return false;
    builder->max_attrs = MAX (builder->max_attrs, abbrev.n_attrs);
    /* An unknown form only matters where it is used, so leave the code undefined. */
    if (is_known && tag <= 0xffff && build_ops (builder, unit, &abbrev)) {
        classify (builder, &abbrev);
        pv_array_push (&builder->abbrevs, abbrev);
    } else {
        builder->is_refused = true;
    }
    return true;
}

static int
compare_codes (const void *a, const void *b)
{
    const PvDwarfAbbrev *first = a, *second = b;
    return pv_order (first->code, second->code);
}

PvDwarfAbbrevs *
pv_dwarf_abbrevs_new (const PvDwarfFile *file, const PvDwarfUnit *unit, uint64_t only_code)
{
    PvCursor cursor = pv_dwarf_section_cursor (file, PV_DWARF_ABBREV, unit->abbrev_offset);
    size_t n_bytes = pv_cursor_left (&cursor);
    Builder builder = {0};
    uint64_t max_code = 0;
    bool is_whole = false;
    while (!cursor.failed) {
        uint64_t code = pv_dwarf_uleb (&cursor);
        if (code == 0 || cursor.failed) {
            is_whole = !cursor.failed;
            break;
        }
        size_t n_attrs = builder.attrs.len;
        if (!read_abbrev (&builder, &cursor, unit, code))
            break;
        if (only_code == 0) {
            max_code = MAX (max_code, code);
        } else if (code == only_code) {
            break;
        } else {
            builder.abbrevs.len = 0;
            builder.ops.len = 0;
            builder.attrs.len = n_attrs;
            builder.is_refused = false;
        }
    }
    PvDwarfAbbrevs *abbrevs = g_new0 (PvDwarfAbbrevs, 1);
    abbrevs->n_read_bytes = n_bytes - pv_cursor_left (&cursor);
    abbrevs->is_whole = is_whole;
    abbrevs->is_refused = builder.is_refused;
    abbrevs->max_attrs = builder.max_attrs;
    for (size_t i = 0; i < builder.abbrevs.len; i++)
        abbrevs->has_code |= builder.abbrevs.data[i].walk == PV_DWARF_WALK_FUNCTION;
    abbrevs->size_bytes = sizeof *abbrevs + builder.attrs.len * sizeof *builder.attrs.data +
                          builder.ops.len * sizeof *builder.ops.data;
    if (only_code == 0 && max_code <= builder.abbrevs.len * 4 + 64) {
        abbrevs->n_dense = (size_t)max_code + 1;
        abbrevs->dense = g_new0 (PvDwarfAbbrev, abbrevs->n_dense);
        /* If two have the same code, the first one wins, as in a linear search. */
        for (size_t i = builder.abbrevs.len; i-- > 0;)
            abbrevs->dense[builder.abbrevs.data[i].code] = builder.abbrevs.data[i];
        pv_array_clear (&builder.abbrevs);
    } else {
        abbrevs->n_sorted = builder.abbrevs.len;
        abbrevs->sorted = builder.abbrevs.data;
        if (abbrevs->n_sorted > 1)
            qsort (abbrevs->sorted, abbrevs->n_sorted, sizeof *abbrevs->sorted, compare_codes);
    }
    abbrevs->size_bytes += (abbrevs->n_dense + abbrevs->n_sorted) * sizeof *abbrevs->dense;
    abbrevs->attrs = builder.attrs.data;
    abbrevs->ops = builder.ops.data;
    if (abbrevs->n_dense <= 1 && abbrevs->n_sorted == 0 && !abbrevs->is_refused)
        g_clear_pointer (&abbrevs, pv_dwarf_abbrevs_free);
    return abbrevs;
}

void
pv_dwarf_abbrevs_free (PvDwarfAbbrevs *abbrevs)
{
    if (abbrevs == NULL)
        return;
    g_free (abbrevs->dense);
    g_free (abbrevs->sorted);
    g_free (abbrevs->attrs);
    g_free (abbrevs->ops);
    g_free (abbrevs);
}

const PvDwarfAbbrev *
pv_dwarf_abbrevs_bisect (const PvDwarfAbbrevs *abbrevs, uint64_t code)
{
    size_t low = pv_bisect (0, abbrevs->n_sorted, i, abbrevs->sorted[i].code < code);
    return low < abbrevs->n_sorted && abbrevs->sorted[low].code == code ? &abbrevs->sorted[low]
                                                                        : NULL;
}
