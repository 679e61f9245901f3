/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "app/document/source-spec.h"
#include "core/symbolize/files/symbol-options.h"
#include "record/plan/plan.h"

/* The window: header bar, tabs, start page; passes the user's commands on to the document shown. */
#define PV_TYPE_WINDOW (pv_window_get_type ())
G_DECLARE_FINAL_TYPE (PvWindow, pv_window, PV, WINDOW, AdwApplicationWindow)

PvWindow *pv_window_new (AdwApplication *application);
/* Where to look for symbols of what is opened, fetched or recorded with symbols NULL. */
void pv_window_set_symbols (PvWindow *window, const PvSymbolOptions *symbols);
/* Opens a file in a new tab, or shows the tab that has it. symbols may be NULL. */
void pv_window_open (PvWindow *window, GFile *file, const PvSymbolOptions *symbols);
/* The same for several files that are one profile. */
void pv_window_open_spec (PvWindow *window, const PvSourceSpec *spec,
                          const PvSymbolOptions *symbols);
/* Asks a server in a new tab, again every interval_seconds if that is not 0. */
void pv_window_fetch (PvWindow *window, const char *url, unsigned interval_seconds,
                      const PvSymbolOptions *symbols);
/* Records in a new tab, and remembers the plan for the next time. A plan for a process whose pid is
 * 0, of the list of launches, is for one that runs argv[0] now; if there is not just one, the user
 * is asked. */
void pv_window_record (PvWindow *window, const PvRecordPlan *plan, const PvSymbolOptions *symbols);
/* Shows the start page, unless there are tabs. */
void pv_window_show_start (PvWindow *window);
