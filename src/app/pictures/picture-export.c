/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/pictures/picture-export.h"

#include <glib/gi18n.h>

#include "app/widgets/file-dialog.h"

#define TASK_KEY "picture-export" /* of a widget: its task */

typedef struct {
    const PvPictureExport *export;
    gpointer taken;
    char *path;
} Saving;

static void
saving_free (gpointer data)
{
    Saving *saving = data;

    saving->export->free_taken (saving->taken);
    g_free (saving->path);
    g_free (saving);
}

static gpointer
save (gpointer data, PvJob *job, GError **error)
{
    Saving *saving = data;

    return saving->export->write (saving->taken, saving->path, job, error) ? g_strdup (saving->path)
                                                                           : NULL;
}

static void
tell_failure (GtkWidget *widget, const char *why)
{
    g_autofree char *text = g_strdup_printf (_ ("The picture was not saved: %s"), why);

    gtk_widget_activate_action (widget, "win.toast", "s", text);
}

static void
on_saved (gpointer widget, gpointer result, const GError *error)
{
    g_autofree char *path = result;
    g_autofree char *name = path != NULL ? g_filename_display_basename (path) : NULL;

    if (path == NULL) {
        tell_failure (widget, error != NULL ? error->message : "");
        return;
    }
    g_autofree char *text = g_strdup_printf (_ ("The picture was saved as “%s”"), name);
    gtk_widget_activate_action (widget, "win.tell-saved", "(s^ay)", text, path);
}

void
pv_picture_export_refuse (GtkWidget *widget)
{
    tell_failure (widget, _ ("nothing is shown"));
}

static void
close_task (GtkWidget *widget)
{
    g_object_set_data (G_OBJECT (widget), TASK_KEY, NULL);
}

static PvTask *
get_task (GtkWidget *widget)
{
    PvTask *task = g_object_get_data (G_OBJECT (widget), TASK_KEY);

    if (task != NULL)
        return task;
    task = pv_task_new (widget, save, saving_free, g_free, on_saved);
    g_object_set_data_full (G_OBJECT (widget), TASK_KEY, task, (GDestroyNotify)pv_task_close);
    g_signal_connect (widget, "destroy", G_CALLBACK (close_task), NULL);
    return task;
}

static void
on_chosen (gpointer widget, GtkFileChooser *dialog, GFile *file)
{
    const PvPictureExport *export = g_object_get_data (G_OBJECT (dialog), "data");
    g_autofree char *path = g_file_get_path (file);
    gpointer taken = path != NULL ? export->take (widget) : NULL;
    Saving *saving;

    if (path != NULL && taken == NULL)
        pv_picture_export_refuse (widget);
    if (taken == NULL)
        return;
    saving = g_new (Saving, 1);
    *saving = (Saving){export, taken, g_steal_pointer (&path)};
    pv_task_start (get_task (widget), saving);
}

void
pv_picture_export (GtkWidget *widget, const PvPictureExport *export, const char *title,
                   const char *name)
{
    GtkFileChooser *dialog =
        pv_file_dialog_new (widget, title, GTK_FILE_CHOOSER_ACTION_SAVE, C_ ("button", "_Save"));

    pv_file_dialog_propose (dialog, name);
    pv_file_dialog_add_kind (dialog, _ ("Vector image (.svg)"), "svg");
    pv_file_dialog_add_kind (dialog, _ ("PNG image (.png)"), "png");
    pv_file_dialog_add_kind (dialog, _ ("PDF document (.pdf)"), "pdf");
    pv_file_dialog_show (dialog, on_chosen, (gpointer) export, NULL);
}
