#include "app/record-form.h"

#include <glib/gi18n.h>
#include <stdio.h>
#include <string.h>

#include "app/environment-row.h"
#include "app/preferences.h"

#define MIB ((uint64_t)1 << 20)

struct _PvRecordForm {
    AdwBin parent;

    GtkToggleButton *cpu_button;
    GtkToggleButton *off_cpu_button;
    GtkToggleButton *heap_button;
    GtkToggleButton *service_button;
    GtkLabel *kind_label;
    GtkWidget *heap_group;
    AdwComboRow *recorder_row;

    GtkWidget *target_box;
    GtkToggleButton *launch_button;
    GtkToggleButton *attach_button;
    GtkToggleButton *system_button;
    GtkLabel *target_label;
    GtkWidget *launch_group;
    GtkWidget *running_group; /* how it runs that is launched */
    GtkEditable *command_row;
    GtkEditable *folder_row;
    PvEnvironmentRow *environment_row;
    AdwExpanderRow *memory_row;
    GtkSpinButton *memory_spin;
    GtkSwitch *leave_switch;
    GtkWidget *attach_group;
    AdwActionRow *process_row;

    GtkWidget *options_group;
    AdwComboRow *call_graph_row;
    GtkWidget *stack_row;
    GtkSpinButton *stack_spin;
    GtkWidget *frequency_row;
    GtkSpinButton *frequency_spin;
    AdwActionRow *events_row;
    GtkWidget *interval_row;
    GtkSpinButton *interval_spin;
    GtkWidget *privileged_row;
    GtkSwitch *privileged_switch;
    GtkBox *box;
    PvFetchForm *fetch_form; /* NULL: not asked for yet */

    pid_t pid;     /* 0: none chosen */
    char **events; /* NULL: the default */
    gboolean is_filling;
};

G_DEFINE_FINAL_TYPE (PvRecordForm, pv_record_form, ADW_TYPE_BIN)

static guint changed_signal;
static guint activated_signal;

/* What is chosen --------------------------------------------------------------------------------
 */

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
    return gtk_toggle_button_get_active (self->off_cpu_button) ? PV_RECORD_OFF_CPU : PV_RECORD_PERF;
}

static gboolean
is_of_perf (PvRecordKind kind)
{
    return kind == PV_RECORD_PERF || kind == PV_RECORD_OFF_CPU;
}

/* A button that is not available says nothing. */
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
    return is_service (self) ? self->fetch_form : NULL;
}

static const char *
describe_kind (PvRecordForm *self)
{
    if (is_service (self))
        return _ ("What a running service tells of itself, asked for by its address.");
    switch (get_kind (self)) {
    case PV_RECORD_OFF_CPU:
        return _ ("Where the program waits: for locks, files, networks, other processes. "
                  "perf records when it leaves the CPU.");
    case PV_RECORD_HEAPTRACK:
        return _ ("Where memory is allocated. heaptrack records every allocation.");
    case PV_RECORD_JEMALLOC:
        return _ ("Where the memory in use was allocated. jemalloc, in programs that use it, "
                  "writes a series of samples.");
    case PV_RECORD_PERF:
    case PV_N_RECORD_KINDS:
        break;
    }
    return _ ("Where the program spends its time on the CPU. perf takes samples of its stacks.");
}

static const char *
describe_target (PvTargetKind target)
{
    switch (target) {
    case PV_TARGET_ATTACH:
        return _ ("A process that runs already, from now on; it goes on when recording stops.");
    case PV_TARGET_SYSTEM:
        return _ ("All processes, until recording is stopped.");
    case PV_TARGET_LAUNCH:
        break;
    }
    return _ (
        "A command as in a terminal. Quotes work; nothing is expanded, as there is no shell.");
}

/* What is shown ---------------------------------------------------------------------------------
 */

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
make_fetch_form (PvRecordForm *self)
{
    if (self->fetch_form != NULL)
        return;
    self->fetch_form = g_object_new (PV_TYPE_FETCH_FORM, NULL);
    gtk_box_append (self->box, GTK_WIDGET (self->fetch_form));
    g_signal_connect_object (self->fetch_form, "changed", G_CALLBACK (on_fetch_changed), self,
                             G_CONNECT_SWAPPED);
    g_signal_connect_object (self->fetch_form, "activated", G_CALLBACK (on_fetch_activated), self,
                             G_CONNECT_SWAPPED);
}

