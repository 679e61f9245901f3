/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/probe/program-facts.h"

/*
 * The parts of pv_program_facts_judge (). Each reads a bounded number of bytes and checks job
 * now and then; once job is cancelled, the results are meaningless.
 */

/* Sets the facts about frame pointers and unwind tables. */
void pv_program_judge_frames (PvElfImage *binary, PvElfImage *debug, const PvJob *job,
                              PvProgramFacts *facts);

/* Sets the facts about allocators. */
void pv_program_judge_allocators (PvElfImage *binary, PvElfImage *debug, const PvJob *job,
                                  PvProgramFacts *facts);

/* The section's bytes; NULL if it has none, or if it is compressed and would be huge. */
const uint8_t *pv_program_get_section (PvElfImage *image, const char *name, uint64_t *ret_link_addr,
                                       size_t *ret_size_bytes);
