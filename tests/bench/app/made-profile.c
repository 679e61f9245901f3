/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "made-profile.h"

#include <glib/gstdio.h>

Writer *
made_profile_begin (uint32_t n_functions)
{
    Writer *writer = writer_new (false, false);

    writer_attr (writer, &writer_plain_attr, NULL, 0);
    writer_comm (writer, 0, MADE_PID, MADE_PID, "engine", false);
    writer_mmap (writer, 0, MADE_PID, MADE_CODE_START, n_functions * MADE_CODE_BYTES, 0, "//anon");
    return writer;
}

static char *
get_map_path (const char *folder)
{
    return g_strdup_printf ("%s/tmp/perf-%d.map", folder, MADE_PID);
}

char *
made_profile_save (Writer *writer, const char *map)
{
    g_autofree char *folder = g_dir_make_tmp ("profview-bench-XXXXXX", NULL);
    g_autofree char *tmp = g_build_filename (folder, "tmp", NULL);
    g_autofree char *map_path = get_map_path (folder);
    g_autofree char *data_path = g_build_filename (folder, "perf.data", NULL);
    g_autoptr (GByteArray) data = writer_build (writer);

    if (g_mkdir (tmp, 0700) != 0 || !g_file_set_contents (map_path, map, -1, NULL) ||
        !g_file_set_contents (data_path, (const char *)data->data, data->len, NULL))
        return NULL;
    return g_steal_pointer (&folder);
}

void
made_profile_remove (const char *folder)
{
    g_autofree char *tmp = g_build_filename (folder, "tmp", NULL);
    g_autofree char *map_path = get_map_path (folder);
    g_autofree char *data_path = g_build_filename (folder, "perf.data", NULL);

    g_unlink (map_path);
    g_unlink (data_path);
    g_rmdir (tmp);
    g_rmdir (folder);
}
