/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <elf.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "../cases.h"
#include "../unwind/eh-frame-maker.h"
#include "core/base/error.h"
#include "core/elf/elf-image.h"
#include "core/symbolize/names/elf-symbols.h"
#include "elf-maker.h"

static const uint8_t build_id[20] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18};

static PvElfImage *
open_maker (ElfMaker *maker)
{
    size_t size_bytes;
    uint8_t *data = elf_maker_finish (maker, &size_bytes);
    g_autoptr (PvMappedFile) file = pv_mapped_file_new_take (data, size_bytes);
    PvElfImage *image = assert_ok (error, pv_elf_image_new (file, "test", &error));
    return image;
}

/* Both classes, both byte orders. */
TEST (kinds)
{
    for (unsigned kind = 0; kind < 4; kind++) {
        bool is_64bit = (kind & 1) != 0;
        bool is_big_endian = (kind & 2) != 0;
        g_autoptr (ElfMaker) maker = elf_maker_new (is_64bit, is_big_endian, ET_DYN, EM_PPC64);
        uint32_t text = elf_maker_section (maker, (MakerSection){.name = ".text",
                                                                 .type = SHT_PROGBITS,
                                                                 .flags = SHF_EXECINSTR,
                                                                 .addr = 0x5000,
                                                                 .data = "abcd",
                                                                 .size_bytes = 4});
        elf_maker_load (maker, text, true);
        elf_maker_build_id (maker, build_id, sizeof build_id);
        MakerSymbol symbols[] = {{"main", 0x5001, 2, STB_GLOBAL, STT_FUNC, 1}, {NULL}};
        elf_maker_symbols (maker, false, symbols);
        g_autoptr (PvElfImage) image = open_maker (maker);

        g_assert_cmpint (pv_elf_image_is_64bit (image), ==, is_64bit);
        g_assert_cmpint (pv_elf_image_is_swapped (image), ==,
                         is_big_endian == (G_BYTE_ORDER == G_LITTLE_ENDIAN));
        g_assert_cmpint (pv_elf_image_get_type (image), ==, ET_DYN);
        g_assert_cmpint (pv_elf_image_get_machine (image), ==, EM_PPC64);
        const uint8_t *found;
        g_assert_cmpmem (build_id, sizeof build_id, build_id,
                         pv_elf_image_get_build_id (image, &found));
        g_assert_cmpmem (found, sizeof build_id, build_id, sizeof build_id);

        size_t size_bytes = 0;
        const uint8_t *code = pv_elf_image_read (image, 0x5001, &size_bytes);
        g_assert_cmpmem (code, size_bytes, "bcd", 3);
        g_assert_null (pv_elf_image_read (image, 0x5004, &size_bytes));
        g_assert_null (pv_elf_image_read (image, 0x4fff, &size_bytes));

        PvModuleFile file = {.binary = image, .debug = image};
        uint64_t addrs[] = {0x5000, 0x5001, 0x5002, 0x5003};
        PvSymbolHit hits[4];
        g_autoptr (PvArena) arena = pv_arena_new ();
        g_assert_true (pv_elf_symbols_find (&file, addrs, 4, hits, arena));
        g_assert_cmpint (hits[0].kind, ==, PV_SYMBOL_NONE);
        g_assert_cmpstr (hits[1].name, ==, "main");
        g_assert_cmpstr (hits[2].name, ==, "main");
        g_assert_cmpint (hits[3].kind, ==, PV_SYMBOL_NONE);
    }
}

/* As lld lays programs out: link addresses run ahead of file offsets, and segments share pages. */
TEST (offsets)
{
    g_autoptr (ElfMaker) maker = elf_maker_new (true, false, ET_DYN, EM_X86_64);
    elf_maker_segment (maker, 0, 0, 0x1850, false);
    elf_maker_segment (maker, 0x1850, 0x2850, 0x700, true);
    elf_maker_segment (maker, 0x1f50, 0x3f50, 0x100, false);
    g_autoptr (PvElfImage) image = open_maker (maker);
    static const struct {
        uint64_t offset, addr;
    } cases[] = {
        {0x100, 0x100},   {0x1900, 0x2900}, {0x1850, 0x2850}, {0x1f4f, 0x2f4f},
        {0x1f50, 0x3f50}, {0x2060, 0x4060}, /* in the page after the last segment, as mapped */
    };
    uint64_t addr = 0;

    for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
        g_assert_true (pv_elf_image_offset_to_link (image, cases[i].offset, &addr));
        g_assert_cmphex (addr, ==, cases[i].addr);
    }
    g_assert_false (pv_elf_image_offset_to_link (image, 0x100000, &addr));
    g_assert_false (pv_elf_image_offset_to_link (image, UINT64_MAX, &addr));
}

