/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "render/chart/histogram.h"

/*
 * A histogram of which one bar can be chosen, by the pointer or with arrow keys and Return.
 * Choosing it again, or Escape, clears the choice. The signal "bar-chosen" has its number, or
 * PV_BAR_NONE. Main loop only.
 */
#define PV_TYPE_HISTOGRAM_AREA (pv_histogram_area_get_type ())
G_DECLARE_FINAL_TYPE (PvHistogramArea, pv_histogram_area, PV, HISTOGRAM_AREA, GtkWidget)

/* Takes the contents of the histogram, and names: n_bars texts, one for each bar, and NULL. chosen
 * may be PV_BAR_NONE. Emits nothing. */
void pv_histogram_area_show (PvHistogramArea *area, PvHistogram *histogram, char **names,
                             uint32_t chosen);
