/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/print/annotate-report.h"

#include <glib/gi18n.h>

#include "cli/print/print-parts.h"
#include "core/analyze/code/line-costs.h"
#include "core/model/profile/matcher.h"
#include "core/symbolize/files/source-files.h"

/* Lines without cost are shown around those with cost; longer gaps become "…". */
enum { TEXT_FUNCTIONS = 20, CONTEXT = 3, MAX_GAP = 12 };

typedef struct {
    const PvOptions *options;
    const PvProfile *profile;
    const PvSymbolTable *symbols;
    PvFormat format;
    PvUnit unit;
    uint64_t whole;
    PvLoadOptions load;
    GHashTable *sources; /* recorded path, borrowed -> PvSourceFile; NULL: not found */
    const PvTextSink *sink;
} Report;

static void
free_source (gpointer source)
{
    pv_source_file_free (source);
}

/* The source of a file that the function's module knows; NULL if it is not found. */
static const PvSourceFile *
get_source (const Report *report, const PvFunctionLines *function, const char *file)
{
    gpointer source;
    if (file == NULL || *file == '\0')
        return NULL;
    if (g_hash_table_lookup_extended (report->sources, file, NULL, &source))
        return source;
    PvModuleId module = report->symbols->functions[function->function].module;
    const char *binary =
        module < report->symbols->n_modules ? report->symbols->file_of_module[module] : NULL;
    source = pv_source_file_find (report->profile, &report->load.symbols, file, binary, NULL);
    g_hash_table_insert (report->sources, (gpointer)file, source);
    return source;
}

static const char *
get_module_name (const Report *report, const PvFunctionLines *function)
{
    PvModuleId module = report->symbols->functions[function->function].module;
    return module != 0 ? report->profile->modules[module].name : "";
}

/* --- for programs: lines with cost --- */

static void
add_plain_lines (PvTable *table, const Report *report, const PvFunctionLines *function)
{
    for (uint32_t i = 0; i < function->n_lines; i++) {
        const PvLineCost *line = &function->lines[i];
        const PvSourceFile *source = get_source (report, function, line->file);
        g_autofree char *text =
            source != NULL ? pv_source_text_format_line (source->text, line->line) : NULL;
        pv_table_add_number (table, line->self);
        pv_table_add_number (table, line->total);
        pv_table_add_text (table, report->symbols->functions[function->function].name);
        pv_table_add_text (table, get_module_name (report, function));
        pv_table_add_text (table, line->file);
        pv_table_add_number (table, line->line);
        pv_table_add_text (table, text);
    }
}

static void
append_plain (const Report *report, const PvLineCosts *costs, uint32_t n_functions,
              const PvMeasure *measure)
{
    const PvTableColumn columns[] = {
        {.id = "self", .title = "", .kind = PV_CELL_NUMBER},
        {.id = "total", .title = "", .kind = PV_CELL_NUMBER},
        {.id = "function", .title = ""},
        {.id = "module", .title = ""},
        {.id = "file", .title = ""},
        {.id = "line", .title = "", .kind = PV_CELL_LINE},
        {.id = "source", .title = ""},
    };
    GString *out = report->sink->text;
    g_autoptr (PvTable) table = pv_table_new (columns, G_N_ELEMENTS (columns));
    if (pv_format_has_cells (report->format) && report->options->has_header)
        pv_print_append_header (report->format, out, measure, report->whole);
    if (report->format == PV_FORMAT_JSON) {
        pv_print_append_members (out, measure, report->whole);
        g_string_append (out, "\"lines\": ");
    }
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
    const PvTableColumn columns[] = {
        {.id = "", .title = _ ("Self %"), .kind = PV_CELL_FIGURE},
        {.id = "", .title = _ ("Total %"), .kind = PV_CELL_FIGURE},
        {.id = "", .title = _ ("Self"), .kind = PV_CELL_FIGURE},
        {.id = "", .title = _ ("Total"), .kind = PV_CELL_FIGURE},
        {.id = "", .title = _ ("Line"), .kind = PV_CELL_FIGURE},
        {.id = "", .title = _ ("Source"), .kind = PV_CELL_TEXT},
    };
    PvTable *table = pv_table_new (columns, G_N_ELEMENTS (columns));
    pv_table_set_max_width (table, pv_print_get_terminal_width (report->options));
    pv_table_begin (table, report->format, report->sink);
    return table;
}

