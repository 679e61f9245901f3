/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/tables/caller-table.h"

#include <glib/gi18n.h>

#include "app/tables/column-set.h"
#include "app/tables/search-mark.h"
#include "app/tables/table-columns.h"
#include "app/widgets/amount-cell.h"
#include "app/widgets/text-cell.h"
#include "app/work/settings.h"
#include "app/work/work.h"
#include "core/analyze/tables/known-totals.h"

/* The changes are those of comparisons, which have no shares. */
static const PvFunctionColumn kinds[] = {
    {PV_FIELD_NAME, PV_MEASURE_SHOWN, NULL, PV_CHANGE_NONE},
    {PV_FIELD_TOTAL, PV_MEASURE_SHOWN, NULL, PV_CHANGE_NONE},
    {PV_FIELD_CALLS, PV_MEASURE_SHOWN, NULL, PV_CHANGE_NONE},
    {PV_FIELD_TOTAL, PV_MEASURE_SHOWN, NULL, PV_CHANGE_DELTA},
    {PV_FIELD_TOTAL, PV_MEASURE_SHOWN, NULL, PV_CHANGE_PERCENT},
    {PV_FIELD_TOTAL, PV_MEASURE_SHOWN, NULL, PV_CHANGE_BASE},
    {PV_FIELD_TOTAL, PV_MEASURE_SHOWN, NULL, PV_CHANGE_NEW},
    {PV_FIELD_MODULE, PV_MEASURE_SHOWN, NULL, PV_CHANGE_NONE},
    {PV_FIELD_PLACE, PV_MEASURE_SHOWN, NULL, PV_CHANGE_NONE},
};

enum { COLUMN_NAME, COLUMN_SHARE, COLUMN_CALLS, COLUMN_CHANGE };

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
    GtkColumnViewColumn *columns[G_N_ELEMENTS (kinds)];
    Callers *callers;
    guint sort; /* a place in kinds */
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

static PvChange
get_change (const PvCaller *caller)
{
    return (PvChange){caller->base, caller->base + (uint64_t)caller->net, caller->is_noise};
}

/* Order */

/* Rows without a function come last, like rows without a place. */
uint32_t *
pv_callers_sort (const PvCallTree *tree, const PvCaller *callers, uint32_t n,
                 PvFunctionColumn column, gboolean is_descending, gboolean hides_noise,
                 uint32_t *ret_n)
{
    uint32_t n_sorted = 0;
    g_autofree PvSortKey *sorted = g_new0 (PvSortKey, MAX (n, 1));
    g_autoptr (GStringChunk) texts = g_string_chunk_new (256);
    uint32_t *places = g_new (uint32_t, MAX (n, 1));

    g_assert ((tree != NULL && callers != NULL) || n == 0);
    for (uint32_t i = 0; i < n; i++) {
        PvSortKey *key = &sorted[n_sorted];
        if (hides_noise && callers[i].is_noise)
            continue;
        n_sorted++;
        key->key = i;
        if (column.change != PV_CHANGE_NONE)
            key->amount = pv_change_order (get_change (&callers[i]), column.change);
        else if (column.field == PV_FIELD_CALLS)
            /* PV_AMOUNT_UNKNOWN sorts below 0. */
            key->amount = callers[i].n_calls + 1;
        else if (!pv_function_field_has_words (column.field))
            key->amount = (uint64_t)ABS (callers[i].net);
        else if (callers[i].function != 0)
            pv_function_add_words (key, &tree->symbols->functions[callers[i].function],
                                   tree->profile, column.field, texts);
    }
    pv_sort_keys (sorted, n_sorted, is_descending);
    for (uint32_t i = 0; i < n_sorted; i++)
        places[i] = sorted[i].key;
    *ret_n = n_sorted;
    return places;
}

