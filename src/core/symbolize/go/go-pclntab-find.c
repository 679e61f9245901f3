/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds a Go program's table, and the moduledata with the base of its inline trees: stripped
 * programs have symbols for neither.
 */
#include <elf.h>
#include <string.h>

#include "core/symbolize/go/go-pclntab-private.h"

#define MAX_CANDIDATES 16

/* The index of the word in moduledata that contains gofunc. */
#define GOFUNC_WORD_1_18 38
#define GOFUNC_WORD_1_20 40

/* Finding the table */

static bool
find_version (uint32_t magic, PvGoVersion *ret_version)
{
    static const uint32_t magics[] = {0xfffffffb, 0xfffffffa, 0xfffffff0, 0xfffffff1};

    for (size_t i = 0; i < G_N_ELEMENTS (magics); i++)
        if (magic == magics[i]) {
            *ret_version = (PvGoVersion)i;
            return true;
        }
    return false;
}

/* In files of position-independent programs, relocated pointers are zero; the value is in the
 * relocation. */
static uint64_t
find_relocated (PvElfImage *binary, uint64_t link_addr)
{
    const PvElfSection *sections;
    size_t n_sections = pv_elf_image_get_sections (binary, &sections);
    Elf64_Rela relocation;

    for (size_t s = 0; s < n_sections; s++) {
        size_t size_bytes;
        if (sections[s].type != SHT_RELA || (sections[s].flags & SHF_ALLOC) == 0)
            continue;
        const uint8_t *data = pv_elf_image_get_section_data (binary, &sections[s], &size_bytes);
        for (size_t r = 0; data != NULL && r < size_bytes / sizeof relocation; r++) {
            memcpy (&relocation, data + r * sizeof relocation, sizeof relocation);
            if (relocation.r_offset == link_addr && ELF64_R_SYM (relocation.r_info) == 0)
                return (uint64_t)relocation.r_addend;
        }
    }
    return 0;
}

static uint64_t
find_text_start (const PvGoTable *table, uint64_t in_header, uint64_t field_addr)
{
    uint64_t start = in_header;

    if (start == 0 && table->pointer_size == 8 && !table->swap)
        start = find_relocated (table->binary, field_addr);
    if (start == 0) {
        const PvElfSection *text = pv_elf_image_find_section (table->binary, ".text");
        start = text != NULL ? text->link_addr : 0;
    }
    return start;
}

/* Reads the header; rejects random bytes that look like the first word of a table. */
static bool
read_header (PvGoTable *table)
{
    PvCursor cursor = pv_go_table_cursor_at (table, 0);
    uint32_t magic = pv_cursor_u32 (&cursor);
    uint16_t zero = pv_cursor_u16 (&cursor);

    table->quantum = pv_cursor_u8 (&cursor);
    table->pointer_size = pv_cursor_u8 (&cursor);
    if (cursor.failed || !find_version (magic, &table->version) || zero != 0 ||
        (table->quantum != 1 && table->quantum != 2 && table->quantum != 4) ||
        (table->pointer_size != 4 && table->pointer_size != 8))
        return false;
    table->n_functions = pv_go_table_read_pointer (table, &cursor);
    if (table->version == GO_1_2) {
        table->functions = 8 + table->pointer_size;
    } else {
        table->n_files = pv_go_table_read_pointer (table, &cursor);
        uint64_t field_addr = table->link_addr + (uint64_t)(cursor.pos - table->data);
        if (table->version >= GO_1_18)
            table->text_start =
                find_text_start (table, pv_go_table_read_pointer (table, &cursor), field_addr);
        table->names = pv_go_table_read_pointer (table, &cursor);
        table->compilation_units = pv_go_table_read_pointer (table, &cursor);
        table->files = pv_go_table_read_pointer (table, &cursor);
        table->programs = pv_go_table_read_pointer (table, &cursor);
        table->functions = pv_go_table_read_pointer (table, &cursor);
    }
    size_t pair_size = table->version >= GO_1_18 ? 8 : 2 * table->pointer_size;
    if (cursor.failed || table->n_functions == 0 || table->functions > table->size_bytes ||
        table->n_functions > (table->size_bytes - table->functions) / pair_size)
        return false;
    if (table->version == GO_1_2) {
        cursor = pv_go_table_cursor_at (table, table->functions + table->n_functions * pair_size);
        pv_go_table_read_pointer (table, &cursor); /* end of the last function */
        table->files = pv_cursor_u32 (&cursor);
        PvCursor files = pv_go_table_cursor_at (table, table->files);
        table->n_files = pv_cursor_u32 (&files);
        if (cursor.failed || files.failed)
            return false;
    }
    uint64_t first, last, record;
    return pv_go_table_read_pair (table, 0, &first, &record) &&
           pv_go_table_read_pair (table, table->n_functions, &last, &record) && first < last;
}

static bool
try_at (PvGoTable *table, const uint8_t *data, size_t size_bytes, uint64_t link_addr)
{
    table->data = data;
    table->size_bytes = size_bytes;
    table->link_addr = link_addr;
    return size_bytes >= 16 && read_header (table);
}

