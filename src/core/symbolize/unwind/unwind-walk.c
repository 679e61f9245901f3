/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <elf.h>

#include "core/symbolize/unwind/unwinder-private.h"

/*
 * Walks from the leaf to the root by compact rows: one cache look-up and one or two words of the
 * dump per frame. pv_unwind_rare_step () does everything else.
 *
 * A frame is only accepted if its CFA is above the current stack pointer, so every walk ends. (A
 * signal frame may lead to another stack; there the number of frames is the limit.)
 */

/* Bits in the recorder's register mask (Linux, asm/perf_regs.h) by DWARF number. */
static const uint8_t perf_bits_x86_64[] = {0,  3,  2,  1,  4,  5,  6,  7, 16,
                                           17, 18, 19, 20, 21, 22, 23, 8};
static const uint8_t perf_bits_x86[] = {0, 2, 3, 1, 7, 6, 4, 5, 8};
enum { PERF_PC_X86 = 8, PERF_PC_AARCH64 = 32, PERF_PC_ARM = 15 };

bool
pv_unwind_sample_register (const PvRawStack *raw, unsigned perf_bit, uint64_t *ret_value)
{
    if (!(raw->register_mask >> perf_bit & 1))
        return false;
    uint64_t below = raw->register_mask & (((uint64_t)1 << perf_bit) - 1);
    memcpy (ret_value, raw->registers + __builtin_popcountll (below), sizeof *ret_value);
    return true;
}

static unsigned
perf_bit_of (const PvCfiArch *arch, unsigned dwarf_number)
{
    switch (arch->machine) {
    case EM_X86_64:
        return perf_bits_x86_64[dwarf_number];
    case EM_386:
        return perf_bits_x86[dwarf_number];
    default:
        return dwarf_number;
    }
}

static unsigned
perf_bit_of_pc (const PvCfiArch *arch)
{
    return arch->machine == EM_AARCH64 ? PERF_PC_AARCH64 : PERF_PC_X86;
}

void
pv_unwind_sample_registers (const PvRawStack *raw, const PvCfiArch *arch,
                            PvUnwindRegisters *ret_registers)
{
    ret_registers->valid = 0;
    ret_registers->is_return = false;
    ret_registers->pc = 0;
    pv_unwind_sample_register (raw, perf_bit_of_pc (arch), &ret_registers->pc);
    for (unsigned i = 0; i < arch->n_registers; i++) {
        if (pv_unwind_sample_register (raw, perf_bit_of (arch, i), &ret_registers->values[i]))
            ret_registers->valid |= (uint64_t)1 << i;
    }
}

/* A dump shorter than requested ends where the stack ends, so there is nothing above it. (Very
 * large dumps are cut to fit into a record.) */
PvStackEnd
pv_unwind_end_outside (const PvUnwindWalk *walk, uint64_t addr)
{
    enum { RECORD_LIMIT = 56 * 1024 };
    const PvRawStack *raw = walk->raw;
    if (walk->has_left_dump)
        return walk->is_on_other_stack ? PV_STACK_END_OTHER_STACK : PV_STACK_END_DUMP;
    bool is_whole =
        raw->stack_size_bytes < raw->stack_requested_bytes && raw->stack_size_bytes < RECORD_LIMIT;
    return addr < walk->stack_start || is_whole ? PV_STACK_END_BAD_FRAME : PV_STACK_END_DUMP;
}

/* Both functions below move the walk one frame up. If false, *ret_end is set. */
static inline __attribute__ ((always_inline)) bool
step_stack_frame (PvUnwindWalk *walk, const PvUnwindStep *step, const unsigned word_size,
                  PvStackEnd *ret_end)
{
    uint64_t cfa = (step->kind == PV_STEP_SP ? walk->sp : walk->fp) + step->cfa_offset;
    uint64_t ra;
    if (G_UNLIKELY (cfa - word_size < walk->sp || cfa < word_size)) {
        *ret_end = PV_STACK_END_BAD_FRAME;
        return false;
    }
    if (G_UNLIKELY (!pv_unwind_read_stack (walk, cfa - word_size, word_size, &ra))) {
        *ret_end = pv_unwind_end_outside (walk, cfa - word_size);
        return false;
    }
    if (step->frame != 0) {
        /* After the pop in an epilogue, compilers keep the rule although the slot is now below the
         * stack pointer and not in the dump: the register already has the caller's value. */
        uint64_t slot = cfa + (uint64_t)(int64_t)(step->frame * (int)word_size);
        pv_unwind_read_stack (walk, slot, word_size, &walk->fp);
    }
    walk->pc = ra;
    walk->sp = cfa;
    return true;
}

static inline __attribute__ ((always_inline)) bool
step_link_frame (PvUnwindWalk *walk, const PvUnwindStep *step, PvStackEnd *ret_end)
{
    uint64_t cfa = (step->kind == PV_STEP_SP ? walk->sp : walk->fp) + step->cfa_offset;
    PvUnwindShape shape = step->frame & 3;
    uint64_t distance = (uint64_t)(step->frame >> 2) * 8;
    uint64_t ra = 0;
    *ret_end = PV_STACK_END_BAD_FRAME;
    if (shape == PV_UNWIND_LEAF) {
        /* Only the interrupted function can have its return address in a register. */
        if (walk->is_return || cfa < walk->sp || !walk->has_lr)
            return false;
        ra = walk->lr;
    } else {
        uint64_t slot = cfa - distance;
        uint64_t ra_slot = shape == PV_UNWIND_RECORD       ? slot + 8
                           : shape == PV_UNWIND_LINK_BELOW ? slot - 8
                                                           : slot;
        if (cfa < walk->sp || (cfa == walk->sp && walk->is_return))
            return false;
        if (!pv_unwind_read_stack (walk, ra_slot, 8, &ra)) {
            *ret_end = pv_unwind_end_outside (walk, ra_slot);
            return false;
        }
        if (shape != PV_UNWIND_LINK)
            pv_unwind_read_stack (walk, slot, 8, &walk->fp);
    }
    walk->pc = ra >> 48 == 0 ? ra : pv_address_space_strip_signature (walk->raw->space, ra);
    walk->sp = cfa;
    return true;
}

