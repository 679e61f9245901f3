/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export/report/peek-report.h"

#include <glib/gi18n.h>

#include "export/report/neighbours.h"

static const PvReportColumn columns[] = {
    {{PV_COLUMN_WORDS}, "relation", "", PV_IN_PLAIN},
    {PV_TOTAL (PV_SHOW_SHARE), "", N_ ("Share"), PV_IN_TEXT | PV_OF_ONE},
    /* Translators: the share of what the function has in all */
    {{PV_COLUMN_NUMBER}, "", N_ ("Of function"), PV_IN_TEXT | PV_OF_ONE},
    {PV_TOTAL (PV_SHOW_AMOUNT), "weight", N_ ("Weight"), 0, PV_OF_COMPARED},
    {PV_TOTAL (PV_SHOW_BASE), "base", N_ ("Base"), PV_OF_COMPARED},
    {PV_TOTAL (PV_SHOW_NEW), "new", N_ ("New"), PV_OF_COMPARED},
    {PV_TOTAL (PV_SHOW_CHANGE), "delta", N_ ("Change"), PV_OF_COMPARED},
    {PV_TOTAL (PV_SHOW_PERCENT), "", "%", PV_IN_TEXT | PV_OF_COMPARED},
    {{PV_COLUMN_NUMBER}, "self", N_ ("Self")},
    {{PV_COLUMN_EXTRAS}},
    {{PV_COLUMN_NAME}, "function", N_ ("Function")},
    {{PV_COLUMN_MODULE}, "module", N_ ("Module")},
    {{PV_COLUMN_WORDS}, "of_function", "", PV_IN_PLAIN},
    {{PV_COLUMN_WORDS}, "of_module", "", PV_IN_PLAIN},
};

/* A function, and the table that its rows are in. */
typedef struct {
    const PvReport *report;
    PvReportTable *table;
    PvFunctionId function;
    uint64_t total;
} Peek;

/* Callers and callees are indented, to make their function stand out. self: NULL: not known. */
static void
add_row (const Peek *peek, PvRow *row, const char *relation, const char *self)
{
    const PvReport *report = peek->report;
    const PvFunction *function = &report->symbols->functions[peek->function];
    const PvColumn total = PV_TOTAL (PV_SHOW_AMOUNT);
    const PvValue value = pv_column_get (&total, row);
    g_autofree char *share = pv_format_percent ((double)value.amount, (double)peek->total);
    const char *const of_one[] = {share, self}, *const of_signed[] = {self};
    const char *const plain[] = {
        relation, self, function->name,
        function->module != 0 ? report->profile->modules[function->module].name : ""};
    pv_report_table_add (peek->table, row,
                         !pv_report_is_text (report) ? plain
                         : report->changes == NULL   ? of_one
                                                     : of_signed);
}

static void
add_calls (const Peek *peek, const PvNeighbours *neighbours, bool is_callers)
{
    const PvReport *report = peek->report;
    g_auto (PvNeighbourList) list = {0};
    pv_neighbours_list (neighbours, peek->function, is_callers, &list);
    for (uint32_t i = 0; i < list.calls->len && i < report->max_rows; i++) {
        PvRow row;
        if (pv_neighbour_list_get_weight (&list, i) < (uint64_t)report->min_weight)
            continue;
        pv_neighbour_list_get_row (&list, i, pv_report_is_text (report), &row);
        row.depth = 2;
        add_row (peek, &row, is_callers ? "caller" : "callee", NULL);
    }
}

/* Its own amount, or by how much that changed. */
static char *
format_self (const PvReport *report, const PvRow *row)
{
    const PvColumn self = {PV_COLUMN_SELF,
                           report->changes != NULL ? PV_SHOW_CHANGE : PV_SHOW_AMOUNT,
                           PV_MEASURE_SHOWN, NULL};
    const PvValue value = pv_column_get (&self, row);
    return pv_report_is_text (report) ? pv_value_format (&value) : pv_value_format_plain (&value);
}

static void
add_function (Peek *peek, const PvNeighbours *neighbours, PvRow *row)
{
    g_autofree char *self = format_self (peek->report, row);
    add_calls (peek, neighbours, true);
    add_row (peek, row, "function", self);
    add_calls (peek, neighbours, false);
}

static PvReportTable *
begin_table (const PvReport *report, const PvExtras *extras)
{
    return pv_report_table_begin (report, "peek", columns, G_N_ELEMENTS (columns), 0, extras,
                                  false);
}

/* In text each function has a table of its own. */
static void
append_functions (const PvReport *report, const GArray *functions, const PvNeighbours *neighbours,
                  bool *is_wanted, const PvExtras *extras)
{
    const bool is_text = pv_report_is_text (report);
    bool is_first = true;
    pv_report_begin (report);
    Peek peek = {.report = report, .table = is_text ? NULL : begin_table (report, extras)};
    for (guint i = 0; i < functions->len; i++) {
        PvRow row;
        peek.function = g_array_index (functions, PvFunctionId, i);
        if (!is_wanted[peek.function])
            continue;
        is_wanted[peek.function] = false; /* with --by=line it has several rows */
        pv_neighbours_get_function (neighbours, peek.function, &row);
        peek.total = row.total;
        if (is_text) {
            g_string_append (report->sink->text, is_first ? "" : "\n");
            peek.table = begin_table (report, extras);
        }
        add_function (&peek, neighbours, &row);
        if (is_text)
            pv_report_table_end (g_steal_pointer (&peek.table));
        is_first = false;
    }
    if (peek.table != NULL)
        pv_report_table_end (peek.table);
}

bool
pv_peek_report_append (const PvReport *report, GError **error)
{
    g_assert (report != NULL && report->tree != NULL);
    g_autoptr (PvFunctionList) list = pv_function_list_build (report->tree, NULL);
    g_autoptr (GArray) functions = g_array_new (FALSE, FALSE, sizeof (PvFunctionId));
    g_autofree bool *is_wanted = NULL;
    for (uint32_t i = 0; i < list->n_rows; i++)
        g_array_append_val (functions, list->rows[i].function);
    g_autoptr (PvNeighbours) neighbours = pv_neighbours_find (report, functions, &is_wanted, error);
    if (neighbours == NULL)
        return false;
    g_autoptr (PvExtras) extras = pv_neighbours_make_extras (report);
    append_functions (report, functions, neighbours, is_wanted, extras);
    return true;
}
