/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Any bytes through the reader of pprof's profiles, packed or not; what comes out must be a profile
 * that the rest of the program can use: ids in range, parents first, weights that add up. Read by
 * one thread and by several it must be the same.
 */
#include <stdint.h>
#include <string.h>

#include "check-profile.h"
#include "core/model/build/builder.h"
#include "core/read/readers.h"

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
        check_tables (profile);
        check_samples (profile);
        g_assert (profile->n_stacks == again->n_stacks);
        g_assert (profile->n_samples == again->n_samples);
        g_assert (profile->n_notes == again->n_notes);
    }
    pv_profile_free (profile);
    pv_profile_free (again);
    return 0;
}
