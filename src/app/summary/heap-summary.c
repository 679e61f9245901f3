/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/summary/heap-summary.h"

#include <glib/gi18n.h>

#include "app/work/query-text.h"
#include "core/base/format.h"

#define NS_PER_MS 1000000

static const PvHeapMeasure top_measures[PV_HEAP_SUMMARY_N_TOPS] = {
    PV_HEAP_PEAK,
    PV_HEAP_LEAKED,
    PV_HEAP_ALLOCATIONS,
    PV_HEAP_TEMPORARY,
};

/* In a worker */

void
pv_heap_summary_free (PvHeapSummary *summary)
{
    pv_call_tree_free (summary->tree);
    g_free (summary);
}

static gboolean
find_top (PvHeapTop *top, const PvCallTree *tree, PvJob *job)
{
    g_autoptr (PvFunctionList) list = pv_function_list_build (tree, job);

    if (list == NULL)
        return FALSE;
    top->total = tree->total[0];
    while (top->n_rows < MIN (list->n_rows, PV_HEAP_SUMMARY_MAX_TOP) &&
           list->rows[top->n_rows].self > 0) {
        top->rows[top->n_rows] = list->rows[top->n_rows];
        top->rows[top->n_rows].frame = NULL; /* belongs to the list */
        top->n_rows++;
    }
    return TRUE;
}

/* The trees have the same shape, only their weights differ. */
static gboolean
find_tops (PvHeapSummary *summary, PvJob *job, GError **error)
{
    const PvCallTree *tree = summary->tree;
    gboolean is_done = TRUE;

    for (unsigned i = 0; i < PV_HEAP_SUMMARY_N_TOPS && is_done; i++) {
        PvHeapTop *top = &summary->tops[i];
        g_autoptr (PvCallTree) other = NULL;
        top->measure = pv_profile_find_heap_measure (tree->profile, top_measures[i]);
        if (top->measure != tree->query.measure)
            other = pv_call_tree_build_measure (tree, top->measure, job, error);
        else
            other = pv_call_tree_ref ((PvCallTree *)tree);
        is_done = other != NULL && find_top (top, other, job);
    }
    return is_done;
}

static gpointer
summarize (gpointer data, PvJob *job, GError **error)
{
    const PvCallTree *tree = data;
    PvHeapSummary *summary = g_new0 (PvHeapSummary, 1);

    summary->tree = pv_call_tree_ref ((PvCallTree *)tree);
    pv_suppressions_sum_leaks (tree->query.suppressions, !tree->query.no_default_suppressions,
                               tree->profile, tree->symbols, &summary->leaked_bytes,
                               &summary->suppressed_bytes);
    if (!find_tops (summary, job, error))
        g_clear_pointer (&summary, pv_heap_summary_free);
    return summary;
}

PvTask *
pv_heap_summary_task_new (gpointer owner, PvTaskDone done)
{
    return pv_task_new (owner, summarize, (GDestroyNotify)pv_call_tree_free,
                        (GDestroyNotify)pv_heap_summary_free, done);
}

/* Rows */

/* "9,120,718, 1,732,001 per second" */
static void
add_rate (PvSection *section, const char *title, uint64_t amount, PvUnit unit, const PvHeap *heap)
{
    g_autofree char *whole = pv_format_amount (amount, unit);
    g_autofree char *rate = NULL;
    g_autofree char *text = NULL;

    if (heap->duration_ms == 0) {
        pv_section_add_fact (section, title, whole);
        return;
    }
    rate = pv_format_amount ((uint64_t)((double)amount * 1000 / (double)heap->duration_ms), unit);
    /* Translators: an amount, and the amount per second. */
    text = g_strdup_printf (_ ("%s, %s per second"), whole, rate);
    pv_section_add_fact (section, title, text);
}

