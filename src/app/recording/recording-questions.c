/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/recording/recording-questions.h"

#include <adwaita.h>
#include <glib/gi18n.h>

#include "app/recording/recent.h"
#include "app/widgets/message-dialog.h"
#include "app/work/work.h"
#include "record/plan/recordings.h"

#define MAX_UNASKED_SECONDS 10 /* this much is discarded without asking */

/* The tab that contains the widget. */
static void
close_tab (GtkWidget *widget)
{
    GtkWidget *view = gtk_widget_get_ancestor (widget, ADW_TYPE_TAB_VIEW);
    AdwTabView *tabs = view != NULL ? ADW_TAB_VIEW (view) : NULL;

    for (int i = 0; tabs != NULL && i < adw_tab_view_get_n_pages (tabs); i++) {
        AdwTabPage *page = adw_tab_view_get_nth_page (tabs, i);
        GtkWidget *child = adw_tab_page_get_child (page);
        if (widget == child || gtk_widget_is_ancestor (widget, child)) {
            adw_tab_view_close_page (tabs, page);
            return;
        }
    }
}

static AdwMessageDialog *
make_dialog (GtkWidget *widget, const char *title, const char *body)
{
    GtkRoot *root = gtk_widget_get_root (widget);

    return pv_message_dialog_new (GTK_IS_WINDOW (root) ? GTK_WINDOW (root) : NULL, title, body);
}

static void
add_responses (AdwMessageDialog *dialog, const char *destructive_label)
{
    adw_message_dialog_add_responses (dialog, "cancel", C_ ("button", "_Cancel"), "discard",
                                      destructive_label, NULL);
    adw_message_dialog_set_response_appearance (dialog, "discard", ADW_RESPONSE_DESTRUCTIVE);
    adw_message_dialog_set_default_response (dialog, "cancel");
    adw_message_dialog_set_close_response (dialog, "cancel");
}

static void
ask (GtkWidget *widget, PvDocument *document, AdwMessageDialog *dialog, const char *label,
     GCallback respond)
{
    add_responses (dialog, label);
    g_object_set_data_full (G_OBJECT (dialog), "document", g_object_ref (document), g_object_unref);
    g_signal_connect_object (dialog, "response", respond, widget, 0);
    gtk_window_present (GTK_WINDOW (dialog));
}

/* Deleting */

typedef struct {
    GtkWidget *widget; /* weak; shows errors; or NULL */
    PvTask *task;
} Deletion;

/* A file that is already gone is no error. */
static gpointer
delete_recording (gpointer path, PvJob *job, GError **error)
{
    g_autoptr (GError) cause = NULL;

    if (pv_recordings_delete (path, &cause) ||
        g_error_matches (cause, G_FILE_ERROR, G_FILE_ERROR_NOENT))
        return g_strdup (path);
    g_propagate_error (error, g_steal_pointer (&cause));
    return NULL;
}

static void
on_deleted (gpointer owner, gpointer result, const GError *error)
{
    Deletion *deletion = owner;
    g_autofree char *path = result;
    g_autoptr (GFile) file = path != NULL ? g_file_new_for_path (path) : NULL;

    if (file != NULL)
        pv_recent_remove (file);
    if (deletion->widget != NULL && path != NULL)
        close_tab (deletion->widget);
    else if (deletion->widget != NULL && error != NULL) {
        g_autofree char *text =
            g_strdup_printf (_ ("The recording was not deleted: %s"), error->message);
        gtk_widget_activate_action (deletion->widget, "win.toast", "s", text);
    }
    g_clear_weak_pointer (&deletion->widget);
    pv_task_close (deletion->task);
    g_free (deletion);
    g_application_release (g_application_get_default ());
}

/* Finishes even if the window is closed. widget may be NULL. */
static void
delete_ended (GtkWidget *widget, PvDocument *document)
{
    const PvRecording *recording = pv_document_get (document)->recording;
    Deletion *deletion;

    if (recording == NULL || !pv_recording_has_file (recording))
        return;
    deletion = g_new0 (Deletion, 1);
    g_set_weak_pointer (&deletion->widget, widget);
    deletion->task = pv_task_new (deletion, delete_recording, g_free, g_free, on_deleted);
    g_application_hold (g_application_get_default ());
    pv_task_start (deletion->task, g_strdup (pv_recording_get_path (recording)));
}

static void
on_delete_response (AdwMessageDialog *dialog, const char *response, gpointer user)
{
    if (g_str_equal (response, "discard"))
        delete_ended (user, g_object_get_data (G_OBJECT (dialog), "document"));
}

void
pv_ask_to_delete (GtkWidget *widget, PvDocument *document)
{
    const PvDocumentData *data = pv_document_get (document);
    g_autofree char *body = NULL;

    g_assert (GTK_IS_WIDGET (widget) && PV_IS_DOCUMENT (document));
    if (data->recording == NULL || data->is_recording)
        return;
    body = g_strdup_printf (_ ("“%s” will be permanently deleted."), data->title);
    ask (widget, document, make_dialog (widget, _ ("Delete This Recording?"), body),
         C_ ("button", "_Delete"), G_CALLBACK (on_delete_response));
}

