/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export/report/report-table.h"

#include <glib/gi18n.h>

#include "core/analyze/compare/compare-text.h"
#include "core/analyze/query/kinds.h"
#include "core/analyze/renames/renames.h"
#include "core/write/escape.h"
#include "export/report/print-parts.h"

enum { TEXT_ROWS = 50, TEXT_TREE_ROWS = 20000, MIN_WIDTH_FOR_INTERVALS = 160 };

/* --- the report --- */

void
pv_report_clear (PvReport *report)
{
    g_clear_pointer (&report->changes, pv_changes_free);
}

void
pv_report_set_whole (PvReport *report, uint64_t whole)
{
    const PvExportOptions *options = report->options;
    const bool is_text = pv_report_is_text (report), is_tree = options->print == PV_PRINT_TREE;
    double percent = options->min_percent;
    if (percent == PV_MIN_PERCENT_DEFAULT)
        percent = is_text && is_tree ? 0.5 : 0;
    int limit = options->limit;
    if (limit == PV_LIMIT_DEFAULT)
        limit = !is_text ? 0 : is_tree ? TEXT_TREE_ROWS : TEXT_ROWS;
    report->whole = whole;
    report->min_weight = (double)whole * percent / 100;
    report->max_rows = limit == 0 ? UINT32_MAX : (uint32_t)limit;
}

void
pv_report_set_tree (PvReport *report, const PvCallTree *tree)
{
    g_assert (report != NULL && tree != NULL);
    report->tree = tree;
    report->symbols = tree->symbols;
    pv_report_set_whole (report, tree->total[0]);
    g_clear_pointer (&report->changes, pv_changes_free);
    if (!pv_changes_can_sum (tree))
        return;
    report->amounts = tree->profile->compared != NULL ? PV_AMOUNTS_COMPARED : PV_AMOUNTS_SIGNED;
    report->changes = pv_changes_by_function (tree, NULL);
    pv_report_set_whole (report, report->changes->whole_of_side[PV_SIDE_BASE] +
                                     report->changes->whole_of_side[PV_SIDE_NEW]);
}

bool
pv_report_is_text (const PvReport *report)
{
    return report->format == PV_FORMAT_TEXT;
}

bool
pv_report_shows (const PvReport *report, uint64_t total, const PvChanges *changes, uint32_t row)
{
    if (changes == NULL)
        return total >= (uint64_t)report->min_weight;
    const uint64_t both =
        changes->total_of_side[PV_SIDE_BASE][row] + changes->total_of_side[PV_SIDE_NEW][row];
    return (double)both >= report->min_weight && both > 0 &&
           (!report->options->hides_noise || !pv_changes_is_row_noise (changes, row));
}

const PvMeasure *
pv_report_get_measure (const PvReport *report)
{
    const PvMeasureId id = report->query->measure;
    const PvPair *pair = report->changes != NULL ? pv_profile_get_pair (report->profile, id) : NULL;
    return pv_profile_has_weights (report->profile, id)
               ? &report->profile->measures[pair != NULL ? pair->both : id]
               : NULL;
}

char *
pv_report_format_cost (const PvReport *report, const PvRow *row, bool is_self)
{
    const PvColumn column = {is_self ? PV_COLUMN_SELF : PV_COLUMN_TOTAL,
                             report->amounts == PV_AMOUNTS_OF_ONE ? PV_SHOW_SHARE : PV_SHOW_CHANGE,
                             PV_MEASURE_SHOWN, NULL};
    const PvValue value = pv_column_get (&column, row);
    return pv_report_is_text (report) ? pv_value_format (&value) : pv_value_format_plain (&value);
}

