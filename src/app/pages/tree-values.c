/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/pages/tree-values.h"

#include <math.h>
#include <string.h>

#define MAX_INDENT 200

/* Sums */

static void
node_sums_clear (gpointer data)
{
    PvNodeSums *sums = data;
    pv_call_tree_free (sums->tree);
    pv_measure_sums_free (sums->sums);
}

void
pv_node_sums_unref (gpointer sums)
{
    g_atomic_rc_box_release_full (sums, node_sums_clear);
}

static void
input_free (gpointer data)
{
    PvNodeSumsInput *input = data;
    pv_call_tree_free (input->tree);
    g_array_unref (input->measures);
    g_free (input);
}

static gpointer
build (gpointer data, PvJob *job, GError **error)
{
    PvNodeSumsInput *input = data;
    PvMeasureSums *sums =
        pv_measure_sums_by_node (input->tree, (const PvMeasureId *)(gpointer)input->measures->data,
                                 input->measures->len, job);
    PvNodeSums *result;

    (void)error;
    if (sums == NULL)
        return NULL;
    result = g_atomic_rc_box_new0 (PvNodeSums);
    result->tree = pv_call_tree_ref (input->tree);
    result->sums = sums;
    return result;
}

PvTask *
pv_node_sums_task_new (gpointer owner, PvTaskDone done)
{
    return pv_task_new (owner, build, input_free, pv_node_sums_unref, done);
}

/* Values */

gboolean
pv_tree_row_get_amount (const PvCallTree *tree, const PvNodeSums *sums, const PvTreeRow *row,
                        PvFunctionColumn column, uint64_t *ret_amount, uint64_t *ret_whole)
{
    gboolean is_self = column.field == PV_FIELD_SELF;
    gboolean has_node = row->node != PV_NODE_NONE;
    const PvMeasureColumn *other;

    /* Nobody knows how much of folded children is self cost. */
    if (is_self && has_node && pv_call_tree_count_folded (tree, row->node) > 0)
        return FALSE;
    if (column.measure == PV_MEASURE_SHOWN) {
        *ret_amount = is_self ? row->self : row->total;
        *ret_whole = tree->total[0];
        return TRUE;
    }
    if (!has_node || sums == NULL || sums->tree != tree)
        return FALSE;
    other = pv_measure_sums_find (sums->sums, column.measure);
    if (other == NULL)
        return FALSE;
    *ret_amount = (is_self ? other->self : other->total)[row->node];
    *ret_whole = other->whole;
    return TRUE;
}

double
pv_tree_row_get_value (const PvCallTree *tree, const PvNodeSums *sums, const PvTreeRow *row,
                       PvFunctionColumn column)
{
    g_assert (column.formula != NULL);
    if (row->node == PV_NODE_NONE || sums == NULL || sums->tree != tree ||
        (column.field == PV_FIELD_SELF && pv_call_tree_count_folded (tree, row->node) > 0))
        return NAN;
    return pv_function_column_compute (column, sums->sums, row->node);
}

/* Rows of the bottom-up tree are functions without a node of the tree. */
static char *
make_name (const PvCallTree *tree, const PvTreeRow *row)
{
    char *folded = NULL;

    if (row->node == PV_NODE_NONE)
        return g_strdup (tree->symbols->functions[row->function].label);
    folded = pv_call_tree_format_folded (tree, row->node);
    return folded != NULL ? folded : g_strdup (pv_call_tree_get_label (tree, row->node));
}

char *
pv_tree_row_make_text (const PvCallTree *tree, const PvTreeRow *row, PvFunctionField field)
{
    if (field == PV_FIELD_NAME)
        return make_name (tree, row);
    return pv_function_make_text (&tree->symbols->functions[row->function], tree->profile, field);
}

/* Text */

typedef struct {
    PvCallTree *tree;
    PvNodeSums *sums; /* or NULL */
    PvTreeRow *rows;
    guint n_columns;
    PvFunctionColumn *columns; /* by number */
} TextData;

static void
text_data_free (gpointer user)
{
    TextData *data = user;
    pv_call_tree_free (data->tree);
    g_clear_pointer (&data->sums, pv_node_sums_unref);
    g_free (data->rows);
    for (guint i = 0; i < data->n_columns; i++)
        pv_function_column_clear (&data->columns[i]);
    g_free (data->columns);
    g_free (data);
}

static char *
make_cell (gconstpointer user, guint number, gboolean is_share, uint32_t key)
{
    const TextData *data = user;
    const PvTreeRow *row = &data->rows[key];
    PvFunctionColumn column = data->columns[number];
    g_autofree char *text = NULL;
    uint64_t amount, whole;

    if (column.formula != NULL)
        return pv_formula_format_plain (
            pv_tree_row_get_value (data->tree, data->sums, row, column));
    if (!pv_function_field_has_words (column.field))
        return pv_tree_row_get_amount (data->tree, data->sums, row, column, &amount, &whole)
                   ? pv_make_figure (amount, whole, is_share)
                   : NULL;
    text = pv_tree_row_make_text (data->tree, row, column.field);
    return column.field == PV_FIELD_NAME
               ? g_strdup_printf ("%*s%s", 2 * (int)MIN (row->depth, MAX_INDENT), "", text)
               : g_steal_pointer (&text);
}

PvTableText *
pv_tree_text_new (PvCallTree *tree, PvNodeSums *sums, const PvColumnSet *columns,
                  const PvTreeRow *rows, uint32_t n)
{
    TextData *data = g_new0 (TextData, 1);
    guint n_columns = pv_column_set_get_n (columns);
    g_autofree uint32_t *keys = g_new (uint32_t, MAX (n, 1));
    PvTableText *text;

    g_assert (tree != NULL && columns != NULL && (rows != NULL || n == 0));
    data->tree = pv_call_tree_ref (tree);
    data->sums = sums != NULL ? g_atomic_rc_box_acquire (sums) : NULL;
    data->rows = g_memdup2 (rows, n * sizeof (PvTreeRow));
    data->n_columns = n_columns;
    data->columns = g_new (PvFunctionColumn, n_columns);
    for (guint i = 0; i < n_columns; i++)
        data->columns[i] = pv_function_column_copy (*pv_column_set_get (columns, i));
    for (uint32_t i = 0; i < n; i++)
        keys[i] = i;
    text = pv_table_text_new (&(PvTextSource){data, text_data_free, make_cell}, keys, n, NULL);
    pv_column_set_add_to_text (columns, text, tree->profile, tree->query.measure);
    return text;
}
