/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export/report/compare-report.h"

#include <glib/gi18n.h>
#include <stdlib.h>
#include <string.h>

#include "core/analyze/compare/changes.h"
#include "core/analyze/compare/compare-text.h"
#include "core/analyze/compare/scale.h"
#include "core/analyze/tree/tree-walk.h"
#include "core/model/profile/matcher.h"
#include "core/write/escape.h"
#include "export/report/print-parts.h"

enum { TEXT_ROWS = 50, SUMMARY_ROWS = 12, TEXT_TREE_ROWS = 20000, MAX_CELL_COLUMNS = 24 };

typedef struct {
    const PvExportOptions *options;
    const PvCallTree *tree;
    const PvChanges *functions; /* by function */
    PvFormat format;
    PvUnit unit;
    bool is_compared; /* else net amounts only */
    uint32_t max_rows;
    double min_weight;
    unsigned max_width;
    const PvTextSink *sink;
} Report;

bool
pv_compare_report_applies (const PvCallTree *tree)
{
    return pv_changes_can_sum (tree);
}

/* --- cells --- */

static char *
format_change (const Report *report, int64_t amount)
{
    return report->format == PV_FORMAT_TEXT ? pv_format_signed_amount (amount, report->unit)
                                            : g_strdup_printf ("%" G_GINT64_FORMAT, amount);
}

static void
add_change (PvTable *table, const Report *report, int64_t amount)
{
    g_autofree char *text = format_change (report, amount);
    pv_table_add_text (table, text);
}

/* "+34 %": of the base. */
static void
add_percent (PvTable *table, const PvChanges *changes, uint32_t row, bool is_self)
{
    const uint64_t *const *amounts = is_self ? changes->self_of_side : changes->total_of_side;
    g_autofree char *text =
        pv_compare_format_percent (amounts[PV_SIDE_BASE][row], amounts[PV_SIDE_NEW][row]);
    pv_table_add_text (table, text);
}

typedef struct {
    PvTableColumn all[MAX_CELL_COLUMNS];
    unsigned n;
} Columns;

static void
add_column (Columns *columns, const char *id, const char *title, PvCellKind kind, PvUnit unit)
{
    g_assert (columns->n < MAX_CELL_COLUMNS);
    columns->all[columns->n++] =
        (PvTableColumn){.id = id, .title = title, .kind = kind, .unit = unit};
}

/* Columns of amounts: in text the change first, and what is needed to judge it; for scripts all. */
static void
add_amount_columns (const Report *report, Columns *columns)
{
    const bool is_text = report->format == PV_FORMAT_TEXT;
    if (!report->is_compared) {
        add_column (columns, "self", _ ("Self"), PV_CELL_FIGURE, 0);
        add_column (columns, "total", _ ("Total"), PV_CELL_FIGURE, 0);
        return;
    }
    if (is_text) {
        add_column (columns, "", _ ("Self change"), PV_CELL_FIGURE, 0);
        add_column (columns, "", "%", PV_CELL_FIGURE, 0);
        add_column (columns, "", _ ("Base"), PV_CELL_AMOUNT, report->unit);
        add_column (columns, "", _ ("New"), PV_CELL_AMOUNT, report->unit);
        add_column (columns, "", _ ("Total change"), PV_CELL_FIGURE, 0);
        add_column (columns, "", "%", PV_CELL_FIGURE, 0);
        add_column (columns, "", "", PV_CELL_TEXT, 0);
        return;
    }
    add_column (columns, "self_base", "", PV_CELL_NUMBER, 0);
    add_column (columns, "self_new", "", PV_CELL_NUMBER, 0);
    add_column (columns, "self_delta", "", PV_CELL_FIGURE, 0);
    add_column (columns, "total_base", "", PV_CELL_NUMBER, 0);
    add_column (columns, "total_new", "", PV_CELL_NUMBER, 0);
    add_column (columns, "total_delta", "", PV_CELL_FIGURE, 0);
}

