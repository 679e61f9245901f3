/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export/report/report.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <string.h>

#include "core/analyze/compare/changes.h"
#include "core/analyze/query/suppressions.h"
#include "core/analyze/tables/functions.h"
#include "core/analyze/tables/known-totals.h"
#include "core/analyze/tables/stack-quality.h"
#include "core/analyze/tree/tree-walk.h"
#include "core/base/array.h"
#include "core/model/profile/matcher.h"
#include "core/write/folded.h"
#include "core/write/summary.h"
#include "export/report/annotate-report.h"
#include "export/report/compare-report.h"
#include "export/report/counter-report.h"
#include "export/report/distribution-report.h"
#include "export/report/event-report.h"
#include "export/report/figures.h"
#include "export/report/peek-report.h"
#include "export/report/print-parts.h"
#include "export/report/timeline.h"

enum { TEXT_ROWS = 50, TEXT_TREE_ROWS = 20000, SITES_PER_MEASURE = 5 };

typedef struct {
    const PvExportOptions *options;
    const PvProfile *profile;
    const PvSymbolTable *symbols;
    const PvQuery *query;
    const PvCallTree *tree;   /* NULL: not needed */
    const PvFigures *figures; /* NULL: none */
    const PvCallFigures *call_figures;
    PvFormat format;
    PvUnit unit;
    uint64_t whole;
    uint64_t min_weight;
    uint32_t max_rows;
    unsigned max_width; /* of a line of text; 0: unlimited */
    const PvTextSink *sink;
} Report;

static void
init_report (Report *report, uint64_t whole)
{
    const PvExportOptions *options = report->options;
    const PvProfile *profile = report->profile;
    PvMeasureId measure = report->query->measure;
    PvFormat format = report->format;
    report->unit = measure < profile->n_measures ? profile->measures[measure].unit : PV_UNIT_COUNT;
    report->whole = whole;
    double percent = options->min_percent;
    if (percent == PV_MIN_PERCENT_DEFAULT)
        percent = format == PV_FORMAT_TEXT && options->print == PV_PRINT_TREE ? 0.5 : 0;
    report->min_weight = (uint64_t)((double)report->whole * percent / 100);
    int limit = options->limit;
    if (limit == PV_LIMIT_DEFAULT && format == PV_FORMAT_TEXT)
        limit = options->print == PV_PRINT_TREE ? TEXT_TREE_ROWS : TEXT_ROWS;
    else if (limit == PV_LIMIT_DEFAULT)
        limit = 0;
    report->max_rows = limit == 0 ? UINT32_MAX : (uint32_t)limit;
    report->max_width = format == PV_FORMAT_TEXT ? options->terminal_width : 0;
}

static const PvMeasure *
get_measure (const Report *report)
{
    const PvMeasureId measure = report->query->measure;
    return measure < report->profile->n_measures ? &report->profile->measures[measure] : NULL;
}

/* Cells are cut only on a terminal. Columns of figures stand before the functions for people, and
 * last for scripts. In json the table is a member of an object. */
static PvTable *
begin_table (const Report *report, const char *member, const PvTableColumn *columns,
             unsigned n_columns)
{
    g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (PvTableColumn));
    unsigned n_first = 0;
    while (n_first < n_columns &&
           (report->format != PV_FORMAT_TEXT || columns[n_first].kind != PV_CELL_TEXT))
        n_first++;
    g_array_append_vals (all, columns, n_first);
    pv_figures_add_columns (report->figures, all);
    pv_call_figures_add_columns (report->call_figures, all);
    g_array_append_vals (all, columns + n_first, n_columns - n_first);
    PvTable *table = pv_table_new ((const PvTableColumn *)(gpointer)all->data, all->len);
    if (pv_format_has_cells (report->format) && report->options->has_header)
        pv_print_append_header (report->format, report->sink->text, get_measure (report),
                                report->whole);
    if (report->format == PV_FORMAT_JSON) {
        pv_print_append_members (report->sink->text, get_measure (report), report->whole);
        g_string_append_printf (report->sink->text, "\"%s\": ", member);
    }
    pv_table_set_max_width (table, report->max_width);
    pv_table_begin (table, report->format, report->sink);
    return table;
}

static void
end_table (const Report *report, PvTable *table)
{
    pv_table_end (table);
    if (report->format == PV_FORMAT_JSON)
        g_string_append (report->sink->text, "}\n");
}

