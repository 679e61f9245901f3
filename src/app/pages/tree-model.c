/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/pages/tree-model.h"

#include "app/work/work.h"
#include "core/analyze/tables/bottom-up.h"

/* At first the hottest path is expanded, as far as a child has half of the total. */
#define MAX_OPEN_DEPTH 24
#define MAX_HOT_DEPTH  4096

struct PvTreeModel {
    PvRowModel *list;
    PvCallTree *tree; /* or NULL */
    bool is_bottom_up;
    GArray *rows; /* PvTreeRow by key; keys of collapsed rows stay unused until the next tree */

    const PvTreeModelEvents *events;
    gpointer user;

    struct LazyBottomUp *lazy;
    PvTask *task;
    GArray *wanted;   /* keys of rows that wait for their children; the first is in work */
    uint32_t hot_key; /* the end of a hot path that goes on with these children; or G_MAXUINT32 */
};

/* Only the worker of the task touches bottom_up, one request at a time. */
typedef struct LazyBottomUp {
    PvCallTree *tree;
    PvBottomUp *bottom_up;
} LazyBottomUp;

typedef struct {
    LazyBottomUp *lazy;
    uint32_t node; /* PV_NODE_NONE: the roots */
} ExpandInput;

typedef struct {
    uint32_t first;
    uint32_t n;
    PvBottomUpNode *nodes;
} Children;

static void
lazy_clear (gpointer data)
{
    LazyBottomUp *lazy = data;
    g_clear_pointer (&lazy->bottom_up, pv_bottom_up_free);
    pv_call_tree_free (lazy->tree);
}

static void
lazy_unref (gpointer data)
{
    g_atomic_rc_box_release_full (data, lazy_clear);
}

static void
expand_input_free (gpointer data)
{
    ExpandInput *input = data;
    lazy_unref (input->lazy);
    g_free (input);
}

static void
children_free (gpointer data)
{
    Children *children = data;
    g_free (children->nodes);
    g_free (children);
}

static gpointer
expand_bottom_up (gpointer data, PvJob *job, GError **error)
{
    ExpandInput *input = data;
    LazyBottomUp *lazy = input->lazy;
    Children *children = g_new0 (Children, 1);

    if (lazy->bottom_up == NULL)
        lazy->bottom_up = pv_bottom_up_new (lazy->tree, NULL, 0, NULL);
    children->n = pv_bottom_up_children (lazy->bottom_up, input->node, &children->first);
    children->nodes = g_new (PvBottomUpNode, children->n);
    for (uint32_t i = 0; i < children->n; i++)
        children->nodes[i] = *pv_bottom_up_get (lazy->bottom_up, children->first + i);
    return children;
}

/* Rows */

static PvTreeRow *
row_at (PvTreeModel *self, uint32_t key)
{
    return &g_array_index (self->rows, PvTreeRow, key);
}

static uint32_t
add_row (PvTreeModel *self, const PvTreeRow *row)
{
    g_array_append_val (self->rows, *row);
    return self->rows->len - 1;
}

/* Puts rows first_key .. first_key + n - 1 into the list. */
static void
insert_rows (PvTreeModel *self, uint32_t position, uint32_t first_key, uint32_t n)
{
    g_autofree uint32_t *keys = g_new (uint32_t, n);

    for (uint32_t i = 0; i < n; i++)
        keys[i] = first_key + i;
    pv_row_model_splice (self->list, position, 0, keys, n);
}

/* Adds the children of a node of the top-down tree below the row with key parent. */
static void
insert_children (PvTreeModel *self, uint32_t position, PvNodeId node, uint32_t parent,
                 uint32_t depth)
{
    const PvCallTree *tree = self->tree;
    uint32_t first_key = self->rows->len;

    for (PvNodeId child = tree->first_child[node]; child < tree->first_child[node + 1]; child++) {
        PvTreeRow row = {.node = child,
                         .parent = parent,
                         .depth = depth,
                         .function = tree->function_of_node[child],
                         .self = tree->self[child],
                         .total = tree->total[child],
                         .has_children = tree->first_child[child + 1] > tree->first_child[child] ||
                                         pv_call_tree_count_folded (tree, child) > 0};
        add_row (self, &row);
    }
    insert_rows (self, position, first_key, self->rows->len - first_key);
}

