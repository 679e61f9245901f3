/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/base/mapped-file.h"
#include "core/model/profile/profile.h"
#include "core/symbolize/symbolizer.h"

/*
 * An ELF file read by our own bounded code: segments, sections (unpacked when compressed),
 * build-id, debuglink. Immutable once opened, apart from unpacking, which locks. Any thread may use
 * it. libdw handles are made from it per worker (dwarf-index.h), never shared.
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
    uint64_t align; /* of the address; 0 and 1: none */
    uint32_t link;
    uint32_t info;
} PvElfSection;

typedef struct PvElfImage PvElfImage;

/* Errors of PV_READ_ERROR; takes its own reference to file. */
PvElfImage *pv_elf_image_new (PvMappedFile *file, const char *path, GError **error);
PvElfImage *pv_elf_image_ref (PvElfImage *image);
void pv_elf_image_unref (PvElfImage *image);

const char *pv_elf_image_get_path (const PvElfImage *image);
PvMappedFile *pv_elf_image_get_file (const PvElfImage *image);
uint16_t pv_elf_image_get_machine (const PvElfImage *image); /* EM_X86_64 ... */
bool pv_elf_image_is_64bit (const PvElfImage *image);
bool pv_elf_image_is_swapped (const PvElfImage *image);
uint16_t pv_elf_image_get_type (const PvElfImage *image); /* ET_DYN ... */
/* Whether it names a program that loads it and its libraries (PT_INTERP). */
bool pv_elf_image_has_interpreter (const PvElfImage *image);
size_t pv_elf_image_get_segments (const PvElfImage *image, const PvElfSegment **ret_segments);
size_t pv_elf_image_get_sections (const PvElfImage *image, const PvElfSection **ret_sections);
size_t pv_elf_image_get_build_id (const PvElfImage *image, const uint8_t **ret_build_id);

const PvElfSection *pv_elf_image_find_section (const PvElfImage *image, const char *name);

/* The section's bytes, unpacked on first use if compressed (SHF_COMPRESSED zlib and zstd, .zdebug);
 * NULL if it has none in the file or is damaged. Valid as long as the image. */
const uint8_t *pv_elf_image_get_section_data (PvElfImage *image, const PvElfSection *section,
                                              size_t *ret_size_bytes);

/* A whole ELF file in memory with no compressed debug sections left, for elf_memory (): the mapped
 * file itself, or a copy unpacked once (libdw of elfutils 0.188 knows no zstd). Shared by all
 * handles, valid as long as the image; never written to. NULL if unpacking fails or would pass 8
 * GiB. */
const uint8_t *pv_elf_image_get_plain (PvElfImage *image, size_t *ret_size_bytes);

/* Bytes at a link address, from the PT_LOAD that holds it; NULL if not in the file. ret_size_bytes
 * gets how many follow there. */
const uint8_t *pv_elf_image_read (const PvElfImage *image, uint64_t link_addr,
                                  size_t *ret_size_bytes);

/* By segments, preferring an executable one where page-rounded ranges overlap. False if no segment
 * maps that offset. */
bool pv_elf_image_offset_to_link (const PvElfImage *image, uint64_t file_offset,
                                  uint64_t *ret_link_addr);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvElfImage, pv_elf_image_unref)

/* The files of one module, opened on first use and then kept. */
typedef struct {
    PvElfImage *binary; /* the mapped file itself, with .eh_frame; NULL if not found */
    PvElfImage *debug; /* where .debug_info and the best symbol table are; may be == binary; NULL */
    PvElfImage *alternate; /* dwz supplementary file, or NULL */
    bool is_mismatched;    /* files of that path exist, but of another build */
    bool is_unverified;    /* no build-id to compare, and the file is newer than ... or unknown */
    const char *reason;    /* NULL, or why there is no file (translated) */
} PvModuleFile;

/* Never NULL; kept until pv_module_files_free (). Thread-safe: the first caller opens, others wait.
 * A vdso is looked for in the build-id caches, then in our own process if the build-id matches. The
 * key is (path, build-id, kind), not the id. */
const PvModuleFile *pv_module_files_get (PvModuleFiles *files, const PvModule *module);
