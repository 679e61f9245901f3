/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Programs with Go's tables of all four layouts, made by hand: their rows, and stacks over them. */
#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../cases.h"
#include "../symbolize/elf-maker.h"
#include "core/symbolize/unwind/cfi-table.h"
#include "core/symbolize/unwind/unwinder.h"

#define TEXT_ADDR  0x1000
#define TABLE_ADDR 0x4000
#define LOAD_ADDR  0x7f0000000000u
#define STACK_ADDR 0x7ffff0000000u

typedef enum { GO_1_2, GO_1_16, GO_1_18, GO_1_20, N_VERSIONS } Version;
enum { IS_TOP = 1, WRITES_SP = 2 };

/* Functions of 64 bytes each: the frame has `size` bytes in [from, to). */
typedef struct {
    const char *name;
    uint8_t flags; /* since Go 1.17 */
    uint8_t from, to;
    uint16_t size;
    uint8_t code_at;
    uint8_t code_size;
    uint8_t code[20];
} GoFunction;

enum { PLAIN, PUSHING, BARE, GOEXIT, SYSTEMSTACK, NANOTIME, PREEMPT, MARKED, N_FUNCTIONS };

static const GoFunction functions_x86_64[N_FUNCTIONS] = {
    /* sub $24,%rsp; mov %rbp,16(%rsp) */
    [PLAIN] = {"main.plain", 0, 4, 0x30, 24, 4, 5, {0x48, 0x89, 0x6c, 0x24, 0x10}},
    [PUSHING] = {"main.pushing", 0, 1, 0x30, 8, 0, 1, {0x55}},
    [BARE] = {"main.bare", 0, 4, 0x30, 32, 0, 0, {0}},
    [GOEXIT] = {"runtime.goexit", IS_TOP, 0, 0, 0, 0, 0, {0}},
    /* mov 0x38(%rdx),%rsp; ...; mov 0x38(%rax),%rsp */
    [SYSTEMSTACK] = {"runtime.systemstack", WRITES_SP, 0, 0, 0, 0x10, 20, {0x48, 0x8b, 0x62, 0x38,
                                                                           0x90, 0x90, 0x90, 0x90,
                                                                           0x90, 0x90, 0x90, 0x90,
                                                                           0x90, 0x90, 0x90, 0x90,
                                                                           0x48, 0x8b, 0x60, 0x38}},
    /* mov %rsp,%r12; mov 0x38(%rdx),%rsp; and $-16,%rsp; ...; mov %r12,%rsp */
    [NANOTIME] = {"runtime.nanotime1",
                  WRITES_SP,
                  1,
                  0x3f,
                  16,
                  4,
                  18,
                  {0x49, 0x89, 0xe4, 0x48, 0x8b, 0x62, 0x38, 0x48, 0x83, 0xe4, 0xf0, 0x90, 0x90,
                   0x90, 0x90, 0x4c, 0x89, 0xe4}},
    [PREEMPT] = {"runtime.asyncPreempt", 0, 1, 0x30, 8, 0, 1, {0x55}},
    [MARKED] = {"other.top", IS_TOP, 0, 0, 0, 0, 0, {0}},
};

static const GoFunction functions_aarch64[N_FUNCTIONS] = {
    [PLAIN] = {"main.plain", 0, 4, 0x30, 32, 0, 0, {0}},
    [PUSHING] = {"main.pushing", 0, 4, 0x30, 16, 0, 0, {0}},
    [BARE] = {"main.bare", 0, 0, 0, 0, 0, 0, {0}},
    [GOEXIT] = {"runtime.goexit", IS_TOP, 0, 0, 0, 0, 0, {0}},
    /* mov sp,x0; nop; nop; nop; mov sp,x3 */
    [SYSTEMSTACK] =
        {"runtime.systemstack", WRITES_SP, 4, 0x3c, 16, 0x10, 20, {0x1f, 0x00, 0x00, 0x91, 0x1f,
                                                                   0x20, 0x03, 0xd5, 0x1f, 0x20,
                                                                   0x03, 0xd5, 0x1f, 0x20, 0x03,
                                                                   0xd5, 0x7f, 0x00, 0x00, 0x91}},
    /* mov x20,sp; mov sp,x1; nop; nop; mov sp,x20 */
    [NANOTIME] = {"runtime.nanotime1", WRITES_SP, 4, 0x3c, 16, 4, 20, {0xf4, 0x03, 0x00, 0x91,
                                                                       0x3f, 0x00, 0x00, 0x91,
                                                                       0x1f, 0x20, 0x03, 0xd5,
                                                                       0x1f, 0x20, 0x03, 0xd5,
                                                                       0x9f, 0x02, 0x00, 0x91}},
    [PREEMPT] = {"runtime.asyncPreempt", 0, 4, 0x30, 16, 0, 0, {0}},
    [MARKED] = {"other.top", IS_TOP, 0, 0, 0, 0, 0, {0}},
};

