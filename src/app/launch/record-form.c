/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/launch/record-form.h"

#include <glib/gi18n.h>

#include "app/launch/launch-rows.h"
#include "app/launch/recorder-rows.h"
#include "app/widgets/cut-text.h"
#include "app/work/settings.h"

struct _PvRecordForm {
    AdwBin parent;

    GtkToggleButton *cpu_button;
    GtkToggleButton *off_cpu_button;
    GtkToggleButton *heap_button;
    GtkToggleButton *service_button;
    GtkLabel *kind_label;
    GtkWidget *cpu_group;
    AdwComboRow *cpu_recorder_row;
    GtkWidget *heap_group;
    AdwComboRow *recorder_row;

    GtkWidget *target_box;
    GtkToggleButton *launch_button;
    GtkToggleButton *attach_button;
    GtkToggleButton *system_button;
    GtkLabel *target_label;
    GtkWidget *attach_group;
    AdwActionRow *process_row;

    PvLaunchRows *launch_rows;
    PvRecorderRows *recorder_rows;
    PvFetchForm *fetch_form;

    pid_t pid; /* 0: none */
    gboolean has_samply;
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
    if (gtk_toggle_button_get_active (self->heap_button))
        return adw_combo_row_get_selected (self->recorder_row) == 1 ? PV_RECORD_JEMALLOC
                                                                    : PV_RECORD_HEAPTRACK;
    if (gtk_toggle_button_get_active (self->off_cpu_button))
        return PV_RECORD_OFF_CPU;
    return adw_combo_row_get_selected (self->cpu_recorder_row) == 1 ? PV_RECORD_SAMPLY
                                                                    : PV_RECORD_PERF;
}

static gboolean
is_of_perf (PvRecordKind kind)
{
    return kind == PV_RECORD_PERF || kind == PV_RECORD_OFF_CPU;
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
        return _ ("Fetches a profile that a running service makes of itself.");
    switch (get_kind (self)) {
    case PV_RECORD_OFF_CPU:
        return _ ("Where the program waits: for locks, files, the network, other processes. perf "
                  "records its context switches.");
    case PV_RECORD_HEAPTRACK:
        return _ ("Where memory is allocated. heaptrack records every allocation of one program.");
    case PV_RECORD_JEMALLOC:
        return _ ("Where the memory in use was allocated. Programs that use jemalloc write a series"
                  " of dumps when launched here.");
    case PV_RECORD_SAMPLY:
        return _ ("Where the program spends its time, on the CPU and waiting. samply samples its "
                  "stacks; the profile is shown when it has ended.");
    case PV_RECORD_PERF:
    case PV_N_RECORD_KINDS:
        break;
    }
    return _ ("Where the program spends CPU time. perf samples its stacks.");
}

