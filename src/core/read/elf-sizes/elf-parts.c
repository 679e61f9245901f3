/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ELF, as in the System V gABI. Sections claim bytes first, in the order of their headers; then the
 * headers and the tables of headers; then what a segment maps (its padding); then the rest of the
 * file. Within a section symbols claim theirs: the smaller one where two overlap, one name where
 * several are for the same bytes. Debug information gives shares of a function's bytes to the calls
 * that were inlined into it.
 */
#include "core/read/elf-sizes/elf-parts.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/array.h"
#include "core/base/cursor.h"
#include "core/base/search.h"
#include "core/read/elf-sizes/size-claims.h"

enum { MAX_PADDING = 16, SYMBOLS_PER_CHECK = 1 << 16 };

/* Digits by which 64-bit numbers are sorted. */
enum { DIGIT_BITS = 11, N_DIGITS = 1 << DIGIT_BITS, DIGITS_PER_NUMBER = 6 };

/* Owners that are not sections. */
typedef enum {
    OWNER_HEADER,
    OWNER_SECTION_HEADERS,
    OWNER_PROGRAM_HEADERS,
    OWNER_SEGMENT,
    OWNER_REST,
    OWNER_TRAILING,
    N_OWNERS,
} Owner;

static const char *const names_of_owners[N_OWNERS] = {
    "[ELF header]",      "[section headers]",      "[program headers]",
    "[segment padding]", "[between the segments]", "[after the last section]",
};

typedef struct {
    const char *name;
    const char *source_file;
    uint64_t start, end; /* in its section */
    uint32_t section;
    uint8_t binding; /* STB_GLOBAL ... */
} Symbol;

/* A run of bytes of a section in one of the spaces. */
typedef struct {
    uint64_t start, end; /* in the section */
    uint32_t section;
    ElfSpace space;
    bool is_in_both; /* of both spaces */
} Run;

typedef struct {
    uint64_t link_addr;
    uint32_t section;
} Place;

typedef struct {
    PvElfImage *image;
    const uint8_t *data;
    uint64_t size_bytes;
    PvJob *job;
    const PvElfSection *sections;
    size_t n_sections;
    const PvElfSegment *segments;
    size_t n_segments;
    bool is_linked;
    const PvCodeMap *code; /* or NULL */
    ElfClass *class_of_section;
    ElfParts *ret;
    PV_ARRAY (ElfPart) parts;
    PV_ARRAY (Symbol) symbols;
    PV_ARRAY (Run) runs;
    PV_ARRAY (ElfShare) shares;
    PV_ARRAY (Place) places; /* sorted; only if another file has the symbols */
    uint64_t of_owner[N_OWNERS][ELF_N_SPACES];
    uint64_t sections_end; /* in the file: where the last of them, or of the headers, ends */
    ElfSpace space;        /* that is being claimed */
} Parting;

/* --- sections --- */

static bool
begins (const char *name, const char *prefix)
{
    return g_str_has_prefix (name, prefix);
}

static bool
begins_with_any (const char *name, const char *const *prefixes)
{
    for (; *prefixes != NULL; prefixes++)
        if (begins (name, *prefixes))
            return true;
    return false;
}

static ElfClass
classify (const PvElfSection *section)
{
    static const char *const debug[] = {".debug_",        ".zdebug_",       ".stab", ".gdb_index",
                                        ".gnu_debugdata", ".gnu_debuglink", NULL};
    static const char *const unwind[] = {".eh_frame", ".gcc_except_table", ".ARM.ex", ".orc_unwind",
                                         NULL};
    static const char *const linking[] = {".dyn",    ".hash", ".gnu.hash", ".gnu.version",
                                          ".interp", ".plt",  ".got",      NULL};
    const char *name = section->name;
    if (begins_with_any (name, debug))
        return ELF_CLASS_DEBUG;
    if (begins_with_any (name, unwind))
        return ELF_CLASS_UNWIND;
    if (begins_with_any (name, linking) || section->type == SHT_DYNSYM)
        return ELF_CLASS_LINKING;
    if (section->type == SHT_RELA || section->type == SHT_REL || section->type == 19 /* RELR */)
        return ELF_CLASS_RELOCATIONS;
    if (section->type == SHT_SYMTAB || section->type == SHT_STRTAB ||
        section->type == SHT_SYMTAB_SHNDX)
        return ELF_CLASS_SYMBOLS;
    if (section->type == SHT_NOTE)
        return ELF_CLASS_NOTES;
    if ((section->flags & SHF_ALLOC) == 0)
        return ELF_CLASS_OTHER;
    if ((section->flags & SHF_EXECINSTR) != 0)
        return ELF_CLASS_CODE;
    if ((section->flags & SHF_WRITE) == 0 || begins (name, ".data.rel.ro"))
        return ELF_CLASS_CONSTANTS;
    return section->type == SHT_NOBITS ? ELF_CLASS_ZEROS : ELF_CLASS_DATA;
}

