/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "elf-maker.h"

#include <elf.h>
#include <string.h>

typedef struct {
    MakerSection header;
    uint8_t *data;
    uint64_t offset;
} Section;

typedef struct {
    uint32_t section; /* 0: the numbers below */
    uint64_t offset, addr, size_bytes;
    bool is_executable;
} Segment;

struct ElfMaker {
    bool is_64bit;
    bool is_big_endian;
    uint16_t type;
    uint16_t machine;
    GArray *sections;
    GArray *segments;
};

ElfMaker *
elf_maker_new (bool is_64bit, bool is_big_endian, uint16_t type, uint16_t machine)
{
    ElfMaker *maker = g_new0 (ElfMaker, 1);
    Section none = {.header = {.name = ""}};

    maker->is_64bit = is_64bit;
    maker->is_big_endian = is_big_endian;
    maker->type = type;
    maker->machine = machine;
    maker->sections = g_array_new (FALSE, TRUE, sizeof (Section));
    maker->segments = g_array_new (FALSE, TRUE, sizeof (Segment));
    g_array_append_val (maker->sections, none);
    return maker;
}

void
elf_maker_free (ElfMaker *maker)
{
    for (guint i = 0; i < maker->sections->len; i++)
        g_free (g_array_index (maker->sections, Section, i).data);
    g_array_unref (maker->sections);
    g_array_unref (maker->segments);
    g_free (maker);
}

uint32_t
elf_maker_section (ElfMaker *maker, MakerSection header)
{
    Section section = {.header = header};

    section.data = g_malloc0 (header.size_bytes + 1);
    if (header.data != NULL)
        memcpy (section.data, header.data, header.size_bytes);
    g_array_append_val (maker->sections, section);
    return maker->sections->len - 1;
}

uint32_t
elf_maker_text (ElfMaker *maker, uint64_t addr, const void *data, size_t size_bytes)
{
    return elf_maker_section (maker, (MakerSection){.name = ".text",
                                                    .type = SHT_PROGBITS,
                                                    .flags = SHF_ALLOC | SHF_EXECINSTR,
                                                    .addr = addr,
                                                    .data = data,
                                                    .size_bytes = size_bytes});
}

uint32_t
elf_maker_data (ElfMaker *maker, const char *name, uint64_t flags, const void *data,
                size_t size_bytes)
{
    return elf_maker_section (maker, (MakerSection){.name = name,
                                                    .type = SHT_PROGBITS,
                                                    .flags = flags,
                                                    .data = data,
                                                    .size_bytes = size_bytes});
}

void
elf_maker_load (ElfMaker *maker, uint32_t section, bool is_executable)
{
    Segment segment = {.section = section, .is_executable = is_executable};
    g_array_append_val (maker->segments, segment);
}

void
elf_maker_segment (ElfMaker *maker, uint64_t offset, uint64_t addr, uint64_t size_bytes,
                   bool is_executable)
{
    Segment segment = {0, offset, addr, size_bytes, is_executable};
    g_array_append_val (maker->segments, segment);
}

void
elf_maker_put (const ElfMaker *maker, GByteArray *bytes, uint64_t value, unsigned size)
{
    for (unsigned i = 0; i < size; i++) {
        unsigned shift = 8 * (maker->is_big_endian ? size - 1 - i : i);
        uint8_t byte = shift < 64 ? (uint8_t)(value >> shift) : 0;
        g_byte_array_append (bytes, &byte, 1);
    }
}

void
elf_maker_put_numbers (const ElfMaker *maker, GByteArray *bytes, unsigned size,
                       const uint64_t *values, size_t n)
{
    for (size_t i = 0; i < n; i++)
        elf_maker_put (maker, bytes, values[i], size);
}

#define put_words(maker, bytes, ...)                                                               \
    elf_maker_put_all (maker, bytes, maker->is_64bit ? 8 : 4, __VA_ARGS__)

