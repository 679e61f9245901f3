/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/base/saved-files.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

int
pv_saved_make_folder (const char *folder)
{
    g_assert (folder != NULL);
    return g_mkdir_with_parents (folder, 0700) != 0 || chmod (folder, 0700) != 0 ? errno : 0;
}

bool
pv_saved_is_in (const char *folder, const char *path)
{
    g_assert (folder != NULL && path != NULL);
    /* Compare text only: a path that leads there through a link is not in the folder. */
    size_t len = strlen (folder);
    if (strncmp (path, folder, len) != 0 || path[len] != '/')
        return false;
    const char *name = path + len + 1;
    return *name != '\0' && strchr (name, '/') == NULL && strcmp (name, ".") != 0 &&
           strcmp (name, "..") != 0;
}

bool
pv_saved_set_error (GError **error, const char *path, int code)
{
    g_assert (path != NULL && code != 0);
    g_autofree char *shown = g_filename_display_name (path);
    g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (code), "%s: %s", shown,
                 g_strerror (code));
    return false;
}
