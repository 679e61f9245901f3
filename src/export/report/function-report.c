/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export/report/function-report.h"

#include <glib/gi18n.h>
#include <stdlib.h>

#include "core/analyze/tables/functions.h"
#include "export/report/neighbours.h"
#include "export/report/print-parts.h"

/* --- top --- */

/* When columns are there, besides the flags of all reports. */
enum {
    HAS_PLACE = PV_REPORT_FIRST_OWN_FLAG,
    HAS_ADDRESS = HAS_PLACE << 1,
    HAS_LIFETIME = HAS_PLACE << 2,
    HAS_GROUP = HAS_PLACE << 3,
    IS_NARROW = HAS_PLACE << 4, /* no room for shares and amounts */
};

static const PvReportColumn top_columns[] = {
    {PV_SELF (PV_SHOW_SHARE), "", NC_ ("column", "Self %"), PV_IN_TEXT | PV_OF_ONE},
    {PV_TOTAL (PV_SHOW_SHARE), "", NC_ ("column", "Total %"), PV_IN_TEXT | PV_OF_ONE},
    {PV_SELF (PV_SHOW_AMOUNT), "self", NC_ ("column", "Self"), 0, PV_OF_COMPARED | IS_NARROW},
    {PV_TOTAL (PV_SHOW_AMOUNT), "total", NC_ ("column", "Total"), 0, PV_OF_COMPARED | IS_NARROW},
    PV_TEXT_SIDES,
    PV_PLAIN_SIDES,
    PV_PLAIN_INTERVALS,
    {{PV_COLUMN_EXTRAS}, "", "", PV_IN_TEXT},
    {{PV_COLUMN_GROUP}, "", NULL, PV_IN_TEXT | PV_OF_ONE | HAS_GROUP},
    {{PV_COLUMN_NAME}, "function", NC_ ("column", "Function")},
    {{PV_COLUMN_MODULE}, "module", NC_ ("column", "Module")},
    {{PV_COLUMN_FILE}, "file", NC_ ("column", "File"), HAS_PLACE},
    {{PV_COLUMN_LINE}, "line", NC_ ("column", "Line"), HAS_PLACE},
    {{PV_COLUMN_ADDRESS}, "address", NC_ ("column", "Address"), HAS_ADDRESS},
    /* Translators: how long blocks of memory were held */
    {{PV_COLUMN_MEDIAN}, "median_lifetime_ms", NC_ ("column", "Median lifetime"), HAS_LIFETIME},
    {{PV_COLUMN_GROUP}, "group", NC_ ("column", "Group"), PV_IN_TEXT | HAS_GROUP, PV_OF_ONE},
    {{PV_COLUMN_GROUP}, "group", "", PV_IN_PLAIN | HAS_GROUP},
    {{PV_COLUMN_NOISE}, "noise", "", PV_IN_JSON | PV_OF_COMPARED},
    {{PV_COLUMN_FORMER}, "renamed_from", "", PV_IN_JSON | PV_HAS_RENAMES},
    {{PV_COLUMN_NOW_IN}, "now_in", "", PV_IN_JSON | PV_HAS_RENAMES},
    {{PV_COLUMN_WAS_IN}, "was_in", "", PV_IN_JSON | PV_HAS_RENAMES},
    {{PV_COLUMN_EXTRAS}, "", "", PV_IN_PLAIN},
};

/* A list with all that its rows show. */
typedef struct {
    PvFunctionList *list;
    PvExtras *extras;         /* NULL: none */
    PvMeasureSums *sums;      /* of extra columns; NULL: none */
    bool is_sum_by_function;  /* else by row */
    PvChanges *by_row;        /* or NULL */
    const PvChanges *changes; /* by row, or those of the report; NULL: the measure is not signed */
} Top;

static void
top_clear (Top *top)
{
    g_clear_pointer (&top->list, pv_function_list_free);
    g_clear_pointer (&top->extras, pv_extras_free);
    g_clear_pointer (&top->sums, pv_measure_sums_free);
    g_clear_pointer (&top->by_row, pv_changes_free);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Top, top_clear)

static bool
has_lifetimes (const PvFunctionList *list)
{
    for (uint32_t i = 0; i < list->n_rows; i++)
        if (list->rows[i].median_ms != UINT64_MAX)
            return true;
    return false;
}

/* A narrow terminal has no room for all columns. Formats for other programs always have the same
 * ones. */
