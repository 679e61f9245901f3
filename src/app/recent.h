#pragma once

#include <gtk/gtk.h>

/* The recordings that were opened last, as the desktop's list of recent files knows them. Main loop
 * only. */

/* Of GtkRecentInfo, the newest first, at most n. The caller owns list and elements. */
GList *pv_recent_list (unsigned n);
void pv_recent_add (GFile *file);
void pv_recent_remove (GFile *file);

/* The folder that a file is in, for people: "~/work" and not "/home/ann/work". NULL: it has none.
 */
char *pv_recent_format_folder (const char *path);