/* Compressed sections */

static uint8_t *
make_text (size_t size_bytes)
{
    uint8_t *text = g_malloc (size_bytes);
    for (size_t i = 0; i < size_bytes; i++)
        text[i] = (uint8_t)(i * i / 7);
    return text;
}

static GByteArray *
pack (const ElfMaker *maker, const uint8_t *text, size_t size_bytes, uint32_t method, bool is_64bit)
{
    GByteArray *bytes = g_byte_array_new ();
    g_autofree uint8_t *packed = g_malloc (2 * size_bytes + 1000);
    size_t packed_size;

    elf_maker_put (maker, bytes, method, 4);
    if (is_64bit)
        elf_maker_put (maker, bytes, 0, 4);
    elf_maker_put (maker, bytes, size_bytes, is_64bit ? 8 : 4);
    elf_maker_put (maker, bytes, 1, is_64bit ? 8 : 4);
    if (method == 2) {
        packed_size = ZSTD_compress (packed, 2 * size_bytes + 1000, text, size_bytes, 3);
    } else {
        uLongf len = 2 * size_bytes + 1000;
        compress (packed, &len, text, size_bytes);
        packed_size = len;
    }
    g_byte_array_append (bytes, packed, (guint)packed_size);
    return bytes;
}

static void
check_sections (PvElfImage *image, const uint8_t *text, size_t size_bytes)
{
    const PvElfSection *section = pv_elf_image_find_section (image, ".debug_info");
    size_t found_size = 0;

    g_assert_nonnull (section);
    g_assert_true (pv_elf_section_is_packed (section));
    g_assert_cmpuint (pv_elf_image_get_section_size (image, section), ==, size_bytes);
    const uint8_t *found = pv_elf_image_get_section_data (image, section, &found_size);
    g_assert_cmpmem (found, found_size, text, size_bytes);
    /* The second time it is the same copy. */
    g_assert_true (found == pv_elf_image_get_section_data (image, section, &found_size));

    section = pv_elf_image_find_section (image, ".comment");
    g_assert_false (pv_elf_section_is_packed (section));
    g_assert_cmpuint (pv_elf_image_get_section_size (image, section), ==, 5);
    found = pv_elf_image_get_section_data (image, section, &found_size);
    g_assert_cmpmem (found, found_size, "hello", 5);
}

TEST (compressed)
{
    const size_t size_bytes = 100000;
    g_autofree uint8_t *text = make_text (size_bytes);

    for (unsigned kind = 0; kind < 8; kind++) {
        bool is_64bit = (kind & 1) != 0;
        g_autoptr (ElfMaker) maker = elf_maker_new (is_64bit, (kind & 2) != 0, ET_DYN, EM_X86_64);
        g_autoptr (GByteArray) bytes =
            pack (maker, text, size_bytes, (kind & 4) != 0 ? 2 : ELFCOMPRESS_ZLIB, is_64bit);
        elf_maker_data (maker, ".debug_info", SHF_COMPRESSED, bytes->data, bytes->len);
        elf_maker_data (maker, ".comment", 0, "hello", 5);
        g_autoptr (PvElfImage) image = open_maker (maker);
        check_sections (image, text, size_bytes);
    }
}

/* The form before SHF_COMPRESSED. */
TEST (zdebug)
{
    const size_t size_bytes = 5000;
    g_autofree uint8_t *text = make_text (size_bytes);
    g_autoptr (ElfMaker) maker = elf_maker_new (true, false, ET_DYN, EM_X86_64);
    g_autoptr (GByteArray) packed = pack (maker, text, size_bytes, ELFCOMPRESS_ZLIB, true);
    g_autoptr (GByteArray) bytes = g_byte_array_new ();

    g_byte_array_append (bytes, (const guint8 *)"ZLIB\0\0\0\0\0\0\x13\x88", 12);
    g_byte_array_append (bytes, packed->data + sizeof (Elf64_Chdr),
                         packed->len - (guint)sizeof (Elf64_Chdr));
    elf_maker_data (maker, ".zdebug_info", 0, bytes->data, bytes->len);
    elf_maker_data (maker, ".comment", 0, "hello", 5);
    g_autoptr (PvElfImage) image = open_maker (maker);
    check_sections (image, text, size_bytes);
}