static const char *
name_of_module (const PvProfile *profile, PvModuleId module)
{
    return module != 0 ? profile->modules[module].name : "";
}

/* --- summary and notes --- */

static void
measure_stacks (const PvProfile *profile, const PvSymbolTable *symbols, PvSummaryStacks *stacks)
{
    PvStackQuality quality;
    pv_stack_quality_measure_all (profile, symbols, &quality);
    *stacks = (PvSummaryStacks){.n_complete = quality.n_complete,
                                .n_truncated = quality.n_truncated,
                                .n_unknown = quality.n_unknown,
                                .cause = quality.cause,
                                .advice = quality.command_advice};
}

typedef PV_ARRAY (PvSummarySite) SiteArray;

static void
add_sites (SiteArray *sites, const PvCallTree *tree)
{
    g_autoptr (PvFunctionList) list = pv_function_list_build (tree, NULL);
    for (uint32_t i = 0; i < list->n_rows && i < SITES_PER_MEASURE && list->rows[i].self > 0; i++) {
        const PvFunction *function = &tree->symbols->functions[list->rows[i].function];
        PvSummarySite site = {.measure = tree->query.measure,
                              .weight = list->rows[i].self,
                              .function = function->name,
                              .label = function->label,
                              .module = name_of_module (tree->profile, function->module)};
        pv_array_push (sites, site);
    }
}

/* For the whole recording: then live and growth equal leaked plus suppressed, so both are skipped.
 */
static bool
find_sites (SiteArray *sites, const PvProfile *profile, const PvSymbolTable *symbols,
            const PvQuery *asked, GError **error)
{
    g_autoptr (PvCallTree) tree = NULL;
    PvQuery query;
    bool is_done = true;
    pv_query_copy (&query, asked);
    query.start_ns = 0;
    query.end_ns = UINT64_MAX;
    query.granularity = PV_BY_FUNCTION;
    query.is_inverted = false;
    for (PvMeasureId m = 0; m < profile->n_measures && is_done; m++) {
        PvHeapMeasure measure = profile->measures[m].heap;
        if (measure == PV_HEAP_LIVE || measure == PV_HEAP_GROWTH ||
            pv_measure_is_hidden (&profile->measures[m]))
            continue;
        query.measure = m;
        PvCallTree *next = pv_call_tree_build_stacks (profile, symbols, &query, tree, NULL, error);
        pv_call_tree_free (tree);
        tree = next;
        is_done = tree != NULL;
        if (is_done)
            add_sites (sites, tree);
    }
    pv_query_clear (&query);
    return is_done;
}

static void
write_summary (const PvProfile *profile, const PvSymbolTable *symbols,
               const PvSummaryStacks *stacks, const PvSummaryHeap *heap, PvFormat format,
               GString *out)
{
    g_autoptr (GArray) figures = pv_figures_list_usual (profile);
    pv_write_summary (profile, symbols, stacks, heap,
                      (const PvSummaryFigure *)(gpointer)figures->data, figures->len, format, out);
}

static bool
append_heap_summary (const PvExportOptions *options, const PvProfile *profile,
                     const PvSymbolTable *symbols, const PvQuery *query, PvFormat format,
                     GString *out, GError **error)
{
    PvSummaryHeap heap = {.max_width = options->terminal_width};
    SiteArray sites = {0};
    pv_suppressions_sum_leaks (query->suppressions, !query->no_default_suppressions, profile,
                               symbols, &heap.leaked_bytes, &heap.suppressed_bytes);
    bool is_done = format != PV_FORMAT_TEXT || find_sites (&sites, profile, symbols, query, error);
    heap.sites = sites.data;
    heap.n_sites = (uint32_t)sites.len;
    if (is_done)
        write_summary (profile, symbols, NULL, &heap, format, out);
    pv_array_clear (&sites);
    return is_done;
}

static bool
append_summary (const PvExportOptions *options, const PvProfile *profile,
                const PvSymbolTable *symbols, const PvQuery *query, PvFormat format, GString *out,
                GError **error)
{
    if (profile->heap != NULL)
        return append_heap_summary (options, profile, symbols, query, format, out, error);
    PvSummaryStacks stacks;
    /* The share of sums with complete stacks says nothing about the recording. */
    bool has_stacks = !pv_profile_has_sums (profile);
    if (has_stacks)
        measure_stacks (profile, symbols, &stacks);
    write_summary (profile, symbols, has_stacks ? &stacks : NULL, NULL, format, out);
    return true;
}

