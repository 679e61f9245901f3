/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The columns that a table shows, their order and widths. */
#include <glib/gi18n.h>

#include "app/tables/row-table-private.h"
#include "app/widgets/accessible.h"
#include "app/widgets/style.h"

#define NAME_PX         240 /* least width of the name before amounts become narrow, ... */
#define LEAST_NAME_PX   148 /* ... and before other columns are left out */
#define LEAST_AMOUNT_PX 162 /* of an amount such as “10.0 MiB” with its share */
#define SHARE_PX        84
#define PLAIN_PX        92 /* of an amount such as “−29.5 ms”, which has no share */
#define BUTTON_PX       34
#define MIN_WIDTH_PX    40 /* of widths restored from an earlier run */
#define MAX_WIDTH_PX    2000

/* Titles */

static gboolean
is_shown (const PvTableColumn *column)
{
    return column->is_wanted && column->is_chosen && !column->is_left_out;
}

/* The known column at a place of the view. */
static PvTableColumn *
get_column_at (PvRowTable *self, guint place)
{
    g_autoptr (GtkColumnViewColumn) column =
        g_list_model_get_item (gtk_column_view_get_columns (self->view), place);

    return column != NULL ? pv_row_table_find_column (self, column) : NULL;
}

/* GTK has no property for the alignment of a title, and figures under a title at the left are hard
 * to read: a title has a box with label and arrow. */
static void
align_title (const PvTableColumn *column, GtkWidget *box, gboolean is_last)
{
    gboolean is_figure = column->kind != PV_SHAPE_TEXT;
    /* The padding of the cells; a sort arrow is farther out. */
    int margin = is_figure && gtk_column_view_column_get_sorter (column->column) == NULL ? 6 : 0;

    if (is_figure)
        gtk_widget_set_halign (box, GTK_ALIGN_END);
    gtk_widget_set_margin_end (box, is_last && column->table->has_button ? BUTTON_PX : margin);
}

/* Screen readers say it too. */
static void
show_tip (const PvTableColumn *column, GtkWidget *title)
{
    if (g_strcmp0 (gtk_widget_get_tooltip_text (title), column->tip) == 0)
        return;
    gtk_widget_set_tooltip_text (title, column->tip);
    if (column->tip != NULL)
        pv_accessible_describe (title, column->tip);
}

/* The header is the first child of the view, with a child for each column. */
static void
align_titles (PvRowTable *self)
{
    GtkWidget *header = gtk_widget_get_first_child (GTK_WIDGET (self->view));
    GtkWidget *title = header != NULL ? gtk_widget_get_first_child (header) : NULL;
    guint last = 0;
    PvTableColumn *column;

    if (header != NULL)
        pv_accessible_set_name (header, C_ ("control", "Columns"));
    for (guint i = 0; (column = get_column_at (self, i)) != NULL; i++)
        if (is_shown (column))
            last = i;
    for (guint i = 0; title != NULL && (column = get_column_at (self, i)) != NULL; i++) {
        GtkWidget *box = gtk_widget_get_first_child (title);
        if (box != NULL)
            align_title (column, box, i == last);
        show_tip (column, title);
        title = gtk_widget_get_next_sibling (title);
    }
}

void
pv_row_table_set_tip (PvRowTable *self, GtkColumnViewColumn *column, const char *text)
{
    PvTableColumn *known = pv_row_table_find_column (self, column);

    g_assert (self->is_finished && text != NULL);
    if (g_strcmp0 (known->tip, text) == 0)
        return;
    g_free (known->tip);
    known->tip = g_strdup (text);
    align_titles (self);
}

/* Room */

/* In pixels. */
static int
get_width (PvRowTable *self, const PvTableColumn *column)
{
    if (column->width == 0)
        return self->name_px;
    return column->kind == PV_SHAPE_AMOUNT ? MIN (column->width, self->max_amount_px)
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
        const PvTableColumn *column = self->columns->pdata[i];
        n += is_shown (column) && column->kind == PV_SHAPE_AMOUNT;
    }
    return n;
}

