/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <dwarf.h>
#include <elf.h>
#include <execinfo.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>

#include <glib/gstdio.h>
#include <unistd.h>

#include "../cases.h"
#include "core/read/jit/jitdump.h"
#include "core/symbolize/unwind/unwinder.h"
#include "eh-frame-maker.h"
#include "tiny-elf.h"

/*
 * Stacks made by hand over a little shared object made by hand, and this program's own stack held
 * against what the C library's backtrace () says.
 */
enum {
    MODULE = 1,
    JIT = 2,
    MISSING = 3,
    N_MODULES = 4,
};

#define LOAD_ADDR  0x7f0000000000u
#define JIT_ADDR   0x7e0000000000u
#define GONE_ADDR  0x7d0000000000u
#define STACK_ADDR 0x7ffff0000000u

typedef struct {
    EhFrame frame;
    uint8_t code[0x800];
    uint16_t machine;
    char *path;
    PvModule modules[N_MODULES];
    PvAddressSpace *space;
    PvModuleFiles *files;
    PvUnwinder *unwinder;
    uint64_t registers[33];
    uint64_t stack[4096];
    PvRawStack raw;
    PvRawResult result;
} Fixture;

/* The n-th function: 16 bytes each. */
static uint64_t
link_addr_of (unsigned function)
{
    return TINY_ELF_BIAS + TINY_ELF_TEXT + function * 16;
}

static uint64_t
runtime_addr_of (unsigned function)
{
    return LOAD_ADDR + TINY_ELF_TEXT + function * 16;
}

/* Where a call in the n-th function returns to. */
static uint64_t
return_addr_of (unsigned function)
{
    return runtime_addr_of (function) + 8;
}

#define FUNCTION(fixture, n, ...)                                                                  \
    EH_FRAME_FDE (&(fixture)->frame, link_addr_of (n), 16, __VA_ARGS__)

static void
begin (Fixture *fixture, uint16_t machine)
{
    memset (fixture, 0, sizeof *fixture);
    fixture->machine = machine;
    if (machine == EM_X86_64) {
        eh_frame_add_common_cie (&fixture->frame);
    } else {
        static const uint8_t initial[] = {DW_CFA_def_cfa, 31, 0};
        eh_frame_add_cie (&fixture->frame, "", 30, initial, sizeof initial);
    }
    for (unsigned i = 0; i < sizeof fixture->code; i += 16)
        fixture->code[i + 3] = 0xe8; /* call: ends 8 bytes into each function */
}

static void
map (Fixture *fixture, PvModuleId module, uint64_t start, uint64_t size)
{
    PvMapping mapping = {start, start + size, 0, module};
    pv_address_space_add (fixture->space, &mapping);
}

static void
finish (Fixture *fixture)
{
    fixture->path = tiny_elf_write (fixture->machine, fixture->code, sizeof fixture->code,
                                    fixture->frame.bytes.data, fixture->frame.bytes.len);
    fixture->modules[MODULE] = (PvModule){.path = fixture->path, .kind = PV_MODULE_FILE};
    fixture->modules[JIT] =
        (PvModule){.path = "//anon", .kind = PV_MODULE_JIT, .address_kind = PV_ADDRESS_RUNTIME};
    fixture->modules[MISSING] =
        (PvModule){.path = "/nonexistent/library.so", .kind = PV_MODULE_FILE};
    for (unsigned i = 0; i < N_MODULES; i++)
        fixture->modules[i].name = "";
    fixture->modules[0].path = "";
    fixture->space = pv_address_space_new ();
    map (fixture, MODULE, LOAD_ADDR, TINY_ELF_SIZE);
    map (fixture, JIT, JIT_ADDR, 0x10000);
    map (fixture, MISSING, GONE_ADDR, 0x10000);
    PvSymbolOptions options = {0};
    fixture->files = pv_module_files_new (&options);
    fixture->unwinder = pv_unwinder_new (fixture->files, 1);
    fixture->raw = (PvRawStack){
        .space = fixture->space,
        .registers = fixture->registers,
        .stack = (const uint8_t *)fixture->stack,
        .stack_size_bytes = sizeof fixture->stack,
        .stack_requested_bytes = sizeof fixture->stack,
    };
}

static void
clear (Fixture *fixture)
{
    pv_unwinder_free (fixture->unwinder);
    pv_module_files_free (fixture->files);
    pv_address_space_free (fixture->space);
    eh_frame_clear (&fixture->frame);
    tiny_elf_remove (fixture->path);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Fixture, clear)

/* Registers by perf's numbers: x86 bx 1, bp 6, sp 7, ip 8; AArch64 x29, lr 30, sp 31, pc 32. */
static void
unwind (Fixture *fixture, uint64_t pc, uint64_t fp, uint64_t other)
{
    uint64_t *registers = fixture->registers;
    if (fixture->machine == EM_X86_64) {
        fixture->raw.register_mask = 0x1ff;
        registers[1] = other;
        registers[6] = fp;
        registers[7] = STACK_ADDR;
        registers[8] = pc;
    } else {
        fixture->raw.register_mask = 0x1ffffffff;
        registers[29] = fp;
        registers[30] = other;
        registers[31] = STACK_ADDR;
        registers[32] = pc;
    }
    pv_unwinder_unwind (fixture->unwinder,
                        fixture->machine == EM_X86_64 ? PV_ARCH_X86_64 : PV_ARCH_AARCH64,
                        fixture->modules, &fixture->raw, 1, &fixture->result, NULL);
}

