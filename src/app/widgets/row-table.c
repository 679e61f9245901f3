/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/widgets/row-table.h"

#include <glib/gi18n.h>

#include "app/widgets/accessible.h"
#include "app/widgets/amount-cell.h"
#include "app/widgets/focus.h"
#include "app/widgets/text-cell.h"

#define MAX_TOOLTIP_CHARS 600
#define MIN_NAME_CHARS    16  /* a narrower table scrolls sideways */
#define NAME_PX           240 /* what the name has at least before amounts become narrow, ... */
#define LEAST_NAME_PX     148 /* ... and before other columns are left out */
#define LEAST_AMOUNT_PX   148 /* of an amount with its share */
#define SHARE_PX          84
#define BUTTON_PX         34
#define MIN_WIDTH_PX      40 /* of what is kept of an earlier run */
#define MAX_WIDTH_PX      2000

typedef struct {
    PvRowTable *table;
    GtkColumnViewColumn *column; /* a reference */
    PvColumnKind kind;
    int width; /* pixels, 0: what is left */
    int default_width;
    char *id; /* or NULL */
    gboolean is_wanted;
    gboolean is_chosen;
    gboolean is_default;  /* whether it is chosen at first */
    gboolean is_left_out; /* there is no room */
    PvMakeCellFunc make;  /* NULL: by kind */
    PvBindFunc bind;
    PvBindNumberedFunc bind_numbered; /* instead of bind */
    guint number;
    GHashTable *items; /* GtkListItem that are bound */
} Column;

struct _PvRowTable {
    GObject parent;

    GtkColumnView *view;
    PvRowModel *model;
    gpointer owner;
    GPtrArray *columns; /* Column */
    const char *(*get_tip) (gpointer owner, uint32_t key);
    Column *asked; /* the first whose sorter was called */
    guint scroll_source;
    guint scroll_position;
    gboolean scroll_grabs_focus;
    guint fit_source;
    GVariant *choices; /* as restored; or NULL */
    gboolean is_menu_open;
    int max_amount_px; /* for there is little room */
    int name_px;       /* what the name has at least */
    gboolean is_fitting;
    gboolean is_finished;
    gboolean has_button;
};

enum { CHOICES_CHANGED, COLUMNS_CHANGED, N_SIGNALS };
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
bind_item (Column *column, GtkListItem *item)
{
    PvRowTable *self = column->table;

    GtkWidget *cell = gtk_list_item_get_child (item);
    uint32_t key = pv_row_model_get_key (self->model, gtk_list_item_get_position (item));

    if (column->bind_numbered != NULL)
        column->bind_numbered (self->owner, cell, key, column->number);
    else
        column->bind (self->owner, cell, key);
    if (column == self->columns->pdata[0])
        name_row (item);
}

static void
on_setup (Column *column, GtkListItem *item)
{
    GtkWidget *cell;

    if (column->make != NULL)
        cell = column->make (column->table->owner, item);
    else if (column->kind == PV_COLUMN_TEXT)
        cell = pv_text_cell_new (MIN_NAME_CHARS);
    else
        cell = pv_amount_cell_new ();
    gtk_list_item_set_child (item, cell);
    /* In GTK 4.8 both the cell and its row would handle a click, and Ctrl would toggle twice. */
    gtk_list_item_set_selectable (item, FALSE);
    gtk_list_item_set_activatable (item, FALSE);
}

static void
on_bind (Column *column, GtkListItem *item)
{
    g_hash_table_add (column->items, item);
    bind_item (column, item);
}

static void
on_unbind (Column *column, GtkListItem *item)
{
    g_hash_table_remove (column->items, item);
}

static Column *
find_column (PvRowTable *self, GtkColumnViewColumn *wanted)
{
    for (guint i = 0; i < self->columns->len; i++) {
        Column *column = self->columns->pdata[i];
        if (column->column == wanted)
            return column;
    }
    g_assert_not_reached ();
}

