/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "app/document/document.h"

/* Saves what the document's query leaves of its profile in another tool's format. Asks where, works
 * in a worker, and tells how it went. */
void pv_profile_export (GtkWidget *widget, PvDocument *document);
