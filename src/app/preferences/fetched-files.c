/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/preferences/fetched-files.h"

#include <glib/gstdio.h>
#include <sys/stat.h>

/* The next regular file of a folder, but for those that are being written; NULL: there is none. */
static char *
find_next (GDir *dir, const char *folder, struct stat *ret_status, PvJob *job)
{
    const char *name;

    while (!pv_job_is_cancelled (job) && (name = g_dir_read_name (dir)) != NULL) {
        g_autofree char *path = g_build_filename (folder, name, NULL);
        if (name[0] != '.' && lstat (path, ret_status) == 0 && S_ISREG (ret_status->st_mode))
            return g_steal_pointer (&path);
    }
    return NULL;
}

PvFetchedFiles
pv_fetched_files_count (const char *folder, PvJob *job)
{
    g_assert (folder != NULL);
    g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
    PvFetchedFiles files = {0};
    struct stat status;
    char *path;

    while (dir != NULL && (path = find_next (dir, folder, &status, job)) != NULL) {
        files.n_files++;
        files.n_bytes += (uint64_t)status.st_size;
        g_free (path);
    }
    return files;
}

void
pv_fetched_files_delete (const char *folder, const char *const *used, gint64 since, PvJob *job)
{
    g_assert (folder != NULL && used != NULL);
    g_autoptr (GDir) dir = g_strv_contains (used, folder) ? NULL : g_dir_open (folder, 0, NULL);
    struct stat status;
    char *path;

    while (dir != NULL && (path = find_next (dir, folder, &status, job)) != NULL) {
        if (status.st_mtime < since && !g_strv_contains (used, path))
            g_unlink (path);
        g_free (path);
    }
}
