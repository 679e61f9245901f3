/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/recording/recording-bar.h"

#include <adwaita.h>
#include <glib/gi18n.h>

#include "app/recording/recording-questions.h"
#include "app/recording/recording-saving.h"
#include "app/widgets/accessible.h"
#include "app/widgets/setup.h"
#include "core/base/format.h"
#include "record/plan/recordings.h"

#define ASK_AGAIN_US (15 * G_USEC_PER_SEC)

struct _PvRecordingBar {
    GtkWidget parent;

    PvDocument *document;
    GtkWidget *running_box;
    GtkWidget *dot;
    GtkLabel *elapsed_label;
    GtkLabel *long_label;
    GtkLabel *medium_label;
    GtkLabel *short_label;
    GtkWidget *asking_box;
    GtkWidget *ordinary_box;
    GtkWidget *wait_button;
    GtkWidget *kill_button;
    GtkWidget *discard_button;
    GtkWidget *stop_button;

    GtkWidget *ended_box;
    GtkImage *ended_icon;
    GtkLabel *ended_label;
    GtkWidget *again_button;
    GtkWidget *save_button;
    GtkWidget *cancel_button;
    GtkWidget *delete_button;
    GtkWidget *close_button;
    GtkProgressBar *saving_bar;

    const PvRecording *dismissed;  /* its summary was dismissed */
    const PvRecording *summarized; /* its summary is shown */
    gint64 patient_until_us;       /* the user chose to wait until then */
    PvSaving *saving;
};

G_DEFINE_FINAL_TYPE (PvRecordingBar, pv_recording_bar, GTK_TYPE_WIDGET)

/* "0:07", "1:02:45". */
static char *
format_elapsed (double seconds)
{
    unsigned whole = seconds > 0 ? (unsigned)seconds : 0;

    if (whole >= 3600)
        return g_strdup_printf ("%u:%02u:%02u", whole / 3600, whole / 60 % 60, whole % 60);
    return g_strdup_printf ("%u:%02u", whole / 60, whole % 60);
}

/* While it records */

static void
append (GString *text, const char *part)
{
    if (text->len > 0)
        g_string_append (text, " · ");
    g_string_append (text, part);
}

/* "12,345 samples" that the picture shows so far; NULL: none. */
static char *
format_recorded (const PvDocumentData *data)
{
    uint64_t n = data->n_recorded;
    g_autofree char *amount = pv_format_amount (n, PV_UNIT_COUNT);
    const PvRecorder *recorder = pv_recorder_get (data->plan->kind);

    if (n == 0)
        return NULL;
    if (recorder->format_count != NULL)
        return recorder->format_count (n, amount);
    return g_strdup_printf (g_dngettext (NULL, "%s sample", "%s samples", n), amount);
}

static void
append_target (GString *text, const PvRecordingFigures *figures)
{
    if (figures->target_cpus >= 0) {
        /* Translators: CPU use of the program, in percent of one processor. */
        g_autofree char *cpu = g_strdup_printf (_ ("%.0f %% CPU"), figures->target_cpus * 100);
        append (text, cpu);
    }
    if (figures->n_processes > 1) {
        g_autofree char *processes =
            g_strdup_printf (g_dngettext (NULL, "%u process", "%u processes", figures->n_processes),
                             figures->n_processes);
        append (text, processes);
    }
}

static const char *
get_phase (PvRecordingBar *self)
{
    const PvDocumentData *data = pv_document_get (self->document);
    PvRecordingState state = pv_recording_get_state (data->recording);

    if (data->is_discarded)
        return C_ ("progress", "Discarding…");
    if (state == PV_RECORDING_PREPARING)
        return data->plan->is_privileged ? _ ("Waiting for permission…")
                                         : C_ ("progress", "Starting…");
    if (state == PV_RECORDING_STOPPING)
        return pv_recording_get_figures (data->recording)->is_slow ? _ ("Still writing…")
                                                                   : C_ ("progress", "Writing…");
    return NULL;
}

/* Three labels for three widths. */
static void
update_figures (PvRecordingBar *self)
{
    const PvDocumentData *data = pv_document_get (self->document);
    const PvRecordingFigures *figures = pv_recording_get_figures (data->recording);
    const char *phase = get_phase (self);
    g_autofree char *size = pv_format_amount (figures->size_bytes, PV_UNIT_BYTES);
    g_autofree char *recorded = format_recorded (data);
    GString *text = g_string_new (phase);

    gtk_label_set_text (self->short_label, phase != NULL ? phase : size);
    if (figures->size_bytes > 0 || phase == NULL)
        append (text, size);
    if (recorded != NULL)
        append (text, recorded);
    gtk_label_set_text (self->medium_label, text->str);
    if (data->n_lost > 0) {
        g_autofree char *amount = pv_format_amount (data->n_lost, PV_UNIT_COUNT);
        g_autofree char *lost = g_strdup_printf (_ ("%s lost"), amount);
        append (text, lost);
    }
    append_target (text, figures);
    gtk_label_set_text (self->long_label, text->str);
    g_string_free (text, TRUE);
}

