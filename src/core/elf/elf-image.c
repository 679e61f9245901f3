/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ELF, as in the System V gABI: a header; program headers, which say where parts of the file are
 * mapped (segments, enough to convert a file offset to a link address); section headers, which name
 * parts of the file. Either table may be missing or damaged: a file without sections still maps, a
 * debug file without usable segments still has its sections.
 *
 * Counts and offsets are checked against the file's size once, here; everything returned is within
 * the file.
 */
#include "core/elf/elf-image.h"

#include <elf.h>
#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/base/cursor.h"
#include "core/base/error.h"
#include "core/base/ref.h"
#include "core/elf/elf-image-private.h"
#include "core/elf/elf-unpack.h"

#define MAX_SECTION_NAMES_BYTES (64u << 20)

/* The tables, from the file header. */
typedef struct {
    uint64_t segments_offset;
    uint64_t sections_offset;
    uint16_t segment_size;
    uint16_t section_size;
    uint32_t n_segments;
    uint32_t n_sections;
} Tables;

/* A cursor over size_bytes bytes at a file offset; failed if the file is shorter. */
static PvCursor
cursor_at (const PvElfImage *image, uint64_t offset, uint64_t size_bytes)
{
    if (offset > image->size_bytes || size_bytes > image->size_bytes - offset) {
        PvCursor none = pv_cursor (image->data, 0, image->is_swapped);
        none.failed = true;
        return none;
    }
    return pv_cursor (image->data + offset, size_bytes, image->is_swapped);
}

static uint64_t
read_word (const PvElfImage *image, PvCursor *cursor)
{
    return image->is_64bit ? pv_cursor_u64 (cursor) : pv_cursor_u32 (cursor);
}

static bool
read_file_header (PvElfImage *image, Tables *ret_tables)
{
    const uint8_t *ident = image->data;

    if (image->size_bytes < EI_NIDENT || memcmp (ident, ELFMAG, SELFMAG) != 0)
        return false;
    if (ident[EI_CLASS] != ELFCLASS32 && ident[EI_CLASS] != ELFCLASS64)
        return false;
    if (ident[EI_DATA] != ELFDATA2LSB && ident[EI_DATA] != ELFDATA2MSB)
        return false;
    image->is_64bit = ident[EI_CLASS] == ELFCLASS64;
    image->is_swapped = (ident[EI_DATA] == ELFDATA2MSB) != (G_BYTE_ORDER == G_BIG_ENDIAN);

    PvCursor cursor = pv_cursor (ident, image->size_bytes, image->is_swapped);
    pv_cursor_skip (&cursor, EI_NIDENT);
    image->type = pv_cursor_u16 (&cursor);
    image->machine = pv_cursor_u16 (&cursor);
    pv_cursor_u32 (&cursor);    /* e_version */
    read_word (image, &cursor); /* e_entry */
    ret_tables->segments_offset = read_word (image, &cursor);
    ret_tables->sections_offset = read_word (image, &cursor);
    image->flags = pv_cursor_u32 (&cursor);
    pv_cursor_u16 (&cursor); /* e_ehsize */
    ret_tables->segment_size = pv_cursor_u16 (&cursor);
    ret_tables->n_segments = pv_cursor_u16 (&cursor);
    ret_tables->section_size = pv_cursor_u16 (&cursor);
    ret_tables->n_sections = pv_cursor_u16 (&cursor);
    image->name_section = pv_cursor_u16 (&cursor);
    return !cursor.failed;
}

static PvElfSection
read_section_header (const PvElfImage *image, PvCursor *cursor, uint32_t *ret_name_offset)
{
    PvElfSection section = {.name = ""};

    *ret_name_offset = pv_cursor_u32 (cursor);
    section.type = pv_cursor_u32 (cursor);
    section.flags = read_word (image, cursor);
    section.link_addr = read_word (image, cursor);
    section.file_offset = read_word (image, cursor);
    section.size_bytes = read_word (image, cursor);
    section.link = pv_cursor_u32 (cursor);
    section.info = pv_cursor_u32 (cursor);
    section.align = read_word (image, cursor);
    section.entry_size = read_word (image, cursor);
    return section;
}

