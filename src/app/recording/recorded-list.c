/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/recording/recorded-list.h"

#include <glib/gi18n.h>

#include "app/recording/recording-saving.h"
#include "app/widgets/accessible.h"
#include "app/widgets/fresh-rows.h"
#include "app/widgets/setup.h"
#include "app/work/work.h"
#include "core/base/format.h"
#include "record/plan/recordings.h"

#define MAX_SHOWN       4
#define UPDATE_AFTER_MS 300
#define UNDO_SECONDS    10

struct _PvRecordedList {
    AdwBin parent;

    GtkWidget *all_button; /* shows all instead of MAX_SHOWN */
    PvFreshRows rows;

    GPtrArray *files; /* PvRecordedFile; NULL until the first listing */
    PvTask *task;
    GFileMonitor *monitor;
    guint update_source;
    GHashTable *deleted; /* paths of files that are or will be deleted */
    PvSaving *saving;
};

G_DEFINE_FINAL_TYPE (PvRecordedList, pv_recorded_list, ADW_TYPE_BIN)

static void show_rows (PvRecordedList *self);

static void
show_toast (PvRecordedList *self, const char *text)
{
    gtk_widget_activate_action (GTK_WIDGET (self), "win.toast", "s", text);
}

/* Deleting */

/* Deletes one recording. While the toast with its undo button is shown, only the row is gone. */
typedef struct {
    PvRecordedList *list; /* weak */
    char *path;
    PvTask *task; /* NULL: not started */
    gboolean is_undone;
} Deletion;

static gpointer
delete_file (gpointer path, PvJob *job, GError **error)
{
    GError *cause = NULL;

    if (pv_recordings_delete (path, &cause))
        return NULL;
    /* Already deleted. */
    if (g_error_matches (cause, G_FILE_ERROR, G_FILE_ERROR_NOENT))
        g_error_free (cause);
    else
        g_propagate_error (error, cause);
    return NULL;
}

static void
deletion_free (Deletion *deletion)
{
    g_clear_pointer (&deletion->task, pv_task_close);
    g_clear_weak_pointer (&deletion->list);
    g_free (deletion->path);
    g_free (deletion);
}

static void
on_deleted (gpointer owner, gpointer result, const GError *error)
{
    Deletion *deletion = owner;

    if (error != NULL && deletion->list != NULL) {
        g_autofree char *text =
            g_strdup_printf (_ ("The recording was not deleted: %s"), error->message);
        g_hash_table_remove (deletion->list->deleted, deletion->path);
        show_rows (deletion->list);
        show_toast (deletion->list, text);
    }
    g_application_release (g_application_get_default ());
    deletion_free (deletion);
}

static void
on_undo (AdwToast *toast, Deletion *deletion)
{
    deletion->is_undone = TRUE;
    if (deletion->list == NULL)
        return;
    g_hash_table_remove (deletion->list->deleted, deletion->path);
    show_rows (deletion->list);
}

/* Called when the toast is gone, perhaps with its window. */
static void
on_toast_gone (gpointer user, GClosure *closure)
{
    Deletion *deletion = user;

    if (deletion->is_undone) {
        deletion_free (deletion);
        return;
    }
    deletion->task = pv_task_new (deletion, delete_file, g_free, NULL, on_deleted);
    g_application_hold (g_application_get_default ());
    pv_task_start (deletion->task, g_strdup (deletion->path));
}

static const PvRecordedFile *
find_file (PvRecordedList *self, const char *path)
{
    for (guint i = 0; self->files != NULL && i < self->files->len; i++) {
        const PvRecordedFile *file = self->files->pdata[i];
        if (g_str_equal (file->path, path))
            return file;
    }
    return NULL;
}

static void delete (GtkWidget *widget, const char *action, GVariant *parameter)
{
    PvRecordedList *self = PV_RECORDED_LIST (widget);
    const PvRecordedFile *file = find_file (self, g_variant_get_bytestring (parameter));
    GtkWidget *overlay = gtk_widget_get_ancestor (widget, ADW_TYPE_TOAST_OVERLAY);
    g_autofree char *text = NULL;
    g_autofree char *markup = NULL;
    Deletion *deletion;
    AdwToast *toast;

    if (file == NULL || overlay == NULL)
        return;
    text = g_strdup_printf (_ ("“%s” was deleted"), file->name);
    markup = g_markup_escape_text (text, -1);
    toast = adw_toast_new (markup);
    adw_toast_set_button_label (toast, C_ ("button", "_Undo"));
    adw_toast_set_timeout (toast, UNDO_SECONDS);
    deletion = g_new0 (Deletion, 1);
    g_set_weak_pointer (&deletion->list, self);
    deletion->path = g_strdup (file->path);
    g_signal_connect_data (toast, "button-clicked", G_CALLBACK (on_undo), deletion, on_toast_gone,
                           0);
    g_hash_table_add (self->deleted, g_strdup (file->path));
    show_rows (self);
    adw_toast_overlay_add_toast (ADW_TOAST_OVERLAY (overlay), toast);
}