/* A section that claims gigabytes, and one whose packed bytes are damaged. */
TEST (bombs)
{
    const size_t size_bytes = 5000;
    g_autofree uint8_t *text = make_text (size_bytes);
    g_autoptr (ElfMaker) maker = elf_maker_new (true, false, ET_DYN, EM_X86_64);
    g_autoptr (GByteArray) bytes = pack (maker, text, size_bytes, ELFCOMPRESS_ZLIB, true);
    MakerSection section = {.name = ".debug_info",
                            .type = SHT_PROGBITS,
                            .flags = SHF_COMPRESSED,
                            .data = bytes->data,
                            .size_bytes = bytes->len};
    size_t found_size = 0;

    bytes->data[8 + 4] = 0xff; /* the claimed size */
    elf_maker_section (maker, section);
    bytes->data[8 + 4] = 0;
    bytes->data[100] ^= 0x55;
    section.name = ".debug_line";
    elf_maker_section (maker, section);
    g_autoptr (PvElfImage) image = open_maker (maker);
    g_assert_null (pv_elf_image_get_section_data (
        image, pv_elf_image_find_section (image, ".debug_info"), &found_size));
    g_assert_null (pv_elf_image_get_section_data (
        image, pv_elf_image_find_section (image, ".debug_line"), &found_size));
    g_assert_cmpuint (
        pv_elf_image_get_section_size (image, pv_elf_image_find_section (image, ".debug_info")), ==,
        0);
}

static void
add_packed (ElfMaker *maker, const char *name, const GByteArray *packed)
{
    elf_maker_data (maker, name, SHF_COMPRESSED, packed->data, packed->len);
}

/* Sections that each may be as large as they are, but not all of them. */
TEST (too_much)
{
    const size_t size_bytes = (size_t)40 << 20;
    g_autofree uint8_t *zeros = g_malloc0 (size_bytes);
    g_autoptr (ElfMaker) maker = elf_maker_new (true, false, ET_DYN, EM_X86_64);
    g_autoptr (GByteArray) packed = pack (maker, zeros, size_bytes, ELFCOMPRESS_ZLIB, true);
    g_autoptr (GByteArray) few = pack (maker, zeros, 1000, ELFCOMPRESS_ZLIB, true);
    size_t found_size = 0;
    add_packed (maker, ".debug_info", packed);
    add_packed (maker, ".debug_line", packed);
    add_packed (maker, ".debug_str", few);
    g_autoptr (PvElfImage) image = open_maker (maker);
    g_assert_nonnull (pv_elf_image_get_section_data (
        image, pv_elf_image_find_section (image, ".debug_info"), &found_size));
    g_assert_cmpuint (found_size, ==, size_bytes);
    g_assert_false (pv_elf_image_has_too_much (image));
    for (int i = 0; i < 2; i++) {
        g_assert_null (pv_elf_image_get_section_data (
            image, pv_elf_image_find_section (image, ".debug_line"), &found_size));
        g_assert_true (pv_elf_image_has_too_much (image));
    }
    g_assert_nonnull (pv_elf_image_get_section_data (
        image, pv_elf_image_find_section (image, ".debug_str"), &found_size));
}

/* Files that are packed as a whole may not grow without end either, nor what is packed in them. */
TEST (packed_file)
{
    const size_t size_bytes = (size_t)40 << 20, cap = (size_t)80 << 20;
    g_autofree uint8_t *zeros = g_malloc0 (cap);
    g_autofree uint8_t *packed = g_malloc (ZSTD_compressBound (cap));
    g_autoptr (ElfMaker) maker = elf_maker_new (true, false, ET_DYN, EM_X86_64);
    g_autoptr (GByteArray) section = pack (maker, zeros, size_bytes, ELFCOMPRESS_ZLIB, true);
    size_t file_bytes, found_size = 0;
    add_packed (maker, ".debug_info", section);
    add_packed (maker, ".debug_line", section);
    g_autofree uint8_t *file = elf_maker_finish (maker, &file_bytes);
    size_t n = ZSTD_compress (packed, ZSTD_compressBound (cap), file, file_bytes, 3);
    g_autoptr (PvElfImage) image = pv_elf_image_new_packed (packed, n, cap, "packed", NULL);
    g_assert_nonnull (pv_elf_image_get_section_data (
        image, pv_elf_image_find_section (image, ".debug_line"), &found_size));
    g_assert_null (pv_elf_image_get_section_data (
        image, pv_elf_image_find_section (image, ".debug_info"), &found_size));

    n = ZSTD_compress (packed, ZSTD_compressBound (cap), zeros, cap, 3);
    assert_error (error, pv_elf_image_new_packed (packed, n, SIZE_MAX, "zeros", &error),
                  PV_READ_ERROR, PV_READ_ERROR_CORRUPT);
}

/* Symbols */

static const char *
find_one (PvElfImage *image, uint64_t addr, PvArena *arena)
{
    PvModuleFile file = {.binary = image, .debug = image};
    PvSymbolHit hit;

    pv_elf_symbols_find (&file, &addr, 1, &hit, arena);
    return hit.kind == PV_SYMBOL_NAMED ? hit.name : NULL;
}

