/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/pages/tree-page.h"

#include <glib/gi18n.h>

#include "app/pages/table-menu.h"
#include "app/tables/column-set.h"
#include "app/tables/formula-menu.h"
#include "app/tables/row-table.h"
#include "app/tables/search-mark.h"
#include "app/tables/table-columns.h"
#include "app/tables/tree-model.h"
#include "app/view/empty-view.h"
#include "app/widgets/actions.h"
#include "app/widgets/setup.h"
#include "app/widgets/text-cell.h"
#include "app/work/settings.h"
#include "app/work/work.h"
#include "core/analyze/renames/renames.h"

#define INDENT_PX      16
#define MIN_NAME_CHARS 16 /* deep rows scroll sideways */

struct _PvTreePage {
    PvView base;

    GtkColumnView *view;
    PvRowTable *table;
    PvColumnSet *columns;
    GtkMenuButton *columns_button;
    AdwBin *switch_place;
    gboolean is_bottom_up;
    GtkLabel *hint_label;
    PvView *empty_view;
    PvTreeModel *model;
    gboolean is_following; /* the selection follows the document */
    gboolean shows_top;    /* scroll to the top, as the user has requested another order */
};

G_DEFINE_FINAL_TYPE (PvTreePage, pv_tree_page, PV_TYPE_VIEW)

/* Whose rows the model shows; NULL: none yet. */
static const PvCallTree *
get_tree (PvTreePage *self)
{
    const PvTreeRows *rows = pv_tree_model_get_rows (self->model);

    return rows != NULL ? rows->tree : NULL;
}

/* FALSE: none, or it has no row yet. */
static gboolean
get_selected_row (PvTreePage *self, PvTreeRow *ret_row)
{
    return pv_tree_model_get_row (self->model, pv_row_table_get_selected_key (self->table),
                                  ret_row);
}

/* Cells */