static void
request_children (PvTreeModel *self)
{
    uint32_t key = g_array_index (self->wanted, uint32_t, 0);
    ExpandInput *input = g_new0 (ExpandInput, 1);

    input->lazy = g_atomic_rc_box_acquire (self->lazy);
    input->node = key == G_MAXUINT32 ? PV_NODE_NONE : row_at (self, key)->bottom_up;
    pv_task_start (self->task, input);
}

static void
want_children (PvTreeModel *self, uint32_t key)
{
    g_array_append_val (self->wanted, key);
    if (self->wanted->len == 1)
        request_children (self);
}

static void go_on_hot (PvTreeModel *self);

static void
on_children (gpointer owner, gpointer result, const GError *error)
{
    PvTreeModel *self = owner;
    Children *children = result;
    uint32_t parent = g_array_index (self->wanted, uint32_t, 0);
    uint32_t first_key = self->rows->len;
    uint32_t depth = parent == G_MAXUINT32 ? 0 : row_at (self, parent)->depth + 1;
    uint32_t position = parent == G_MAXUINT32 ? 0 : pv_row_model_find (self->list, parent) + 1;

    g_array_remove_index (self->wanted, 0);
    if (parent == G_MAXUINT32) {
        pv_row_model_freeze (self->list);
        pv_row_model_set (self->list, NULL, 0);
    }
    /* Meanwhile the row may have been collapsed, or hidden with a parent. */
    if (parent == G_MAXUINT32 || (position > 0 && row_at (self, parent)->is_expanded)) {
        for (uint32_t i = 0; i < children->n; i++) {
            const PvBottomUpNode *node = &children->nodes[i];
            PvTreeRow row = {.node = PV_NODE_NONE,
                             .bottom_up = children->first + i,
                             .parent = parent,
                             .depth = depth,
                             .function = node->function,
                             .self = node->self,
                             .total = node->total,
                             .has_children = node->has_children};
            add_row (self, &row);
        }
        insert_rows (self, position, first_key, children->n);
    }
    if (parent == G_MAXUINT32)
        pv_row_model_thaw (self->list);
    children_free (children);
    if (self->wanted->len > 0)
        request_children (self);
    if (parent != G_MAXUINT32 && parent == self->hot_key)
        go_on_hot (self);
}

void
pv_tree_model_expand (PvTreeModel *self, uint32_t position)
{
    uint32_t key = pv_row_model_get_key (self->list, position);
    PvTreeRow *row = key < self->rows->len ? row_at (self, key) : NULL;

    if (row == NULL || row->is_expanded || !row->has_children)
        return;
    row->is_expanded = true;
    self->events->row_changed (self->user, position);
    if (self->is_bottom_up)
        want_children (self, key);
    else if (pv_call_tree_count_folded (self->tree, row->node) > 0)
        self->events->open_node (self->user, self->tree->parent_of_node[row->node]);
    else
        insert_children (self, position + 1, row->node, key, row->depth + 1);
}

void
pv_tree_model_collapse (PvTreeModel *self, uint32_t position)
{
    uint32_t key = pv_row_model_get_key (self->list, position);
    PvTreeRow *row = key < self->rows->len ? row_at (self, key) : NULL;
    uint32_t n_rows = pv_row_model_get_n_rows (self->list);
    uint32_t end = position + 1;

    if (row == NULL || !row->is_expanded)
        return;
    row->is_expanded = false;
    while (end < n_rows &&
           row_at (self, pv_row_model_get_key (self->list, end))->depth > row->depth)
        end++;
    self->events->row_changed (self->user, position);
    pv_row_model_splice (self->list, position + 1, end - position - 1, NULL, 0);
}

/* The hot path */

/* The position of the heaviest row below the one at a position, on the next level; G_MAXUINT32 if
 * there is none. For the top level: position G_MAXUINT32. */
