/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of all four layouts, made by hand: main.outer at 0x1000 .. 0x1040, with main.inner inlined
 * at 0x1010 .. 0x1020. */
#include <elf.h>
#include <string.h>

#include "../cases.h"
#include "core/symbolize/go/go-pclntab.h"
#include "elf-maker.h"

#define TEXT_ADDR   0x1000
#define RODATA_ADDR 0x3000
#define TABLE_ADDR  0x4000
#define DATA_ADDR   0x8000

/* Base of the inline tree's offset, since 1.18. */
#define GOFUNC_ADDR (RODATA_ADDR - 0x10)

typedef enum { GO_1_2, GO_1_16, GO_1_18, GO_1_20, N_VERSIONS } Version;

static const ElfMaker *order; /* only for its byte order */

static void
put (GByteArray *bytes, uint64_t value, unsigned size)
{
    elf_maker_put (order, bytes, value, size);
}

#define put_all(bytes, size, ...) elf_maker_put_all (order, bytes, size, __VA_ARGS__)

static uint32_t
put_string (GByteArray *bytes, const char *string)
{
    uint32_t offset = bytes->len;
    g_byte_array_append (bytes, (const guint8 *)string, (guint)strlen (string) + 1);
    return offset;
}

static void
align (GByteArray *bytes, unsigned size)
{
    while (bytes->len % size != 0)
        put (bytes, 0, 1);
}

/* Values for [0, 0x10), [0x10, 0x20), [0x20, 0x40). */
static uint32_t
put_program (GByteArray *bytes, int a, int b, int c)
{
    const int values[] = {a, b, c};
    const uint8_t sizes[] = {0x10, 0x10, 0x20};
    uint32_t offset = bytes->len;
    int value = -1;

    for (unsigned i = 0; i < 3; i++) {
        int difference = values[i] - value;
        uint32_t zigzag = (uint32_t)difference << 1 ^ (uint32_t)(difference >> 31);
        if (difference == 0 && i > 0) { /* nothing changes: the pair before goes on */
            bytes->data[bytes->len - 1] += sizes[i];
            continue;
        }
        g_assert_cmpuint (zigzag, <, 0x80);
        put_all (bytes, 1, zigzag, sizes[i]);
        value = values[i];
    }
    put (bytes, 0, 1);
    return offset;
}

/* Parts whose places differ between versions. */
typedef struct {
    GByteArray *names, *files, *units, *programs, *functions;
} Parts;

static void
put_record (GByteArray *out, Version version, uint32_t name, uint32_t file, uint32_t line,
            uint32_t inlined)
{
    if (version >= GO_1_18)
        put (out, 0, 4);
    else
        put (out, TEXT_ADDR, 8);
    put (out, name, 4);
    put (out, 0, 12); /* args, deferreturn, pcsp */
    put_all (out, 4, file, line);
    put (out, 3, 4); /* tables of pc values */
    if (version >= GO_1_16)
        put (out, 0, 4); /* compilation unit */
    if (version >= GO_1_20)
        put (out, 9, 4); /* first line */
    put (out, 0, 3);
    put (out, 4, 1); /* function data */
    put_all (out, 4, 0, 0, inlined);
    if (version < GO_1_18)
        align (out, 8);
    for (unsigned i = 0; i < 3; i++)
        put (out, version >= GO_1_18 ? UINT32_MAX : 0, version >= GO_1_18 ? 4 : 8);
    if (version >= GO_1_18)
        put (out, RODATA_ADDR - GOFUNC_ADDR, 4);
    else
        put (out, RODATA_ADDR, 8);
}

static GByteArray *
make_old_table (void)
{
    GByteArray *table = g_byte_array_new ();

    put (table, 0xfffffffb, 4);
    put (table, 0x08010000, 4); /* quantum 1, pointers of 8 bytes */
    put_all (table, 8, 1, TEXT_ADDR);
    guint record_at = table->len;
    put_all (table, 8, 0, TEXT_ADDR + 0x40);
    guint files_at = table->len;
    put (table, 0, 4);
    uint32_t name = put_string (table, "main.outer");
    uint32_t file_name = put_string (table, "/src/a.go");
    uint32_t file = put_program (table, 1, 1, 1);
    uint32_t line = put_program (table, 10, 5, 12);
    align (table, 8);
    uint32_t files = table->len;
    put (table, 2, 4); /* counts itself */
    put (table, file_name, 4);
    uint32_t record = table->len;
    put_record (table, GO_1_2, name, file, line, 0);
    memcpy (table->data + record_at, &record, 4);
    memcpy (table->data + files_at, &files, 4);
    return table;
}