/* Counts too large for the file header are in the fields of section 0. */
static void
read_large_counts (PvElfImage *image, Tables *tables)
{
    uint32_t name_offset;

    if (tables->sections_offset == 0)
        return;
    PvCursor cursor = cursor_at (image, tables->sections_offset, tables->section_size);
    PvElfSection first = read_section_header (image, &cursor, &name_offset);
    if (cursor.failed)
        return;
    if (tables->n_sections == 0)
        tables->n_sections = (uint32_t)MIN (first.size_bytes, UINT32_MAX);
    if (tables->n_segments == PN_XNUM)
        tables->n_segments = first.info;
    if (image->name_section == SHN_XINDEX)
        image->name_section = first.link;
}

/* Drops tables whose entries are too small: their size in bytes would not limit the number of
 * entries. */
static void
drop_tiny_entries (const PvElfImage *image, Tables *tables)
{
    if (tables->segment_size < (image->is_64bit ? sizeof (Elf64_Phdr) : sizeof (Elf32_Phdr)))
        tables->n_segments = 0;
    if (tables->section_size < (image->is_64bit ? sizeof (Elf64_Shdr) : sizeof (Elf32_Shdr)))
        tables->n_sections = 0;
}

static void
read_segments (PvElfImage *image, const Tables *tables)
{
    if (tables->n_segments == 0)
        return;
    uint64_t size_bytes = (uint64_t)tables->n_segments * tables->segment_size;
    PvCursor table = cursor_at (image, tables->segments_offset, size_bytes);
    if (table.failed)
        return;

    image->segments = g_new (PvElfSegment, tables->n_segments);
    for (uint32_t i = 0; i < tables->n_segments; i++) {
        PvCursor cursor = pv_cursor_sub (&table, tables->segment_size);
        PvElfSegment segment = {0};
        uint32_t type = pv_cursor_u32 (&cursor);
        uint32_t flags = image->is_64bit ? pv_cursor_u32 (&cursor) : 0;
        segment.file_offset = read_word (image, &cursor);
        segment.link_addr = read_word (image, &cursor);
        read_word (image, &cursor); /* p_paddr */
        segment.file_size_bytes = read_word (image, &cursor);
        segment.mem_size_bytes = read_word (image, &cursor);
        if (!image->is_64bit)
            flags = pv_cursor_u32 (&cursor);
        segment.align = read_word (image, &cursor);
        segment.is_executable = (flags & PF_X) != 0;
        image->has_interpreter |= type == PT_INTERP;
        if (type == PT_LOAD)
            image->segments[image->n_segments++] = segment;
    }
}

static void
name_sections (PvElfImage *image, const uint32_t *name_offsets)
{
    if (image->name_section >= image->n_sections)
        return;
    const PvElfSection *names = &image->sections[image->name_section];
    const uint8_t *stored = pv_elf_image_get_stored (image, names);
    if (stored == NULL || names->size_bytes > MAX_SECTION_NAMES_BYTES)
        return;

    size_t size_bytes = names->size_bytes;
    image->section_names = g_malloc (size_bytes + 1);
    memcpy (image->section_names, stored, size_bytes);
    image->section_names[size_bytes] = '\0';
    for (size_t i = 0; i < image->n_sections; i++)
        if (name_offsets[i] < size_bytes)
            image->sections[i].name = image->section_names + name_offsets[i];
}

static void
read_sections (PvElfImage *image, const Tables *tables)
{
    if (tables->n_sections == 0)
        return;
    uint64_t size_bytes = (uint64_t)tables->n_sections * tables->section_size;
    PvCursor table = cursor_at (image, tables->sections_offset, size_bytes);
    if (table.failed)
        return;

    g_autofree uint32_t *name_offsets = g_new (uint32_t, tables->n_sections);
    image->sections = g_new (PvElfSection, tables->n_sections);
    image->n_sections = tables->n_sections;
    for (size_t i = 0; i < image->n_sections; i++) {
        PvCursor cursor = pv_cursor_sub (&table, tables->section_size);
        image->sections[i] = read_section_header (image, &cursor, &name_offsets[i]);
    }
    name_sections (image, name_offsets);
}

static bool
find_build_id (PvElfImage *image, PvCursor notes, uint64_t align)
{
    image->build_id_size = pv_build_id_find (notes, align, image->build_id);
    return image->build_id_size > 0;
}