/* The cell of a row, NULL if it is not on screen: GTK binds a few rows around those that are. */
static GtkListItem *
find_item (Column *column, guint position)
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
update_column (Column *column)
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
    update_column (find_column (self, column));
}

void
pv_row_table_update_cell (PvRowTable *self, GtkColumnViewColumn *column, guint position)
{
    Column *known = find_column (self, column);
    GtkListItem *item = find_item (known, position);

    if (item != NULL)
        bind_item (known, item);
}

/* Columns */

/* How much larger than usual the user wants text. */
static double
get_text_scale (PvRowTable *self)
{
    int dpi = 0;

    g_object_get (gtk_widget_get_settings (GTK_WIDGET (self->view)), "gtk-xft-dpi", &dpi, NULL);
    return dpi > 0 ? CLAMP (dpi / (96.0 * PANGO_SCALE), 1, 3) : 1;
}

static void
free_column (gpointer data)
{
    Column *column = data;

    g_signal_handlers_disconnect_by_data (gtk_column_view_column_get_factory (column->column),
                                          column);
    g_signal_handlers_disconnect_by_data (column->column, column);
    /* Its sorter calls us. */
    gtk_column_view_column_set_sorter (column->column, NULL);
    g_object_unref (column->column);
    g_hash_table_unref (column->items);
    g_free (column->id);
    g_free (column);
}

static void choose_width (Column *column);

static Column *
add_column (PvRowTable *self, PvColumnKind kind, const char *title, int width)
{
    GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
    Column *column = g_new0 (Column, 1);

    column->table = self;
    column->column = gtk_column_view_column_new (title, factory);
    column->kind = kind;
    column->width = column->default_width = (int)(width * get_text_scale (self));
    column->is_wanted = column->is_chosen = column->is_default = TRUE;
    column->items = g_hash_table_new (NULL, NULL);
    g_ptr_array_add (self->columns, column);
    g_signal_connect_swapped (factory, "setup", G_CALLBACK (on_setup), column);
    g_signal_connect_swapped (factory, "bind", G_CALLBACK (on_bind), column);
    g_signal_connect_swapped (factory, "unbind", G_CALLBACK (on_unbind), column);
    gtk_column_view_column_set_resizable (column->column, width > 0);
    if (width > 0)
        gtk_column_view_column_set_fixed_width (column->column, column->width);
    else
        gtk_column_view_column_set_expand (column->column, TRUE);
    g_signal_connect_swapped (column->column, "notify::fixed-width", G_CALLBACK (choose_width),
                              column);
    return column;
}

GtkColumnViewColumn *
pv_row_table_add (PvRowTable *self, PvColumnKind kind, const char *title, int width,
                  PvMakeCellFunc make, PvBindFunc bind)
{
    Column *column;

    g_assert (PV_IS_ROW_TABLE (self) && title != NULL && width >= 0 && bind != NULL);
    column = add_column (self, kind, title, width);
    column->make = make;
    column->bind = bind;
    gtk_column_view_append_column (self->view, column->column);
    return column->column;
}

GtkColumnViewColumn *
pv_row_table_add_numbered (PvRowTable *self, PvColumnKind kind, const char *title, int width,
                           PvBindNumberedFunc bind, guint number)
{
    Column *column;

    g_assert (PV_IS_ROW_TABLE (self) && title != NULL && width > 0 && bind != NULL);
    column = add_column (self, kind, title, width);
    column->bind_numbered = bind;
    column->number = number;
    /* Its cells come when it is shown. */
    self->is_fitting = TRUE;
    gtk_column_view_column_set_visible (column->column, FALSE);
    gtk_column_view_append_column (self->view, column->column);
    self->is_fitting = FALSE;
    return column->column;
}

/* Titles */

static gboolean
is_shown (const Column *column)
{
    return column->is_wanted && column->is_chosen && !column->is_left_out;
}

/* The known column at a place of the view. */
static Column *
get_column_at (PvRowTable *self, guint place)
{
    g_autoptr (GtkColumnViewColumn) column =
        g_list_model_get_item (gtk_column_view_get_columns (self->view), place);

    return column != NULL ? find_column (self, column) : NULL;
}

