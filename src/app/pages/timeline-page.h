/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/view/view.h"

/* The page Timeline of heaps and series: charts over time with a legend, a histogram of sizes. */
#define PV_TYPE_TIMELINE_PAGE (pv_timeline_page_get_type ())
G_DECLARE_FINAL_TYPE (PvTimelinePage, pv_timeline_page, PV, TIMELINE_PAGE, PvView)
