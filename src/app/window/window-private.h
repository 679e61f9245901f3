/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/window/closed-tabs.h"
#include "app/window/document-view.h"
#include "app/window/window.h"
#include "app/work/work.h"

/*
 * Shared by the files of the window: window.c, which shows the selected document, window-tabs.c,
 * window-actions.c, window-recent.c and window-closing.c, which call one another; opening.c and
 * opening-actions.c are above them.
 */
struct _PvWindow {
    AdwApplicationWindow parent;

    AdwToastOverlay *toast_overlay;
    AdwHeaderBar *header_bar;
    AdwSqueezer *squeezer; /* the switcher, or where it has no room the title */
    AdwViewSwitcher *switcher;
    AdwWindowTitle *window_title;
    AdwViewSwitcherBar *switcher_bar;
    GtkButton *record_button;
    GtkWidget *record_label;
    GtkLabel *name_label;
    AdwTabBar *tab_bar;
    AdwTabView *tab_view; /* NULL: disposed */
    GtkStack *stack;
    AdwBin *start_bin;
    AdwSplitButton *open_button;
    GtkMenuButton *menu_button;
    GMenu *recent_menu;
    GMenu *export_menu;
    AdwToast *last_toast;  /* of the actions; weak */
    AdwTabPage *menu_page; /* whose menu is open; or NULL */
    GtkToggleButton *search_button;
    GBinding *search_binding; /* between the button and the search bar of the selected document */
    GPtrArray *closed_tabs;   /* PvClosedTab, the last one at the end */
    PvTask *launches_task;    /* lists launches, to record the last one again */
    PvTask *find_task;        /* finds the process for a plan that lacks one */
    int width;                /* for which the header bar was made */
    int height;               /* the same */
    guint header_idle;        /* 0: none */
    gboolean is_pressed;      /* a mouse button is, as GTK has reported so far */
    PvSymbolOptions symbols;  /* for documents that are opened without symbol options */
    gboolean is_filling;      /* many tabs are being added: their titles come at the end */
};

/* The selected view; NULL: the start page is shown. */
PvDocumentView *pv_window_get_view (PvWindow *self);

/* window-tabs.c */
PvDocument *pv_window_get_nth_document (PvWindow *self, int i);
/* The index of the tab that shows this, or -1. */
int pv_window_find_tab (PvWindow *self, const PvSourceSpec *spec);
/* Selects the next or previous tab; beyond the last one is the first. */
void pv_window_turn_tabs (PvWindow *self, gboolean is_forward);
/* Marks a document's tabs as loading, recording, or neither. */
void pv_window_mark_tabs (PvWindow *self, PvDocument *document);
/* Sets the titles of all tabs: short ones. */
void pv_window_name_tabs (PvWindow *self);
/* The same for the window: whole names of files; equal ones have their folder. Borrowed. */
const char *pv_window_get_long_title (AdwTabPage *page);
/* Loads the selected document, if it has waited until its tab is shown. */
void pv_window_load_selected (PvWindow *self);

/* window.c: handles a PvDocument's "changed". */
void pv_window_document_changed (PvDocument *document, guint what, PvWindow *self);
/* Updates the titles of tabs and window. */
void pv_window_update_titles (PvWindow *self);

/* Soon gives the keyboard's focus to the page that is shown, or to the start page. */
void pv_window_focus_content (PvWindow *self);

/* Enables the actions that make sense for the selected document. */
void pv_window_update_actions (PvWindow *self);

/* window-actions.c */
void pv_window_add_actions (PvWindow *self);

/* window-recent.c: fills the menu of recent files, now and when they change. */
void pv_window_watch_recent (PvWindow *self);

/* window-closing.c: handles a tab view's "close-page", and a window's close_request: TRUE if it
 * stays open. */
gboolean pv_window_close_page (PvWindow *self, AdwTabPage *page);
gboolean pv_window_keep_open (PvWindow *self);
/* True if a tab is about to close. */
gboolean pv_window_is_closing (AdwTabPage *page);