/* GTK has no property for the alignment of a title, and figures under a title at the left are hard
 * to read: a title has a box with label and arrow. */
static void
align_title (const Column *column, GtkWidget *box, gboolean is_last)
{
    gboolean is_figure = column->kind != PV_COLUMN_TEXT;
    /* The padding of the cells; a sort arrow is farther out. */
    int margin = is_figure && gtk_column_view_column_get_sorter (column->column) == NULL ? 6 : 0;

    if (is_figure)
        gtk_widget_set_halign (box, GTK_ALIGN_END);
    gtk_widget_set_margin_end (box, is_last && column->table->has_button ? BUTTON_PX : margin);
}

/* The header is the first child of the view, with a child for each column. */
static void
align_titles (PvRowTable *self)
{
    GtkWidget *header = gtk_widget_get_first_child (GTK_WIDGET (self->view));
    GtkWidget *title = header != NULL ? gtk_widget_get_first_child (header) : NULL;
    guint last = 0;
    Column *column;

    if (header != NULL)
        pv_accessible_set_name (header, _ ("Columns"));
    for (guint i = 0; (column = get_column_at (self, i)) != NULL; i++)
        if (is_shown (column))
            last = i;
    for (guint i = 0; title != NULL && (column = get_column_at (self, i)) != NULL; i++) {
        GtkWidget *box = gtk_widget_get_first_child (title);
        if (box != NULL)
            align_title (column, box, i == last);
        title = gtk_widget_get_next_sibling (title);
    }
}

/* Room */

/* In pixels. */
static int
get_width (PvRowTable *self, const Column *column)
{
    if (column->width == 0)
        return self->name_px;
    return column->kind == PV_COLUMN_AMOUNT ? MIN (column->width, self->max_amount_px)
                                            : column->width;
}

static int
sum_widths (PvRowTable *self)
{
    int sum = 0;

    for (guint i = 0; i < self->columns->len; i++)
        if (is_shown (self->columns->pdata[i]))
            sum += get_width (self, self->columns->pdata[i]);
    return sum;
}

static int
count_amounts (PvRowTable *self)
{
    int n = 0;

    for (guint i = 0; i < self->columns->len; i++) {
        const Column *column = self->columns->pdata[i];
        n += is_shown (column) && column->kind == PV_COLUMN_AMOUNT;
    }
    return n;
}

/* Amounts share what the others leave, or show their shares alone. */
static void
narrow_amounts (PvRowTable *self, double room)
{
    double scale = get_text_scale (self);
    int n = count_amounts (self), width;

    if (n == 0 || sum_widths (self) <= room)
        return;
    self->max_amount_px = (int)(SHARE_PX * scale);
    width = self->max_amount_px + ((int)room - sum_widths (self)) / n;
    if (width >= LEAST_AMOUNT_PX * scale)
        self->max_amount_px = width;
}

/* Decides which columns there is room for. */
static void
share_room (PvRowTable *self, double room)
{
    double scale = get_text_scale (self);

    self->max_amount_px = G_MAXINT;
    self->name_px = (int)(NAME_PX * scale);
    for (guint i = 0; i < self->columns->len; i++)
        ((Column *)self->columns->pdata[i])->is_left_out = FALSE;
    if (room <= 0)
        return;
    narrow_amounts (self, room);
    self->name_px = (int)(LEAST_NAME_PX * scale);
    for (guint i = self->columns->len; i-- > 0 && sum_widths (self) > room;) {
        Column *column = get_column_at (self, i);
        if (column != NULL && column->width > 0 && column->kind != PV_COLUMN_AMOUNT)
            column->is_left_out = TRUE;
    }
}

