/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/launch/record-form.h"

#include <glib/gi18n.h>
#include <string.h>

#include "app/launch/launch-rows.h"
#include "app/launch/recorder-rows.h"
#include "app/launch/turns-rows.h"
#include "app/widgets/cut-text.h"
#include "app/widgets/setup.h"
#include "app/work/settings.h"

struct _PvRecordForm {
    AdwBin parent;

    GtkToggleButton *cpu_button;
    GtkToggleButton *off_cpu_button;
    GtkToggleButton *heap_button;
    GtkToggleButton *service_button;
    GtkLabel *kind_label;
    GtkWidget *recorder_group;
    AdwComboRow *recorder_row;

    GtkWidget *target_box;
    GtkToggleButton *launch_button;
    GtkToggleButton *attach_button;
    GtkToggleButton *system_button;
    GtkToggleButton *turns_button;
    GtkLabel *target_label;
    GtkWidget *attach_group;
    AdwActionRow *process_row;

    PvTurnsRows *turns_rows;
    PvLaunchRows *launch_rows;
    PvRecorderRows *recorder_rows;
    PvFetchForm *fetch_form;

    pid_t pid;                            /* 0: none */
    gboolean is_found[PV_N_RECORD_KINDS]; /* can be offered */
    PvRecordKind chosen[PV_N_RECORD_SUBJECTS];
    PvRecordKind listed[PV_N_RECORD_KINDS]; /* in recorder_row */
    unsigned n_listed;
    gboolean is_filling;
};

G_DEFINE_FINAL_TYPE (PvRecordForm, pv_record_form, ADW_TYPE_BIN)

static guint changed_signal;
static guint activated_signal;

/* Current choices */

static gboolean
is_service (PvRecordForm *self)
{
    return gtk_toggle_button_get_active (self->service_button);
}

static PvRecordKind
get_kind (PvRecordForm *self)
{
    PvRecordSubject subject = PV_RECORD_SUBJECT_CPU;

    if (gtk_toggle_button_get_active (self->heap_button))
        subject = PV_RECORD_SUBJECT_HEAP;
    else if (gtk_toggle_button_get_active (self->off_cpu_button))
        subject = PV_RECORD_SUBJECT_OFF_CPU;
    return self->chosen[subject];
}

/* An insensitive button does not count. */
static PvTargetKind
get_target (PvRecordForm *self)
{
    if (gtk_toggle_button_get_active (self->attach_button) &&
        gtk_widget_get_sensitive (GTK_WIDGET (self->attach_button)))
        return PV_TARGET_ATTACH;
    if (gtk_toggle_button_get_active (self->system_button) &&
        gtk_widget_get_sensitive (GTK_WIDGET (self->system_button)))
        return PV_TARGET_SYSTEM;
    return PV_TARGET_LAUNCH;
}

/* Two programs are launched in turn. */
static gboolean
is_in_turn (PvRecordForm *self)
{
    return gtk_toggle_button_get_active (self->turns_button) &&
           gtk_widget_get_sensitive (GTK_WIDGET (self->turns_button));
}

PvFetchForm *
pv_record_form_get_fetch_form (PvRecordForm *self)
{
    g_assert (PV_IS_RECORD_FORM (self));
    return is_service (self) ? self->fetch_form : NULL;
}

static const char *
describe_kind (PvRecordForm *self)
{
    if (is_service (self))
        return _ ("Fetches a profile from a running service.");
    return _ (pv_recorder_get (get_kind (self))->about);
}

static const char *
describe_target (PvTargetKind target, gboolean is_in_turn)
{
    if (is_in_turn)
        return _ ("Both are recorded in turn, so that other load on the machine affects both "
                  "alike, and then compared.");
    switch (target) {
    case PV_TARGET_ATTACH:
        return _ ("A process that is already running. It continues when recording stops.");
    case PV_TARGET_SYSTEM:
        return _ ("All processes, until you stop recording.");
    case PV_TARGET_LAUNCH:
        break;
    }
    return _ ("A command line. Quotes work, but variables and wildcards do not: there is no "
              "shell.");
}

/* Visible rows */

static void
show (gpointer widget, gboolean is_visible)
{
    gtk_widget_set_visible (GTK_WIDGET (widget), is_visible);
}