static void
add_amounts (PvTable *table, const Report *report, const PvChanges *changes, uint32_t row)
{
    int64_t self = pv_changes_get_self (changes, row), total = pv_changes_get_total (changes, row);
    if (!report->is_compared) {
        add_change (table, report, self);
        add_change (table, report, total);
        return;
    }
    if (report->format == PV_FORMAT_TEXT) {
        add_change (table, report, self);
        add_percent (table, changes, row, true);
        pv_table_add_number (table, changes->self_of_side[PV_SIDE_BASE][row]);
        pv_table_add_number (table, changes->self_of_side[PV_SIDE_NEW][row]);
        add_change (table, report, total);
        add_percent (table, changes, row, false);
        pv_table_add_text (table, pv_changes_is_row_noise (changes, row) ? _ ("noise") : "");
        return;
    }
    pv_table_add_number (table, changes->self_of_side[PV_SIDE_BASE][row]);
    pv_table_add_number (table, changes->self_of_side[PV_SIDE_NEW][row]);
    add_change (table, report, self);
    pv_table_add_number (table, changes->total_of_side[PV_SIDE_BASE][row]);
    pv_table_add_number (table, changes->total_of_side[PV_SIDE_NEW][row]);
    add_change (table, report, total);
}

static const char *
name_of_module (const PvProfile *profile, PvModuleId module)
{
    return module != 0 ? profile->modules[module].name : "";
}

static void
add_function (PvTable *table, const Report *report, PvFunctionId id, const PvFrame *frame,
              bool has_place)
{
    const PvFunction *function = &report->tree->symbols->functions[id];
    bool is_own = report->tree->query.granularity == PV_BY_FUNCTION || frame == NULL;
    pv_table_add_name (table, function->name, function->label);
    pv_table_add_text (table, name_of_module (report->tree->profile, function->module));
    if (has_place) {
        pv_table_add_text (table, is_own ? function->file : frame->file);
        pv_table_add_number (table, is_own ? function->line : frame->line);
    }
}

/* --- headings --- */

static const PvMeasure *
get_measure (const Report *report)
{
    const PvPair *pair = pv_profile_get_pair (report->tree->profile, report->tree->query.measure);
    return &report->tree->profile->measures[pair->both];
}

static void
append_header_cell (const Report *report, const char *key, const char *value)
{
    g_autofree char *cell = g_strconcat (key, "=", value, NULL);
    pv_format_append_cell (report->format, report->sink->text, key[0] == '#', cell);
}

/* The line that --header asks for. */
static void
append_header (const Report *report)
{
    const PvChanges *changes = report->functions;
    double factor = report->tree->query.factor_of_side[PV_SIDE_BASE];
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    append_header_cell (report, "# measure", get_measure (report)->name);
    append_header_cell (report, "unit", pv_print_name_unit (report->unit));
    for (PvSide side = 0; side < PV_N_SIDES && report->is_compared; side++) {
        g_snprintf (text, sizeof text, "%" G_GUINT64_FORMAT, changes->whole_of_side[side]);
        append_header_cell (report, side == PV_SIDE_BASE ? "base" : "new", text);
    }
    g_snprintf (text, sizeof text, "%" G_GINT64_FORMAT, pv_changes_get_whole (changes));
    append_header_cell (report, "delta", text);
    g_ascii_formatd (text, sizeof text, "%.9g", factor != 0 ? factor : 1);
    append_header_cell (report, "scale", text);
    g_string_append_c (report->sink->text, '\n');
}

static void
append_heading (const Report *report)
{
    GString *out = report->sink->text;
    const PvChanges *changes = report->functions;
    g_autofree char *scale = pv_print_describe_scale (report->options, report->tree);
    if (report->format == PV_FORMAT_TEXT && report->is_compared) {
        g_autofree char *text = pv_compare_make_heading (report->tree, changes, scale);
        g_autofree char *drift = pv_compare_describe_drift (changes);
        g_string_append_printf (out, "%s\n%s%s\n", text, drift != NULL ? drift : "",
                                drift != NULL ? "\n" : "");
    } else if (pv_format_has_cells (report->format) && report->options->has_header) {
        append_header (report);
    }
}

