/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <elf.h>
#include <glib.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/symbolize/cfi/dwarf-expression.h"
#include "core/symbolize/unwind/cfi-table.h"
#include "core/symbolize/unwind/unwinder.h"

/*
 * Input: an ELF file, whose table is built and asked; or one byte that says what the rest is:
 *   0, 1  .eh_frame or .debug_frame; the second byte chooses the processor
 *   2     an expression
 *   3     registers and stack of a thread of this very program, with words marked by their top byte
 *         turned into code and stack addresses, or the stack would lead nowhere
 */
#define STACK_ADDR 0x7ffff0000000u

/* A block of its own, so that a read beyond the end is seen. */
static uint8_t *
copy_bytes (const uint8_t *data, size_t size)
{
    uint8_t *copy = malloc (size > 0 ? size : 1);
    memcpy (copy, data, size);
    return copy;
}

static void
check_table (const PvCfiTable *table)
{
    const PvUnwindRow *rows;
    uint64_t base;
    size_t n_rows = pv_cfi_table_get_rows (table, &rows, &base);
    PvCfiRules rules;
    for (size_t i = 0; i < n_rows; i++) {
        if (i > 0 && rows[i - 1].pc >= rows[i].pc)
            abort ();
        if (pv_cfi_table_find (table, base + rows[i].pc) != &rows[i])
            abort ();
        if (i < 64 || pv_unwind_row_kind (&rows[i]) == PV_UNWIND_FULL)
            pv_cfi_table_find_rules (table, base + rows[i].pc, &rules);
    }
    uint64_t start, end;
    pv_cfi_table_find_function (table, base + 1, &start, &end);
    pv_cfi_table_find (table, UINT64_MAX);
    pv_cfi_table_find (table, 0);
}

static void
try_section (const uint8_t *data, size_t size, bool is_debug_frame)
{
    static const uint16_t machines[] = {EM_X86_64, EM_AARCH64, EM_386};
    if (size < 1)
        return;
    const PvCfiArch *arch = pv_cfi_arch_find (machines[data[0] % G_N_ELEMENTS (machines)]);
    uint8_t *copy = copy_bytes (data + 1, size - 1);
    PvCfiSection section = {
        .data = copy,
        .size_bytes = size - 1,
        .link_addr = 0x1000,
        .data_addr = data[0] & 0x80 ? 0x2000 : 0,
        .is_debug_frame = is_debug_frame,
    };
    PvCfiTable *table = pv_cfi_table_new (arch, NULL, NULL, &section, 1,
                                          data[0] & 0x40 ? 0x100000000 : 0, UINT64_MAX);
    check_table (table);
    pv_cfi_table_free (table);
    free (copy);
}

static bool
read_memory (void *user, uint64_t addr, unsigned size_bytes, uint64_t *ret_value)
{
    *ret_value = addr ^ size_bytes;
    return addr & 1;
}

static void
try_expression (const uint8_t *data, size_t size)
{
    static const uint64_t registers[17] = {1, 2, 3, 4, 5, 6, UINT64_MAX, 8, INT64_MAX};
    uint8_t *copy = copy_bytes (data, size);
    uint64_t initial = 0x1234, value = 0;
    PvExpressionMachine machine = {
        .registers = registers,
        .valid = 0x1fff,
        .n_registers = G_N_ELEMENTS (registers),
        .address_size = size & 1 ? 8 : 4,
        .read_memory = read_memory,
    };
    pv_dwarf_expression_evaluate (&machine, copy, size, size & 2 ? &initial : NULL, &value);
    free (copy);
}

static void
try_elf (const uint8_t *data, size_t size)
{
    g_autoptr (PvMappedFile) file = pv_mapped_file_new_take (g_memdup2 (data, size), size);
    PvElfImage *image = pv_elf_image_new (file, "fuzz", NULL);
    PvCfiTable *table = image != NULL ? pv_cfi_table_new_for_image (image, NULL) : NULL;
    if (table != NULL)
        check_table (table);
    pv_cfi_table_free (table);
    if (image != NULL)
        pv_elf_image_unref (image);
}

typedef struct {
    PvModule modules[3];
    PvAddressSpace *space;
    PvUnwinder *unwinder;
    uint64_t size_bytes;
} Program;

