/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export/report/report.h"

#include <glib/gi18n.h>

#include "core/analyze/compare/changes.h"
#include "core/analyze/tables/functions.h"
#include "core/analyze/tree/tree-walk.h"
#include "core/base/output.h"
#include "core/model/profile/matcher.h"
#include "core/write/folded.h"
#include "core/write/summary.h"
#include "export/report/annotate-report.h"
#include "export/report/compare-summary.h"
#include "export/report/counter-report.h"
#include "export/report/distribution-report.h"
#include "export/report/event-report.h"
#include "export/report/findings-report.h"
#include "export/report/function-report.h"
#include "export/report/peek-report.h"
#include "export/report/print-parts.h"
#include "export/report/summary-report.h"
#include "export/report/timeline.h"

/* --- tree --- */

static const PvReportColumn tree_columns[] = {
    {{PV_COLUMN_DEPTH}, "depth", "", PV_IN_PLAIN},
    {PV_TOTAL (PV_SHOW_SHARE), "", NC_ ("column", "Total"), PV_IN_TEXT | PV_OF_ONE},
    {PV_SELF (PV_SHOW_SHARE), "", NC_ ("column", "Self"), PV_IN_TEXT | PV_OF_ONE},
    {PV_SELF (PV_SHOW_AMOUNT), "self", NC_ ("column", "Self"), PV_OF_SIGNED},
    {PV_TOTAL (PV_SHOW_AMOUNT), "total", NC_ ("column", "Total"), PV_OF_SIGNED},
    {PV_SELF (PV_SHOW_AMOUNT), "self", "", PV_IN_PLAIN | PV_OF_ONE},
    {PV_TOTAL (PV_SHOW_AMOUNT), "total", "", PV_IN_PLAIN | PV_OF_ONE},
    PV_TEXT_SIDES,
    PV_PLAIN_SIDES,
    PV_PLAIN_INTERVALS,
    {{PV_COLUMN_EXTRAS}, "", "", PV_IN_TEXT},
    {{PV_COLUMN_NAME}, "function", NC_ ("column", "Function")},
    {{PV_COLUMN_MODULE}, "module", NC_ ("column", "Module")},
    {{PV_COLUMN_FILE}, "file", "", PV_IN_PLAIN},
    {{PV_COLUMN_LINE}, "line", "", PV_IN_PLAIN},
    {{PV_COLUMN_EXTRAS}, "", "", PV_IN_PLAIN},
};

/* Replaces a tree that has only stacks by one with all nodes that are printed. */
static bool
grow_tree (const PvReport *report, PvCallTree **tree, GError **error)
{
    const PvTreeDetail detail = {.min_weight = (uint64_t)report->min_weight};
    g_clear_pointer (tree, pv_call_tree_free);
    *tree = detail.min_weight > 0
                ? pv_call_tree_build_folded (report->profile, report->symbols, report->query,
                                             &detail, NULL, NULL, error)
                : pv_call_tree_build (report->profile, report->symbols, report->query, NULL, NULL,
                                      error);
    return *tree != NULL;
}

static void
get_node_row (const PvReport *report, PvNodeId node, uint32_t depth, PvRow *ret_row)
{
    const PvCallTree *tree = report->tree;
    const PvFunctionId function = tree->function_of_node[node];
    const bool is_text = pv_report_is_text (report);
    pv_row_init_from_tree (ret_row, tree, function);
    ret_row->depth = depth;
    ret_row->self = tree->self[node];
    ret_row->total = tree->total[node];
    if (is_text || function == 0) {
        ret_row->name = pv_call_tree_get_name (tree, node);
        ret_row->label = pv_call_tree_get_label (tree, node);
    }
    if (is_text)
        ret_row->module = tree->profile->modules[pv_call_tree_get_module (tree, node)].name;
    if (function != 0 && tree->query.granularity != PV_BY_FUNCTION)
        ret_row->frame = tree->frame_of_node[node];
}