/* cost is NULL for a line without; number is 0 for what has no line. */
static void
add_text_row (PvTable *table, const Report *report, const PvLineCost *cost, uint32_t number,
              const char *text)
{
    const uint64_t amounts[] = {cost != NULL ? cost->self : 0, cost != NULL ? cost->total : 0};
    g_autofree char *shown = number > 0 ? g_strdup_printf ("%u", number) : NULL;
    for (unsigned i = 0; i < 2; i++) {
        g_autofree char *percent =
            amounts[i] > 0 ? pv_format_percent (amounts[i], report->whole) : NULL;
        pv_table_add_text (table, percent);
    }
    for (unsigned i = 0; i < 2; i++) {
        g_autofree char *amount =
            amounts[i] > 0 ? pv_format_amount (amounts[i], report->unit) : NULL;
        pv_table_add_text (table, amount);
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
    if (file == NULL || *file == '\0')
        g_string_append (out, _ ("File unknown"));
    else if (source == NULL)
        g_string_append_printf (out, _ ("%s (not found; --map-path or --symbol-path tell where)"),
                                file);
    else if (source->is_newer)
        g_string_append_printf (out, _ ("%s (changed after the program was built)"), source->path);
    else
        g_string_append (out, source->path);
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
        add_text_row (table, report, line, line->line,
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
    g_autofree char *self = pv_format_percent (function->self, report->whole);
    g_autofree char *total = pv_format_percent (function->total, report->whole);
    /* Translators: a function, its module, and what it costs */
    g_string_append_printf (report->sink->text, _ ("%s (%s), self %s, total %s"),
                            report->symbols->functions[function->function].name,
                            get_module_name (report, function), self, total);
    g_string_append_c (report->sink->text, '\n');
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

/* Marks functions by id; free with g_free (). NULL with an error if the expression is bad. */
static bool *
match_functions (const PvSymbolTable *symbols, const char *expression, GError **error)
{
    g_autoptr (PvMatcher) matcher = pv_matcher_new (expression, false, error);
    if (matcher == NULL)
        return NULL;
    bool *is_match = g_new0 (bool, MAX (symbols->n_functions, 1));
    for (uint32_t f = 1; f < symbols->n_functions; f++)
        is_match[f] = pv_matcher_match (matcher, symbols->functions[f].name) ||
                      pv_matcher_match (matcher, symbols->functions[f].short_name);
    if (!pv_matcher_gave_up (matcher))
        return is_match;
    pv_matcher_set_slow (expression, error);
    g_free (is_match);
    return NULL;
}

static bool
write_costs (Report *report, const PvCallTree *tree, GError **error)
{
    const PvOptions *options = report->options;
    const PvMeasureId measure = tree->query.measure;
    g_autofree bool *is_wanted = match_functions (tree->symbols, options->function, error);
    if (is_wanted == NULL)
        return false;
    g_autoptr (PvLineCosts) costs = pv_line_costs_build (tree, is_wanted, NULL);
    if (costs->n_functions == 0) {
        g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED, _ ("no function matches “%s”"),
                     options->function);
        return false;
    }
    int limit = options->limit;
    if (limit == PV_LIMIT_DEFAULT)
        limit = report->format == PV_FORMAT_TEXT ? TEXT_FUNCTIONS : 0;
    uint32_t n_functions =
        limit == 0 ? costs->n_functions : MIN ((uint32_t)limit, costs->n_functions);
    report->symbols = tree->symbols;
    report->whole = tree->total[0];
    report->sources = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, free_source);
    if (report->format == PV_FORMAT_TEXT)
        append_text (report, costs, n_functions);
    else
        append_plain (report, costs, n_functions,
                      measure < report->profile->n_measures ? &report->profile->measures[measure]
                                                            : NULL);
    g_hash_table_unref (report->sources);
    return true;
}

bool
pv_annotate_report_write (const PvOptions *options, const PvProfile *profile,
                          const PvSymbolTable *symbols, const PvQuery *query, PvFormat format,
                          const PvTextSink *sink, GError **error)
{
    g_assert (options != NULL && options->function != NULL && profile != NULL && sink != NULL);

    if (pv_profile_get_pair (profile, query->measure) != NULL) {
        g_set_error_literal (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                             _ ("--print=annotate is not for comparisons"));
        return false;
    }
    PvQuery by_line;
    pv_query_copy (&by_line, query);
    by_line.granularity = PV_BY_LINE;
    by_line.is_inverted = false;
    g_autoptr (PvCallTree) tree =
        pv_call_tree_build_stacks (profile, symbols, &by_line, NULL, NULL, error);
    pv_query_clear (&by_line);
    if (tree == NULL)
        return false;
    Report report = {.options = options, .profile = profile, .format = format, .sink = sink};
    if (query->measure < profile->n_measures)
        report.unit = profile->measures[query->measure].unit;
    pv_options_fill_load (options, &report.load);
    return write_costs (&report, tree, error);
}
