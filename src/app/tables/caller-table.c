/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/tables/caller-table.h"

#include <glib/gi18n.h>

#include "app/tables/column-set.h"
#include "app/tables/search-mark.h"
#include "app/tables/table-columns.h"
#include "app/widgets/amount-cell.h"
#include "app/widgets/text-cell.h"
#include "app/work/work.h"

static const PvFunctionField fields[] = {PV_FIELD_NAME, PV_FIELD_TOTAL, PV_FIELD_MODULE,
                                         PV_FIELD_PLACE};

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
    GtkColumnViewColumn *columns[G_N_ELEMENTS (fields)];
    Callers *callers;
    PvFunctionField field;
    gboolean is_descending;
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

/* Order */

/* What is known of no function comes last, as what has no place. */
uint32_t *
pv_callers_sort (const PvCallTree *tree, const PvCaller *callers, uint32_t n, PvFunctionField field,
                 gboolean is_descending)
{
    g_autofree PvSortKey *sorted = g_new0 (PvSortKey, MAX (n, 1));
    g_autoptr (GStringChunk) texts = g_string_chunk_new (256);
    uint32_t *places = g_new (uint32_t, MAX (n, 1));

    g_assert ((tree != NULL && callers != NULL) || n == 0);
    for (uint32_t i = 0; i < n; i++) {
        sorted[i].key = i;
        if (!pv_function_field_has_words (field))
            sorted[i].amount = (uint64_t)ABS (callers[i].net);
        else if (callers[i].function != 0)
            pv_function_add_words (&sorted[i], &tree->symbols->functions[callers[i].function],
                                   tree->profile, field, texts);
    }
    pv_sort_keys (sorted, n, is_descending);
    for (uint32_t i = 0; i < n; i++)
        places[i] = sorted[i].key;
    return places;
}

typedef struct {
    Callers *callers;
    PvFunctionField field;
    gboolean is_descending;
} OrderInput;

static void
order_input_free (gpointer data)
{
    OrderInput *input = data;
    callers_unref (input->callers);
    g_free (input);
}

static gpointer
build_order (gpointer data, PvJob *job, GError **error)
{
    const OrderInput *input = data;

    (void)job, (void)error;
    return pv_callers_sort (input->callers->tree, input->callers->callers, input->callers->n,
                            input->field, input->is_descending);
}

static void
on_order (gpointer owner, gpointer result, const GError *error)
{
    PvCallerTable *self = owner;

    pv_row_model_reorder (self->model, result, self->callers->n);
    g_free (result);
}

/* The rows are there, in another order. */
static void
request_order (PvCallerTable *self)
{
    OrderInput *input;

    pv_task_cancel (self->order_task);
    if (self->callers->n <= PV_SORT_MAX_AT_ONCE) {
        g_autofree uint32_t *places =
            pv_callers_sort (self->callers->tree, self->callers->callers, self->callers->n,
                             self->field, self->is_descending);
        pv_row_model_reorder (self->model, places, self->callers->n);
        return;
    }
    input = g_new (OrderInput, 1);
    *input =
        (OrderInput){g_atomic_rc_box_acquire (self->callers), self->field, self->is_descending};
    pv_task_start (self->order_task, input);
}

