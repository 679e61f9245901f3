/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

/*
 * What the folders of fetched answers and of recordings have in common. Blocking; any thread.
 */

/* Makes the folder with what is above it, for nobody but the user. 0 or errno. */
int pv_saved_make_folder (const char *folder);

/* Whether a path is spelled as one of something directly inside. */
bool pv_saved_is_in (const char *folder, const char *path);

/* A G_FILE_ERROR of errno and the path, for the user; always false. */
bool pv_saved_set_error (GError **error, const char *path, int code);
