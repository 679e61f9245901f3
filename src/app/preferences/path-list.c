/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/preferences/path-list.h"

#include <glib/gi18n.h>

#include "app/widgets/accessible.h"
#include "app/work/settings.h"
#include "core/base/format.h"

typedef struct {
    AdwPreferencesGroup *group;
    const char *key;
    GPtrArray *rows; /* of the group, borrowed */
    gulong handler;  /* of the settings */
} PathList;

static void
path_list_free (gpointer data)
{
    PathList *list = data;

    g_signal_handler_disconnect (pv_settings_get (), list->handler);
    g_ptr_array_unref (list->rows);
    g_free (list);
}

static void
on_remove (GtkWidget *button, PathList *list)
{
    const char *text = g_object_get_data (G_OBJECT (button), "text");
    g_auto (GStrv) old = g_settings_get_strv (pv_settings_get (), list->key);
    g_autoptr (GPtrArray) left = g_ptr_array_new ();

    for (guint i = 0; old[i] != NULL; i++)
        if (!g_str_equal (old[i], text))
            g_ptr_array_add (left, old[i]);
    g_ptr_array_add (left, NULL);
    g_settings_set_strv (pv_settings_get (), list->key, (const char *const *)left->pdata);
}

static void
add_row (PathList *list, const char *text)
{
    GtkWidget *row = adw_action_row_new ();
    GtkWidget *button = gtk_button_new_from_icon_name ("user-trash-symbolic");
    g_autofree char *shown = pv_format_path (text);
    g_autofree char *name = g_strdup_printf (_ ("Remove “%s”"), shown);

    adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
    adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), shown);
    gtk_widget_set_tooltip_text (button, C_ ("button", "Remove"));
    pv_accessible_set_name (button, name);
    gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
    gtk_widget_add_css_class (button, "flat");
    g_object_set_data_full (G_OBJECT (button), "text", g_strdup (text), g_free);
    g_signal_connect (button, "clicked", G_CALLBACK (on_remove), list);
    adw_action_row_add_suffix (ADW_ACTION_ROW (row), button);
    adw_preferences_group_add (list->group, row);
    g_ptr_array_add (list->rows, row);
}

static void
fill (PathList *list)
{
    g_auto (GStrv) texts = g_settings_get_strv (pv_settings_get (), list->key);

    for (guint i = 0; i < list->rows->len; i++)
        adw_preferences_group_remove (list->group, list->rows->pdata[i]);
    g_ptr_array_set_size (list->rows, 0);
    for (guint i = 0; texts[i] != NULL; i++)
        add_row (list, texts[i]);
}

void
pv_path_list_install (AdwPreferencesGroup *group, const char *key)
{
    g_assert (ADW_IS_PREFERENCES_GROUP (group) && key != NULL);
    PathList *list = g_new0 (PathList, 1);
    g_autofree char *signal = g_strconcat ("changed::", key, NULL);

    list->group = group;
    list->key = key;
    list->rows = g_ptr_array_new ();
    list->handler = g_signal_connect_swapped (pv_settings_get (), signal, G_CALLBACK (fill), list);
    g_object_set_data_full (G_OBJECT (group), "path-list", list, path_list_free);
    fill (list);
}

void
pv_path_list_add (const char *key, const char *text)
{
    g_assert (key != NULL && text != NULL);
    g_auto (GStrv) old = g_settings_get_strv (pv_settings_get (), key);
    g_autoptr (GStrvBuilder) texts = g_strv_builder_new ();

    if (g_strv_contains ((const char *const *)old, text))
        return;
    g_strv_builder_addv (texts, (const char **)old);
    g_strv_builder_add (texts, text);
    g_auto (GStrv) new = g_strv_builder_end (texts);
    g_settings_set_strv (pv_settings_get (), key, (const char *const *)new);
}
