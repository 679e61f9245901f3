/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/tables/tree-model.h"

#include "app/tables/tree-callers.h"
#include "app/work/work.h"

/* At first the hottest path is expanded, as far as a child has half of the total. */
#define MAX_OPEN_DEPTH 24
#define MAX_HOT_DEPTH  4096

#define NONE G_MAXUINT32

struct PvTreeModel {
    PvRowModel *list;
    PvTreeRows *rows;  /* or NULL */
    uint32_t next_key; /* keys of collapsed rows stay unused until the next tree */
    GHashTable
        *expanded; /* keys of rows -> the first key of their children + 1; 0: still to come */

    const PvTreeModelEvents *events;
    gpointer user;

    PvTreeOrder order;
    guint order_serial; /* of the order */
    guint n_changes;    /* of which rows there are */
    PvTask *order_task;

    GArray *measures; /* PvMeasureId */
    PvTask *sums_task;

    PvTreeCallers *callers; /* bottom up; else NULL */
    PvTask *callers_task;
    gboolean is_asking;
    gboolean wants_sums; /* bottom up, maybe others than there are */
    GArray *wanted;      /* keys of rows that wait for their children, NONE: the top */
    uint32_t hot_key;    /* the end of a hot path that goes on with these children; or NONE */
};

/* Rows */

static gboolean
get_row_at (PvTreeModel *self, uint32_t position, PvTreeRow *ret_row)
{
    return pv_tree_model_get_row (self, pv_row_model_get_key (self->list, position), ret_row);
}

/* The children of a row, or the rows at the top (NONE); NULL: the list has no children of it. */
static PvSiblings *
get_children (PvTreeModel *self, uint32_t key)
{
    gpointer first;

    if (key == NONE)
        return self->rows->siblings->len > 0 ? self->rows->siblings->pdata[0] : NULL;
    first = g_hash_table_lookup (self->expanded, GUINT_TO_POINTER (key));
    return first != NULL ? pv_tree_rows_find (self->rows, GPOINTER_TO_UINT (first) - 1) : NULL;
}

/* True if a row is expanded, but its children are still to come. */
static gboolean
is_awaited (PvTreeModel *self, uint32_t key)
{
    gpointer first;

    return g_hash_table_lookup_extended (self->expanded, GUINT_TO_POINTER (key), NULL, &first) &&
           first == NULL;
}

static void request_order (PvTreeModel *self);

/* Puts new rows, which it takes, into the list. keys are those that are shown in order, less the
 * first one; NULL: they have not been sorted. */
static void
insert (PvTreeModel *self, uint32_t position, PvSiblings *siblings, const uint32_t *keys,
        uint32_t n_keys)
{
    gboolean is_sorted =
        keys != NULL || siblings->n <= PV_SORT_MAX_AT_ONCE || pv_tree_order_is_usual (&self->order);
    g_autofree uint32_t *sorted = NULL;

    siblings->first_key = self->next_key;
    self->next_key += siblings->n;
    self->n_changes++;
    g_ptr_array_add (self->rows->siblings, siblings);
    if (siblings->parent != NONE)
        g_hash_table_insert (self->expanded, GUINT_TO_POINTER (siblings->parent),
                             GUINT_TO_POINTER (siblings->first_key + 1));
    if (keys == NULL) {
        const PvTreeOrder *order = is_sorted ? &self->order : &pv_tree_order_usual;
        sorted = pv_tree_order_sort (order, self->rows, siblings, &n_keys);
    } else {
        sorted = g_new (uint32_t, MAX (n_keys, 1));
        for (uint32_t i = 0; i < n_keys; i++)
            sorted[i] = siblings->first_key + keys[i];
    }
    pv_row_model_splice (self->list, position, 0, sorted, n_keys);
    if (!is_sorted)
        request_order (self);
}

/* Order */

typedef struct {
    PvTreeRows *rows;
    PvTreeOrder order;
    guint n_changes;
} OrderInput;

typedef struct {
    uint32_t *keys;
    uint32_t n;
    guint n_changes;
} Order;

static void
order_input_free (gpointer data)
{
    OrderInput *input = data;
    pv_tree_rows_free (input->rows);
    pv_column_clear (&input->order.column);
    g_free (input);
}

static void
order_free (gpointer data)
{
    Order *order = data;
    g_free (order->keys);
    g_free (order);
}

