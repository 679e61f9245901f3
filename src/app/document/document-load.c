/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib/gi18n.h>

#include "app/document/document-private.h"
#include "core/base/error.h"

void
pv_document_update_title (PvDocument *self)
{
    PvDocumentData *data = &self->data;
    unsigned n_dumps = data->profile != NULL ? data->profile->n_dumps : 0;
    g_autofree char *title = NULL;

    if (!self->spec->is_together && self->spec->url == NULL)
        return;
    title = pv_source_spec_make_title (self->spec, n_dumps);
    if (g_strcmp0 (title, data->title) == 0)
        return;
    g_free (data->title);
    data->title = g_steal_pointer (&title);
    pv_document_emit (self, PV_CHANGED_TITLE);
}

static void
on_profile (gpointer owner, PvProfile *profile)
{
    PvDocument *self = owner;
    PvProfile **place = self->is_renewing ? &self->renewed_profile : &self->data.profile;

    if (pv_document_is_too_early (self, profile)) {
        pv_free_later (profile, (GDestroyNotify)pv_profile_free);
        return;
    }
    pv_document_count_recorded (self, profile);
    pv_clear_later (place, pv_profile_free);
    *place = profile;
    if (!self->has_query) {
        self->has_query = TRUE;
        pv_query_set_defaults (&self->data.query, profile);
        pv_document_emit (self, PV_CHANGED_QUERY);
    }
    pv_document_update_title (self);
}

/* The whole comes before the trees of its first part: nothing is shown yet, so nothing is to be
 * carried over. */
static void
skip_preview (PvDocument *self, PvSymbolTable *symbols)
{
    PvDocumentData *data = &self->data;

    pv_document_adapt_query (self, &data->query, data->profile, self->renewed_profile);
    pv_clear_later (&data->profile, pv_profile_free);
    pv_clear_later (&data->symbols, pv_symbol_table_free);
    data->profile = g_steal_pointer (&self->renewed_profile);
    data->symbols = symbols;
    data->is_preview = FALSE;
    self->is_renewing = FALSE;
    pv_document_emit (self, PV_CHANGED_SYMBOLS);
    pv_document_start_build (self);
}

static void
on_renewed_symbols (PvDocument *self, PvSymbolTable *symbols)
{
    if (self->data.flame_tree == NULL && self->renewed_profile != NULL) {
        skip_preview (self, symbols);
        return;
    }
    if (!symbols->is_complete || self->renewed_profile == NULL) {
        pv_free_later (symbols, (GDestroyNotify)pv_symbol_table_free);
        return;
    }
    pv_clear_later (&self->next_profile, pv_profile_free);
    pv_clear_later (&self->next_symbols, pv_symbol_table_free);
    self->next_profile = g_steal_pointer (&self->renewed_profile);
    self->next_symbols = symbols;
    pv_document_start_build (self);
}

static void
on_symbols (gpointer owner, PvSymbolTable *symbols)
{
    PvDocument *self = owner;
    if (self->is_renewing) {
        on_renewed_symbols (self, symbols);
        return;
    }
    if (self->data.profile == NULL) {
        pv_free_later (symbols, (GDestroyNotify)pv_symbol_table_free);
        return;
    }
    pv_clear_later (&self->data.symbols, pv_symbol_table_free);
    self->data.symbols = symbols;
    pv_document_emit (self, PV_CHANGED_SYMBOLS);
    pv_document_rebuild_for_symbols (self);
}

/* What is shown already, when a file is read again, stays until all of it can be replaced; so does
 * a preview, when the whole file has been read. */
static void
on_preview (gpointer owner, PvProfile *profile, PvSymbolTable *symbols)
{
    PvDocument *self = owner;

    if (self->is_renewing || self->data.profile != NULL) {
        pv_free_later (profile, (GDestroyNotify)pv_profile_free);
        pv_free_later (symbols, (GDestroyNotify)pv_symbol_table_free);
        return;
    }
    self->data.is_preview = TRUE;
    on_profile (self, profile);
    on_symbols (self, symbols);
    self->is_renewing = TRUE;
}

