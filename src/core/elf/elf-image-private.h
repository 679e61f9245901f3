/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <pthread.h>

#include "core/elf/elf-image.h"

/* The content of a compressed section, unpacked on first use, or of one that is relocated. */
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
    uint32_t name_section; /* index of .shstrtab */

    PvElfSegment *segments;
    size_t n_segments;
    PvElfSection *sections;
    size_t n_sections;
    char *section_names; /* our copy of .shstrtab, with a NUL after it */
    uint8_t build_id[PV_BUILD_ID_MAX];
    size_t build_id_size;
    size_t max_unpacked_bytes; /* of all sections together */
    uint32_t *relocations_of;  /* of placed files: the section with those of each; 0: none */
    uint64_t placed_code_end;

    pthread_mutex_t mutex;   /* protects everything below */
    PvElfUnpacked *unpacked; /* one for each section; NULL until the first is needed */
    size_t unpacked_bytes;   /* of all sections so far */
    bool has_too_much;       /* a section was left out because it is too large */
};

/* The section's bytes as stored, or NULL. */
const uint8_t *pv_elf_image_get_stored (const PvElfImage *image, const PvElfSection *section);

/* Applies the relocations in a section to the content of the one that they are for. */
void pv_elf_image_relocate (const PvElfImage *image, uint32_t relocations, uint8_t *data,
                            size_t size_bytes);

/* Frees the unpacked sections. */
void pv_elf_image_clear_sections (PvElfImage *image);
