/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/window/document-view.h"
#include "app/window/window.h"
#include "app/work/work.h"

/*
 * Between the files of the window: window.c, which shows what is selected, window-tabs.c,
 * window-actions.c, window-recent.c and window-closing.c.
 */
struct _PvWindow {
    AdwApplicationWindow parent;

    AdwToastOverlay *toast_overlay;
    AdwViewSwitcherTitle *switcher_title;
    AdwViewSwitcherBar *switcher_bar;
    GtkButton *record_button;
    GtkWidget *record_label;
    GtkLabel *name_label;
    AdwTabBar *tab_bar;
    AdwTabView *tab_view; /* NULL: the window is gone */
    GtkStack *stack;
    AdwBin *start_bin;
    AdwSplitButton *open_button;
    GMenu *recent_menu;
    GtkToggleButton *search_button;
    GBinding *search_binding; /* of the button and the search bar of the document shown */
    PvTask *launches_task;    /* looks for what is to be recorded again */
    PvTask *find_task;        /* and for the process */
    PvSymbolOptions symbols;  /* for what is opened or recorded without others */
};

/* What is selected; NULL: the start page. */
PvDocumentView *pv_window_get_view (PvWindow *self);
PvDocument *pv_window_get_document (PvWindow *self);

/* window-tabs.c */
PvDocument *pv_window_get_nth_document (PvWindow *self, int i);
/* The tab that shows this, or -1. */
int pv_window_find_tab (PvWindow *self, const PvSourceSpec *spec);
/* Marks the tabs of a document as busy, as recording, or as neither. */
void pv_window_mark_tabs (PvWindow *self, PvDocument *document);
/* Gives each tab its title; of tabs with the same one the folder tells which. */
void pv_window_name_tabs (PvWindow *self);

/* window.c: what a document told has changed; a PvDocument's "changed". */
void pv_window_document_changed (PvDocument *document, guint what, PvWindow *self);
/* Titles of the tabs and of the window. */
void pv_window_update_titles (PvWindow *self);

/* window-actions.c: what menus, keys and buttons do, and what is dropped. */
void pv_window_add_actions (PvWindow *self);

/* window-recent.c: fills the menu of recent files now and when they change. */
void pv_window_watch_recent (PvWindow *self);

/* window-closing.c: a tab view's "close-page"; a window's close_request (), TRUE if it stays. */
gboolean pv_window_close_page (PvWindow *self, AdwTabPage *page);
gboolean pv_window_keep_open (PvWindow *self);
