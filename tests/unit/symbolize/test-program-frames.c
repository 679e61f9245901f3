/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Frame pointers and unwind tables of programs made by hand, hostile ones too. */
#include <elf.h>
#include <string.h>
#include <time.h>

#include "../unwind/eh-frame-maker.h"
#include "core/probe/program-facts.h"
#include "elf-maker.h"

enum {
    N_FUNCTIONS = 24,
    FUNCTION_BYTES = 32,
    TEXT_ADDR = 0x1000,
    FRAME_ADDR = 0x100000,
};

typedef struct {
    const uint8_t *code; /* what every function begins with */
    size_t code_bytes;
    uint16_t machine;
    bool has_symbols;
    bool has_calls; /* each calls the one before it */
} Recipe;

static void
put_call (const Recipe *recipe, uint8_t *at, int32_t distance)
{
    if (recipe->machine == EM_AARCH64) {
        uint32_t word = 0x94000000u | ((uint32_t)(distance / 4) & 0x3ffffffu);
        memcpy (at, &word, sizeof word);
    } else {
        distance -= 5;
        *at = 0xe8;
        memcpy (at + 1, &distance, sizeof distance);
    }
}

static ElfMaker *
make_program (const Recipe *recipe)
{
    bool is_64bit = recipe->machine != EM_386;
    ElfMaker *maker = elf_maker_new (is_64bit, false, ET_DYN, recipe->machine);
    uint8_t text[N_FUNCTIONS * FUNCTION_BYTES];
    MakerSymbol symbols[N_FUNCTIONS + 1] = {0};

    memset (text, recipe->machine == EM_AARCH64 ? 0 : 0x90, sizeof text);
    for (int i = 0; i < N_FUNCTIONS; i++) {
        uint8_t *function = text + i * FUNCTION_BYTES;
        memcpy (function, recipe->code, recipe->code_bytes);
        if (recipe->has_calls)
            put_call (recipe, function + recipe->code_bytes,
                      -(int32_t)recipe->code_bytes - (i > 0 ? FUNCTION_BYTES : 0));
        symbols[i] = (MakerSymbol){
            "f", TEXT_ADDR + (uint64_t)i * FUNCTION_BYTES, 30, STB_GLOBAL, STT_FUNC, 1};
    }
    elf_maker_section (maker, (MakerSection){.name = ".text",
                                             .type = SHT_PROGBITS,
                                             .flags = SHF_ALLOC | SHF_EXECINSTR,
                                             .addr = TEXT_ADDR,
                                             .data = text,
                                             .size_bytes = sizeof text});
    elf_maker_load (maker, 1, true);
    if (recipe->has_symbols)
        elf_maker_symbols (maker, false, symbols);
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

/* --- without tables --- */

static const uint8_t x86_keeps[] = {0x55, 0x48, 0x89, 0xe5};
static const uint8_t x86_omits[] = {0x41, 0x57, 0x53, 0x48, 0x83, 0xec, 0x10};

static void
test_code (void)
{
    static const uint8_t endbr[] = {0xf3, 0x0f, 0x1e, 0xfa, 0x55, 0x48, 0x89, 0xe5};
    static const uint8_t later[] = {0x55, 0x31, 0xc0, 0x48, 0x8b, 0xec};
    static const uint8_t saves[] = {0x55, 0x53, 0x89, 0xe5}; /* mov ebp,esp: not of 64 bits */
    static const uint8_t stubs[] = {0xf3, 0x0f, 0x1e, 0xfa, 0xff, 0x25, 0, 0, 0, 0};
    static const uint8_t silent[] = {0x31, 0xc0, 0xc3};
    static const uint8_t i386[] = {0x55, 0x89, 0xe5};
    static const uint8_t record[] = {0xfd, 0x7b, 0xbe, 0xa9, 0xfd, 0x03, 0x00, 0x91};
    static const uint8_t pair[] = {0xfd, 0x7b, 0xbe, 0xa9, 0xf3, 0x53, 0x01, 0xa9};
    static const uint8_t link[] = {0xfe, 0x0f, 0x1f, 0xf8};
    static const uint8_t leaf[] = {0xe0, 0x03, 0x01, 0xaa, 0xc0, 0x03, 0x5f, 0xd6};
    static const struct {
        const uint8_t *code;
        size_t code_bytes;
        uint16_t machine;
        PvFramePointers frame_pointers;
    } cases[] = {
        {x86_keeps, sizeof x86_keeps, EM_X86_64, PV_FRAME_POINTERS_KEPT},
        {endbr, sizeof endbr, EM_X86_64, PV_FRAME_POINTERS_KEPT},
        {later, sizeof later, EM_X86_64, PV_FRAME_POINTERS_KEPT},
        {x86_omits, sizeof x86_omits, EM_X86_64, PV_FRAME_POINTERS_OMITTED},
        {saves, sizeof saves, EM_X86_64, PV_FRAME_POINTERS_OMITTED},
        {stubs, sizeof stubs, EM_X86_64, PV_FRAME_POINTERS_UNKNOWN},
        {silent, sizeof silent, EM_X86_64, PV_FRAME_POINTERS_UNKNOWN},
        {i386, sizeof i386, EM_386, PV_FRAME_POINTERS_KEPT},
        {record, sizeof record, EM_AARCH64, PV_FRAME_POINTERS_KEPT},
        {pair, sizeof pair, EM_AARCH64, PV_FRAME_POINTERS_OMITTED},
        {link, sizeof link, EM_AARCH64, PV_FRAME_POINTERS_OMITTED},
        {leaf, sizeof leaf, EM_AARCH64, PV_FRAME_POINTERS_UNKNOWN},
    };
    for (size_t i = 0; i < G_N_ELEMENTS (cases); i++)
        for (int by_calls = 0; by_calls < 2; by_calls++) {
            Recipe recipe = {cases[i].code, cases[i].code_bytes, cases[i].machine, !by_calls,
                             by_calls};
            g_autoptr (ElfMaker) maker = make_program (&recipe);
            PvProgramFacts facts = judge (maker);
            g_test_message ("case %zu, %s", i, by_calls ? "calls" : "symbols");
            g_assert_cmpint (facts.frame_pointers, ==, cases[i].frame_pointers);
            g_assert_true (facts.lacks_unwind_tables);
        }
}

/* Nothing is known of other processors, nor of code that nothing leads into. */
static void
test_unknown (void)
{
    static const uint16_t machines[] = {EM_RISCV, EM_PPC64, EM_S390, EM_ARM};
    for (size_t i = 0; i < G_N_ELEMENTS (machines); i++) {
        Recipe recipe = {x86_keeps, sizeof x86_keeps, machines[i], true, false};
        g_autoptr (ElfMaker) maker = make_program (&recipe);
        PvProgramFacts facts = judge (maker);
        g_assert_cmpint (facts.frame_pointers, ==, PV_FRAME_POINTERS_UNKNOWN);
        g_assert_false (facts.lacks_unwind_tables);
    }
    Recipe recipe = {x86_keeps, sizeof x86_keeps, EM_X86_64, false, false};
    g_autoptr (ElfMaker) maker = make_program (&recipe);
    g_assert_cmpint (judge (maker).frame_pointers, ==, PV_FRAME_POINTERS_UNKNOWN);
}

/* --- with tables --- */

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

static void
test_tables (void)
{
    /* How many functions have call frame information; code says the contrary of it. */
    static const struct {
        int n_covered;
        bool lacks_tables;
        PvFramePointers frame_pointers;
    } cases[] = {
        {N_FUNCTIONS, false, PV_FRAME_POINTERS_KEPT},
        {N_FUNCTIONS * 7 / 8, false, PV_FRAME_POINTERS_KEPT},
        {N_FUNCTIONS / 2, false, PV_FRAME_POINTERS_OMITTED},
        {N_FUNCTIONS / 8, true, PV_FRAME_POINTERS_OMITTED},
        {0, true, PV_FRAME_POINTERS_OMITTED},
    };
    for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
        Recipe recipe = {x86_omits, sizeof x86_omits, EM_X86_64, true, false};
        g_autoptr (ElfMaker) maker = make_program (&recipe);
        EhFrame frame = {.link_addr = FRAME_ADDR};
        add_fdes (&frame, cases[i].n_covered, true);
        add_frame (maker, &frame);
        PvProgramFacts facts = judge (maker);
        g_test_message ("%d covered", cases[i].n_covered);
        g_assert_true (facts.lacks_unwind_tables == cases[i].lacks_tables);
        g_assert_cmpint (facts.frame_pointers, ==, cases[i].frame_pointers);
        eh_frame_clear (&frame);
    }
}