static void
on_sort_changed (PvCallerTable *self)
{
    GtkColumnViewColumn *column = pv_row_table_get_sorted (self->table, &self->is_descending);

    for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
        if (self->columns[i] == column)
            self->field = fields[i];
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
bind_name (gpointer owner, GtkWidget *cell, uint32_t key)
{
    PvCallerTable *self = owner;
    const PvCaller *caller = get_caller (self, key);
    const PvFunction *function = get_function (self, key);
    const char *text = function != NULL ? function->label
                       : caller != NULL ? _ ("(start of the stack)")
                                        : NULL;

    pv_text_cell_set_text (PV_TEXT_CELL (cell), text);
    pv_search_mark (cell, self->document, caller != NULL ? caller->function : 0);
}

static const char *
get_tip (gpointer owner, uint32_t key)
{
    const PvFunction *function = get_function (owner, key);

    return function != NULL ? function->name : NULL;
}

static void
bind_weight (gpointer owner, GtkWidget *cell, uint32_t key)
{
    PvCallerTable *self = owner;
    const PvCaller *caller = get_caller (self, key);
    const PvFunctionColumn column = {PV_FIELD_TOTAL, PV_MEASURE_SHOWN, NULL};

    if (caller != NULL)
        pv_function_column_show (column, self->callers->tree, PV_AMOUNT_CELL (cell), caller->net,
                                 self->callers->total);
    else
        pv_amount_cell_clear (PV_AMOUNT_CELL (cell));
}

static void
bind_words (gpointer owner, GtkWidget *cell, uint32_t key, guint field)
{
    PvCallerTable *self = owner;
    const PvFunction *function = get_function (self, key);
    g_autofree char *text =
        function != NULL
            ? pv_function_make_text (function, self->callers->tree->profile, (PvFunctionField)field)
            : NULL;

    pv_text_cell_set_text (PV_TEXT_CELL (cell), text);
}

static void
on_activated (PvCallerTable *self, guint position)
{
    const PvCaller *caller = get_caller (self, pv_row_model_get_key (self->model, position));

    if (caller != NULL && caller->function != 0)
        pv_document_select_function (self->document, caller->function);
}

static gboolean
has_net (const Callers *callers)
{
    const PvFunctionColumn column = {PV_FIELD_TOTAL, PV_MEASURE_SHOWN, NULL};

    return callers->tree != NULL && pv_function_column_get_pair (column, callers->tree) != NULL;
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
    /* By weight, as they come, unless the user wants another order. */
    if (self->field != PV_FIELD_TOTAL || !self->is_descending || has_net (self->callers))
        request_order (self);
}

void
pv_caller_table_update_marks (PvCallerTable *self)
{
    g_assert (PV_IS_CALLER_TABLE (self));
    pv_row_table_update_column (self->table, self->columns[0]);
}

/* Object */

static void
pv_caller_table_dispose (GObject *object)
{
    PvCallerTable *self = PV_CALLER_TABLE (object);

    g_clear_pointer (&self->order_task, pv_task_close);
    g_clear_object (&self->table);
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
    self->field = PV_FIELD_TOTAL;
    self->is_descending = TRUE;
    self->order_task = pv_task_new (self, build_order, order_input_free, g_free, on_order);
}

static void
add_columns (PvCallerTable *self, const char *title)
{
    PvRowTable *table = self->table;

    self->columns[0] = pv_row_table_add (table, PV_COLUMN_TEXT, title, 0, NULL, bind_name);
    pv_row_table_set_id (table, self->columns[0], "name", TRUE);
    self->columns[1] =
        pv_row_table_add (table, PV_COLUMN_AMOUNT, _ ("Share"), 160, NULL, bind_weight);
    pv_row_table_set_id (table, self->columns[1], "share", TRUE);
    self->columns[2] = pv_row_table_add_numbered (table, PV_COLUMN_TEXT, _ ("Module"), 96,
                                                  bind_words, PV_FIELD_MODULE);
    pv_row_table_set_id (table, self->columns[2], "module", FALSE);
    self->columns[3] = pv_row_table_add_numbered (table, PV_COLUMN_TEXT, _ ("File and line"), 96,
                                                  bind_words, PV_FIELD_PLACE);
    pv_row_table_set_id (table, self->columns[3], "place", FALSE);
    for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
        pv_row_table_make_sortable (table, self->columns[i]);
}

PvCallerTable *
pv_caller_table_new (GtkColumnView *view, PvDocument *document, const char *title, const char *key)
{
    PvCallerTable *self = g_object_new (PV_TYPE_CALLER_TABLE, NULL);

    g_assert (PV_IS_DOCUMENT (document) && title != NULL && key != NULL);
    self->document = g_object_ref (document);
    self->table = pv_row_table_new (view, self->model, self);
    add_columns (self, title);
    pv_row_table_set_tip_func (self->table, get_tip);
    pv_row_table_finish (self->table, FALSE);
    pv_table_columns_add (self->table, key, NULL);
    gtk_column_view_sort_by_column (view, self->columns[1], GTK_SORT_DESCENDING);
    g_signal_connect_object (self->table, "sort-changed", G_CALLBACK (on_sort_changed), self,
                             G_CONNECT_SWAPPED);
    g_signal_connect_object (view, "activate", G_CALLBACK (on_activated), self, G_CONNECT_SWAPPED);
    return self;
}