static void
toggle (PvTreePage *self, uint32_t position)
{
    if (pv_tree_model_is_expanded (self->model, pv_tree_model_get_key (self->model, position)))
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
show_expander (GtkWidget *cell, gboolean has_children, gboolean is_expanded)
{
    GtkWidget *expander = gtk_widget_get_first_child (cell);
    const char *icon = is_expanded ? "pan-down-symbolic" : "pan-end-symbolic";

    if (g_strcmp0 (gtk_image_get_icon_name (GTK_IMAGE (expander)), icon) != 0)
        gtk_image_set_from_icon_name (GTK_IMAGE (expander), icon);
    gtk_widget_set_opacity (expander, has_children ? 1 : 0);
    gtk_widget_set_can_target (expander, has_children);
    gtk_accessible_update_state (GTK_ACCESSIBLE (cell), GTK_ACCESSIBLE_STATE_EXPANDED,
                                 has_children ? is_expanded : -1, -1);
}

/* A PvGetRowFunc for the column set. */
static bool
get_column_row (gconstpointer owner, uint32_t key, PvRow *ret_row)
{
    const PvTreeRows *rows = pv_tree_model_get_rows (((const PvTreePage *)owner)->model);

    return rows != NULL && pv_tree_rows_get_row (rows, key, ret_row);
}

static void
bind_name (gpointer owner, GtkWidget *cell, uint32_t key, guint number)
{
    static const PvColumn column = {PV_COLUMN_NAME};
    PvTreePage *self = owner;
    GtkWidget *label = gtk_widget_get_last_child (cell);
    g_autofree char *name = NULL;
    PvTreeRow row;
    PvRow values;
    PvValue value;

    if (!pv_tree_model_get_row (self->model, key, &row) || !get_column_row (self, key, &values)) {
        pv_text_cell_set_text (PV_TEXT_CELL (label), NULL);
        gtk_widget_set_opacity (gtk_widget_get_first_child (cell), 0);
        return;
    }
    gtk_widget_set_margin_start (cell, (int)MIN (row.depth, 200) * INDENT_PX);
    value = pv_column_get (&column, &values);
    name = pv_value_format (&value);
    pv_text_cell_set_text (PV_TEXT_CELL (label), name);
    pv_search_mark (label, self->base.document, row.function);
    pv_noise_show (label, pv_row_is_noise (&values));
    show_expander (cell, row.has_children, pv_tree_model_is_expanded (self->model, key));
}

static char *
get_tip (gpointer owner, uint32_t key)
{
    PvTreePage *self = owner;
    const PvCallTree *tree = get_tree (self);
    PvTreeRow row;

    if (!pv_tree_model_get_row (self->model, key, &row))
        return NULL;
    return row.function != 0 ? pv_renames_make_tip (tree->symbols, row.function)
                             : g_strdup (pv_call_tree_get_name (tree, row.node));
}

/* Other measures */

static void
on_sums_changed (gpointer user)
{
    PvTreePage *self = user;
    const PvTreeRows *rows = pv_tree_model_get_rows (self->model);
    gboolean has_changes = pv_tree_has_changes (rows->tree);

    pv_table_columns_set_noise (self->table, pv_tree_rows_have_noise (rows));
    for (guint i = 0; i < pv_column_set_get_n (self->columns); i++) {
        const PvColumn *column = pv_column_set_get (self->columns, i);
        /* Words of a row that is noise are dim. */
        if (has_changes || pv_column_needs_sums (column, rows->tree))
            pv_row_table_update_column (self->table, pv_column_set_get_column (self->columns, i));
    }
}

/* Sums for the columns that are chosen. */
static void
want_sums (PvTreePage *self)
{
    g_autoptr (GArray) measures = pv_column_set_list_measures (self->columns);

    pv_tree_model_set_measures (self->model, measures);
}

/* Order */

static gboolean
hides_noise (PvTreePage *self)
{
    const PvCallTree *tree = pv_document_get (self->base.document)->answer->tree;

    return tree != NULL && pv_tree_has_changes (tree) &&
           g_settings_get_boolean (pv_settings_get (), "noise-hidden");
}

static void
set_order (PvTreePage *self)
{
    PvTreeOrder order;

    order.column = pv_column_set_copy_sorted (self->columns, &order.is_descending);
    order.hides_noise = hides_noise (self);
    pv_tree_model_set_order (self->model, &order);
    pv_column_clear (&order.column);
}

static void
on_sort_changed (PvTreePage *self)
{
    self->shows_top = TRUE;
    set_order (self);
}

static void
on_reordered (gpointer user)
{
    PvTreePage *self = user;

    if (self->shows_top && g_list_model_get_n_items (pv_tree_model_get_list (self->model)) > 0)
        pv_row_table_scroll_to (self->table, 0, FALSE);
    self->shows_top = FALSE;
}

/* Text */

static PvTableText *
make_text (GtkWidget *page, gboolean is_selection)
{
    PvTreePage *self = PV_TREE_PAGE (page);
    PvRowModel *list = pv_row_table_get_model (self->table);
    GtkBitset *selected = pv_row_model_get_all_selected (list);
    const PvTreeRows *rows = pv_tree_model_get_rows (self->model);

    if (rows == NULL || rows->siblings->len == 0 ||
        (is_selection && gtk_bitset_is_empty (selected)))
        return NULL;
    return pv_column_set_write (self->columns, rows->tree, pv_tree_rows_copy (rows),
                                pv_tree_rows_free, pv_tree_rows_get_row,
                                pv_row_model_get_keys (list), pv_row_model_get_n_rows (list),
                                is_selection ? selected : NULL);
}

static void
on_row_changed (gpointer user, uint32_t position)
{
    PvTreePage *self = user;

    pv_row_table_update_cell (self->table, pv_column_set_get_column (self->columns, 0), position);
}

/* The answer is another tree, with the row expanded. */
static void
on_open_node (gpointer user, PvNodeId node)
{
    PvTreePage *self = user;

    if (get_tree (self) == pv_document_get (self->base.document)->answer->tree)
        pv_document_open (self->base.document, node);
}

static void on_hot_path_found (gpointer user, uint32_t position);

static const PvTreeModelEvents model_events = {on_row_changed, on_open_node, on_hot_path_found,
                                               on_sums_changed, on_reordered};

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
    const PvDocumentData *data = pv_document_get (self->base.document);
    uint32_t position = G_MAXUINT32;
    PvTreeRow current;

    if (get_tree (self) == NULL || get_tree (self) != data->answer->tree)
        return;
    if (get_selected_row (self, &current) && data->look.function != 0 &&
        (data->look.is_inverted || self->is_bottom_up ? current.function == data->look.function
                                                      : current.node == data->look.selected))
        return;
    if (!data->look.is_inverted && data->look.selected != PV_NODE_NONE)
        position = pv_tree_model_reveal (self->model, data->look.selected);
    /* A row that is not in the list model yet is selected when that is filled. */
    if (position >= g_list_model_get_n_items (pv_tree_model_get_list (self->model)))
        position = GTK_INVALID_LIST_POSITION;
    select_position (self, position);
}

static void
on_selected (PvTreePage *self)
{
    const PvDocumentData *data = pv_document_get (self->base.document);
    PvTreeRow row;

    if (self->is_following || get_tree (self) != data->answer->tree ||
        !get_selected_row (self, &row))
        return;
    if (self->is_bottom_up || data->look.is_inverted)
        pv_document_select_function (self->base.document, row.function);
    else
        pv_document_select_node (self->base.document, row.node);
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
    const PvDocumentData *data = pv_document_get (self->base.document);
    PvTreeRow row;

    if (position < g_list_model_get_n_items (pv_tree_model_get_list (self->model))) {
        pv_row_table_select (self->table, position);
        pv_row_table_scroll_to (self->table, position, TRUE);
    } else if (pv_tree_model_get_row (self->model, pv_tree_model_get_key (self->model, position),
                                      &row) &&
               row.node != PV_NODE_NONE && get_tree (self) == data->answer->tree &&
               !data->look.is_inverted) {
        pv_document_select_node (self->base.document, row.node);
    }
}

