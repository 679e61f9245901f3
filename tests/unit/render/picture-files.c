/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "picture-files.h"

#include <glib/gstdio.h>
#include <string.h>

#include "../cases.h"

char *
make_folder (const char *name)
{
    const char *build = g_getenv ("PV_BUILD");
    char *folder = g_build_filename (build != NULL ? build : ".", "tests", "unit", name, NULL);
    g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
    return folder;
}

void
remove_folder (char *folder)
{
    GDir *dir = g_dir_open (folder, 0, NULL);
    for (const char *name = g_dir_read_name (dir); name != NULL; name = g_dir_read_name (dir)) {
        g_autofree char *path = g_build_filename (folder, name, NULL);
        g_assert_false (g_str_has_prefix (name, "kept.svg."));
        g_remove (path);
    }
    g_dir_close (dir);
    g_rmdir (folder);
    g_free (folder);
}

char *
read_file (const char *path, size_t *ret_len)
{
    char *bytes;
    assert_ok (error, g_file_get_contents (path, &bytes, ret_len, &error));
    return bytes;
}

uint32_t
count (const char *text, const char *what)
{
    uint32_t n = 0;
    for (const char *at = strstr (text, what); at != NULL; at = strstr (at + 1, what))
        n++;
    return n;
}