static uint64_t
stack_addr (unsigned word)
{
    return STACK_ADDR + word * 8;
}

static void
check_frame (const Fixture *fixture, unsigned index, PvModuleId module, uint64_t address,
             PvLocationKind kind)
{
    g_assert_cmpuint (index, <, fixture->result.n_frames);
    const PvRawFrame *frame = &fixture->result.frames[index];
    g_assert_cmpuint (frame->module, ==, module);
    g_assert_cmphex (frame->address, ==, address);
    g_assert_cmpint (frame->kind, ==, kind);
}

/* A return address into the n-th function. */
static void
check_caller (const Fixture *fixture, unsigned index, unsigned function)
{
    check_frame (fixture, index, MODULE, TINY_ELF_TEXT + function * 16 + 8, PV_LOCATION_RETURN);
}

static void
check_end (const Fixture *fixture, unsigned n_frames, PvStackEnd end)
{
    g_assert_cmpuint (fixture->result.n_frames, ==, n_frames);
    g_assert_cmpint (fixture->result.end, ==, end);
}

/* Functions that many tests use: 0 leaf, 1 pushes rbp and one word, 2 by frame pointer, 3 root. */
static void
add_usual_functions (Fixture *fixture)
{
    FUNCTION (fixture, 0, DW_CFA_nop);
    FUNCTION (fixture, 1, DW_CFA_def_cfa_offset, 24, DW_CFA_offset | 6, 2);
    FUNCTION (fixture, 2, DW_CFA_def_cfa, 6, 16, DW_CFA_offset | 6, 2);
    FUNCTION (fixture, 3, DW_CFA_undefined, 16);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
    begin (fixture, EM_X86_64);
    add_usual_functions (fixture);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
    clear (fixture);
}

FIXTURE_TEST (chain, fixture)
{
    finish (fixture);
    fixture->stack[0] = return_addr_of (1);
    fixture->stack[2] = stack_addr (8); /* rbp of 2, saved by 1 */
    fixture->stack[3] = return_addr_of (2);
    fixture->stack[8] = 0;
    fixture->stack[9] = return_addr_of (3);
    unwind (fixture, runtime_addr_of (0) + 2, 0x1234, 0);
    check_end (fixture, 4, PV_STACK_END_ROOT);
    check_frame (fixture, 0, MODULE, TINY_ELF_TEXT + 2, PV_LOCATION_EXACT);
    check_caller (fixture, 1, 1);
    check_caller (fixture, 2, 2);
    check_caller (fixture, 3, 3);
    /* A return address of 0 ends a stack as well. */
    fixture->stack[9] = 0;
    unwind (fixture, runtime_addr_of (0) + 2, 0x1234, 0);
    check_end (fixture, 3, PV_STACK_END_ROOT);
    /* A return address outside of every mapping is a bad frame. */
    fixture->stack[9] = 0x1234;
    unwind (fixture, runtime_addr_of (0) + 2, 0x1234, 0);
    check_end (fixture, 3, PV_STACK_END_BAD_FRAME);
}

FIXTURE_TEST (cut_dump, fixture)
{
    finish (fixture);
    fixture->stack[0] = return_addr_of (1);
    fixture->stack[2] = 77;
    fixture->stack[3] = return_addr_of (1);
    fixture->stack[6] = return_addr_of (3);
    fixture->raw.stack_size_bytes = fixture->raw.stack_requested_bytes = 7 * 8;
    unwind (fixture, runtime_addr_of (0), 0, 0);
    check_end (fixture, 4, PV_STACK_END_ROOT);
    fixture->raw.stack_size_bytes = fixture->raw.stack_requested_bytes = 7 * 8 - 1;
    unwind (fixture, runtime_addr_of (0), 0, 0);
    check_end (fixture, 3, PV_STACK_END_DUMP);
    fixture->raw.stack_size_bytes = fixture->raw.stack_requested_bytes = 0;
    unwind (fixture, runtime_addr_of (0), 0, 0);
    check_end (fixture, 1, PV_STACK_END_DUMP);
    /* Shorter than asked for: the stack itself ends there, so the frame is wrong. */
    fixture->raw.stack_size_bytes = 6 * 8;
    fixture->raw.stack_requested_bytes = 8192;
    unwind (fixture, runtime_addr_of (0), 0, 0);
    check_end (fixture, 3, PV_STACK_END_BAD_FRAME);
}

/* --- generated code with rules --- */

enum { JIT_CODE_SIZE = 19, JIT_RULES_SIZE = 48 };

/* The rules of function 1, as JIT compilers write them: the code is at a distance, and ends before
 * them, rounded up to 8 bytes. */
static void
put_rules (GByteArray *out)
{
    static const uint8_t cie[] = {
        0x14,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        1,
        'z',
        'R',
        0,
        1,
        0x78,
        16,
        1,
        DW_EH_PE_pcrel | DW_EH_PE_sdata4,
        DW_CFA_def_cfa,
        7,
        8,
        DW_CFA_offset | 16,
        1,
        0,
        0,
    };
    static const uint8_t instructions[] = {
        0, DW_CFA_def_cfa_offset, 24, DW_CFA_offset | 6, 2, 0, 0, 0,
    };
    const int32_t fde[] = {0x14, 28, -(24 + 32), JIT_CODE_SIZE};
    g_byte_array_append (out, cie, sizeof cie);
    g_byte_array_append (out, (const uint8_t *)fde, sizeof fde);
    g_byte_array_append (out, instructions, sizeof instructions);
}

