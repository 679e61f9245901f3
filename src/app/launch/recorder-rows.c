/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/launch/recorder-rows.h"

#include <glib/gi18n.h>

#include "app/widgets/form-rows.h"
#include "app/widgets/setup.h"

#define MIB ((uint64_t)1 << 20)

struct _PvRecorderRows {
    AdwBin parent;

    AdwComboRow *call_graph_row;
    GtkWidget *stack_row;
    GtkSpinButton *stack_spin;
    GtkWidget *frequency_row;
    GtkSpinButton *frequency_spin;
    AdwComboRow *buffer_row;
    AdwActionRow *events_row;
    GtkWidget *interval_row;
    GtkSpinButton *interval_spin;
    GtkWidget *privileged_row;
    GtkSwitch *privileged_switch;

    PvRecordKind kind;
    char **events; /* NULL: perf's default */
    gboolean has_no_counters;
};

G_DEFINE_FINAL_TYPE (PvRecorderRows, pv_recorder_rows, ADW_TYPE_BIN)

static guint changed_signal;

static void
update_rows (PvRecorderRows *self)
{
    const struct {
        gpointer row;
        unsigned field;
    } rows[] = {
        {self->call_graph_row, PV_PLAN_CALL_GRAPH},  {self->stack_row, PV_PLAN_CALL_GRAPH},
        {self->frequency_row, PV_PLAN_FREQUENCY},    {self->events_row, PV_PLAN_EVENTS},
        {self->buffer_row, PV_PLAN_BUFFER},          {self->privileged_row, PV_PLAN_PRIVILEGED},
        {self->interval_row, PV_PLAN_DUMP_INTERVAL},
    };
    gboolean has_any = FALSE;

    for (unsigned i = 0; i < G_N_ELEMENTS (rows); i++) {
        gboolean is_used = pv_record_kind_uses (self->kind, rows[i].field);
        has_any |= is_used;
        if (rows[i].row == self->stack_row)
            is_used &= adw_combo_row_get_selected (self->call_graph_row) == PV_CALL_GRAPH_DWARF;
        gtk_widget_set_visible (rows[i].row, is_used);
    }
    gtk_widget_set_visible (GTK_WIDGET (self), has_any);
}

void
pv_recorder_rows_set_kind (PvRecorderRows *self, PvRecordKind kind)
{
    g_assert (PV_IS_RECORDER_ROWS (self) && kind < PV_N_RECORD_KINDS);
    self->kind = kind;
    update_rows (self);
}

/* Buffer sizes: automatic, 1 MiB, 2 MiB, … */

static void
fill_buffer_sizes (PvRecorderRows *self)
{
    g_autoptr (GtkStringList) sizes = gtk_string_list_new (NULL);

    gtk_string_list_append (sizes, C_ ("choice", "Automatic"));
    for (int mib = 1; mib <= PV_RECORD_MAX_BUFFER_MIB; mib *= 2)
        gtk_string_list_take (sizes, g_strdup_printf (_ ("%d MiB"), mib));
    adw_combo_row_set_model (self->buffer_row, G_LIST_MODEL (sizes));
}

static int
get_buffer_mib (PvRecorderRows *self)
{
    guint selected = adw_combo_row_get_selected (self->buffer_row);
    return selected == 0 || selected == GTK_INVALID_LIST_POSITION ? 0 : 1 << (selected - 1);
}

static void
set_buffer_mib (PvRecorderRows *self, int mib)
{
    guint position = 0;

    while (mib >> position > 0)
        position++;
    adw_combo_row_set_selected (self->buffer_row, position);
}

/* Values */

PvRecorderChoice
pv_recorder_rows_get (PvRecorderRows *self)
{
    g_assert (PV_IS_RECORDER_ROWS (self));
    return (PvRecorderChoice){
        .call_graph = (PvCallGraph)adw_combo_row_get_selected (self->call_graph_row),
        .stack_bytes = gtk_spin_button_get_value_as_int (self->stack_spin),
        .frequency_hz = gtk_spin_button_get_value_as_int (self->frequency_spin),
        .buffer_mib = get_buffer_mib (self),
        .interval_mib = gtk_spin_button_get_value_as_int (self->interval_spin),
        .is_privileged = gtk_switch_get_active (self->privileged_switch),
    };
}

