/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "app/document/document.h"

/* The bar of a document that is being recorded: how it goes, and what can be done about it; later
 * what became of it, until that is closed. It is there only while it has something to say. */
#define PV_TYPE_RECORDING_BAR (pv_recording_bar_get_type ())
G_DECLARE_FINAL_TYPE (PvRecordingBar, pv_recording_bar, PV, RECORDING_BAR, GtkWidget)

/* Once. */
void pv_recording_bar_set_document (PvRecordingBar *bar, PvDocument *document);

/* "0:07", "1:02:45". */
char *pv_recording_format_elapsed (double seconds);
