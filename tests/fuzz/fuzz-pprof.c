/*
 * Any bytes through the reader of pprof's profiles, packed or not; what comes out must be a profile
 * that the rest of the program can use: ids in range, parents first, weights that add up. Read by
 * one thread and by several it must be the same.
 */
#include <stdint.h>
#include <string.h>

#include "core/model/builder.h"
#include "core/read/reader.h"

static void
check_places (const PvProfile *profile)
{
    for (uint32_t s = 1; s < profile->n_stacks; s++) {
        g_assert (profile->parent_of_stack[s] < s);
        g_assert (profile->location_of_stack[s] > 0);
        g_assert (profile->location_of_stack[s] < profile->n_locations);
    }
    for (uint32_t l = 1; l < profile->n_locations; l++) {
        g_assert (profile->module_of_location[l] < profile->n_modules);
        if (profile->given_of_location == NULL || profile->given_of_location[l] == UINT32_MAX)
            continue;
        const PvGivenFrame *frame = &profile->given_frames[profile->given_of_location[l]];
        while (!frame->is_last)
            frame++;
    }
}

static void
check_samples (const PvProfile *profile)
{
    g_assert (profile->n_sets == 1);
    const PvSampleSet *set = &profile->sets[0];
    for (uint32_t i = 0; i < set->n_samples; i++) {
        g_assert (set->stack[i] < profile->n_stacks);
        g_assert (set->label_set == NULL || set->label_set[i] < profile->n_label_sets);
    }
    for (uint32_t m = 0; m < profile->n_measures; m++) {
        uint64_t total = 0;
        for (uint32_t i = 0; i < set->n_samples; i++)
            total += pv_sample_set_weight (set, profile->measures[m].column, i);
        g_assert (total == profile->measures[m].total);
    }
    g_assert (profile->first_label_of_set[0] == 0 && profile->first_label_of_set[1] == 0);
    uint32_t n_labels = profile->first_label_of_set[profile->n_label_sets];
    for (uint32_t i = 0; i < n_labels; i++)
        g_assert (profile->labels[i].key != NULL &&
                  (profile->labels[i].text != NULL || profile->labels[i].unit != NULL));
}

static PvProfile *
read_bytes (const uint8_t *data, size_t size, unsigned n_workers)
{
    PvReadContext context = {.n_workers = n_workers};
    PvProfileBuilder *builder = pv_profile_builder_new ();
    PvMappedFile *file = pv_mapped_file_new_take (g_memdup2 (data, size), size);
    GError *error = NULL;
    PvProfile *profile = NULL;
    if (pv_read_bytes (file, builder, &context, &error)) {
        g_assert_no_error (error);
        profile = pv_profile_builder_snapshot (builder);
    } else {
        g_assert_nonnull (error);
        g_error_free (error);
    }
    pv_mapped_file_unref (file);
    pv_profile_builder_free (builder);
    return profile;
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
    PvProfile *profile = read_bytes (data, size, 1);
    PvProfile *again = read_bytes (data, size, 2);
    g_assert ((profile == NULL) == (again == NULL));
    if (profile != NULL && g_strcmp0 (profile->facts.format, "pprof") == 0) {
        check_places (profile);
        check_samples (profile);
        g_assert (profile->n_stacks == again->n_stacks);
        g_assert (profile->n_samples == again->n_samples);
        g_assert (profile->n_notes == again->n_notes);
    }
    pv_profile_free (profile);
    pv_profile_free (again);
    return 0;
}
