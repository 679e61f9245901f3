/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/pages/functions-page.h"

#include <glib/gi18n.h>
#include <stdlib.h>

#include "app/pages/table-menu.h"
#include "app/widgets/amount-cell.h"
#include "app/widgets/focus.h"
#include "app/widgets/row-table.h"
#include "app/widgets/text-cell.h"
#include "app/work/work.h"
#include "core/base/format.h"

#define NARROW_WIDTH_PX 760 /* in less, callers and callees are below the list */
#define MIN_SIDE_PX     300
#define MAX_SIDE_PX     420
#define SIDE_SHARE      0.28 /* of the page, between these */
#define NS_PER_MS       1000000
#define MIN_MEDIAN_MS   10

typedef enum { SORT_NAME, SORT_SELF, SORT_TOTAL, SORT_MEDIAN, SORT_MODULE, N_SORTS } SortKey;

struct _PvFunctionsPage {
    GtkWidget parent;

    PvDocument *document;
    GtkColumnView *view;
    GtkColumnViewColumn *columns[N_SORTS];
    PvRowTable *table;
    PvRowModel *model; /* keys are indices in functions->list->rows */
    PvFunctions *functions;
    PvTask *order_task;
    SortKey sort;
    gboolean shows_top; /* the user has asked for another order, and wants to see what is first */
    gboolean is_descending;

    GtkPaned *paned;
    gboolean is_placed; /* the paned has its first position */
    GtkWidget *side;    /* callers and callees; hidden while no function is selected */
    GtkLabel *name_label;
    PvTextCell *place_cell;
    GtkColumnView *callers_view;
    GtkColumnView *callees_view;
    PvRowModel *callers; /* keys are indices in the document's callers_callees */
    PvRowModel *callees;
    PvRowTable *callers_table;
    PvRowTable *callees_table;

    gboolean is_stale;
    gboolean is_following;
};

G_DEFINE_FINAL_TYPE (PvFunctionsPage, pv_functions_page, GTK_TYPE_WIDGET)

/* Order, in a worker: a GtkSortListModel would sort 100,000 rows on the main loop */

typedef struct {
    PvFunctions *functions;
    bool *is_match; /* or NULL */
    SortKey sort;
    gboolean is_descending;
} OrderInput;

typedef struct {
    PvFunctions *functions;
    uint32_t n_keys;
    uint32_t *keys;
} Order;

static void
order_input_free (gpointer data)
{
    OrderInput *input = data;
    pv_functions_unref (input->functions);
    g_free (input->is_match);
    g_free (input);
}

static void
order_free (gpointer data)
{
    Order *order = data;
    pv_functions_unref (order->functions);
    g_free (order->keys);
    g_free (order);
}

static const char *
get_module_name (const PvCallTree *tree, PvFunctionId function)
{
    return tree->profile->modules[tree->symbols->functions[function].module].name;
}

static int
compare_amounts (uint64_t a, uint64_t b)
{
    return a < b ? -1 : a > b;
}

static int
compare_keys (const void *a, const void *b, void *user)
{
    const OrderInput *input = user;
    uint32_t key_a = *(const uint32_t *)a;
    uint32_t key_b = *(const uint32_t *)b;
    const PvFunctionRow *row_a = &input->functions->list->rows[key_a];
    const PvFunctionRow *row_b = &input->functions->list->rows[key_b];
    const PvCallTree *tree = input->functions->tree;
    int order = 0;

    switch (input->sort) {
    case SORT_NAME:
        order = g_ascii_strcasecmp (tree->symbols->functions[row_a->function].label,
                                    tree->symbols->functions[row_b->function].label);
        break;
    case SORT_SELF:
        order = compare_amounts (row_a->self, row_b->self);
        break;
    case SORT_TOTAL:
        order = compare_amounts (row_a->total, row_b->total);
        break;
    case SORT_MEDIAN:
        /* UINT64_MAX is unknown, and sorts below 0. */
        order = compare_amounts (row_a->median_ms + 1, row_b->median_ms + 1);
        break;
    case SORT_MODULE:
        order = g_ascii_strcasecmp (get_module_name (tree, row_a->function),
                                    get_module_name (tree, row_b->function));
        break;
    case N_SORTS:
        break;
    }
    if (input->is_descending)
        order = -order;
    /* Equal rows stay in the order of the list, highest self first. */
    return order != 0 ? order : key_a < key_b ? -1 : key_a > key_b;
}