static bool
is_in_file (const PvElfSection *section)
{
    return section->type != SHT_NOBITS && section->type != SHT_NULL;
}

/* A block of zeros for each thread lies in no segment. */
static bool
is_in_memory (const Parting *parting, const PvElfSection *section)
{
    bool is_per_thread = section->type == SHT_NOBITS && (section->flags & SHF_TLS) != 0;
    return section->type != SHT_NULL && (section->flags & SHF_ALLOC) != 0 &&
           !(is_per_thread && parting->is_linked);
}

/* --- claims --- */

typedef PV_ARRAY (SizeClaim) Claims;

static void
claim (Claims *claims, uint64_t start, uint64_t size_bytes, uint64_t rank, uint32_t owner)
{
    SizeClaim made = {start, start + MIN (size_bytes, UINT64_MAX - start), rank, owner};
    if (size_bytes > 0)
        pv_array_push (claims, made);
}

static void
give_to_owner (void *user, uint64_t start, uint64_t end, uint32_t owner)
{
    Parting *parting = user;
    if (owner >= parting->n_sections) {
        Owner other = (Owner)(owner - parting->n_sections);
        if (other == OWNER_REST && start >= parting->sections_end)
            other = OWNER_TRAILING;
        parting->of_owner[other][parting->space] += end - start;
        return;
    }
    const PvElfSection *section = &parting->sections[owner];
    uint64_t base = parting->space == ELF_SPACE_FILE ? section->file_offset : section->link_addr;
    Run run = {start - base, end - base, owner, parting->space, false};
    pv_array_push (&parting->runs, run);
}

static uint64_t
clip (Parting *parting, uint64_t offset, uint64_t size_bytes)
{
    uint64_t left = offset < parting->size_bytes ? parting->size_bytes - offset : 0;
    parting->ret->has_clipped |= size_bytes > left;
    return MIN (size_bytes, left);
}

/* The fields of the file header that only we need. */
typedef struct {
    uint64_t header_size;
    uint64_t program_headers_offset, program_headers_size;
    uint64_t section_headers_offset, section_headers_size;
} Tables;

static Tables
read_tables (const Parting *parting)
{
    bool is_64bit = pv_elf_image_is_64bit (parting->image);
    PvCursor cursor =
        pv_cursor (parting->data, parting->size_bytes, pv_elf_image_is_swapped (parting->image));
    Tables tables = {0};
    pv_cursor_skip (&cursor, EI_NIDENT + 8 + (is_64bit ? 8 : 4));
    tables.program_headers_offset = is_64bit ? pv_cursor_u64 (&cursor) : pv_cursor_u32 (&cursor);
    tables.section_headers_offset = is_64bit ? pv_cursor_u64 (&cursor) : pv_cursor_u32 (&cursor);
    pv_cursor_skip (&cursor, 4);
    tables.header_size = pv_cursor_u16 (&cursor);
    uint64_t size = pv_cursor_u16 (&cursor);
    tables.program_headers_size = size * pv_cursor_u16 (&cursor);
    size = pv_cursor_u16 (&cursor);
    tables.section_headers_size = size * parting->n_sections;
    return cursor.failed ? (Tables){0} : tables;
}

static void
claim_file (Parting *parting, const Tables *tables)
{
    Claims claims = {0};
    uint32_t n = (uint32_t)parting->n_sections;
    for (uint32_t i = 0; i < n; i++) {
        const PvElfSection *section = &parting->sections[i];
        if (!is_in_file (section))
            continue;
        uint64_t size = clip (parting, section->file_offset, section->size_bytes);
        claim (&claims, section->file_offset, size, i, i);
        if (size > 0)
            parting->sections_end = MAX (parting->sections_end, section->file_offset + size);
    }
    uint64_t size = clip (parting, 0, tables->header_size);
    claim (&claims, 0, size, n, n + OWNER_HEADER);
    size = clip (parting, tables->section_headers_offset, tables->section_headers_size);
    claim (&claims, tables->section_headers_offset, size, n + 1, n + OWNER_SECTION_HEADERS);
    parting->sections_end =
        MAX (parting->sections_end, size > 0 ? tables->section_headers_offset + size : 0);
    size = clip (parting, tables->program_headers_offset, tables->program_headers_size);
    claim (&claims, tables->program_headers_offset, size, n + 2, n + OWNER_PROGRAM_HEADERS);
    for (size_t i = 0; i < parting->n_segments; i++) {
        const PvElfSegment *segment = &parting->segments[i];
        size = clip (parting, segment->file_offset, segment->file_size_bytes);
        claim (&claims, segment->file_offset, size, n + 3, n + OWNER_SEGMENT);
        if (n == 0 && size > 0)
            parting->sections_end = MAX (parting->sections_end, segment->file_offset + size);
    }
    claim (&claims, 0, parting->size_bytes, n + 4, n + OWNER_REST);
    parting->space = ELF_SPACE_FILE;
    size_claims_resolve (claims.data, claims.len, give_to_owner, parting);
    pv_array_clear (&claims);
}