static void
put_numbers (GByteArray *out, unsigned size, const uint64_t *numbers, size_t n)
{
    for (size_t i = 0; i < n; i++)
        g_byte_array_append (out, (const uint8_t *)&numbers[i], size);
}

#define put(out, size, ...)                                                                        \
    put_numbers (out, size, (const uint64_t[]){__VA_ARGS__},                                       \
                 G_N_ELEMENTS (((const uint64_t[]){__VA_ARGS__})))

/* "f" and its rules, at JIT_ADDR and, moved, 64 bytes later. */
static GByteArray *
make_jitdump (const Fixture *fixture, uint16_t machine)
{
    GByteArray *out = g_byte_array_new ();
    put (out, 4, 0x4A695444, 1, 40, machine, 0, 5);
    put (out, 8, 0, 0);
    put (out, 4, 4, 16 + 24 + JIT_RULES_SIZE + 12);
    put (out, 8, 1, JIT_RULES_SIZE + 12, 12, 64);
    put_rules (out);
    put (out, 4, 0, 0, 0);
    put (out, 4, 0, 16 + 40 + 2 + JIT_CODE_SIZE);
    put (out, 8, 2);
    put (out, 4, 5, 5);
    put (out, 8, JIT_ADDR, JIT_ADDR, JIT_CODE_SIZE, 1);
    g_byte_array_append (out, (const uint8_t *)"f", 2);
    g_byte_array_append (out, fixture->code, JIT_CODE_SIZE);
    put (out, 4, 1, 16 + 48);
    put (out, 8, 3);
    put (out, 4, 5, 5);
    put (out, 8, JIT_ADDR + 64, JIT_ADDR, JIT_ADDR + 64, JIT_CODE_SIZE, 1);
    return out;
}

/* A leaf called by the generated code at an address, and its caller, the root. */
static void
unwind_generated (Fixture *fixture, uint64_t start)
{
    fixture->stack[0] = start + 8;
    fixture->stack[3] = return_addr_of (3);
    unwind (fixture, runtime_addr_of (0) + 2, 0x1234, 0);
    check_frame (fixture, 1, JIT, start + 8, PV_LOCATION_RETURN);
}

static void
check_generated_code (Fixture *fixture, uint16_t machine)
{
    finish (fixture);
    g_autoptr (GByteArray) dump = make_jitdump (fixture, machine);
    g_autofree char *path = NULL;
    int fd = g_file_open_tmp ("jit-XXXXXX", &path, NULL);
    g_assert_cmpint (write (fd, dump->data, dump->len), ==, (ssize_t)dump->len);
    close (fd);
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    PvJitCode *jit = pv_jit_code_new ();
    PvModuleId id = pv_profile_builder_add_module (builder, &fixture->modules[JIT]);
    g_assert_true (
        pv_jit_code_read_dump (jit, path, dump->data, dump->len, &(PvJitClock){0}, false));
    pv_jit_code_set_base_module (jit, builder, id);
    fixture->modules[JIT] = *pv_profile_builder_module (builder, id);
    unwind_generated (fixture, JIT_ADDR);
    check_end (fixture, 3, PV_STACK_END_ROOT);
    check_caller (fixture, 2, 3);
    unwind_generated (fixture, JIT_ADDR + 64);
    check_end (fixture, 3, PV_STACK_END_ROOT);
    /* Between both there is no code, and the frame pointer leads nowhere. */
    unwind_generated (fixture, JIT_ADDR + 32);
    check_end (fixture, 2, PV_STACK_END_NO_RULE);
    /* A dump that is gone, or that is of another run, has no rules. */
    fixture->modules[JIT].code_path = "/nonexistent/jit-5.dump";
    PvUnwinder *others[] = {pv_unwinder_new (fixture->files, 1), fixture->unwinder};
    for (size_t i = 0; i < G_N_ELEMENTS (others); i++) {
        fixture->unwinder = others[i];
        pv_address_space_add (fixture->space, &(PvMapping){1, 2, 0, JIT});
        unwind_generated (fixture, JIT_ADDR);
        check_end (fixture, 2, PV_STACK_END_NO_RULE);
    }
    pv_unwinder_free (others[0]);
    g_assert_true (g_file_set_contents (path, (char *)dump->data, 40, NULL));
    fixture->modules[JIT].code_path = path;
    PvUnwinder *later = pv_unwinder_new (fixture->files, 1);
    fixture->unwinder = later;
    unwind_generated (fixture, JIT_ADDR);
    check_end (fixture, 2, PV_STACK_END_NO_RULE);
    pv_unwinder_free (later);
    fixture->unwinder = others[1];
    g_unlink (path);
    pv_jit_code_free (jit);
}

FIXTURE_TEST (generated_code, fixture)
{
    check_generated_code (fixture, EM_X86_64);
}

/* Python 3.13 leaves the machine out. */
FIXTURE_TEST (generated_code_of_no_machine, fixture)
{
    check_generated_code (fixture, EM_NONE);
}

