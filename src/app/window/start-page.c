/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/window/start-page.h"

#include <adwaita.h>
#include <glib/gi18n.h>

#include "app/launch/launch-list.h"
#include "app/launch/plan-variant.h"
#include "app/launch/record-dialog.h"
#include "app/recording/recent.h"
#include "app/recording/recorded-list.h"
#include "app/widgets/empty-page.h"
#include "app/widgets/fold.h"
#include "app/widgets/fresh-rows.h"
#include "app/widgets/setup.h"
#include "core/read/readers.h"
#include "record/plan/recordings.h"

#define NARROW_WIDTH_PX 400 /* for three buttons beside each other */
#define MAX_RECENT      5
#define MAX_RECORDED    30 /* recordings that may be among the recent files */

struct _PvStartPage {
    GtkWidget parent;

    AdwStatusPage *status_page;
    GtkBox *ways_box;
    PvLaunchList *launch_list;
    PvRecordedList *recorded_list;
    AdwPreferencesGroup *recent_group;
    PvFreshRows recent;
};

G_DEFINE_FINAL_TYPE (PvStartPage, pv_start_page, GTK_TYPE_WIDGET)

static void
on_row_activated (AdwActionRow *row, PvStartPage *self)
{
    const char *uri = g_object_get_data (G_OBJECT (row), "uri");
    gtk_widget_activate_action (GTK_WIDGET (self), "win.open-recent", "s", uri);
}

static void
add_row (PvStartPage *self, GtkRecentInfo *info)
{
    g_autofree char *path = g_filename_from_uri (gtk_recent_info_get_uri (info), NULL, NULL);
    g_autofree char *folder = path != NULL ? pv_recent_format_folder (path) : NULL;
    GtkWidget *row;

    if (folder == NULL)
        return;
    row = pv_fresh_rows_add (&self->recent, gtk_recent_info_get_display_name (info), folder);
    g_object_set_data_full (G_OBJECT (row), "uri", g_strdup (gtk_recent_info_get_uri (info)),
                            g_free);
    g_signal_connect (row, "activated", G_CALLBACK (on_row_activated), self);
}

static char *
join_addresses (GList *items)
{
    GString *addresses = g_string_new (NULL);

    for (GList *item = items; item != NULL; item = item->next)
        g_string_append_printf (addresses, "%s\n%s\n", gtk_recent_info_get_uri (item->data),
                                gtk_recent_info_get_display_name (item->data));
    return g_string_free (addresses, FALSE);
}

/* Without files of the folder of recordings, which has a list of its own. */
static GList *
list_recent (void)
{
    GList *items = pv_recent_list (MAX_RECENT + MAX_RECORDED);
    GList *kept = NULL;
    unsigned n = 0;

    for (GList *item = items; item != NULL; item = item->next) {
        g_autofree char *path =
            g_filename_from_uri (gtk_recent_info_get_uri (item->data), NULL, NULL);
        if (n < MAX_RECENT && path != NULL && !pv_recordings_is_in_folder (path)) {
            kept = g_list_prepend (kept, item->data);
            n++;
        } else {
            gtk_recent_info_unref (item->data);
        }
    }
    g_list_free (items);
    return g_list_reverse (kept);
}

/* The manager also emits "changed" after writing its file. */
static void
update_recent (PvStartPage *self)
{
    GList *items = list_recent ();

    if (pv_fresh_rows_begin (&self->recent, join_addresses (items)))
        for (GList *item = items; item != NULL; item = item->next)
            add_row (self, item->data);
    g_list_free_full (items, (GDestroyNotify)gtk_recent_info_unref);
}

static void
on_launched (PvStartPage *self, const PvRecordPlan *plan)
{
    gtk_widget_activate_action (GTK_WIDGET (self), "win.record", "@a{sv}",
                                pv_plan_to_variant (plan));
}

static void
on_edited (PvStartPage *self, const PvRecordPlan *plan)
{
    pv_record_dialog_show (GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self))), plan);
}

static void
pv_start_page_map (GtkWidget *widget)
{
    PvStartPage *self = PV_START_PAGE (widget);

    GTK_WIDGET_CLASS (pv_start_page_parent_class)->map (widget);
    pv_launch_list_update (self->launch_list);
    pv_recorded_list_update (self->recorded_list);
}

static void
pv_start_page_dispose (GObject *object)
{
    PvStartPage *self = PV_START_PAGE (object);

    pv_remove_children (GTK_WIDGET (self));
    pv_fresh_rows_clear (&self->recent);
    G_OBJECT_CLASS (pv_start_page_parent_class)->dispose (object);
}

static void
pv_start_page_class_init (PvStartPageClass *class)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

    G_OBJECT_CLASS (class)->dispose = pv_start_page_dispose;
    widget_class->map = pv_start_page_map;
    PV_SET_TEMPLATE (widget_class, "start-page", ADW_TYPE_STATUS_PAGE, ADW_TYPE_PREFERENCES_GROUP,
                     ADW_TYPE_CLAMP, PV_TYPE_LAUNCH_LIST, PV_TYPE_RECORDED_LIST);
    PV_BIND_CHILDREN (widget_class, PvStartPage, status_page, ways_box, launch_list, recorded_list,
                      recent_group);
}

static void
describe_files (PvStartPage *self)
{
    g_autofree char *recordings = NULL, *profiles = NULL, *others = NULL;

    pv_readers_describe (&recordings, &profiles, &others);
    /* Translators: programs that record, programs that make profiles, other things. */
    g_autofree char *text = g_strdup_printf (_ ("Recordings from %s; profiles from %s; %s.\n"
                                                "You can drop files, folders and links here."),
                                             recordings, profiles, others);
    pv_empty_page_set_text (self->status_page, text);
}

static void
pv_start_page_init (PvStartPage *self)
{
    gtk_widget_init_template (GTK_WIDGET (self));
    pv_fold_add (GTK_WIDGET (self), GTK_WIDGET (self->ways_box), NARROW_WIDTH_PX, PV_LEAST_WIDTH_PX,
                 NULL);
    describe_files (self);
    pv_fresh_rows_init (&self->recent, self->recent_group);
    pv_connect (gtk_recent_manager_get_default (), "changed", update_recent, self);
    pv_connect (self->launch_list, "launched", on_launched, self);
    pv_connect (self->launch_list, "edited", on_edited, self);
    update_recent (self);
}
