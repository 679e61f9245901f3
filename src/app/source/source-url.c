/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/source/source-url.h"

#include <glib/gi18n.h>
#include <string.h>

#include "app/source/source-series.h"
#include "core/base/error.h"
#include "core/base/format.h"
#include "core/load/nameless.h"
#include "core/load/put-names.h"
#include "fetch/endpoints.h"
#include "fetch/fetch-error.h"
#include "fetch/fetch-url.h"
#include "fetch/fetch.h"

typedef struct {
    PvSource source;
    unsigned interval_seconds;
    GCancellable *cancellable; /* of the request that runs; NULL: none does */
    PvFetchProgress progress;
    char *guess;             /* asked for instead of the spec's URL, which was not found; or NULL */
    GError *not_there;       /* why guesses are made; NULL: none are */
    unsigned n_guesses;      /* made until now */
    gint64 started_us;       /* the last request; monotonic */
    guint pause_source;      /* between two requests; fires every second */
    PvSymbolOptions symbols; /* of the request that runs */
    gboolean has_unread;     /* an answer came while an earlier one was being loaded */
} UrlSource;

static void fetch (UrlSource *self);

/* Fetching */

static gboolean
is_fetching (const UrlSource *self)
{
    return self->cancellable != NULL || self->pause_source != 0;
}

static double
get_pause_seconds (const UrlSource *self)
{
    gint64 next_us = self->started_us + (gint64)self->interval_seconds * G_USEC_PER_SEC;
    return MAX ((double)(next_us - g_get_monotonic_time ()) / G_USEC_PER_SEC, 0);
}

static gboolean
fetch_after_pause (gpointer user)
{
    UrlSource *self = user;
    double left = get_pause_seconds (self);

    if (left > 0.05) {
        self->pause_source = g_timeout_add ((guint)(MIN (left, 1) * 1000), fetch_after_pause, self);
        pv_source_change (&self->source, PV_SOURCE_ACTIVITY);
        return G_SOURCE_REMOVE;
    }
    self->pause_source = 0;
    fetch (self);
    return G_SOURCE_REMOVE;
}

static void
on_progress (const PvFetchProgress *progress, void *user)
{
    UrlSource *self = user;

    self->progress = *progress;
    pv_source_change (&self->source, PV_SOURCE_ACTIVITY);
}

static void
take_answer (UrlSource *self, const char *path)
{
    g_autoptr (PvSourceSpec) spec = pv_source_spec_copy (self->source.spec);

    if (!spec->is_together && self->interval_seconds == 0 && spec->paths[0] != NULL) {
        g_free (spec->paths[0]);
        spec->paths[0] = g_strdup (path);
    } else {
        pv_source_spec_add_path (spec, path);
    }
    pv_source_set_spec (&self->source, g_steal_pointer (&spec));
    if (pv_source_is_loading (&self->source))
        self->has_unread = TRUE;
    else
        pv_source_load (&self->source);
}

/* Answers that were loaded before stay. */
static void
take_error (UrlSource *self, const GError *error)
{
    gboolean is_cancelled = g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
    gboolean has_answer = self->source.spec->paths[0] != NULL;

    if (!has_answer && is_cancelled) {
        g_autoptr (GError) cancelled = g_error_new_literal (PV_JOB_ERROR, PV_JOB_ERROR_CANCELLED,
                                                            _ ("Fetching was cancelled."));
        pv_source_fail (&self->source, cancelled);
        return;
    }
    if (!has_answer) {
        pv_source_fail (&self->source, error);
        return;
    }
    if (!is_cancelled) {
        g_autofree char *text =
            g_strdup_printf (_ ("Nothing more was fetched: %s"), error->message);
        pv_source_emit_message (&self->source, text);
    }
    pv_source_change (&self->source, PV_SOURCE_ACTIVITY);
}

/* Another place on the server may have what the URL does not. */
static gboolean
try_guess (UrlSource *self, const GError *error)
{
    if (!pv_fetch_error_is_elsewhere (error) || self->source.spec->paths[0] != NULL)
        return FALSE;
    g_free (self->guess);
    self->guess = pv_fetch_guess_url (self->source.spec->url, self->n_guesses++);
    if (self->guess == NULL)
        return FALSE;
    if (self->not_there == NULL)
        self->not_there = g_error_copy (error);
    fetch (self);
    return TRUE;
}

