/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/pages/tree-page.h"

#include <glib/gi18n.h>

#include "app/pages/table-menu.h"
#include "app/pages/tree-model.h"
#include "app/pages/tree-values.h"
#include "app/tables/column-set.h"
#include "app/tables/row-table.h"
#include "app/tables/search-mark.h"
#include "app/tables/table-columns.h"
#include "app/widgets/amount-cell.h"
#include "app/widgets/focus.h"
#include "app/widgets/text-cell.h"
#include "app/work/work.h"

#define INDENT_PX      16
#define MIN_NAME_CHARS 16 /* deep rows scroll sideways */

/* The first columns, by their numbers; those of measures come behind. */
enum {
    COLUMN_NAME,
    COLUMN_SELF,
    COLUMN_TOTAL,
    COLUMN_SAMPLES,
    COLUMN_MODULE,
    COLUMN_PACKAGE,
    COLUMN_PLACE,
};

struct _PvTreePage {
    GtkWidget parent;

    PvDocument *document;
    GtkColumnView *view;
    PvRowTable *table;
    PvColumnSet *columns;
    GtkMenuButton *columns_button;
    PvTask *sums_task;
    PvNodeSums *sums; /* of other measures, maybe of an earlier tree; or NULL */
    GtkToggleButton *bottom_up_button;
    GtkLabel *hint_label;
    PvTreeModel *model;
    PvCallTree *tree;      /* whose rows the model shows */
    gboolean is_stale;     /* the tree changed while the page was hidden */
    gboolean is_following; /* the selection follows the document */
};

G_DEFINE_FINAL_TYPE (PvTreePage, pv_tree_page, GTK_TYPE_WIDGET)

static gboolean
is_bottom_up (PvTreePage *self)
{
    return gtk_toggle_button_get_active (self->bottom_up_button);
}

/* Cells */

static void
toggle (PvTreePage *self, uint32_t position)
{
    const PvTreeRow *row =
        pv_tree_model_get_row (self->model, pv_tree_model_get_key (self->model, position));

    if (row == NULL)
        return;
    if (row->is_expanded)
        pv_tree_model_collapse (self->model, position);
    else
        pv_tree_model_expand (self->model, position);
}

static void
on_expander_pressed (GtkGestureClick *gesture, int n_press, double x, double y, GtkListItem *item)
{
    GtkWidget *expander = gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (gesture));
    GtkWidget *page = gtk_widget_get_ancestor (expander, PV_TYPE_TREE_PAGE);

    gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
    toggle (PV_TREE_PAGE (page), gtk_list_item_get_position (item));
}

/* An arrow and the name, which bind_name () finds as first and last child. */
static GtkWidget *
make_name_cell (gpointer owner, GtkListItem *item)
{
    GtkWidget *cell = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 4);
    GtkWidget *expander = gtk_image_new ();
    GtkWidget *label = pv_text_cell_new (MIN_NAME_CHARS);
    GtkGesture *click = gtk_gesture_click_new ();

    g_signal_connect (click, "pressed", G_CALLBACK (on_expander_pressed), item);
    gtk_widget_add_controller (expander, GTK_EVENT_CONTROLLER (click));
    gtk_widget_set_hexpand (label, TRUE);
    gtk_box_append (GTK_BOX (cell), expander);
    gtk_box_append (GTK_BOX (cell), label);
    return cell;
}

static void
show_expander (GtkWidget *cell, const PvTreeRow *row)
{
    GtkWidget *expander = gtk_widget_get_first_child (cell);
    const char *icon = row->is_expanded ? "pan-down-symbolic" : "pan-end-symbolic";

    if (g_strcmp0 (gtk_image_get_icon_name (GTK_IMAGE (expander)), icon) != 0)
        gtk_image_set_from_icon_name (GTK_IMAGE (expander), icon);
    gtk_widget_set_opacity (expander, row->has_children ? 1 : 0);
    gtk_widget_set_can_target (expander, row->has_children);
    gtk_accessible_update_state (GTK_ACCESSIBLE (cell), GTK_ACCESSIBLE_STATE_EXPANDED,
                                 row->has_children ? row->is_expanded : -1, -1);
}

