/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/tables/function-rows.h"

#include <math.h>
#include <string.h>

#include "core/analyze/compare/compare-text.h"
#include "core/model/profile/package.h"

PvFunctionColumn
pv_function_column_copy (PvFunctionColumn column)
{
    if (column.formula != NULL)
        pv_formula_ref (column.formula);
    return column;
}

void
pv_function_column_clear (PvFunctionColumn *column)
{
    g_clear_pointer (&column->formula, pv_formula_unref);
}

gboolean
pv_function_field_has_words (PvFunctionField field)
{
    return field == PV_FIELD_NAME || field == PV_FIELD_MODULE || field == PV_FIELD_PACKAGE ||
           field == PV_FIELD_PLACE;
}

PvUnit
pv_function_column_get_unit (PvFunctionColumn column, const PvCallTree *tree)
{
    PvMeasureId measure = column.measure == PV_MEASURE_SHOWN ? tree->query.measure : column.measure;

    return measure < tree->profile->n_measures ? tree->profile->measures[measure].unit
                                               : PV_UNIT_COUNT;
}

/* In a comparison, the pair of the measure that boxes are as wide as, also if that is one side. */
static const PvPair *
find_compared_pair (const PvProfile *profile, PvMeasureId measure)
{
    return profile->compared != NULL ? pv_profile_get_pair (profile, measure) : NULL;
}

/* The pair of a measure with net amounts. Only the part that stands for the whole pair has them. */
static const PvPair *
find_pair (const PvProfile *profile, PvMeasureId measure)
{
    return measure < profile->n_measures && profile->measures[measure].part == PV_PART_BOTH
               ? pv_profile_get_pair (profile, measure)
               : NULL;
}

const PvPair *
pv_function_column_get_pair (PvFunctionColumn column, const PvCallTree *tree)
{
    gboolean is_amount = column.field == PV_FIELD_SELF || column.field == PV_FIELD_TOTAL;

    if (!is_amount || column.formula != NULL || column.change != PV_CHANGE_NONE)
        return NULL;
    return find_pair (tree->profile,
                      column.measure == PV_MEASURE_SHOWN ? tree->query.measure : column.measure);
}

void
pv_function_column_add_measures (PvFunctionColumn column, const PvProfile *profile,
                                 PvMeasureId shown, GArray *measures)
{
    gboolean is_shown = column.measure == PV_MEASURE_SHOWN;
    const PvPair *pair;

    g_assert (profile != NULL && measures != NULL);
    if (column.formula != NULL) {
        pv_measures_add_formula (measures, column.formula);
        return;
    }
    pair = find_compared_pair (profile, is_shown ? shown : column.measure);
    if (column.change != PV_CHANGE_NONE && pair != NULL) {
        pv_changes_add_measures (pair, measures);
        return;
    }
    pair = find_pair (profile, is_shown ? shown : column.measure);
    for (PvSide side = 0; pair != NULL && side < PV_N_SIDES; side++)
        pv_measures_add (measures, pair->of_side[side]);
    if (pair == NULL && !is_shown)
        pv_measures_add (measures, column.measure);
}

gboolean
pv_pair_get_amount (const PvPair *pair, const PvMeasureSums *sums, gboolean is_self, uint32_t row,
                    int64_t *ret_amount, uint64_t *ret_whole)
{
    const PvMeasureColumn *base = pv_measure_sums_find (sums, pair->of_side[PV_SIDE_BASE]);
    const PvMeasureColumn *new = pv_measure_sums_find (sums, pair->of_side[PV_SIDE_NEW]);

    if (base == NULL || new == NULL)
        return FALSE;
    *ret_amount = is_self ? (int64_t)(new->self[row] - base->self[row])
                          : (int64_t)(new->total[row] - base->total[row]);
    *ret_whole = new->whole + base->whole;
    return TRUE;
}

/* Changes */

gboolean
pv_tree_has_changes (const PvCallTree *tree)
{
    g_assert (tree != NULL);
    return find_compared_pair (tree->profile, tree->query.measure) != NULL;
}

