/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/pages/functions-page.h"

#include <glib/gi18n.h>
#include <string.h>

#include "app/pages/table-menu.h"
#include "app/tables/caller-table.h"
#include "app/tables/column-set.h"
#include "app/tables/formula-menu.h"
#include "app/tables/function-rows.h"
#include "app/tables/row-table.h"
#include "app/tables/table-columns.h"
#include "app/view/empty-view.h"
#include "app/widgets/actions.h"
#include "app/widgets/fold.h"
#include "app/widgets/setup.h"
#include "app/widgets/style.h"
#include "app/widgets/text-cell.h"
#include "app/work/settings.h"
#include "app/work/work.h"
#include "core/analyze/renames/renames.h"

/* In less, callers and callees are below the list, side by side, ... */
#define NARROW_WIDTH_PX 760
#define LOW_HEIGHT_PX   260 /* ... but not where that leaves no rows, ... */
#define LOW_WIDTH_PX    540 /* ... and there is room beside the list */
#define MIN_SIDE_PX     300
#define MAX_SIDE_PX     420
#define SIDE_SHARE      0.28 /* of the page, between these */

/* Where callers and callees are. */
typedef enum { BESIDE_LIST, BELOW_LIST, ONE_BELOW_LIST } Place;

struct _PvFunctionsPage {
    PvView base;

    GtkColumnView *view;
    GtkMenuButton *columns_button;
    PvColumnSet *columns;
    PvRowTable *table;
    PvRowModel *model; /* keys are those of rows */
    PvFunctionRows *rows;
    uint32_t *position_of_function; /* in the model; G_MAXUINT32: none */
    PvTask *order_task;
    gboolean shows_top; /* scroll to the top, as the user has requested another order */

    AdwBin *switch_place;
    GtkLabel *count_label;
    GtkPaned *paned;
    Place place;
    gboolean is_placed; /* the paned has its first position in this orientation */
    GtkWidget *side;    /* callers and callees; hidden while no function is selected */
    GtkLabel *name_label;
    GtkLabel *more_label;
    GtkWidget *place_button;
    PvTextCell *place_cell;
    GtkWidget *neighbours_switch;
    GtkToggleButton *callers_button;
    GtkBox *neighbours_box;
    GtkWidget *neighbours_separator;
    GtkWidget *callers_scroller;
    GtkWidget *callees_scroller;
    GtkColumnView *callers_view;
    GtkColumnView *callees_view;
    GtkWidget *quiet_label;
    PvView *empty_view;
    PvCallerTable *callers;
    PvCallerTable *callees;
    PvFunctionId function; /* whose they are */

    gboolean is_following;
};

G_DEFINE_FINAL_TYPE (PvFunctionsPage, pv_functions_page, PV_TYPE_VIEW)

/* Order, in a worker: a GtkSortListModel would sort 100,000 rows on the main loop */

typedef struct {
    PvFunctions *functions;
    PvFunctionRows *rows; /* of these functions, or of others; or NULL */
    GArray *measures;     /* PvMeasureId: what the rows must know */
    bool *is_match;       /* or NULL */
    PvColumn column;
    gboolean is_descending;
    gboolean hides_noise;
} OrderInput;

typedef struct {
    PvFunctionRows *rows;
    uint32_t n_keys;
    uint32_t *keys;
    uint32_t *position_of_function;
} Order;

static void
order_input_free (gpointer data)
{
    OrderInput *input = data;
    pv_functions_unref (input->functions);
    g_clear_pointer (&input->rows, pv_function_rows_unref);
    g_array_unref (input->measures);
    pv_column_clear (&input->column);
    g_free (input->is_match);
    g_free (input);
}

static void
order_free (gpointer data)
{
    Order *order = data;
    g_clear_pointer (&order->rows, pv_function_rows_unref);
    g_free (order->keys);
    g_free (order->position_of_function);
    g_free (order);
}