static void
bind_name (gpointer owner, GtkWidget *cell, uint32_t key)
{
    PvTreePage *self = owner;
    const PvTreeRow *row = pv_tree_model_get_row (self->model, key);
    GtkWidget *label = gtk_widget_get_last_child (cell);
    g_autofree char *name = NULL;

    if (row == NULL) {
        pv_text_cell_set_text (PV_TEXT_CELL (label), NULL);
        gtk_widget_set_opacity (gtk_widget_get_first_child (cell), 0);
        return;
    }
    gtk_widget_set_margin_start (cell, (int)MIN (row->depth, 200) * INDENT_PX);
    name = pv_tree_row_make_text (self->tree, row, PV_FIELD_NAME);
    pv_text_cell_set_text (PV_TEXT_CELL (label), name);
    pv_search_mark (label, self->document, row->function);
    show_expander (cell, row);
}

static const char *
get_tip (gpointer owner, uint32_t key)
{
    PvTreePage *self = owner;
    const PvTreeRow *row = pv_tree_model_get_row (self->model, key);

    if (row == NULL)
        return NULL;
    return row->node != PV_NODE_NONE ? pv_call_tree_get_name (self->tree, row->node)
                                     : self->tree->symbols->functions[row->function].name;
}

static void
bind_amount (gpointer owner, GtkWidget *cell, uint32_t key, guint number)
{
    PvTreePage *self = owner;
    const PvTreeRow *row = pv_tree_model_get_row (self->model, key);
    PvFunctionColumn column = *pv_column_set_get (self->columns, number);
    uint64_t amount, whole;

    if (row == NULL)
        pv_amount_cell_clear (PV_AMOUNT_CELL (cell));
    else if (pv_tree_row_get_amount (self->tree, self->sums, row, column, &amount, &whole))
        pv_amount_cell_set (PV_AMOUNT_CELL (cell), amount, whole,
                            pv_function_column_get_unit (column, self->tree));
    else
        pv_amount_cell_set_plain (PV_AMOUNT_CELL (cell), "–");
}

static void
bind_value (gpointer owner, GtkWidget *cell, uint32_t key, guint number)
{
    PvTreePage *self = owner;
    const PvTreeRow *row = pv_tree_model_get_row (self->model, key);
    PvFunctionColumn column = *pv_column_set_get (self->columns, number);
    g_autofree char *text = NULL;

    if (row != NULL && column.formula != NULL)
        text = pv_formula_format (column.formula,
                                  pv_tree_row_get_value (self->tree, self->sums, row, column));
    pv_amount_cell_set_plain (PV_AMOUNT_CELL (cell), text != NULL ? text : "");
}

static void
bind_text (gpointer owner, GtkWidget *cell, uint32_t key, guint number)
{
    PvTreePage *self = owner;
    const PvTreeRow *row = pv_tree_model_get_row (self->model, key);
    g_autofree char *text = NULL;

    if (row != NULL)
        text = pv_tree_row_make_text (self->tree, row,
                                      pv_column_set_get (self->columns, number)->field);
    pv_text_cell_set_text (PV_TEXT_CELL (cell), text);
}

/* Other measures */

static void
on_sums (gpointer owner, gpointer result, const GError *error)
{
    PvTreePage *self = owner;

    if (result == NULL)
        return;
    pv_clear_later (&self->sums, pv_node_sums_unref);
    self->sums = result;
    for (guint i = 0; i < pv_column_set_get_n (self->columns); i++) {
        PvFunctionColumn column = *pv_column_set_get (self->columns, i);
        if (!pv_function_field_has_words (column.field) && column.measure != PV_MEASURE_SHOWN)
            pv_row_table_update_column (self->table, pv_column_set_get_column (self->columns, i));
    }
}

