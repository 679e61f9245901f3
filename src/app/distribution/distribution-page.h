/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/view/view.h"

/*
 * The page Distribution: histograms and tables of numbers, one at a time, as a chart of bars over a
 * table. A bar and its row are selected together. Rows can be sorted and filtered. Main loop only.
 */
#define PV_TYPE_DISTRIBUTION_PAGE (pv_distribution_page_get_type ())
G_DECLARE_FINAL_TYPE (PvDistributionPage, pv_distribution_page, PV, DISTRIBUTION_PAGE, PvView)

/* True if the profile, which may be NULL, has a distribution. */
gboolean pv_distribution_page_can_show (const PvProfile *profile);