/* The first members of a json object. */
static void
append_members (const Report *report)
{
    GString *out = report->sink->text;
    const PvChanges *changes = report->functions;
    g_autofree char *scale = pv_print_describe_scale (report->options, report->tree);
    g_string_append (out, "{\"measure\": ");
    pv_json_append_string (out, get_measure (report)->name);
    g_string_append (out, ", \"unit\": ");
    pv_json_append_string (out, pv_print_name_unit (report->unit));
    if (!report->is_compared) {
        g_string_append_printf (out, ", \"total\": %" G_GINT64_FORMAT ",\n",
                                pv_changes_get_whole (changes));
        return;
    }
    const PvCompared *compared = report->tree->profile->compared;
    g_string_append (out, ", \"base\": ");
    pv_json_append_string (out, compared->name_of_side[PV_SIDE_BASE]);
    g_string_append (out, ", \"new\": ");
    pv_json_append_string (out, compared->name_of_side[PV_SIDE_NEW]);
    g_string_append_printf (out,
                            ", \"total_base\": %" G_GUINT64_FORMAT
                            ", \"total_new\": %" G_GUINT64_FORMAT
                            ", \"total_delta\": %" G_GINT64_FORMAT ", \"scale\": ",
                            changes->whole_of_side[PV_SIDE_BASE],
                            changes->whole_of_side[PV_SIDE_NEW], pv_changes_get_whole (changes));
    pv_json_append_string (out, scale);
    g_string_append (out, ",\n");
}