/* Headers are in memory where a segment maps them. */
static void
claim_mapped (Parting *parting, Claims *claims, uint64_t offset, uint64_t size_bytes, Owner owner)
{
    uint32_t n = (uint32_t)parting->n_sections;
    for (size_t i = 0; i < parting->n_segments; i++) {
        const PvElfSegment *segment = &parting->segments[i];
        if (offset >= segment->file_offset &&
            offset - segment->file_offset < segment->file_size_bytes) {
            uint64_t inside = offset - segment->file_offset;
            claim (claims, segment->link_addr + inside,
                   MIN (size_bytes, segment->file_size_bytes - inside), n + owner, n + owner);
            return;
        }
    }
}

static void
claim_memory (Parting *parting, const Tables *tables)
{
    Claims claims = {0};
    uint32_t n = (uint32_t)parting->n_sections;
    for (uint32_t i = 0; i < n; i++) {
        const PvElfSection *section = &parting->sections[i];
        if (!is_in_memory (parting, section))
            continue;
        if (parting->is_linked) {
            claim (&claims, section->link_addr, section->size_bytes, i, i);
        } else {
            Run run = {0, section->size_bytes, i, ELF_SPACE_MEMORY, false};
            pv_array_push (&parting->runs, run);
        }
    }
    if (parting->is_linked) {
        claim_mapped (parting, &claims, 0, tables->header_size, OWNER_HEADER);
        claim_mapped (parting, &claims, tables->program_headers_offset,
                      tables->program_headers_size, OWNER_PROGRAM_HEADERS);
        for (size_t i = 0; i < parting->n_segments; i++)
            claim (&claims, parting->segments[i].link_addr, parting->segments[i].mem_size_bytes,
                   n + N_OWNERS, n + OWNER_SEGMENT);
    }
    parting->space = ELF_SPACE_MEMORY;
    size_claims_resolve (claims.data, claims.len, give_to_owner, parting);
    pv_array_clear (&claims);
}

/* --- symbols --- */

typedef struct {
    PvElfImage *image; /* the file itself, or one that goes with it */
    const uint8_t *symbols;
    size_t size_bytes;
    const char *strings;
    size_t strings_size_bytes;
    const uint8_t *large_indexes; /* SHT_SYMTAB_SHNDX; NULL: none */
    size_t n_large_indexes;
    uint64_t tls_start; /* of linked files: what values of TLS symbols are counted from */
} SymbolTable;

/* A name of the string table; NULL if it is outside. */
static const char *
get_string (const SymbolTable *table, uint32_t offset)
{
    if (offset >= table->strings_size_bytes)
        return NULL;
    const char *string = table->strings + offset;
    return memchr (string, '\0', table->strings_size_bytes - offset) != NULL ? string : NULL;
}

static bool
find_table (PvElfImage *image, uint32_t type, SymbolTable *ret)
{
    const PvElfSection *sections;
    size_t n_sections = pv_elf_image_get_sections (image, &sections);
    for (size_t i = 0; i < n_sections; i++) {
        const PvElfSection *section = &sections[i];
        if (section->type != type || section->link >= n_sections)
            continue;
        *ret = (SymbolTable){.image = image};
        ret->symbols = pv_elf_image_get_section_data (image, section, &ret->size_bytes);
        ret->strings = (const char *)pv_elf_image_get_section_data (image, &sections[section->link],
                                                                    &ret->strings_size_bytes);
        if (ret->symbols == NULL || ret->strings == NULL)
            continue;
        for (size_t k = 0; k < n_sections; k++)
            if (sections[k].type == SHT_SYMTAB_SHNDX && sections[k].link == i) {
                ret->large_indexes =
                    pv_elf_image_get_section_data (image, &sections[k], &ret->n_large_indexes);
                ret->n_large_indexes /= sizeof (uint32_t);
            }
        return true;
    }
    return false;
}

/* Symbols of TLS count from the first of its sections. */
static uint64_t
find_tls_start (const Parting *parting)
{
    uint64_t start = UINT64_MAX;
    for (size_t i = 0; i < parting->n_sections; i++)
        if ((parting->sections[i].flags & SHF_TLS) != 0)
            start = MIN (start, parting->sections[i].link_addr);
    return start == UINT64_MAX ? 0 : start;
}

/* "$x", "$d": where code and data begin on Arm and RISC-V. */
static bool
is_mapping_symbol (const Parting *parting, const char *name)
{
    uint16_t machine = pv_elf_image_get_machine (parting->image);
    return name[0] == '$' && (machine == EM_ARM || machine == EM_AARCH64 || machine == EM_RISCV);
}

