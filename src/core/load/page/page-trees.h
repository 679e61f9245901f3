/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/compare/node-values.h"
#include "core/load/page/page-names.h"

/*
 * A tree that is as fine as a page has room for: of at most about max_nodes nodes, with lighter
 * ones folded. ret_parts gets what part of the total they are below. previous may be NULL; it is
 * one that was made before. NULL with a G_REGEX_ERROR or when cancelled.
 */
PvCallTree *pv_page_tree_build (const PvProfile *profile, const PvSymbolTable *symbols,
                                const PvQuery *query, uint32_t max_nodes,
                                const PvCallTree *previous, uint32_t *ret_parts, PvJob *job,
                                GError **error);

/*
 * Appends a tree as an object: of each node, level by level, the number of its children, its frame
 * and what ends there, in units of `factor`; of each node of the frame PV_PAGE_FOLDED, in this
 * order, how many it stands for. The total of a node is what ends there and those of its children.
 * values has the sides of a signed measure: then the object also has the amounts of the base that
 * end at each node, and PvNodeMarks. False when cancelled.
 */
bool pv_page_tree_append (const PvCallTree *tree, const PvNodeValues *values, uint32_t parts,
                          PvPageNames *names, GString *out, PvJob *job, GError **error);
