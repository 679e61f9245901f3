/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/base/build-id.h"
#include "core/base/cursor.h"
#include "core/base/mapped-file.h"

/*
 * An ELF file read by our own bounded code: segments, sections (unpacked when compressed),
 * build-id. Immutable once opened and placed, except for unpacking, which locks. Any thread may use
 * it.
 */
typedef struct {
    uint64_t file_offset;
    uint64_t link_addr;
    uint64_t file_size_bytes;
    uint64_t mem_size_bytes;
    uint64_t align;
    bool is_executable;
} PvElfSegment; /* PT_LOAD */

typedef struct {
    const char *name;
    uint32_t type;
    uint64_t flags;
    uint64_t link_addr;
    uint64_t file_offset;
    uint64_t size_bytes; /* as stored */
    uint64_t entry_size;
    uint64_t align; /* of the address; 0 and 1: no alignment */
    uint32_t link;
    uint32_t info;
} PvElfSection;

typedef struct PvElfImage PvElfImage;

/* Errors of PV_READ_ERROR; takes its own reference to file. */
PvElfImage *pv_elf_image_new (PvMappedFile *file, const char *path, GError **error);
/* The same for a file that is packed as a whole (gzip, xz, zstd), or for a section that contains
 * one; unpacks at most max_bytes. The data is not needed afterwards. */
PvElfImage *pv_elf_image_new_packed (const uint8_t *data, size_t size_bytes, size_t max_bytes,
                                     const char *path, GError **error);
PvElfImage *pv_elf_image_ref (PvElfImage *image);
void pv_elf_image_unref (PvElfImage *image);

const char *pv_elf_image_get_path (const PvElfImage *image);
PvMappedFile *pv_elf_image_get_file (const PvElfImage *image);
uint16_t pv_elf_image_get_machine (const PvElfImage *image); /* EM_X86_64 ... */
bool pv_elf_image_is_64bit (const PvElfImage *image);
bool pv_elf_image_is_swapped (const PvElfImage *image);
uint16_t pv_elf_image_get_type (const PvElfImage *image); /* ET_DYN ... */
/* True if the image names a dynamic loader (PT_INTERP). */
bool pv_elf_image_has_interpreter (const PvElfImage *image);
size_t pv_elf_image_get_segments (const PvElfImage *image, const PvElfSegment **ret_segments);
size_t pv_elf_image_get_sections (const PvElfImage *image, const PvElfSection **ret_sections);
size_t pv_elf_image_get_build_id (const PvElfImage *image, const uint8_t **ret_build_id);

/* Gives each section with SHF_ALLOC of an object file, where all begin at 0, a link address of its
 * own, and applies relocations to debug sections when they are read. Call it before other threads
 * have the image. False: it is no object file, of a machine that is not known here (x86-64 and
 * AArch64 are), or in use. */
bool pv_elf_image_place (PvElfImage *image);
/* True if the image is placed; gets the link addresses of its code. */
bool pv_elf_image_get_placed (const PvElfImage *image, uint64_t *ret_start, uint64_t *ret_end);

const PvElfSection *pv_elf_image_find_section (const PvElfImage *image, const char *name);

/* True if the section is compressed (SHF_COMPRESSED zlib and zstd, .zdebug). */
bool pv_elf_section_is_packed (const PvElfSection *section);

/* The unpacked size of the section, without unpacking it; 0 if it has no bytes in the file or is
 * damaged. */
size_t pv_elf_image_get_section_size (const PvElfImage *image, const PvElfSection *section);

/* The section's bytes, unpacked on first use if compressed; NULL if it has none in the file
 * or is damaged. Valid as long as the image. */
const uint8_t *pv_elf_image_get_section_data (PvElfImage *image, const PvElfSection *section,
                                              size_t *ret_size_bytes);

/* True if a compressed section was left out because the sections of this file, unpacked, are far
 * too large for it. */
bool pv_elf_image_has_too_much (PvElfImage *image);

/* The bytes at a link address, from the PT_LOAD that contains it; NULL if not in the file.
 * *ret_size_bytes is the number of bytes there. */
const uint8_t *pv_elf_image_read (const PvElfImage *image, uint64_t link_addr,
                                  size_t *ret_size_bytes);

/* Converts by segments, and prefers executable ones where page-rounded ranges overlap. False if no
 * segment maps that offset. */
bool pv_elf_image_offset_to_link (const PvElfImage *image, uint64_t file_offset,
                                  uint64_t *ret_link_addr);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvElfImage, pv_elf_image_unref)
