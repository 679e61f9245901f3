/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/launch/turns-dialog.h"

#include <glib/gi18n.h>
#include <math.h>

#include "app/launch/turns-run.h"
#include "app/widgets/accessible.h"
#include "app/widgets/help.h"
#include "app/widgets/setup.h"
#include "core/base/format.h"

enum { WIDTH = 460, HEIGHT = 300 };

struct _PvTurnsDialog {
    AdwWindow parent;

    GtkButton *cancel_button;
    GtkButton *stop_button;
    GtkLabel *run_label;
    GtkLabel *program_label;
    GtkProgressBar *progress_bar;
    GtkLabel *state_label;
    GtkLabel *known_label;
    GtkLabel *failure_label;
    GtkLabel *output_label;

    PvTurnsRun *run;
    gboolean is_done;
    void (*compare) (GtkWindow *parent, const PvSourceSpec *comparison);
};

G_DEFINE_FINAL_TYPE (PvTurnsDialog, pv_turns_dialog, ADW_TYPE_WINDOW)

static void
show_text (GtkLabel *label, const char *text)
{
    if (g_strcmp0 (gtk_label_get_text (label), text) != 0)
        gtk_label_set_text (label, text != NULL ? text : "");
    gtk_widget_set_visible (GTK_WIDGET (label), text != NULL);
}

static void
compare_and_close (PvTurnsDialog *self)
{
    GtkWindow *parent = gtk_window_get_transient_for (GTK_WINDOW (self));
    g_autoptr (PvSourceSpec) comparison = pv_turns_run_make_comparison (self->run);

    if (parent != NULL)
        self->compare (parent, comparison);
    gtk_window_close (GTK_WINDOW (self));
}

static char *
describe_state (const PvTurnsStatus *status)
{
    switch (status->state) {
    case PV_TURNS_JUDGING:
        return g_strdup (_ ("Estimating the change…"));
    case PV_TURNS_ENDING:
        return g_strdup (_ ("Ending the run…"));
    case PV_TURNS_RECORDING:
        return status->seconds < 0 ? g_strdup (_ ("Starting the recorder…"))
                                   : g_strdup_printf (_ ("Recording, %.0f s"), status->seconds);
    case PV_TURNS_DONE:
    case PV_TURNS_FAILED:
        break;
    }
    return NULL;
}

static char *
describe_uncertainty (double percent)
{
    g_autofree char *number = NULL;

    if (!isfinite (percent))
        return NULL;
    number = pv_format_decimals (percent, 1);
    return g_strdup_printf (_ ("The total change is known to ±%s %%"), number);
}

/* Only the last lines, without what a terminal would take as a command. */
static char *
clean_output (const char *output)
{
    g_autofree char *text = output != NULL ? g_utf8_make_valid (output, -1) : NULL;
    g_autoptr (GRegex) controls =
        g_regex_new ("\x1b\\[[0-9;?]*[A-Za-z]|[^\\P{Cc}\n\t]", 0, 0, NULL);
    char *clean = text != NULL ? g_regex_replace (controls, text, -1, 0, "", 0, NULL) : NULL;

    if (clean != NULL && *g_strstrip (clean) == '\0')
        g_clear_pointer (&clean, g_free);
    return clean;
}

static void
show_failure (PvTurnsDialog *self, const PvTurnsStatus *status)
{
    gboolean has_failed = status->state == PV_TURNS_FAILED;
    g_autofree char *output = has_failed ? clean_output (status->output) : NULL;

    show_text (self->failure_label, has_failed ? status->failure : NULL);
    show_text (self->output_label, output);
    if (!has_failed)
        return;
    gtk_button_set_label (self->cancel_button, C_ ("button", "_Close"));
    pv_accessible_set_name (GTK_WIDGET (self->cancel_button), C_ ("button", "Close"));
    gtk_button_set_label (self->stop_button, C_ ("button", "C_ompare"));
    pv_accessible_set_name (GTK_WIDGET (self->stop_button), C_ ("button", "Compare"));
}

