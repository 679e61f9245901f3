/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <dwarf.h>
#include <elf.h>

#include "../cases.h"
#include "core/symbolize/unwind/cfi-table.h"
#include "eh-frame-maker.h"

/* Programs made by hand, one per instruction, and the rows that must come of them. */

typedef struct {
    EhFrame frame;
    PvCfiTable *table;
} Fixture;

static void
build (Fixture *fixture, uint16_t machine)
{
    PvCfiSection section = eh_frame_section (&fixture->frame);
    fixture->table =
        pv_cfi_table_new (pv_cfi_arch_find (machine), NULL, NULL, &section, 1, 0x1000, UINT64_MAX);
}

static void
clear (Fixture *fixture)
{
    pv_cfi_table_free (fixture->table);
    eh_frame_clear (&fixture->frame);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Fixture, clear)

static void
check_row (const Fixture *fixture, uint64_t addr, PvUnwindKind kind, unsigned words, int frame)
{
    const PvUnwindRow *row = pv_cfi_table_find (fixture->table, addr);
    g_assert_cmpint (pv_unwind_row_kind (row), ==, kind);
    g_assert_cmpint (row->cfa >> 2, ==, words);
    g_assert_cmpint (row->frame, ==, frame);
}

static PvCfiRow
get_rules (const Fixture *fixture, uint64_t addr)
{
    PvCfiRules rules;
    g_assert_true (pv_cfi_table_find_rules (fixture->table, addr, &rules));
    return rules.row;
}

static void
check_rule (const PvCfiRow *row, unsigned number, PvCfiRuleKind kind, int64_t value)
{
    g_assert_cmpint (row->registers[number].kind, ==, kind);
    if (kind != PV_CFI_EXPRESSION && kind != PV_CFI_VAL_EXPRESSION)
        g_assert_cmpint (row->registers[number].value, ==, value);
}

/* push %rbp; mov %rsp,%rbp; ...; leave; ret */
TEST (frame_pointer)
{
    g_auto (Fixture) fixture = {0};
    eh_frame_add_common_cie (&fixture.frame);
    EH_FRAME_FDE (&fixture.frame, 0x2000, 0x100, DW_CFA_advance_loc | 1, DW_CFA_def_cfa_offset, 16,
                  DW_CFA_offset | 6, 2, DW_CFA_advance_loc | 3, DW_CFA_def_cfa_register, 6,
                  DW_CFA_advance_loc1, 0xfb, DW_CFA_def_cfa, 7, 8);
    build (&fixture, EM_X86_64);
    check_row (&fixture, 0x1fff, PV_UNWIND_OTHER, PV_UNWIND_NONE, 0);
    check_row (&fixture, 0x2000, PV_UNWIND_SP, 1, 0);
    check_row (&fixture, 0x2001, PV_UNWIND_SP, 2, -2);
    check_row (&fixture, 0x2003, PV_UNWIND_SP, 2, -2);
    check_row (&fixture, 0x2004, PV_UNWIND_FP, 2, -2);
    check_row (&fixture, 0x20fe, PV_UNWIND_FP, 2, -2);
    check_row (&fixture, 0x20ff, PV_UNWIND_SP, 1, -2);
    check_row (&fixture, 0x2100, PV_UNWIND_OTHER, PV_UNWIND_NONE, 0);
    check_row (&fixture, UINT64_MAX, PV_UNWIND_OTHER, PV_UNWIND_NONE, 0);
    uint64_t start, end;
    g_assert_true (pv_cfi_table_find_function (fixture.table, 0x2050, &start, &end));
    g_assert_cmphex (start, ==, 0x2000);
    g_assert_cmphex (end, ==, 0x2100);
    g_assert_false (pv_cfi_table_find_function (fixture.table, 0x2100, &start, &end));
}

