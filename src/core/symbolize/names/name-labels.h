/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stddef.h>

#include "core/base/pool.h"
#include "core/model/profile/symbols.h"

/*
 * Labels for lists: the short name of a function; if several functions of a module share it, with
 * as many shortened template arguments and parameters as it takes to tell them apart:
 *
 *     geometry::Refine<geometry::Mesh<double, 3>, 2>::apply(int)    Refine<…, 2>::apply
 *     geometry::Refine<geometry::Mesh<double, 3>, 4>::apply(int)    Refine<…, 4>::apply
 *
 * (with the namespaces that short names keep). From left to right, arguments are shown if they
 * separate names that are still equal; an ellipsis replaces the others.
 */

/* Makes labels for full names that share one short name; each is newly allocated. Takes time linear
 * in the length of the names. */
void pv_name_labels_make (const char *const *names, size_t n, char **ret_labels);

/* Labels the functions of a builder. Call before publishing; only looks at functions added since
 * the last call and at those that share a short name with them. The pool's workers make the
 * labels. */
typedef struct PvNameLabels PvNameLabels;

PvNameLabels *pv_name_labels_new (PvSymbolBuilder *builder);
void pv_name_labels_free (PvNameLabels *labels);
void pv_name_labels_update (PvNameLabels *labels, PvPool *pool);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvNameLabels, pv_name_labels_free)
