/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/tables/row-table-private.h"

#include <glib/gi18n.h>

#include "app/widgets/accessible.h"
#include "app/widgets/amount-cell.h"
#include "app/widgets/focus.h"
#include "app/widgets/style.h"
#include "app/widgets/text-cell.h"

#define MAX_TOOLTIP_CHARS 600
#define MIN_NAME_CHARS    16 /* a narrower table scrolls sideways */
#define N_CONTEXT         4  /* rows before and after the one that is scrolled to */

enum { CHOICES_CHANGED, COLUMNS_CHANGED, SORT_CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (PvRowTable, pv_row_table, G_TYPE_OBJECT)

/* Cells */

/* The cell itself cannot have the focus, its row can. */
static GtkWidget *
get_row_widget (GtkListItem *item)
{
    GtkWidget *widget = gtk_list_item_get_child (item);

    while (widget != NULL && !gtk_widget_get_focusable (widget))
        widget = gtk_widget_get_parent (widget);
    return widget;
}

static void
append_texts (GString *text, GtkWidget *widget)
{
    const char *own = PV_IS_AMOUNT_CELL (widget) ? pv_amount_cell_get_text (PV_AMOUNT_CELL (widget))
                      : PV_IS_TEXT_CELL (widget) ? pv_text_cell_get_text (PV_TEXT_CELL (widget))
                                                 : NULL;

    if (own != NULL)
        g_string_append (text, own);
    for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
         child = gtk_widget_get_next_sibling (child))
        append_texts (text, child);
}

/* Screen readers say the name of the row that has the focus, which would be "GtkListItemWidget". */
static void
name_row (GtkListItem *item)
{
    GtkWidget *row = get_row_widget (item);
    g_autoptr (GString) text = g_string_new (NULL);

    append_texts (text, gtk_list_item_get_child (item));
    if (row != NULL)
        pv_accessible_set_name (row, text->str);
}

static void
bind_item (PvTableColumn *column, GtkListItem *item)
{
    PvRowTable *self = column->table;

    GtkWidget *cell = gtk_list_item_get_child (item);
    uint32_t key = pv_row_model_get_key (self->model, gtk_list_item_get_position (item));

    column->bind (column->binder != NULL ? column->binder : self->owner, cell, key, column->number);
    if (column == self->columns->pdata[0])
        name_row (item);
}

static void
on_setup (PvTableColumn *column, GtkListItem *item)
{
    GtkWidget *cell;

    if (column->make != NULL)
        cell = column->make (column->table->owner, item);
    else if (column->kind == PV_SHAPE_TEXT)
        cell = pv_text_cell_new (MIN_NAME_CHARS);
    else
        cell = pv_amount_cell_new ();
    gtk_list_item_set_child (item, cell);
    /* In GTK 4.8 both the cell and its row would handle a click, and Ctrl would toggle twice. */
    gtk_list_item_set_selectable (item, FALSE);
    gtk_list_item_set_activatable (item, FALSE);
}

static void
on_bind (PvTableColumn *column, GtkListItem *item)
{
    g_hash_table_add (column->items, item);
    bind_item (column, item);
}

static void
on_unbind (PvTableColumn *column, GtkListItem *item)
{
    g_hash_table_remove (column->items, item);
}

PvTableColumn *
pv_row_table_find_column (PvRowTable *self, GtkColumnViewColumn *wanted)
{
    for (guint i = 0; i < self->columns->len; i++) {
        PvTableColumn *column = self->columns->pdata[i];
        if (column->column == wanted)
            return column;
    }
    g_assert_not_reached ();
}

/* The cell of a row, NULL if it is not on screen: GTK binds a few rows around those that are. */
static GtkListItem *
find_item (PvTableColumn *column, guint position)
{
    GHashTableIter iter;
    gpointer item;

    g_hash_table_iter_init (&iter, column->items);
    while (g_hash_table_iter_next (&iter, &item, NULL))
        if (gtk_list_item_get_position (item) == position)
            return item;
    return NULL;
}

static void
update_column (PvTableColumn *column)
{
    GHashTableIter iter;
    gpointer item;

    g_hash_table_iter_init (&iter, column->items);
    while (g_hash_table_iter_next (&iter, &item, NULL))
        bind_item (column, item);
}

void
pv_row_table_update_column (PvRowTable *self, GtkColumnViewColumn *column)
{
    update_column (pv_row_table_find_column (self, column));
}