static gpointer
build_order (gpointer data, PvJob *job, GError **error)
{
    OrderInput *input = data;
    Order *order = g_new0 (Order, 1);

    (void)error;
    order->n_changes = input->n_changes;
    order->keys = pv_tree_order_list (&input->order, input->rows, &order->n, job);
    if (order->keys == NULL)
        g_clear_pointer (&order, order_free);
    return order;
}

static void
reorder (PvTreeModel *self, const uint32_t *keys, uint32_t n)
{
    /* Else rows have been hidden, or are shown again. */
    if (n == pv_row_model_get_n_rows (self->list))
        pv_row_model_reorder (self->list, keys, n);
    else
        pv_row_model_set (self->list, keys, n);
    self->events->reordered (self->user);
}

static void
on_order (gpointer owner, gpointer result, const GError *error)
{
    PvTreeModel *self = owner;
    Order *order = result;

    if (order == NULL)
        return;
    if (order->n_changes == self->n_changes)
        reorder (self, order->keys, order->n);
    else
        request_order (self);
    order_free (order);
}

/* All rows, those at the top too. */
static void
request_order (PvTreeModel *self)
{
    OrderInput *input;

    pv_task_cancel (self->order_task);
    if (self->rows == NULL || get_children (self, NONE) == NULL)
        return;
    if (pv_row_model_get_n_rows (self->list) <= PV_SORT_MAX_AT_ONCE) {
        uint32_t n;
        g_autofree uint32_t *keys = pv_tree_order_list (&self->order, self->rows, &n, NULL);
        reorder (self, keys, n);
        return;
    }
    input = g_new (OrderInput, 1);
    *input = (OrderInput){pv_tree_rows_copy (self->rows), pv_tree_order_copy (&self->order),
                          self->n_changes};
    pv_task_start (self->order_task, input);
}

void
pv_tree_model_set_order (PvTreeModel *self, const PvTreeOrder *order)
{
    PvTreeOrder old = self->order;

    g_assert (self != NULL && order != NULL);
    if (pv_tree_order_is_same (order, &old))
        return;
    self->order = pv_tree_order_copy (order);
    self->order_serial++;
    pv_column_clear (&old.column);
    request_order (self);
}

/* The order may depend on sums that are there now. */
static void
on_new_sums (PvTreeModel *self)
{
    self->events->sums_changed (self->user);
    if (self->order.hides_noise || pv_column_needs_sums (&self->order.column, self->rows->tree))
        request_order (self);
}

/* Children bottom up */

static void
ask_callers (PvTreeModel *self)
{
    PvTreeCallersInput *input;
    uint32_t parent;
    PvTreeRow row;

    if (self->is_asking || (self->wanted->len == 0 && !self->wants_sums))
        return;
    input = g_new0 (PvTreeCallersInput, 1);
    input->callers = pv_tree_callers_ref (self->callers);
    input->measures = g_array_copy (self->measures);
    input->rows = pv_tree_rows_copy (self->rows);
    input->order = pv_tree_order_copy (&self->order);
    input->order_serial = self->order_serial;
    input->has_node = self->wanted->len > 0;
    input->node = PV_NODE_NONE;
    parent = input->has_node ? g_array_index (self->wanted, uint32_t, 0) : NONE;
    input->parent = parent;
    if (parent != NONE) {
        pv_tree_model_get_row (self, parent, &row);
        input->node = row.bottom_up;
        input->depth = row.depth + 1;
    }
    self->wants_sums = FALSE;
    self->is_asking = TRUE;
    pv_task_start (self->callers_task, input);
}

static void
want_children (PvTreeModel *self, uint32_t key)
{
    g_array_append_val (self->wanted, key);
    ask_callers (self);
}

/* Rows that were collapsed meanwhile are no longer here. */
static void
renew_siblings (PvTreeModel *self, GPtrArray *renewed)
{
    for (guint i = 0; i < renewed->len; i++) {
        PvSiblings *siblings = renewed->pdata[i];
        PvSiblings *old =
            siblings->n > 0 ? pv_tree_rows_find (self->rows, siblings->first_key) : NULL;
        guint place;
        if (old == NULL || !g_ptr_array_find (self->rows->siblings, old, &place))
            continue;
        self->rows->siblings->pdata[place] = g_atomic_rc_box_acquire (siblings);
        pv_siblings_unref (old);
    }
}

