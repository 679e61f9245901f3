/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/tables/caller-table.h"

#include <glib/gi18n.h>

#include "app/tables/column-set.h"
#include "app/tables/search-mark.h"
#include "app/tables/table-columns.h"
#include "app/widgets/setup.h"
#include "app/widgets/text-cell.h"
#include "app/work/settings.h"
#include "app/work/work.h"
#include "core/analyze/renames/renames.h"

/* Immutable and reference counted; any thread. */
typedef struct {
    PvCallTree *tree; /* or NULL */
    uint32_t n;
    PvCaller *callers;
    uint64_t total;
} Callers;

struct _PvCallerTable {
    GObject parent;

    PvDocument *document;
    PvRowModel *model; /* keys are places in the array */
    PvRowTable *table;
    PvColumnSet *columns;
    Callers *callers;
    PvTask *order_task;
};

G_DEFINE_FINAL_TYPE (PvCallerTable, pv_caller_table, G_TYPE_OBJECT)

static void
callers_clear (gpointer data)
{
    Callers *callers = data;
    g_clear_pointer (&callers->tree, pv_call_tree_free);
    g_free (callers->callers);
}

static void
callers_unref (gpointer callers)
{
    g_atomic_rc_box_release_full (callers, callers_clear);
}

static Callers *
callers_new (const PvCallTree *tree, const PvCaller *callers, uint32_t n, uint64_t total)
{
    Callers *copy = g_atomic_rc_box_new0 (Callers);

    copy->tree = tree != NULL ? pv_call_tree_ref (tree) : NULL;
    copy->n = n;
    copy->callers = g_memdup2 (callers, n * sizeof (PvCaller));
    copy->total = total;
    return copy;
}

static void
fill_row (PvRow *row, const PvCallTree *tree, const PvCaller *caller, uint64_t total)
{
    pv_row_init_from_tree (row, tree, caller->function);
    row->total = caller->weight;
    row->whole = total;
    row->n_calls = caller->n_calls;
    row->has_own_changes = true;
    row->total_change = (PvChange){.base = caller->base,
                                   .newer = caller->base + (uint64_t)caller->net,
                                   .is_noise = caller->is_noise,
                                   .is_exact = !caller->has_interval,
                                   .low = caller->low,
                                   .high = caller->high};
}

/* A PvGetRowFunc. */
static bool
get_row (gconstpointer data, uint32_t key, PvRow *ret_row)
{
    const Callers *callers = data;

    if (key >= callers->n)
        return false;
    fill_row (ret_row, callers->tree, &callers->callers[key], callers->total);
    return true;
}

/* Order */

uint32_t *
pv_callers_sort (const PvCallTree *tree, const PvCaller *callers, uint32_t n,
                 const PvColumn *column, gboolean is_descending, gboolean hides_noise,
                 uint32_t *ret_n)
{
    const Callers all = {(PvCallTree *)tree, n, (PvCaller *)callers, 0};
    uint32_t *places = g_new (uint32_t, MAX (n, 1));

    g_assert ((tree != NULL && callers != NULL) || n == 0);
    *ret_n = 0;
    for (uint32_t i = 0; i < n; i++)
        if (!hides_noise || !callers[i].is_noise)
            places[(*ret_n)++] = i;
    pv_column_sort (column, is_descending, get_row, &all, places, *ret_n);
    return places;
}

typedef struct {
    Callers *callers;
    PvColumn column;
    gboolean is_descending;
    gboolean hides_noise;
} OrderInput;

typedef struct {
    uint32_t n;
    uint32_t *places;
} Order;

static void
order_input_free (gpointer data)
{
    OrderInput *input = data;
    callers_unref (input->callers);
    pv_column_clear (&input->column);
    g_free (input);
}

static void
order_free (gpointer data)
{
    Order *order = data;
    g_free (order->places);
    g_free (order);
}

static gpointer
build_order (gpointer data, PvJob *job, GError **error)
{
    const OrderInput *input = data;
    Order *order = g_new0 (Order, 1);

    (void)job, (void)error;
    order->places =
        pv_callers_sort (input->callers->tree, input->callers->callers, input->callers->n,
                         &input->column, input->is_descending, input->hides_noise, &order->n);
    return order;
}

