#pragma once

#include <adwaita.h>

#include "core/symbolize/symbolizer.h"

/* The window: header bar, tabs, start page; passes the user's commands on to the document shown. */
#define PV_TYPE_WINDOW (pv_window_get_type ())
G_DECLARE_FINAL_TYPE (PvWindow, pv_window, PV, WINDOW, AdwApplicationWindow)

PvWindow *pv_window_new (AdwApplication *application);
/* Opens a file in a new tab, or shows the tab that has it. symbols may be NULL. */
void pv_window_open (PvWindow *window, GFile *file, const PvSymbolOptions *symbols);
/* Shows the start page, unless there are tabs. */
void pv_window_show_start (PvWindow *window);