/* Saving and opening */

static void
on_saving (gpointer owner, double fraction)
{
}

static void
on_saved (gpointer owner, const char *message)
{
    PvRecordedList *self = owner;

    g_clear_pointer (&self->saving, pv_saving_close);
    if (message != NULL)
        show_toast (self, message);
}

/* Saving an earlier one continues without the list. */
static void
save_as (GtkWidget *widget, const char *action, GVariant *parameter)
{
    PvRecordedList *self = PV_RECORDED_LIST (widget);

    g_clear_pointer (&self->saving, pv_saving_close);
    self->saving = pv_saving_start (widget, g_variant_get_bytestring (parameter),
                                    &(PvSavingEvents){self, on_saving, on_saved});
}

static void
on_activated (PvRecordedList *self, GtkWidget *row)
{
    const char *const paths[] = {g_object_get_data (G_OBJECT (row), "path"), NULL};

    gtk_widget_activate_action (GTK_WIDGET (self), "win.open", "^aay", paths);
}

/* Rows */

/* "Today, 17:05" */
static char *
format_time (int64_t time_s)
{
    g_autoptr (GDateTime) time = g_date_time_new_from_unix_local (time_s);
    g_autoptr (GDateTime) now = g_date_time_new_now_local ();
    g_autoptr (GDateTime) yesterday = g_date_time_add_days (now, -1);
    g_autofree char *day = time != NULL ? g_date_time_format (time, "%F") : NULL;
    g_autofree char *today = g_date_time_format (now, "%F");
    g_autofree char *before = g_date_time_format (yesterday, "%F");

    if (time == NULL)
        return g_strdup ("");
    if (g_str_equal (day, today))
        return g_date_time_format (time, _ ("Today, %H:%M"));
    if (g_str_equal (day, before))
        return g_date_time_format (time, _ ("Yesterday, %H:%M"));
    return g_date_time_format (time, "%x");
}

static GtkWidget *
make_menu_button (const PvRecordedFile *file)
{
    GtkWidget *button = gtk_menu_button_new ();
    g_autoptr (GMenu) menu = g_menu_new ();
    g_autofree char *name = g_strdup_printf (_ ("Menu of “%s”"), file->name);
    static const struct {
        const char *label, *action;
    } items[] = {
        {NC_ ("menu", "_Save As…"), "recorded.save-as"},
        {NC_ ("menu", "_Delete"), "recorded.delete"},
    };

    for (unsigned i = 0; i < G_N_ELEMENTS (items); i++) {
        g_autoptr (GMenuItem) item =
            g_menu_item_new (g_dpgettext2 (GETTEXT_PACKAGE, "menu", items[i].label), NULL);
        g_menu_item_set_action_and_target_value (item, items[i].action,
                                                 g_variant_new_bytestring (file->path));
        g_menu_append_item (menu, item);
    }
    gtk_menu_button_set_icon_name (GTK_MENU_BUTTON (button), "view-more-symbolic");
    gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (button), G_MENU_MODEL (menu));
    pv_row_button_init (button, name);
    pv_accessible_name_parts (button, name, NULL);
    return button;
}

static void
add_row (PvRecordedList *self, const PvRecordedFile *file)
{
    g_autofree char *time = format_time (file->recorded_at_s);
    g_autofree char *size = pv_format_amount (file->size_bytes, PV_UNIT_BYTES);
    /* Translators: date and size of a recording. */
    g_autofree char *subtitle = g_strdup_printf (_ ("%s · %s"), time, size);
    GtkWidget *row = pv_fresh_rows_add (&self->rows, file->name, subtitle);

    adw_action_row_set_title_lines (ADW_ACTION_ROW (row), 1);
    adw_action_row_add_suffix (ADW_ACTION_ROW (row), make_menu_button (file));
    g_object_set_data_full (G_OBJECT (row), "path", g_strdup (file->path), g_free);
    pv_connect (row, "activated", on_activated, self);
}

static GPtrArray *
list_visible (PvRecordedList *self)
{
    GPtrArray *visible = g_ptr_array_new ();

    for (guint i = 0; self->files != NULL && i < self->files->len; i++) {
        PvRecordedFile *file = self->files->pdata[i];
        if (!g_hash_table_contains (self->deleted, file->path))
            g_ptr_array_add (visible, file);
    }
    return visible;
}

