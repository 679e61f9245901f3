/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <dwarf.h>
#include <elf.h>
#include <string.h>

#include "../cases.h"
#include "core/symbolize/dwarf/dwarf-index.h"

/*
 * Debug information written by hand, so that every version and every oddity is there:
 *
 *   dead      0..10000      in front, at an address where no code is
 *   work   1000..1100
 *     {
 *       make   1010..1040     called at main.c:11
 *         name   1020..1050     called at h.h:12; longer than make
 *       sort   1030..1060     called at main.c:13; begins inside make
 *     }
 *
 * sort has no linkage name and lies in namespace ns.
 */
enum {
    INFO,
    ABBREV,
    LINE,
    ARANGES,
    N_SECTIONS,
};

typedef struct {
    unsigned version;
    unsigned foreign;
    GByteArray *sections[N_SECTIONS];
} Image;

typedef struct {
    bool has_ranges; /* the unit's own */
    bool has_aranges;
    bool is_cyclic;     /* work stems from itself */
    bool has_alternate; /* work is described in the supplementary file */
    unsigned foreign;   /* this abbreviation has an attribute that only libdw reads; 0: none */
} Options;

static const char *const section_names[N_SECTIONS] = {".debug_info", ".debug_abbrev", ".debug_line",
                                                      ".debug_aranges"};

static void
put (GByteArray *bytes, uint64_t value, unsigned size)
{
    for (unsigned i = 0; i < size; i++)
        g_byte_array_append (bytes, &(uint8_t){(uint8_t)(value >> (8 * i))}, 1);
}

static void
put_string (GByteArray *bytes, const char *string)
{
    g_byte_array_append (bytes, (const uint8_t *)string, (guint)strlen (string) + 1);
}

static void
set_length (GByteArray *bytes, guint at)
{
    uint32_t length = GUINT32_TO_LE (bytes->len - at - 4);
    memcpy (bytes->data + at, &length, sizeof length);
}

/* Abbreviations */

enum {
    UNIT = 1,
    UNIT_WITHOUT_RANGES,
    ABSTRACT,
    ABSTRACT_WITHOUT_LINKAGE,
    FUNCTION,
    INLINED,
    NAMESPACE,
    BLOCK,
    CYCLE,
    FUNCTION_ELSEWHERE,
};

static void
put_uleb (GByteArray *bytes, uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        put (bytes, (value & 0x7f) | 0x80, 1);
    put (bytes, value, 1);
}

/* Attributes have 14 bits, but nothing in their encoding says so. Our reader keeps them in 16. */
#define FOREIGN_ATTR 0x12345

static void
put_abbrev (Image *image, unsigned code, unsigned tag, bool has_children, const unsigned *attrs)
{
    GByteArray *bytes = image->sections[ABBREV];
    put (bytes, code, 1);
    put (bytes, tag, 1);
    put (bytes, has_children, 1);
    if (code == image->foreign) {
        put_uleb (bytes, FOREIGN_ATTR);
        put_uleb (bytes, DW_FORM_flag_present);
    }
    for (; attrs[0] != 0; attrs += 2) {
        put_uleb (bytes, attrs[0]);
        put_uleb (bytes, attrs[1]);
    }
    put (bytes, 0, 2);
}

#define ATTRS(...) ((const unsigned[]){__VA_ARGS__, 0, 0})

