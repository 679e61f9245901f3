/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Memory that a process keeps although its heap no longer needs it. What it has beside the heap at
 * the peak, such as libraries and stacks, it may have later, too: only what is more than that
 * counts, and only if it lasts. At the end, many programs free all that they have.
 */
#include <glib/gi18n-lib.h>

#include "core/analyze/findings/rules.h"

enum { LEAST_EXCESS_BYTES = 32 << 20, PARTS_OF_END = 32, PARTS_OF_LASTING = 8 };

#define LEAST 0.25

static int64_t
get_rest (const PvHeapBin *bin)
{
    return (int64_t)MIN (bin->rss_bytes, (uint64_t)INT64_MAX) - MAX (bin->live_bytes, 0);
}

static void
find_fragmentation (const PvFindingContext *context, PvFindingList *list)
{
    const PvHeap *heap = context->profile->heap;
    uint32_t first, end;
    if (heap == NULL || heap->is_attached)
        return;
    pv_heap_get_bins (heap, context->query->start_ns, context->query->end_ns, &first, &end);
    if (end <= first)
        return;
    const uint32_t last = end - (end - first) / PARTS_OF_END;
    const uint32_t peak_bin = pv_heap_find_peak (heap, first, end);
    const int64_t peak = heap->bins[peak_bin].peak_bytes;
    const int64_t beside = (int64_t)heap->bins[peak_bin].rss_bytes - peak;
    uint32_t n_lasting = 0, worst = peak_bin;
    int64_t most = 0;
    for (uint32_t b = peak_bin + 1; b < last && heap->bins[peak_bin].rss_bytes > 0; b++) {
        const int64_t excess = get_rest (&heap->bins[b]) - MAX (beside, 0);
        n_lasting += excess >= LEAST_EXCESS_BYTES && (double)excess >= LEAST * (double)peak;
        if (excess > most) {
            most = excess;
            worst = b;
        }
    }
    if (n_lasting == 0 || n_lasting < (end - first) / PARTS_OF_LASTING)
        return;
    const PvHeapBin *bin = &heap->bins[worst];
    g_autofree char *peak_text = pv_format_amount ((uint64_t)peak, PV_UNIT_BYTES);
    g_autofree char *live = pv_format_amount ((uint64_t)MAX (bin->live_bytes, 0), PV_UNIT_BYTES);
    g_autofree char *resident = pv_format_amount (bin->rss_bytes, PV_UNIT_BYTES);
    PvFinding finding = {
        .rule = pv_rule_fragmentation.word,
        /* Translators: three amounts of memory. */
        .title = g_strdup_printf (_ ("The heap falls from its peak of %s to %s, but the process "
                                     "keeps %s in memory"),
                                  peak_text, live, resident),
        .detail = g_strdup (_ ("The allocator keeps free memory: blocks that are still in use may "
                               "lie between free ones. Allocate what lives long before what lives "
                               "shortly, or from an arena of its own.")),
        .measure = pv_profile_find_heap_measure (context->profile, PV_HEAP_LIVE),
        .amount = (uint64_t)most,
        .cost = MIN ((double)most / (double)bin->rss_bytes, 1),
        .page = PV_FINDING_TIMELINE,
        .options = g_new0 (char *, 1),
    };
    pv_array_push (list, finding);
}

const PvFindingRule pv_rule_fragmentation = {
    .word = "fragmentation",
    .find = find_fragmentation,
};