void
pv_recorder_rows_set (PvRecorderRows *self, const PvRecorderChoice *choice)
{
    g_assert (PV_IS_RECORDER_ROWS (self) && choice->call_graph < PV_N_CALL_GRAPHS);
    adw_combo_row_set_selected (self->call_graph_row, choice->call_graph);
    gtk_spin_button_set_value (self->stack_spin, choice->stack_bytes);
    gtk_spin_button_set_value (self->frequency_spin, choice->frequency_hz);
    set_buffer_mib (self, choice->buffer_mib);
    gtk_spin_button_set_value (self->interval_spin, choice->interval_mib);
    gtk_switch_set_active (self->privileged_switch, choice->is_privileged);
}

static void
update_events (PvRecorderRows *self)
{
    g_autofree char *joined = self->events != NULL ? g_strjoinv (", ", self->events) : NULL;

    adw_action_row_set_subtitle (self->events_row, joined != NULL          ? joined
                                                   : self->has_no_counters ? _ ("CPU clock")
                                                                           : _ ("CPU cycles"));
}

void
pv_recorder_rows_set_events (PvRecorderRows *self, const char *const *events)
{
    g_assert (PV_IS_RECORDER_ROWS (self));
    g_strfreev (self->events);
    self->events = events != NULL && events[0] != NULL ? g_strdupv ((char **)events) : NULL;
    update_events (self);
    g_signal_emit (self, changed_signal, 0);
}

void
pv_recorder_rows_set_no_counters (PvRecorderRows *self)
{
    g_assert (PV_IS_RECORDER_ROWS (self));
    self->has_no_counters = TRUE;
    update_events (self);
}

const char *const *
pv_recorder_rows_get_events (PvRecorderRows *self)
{
    g_assert (PV_IS_RECORDER_ROWS (self));
    return (const char *const *)self->events;
}

void
pv_recorder_rows_take (PvRecorderRows *self, PvRecordPlan *plan)
{
    PvRecorderChoice choice = pv_recorder_rows_get (self);

    g_assert (PV_IS_RECORDER_ROWS (self) && plan != NULL);
    if (pv_record_kind_uses (plan->kind, PV_PLAN_DUMP_INTERVAL))
        plan->dump_interval_bytes = (uint64_t)choice.interval_mib * MIB;
    if (pv_record_kind_uses (plan->kind, PV_PLAN_FREQUENCY))
        plan->frequency_hz = (unsigned)choice.frequency_hz;
    if (pv_record_kind_uses (plan->kind, PV_PLAN_PRIVILEGED))
        plan->is_privileged = choice.is_privileged;
    if (pv_record_kind_uses (plan->kind, PV_PLAN_BUFFER))
        plan->buffer_mib = (unsigned)choice.buffer_mib;
    if (pv_record_kind_uses (plan->kind, PV_PLAN_CALL_GRAPH)) {
        plan->call_graph = choice.call_graph;
        if (plan->call_graph == PV_CALL_GRAPH_DWARF)
            plan->stack_bytes = (unsigned)choice.stack_bytes & ~7u;
    }
    if (pv_record_kind_uses (plan->kind, PV_PLAN_EVENTS)) {
        g_strfreev (plan->events);
        plan->events = g_strdupv (self->events);
    }
}

