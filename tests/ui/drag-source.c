/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A small window to drag files from: drag-source FILE...
 * One that has something copied: drag-source --copy TEXT */
#include <gtk/gtk.h>

static GdkContentProvider *
on_prepare (GtkDragSource *source, double x, double y, gpointer files)
{
    GdkFileList *list = gdk_file_list_new_from_list (files);
    GdkContentProvider *provider = gdk_content_provider_new_typed (GDK_TYPE_FILE_LIST, list);

    g_boxed_free (GDK_TYPE_FILE_LIST, list);
    return provider;
}

int
main (int argc, char **argv)
{
    GSList *files = NULL;
    GtkDragSource *source;
    GtkWidget *window, *label;

    gtk_init ();
    if (argc == 3 && g_str_equal (argv[1], "--copy")) {
        gdk_clipboard_set_text (gdk_display_get_clipboard (gdk_display_get_default ()), argv[2]);
        argc = 1;
    }
    for (int i = argc - 1; i > 0; i--)
        files = g_slist_prepend (files, g_file_new_for_commandline_arg (argv[i]));
    window = gtk_window_new ();
    label = gtk_label_new ("Drag me");
    source = gtk_drag_source_new ();
    g_signal_connect (source, "prepare", G_CALLBACK (on_prepare), files);
    gtk_widget_add_controller (label, GTK_EVENT_CONTROLLER (source));
    gtk_window_set_decorated (GTK_WINDOW (window), FALSE);
    gtk_window_set_default_size (GTK_WINDOW (window), 200, 100);
    gtk_window_set_child (GTK_WINDOW (window), label);
    gtk_window_present (GTK_WINDOW (window));
    while (g_list_model_get_n_items (gtk_window_get_toplevels ()) > 0)
        g_main_context_iteration (NULL, TRUE);
    g_slist_free_full (files, g_object_unref);
    return 0;
}
