/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A series of dumps whose state grows from nearly each dump to the next. */
#include <glib/gi18n-lib.h>

#include "core/analyze/findings/finding-blamed.h"
#include "core/analyze/findings/finding-weights.h"
#include "core/analyze/findings/rules.h"
#include "core/model/profile/dumps.h"

enum { LEAST_DUMPS = 3, LEAST_BYTES = 1 << 20 };

/* Share of the memory in use at the end, for the whole series and for its second half: a program
 * that only starts does not leak. */
#define LEAST          0.1
#define LEAST_OF_STEPS 0.7

/* The state at each dump, without the filters of the query. */
static uint64_t *
sum_dumps (const PvProfile *profile, PvMeasureId measure)
{
    const PvMeasure *row = &profile->measures[measure];
    const PvSampleSet *set = &profile->sets[row->set];
    uint64_t *sums = g_new0 (uint64_t, profile->n_dumps);
    uint32_t dump = 0;
    for (uint32_t i = 0; i < set->n_samples; i++) {
        const uint64_t time_ns = pv_sample_set_time_ns (set, i);
        while (dump + 1 < profile->n_dumps && time_ns >= profile->dumps[dump + 1].time_ns)
            dump++;
        sums[dump] += pv_sample_set_weight (set, row->column, i);
    }
    return sums;
}

static bool
grows_by (uint64_t from, uint64_t to)
{
    return to > from && to - from >= LEAST_BYTES && (double)(to - from) >= LEAST * (double)to;
}

static bool
grows_mostly (const uint64_t *sums, uint32_t n)
{
    uint32_t n_up = 0;
    if (!grows_by (sums[n / 2], sums[n - 1]))
        return false;
    for (uint32_t d = 1; d < n; d++)
        n_up += sums[d] > sums[d - 1];
    return n_up >= LEAST_OF_STEPS * (n - 1);
}

static PvMeasureId
find_state (const PvFindingContext *context)
{
    const PvProfile *profile = context->profile;
    PvMeasureId found = UINT32_MAX;
    for (PvMeasureId m = 0; m < profile->n_measures; m++) {
        const PvMeasure *row = &profile->measures[m];
        if (row->aggregation != PV_AGGREGATION_STATE || row->set == PV_NO_SET ||
            row->part != PV_PART_NONE || row->unit != PV_UNIT_BYTES)
            continue;
        if (m == context->query->measure)
            return m;
        found = MIN (found, m);
    }
    return found;
}

static void
find_series_growth (const PvFindingContext *context, PvFindingList *list)
{
    const PvProfile *profile = context->profile;
    g_auto (PvFindingWeights) weights = {0};
    /* Dumps are summed without the filters. */
    if (context->is_stack_kept != NULL || profile->n_dumps < LEAST_DUMPS ||
        pv_profile_has_sums (profile))
        return;
    const PvMeasureId state = find_state (context);
    const PvMeasureId measure = state != UINT32_MAX
                                    ? pv_dumps_find_measure (profile, state, PV_AGGREGATION_GROWTH)
                                    : UINT32_MAX;
    const PvMeasureId shown = state != UINT32_MAX
                                  ? pv_dumps_find_measure (profile, state, PV_AGGREGATION_CHANGE)
                                  : UINT32_MAX;
    if (measure == UINT32_MAX || shown >= profile->n_measures)
        return;
    g_autofree uint64_t *sums = sum_dumps (profile, state);
    /* The first dump of a run may be of nothing. */
    const uint64_t from = sums[0] != 0 ? sums[0] : sums[1], to = sums[profile->n_dumps - 1];
    if (!grows_by (from, to) || !grows_mostly (sums, profile->n_dumps) ||
        !pv_finding_weights_init (&weights, context, measure) || weights.total == 0)
        return;
    const PvBlamed most = pv_finding_blame_most (context, weights.of_stack);
    g_autofree char *from_text = pv_format_amount (from, PV_UNIT_BYTES);
    g_autofree char *to_text = pv_format_amount (to, PV_UNIT_BYTES);
    /* Translators: two amounts of memory. */
    g_autofree char *title = g_strdup_printf (
        _ ("Memory in use grows from dump to dump, from %s to %s"), from_text, to_text);
    PvFinding finding = {
        .rule = pv_rule_series_growth.word,
        .measure = shown,
        .amount = to - from,
        .cost = (double)(to - from) / (double)to,
        .page = PV_FINDING_GRAPH,
        .function = most.function,
        .module = context->symbols->functions[most.function].module,
        .options = g_new0 (char *, 2),
    };
    finding.options[0] = g_strdup_printf ("--measure=%s", profile->measures[shown].name);
    if (most.function != 0) {
        g_autofree char *name = pv_finding_format_function (context, most.function);
        g_autofree char *part = pv_format_percent ((double)most.amount, (double)weights.total);
        /* Translators: a sentence, a share, a function. */
        finding.title =
            g_strdup_printf (_ ("%s; %s of the growth is allocated by “%s”"), title, part, name);
    } else {
        finding.title = g_steal_pointer (&title);
    }
    pv_array_push (list, finding);
}

const PvFindingRule pv_rule_series_growth = {
    .word = "series-growth",
    .find = find_series_growth,
};
