/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/compare/changes.h"
#include "core/load/page/page-names.h"

/*
 * Appends the functions of a tree as an object: frame, self and total of each, highest self first;
 * n_left how many are left out, each with less than the part `parts` of it all. And as another one
 * their calls: of each called function, how many callers it has, and their functions + 1, 0 for
 * none, and weights. For a signed measure, changes are those by function: then the object also has
 * the amounts of the base, and whether chance explains the difference. False when cancelled.
 */
bool pv_page_functions_append (const PvCallTree *tree, const PvChanges *changes, PvPageNames *names,
                               GString *out, PvJob *job, GError **error);