static int
compare_places (const void *a, const void *b)
{
    const Place *x = a, *y = b;
    return pv_order (x->link_addr, y->link_addr) ?: pv_order (x->section, y->section);
}

static void
sort_places (Parting *parting)
{
    for (uint32_t i = 1; i < parting->n_sections; i++) {
        const PvElfSection *section = &parting->sections[i];
        if (is_in_memory (parting, section) && section->size_bytes > 0)
            pv_array_push (&parting->places, ((Place){section->link_addr, i}));
    }
    pv_array_sort (&parting->places, compare_places);
}

/* The section of a symbol from another file, whose sections may have other numbers; 0: none. */
static uint32_t
find_section_at (const Parting *parting, uint64_t addr)
{
    size_t low = pv_bisect (0, parting->places.len, i, parting->places.data[i].link_addr <= addr);
    return low > 0 ? parting->places.data[low - 1].section : 0;
}

/* Adds a common symbol of an object file, for which the linker will make room in .bss. */
static void
take_common (Parting *parting, const Elf64_Sym *raw, const char *name)
{
    ElfPart part = {.kind = ELF_PART_SYMBOL,
                    .class = ELF_CLASS_ZEROS,
                    .section = "COMMON",
                    .name = name,
                    .name_source = PV_NAME_SYMBOL,
                    .bytes[ELF_SPACE_MEMORY] = raw->st_size};
    if (name != NULL && *name != '\0')
        pv_array_push (&parting->parts, part);
}

static void
take_symbol (Parting *parting, const SymbolTable *table, size_t index, const Elf64_Sym *raw,
             const char **source_file)
{
    unsigned type = ELF64_ST_TYPE (raw->st_info);
    const char *name = get_string (table, raw->st_name);
    uint32_t section = raw->st_shndx;
    if (type == STT_FILE) {
        *source_file = name != NULL && *name != '\0' ? name : NULL;
        return;
    }
    if (section == SHN_COMMON && !parting->is_linked) {
        take_common (parting, raw, name);
        return;
    }
    if (section == SHN_XINDEX && index < table->n_large_indexes) {
        memcpy (&section, table->large_indexes + index * sizeof section, sizeof section);
        section = pv_elf_image_is_swapped (table->image) ? GUINT32_SWAP_LE_BE (section) : section;
    } else if (section >= SHN_LORESERVE) {
        return;
    }
    if (table->image != parting->image && section != 0)
        section =
            find_section_at (parting, raw->st_value + (type == STT_TLS ? table->tls_start : 0));
    if (type == STT_SECTION || section == 0 || section >= parting->n_sections ||
        raw->st_size == 0 || name == NULL || *name == '\0' || is_mapping_symbol (parting, name))
        return;
    const PvElfSection *in = &parting->sections[section];
    uint64_t start = raw->st_value;
    if (pv_elf_image_get_machine (parting->image) == EM_ARM && type == STT_FUNC)
        start &= ~(uint64_t)1;
    if (parting->is_linked)
        start -= in->link_addr - (type == STT_TLS ? table->tls_start : 0);
    if (start >= in->size_bytes || pv_elf_section_is_packed (in)) {
        parting->ret->has_clipped |= start >= in->size_bytes && table->image == parting->image;
        return;
    }
    parting->ret->has_clipped |= raw->st_size > in->size_bytes - start;
    Symbol symbol = {
        .name = name,
        .source_file = ELF64_ST_BIND (raw->st_info) == STB_LOCAL ? *source_file : NULL,
        .start = start,
        .end = start + MIN (raw->st_size, in->size_bytes - start),
        .section = section,
        .binding = ELF64_ST_BIND (raw->st_info),
    };
    pv_array_push (&parting->symbols, symbol);
}

/* False when cancelled. */
static bool
read_table (Parting *parting, SymbolTable *table)
{
    bool is_64bit = pv_elf_image_is_64bit (table->image);
    const char *source_file = NULL;
    parting->ret->has_symbols = true;
    table->tls_start = find_tls_start (parting);
    PvCursor cursor =
        pv_cursor (table->symbols, table->size_bytes, pv_elf_image_is_swapped (table->image));
    for (size_t i = 0;; i++) {
        Elf64_Sym raw = {.st_name = pv_cursor_u32 (&cursor)};
        if (is_64bit) {
            raw.st_info = pv_cursor_u8 (&cursor);
            pv_cursor_skip (&cursor, 1);
            raw.st_shndx = pv_cursor_u16 (&cursor);
            raw.st_value = pv_cursor_u64 (&cursor);
            raw.st_size = pv_cursor_u64 (&cursor);
        } else {
            raw.st_value = pv_cursor_u32 (&cursor);
            raw.st_size = pv_cursor_u32 (&cursor);
            raw.st_info = pv_cursor_u8 (&cursor);
            pv_cursor_skip (&cursor, 1);
            raw.st_shndx = pv_cursor_u16 (&cursor);
        }
        if (cursor.failed)
            return true;
        if (i > 0)
            take_symbol (parting, table, i, &raw, &source_file);
        if (i % SYMBOLS_PER_CHECK == 0 && pv_job_is_cancelled (parting->job))
            return false;
    }
}

