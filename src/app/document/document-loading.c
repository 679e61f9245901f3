/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The states of a document: what its source delivers. See document.h. */
#include <glib/gi18n.h>

#include "app/document/document-private.h"
#include "app/source/source-comparison.h"
#include "app/source/source-recording.h"
#include "app/source/source-url.h"
#include "core/base/error.h"
#include "core/symbolize/files/debuginfod.h"
#include "fetch/fetch-error.h"

/* Copies from the source what views read. */
static void
read_source (PvDocument *self)
{
    PvDocumentData *data = &self->data;

    data->spec = self->source->spec;
    g_clear_object (&data->file);
    data->file = pv_source_spec_get_file (data->spec);
    if (pv_source_is_recording (self->source)) {
        PvRecordingStatus status = pv_recording_source_get_status (self->source);
        data->plan = status.plan;
        data->recording = status.recording;
        data->is_recording = status.is_recording;
        data->is_discarded = status.is_discarded;
        data->n_recorded = status.n_recorded;
        data->n_lost = status.n_lost;
    }
}

/* Before something is loaded that has nothing to do with what was. */
static void
forget_loaded (PvDocument *self)
{
    PvDocumentData *data = &self->data;

    pv_task_cancel (self->answer_task);
    g_clear_handle_id (&self->rebuild_timeout, g_source_remove);
    self->next_build = PV_BUILD_NOTHING;
    data->is_preview = FALSE;
    g_array_set_size (self->opened, 0);
    g_clear_pointer (&self->formula, pv_formula_unref);
    pv_query_clear (&data->query);
    g_clear_pointer (&data->suppressions_name, g_free);
    self->query_state = PV_QUERY_UNSET;
}

static void
fail (PvDocument *self, const GError *error)
{
    g_clear_error (&self->error);
    self->error = g_error_copy (error);
    self->data.error = self->error;
    self->data.state = PV_DOCUMENT_FAILED;
    pv_document_emit (self, PV_CHANGED_STATE | PV_CHANGED_PROGRESS);
}

/* Events of the source */

static PvQuestion *
on_began (gpointer owner, gboolean is_live)
{
    PvDocument *self = owner;
    PvDocumentData *data = &self->data;
    PvQuestion *question = NULL;

    pv_document_freeze (self);
    read_source (self);
    /* The end of a recording is worth more than the last live view of it. */
    if (data->loading == PV_LOADING_LIVE && !is_live)
        pv_document_drop_next (self);
    if (data->state == PV_DOCUMENT_READY) {
        data->loading = is_live ? PV_LOADING_LIVE : PV_LOADING_RENEWAL;
    } else {
        data->loading = is_live ? PV_LOADING_LIVE : PV_LOADING_FIRST;
        forget_loaded (self);
        question = g_new0 (PvQuestion, 1);
        pv_query_copy (&question->query, &data->query);
        pv_comparison_view_copy (&question->comparison, &data->comparison);
        question->words = g_strdupv (self->words);
        self->has_new_words = FALSE;
        question->is_part = is_live;
        question->is_inverted = data->look.is_inverted;
    }
    data->stage = PV_STAGE_OPEN;
    data->fraction = -1;
    pv_document_emit (self, PV_CHANGED_PROGRESS);
    pv_document_thaw (self);
    return question;
}

static void
on_progress (gpointer owner, PvStage stage, double fraction)
{
    PvDocument *self = owner;

    if (self->data.loading == PV_LOADING_LIVE)
        return;
    self->data.stage = stage;
    self->data.fraction = fraction;
    pv_document_emit (self, PV_CHANGED_PROGRESS);
}

