/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/widgets/columns.h"

#include "app/widgets/amount-cell.h"
#include "app/widgets/text-cell.h"

#define MAX_TOOLTIP_CHARS 600
#define MIN_NAME_CHARS    16
#define NARROW_WIDTH_PX   560
#define NARROW_AMOUNT_PX  84

typedef struct {
    GtkWidget *(*setup) (gpointer owner);
    PvBindFunc bind;
    gpointer owner;
    GHashTable *items; /* GtkListItem that are bound */
} Binding;

static GtkWidget *
make_text (gpointer owner)
{
    /* Narrower than this, a table scrolls sideways rather than saying nothing. */
    return pv_text_cell_new (MIN_NAME_CHARS);
}

static GtkWidget *
make_amount (gpointer owner)
{
    return pv_amount_cell_new ();
}

static void
on_setup (GtkSignalListItemFactory *factory, GtkListItem *item, Binding *binding)
{
    GtkWidget *cell = binding->setup (binding->owner);

    g_object_set_data (G_OBJECT (cell), "item", item);
    gtk_list_item_set_child (item, cell);
}

static void
on_bind (GtkSignalListItemFactory *factory, GtkListItem *item, Binding *binding)
{
    PvRow *row = gtk_list_item_get_item (item);

    g_hash_table_add (binding->items, item);
    binding->bind (binding->owner, gtk_list_item_get_child (item), pv_row_get_key (row));
}

static void
on_unbind (GtkSignalListItemFactory *factory, GtkListItem *item, Binding *binding)
{
    g_hash_table_remove (binding->items, item);
}

/* Rows that end before those on screen would leave GTK to make all its widgets anew. From the top
 * it goes on with those it has. */
static void
scroll_into (PvRowModel *model, GtkColumnView *view, GHashTable *items)
{
    GtkWidget *list = gtk_widget_get_last_child (GTK_WIDGET (view));
    guint last = 0;
    GHashTableIter iter;
    gpointer item;

    g_hash_table_iter_init (&iter, items);
    while (g_hash_table_iter_next (&iter, &item, NULL))
        last = MAX (last, gtk_list_item_get_position (item));
    if (last > pv_row_model_get_n_rows (model) && last > g_hash_table_size (items))
        gtk_widget_activate_action (list, "list.scroll-to-item", "u", 0);
}

/* The rows on screen stand for others now. */
static void
on_replaced (PvRowModel *model, GtkColumnView *view)
{
    GListModel *columns = gtk_column_view_get_columns (view);
    g_autoptr (GtkColumnViewColumn) first = g_list_model_get_item (columns, 0);
    Binding *first_binding = g_object_get_data (G_OBJECT (first), "binding");

    scroll_into (model, view, first_binding->items);
    for (guint i = 0; i < g_list_model_get_n_items (columns); i++) {
        g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, i);
        Binding *binding = g_object_get_data (G_OBJECT (column), "binding");
        GHashTableIter iter;
        gpointer item;
        g_hash_table_iter_init (&iter, binding->items);
        while (g_hash_table_iter_next (&iter, &item, NULL)) {
            PvRow *row = gtk_list_item_get_item (item);
            pv_row_model_update_row (model, row, gtk_list_item_get_position (item));
            binding->bind (binding->owner, gtk_list_item_get_child (item), pv_row_get_key (row));
        }
    }
}

void
pv_columns_set_model (GtkColumnView *view, PvRowModel *model, GtkSingleSelection *selection)
{
    gtk_column_view_set_model (view, GTK_SELECTION_MODEL (selection));
    g_signal_connect_object (model, "replaced", G_CALLBACK (on_replaced), view, 0);
}

static gboolean
empty_table (GtkColumnView *view)
{
    GtkSelectionModel *selection = gtk_column_view_get_model (view);
    GListModel *model = GTK_IS_SINGLE_SELECTION (selection)
                            ? gtk_single_selection_get_model (GTK_SINGLE_SELECTION (selection))
                            : NULL;

    if (!PV_IS_ROW_MODEL (model))
        return TRUE;
    if (pv_row_model_get_n_rows (PV_ROW_MODEL (model)) > 0)
        pv_row_model_set (PV_ROW_MODEL (model), NULL, 0);
    return g_list_model_get_n_items (model) == 0;
}

