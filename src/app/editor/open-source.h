/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "app/document/document.h"

/* Place to open, as in the profile. */
typedef struct {
    const char *file;   /* of the source, as recorded */
    uint32_t line;      /* 0: unknown */
    const char *binary; /* of the module, on this machine; or NULL */
} PvRecordedPlace;

/* Opens a source file by the user's command, which can go to the line, else in the system's default
 * application for such files, which cannot. Finds the file as the page Source does. Toasts say what
 * went wrong (win.toast of the window); where the system knows no application, the user is asked
 * for a command. Main loop only. */
void pv_open_source (GtkWindow *window, PvDocument *document, const PvRecordedPlace *place);
