/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Groups dumps of one process into one document.
 *
 * Names decide for jemalloc and gperftools, which put the process into them. Otherwise the content
 * decides, for profiles of a state (heaps, goroutines, ...): they must have the same sample types
 * and the same program, by build-id or path. Files that do not name the program must be in one
 * folder, with names that differ only in numbers.
 */
#include <string.h>

#include "core/base/pool.h"
#include "core/load/load-series.h"
#include "core/model/build/builder.h"
#include "core/read/readers.h"
#include "core/write/escape.h"

enum {
    MOST_IN_FOLDER = 100000,
    MOST_PEEKED_BYTES = 16 << 20, /* larger files are grouped by name only */
    MOST_UNPACKED_BYTES = 256 << 20,
    MOST_SNIFFED_BYTES = 64 << 10,
};

bool
pv_load_is_profile (const void *data, size_t size)
{
    g_assert (data != NULL || size == 0);
    size = MIN (size, MOST_SNIFFED_BYTES);
    g_autoptr (PvMappedFile) file = pv_mapped_file_new_take (g_memdup2 (data, size), size);
    return pv_read_find_reader (file) != NULL;
}

const char *
pv_load_find_media_type (const char *path)
{
    g_assert (path != NULL);
    g_autoptr (PvMappedFile) file = pv_mapped_file_open (path, NULL);
    const PvReader *reader = file != NULL ? pv_read_find_reader (file) : NULL;
    return reader != NULL ? reader->media_type : NULL;
}

char *
pv_load_describe_foreign (const void *data, size_t size, bool *ret_is_known)
{
    g_assert ((data != NULL || size == 0) && ret_is_known != NULL);
    size = MIN (size, MOST_SNIFFED_BYTES);
    g_autoptr (PvMappedFile) file = pv_mapped_file_new_take (g_memdup2 (data, size), size);
    return pv_read_describe_foreign (file, ret_is_known);
}

/* Folders */

static const PvReader *
find_reader (const char *path)
{
    g_autoptr (PvMappedFile) file = pv_mapped_file_open (path, NULL);
    return file != NULL ? pv_read_find_obvious_reader (file) : NULL;
}

/* perf and heaptrack recordings are documents of their own. */
static bool
can_be_dump (const PvReader *reader)
{
    return reader != NULL && !reader->is_recording;
}

/* A folder that is not a recording. */
static bool
is_plain_folder (const char *path)
{
    g_autofree char *data = g_build_filename (path, "data", NULL);
    return g_file_test (path, G_FILE_TEST_IS_DIR) && !g_file_test (data, G_FILE_TEST_EXISTS);
}

static int
compare_paths (const void *a, const void *b)
{
    return pv_compare_naturally (*(const char *const *)a, *(const char *const *)b);
}

/* The files in a folder that can be dumps. A dump's name is enough, so that damaged dumps are not
 * silently ignored. */
static GPtrArray *
list_dumps (const char *folder, PvJob *job)
{
    GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);
    GDir *dir = g_dir_open (folder, 0, NULL);
    bool has_dump = false;
    const char *name;
    while (dir != NULL && (name = g_dir_read_name (dir)) != NULL && paths->len < MOST_IN_FOLDER &&
           !pv_job_is_cancelled (job)) {
        g_autofree char *path = g_build_filename (folder, name, NULL);
        PvDumpName parsed;
        pv_dump_name_parse (name, &parsed);
        if (!g_file_test (path, G_FILE_TEST_IS_REGULAR))
            continue;
        const PvReader *reader = find_reader (path);
        if (can_be_dump (reader) || (reader == NULL && parsed.kind != PV_DUMP_NAME_OTHER))
            g_ptr_array_add (paths, g_steal_pointer (&path));
        has_dump = has_dump || can_be_dump (reader);
    }
    if (dir != NULL)
        g_dir_close (dir);
    if (!has_dump)
        g_ptr_array_set_size (paths, 0);
    g_ptr_array_sort (paths, compare_paths);
    return paths;
}

