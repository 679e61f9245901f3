/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names the locations of a profile in two steps. First from symbol tables, all modules in parallel:
 * this takes milliseconds and is published. Then from DWARF, unit by unit, hottest first: this
 * takes about a second per hundred megabytes and thread. The calling thread merges the workers'
 * results in a fixed order, so the table does not depend on the number of workers.
 */
#include "core/symbolize/symbolizer.h"

#include "core/symbolize/symbolizer-private.h"

static void
find_names_and_lines (PvSymbolizing *s)
{
    if (pv_symbolizing_has_packed (s)) {
        pv_symbolizing_take_packed (s);
        return;
    }
    pv_symbolizing_take_given (s);
    pv_symbolizing_group (s);
    pv_symbolizing_find_names (s);
    /* If all names came with the recording, the first table is the last. */
    if (!pv_job_is_cancelled (s->job) && s->n_works > 0) {
        pv_symbolizing_publish (s, false);
        pv_symbolizing_find_lines (s);
    }
    pv_symbolizing_add_notes (s);
}

bool
pv_symbolize (const PvProfile *profile, PvModuleFiles *files, const PvSymbolOptions *options,
              PvSymbolsFunc publish_func, void *user, PvJob *job, GError **error)
{
    g_assert (profile != NULL && files != NULL && options != NULL && publish_func != NULL);

    PvSymbolizing s = {
        .profile = profile,
        .is_mapped = pv_profile_has_mappings (profile),
        .files = files,
        .options = options,
        .first_location = 1,
        .publish = publish_func,
        .user = user,
        .job = job,
        .pool = pv_pool_new (options->n_workers),
        .builder = pv_symbol_builder_new (profile),
    };

    s.labels = pv_name_labels_new (s.builder);
    pv_file_roots_prepare (pv_module_files_get_roots (files), job);
    if (!pv_job_is_cancelled (job))
        find_names_and_lines (&s);
    bool is_complete = !pv_job_is_cancelled (job);
    pv_symbolizing_publish (&s, is_complete);

    pv_symbolizing_clear (&s);
    pv_name_labels_free (s.labels);
    pv_symbol_builder_free (s.builder);
    pv_pool_free (s.pool);
    return is_complete || pv_job_check (job, error);
}

/* Growing profiles */

struct PvSymbolizer {
    PvModuleFiles *files;
    PvSymbolOptions options;
    PvPool *pool;
    PvSymbolBuilder *builder; /* NULL: no update yet */
    PvNameLabels *labels;
    PvLocationId n_named;
};

PvSymbolizer *
pv_symbolizer_new (PvModuleFiles *files, const PvSymbolOptions *options)
{
    g_assert (files != NULL && options != NULL);
    PvSymbolizer *self = g_new0 (PvSymbolizer, 1);
    self->files = files;
    self->options = pv_symbol_options_copy (options);
    self->pool = pv_pool_new (options->n_workers);
    self->n_named = 1;
    return self;
}

void
pv_symbolizer_free (PvSymbolizer *self)
{
    if (self == NULL)
        return;
    pv_name_labels_free (self->labels);
    pv_symbol_builder_free (self->builder);
    pv_pool_free (self->pool);
    pv_symbol_options_clear (&self->options);
    g_free (self);
}

PvSymbolTable *
pv_symbolizer_update (PvSymbolizer *self, const PvProfile *profile, PvJob *job)
{
    g_assert (self != NULL && profile != NULL);
    if (self->builder == NULL) {
        self->builder = pv_symbol_builder_new (profile);
        self->labels = pv_name_labels_new (self->builder);
    } else {
        pv_symbol_builder_grow (self->builder, profile);
    }
    PvSymbolizing s = {
        .profile = profile,
        .is_mapped = pv_profile_has_mappings (profile),
        .files = self->files,
        .options = &self->options,
        .first_location = self->n_named,
        .job = job,
        .pool = self->pool,
        .builder = self->builder,
        .labels = self->labels,
    };
    find_names_and_lines (&s);
    pv_symbolizing_clear (&s);
    if (pv_job_is_cancelled (job))
        return NULL;
    self->n_named = profile->n_locations;
    pv_symbolizing_update_labels (&s);
    return pv_symbol_builder_snapshot (self->builder);
}