static void
write_abbrevs (Image *image)
{
    unsigned high = image->version < 4 ? DW_FORM_addr : DW_FORM_data8;
    unsigned lines = image->version < 4 ? DW_FORM_data4 : DW_FORM_sec_offset;
    put_abbrev (image, UNIT, DW_TAG_compile_unit, true,
                ATTRS (DW_AT_language, DW_FORM_data1, DW_AT_comp_dir, DW_FORM_string,
                       DW_AT_stmt_list, lines, DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc, high));
    put_abbrev (image, UNIT_WITHOUT_RANGES, DW_TAG_compile_unit, true,
                ATTRS (DW_AT_language, DW_FORM_data1, DW_AT_comp_dir, DW_FORM_string,
                       DW_AT_stmt_list, lines));
    put_abbrev (image, ABSTRACT, DW_TAG_subprogram, false,
                ATTRS (DW_AT_name, DW_FORM_string, DW_AT_linkage_name, DW_FORM_string,
                       DW_AT_decl_file, DW_FORM_data1, DW_AT_decl_line, DW_FORM_udata));
    put_abbrev (image, ABSTRACT_WITHOUT_LINKAGE, DW_TAG_subprogram, false,
                ATTRS (DW_AT_name, DW_FORM_string, DW_AT_decl_file, DW_FORM_data1, DW_AT_decl_line,
                       DW_FORM_udata));
    put_abbrev (image, FUNCTION, DW_TAG_subprogram, true,
                ATTRS (DW_AT_abstract_origin, DW_FORM_ref4, DW_AT_low_pc, DW_FORM_addr,
                       DW_AT_high_pc, high, DW_AT_sibling, DW_FORM_ref4));
    put_abbrev (image, INLINED, DW_TAG_inlined_subroutine, true,
                ATTRS (DW_AT_abstract_origin, DW_FORM_ref4, DW_AT_low_pc, DW_FORM_addr,
                       DW_AT_high_pc, high, DW_AT_call_file, DW_FORM_data1, DW_AT_call_line,
                       DW_FORM_data1));
    put_abbrev (image, NAMESPACE, DW_TAG_namespace, true, ATTRS (DW_AT_name, DW_FORM_string));
    put_abbrev (image, BLOCK, DW_TAG_lexical_block, true,
                ATTRS (DW_AT_description, DW_FORM_string));
    put_abbrev (image, CYCLE, DW_TAG_subprogram, false,
                ATTRS (DW_AT_abstract_origin, DW_FORM_ref4));
    put_abbrev (image, FUNCTION_ELSEWHERE, DW_TAG_subprogram, true,
                ATTRS (DW_AT_abstract_origin, DW_FORM_GNU_ref_alt, DW_AT_low_pc, DW_FORM_addr,
                       DW_AT_high_pc, high, DW_AT_sibling, DW_FORM_ref4));
    put (image->sections[ABBREV], 0, 1);
}

/* DIEs */

static uint32_t
put_abstract (Image *image, const char *name, const char *linkage_name, unsigned line)
{
    GByteArray *info = image->sections[INFO];
    uint32_t offset = info->len;
    put (info, linkage_name != NULL ? ABSTRACT : ABSTRACT_WITHOUT_LINKAGE, 1);
    put_string (info, name);
    if (linkage_name != NULL)
        put_string (info, linkage_name);
    put (info, 1, 1);
    put (info, line, 1);
    return offset;
}

static void
put_code (Image *image, unsigned code, uint32_t origin, uint64_t low, uint64_t high)
{
    GByteArray *info = image->sections[INFO];
    put (info, code, 1);
    put (info, origin, 4);
    put (info, low, 8);
    put (info, image->version < 4 ? high : high - low, 8);
}

static void
put_inlined (Image *image, uint32_t origin, uint64_t low, uint64_t high, unsigned call_file,
             unsigned call_line)
{
    put_code (image, INLINED, origin, low, high);
    put (image->sections[INFO], call_file, 1);
    put (image->sections[INFO], call_line, 1);
}

static void
write_unit_head (Image *image, const Options *options)
{
    GByteArray *info = image->sections[INFO];
    put (info, 0, 4);
    put (info, image->version, 2);
    if (image->version >= 5)
        put (info, DW_UT_compile | 8 << 8, 2);
    put (info, 0, 4);
    if (image->version < 5)
        put (info, 8, 1);
    put (info, options->has_ranges ? UNIT : UNIT_WITHOUT_RANGES, 1);
    put (info, DW_LANG_C_plus_plus, 1);
    put_string (info, "/src");
    put (info, 0, 4);
    if (options->has_ranges) {
        put (info, 0x1000, 8);
        put (info, image->version < 4 ? 0x1100 : 0x100, 8);
    }
}

static void
write_info (Image *image, const Options *options)
{
    GByteArray *info = image->sections[INFO];
    write_unit_head (image, options);
    uint32_t dead = put_abstract (image, "dead", "_Z4deadv", 1);
    uint32_t work = put_abstract (image, "work", "_Z4workv", 2);
    uint32_t make = put_abstract (image, "make", "_Z4makev", 3);
    uint32_t name = put_abstract (image, "name", "_Z4namev", 4);
    put (info, NAMESPACE, 1);
    put_string (info, "ns");
    uint32_t sort = put_abstract (image, "sort", NULL, 5);
    put (info, 0, 1);
    uint32_t cycle = info->len;
    put (info, CYCLE, 1);
    put (info, cycle, 4);
    put_code (image, FUNCTION, dead, 0, 0x10000);
    put (info, info->len + 5, 4);
    put (info, 0, 1);
    if (options->has_alternate)
        put_code (image, FUNCTION_ELSEWHERE, name, 0x1000, 0x1100);
    else
        put_code (image, FUNCTION, options->is_cyclic ? cycle : work, 0x1000, 0x1100);
    put (info, 0, 4); /* a sibling that leads back */
    put (info, BLOCK, 1);
    put_string (info, "");
    put_inlined (image, make, 0x1010, 0x1040, 1, 11);
    put_inlined (image, name, 0x1020, 0x1050, 2, 12);
    put (info, 0, 2);
    put_inlined (image, sort, 0x1030, 0x1060, 1, 13);
    put (info, 0, 4);
    set_length (info, 0);
}

