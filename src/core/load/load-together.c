/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Several files as one profile: read in parallel, each with a builder of its own, appended to one
 * builder in a fixed order as they become ready, and symbolized once.
 */
#include <glib/gi18n-lib.h>
#include <pthread.h>

#include "core/base/pool.h"
#include "core/load/load-private.h"
#include "core/load/load-series.h"
#include "core/read/readers.h"

/* Limits the profiles that wait in memory for an earlier one, per thread. */
enum { WAITING_PER_WORKER = 2 };

/* One of the files. */
typedef struct {
    PvSeriesFile *file;
    PvProfile *profile; /* until it has been appended */
    GError *error;
    bool is_read;
} Part;

typedef struct {
    const PvLoadOptions *options; /* of all readers */
    PvModuleFiles *module_files;
    PvJob *job;
    PvProfileBuilder *builder;
    PvMerger *merger;
    GPtrArray *appended; /* PvSeriesFile, in the order of the merger */
    size_t n_parts;
    Part *parts;
    size_t window;

    pthread_mutex_t lock;
    pthread_cond_t moved;
    size_t n_appended; /* parts before this one are done */
    bool is_appending; /* by a thread that does not hold the lock */
} Together;

/* Reading */

static void
wait_for_window (Together *together, size_t item)
{
    pthread_mutex_lock (&together->lock);
    while (item >= together->n_appended + together->window)
        pthread_cond_wait (&together->moved, &together->lock);
    pthread_mutex_unlock (&together->lock);
}

static void
append_part (Together *together, Part *part)
{
    if (part->profile == NULL)
        return;
    part->file->recorded_at_ns = part->profile->facts.recorded_at_ns;
    pv_merger_append (together->merger, part->profile, part->file->title);
    g_ptr_array_add (together->appended, part->file);
    g_clear_pointer (&part->profile, pv_profile_free);
}

/* Appends all profiles that are ready, unless another thread is doing so. */
static void
hand_in (Together *together, Part *part)
{
    pthread_mutex_lock (&together->lock);
    part->is_read = true;
    if (together->is_appending) {
        pthread_mutex_unlock (&together->lock);
        return;
    }
    together->is_appending = true;
    while (together->n_appended < together->n_parts &&
           together->parts[together->n_appended].is_read) {
        Part *next = &together->parts[together->n_appended];
        pthread_mutex_unlock (&together->lock);
        append_part (together, next);
        pthread_mutex_lock (&together->lock);
        together->n_appended++;
        pthread_cond_broadcast (&together->moved);
    }
    together->is_appending = false;
    pthread_mutex_unlock (&together->lock);
}

static void
refuse_heap (GError **error)
{
    g_set_error_literal (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                         _ ("Heap traces cannot be combined with other files"));
}

static void
read_part (void *data, size_t item, unsigned worker)
{
    Together *together = data;
    Part *part = &together->parts[item];
    static const PvLoadEvents no_events = {0};
    (void)worker;
    wait_for_window (together, item);
    g_autoptr (PvJob) job = pv_job_new_part (together->job, part->file->size_bytes);
    if (pv_job_check (job, &part->error))
        part->profile = pv_load_read (part->file->path, together->options, &no_events,
                                      together->module_files, job, &part->error);
    if (part->profile != NULL && (part->profile->heap != NULL || part->profile->n_dumps > 0)) {
        g_clear_pointer (&part->profile, pv_profile_free);
        refuse_heap (&part->error);
    }
    hand_in (together, part);
}

static void
read_parts (Together *together, unsigned n_workers)
{
    pthread_mutex_init (&together->lock, NULL);
    pthread_cond_init (&together->moved, NULL);
    g_autoptr (PvPool) pool = pv_pool_new ((unsigned)MIN (together->n_parts, n_workers));
    together->window = (size_t)WAITING_PER_WORKER * pv_pool_get_size (pool);
    pv_pool_run (pool, together->n_parts, read_part, together);
    pthread_cond_destroy (&together->moved);
    pthread_mutex_destroy (&together->lock);
}

/* Together */

/* Once for all files with the same fault: a full disk leaves hundreds of empty dumps. */
static void
note_failures (Together *together)
{
    g_autoptr (GHashTable) counts = g_hash_table_new (g_str_hash, g_str_equal);
    for (size_t i = 0; i < together->n_parts; i++) {
        const GError *error = together->parts[i].error;
        if (error != NULL)
            g_hash_table_insert (
                counts, error->message,
                GUINT_TO_POINTER (GPOINTER_TO_UINT (g_hash_table_lookup (counts, error->message)) +
                                  1));
    }
    for (size_t i = 0; i < together->n_parts; i++) {
        const Part *part = &together->parts[i];
        unsigned n = part->error != NULL
                         ? GPOINTER_TO_UINT (g_hash_table_lookup (counts, part->error->message))
                         : 0;
        if (n == 1)
            /* Translators: the name of a file, and what is wrong with it. */
            pv_profile_builder_note (together->builder, PV_NOTE_WARNING, PV_NOTE_GENERAL, 0,
                                     _ ("%s was left out: %s"), part->file->title,
                                     part->error->message);
        else if (n > 1)
            /* Translators: the name of a file, a number, and what is wrong with the files. */
            pv_profile_builder_note (together->builder, PV_NOTE_WARNING, PV_NOTE_GENERAL, 0,
                                     g_dngettext (NULL, "%s and %u other file were left out: %s",
                                                  "%s and %u other files were left out: %s", n - 1),
                                     part->file->title, n - 1, part->error->message);
        if (n > 1)
            g_hash_table_insert (counts, part->error->message, GUINT_TO_POINTER (0));
    }
}