static void
list_positions (Order *order)
{
    uint32_t n_functions = order->rows->functions->tree->symbols->n_functions;

    order->position_of_function = g_new (uint32_t, MAX (n_functions, 1));
    memset (order->position_of_function, 0xff, n_functions * sizeof (uint32_t));
    for (uint32_t i = 0; i < order->n_keys; i++)
        order->position_of_function[pv_function_rows_get (order->rows, order->keys[i])] = i;
}

static gpointer
build_order (gpointer data, PvJob *job, GError **error)
{
    OrderInput *input = data;
    const PvMeasureId *measures = (const PvMeasureId *)(gpointer)input->measures->data;
    guint n = input->measures->len;
    Order *order = g_new0 (Order, 1);

    if (input->rows != NULL && input->rows->functions == input->functions &&
        pv_function_rows_have (input->rows, measures, n))
        order->rows = pv_function_rows_ref (input->rows);
    else
        order->rows = pv_function_rows_new (input->functions, measures, n, job);
    if (order->rows != NULL)
        order->keys =
            pv_function_rows_sort (order->rows, &input->column, input->is_descending,
                                   input->is_match, input->hides_noise, &order->n_keys, job);
    if (order->keys == NULL) {
        order_free (order);
        return NULL;
    }
    list_positions (order);
    return order;
}

static void
request_order (PvFunctionsPage *self)
{
    const PvDocumentData *data = pv_document_get (self->base.document);
    OrderInput *input;

    if (data->functions == NULL)
        return;
    input = g_new0 (OrderInput, 1);
    input->functions = pv_functions_ref (data->functions);
    input->rows = self->rows != NULL ? pv_function_rows_ref (self->rows) : NULL;
    input->measures = pv_column_set_list_measures (self->columns);
    input->is_match = g_memdup2 (data->is_match, data->n_is_match * sizeof (bool));
    input->column = pv_column_set_copy_sorted (self->columns, &input->is_descending);
    input->hides_noise = g_settings_get_boolean (pv_settings_get (), "noise-hidden");
    pv_task_start (self->order_task, input);
}

/* Selection */

/* For a moment after a reload the list has the functions before it. */
static gboolean
has_current_ids (PvFunctionsPage *self)
{
    const PvAnswer *answer = pv_document_get (self->base.document)->answer;
    return self->rows != NULL &&
           pv_answer_has_functions_of (answer, self->rows->functions->tree->symbols);
}

static PvFunctionId
get_function (PvFunctionsPage *self, uint32_t key)
{
    return self->rows != NULL ? pv_function_rows_get (self->rows, key) : 0;
}

/* G_MAXUINT32: the list does not have it. */
static uint32_t
find_position (PvFunctionsPage *self, PvFunctionId function)
{
    return function != 0 && function < self->rows->functions->tree->symbols->n_functions
               ? self->position_of_function[function]
               : G_MAXUINT32;
}

static void
follow_document (PvFunctionsPage *self)
{
    const PvDocumentData *data = pv_document_get (self->base.document);
    uint32_t selected = pv_row_table_get_selected_key (self->table);
    guint position;

    if (!has_current_ids (self))
        return;
    if (selected != G_MAXUINT32 && get_function (self, selected) == data->look.function)
        return;
    position = find_position (self, data->look.function);
    /* A row that is not in the list model yet is selected when that is filled. */
    if (position >= g_list_model_get_n_items (G_LIST_MODEL (self->model)))
        position = GTK_INVALID_LIST_POSITION;
    self->is_following = TRUE;
    pv_row_table_select (self->table, position);
    self->is_following = FALSE;
    if (self->shows_top && pv_row_model_get_n_rows (self->model) > 0)
        pv_row_table_scroll_to (self->table, 0, FALSE);
    else if (position != GTK_INVALID_LIST_POSITION)
        pv_row_table_scroll_to (self->table, position, pv_row_table_has_focus (self->table));
}

