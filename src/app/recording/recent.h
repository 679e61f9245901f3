/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "app/source/source-spec.h"

/* Recent profiles, kept in the desktop's list of recent files. A series is listed as its folder, or
 * else as its first file with a command that names all of them. Main loop only. */

/* At most n GtkRecentInfo, newest first. The caller owns the list and its elements. */
GList *pv_recent_list (unsigned n);
/* Adds a profile that was opened or saved, so that it can be opened the same way again. media_type:
 * as in PvFacts; NULL: unknown. What was fetched from a URL is for us only: other applications do
 * not show where from. */
void pv_recent_add (const PvSourceSpec *spec, const char *title, const char *media_type);
void pv_recent_remove (GFile *file);

/* The files that were opened as one profile, and how; g_strfreev () them. NULL: only the file
 * itself. */
char **pv_recent_get_files (GtkRecentInfo *info, PvTogether *ret_how);

/* The folder of a file for the user: "~/work" for "/home/ann/work". NULL: path is not absolute.
 * g_free () it. */
char *pv_recent_format_folder (const char *path);