void
pv_recorder_rows_fill (PvRecorderRows *self, const PvRecordPlan *plan)
{
    PvRecorderChoice choice = pv_recorder_rows_get (self);

    g_assert (PV_IS_RECORDER_ROWS (self) && plan != NULL);
    if (pv_record_kind_uses (plan->kind, PV_PLAN_DUMP_INTERVAL) && plan->dump_interval_bytes > 0)
        choice.interval_mib = (int)MIN (plan->dump_interval_bytes / MIB, G_MAXINT);
    if (pv_record_kind_uses (plan->kind, PV_PLAN_PRIVILEGED))
        choice.is_privileged = plan->is_privileged;
    if (pv_record_kind_uses (plan->kind, PV_PLAN_BUFFER))
        choice.buffer_mib = (int)plan->buffer_mib;
    if (pv_record_kind_uses (plan->kind, PV_PLAN_CALL_GRAPH)) {
        choice.call_graph = plan->call_graph;
        if (plan->stack_bytes > 0)
            choice.stack_bytes = (int)plan->stack_bytes;
    }
    if (pv_record_kind_uses (plan->kind, PV_PLAN_FREQUENCY) && plan->frequency_hz > 0)
        choice.frequency_hz = (int)plan->frequency_hz;
    pv_recorder_rows_set (self, &choice);
    if (pv_record_kind_uses (plan->kind, PV_PLAN_EVENTS))
        pv_recorder_rows_set_events (self, (const char *const *)plan->events);
}

void
pv_recorder_rows_apply (PvRecorderRows *self, PvFix fix)
{
    g_assert (PV_IS_RECORDER_ROWS (self));
    switch (fix) {
    case PV_FIX_USE_DWARF:
        adw_combo_row_set_selected (self->call_graph_row, PV_CALL_GRAPH_DWARF);
        break;
    case PV_FIX_USE_FP:
        adw_combo_row_set_selected (self->call_graph_row, PV_CALL_GRAPH_FP);
        break;
    case PV_FIX_USE_LBR:
        adw_combo_row_set_selected (self->call_graph_row, PV_CALL_GRAPH_LBR);
        break;
    case PV_FIX_USE_PKEXEC:
        gtk_switch_set_active (self->privileged_switch, TRUE);
        break;
    case PV_FIX_USE_JEMALLOC:
    case PV_FIX_COPY:
    case PV_FIX_NONE:
        break;
    }
}

void
pv_recorder_rows_commit (PvRecorderRows *self)
{
    g_assert (PV_IS_RECORDER_ROWS (self));
    gtk_spin_button_update (self->stack_spin);
    gtk_spin_button_update (self->frequency_spin);
    gtk_spin_button_update (self->interval_spin);
}

/* Object */

static void
on_changed (PvRecorderRows *self)
{
    update_rows (self);
    g_signal_emit (self, changed_signal, 0);
}

static void
pv_recorder_rows_finalize (GObject *object)
{
    g_strfreev (PV_RECORDER_ROWS (object)->events);
    G_OBJECT_CLASS (pv_recorder_rows_parent_class)->finalize (object);
}

static void
pv_recorder_rows_class_init (PvRecorderRowsClass *class)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

    G_OBJECT_CLASS (class)->finalize = pv_recorder_rows_finalize;
    g_type_ensure (ADW_TYPE_COMBO_ROW);
    g_type_ensure (ADW_TYPE_PREFERENCES_GROUP);
    gtk_widget_class_set_template_from_resource (widget_class,
                                                 "/org/profview/Profview/recorder-rows.ui");
    PV_BIND_CHILDREN (widget_class, PvRecorderRows, call_graph_row, stack_row, stack_spin,
                      frequency_row, frequency_spin, buffer_row, events_row, interval_row,
                      interval_spin, privileged_row, privileged_switch);
    changed_signal = pv_signal_new (class, "changed", 0);
}

static void
follow (PvRecorderRows *self, gpointer widget, const char *signal)
{
    pv_connect (widget, signal, on_changed, self);
}

static void
follow_number (PvRecorderRows *self, GtkSpinButton *spin)
{
    pv_form_number_init (spin);
    follow (self, spin, "value-changed");
}

static void
pv_recorder_rows_init (PvRecorderRows *self)
{
    gtk_widget_init_template (GTK_WIDGET (self));
    fill_buffer_sizes (self);
    follow (self, self->call_graph_row, "notify::selected");
    follow (self, self->buffer_row, "notify::selected");
    follow_number (self, self->stack_spin);
    follow_number (self, self->frequency_spin);
    follow_number (self, self->interval_spin);
    follow (self, self->privileged_switch, "notify::active");
    pv_recorder_rows_set_events (self, NULL);
    update_rows (self);
}