static gpointer
build_order (gpointer data, PvJob *job, GError **error)
{
    OrderInput *input = data;
    const PvFunctionList *list = input->functions->list;
    Order *order = g_new0 (Order, 1);

    order->functions = pv_functions_ref (input->functions);
    order->keys = g_new (uint32_t, MAX (list->n_rows, 1));
    for (uint32_t i = 0; i < list->n_rows; i++)
        if (input->is_match == NULL || input->is_match[list->rows[i].function])
            order->keys[order->n_keys++] = i;
    qsort_r (order->keys, order->n_keys, sizeof (uint32_t), compare_keys, input);
    return order;
}

static void
request_order (PvFunctionsPage *self)
{
    const PvDocumentData *data = pv_document_get (self->document);
    OrderInput *input;

    self->is_stale = FALSE;
    if (data->functions == NULL)
        return;
    input = g_new0 (OrderInput, 1);
    input->functions = pv_functions_ref (data->functions);
    /* The list may belong to a newer tree than the search does. */
    if (data->is_match != NULL) {
        uint32_t n = data->functions->tree->symbols->n_functions;
        input->is_match = g_new0 (bool, n);
        memcpy (input->is_match, data->is_match, MIN (n, data->n_is_match) * sizeof (bool));
    }
    input->sort = self->sort;
    input->is_descending = self->is_descending;
    pv_task_start (self->order_task, input);
}

/* Selection */

/* For a moment after a reload the list has the functions before it. */
static gboolean
has_current_ids (PvFunctionsPage *self)
{
    const PvCallTree *tree = pv_document_get (self->document)->tree;
    return self->functions != NULL && tree != NULL &&
           self->functions->tree->symbols->store == tree->symbols->store;
}

static const PvFunctionRow *
get_row (PvFunctionsPage *self, uint32_t key)
{
    static const PvFunctionRow none;
    return self->functions != NULL && key < self->functions->list->n_rows
               ? &self->functions->list->rows[key]
               : &none;
}

static void
follow_document (PvFunctionsPage *self)
{
    const PvDocumentData *data = pv_document_get (self->document);
    uint32_t selected = pv_row_table_get_selected_key (self->table);
    uint32_t n_rows = pv_row_model_get_n_rows (self->model);
    guint position = GTK_INVALID_LIST_POSITION;

    if (!has_current_ids (self))
        return;
    if (selected != G_MAXUINT32 && get_row (self, selected)->function == data->function)
        return;
    for (uint32_t i = 0; i < n_rows && position == GTK_INVALID_LIST_POSITION; i++) {
        uint32_t key = pv_row_model_get_key (self->model, i);
        if (data->function != 0 && self->functions->list->rows[key].function == data->function)
            position = i;
    }
    /* A row that is not in the list model yet is selected when that is filled. */
    if (position >= g_list_model_get_n_items (G_LIST_MODEL (self->model)))
        position = GTK_INVALID_LIST_POSITION;
    self->is_following = TRUE;
    pv_row_table_select (self->table, position);
    self->is_following = FALSE;
    if (self->shows_top && n_rows > 0)
        pv_row_table_scroll_to (self->table, 0, FALSE);
    else if (position != GTK_INVALID_LIST_POSITION)
        pv_row_table_scroll_to (self->table, position, pv_row_table_has_focus (self->table));
}

static void
on_order (gpointer owner, gpointer result, const GError *error)
{
    PvFunctionsPage *self = owner;
    Order *order = result;
    gboolean had_focus = pv_row_table_has_focus (self->table);

    if (order == NULL)
        return;
    self->is_following = TRUE;
    pv_row_table_select (self->table, GTK_INVALID_LIST_POSITION);
    pv_clear_later (&self->functions, pv_functions_unref);
    self->functions = pv_functions_ref (order->functions);
    pv_row_model_set (self->model, order->keys, order->n_keys);
    self->is_following = FALSE;
    pv_free_later (order, order_free);
    follow_document (self);
    self->shows_top = FALSE;
    if (had_focus)
        pv_row_table_keep_focus (self->table);
}