/* In json the table is a member of an object. */
static PvTable *
begin_table (const Report *report, const char *member, const Columns *columns)
{
    PvTable *table = pv_table_new (columns->all, columns->n);
    pv_table_set_max_width (table, report->max_width);
    if (report->format == PV_FORMAT_JSON) {
        append_members (report);
        g_string_append_printf (report->sink->text, "\"%s\": ", member);
    }
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

/* --- top --- */

static bool
is_shown (const Report *report, const PvChanges *changes, uint32_t row)
{
    uint64_t both =
        changes->total_of_side[PV_SIDE_BASE][row] + changes->total_of_side[PV_SIDE_NEW][row];
    return (double)both >= report->min_weight && both > 0 &&
           (!report->options->hides_noise || !pv_changes_is_row_noise (changes, row));
}

/* For the changes of a row, the list's row about the same. */
static uint32_t *
index_list (const PvFunctionList *list, uint32_t n_functions)
{
    uint32_t *row_of_function = g_new0 (uint32_t, MAX (n_functions, 1));
    for (uint32_t i = 0; i < list->n_rows; i++)
        row_of_function[list->rows[i].function] = i;
    return row_of_function;
}

/* Directly from the stacks where that can be done. */
static PvFunctionList *
build_list (const PvCallTree *tree)
{
    uint64_t total;
    if (tree->query.grouping != PV_GROUP_NONE ||
        !pv_function_list_can_sum (tree->profile, &tree->query))
        return pv_function_list_build_by_group (tree, NULL);
    return pv_function_list_sum (tree->profile, tree->symbols, &tree->query, 0, &total, NULL, NULL);
}

static void
append_top (const Report *report)
{
    const PvCallTree *tree = report->tree;
    const bool is_text = report->format == PV_FORMAT_TEXT;
    const bool is_grouped = tree->query.grouping != PV_GROUP_NONE;
    const bool has_address = tree->query.granularity == PV_BY_ADDRESS;
    const bool has_place = !is_text || report->max_width == 0 || report->max_width >= 140;
    g_autoptr (PvFunctionList) list = build_list (tree);
    bool is_by_function = !is_grouped && tree->query.granularity == PV_BY_FUNCTION;
    g_autoptr (PvChanges) by_row =
        is_by_function ? NULL : pv_changes_by_row (tree, list, &report->functions->noise, NULL);
    const PvChanges *changes = by_row != NULL ? by_row : report->functions;
    g_autofree uint32_t *list_row = index_list (list, tree->symbols->n_functions);
    uint32_t n_sorted, n_rows = 0;
    g_autofree uint32_t *sorted = pv_changes_sort (changes, &n_sorted);
    Columns columns = {0};
    add_amount_columns (report, &columns);
    add_column (&columns, "function", _ ("Function"), PV_CELL_TEXT, 0);
    add_column (&columns, "module", _ ("Module"), PV_CELL_TEXT, 0);
    if (has_place) {
        add_column (&columns, "file", _ ("File"), PV_CELL_TEXT, 0);
        add_column (&columns, "line", _ ("Line"), PV_CELL_LINE, 0);
    }
    if (has_address)
        add_column (&columns, "address", _ ("Address"), PV_CELL_TEXT, 0);
    if (is_grouped)
        add_column (&columns, "group", _ ("Group"), PV_CELL_TEXT, 0);
    if (report->format == PV_FORMAT_JSON && report->is_compared)
        add_column (&columns, "noise", "", PV_CELL_FIGURE, 0);
    append_heading (report);
    g_autoptr (PvTable) table = begin_table (report, "functions", &columns);
    for (uint32_t i = 0; i < n_sorted; i++) {
        uint32_t row = sorted[i];
        const PvFunctionRow *of = &list->rows[is_by_function ? list_row[row] : row];
        if (!is_shown (report, changes, row) || n_rows++ >= report->max_rows)
            continue;
        add_amounts (table, report, changes, row);
        add_function (table, report, of->function, of->frame, has_place);
        if (has_address) {
            g_autofree char *text = g_strdup_printf (
                "0x%" G_GINT64_MODIFIER "x", tree->profile->address_of_location[of->location]);
            pv_table_add_text (table, text);
        }
        if (is_grouped)
            pv_table_add_text (table, of->group);
        if (report->format == PV_FORMAT_JSON && report->is_compared)
            pv_table_add_text (table, pv_changes_is_row_noise (changes, row) ? "true" : "false");
    }
    uint32_t n_shown = pv_table_get_n_rows (table);
    end_table (report, table);
    if (is_text)
        pv_print_append_rest (report->sink->text, report->options, n_shown, n_rows);
}

/* --- tree --- */

/* On a terminal, indentation takes at most a third of the line. */
static char *
indent (const Report *report, const char *name, uint32_t depth)
{
    unsigned max_depth = report->max_width > 0 ? report->max_width / 6 : 250;
    return g_strdup_printf ("%*s%s", (int)MIN (depth, max_depth) * 2, "", name);
}

static void
add_node (PvTable *table, const Report *report, PvNodeId node, uint32_t depth)
{
    const PvCallTree *tree = report->tree;
    PvModuleId module = pv_call_tree_get_module (tree, node);
    if (report->format == PV_FORMAT_TEXT) {
        g_autofree char *name = indent (report, pv_call_tree_get_name (tree, node), depth);
        g_autofree char *label = indent (report, pv_call_tree_get_label (tree, node), depth);
        pv_table_add_name (table, name, label);
        pv_table_add_text (table, name_of_module (tree->profile, module));
    } else if (tree->function_of_node[node] != 0) {
        add_function (table, report, tree->function_of_node[node], tree->frame_of_node[node], true);
    } else {
        pv_table_add_text (table, pv_call_tree_get_name (tree, node));
        pv_table_add_text (table, NULL);
        pv_table_add_text (table, NULL);
        pv_table_add_number (table, 0);
    }
}

static void
append_tree (const Report *report, const PvChanges *changes)
{
    const bool is_text = report->format == PV_FORMAT_TEXT;
    Columns columns = {0};
    if (!is_text)
        add_column (&columns, "depth", "", PV_CELL_NUMBER, 0);
    add_amount_columns (report, &columns);
    add_column (&columns, "function", _ ("Function"), PV_CELL_TEXT, 0);
    add_column (&columns, "module", _ ("Module"), PV_CELL_TEXT, 0);
    if (!is_text) {
        add_column (&columns, "file", "", PV_CELL_TEXT, 0);
        add_column (&columns, "line", "", PV_CELL_LINE, 0);
    }
    append_heading (report);
    g_autoptr (PvTable) table = begin_table (report, "nodes", &columns);
    PvTreeWalk walk = {0};
    PvWalkStep step;
    uint32_t depth = 0, n_rows = 0;
    pv_tree_walk_begin (&walk, report->tree, 0);
    while ((step = pv_tree_walk_next (&walk)) != PV_WALK_END) {
        if (step == PV_WALK_LEAVE) {
            depth--;
            continue;
        }
        bool is_row = walk.node == 0 || (is_shown (report, changes, walk.node) &&
                                         pv_call_tree_count_folded (report->tree, walk.node) == 0);
        if (is_row && n_rows++ < report->max_rows) {
            if (!is_text)
                pv_table_add_number (table, depth);
            add_amounts (table, report, changes, walk.node);
            add_node (table, report, walk.node, depth);
        }
        depth++;
    }
    uint32_t n_shown = pv_table_get_n_rows (table);
    pv_tree_walk_clear (&walk);
    end_table (report, table);
    if (is_text)
        pv_print_append_rest (report->sink->text, report->options, n_shown, n_rows);
}

/* --- callers and callees --- */

/* A caller or callee with its amount on each side. */
typedef struct {
    PvFunctionId function;
    uint64_t of_side[PV_N_SIDES];
} Neighbour;

static int
compare_neighbours (const void *a, const void *b)
{
    const Neighbour *x = a, *y = b;
    uint64_t x_size =
        pv_change_get_size ((int64_t)(x->of_side[PV_SIDE_NEW] - x->of_side[PV_SIDE_BASE]));
    uint64_t y_size =
        pv_change_get_size ((int64_t)(y->of_side[PV_SIDE_NEW] - y->of_side[PV_SIDE_BASE]));
    if (x_size != y_size)
        return x_size > y_size ? -1 : 1;
    uint64_t x_both = x->of_side[PV_SIDE_NEW] + x->of_side[PV_SIDE_BASE];
    uint64_t y_both = y->of_side[PV_SIDE_NEW] + y->of_side[PV_SIDE_BASE];
    if (x_both != y_both)
        return x_both > y_both ? -1 : 1;
    return x->function < y->function ? -1 : x->function > y->function;
}

/* A tree for each side, that counts it alone. */
static bool
build_sides (const PvCallTree *tree, PvCallTree **ret_trees, GError **error)
{
    const PvPair *pair = pv_profile_get_pair (tree->profile, tree->query.measure);
    for (PvSide side = 0; side < PV_N_SIDES; side++) {
        ret_trees[side] = pv_call_tree_build_measure (tree, pair->of_side[side], NULL, error);
        if (ret_trees[side] == NULL)
            return false;
    }
    return true;
}

static void
add_neighbours (GArray *neighbours, GHashTable *places, const PvCaller *callers, uint32_t n,
                PvSide side)
{
    for (uint32_t i = 0; i < n; i++) {
        gpointer key = GUINT_TO_POINTER (callers[i].function + 1);
        gpointer place = g_hash_table_lookup (places, key);
        if (place == NULL) {
            Neighbour neighbour = {.function = callers[i].function};
            g_array_append_val (neighbours, neighbour);
            place = GUINT_TO_POINTER (neighbours->len);
            g_hash_table_insert (places, key, place);
        }
        g_array_index (neighbours, Neighbour, GPOINTER_TO_UINT (place) - 1).of_side[side] =
            callers[i].weight;
    }
}

static PvTable *
new_neighbour_table (const Report *report)
{
    Columns columns = {0};
    if (report->is_compared) {
        bool is_text = report->format == PV_FORMAT_TEXT;
        if (is_text) {
            add_column (&columns, "", _ ("Change"), PV_CELL_FIGURE, 0);
            add_column (&columns, "", "%", PV_CELL_FIGURE, 0);
        }
        add_column (&columns, "base", _ ("Base"), PV_CELL_AMOUNT, report->unit);
        add_column (&columns, "new", _ ("New"), PV_CELL_AMOUNT, report->unit);
        if (!is_text)
            add_column (&columns, "delta", "", PV_CELL_FIGURE, 0);
    } else {
        add_column (&columns, "weight", _ ("Weight"), PV_CELL_FIGURE, 0);
    }
    add_column (&columns, "function", _ ("Function"), PV_CELL_TEXT, 0);
    add_column (&columns, "module", _ ("Module"), PV_CELL_TEXT, 0);
    if (report->format != PV_FORMAT_TEXT) {
        add_column (&columns, "of_function", "", PV_CELL_TEXT, 0);
        add_column (&columns, "of_module", "", PV_CELL_TEXT, 0);
    }
    const char *member = report->options->print == PV_PRINT_CALLERS ? "callers" : "callees";
    return begin_table (report, member, &columns);
}

static void
add_neighbour (PvTable *table, const Report *report, const Neighbour *neighbour,
               const PvFunction *of)
{
    const PvFunction *function = &report->tree->symbols->functions[neighbour->function];
    uint64_t base = neighbour->of_side[PV_SIDE_BASE], new_ = neighbour->of_side[PV_SIDE_NEW];
    bool is_none = neighbour->function == 0, is_text = report->format == PV_FORMAT_TEXT;
    if (is_text || !report->is_compared)
        add_change (table, report, (int64_t)(new_ - base));
    if (report->is_compared) {
        if (is_text) {
            g_autofree char *percent = pv_compare_format_percent (base, new_);
            pv_table_add_text (table, percent);
        }
        pv_table_add_number (table, base);
        pv_table_add_number (table, new_);
        if (!is_text)
            add_change (table, report, (int64_t)(new_ - base));
    }
    const char *none = is_text ? _ ("(no caller)") : NULL;
    pv_table_add_name (table, is_none ? none : function->name, function->label);
    pv_table_add_text (table,
                       is_none ? NULL : name_of_module (report->tree->profile, function->module));
    if (!is_text) {
        pv_table_add_text (table, of->name);
        pv_table_add_text (table, name_of_module (report->tree->profile, of->module));
    }
}

static void
append_neighbour_heading (const Report *report, const PvFunction *function, uint32_t row,
                          bool is_first)
{
    g_autofree char *self = format_change (report, pv_changes_get_self (report->functions, row));
    g_autofree char *total = format_change (report, pv_changes_get_total (report->functions, row));
    const char *form = report->options->print == PV_PRINT_CALLERS
                           ? _ ("Callers of %s (%s), self %s, total %s")
                           : _ ("Callees of %s (%s), self %s, total %s");
    if (!is_first)
        g_string_append_c (report->sink->text, '\n');
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    g_string_append_printf (report->sink->text, form, function->name,
                            name_of_module (report->tree->profile, function->module), self, total);
#pragma GCC diagnostic pop
    g_string_append_c (report->sink->text, '\n');
}

static void
append_neighbours (const Report *report, PvTable *table, PvCallersCallees *const *of_side,
                   const PvFunction *of)
{
    g_autoptr (GArray) neighbours = g_array_new (FALSE, TRUE, sizeof (Neighbour));
    g_autoptr (GHashTable) places = g_hash_table_new (NULL, NULL);
    bool wants_callers = report->options->print == PV_PRINT_CALLERS;
    for (PvSide side = 0; side < PV_N_SIDES; side++) {
        if (of_side[side] == NULL)
            continue;
        add_neighbours (neighbours, places,
                        wants_callers ? of_side[side]->callers : of_side[side]->callees,
                        wants_callers ? of_side[side]->n_callers : of_side[side]->n_callees, side);
    }
    if (neighbours->len > 0)
        qsort (neighbours->data, neighbours->len, sizeof (Neighbour), compare_neighbours);
    for (guint i = 0; i < MIN (neighbours->len, report->max_rows); i++)
        add_neighbour (table, report, &g_array_index (neighbours, Neighbour, i), of);
}

/* By function: those of the sorted ones that are to be shown and match. */
static bool *
match_functions (const Report *report, const uint32_t *sorted, uint32_t n_sorted,
                 PvMatcher *matcher)
{
    const PvSymbolTable *symbols = report->tree->symbols;
    bool *is_match = g_new0 (bool, MAX (symbols->n_functions, 1));
    for (uint32_t i = 0; i < n_sorted; i++) {
        const PvFunction *function = &symbols->functions[sorted[i]];
        is_match[sorted[i]] = is_shown (report, report->functions, sorted[i]) &&
                              (pv_matcher_match (matcher, function->name) ||
                               pv_matcher_match (matcher, function->short_name));
    }
    is_match[0] = false; /* no function */
    return is_match;
}

static bool
append_callers (const Report *report, GError **error)
{
    const PvCallTree *tree = report->tree;
    const char *expression = report->options->function;
    g_autoptr (PvMatcher) matcher = pv_matcher_new (expression, false, error);
    g_autoptr (PvCallTree) base = NULL;
    g_autoptr (PvCallTree) new_ = NULL;
    PvCallTree *trees[PV_N_SIDES] = {NULL, NULL};
    bool is_ready = matcher != NULL && build_sides (tree, trees, error);
    base = trees[PV_SIDE_BASE];
    new_ = trees[PV_SIDE_NEW];
    if (!is_ready)
        return false;
    uint32_t n_sorted, n_found = 0;
    g_autofree uint32_t *sorted = pv_changes_sort (report->functions, &n_sorted);
    g_autofree bool *is_wanted = match_functions (report, sorted, n_sorted, matcher);
    g_autofree PvCallersCallees **all_of_base =
        pv_callers_callees_build_all (base, is_wanted, NULL);
    g_autofree PvCallersCallees **all_of_new = pv_callers_callees_build_all (new_, is_wanted, NULL);
    g_autoptr (PvTable) table = NULL;
    for (uint32_t i = 0; i < n_sorted; i++) {
        const PvFunction *function = &tree->symbols->functions[sorted[i]];
        if (!is_wanted[sorted[i]])
            continue;
        g_autoptr (PvCallersCallees) of_base = all_of_base[sorted[i]];
        g_autoptr (PvCallersCallees) of_new = all_of_new[sorted[i]];
        PvCallersCallees *of_side[] = {of_base, of_new};
        if (n_found == 0)
            append_heading (report);
        if (table == NULL)
            table = new_neighbour_table (report);
        append_neighbours (report, table, of_side, function);
        if (report->format == PV_FORMAT_TEXT) {
            append_neighbour_heading (report, function, sorted[i], n_found == 0);
            pv_table_end (table);
            g_clear_pointer (&table, pv_table_free);
        }
        n_found++;
    }
    if (table != NULL)
        end_table (report, table);
    if (pv_matcher_gave_up (matcher)) {
        pv_matcher_set_slow (expression, error);
        return false;
    }
    if (n_found == 0)
        g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED, _ ("no function matches “%s”"),
                     expression);
    return n_found > 0;
}