static void
update_rows (PvRecordForm *self)
{
    gboolean is_recorded = !is_service (self);
    PvRecordKind kind = get_kind (self);
    gboolean is_perf = is_of_perf (kind);
    PvTargetKind target;

    gtk_widget_set_sensitive (GTK_WIDGET (self->attach_button), kind != PV_RECORD_JEMALLOC);
    gtk_widget_set_sensitive (GTK_WIDGET (self->system_button), is_perf);
    target = get_target (self);
    gtk_label_set_text (self->kind_label, describe_kind (self));
    gtk_label_set_text (self->target_label, describe_target (target));
    show (self->heap_group, gtk_toggle_button_get_active (self->heap_button));
    show (self->target_box, is_recorded);
    show (self->launch_group, is_recorded && target == PV_TARGET_LAUNCH);
    show (self->running_group, is_recorded && target == PV_TARGET_LAUNCH);
    show (self->attach_group, is_recorded && target == PV_TARGET_ATTACH);
    show (self->options_group, is_recorded && kind != PV_RECORD_HEAPTRACK);
    show (self->call_graph_row, is_perf);
    show (self->stack_row,
          is_perf && adw_combo_row_get_selected (self->call_graph_row) == PV_CALL_GRAPH_DWARF);
    show (self->frequency_row, kind == PV_RECORD_PERF);
    show (self->events_row, kind == PV_RECORD_PERF);
    show (self->privileged_row, is_perf);
    show (self->interval_row, kind == PV_RECORD_JEMALLOC);
    if (!is_recorded)
        make_fetch_form (self);
    if (self->fetch_form != NULL)
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
    /* Of two changes, the second is that of the button that is active now. If the target that was
     * active is no longer available, another one is. */
    if (!gtk_toggle_button_get_active (button))
        return;
    on_changed (self);
    if (!self->is_filling && !is_service (self) && get_target (self) == PV_TARGET_LAUNCH)
        gtk_toggle_button_set_active (self->launch_button, TRUE);
}

/* The plan --------------------------------------------------------------------------------------
 */

static char *
get_text (GtkEditable *row)
{
    return g_strstrip (g_strdup (gtk_editable_get_text (row)));
}

/* Variables before the command are the program's too; those that have lines of their own come
 * later, and win. */
static void
take_environment (PvRecordForm *self, PvRecordPlan *plan, char **typed)
{
    g_auto (GStrv) listed = pv_environment_row_get (self->environment_row);
    GStrvBuilder *builder = g_strv_builder_new ();

    for (unsigned i = 0; typed != NULL && typed[i] != NULL; i++)
        g_strv_builder_add (builder, typed[i]);
    for (unsigned i = 0; listed[i] != NULL; i++)
        g_strv_builder_add (builder, listed[i]);
    plan->environment = g_strv_builder_end (builder);
    g_strv_builder_unref (builder);
    if (plan->environment[0] == NULL)
        g_clear_pointer (&plan->environment, g_strfreev);
}

static char *
take_launch (PvRecordForm *self, PvRecordPlan *plan)
{
    g_autofree char *typed = get_text (self->command_row);
    g_autofree char *folder = get_text (self->folder_row);
    g_auto (GStrv) environment = NULL;
    g_autoptr (GError) error = NULL;
    char *fault = NULL;

    if (*typed == '\0')
        fault = g_strdup (_ ("Type the command to be launched"));
    else if (!pv_record_parse_typed (typed, &plan->argv, &environment, &error))
        fault = g_strdup (error->message);
    else
        fault = g_strdup (pv_environment_row_find_fault (self->environment_row));
    take_environment (self, plan, environment);
    plan->folder = *folder != '\0' ? g_filename_from_utf8 (folder, -1, NULL, NULL, NULL) : NULL;
    if (adw_expander_row_get_enable_expansion (self->memory_row))
        plan->max_memory_bytes = (uint64_t)gtk_spin_button_get_value (self->memory_spin) * MIB;
    plan->leaves_target = gtk_switch_get_active (self->leave_switch);
    return fault;
}