/* True if an empty list means that all rows are noise, which is hidden. */
static gboolean
hides_all (PvFunctionsPage *self)
{
    return self->rows->n_rows > 0 && self->rows->changes != NULL &&
           g_settings_get_boolean (pv_settings_get (), "noise-hidden");
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
    pv_clear_later (&self->rows, pv_function_rows_unref);
    pv_clear_later (&self->position_of_function, g_free);
    self->rows = g_steal_pointer (&order->rows);
    self->position_of_function = g_steal_pointer (&order->position_of_function);
    pv_table_columns_set_noise (self->table,
                                self->rows->changes != NULL && self->rows->changes->noise != NULL);
    pv_row_model_set (self->model, order->keys, order->n_keys);
    gtk_widget_set_visible (self->quiet_label, order->n_keys == 0 && hides_all (self));
    g_autofree char *count = pv_format_count (order->n_keys);
    g_autofree char *text =
        g_strdup_printf (g_dngettext (NULL, "%s function", "%s functions", order->n_keys), count);
    gtk_label_set_text (self->count_label, text);
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
    PvFunctionId function = get_function (self, pv_row_table_get_selected_key (self->table));

    if (!self->is_following && function != 0 && has_current_ids (self))
        pv_document_select_function (self->base.document, function);
}

/* A key activates the row that has the focus, selected or not. */
static void
on_activated (PvFunctionsPage *self, guint position)
{
    if (position != pv_row_table_get_selected (self->table))
        pv_row_table_select (self->table, position);
    if (pv_document_get (self->base.document)->look.function != 0)
        gtk_widget_activate_action (GTK_WIDGET (self), "win.page", "s", "source");
}