PvChange
pv_change_get (const PvChanges *changes, uint32_t row, gboolean is_self)
{
    const uint64_t *const *side = is_self ? changes->self_of_side : changes->total_of_side;
    PvChange change;

    g_assert (row < changes->n_rows);
    change.base = side[PV_SIDE_BASE][row];
    change.new_ = side[PV_SIDE_NEW][row];
    change.is_noise = pv_changes_is_noise (changes, row, is_self) ||
                      (change.base == change.new_ && !changes->noise.is_exact);
    return change;
}

static int64_t
get_delta (PvChange change)
{
    return (int64_t)(change.new_ - change.base);
}

char *
pv_change_format (PvChange change, PvChangePart part, PvUnit unit)
{
    switch (part) {
    case PV_CHANGE_DELTA:
        return pv_format_signed_amount (get_delta (change), unit);
    case PV_CHANGE_PERCENT:
        return pv_compare_format_percent (change.base, change.new_);
    case PV_CHANGE_BASE:
        return pv_format_amount (change.base, unit);
    case PV_CHANGE_NEW:
        return pv_format_amount (change.new_, unit);
    case PV_CHANGE_NONE:
        break;
    }
    g_assert_not_reached ();
}

static char *
make_percent (PvChange change)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];

    return change.base > 0 ? g_strdup (g_ascii_formatd (text, sizeof text, "%.2f",
                                                        100.0 * (double)get_delta (change) /
                                                            (double)change.base))
                           : NULL;
}

char *
pv_change_make_figure (PvChange change, PvChangePart part)
{
    switch (part) {
    case PV_CHANGE_DELTA:
        return g_strdup_printf ("%" G_GINT64_FORMAT, get_delta (change));
    case PV_CHANGE_PERCENT:
        return make_percent (change);
    case PV_CHANGE_BASE:
        return g_strdup_printf ("%" G_GUINT64_FORMAT, change.base);
    case PV_CHANGE_NEW:
        return g_strdup_printf ("%" G_GUINT64_FORMAT, change.new_);
    case PV_CHANGE_NONE:
        break;
    }
    g_assert_not_reached ();
}

uint64_t
pv_change_order (PvChange change, PvChangePart part)
{
    int64_t delta = get_delta (change);

    switch (part) {
    case PV_CHANGE_DELTA:
        return delta < 0 ? 0 - (uint64_t)delta : (uint64_t)delta;
    case PV_CHANGE_PERCENT:
        return pv_sort_key_order_value (
            change.base == 0 && change.new_ == 0 ? NAN : (double)change.new_ / (double)change.base);
    case PV_CHANGE_BASE:
        return change.base;
    case PV_CHANGE_NEW:
        return change.new_;
    case PV_CHANGE_NONE:
        break;
    }
    g_assert_not_reached ();
}

/* Rows */

/* Numbers of samples and single runs are only there to tell noise. */
static gboolean
is_for_noise (const PvFunctionRows *rows, PvMeasureId measure)
{
    const PvPair *pair = rows->changes != NULL ? rows->changes->pair : NULL;

    return pair != NULL && measure != PV_MEASURE_SAMPLES && measure != pair->both &&
           measure != pair->of_side[PV_SIDE_BASE] && measure != pair->of_side[PV_SIDE_NEW] &&
           pv_profile_get_pair (rows->functions->tree->profile, measure) == pair;
}

static void
add_row (PvFunctionRows *rows, GArray *added, PvFunctionId function)
{
    g_array_append_val (added, function);
    rows->n_rows++;
}

/* Functions without weight by the tree's own measure. */
static void
add_others (PvFunctionRows *rows)
{
    const PvFunctionList *list = rows->functions->list;
    uint32_t n_functions = rows->sums->n_rows;
    g_autofree bool *is_listed = g_new0 (bool, n_functions);
    GArray *added = g_array_new (FALSE, FALSE, sizeof (PvFunctionId));

    for (uint32_t i = 0; i < list->n_rows; i++)
        is_listed[list->rows[i].function] = true;
    for (PvFunctionId f = 1; f < n_functions; f++) {
        gboolean has_weight = FALSE;
        for (uint32_t m = 0; m < rows->sums->n_columns && !has_weight && !is_listed[f]; m++)
            has_weight = rows->sums->columns[m].total[f] > 0 &&
                         !is_for_noise (rows, rows->sums->columns[m].measure);
        if (has_weight)
            add_row (rows, added, f);
    }
    rows->added = (PvFunctionId *)(gpointer)g_array_free (added, FALSE);
}