static void
add_levels (PvSection *section, const PvHeapSummary *summary)
{
    const PvHeap *heap = summary->tree->profile->heap;
    g_autofree char *peak = pv_format_amount ((uint64_t)MAX (heap->peak_bytes, 0), PV_UNIT_BYTES);
    g_autofree char *when = pv_format_moment (heap->peak_ms * NS_PER_MS);
    /* Translators: an amount of memory, at a time. */
    g_autofree char *peak_text = g_strdup_printf (_ ("%s, at %s"), peak, when);
    g_autofree char *leaked = pv_format_amount (summary->leaked_bytes, PV_UNIT_BYTES);
    g_autofree char *suppressed = pv_format_amount (summary->suppressed_bytes, PV_UNIT_BYTES);
    g_autofree char *leaked_text =
        summary->suppressed_bytes > 0
            /* Translators: two amounts of memory; leaks that are known do not count */
            ? g_strdup_printf (_ ("%s, and %s suppressed"), leaked, suppressed)
            : g_strdup (leaked);

    const char *leaked_title = heap->is_attached ? _ ("Not freed since attaching")
                               : heap->is_cut    ? _ ("Leaked so far")
                                                 : C_ ("fact", "Leaked");
    pv_section_add_fact (section, heap->is_cut ? _ ("Peak so far") : C_ ("fact", "Peak"),
                         peak_text);
    pv_section_add_fact (section, leaked_title, leaked_text);
    if (heap->peak_rss_bytes > 0) {
        g_autofree char *rss = pv_format_amount (heap->peak_rss_bytes, PV_UNIT_BYTES);
        pv_section_add_fact (section, _ ("Highest resident memory"), rss);
    }
}

void
pv_heap_summary_add_totals (PvSection *section, const PvHeapSummary *summary)
{
    const PvHeap *heap = summary->tree->profile->heap;
    g_autofree char *temporary = pv_format_amount (heap->n_temporary, PV_UNIT_COUNT);
    g_autofree char *share = pv_format_percent (heap->n_temporary, heap->n_allocations);
    /* Translators: a number of allocations, and their share of all. */
    g_autofree char *temporary_text = g_strdup_printf (_ ("%s, %s of all"), temporary, share);
    g_autofree char *duration = pv_format_moment (heap->duration_ms * NS_PER_MS);
    g_autofree char *sites = pv_format_amount (heap->n_sites, PV_UNIT_COUNT);

    g_assert (section != NULL);
    add_levels (section, summary);
    add_rate (section, C_ ("fact", "Allocations"), heap->n_allocations, PV_UNIT_COUNT, heap);
    pv_section_add_fact (section, C_ ("fact", "Temporary"), temporary_text);
    add_rate (section, C_ ("fact", "Allocated"), heap->allocated_bytes, PV_UNIT_BYTES, heap);
    pv_section_add_fact (section, C_ ("fact", "Duration"), duration);
    pv_section_add_fact (section, _ ("Allocation sites"), sites);
    if (heap->is_attached)
        pv_section_add_fact (section, C_ ("fact", "Recorded"),
                             _ ("attached to the running program"));
    pv_section_add_fact (
        section, C_ ("fact", "Accuracy"),
        heap->is_exact
            ? _ ("Exact, from the addresses of blocks")
            : _ ("Counted by size and call site, as heaptrack does: too many allocations "
                 "count as temporary, and lifetimes are unknown. Open the .raw file "
                 "for exact figures."));
}

static void
add_top_row (PvSection *section, const PvHeapSummary *summary, const PvHeapTop *top,
             const PvFunctionRow *function)
{
    const PvProfile *profile = summary->tree->profile;
    const PvFunction *name = &summary->tree->symbols->functions[function->function];
    GtkWidget *row = pv_section_add_amount (section, name->label,
                                            profile->modules[name->module].name, function->self,
                                            top->total, (int)profile->measures[top->measure].unit);

    g_object_set_data (G_OBJECT (row), "function", GUINT_TO_POINTER (function->function));
    g_object_set_data (G_OBJECT (row), "measure", GUINT_TO_POINTER (top->measure));
    gtk_widget_set_tooltip_text (row, name->name);
}

void
pv_heap_summary_add_top (PvSection *section, const PvHeapSummary *summary, unsigned number)
{
    const PvHeapTop *top = &summary->tops[number];
    const PvCallTree *tree = summary->tree;
    bool has_range = tree->query.start_ns > 0 || tree->query.end_ns < UINT64_MAX;

    g_assert (number < PV_HEAP_SUMMARY_N_TOPS);
    adw_preferences_group_set_title (section->group,
                                     pv_measure_get_title (tree->profile, top->measure));
    pv_section_set_note (section, pv_measure_get_meaning (tree->profile, top->measure, has_range));
    /* Translators: a measure: “Help on Peak” */
    g_autofree char *help =
        g_strdup_printf (_ ("Help on %s"), pv_measure_get_title (tree->profile, top->measure));
    pv_section_set_help (section, pv_measure_get_help (tree->profile, top->measure), help);
    for (uint32_t i = 0; i < top->n_rows; i++)
        add_top_row (section, summary, top, &top->rows[i]);
}
