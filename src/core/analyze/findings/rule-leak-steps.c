/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Memory that only grows: the lowest level of each part of the time is above that of the part
 * before. The start of a program and its end, where many free all they have, do not count.
 */
#include <glib/gi18n-lib.h>

#include "core/analyze/findings/finding-blamed.h"
#include "core/analyze/findings/rules.h"

enum { N_PARTS = 8, BINS_PER_PART = 4, LEAST_GROWTH_BYTES = 256 << 10 };

#define PART_OF_ENDS 32 /* so much of the time at both ends does not count */
#define LEAST        0.2

/* The lowest level of each part; it is at the bin. */
typedef struct {
    int64_t level;
    uint32_t bin;
} Lowest;

static void
find_lowest (const PvHeap *heap, uint32_t first, uint32_t end, Lowest *lowest)
{
    for (unsigned p = 0; p < N_PARTS; p++) {
        const uint32_t from = first + (uint32_t)((uint64_t)(end - first) * p / N_PARTS);
        const uint32_t to = first + (uint32_t)((uint64_t)(end - first) * (p + 1) / N_PARTS);
        lowest[p] = (Lowest){heap->bins[from].live_bytes, from};
        for (uint32_t b = from; b < to; b++)
            if (heap->bins[b].live_bytes < lowest[p].level)
                lowest[p] = (Lowest){heap->bins[b].live_bytes, b};
    }
}

static bool
grows_in_steps (const Lowest *lowest)
{
    const int64_t whole = lowest[N_PARTS - 1].level - lowest[0].level;
    unsigned n_steps = 0;
    for (unsigned p = 1; p < N_PARTS; p++) {
        if (lowest[p].level < lowest[p - 1].level)
            return false;
        /* A single leap is no leak. */
        if (lowest[p].level - lowest[p - 1].level > whole / 2)
            return false;
        n_steps += lowest[p].level > lowest[p - 1].level;
    }
    return n_steps >= N_PARTS - 2;
}

static void
find_leak_steps (const PvFindingContext *context, PvFindingList *list)
{
    const PvHeap *heap = context->profile->heap;
    Lowest lowest[N_PARTS];
    uint32_t first, end;
    /* Sites are those of all stacks. */
    if (context->is_stack_kept != NULL || heap == NULL)
        return;
    pv_heap_get_bins (heap, context->query->start_ns, context->query->end_ns, &first, &end);
    const uint32_t margin = (end - first) / PART_OF_ENDS;
    if (end <= first || end - first - 2 * margin < N_PARTS * BINS_PER_PART)
        return;
    find_lowest (heap, first + margin, end - margin, lowest);
    const uint32_t peak_bin = pv_heap_find_peak (heap, first, end);
    const int64_t growth = lowest[N_PARTS - 1].level - lowest[0].level;
    const int64_t peak = heap->bins[peak_bin].peak_bytes;
    if (!grows_in_steps (lowest) || growth < LEAST_GROWTH_BYTES ||
        (double)growth < LEAST * (double)peak)
        return;
    g_autofree int64_t *of_site = g_new0 (int64_t, MAX (heap->n_sites, 1));
    pv_heap_weigh_sites (heap, PV_HEAP_GROWTH, lowest[0].bin + 1, lowest[N_PARTS - 1].bin + 1,
                         of_site, NULL);
    const PvBlamed most = pv_finding_blame_sites (context, of_site);
    g_autofree char *from = pv_format_amount ((uint64_t)MAX (lowest[0].level, 0), PV_UNIT_BYTES);
    g_autofree char *to =
        pv_format_amount ((uint64_t)MAX (lowest[N_PARTS - 1].level, 0), PV_UNIT_BYTES);
    /* Translators: two amounts of memory. */
    g_autofree char *title =
        g_strdup_printf (_ ("Memory in use grows steadily, from %s to %s"), from, to);
    PvFinding finding = {
        .rule = pv_rule_leak_steps.word,
        .detail = g_strdup (_ ("More and more blocks are not freed: it may be a leak, or a cache "
                               "without a limit.")),
        .measure = pv_profile_find_heap_measure (context->profile, PV_HEAP_GROWTH),
        .amount = (uint64_t)growth,
        .cost = MIN ((double)growth / (double)peak, 1),
        .page = PV_FINDING_GRAPH,
        .function = most.function,
        .module = context->symbols->functions[most.function].module,
        .options = g_new0 (char *, 3),
    };
    finding.options[0] = g_strdup ("--measure=growth");
    finding.options[1] = g_strdup_printf ("--time=%" G_GUINT64_FORMAT "ms..%" G_GUINT64_FORMAT "ms",
                                          (lowest[0].bin + 1) * heap->bin_ms,
                                          (lowest[N_PARTS - 1].bin + 1) * heap->bin_ms);
    if (most.function != 0) {
        g_autofree char *name = pv_finding_format_function (context, most.function);
        g_autofree char *amount = pv_format_amount (most.amount, PV_UNIT_BYTES);
        /* Translators: a sentence, a function, an amount of memory. */
        finding.title =
            g_strdup_printf (_ ("%s; what “%s” allocates grows by %s"), title, name, amount);
    } else {
        finding.title = g_steal_pointer (&title);
    }
    pv_array_push (list, finding);
}

const PvFindingRule pv_rule_leak_steps = {
    .word = "leak-steps",
    .find = find_leak_steps,
};