static unsigned
choose_top_columns (const PvReport *report, const PvFunctionList *list)
{
    const bool is_signed = report->changes != NULL;
    const bool is_by_function = report->query->granularity == PV_BY_FUNCTION;
    const bool is_narrow = report->max_width > 0 && report->max_width < (is_signed ? 140 : 120);
    const bool has_place = !is_narrow || (!is_signed && !is_by_function);
    return (has_place ? HAS_PLACE : 0) |
           (is_narrow && !is_signed && !is_by_function ? IS_NARROW : 0) |
           (report->query->granularity == PV_BY_ADDRESS ? HAS_ADDRESS : 0) |
           (!is_signed && !pv_format_has_cells (report->format) && has_lifetimes (list)
                ? HAS_LIFETIME
                : 0) |
           (report->query->grouping != PV_GROUP_NONE ? HAS_GROUP : 0);
}

static void
get_top_row (const PvReport *report, const Top *top, uint32_t index, uint32_t change_row,
             PvRow *ret_row)
{
    const PvFunctionRow *of = &top->list->rows[index];
    pv_row_init (ret_row, report->profile, report->symbols, report->query, of->function);
    ret_row->whole = report->whole;
    ret_row->self = of->self;
    ret_row->total = of->total;
    ret_row->frame = report->query->granularity != PV_BY_FUNCTION ? of->frame : NULL;
    ret_row->location = of->location;
    ret_row->group = of->group;
    ret_row->median_ms = of->median_ms;
    ret_row->sums = top->sums;
    ret_row->sums_row = top->is_sum_by_function ? of->function : index;
    ret_row->changes = top->changes;
    ret_row->change_row = change_row;
}

/* For changes by function, the list's row about the same; else NULL. */
static uint32_t *
index_list (const Top *top, uint32_t n_functions)
{
    if (top->changes == NULL || top->by_row != NULL)
        return NULL;
    uint32_t *row_of_function = g_new0 (uint32_t, MAX (n_functions, 1));
    for (uint32_t i = 0; i < top->list->n_rows; i++)
        row_of_function[top->list->rows[i].function] = i;
    return row_of_function;
}

static void
append_top (const PvReport *report, const Top *top)
{
    uint32_t n_rows = 0, n_sorted = top->list->n_rows;
    g_autofree uint32_t *sorted =
        top->changes != NULL ? pv_changes_sort (top->changes, &n_sorted) : NULL;
    g_autofree uint32_t *list_row = index_list (top, report->symbols->n_functions);
    pv_report_begin (report);
    PvReportTable *table =
        pv_report_table_begin (report, "functions", top_columns, G_N_ELEMENTS (top_columns),
                               choose_top_columns (report, top->list), top->extras, false);
    for (uint32_t i = 0; i < n_sorted; i++) {
        const uint32_t row = sorted != NULL ? sorted[i] : i;
        const uint32_t index = list_row != NULL ? list_row[row] : row;
        if (!pv_report_shows (report, top->list->rows[index].total, top->changes, row) ||
            n_rows++ >= report->max_rows)
            continue;
        PvRow values;
        get_top_row (report, top, index, row, &values);
        pv_report_table_add (table, &values, NULL);
    }
    pv_report_table_end (table, n_rows);
}

/* --- functions that only joined files have --- */

/* By the amounts of the first column, largest first. */
static int
compare_added (const void *a, const void *b, void *user)
{
    const PvMeasureColumn *column = user;
    PvFunctionId f = ((const PvFunctionRow *)a)->function;
    PvFunctionId g = ((const PvFunctionRow *)b)->function;
    if (column->self[f] != column->self[g])
        return column->self[f] > column->self[g] ? -1 : 1;
    if (column->total[f] != column->total[g])
        return column->total[f] > column->total[g] ? -1 : 1;
    return f < g ? -1 : f > g;
}

/* The first frame of each function, by its id. */
static const PvFrame **
find_frames (const PvSymbolTable *symbols)
{
    const PvFrame **frames = g_new0 (const PvFrame *, MAX (symbols->n_functions, 1));
    for (PvLocationId l = 1; l < symbols->n_locations; l++) {
        uint32_t n;
        const PvFrame *chain = pv_symbol_table_frames (symbols, l, &n);
        for (uint32_t i = 0; i < n; i++)
            if (frames[chain[i].function] == NULL)
                frames[chain[i].function] = &chain[i];
    }
    return frames;
}

