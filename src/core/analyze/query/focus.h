/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "core/analyze/query/query.h"
#include "core/base/job.h"

/*
 * Focus and ignore do not change what a stack looks like, only whether it counts. So they are not
 * part of the tree's shape but evaluated here, stack by stack: changing them costs one pass over
 * the stacks and keeps the shape. What the expressions match still depends on the transforms before
 * them in the list. Immutable, reference counted.
 */
typedef struct {
    int ref_count; /* atomic */
    const PvProfile *profile;
    const PvSymbolTable *symbols;
    PvQuery query;
    bool *is_kept; /* per stack */
} PvFocus;

/* True if the query has any focus or ignore. */
bool pv_focus_is_needed (const PvQuery *query);

/* Returns a reference to previous (may be NULL) if it still applies. NULL when cancelled or if an
 * expression is invalid. */
PvFocus *pv_focus_build (const PvProfile *profile, const PvSymbolTable *symbols,
                         const PvQuery *query, PvFocus *previous, PvJob *job, GError **error);
PvFocus *pv_focus_ref (PvFocus *focus);
void pv_focus_unref (PvFocus *focus);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvFocus, pv_focus_unref)