static void
take_options (PvRecordForm *self, PvRecordPlan *plan)
{
    if (plan->kind == PV_RECORD_JEMALLOC)
        plan->dump_interval_bytes = (uint64_t)gtk_spin_button_get_value (self->interval_spin) * MIB;
    if (!is_of_perf (plan->kind))
        return;
    plan->is_privileged = gtk_switch_get_active (self->privileged_switch);
    plan->call_graph = (PvCallGraph)adw_combo_row_get_selected (self->call_graph_row);
    if (plan->call_graph == PV_CALL_GRAPH_DWARF)
        plan->stack_bytes = (unsigned)gtk_spin_button_get_value_as_int (self->stack_spin) & ~7u;
    if (plan->kind == PV_RECORD_OFF_CPU)
        return;
    plan->frequency_hz = (unsigned)gtk_spin_button_get_value_as_int (self->frequency_spin);
    g_strfreev (plan->events);
    plan->events = g_strdupv (self->events);
}

PvRecordPlan *
pv_record_form_make_plan (PvRecordForm *self, char **ret_fault)
{
    PvRecordPlan *plan = pv_record_plan_new ();
    char *fault = NULL;

    plan->kind = get_kind (self);
    plan->target = get_target (self);
    take_options (self, plan);
    if (plan->target == PV_TARGET_LAUNCH)
        fault = take_launch (self, plan);
    plan->pid = plan->target == PV_TARGET_ATTACH ? self->pid : 0;
    if (plan->target == PV_TARGET_ATTACH && plan->pid == 0)
        fault = g_strdup (_ ("Choose the process to be recorded"));
    if (fault == NULL)
        fault = g_strdup (pv_record_plan_find_fault (plan));
    *ret_fault = fault;
    return plan;
}

void
pv_record_form_commit (PvRecordForm *self)
{
    gtk_spin_button_update (self->memory_spin);
    gtk_spin_button_update (self->stack_spin);
    gtk_spin_button_update (self->frequency_spin);
    gtk_spin_button_update (self->interval_spin);
}

/* Filling ---------------------------------------------------------------------------------------
 */

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
}

static void
select_target (PvRecordForm *self, PvTargetKind target)
{
    gtk_toggle_button_set_active (target == PV_TARGET_ATTACH   ? self->attach_button
                                  : target == PV_TARGET_SYSTEM ? self->system_button
                                                               : self->launch_button,
                                  TRUE);
}

static void
set_events (PvRecordForm *self, const char *const *events)
{
    g_autofree char *joined = NULL;

    g_strfreev (self->events);
    self->events = events != NULL && events[0] != NULL ? g_strdupv ((char **)events) : NULL;
    joined = self->events != NULL ? g_strjoinv (", ", self->events) : NULL;
    adw_action_row_set_subtitle (self->events_row,
                                 joined != NULL ? joined : _ ("Cycles of the CPU"));
}

static void
fill_launch (PvRecordForm *self, const PvRecordPlan *plan)
{
    g_autofree char *typed = pv_record_format_typed ((const char *const *)plan->argv, NULL);
    g_autofree char *folder =
        plan->folder != NULL ? g_filename_to_utf8 (plan->folder, -1, NULL, NULL, NULL) : NULL;

    gtk_editable_set_text (self->command_row, typed);
    gtk_editable_set_text (self->folder_row, folder != NULL ? folder : "");
    pv_environment_row_set (self->environment_row, (const char *const *)plan->environment);
    adw_expander_row_set_enable_expansion (self->memory_row, plan->max_memory_bytes > 0);
    if (plan->max_memory_bytes > 0)
        gtk_spin_button_set_value (self->memory_spin,
                                   (double)(plan->max_memory_bytes + MIB - 1) / MIB);
    gtk_switch_set_active (self->leave_switch, plan->leaves_target);
}

static void
fill_options (PvRecordForm *self, const PvRecordPlan *plan)
{
    if (plan->kind == PV_RECORD_JEMALLOC && plan->dump_interval_bytes > 0)
        gtk_spin_button_set_value (self->interval_spin, (double)plan->dump_interval_bytes / MIB);
    if (!is_of_perf (plan->kind))
        return;
    gtk_switch_set_active (self->privileged_switch, plan->is_privileged);
    adw_combo_row_set_selected (self->call_graph_row, plan->call_graph);
    if (plan->stack_bytes > 0)
        gtk_spin_button_set_value (self->stack_spin, plan->stack_bytes);
    if (plan->kind == PV_RECORD_OFF_CPU)
        return;
    if (plan->frequency_hz > 0)
        gtk_spin_button_set_value (self->frequency_spin, plan->frequency_hz);
    set_events (self, (const char *const *)plan->events);
}