static gboolean
has_sums (PvTreePage *self, const GArray *measures)
{
    gboolean has_all = self->sums != NULL && self->sums->tree == self->tree;

    for (guint i = 0; i < measures->len && has_all; i++)
        has_all = pv_measure_sums_find (self->sums->sums,
                                        g_array_index (measures, PvMeasureId, i)) != NULL;
    return has_all;
}

/* Sums for the columns that are chosen. Bottom up there are none. */
static void
request_sums (PvTreePage *self)
{
    g_autoptr (GArray) measures = pv_column_set_list_measures (self->columns);
    PvNodeSumsInput *input;

    if (self->tree == NULL || measures->len == 0 || is_bottom_up (self) ||
        has_sums (self, measures))
        return;
    input = g_new (PvNodeSumsInput, 1);
    *input = (PvNodeSumsInput){pv_call_tree_ref (self->tree), g_steal_pointer (&measures)};
    pv_task_start (self->sums_task, input);
}

/* Text */

static PvTableText *
make_text (GtkWidget *page, gboolean is_selection)
{
    PvTreePage *self = PV_TREE_PAGE (page);
    GtkBitset *selected = pv_row_model_get_all_selected (pv_row_table_get_model (self->table));
    uint32_t n = pv_row_model_get_n_rows (pv_row_table_get_model (self->table));
    g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (PvTreeRow));

    if (self->tree == NULL || (is_selection && gtk_bitset_is_empty (selected)))
        return NULL;
    for (uint32_t i = 0; i < n; i++) {
        const PvTreeRow *row =
            pv_tree_model_get_row (self->model, pv_tree_model_get_key (self->model, i));
        if (row != NULL && (!is_selection || gtk_bitset_contains (selected, i)))
            g_array_append_vals (rows, row, 1);
    }
    return pv_tree_text_new (self->tree, self->sums, self->columns,
                             (const PvTreeRow *)(gpointer)rows->data, rows->len);
}

static void
on_row_changed (gpointer user, uint32_t position)
{
    PvTreePage *self = user;

    pv_row_table_update_cell (self->table, pv_column_set_get_column (self->columns, COLUMN_NAME),
                              position);
}

/* The answer is another tree, with the row expanded. */
static void
on_open_node (gpointer user, PvNodeId node)
{
    PvTreePage *self = user;

    if (self->tree == pv_document_get (self->document)->tree)
        pv_document_open (self->document, node);
}

static void on_hot_path_found (gpointer user, uint32_t position);

static const PvTreeModelEvents model_events = {on_row_changed, on_open_node, on_hot_path_found};

/* Selection */

/* Focus and selection stay together: the keyboard goes on from the selected row. */
static void
select_position (PvTreePage *self, uint32_t position)
{
    gboolean has_focus = pv_row_table_has_focus (self->table);

    self->is_following = TRUE;
    pv_row_table_select (self->table, position);
    self->is_following = FALSE;
    if (position != GTK_INVALID_LIST_POSITION)
        pv_row_table_scroll_to (self->table, position, has_focus);
}

/* Selects the row of the document's selection, if this tree has one. */
static void
follow_document (PvTreePage *self)
{
    const PvDocumentData *data = pv_document_get (self->document);
    uint32_t position = G_MAXUINT32;
    const PvTreeRow *current;

    if (self->tree == NULL || self->tree != data->tree)
        return;
    current = pv_tree_model_get_row (self->model, pv_row_table_get_selected_key (self->table));
    if (current != NULL && data->function != 0 &&
        (data->is_inverted || is_bottom_up (self) ? current->function == data->function
                                                  : current->node == data->selected))
        return;
    if (!data->is_inverted && data->selected != PV_NODE_NONE)
        position = pv_tree_model_reveal (self->model, data->selected);
    /* A row that is not in the list model yet is selected when that is filled. */
    if (position >= g_list_model_get_n_items (pv_tree_model_get_list (self->model)))
        position = GTK_INVALID_LIST_POSITION;
    select_position (self, position);
}

