/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "app/document/document.h"
#include "app/window/profile-export.h"

/* The content of one tab: progress while it loads, an error page if that failed, else the query
 * bar, search bar and pages. */
#define PV_TYPE_DOCUMENT_VIEW (pv_document_view_get_type ())
G_DECLARE_FINAL_TYPE (PvDocumentView, pv_document_view, PV, DOCUMENT_VIEW, GtkWidget)

GtkWidget *pv_document_view_new (PvDocument *document);
PvDocument *pv_document_view_get_document (PvDocumentView *view);

/* For the view switcher in the header bar. */
AdwViewStack *pv_document_view_get_pages (PvDocumentView *view);
/* Goes to a page or shape of app/window/pages.h, if the document has it. */
void pv_document_view_show_page (PvDocumentView *view, const char *id);
/* The shape that is shown, as pages.h names them; static. */
const char *pv_document_view_get_shape (PvDocumentView *view);
/* Page of the help on what is shown; static. */
const char *pv_document_view_get_help (PvDocumentView *view);
/* Begins with it once the document has been loaded. */
void pv_document_view_begin_with (PvDocumentView *view, const char *shape);
/* The nth page of those that there are, from 0; nothing if there are fewer. */
void pv_document_view_show_nth_page (PvDocumentView *view, guint n);
/* FALSE: no page takes the keyboard focus. */
gboolean pv_document_view_focus_page (PvDocumentView *view);

/* The command that shows the same as the page; NULL: no command. g_free () it. */
char *pv_document_view_make_command (PvDocumentView *view);

/* The room in the window: with little height, in pixels, pages have no timeline above them.
 * is_narrow: it is as narrow as a phone, so that bars have several lines, and buttons are below
 * their texts. */
void pv_document_view_set_room (PvDocumentView *view, int height, gboolean is_narrow);

/* Frees one hidden page, to be made again when shown. FALSE: nothing to free. */
gboolean pv_document_view_drop_page (PvDocumentView *view);

/* text NULL: opens the search bar with its last text. */
void pv_document_view_search (PvDocumentView *view, const char *text);
GtkSearchBar *pv_document_view_get_search_bar (PvDocumentView *view);
void pv_document_view_select_match (PvDocumentView *view, gboolean forward);
void pv_document_view_zoom_out (PvDocumentView *view);
/* Asks for a file and exports the visible chart, or else the flame graph or the sandwich. */
void pv_document_view_export (PvDocumentView *view);
/* Asks for a file and exports the profile as shown, in pprof's format. */
void pv_document_view_export_profile (PvDocumentView *view, const PvExport *export);
void pv_document_view_add_folder (PvDocumentView *view);
void pv_document_view_add_archive (PvDocumentView *view);
