/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <elf.h>

#include "core/symbolize/unwind/cfi-table.h"

/*
 * Finds the call frame information of an ELF file, by section headers if there are any; files
 * without them still have a program header for .eh_frame_hdr (Linux Standard Base, "The
 * .eh_frame_hdr section"), which starts with a pointer to .eh_frame:
 *
 *   u8 version (1)  u8 pointer_encoding  u8 count_encoding  u8 table_encoding  pointer ...
 */
static bool
find_section (PvElfImage *image, const char *name, PvCfiSection *ret_section)
{
    const PvElfSection *section = image != NULL ? pv_elf_image_find_section (image, name) : NULL;
    if (section == NULL)
        return false;
    size_t size_bytes = 0;
    const uint8_t *data = pv_elf_image_get_section_data (image, section, &size_bytes);
    if (data == NULL || size_bytes == 0)
        return false;
    *ret_section = (PvCfiSection){
        .data = data,
        .size_bytes = size_bytes,
        .link_addr = section->link_addr,
    };
    return true;
}

/* The link address of .eh_frame_hdr from the program headers; 0: not found. */
static uint64_t
find_header_segment (const PvElfImage *image)
{
    PvMappedFile *file = pv_elf_image_get_file (image);
    const uint8_t *data = pv_mapped_file_get_data (file);
    size_t size_bytes = pv_mapped_file_get_size (file);
    Elf64_Ehdr header;
    if (!pv_elf_image_is_64bit (image) || size_bytes < sizeof header)
        return 0;
    memcpy (&header, data, sizeof header);
    if (header.e_phoff > size_bytes || header.e_phentsize != sizeof (Elf64_Phdr))
        return 0;
    PvCursor cursor = pv_cursor (data + header.e_phoff, size_bytes - header.e_phoff, false);
    for (unsigned i = 0; i < header.e_phnum; i++) {
        Elf64_Phdr segment;
        const uint8_t *bytes = pv_cursor_take (&cursor, sizeof segment);
        if (bytes == NULL)
            return 0;
        memcpy (&segment, bytes, sizeof segment);
        if (segment.p_type == PT_GNU_EH_FRAME)
            return segment.p_vaddr;
    }
    return 0;
}

static bool
find_eh_frame_by_segment (PvElfImage *image, PvCfiSection *ret_section)
{
    enum { PCREL_SDATA4 = 0x1b };
    size_t left = 0;
    uint64_t header_addr = find_header_segment (image);
    const uint8_t *header = header_addr != 0 ? pv_elf_image_read (image, header_addr, &left) : NULL;
    if (header == NULL || left < 8 || header[0] != 1 || header[1] != PCREL_SDATA4)
        return false;
    int32_t distance;
    memcpy (&distance, header + 4, sizeof distance);
    uint64_t link_addr = header_addr + 4 + (uint64_t)(int64_t)distance;
    const uint8_t *data = pv_elf_image_read (image, link_addr, &left);
    if (data == NULL)
        return false;

    /* Its size is unknown: a zero length ends it, as in the runtime. */
    PvCfiSection rest = {.data = data, .size_bytes = left, .link_addr = link_addr};
    size_t offset = 0;
    for (;;) {
        PvCfiEntry entry;
        size_t start = offset;
        uint32_t length = 0;
        if (left - start >= sizeof length)
            memcpy (&length, data + start, sizeof length);
        if (length == 0 || !pv_cfi_next_entry (&rest, &offset, &entry)) {
            rest.size_bytes = start;
            break;
        }
    }
    *ret_section = rest;
    return rest.size_bytes > 0;
}

static void
find_code_range (const PvElfImage *image, uint64_t *ret_start, uint64_t *ret_end)
{
    const PvElfSegment *segments;
    size_t n_segments = pv_elf_image_get_segments (image, &segments);
    *ret_start = UINT64_MAX;
    *ret_end = 0;
    for (size_t i = 0; i < n_segments; i++) {
        const PvElfSegment *segment = &segments[i];
        uint64_t end = segment->link_addr + segment->file_size_bytes;
        if (!segment->is_executable || end < segment->link_addr)
            continue;
        *ret_start = MIN (*ret_start, segment->link_addr);
        *ret_end = MAX (*ret_end, end);
    }
}

PvCfiTable *
pv_cfi_table_new_for_image (PvElfImage *binary, PvElfImage *debug)
{
    g_assert (binary != NULL);

    const PvCfiArch *arch = pv_cfi_arch_find (pv_elf_image_get_machine (binary));
    if (arch == NULL || pv_elf_image_is_swapped (binary) ||
        pv_elf_image_is_64bit (binary) != (arch->word_size == 8))
        return NULL;
    PvCfiSection sections[3];
    unsigned n_sections = 0;
    uint64_t start, end;
    find_code_range (binary, &start, &end);
    if (find_section (binary, ".eh_frame", &sections[n_sections]) ||
        find_eh_frame_by_segment (binary, &sections[n_sections]))
        n_sections++;
    if (find_section (binary, ".debug_frame", &sections[n_sections]))
        sections[n_sections++].is_debug_frame = true;
    if (debug != binary && find_section (debug, ".debug_frame", &sections[n_sections]))
        sections[n_sections++].is_debug_frame = true;
    PvGoTable *go = pv_go_table_new (binary, NULL);
    return pv_cfi_table_new (arch, binary, go, sections, n_sections, start, end);
}
