/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds the allocator that a program contains or loads, by its symbols and, in stripped programs,
 * by jemalloc's strings.
 */
#include <elf.h>
#include <string.h>

#include "core/base/cursor.h"
#include "core/probe/program-facts-private.h"

enum { MAX_DYNAMIC_ENTRIES = 4096, MAX_SYMBOLS = 1 << 22, MAX_TEXT_BYTES = 64 };

#define MAX_SEARCHED_BYTES ((size_t)256 << 20)
#define PIECE_BYTES        ((size_t)4 << 20)

/* By libraries */

/* True if the program needs a library whose file name starts with begin. */
static bool
needs_library (PvElfImage *image, const char *begin)
{
    uint64_t link_addr;
    size_t size_bytes, names_size_bytes, length = strlen (begin);
    const uint8_t *data = pv_program_get_section (image, ".dynamic", &link_addr, &size_bytes);
    const char *names =
        (const char *)pv_program_get_section (image, ".dynstr", &link_addr, &names_size_bytes);

    if (data == NULL || names == NULL)
        return false;
    PvCursor cursor = pv_cursor (data, size_bytes, pv_elf_image_is_swapped (image));
    bool is_64bit = pv_elf_image_is_64bit (image);
    for (unsigned i = 0; i < MAX_DYNAMIC_ENTRIES && !cursor.failed; i++) {
        uint64_t tag = is_64bit ? pv_cursor_u64 (&cursor) : pv_cursor_u32 (&cursor);
        uint64_t value = is_64bit ? pv_cursor_u64 (&cursor) : pv_cursor_u32 (&cursor);
        if (tag == DT_NULL)
            break;
        if (tag == DT_NEEDED && value <= names_size_bytes && names_size_bytes - value >= length &&
            memcmp (names + value, begin, length) == 0)
            return true;
    }
    return false;
}

/* By symbols */

typedef struct {
    bool has_malloc;
    bool has_mallctl;
    bool has_prefixed_mallctl;
    bool has_all; /* including symbols that other modules do not see */
} Definitions;

static void
add_definition (Definitions *found, const char *name, size_t left)
{
    static const char malloc_[] = "malloc", mallctl[] = "mallctl", prefixed[] = "_rjem_mallctl";
    if (left >= sizeof malloc_ && memcmp (name, malloc_, sizeof malloc_) == 0)
        found->has_malloc = true;
    else if (left >= sizeof mallctl && memcmp (name, mallctl, sizeof mallctl) == 0)
        found->has_mallctl = true;
    else if (left >= sizeof prefixed && memcmp (name, prefixed, sizeof prefixed) == 0)
        found->has_prefixed_mallctl = true;
}

static void
add_definitions (Definitions *found, PvElfImage *image, const char *table, const char *strings,
                 const PvJob *job)
{
    bool is_64bit = pv_elf_image_is_64bit (image), is_swapped = pv_elf_image_is_swapped (image);
    size_t entry_size = is_64bit ? sizeof (Elf64_Sym) : sizeof (Elf32_Sym);
    size_t place_offset =
        is_64bit ? offsetof (Elf64_Sym, st_shndx) : offsetof (Elf32_Sym, st_shndx);
    uint64_t link_addr;
    size_t size_bytes, names_size_bytes;
    const uint8_t *data = pv_program_get_section (image, table, &link_addr, &size_bytes);
    const char *names =
        (const char *)pv_program_get_section (image, strings, &link_addr, &names_size_bytes);

    if (data == NULL || names == NULL)
        return;
    size_t n_symbols = MIN (size_bytes / entry_size, MAX_SYMBOLS);
    for (size_t i = 0; i < n_symbols; i++) {
        const uint8_t *symbol = data + i * entry_size;
        uint32_t name;
        uint16_t place;
        if (i % 65536 == 0 && pv_job_is_cancelled (job))
            return;
        memcpy (&name, symbol, sizeof name);
        memcpy (&place, symbol + place_offset, sizeof place);
        name = is_swapped ? GUINT32_SWAP_LE_BE (name) : name;
        if (place != SHN_UNDEF && name < names_size_bytes)
            add_definition (found, names + name, names_size_bytes - name);
    }
    found->has_all |= n_symbols > 1 && strcmp (table, ".symtab") == 0;
}

/* By strings */

/* True if the program's constants contain the text. It is passed in two parts, so that this program
 * does not contain it. */
static bool
contains (PvElfImage *image, const char *begin, const char *end, const PvJob *job)
{
    char text[MAX_TEXT_BYTES];
    uint64_t link_addr;
    size_t size_bytes, length = (size_t)g_snprintf (text, sizeof text, "%s%s", begin, end);
    const uint8_t *data = pv_program_get_section (image, ".rodata", &link_addr, &size_bytes);

    size_bytes = MIN (size_bytes, MAX_SEARCHED_BYTES);
    for (size_t at = 0; data != NULL && at < size_bytes; at += PIECE_BYTES) {
        size_t piece_bytes = MIN (size_bytes - at, PIECE_BYTES + length - 1);
        if (pv_job_is_cancelled (job))
            return false;
        if (memmem (data + at, piece_bytes, text, length) != NULL)
            return true;
    }
    return false;
}

/* The start of all jemalloc's messages, and its variable in the environment. */
static bool
contains_jemalloc (PvElfImage *binary, const PvJob *job)
{
    return contains (binary, "<jem", "alloc>: ", job) && contains (binary, "MALLOC", "_CONF", job);
}

/* The start of dumps, since version 4 and before. Both are missing if profiling is compiled out. */
static bool
contains_dumps (PvElfImage *binary, const PvJob *job)
{
    return contains (binary, "heap", "_v2/", job) || contains (binary, "heap pro", "file: ", job);
}

void
pv_program_judge_allocators (PvElfImage *binary, PvElfImage *debug, const PvJob *job,
                             PvProgramFacts *facts)
{
    Definitions found = {0};

    add_definitions (&found, binary, ".dynsym", ".dynstr", job);
    add_definitions (&found, binary, ".symtab", ".strtab", job);
    if (debug != NULL && debug != binary)
        add_definitions (&found, debug, ".symtab", ".strtab", job);
    bool is_inside = found.has_mallctl || found.has_prefixed_mallctl ||
                     (!found.has_all && contains_jemalloc (binary, job));
    facts->has_jemalloc = is_inside || needs_library (binary, "libjemalloc");
    facts->has_prefixed_jemalloc =
        found.has_prefixed_mallctl ||
        (is_inside && !found.has_all && contains (binary, "_RJEM", "_MALLOC_CONF", job));
    facts->has_own_malloc = is_inside || found.has_malloc;
    facts->lacks_jemalloc_dumps =
        is_inside && contains_jemalloc (binary, job) && !contains_dumps (binary, job);
}
