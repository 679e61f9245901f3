/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export/report/summary-report.h"

#include <math.h>

#include "core/analyze/query/formula.h"
#include "core/analyze/query/suppressions.h"
#include "core/analyze/tables/functions.h"
#include "core/analyze/tables/stack-quality.h"
#include "core/base/array.h"
#include "core/write/summary.h"

enum { SITES_PER_MEASURE = 5 };

static void
measure_stacks (const PvReport *report, PvSummaryStacks *stacks)
{
    const PvProfile *profile = report->profile;
    PvStackQuality all, own = {0};
    pv_stack_quality_measure_all (profile, report->symbols, &all);
    if (profile->n_measures > 0)
        pv_stack_quality_measure (profile, report->symbols,
                                  profile->measures[report->query->measure].set, &own);
    *stacks = (PvSummaryStacks){
        .all = {all.n_complete, all.n_truncated, all.n_broken, all.n_unknown},
        .of_measure = {own.n_complete, own.n_truncated, own.n_broken, own.n_unknown},
        .measure = report->query->measure,
        .is_known = pv_stack_quality_is_known (&own),
        .cause = all.cause,
        .advice = all.command_advice,
        .n_of_cause = all.n_of_cause,
    };
}

typedef PV_ARRAY (PvSummarySite) SiteArray;

static void
add_sites (SiteArray *sites, const PvCallTree *tree)
{
    g_autoptr (PvFunctionList) list = pv_function_list_build (tree, NULL);
    for (uint32_t i = 0; i < list->n_rows && i < SITES_PER_MEASURE && list->rows[i].self > 0; i++) {
        const PvFunction *function = &tree->symbols->functions[list->rows[i].function];
        PvSummarySite site = {.measure = tree->query.measure,
                              .weight = list->rows[i].self,
                              .function = function->name,
                              .label = function->label,
                              .module = tree->profile->modules[function->module].name};
        pv_array_push (sites, site);
    }
}

/* For the whole recording: then live and growth equal leaked plus suppressed, so both are skipped.
 */
static bool
find_sites (SiteArray *sites, const PvProfile *profile, const PvSymbolTable *symbols,
            const PvQuery *asked, GError **error)
{
    g_autoptr (PvCallTree) tree = NULL;
    PvQuery query;
    bool is_done = true;
    pv_query_copy (&query, asked);
    query.start_ns = 0;
    query.end_ns = UINT64_MAX;
    query.granularity = PV_BY_FUNCTION;
    query.is_inverted = false;
    for (PvMeasureId m = 0; m < profile->n_measures && is_done; m++) {
        PvHeapMeasure measure = profile->measures[m].heap;
        if (measure == PV_HEAP_LIVE || measure == PV_HEAP_GROWTH)
            continue;
        query.measure = m;
        PvCallTree *next = pv_call_tree_build_stacks (profile, symbols, &query, tree, NULL, error);
        pv_call_tree_free (tree);
        tree = next;
        is_done = tree != NULL;
        if (is_done)
            add_sites (sites, tree);
    }
    pv_query_clear (&query);
    return is_done;
}

static void
clear_figure (void *data)
{
    PvSummaryFigure *figure = data;
    g_free ((char *)figure->name);
    g_free ((char *)figure->title);
    g_free ((char *)figure->value);
    g_free ((char *)figure->plain);
}

/* Results of the usual formulas for the whole profile: an array of PvSummaryFigure, which owns the
 * strings. */
static GArray *
list_usual (const PvProfile *profile)
{
    GArray *figures = g_array_new (FALSE, FALSE, sizeof (PvSummaryFigure));
    g_array_set_clear_func (figures, clear_figure);
    g_autoptr (GPtrArray) formulas = pv_formula_list_usual (profile);
    for (guint i = 0; i < formulas->len; i++) {
        const PvFormula *formula = formulas->pdata[i];
        double value = pv_formula_compute_whole (formula, profile);
        if (isnan (value))
            continue;
        PvSummaryFigure figure = {.name = g_strdup (formula->name),
                                  .title = g_strdup (formula->title),
                                  .value = pv_formula_format (formula, value),
                                  .plain = pv_formula_format_plain (value)};
        g_array_append_val (figures, figure);
    }
    return figures;
}

static void
write_summary (const PvReport *report, const PvSummaryStacks *stacks, const PvSummaryHeap *heap)
{
    g_autoptr (GArray) figures = list_usual (report->profile);
    pv_write_summary (report->profile, report->symbols, stacks, heap,
                      (const PvSummaryFigure *)(gpointer)figures->data, figures->len,
                      report->format, report->sink->text);
}

static bool
append_heap_summary (const PvReport *report, GError **error)
{
    const PvQuery *query = report->query;
    PvSummaryHeap heap = {.max_width = report->options->terminal_width};
    SiteArray sites = {0};
    pv_suppressions_sum_leaks (query->suppressions, !query->no_default_suppressions,
                               report->profile, report->symbols, &heap.leaked_bytes,
                               &heap.suppressed_bytes);
    bool is_done = !pv_report_is_text (report) ||
                   find_sites (&sites, report->profile, report->symbols, query, error);
    heap.sites = sites.data;
    heap.n_sites = (uint32_t)sites.len;
    if (is_done)
        write_summary (report, NULL, &heap);
    pv_array_clear (&sites);
    return is_done;
}

bool
pv_summary_report_append (const PvReport *report, GError **error)
{
    g_assert (report != NULL);
    if (report->profile->heap != NULL)
        return append_heap_summary (report, error);
    PvSummaryStacks stacks;
    /* The share of sums with complete stacks says nothing about the recording. */
    bool has_stacks = !pv_profile_has_sums (report->profile);
    if (has_stacks)
        measure_stacks (report, &stacks);
    write_summary (report, has_stacks ? &stacks : NULL, NULL);
    return true;
}