/* --- top --- */

static void
add_name (PvTable *table, const Report *report, PvFunctionId function)
{
    const PvFunction *row = &report->symbols->functions[function];
    pv_table_add_name (table, row->name, row->label);
    pv_table_add_text (table, name_of_module (report->profile, row->module));
}

static void
add_place (PvTable *table, const Report *report, PvFunctionId function, const PvFrame *frame)
{
    const PvFunction *row = &report->symbols->functions[function];
    bool is_own = report->query->granularity == PV_BY_FUNCTION || frame == NULL;
    pv_table_add_text (table, is_own ? row->file : frame->file);
    pv_table_add_number (table, is_own ? row->line : frame->line);
}

static void
add_address (PvTable *table, const Report *report, PvLocationId location)
{
    g_autofree char *text = g_strdup_printf ("0x%" G_GINT64_MODIFIER "x",
                                             report->profile->address_of_location[location]);
    pv_table_add_text (table, text);
}

/* Optional columns of a top table; a narrow terminal has no room for all. */
typedef struct {
    bool has_amounts, has_place, has_address, has_lifetime, has_group;
} TopColumns;

static bool
has_lifetimes (const PvFunctionList *list)
{
    for (uint32_t i = 0; i < list->n_rows; i++)
        if (list->rows[i].median_ms != UINT64_MAX)
            return true;
    return false;
}

/* Formats for scripts always have the same columns; that of --group comes last. */
static TopColumns
choose_top_columns (const Report *report, const PvFunctionList *list)
{
    PvGranularity granularity = report->query->granularity;
    bool is_narrow = report->max_width > 0 && report->max_width < 120;
    bool is_by_function = granularity == PV_BY_FUNCTION;
    return (TopColumns){
        .has_amounts = !is_narrow || is_by_function,
        .has_place = !is_narrow || !is_by_function,
        .has_address = granularity == PV_BY_ADDRESS,
        .has_lifetime = !pv_format_has_cells (report->format) && has_lifetimes (list),
        .has_group = report->query->grouping != PV_GROUP_NONE,
    };
}

static const char *
get_group_title (const PvQuery *query)
{
    const char *heading = pv_groupings[query->grouping].heading;
    return heading == NULL ? query->group_label : *heading != '\0' ? _ (heading) : "";
}

/* Only text shows the percent columns. */
static PvTable *
new_top_table (const Report *report, TopColumns has)
{
    const bool is_text = report->format == PV_FORMAT_TEXT;
    const struct {
        bool is_there;
        PvTableColumn column;
    } all[] = {
        {true, {"", _ ("Self %"), PV_CELL_PERCENT, .whole = report->whole}},
        {true, {"", _ ("Total %"), PV_CELL_PERCENT, .whole = report->whole}},
        {has.has_amounts, {"self", _ ("Self"), PV_CELL_AMOUNT, .unit = report->unit}},
        {has.has_amounts, {"total", _ ("Total"), PV_CELL_AMOUNT, .unit = report->unit}},
        {has.has_group && is_text, {"", get_group_title (report->query)}},
        {true, {"function", _ ("Function")}},
        {true, {"module", _ ("Module")}},
        {has.has_place, {"file", _ ("File")}},
        {has.has_place, {"line", _ ("Line"), PV_CELL_LINE}},
        {has.has_address, {"address", _ ("Address")}},
        /* Translators: how long blocks of memory were held */
        {has.has_lifetime, {"median_lifetime_ms", _ ("Median lifetime"), PV_CELL_TIME}},
        {has.has_group && !is_text, {"group", ""}},
    };
    PvTableColumn columns[G_N_ELEMENTS (all)];
    unsigned n = 0;
    for (unsigned c = 0; c < G_N_ELEMENTS (all); c++)
        if (all[c].is_there)
            columns[n++] = all[c].column;
    return begin_table (report, "functions", columns, n);
}