static const ElfMaker *order; /* only for its byte order */

static void
put (GByteArray *bytes, uint64_t value, unsigned size)
{
    elf_maker_put (order, bytes, value, size);
}

#define put_all(bytes, size, ...) elf_maker_put_all (order, bytes, size, __VA_ARGS__)

static void
put_at (GByteArray *bytes, uint32_t offset, uint64_t value, unsigned size)
{
    memcpy (bytes->data + offset, &value, size);
}

/* Pairs (zigzag difference from -1 on, length in quanta). */
static void
put_sizes (GByteArray *bytes, const GoFunction *function, unsigned quantum)
{
    unsigned first = function->size > 0 ? function->from : 64;
    put (bytes, 2, 1); /* -1 to 0 */
    put (bytes, first / quantum, 1);
    if (function->size > 0) {
        put_all (bytes, 1, function->size * 2, (unsigned)(function->to - function->from) / quantum,
                 function->size * 2 - 1, (64u - function->to) / quantum);
    }
    put (bytes, 0, 1);
}

/* The function's record; offsets count from the sub-tables, or in the oldest layout from the
 * table's start. */
static void
put_record (GByteArray *table, Version version, unsigned i, uint32_t name, uint32_t program,
            uint8_t flags)
{
    if (version >= GO_1_18)
        put (table, i * 64, 4);
    else
        put (table, TEXT_ADDR + i * 64, 8);
    put (table, name, 4);
    put (table, 0, 8); /* args, deferreturn */
    put (table, program, 4);
    put (table, 0, 4 * (version == GO_1_2 ? 3 : 4)); /* file, line, tables, unit */
    if (version == GO_1_20)
        put (table, 0, 4);
    put_all (table, 1, 0, version >= GO_1_16 ? flags : 0);
    put (table, 0, 2);
}

static GByteArray *
make_table (Version version, const GoFunction *functions, unsigned quantum)
{
    static const uint32_t magics[] = {0xfffffffb, 0xfffffffa, 0xfffffff0, 0xfffffff1};
    unsigned pair = version >= GO_1_18 ? 4 : 8;
    uint32_t names[N_FUNCTIONS], programs[N_FUNCTIONS], places[5] = {0};
    GByteArray *table = g_byte_array_new ();
    put_all (table, 4, magics[version], 0x08000000 | quantum << 16);
    put (table, N_FUNCTIONS, 8);
    uint32_t fields = table->len;
    if (version != GO_1_2) {
        put (table, 0, 8);
        if (version >= GO_1_18)
            put (table, TEXT_ADDR, 8);
        fields = table->len;
        for (unsigned i = 0; i < 5; i++)
            put (table, 0, 8);
        put (table, 0, 1);
    }
    uint32_t functions_at = table->len; /* of the oldest layout: right here */
    uint32_t size = (2 * N_FUNCTIONS + 1) * pair + 4;
    if (version == GO_1_2) {
        while (table->len < functions_at + size)
            put (table, 0, 1);
        put_at (table, table->len - 4, table->len, 4); /* files */
        put (table, 1, 4);
    }
    places[0] = version == GO_1_2 ? 0 : table->len;
    for (unsigned i = 0; i < N_FUNCTIONS; i++) {
        names[i] = table->len - places[0];
        g_byte_array_append (table, (const guint8 *)functions[i].name,
                             (guint)strlen (functions[i].name) + 1);
    }
    places[3] = version == GO_1_2 ? 0 : table->len;
    put (table, 0, 1);
    for (unsigned i = 0; i < N_FUNCTIONS; i++) {
        programs[i] = table->len - places[3];
        put_sizes (table, &functions[i], quantum);
    }
    while (table->len % 8 != 0)
        put (table, 0, 1);
    if (version != GO_1_2) {
        places[4] = functions_at = table->len;
        while (table->len < functions_at + size)
            put (table, 0, 1);
    }
    for (unsigned i = 0; i <= N_FUNCTIONS; i++) {
        put_at (table, functions_at + 2 * i * pair, i * 64 + (version >= GO_1_18 ? 0 : TEXT_ADDR),
                pair);
        if (i == N_FUNCTIONS)
            break;
        put_at (table, functions_at + (2 * i + 1) * pair,
                version == GO_1_2 ? table->len : table->len - functions_at, pair);
        put_record (table, version, i, names[i], programs[i], functions[i].flags);
    }
    for (unsigned i = 0; version != GO_1_2 && i < 5; i++)
        put_at (table, fields + i * 8, places[i], 8);
    return table;
}