static void
on_fetch_activated (PvRecordForm *self)
{
    g_signal_emit (self, activated_signal, 0);
}

static void
on_fetch_changed (PvRecordForm *self)
{
    g_signal_emit (self, changed_signal, 0);
}

/* Lists the recorders of the chosen one's subject: those that can be offered, and a remembered
 * launch's. */
static void
list_recorders (PvRecordForm *self)
{
    PvRecordKind chosen = get_kind (self);
    g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
    PvRecordKind listed[PV_N_RECORD_KINDS];
    unsigned n = 0, selected = 0;

    for (PvRecordKind kind = 0; kind < PV_N_RECORD_KINDS; kind++) {
        const PvRecorder *recorder = pv_recorder_get (kind);
        if (recorder->subject != pv_recorder_get (chosen)->subject ||
            !(self->is_found[kind] || kind == chosen))
            continue;
        if (kind == chosen)
            selected = n;
        gtk_string_list_append (names, recorder->name);
        listed[n++] = kind;
    }
    if (n != self->n_listed || memcmp (listed, self->listed, n * sizeof *listed) != 0) {
        memcpy (self->listed, listed, n * sizeof *listed);
        self->n_listed = n;
        adw_combo_row_set_model (self->recorder_row, G_LIST_MODEL (names));
    }
    adw_combo_row_set_selected (self->recorder_row, selected);
}

static void
update_rows (PvRecordForm *self)
{
    gboolean is_recorded = !is_service (self);
    const PvRecorder *recorder = pv_recorder_get (get_kind (self));
    gboolean was_filling = self->is_filling;
    PvTargetKind target;

    self->is_filling = TRUE;
    list_recorders (self);
    self->is_filling = was_filling;
    gtk_widget_set_sensitive (GTK_WIDGET (self->attach_button), recorder->can_attach);
    gtk_widget_set_sensitive (GTK_WIDGET (self->system_button), recorder->can_record_system);
    /* A folder of dumps is no run of a comparison. */
    gtk_widget_set_sensitive (GTK_WIDGET (self->turns_button), !recorder->writes_folder);
    target = get_target (self);
    gtk_label_set_text (self->kind_label, describe_kind (self));
    gtk_label_set_text (self->target_label, describe_target (target, is_in_turn (self)));
    show (self->recorder_group, is_recorded && self->n_listed > 1);
    show (self->target_box, is_recorded);
    show (self->turns_rows, is_recorded && is_in_turn (self));
    show (self->launch_rows, is_recorded && target == PV_TARGET_LAUNCH);
    pv_launch_rows_set_command_shown (self->launch_rows, !is_in_turn (self));
    show (self->attach_group, is_recorded && target == PV_TARGET_ATTACH);
    pv_recorder_rows_set_kind (self->recorder_rows, get_kind (self));
    if (!is_recorded)
        show (self->recorder_rows, FALSE);
    show (self->fetch_form, !is_recorded);
}

static void
on_changed (PvRecordForm *self)
{
    if (self->is_filling)
        return;
    update_rows (self);
    g_signal_emit (self, changed_signal, 0);
}

static void
on_recorder_selected (PvRecordForm *self)
{
    unsigned selected = adw_combo_row_get_selected (self->recorder_row);

    if (self->is_filling || selected >= self->n_listed)
        return;
    self->chosen[pv_recorder_get (get_kind (self))->subject] = self->listed[selected];
    on_changed (self);
}

static void
on_group_toggled (PvRecordForm *self, GtkToggleButton *button)
{
    /* Toggling a group emits two changes; the second comes from the button that is now active. If
     * the target is not available for the new kind, another one becomes active. */
    if (!gtk_toggle_button_get_active (button))
        return;
    on_changed (self);
    if (!self->is_filling && !is_service (self) && !is_in_turn (self) &&
        get_target (self) == PV_TARGET_LAUNCH)
        gtk_toggle_button_set_active (self->launch_button, TRUE);
}

/* The plan */

