/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <dwarf.h>

#include "../cases.h"
#include "core/symbolize/cfi/dwarf-expression.h"

static bool
read_memory (void *user, uint64_t addr, unsigned size_bytes, uint64_t *ret_value)
{
    if (addr < 0x1000 || addr > 0x2000)
        return false;
    uint64_t mask = size_bytes == 8 ? UINT64_MAX : ((uint64_t)1 << size_bytes * 8) - 1;
    *ret_value = (addr * 0x0101010101010101u) & mask;
    return true;
}

static PvExpressionStatus
run_with (uint8_t address_size, const uint8_t *bytes, size_t size, const uint64_t *initial,
          uint64_t *ret_value)
{
    static const uint64_t registers[] = {10, 0x1000, 30, 40};
    const PvExpressionMachine machine = {
        .registers = registers,
        .valid = 0x7, /* register 3 is not known */
        .n_registers = 4,
        .address_size = address_size,
        .read_memory = read_memory,
    };
    return pv_dwarf_expression_evaluate (&machine, bytes, size, initial, ret_value);
}

static void
check_value (uint64_t expected, uint8_t address_size, const uint8_t *bytes, size_t size)
{
    uint64_t value = 0;
    g_assert_cmpint (run_with (address_size, bytes, size, NULL, &value), ==, PV_EXPRESSION_OK);
    g_assert_cmphex (value, ==, expected);
}

static void
check_status (PvExpressionStatus expected, const uint8_t *bytes, size_t size)
{
    uint64_t value = 77;
    g_assert_cmpint (run_with (8, bytes, size, NULL, &value), ==, expected);
    g_assert_cmpuint (value, ==, 77);
}

#define CHECK(expected, ...)                                                                       \
    check_value ((expected), 8, (const uint8_t[]){__VA_ARGS__},                                    \
                 sizeof (const uint8_t[]){__VA_ARGS__})
#define CHECK32(expected, ...)                                                                     \
    check_value ((expected), 4, (const uint8_t[]){__VA_ARGS__},                                    \
                 sizeof (const uint8_t[]){__VA_ARGS__})
#define CHECK_FAILS(expected, ...)                                                                 \
    check_status ((expected), (const uint8_t[]){__VA_ARGS__}, sizeof (const uint8_t[]){__VA_ARGS__})

TEST (constants)
{
    CHECK (5, DW_OP_lit5);
    CHECK (31, DW_OP_lit31);
    CHECK (0xff, DW_OP_const1u, 0xff);
    CHECK ((uint64_t)-1, DW_OP_const1s, 0xff);
    CHECK (0x8000, DW_OP_const2u, 0, 0x80);
    CHECK ((uint64_t)-0x8000, DW_OP_const2s, 0, 0x80);
    CHECK (0x80000000u, DW_OP_const4u, 0, 0, 0, 0x80);
    CHECK (0xffffffff80000000u, DW_OP_const4s, 0, 0, 0, 0x80);
    CHECK (0x0807060504030201u, DW_OP_const8u, 1, 2, 3, 4, 5, 6, 7, 8);
    CHECK (0x0807060504030201u, DW_OP_addr, 1, 2, 3, 4, 5, 6, 7, 8);
    CHECK32 (0x04030201u, DW_OP_addr, 1, 2, 3, 4);
    CHECK (300, DW_OP_constu, 0xac, 0x02);
    CHECK ((uint64_t)-2, DW_OP_consts, 0x7e);
    CHECK32 (0xfffffffe, DW_OP_consts, 0x7e);
}

TEST (registers)
{
    CHECK (10, DW_OP_breg0, 0);
    CHECK (0x1008, DW_OP_breg1, 8);
    CHECK (0xff8, DW_OP_breg1, 0x78);
    CHECK (26, DW_OP_bregx, 2, 0x7c);
    CHECK_FAILS (PV_EXPRESSION_NO_REGISTER, DW_OP_breg3, 0);
    CHECK_FAILS (PV_EXPRESSION_BAD, DW_OP_breg4, 0);
    CHECK_FAILS (PV_EXPRESSION_BAD, DW_OP_bregx, 0xff, 0x7f, 0);
}