char **
pv_series_expand_folders (const char *const *paths, PvJob *job)
{
    g_assert (paths != NULL);
    g_autoptr (GPtrArray) expanded = g_ptr_array_new ();
    for (; *paths != NULL; paths++) {
        g_autoptr (GPtrArray) inside = is_plain_folder (*paths) ? list_dumps (*paths, job) : NULL;
        for (guint i = 0; inside != NULL && i < inside->len; i++)
            g_ptr_array_add (expanded, g_strdup (inside->pdata[i]));
        if (inside == NULL || inside->len == 0)
            g_ptr_array_add (expanded, g_strdup (*paths));
    }
    g_ptr_array_add (expanded, NULL);
    return (char **)g_ptr_array_free (g_steal_pointer (&expanded), FALSE);
}

/* Contents of files */

typedef struct {
    PvSeriesFile *file;
    bool is_readable; /* a reader knows its format */
    char *key;        /* files with the same key belong together; NULL: to no other */
    guint next;       /* next candidate with the same key, plus 1; 0: none */
    bool is_first;    /* of those with its key */
} Candidate;

/* "DUMPS/heap-12.pb.gz" and "DUMPS/heap-7.pb.gz" have the same pattern. */
static void
append_pattern (GString *key, const char *path)
{
    const char *name = strrchr (path, '/');
    name = name != NULL ? name : path;
    g_string_append_len (key, path, name - path);
    for (const char *s = name; *s != '\0'; s++) {
        bool is_digit = g_ascii_isdigit (*s);
        if (!is_digit || s == name || !g_ascii_isdigit (s[-1]))
            g_string_append_c (key, is_digit ? '#' : *s);
    }
}

static const PvModule *
find_program (const PvProfile *profile)
{
    for (uint32_t m = 1; m < profile->n_modules; m++) {
        if (profile->modules[m].is_main)
            return &profile->modules[m];
    }
    return NULL;
}

static void
append_program (GString *key, const PvProfile *profile, const char *path)
{
    const PvModule *program = find_program (profile);
    if (program != NULL && program->build_id_size > 0) {
        g_string_append (key, "\nbuild-id ");
        pv_append_hex (key, program->build_id, program->build_id_size);
    } else if (program != NULL && program->path[0] != '\0') {
        g_string_append_printf (key, "\nprogram %s", program->path);
    } else {
        g_string_append (key, "\nlike ");
        append_pattern (key, path);
    }
}

static int
compare_texts (const void *a, const void *b)
{
    return strcmp (*(const char *const *)a, *(const char *const *)b);
}

/* NULL if the profile is not of a state: such profiles cover successive spans of time, so each is a
 * document of its own. */
static char *
make_key (const PvProfile *profile, const char *path)
{
    if (profile->n_measures == 0 || profile->heap != NULL ||
        profile->measures[0].aggregation != PV_AGGREGATION_STATE)
        return NULL;
    g_autoptr (GPtrArray) names = g_ptr_array_new ();
    for (PvMeasureId m = 0; m < profile->n_weights; m++)
        g_ptr_array_add (names, (void *)profile->measures[m].name);
    g_ptr_array_sort (names, compare_texts);
    GString *key = g_string_new ("state");
    for (guint i = 0; i < names->len; i++)
        g_string_append_printf (key, "\n%s", (const char *)names->pdata[i]);
    append_program (key, profile, path);
    return g_string_free (key, FALSE);
}

static void
peek (Candidate *candidate, PvMappedFile *file, PvJob *job)
{
    if (pv_mapped_file_get_size (file) > MOST_PEEKED_BYTES)
        return;
    g_autoptr (PvJob) own_job = pv_job_new_part (job, 0);
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    PvReadContext context = {.n_workers = 1, .job = own_job};
    if (!pv_read (candidate->file->path, MOST_UNPACKED_BYTES, builder, &context, NULL))
        return;
    g_autoptr (PvProfile) profile = pv_profile_builder_snapshot (builder);
    candidate->file->recorded_at_ns = profile->facts.recorded_at_ns;
    candidate->key = make_key (profile, candidate->file->path);
}

typedef struct {
    Candidate *candidates;
    PvJob *job;
} Looking;

