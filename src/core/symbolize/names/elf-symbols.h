/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/arena.h"
#include "core/elf/elf-image.h"
#include "core/symbolize/files/module-files.h"

/*
 * Function names from symbol tables, without building an index: addresses are few and symbols many,
 * so one pass over the symbols keeps those that cover an address.
 */
typedef enum {
    PV_SYMBOL_NONE,
    PV_SYMBOL_NAMED,
    PV_SYMBOL_RANGE, /* no name, but call frame information gives the function's range */
} PvSymbolKind;

typedef struct {
    const char *name;    /* as in the symbol table, in the arena; NULL unless NAMED */
    uint64_t start;      /* link address */
    uint64_t size_bytes; /* 0: unknown */
    PvSymbolKind kind;
} PvSymbolHit;

/* Looks up n link addresses, sorted and unique, in the symbol tables of debug file and binary, then
 * the PLT ("name@plt"), then .eh_frame. True if there was a table of all functions (not only
 * exported ones). Any thread; only reads file. */
bool pv_elf_symbols_find (const PvModuleFile *file, const uint64_t *link_addrs, size_t n,
                          PvSymbolHit *hits, PvArena *arena);

/* The address of the symbol with that name; false if it is missing. */
bool pv_elf_symbols_find_name (PvElfImage *image, const char *name, uint64_t *ret_link_addr);

/* Where the code ends that begins at or before each of n addresses, which are sorted, and whose
 * size is not known: at the next symbol, or with the section. The address itself if it is in no
 * section with code. One pass over the symbols. */
void pv_elf_symbols_find_ends (const PvModuleFile *file, const uint64_t *link_addrs, size_t n,
                               uint64_t *ends);

/* A mapping symbol of ARM or AArch64: what bytes are from an address on. */
typedef struct {
    uint64_t addr; /* link address */
    char what;     /* 'a': ARM code, 't': Thumb, 'x': AArch64, 'd': data */
} PvCodeMark;

/* The marks up to end that say what [start, end) is, by address: the first one may lie before
 * start. None for other machines and stripped files. Free with g_free (). */
PvCodeMark *pv_elf_symbols_list_marks (const PvModuleFile *file, uint64_t start, uint64_t end,
                                       size_t *ret_n_marks);

/* Assigns addresses to the sections of a kernel module (ET_REL), which has none: executable
 * sections one after another, as the kernel's loader places them. NULL for other files; else an
 * array with one address per section, UINT64_MAX for those left out. Free with g_free (). */
uint64_t *pv_elf_image_place_sections (const PvElfImage *image);

/* Part of pv_elf_symbols_find (): fills in hits of kind NONE. */
void pv_plt_symbols_find (PvElfImage *binary, const uint64_t *link_addrs, size_t n,
                          PvSymbolHit *hits, PvArena *arena);
