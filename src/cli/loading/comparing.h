/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "cli/loading/sources.h"

/* Loads the files of a comparison and compares them, or those of --with and joins them.
 * Zero-initialize ret_loaded. The message of an error begins with the file it is about. */
bool pv_cli_compare_load (const PvOptions *options, PvCliLoaded *ret_loaded, GError **error);

/* Of the words of a query, those about samples, which are for the sides (a side's own in place of
 * all of their kind), or the others, which are for the comparison. The same of what is joined.
 * Free with g_strfreev (). */
char **pv_cli_compare_list_words (const PvOptions *options, bool wants_sides, bool is_base);

/* The query of the command line for what was loaded; of a comparison, what is left of it, as its
 * sides have chosen their samples, with its scale; the same of what is joined. Clear it with
 * pv_query_clear (). */
bool pv_cli_make_query (const PvOptions *options, const PvCliLoaded *loaded, PvQuery *ret_query,
                        GError **error);

/* In pictures, boxes are as wide as --width-by says; tables and stacks have both sides. */
void pv_cli_set_width (const PvOptions *options, const PvProfile *profile, PvQuery *query);
