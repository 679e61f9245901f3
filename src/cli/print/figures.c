/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/print/figures.h"

#include <glib/gi18n.h>
#include <math.h>

struct PvFigures {
    GPtrArray *formulas; /* PvFormula */
    PvMeasureSums *sums; /* what they need */
    GStringChunk *texts; /* of the columns */
};

/* Nobody cancels it. */
static PvMeasureSums *
sum_up (const PvCallTree *tree, const PvFunctionList *list, const GArray *measures)
{
    const PvMeasureId *ids = (const PvMeasureId *)(gpointer)measures->data;
    if (list != NULL)
        return pv_measure_sums_by_row (tree, list, ids, measures->len, NULL);
    return pv_measure_sums_by_node (tree, ids, measures->len, NULL);
}

/* The query has been resolved, so its formulas are good. */
PvFigures *
pv_figures_new (const PvCallTree *tree, const PvFunctionList *list)
{
    g_assert (tree != NULL);
    if (tree->query.formulas == NULL)
        return NULL;
    PvFigures *figures = g_new0 (PvFigures, 1);
    figures->texts = g_string_chunk_new (256);
    figures->formulas = g_ptr_array_new_with_free_func ((GDestroyNotify)pv_formula_unref);
    g_autoptr (GArray) measures = g_array_new (FALSE, FALSE, sizeof (PvMeasureId));
    for (char **definition = tree->query.formulas; *definition != NULL; definition++) {
        PvFormula *formula = pv_formula_new (*definition, tree->profile, NULL);
        g_ptr_array_add (figures->formulas, formula);
        pv_measures_add_formula (measures, formula);
    }
    figures->sums = sum_up (tree, list, measures);
    return figures;
}

void
pv_figures_free (PvFigures *figures)
{
    if (figures == NULL)
        return;
    g_ptr_array_unref (figures->formulas);
    pv_measure_sums_free (figures->sums);
    g_string_chunk_free (figures->texts);
    g_free (figures);
}

void
pv_figures_add_columns (const PvFigures *figures, GArray *columns)
{
    for (guint i = 0; figures != NULL && i < 2 * figures->formulas->len; i++) {
        const PvFormula *formula = figures->formulas->pdata[i / 2];
        bool is_self = i % 2 == 0;
        g_autofree char *id = g_strconcat (formula->name, is_self ? "_self" : "_total", NULL);
        /* Translators: the name of a formula, such as “ipc” */
        g_autofree char *title =
            g_strdup_printf (is_self ? _ ("%s, self") : _ ("%s, total"), formula->name);
        PvTableColumn column = {.id = g_string_chunk_insert (figures->texts, id),
                                .title = g_string_chunk_insert (figures->texts, title),
                                .kind = PV_CELL_FIGURE};
        g_array_append_val (columns, column);
    }
}

void
pv_figures_add_cells (const PvFigures *figures, uint32_t row, PvFormat format, PvTable *table)
{
    for (guint i = 0; figures != NULL && i < 2 * figures->formulas->len; i++) {
        const PvFormula *formula = figures->formulas->pdata[i / 2];
        double value = pv_measure_sums_compute (figures->sums, formula, i % 2 == 0, row);
        g_autofree char *text = format == PV_FORMAT_TEXT ? pv_formula_format (formula, value)
                                                         : pv_formula_format_plain (value);
        pv_table_add_text (table, text);
    }
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
