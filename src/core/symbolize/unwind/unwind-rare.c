/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <elf.h>

#include "core/symbolize/cfi/dwarf-expression.h"
#include "core/symbolize/unwind/unwinder-private.h"

/*
 * Steps that compact rows cannot express: rules with expressions or other registers, signal frames,
 * PLT entries, code without rules. They work on a set of registers, some of which are known.
 *
 * The walk itself only tracks the stack and frame pointers. If a rule needs another register (the
 * dynamic linker's resolver keeps its CFA in rbx), the walk is repeated from the leaf with all
 * registers and the complete rules; from the frame it reaches, it continues with compact rows.
 */
typedef enum {
    STEP_DONE,
    STEP_NEEDS_REGISTER,
    STEP_END,
} StepResult;

typedef struct {
    PvUnwindWalk *walk;
    uint64_t failed_addr; /* of the last failed read */
    PvStackEnd end;       /* with STEP_END */
} Context;

static StepResult
end_step (Context *context, PvStackEnd end)
{
    context->end = end;
    return STEP_END;
}

static bool
is_valid (const PvUnwindRegisters *registers, uint64_t number)
{
    return registers->valid >> number & 1;
}

static void
set_register (PvUnwindRegisters *registers, unsigned number, uint64_t value)
{
    registers->values[number] = value;
    registers->valid |= (uint64_t)1 << number;
}

/* Reads from the dump, or else constant bytes of a mapped file. */
static bool
read_memory (void *user, uint64_t addr, unsigned size_bytes, uint64_t *ret_value)
{
    Context *context = user;
    const PvUnwindWalk *walk = context->walk;
    uint64_t offset = addr - walk->stack_start;
    uint64_t dump_size = walk->stack_end - walk->stack_start;
    const uint8_t *bytes = NULL;
    if (offset <= dump_size && dump_size - offset >= size_bytes) {
        bytes = walk->stack + offset;
    } else {
        uint64_t link_addr = 0;
        const PvUnwindModule *module =
            pv_unwind_find_module (walk->worker, walk->raw->space, addr, &link_addr, NULL);
        if (module != NULL && module->binary != NULL)
            bytes = pv_unwind_module_read (module, link_addr, size_bytes);
    }
    if (bytes == NULL) {
        context->failed_addr = addr;
        return false;
    }
    uint64_t value = 0;
    memcpy (&value, bytes, size_bytes); /* all supported processors are little-endian */
    *ret_value = value;
    return true;
}

/* Complete rules */

typedef struct {
    Context *context;
    const PvCfiRules *rules;
    const PvUnwindRegisters *registers; /* of the callee */
    uint64_t cfa;
} RuleContext;

static PvExpressionStatus
evaluate (const RuleContext *rule_context, const PvCfiRule *rule, const uint64_t *initial,
          uint64_t *ret_value)
{
    const PvCfiArch *arch = rule_context->context->walk->arch;
    const PvExpressionMachine machine = {
        .registers = rule_context->registers->values,
        .valid = rule_context->registers->valid,
        .n_registers = arch->n_registers,
        .address_size = arch->word_size,
        .read_memory = read_memory,
        .user = rule_context->context,
    };
    const uint8_t *bytes = rule_context->rules->section->data + rule->value;
    return pv_dwarf_expression_evaluate (&machine, bytes, rule->size_bytes, initial, ret_value);
}

static PvExpressionStatus
get_register (const RuleContext *rule_context, uint64_t number, uint64_t *ret_value)
{
    if (number >= rule_context->context->walk->arch->n_registers)
        return PV_EXPRESSION_BAD;
    if (!is_valid (rule_context->registers, number))
        return PV_EXPRESSION_NO_REGISTER;
    *ret_value = rule_context->registers->values[number];
    return PV_EXPRESSION_OK;
}