/* Shows a column with its width, or hides it. */
static void
fit_column (PvRowTable *self, const Column *column)
{
    if (gtk_column_view_column_get_visible (column->column) != is_shown (column))
        gtk_column_view_column_set_visible (column->column, is_shown (column));
    /* The width of a hidden column is missing from one that expands, in GTK 4.8. */
    if (!is_shown (column))
        gtk_column_view_column_set_fixed_width (column->column, 0);
    else if (column->width > 0)
        gtk_column_view_column_set_fixed_width (column->column, get_width (self, column));
}

static void
fit_columns (PvRowTable *self)
{
    GtkAdjustment *adjustment = gtk_scrollable_get_hadjustment (GTK_SCROLLABLE (self->view));

    if (!self->is_finished)
        return;
    share_room (self, adjustment != NULL ? gtk_adjustment_get_page_size (adjustment) : 0);
    self->is_fitting = TRUE;
    for (guint i = 0; i < self->columns->len; i++)
        fit_column (self, self->columns->pdata[i]);
    self->is_fitting = FALSE;
    align_titles (self);
}

static gboolean
fit_later (gpointer user)
{
    PvRowTable *self = user;

    self->fit_source = 0;
    fit_columns (self);
    return G_SOURCE_REMOVE;
}

/* Columns must not change within an allocation, so they change after the frame. */
static void
on_room_changed (PvRowTable *self)
{
    if (self->fit_source == 0)
        self->fit_source = g_idle_add (fit_later, self);
}

static void
on_adjustment (PvRowTable *self)
{
    GtkAdjustment *adjustment = gtk_scrollable_get_hadjustment (GTK_SCROLLABLE (self->view));

    if (adjustment != NULL)
        g_signal_connect_object (adjustment, "notify::page-size", G_CALLBACK (on_room_changed),
                                 self, G_CONNECT_SWAPPED);
}

/* Choices */

static void
choose (PvRowTable *self)
{
    g_signal_emit (self, signals[CHOICES_CHANGED], 0);
}

/* The user drags its edge. */
static void
choose_width (Column *column)
{
    PvRowTable *self = column->table;
    int width = gtk_column_view_column_get_fixed_width (column->column);

    if (self->is_fitting || !self->is_finished || width <= 0 || column->width == 0)
        return;
    if (column->kind == PV_COLUMN_AMOUNT)
        self->max_amount_px = MAX (self->max_amount_px, width);
    column->width = width;
    choose (self);
}

static void
on_order_changed (PvRowTable *self)
{
    if (self->is_fitting || !self->is_finished)
        return;
    choose (self);
    on_room_changed (self);
}

/* The place of an id among the choices, or -1. */
static int
find_choice (PvRowTable *self, const char *wanted, int *ret_width, gboolean *ret_chosen)
{
    gsize n = self->choices != NULL ? g_variant_n_children (self->choices) : 0;

    for (gsize i = 0; i < n; i++) {
        const char *id;
        g_variant_get_child (self->choices, i, "(&sib)", &id, ret_width, ret_chosen);
        if (g_strcmp0 (id, wanted) == 0)
            return (int)i;
    }
    return -1;
}

static void
apply_choice (PvRowTable *self, Column *column)
{
    int width = 0;
    gboolean is_chosen = column->is_default;

    if (column->id != NULL)
        find_choice (self, column->id, &width, &is_chosen);
    column->is_chosen = is_chosen || column->default_width == 0;
    column->width = column->default_width;
    if (width > 0 && column->default_width > 0)
        column->width = (int)(CLAMP (width, MIN_WIDTH_PX, MAX_WIDTH_PX) * get_text_scale (self));
}

static int
compare_places (gconstpointer a, gconstpointer b, gpointer user)
{
    const Column *left = *(const Column *const *)a, *right = *(const Column *const *)b;
    PvRowTable *self = user;
    int width;
    gboolean is_chosen;
    int left_place = find_choice (self, left->id, &width, &is_chosen);
    int right_place = find_choice (self, right->id, &width, &is_chosen);

    /* New columns stay at the end; they are in the order in which they were added. */
    return (left_place >= 0 ? left_place : G_MAXINT) - (right_place >= 0 ? right_place : G_MAXINT);
}

