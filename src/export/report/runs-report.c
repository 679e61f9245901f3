/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export/report/runs-report.h"

#include <glib/gi18n.h>

#include "core/analyze/compare/compare-text.h"
#include "core/analyze/compare/run-text.h"
#include "core/write/escape.h"
#include "export/report/print-parts.h"

enum { TEXT_ROWS = 50, LINE_CHARACTERS = 24, BYTES_PER_PIECE = 1 << 16 };

typedef struct {
    const PvExportOptions *options;
    const PvRuns *runs;
    const PvLoadedRuns *loaded;
    const PvRunMoves *moves; /* of self */
    const PvTextSink *sink;
    uint64_t *self, *total; /* the lines of a row */
    uint32_t n_rows;        /* at most, of the ordered ones */
} Report;

/* True unless the row is hidden as noise, or below --min-percent in all runs. */
static bool
is_shown (const Report *report, uint32_t function)
{
    double percent = report->options->min_percent;
    const PvRuns *runs = report->runs;
    if (report->options->hides_noise && report->moves->moves[function].beyond == 0)
        return false;
    if (percent == PV_MIN_PERCENT_DEFAULT || percent <= 0)
        return true;
    pv_runs_get_line (runs, function, false, report->total);
    for (uint32_t r = 0; r < runs->n_runs; r++) {
        const PvRun *run = &runs->runs[r];
        double whole = (double)pv_run_scale_amount (run, run->whole);
        if ((double)report->total[r] >= whole * percent / 100 && report->total[r] > 0)
            return true;
    }
    return false;
}

static void
hand_on (const Report *report)
{
    const PvTextSink *sink = report->sink;
    if (sink->hand_on != NULL && sink->text->len >= BYTES_PER_PIECE)
        sink->hand_on (sink->text, sink->user);
}

/* --- text --- */

static PvTable *
new_text_table (const Report *report)
{
    const PvUnit unit = report->runs->unit;
    const PvTableColumn columns[] = {
        {.id = "", .title = C_ ("column", "Line"), .kind = PV_CELL_TEXT},
        {.id = "", .title = C_ ("column", "First"), .kind = PV_CELL_AMOUNT, .unit = unit},
        {.id = "", .title = C_ ("column", "Last"), .kind = PV_CELL_AMOUNT, .unit = unit},
        {.id = "", .title = _ ("Self change"), .kind = PV_CELL_FIGURE},
        {.id = "", .title = "%", .kind = PV_CELL_FIGURE},
        {.id = "", .title = _ ("Largest step"), .kind = PV_CELL_FIGURE},
        {.id = "", .title = C_ ("column", "At"), .kind = PV_CELL_TEXT},
        {.id = "", .title = "", .kind = PV_CELL_TEXT},
        {.id = "", .title = C_ ("column", "Function"), .kind = PV_CELL_TEXT},
        {.id = "", .title = C_ ("column", "Module"), .kind = PV_CELL_TEXT},
    };
    PvTable *table = pv_table_new (columns, G_N_ELEMENTS (columns));
    pv_table_set_max_width (table, report->options->terminal_width);
    pv_table_begin (table, PV_FORMAT_TEXT, report->sink);
    return table;
}

static void
add_text_row (const Report *report, PvTable *table, uint32_t f)
{
    const PvRuns *runs = report->runs;
    const PvRunMove *move = &report->moves->moves[f];
    pv_runs_get_line (runs, f, true, report->self);
    g_autofree char *line = pv_run_line_format (report->self, runs->n_runs, LINE_CHARACTERS);
    g_autofree char *change =
        pv_format_signed_amount ((int64_t)(move->last - move->first), runs->unit);
    g_autofree char *percent = pv_compare_format_percent (move->first, move->last);
    g_autofree char *step = pv_format_signed_amount (move->step, runs->unit);
    pv_table_add_text (table, line);
    pv_table_add_number (table, move->first);
    pv_table_add_number (table, move->last);
    pv_table_add_text (table, change);
    pv_table_add_text (table, percent);
    pv_table_add_text (table, move->step_run > 0 ? step : "");
    pv_table_add_text (table, move->step_run > 0 ? runs->runs[move->step_run].name : "");
    pv_table_add_text (table, move->beyond == 0 ? C_ ("change", "noise") : "");
    pv_table_add_name (table, runs->functions[f].name, runs->functions[f].label);
    pv_table_add_text (table, runs->functions[f].module);
}