/* Something to show where nothing was. */
static void
show_first (PvDocument *self, PvLoaded *loaded)
{
    PvDocumentData *data = &self->data;

    g_auto (GStrv) words = g_steal_pointer (&self->words);

    g_assert (data->state != PV_DOCUMENT_READY && loaded->reply != NULL);
    pv_document_freeze (self);
    pv_query_clear (&data->query);
    pv_query_copy (&data->query, loaded->reply->answer->query);
    self->query_state = PV_QUERY_DEFAULT;
    self->last_build_us = g_get_monotonic_time ();
    if (loaded->kind == PV_LOADED_PREVIEW) {
        data->is_preview = TRUE;
        data->loading = PV_LOADING_RENEWAL;
    }
    pv_document_emit (self, PV_CHANGED_QUERY | PV_CHANGED_PROGRESS);
    if (words != NULL && !self->has_new_words)
        pv_document_take_words (self, loaded->reply);
    pv_document_show_answer (self, g_steal_pointer (&loaded->reply));
    if (words != NULL && self->has_new_words)
        pv_document_apply_words (self, (const char *const *)words);
    pv_document_thaw (self);
    if (data->look.is_inverted != data->answer->flame_tree->query.is_inverted)
        pv_document_start_build (self);
}

static void
use_better_names (PvDocument *self, PvLoaded *loaded)
{
    if (self->data.answer->profile != loaded->profile)
        return;
    pv_clear_later (&self->symbols, pv_symbol_table_free);
    self->symbols = g_steal_pointer (&loaded->symbols);
    pv_document_rebuild_for_names (self);
}

static void
take_next (PvDocument *self, PvLoaded *loaded)
{
    g_assert (self->data.state == PV_DOCUMENT_READY);
    pv_clear_later (&self->next_profile, pv_profile_free);
    pv_clear_later (&self->next_symbols, pv_symbol_table_free);
    self->next_profile = g_steal_pointer (&loaded->profile);
    self->next_symbols = g_steal_pointer (&loaded->symbols);
    pv_document_start_build (self);
}

static void
on_loaded (gpointer owner, PvLoaded *loaded)
{
    PvDocument *self = owner;

    switch (loaded->kind) {
    case PV_LOADED_PREVIEW:
    case PV_LOADED_FIRST:
        show_first (self, loaded);
        break;
    case PV_LOADED_BETTER:
        use_better_names (self, loaded);
        break;
    case PV_LOADED_RENEWAL:
        take_next (self, loaded);
        break;
    }
    pv_free_later (loaded, (GDestroyNotify)pv_loaded_free);
}

/* Emits a message; the shown profile stays. */
static void
tell_about_failure (PvDocument *self, const GError *error)
{
    gboolean is_cancelled = g_error_matches (error, PV_JOB_ERROR, PV_JOB_ERROR_CANCELLED);
    g_autofree char *text = NULL;

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
    pv_document_emit_message (self, text);
}

static void
on_finished (gpointer owner, const GError *error)
{
    PvDocument *self = owner;
    PvDocumentData *data = &self->data;
    g_autoptr (GError) none = NULL;

    /* The answer that replaces a preview may still be in the making. */
    if (error == NULL && self->next_profile == NULL)
        data->is_preview = FALSE;
    if (data->loading == PV_LOADING_RENEWAL && error != NULL) {
        g_clear_pointer (&self->added_path, g_free);
        tell_about_failure (self, error);
    }
    if (data->loading != PV_LOADING_LIVE && data->state != PV_DOCUMENT_READY) {
        if (error == NULL)
            error = none = g_error_new_literal (PV_READ_ERROR, PV_READ_ERROR_FAILED,
                                                _ ("There is nothing in it to show."));
        data->loading = PV_LOADING_NONE;
        fail (self, error);
    }
    pv_document_emit (self, PV_CHANGED_PROGRESS);
    pv_document_settle (self);
}

static void
on_failed (gpointer owner, const GError *error)
{
    PvDocument *self = owner;

    pv_document_freeze (self);
    read_source (self);
    if (!pv_source_is_loading (self->source)) {
        const gboolean had_next = self->next_profile != NULL;
        pv_document_drop_next (self);
        self->data.loading = PV_LOADING_NONE;
        /* The one that was dropped may have been for a query that changed meanwhile. */
        if (had_next && self->data.state == PV_DOCUMENT_READY)
            pv_document_start_build (self);
    }
    if (self->data.state != PV_DOCUMENT_READY) {
        forget_loaded (self);
        fail (self, error);
    }
    pv_document_thaw (self);
}

