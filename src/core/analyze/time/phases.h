/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/tree/call-tree.h"

/*
 * Stretches of time with like stacks.
 *
 * The time is cut into up to 256 equal parts with ten samples each on average. A stack is a vector
 * of its functions, each weighted by the share of stacks that lack it, so that main () tells
 * nothing, and the vectors are hashed to 128 numbers of unit length. The likeness of two stretches
 * is the cosine between the sums of their vectors, freed from what chance does to few samples.
 * The two neighbours that are most alike become one, until no two are alike and there are at most
 * 24, which all have at least 30 samples. Parts without samples are idle; a short one belongs to
 * what is before it.
 *
 * At most 1,024 samples of each part are read, with up to 1,024 frames each and 64 Ki functions in
 * all: except for passes over the samples, time and memory do not depend on the recording's size.
 */
typedef struct {
    uint64_t start_ns; /* since profile->start_ns */
    uint64_t end_ns;
    uint64_t weight;
    uint64_t n_samples;
    /* The function with the most self weight in the phase; 0: idle, or without names. */
    PvFunctionId function;
    double self_share; /* of that function in the weight of the phase */
    /* The function whose total has a larger share in the phase than in the rest, by the most or
     * nearly so; of several, the innermost with the smallest total, but not the hottest one. 0:
     * none. */
    PvFunctionId typical;
} PvPhase;

typedef struct {
    PvCallTree *tree; /* a reference */
    uint32_t n_phases;
    PvPhase *phases; /* without gaps, from the first to the last sample */
} PvPhases;

/* Finds the phases of the samples that the tree keeps; its measure must have times, see
 * pv_time_index_can_build (). NULL when cancelled. Any thread. */
PvPhases *pv_phases_find (const PvCallTree *tree, PvJob *job);
void pv_phases_free (PvPhases *phases);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvPhases, pv_phases_free)
