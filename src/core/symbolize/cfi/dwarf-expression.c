/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/symbolize/cfi/dwarf-expression.h"

#include <dwarf.h>

#include "core/base/cursor.h"

/*
 * DWARF expressions are programs for a stack machine of address-sized words. Call frame rules use
 * constants, registers, arithmetic, memory reads and, rarely, branches; operations on types or
 * locations of variables are refused.
 */
typedef struct {
    const PvExpressionMachine *machine;
    PvCursor cursor;
    const uint8_t *start;
    uint64_t stack[PV_EXPRESSION_MAX_STACK];
    unsigned depth;
    PvExpressionStatus status;
} Evaluation;

static void
push (Evaluation *e, uint64_t value)
{
    if (e->depth == PV_EXPRESSION_MAX_STACK) {
        e->status = PV_EXPRESSION_BAD;
        return;
    }
    e->stack[e->depth++] = e->machine->address_size == 4 ? (uint32_t)value : value;
}

static uint64_t
pop (Evaluation *e)
{
    if (e->depth == 0) {
        e->status = PV_EXPRESSION_BAD;
        return 0;
    }
    return e->stack[--e->depth];
}

static int64_t
to_signed (const Evaluation *e, uint64_t value)
{
    return e->machine->address_size == 4 ? (int32_t)(uint32_t)value : (int64_t)value;
}

static void
push_register (Evaluation *e, uint64_t number, int64_t offset)
{
    const PvExpressionMachine *machine = e->machine;
    if (number >= machine->n_registers) {
        e->status = PV_EXPRESSION_BAD;
        return;
    }
    if (!(machine->valid >> number & 1)) {
        e->status = PV_EXPRESSION_NO_REGISTER;
        return;
    }
    push (e, machine->registers[number] + (uint64_t)offset);
}

static void
push_memory (Evaluation *e, unsigned size_bytes)
{
    uint64_t value = 0;
    uint64_t addr = pop (e);
    if (e->status != PV_EXPRESSION_OK)
        return;
    if (size_bytes != 1 && size_bytes != 2 && size_bytes != 4 && size_bytes != 8)
        e->status = PV_EXPRESSION_BAD;
    else if (!e->machine->read_memory (e->machine->user, addr, size_bytes, &value))
        e->status = PV_EXPRESSION_NO_MEMORY;
    else
        push (e, value);
}

static void
push_constant (Evaluation *e, uint8_t op)
{
    PvCursor *cursor = &e->cursor;
    switch (op) {
    case DW_OP_addr:
        push (e, e->machine->address_size == 4 ? pv_cursor_u32 (cursor) : pv_cursor_u64 (cursor));
        break;
    case DW_OP_const1u:
        push (e, pv_cursor_u8 (cursor));
        break;
    case DW_OP_const1s:
        push (e, (uint64_t)(int8_t)pv_cursor_u8 (cursor));
        break;
    case DW_OP_const2u:
        push (e, pv_cursor_u16 (cursor));
        break;
    case DW_OP_const2s:
        push (e, (uint64_t)(int16_t)pv_cursor_u16 (cursor));
        break;
    case DW_OP_const4u:
        push (e, pv_cursor_u32 (cursor));
        break;
    case DW_OP_const4s:
        push (e, (uint64_t)(int32_t)pv_cursor_u32 (cursor));
        break;
    case DW_OP_const8u:
    case DW_OP_const8s:
        push (e, pv_cursor_u64 (cursor));
        break;
    case DW_OP_constu:
        push (e, pv_cursor_uleb (cursor));
        break;
    default: /* DW_OP_consts */
        push (e, (uint64_t)pv_cursor_sleb (cursor));
        break;
    }
}

static void
pick (Evaluation *e, unsigned index)
{
    if (index >= e->depth)
        e->status = PV_EXPRESSION_BAD;
    else
        push (e, e->stack[e->depth - 1 - index]);
}

static void
shuffle (Evaluation *e, uint8_t op)
{
    unsigned needed = op == DW_OP_rot ? 3 : 2;
    if (e->depth < needed) {
        e->status = PV_EXPRESSION_BAD;
        return;
    }
    uint64_t *top = e->stack + e->depth - 1;
    uint64_t first = top[0];
    if (op == DW_OP_swap) {
        top[0] = top[-1];
        top[-1] = first;
    } else {
        top[0] = top[-1];
        top[-1] = top[-2];
        top[-2] = first;
    }
}

static void
calculate_unary (Evaluation *e, uint8_t op)
{
    uint64_t value = pop (e);
    if (op == DW_OP_not)
        value = ~value;
    else if (op == DW_OP_neg || to_signed (e, value) < 0) /* neg, or abs of a negative number */
        value = 0 - value;
    push (e, value);
}

/* The signed quotient; wraps on overflow. */
static uint64_t
divide (Evaluation *e, uint64_t left, uint64_t right)
{
    int64_t dividend = to_signed (e, left), divisor = to_signed (e, right);
    if (divisor == 0) {
        e->status = PV_EXPRESSION_BAD;
        return 0;
    }
    return divisor == -1 ? 0 - (uint64_t)dividend : (uint64_t)(dividend / divisor);
}

static uint64_t
shift (const Evaluation *e, uint8_t op, uint64_t value, uint64_t count)
{
    unsigned width = e->machine->address_size * 8;
    if (op == DW_OP_shra)
        return (uint64_t)(to_signed (e, value) >> (count < width ? count : width - 1));
    if (count >= width)
        return 0;
    return op == DW_OP_shl ? value << count : value >> count;
}

