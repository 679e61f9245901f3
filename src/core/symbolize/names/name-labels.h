/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stddef.h>

#include "core/model/profile/symbols.h"

/*
 * Labels for lists: the short name of a function, and where several functions of a module share
 * one, as much of template arguments and parameters as tells them apart, themselves shortened:
 *
 *     geometry::Refine<geometry::Mesh<double, 3>, 2>::apply(int)    Refine<…, 2>::apply
 *     geometry::Refine<geometry::Mesh<double, 3>, 4>::apply(int)    Refine<…, 4>::apply
 *
 * (with the namespaces that short names keep). Of the arguments, from left to right, those are
 * shown that separate what was not told apart yet; an ellipsis stands for the others.
 */

/* Labels for full names that all have the same short name; each is new memory. Time grows with the
 * length of the names. */
void pv_name_labels_make (const char *const *names, size_t n, char **ret_labels);

/* Gives labels to the functions of a builder. Call before publishing; only functions that are new
 * since the last call, and those with the same short name, are looked at. */
typedef struct PvNameLabels PvNameLabels;

PvNameLabels *pv_name_labels_new (PvSymbolBuilder *builder);
void pv_name_labels_free (PvNameLabels *labels);
void pv_name_labels_update (PvNameLabels *labels);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvNameLabels, pv_name_labels_free)
