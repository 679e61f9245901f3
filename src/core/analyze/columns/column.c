/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/columns/column.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "core/analyze/renames/renames.h"
#include "core/model/profile/package.h"

/* --- rows --- */

void
pv_row_init (PvRow *row, const PvProfile *profile, const PvSymbolTable *symbols,
             const PvQuery *query, PvFunctionId function)
{
    g_assert (row != NULL && profile != NULL && symbols != NULL && query != NULL);
    g_assert (function < MAX (symbols->n_functions, 1));
    *row = (PvRow){.profile = profile,
                   .symbols = symbols,
                   .query = query,
                   .function = function,
                   .n_calls = PV_AMOUNT_UNKNOWN,
                   .median_ms = UINT64_MAX};
}

void
pv_row_init_from_tree (PvRow *row, const PvCallTree *tree, PvFunctionId function)
{
    pv_row_init (row, tree->profile, tree->symbols, &tree->query, function);
    row->tree = tree;
    row->whole = tree->total[0];
}

PvChange
pv_change_get (const PvChanges *changes, uint32_t row, bool is_self)
{
    const uint64_t *const *side = is_self ? changes->self_of_side : changes->total_of_side;
    g_assert (row < changes->n_rows);
    PvChange change = {.base = side[PV_SIDE_BASE][row], .newer = side[PV_SIDE_NEW][row]};
    change.is_exact = changes->noise == NULL;
    change.is_noise = pv_changes_is_noise (changes, row, is_self) ||
                      (change.base == change.newer && !change.is_exact);
    PvInterval interval = pv_changes_find_interval (changes, row, is_self, 1);
    change.low = pv_round_amount (interval.low);
    change.high = pv_round_amount (interval.high);
    return change;
}

/* The row's part of a signed measure. False: it is not known. */
static bool
get_row_change (const PvRow *row, bool is_self, PvChange *ret_change)
{
    g_assert (row != NULL && ret_change != NULL);
    if ((row->changes == NULL && !row->has_own_changes) || (is_self && row->n_folded > 0))
        return false;
    *ret_change = row->has_own_changes ? (is_self ? row->self_change : row->total_change)
                                       : pv_change_get (row->changes, row->change_row, is_self);
    return true;
}

bool
pv_row_is_noise (const PvRow *row)
{
    g_assert (row != NULL);
    if (row->has_own_changes)
        return row->total_change.is_noise;
    return row->changes != NULL && pv_changes_is_row_noise (row->changes, row->change_row);
}

/* --- measures --- */

bool
pv_column_is_amount (const PvColumn *column)
{
    return column->kind == PV_COLUMN_SELF || column->kind == PV_COLUMN_TOTAL;
}

static bool
shows_change (const PvColumn *column)
{
    return column->show >= PV_SHOW_CHANGE;
}

/* In a comparison, the pair of the measure that boxes are as wide as, also if that is one side. */
static const PvPair *
find_compared_pair (const PvProfile *profile, PvMeasureId measure)
{
    return profile->compared != NULL ? pv_profile_get_pair (profile, measure) : NULL;
}

/* The pair of a measure with signed amounts. Only the part that stands for the whole pair has
 * them. */
static const PvPair *
find_pair (const PvProfile *profile, PvMeasureId measure)
{
    return pv_profile_has_weights (profile, measure) &&
                   profile->measures[measure].part == PV_PART_BOTH
               ? pv_profile_get_pair (profile, measure)
               : NULL;
}

static PvMeasureId
find_measure (const PvColumn *column, PvMeasureId shown)
{
    return column->measure == PV_MEASURE_SHOWN ? shown : column->measure;
}

const PvPair *
pv_column_get_pair (const PvColumn *column, const PvProfile *profile, PvMeasureId shown)
{
    if (!pv_column_is_amount (column) || column->formula != NULL || shows_change (column))
        return NULL;
    return find_pair (profile, find_measure (column, shown));
}