#define PROGRAM_ADDR 0x7f0000000000u
#define JIT_ADDR     0x7e0000000000u

static const Program *
get_program (void)
{
    static Program program;
    static char path[PATH_MAX];
    if (program.unwinder != NULL)
        return &program;
    ssize_t length = readlink ("/proc/self/exe", path, sizeof path - 1);
    if (length < 0)
        abort ();
    PvMappedFile *file = pv_mapped_file_open (path, NULL);
    program.size_bytes = pv_mapped_file_get_size (file);
    pv_mapped_file_unref (file);
    program.modules[0] = (PvModule){.path = "", .name = ""};
    program.modules[1] = (PvModule){.path = path, .name = "", .kind = PV_MODULE_FILE};
    program.modules[2] = (PvModule){
        .path = "//anon", .name = "", .kind = PV_MODULE_JIT, .address_kind = PV_ADDRESS_RUNTIME};
    program.space = pv_address_space_new ();
    PvMapping mapping = {PROGRAM_ADDR, PROGRAM_ADDR + program.size_bytes, 0, 1};
    PvMapping jit = {JIT_ADDR, JIT_ADDR + 0x10000, 0, 2};
    pv_address_space_add (program.space, &mapping);
    pv_address_space_add (program.space, &jit);
    static const PvSymbolOptions options;
    program.unwinder = pv_unwinder_new (pv_module_files_new (&options), 1);
    return &program;
}

/* The meaning of a word of the input. */
static uint64_t
make_word (const Program *program, uint64_t word)
{
    uint64_t value = word & 0xffffffffffff;
    switch (word >> 56) {
    case 1:
        return PROGRAM_ADDR + value % program->size_bytes;
    case 2:
        return STACK_ADDR + value % 65536;
    case 3:
        return JIT_ADDR + value % 0x10000;
    default:
        return word;
    }
}

static void
try_stack (const uint8_t *data, size_t size)
{
    enum { N_REGISTERS = 33 };
    static const PvArch arches[] = {PV_ARCH_X86_64, PV_ARCH_AARCH64, PV_ARCH_X86, PV_ARCH_ARM,
                                    PV_ARCH_UNKNOWN};
    if (size < 2)
        return;
    const Program *program = get_program ();
    PvArch arch = arches[data[0] % G_N_ELEMENTS (arches)];
    bool is_32bit = data[1] & 1;
    size_t n_words = (size - 2) / 8;
    uint64_t *words = malloc ((n_words + N_REGISTERS) * 8);
    memset (words, 0, N_REGISTERS * 8);
    memcpy (words, data + 2, n_words * 8);
    for (size_t i = 0; i < n_words; i++)
        words[i] = make_word (program, words[i]);
    words[arch == PV_ARCH_AARCH64 ? 31 : 7] = STACK_ADDR;
    size_t n_stack = n_words > N_REGISTERS ? n_words - N_REGISTERS : 0;
    uint8_t *stack = copy_bytes ((const uint8_t *)(words + N_REGISTERS), n_stack * 8);
    PvRawStack raw = {
        .space = program->space,
        .registers = words,
        .register_mask = 0x1ffffffff,
        .stack = stack,
        .stack_size_bytes = (uint32_t)n_stack * 8,
        .stack_requested_bytes = 8192,
        .is_32bit = is_32bit,
    };
    PvRawResult result;
    pv_unwinder_unwind (program->unwinder, arch, program->modules, &raw, 1, &result, NULL);
    if (result.n_frames > PV_UNWIND_MAX_FRAMES || result.end >= PV_N_STACK_ENDS)
        abort ();
    for (uint32_t i = 0; i < result.n_frames; i++) {
        if (result.frames[i].module > 2)
            abort ();
    }
    free (stack);
    free (words);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
    if (size >= SELFMAG && memcmp (data, ELFMAG, SELFMAG) == 0) {
        try_elf (data, size);
        return 0;
    }
    if (size < 1)
        return 0;
    switch (data[0] % 4) {
    case 0:
    case 1:
        try_section (data + 1, size - 1, data[0] % 4 == 1);
        break;
    case 2:
        try_expression (data + 1, size - 1);
        break;
    default:
        try_stack (data + 1, size - 1);
        break;
    }
    return 0;
}