gboolean
pv_columns_empty_below (GtkWidget *widget)
{
    gboolean is_empty = TRUE;

    if (GTK_IS_COLUMN_VIEW (widget))
        return empty_table (GTK_COLUMN_VIEW (widget));
    for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
         child = gtk_widget_get_next_sibling (child))
        is_empty &= pv_columns_empty_below (child);
    return is_empty;
}

static void
free_binding (gpointer data, GClosure *closure)
{
    Binding *binding = data;

    g_hash_table_unref (binding->items);
    g_free (binding);
}

/* How much larger than usual the user wants text. */
static double
get_text_scale (GtkColumnView *view)
{
    int dpi = 0;

    g_object_get (gtk_widget_get_settings (GTK_WIDGET (view)), "gtk-xft-dpi", &dpi, NULL);
    return dpi > 0 ? CLAMP (dpi / (96.0 * PANGO_SCALE), 1, 3) : 1;
}

GtkColumnViewColumn *
pv_column_add_custom (GtkColumnView *view, const char *title, int width,
                      GtkWidget *(*setup) (gpointer owner), PvBindFunc bind, gpointer owner)
{
    GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
    GtkColumnViewColumn *column = gtk_column_view_column_new (title, factory);
    Binding *binding = g_new (Binding, 1);

    *binding = (Binding){setup, bind, owner, g_hash_table_new (NULL, NULL)};
    g_object_set_data (G_OBJECT (column), "binding", binding);
    g_signal_connect_data (factory, "setup", G_CALLBACK (on_setup), binding, free_binding, 0);
    g_signal_connect (factory, "bind", G_CALLBACK (on_bind), binding);
    g_signal_connect (factory, "unbind", G_CALLBACK (on_unbind), binding);
    gtk_column_view_column_set_resizable (column, TRUE);
    width = (int)(width * get_text_scale (view));
    g_object_set_data (G_OBJECT (column), "width", GINT_TO_POINTER (width));
    if (width > 0)
        gtk_column_view_column_set_fixed_width (column, width);
    else
        gtk_column_view_column_set_expand (column, TRUE);
    gtk_column_view_append_column (view, column);
    g_object_unref (column); /* the view keeps it */
    return column;
}

GtkColumnViewColumn *
pv_column_add (GtkColumnView *view, PvColumnKind kind, const char *title, int width,
               PvBindFunc bind, gpointer owner)
{
    GtkColumnViewColumn *column = pv_column_add_custom (
        view, title, width, kind == PV_COLUMN_TEXT ? make_text : make_amount, bind, owner);

    if (kind != PV_COLUMN_TEXT)
        g_object_set_data (G_OBJECT (column), "is-right", column);
    if (kind == PV_COLUMN_AMOUNT)
        g_object_set_data (G_OBJECT (column), "is-amount", column);
    return column;
}

/* Not over an open menu of the table. */
static gboolean
on_query_tooltip (GtkWidget *label, int x, int y, gboolean is_keyboard, GtkTooltip *tooltip,
                  gpointer user)
{
    GtkWidget *view = gtk_widget_get_ancestor (label, GTK_TYPE_COLUMN_VIEW);
    const char *name = g_object_get_data (G_OBJECT (label), "name");

    if (name == NULL || view == NULL || g_object_get_data (G_OBJECT (view), "is-menu-open") != NULL)
        return FALSE;
    gtk_tooltip_set_text (tooltip, name);
    return TRUE;
}