static bool
has_weight (const PvMeasureSums *sums, PvFunctionId function)
{
    for (uint32_t i = 0; i < sums->n_columns; i++)
        if (sums->columns[i].total[function] > 0)
            return true;
    return false;
}

static void
add_joined_rows (const PvMeasureSums *sums, const PvSymbolTable *symbols, PvFunctionList *list)
{
    g_autofree bool *is_listed = g_new0 (bool, MAX (symbols->n_functions, 1));
    g_autofree const PvFrame **frames = find_frames (symbols);
    uint32_t n_listed = list->n_rows;
    for (uint32_t i = 0; i < n_listed; i++)
        is_listed[list->rows[i].function] = true;
    for (PvFunctionId f = 1; f < sums->n_rows; f++) {
        if (is_listed[f] || frames[f] == NULL || !has_weight (sums, f))
            continue;
        list->rows = g_renew (PvFunctionRow, list->rows, list->n_rows + 1);
        list->rows[list->n_rows++] =
            (PvFunctionRow){.function = f, .frame = frames[f], .median_ms = UINT64_MAX};
    }
    if (list->n_rows > n_listed)
        qsort_r (list->rows + n_listed, list->n_rows - n_listed, sizeof *list->rows, compare_added,
                 &sums->columns[0]);
}

/* Fills in the extra columns. Plain lists of functions get rows for those that only joined files
 * have. */
static void
sum_extras (const PvReport *report, Top *top)
{
    const PvCallTree *tree = report->tree;
    top->extras = pv_extras_new (report->profile, report->query, PV_TABLE_FUNCTIONS);
    g_autoptr (GArray) measures =
        pv_extras_list_measures (top->extras, report->profile, report->query->measure);
    const PvMeasureId *ids = (const PvMeasureId *)(gpointer)measures->data;
    if (measures->len == 0)
        return;
    top->is_sum_by_function = report->profile->n_joined > 0 &&
                              report->query->granularity == PV_BY_FUNCTION &&
                              report->query->grouping == PV_GROUP_NONE;
    if (!top->is_sum_by_function) {
        top->sums = pv_measure_sums_by_row (tree, top->list, ids, measures->len, NULL);
        return;
    }
    top->sums = pv_measure_sums_by_function (tree, ids, measures->len, NULL);
    add_joined_rows (top->sums, tree->symbols, top->list);
}

/* The order of a signed measure is that of its changes, so its list may come in any, straight from
 * the stacks; that of other measures comes from the tree. */
static void
build_top (const PvReport *report, Top *top)
{
    const PvCallTree *tree = report->tree;
    const PvQuery *query = report->query;
    uint64_t total;
    if (report->changes == NULL) {
        top->list = pv_function_list_build_by_group (tree, NULL);
        sum_extras (report, top);
        return;
    }
    if (query->grouping != PV_GROUP_NONE || !pv_function_list_can_sum (report->profile, query))
        top->list = pv_function_list_build_by_group (tree, NULL);
    else
        top->list =
            pv_function_list_sum (report->profile, tree->symbols, query, 0, &total, NULL, NULL);
    if (query->grouping != PV_GROUP_NONE || query->granularity != PV_BY_FUNCTION)
        top->by_row = pv_changes_by_row (tree, top->list, report->changes->noise, NULL);
    top->changes = top->by_row != NULL ? top->by_row : report->changes;
}

void
pv_function_report_append (const PvReport *report)
{
    g_auto (Top) top = {0};
    g_assert (report != NULL && report->tree != NULL);
    build_top (report, &top);
    append_top (report, &top);
}

bool
pv_function_report_append_sums (PvReport *report, GError **error)
{
    uint64_t total;
    /* --min-percent may drop any of the first rows, so all rows must be in order. */
    size_t n_ordered = report->options->min_percent > 0 ? SIZE_MAX : report->max_rows;
    g_auto (Top)
        top = {.list = pv_function_list_sum (report->profile, report->symbols, report->query,
                                             n_ordered, &total, NULL, error)};
    if (top.list == NULL)
        return false;
    pv_report_set_whole (report, total);
    if (!pv_report_append_nothing_matches (report))
        append_top (report, &top);
    return true;
}

/* --- callers and callees --- */

