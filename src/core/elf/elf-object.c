/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Object files: relocatable files of the System V gABI. The relocations in their debug information
 * are those that have an absolute address (AMD64 psABI, table 4.9; ELF for the Arm 64-bit
 * Architecture, section 5.7.4): of code, or of another debug section, which counts from 0. Others,
 * such as those of variables for each thread, are left as they are.
 */
#include <elf.h>

#include "core/base/cursor.h"
#include "core/elf/elf-image-private.h"

/* Addresses fit relocations of 32 bits. 0 is not used: compilers leave it to be filled in. */
#define FIRST_ADDR UINT64_C (0x10000)
#define END_ADDR   (UINT64_C (1) << 31)

enum { ADDR_STEP = 16 };

static bool
is_placed (const PvElfSection *section)
{
    return (section->flags & SHF_ALLOC) != 0 && section->type != SHT_NULL;
}

static uint64_t
count_room (const PvElfSection *section)
{
    return MIN (section->size_bytes, END_ADDR) / ADDR_STEP * ADDR_STEP + ADDR_STEP;
}

static bool
has_room (const PvElfImage *image)
{
    uint64_t addr = FIRST_ADDR;
    for (size_t i = 1; i < image->n_sections && addr < END_ADDR; i++)
        addr += is_placed (&image->sections[i]) ? count_room (&image->sections[i]) : 0;
    return addr < END_ADDR;
}

/* Returns the address after them. */
static uint64_t
place_sections (PvElfImage *image, bool is_code, uint64_t addr)
{
    for (size_t i = 1; i < image->n_sections; i++) {
        PvElfSection *section = &image->sections[i];
        if (is_placed (section) && ((section->flags & SHF_EXECINSTR) != 0) == is_code) {
            section->link_addr = addr;
            addr += count_room (section);
        }
    }
    return addr;
}

static bool
is_debug (const PvElfSection *section)
{
    return (section->flags & SHF_ALLOC) == 0 && (g_str_has_prefix (section->name, ".debug_") ||
                                                 g_str_has_prefix (section->name, ".zdebug_"));
}

bool
pv_elf_image_place (PvElfImage *image)
{
    g_assert (image != NULL);
    bool is_known = image->machine == EM_X86_64 || image->machine == EM_AARCH64;
    if (image->type != ET_REL || !image->is_64bit || !is_known || image->relocations_of != NULL ||
        image->unpacked != NULL || !has_room (image))
        return false;
    /* Code first, so that it is together. */
    image->placed_code_end = place_sections (image, true, FIRST_ADDR);
    place_sections (image, false, image->placed_code_end);
    image->relocations_of = g_new0 (uint32_t, image->n_sections + 1);
    for (size_t i = 0; i < image->n_sections; i++) {
        uint32_t of = image->sections[i].info;
        if (image->sections[i].type == SHT_RELA && of < image->n_sections &&
            is_debug (&image->sections[of]) && image->relocations_of[of] == 0)
            image->relocations_of[of] = (uint32_t)i;
    }
    return true;
}

bool
pv_elf_image_get_placed (const PvElfImage *image, uint64_t *ret_start, uint64_t *ret_end)
{
    g_assert (image != NULL && ret_start != NULL && ret_end != NULL);
    *ret_start = FIRST_ADDR;
    *ret_end = image->placed_code_end;
    return image->relocations_of != NULL;
}

/* How many bytes a relocation replaces; 0: none. */
static unsigned
find_width (const PvElfImage *image, uint32_t type)
{
    if (image->machine == EM_X86_64)
        return type == R_X86_64_64 ? 8 : type == R_X86_64_32 || type == R_X86_64_32S ? 4 : 0;
    return type == R_AARCH64_ABS64 ? 8 : type == R_AARCH64_ABS32 ? 4 : 0;
}

/* The symbols that relocations take their addresses from. */
typedef struct {
    const PvElfImage *image;
    const uint8_t *symbols;
    size_t n_symbols;
    const uint8_t *large_indexes; /* SHT_SYMTAB_SHNDX; NULL: none */
    size_t n_large_indexes;
} Symbols;

static Symbols
find_symbols (const PvElfImage *image, uint32_t table)
{
    Symbols symbols = {.image = image};
    if (table >= image->n_sections || image->sections[table].type != SHT_SYMTAB)
        return symbols;
    symbols.symbols = pv_elf_image_get_stored (image, &image->sections[table]);
    if (symbols.symbols != NULL)
        symbols.n_symbols = image->sections[table].size_bytes / sizeof (Elf64_Sym);
    for (size_t i = 0; i < image->n_sections; i++) {
        const PvElfSection *section = &image->sections[i];
        if (section->type != SHT_SYMTAB_SHNDX || section->link != table)
            continue;
        symbols.large_indexes = pv_elf_image_get_stored (image, section);
        if (symbols.large_indexes != NULL)
            symbols.n_large_indexes = section->size_bytes / sizeof (uint32_t);
    }
    return symbols;
}

/* The address of a symbol; 0 for one that another file has. */
static uint64_t
find_address (const Symbols *symbols, uint32_t index)
{
    const PvElfImage *image = symbols->image;
    if (index >= symbols->n_symbols)
        return 0;
    PvCursor cursor = pv_cursor (symbols->symbols + index * sizeof (Elf64_Sym), sizeof (Elf64_Sym),
                                 image->is_swapped);
    pv_cursor_skip (&cursor, 6); /* name, type, visibility */
    uint32_t section = pv_cursor_u16 (&cursor);
    uint64_t value = pv_cursor_u64 (&cursor);
    if (section == SHN_XINDEX && symbols->large_indexes != NULL &&
        index < symbols->n_large_indexes) {
        cursor = pv_cursor (symbols->large_indexes + index * sizeof (uint32_t), sizeof (uint32_t),
                            image->is_swapped);
        section = pv_cursor_u32 (&cursor);
    } else if (section >= SHN_LORESERVE) {
        return section == SHN_ABS ? value : 0;
    }
    return section != SHN_UNDEF && section < image->n_sections
               ? value + image->sections[section].link_addr
               : 0;
}

static void
put (const PvElfImage *image, uint8_t *at, uint64_t value, unsigned width)
{
    bool is_little = (G_BYTE_ORDER == G_LITTLE_ENDIAN) != image->is_swapped;
    for (unsigned i = 0; i < width; i++)
        at[is_little ? i : width - 1 - i] = (uint8_t)(value >> 8 * i);
}

void
pv_elf_image_relocate (const PvElfImage *image, uint32_t relocations, uint8_t *data,
                       size_t size_bytes)
{
    const PvElfSection *section = &image->sections[relocations];
    const uint8_t *stored = pv_elf_image_get_stored (image, section);
    Symbols symbols = find_symbols (image, section->link);
    PvCursor cursor =
        pv_cursor (stored, stored != NULL ? section->size_bytes : 0, image->is_swapped);
    while (pv_cursor_left (&cursor) >= sizeof (Elf64_Rela)) {
        uint64_t offset = pv_cursor_u64 (&cursor);
        uint64_t info = pv_cursor_u64 (&cursor);
        uint64_t addend = pv_cursor_u64 (&cursor);
        unsigned width = find_width (image, (uint32_t)info);
        if (width > 0 && size_bytes >= width && offset <= size_bytes - width)
            put (image, data + offset, find_address (&symbols, (uint32_t)(info >> 32)) + addend,
                 width);
    }
}
