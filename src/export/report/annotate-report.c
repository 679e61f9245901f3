/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export/report/annotate-report.h"

#include <glib/gi18n.h>

#include "core/write/escape.h"
#include "export/report/annotated-lines.h"
#include "export/report/machine-report.h"
#include "export/report/print-parts.h"
#include "export/report/report-table.h"

/* Lines without cost are shown around those with cost; longer gaps become "…". */
enum { TEXT_FUNCTIONS = 20, CONTEXT = 3, MAX_GAP = 12 };

typedef struct {
    PvReport base;
    PvQuery query; /* a copy without ownership, by the measure that stands for both sides */
    PvAnnotatedSources *sources;
} Report;

static const PvReportColumn columns[] = {
    PV_LINE_AMOUNTS,
    {{PV_COLUMN_NAME}, "function", "", PV_IN_PLAIN},
    {{PV_COLUMN_MODULE}, "module", "", PV_IN_PLAIN},
    {{PV_COLUMN_FILE}, "file", "", PV_IN_PLAIN},
    {{PV_COLUMN_LINE}, "line", "", PV_IN_PLAIN},
    {{PV_COLUMN_NUMBER}, "", NC_ ("column", "Line"), PV_IN_TEXT},
    {{PV_COLUMN_WORDS}, "source", NC_ ("column", "Source")},
};

static const PvSourceFile *
get_source (const Report *report, const PvFunctionLines *function, const char *file)
{
    return pv_annotated_sources_get (report->sources, function->function, file);
}

/* costs: NULL for a line without. */
static void
get_row (const Report *report, PvFunctionId function, const PvCost *costs, PvRow *ret_row)
{
    const PvReport *base = &report->base;
    PvLineAmounts amounts = {{0}, {0}};
    for (unsigned i = 0; costs != NULL && i < (base->amounts != PV_AMOUNTS_OF_ONE ? 2 : 1); i++) {
        amounts.self[i] = costs[i].self;
        amounts.total[i] = costs[i].total;
    }
    pv_row_init (ret_row, base->profile, base->symbols, base->query, function);
    pv_report_set_amounts (base, &amounts, ret_row);
}

static PvReportTable *
begin_table (const Report *report)
{
    return pv_report_table_begin (&report->base, "lines", columns, G_N_ELEMENTS (columns), 0, NULL,
                                  true);
}

/* --- for programs: lines with cost --- */

static void
add_plain_lines (PvReportTable *table, const Report *report, const PvFunctionLines *function)
{
    for (uint32_t i = 0; i < function->n_lines; i++) {
        const PvLineCost *line = &function->lines[i];
        const PvSourceFile *source = get_source (report, function, line->file);
        const PvFrame place = {.file = line->file, .line = line->line};
        g_autofree char *text =
            source != NULL ? pv_source_text_format_line (source->text, line->line) : NULL;
        PvRow row;
        get_row (report, function->function, line->costs, &row);
        row.frame = &place;
        pv_report_table_add (table, &row, (const char *const[]){text});
    }
}

/* Members of a json object up to the list of lines. */
static void
append_members (const PvReport *report, const uint64_t *wholes, uint64_t net)
{
    GString *out = report->sink->text;
    const PvMeasure *measure = pv_report_get_measure (report);
    if (report->amounts != PV_AMOUNTS_COMPARED) {
        pv_print_append_members (out, measure, net);
    } else {
        g_string_append (out, "{\"measure\": ");
        pv_json_append_string (out, measure->name);
        g_string_append_printf (out,
                                ", \"unit\": \"%s\", \"total_base\": %" G_GUINT64_FORMAT
                                ", \"total_new\": %" G_GUINT64_FORMAT ",\n",
                                pv_print_name_unit (report->unit), wholes[PV_SIDE_BASE],
                                wholes[PV_SIDE_NEW]);
    }
}

static void
append_plain (const Report *report, const PvLineCosts *costs, uint32_t n_functions)
{
    const PvReport *base = &report->base;
    const bool has_sides = base->amounts != PV_AMOUNTS_OF_ONE;
    const uint64_t *wholes = costs->wholes;
    const uint64_t net = has_sides ? wholes[PV_SIDE_NEW] - wholes[PV_SIDE_BASE] : wholes[0];
    if (pv_format_has_cells (base->format) && base->options->has_header)
        pv_print_append_header (base->format, base->sink->text, pv_report_get_measure (base), net);
    if (base->format == PV_FORMAT_JSON)
        append_members (base, wholes, net);
    PvReportTable *table = begin_table (report);
    for (uint32_t f = 0; f < n_functions; f++)
        add_plain_lines (table, report, &costs->functions[f]);
    pv_report_table_end (table, 0);
}

/* --- for people: with the lines around them --- */

/* costs: NULL for a line without costs; number: 0 for costs without a line. */
static void
add_text_row (PvReportTable *table, const Report *report, const PvCost *costs, uint32_t number,
              const char *text)
{
    g_autofree char *shown = number > 0 ? g_strdup_printf ("%u", number) : NULL;
    PvRow row;
    get_row (report, 0, costs, &row);
    pv_report_table_add (table, &row, (const char *const[]){shown, text});
}

static void
add_source_rows (PvReportTable *table, const Report *report, const PvSourceText *text,
                 uint32_t from, uint32_t to)
{
    for (uint32_t number = from; number < to && number <= text->n_lines; number++) {
        g_autofree char *source = pv_source_text_format_line (text, number);
        add_text_row (table, report, NULL, number, source);
    }
}