PvRecordPlan *
pv_record_form_make_plan (PvRecordForm *self, char **ret_fault)
{
    PvRecordPlan *plan = pv_record_plan_new ();
    char *fault = NULL;

    g_assert (PV_IS_RECORD_FORM (self) && ret_fault != NULL);
    plan->kind = get_kind (self);
    plan->target = get_target (self);
    pv_recorder_rows_take (self->recorder_rows, plan);
    if (is_in_turn (self))
        fault = pv_turns_rows_take (self->turns_rows, plan);
    if (plan->target == PV_TARGET_LAUNCH) {
        g_autofree char *launch_fault = pv_launch_rows_take (self->launch_rows, plan);
        if (fault == NULL)
            fault = g_steal_pointer (&launch_fault);
    }
    plan->pid = plan->target == PV_TARGET_ATTACH ? self->pid : 0;
    if (plan->target == PV_TARGET_ATTACH && plan->pid == 0)
        fault = g_strdup (_ ("Choose a process"));
    if (fault == NULL)
        fault = g_strdup (pv_record_plan_find_fault (plan));
    *ret_fault = fault;
    return plan;
}

void
pv_record_form_commit (PvRecordForm *self)
{
    g_assert (PV_IS_RECORD_FORM (self));
    pv_turns_rows_commit (self->turns_rows);
    pv_launch_rows_commit (self->launch_rows);
    pv_recorder_rows_commit (self->recorder_rows);
}

/* Filling */

static void
select_kind (PvRecordForm *self, PvRecordKind kind)
{
    GtkToggleButton *const buttons[] = {
        [PV_RECORD_SUBJECT_CPU] = self->cpu_button,
        [PV_RECORD_SUBJECT_OFF_CPU] = self->off_cpu_button,
        [PV_RECORD_SUBJECT_HEAP] = self->heap_button,
    };
    PvRecordSubject subject = pv_recorder_get (kind)->subject;

    self->chosen[subject] = kind;
    gtk_toggle_button_set_active (buttons[subject], TRUE);
    on_changed (self);
}

static void
select_target (PvRecordForm *self, PvTargetKind target, gboolean is_in_turn)
{
    gtk_toggle_button_set_active (is_in_turn                   ? self->turns_button
                                  : target == PV_TARGET_ATTACH ? self->attach_button
                                  : target == PV_TARGET_SYSTEM ? self->system_button
                                                               : self->launch_button,
                                  TRUE);
}

/* A plan has no name for its process. */
static void
fill_process (PvRecordForm *self, const PvRecordPlan *plan)
{
    g_autofree char *title = g_strdup_printf (_ ("Process %d"), (int)plan->pid);

    self->pid = plan->pid;
    adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->process_row), title);
    adw_action_row_set_subtitle (self->process_row, "");
}

static void
fill_programs (PvRecordForm *self, const PvRecordPlan *plan)
{
    if (plan->target != PV_TARGET_LAUNCH || (plan->argv == NULL && plan->programs == NULL))
        return;
    if (plan->programs != NULL)
        pv_turns_rows_fill (self->turns_rows, plan);
    pv_launch_rows_fill (self->launch_rows, plan);
}

void
pv_record_form_set_plan (PvRecordForm *self, const PvRecordPlan *plan)
{
    g_assert (PV_IS_RECORD_FORM (self) && plan != NULL);
    self->is_filling = TRUE;
    select_kind (self, plan->kind);
    select_target (self, plan->target, plan->programs != NULL);
    fill_programs (self, plan);
    if (plan->target == PV_TARGET_ATTACH && plan->pid > 0)
        fill_process (self, plan);
    pv_recorder_rows_fill (self->recorder_rows, plan);
    self->is_filling = FALSE;
    on_changed (self);
}

void
pv_record_form_propose (PvRecordForm *self, const PvRecordPlan *plan)
{
    gboolean is_launch;

    g_assert (PV_IS_RECORD_FORM (self) && plan != NULL);
    is_launch = plan->target == PV_TARGET_LAUNCH &&
                (plan->programs != NULL || (plan->argv != NULL && plan->argv[0] != NULL));
    /* Folder and environment are of either form. */
    if (!is_launch || (plan->programs != NULL) != is_in_turn (self) ||
        pv_turns_rows_has_programs (self->turns_rows) ||
        pv_launch_rows_has_command (self->launch_rows))
        return;
    self->is_filling = TRUE;
    fill_programs (self, plan);
    self->is_filling = FALSE;
    if (plan->programs == NULL)
        pv_launch_rows_select_command (self->launch_rows);
    on_changed (self);
}