/* A program of two kinds of functions. */
static void
test_mixed (void)
{
    Recipe recipe = {x86_omits, sizeof x86_omits, EM_X86_64, false, false};
    g_autoptr (ElfMaker) maker = make_program (&recipe);
    EhFrame frame = {.link_addr = FRAME_ADDR};
    add_fdes (&frame, N_FUNCTIONS / 2, true);
    add_fdes (&frame, N_FUNCTIONS / 2, false);
    add_frame (maker, &frame);
    g_assert_cmpint (judge (maker).frame_pointers, ==, PV_FRAME_POINTERS_MIXED);
    eh_frame_clear (&frame);
}

/* --- hostile ones --- */

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
static void
test_endless_fde (void)
{
    enum { N_ENTRIES = 1 << 20, N_BYTES = 32 << 20 };
    g_autofree uint8_t *instructions = g_malloc (N_BYTES);
    g_autofree int32_t *pairs = g_new (int32_t, 2 * N_ENTRIES);
    uint64_t addr = FRAME_ADDR + (64 << 20);
    for (int round = 0; round < 2; round++) {
        Recipe recipe = {x86_keeps, sizeof x86_keeps, EM_X86_64, true, false};
        g_autoptr (ElfMaker) maker = make_program (&recipe);
        EhFrame frame = {.link_addr = FRAME_ADDR};
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
        eh_frame_clear (&frame);
    }
}

