/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <pthread.h>

#include "core/base/cursor.h"
#include "core/elf/elf-image.h"

/* A compressed section once it was asked for. */
typedef struct {
    uint8_t *data;
    size_t size_bytes;
    bool is_tried;
} PvElfUnpacked;

struct PvElfImage {
    int ref_count; /* atomic */
    PvMappedFile *file;
    char *path;
    const uint8_t *data; /* of the file */
    size_t size_bytes;

    bool is_64bit;
    bool is_swapped;
    bool has_interpreter;
    uint16_t machine;
    uint16_t type;
    uint32_t flags;
    uint64_t section_table_offset;
    uint32_t name_section; /* index of .shstrtab */

    PvElfSegment *segments;
    size_t n_segments;
    PvElfSection *sections;
    size_t n_sections;
    char *section_names; /* our copy of .shstrtab, with a NUL after it */
    uint8_t build_id[PV_BUILD_ID_MAX];
    size_t build_id_size;

    pthread_mutex_t mutex;   /* of everything below */
    PvElfUnpacked *unpacked; /* one for each section; NULL until the first is needed */
    uint8_t *plain;          /* anonymous mapping, or the file's own bytes */
    size_t plain_size_bytes;
    bool is_plain_tried;
};

/* The uncompressed size the section claims, and the packed bytes; false if it is not compressed or
 * claims what no compressor can make of so few bytes. */
typedef struct {
    enum { PV_ELF_PACKED_ZLIB, PV_ELF_PACKED_ZSTD } method;
    const uint8_t *data;
    size_t size_bytes;
    size_t unpacked_size_bytes;
    uint64_t align;
} PvElfPacked;

bool pv_elf_section_is_packed (const PvElfSection *section);
bool pv_elf_image_get_packed (const PvElfImage *image, const PvElfSection *section,
                              PvElfPacked *ret_packed);
bool pv_elf_packed_unpack (const PvElfPacked *packed, uint8_t *out);

/* The section's bytes as stored, or NULL. */
const uint8_t *pv_elf_image_get_stored (const PvElfImage *image, const PvElfSection *section);

/* The build-id among notes, PV_BUILD_ID_MAX bytes at most; its size, or 0. */
size_t pv_elf_notes_find_build_id (PvCursor notes, uint64_t align, uint8_t *ret_build_id);

/* Frees what elf-plain.c made. */
void pv_elf_image_clear_plain (PvElfImage *image);
