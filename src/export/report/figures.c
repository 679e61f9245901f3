/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export/report/figures.h"

#include <glib/gi18n.h>
#include <math.h>
#include <stdlib.h>

#include "core/base/idmap.h"

struct PvFigures {
    const PvProfile *profile;
    GArray *measures;    /* PvMeasureId: those of joined files that have columns as they are */
    GPtrArray *formulas; /* PvFormula */
    PvMeasureSums *sums; /* needed by both ... */
    const PvFunctionList *list; /* ... by function, not by row of this list; NULL: by row or node */
    GStringChunk *texts;        /* of the columns */
};

/* True if functions that only joined files have get rows: in plain lists of functions. */
static bool
has_more_rows (const PvCallTree *tree, const PvFunctionList *list)
{
    return list != NULL && tree->profile->n_joined > 0 &&
           tree->query.granularity == PV_BY_FUNCTION && tree->query.grouping == PV_GROUP_NONE;
}

/* Nobody cancels it. */
static PvMeasureSums *
sum_up (const PvCallTree *tree, const PvFunctionList *list, const GArray *measures)
{
    const PvMeasureId *ids = (const PvMeasureId *)(gpointer)measures->data;
    if (has_more_rows (tree, list))
        return pv_measure_sums_by_function (tree, ids, measures->len, NULL);
    if (list != NULL)
        return pv_measure_sums_by_row (tree, list, ids, measures->len, NULL);
    return pv_measure_sums_by_node (tree, ids, measures->len, NULL);
}

/* The measures of all joined files but the one whose measure is shown. */
static GArray *
list_joined (const PvProfile *profile, PvMeasureId shown)
{
    GArray *measures = g_array_new (FALSE, FALSE, sizeof (PvMeasureId));
    const PvJoinedFile *file = pv_profile_get_joined_file (profile, shown);
    for (uint32_t i = 0; i < profile->n_joined; i++)
        if (&profile->joined[i] != file)
            g_array_append_val (measures, profile->joined[i].first_measure);
    return measures;
}

/* The query has been resolved, so its formulas are good. */
PvFigures *
pv_figures_new (const PvCallTree *tree, const PvFunctionList *list)
{
    g_assert (tree != NULL);
    if (tree->query.formulas == NULL && tree->profile->n_joined == 0)
        return NULL;
    PvFigures *figures = g_new0 (PvFigures, 1);
    figures->profile = tree->profile;
    figures->texts = g_string_chunk_new (256);
    figures->measures = list_joined (tree->profile, tree->query.measure);
    figures->formulas = g_ptr_array_new_with_free_func ((GDestroyNotify)pv_formula_unref);
    g_autoptr (GArray) measures = g_array_copy (figures->measures);
    char **definition = tree->query.formulas;
    for (; definition != NULL && *definition != NULL; definition++) {
        PvFormula *formula = pv_formula_new (*definition, tree->profile, NULL);
        g_ptr_array_add (figures->formulas, formula);
        pv_measures_add_formula (measures, formula);
    }
    figures->sums = sum_up (tree, list, measures);
    figures->list = has_more_rows (tree, list) ? list : NULL;
    return figures;
}

void
pv_figures_free (PvFigures *figures)
{
    if (figures == NULL)
        return;
    g_array_unref (figures->measures);
    g_ptr_array_unref (figures->formulas);
    pv_measure_sums_free (figures->sums);
    g_string_chunk_free (figures->texts);
    g_free (figures);
}

static bool
has_weight (const PvFigures *figures, PvFunctionId function)
{
    for (uint32_t i = 0; i < figures->sums->n_columns; i++)
        if (figures->sums->columns[i].total[function] > 0)
            return true;
    return false;
}

/* By the amounts of the first column, largest first. */
static int
compare_rows (const void *a, const void *b, void *user)
{
    const PvMeasureColumn *column = &((const PvFigures *)user)->sums->columns[0];
    PvFunctionId f = ((const PvFunctionRow *)a)->function;
    PvFunctionId g = ((const PvFunctionRow *)b)->function;
    if (column->self[f] != column->self[g])
        return column->self[f] > column->self[g] ? -1 : 1;
    if (column->total[f] != column->total[g])
        return column->total[f] > column->total[g] ? -1 : 1;
    return f < g ? -1 : f > g;
}

/* The first frame of each function, by its id. */
static const PvFrame **
find_frames (const PvSymbolTable *symbols)
{
    const PvFrame **frames = g_new0 (const PvFrame *, MAX (symbols->n_functions, 1));
    for (PvLocationId l = 1; l < symbols->n_locations; l++) {
        uint32_t n;
        const PvFrame *chain = pv_symbol_table_frames (symbols, l, &n);
        for (uint32_t i = 0; i < n; i++)
            if (frames[chain[i].function] == NULL)
                frames[chain[i].function] = &chain[i];
    }
    return frames;
}