/* What it is called is not part of a plan. */
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
    self->is_filling = TRUE;
    select_kind (self, plan->kind);
    select_target (self, plan->target);
    if (plan->target == PV_TARGET_LAUNCH && plan->argv != NULL)
        fill_launch (self, plan);
    if (plan->target == PV_TARGET_ATTACH && plan->pid > 0)
        fill_process (self, plan);
    fill_options (self, plan);
    self->is_filling = FALSE;
    on_changed (self);
}

void
pv_record_form_propose (PvRecordForm *self, const PvRecordPlan *plan)
{
    if (plan->target != PV_TARGET_LAUNCH || plan->argv == NULL ||
        *gtk_editable_get_text (self->command_row) != '\0')
        return;
    self->is_filling = TRUE;
    fill_launch (self, plan);
    self->is_filling = FALSE;
    gtk_editable_select_region (self->command_row, 0, -1);
    on_changed (self);
}

const char *const *
pv_record_form_get_events (PvRecordForm *self)
{
    return (const char *const *)self->events;
}

void
pv_record_form_set_process (PvRecordForm *self, const PvRunningProcess *process)
{
    g_autofree char *title = g_strdup_printf (_ ("%s (%d)"), process->name, (int)process->pid);

    self->pid = process->pid;
    adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->process_row), title);
    adw_action_row_set_subtitle (self->process_row, process->command);
    on_changed (self);
}

void
pv_record_form_set_program (PvRecordForm *self, const PvProgram *program)
{
    g_autofree char *typed = pv_record_format_typed ((const char *const *)program->argv, NULL);

    gtk_editable_set_text (self->command_row, typed);
    gtk_editable_set_text (self->folder_row, program->folder != NULL ? program->folder : "");
}

void
pv_record_form_set_events (PvRecordForm *self, const char *const *events)
{
    set_events (self, events);
    on_changed (self);
}

void
pv_record_form_apply (PvRecordForm *self, PvRemedy remedy)
{
    switch (remedy) {
    case PV_REMEDY_USE_DWARF:
        adw_combo_row_set_selected (self->call_graph_row, PV_CALL_GRAPH_DWARF);
        break;
    case PV_REMEDY_USE_FP:
        adw_combo_row_set_selected (self->call_graph_row, PV_CALL_GRAPH_FP);
        break;
    case PV_REMEDY_USE_JEMALLOC:
        select_kind (self, PV_RECORD_JEMALLOC);
        break;
    case PV_REMEDY_USE_PKEXEC:
        gtk_switch_set_active (self->privileged_switch, TRUE);
        break;
    case PV_REMEDY_COPY:
    case PV_REMEDY_NONE:
        break;
    }
}

/* Files -----------------------------------------------------------------------------------------
 */

static void
on_file_chosen (GtkNativeDialog *dialog, int response, gpointer user)
{
    PvRecordForm *self = user;
    g_autoptr (GFile) file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog));
    g_autofree char *path = file != NULL ? g_file_get_path (file) : NULL;
    gboolean is_folder = gtk_file_chooser_get_action (GTK_FILE_CHOOSER (dialog)) ==
                         GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER;
    const char *const argv[] = {path, NULL};
    g_autofree char *text = NULL;

    if (response == GTK_RESPONSE_ACCEPT && path != NULL) {
        text = is_folder ? g_filename_to_utf8 (path, -1, NULL, NULL, NULL)
                         : pv_record_format_typed (argv, NULL);
        if (text != NULL)
            gtk_editable_set_text (is_folder ? self->folder_row : self->command_row, text);
    }
    g_object_unref (dialog);
}

static void
ask_for_file (PvRecordForm *self, const char *title, GtkFileChooserAction action)
{
    GtkWindow *window = GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self)));
    GtkFileChooserNative *dialog =
        gtk_file_chooser_native_new (title, window, action, _ ("_Choose"), NULL);

    gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (dialog), TRUE);
    g_signal_connect_object (dialog, "response", G_CALLBACK (on_file_chosen), self, 0);
    gtk_native_dialog_show (GTK_NATIVE_DIALOG (dialog));
}