/* Discarding */

/* It may have ended while the question was open. */
static void
discard (PvDocument *document)
{
    if (pv_document_get (document)->is_recording)
        pv_document_discard_recording (document);
    else
        delete_ended (NULL, document);
}

static void
discard_and_close (GtkWidget *widget, PvDocument *document)
{
    discard (document);
    close_tab (widget);
}

static void
on_discard_response (AdwMessageDialog *dialog, const char *response, gpointer user)
{
    if (g_str_equal (response, "discard"))
        discard_and_close (user, g_object_get_data (G_OBJECT (dialog), "document"));
}

void
pv_ask_to_discard (GtkWidget *widget, PvDocument *document)
{
    const PvDocumentData *data = pv_document_get (document);

    g_assert (GTK_IS_WIDGET (widget) && PV_IS_DOCUMENT (document));
    if (!data->is_recording)
        return;
    if (pv_recording_get_figures (data->recording)->elapsed_seconds <= MAX_UNASKED_SECONDS) {
        discard_and_close (widget, document);
        return;
    }
    ask (widget, document,
         make_dialog (widget, _ ("Discard This Recording?"),
                      _ ("Recording will stop, and the recorded data will be deleted.")),
         C_ ("button", "_Discard"), G_CALLBACK (on_discard_response));
}

/* Closing */

typedef struct {
    GtkWidget *widget;
    GPtrArray *documents;
    PvMayClose done;
    gpointer user;
    GDestroyNotify free_user;
} Closing;

static void
closing_free (gpointer data, GClosure *closure)
{
    Closing *closing = data;

    g_object_unref (closing->widget);
    g_ptr_array_unref (closing->documents);
    if (closing->free_user != NULL)
        closing->free_user (closing->user);
    g_free (closing);
}

static void
on_close_response (AdwMessageDialog *dialog, const char *response, gpointer user)
{
    Closing *closing = user;
    gboolean is_discarded = g_str_equal (response, "discard");

    if (!is_discarded && !g_str_equal (response, "keep"))
        return;
    for (unsigned i = 0; i < closing->documents->len; i++)
        if (is_discarded)
            discard (closing->documents->pdata[i]);
        else
            pv_document_stop_recording (closing->documents->pdata[i]);
    closing->done (closing->widget, closing->user);
}

static AdwMessageDialog *
make_close_dialog (GtkWidget *widget, GPtrArray *documents)
{
    unsigned n = documents->len;
    g_autofree char *several = g_strdup_printf (
        g_dngettext (NULL, "%u recording is still running.", "%u recordings are still running.", n),
        n);
    g_autofree char *one = g_strdup_printf (_ ("“%s” is still being recorded."),
                                            pv_document_get (documents->pdata[0])->title);
    AdwMessageDialog *dialog =
        make_dialog (widget, n == 1 ? _ ("Stop Recording?") : _ ("Stop All Recordings?"),
                     n == 1 ? one : several);

    adw_message_dialog_add_responses (dialog, "cancel", C_ ("button", "_Cancel"), "discard",
                                      C_ ("button", "_Discard"), "keep", _ ("_Stop and Keep"),
                                      NULL);
    adw_message_dialog_set_response_appearance (dialog, "discard", ADW_RESPONSE_DESTRUCTIVE);
    adw_message_dialog_set_response_appearance (dialog, "keep", ADW_RESPONSE_SUGGESTED);
    adw_message_dialog_set_default_response (dialog, "keep");
    adw_message_dialog_set_close_response (dialog, "cancel");
    return dialog;
}

static gboolean
is_undecided (PvDocument *document)
{
    const PvDocumentData *data = pv_document_get (document);

    return data->is_recording && !data->is_discarded &&
           pv_recording_get_state (data->recording) <= PV_RECORDING_RUNNING;
}

gboolean
pv_ask_to_close (GtkWidget *widget, GPtrArray *documents, PvMayClose done, gpointer user,
                 GDestroyNotify free_user)
{
    g_autoptr (GPtrArray) undecided = g_ptr_array_new_with_free_func (g_object_unref);
    AdwMessageDialog *dialog;
    Closing *closing;

    g_assert (GTK_IS_WIDGET (widget) && documents != NULL && done != NULL);
    for (unsigned i = 0; i < documents->len; i++)
        if (is_undecided (documents->pdata[i]))
            g_ptr_array_add (undecided, g_object_ref (documents->pdata[i]));
    if (undecided->len == 0)
        return FALSE;
    dialog = make_close_dialog (widget, undecided);
    closing = g_new0 (Closing, 1);
    closing->widget = g_object_ref (widget);
    closing->documents = g_steal_pointer (&undecided);
    closing->done = done;
    closing->user = user;
    closing->free_user = free_user;
    g_signal_connect_data (dialog, "response", G_CALLBACK (on_close_response), closing,
                           closing_free, 0);
    gtk_window_present (GTK_WINDOW (dialog));
    return TRUE;
}
