/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export/report/peek-report.h"

#include <glib/gi18n.h>

#include "export/report/neighbours.h"

static const PvReportColumn columns[] = {
    {{PV_COLUMN_WORDS}, "relation", "", PV_IN_PLAIN},
    {PV_TOTAL (PV_SHOW_SHARE), "", NC_ ("column", "Share"), PV_IN_TEXT | PV_OF_ONE},
    /* Translators: the share of what the function has in all */
    {{PV_COLUMN_NUMBER}, "", NC_ ("column", "Of function"), PV_IN_TEXT | PV_OF_ONE},
    {PV_TOTAL (PV_SHOW_AMOUNT), "weight", NC_ ("column", "Weight"), 0, PV_OF_COMPARED},
    {PV_TOTAL (PV_SHOW_BASE), "base", NC_ ("column", "Base"), PV_OF_COMPARED},
    {PV_TOTAL (PV_SHOW_NEW), "new", NC_ ("column", "New"), PV_OF_COMPARED},
    {PV_TOTAL (PV_SHOW_CHANGE), "delta", NC_ ("column", "Change"), PV_OF_COMPARED},
    {PV_TOTAL (PV_SHOW_PERCENT), "", "%", PV_IN_TEXT | PV_OF_COMPARED},
    {PV_TOTAL (PV_SHOW_INTERVAL), "", NC_ ("column", "Between"), PV_IN_TEXT | PV_HAS_INTERVALS},
    PV_PLAIN_CALL_INTERVALS,
    {{PV_COLUMN_NUMBER}, "self", NC_ ("column", "Self")},
    {{PV_COLUMN_EXTRAS}},
    {{PV_COLUMN_NAME}, "function", NC_ ("column", "Function")},
    {{PV_COLUMN_MODULE}, "module", NC_ ("column", "Module")},
    {{PV_COLUMN_WORDS}, "of_function", "", PV_IN_PLAIN},
    {{PV_COLUMN_WORDS}, "of_module", "", PV_IN_PLAIN},
};

/* Callers and callees are indented, to make their function stand out. of: the function itself;
 * self: NULL: not known. */
static void
add_row (const PvReport *report, PvReportTable *table, PvFunctionId id, const PvRow *of, PvRow *row,
         const char *relation, const char *self)
{
    const PvFunction *function = &report->symbols->functions[id];
    const PvColumn total = PV_TOTAL (PV_SHOW_AMOUNT);
    const PvValue value = pv_column_get (&total, row);
    g_autofree char *share = pv_format_percent ((double)value.amount, (double)of->total);
    const char *const of_one[] = {share, self}, *const of_signed[] = {self};
    const char *const plain[] = {
        relation, self, function->name,
        function->module != 0 ? report->profile->modules[function->module].name : ""};
    pv_report_table_add (table, row,
                         !pv_report_is_text (report) ? plain
                         : report->changes == NULL   ? of_one
                                                     : of_signed);
}

static void
add_calls (const PvReport *report, const PvNeighbours *neighbours, PvFunctionId function,
           const PvRow *of, bool is_callers, PvReportTable *table)
{
    g_auto (PvNeighbourList) list = {0};
    pv_neighbours_list (neighbours, function, is_callers, &list);
    for (uint32_t i = 0; i < list.calls->len && i < report->max_rows; i++) {
        PvRow row;
        if (pv_neighbour_list_get_weight (&list, i) < (uint64_t)report->min_weight)
            continue;
        pv_neighbour_list_get_row (&list, i, pv_report_is_text (report), &row);
        row.depth = 2;
        add_row (report, table, function, of, &row, is_callers ? "caller" : "callee", NULL);
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
add_function (const PvReport *report, const PvNeighbours *neighbours, PvFunctionId function,
              PvRow *row, PvReportTable *table)
{
    g_autofree char *self = format_self (report, row);
    add_calls (report, neighbours, function, row, true, table);
    add_row (report, table, function, row, row, "function", self);
    add_calls (report, neighbours, function, row, false, table);
}

bool
pv_peek_report_append (const PvReport *report, GError **error)
{
    static const PvNeighbourReport kind = {"peek", columns, G_N_ELEMENTS (columns), NULL,
                                           add_function};
    g_assert (report != NULL && report->tree != NULL);
    g_autoptr (PvFunctionList) list = pv_function_list_build (report->tree, NULL);
    g_autoptr (GArray) functions = g_array_new (FALSE, FALSE, sizeof (PvFunctionId));
    for (uint32_t i = 0; i < list->n_rows; i++)
        g_array_append_val (functions, list->rows[i].function);
    return pv_neighbours_append (report, functions, &kind, error);
}
