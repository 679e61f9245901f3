/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stacks of a real program with signed return addresses (tests/data/aarch64/pauth.c), held against
 * the debugger's chains of callers. */
#include <stdlib.h>
#include <string.h>

#include "../cases.h"
#include "core/symbolize/unwind/unwinder.h"

#define PROGRAM_ADDR    0x400000
#define TRAMPOLINE_ADDR 0x5500801000u

enum {
    PROGRAM = 1,
    TRAMPOLINE,
    N_MODULES,
    TRAMPOLINE_OFFSET = 0x188,
    N_REGISTERS = 33,
    MAX_FRAMES = 64,
    MAX_STACK_BYTES = 0x4000,
};

typedef struct {
    uint64_t registers[N_REGISTERS];
    uint64_t chain[MAX_FRAMES];
    unsigned n_frames;
    uint64_t stack[MAX_STACK_BYTES / 8];
    uint64_t size_bytes;
} Stack;

static unsigned
read_numbers (char **words, uint64_t *ret_numbers, unsigned max)
{
    unsigned n = 0;
    for (; words[n] != NULL; n++) {
        g_assert_cmpuint (n, <, max);
        ret_numbers[n] = g_ascii_strtoull (words[n], NULL, 16);
    }
    return n;
}

static GArray *
read_stacks (const char *path)
{
    g_autofree char *text = NULL;
    g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
    g_auto (GStrv) lines = g_strsplit_set (text, "\n", -1);
    GArray *stacks = g_array_new (false, true, sizeof (Stack));
    for (char **line = lines; *line != NULL; line++) {
        g_auto (GStrv) words = g_strsplit_set (*line, " ", -1);
        uint64_t word[2];
        if (words[0] == NULL || words[0][0] == '#')
            continue;
        if (strcmp (words[0], "stack") == 0)
            g_array_set_size (stacks, stacks->len + 1);
        g_assert_cmpuint (stacks->len, >, 0);
        Stack *stack = &g_array_index (stacks, Stack, stacks->len - 1);
        if (strcmp (words[0], "registers") == 0) {
            g_assert_cmpuint (read_numbers (words + 1, stack->registers, N_REGISTERS), ==,
                              N_REGISTERS);
        } else if (strcmp (words[0], "chain") == 0) {
            stack->n_frames = read_numbers (words + 1, stack->chain, MAX_FRAMES);
        } else if (strcmp (words[0], "size") == 0) {
            read_numbers (words + 1, &stack->size_bytes, 1);
        } else if (strcmp (words[0], "word") == 0) {
            g_assert_cmpuint (read_numbers (words + 1, word, 2), ==, 2);
            g_assert_cmpuint (word[0], <, MAX_STACK_BYTES);
            stack->stack[word[0] / 8] = word[1];
        }
    }
    return stacks;
}

static bool
is_signed (const Stack *stack)
{
    for (uint64_t i = 0; i < stack->size_bytes / 8; i++) {
        uint64_t addr = stack->stack[i] & (((uint64_t)1 << 48) - 1);
        if (addr != stack->stack[i] && addr >= PROGRAM_ADDR && addr < PROGRAM_ADDR + 0x1000)
            return true;
    }
    return false;
}

static void
check (const Stack *stack, PvUnwinder *unwinder, const PvModule *modules,
       const PvAddressSpace *space)
{
    PvRawStack raw = {
        .space = space,
        .registers = stack->registers,
        .register_mask = 0x1ffffffff,
        .stack = (const uint8_t *)stack->stack,
        .stack_size_bytes = (uint32_t)stack->size_bytes,
        .stack_requested_bytes = (uint32_t)stack->size_bytes,
    };
    PvRawResult result;
    pv_unwinder_unwind (unwinder, PV_ARCH_AARCH64, modules, &raw, 1, &result, NULL);
    for (uint32_t i = 0; i < result.n_frames; i++) {
        const PvRawFrame *frame = &result.frames[i];
        uint64_t addr = frame->module == PROGRAM
                            ? frame->address + PROGRAM_ADDR
                            : frame->address - TRAMPOLINE_OFFSET + TRAMPOLINE_ADDR;
        g_assert_cmpuint (i, <, stack->n_frames);
        g_assert_cmphex (addr, ==, stack->chain[i]);
    }
    g_assert_cmpuint (result.n_frames, ==, stack->n_frames);
    g_assert_cmpint (result.end, ==, PV_STACK_END_ROOT);
}

TEST (signed_addresses)
{
    const char *data = g_getenv ("PV_TEST_DATA");
    g_assert_nonnull (data);
    g_autofree char *program = g_build_filename (data, "aarch64", "pauth", NULL);
    g_autofree char *path = g_build_filename (data, "aarch64", "pauth.stacks", NULL);
    PvModule modules[N_MODULES] = {
        {.path = "", .name = ""},
        {.path = program, .name = "", .kind = PV_MODULE_FILE},
        {.path = program, .name = "", .kind = PV_MODULE_FILE},
    };
    /* Some code before the trampoline is part of its mapping, as in the kernel's vdso. */
    const PvMapping mappings[] = {
        {PROGRAM_ADDR, PROGRAM_ADDR + 0x1000, 0, PROGRAM},
        {TRAMPOLINE_ADDR - 16, TRAMPOLINE_ADDR + 16, TRAMPOLINE_OFFSET - 16, TRAMPOLINE},
    };
    g_autoptr (PvAddressSpace) space = pv_address_space_new ();
    for (size_t i = 0; i < G_N_ELEMENTS (mappings); i++)
        pv_address_space_add (space, &mappings[i]);
    PvSymbolOptions options = {0};
    g_autoptr (PvModuleFiles) files = pv_module_files_new (&options);
    g_autoptr (PvUnwinder) unwinder = pv_unwinder_new (files, 1);

    g_autoptr (GArray) stacks = read_stacks (path);
    g_assert_cmpuint (stacks->len, ==, 4);
    for (guint i = 0; i < stacks->len; i++) {
        const Stack *stack = &g_array_index (stacks, Stack, i);
        g_assert_true (is_signed (stack));
        check (stack, unwinder, modules, space);
    }
}
