/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export/report/counter-report.h"

#include <glib/gi18n.h>

#include "export/report/print-parts.h"

static const PvProcess *
find_process (const PvProfile *profile, const PvCounter *counter)
{
    return counter->process != 0 ? &profile->processes[counter->process] : NULL;
}

/* --- text --- */

static char *
format_value (const PvCounter *counter, double value)
{
    return counter->n_samples > 0 ? pv_counter_format_value (counter, value) : NULL;
}

static void
add_row (PvTable *table, const PvProfile *profile, const PvCounter *counter)
{
    const PvProcess *process = find_process (profile, counter);
    g_autofree char *min = format_value (counter, counter->min);
    g_autofree char *max = format_value (counter, counter->max);
    g_autofree char *total = format_value (counter, counter->total);
    bool is_level = counter->kind == PV_COUNTER_LEVEL;
    pv_table_add_number (table, counter->n_samples);
    pv_table_add_text (table, min);
    pv_table_add_text (table, max);
    pv_table_add_text (table, is_level ? total : NULL);
    pv_table_add_text (table, is_level ? NULL : total);
    pv_table_add_text (table, process != NULL ? process->name : NULL);
    pv_table_add_text (table, counter->category);
    pv_table_add_text (table, counter->name);
}

static void
append_text (const PvExportOptions *options, const PvProfile *profile, uint32_t n_shown,
             const PvTextSink *sink)
{
    const PvTableColumn columns[] = {
        {.id = "", .title = _ ("Samples"), .kind = PV_CELL_AMOUNT, .unit = PV_UNIT_COUNT},
        /* Translators: the smallest value of a counter, and the largest */
        {.id = "", .title = _ ("Minimum"), .kind = PV_CELL_FIGURE},
        {.id = "", .title = _ ("Maximum"), .kind = PV_CELL_FIGURE},
        /* Translators: the last value of a counter */
        {.id = "", .title = _ ("Last"), .kind = PV_CELL_FIGURE},
        {.id = "", .title = _ ("Total"), .kind = PV_CELL_FIGURE},
        {.id = "", .title = _ ("Process")},
        {.id = "", .title = _ ("Category")},
        {.id = "", .title = _ ("Counter")},
    };
    g_autoptr (PvTable) table = pv_table_new (columns, G_N_ELEMENTS (columns));
    pv_table_set_max_width (table, options->terminal_width);
    pv_table_begin (table, PV_FORMAT_TEXT, sink);
    for (uint32_t c = 0; c < n_shown; c++)
        add_row (table, profile, &profile->counters[c]);
    pv_table_end (table);
    pv_print_append_rest (sink->text, options, n_shown, profile->n_counters);
}

/* --- for programs --- */

static void
add_figure (PvTable *table, bool exists, double value)
{
    char text[PV_COUNTER_NUMBER_BYTES];
    pv_table_add_text (table, exists ? pv_counter_write_number (value, text) : NULL);
}

static void
add_plain_row (PvTable *table, const PvProfile *profile, const PvCounter *counter)
{
    const PvProcess *process = find_process (profile, counter);
    g_autofree char *pid =
        process != NULL && process->pid >= 0 ? g_strdup_printf ("%d", process->pid) : NULL;
    bool has_any = counter->n_samples > 0;
    bool is_level = counter->kind == PV_COUNTER_LEVEL;
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

static void
append_plain (const PvProfile *profile, uint32_t n_shown, PvFormat format, const PvTextSink *sink)
{
    const PvTableColumn columns[] = {
        {.id = "process", .title = ""},
        {.id = "pid", .title = "", .kind = PV_CELL_FIGURE},
        {.id = "category", .title = ""},
        {.id = "name", .title = ""},
        {.id = "unit", .title = ""},
        {.id = "kind", .title = ""},
        {.id = "samples", .title = "", .kind = PV_CELL_NUMBER},
        {.id = "min", .title = "", .kind = PV_CELL_FIGURE},
        {.id = "max", .title = "", .kind = PV_CELL_FIGURE},
        {.id = "last", .title = "", .kind = PV_CELL_FIGURE},
        {.id = "total", .title = "", .kind = PV_CELL_FIGURE},
    };
    g_autoptr (PvTable) table = pv_table_new (columns, G_N_ELEMENTS (columns));
    pv_table_begin (table, format, sink);
    for (uint32_t c = 0; c < n_shown; c++)
        add_plain_row (table, profile, &profile->counters[c]);
    pv_table_end (table);
}

bool
pv_counter_report_write (const PvExportOptions *options, const PvProfile *profile, PvFormat format,
                         const PvTextSink *sink, GError **error)
{
    g_assert (options != NULL && profile != NULL && sink != NULL);
    if (profile->n_counters == 0) {
        g_set_error_literal (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                             _ ("--print=counters: the file has no counters"));
        return false;
    }
    /* There are few: all of them unless the user asks for fewer. */
    uint32_t n_shown = options->limit > 0 ? MIN ((uint32_t)options->limit, profile->n_counters)
                                          : profile->n_counters;
    if (format == PV_FORMAT_TEXT)
        append_text (options, profile, n_shown, sink);
    else
        append_plain (profile, n_shown, format, sink);
    return true;
}
