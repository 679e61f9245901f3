/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Any bytes as a file of one reader, PV_READER, which the build sets; what comes out must be a
 * profile that the rest of the program can use: ids in range, parents first, weights that add up.
 */
#include <stdint.h>

#include "check-profile.h"
#include "core/model/build/builder.h"
#include "core/read/readers.h"

/* The name means something to readers of dumps. */
static bool
read_all (PvMappedFile *file, PvProfileBuilder *builder, GError **error)
{
    PvReadContext context = {0};
    g_autoptr (PvUnpackStream) stream = pv_unpack_stream_new (file, PV_PACKING_NONE, UINT64_MAX);
    return pv_reader_read (&PV_READER, file, stream, "dump.7.1.i1.heap", builder, &context, error);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
    PV_READER.sniff (data, size);
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    g_autoptr (PvMappedFile) file = pv_mapped_file_new_take (g_memdup2 (data, size), size);
    g_autoptr (GError) error = NULL;
    bool is_good = read_all (file, builder, &error);
    g_assert_true (is_good == (error == NULL));
    if (is_good) {
        g_autoptr (PvProfile) profile = pv_profile_builder_snapshot (builder);
        check_tables (profile);
        check_counters (profile);
        check_details (profile);
        check_distributions (profile);
        check_all_samples (profile);
    }
    return 0;
}