/* The table of a stripped file has exported symbols only. Its debug file may have the others, or
 * all. False when cancelled. */
static bool
read_symbols (Parting *parting)
{
    SymbolTable table;
    PvElfImage *debug = parting->code != NULL ? parting->code->debug : NULL;
    if (find_table (parting->image, SHT_SYMTAB, &table))
        return read_table (parting, &table);
    bool is_exported = find_table (parting->image, SHT_DYNSYM, &table);
    if (is_exported && !read_table (parting, &table))
        return false;
    if (debug != NULL && debug != parting->image && parting->is_linked &&
        find_table (debug, SHT_SYMTAB, &table)) {
        parting->ret->has_mini_info =
            strcmp (pv_elf_image_get_path (debug), pv_elf_image_get_path (parting->image)) == 0;
        sort_places (parting);
        return read_table (parting, &table);
    }
    parting->ret->is_stripped = is_exported;
    return true;
}

/* Order of names for the same bytes, of which the first is shown: global before weak before local,
 * then one without "_" before it, then the shorter one. */
static int
compare_names (const Symbol *a, const Symbol *b)
{
    static const int places[] = {[STB_LOCAL] = 2, [STB_GLOBAL] = 0, [STB_WEAK] = 1};
    int x = a->binding < G_N_ELEMENTS (places) ? places[a->binding] : 0;
    int y = b->binding < G_N_ELEMENTS (places) ? places[b->binding] : 0;
    if (x != y)
        return x - y;
    if ((*a->name == '_') != (*b->name == '_'))
        return *a->name == '_' ? 1 : -1;
    size_t len_a = strlen (a->name), len_b = strlen (b->name);
    return len_a != len_b ? (len_a < len_b ? -1 : 1) : strcmp (a->name, b->name);
}

static int
compare_symbols (const void *a, const void *b)
{
    const Symbol *x = a, *y = b;
    return pv_order (x->section, y->section) ?: pv_order (x->start, y->start) ?:
           pv_order (x->end, y->end) ?: compare_names (x, y);
}

/* Sort key of a symbol; symbols with the same section and start are then compared further. */
typedef struct {
    uint64_t start;
    uint32_t section;
    uint32_t symbol;
} SymbolKey;

static unsigned
get_digit (const SymbolKey *key, bool is_of_section, unsigned shift)
{
    return (unsigned)((is_of_section ? key->section : key->start) >> shift) & (N_DIGITS - 1);
}

/* Sorts keys by a digit; those with the same one stay in order. */
static void
sort_by_digit (const SymbolKey *from, SymbolKey *to, size_t n, bool is_of_section, unsigned shift)
{
    size_t starts[N_DIGITS] = {0}, at = 0;
    for (size_t i = 0; i < n; i++)
        starts[get_digit (&from[i], is_of_section, shift)]++;
    for (size_t d = 0; d < N_DIGITS; d++) {
        size_t n_here = starts[d];
        starts[d] = at;
        at += n_here;
    }
    for (size_t i = 0; i < n; i++)
        to[starts[get_digit (&from[i], is_of_section, shift)]++] = from[i];
}

/* Sorts keys by section and then by start; the last digit first. spare has room for as many.
 * Returns which of the two arrays has them. */
static const SymbolKey *
sort_keys (SymbolKey *keys, SymbolKey *spare, size_t n)
{
    SymbolKey bits = {0}; /* that are set in any of them */
    for (size_t i = 0; i < n; i++) {
        bits.start |= keys[i].start;
        bits.section |= keys[i].section;
    }
    for (unsigned d = 0; d < 2 * DIGITS_PER_NUMBER; d++) {
        bool is_of_section = d >= DIGITS_PER_NUMBER;
        unsigned shift = d % DIGITS_PER_NUMBER * DIGIT_BITS;
        if (get_digit (&bits, is_of_section, shift) == 0)
            continue;
        sort_by_digit (keys, spare, n, is_of_section, shift);
        SymbolKey *sorted = spare;
        spare = keys;
        keys = sorted;
    }
    return keys;
}