static void
insert_top (PvTreeModel *self, PvSiblings *siblings, const uint32_t *keys, uint32_t n_keys)
{
    pv_row_model_freeze (self->list);
    pv_row_model_set (self->list, NULL, 0);
    insert (self, 0, siblings, keys, n_keys);
    pv_row_model_thaw (self->list);
}

static void
insert_answer (PvTreeModel *self, PvTreeCallersAnswer *answer)
{
    PvSiblings *added = g_steal_pointer (&answer->added);
    const uint32_t *keys = answer->order_serial == self->order_serial ? answer->keys : NULL;
    uint32_t position;

    g_array_remove_index (self->wanted, 0);
    /* Meanwhile the row may have been collapsed, or hidden with a parent. */
    if (added->parent == NONE) {
        insert_top (self, added, keys, answer->n_keys);
        return;
    }
    position =
        is_awaited (self, added->parent) ? pv_row_model_find (self->list, added->parent) : NONE;
    if (position != NONE) {
        insert (self, position + 1, added, keys, answer->n_keys);
    } else {
        g_hash_table_remove (self->expanded, GUINT_TO_POINTER (added->parent));
        pv_siblings_unref (added);
    }
}

/* Without those that wait for rows which are gone. */
static void
skip_hidden (PvTreeModel *self)
{
    while (self->wanted->len > 0) {
        uint32_t key = g_array_index (self->wanted, uint32_t, 0);
        if (key == NONE || is_awaited (self, key))
            return;
        g_array_remove_index (self->wanted, 0);
    }
}

static void go_on_hot (PvTreeModel *self);

static void
on_callers (gpointer owner, gpointer result, const GError *error)
{
    PvTreeModel *self = owner;
    PvTreeCallersAnswer *answer = result;
    uint32_t parent = NONE;

    self->is_asking = FALSE;
    if (answer == NULL)
        return;
    if (answer->renewed != NULL)
        renew_siblings (self, answer->renewed);
    if (answer->added != NULL) {
        parent = answer->added->parent;
        insert_answer (self, answer);
    }
    skip_hidden (self);
    ask_callers (self);
    if (answer->renewed != NULL)
        on_new_sums (self);
    if (parent != NONE && parent == self->hot_key)
        go_on_hot (self);
    pv_free_later (answer, pv_tree_callers_answer_free);
}

/* Sums */

static void
on_sums (gpointer owner, gpointer result, const GError *error)
{
    PvTreeModel *self = owner;

    if (result == NULL)
        return;
    pv_clear_later (&self->rows->sums, pv_node_sums_unref);
    self->rows->sums = result;
    on_new_sums (self);
}

static gboolean
has_sums (PvTreeModel *self)
{
    const PvNodeSums *sums = self->rows->sums;
    gboolean has_all = sums != NULL && sums->tree == self->rows->tree;

    for (guint i = 0; i < self->measures->len && has_all; i++)
        has_all = pv_measure_sums_find (sums->sums,
                                        g_array_index (self->measures, PvMeasureId, i)) != NULL;
    return has_all;
}

static void
request_sums (PvTreeModel *self)
{
    PvNodeSumsInput *input;

    if (self->rows == NULL || self->measures->len == 0)
        return;
    if (self->rows->is_bottom_up) {
        self->wants_sums = TRUE;
        ask_callers (self);
    } else if (!has_sums (self)) {
        input = g_new (PvNodeSumsInput, 1);
        *input = (PvNodeSumsInput){
            pv_call_tree_ref (self->rows->tree),
            self->rows->sums != NULL ? g_atomic_rc_box_acquire (self->rows->sums) : NULL,
            g_array_copy (self->measures)};
        pv_task_start (self->sums_task, input);
    }
}

void
pv_tree_model_set_measures (PvTreeModel *self, const GArray *measures)
{
    g_assert (self != NULL && measures != NULL);
    g_array_set_size (self->measures, 0);
    g_array_append_vals (self->measures, measures->data, measures->len);
    request_sums (self);
}

/* Expanding */