/* --- the whole --- */

static void
set_limits (Report *report)
{
    const PvExportOptions *options = report->options;
    const bool is_text = report->format == PV_FORMAT_TEXT;
    const bool is_tree = options->print == PV_PRINT_TREE;
    double percent = options->min_percent;
    if (percent == PV_MIN_PERCENT_DEFAULT)
        percent = is_text && is_tree ? 0.5 : 0;
    double whole = (double)report->functions->whole_of_side[PV_SIDE_BASE] +
                   (double)report->functions->whole_of_side[PV_SIDE_NEW];
    report->min_weight = whole * percent / 100;
    int limit = options->limit;
    if (limit == PV_LIMIT_DEFAULT)
        limit = !is_text ? 0 : is_tree ? TEXT_TREE_ROWS : TEXT_ROWS;
    report->max_rows = limit == 0 ? UINT32_MAX : (uint32_t)limit;
    report->max_width = is_text ? options->terminal_width : 0;
}

static Report
make_report (const PvExportOptions *options, const PvCallTree *tree, const PvChanges *functions,
             PvFormat format, const PvTextSink *sink)
{
    Report report = {
        .options = options,
        .tree = tree,
        .functions = functions,
        .format = format,
        .unit = functions->unit,
        .is_compared = tree->profile->compared != NULL,
        .sink = sink,
    };
    set_limits (&report);
    return report;
}

