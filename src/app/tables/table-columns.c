/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/tables/table-columns.h"

#include <glib/gi18n.h>
#include <string.h>

#include "app/widgets/accessible.h"
#include "app/widgets/actions.h"
#include "app/widgets/cut-text.h"
#include "app/widgets/focus.h"
#include "app/widgets/setup.h"
#include "app/work/settings.h"

#define SAVE_DELAY_MS 400 /* an edge that is dragged changes all the time */

/* Data of the table. */
typedef struct {
    PvRowTable *table; /* borrowed */
    const char *key;
    GtkMenuButton *button; /* weak; or NULL */
    GPtrArray *listed;     /* GtkColumnViewColumn in the menu, borrowed; NULL: no menu yet */
    GActionMap *actions;   /* of the view */
    char *entry_label;     /* below the derived measures; NULL: none */
    char *entry_action;
    gboolean has_noise;
    guint save_source;
    guint fill_source;
} TableColumns;

static void
save (TableColumns *self)
{
    g_clear_handle_id (&self->save_source, g_source_remove);
    g_settings_set_value (pv_settings_get (), self->key, pv_row_table_get_choices (self->table));
}

static gboolean
save_now (gpointer self)
{
    save (self);
    return G_SOURCE_REMOVE;
}

/* The menu */

static void
change_chosen (TableColumns *self, GVariant *value, GSimpleAction *action)
{
    GtkColumnViewColumn *column = g_object_get_data (G_OBJECT (action), "column");

    g_simple_action_set_state (action, value);
    pv_row_table_set_chosen (self->table, column, g_variant_get_boolean (value));
    pv_focus_return_soon (GTK_WIDGET (pv_row_table_get_view (self->table)));
}

static void fill (TableColumns *self);

static void
reset (TableColumns *self)
{
    g_clear_handle_id (&self->save_source, g_source_remove);
    g_settings_reset (pv_settings_get (), self->key);
    pv_row_table_set_choices (self->table, g_variant_new_array (G_VARIANT_TYPE ("(sib)"), NULL, 0));
    fill (self);
}

static void
add_item (TableColumns *self, GMenu *section, GtkColumnViewColumn *column, guint number)
{
    g_autofree char *name = g_strdup_printf ("show-%u", number);
    g_autofree char *detailed = g_strconcat ("columns.", name, NULL);
    gboolean is_chosen = pv_row_table_is_chosen (self->table, column);
    g_autoptr (GSimpleAction) action =
        g_simple_action_new_stateful (name, NULL, g_variant_new_boolean (is_chosen));
    g_autofree char *label = pv_make_menu_label (gtk_column_view_column_get_title (column));

    g_object_set_data (G_OBJECT (action), "column", column);
    g_signal_connect_swapped (action, "change-state", G_CALLBACK (change_chosen), self);
    g_action_map_add_action (self->actions, G_ACTION (action));
    g_menu_append (section, label, detailed);
}

/* Ids are made in column-set.c. */
static gboolean
has_sign (TableColumns *self, GtkColumnViewColumn *column, char sign)
{
    return strchr (pv_row_table_get_id (self->table, column), sign) != NULL;
}

static void
add_submenu (GMenu *menu, const char *title, GMenu *submenu)
{
    if (g_menu_model_get_n_items (G_MENU_MODEL (submenu)) > 0)
        g_menu_append_submenu (menu, title, G_MENU_MODEL (submenu));
}

/* Takes the columns, and adds the entry below them. */
static GMenu *
make_derived_menu (TableColumns *self, GMenu *columns)
{
    g_autoptr (GMenu) entries = g_menu_new ();
    GMenu *menu = g_menu_new ();

    if (self->entry_label == NULL) {
        g_object_unref (menu);
        return columns;
    }
    g_menu_append (entries, self->entry_label, self->entry_action);
    if (g_menu_model_get_n_items (G_MENU_MODEL (columns)) > 0)
        g_menu_append_section (menu, NULL, G_MENU_MODEL (columns));
    g_menu_append_section (menu, NULL, G_MENU_MODEL (entries));
    g_object_unref (columns);
    return menu;
}

static GMenu *
make_menu (TableColumns *self, const GPtrArray *columns)
{
    g_autoptr (GMenu) choices = g_menu_new ();
    g_autoptr (GMenu) measures = g_menu_new (); /* there may be many */
    g_autoptr (GMenu) derived = g_menu_new ();
    g_autoptr (GMenu) rest = g_menu_new ();
    GMenu *menu = g_menu_new ();

    for (guint i = 0; i < columns->len; i++)
        add_item (self,
                  has_sign (self, columns->pdata[i], '=')   ? derived
                  : has_sign (self, columns->pdata[i], ':') ? measures
                                                            : choices,
                  columns->pdata[i], i);
    derived = make_derived_menu (self, derived);
    add_submenu (choices, _ ("Other _Measures"), measures);
    add_submenu (choices, _ ("_Derived Measures"), derived);
    if (self->has_noise) {
        g_autoptr (GMenu) noise = g_menu_new ();
        g_menu_append (noise, _ ("Hide _Noise"), "app.noise-hidden");
        g_menu_append_section (menu, NULL, G_MENU_MODEL (noise));
    }
    g_menu_append (rest, _ ("_Reset Columns"), "columns.reset");
    g_menu_append_section (menu, NULL, G_MENU_MODEL (choices));
    g_menu_append_section (menu, NULL, G_MENU_MODEL (rest));
    return menu;
}