TEST (symbols)
{
    g_autoptr (ElfMaker) maker = elf_maker_new (true, false, ET_DYN, EM_X86_64);
    uint32_t text = elf_maker_text (maker, 0x1000, NULL, 0x1000);
    MakerSymbol symbols[] = {
        /* aliases: not weak, global, fewer underscores, longer */
        {"weak", 0x1000, 0x10, STB_WEAK, STT_FUNC, (uint16_t)text},
        {"local", 0x1000, 0x10, STB_LOCAL, STT_FUNC, (uint16_t)text},
        {"__global", 0x1000, 0x10, STB_GLOBAL, STT_FUNC, (uint16_t)text},
        {"glob", 0x1000, 0x10, STB_GLOBAL, STT_FUNC, (uint16_t)text},
        {"global", 0x1000, 0x10, STB_GLOBAL, STT_FUNC, (uint16_t)text},
        {"__GI_globalissimo", 0x1000, 0x10, STB_GLOBAL, STT_FUNC, (uint16_t)text},
        {"globalissimo@OLD", 0x1000, 0x10, STB_GLOBAL, STT_FUNC, (uint16_t)text},
        /* a function inside of another */
        {"outer", 0x1100, 0x100, STB_GLOBAL, STT_FUNC, (uint16_t)text},
        {"inner", 0x1140, 0x20, STB_GLOBAL, STT_FUNC, (uint16_t)text},
        {"label", 0x1180, 0, STB_LOCAL, STT_NOTYPE, (uint16_t)text},
        /* no size: up to the next symbol, or the end of the section */
        {"unsized", 0x1300, 0, STB_GLOBAL, STT_FUNC, (uint16_t)text},
        {"sized", 0x1340, 0x10, STB_GLOBAL, STT_FUNC, (uint16_t)text},
        {"last", 0x1f00, 0, STB_GLOBAL, STT_FUNC, (uint16_t)text},
        /* never */
        {"$x", 0x1400, 0, STB_LOCAL, STT_NOTYPE, (uint16_t)text},
        {"variable", 0x1400, 0x100, STB_GLOBAL, STT_OBJECT, (uint16_t)text},
        {"undefined", 0x1400, 0x100, STB_GLOBAL, STT_FUNC, SHN_UNDEF},
        {"huge", 0x1500, UINT64_MAX, STB_GLOBAL, STT_FUNC, (uint16_t)text},
        {NULL},
    };
    elf_maker_symbols (maker, false, symbols);
    g_autoptr (PvElfImage) image = open_maker (maker);
    static const struct {
        uint64_t addr;
        const char *name;
    } cases[] = {
        {0xfff, NULL},       {0x1000, "global"},  {0x100f, "global"}, {0x1010, NULL},
        {0x1100, "outer"},   {0x113f, "outer"},   {0x1140, "inner"},  {0x115f, "inner"},
        {0x1160, "outer"},   {0x1190, "outer"},   {0x11ff, "outer"},  {0x1200, NULL},
        {0x1300, "unsized"}, {0x133f, "unsized"}, {0x1340, "sized"},  {0x1350, NULL},
        {0x1410, NULL},      {0x1600, NULL},      {0x1fff, "last"},   {0x2000, NULL},
    };
    g_autoptr (PvArena) arena = pv_arena_new ();

    for (size_t i = 0; i < G_N_ELEMENTS (cases); i++)
        g_assert_cmpstr (find_one (image, cases[i].addr, arena), ==, cases[i].name);

    /* All at once says the same. */
    uint64_t addrs[G_N_ELEMENTS (cases)];
    PvSymbolHit hits[G_N_ELEMENTS (cases)];
    PvModuleFile file = {.binary = image, .debug = image};
    for (size_t i = 0; i < G_N_ELEMENTS (cases); i++)
        addrs[i] = cases[i].addr;
    pv_elf_symbols_find (&file, addrs, G_N_ELEMENTS (cases), hits, arena);
    for (size_t i = 0; i < G_N_ELEMENTS (cases); i++)
        g_assert_cmpstr (hits[i].name, ==, cases[i].name);
}