static void
on_progress (gpointer owner, PvStage stage, double fraction)
{
    PvDocument *self = owner;

    if (self->is_live)
        return;
    self->data.stage = stage;
    self->data.fraction = fraction;
    pv_document_emit (self, PV_CHANGED_PROGRESS);
}

/* What is shown stays. */
static void
remark_on_failure (PvDocument *self, const GError *error)
{
    g_autofree char *text = NULL;
    gboolean is_cancelled = g_error_matches (error, PV_JOB_ERROR, PV_JOB_ERROR_CANCELLED);

    if (self->data.is_preview && is_cancelled)
        text = g_strdup_printf (_ ("Only the first part of “%s” has been read"), self->data.title);
    else if (self->data.is_preview)
        text = g_strdup_printf (_ ("Only the first part of “%s” could be read: %s"),
                                self->data.title, error->message);
    else if (is_cancelled)
        return;
    else
        text = g_strdup_printf (_ ("“%s” could not be read again: %s"), self->data.title,
                                error->message);
    pv_document_remark (self, text);
}

static void
on_finished (gpointer owner, const GError *error)
{
    PvDocument *self = owner;
    PvDocumentData *data = &self->data;

    g_clear_pointer (&self->loading, pv_loading_close);
    data->is_working = FALSE;
    data->is_preview &= error != NULL;
    if (self->is_live) {
        pv_document_live_loaded (self);
        pv_document_emit (self, PV_CHANGED_PROGRESS);
        return;
    }
    if (error != NULL && self->is_renewing) {
        g_clear_pointer (&self->added_path, g_free);
        remark_on_failure (self, error);
    }
    if (error != NULL && data->symbols == NULL)
        pv_document_fail (self, error);
    else if (data->symbols == NULL) {
        g_autoptr (GError) none = g_error_new_literal (PV_READ_ERROR, PV_READ_ERROR_FAILED,
                                                       _ ("There is nothing in it to show."));
        pv_document_fail (self, none);
    } else {
        pv_document_emit (self, PV_CHANGED_PROGRESS);
    }
    if (self->is_behind)
        pv_document_start_loading (self, NULL);
}

static void
start_loading (PvDocument *self, const PvProfile *profile, unsigned n_workers)
{
    static const PvLoadingEvents events = {
        .profile = on_profile,
        .symbols = on_symbols,
        .progress = on_progress,
        .finished = on_finished,
        .preview = on_preview,
    };
    PvSymbolOptions options = self->symbol_options;

    g_clear_pointer (&self->loading, pv_loading_close);
    self->is_behind = FALSE;
    self->is_renewing = self->data.state == PV_DOCUMENT_READY;
    pv_clear_later (&self->renewed_profile, pv_profile_free);
    if (profile != NULL)
        self->renewed_profile = pv_profile_ref (profile);
    self->data.is_working = !self->is_live;
    self->data.stage = PV_STAGE_OPEN;
    self->data.fraction = -1;
    if (n_workers > 0)
        options.n_workers = n_workers;
    self->loading = pv_loading_start (self, &events, self->spec, profile, &options);
    pv_document_emit (self, PV_CHANGED_PROGRESS);
}

void
pv_document_start_loading (PvDocument *self, const PvProfile *profile)
{
    self->is_live = FALSE;
    self->is_live_pending = FALSE;
    start_loading (self, profile, 0);
}

void
pv_document_start_live_loading (PvDocument *self, unsigned n_workers)
{
    self->is_live = TRUE;
    start_loading (self, NULL, n_workers);
}

void
pv_document_forget_loaded (PvDocument *self)
{
    pv_task_cancel (self->tree_task);
    g_clear_handle_id (&self->rebuild_source, g_source_remove);
    self->is_stale = FALSE;
    self->data.is_preview = FALSE;
    pv_clear_later (&self->data.symbols, pv_symbol_table_free);
    pv_clear_later (&self->data.profile, pv_profile_free);
    pv_query_clear (&self->data.query);
    g_clear_pointer (&self->data.suppressions_name, g_free);
    self->has_query = FALSE;
    self->is_own_query = FALSE;
}

