/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "core/analyze/query/query.h"
#include "core/base/job.h"

/*
 * Focus and ignore do not change what a stack looks like, only whether it counts. So they are kept
 * out of the tree's shape and answered here, stack by stack: changing them costs one pass over the
 * stacks and leaves the shape as it is. What the expressions match still depends on the transforms
 * before them in the list. Immutable, reference counted.
 */
typedef struct {
    int ref_count; /* atomic */
    const PvProfile *profile;
    const PvSymbolTable *symbols;
    PvQuery query;
    bool *is_kept; /* per stack */
} PvFocus;

/* Whether the query has a focus or ignore at all. */
bool pv_focus_is_needed (const PvQuery *query);

/* previous, which may be NULL, is returned again if it fits. NULL when cancelled or when an
 * expression is wrong. */
PvFocus *pv_focus_build (const PvProfile *profile, const PvSymbolTable *symbols,
                         const PvQuery *query, PvFocus *previous, PvJob *job, GError **error);
PvFocus *pv_focus_ref (PvFocus *focus);
void pv_focus_unref (PvFocus *focus);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvFocus, pv_focus_unref)