/* The set of rows changes only when rows are hidden or shown again. */
static void
show_order (PvCallerTable *self, const uint32_t *places, uint32_t n)
{
    gboolean had_focus = pv_row_table_has_focus (self->table);

    if (n == pv_row_model_get_n_rows (self->model)) {
        pv_row_model_reorder (self->model, places, n);
        return;
    }
    pv_row_model_set (self->model, places, n);
    /* Without rows it is the table's, whose keys bring them back. */
    if (had_focus)
        pv_row_table_keep_focus (self->table);
}

static gboolean
hides_noise (PvCallerTable *self)
{
    return self->callers->tree != NULL && pv_tree_has_changes (self->callers->tree) &&
           g_settings_get_boolean (pv_settings_get (), "noise-hidden");
}

static void
on_order (gpointer owner, gpointer result, const GError *error)
{
    PvCallerTable *self = owner;
    Order *order = result;

    show_order (self, order->places, order->n);
    order_free (order);
}

static void
request_order (PvCallerTable *self)
{
    gboolean is_descending;
    PvColumn column = pv_column_set_copy_sorted (self->columns, &is_descending);
    OrderInput *input;

    pv_task_cancel (self->order_task);
    if (self->callers->n <= PV_SORT_MAX_AT_ONCE) {
        uint32_t n;
        g_autofree uint32_t *places =
            pv_callers_sort (self->callers->tree, self->callers->callers, self->callers->n, &column,
                             is_descending, hides_noise (self), &n);
        show_order (self, places, n);
        pv_column_clear (&column);
        return;
    }
    input = g_new (OrderInput, 1);
    *input = (OrderInput){g_atomic_rc_box_acquire (self->callers), column, is_descending,
                          hides_noise (self)};
    pv_task_start (self->order_task, input);
}

static void
on_sort_changed (PvCallerTable *self)
{
    request_order (self);
    if (self->callers->n > 0)
        pv_row_table_scroll_to (self->table, 0, FALSE);
}

/* Cells */

/* NULL: there is no such row. */
static const PvCaller *
get_caller (PvCallerTable *self, uint32_t key)
{
    return key < self->callers->n ? &self->callers->callers[key] : NULL;
}

static const PvFunction *
get_function (PvCallerTable *self, uint32_t key)
{
    const PvCaller *caller = get_caller (self, key);

    return caller != NULL && caller->function != 0
               ? &self->callers->tree->symbols->functions[caller->function]
               : NULL;
}

static void
bind_name (gpointer owner, GtkWidget *cell, uint32_t key, guint number)
{
    PvCallerTable *self = owner;
    const PvCaller *caller = get_caller (self, key);
    const PvFunction *function = get_function (self, key);
    const char *text = function != NULL ? function->label
                       : caller != NULL ? _ ("(start of the stack)")
                                        : NULL;

    pv_text_cell_set_text (PV_TEXT_CELL (cell), text);
    pv_noise_show (cell, caller != NULL && caller->is_noise);
    pv_search_mark (cell, self->document, caller != NULL ? caller->function : 0);
}

static char *
get_tip (gpointer owner, uint32_t key)
{
    PvCallerTable *self = owner;
    const PvCaller *caller = get_caller (self, key);

    return caller != NULL ? pv_renames_make_tip (self->callers->tree->symbols, caller->function)
                          : NULL;
}

/* A PvGetRowFunc for the column set. */
static bool
get_owner_row (gconstpointer owner, uint32_t key, PvRow *ret_row)
{
    return get_row (((const PvCallerTable *)owner)->callers, key, ret_row);
}

static void
on_activated (PvCallerTable *self, guint position)
{
    const PvCaller *caller = get_caller (self, pv_row_model_get_key (self->model, position));

    if (caller != NULL && caller->function != 0)
        pv_document_select_function (self->document, caller->function);
}

