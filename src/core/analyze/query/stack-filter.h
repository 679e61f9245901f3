/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "core/analyze/query/query.h"

/*
 * The transforms of a query as an automaton that reads the frames of a stack, root first, and
 * decides whether to keep each one. Each transform is a stage that sees the frames kept by the
 * stages before it, with one word of memory; the memory of all stages is encoded as one small
 * state. State 0 is the start. Reference counted; any number of threads may step at the same time.
 */
typedef struct PvStackFilter PvStackFilter;

/* NULL with error if an expression is invalid. */
PvStackFilter *pv_stack_filter_new (const PvProfile *profile, const PvSymbolTable *symbols,
                                    const PvQuery *query, GError **error);
PvStackFilter *pv_stack_filter_ref (PvStackFilter *filter);
void pv_stack_filter_unref (PvStackFilter *filter);

/* The table passed in, or one with an extra function for each merged module. Lives as long as the
 * filter unless referenced. */
const PvSymbolTable *pv_stack_filter_get_symbols (const PvStackFilter *filter);

/* True without transforms: then it keeps every frame unchanged. */
bool pv_stack_filter_is_identity (const PvStackFilter *filter);

/* The functions of the symbol table that a transform matches in a frame of theirs; 0 for one
 * without an expression. For a transform that merges modules: the modules. */
uint32_t pv_stack_filter_count_matches (PvStackFilter *filter, uint32_t transform);

/* Reads one frame and updates *state. True if the frame is kept; *ret_function is then the function
 * to show. */
bool pv_stack_filter_step (PvStackFilter *filter, uint32_t *state, const PvFrame *frame,
                           PvFunctionId *ret_function);

/* True if focus and ignore keep a stack that ends here. */
bool pv_stack_filter_is_in_focus (PvStackFilter *filter, uint32_t state);

/* True if a stack with no frames left is kept; had_frames: it had some at first. */
bool pv_stack_filter_keeps_empty (const PvStackFilter *filter, bool had_frames);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvStackFilter, pv_stack_filter_unref)
