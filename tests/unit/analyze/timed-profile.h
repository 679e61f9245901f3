/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/tree/call-tree.h"

/* What tests of time do with the profiles that they make. */

/* A number below n. */
unsigned timed_pick (GRand *random, unsigned n);

/* Names each location as a function of module 1: "f" and its number. */
PvSymbolTable *timed_name_functions (const PvProfile *profile);

/* A tree of stacks only; the query must be good. */
PvCallTree *timed_build_tree (const PvProfile *profile, const PvSymbolTable *symbols,
                              const PvQuery *query);