void
pv_row_table_update_cell (PvRowTable *self, GtkColumnViewColumn *column, guint position)
{
    PvTableColumn *known = pv_row_table_find_column (self, column);
    GtkListItem *item = find_item (known, position);

    if (item != NULL)
        bind_item (known, item);
}

/* Columns */

static void
free_column (gpointer data)
{
    PvTableColumn *column = data;

    g_signal_handlers_disconnect_by_data (gtk_column_view_column_get_factory (column->column),
                                          column);
    g_signal_handlers_disconnect_by_data (column->column, column);
    /* Its sorter calls us. */
    gtk_column_view_column_set_sorter (column->column, NULL);
    g_object_unref (column->column);
    g_hash_table_unref (column->items);
    g_free (column->id);
    g_free (column->tip);
    g_free (column);
}

GtkColumnViewColumn *
pv_row_table_add (PvRowTable *self, const PvColumnShape *shape, guint number)
{
    GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
    PvTableColumn *column = g_new0 (PvTableColumn, 1);

    g_assert (PV_IS_ROW_TABLE (self) && shape->width >= 0 && shape->bind != NULL);
    column->table = self;
    column->column = gtk_column_view_column_new (shape->title, factory);
    column->kind = shape->kind;
    column->width = column->default_width =
        (int)(shape->width * pv_style_get_text_scale (GTK_WIDGET (self->view)));
    column->make = shape->make;
    column->bind = shape->bind;
    column->number = number;
    column->is_wanted = column->is_chosen = column->is_default = TRUE;
    column->items = g_hash_table_new (NULL, NULL);
    g_ptr_array_add (self->columns, column);
    g_signal_connect_swapped (factory, "setup", G_CALLBACK (on_setup), column);
    g_signal_connect_swapped (factory, "bind", G_CALLBACK (on_bind), column);
    g_signal_connect_swapped (factory, "unbind", G_CALLBACK (on_unbind), column);
    gtk_column_view_column_set_resizable (column->column, shape->width > 0);
    if (shape->width > 0)
        gtk_column_view_column_set_fixed_width (column->column, column->width);
    else
        gtk_column_view_column_set_expand (column->column, TRUE);
    g_signal_connect_swapped (column->column, "notify::fixed-width",
                              G_CALLBACK (pv_row_table_choose_width), column);
    self->is_fitting = TRUE;
    gtk_column_view_column_set_visible (column->column, FALSE);
    gtk_column_view_append_column (self->view, column->column);
    self->is_fitting = FALSE;
    return column->column;
}

void
pv_row_table_add_all (PvRowTable *self, const PvColumnShape *shapes, guint n,
                      GtkColumnViewColumn **ret_columns)
{
    for (guint i = 0; i < n; i++) {
        PvColumnShape shape = shapes[i];
        shape.title = g_dpgettext2 (GETTEXT_PACKAGE, "column", shape.title);
        ret_columns[i] = pv_row_table_add (self, &shape, i);
    }
    pv_row_table_finish (self, FALSE);
}

void
pv_row_table_set_binder (PvRowTable *self, GtkColumnViewColumn *column, gpointer binder)
{
    g_assert (PV_IS_ROW_TABLE (self) && binder != NULL);
    pv_row_table_find_column (self, column)->binder = binder;
}

/* Rows on screen */

static GtkListItem *
find_item_at (PvRowTable *self, double x, double y)
{
    PvTableColumn *first = self->columns->pdata[0];
    GtkWidget *widget = gtk_widget_pick (GTK_WIDGET (self->view), x, y, GTK_PICK_DEFAULT);
    GHashTableIter iter;
    gpointer item;

    while (widget != NULL && widget != GTK_WIDGET (self->view) &&
           !gtk_widget_get_focusable (widget))
        widget = gtk_widget_get_parent (widget);
    if (widget == NULL)
        return NULL;
    g_hash_table_iter_init (&iter, first->items);
    while (g_hash_table_iter_next (&iter, &item, NULL))
        if (get_row_widget (item) == widget)
            return item;
    return NULL;
}

guint
pv_row_table_find_row (PvRowTable *self, double x, double y)
{
    GtkListItem *item = find_item_at (self, x, y);

    g_assert (PV_IS_ROW_TABLE (self));
    return item != NULL ? gtk_list_item_get_position (item) : GTK_INVALID_LIST_POSITION;
}

