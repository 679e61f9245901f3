/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/probe/program-facts.h"

/*
 * The parts of pv_program_facts_judge (). Whatever the bytes, each reads a stated number of them at
 * most, and looks at job now and then; when that is cancelled, what it has found is worth nothing.
 */

/* Sets what is known of frame pointers and unwind tables. */
void pv_program_judge_frames (PvElfImage *binary, PvElfImage *debug, const PvJob *job,
                              PvProgramFacts *facts);

/* Sets what is known of allocators. */
void pv_program_judge_allocators (PvElfImage *binary, PvElfImage *debug, const PvJob *job,
                                  PvProgramFacts *facts);

/* --- functions by their code --- */

/* The link addresses of at most max functions, spread over the whole program, sorted and without
 * repeats: from its symbols, or, where these are stripped, from the calls in its code. */
size_t pv_program_find_functions (PvElfImage *binary, PvElfImage *debug, const PvJob *job,
                                  uint64_t *ret_starts, size_t max);

typedef enum {
    PV_CODE_SILENT,  /* says nothing, as it calls nothing or comes to that later */
    PV_CODE_STUB,    /* no function but a jump to one elsewhere (PLT) */
    PV_CODE_KEEPS,   /* begins by setting up a frame pointer */
    PV_CODE_OMITS,   /* has a frame but no pointer to it */
    PV_CODE_OUTSIDE, /* there is no code */
} PvCodeVerdict;

/* By the first instructions there. Of x86, x86_64 and aarch64; others are silent. */
PvCodeVerdict pv_program_judge_code (const PvElfImage *binary, uint64_t start);

/* The section's bytes; NULL if there are none, or if it is compressed and would be huge. */
const uint8_t *pv_program_get_section (PvElfImage *image, const char *name, uint64_t *ret_link_addr,
                                       size_t *ret_size_bytes);