static gboolean
is_same (const GPtrArray *a, const GPtrArray *b)
{
    gboolean is_same = a != NULL && a->len == b->len;

    for (guint i = 0; is_same && i < a->len; i++)
        is_same = a->pdata[i] == b->pdata[i];
    return is_same;
}

static void
update_states (TableColumns *self)
{
    for (guint i = 0; i < self->listed->len; i++) {
        g_autofree char *name = g_strdup_printf ("show-%u", i);
        gboolean is_chosen = pv_row_table_is_chosen (self->table, self->listed->pdata[i]);
        pv_actions_set_state (self->actions, name, g_variant_new_boolean (is_chosen));
    }
}

/* GTK 4.8 keeps the page of a submenu that is taken out of a menu, so there is a new menu. */
static void
fill (TableColumns *self)
{
    g_autoptr (GPtrArray) columns = pv_row_table_list_choices (self->table);
    GListModel *all = gtk_column_view_get_columns (pv_row_table_get_view (self->table));
    g_autoptr (GMenu) menu = NULL;

    g_clear_handle_id (&self->fill_source, g_source_remove);
    if (is_same (self->listed, columns)) {
        update_states (self);
        return;
    }
    menu = make_menu (self, columns);
    g_clear_pointer (&self->listed, g_ptr_array_unref);
    self->listed = g_steal_pointer (&columns);
    for (guint i = 0; i < g_list_model_get_n_items (all); i++) {
        g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (all, i);
        gtk_column_view_column_set_header_menu (column, G_MENU_MODEL (menu));
    }
    if (self->button != NULL) {
        gtk_menu_button_set_menu_model (self->button, G_MENU_MODEL (menu));
        pv_focus_return_from_menu (gtk_menu_button_get_popover (self->button),
                                   GTK_WIDGET (pv_row_table_get_view (self->table)));
    }
}

static gboolean
fill_now (gpointer self)
{
    TableColumns *columns = self;

    columns->fill_source = 0;
    fill (columns);
    return G_SOURCE_REMOVE;
}

/* Not while the menu handles a click. */
static void
fill_later (TableColumns *self)
{
    if (self->fill_source == 0)
        self->fill_source = g_idle_add (fill_now, self);
}

static void
on_choices_changed (TableColumns *self)
{
    if (self->save_source == 0)
        self->save_source = g_timeout_add (SAVE_DELAY_MS, save_now, self);
    fill_later (self);
}

static void
table_columns_free (gpointer data)
{
    TableColumns *self = data;

    g_clear_handle_id (&self->save_source, g_source_remove);
    g_clear_handle_id (&self->fill_source, g_source_remove);
    g_clear_weak_pointer (&self->button);
    g_clear_pointer (&self->listed, g_ptr_array_unref);
    g_free (self->entry_label);
    g_free (self->entry_action);
    g_free (self);
}

/* Saves the latest changes too, which still wait for that. */
static void
on_unrealize (PvRowTable *table)
{
    TableColumns *self = g_object_get_data (G_OBJECT (table), "table-columns");

    if (self->save_source != 0)
        save (self);
}

static void
set_up_button (TableColumns *self, GtkMenuButton *button)
{
    g_set_weak_pointer (&self->button, button);
    pv_accessible_name_parts (GTK_WIDGET (button), C_ ("control", "Columns"), NULL);
    gtk_widget_insert_action_group (GTK_WIDGET (button), "columns", G_ACTION_GROUP (self->actions));
}

void
pv_table_columns_add (PvRowTable *table, const char *key, GtkMenuButton *button)
{
    static const PvAction entries[] = {{"reset", G_CALLBACK (reset)}};
    GtkWidget *view = GTK_WIDGET (pv_row_table_get_view (table));
    g_autoptr (GVariant) choices = g_settings_get_value (pv_settings_get (), key);
    TableColumns *self = g_new0 (TableColumns, 1);

    g_assert (PV_IS_ROW_TABLE (table) && key != NULL);
    self->table = table;
    self->key = key;
    self->actions = pv_actions_new (view, "columns", entries, G_N_ELEMENTS (entries), self);
    pv_row_table_set_choices (table, choices);
    if (button != NULL)
        set_up_button (self, button);
    fill (self);
    gtk_column_view_set_reorderable (GTK_COLUMN_VIEW (view), TRUE);
    g_object_set_data_full (G_OBJECT (table), "table-columns", self, table_columns_free);
    g_signal_connect_swapped (table, "choices-changed", G_CALLBACK (on_choices_changed), self);
    g_signal_connect_swapped (table, "columns-changed", G_CALLBACK (fill_later), self);
    pv_connect (view, "unrealize", on_unrealize, table);
}

void
pv_table_columns_set_entry (PvRowTable *table, const char *label, const char *action)
{
    TableColumns *self = g_object_get_data (G_OBJECT (table), "table-columns");

    g_assert (self != NULL && (label == NULL || action != NULL));
    if (g_strcmp0 (label, self->entry_label) == 0)
        return;
    g_free (self->entry_label);
    g_free (self->entry_action);
    self->entry_label = g_strdup (label);
    self->entry_action = g_strdup (action);
    g_clear_pointer (&self->listed, g_ptr_array_unref); /* the menu is made anew */
    fill_later (self);
}

void
pv_table_columns_set_noise (PvRowTable *table, gboolean has_noise)
{
    TableColumns *self = g_object_get_data (G_OBJECT (table), "table-columns");

    g_assert (self != NULL);
    if (has_noise == self->has_noise)
        return;
    self->has_noise = has_noise;
    g_clear_pointer (&self->listed, g_ptr_array_unref); /* the menu is made anew */
    fill_later (self);
}