static PvExpressionStatus
find_cfa (const RuleContext *rule_context, uint64_t *ret_cfa)
{
    const PvCfiRow *row = &rule_context->rules->row;
    const PvCfiArch *arch = rule_context->context->walk->arch;
    PvExpressionStatus status = PV_EXPRESSION_BAD;
    uint64_t cfa = 0;
    if (row->cfa.kind == PV_CFI_REGISTER) {
        status = get_register (rule_context, row->cfa_register, &cfa);
        cfa += (uint64_t)row->cfa.value;
    } else if (row->cfa.kind == PV_CFI_VAL_EXPRESSION) {
        status = evaluate (rule_context, &row->cfa, NULL, &cfa);
    }
    *ret_cfa = arch->word_size == 4 ? (uint32_t)cfa : cfa;
    return status;
}

/* The caller's value of one register. UNDEFINED gives NO_REGISTER. */
static PvExpressionStatus
recover (const RuleContext *rule_context, unsigned number, uint64_t *ret_value)
{
    const PvCfiRule *rule = &rule_context->rules->row.registers[number];
    unsigned word_size = rule_context->context->walk->arch->word_size;
    uint64_t addr = rule_context->cfa + (uint64_t)rule->value;
    PvExpressionStatus status;
    switch (rule->kind) {
    case PV_CFI_SAME:
        return get_register (rule_context, number, ret_value);
    case PV_CFI_REGISTER:
        return get_register (rule_context, (uint64_t)rule->value, ret_value);
    case PV_CFI_VAL_OFFSET:
        *ret_value = addr;
        return PV_EXPRESSION_OK;
    case PV_CFI_VAL_EXPRESSION:
        return evaluate (rule_context, rule, &rule_context->cfa, ret_value);
    case PV_CFI_EXPRESSION:
        status = evaluate (rule_context, rule, &rule_context->cfa, &addr);
        if (status != PV_EXPRESSION_OK)
            return status;
        break;
    case PV_CFI_OFFSET:
        break;
    default:
        return PV_EXPRESSION_NO_REGISTER;
    }
    return read_memory (rule_context->context, addr, word_size, ret_value)
               ? PV_EXPRESSION_OK
               : PV_EXPRESSION_NO_MEMORY;
}

static StepResult
fail_step (Context *context, PvExpressionStatus status)
{
    switch (status) {
    case PV_EXPRESSION_NO_REGISTER:
        return STEP_NEEDS_REGISTER;
    case PV_EXPRESSION_NO_MEMORY:
        return end_step (context, pv_unwind_end_outside (context->walk, context->failed_addr));
    default:
        return end_step (context, PV_STACK_END_NO_RULE);
    }
}

/* Recovers all registers except return address and stack pointer. A register that cannot be
 * recovered becomes unknown, but if its slot is below the dump, already popped, it keeps its
 * value. */
static StepResult
recover_others (const RuleContext *rule_context, PvUnwindRegisters *caller)
{
    Context *context = rule_context->context;
    const PvCfiArch *arch = context->walk->arch;
    const PvUnwindRegisters *registers = rule_context->registers;
    for (unsigned i = 0; i < arch->n_registers; i++) {
        uint64_t value;
        if (i == arch->ra || i == arch->sp)
            continue;
        const PvCfiRule *rule = &rule_context->rules->row.registers[i];
        if (rule->kind == PV_CFI_SAME) {
            if (is_valid (registers, i))
                set_register (caller, i, registers->values[i]);
            continue;
        }
        PvExpressionStatus status = recover (rule_context, i, &value);
        if (status == PV_EXPRESSION_OK)
            set_register (caller, i, value);
        else if (status == PV_EXPRESSION_NO_MEMORY &&
                 context->failed_addr < context->walk->stack_start && is_valid (registers, i))
            set_register (caller, i, registers->values[i]);
        else if (status == PV_EXPRESSION_NO_REGISTER && i == arch->fp &&
                 rule->kind != PV_CFI_UNDEFINED)
            return STEP_NEEDS_REGISTER;
    }
    return STEP_DONE;
}