/* A label without size does not name a function behind it that only its frames tell of. */
TEST (labels)
{
    g_autoptr (ElfMaker) maker = elf_maker_new (true, false, ET_DYN, EM_X86_64);
    uint32_t text = elf_maker_text (maker, 0x1000, NULL, 0x1000);
    g_auto (EhFrame) frame = {.link_addr = 0x3000};
    eh_frame_add_common_cie (&frame);
    EH_FRAME_FDE (&frame, 0x1000, 0x100, 0);
    EH_FRAME_FDE (&frame, 0x1200, 0x100, 0);
    elf_maker_section (maker, (MakerSection){.name = ".eh_frame",
                                             .type = SHT_PROGBITS,
                                             .flags = SHF_ALLOC,
                                             .addr = frame.link_addr,
                                             .data = frame.bytes.data,
                                             .size_bytes = frame.bytes.len});
    MakerSymbol symbols[] = {{"label", 0x1040, 0, STB_LOCAL, STT_FUNC, (uint16_t)text}, {NULL}};
    elf_maker_symbols (maker, false, symbols);
    g_autoptr (PvElfImage) image = open_maker (maker);
    g_autoptr (PvArena) arena = pv_arena_new ();
    PvModuleFile file = {.binary = image, .debug = image};
    const uint64_t addrs[] = {0x1020, 0x1050, 0x1150, 0x1250, 0x1350};
    PvSymbolHit hits[G_N_ELEMENTS (addrs)];

    pv_elf_symbols_find (&file, addrs, G_N_ELEMENTS (addrs), hits, arena);
    g_assert_cmpint (hits[0].kind, ==, PV_SYMBOL_RANGE);
    g_assert_cmpstr (hits[1].name, ==, "label");
    g_assert_cmpstr (hits[2].name, ==, "label"); /* code without frames may go on */
    g_assert_cmpint (hits[3].kind, ==, PV_SYMBOL_RANGE);
    g_assert_cmphex (hits[3].start, ==, 0x1200);
    g_assert_cmpstr (hits[4].name, ==, "label");
}

/* A stripped file exports few of its functions: without frames to tell where it ends, an exported
 * label names only the address where it is, not all the code behind it. */
TEST (exported_labels)
{
    const uint64_t addrs[] = {0x1040, 0x1050, 0x1108, 0x1200, 0x1f00};
    for (unsigned is_stripped = 0; is_stripped < 2; is_stripped++) {
        g_autoptr (ElfMaker) maker = elf_maker_new (true, false, ET_DYN, EM_X86_64);
        uint32_t text = elf_maker_text (maker, 0x1000, NULL, 0x1000);
        g_auto (EhFrame) frame = {.link_addr = 0x3000};
        eh_frame_add_common_cie (&frame);
        EH_FRAME_FDE (&frame, 0x1100, 0x80, 0);
        elf_maker_section (maker, (MakerSection){.name = ".eh_frame",
                                                 .type = SHT_PROGBITS,
                                                 .flags = SHF_ALLOC,
                                                 .addr = frame.link_addr,
                                                 .data = frame.bytes.data,
                                                 .size_bytes = frame.bytes.len});
        MakerSymbol exported[] = {{"first", 0x1040, 0, STB_GLOBAL, STT_FUNC, (uint16_t)text},
                                  {"framed", 0x1100, 0, STB_GLOBAL, STT_FUNC, (uint16_t)text},
                                  {NULL}};
        elf_maker_symbols (maker, true, exported);
        if (!is_stripped)
            elf_maker_symbols (maker, false, exported);
        g_autoptr (PvElfImage) image = open_maker (maker);
        g_autoptr (PvArena) arena = pv_arena_new ();
        PvModuleFile file = {.binary = image, .debug = image};
        PvSymbolHit hits[G_N_ELEMENTS (addrs)];

        g_assert_cmpint (pv_elf_symbols_find (&file, addrs, G_N_ELEMENTS (addrs), hits, arena), ==,
                         !is_stripped);
        g_assert_cmpstr (hits[0].name, ==, "first");
        g_assert_cmpstr (hits[1].name, ==, is_stripped ? NULL : "first");
        g_assert_cmpstr (hits[2].name, ==, "framed");
        for (size_t i = 3; i < G_N_ELEMENTS (addrs); i++)
            g_assert_cmpstr (hits[i].name, ==, is_stripped ? NULL : "framed");
    }
}

/* endbr64; bnd jmp *slot(%rip), as with -fcf-protection, in .plt.sec. */
TEST (plt)
{
    g_autoptr (ElfMaker) maker = elf_maker_new (true, false, ET_DYN, EM_X86_64);
    uint8_t code[32] = {0xf3, 0x0f, 0x1e, 0xfa, 0xf2, 0xff, 0x25, 0, 0, 0, 0};
    uint64_t slot = 0x4018;
    uint32_t disp = (uint32_t)(slot - (0x1010 + 11));
    Elf64_Rela relocation = {slot, ELF64_R_INFO (1, R_X86_64_JUMP_SLOT), 0};

    memcpy (code + 16, code, 16);
    memcpy (code + 16 + 7, &disp, sizeof disp);
    elf_maker_section (maker, (MakerSection){.name = ".plt.sec",
                                             .type = SHT_PROGBITS,
                                             .flags = SHF_ALLOC | SHF_EXECINSTR,
                                             .addr = 0x1000,
                                             .data = code,
                                             .size_bytes = sizeof code,
                                             .entry_size = 16});
    MakerSymbol symbols[] = {{"memcpy", 0, 0, STB_GLOBAL, STT_FUNC, SHN_UNDEF}, {NULL}};
    uint32_t table = elf_maker_symbols (maker, true, symbols);
    elf_maker_section (maker, (MakerSection){.name = ".rela.plt",
                                             .type = SHT_RELA,
                                             .flags = SHF_ALLOC,
                                             .data = &relocation,
                                             .size_bytes = sizeof relocation,
                                             .link = table});
    g_autoptr (PvElfImage) image = open_maker (maker);
    g_autoptr (PvArena) arena = pv_arena_new ();
    g_assert_cmpstr (find_one (image, 0x1010, arena), ==, "memcpy@plt");
    g_assert_cmpstr (find_one (image, 0x101c, arena), ==, "memcpy@plt");
    g_assert_null (find_one (image, 0x1000, arena));
}