static void
add_top_row (PvTable *table, const Report *report, const PvFunctionList *list, uint32_t index,
             TopColumns has)
{
    const PvFunctionRow *row = &list->rows[index];
    pv_table_add_number (table, row->self);
    pv_table_add_number (table, row->total);
    if (has.has_amounts) {
        pv_table_add_number (table, row->self);
        pv_table_add_number (table, row->total);
    }
    if (report->format == PV_FORMAT_TEXT)
        pv_figures_add_cells (report->figures, index, report->format, table);
    if (has.has_group && report->format == PV_FORMAT_TEXT)
        pv_table_add_text (table, row->group);
    add_name (table, report, row->function);
    if (has.has_place)
        add_place (table, report, row->function, row->frame);
    if (has.has_address)
        add_address (table, report, row->location);
    if (has.has_lifetime)
        pv_table_add_number (table, row->median_ms);
    if (has.has_group && report->format != PV_FORMAT_TEXT)
        pv_table_add_text (table, row->group);
    if (report->format != PV_FORMAT_TEXT)
        pv_figures_add_cells (report->figures, index, report->format, table);
}

static void
append_rest (const Report *report, uint32_t n_shown, uint32_t n_rows)
{
    if (report->format == PV_FORMAT_TEXT)
        pv_print_append_rest (report->sink->text, report->options, n_shown, n_rows);
}

static void
append_top (const Report *report, const PvFunctionList *list)
{
    TopColumns has = choose_top_columns (report, list);
    g_autoptr (PvTable) table = new_top_table (report, has);
    uint32_t n_rows = 0;
    for (uint32_t i = 0; i < list->n_rows; i++) {
        if (list->rows[i].total < report->min_weight)
            continue;
        if (n_rows++ < report->max_rows)
            add_top_row (table, report, list, i, has);
    }
    uint32_t n_shown = pv_table_get_n_rows (table);
    end_table (report, table);
    append_rest (report, n_shown, n_rows);
}

/* --- tree --- */

/* On a terminal, indentation takes at most a third of the line; deeper names start with "+N" for
 * the levels that do not fit. */
static char *
make_indented_name (const Report *report, const char *name, unsigned depth)
{
    unsigned max_depth = report->max_width > 0 ? report->max_width / 6 : 250;
    if (depth <= max_depth || report->max_width == 0)
        return g_strdup_printf ("%*s%s", (int)MIN (depth, max_depth) * 2, "", name);
    return g_strdup_printf ("%*s+%u %s", (int)max_depth * 2, "", depth - max_depth, name);
}

static void
add_tree_row (PvTable *table, const Report *report, PvNodeId node, unsigned depth)
{
    const PvCallTree *tree = report->tree;
    pv_table_add_number (table, tree->total[node]);
    pv_table_add_number (table, tree->self[node]);
    if (report->format == PV_FORMAT_TEXT) {
        pv_figures_add_cells (report->figures, node, report->format, table);
        g_autofree char *name =
            make_indented_name (report, pv_call_tree_get_name (tree, node), depth);
        g_autofree char *label =
            make_indented_name (report, pv_call_tree_get_label (tree, node), depth);
        pv_table_add_name (table, name, label);
        pv_table_add_text (table,
                           name_of_module (tree->profile, pv_call_tree_get_module (tree, node)));
        return;
    }
    pv_table_add_number (table, depth);
    pv_table_add_number (table, tree->self[node]);
    pv_table_add_number (table, tree->total[node]);
    if (tree->function_of_node[node] != 0) {
        add_name (table, report, tree->function_of_node[node]);
        add_place (table, report, tree->function_of_node[node], tree->frame_of_node[node]);
    } else {
        pv_table_add_text (table, pv_call_tree_get_name (tree, node));
        pv_table_add_text (table, NULL);
        pv_table_add_text (table, NULL);
        pv_table_add_number (table, 0);
    }
    pv_figures_add_cells (report->figures, node, report->format, table);
}

static PvTable *
new_tree_table (const Report *report)
{
    const PvTableColumn text_columns[] = {
        {.id = "", .title = _ ("Total"), .kind = PV_CELL_PERCENT, .whole = report->whole},
        {.id = "", .title = _ ("Self"), .kind = PV_CELL_PERCENT, .whole = report->whole},
        {.id = "", .title = _ ("Function")},
        {.id = "", .title = _ ("Module")},
    };
    const PvTableColumn columns[] = {
        {.id = "", .title = "", .kind = PV_CELL_PERCENT},
        {.id = "", .title = "", .kind = PV_CELL_PERCENT},
        {.id = "depth", .title = "", .kind = PV_CELL_NUMBER},
        {.id = "self", .title = "", .kind = PV_CELL_NUMBER},
        {.id = "total", .title = "", .kind = PV_CELL_NUMBER},
        {.id = "function", .title = ""},
        {.id = "module", .title = ""},
        {.id = "file", .title = ""},
        {.id = "line", .title = "", .kind = PV_CELL_LINE},
    };
    return report->format == PV_FORMAT_TEXT
               ? begin_table (report, "", text_columns, G_N_ELEMENTS (text_columns))
               : begin_table (report, "nodes", columns, G_N_ELEMENTS (columns));
}