/* After pop %rbp the rule still says CFA-16, which is below the stack pointer now. */
FIXTURE_TEST (popped_slot, fixture)
{
    FUNCTION (fixture, 4, DW_CFA_offset | 6, 2);
    finish (fixture);
    fixture->stack[0] = return_addr_of (2);
    fixture->stack[5] = return_addr_of (3);
    unwind (fixture, runtime_addr_of (4), stack_addr (4), 0);
    check_end (fixture, 3, PV_STACK_END_ROOT);
    check_caller (fixture, 2, 3);
}

/* The frame must move up. */
FIXTURE_TEST (loops, fixture)
{
    FUNCTION (fixture, 4, DW_CFA_def_cfa_offset, 0);
    FUNCTION (fixture, 5, DW_CFA_def_cfa_expression, 2, DW_OP_breg7, 0);
    finish (fixture);
    fixture->stack[0] = return_addr_of (2);
    unwind (fixture, runtime_addr_of (0), STACK_ADDR - 24, 0);
    check_end (fixture, 2, PV_STACK_END_BAD_FRAME);
    unwind (fixture, runtime_addr_of (4), 0, 0);
    check_end (fixture, 1, PV_STACK_END_BAD_FRAME);
    unwind (fixture, runtime_addr_of (5), 0, 0);
    check_end (fixture, 1, PV_STACK_END_BAD_FRAME);
    for (unsigned i = 0; i < G_N_ELEMENTS (fixture->stack); i++)
        fixture->stack[i] = return_addr_of (0);
    unwind (fixture, runtime_addr_of (0), 0, 0);
    check_end (fixture, PV_UNWIND_MAX_FRAMES, PV_STACK_END_DEPTH);
}

/* A realigned stack: the CFA is what lies below the frame pointer. */
FIXTURE_TEST (expressions, fixture)
{
    FUNCTION (fixture, 4, DW_CFA_def_cfa_expression, 3, DW_OP_breg6, 0x78, DW_OP_deref,
              DW_CFA_expression, 6, 2, DW_OP_breg6, 0);
    /* A PLT entry in its second half. */
    FUNCTION (fixture, 5, DW_CFA_def_cfa_expression, 11, DW_OP_breg7, 8, DW_OP_breg16, 0,
              DW_OP_lit15, DW_OP_and, DW_OP_lit11, DW_OP_ge, DW_OP_lit3, DW_OP_shl, DW_OP_plus);
    /* A constant in the file: this function's own first bytes. */
    FUNCTION (fixture, 6, DW_CFA_def_cfa_expression, 11, DW_OP_breg7, 0, DW_OP_breg16, 0,
              DW_OP_deref_size, 1, DW_OP_plus_uconst, 24, DW_OP_plus, DW_OP_nop, DW_OP_nop);
    fixture->code[6 * 16] = 8;
    finish (fixture);
    fixture->stack[0] = return_addr_of (4);
    fixture->stack[4] = stack_addr (20);
    fixture->stack[5] = stack_addr (30); /* rbp of 2 */
    fixture->stack[19] = return_addr_of (2);
    fixture->stack[31] = return_addr_of (3);
    unwind (fixture, runtime_addr_of (0), stack_addr (5), 0);
    check_end (fixture, 4, PV_STACK_END_ROOT);
    check_caller (fixture, 1, 4);
    check_caller (fixture, 2, 2);

    fixture->stack[0] = 5;
    fixture->stack[1] = return_addr_of (3);
    unwind (fixture, runtime_addr_of (5) + 11, 0, 0);
    check_end (fixture, 2, PV_STACK_END_ROOT);
    fixture->stack[0] = return_addr_of (3);
    unwind (fixture, runtime_addr_of (5) + 6, 0, 0);
    check_end (fixture, 2, PV_STACK_END_ROOT);

    fixture->stack[3] = return_addr_of (3); /* CFA = rsp + 8 + 24 */
    unwind (fixture, runtime_addr_of (6), 0, 0);
    check_end (fixture, 2, PV_STACK_END_ROOT);
}

/* CFA from rbx, as in the dynamic linker's resolver, with a callee that saved rbx in between. */
FIXTURE_TEST (other_register, fixture)
{
    FUNCTION (fixture, 4, DW_CFA_def_cfa, 3, 16);
    FUNCTION (fixture, 5, DW_CFA_def_cfa_offset, 16, DW_CFA_offset | 3, 2);
    finish (fixture);
    unwind (fixture, runtime_addr_of (4), 0, stack_addr (10));
    check_end (fixture, 1, PV_STACK_END_ROOT);
    fixture->stack[11] = return_addr_of (1);
    fixture->stack[14] = return_addr_of (3);
    unwind (fixture, runtime_addr_of (4), 0, stack_addr (10));
    check_end (fixture, 3, PV_STACK_END_ROOT);

    fixture->stack[0] = return_addr_of (5); /* leaf 0, then 5, which saved rbx */
    fixture->stack[1] = stack_addr (10);
    fixture->stack[2] = return_addr_of (4);
    unwind (fixture, runtime_addr_of (0), 0, 1);
    check_end (fixture, 5, PV_STACK_END_ROOT);
    check_caller (fixture, 2, 4);
    check_caller (fixture, 3, 1);
    /* A second one further up starts from where all registers were known last. */
    fixture->stack[14] = return_addr_of (4);
    fixture->stack[1] = stack_addr (10);
    unwind (fixture, runtime_addr_of (0), 0, 1);
    check_end (fixture, 5, PV_STACK_END_BAD_FRAME);
}

