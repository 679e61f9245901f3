/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>

#include "core/base/arena.h"
#include "core/base/job.h"
#include "core/symbolize/files/frame-chain.h"
#include "core/symbolize/machine/code-places.h"
#include "core/symbolize/machine/decoder.h"

/*
 * Debug information about each instruction of a function: from DWARF, Go's tables or the recording
 * itself. Each compile unit is read once, however many places of the function it has.
 */
typedef struct {
    PvFrameChain *chains; /* by instruction; neighbours may share frames */
    bool has_lines;       /* there is debug information */
    unsigned n_arenas;
    PvArena **arenas; /* have frames and strings */
} PvCodeChains;

/* Finds the chains of instructions in some of the places, one place after the other. Runs several
 * threads. Incomplete when cancelled. */
void pv_code_chains_find (PvCodeChains *chains, const PvCodePlaces *places,
                          const PvInstruction *instructions, uint32_t n_instructions, PvJob *job);
void pv_code_chains_clear (PvCodeChains *chains);
