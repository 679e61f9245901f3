/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export/report/counter-report.h"

#include <glib/gi18n.h>

static void
add_value (PvTable *table, bool exists, const PvCounter *counter, double value)
{
    g_autofree char *text = exists ? pv_counter_format_value (counter, value) : NULL;
    pv_table_add_text (table, text);
}

static void
add_figure (PvTable *table, bool exists, double value)
{
    char text[PV_COUNTER_NUMBER_BYTES];
    pv_table_add_text (table, exists ? pv_counter_write_number (value, text) : NULL);
}

static void
add_counter (PvTable *table, const PvProfile *profile, const PvCounter *counter)
{
    const PvProcess *process = counter->process != 0 ? &profile->processes[counter->process] : NULL;
    g_autofree char *pid =
        process != NULL && process->pid >= 0 ? g_strdup_printf ("%d", process->pid) : NULL;
    const bool has_any = counter->n_samples > 0, is_level = counter->kind == PV_COUNTER_LEVEL;
    pv_table_add_number (table, counter->n_samples);
    add_value (table, has_any, counter, counter->min);
    add_value (table, has_any, counter, counter->max);
    add_value (table, has_any && is_level, counter, counter->total);
    add_value (table, has_any && !is_level, counter, counter->total);
    pv_table_add_text (table, process != NULL ? process->name : NULL);
    pv_table_add_text (table, pid);
    pv_table_add_text (table, counter->category);
    pv_table_add_text (table, counter->name);
    pv_table_add_text (table, pv_counter_get_unit_name (counter));
    pv_table_add_text (table, is_level ? "level" : "amount");
    pv_table_add_number (table, counter->n_samples);
    add_figure (table, has_any, counter->min);
    add_figure (table, has_any, counter->max);
    add_figure (table, has_any && is_level, counter->total);
    add_figure (table, !is_level, counter->total);
}

bool
pv_counter_report_write (const PvReport *report, GError **error)
{
    g_assert (report != NULL);
    const PvProfile *profile = report->profile;
    const PvTableColumn columns[] = {
        {.title = C_ ("column", "Samples"), .kind = PV_CELL_AMOUNT, .unit = PV_UNIT_COUNT},
        /* Translators: the smallest value of a counter, and the largest */
        {.title = C_ ("column", "Minimum"), .kind = PV_CELL_FIGURE},
        {.title = C_ ("column", "Maximum"), .kind = PV_CELL_FIGURE},
        /* Translators: the last value of a counter */
        {.title = C_ ("column", "Last"), .kind = PV_CELL_FIGURE},
        {.title = C_ ("column", "Total"), .kind = PV_CELL_FIGURE},
        {.id = "process", .title = C_ ("column", "Process")},
        {.id = "pid", .kind = PV_CELL_FIGURE},
        {.id = "category", .title = C_ ("column", "Category")},
        {.id = "name", .title = C_ ("column", "Counter")},
        {.id = "unit"},
        {.id = "kind"},
        {.id = "samples", .kind = PV_CELL_NUMBER},
        {.id = "min", .kind = PV_CELL_FIGURE},
        {.id = "max", .kind = PV_CELL_FIGURE},
        {.id = "last", .kind = PV_CELL_FIGURE},
        {.id = "total", .kind = PV_CELL_FIGURE},
    };
    if (profile->n_counters == 0) {
        g_set_error_literal (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                             _ ("--print=counters: the file has no counters"));
        return false;
    }
    /* There are few: all of them unless the user asks for fewer. */
    const int limit = report->options->limit;
    const uint32_t max_rows = limit > 0 ? (uint32_t)limit : UINT32_MAX;
    PvTable *table = pv_report_begin_rows (report, NULL, columns, G_N_ELEMENTS (columns));
    for (uint32_t c = 0; c < MIN (profile->n_counters, max_rows); c++)
        add_counter (table, profile, &profile->counters[c]);
    pv_report_end_rows (report, NULL, table, 0);
    return true;
}