/* Only interrupted code may have nothing on the stack, not even a return address. */
static bool
is_above (const Context *context, const PvUnwindRegisters *registers, uint64_t cfa)
{
    uint64_t sp = registers->values[context->walk->arch->sp];
    return cfa > sp || (cfa == sp && !registers->is_return);
}

static StepResult
apply_rules (Context *context, const PvCfiRules *rules, PvUnwindRegisters *registers)
{
    const PvCfiArch *arch = context->walk->arch;
    RuleContext rule_context = {context, rules, registers, 0};
    const PvCfiRule *ra_rule = &rules->row.registers[arch->ra];
    PvUnwindRegisters caller;
    uint64_t ra, sp;
    if (ra_rule->kind == PV_CFI_UNDEFINED)
        return end_step (context, PV_STACK_END_ROOT);
    PvExpressionStatus status = find_cfa (&rule_context, &rule_context.cfa);
    if (status != PV_EXPRESSION_OK)
        return fail_step (context, status);
    if (rules->may_switch_stack && (!is_above (context, registers, rule_context.cfa) ||
                                    rule_context.cfa > context->walk->stack_end))
        return end_step (context, PV_STACK_END_OTHER_STACK);
    if (!rules->is_signal && !is_above (context, registers, rule_context.cfa))
        return end_step (context, PV_STACK_END_BAD_FRAME);
    if (ra_rule->kind == PV_CFI_SAME && (!arch->has_link_register || registers->is_return))
        return end_step (context, PV_STACK_END_BAD_FRAME);
    status = recover (&rule_context, arch->ra, &ra);
    if (status != PV_EXPRESSION_OK)
        return fail_step (context, status);
    sp = rule_context.cfa;
    if (rules->row.registers[arch->sp].kind != PV_CFI_SAME) {
        status = recover (&rule_context, arch->sp, &sp);
        if (status != PV_EXPRESSION_OK)
            return fail_step (context, status);
        if (!rules->is_signal && !is_above (context, registers, sp))
            return end_step (context, PV_STACK_END_BAD_FRAME);
    }
    caller.valid = 0;
    StepResult result = recover_others (&rule_context, &caller);
    if (result != STEP_DONE)
        return result;
    caller.pc = arch->has_link_register
                    ? pv_address_space_strip_signature (context->walk->raw->space, ra)
                    : ra;
    caller.is_return = !rules->is_signal;
    set_register (&caller, arch->sp, sp);
    set_register (&caller, arch->ra, ra);
    *registers = caller;
    return STEP_DONE;
}

static StepResult
step_by_rules (Context *context, PvUnwindRegisters *registers)
{
    PvUnwindWorker *worker = context->walk->worker;
    uint64_t link_addr = 0;
    const PvUnwindModule *module = pv_unwind_find_module (
        worker, context->walk->raw->space, registers->pc - registers->is_return, &link_addr, NULL);
    if (module == NULL || module->table == NULL ||
        pv_cfi_table_get_arch (module->table) != context->walk->arch)
        return end_step (context, PV_STACK_END_NO_RULE);
    PvRuleSlot *slot = &worker->rules[(link_addr ^ link_addr >> 6) % PV_RULE_CACHE_SIZE];
    if (slot->module != module || slot->link_addr != link_addr) {
        slot->is_found = pv_cfi_table_find_rules (module->table, link_addr, &slot->rules);
        slot->module = module;
        slot->link_addr = link_addr;
    }
    if (!slot->is_found)
        return end_step (context, PV_STACK_END_NO_RULE);
    return apply_rules (context, &slot->rules, registers);
}

/* Signal frames */

/* Offsets of the interrupted registers from the stack pointer in the trampoline (Linux,
 * asm/sigcontext.h): x86_64 by DWARF number, rip last. */
static const uint16_t sigcontext_x86_64[] = {144, 136, 152, 128, 112, 104, 120, 160, 40,
                                             48,  56,  64,  72,  80,  88,  96,  168};
/* siginfo (128), ucontext up to the register set (176), fault_address (8); then x0 .. x30, sp, pc.
 */
