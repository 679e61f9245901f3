/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Frame pointers and unwind tables of programs made by hand, hostile ones too. */
#include <elf.h>
#include <string.h>
#include <time.h>

#include "../cases.h"
#include "../unwind/eh-frame-maker.h"
#include "core/probe/program-facts.h"
#include "elf-maker.h"

enum {
    N_FUNCTIONS = 24,
    FUNCTION_BYTES = 32,
    TEXT_ADDR = 0x1000,
    PLT_ADDR = 0x8000,
    FRAME_ADDR = 0x100000,
};

/* A program of so many functions, without tables. */
static ElfMaker *
make_program (uint16_t machine)
{
    static const uint8_t text[N_FUNCTIONS * FUNCTION_BYTES];
    ElfMaker *maker = elf_maker_new (machine != EM_386, false, ET_DYN, machine);

    elf_maker_text (maker, TEXT_ADDR, text, sizeof text);
    elf_maker_load (maker, 1, true);
    return maker;
}

static PvProgramFacts
judge (ElfMaker *maker)
{
    size_t size;
    uint8_t *bytes = elf_maker_finish (maker, &size);
    g_autoptr (PvMappedFile) file = pv_mapped_file_new_take (bytes, size);
    g_autoptr (PvElfImage) image = pv_elf_image_new (file, "made", NULL);
    PvProgramFacts facts;
    g_assert_nonnull (image);
    g_assert_true (pv_program_facts_judge (image, NULL, NULL, &facts));
    return facts;
}

/* Without tables */

TEST (no_tables)
{
    static const uint16_t machines[] = {EM_X86_64, EM_386, EM_AARCH64};
    for (size_t i = 0; i < G_N_ELEMENTS (machines); i++) {
        g_autoptr (ElfMaker) maker = make_program (machines[i]);
        PvProgramFacts facts = judge (maker);
        g_assert_cmpint (facts.frame_pointers, ==, PV_FRAME_POINTERS_UNKNOWN);
        g_assert_true (facts.lacks_unwind_tables);
    }
}

/* Nothing is known of other processors. */
TEST (unknown)
{
    static const uint16_t machines[] = {EM_RISCV, EM_PPC64, EM_S390, EM_ARM};
    for (size_t i = 0; i < G_N_ELEMENTS (machines); i++) {
        g_autoptr (ElfMaker) maker = make_program (machines[i]);
        PvProgramFacts facts = judge (maker);
        g_assert_cmpint (facts.frame_pointers, ==, PV_FRAME_POINTERS_UNKNOWN);
        g_assert_false (facts.lacks_unwind_tables);
    }
}

/* With tables */

/* After push, CFA rsp + 16; then by rbp, or further down. */
static void
add_fdes (EhFrame *frame, int n, bool keeps)
{
    eh_frame_add_common_cie (frame);
    for (int i = 0; i < n; i++) {
        uint64_t start = TEXT_ADDR + (uint64_t)i * FUNCTION_BYTES;
        if (keeps)
            EH_FRAME_FDE (frame, start, FUNCTION_BYTES, 0x41, 0x0e, 0x10, 0x86, 0x02, 0x43, 0x0d,
                          0x06);
        else
            EH_FRAME_FDE (frame, start, FUNCTION_BYTES, 0x41, 0x0e, 0x10, 0x86, 0x02, 0x43, 0x0e,
                          0x30);
    }
}

static void
add_frame (ElfMaker *maker, const EhFrame *frame)
{
    elf_maker_section (maker, (MakerSection){.name = ".eh_frame",
                                             .type = SHT_PROGBITS,
                                             .flags = SHF_ALLOC,
                                             .addr = FRAME_ADDR,
                                             .data = frame->bytes.data,
                                             .size_bytes = frame->bytes.len});
}