static void
append_text (const Report *report)
{
    g_autofree char *heading =
        pv_runs_make_heading (report->runs, report->options->scale, report->loaded->scale_function);
    g_string_append_printf (report->sink->text, "%s\n\n", heading);
    g_autoptr (PvTable) table = new_text_table (report);
    uint32_t n = 0;
    for (uint32_t i = 0; i < report->moves->n_ordered; i++)
        if (is_shown (report, report->moves->ordered[i]) && n++ < report->n_rows)
            add_text_row (report, table, report->moves->ordered[i]);
    uint32_t n_shown = pv_table_get_n_rows (table);
    pv_table_end (table);
    pv_print_append_rest (report->sink->text, report->options, n_shown, n);
}

/* --- tsv and csv --- */

static void
append_number (const Report *report, PvFormat format, int64_t number)
{
    char text[24];
    g_snprintf (text, sizeof text, "%" G_GINT64_FORMAT, number);
    pv_format_append_cell (format, report->sink->text, false, text);
}

static void
append_amount (const Report *report, PvFormat format, uint64_t amount)
{
    char text[24];
    g_snprintf (text, sizeof text, "%" G_GUINT64_FORMAT, amount);
    pv_format_append_cell (format, report->sink->text, false, text);
}

static void
append_heading (const Report *report, PvFormat format)
{
    static const char *const titles[] = {"function", "module", "first",    "last",
                                         "change",   "step",   "step_run", "noise"};
    GString *out = report->sink->text;
    const PvRuns *runs = report->runs;
    if (report->options->has_header) {
        g_autofree char *measure = g_strconcat ("# measure=", runs->measure, NULL);
        g_autofree char *unit = g_strconcat ("unit=", pv_print_name_unit (runs->unit), NULL);
        g_autofree char *n_runs = g_strdup_printf ("runs=%u", runs->n_runs);
        pv_format_append_cell (format, out, true, measure);
        pv_format_append_cell (format, out, false, unit);
        pv_format_append_cell (format, out, false, n_runs);
        g_string_append_c (out, '\n');
    }
    for (unsigned i = 0; i < G_N_ELEMENTS (titles); i++)
        pv_format_append_cell (format, out, i == 0, titles[i]);
    for (unsigned part = 0; part < 2; part++)
        for (uint32_t r = 0; r < runs->n_runs; r++) {
            g_autofree char *title =
                g_strconcat (part == 0 ? "self:" : "total:", runs->runs[r].name, NULL);
            pv_format_append_cell (format, out, false, title);
        }
    g_string_append_c (out, '\n');
}

static void
append_row (const Report *report, PvFormat format, uint32_t f)
{
    GString *out = report->sink->text;
    const PvRuns *runs = report->runs;
    const PvRunMove *move = &report->moves->moves[f];
    pv_format_append_cell (format, out, true, runs->functions[f].name);
    pv_format_append_cell (format, out, false, runs->functions[f].module);
    append_amount (report, format, move->first);
    append_amount (report, format, move->last);
    append_number (report, format, (int64_t)(move->last - move->first));
    append_number (report, format, move->step);
    pv_format_append_cell (format, out, false,
                           move->step_run > 0 ? runs->runs[move->step_run].name : "");
    append_number (report, format, move->beyond == 0);
    for (uint32_t r = 0; r < runs->n_runs; r++)
        append_amount (report, format, report->self[r]);
    for (uint32_t r = 0; r < runs->n_runs; r++)
        append_amount (report, format, report->total[r]);
    g_string_append_c (out, '\n');
}

/* --- json --- */

