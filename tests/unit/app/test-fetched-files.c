/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib/gstdio.h>
#include <utime.h>

#include "../cases.h"
#include "app/preferences/fetched-files.h"
#include "app/source/source-spec.h"
#include "fetch/fetch-store.h"

static char *
write_file (const char *folder, const char *name, gint64 written)
{
    const struct utimbuf times = {written, written};
    char *path = g_build_filename (folder, name, NULL);

    g_assert_true (g_file_set_contents (path, "12345", -1, NULL));
    g_assert_cmpint (g_utime (path, (struct utimbuf *)&times), ==, 0);
    return path;
}

static void
check_count (const char *folder, unsigned n_files)
{
    g_autoptr (PvJob) job = pv_job_new ();
    PvFetchedFiles files = pv_fetched_files_count (folder, job);
    g_assert_cmpuint (files.n_files, ==, n_files);
    g_assert_cmpuint (files.n_bytes, ==, 5 * n_files);
}

static void
check_is_fetched (const char *path, gboolean is_fetched)
{
    const char *const paths[] = {"/tmp/1.heap", path, NULL};
    g_autoptr (PvSourceSpec) alone = pv_source_spec_new_for_path (path);
    g_autoptr (PvSourceSpec) series = pv_source_spec_new_together (paths, PV_TOGETHER_SERIES, NULL);

    g_assert_cmpint (pv_source_spec_is_fetched (alone), ==, is_fetched);
    g_assert_cmpint (pv_source_spec_is_fetched (series), ==, is_fetched);
}

/* A file that was fetched stays one when it is opened by its path. */
TEST (place)
{
    g_autofree char *folder = pv_fetch_get_folder ();
    g_autofree char *inside = g_build_filename (folder, "heap.pb", NULL);
    g_autofree char *beside = g_strconcat (folder, "-heap.pb", NULL);
    g_autoptr (PvSourceSpec) asked = pv_source_spec_new_for_url ("http://localhost/heap");

    check_is_fetched (inside, TRUE);
    check_is_fetched (beside, FALSE);
    g_assert_true (pv_source_spec_is_fetched (asked));
}

/* Files that are open, new or still being written stay. */
TEST (deleting)
{
    g_autofree char *folder = g_dir_make_tmp ("fetched-XXXXXX", NULL);
    g_autofree char *old = write_file (folder, "old", 100);
    g_autofree char *used = write_file (folder, "used", 100);
    g_autofree char *new = write_file (folder, "new", 200);
    g_autofree char *partial = write_file (folder, ".fetching-1", 100);
    const char *const paths[] = {used, NULL}, *const folders[] = {folder, NULL};
    g_autoptr (PvJob) job = pv_job_new ();

    check_count (folder, 3);
    pv_fetched_files_delete (folder, folders, 200, job);
    check_count (folder, 3);
    pv_fetched_files_delete (folder, paths, 200, job);
    check_count (folder, 2);
    g_assert_false (g_file_test (old, G_FILE_TEST_EXISTS));
    g_assert_true (g_file_test (partial, G_FILE_TEST_EXISTS));
    g_remove (used);
    g_remove (new);
    g_remove (partial);
    g_rmdir (folder);
    check_count (folder, 0);
}