/* Replaces a tree that has only stacks by one with all nodes that are printed. */
static bool
grow_tree (const Report *report, PvCallTree **tree, GError **error)
{
    const PvTreeDetail detail = {.min_weight = report->min_weight};
    g_clear_pointer (tree, pv_call_tree_free);
    *tree = detail.min_weight > 0
                ? pv_call_tree_build_folded (report->profile, report->symbols, report->query,
                                             &detail, NULL, NULL, error)
                : pv_call_tree_build (report->profile, report->symbols, report->query, NULL, NULL,
                                      error);
    return *tree != NULL;
}

/* The walk cannot skip subtrees, so it visits nodes below min_weight but does not print them. */
static void
append_tree (const Report *report)
{
    g_autoptr (PvTable) table = new_tree_table (report);
    PvTreeWalk walk = {0};
    PvWalkStep step;
    uint32_t depth = 0, n_rows = 0;
    pv_tree_walk_begin (&walk, report->tree, 0);
    while ((step = pv_tree_walk_next (&walk)) != PV_WALK_END) {
        if (step == PV_WALK_LEAVE) {
            depth--;
            continue;
        }
        bool is_row = walk.node == 0 || (report->tree->total[walk.node] >= report->min_weight &&
                                         pv_call_tree_count_folded (report->tree, walk.node) == 0);
        if (is_row && n_rows++ < report->max_rows)
            add_tree_row (table, report, walk.node, depth);
        depth++;
    }
    uint32_t n_shown = pv_table_get_n_rows (table);
    pv_tree_walk_clear (&walk);
    end_table (report, table);
    append_rest (report, n_shown, n_rows);
}

/* --- callers and callees --- */

/* True if the file has numbers of calls, which get a column of their own. */
static bool
has_calls (const Report *report)
{
    return pv_known_calls_find (report->tree->profile, &report->tree->query) != NULL;
}

static PvTable *
new_callers_table (const Report *report)
{
    const PvTableColumn calls = {.id = "calls", .title = _ ("Calls"), .kind = PV_CELL_FIGURE};
    const PvTableColumn all[] = {
        {.id = "", .title = _ ("Share"), .kind = PV_CELL_PERCENT, .whole = report->whole},
        {.id = "weight", .title = _ ("Weight"), .kind = PV_CELL_AMOUNT, .unit = report->unit},
        {.id = "function", .title = _ ("Function")},
        {.id = "module", .title = _ ("Module")},
        {.id = "of_function", .title = ""},
        {.id = "of_module", .title = ""},
    };
    PvTableColumn columns[G_N_ELEMENTS (all) + 1];
    bool is_text = report->format == PV_FORMAT_TEXT;
    unsigned n = 0;
    for (unsigned i = 0; i < (is_text ? 4 : G_N_ELEMENTS (all)); i++) {
        if (i == 2 && is_text && has_calls (report))
            columns[n++] = calls;
        columns[n++] = all[i];
    }
    if (!is_text && has_calls (report))
        columns[n++] = calls;
    const char *member = report->options->print == PV_PRINT_CALLERS ? "callers" : "callees";
    return begin_table (report, member, columns, n);
}

static void
add_number_of_calls (PvTable *table, const Report *report, const PvCaller *caller)
{
    g_autofree char *text = NULL;
    if (!has_calls (report))
        return;
    if (caller->n_calls != PV_AMOUNT_UNKNOWN)
        text = report->format == PV_FORMAT_TEXT
                   ? pv_format_count (caller->n_calls)
                   : g_strdup_printf ("%" G_GUINT64_FORMAT, caller->n_calls);
    pv_table_add_text (table, text);
}

