/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/view/view.h"

/* Shows the document's query: its measure, a chip for each filter, the number of samples left, and
 * the history; and the work in progress. */
#define PV_TYPE_QUERY_BAR (pv_query_bar_get_type ())
G_DECLARE_FINAL_TYPE (PvQueryBar, pv_query_bar, PV, QUERY_BAR, PvView)

/* The name of a stage of loading, for the user. */
const char *pv_query_bar_get_stage_name (PvStage stage);