/* position is that of the row with the key, which has children that are not shown. */
static void
expand (PvTreeModel *self, uint32_t key, uint32_t position)
{
    PvTreeRow row;

    pv_tree_model_get_row (self, key, &row);
    g_hash_table_insert (self->expanded, GUINT_TO_POINTER (key), NULL);
    self->events->row_changed (self->user, position);
    if (self->rows->is_bottom_up)
        want_children (self, key);
    else if (row.is_folded)
        self->events->open_node (self->user, self->rows->tree->parent_of_node[row.node]);
    else
        insert (self, position + 1,
                pv_siblings_new (self->rows->tree, row.node, 0, key, row.depth + 1), NULL, 0);
}

void
pv_tree_model_expand (PvTreeModel *self, uint32_t position)
{
    uint32_t key = pv_row_model_get_key (self->list, position);
    PvTreeRow row;

    if (pv_tree_model_get_row (self, key, &row) && row.has_children &&
        !pv_tree_model_is_expanded (self, key))
        expand (self, key, position);
}

/* All rows below a row, as a set of PvSiblings. */
static GHashTable *
list_below (PvTreeModel *self, uint32_t key)
{
    GHashTable *below = g_hash_table_new (NULL, NULL);

    for (guint i = 1; i < self->rows->siblings->len; i++) {
        PvSiblings *siblings = self->rows->siblings->pdata[i];
        if (siblings->parent == key ||
            g_hash_table_contains (below, pv_tree_rows_find (self->rows, siblings->parent)))
            g_hash_table_add (below, siblings);
    }
    return below;
}

/* How many rows below the one at a position are in the list. */
static uint32_t
count_below (PvTreeModel *self, uint32_t position)
{
    uint32_t n = 0;
    PvTreeRow row, below;

    if (!get_row_at (self, position, &row))
        return 0;
    while (get_row_at (self, position + n + 1, &below) && below.depth > row.depth)
        n++;
    return n;
}

/* Drops the rows below one, which may be hidden. */
static void
drop_below (PvTreeModel *self, uint32_t key)
{
    g_autoptr (GHashTable) below = list_below (self, key);
    GPtrArray *all = self->rows->siblings;
    GHashTableIter iter;
    gpointer expanded;

    g_hash_table_iter_init (&iter, self->expanded);
    while (g_hash_table_iter_next (&iter, &expanded, NULL))
        if (GPOINTER_TO_UINT (expanded) == key ||
            g_hash_table_contains (below,
                                   pv_tree_rows_find (self->rows, GPOINTER_TO_UINT (expanded))))
            g_hash_table_iter_remove (&iter);
    for (guint i = all->len; i-- > 1;) {
        PvSiblings *siblings = all->pdata[i];
        if (g_hash_table_contains (below, siblings))
            g_ptr_array_remove_index (all, i);
    }
}

void
pv_tree_model_collapse (PvTreeModel *self, uint32_t position)
{
    uint32_t key = pv_row_model_get_key (self->list, position), n;

    if (!pv_tree_model_is_expanded (self, key))
        return;
    n = count_below (self, position);
    drop_below (self, key);
    self->n_changes++;
    self->events->row_changed (self->user, position);
    pv_row_model_splice (self->list, position + 1, n, NULL, 0);
}

/* The position of a key below the row at another one; NONE: at the top. */
static uint32_t
find_below (PvTreeModel *self, uint32_t position, uint32_t key)
{
    uint32_t n_rows = pv_row_model_get_n_rows (self->list);

    for (uint32_t i = position + 1; i < n_rows; i++)
        if (pv_row_model_get_key (self->list, i) == key)
            return i;
    return NONE;
}

/* The hot path */

/* One level down. Returns the next position, or the same where the path ends or its children are
 * still to come: then hot_key is set. While the list is frozen. */
static uint32_t
go_down (PvTreeModel *self, uint32_t position)
{
    uint32_t key = pv_row_model_get_key (self->list, position);
    const PvSiblings *children;
    PvTreeRow row, child;
    uint32_t next;

    if (!pv_tree_model_get_row (self, key, &row) || !row.has_children || row.is_folded)
        return position;
    pv_tree_model_expand (self, position);
    if (is_awaited (self, key)) {
        self->hot_key = key;
        return position;
    }
    children = get_children (self, key);
    /* The first one is the heaviest, wherever it is shown. */
    if (children == NULL || !pv_tree_model_get_row (self, children->first_key, &child) ||
        child.total < row.total - row.total / 2 || child.is_folded)
        return position;
    next = find_below (self, position, children->first_key);
    return next != NONE ? next : position;
}

