/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/tables/tree-order.h"

enum { KEYS_PER_CHECK = 1 << 16 };

const PvTreeOrder pv_tree_order_usual = {
    {PV_COLUMN_TOTAL, PV_SHOW_AMOUNT, PV_MEASURE_SHOWN, NULL}, TRUE, FALSE};

gboolean
pv_tree_order_is_same (const PvTreeOrder *a, const PvTreeOrder *b)
{
    return a->is_descending == b->is_descending && a->hides_noise == b->hides_noise &&
           pv_column_is_same (&a->column, &b->column);
}

gboolean
pv_tree_order_is_usual (const PvTreeOrder *order)
{
    return pv_tree_order_is_same (order, &pv_tree_order_usual);
}

PvTreeOrder
pv_tree_order_copy (const PvTreeOrder *order)
{
    return (PvTreeOrder){pv_column_copy (&order->column), order->is_descending, order->hides_noise};
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
    uint32_t *keys;

    g_assert (order != NULL && rows != NULL && ret_n != NULL);
    keys = list_shown (order, rows, siblings, ret_n);
    /* Net amounts are in another order than the keys. */
    if (*ret_n > 1 &&
        (!pv_tree_order_is_usual (order) || pv_column_get_pair (&order->column, rows->tree->profile,
                                                                rows->tree->query.measure) != NULL))
        pv_column_sort (&order->column, order->is_descending, pv_tree_rows_get_row, rows, keys,
                        *ret_n);
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
