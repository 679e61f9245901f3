/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "app/document/document.h"

typedef enum {
    PV_EXPORT_PPROF,
    PV_EXPORT_FIREFOX,
    PV_EXPORT_CALLGRIND,
    PV_EXPORT_PAGE, /* for a browser */
    PV_EXPORT_PACK, /* the whole profile, whatever the query is */
} PvExportFormat;

/* Exports what the document's query leaves of its profile: asks for a file, and whether names are
 * to be pseudonyms, works in a worker, and shows the result in a toast. */
void pv_profile_export (GtkWidget *widget, PvDocument *document, PvExportFormat format);
