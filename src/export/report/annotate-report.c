/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export/report/annotate-report.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/write/escape.h"
#include "export/report/annotated-lines.h"
#include "export/report/machine-report.h"
#include "export/report/print-parts.h"

/* Lines without cost are shown around those with cost; longer gaps become "…". */
enum { TEXT_FUNCTIONS = 20, CONTEXT = 3, MAX_GAP = 12 };

typedef struct {
    const PvExportOptions *options;
    const PvProfile *profile;
    const PvSymbolTable *symbols;
    PvFormat format;
    PvUnit unit;
    const PvMeasure *measure; /* NULL: the profile has none */
    bool has_sides;           /* costs are those of the base, then those of the new side */
    bool is_compared;         /* two profiles: the sides are shown; else their difference */
    uint64_t wholes[PV_N_SIDES];
    bool is_by_address; /* instructions, not lines */
    PvAnnotatedSources *sources;
    const PvTextSink *sink;
} Report;

static const PvSourceFile *
get_source (const Report *report, const PvFunctionLines *function, const char *file)
{
    return pv_annotated_sources_get (report->sources, function->function, file);
}

static const char *
get_module_name (const Report *report, const PvFunctionLines *function)
{
    PvModuleId module = report->symbols->functions[function->function].module;
    return module != 0 ? report->profile->modules[module].name : "";
}

/* --- amounts --- */

/* By side, 0 for a line without cost. Without sides, the first has everything. */
typedef struct {
    uint64_t self[PV_N_SIDES];
    uint64_t total[PV_N_SIDES];
} Amounts;

static Amounts
get_amounts (const Report *report, const PvCost *costs)
{
    Amounts amounts = {{0}, {0}};
    for (unsigned i = 0; costs != NULL && i < (report->has_sides ? PV_N_SIDES : 1); i++) {
        amounts.self[i] = costs[i].self;
        amounts.total[i] = costs[i].total;
    }
    return amounts;
}

/* Amount for a single figure; with sides, their difference. */
static int64_t
get_net (const Report *report, const uint64_t amounts[PV_N_SIDES])
{
    return report->has_sides ? (int64_t)(amounts[PV_SIDE_NEW] - amounts[PV_SIDE_BASE])
                             : (int64_t)amounts[0];
}

static void
add_net (PvTable *table, const Report *report, const uint64_t amounts[PV_N_SIDES])
{
    int64_t net = get_net (report, amounts);
    g_autofree char *text = NULL;
    if (report->format != PV_FORMAT_TEXT)
        text = g_strdup_printf ("%" G_GINT64_FORMAT, net);
    else if (report->has_sides && net != 0)
        text = pv_format_signed_amount (net, report->unit);
    else if (net != 0)
        text = pv_format_amount ((uint64_t)net, report->unit);
    pv_table_add_text (table, text);
}

static void
add_side (PvTable *table, const Report *report, uint64_t amount)
{
    g_autofree char *text = amount > 0 && report->format == PV_FORMAT_TEXT
                                ? pv_format_amount (amount, report->unit)
                                : NULL;
    if (report->format == PV_FORMAT_TEXT)
        pv_table_add_text (table, text);
    else
        pv_table_add_number (table, amount);
}

static double
get_whole (const Report *report)
{
    return (double)report->wholes[0] + (double)report->wholes[1];
}

static void
add_percent (PvTable *table, const Report *report, const uint64_t amounts[PV_N_SIDES])
{
    int64_t net = get_net (report, amounts);
    g_autofree char *percent =
        net != 0 ? pv_format_percent ((double)net, get_whole (report)) : NULL;
    pv_table_add_text (table, percent);
}

typedef struct {
    PvTableColumn all[12];
    unsigned n;
} Columns;

static void
add_column (Columns *columns, const char *id, const char *title, PvCellKind kind)
{
    g_assert (columns->n < G_N_ELEMENTS (columns->all));
    columns->all[columns->n++] = (PvTableColumn){.id = id, .title = title, .kind = kind};
}

/* --- for programs: lines with cost --- */

static void
add_plain_lines (PvTable *table, const Report *report, const PvFunctionLines *function)
{
    for (uint32_t i = 0; i < function->n_lines; i++) {
        const PvLineCost *line = &function->lines[i];
        const PvSourceFile *source = get_source (report, function, line->file);
        const Amounts amounts = get_amounts (report, line->costs);
        g_autofree char *text =
            source != NULL ? pv_source_text_format_line (source->text, line->line) : NULL;
        for (PvSide side = 0; side < PV_N_SIDES && report->is_compared; side++)
            add_side (table, report, amounts.self[side]);
        add_net (table, report, amounts.self);
        for (PvSide side = 0; side < PV_N_SIDES && report->is_compared; side++)
            add_side (table, report, amounts.total[side]);
        add_net (table, report, amounts.total);
        pv_table_add_text (table, report->symbols->functions[function->function].name);
        pv_table_add_text (table, get_module_name (report, function));
        pv_table_add_text (table, line->file);
        pv_table_add_number (table, line->line);
        pv_table_add_text (table, text);
    }
}