/* The symbols by section and start. */
static Symbol *
order_symbols (const Symbol *symbols, size_t n)
{
    g_autofree SymbolKey *keys = g_new (SymbolKey, n), *spare = g_new (SymbolKey, n);
    for (size_t i = 0; i < n; i++)
        keys[i] = (SymbolKey){symbols[i].start, symbols[i].section, (uint32_t)i};
    const SymbolKey *sorted = sort_keys (keys, spare, n);
    Symbol *ordered = g_new (Symbol, n);
    for (size_t i = 0; i < n; i++)
        ordered[i] = symbols[sorted[i].symbol];
    return ordered;
}

/* Sorts symbols, and leaves one for the same bytes. */
static void
sort_symbols (Parting *parting)
{
    size_t n = 0, n_all = parting->symbols.len;
    if (n_all == 0)
        return;
    Symbol *symbols = order_symbols (parting->symbols.data, n_all);
    for (size_t i = 0, end; i < n_all; i = end) {
        for (end = i + 1; end < n_all && symbols[end].section == symbols[i].section &&
                          symbols[end].start == symbols[i].start;)
            end++;
        if (end - i > 1)
            qsort (&symbols[i], end - i, sizeof *symbols, compare_symbols);
        for (size_t k = i; k < end; k++)
            if (k == i || symbols[k].end != symbols[n - 1].end)
                symbols[n++] = symbols[k];
    }
    g_free (parting->symbols.data);
    parting->symbols.data = symbols;
    parting->symbols.len = n;
    parting->symbols.cap = n_all;
}

/* --- the parts of a section --- */

/* Which part owns bytes of a section. */
typedef struct {
    uint64_t start, end;
    uint32_t part;
} Piece;

typedef struct {
    Parting *parting;
    uint32_t section;
    const uint8_t *bytes; /* of the section in the file; NULL: none */
    uint64_t at;          /* the bytes before it belong to a part */
    uint32_t first_part, padding, unnamed;
    bool has_code; /* which debug information may describe */
    PV_ARRAY (Piece) pieces;
} Dividing;

static uint32_t
add_part (Parting *parting, ElfPartKind kind, uint32_t section, const Symbol *symbol)
{
    ElfPart part = {
        .kind = kind,
        .class = parting->class_of_section[section],
        .section = parting->sections[section].name,
        .name = symbol != NULL ? symbol->name : NULL,
        .name_source = symbol != NULL ? PV_NAME_SYMBOL : PV_NAME_WRITTEN,
        .source_file = symbol != NULL ? symbol->source_file : NULL,
    };
    pv_array_push (&parting->parts, part);
    return (uint32_t)parting->parts.len - 1;
}

/* Adds the files and line that debug information has for a function and its compile unit. */
static void
describe_function (const Parting *parting, uint64_t link_addr, ElfPart *part)
{
    const PvCodeMap *code = parting->code;
    size_t i = pv_code_spans_find (code->unit_spans, code->n_unit_spans, link_addr);
    if (i < code->n_unit_spans && code->unit_spans[i].start <= link_addr)
        part->unit_file = code->file_of_unit[code->unit_spans[i].row];
    i = pv_code_spans_find (code->spans, code->n_spans, link_addr);
    if (i == code->n_spans || code->spans[i].start > link_addr)
        return;
    const PvCodeScope *scope = &code->scopes[code->spans[i].row];
    while (scope->parent != 0)
        scope = &code->scopes[scope->parent];
    part->file = scope->file;
    part->line = scope->line;
    part->name_source = scope->source;
}

/* No instruction that does anything: NOPs of several lengths, breakpoints and zeros. */
static bool
is_padding (const uint8_t *bytes, uint64_t size_bytes)
{
    static const uint8_t fill[] = {0x00, 0x90, 0xcc, 0x66, 0x2e, 0x0f, 0x1f,
                                   0x40, 0x44, 0x80, 0x84, 0x20, 0x03, 0xd5};
    if (size_bytes > MAX_PADDING)
        return false;
    for (uint64_t i = 0; bytes != NULL && i < size_bytes; i++)
        if (memchr (fill, bytes[i], sizeof fill) == NULL)
            return false;
    return true;
}

static void
add_piece (Dividing *dividing, uint64_t start, uint64_t end, uint32_t part)
{
    Piece piece = {start, end, part};
    pv_array_push (&dividing->pieces, piece);
}

static void
fill_gap (Dividing *dividing, uint64_t end)
{
    uint64_t start = dividing->at;
    if (start >= end)
        return;
    bool is_fill =
        is_padding (dividing->bytes != NULL ? dividing->bytes + start : NULL, end - start);
    uint32_t *part = is_fill ? &dividing->padding : &dividing->unnamed;
    if (*part == UINT32_MAX)
        *part = add_part (dividing->parting, is_fill ? ELF_PART_PADDING : ELF_PART_UNNAMED,
                          dividing->section, NULL);
    add_piece (dividing, start, end, *part);
}

