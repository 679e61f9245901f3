/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/tables/tree-rows.h"

#include <string.h>

/* Siblings */

static PvSiblings *
new_siblings (uint32_t first, uint32_t n, uint32_t parent, uint32_t depth)
{
    PvSiblings *siblings = g_atomic_rc_box_new0 (PvSiblings);

    siblings->first = first;
    siblings->n = n;
    siblings->parent = parent;
    siblings->depth = depth;
    return siblings;
}

PvSiblings *
pv_siblings_new (const PvCallTree *tree, PvNodeId node, uint32_t first_key, uint32_t parent,
                 uint32_t depth)
{
    PvNodeId first;
    PvSiblings *siblings;

    g_assert (tree != NULL && node < tree->n_nodes);
    first = tree->first_child[node];
    siblings = new_siblings (first, tree->first_child[node + 1] - first, parent, depth);
    siblings->first_key = first_key;
    return siblings;
}

PvSiblings *
pv_siblings_new_bottom_up (const PvBottomUp *bottom_up, const PvCallTree *tree,
                           gboolean has_changes, PvNoise *noise, uint32_t first, uint32_t n,
                           uint32_t parent, uint32_t depth)
{
    PvSiblings *siblings = new_siblings (first, n, parent, depth);

    g_assert (bottom_up != NULL);
    siblings->nodes = g_new (PvBottomUpNode, MAX (n, 1));
    for (uint32_t i = 0; i < n; i++)
        siblings->nodes[i] = *pv_bottom_up_get (bottom_up, first + i);
    siblings->sums = pv_bottom_up_sum (bottom_up, first, n);
    if (has_changes && siblings->sums != NULL) {
        PvFunctionId *functions = g_new (PvFunctionId, MAX (n, 1));
        for (uint32_t i = 0; i < n; i++)
            functions[i] = siblings->nodes[i].function;
        siblings->changes = pv_changes_take_functions (tree, siblings->sums, functions, noise);
    }
    return siblings;
}

static void
siblings_clear (gpointer data)
{
    PvSiblings *siblings = data;
    g_free (siblings->nodes);
    pv_changes_free (siblings->changes);
    pv_measure_sums_free (siblings->sums);
}

void
pv_siblings_unref (gpointer siblings)
{
    g_atomic_rc_box_release_full (siblings, siblings_clear);
}

/* Sums */

static void
node_sums_clear (gpointer data)
{
    PvNodeSums *sums = data;
    pv_changes_free (sums->changes);
    g_free (sums->is_quiet);
    pv_call_tree_free (sums->tree);
    pv_measure_sums_free (sums->sums);
}

void
pv_node_sums_unref (gpointer sums)
{
    g_atomic_rc_box_release_full (sums, node_sums_clear);
}

static void
sums_input_free (gpointer data)
{
    PvNodeSumsInput *input = data;
    pv_call_tree_free (input->tree);
    g_clear_pointer (&input->old, pv_node_sums_unref);
    g_array_unref (input->measures);
    g_free (input);
}

/* Noise is the same for all sums of a tree. FALSE when cancelled. */
static gboolean
find_noise (const PvNodeSumsInput *input, PvNoise **ret_noise, PvJob *job)
{
    const PvNodeSums *old = input->old;
    g_autoptr (PvChanges) functions = NULL;

    if (old != NULL && old->tree == input->tree && old->changes != NULL) {
        if (old->changes->noise != NULL)
            *ret_noise = pv_noise_ref (old->changes->noise);
        return TRUE;
    }
    functions = pv_changes_by_function (input->tree, job);
    if (functions != NULL && functions->noise != NULL)
        *ret_noise = pv_noise_ref (functions->noise);
    return functions != NULL;
}

/* A node may be noise where one below it grew and another shrank. Parents come first. */
static bool *
find_quiet (const PvCallTree *tree, const PvChanges *changes)
{
    bool *is_quiet = g_new (bool, MAX (tree->n_nodes, 1));

    memset (is_quiet, true, tree->n_nodes * sizeof (bool));
    for (PvNodeId node = tree->n_nodes; node-- > 1;) {
        if (is_quiet[node] && !pv_changes_is_row_noise (changes, node))
            is_quiet[node] = false;
        if (!is_quiet[node])
            is_quiet[tree->parent_of_node[node]] = false;
    }
    return is_quiet;
}

/* FALSE when cancelled. */
static gboolean
add_changes (PvNodeSums *sums, const PvNodeSumsInput *input, PvJob *job)
{
    g_autoptr (PvNoise) noise = NULL;

    if (!pv_tree_has_changes (sums->tree))
        return TRUE;
    if (!find_noise (input, &noise, job))
        return FALSE;
    sums->changes = pv_changes_by_node_from_sums (sums->tree, sums->sums, noise);
    if (sums->changes != NULL)
        sums->is_quiet = find_quiet (sums->tree, sums->changes);
    return TRUE;
}

static gpointer
build_sums (gpointer data, PvJob *job, GError **error)
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
    if (!add_changes (result, input, job))
        g_clear_pointer (&result, pv_node_sums_unref);
    return result;
}

PvTask *
pv_node_sums_task_new (gpointer owner, PvTaskDone done)
{
    return pv_task_new (owner, build_sums, sums_input_free, pv_node_sums_unref, done);
}

/* Rows */

PvTreeRows *
pv_tree_rows_new (const PvCallTree *tree, gboolean is_bottom_up)
{
    PvTreeRows *rows = g_new0 (PvTreeRows, 1);

    g_assert (tree != NULL);
    rows->tree = pv_call_tree_ref (tree);
    rows->is_bottom_up = is_bottom_up;
    rows->siblings = g_ptr_array_new_with_free_func (pv_siblings_unref);
    return rows;
}

