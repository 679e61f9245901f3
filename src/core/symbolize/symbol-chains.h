/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/base/arena.h"
#include "core/model/profile/symbols.h"
#include "core/symbolize/files/frame-chain.h"
#include "core/symbolize/names/demangle.h"
#include "core/symbolize/names/elf-symbols.h"

/*
 * How names get from workers to the symbol table. A worker turns its results for some addresses of
 * a module into functions with readable names, and chains of frames that refer to these; the
 * symbolizing thread then adds them to the builder, one call per function.
 */
typedef struct {
    uint32_t function; /* in functions; UINT32_MAX: unknown */
    uint32_t line;
    const char *file;
    bool is_inlined;
} PvNamedFrame;

typedef struct {
    PvFunction *functions; /* without module */
    uint32_t n_functions;
    PvNamedFrame *frames;
    uint32_t *first_frame; /* per address, n_addrs + 1 entries */
    size_t n_addrs;
} PvNamedChains;

/* Uses the chain of an address if it has one, else the hit; chains or hits may be NULL. known (may
 * be NULL) is the result of an earlier step for the module, and places gives the index of each
 * address in it: its functions stay where chains have no better name. Allocates everything in the
 * arena. Any thread. */
void pv_named_chains_build (PvNamedChains *named, PvDemangler *demangler, const PvModule *module,
                            const PvFrameChain *chains, const PvSymbolHit *hits,
                            const PvNamedChains *known, const uint32_t *places, size_t n,
                            PvArena *arena);

/* Frames for the builder; function ids and file names are looked up once. */
typedef struct {
    PvFrame *frames;
    const uint32_t *first_frame;
} PvBuiltChains;

void pv_named_chains_add (const PvNamedChains *named, PvSymbolBuilder *builder, PvModuleId module,
                          PvBuiltChains *ret_built);
void pv_built_chains_clear (PvBuiltChains *built);