/* A kernel module: the loader puts its code together, without what is for its start only. */
TEST (relocatable)
{
    g_autoptr (ElfMaker) maker = elf_maker_new (true, false, ET_REL, EM_X86_64);
    uint64_t code = SHF_ALLOC | SHF_EXECINSTR;
    MakerSection section = {.type = SHT_PROGBITS, .flags = code, .size_bytes = 0x25, .align = 16};

    section.name = ".text";
    uint32_t text = elf_maker_section (maker, section);
    section.name = ".init.text";
    uint32_t init = elf_maker_section (maker, section);
    section.name = ".text.unlikely";
    uint32_t unlikely = elf_maker_section (maker, section);
    MakerSymbol symbols[] = {{"warm", 4, 8, STB_GLOBAL, STT_FUNC, (uint16_t)text},
                             {"start", 4, 8, STB_GLOBAL, STT_FUNC, (uint16_t)init},
                             {"cold", 4, 8, STB_GLOBAL, STT_FUNC, (uint16_t)unlikely},
                             {NULL}};
    elf_maker_symbols (maker, false, symbols);
    g_autoptr (PvElfImage) image = open_maker (maker);
    g_autoptr (PvArena) arena = pv_arena_new ();
    g_assert_cmpstr (find_one (image, 4, arena), ==, "warm");
    g_assert_cmpstr (find_one (image, 0x34, arena), ==, "cold");
    g_assert_null (find_one (image, 0x20, arena));
}

/* Object files */

enum { N_INFO_BYTES = 64 };

typedef struct {
    uint16_t machine;
    uint32_t wide, narrow, other; /* types of relocations */
} Relocated;

static void
put_relocation (const ElfMaker *maker, GByteArray *out, uint64_t offset, uint32_t symbol,
                uint32_t type, uint64_t addend)
{
    elf_maker_put_all (maker, out, 8, offset, (uint64_t)symbol << 32 | type, addend);
}

/* Two sections of code, data between them, and debug information that refers to them and to another
 * debug section. */
static ElfMaker *
make_object (const Relocated *relocated, bool is_big_endian, bool is_packed)
{
    ElfMaker *maker = elf_maker_new (true, is_big_endian, ET_REL, relocated->machine);
    MakerSection section = {.type = SHT_PROGBITS,
                            .flags = SHF_ALLOC | SHF_EXECINSTR,
                            .size_bytes = 0x25,
                            .align = 16,
                            .name = ".text.one"};
    uint32_t one = elf_maker_section (maker, section);
    section.name = ".data";
    section.flags = SHF_ALLOC | SHF_WRITE;
    uint32_t variables = elf_maker_section (maker, section);
    section.name = ".text.two";
    section.flags = SHF_ALLOC | SHF_EXECINSTR;
    uint32_t two = elf_maker_section (maker, section);
    uint8_t text[N_INFO_BYTES];
    memset (text, 0xee, sizeof text);
    g_autoptr (GByteArray) packed = pack (maker, text, sizeof text, ELFCOMPRESS_ZLIB, true);
    uint32_t info =
        elf_maker_data (maker, ".debug_info", is_packed ? SHF_COMPRESSED : 0,
                        is_packed ? packed->data : text, is_packed ? packed->len : N_INFO_BYTES);
    uint32_t strings = elf_maker_data (maker, ".debug_str", 0, text, sizeof text);
    MakerSymbol symbols[] = {{"one", 0, 0, STB_LOCAL, STT_SECTION, (uint16_t)one},
                             {"two", 4, 8, STB_GLOBAL, STT_FUNC, (uint16_t)two},
                             {"strings", 0, 0, STB_LOCAL, STT_SECTION, (uint16_t)strings},
                             {"data", 0, 0, STB_LOCAL, STT_SECTION, (uint16_t)variables},
                             {"elsewhere", 7, 0, STB_GLOBAL, STT_NOTYPE, SHN_UNDEF},
                             {NULL}};
    uint32_t table = elf_maker_symbols (maker, false, symbols);
    g_autoptr (GByteArray) relocations = g_byte_array_new ();
    put_relocation (maker, relocations, 0, 1, relocated->wide, 0);
    put_relocation (maker, relocations, 8, 2, relocated->wide, 3);
    put_relocation (maker, relocations, 16, 3, relocated->narrow, 0x1234);
    put_relocation (maker, relocations, 20, 4, relocated->narrow, 1);
    put_relocation (maker, relocations, 24, 5, relocated->wide, 9);
    put_relocation (maker, relocations, 32, 1, relocated->other, 0);
    put_relocation (maker, relocations, 40, 99, relocated->narrow, 5);
    put_relocation (maker, relocations, N_INFO_BYTES - 4, 3, relocated->wide, 0);
    put_relocation (maker, relocations, UINT64_MAX - 2, 3, relocated->narrow, 0);
    elf_maker_section (maker, (MakerSection){.name = ".rela.debug_info",
                                             .type = SHT_RELA,
                                             .data = relocations->data,
                                             .size_bytes = relocations->len,
                                             .link = table,
                                             .info = info});
    return maker;
}