/* The walk cannot skip subtrees, so it visits nodes below min_weight but does not print them. */
static void
append_tree (const PvReport *report, const PvChanges *changes, const PvExtras *extras,
             const PvMeasureSums *sums)
{
    const PvCallTree *tree = report->tree;
    pv_report_begin (report);
    PvReportTable *table = pv_report_table_begin (report, "nodes", tree_columns,
                                                  G_N_ELEMENTS (tree_columns), 0, extras, false);
    PvTreeWalk walk = {0};
    PvWalkStep step;
    uint32_t depth = 0, n_rows = 0;
    pv_tree_walk_begin (&walk, tree, 0);
    while ((step = pv_tree_walk_next (&walk)) != PV_WALK_END) {
        if (step == PV_WALK_LEAVE) {
            depth--;
            continue;
        }
        bool is_row = walk.node == 0 ||
                      (pv_report_shows (report, tree->total[walk.node], changes, walk.node) &&
                       pv_call_tree_count_folded (tree, walk.node) == 0);
        if (is_row && n_rows++ < report->max_rows) {
            PvRow row;
            get_node_row (report, walk.node, depth, &row);
            row.changes = changes;
            row.sums = sums;
            row.change_row = row.sums_row = walk.node;
            pv_report_table_add (table, &row, NULL);
        }
        depth++;
    }
    pv_tree_walk_clear (&walk);
    pv_report_table_end (table, n_rows);
}

static void
append_whole_tree (const PvReport *report)
{
    g_autoptr (PvChanges) changes =
        report->changes != NULL ? pv_changes_by_node (report->tree, report->changes->noise, NULL)
                                : NULL;
    g_autoptr (PvMeasureSums) sums = NULL;
    g_autoptr (PvExtras) extras = NULL;
    if (changes == NULL) {
        extras = pv_extras_new (report->profile, report->query, PV_TABLE_TREE);
        g_autoptr (GArray) measures =
            pv_extras_list_measures (extras, report->profile, report->query->measure);
        if (measures->len > 0)
            sums = pv_measure_sums_by_node (
                report->tree, (const PvMeasureId *)(gpointer)measures->data, measures->len, NULL);
    }
    append_tree (report, changes, extras, sums);
}

/* --- the whole --- */

/* --print=summary of a comparison: what changed most, in sentences and a table. */
static void
append_comparison (PvReport *report)
{
    enum { SUMMARY_ROWS = 12 };
    if (report->options->limit == PV_LIMIT_DEFAULT && report->amounts == PV_AMOUNTS_COMPARED)
        report->max_rows = SUMMARY_ROWS;
    if (report->amounts == PV_AMOUNTS_COMPARED && pv_compare_summary_append (report))
        return;
    report->has_heading = report->amounts == PV_AMOUNTS_COMPARED;
    pv_function_report_append (report);
}

static bool
append_from_tree (PvReport *report, GError **error)
{
    if (pv_report_append_nothing_matches (report))
        return true;
    switch (report->print) {
    case PV_PRINT_TREE:
        append_whole_tree (report);
        return true;
    case PV_PRINT_CALLERS:
    case PV_PRINT_CALLEES:
        return pv_function_report_append_calls (report, error);
    case PV_PRINT_PEEK:
        return pv_peek_report_append (report, error);
    case PV_PRINT_SUMMARY:
        append_comparison (report);
        return true;
    default:
        pv_function_report_append (report);
        return true;
    }
}

static bool
write_amounts (const PvReport *given, GError **error)
{
    g_autoptr (PvCallTree) tree = NULL;
    g_auto (PvReport) report = *given;
    const PvProfile *profile = report.profile;
    const PvQuery *query = report.query;
    const PvPrint print = report.print;
    const bool has_pair = pv_profile_get_pair (profile, query->measure) != NULL;
    const bool is_sum = print == PV_PRINT_TOP && !has_pair && query->grouping == PV_GROUP_NONE &&
                        query->formulas == NULL && profile->n_joined == 0 &&
                        pv_function_list_can_sum (profile, query);
    if (is_sum)
        return pv_function_report_append_sums (&report, error);
    tree = pv_call_tree_build_stacks (profile, report.symbols, query, NULL, NULL, error);
    if (tree == NULL)
        return false;
    pv_report_set_whole (&report, tree->total[0]);
    if ((print == PV_PRINT_TREE || print == PV_PRINT_SUMMARY) && !grow_tree (&report, &tree, error))
        return false;
    pv_report_set_tree (&report, tree);
    return append_from_tree (&report, error);
}