bool
pv_column_needs_sums (const PvColumn *column, const PvCallTree *tree)
{
    return pv_column_is_amount (column) &&
           (column->formula != NULL || column->measure != PV_MEASURE_SHOWN ||
            shows_change (column) ||
            pv_column_get_pair (column, tree->profile, tree->query.measure) != NULL);
}

void
pv_column_add_measures (const PvColumn *column, const PvProfile *profile, PvMeasureId shown,
                        GArray *measures)
{
    const PvMeasureId measure = find_measure (column, shown);
    g_assert (profile != NULL && measures != NULL);
    if (column->formula != NULL) {
        pv_measures_add_formula (measures, column->formula);
        return;
    }
    const PvPair *pair = find_compared_pair (profile, measure);
    if (shows_change (column) && pair != NULL) {
        pv_changes_add_measures (pair, measures);
        return;
    }
    pair = find_pair (profile, measure);
    for (PvSide side = 0; pair != NULL && side < PV_N_SIDES; side++)
        pv_measures_add (measures, pair->of_side[side]);
    if (pair == NULL && column->measure != PV_MEASURE_SHOWN)
        pv_measures_add (measures, column->measure);
}

bool
pv_tree_has_changes (const PvCallTree *tree)
{
    g_assert (tree != NULL);
    return find_compared_pair (tree->profile, tree->query.measure) != NULL;
}

/* --- amounts --- */

/* NAN: no value, or the sums lack a measure. */
static double
compute (const PvColumn *column, const PvRow *row)
{
    const PvFormula *formula = column->formula;
    if (row->sums == NULL)
        return NAN;
    for (uint32_t i = 0; i < formula->n_measures; i++)
        if (pv_measure_sums_find (row->sums, formula->measures[i]) == NULL)
            return NAN;
    return pv_measure_sums_compute (row->sums, formula, column->kind == PV_COLUMN_SELF,
                                    row->sums_row);
}

/* The difference from sums of both sides; the whole is all that was added and taken away. False:
 * the sums lack the sides. */
static bool
find_net_in_sums (const PvPair *pair, const PvRow *row, bool is_self, PvValue *value)
{
    const PvMeasureColumn *base = pv_measure_sums_find (row->sums, pair->of_side[PV_SIDE_BASE]);
    const PvMeasureColumn *newer = pv_measure_sums_find (row->sums, pair->of_side[PV_SIDE_NEW]);
    const uint32_t i = row->sums_row;
    if (base == NULL || newer == NULL)
        return false;
    value->amount = is_self ? newer->self[i] - base->self[i] : newer->total[i] - base->total[i];
    value->whole = newer->whole + base->whole;
    return true;
}

static void
get_net (const PvColumn *column, const PvRow *row, const PvPair *pair, PvValue *value)
{
    const bool is_self = column->kind == PV_COLUMN_SELF;
    PvChange change;
    if (column->measure == PV_MEASURE_SHOWN && get_row_change (row, is_self, &change)) {
        value->kind = PV_VALUE_NET;
        value->amount = change.newer - change.base;
        value->whole = row->whole;
    } else if (find_net_in_sums (pair, row, is_self, value)) {
        value->kind = PV_VALUE_NET;
    }
}

/* The amount of one measure. */
static void
get_plain (const PvColumn *column, const PvRow *row, PvValue *value)
{
    const bool is_self = column->kind == PV_COLUMN_SELF;
    const PvMeasureColumn *sums = pv_measure_sums_find (row->sums, column->measure);
    if (column->measure != PV_MEASURE_SHOWN && sums == NULL)
        return;
    value->kind = PV_VALUE_AMOUNT;
    if (column->measure == PV_MEASURE_SHOWN) {
        value->amount = is_self ? row->self : row->total;
        value->whole = row->whole;
    } else {
        value->amount = (is_self ? sums->self : sums->total)[row->sums_row];
        value->whole = sums->whole;
    }
}

