/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export/report/neighbours.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/base/idmap.h"
#include "core/model/profile/function-match.h"
#include "core/model/profile/matcher.h"
#include "export/report/print-parts.h"

struct PvNeighbours {
    const PvCallTree *tree;
    bool has_sides;           /* the first two measures are the base and the new side */
    const PvChanges *changes; /* by function, with intervals; or NULL */
    GArray *measures; /* PvMeasureId: the one shown, or both sides; then those of joined files, and
                       * those that intervals need */
    PvCallersCallees ***of; /* by measure, then by function */
};

static PvMeasureId
get_measure (const PvNeighbours *neighbours, guint m)
{
    return g_array_index (neighbours->measures, PvMeasureId, m);
}

static GArray *
list_measures (const PvCallTree *tree, const PvPair *pair, bool has_intervals)
{
    const PvProfile *profile = tree->profile;
    GArray *measures = g_array_new (FALSE, FALSE, sizeof (PvMeasureId));
    const PvJoinedFile *file = pv_profile_get_joined_file (profile, tree->query.measure);
    if (pair != NULL)
        g_array_append_vals (measures, pair->of_side, PV_N_SIDES);
    else
        g_array_append_val (measures, tree->query.measure);
    for (uint32_t i = 0; i < profile->n_joined; i++)
        if (&profile->joined[i] != file)
            g_array_append_val (measures, profile->joined[i].first_measure);
    if (has_intervals)
        pv_changes_add_measures (pair, measures);
    return measures;
}

static void
neighbours_free (PvNeighbours *neighbours)
{
    const uint32_t n_functions = neighbours->tree->symbols->n_functions;
    for (guint m = 0; m < neighbours->measures->len; m++) {
        PvCallersCallees **of = neighbours->of[m];
        for (PvFunctionId f = 0; of != NULL && f < n_functions; f++)
            pv_callers_callees_free (of[f]);
        g_free (of);
    }
    g_free (neighbours->of);
    g_array_unref (neighbours->measures);
    g_free (neighbours);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvNeighbours, neighbours_free)

static PvNeighbours *
find (const PvReport *report, const bool *is_wanted, GError **error)
{
    const PvCallTree *tree = report->tree;
    g_autoptr (PvNeighbours) neighbours = g_new0 (PvNeighbours, 1);
    neighbours->tree = tree;
    neighbours->has_sides = pv_changes_can_sum (tree);
    if (report->amounts == PV_AMOUNTS_COMPARED && report->changes->noise != NULL)
        neighbours->changes = report->changes;
    neighbours->measures = list_measures (
        tree,
        neighbours->has_sides ? pv_profile_get_pair (tree->profile, tree->query.measure) : NULL,
        neighbours->changes != NULL);
    neighbours->of = g_new0 (PvCallersCallees **, neighbours->measures->len);
    for (guint m = 0; m < neighbours->measures->len; m++) {
        g_autoptr (PvCallTree) other = NULL;
        if (get_measure (neighbours, m) != tree->query.measure) {
            other = pv_call_tree_build_measure (tree, get_measure (neighbours, m), NULL, error);
            if (other == NULL)
                return NULL;
        }
        neighbours->of[m] =
            pv_callers_callees_build_all (other != NULL ? other : tree, is_wanted, NULL);
    }
    return g_steal_pointer (&neighbours);
}

/* By function, true if it is one of these and matches. */
static bool *
match (const PvReport *report, const GArray *functions, PvMatcher *matcher, uint32_t *ret_n)
{
    bool *is_match = g_new0 (bool, MAX (report->symbols->n_functions, 1));
    *ret_n = 0;
    for (guint i = 0; i < functions->len; i++) {
        const PvFunctionId id = g_array_index (functions, PvFunctionId, i);
        is_match[id] = pv_function_matches (report->symbols, id, matcher);
        *ret_n += is_match[id];
    }
    return is_match;
}

/* Those of the functions that --function names. *ret_is_wanted, by function: true if it is one of
 * them; g_free () it. NULL with an error: none is. */
static PvNeighbours *
find_named (const PvReport *report, const GArray *functions, bool **ret_is_wanted, GError **error)
{
    g_assert (report != NULL && report->tree != NULL && report->options->function != NULL);
    uint32_t n_found;
    g_autoptr (PvMatcher) matcher = pv_matcher_new (report->options->function, false, error);
    if (matcher == NULL)
        return NULL;
    *ret_is_wanted = match (report, functions, matcher, &n_found);
    if (pv_matcher_gave_up (matcher))
        pv_matcher_set_slow (report->options->function, error);
    else if (n_found == 0)
        pv_print_set_no_function (report->options->function, error);
    else
        return find (report, *ret_is_wanted, error);
    return NULL;
}