TEST (advances)
{
    g_auto (Fixture) fixture = {0};
    eh_frame_add_common_cie (&fixture.frame);
    EH_FRAME_FDE (&fixture.frame, 0x2000, 0x30000, DW_CFA_advance_loc1, 0x80, DW_CFA_def_cfa_offset,
                  16, DW_CFA_advance_loc2, 0, 0x10, DW_CFA_def_cfa_offset, 24, DW_CFA_advance_loc4,
                  0, 0, 1, 0, DW_CFA_def_cfa_offset, 32, DW_CFA_set_loc, 0, 0x10, 0x03, 0, 0, 0, 0,
                  0, DW_CFA_def_cfa_offset, 40);
    build (&fixture, EM_X86_64);
    check_row (&fixture, 0x207f, PV_UNWIND_SP, 1, 0);
    check_row (&fixture, 0x2080, PV_UNWIND_SP, 2, 0);
    check_row (&fixture, 0x307f, PV_UNWIND_SP, 2, 0);
    check_row (&fixture, 0x3080, PV_UNWIND_SP, 3, 0);
    check_row (&fixture, 0x1307f, PV_UNWIND_SP, 3, 0);
    check_row (&fixture, 0x13080, PV_UNWIND_SP, 4, 0);
    check_row (&fixture, 0x30fff, PV_UNWIND_SP, 4, 0);
    check_row (&fixture, 0x31000, PV_UNWIND_SP, 5, 0);
    check_row (&fixture, 0x32000, PV_UNWIND_OTHER, PV_UNWIND_NONE, 0);
}

TEST (remember)
{
    g_auto (Fixture) fixture = {0};
    eh_frame_add_common_cie (&fixture.frame);
    EH_FRAME_FDE (&fixture.frame, 0x2000, 0x40, DW_CFA_def_cfa, 6, 16, DW_CFA_offset | 6, 2,
                  DW_CFA_advance_loc | 8, DW_CFA_remember_state, DW_CFA_def_cfa, 7, 8,
                  DW_CFA_restore | 6, DW_CFA_advance_loc | 1, DW_CFA_remember_state,
                  DW_CFA_def_cfa_offset, 48, DW_CFA_advance_loc | 1, DW_CFA_restore_state,
                  DW_CFA_advance_loc | 1, DW_CFA_restore_state);
    build (&fixture, EM_X86_64);
    check_row (&fixture, 0x2007, PV_UNWIND_FP, 2, -2);
    check_row (&fixture, 0x2008, PV_UNWIND_SP, 1, 0);
    check_row (&fixture, 0x2009, PV_UNWIND_SP, 6, 0);
    check_row (&fixture, 0x200a, PV_UNWIND_SP, 1, 0);
    check_row (&fixture, 0x200b, PV_UNWIND_FP, 2, -2);
}

TEST (register_rules)
{
    g_auto (Fixture) fixture = {0};
    eh_frame_add_common_cie (&fixture.frame);
    EH_FRAME_FDE (&fixture.frame, 0x2000, 0x40, DW_CFA_offset_extended, 3, 3,
                  DW_CFA_offset_extended_sf, 12, 0x7c, DW_CFA_GNU_negative_offset_extended, 13, 2,
                  DW_CFA_val_offset, 14, 5, DW_CFA_val_offset_sf, 15, 0x7e, DW_CFA_undefined, 0,
                  DW_CFA_register, 1, 2, DW_CFA_expression, 4, 1, DW_OP_lit1, DW_CFA_val_expression,
                  5, 2, DW_OP_breg7, 8, DW_CFA_advance_loc | 1, DW_CFA_restore_extended, 3,
                  DW_CFA_same_value, 0, DW_CFA_GNU_args_size, 0x90, 1);
    build (&fixture, EM_X86_64);
    PvCfiRow row = get_rules (&fixture, 0x2000);
    check_rule (&row, 3, PV_CFI_OFFSET, -24);
    check_rule (&row, 12, PV_CFI_OFFSET, 32);
    check_rule (&row, 13, PV_CFI_OFFSET, 16);
    check_rule (&row, 14, PV_CFI_VAL_OFFSET, -40);
    check_rule (&row, 15, PV_CFI_VAL_OFFSET, 16);
    check_rule (&row, 0, PV_CFI_UNDEFINED, 0);
    check_rule (&row, 1, PV_CFI_REGISTER, 2);
    check_rule (&row, 4, PV_CFI_EXPRESSION, 0);
    check_rule (&row, 5, PV_CFI_VAL_EXPRESSION, 0);
    g_assert_cmpuint (row.registers[5].size_bytes, ==, 2);
    g_assert_cmpuint (fixture.frame.bytes.data[row.registers[5].value], ==, DW_OP_breg7);
    check_rule (&row, 16, PV_CFI_OFFSET, -8);
    row = get_rules (&fixture, 0x2001);
    check_rule (&row, 3, PV_CFI_SAME, 0);
    check_rule (&row, 0, PV_CFI_SAME, 0);
    check_rule (&row, 12, PV_CFI_OFFSET, 32);
    /* None of that concerns what compact rows hold. */
    check_row (&fixture, 0x2000, PV_UNWIND_SP, 1, 0);
}

