/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names for the locations of a profile, in two steps. First from symbol tables, all modules at once
 * in the workers: milliseconds, and published. Then from DWARF, unit by unit, hottest first, which
 * takes about a second for each hundred megabytes and thread. What the workers find is merged in
 * the calling thread and in a fixed order, so that the table is the same however many there are.
 */
#include "core/symbolize/symbolizer.h"

#include <string.h>

#include "core/symbolize/symbolizer-private.h"

void
pv_symbolizing_publish (PvSymbolizing *s, bool is_complete)
{
    pv_name_labels_update (s->labels);
    s->last_publish_us = g_get_monotonic_time ();
    s->publish (pv_symbol_builder_publish (s->builder, is_complete), s->user);
}

bool
pv_symbolize (const PvProfile *profile, PvModuleFiles *files, const PvSymbolOptions *options,
              PvSymbolsFunc publish_func, void *user, PvJob *job, GError **error)
{
    PvSymbolizing s = {
        .profile = profile,
        .files = files,
        .options = options,
        .publish = publish_func,
        .user = user,
        .job = job,
        .pool = pv_pool_new (options->n_workers),
        .builder = pv_symbol_builder_new (profile),
    };

    s.labels = pv_name_labels_new (s.builder);
    pv_symbolizing_take_given (&s);
    pv_symbolizing_group (&s);
    pv_symbolizing_find_names (&s);
    /* Where all names came with the recording, the first table is the last. */
    if (!pv_job_is_cancelled (job) && s.n_works > 0) {
        pv_symbolizing_publish (&s, false);
        pv_symbolizing_find_lines (&s);
    }
    bool is_complete = !pv_job_is_cancelled (job);
    pv_symbolizing_add_notes (&s);
    pv_symbolizing_publish (&s, is_complete);

    pv_symbolizing_clear (&s);
    pv_name_labels_free (s.labels);
    pv_symbol_builder_free (s.builder);
    pv_pool_free (s.pool);
    return is_complete || pv_job_check (job, error);
}
