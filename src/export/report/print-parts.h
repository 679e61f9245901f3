/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/tables/functions.h"
#include "core/analyze/tree/call-tree.h"
#include "core/model/profile/matcher.h"
#include "core/write/table.h"
#include "export/options/export-options.h"

/* Parts shared by the reports of --print. A measure is NULL if the profile has none. */

/* "nanoseconds" and the like, for scripts. */
const char *pv_print_name_unit (PvUnit unit);

/* The line of cells that --header asks for: “# measure=NAME”, “unit=UNIT” and “total=NUMBER”. */
void pv_print_append_header (PvFormat format, GString *out, const PvMeasure *measure,
                             uint64_t total);
/* The same as the first members of a json object, up to the comma after them. */
void pv_print_append_members (GString *out, const PvMeasure *measure, uint64_t total);

/* How the base of a comparison was scaled, in words; NULL: not a comparison. g_free () it. */
char *pv_print_describe_scale (const PvExportOptions *options, const PvCallTree *tree);

/* Why there is no table, and the ways on, in lines. */
void pv_print_append_nothing_matches (GString *out, const PvProfile *profile,
                                      const PvSymbolTable *symbols, const PvQuery *query);
/* In text, how many rows are missing, unless the user asked for that many. */
void pv_print_append_rest (GString *out, const PvExportOptions *options, uint32_t n_shown,
                           uint32_t n_rows);

/* Marks the functions of a list that match, by their ids in the tree's symbols: free with g_free
 * ().
 */
bool *pv_print_match_functions (const PvCallTree *tree, const PvFunctionList *list,
                                PvMatcher *matcher);
/* The error that none does. */
void pv_print_set_no_function (const char *expression, GError **error);