void
pv_compare_report_begin (const PvExportOptions *options, const PvCallTree *tree, PvFormat format,
                         const PvTextSink *sink)
{
    g_assert (pv_changes_can_sum (tree));
    g_autoptr (PvChanges) functions = pv_changes_by_function (tree, NULL);
    const Report report = make_report (options, tree, functions, format, sink);
    append_heading (&report);
    if (format == PV_FORMAT_JSON)
        append_members (&report);
}

bool
pv_compare_report_write (PvPrint print, const PvExportOptions *options, const PvCallTree *tree,
                         PvFormat format, const PvTextSink *sink, GError **error)
{
    g_assert (pv_changes_can_sum (tree));
    g_autoptr (PvChanges) functions = pv_changes_by_function (tree, NULL);
    g_autoptr (PvChanges) nodes = NULL;
    const Report report = make_report (options, tree, functions, format, sink);
    switch (print) {
    case PV_PRINT_TREE:
        nodes = pv_changes_by_node (tree, &functions->noise, NULL);
        append_tree (&report, nodes);
        return true;
    case PV_PRINT_CALLERS:
    case PV_PRINT_CALLEES:
        return append_callers (&report, error);
    default:
        append_top (&report);
        return true;
    }
}

/* --- summary --- */

enum { MAX_SENTENCES = 8 };

