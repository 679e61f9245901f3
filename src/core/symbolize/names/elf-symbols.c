/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Symbol tables (.symtab, .dynsym) as in the System V gABI.
 *
 * A symbol covers [value, value + size). If several cover an address, the one that starts last
 * wins; of those with the same start, the most readable one. A symbol without a size (an assembler
 * label) only covers addresses that no sized symbol covers, ends where another symbol starts or
 * ends, and does not reach into a function that starts after it according to .eh_frame. Where only
 * .dynsym is left, which has few of the functions, .eh_frame must tell that it reaches so far.
 */
#include "core/symbolize/names/elf-symbols.h"

#include <elf.h>
#include <string.h>

#include "core/base/array.h"
#include "core/elf/address-claims.h"
#include "core/symbolize/cfi/fde-ranges.h"

/* A symbol of either ELF class. */
typedef struct {
    uint64_t value;
    uint64_t size_bytes;
    uint32_t name_offset;
    uint16_t section;
    uint8_t type;
    uint8_t binding;
} Symbol;

/* A symbol that covers a requested address. */
typedef struct {
    uint64_t start;
    uint64_t end; /* end of the section if the symbol has no size */
    const char *name;
    uint8_t binding;
    bool is_sized;
    bool is_exported; /* of .dynsym */
} Candidate;

typedef struct {
    const uint64_t *link_addrs;
    size_t n;
    uint64_t *nearest; /* the highest start or end of any symbol at or below each address */
    PV_ARRAY (Candidate) candidates;
    bool *is_guess; /* for each address: its name is that of a label of .dynsym */
    bool has_full_table;
} Search;

/* One symbol table, ready to walk. */
typedef struct {
    const PvElfImage *image;
    const uint8_t *symbols;
    size_t n_symbols;
    const char *names;
    size_t names_size_bytes;
    const PvElfSection *sections;
    size_t n_sections;
    const uint64_t *section_addrs; /* for ET_REL; or NULL */
    bool is_dynamic;
} Table;

static Symbol
read_symbol (const Table *table, size_t index)
{
    Symbol symbol;

    if (pv_elf_image_is_64bit (table->image)) {
        Elf64_Sym raw;
        memcpy (&raw, table->symbols + index * sizeof raw, sizeof raw);
        symbol = (Symbol){raw.st_value,
                          raw.st_size,
                          raw.st_name,
                          raw.st_shndx,
                          ELF64_ST_TYPE (raw.st_info),
                          ELF64_ST_BIND (raw.st_info)};
    } else {
        Elf32_Sym raw;
        memcpy (&raw, table->symbols + index * sizeof raw, sizeof raw);
        symbol = (Symbol){raw.st_value,
                          raw.st_size,
                          raw.st_name,
                          raw.st_shndx,
                          ELF32_ST_TYPE (raw.st_info),
                          ELF32_ST_BIND (raw.st_info)};
    }
    if (pv_elf_image_is_swapped (table->image)) {
        bool is_64bit = pv_elf_image_is_64bit (table->image);
        symbol.value = is_64bit ? GUINT64_SWAP_LE_BE (symbol.value)
                                : GUINT32_SWAP_LE_BE ((uint32_t)symbol.value);
        symbol.size_bytes = is_64bit ? GUINT64_SWAP_LE_BE (symbol.size_bytes)
                                     : GUINT32_SWAP_LE_BE ((uint32_t)symbol.size_bytes);
        symbol.name_offset = GUINT32_SWAP_LE_BE (symbol.name_offset);
        symbol.section = GUINT16_SWAP_LE_BE (symbol.section);
    }
    return symbol;
}

static bool
open_table (PvElfImage *image, const PvElfSection *section, Table *table)
{
    size_t symbol_size = pv_elf_image_is_64bit (image) ? sizeof (Elf64_Sym) : sizeof (Elf32_Sym);
    size_t size_bytes;

    table->image = image;
    table->n_sections = pv_elf_image_get_sections (image, &table->sections);
    if (section->link >= table->n_sections)
        return false;
    table->symbols = pv_elf_image_get_section_data (image, section, &size_bytes);
    table->names = (const char *)pv_elf_image_get_section_data (
        image, &table->sections[section->link], &table->names_size_bytes);
    if (table->symbols == NULL || table->names == NULL)
        return false;
    table->n_symbols = size_bytes / symbol_size;
    return true;
}