static PvValue
get_amount (const PvColumn *column, const PvRow *row)
{
    const PvProfile *profile = row->profile;
    const PvMeasureId measure = find_measure (column, row->query->measure);
    const bool is_self = column->kind == PV_COLUMN_SELF;
    const PvPair *pair = pv_column_get_pair (column, row->profile, row->query->measure);
    PvValue value = {
        .show = column->show,
        .unit = pv_profile_has_weights (profile, measure) ? profile->measures[measure].unit
                                                          : PV_UNIT_COUNT,
    };
    if (column->formula != NULL) {
        value.kind = PV_VALUE_FORMULA;
        value.formula = column->formula;
        value.number = is_self && row->n_folded > 0 ? NAN : compute (column, row);
    } else if (shows_change (column)) {
        if (get_row_change (row, is_self, &value.change))
            value.kind = PV_VALUE_CHANGE;
    } else if (!is_self || row->n_folded == 0) {
        if (pair != NULL)
            get_net (column, row, pair, &value);
        else
            get_plain (column, row, &value);
    }
    return value;
}

/* --- other fields --- */

static PvValue
make_words (const char *text)
{
    return (PvValue){.kind = text != NULL ? PV_VALUE_WORDS : PV_VALUE_NONE, .text = text};
}

static const PvFunction *
get_function (const PvRow *row)
{
    return &row->symbols->functions[row->function];
}

static PvValue
get_name (const PvColumn *column, const PvRow *row)
{
    (void)column;
    if (row->n_folded > 0)
        return (PvValue){.kind = PV_VALUE_FOLDED, .tree = row->tree, .amount = row->n_folded};
    if (row->function == 0 && row->label == NULL)
        return (PvValue){.kind = PV_VALUE_NONE};
    PvValue value = make_words (row->label != NULL ? row->label : get_function (row)->label);
    value.name = row->name != NULL ? row->name : get_function (row)->name;
    return value;
}

static PvValue
get_module (const PvColumn *column, const PvRow *row)
{
    (void)column;
    if (row->module != NULL || row->function == 0)
        return make_words (row->module);
    return make_words (row->profile->modules[get_function (row)->module].name);
}

static PvValue
get_package (const PvColumn *column, const PvRow *row)
{
    (void)column;
    PvValue value = {.kind = PV_VALUE_NONE};
    if (row->function == 0)
        return value;
    value.text = pv_function_find_package (get_function (row), &value.length);
    if (value.length > 0)
        value.kind = PV_VALUE_WORDS;
    return value;
}

/* The last part of the path. */
static PvValue
get_place (const PvColumn *column, const PvRow *row)
{
    (void)column;
    const PvFunction *function = get_function (row);
    if (row->function == 0 || function->file == NULL)
        return (PvValue){.kind = PV_VALUE_NONE};
    const char *slash = strrchr (function->file, '/');
    PvValue value = make_words (slash != NULL && slash[1] != '\0' ? slash + 1 : function->file);
    value.line = function->line;
    return value;
}

static PvValue
get_file (const PvColumn *column, const PvRow *row)
{
    (void)column;
    if (row->frame != NULL)
        return make_words (row->frame->file);
    return make_words (row->function != 0 ? get_function (row)->file : NULL);
}

static PvValue
get_line (const PvColumn *column, const PvRow *row)
{
    (void)column;
    const uint32_t line = row->frame != NULL   ? row->frame->line
                          : row->function != 0 ? get_function (row)->line
                                               : 0;
    return (PvValue){.kind = line > 0 ? PV_VALUE_LINE : PV_VALUE_NONE, .line = line};
}

static PvValue
get_address (const PvColumn *column, const PvRow *row)
{
    (void)column;
    return (PvValue){.kind = PV_VALUE_ADDRESS,
                     .amount =
                         pv_symbol_table_get_address (row->symbols, row->profile, row->location)};
}