static void
expand_hot_path (PvTreePage *self)
{
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
    gboolean is_expanded;
    PvTreeRow row;

    if ((state & (GDK_CONTROL_MASK | GDK_ALT_MASK)) || (!is_out && !is_in))
        return GDK_EVENT_PROPAGATE;
    if ((state & GDK_SHIFT_MASK) && is_in && key != GDK_KEY_plus) {
        gtk_widget_activate_action (GTK_WIDGET (self), "tree.expand-hot-path", NULL);
        return GDK_EVENT_STOP;
    }
    if (position == GTK_INVALID_LIST_POSITION)
        return GDK_EVENT_PROPAGATE;
    if (!get_selected_row (self, &row))
        return GDK_EVENT_STOP;
    is_expanded =
        pv_tree_model_is_expanded (self->model, pv_tree_model_get_key (self->model, position));
    if (is_in && row.has_children && !is_expanded) {
        pv_tree_model_expand (self->model, position);
    } else if (is_in && is_expanded &&
               position + 1 < g_list_model_get_n_items (pv_tree_model_get_list (self->model))) {
        pv_row_table_select (self->table, position + 1);
        pv_row_table_scroll_to (self->table, position + 1, TRUE);
    } else if (is_out && is_expanded) {
        pv_tree_model_collapse (self->model, position);
    } else if (is_out && row.parent != G_MAXUINT32) {
        uint32_t parent = pv_tree_model_find (self->model, row.parent);
        pv_row_table_select (self->table, parent);
        pv_row_table_scroll_to (self->table, parent, TRUE);
    }
    return GDK_EVENT_STOP;
}

/* The document */

static gboolean
show_self_columns (gpointer user)
{
    PvTreePage *self = user;

    if (self->base.document != NULL)
        pv_column_set_show_self (self->columns, !self->is_bottom_up);
    return G_SOURCE_REMOVE;
}

static void
on_noise_hidden (PvTreePage *self)
{
    pv_view_update (PV_VIEW (self), PV_CHANGED_COMPARISON);
}

static const char *
get_hint (PvTreePage *self, const PvProfile *profile)
{
    if (pv_profile_has_sections (profile))
        return self->is_bottom_up ? _ ("Functions by size, and where each is")
                                  : _ ("From the sections of the file to the functions in them");
    return self->is_bottom_up ? _ ("Functions by self cost, with their callers inside")
                              : _ ("From the start of each thread to the functions it called");
}

static void
show_tree (PvTreePage *self)
{
    PvCallTree *tree = pv_document_get (self->base.document)->answer->tree;
    gboolean had_focus = pv_row_table_has_focus (self->table);

    if (tree == NULL)
        return;
    pv_column_set_update (self->columns, tree);
    pv_column_set_name_totals (self->columns, self->is_bottom_up);
    set_order (self);
    self->shows_top = FALSE;
    self->is_following = TRUE;
    pv_row_table_select (self->table, GTK_INVALID_LIST_POSITION);
    pv_tree_model_set_tree (self->model, tree, self->is_bottom_up);
    self->is_following = FALSE;
    want_sums (self);
    /* Bottom up, the cost of a root is the self cost of its function, divided among callers below
     * it: one column is enough. Later, as GTK makes or frees all cells of the column at once. */
    g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, show_self_columns, g_object_ref (self),
                     g_object_unref);
    gtk_label_set_text (self->hint_label, get_hint (self, tree->profile));
    follow_document (self);
    if (had_focus)
        pv_row_table_keep_focus (self->table);
}

static void
pv_tree_page_changed (PvView *view, guint what)
{
    PvTreePage *self = PV_TREE_PAGE (view);

    if (what & PV_CHANGED_TREE)
        show_tree (self);
    else if (what & PV_CHANGED_COMPARISON)
        set_order (self);
    if ((what & (PV_CHANGED_TREE | PV_CHANGED_SELECTION)) == PV_CHANGED_SELECTION)
        follow_document (self);
    if (what & PV_CHANGED_SEARCH)
        pv_row_table_update_column (self->table, pv_column_set_get_column (self->columns, 0));
}

static gboolean
pv_tree_page_grab_focus (GtkWidget *widget)
{
    PvTreePage *self = PV_TREE_PAGE (widget);

    /* From an empty list, Tab would not lead to the ways on. */
    return gtk_widget_grab_focus (GTK_WIDGET (self->empty_view)) ||
           pv_row_table_grab_focus (self->table);
}