static const PvCallersCallees *
get (const PvNeighbours *neighbours, guint m, PvFunctionId function)
{
    return neighbours->of[m][function];
}

static void
get_function_row (const PvNeighbours *neighbours, PvFunctionId function, PvRow *ret_row)
{
    const PvCallersCallees *first = get (neighbours, 0, function);
    pv_row_init_from_tree (ret_row, neighbours->tree, function);
    ret_row->self = first->self;
    ret_row->total = first->total;
    if (!neighbours->has_sides)
        return;
    ret_row->has_own_changes = true;
    if (neighbours->changes != NULL) {
        ret_row->self_change = pv_change_get (neighbours->changes, function, true);
        ret_row->total_change = pv_change_get (neighbours->changes, function, false);
        return;
    }
    const PvCallersCallees *second = get (neighbours, PV_SIDE_NEW, function);
    ret_row->self_change = (PvChange){.base = first->self, .newer = second->self};
    ret_row->total_change = (PvChange){.base = first->total, .newer = second->total};
}

/* --- reports --- */

static PvReportTable *
begin_table (const PvReport *report, const PvNeighbourReport *kind, const PvExtras *extras)
{
    return pv_report_table_begin (report, kind->member, kind->columns, kind->n_columns, 0, extras,
                                  false);
}

bool
pv_neighbours_append (const PvReport *report, const GArray *functions,
                      const PvNeighbourReport *kind, GError **error)
{
    g_assert (report != NULL && functions != NULL && kind != NULL);
    const bool is_text = pv_report_is_text (report);
    g_autofree bool *is_wanted = NULL;
    g_autoptr (PvNeighbours) neighbours = find_named (report, functions, &is_wanted, error);
    if (neighbours == NULL)
        return false;
    g_autoptr (PvExtras) extras =
        report->changes == NULL ? pv_extras_new (report->profile, report->query, PV_TABLE_CALLERS)
                                : NULL;
    bool is_first = true;
    pv_report_begin (report);
    PvReportTable *table = is_text ? NULL : begin_table (report, kind, extras);
    for (guint i = 0; i < functions->len; i++) {
        PvRow row;
        const PvFunctionId function = g_array_index (functions, PvFunctionId, i);
        if (!is_wanted[function])
            continue;
        is_wanted[function] = false; /* with --by=line a function has several rows */
        get_function_row (neighbours, function, &row);
        if (is_text) {
            g_string_append (report->sink->text, is_first ? "" : "\n");
            if (kind->append_heading != NULL)
                kind->append_heading (report, function, &row);
            table = begin_table (report, kind, extras);
        }
        kind->add_rows (report, neighbours, function, &row, table);
        if (is_text)
            pv_report_table_end (g_steal_pointer (&table), 0);
        is_first = false;
    }
    if (table != NULL)
        pv_report_table_end (table, 0);
    return true;
}

/* --- lists --- */

static const PvCaller *
get_calls (const PvNeighbours *neighbours, guint m, PvFunctionId function, bool is_callers,
           uint32_t *ret_n)
{
    const PvCallersCallees *both = get (neighbours, m, function);
    *ret_n = is_callers ? both->n_callers : both->n_callees;
    return is_callers ? both->callers : both->callees;
}

/* The calls of all measures, each once, those of the first measure first. Weights are still
 * missing. */
static void
gather (PvNeighbourList *list, PvFunctionId function, bool is_callers, PvIdMap *places)
{
    for (guint m = 0; m < list->of->measures->len; m++) {
        uint32_t n;
        const PvCaller *calls = get_calls (list->of, m, function, is_callers, &n);
        for (uint32_t i = 0; i < n; i++) {
            uint32_t *place = pv_id_map_slot (places, (uint64_t)calls[i].function + 1);
            PvCaller call = {.function = calls[i].function,
                             .n_calls = m == 0 ? calls[i].n_calls : PV_AMOUNT_UNKNOWN};
            if (*place > 0)
                continue;
            g_array_append_val (list->calls, call);
            *place = list->calls->len;
        }
    }
}

static uint64_t
get_amount (const PvNeighbourList *list, guint m, uint32_t call)
{
    return list->sums->columns[m].total[call];
}

static void
fill_sums (PvNeighbourList *list, PvFunctionId function, bool is_callers, const PvIdMap *places)
{
    for (guint m = 0; m < list->of->measures->len; m++) {
        uint32_t n;
        const PvCaller *calls = get_calls (list->of, m, function, is_callers, &n);
        memset (list->sums->columns[m].total, 0, list->calls->len * sizeof (uint64_t));
        for (uint32_t i = 0; i < n; i++)
            list->sums->columns[m]
                .total[pv_id_map_find (places, (uint64_t)calls[i].function + 1) - 1] =
                calls[i].weight;
    }
}

