/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "app/document/document.h"
#include "app/source/source-spec.h"
#include "core/symbolize/files/symbol-options.h"
#include "record/plan/plan.h"

/* The window: header bar, tabs and start page. Its actions work on the selected document. */
#define PV_TYPE_WINDOW (pv_window_get_type ())
G_DECLARE_FINAL_TYPE (PvWindow, pv_window, PV, WINDOW, AdwApplicationWindow)

/* How a document is opened. */
typedef struct {
    const PvSymbolOptions *symbols;     /* NULL: those of pv_window_set_symbols () */
    const char *const *words;           /* the query, as in PvQueryWords; or NULL */
    const PvComparisonView *comparison; /* how one is first shown; or NULL */
    gboolean is_one_profile;            /* its sides are parts of one, which is fetched once */
    PvDocument *recording; /* it records a run of the comparison that is live; or NULL */
    gboolean waits;        /* a file is read once its tab is shown, and its tab is not selected */
} PvOpenOptions;

PvWindow *pv_window_new (AdwApplication *application);
/* Shows a message above the pages for a moment, or until the toast is dismissed, which the window
 * owns. Main loop only. */
AdwToast *pv_window_show_toast (PvWindow *window, const char *text);
/* For documents that are opened, fetched or recorded without. */
void pv_window_set_symbols (PvWindow *window, const PvSymbolOptions *symbols);
/* Opens a file in a new tab, or selects the tab that shows it. options may be NULL, here and below.
 */
void pv_window_open (PvWindow *window, GFile *file, const PvOpenOptions *options);
/* The same for several files that form one profile. */
void pv_window_open_spec (PvWindow *window, const PvSourceSpec *spec, const PvOpenOptions *options);
/* Compares in a new tab, or selects the tab that does. Takes over names from tabs that show a side
 * once they have all of them. */
void pv_window_compare (PvWindow *window, const PvSourceSpec *comparison,
                        const PvOpenOptions *options);
/* Fetches from a server in a new tab; again every interval_seconds unless 0. */
void pv_window_fetch (PvWindow *window, const char *url, unsigned interval_seconds,
                      const PvOpenOptions *options);
/* The same once, and always in a tab of its own, even if there is one with this URL, which shows
 * what the server answered before. The document lives as long as the tab. */
PvDocument *pv_window_fetch_anew (PvWindow *window, const char *url, const PvOpenOptions *options);
/* Records in a new tab a plan that does not lack its process. The document lives as long as the
 * tab.
 */
PvDocument *pv_window_record_now (PvWindow *window, const PvRecordPlan *plan,
                                  const PvOpenOptions *options);
/* The document that the selected tab shows; NULL: no document. */
PvDocument *pv_window_get_document (PvWindow *window);
/* Records in a new tab, and adds the plan to the recent launches. A plan that lacks its process is
 * for the one that runs argv[0]; the user is asked unless there is exactly one. One of two programs
 * is recorded in a dialog, and what comes of it compared in a new tab. */
void pv_window_record (PvWindow *window, const PvRecordPlan *plan, const PvOpenOptions *options);
/* Its tabs, whose children are PvDocumentView; NULL once it is closed. */
AdwTabView *pv_window_get_tabs (PvWindow *window);
/* Page of the help on what the window shows; static. */
const char *pv_window_get_help (PvWindow *window);
/* Adds the files and folders that tabs show. */
void pv_window_list_files (PvWindow *window, GStrvBuilder *paths);
/* Shows the start page, unless there are tabs. */
void pv_window_show_start (PvWindow *window);