char *
pv_report_format_costs (const PvReport *report, const PvRow *row)
{
    g_autofree char *self = pv_report_format_cost (report, row, true);
    g_autofree char *total = pv_report_format_cost (report, row, false);
    return report->amounts != PV_AMOUNTS_OF_ONE
               /* Translators: by how much costs have changed */
               ? g_strdup_printf (_ ("change of self %s, of total %s"), self, total)
               /* Translators: the costs of a function or a part of it */
               : g_strdup_printf (_ ("self %s, total %s"), self, total);
}

void
pv_report_set_amounts (const PvReport *report, const PvLineAmounts *amounts, PvRow *row)
{
    g_assert (report != NULL && amounts != NULL && row != NULL);
    row->whole = report->whole;
    row->self = amounts->self[0];
    row->total = amounts->total[0];
    row->has_own_changes = report->amounts != PV_AMOUNTS_OF_ONE;
    row->self_change =
        (PvChange){.base = amounts->self[PV_SIDE_BASE], .newer = amounts->self[PV_SIDE_NEW]};
    row->total_change =
        (PvChange){.base = amounts->total[PV_SIDE_BASE], .newer = amounts->total[PV_SIDE_NEW]};
}

/* --- before the tables --- */

static void
append_header_cell (const PvReport *report, const char *key, const char *value)
{
    g_autofree char *cell = g_strconcat (key, "=", value, NULL);
    pv_format_append_cell (report->format, report->sink->text, key[0] == '#', cell);
}

/* The line that --header asks for, of a signed measure. */
static void
append_header (const PvReport *report)
{
    const PvChanges *changes = report->changes;
    double factor = report->query->factor_of_side[PV_SIDE_BASE];
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    append_header_cell (report, "# measure", pv_report_get_measure (report)->name);
    append_header_cell (report, "unit", pv_print_name_unit (report->unit));
    for (PvSide side = 0; side < PV_N_SIDES && report->amounts == PV_AMOUNTS_COMPARED; side++) {
        g_snprintf (text, sizeof text, "%" G_GUINT64_FORMAT, changes->whole_of_side[side]);
        append_header_cell (report, side == PV_SIDE_BASE ? "base" : "new", text);
    }
    g_snprintf (text, sizeof text, "%" G_GINT64_FORMAT, pv_changes_get_whole (changes));
    append_header_cell (report, "delta", text);
    g_ascii_formatd (text, sizeof text, "%.9g", factor != 0 ? factor : 1);
    append_header_cell (report, "scale", text);
    g_string_append_c (report->sink->text, '\n');
}