typedef struct {
    uint64_t change, both;
    PvCaller call;
} SortedCall;

static int
compare_calls (const void *a, const void *b)
{
    const SortedCall *x = a, *y = b;
    if (x->change != y->change)
        return x->change > y->change ? -1 : 1;
    if (x->both != y->both)
        return x->both > y->both ? -1 : 1;
    return x->call.function < y->call.function ? -1 : x->call.function > y->call.function;
}

/* Calls come by weight already, but those of two sides do not. */
static void
sort_by_change (PvNeighbourList *list, PvIdMap *places)
{
    g_autofree SortedCall *sorted = g_new (SortedCall, MAX (list->calls->len, 1));
    for (guint i = 0; i < list->calls->len; i++) {
        const uint64_t base = get_amount (list, PV_SIDE_BASE, i);
        const uint64_t newer = get_amount (list, PV_SIDE_NEW, i);
        sorted[i] = (SortedCall){pv_change_get_size ((int64_t)(newer - base)), newer + base,
                                 g_array_index (list->calls, PvCaller, i)};
    }
    if (list->calls->len > 1)
        qsort (sorted, list->calls->len, sizeof *sorted, compare_calls);
    for (guint i = 0; i < list->calls->len; i++) {
        g_array_index (list->calls, PvCaller, i) = sorted[i].call;
        *pv_id_map_slot (places, (uint64_t)sorted[i].call.function + 1) = i + 1;
    }
}

/* Finds the intervals of the calls: a caller's are as sure as the function that it calls. */
static void
find_changes (PvNeighbourList *list, PvFunctionId function, bool is_callers)
{
    PvFunctionId *function_of_row = g_new (PvFunctionId, MAX (list->calls->len, 1));
    for (guint i = 0; i < list->calls->len; i++)
        function_of_row[i] =
            is_callers ? function : g_array_index (list->calls, PvCaller, i).function;
    list->changes = pv_changes_take_functions (list->of->tree, list->sums, function_of_row,
                                               list->of->changes->noise);
}

void
pv_neighbours_list (const PvNeighbours *neighbours, PvFunctionId function, bool is_callers,
                    PvNeighbourList *ret_list)
{
    g_assert (neighbours != NULL && ret_list != NULL);
    const GArray *measures = neighbours->measures;
    const PvMeasureId *ids = (const PvMeasureId *)(gpointer)measures->data;
    PvIdMap places = {0}; /* of the function, plus 1: the place in calls, plus 1 */
    *ret_list =
        (PvNeighbourList){.of = neighbours, .calls = g_array_new (FALSE, FALSE, sizeof (PvCaller))};
    gather (ret_list, function, is_callers, &places);
    ret_list->sums = pv_measure_sums_new (ids, measures->len, ret_list->calls->len);
    fill_sums (ret_list, function, is_callers, &places);
    if (neighbours->has_sides) {
        sort_by_change (ret_list, &places);
        fill_sums (ret_list, function, is_callers, &places);
    }
    if (neighbours->changes != NULL)
        find_changes (ret_list, function, is_callers);
    pv_id_map_clear (&places);
}

void
pv_neighbour_list_clear (PvNeighbourList *list)
{
    g_clear_pointer (&list->changes, pv_changes_free);
    g_clear_pointer (&list->calls, g_array_unref);
    g_clear_pointer (&list->sums, pv_measure_sums_free);
}

void
pv_neighbour_list_get_row (const PvNeighbourList *list, uint32_t call, bool is_text, PvRow *ret_row)
{
    g_assert (list != NULL && call < list->calls->len);
    const PvCaller *of = &g_array_index (list->calls, PvCaller, call);
    pv_row_init_from_tree (ret_row, list->of->tree, of->function);
    if (of->function == 0 && is_text)
        ret_row->name = ret_row->label = _ ("(no caller)");
    ret_row->n_calls = of->n_calls;
    ret_row->total = get_amount (list, 0, call);
    ret_row->sums = list->sums;
    ret_row->sums_row = call;
    ret_row->has_own_changes = list->of->has_sides;
    if (list->changes != NULL)
        ret_row->total_change = pv_change_get (list->changes, call, false);
    else if (list->of->has_sides)
        ret_row->total_change = (PvChange){.base = get_amount (list, PV_SIDE_BASE, call),
                                           .newer = get_amount (list, PV_SIDE_NEW, call)};
}

uint64_t
pv_neighbour_list_get_weight (const PvNeighbourList *list, uint32_t call)
{
    return get_amount (list, 0, call) + (list->of->has_sides ? get_amount (list, 1, call) : 0);
}