PvFunctionRows *
pv_function_rows_new (PvFunctions *functions, const PvMeasureId *measures, uint32_t n_measures,
                      PvJob *job)
{
    PvFunctionRows *rows = g_new0 (PvFunctionRows, 1);

    g_assert (functions != NULL);
    rows->ref_count = 1;
    rows->functions = pv_functions_ref (functions);
    rows->n_rows = functions->list->n_rows;
    if (n_measures == 0)
        return rows;
    rows->sums = pv_measure_sums_by_function (functions->tree, measures, n_measures, job);
    if (rows->sums == NULL) {
        g_clear_pointer (&rows, pv_function_rows_unref);
        return NULL;
    }
    if (pv_tree_has_changes (functions->tree))
        rows->changes = pv_changes_new_from_sums (functions->tree, rows->sums, NULL);
    add_others (rows);
    return rows;
}

PvFunctionRows *
pv_function_rows_ref (PvFunctionRows *rows)
{
    g_atomic_int_inc (&rows->ref_count);
    return rows;
}

void
pv_function_rows_unref (PvFunctionRows *rows)
{
    if (!g_atomic_int_dec_and_test (&rows->ref_count))
        return;
    pv_changes_free (rows->changes);
    pv_functions_unref (rows->functions);
    pv_measure_sums_free (rows->sums);
    g_free (rows->added);
    g_free (rows);
}

gboolean
pv_function_rows_have (const PvFunctionRows *rows, const PvMeasureId *measures, uint32_t n_measures)
{
    g_assert (rows != NULL);
    for (uint32_t i = 0; i < n_measures; i++)
        if (pv_measure_sums_find (rows->sums, measures[i]) == NULL)
            return FALSE;
    return TRUE;
}

/* Values */

PvFunctionId
pv_function_rows_get (const PvFunctionRows *rows, uint32_t key)
{
    const PvFunctionList *list = rows->functions->list;

    if (key >= rows->n_rows)
        return 0;
    return key < list->n_rows ? list->rows[key].function : rows->added[key - list->n_rows];
}

static const PvFunction *
get_function (const PvFunctionRows *rows, uint32_t key)
{
    return &rows->functions->tree->symbols->functions[pv_function_rows_get (rows, key)];
}

gboolean
pv_function_rows_get_amount (const PvFunctionRows *rows, PvFunctionColumn column, uint32_t key,
                             int64_t *ret_amount, uint64_t *ret_whole)
{
    const PvFunctionList *list = rows->functions->list;
    gboolean is_self = column.field == PV_FIELD_SELF;
    const PvPair *pair = pv_function_column_get_pair (column, rows->functions->tree);
    const PvMeasureColumn *sums;

    g_assert (is_self || column.field == PV_FIELD_TOTAL);
    if (key >= rows->n_rows)
        return FALSE;
    if (pair != NULL)
        return pv_pair_get_amount (pair, rows->sums, is_self, pv_function_rows_get (rows, key),
                                   ret_amount, ret_whole);
    if (column.measure == PV_MEASURE_SHOWN) {
        const PvFunctionRow *row = key < list->n_rows ? &list->rows[key] : NULL;
        *ret_amount = row == NULL ? 0 : (int64_t)(is_self ? row->self : row->total);
        *ret_whole = rows->functions->tree->total[0];
        return TRUE;
    }
    sums = pv_measure_sums_find (rows->sums, column.measure);
    if (sums == NULL)
        return FALSE;
    *ret_amount = (int64_t)(is_self ? sums->self : sums->total)[pv_function_rows_get (rows, key)];
    *ret_whole = sums->whole;
    return TRUE;
}

