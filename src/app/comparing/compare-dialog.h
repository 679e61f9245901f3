/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "app/document/document.h"

/* Asks what to compare or join a document with: an open document, an earlier recording of the same
 * program, marked ranges of its time, recent or other files, or a URL. Main loop only. */
#define PV_TYPE_COMPARE_DIALOG (pv_compare_dialog_get_type ())
G_DECLARE_FINAL_TYPE (PvCompareDialog, pv_compare_dialog, PV, COMPARE_DIALOG, AdwWindow)

/* In a comparison, the document is the new side and the choice is the base. Of joined files, the
 * document is the first. */
typedef void (*PvCompareChosen) (GtkWindow *window, const PvSourceSpec *comparison);

/* document must be comparable. others: open documents (PvDocument), maybe with it among them. */
void pv_compare_dialog_show (GtkWindow *window, PvDocument *document, GPtrArray *others,
                             gboolean joins, PvCompareChosen chosen);