static void
pv_functions_page_select_match (PvView *view, gboolean forward)
{
    PvFunctionsPage *self = PV_FUNCTIONS_PAGE (view);
    uint32_t n_rows = MIN (g_list_model_get_n_items (G_LIST_MODEL (self->model)),
                           pv_row_model_get_n_rows (self->model));
    guint position = pv_row_table_get_selected (self->table);

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

static const PvFunction *
get_row (PvFunctionsPage *self, uint32_t key)
{
    /* Function 0 has no name. */
    return &self->rows->functions->tree->symbols->functions[get_function (self, key)];
}

static void
bind_name (gpointer owner, GtkWidget *cell, uint32_t key, guint number)
{
    PvFunctionsPage *self = owner;

    pv_text_cell_set_text (PV_TEXT_CELL (cell), get_row (self, key)->label);
    pv_noise_show (cell, pv_function_rows_is_noise (self->rows, key));
}

static char *
get_tip (gpointer owner, uint32_t key)
{
    PvFunctionsPage *self = owner;

    return pv_renames_make_tip (self->rows->functions->tree->symbols, get_function (self, key));
}

/* A PvGetRowFunc for the column set. */
static bool
get_column_row (gconstpointer owner, uint32_t key, PvRow *ret_row)
{
    const PvFunctionsPage *self = owner;

    return self->rows != NULL && pv_function_rows_get_row (self->rows, key, ret_row);
}

/* Text */

static void
unref_rows (gpointer rows)
{
    pv_function_rows_unref (rows);
}

static PvTableText *
make_text (GtkWidget *page, gboolean is_selection)
{
    PvFunctionsPage *self = PV_FUNCTIONS_PAGE (page);
    GtkBitset *selected = pv_row_model_get_all_selected (self->model);

    if (self->rows == NULL || (is_selection && gtk_bitset_is_empty (selected)))
        return NULL;
    return pv_column_set_write (
        self->columns, self->rows->functions->tree, pv_function_rows_ref (self->rows), unref_rows,
        pv_function_rows_get_row, pv_row_model_get_keys (self->model),
        pv_row_model_get_n_rows (self->model), is_selection ? selected : NULL);
}

/* Callers and callees */

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

/* Says that the filters leave nothing of the function, or what a comparison knows of it besides its
 * amounts, such as its name in the base. */
static void
show_more (PvFunctionsPage *self, const PvSymbolTable *symbols, const PvCallersCallees *both)
{
    g_autofree char *more =
        both != NULL && both->total == 0 && both->self == 0
            ? g_strdup (_ ("With these filters and this measure, nothing of it is left."))
            : pv_renames_describe (symbols, self->function);

    gtk_label_set_text (self->more_label, more != NULL ? more : "");
    gtk_widget_set_visible (GTK_WIDGET (self->more_label), more != NULL);
}

/* Those of the answer before stay until they are found anew. */
static void
show_neighbours (PvFunctionsPage *self, guint what)
{
    const PvDocumentData *data = pv_document_get (self->base.document);
    const PvCallTree *tree = data->answer->tree;
    const PvCallersCallees *both =
        data->callers_callees != NULL ? data->callers_callees->both : NULL;
    const PvFunction *function;

    gtk_widget_set_visible (self->side, data->look.function != 0);
    if (!self->is_placed)
        pv_fold_again (GTK_WIDGET (self));
    if (both != NULL) {
        pv_caller_table_set (self->callers, tree, both->callers, both->n_callers, both->total);
        pv_caller_table_set (self->callees, tree, both->callees, both->n_callees, both->total);
    } else if (what & PV_CHANGED_CALLERS_CALLEES || data->look.function != self->function) {
        pv_caller_table_set (self->callers, NULL, NULL, 0, 0);
        pv_caller_table_set (self->callees, NULL, NULL, 0, 0);
    }
    self->function = data->look.function;
    if (data->look.function == 0)
        return;
    function = &tree->symbols->functions[data->look.function];
    g_autofree char *place =
        describe_place (&data->answer->profile->modules[function->module], function);
    gtk_label_set_text (self->name_label, function->name);
    pv_text_cell_set_text (self->place_cell, place);
    pv_path_set_link (self->place_button, function->file != NULL);
    show_more (self, tree->symbols, both);
}

/* The document */

static void
on_sort_changed (PvFunctionsPage *self)
{
    self->shows_top = TRUE;
    request_order (self);
}

static void
on_noise_hidden (PvFunctionsPage *self)
{
    const PvProfile *profile = pv_document_get (self->base.document)->answer->profile;

    if (profile != NULL && profile->compared != NULL)
        pv_view_update (PV_VIEW (self), PV_CHANGED_FUNCTIONS);
}

/* Another column may need other rows. */
static void
on_choices_changed (PvFunctionsPage *self)
{
    g_autoptr (GArray) measures = pv_column_set_list_measures (self->columns);

    if (self->rows != NULL &&
        !pv_function_rows_have (self->rows, (const PvMeasureId *)(gpointer)measures->data,
                                measures->len))
        request_order (self);
}

static void
pv_functions_page_changed (PvView *view, guint what)
{
    PvFunctionsPage *self = PV_FUNCTIONS_PAGE (view);
    const PvCallTree *tree = pv_document_get (view->document)->answer->tree;

    if ((what & PV_CHANGED_TREE) && tree != NULL)
        pv_column_set_update (self->columns, tree);
    if (what & (PV_CHANGED_CALLERS_CALLEES | PV_CHANGED_SELECTION | PV_CHANGED_TREE))
        show_neighbours (self, what);
    if (what & PV_CHANGED_SEARCH) {
        pv_caller_table_update_marks (self->callers);
        pv_caller_table_update_marks (self->callees);
    }
    if (what & (PV_CHANGED_FUNCTIONS | PV_CHANGED_SEARCH))
        request_order (self);
    else if (what & PV_CHANGED_SELECTION)
        follow_document (self);
}

static gboolean
pv_functions_page_grab_focus (GtkWidget *widget)
{
    PvFunctionsPage *self = PV_FUNCTIONS_PAGE (widget);

    /* From an empty list, Tab would not lead to the ways on. */
    return gtk_widget_grab_focus (GTK_WIDGET (self->empty_view)) ||
           pv_row_table_grab_focus (self->table);
}

/* Room */

/* With little room, the switch says which. */
static void
place_neighbours (PvFunctionsPage *self)
{
    gboolean is_one = self->place == ONE_BELOW_LIST;
    gboolean is_callers = gtk_toggle_button_get_active (self->callers_button);

    gtk_widget_set_visible (self->neighbours_switch, is_one);
    gtk_widget_set_visible (self->neighbours_separator, !is_one);
    gtk_widget_set_visible (self->callers_scroller, !is_one || is_callers);
    gtk_widget_set_visible (self->callees_scroller, !is_one || !is_callers);
}

static Place
find_place (GtkWidget *widget, int width, gboolean is_narrow)
{
    double scale = pv_style_get_text_scale (widget);
    gboolean is_low = gtk_widget_get_height (widget) < LOW_HEIGHT_PX * scale;

    if (!is_narrow || (is_low && width >= LOW_WIDTH_PX * scale))
        return BESIDE_LIST;
    return width < PV_PHONE_WIDTH_PX * scale ? ONE_BELOW_LIST : BELOW_LIST;
}

static int
find_divider (PvFunctionsPage *self, int width)
{
    int height = gtk_widget_get_height (GTK_WIDGET (self));

    switch (self->place) {
    case BESIDE_LIST:
        return width - CLAMP ((int)(width * SIDE_SHARE), MIN_SIDE_PX, MAX_SIDE_PX);
    case BELOW_LIST:
        return height * 11 / 20;
    case ONE_BELOW_LIST:
        break;
    }
    return height / 2;
}

static void
on_placed (GtkWidget *widget, int width, gboolean is_narrow)
{
    PvFunctionsPage *self = PV_FUNCTIONS_PAGE (widget);
    Place place = find_place (widget, width, is_narrow);

    gtk_orientable_set_orientation (GTK_ORIENTABLE (self->paned), place == BESIDE_LIST
                                                                      ? GTK_ORIENTATION_HORIZONTAL
                                                                      : GTK_ORIENTATION_VERTICAL);
    if (place != self->place) {
        /* A position set before the paned is allocated in this orientation would be scaled. */
        self->place = place;
        self->is_placed = FALSE;
        gtk_orientable_set_orientation (GTK_ORIENTABLE (self->neighbours_box),
                                        place == BELOW_LIST ? GTK_ORIENTATION_HORIZONTAL
                                                            : GTK_ORIENTATION_VERTICAL);
        place_neighbours (self);
        pv_fold_again (widget);
    } else if (!self->is_placed && gtk_widget_get_visible (self->side)) {
        self->is_placed = TRUE;
        gtk_paned_set_position (self->paned, find_divider (self, width));
    }
}

/* Object */

static void
pv_functions_page_begin (PvView *view)
{
    PvFunctionsPage *self = PV_FUNCTIONS_PAGE (view);

    pv_view_set_document (self->empty_view, view->document);
    self->callers =
        pv_caller_table_new (self->callers_view, view->document, _ ("Called by"), "caller-columns");
    self->callees = pv_caller_table_new (self->callees_view, view->document,
                                         C_ ("heading", "Calls"), "callee-columns");
    pv_table_menu_add (GTK_WIDGET (self), self->table, FALSE, view->document, make_text);
    pv_formula_menu_install (GTK_WIDGET (self), self->table, self->columns, view->document);
}

static void
pv_functions_page_describe_command (PvView *view, PvCommand *command)
{
    command->options[0] = "--print=top";
    pv_column_set_describe_command (PV_FUNCTIONS_PAGE (view)->columns, command);
}

static void
pv_functions_page_end (PvView *view)
{
    PvFunctionsPage *self = PV_FUNCTIONS_PAGE (view);

    /* The model outlives this, and would still report changes. */
    if (self->table != NULL)
        g_signal_handlers_disconnect_by_data (self->model, self);
    g_clear_pointer (&self->order_task, pv_task_close);
    g_clear_object (&self->table);
    g_clear_object (&self->callers);
    g_clear_object (&self->callees);
    g_clear_object (&self->model);
    pv_clear_later (&self->rows, pv_function_rows_unref);
    pv_clear_later (&self->position_of_function, g_free);
}

static void
pv_functions_page_finalize (GObject *object)
{
    pv_column_set_free (PV_FUNCTIONS_PAGE (object)->columns);
    G_OBJECT_CLASS (pv_functions_page_parent_class)->finalize (object);
}

static AdwBin *
pv_functions_page_get_switch_place (PvView *view)
{
    return PV_FUNCTIONS_PAGE (view)->switch_place;
}

static void
pv_functions_page_class_init (PvFunctionsPageClass *class)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

    PV_VIEW_CLASS (class)->end = pv_functions_page_end;
    PV_VIEW_CLASS (class)->begin = pv_functions_page_begin;
    PV_VIEW_CLASS (class)->changed = pv_functions_page_changed;
    PV_VIEW_CLASS (class)->describe_command = pv_functions_page_describe_command;
    PV_VIEW_CLASS (class)->select_match = pv_functions_page_select_match;
    PV_VIEW_CLASS (class)->get_switch_place = pv_functions_page_get_switch_place;
    PV_VIEW_CLASS (class)->shows_selected_function = TRUE;
    G_OBJECT_CLASS (class)->finalize = pv_functions_page_finalize;
    widget_class->grab_focus = pv_functions_page_grab_focus;
    PV_SET_TEMPLATE (widget_class, "functions-page", PV_TYPE_EMPTY_VIEW, PV_TYPE_TEXT_CELL);
    PV_BIND_CHILDREN (widget_class, PvFunctionsPage, view, columns_button, switch_place,
                      count_label, paned, side, name_label, more_label, place_button, place_cell,
                      neighbours_switch, callers_button, neighbours_box, neighbours_separator,
                      callers_scroller, callees_scroller, callers_view, callees_view, quiet_label,
                      empty_view);
}