PvTreeRows *
pv_tree_rows_copy (const PvTreeRows *rows)
{
    PvTreeRows *copy = pv_tree_rows_new (rows->tree, rows->is_bottom_up);

    for (guint i = 0; i < rows->siblings->len; i++)
        g_ptr_array_add (copy->siblings, g_atomic_rc_box_acquire (rows->siblings->pdata[i]));
    copy->sums = rows->sums != NULL ? g_atomic_rc_box_acquire (rows->sums) : NULL;
    return copy;
}

void
pv_tree_rows_free (gpointer data)
{
    PvTreeRows *rows = data;

    g_ptr_array_unref (rows->siblings);
    g_clear_pointer (&rows->sums, pv_node_sums_unref);
    pv_call_tree_free (rows->tree);
    g_free (rows);
}

PvSiblings *
pv_tree_rows_find (const PvTreeRows *rows, uint32_t key)
{
    guint low = 0, high = rows->siblings->len;
    PvSiblings *siblings;

    while (high - low > 1) {
        guint middle = low + (high - low) / 2;
        siblings = rows->siblings->pdata[middle];
        if (siblings->first_key <= key)
            low = middle;
        else
            high = middle;
    }
    siblings = high > low ? rows->siblings->pdata[low] : NULL;
    return siblings != NULL && key >= siblings->first_key && key - siblings->first_key < siblings->n
               ? siblings
               : NULL;
}

static void
get_node_row (const PvCallTree *tree, PvNodeId node, PvTreeRow *ret_row)
{
    ret_row->node = node;
    ret_row->function = tree->function_of_node[node];
    ret_row->self = tree->self[node];
    ret_row->total = tree->total[node];
    ret_row->is_folded = pv_call_tree_count_folded (tree, node) > 0;
    ret_row->has_children =
        ret_row->is_folded || tree->first_child[node + 1] > tree->first_child[node];
}

gboolean
pv_tree_rows_get (const PvTreeRows *rows, uint32_t key, PvTreeRow *ret_row)
{
    const PvSiblings *siblings = pv_tree_rows_find (rows, key);
    const PvBottomUpNode *node;
    uint32_t i;

    if (siblings == NULL)
        return FALSE;
    i = key - siblings->first_key;
    *ret_row =
        (PvTreeRow){.node = PV_NODE_NONE, .parent = siblings->parent, .depth = siblings->depth};
    if (siblings->nodes == NULL) {
        get_node_row (rows->tree, siblings->first + i, ret_row);
        return TRUE;
    }
    node = &siblings->nodes[i];
    ret_row->bottom_up = siblings->first + i;
    ret_row->function = node->function;
    ret_row->self = node->self;
    ret_row->total = node->total;
    ret_row->has_children = node->has_children;
    return TRUE;
}

/* The sums of other measures that have a row, and its number in them. NULL: not known. */
static const PvMeasureSums *
find_sums (const PvTreeRows *rows, uint32_t key, uint32_t *ret_row)
{
    const PvSiblings *siblings = pv_tree_rows_find (rows, key);

    if (siblings == NULL)
        return NULL;
    *ret_row = key - siblings->first_key + (siblings->nodes == NULL ? siblings->first : 0);
    if (siblings->nodes != NULL)
        return siblings->sums;
    return rows->sums != NULL && rows->sums->tree == rows->tree ? rows->sums->sums : NULL;
}

/* The changes that have a row, and its number in them. NULL: not known. */
static const PvChanges *
find_changes (const PvTreeRows *rows, uint32_t key, uint32_t *ret_row)
{
    const PvSiblings *siblings = pv_tree_rows_find (rows, key);

    if (find_sums (rows, key, ret_row) == NULL)
        return NULL;
    return siblings->nodes != NULL ? siblings->changes : rows->sums->changes;
}

bool
pv_tree_rows_get_row (gconstpointer data, uint32_t key, PvRow *ret_row)
{
    const PvTreeRows *rows = data;
    PvTreeRow row;

    if (!pv_tree_rows_get (rows, key, &row))
        return false;
    pv_row_init_from_tree (ret_row, rows->tree, row.function);
    /* Rows of the bottom-up tree are functions without a node of the tree. */
    if (row.node != PV_NODE_NONE) {
        ret_row->label = pv_call_tree_get_label (rows->tree, row.node);
        ret_row->name = pv_call_tree_get_name (rows->tree, row.node);
        ret_row->n_folded = pv_call_tree_count_folded (rows->tree, row.node);
    }
    ret_row->depth = row.depth;
    ret_row->self = row.self;
    ret_row->total = row.total;
    ret_row->sums = find_sums (rows, key, &ret_row->sums_row);
    ret_row->changes = find_changes (rows, key, &ret_row->change_row);
    return true;
}

gboolean
pv_tree_rows_is_quiet (const PvTreeRows *rows, uint32_t key)
{
    uint32_t number = 0;
    const PvChanges *changes = find_changes (rows, key, &number);

    if (changes == NULL)
        return FALSE;
    return rows->is_bottom_up ? pv_changes_is_row_noise (changes, number)
                              : rows->sums->is_quiet[number];
}

gboolean
pv_tree_rows_have_noise (const PvTreeRows *rows)
{
    const PvSiblings *top = rows->siblings->len > 0 ? rows->siblings->pdata[0] : NULL;
    uint32_t number = 0;
    const PvChanges *changes =
        top != NULL && top->n > 0 ? find_changes (rows, top->first_key, &number) : NULL;

    return changes != NULL && changes->noise != NULL;
}
