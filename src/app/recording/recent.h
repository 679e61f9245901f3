/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "app/document/source-spec.h"

/* The recordings that were opened last, as the desktop's list of recent files knows them. A series
 * is the folder that it fills, or else its first file with a command that names all of them. Main
 * loop only. */

/* Of GtkRecentInfo, the newest first, at most n. The caller owns list and elements. */
GList *pv_recent_list (unsigned n);
/* What was opened, to be opened again the same way. format is that of the profile. */
void pv_recent_add (const PvSourceSpec *spec, const char *title, const char *format);
void pv_recent_remove (GFile *file);

/* The files that were opened as one profile, and how; NULL: it is only what its address says.
 * g_strfreev () them. */
char **pv_recent_get_files (GtkRecentInfo *info, PvTogether *ret_how);

/* The folder that a file is in, for people: "~/work" and not "/home/ann/work". NULL: it has none.
 */
char *pv_recent_format_folder (const char *path);