static void
on_selected (PvTreePage *self)
{
    const PvDocumentData *data = pv_document_get (self->document);
    const PvTreeRow *row;

    if (self->is_following || self->tree != data->tree)
        return;
    row = pv_tree_model_get_row (self->model, pv_row_table_get_selected_key (self->table));
    if (row == NULL)
        return;
    if (is_bottom_up (self) || data->is_inverted)
        pv_document_select_function (self->document, row->function);
    else
        pv_document_select_node (self->document, row->node);
}

static void
on_activated (PvTreePage *self, guint position)
{
    toggle (self, position);
}

/* The hot path */

/* The view may not have the row yet; it is selected when the list is filled. */
static void
on_hot_path_found (gpointer user, uint32_t position)
{
    PvTreePage *self = user;
    const PvDocumentData *data = pv_document_get (self->document);
    const PvTreeRow *row =
        pv_tree_model_get_row (self->model, pv_tree_model_get_key (self->model, position));

    if (position < g_list_model_get_n_items (pv_tree_model_get_list (self->model))) {
        pv_row_table_select (self->table, position);
        pv_row_table_scroll_to (self->table, position, TRUE);
    } else if (row->node != PV_NODE_NONE && self->tree == data->tree && !data->is_inverted) {
        pv_document_select_node (self->document, row->node);
    }
}

static void
expand_hot_path (GtkWidget *widget, const char *action, GVariant *parameter)
{
    PvTreePage *self = PV_TREE_PAGE (widget);
    guint position = pv_row_table_get_selected (self->table);

    pv_tree_model_expand_hot_path (self->model,
                                   position != GTK_INVALID_LIST_POSITION ? position : G_MAXUINT32);
}

/* Left collapses or goes to the parent, right expands or goes to the first child, with Shift the
 * hot path. */
static gboolean
on_key (PvTreePage *self, guint key, guint code, GdkModifierType state)
{
    guint position = pv_row_table_get_selected (self->table);
    gboolean is_out = key == GDK_KEY_Left || key == GDK_KEY_KP_Left || key == GDK_KEY_minus;
    gboolean is_in = key == GDK_KEY_Right || key == GDK_KEY_KP_Right || key == GDK_KEY_plus;
    const PvTreeRow *row;

    if ((state & (GDK_CONTROL_MASK | GDK_ALT_MASK)) || (!is_out && !is_in))
        return GDK_EVENT_PROPAGATE;
    if ((state & GDK_SHIFT_MASK) && is_in && key != GDK_KEY_plus) {
        gtk_widget_activate_action (GTK_WIDGET (self), "tree.expand-hot-path", NULL);
        return GDK_EVENT_STOP;
    }
    if (position == GTK_INVALID_LIST_POSITION)
        return GDK_EVENT_PROPAGATE;
    row = pv_tree_model_get_row (self->model, pv_tree_model_get_key (self->model, position));
    if (row == NULL)
        return GDK_EVENT_STOP;
    if (is_in && row->has_children && !row->is_expanded) {
        pv_tree_model_expand (self->model, position);
    } else if (is_in && row->is_expanded &&
               position + 1 < g_list_model_get_n_items (pv_tree_model_get_list (self->model))) {
        pv_row_table_select (self->table, position + 1);
        pv_row_table_scroll_to (self->table, position + 1, TRUE);
    } else if (is_out && row->is_expanded) {
        pv_tree_model_collapse (self->model, position);
    } else if (is_out && row->parent != G_MAXUINT32) {
        uint32_t parent = pv_tree_model_find (self->model, row->parent);
        pv_row_table_select (self->table, parent);
        pv_row_table_scroll_to (self->table, parent, TRUE);
    }
    return GDK_EVENT_STOP;
}

/* The document */

static gboolean
show_self_column (gpointer user)
{
    PvTreePage *self = user;

    if (self->document != NULL)
        pv_row_table_set_wanted (self->table, pv_column_set_get_column (self->columns, COLUMN_SELF),
                                 !is_bottom_up (self));
    return G_SOURCE_REMOVE;
}

