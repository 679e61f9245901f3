/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/pictures/picture-export.h"

#include <glib/gi18n.h>

#include "app/widgets/file-dialog.h"

static void
on_chosen (gpointer widget, GtkFileChooser *dialog, GFile *file)
{
    PvPicturePathFunc func = (PvPicturePathFunc)g_object_get_data (G_OBJECT (dialog), "data");
    char *path = g_file_get_path (file);

    if (path != NULL)
        func (widget, path);
}

void
pv_picture_export_ask (GtkWidget *widget, const char *title, const char *name,
                       PvPicturePathFunc func)
{
    GtkFileChooser *dialog =
        pv_file_dialog_new (widget, title, GTK_FILE_CHOOSER_ACTION_SAVE, _ ("_Export"));

    pv_file_dialog_propose (dialog, name);
    pv_file_dialog_add_kind (dialog, _ ("Vector image (.svg)"), "svg");
    pv_file_dialog_add_kind (dialog, _ ("PNG image (.png)"), "png");
    pv_file_dialog_add_kind (dialog, _ ("PDF document (.pdf)"), "pdf");
    pv_file_dialog_show (dialog, on_chosen, (gpointer)func, NULL);
}

static void
tell_failure (GtkWidget *widget, const char *why)
{
    g_autofree char *text = g_strdup_printf (_ ("The picture was not saved: %s"), why);

    gtk_widget_activate_action (widget, "win.toast", "s", text);
}

void
pv_picture_export_done (gpointer widget, gpointer result, const GError *error)
{
    g_autofree char *path = result;
    g_autofree char *name = path != NULL ? g_filename_display_basename (path) : NULL;

    if (path == NULL) {
        tell_failure (widget, error != NULL ? error->message : "");
        return;
    }
    g_autofree char *text = g_strdup_printf (_ ("The picture was saved as “%s”"), name);
    gtk_widget_activate_action (widget, "win.toast", "s", text);
}

void
pv_picture_export_refuse (GtkWidget *widget)
{
    tell_failure (widget, _ ("nothing is shown"));
}