static void
add_index (ElfMaker *maker, uint64_t addr, uint32_t n_told, const int32_t *pairs, size_t n_pairs)
{
    g_autoptr (GByteArray) index = g_byte_array_new ();
    static const uint8_t encodings[] = {1, 0x1b, 0x03, 0x3b};
    g_byte_array_append (index, encodings, sizeof encodings);
    elf_maker_put (maker, index, FRAME_ADDR - addr - 4, 4);
    elf_maker_put (maker, index, n_told, 4);
    g_byte_array_append (index, (const guint8 *)pairs, (guint)(n_pairs * 2 * sizeof *pairs));
    elf_maker_section (maker, (MakerSection){.name = ".eh_frame_hdr",
                                             .type = SHT_PROGBITS,
                                             .flags = SHF_ALLOC,
                                             .addr = addr,
                                             .data = index->data,
                                             .size_bytes = index->len});
}

TEST (tables)
{
    /* How many functions have call frame information. */
    static const struct {
        int n_covered;
        bool lacks_tables;
        PvFramePointers frame_pointers;
    } cases[] = {
        {N_FUNCTIONS, false, PV_FRAME_POINTERS_KEPT},
        {N_FUNCTIONS * 7 / 8, false, PV_FRAME_POINTERS_KEPT},
        {N_FUNCTIONS / 2, false, PV_FRAME_POINTERS_KEPT},
        {N_FUNCTIONS / 8, true, PV_FRAME_POINTERS_UNKNOWN},
        {0, true, PV_FRAME_POINTERS_UNKNOWN},
    };
    for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
        g_autoptr (ElfMaker) maker = make_program (EM_X86_64);
        g_auto (EhFrame) frame = {.link_addr = FRAME_ADDR};
        add_fdes (&frame, cases[i].n_covered, true);
        add_frame (maker, &frame);
        PvProgramFacts facts = judge (maker);
        g_test_message ("%d covered", cases[i].n_covered);
        g_assert_true (facts.lacks_unwind_tables == cases[i].lacks_tables);
        g_assert_cmpint (facts.frame_pointers, ==, cases[i].frame_pointers);
    }
}

/* The linker gives its PLT tables in any program. */
TEST (plt)
{
    g_autoptr (ElfMaker) maker = make_program (EM_X86_64);
    g_auto (EhFrame) frame = {.link_addr = FRAME_ADDR};
    uint8_t plt[N_FUNCTIONS * FUNCTION_BYTES] = {0};
    elf_maker_section (maker, (MakerSection){.name = ".plt.sec",
                                             .type = SHT_PROGBITS,
                                             .flags = SHF_ALLOC | SHF_EXECINSTR,
                                             .addr = PLT_ADDR,
                                             .data = plt,
                                             .size_bytes = sizeof plt});
    eh_frame_add_common_cie (&frame);
    EH_FRAME_FDE (&frame, PLT_ADDR, sizeof plt, 0x41, 0x0e, 0x10);
    add_frame (maker, &frame);
    PvProgramFacts facts = judge (maker);
    g_assert_true (facts.lacks_unwind_tables);
    g_assert_cmpint (facts.frame_pointers, ==, PV_FRAME_POINTERS_UNKNOWN);
}

/* A program of two kinds of functions. */
TEST (mixed)
{
    g_autoptr (ElfMaker) maker = make_program (EM_X86_64);
    g_auto (EhFrame) frame = {.link_addr = FRAME_ADDR};
    add_fdes (&frame, N_FUNCTIONS / 2, true);
    add_fdes (&frame, N_FUNCTIONS / 2, false);
    add_frame (maker, &frame);
    g_assert_cmpint (judge (maker).frame_pointers, ==, PV_FRAME_POINTERS_MIXED);
}

/* Hostile ones */

static double
count_cpu_seconds (ElfMaker *maker)
{
    clock_t start = clock ();
    judge (maker);
    return (double)(clock () - start) / CLOCKS_PER_SEC;
}

#define MAX_SECONDS 3.0

/* An index of a million entries for one FDE whose instructions have no end, in both encodings of
 * nothing: no operation, and a state that is remembered and restored. */
