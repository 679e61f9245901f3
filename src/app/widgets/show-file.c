/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/widgets/show-file.h"

#if GTK_CHECK_VERSION(4, 10, 0)

void
pv_show_in_files (GtkWindow *window, const char *path)
{
    g_assert (GTK_IS_WINDOW (window) && path != NULL);
    g_autoptr (GFile) file = g_file_new_for_path (path);
    g_autoptr (GtkFileLauncher) launcher = gtk_file_launcher_new (file);

    gtk_file_launcher_open_containing_folder (launcher, window, NULL, NULL, NULL);
}

#else

typedef struct {
    GtkWindow *window; /* weak */
    GFile *folder;
} Showing;

/* A file manager that does not take part in this opens the folder. */
static void
on_asked (GObject *bus, GAsyncResult *result, gpointer user)
{
    Showing *showing = user;
    g_autoptr (GVariant) answer =
        g_dbus_connection_call_finish (G_DBUS_CONNECTION (bus), result, NULL);

    if (answer == NULL && showing->window != NULL) {
        g_autofree char *uri = g_file_get_uri (showing->folder);
        gtk_show_uri (showing->window, uri, GDK_CURRENT_TIME);
    }
    g_clear_weak_pointer (&showing->window);
    g_object_unref (showing->folder);
    g_free (showing);
}

void
pv_show_in_files (GtkWindow *window, const char *path)
{
    g_assert (GTK_IS_WINDOW (window) && path != NULL);
    GDBusConnection *bus = g_application_get_dbus_connection (g_application_get_default ());
    g_autoptr (GFile) file = g_file_new_for_path (path);
    g_autofree char *uri = g_file_get_uri (file);
    const char *const uris[] = {uri, NULL};
    Showing *showing;

    if (bus == NULL)
        return;
    showing = g_new0 (Showing, 1);
    g_set_weak_pointer (&showing->window, window);
    showing->folder = g_file_get_parent (file);
    g_dbus_connection_call (bus, "org.freedesktop.FileManager1", "/org/freedesktop/FileManager1",
                            "org.freedesktop.FileManager1", "ShowItems",
                            g_variant_new ("(^ass)", uris, ""), NULL, G_DBUS_CALL_FLAGS_NONE, -1,
                            NULL, on_asked, showing);
}

#endif