static ElfMaker *
make_program (Version version, uint16_t machine)
{
    const GoFunction *functions = machine == EM_X86_64 ? functions_x86_64 : functions_aarch64;
    ElfMaker *maker = elf_maker_new (true, false, ET_DYN, machine);
    uint8_t code[N_FUNCTIONS * 64];
    order = maker;
    memset (code, 0x90, sizeof code);
    for (unsigned i = 0; i < N_FUNCTIONS; i++)
        memcpy (code + i * 64 + functions[i].code_at, functions[i].code, functions[i].code_size);
    g_autoptr (GByteArray) table = make_table (version, functions, machine == EM_X86_64 ? 1 : 4);
    MakerSection text = {.name = ".text",
                         .type = SHT_PROGBITS,
                         .flags = SHF_ALLOC | SHF_EXECINSTR,
                         .addr = TEXT_ADDR,
                         .data = code,
                         .size_bytes = sizeof code};
    MakerSection lines = {.name = ".gopclntab",
                          .type = SHT_PROGBITS,
                          .flags = SHF_ALLOC,
                          .addr = TABLE_ADDR,
                          .data = table->data,
                          .size_bytes = table->len};
    elf_maker_load (maker, elf_maker_section (maker, text), true);
    elf_maker_load (maker, elf_maker_section (maker, lines), false);
    return maker;
}

static PvElfImage *
open_program (Version version, uint16_t machine)
{
    g_autoptr (ElfMaker) maker = make_program (version, machine);
    size_t size_bytes;
    uint8_t *data = elf_maker_finish (maker, &size_bytes);
    g_autoptr (PvMappedFile) file = pv_mapped_file_new_take (data, size_bytes);
    PvElfImage *image = pv_elf_image_new (file, "go", NULL);
    g_assert_nonnull (image);
    return image;
}

/* Rows */

static const PvUnwindRow *
row_at (const PvCfiTable *table, unsigned function, unsigned offset)
{
    return pv_cfi_table_find (table, TEXT_ADDR + function * 64 + offset);
}

static void
check_plain (const PvCfiTable *table, unsigned function, unsigned offset, unsigned words, int frame)
{
    const PvUnwindRow *row = row_at (table, function, offset);
    g_assert_cmpint (pv_unwind_row_kind (row), ==, PV_UNWIND_SP);
    g_assert_cmpuint (row->cfa >> 2, ==, words);
    g_assert_cmpint (row->frame, ==, frame);
}

static void
check_other (const PvCfiTable *table, unsigned function, unsigned offset, PvUnwindOther other)
{
    const PvUnwindRow *row = row_at (table, function, offset);
    g_assert_cmpint (pv_unwind_row_kind (row), ==, PV_UNWIND_OTHER);
    g_assert_cmpuint (row->cfa >> 2, ==, other);
}

static void
check_full (const PvCfiTable *table, unsigned function, unsigned offset, unsigned cfa_register,
            int64_t cfa_value)
{
    PvCfiRules rules;
    g_assert_cmpint (pv_unwind_row_kind (row_at (table, function, offset)), ==, PV_UNWIND_FULL);
    g_assert_true (pv_cfi_table_find_rules (table, TEXT_ADDR + function * 64 + offset, &rules));
    g_assert_cmpuint (rules.row.cfa_register, ==, cfa_register);
    g_assert_cmpint (rules.row.cfa.value, ==, cfa_value);
    g_assert_cmpint (rules.may_switch_stack, ==, function == NANOTIME);
    g_assert_cmpint (rules.is_signal, ==, function == PREEMPT);
}