void
pv_column_set_name (PvTextCell *cell, const char *short_name, const char *name)
{
    char *shown = g_strdup (name);

    pv_text_cell_set_text (cell, short_name);
    if (name != NULL && g_utf8_strlen (name, -1) > MAX_TOOLTIP_CHARS) {
        g_autofree char *start = g_utf8_substring (name, 0, MAX_TOOLTIP_CHARS);
        g_free (shown);
        shown = g_strconcat (start, "…", NULL);
    }
    g_object_set_data_full (G_OBJECT (cell), "name", shown, g_free);
    if (gtk_widget_get_has_tooltip (GTK_WIDGET (cell)))
        return;
    gtk_widget_set_has_tooltip (GTK_WIDGET (cell), TRUE);
    g_signal_connect (cell, "query-tooltip", G_CALLBACK (on_query_tooltip), NULL);
}

void
pv_columns_set_menu_open (GtkColumnView *view, gboolean is_open)
{
    g_object_set_data (G_OBJECT (view), "is-menu-open", is_open ? view : NULL);
}

/* Rows on screen --------------------------------------------------------------------------------
 */

/* A row of GTK holds cells, and each cell what our setup made. */
static GtkListItem *
get_item (GtkWidget *row)
{
    GtkWidget *cell = gtk_widget_get_first_child (row);
    GtkWidget *content = cell != NULL ? gtk_widget_get_first_child (cell) : NULL;

    return content != NULL ? g_object_get_data (G_OBJECT (content), "item") : NULL;
}

guint
pv_columns_find_row (GtkColumnView *view, double x, double y)
{
    GtkWidget *widget = gtk_widget_pick (GTK_WIDGET (view), x, y, GTK_PICK_DEFAULT);

    for (; widget != NULL && widget != GTK_WIDGET (view); widget = gtk_widget_get_parent (widget)) {
        GtkListItem *item = get_item (widget);
        if (item != NULL)
            return gtk_list_item_get_position (item);
    }
    return GTK_INVALID_LIST_POSITION;
}

/* GTK keeps a few rows that are not shown for later use; those are not mapped. */
static GtkWidget *
find_row_widget (GtkColumnView *view, guint position)
{
    GtkWidget *list = gtk_widget_get_last_child (GTK_WIDGET (view));
    GtkWidget *row = list != NULL ? gtk_widget_get_first_child (list) : NULL;

    for (; row != NULL; row = gtk_widget_get_next_sibling (row)) {
        GtkListItem *item = gtk_widget_get_mapped (row) ? get_item (row) : NULL;
        if (item != NULL && gtk_list_item_get_position (item) == position)
            return row;
    }
    return NULL;
}

static void
append_texts (GString *text, GtkWidget *widget)
{
    const char *own = PV_IS_TEXT_CELL (widget) ? pv_text_cell_get_text (PV_TEXT_CELL (widget))
                      : PV_IS_AMOUNT_CELL (widget)
                          ? pv_amount_cell_get_text (PV_AMOUNT_CELL (widget))
                          : NULL;

    if (own != NULL) {
        if (text->len > 0 && text->str[text->len - 1] != '\t')
            g_string_append_c (text, ' ');
        g_string_append (text, own);
        return;
    }
    for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
         child = gtk_widget_get_next_sibling (child))
        append_texts (text, child);
}

char *
pv_columns_get_row_text (GtkColumnView *view, guint position)
{
    GtkWidget *row = find_row_widget (view, position);
    GString *text;

    if (row == NULL)
        return NULL;
    text = g_string_new (NULL);
    for (GtkWidget *cell = gtk_widget_get_first_child (row); cell != NULL;
         cell = gtk_widget_get_next_sibling (cell)) {
        if (!gtk_widget_get_visible (cell))
            continue;
        if (text->len > 0)
            g_string_append_c (text, '\t');
        append_texts (text, cell);
    }
    return g_string_free (text, FALSE);
}

gboolean
pv_columns_get_row_bounds (GtkColumnView *view, guint position, GdkRectangle *ret_bounds)
{
    GtkWidget *row = find_row_widget (view, position);
    graphene_rect_t bounds;

    if (row == NULL || !gtk_widget_compute_bounds (row, GTK_WIDGET (view), &bounds))
        return FALSE;
    *ret_bounds = (GdkRectangle){(int)bounds.origin.x, (int)bounds.origin.y, (int)bounds.size.width,
                                 (int)bounds.size.height};
    return TRUE;
}

