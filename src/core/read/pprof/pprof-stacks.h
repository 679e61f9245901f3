/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/array.h"

/* Rows of a tree that were added together: each is the parent of the next. */
typedef struct {
    uint32_t first; /* row */
    uint32_t parent;
    uint32_t location; /* of the first */
} PprofChain;

/* Small, so that many fit into the processor's cache. */
typedef struct {
    uint32_t chain; /* index + 1; 0: the slot is free */
    uint32_t hash;  /* of parent and location; its low bits select the slot */
} PprofSlot;

/*
 * A tree of location numbers, parents first, with an empty row 0. A stack's new frames are added as
 * a chain, so only the parents of chains are stored and looked up in a map.
 */
typedef struct {
    PV_ARRAY (uint32_t) location; /* with PPROF_IS_FIRST in the first of a chain */
    PV_ARRAY (PprofChain) chains;
    PprofSlot *slots;
    unsigned n_slot_bits;
} PprofStacks;

#define PPROF_IS_FIRST 0x80000000u

#define PPROF_MAX_STACKS ((uint32_t)1 << 30)

void pprof_stacks_init (PprofStacks *stacks);
void pprof_stacks_clear (PprofStacks *stacks);
/* Call when all stacks were added. Returns the parents and locations of all rows, which the caller
 * owns. */
void pprof_stacks_take (PprofStacks *stacks, uint32_t **ret_parent, uint32_t **ret_location);
/* Adds a stack, leaf first, and returns its row; PPROF_MAX_STACKS if there are too many. */
uint32_t pprof_stacks_add (PprofStacks *stacks, const uint32_t *leaf_first, size_t n);