static void
append_json_summary (const Report *report, char *const *sentences)
{
    append_members (report);
    g_string_append (report->sink->text, "\"changes\": [");
    for (unsigned i = 0; sentences[i] != NULL; i++) {
        g_string_append (report->sink->text, i > 0 ? ", " : "");
        pv_json_append_string (report->sink->text, sentences[i]);
    }
    g_string_append (report->sink->text, "]}\n");
}

static void
append_text_summary (const Report *report, char *const *sentences)
{
    GString *out = report->sink->text;
    append_heading (report);
    for (unsigned i = 0; sentences[i] != NULL; i++)
        g_string_append_printf (out, "  %s\n", sentences[i]);
    if (sentences[0] == NULL)
        g_string_append_printf (out, "  %s\n",
                                report->functions->noise.is_exact
                                    ? _ ("Nothing changed.")
                                    : _ ("Nothing changed beyond what chance explains."));
    g_string_append_c (out, '\n');
    append_top (report);
}

bool
pv_compare_report_write_summary (const PvExportOptions *options, const PvCallTree *tree,
                                 PvFormat format, const PvTextSink *sink)
{
    g_assert (tree->profile->compared != NULL && pv_changes_can_sum (tree));
    g_autoptr (PvChanges) functions = pv_changes_by_function (tree, NULL);
    g_autoptr (PvChanges) nodes = pv_changes_by_node (tree, &functions->noise, NULL);
    g_auto (GStrv) sentences =
        pv_compare_list_changes (tree, functions, nodes, MAX_SENTENCES, NULL);
    Report report = {
        .options = options,
        .tree = tree,
        .functions = functions,
        .format = format,
        .unit = functions->unit,
        .is_compared = true,
        .sink = sink,
    };
    set_limits (&report);
    if (options->limit == PV_LIMIT_DEFAULT)
        report.max_rows = SUMMARY_ROWS;
    if (format == PV_FORMAT_TEXT)
        append_text_summary (&report, sentences);
    else if (format == PV_FORMAT_JSON)
        append_json_summary (&report, sentences);
    else
        append_top (&report);
    return true;
}