static void
take_symbol_piece (void *user, uint64_t start, uint64_t end, uint32_t owner)
{
    Dividing *dividing = user;
    fill_gap (dividing, start);
    add_piece (dividing, start, end, dividing->first_part + owner);
    dividing->at = end;
}

/* Adds the bytes of a function that are of inlined calls. */
static void
add_shares (Parting *parting, uint32_t part, const Run *run, uint64_t start, uint64_t end)
{
    const PvCodeMap *code = parting->code;
    for (size_t i = pv_code_spans_find (code->spans, code->n_spans, start);
         i < code->n_spans && code->spans[i].start < end; i++) {
        const PvCodeSpan *span = &code->spans[i];
        ElfShare share = {.part = part, .scope = span->row};
        for (unsigned space = 0; space < ELF_N_SPACES; space++)
            if (run->is_in_both || space == run->space)
                share.bytes[space] = MIN (span->end, end) - MAX (span->start, start);
        if (code->scopes[span->row].parent != 0)
            pv_array_push (&parting->shares, share);
    }
}

/* Adds the bytes of a run to the parts that own them. */
static void
add_run (const Dividing *dividing, const Run *run)
{
    size_t low = 0, n = dividing->pieces.len;
    const Piece *pieces = dividing->pieces.data;
    while (n > 0) { /* the first piece that ends after the run begins */
        size_t half = n / 2;
        if (pieces[low + half].end <= run->start) {
            low += half + 1;
            n -= half + 1;
        } else {
            n = half;
        }
    }
    for (; low < dividing->pieces.len && pieces[low].start < run->end; low++) {
        uint64_t start = MAX (pieces[low].start, run->start);
        uint64_t end = MIN (pieces[low].end, run->end);
        ElfPart *part = &dividing->parting->parts.data[pieces[low].part];
        for (unsigned space = 0; space < ELF_N_SPACES; space++)
            part->bytes[space] += run->is_in_both || space == run->space ? end - start : 0;
        if (dividing->has_code && part->kind == ELF_PART_SYMBOL) {
            uint64_t addr = dividing->parting->sections[dividing->section].link_addr;
            add_shares (dividing->parting, pieces[low].part, run, addr + start, addr + end);
        }
    }
}

static void
divide_section (Parting *parting, uint32_t section, const Symbol *symbols, size_t n_symbols,
                const Run *runs, size_t n_runs)
{
    const PvElfSection *own = &parting->sections[section];
    uint64_t size = own->size_bytes;
    Dividing dividing = {.parting = parting,
                         .section = section,
                         .first_part = (uint32_t)parting->parts.len,
                         .padding = UINT32_MAX,
                         .unnamed = UINT32_MAX};
    g_autofree SizeClaim *claims = g_new (SizeClaim, MAX (n_symbols, 1));
    if (is_in_file (own) && !pv_elf_section_is_packed (own) &&
        own->file_offset <= parting->size_bytes && size <= parting->size_bytes - own->file_offset)
        dividing.bytes = parting->data + own->file_offset;
    dividing.has_code = parting->code != NULL && (own->flags & SHF_EXECINSTR) != 0 &&
                        own->link_addr <= UINT64_MAX - size;
    for (size_t i = 0; i < n_symbols; i++) {
        uint32_t part = add_part (parting, ELF_PART_SYMBOL, section, &symbols[i]);
        if (dividing.has_code)
            describe_function (parting, own->link_addr + symbols[i].start,
                               &parting->parts.data[part]);
        claims[i] = (SizeClaim){symbols[i].start, symbols[i].end, symbols[i].end - symbols[i].start,
                                (uint32_t)i};
    }
    size_claims_resolve (claims, n_symbols, take_symbol_piece, &dividing);
    if (n_symbols > 0)
        fill_gap (&dividing, size);
    else if (size > 0)
        add_piece (&dividing, 0, size, add_part (parting, ELF_PART_SECTION, section, NULL));
    for (size_t i = 0; i < n_runs; i++)
        add_run (&dividing, &runs[i]);
    pv_array_clear (&dividing.pieces);
}

static int
compare_runs (const void *a, const void *b)
{
    const Run *x = a, *y = b;
    return pv_order (x->section, y->section) ?: pv_order (x->start, y->start);
}

/* A section is in memory as it is in the file, mostly: such runs become one. */
static void
join_runs (Parting *parting)
{
    Run *runs = parting->runs.data;
    size_t n = 0;
    pv_array_sort (&parting->runs, compare_runs);
    for (size_t i = 0; i < parting->runs.len; i++) {
        Run *last = n > 0 ? &runs[n - 1] : NULL;
        bool is_same = last != NULL && last->section == runs[i].section &&
                       last->start == runs[i].start && last->end == runs[i].end &&
                       last->space != runs[i].space && !last->is_in_both;
        if (is_same)
            last->is_in_both = true;
        else
            runs[n++] = runs[i];
    }
    parting->runs.len = n;
}

