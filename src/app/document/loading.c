/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/document/loading.h"

#include "app/work/work.h"

#define PROGRESS_INTERVAL_MS 80

typedef struct {
    PvProfile *profile;
    PvSymbolTable *symbols;
} Preview;

struct PvLoading {
    gpointer owner; /* main loop only; NULL once closed */
    PvLoadingEvents events;
    PvJob *job;
    guint progress_source;
    PvStage last_stage;
    double last_fraction;

    /* For the worker. */
    PvSourceSpec *spec;
    PvProfile *profile;      /* NULL: read the files */
    PvSymbolOptions symbols; /* ours */

    /* From the worker: newest values, exchanged atomically, and whether a delivery is on its way.
     */
    Preview *new_preview;
    PvProfile *new_profile;
    PvSymbolTable *new_symbols;
    int is_posted;
};

static void
preview_free (Preview *preview)
{
    if (preview == NULL)
        return;
    pv_clear_later (&preview->profile, pv_profile_free);
    pv_clear_later (&preview->symbols, pv_symbol_table_free);
    g_free (preview);
}

static void
loading_clear (gpointer data)
{
    PvLoading *loading = data;
    pv_job_unref (loading->job);
    pv_source_spec_free (loading->spec);
    pv_symbol_options_clear (&loading->symbols);
    pv_clear_later (&loading->profile, pv_profile_free);
    preview_free (loading->new_preview);
    pv_clear_later (&loading->new_profile, pv_profile_free);
    pv_clear_later (&loading->new_symbols, pv_symbol_table_free);
}

static void
loading_unref (gpointer data)
{
    g_atomic_rc_box_release_full (data, loading_clear);
}

static void
deliver (PvLoading *loading)
{
    /* The worker gives the profile first: when its symbols are seen, it is there. A preview comes
     * before both, and is worth nothing beside them. */
    PvSymbolTable *symbols = g_atomic_pointer_exchange (&loading->new_symbols, NULL);
    PvProfile *profile = g_atomic_pointer_exchange (&loading->new_profile, NULL);
    Preview *preview = g_atomic_pointer_exchange (&loading->new_preview, NULL);

    if (preview != NULL && profile == NULL && loading->owner != NULL)
        loading->events.preview (loading->owner, g_steal_pointer (&preview->profile),
                                 g_steal_pointer (&preview->symbols));
    preview_free (preview);
    if (profile != NULL && loading->owner != NULL)
        loading->events.profile (loading->owner, profile);
    else
        pv_free_later (profile, (GDestroyNotify)pv_profile_free);
    if (symbols != NULL && loading->owner != NULL)
        loading->events.symbols (loading->owner, symbols);
    else
        pv_free_later (symbols, (GDestroyNotify)pv_symbol_table_free);
}

static gboolean
deliver_on_main (gpointer data)
{
    PvLoading *loading = data;
    g_atomic_int_set (&loading->is_posted, 0);
    deliver (loading);
    return G_SOURCE_REMOVE;
}

static void
post (PvLoading *loading)
{
    if (g_atomic_int_compare_and_exchange (&loading->is_posted, 0, 1))
        g_idle_add_full (G_PRIORITY_DEFAULT, deliver_on_main, g_atomic_rc_box_acquire (loading),
                         loading_unref);
}

static void
on_preview_ready (PvProfile *profile, PvSymbolTable *symbols, void *user)
{
    PvLoading *loading = user;
    Preview *preview = g_new (Preview, 1);
    *preview = (Preview){profile, symbols};
    preview_free (g_atomic_pointer_exchange (&loading->new_preview, preview));
    post (loading);
}

static void
on_profile_ready (PvProfile *profile, void *user)
{
    PvLoading *loading = user;
    PvProfile *old = g_atomic_pointer_exchange (&loading->new_profile, profile);
    if (old != NULL)
        pv_profile_free (old);
    post (loading);
}

static void
on_symbols_ready (PvSymbolTable *symbols, void *user)
{
    PvLoading *loading = user;
    PvSymbolTable *old = g_atomic_pointer_exchange (&loading->new_symbols, symbols);
    if (old != NULL)
        pv_symbol_table_free (old);
    post (loading);
}

static bool
load (PvLoading *loading, const PvLoadOptions *options, const PvLoadEvents *events, GError **error)
{
    PvSourceSpec *spec = loading->spec;

    if (loading->profile != NULL)
        return pv_load_symbols (spec->paths[0], loading->profile, options, events, loading->job,
                                error);
    if (!spec->is_together)
        return pv_load (spec->paths[0], options, events, loading->job, error);
    pv_source_spec_refresh (spec, loading->job);
    return pv_load_together ((const char *const *)spec->paths, spec->how, options, events,
                             loading->job, error);
}

static void
run_loading (GTask *gtask, gpointer source, gpointer data, GCancellable *cancellable)
{
    PvLoading *loading = data;
    GError *error = NULL;
    PvLoadOptions options = {.symbols = loading->symbols};
    PvLoadEvents events = {
        .preview_ready = loading->events.preview != NULL ? on_preview_ready : NULL,
        .profile_ready = on_profile_ready,
        .symbols_ready = on_symbols_ready,
        .user = loading,
    };
    if (load (loading, &options, &events, &error))
        g_task_return_boolean (gtask, TRUE);
    else
        g_task_return_error (gtask, error);
}

static void
loading_done (GObject *source, GAsyncResult *result, gpointer user)
{
    PvLoading *loading = g_task_get_task_data (G_TASK (result));
    g_autoptr (GError) error = NULL;

    g_task_propagate_boolean (G_TASK (result), &error);
    deliver (loading);
    g_clear_handle_id (&loading->progress_source, g_source_remove);
    if (loading->owner != NULL)
        loading->events.finished (loading->owner, error);
}

static gboolean
show_progress (gpointer data)
{
    PvLoading *loading = data;
    double fraction = -1;
    PvStage stage = pv_job_get_progress (loading->job, &fraction);

    if (stage != loading->last_stage || fraction != loading->last_fraction || fraction < 0) {
        loading->last_stage = stage;
        loading->last_fraction = fraction;
        loading->events.progress (loading->owner, stage, fraction);
    }
    return G_SOURCE_CONTINUE;
}

PvLoading *
pv_loading_start (gpointer owner, const PvLoadingEvents *events, const PvSourceSpec *spec,
                  const PvProfile *profile, const PvSymbolOptions *symbols)
{
    PvLoading *loading = g_atomic_rc_box_new0 (PvLoading);
    g_autoptr (GTask) gtask = g_task_new (NULL, NULL, loading_done, NULL);

    loading->owner = owner;
    loading->events = *events;
    loading->job = pv_job_new ();
    loading->spec = pv_source_spec_copy (spec);
    loading->profile = profile != NULL ? pv_profile_ref (profile) : NULL;
    loading->symbols = pv_symbol_options_copy (symbols);
    loading->progress_source = g_timeout_add (PROGRESS_INTERVAL_MS, show_progress, loading);
    g_task_set_task_data (gtask, g_atomic_rc_box_acquire (loading), loading_unref);
    g_task_set_priority (gtask, G_PRIORITY_DEFAULT);
    g_task_run_in_thread (gtask, run_loading);
    return loading;
}

void
pv_loading_cancel (PvLoading *loading)
{
    pv_job_cancel (loading->job);
}

void
pv_loading_close (PvLoading *loading)
{
    pv_job_cancel (loading->job);
    g_clear_handle_id (&loading->progress_source, g_source_remove);
    loading->owner = NULL;
    loading_unref (loading);
}