TEST (rare_rules)
{
    g_auto (Fixture) fixture = {0};
    eh_frame_add_common_cie (&fixture.frame);
    EH_FRAME_FDE (&fixture.frame, 0x2000, 0x10, DW_CFA_def_cfa_expression, 3, DW_OP_breg6, 0x78,
                  DW_OP_deref);
    EH_FRAME_FDE (&fixture.frame, 0x2010, 0x10, DW_CFA_def_cfa, 3, 16);
    EH_FRAME_FDE (&fixture.frame, 0x2020, 0x10, DW_CFA_undefined, 16);
    EH_FRAME_FDE (&fixture.frame, 0x2030, 0x10, DW_CFA_expression, 6, 2, DW_OP_breg6, 0);
    EH_FRAME_FDE (&fixture.frame, 0x2040, 0x10, DW_CFA_offset | 16, 3);
    EH_FRAME_FDE (&fixture.frame, 0x2050, 0x10, DW_CFA_def_cfa_offset, 12);
    EH_FRAME_FDE (&fixture.frame, 0x2060, 0x10, DW_CFA_def_cfa_sf, 6, 0x7e);
    EH_FRAME_FDE (&fixture.frame, 0x2070, 0x10, DW_CFA_def_cfa_offset_sf, 0x7d);
    EH_FRAME_FDE (&fixture.frame, 0x2080, 0x10, DW_CFA_def_cfa_offset, 0x80, 0x80, 0x20);
    EH_FRAME_FDE (&fixture.frame, 0x2090, 0x10, DW_CFA_val_offset, 7, 1);
    build (&fixture, EM_X86_64);
    check_row (&fixture, 0x2000, PV_UNWIND_FULL, 0, 0);
    check_row (&fixture, 0x2010, PV_UNWIND_FULL, 0, 0);
    check_row (&fixture, 0x2020, PV_UNWIND_OTHER, PV_UNWIND_ROOT, 0);
    check_row (&fixture, 0x2030, PV_UNWIND_FULL, 0, 0);
    check_row (&fixture, 0x2040, PV_UNWIND_FULL, 0, 0);
    check_row (&fixture, 0x2050, PV_UNWIND_FULL, 0, 0);
    check_row (&fixture, 0x2060, PV_UNWIND_FP, 2, 0);
    check_row (&fixture, 0x2070, PV_UNWIND_SP, 3, 0);
    check_row (&fixture, 0x2080, PV_UNWIND_FULL, 0, 0); /* 512 KiB do not fit into a row */
    check_row (&fixture, 0x2090, PV_UNWIND_FULL, 0, 0);
    PvCfiRow row = get_rules (&fixture, 0x2080);
    g_assert_cmpint (row.cfa.value, ==, 512 * 1024);
}

TEST (signal_frame)
{
    static const uint8_t initial[] = {DW_CFA_def_cfa, 7, 8, DW_CFA_offset | 16, 1};
    g_auto (Fixture) fixture = {0};
    eh_frame_add_cie (&fixture.frame, "S", 16, initial, sizeof initial);
    EH_FRAME_FDE (&fixture.frame, 0x2000, 0x10, DW_CFA_nop);
    build (&fixture, EM_X86_64);
    check_row (&fixture, 0x2000, PV_UNWIND_FULL, 0, 0);
    PvCfiRules rules;
    g_assert_true (pv_cfi_table_find_rules (fixture.table, 0x200f, &rules));
    g_assert_true (rules.is_signal);
}

/* Linkers write this rule for lazy procedure linkage tables: CFA = rsp + 8 + ((rip & 15) >= 11)
 * * 8. */
