/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/code/source-fetch.h"

#include <glib/gi18n.h>

#include "app/work/work.h"
#include "core/base/format.h"
#include "core/symbolize/files/source-files.h"

#define PROGRESS_INTERVAL_MS 250

typedef struct {
    PvProfile *profile;
    PvModuleId module;
    char *binary;
    char *path;
} Request;

struct PvSourceFetch {
    gpointer owner;
    PvSourceFetchEvents events;
    PvTask *task;
    char *path; /* NULL: no fetch is running */
    guint progress_source;
};

static void
request_free (gpointer data)
{
    Request *request = data;

    pv_profile_free (request->profile);
    g_free (request->binary);
    g_free (request->path);
    g_free (request);
}

/* Runs in a worker thread. TRUE if the file is there. */
static gpointer
run (gpointer input, PvJob *job, GError **error)
{
    Request *request = input;

    return GINT_TO_POINTER (pv_source_file_fetch (request->profile, request->path, request->module,
                                                  request->binary, job, error));
}

static void
stop (PvSourceFetch *fetch)
{
    g_clear_handle_id (&fetch->progress_source, g_source_remove);
    g_clear_pointer (&fetch->path, g_free);
}

static void
done (gpointer owner, gpointer result, const GError *error)
{
    PvSourceFetch *fetch = owner;
    g_autofree char *path = g_steal_pointer (&fetch->path);

    stop (fetch);
    fetch->events.done (fetch->owner, path, error);
}

PvSourceFetch *
pv_source_fetch_new (gpointer owner, const PvSourceFetchEvents *events)
{
    PvSourceFetch *fetch = g_new0 (PvSourceFetch, 1);

    g_assert (events != NULL);
    fetch->owner = owner;
    fetch->events = *events;
    fetch->task = pv_task_new (fetch, run, request_free, NULL, done);
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
    Request *request = g_new0 (Request, 1);

    g_assert (fetch != NULL && profile != NULL && path != NULL);
    pv_source_fetch_cancel (fetch);
    fetch->path = g_strdup (path);
    request->profile = pv_profile_ref (profile);
    request->module = module;
    request->binary = g_strdup (binary);
    request->path = g_strdup (path);
    fetch->progress_source = g_timeout_add (PROGRESS_INTERVAL_MS, show_progress, fetch);
    pv_task_start (fetch->task, request);
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
    uint64_t total;

    g_assert (fetch != NULL);
    if (fetch->path == NULL)
        return NULL;
    const uint64_t so_far = pv_task_get_done (fetch->task, &total);
    if (total == 0)
        return g_strdup (_ ("Asking the server"));
    g_autofree char *done_text = pv_format_amount (so_far, PV_UNIT_BYTES);
    g_autofree char *total_text = pv_format_amount (total, PV_UNIT_BYTES);
    /* Translators: sizes */
    return g_strdup_printf (_ ("%s of %s"), done_text, total_text);
}