void
elf_maker_build_id (ElfMaker *maker, const void *build_id, size_t size_bytes)
{
    g_autoptr (GByteArray) note = g_byte_array_new ();

    elf_maker_put_all (maker, note, 4, 4, size_bytes, NT_GNU_BUILD_ID);
    g_byte_array_append (note, (const guint8 *)"GNU", 4);
    g_byte_array_append (note, build_id, (guint)size_bytes);
    elf_maker_section (maker, (MakerSection){.name = ".note.gnu.build-id",
                                             .type = SHT_NOTE,
                                             .flags = SHF_ALLOC,
                                             .data = note->data,
                                             .size_bytes = note->len});
}

uint32_t
elf_maker_symbols (ElfMaker *maker, bool is_dynamic, const MakerSymbol *symbols)
{
    g_autoptr (GByteArray) table = g_byte_array_new ();
    g_autoptr (GByteArray) names = g_byte_array_new ();
    size_t entry_size = maker->is_64bit ? sizeof (Elf64_Sym) : sizeof (Elf32_Sym);
    static const uint8_t zeros[sizeof (Elf64_Sym)];

    g_byte_array_append (names, zeros, 1);
    g_byte_array_append (table, zeros, (guint)entry_size);
    for (const MakerSymbol *s = symbols; s->name != NULL; s++) {
        elf_maker_put (maker, table, names->len, 4);
        if (!maker->is_64bit)
            put_words (maker, table, s->value, s->size_bytes);
        elf_maker_put_all (maker, table, 1, ELF64_ST_INFO (s->binding, s->type), 0);
        elf_maker_put (maker, table, s->section, 2);
        if (maker->is_64bit)
            put_words (maker, table, s->value, s->size_bytes);
        g_byte_array_append (names, (const guint8 *)s->name, (guint)strlen (s->name) + 1);
    }
    uint32_t strings =
        elf_maker_section (maker, (MakerSection){.name = is_dynamic ? ".dynstr" : ".strtab",
                                                 .type = SHT_STRTAB,
                                                 .data = names->data,
                                                 .size_bytes = names->len});
    return elf_maker_section (maker, (MakerSection){.name = is_dynamic ? ".dynsym" : ".symtab",
                                                    .type = is_dynamic ? SHT_DYNSYM : SHT_SYMTAB,
                                                    .data = table->data,
                                                    .size_bytes = table->len,
                                                    .link = strings,
                                                    .entry_size = entry_size});
}

static void
put_segment (const ElfMaker *maker, GByteArray *out, const Segment *segment)
{
    uint64_t offset = segment->offset;
    uint64_t addr = segment->addr;
    uint64_t size_bytes = segment->size_bytes;
    uint32_t flags = PF_R | (segment->is_executable ? PF_X : 0);

    if (segment->section != 0) {
        const Section *section = &g_array_index (maker->sections, Section, segment->section);
        offset = section->offset;
        addr = section->header.addr;
        size_bytes = section->header.size_bytes;
    }
    elf_maker_put (maker, out, PT_LOAD, 4);
    if (maker->is_64bit)
        elf_maker_put (maker, out, flags, 4);
    put_words (maker, out, offset, addr, addr, size_bytes, size_bytes);
    if (!maker->is_64bit)
        elf_maker_put (maker, out, flags, 4);
    put_words (maker, out, 0x1000);
}

static void
put_section (const ElfMaker *maker, GByteArray *out, const Section *section, uint32_t name)
{
    elf_maker_put_all (maker, out, 4, name, section->header.type);
    put_words (maker, out, section->header.flags, section->header.addr, section->offset,
               section->header.size_bytes);
    elf_maker_put_all (maker, out, 4, section->header.link, section->header.info);
    put_words (maker, out, section->header.align, section->header.entry_size);
}

