/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/load/load-folder.h"

#include <glib/gi18n-lib.h>

#include "core/load/load-series.h"
#include "core/read/readers.h"

enum {
    MOST_LEVELS = 4,
    MOST_ENTRIES = 20000, /* whose names are read */
    MOST_FILES = 5000,    /* that are looked into */
    MOST_LEFT_OUT = 50,   /* that are described */
};

typedef struct {
    PvFolderContent *content;
    GPtrArray *paths;
    uint32_t n_entries;
    uint32_t n_files;
    PvJob *job;
} Search;

/* True for the folder that perf writes, which has the recording in its file "data". */
static bool
is_recording (const char *folder)
{
    g_autofree char *path = g_build_filename (folder, "data", NULL);
    g_autoptr (PvMappedFile) file =
        g_file_test (path, G_FILE_TEST_IS_REGULAR) ? pv_mapped_file_open (path, NULL) : NULL;
    const PvReader *reader = file != NULL ? pv_read_find_obvious_reader (file) : NULL;
    return reader != NULL && reader->is_recording;
}

static void
leave_out (Search *search, const char *path, char *what)
{
    PvFolderContent *content = search->content;
    content->n_left_out++;
    if (content->left_out->len == MOST_LEFT_OUT) {
        g_free (what);
        return;
    }
    PvLeftOut *left_out = g_new (PvLeftOut, 1);
    *left_out = (PvLeftOut){g_strdup (path), what};
    g_ptr_array_add (content->left_out, left_out);
}

static void
look_at_file (Search *search, const char *path)
{
    g_autoptr (GError) error = NULL;
    g_autofree char *name = g_path_get_basename (path);
    PvDumpName dump;
    bool is_known;
    if (search->n_files++ >= MOST_FILES) {
        search->content->is_cut = true;
        leave_out (search, path, NULL);
        return;
    }
    g_autoptr (PvMappedFile) file = pv_mapped_file_open (path, &error);
    if (file == NULL) {
        leave_out (search, path, g_strdup (error->message));
        return;
    }
    const PvReader *reader = pv_read_find_obvious_reader (file);
    pv_dump_name_parse (name, &dump);
    if (reader == &pv_elf_sizes_reader)
        leave_out (search, path,
                   g_strdup (_ ("This is a program or library (ELF), not a profile")));
    else if (reader != NULL || dump.kind != PV_DUMP_NAME_OTHER)
        g_ptr_array_add (search->paths, g_strdup (path));
    else
        leave_out (search, path, pv_read_describe_foreign (file, &is_known));
}

static int
compare_names (const void *a, const void *b)
{
    return pv_compare_naturally (*(const char *const *)a, *(const char *const *)b);
}

/* The names in a folder that are not hidden, in order. */
static GPtrArray *
list_names (Search *search, const char *folder)
{
    GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
    GDir *dir = g_dir_open (folder, 0, NULL);
    const char *name;
    while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
        if (search->n_entries++ >= MOST_ENTRIES) {
            search->content->is_cut = true;
            break;
        }
        if (name[0] != '.')
            g_ptr_array_add (names, g_strdup (name));
    }
    if (dir != NULL)
        g_dir_close (dir);
    g_ptr_array_sort (names, compare_names);
    return names;
}

/* Links to folders may lead back, and are left alone. */
static void
look_at_folder (Search *search, const char *folder, unsigned level)
{
    g_autoptr (GPtrArray) names = list_names (search, folder);
    for (guint i = 0; i < names->len && !pv_job_is_cancelled (search->job); i++) {
        g_autofree char *path = g_build_filename (folder, names->pdata[i], NULL);
        if (g_file_test (path, G_FILE_TEST_IS_REGULAR))
            look_at_file (search, path);
        else if (!g_file_test (path, G_FILE_TEST_IS_DIR) ||
                 g_file_test (path, G_FILE_TEST_IS_SYMLINK))
            continue;
        else if (is_recording (path))
            g_ptr_array_add (search->paths, g_strdup (path));
        else if (level < MOST_LEVELS)
            look_at_folder (search, path, level + 1);
        else
            search->content->is_cut = true;
    }
}

static void
left_out_free (void *data)
{
    PvLeftOut *left_out = data;
    g_free (left_out->path);
    g_free (left_out->what);
    g_free (left_out);
}

PvFolderContent *
pv_folder_content_find (const char *folder, PvJob *job)
{
    g_assert (folder != NULL);
    if (!g_file_test (folder, G_FILE_TEST_IS_DIR) || is_recording (folder))
        return NULL;
    g_autoptr (PvFolderContent) content = g_new0 (PvFolderContent, 1);
    content->left_out = g_ptr_array_new_with_free_func (left_out_free);
    Search search = {.content = content, .paths = g_ptr_array_new (), .job = job};
    look_at_folder (&search, folder, 1);
    g_ptr_array_add (search.paths, NULL);
    content->paths = (char **)g_ptr_array_free (search.paths, FALSE);
    return pv_job_is_cancelled (job) ? NULL : g_steal_pointer (&content);
}

void
pv_folder_content_free (PvFolderContent *content)
{
    if (content == NULL)
        return;
    g_strfreev (content->paths);
    g_clear_pointer (&content->left_out, g_ptr_array_unref);
    g_free (content);
}