static const char *
describe_target (PvTargetKind target)
{
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

static void
update_rows (PvRecordForm *self)
{
    gboolean is_recorded = !is_service (self);
    PvRecordKind kind = get_kind (self);
    PvTargetKind target;

    gtk_widget_set_sensitive (GTK_WIDGET (self->attach_button), kind != PV_RECORD_JEMALLOC);
    gtk_widget_set_sensitive (GTK_WIDGET (self->system_button), is_of_perf (kind));
    target = get_target (self);
    gtk_label_set_text (self->kind_label, describe_kind (self));
    gtk_label_set_text (self->target_label, describe_target (target));
    /* If samply is not installed, only a remembered launch can have it. */
    show (self->cpu_group, gtk_toggle_button_get_active (self->cpu_button) &&
                               (self->has_samply || kind == PV_RECORD_SAMPLY));
    show (self->heap_group, gtk_toggle_button_get_active (self->heap_button));
    show (self->target_box, is_recorded);
    show (self->launch_rows, is_recorded && target == PV_TARGET_LAUNCH);
    show (self->attach_group, is_recorded && target == PV_TARGET_ATTACH);
    pv_recorder_rows_set_kind (self->recorder_rows, kind);
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
on_group_toggled (PvRecordForm *self, GtkToggleButton *button)
{
    /* Toggling a group emits two changes; the second comes from the button that is now active. If
     * the target is not available for the new kind, another one becomes active. */
    if (!gtk_toggle_button_get_active (button))
        return;
    on_changed (self);
    if (!self->is_filling && !is_service (self) && get_target (self) == PV_TARGET_LAUNCH)
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
    if (plan->target == PV_TARGET_LAUNCH)
        fault = pv_launch_rows_take (self->launch_rows, plan);
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
    pv_launch_rows_commit (self->launch_rows);
    pv_recorder_rows_commit (self->recorder_rows);
}

/* Filling */

static void
select_kind (PvRecordForm *self, PvRecordKind kind)
{
    gboolean is_heap = kind == PV_RECORD_HEAPTRACK || kind == PV_RECORD_JEMALLOC;

    gtk_toggle_button_set_active (is_heap                     ? self->heap_button
                                  : kind == PV_RECORD_OFF_CPU ? self->off_cpu_button
                                                              : self->cpu_button,
                                  TRUE);
    if (is_heap)
        adw_combo_row_set_selected (self->recorder_row, kind == PV_RECORD_JEMALLOC);
    else if (kind != PV_RECORD_OFF_CPU)
        adw_combo_row_set_selected (self->cpu_recorder_row, kind == PV_RECORD_SAMPLY);
}

static void
select_target (PvRecordForm *self, PvTargetKind target)
{
    gtk_toggle_button_set_active (target == PV_TARGET_ATTACH   ? self->attach_button
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

void
pv_record_form_set_plan (PvRecordForm *self, const PvRecordPlan *plan)
{
    g_assert (PV_IS_RECORD_FORM (self) && plan != NULL);
    self->is_filling = TRUE;
    select_kind (self, plan->kind);
    select_target (self, plan->target);
    if (plan->target == PV_TARGET_LAUNCH && plan->argv != NULL)
        pv_launch_rows_fill (self->launch_rows, plan);
    if (plan->target == PV_TARGET_ATTACH && plan->pid > 0)
        fill_process (self, plan);
    pv_recorder_rows_fill (self->recorder_rows, plan);
    self->is_filling = FALSE;
    on_changed (self);
}

void
pv_record_form_propose (PvRecordForm *self, const PvRecordPlan *plan)
{
    g_assert (PV_IS_RECORD_FORM (self) && plan != NULL);
    if (plan->target != PV_TARGET_LAUNCH || plan->argv == NULL ||
        pv_launch_rows_has_command (self->launch_rows))
        return;
    self->is_filling = TRUE;
    pv_launch_rows_fill (self->launch_rows, plan);
    self->is_filling = FALSE;
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
    g_settings_set_enum (settings, "record-kind", get_kind (self));
    g_settings_set_enum (settings, "record-target", get_target (self));
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
    select_kind (self, (PvRecordKind)g_settings_get_enum (settings, "record-kind"));
    select_target (self, (PvTargetKind)g_settings_get_enum (settings, "record-target"));
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
    else if (get_target (self) == PV_TARGET_LAUNCH)
        pv_launch_rows_focus (self->launch_rows);
    else if (get_target (self) == PV_TARGET_ATTACH)
        gtk_widget_grab_focus (GTK_WIDGET (self->process_row));
    else
        gtk_widget_grab_focus (GTK_WIDGET (self->system_button));
}

/* Object */

static void
bind_children (GtkWidgetClass *class)
{
    static const struct {
        const char *name;
        gssize offset;
    } children[] = {
#define CHILD(name) {#name, G_STRUCT_OFFSET (PvRecordForm, name)}
        CHILD (cpu_button),       CHILD (off_cpu_button), CHILD (heap_button),
        CHILD (service_button),   CHILD (kind_label),     CHILD (heap_group),
        CHILD (recorder_row),     CHILD (target_box),     CHILD (launch_button),
        CHILD (attach_button),    CHILD (system_button),  CHILD (target_label),
        CHILD (attach_group),     CHILD (process_row),    CHILD (launch_rows),
        CHILD (recorder_rows),    CHILD (fetch_form),     CHILD (cpu_group),
        CHILD (cpu_recorder_row),
#undef CHILD
    };

    for (unsigned i = 0; i < G_N_ELEMENTS (children); i++)
        gtk_widget_class_bind_template_child_full (class, children[i].name, FALSE,
                                                   children[i].offset);
}

static void
pv_record_form_class_init (PvRecordFormClass *class)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

    g_type_ensure (ADW_TYPE_COMBO_ROW);
    g_type_ensure (ADW_TYPE_PREFERENCES_GROUP);
    g_type_ensure (PV_TYPE_LAUNCH_ROWS);
    g_type_ensure (PV_TYPE_RECORDER_ROWS);
    g_type_ensure (PV_TYPE_FETCH_FORM);
    gtk_widget_class_set_template_from_resource (widget_class,
                                                 "/org/profview/Profview/record-form.ui");
    bind_children (widget_class);
    changed_signal = g_signal_new ("changed", G_TYPE_FROM_CLASS (class), G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 0);
    activated_signal = g_signal_new ("activated", G_TYPE_FROM_CLASS (class), G_SIGNAL_RUN_LAST, 0,
                                     NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
pv_record_form_init (PvRecordForm *self)
{
    gtk_widget_init_template (GTK_WIDGET (self));
    GtkToggleButton *const buttons[] = {
        self->cpu_button,    self->off_cpu_button, self->heap_button,  self->service_button,
        self->launch_button, self->attach_button,  self->system_button};

    for (unsigned i = 0; i < G_N_ELEMENTS (buttons); i++) {
        GtkWidget *label = gtk_button_get_child (GTK_BUTTON (buttons[i]));
        gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
        pv_label_show_cut_text (GTK_LABEL (label));
        g_signal_connect_object (buttons[i], "toggled", G_CALLBACK (on_group_toggled), self,
                                 G_CONNECT_SWAPPED);
    }
    g_autofree char *samply = g_find_program_in_path ("samply");

    self->has_samply = samply != NULL;
    g_signal_connect_object (self->recorder_row, "notify::selected", G_CALLBACK (on_changed), self,
                             G_CONNECT_SWAPPED);
    g_signal_connect_object (self->cpu_recorder_row, "notify::selected", G_CALLBACK (on_changed),
                             self, G_CONNECT_SWAPPED);
    g_signal_connect_object (self->launch_rows, "changed", G_CALLBACK (on_changed), self,
                             G_CONNECT_SWAPPED);
    g_signal_connect_object (self->recorder_rows, "changed", G_CALLBACK (on_changed), self,
                             G_CONNECT_SWAPPED);
    g_signal_connect_object (self->fetch_form, "changed", G_CALLBACK (on_fetch_changed), self,
                             G_CONNECT_SWAPPED);
    g_signal_connect_object (self->fetch_form, "activated", G_CALLBACK (on_fetch_activated), self,
                             G_CONNECT_SWAPPED);
    adw_action_row_set_subtitle (self->process_row, _ ("None"));
    update_rows (self);
}