static gboolean
get_bounds (PvRowTable *self, GtkWidget *widget, GdkRectangle *ret_bounds)
{
    graphene_rect_t bounds;

    if (widget == NULL || !gtk_widget_get_mapped (widget) ||
        !gtk_widget_compute_bounds (widget, GTK_WIDGET (self->view), &bounds))
        return FALSE;
    *ret_bounds = (GdkRectangle){(int)bounds.origin.x, (int)bounds.origin.y, (int)bounds.size.width,
                                 (int)bounds.size.height};
    return TRUE;
}

gboolean
pv_row_table_get_row_bounds (PvRowTable *self, guint position, GdkRectangle *ret_bounds)
{
    GtkListItem *item = find_item (self->columns->pdata[0], position);

    return item != NULL && get_bounds (self, get_row_widget (item), ret_bounds);
}

static gboolean
on_query_tooltip (PvRowTable *self, int x, int y, gboolean is_keyboard, GtkTooltip *tooltip)
{
    GtkListItem *item = is_keyboard || self->is_menu_open ? NULL : find_item_at (self, x, y);
    g_autofree char *name = NULL;
    GdkRectangle bounds;

    if (item != NULL && get_bounds (self, gtk_list_item_get_child (item), &bounds) &&
        x >= bounds.x && x < bounds.x + bounds.width)
        name = self->get_tip (
            self->owner, pv_row_model_get_key (self->model, gtk_list_item_get_position (item)));
    if (name == NULL)
        return FALSE;
    gtk_tooltip_set_tip_area (tooltip, &bounds);
    if (g_utf8_strlen (name, -1) > MAX_TOOLTIP_CHARS) {
        g_autofree char *start = g_utf8_substring (name, 0, MAX_TOOLTIP_CHARS);
        g_autofree char *shortened = g_strconcat (start, "…", NULL);
        gtk_tooltip_set_text (tooltip, shortened);
    } else {
        gtk_tooltip_set_text (tooltip, name);
    }
    return TRUE;
}

void
pv_row_table_set_tip_func (PvRowTable *self, char *(*get_tip) (gpointer owner, uint32_t key))
{
    g_assert (self->get_tip == NULL && get_tip != NULL);
    self->get_tip = get_tip;
    gtk_widget_set_has_tooltip (GTK_WIDGET (self->view), TRUE);
    pv_connect (self->view, "query-tooltip", on_query_tooltip, self);
}

void
pv_row_table_set_menu_open (PvRowTable *self, gboolean is_open)
{
    self->is_menu_open = is_open;
}

/* Sorting: GTK 4.8 does not tell which column a view is sorted by. So the sorter of the view is
 * asked to compare two rows, and the first column that is called is the one. */

static int
note_column (gconstpointer a, gconstpointer b, gpointer user)
{
    PvTableColumn *column = user;

    if (column->table->asked == NULL)
        column->table->asked = column;
    return -1;
}

void
pv_row_table_make_sortable (PvRowTable *self, GtkColumnViewColumn *column)
{
    g_autoptr (GtkSorter) sorter = GTK_SORTER (
        gtk_custom_sorter_new (note_column, pv_row_table_find_column (self, column), NULL));
    gtk_column_view_column_set_sorter (column, sorter);
}

GtkColumnViewColumn *
pv_row_table_get_sorted (PvRowTable *self, gboolean *ret_descending)
{
    g_autoptr (GObject) a = g_object_new (G_TYPE_OBJECT, NULL);
    g_autoptr (GObject) b = g_object_new (G_TYPE_OBJECT, NULL);
    GtkOrdering order;

    g_assert (PV_IS_ROW_TABLE (self) && ret_descending != NULL);
    self->asked = NULL;
    order = gtk_sorter_compare (gtk_column_view_get_sorter (self->view), a, b);
    *ret_descending = order == GTK_ORDERING_LARGER;
    return self->asked != NULL ? self->asked->column : NULL;
}

