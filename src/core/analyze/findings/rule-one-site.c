/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib/gi18n-lib.h>

#include "core/analyze/findings/finding-blamed.h"
#include "core/analyze/findings/rules.h"

#define LEAST 0.5
enum { LEAST_PEAK_BYTES = 1 << 20 };

static void
find_one_site (const PvFindingContext *context, PvFindingList *list)
{
    const PvHeap *heap = context->profile->heap;
    uint32_t first, end;
    int64_t total = 0;
    /* Sites are those of all stacks. */
    if (context->is_stack_kept != NULL || heap == NULL || heap->n_bins == 0)
        return;
    g_autofree int64_t *of_site = g_new0 (int64_t, MAX (heap->n_sites, 1));
    pv_heap_get_bins (heap, context->query->start_ns, context->query->end_ns, &first, &end);
    pv_heap_weigh_sites (heap, PV_HEAP_PEAK, first, end, of_site, &total);
    const PvBlamed most = pv_finding_blame_sites (context, of_site);
    if (total < LEAST_PEAK_BYTES || (double)most.amount < LEAST * (double)total)
        return;
    g_autofree char *name = pv_finding_format_function (context, most.function);
    g_autofree char *share = pv_format_percent ((double)most.amount, (double)total);
    g_autofree char *amount = pv_format_amount (most.amount, PV_UNIT_BYTES);
    g_autofree char *peak = pv_format_amount ((uint64_t)total, PV_UNIT_BYTES);
    PvFinding finding = {
        .rule = pv_rule_one_site.word,
        /* Translators: a function, a share, an amount, another one. */
        .title = g_strdup_printf (_ ("“%s” allocates %s of the memory at the peak: %s of %s"), name,
                                  share, amount, peak),
        .measure = pv_profile_find_heap_measure (context->profile, PV_HEAP_PEAK),
        .amount = most.amount,
        .cost = MIN ((double)most.amount / (double)total, 1),
        .page = PV_FINDING_GRAPH,
        .function = most.function,
        .module = context->symbols->functions[most.function].module,
        .options = g_new0 (char *, 2),
    };
    finding.options[0] = g_strdup ("--measure=peak");
    pv_array_push (list, finding);
}

const PvFindingRule pv_rule_one_site = {
    .word = "one-site",
    .find = find_one_site,
};