gboolean
pv_function_rows_get_change (const PvFunctionRows *rows, PvFunctionColumn column, uint32_t key,
                             PvChange *ret_change)
{
    g_assert (column.change != PV_CHANGE_NONE && ret_change != NULL);
    if (key >= rows->n_rows || rows->changes == NULL)
        return FALSE;
    *ret_change = pv_change_get (rows->changes, pv_function_rows_get (rows, key),
                                 column.field == PV_FIELD_SELF);
    return TRUE;
}

gboolean
pv_function_rows_is_noise (const PvFunctionRows *rows, uint32_t key)
{
    return key < rows->n_rows && rows->changes != NULL &&
           pv_changes_is_row_noise (rows->changes, pv_function_rows_get (rows, key));
}

double
pv_function_column_compute (PvFunctionColumn column, const PvMeasureSums *sums, uint32_t row)
{
    const PvFormula *formula = column.formula;

    for (uint32_t i = 0; i < formula->n_measures; i++)
        if (pv_measure_sums_find (sums, formula->measures[i]) == NULL)
            return NAN;
    return pv_measure_sums_compute (sums, formula, column.field == PV_FIELD_SELF, row);
}

double
pv_function_rows_get_value (const PvFunctionRows *rows, PvFunctionColumn column, uint32_t key)
{
    g_assert (column.formula != NULL);
    return key < rows->n_rows
               ? pv_function_column_compute (column, rows->sums, pv_function_rows_get (rows, key))
               : NAN;
}

uint64_t
pv_function_rows_get_median_ms (const PvFunctionRows *rows, uint32_t key)
{
    const PvFunctionList *list = rows->functions->list;

    return key < list->n_rows ? list->rows[key].median_ms : UINT64_MAX;
}

/* The last part of the path; NULL if it is not known. */
static const char *
get_file_name (const PvFunction *function)
{
    const char *slash = function->file != NULL ? strrchr (function->file, '/') : NULL;

    return slash != NULL && slash[1] != '\0' ? slash + 1 : function->file;
}

static char *
make_place (const PvFunction *function)
{
    const char *name = get_file_name (function);

    if (name == NULL)
        return NULL;
    return function->line > 0 ? g_strdup_printf ("%s:%u", name, function->line) : g_strdup (name);
}

static char *
make_package (const PvFunction *function)
{
    size_t len;
    const char *package = pv_function_find_package (function, &len);

    return len > 0 ? g_strndup (package, len) : NULL;
}

char *
pv_function_make_text (const PvFunction *function, const PvProfile *profile, PvFunctionField field)
{
    g_assert (function != NULL && profile != NULL);
    switch (field) {
    case PV_FIELD_NAME:
        return g_strdup (function->label);
    case PV_FIELD_MODULE:
        return g_strdup (profile->modules[function->module].name);
    case PV_FIELD_PACKAGE:
        return make_package (function);
    case PV_FIELD_PLACE:
        return make_place (function);
    case PV_FIELD_SELF:
    case PV_FIELD_TOTAL:
    case PV_FIELD_MEDIAN:
    case PV_FIELD_CALLS:
        break;
    }
    return NULL;
}

char *
pv_function_rows_make_text (const PvFunctionRows *rows, PvFunctionField field, uint32_t key)
{
    return key < rows->n_rows ? pv_function_make_text (get_function (rows, key),
                                                       rows->functions->tree->profile, field)
                              : NULL;
}

char *
pv_make_figure (int64_t amount, uint64_t whole, gboolean is_share)
{
    char share[G_ASCII_DTOSTR_BUF_SIZE];

    if (!is_share)
        return g_strdup_printf ("%" G_GINT64_FORMAT, amount);
    return g_strdup (g_ascii_formatd (share, sizeof share, "%.2f",
                                      whole > 0 ? 100.0 * (double)amount / (double)whole : 0));
}