void
pv_figures_add_rows (const PvFigures *figures, const PvSymbolTable *symbols, PvFunctionList *list)
{
    if (figures == NULL || figures->list == NULL)
        return;
    g_assert (symbols != NULL && list == figures->list);
    g_autofree bool *is_listed = g_new0 (bool, MAX (symbols->n_functions, 1));
    g_autofree const PvFrame **frames = find_frames (symbols);
    uint32_t n_listed = list->n_rows;
    for (uint32_t i = 0; i < n_listed; i++)
        is_listed[list->rows[i].function] = true;
    for (PvFunctionId f = 1; f < figures->sums->n_rows; f++) {
        if (is_listed[f] || frames[f] == NULL || !has_weight (figures, f))
            continue;
        list->rows = g_renew (PvFunctionRow, list->rows, list->n_rows + 1);
        list->rows[list->n_rows++] =
            (PvFunctionRow){.function = f, .frame = frames[f], .median_ms = UINT64_MAX};
    }
    if (list->n_rows > n_listed)
        qsort_r (list->rows + n_listed, list->n_rows - n_listed, sizeof *list->rows, compare_rows,
                 (void *)figures);
}

/* The columns of a name: of what is a row's own, and in all. */
static void
add_columns (const PvFigures *figures, const char *name, PvCellKind kind, PvUnit unit,
             GArray *columns)
{
    for (unsigned i = 0; i < 2; i++) {
        g_autofree char *id = g_strconcat (name, i == 0 ? "_self" : "_total", NULL);
        /* Translators: the name of a formula, such as “ipc”, or of a measure */
        g_autofree char *title = g_strdup_printf (i == 0 ? _ ("%s, self") : _ ("%s, total"), name);
        PvTableColumn column = {.id = g_string_chunk_insert (figures->texts, id),
                                .title = g_string_chunk_insert (figures->texts, title),
                                .kind = kind,
                                .unit = unit};
        g_array_append_val (columns, column);
    }
}

void
pv_figures_add_columns (const PvFigures *figures, GArray *columns)
{
    for (guint i = 0; figures != NULL && i < figures->measures->len; i++) {
        const PvMeasure *measure =
            &figures->profile->measures[g_array_index (figures->measures, PvMeasureId, i)];
        add_columns (figures, measure->name, PV_CELL_AMOUNT, measure->unit, columns);
    }
    for (guint i = 0; figures != NULL && i < figures->formulas->len; i++) {
        const PvFormula *formula = figures->formulas->pdata[i];
        add_columns (figures, formula->name, PV_CELL_FIGURE, PV_UNIT_COUNT, columns);
    }
}

void
pv_figures_add_cells (const PvFigures *figures, uint32_t row, PvFormat format, PvTable *table)
{
    if (figures != NULL && figures->list != NULL)
        row = figures->list->rows[row].function;
    for (guint i = 0; figures != NULL && i < figures->measures->len; i++) {
        const PvMeasureColumn *column =
            pv_measure_sums_find (figures->sums, g_array_index (figures->measures, PvMeasureId, i));
        pv_table_add_number (table, column->self[row]);
        pv_table_add_number (table, column->total[row]);
    }
    for (guint i = 0; figures != NULL && i < 2 * figures->formulas->len; i++) {
        const PvFormula *formula = figures->formulas->pdata[i / 2];
        double value = pv_measure_sums_compute (figures->sums, formula, i % 2 == 0, row);
        g_autofree char *text = format == PV_FORMAT_TEXT ? pv_formula_format (formula, value)
                                                         : pv_formula_format_plain (value);
        pv_table_add_text (table, text);
    }
}

/* Calls */

/* Those of one of the other files. */
typedef struct {
    PvMeasureId measure;
    PvCallersCallees **all; /* by function */
    PvIdMap weight_of_call; /* of function and caller, plus 1: a place in weights, plus 1 */
    GArray *weights;
} OtherCalls;

struct PvCallFigures {
    const PvCallTree *tree;
    bool wants_callers;
    GArray *others;      /* OtherCalls */
    GStringChunk *texts; /* of the columns */
};

static const PvCaller *
get_calls (const PvCallFigures *figures, const OtherCalls *other, PvFunctionId function,
           uint32_t *ret_n)
{
    const PvCallersCallees *both = other->all[function];
    *ret_n = both == NULL ? 0 : figures->wants_callers ? both->n_callers : both->n_callees;
    return both == NULL ? NULL : figures->wants_callers ? both->callers : both->callees;
}

static uint64_t
make_call_key (PvFunctionId function, PvFunctionId caller)
{
    return (uint64_t)function << 32 | caller;
}

static void
index_calls (const PvCallFigures *figures, OtherCalls *other)
{
    for (PvFunctionId f = 1; f < figures->tree->symbols->n_functions; f++) {
        uint32_t n;
        const PvCaller *calls = get_calls (figures, other, f, &n);
        for (uint32_t i = 0; i < n; i++) {
            g_array_append_val (other->weights, calls[i].weight);
            *pv_id_map_slot (&other->weight_of_call, make_call_key (f, calls[i].function)) =
                other->weights->len;
        }
    }
}

static uint64_t
get_weight (const OtherCalls *other, PvFunctionId function, PvFunctionId caller)
{
    uint32_t place = pv_id_map_find (&other->weight_of_call, make_call_key (function, caller));
    return place > 0 ? g_array_index (other->weights, uint64_t, place - 1) : 0;
}