static void
add_caller (PvTable *table, const Report *report, const PvCaller *caller, PvFunctionId of)
{
    const PvFunction *functions = report->tree->symbols->functions;
    const PvFunction *function = &functions[caller->function];
    bool is_none = caller->function == 0, is_text = report->format == PV_FORMAT_TEXT;
    pv_table_add_number (table, caller->weight);
    pv_table_add_number (table, caller->weight);
    if (is_text) {
        add_number_of_calls (table, report, caller);
        pv_call_figures_add_cells (report->call_figures, of, caller->function, table);
    }
    pv_table_add_name (table,
                       !is_none  ? function->name
                       : is_text ? _ ("(no caller)")
                                 : NULL,
                       function->label);
    pv_table_add_text (table, !is_none  ? name_of_module (report->tree->profile, function->module)
                              : is_text ? ""
                                        : NULL);
    if (is_text)
        return;
    pv_table_add_text (table, functions[of].name);
    pv_table_add_text (table, name_of_module (report->tree->profile, functions[of].module));
    add_number_of_calls (table, report, caller);
    pv_call_figures_add_cells (report->call_figures, of, caller->function, table);
}

/* Those that only joined files have come last. */
static void
add_callers (PvTable *table, const Report *report, const PvCaller *callers, uint32_t n,
             PvFunctionId of)
{
    g_autoptr (GArray) others = pv_call_figures_list_others (report->call_figures, of, callers, n);
    for (uint32_t i = 0; i < n + others->len && i < report->max_rows; i++) {
        const PvCaller *caller = i < n ? &callers[i] : &g_array_index (others, PvCaller, i - n);
        if (caller->weight >= report->min_weight)
            add_caller (table, report, caller, of);
    }
}

static void
append_callers_heading (const Report *report, const PvFunction *function,
                        const PvCallersCallees *callers_callees, bool is_first)
{
    g_autofree char *self = pv_format_percent (callers_callees->self, report->whole);
    g_autofree char *total = pv_format_percent (callers_callees->total, report->whole);
    if (!is_first)
        g_string_append_c (report->sink->text, '\n');
    const char *form = report->options->print == PV_PRINT_CALLERS
                           ? _ ("Callers of %s (%s), self %s, total %s")
                           : _ ("Callees of %s (%s), self %s, total %s");
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    g_string_append_printf (report->sink->text, form, function->name,
                            name_of_module (report->tree->profile, function->module), self, total);
#pragma GCC diagnostic pop
    g_string_append_c (report->sink->text, '\n');
}

/* Names some of them, heaviest first. */
static void
set_several_functions (const char *expression, const PvCallTree *tree, const GArray *found,
                       GError **error)
{
    enum { MAX_NAMES = 8 };
    g_autoptr (GString) text = g_string_new (NULL);
    for (guint i = 0; i < MIN (found->len, MAX_NAMES); i++) {
        const PvFunction *function =
            &tree->symbols->functions[g_array_index (found, PvFunctionId, i)];
        g_string_append_printf (text, "\n  %s (%s)", function->name,
                                name_of_module (tree->profile, function->module));
    }
    if (found->len > MAX_NAMES) {
        guint n = found->len - MAX_NAMES;
        g_string_append_c (text, '\n');
        g_string_append_printf (text, ngettext ("  and %u more", "  and %u more", n), n);
    }
    /* Translators: a list of functions follows, one a line. */
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                 _ ("several functions match “%s”:%s"), expression, text->str);
}

PvFunctionId
pv_report_find_function (const PvCallTree *tree, const char *expression, GError **error)
{
    g_assert (tree != NULL && expression != NULL);

    g_autoptr (PvMatcher) matcher = pv_matcher_new (expression, false, error);
    if (matcher == NULL)
        return 0;
    g_autoptr (PvFunctionList) list = pv_function_list_build (tree, NULL);
    g_autofree bool *is_match = pv_print_match_functions (tree, list, matcher);
    g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (PvFunctionId));
    for (uint32_t i = 0; i < list->n_rows; i++) {
        PvFunctionId function = list->rows[i].function;
        if (is_match[function])
            g_array_append_val (found, function);
        is_match[function] = false; /* with --by=line a function has several rows */
    }
    if (pv_matcher_gave_up (matcher))
        pv_matcher_set_slow (expression, error);
    else if (found->len == 0)
        pv_print_set_no_function (expression, error);
    else if (found->len > 1)
        set_several_functions (expression, tree, found, error);
    else
        return g_array_index (found, PvFunctionId, 0);
    return 0;
}

/* The functions of the tree and of joined files. */
static PvFunctionList *
list_functions (const PvCallTree *tree)
{
    PvFunctionList *list = pv_function_list_build (tree, NULL);
    g_autoptr (PvFigures) figures =
        tree->profile->n_joined > 0 ? pv_figures_new (tree, list) : NULL;
    pv_figures_add_rows (figures, tree->symbols, list);
    return list;
}