/* Its sentences tell of calls, which only a tree that begins with the callers has. */
static bool
write_compared_summary (const PvReport *given, GError **error)
{
    PvReport report = *given;
    PvQuery query;
    pv_query_copy (&query, given->query);
    query.is_inverted = false;
    report.query = &query;
    bool is_done = write_amounts (&report, error);
    pv_query_clear (&query);
    return is_done;
}

static bool
write_summary (const PvReport *report, GError **error)
{
    return report->profile->compared != NULL ? write_compared_summary (report, error)
                                             : pv_summary_report_append (report, error);
}

static bool
write_notes (const PvReport *report, GError **error)
{
    (void)error;
    pv_write_notes (report->profile, report->symbols, report->format, report->sink->text);
    return true;
}

bool
pv_report_write (PvPrint print, const PvExportOptions *options, const PvProfile *profile,
                 const PvSymbolTable *symbols, const PvQuery *query, PvFormat format,
                 const PvTextSink *sink, GString *remarks, GError **error)
{
    /* Others are of amounts. */
    static bool (*const writers[]) (const PvReport *report, GError **error) = {
        [PV_PRINT_SUMMARY] = write_summary,
        [PV_PRINT_ANNOTATE] = pv_annotate_report_write,
        [PV_PRINT_NOTES] = write_notes,
        [PV_PRINT_TIMELINE] = pv_timeline_write,
        [PV_PRINT_PHASES] = pv_timeline_write_phases,
        [PV_PRINT_WAKERS] = pv_event_report_write_wakers,
        [PV_PRINT_MARKS] = pv_event_report_write_marks,
        [PV_PRINT_SYSCALLS] = pv_event_report_write_calls,
        [PV_PRINT_DISTRIBUTIONS] = pv_distribution_report_write,
        [PV_PRINT_COUNTERS] = pv_counter_report_write,
        [PV_PRINT_FINDINGS] = pv_findings_report_write,
    };
    g_assert (options != NULL && profile != NULL && query != NULL && sink != NULL);
    PvReport report = {
        .print = print,
        .options = options,
        .profile = profile,
        .symbols = symbols,
        .query = query,
        .format = format,
        .sink = sink,
        .remarks = remarks,
        .unit = pv_profile_has_weights (profile, query->measure)
                    ? profile->measures[query->measure].unit
                    : PV_UNIT_COUNT,
        .max_width = format == PV_FORMAT_TEXT ? options->terminal_width : 0,
    };
    pv_report_set_whole (&report, 0);
    return (writers[print] != NULL ? writers[print] : write_amounts) (&report, error);
}

/* --- a function by its name --- */

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
                                tree->profile->modules[function->module].name);
    }
    if (found->len > MAX_NAMES) {
        guint n = found->len - MAX_NAMES;
        g_string_append (text, "\n  ");
        g_string_append_printf (text, ngettext ("and %u more", "and %u more", n), n);
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
    g_autoptr (PvChanges) changes =
        pv_changes_can_sum (tree) ? pv_changes_by_node (tree, NULL, NULL) : NULL;
    g_autofree uint32_t *folded_of_node = g_new0 (uint32_t, tree->n_nodes);
    if (tree->self[0] > 0)
        pv_folded_writer_add (writer, pv_folded_writer_node (writer, 0, PV_NO_STACK),
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
    g_autoptr (PvFoldedWriter) folded = pv_folded_writer_new ();
    PvWriter writer;
    if (!pv_writer_open (&writer, path, error))
        return false;
    fill_writer (folded, tree);
    bool is_done = pv_folded_writer_write (folded, writer.file, NULL, error);
    return pv_writer_close (&writer, is_done ? error : NULL) && is_done;
}