/* Amounts divide the room that other columns leave, or show their shares alone. */
static void
narrow_amounts (PvRowTable *self, double room)
{
    double scale = pv_style_get_text_scale (GTK_WIDGET (self->view));
    int n = count_amounts (self), width;

    if (n == 0 || sum_widths (self) <= room)
        return;
    self->max_amount_px = (int)(SHARE_PX * scale);
    width = self->max_amount_px + ((int)room - sum_widths (self)) / n;
    if (width >= LEAST_AMOUNT_PX * scale)
        self->max_amount_px = width;
}

/* Amounts that have no share need more room, if there is some. */
static void
widen_plain_amounts (PvRowTable *self, double room)
{
    int n = count_amounts (self), left = (int)room - sum_widths (self);
    int wanted = (int)(PLAIN_PX * pv_style_get_text_scale (GTK_WIDGET (self->view)));

    if (self->has_plain_amounts && self->max_amount_px < wanted && n > 0 && left > 0)
        self->max_amount_px = MIN (self->max_amount_px + left / n, wanted);
}

/* Decides which columns there is room for. */
static void
share_room (PvRowTable *self, double room)
{
    double scale = pv_style_get_text_scale (GTK_WIDGET (self->view));

    self->max_amount_px = G_MAXINT;
    self->name_px = (int)(NAME_PX * scale);
    for (guint i = 0; i < self->columns->len; i++)
        ((PvTableColumn *)self->columns->pdata[i])->is_left_out = FALSE;
    if (room <= 0)
        return;
    narrow_amounts (self, room);
    self->name_px = (int)((self->least_name_px > 0 ? self->least_name_px : LEAST_NAME_PX) * scale);
    for (guint i = self->columns->len; i-- > 0 && sum_widths (self) > room;) {
        PvTableColumn *column = get_column_at (self, i);
        if (column != NULL && column->width > 0 && column->kind != PV_SHAPE_AMOUNT)
            column->is_left_out = TRUE;
    }
    widen_plain_amounts (self, room);
}

/* Shows a column with its width, or hides it. */
static void
fit_column (PvRowTable *self, const PvTableColumn *column)
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
void
pv_row_table_fit_later (PvRowTable *self)
{
    if (self->fit_source == 0)
        self->fit_source = g_idle_add (fit_later, self);
}

void
pv_row_table_follow_room (PvRowTable *self)
{
    GtkAdjustment *adjustment = gtk_scrollable_get_hadjustment (GTK_SCROLLABLE (self->view));

    if (adjustment != NULL)
        pv_connect (adjustment, "notify::page-size", pv_row_table_fit_later, self);
}

/* Choices */

static void
choose (PvRowTable *self)
{
    g_signal_emit_by_name (self, "choices-changed");
}

/* The user drags its edge. */
void
pv_row_table_choose_width (PvTableColumn *column)
{
    PvRowTable *self = column->table;
    int width = gtk_column_view_column_get_fixed_width (column->column);

    if (self->is_fitting || !self->is_finished || width <= 0 || column->width == 0)
        return;
    if (column->kind == PV_SHAPE_AMOUNT)
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
    pv_row_table_fit_later (self);
}

/* The place of an id among the choices, or -1, which leaves the others as they are. */
static int
find_choice (PvRowTable *self, const char *wanted, int *ret_width, gboolean *ret_chosen)
{
    gsize n = self->choices != NULL ? g_variant_n_children (self->choices) : 0;

    for (gsize i = 0; i < n; i++) {
        const char *id;
        int width;
        gboolean is_chosen;
        g_variant_get_child (self->choices, i, "(&sib)", &id, &width, &is_chosen);
        if (g_strcmp0 (id, wanted) != 0)
            continue;
        *ret_width = width;
        *ret_chosen = is_chosen;
        return (int)i;
    }
    return -1;
}

static void
apply_choice (PvRowTable *self, PvTableColumn *column)
{
    int width = 0;
    gboolean is_chosen = column->is_default;

    if (column->id != NULL)
        find_choice (self, column->id, &width, &is_chosen);
    column->is_chosen = is_chosen || column->default_width == 0;
    column->width = column->default_width;
    if (width > 0 && column->default_width > 0)
        column->width = (int)(CLAMP (width, MIN_WIDTH_PX, MAX_WIDTH_PX) *
                              pv_style_get_text_scale (GTK_WIDGET (self->view)));
}

