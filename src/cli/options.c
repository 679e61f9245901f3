/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Default options, and their translation to load options and queries. */
#include <errno.h>
#include <glib/gi18n.h>
#include <string.h>

#include "cli/options.h"
#include "core/model/profile/event-names.h"
#include "core/model/profile/labels.h"

void
pv_options_init (PvOptions *options)
{
    *options = (PvOptions){
        .chart = PV_N_CHARTS, .limit = PV_LIMIT_DEFAULT, .min_percent = PV_MIN_PERCENT_DEFAULT};
    pv_query_init (&options->query);
}

void
pv_options_clear (PvOptions *options)
{
    g_free (options->export_path);
    g_free (options->function);
    g_free (options->headless_option);
    g_strfreev (options->files);
    pv_query_clear (&options->query);
    g_free (options->measure);
    g_strfreev (options->threads);
    g_strfreev (options->processes);
    g_free (options->sysroot);
    g_strfreev (options->symbol_paths);
    g_strfreev (options->path_maps);
    pv_record_plan_free (options->record_plan);
    pv_options_init (options);
}

void
pv_options_fill_load (const PvOptions *options, PvLoadOptions *ret_load)
{
    *ret_load = (PvLoadOptions){
        .max_unpacked_bytes = options->max_unpacked_bytes,
        .max_memory_bytes = options->max_memory_bytes,
        .symbols =
            {
                .sysroot = options->sysroot,
                .search_paths = (const char *const *)options->symbol_paths,
                .path_maps = (const char *const *)options->path_maps,
                .no_demangle = options->no_demangle,
                .n_workers = (unsigned)options->n_jobs,
            },
    };
}

/* Whether wanted, as given on the command line, is this number or this name. */
static bool
is_called (const char *wanted, int32_t number, const char *name)
{
    char *end = NULL;
    errno = 0;
    gint64 value = g_ascii_strtoll (wanted, &end, 10);
    if (end != wanted && *end == '\0' && errno == 0 && value == number)
        return true;
    return g_strcmp0 (wanted, name) == 0;
}

static bool
find_threads (const PvOptions *options, const PvProfile *profile, PvQuery *query, GError **error)
{
    for (char **wanted = options->threads; wanted != NULL && *wanted != NULL; wanted++) {
        uint32_t n_before = query->n_threads;
        for (PvThreadId t = 1; t < profile->n_threads; t++) {
            if (!is_called (*wanted, profile->threads[t].tid, profile->threads[t].name))
                continue;
            query->threads = g_renew (PvThreadId, query->threads, query->n_threads + 1);
            query->threads[query->n_threads++] = t;
        }
        if (query->n_threads == n_before) {
            g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                         _ ("no thread is called “%s”"), *wanted);
            return false;
        }
    }
    return true;
}

static bool
find_processes (const PvOptions *options, const PvProfile *profile, PvQuery *query, GError **error)
{
    for (char **wanted = options->processes; wanted != NULL && *wanted != NULL; wanted++) {
        uint32_t n_before = query->n_processes;
        for (PvProcessId p = 1; p < profile->n_processes; p++) {
            if (!is_called (*wanted, profile->processes[p].pid, profile->processes[p].name))
                continue;
            query->processes = g_renew (PvProcessId, query->processes, query->n_processes + 1);
            query->processes[query->n_processes++] = p;
        }
        if (query->n_processes == n_before) {
            g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                         _ ("no process is called “%s”"), *wanted);
            return false;
        }
    }
    return true;
}

/* Some writers call it "inuse_space", some "space"; either name finds the other. */
static PvMeasureId
find_named_measure (const PvProfile *profile, const char *name)
{
    static const char prefix[] = "inuse_";
    PvMeasureId found = pv_profile_find_measure_or_title (profile, name);
    if (found != UINT32_MAX)
        return found;
    if (g_ascii_strncasecmp (name, prefix, strlen (prefix)) == 0)
        return pv_profile_find_measure (profile, name + strlen (prefix));
    g_autofree char *longer = g_strconcat (prefix, name, NULL);
    return pv_profile_find_measure (profile, longer);
}

static bool
find_measure (const PvOptions *options, const PvProfile *profile, PvQuery *query, GError **error)
{
    if (options->measure == NULL) {
        /* In a recording of several events, the first may have no samples. */
        for (PvMeasureId m = 0; m < profile->n_measures; m++) {
            if (profile->measures[m].total > 0) {
                query->measure = m;
                break;
            }
        }
        return true;
    }
    query->measure = find_named_measure (profile, options->measure);
    if (query->measure != UINT32_MAX)
        return true;
    g_autoptr (GString) known = g_string_new (NULL);
    for (uint32_t i = 0; i < profile->n_measures; i++)
        g_string_append_printf (known, "%s%s", i > 0 ? ", " : "", profile->measures[i].name);
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                 _ ("there is no measure “%s”; available: %s"), options->measure, known->str);
    return false;
}

/* A label that no sample has is probably misspelt. */
static bool
check_labels (const PvQuery *query, const PvProfile *profile, GError **error)
{
    const char *missing = NULL;
    for (uint32_t i = 0; i < query->n_labels; i++) {
        if (!pv_labels_have_key (profile, query->labels[i].key))
            missing = query->labels[i].key;
    }
    if (query->group_label != NULL && !pv_labels_have_key (profile, query->group_label))
        missing = query->group_label;
    if (missing == NULL)
        return true;
    uint32_t n_keys;
    g_autofree PvLabelKey *keys = pv_labels_list_keys (profile, &n_keys);
    g_autoptr (GString) known = g_string_new (NULL);
    for (uint32_t i = 0; i < n_keys; i++)
        g_string_append_printf (known, "%s%s", i > 0 ? ", " : "", keys[i].key);
    if (n_keys > 0)
        g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                     _ ("no sample has a label “%s”; available: %s"), missing, known->str);
    else
        g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                     _ ("no sample has a label “%s”"), missing);
    return false;
}

/* A heap trace is of one process and records no threads. */
static bool
check_heap_query (const PvQuery *query, GError **error)
{
    const char *option = query->grouping == PV_GROUP_LABEL     ? "--group=label"
                         : query->n_labels > 0                 ? "--label"
                         : query->grouping == PV_GROUP_THREAD  ? "--group=thread"
                         : query->grouping == PV_GROUP_PROCESS ? "--group=process"
                         : query->n_cpus > 0                   ? "--cpu"
                                                               : NULL;
    if (option == NULL)
        return true;
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                 /* Translators: an option */
                 _ ("%s does not apply to heap traces"), option);
    return false;
}

bool
pv_options_fill_query (const PvOptions *options, const PvProfile *profile, PvQuery *ret_query,
                       GError **error)
{
    PvQuery query;
    pv_query_copy (&query, &options->query);
    pv_query_set_defaults (&query, profile);
    if (options->show_allocators)
        pv_query_remove_transforms (&query, PV_TRANSFORM_HIDE_ALLOCATORS);
    if (options->show_dropped)
        pv_query_remove_transforms (&query, PV_TRANSFORM_DROP);
    if ((profile->heap != NULL && !check_heap_query (&query, error)) ||
        !find_measure (options, profile, &query, error) || !check_labels (&query, profile, error) ||
        !find_threads (options, profile, &query, error) ||
        !find_processes (options, profile, &query, error)) {
        pv_query_clear (&query);
        return false;
    }
    *ret_query = query;
    return true;
}
