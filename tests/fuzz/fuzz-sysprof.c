/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Any bytes as a capture of Sysprof; what comes out must be a profile that the rest
 * of the program can use: ids in range, parents first, weights that add up.
 */
#include <stdint.h>

#include "check-profile.h"
#include "core/model/build/builder.h"
#include "core/read/readers.h"

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
    pv_sysprof_reader.sniff (data, size);
    PvReadContext context = {0};
    PvProfileBuilder *builder = pv_profile_builder_new ();
    PvMappedFile *file = pv_mapped_file_new_take (g_memdup2 (data, size), size);
    GError *error = NULL;
    if (pv_sysprof_reader.read (file, NULL, builder, &context, &error)) {
        PvProfile *profile = pv_profile_builder_snapshot (builder);
        check_tables (profile);
        check_counters (profile);
        check_all_samples (profile);
        pv_profile_free (profile);
    }
    g_clear_error (&error);
    pv_mapped_file_unref (file);
    pv_profile_builder_free (builder);
    return 0;
}
