/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/code/source-fetch.h"

#include <glib/gi18n.h>

#include "app/work/work.h"
#include "core/base/format.h"
#include "core/symbolize/files/source-files.h"

#define PROGRESS_INTERVAL_MS 250

/* Shared by the fetch and the worker. */
typedef struct {
    PvProfile *profile;
    PvModuleId module;
    char *binary;
    char *path;
    PvJob *job; /* set by the worker once it runs; atomic */
} Request;

struct PvSourceFetch {
    gpointer owner;
    PvSourceFetchEvents events;
    PvTask *task;
    Request *request; /* NULL: none runs */
    guint progress_source;
};

static void
request_clear (gpointer data)
{
    Request *request = data;

    pv_clear_later (&request->profile, pv_profile_free);
    g_free (request->binary);
    g_free (request->path);
    pv_job_unref (request->job);
}

static void
request_unref (gpointer data)
{
    g_atomic_rc_box_release_full (data, request_clear);
}

/* Worker thread. TRUE if it is there. */
static gpointer
run (gpointer input, PvJob *job, GError **error)
{
    Request *request = input;

    g_atomic_pointer_set (&request->job, pv_job_ref (job));
    return GINT_TO_POINTER (pv_source_file_fetch (request->profile, request->path, request->module,
                                                  request->binary, job, error));
}

static void
stop (PvSourceFetch *fetch)
{
    g_clear_handle_id (&fetch->progress_source, g_source_remove);
    g_clear_pointer (&fetch->request, request_unref);
}

static void
done (gpointer owner, gpointer result, const GError *error)
{
    PvSourceFetch *fetch = owner;
    g_autofree char *path = g_strdup (fetch->request->path);

    stop (fetch);
    fetch->events.done (fetch->owner, path, error);
}

/* Results are numbers. */
static void
forget_result (gpointer result)
{
}

PvSourceFetch *
pv_source_fetch_new (gpointer owner, const PvSourceFetchEvents *events)
{
    PvSourceFetch *fetch = g_new0 (PvSourceFetch, 1);

    g_assert (events != NULL);
    fetch->owner = owner;
    fetch->events = *events;
    fetch->task = pv_task_new (fetch, run, request_unref, forget_result, done);
    return fetch;
}

void
pv_source_fetch_close (PvSourceFetch *fetch)
{
    g_assert (fetch != NULL);
    pv_task_close (fetch->task);
    stop (fetch);
    g_free (fetch);
}

static gboolean
show_progress (gpointer data)
{
    PvSourceFetch *fetch = data;

    fetch->events.progress (fetch->owner);
    return G_SOURCE_CONTINUE;
}

void
pv_source_fetch_start (PvSourceFetch *fetch, PvProfile *profile, PvModuleId module,
                       const char *binary, const char *path)
{
    g_assert (fetch != NULL && profile != NULL && path != NULL);
    pv_source_fetch_cancel (fetch);
    fetch->request = g_atomic_rc_box_new0 (Request);
    fetch->request->profile = pv_profile_ref (profile);
    fetch->request->module = module;
    fetch->request->binary = g_strdup (binary);
    fetch->request->path = g_strdup (path);
    fetch->progress_source = g_timeout_add (PROGRESS_INTERVAL_MS, show_progress, fetch);
    pv_task_start (fetch->task, g_atomic_rc_box_acquire (fetch->request));
}

void
pv_source_fetch_cancel (PvSourceFetch *fetch)
{
    g_assert (fetch != NULL);
    pv_task_cancel (fetch->task);
    stop (fetch);
}

char *
pv_source_fetch_describe (const PvSourceFetch *fetch)
{
    uint64_t so_far = 0, total = 0;

    g_assert (fetch != NULL);
    if (fetch->request == NULL)
        return NULL;
    const PvJob *job = g_atomic_pointer_get (&fetch->request->job);
    if (job != NULL)
        so_far = pv_job_get_done (job, &total);
    if (total == 0)
        return g_strdup (_ ("Asking the server"));
    g_autofree char *done_text = pv_format_amount (so_far, PV_UNIT_BYTES);
    g_autofree char *total_text = pv_format_amount (total, PV_UNIT_BYTES);
    /* Translators: sizes */
    return g_strdup_printf (_ ("%s of %s"), done_text, total_text);
}