enum { SIGCONTEXT_AARCH64 = 312 };

static StepResult
step_signal (Context *context, PvUnwindRegisters *registers)
{
    const PvCfiArch *arch = context->walk->arch;
    bool is_arm = arch->machine == EM_AARCH64;
    uint64_t base = registers->values[arch->sp];
    PvUnwindRegisters caller = {.is_return = false};
    for (unsigned i = 0; i < arch->n_registers; i++) {
        uint64_t value;
        uint64_t addr = base + (is_arm ? SIGCONTEXT_AARCH64 + i * 8 : sigcontext_x86_64[i]);
        if (!pv_unwind_read_stack (context->walk, addr, 8, &value))
            return end_step (context, pv_unwind_end_outside (context->walk, addr));
        set_register (&caller, i, value);
    }
    caller.pc = caller.values[arch->ra];
    uint64_t pc_addr = base + SIGCONTEXT_AARCH64 + 32 * 8;
    if (is_arm && !pv_unwind_read_stack (context->walk, pc_addr, 8, &caller.pc))
        return end_step (context, pv_unwind_end_outside (context->walk, pc_addr));
    *registers = caller;
    return STEP_DONE;
}

/* Code without rules */

static void
set_caller (Context *context, PvUnwindRegisters *registers, uint64_t pc, uint64_t sp, uint64_t fp)
{
    const PvCfiArch *arch = context->walk->arch;
    registers->valid = 0;
    registers->pc = arch->has_link_register
                        ? pv_address_space_strip_signature (context->walk->raw->space, pc)
                        : pc;
    registers->is_return = true;
    set_register (registers, arch->sp, sp);
    set_register (registers, arch->fp, fp);
    set_register (registers, arch->ra, pc);
}

/* True if .plt starts with the entry that calls the dynamic linker, which static programs lack.
 * *ret_pushed gets the end of its first instruction that pushes. */
static bool
begins_with_resolver (const PvUnwindModule *module, unsigned *ret_pushed)
{
    static const uint8_t push_x86[] = {0xff, 0x35};                 /* push next_to_got */
    static const uint8_t push_aarch64[] = {0xf0, 0x7b, 0xbf, 0xa9}; /* stp x16,x30,[sp,#-16]! */
    static const uint8_t bti[] = {0x5f, 0x24, 0x03, 0xd5};
    const uint8_t *code = pv_unwind_module_read (module, module->plt.start, 8);
    if (code == NULL)
        return false;
    *ret_pushed = 6;
    if (memcmp (code, push_x86, sizeof push_x86) == 0)
        return true;
    unsigned before = memcmp (code, bti, sizeof bti) == 0 ? sizeof bti : 0;
    *ret_pushed = before + sizeof push_aarch64;
    return memcmp (code + before, push_aarch64, sizeof push_aarch64) == 0;
}

/* The number of words that an x86 PLT entry has pushed. Entries have 16 bytes; the first one pushes
 * one word on top of the index pushed by the entry that jumped to it, the others push their index
 * in the second half (after a jump) or, after endbr64, in the first half. */
static unsigned
count_pushed_words (const PvUnwindModule *module, uint64_t link_addr)
{
    static const uint8_t endbr64[] = {0xf3, 0x0f, 0x1e, 0xfa};
    unsigned pushed;
    if (!pv_link_range_has (module->plt, link_addr) || !begins_with_resolver (module, &pushed))
        return 0;
    uint64_t offset = link_addr - module->plt.start;
    if (offset < 16)
        return offset < pushed ? 1 : 2;
    uint64_t entry = link_addr - offset % 16;
    const uint8_t *code = pv_unwind_module_read (module, entry, sizeof endbr64);
    bool is_marked = code != NULL && memcmp (code, endbr64, sizeof endbr64) == 0;
    return offset % 16 >= (is_marked ? 9 : 11);
}