FIXTURE_TEST (without_rules, fixture)
{
    memset (fixture->code + 0x200, 0x90, sizeof fixture->code - 0x200); /* no calls from 32 on */
    finish (fixture);
    uint64_t nowhere = LOAD_ADDR + TINY_ELF_TEXT + 0x700;
    unwind (fixture, nowhere, 0, 0);
    check_end (fixture, 1, PV_STACK_END_NO_RULE);
    /* A leaf that has pushed nothing yet. */
    fixture->stack[0] = return_addr_of (3);
    unwind (fixture, nowhere, 0, 0);
    check_end (fixture, 2, PV_STACK_END_ROOT);
    /* No call ends there, so it is not believed ... */
    fixture->stack[0] = LOAD_ADDR + TINY_ELF_TEXT + 0x300;
    unwind (fixture, nowhere, 0, 0);
    check_end (fixture, 1, PV_STACK_END_NO_RULE);
    /* ... but the frame pointer is, if it is aligned and points into the dump. */
    fixture->stack[4] = stack_addr (8);
    fixture->stack[5] = return_addr_of (2);
    fixture->stack[9] = return_addr_of (3);
    unwind (fixture, nowhere, stack_addr (4), 0);
    check_end (fixture, 3, PV_STACK_END_ROOT);
    unwind (fixture, nowhere, stack_addr (4) + 1, 0);
    check_end (fixture, 1, PV_STACK_END_NO_RULE);
    fixture->stack[5] = 0x1234;
    unwind (fixture, nowhere, stack_addr (4), 0);
    check_end (fixture, 1, PV_STACK_END_NO_RULE);
}

static uint64_t
code_addr (unsigned code_offset)
{
    return LOAD_ADDR + TINY_ELF_TEXT + code_offset;
}

static void
check_plt_entry (Fixture *fixture, unsigned offset, unsigned n_words)
{
    memset (fixture->stack, 0, 32);
    fixture->stack[n_words] = return_addr_of (3);
    unwind (fixture, code_addr (TINY_ELF_PLT + offset), 0, 0);
    check_end (fixture, 2, PV_STACK_END_ROOT);
}

/* A linkage table that no rules describe, as lld leaves it. */
TEST (plt_entries)
{
    static const struct {
        unsigned offset, n_words;
    } cases[] = {{0, 1}, {5, 1}, {6, 2}, {15, 2}, {16, 0}, {22, 0}, {27, 1}, {48, 0}, {59, 1}};
    static const uint8_t push[] = {0xff, 0x35};
    Fixture fixture;
    begin (&fixture, EM_X86_64);
    add_usual_functions (&fixture);
    memcpy (fixture.code + TINY_ELF_PLT, push, sizeof push);
    finish (&fixture);
    for (unsigned i = 0; i < G_N_ELEMENTS (cases); i++)
        check_plt_entry (&fixture, cases[i].offset, cases[i].n_words);
    clear (&fixture);
    /* In a static program no entry calls the dynamic linker. */
    begin (&fixture, EM_X86_64);
    add_usual_functions (&fixture);
    finish (&fixture);
    check_plt_entry (&fixture, 0, 0);
    check_plt_entry (&fixture, 6, 0);
    check_plt_entry (&fixture, 27, 0);
    clear (&fixture);
}

static void
check_plt_entry_aarch64 (Fixture *fixture, unsigned offset, unsigned n_pushed_words)
{
    memset (fixture->stack, 0, 64);
    fixture->stack[n_pushed_words + 1] = return_addr_of (3);
    unwind (fixture, code_addr (TINY_ELF_PLT + offset), 0, return_addr_of (1));
    check_end (fixture, 3, PV_STACK_END_ROOT);
}

/* The return address stays in x30, but the first PLT entry moves the stack pointer. */
TEST (plt_entries_aarch64)
{
    static const uint8_t push[] = {0x5f, 0x24, 0x03, 0xd5, 0xf0, 0x7b, 0xbf, 0xa9};
    Fixture fixture;
    for (unsigned is_static = 0; is_static <= 1; is_static++) {
        begin (&fixture, EM_AARCH64);
        FUNCTION (&fixture, 1, DW_CFA_def_cfa_offset, 16, DW_CFA_offset | 29, 2, DW_CFA_offset | 30,
                  1);
        FUNCTION (&fixture, 3, DW_CFA_undefined, 30);
        if (!is_static)
            memcpy (fixture.code + TINY_ELF_PLT, push, sizeof push);
        finish (&fixture);
        check_plt_entry_aarch64 (&fixture, 0, 0);
        check_plt_entry_aarch64 (&fixture, 8, is_static ? 0 : 2);
        check_plt_entry_aarch64 (&fixture, 28, is_static ? 0 : 2);
        check_plt_entry_aarch64 (&fixture, 32, 0);
        clear (&fixture);
    }
}

