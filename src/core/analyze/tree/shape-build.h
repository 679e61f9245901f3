/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/tree/tree-detail.h"
#include "core/analyze/tree/tree-shape.h"
#include "core/base/job.h"
#include "core/base/pool.h"

/* Returns a reference to previous (may be NULL) if it still applies, else reuses what it can of it.
 * detail is NULL for the complete shape; else weight_of_stack has the weight of each stack with all
 * stacks on top of it; it may be NULL if the detail wants no nodes. NULL when cancelled or if an
 * expression is invalid. */
PvTreeShape *pv_tree_shape_build (const PvProfile *profile, const PvSymbolTable *symbols,
                                  const PvQuery *query, const PvTreeDetail *detail,
                                  const uint64_t *weight_of_stack, PvTreeShape *previous,
                                  PvPool *pool, PvJob *job, GError **error);