/* AArch64: only the first entry, of 32 bytes, changes the stack pointer. */
static bool
has_pushed_pair (const PvUnwindModule *module, uint64_t link_addr)
{
    enum { RESOLVER_SIZE = 32 };
    unsigned pushed;
    uint64_t offset = link_addr - module->plt.start;
    return pv_link_range_has (module->plt, link_addr) && offset < RESOLVER_SIZE &&
           begins_with_resolver (module, &pushed) && offset >= pushed;
}

static bool
step_plt_entry (Context *context, PvUnwindRegisters *registers)
{
    PvUnwindWalk *walk = context->walk;
    const PvCfiArch *arch = walk->arch;
    uint64_t link_addr = 0;
    const PvUnwindModule *module =
        pv_unwind_find_module (walk->worker, walk->raw->space, registers->pc, &link_addr, NULL);
    if (module == NULL || module->binary == NULL ||
        !(pv_link_range_has (module->plt, link_addr) ||
          pv_link_range_has (module->plts[0], link_addr) ||
          pv_link_range_has (module->plts[1], link_addr) ||
          pv_link_range_has (module->plts[2], link_addr)))
        return false;
    uint64_t sp = registers->values[arch->sp], fp = registers->values[arch->fp], ra;
    if (arch->has_link_register) {
        if (!is_valid (registers, arch->ra))
            return false;
        bool has_pushed = has_pushed_pair (module, link_addr);
        set_caller (context, registers, registers->values[arch->ra], sp + (has_pushed ? 16 : 0),
                    fp);
        return true;
    }
    uint64_t slot = sp + count_pushed_words (module, link_addr) * arch->word_size;
    if (!pv_unwind_read_stack (walk, slot, arch->word_size, &ra))
        return false;
    set_caller (context, registers, ra, slot + arch->word_size, fp);
    return true;
}

static bool
follows_call (const PvUnwindWalk *walk, uint64_t addr)
{
    uint64_t link_addr = 0;
    const PvUnwindModule *module =
        pv_unwind_find_module (walk->worker, walk->raw->space, addr - 1, &link_addr, NULL);
    return module != NULL && pv_unwind_module_follows_call (module, link_addr + 1);
}

/* .init and .fini of x86_64 move the stack pointer by one word, may call, and move it back. */
static bool
step_start_section (Context *context, PvUnwindRegisters *registers)
{
    PvUnwindWalk *walk = context->walk;
    const PvCfiArch *arch = walk->arch;
    uint64_t link_addr = 0, ra;
    const PvUnwindModule *module = pv_unwind_find_module (
        walk->worker, walk->raw->space, registers->pc - registers->is_return, &link_addr, NULL);
    if (arch->machine != EM_X86_64 || module == NULL || module->binary == NULL ||
        !(pv_link_range_has (module->starts[0], link_addr) ||
          pv_link_range_has (module->starts[1], link_addr)))
        return false;
    for (unsigned words = registers->is_return; words <= 1; words++) {
        uint64_t slot = registers->values[arch->sp] + words * 8;
        if (pv_unwind_read_stack (walk, slot, 8, &ra) && follows_call (walk, ra)) {
            set_caller (context, registers, ra, slot + 8, registers->values[arch->fp]);
            return true;
        }
    }
    return false;
}

/* A leaf that has pushed nothing (yet): accepted if a call ends at its return address. */
static bool
step_frameless_leaf (Context *context, PvUnwindRegisters *registers)
{
    PvUnwindWalk *walk = context->walk;
    const PvCfiArch *arch = walk->arch;
    uint64_t sp = registers->values[arch->sp], ra;
    if (arch->has_link_register) {
        if (!is_valid (registers, arch->ra))
            return false;
        ra = pv_address_space_strip_signature (walk->raw->space, registers->values[arch->ra]);
    } else {
        if (!pv_unwind_read_stack (walk, sp, arch->word_size, &ra))
            return false;
        sp += arch->word_size;
    }
    if (!follows_call (walk, ra))
        return false;
    set_caller (context, registers, ra, sp, registers->values[arch->fp]);
    return true;
}

