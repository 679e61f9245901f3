/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "core/analyze/query/query.h"

/*
 * The transforms of a query as an automaton that reads the frames of a stack, root first, and
 * decides for each whether it is kept. Each transform is a stage that sees the frames the stages
 * before it kept, with one word of memory; the memory of all stages together is one small state.
 * State 0 is the start. Any number of threads may step at the same time.
 */
typedef struct PvStackFilter PvStackFilter;

/* NULL with error if an expression is wrong. */
PvStackFilter *pv_stack_filter_new (const PvProfile *profile, const PvSymbolTable *symbols,
                                    const PvQuery *query, GError **error);
void pv_stack_filter_free (PvStackFilter *filter);

/* The table passed in, or, with merged modules, one with an extra function for each of them. Lives
 * as long as the filter unless referenced. */
const PvSymbolTable *pv_stack_filter_get_symbols (const PvStackFilter *filter);

/* True without transforms: then every frame is kept as it is. */
bool pv_stack_filter_is_identity (const PvStackFilter *filter);

/* Reads one frame. True if it is kept, then *ret_function is what it is shown as. *state becomes
 * the state after the frame. */
bool pv_stack_filter_step (PvStackFilter *filter, uint32_t *state, const PvFrame *frame,
                           PvFunctionId *ret_function);

/* Whether focus and ignore keep a stack that ends here. */
bool pv_stack_filter_is_in_focus (PvStackFilter *filter, uint32_t state);

/* Whether a stack without any frame left is kept; had_frames says that it was not empty at first.
 */
bool pv_stack_filter_keeps_empty (const PvStackFilter *filter, bool had_frames);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvStackFilter, pv_stack_filter_free)