static void
on_selected (PvFunctionsPage *self)
{
    PvFunctionId function = get_row (self, pv_row_table_get_selected_key (self->table))->function;

    if (!self->is_following && function != 0 && has_current_ids (self))
        pv_document_select_function (self->document, function);
}

static void
on_activated (PvFunctionsPage *self)
{
    const PvDocumentData *data = pv_document_get (self->document);

    if (data->selected == PV_NODE_NONE)
        return;
    pv_document_zoom (self->document, data->selected);
    gtk_widget_activate_action (GTK_WIDGET (self), "win.page", "s", "flame");
}

void
pv_functions_page_select_match (PvFunctionsPage *self, gboolean forward)
{
    uint32_t n_rows = MIN (g_list_model_get_n_items (G_LIST_MODEL (self->model)),
                           pv_row_model_get_n_rows (self->model));
    guint position = pv_row_table_get_selected (self->table);

    g_assert (PV_IS_FUNCTIONS_PAGE (self));
    if (n_rows == 0)
        return;
    if (position == GTK_INVALID_LIST_POSITION)
        position = forward ? n_rows - 1 : 0;
    position = (position + (forward ? 1 : n_rows - 1)) % n_rows;
    pv_row_table_select (self->table, position);
    /* The keyboard goes on from the selected row. */
    pv_row_table_scroll_to (self->table, position, pv_row_table_has_focus (self->table));
}

/* Cells */

static void
bind_name (gpointer owner, GtkWidget *cell, uint32_t key)
{
    PvFunctionsPage *self = owner;
    const PvSymbolTable *symbols = self->functions->tree->symbols; /* function 0 has no name */
    const PvFunction *function = &symbols->functions[get_row (self, key)->function];

    pv_text_cell_set_text (PV_TEXT_CELL (cell), function->label);
}

static const char *
get_tip (gpointer owner, uint32_t key)
{
    PvFunctionsPage *self = owner;
    const PvFunctionRow *row = get_row (self, key);

    return row->function != 0 ? self->functions->tree->symbols->functions[row->function].name
                              : NULL;
}

static void
bind_module (gpointer owner, GtkWidget *cell, uint32_t key)
{
    PvFunctionsPage *self = owner;

    pv_text_cell_set_text (PV_TEXT_CELL (cell),
                           get_module_name (self->functions->tree, get_row (self, key)->function));
}

static int
get_unit (const PvCallTree *tree)
{
    return (int)tree->profile->measures[tree->query.measure].unit;
}

static void
bind_self (gpointer owner, GtkWidget *cell, uint32_t key)
{
    PvFunctionsPage *self = owner;
    const PvCallTree *tree = self->functions->tree;

    if (get_row (self, key)->function == 0)
        pv_amount_cell_clear (PV_AMOUNT_CELL (cell));
    else
        pv_amount_cell_set (PV_AMOUNT_CELL (cell), get_row (self, key)->self, tree->total[0],
                            get_unit (tree));
}

static void
bind_total (gpointer owner, GtkWidget *cell, uint32_t key)
{
    PvFunctionsPage *self = owner;
    const PvCallTree *tree = self->functions->tree;

    if (get_row (self, key)->function == 0)
        pv_amount_cell_clear (PV_AMOUNT_CELL (cell));
    else
        pv_amount_cell_set (PV_AMOUNT_CELL (cell), get_row (self, key)->total, tree->total[0],
                            get_unit (tree));
}

static void
bind_median (gpointer owner, GtkWidget *cell, uint32_t key)
{
    const PvFunctionRow *row = get_row (owner, key);

    if (row->function == 0 || row->median_ms > UINT64_MAX / NS_PER_MS) {
        pv_amount_cell_clear (PV_AMOUNT_CELL (cell));
    } else {
        /* Traces have a time stamp every ten milliseconds or so. */
        g_autofree char *text = row->median_ms >= MIN_MEDIAN_MS
                                    ? pv_format_amount (row->median_ms * NS_PER_MS, PV_UNIT_NS)
                                    : g_strdup (_ ("under 10 ms"));
        pv_amount_cell_set_plain (PV_AMOUNT_CELL (cell), text);
    }
}