static void
init_list (PvFunctionsPage *self)
{
    self->model = pv_row_model_new ();
    self->table = pv_row_table_new (self->view, self->model, self);
    self->columns = pv_column_set_new (self->table, PV_TABLE_FUNCTIONS, C_ ("column", "Function"),
                                       NULL, bind_name, get_column_row, self);
    pv_row_table_set_tip_func (self->table, get_tip);
    pv_row_table_finish (self->table, TRUE);
    pv_table_columns_add (self->table, "function-columns", self->columns_button);
    pv_connect (self->table, "choices-changed", on_choices_changed, self);
    pv_connect (self->table, "columns-changed", on_choices_changed, self);
    pv_connect (pv_settings_get (), "changed::noise-hidden", on_noise_hidden, self);
    gtk_column_view_sort_by_column (
        self->view, pv_column_set_find_kind (self->columns, PV_COLUMN_SELF, PV_SHOW_AMOUNT),
        GTK_SORT_DESCENDING);
    pv_connect (pv_row_table_get_model (self->table), "selection-changed", on_selected, self);
    pv_connect (self->model, "filled", follow_document, self);
    pv_connect (self->view, "activate", on_activated, self);
    pv_connect (self->table, "sort-changed", on_sort_changed, self);
}

static void
pv_functions_page_init (PvFunctionsPage *self)
{
    gtk_widget_init_template (GTK_WIDGET (self));
    pv_fold_add (GTK_WIDGET (self), GTK_WIDGET (self->paned), NARROW_WIDTH_PX, 240, on_placed);
    pv_text_cell_set_cut (self->place_cell, PV_CUT_START);
    pv_connect (self->callers_button, "toggled", place_neighbours, self);
    self->order_task = pv_task_new (self, build_order, order_input_free, order_free, on_order);
    init_list (self);
}
