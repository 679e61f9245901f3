/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/source/source.h"

#include "app/work/work.h"

PvSource *
pv_source_new (const PvSourceClass *class, PvSourceSpec *spec)
{
    PvSource *source;

    g_assert (class->start != NULL && class->read != NULL && class->make_title != NULL);
    g_assert (class->size_bytes >= sizeof *source && spec != NULL);
    source = g_malloc0 (class->size_bytes);
    source->class = class;
    source->ref_count = 1;
    source->spec = spec;
    return source;
}

PvSource *
pv_source_ref (PvSource *source)
{
    g_assert (source->ref_count > 0);
    source->ref_count++;
    return source;
}

void
pv_source_unref (PvSource *source)
{
    g_assert (source->ref_count > 0);
    if (--source->ref_count > 0)
        return;
    g_assert (source->owner == NULL && source->load == NULL);
    if (source->class->clear != NULL)
        source->class->clear (source);
    pv_source_spec_free (source->spec);
    pv_source_spec_free (source->next_spec);
    pv_symbol_options_clear (&source->symbols);
    g_free (source);
}

void
pv_source_set_spec (PvSource *source, PvSourceSpec *spec)
{
    PvSourceSpec *old = source->spec;

    g_assert (spec != NULL);
    source->spec = spec;
    g_clear_pointer (&source->next_spec, pv_source_spec_free);
    pv_source_change (source, PV_SOURCE_SPEC);
    pv_source_spec_free (old);
}

const PvSourceSpec *
pv_source_get_newest_spec (const PvSource *source)
{
    return source->next_spec != NULL ? source->next_spec : source->spec;
}

/* Events */

void
pv_source_fail (PvSource *source, const GError *error)
{
    g_assert (error != NULL);
    if (source->owner != NULL)
        source->events->failed (source->owner, error);
}

void
pv_source_change (PvSource *source, PvSourceChange what)
{
    if (source->owner != NULL)
        source->events->changed (source->owner, what);
}

void
pv_source_emit_message (PvSource *source, const char *text)
{
    if (source->owner != NULL)
        source->events->message (source->owner, text);
}

/* Loading */

static void
on_loaded (gpointer owner, PvLoaded *loaded)
{
    PvSource *source = owner;

    if (source->class->accept == NULL || source->class->accept (source, loaded)) {
        source->events->loaded (source->owner, loaded);
        return;
    }
    pv_free_later (loaded, (GDestroyNotify)pv_loaded_free);
    pv_load_job_cancel (source->load);
}

static void
on_progress (gpointer owner, PvStage stage, double fraction)
{
    PvSource *source = owner;
    source->events->progress (source->owner, stage, fraction);
}

static void
on_finished (gpointer owner, const GError *error)
{
    PvSource *source = owner;

    g_clear_pointer (&source->load, pv_load_job_close);
    g_clear_pointer (&source->next_spec, pv_source_spec_free);
    source->events->finished (source->owner, error);
}

void
pv_source_stop_loading (PvSource *source)
{
    g_clear_pointer (&source->load, pv_load_job_close);
}

/* is_live: what is read is not complete. */
static void
load (PvSource *source, gboolean is_live, const PvProfile *profile, PvFollow *follow,
      unsigned n_workers)
{
    static const PvLoadJobEvents events = {
        .loaded = on_loaded, .progress = on_progress, .finished = on_finished};
    PvSymbolOptions symbols = source->symbols;
    PvLoadRequest request = {
        .spec = pv_source_get_newest_spec (source),
        .read = source->class->read,
        .profile = profile,
        .follow = follow,
        .is_growing = is_live,
        .symbols = &symbols,
    };

    g_assert (source->owner != NULL);
    if (n_workers > 0)
        symbols.n_workers = n_workers;
    pv_source_stop_loading (source);
    request.question = source->events->began (source->owner, is_live);
    source->load = pv_load_job_start (source, &events, &request);
}

void
pv_source_load (PvSource *source)
{
    load (source, FALSE, NULL, NULL, 0);
}

static void
set_next_spec (PvSource *source, PvSourceSpec *spec)
{
    g_assert (spec != NULL && spec != source->next_spec);
    pv_source_spec_free (source->next_spec);
    source->next_spec = spec;
}

void
pv_source_load_spec (PvSource *source, PvSourceSpec *spec)
{
    set_next_spec (source, spec);
    pv_source_load (source);
}

void
pv_source_load_live (PvSource *source, unsigned n_workers)
{
    load (source, TRUE, NULL, NULL, n_workers);
}

