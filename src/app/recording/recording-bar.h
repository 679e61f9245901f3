/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "app/document/document.h"

/* The bar above a document that is being recorded: progress, Stop and Discard. Then a summary with
 * Save and Delete, until it is dismissed. Hidden otherwise. */
#define PV_TYPE_RECORDING_BAR (pv_recording_bar_get_type ())
G_DECLARE_FINAL_TYPE (PvRecordingBar, pv_recording_bar, PV, RECORDING_BAR, GtkWidget)

/* Call once. */
void pv_recording_bar_set_document (PvRecordingBar *bar, PvDocument *document);