void
pv_document_load (PvDocument *self)
{
    gboolean wants_to_record = pv_document_wants_to_record (self);
    gboolean has_files = self->spec->paths[0] != NULL;

    if (!wants_to_record && !has_files && self->spec->url == NULL) {
        g_autoptr (GError) error = g_error_new_literal (
            PV_READ_ERROR, PV_READ_ERROR_FAILED, _ ("Only files of this computer can be opened."));
        pv_document_fail (self, error);
        return;
    }
    pv_document_freeze (self);
    pv_document_forget_loaded (self);
    self->data.state = PV_DOCUMENT_LOADING;
    if (wants_to_record)
        pv_document_start_recording (self);
    else if (has_files)
        pv_document_start_loading (self, NULL);
    else
        pv_document_start_fetching (self);
    pv_document_emit (self, PV_CHANGED_STATE);
    pv_document_thaw (self);
}

void
pv_document_cancel (PvDocument *self)
{
    if (self->fetcher != NULL)
        pv_fetcher_stop (self->fetcher);
    self->is_behind = FALSE;
    pv_document_emit (self, PV_CHANGED_PROGRESS);
    if (self->loading != NULL)
        pv_loading_cancel (self->loading);
    if (self->data.state == PV_DOCUMENT_LOADING && pv_task_is_busy (self->tree_task)) {
        g_autoptr (GError) error = g_error_new_literal (PV_JOB_ERROR, PV_JOB_ERROR_CANCELLED,
                                                        _ ("Loading was cancelled."));
        pv_task_cancel (self->tree_task);
        pv_document_fail (self, error);
    }
}

void
pv_document_close (PvDocument *self)
{
    pv_document_leave_recording (self);
    self->data.fetcher = NULL;
    g_clear_pointer (&self->fetcher, pv_fetcher_close);
    g_clear_pointer (&self->loading, pv_loading_close);
    g_clear_handle_id (&self->rebuild_source, g_source_remove);
    pv_task_cancel (self->tree_task);
    pv_task_cancel (self->functions_task);
    pv_task_cancel (self->search_task);
    pv_task_cancel (self->callers_callees_task);
    pv_task_cancel (self->suppressions_task);
    pv_task_cancel (self->facet_keys_task);
}

void
pv_document_reload (PvDocument *self)
{
    if (self->data.state == PV_DOCUMENT_READY && self->fetcher != NULL)
        pv_document_start_fetching (self);
    else if (self->data.is_recording)
        pv_document_hurry_live (self);
    else if (self->data.state == PV_DOCUMENT_READY)
        pv_document_start_loading (self, NULL);
    else if (self->data.state == PV_DOCUMENT_FAILED)
        pv_document_load (self);
}

static void
add_search_path (PvSymbolOptions *options, const char *path)
{
    char **paths = (char **)options->search_paths;
    unsigned n_paths = paths != NULL ? g_strv_length (paths) : 0;

    paths = g_renew (char *, paths, n_paths + 2);
    paths[n_paths] = g_strdup (path);
    paths[n_paths + 1] = NULL;
    options->search_paths = (const char *const *)paths;
}

void
pv_document_add_symbol_path (PvDocument *self, const char *path)
{
    const PvProfile *profile = self->next_profile != NULL ? self->next_profile : self->data.profile;

    add_search_path (&self->symbol_options, path);
    if (self->data.state == PV_DOCUMENT_READY) {
        g_free (self->added_path);
        self->added_path = g_strdup (path);
        pv_document_start_loading (self, pv_load_wants_files (profile) ? NULL : profile);
    } else if (self->data.state == PV_DOCUMENT_LOADING && self->loading != NULL) {
        pv_document_forget_loaded (self);
        pv_document_start_loading (self, NULL);
    }
}
