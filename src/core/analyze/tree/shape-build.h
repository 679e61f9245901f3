/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/tree/tree-shape.h"
#include "core/base/job.h"
#include "core/base/pool.h"

/* previous, which may be NULL, is returned again if it fits, and lends what it can if not. NULL
 * when cancelled or when an expression is wrong. */
PvTreeShape *pv_tree_shape_build (const PvProfile *profile, const PvSymbolTable *symbols,
                                  const PvQuery *query, PvTreeShape *previous, PvPool *pool,
                                  PvJob *job, GError **error);