typedef struct {
    Callers *callers;
    PvFunctionColumn column;
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
                         input->column, input->is_descending, input->hides_noise, &order->n);
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
    OrderInput *input;

    pv_task_cancel (self->order_task);
    if (self->callers->n <= PV_SORT_MAX_AT_ONCE) {
        uint32_t n;
        g_autofree uint32_t *places =
            pv_callers_sort (self->callers->tree, self->callers->callers, self->callers->n,
                             kinds[self->sort], self->is_descending, hides_noise (self), &n);
        show_order (self, places, n);
        return;
    }
    input = g_new (OrderInput, 1);
    *input = (OrderInput){g_atomic_rc_box_acquire (self->callers), kinds[self->sort],
                          self->is_descending, hides_noise (self)};
    pv_task_start (self->order_task, input);
}

static void
on_sort_changed (PvCallerTable *self)
{
    GtkColumnViewColumn *column = pv_row_table_get_sorted (self->table, &self->is_descending);

    for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
        if (self->columns[i] == column)
            self->sort = i;
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
    pv_noise_show (cell, caller != NULL && caller->is_noise);
    pv_search_mark (cell, self->document, caller != NULL ? caller->function : 0);
}

static const char *
get_tip (gpointer owner, uint32_t key)
{
    const PvFunction *function = get_function (owner, key);

    return function != NULL ? function->name : NULL;
}

static void
bind_weight (gpointer owner, GtkWidget *cell, uint32_t key, guint number)
{
    PvCallerTable *self = owner;
    const PvCaller *caller = get_caller (self, key);

    if (caller != NULL)
        pv_function_column_show (kinds[number], self->callers->tree, PV_AMOUNT_CELL (cell),
                                 caller->net, self->callers->total);
    else
        pv_amount_cell_clear (PV_AMOUNT_CELL (cell));
}

static void
bind_calls (gpointer owner, GtkWidget *cell, uint32_t key, guint number)
{
    const PvCaller *caller = get_caller (owner, key);
    g_autofree char *text = caller != NULL && caller->n_calls != PV_AMOUNT_UNKNOWN
                                ? pv_format_count (caller->n_calls)
                                : NULL;

    (void)number;
    if (text != NULL)
        pv_amount_cell_set_plain (PV_AMOUNT_CELL (cell), text);
    else
        pv_amount_cell_clear (PV_AMOUNT_CELL (cell));
}

static void
bind_change (gpointer owner, GtkWidget *cell, uint32_t key, guint number)
{
    PvCallerTable *self = owner;
    const PvCaller *caller = get_caller (self, key);

    if (caller != NULL)
        pv_change_show (get_change (caller), kinds[number].change,
                        pv_function_column_get_unit (kinds[number], self->callers->tree),
                        PV_AMOUNT_CELL (cell));
    else
        pv_amount_cell_clear (PV_AMOUNT_CELL (cell));
}

static void
bind_words (gpointer owner, GtkWidget *cell, uint32_t key, guint number)
{
    PvCallerTable *self = owner;
    const PvFunction *function = get_function (self, key);
    g_autofree char *text =
        function != NULL
            ? pv_function_make_text (function, self->callers->tree->profile, kinds[number].field)
            : NULL;

    pv_text_cell_set_text (PV_TEXT_CELL (cell), text);
    pv_noise_show (cell, get_caller (self, key) != NULL && get_caller (self, key)->is_noise);
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
    return callers->tree != NULL &&
           pv_function_column_get_pair (kinds[COLUMN_SHARE], callers->tree) != NULL;
}