/* Sections first: the program headers of a separate debug file may point anywhere. */
static void
read_build_id (PvElfImage *image, const Tables *tables)
{
    for (size_t i = 0; i < image->n_sections; i++) {
        const PvElfSection *section = &image->sections[i];
        if (section->type != SHT_NOTE)
            continue;
        PvCursor notes = cursor_at (image, section->file_offset, section->size_bytes);
        if (find_build_id (image, notes, 4))
            return;
    }
    if (tables->n_segments == 0)
        return;
    PvCursor table = cursor_at (image, tables->segments_offset,
                                (uint64_t)tables->n_segments * tables->segment_size);
    for (uint32_t i = 0; i < tables->n_segments && !table.failed; i++) {
        PvCursor cursor = pv_cursor_sub (&table, tables->segment_size);
        if (pv_cursor_u32 (&cursor) != PT_NOTE)
            continue;
        if (image->is_64bit)
            pv_cursor_u32 (&cursor); /* p_flags */
        uint64_t offset = read_word (image, &cursor);
        read_word (image, &cursor); /* p_vaddr */
        read_word (image, &cursor); /* p_paddr */
        uint64_t size_bytes = read_word (image, &cursor);
        read_word (image, &cursor); /* p_memsz */
        if (!image->is_64bit)
            pv_cursor_u32 (&cursor); /* p_flags */
        uint64_t align = read_word (image, &cursor);
        PvCursor notes = cursor_at (image, offset, size_bytes);
        if (!cursor.failed && find_build_id (image, notes, align))
            return;
    }
}

PvElfImage *
pv_elf_image_new (PvMappedFile *file, const char *path, GError **error)
{
    g_assert (file != NULL);
    g_assert (path != NULL);

    PvElfImage *image = g_new0 (PvElfImage, 1);
    Tables tables = {0};

    image->ref_count = 1;
    image->file = pv_mapped_file_ref (file);
    image->path = g_strdup (path);
    image->data = pv_mapped_file_get_data (file);
    image->size_bytes = pv_mapped_file_get_size (file);
    image->max_unpacked_bytes = pv_unpack_limit (image->size_bytes);
    pthread_mutex_init (&image->mutex, NULL);
    if (!read_file_header (image, &tables)) {
        g_set_error_literal (error, PV_READ_ERROR, PV_READ_ERROR_UNKNOWN_FORMAT,
                             _ ("Not an ELF file"));
        pv_elf_image_unref (image);
        return NULL;
    }
    read_large_counts (image, &tables);
    drop_tiny_entries (image, &tables);
    read_segments (image, &tables);
    read_sections (image, &tables);
    if (image->n_segments == 0 && image->n_sections == 0) {
        g_set_error_literal (error, PV_READ_ERROR, PV_READ_ERROR_CORRUPT,
                             _ ("An ELF file with neither segments nor sections"));
        pv_elf_image_unref (image);
        return NULL;
    }
    read_build_id (image, &tables);
    return image;
}

PvElfImage *
pv_elf_image_new_packed (const uint8_t *data, size_t size_bytes, size_t max_bytes, const char *path,
                         GError **error)
{
    g_assert (data != NULL || size_bytes == 0);
    size_t unpacked_bytes;
    uint8_t *unpacked = pv_unpack_file (data, size_bytes, max_bytes, &unpacked_bytes);
    if (unpacked == NULL)
        return pv_read_fail (error, PV_READ_ERROR_CORRUPT, _ ("The compressed file is damaged"));
    g_autoptr (PvMappedFile) file = pv_mapped_file_new_take (unpacked, unpacked_bytes);
    PvElfImage *image = pv_elf_image_new (file, path, error);
    if (image != NULL)
        image->max_unpacked_bytes = pv_unpack_limit (size_bytes); /* packed once more */
    return image;
}

PV_DEFINE_REF (pv_elf_image_ref, PvElfImage, PvElfImage)

void
pv_elf_image_unref (PvElfImage *image)
{
    if (!pv_ref_was_last (image))
        return;
    pv_elf_image_clear_sections (image);
    pthread_mutex_destroy (&image->mutex);
    pv_mapped_file_unref (image->file);
    g_free (image->path);
    g_free (image->segments);
    g_free (image->sections);
    g_free (image->section_names);
    g_free (image->relocations_of);
    g_free (image);
}

const char *
pv_elf_image_get_path (const PvElfImage *image)
{
    return image->path;
}

PvMappedFile *
pv_elf_image_get_file (const PvElfImage *image)
{
    return image->file;
}

uint16_t
pv_elf_image_get_machine (const PvElfImage *image)
{
    return image->machine;
}

bool
pv_elf_image_has_interpreter (const PvElfImage *image)
{
    return image->has_interpreter;
}

