/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Any bytes through the heaptrack reader, packed or not; what comes out must be a profile that the
 * rest of the program can use: ids in range, parents first, weights that add up.
 */
#include <stdint.h>

#include "check-profile.h"
#include "core/model/build/builder.h"
#include "core/read/readers.h"

static void
check_trace (const PvProfile *profile)
{
    const PvHeap *heap = profile->heap;
    g_assert (heap != NULL);
    g_assert (!heap->is_exact || heap->n_frees <= heap->n_allocations);
    g_assert (heap->n_temporary <= heap->n_frees);
    check_heap (profile);
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
    PvReadContext context = {0};
    PvProfileBuilder *builder = pv_profile_builder_new ();
    PvMappedFile *file = pv_mapped_file_new_take (g_memdup2 (data, size), size);
    GError *error = NULL;
    if (pv_read_bytes (file, builder, &context, &error)) {
        g_assert_no_error (error);
        PvProfile *profile = pv_profile_builder_snapshot (builder);
        check_tables (profile);
        if (g_strcmp0 (profile->facts.format, "heaptrack") == 0)
            check_trace (profile);
        pv_profile_free (profile);
    } else {
        g_assert_nonnull (error);
        g_error_free (error);
    }
    pv_mapped_file_unref (file);
    pv_profile_builder_free (builder);
    return 0;
}
