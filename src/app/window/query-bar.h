/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "app/document/document.h"

/* What is asked of the document: the measure, chips for restrictions, how many samples that leaves,
 * the history; and what is still being worked on. */
#define PV_TYPE_QUERY_BAR (pv_query_bar_get_type ())
G_DECLARE_FINAL_TYPE (PvQueryBar, pv_query_bar, PV, QUERY_BAR, GtkWidget)

void pv_query_bar_set_document (PvQueryBar *bar, PvDocument *document);

/* What a stage of loading is called. */
const char *pv_query_bar_get_stage_name (PvStage stage);