static uint32_t
find_heaviest (PvTreeModel *self, uint32_t position)
{
    uint32_t n_rows = pv_row_model_get_n_rows (self->list), found = G_MAXUINT32;
    gboolean is_top = position == G_MAXUINT32;
    uint32_t depth =
        is_top ? 0 : row_at (self, pv_row_model_get_key (self->list, position))->depth + 1;
    uint64_t most = 0;

    for (uint32_t i = is_top ? 0 : position + 1; i < n_rows; i++) {
        uint32_t key = pv_row_model_get_key (self->list, i);
        if (key >= self->rows->len || row_at (self, key)->depth < depth)
            break;
        if (row_at (self, key)->depth == depth && row_at (self, key)->total > most) {
            most = row_at (self, key)->total;
            found = i;
        }
    }
    return found;
}

static gboolean
is_folded (PvTreeModel *self, const PvTreeRow *row)
{
    return row->node != PV_NODE_NONE && pv_call_tree_count_folded (self->tree, row->node) > 0;
}

static gboolean
is_awaited (PvTreeModel *self, uint32_t key)
{
    for (unsigned i = 0; i < self->wanted->len; i++)
        if (g_array_index (self->wanted, uint32_t, i) == key)
            return TRUE;
    return FALSE;
}

/* One level down. Returns the next position, or the same where the path ends or its children are
 * still to come: then hot_key is set. While the list is frozen. */
static uint32_t
go_down (PvTreeModel *self, uint32_t position)
{
    uint32_t key = pv_row_model_get_key (self->list, position), child;
    uint64_t total = row_at (self, key)->total;

    if (!row_at (self, key)->has_children || is_folded (self, row_at (self, key)))
        return position;
    pv_tree_model_expand (self, position);
    if (is_awaited (self, key)) {
        self->hot_key = key;
        return position;
    }
    child = find_heaviest (self, position);
    if (child == G_MAXUINT32)
        return position;
    key = pv_row_model_get_key (self->list, child);
    return row_at (self, key)->total >= total - total / 2 && !is_folded (self, row_at (self, key))
               ? child
               : position;
}

static void
follow_hot_path (PvTreeModel *self, uint32_t position)
{
    self->hot_key = G_MAXUINT32;
    pv_row_model_freeze (self->list);
    for (unsigned i = 0; i < MAX_HOT_DEPTH && self->hot_key == G_MAXUINT32; i++) {
        uint32_t next = go_down (self, position);
        if (next == position)
            break;
        position = next;
    }
    pv_row_model_thaw (self->list);
    if (self->hot_key == G_MAXUINT32)
        self->events->hot_path_found (self->user, position);
}

/* Meanwhile the row may have been collapsed, or hidden with a parent. */
static void
go_on_hot (PvTreeModel *self)
{
    uint32_t position = pv_row_model_find (self->list, self->hot_key);

    if (position != G_MAXUINT32 && row_at (self, self->hot_key)->is_expanded)
        follow_hot_path (self, position);
    else
        self->hot_key = G_MAXUINT32;
}

void
pv_tree_model_expand_hot_path (PvTreeModel *self, uint32_t position)
{
    g_assert (self != NULL);
    if (position == G_MAXUINT32)
        position = find_heaviest (self, position);
    if (position < pv_row_model_get_n_rows (self->list) &&
        pv_row_model_get_key (self->list, position) < self->rows->len)
        follow_hot_path (self, position);
}

