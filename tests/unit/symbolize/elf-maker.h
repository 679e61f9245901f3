/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Makes small ELF files for tests: sections one behind the other, the header tables at the end. */
typedef struct ElfMaker ElfMaker;

ElfMaker *elf_maker_new (bool is_64bit, bool is_big_endian, uint16_t type, uint16_t machine);
void elf_maker_free (ElfMaker *maker);

typedef struct {
    const char *name;
    uint32_t type;
    uint64_t flags;
    uint64_t addr;
    const void *data;
    size_t size_bytes;
    uint32_t link;
    uint32_t info;
    uint64_t entry_size;
    uint64_t align;
} MakerSection;

/* Gives the section's index, from 1. Data is copied; NULL: zeros. */
uint32_t elf_maker_section (ElfMaker *maker, MakerSection section);

/* A .text at an address; or any bytes in a section without one. The same. */
uint32_t elf_maker_text (ElfMaker *maker, uint64_t addr, const void *data, size_t size_bytes);
uint32_t elf_maker_data (ElfMaker *maker, const char *name, uint64_t flags, const void *data,
                         size_t size_bytes);

/* A PT_LOAD around one section. */
void elf_maker_load (ElfMaker *maker, uint32_t section, bool is_executable);

/* A PT_LOAD of any numbers. */
void elf_maker_segment (ElfMaker *maker, uint64_t offset, uint64_t addr, uint64_t size_bytes,
                        bool is_executable);

/* A .note.gnu.build-id. */
void elf_maker_build_id (ElfMaker *maker, const void *build_id, size_t size_bytes);

/* .symtab (or .dynsym) and its strings, from an array that a NULL name ends. 64-bit little-endian
 * or whatever the maker is for. */
typedef struct {
    const char *name;
    uint64_t value;
    uint64_t size_bytes;
    uint8_t binding;
    uint8_t type;
    uint16_t section;
} MakerSymbol;

uint32_t elf_maker_symbols (ElfMaker *maker, bool is_dynamic, const MakerSymbol *symbols);

/* The file's bytes, g_free (). */
uint8_t *elf_maker_finish (ElfMaker *maker, size_t *ret_size_bytes);

/* The same into a file; folders are made. */
void elf_maker_write (ElfMaker *maker, const char *path);

/* Integers in the maker's byte order. */
void elf_maker_put (const ElfMaker *maker, GByteArray *bytes, uint64_t value, unsigned size);
/* Several of one size. */
void elf_maker_put_numbers (const ElfMaker *maker, GByteArray *bytes, unsigned size,
                            const uint64_t *values, size_t n);
#define elf_maker_put_all(maker, bytes, size, ...)                                                 \
    elf_maker_put_numbers (maker, bytes, size, (const uint64_t[]){__VA_ARGS__},                    \
                           G_N_ELEMENTS (((const uint64_t[]){__VA_ARGS__})))

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ElfMaker, elf_maker_free)