static bool
append_callers (Report *report, GError **error)
{
    const PvCallTree *tree = report->tree;
    g_autoptr (PvMatcher) matcher = pv_matcher_new (report->options->function, false, error);
    if (matcher == NULL)
        return false;
    bool wants_callers = report->options->print == PV_PRINT_CALLERS;
    g_autoptr (PvFunctionList) list = list_functions (tree);
    g_autofree bool *is_wanted = pv_print_match_functions (tree, list, matcher);
    g_autoptr (PvCallFigures) figures = pv_call_figures_new (tree, is_wanted, wants_callers);
    g_autofree PvCallersCallees **all = pv_callers_callees_build_all (tree, is_wanted, NULL);
    report->call_figures = figures;
    g_autoptr (PvTable) table = new_callers_table (report);
    uint32_t n_found = 0;
    for (uint32_t i = 0; i < list->n_rows; i++) {
        PvFunctionId f = list->rows[i].function;
        /* With --by=line a function has several rows. */
        g_autoptr (PvCallersCallees) callers_callees = g_steal_pointer (&all[f]);
        if (callers_callees == NULL)
            continue;
        add_callers (table, report,
                     wants_callers ? callers_callees->callers : callers_callees->callees,
                     wants_callers ? callers_callees->n_callers : callers_callees->n_callees, f);
        if (report->format == PV_FORMAT_TEXT) {
            append_callers_heading (report, &tree->symbols->functions[f], callers_callees,
                                    n_found == 0);
            pv_table_end (table);
            pv_table_free (table);
            table = new_callers_table (report);
        }
        n_found++;
    }
    report->call_figures = NULL;
    if (report->format != PV_FORMAT_TEXT)
        end_table (report, table);
    if (pv_matcher_gave_up (matcher)) {
        pv_matcher_set_slow (report->options->function, error);
        return false;
    }
    if (n_found == 0)
        pv_print_set_no_function (report->options->function, error);
    return n_found > 0;
}

/* Replaces an empty table. */
static bool
append_nothing_matches (const Report *report)
{
    if (report->whole > 0 || report->format != PV_FORMAT_TEXT)
        return false;
    pv_print_append_nothing_matches (report->sink->text, report->profile);
    return true;
}

static bool
append_from_tree (Report *report, PvPrint print, GError **error)
{
    g_autoptr (PvFunctionList) list = NULL;
    g_autoptr (PvFigures) figures = NULL;
    if (append_nothing_matches (report))
        return true;
    switch (print) {
    case PV_PRINT_TREE:
        report->figures = figures = pv_figures_new (report->tree, NULL);
        append_tree (report);
        return true;
    case PV_PRINT_CALLERS:
    case PV_PRINT_CALLEES:
        return append_callers (report, error);
    default:
        list = pv_function_list_build_by_group (report->tree, NULL);
        report->figures = figures = pv_figures_new (report->tree, list);
        pv_figures_add_rows (figures, report->tree->symbols, list);
        append_top (report, list);
        return true;
    }
}

static bool
append_sums (Report *report, GError **error)
{
    uint64_t total;
    init_report (report, 0);
    /* --min-percent may drop any of the first rows, so all rows must be in order. */
    size_t n_ordered = report->options->min_percent > 0 ? SIZE_MAX : report->max_rows;
    g_autoptr (PvFunctionList) list = pv_function_list_sum (
        report->profile, report->symbols, report->query, n_ordered, &total, NULL, error);
    if (list == NULL)
        return false;
    init_report (report, total);
    if (!append_nothing_matches (report))
        append_top (report, list);
    return true;
}