char *
pv_function_rows_make_cell (const PvFunctionRows *rows, PvFunctionColumn column, gboolean is_share,
                            uint32_t key)
{
    int64_t amount;
    uint64_t whole;
    PvChange change;

    if (column.change != PV_CHANGE_NONE)
        return pv_function_rows_get_change (rows, column, key, &change)
                   ? pv_change_make_figure (change, column.change)
                   : NULL;
    if (pv_function_field_has_words (column.field))
        return pv_function_rows_make_text (rows, column.field, key);
    if (column.formula != NULL)
        return pv_formula_format_plain (pv_function_rows_get_value (rows, column, key));
    if (column.field == PV_FIELD_MEDIAN) {
        uint64_t median_ms = pv_function_rows_get_median_ms (rows, key);
        return median_ms != UINT64_MAX ? pv_make_figure ((int64_t)median_ms, 0, FALSE) : NULL;
    }
    return pv_function_rows_get_amount (rows, column, key, &amount, &whole)
               ? pv_make_figure (amount, whole, is_share)
               : NULL;
}

/* Order */

void
pv_function_add_words (PvSortKey *sort, const PvFunction *function, const PvProfile *profile,
                       PvFunctionField field, GStringChunk *texts)
{
    const char *package;
    size_t len;

    g_assert (pv_function_field_has_words (field));
    switch (field) {
    case PV_FIELD_NAME:
        sort->text = function->label;
        break;
    case PV_FIELD_MODULE:
        sort->text = profile->modules[function->module].name;
        break;
    case PV_FIELD_PACKAGE:
        package = pv_function_find_package (function, &len);
        if (len > 0) {
            g_autofree char *copy = g_strndup (package, len);
            sort->text = g_string_chunk_insert_const (texts, copy);
        }
        break;
    case PV_FIELD_PLACE:
        sort->text = get_file_name (function);
        sort->line = function->line;
        break;
    case PV_FIELD_SELF:
    case PV_FIELD_TOTAL:
    case PV_FIELD_MEDIAN:
    case PV_FIELD_CALLS:
        break;
    }
}

static PvSortKey
make_sort_key (const PvFunctionRows *rows, PvFunctionColumn column, uint32_t key,
               GStringChunk *texts)
{
    PvSortKey sort = {.key = key};
    int64_t amount;
    uint64_t whole;
    PvChange change;

    if (column.change != PV_CHANGE_NONE)
        sort.amount = pv_function_rows_get_change (rows, column, key, &change)
                          ? pv_change_order (change, column.change)
                          : 0;
    else if (pv_function_field_has_words (column.field))
        pv_function_add_words (&sort, get_function (rows, key), rows->functions->tree->profile,
                               column.field, texts);
    else if (column.field == PV_FIELD_MEDIAN)
        /* UINT64_MAX is unknown, and sorts below 0. */
        sort.amount = pv_function_rows_get_median_ms (rows, key) + 1;
    else if (column.formula != NULL)
        sort.amount = pv_sort_key_order_value (pv_function_rows_get_value (rows, column, key));
    else if (pv_function_rows_get_amount (rows, column, key, &amount, &whole))
        sort.amount = (uint64_t)ABS (amount); /* the largest change first, up or down */
    return sort;
}

uint32_t *
pv_function_rows_sort (const PvFunctionRows *rows, PvFunctionColumn column, gboolean is_descending,
                       const bool *is_match, gboolean hides_noise, uint32_t *ret_n, PvJob *job)
{
    g_autofree PvSortKey *sorted = g_new (PvSortKey, MAX (rows->n_rows, 1));
    g_autoptr (GStringChunk) texts = g_string_chunk_new (4096);
    uint32_t *keys;
    uint32_t n = 0;

    g_assert (rows != NULL && ret_n != NULL);
    for (uint32_t key = 0; key < rows->n_rows; key++)
        if ((is_match == NULL || is_match[pv_function_rows_get (rows, key)]) &&
            !(hides_noise && pv_function_rows_is_noise (rows, key)))
            sorted[n++] = make_sort_key (rows, column, key, texts);
    if (pv_job_is_cancelled (job))
        return NULL;
    pv_sort_keys (sorted, n, is_descending);
    keys = g_new (uint32_t, MAX (n, 1));
    for (uint32_t i = 0; i < n; i++)
        keys[i] = sorted[i].key;
    *ret_n = n;
    return keys;
}