static char *
join_rows (const GPtrArray *files, guint n)
{
    GString *text = g_string_new (NULL);

    for (guint i = 0; i < n; i++) {
        const PvRecordedFile *file = files->pdata[i];
        g_string_append_printf (text, "%s\n%" G_GUINT64_FORMAT " %" G_GINT64_FORMAT "\n",
                                file->path, file->size_bytes, file->recorded_at_s);
    }
    return g_string_free (text, FALSE);
}

static void
show_rows (PvRecordedList *self)
{
    g_autoptr (GPtrArray) files = list_visible (self);
    gboolean shows_all = gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->all_button));
    guint n = shows_all ? files->len : MIN (files->len, MAX_SHOWN);

    gtk_widget_set_visible (GTK_WIDGET (self), files->len > 0);
    gtk_widget_set_visible (self->all_button, files->len > MAX_SHOWN);
    if (pv_fresh_rows_begin (&self->rows, join_rows (files, n)))
        for (guint i = 0; i < n; i++)
            add_row (self, files->pdata[i]);
}

/* Looking */

static gpointer
list_recordings (gpointer input, PvJob *job, GError **error)
{
    return pv_recordings_list ();
}

static gboolean
is_gone (gpointer path, gpointer value, gpointer user)
{
    return find_file (user, path) == NULL;
}

static void
on_listed (gpointer owner, gpointer result, const GError *error)
{
    PvRecordedList *self = owner;

    if (result == NULL)
        return;
    g_clear_pointer (&self->files, g_ptr_array_unref);
    self->files = result;
    g_hash_table_foreach_remove (self->deleted, is_gone, self);
    show_rows (self);
}

static gboolean
update_now (gpointer user)
{
    PvRecordedList *self = user;

    self->update_source = 0;
    pv_task_start (self->task, NULL);
    return G_SOURCE_REMOVE;
}

/* A file that is being written changes all the time. */
static void
on_folder_changed (PvRecordedList *self)
{
    if (self->update_source == 0 &&
        gtk_widget_get_mapped (gtk_widget_get_parent (GTK_WIDGET (self))))
        self->update_source = g_timeout_add (UPDATE_AFTER_MS, update_now, self);
}

void
pv_recorded_list_update (PvRecordedList *self)
{
    g_assert (PV_IS_RECORDED_LIST (self));
    pv_task_start (self->task, NULL);
}

/* Object */

static void
pv_recorded_list_dispose (GObject *object)
{
    PvRecordedList *self = PV_RECORDED_LIST (object);

    g_clear_handle_id (&self->update_source, g_source_remove);
    g_clear_object (&self->monitor);
    g_clear_pointer (&self->saving, pv_saving_close);
    g_clear_pointer (&self->task, pv_task_close);
    pv_fresh_rows_clear (&self->rows);
    g_clear_pointer (&self->files, g_ptr_array_unref);
    G_OBJECT_CLASS (pv_recorded_list_parent_class)->dispose (object);
}

static void
pv_recorded_list_finalize (GObject *object)
{
    g_hash_table_unref (PV_RECORDED_LIST (object)->deleted);
    G_OBJECT_CLASS (pv_recorded_list_parent_class)->finalize (object);
}

static void
pv_recorded_list_class_init (PvRecordedListClass *class)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

    G_OBJECT_CLASS (class)->dispose = pv_recorded_list_dispose;
    G_OBJECT_CLASS (class)->finalize = pv_recorded_list_finalize;
    gtk_widget_class_install_action (widget_class, "recorded.save-as", "ay", save_as);
    gtk_widget_class_install_action (widget_class, "recorded.delete", "ay", delete);
}

static void
pv_recorded_list_init (PvRecordedList *self)
{
    g_autofree char *path = pv_recordings_get_folder ();
    g_autoptr (GFile) folder = g_file_new_for_path (path);
    GtkWidget *group = adw_preferences_group_new ();

    self->deleted = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
    self->task =
        pv_task_new (self, list_recordings, NULL, (GDestroyNotify)g_ptr_array_unref, on_listed);
    adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (group), C_ ("heading", "Recordings"));
    pv_fresh_rows_init (&self->rows, ADW_PREFERENCES_GROUP (group));
    gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
    self->all_button = gtk_toggle_button_new_with_label (_ ("Show All"));
    gtk_widget_add_css_class (self->all_button, "flat");
    pv_connect (self->all_button, "toggled", show_rows, self);
    adw_preferences_group_set_header_suffix (ADW_PREFERENCES_GROUP (group), self->all_button);
    adw_bin_set_child (ADW_BIN (self), group);
    self->monitor = g_file_monitor_directory (folder, G_FILE_MONITOR_NONE, NULL, NULL);
    if (self->monitor != NULL)
        pv_connect (self->monitor, "changed", on_folder_changed, self);
}
