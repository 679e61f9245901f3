/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/document/symbol-fetch.h"

#include "app/work/work.h"
#include "core/load/missing-files.h"

#define PROGRESS_INTERVAL_MS 250

/* One module. Shared by the queue and the worker. */
typedef struct {
    PvProfile *profile;
    PvModuleId module;
    char **paths;
    PvSymbolOptions options;
} Request;

struct PvSymbolFetch {
    gpointer owner;
    PvSymbolFetchEvents events;
    PvTask *task;
    GQueue requests; /* Request; the first one runs */
    gboolean has_new;
    guint progress_source;
};

static void
request_clear (gpointer data)
{
    Request *request = data;

    pv_clear_later (&request->profile, pv_profile_free);
    g_strfreev (request->paths);
    pv_symbol_options_clear (&request->options);
}

static void
request_unref (gpointer data)
{
    g_atomic_rc_box_release_full (data, request_clear);
}

/* Worker thread. TRUE if there are new files, be it from a fetch that was cancelled too late. */
static gpointer
run (gpointer input, PvJob *job, GError **error)
{
    Request *request = input;
    const char *const *paths = (const char *const *)request->paths;
    GError *problem = NULL;

    g_autoptr (PvMissingFile) missing =
        pv_missing_file_get (paths, request->profile, request->module, &request->options, &problem);
    bool is_new = missing != NULL
                      ? pv_missing_file_fetch (missing, PV_MISSING_FILE_MAX_BYTES, job, &problem)
                      : problem == NULL;
    if (problem != NULL)
        g_propagate_error (error, problem);
    return GINT_TO_POINTER (is_new);
}

static void start_next (PvSymbolFetch *fetch);

static void
done (gpointer owner, gpointer result, const GError *error)
{
    PvSymbolFetch *fetch = owner;
    Request *request = g_queue_pop_head (&fetch->requests);

    g_assert (request != NULL);
    fetch->has_new |= result != NULL;
    if (error != NULL)
        fetch->events.failed (fetch->owner, request->profile->modules[request->module].path, error);
    request_unref (request);
    start_next (fetch);
}

PvSymbolFetch *
pv_symbol_fetch_new (gpointer owner, const PvSymbolFetchEvents *events)
{
    PvSymbolFetch *fetch = g_new0 (PvSymbolFetch, 1);

    fetch->owner = owner;
    fetch->events = *events;
    fetch->task = pv_task_new (fetch, run, request_unref, NULL, done);
    g_queue_init (&fetch->requests);
    return fetch;
}

void
pv_symbol_fetch_close (PvSymbolFetch *fetch)
{
    pv_task_close (fetch->task);
    g_clear_handle_id (&fetch->progress_source, g_source_remove);
    g_queue_clear_full (&fetch->requests, request_unref);
    g_free (fetch);
}

static gboolean
show_progress (gpointer data)
{
    PvSymbolFetch *fetch = data;

    fetch->events.changed (fetch->owner);
    return G_SOURCE_CONTINUE;
}

static void
start_next (PvSymbolFetch *fetch)
{
    Request *request = g_queue_peek_head (&fetch->requests);

    if (request != NULL) {
        pv_task_start (fetch->task, g_atomic_rc_box_acquire (request));
        if (fetch->progress_source == 0)
            fetch->progress_source = g_timeout_add (PROGRESS_INTERVAL_MS, show_progress, fetch);
        fetch->events.changed (fetch->owner);
        return;
    }
    g_clear_handle_id (&fetch->progress_source, g_source_remove);
    fetch->events.changed (fetch->owner);
    if (fetch->has_new) {
        fetch->has_new = FALSE;
        fetch->events.finished (fetch->owner);
    }
}

static GList *
find (const PvSymbolFetch *fetch, const PvProfile *profile, PvModuleId module)
{
    for (GList *link = fetch->requests.head; link != NULL; link = link->next) {
        const Request *request = link->data;
        if (request->profile == profile && request->module == module)
            return link;
    }
    return NULL;
}

void
pv_symbol_fetch_add (PvSymbolFetch *fetch, const PvProfile *profile, PvModuleId module,
                     const char *const *paths, const PvSymbolOptions *options)
{
    Request *request;

    g_assert (profile != NULL && module < profile->n_modules && paths != NULL);
    if (find (fetch, profile, module) != NULL)
        return;
    request = g_atomic_rc_box_new0 (Request);
    request->profile = pv_profile_ref (profile);
    request->module = module;
    request->paths = g_strdupv ((char **)paths);
    request->options = pv_symbol_options_copy (options);
    g_queue_push_tail (&fetch->requests, request);
    if (fetch->requests.length == 1)
        start_next (fetch);
    else
        fetch->events.changed (fetch->owner);
}

void
pv_symbol_fetch_cancel (PvSymbolFetch *fetch, const PvProfile *profile, PvModuleId module)
{
    GList *link = find (fetch, profile, module);
    gboolean is_running = link != NULL && link == fetch->requests.head;

    if (link == NULL)
        return;
    request_unref (link->data);
    g_queue_delete_link (&fetch->requests, link);
    if (is_running) {
        pv_task_cancel (fetch->task);
        start_next (fetch);
    } else {
        fetch->events.changed (fetch->owner);
    }
}

PvSymbolFetchState
pv_symbol_fetch_get_state (const PvSymbolFetch *fetch, const PvProfile *profile, PvModuleId module,
                           uint64_t *ret_done, uint64_t *ret_total)
{
    GList *link = find (fetch, profile, module);

    *ret_done = *ret_total = 0;
    if (link == NULL)
        return PV_SYMBOL_FETCH_NONE;
    if (link != fetch->requests.head)
        return PV_SYMBOL_FETCH_WAITING;
    *ret_done = pv_task_get_done (fetch->task, ret_total);
    return PV_SYMBOL_FETCH_RUNNING;
}