static void
look_at (void *data, size_t item, unsigned worker)
{
    const Looking *looking = data;
    Candidate *candidate = &looking->candidates[item];
    const PvDumpName *name = &candidate->file->name;
    (void)worker;
    if (pv_job_is_cancelled (looking->job))
        return;
    g_autoptr (PvMappedFile) file = pv_mapped_file_open (candidate->file->path, NULL);
    const PvReader *reader = file != NULL ? pv_read_find_reader (file) : NULL;
    candidate->is_readable = can_be_dump (reader);
    if (reader != NULL && !candidate->is_readable)
        return;
    if (name->kind != PV_DUMP_NAME_OTHER)
        candidate->key = g_strdup_printf ("dump %d\n%.*s", name->kind, (int)name->prefix_len,
                                          candidate->file->path);
    else if (reader != NULL)
        peek (candidate, file, looking->job);
}

static Candidate *
look_at_files (GPtrArray *files, PvJob *job)
{
    Candidate *candidates = g_new0 (Candidate, MAX (files->len, 1));
    Looking looking = {candidates, job};
    for (guint i = 0; i < files->len; i++)
        candidates[i].file = files->pdata[i];
    if (files->len > 1) {
        g_autoptr (PvPool) pool = pv_pool_new (0);
        pv_pool_run (pool, files->len, look_at, &looking);
    }
    return candidates;
}

/* Groups */

static void
group_free (void *data)
{
    PvFileGroup *group = data;
    g_strfreev (group->paths);
    g_free (group);
}

static void
add_group (GPtrArray *groups, GPtrArray *files, bool is_series)
{
    PvFileGroup *group = g_new0 (PvFileGroup, 1);
    if (is_series) {
        g_autofree PvDump *dumps = g_new0 (PvDump, files->len);
        pv_series_find_times (files, dumps);
        pv_series_sort (files, dumps);
    }
    group->is_series = is_series;
    group->paths = g_new0 (char *, files->len + 1);
    for (guint i = 0; i < files->len; i++)
        group->paths[i] = g_strdup (((PvSeriesFile *)files->pdata[i])->path);
    g_ptr_array_add (groups, group);
}

static void
add_alone (GPtrArray *groups, PvSeriesFile *file)
{
    g_autoptr (GPtrArray) files = g_ptr_array_new ();
    g_ptr_array_add (files, file);
    add_group (groups, files, false);
}

static void
link_candidates (Candidate *candidates, guint n)
{
    g_autoptr (GHashTable) last_of_key = g_hash_table_new (g_str_hash, g_str_equal);
    for (guint i = 0; i < n; i++) {
        char *key = candidates[i].key;
        if (key == NULL)
            continue;
        guint last = GPOINTER_TO_UINT (g_hash_table_lookup (last_of_key, key));
        if (last != 0)
            candidates[last - 1].next = i + 1;
        candidates[i].is_first = last == 0;
        g_hash_table_insert (last_of_key, key, GUINT_TO_POINTER (i + 1));
    }
}

/* Adds all candidates with the key of candidate first. */
static void
add_with_key (GPtrArray *groups, const Candidate *candidates, guint first)
{
    g_autoptr (GPtrArray) files = g_ptr_array_new ();
    bool is_readable = false;
    for (guint next = first + 1; next != 0; next = candidates[next - 1].next) {
        g_ptr_array_add (files, candidates[next - 1].file);
        is_readable = is_readable || candidates[next - 1].is_readable;
    }
    if (is_readable && files->len > 1) {
        add_group (groups, files, true);
        return;
    }
    for (guint i = 0; i < files->len; i++)
        add_alone (groups, files->pdata[i]);
}

GPtrArray *
pv_load_group_files (const char *const *paths, PvJob *job)
{
    g_assert (paths != NULL);
    g_auto (GStrv) all = pv_series_expand_folders (paths, job);
    g_autoptr (GPtrArray) files = pv_series_files_new ((const char *const *)all);
    g_autofree Candidate *candidates = look_at_files (files, job);
    GPtrArray *groups = g_ptr_array_new_with_free_func (group_free);
    link_candidates (candidates, files->len);
    for (guint i = 0; i < files->len; i++) {
        if (candidates[i].key == NULL)
            add_alone (groups, files->pdata[i]);
        else if (candidates[i].is_first)
            add_with_key (groups, candidates, i);
    }
    for (guint i = 0; i < files->len; i++)
        g_free (candidates[i].key);
    return groups;
}
