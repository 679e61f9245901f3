/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Any bytes through the reader of pprof's profiles, packed or not; what comes out must be a profile
 * that the rest of the program can use: ids in range, parents first, weights that add up. Read by
 * one thread and by several it must be the same.
 */
#include <stdint.h>
#include <string.h>

#include "check-profile.h"

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
    const PvReadContext one = {.n_workers = 1}, several = {.n_workers = 2};
    g_autoptr (PvProfile) profile = read_any (data, size, &one);
    g_autoptr (PvProfile) again = read_any (data, size, &several);
    g_assert ((profile == NULL) == (again == NULL));
    if (profile != NULL && g_strcmp0 (profile->facts.format, "pprof") == 0) {
        check_tables (profile);
        check_samples (profile);
        g_assert (profile->n_stacks == again->n_stacks);
        g_assert (profile->n_samples == again->n_samples);
        g_assert (profile->n_notes == again->n_notes);
    }
    return 0;
}
