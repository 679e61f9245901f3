/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib/gi18n-lib.h>

#include "core/analyze/findings/finding-blamed.h"
#include "core/analyze/findings/rules.h"

#define LEAST 0.1
enum { LEAST_ALLOCATIONS = 1000 };

static void
find_temporary (const PvFindingContext *context, PvFindingList *list)
{
    const PvHeap *heap = context->profile->heap;
    uint32_t first, end;
    int64_t n_temporary = 0;
    uint64_t n_allocations = 0;
    /* Sites are those of all stacks. */
    if (context->is_stack_kept != NULL || heap == NULL || heap->n_bins == 0)
        return;
    g_autofree int64_t *of_site = g_new0 (int64_t, MAX (heap->n_sites, 1));
    pv_heap_get_bins (heap, context->query->start_ns, context->query->end_ns, &first, &end);
    pv_heap_weigh_sites (heap, PV_HEAP_TEMPORARY, first, end, of_site, &n_temporary);
    for (uint32_t b = first; b < end; b++)
        n_allocations += heap->bins[b].n_allocations;
    if (n_temporary < LEAST_ALLOCATIONS || (uint64_t)n_temporary > n_allocations ||
        (double)n_temporary < LEAST * (double)n_allocations)
        return;
    const PvBlamed most = pv_finding_blame_sites (context, of_site);
    g_autofree char *number = pv_format_count ((uint64_t)n_temporary);
    g_autofree char *all = pv_format_count (n_allocations);
    g_autofree char *share = pv_format_percent ((double)n_temporary, (double)n_allocations);
    /* Translators: a number, another one that it is a part of, and its share. */
    g_autofree char *title = g_strdup_printf (
        g_dngettext (GETTEXT_PACKAGE, "%s of %s allocation (%s) is temporary",
                     "%s of %s allocations (%s) are temporary", (gulong)n_allocations),
        number, all, share);
    PvFinding finding = {
        .rule = pv_rule_temporary.word,
        .detail = g_strdup (
            heap->is_exact
                ? _ ("Each of these blocks is freed before anything else is allocated or freed. "
                     "Reuse "
                     "one buffer instead.")
                : _ ("The next block that was freed had the same size and call stack, as heaptrack "
                     "counts them; some may have lived longer. Reuse one buffer instead.")),
        .measure = pv_profile_find_heap_measure (context->profile, PV_HEAP_ALLOCATIONS),
        .amount = (uint64_t)n_temporary,
        .cost = (double)n_temporary / (double)n_allocations,
        .page = PV_FINDING_GRAPH,
        .function = most.function,
        .module = context->symbols->functions[most.function].module,
        .options = g_new0 (char *, 2),
    };
    finding.options[0] = g_strdup ("--measure=temporary");
    if (most.function != 0) {
        g_autofree char *name = pv_finding_format_function (context, most.function);
        g_autofree char *part = pv_format_percent ((double)most.amount, (double)n_temporary);
        /* Translators: a sentence, a share, a function. */
        finding.title = g_strdup_printf (_ ("%s; %s of them are made by “%s”"), title, part, name);
    } else {
        finding.title = g_steal_pointer (&title);
    }
    pv_array_push (list, finding);
}

const PvFindingRule pv_rule_temporary = {
    .word = "temporary",
    .find = find_temporary,
};
