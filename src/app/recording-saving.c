#include "app/recording-saving.h"

#include <glib/gi18n.h>
#include <glib/gstdio.h>

#include "app/work.h"

#define PROGRESS_MS 100

struct PvSaving {
    PvSavingEvents events; /* owner NULL: forgotten */
    GtkFileChooserNative *dialog;
    char *path;
    PvLane *lane;
    PvJob *job; /* of the copying, whose progress is told */
    guint progress_source;
};

typedef struct {
    char *from;
    char *to;
    PvJob *progress; /* the saving's: the lane's own is only to be cancelled */
} Copying;

/* In a worker -------------------------------------------------------------------------------------
 */

typedef struct {
    PvJob *job;
    PvJob *progress;
    GCancellable *cancellable;
    uint64_t done_bytes; /* of the files before */
} Watch;

static void
copying_free (gpointer data)
{
    Copying *copying = data;

    g_free (copying->from);
    g_free (copying->to);
    pv_job_unref (copying->progress);
    g_free (copying);
}

static void
on_bytes (goffset done, goffset total, gpointer user)
{
    Watch *watch = user;

    pv_job_set_done (watch->progress, watch->done_bytes + (uint64_t)done);
    if (pv_job_is_cancelled (watch->job))
        g_cancellable_cancel (watch->cancellable);
}

static gboolean
copy_file (const char *from, const char *to, Watch *watch, GError **error)
{
    g_autoptr (GFile) source = g_file_new_for_path (from);
    g_autoptr (GFile) target = g_file_new_for_path (to);

    return g_file_copy (source, target, G_FILE_COPY_OVERWRITE, watch->cancellable, on_bytes, watch,
                        error);
}

static uint64_t
get_size (const char *path)
{
    GStatBuf status;
    return g_stat (path, &status) == 0 ? (uint64_t)status.st_size : 0;
}

/* A half of a recording is none, and what was there before it stays. */
static gboolean
copy_whole_file (const Copying *copying, Watch *watch, GError **error)
{
    g_autofree char *part = g_strconcat (copying->to, ".part", NULL);

    pv_job_set_stage (watch->progress, PV_STAGE_READ, get_size (copying->from));
    if (copy_file (copying->from, part, watch, error) && g_rename (part, copying->to) == 0)
        return TRUE;
    if (error != NULL && *error == NULL)
        g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_FAILED, _ ("“%s” cannot be written."),
                     copying->to);
    g_unlink (part);
    return FALSE;
}

static GPtrArray *
list_names (const char *folder, uint64_t *ret_bytes, GError **error)
{
    GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
    g_autoptr (GDir) dir = g_dir_open (folder, 0, error);
    const char *name;

    *ret_bytes = 0;
    while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
        g_autofree char *path = g_build_filename (folder, name, NULL);
        if (!g_file_test (path, G_FILE_TEST_IS_REGULAR))
            continue;
        *ret_bytes += get_size (path);
        g_ptr_array_add (names, g_strdup (name));
    }
    return names;
}

static void
remove_copies (const char *folder, const GPtrArray *names, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        g_autofree char *path = g_build_filename (folder, names->pdata[i], NULL);
        g_unlink (path);
    }
    g_rmdir (folder);
}

static gboolean
copy_folder (const Copying *copying, Watch *watch, GError **error)
{
    uint64_t bytes;
    g_autoptr (GPtrArray) names = list_names (copying->from, &bytes, error);

    if (error != NULL && *error != NULL)
        return FALSE;
    if (g_mkdir (copying->to, 0700) != 0) {
        g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_FAILED,
                     _ ("The folder “%s” cannot be made, or is there already."), copying->to);
        return FALSE;
    }
    pv_job_set_stage (watch->progress, PV_STAGE_READ, bytes);
    for (unsigned i = 0; i < names->len; i++) {
        g_autofree char *from = g_build_filename (copying->from, names->pdata[i], NULL);
        g_autofree char *to = g_build_filename (copying->to, names->pdata[i], NULL);
        if (!copy_file (from, to, watch, error)) {
            remove_copies (copying->to, names, i + 1);
            return FALSE;
        }
        watch->done_bytes += get_size (from);
    }
    return TRUE;
}

