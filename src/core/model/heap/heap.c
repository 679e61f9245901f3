/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/model/heap/heap.h"

#include <glib/gi18n-lib.h>

#include "core/base/ref.h"

enum {
    EXACT_AGES = 64,
    CLASSES_PER_DOUBLING = 32,
    MAX_AGE_LOG = 6 + (PV_HEAP_N_AGE_CLASSES - 64) / 32
};

PV_DEFINE_REF (pv_heap_ref, PvHeap, const PvHeap)

void
pv_heap_unref (PvHeap *heap)
{
    if (!pv_ref_was_last (heap))
        return;
    g_free ((void *)heap->stack_of_site);
    g_free ((void *)heap->bins);
    for (uint32_t b = 0; b < heap->n_bins; b++)
        g_free (heap->rows_of_bin[b]);
    g_free ((void *)heap->rows_of_bin);
    for (uint32_t b = 0; heap->sizes_of_bin != NULL && b < heap->n_bins; b++)
        g_free (heap->sizes_of_bin[b]);
    g_free ((void *)heap->sizes_of_bin);
    g_free ((void *)heap->first_size_of_site);
    g_free ((void *)heap->class_of_size);
    g_free ((void *)heap->allocations_of_size);
    g_free ((void *)heap->bytes_of_size);
    g_free ((void *)heap->first_age_of_site);
    g_free ((void *)heap->class_of_age);
    g_free ((void *)heap->frees_of_age);
    g_free (heap);
}

const PvHeapMeasureInfo pv_heap_measures[PV_N_HEAP_MEASURES] = {
    [PV_HEAP_NONE] = {.name = ""},
    [PV_HEAP_PEAK] = {"peak", NC_ ("measure", "Peak"), N_ ("Bytes live when heap use was highest"),
                      N_ ("Bytes live when heap use was highest in the range"), PV_UNIT_BYTES},
    [PV_HEAP_LEAKED] = {"leaked", NC_ ("measure", "Leaked"),
                        N_ ("Bytes never freed, without suppressed leaks"),
                        N_ ("Bytes live at the end of the range, without suppressed leaks"),
                        PV_UNIT_BYTES},
    [PV_HEAP_LIVE] = {"live", NC_ ("measure", "Live at end"),
                      N_ ("Bytes live when the recording ended"),
                      N_ ("Bytes live at the end of the range"), PV_UNIT_BYTES},
    [PV_HEAP_GROWTH] = {"growth", NC_ ("measure", "Growth"),
                        N_ ("Change in live bytes from start to end"),
                        N_ ("Change in live bytes over the range"), PV_UNIT_BYTES},
    [PV_HEAP_ALLOCATED] = {"allocated", NC_ ("measure", "Allocated"),
                           N_ ("Bytes requested, freed or not"),
                           N_ ("Bytes requested in the range, freed or not"), PV_UNIT_BYTES, true},
    [PV_HEAP_ALLOCATIONS] = {"allocations", NC_ ("measure", "Allocations"),
                             N_ ("Calls that allocated memory"),
                             N_ ("Calls that allocated memory in the range"), PV_UNIT_COUNT, true},
    [PV_HEAP_TEMPORARY] = {"temporary", NC_ ("measure", "Temporary"), NULL, NULL, PV_UNIT_COUNT,
                           true},
    [PV_HEAP_LIFETIME] = {"lifetime", NC_ ("measure", "Lifetime"),
                          N_ ("Bytes multiplied by the time they were held"),
                          N_ ("Bytes multiplied by the time they were held in the range"),
                          PV_UNIT_BYTE_MS, true},
    [PV_HEAP_INCREASE] = {"increase", NC_ ("measure", "Increase"), NULL, NULL, PV_UNIT_BYTES},
    [PV_HEAP_DECREASE] = {"decrease", NC_ ("measure", "Decrease"), NULL, NULL, PV_UNIT_BYTES},
};

unsigned
pv_heap_age_class (uint64_t age_ms)
{
    if (age_ms < EXACT_AGES)
        return (unsigned)age_ms;
    unsigned log = 63 - (unsigned)__builtin_clzll (age_ms); /* 6 or more */
    if (log >= MAX_AGE_LOG)
        return PV_HEAP_N_AGE_CLASSES - 1;
    unsigned within = (unsigned)(age_ms >> (log - 5)) & (CLASSES_PER_DOUBLING - 1);
    return EXACT_AGES + (log - 6) * CLASSES_PER_DOUBLING + within;
}

uint64_t
pv_heap_age_of_class (unsigned age_class)
{
    g_assert (age_class < PV_HEAP_N_AGE_CLASSES);
    if (age_class < EXACT_AGES)
        return age_class;
    unsigned doubling = (age_class - EXACT_AGES) / CLASSES_PER_DOUBLING;
    uint64_t within = (age_class - EXACT_AGES) % CLASSES_PER_DOUBLING;
    return (CLASSES_PER_DOUBLING + within) << (doubling + 1);
}

void
pv_heap_get_bins (const PvHeap *heap, uint64_t start_ns, uint64_t end_ns, uint32_t *ret_first,
                  uint32_t *ret_end)
{
    g_assert (heap != NULL && ret_first != NULL && ret_end != NULL);
    uint64_t first = start_ns / 1000000 / heap->bin_ms;
    uint64_t end = end_ns / 1000000;
    end = end_ns % 1000000 != 0 ? end + 1 : end;
    /* A range up to the last stamp includes its events, even where a bin begins there. */
    end = end >= heap->duration_ms ? heap->n_bins : end / heap->bin_ms + (end % heap->bin_ms != 0);
    *ret_end = (uint32_t)MIN (end, heap->n_bins);
    *ret_first = (uint32_t)MIN (first, *ret_end);
}

uint32_t
pv_heap_find_peak (const PvHeap *heap, uint32_t first_bin, uint32_t end_bin)
{
    g_assert (heap != NULL && first_bin <= end_bin && end_bin <= heap->n_bins);
    uint32_t best = first_bin;
    for (uint32_t b = first_bin; b < end_bin; b++) {
        if (heap->bins[b].peak_bytes > heap->bins[best].peak_bytes)
            best = b;
    }
    return best;
}