static int
compare_places (gconstpointer a, gconstpointer b, gpointer user)
{
    const PvTableColumn *left = *(const PvTableColumn *const *)a,
                        *right = *(const PvTableColumn *const *)b;
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
        PvTableColumn *column = order->pdata[i];
        if (get_column_at (self, i) != column)
            gtk_column_view_insert_column (self->view, i, column->column);
    }
    self->is_fitting = FALSE;
}

void
pv_row_table_set_id (PvRowTable *self, GtkColumnViewColumn *column, const char *id,
                     gboolean is_chosen)
{
    PvTableColumn *known = pv_row_table_find_column (self, column);

    g_assert (id != NULL && known->id == NULL);
    known->id = g_strdup (id);
    known->is_default = is_chosen;
    apply_choice (self, known);
    if (!self->is_finished)
        return;
    arrange (self);
    fit_columns (self);
    g_signal_emit_by_name (self, "columns-changed");
}

GPtrArray *
pv_row_table_list_shown (PvRowTable *self)
{
    GPtrArray *columns = g_ptr_array_new ();
    PvTableColumn *column;

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
    PvTableColumn *column;

    g_assert (PV_IS_ROW_TABLE (self));
    for (guint i = 0; (column = get_column_at (self, i)) != NULL; i++)
        if (column->id != NULL && column->is_wanted && column->default_width > 0)
            g_ptr_array_add (choices, column->column);
    return choices;
}

const char *
pv_row_table_get_id (PvRowTable *self, GtkColumnViewColumn *column)
{
    return pv_row_table_find_column (self, column)->id;
}

gboolean
pv_row_table_is_chosen (PvRowTable *self, GtkColumnViewColumn *column)
{
    return pv_row_table_find_column (self, column)->is_chosen;
}

void
pv_row_table_set_chosen (PvRowTable *self, GtkColumnViewColumn *column, gboolean is_chosen)
{
    PvTableColumn *known = pv_row_table_find_column (self, column);

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
            is_known = g_strcmp0 (((PvTableColumn *)self->columns->pdata[c])->id, id) == 0;
        if (!is_known)
            g_variant_builder_add (builder, "(sib)", id, width, is_chosen);
    }
}

GVariant *
pv_row_table_get_choices (PvRowTable *self)
{
    GVariantBuilder builder;
    PvTableColumn *column;

    g_assert (PV_IS_ROW_TABLE (self));
    g_variant_builder_init (&builder, G_VARIANT_TYPE (PV_ROW_TABLE_CHOICES));
    for (guint i = 0; (column = get_column_at (self, i)) != NULL; i++)
        if (column->id != NULL)
            g_variant_builder_add (
                &builder, "(sib)", column->id,
                column->width == column->default_width
                    ? 0
                    : (int)(column->width / pv_style_get_text_scale (GTK_WIDGET (self->view))),
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
pv_row_table_set_needs (PvRowTable *self, int name_px, gboolean has_plain_amounts)
{
    g_assert (PV_IS_ROW_TABLE (self) && name_px >= 0);
    if (self->least_name_px == name_px && self->has_plain_amounts == has_plain_amounts)
        return;
    self->least_name_px = name_px;
    self->has_plain_amounts = has_plain_amounts;
    fit_columns (self);
}

void
pv_row_table_set_wanted (PvRowTable *self, GtkColumnViewColumn *column, gboolean is_wanted)
{
    PvTableColumn *known = pv_row_table_find_column (self, column);

    if (known->is_wanted == is_wanted)
        return;
    known->is_wanted = is_wanted;
    fit_columns (self);
    if (known->id != NULL)
        g_signal_emit_by_name (self, "columns-changed");
}

void
pv_row_table_finish (PvRowTable *self, gboolean has_button)
{
    g_assert (PV_IS_ROW_TABLE (self) && !self->is_finished);
    self->is_finished = TRUE;
    self->has_button = has_button;
    fit_columns (self);
    pv_connect (gtk_column_view_get_columns (self->view), "items-changed", on_order_changed, self);
    pv_connect (self->view, "notify::hadjustment", pv_row_table_follow_room, self);
    pv_row_table_follow_room (self);
}
