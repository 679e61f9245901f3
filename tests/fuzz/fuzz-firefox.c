/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Any bytes as a profile of the Firefox Profiler; what comes out must be a profile that the rest of
 * the program can use: ids in range, parents first, weights that add up.
 */
#include <stdint.h>

#include "check-profile.h"
#include "core/model/build/builder.h"
#include "core/read/readers.h"

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
    pv_firefox_reader.sniff (data, size);
    PvReadContext context = {0};
    PvProfileBuilder *builder = pv_profile_builder_new ();
    PvMappedFile *file = pv_mapped_file_new_take (g_memdup2 (data, size), size);
    PvUnpackStream *stream = pv_unpack_stream_new (file, PV_PACKING_NONE, UINT64_MAX);
    GError *error = NULL;
    bool is_good = pv_firefox_reader.read_stream (file, stream, builder, &context, &error);
    g_assert_true (is_good == (error == NULL));
    g_clear_error (&error);
    PvProfile *profile = pv_profile_builder_snapshot (builder);
    check_tables (profile);
    check_counters (profile);
    check_details (profile);
    if (is_good)
        check_samples (profile);
    pv_profile_free (profile);
    pv_unpack_stream_free (stream);
    pv_mapped_file_unref (file);
    pv_profile_builder_free (builder);
    return 0;
}