/* Lines */

static void
write_files (Image *image)
{
    GByteArray *line = image->sections[LINE];
    if (image->version < 5) {
        put_string (line, "inc");
        put (line, 0, 1);
        put_string (line, "main.c");
        put (line, 0, 3);
        put_string (line, "../x/./h.h");
        put (line, 1, 3);
        put (line, 0, 1);
        return;
    }
    put (line, 1, 1);
    put (line, DW_LNCT_path | DW_FORM_string << 8, 2);
    put (line, 2, 1);
    put_string (line, "/src");
    put_string (line, "inc");
    put (line, 2, 1);
    put (line, DW_LNCT_path | DW_FORM_string << 8, 2);
    put (line, DW_LNCT_directory_index | DW_FORM_udata << 8, 2);
    put (line, 3, 1);
    put_string (line, "main.c");
    put (line, 0, 1);
    put_string (line, "main.c");
    put (line, 0, 1);
    put_string (line, "../x/./h.h");
    put (line, 1, 1);
}

static void
put_set_address (GByteArray *line, uint64_t addr)
{
    put (line, 0 | 9 << 8 | DW_LNE_set_address << 16, 3);
    put (line, addr, 8);
}

/* From the row before: an address further, another line, perhaps another file. */
static void
put_row (GByteArray *line, unsigned addr_delta, int line_delta, unsigned file)
{
    put (line, DW_LNS_advance_pc | addr_delta << 8, 2);
    put (line, DW_LNS_advance_line | (line_delta & 0x7f) << 8, 2);
    put (line, DW_LNS_set_file | file << 8, 2);
    put (line, DW_LNS_copy, 1);
}

static void
put_end (GByteArray *line)
{
    put (line, DW_LNS_fixed_advance_pc, 1);
    put (line, 0xd0, 2);
    put (line, 0 | 1 << 8 | DW_LNE_end_sequence << 16, 3);
}

static void
write_lines (Image *image)
{
    static const uint8_t opcode_lengths[12] = {0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1};
    GByteArray *line = image->sections[LINE];
    put (line, 0, 4);
    put (line, image->version, 2);
    if (image->version >= 5)
        put (line, 8, 2);
    guint header = line->len;
    put (line, 0, 4);
    put (line, 1, 1);
    if (image->version >= 4)
        put (line, 1, 1);
    put (line, 1 | 0xfb << 8 | 14 << 16 | 13 << 24, 4);
    g_byte_array_append (line, opcode_lengths, sizeof opcode_lengths);
    write_files (image);
    set_length (line, header);
    put_set_address (line, 0); /* of dead: over everything */
    put_row (line, 0, 50, 1);
    put (line, DW_LNS_fixed_advance_pc | 0xffff << 8, 3);
    put_end (line);
    put_set_address (line, 0x1000);
    put_row (line, 0, 4, 1);      /* 1000: main.c:5 */
    put_row (line, 0x10, 15, 2);  /* 1010: h.h:20 */
    put_row (line, 0x10, -20, 2); /* 1020: h.h:0 */
    put_row (line, 0x10, 30, 2);  /* 1030: h.h:30 */
    put_end (line);
    set_length (line, 0);
}

static void
write_aranges (Image *image)
{
    GByteArray *aranges = image->sections[ARANGES];
    put (aranges, 0, 4);
    put (aranges, 2, 2);
    put (aranges, 0, 4);
    put (aranges, 8, 2);
    put (aranges, 0, 4);
    put (aranges, 0x1000, 8);
    put (aranges, 0x80, 8); /* less than there is, to be told from the functions' own ranges */
    put (aranges, 0, 8);
    put (aranges, 0, 8);
    set_length (aranges, 0);
}