/* Without its query, which may hold a secret. */
static char *
format_place (const char *url)
{
    char *shown = pv_fetch_format_url (url);

    shown[strcspn (shown, "?")] = '\0';
    return shown;
}

/* From now on the document is of the URL that was found. */
static void
take_guess (UrlSource *self)
{
    g_autofree char *asked = format_place (self->source.spec->url);
    g_autofree char *found = format_place (self->guess);
    /* Translators: two URLs */
    g_autofree char *text = g_strdup_printf (_ ("%s was not found, so this is %s"), asked, found);

    pv_url_source_set_url (&self->source, self->guess);
    pv_source_emit_message (&self->source, text);
}

static void
end_guesses (UrlSource *self)
{
    g_clear_pointer (&self->guess, g_free);
    g_clear_error (&self->not_there);
    self->n_guesses = 0;
}

static void
on_fetched (GObject *object, GAsyncResult *result, gpointer user)
{
    UrlSource *self = user;
    g_autoptr (GError) error = NULL;
    g_autofree char *path = pv_fetch_finish (result, &error);

    g_clear_object (&self->cancellable);
    pv_symbol_options_clear (&self->symbols);
    if (self->source.owner != NULL && path == NULL && try_guess (self, error)) {
        pv_source_unref (&self->source);
        return;
    }
    if (self->source.owner != NULL && path == NULL) {
        /* Neither the file that was asked for is there, nor any other. */
        gboolean is_nowhere = self->not_there != NULL && pv_fetch_error_is_elsewhere (error);
        take_error (self, is_nowhere ? self->not_there : error);
    } else if (self->source.owner != NULL) {
        if (self->guess != NULL)
            take_guess (self);
        if (self->interval_seconds > 0)
            fetch_after_pause (self);
        take_answer (self, path);
    }
    end_guesses (self);
    pv_source_unref (&self->source);
}

static void
fetch (UrlSource *self)
{
    const char *url = self->guess != NULL ? self->guess : self->source.spec->url;
    PvFetchOptions options = {
        .is_profile = pv_load_is_profile,
        .describe = pv_load_describe_foreign,
        .find_nameless = pv_load_find_nameless,
        .put_names = pv_load_put_names,
        .symbols = &self->symbols,
        .progress = on_progress,
        .user = self,
    };

    self->symbols = pv_symbol_options_copy (&self->source.symbols);
    self->started_us = g_get_monotonic_time ();
    self->progress = (PvFetchProgress){.record_seconds = pv_fetch_get_seconds (url)};
    self->cancellable = g_cancellable_new ();
    pv_source_ref (&self->source);
    pv_fetch_async (url, &options, self->cancellable, on_fetched, self);
    pv_source_change (&self->source, PV_SOURCE_ACTIVITY);
}

/* The source */

static void
reload (PvSource *source)
{
    UrlSource *self = (UrlSource *)source;

    if (!is_fetching (self))
        fetch (self);
}

static void
start (PvSource *source)
{
    if (source->spec->paths[0] != NULL)
        pv_source_load (source);
    else
        reload (source);
}

static void
stop (PvSource *source)
{
    UrlSource *self = (UrlSource *)source;

    self->has_unread = FALSE;
    g_clear_handle_id (&self->pause_source, g_source_remove);
    if (self->cancellable != NULL)
        g_cancellable_cancel (self->cancellable);
}

static void
settled (PvSource *source, gboolean is_shown)
{
    UrlSource *self = (UrlSource *)source;

    if (self->has_unread) {
        self->has_unread = FALSE;
        pv_source_load (source);
    }
}

void
pv_url_source_set_url (PvSource *source, const char *url)
{
    PvSourceSpec *spec = pv_source_spec_copy (source->spec);

    g_assert (spec->url != NULL && url != NULL);
    g_free (spec->url);
    spec->url = g_strdup (url);
    pv_source_set_spec (source, spec);
}

/* For the user */