/* Amounts are sorted by the largest first. */
static void
on_sorter_changed (PvRowTable *self)
{
    gboolean is_descending;
    GtkColumnViewColumn *column = pv_row_table_get_sorted (self, &is_descending);
    gboolean is_other = column != self->sorted_by;

    if (column == NULL)
        return;
    self->sorted_by = column;
    if (is_other && !is_descending &&
        pv_row_table_find_column (self, column)->kind != PV_SHAPE_TEXT)
        gtk_column_view_sort_by_column (self->view, column, GTK_SORT_DESCENDING);
    else
        g_signal_emit (self, signals[SORT_CHANGED], 0);
}

/* Selection and focus */

guint
pv_row_table_get_selected (PvRowTable *self)
{
    g_assert (PV_IS_ROW_TABLE (self));
    return pv_row_model_get_selected (self->model);
}

uint32_t
pv_row_table_get_selected_key (PvRowTable *self)
{
    guint position = pv_row_table_get_selected (self);

    return position == GTK_INVALID_LIST_POSITION ? G_MAXUINT32
                                                 : pv_row_model_get_key (self->model, position);
}

void
pv_row_table_select (PvRowTable *self, guint position)
{
    g_assert (PV_IS_ROW_TABLE (self));
    if (position < g_list_model_get_n_items (G_LIST_MODEL (self->model)))
        gtk_selection_model_select_item (GTK_SELECTION_MODEL (self->model), position, TRUE);
    else
        gtk_selection_model_unselect_all (GTK_SELECTION_MODEL (self->model));
}

void
pv_row_table_select_for_menu (PvRowTable *self, guint position)
{
    GtkSelectionModel *model = GTK_SELECTION_MODEL (self->model);

    g_assert (PV_IS_ROW_TABLE (self) && position != GTK_INVALID_LIST_POSITION);
    gtk_selection_model_select_item (model, position,
                                     !gtk_selection_model_is_selected (model, position));
}

/* The action belongs to the list inside the view, where the cells are. */
static void
scroll_now (PvRowTable *self, guint position, gboolean grab_focus)
{
    PvTableColumn *first = self->columns->pdata[0];
    GHashTableIter iter;
    gpointer item;
    GtkListItem *target;

    g_hash_table_iter_init (&iter, first->items);
    if (position >= g_list_model_get_n_items (G_LIST_MODEL (self->model)) ||
        !g_hash_table_iter_next (&iter, &item, NULL))
        return;
    gtk_widget_activate_action (gtk_list_item_get_child (item), "list.scroll-to-item", "u",
                                position);
    if (!grab_focus)
        return;
    /* A list that has the focus already would keep it where it is. */
    target = find_item (first, position);
    gtk_widget_grab_focus (target != NULL ? get_row_widget (target) : GTK_WIDGET (self->view));
}

/* The row to scroll to, so that there are some before and after the one at position. */
static guint
add_context (PvRowTable *self, guint position)
{
    GtkAdjustment *adjustment = gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (self->view));
    const guint n_rows = g_list_model_get_n_items (G_LIST_MODEL (self->model));
    const double height = gtk_adjustment_get_upper (adjustment) / MAX (n_rows, 1);
    const double page = gtk_adjustment_get_page_size (adjustment) / MAX (height, 1);
    const double place = position - gtk_adjustment_get_value (adjustment) / MAX (height, 1);

    if (position >= n_rows || page < 3 * N_CONTEXT)
        return position;
    if (place < N_CONTEXT)
        return position - MIN (position, N_CONTEXT);
    return place > page - 1 - N_CONTEXT ? MIN (position + N_CONTEXT, n_rows - 1) : position;
}

static gboolean
scroll_later (gpointer user)
{
    PvRowTable *self = user;
    const gboolean grab_focus = self->scroll_grabs_focus;

    self->scroll_source = 0;
    scroll_now (self,
                grab_focus ? self->scroll_position : add_context (self, self->scroll_position),
                grab_focus);
    return G_SOURCE_REMOVE;
}

void
pv_row_table_scroll_to (PvRowTable *self, guint position, gboolean grab_focus)
{
    g_assert (PV_IS_ROW_TABLE (self) && position != GTK_INVALID_LIST_POSITION);
    g_clear_handle_id (&self->scroll_source, g_source_remove);
    if (gtk_widget_get_height (GTK_WIDGET (self->view)) > 0 && grab_focus) {
        scroll_now (self, position, TRUE);
        return;
    }
    /* A list that was just filled must be allocated first. */
    self->scroll_position = position;
    self->scroll_grabs_focus = grab_focus;
    self->scroll_source = g_timeout_add_full (G_PRIORITY_LOW, 50, scroll_later, self, NULL);
}