/* Callers and callees */

static const PvCaller *
get_caller (PvFunctionsPage *self, uint32_t key)
{
    const PvCallersCallees *both = pv_document_get (self->document)->callers_callees;

    return both != NULL && key < both->n_callers ? &both->callers[key] : NULL;
}

static const PvCaller *
get_callee (PvFunctionsPage *self, uint32_t key)
{
    const PvCallersCallees *both = pv_document_get (self->document)->callers_callees;

    return both != NULL && key < both->n_callees ? &both->callees[key] : NULL;
}

/* other may be NULL. */
static void
show_name (PvFunctionsPage *self, GtkWidget *cell, const PvCaller *other)
{
    const PvDocumentData *data = pv_document_get (self->document);
    const char *text = NULL;

    if (other != NULL)
        text = other->function != 0 ? data->tree->symbols->functions[other->function].label
                                    : _ ("(start of the stack)");
    pv_text_cell_set_text (PV_TEXT_CELL (cell), text);
}

static const char *
get_name_tip (PvFunctionsPage *self, const PvCaller *other)
{
    return other != NULL && other->function != 0
               ? pv_document_get (self->document)->tree->symbols->functions[other->function].name
               : NULL;
}

static void
show_weight (PvFunctionsPage *self, GtkWidget *cell, const PvCaller *other)
{
    const PvDocumentData *data = pv_document_get (self->document);

    if (other != NULL)
        pv_amount_cell_set (PV_AMOUNT_CELL (cell), other->weight, data->callers_callees->total,
                            get_unit (data->tree));
    else
        pv_amount_cell_clear (PV_AMOUNT_CELL (cell));
}

static void
bind_caller_name (gpointer owner, GtkWidget *cell, uint32_t key)
{
    show_name (owner, cell, get_caller (owner, key));
}

static void
bind_caller_weight (gpointer owner, GtkWidget *cell, uint32_t key)
{
    show_weight (owner, cell, get_caller (owner, key));
}

static const char *
get_caller_tip (gpointer owner, uint32_t key)
{
    return get_name_tip (owner, get_caller (owner, key));
}

static void
bind_callee_name (gpointer owner, GtkWidget *cell, uint32_t key)
{
    show_name (owner, cell, get_callee (owner, key));
}

static void
bind_callee_weight (gpointer owner, GtkWidget *cell, uint32_t key)
{
    show_weight (owner, cell, get_callee (owner, key));
}

static const char *
get_callee_tip (gpointer owner, uint32_t key)
{
    return get_name_tip (owner, get_callee (owner, key));
}

static void
go_to (PvFunctionsPage *self, const PvCaller *other)
{
    if (other != NULL && other->function != 0)
        pv_document_select_function (self->document, other->function);
}

static void
on_caller_activated (PvFunctionsPage *self, guint position)
{
    go_to (self, get_caller (self, position));
}

static void
on_callee_activated (PvFunctionsPage *self, guint position)
{
    go_to (self, get_callee (self, position));
}

static char *
describe_place (const PvModule *module, const PvFunction *function)
{
    g_autofree char *line = NULL;

    if (function->file == NULL)
        return g_strdup (module->name);
    line = function->line > 0 ? g_strdup_printf (":%u", function->line) : g_strdup ("");
    return module->kind == PV_MODULE_UNKNOWN
               ? g_strconcat (function->file, line, NULL)
               : g_strconcat (module->name, "  ·  ", function->file, line, NULL);
}

static void
show_caller (PvFunctionsPage *self)
{
    const PvDocumentData *data = pv_document_get (self->document);
    const PvCallersCallees *callers_callees = data->callers_callees;
    const PvFunction *function;

    gtk_widget_set_visible (self->side, data->function != 0);
    pv_row_model_set (self->callers, NULL,
                      callers_callees != NULL ? callers_callees->n_callers : 0);
    pv_row_model_set (self->callees, NULL,
                      callers_callees != NULL ? callers_callees->n_callees : 0);
    if (data->function == 0 || data->tree == NULL)
        return;
    function = &data->tree->symbols->functions[data->function];
    g_autofree char *place = describe_place (&data->profile->modules[function->module], function);
    gtk_label_set_text (self->name_label, function->name);
    pv_text_cell_set_text (self->place_cell, place);
}