static void
put_file_header (const ElfMaker *maker, GByteArray *out, uint64_t segments, uint64_t sections)
{
    uint8_t ident[EI_NIDENT] = {0x7f, 'E', 'L', 'F'};

    ident[EI_CLASS] = maker->is_64bit ? ELFCLASS64 : ELFCLASS32;
    ident[EI_DATA] = maker->is_big_endian ? ELFDATA2MSB : ELFDATA2LSB;
    ident[EI_VERSION] = EV_CURRENT;
    g_byte_array_append (out, ident, sizeof ident);
    elf_maker_put_all (maker, out, 2, maker->type, maker->machine);
    elf_maker_put (maker, out, EV_CURRENT, 4);
    put_words (maker, out, 0, segments, sections);
    elf_maker_put (maker, out, 0, 4);
    elf_maker_put_all (maker, out, 2, maker->is_64bit ? sizeof (Elf64_Ehdr) : sizeof (Elf32_Ehdr),
                       maker->is_64bit ? sizeof (Elf64_Phdr) : sizeof (Elf32_Phdr),
                       maker->segments->len,
                       maker->is_64bit ? sizeof (Elf64_Shdr) : sizeof (Elf32_Shdr),
                       maker->sections->len, maker->sections->len - 1);
}

uint8_t *
elf_maker_finish (ElfMaker *maker, size_t *ret_size_bytes)
{
    g_autoptr (GByteArray) names = g_byte_array_new ();
    g_autofree uint32_t *name_offsets = g_new (uint32_t, maker->sections->len + 1);

    for (guint i = 0; i < maker->sections->len; i++) {
        const char *name = g_array_index (maker->sections, Section, i).header.name;
        name_offsets[i] = names->len;
        g_byte_array_append (names, (const guint8 *)name, (guint)strlen (name) + 1);
    }
    name_offsets[maker->sections->len] = names->len;
    g_byte_array_append (names, (const guint8 *)".shstrtab", sizeof ".shstrtab");
    elf_maker_section (maker, (MakerSection){.name = ".shstrtab",
                                             .type = SHT_STRTAB,
                                             .data = names->data,
                                             .size_bytes = names->len});

    uint64_t offset = 0x100;
    for (guint i = 1; i < maker->sections->len; i++) {
        Section *section = &g_array_index (maker->sections, Section, i);
        section->offset = offset;
        if (section->header.type != SHT_NOBITS)
            offset = (offset + section->header.size_bytes + 15) & ~(uint64_t)15;
    }
    uint64_t segments_offset = offset;
    uint64_t sections_offset =
        offset +
        maker->segments->len * (maker->is_64bit ? sizeof (Elf64_Phdr) : sizeof (Elf32_Phdr));

    GByteArray *out = g_byte_array_new ();
    put_file_header (maker, out, segments_offset, sections_offset);
    for (guint i = 1; i < maker->sections->len; i++) {
        const Section *section = &g_array_index (maker->sections, Section, i);
        if (section->header.type == SHT_NOBITS)
            continue;
        guint len = out->len;
        g_byte_array_set_size (out, (guint)section->offset);
        memset (out->data + len, 0, section->offset - len);
        g_byte_array_append (out, section->data, (guint)section->header.size_bytes);
    }
    guint len = out->len;
    g_byte_array_set_size (out, (guint)segments_offset);
    memset (out->data + len, 0, segments_offset - len);
    for (guint i = 0; i < maker->segments->len; i++)
        put_segment (maker, out, &g_array_index (maker->segments, Segment, i));
    for (guint i = 0; i < maker->sections->len; i++)
        put_section (maker, out, &g_array_index (maker->sections, Section, i), name_offsets[i]);
    *ret_size_bytes = out->len;
    return g_byte_array_free (out, FALSE);
}

void
elf_maker_write (ElfMaker *maker, const char *path)
{
    size_t size_bytes;
    g_autofree uint8_t *data = elf_maker_finish (maker, &size_bytes);
    g_autofree char *folder = g_path_get_dirname (path);

    g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
    g_assert_true (g_file_set_contents (path, (const char *)data, (gssize)size_bytes, NULL));
}
