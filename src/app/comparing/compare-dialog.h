/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "app/document/document.h"

/* Asks what a document is to be compared with, or joined with: what is open, earlier recordings of
 * the same program, marked ranges of its time, recent files, any file, or a URL. Main loop only. */
#define PV_TYPE_COMPARE_DIALOG (pv_compare_dialog_get_type ())
G_DECLARE_FINAL_TYPE (PvCompareDialog, pv_compare_dialog, PV, COMPARE_DIALOG, AdwWindow)

/* Of a comparison, the document is new; what was chosen is the base. Of what is joined, the
 * document comes first. */
typedef void (*PvCompareChosen) (GtkWindow *window, const PvSourceSpec *comparison);

/* document can be compared; others (PvDocument) are open as well. */
void pv_compare_dialog_show (GtkWindow *window, PvDocument *document, GPtrArray *others,
                             gboolean joins, PvCompareChosen chosen);
