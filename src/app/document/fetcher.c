/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/document/fetcher.h"

#include <glib/gi18n.h>

#include "core/load/load.h"
#include "fetch/fetch.h"

struct PvFetcher {
    gpointer owner; /* NULL once closed */
    PvFetcherEvents events;
    unsigned interval_seconds;
    char *url;
    GCancellable *cancellable; /* of the fetch that runs; NULL: none does */
    PvFetchProgress progress;
    gint64 started_us;
    guint pause_source; /* a second at a time, between two answers */
};

static void
fetcher_clear (gpointer data)
{
    PvFetcher *fetcher = data;
    g_free (fetcher->url);
    g_clear_object (&fetcher->cancellable);
}

static void fetch (PvFetcher *fetcher);

static double
get_pause_seconds (const PvFetcher *fetcher)
{
    gint64 next_us = fetcher->started_us + (gint64)fetcher->interval_seconds * G_USEC_PER_SEC;
    return MAX ((double)(next_us - g_get_monotonic_time ()) / G_USEC_PER_SEC, 0);
}

static gboolean
wait_on (gpointer data)
{
    PvFetcher *fetcher = data;
    double left = get_pause_seconds (fetcher);

    if (left > 0.05) {
        fetcher->pause_source = g_timeout_add ((guint)(MIN (left, 1) * 1000), wait_on, fetcher);
        fetcher->events.progress (fetcher->owner);
        return G_SOURCE_REMOVE;
    }
    fetcher->pause_source = 0;
    fetch (fetcher);
    return G_SOURCE_REMOVE;
}

static void
on_progress (const PvFetchProgress *progress, void *user)
{
    PvFetcher *fetcher = user;

    fetcher->progress = *progress;
    if (fetcher->owner != NULL)
        fetcher->events.progress (fetcher->owner);
}

static void
on_fetched (GObject *source, GAsyncResult *result, gpointer user)
{
    PvFetcher *fetcher = user;
    g_autoptr (GError) error = NULL;
    g_autofree char *path = pv_fetch_finish (result, &error);

    g_clear_object (&fetcher->cancellable);
    if (fetcher->owner != NULL && path == NULL) {
        fetcher->events.failed (fetcher->owner, error);
    } else if (fetcher->owner != NULL) {
        if (fetcher->interval_seconds > 0)
            wait_on (fetcher);
        fetcher->events.fetched (fetcher->owner, path);
    }
    g_rc_box_release_full (fetcher, fetcher_clear);
}

static void
fetch (PvFetcher *fetcher)
{
    PvFetchOptions options = {
        .is_profile = pv_load_is_profile, .progress = on_progress, .user = fetcher};

    fetcher->started_us = g_get_monotonic_time ();
    fetcher->progress = (PvFetchProgress){.record_seconds = pv_fetch_get_seconds (fetcher->url)};
    fetcher->cancellable = g_cancellable_new ();
    pv_fetch_async (fetcher->url, &options, fetcher->cancellable, on_fetched,
                    g_rc_box_acquire (fetcher));
    fetcher->events.progress (fetcher->owner);
}

PvFetcher *
pv_fetcher_new (gpointer owner, const PvFetcherEvents *events, unsigned interval_seconds)
{
    PvFetcher *fetcher = g_rc_box_new0 (PvFetcher);

    fetcher->owner = owner;
    fetcher->events = *events;
    fetcher->interval_seconds = interval_seconds;
    return fetcher;
}

void
pv_fetcher_start (PvFetcher *fetcher, const char *url)
{
    if (pv_fetcher_is_active (fetcher))
        return;
    g_free (fetcher->url);
    fetcher->url = g_strdup (url);
    fetch (fetcher);
}

void
pv_fetcher_stop (PvFetcher *fetcher)
{
    g_clear_handle_id (&fetcher->pause_source, g_source_remove);
    if (fetcher->cancellable != NULL)
        g_cancellable_cancel (fetcher->cancellable);
}

gboolean
pv_fetcher_is_active (const PvFetcher *fetcher)
{
    return fetcher->cancellable != NULL || fetcher->pause_source != 0;
}

unsigned
pv_fetcher_get_interval (const PvFetcher *fetcher)
{
    return fetcher->interval_seconds;
}

char *
pv_fetcher_describe (const PvFetcher *fetcher)
{
    const PvFetchProgress *progress = &fetcher->progress;
    g_autofree char *so_far = g_format_size (progress->n_bytes);

    if (fetcher->cancellable == NULL)
        /* Translators: a server is asked again in so many seconds. */
        return g_strdup_printf (_ ("Next in %.0f s"), get_pause_seconds (fetcher));
    if (progress->n_bytes > 0 && progress->expected_bytes > 0) {
        g_autofree char *all = g_format_size (progress->expected_bytes);
        /* Translators: sizes of what was received and of all of it. */
        return g_strdup_printf (_ ("Receiving, %s of %s"), so_far, all);
    }
    if (progress->n_bytes > 0)
        return g_strdup_printf (_ ("Receiving, %s"), so_far);
    if (progress->record_seconds > 0 && progress->elapsed_seconds < progress->record_seconds)
        /* Translators: seconds that have passed, of all. */
        return g_strdup_printf (_ ("Recording, %.0f of %.0f s"), progress->elapsed_seconds,
                                progress->record_seconds);
    return g_strdup_printf (_ ("Waiting for the answer, %.0f s"), progress->elapsed_seconds);
}

double
pv_fetcher_get_fraction (const PvFetcher *fetcher)
{
    const PvFetchProgress *progress = &fetcher->progress;

    if (fetcher->cancellable == NULL)
        return -1;
    if (progress->n_bytes > 0)
        return progress->expected_bytes > 0
                   ? MIN ((double)progress->n_bytes / (double)progress->expected_bytes, 1)
                   : -1;
    if (progress->record_seconds > 0 && progress->elapsed_seconds < progress->record_seconds)
        return progress->elapsed_seconds / progress->record_seconds;
    return -1;
}

void
pv_fetcher_close (PvFetcher *fetcher)
{
    pv_fetcher_stop (fetcher);
    fetcher->owner = NULL;
    g_rc_box_release_full (fetcher, fetcher_clear);
}