static void
choose_file (GtkWidget *widget, const char *action, GVariant *parameter)
{
    ask_for_file (PV_RECORD_FORM (widget), _ ("Choose a Program"), GTK_FILE_CHOOSER_ACTION_OPEN);
}

static void
choose_folder (GtkWidget *widget, const char *action, GVariant *parameter)
{
    ask_for_file (PV_RECORD_FORM (widget), _ ("Choose the Working Folder"),
                  GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER);
}

/* From one time to the next ---------------------------------------------------------------------
 */

void
pv_record_form_save (PvRecordForm *self)
{
    g_autofree char *choice =
        g_strdup_printf ("%d %d %d %u %d %d %d %d", is_service (self), (int)get_kind (self),
                         (int)get_target (self), adw_combo_row_get_selected (self->call_graph_row),
                         gtk_spin_button_get_value_as_int (self->stack_spin),
                         gtk_spin_button_get_value_as_int (self->frequency_spin),
                         gtk_spin_button_get_value_as_int (self->interval_spin),
                         gtk_switch_get_active (self->privileged_switch));
    g_autofree char *events =
        self->events != NULL ? g_strjoinv ("\n", self->events) : g_strdup ("");

    pv_preferences_set ("record-choice", choice);
    pv_preferences_set ("record-events", events);
}

void
pv_record_form_restore (PvRecordForm *self)
{
    g_autofree char *choice = pv_preferences_get ("record-choice", "");
    g_autofree char *joined = pv_preferences_get ("record-events", "");
    g_auto (GStrv) events = g_strsplit (joined, "\n", -1);
    int was_service, kind, target, call_graph, stack, frequency, interval, is_privileged;

    if (sscanf (choice, "%d %d %d %d %d %d %d %d", &was_service, &kind, &target, &call_graph,
                &stack, &frequency, &interval, &is_privileged) != 8 ||
        kind < 0 || kind >= PV_N_RECORD_KINDS || call_graph < 0 || call_graph >= PV_N_CALL_GRAPHS)
        return;
    self->is_filling = TRUE;
    select_kind (self, (PvRecordKind)kind);
    select_target (self, (PvTargetKind)target);
    adw_combo_row_set_selected (self->call_graph_row, (guint)call_graph);
    gtk_spin_button_set_value (self->stack_spin, stack);
    gtk_spin_button_set_value (self->frequency_spin, frequency);
    gtk_spin_button_set_value (self->interval_spin, interval);
    gtk_switch_set_active (self->privileged_switch, is_privileged != 0);
    set_events (self, *joined != '\0' ? (const char *const *)events : NULL);
    if (was_service)
        gtk_toggle_button_set_active (self->service_button, TRUE);
    self->is_filling = FALSE;
    on_changed (self);
}

void
pv_record_form_focus (PvRecordForm *self)
{
    if (is_service (self))
        pv_fetch_form_focus (self->fetch_form);
    else if (get_target (self) == PV_TARGET_LAUNCH)
        gtk_widget_grab_focus (GTK_WIDGET (self->command_row));
    else if (get_target (self) == PV_TARGET_ATTACH)
        gtk_widget_grab_focus (GTK_WIDGET (self->process_row));
    else
        gtk_widget_grab_focus (GTK_WIDGET (self->system_button));
}

/* Object ----------------------------------------------------------------------------------------
 */

static void
pv_record_form_finalize (GObject *object)
{
    g_strfreev (PV_RECORD_FORM (object)->events);
    G_OBJECT_CLASS (pv_record_form_parent_class)->finalize (object);
}

