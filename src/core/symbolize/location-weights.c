/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/symbolize/location-weights.h"

/* Counts the samples, or allocations, of each stack. */
static uint64_t *
count_samples (const PvProfile *profile)
{
    const PvHeap *heap = profile->heap;
    uint64_t *samples = g_new0 (uint64_t, profile->n_stacks);

    for (uint32_t set = 0; set < profile->n_sets; set++)
        for (uint32_t i = 0; i < profile->sets[set].n_samples; i++)
            samples[profile->sets[set].stack[i]]++;
    if (heap == NULL)
        return samples;
    int64_t *allocations = g_new (int64_t, MAX (heap->n_sites, 1));
    pv_heap_weigh_sites (heap, PV_HEAP_ALLOCATIONS, 0, heap->n_bins, allocations, NULL);
    for (uint32_t i = 0; i < heap->n_sites; i++)
        samples[heap->stack_of_site[i]] += (uint64_t)allocations[i];
    g_free (allocations);
    return samples;
}

void
pv_location_weights_add (const PvProfile *profile, uint64_t *weight_of_location,
                         uint64_t *self_of_location)
{
    uint64_t *samples = count_samples (profile);

    for (PvStackId stack = profile->n_stacks; stack-- > 1;)
        self_of_location[profile->location_of_stack[stack]] += samples[stack];
    for (PvStackId stack = profile->n_stacks; stack-- > 1;) {
        weight_of_location[profile->location_of_stack[stack]] += samples[stack];
        samples[profile->parent_of_stack[stack]] += samples[stack];
    }
    g_free (samples);
}