static const PvReportColumn caller_columns[] = {
    {PV_TOTAL (PV_SHOW_SHARE), "", NC_ ("column", "Share"), PV_IN_TEXT | PV_OF_ONE},
    {PV_TOTAL (PV_SHOW_AMOUNT), "weight", NC_ ("column", "Weight"), 0, PV_OF_COMPARED},
    {PV_TOTAL (PV_SHOW_CHANGE), "", NC_ ("column", "Change"), PV_IN_TEXT | PV_OF_COMPARED},
    {PV_TOTAL (PV_SHOW_PERCENT), "", "%", PV_IN_TEXT | PV_OF_COMPARED},
    {PV_TOTAL (PV_SHOW_INTERVAL), "", NC_ ("column", "Between"), PV_IN_TEXT | PV_HAS_INTERVALS},
    {PV_TOTAL (PV_SHOW_BASE), "base", NC_ ("column", "Base"), PV_OF_COMPARED},
    {PV_TOTAL (PV_SHOW_NEW), "new", NC_ ("column", "New"), PV_OF_COMPARED},
    {PV_TOTAL (PV_SHOW_CHANGE), "delta", "", PV_IN_PLAIN | PV_OF_COMPARED},
    PV_PLAIN_CALL_INTERVALS,
    {{PV_COLUMN_EXTRAS}, "", "", PV_IN_TEXT},
    {{PV_COLUMN_NAME}, "function", NC_ ("column", "Function")},
    {{PV_COLUMN_MODULE}, "module", NC_ ("column", "Module")},
    {{PV_COLUMN_WORDS}, "of_function", "", PV_IN_PLAIN},
    {{PV_COLUMN_WORDS}, "of_module", "", PV_IN_PLAIN},
    {{PV_COLUMN_EXTRAS}, "", "", PV_IN_PLAIN},
};

static void
add_callers (const PvReport *report, const PvNeighbours *neighbours, PvFunctionId function,
             PvRow *self, PvReportTable *table)
{
    const PvFunction *of = &report->symbols->functions[function];
    const char *words[] = {of->name, report->profile->modules[of->module].name};
    g_auto (PvNeighbourList) list = {0};
    (void)self;
    pv_neighbours_list (neighbours, function, report->print == PV_PRINT_CALLERS, &list);
    for (uint32_t i = 0; i < list.calls->len && i < report->max_rows; i++) {
        PvRow row;
        if (pv_neighbour_list_get_weight (&list, i) < (uint64_t)report->min_weight)
            continue;
        pv_neighbour_list_get_row (&list, i, pv_report_is_text (report), &row);
        pv_report_table_add (table, &row, words);
    }
}

static void
append_callers_heading (const PvReport *report, PvFunctionId function, const PvRow *row)
{
    const PvFunction *of = &report->symbols->functions[function];
    g_autofree char *self = pv_report_format_cost (report, row, true);
    g_autofree char *total = pv_report_format_cost (report, row, false);
    const char *form = report->print == PV_PRINT_CALLERS
                           ? _ ("Callers of %s (%s), self %s, total %s")
                           : _ ("Callees of %s (%s), self %s, total %s");
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    g_string_append_printf (report->sink->text, form, of->name,
                            report->profile->modules[of->module].name, self, total);
#pragma GCC diagnostic pop
    g_string_append_c (report->sink->text, '\n');
}

/* The functions that the report is about, heaviest or most changed first, with those that only
 * joined files have. g_array_unref () it. */
static GArray *
list_functions (const PvReport *report)
{
    const PvCallTree *tree = report->tree;
    GArray *functions = g_array_new (FALSE, FALSE, sizeof (PvFunctionId));
    if (report->changes != NULL) {
        uint32_t n;
        g_autofree uint32_t *sorted = pv_changes_sort (report->changes, &n);
        for (uint32_t i = 0; i < n; i++)
            if (sorted[i] != 0 && pv_report_shows (report, 0, report->changes, sorted[i]))
                g_array_append_val (functions, sorted[i]);
        return functions;
    }
    g_auto (Top) top = {.list = pv_function_list_build (tree, NULL)};
    if (report->profile->n_joined > 0)
        sum_extras (report, &top);
    for (uint32_t i = 0; i < top.list->n_rows; i++)
        g_array_append_val (functions, top.list->rows[i].function);
    return functions;
}

bool
pv_function_report_append_calls (const PvReport *report, GError **error)
{
    const PvNeighbourReport kind = {report->print == PV_PRINT_CALLERS ? "callers" : "callees",
                                    caller_columns, G_N_ELEMENTS (caller_columns),
                                    append_callers_heading, add_callers};
    g_autoptr (GArray) functions = list_functions (report);
    return pv_neighbours_append (report, functions, &kind, error);
}
