/*
 * Any bytes through the readers of the profiles that programs write of themselves, text and binary;
 * what comes out must be a profile that the rest of the program can use: ids in range, parents
 * first, weights that add up.
 */
#include <stdint.h>

#include "core/model/builder.h"
#include "core/read/reader.h"

static void
check_tables (const PvProfile *profile)
{
    for (uint32_t s = 1; s < profile->n_stacks; s++) {
        g_assert (profile->parent_of_stack[s] < s);
        g_assert (profile->location_of_stack[s] < profile->n_locations);
    }
    for (uint32_t l = 1; l < profile->n_locations; l++)
        g_assert (profile->module_of_location[l] < profile->n_modules);
    for (uint32_t t = 1; t < profile->n_threads; t++)
        g_assert (profile->threads[t].process < profile->n_processes);
}

static void
check_measures (const PvProfile *profile)
{
    g_assert (profile->n_sets == 1 && profile->n_measures > 0);
    const PvSampleSet *set = &profile->sets[0];
    for (uint32_t s = 0; s < set->n_samples; s++) {
        g_assert (set->stack[s] < profile->n_stacks && set->thread[s] < profile->n_threads);
        g_assert (set->label_set == NULL || set->label_set[s] < profile->n_label_sets);
    }
    for (uint32_t m = 0; m < profile->n_measures; m++) {
        const PvMeasure *measure = &profile->measures[m];
        uint64_t total = 0;
        for (uint32_t s = 0; s < set->n_samples; s++)
            total += pv_sample_set_weight (set, measure->column, s);
        g_assert (total == measure->total && total <= INT64_MAX);
    }
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
    if (!pv_legacy_reader.sniff (data, size))
        return 0;
    PvReadContext context = {0};
    PvProfileBuilder *builder = pv_profile_builder_new ();
    PvMappedFile *file = pv_mapped_file_new_take (g_memdup2 (data, size), size);
    GError *error = NULL;
    if (pv_legacy_reader.read (file, "dump.7.1.i1.heap", builder, &context, &error)) {
        g_assert_no_error (error);
        PvProfile *profile = pv_profile_builder_snapshot (builder);
        check_tables (profile);
        check_measures (profile);
        pv_profile_free (profile);
    } else {
        g_assert_nonnull (error);
        g_error_free (error);
    }
    pv_mapped_file_unref (file);
    pv_profile_builder_free (builder);
    return 0;
}
