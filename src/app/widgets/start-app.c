/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/widgets/start-app.h"

#include <gio/gdesktopappinfo.h>
#include <glib/gi18n.h>

/* A program that fails within this time could not show the file. */
#define EARLY_END_US (5 * G_USEC_PER_SEC)

/* Applications start without a copy of our page tables if our descriptors, which execve () closes,
 * are left to them. */
#define LAUNCH_FLAGS                                                                               \
    (G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_LEAVE_DESCRIPTORS_OPEN)

typedef struct {
    GWeakRef window;
    char *name;
    gint64 start_us;
    PvAppFailed failed;
} Started;

static void
on_ended (GPid pid, int status, gpointer user)
{
    Started *started = user;
    g_autoptr (GtkWindow) window = g_weak_ref_get (&started->window);
    g_autoptr (GError) error = NULL;
    gboolean is_good = g_spawn_check_wait_status (status, &error);

    if (!is_good && window != NULL && g_get_monotonic_time () - started->start_us < EARLY_END_US) {
        g_autofree char *text =
            /* Translators: a program, and why it ended */
            g_strdup_printf (_ ("%s did not open the file: %s"), started->name, error->message);
        started->failed (window, text);
    }
    g_weak_ref_clear (&started->window);
    g_free (started->name);
    g_free (started);
}

void
pv_app_watch (GtkWindow *window, const char *name, GPid pid, PvAppFailed failed)
{
    Started *started = g_new0 (Started, 1);

    g_assert (GTK_IS_WINDOW (window) && name != NULL && failed != NULL);
    g_weak_ref_init (&started->window, window);
    started->name = g_strdup (name);
    started->start_us = g_get_monotonic_time ();
    started->failed = failed;
    g_child_watch_add (pid, on_ended, started);
}

void
pv_app_tell_not_started (GtkWindow *window, const char *name, const char *reason,
                         PvAppFailed failed)
{
    g_autofree char *text =
        /* Translators: a program, and why it could not be started */
        g_strdup_printf (_ ("%s could not be started: %s"), name, reason);

    failed (window, text);
}

typedef struct {
    GtkWindow *window;
    PvAppFailed failed;
} Launch;

/* An application that starts by D-Bus has no process of ours. */
static void
on_app_started (GDesktopAppInfo *app, GPid pid, gpointer user)
{
    const Launch *launch = user;

    pv_app_watch (launch->window, g_app_info_get_name (G_APP_INFO (app)), pid, launch->failed);
}

void
pv_app_open (GtkWindow *window, GAppInfo *app, const char *uri, PvAppFailed failed)
{
    g_assert (GTK_IS_WINDOW (window) && G_IS_DESKTOP_APP_INFO (app) && uri != NULL);
    g_autoptr (GError) error = NULL;
    GdkDisplay *display = gtk_widget_get_display (GTK_WIDGET (window));
    g_autoptr (GdkAppLaunchContext) context = gdk_display_get_app_launch_context (display);
    GList uris = {.data = (gpointer)uri};
    Launch launch = {window, failed};

    if (!g_desktop_app_info_launch_uris_as_manager (G_DESKTOP_APP_INFO (app), &uris,
                                                    G_APP_LAUNCH_CONTEXT (context), LAUNCH_FLAGS,
                                                    NULL, NULL, on_app_started, &launch, &error))
        pv_app_tell_not_started (window, g_app_info_get_name (app), error->message, failed);
}
