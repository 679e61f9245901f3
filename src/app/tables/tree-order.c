/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/tables/tree-order.h"

enum { KEYS_PER_CHECK = 1 << 16 };

const PvTreeOrder pv_tree_order_usual = {
    {PV_FIELD_TOTAL, PV_MEASURE_SHOWN, NULL, PV_CHANGE_NONE}, TRUE, FALSE};

gboolean
pv_tree_order_is_same (const PvTreeOrder *a, const PvTreeOrder *b)
{
    return a->is_descending == b->is_descending && a->column.field == b->column.field &&
           a->column.measure == b->column.measure && a->column.formula == b->column.formula &&
           a->column.change == b->column.change && a->hides_noise == b->hides_noise;
}

gboolean
pv_tree_order_is_usual (const PvTreeOrder *order)
{
    return pv_tree_order_is_same (order, &pv_tree_order_usual);
}

PvTreeOrder
pv_tree_order_copy (const PvTreeOrder *order)
{
    return (PvTreeOrder){pv_function_column_copy (order->column), order->is_descending,
                         order->hides_noise};
}

static void
add_words (PvSortKey *sort, const PvTreeRows *rows, PvFunctionField field, GStringChunk *texts)
{
    PvTreeRow row;

    if (!pv_tree_rows_get (rows, sort->key, &row) || row.is_folded)
        return;
    if (row.function != 0)
        pv_function_add_words (sort, &rows->tree->symbols->functions[row.function],
                               rows->tree->profile, field, texts);
    else if (field == PV_FIELD_NAME && row.node != PV_NODE_NONE)
        sort->text = pv_call_tree_get_label (rows->tree, row.node);
}

/* Sort key of a row. An unknown amount counts as 0, an unknown value of a formula as the least. */
static uint64_t
order_amount (const PvTreeRows *rows, PvFunctionColumn column, uint32_t key)
{
    int64_t amount;
    uint64_t whole;
    PvChange change;

    if (column.change != PV_CHANGE_NONE)
        return pv_tree_rows_get_change (rows, column, key, &change)
                   ? pv_change_order (change, column.change)
                   : 0;
    if (column.formula != NULL)
        return pv_sort_key_order_value (pv_tree_rows_get_value (rows, column, key));
    return pv_tree_rows_get_amount (rows, column, key, &amount, &whole) ? (uint64_t)ABS (amount)
                                                                        : 0;
}

/* The keys that are shown, by themselves. */
static uint32_t *
list_shown (const PvTreeOrder *order, const PvTreeRows *rows, const PvSiblings *siblings,
            uint32_t *ret_n)
{
    uint32_t *keys = g_new (uint32_t, MAX (siblings->n, 1));

    *ret_n = 0;
    for (uint32_t i = 0; i < siblings->n; i++)
        if (!order->hides_noise || !pv_tree_rows_is_quiet (rows, siblings->first_key + i))
            keys[(*ret_n)++] = siblings->first_key + i;
    return keys;
}

uint32_t *
pv_tree_order_sort (const PvTreeOrder *order, const PvTreeRows *rows, const PvSiblings *siblings,
                    uint32_t *ret_n)
{
    g_autofree PvSortKey *sorted = NULL;
    g_autoptr (GStringChunk) texts = NULL;
    uint32_t *keys, n;

    g_assert (order != NULL && rows != NULL && ret_n != NULL);
    keys = list_shown (order, rows, siblings, ret_n);
    n = *ret_n;
    /* Net amounts are in another order than the keys. */
    if (n < 2 || (pv_tree_order_is_usual (order) &&
                  pv_function_column_get_pair (order->column, rows->tree) == NULL))
        return keys;
    texts = g_string_chunk_new (256);
    sorted = g_new (PvSortKey, n);
    for (uint32_t i = 0; i < n; i++) {
        sorted[i] = (PvSortKey){.key = keys[i]};
        if (pv_function_field_has_words (order->column.field))
            add_words (&sorted[i], rows, order->column.field, texts);
        else
            sorted[i].amount = order_amount (rows, order->column, keys[i]);
    }
    pv_sort_keys (sorted, n, order->is_descending);
    for (uint32_t i = 0; i < n; i++)
        keys[i] = sorted[i].key;
    return keys;
}

/* All rows */

/* Siblings some of whose rows have been listed. */
typedef struct {
    const PvSiblings *siblings;
    uint32_t *keys;
    uint32_t n, n_done;
} Walk;

static void
clear_walk (gpointer walk)
{
    g_free (((Walk *)walk)->keys);
}

static void
enter (GArray *walks, const PvTreeOrder *order, const PvTreeRows *rows, const PvSiblings *siblings)
{
    Walk walk = {siblings, NULL, 0, 0};

    walk.keys = pv_tree_order_sort (order, rows, siblings, &walk.n);
    g_array_append_val (walks, walk);
}

/* By the keys of their parents; but for the first, which are at the top. */
static GHashTable *
find_children (const PvTreeRows *rows, uint32_t *ret_n)
{
    GHashTable *children = g_hash_table_new (NULL, NULL);

    *ret_n = 0;
    for (guint i = 0; i < rows->siblings->len; i++) {
        PvSiblings *siblings = rows->siblings->pdata[i];
        *ret_n += siblings->n;
        if (i > 0)
            g_hash_table_insert (children, GUINT_TO_POINTER (siblings->parent), siblings);
    }
    return children;
}

uint32_t *
pv_tree_order_list (const PvTreeOrder *order, const PvTreeRows *rows, uint32_t *ret_n, PvJob *job)
{
    g_autoptr (GHashTable) children = find_children (rows, ret_n);
    g_autofree uint32_t *keys = g_new (uint32_t, MAX (*ret_n, 1));
    g_autoptr (GArray) walks = g_array_new (FALSE, FALSE, sizeof (Walk));
    uint32_t n = 0;

    g_assert (order != NULL && ret_n != NULL);
    g_array_set_clear_func (walks, clear_walk);
    if (rows->siblings->len > 0)
        enter (walks, order, rows, rows->siblings->pdata[0]);
    while (walks->len > 0) {
        Walk *walk = &g_array_index (walks, Walk, walks->len - 1);
        const PvSiblings *below;
        if (walk->n_done == walk->n) {
            g_array_set_size (walks, walks->len - 1);
            continue;
        }
        keys[n] = walk->keys[walk->n_done++];
        below = g_hash_table_lookup (children, GUINT_TO_POINTER (keys[n++]));
        if (below != NULL)
            enter (walks, order, rows, below);
        if (n % KEYS_PER_CHECK == 0 && pv_job_is_cancelled (job))
            return NULL;
    }
    g_assert (n <= *ret_n);
    *ret_n = n;
    return g_steal_pointer (&keys);
}
