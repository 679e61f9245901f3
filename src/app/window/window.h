/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "app/document/source-spec.h"
#include "core/symbolize/files/symbol-options.h"
#include "record/plan/plan.h"

/* The window: header bar, tabs and start page. Its actions work on the selected document. */
#define PV_TYPE_WINDOW (pv_window_get_type ())
G_DECLARE_FINAL_TYPE (PvWindow, pv_window, PV, WINDOW, AdwApplicationWindow)

PvWindow *pv_window_new (AdwApplication *application);
/* Options for documents that are opened, fetched or recorded with symbols NULL. */
void pv_window_set_symbols (PvWindow *window, const PvSymbolOptions *symbols);
/* Opens a file in a new tab, or selects the tab that shows it. symbols may be NULL. */
void pv_window_open (PvWindow *window, GFile *file, const PvSymbolOptions *symbols);
/* The same for several files that form one profile. */
void pv_window_open_spec (PvWindow *window, const PvSourceSpec *spec,
                          const PvSymbolOptions *symbols);
/* Fetches from a server in a new tab; again every interval_seconds unless 0. */
void pv_window_fetch (PvWindow *window, const char *url, unsigned interval_seconds,
                      const PvSymbolOptions *symbols);
/* Records in a new tab, and adds the plan to the recent launches. A plan that lacks its process is
 * for the one that runs argv[0]; the user is asked unless there is exactly one. */
void pv_window_record (PvWindow *window, const PvRecordPlan *plan, const PvSymbolOptions *symbols);
/* Shows the start page, unless there are tabs. */
void pv_window_show_start (PvWindow *window);