static void
show_tree (PvTreePage *self)
{
    const PvDocumentData *data = pv_document_get (self->document);
    PvCallTree *old = self->tree;
    gboolean had_focus = pv_row_table_has_focus (self->table);

    self->is_stale = FALSE;
    if (data->tree == NULL)
        return;
    self->is_following = TRUE;
    pv_row_table_select (self->table, GTK_INVALID_LIST_POSITION);
    self->tree = pv_call_tree_ref (data->tree);
    pv_tree_model_set_tree (self->model, self->tree, is_bottom_up (self));
    self->is_following = FALSE;
    pv_clear_later (&old, pv_call_tree_free);
    pv_column_set_update (self->columns, self->tree->profile, self->tree->query.measure);
    request_sums (self);
    /* Bottom up, the cost of a root is the self cost of its function, divided among callers below
     * it: one column is enough. Later, as GTK makes or frees all cells of the column at once. */
    g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, show_self_column, g_object_ref (self),
                     g_object_unref);
    gtk_column_view_column_set_title (pv_column_set_get_column (self->columns, COLUMN_TOTAL),
                                      is_bottom_up (self) ? _ ("Self") : _ ("Total"));
    gtk_label_set_text (self->hint_label,
                        is_bottom_up (self)
                            ? _ ("Functions by self cost, with their callers inside")
                            : _ ("From the start of each thread to the functions it called"));
    follow_document (self);
    if (had_focus)
        pv_row_table_keep_focus (self->table);
}

static void
on_document_changed (PvTreePage *self, guint what)
{
    if (what & PV_CHANGED_TREE)
        self->is_stale = TRUE;
    if (!gtk_widget_get_mapped (GTK_WIDGET (self))) {
        self->is_stale |= (what & PV_CHANGED_SEARCH) != 0;
        return;
    }
    if (self->is_stale)
        show_tree (self);
    else if (what & PV_CHANGED_SELECTION)
        follow_document (self);
    if (what & PV_CHANGED_SEARCH)
        pv_row_table_update_column (self->table,
                                    pv_column_set_get_column (self->columns, COLUMN_NAME));
}

static void
pv_tree_page_map (GtkWidget *widget)
{
    PvTreePage *self = PV_TREE_PAGE (widget);

    GTK_WIDGET_CLASS (pv_tree_page_parent_class)->map (widget);
    if (self->is_stale)
        show_tree (self);
    else
        follow_document (self);
}

static gboolean
pv_tree_page_grab_focus (GtkWidget *widget)
{
    PvTreePage *self = PV_TREE_PAGE (widget);
    return pv_row_table_grab_focus (self->table);
}

/* Object */

static void
pv_tree_page_dispose (GObject *object)
{
    PvTreePage *self = PV_TREE_PAGE (object);
    GtkWidget *child;

    if (self->table != NULL) {
        g_signal_handlers_disconnect_by_data (pv_tree_model_get_list (self->model), self);
    }
    while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
        gtk_widget_unparent (child);
    g_clear_object (&self->table);
    g_clear_pointer (&self->sums_task, pv_task_close);
    pv_clear_later (&self->sums, pv_node_sums_unref);
    g_clear_pointer (&self->model, pv_tree_model_free);
    pv_clear_later (&self->tree, pv_call_tree_free);
    g_clear_object (&self->document);
    G_OBJECT_CLASS (pv_tree_page_parent_class)->dispose (object);
}

static void
pv_tree_page_finalize (GObject *object)
{
    pv_column_set_free (PV_TREE_PAGE (object)->columns);
    G_OBJECT_CLASS (pv_tree_page_parent_class)->finalize (object);
}

static void
pv_tree_page_class_init (PvTreePageClass *class)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

    G_OBJECT_CLASS (class)->dispose = pv_tree_page_dispose;
    G_OBJECT_CLASS (class)->finalize = pv_tree_page_finalize;
    widget_class->map = pv_tree_page_map;
    widget_class->focus = pv_focus_children;
    widget_class->grab_focus = pv_tree_page_grab_focus;
    gtk_widget_class_install_action (widget_class, "tree.expand-hot-path", NULL, expand_hot_path);
    gtk_widget_class_set_template_from_resource (widget_class,
                                                 "/org/profview/Profview/tree-page.ui");
    gtk_widget_class_bind_template_child (widget_class, PvTreePage, view);
    gtk_widget_class_bind_template_child (widget_class, PvTreePage, columns_button);
    gtk_widget_class_bind_template_child (widget_class, PvTreePage, bottom_up_button);
    gtk_widget_class_bind_template_child (widget_class, PvTreePage, hint_label);
}