static void
append_json_runs (const Report *report)
{
    GString *out = report->sink->text;
    const PvRuns *runs = report->runs;
    g_string_append (out, "{\"measure\": ");
    pv_json_append_string (out, runs->measure);
    g_string_append (out, ", \"unit\": ");
    pv_json_append_string (out, pv_print_name_unit (runs->unit));
    g_string_append (out, ",\n\"runs\": [");
    for (uint32_t r = 0; r < runs->n_runs; r++) {
        const PvRun *run = &runs->runs[r];
        char factor[G_ASCII_DTOSTR_BUF_SIZE];
        g_ascii_formatd (factor, sizeof factor, "%.9g", run->factor);
        g_string_append (out, r > 0 ? ",\n{\"name\": " : "\n{\"name\": ");
        pv_json_append_string (out, run->name);
        g_string_append_printf (
            out,
            ", \"total\": %" G_GUINT64_FORMAT ", \"samples\": %" G_GUINT64_FORMAT
            ", \"duration_ns\": %" G_GUINT64_FORMAT ", \"scale\": %s}",
            pv_run_scale_amount (run, run->whole), run->n_samples, run->duration_ns, factor);
        hand_on (report);
    }
    g_string_append (out, "],\n\"left_out\": [");
    for (char **sentence = report->loaded->left_out; *sentence != NULL; sentence++) {
        g_string_append (out, sentence == report->loaded->left_out ? "" : ", ");
        pv_json_append_string (out, *sentence);
    }
    g_string_append (out, "],\n\"functions\": [");
}

static void
append_json_line (GString *out, const char *key, const uint64_t *amounts, uint32_t n)
{
    g_string_append_printf (out, ", \"%s\": [", key);
    for (uint32_t r = 0; r < n; r++)
        g_string_append_printf (out, r > 0 ? ", %" G_GUINT64_FORMAT : "%" G_GUINT64_FORMAT,
                                amounts[r]);
    g_string_append_c (out, ']');
}

static void
append_json_row (const Report *report, uint32_t f, bool is_first)
{
    GString *out = report->sink->text;
    const PvRuns *runs = report->runs;
    const PvRunMove *move = &report->moves->moves[f];
    g_string_append (out, is_first ? "\n{\"function\": " : ",\n{\"function\": ");
    pv_json_append_string (out, runs->functions[f].name);
    g_string_append (out, ", \"module\": ");
    pv_json_append_string (out, runs->functions[f].module);
    g_string_append_printf (
        out, ", \"change\": %" G_GINT64_FORMAT ", \"step\": %" G_GINT64_FORMAT ", \"step_run\": ",
        (int64_t)(move->last - move->first), move->step);
    if (move->step_run > 0)
        pv_json_append_string (out, runs->runs[move->step_run].name);
    else
        g_string_append (out, "null");
    g_string_append_printf (out, ", \"is_noise\": %s", move->beyond == 0 ? "true" : "false");
    append_json_line (out, "self", report->self, runs->n_runs);
    append_json_line (out, "total", report->total, runs->n_runs);
    g_string_append_c (out, '}');
}

static void
append_rows (const Report *report, PvFormat format)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < report->moves->n_ordered && n < report->n_rows; i++) {
        uint32_t f = report->moves->ordered[i];
        if (!is_shown (report, f))
            continue;
        pv_runs_get_line (report->runs, f, true, report->self);
        pv_runs_get_line (report->runs, f, false, report->total);
        if (pv_format_has_cells (format))
            append_row (report, format, f);
        else
            append_json_row (report, f, n == 0);
        hand_on (report);
        n++;
    }
}

void
pv_runs_report_write (const PvExportOptions *options, const PvLoadedRuns *loaded, PvFormat format,
                      const PvTextSink *sink)
{
    g_assert (options != NULL && loaded != NULL && loaded->runs != NULL && sink != NULL);
    const PvRuns *runs = loaded->runs;
    g_autoptr (PvRunMoves) moves = pv_run_moves_new (runs, true, NULL);
    g_autofree uint64_t *self = g_new (uint64_t, runs->n_runs);
    g_autofree uint64_t *total = g_new (uint64_t, runs->n_runs);
    int limit = options->limit;
    if (limit == PV_LIMIT_DEFAULT)
        limit = format == PV_FORMAT_TEXT ? TEXT_ROWS : 0;
    Report report = {options, runs, loaded, moves,
                     sink,    self, total,  limit == 0 ? UINT32_MAX : (uint32_t)limit};
    switch (format) {
    case PV_FORMAT_TEXT:
        append_text (&report);
        break;
    case PV_FORMAT_TSV:
    case PV_FORMAT_CSV:
        append_heading (&report, format);
        append_rows (&report, format);
        break;
    case PV_FORMAT_JSON:
        append_json_runs (&report);
        append_rows (&report, format);
        g_string_append (sink->text, "]}\n");
        break;
    }
}