static void
update (PvTurnsDialog *self)
{
    const PvTurnsStatus status = pv_turns_run_get (self->run);
    const unsigned n_runs = status.turn.n_rounds * PV_N_SIDES;
    g_autofree char *run = g_strdup_printf (
        /* Translators: numbers of runs */
        status.turn.side == PV_SIDE_BASE ? _ ("Run %u of %u of the Base")
                                         : _ ("Run %u of %u of the New Program"),
        status.turn.round + 1, status.turn.n_rounds);
    g_autofree char *program = g_filename_display_name (status.turn.program);
    g_autofree char *state = describe_state (&status);
    g_autofree char *known = describe_uncertainty (status.percent);

    show_text (self->run_label, run);
    show_text (self->program_label, program);
    show_text (self->state_label, state);
    show_text (self->known_label, known);
    show_failure (self, &status);
    gtk_progress_bar_set_fraction (self->progress_bar, (double)status.n_done / n_runs);
    gtk_widget_action_set_enabled (GTK_WIDGET (self), "turns.stop",
                                   status.can_compare && status.state != PV_TURNS_ENDING);
    gtk_widget_set_tooltip_text (GTK_WIDGET (self->stop_button),
                                 !status.can_compare ? _ ("Each program needs at least one run")
                                 : status.state == PV_TURNS_FAILED
                                     ? _ ("Compare what was recorded")
                                     : _ ("Compare what was recorded; the current run is dropped"));
}

static void
on_changed (gpointer owner)
{
    PvTurnsDialog *self = owner;

    update (self);
    if (self->is_done || pv_turns_run_get (self->run).state != PV_TURNS_DONE)
        return;
    self->is_done = TRUE;
    compare_and_close (self);
}

static void
stop (GtkWidget *widget, const char *action, GVariant *parameter)
{
    PvTurnsDialog *self = PV_TURNS_DIALOG (widget);

    if (pv_turns_run_get (self->run).state == PV_TURNS_FAILED)
        compare_and_close (self);
    else
        pv_turns_run_stop (self->run);
}

/* Object */

static void
pv_turns_dialog_dispose (GObject *object)
{
    g_clear_pointer (&PV_TURNS_DIALOG (object)->run, pv_turns_run_free);
    G_OBJECT_CLASS (pv_turns_dialog_parent_class)->dispose (object);
}

static void
pv_turns_dialog_class_init (PvTurnsDialogClass *class)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

    G_OBJECT_CLASS (class)->dispose = pv_turns_dialog_dispose;
    gtk_widget_class_set_template_from_resource (widget_class,
                                                 "/org/profview/Profview/turns-dialog.ui");
    PV_BIND_CHILDREN (widget_class, PvTurnsDialog, cancel_button, stop_button, run_label,
                      program_label, progress_bar, state_label, known_label, failure_label,
                      output_label);
    gtk_widget_class_install_action (widget_class, "turns.stop", NULL, stop);
}

static void
pv_turns_dialog_init (PvTurnsDialog *self)
{
    gtk_widget_init_template (GTK_WIDGET (self));
    pv_help_add_key (GTK_WIDGET (self), PV_HELP ("repeats"));
}

void
pv_turns_dialog_show (GtkWindow *parent, const PvRecordPlan *plan,
                      void (*compare) (GtkWindow *parent, const PvSourceSpec *comparison))
{
    PvTurnsDialog *self;

    g_assert (GTK_IS_WINDOW (parent) && plan != NULL && compare != NULL);
    self = g_object_new (PV_TYPE_TURNS_DIALOG, "transient-for", parent, "default-width", WIDTH,
                         "default-height", HEIGHT, NULL);
    self->compare = compare;
    self->run = pv_turns_run_new (plan, self, on_changed);
    gtk_window_present (GTK_WINDOW (self));
    /* One more press of Return, which started this, must not end it. */
    gtk_widget_grab_focus (GTK_WIDGET (self->progress_bar));
    pv_turns_run_start (self->run);
}