/* True if addr may be a return address: after a call or in a signal trampoline, if the code is
 * known. In code without rules, the frame pointer may have any value. */
static bool
may_return_to (const PvUnwindWalk *walk, uint64_t addr)
{
    uint64_t link_addr = 0;
    const PvMapping *mapping;
    const PvUnwindModule *module =
        pv_unwind_find_module (walk->worker, walk->raw->space, addr - 1, &link_addr, &mapping);
    if (mapping == NULL)
        return false;
    return module == NULL || module->binary == NULL ||
           pv_unwind_module_follows_call (module, link_addr + 1) ||
           pv_unwind_module_is_sigreturn (module, link_addr + 1, false);
}

/* Follows a frame record: the frame pointer points to the caller's frame pointer, with the return
 * address above it. */
static bool
step_frame_record (Context *context, PvUnwindRegisters *registers)
{
    const PvUnwindWalk *walk = context->walk;
    const PvCfiArch *arch = walk->arch;
    unsigned word_size = arch->word_size;
    uint64_t fp = registers->values[arch->fp], caller_fp, ra;
    if (!is_valid (registers, arch->fp) || fp % word_size != 0 ||
        fp < registers->values[arch->sp] ||
        !pv_unwind_read_stack (walk, fp, word_size, &caller_fp) ||
        !pv_unwind_read_stack (walk, fp + word_size, word_size, &ra))
        return false;
    if (arch->has_link_register)
        ra = pv_address_space_strip_signature (walk->raw->space, ra);
    if (!may_return_to (walk, ra))
        return false;
    set_caller (context, registers, ra, fp + 2 * word_size, caller_fp);
    return true;
}

static StepResult
step_without_rules (Context *context, const PvUnwindStep *step, PvUnwindRegisters *registers)
{
    const PvUnwindWalk *walk = context->walk;
    const PvCfiArch *arch = walk->arch;
    bool is_leaf = !registers->is_return;
    if (is_leaf && step_plt_entry (context, registers))
        return STEP_DONE;
    if (step_start_section (context, registers))
        return STEP_DONE;
    /* With a link register, try the frame record first: the register may be stale. */
    if (is_leaf && !arch->has_link_register && step_frameless_leaf (context, registers))
        return STEP_DONE;
    if (step_frame_record (context, registers))
        return STEP_DONE;
    if (is_leaf && arch->has_link_register && step_frameless_leaf (context, registers))
        return STEP_DONE;

    if (step->is_file_missing)
        return end_step (context, PV_STACK_END_NO_BINARY);
    if (walk->has_left_dump)
        return end_step (context, pv_unwind_end_outside (walk, walk->sp));
    uint64_t fp = is_valid (registers, arch->fp) ? registers->values[arch->fp] : 0;
    if (walk->is_frame_pointer_chain && fp == 0)
        return end_step (context, PV_STACK_END_ROOT); /* the ABIs' mark of the outermost frame */
    if (walk->is_frame_pointer_chain && fp >= walk->stack_end)
        return end_step (context, pv_unwind_end_outside (walk, fp));
    return end_step (context, step->kind == PV_STEP_UNMAPPED ? PV_STACK_END_BAD_FRAME
                                                             : PV_STACK_END_NO_RULE);
}

/* Choosing a step */

static StepResult
take_step (Context *context, const PvUnwindStep *step, PvUnwindRegisters *registers)
{
    switch (step->kind) {
    case PV_STEP_SP:
    case PV_STEP_FP:
    case PV_STEP_FULL:
        return step_by_rules (context, registers);
    case PV_STEP_SIGNAL:
        return step_signal (context, registers);
    case PV_STEP_ROOT:
    case PV_STEP_ENTRY:
        return end_step (context, PV_STACK_END_ROOT);
    case PV_STEP_AWAY: /* the caller is on another stack, which was not dumped */
        return end_step (context, PV_STACK_END_OTHER_STACK);
    case PV_STEP_NO_BINARY:
        return end_step (context, PV_STACK_END_NO_BINARY);
    default:
        return step_without_rules (context, step, registers);
    }
}

