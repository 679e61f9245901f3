/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An empty libadwaita window: the floor under the start of any GNOME application. */
#include <adwaita.h>

static void
activate (GtkApplication *application, void *user)
{
    (void)user;
    GtkWidget *window = adw_application_window_new (application);
    GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
    GtkWidget *header = adw_header_bar_new ();
    gtk_box_append (GTK_BOX (box), header);
    adw_application_window_set_content (ADW_APPLICATION_WINDOW (window), box);
    gtk_window_set_default_size (GTK_WINDOW (window), 1200, 800);
    gtk_window_present (GTK_WINDOW (window));
}

int
main (int argc, char **argv)
{
    AdwApplication *application =
        adw_application_new ("org.profview.EmptyWindow", G_APPLICATION_NON_UNIQUE);
    g_signal_connect (application, "activate", G_CALLBACK (activate), NULL);
    int status = g_application_run (G_APPLICATION (application), argc, argv);
    g_object_unref (application);
    return status;
}