static void
add_plain_columns (const Report *report, Columns *columns)
{
    if (report->is_compared) {
        add_column (columns, "self_base", "", PV_CELL_NUMBER);
        add_column (columns, "self_new", "", PV_CELL_NUMBER);
        add_column (columns, "self_delta", "", PV_CELL_FIGURE);
        add_column (columns, "total_base", "", PV_CELL_NUMBER);
        add_column (columns, "total_new", "", PV_CELL_NUMBER);
        add_column (columns, "total_delta", "", PV_CELL_FIGURE);
    } else {
        add_column (columns, "self", "", PV_CELL_FIGURE);
        add_column (columns, "total", "", PV_CELL_FIGURE);
    }
    add_column (columns, "function", "", PV_CELL_TEXT);
    add_column (columns, "module", "", PV_CELL_TEXT);
    add_column (columns, "file", "", PV_CELL_TEXT);
    add_column (columns, "line", "", PV_CELL_LINE);
    add_column (columns, "source", "", PV_CELL_TEXT);
}

/* Members of a json object up to the list of lines; of a comparison, as in --print=top. */
static void
append_members (const Report *report)
{
    GString *out = report->sink->text;
    if (!report->is_compared) {
        pv_print_append_members (out, report->measure, (uint64_t)get_net (report, report->wholes));
    } else {
        g_string_append (out, "{\"measure\": ");
        pv_json_append_string (out, report->measure->name);
        g_string_append_printf (out,
                                ", \"unit\": \"%s\", \"total_base\": %" G_GUINT64_FORMAT
                                ", \"total_new\": %" G_GUINT64_FORMAT ",\n",
                                pv_print_name_unit (report->unit), report->wholes[PV_SIDE_BASE],
                                report->wholes[PV_SIDE_NEW]);
    }
    g_string_append (out, "\"lines\": ");
}

static void
append_plain (const Report *report, const PvLineCosts *costs, uint32_t n_functions)
{
    GString *out = report->sink->text;
    Columns columns = {.n = 0};
    add_plain_columns (report, &columns);
    g_autoptr (PvTable) table = pv_table_new (columns.all, columns.n);
    if (pv_format_has_cells (report->format) && report->options->has_header)
        pv_print_append_header (report->format, out, report->measure,
                                (uint64_t)get_net (report, report->wholes));
    if (report->format == PV_FORMAT_JSON)
        append_members (report);
    pv_table_begin (table, report->format, report->sink);
    for (uint32_t f = 0; f < n_functions; f++)
        add_plain_lines (table, report, &costs->functions[f]);
    pv_table_end (table);
    if (report->format == PV_FORMAT_JSON)
        g_string_append (out, "}\n");
}

/* --- for people: with the lines around them --- */

static PvTable *
new_text_table (const Report *report)
{
    Columns columns = {.n = 0};
    if (report->is_compared) {
        add_column (&columns, "", _ ("Self change"), PV_CELL_FIGURE);
        add_column (&columns, "", _ ("Base"), PV_CELL_FIGURE);
        add_column (&columns, "", _ ("New"), PV_CELL_FIGURE);
        add_column (&columns, "", _ ("Total change"), PV_CELL_FIGURE);
    } else {
        add_column (&columns, "", _ ("Self %"), PV_CELL_FIGURE);
        add_column (&columns, "", _ ("Total %"), PV_CELL_FIGURE);
        add_column (&columns, "", _ ("Self"), PV_CELL_FIGURE);
        add_column (&columns, "", _ ("Total"), PV_CELL_FIGURE);
    }
    add_column (&columns, "", _ ("Line"), PV_CELL_FIGURE);
    add_column (&columns, "", _ ("Source"), PV_CELL_TEXT);
    PvTable *table = pv_table_new (columns.all, columns.n);
    pv_table_set_max_width (table, report->options->terminal_width);
    pv_table_begin (table, report->format, report->sink);
    return table;
}

/* costs: NULL for a line without costs; number: 0 for costs without a line. */
static void
add_text_row (PvTable *table, const Report *report, const PvCost *costs, uint32_t number,
              const char *text)
{
    const Amounts amounts = get_amounts (report, costs);
    g_autofree char *shown = number > 0 ? g_strdup_printf ("%u", number) : NULL;
    if (report->is_compared) {
        add_net (table, report, amounts.self);
        add_side (table, report, amounts.total[PV_SIDE_BASE]);
        add_side (table, report, amounts.total[PV_SIDE_NEW]);
        add_net (table, report, amounts.total);
    } else {
        add_percent (table, report, amounts.self);
        add_percent (table, report, amounts.total);
        add_net (table, report, amounts.self);
        add_net (table, report, amounts.total);
    }
    pv_table_add_text (table, shown);
    pv_table_add_text (table, text);
}