static void
follow_hot_path (PvTreeModel *self, uint32_t position)
{
    self->hot_key = NONE;
    pv_row_model_freeze (self->list);
    for (unsigned i = 0; i < MAX_HOT_DEPTH && self->hot_key == NONE; i++) {
        uint32_t next = go_down (self, position);
        if (next == position)
            break;
        position = next;
    }
    pv_row_model_thaw (self->list);
    if (self->hot_key == NONE)
        self->events->hot_path_found (self->user, position);
}

/* Meanwhile the row may have been collapsed, or hidden with a parent. */
static void
go_on_hot (PvTreeModel *self)
{
    uint32_t position = pv_row_model_find (self->list, self->hot_key);

    if (position != NONE && pv_tree_model_is_expanded (self, self->hot_key))
        follow_hot_path (self, position);
    else
        self->hot_key = NONE;
}

void
pv_tree_model_expand_hot_path (PvTreeModel *self, uint32_t position)
{
    const PvSiblings *top = self->rows != NULL ? get_children (self, NONE) : NULL;
    PvTreeRow row;

    g_assert (self != NULL);
    if (position == NONE && top != NULL)
        position = pv_row_model_find (self->list, top->first_key);
    if (get_row_at (self, position, &row))
        follow_hot_path (self, position);
}

/* While the list is frozen. */
static uint32_t
reveal (PvTreeModel *self, PvNodeId node)
{
    g_autoptr (GArray) path = g_array_new (FALSE, FALSE, sizeof (PvNodeId));
    uint32_t position = NONE, key = NONE;

    if (self->rows == NULL || self->rows->is_bottom_up || node == 0 ||
        node >= self->rows->tree->n_nodes)
        return NONE;
    for (; node != 0; node = self->rows->tree->parent_of_node[node])
        g_array_append_val (path, node);
    for (unsigned i = path->len; i-- > 0;) {
        const PvSiblings *siblings;
        if (key != NONE && !pv_tree_model_is_expanded (self, key))
            expand (self, key, position);
        siblings = get_children (self, key);
        if (siblings == NULL)
            return NONE;
        key = siblings->first_key + g_array_index (path, PvNodeId, i) - siblings->first;
        position = find_below (self, position, key);
        if (position == NONE)
            return NONE;
    }
    return position;
}

uint32_t
pv_tree_model_reveal (PvTreeModel *self, PvNodeId node)
{
    uint32_t position;

    /* Else GTK would make and drop widgets at each step. */
    pv_row_model_freeze (self->list);
    position = reveal (self, node);
    pv_row_model_thaw (self->list);
    return position;
}

/* Trees */

/* Nodes whose rows are expanded. */
static GArray *
collect_expanded (PvTreeModel *self)
{
    GArray *nodes = g_array_new (FALSE, FALSE, sizeof (PvNodeId));
    GHashTableIter iter;
    gpointer key;
    PvTreeRow row;

    g_hash_table_iter_init (&iter, self->expanded);
    while (g_hash_table_iter_next (&iter, &key, NULL))
        if (pv_tree_model_get_row (self, GPOINTER_TO_UINT (key), &row))
            g_array_append_val (nodes, row.node);
    return nodes;
}

static void
expand_again (PvTreeModel *self, const PvCallTree *old, const GArray *nodes)
{
    for (unsigned i = 0; i < nodes->len; i++) {
        PvNodeId node =
            pv_call_tree_translate (old, g_array_index (nodes, PvNodeId, i), self->rows->tree);
        uint32_t position;
        if (node == PV_NODE_NONE)
            continue;
        position = reveal (self, node);
        if (position != NONE)
            pv_tree_model_expand (self, position);
    }
}

/* Expands the rows that are open at first. */
static void
expand_top (PvTreeModel *self)
{
    const PvSiblings *siblings = get_children (self, NONE);
    uint32_t position = NONE;
    PvTreeRow row;

    for (unsigned i = 0; i < MAX_OPEN_DEPTH && siblings != NULL; i++) {
        if (!pv_tree_model_get_row (self, siblings->first_key, &row) ||
            row.total < self->rows->tree->total[0] / 2)
            return;
        position = find_below (self, position, siblings->first_key);
        if (position == NONE)
            return;
        pv_tree_model_expand (self, position);
        siblings = get_children (self, siblings->first_key);
    }
}

