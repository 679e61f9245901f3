/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "app/document/document.h"
#include "export/exports.h"

/* Exports what the document's query leaves of its profile: asks for a file, and whether names are
 * to be pseudonyms, works in a worker, and shows the result in a toast. */
void pv_profile_export (GtkWidget *widget, PvDocument *document, const PvExport *export);
