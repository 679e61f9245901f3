/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

/*
 * Shared by the folders of fetched profiles and of recordings. Blocking; any thread.
 */

/* Makes the folder and its parents, accessible to the user only. Returns 0 or errno. */
int pv_saved_make_folder (const char *folder);

/* True if the path names something directly inside the folder; compares text only. */
bool pv_saved_is_in (const char *folder, const char *path);

/* Sets a G_FILE_ERROR from errno and the path, for the user. Returns false. */
bool pv_saved_set_error (GError **error, const char *path, int code);