TEST (x86_64)
{
    for (Version version = GO_1_2; version < N_VERSIONS; version++) {
        g_autoptr (PvElfImage) image = open_program (version, EM_X86_64);
        g_autoptr (PvCfiTable) table = pv_cfi_table_new_for_image (image, NULL);
        check_plain (table, PLAIN, 3, 1, 0);
        check_plain (table, PLAIN, 4, 4, 0); /* rbp not stored yet */
        check_plain (table, PLAIN, 9, 4, -2);
        check_plain (table, PLAIN, 0x2f, 4, -2);
        check_plain (table, PLAIN, 0x30, 1, 0);
        check_plain (table, PUSHING, 1, 2, -2);
        check_plain (table, BARE, 0x10, 5, 0);
        check_other (table, GOEXIT, 0, PV_UNWIND_ROOT);
        check_plain (table, SYSTEMSTACK, 0x13, 1, 0);
        check_other (table, SYSTEMSTACK, 0x14, PV_UNWIND_AWAY);
        check_plain (table, SYSTEMSTACK, 0x24, 1, 0);
        check_plain (table, NANOTIME, 7, 3, 0);
        check_full (table, NANOTIME, 0xb, 12, 24);
        check_full (table, NANOTIME, 0xf, 12, 24);
        check_plain (table, NANOTIME, 0x16, 3, 0);
        check_full (table, PREEMPT, 8, 7, 16);
        check_other (table, N_FUNCTIONS, 0, PV_UNWIND_NONE);
        if (version != GO_1_2) /* only the mark says so */
            check_other (table, MARKED, 0, PV_UNWIND_ROOT);
        else
            check_plain (table, MARKED, 0, 1, 0);
    }
}

TEST (aarch64)
{
    g_autoptr (PvElfImage) image = open_program (GO_1_18, EM_AARCH64);
    g_autoptr (PvCfiTable) table = pv_cfi_table_new_for_image (image, NULL);
    check_plain (table, PLAIN, 0, 0, PV_UNWIND_LEAF);
    check_plain (table, PLAIN, 4, 4, PV_UNWIND_RECORD | 5 << 2);
    check_plain (table, BARE, 8, 0, PV_UNWIND_LEAF);
    check_other (table, GOEXIT, 0, PV_UNWIND_ROOT);
    check_plain (table, SYSTEMSTACK, 0x10, 2, PV_UNWIND_LINK | 2 << 2);
    check_other (table, SYSTEMSTACK, 0x14, PV_UNWIND_AWAY);
    check_plain (table, SYSTEMSTACK, 0x24, 2, PV_UNWIND_LINK | 2 << 2);
    check_full (table, NANOTIME, 0xc, 20, 16);
}

/* A table cut off or changed anywhere gives fewer rows, not a crash. */
TEST (damaged)
{
    for (Version version = GO_1_2; version < N_VERSIONS; version++) {
        g_autoptr (ElfMaker) maker = make_program (version, EM_X86_64);
        size_t size_bytes;
        g_autofree uint8_t *data = elf_maker_finish (maker, &size_bytes);
        for (size_t i = 0; i < size_bytes; i++) {
            uint8_t *copy = g_memdup2 (data, size_bytes);
            copy[i] ^= (uint8_t)(1 << i % 8);
            g_autoptr (PvMappedFile) file = pv_mapped_file_new_take (copy, size_bytes);
            g_autoptr (PvElfImage) image = pv_elf_image_new (file, "go", NULL);
            if (image == NULL)
                continue;
            g_autoptr (PvCfiTable) table = pv_cfi_table_new_for_image (image, NULL);
            PvCfiRules rules;
            for (uint64_t addr = TEXT_ADDR; table != NULL && addr < TEXT_ADDR + 0x200; addr += 3)
                pv_cfi_table_find_rules (table, addr, &rules);
        }
    }
}

/* Stacks */

typedef struct {
    char *path;
    PvModule modules[2];
    PvAddressSpace *space;
    PvModuleFiles *files;
    PvUnwinder *unwinder;
    uint64_t registers[24];
    uint64_t stack[64];
    PvRawResult result;
} Fixture;

static void
begin (Fixture *fixture)
{
    memset (fixture, 0, sizeof *fixture);
    g_autoptr (ElfMaker) maker = make_program (GO_1_20, EM_X86_64);
    int fd = g_file_open_tmp ("go-rows-XXXXXX", &fixture->path, NULL);
    g_assert_cmpint (fd, >=, 0);
    close (fd);
    elf_maker_write (maker, fixture->path);
    fixture->modules[0] = (PvModule){.path = "", .name = ""};
    fixture->modules[1] = (PvModule){.path = fixture->path, .name = "", .kind = PV_MODULE_FILE};
    g_autoptr (PvElfImage) image = open_program (GO_1_20, EM_X86_64);
    const PvElfSegment *segments;
    g_assert_cmpuint (pv_elf_image_get_segments (image, &segments), >, 0);
    PvMapping mapping = {LOAD_ADDR, LOAD_ADDR + N_FUNCTIONS * 64, segments[0].file_offset, 1};
    fixture->space = pv_address_space_new ();
    pv_address_space_add (fixture->space, &mapping);
    PvSymbolOptions options = {0};
    fixture->files = pv_module_files_new (&options);
    fixture->unwinder = pv_unwinder_new (fixture->files, 1);
}

