/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/tables/tree-callers.h"

/* Only the worker of the task touches bottom_up, one request at a time. */
struct PvTreeCallers {
    PvCallTree *tree;
    PvBottomUp *bottom_up; /* NULL until the first request */
    PvNoise *noise;        /* of a comparison; NULL: exact */
    gboolean has_noise;
};

PvTreeCallers *
pv_tree_callers_new (const PvCallTree *tree)
{
    PvTreeCallers *callers = g_atomic_rc_box_new0 (PvTreeCallers);

    g_assert (tree != NULL);
    callers->tree = pv_call_tree_ref (tree);
    return callers;
}

PvTreeCallers *
pv_tree_callers_ref (PvTreeCallers *callers)
{
    return g_atomic_rc_box_acquire (callers);
}

static void
callers_clear (gpointer data)
{
    PvTreeCallers *callers = data;
    g_clear_pointer (&callers->bottom_up, pv_bottom_up_free);
    g_clear_pointer (&callers->noise, pv_noise_unref);
    pv_call_tree_free (callers->tree);
}

void
pv_tree_callers_unref (gpointer callers)
{
    g_atomic_rc_box_release_full (callers, callers_clear);
}

static void
input_free (gpointer data)
{
    PvTreeCallersInput *input = data;
    pv_tree_callers_unref (input->callers);
    g_array_unref (input->measures);
    pv_tree_rows_free (input->rows);
    pv_column_clear (&input->order.column);
    g_free (input);
}

void
pv_tree_callers_answer_free (gpointer data)
{
    PvTreeCallersAnswer *answer = data;
    g_clear_pointer (&answer->added, pv_siblings_unref);
    g_clear_pointer (&answer->renewed, g_ptr_array_unref);
    g_free (answer->keys);
    g_free (answer);
}

/* The tree anew, for these measures. FALSE when cancelled. */
static gboolean
sum_measures (PvTreeCallers *callers, const GArray *measures, PvJob *job)
{
    PvBottomUp *old = callers->bottom_up;
    PvBottomUp *bottom_up = pv_bottom_up_new (
        callers->tree, (const PvMeasureId *)(gpointer)measures->data, measures->len, job);

    if (bottom_up == NULL)
        return FALSE;
    if (old != NULL)
        pv_bottom_up_repeat (bottom_up, old);
    callers->bottom_up = bottom_up;
    g_clear_pointer (&old, pv_bottom_up_free);
    return TRUE;
}

/* FALSE when cancelled. */
static gboolean
find_noise (PvTreeCallers *callers, PvJob *job)
{
    g_autoptr (PvChanges) functions = NULL;

    if (callers->has_noise || !pv_tree_has_changes (callers->tree))
        return TRUE;
    functions = pv_changes_by_function (callers->tree, job);
    if (functions == NULL)
        return FALSE;
    if (functions->noise != NULL)
        callers->noise = pv_noise_ref (functions->noise);
    callers->has_noise = TRUE;
    return TRUE;
}

static PvSiblings *
make_siblings (const PvTreeCallers *callers, uint32_t first, uint32_t n, uint32_t parent,
               uint32_t depth)
{
    return pv_siblings_new_bottom_up (callers->bottom_up, callers->tree, callers->has_noise,
                                      callers->noise, first, n, parent, depth);
}

static GPtrArray *
renew (const PvTreeCallers *callers, const PvTreeRows *rows)
{
    GPtrArray *renewed = g_ptr_array_new_with_free_func (pv_siblings_unref);

    for (guint i = 0; i < rows->siblings->len; i++) {
        const PvSiblings *old = rows->siblings->pdata[i];
        PvSiblings *siblings = make_siblings (callers, old->first, old->n, old->parent, old->depth);
        siblings->first_key = old->first_key;
        g_ptr_array_add (renewed, siblings);
    }
    return renewed;
}

/* As if the first key were 0. */
static uint32_t *
sort_added (const PvTreeCallersInput *input, const PvSiblings *added, uint32_t *ret_n)
{
    g_autoptr (PvTreeRows) rows = pv_tree_rows_new (input->callers->tree, TRUE);

    g_ptr_array_add (rows->siblings, g_atomic_rc_box_acquire ((gpointer)added));
    return pv_tree_order_sort (&input->order, rows, added, ret_n);
}

static gpointer
answer_input (gpointer data, PvJob *job, GError **error)
{
    PvTreeCallersInput *input = data;
    PvTreeCallers *callers = input->callers;
    PvTreeCallersAnswer *answer;
    gboolean is_known =
        callers->bottom_up != NULL &&
        pv_bottom_up_has (callers->bottom_up, (const PvMeasureId *)(gpointer)input->measures->data,
                          input->measures->len);

    (void)error;
    if (!is_known && !sum_measures (callers, input->measures, job))
        return NULL;
    if (!find_noise (callers, job))
        return NULL;
    answer = g_new0 (PvTreeCallersAnswer, 1);
    answer->order_serial = input->order_serial;
    if (!is_known && input->rows->siblings->len > 0)
        answer->renewed = renew (callers, input->rows);
    if (input->has_node) {
        uint32_t first, n = pv_bottom_up_children (callers->bottom_up, input->node, &first);
        answer->added = make_siblings (callers, first, n, input->parent, input->depth);
        answer->keys = sort_added (input, answer->added, &answer->n_keys);
    }
    return answer;
}

PvTask *
pv_tree_callers_task_new (gpointer owner, PvTaskDone done)
{
    return pv_task_new (owner, answer_input, input_free, pv_tree_callers_answer_free, done);
}