FIXTURE_TEST (known_places, fixture)
{
    finish (fixture);
    /* .init before and after it moved the stack pointer, and as a caller. */
    fixture->stack[0] = return_addr_of (3);
    unwind (fixture, code_addr (TINY_ELF_INIT), 0, 0);
    check_end (fixture, 2, PV_STACK_END_ROOT);
    fixture->stack[0] = 0;
    fixture->stack[1] = return_addr_of (3);
    unwind (fixture, code_addr (TINY_ELF_INIT + 4), 0, 0);
    check_end (fixture, 2, PV_STACK_END_ROOT);
    fixture->stack[0] = code_addr (TINY_ELF_INIT + 8);
    fixture->stack[1] = 0;
    fixture->stack[2] = return_addr_of (3);
    unwind (fixture, runtime_addr_of (0), 0, 0);
    check_end (fixture, 3, PV_STACK_END_ROOT);
    /* Where the program begins nothing called. */
    fixture->stack[0] = code_addr (TINY_ELF_ENTRY + 8);
    unwind (fixture, runtime_addr_of (0), 0, 0);
    check_end (fixture, 2, PV_STACK_END_ROOT);
}

FIXTURE_TEST (jit_and_missing, fixture)
{
    finish (fixture);
    fixture->stack[4] = stack_addr (8);
    fixture->stack[5] = JIT_ADDR + 0x200;
    fixture->stack[8] = 0;
    fixture->stack[9] = return_addr_of (3);
    unwind (fixture, JIT_ADDR + 0x100, stack_addr (4), 0);
    check_end (fixture, 3, PV_STACK_END_ROOT);
    check_frame (fixture, 0, JIT, JIT_ADDR + 0x100, PV_LOCATION_EXACT);
    check_frame (fixture, 1, JIT, JIT_ADDR + 0x200, PV_LOCATION_RETURN);
    /* A frame pointer of 0 is the outermost frame's mark. */
    fixture->stack[9] = JIT_ADDR + 0x300;
    unwind (fixture, JIT_ADDR + 0x100, stack_addr (4), 0);
    check_end (fixture, 3, PV_STACK_END_ROOT);
    unwind (fixture, GONE_ADDR + 0x100, stack_addr (4), 0);
    check_end (fixture, 1, PV_STACK_END_NO_BINARY);
    check_frame (fixture, 0, MISSING, 0x100, PV_LOCATION_EXACT);
    /* Called through a null pointer. */
    fixture->stack[0] = return_addr_of (3);
    unwind (fixture, 0, 0, 0);
    check_end (fixture, 2, PV_STACK_END_ROOT);
    check_frame (fixture, 0, 0, 0, PV_LOCATION_EXACT);
}

FIXTURE_TEST (signal_x86_64, fixture)
{
    static const uint8_t code[] = {0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05};
    memcpy (fixture->code + 8 * 16, code, sizeof code);
    finish (fixture);
    fixture->stack[0] = runtime_addr_of (8);           /* the handler returns to the trampoline */
    fixture->stack[1 + 120 / 8] = stack_addr (60);     /* rbp */
    fixture->stack[1 + 160 / 8] = stack_addr (50);     /* rsp */
    fixture->stack[1 + 168 / 8] = runtime_addr_of (2); /* rip */
    fixture->stack[61] = return_addr_of (3);
    unwind (fixture, runtime_addr_of (0), 0, 0);
    check_end (fixture, 4, PV_STACK_END_ROOT);
    check_frame (fixture, 1, MODULE, TINY_ELF_TEXT + 8 * 16, PV_LOCATION_EXACT);
    check_frame (fixture, 2, MODULE, TINY_ELF_TEXT + 2 * 16, PV_LOCATION_EXACT);
    /* On an alternate stack: what was interrupted is known, its stack was not copied. */
    fixture->stack[1 + 160 / 8] = STACK_ADDR - 0x100000;
    fixture->stack[1 + 168 / 8] = runtime_addr_of (0);
    unwind (fixture, runtime_addr_of (0), 0, 0);
    check_end (fixture, 3, PV_STACK_END_OTHER_STACK);
    /* On the same stack, but not far enough copied. */
    fixture->raw.stack_size_bytes = fixture->raw.stack_requested_bytes = 40 * 8;
    fixture->stack[1 + 160 / 8] = stack_addr (50);
    unwind (fixture, runtime_addr_of (0), 0, 0);
    check_end (fixture, 3, PV_STACK_END_DUMP);
    fixture->raw.stack_size_bytes = fixture->raw.stack_requested_bytes = sizeof fixture->stack;
    /* In the system call itself. */
    fixture->stack[160 / 8] = stack_addr (50);
    fixture->stack[168 / 8] = runtime_addr_of (3);
    unwind (fixture, runtime_addr_of (8) + 9, 0, 0);
    check_end (fixture, 2, PV_STACK_END_ROOT);
}

