/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/load/load-runs.h"

#include <glib/gi18n-lib.h>
#include <pthread.h>
#include <string.h>

#include "core/analyze/query/query-words.h"
#include "core/base/array.h"
#include "core/base/budget.h"
#include "core/base/error.h"
#include "core/base/pool.h"
#include "core/load/load-series.h"
#include "core/read/readers.h"

enum {
    MOST_RUNS = 100000,
    MOST_SENTENCES = 20, /* of what is left out */
    MOST_NAMES = 3,      /* of files that are no profiles */
};

/* Memory for reading a file, roughly: so many bytes for each of it, and this at least. */
enum { BYTES_PER_BYTE = 6, LEAST_BYTES = 32 << 20 };

/* --- which files --- */

/* A recording that is a folder. */
static bool
is_recording_folder (const char *path)
{
    g_autofree char *data = g_build_filename (path, "data", NULL);
    return g_file_test (data, G_FILE_TEST_EXISTS);
}

static bool
is_profile (const char *path)
{
    if (!g_file_test (path, G_FILE_TEST_IS_REGULAR))
        return is_recording_folder (path);
    g_autoptr (PvMappedFile) file = pv_mapped_file_open (path, NULL);
    return file != NULL && pv_read_find_reader (file) != NULL;
}

static int
compare_paths (const void *a, const void *b)
{
    return pv_compare_naturally (*(const char *const *)a, *(const char *const *)b);
}

static void
note_others (GPtrArray *left_out, const char *folder, GPtrArray *others)
{
    g_autofree char *shown = g_filename_display_name (folder);
    g_autoptr (GString) names = g_string_new (NULL);
    if (others->len == 0)
        return;
    g_ptr_array_sort (others, compare_paths);
    for (guint i = 0; i < MIN (others->len, MOST_NAMES); i++) {
        g_autofree char *name = g_filename_display_basename (others->pdata[i]);
        g_string_append_printf (names, "%s%s", i > 0 ? ", " : "", name);
    }
    if (others->len > MOST_NAMES)
        g_string_append (names, ", …");
    /* Translators: a number, a folder, and some of the names. */
    g_ptr_array_add (
        left_out, g_strdup_printf (g_dngettext (NULL, "%u file in %s is not a profile: %s",
                                                "%u files in %s are not profiles: %s", others->len),
                                   others->len, shown, names->str));
}

static void
add_folder (GPtrArray *files, const char *folder, GPtrArray *left_out, PvJob *job)
{
    g_autoptr (GPtrArray) inside = g_ptr_array_new ();
    g_autoptr (GPtrArray) others = g_ptr_array_new_with_free_func (g_free);
    GDir *dir = g_dir_open (folder, 0, NULL);
    const char *name;
    while (dir != NULL && (name = g_dir_read_name (dir)) != NULL && !pv_job_is_cancelled (job) &&
           inside->len < MOST_RUNS && others->len < MOST_RUNS) {
        g_autofree char *path = g_build_filename (folder, name, NULL);
        bool is_wanted = is_profile (path);
        g_ptr_array_add (is_wanted ? inside : others, g_steal_pointer (&path));
    }
    if (dir != NULL)
        g_dir_close (dir);
    g_ptr_array_sort (inside, compare_paths);
    for (guint i = 0; i < inside->len; i++)
        g_ptr_array_add (files, inside->pdata[i]);
    note_others (left_out, folder, others);
}

/* As a shell lists them: by their letters, either by bytes or as the locale orders them. */
static bool
are_listed (GPtrArray *paths)
{
    bool is_by_bytes = true, is_by_locale = true;
    for (guint i = 1; i < paths->len; i++) {
        is_by_bytes = is_by_bytes && strcmp (paths->pdata[i - 1], paths->pdata[i]) <= 0;
        is_by_locale = is_by_locale && strcoll (paths->pdata[i - 1], paths->pdata[i]) <= 0;
    }
    return is_by_bytes || is_by_locale;
}

/* The files that paths stand for, in order; left_out, an array of char *, gets sentences about
 * files in folders that are no profiles. Reads the beginning of each file of a folder. Free with
 * g_strfreev (). */
static char **
list_runs (const char *const *paths, GPtrArray *left_out, PvJob *job)
{
    g_assert (paths != NULL && left_out != NULL);
    g_autoptr (GPtrArray) given = g_ptr_array_new ();
    g_autoptr (GPtrArray) files = g_ptr_array_new ();
    for (; *paths != NULL; paths++)
        g_ptr_array_add (given, (void *)*paths);
    if (are_listed (given))
        g_ptr_array_sort (given, compare_paths);
    for (guint i = 0; i < given->len && files->len < MOST_RUNS; i++) {
        const char *path = given->pdata[i];
        if (g_file_test (path, G_FILE_TEST_IS_DIR) && !is_recording_folder (path))
            add_folder (files, path, left_out, job);
        else
            g_ptr_array_add (files, g_strdup (path));
    }
    g_ptr_array_add (files, NULL);
    return (char **)g_ptr_array_free (g_steal_pointer (&files), FALSE);
}