/* The registers of the current frame that the walk knows. */
static void
get_walk_registers (const PvUnwindWalk *walk, PvUnwindRegisters *registers)
{
    const PvCfiArch *arch = walk->arch;
    registers->valid = 0;
    registers->pc = walk->pc;
    registers->is_return = walk->is_return;
    set_register (registers, arch->sp, walk->sp);
    set_register (registers, arch->fp, walk->fp);
    if (!arch->has_link_register)
        set_register (registers, arch->ra, walk->pc);
    else if (walk->has_lr && !walk->is_return)
        set_register (registers, arch->ra, walk->lr);
}

/* The kernel's signal frame on the interrupted stack: 11 KiB with AVX-512 and AMX. */
enum { MAX_SIGNAL_FRAME = 16 * 1024 };

static void
set_walk_registers (PvUnwindWalk *walk, const PvUnwindRegisters *registers)
{
    const PvCfiArch *arch = walk->arch;
    walk->pc = registers->pc;
    walk->is_return = registers->is_return;
    walk->sp = registers->values[arch->sp];
    walk->fp = is_valid (registers, arch->fp) ? registers->values[arch->fp] : 0;
    walk->has_lr = arch->has_link_register && is_valid (registers, arch->ra);
    walk->lr = walk->has_lr ? registers->values[arch->ra] : 0;
    if (walk->sp < walk->stack_start || walk->sp > walk->stack_end) {
        walk->has_left_dump = true;
        walk->is_on_other_stack = walk->sp - walk->stack_end > MAX_SIGNAL_FRAME;
    }
}

/* Finds all registers of the current frame by walking again from the last frame where they were
 * known. */
static bool
replay (Context *context, PvUnwindRegisters *registers)
{
    PvUnwindWalk *walk = context->walk;
    if (!walk->has_anchor) {
        pv_unwind_sample_registers (walk->raw, walk->arch, &walk->anchor_registers);
        walk->anchor = 0;
        walk->has_anchor = true;
    }
    *registers = walk->anchor_registers;
    for (uint32_t i = walk->anchor; i + 1 < walk->n_frames; i++) {
        PvUnwindStep step = *pv_unwind_find_step (walk->worker, walk->raw->space, walk->generation,
                                                  registers->pc, registers->is_return);
        if (take_step (context, &step, registers) != STEP_DONE)
            return false;
    }
    return registers->pc == walk->pc && is_valid (registers, walk->arch->sp) &&
           registers->values[walk->arch->sp] == walk->sp;
}

bool
pv_unwind_rare_step (PvUnwindWalk *walk, const PvUnwindStep *cached_step, PvStackEnd *ret_end)
{
    Context context = {.walk = walk, .end = PV_STACK_END_NO_RULE};
    PvUnwindStep step = *cached_step; /* its slot may be reused below */
    PvUnwindRegisters registers;
    get_walk_registers (walk, &registers);
    StepResult result = take_step (&context, &step, &registers);
    if (result == STEP_NEEDS_REGISTER) {
        context.end = PV_STACK_END_NO_RULE;
        if (!replay (&context, &registers)) {
            *ret_end = PV_STACK_END_NO_RULE;
            return false;
        }
        result = take_step (&context, &step, &registers);
        if (result == STEP_DONE) {
            walk->anchor = walk->n_frames;
            walk->anchor_registers = registers;
        }
    }
    if (result != STEP_DONE) {
        *ret_end = result == STEP_END ? context.end : PV_STACK_END_NO_RULE;
        return false;
    }
    bool is_without_rules = step.kind == PV_STEP_NO_CFI || step.kind == PV_STEP_UNMAPPED;
    walk->is_frame_pointer_chain = is_without_rules && registers.is_return;
    set_walk_registers (walk, &registers);
    return true;
}