static char *
format_url (const char *url)
{
    const PvFetchEndpoint *endpoint = pv_fetch_find_endpoint (url);
    g_autoptr (GUri) uri = g_uri_parse (url, G_URI_FLAGS_HAS_PASSWORD, NULL);

    if (endpoint == NULL || uri == NULL || g_uri_get_host (uri) == NULL) {
        /* Others see titles in lists and pictures. */
        return format_place (url);
    }
    if (g_uri_get_port (uri) > 0)
        /* Translators: a server, the number of its port, and what was fetched: “Heap”. */
        return g_strdup_printf (_ ("%s:%d – %s"), g_uri_get_host (uri), g_uri_get_port (uri),
                                g_dpgettext2 (GETTEXT_PACKAGE, "profile kind", endpoint->title));
    /* Translators: a server and what was fetched from it: “Heap”. */
    return g_strdup_printf (_ ("%s – %s"), g_uri_get_host (uri),
                            g_dpgettext2 (GETTEXT_PACKAGE, "profile kind", endpoint->title));
}

static char *
make_title (const PvSource *source, const PvProfile *profile)
{
    g_autofree char *base = format_url (source->spec->url);

    if (!source->spec->is_together)
        return g_steal_pointer (&base);
    return pv_series_source_format_title (source->spec, base,
                                          profile != NULL ? profile->n_dumps : 0);
}

static char *
describe_request (const PvFetchProgress *progress)
{
    g_autofree char *so_far = pv_format_amount (progress->n_bytes, PV_UNIT_BYTES);

    if (progress->n_addresses > 0) {
        g_autofree char *n_named = pv_format_count (progress->n_named);
        g_autofree char *n_all = pv_format_count (progress->n_addresses);
        /* Translators: two numbers of functions. */
        return g_strdup_printf (_ ("Asking for names, %s of %s"), n_named, n_all);
    }
    if (progress->n_bytes > 0 && progress->expected_bytes > 0) {
        g_autofree char *all = pv_format_amount (progress->expected_bytes, PV_UNIT_BYTES);
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

static double
get_fraction (const PvFetchProgress *progress)
{
    if (progress->n_addresses > 0)
        return progress->n_named > 0 ? (double)progress->n_named / (double)progress->n_addresses
                                     : -1;
    if (progress->n_bytes > 0)
        return progress->expected_bytes > 0
                   ? MIN ((double)progress->n_bytes / (double)progress->expected_bytes, 1)
                   : -1;
    if (progress->record_seconds > 0 && progress->elapsed_seconds < progress->record_seconds)
        return progress->elapsed_seconds / progress->record_seconds;
    return -1;
}

static char *
describe (const PvSource *source, double *ret_fraction)
{
    const UrlSource *self = (const UrlSource *)source;

    if (self->cancellable != NULL) {
        *ret_fraction = get_fraction (&self->progress);
        if (self->guess != NULL && self->progress.n_bytes == 0 && self->progress.n_addresses == 0) {
            g_autofree char *shown = format_place (self->guess);
            /* Translators: a URL, and seconds that have passed. */
            return g_strdup_printf (_ ("Not found; asking for %s, %.0f s"), shown,
                                    self->progress.elapsed_seconds);
        }
        return describe_request (&self->progress);
    }
    if (self->pause_source == 0)
        return NULL;
    /* Translators: a server is asked again in so many seconds. */
    return g_strdup_printf (_ ("Next in %.0f s"), get_pause_seconds (self));
}

/* The profile is saved; the server is asked for names. */
static gboolean
can_skip (const PvSource *source)
{
    const UrlSource *self = (const UrlSource *)source;

    return self->cancellable != NULL && self->progress.n_addresses > 0;
}

PvSource *
pv_url_source_new (const char *url, unsigned interval_seconds)
{
    static const PvSourceClass class = {
        .size_bytes = sizeof (UrlSource),
        .start = start,
        .reload = reload,
        .cancel = stop,
        .read = pv_series_source_read,
        .settled = settled,
        .make_title = make_title,
        .describe = describe,
        .can_skip = can_skip,
        .close = stop,
    };
    PvSource *source = pv_source_new (&class, pv_source_spec_new_for_url (url));

    ((UrlSource *)source)->interval_seconds = interval_seconds;
    return source;
}
