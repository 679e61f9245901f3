/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/pictures/picture-export.h"

#include <glib/gi18n.h>

static void
on_response (GtkNativeDialog *dialog, int response, gpointer user)
{
    GtkWidget *widget = user;
    PvPicturePathFunc func = (PvPicturePathFunc)g_object_get_data (G_OBJECT (dialog), "func");
    g_autoptr (GFile) file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog));
    char *path = file != NULL ? g_file_get_path (file) : NULL;

    if (response == GTK_RESPONSE_ACCEPT && path != NULL)
        func (widget, path);
    else
        g_free (path);
    g_object_unref (dialog);
}

static void
add_filter (GtkFileChooser *chooser, const char *name, const char *suffix)
{
    g_autoptr (GtkFileFilter) filter = gtk_file_filter_new ();

    gtk_file_filter_set_name (filter, name);
    gtk_file_filter_add_suffix (filter, suffix);
    gtk_file_chooser_add_filter (chooser, filter);
}

void
pv_picture_export_ask (GtkWidget *widget, const char *title, const char *name,
                       PvPicturePathFunc func)
{
    GtkWindow *window = GTK_WINDOW (gtk_widget_get_root (widget));
    GtkFileChooserNative *dialog = gtk_file_chooser_native_new (
        title, window, GTK_FILE_CHOOSER_ACTION_SAVE, _ ("_Export"), NULL);
    /* The title of a URL contains slashes. */
    g_autofree char *proposed = g_strdelimit (g_strdup (name), "/", '-');

    gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (dialog), proposed);
    add_filter (GTK_FILE_CHOOSER (dialog), _ ("Vector image (.svg)"), "svg");
    add_filter (GTK_FILE_CHOOSER (dialog), _ ("PNG image (.png)"), "png");
    add_filter (GTK_FILE_CHOOSER (dialog), _ ("PDF document (.pdf)"), "pdf");
    gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (dialog), TRUE);
    g_object_set_data (G_OBJECT (dialog), "func", (gpointer)func);
    g_signal_connect_object (dialog, "response", G_CALLBACK (on_response), widget, 0);
    gtk_native_dialog_show (GTK_NATIVE_DIALOG (dialog));
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