/* Object */

static void
pv_tree_page_begin (PvView *view)
{
    PvTreePage *self = PV_TREE_PAGE (view);

    pv_view_set_document (self->empty_view, view->document);
    pv_table_menu_add (GTK_WIDGET (self), self->table, TRUE, view->document, make_text);
    pv_formula_menu_install (GTK_WIDGET (self), self->table, self->columns, view->document);
}

static void
pv_tree_page_describe_command (PvView *view, PvCommand *command)
{
    command->options[0] = "--print=tree";
    pv_column_set_describe_command (PV_TREE_PAGE (view)->columns, command);
}

static void
pv_tree_page_end (PvView *view)
{
    PvTreePage *self = PV_TREE_PAGE (view);

    if (self->table != NULL) {
        g_signal_handlers_disconnect_by_data (pv_tree_model_get_list (self->model), self);
    }
    g_clear_object (&self->table);
    g_clear_pointer (&self->model, pv_tree_model_free);
}

static void
pv_tree_page_finalize (GObject *object)
{
    pv_column_set_free (PV_TREE_PAGE (object)->columns);
    G_OBJECT_CLASS (pv_tree_page_parent_class)->finalize (object);
}

static AdwBin *
pv_tree_page_get_switch_place (PvView *view)
{
    return PV_TREE_PAGE (view)->switch_place;
}

static const char *
pv_tree_page_get_shape (PvView *view)
{
    return PV_TREE_PAGE (view)->is_bottom_up ? "bottom-up" : "tree";
}

static void
pv_tree_page_show_shape (PvView *view, const char *id)
{
    PV_TREE_PAGE (view)->is_bottom_up = g_str_equal (id, "bottom-up");
    show_tree (PV_TREE_PAGE (view));
    pv_view_shape_changed (view);
}

static void
pv_tree_page_class_init (PvTreePageClass *class)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

    PV_VIEW_CLASS (class)->end = pv_tree_page_end;
    PV_VIEW_CLASS (class)->begin = pv_tree_page_begin;
    PV_VIEW_CLASS (class)->changed = pv_tree_page_changed;
    PV_VIEW_CLASS (class)->describe_command = pv_tree_page_describe_command;
    PV_VIEW_CLASS (class)->get_switch_place = pv_tree_page_get_switch_place;
    PV_VIEW_CLASS (class)->get_shape = pv_tree_page_get_shape;
    PV_VIEW_CLASS (class)->show_shape = pv_tree_page_show_shape;
    PV_VIEW_CLASS (class)->shows_selected_function = TRUE;
    G_OBJECT_CLASS (class)->finalize = pv_tree_page_finalize;
    widget_class->grab_focus = pv_tree_page_grab_focus;
    pv_class_add_action (widget_class, "tree.expand-hot-path", NULL, expand_hot_path);
    PV_SET_TEMPLATE (widget_class, "tree-page", PV_TYPE_EMPTY_VIEW);
    PV_BIND_CHILDREN (widget_class, PvTreePage, view, columns_button, switch_place, hint_label,
                      empty_view);
}

static void
pv_tree_page_init (PvTreePage *self)
{
    gtk_widget_init_template (GTK_WIDGET (self));
    self->model = pv_tree_model_new (&model_events, self);
    self->table =
        pv_row_table_new (self->view, PV_ROW_MODEL (pv_tree_model_get_list (self->model)), self);
    pv_connect (pv_tree_model_get_list (self->model), "filled", follow_document, self);
    self->columns = pv_column_set_new (self->table, PV_TABLE_TREE, C_ ("column", "Function"),
                                       make_name_cell, bind_name, get_column_row, self);
    pv_row_table_set_tip_func (self->table, get_tip);
    pv_row_table_finish (self->table, TRUE);
    pv_table_columns_add (self->table, "tree-columns", self->columns_button);
    pv_connect (pv_settings_get (), "changed::noise-hidden", on_noise_hidden, self);
    gtk_column_view_sort_by_column (
        self->view, pv_column_set_find_kind (self->columns, PV_COLUMN_TOTAL, PV_SHOW_AMOUNT),
        GTK_SORT_DESCENDING);
    pv_connect (self->table, "sort-changed", on_sort_changed, self);
    pv_connect (self->table, "choices-changed", want_sums, self);
    pv_connect (self->table, "columns-changed", want_sums, self);
    pv_connect (pv_row_table_get_model (self->table), "selection-changed", on_selected, self);
    pv_connect (self->view, "activate", on_activated, self);
    pv_add_keys (GTK_WIDGET (self->view), GTK_PHASE_CAPTURE, on_key, self);
}