/* The document */

static void
on_sort_changed (PvFunctionsPage *self)
{
    gboolean is_descending;
    GtkColumnViewColumn *column = pv_row_table_get_sorted (self->table, &is_descending);

    for (unsigned i = 0; i < N_SORTS; i++)
        if (column == self->columns[i]) {
            gboolean is_amount = i == SORT_SELF || i == SORT_TOTAL || i == SORT_MEDIAN;
            if (is_amount && self->sort != i && !is_descending) {
                /* Amounts are sorted by the largest first. */
                self->sort = i;
                gtk_column_view_sort_by_column (self->view, column, GTK_SORT_DESCENDING);
                return;
            }
            self->sort = i;
            self->is_descending = is_descending;
        }
    self->shows_top = TRUE;
    request_order (self);
}

/* Lifetimes are known for some heap traces only. */
static void
update_columns (PvFunctionsPage *self)
{
    const PvProfile *profile = pv_document_get (self->document)->profile;

    pv_row_table_set_wanted (self->table, self->columns[SORT_MEDIAN],
                             profile != NULL && profile->heap != NULL &&
                                 profile->heap->first_age_of_site != NULL);
}

static void
on_document_changed (PvFunctionsPage *self, guint what)
{
    if (what & PV_CHANGED_TREE)
        update_columns (self);
    if (what & (PV_CHANGED_FUNCTIONS | PV_CHANGED_SEARCH))
        self->is_stale = TRUE;
    /* The side lists refer to the callers and callees that the document has just dropped. */
    if (what & (PV_CHANGED_CALLERS_CALLEES | PV_CHANGED_SELECTION | PV_CHANGED_TREE))
        show_caller (self);
    if (!gtk_widget_get_mapped (GTK_WIDGET (self)))
        return;
    if (self->is_stale)
        request_order (self);
    else if (what & PV_CHANGED_SELECTION)
        follow_document (self);
}

static void
pv_functions_page_map (GtkWidget *widget)
{
    PvFunctionsPage *self = PV_FUNCTIONS_PAGE (widget);

    GTK_WIDGET_CLASS (pv_functions_page_parent_class)->map (widget);
    if (self->is_stale)
        request_order (self);
    else
        follow_document (self);
}

static gboolean
pv_functions_page_grab_focus (GtkWidget *widget)
{
    PvFunctionsPage *self = PV_FUNCTIONS_PAGE (widget);
    return pv_row_table_grab_focus (self->table);
}

/* Room */

static gboolean
is_narrow (PvFunctionsPage *self)
{
    return gtk_orientable_get_orientation (GTK_ORIENTABLE (self->paned)) ==
           GTK_ORIENTATION_VERTICAL;
}

static gboolean
place_side (gpointer user)
{
    PvFunctionsPage *self = user;
    int width = gtk_widget_get_width (GTK_WIDGET (self));
    int height = gtk_widget_get_height (GTK_WIDGET (self));
    gboolean narrow = width < NARROW_WIDTH_PX;

    if (self->document == NULL)
        return G_SOURCE_REMOVE;
    if (narrow != is_narrow (self)) {
        gtk_orientable_set_orientation (GTK_ORIENTABLE (self->paned),
                                        narrow ? GTK_ORIENTATION_VERTICAL
                                               : GTK_ORIENTATION_HORIZONTAL);
        /* A position set before the paned is allocated in this orientation would be scaled. */
        self->is_placed = FALSE;
    } else if (!self->is_placed && gtk_widget_get_visible (self->side)) {
        int side = CLAMP ((int)(width * SIDE_SHARE), MIN_SIDE_PX, MAX_SIDE_PX);
        self->is_placed = TRUE;
        gtk_paned_set_position (self->paned, narrow ? height * 11 / 20 : width - side);
    }
    return G_SOURCE_REMOVE;
}