static PvValue
get_group (const PvColumn *column, const PvRow *row)
{
    (void)column;
    return make_words (row->group);
}

static PvValue
get_calls (const PvColumn *column, const PvRow *row)
{
    (void)column;
    const bool is_known = row->n_calls != PV_AMOUNT_UNKNOWN;
    return (PvValue){.kind = is_known ? PV_VALUE_COUNT : PV_VALUE_NONE, .amount = row->n_calls};
}

static bool
has_calls (const PvProfile *profile, const PvQuery *query)
{
    return pv_known_calls_find (profile, query) != NULL;
}

static PvValue
get_median (const PvColumn *column, const PvRow *row)
{
    (void)column;
    const bool is_known = row->median_ms != UINT64_MAX;
    return (PvValue){.kind = is_known ? PV_VALUE_LIFETIME : PV_VALUE_NONE,
                     .amount = row->median_ms};
}

/* Some heap traces have lifetimes. */
static bool
has_lifetimes (const PvProfile *profile, const PvQuery *query)
{
    (void)query;
    return profile->heap != NULL && profile->heap->first_age_of_site != NULL;
}

static PvValue
get_noise (const PvColumn *column, const PvRow *row)
{
    (void)column;
    return (PvValue){.kind = PV_VALUE_NOISE, .is_noise = pv_row_is_noise (row)};
}

static PvValue
get_depth (const PvColumn *column, const PvRow *row)
{
    (void)column;
    return (PvValue){.kind = PV_VALUE_COUNT, .amount = row->depth};
}

static PvValue
get_former (const PvColumn *column, const PvRow *row)
{
    (void)column;
    return make_words (pv_renames_get_former (row->symbols, row->function));
}

static PvValue
get_other_place (const PvColumn *column, const PvRow *row)
{
    return make_words (
        pv_renames_get_place (row->symbols, row->function,
                              column->kind == PV_COLUMN_NOW_IN ? PV_SIDE_NEW : PV_SIDE_BASE));
}

/* --- kinds and columns --- */

static const struct {
    PvValue (*get) (const PvColumn *column, const PvRow *row);
    bool has_words;
    bool (*is_there) (const PvProfile *profile, const PvQuery *query); /* NULL: always */
} column_kinds[] = {
    [PV_COLUMN_NAME] = {get_name, true},
    [PV_COLUMN_SELF] = {get_amount},
    [PV_COLUMN_TOTAL] = {get_amount},
    [PV_COLUMN_CALLS] = {get_calls, .is_there = has_calls},
    [PV_COLUMN_MEDIAN] = {get_median, .is_there = has_lifetimes},
    [PV_COLUMN_MODULE] = {get_module, true},
    [PV_COLUMN_PACKAGE] = {get_package, true},
    [PV_COLUMN_PLACE] = {get_place, true},
    [PV_COLUMN_FILE] = {get_file, true},
    [PV_COLUMN_LINE] = {get_line},
    [PV_COLUMN_ADDRESS] = {get_address},
    [PV_COLUMN_GROUP] = {get_group, true},
    [PV_COLUMN_NOISE] = {get_noise},
    [PV_COLUMN_DEPTH] = {get_depth},
    [PV_COLUMN_FORMER] = {get_former, true},
    [PV_COLUMN_NOW_IN] = {get_other_place, true},
    [PV_COLUMN_WAS_IN] = {get_other_place, true},
};
G_STATIC_ASSERT (G_N_ELEMENTS (column_kinds) == PV_N_COLUMNS);

enum {
    IN_LIST = 1 << PV_TABLE_FUNCTIONS,
    IN_TREE = 1 << PV_TABLE_TREE,
    IN_CALLERS = 1 << PV_TABLE_CALLERS,
};