static const char *
get_name (const Table *table, uint32_t offset)
{
    if (offset >= table->names_size_bytes)
        return NULL;
    const char *name = table->names + offset;
    size_t left = table->names_size_bytes - offset;
    return *name != '\0' && memchr (name, '\0', left) != NULL ? name : NULL;
}

/* True if the symbol is in code; *ret_section_end gets the end of its section, or UINT64_MAX. */
static bool
is_code (const Table *table, const Symbol *symbol, uint64_t *ret_section_end)
{
    bool is_function = symbol->type == STT_FUNC || symbol->type == STT_GNU_IFUNC;

    *ret_section_end = UINT64_MAX;
    if ((!is_function && symbol->type != STT_NOTYPE) || symbol->section == SHN_UNDEF)
        return false;
    if (symbol->section >= table->n_sections) /* SHN_ABS and the like */
        return is_function && symbol->section != SHN_ABS;
    const PvElfSection *section = &table->sections[symbol->section];
    *ret_section_end = section->link_addr + section->size_bytes;
    if (table->section_addrs != NULL) {
        if (table->section_addrs[symbol->section] == UINT64_MAX)
            return false;
        *ret_section_end = table->section_addrs[symbol->section] + section->size_bytes;
    }
    return is_function || (section->flags & SHF_EXECINSTR) != 0;
}

/* Names that assemblers add for their own use. */
static bool
is_marker (const char *name)
{
    return name[0] == '$' || strncmp (name, ".L", 2) == 0;
}

static void
consider (Search *search, const Table *table, const Symbol *symbol)
{
    uint64_t section_end;
    uint64_t start = symbol->value;

    if (!is_code (table, symbol, &section_end))
        return;
    if (table->section_addrs != NULL && symbol->section < table->n_sections)
        start += table->section_addrs[symbol->section];
    if (pv_elf_image_get_machine (table->image) == EM_ARM)
        start &= ~(uint64_t)1; /* Thumb */

    size_t i = pv_addresses_find (search->link_addrs, search->n, start);
    if (i == search->n)
        return;
    bool is_sized = symbol->size_bytes > 0;
    uint64_t end = section_end;
    if (is_sized && __builtin_add_overflow (start, symbol->size_bytes, &end))
        return;
    /* Fast path: most symbols are near no address and add nothing new. */
    if (is_sized && search->link_addrs[i] >= end && search->nearest[i] >= end)
        return;
    const char *name = get_name (table, symbol->name_offset);
    if (name == NULL || (symbol->type == STT_NOTYPE && is_marker (name)))
        return;
    search->nearest[i] = MAX (search->nearest[i], start);
    size_t behind = is_sized ? pv_addresses_find (search->link_addrs, search->n, end) : search->n;
    if (behind < search->n)
        search->nearest[behind] = MAX (search->nearest[behind], end);
    if (search->link_addrs[i] < end) {
        Candidate candidate = {start, end, name, symbol->binding, is_sized, table->is_dynamic};
        pv_array_push (&search->candidates, candidate);
    }
}

static void
scan_image (Search *search, PvElfImage *image)
{
    const PvElfSection *sections;
    size_t n_sections = pv_elf_image_get_sections (image, &sections);
    g_autofree uint64_t *section_addrs = pv_elf_image_place_sections (image);

    for (size_t s = 0; s < n_sections; s++) {
        Table table = {.section_addrs = section_addrs,
                       .is_dynamic = sections[s].type == SHT_DYNSYM};
        if (sections[s].type != SHT_SYMTAB && sections[s].type != SHT_DYNSYM)
            continue;
        if (!open_table (image, &sections[s], &table))
            continue;
        size_t n_functions = 0;
        for (size_t i = 0; i < table.n_symbols; i++) {
            Symbol symbol = read_symbol (&table, i);
            n_functions += symbol.type == STT_FUNC && symbol.section != SHN_UNDEF;
            consider (search, &table, &symbol);
        }
        if (sections[s].type == SHT_SYMTAB && n_functions > 0)
            search->has_full_table = true;
    }
}

static size_t
count_underscores (const char *name)
{
    return strspn (name, "_");
}

/* Names that programs cannot link to: glibc's internal aliases and old versions
 * ("cfree@GLIBC_2.2.5", unlike "free@@GLIBC_2.2.5"). */
static bool
is_hidden_name (const char *name)
{
    const char *at = strchr (name, '@');
    return strncmp (name, "__GI_", 5) == 0 || (at != NULL && at[1] != '@');
}