static const Relocated relocated_machines[] = {
    {EM_X86_64, R_X86_64_64, R_X86_64_32, R_X86_64_DTPOFF64},
    {EM_X86_64, R_X86_64_64, R_X86_64_32S, R_X86_64_PC32},
    {EM_AARCH64, R_AARCH64_ABS64, R_AARCH64_ABS32, R_AARCH64_PREL64},
};

static uint64_t
find_placed (const PvElfImage *image, const char *name)
{
    const PvElfSection *section = pv_elf_image_find_section (image, name);
    g_assert_nonnull (section);
    return section->link_addr;
}

/* Sections have addresses of their own, and debug information tells them. */
TEST (placed)
{
    for (unsigned c = 0; c < 4 * G_N_ELEMENTS (relocated_machines); c++) {
        g_autoptr (ElfMaker) maker =
            make_object (&relocated_machines[c / 4], c % 2 == 1, c % 4 >= 2);
        g_autoptr (PvElfImage) image = open_maker (maker);
        uint64_t start, end;
        g_assert_false (pv_elf_image_get_placed (image, &start, &end));
        g_assert_true (pv_elf_image_place (image));
        g_assert_false (pv_elf_image_place (image));
        g_assert_true (pv_elf_image_get_placed (image, &start, &end));
        uint64_t one = find_placed (image, ".text.one"), two = find_placed (image, ".text.two");
        uint64_t variables = find_placed (image, ".data");
        g_assert_cmpuint (start, >, 0);
        g_assert_cmpuint (one, ==, start);
        g_assert_cmpuint (two, >=, one + 0x25);
        g_assert_cmpuint (end, >=, two + 0x25);
        g_assert_cmpuint (variables, >=, end);
        g_assert_cmpuint (find_placed (image, ".debug_str"), ==, 0);
        size_t size_bytes = 0;
        const uint8_t *data = pv_elf_image_get_section_data (
            image, pv_elf_image_find_section (image, ".debug_info"), &size_bytes);
        g_assert_cmpuint (size_bytes, ==, N_INFO_BYTES);
        PvCursor cursor = pv_cursor (data, size_bytes, c % 2 == 1);
        g_assert_cmphex (pv_cursor_u64 (&cursor), ==, one);
        g_assert_cmphex (pv_cursor_u64 (&cursor), ==, two + 4 + 3);
        g_assert_cmphex (pv_cursor_u32 (&cursor), ==, 0x1234);
        g_assert_cmphex (pv_cursor_u32 (&cursor), ==, variables + 1);
        g_assert_cmphex (pv_cursor_u64 (&cursor), ==, 9);
        g_assert_cmphex (pv_cursor_u64 (&cursor), ==, UINT64_C (0xeeeeeeeeeeeeeeee));
        g_assert_cmphex (pv_cursor_u32 (&cursor), ==, 5);
        while (pv_cursor_left (&cursor) > 0)
            g_assert_cmphex (pv_cursor_u8 (&cursor), ==, 0xee);
    }
    static const Relocated unknown = {EM_RISCV, 2, 1, 0};
    g_autoptr (ElfMaker) maker = make_object (&unknown, false, false);
    g_autoptr (PvElfImage) image = open_maker (maker);
    g_assert_false (pv_elf_image_place (image));
    g_assert_cmpuint (find_placed (image, ".text.one"), ==, 0);
}

