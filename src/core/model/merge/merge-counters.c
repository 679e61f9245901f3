/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Counters of several files, each a counter of its own in the clock of its samples. In a series
 * samples have dumps in place of times, so there they are left out.
 */
#include <glib/gi18n-lib.h>

#include "core/model/merge/merge-private.h"

static bool
append_counter (PvMerger *merger, const PvCounter *counter)
{
    PvCounter like = *counter;
    pv_merge_row (merger, PV_PROFILE_COUNTERS, &like);
    g_autofree double *values =
        g_memdup2 (counter->values, counter->n_samples * sizeof *counter->values);
    for (uint32_t i = counter->n_samples; counter->is_relative && i-- > 1;)
        values[i] -= values[i - 1];
    return pv_profile_builder_add_counter (merger->builder, &like, counter->time_ns, values,
                                           counter->n_samples);
}

void
pv_merge_counters (PvMerger *merger, const PvProfile *profile, const char *name)
{
    PvProfileBuilder *builder = merger->builder;
    if (merger->is_series && profile->n_counters > 0)
        pv_profile_builder_note (builder, PV_NOTE_INFO, PV_NOTE_GENERAL, 0,
                                 _ ("Counters such as memory are not shown here. To see them, open "
                                    "each file by itself."));
    if (merger->is_series)
        return;
    const char *file = pv_profile_builder_string (builder, name);
    for (uint32_t i = 0; i < profile->n_counters; i++) {
        if (!append_counter (merger, &profile->counters[i])) {
            pv_profile_builder_note (builder, PV_NOTE_INFO, PV_NOTE_GENERAL, 0,
                                     _ ("The files have more than %u counters. The others are not "
                                        "shown."),
                                     PV_MAX_COUNTERS);
            return;
        }
        PvMergedCounter merged = {file, merger->n_profiles};
        pv_array_push (&merger->counters, merged);
    }
}

/* Names of counters, which are the builder's own strings, that more than one file has. */
static GHashTable *
find_shared_names (const PvMerger *merger)
{
    GHashTable *file_of_name = g_hash_table_new (NULL, NULL); /* plus 1; 0: several */
    for (size_t i = 0; i < merger->counters.len; i++) {
        void *key = (void *)merger->builder->counters.data[i].name;
        void *file = GUINT_TO_POINTER (merger->counters.data[i].file + 1), *known;
        if (!g_hash_table_lookup_extended (file_of_name, key, NULL, &known))
            g_hash_table_insert (file_of_name, key, file);
        else if (known != file)
            g_hash_table_insert (file_of_name, key, NULL);
    }
    return file_of_name;
}

void
pv_merge_name_counters (PvMerger *merger)
{
    g_autoptr (GHashTable) file_of_name = find_shared_names (merger);
    for (size_t i = 0; i < merger->counters.len; i++) {
        PvCounter *counter = &merger->builder->counters.data[i];
        if (g_hash_table_lookup (file_of_name, counter->name) != NULL)
            continue;
        /* Translators: a counter, and the file that has it. */
        g_autofree char *text =
            /* Translators: a counter, and the file that it is from */
            g_strdup_printf (_ ("%s (%s)"), counter->name, merger->counters.data[i].file_name);
        counter->name = pv_profile_builder_string (merger->builder, text);
    }
}