static void
add_columns (PvTreePage *self)
{
    static const PvColumnSetClass class = {bind_text, bind_amount, bind_value, NULL, FALSE};
    static const PvColumnSpec columns[] = {
        [COLUMN_SELF] = {{PV_FIELD_SELF, PV_MEASURE_SHOWN}, N_ ("Self"), "self", 180, TRUE},
        [COLUMN_TOTAL] = {{PV_FIELD_TOTAL, PV_MEASURE_SHOWN}, N_ ("Total"), "total", 180, TRUE},
        [COLUMN_SAMPLES] =
            {{PV_FIELD_TOTAL, PV_MEASURE_SAMPLES}, N_ ("Samples"), "samples", 150, FALSE},
        [COLUMN_MODULE] = {{PV_FIELD_MODULE, 0}, N_ ("Module"), "module", 170, TRUE},
        [COLUMN_PACKAGE] = {{PV_FIELD_PACKAGE, 0}, N_ ("Package"), "package", 130, FALSE},
        [COLUMN_PLACE] = {{PV_FIELD_PLACE, 0}, N_ ("File and line"), "place", 170, FALSE},
    };

    self->columns = pv_column_set_new (self->table, &class);
    pv_column_set_add_name (self->columns, make_name_cell, bind_name);
    pv_column_set_add (self->columns, columns + COLUMN_SELF, G_N_ELEMENTS (columns) - COLUMN_SELF);
    pv_row_table_set_wanted (self->table, pv_column_set_get_column (self->columns, COLUMN_SAMPLES),
                             FALSE);
}

static void
pv_tree_page_init (PvTreePage *self)
{
    GtkEventController *keys = gtk_event_controller_key_new ();

    gtk_widget_init_template (GTK_WIDGET (self));
    self->model = pv_tree_model_new (&model_events, self);
    self->table =
        pv_row_table_new (self->view, PV_ROW_MODEL (pv_tree_model_get_list (self->model)), self);
    g_signal_connect_object (pv_tree_model_get_list (self->model), "filled",
                             G_CALLBACK (follow_document), self, G_CONNECT_SWAPPED);
    add_columns (self);
    pv_row_table_set_tip_func (self->table, get_tip);
    pv_row_table_finish (self->table, TRUE);
    pv_table_columns_add (self->table, "tree-columns", self->columns_button);
    self->sums_task = pv_node_sums_task_new (self, on_sums);
    g_signal_connect_object (self->table, "choices-changed", G_CALLBACK (request_sums), self,
                             G_CONNECT_SWAPPED);
    g_signal_connect_swapped (pv_row_table_get_model (self->table), "selection-changed",
                              G_CALLBACK (on_selected), self);
    g_signal_connect_swapped (self->view, "activate", G_CALLBACK (on_activated), self);
    g_signal_connect_swapped (self->bottom_up_button, "toggled", G_CALLBACK (show_tree), self);
    gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
    g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (on_key), self);
    gtk_widget_add_controller (GTK_WIDGET (self->view), keys);
}

GtkWidget *
pv_tree_page_new (PvDocument *document)
{
    PvTreePage *self = g_object_new (PV_TYPE_TREE_PAGE, NULL);

    g_assert (PV_IS_DOCUMENT (document));
    self->document = g_object_ref (document);
    pv_table_menu_add (GTK_WIDGET (self), self->table, "functions", document, make_text);
    self->is_stale = TRUE;
    g_signal_connect_object (document, "changed", G_CALLBACK (on_document_changed), self,
                             G_CONNECT_SWAPPED);
    return GTK_WIDGET (self);
}
