/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Closing tabs and the window, after asking about running recordings. */
#include "app/recording/recording-questions.h"
#include "app/window/window-private.h"

/* A tab: GTK frees hundreds of rows when a page goes, so pages go one at a time. */

#define IS_CLOSING "is-closing" /* data of an AdwTabPage: itself */

#define MAX_CLOSED 10 /* tabs that can be opened again */

gboolean
pv_window_is_closing (AdwTabPage *page)
{
    g_assert (ADW_IS_TAB_PAGE (page));
    return g_object_get_data (G_OBJECT (page), IS_CLOSING) != NULL;
}

static gboolean
go_on_closing (gpointer view)
{
    AdwTabView *tab_view;

    if (gtk_widget_get_root (view) == NULL)
        return G_SOURCE_REMOVE; /* the window was closed meanwhile */
    if (pv_document_view_drop_page (view))
        return G_SOURCE_CONTINUE;
    tab_view = ADW_TAB_VIEW (gtk_widget_get_ancestor (view, ADW_TYPE_TAB_VIEW));
    adw_tab_view_close_page_finish (tab_view, adw_tab_view_get_page (tab_view, view), TRUE);
    return G_SOURCE_REMOVE;
}

static void
remember (PvWindow *self, AdwTabPage *page)
{
    PvDocumentView *view = PV_DOCUMENT_VIEW (adw_tab_page_get_child (page));
    PvClosedTab *tab = pv_closed_tab_new (pv_document_view_get_document (view),
                                          adw_tab_view_get_page_position (self->tab_view, page),
                                          pv_document_view_get_shape (view));

    if (tab == NULL)
        return;
    if (self->closed_tabs->len == MAX_CLOSED)
        g_ptr_array_remove_index (self->closed_tabs, 0);
    g_ptr_array_add (self->closed_tabs, tab);
}

static void
begin_closing (PvWindow *self, AdwTabPage *page)
{
    g_object_set_data (G_OBJECT (page), IS_CLOSING, page);
    if (adw_tab_page_get_selected (page)) {
        if (!adw_tab_view_select_next_page (self->tab_view))
            adw_tab_view_select_previous_page (self->tab_view);
        pv_window_focus_content (self);
    }
    /* Where drawing takes longer than a frame, nothing that is less urgent gets its turn. */
    g_idle_add_full (GDK_PRIORITY_REDRAW, go_on_closing,
                     g_object_ref (adw_tab_page_get_child (page)), g_object_unref);
}

static void
close_view (GtkWidget *view, gpointer user)
{
    PvWindow *self = user;

    if (self->tab_view != NULL && gtk_widget_is_ancestor (view, GTK_WIDGET (self->tab_view)))
        adw_tab_view_close_page (self->tab_view, adw_tab_view_get_page (self->tab_view, view));
}

static gboolean
ask_before_closing (PvWindow *self, PvDocumentView *view)
{
    g_autoptr (GPtrArray) documents = g_ptr_array_new ();

    g_ptr_array_add (documents, pv_document_view_get_document (view));
    return pv_ask_to_close (GTK_WIDGET (view), documents, close_view, g_object_ref (self),
                            g_object_unref);
}

gboolean
pv_window_close_page (PvWindow *self, AdwTabPage *page)
{
    PvDocumentView *view = PV_DOCUMENT_VIEW (adw_tab_page_get_child (page));

    g_assert (PV_IS_WINDOW (self) && ADW_IS_TAB_PAGE (page));
    if (ask_before_closing (self, view)) {
        adw_tab_view_close_page_finish (self->tab_view, page, FALSE);
        return GDK_EVENT_STOP;
    }
    remember (self, page);
    pv_window_update_actions (self);
    pv_document_close (pv_document_view_get_document (view));
    begin_closing (self, page);
    return GDK_EVENT_STOP;
}

/* The whole window */

static void
destroy_window (GtkWidget *window, gpointer user)
{
    gtk_window_destroy (GTK_WINDOW (window));
}

gboolean
pv_window_keep_open (PvWindow *self)
{
    g_autoptr (GPtrArray) documents = g_ptr_array_new ();

    g_assert (PV_IS_WINDOW (self));
    for (int i = 0; i < adw_tab_view_get_n_pages (self->tab_view); i++)
        g_ptr_array_add (documents, pv_window_get_nth_document (self, i));
    return pv_ask_to_close (GTK_WIDGET (self), documents, destroy_window, NULL, NULL);
}
