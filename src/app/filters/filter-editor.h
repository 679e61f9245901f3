/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "app/document/document.h"

/* Changes a transform of a document's query: its kind and expression, with a count of what that
 * matches while it is typed; its place among the others; on and off. */
#define PV_TYPE_FILTER_EDITOR (pv_filter_editor_get_type ())
G_DECLARE_FINAL_TYPE (PvFilterEditor, pv_filter_editor, PV, FILTER_EDITOR, GtkPopover)

GtkWidget *pv_filter_editor_new (PvDocument *document);
/* Pops up for the transform at an index of the query. */
void pv_filter_editor_edit (PvFilterEditor *editor, uint32_t index);
/* The index of the transform edited last, which may have been moved. */
uint32_t pv_filter_editor_get_index (PvFilterEditor *editor);