static void
bind_children (GtkWidgetClass *class)
{
    static const struct {
        const char *name;
        gssize offset;
    } children[] = {
#define CHILD(name) {#name, G_STRUCT_OFFSET (PvRecordForm, name)}
        CHILD (cpu_button),        CHILD (off_cpu_button),
        CHILD (heap_button),       CHILD (service_button),
        CHILD (kind_label),        CHILD (heap_group),
        CHILD (recorder_row),      CHILD (target_box),
        CHILD (launch_button),     CHILD (attach_button),
        CHILD (system_button),     CHILD (target_label),
        CHILD (launch_group),      CHILD (running_group),
        CHILD (command_row),       CHILD (folder_row),
        CHILD (environment_row),   CHILD (memory_row),
        CHILD (memory_spin),       CHILD (leave_switch),
        CHILD (attach_group),      CHILD (process_row),
        CHILD (options_group),     CHILD (call_graph_row),
        CHILD (stack_row),         CHILD (stack_spin),
        CHILD (frequency_row),     CHILD (frequency_spin),
        CHILD (events_row),        CHILD (interval_row),
        CHILD (interval_spin),     CHILD (privileged_row),
        CHILD (privileged_switch), CHILD (box),
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

    G_OBJECT_CLASS (class)->finalize = pv_record_form_finalize;
    g_type_ensure (ADW_TYPE_COMBO_ROW);
    g_type_ensure (ADW_TYPE_ENTRY_ROW);
    g_type_ensure (ADW_TYPE_EXPANDER_ROW);
    g_type_ensure (ADW_TYPE_PREFERENCES_GROUP);
    g_type_ensure (PV_TYPE_ENVIRONMENT_ROW);
    gtk_widget_class_set_template_from_resource (widget_class,
                                                 "/org/profview/Profview/record-form.ui");
    bind_children (widget_class);
    gtk_widget_class_install_action (widget_class, "form.choose-file", NULL, choose_file);
    gtk_widget_class_install_action (widget_class, "form.choose-folder", NULL, choose_folder);
    changed_signal = g_signal_new ("changed", G_TYPE_FROM_CLASS (class), G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 0);
    activated_signal = g_signal_new ("activated", G_TYPE_FROM_CLASS (class), G_SIGNAL_RUN_LAST, 0,
                                     NULL, NULL, NULL, G_TYPE_NONE, 0);
}

/* libadwaita gives the switch of an expander row no name. */
static void
name_switch (GtkWidget *widget, const char *name)
{
    GtkWidget *child = gtk_widget_get_first_child (widget);

    for (; child != NULL; child = gtk_widget_get_next_sibling (child)) {
        if (GTK_IS_SWITCH (child))
            gtk_accessible_update_property (GTK_ACCESSIBLE (child), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                            name, -1);
        else
            name_switch (child, name);
    }
}

static void
follow_number (PvRecordForm *self, GtkSpinButton *spin)
{
    GtkEditable *text = gtk_editable_get_delegate (GTK_EDITABLE (spin));

    gtk_text_set_activates_default (GTK_TEXT (text), TRUE);
    g_signal_connect_object (spin, "value-changed", G_CALLBACK (on_changed), self,
                             G_CONNECT_SWAPPED);
}

static void
follow (PvRecordForm *self, gpointer widget, const char *signal)
{
    g_signal_connect_object (widget, signal, G_CALLBACK (on_changed), self, G_CONNECT_SWAPPED);
}

static void
pv_record_form_init (PvRecordForm *self)
{
    GtkToggleButton *buttons[7];

    gtk_widget_init_template (GTK_WIDGET (self));
    memcpy (buttons,
            (GtkToggleButton *[]){self->cpu_button, self->off_cpu_button, self->heap_button,
                                  self->service_button, self->launch_button, self->attach_button,
                                  self->system_button},
            sizeof buttons);
    for (unsigned i = 0; i < G_N_ELEMENTS (buttons); i++)
        g_signal_connect_object (buttons[i], "toggled", G_CALLBACK (on_group_toggled), self,
                                 G_CONNECT_SWAPPED);
    follow (self, self->recorder_row, "notify::selected");
    follow (self, self->call_graph_row, "notify::selected");
    follow (self, self->command_row, "changed");
    follow (self, self->folder_row, "changed");
    follow (self, self->environment_row, "changed");
    follow (self, self->memory_row, "notify::enable-expansion");
    follow_number (self, self->memory_spin);
    follow (self, self->leave_switch, "notify::active");
    follow_number (self, self->stack_spin);
    follow_number (self, self->frequency_spin);
    follow_number (self, self->interval_spin);
    follow (self, self->privileged_switch, "notify::active");
    name_switch (GTK_WIDGET (self->memory_row), _ ("Limit memory"));
    adw_action_row_set_subtitle_lines (self->process_row, 2);
    adw_action_row_set_subtitle_lines (self->events_row, 2);
    set_events (self, NULL);
    adw_action_row_set_subtitle (self->process_row, _ ("None chosen"));
    update_rows (self);
}