TEST (arithmetic)
{
    CHECK (7, DW_OP_lit3, DW_OP_lit4, DW_OP_plus);
    CHECK ((uint64_t)-1, DW_OP_lit3, DW_OP_lit4, DW_OP_minus);
    CHECK (12, DW_OP_lit3, DW_OP_lit4, DW_OP_mul);
    CHECK ((uint64_t)-3, DW_OP_const1s, 0xf9, DW_OP_lit2, DW_OP_div);
    CHECK (1, DW_OP_lit7, DW_OP_lit2, DW_OP_mod);
    CHECK (3, DW_OP_lit7, DW_OP_lit3, DW_OP_and);
    CHECK (7, DW_OP_lit5, DW_OP_lit3, DW_OP_or);
    CHECK (6, DW_OP_lit5, DW_OP_lit3, DW_OP_xor);
    CHECK (20, DW_OP_lit5, DW_OP_lit2, DW_OP_shl);
    CHECK (0, DW_OP_lit5, DW_OP_const1u, 64, DW_OP_shl);
    CHECK (5, DW_OP_lit20, DW_OP_lit2, DW_OP_shr);
    CHECK ((uint64_t)-2, DW_OP_const1s, 0xf8, DW_OP_lit2, DW_OP_shra);
    CHECK ((uint64_t)-1, DW_OP_const1s, 0xf8, DW_OP_const1u, 200, DW_OP_shra);
    CHECK (8, DW_OP_const1s, 0xf8, DW_OP_abs);
    CHECK (8, DW_OP_lit8, DW_OP_abs);
    CHECK ((uint64_t)-8, DW_OP_lit8, DW_OP_neg);
    CHECK ((uint64_t)-9, DW_OP_lit8, DW_OP_not);
    CHECK (308, DW_OP_lit8, DW_OP_plus_uconst, 0xac, 0x02);
    CHECK_FAILS (PV_EXPRESSION_BAD, DW_OP_lit8, DW_OP_lit0, DW_OP_div);
    CHECK_FAILS (PV_EXPRESSION_BAD, DW_OP_lit8, DW_OP_lit0, DW_OP_mod);
    /* INT64_MIN / -1 must not trap. */
    CHECK (0x8000000000000000u, DW_OP_const8u, 0, 0, 0, 0, 0, 0, 0, 0x80, DW_OP_const1s, 0xff,
           DW_OP_div);
}

TEST (stack)
{
    CHECK (16, DW_OP_lit8, DW_OP_dup, DW_OP_plus);
    CHECK (1, DW_OP_lit1, DW_OP_lit2, DW_OP_drop);
    CHECK (1, DW_OP_lit1, DW_OP_lit2, DW_OP_over);
    CHECK (1, DW_OP_lit1, DW_OP_lit2, DW_OP_lit3, DW_OP_pick, 2);
    CHECK ((uint64_t)1, DW_OP_lit1, DW_OP_lit2, DW_OP_swap, DW_OP_minus);
    /* 1 2 3 -> 3 1 2 */
    CHECK (2, DW_OP_lit1, DW_OP_lit2, DW_OP_lit3, DW_OP_rot);
    CHECK_FAILS (PV_EXPRESSION_BAD, DW_OP_plus);
    CHECK_FAILS (PV_EXPRESSION_BAD, DW_OP_lit1, DW_OP_swap);
    CHECK_FAILS (PV_EXPRESSION_BAD, DW_OP_lit1, DW_OP_pick, 1);
    CHECK_FAILS (PV_EXPRESSION_BAD, DW_OP_nop);
    uint8_t many[PV_EXPRESSION_MAX_STACK + 1];
    memset (many, DW_OP_lit1, sizeof many);
    check_value (1, 8, many, PV_EXPRESSION_MAX_STACK);
    check_status (PV_EXPRESSION_BAD, many, sizeof many);
}

TEST (control)
{
    CHECK (1, DW_OP_lit1, DW_OP_lit2, DW_OP_lt);
    CHECK (0, DW_OP_lit1, DW_OP_lit2, DW_OP_gt);
    CHECK (1, DW_OP_lit2, DW_OP_lit2, DW_OP_le);
    CHECK (1, DW_OP_lit2, DW_OP_lit2, DW_OP_ge);
    CHECK (1, DW_OP_lit2, DW_OP_lit2, DW_OP_eq);
    CHECK (1, DW_OP_lit2, DW_OP_lit3, DW_OP_ne);
    CHECK (1, DW_OP_const1s, 0xff, DW_OP_lit0, DW_OP_lt);
    CHECK (9, DW_OP_lit9, DW_OP_skip, 1, 0, DW_OP_lit5);
    CHECK (9, DW_OP_lit9, DW_OP_lit1, DW_OP_bra, 1, 0, DW_OP_lit5);
    CHECK (5, DW_OP_lit9, DW_OP_lit0, DW_OP_bra, 1, 0, DW_OP_lit5);
    CHECK_FAILS (PV_EXPRESSION_BAD, DW_OP_skip, 0xfd, 0xff); /* for ever */
    CHECK_FAILS (PV_EXPRESSION_BAD, DW_OP_skip, 0xf0, 0xff);
    CHECK_FAILS (PV_EXPRESSION_BAD, DW_OP_skip, 1, 0);
    CHECK_FAILS (PV_EXPRESSION_BAD, DW_OP_const4u, 1);
    CHECK_FAILS (PV_EXPRESSION_BAD, 0x03 - 1);
}

TEST (memory)
{
    CHECK (0x1000 * 0x0101010101010101u, DW_OP_breg1, 0, DW_OP_deref);
    CHECK (0x08, DW_OP_breg1, 8, DW_OP_deref_size, 1);
    CHECK_FAILS (PV_EXPRESSION_NO_MEMORY, DW_OP_lit1, DW_OP_deref);
    CHECK_FAILS (PV_EXPRESSION_BAD, DW_OP_breg1, 8, DW_OP_deref_size, 3);
    uint64_t initial = 100, value = 0;
    const uint8_t bytes[] = {DW_OP_lit8, DW_OP_minus};
    g_assert_cmpint (run_with (8, bytes, sizeof bytes, &initial, &value), ==, PV_EXPRESSION_OK);
    g_assert_cmpuint (value, ==, 92);
}