const char *const *
pv_record_form_get_events (PvRecordForm *self)
{
    g_assert (PV_IS_RECORD_FORM (self));
    return pv_recorder_rows_get_events (self->recorder_rows);
}

void
pv_record_form_set_process (PvRecordForm *self, const PvRunningProcess *process)
{
    /* Translators: a process and its number */
    g_autofree char *title = g_strdup_printf (_ ("%s (%d)"), process->name, (int)process->pid);

    g_assert (PV_IS_RECORD_FORM (self) && process != NULL);
    self->pid = process->pid;
    adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->process_row), title);
    adw_action_row_set_subtitle (self->process_row, process->command);
    on_changed (self);
}

void
pv_record_form_set_program (PvRecordForm *self, const PvProgram *program)
{
    g_assert (PV_IS_RECORD_FORM (self) && program != NULL);
    if (is_in_turn (self))
        pv_turns_rows_set_program (self->turns_rows, program);
    else
        pv_launch_rows_set_program (self->launch_rows, program);
}

void
pv_record_form_set_events (PvRecordForm *self, const char *const *events)
{
    g_assert (PV_IS_RECORD_FORM (self));
    pv_recorder_rows_set_events (self->recorder_rows, events);
}

void
pv_record_form_set_no_counters (PvRecordForm *self)
{
    g_assert (PV_IS_RECORD_FORM (self));
    pv_recorder_rows_set_no_counters (self->recorder_rows);
}

void
pv_record_form_apply (PvRecordForm *self, PvFix fix)
{
    g_assert (PV_IS_RECORD_FORM (self));
    if (fix == PV_FIX_USE_JEMALLOC)
        select_kind (self, PV_RECORD_JEMALLOC);
    else
        pv_recorder_rows_apply (self->recorder_rows, fix);
}

/* Saved choices */

void
pv_record_form_save (PvRecordForm *self)
{
    static const char *const no_events[] = {NULL};
    GSettings *settings = pv_settings_get ();
    PvRecorderChoice recorder = pv_recorder_rows_get (self->recorder_rows);
    const char *const *events = pv_recorder_rows_get_events (self->recorder_rows);

    g_assert (PV_IS_RECORD_FORM (self));
    g_settings_set_boolean (settings, "record-from-service", is_service (self));
    g_settings_set_string (settings, "record-kind", pv_recorder_get (get_kind (self))->id);
    g_settings_set_enum (settings, "record-target", get_target (self));
    g_settings_set_boolean (settings, "record-in-turn", is_in_turn (self));
    pv_turns_rows_save (self->turns_rows);
    g_settings_set_enum (settings, "record-call-graph", recorder.call_graph);
    g_settings_set_int (settings, "record-stack-bytes", recorder.stack_bytes);
    g_settings_set_int (settings, "record-frequency", recorder.frequency_hz);
    g_settings_set_int (settings, "record-buffer", recorder.buffer_mib);
    g_settings_set_int (settings, "record-dump-interval", recorder.interval_mib);
    g_settings_set_boolean (settings, "record-with-pkexec", recorder.is_privileged);
    g_settings_set_strv (settings, "record-events", events != NULL ? events : no_events);
}

void
pv_record_form_restore (PvRecordForm *self)
{
    GSettings *settings = pv_settings_get ();
    g_auto (GStrv) events = g_settings_get_strv (settings, "record-events");
    g_autofree char *id = g_settings_get_string (settings, "record-kind");
    PvRecordKind kind = PV_RECORD_PERF;
    PvRecorderChoice recorder = {
        .call_graph = (PvCallGraph)g_settings_get_enum (settings, "record-call-graph"),
        .stack_bytes = g_settings_get_int (settings, "record-stack-bytes"),
        .frequency_hz = g_settings_get_int (settings, "record-frequency"),
        .buffer_mib = g_settings_get_int (settings, "record-buffer"),
        .interval_mib = g_settings_get_int (settings, "record-dump-interval"),
        .is_privileged = g_settings_get_boolean (settings, "record-with-pkexec"),
    };

    g_assert (PV_IS_RECORD_FORM (self));
    self->is_filling = TRUE;
    pv_record_kind_find (id, &kind);
    select_kind (self, kind);
    select_target (self, (PvTargetKind)g_settings_get_enum (settings, "record-target"),
                   g_settings_get_boolean (settings, "record-in-turn"));
    pv_turns_rows_restore (self->turns_rows);
    pv_recorder_rows_set (self->recorder_rows, &recorder);
    pv_recorder_rows_set_events (self->recorder_rows,
                                 events[0] != NULL ? (const char *const *)events : NULL);
    if (g_settings_get_boolean (settings, "record-from-service"))
        gtk_toggle_button_set_active (self->service_button, TRUE);
    self->is_filling = FALSE;
    on_changed (self);
}