/* Sorting ---------------------------------------------------------------------------------------
 */

static GtkColumnViewColumn *asked_column; /* the first whose sorter was asked */

static int
say_who_i_am (gconstpointer a, gconstpointer b, gpointer column)
{
    if (asked_column == NULL)
        asked_column = column;
    return -1;
}

void
pv_column_make_sortable (GtkColumnViewColumn *column)
{
    g_autoptr (GtkSorter) sorter = GTK_SORTER (gtk_custom_sorter_new (say_who_i_am, column, NULL));
    gtk_column_view_column_set_sorter (column, sorter);
}

GtkColumnViewColumn *
pv_columns_get_sorted (GtkColumnView *view, gboolean *ret_descending)
{
    g_autoptr (PvRow) a = g_object_new (PV_TYPE_ROW, NULL);
    g_autoptr (PvRow) b = g_object_new (PV_TYPE_ROW, NULL);
    GtkOrdering order;

    asked_column = NULL;
    order = gtk_sorter_compare (gtk_column_view_get_sorter (view), a, b);
    *ret_descending = order == GTK_ORDERING_LARGER;
    return asked_column;
}

/* Position --------------------------------------------------------------------------------------
 */

typedef struct {
    GtkColumnView *view;
    uint32_t position;
    gboolean grab_focus;
} ScrollWish;

static void
free_wish (gpointer data)
{
    ScrollWish *wish = data;
    g_object_unref (wish->view);
    g_free (wish);
}

/* A list that has the focus already would keep it where it is. */
static void
focus_row (GtkColumnView *view, GtkWidget *list, guint position)
{
    GtkWidget *row = find_row_widget (view, position);
    gtk_widget_grab_focus (row != NULL ? row : list);
}

static gboolean
scroll_now (gpointer data)
{
    ScrollWish *wish = data;
    /* The rows are in a GtkListView, the last child. */
    GtkWidget *list = gtk_widget_get_last_child (GTK_WIDGET (wish->view));
    GListModel *model = G_LIST_MODEL (gtk_column_view_get_model (wish->view));

    if (list == NULL || model == NULL || wish->position >= g_list_model_get_n_items (model))
        return G_SOURCE_REMOVE;
    gtk_widget_activate_action (list, "list.scroll-to-item", "u", wish->position);
    if (wish->grab_focus)
        focus_row (wish->view, list, wish->position);
    return G_SOURCE_REMOVE;
}

void
pv_columns_scroll_to (GtkColumnView *view, uint32_t position, gboolean grab_focus)
{
    ScrollWish *wish = g_new (ScrollWish, 1);

    *wish = (ScrollWish){g_object_ref (view), position, grab_focus};
    /* A list that was just filled must be allocated first. */
    if (gtk_widget_get_height (GTK_WIDGET (view)) > 0 && grab_focus) {
        scroll_now (wish);
        free_wish (wish);
    } else {
        g_timeout_add_full (G_PRIORITY_LOW, 50, scroll_now, wish, free_wish);
    }
}

gboolean
pv_columns_grab_focus (GtkColumnView *view, GtkSingleSelection *selection)
{
    guint selected = gtk_single_selection_get_selected (selection);

    if (selected == GTK_INVALID_LIST_POSITION)
        return gtk_widget_grab_focus (gtk_widget_get_last_child (GTK_WIDGET (view)));
    pv_columns_scroll_to (view, selected, TRUE);
    return TRUE;
}

