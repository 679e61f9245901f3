/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "app/document/document.h"

typedef enum {
    PV_EXPORT_PPROF,
    PV_EXPORT_FIREFOX,
    PV_EXPORT_CALLGRIND,
} PvExportFormat;

/* Exports what the document's query leaves of its profile: asks for a file, works in a worker, and
 * shows the result in a toast. */
void pv_profile_export (GtkWidget *widget, PvDocument *document, PvExportFormat format);
