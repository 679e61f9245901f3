/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/recording/recording-saving.h"

#include <glib/gi18n.h>

#include "app/recording/recent.h"
#include "app/recording/recording-copy.h"
#include "app/work/work.h"

#define PROGRESS_MS 100

struct PvSaving {
    PvSavingEvents events; /* owner NULL: closed */
    GtkFileChooserNative *dialog;
    char *path;
    char *to; /* NULL: not chosen yet */
    PvTask *task;
    PvJob *job; /* the copying's; NULL: not copying */
    guint progress_source;
};

typedef struct {
    char *from;
    char *to;
    PvJob *job;
} Copying;

typedef struct {
    char *name;             /* without folder */
    const char *media_type; /* or NULL */
} Copied;

/* In a worker */

static void
copied_free (gpointer data)
{
    Copied *copied = data;

    g_free (copied->name);
    g_free (copied);
}

static void
copying_free (gpointer data)
{
    Copying *copying = data;

    g_free (copying->from);
    g_free (copying->to);
    pv_job_unref (copying->job);
    g_free (copying);
}

static gpointer
copy (gpointer data, PvJob *task_job, GError **error)
{
    const Copying *copying = data;
    Copied *copied;

    if (!pv_recording_copy (copying->from, copying->to, copying->job, error))
        return NULL;
    copied = g_new0 (Copied, 1);
    copied->name = g_path_get_basename (copying->to);
    copied->media_type = pv_load_find_media_type (copying->to);
    return copied;
}

/* On the main loop */

static void
saving_free (PvSaving *saving)
{
    g_clear_handle_id (&saving->progress_source, g_source_remove);
    g_clear_object (&saving->dialog);
    g_clear_pointer (&saving->task, pv_task_close);
    g_clear_pointer (&saving->job, pv_job_unref);
    g_free (saving->path);
    g_free (saving->to);
    g_free (saving);
}

/* The owner frees it in done (), unless it closed it before. */
static void
finish (PvSaving *saving, const char *message)
{
    if (saving->events.owner != NULL)
        saving->events.done (saving->events.owner, message);
    else
        saving_free (saving);
}

static gboolean
report_progress (gpointer user)
{
    PvSaving *saving = user;
    double fraction = 0;

    pv_job_get_progress (saving->job, &fraction);
    if (saving->events.owner != NULL)
        saving->events.progress (saving->events.owner, CLAMP (fraction, 0, 1));
    return G_SOURCE_CONTINUE;
}

/* Lists the copy as a profile: the entry that GTK adds for its dialog does not say so. */
static void
add_to_recent (const PvSaving *saving, const char *name, const char *media_type)
{
    g_autoptr (PvSourceSpec) spec = pv_source_spec_new_for_path (saving->to);

    pv_recent_add (spec, name, media_type);
}

static void
on_copied (gpointer owner, gpointer result, const GError *error)
{
    PvSaving *saving = owner;
    Copied *copied = result;
    g_autofree char *shown = copied != NULL ? g_filename_display_name (copied->name) : NULL;
    g_autofree char *text = NULL;

    g_clear_handle_id (&saving->progress_source, g_source_remove);
    g_clear_pointer (&saving->job, pv_job_unref);
    if (shown != NULL)
        text = g_strdup_printf (_ ("The recording was saved as “%s”"), shown);
    else if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        text = g_strdup (_ ("Saving was cancelled"));
    else
        text = g_strdup (error->message);
    if (shown != NULL)
        add_to_recent (saving, shown, copied->media_type);
    g_clear_pointer (&copied, copied_free);
    g_application_release (g_application_get_default ());
    finish (saving, text);
}

static void
start_copying (PvSaving *saving, const char *to)
{
    Copying *copying = g_new0 (Copying, 1);

    saving->to = g_strdup (to);
    saving->job = pv_job_new ();
    copying->from = g_strdup (saving->path);
    copying->to = g_strdup (to);
    copying->job = pv_job_ref (saving->job);
    saving->task = pv_task_new (saving, copy, copying_free, copied_free, on_copied);
    saving->progress_source = g_timeout_add (PROGRESS_MS, report_progress, saving);
    g_application_hold (g_application_get_default ());
    pv_task_start (saving->task, copying);
}

static void
on_response (GtkNativeDialog *dialog, int response, gpointer user)
{
    PvSaving *saving = user;
    g_autoptr (GFile) file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog));
    g_autofree char *to = file != NULL ? g_file_get_path (file) : NULL;
    const char *text = NULL;

    g_clear_object (&saving->dialog);
    if (response == GTK_RESPONSE_ACCEPT && to == NULL)
        text = _ ("The recording was not saved: choose a local folder");
    else if (response == GTK_RESPONSE_ACCEPT && g_strcmp0 (to, saving->path) == 0)
        text = _ ("The recording is already there");
    else if (response == GTK_RESPONSE_ACCEPT) {
        start_copying (saving, to);
        return;
    }
    finish (saving, text);
}

PvSaving *
pv_saving_start (GtkWidget *widget, const char *path, const PvSavingEvents *events)
{
    PvSaving *saving = g_new0 (PvSaving, 1);
    g_autofree char *shown = g_filename_display_basename (path);

    g_assert (GTK_IS_WIDGET (widget) && events->owner != NULL);
    saving->events = *events;
    saving->path = g_strdup (path);
    saving->dialog = gtk_file_chooser_native_new (
        _ ("Save Recording"), GTK_WINDOW (gtk_widget_get_root (widget)),
        GTK_FILE_CHOOSER_ACTION_SAVE, C_ ("button", "_Save"), NULL);
    gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (saving->dialog), shown);
    gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (saving->dialog), TRUE);
    g_signal_connect (saving->dialog, "response", G_CALLBACK (on_response), saving);
    gtk_native_dialog_show (GTK_NATIVE_DIALOG (saving->dialog));
    return saving;
}

void
pv_saving_cancel (PvSaving *saving)
{
    g_assert (saving != NULL);
    if (saving->job != NULL)
        pv_job_cancel (saving->job);
}

void
pv_saving_close (PvSaving *saving)
{
    g_assert (saving != NULL);
    saving->events.owner = NULL;
    if (saving->task != NULL && pv_task_is_busy (saving->task))
        return;
    saving_free (saving);
}
