/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "cli/options.h"

/*
 * GOptionArgFunc callbacks for profview's options; data is the PvOptions. Private to options*.c.
 */

/* Sets an error that names the expected values; returns false. */
bool pv_set_bad_value (GError **error, const char *option, const char *value, const char *expected);

/* "500M", "64GiB", "1000000": suffixes are powers of 1024. */
bool pv_parse_size (const char *option, const char *value, uint64_t *ret_bytes, GError **error);

gboolean pv_parse_print (const char *option, const char *value, gpointer data, GError **error);
gboolean pv_parse_format (const char *option, const char *value, gpointer data, GError **error);
gboolean pv_parse_group (const char *option, const char *value, gpointer data, GError **error);
gboolean pv_parse_by (const char *option, const char *value, gpointer data, GError **error);
gboolean pv_parse_time (const char *option, const char *value, gpointer data, GError **error);
gboolean pv_parse_cpus (const char *option, const char *value, gpointer data, GError **error);
gboolean pv_parse_transform (const char *option, const char *value, gpointer data, GError **error);
gboolean pv_parse_collapse (const char *option, const char *value, gpointer data, GError **error);
gboolean pv_parse_chart (const char *option, const char *value, gpointer data, GError **error);
gboolean pv_parse_suppressions (const char *option, const char *value, gpointer data,
                                GError **error);
gboolean pv_parse_max_memory (const char *option, const char *value, gpointer data, GError **error);
gboolean pv_parse_max_unpacked (const char *option, const char *value, gpointer data,
                                GError **error);
gboolean pv_parse_max_fetch (const char *option, const char *value, gpointer data, GError **error);
gboolean pv_parse_path_map (const char *option, const char *value, gpointer data, GError **error);
gboolean pv_parse_label (const char *option, const char *value, gpointer data, GError **error);
