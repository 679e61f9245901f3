/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "cli/options/options.h"

/*
 * GOptionArgFunc callbacks for profview's options; data is the PvOptions. Private to options*.c.
 */

/* Shows the group's texts in the user's language. Names of values, such as FILE, are in the catalog
 * with the context "option value". */
void pv_option_group_translate (GOptionGroup *group);

/* "500M", "64GiB", "1000000": suffixes are powers of 1024. */
bool pv_parse_size (const char *option, const char *value, uint64_t *ret_bytes, GError **error);

/* The i-th word that --print, --format, --view or --width-by takes; NULL after the last one. */
const char *pv_option_get_word (const char *option, unsigned i);

/* --print, --format, --json and --view. */
gboolean pv_parse_word (const char *option, const char *value, gpointer data, GError **error);
gboolean pv_parse_chart (const char *option, const char *value, gpointer data, GError **error);
/* Any option of a query. */
gboolean pv_parse_query (const char *option, const char *value, gpointer data, GError **error);
gboolean pv_parse_max_memory (const char *option, const char *value, gpointer data, GError **error);
gboolean pv_parse_max_unpacked (const char *option, const char *value, gpointer data,
                                GError **error);
gboolean pv_parse_max_fetch (const char *option, const char *value, gpointer data, GError **error);
gboolean pv_parse_path_map (const char *option, const char *value, gpointer data, GError **error);
/* For comparisons. --base-time, --new-time and the like are options of a query for one of
 * its sides. */
gboolean pv_parse_side_query (const char *option, const char *value, gpointer data, GError **error);
gboolean pv_parse_scale (const char *option, const char *value, gpointer data, GError **error);
gboolean pv_parse_width_by (const char *option, const char *value, gpointer data, GError **error);
gboolean pv_parse_rename (const char *option, const char *value, gpointer data, GError **error);