/* By weight, heaviest first: the order in which the rows come. */
static gboolean
is_usual_order (PvCallerTable *self)
{
    static const PvColumn weight = {PV_COLUMN_TOTAL, PV_SHOW_AMOUNT, PV_MEASURE_SHOWN, NULL};
    gboolean is_descending, is_weight;
    PvColumn column = pv_column_set_copy_sorted (self->columns, &is_descending);

    is_weight = pv_column_is_same (&column, &weight);
    pv_column_clear (&column);
    return is_weight && is_descending && !hides_noise (self) &&
           (self->callers->tree == NULL ||
            pv_column_get_pair (&weight, self->callers->tree->profile,
                                self->callers->tree->query.measure) == NULL);
}

static gboolean
has_noise (const Callers *callers)
{
    for (uint32_t i = 0; i < callers->n; i++)
        if (callers->callers[i].is_noise)
            return TRUE;
    return FALSE;
}

static void
on_noise_hidden (PvCallerTable *self)
{
    request_order (self);
}

void
pv_caller_table_set (PvCallerTable *self, const PvCallTree *tree, const PvCaller *callers,
                     uint32_t n, uint64_t total)
{
    g_assert (PV_IS_CALLER_TABLE (self));
    g_assert ((tree != NULL && callers != NULL) || n == 0);
    pv_task_cancel (self->order_task);
    pv_clear_later (&self->callers, callers_unref);
    self->callers = callers_new (tree, callers, n, total);
    pv_row_model_set (self->model, NULL, n);
    if (tree != NULL)
        pv_column_set_update (self->columns, tree);
    pv_table_columns_set_noise (self->table, has_noise (self->callers));
    if (!is_usual_order (self))
        request_order (self);
}

void
pv_caller_table_update_marks (PvCallerTable *self)
{
    g_assert (PV_IS_CALLER_TABLE (self));
    pv_row_table_update_column (self->table, pv_column_set_get_column (self->columns, 0));
}

/* Object */

static void
pv_caller_table_dispose (GObject *object)
{
    PvCallerTable *self = PV_CALLER_TABLE (object);

    g_clear_pointer (&self->order_task, pv_task_close);
    g_clear_object (&self->table);
    g_clear_pointer (&self->columns, pv_column_set_free);
    g_clear_object (&self->model);
    g_clear_object (&self->document);
    pv_clear_later (&self->callers, callers_unref);
    G_OBJECT_CLASS (pv_caller_table_parent_class)->dispose (object);
}

static void
pv_caller_table_class_init (PvCallerTableClass *class)
{
    G_OBJECT_CLASS (class)->dispose = pv_caller_table_dispose;
}

static void
pv_caller_table_init (PvCallerTable *self)
{
    self->model = pv_row_model_new ();
    self->callers = callers_new (NULL, NULL, 0, 0);
    self->order_task = pv_task_new (self, build_order, order_input_free, order_free, on_order);
    pv_connect (pv_settings_get (), "changed::noise-hidden", on_noise_hidden, self);
}

PvCallerTable *
pv_caller_table_new (GtkColumnView *view, PvDocument *document, const char *title, const char *key)
{
    PvCallerTable *self = g_object_new (PV_TYPE_CALLER_TABLE, NULL);

    g_assert (PV_IS_DOCUMENT (document) && title != NULL && key != NULL);
    self->document = g_object_ref (document);
    self->table = pv_row_table_new (view, self->model, self);
    self->columns = pv_column_set_new (self->table, PV_TABLE_CALLERS, title, NULL, bind_name,
                                       get_owner_row, self);
    pv_row_table_set_tip_func (self->table, get_tip);
    pv_row_table_finish (self->table, FALSE);
    pv_table_columns_add (self->table, key, NULL);
    gtk_column_view_sort_by_column (
        view, pv_column_set_find_kind (self->columns, PV_COLUMN_TOTAL, PV_SHOW_AMOUNT),
        GTK_SORT_DESCENDING);
    pv_connect (self->table, "sort-changed", on_sort_changed, self);
    pv_connect (view, "activate", on_activated, self);
    return self;
}