static void
update_running (PvRecordingBar *self)
{
    const PvDocumentData *data = pv_document_get (self->document);
    const PvRecordingFigures *figures = pv_recording_get_figures (data->recording);
    gboolean is_stopping = pv_recording_get_state (data->recording) == PV_RECORDING_STOPPING;
    gboolean is_asking = figures->is_slow && g_get_monotonic_time () >= self->patient_until_us;
    g_autofree char *elapsed = format_elapsed (figures->elapsed_seconds);

    gtk_label_set_text (self->elapsed_label, elapsed);
    update_figures (self);
    gtk_widget_set_opacity (self->dot, is_stopping ? 0.4 : 1);
    gtk_widget_set_visible (self->asking_box, is_asking);
    gtk_widget_set_visible (self->ordinary_box, !is_asking && !data->is_discarded);
    gtk_widget_set_visible (self->stop_button, !is_stopping);
}

/* When it has ended */

static char *
describe_end (PvRecordingBar *self)
{
    const PvDocumentData *data = pv_document_get (self->document);
    const PvRecordingFigures *figures = pv_recording_get_figures (data->recording);
    const GError *error = pv_recording_get_error (data->recording);
    g_autofree char *notes = pv_recording_describe (data->recording);
    g_autofree char *elapsed = format_elapsed (figures->elapsed_seconds);
    g_autofree char *size = pv_format_amount (figures->size_bytes, PV_UNIT_BYTES);
    GString *text = g_string_new (NULL);

    if (pv_recording_has_file (data->recording))
        /* Translators: a duration such as “0:12”, and a size such as “3 MB”. */
        g_string_printf (text, _ ("Recorded %s, %s."), elapsed, size);
    else
        g_string_printf (text, _ ("Recorded %s."), elapsed);
    if (error != NULL)
        g_string_append_printf (text, " %s", error->message);
    if (notes != NULL)
        g_string_append_printf (text, " %s", notes);
    return g_string_free (text, FALSE);
}

static void
update_ended (PvRecordingBar *self)
{
    const PvDocumentData *data = pv_document_get (self->document);
    const char *path = pv_recording_get_path (data->recording);
    const GError *error = pv_recording_get_error (data->recording);
    const PvRecordingFigures *figures = pv_recording_get_figures (data->recording);
    gboolean has_file = pv_recording_has_file (data->recording);
    g_autofree char *notes = pv_recording_describe (data->recording);
    g_autofree char *text = NULL;

    if (self->summarized == data->recording)
        return;
    self->summarized = data->recording;
    text = describe_end (self);
    gtk_label_set_text (self->ended_label, text);
    gtk_image_set_from_icon_name (self->ended_icon, error != NULL   ? "dialog-error-symbolic"
                                                    : notes != NULL ? "dialog-warning-symbolic"
                                                                    : "object-select-symbolic");
    gtk_widget_set_visible (self->save_button, has_file);
    gtk_widget_set_visible (self->again_button, has_file && figures->n_lost > 0);
    gtk_widget_set_visible (self->delete_button, has_file && pv_recordings_is_in_folder (path));
}

static void
update (PvRecordingBar *self)
{
    const PvDocumentData *data = pv_document_get (self->document);
    /* A failed recording without a file has an error page. */
    gboolean is_ended =
        data->recording != NULL && !data->is_recording && !data->is_discarded &&
        self->dismissed != data->recording &&
        (data->state != PV_DOCUMENT_FAILED || pv_recording_has_file (data->recording));

    gtk_widget_set_visible (GTK_WIDGET (self), data->is_recording || is_ended);
    gtk_widget_set_visible (self->running_box, data->is_recording);
    gtk_widget_set_visible (self->ended_box, is_ended);
    if (data->is_recording)
        update_running (self);
    else if (is_ended)
        update_ended (self);
    if (data->recording == NULL || data->is_recording)
        self->summarized = self->dismissed = NULL;
}

static void
on_document_changed (PvRecordingBar *self, guint what)
{
    if (what & (PV_CHANGED_RECORDING | PV_CHANGED_STATE))
        update (self);
}