static Image
build_image (unsigned version, Options options)
{
    Image image = {.version = version, .foreign = options.foreign};
    for (unsigned i = 0; i < N_SECTIONS; i++)
        image.sections[i] = g_byte_array_new ();
    write_abbrevs (&image);
    write_info (&image, &options);
    write_lines (&image);
    if (options.has_aranges)
        write_aranges (&image);
    return image;
}

static void
clear_image (Image *image)
{
    for (unsigned i = 0; i < N_SECTIONS; i++)
        g_byte_array_unref (image->sections[i]);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Image, clear_image)

/* The ELF file around it */

static PvElfImage *
build_elf (const Image *image)
{
    GByteArray *file = g_byte_array_new ();
    g_autoptr (GString) names = g_string_new_len ("", 1);
    Elf64_Shdr headers[N_SECTIONS + 2] = {0};
    Elf64_Ehdr ehdr = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, 1},
                       .e_type = ET_DYN,
                       .e_machine = EM_X86_64,
                       .e_version = 1,
                       .e_phoff = sizeof (Elf64_Ehdr),
                       .e_ehsize = sizeof (Elf64_Ehdr),
                       .e_phentsize = sizeof (Elf64_Phdr),
                       .e_phnum = 1,
                       .e_shentsize = sizeof (Elf64_Shdr),
                       .e_shnum = N_SECTIONS + 2,
                       .e_shstrndx = N_SECTIONS + 1};
    Elf64_Phdr phdr = {.p_type = PT_LOAD,
                       .p_flags = PF_R | PF_X,
                       .p_vaddr = 0x1000,
                       .p_paddr = 0x1000,
                       .p_memsz = 0x1000,
                       .p_align = 0x1000};
    g_byte_array_append (file, (const uint8_t *)&ehdr, sizeof ehdr);
    g_byte_array_append (file, (const uint8_t *)&phdr, sizeof phdr);
    for (unsigned i = 0; i <= N_SECTIONS; i++) {
        Elf64_Shdr *header = &headers[i + 1];
        header->sh_name = (Elf64_Word)names->len;
        header->sh_offset = file->len;
        header->sh_addralign = 1;
        header->sh_type = i < N_SECTIONS ? SHT_PROGBITS : SHT_STRTAB;
        if (i == N_SECTIONS) {
            g_string_append_len (names, ".shstrtab", sizeof ".shstrtab");
            header->sh_size = names->len;
            g_byte_array_append (file, (const uint8_t *)names->str, (guint)names->len);
        } else {
            g_string_append_len (names, section_names[i], (gssize)strlen (section_names[i]) + 1);
            header->sh_size = image->sections[i]->len;
            g_byte_array_append (file, image->sections[i]->data, image->sections[i]->len);
        }
    }
    while (file->len % 8 != 0)
        put (file, 0, 1);
    ((Elf64_Ehdr *)(void *)file->data)->e_shoff = file->len;
    g_byte_array_append (file, (const uint8_t *)headers, sizeof headers);
    size_t size = file->len;
    g_autoptr (PvMappedFile) mapped =
        pv_mapped_file_new_take (g_byte_array_free (file, FALSE), size);
    return pv_elf_image_new (mapped, "/nonexistent/test", NULL);
}

static PvDwarfUnits *
open_units (PvElfImage *elf)
{
    PvModuleFile file = {.binary = elf, .debug = elf};
    const char *problem;
    return pv_dwarf_units_new (&file, NULL, &problem);
}

/* Tests */

static const uint64_t addrs[] = {0x1000, 0x1010, 0x1020, 0x102f, 0x1035, 0x1045, 0x1060, 0x10ff};

/* The chain as text: "name file:line < ..." */
static char *
print_chain (const PvFrameChain *chain)
{
    GString *text = g_string_new (NULL);
    for (uint32_t i = 0; i < chain->n_frames; i++) {
        const PvChainFrame *frame = &chain->frames[i];
        const char *name = frame->linkage_name != NULL ? frame->linkage_name : frame->name;
        g_string_append_printf (text, "%s%s %s:%u", i > 0 ? " < " : "", name != NULL ? name : "?",
                                frame->file != NULL ? frame->file : "?", frame->line);
        g_assert_cmpint (frame->is_inlined, ==, i + 1 < chain->n_frames);
    }
    return g_string_free (text, FALSE);
}

