/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "cli/loading/sources.h"

/* Loads the files of a comparison and compares them, or those of --with and joins them.
 * Zero-initialize ret_loaded. The message of an error begins with the file it is about. */
bool pv_cli_compare_load (const PvOptions *options, PvCliLoaded *ret_loaded, GError **error);

/* The query's words for a side: those about samples, replaced by the side's own of the same kind;
 * or, unless wants_sides, the others, for the comparison. The same for joined files. Free with
 * g_strfreev (). */
char **pv_cli_compare_list_words (const PvOptions *options, bool wants_sides, bool is_base);

/* The query of the command line for the loaded profile. For a comparison or joined files, without
 * the words about samples, which were for the sides; a comparison's has its scale. Clear it with
 * pv_query_clear (). */
bool pv_cli_make_query (const PvOptions *options, const PvCliLoaded *loaded, PvQuery *ret_query,
                        GError **error);

/* In pictures, boxes are as wide as --width-by says; tables and stacks have both sides. */
void pv_cli_set_width (const PvOptions *options, const PvProfile *profile, PvQuery *query);
