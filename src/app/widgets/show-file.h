/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

/* Shows a file in the desktop's file manager, selected in its folder where that can be; in systems
 * without one, nothing happens. Main loop only. */
void pv_show_in_files (GtkWindow *window, const char *path);
