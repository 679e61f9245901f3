/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

#include "core/base/job.h"
#include "core/elf/code-map.h"
#include "core/elf/elf-image.h"

/*
 * The parts of an ELF file: each byte of the file, and of the memory that it fills when it is
 * loaded, belongs to one. Immutable; names live as long as the image.
 */
typedef enum {
    ELF_SPACE_FILE,
    ELF_SPACE_MEMORY, /* PT_LOAD segments; of files that are not linked, sections with SHF_ALLOC */
    ELF_N_SPACES,
} ElfSpace;

/* Purpose of a section. */
typedef enum {
    ELF_CLASS_CODE,
    ELF_CLASS_CONSTANTS, /* read-only data */
    ELF_CLASS_DATA,
    ELF_CLASS_ZEROS, /* .bss */
    ELF_CLASS_UNWIND,
    ELF_CLASS_LINKING,
    ELF_CLASS_RELOCATIONS,
    ELF_CLASS_SYMBOLS,
    ELF_CLASS_DEBUG,
    ELF_CLASS_NOTES,
    ELF_CLASS_OTHER,
    ELF_CLASS_STRUCTURE, /* headers, and what is between sections */
    ELF_N_CLASSES,
} ElfClass;

typedef enum {
    ELF_PART_SECTION,   /* all of it, or what is left */
    ELF_PART_SYMBOL,    /* a function, a variable */
    ELF_PART_PADDING,   /* between symbols */
    ELF_PART_UNNAMED,   /* bytes of a section that no symbol has */
    ELF_PART_STRUCTURE, /* named by a constant */
} ElfPartKind;

typedef struct {
    ElfPartKind kind;
    ElfClass class;
    const char *section;     /* NULL: none */
    const char *name;        /* mangled; NULL: of the section itself */
    const char *source_file; /* of local symbols, from the symbol table; NULL: unknown */
    const char *unit_file;   /* of the compile unit of a function; NULL: unknown */
    const char *file;        /* of the function's declaration; NULL: unknown */
    uint32_t line;           /* of that; 0: unknown */
    PvNameSource name_source;
    uint64_t bytes[ELF_N_SPACES];
} ElfPart;

/* Bytes of a function that are of a call that was inlined into it, without what was inlined there
 * in turn. */
typedef struct {
    uint32_t part;
    uint32_t scope; /* of the code map */
    uint64_t bytes[ELF_N_SPACES];
} ElfShare;

typedef struct {
    size_t n;
    ElfPart *parts;
    size_t n_shares;
    ElfShare *shares; /* sorted by part; of a scope there may be several */
    bool has_symbols;
    bool is_stripped;   /* the symbols are those that are exported only */
    bool has_mini_info; /* of the others, functions have names from .gnu_debugdata */
    bool is_debug_file; /* loaded bytes are in another file (objcopy --only-keep-debug) */
    bool is_go;
    bool has_clipped; /* a section or symbol is said to reach beyond what contains it */
} ElfParts;

/* NULL when cancelled. code: what debug information tells, which must live as long; or NULL. */
ElfParts *elf_parts_new (PvElfImage *image, const uint8_t *data, uint64_t size_bytes,
                         const PvCodeMap *code, PvJob *job);
void elf_parts_free (ElfParts *parts);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ElfParts, elf_parts_free)