/* Nobody cancels it. */
PvCallFigures *
pv_call_figures_new (const PvCallTree *tree, const bool *is_wanted, bool wants_callers)
{
    g_assert (tree != NULL && is_wanted != NULL);
    g_autoptr (GArray) measures = list_joined (tree->profile, tree->query.measure);
    if (measures->len == 0)
        return NULL;
    PvCallFigures *figures = g_new0 (PvCallFigures, 1);
    figures->tree = tree;
    figures->wants_callers = wants_callers;
    figures->others = g_array_new (FALSE, FALSE, sizeof (OtherCalls));
    figures->texts = g_string_chunk_new (256);
    for (guint i = 0; i < measures->len; i++) {
        OtherCalls other = {.measure = g_array_index (measures, PvMeasureId, i)};
        g_autoptr (PvCallTree) by = pv_call_tree_build_measure (tree, other.measure, NULL, NULL);
        other.all = pv_callers_callees_build_all (by, is_wanted, NULL);
        other.weights = g_array_new (FALSE, FALSE, sizeof (uint64_t));
        index_calls (figures, &other);
        g_array_append_val (figures->others, other);
    }
    return figures;
}

void
pv_call_figures_free (PvCallFigures *figures)
{
    if (figures == NULL)
        return;
    for (guint i = 0; i < figures->others->len; i++) {
        OtherCalls *other = &g_array_index (figures->others, OtherCalls, i);
        for (PvFunctionId f = 0; f < figures->tree->symbols->n_functions; f++)
            pv_callers_callees_free (other->all[f]);
        g_free (other->all);
        pv_id_map_clear (&other->weight_of_call);
        g_array_unref (other->weights);
    }
    g_array_unref (figures->others);
    g_string_chunk_free (figures->texts);
    g_free (figures);
}

GArray *
pv_call_figures_list_others (const PvCallFigures *figures, PvFunctionId function,
                             const PvCaller *calls, uint32_t n)
{
    GArray *list = g_array_new (FALSE, FALSE, sizeof (PvCaller));
    PvIdMap is_listed = {0}; /* by caller, plus 1 */
    for (uint32_t i = 0; i < n; i++)
        *pv_id_map_slot (&is_listed, (uint64_t)calls[i].function + 1) = 1;
    for (guint i = 0; figures != NULL && i < figures->others->len; i++) {
        const OtherCalls *other = &g_array_index (figures->others, OtherCalls, i);
        uint32_t n_others;
        const PvCaller *others = get_calls (figures, other, function, &n_others);
        for (uint32_t k = 0; k < n_others; k++) {
            uint32_t *slot = pv_id_map_slot (&is_listed, (uint64_t)others[k].function + 1);
            PvCaller call = {.function = others[k].function, .n_calls = PV_AMOUNT_UNKNOWN};
            if (*slot == 0)
                g_array_append_val (list, call);
            *slot = 1;
        }
    }
    pv_id_map_clear (&is_listed);
    return list;
}

void
pv_call_figures_add_columns (const PvCallFigures *figures, GArray *columns)
{
    for (guint i = 0; figures != NULL && i < figures->others->len; i++) {
        const PvMeasure *measure =
            &figures->tree->profile
                 ->measures[g_array_index (figures->others, OtherCalls, i).measure];
        g_autofree char *id = g_strconcat (measure->name, "_weight", NULL);
        PvTableColumn column = {.id = g_string_chunk_insert (figures->texts, id),
                                .title = measure->name,
                                .kind = PV_CELL_AMOUNT,
                                .unit = measure->unit};
        g_array_append_val (columns, column);
    }
}

void
pv_call_figures_add_cells (const PvCallFigures *figures, PvFunctionId function, PvFunctionId caller,
                           PvTable *table)
{
    for (guint i = 0; figures != NULL && i < figures->others->len; i++)
        pv_table_add_number (
            table, get_weight (&g_array_index (figures->others, OtherCalls, i), function, caller));
}

/* The whole profile */

static void
clear_figure (void *data)
{
    PvSummaryFigure *figure = data;
    g_free ((char *)figure->name);
    g_free ((char *)figure->title);
    g_free ((char *)figure->value);
    g_free ((char *)figure->plain);
}

GArray *
pv_figures_list_usual (const PvProfile *profile)
{
    g_assert (profile != NULL);
    GArray *figures = g_array_new (FALSE, FALSE, sizeof (PvSummaryFigure));
    g_array_set_clear_func (figures, clear_figure);
    g_autoptr (GPtrArray) formulas = pv_formula_list_usual (profile);
    for (guint i = 0; i < formulas->len; i++) {
        const PvFormula *formula = formulas->pdata[i];
        double value = pv_formula_compute_whole (formula, profile);
        if (isnan (value))
            continue;
        PvSummaryFigure figure = {.name = g_strdup (formula->name),
                                  .title = g_strdup (formula->title),
                                  .value = pv_formula_format (formula, value),
                                  .plain = pv_formula_format_plain (value)};
        g_array_append_val (figures, figure);
    }
    return figures;
}