/* --- reading --- */

typedef struct {
    const PvSeriesFile *file;
    GError *error;
} Run;

typedef struct {
    const PvRunsRequest *request;
    PvLoadOptions each;
    PvRunsBuilder *builder;
    PvJob *job;
    Run *runs;
    uint32_t first; /* those before it are done */

    pthread_mutex_t lock;
    pthread_cond_t freed;
    uint64_t max_bytes; /* that profiles may take at a time; 0: unknown */
    uint64_t bytes;     /* that those being read take */
} Loading;

typedef struct {
    PvProfile *profile;
    PvSymbolTable *symbols;
} Loaded;

static void
take_profile (PvProfile *profile, void *user)
{
    Loaded *loaded = user;
    pv_profile_free (loaded->profile);
    loaded->profile = profile;
}

static void
take_symbols (PvSymbolTable *symbols, void *user)
{
    Loaded *loaded = user;
    pv_symbol_table_free (loaded->symbols);
    loaded->symbols = symbols;
}

static bool
resolve (const PvRunsRequest *request, const PvProfile *profile, PvQuery *ret_query, GError **error)
{
    g_auto (PvQueryWords) words;
    pv_query_words_init (&words);
    return (request->query == NULL || pv_query_words_add_all (&words, request->query, error)) &&
           pv_query_words_resolve (&words, profile, ret_query, error);
}

static bool
add_loaded (Loading *loading, uint32_t index, const Loaded *loaded, PvJob *job, GError **error)
{
    PvQuery query;
    if (!resolve (loading->request, loaded->profile, &query, error))
        return false;
    bool is_done = pv_runs_builder_add (loading->builder, index, loaded->profile, loaded->symbols,
                                        &query, job, error);
    pv_query_clear (&query);
    return is_done;
}

static void
load_one (Loading *loading, uint32_t index)
{
    Run *run = &loading->runs[index];
    Loaded loaded = {0};
    PvLoadEvents events = {
        .profile_ready = take_profile, .symbols_ready = take_symbols, .user = &loaded};
    g_autoptr (PvJob) job = pv_job_new_part (loading->job, run->file->size_bytes + 1);
    bool is_loaded = pv_job_check (job, &run->error) &&
                     pv_load (run->file->path, &loading->each, &events, job, &run->error);
    if (is_loaded && loaded.symbols == NULL) {
        g_autoptr (PvSymbolBuilder) builder = pv_symbol_builder_new (loaded.profile);
        loaded.symbols = pv_symbol_builder_publish (builder, true);
    }
    if (is_loaded)
        add_loaded (loading, index, &loaded, job, &run->error);
    pv_symbol_table_free (loaded.symbols);
    pv_profile_free (loaded.profile);
}

static uint64_t
estimate_bytes (const Run *run)
{
    return MAX (run->file->size_bytes, LEAST_BYTES / BYTES_PER_BYTE) * BYTES_PER_BYTE;
}

/* Waits until there is memory, unless nothing else is being read. */
static void
load_item (void *data, size_t item, unsigned worker)
{
    Loading *loading = data;
    uint32_t index = loading->first + (uint32_t)item;
    uint64_t bytes = estimate_bytes (&loading->runs[index]);
    (void)worker;
    pthread_mutex_lock (&loading->lock);
    while (loading->bytes > 0 && loading->max_bytes > 0 &&
           loading->bytes + bytes > loading->max_bytes)
        pthread_cond_wait (&loading->freed, &loading->lock);
    loading->bytes += bytes;
    pthread_mutex_unlock (&loading->lock);
    load_one (loading, index);
    pthread_mutex_lock (&loading->lock);
    loading->bytes -= bytes;
    pthread_cond_broadcast (&loading->freed);
    pthread_mutex_unlock (&loading->lock);
}

/* The first that can be read says which measure it is, then all others at once. */
static void
load_all (Loading *loading, uint32_t n_runs)
{
    unsigned n_workers = loading->request->load->symbols.n_workers;
    g_autoptr (PvPool) pool = pv_pool_new (n_workers);
    PvBudget budget = pv_budget_new (0);
    loading->max_bytes = budget.available_bytes / 2;
    bool is_begun = false;
    while (loading->first < n_runs && !is_begun && !pv_job_is_cancelled (loading->job)) {
        load_one (loading, loading->first);
        is_begun = loading->runs[loading->first++].error == NULL;
    }
    loading->each.symbols.n_workers =
        MAX (pv_pool_get_size (pool) / MAX (n_runs - loading->first, 1), 1);
    pthread_mutex_init (&loading->lock, NULL);
    pthread_cond_init (&loading->freed, NULL);
    pv_pool_run (pool, n_runs - loading->first, load_item, loading);
    pthread_cond_destroy (&loading->freed);
    pthread_mutex_destroy (&loading->lock);
}