gboolean
pv_row_table_has_focus (PvRowTable *self)
{
    g_assert (PV_IS_ROW_TABLE (self));
    return pv_focus_is_within (GTK_WIDGET (self->view));
}

gboolean
pv_row_table_grab_focus (PvRowTable *self)
{
    guint selected = pv_row_table_get_selected (self);

    if (selected == GTK_INVALID_LIST_POSITION)
        return gtk_widget_grab_focus (GTK_WIDGET (self->view));
    pv_row_table_scroll_to (self, selected, TRUE);
    return TRUE;
}

void
pv_row_table_keep_focus (PvRowTable *self)
{
    g_assert (PV_IS_ROW_TABLE (self));
    if (!pv_row_table_has_focus (self))
        pv_row_table_grab_focus (self);
}

/* Rows that end before those on screen would leave GTK to make all its widgets anew. From the top
 * it goes on with those it has. */
static void
scroll_into_rows (PvRowTable *self)
{
    PvTableColumn *first = self->columns->pdata[0];
    guint last = 0;
    GHashTableIter iter;
    gpointer item;

    g_hash_table_iter_init (&iter, first->items);
    while (g_hash_table_iter_next (&iter, &item, NULL))
        last = MAX (last, gtk_list_item_get_position (item));
    if (last > pv_row_model_get_n_rows (self->model) && last > g_hash_table_size (first->items))
        scroll_now (self, 0, FALSE);
}

/* The rows on screen stand for other keys now. */
static void
on_replaced (PvRowTable *self)
{
    scroll_into_rows (self);
    for (guint i = 0; i < self->columns->len; i++)
        update_column (self->columns->pdata[i]);
}

/* Object */

GtkColumnView *
pv_row_table_get_view (PvRowTable *self)
{
    return self->view;
}

PvRowModel *
pv_row_table_get_model (PvRowTable *self)
{
    return self->model;
}

static void
pv_row_table_dispose (GObject *object)
{
    PvRowTable *self = PV_ROW_TABLE (object);

    g_clear_handle_id (&self->scroll_source, g_source_remove);
    g_clear_handle_id (&self->fit_source, g_source_remove);
    if (self->view != NULL) {
        g_signal_handlers_disconnect_by_data (gtk_column_view_get_sorter (self->view), self);
        gtk_column_view_set_model (self->view, NULL);
    }
    g_ptr_array_set_size (self->columns, 0);
    g_clear_pointer (&self->choices, g_variant_unref);
    g_clear_object (&self->model);
    g_clear_object (&self->view);
    G_OBJECT_CLASS (pv_row_table_parent_class)->dispose (object);
}

static void
pv_row_table_finalize (GObject *object)
{
    g_ptr_array_unref (PV_ROW_TABLE (object)->columns);
    G_OBJECT_CLASS (pv_row_table_parent_class)->finalize (object);
}

static void
pv_row_table_class_init (PvRowTableClass *class)
{
    G_OBJECT_CLASS (class)->dispose = pv_row_table_dispose;
    G_OBJECT_CLASS (class)->finalize = pv_row_table_finalize;
    signals[CHOICES_CHANGED] = pv_signal_new (class, "choices-changed", 0);
    signals[COLUMNS_CHANGED] = pv_signal_new (class, "columns-changed", 0);
    signals[SORT_CHANGED] = pv_signal_new (class, "sort-changed", 0);
}

static void
pv_row_table_init (PvRowTable *self)
{
    self->columns = g_ptr_array_new_with_free_func (free_column);
}

PvRowTable *
pv_row_table_new (GtkColumnView *view, PvRowModel *model, gpointer owner)
{
    PvRowTable *self = g_object_new (PV_TYPE_ROW_TABLE, NULL);

    g_assert (GTK_IS_COLUMN_VIEW (view) && PV_IS_ROW_MODEL (model));
    self->view = g_object_ref (view);
    self->model = g_object_ref (model);
    self->owner = owner;
    gtk_column_view_set_model (view, GTK_SELECTION_MODEL (model));
    pv_focus_leave_by_tab (GTK_WIDGET (view));
    pv_connect (model, "replaced", on_replaced, self);
    pv_connect (gtk_column_view_get_sorter (view), "changed", on_sorter_changed, self);
    return self;
}
