/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Any bytes through the heaptrack reader, packed or not; what comes out must be a profile that the
 * rest of the program can use: ids in range, parents first, weights that add up.
 */
#include <stdint.h>

#include "check-profile.h"

static void
check_trace (const PvProfile *profile)
{
    const PvHeap *heap = profile->heap;
    g_assert (heap != NULL);
    g_assert (!heap->is_exact || heap->n_frees <= heap->n_allocations);
    g_assert (heap->n_temporary <= heap->n_frees);
    check_heap (profile);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
    const PvReadContext context = {0};
    g_autoptr (PvProfile) profile = read_any (data, size, &context);
    if (profile != NULL)
        check_tables (profile);
    if (profile != NULL && g_strcmp0 (profile->facts.format, "heaptrack") == 0)
        check_trace (profile);
    return 0;
}
