/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Any bytes through the perf.data reader, with an unwinder that touches all it is given and a side
 * file that is sometimes there.
 */
#include <stdint.h>
#include <string.h>

#include "check-profile.h"

static PvRawFrame frames[4];

/* Reads every byte a real unwinder might, and answers with what that adds up to. */
static void
unwind (void *unwinder, PvArch arch, const PvModule *modules, const PvRawStack *stacks, size_t n,
        PvRawResult *results, PvJob *job)
{
    for (size_t i = 0; i < n; i++) {
        const PvRawStack *stack = &stacks[i];
        uint64_t sum = 0;
        size_t n_registers = (size_t)__builtin_popcountll (stack->register_mask);
        for (size_t k = 0; k < n_registers; k++) {
            uint64_t value;
            memcpy (&value, (const uint8_t *)stack->registers + 8 * k, sizeof value);
            sum += value;
        }
        for (uint32_t k = 0; k < stack->stack_size_bytes; k++)
            sum += stack->stack[k];
        const PvMapping *mapping = pv_address_space_find (stack->space, sum);
        frames[0] = (PvRawFrame){sum, mapping != NULL ? mapping->module : 0, PV_LOCATION_EXACT};
        frames[1] = (PvRawFrame){sum / 2, 0, PV_LOCATION_RETURN};
        if (mapping != NULL)
            frames[0].address += modules[mapping->module].load_addr;
        results[i] = (PvRawResult){frames, 1 + sum % 2, sum % PV_N_STACK_ENDS};
    }
}

/* A jitdump with one function. */
static PvMappedFile *
open_side_file (void *user, const char *recorded_path)
{
    static const uint8_t dump[] = {
        'D', 'T', 'i', 'J', 1, 0, 0, 0, 40, 0, 0, 0, 62, 0, 0, 0, 0, 0, 0, 0,  1, 0,   0, 0,  0,
        0,   0,   0,   0,   0, 0, 0, 0, 0,  0, 0, 0, 0,  0, 0, 0, 0, 0, 0, 58, 0, 0,   0, 5,  0,
        0,   0,   0,   0,   0, 0, 1, 0, 0,  0, 1, 0, 0,  0, 0, 0, 0, 0, 0, 0,  0, 0,   0, 16, 0,
        0,   0,   0,   0,   0, 0, 1, 0, 0,  0, 0, 0, 0,  7, 0, 0, 0, 0, 0, 0,  0, 'f', 0,
    };
    return pv_mapped_file_new_take (g_memdup2 (dump, sizeof dump), sizeof dump);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
    const PvReadContext context = {.unwind = unwind, .open_side_file = open_side_file};
    g_autoptr (PvProfile) profile = read_any (data, size, &context);
    if (profile != NULL) {
        check_tables (profile);
        check_details (profile);
    }
    return 0;
}