static bool
is_go_program (const PvElfImage *binary)
{
    const PvElfSection *sections;

    return pv_elf_image_get_sections (binary, &sections) == 0 ||
           pv_elf_image_find_section (binary, ".go.buildinfo") != NULL ||
           pv_elf_image_find_section (binary, ".note.go.buildid") != NULL;
}

/* Searches all loaded segments for the header: the section may have another name, or section
 * headers may be missing. */
static bool
scan_segments (PvGoTable *table)
{
    static const uint8_t tail_little[] = {0xff, 0xff, 0xff, 0, 0};
    const PvElfSegment *segments;
    size_t n_segments = pv_elf_image_get_segments (table->binary, &segments);

    if (table->swap) /* the pattern is little-endian */
        return false;
    for (size_t s = 0; s < n_segments; s++) {
        size_t size_bytes;
        const uint8_t *data = pv_elf_image_read (table->binary, segments[s].link_addr, &size_bytes);
        const uint8_t *end = data != NULL ? data + size_bytes : NULL;
        for (const uint8_t *pos = data; pos != NULL && pos + 8 < end;) {
            pos = memmem (pos + 1, (size_t)(end - pos - 1), tail_little, sizeof tail_little);
            if (pos != NULL && try_at (table, pos - 1, (size_t)(end - pos + 1),
                                       segments[s].link_addr + (uint64_t)(pos - 1 - data)))
                return true;
        }
    }
    return false;
}

bool
pv_go_table_find_header (PvGoTable *table)
{
    static const char *const names[] = {".gopclntab", ".data.rel.ro.gopclntab"};

    for (size_t i = 0; i < G_N_ELEMENTS (names); i++) {
        const PvElfSection *section = pv_elf_image_find_section (table->binary, names[i]);
        size_t size_bytes;
        const uint8_t *data =
            section != NULL ? pv_elf_image_get_section_data (table->binary, section, &size_bytes)
                            : NULL;
        if (data != NULL && try_at (table, data, size_bytes, section->link_addr))
            return true;
    }
    return is_go_program (table->binary) && scan_segments (table);
}

/* Moduledata */

/* True if data may be moduledata: its second word points to the names, the third is their size. */
static bool
is_moduledata (const PvGoTable *table, const uint8_t *data)
{
    uint64_t words[4];

    memcpy (words, data, sizeof words);
    return words[0] == table->link_addr && words[1] == table->link_addr + table->names &&
           words[2] <= table->size_bytes && words[2] == words[3];
}

static uint64_t
find_gofunc_in_data (const PvGoTable *table)
{
    const PvElfSegment *segments;
    size_t n_segments = pv_elf_image_get_segments (table->binary, &segments);
    size_t word = table->version >= GO_1_20 ? GOFUNC_WORD_1_20 : GOFUNC_WORD_1_18;
    uint64_t addr = table->link_addr;

    for (size_t s = 0; s < n_segments; s++) {
        size_t size_bytes;
        const uint8_t *data = pv_elf_image_read (table->binary, segments[s].link_addr, &size_bytes);
        if (data == NULL || segments[s].is_executable)
            continue;
        for (size_t i = 0; i + (word + 1) * 8 <= size_bytes; i += 8) {
            if (memcmp (data + i, &addr, sizeof addr) != 0 || !is_moduledata (table, data + i))
                continue;
            uint64_t gofunc;
            memcpy (&gofunc, data + i + word * 8, sizeof gofunc);
            return gofunc;
        }
    }
    return 0;
}

/* For position-independent programs: the words are in relocations. */
static uint64_t
find_gofunc_in_relocations (const PvGoTable *table)
{
    const PvElfSection *sections;
    size_t n_sections = pv_elf_image_get_sections (table->binary, &sections);
    uint64_t word = table->version >= GO_1_20 ? GOFUNC_WORD_1_20 : GOFUNC_WORD_1_18;
    unsigned n_candidates = 0;
    Elf64_Rela relocation;

    for (size_t s = 0; s < n_sections; s++) {
        size_t size_bytes;
        if (sections[s].type != SHT_RELA || (sections[s].flags & SHF_ALLOC) == 0)
            continue;
        const uint8_t *data =
            pv_elf_image_get_section_data (table->binary, &sections[s], &size_bytes);
        for (size_t r = 0; data != NULL && r < size_bytes / sizeof relocation; r++) {
            memcpy (&relocation, data + r * sizeof relocation, sizeof relocation);
            if ((uint64_t)relocation.r_addend != table->link_addr)
                continue;
            if (++n_candidates > MAX_CANDIDATES) /* each takes a pass over all */
                return 0;
            uint64_t place = relocation.r_offset;
            if (find_relocated (table->binary, place + 8) == table->link_addr + table->names)
                return find_relocated (table->binary, place + word * 8);
        }
    }
    return 0;
}

uint64_t
pv_go_table_find_gofunc (const PvGoTable *table)
{
    if (table->version < GO_1_18 || table->pointer_size != 8 || table->swap)
        return 0;
    uint64_t gofunc = find_gofunc_in_data (table);
    return gofunc != 0 ? gofunc : find_gofunc_in_relocations (table);
}
