/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/view/view.h"

/* The page "Runs" of a document that has a list of runs: a row with a line for each function. */
#define PV_TYPE_RUNS_PAGE (pv_runs_page_get_type ())
G_DECLARE_FINAL_TYPE (PvRunsPage, pv_runs_page, PV, RUNS_PAGE, PvView)