void
pv_columns_align_titles (GtkColumnView *view)
{
    /* GTK has no property for this: the header is the first child, its children are the titles,
     * and in each is a box of label and sort arrow. */
    GtkWidget *header = gtk_widget_get_first_child (GTK_WIDGET (view));
    GListModel *columns = gtk_column_view_get_columns (view);
    GtkWidget *title = header != NULL ? gtk_widget_get_first_child (header) : NULL;

    for (guint i = 0; title != NULL && i < g_list_model_get_n_items (columns); i++) {
        g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, i);
        GtkWidget *box = gtk_widget_get_first_child (title);
        if (g_object_get_data (G_OBJECT (column), "is-right") != NULL && box != NULL) {
            gtk_widget_set_halign (box, GTK_ALIGN_END);
            /* What the cells have around their figures; a sort arrow is farther out. */
            if (gtk_column_view_column_get_sorter (column) == NULL)
                gtk_widget_set_margin_end (box, 6);
        }
        title = gtk_widget_get_next_sibling (title);
    }
}

/* Room ------------------------------------------------------------------------------------------
 */

static gboolean
is_amount (GtkColumnViewColumn *column)
{
    return g_object_get_data (G_OBJECT (column), "is-amount") != NULL;
}

static gboolean
is_wanted (GtkColumnViewColumn *column)
{
    return g_object_get_data (G_OBJECT (column), "is-unwanted") == NULL;
}

void
pv_column_set_wanted (GtkColumnView *view, GtkColumnViewColumn *column, gboolean wanted)
{
    g_object_set_data (G_OBJECT (column), "is-unwanted", wanted ? NULL : column);
    gtk_column_view_column_set_visible (
        column, wanted && g_object_get_data (G_OBJECT (view), "is-narrow") == NULL);
}

static int
count_amounts (GListModel *columns)
{
    int n = 0;

    for (guint i = 0; i < g_list_model_get_n_items (columns); i++) {
        g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, i);
        n += is_amount (column) && gtk_column_view_column_get_visible (column);
    }
    return n;
}

/* A column that expands does not take the room of others that went away later, in GTK 4.8. So it
 * gets a width too where there is little room. */
static gboolean
fit_columns (gpointer user)
{
    GtkColumnView *view = user;
    GtkAdjustment *adjustment = gtk_scrollable_get_hadjustment (GTK_SCROLLABLE (view));
    GListModel *columns = gtk_column_view_get_columns (view);
    double scale = get_text_scale (view);
    int room = adjustment != NULL ? (int)gtk_adjustment_get_page_size (adjustment) : 0;
    int amount_width = (int)(NARROW_AMOUNT_PX * scale);
    int name_width = room - count_amounts (columns) * amount_width;
    gboolean was_narrow = g_object_get_data (G_OBJECT (view), "is-narrow") != NULL;
    gboolean is_narrow = room > 0 && room < NARROW_WIDTH_PX * scale;

    if (!is_narrow && !was_narrow)
        return G_SOURCE_REMOVE;
    g_object_set_data (G_OBJECT (view), "is-narrow", is_narrow ? view : NULL);
    for (guint i = 0; i < g_list_model_get_n_items (columns); i++) {
        g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, i);
        int width = GPOINTER_TO_INT (g_object_get_data (G_OBJECT (column), "width"));
        if (is_amount (column))
            gtk_column_view_column_set_fixed_width (column, is_narrow ? amount_width : width);
        else if (width > 0)
            gtk_column_view_column_set_visible (column, !is_narrow && is_wanted (column));
        else
            gtk_column_view_column_set_fixed_width (
                column, is_narrow ? MAX (name_width, amount_width) : -1);
    }
    return G_SOURCE_REMOVE;
}

/* Columns must not change within an allocation, so they change after the frame. */
static void
on_room_changed (GtkColumnView *view)
{
    g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, fit_columns, g_object_ref (view), g_object_unref);
}

static void
on_adjustment (GtkColumnView *view)
{
    GtkAdjustment *adjustment = gtk_scrollable_get_hadjustment (GTK_SCROLLABLE (view));

    if (adjustment != NULL)
        g_signal_connect_object (adjustment, "notify::page-size", G_CALLBACK (on_room_changed),
                                 view, G_CONNECT_SWAPPED);
}

void
pv_columns_fit (GtkColumnView *view)
{
    g_signal_connect (view, "notify::hadjustment", G_CALLBACK (on_adjustment), NULL);
    on_adjustment (view);
}