/* False when cancelled. */
static bool
divide_sections (Parting *parting)
{
    size_t symbol = 0, run = 0;
    join_runs (parting);
    for (uint32_t s = 0; s < parting->n_sections; s++) {
        size_t first_symbol = symbol, first_run = run;
        while (symbol < parting->symbols.len && parting->symbols.data[symbol].section == s)
            symbol++;
        while (run < parting->runs.len && parting->runs.data[run].section == s)
            run++;
        if (run > first_run)
            divide_section (parting, s,
                            symbol > first_symbol ? &parting->symbols.data[first_symbol] : NULL,
                            symbol - first_symbol, &parting->runs.data[first_run], run - first_run);
        if (pv_job_is_cancelled (parting->job))
            return false;
    }
    return true;
}

/* --- the whole --- */

static void
add_structure (Parting *parting)
{
    for (unsigned o = 0; o < N_OWNERS; o++) {
        ElfPart part = {
            .kind = ELF_PART_STRUCTURE, .class = ELF_CLASS_STRUCTURE, .name = names_of_owners[o]};
        memcpy (part.bytes, parting->of_owner[o], sizeof part.bytes);
        if (part.bytes[ELF_SPACE_FILE] > 0 || part.bytes[ELF_SPACE_MEMORY] > 0)
            pv_array_push (&parting->parts, part);
    }
}

/* Sorts shares by their parts; mostly they are in order. */
static void
sort_shares (Parting *parting)
{
    const ElfShare *shares = parting->shares.data;
    size_t n = parting->shares.len, i = 1;
    while (i < n && shares[i - 1].part <= shares[i].part)
        i++;
    parting->ret->n_shares = n;
    if (i >= n) {
        parting->ret->shares = pv_array_steal (&parting->shares);
        return;
    }
    g_autofree size_t *starts = g_new0 (size_t, parting->parts.len + 1);
    parting->ret->shares = g_new (ElfShare, n);
    for (i = 0; i < n; i++)
        starts[shares[i].part + 1]++;
    for (i = 0; i < parting->parts.len; i++)
        starts[i + 1] += starts[i];
    for (i = 0; i < n; i++)
        parting->ret->shares[starts[shares[i].part]++] = shares[i];
    pv_array_clear (&parting->shares);
}

static void
tell_kind (Parting *parting)
{
    bool has_allocated = false, has_loaded = false;
    for (size_t i = 0; i < parting->n_sections; i++) {
        const PvElfSection *section = &parting->sections[i];
        bool is_code =
            (section->flags & (SHF_ALLOC | SHF_EXECINSTR)) == (SHF_ALLOC | SHF_EXECINSTR);
        has_allocated |= is_code && section->size_bytes > 0;
        has_loaded |= is_code && section->size_bytes > 0 && is_in_file (section);
        parting->ret->is_go |= strcmp (section->name, ".gopclntab") == 0 ||
                               strcmp (section->name, ".note.go.buildid") == 0;
    }
    parting->ret->is_debug_file = has_allocated && !has_loaded;
}

ElfParts *
elf_parts_new (PvElfImage *image, const uint8_t *data, uint64_t size_bytes, const PvCodeMap *code,
               PvJob *job)
{
    g_assert (image != NULL && data != NULL);
    Parting parting = {
        .image = image, .data = data, .size_bytes = size_bytes, .code = code, .job = job};
    parting.ret = g_new0 (ElfParts, 1);
    parting.n_sections = pv_elf_image_get_sections (image, &parting.sections);
    parting.n_segments = pv_elf_image_get_segments (image, &parting.segments);
    parting.is_linked = pv_elf_image_get_type (image) != ET_REL;
    parting.class_of_section = g_new (ElfClass, MAX (parting.n_sections, 1));
    for (size_t i = 0; i < parting.n_sections; i++)
        parting.class_of_section[i] = classify (&parting.sections[i]);
    Tables tables = read_tables (&parting);
    tell_kind (&parting);
    claim_file (&parting, &tables);
    claim_memory (&parting, &tables);
    bool is_done = read_symbols (&parting);
    sort_symbols (&parting);
    is_done = is_done && divide_sections (&parting);
    add_structure (&parting);
    sort_shares (&parting);
    g_free (parting.class_of_section);
    pv_array_clear (&parting.symbols);
    pv_array_clear (&parting.runs);
    pv_array_clear (&parting.places);
    parting.ret->n = parting.parts.len;
    parting.ret->parts = pv_array_steal (&parting.parts);
    if (!is_done)
        g_clear_pointer (&parting.ret, elf_parts_free);
    return parting.ret;
}

void
elf_parts_free (ElfParts *parts)
{
    if (parts == NULL)
        return;
    g_free (parts->parts);
    g_free (parts->shares);
    g_free (parts);
}
