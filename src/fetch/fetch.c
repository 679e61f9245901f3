/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fetch/fetch.h"

#include "fetch/fetch-names.h"
#include "fetch/fetch-transfer.h"
#include "fetch/fetch-url.h"

/*
 * TLS, unpacking and writing to disk take time, so all of it runs in a thread with its own main
 * context. The latest progress is handed to the caller's context.
 */
typedef struct {
    char *url;
    PvFetchOptions options;

    GMutex lock;
    PvFetchProgress progress;
    GSource *pending; /* will deliver the progress; or NULL */
} Request;

char *
pv_fetch (const char *url, const PvFetchOptions *options, GCancellable *cancellable, GError **error)
{
    g_assert (url != NULL && options != NULL && options->is_profile != NULL);
    if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return NULL;
    int64_t start_us = g_get_monotonic_time ();
    g_autoptr (GUri) uri = pv_fetch_parse_url (url, error);
    char *path = uri != NULL ? pv_fetch_transfer (uri, options, cancellable, error) : NULL;
    if (path != NULL)
        pv_fetch_names (path, uri, options, start_us, cancellable);
    return path;
}

static void
free_request (Request *request)
{
    g_mutex_clear (&request->lock);
    g_free (request->url);
    g_free (request);
}

static gboolean
deliver_progress (gpointer data)
{
    Request *request = g_task_get_task_data (data);
    g_mutex_lock (&request->lock);
    PvFetchProgress progress = request->progress;
    g_clear_pointer (&request->pending, g_source_unref);
    g_mutex_unlock (&request->lock);
    request->options.progress (&progress, request->options.user);
    return G_SOURCE_REMOVE;
}

static void
relay_progress (const PvFetchProgress *progress, void *user)
{
    GTask *task = user;
    Request *request = g_task_get_task_data (task);
    g_mutex_lock (&request->lock);
    request->progress = *progress;
    if (request->pending == NULL) {
        request->pending = g_idle_source_new ();
        g_source_set_priority (request->pending, G_PRIORITY_DEFAULT);
        g_source_set_callback (request->pending, deliver_progress, g_object_ref (task),
                               g_object_unref);
        g_source_attach (request->pending, g_task_get_context (task));
    }
    g_mutex_unlock (&request->lock);
}

/* After this no progress is delivered, except one under way, which precedes the task's callback. */
static void
stop_progress (Request *request)
{
    g_mutex_lock (&request->lock);
    GSource *pending = g_steal_pointer (&request->pending);
    g_mutex_unlock (&request->lock);
    if (pending != NULL) {
        g_source_destroy (pending);
        g_source_unref (pending);
    }
}

static gpointer
run_task (gpointer data)
{
    g_autoptr (GTask) task = data;
    Request *request = g_task_get_task_data (task);
    PvFetchOptions options = request->options;
    GError *error = NULL;
    options.progress = options.progress != NULL ? relay_progress : NULL;
    options.user = task;
    char *path = pv_fetch (request->url, &options, g_task_get_cancellable (task), &error);
    stop_progress (request);
    if (path != NULL)
        g_task_return_pointer (task, path, g_free);
    else
        g_task_return_error (task, error);
    return NULL;
}

void
pv_fetch_async (const char *url, const PvFetchOptions *options, GCancellable *cancellable,
                GAsyncReadyCallback callback, void *user)
{
    g_assert (url != NULL && options != NULL && options->is_profile != NULL && callback != NULL);
    GTask *task = g_task_new (NULL, cancellable, callback, user);
    Request *request = g_new0 (Request, 1);
    request->url = g_strdup (url);
    request->options = *options;
    g_mutex_init (&request->lock);
    g_task_set_source_tag (task, pv_fetch_async);
    g_task_set_task_data (task, request, (GDestroyNotify)free_request);
    /* If the file is already saved, the caller gets it in spite of a cancellation. */
    g_task_set_check_cancellable (task, false);
    g_thread_unref (g_thread_new ("fetch", run_task, task));
}

char *
pv_fetch_finish (GAsyncResult *result, GError **error)
{
    g_assert (g_async_result_is_tagged (result, pv_fetch_async));
    return g_task_propagate_pointer (G_TASK (result), error);
}
