/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/*
 * Folders of source files as located by the user: "FROM=TO", as for --map-path. They outlive a run.
 * Main loop only.
 */

/* The mapping that makes `path` of `recorded`: "/build/src/a.c" found as "/home/me/src/a.c" is
 * "/build=/home/me". NULL if the names of the files differ, or one is not absolute; g_free () it.
 */
char *pv_source_map_make (const char *recorded, const char *path);

/* Remembers a mapping, in place of one with the same FROM; the newest comes first. */
void pv_source_maps_add (const char *map);
/* The given mappings (may be NULL), then all remembered ones; free with g_strfreev (). */
char **pv_source_maps_list (const char *const *given);
