/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Closing tabs and the window: not before what is still being recorded has been asked about. */
#include "app/recording/recording-questions.h"
#include "app/widgets/columns.h"
#include "app/window/window-private.h"

#define MAX_CLOSING_US (G_USEC_PER_SEC / 2)

/* Closing a tab, without holding the main loop while hundreds of rows are freed -------------------
 */

/* The data of a page that says so. */
#define IS_CLOSING "is-closing"

gboolean
pv_window_is_closing (AdwTabPage *page)
{
    return g_object_get_data (G_OBJECT (page), IS_CLOSING) != NULL;
}

typedef struct {
    AdwTabView *tab_view;
    AdwTabPage *page;
    gint64 end_us; /* not to be waited longer */
} Closing;

static void
free_closing (gpointer user)
{
    Closing *closing = user;
    g_object_unref (closing->tab_view);
    g_object_unref (closing->page);
    g_free (closing);
}

static gboolean
go_on_closing (gpointer user)
{
    Closing *closing = user;

    if (gtk_widget_get_root (GTK_WIDGET (closing->tab_view)) == NULL)
        return G_SOURCE_REMOVE; /* the window went first */
    if (!pv_columns_empty_below (adw_tab_page_get_child (closing->page)) &&
        g_get_monotonic_time () < closing->end_us)
        return G_SOURCE_CONTINUE;
    adw_tab_view_close_page_finish (closing->tab_view, closing->page, TRUE);
    return G_SOURCE_REMOVE;
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

/* The next tab is seen at once. */
gboolean
pv_window_close_page (PvWindow *self, AdwTabPage *page)
{
    PvDocumentView *view = PV_DOCUMENT_VIEW (adw_tab_page_get_child (page));
    Closing *closing;

    if (ask_before_closing (self, view)) {
        adw_tab_view_close_page_finish (self->tab_view, page, FALSE);
        return GDK_EVENT_STOP;
    }
    pv_document_close (pv_document_view_get_document (view));
    if (pv_columns_empty_below (GTK_WIDGET (view))) {
        adw_tab_view_close_page_finish (self->tab_view, page, TRUE);
        return GDK_EVENT_STOP;
    }
    g_object_set_data (G_OBJECT (page), IS_CLOSING, page);
    if (adw_tab_page_get_selected (page) && !adw_tab_view_select_next_page (self->tab_view))
        adw_tab_view_select_previous_page (self->tab_view);
    closing = g_new0 (Closing, 1);
    closing->tab_view = g_object_ref (self->tab_view);
    closing->page = g_object_ref (page);
    closing->end_us = g_get_monotonic_time () + MAX_CLOSING_US;
    g_timeout_add_full (G_PRIORITY_DEFAULT_IDLE, 10, go_on_closing, closing, free_closing);
    return GDK_EVENT_STOP;
}

/* Recordings that go on when the window is closed
 * ---------------------------------------------------
 */

static void
destroy_window (GtkWidget *window, gpointer user)
{
    gtk_window_destroy (GTK_WINDOW (window));
}

gboolean
pv_window_keep_open (PvWindow *self)
{
    g_autoptr (GPtrArray) documents = g_ptr_array_new ();

    for (int i = 0; i < adw_tab_view_get_n_pages (self->tab_view); i++)
        g_ptr_array_add (documents, pv_window_get_nth_document (self, i));
    return pv_ask_to_close (GTK_WIDGET (self), documents, destroy_window, NULL, NULL);
}