void
pv_source_load_live_spec (PvSource *source, PvSourceSpec *spec, unsigned n_workers)
{
    set_next_spec (source, spec);
    pv_source_load_live (source, n_workers);
}

void
pv_source_follow (PvSource *source, PvFollow *follow, gboolean is_growing)
{
    g_assert (follow != NULL);
    load (source, is_growing, NULL, follow, 0);
}

void
pv_source_find_names (PvSource *source, const PvProfile *profile)
{
    g_assert (profile != NULL);
    load (source, FALSE, profile, NULL, 0);
}

/* For the owner */

void
pv_source_set_owner (PvSource *source, gpointer owner, const PvSourceEvents *events,
                     const PvSymbolOptions *symbols)
{
    g_assert (source->owner == NULL && owner != NULL);
    source->owner = owner;
    source->events = events;
    source->symbols = pv_symbol_options_copy (symbols);
}

void
pv_source_start (PvSource *source)
{
    g_assert (source->owner != NULL);
    source->class->start (source);
}

void
pv_source_reload (PvSource *source)
{
    g_assert (source->owner != NULL);
    if (source->class->reload != NULL)
        source->class->reload (source);
    else
        pv_source_load (source);
}

void
pv_source_cancel (PvSource *source)
{
    if (source->class->cancel != NULL)
        source->class->cancel (source);
    g_clear_pointer (&source->next_spec, pv_source_spec_free);
    if (source->load != NULL)
        pv_load_job_cancel (source->load);
}

gboolean
pv_source_is_loading (const PvSource *source)
{
    return source->load != NULL;
}

void
pv_source_settled (PvSource *source, gboolean is_shown)
{
    g_assert (source->load == NULL);
    if (source->class->settled != NULL)
        source->class->settled (source, is_shown);
}

char *
pv_source_make_title (const PvSource *source, const PvProfile *profile)
{
    return source->class->make_title (source, profile);
}

char *
pv_source_describe (const PvSource *source, double *ret_fraction)
{
    *ret_fraction = -1;
    return source->class->describe != NULL ? source->class->describe (source, ret_fraction) : NULL;
}

gboolean
pv_source_can_skip (const PvSource *source)
{
    return source->class->can_skip != NULL && source->class->can_skip (source);
}

void
pv_source_add_symbol_path (PvSource *source, const char *path)
{
    char **paths = (char **)source->symbols.search_paths;
    unsigned n_paths = paths != NULL ? g_strv_length (paths) : 0;

    g_assert (path != NULL);
    paths = g_renew (char *, paths, n_paths + 2);
    paths[n_paths] = g_strdup (path);
    paths[n_paths + 1] = NULL;
    source->symbols.search_paths = (const char *const *)paths;
}

static gboolean
has_word (const char *const *words, const char *word)
{
    return words != NULL && g_strv_contains (words, word);
}

gboolean
pv_source_add_symbols (PvSource *source, const PvSymbolOptions *more)
{
    PvSymbolOptions *own = &source->symbols;
    gboolean has_changed = FALSE;

    g_assert (more != NULL);
    if (more->sysroot != NULL && g_strcmp0 (more->sysroot, own->sysroot) != 0) {
        g_free ((char *)own->sysroot);
        own->sysroot = g_strdup (more->sysroot);
        has_changed = TRUE;
    }
    for (unsigned i = 0; more->search_paths != NULL && more->search_paths[i] != NULL; i++)
        if (!has_word (own->search_paths, more->search_paths[i])) {
            pv_source_add_symbol_path (source, more->search_paths[i]);
            has_changed = TRUE;
        }
    if (more->path_maps != NULL && more->path_maps[0] != NULL &&
        (own->path_maps == NULL || !g_strv_equal (own->path_maps, more->path_maps))) {
        g_strfreev ((char **)own->path_maps);
        own->path_maps = (const char *const *)g_strdupv ((char **)more->path_maps);
        has_changed = TRUE;
    }
    if (more->no_demangle && !own->no_demangle) {
        own->no_demangle = true;
        has_changed = TRUE;
    }
    return has_changed;
}

void
pv_source_close (PvSource *source)
{
    if (source->owner == NULL)
        return;
    source->owner = NULL;
    pv_source_stop_loading (source);
    g_clear_pointer (&source->next_spec, pv_source_spec_free);
    if (source->class->close != NULL)
        source->class->close (source);
}

gboolean
pv_source_is_closed (const PvSource *source)
{
    return source->owner == NULL;
}