void
pv_record_form_focus (PvRecordForm *self)
{
    g_assert (PV_IS_RECORD_FORM (self));
    if (is_service (self))
        pv_fetch_form_focus (self->fetch_form);
    else if (is_in_turn (self))
        pv_turns_rows_focus (self->turns_rows);
    else if (get_target (self) == PV_TARGET_LAUNCH)
        pv_launch_rows_focus (self->launch_rows);
    else if (get_target (self) == PV_TARGET_ATTACH)
        gtk_widget_grab_focus (GTK_WIDGET (self->process_row));
    else
        gtk_widget_grab_focus (GTK_WIDGET (self->system_button));
}

/* Object */

static void
pv_record_form_class_init (PvRecordFormClass *class)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

    g_type_ensure (ADW_TYPE_COMBO_ROW);
    g_type_ensure (ADW_TYPE_PREFERENCES_GROUP);
    g_type_ensure (PV_TYPE_TURNS_ROWS);
    g_type_ensure (PV_TYPE_LAUNCH_ROWS);
    g_type_ensure (PV_TYPE_RECORDER_ROWS);
    g_type_ensure (PV_TYPE_FETCH_FORM);
    gtk_widget_class_set_template_from_resource (widget_class,
                                                 "/org/profview/Profview/record-form.ui");
    PV_BIND_CHILDREN (widget_class, PvRecordForm, cpu_button, off_cpu_button, heap_button,
                      service_button, kind_label, recorder_group, recorder_row, target_box,
                      launch_button, attach_button, system_button, turns_button, target_label,
                      attach_group, process_row, turns_rows, launch_rows, recorder_rows,
                      fetch_form);
    changed_signal = pv_signal_new (class, "changed", 0);
    activated_signal = pv_signal_new (class, "activated", 0);
}

/* Chooses the first recorder of each subject. */
static void
find_recorders (PvRecordForm *self)
{
    for (PvRecordKind kind = PV_N_RECORD_KINDS; kind-- > 0;) {
        const PvRecorder *recorder = pv_recorder_get (kind);
        g_autofree char *path =
            recorder->program != NULL ? g_find_program_in_path (recorder->program) : NULL;
        self->is_found[kind] = recorder->program == NULL || path != NULL;
        self->chosen[recorder->subject] = kind;
    }
}

static void
pv_record_form_init (PvRecordForm *self)
{
    gtk_widget_init_template (GTK_WIDGET (self));
    GtkToggleButton *const buttons[] = {
        self->cpu_button,    self->off_cpu_button, self->heap_button,   self->service_button,
        self->launch_button, self->attach_button,  self->system_button, self->turns_button};

    for (unsigned i = 0; i < G_N_ELEMENTS (buttons); i++) {
        GtkWidget *label = gtk_button_get_child (GTK_BUTTON (buttons[i]));
        gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
        pv_label_show_cut_text (GTK_LABEL (label));
        pv_connect (buttons[i], "toggled", on_group_toggled, self);
    }
    find_recorders (self);
    pv_connect (self->recorder_row, "notify::selected", on_recorder_selected, self);
    pv_connect (self->turns_rows, "changed", on_changed, self);
    pv_connect (self->launch_rows, "changed", on_changed, self);
    pv_connect (self->recorder_rows, "changed", on_changed, self);
    pv_connect (self->fetch_form, "changed", on_fetch_changed, self);
    pv_connect (self->fetch_form, "activated", on_fetch_activated, self);
    adw_action_row_set_subtitle (self->process_row, C_ ("choice", "None"));
    update_rows (self);
}
