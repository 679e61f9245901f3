/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/elf/elf-image.h"

/* Code that is in no ELF file of its own, as one: the rest reads it like that of programs. */
typedef struct {
    uint16_t machine; /* EM_X86_64 ... */
    bool is_64bit;
    bool is_swapped; /* of the other byte order than this machine */
} PvCodeMachine;

typedef struct {
    uint64_t addr;
    const uint8_t *bytes; /* copied */
    size_t size_bytes;
} PvCodePiece;

/* An image with a segment for each piece, without sections. path is what it is called. Pieces that
 * are too many or too large (64 MiB together) are left out. */
PvElfImage *pv_code_image_new (const PvCodeMachine *machine, const PvCodePiece *pieces,
                               size_t n_pieces, const char *path);
