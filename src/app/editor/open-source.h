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

/* Opens a source file in the editor that the settings say, else the first that is installed. Finds
 * the file as the page Source does. Toasts say what went wrong (win.toast of the window); where no
 * editor is known, the user is asked for one. Main loop only. */
void pv_open_source (GtkWindow *window, PvDocument *document, const PvRecordedPlace *place);