static void
check_chains (unsigned version, Options options, const char *const *expected, size_t n_foreign)
{
    g_auto (Image) image = build_image (version, options);
    g_autoptr (PvElfImage) elf = build_elf (&image);
    g_assert_nonnull (elf);
    g_autoptr (PvDwarfUnits) units = open_units (elf);
    g_assert_nonnull (units);
    g_autoptr (PvDwarfWorker) worker = pv_dwarf_worker_new (units);
    g_autoptr (PvArena) arena = pv_arena_new ();
    PvFrameChain chains[G_N_ELEMENTS (addrs)];
    pv_dwarf_worker_resolve (worker, 0, addrs, G_N_ELEMENTS (addrs), chains, arena, NULL);
    for (size_t i = 0; i < G_N_ELEMENTS (addrs); i++)
        assert_string (print_chain (&chains[i]), expected[i]);
    size_t n_unread;
    g_assert_cmpuint (pv_dwarf_units_get_n_foreign (units, &n_unread), ==, n_foreign);
    g_assert_cmpuint (n_unread, ==, 0);
}

static const char *const chains_of_addrs[] = {
    "_Z4workv /src/main.c:5",
    "_Z4makev /src/x/h.h:20 < _Z4workv /src/main.c:11",
    "_Z4namev /src/x/h.h:0 < _Z4makev /src/x/h.h:12 < _Z4workv /src/main.c:11",
    "_Z4namev /src/x/h.h:0 < _Z4makev /src/x/h.h:12 < _Z4workv /src/main.c:11",
    "_Z4namev /src/x/h.h:30 < _Z4makev /src/x/h.h:12 < _Z4workv /src/main.c:11",
    "ns::sort /src/x/h.h:30 < _Z4workv /src/main.c:13",
    "_Z4workv /src/x/h.h:30",
    "_Z4workv /src/x/h.h:30",
};

static void
test_chains (gconstpointer data)
{
    check_chains (GPOINTER_TO_UINT (data), (Options){.has_ranges = true}, chains_of_addrs, 0);
}

/* Whatever abbreviation our reader refuses, libdw gives the same names; one of the unit's DIEs that
 * has no code needs libdw for itself only. */
static void
test_foreign (gconstpointer data)
{
    for (unsigned code = UNIT; code <= BLOCK; code++) {
        Options options = {.has_ranges = code != UNIT_WITHOUT_RANGES, .foreign = code};
        check_chains (GPOINTER_TO_UINT (data), options, chains_of_addrs, 1);
    }
}

TEST (cycle)
{
    static const char *const expected[] = {
        "? /src/main.c:5",
        "_Z4makev /src/x/h.h:20 < ? /src/main.c:11",
        "_Z4namev /src/x/h.h:0 < _Z4makev /src/x/h.h:12 < ? /src/main.c:11",
        "_Z4namev /src/x/h.h:0 < _Z4makev /src/x/h.h:12 < ? /src/main.c:11",
        "_Z4namev /src/x/h.h:30 < _Z4makev /src/x/h.h:12 < ? /src/main.c:11",
        "ns::sort /src/x/h.h:30 < ? /src/main.c:13",
        "? /src/x/h.h:30",
        "? /src/x/h.h:30",
    };
    check_chains (5, (Options){.has_ranges = true, .is_cyclic = true}, expected, 0);
}

/* The supplementary file is the same again; only which of its functions is meant differs. */
TEST (alternate)
{
    g_auto (Image) image = build_image (4, (Options){.has_ranges = true, .has_alternate = true});
    g_autoptr (PvElfImage) elf = build_elf (&image);
    PvModuleFile files[] = {{.binary = elf, .debug = elf, .alternate = elf},
                            {.binary = elf, .debug = elf}};
    for (size_t i = 0; i < G_N_ELEMENTS (files); i++) {
        const char *problem;
        g_autoptr (PvDwarfUnits) units = pv_dwarf_units_new (&files[i], NULL, &problem);
        g_autoptr (PvDwarfWorker) worker = pv_dwarf_worker_new (units);
        g_autoptr (PvArena) arena = pv_arena_new ();
        PvFrameChain chain;
        pv_dwarf_worker_resolve (worker, 0, &(uint64_t){0x1000}, 1, &chain, arena, NULL);
        assert_string (print_chain (&chain), i == 0 ? "_Z4namev /src/main.c:5" : "? /src/main.c:5");
    }
}

