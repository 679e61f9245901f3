/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scratch.h"

#include <glib/gstdio.h>

#include "cases.h"

static char *root;
static unsigned n_folders;

char *
get_data (const char *name)
{
    return g_build_filename (g_getenv ("PV_TEST_DATA"), name, NULL);
}

char *
copy_data (const char *data_name, const char *folder, const char *name)
{
    g_autofree char *from = get_data (data_name);
    g_autofree char *content = NULL;
    gsize size;
    char *to = g_build_filename (folder, name, NULL);
    g_assert_true (g_file_get_contents (from, &content, &size, NULL));
    g_assert_true (g_file_set_contents (to, content, (gssize)size, NULL));
    return to;
}

void
remove_files (const char *folder)
{
    g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
    const char *name;

    while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
        g_autofree char *path = g_build_filename (folder, name, NULL);
        g_assert_cmpint (g_unlink (path), ==, 0);
    }
}

void
remove_tree (const char *path)
{
    g_autoptr (GDir) dir =
        g_file_test (path, G_FILE_TEST_IS_SYMLINK) ? NULL : g_dir_open (path, 0, NULL);
    for (const char *name; dir != NULL && (name = g_dir_read_name (dir)) != NULL;) {
        g_autofree char *child = g_build_filename (path, name, NULL);
        remove_tree (child);
    }
    g_assert_cmpint (g_remove (path), ==, 0);
}

unsigned
count_files (const char *folder)
{
    g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
    unsigned n = 0;
    while (g_dir_read_name (dir) != NULL)
        n++;
    return n;
}

int
scratch_run_tests (int argc, char **argv)
{
    pv_test_init (argc, argv);
    root = g_dir_make_tmp ("profview-test-XXXXXX", NULL);
    g_assert_nonnull (root);
    g_setenv ("HOME", root, TRUE);
    int status = g_test_run ();
    remove_tree (root);
    g_free (root);
    return status;
}

char *
scratch_new_folder (void)
{
    char *folder = g_strdup_printf ("%s/%u", root, n_folders++);
    g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);
    return folder;
}