bool
pv_report_write (PvPrint print, const PvExportOptions *options, const PvProfile *profile,
                 const PvSymbolTable *symbols, const PvQuery *query, PvFormat format,
                 const PvTextSink *sink, GError **error)
{
    if (print == PV_PRINT_SUMMARY && profile->compared == NULL)
        return append_summary (options, profile, symbols, query, format, sink->text, error);
    if (print == PV_PRINT_NOTES) {
        pv_write_notes (profile, symbols, format, sink->text);
        return true;
    }
    if (print == PV_PRINT_ANNOTATE)
        return pv_annotate_report_write (options, profile, symbols, query, format, sink, error);
    if (print == PV_PRINT_DISTRIBUTIONS)
        return pv_distribution_report_write (options, profile, format, sink, error);
    if (print == PV_PRINT_COUNTERS)
        return pv_counter_report_write (options, profile, format, sink, error);
    if (print == PV_PRINT_WAKERS)
        return pv_event_report_write_wakers (options, profile, symbols, query, format, sink, error);
    if (print == PV_PRINT_MARKS)
        return pv_event_report_write_marks (options, profile, symbols, query, format, sink, error);
    if (print == PV_PRINT_SYSCALLS)
        return pv_event_report_write_calls (options, profile, symbols, query, format, sink, error);
    if (print == PV_PRINT_PHASES)
        return pv_timeline_write_phases (options, profile, symbols, query, format, sink, error);
    if (print == PV_PRINT_TIMELINE)
        return pv_timeline_write (options, profile, symbols, query, format, sink, error);
    Report report = {.options = options,
                     .profile = profile,
                     .symbols = symbols,
                     .query = query,
                     .format = format,
                     .sink = sink};
    const bool has_pair = pv_profile_get_pair (profile, query->measure) != NULL;
    const bool is_sum = print == PV_PRINT_TOP && !has_pair && query->grouping == PV_GROUP_NONE &&
                        query->formulas == NULL && profile->n_joined == 0 &&
                        pv_function_list_can_sum (profile, query);
    if (is_sum)
        return append_sums (&report, error);
    g_autoptr (PvCallTree) tree =
        pv_call_tree_build_stacks (profile, symbols, query, NULL, NULL, error);
    if (tree == NULL)
        return false;
    init_report (&report, tree->total[0]);
    if ((print == PV_PRINT_TREE || print == PV_PRINT_SUMMARY) && !grow_tree (&report, &tree, error))
        return false;
    if (print == PV_PRINT_PEEK && (report.whole > 0 || format != PV_FORMAT_TEXT))
        return pv_peek_report_write (options, tree, format, sink, error);
    if (pv_compare_report_applies (tree) && (report.whole > 0 || format != PV_FORMAT_TEXT))
        return print == PV_PRINT_SUMMARY
                   ? pv_compare_report_write_summary (options, tree, format, sink)
                   : pv_compare_report_write (print, options, tree, format, sink, error);
    report.tree = tree;
    report.symbols = tree->symbols;
    return append_from_tree (&report, print, error);
}

/* --- folded --- */

/* Self amount; for a signed measure, its net change. */
static int64_t
get_net (const PvCallTree *tree, const PvChanges *changes, PvNodeId node)
{
    return changes != NULL ? pv_changes_get_self (changes, node) : (int64_t)tree->self[node];
}

/* Adds the tree's nodes by name; siblings with equal names become one. */
static void
fill_writer (PvFoldedWriter *writer, const PvCallTree *tree)
{
    static const PvNoise no_noise = {.is_exact = true};
    g_autoptr (PvChanges) changes =
        pv_changes_can_sum (tree) ? pv_changes_by_node (tree, &no_noise, NULL) : NULL;
    g_autofree uint32_t *folded_of_node = g_new0 (uint32_t, tree->n_nodes);
    if (tree->self[0] > 0)
        pv_folded_writer_add (writer, pv_folded_writer_node (writer, 0, _ ("(no stack)")),
                              get_net (tree, changes, 0));
    for (PvNodeId n = 1; n < tree->n_nodes; n++) {
        folded_of_node[n] = pv_folded_writer_node (writer, folded_of_node[tree->parent_of_node[n]],
                                                   pv_call_tree_get_name (tree, n));
        pv_folded_writer_add (writer, folded_of_node[n], get_net (tree, changes, n));
    }
}

bool
pv_report_export_folded (const PvCallTree *tree, const char *path, GError **error)
{
    g_autoptr (PvFoldedWriter) writer = pv_folded_writer_new ();
    FILE *file = fopen (path, "we");
    bool is_written = file != NULL;
    int code = errno;
    if (file != NULL) {
        fill_writer (writer, tree);
        is_written = pv_folded_writer_write (writer, file, NULL, error);
        if (!is_written) {
            fclose (file);
            return false;
        }
        is_written = fclose (file) == 0;
        code = errno;
    }
    if (!is_written)
        g_set_error_literal (error, G_FILE_ERROR, g_file_error_from_errno (code),
                             g_strerror (code));
    return is_written;
}