/* Columns as they were added, or as the user has moved them. */
static void
arrange (PvRowTable *self)
{
    g_autoptr (GPtrArray) order = g_ptr_array_new (); /* a copy would free the columns */

    for (guint i = 0; i < self->columns->len; i++)
        g_ptr_array_add (order, self->columns->pdata[i]);
    self->is_fitting = TRUE;
    if (self->choices != NULL)
        g_ptr_array_sort_with_data (order, compare_places, self);
    for (guint i = 0; i < order->len; i++) {
        Column *column = order->pdata[i];
        if (get_column_at (self, i) != column)
            gtk_column_view_insert_column (self->view, i, column->column);
    }
    self->is_fitting = FALSE;
}

void
pv_row_table_set_id (PvRowTable *self, GtkColumnViewColumn *column, const char *id,
                     gboolean is_chosen)
{
    Column *known = find_column (self, column);

    g_assert (id != NULL && known->id == NULL);
    known->id = g_strdup (id);
    known->is_default = is_chosen;
    apply_choice (self, known);
    if (!self->is_finished)
        return;
    arrange (self);
    fit_columns (self);
    g_signal_emit (self, signals[COLUMNS_CHANGED], 0);
}

GPtrArray *
pv_row_table_list_shown (PvRowTable *self)
{
    GPtrArray *columns = g_ptr_array_new ();
    Column *column;

    g_assert (PV_IS_ROW_TABLE (self));
    for (guint i = 0; (column = get_column_at (self, i)) != NULL; i++)
        if (column->is_wanted && column->is_chosen)
            g_ptr_array_add (columns, column->column);
    return columns;
}

GPtrArray *
pv_row_table_list_choices (PvRowTable *self)
{
    GPtrArray *choices = g_ptr_array_new ();
    Column *column;

    g_assert (PV_IS_ROW_TABLE (self));
    for (guint i = 0; (column = get_column_at (self, i)) != NULL; i++)
        if (column->id != NULL && column->is_wanted && column->default_width > 0)
            g_ptr_array_add (choices, column->column);
    return choices;
}

const char *
pv_row_table_get_id (PvRowTable *self, GtkColumnViewColumn *column)
{
    return find_column (self, column)->id;
}

gboolean
pv_row_table_is_chosen (PvRowTable *self, GtkColumnViewColumn *column)
{
    return find_column (self, column)->is_chosen;
}

void
pv_row_table_set_chosen (PvRowTable *self, GtkColumnViewColumn *column, gboolean is_chosen)
{
    Column *known = find_column (self, column);

    g_assert (known->id != NULL);
    if (known->is_chosen == is_chosen)
        return;
    known->is_chosen = is_chosen;
    fit_columns (self);
    choose (self);
}

/* Those of columns that are not here now. */
static void
add_absent (PvRowTable *self, GVariantBuilder *builder)
{
    gsize n = self->choices != NULL ? g_variant_n_children (self->choices) : 0;

    for (gsize i = 0; i < n; i++) {
        const char *id;
        int width;
        gboolean is_known = FALSE, is_chosen;
        g_variant_get_child (self->choices, i, "(&sib)", &id, &width, &is_chosen);
        for (guint c = 0; c < self->columns->len && !is_known; c++)
            is_known = g_strcmp0 (((Column *)self->columns->pdata[c])->id, id) == 0;
        if (!is_known)
            g_variant_builder_add (builder, "(sib)", id, width, is_chosen);
    }
}

GVariant *
pv_row_table_get_choices (PvRowTable *self)
{
    GVariantBuilder builder;
    Column *column;

    g_assert (PV_IS_ROW_TABLE (self));
    g_variant_builder_init (&builder, G_VARIANT_TYPE (PV_ROW_TABLE_CHOICES));
    for (guint i = 0; (column = get_column_at (self, i)) != NULL; i++)
        if (column->id != NULL)
            g_variant_builder_add (&builder, "(sib)", column->id,
                                   column->width == column->default_width
                                       ? 0
                                       : (int)(column->width / get_text_scale (self)),
                                   column->is_chosen);
    add_absent (self, &builder);
    return g_variant_builder_end (&builder);
}