/* --- what is left out --- */

/* *ret_n_failed: how many are not there. */
static void
note_failures (const Loading *loading, uint32_t n_runs, GPtrArray *left_out, uint32_t *ret_n_failed)
{
    uint32_t n_more = 0;
    *ret_n_failed = 0;
    for (uint32_t r = 0; r < n_runs; r++) {
        const Run *run = &loading->runs[r];
        if (run->error == NULL)
            continue;
        ++*ret_n_failed;
        if (left_out->len < MOST_SENTENCES)
            g_ptr_array_add (left_out, g_strdup_printf (_ ("%s was left out: %s"), run->file->title,
                                                        run->error->message));
        else
            n_more++;
    }
    if (n_more > 0)
        g_ptr_array_add (left_out, g_strdup_printf (g_dngettext (NULL, "%u more was left out",
                                                                 "%u more were left out", n_more),
                                                    n_more));
}

static char **
list_paths (const PvRuns *runs, const Run *all)
{
    char **paths = g_new0 (char *, (size_t)runs->n_runs + 1);
    for (uint32_t r = 0; r < runs->n_runs; r++)
        paths[r] = g_strdup (all[runs->runs[r].place].file->path);
    return paths;
}

void
pv_loaded_runs_clear (PvLoadedRuns *loaded)
{
    g_assert (loaded != NULL);
    g_clear_pointer (&loaded->runs, pv_runs_unref);
    g_clear_pointer (&loaded->paths, g_strfreev);
    g_clear_pointer (&loaded->left_out, g_strfreev);
    g_clear_pointer (&loaded->scale_function, g_free);
}

/* --- the whole --- */

static bool
finish (Loading *loading, uint32_t n_runs, GPtrArray *left_out, PvLoadedRuns *ret_runs,
        GError **error)
{
    const PvRunsRequest *request = loading->request;
    if (!pv_job_check (loading->job, error))
        return false;
    PvLoadedRuns loaded = {.runs = pv_runs_builder_finish (loading->builder)};
    uint32_t function;
    if (loaded.runs == NULL) {
        g_propagate_error (error, g_steal_pointer (&loading->runs[0].error));
        if (n_runs > 1)
            g_prefix_error (error, "%s: ", loading->runs[0].file->title);
        return false;
    }
    if (!pv_runs_scale (loaded.runs, request->scale, request->scale_function, &function, error)) {
        pv_loaded_runs_clear (&loaded);
        return false;
    }
    if (function != UINT32_MAX)
        loaded.scale_function = g_strdup (loaded.runs->functions[function].short_name);
    note_failures (loading, n_runs, left_out, &loaded.n_failed);
    loaded.paths = list_paths (loaded.runs, loading->runs);
    loaded.left_out = g_new0 (char *, (size_t)left_out->len + 1);
    for (guint i = 0; i < left_out->len; i++)
        loaded.left_out[i] = pv_make_showable_sentence (left_out->pdata[i]);
    *ret_runs = loaded;
    return true;
}

bool
pv_load_runs (const PvRunsRequest *request, PvLoadedRuns *ret_runs, PvJob *job, GError **error)
{
    g_assert (request != NULL && request->paths != NULL && request->load != NULL);
    g_assert (ret_runs != NULL);
    pv_job_set_stage (job, PV_STAGE_OPEN, 0);
    g_autoptr (GPtrArray) left_out = g_ptr_array_new_with_free_func (g_free);
    g_auto (GStrv) paths = list_runs (request->paths, left_out, job);
    g_autoptr (GPtrArray) files = pv_series_files_new ((const char *const *)paths);
    if (!pv_job_check (job, error))
        return false;
    if (files->len == 0) {
        g_set_error_literal (error, PV_READ_ERROR, PV_READ_ERROR_NOT_FOUND,
                             _ ("There is no profile in the folder"));
        return false;
    }
    g_autofree const char **names = g_new0 (const char *, files->len);
    Loading loading = {.request = request, .each = *request->load, .job = job};
    loading.each.symbols.only_complete = true;
    loading.runs = g_new0 (Run, files->len);
    uint64_t total = 0;
    for (guint i = 0; i < files->len; i++) {
        loading.runs[i].file = files->pdata[i];
        names[i] = loading.runs[i].file->title;
        total += loading.runs[i].file->size_bytes + 1;
    }
    loading.builder = pv_runs_builder_new (names, files->len);
    pv_job_set_stage (job, PV_STAGE_READ, total);
    load_all (&loading, files->len);
    bool is_done = finish (&loading, files->len, left_out, ret_runs, error);
    for (guint i = 0; i < files->len; i++)
        g_clear_error (&loading.runs[i].error);
    g_free (loading.runs);
    pv_runs_builder_free (loading.builder);
    return is_done;
}