TEST (endless_fde)
{
    enum { N_ENTRIES = 1 << 20, N_BYTES = 32 << 20 };
    g_autofree uint8_t *instructions = g_malloc (N_BYTES);
    g_autofree int32_t *pairs = g_new (int32_t, 2 * N_ENTRIES);
    uint64_t addr = FRAME_ADDR + (64 << 20);
    for (int round = 0; round < 2; round++) {
        g_autoptr (ElfMaker) maker = make_program (EM_X86_64);
        g_auto (EhFrame) frame = {.link_addr = FRAME_ADDR};
        for (size_t i = 0; i < N_BYTES; i++)
            instructions[i] = round == 0 ? 0 : (uint8_t)(0x0a + i % 2);
        eh_frame_add_common_cie (&frame);
        size_t offset = frame.bytes.len;
        eh_frame_add_fde (&frame, TEXT_ADDR, 1 << 20, instructions, N_BYTES);
        add_frame (maker, &frame);
        for (size_t i = 0; i < N_ENTRIES; i++) {
            pairs[2 * i] = (int32_t)(TEXT_ADDR - addr);
            pairs[2 * i + 1] = (int32_t)(FRAME_ADDR + offset - addr);
        }
        add_index (maker, addr, N_ENTRIES, pairs, N_ENTRIES);
        g_assert_cmpfloat (count_cpu_seconds (maker), <, MAX_SECONDS);
    }
}

/* FDEs whose CIEs are in a long run of zeros, each at another place. */
TEST (zero_cies)
{
    enum { N_ENTRIES = 4096, N_ZEROS = 48 << 20, FDE_BYTES = 24 };
    g_autoptr (ElfMaker) maker = make_program (EM_X86_64);
    size_t size_bytes = N_ENTRIES * FDE_BYTES + N_ZEROS;
    g_autofree uint8_t *data = g_malloc0 (size_bytes);
    g_autofree int32_t *pairs = g_new (int32_t, 2 * N_ENTRIES);
    uint64_t addr = FRAME_ADDR + (128 << 20);
    for (size_t i = 0; i < N_ENTRIES; i++) {
        uint32_t length = FDE_BYTES - 4, at = (uint32_t)(i * FDE_BYTES);
        uint32_t back = at + 4 - (uint32_t)(N_ENTRIES * FDE_BYTES + 8 * i);
        memcpy (data + at, &length, sizeof length);
        memcpy (data + at + 4, &back, sizeof back);
        pairs[2 * i] = (int32_t)(TEXT_ADDR + i - addr);
        pairs[2 * i + 1] = (int32_t)(FRAME_ADDR + at - addr);
    }
    g_auto (EhFrame) frame = {.link_addr = FRAME_ADDR};
    pv_array_append (&frame.bytes, data, size_bytes);
    add_frame (maker, &frame);
    double walked = count_cpu_seconds (maker);
    add_index (maker, addr, N_ENTRIES, pairs, N_ENTRIES);
    double indexed = count_cpu_seconds (maker);
    g_test_message ("%.3f s, with an index %.3f s", walked, indexed);
    g_assert_cmpfloat (walked, <, MAX_SECONDS);
    g_assert_cmpfloat (indexed, <, MAX_SECONDS);
}

/* An index that says it is longer than it is, and leads out of everything. */
TEST (bad_index)
{
    static const int32_t pairs[] = {INT32_MIN, INT32_MAX, 0, 0, -1, INT32_MIN, INT32_MAX, 1};
    g_autoptr (ElfMaker) maker = make_program (EM_X86_64);
    g_auto (EhFrame) frame = {.link_addr = FRAME_ADDR};
    add_fdes (&frame, N_FUNCTIONS, false);
    add_frame (maker, &frame);
    add_index (maker, FRAME_ADDR + 0x10000, UINT32_MAX, pairs, G_N_ELEMENTS (pairs) / 2);
    PvProgramFacts facts = judge (maker);
    g_assert_true (facts.lacks_unwind_tables);
}
