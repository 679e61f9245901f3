/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

/*
 * The window of preferences: settings that outlive a run, some of which are nowhere else. Most take
 * effect at once; of those that do not, the window says when. Main loop only.
 */
#define PV_TYPE_PREFERENCES (pv_preferences_get_type ())
G_DECLARE_FINAL_TYPE (PvPreferences, pv_preferences, PV, PREFERENCES, AdwPreferencesWindow)

/* parent may be NULL. What the cache has got since the program started, in seconds of the epoch,
 * may be in use and stays; so do the files and folders that list_used () lists, for g_strfreev ().
 */
void pv_preferences_show (GtkWindow *parent, gint64 started, char **(*list_used) (void));
