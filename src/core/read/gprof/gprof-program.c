/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/read/gprof/gprof-program.h"

#include <elf.h>
#include <string.h>
#include <sys/stat.h>

#include "core/base/search.h"

enum {
    MAX_FILES = 1000,
    MAX_PROGRAMS = 100,
    NEAR_START_BYTES = 64, /* of a function, where it tells that it was called */
};

#define MIN_FIT 0.75

/* --- symbols --- */

static int
compare_functions (const void *a_, const void *b_)
{
    const GprofFunction *a = a_, *b = b_;
    return pv_order (a->start, b->start) ?: pv_order (a->rank, b->rank) ?:
           strcmp (a->name, b->name);
}

/* As gprof does: global before local, and without an underscore before the others. */
static unsigned
rank_symbol (unsigned binding, const char *name)
{
    return (binding == STB_LOCAL ? 2 : 0) + (name[0] == '_' ? 1 : 0);
}

static void
take_symbol (GprofProgram *program, const Elf64_Sym *raw, const char *strings,
             size_t strings_size_bytes)
{
    const PvElfSection *sections;
    size_t n_sections = pv_elf_image_get_sections (program->image, &sections);
    unsigned type = ELF64_ST_TYPE (raw->st_info), binding = ELF64_ST_BIND (raw->st_info);
    if ((type != STT_FUNC && type != STT_NOTYPE && type != STT_GNU_IFUNC) ||
        raw->st_shndx == SHN_UNDEF || raw->st_shndx >= n_sections ||
        (sections[raw->st_shndx].flags & SHF_EXECINSTR) == 0 || raw->st_name >= strings_size_bytes)
        return;
    const char *name = strings + raw->st_name;
    if (memchr (name, '\0', strings_size_bytes - raw->st_name) == NULL || *name == '\0' ||
        *name == '$' || (type == STT_NOTYPE && binding == STB_LOCAL))
        return;
    GprofFunction function = {.start = raw->st_value,
                              .size_bytes = raw->st_size,
                              .name = name,
                              .rank = rank_symbol (binding, name)};
    pv_array_push (&program->functions, function);
}

static Elf64_Sym
take_raw (PvCursor *cursor, bool is_64bit)
{
    Elf64_Sym raw = {.st_name = pv_cursor_u32 (cursor)};
    if (!is_64bit) {
        raw.st_value = pv_cursor_u32 (cursor);
        raw.st_size = pv_cursor_u32 (cursor);
    }
    raw.st_info = pv_cursor_u8 (cursor);
    raw.st_other = pv_cursor_u8 (cursor);
    raw.st_shndx = pv_cursor_u16 (cursor);
    if (is_64bit) {
        raw.st_value = pv_cursor_u64 (cursor);
        raw.st_size = pv_cursor_u64 (cursor);
    }
    return raw;
}

static void
take_table (GprofProgram *program, const PvElfSection *section)
{
    const PvElfSection *sections;
    size_t n_sections = pv_elf_image_get_sections (program->image, &sections);
    size_t size_bytes, strings_size_bytes;
    if (section->link >= n_sections)
        return;
    const uint8_t *data = pv_elf_image_get_section_data (program->image, section, &size_bytes);
    const char *strings = (const char *)pv_elf_image_get_section_data (
        program->image, &sections[section->link], &strings_size_bytes);
    if (data == NULL || strings == NULL)
        return;
    PvCursor cursor = pv_cursor (data, size_bytes, pv_elf_image_is_swapped (program->image));
    while (pv_cursor_left (&cursor) > 0) {
        Elf64_Sym raw = take_raw (&cursor, pv_elf_image_is_64bit (program->image));
        if (cursor.failed)
            break;
        take_symbol (program, &raw, strings, strings_size_bytes);
    }
}