/* FDEs whose CIEs are in a long run of zeros, each at another place. */
static void
test_zero_cies (void)
{
    enum { N_ENTRIES = 4096, N_ZEROS = 48 << 20, FDE_BYTES = 24 };
    Recipe recipe = {x86_keeps, sizeof x86_keeps, EM_X86_64, true, false};
    g_autoptr (ElfMaker) maker = make_program (&recipe);
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
    EhFrame frame = {.link_addr = FRAME_ADDR};
    pv_array_append (&frame.bytes, data, size_bytes);
    add_frame (maker, &frame);
    double walked = count_cpu_seconds (maker);
    add_index (maker, addr, N_ENTRIES, pairs, N_ENTRIES);
    double indexed = count_cpu_seconds (maker);
    g_test_message ("%.3f s, with an index %.3f s", walked, indexed);
    g_assert_cmpfloat (walked, <, MAX_SECONDS);
    g_assert_cmpfloat (indexed, <, MAX_SECONDS);
    eh_frame_clear (&frame);
}

/* An index that says it is longer than it is, and leads out of everything. */
static void
test_bad_index (void)
{
    static const int32_t pairs[] = {INT32_MIN, INT32_MAX, 0, 0, -1, INT32_MIN, INT32_MAX, 1};
    Recipe recipe = {x86_keeps, sizeof x86_keeps, EM_X86_64, true, false};
    g_autoptr (ElfMaker) maker = make_program (&recipe);
    EhFrame frame = {.link_addr = FRAME_ADDR};
    add_fdes (&frame, N_FUNCTIONS, false);
    add_frame (maker, &frame);
    add_index (maker, FRAME_ADDR + 0x10000, UINT32_MAX, pairs, G_N_ELEMENTS (pairs) / 2);
    PvProgramFacts facts = judge (maker);
    g_assert_true (facts.lacks_unwind_tables);
    eh_frame_clear (&frame);
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/program-frames/code", test_code);
    g_test_add_func ("/program-frames/unknown", test_unknown);
    g_test_add_func ("/program-frames/tables", test_tables);
    g_test_add_func ("/program-frames/mixed", test_mixed);
    g_test_add_func ("/program-frames/endless-fde", test_endless_fde);
    g_test_add_func ("/program-frames/zero-cies", test_zero_cies);
    g_test_add_func ("/program-frames/bad-index", test_bad_index);
    return g_test_run ();
}