/* The first members of a json object, of a signed measure. */
static void
append_members (const PvReport *report)
{
    GString *out = report->sink->text;
    const PvChanges *changes = report->changes;
    g_string_append (out, "{\"measure\": ");
    pv_json_append_string (out, pv_report_get_measure (report)->name);
    g_string_append (out, ", \"unit\": ");
    pv_json_append_string (out, pv_print_name_unit (report->unit));
    if (report->amounts != PV_AMOUNTS_COMPARED) {
        g_string_append_printf (out, ", \"total\": %" G_GINT64_FORMAT ",\n",
                                pv_changes_get_whole (changes));
        return;
    }
    const PvCompared *compared = report->profile->compared;
    g_autofree char *scale = pv_print_describe_scale (report->options, report->tree);
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

void
pv_report_begin (const PvReport *report)
{
    GString *out = report->sink->text;
    const bool has_header = pv_format_has_cells (report->format) && report->options->has_header;
    if (pv_report_is_text (report) && report->amounts == PV_AMOUNTS_COMPARED &&
        !report->has_heading) {
        g_autofree char *scale = pv_print_describe_scale (report->options, report->tree);
        g_autofree char *text = pv_compare_make_heading (report->tree, report->changes, scale);
        g_autofree char *certainty = pv_compare_describe_certainty (report->changes);
        g_autofree char *nameless = pv_compare_describe_nameless (report->tree, report->changes);
        g_string_append_printf (out, "%s\n%s\n", text, certainty);
        if (nameless != NULL)
            g_string_append_printf (out, "%s\n", nameless);
        g_string_append_c (out, '\n');
    }
    if (has_header && report->amounts != PV_AMOUNTS_OF_ONE)
        append_header (report);
    else if (has_header)
        pv_print_append_header (report->format, out, pv_report_get_measure (report), report->whole);
    if (report->format == PV_FORMAT_JSON && report->amounts != PV_AMOUNTS_OF_ONE)
        append_members (report);
    else if (report->format == PV_FORMAT_JSON)
        pv_print_append_members (out, pv_report_get_measure (report), report->whole);
}

bool
pv_report_append_nothing_matches (const PvReport *report)
{
    GString *out = pv_report_is_text (report) ? report->sink->text : report->remarks;
    if (report->whole > 0)
        return false;
    if (out != NULL)
        pv_print_append_nothing_matches (out, report->profile, report->symbols, report->query);
    return pv_report_is_text (report);
}

void
pv_report_append_rest (const PvReport *report, uint32_t n_shown, uint32_t n_rows)
{
    if (pv_report_is_text (report))
        pv_print_append_rest (report->sink->text, report->options, n_shown, n_rows);
}

PvTable *
pv_report_begin_rows (const PvReport *report, const char *member, const PvTableColumn *columns,
                      unsigned n_columns)
{
    g_assert (report != NULL && columns != NULL);
    PvTable *table = pv_table_new (columns, n_columns);
    if (report->format == PV_FORMAT_JSON && member != NULL)
        g_string_append_printf (report->sink->text, "\"%s\": ", member);
    pv_table_set_max_width (table, report->max_width);
    pv_table_begin (table, report->format, report->sink);
    return table;
}

void
pv_report_end_rows (const PvReport *report, const char *member, PvTable *table, uint32_t n_rows)
{
    g_assert (report != NULL && table != NULL);
    const uint32_t n_shown = pv_table_get_n_rows (table);
    pv_table_end (table);
    pv_table_free (table);
    if (report->format == PV_FORMAT_JSON && member != NULL)
        g_string_append (report->sink->text, "}\n");
    pv_report_append_rest (report, n_shown, n_rows);
}

/* --- extra columns --- */

typedef struct {
    PvColumn column;
    char *id, *title;
} ExtraColumn;

struct PvExtras {
    GArray *columns; /* ExtraColumn */
};

static void
clear_extra (gpointer data)
{
    ExtraColumn *extra = data;
    pv_column_clear (&extra->column);
    g_free (extra->id);
    g_free (extra->title);
}

static void
add_extra (PvExtras *extras, const PvColumn *column, const char *id, const char *title)
{
    ExtraColumn extra = {pv_column_copy (column), g_strdup (id), g_strdup (title)};
    g_array_append_val (extras->columns, extra);
}

/* Other programs like names without hyphens. */
static void
add_spec (PvExtras *extras, const PvColumnSpec *spec)
{
    g_autofree char *id = g_strdelimit (g_strdup (spec->id), "-", '_');
    add_extra (extras, &spec->column, id,
               g_dpgettext2 (GETTEXT_PACKAGE, "column", spec->report_title));
}

/* The columns of a name, with the part of a function's own first. */
static void
add_both (PvExtras *extras, const char *name, PvMeasureId measure, PvFormula *formula)
{
    /* Translators: the name of a formula, such as “ipc”, or of a measure */
    g_autofree char *self_title = g_strdup_printf (_ ("%s, self"), name);
    g_autofree char *total_title = g_strdup_printf (_ ("%s, total"), name);
    g_autofree char *self_id = g_strconcat (name, "_self", NULL);
    g_autofree char *total_id = g_strconcat (name, "_total", NULL);
    add_extra (extras, &(PvColumn){PV_COLUMN_SELF, PV_SHOW_AMOUNT, measure, formula}, self_id,
               self_title);
    add_extra (extras, &(PvColumn){PV_COLUMN_TOTAL, PV_SHOW_AMOUNT, measure, formula}, total_id,
               total_title);
}

static void
add_joined (PvExtras *extras, const PvProfile *profile, PvMeasureId measure, PvTableKind table)
{
    const char *name = profile->measures[measure].name;
    if (table != PV_TABLE_CALLERS) {
        add_both (extras, name, measure, NULL);
        return;
    }
    g_autofree char *id = g_strconcat (name, "_weight", NULL);
    add_extra (extras, &(PvColumn){PV_COLUMN_TOTAL, PV_SHOW_AMOUNT, measure, NULL}, id, name);
}

/* The query has been resolved, so its formulas are good. */
PvExtras *
pv_extras_new (const PvProfile *profile, const PvQuery *query, PvTableKind table)
{
    PvExtras *extras = g_new0 (PvExtras, 1);
    const PvJoinedFile *file = pv_profile_get_joined_file (profile, query->measure);
    char **definition = table != PV_TABLE_CALLERS ? query->formulas : NULL;
    extras->columns = g_array_new (FALSE, FALSE, sizeof (ExtraColumn));
    g_array_set_clear_func (extras->columns, clear_extra);
    for (unsigned i = 0; i < pv_n_columns; i++) {
        const PvColumnSpec *spec = &pv_columns[i];
        if (spec->report_title != NULL && spec->width_px[table] > 0 &&
            pv_column_is_there (&spec->column, profile, query))
            add_spec (extras, spec);
    }
    for (uint32_t i = 0; i < profile->n_joined; i++)
        if (&profile->joined[i] != file)
            add_joined (extras, profile, profile->joined[i].first_measure, table);
    for (; definition != NULL && *definition != NULL; definition++) {
        g_autoptr (PvFormula) formula = pv_formula_new (*definition, profile, NULL);
        add_both (extras, formula->name, UINT32_MAX, formula);
    }
    return extras;
}

void
pv_extras_free (PvExtras *extras)
{
    if (extras == NULL)
        return;
    g_array_unref (extras->columns);
    g_free (extras);
}

GArray *
pv_extras_list_measures (const PvExtras *extras, const PvProfile *profile, PvMeasureId shown)
{
    GArray *measures = g_array_new (FALSE, FALSE, sizeof (PvMeasureId));
    for (guint i = 0; i < extras->columns->len; i++) {
        const PvColumn *column = &g_array_index (extras->columns, ExtraColumn, i).column;
        if (pv_column_is_amount (column))
            pv_column_add_measures (column, profile, shown, measures);
    }
    return measures;
}

/* --- tables --- */

typedef struct {
    PvColumn column;
    PvCellKind cell;
} TableColumn;

struct PvReportTable {
    const PvReport *report;
    const char *member;
    GArray *columns; /* TableColumn */
    PvTable *table;
    bool is_sparse;
};

static unsigned
find_flags (const PvReport *report)
{
    const bool has_room = report->max_width == 0 || report->max_width >= MIN_WIDTH_FOR_INTERVALS;
    const bool has_intervals = report->amounts == PV_AMOUNTS_COMPARED && has_room &&
                               report->changes != NULL && report->changes->noise != NULL;
    return (pv_report_is_text (report) ? PV_IN_TEXT : PV_IN_PLAIN) |
           (has_intervals ? PV_HAS_INTERVALS : 0) |
           (report->format == PV_FORMAT_JSON ? PV_IN_JSON : 0) |
           (report->symbols != NULL && report->symbols->n_fates > 0 ? PV_HAS_RENAMES : 0) |
           (PV_OF_ONE << report->amounts);
}

static const char *
get_group_title (const PvQuery *query)
{
    const char *heading = pv_groupings[query->grouping].heading;
    return heading == NULL    ? query->group_label
           : *heading != '\0' ? g_dpgettext2 (GETTEXT_PACKAGE, "column", heading)
                              : "";
}

static PvCellKind
choose_amount_cell (const PvReportTable *table, const PvColumn *column)
{
    const PvReport *report = table->report;
    const bool is_figure = column->formula != NULL || column->show == PV_SHOW_CHANGE ||
                           column->show == PV_SHOW_PERCENT || column->show >= PV_SHOW_INTERVAL ||
                           table->is_sparse ||
                           pv_column_get_pair (column, report->profile, report->query->measure);
    return is_figure                       ? PV_CELL_FIGURE
           : column->show == PV_SHOW_SHARE ? PV_CELL_PERCENT
                                           : PV_CELL_AMOUNT;
}

static PvCellKind
choose_cell (const PvReportTable *table, const PvColumn *column)
{
    switch (column->kind) {
    case PV_COLUMN_SELF:
    case PV_COLUMN_TOTAL:
        return choose_amount_cell (table, column);
    case PV_COLUMN_LINE:
        return PV_CELL_LINE;
    case PV_COLUMN_MEDIAN:
        return PV_CELL_TIME;
    case PV_COLUMN_NOISE:
        return pv_report_is_text (table->report) ? PV_CELL_TEXT : PV_CELL_FIGURE;
    case PV_COLUMN_WORDS:
    case PV_COLUMN_ADDRESS:
        return PV_CELL_TEXT;
    case PV_COLUMN_DEPTH:
        return PV_CELL_NUMBER;
    case PV_COLUMN_NUMBER:
        return PV_CELL_FIGURE;
    default:
        return pv_column_has_words (column) ? PV_CELL_TEXT : PV_CELL_FIGURE;
    }
}

static void
add_column (PvReportTable *table, GArray *cells, const PvColumn *column, const char *id,
            const char *title)
{
    const PvReport *report = table->report;
    const PvMeasureId measure =
        pv_profile_has_weights (report->profile, column->measure) && pv_column_is_amount (column)
            ? column->measure
            : report->query->measure;
    TableColumn added = {*column, choose_cell (table, column)};
    PvTableColumn cell = {.id = id,
                          .title = title,
                          .kind = added.cell,
                          .unit = pv_profile_has_weights (report->profile, measure)
                                      ? report->profile->measures[measure].unit
                                      : PV_UNIT_COUNT,
                          .whole = report->whole};
    g_array_append_val (table->columns, added);
    g_array_append_val (cells, cell);
}

static const char *
get_title (const PvReport *report, const PvReportColumn *column)
{
    return column->title == NULL      ? get_group_title (report->query)
           : column->title[0] != '\0' ? g_dpgettext2 (GETTEXT_PACKAGE, "column", column->title)
                                      : "";
}

PvReportTable *
pv_report_table_begin (const PvReport *report, const char *member, const PvReportColumn *columns,
                       unsigned n_columns, unsigned flags, const PvExtras *extras, bool is_sparse)
{
    g_assert (report != NULL && columns != NULL);
    PvReportTable *table = g_new0 (PvReportTable, 1);
    g_autoptr (GArray) cells = g_array_new (FALSE, FALSE, sizeof (PvTableColumn));
    flags |= find_flags (report);
    table->report = report;
    table->is_sparse = is_sparse && pv_report_is_text (report);
    table->columns = g_array_new (FALSE, FALSE, sizeof (TableColumn));
    for (unsigned i = 0; i < n_columns; i++) {
        const PvReportColumn *column = &columns[i];
        const bool is_extra = column->column.kind == PV_COLUMN_EXTRAS;
        if ((column->needs & flags) != column->needs || (column->lacks & flags) != 0)
            continue;
        if (!is_extra)
            add_column (table, cells, &column->column, column->id, get_title (report, column));
        for (guint k = 0; is_extra && extras != NULL && k < extras->columns->len; k++) {
            const ExtraColumn *extra = &g_array_index (extras->columns, ExtraColumn, k);
            add_column (table, cells, &extra->column, extra->id, extra->title);
        }
    }
    table->member = member;
    table->table = pv_report_begin_rows (report, member,
                                         (const PvTableColumn *)(gpointer)cells->data, cells->len);
    return table;
}

/* On a terminal, indentation takes at most a third of the line; deeper names start with "+N" for
 * the levels that do not fit. */
static char *
indent (const PvReport *report, const char *name, unsigned depth)
{
    unsigned max_depth = report->max_width > 0 ? report->max_width / 6 : 250;
    if (depth <= max_depth || report->max_width == 0)
        return g_strdup_printf ("%*s%s", (int)MIN (depth, max_depth) * 2, "", name);
    return g_strdup_printf ("%*s+%u %s", (int)max_depth * 2, "", depth - max_depth, name);
}

/* Only people see depth as indentation. */
static void
add_name (PvReportTable *table, const PvRow *row, const PvValue *value)
{
    if (value->kind != PV_VALUE_WORDS) {
        pv_table_add_text (table->table, NULL);
        return;
    }
    if (!pv_report_is_text (table->report)) {
        pv_table_add_name (table->table, value->name, value->text);
        return;
    }
    g_autofree char *more = pv_renames_describe_short (row->symbols, row->function);
    g_autofree char *in_brackets = more != NULL ? g_strdup_printf (" (%s)", more) : g_strdup ("");
    g_autofree char *whole = g_strconcat (value->name, in_brackets, NULL);
    g_autofree char *cut = g_strconcat (value->text, in_brackets, NULL);
    g_autofree char *name = indent (table->report, whole, row->depth);
    g_autofree char *label = indent (table->report, cut, row->depth);
    pv_table_add_name (table->table, name, label);
}

static uint64_t
get_number (const PvValue *value)
{
    switch (value->kind) {
    case PV_VALUE_CHANGE:
        return value->show == PV_SHOW_BASE ? value->change.base : value->change.newer;
    case PV_VALUE_LINE:
        return value->line;
    case PV_VALUE_NONE:
        return 0;
    default:
        return value->amount;
    }
}

static void
add_value (PvReportTable *table, const TableColumn *column, const PvRow *row)
{
    const PvValue value = pv_column_get (&column->column, row);
    const bool is_text = pv_report_is_text (table->report);
    const bool is_written = column->cell == PV_CELL_TEXT || column->cell == PV_CELL_FIGURE;
    if (column->column.kind == PV_COLUMN_NAME) {
        add_name (table, row, &value);
    } else if (column->column.kind == PV_COLUMN_MEDIAN) {
        pv_table_add_number (table->table, row->median_ms);
    } else if (is_written && value.kind == PV_VALUE_WORDS && value.length == 0 && value.line == 0) {
        pv_table_add_text (table->table, value.text);
    } else if (is_written) {
        bool is_empty = table->is_sparse && pv_value_is_zero (&value);
        g_autofree char *text = is_empty  ? NULL
                                : is_text ? pv_value_format (&value)
                                          : pv_value_format_plain (&value);
        pv_table_add_text (table->table, text);
    } else {
        pv_table_add_number (table->table, get_number (&value));
    }
}

void
pv_report_table_add (PvReportTable *table, const PvRow *row, const char *const *words)
{
    g_assert (table != NULL && row != NULL);
    for (guint i = 0; i < table->columns->len; i++) {
        const TableColumn *column = &g_array_index (table->columns, TableColumn, i);
        if (column->column.kind == PV_COLUMN_WORDS || column->column.kind == PV_COLUMN_NUMBER)
            pv_table_add_text (table->table, *words++);
        else
            add_value (table, column, row);
    }
}

void
pv_report_table_end (PvReportTable *table, uint32_t n_rows)
{
    g_assert (table != NULL);
    pv_report_end_rows (table->report, table->member, table->table, n_rows);
    g_array_unref (table->columns);
    g_free (table);
}