static void
take_functions (GprofProgram *program)
{
    static const uint32_t types[] = {SHT_SYMTAB, SHT_DYNSYM};
    const PvElfSection *sections;
    size_t n_sections = pv_elf_image_get_sections (program->image, &sections), n = 0;
    for (size_t t = 0; t < G_N_ELEMENTS (types) && program->functions.len == 0; t++)
        for (size_t i = 0; i < n_sections; i++)
            if (sections[i].type == types[t])
                take_table (program, &sections[i]);
    GprofFunction *functions = program->functions.data;
    pv_array_sort (&program->functions, compare_functions);
    for (size_t i = 0; i < program->functions.len; i++)
        if (n == 0 || functions[n - 1].start != functions[i].start)
            functions[n++] = functions[i];
    program->functions.len = n;
}

/* --- which program --- */

static const GprofFunction *
find_function (const GprofProgram *program, uint64_t address)
{
    size_t low =
        pv_bisect (0, program->functions.len, i, program->functions.data[i].start <= address);
    return low > 0 ? &program->functions.data[low - 1] : NULL;
}

/* True if a histogram ends where a part of the program with code does. */
static bool
has_same_end (const GprofProgram *program, const GmonFile *file)
{
    const PvElfSegment *segments;
    size_t n_segments = pv_elf_image_get_segments (program->image, &segments);
    for (size_t h = 0; h < file->histograms.len; h++)
        for (size_t i = 0; i < n_segments; i++) {
            uint64_t end = segments[i].link_addr + segments[i].file_size_bytes;
            uint64_t high = file->histograms.data[h].high;
            if (segments[i].is_executable && high + NEAR_START_BYTES >= end &&
                high <= end + NEAR_START_BYTES)
                return true;
        }
    return false;
}

/* The share of calls that lead to the start of a function. */
static double
get_fit (const GprofProgram *program, const GmonFile *file)
{
    size_t n_good = 0;
    for (size_t i = 0; i < file->arcs.len; i++) {
        const GprofFunction *function = find_function (program, file->arcs.data[i].to);
        n_good += function != NULL && file->arcs.data[i].to - function->start <= NEAR_START_BYTES;
    }
    bool is_same_end = has_same_end (program, file);
    if (file->arcs.len == 0)
        return is_same_end ? 1 : 0;
    return (double)n_good / (double)file->arcs.len + (is_same_end ? 0.5 : 0);
}

static bool
is_program (const char *path)
{
    struct stat status;
    return stat (path, &status) == 0 && S_ISREG (status.st_mode) &&
           (status.st_mode & S_IXUSR) != 0 && status.st_size > EI_NIDENT;
}

static bool
open_program (GprofProgram *program, const char *path)
{
    *program = (GprofProgram){0};
    g_autoptr (PvMappedFile) file = pv_mapped_file_open (path, NULL);
    if (file == NULL || pv_mapped_file_get_size (file) < SELFMAG ||
        memcmp (pv_mapped_file_get_data (file), ELFMAG, SELFMAG) != 0)
        return false;
    program->image = pv_elf_image_new (file, path, NULL);
    if (program->image == NULL)
        return false;
    program->path = g_strdup (path);
    take_functions (program);
    return true;
}

bool
gprof_program_find (GprofProgram *program, const char *folder, const GmonFile *file)
{
    g_assert (program != NULL && folder != NULL && file != NULL);
    *program = (GprofProgram){0};
    GDir *dir = g_dir_open (folder, 0, NULL);
    double best = MIN_FIT;
    size_t n_files = 0, n_programs = 0;
    const char *name;
    while (dir != NULL && n_files++ < MAX_FILES && n_programs < MAX_PROGRAMS &&
           (name = g_dir_read_name (dir)) != NULL) {
        g_autofree char *path = g_build_filename (folder, name, NULL);
        GprofProgram other;
        if (!is_program (path) || !open_program (&other, path))
            continue;
        n_programs++;
        double fit = other.functions.len > 0 ? get_fit (&other, file) : 0;
        if (fit >= best) {
            GprofProgram worse = *program;
            best = fit;
            *program = other;
            other = worse;
        }
        gprof_program_clear (&other);
    }
    g_clear_pointer (&dir, g_dir_close);
    return program->image != NULL;
}

void
gprof_program_clear (GprofProgram *program)
{
    g_assert (program != NULL);
    g_free (program->path);
    if (program->image != NULL)
        pv_elf_image_unref (program->image);
    pv_array_clear (&program->functions);
    *program = (GprofProgram){0};
}