/* In the order of tables, but for that of changes, see pv_columns_list (). */
const PvColumnSpec pv_columns[] = {
    {PV_SELF (PV_SHOW_AMOUNT), "self", NC_ ("column", "Self"), {170, 180}, IN_LIST | IN_TREE},
    {PV_TOTAL (PV_SHOW_AMOUNT), "total", NC_ ("column", "Total"), {170, 180}, IN_LIST | IN_TREE},
    {PV_TOTAL (PV_SHOW_AMOUNT), "share", NC_ ("column", "Share"), {0, 0, 160}, IN_CALLERS},
    {{PV_COLUMN_CALLS},
     "calls",
     NC_ ("column", "Count"),
     {0, 0, 92},
     IN_CALLERS,
     NC_ ("column", "Calls")},
    {PV_SELF (PV_SHOW_CHANGE),
     "self-change",
     NC_ ("column", "Self change"),
     {116, 116},
     IN_LIST | IN_TREE},
    {PV_SELF (PV_SHOW_INTERVAL),
     "self-between",
     NC_ ("column", "Self between"),
     {184, 184},
     IN_LIST},
    {PV_SELF (PV_SHOW_PERCENT),
     "self-percent",
     NC_ ("column", "Self %"),
     {84, 84},
     IN_LIST | IN_TREE},
    {PV_SELF (PV_SHOW_BASE), "self-base", NC_ ("column", "Self base"), {100, 100}, IN_LIST},
    {PV_SELF (PV_SHOW_NEW), "self-new", NC_ ("column", "Self new"), {100, 100}, IN_LIST},
    {PV_TOTAL (PV_SHOW_CHANGE),
     "total-change",
     NC_ ("column", "Total change"),
     {116, 116},
     IN_LIST | IN_TREE},
    {PV_TOTAL (PV_SHOW_INTERVAL),
     "total-between",
     NC_ ("column", "Total between"),
     {184, 184},
     IN_TREE},
    {PV_TOTAL (PV_SHOW_PERCENT),
     "total-percent",
     NC_ ("column", "Total %"),
     {84, 84},
     IN_LIST | IN_TREE},
    {PV_TOTAL (PV_SHOW_BASE), "total-base", NC_ ("column", "Total base"), {100, 100}, IN_TREE},
    {PV_TOTAL (PV_SHOW_NEW), "total-new", NC_ ("column", "Total new"), {100, 100}, IN_TREE},
    {PV_TOTAL (PV_SHOW_CHANGE), "change", NC_ ("column", "Change"), {0, 0, 96}, IN_CALLERS},
    {PV_TOTAL (PV_SHOW_INTERVAL), "between", NC_ ("column", "Between"), {0, 0, 184}},
    {PV_TOTAL (PV_SHOW_PERCENT), "percent", "%", {0, 0, 84}, IN_CALLERS},
    {PV_TOTAL (PV_SHOW_BASE), "base", NC_ ("column", "Base"), {0, 0, 92}, IN_CALLERS},
    {PV_TOTAL (PV_SHOW_NEW), "new", NC_ ("column", "New"), {0, 0, 92}, IN_CALLERS},
    {{PV_COLUMN_MEDIAN}, "median", NC_ ("column", "Median lifetime"), {130}, IN_LIST},
    {{PV_COLUMN_TOTAL, PV_SHOW_AMOUNT, PV_MEASURE_SAMPLES, NULL},
     "samples",
     NC_ ("column", "Samples"),
     {150, 150}},
    {{PV_COLUMN_MODULE}, "module", NC_ ("column", "Module"), {150, 170, 96}, IN_LIST | IN_TREE},
    {{PV_COLUMN_PACKAGE}, "package", NC_ ("column", "Package"), {130, 130}},
    {{PV_COLUMN_PLACE}, "place", NC_ ("column", "File and line"), {170, 170, 96}},
};
const unsigned pv_n_columns = G_N_ELEMENTS (pv_columns);