/* The order in which candidates claim addresses. Prefers the alias that perf would show (not weak,
 * global, fewer leading underscores, longer), but hidden names come last. */
static int
compare_candidates (const void *a_, const void *b_)
{
    const Candidate *a = a_, *b = b_;
    if (a->is_sized != b->is_sized)
        return a->is_sized ? -1 : 1;
    if (a->start != b->start)
        return a->start > b->start ? -1 : 1;
    bool a_is_hidden = is_hidden_name (a->name);
    bool b_is_hidden = is_hidden_name (b->name);
    if (a_is_hidden != b_is_hidden)
        return a_is_hidden ? 1 : -1;
    if ((a->binding == STB_WEAK) != (b->binding == STB_WEAK))
        return a->binding == STB_WEAK ? 1 : -1;
    if ((a->binding == STB_GLOBAL) != (b->binding == STB_GLOBAL))
        return a->binding == STB_GLOBAL ? -1 : 1;
    size_t a_underscores = count_underscores (a->name);
    size_t b_underscores = count_underscores (b->name);
    if (a_underscores != b_underscores)
        return a_underscores < b_underscores ? -1 : 1;
    size_t a_len = strlen (a->name);
    size_t b_len = strlen (b->name);
    if (a_len != b_len)
        return a_len > b_len ? -1 : 1;
    return strcmp (a->name, b->name);
}

static void
claim (Search *search, PvSymbolHit *hits, PvArena *arena)
{
    PvClaims claims;

    pv_claims_init (&claims, search->link_addrs, search->n);
    for (size_t c = 0; c < search->candidates.len; c++) {
        const Candidate *candidate = &search->candidates.data[c];
        const char *name = NULL;
        for (size_t i = pv_claims_first (&claims, candidate->start);
             pv_claims_holds (&claims, i, candidate->end); i = pv_claims_take (&claims, i)) {
            /* Higher addresses have a nearer symbol, too. */
            if (!candidate->is_sized && search->nearest[i] != candidate->start)
                break;
            if (name == NULL)
                name = pv_arena_strndup (arena, candidate->name, strlen (candidate->name));
            hits[i] = (PvSymbolHit){.name = name,
                                    .start = candidate->start,
                                    .size_bytes =
                                        candidate->is_sized ? candidate->end - candidate->start : 0,
                                    .kind = PV_SYMBOL_NAMED};
            search->is_guess[i] = candidate->is_exported && !candidate->is_sized;
        }
    }
    pv_claims_clear (&claims);
}

/* Uses call frame information for hits without a name, or with the name of a label, which has no
 * size. Drops names that were guessed. */
static void
add_fde_ranges (PvElfImage *binary, const Search *search, PvSymbolHit *hits)
{
    const uint64_t *link_addrs = search->link_addrs;
    size_t n = search->n;
    g_autofree uint32_t *open = g_new (uint32_t, n);
    g_autofree uint64_t *addrs = g_new (uint64_t, n);
    size_t n_open = 0;

    for (size_t i = 0; i < n; i++) {
        if (hits[i].kind == PV_SYMBOL_RANGE ||
            (hits[i].kind == PV_SYMBOL_NAMED && hits[i].size_bytes > 0))
            continue;
        addrs[n_open] = link_addrs[i];
        open[n_open++] = (uint32_t)i;
    }
    if (n_open == 0)
        return;
    g_autofree PvFdeRange *ranges = g_new (PvFdeRange, n_open);
    pv_fde_ranges_find (binary, addrs, n_open, ranges);
    for (size_t i = 0; i < n_open; i++) {
        PvSymbolHit *hit = &hits[open[i]];
        /* A label before the start of the function is not part of it. */
        bool is_label_inside = hit->kind == PV_SYMBOL_NAMED && hit->start >= ranges[i].start;
        if (ranges[i].end != 0 && !is_label_inside)
            *hit = (PvSymbolHit){.start = ranges[i].start,
                                 .size_bytes = ranges[i].end - ranges[i].start,
                                 .kind = PV_SYMBOL_RANGE};
        else if (ranges[i].end == 0 && search->is_guess[open[i]] && !search->has_full_table &&
                 hit->start != addrs[i])
            *hit = (PvSymbolHit){.kind = PV_SYMBOL_NONE};
    }
}