static GByteArray *
make_table (Version version, uint64_t *ret_names)
{
    static const uint32_t magics[] = {0, 0xfffffffa, 0xfffffff0, 0xfffffff1};
    unsigned pair = version >= GO_1_18 ? 4 : 8;
    guint8 zero = 0;

    if (version == GO_1_2)
        return make_old_table ();
    GByteArray *table = g_byte_array_new ();
    put_all (table, 4, magics[version], 0x08010000);
    put (table, 1, 8); /* functions */
    put (table, 1, 8); /* files */
    if (version >= GO_1_18)
        put (table, TEXT_ADDR, 8);
    guint fields = table->len;
    put (table, 0, 5 * 8);
    while (table->len < fields + 5 * 8)
        put (table, 0, 1);

    uint64_t places[5];
    places[0] = table->len;
    g_byte_array_append (table, &zero, 1);
    uint32_t outer = put_string (table, "main.outer") - (uint32_t)places[0];
    uint32_t inner = put_string (table, "main.inner") - (uint32_t)places[0];
    g_assert_cmpuint (inner, ==, 12);
    align (table, 4);
    places[1] = table->len;
    put (table, 0, 4); /* the first file of the unit */
    places[2] = table->len;
    put_string (table, "/src/a.go");
    places[3] = table->len;
    put (table, 0, 1);
    uint32_t file = put_program (table, 0, 0, 0) - (uint32_t)places[3];
    uint32_t line = put_program (table, 10, 5, 12) - (uint32_t)places[3];
    uint32_t inlined = put_program (table, -1, 0, -1) - (uint32_t)places[3];
    align (table, 8);
    places[4] = table->len;
    put (table, version >= GO_1_18 ? 0 : TEXT_ADDR, pair);
    put (table, 4 * pair, pair);
    put (table, version >= GO_1_18 ? 0x40 : TEXT_ADDR + 0x40, pair);
    put (table, 0, pair);
    put_record (table, version, outer, file, line, inlined);
    memcpy (table->data + fields, places, sizeof places);
    *ret_names = places[0];
    return table;
}

static GByteArray *
make_inline_tree (Version version)
{
    GByteArray *tree = g_byte_array_new ();

    if (version >= GO_1_20) {
        put (tree, 0, 4);
        put (tree, 12, 4); /* name */
        put (tree, 8, 4);  /* the call is where 0x1008 is */
        put (tree, 4, 4);  /* first line */
    } else {
        put_all (tree, 4, 0xffff, 0, 10, 12, 8);
    }
    return tree;
}

static PvElfImage *
make_program (Version version, const char *section_name)
{
    g_autoptr (ElfMaker) maker = elf_maker_new (true, false, ET_EXEC, EM_X86_64);
    uint64_t names = 0;

    order = maker;
    g_autoptr (GByteArray) table = make_table (version, &names);
    g_autoptr (GByteArray) tree = make_inline_tree (version);
    uint64_t moduledata[50] = {0, 1, 2, TABLE_ADDR, TABLE_ADDR + names, 24, 24};
    moduledata[3 + 38] = GOFUNC_ADDR;
    if (version >= GO_1_20) {
        moduledata[3 + 38] = 0x77;
        moduledata[3 + 40] = GOFUNC_ADDR;
    }
    MakerSection sections[] = {
        {.name = ".text", .flags = SHF_EXECINSTR, .addr = TEXT_ADDR, .size_bytes = 0x40},
        {.name = ".rodata", .addr = RODATA_ADDR, .data = tree->data, .size_bytes = tree->len},
        {.name = section_name, .addr = TABLE_ADDR, .data = table->data, .size_bytes = table->len},
        {.name = ".go.buildinfo", .addr = 0x7000, .size_bytes = 16},
        {.name = ".noptrdata",
         .addr = DATA_ADDR,
         .data = moduledata,
         .size_bytes = sizeof moduledata},
    };
    for (size_t i = 0; i < G_N_ELEMENTS (sections); i++) {
        sections[i].type = SHT_PROGBITS;
        sections[i].flags |= SHF_ALLOC;
        elf_maker_load (maker, elf_maker_section (maker, sections[i]), i == 0);
    }
    size_t size_bytes;
    uint8_t *data = elf_maker_finish (maker, &size_bytes);
    g_autoptr (PvMappedFile) file = pv_mapped_file_new_take (data, size_bytes);
    PvElfImage *image = pv_elf_image_new (file, "go", NULL);
    g_assert_nonnull (image);
    return image;
}