PvValue
pv_column_get (const PvColumn *column, const PvRow *row)
{
    g_assert (column != NULL && column->kind < PV_N_COLUMNS && row != NULL);
    return column_kinds[column->kind].get (column, row);
}

PvColumn
pv_column_copy (const PvColumn *column)
{
    if (column->formula != NULL)
        pv_formula_ref (column->formula);
    return *column;
}

void
pv_column_clear (PvColumn *column)
{
    g_clear_pointer (&column->formula, pv_formula_unref);
}

bool
pv_column_is_same (const PvColumn *a, const PvColumn *b)
{
    if (a->kind != b->kind)
        return false;
    return !pv_column_is_amount (a) ||
           (a->show == b->show && a->measure == b->measure && a->formula == b->formula);
}

bool
pv_column_has_words (const PvColumn *column)
{
    return column_kinds[column->kind].has_words;
}

bool
pv_column_is_there (const PvColumn *column, const PvProfile *profile, const PvQuery *query)
{
    g_assert (column != NULL && profile != NULL && query != NULL);
    if (!pv_column_is_amount (column))
        return column_kinds[column->kind].is_there == NULL ||
               column_kinds[column->kind].is_there (profile, query);
    if (column->formula != NULL)
        return true;
    const PvPair *pair = find_compared_pair (profile, query->measure);
    const bool has_changes = pair != NULL;
    if (column->show >= PV_SHOW_INTERVAL)
        return has_changes && pv_pair_has_intervals (pair);
    if (column->measure == PV_MEASURE_SHOWN)
        return has_changes == shows_change (column);
    if (column->measure == PV_MEASURE_SAMPLES)
        return !has_changes && pv_measure_sums_can_count (profile, PV_MEASURE_SAMPLES);
    return pv_profile_has_weights (profile, column->measure) && column->measure != query->measure;
}

static bool
is_change_of (const PvColumnSpec *spec, PvColumnKind kind)
{
    return shows_change (&spec->column) && spec->column.kind == kind;
}

/* The call tree is about totals, so their changes come first there. */
GPtrArray *
pv_columns_list (PvTableKind table)
{
    GPtrArray *list = g_ptr_array_new ();
    const bool is_tree = table == PV_TABLE_TREE;
    bool has_totals = false;
    g_assert (table < PV_N_TABLES);
    for (unsigned i = 0; i < pv_n_columns; i++) {
        const PvColumnSpec *spec = &pv_columns[i];
        for (unsigned k = i;
             is_tree && !has_totals && is_change_of (spec, PV_COLUMN_SELF) && k < pv_n_columns; k++)
            if (is_change_of (&pv_columns[k], PV_COLUMN_TOTAL) && pv_columns[k].width_px[table] > 0)
                g_ptr_array_add (list, (gpointer)&pv_columns[k]);
        has_totals |= is_change_of (spec, PV_COLUMN_SELF);
        if (spec->width_px[table] > 0 && !(is_tree && is_change_of (spec, PV_COLUMN_TOTAL)))
            g_ptr_array_add (list, (gpointer)spec);
    }
    return list;
}

void
pv_column_sort (const PvColumn *column, bool is_descending, PvGetRowFunc get_row,
                gconstpointer rows, uint32_t *keys, uint32_t n)
{
    g_autofree PvSortKey *sorted = g_new0 (PvSortKey, MAX (n, 1));
    g_autoptr (GStringChunk) texts = g_string_chunk_new (4096);
    g_assert (column != NULL && get_row != NULL && (keys != NULL || n == 0));
    for (uint32_t i = 0; i < n; i++) {
        PvRow row;
        sorted[i].key = keys[i];
        if (!get_row (rows, keys[i], &row))
            continue;
        const PvValue value = pv_column_get (column, &row);
        pv_value_order (&value, &sorted[i], texts);
    }
    pv_sort_keys (sorted, n, is_descending);
    for (uint32_t i = 0; i < n; i++)
        keys[i] = sorted[i].key;
}
