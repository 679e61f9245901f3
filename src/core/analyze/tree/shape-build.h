/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/tree/tree-shape.h"
#include "core/base/job.h"
#include "core/base/pool.h"

/* Returns a reference to previous (may be NULL) if it still applies, else reuses what it can of it.
 * NULL when cancelled or if an expression is invalid. */
PvTreeShape *pv_tree_shape_build (const PvProfile *profile, const PvSymbolTable *symbols,
                                  const PvQuery *query, PvTreeShape *previous, PvPool *pool,
                                  PvJob *job, GError **error);