static void
add_source_rows (PvTable *table, const Report *report, const PvSourceText *text, uint32_t from,
                 uint32_t to)
{
    for (uint32_t number = from; number < to && number <= text->n_lines; number++) {
        g_autofree char *source = pv_source_text_format_line (text, number);
        add_text_row (table, report, NULL, number, source);
    }
}

/* The lines between two with cost; `from` is the first one after the last, 0 at the beginning. */
static void
add_between (PvTable *table, const Report *report, const PvSourceText *text, uint32_t from,
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
    GString *out = report->sink->text;
    const char *file = function->lines[first].file;
    const PvSourceFile *source = get_source (report, function, file);
    g_autofree char *heading = pv_annotated_make_heading (source, file);
    g_string_append (out, heading);
    g_string_append_c (out, '\n');
    g_autoptr (PvTable) table = new_text_table (report);
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
    pv_table_end (table);
}

static void
append_function (const Report *report, const PvFunctionLines *function)
{
    GString *out = report->sink->text;
    const Amounts amounts = get_amounts (report, function->costs);
    const char *name = report->symbols->functions[function->function].name;
    int64_t nets[] = {get_net (report, amounts.self), get_net (report, amounts.total)};
    if (report->has_sides) {
        g_autofree char *self = pv_format_signed_amount (nets[0], report->unit);
        g_autofree char *total = pv_format_signed_amount (nets[1], report->unit);
        /* Translators: a function, its module, and by how much its cost has changed */
        g_string_append_printf (out, _ ("%s (%s), change of self %s, of total %s"), name,
                                get_module_name (report, function), self, total);
    } else {
        g_autofree char *self = pv_format_percent ((double)nets[0], get_whole (report));
        g_autofree char *total = pv_format_percent ((double)nets[1], get_whole (report));
        /* Translators: a function, its module, and what it costs */
        g_string_append_printf (out, _ ("%s (%s), self %s, total %s"), name,
                                get_module_name (report, function), self, total);
    }
    g_string_append_c (out, '\n');
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
            g_string_append_c (report->sink->text, '\n');
        append_function (report, &costs->functions[f]);
    }
    if (n_functions < costs->n_functions && report->options->limit == PV_LIMIT_DEFAULT)
        /* Translators: number of functions shown, and of all functions */
        g_string_append_printf (report->sink->text,
                                _ ("\n… %u of %u functions; --limit=0 prints all\n"), n_functions,
                                costs->n_functions);
}

static bool
write_costs (Report *report, const PvCallTree *tree, GError **error)
{
    const PvExportOptions *options = report->options;
    const PvPair *pair = pv_profile_get_pair (report->profile, tree->query.measure);
    g_autoptr (PvLineCosts) costs = pv_annotated_find_lines (tree, options->function, error);
    if (costs == NULL)
        return false;
    int limit = options->limit;
    if (limit == PV_LIMIT_DEFAULT)
        limit = report->format == PV_FORMAT_TEXT ? TEXT_FUNCTIONS : 0;
    uint32_t n_functions =
        limit == 0 ? costs->n_functions : MIN ((uint32_t)limit, costs->n_functions);
    report->symbols = tree->symbols;
    report->has_sides = pair != NULL;
    report->is_compared = pair != NULL && report->profile->compared != NULL;
    memcpy (report->wholes, costs->wholes, costs->n_measures * sizeof (uint64_t));
    if (report->is_by_address)
        return pv_machine_report_write (options, tree, costs, n_functions, report->format,
                                        report->sink, error);
    PvAnnotatedSources sources;
    pv_annotated_sources_init (&sources, options, tree);
    report->sources = &sources;
    if (report->format == PV_FORMAT_TEXT)
        append_text (report, costs, n_functions);
    else
        append_plain (report, costs, n_functions);
    pv_annotated_sources_clear (&sources);
    return true;
}

bool
pv_annotate_report_write (const PvExportOptions *options, const PvProfile *profile,
                          const PvSymbolTable *symbols, const PvQuery *query, PvFormat format,
                          const PvTextSink *sink, GError **error)
{
    g_assert (options != NULL && options->function != NULL && profile != NULL && sink != NULL);

    g_autoptr (PvCallTree) tree = pv_annotated_build_tree (profile, symbols, query, error);
    if (tree == NULL)
        return false;
    Report report = {.options = options,
                     .profile = profile,
                     .format = format,
                     .is_by_address = query->granularity == PV_BY_ADDRESS,
                     .sink = sink};
    if (query->measure < profile->n_measures) {
        const PvPair *pair = pv_profile_get_pair (profile, query->measure);
        report.measure = &profile->measures[pair != NULL ? pair->both : query->measure];
        report.unit = report.measure->unit;
    }
    return write_costs (&report, tree, error);
}