/* The lines between two with cost; `from` is the first one after the last, 0 at the beginning. */
static void
add_between (PvReportTable *table, const Report *report, const PvSourceText *text, uint32_t from,
             uint32_t to)
{
    uint32_t context = to > CONTEXT ? to - CONTEXT : 1;
    if (from > 0 && to - from <= MAX_GAP) {
        add_source_rows (table, report, text, from, to);
        return;
    }
    if (from > 0) {
        add_source_rows (table, report, text, from, from + CONTEXT);
        add_text_row (table, report, NULL, 0, "…");
    }
    add_source_rows (table, report, text, context, to);
}

/* The function's lines of one file, from the first to the one before `end`. */
static void
append_file (const Report *report, const PvFunctionLines *function, uint32_t first, uint32_t end)
{
    GString *out = report->base.sink->text;
    const char *file = function->lines[first].file;
    const PvSourceFile *source = get_source (report, function, file);
    g_autofree char *heading = pv_annotated_make_heading (source, file);
    g_string_append (out, heading);
    g_string_append_c (out, '\n');
    PvReportTable *table = begin_table (report);
    uint32_t next = 0;
    for (uint32_t i = first; i < end; i++) {
        const PvLineCost *line = &function->lines[i];
        const PvSourceText *text = source != NULL && line->line > 0 ? source->text : NULL;
        g_autofree char *shown =
            text != NULL ? pv_source_text_format_line (text, line->line) : NULL;
        if (text != NULL && line->line <= text->n_lines)
            add_between (table, report, text, next, line->line);
        add_text_row (table, report, line->costs, line->line,
                      line->line > 0 ? shown : _ ("(line unknown)"));
        next = line->line + 1;
    }
    if (source != NULL && next > 1)
        add_source_rows (table, report, source->text, next, next + CONTEXT);
    pv_report_table_end (table, 0);
}

static void
append_function (const Report *report, const PvFunctionLines *function)
{
    const PvReport *base = &report->base;
    const PvFunction *of = &base->symbols->functions[function->function];
    PvRow row;
    get_row (report, function->function, function->costs, &row);
    g_autofree char *costs = pv_report_format_costs (base, &row);
    g_string_append_printf (base->sink->text, "%s (%s), %s\n", of->name,
                            base->profile->modules[of->module].name, costs);
    for (uint32_t first = 0, end; first < function->n_lines; first = end) {
        for (end = first + 1; end < function->n_lines; end++)
            if (g_strcmp0 (function->lines[end].file, function->lines[first].file) != 0)
                break;
        append_file (report, function, first, end);
    }
}

static void
append_text (const Report *report, const PvLineCosts *costs, uint32_t n_functions)
{
    for (uint32_t f = 0; f < n_functions; f++) {
        if (f > 0)
            g_string_append_c (report->base.sink->text, '\n');
        append_function (report, &costs->functions[f]);
    }
    if (n_functions < costs->n_functions && report->base.options->limit == PV_LIMIT_DEFAULT) {
        /* Translators: number of functions shown, and of all functions */
        g_autofree char *rest = g_strdup_printf (
            ngettext ("… %u of %u function; --limit=0 prints all",
                      "… %u of %u functions; --limit=0 prints all", costs->n_functions),
            n_functions, costs->n_functions);
        g_string_append_printf (report->base.sink->text, "\n%s\n", rest);
    }
}

static uint32_t
limit_functions (const PvReport *report, uint32_t n_functions)
{
    int limit = report->options->limit;
    if (limit == PV_LIMIT_DEFAULT)
        limit = pv_report_is_text (report) ? TEXT_FUNCTIONS : 0;
    return limit == 0 ? n_functions : MIN ((uint32_t)limit, n_functions);
}

bool
pv_annotate_report_write (const PvReport *given, GError **error)
{
    g_assert (given != NULL && given->options->function != NULL);
    g_autoptr (PvCallTree) tree =
        pv_annotated_build_tree (given->profile, given->symbols, given->query, error);
    if (tree == NULL)
        return false;
    g_autoptr (PvLineCosts) costs = pv_annotated_find_lines (tree, given->options->function, error);
    if (costs == NULL)
        return false;
    const PvPair *pair = pv_profile_get_pair (given->profile, tree->query.measure);
    const uint32_t n_functions = limit_functions (given, costs->n_functions);
    PvAnnotatedSources sources;
    Report report = {.base = *given, .query = tree->query, .sources = &sources};
    report.base.symbols = tree->symbols;
    report.base.query = &report.query;
    report.base.whole = costs->wholes[0];
    if (pair != NULL) {
        report.query.measure = pair->both;
        report.base.unit = given->profile->measures[pair->both].unit;
        report.base.whole += costs->wholes[PV_SIDE_NEW];
        report.base.amounts =
            given->profile->compared != NULL ? PV_AMOUNTS_COMPARED : PV_AMOUNTS_SIGNED;
    }
    if (given->query->granularity == PV_BY_ADDRESS)
        return pv_machine_report_write (&report.base, tree, costs, n_functions, error);
    pv_annotated_sources_init (&sources, given->options, tree);
    (pv_report_is_text (given) ? append_text : append_plain) (&report, costs, n_functions);
    pv_annotated_sources_clear (&sources);
    return true;
}