TEST (plt)
{
    g_auto (Fixture) fixture = {0};
    eh_frame_add_common_cie (&fixture.frame);
    EH_FRAME_FDE (&fixture.frame, 0x2000, 0x40, DW_CFA_def_cfa_offset, 16, DW_CFA_advance_loc | 6,
                  DW_CFA_def_cfa_offset, 24, DW_CFA_advance_loc | 10, DW_CFA_def_cfa_expression, 11,
                  DW_OP_breg7, 8, DW_OP_breg16, 0, DW_OP_lit15, DW_OP_and, DW_OP_lit11, DW_OP_ge,
                  DW_OP_lit3, DW_OP_shl, DW_OP_plus);
    build (&fixture, EM_X86_64);
    check_row (&fixture, 0x2005, PV_UNWIND_SP, 2, 0);
    check_row (&fixture, 0x2006, PV_UNWIND_SP, 3, 0);
    check_row (&fixture, 0x2010, PV_UNWIND_FULL, 0, 0);
    check_row (&fixture, 0x203f, PV_UNWIND_FULL, 0, 0);
}

TEST (gaps_and_overlaps)
{
    g_auto (Fixture) fixture = {0};
    eh_frame_add_common_cie (&fixture.frame);
    /* Out of order; a gap behind 0x2010; 0x2030 begins at once where 0x2020 ends; one that is cut
     * by the next; the same start twice; below the lowest allowed address. */
    EH_FRAME_FDE (&fixture.frame, 0x2030, 0x10, DW_CFA_def_cfa_offset, 32);
    EH_FRAME_FDE (&fixture.frame, 0x2000, 0x10, DW_CFA_def_cfa_offset, 16);
    EH_FRAME_FDE (&fixture.frame, 0x2020, 0x10, DW_CFA_def_cfa_offset, 24);
    EH_FRAME_FDE (&fixture.frame, 0x3000, 0x100, DW_CFA_def_cfa_offset, 16);
    EH_FRAME_FDE (&fixture.frame, 0x3080, 0x10, DW_CFA_def_cfa_offset, 24);
    EH_FRAME_FDE (&fixture.frame, 0x3080, 0x20, DW_CFA_def_cfa_offset, 32);
    EH_FRAME_FDE (&fixture.frame, 0x0, 0x2000, DW_CFA_def_cfa_offset, 64);
    build (&fixture, EM_X86_64);
    check_row (&fixture, 0x200f, PV_UNWIND_SP, 2, 0);
    check_row (&fixture, 0x2010, PV_UNWIND_OTHER, PV_UNWIND_NONE, 0);
    check_row (&fixture, 0x201f, PV_UNWIND_OTHER, PV_UNWIND_NONE, 0);
    check_row (&fixture, 0x2020, PV_UNWIND_SP, 3, 0);
    check_row (&fixture, 0x2030, PV_UNWIND_SP, 4, 0);
    check_row (&fixture, 0x2040, PV_UNWIND_OTHER, PV_UNWIND_NONE, 0);
    check_row (&fixture, 0x307f, PV_UNWIND_SP, 2, 0);
    check_row (&fixture, 0x3080, PV_UNWIND_SP, 3, 0);
    check_row (&fixture, 0x3090, PV_UNWIND_OTHER, PV_UNWIND_NONE, 0);
    check_row (&fixture, 0x1800, PV_UNWIND_OTHER, PV_UNWIND_NONE, 0);
    const PvUnwindRow *rows;
    uint64_t base;
    size_t n_rows = pv_cfi_table_get_rows (fixture.table, &rows, &base);
    g_assert_cmphex (base, ==, 0x1000);
    for (size_t i = 1; i < n_rows; i++)
        g_assert_cmpuint (rows[i - 1].pc, <, rows[i].pc);
}

/* A zero length in the middle, then an entry that lies about its length. */
TEST (broken_section)
{
    static const uint8_t zeros[8];
    g_auto (Fixture) fixture = {0};
    eh_frame_add_common_cie (&fixture.frame);
    EH_FRAME_FDE (&fixture.frame, 0x2000, 0x10, DW_CFA_nop);
    pv_array_append (&fixture.frame.bytes, zeros, 8);
    EH_FRAME_FDE (&fixture.frame, 0x2010, 0x10, DW_CFA_advance_loc | 4, DW_CFA_def_cfa_offset, 16,
                  DW_CFA_advance_loc | 4, 0x3f);
    size_t last = fixture.frame.bytes.len;
    EH_FRAME_FDE (&fixture.frame, 0x2020, 0x10, DW_CFA_nop);
    fixture.frame.bytes.data[last + 1] = 0xff;
    build (&fixture, EM_X86_64);
    check_row (&fixture, 0x2000, PV_UNWIND_SP, 1, 0);
    check_row (&fixture, 0x2013, PV_UNWIND_SP, 1, 0);
    check_row (&fixture, 0x2014, PV_UNWIND_SP, 2, 0);
    check_row (&fixture, 0x2018, PV_UNWIND_OTHER, PV_UNWIND_NONE, 0); /* unknown instruction */
    check_row (&fixture, 0x2020, PV_UNWIND_OTHER, PV_UNWIND_NONE, 0);
}

