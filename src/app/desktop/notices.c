/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/desktop/notices.h"

#include <glib/gi18n.h>

#include "app/widgets/setup.h"
#include "app/window/document-view.h"

/* Who waits longer may do something else meanwhile. */
#define LONG_US (10 * G_USEC_PER_SEC)

/* Key of the data of a document that records or fetches. */
#define NOTICE "pv-notice"

typedef struct {
    guint32 number;  /* of the document */
    gint64 begun_us; /* monotonic time; 0: nothing is recorded or fetched */
    gboolean is_recording;
    gboolean is_told;
} Notice;

static PvDocument *
get_document (AdwTabPage *page)
{
    return pv_document_view_get_document (PV_DOCUMENT_VIEW (adw_tab_page_get_child (page)));
}

/* NULL: nothing has been recorded or fetched in this tab. */
static Notice *
get_notice (AdwTabPage *page)
{
    return g_object_get_data (G_OBJECT (get_document (page)), NOTICE);
}

static char *
make_id (const Notice *notice)
{
    return g_strdup_printf ("ended-%u", notice->number);
}

static void
withdraw (const Notice *notice)
{
    g_autofree char *id = make_id (notice);

    if (notice->is_told && g_application_get_default () != NULL)
        g_application_withdraw_notification (g_application_get_default (), id);
}

/* The document's tab is closed. */
static void
notice_free (gpointer data)
{
    withdraw (data);
    g_free (data);
}

static Notice *
make_notice (PvDocument *document)
{
    static guint32 n_notices;
    Notice *notice = g_new0 (Notice, 1);

    notice->number = ++n_notices;
    g_object_set_data_full (G_OBJECT (document), NOTICE, notice, notice_free);
    return notice;
}

/* The user looks at one of our windows, or at a dialog of it. */
static gboolean
is_user_here (void)
{
    GtkApplication *application = GTK_APPLICATION (g_application_get_default ());

    for (GList *each = gtk_application_get_windows (application); each != NULL; each = each->next)
        if (gtk_window_is_active (each->data))
            return TRUE;
    return FALSE;
}

static char *
make_title (const PvDocumentData *data, gboolean is_recording)
{
    const gboolean has_failed = data->state == PV_DOCUMENT_FAILED;

    if (is_recording)
        /* Translators: the name of a program */
        return g_strdup_printf (has_failed ? _ ("Recording of “%s” failed")
                                           : _ ("Recording of “%s” is done"),
                                data->title);
    /* Translators: a URL */
    return g_strdup_printf (
        has_failed ? _ ("“%s” could not be fetched") : _ ("Fetching “%s” is done"), data->title);
}

static void
tell (const Notice *notice, const PvDocumentData *data)
{
    g_autofree char *title = make_title (data, notice->is_recording);
    g_autofree char *id = make_id (notice);
    g_autoptr (GNotification) notification = g_notification_new (title);

    if (data->state == PV_DOCUMENT_FAILED && data->error != NULL)
        g_notification_set_body (notification, data->error->message);
    g_notification_set_default_action_and_target (notification, "app.show-ended", "u",
                                                  notice->number);
    g_application_send_notification (g_application_get_default (), id, notification);
}

/* True from the first request until what came is shown, or could not be. Later requests take
 * nothing away, and a file that was fetched earlier is only read. */
static gboolean
is_first_fetch (PvDocument *document, const Notice *notice)
{
    const PvDocumentData *data = pv_document_get (document);

    if (data->spec->url == NULL || data->state != PV_DOCUMENT_LOADING)
        return FALSE;
    return (notice != NULL && notice->begun_us != 0) ||
           (data->spec->paths[0] == NULL && pv_document_is_busy (document));
}

static void
follow (PvDocument *document)
{
    const PvDocumentData *data = pv_document_get (document);
    Notice *notice = g_object_get_data (G_OBJECT (document), NOTICE);
    gint64 begun_us;

    if (data->is_recording || is_first_fetch (document, notice)) {
        notice = notice != NULL ? notice : make_notice (document);
        notice->is_recording = data->is_recording;
        if (notice->begun_us == 0)
            notice->begun_us = g_get_monotonic_time ();
        return;
    }
    if (notice == NULL || notice->begun_us == 0)
        return;
    begun_us = notice->begun_us;
    notice->begun_us = 0;
    if (notice->is_told || data->is_discarded || g_get_monotonic_time () - begun_us < LONG_US ||
        is_user_here ())
        return;
    notice->is_told = TRUE;
    tell (notice, data);
}

static void
on_attached (PvWindow *window, AdwTabPage *page, int position)
{
    PvDocument *document = get_document (page);

    g_signal_connect_object (document, "changed", G_CALLBACK (follow), window, 0);
    follow (document);
}

/* Nobody waits for what a closed tab still does. */
static void
on_detached (PvWindow *window, AdwTabPage *page, int position)
{
    PvDocument *document = get_document (page);

    g_signal_handlers_disconnect_by_func (document, follow, window);
    g_object_set_data (G_OBJECT (document), NOTICE, NULL);
}

/* The user is back, and sees what has ended. */
static void
on_active (PvWindow *window)
{
    AdwTabView *tabs = pv_window_get_tabs (window);

    if (tabs == NULL || !gtk_window_is_active (GTK_WINDOW (window)))
        return;
    for (int i = 0; i < adw_tab_view_get_n_pages (tabs); i++) {
        const Notice *notice = get_notice (adw_tab_view_get_nth_page (tabs, i));
        if (notice != NULL)
            withdraw (notice);
    }
}

void
pv_notices_watch (PvWindow *window)
{
    AdwTabView *tabs = pv_window_get_tabs (window);

    g_assert (tabs != NULL);
    pv_connect (tabs, "page-attached", on_attached, window);
    pv_connect (tabs, "page-detached", on_detached, window);
    pv_connect (window, "notify::is-active", on_active, window);
}

gboolean
pv_notices_show (PvWindow *window, guint32 number)
{
    AdwTabView *tabs = pv_window_get_tabs (window);

    for (int i = 0; tabs != NULL && i < adw_tab_view_get_n_pages (tabs); i++) {
        AdwTabPage *page = adw_tab_view_get_nth_page (tabs, i);
        const Notice *notice = get_notice (page);
        if (notice == NULL || notice->number != number)
            continue;
        adw_tab_view_set_selected_page (tabs, page);
        gtk_window_present (GTK_WINDOW (window));
        return TRUE;
    }
    return FALSE;
}