bool
pv_elf_symbols_find (const PvModuleFile *file, const uint64_t *link_addrs, size_t n,
                     PvSymbolHit *hits, PvArena *arena)
{
    g_assert (file != NULL && arena != NULL);
    g_assert (n == 0 || (link_addrs != NULL && hits != NULL));

    Search search = {.link_addrs = link_addrs, .n = n};

    if (n == 0)
        return false;
    memset (hits, 0, n * sizeof *hits);
    if (n >= UINT32_MAX)
        return false;
    search.nearest = g_new0 (uint64_t, n);
    search.is_guess = g_new0 (bool, n);
    if (file->debug != NULL)
        scan_image (&search, file->debug);
    if (file->binary != NULL && file->binary != file->debug)
        scan_image (&search, file->binary);
    for (size_t i = 1; i < n; i++)
        search.nearest[i] = MAX (search.nearest[i], search.nearest[i - 1]);
    pv_array_sort (&search.candidates, compare_candidates);
    claim (&search, hits, arena);
    g_free (search.nearest);
    pv_array_clear (&search.candidates);

    if (file->binary != NULL) {
        pv_plt_symbols_find (file->binary, link_addrs, n, hits, arena);
        add_fde_ranges (file->binary, &search, hits);
    }
    g_free (search.is_guess);
    return search.has_full_table;
}

bool
pv_elf_symbols_find_name (PvElfImage *image, const char *name, uint64_t *ret_link_addr)
{
    g_assert (image != NULL && name != NULL && ret_link_addr != NULL);

    const PvElfSection *sections;
    size_t n_sections = pv_elf_image_get_sections (image, &sections);

    for (size_t s = 0; s < n_sections; s++) {
        Table table = {0};
        if (sections[s].type != SHT_SYMTAB && sections[s].type != SHT_DYNSYM)
            continue;
        if (!open_table (image, &sections[s], &table))
            continue;
        for (size_t i = 0; i < table.n_symbols; i++) {
            Symbol symbol = read_symbol (&table, i);
            const char *own = get_name (&table, symbol.name_offset);
            if (symbol.section != SHN_UNDEF && own != NULL && strcmp (own, name) == 0) {
                *ret_link_addr = symbol.value;
                return true;
            }
        }
    }
    return false;
}

/* --- what lies between symbols --- */

/* A file has one of each kind; a damaged one may have thousands of the same bytes. */
enum { MAX_TABLES = 8 };

typedef void (*SymbolFunc) (void *data, const Table *table, const Symbol *symbol);

/* All symbols of the module's files. */
static void
walk_symbols (const PvModuleFile *file, SymbolFunc func, void *data)
{
    PvElfImage *const images[] = {file->debug, file->binary};

    for (size_t i = 0; i < G_N_ELEMENTS (images); i++) {
        const PvElfSection *sections;
        if (images[i] == NULL || (i > 0 && images[i] == images[0]))
            continue;
        size_t n_sections = pv_elf_image_get_sections (images[i], &sections);
        unsigned n_tables = 0;
        for (size_t s = 0; s < n_sections && n_tables < MAX_TABLES; s++) {
            Table table = {0};
            if ((sections[s].type != SHT_SYMTAB && sections[s].type != SHT_DYNSYM) ||
                !open_table (images[i], &sections[s], &table))
                continue;
            n_tables++;
            for (size_t k = 0; k < table.n_symbols; k++) {
                Symbol symbol = read_symbol (&table, k);
                func (data, &table, &symbol);
            }
        }
    }
}

typedef struct {
    const uint64_t *link_addrs;
    size_t n;
    uint64_t *ends;
} EndSearch;

/* The symbol ends the last address before it, and through that all others that it ends. */
static void
look_for_end (void *data, const Table *table, const Symbol *symbol)
{
    EndSearch *search = data;
    uint64_t section_end;
    size_t i = pv_addresses_find (search->link_addrs, search->n, symbol->value);
    if (i == 0 || symbol->value >= search->ends[i - 1] || !is_code (table, symbol, &section_end))
        return;
    const char *name = get_name (table, symbol->name_offset);
    if (name != NULL && !(symbol->type == STT_NOTYPE && is_marker (name)))
        search->ends[i - 1] = symbol->value;
}