TEST (both_sections)
{
    g_auto (EhFrame) eh_frame = {0}, debug_frame = {.is_debug_frame = true};
    eh_frame_add_common_cie (&eh_frame);
    EH_FRAME_FDE (&eh_frame, 0x2010, 0x10, DW_CFA_def_cfa_offset, 16);
    eh_frame_add_common_cie (&debug_frame);
    EH_FRAME_FDE (&debug_frame, 0x2000, 0x18, DW_CFA_def_cfa_offset, 24);
    EH_FRAME_FDE (&debug_frame, 0x2010, 0x20, DW_CFA_def_cfa_offset, 32);
    EH_FRAME_FDE (&debug_frame, 0x2020, 0x10, DW_CFA_def_cfa_offset, 40);
    PvCfiSection sections[] = {eh_frame_section (&eh_frame), eh_frame_section (&debug_frame)};
    Fixture fixture = {0};
    fixture.table = pv_cfi_table_new (pv_cfi_arch_find (EM_X86_64), NULL, NULL, sections, 2, 0x1000,
                                      UINT64_MAX);
    check_row (&fixture, 0x200f, PV_UNWIND_SP, 3, 0);
    check_row (&fixture, 0x2010, PV_UNWIND_SP, 2, 0);
    check_row (&fixture, 0x2020, PV_UNWIND_SP, 5, 0);
    pv_cfi_table_free (fixture.table);
}

/* stp x29,x30,[sp,-32]! and its relatives. */
TEST (aarch64)
{
    static const uint8_t initial[] = {DW_CFA_def_cfa, 31, 0};
    g_auto (Fixture) fixture = {0};
    eh_frame_add_cie (&fixture.frame, "", 30, initial, sizeof initial);
    EH_FRAME_FDE (&fixture.frame, 0x2000, 0x40, DW_CFA_advance_loc | 4, DW_CFA_def_cfa_offset, 32,
                  DW_CFA_offset | 29, 4, DW_CFA_offset | 30, 3, DW_CFA_AARCH64_negate_ra_state,
                  DW_CFA_advance_loc | 4, DW_CFA_def_cfa_register, 29, DW_CFA_advance_loc | 4,
                  DW_CFA_restore | 30, DW_CFA_restore | 29, DW_CFA_def_cfa, 31, 0);
    EH_FRAME_FDE (&fixture.frame, 0x2040, 0x10, DW_CFA_def_cfa_offset, 16, DW_CFA_offset | 30, 2);
    EH_FRAME_FDE (&fixture.frame, 0x2050, 0x10, DW_CFA_def_cfa_offset, 16, DW_CFA_offset | 29, 1,
                  DW_CFA_offset | 30, 2);
    EH_FRAME_FDE (&fixture.frame, 0x2060, 0x10, DW_CFA_def_cfa_offset, 48, DW_CFA_offset | 29, 1,
                  DW_CFA_offset | 30, 5);
    EH_FRAME_FDE (&fixture.frame, 0x2070, 0x10, DW_CFA_undefined, 30);
    build (&fixture, EM_AARCH64);
    check_row (&fixture, 0x2000, PV_UNWIND_SP, 0, PV_UNWIND_LEAF);
    check_row (&fixture, 0x2004, PV_UNWIND_SP, 4, PV_UNWIND_RECORD | 4 << 2);
    check_row (&fixture, 0x2008, PV_UNWIND_FP, 4, PV_UNWIND_RECORD | 4 << 2);
    check_row (&fixture, 0x200c, PV_UNWIND_SP, 0, PV_UNWIND_LEAF);
    check_row (&fixture, 0x2040, PV_UNWIND_SP, 2, PV_UNWIND_LINK | 2 << 2);
    check_row (&fixture, 0x2050, PV_UNWIND_SP, 2, PV_UNWIND_LINK_BELOW | 1 << 2);
    check_row (&fixture, 0x2060, PV_UNWIND_FULL, 0, 0);
    check_row (&fixture, 0x2070, PV_UNWIND_OTHER, PV_UNWIND_ROOT, 0);
}
