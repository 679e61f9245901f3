/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/tables/sample-rows.h"

/*
 * Stacks frame by frame, for formats that know inlined frames as frames like others. Rows of stacks
 * and frames are made for the requested nodes of sample rows. Not thread-safe.
 */
typedef struct {
    PvFunctionId function;
    PvLocationId location; /* 0: none */
    const char *file;      /* of the line, or else of the function; NULL: unknown */
    uint32_t line;         /* 0: unknown */
    uint32_t depth;        /* 0: the outermost frame of its location */
} PvSavedFrame;

/* Row 0 is the root and has no frame; parents come before children. */
typedef struct {
    uint32_t parent;
    uint32_t frame; /* its index */
} PvSavedStack;

typedef struct PvSavedStacks PvSavedStacks;

/* Borrows rows. */
PvSavedStacks *pv_saved_stacks_new (PvSampleRows *rows, const PvProfile *profile);
void pv_saved_stacks_free (PvSavedStacks *stacks);

/* The stack that ends with the node's innermost frame. */
uint32_t pv_saved_stacks_get (PvSavedStacks *stacks, uint32_t node);

/* All so far; valid until the next one is requested. */
const PvSavedStack *pv_saved_stacks_get_all (const PvSavedStacks *stacks, uint32_t *ret_n);
const PvSavedFrame *pv_saved_stacks_get_frames (const PvSavedStacks *stacks, uint32_t *ret_n);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvSavedStacks, pv_saved_stacks_free)