TEST (aarch64)
{
    static const uint8_t trampoline[] = {0x68, 0x11, 0x80, 0xd2, 0x01, 0, 0, 0xd4};
    g_auto (Fixture) fixture;
    begin (&fixture, EM_AARCH64);
    FUNCTION (&fixture, 0, DW_CFA_nop);
    FUNCTION (&fixture, 1, DW_CFA_def_cfa_offset, 32, DW_CFA_offset | 29, 4, DW_CFA_offset | 30, 3);
    FUNCTION (&fixture, 2, DW_CFA_def_cfa, 29, 16, DW_CFA_offset | 29, 2, DW_CFA_offset | 30, 1);
    FUNCTION (&fixture, 3, DW_CFA_undefined, 30);
    memcpy (fixture.code + 8 * 16, trampoline, sizeof trampoline);
    finish (&fixture);
    fixture.stack[0] = stack_addr (8);
    fixture.stack[1] = return_addr_of (2) | (uint64_t)0x2a << 48; /* signed */
    fixture.stack[9] = return_addr_of (3);
    unwind (&fixture, runtime_addr_of (0), 0, return_addr_of (1));
    check_end (&fixture, 4, PV_STACK_END_ROOT);
    check_caller (&fixture, 1, 1);
    check_caller (&fixture, 2, 2);
    check_caller (&fixture, 3, 3);
    /* A caller cannot have its return address in the link register. */
    unwind (&fixture, runtime_addr_of (0), 0, return_addr_of (0));
    check_end (&fixture, 2, PV_STACK_END_BAD_FRAME);

    fixture.stack[(312 + 29 * 8) / 8] = stack_addr (100);
    fixture.stack[(312 + 30 * 8) / 8] = return_addr_of (2);
    fixture.stack[(312 + 31 * 8) / 8] = stack_addr (90);
    fixture.stack[(312 + 32 * 8) / 8] = runtime_addr_of (0) + 4;
    fixture.stack[101] = return_addr_of (3);
    unwind (&fixture, runtime_addr_of (0), 0, runtime_addr_of (8));
    check_end (&fixture, 5, PV_STACK_END_ROOT);
    check_frame (&fixture, 2, MODULE, TINY_ELF_TEXT + 4, PV_LOCATION_EXACT);
    check_caller (&fixture, 3, 2);

    /* With nothing but the link register, as it comes with chains of frame pointers, there is a
     * caller exactly where the register still holds the return address. */
    for (unsigned function = 0; function < 3; function++) {
        const uint64_t bare[] = {return_addr_of (1), 0, runtime_addr_of (function)};
        fixture.raw.registers = bare;
        fixture.raw.register_mask = UINT64_C (7) << 30;
        fixture.raw.stack_size_bytes = 0;
        pv_unwinder_unwind (fixture.unwinder, PV_ARCH_AARCH64, fixture.modules, &fixture.raw, 1,
                            &fixture.result, NULL);
        g_assert_cmpuint (fixture.result.n_frames, ==, function == 0 ? 2 : 1);
        if (function == 0)
            check_caller (&fixture, 1, 1);
    }
}

FIXTURE_TEST (job_and_arch, fixture)
{
    finish (fixture);
    g_autoptr (PvJob) job = pv_job_new ();
    fixture->stack[0] = return_addr_of (3);
    unwind (fixture, runtime_addr_of (0), 0, 0);
    check_end (fixture, 2, PV_STACK_END_ROOT);
    pv_job_cancel (job);
    pv_unwinder_unwind (fixture->unwinder, PV_ARCH_X86_64, fixture->modules, &fixture->raw, 1,
                        &fixture->result, job);
    check_end (fixture, 0, PV_STACK_END_UNKNOWN);
    pv_unwinder_unwind (fixture->unwinder, PV_ARCH_ARM, fixture->modules, &fixture->raw, 1,
                        &fixture->result, NULL);
    check_end (fixture, 0, PV_STACK_END_NO_RULE);
    fixture->raw.register_mask = 1;
    pv_unwinder_unwind (fixture->unwinder, PV_ARCH_X86_64, fixture->modules, &fixture->raw, 1,
                        &fixture->result, NULL);
    check_end (fixture, 0, PV_STACK_END_NOT_RECORDED);
}

/* ThreadSanitizer delivers signals late and from frames of its own. */
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define HAS_LATE_SIGNALS
#endif
#elif defined(__SANITIZE_THREAD__)
#define HAS_LATE_SIGNALS
#endif

#if defined(__x86_64__) && !defined(HAS_LATE_SIGNALS)

/* This program's own stack, copied in a signal handler that interrupts a comparison function called
 * by the C library's sort. */
typedef struct {
    uint64_t registers[24];
    uint64_t handler_registers[24];
    uint8_t stack[32 * 1024];
    uint8_t handler_stack[32 * 1024];
    size_t size, handler_size;
    void *expected[64];
    int n_expected;
    bool is_done;
} Capture;

static Capture capture;

static void
copy_registers (uint64_t *registers, const ucontext_t *context)
{
    static const int order[24] = {REG_RAX, REG_RBX, REG_RCX, REG_RDX, REG_RSI, REG_RDI,
                                  REG_RBP, REG_RSP, REG_RIP, -1,      -1,      -1,
                                  -1,      -1,      -1,      -1,      REG_R8,  REG_R9,
                                  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};
    for (unsigned i = 0; i < 24; i++)
        registers[i] = order[i] >= 0 ? (uint64_t)context->uc_mcontext.gregs[order[i]] : 0;
}

/* Reads words beyond any object on purpose. */
__attribute__ ((no_sanitize_address, noinline)) static size_t
copy_stack (uint8_t *to, uint64_t from, uint64_t end)
{
    size_t size = MIN (sizeof capture.stack, end - from);
    for (size_t i = 0; i < size; i += 8)
        *(uint64_t *)(void *)(to + i) = *(const uint64_t *)(from + i);
    return size;
}

static uint64_t stack_end;