void
pv_row_table_set_choices (PvRowTable *self, GVariant *choices)
{
    g_assert (PV_IS_ROW_TABLE (self) && choices != NULL);
    g_assert (g_variant_is_of_type (choices, G_VARIANT_TYPE (PV_ROW_TABLE_CHOICES)));
    g_clear_pointer (&self->choices, g_variant_unref);
    if (g_variant_n_children (choices) > 0)
        self->choices = g_variant_ref_sink (choices);
    for (guint i = 0; i < self->columns->len; i++)
        apply_choice (self, self->columns->pdata[i]);
    arrange (self);
    fit_columns (self);
}

void
pv_row_table_set_wanted (PvRowTable *self, GtkColumnViewColumn *column, gboolean is_wanted)
{
    Column *known = find_column (self, column);

    if (known->is_wanted == is_wanted)
        return;
    known->is_wanted = is_wanted;
    fit_columns (self);
    if (known->id != NULL)
        g_signal_emit (self, signals[COLUMNS_CHANGED], 0);
}

void
pv_row_table_finish (PvRowTable *self, gboolean has_button)
{
    g_assert (PV_IS_ROW_TABLE (self) && !self->is_finished);
    self->is_finished = TRUE;
    self->has_button = has_button;
    fit_columns (self);
    g_signal_connect_object (gtk_column_view_get_columns (self->view), "items-changed",
                             G_CALLBACK (on_order_changed), self, G_CONNECT_SWAPPED);
    g_signal_connect_object (self->view, "notify::hadjustment", G_CALLBACK (on_adjustment), self,
                             G_CONNECT_SWAPPED);
    on_adjustment (self);
}

/* Rows on screen */

static GtkListItem *
find_item_at (PvRowTable *self, double x, double y)
{
    Column *first = self->columns->pdata[0];
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
    const char *name = NULL;
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
pv_row_table_set_tip_func (PvRowTable *self, const char *(*get_tip) (gpointer owner, uint32_t key))
{
    g_assert (self->get_tip == NULL && get_tip != NULL);
    self->get_tip = get_tip;
    gtk_widget_set_has_tooltip (GTK_WIDGET (self->view), TRUE);
    g_signal_connect_object (self->view, "query-tooltip", G_CALLBACK (on_query_tooltip), self,
                             G_CONNECT_SWAPPED);
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
    Column *column = user;

    if (column->table->asked == NULL)
        column->table->asked = column;
    return -1;
}

void
pv_row_table_make_sortable (PvRowTable *self, GtkColumnViewColumn *column)
{
    g_autoptr (GtkSorter) sorter =
        GTK_SORTER (gtk_custom_sorter_new (note_column, find_column (self, column), NULL));
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
    Column *first = self->columns->pdata[0];
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

static gboolean
scroll_later (gpointer user)
{
    PvRowTable *self = user;

    self->scroll_source = 0;
    scroll_now (self, self->scroll_position, self->scroll_grabs_focus);
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
    GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self->view));
    GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;

    g_assert (PV_IS_ROW_TABLE (self));
    return focus != NULL && gtk_widget_is_ancestor (focus, GTK_WIDGET (self->view));
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
    Column *first = self->columns->pdata[0];
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
    if (self->view != NULL)
        gtk_column_view_set_model (self->view, NULL);
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
    signals[CHOICES_CHANGED] =
        g_signal_new ("choices-changed", PV_TYPE_ROW_TABLE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                      G_TYPE_NONE, 0);
    signals[COLUMNS_CHANGED] =
        g_signal_new ("columns-changed", PV_TYPE_ROW_TABLE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                      G_TYPE_NONE, 0);
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
    g_signal_connect_object (model, "replaced", G_CALLBACK (on_replaced), self, G_CONNECT_SWAPPED);
    return self;
}
