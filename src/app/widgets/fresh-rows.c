/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/widgets/fresh-rows.h"

void
pv_fresh_rows_init (PvFreshRows *self, AdwPreferencesGroup *group)
{
    *self = (PvFreshRows){group, g_ptr_array_new (), NULL};
    gtk_widget_set_visible (GTK_WIDGET (group), FALSE);
}

void
pv_fresh_rows_clear (PvFreshRows *self)
{
    g_clear_pointer (&self->rows, g_ptr_array_unref);
    g_clear_pointer (&self->shown, g_free);
}

gboolean
pv_fresh_rows_begin (PvFreshRows *self, char *text)
{
    if (g_strcmp0 (text, self->shown) == 0) {
        g_free (text);
        return FALSE;
    }
    for (guint i = 0; i < self->rows->len; i++)
        adw_preferences_group_remove (self->group, self->rows->pdata[i]);
    g_ptr_array_set_size (self->rows, 0);
    gtk_widget_set_visible (GTK_WIDGET (self->group), FALSE);
    g_free (self->shown);
    self->shown = text;
    return TRUE;
}

GtkWidget *
pv_fresh_rows_add (PvFreshRows *self, const char *title, const char *subtitle)
{
    GtkWidget *row = pv_plain_row_new (title, subtitle);

    adw_preferences_group_add (self->group, row);
    g_ptr_array_add (self->rows, row);
    gtk_widget_set_visible (GTK_WIDGET (self->group), TRUE);
    return row;
}

GtkWidget *
pv_plain_row_new (const char *title, const char *subtitle)
{
    GtkWidget *row = adw_action_row_new ();

    adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
    adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
    if (subtitle != NULL)
        adw_action_row_set_subtitle (ADW_ACTION_ROW (row), subtitle);
    adw_action_row_set_subtitle_lines (ADW_ACTION_ROW (row), 1);
    gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), TRUE);
    return row;
}

void
pv_row_button_init (GtkWidget *button, const char *name)
{
    gtk_widget_add_css_class (button, "flat");
    gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
    gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, name,
                                    -1);
}