static void
calculate_binary (Evaluation *e, uint8_t op)
{
    uint64_t right = pop (e), left = pop (e);
    uint64_t result = 0;
    switch (op) {
    case DW_OP_and:
        result = left & right;
        break;
    case DW_OP_or:
        result = left | right;
        break;
    case DW_OP_xor:
        result = left ^ right;
        break;
    case DW_OP_plus:
        result = left + right;
        break;
    case DW_OP_minus:
        result = left - right;
        break;
    case DW_OP_mul:
        result = left * right;
        break;
    case DW_OP_div:
        result = divide (e, left, right);
        break;
    case DW_OP_mod:
        if (right == 0)
            e->status = PV_EXPRESSION_BAD;
        else
            result = left % right;
        break;
    default:
        result = shift (e, op, left, right);
        break;
    }
    push (e, result);
}

static void
compare (Evaluation *e, uint8_t op)
{
    int64_t right = to_signed (e, pop (e)), left = to_signed (e, pop (e));
    bool result;
    switch (op) {
    case DW_OP_eq:
        result = left == right;
        break;
    case DW_OP_ne:
        result = left != right;
        break;
    case DW_OP_lt:
        result = left < right;
        break;
    case DW_OP_le:
        result = left <= right;
        break;
    case DW_OP_gt:
        result = left > right;
        break;
    default:
        result = left >= right;
        break;
    }
    push (e, result);
}

static void
branch (Evaluation *e, bool is_conditional)
{
    int16_t distance = (int16_t)pv_cursor_u16 (&e->cursor);
    if (e->cursor.failed || (is_conditional && pop (e) == 0))
        return;
    ptrdiff_t target = e->cursor.pos - e->start + distance;
    if (target < 0 || target > e->cursor.end - e->start)
        e->status = PV_EXPRESSION_BAD;
    else
        e->cursor.pos = e->start + target;
}

static void
step_stack_operation (Evaluation *e, uint8_t op)
{
    switch (op) {
    case DW_OP_dup:
        pick (e, 0);
        break;
    case DW_OP_drop:
        pop (e);
        break;
    case DW_OP_over:
        pick (e, 1);
        break;
    case DW_OP_pick:
        pick (e, pv_cursor_u8 (&e->cursor));
        break;
    default:
        shuffle (e, op);
        break;
    }
}

static void
step (Evaluation *e, uint8_t op)
{
    if (op >= DW_OP_lit0 && op <= DW_OP_lit31) {
        push (e, op - DW_OP_lit0);
    } else if (op >= DW_OP_breg0 && op <= DW_OP_breg31) {
        push_register (e, op - DW_OP_breg0, pv_cursor_sleb (&e->cursor));
    } else if (op == DW_OP_bregx) {
        uint64_t number = pv_cursor_uleb (&e->cursor);
        push_register (e, number, pv_cursor_sleb (&e->cursor));
    } else if (op == DW_OP_addr || (op >= DW_OP_const1u && op <= DW_OP_consts)) {
        push_constant (e, op);
    } else if (op >= DW_OP_dup && op <= DW_OP_rot) {
        step_stack_operation (e, op);
    } else if (op == DW_OP_abs || op == DW_OP_neg || op == DW_OP_not) {
        calculate_unary (e, op);
    } else if (op == DW_OP_plus_uconst) {
        push (e, pop (e) + pv_cursor_uleb (&e->cursor));
    } else if (op >= DW_OP_and && op <= DW_OP_xor) {
        calculate_binary (e, op);
    } else if (op >= DW_OP_eq && op <= DW_OP_ne) {
        compare (e, op);
    } else if (op == DW_OP_bra || op == DW_OP_skip) {
        branch (e, op == DW_OP_bra);
    } else if (op == DW_OP_deref) {
        push_memory (e, e->machine->address_size);
    } else if (op == DW_OP_deref_size) {
        push_memory (e, pv_cursor_u8 (&e->cursor));
    } else if (op != DW_OP_nop) {
        e->status = PV_EXPRESSION_BAD;
    }
}

PvExpressionStatus
pv_dwarf_expression_evaluate (const PvExpressionMachine *machine, const uint8_t *bytes,
                              size_t size_bytes, const uint64_t *initial, uint64_t *ret_value)
{
    g_assert (machine->n_registers <= 64);
    g_assert (machine->address_size == 4 || machine->address_size == 8);

    Evaluation e = {
        .machine = machine,
        .cursor = pv_cursor (bytes, size_bytes, false),
        .start = bytes,
        .status = PV_EXPRESSION_OK,
    };
    if (initial != NULL)
        push (&e, *initial);
    for (unsigned n_steps = 0; pv_cursor_left (&e.cursor) > 0; n_steps++) {
        if (n_steps == PV_EXPRESSION_MAX_STEPS)
            return PV_EXPRESSION_BAD;
        uint8_t op = pv_cursor_u8 (&e.cursor);
        if (op == DW_OP_stack_value)
            break;
        step (&e, op);
        if (e.status != PV_EXPRESSION_OK)
            return e.status;
        if (e.cursor.failed)
            return PV_EXPRESSION_BAD;
    }
    uint64_t value = pop (&e);
    if (e.status == PV_EXPRESSION_OK)
        *ret_value = value;
    return e.status;
}
