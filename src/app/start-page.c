#include "app/start-page.h"

#include <adwaita.h>
#include <glib/gi18n.h>

#define MAX_RECENT 5

struct _PvStartPage {
    GtkWidget parent;

    AdwPreferencesGroup *recent_group;
    GPtrArray *rows;
};

G_DEFINE_FINAL_TYPE (PvStartPage, pv_start_page, GTK_TYPE_WIDGET)

static int
compare_visits (gconstpointer a, gconstpointer b)
{
    return g_date_time_compare (gtk_recent_info_get_visited ((GtkRecentInfo *)b),
                                gtk_recent_info_get_visited ((GtkRecentInfo *)a));
}

GList *
pv_start_page_get_recent (unsigned n)
{
    GList *items = gtk_recent_manager_get_items (gtk_recent_manager_get_default ());
    GList *kept = NULL;
    GList *rest;

    for (GList *item = items; item != NULL; item = item->next) {
        GtkRecentInfo *info = item->data;
        if (gtk_recent_info_has_application (info, "profview") && gtk_recent_info_is_local (info))
            kept = g_list_prepend (kept, info);
        else
            gtk_recent_info_unref (info);
    }
    g_list_free (items);
    kept = g_list_sort (kept, compare_visits);
    rest = g_list_nth (kept, n);
    if (rest != NULL) {
        if (rest->prev != NULL)
            rest->prev->next = NULL;
        else
            kept = NULL;
        rest->prev = NULL;
        g_list_free_full (rest, (GDestroyNotify)gtk_recent_info_unref);
    }
    return kept;
}

static void
on_row_activated (AdwActionRow *row, PvStartPage *self)
{
    gtk_widget_activate_action (GTK_WIDGET (self), "win.open-path", "s",
                                g_object_get_data (G_OBJECT (row), "path"));
}

static void
add_row (PvStartPage *self, GtkRecentInfo *info)
{
    GtkWidget *row = adw_action_row_new ();
    g_autofree char *path = g_filename_from_uri (gtk_recent_info_get_uri (info), NULL, NULL);
    g_autofree char *folder = path != NULL ? g_path_get_dirname (path) : NULL;
    g_autofree char *shown = folder != NULL ? g_filename_display_name (folder) : NULL;

    if (path == NULL) {
        g_object_ref_sink (row);
        g_object_unref (row);
        return;
    }
    adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
    adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row),
                                   gtk_recent_info_get_display_name (info));
    adw_action_row_set_subtitle (ADW_ACTION_ROW (row), shown);
    adw_action_row_set_subtitle_lines (ADW_ACTION_ROW (row), 1);
    gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), TRUE);
    g_object_set_data_full (G_OBJECT (row), "path", g_steal_pointer (&path), g_free);
    g_signal_connect (row, "activated", G_CALLBACK (on_row_activated), self);
    adw_preferences_group_add (self->recent_group, row);
    g_ptr_array_add (self->rows, row);
}

static void
update_recent (PvStartPage *self)
{
    GList *items = pv_start_page_get_recent (MAX_RECENT);

    for (unsigned i = 0; i < self->rows->len; i++)
        adw_preferences_group_remove (self->recent_group, self->rows->pdata[i]);
    g_ptr_array_set_size (self->rows, 0);
    for (GList *item = items; item != NULL; item = item->next)
        add_row (self, item->data);
    gtk_widget_set_visible (GTK_WIDGET (self->recent_group), self->rows->len > 0);
    g_list_free_full (items, (GDestroyNotify)gtk_recent_info_unref);
}

static void
pv_start_page_dispose (GObject *object)
{
    PvStartPage *self = PV_START_PAGE (object);
    GtkWidget *child;

    while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
        gtk_widget_unparent (child);
    g_clear_pointer (&self->rows, g_ptr_array_unref);
    G_OBJECT_CLASS (pv_start_page_parent_class)->dispose (object);
}

static void
pv_start_page_class_init (PvStartPageClass *class)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

    G_OBJECT_CLASS (class)->dispose = pv_start_page_dispose;
    g_type_ensure (ADW_TYPE_STATUS_PAGE);
    g_type_ensure (ADW_TYPE_PREFERENCES_GROUP);
    g_type_ensure (ADW_TYPE_CLAMP);
    gtk_widget_class_set_template_from_resource (widget_class,
                                                 "/org/profview/Profview/start-page.ui");
    gtk_widget_class_bind_template_child (widget_class, PvStartPage, recent_group);
}

static void
pv_start_page_init (PvStartPage *self)
{
    gtk_widget_init_template (GTK_WIDGET (self));
    self->rows = g_ptr_array_new ();
    g_signal_connect_object (gtk_recent_manager_get_default (), "changed",
                             G_CALLBACK (update_recent), self, G_CONNECT_SWAPPED);
    update_recent (self);
}