/* Code of 2 GiB and more has no room below the addresses that 32 bits have. */
TEST (not_placed)
{
    g_autoptr (ElfMaker) maker = elf_maker_new (true, false, ET_REL, EM_X86_64);
    for (unsigned i = 0; i < 3; i++)
        elf_maker_section (
            maker, (MakerSection){
                       .name = ".bss", .type = SHT_NOBITS, .flags = SHF_ALLOC, .size_bytes = 64});
    size_t size_bytes;
    uint8_t *data = elf_maker_finish (maker, &size_bytes);
    uint64_t large[] = {0x40000000, 0x3ffffff0, UINT64_MAX};
    uint64_t table;
    memcpy (&table, data + offsetof (Elf64_Ehdr, e_shoff), sizeof table);
    for (unsigned i = 0; i < 3; i++)
        memcpy (data + table + (i + 1) * sizeof (Elf64_Shdr) + offsetof (Elf64_Shdr, sh_size),
                &large[i], sizeof large[i]);
    g_autoptr (PvMappedFile) file = pv_mapped_file_new_take (data, size_bytes);
    g_autoptr (PvElfImage) image = pv_elf_image_new (file, "large.o", NULL);
    uint64_t start, end;
    g_assert_nonnull (image);
    g_assert_false (pv_elf_image_place (image));
    g_assert_false (pv_elf_image_get_placed (image, &start, &end));
    g_assert_cmpuint (find_placed (image, ".bss"), ==, 0);
}

/* Damage */

static void
use_everything (PvElfImage *image)
{
    const PvElfSection *sections;
    size_t n_sections = pv_elf_image_get_sections (image, &sections);
    g_autoptr (PvArena) arena = pv_arena_new ();
    PvModuleFile file = {.binary = image, .debug = image};
    uint64_t addrs[] = {0, 0x1000, 0x1008, 0x1100, UINT64_MAX};
    PvSymbolHit hits[G_N_ELEMENTS (addrs)];
    size_t size_bytes = 0;
    uint64_t addr;

    for (size_t s = 0; s < n_sections; s++)
        pv_elf_image_get_section_data (image, &sections[s], &size_bytes);
    for (size_t i = 0; i < G_N_ELEMENTS (addrs); i++) {
        pv_elf_image_read (image, addrs[i], &size_bytes);
        pv_elf_image_offset_to_link (image, addrs[i], &addr);
    }
    pv_elf_symbols_find (&file, addrs, G_N_ELEMENTS (addrs), hits, arena);
}

/* Cut at every place and changed at every byte: no crash, for what is read is bounded. */
TEST (damaged_object)
{
    g_autoptr (ElfMaker) maker = make_object (&relocated_machines[0], false, true);
    size_t size_bytes;
    g_autofree uint8_t *data = elf_maker_finish (maker, &size_bytes);
    for (size_t i = 0; i < 2 * size_bytes; i++) {
        size_t len = i < size_bytes ? i : size_bytes;
        uint8_t *copy = g_memdup2 (data, len);
        if (i >= size_bytes)
            copy[i - size_bytes] ^= 0xff;
        g_autoptr (PvMappedFile) file = pv_mapped_file_new_take (copy, len);
        g_autoptr (PvElfImage) image = pv_elf_image_new (file, "damaged.o", NULL);
        if (image != NULL) {
            pv_elf_image_place (image);
            use_everything (image);
        }
    }
}

TEST (damaged)
{
    g_autoptr (ElfMaker) maker = elf_maker_new (true, false, ET_DYN, EM_X86_64);
    g_autofree uint8_t *text = make_text (300);
    g_autoptr (GByteArray) packed = pack (maker, text, 300, ELFCOMPRESS_ZLIB, true);
    uint32_t code = elf_maker_text (maker, 0x1000, NULL, 0x20);
    elf_maker_load (maker, code, true);
    elf_maker_data (maker, ".debug_info", SHF_COMPRESSED, packed->data, packed->len);
    elf_maker_build_id (maker, build_id, sizeof build_id);
    MakerSymbol symbols[] = {{"main", 0x1000, 16, STB_GLOBAL, STT_FUNC, 1}, {NULL}};
    elf_maker_symbols (maker, false, symbols);
    size_t size_bytes;
    g_autofree uint8_t *data = elf_maker_finish (maker, &size_bytes);

    for (size_t i = 0; i < 2 * size_bytes; i++) {
        size_t len = i < size_bytes ? i : size_bytes;
        uint8_t *copy = g_memdup2 (data, len);
        if (i >= size_bytes)
            copy[i - size_bytes] ^= 0xff;
        g_autoptr (PvMappedFile) file = pv_mapped_file_new_take (copy, len);
        g_autoptr (PvElfImage) image = pv_elf_image_new (file, "damaged", NULL);
        if (image != NULL)
            use_everything (image);
    }
}