static void
update_columns (PvCallerTable *self)
{
    gboolean has_changes = self->callers->tree != NULL && pv_tree_has_changes (self->callers->tree);
    guint other = has_changes ? COLUMN_CHANGE : COLUMN_SHARE;
    gboolean has_calls;

    if (self->callers->tree == NULL)
        return;
    has_calls =
        pv_known_calls_find (self->callers->tree->profile, &self->callers->tree->query) != NULL;
    pv_row_table_set_wanted (self->table, self->columns[COLUMN_CALLS], has_calls);
    if (self->sort == COLUMN_CALLS && !has_calls)
        gtk_column_view_sort_by_column (pv_row_table_get_view (self->table),
                                        self->columns[COLUMN_SHARE], GTK_SORT_DESCENDING);
    for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
        if (kinds[i].field == PV_FIELD_TOTAL)
            pv_row_table_set_wanted (self->table, self->columns[i],
                                     has_changes == (kinds[i].change != PV_CHANGE_NONE));
    if (kinds[self->sort].field == PV_FIELD_TOTAL &&
        has_changes != (kinds[self->sort].change != PV_CHANGE_NONE))
        gtk_column_view_sort_by_column (pv_row_table_get_view (self->table), self->columns[other],
                                        self->is_descending ? GTK_SORT_DESCENDING
                                                            : GTK_SORT_ASCENDING);
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
    update_columns (self);
    pv_table_columns_set_noise (self->table, has_noise (self->callers));
    /* By weight, as they come, unless the user wants another order. */
    if (self->sort != COLUMN_SHARE || !self->is_descending || has_net (self->callers) ||
        hides_noise (self))
        request_order (self);
}

void
pv_caller_table_update_marks (PvCallerTable *self)
{
    g_assert (PV_IS_CALLER_TABLE (self));
    pv_row_table_update_column (self->table, self->columns[COLUMN_NAME]);
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
    self->sort = COLUMN_SHARE;
    self->is_descending = TRUE;
    self->order_task = pv_task_new (self, build_order, order_input_free, order_free, on_order);
    g_signal_connect_object (pv_settings_get (), "changed::noise-hidden",
                             G_CALLBACK (on_noise_hidden), self, G_CONNECT_SWAPPED);
}

static void
add_columns (PvCallerTable *self, const char *title)
{
    static const struct {
        PvColumnKind kind;
        int width;
        const char *title;
        const char *id;
        gboolean is_chosen;
    } specs[] = {
        {PV_COLUMN_TEXT, 0, NULL, "name", TRUE},
        {PV_COLUMN_AMOUNT, 160, N_ ("Share"), "share", TRUE},
        {PV_COLUMN_FIGURE, 92, N_ ("Count"), "calls", TRUE},
        {PV_COLUMN_FIGURE, 96, N_ ("Change"), "change", TRUE},
        {PV_COLUMN_FIGURE, 84, N_ ("%"), "percent", TRUE},
        {PV_COLUMN_FIGURE, 92, N_ ("Base"), "base", TRUE},
        {PV_COLUMN_FIGURE, 92, N_ ("New"), "new", TRUE},
        {PV_COLUMN_TEXT, 96, N_ ("Module"), "module", FALSE},
        {PV_COLUMN_TEXT, 96, N_ ("File and line"), "place", FALSE},
    };
    PvRowTable *table = self->table;

    self->columns[0] = pv_row_table_add (table, PV_COLUMN_TEXT, title, 0, NULL, bind_name);
    for (guint i = 1; i < G_N_ELEMENTS (kinds); i++) {
        PvBindNumberedFunc bind = kinds[i].change != PV_CHANGE_NONE  ? bind_change
                                  : i == COLUMN_CALLS                ? bind_calls
                                  : kinds[i].field == PV_FIELD_TOTAL ? bind_weight
                                                                     : bind_words;
        self->columns[i] = pv_row_table_add_numbered (table, specs[i].kind, _ (specs[i].title),
                                                      specs[i].width, bind, i);
    }
    for (guint i = 0; i < G_N_ELEMENTS (kinds); i++) {
        pv_row_table_set_id (table, self->columns[i], specs[i].id, specs[i].is_chosen);
        pv_row_table_make_sortable (table, self->columns[i]);
        pv_row_table_set_wanted (table, self->columns[i],
                                 kinds[i].change == PV_CHANGE_NONE && i != COLUMN_CALLS);
    }
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
    gtk_column_view_sort_by_column (view, self->columns[COLUMN_SHARE], GTK_SORT_DESCENDING);
    g_signal_connect_object (self->table, "sort-changed", G_CALLBACK (on_sort_changed), self,
                             G_CONNECT_SWAPPED);
    g_signal_connect_object (view, "activate", G_CALLBACK (on_activated), self, G_CONNECT_SWAPPED);
    return self;
}