/* Orientation must not change within an allocation, so it changes right after it. */
static void
pv_functions_page_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
    PvFunctionsPage *self = PV_FUNCTIONS_PAGE (widget);
    GtkWidget *child;
    int minimum;

    if (!self->is_placed || is_narrow (self) != (width < NARROW_WIDTH_PX))
        g_idle_add_full (G_PRIORITY_HIGH_IDLE, place_side, g_object_ref (self), g_object_unref);
    gtk_widget_measure (GTK_WIDGET (self->paned), GTK_ORIENTATION_HORIZONTAL, -1, &minimum, NULL,
                        NULL, NULL);
    gtk_widget_size_allocate (GTK_WIDGET (self->paned),
                              &(GtkAllocation){0, 0, MAX (width, minimum), height}, baseline);
    for (child = gtk_widget_get_first_child (widget); child != NULL;
         child = gtk_widget_get_next_sibling (child))
        if (GTK_IS_POPOVER (child))
            gtk_popover_present (GTK_POPOVER (child));
}

static void
pv_functions_page_measure (GtkWidget *widget, GtkOrientation orientation, int for_size,
                           int *minimum, int *natural, int *minimum_baseline, int *natural_baseline)
{
    PvFunctionsPage *self = PV_FUNCTIONS_PAGE (widget);

    gtk_widget_measure (GTK_WIDGET (self->paned), orientation, -1, minimum, natural,
                        minimum_baseline, natural_baseline);
    /* It folds before it would need room for both sides. */
    if (orientation == GTK_ORIENTATION_HORIZONTAL)
        *minimum = MIN (*minimum, 240);
}

/* Object */

static void
pv_functions_page_dispose (GObject *object)
{
    PvFunctionsPage *self = PV_FUNCTIONS_PAGE (object);
    GtkWidget *child;

    /* The view outlives this, and would still report changes. */
    if (self->table != NULL) {
        g_signal_handlers_disconnect_by_data (gtk_column_view_get_sorter (self->view), self);
        g_signal_handlers_disconnect_by_data (self->model, self);
    }
    g_clear_pointer (&self->order_task, pv_task_close);
    while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
        gtk_widget_unparent (child);
    g_clear_object (&self->table);
    g_clear_object (&self->callers_table);
    g_clear_object (&self->callees_table);
    g_clear_object (&self->model);
    g_clear_object (&self->callers);
    g_clear_object (&self->callees);
    pv_clear_later (&self->functions, pv_functions_unref);
    g_clear_object (&self->document);
    G_OBJECT_CLASS (pv_functions_page_parent_class)->dispose (object);
}

static void
pv_functions_page_class_init (PvFunctionsPageClass *class)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

    G_OBJECT_CLASS (class)->dispose = pv_functions_page_dispose;
    widget_class->map = pv_functions_page_map;
    widget_class->focus = pv_focus_children;
    widget_class->grab_focus = pv_functions_page_grab_focus;
    widget_class->measure = pv_functions_page_measure;
    widget_class->size_allocate = pv_functions_page_size_allocate;
    g_type_ensure (PV_TYPE_TEXT_CELL);
    gtk_widget_class_set_template_from_resource (widget_class,
                                                 "/org/profview/Profview/functions-page.ui");
    gtk_widget_class_bind_template_child (widget_class, PvFunctionsPage, view);
    gtk_widget_class_bind_template_child (widget_class, PvFunctionsPage, paned);
    gtk_widget_class_bind_template_child (widget_class, PvFunctionsPage, side);
    gtk_widget_class_bind_template_child (widget_class, PvFunctionsPage, name_label);
    gtk_widget_class_bind_template_child (widget_class, PvFunctionsPage, place_cell);
    gtk_widget_class_bind_template_child (widget_class, PvFunctionsPage, callers_view);
    gtk_widget_class_bind_template_child (widget_class, PvFunctionsPage, callees_view);
}