/* Makes the profile of all files that could be read. */
static PvProfile *
finish (Together *together, PvTogether how, GError **error)
{
    if (!pv_job_check (together->job, error))
        return NULL;
    for (size_t i = 0; i < together->n_parts; i++) {
        if (g_error_matches (together->parts[i].error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE)) {
            g_propagate_error (error, g_steal_pointer (&together->parts[i].error));
            return NULL;
        }
    }
    if (together->appended->len == 0) {
        g_propagate_error (error, g_steal_pointer (&together->parts[0].error));
        return NULL;
    }
    if (how == PV_TOGETHER_SERIES) {
        g_autofree PvDump *dumps = g_new0 (PvDump, together->appended->len);
        bool has_times = pv_series_find_times (together->appended, dumps);
        pv_merger_finish (together->merger, dumps, has_times);
    } else {
        pv_merger_finish (together->merger, NULL, false);
    }
    note_failures (together);
    return pv_profile_builder_snapshot (together->builder);
}

/* Checked early, because heap traces can take long to read. */
static bool
has_heap_trace (GPtrArray *files)
{
    for (guint i = 0; i < files->len; i++) {
        const PvSeriesFile *file = files->pdata[i];
        g_autoptr (PvMappedFile) mapped = pv_mapped_file_open (file->path, NULL);
        if (mapped != NULL && pv_read_find_reader (mapped) == &pv_heaptrack_reader)
            return true;
    }
    return false;
}

static unsigned
count_processors (unsigned n_workers)
{
    g_autoptr (PvPool) pool = pv_pool_new (n_workers);
    return pv_pool_get_size (pool);
}

static PvProfile *
read_together (GPtrArray *files, PvTogether how, const PvLoadOptions *options,
               PvModuleFiles *module_files, PvJob *job, GError **error)
{
    unsigned n_workers = count_processors (options->symbols.n_workers);
    PvLoadOptions each = *options;
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    g_autoptr (PvMerger) merger = pv_merger_new (builder, how == PV_TOGETHER_SERIES);
    g_autoptr (GPtrArray) appended = g_ptr_array_new ();
    Together together = {
        .options = &each,
        .module_files = module_files,
        .job = job,
        .builder = builder,
        .merger = merger,
        .appended = appended,
        .n_parts = files->len,
        .parts = g_new0 (Part, files->len),
    };
    uint64_t total = 0;
    for (guint i = 0; i < files->len; i++) {
        together.parts[i].file = files->pdata[i];
        total += together.parts[i].file->size_bytes;
    }
    each.symbols.n_workers = MAX (n_workers / files->len, 1);
    pv_job_set_stage (job, PV_STAGE_READ, total);
    read_parts (&together, n_workers);
    PvProfile *profile = finish (&together, how, error);
    for (guint i = 0; i < files->len; i++)
        g_clear_error (&together.parts[i].error);
    g_free (together.parts);
    return profile;
}

bool
pv_load_together (const char *const *paths, PvTogether how, const PvLoadOptions *options,
                  const PvLoadEvents *events, PvJob *job, GError **error)
{
    g_assert (paths != NULL && paths[0] != NULL && options != NULL);
    pv_job_set_stage (job, PV_STAGE_OPEN, 0);
    g_auto (GStrv) all = pv_series_expand_folders (paths, job);
    if (!pv_job_check (job, error))
        return false;
    g_autoptr (PvModuleFiles) module_files =
        pv_load_open_module_files ((const char *const *)all, &options->symbols);
    g_autoptr (GPtrArray) files = pv_series_files_new ((const char *const *)all);
    if (has_heap_trace (files)) {
        refuse_heap (error);
        return false;
    }
    if (how == PV_TOGETHER_SERIES) {
        /* Sorts the files as far as known now: samples added in order need no sorting. */
        g_autofree PvDump *dumps = g_new0 (PvDump, files->len);
        pv_series_find_times (files, dumps);
        pv_series_sort (files, dumps);
    }
    PvProfile *profile = read_together (files, how, options, module_files, job, error);
    return profile != NULL &&
           pv_load_symbolize (profile, options, events, module_files, job, error);
}