static inline __attribute__ ((always_inline)) PvStackEnd
walk_frames (PvUnwindWalk *walk, const unsigned word_size, const bool has_link_register)
{
    PvStackEnd end = PV_STACK_END_UNKNOWN;
    for (;;) {
        const PvUnwindStep *step = pv_unwind_find_step (
            walk->worker, walk->raw->space, walk->generation, walk->pc, walk->is_return);
        if (G_UNLIKELY (step->kind == PV_STEP_UNMAPPED && walk->n_frames > 0))
            return PV_STACK_END_BAD_FRAME;
        if (G_UNLIKELY (walk->n_frames == PV_UNWIND_MAX_FRAMES))
            return PV_STACK_END_DEPTH;
        /* A handler returns to the start of its trampoline: there is no call before it. */
        bool is_after_call = walk->is_return && step->kind != PV_STEP_SIGNAL;
        walk->frames[walk->n_frames++] = (PvRawFrame){
            .address = walk->pc + step->delta,
            .module = step->module,
            .kind = is_after_call ? PV_LOCATION_RETURN : PV_LOCATION_EXACT,
        };
        if (G_LIKELY (step->kind <= PV_STEP_FP)) {
            bool is_up = has_link_register ? step_link_frame (walk, step, &end)
                                           : step_stack_frame (walk, step, word_size, &end);
            if (!is_up)
                return end;
            walk->is_return = true;
            walk->is_frame_pointer_chain = false;
        } else if (!pv_unwind_rare_step (walk, step, &end)) {
            return end;
        }
        if (G_UNLIKELY (walk->pc == 0))
            return PV_STACK_END_ROOT;
    }
}

static const PvCfiArch *
find_arch (PvArch arch, bool is_32bit)
{
    switch (arch) {
    case PV_ARCH_X86_64:
        return pv_cfi_arch_find (is_32bit ? EM_386 : EM_X86_64);
    case PV_ARCH_X86:
        return pv_cfi_arch_find (EM_386);
    case PV_ARCH_AARCH64:
        return is_32bit ? NULL : pv_cfi_arch_find (EM_AARCH64);
    default:
        return NULL;
    }
}

/* Only finds the leaf, on processors without unwinding. */
static void
walk_leaf (PvUnwindWalk *walk, PvArch arch, PvRawResult *ret_result)
{
    bool is_arm = arch == PV_ARCH_ARM || arch == PV_ARCH_AARCH64;
    ret_result->end = PV_STACK_END_NO_RULE;
    if (!is_arm || !pv_unwind_sample_register (walk->raw, PERF_PC_ARM, &walk->pc))
        return;
    const PvUnwindStep *step =
        pv_unwind_find_step (walk->worker, walk->raw->space, walk->generation, walk->pc, false);
    walk->frames[0] = (PvRawFrame){walk->pc + step->delta, step->module, PV_LOCATION_EXACT};
    ret_result->n_frames = 1;
}

void
pv_unwind_walk (PvUnwindWorker *worker, PvArch arch, const PvRawStack *raw, PvRawFrame *frames,
                PvRawResult *ret_result)
{
    PvUnwindWalk walk;
    walk.worker = worker;
    walk.raw = raw;
    walk.arch = find_arch (arch, raw->is_32bit);
    walk.generation = pv_address_space_get_generation (raw->space);
    walk.stack = raw->stack;
    walk.frames = frames;
    walk.n_frames = 0;
    walk.is_return = false;
    walk.is_frame_pointer_chain = false;
    walk.has_left_dump = false;
    walk.is_on_other_stack = false;
    walk.has_anchor = false;
    *ret_result = (PvRawResult){.frames = frames};
    if (walk.arch == NULL) {
        walk_leaf (&walk, arch, ret_result);
        return;
    }
    if (!pv_unwind_sample_register (raw, perf_bit_of_pc (walk.arch), &walk.pc) ||
        !pv_unwind_sample_register (raw, perf_bit_of (walk.arch, walk.arch->sp), &walk.sp)) {
        ret_result->end = PV_STACK_END_NOT_RECORDED;
        return;
    }
    if (!pv_unwind_sample_register (raw, perf_bit_of (walk.arch, walk.arch->fp), &walk.fp))
        walk.fp = 0;
    walk.has_lr = walk.arch->has_link_register &&
                  pv_unwind_sample_register (raw, perf_bit_of (walk.arch, walk.arch->ra), &walk.lr);
    walk.stack_start = walk.sp;
    walk.stack_end = walk.sp + raw->stack_size_bytes;
    if (walk.stack_end < walk.sp)
        walk.stack_end = walk.sp;
    if (walk.arch->has_link_register)
        ret_result->end = (uint8_t)walk_frames (&walk, 8, true);
    else if (walk.arch->word_size == 8)
        ret_result->end = (uint8_t)walk_frames (&walk, 8, false);
    else
        ret_result->end = (uint8_t)walk_frames (&walk, 4, false);
    ret_result->n_frames = walk.n_frames;
}