TEST (declarations)
{
    g_auto (Image) image = build_image (4, (Options){.has_ranges = true});
    g_autoptr (PvElfImage) elf = build_elf (&image);
    g_autoptr (PvDwarfUnits) units = open_units (elf);
    g_autoptr (PvDwarfWorker) worker = pv_dwarf_worker_new (units);
    g_autoptr (PvArena) arena = pv_arena_new ();
    PvFrameChain chain;
    pv_dwarf_worker_resolve (worker, 0, &(uint64_t){0x1010}, 1, &chain, arena, NULL);
    g_assert_cmpuint (chain.n_frames, ==, 2);
    g_assert_cmpstr (chain.frames[0].decl_file, ==, "/src/main.c");
    g_assert_cmpuint (chain.frames[0].decl_line, ==, 3);
    g_assert_cmpuint (chain.frames[1].decl_line, ==, 2);
    g_assert_null (chain.frames[0].name);
}

/* A unit is found by its own ranges, else by .debug_aranges, else by its functions. */
TEST (unit_map)
{
    static const struct {
        Options options;
        uint64_t end;
    } cases[] = {
        {{.has_ranges = true}, 0x1100},
        {{.has_ranges = true, .has_aranges = true}, 0x1100},
        {{.has_aranges = true}, 0x1080},
        {{.has_ranges = false}, 0x1100},
    };
    for (unsigned version = 2; version <= 5; version++) {
        for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
            g_auto (Image) image = build_image (version, cases[i].options);
            g_autoptr (PvElfImage) elf = build_elf (&image);
            g_autoptr (PvDwarfUnits) units = open_units (elf);
            g_assert_nonnull (units);
            g_assert_cmpuint (pv_dwarf_units_find (units, 0xfff), ==, UINT32_MAX);
            g_assert_cmpuint (pv_dwarf_units_find (units, 0x1000), ==, 0);
            g_assert_cmpuint (pv_dwarf_units_find (units, cases[i].end - 1), ==, 0);
            g_assert_cmpuint (pv_dwarf_units_find (units, cases[i].end), ==, UINT32_MAX);
            g_assert_cmpuint (pv_dwarf_units_get_size (units, 0), ==, image.sections[INFO]->len);
        }
    }
}

/* Only has to end, and to stay within its bytes. */
static void
resolve_damaged (const Image *image)
{
    g_autoptr (PvElfImage) elf = build_elf (image);
    g_autoptr (PvDwarfUnits) units = elf != NULL ? open_units (elf) : NULL;
    if (units == NULL)
        return;
    g_autoptr (PvDwarfWorker) worker = pv_dwarf_worker_new (units);
    g_autoptr (PvArena) arena = pv_arena_new ();
    PvFrameChain chains[G_N_ELEMENTS (addrs)];
    pv_dwarf_worker_resolve (worker, 0, addrs, G_N_ELEMENTS (addrs), chains, arena, NULL);
    for (size_t i = 0; i < G_N_ELEMENTS (addrs); i++) {
        g_autofree char *text = print_chain (&chains[i]);
        g_assert_nonnull (text);
    }
}

TEST (truncated)
{
    for (unsigned version = 2; version <= 5; version++) {
        for (unsigned i = 0; i < N_SECTIONS; i++) {
            g_auto (Image) image = build_image (version, (Options){.has_aranges = true});
            while (image.sections[i]->len > 0) {
                g_byte_array_set_size (image.sections[i], image.sections[i]->len - 1);
                resolve_damaged (&image);
            }
        }
    }
}

TEST (damaged)
{
    g_autoptr (GRand) random = g_rand_new_with_seed (1);
    for (unsigned i = 0; i < 20000; i++) {
        g_auto (Image) image =
            build_image (2 + i % 4, (Options){.has_ranges = i % 3 != 0,
                                              .has_aranges = i % 2,
                                              .foreign = i % 7 < 3 ? i % (FUNCTION_ELSEWHERE) : 0});
        for (unsigned k = 0; k < 1 + i % 5; k++) {
            GByteArray *bytes = image.sections[g_rand_int_range (random, 0, ARANGES + i % 2)];
            bytes->data[g_rand_int_range (random, 0, (gint32)bytes->len)] =
                (uint8_t)g_rand_int (random);
        }
        resolve_damaged (&image);
    }
}

TESTS_MAIN (argc, argv)
{
    pv_test_init (argc, argv);
    for (unsigned version = 2; version <= 5; version++) {
        g_autofree char *path = g_strdup_printf ("/dwarf/chains/%u", version);
        g_test_add_data_func (path, GUINT_TO_POINTER (version), test_chains);
        g_autofree char *foreign_path = g_strdup_printf ("/dwarf/foreign/%u", version);
        g_test_add_data_func (foreign_path, GUINT_TO_POINTER (version), test_foreign);
    }
    return g_test_run ();
}