static gpointer
copy (gpointer data, PvJob *job, GError **error)
{
    const Copying *copying = data;
    Watch watch = {job, copying->progress, g_cancellable_new (), 0};
    gboolean is_folder = g_file_test (copying->from, G_FILE_TEST_IS_DIR);
    GError *cause = NULL;
    gboolean is_done = is_folder ? copy_folder (copying, &watch, &cause)
                                 : copy_whole_file (copying, &watch, &cause);

    g_object_unref (watch.cancellable);
    if (!is_done) {
        g_propagate_error (error, cause);
        return NULL;
    }
    return g_path_get_basename (copying->to);
}

/* On the main loop --------------------------------------------------------------------------------
 */

static void
saving_free (PvSaving *saving)
{
    g_clear_handle_id (&saving->progress_source, g_source_remove);
    g_clear_object (&saving->dialog);
    g_clear_pointer (&saving->lane, pv_lane_close);
    g_clear_pointer (&saving->job, pv_job_unref);
    g_free (saving->path);
    g_free (saving);
}

/* The owner closes it, unless it has done so. */
static void
tell_done (PvSaving *saving, const char *sentence)
{
    if (saving->events.owner != NULL)
        saving->events.done (saving->events.owner, sentence);
    else
        saving_free (saving);
}

static gboolean
tell_progress (gpointer user)
{
    PvSaving *saving = user;
    double fraction = 0;

    pv_job_get_progress (saving->job, &fraction);
    if (saving->events.owner != NULL)
        saving->events.progress (saving->events.owner, CLAMP (fraction, 0, 1));
    return G_SOURCE_CONTINUE;
}

static void
on_copied (gpointer owner, gpointer result, const GError *error)
{
    PvSaving *saving = owner;
    g_autofree char *name = result;
    g_autofree char *shown = name != NULL ? g_filename_display_name (name) : NULL;
    g_autofree char *text = NULL;

    g_clear_handle_id (&saving->progress_source, g_source_remove);
    g_clear_pointer (&saving->job, pv_job_unref);
    if (shown != NULL)
        text = g_strdup_printf (_ ("The recording was saved as “%s”"), shown);
    else
        text = g_strdup_printf (_ ("The recording was not saved: %s"),
                                error != NULL ? error->message : "");
    g_application_release (g_application_get_default ());
    tell_done (saving, text);
}

static void
start_copying (PvSaving *saving, const char *to)
{
    Copying *copying = g_new0 (Copying, 1);

    saving->job = pv_job_new ();
    copying->from = g_strdup (saving->path);
    copying->to = g_strdup (to);
    copying->progress = pv_job_ref (saving->job);
    saving->lane = pv_lane_new (saving, copy, copying_free, g_free, on_copied);
    saving->progress_source = g_timeout_add (PROGRESS_MS, tell_progress, saving);
    g_application_hold (g_application_get_default ());
    pv_lane_start (saving->lane, copying);
}

static void
on_response (GtkNativeDialog *dialog, int response, gpointer user)
{
    PvSaving *saving = user;
    g_autoptr (GFile) file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog));
    g_autofree char *to = file != NULL ? g_file_get_path (file) : NULL;

    g_clear_object (&saving->dialog);
    if (response == GTK_RESPONSE_ACCEPT && to != NULL && g_strcmp0 (to, saving->path) != 0)
        start_copying (saving, to);
    else
        tell_done (saving, NULL);
}

PvSaving *
pv_saving_start (GtkWidget *widget, const char *path, const PvSavingEvents *events)
{
    PvSaving *saving = g_new0 (PvSaving, 1);
    g_autofree char *name = g_path_get_basename (path);
    g_autofree char *shown = g_filename_display_name (name);

    saving->events = *events;
    saving->path = g_strdup (path);
    saving->dialog = gtk_file_chooser_native_new (_ ("Save Recording"),
                                                  GTK_WINDOW (gtk_widget_get_root (widget)),
                                                  GTK_FILE_CHOOSER_ACTION_SAVE, _ ("_Save"), NULL);
    gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (saving->dialog), shown);
    gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (saving->dialog), TRUE);
    g_signal_connect (saving->dialog, "response", G_CALLBACK (on_response), saving);
    gtk_native_dialog_show (GTK_NATIVE_DIALOG (saving->dialog));
    return saving;
}

void
pv_saving_cancel (PvSaving *saving)
{
    if (saving->lane == NULL)
        return;
    /* The lane forgets who asked: the rest is up to the worker. */
    pv_lane_cancel (saving->lane);
    g_application_release (g_application_get_default ());
    tell_done (saving, NULL);
}

void
pv_saving_close (PvSaving *saving)
{
    saving->events.owner = NULL;
    if (saving->lane != NULL && pv_lane_is_busy (saving->lane))
        return;
    saving_free (saving);
}