static void
check (PvElfImage *image, Version version)
{
    g_autoptr (PvArena) arena = pv_arena_new ();
    g_autoptr (PvGoTable) table = pv_go_table_new (image, arena);
    PvFrameChain chain = {0};

    g_assert_nonnull (table);
    g_assert_false (pv_go_table_find (table, TEXT_ADDR - 1, &chain));
    g_assert_false (pv_go_table_find (table, TEXT_ADDR + 0x40, &chain));

    g_assert_true (pv_go_table_find (table, TEXT_ADDR, &chain));
    g_assert_cmpuint (chain.n_frames, ==, 1);
    g_assert_cmpstr (chain.frames[0].name, ==, "main.outer");
    g_assert_cmpstr (chain.frames[0].file, ==, "/src/a.go");
    g_assert_cmpuint (chain.frames[0].line, ==, 10);
    g_assert_cmpuint (chain.frames[0].decl_line, ==, version >= GO_1_20 ? 9 : 10);
    g_assert_true (pv_go_table_find (table, TEXT_ADDR + 0x3f, &chain));
    g_assert_cmpuint (chain.frames[0].line, ==, 12);

    g_assert_true (pv_go_table_find (table, TEXT_ADDR + 0x18, &chain));
    if (version == GO_1_2) {
        g_assert_cmpuint (chain.n_frames, ==, 1);
        return;
    }
    g_assert_cmpuint (chain.n_frames, ==, 2);
    g_assert_cmpstr (chain.frames[0].name, ==, "main.inner");
    g_assert_true (chain.frames[0].is_inlined);
    g_assert_cmpuint (chain.frames[0].line, ==, 5);
    g_assert_cmpstr (chain.frames[1].name, ==, "main.outer");
    g_assert_false (chain.frames[1].is_inlined);
    g_assert_cmpuint (chain.frames[1].line, ==, 10);
}

TEST (versions)
{
    for (Version version = 0; version < N_VERSIONS; version++) {
        g_autoptr (PvElfImage) image = make_program (version, ".gopclntab");
        check (image, version);
    }
}

/* The section has got another name: found by its first bytes. */
TEST (renamed)
{
    for (Version version = 0; version < N_VERSIONS; version++) {
        g_autoptr (PvElfImage) image = make_program (version, ".x");
        check (image, version);
    }
}

TEST (damaged)
{
    for (Version version = 0; version < N_VERSIONS; version++) {
        g_autoptr (PvElfImage) whole = make_program (version, ".gopclntab");
        PvMappedFile *file = pv_elf_image_get_file (whole);
        size_t size_bytes = pv_mapped_file_get_size (file);
        for (size_t i = 0; i < size_bytes; i++) {
            uint8_t *copy = g_memdup2 (pv_mapped_file_get_data (file), size_bytes);
            copy[i] ^= 0xff;
            g_autoptr (PvMappedFile) changed = pv_mapped_file_new_take (copy, size_bytes);
            g_autoptr (PvElfImage) image = pv_elf_image_new (changed, "damaged", NULL);
            if (image == NULL)
                continue;
            g_autoptr (PvArena) arena = pv_arena_new ();
            g_autoptr (PvGoTable) table = pv_go_table_new (image, arena);
            PvFrameChain chain;
            for (uint64_t addr = TEXT_ADDR; table != NULL && addr < TEXT_ADDR + 0x48; addr += 8)
                pv_go_table_find (table, addr, &chain);
        }
    }
}