/* While the list is frozen. */
static uint32_t
reveal (PvTreeModel *self, PvNodeId node)
{
    g_autoptr (GArray) path = g_array_new (FALSE, FALSE, sizeof (PvNodeId));
    uint32_t position = 0;

    if (self->tree == NULL || self->is_bottom_up || node == 0 || node >= self->tree->n_nodes)
        return G_MAXUINT32;
    for (; node != 0; node = self->tree->parent_of_node[node])
        g_array_append_val (path, node);
    for (unsigned i = path->len; i-- > 0;) {
        PvNodeId wanted = g_array_index (path, PvNodeId, i);
        uint32_t n_rows = pv_row_model_get_n_rows (self->list);
        while (position < n_rows &&
               row_at (self, pv_row_model_get_key (self->list, position))->node != wanted)
            position++;
        if (position >= n_rows)
            return G_MAXUINT32;
        if (i > 0)
            pv_tree_model_expand (self, position);
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

/* Nodes of the old tree whose rows are expanded. */
static GArray *
collect_expanded (PvTreeModel *self)
{
    GArray *nodes = g_array_new (FALSE, FALSE, sizeof (PvNodeId));
    uint32_t n_rows = pv_row_model_get_n_rows (self->list);

    for (uint32_t i = 0; i < n_rows; i++) {
        const PvTreeRow *row = row_at (self, pv_row_model_get_key (self->list, i));
        if (row->is_expanded)
            g_array_append_val (nodes, row->node);
    }
    return nodes;
}

static void
expand_again (PvTreeModel *self, const PvCallTree *old, const GArray *nodes)
{
    for (unsigned i = 0; i < nodes->len; i++) {
        PvNodeId node =
            pv_call_tree_translate (old, g_array_index (nodes, PvNodeId, i), self->tree);
        uint32_t position;
        if (node == PV_NODE_NONE)
            continue;
        position = reveal (self, node);
        if (position != G_MAXUINT32)
            pv_tree_model_expand (self, position);
    }
}

/* What is open at first. */
static void
expand_top (PvTreeModel *self)
{
    uint32_t position = 0;

    for (unsigned i = 0; i < MAX_OPEN_DEPTH; i++) {
        const PvTreeRow *row;
        if (position >= pv_row_model_get_n_rows (self->list))
            return;
        row = row_at (self, pv_row_model_get_key (self->list, position));
        if (row->total < self->tree->total[0] / 2)
            return;
        pv_tree_model_expand (self, position++);
    }
}

void
pv_tree_model_set_tree (PvTreeModel *self, const PvCallTree *tree, bool is_bottom_up)
{
    PvCallTree *old = self->tree;
    bool is_refinement = old != NULL && !is_bottom_up && !self->is_bottom_up;
    g_autoptr (GArray) expanded = is_refinement ? collect_expanded (self) : NULL;

    g_assert (self != NULL && tree != NULL);
    pv_task_cancel (self->task);
    g_array_set_size (self->wanted, 0);
    self->hot_key = G_MAXUINT32;
    pv_clear_later (&self->lazy, lazy_unref);
    g_array_set_size (self->rows, 0);
    self->tree = pv_call_tree_ref (tree);
    self->is_bottom_up = is_bottom_up;
    if (is_bottom_up) {
        self->lazy = g_atomic_rc_box_new0 (LazyBottomUp);
        self->lazy->tree = pv_call_tree_ref (tree);
        want_children (self, G_MAXUINT32);
    } else {
        pv_row_model_freeze (self->list);
        pv_row_model_set (self->list, NULL, 0);
        insert_children (self, 0, 0, G_MAXUINT32, 0);
        if (is_refinement)
            expand_again (self, old, expanded);
        else
            expand_top (self);
        pv_row_model_thaw (self->list);
    }
    pv_clear_later (&old, pv_call_tree_free);
}

const PvTreeRow *
pv_tree_model_get_row (PvTreeModel *self, uint32_t key)
{
    return key < self->rows->len ? row_at (self, key) : NULL;
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
    self->rows = g_array_new (FALSE, FALSE, sizeof (PvTreeRow));
    self->wanted = g_array_new (FALSE, FALSE, sizeof (uint32_t));
    self->hot_key = G_MAXUINT32;
    self->task =
        pv_task_new (self, expand_bottom_up, expand_input_free, children_free, on_children);
    return self;
}

void
pv_tree_model_free (PvTreeModel *self)
{
    pv_task_close (self->task);
    pv_clear_later (&self->lazy, lazy_unref);
    pv_clear_later (&self->tree, pv_call_tree_free);
    g_object_unref (self->list);
    g_array_unref (self->rows);
    g_array_unref (self->wanted);
    g_free (self);
}