static void
on_changed (gpointer owner, PvSourceChange what)
{
    PvDocument *self = owner;
    PvDocumentChange changes = 0;

    pv_document_freeze (self);
    read_source (self);
    if (what & PV_SOURCE_SPEC)
        pv_document_update_title (self);
    if (what & PV_SOURCE_SPEC)
        changes |= PV_CHANGED_TITLE;
    if (what & PV_SOURCE_ACTIVITY)
        changes |= PV_CHANGED_PROGRESS;
    if (what & PV_SOURCE_RECORDING)
        changes |= PV_CHANGED_RECORDING;
    pv_document_emit (self, changes);
    pv_document_thaw (self);
}

static void
on_message (gpointer owner, const char *text)
{
    pv_document_emit_message (owner, text);
}

static gboolean
is_busy (gpointer owner)
{
    PvDocument *self = owner;
    return pv_task_is_busy (self->answer_task);
}

void
pv_document_connect (PvDocument *self, const PvSymbolOptions *symbols)
{
    static const PvSourceEvents events = {
        .began = on_began,
        .progress = on_progress,
        .loaded = on_loaded,
        .finished = on_finished,
        .failed = on_failed,
        .changed = on_changed,
        .message = on_message,
        .is_busy = is_busy,
    };

    pv_source_set_owner (self->source, self, &events, symbols);
    read_source (self);
    self->data.title = pv_source_make_title (self->source, NULL);
}

/* Requests of the user */

void
pv_document_load (PvDocument *self)
{
    g_assert (PV_IS_DOCUMENT (self) && self->data.state != PV_DOCUMENT_READY);
    if (pv_source_is_closed (self->source))
        return;
    pv_document_freeze (self);
    forget_loaded (self);
    self->data.state = PV_DOCUMENT_LOADING;
    pv_source_start (self->source);
    pv_document_emit (self, PV_CHANGED_STATE);
    pv_document_thaw (self);
}

void
pv_document_reload (PvDocument *self)
{
    if (pv_source_is_closed (self->source))
        return;
    if (self->data.state == PV_DOCUMENT_READY)
        pv_source_reload (self->source);
    else if (self->data.state == PV_DOCUMENT_FAILED)
        pv_document_load (self);
}

void
pv_document_cancel (PvDocument *self)
{
    pv_source_cancel (self->source);
    pv_document_emit (self, PV_CHANGED_PROGRESS);
}

void
pv_document_close (PvDocument *self)
{
    pv_document_leave_recording (self);
    if (!pv_source_is_closed (self->source))
        g_signal_emit_by_name (self, "closed");
    pv_source_close (self->source);
    g_clear_pointer (&self->symbol_fetch, pv_symbol_fetch_close);
    read_source (self);
    pv_document_cancel_tasks (self);
}

void
pv_document_fetch_instead (PvDocument *self, const char *url)
{
    g_autofree char *copy = g_strdup (url); /* it may be the error's */

    g_assert (url != NULL);
    if (self->data.spec->url == NULL)
        return;
    pv_url_source_set_url (self->source, copy);
    pv_document_load (self);
}

void
pv_document_follow_redirect (PvDocument *self)
{
    const char *url = self->error != NULL && self->error->domain == PV_FETCH_ERROR
                          ? pv_fetch_error_get_redirect (self->error)
                          : NULL;

    if (url != NULL)
        pv_document_fetch_instead (self, url);
}

/* Files may be found now that were not before. */
static void
find_symbols_again (PvDocument *self)
{
    const PvProfile *profile =
        self->next_profile != NULL ? self->next_profile : self->data.answer->profile;

    if (self->data.state == PV_DOCUMENT_READY && pv_source_is_comparison (self->source))
        pv_source_reload (self->source);
    else if (self->data.state == PV_DOCUMENT_READY && pv_load_wants_files (profile))
        pv_source_load (self->source);
    else if (self->data.state == PV_DOCUMENT_READY)
        pv_source_find_names (self->source, profile);
    else if (pv_source_is_loading (self->source))
        pv_source_load (self->source);
}