static void
handle_signal (int signal_number, siginfo_t *info, void *context_)
{
    const ucontext_t *context = context_;
    ucontext_t here;
    copy_registers (capture.registers, context);
    capture.size = copy_stack (capture.stack, capture.registers[7], stack_end);
    getcontext (&here);
    capture.n_expected = backtrace (capture.expected, 64);
    copy_registers (capture.handler_registers, &here);
    capture.handler_size =
        copy_stack (capture.handler_stack, capture.handler_registers[7], stack_end);
}

__attribute__ ((noinline)) static int
compare_and_interrupt (const void *a, const void *b)
{
    if (!capture.is_done) {
        capture.is_done = true;
        raise (SIGUSR1);
    }
    return *(const int *)a - *(const int *)b;
}

__attribute__ ((noinline)) static int
recurse (unsigned depth, const int *values)
{
    volatile char *room = __builtin_alloca (depth * 16 + 1);
    room[0] = 1;
    if (depth > 0)
        return recurse (depth - 1, values) + room[0];
    int copy[50];
    memcpy (copy, values, sizeof copy);
    qsort (copy, 50, sizeof *copy, compare_and_interrupt);
    return copy[0];
}

/* The mappings with code, and where the main thread's stack ends. */
static void
read_mappings (PvAddressSpace *space, PvModule *modules, char paths[][256], uint32_t *n_modules)
{
    FILE *file = fopen ("/proc/self/maps", "r");
    char line[512], rights[8];
    g_assert_nonnull (file);
    while (fgets (line, sizeof line, file) != NULL) {
        unsigned long start, end, offset;
        char path[256] = "";
        sscanf (line, "%lx-%lx %7s %lx %*s %*s %255[^\n]", &start, &end, rights, &offset, path);
        if (strcmp (path, "[stack]") == 0)
            stack_end = end;
        if (rights[2] != 'x' || *n_modules == 64 || path[0] != '/')
            continue;
        strcpy (paths[*n_modules], path);
        modules[*n_modules] =
            (PvModule){.path = paths[*n_modules], .name = "", .kind = PV_MODULE_FILE};
        PvMapping mapping = {start, end, offset, *n_modules};
        pv_address_space_add (space, &mapping);
        (*n_modules)++;
    }
    fclose (file);
}

static bool
is_same_frame (const PvAddressSpace *space, const PvRawFrame *frame, const void *expected)
{
    const PvMapping *mapping = pv_address_space_find (space, (uintptr_t)expected);
    return mapping != NULL && frame->module == mapping->module &&
           frame->address == (uintptr_t)expected - mapping->start + mapping->file_offset;
}

static void
check_own (const PvAddressSpace *space, const PvRawResult *result, unsigned first_ours,
           int first_theirs)
{
    unsigned ours = first_ours;
    for (int i = first_theirs; i < capture.n_expected; i++, ours++) {
        g_assert_cmpuint (ours, <, result->n_frames);
        g_assert_true (is_same_frame (space, &result->frames[ours], capture.expected[i]));
    }
    g_assert_cmpuint (ours, ==, result->n_frames);
    g_assert_cmpint (result->end, ==, PV_STACK_END_ROOT);
}

TEST (own_stack)
{
    static PvModule modules[64];
    static char paths[64][256];
    uint32_t n_modules = 1;
    int values[50];
    for (int i = 0; i < 50; i++)
        values[i] = i * 7 % 50;
    void *warm[2];
    backtrace (warm, 2); /* loads the C library's unwinder */
    g_autoptr (PvAddressSpace) space = pv_address_space_new ();
    modules[0] = (PvModule){.path = "", .name = ""};
    read_mappings (space, modules, paths, &n_modules);
    struct sigaction action = {.sa_sigaction = handle_signal, .sa_flags = SA_SIGINFO};
    sigaction (SIGUSR1, &action, NULL);
    recurse (10, values);
    g_assert_true (capture.is_done);
    g_assert_cmpint (capture.n_expected, >, 12);

    PvSymbolOptions options = {0};
    g_autoptr (PvModuleFiles) files = pv_module_files_new (&options);
    g_autoptr (PvUnwinder) unwinder = pv_unwinder_new (files, 1);
    PvRawStack stacks[2] = {
        {space, capture.registers, 0xff01ff, capture.stack, (uint32_t)capture.size,
         sizeof capture.stack, false},
        {space, capture.handler_registers, 0xff01ff, capture.handler_stack,
         (uint32_t)capture.handler_size, sizeof capture.handler_stack, false},
    };
    PvRawResult results[2];
    pv_unwinder_unwind (unwinder, PV_ARCH_X86_64, modules, stacks, 2, results, NULL);
    /* Both begin in the handler, at different places (and a sanitizer's backtrace () in a frame of
     * its own); the trampoline is what they have in common first. */
    g_assert_cmpuint (results[1].n_frames, >, 2);
    int trampoline = 0;
    while (trampoline < capture.n_expected &&
           !is_same_frame (space, &results[1].frames[1], capture.expected[trampoline]))
        trampoline++;
    g_assert_cmpint (trampoline, <, 4);
    check_own (space, &results[1], 1, trampoline);
    g_assert_cmpint (results[1].frames[2].kind, ==, PV_LOCATION_EXACT);
    check_own (space, &results[0], 0, trampoline + 1);
}

#endif

TESTS_MAIN (argc, argv)
{
    pv_test_init (argc, argv);
#if defined(__x86_64__) && !defined(HAS_LATE_SIGNALS)
#endif
    return g_test_run ();
}
