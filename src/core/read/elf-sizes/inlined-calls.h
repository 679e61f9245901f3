/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/base/array.h"
#include "core/base/idmap.h"
#include "core/model/build/builder.h"
#include "core/read/elf-sizes/elf-parts.h"

/*
 * The calls that were inlined into one function, as a tree: calls of the same function at the same
 * place of the tree are one node, which counts them.
 */
typedef struct {
    uint32_t parent; /* index + 1; 0: the function itself */
    uint32_t depth;  /* 1: inlined into the function itself */
    PvGivenFrame frame;
    uint64_t bytes[ELF_N_SPACES]; /* without those of its children */
    uint64_t n_copies;            /* not counted for a function before */
    bool has_frames;              /* its location, and those of its callers */
} InlinedCall;

enum { INLINED_CALLS_KEPT = 1 << 10 };

typedef struct {
    PvProfileBuilder *builder;
    const PvCodeMap *code;
    /* Strings of the code map and what the builder has for them: many calls have the same ones. */
    struct {
        const char *given, *kept;
    } strings[INLINED_CALLS_KEPT];
    PV_ARRAY (InlinedCall) calls; /* parents come first */
    PvHashMap call_of_name;       /* by parent and name */
    uint32_t *call_of_scope;      /* index + 1, of the function of that number */
    uint32_t *function_of_scope;  /* 0: in none yet */
    uint32_t function;            /* that is being read, from 1 */
    PV_ARRAY (uint32_t) path;
    PV_ARRAY (PvGivenFrame) frames;
} InlinedCalls;

/* Memory that is for the largest program, too: two numbers for each scope. */
void inlined_calls_init (InlinedCalls *calls, const PvCodeMap *code, PvProfileBuilder *builder);
void inlined_calls_clear (InlinedCalls *calls);

/* Replaces the tree by that of the next function; shares are all of that. */
void inlined_calls_fill (InlinedCalls *calls, const ElfShare *shares, size_t n_shares);

/* Gives the first n calls their frames, innermost first, with the function's own last. Their
 * locations are numbered from first on. A caller shares the frames of a call inlined into it. */
void inlined_calls_give_frames (InlinedCalls *calls, size_t n, PvLocationId first,
                                const PvGivenFrame *function);
