/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "../new-query.h"
#include "core/analyze/tree/call-tree.h"
#include "core/model/build/builder.h"

/* Helpers of tests of time for the profiles that they make. */

/* A number below n. */
unsigned timed_pick (GRand *random, unsigned n);

/* Sets "cycles" and "off-cpu", which is of intervals with a delay; other: a second measure of
 * cycles, or NULL. */
PvProfileBuilder *timed_new_builder (const char *other);

/* Stacks of random functions of one module, the first n_roots of them without a caller. */
void timed_add_stacks (GRand *random, PvProfileBuilder *builder, unsigned n_functions,
                       PvStackId *stacks, unsigned n_stacks, unsigned n_roots);

/* Names each location as a function of module 1: "f" and its number. */
PvSymbolTable *timed_name_functions (const PvProfile *profile);

/* A tree of stacks only; the query must be good. */
PvCallTree *timed_build_tree (const PvProfile *profile, const PvSymbolTable *symbols,
                              const PvQuery *query);