static void
clear (Fixture *fixture)
{
    pv_unwinder_free (fixture->unwinder);
    pv_module_files_free (fixture->files);
    pv_address_space_free (fixture->space);
    unlink (fixture->path);
    g_free (fixture->path);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Fixture, clear)

static uint64_t
addr_of (unsigned function, unsigned offset)
{
    return LOAD_ADDR + function * 64 + offset;
}

/* By perf's numbers: sp 7, ip 8, r8 16 ... r15 23. */
static void
unwind (Fixture *fixture, uint64_t pc, uint64_t r12)
{
    fixture->registers[7] = STACK_ADDR;
    fixture->registers[8] = pc;
    fixture->registers[9 + 12 - 8] = r12;
    PvRawStack raw = {
        .space = fixture->space,
        .registers = fixture->registers,
        .register_mask = 0xff01ff,
        .stack = (const uint8_t *)fixture->stack,
        .stack_size_bytes = sizeof fixture->stack,
        .stack_requested_bytes = sizeof fixture->stack,
    };
    pv_unwinder_unwind (fixture->unwinder, PV_ARCH_X86_64, fixture->modules, &raw, 1,
                        &fixture->result, NULL);
}

static void
check_end (const Fixture *fixture, unsigned n_frames, PvStackEnd end)
{
    g_assert_cmpuint (fixture->result.n_frames, ==, n_frames);
    g_assert_cmpint (fixture->result.end, ==, end);
}

TEST (stacks)
{
    g_auto (Fixture) fixture;
    begin (&fixture);
    /* A goroutine: plain, called by bare, called by pushing, which goexit waits for. */
    fixture.stack[3] = addr_of (BARE, 0x10);
    fixture.stack[3 + 5] = addr_of (PUSHING, 0x10);
    fixture.stack[3 + 5 + 2] = addr_of (GOEXIT, 1);
    unwind (&fixture, addr_of (PLAIN, 0x10), 0);
    check_end (&fixture, 4, PV_STACK_END_ROOT);
    g_assert_cmpint (fixture.result.frames[1].kind, ==, PV_LOCATION_RETURN);

    /* Called from the thread's own stack, whose caller is elsewhere. */
    fixture.stack[3] = addr_of (SYSTEMSTACK, 0x18);
    unwind (&fixture, addr_of (PLAIN, 0x10), 0);
    check_end (&fixture, 2, PV_STACK_END_OTHER_STACK);
    unwind (&fixture, addr_of (SYSTEMSTACK, 0x18), 0);
    check_end (&fixture, 1, PV_STACK_END_OTHER_STACK);

    /* An interrupted function's address is no return address. */
    fixture.stack[1] = addr_of (GOEXIT, 1);
    unwind (&fixture, addr_of (PREEMPT, 8), 0);
    check_end (&fixture, 2, PV_STACK_END_ROOT);
    g_assert_cmpint (fixture.result.frames[1].kind, ==, PV_LOCATION_EXACT);
}

/* The stack pointer of before the switch is kept in r12. */
TEST (switch_and_back)
{
    g_auto (Fixture) fixture;
    begin (&fixture);
    fixture.stack[3] = addr_of (NANOTIME, 0x10);
    fixture.stack[20 + 2] = addr_of (GOEXIT, 1);
    unwind (&fixture, addr_of (PLAIN, 0x10), STACK_ADDR + 20 * 8);
    check_end (&fixture, 3, PV_STACK_END_ROOT);
    unwind (&fixture, addr_of (NANOTIME, 0x10), STACK_ADDR + 20 * 8);
    check_end (&fixture, 2, PV_STACK_END_ROOT);
    /* A goroutine's stack, below and above. */
    unwind (&fixture, addr_of (PLAIN, 0x10), 0xc000010000);
    check_end (&fixture, 2, PV_STACK_END_OTHER_STACK);
    unwind (&fixture, addr_of (PLAIN, 0x10), STACK_ADDR + 0x100000);
    check_end (&fixture, 2, PV_STACK_END_OTHER_STACK);
}