bool
pv_elf_image_is_64bit (const PvElfImage *image)
{
    return image->is_64bit;
}

bool
pv_elf_image_is_swapped (const PvElfImage *image)
{
    return image->is_swapped;
}

uint16_t
pv_elf_image_get_type (const PvElfImage *image)
{
    return image->type;
}

size_t
pv_elf_image_get_segments (const PvElfImage *image, const PvElfSegment **ret_segments)
{
    g_assert (image != NULL);
    g_assert (ret_segments != NULL);

    *ret_segments = image->segments;
    return image->n_segments;
}

size_t
pv_elf_image_get_sections (const PvElfImage *image, const PvElfSection **ret_sections)
{
    g_assert (image != NULL);
    g_assert (ret_sections != NULL);

    *ret_sections = image->sections;
    return image->n_sections;
}

size_t
pv_elf_image_get_build_id (const PvElfImage *image, const uint8_t **ret_build_id)
{
    g_assert (image != NULL);
    g_assert (ret_build_id != NULL);

    *ret_build_id = image->build_id;
    return image->build_id_size;
}

const PvElfSection *
pv_elf_image_find_section (const PvElfImage *image, const char *name)
{
    g_assert (image != NULL);
    g_assert (name != NULL);

    for (size_t i = 0; i < image->n_sections; i++)
        if (strcmp (image->sections[i].name, name) == 0)
            return &image->sections[i];

    /* The form before SHF_COMPRESSED: ".debug_info" is named ".zdebug_info". */
    if (!g_str_has_prefix (name, ".debug_"))
        return NULL;
    for (size_t i = 0; i < image->n_sections; i++) {
        const char *candidate = image->sections[i].name;
        if (g_str_has_prefix (candidate, ".z") && strcmp (candidate + 2, name + 1) == 0)
            return &image->sections[i];
    }
    return NULL;
}

const uint8_t *
pv_elf_image_get_stored (const PvElfImage *image, const PvElfSection *section)
{
    if (section->type == SHT_NOBITS || section->type == SHT_NULL ||
        section->file_offset > image->size_bytes ||
        section->size_bytes > image->size_bytes - section->file_offset)
        return NULL;
    return image->data + section->file_offset;
}

const uint8_t *
pv_elf_image_read (const PvElfImage *image, uint64_t link_addr, size_t *ret_size_bytes)
{
    g_assert (image != NULL && ret_size_bytes != NULL);

    for (size_t i = 0; i < image->n_segments; i++) {
        const PvElfSegment *segment = &image->segments[i];
        uint64_t offset = link_addr - segment->link_addr;
        if (link_addr < segment->link_addr || offset >= segment->file_size_bytes)
            continue;
        if (segment->file_offset > image->size_bytes ||
            offset >= image->size_bytes - segment->file_offset)
            continue;
        uint64_t in_file = image->size_bytes - segment->file_offset - offset;
        *ret_size_bytes = (size_t)MIN (segment->file_size_bytes - offset, in_file);
        return image->data + segment->file_offset + offset;
    }
    return NULL;
}

/* True if the offset is in the segment when its range is widened to multiples of page. */
static bool
segment_maps (const PvElfSegment *segment, uint64_t file_offset, uint64_t page)
{
    uint64_t start = segment->file_offset & ~(page - 1);
    uint64_t end;

    if (__builtin_add_overflow (segment->file_offset, segment->file_size_bytes, &end))
        return false;
    if (page > 1 && __builtin_add_overflow (end, page - 1, &end))
        return false;
    return file_offset >= start && file_offset < (end & ~(page - 1));
}

bool
pv_elf_image_offset_to_link (const PvElfImage *image, uint64_t file_offset, uint64_t *ret_link_addr)
{
    g_assert (image != NULL && ret_link_addr != NULL);

    /* Exact ranges, then those with 4 KiB pages, then with 64 KiB pages. Executable ones first. */
    static const uint64_t pages[] = {1, 4096, 65536};

    for (size_t step = 0; step < 2 * G_N_ELEMENTS (pages); step++) {
        bool want_executable = step % 2 == 0;
        for (size_t i = 0; i < image->n_segments; i++) {
            const PvElfSegment *segment = &image->segments[i];
            if (segment->is_executable == want_executable &&
                segment_maps (segment, file_offset, pages[step / 2])) {
                *ret_link_addr = file_offset - segment->file_offset + segment->link_addr;
                return true;
            }
        }
    }
    return false;
}
