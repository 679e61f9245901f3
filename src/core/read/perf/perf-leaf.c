/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * On AArch64 a call puts its return address into the link register, and a function may keep it
 * there until it calls another one. The kernel follows saved frame pointers, so its chain then
 * lacks the caller of the innermost function. perf record (5.19 and later) records the link
 * register with each of these chains; the unwind rules of the innermost function say whether it
 * still contains the return address.
 */
#include "core/read/perf/perf-leaf.h"

#define PERF_CONTEXT_USER ((uint64_t)-512)
#define REGISTER_LR       30u /* perf's register numbers, asm/perf_regs.h */
#define REGISTER_SP       31u
#define REGISTER_PC       32u
#define LEAF_SLOTS        4096u

/* Cached answer for a pc: whether the return address is still in a register there. */
typedef struct {
    uint64_t pc;
    uint32_t generation; /* of the address space; 0: free */
    bool returns_by_register;
} LeafSlot;

struct PerfLeaf {
    LeafSlot *slots; /* NULL: not needed yet */
};

PerfLeaf *
perf_leaf_new (void)
{
    return g_new0 (PerfLeaf, 1);
}

void
perf_leaf_free (PerfLeaf *leaf)
{
    g_free (leaf->slots);
    g_free (leaf);
}

bool
perf_leaf_is_wanted (const PerfSession *session, const PerfAttr *attr)
{
    return session->arch == PV_ARCH_AARCH64 && session->context->unwind != NULL &&
           (attr->sample_type & PERF_SAMPLE_REGS_USER) != 0 &&
           (attr->sample_regs_user >> REGISTER_LR & 1) != 0;
}

/* The index of the innermost user address in the chain, or n_ips. */
static uint32_t
find_user_leaf (const PerfSample *sample)
{
    for (uint32_t i = 0; i < sample->n_ips; i++)
        if (perf_load_u64 (sample->ips + 8 * (size_t)i, sample->swap) == PERF_CONTEXT_USER)
            return i + 1;
    return sample->mode == PERF_MODE_USER ? 0 : sample->n_ips;
}

/* Asks the unwinder for the caller of pc without a stack. A caller that it finds can only come from
 * the link register. */
static bool
returns_by_register (PerfSession *session, const PvAddressSpace *space, uint64_t pc, uint64_t lr)
{
    const uint64_t registers[] = {lr, 0, pc};
    PvRawStack raw = {
        .space = space,
        .registers = registers,
        .register_mask =
            (uint64_t)1 << REGISTER_LR | (uint64_t)1 << REGISTER_SP | (uint64_t)1 << REGISTER_PC,
        .stack = (const uint8_t *)"",
    };
    PvRawResult result = {0};
    session->context->unwind (session->context->unwinder, session->arch,
                              pv_profile_builder_module (session->builder, 0), &raw, 1, &result,
                              session->context->job);
    return result.n_frames >= 2;
}

uint64_t
perf_leaf_find_caller (PerfSession *session, const PerfAttr *attr, PerfThread *thread,
                       const PerfSample *sample)
{
    uint32_t innermost = find_user_leaf (sample);
    if (sample->registers == NULL || sample->is_32bit || innermost >= sample->n_ips)
        return 0;
    uint64_t below = attr->sample_regs_user & (((uint64_t)1 << REGISTER_LR) - 1);
    size_t index = (size_t)__builtin_popcountll (below);
    const PvAddressSpace *space = perf_maps_get_space (session, thread->process);
    uint64_t lr = pv_address_space_strip_signature (
        space, perf_load_u64 (sample->registers + 8 * index, sample->swap));
    uint64_t pc = perf_load_u64 (sample->ips + 8 * (size_t)innermost, sample->swap);
    if (lr == 0 || (innermost + 1 < sample->n_ips &&
                    perf_load_u64 (sample->ips + 8 * (size_t)(innermost + 1), sample->swap) == lr))
        return 0;

    PerfLeaf *leaf = session->leaf;
    if (leaf->slots == NULL)
        leaf->slots = g_new0 (LeafSlot, LEAF_SLOTS);
    uint32_t generation = pv_address_space_get_generation (space);
    LeafSlot *slot = &leaf->slots[(pv_hash_mix (pc) + generation) % LEAF_SLOTS];
    if (slot->pc != pc || slot->generation != generation)
        *slot = (LeafSlot){pc, generation, returns_by_register (session, space, pc, lr)};
    return slot->returns_by_register ? lr : 0;
}
