/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/window/window.h"

/* What becomes of several files that are opened at once. */
typedef enum {
    PV_OPEN_EACH, /* each is a document, but dumps of one process are one */
    PV_OPEN_MERGED,
    PV_OPEN_SERIES,
} PvOpenAs;

/* Opens local files and folders in new tabs of the window, at once or, when they have to be looked
 * into first, as soon as a worker has done that. Everything is copied. */
void pv_open_files (PvWindow *window, const char *const *paths, PvOpenAs as,
                    const PvSymbolOptions *symbols);

/* The same for what was dropped or chosen. */
void pv_open_file_list (PvWindow *window, GListModel *files);

/* The URL in what was dropped, pasted or typed, g_free () it; NULL: it is none. */
char *pv_open_find_url (const char *text);
