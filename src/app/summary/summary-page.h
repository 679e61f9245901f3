/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/view/view.h"

/* The page Summary: facts of the recording, totals, top functions, stack quality, missing debug
 * information, notes. */
#define PV_TYPE_SUMMARY_PAGE (pv_summary_page_get_type ())
G_DECLARE_FINAL_TYPE (PvSummaryPage, pv_summary_page, PV, SUMMARY_PAGE, PvView)