static void
init_list (PvFunctionsPage *self)
{
    self->model = pv_row_model_new ();
    self->table = pv_row_table_new (self->view, self->model, self);
    self->columns[SORT_NAME] =
        pv_row_table_add (self->table, PV_COLUMN_TEXT, _ ("Function"), 0, NULL, bind_name);
    self->columns[SORT_SELF] =
        pv_row_table_add (self->table, PV_COLUMN_AMOUNT, _ ("Self"), 170, NULL, bind_self);
    self->columns[SORT_TOTAL] =
        pv_row_table_add (self->table, PV_COLUMN_AMOUNT, _ ("Total"), 170, NULL, bind_total);
    self->columns[SORT_MEDIAN] = pv_row_table_add (self->table, PV_COLUMN_FIGURE,
                                                   _ ("Median lifetime"), 130, NULL, bind_median);
    pv_row_table_set_wanted (self->table, self->columns[SORT_MEDIAN], FALSE);
    self->columns[SORT_MODULE] =
        pv_row_table_add (self->table, PV_COLUMN_TEXT, _ ("Module"), 150, NULL, bind_module);
    for (unsigned i = 0; i < N_SORTS; i++)
        pv_row_table_make_sortable (self->table, self->columns[i]);
    pv_row_table_set_tip_func (self->table, get_tip);
    pv_row_table_finish (self->table);
    self->sort = SORT_SELF;
    self->is_descending = TRUE;
    gtk_column_view_sort_by_column (self->view, self->columns[SORT_SELF], GTK_SORT_DESCENDING);
    g_signal_connect_swapped (pv_row_table_get_model (self->table), "selection-changed",
                              G_CALLBACK (on_selected), self);
    g_signal_connect_object (self->model, "filled", G_CALLBACK (follow_document), self,
                             G_CONNECT_SWAPPED);
    g_signal_connect_swapped (self->view, "activate", G_CALLBACK (on_activated), self);
    g_signal_connect_object (gtk_column_view_get_sorter (self->view), "changed",
                             G_CALLBACK (on_sort_changed), self, G_CONNECT_SWAPPED);
}

static void
init_side_lists (PvFunctionsPage *self)
{
    self->callers = pv_row_model_new ();
    self->callers_table = pv_row_table_new (self->callers_view, self->callers, self);
    pv_row_table_add (self->callers_table, PV_COLUMN_TEXT, _ ("Called by"), 0, NULL,
                      bind_caller_name);
    pv_row_table_add (self->callers_table, PV_COLUMN_AMOUNT, _ ("Share"), 160, NULL,
                      bind_caller_weight);
    pv_row_table_set_tip_func (self->callers_table, get_caller_tip);
    pv_row_table_finish (self->callers_table);
    g_signal_connect_swapped (self->callers_view, "activate", G_CALLBACK (on_caller_activated),
                              self);
    self->callees = pv_row_model_new ();
    self->callees_table = pv_row_table_new (self->callees_view, self->callees, self);
    pv_row_table_add (self->callees_table, PV_COLUMN_TEXT, _ ("Calls"), 0, NULL, bind_callee_name);
    pv_row_table_add (self->callees_table, PV_COLUMN_AMOUNT, _ ("Share"), 160, NULL,
                      bind_callee_weight);
    pv_row_table_set_tip_func (self->callees_table, get_callee_tip);
    pv_row_table_finish (self->callees_table);
    g_signal_connect_swapped (self->callees_view, "activate", G_CALLBACK (on_callee_activated),
                              self);
}

static void
pv_functions_page_init (PvFunctionsPage *self)
{
    gtk_widget_init_template (GTK_WIDGET (self));
    pv_text_cell_set_cut_start (self->place_cell, TRUE);
    self->order_task = pv_task_new (self, build_order, order_input_free, order_free, on_order);
    init_list (self);
    init_side_lists (self);
}

GtkWidget *
pv_functions_page_new (PvDocument *document)
{
    PvFunctionsPage *self = g_object_new (PV_TYPE_FUNCTIONS_PAGE, NULL);

    g_assert (PV_IS_DOCUMENT (document));
    self->document = g_object_ref (document);
    pv_table_menu_add (GTK_WIDGET (self), self->table, "tree", document);
    self->is_stale = TRUE;
    g_signal_connect_object (document, "changed", G_CALLBACK (on_document_changed), self,
                             G_CONNECT_SWAPPED);
    update_columns (self);
    show_caller (self);
    return GTK_WIDGET (self);
}
