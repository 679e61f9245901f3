/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib/gi18n.h>

#include "app/document/document-private.h"
#include "core/base/error.h"
#include "fetch/fetch.h"

/* What it is called and which file it is follow from what was fetched. */
static void
take_path (PvDocument *self, const char *path)
{
    gboolean is_series = self->spec->is_together || pv_fetcher_get_interval (self->fetcher) > 0;

    if (!is_series && self->spec->paths[0] != NULL) {
        g_free (self->spec->paths[0]);
        self->spec->paths[0] = g_strdup (path);
    } else {
        pv_source_spec_add_path (self->spec, path);
    }
    g_clear_object (&self->data.file);
    self->data.file = pv_source_spec_get_file (self->spec);
    pv_document_update_title (self);
}

static void
on_fetched (gpointer owner, const char *path)
{
    PvDocument *self = owner;

    take_path (self, path);
    if (self->loading != NULL)
        self->is_behind = TRUE;
    else
        pv_document_start_loading (self, NULL);
}

static void
on_progress (gpointer owner)
{
    pv_document_emit (owner, PV_CHANGED_PROGRESS);
}

/* What was fetched before is shown, and stays. */
static void
on_failed (gpointer owner, const GError *error)
{
    PvDocument *self = owner;
    gboolean is_cancelled = g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
    g_autofree char *text = NULL;

    if (self->spec->paths[0] == NULL && is_cancelled) {
        g_autoptr (GError) cancelled = g_error_new_literal (PV_JOB_ERROR, PV_JOB_ERROR_CANCELLED,
                                                            _ ("Fetching was cancelled."));
        pv_document_fail (self, cancelled);
        return;
    }
    if (self->spec->paths[0] == NULL) {
        pv_document_fail (self, error);
        return;
    }
    if (!is_cancelled) {
        text = g_strdup_printf (_ ("Nothing more was fetched: %s"), error->message);
        pv_document_remark (self, text);
    }
    pv_document_emit (self, PV_CHANGED_PROGRESS);
}

void
pv_document_start_fetching (PvDocument *self)
{
    g_assert (self->fetcher != NULL && self->spec->url != NULL);
    pv_fetcher_start (self->fetcher, self->spec->url);
    pv_document_emit (self, PV_CHANGED_PROGRESS);
}

void
pv_document_follow_redirect (PvDocument *self)
{
    const char *url = self->error != NULL && self->error->domain == PV_FETCH_ERROR
                          ? pv_fetch_error_get_redirect (self->error)
                          : NULL;

    if (url == NULL || self->fetcher == NULL)
        return;
    g_free (self->spec->url);
    self->spec->url = g_strdup (url);
    pv_document_update_title (self);
    pv_document_load (self);
}

PvDocument *
pv_document_new_for_url (const char *url, unsigned interval_seconds, const PvSymbolOptions *symbols)
{
    static const PvFetcherEvents events = {
        .progress = on_progress, .fetched = on_fetched, .failed = on_failed};
    g_autoptr (PvSourceSpec) spec = pv_source_spec_new_for_url (url);
    PvDocument *self = pv_document_new_for_spec (spec, symbols);

    self->fetcher = pv_fetcher_new (self, &events, interval_seconds);
    self->data.fetcher = self->fetcher;
    return self;
}
