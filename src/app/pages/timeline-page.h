/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "app/document/document.h"

/* The page Timeline of heaps and series: charts over time with a legend, a histogram of sizes. */
#define PV_TYPE_TIMELINE_PAGE (pv_timeline_page_get_type ())
G_DECLARE_FINAL_TYPE (PvTimelinePage, pv_timeline_page, PV, TIMELINE_PAGE, GtkWidget)

GtkWidget *pv_timeline_page_new (PvDocument *document);

/* Asks for a file name and writes the chart. */
void pv_timeline_page_export (PvTimelinePage *page);
