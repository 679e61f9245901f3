/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

/* Applications of the desktop that are started beside us. Main loop only. */

/* text: why it could not be started, or that it failed soon after; translated. Not called once the
 * window is gone. */
typedef void (*PvAppFailed) (GtkWindow *window, const char *text);

/* Opens a URI with an application, which is a GDesktopAppInfo. Does not wait for it. */
void pv_app_open (GtkWindow *window, GAppInfo *app, const char *uri, PvAppFailed failed);

/* Tells if a program that was started ends with an error soon. */
void pv_app_watch (GtkWindow *window, const char *name, GPid pid, PvAppFailed failed);
/* Tells that a program could not be started. */
void pv_app_tell_not_started (GtkWindow *window, const char *name, const char *reason,
                              PvAppFailed failed);