/* The end of the code's section that holds the address. */
static uint64_t
find_section_end (const PvElfSection *sections, size_t n_sections, uint64_t link_addr)
{
    uint64_t end = link_addr;
    for (size_t s = 0; s < n_sections; s++)
        if ((sections[s].flags & SHF_EXECINSTR) != 0 && link_addr >= sections[s].link_addr &&
            link_addr - sections[s].link_addr < sections[s].size_bytes)
            __builtin_add_overflow (sections[s].link_addr, sections[s].size_bytes, &end);
    return end;
}

void
pv_elf_symbols_find_ends (const PvModuleFile *file, const uint64_t *link_addrs, size_t n,
                          uint64_t *ends)
{
    g_assert (file != NULL && (n == 0 || (link_addrs != NULL && ends != NULL)));

    EndSearch search = {link_addrs, n, ends};
    PvElfImage *image = file->binary != NULL ? file->binary : file->debug;
    const PvElfSection *sections;
    size_t n_sections = image != NULL ? pv_elf_image_get_sections (image, &sections) : 0;

    for (size_t i = 0; i < n; i++)
        ends[i] = i > 0 && link_addrs[i] < ends[i - 1]
                      ? ends[i - 1]
                      : find_section_end (sections, n_sections, link_addrs[i]);
    if (n > 0)
        walk_symbols (file, look_for_end, &search);
    for (size_t i = n; i-- > 0;)
        if (i + 1 < n && link_addrs[i + 1] < ends[i])
            ends[i] = MIN (ends[i], ends[i + 1]);
    for (size_t i = 0; i < n; i++)
        ends[i] = MAX (ends[i], link_addrs[i]);
}

typedef PV_ARRAY (PvCodeMark) MarkArray;

typedef struct {
    uint64_t start;
    uint64_t end;
    PvCodeMark before; /* the last one up to start; letter 0: none */
    MarkArray marks;
} MarkSearch;

static void
look_for_mark (void *data, const Table *table, const Symbol *symbol)
{
    MarkSearch *search = data;
    if (symbol->type != STT_NOTYPE || symbol->value >= search->end ||
        (symbol->value <= search->start && search->before.what != 0 &&
         symbol->value < search->before.addr))
        return;
    const char *name = get_name (table, symbol->name_offset);
    if (name == NULL || name[0] != '$' || name[1] == '\0' || strchr ("atxd", name[1]) == NULL ||
        (name[2] != '\0' && name[2] != '.'))
        return;
    PvCodeMark mark = {symbol->value, name[1]};
    if (symbol->value <= search->start)
        search->before = mark;
    else
        pv_array_push (&search->marks, mark);
}

static int
compare_marks (const void *a_, const void *b_)
{
    const PvCodeMark *a = a_, *b = b_;
    return pv_order (a->addr, b->addr);
}

PvCodeMark *
pv_elf_symbols_list_marks (const PvModuleFile *file, uint64_t start, uint64_t end,
                           size_t *ret_n_marks)
{
    g_assert (file != NULL && ret_n_marks != NULL);

    MarkSearch search = {.start = start, .end = end};
    PvElfImage *image = file->binary != NULL ? file->binary : file->debug;
    uint16_t machine = image != NULL ? pv_elf_image_get_machine (image) : EM_NONE;

    if (machine == EM_ARM || machine == EM_AARCH64)
        walk_symbols (file, look_for_mark, &search);
    if (search.before.what != 0)
        pv_array_push (&search.marks, search.before);
    pv_array_sort (&search.marks, compare_marks);
    *ret_n_marks = search.marks.len;
    return pv_array_steal (&search.marks);
}

uint64_t *
pv_elf_image_place_sections (const PvElfImage *image)
{
    g_assert (image != NULL);

    const PvElfSection *sections;
    size_t n_sections = pv_elf_image_get_sections (image, &sections);

    if (pv_elf_image_get_type (image) != ET_REL || n_sections == 0)
        return NULL;
    uint64_t *addrs = g_new (uint64_t, n_sections);
    uint64_t end = 0;
    for (size_t i = 0; i < n_sections; i++) {
        const PvElfSection *section = &sections[i];
        addrs[i] = UINT64_MAX;
        if ((section->flags & (SHF_ALLOC | SHF_EXECINSTR)) != (SHF_ALLOC | SHF_EXECINSTR) ||
            strncmp (section->name, ".init", 5) == 0)
            continue;
        uint64_t align = MAX (section->align, 1);
        uint64_t start = (end + align - 1) / align * align;
        if (start < end || __builtin_add_overflow (start, section->size_bytes, &end))
            break;
        addrs[i] = start;
    }
    return addrs;
}