/* Buttons */

static void
on_wait (PvRecordingBar *self)
{
    self->patient_until_us = g_get_monotonic_time () + ASK_AGAIN_US;
    update (self);
}

static void
on_discard (PvRecordingBar *self)
{
    pv_ask_to_discard (GTK_WIDGET (self), self->document);
}

static void
on_delete (PvRecordingBar *self)
{
    pv_ask_to_delete (GTK_WIDGET (self), self->document);
}

static void
on_dismiss (PvRecordingBar *self)
{
    self->dismissed = pv_document_get (self->document)->recording;
    update (self);
}

static void
show_saving (PvRecordingBar *self, gboolean is_saving)
{
    gtk_widget_set_visible (self->save_button, !is_saving);
    gtk_widget_set_visible (self->cancel_button, is_saving);
    gtk_widget_set_visible (GTK_WIDGET (self->saving_bar), is_saving);
    gtk_widget_set_sensitive (self->delete_button, !is_saving);
    gtk_widget_set_sensitive (self->close_button, !is_saving);
}

static void
on_saving (gpointer owner, double fraction)
{
    PvRecordingBar *self = owner;

    show_saving (self, TRUE);
    gtk_progress_bar_set_fraction (self->saving_bar, fraction);
}

static void
on_saved (gpointer owner, const char *message)
{
    PvRecordingBar *self = owner;

    g_clear_pointer (&self->saving, pv_saving_close);
    show_saving (self, FALSE);
    if (message != NULL)
        gtk_widget_activate_action (GTK_WIDGET (self), "win.toast", "s", message);
}

static void
on_save (PvRecordingBar *self)
{
    const PvDocumentData *data = pv_document_get (self->document);

    if (self->saving == NULL && data->recording != NULL)
        self->saving = pv_saving_start (GTK_WIDGET (self), pv_recording_get_path (data->recording),
                                        &(PvSavingEvents){self, on_saving, on_saved});
}

static void
on_cancel_saving (PvRecordingBar *self)
{
    if (self->saving != NULL)
        pv_saving_cancel (self->saving);
}

/* Object */

static void
pv_recording_bar_dispose (GObject *object)
{
    PvRecordingBar *self = PV_RECORDING_BAR (object);
    GtkWidget *child;

    g_clear_pointer (&self->saving, pv_saving_close);
    while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
        gtk_widget_unparent (child);
    g_clear_object (&self->document);
    G_OBJECT_CLASS (pv_recording_bar_parent_class)->dispose (object);
}

static void
bind_children (GtkWidgetClass *widget_class)
{
    PV_BIND_CHILDREN (widget_class, PvRecordingBar, running_box, dot, elapsed_label, long_label,
                      medium_label, short_label, asking_box, ordinary_box, wait_button, kill_button,
                      discard_button, stop_button, ended_box, ended_icon, ended_label, again_button,
                      save_button, cancel_button, delete_button, close_button, saving_bar);
}

static void
pv_recording_bar_class_init (PvRecordingBarClass *class)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

    G_OBJECT_CLASS (class)->dispose = pv_recording_bar_dispose;
    g_type_ensure (ADW_TYPE_SQUEEZER);
    gtk_widget_class_set_template_from_resource (widget_class,
                                                 "/org/profview/Profview/recording-bar.ui");
    gtk_widget_class_set_css_name (widget_class, "recordingbar");
    bind_children (widget_class);
}

static void
pv_recording_bar_init (PvRecordingBar *self)
{
    gtk_widget_init_template (GTK_WIDGET (self));
    pv_connect (self->wait_button, "clicked", on_wait, self);
    pv_connect (self->discard_button, "clicked", on_discard, self);
    pv_connect (self->delete_button, "clicked", on_delete, self);
    pv_connect (self->close_button, "clicked", on_dismiss, self);
    pv_connect (self->save_button, "clicked", on_save, self);
    pv_accessible_set_name (self->cancel_button, _ ("Cancel saving"));
    pv_connect (self->cancel_button, "clicked", on_cancel_saving, self);
}

void
pv_recording_bar_set_document (PvRecordingBar *self, PvDocument *document)
{
    g_assert (PV_IS_RECORDING_BAR (self) && self->document == NULL);
    g_assert (PV_IS_DOCUMENT (document));
    self->document = g_object_ref (document);
    pv_connect (self->stop_button, "clicked", pv_document_stop_recording, document);
    pv_connect (self->kill_button, "clicked", pv_document_kill_recording, document);
    pv_connect (document, "changed", on_document_changed, self);
    update (self);
}