void
pv_document_add_symbol_path (PvDocument *self, const char *path)
{
    if (pv_source_is_closed (self->source))
        return;
    pv_source_add_symbol_path (self->source, path);
    if (self->data.state == PV_DOCUMENT_READY) {
        g_free (self->added_path);
        self->added_path = g_strdup (path);
    }
    find_symbols_again (self);
}

void
pv_document_add_symbols (PvDocument *self, const PvSymbolOptions *symbols)
{
    if (!pv_source_is_closed (self->source) && pv_source_add_symbols (self->source, symbols))
        find_symbols_again (self);
}

/* Debug information from servers */

static void
on_symbol_fetch_changed (gpointer owner)
{
    pv_document_emit (owner, PV_CHANGED_SYMBOL_FETCH);
}

static void
on_symbol_fetch_finished (gpointer owner)
{
    find_symbols_again (owner);
}

static void
on_symbol_fetch_failed (gpointer owner, const char *path, const GError *error)
{
    g_autofree char *name = g_filename_display_basename (path);
    /* Translators: a file name, an error message */
    g_autofree char *text = g_strdup_printf (_ ("Debug information for “%s” was not fetched: %s"),
                                             name, error->message);
    pv_document_emit_message (owner, text);
}

static PvSymbolFetch *
get_symbol_fetch (PvDocument *self)
{
    static const PvSymbolFetchEvents events = {.changed = on_symbol_fetch_changed,
                                               .finished = on_symbol_fetch_finished,
                                               .failed = on_symbol_fetch_failed};

    if (self->symbol_fetch == NULL)
        self->symbol_fetch = pv_symbol_fetch_new (self, &events);
    return self->symbol_fetch;
}

gboolean
pv_document_can_fetch_symbols (PvDocument *self, PvModuleId module)
{
    const PvProfile *profile = self->data.answer->profile;

    return profile != NULL && module < profile->n_modules &&
           profile->modules[module].kind == PV_MODULE_FILE &&
           profile->modules[module].build_id_size > 0 && pv_debuginfod_has_servers ();
}

void
pv_document_fetch_symbols (PvDocument *self, PvModuleId module)
{
    g_assert (self->data.answer->profile != NULL);
    if (!pv_source_is_closed (self->source))
        pv_symbol_fetch_add (get_symbol_fetch (self), self->data.answer->profile, module,
                             (const char *const *)self->data.spec->paths, &self->source->symbols);
}

void
pv_document_cancel_symbol_fetch (PvDocument *self, PvModuleId module)
{
    if (self->symbol_fetch != NULL)
        pv_symbol_fetch_cancel (self->symbol_fetch, self->data.answer->profile, module);
}

PvSymbolFetchState
pv_document_get_symbol_fetch (PvDocument *self, PvModuleId module, uint64_t *ret_done,
                              uint64_t *ret_total)
{
    *ret_done = *ret_total = 0;
    return self->symbol_fetch == NULL
               ? PV_SYMBOL_FETCH_NONE
               : pv_symbol_fetch_get_state (self->symbol_fetch, self->data.answer->profile, module,
                                            ret_done, ret_total);
}

/* Recording */

void
pv_document_stop_recording (PvDocument *self)
{
    if (self->data.is_recording)
        pv_recording_source_stop (self->source);
}

void
pv_document_kill_recording (PvDocument *self)
{
    if (self->data.is_recording)
        pv_recording_source_kill (self->source);
}

void
pv_document_discard_recording (PvDocument *self)
{
    if (self->data.is_recording)
        pv_recording_source_discard (self->source);
}

int
pv_document_take_terminal (PvDocument *self)
{
    return pv_source_is_recording (self->source) ? pv_recording_source_take_terminal (self->source)
                                                 : -1;
}