static void
show_top_down (PvTreeModel *self, const PvCallTree *old, const GArray *expanded)
{
    PvSiblings *top = pv_siblings_new (self->rows->tree, 0, 0, NONE, 0);

    pv_row_model_freeze (self->list);
    pv_row_model_set (self->list, NULL, 0);
    insert (self, 0, top, NULL, 0);
    if (expanded != NULL)
        expand_again (self, old, expanded);
    else
        expand_top (self);
    pv_row_model_thaw (self->list);
}

static void
start_bottom_up (PvTreeModel *self)
{
    self->callers = pv_tree_callers_new (self->rows->tree);
    want_children (self, NONE);
}

void
pv_tree_model_set_tree (PvTreeModel *self, const PvCallTree *tree, bool is_bottom_up)
{
    PvTreeRows *old = self->rows;
    bool is_refinement = old != NULL && !is_bottom_up && !old->is_bottom_up;
    g_autoptr (GArray) expanded = is_refinement ? collect_expanded (self) : NULL;

    g_assert (self != NULL && tree != NULL);
    pv_task_cancel (self->callers_task);
    pv_task_cancel (self->order_task);
    pv_task_cancel (self->sums_task);
    pv_clear_later (&self->callers, pv_tree_callers_unref);
    self->is_asking = self->wants_sums = FALSE;
    g_array_set_size (self->wanted, 0);
    g_hash_table_remove_all (self->expanded);
    self->hot_key = NONE;
    self->next_key = 0;
    self->n_changes++;
    self->rows = pv_tree_rows_new (tree, is_bottom_up);
    if (old != NULL && old->sums != NULL && old->sums->tree == tree)
        self->rows->sums = g_atomic_rc_box_acquire (old->sums);
    if (is_bottom_up)
        start_bottom_up (self);
    else
        show_top_down (self, old != NULL ? old->tree : NULL, expanded);
    if (!is_bottom_up)
        request_sums (self);
    pv_clear_later (&old, pv_tree_rows_free);
}

const PvTreeRows *
pv_tree_model_get_rows (PvTreeModel *self)
{
    return self->rows;
}

gboolean
pv_tree_model_get_row (PvTreeModel *self, uint32_t key, PvTreeRow *ret_row)
{
    return self->rows != NULL && pv_tree_rows_get (self->rows, key, ret_row);
}

gboolean
pv_tree_model_is_expanded (PvTreeModel *self, uint32_t key)
{
    return g_hash_table_contains (self->expanded, GUINT_TO_POINTER (key));
}

uint32_t
pv_tree_model_get_key (PvTreeModel *self, uint32_t position)
{
    return pv_row_model_get_key (self->list, position);
}

uint32_t
pv_tree_model_find (PvTreeModel *self, uint32_t key)
{
    return pv_row_model_find (self->list, key);
}

GListModel *
pv_tree_model_get_list (PvTreeModel *self)
{
    return G_LIST_MODEL (self->list);
}

PvTreeModel *
pv_tree_model_new (const PvTreeModelEvents *events, gpointer user)
{
    PvTreeModel *self = g_new0 (PvTreeModel, 1);

    g_assert (events != NULL);
    self->events = events;
    self->user = user;
    self->list = pv_row_model_new ();
    self->expanded = g_hash_table_new (NULL, NULL);
    self->wanted = g_array_new (FALSE, FALSE, sizeof (uint32_t));
    self->measures = g_array_new (FALSE, FALSE, sizeof (PvMeasureId));
    self->order = pv_tree_order_usual;
    self->hot_key = NONE;
    self->order_task = pv_task_new (self, build_order, order_input_free, order_free, on_order);
    self->sums_task = pv_node_sums_task_new (self, on_sums);
    self->callers_task = pv_tree_callers_task_new (self, on_callers);
    return self;
}

void
pv_tree_model_free (PvTreeModel *self)
{
    pv_task_close (self->callers_task);
    pv_task_close (self->sums_task);
    pv_task_close (self->order_task);
    pv_clear_later (&self->callers, pv_tree_callers_unref);
    pv_clear_later (&self->rows, pv_tree_rows_free);
    pv_column_clear (&self->order.column);
    g_object_unref (self->list);
    g_hash_table_unref (self->expanded);
    g_array_unref (self->wanted);
    g_array_unref (self->measures);
    g_free (self);
}
