/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/launch/record-dialog.h"

#include <glib/gi18n.h>

#include "app/launch/advice-list.h"
#include "app/launch/event-chooser.h"
#include "app/launch/launch-list.h"
#include "app/launch/plan-variant.h"
#include "app/launch/process-chooser.h"
#include "app/launch/program-chooser.h"
#include "app/launch/record-check.h"
#include "app/launch/record-form.h"
#include "app/widgets/help.h"
#include "app/widgets/setup.h"
#include "record/plan/launches.h"

/* Typing goes on without checks in between. */
#define CHECK_AFTER_MS    250
#define MIN_ADVICE_HEIGHT 110
#define MAX_ADVICE_SHARE  3  /* this part of the dialog's height */
#define MIN_HINTS_HEIGHT  60 /* the same where nothing of it is urgent */
#define MAX_HINTS_SHARE   6

/* The initial size: at most that of the parent, unless the parent is small. */
enum { WIDTH = 620, HEIGHT = 760, MIN_WIDTH = 360, MIN_HEIGHT = 480 };

/* Data of the parent window while it has a dialog. */
#define DIALOG_KEY "record-dialog"

struct _PvRecordDialog {
    AdwWindow parent;

    GtkStack *stack;
    GtkButton *record_button;
    PvLaunchList *launch_list;
    PvRecordForm *form;
    GtkWidget *footer;
    GtkScrolledWindow *advice_scroller;
    GtkWidget *advice_clamp;
    PvAdviceList *advice_list;
    GtkLabel *reason_label;
    GtkWidget *process_chooser; /* these are made when first shown */
    GtkWidget *program_chooser;
    GtkWidget *event_chooser;
    GtkWidget *focus; /* weak; what had the focus when a chooser was shown */

    PvTask *check_task;
    guint check_source;
    GPtrArray *advice;             /* result of the last check */
    char *fault;                   /* what is missing in the form; or NULL */
    gboolean is_outdated;          /* the advice is for an earlier plan */
    gboolean records_when_checked; /* record when the check is done */
    gboolean is_filled;            /* the form was filled from a plan */
};

G_DEFINE_FINAL_TYPE (PvRecordDialog, pv_record_dialog, ADW_TYPE_WINDOW)

/* Checks and the record button */

static gboolean
has_only_hints (PvRecordDialog *self)
{
    for (guint i = 0; self->advice != NULL && i < self->advice->len; i++)
        if (((const PvAdvice *)self->advice->pdata[i])->level != PV_ADVICE_HINT)
            return FALSE;
    return TRUE;
}

/* Shows all the advice if enough of the form remains. A scrolled window would measure its height
 * without wrapping. */
static void
fit_advice (PvRecordDialog *self)
{
    int width = gtk_widget_get_width (GTK_WIDGET (self->stack));
    int height = gtk_widget_get_height (GTK_WIDGET (self->stack));
    int wanted, most;

    if (width == 0)
        gtk_window_get_default_size (GTK_WINDOW (self), &width, &height);
    gtk_widget_measure (self->advice_clamp, GTK_ORIENTATION_VERTICAL, width, NULL, &wanted, NULL,
                        NULL);
    most = has_only_hints (self) ? MAX (MIN_HINTS_HEIGHT, height / MAX_HINTS_SHARE)
                                 : MAX (MIN_ADVICE_HEIGHT, height / MAX_ADVICE_SHARE);
    gtk_scrolled_window_set_min_content_height (self->advice_scroller, MIN (wanted, most));
}

static void
update_record (PvRecordDialog *self)
{
    PvFetchForm *fetch_form = pv_record_form_get_fetch_form (self->form);
    const PvAdvice *fault = pv_record_check_find_fault (self->advice);
    gboolean has_advice = self->advice != NULL && self->advice->len > 0 && fetch_form == NULL;
    const char *reason = NULL;
    gboolean can_record;

    if (fetch_form != NULL) {
        can_record = pv_fetch_form_can_start (fetch_form);
    } else {
        can_record = self->fault == NULL && (fault == NULL || self->is_outdated);
        reason = self->fault != NULL ? self->fault : can_record ? NULL : fault->title;
    }
    gtk_button_set_label (self->record_button,
                          fetch_form != NULL ? C_ ("button", "_Fetch") : C_ ("button", "_Record"));
    gtk_widget_action_set_enabled (GTK_WIDGET (self), "record.start", can_record);
    gtk_widget_set_tooltip_text (GTK_WIDGET (self->record_button), reason);
    gtk_label_set_text (self->reason_label, self->fault != NULL ? self->fault : "");
    gtk_widget_set_visible (GTK_WIDGET (self->reason_label),
                            fetch_form == NULL && self->fault != NULL);
    gtk_widget_set_visible (GTK_WIDGET (self->advice_scroller), has_advice);
    fit_advice (self);
    gtk_widget_set_visible (self->footer,
                            has_advice || (fetch_form == NULL && self->fault != NULL));
}

static void
close_and_record (PvRecordDialog *self, const PvRecordPlan *plan)
{
    GtkWindow *parent = gtk_window_get_transient_for (GTK_WINDOW (self));

    if (parent != NULL)
        gtk_widget_activate_action (GTK_WIDGET (parent), "win.record", "@a{sv}",
                                    pv_plan_to_variant (plan));
    gtk_window_close (GTK_WINDOW (self));
}

static void
record (PvRecordDialog *self)
{
    g_autofree char *fault = NULL;
    g_autoptr (PvRecordPlan) plan = pv_record_form_make_plan (self->form, &fault);

    if (fault != NULL)
        return;
    pv_record_form_save (self->form);
    close_and_record (self, plan);
}

static void
take_no_counters (PvRecordDialog *self)
{
    for (guint i = 0; self->advice != NULL && i < self->advice->len; i++) {
        const PvAdvice *advice = self->advice->pdata[i];
        if (g_str_equal (advice->id, "no-counters"))
            pv_record_form_set_no_counters (self->form);
    }
}

static void
on_checked (gpointer owner, gpointer result, const GError *error)
{
    PvRecordDialog *self = owner;
    gboolean continues = self->records_when_checked;

    self->is_outdated = FALSE;
    self->records_when_checked = FALSE;
    g_clear_pointer (&self->advice, g_ptr_array_unref);
    self->advice = result;
    pv_advice_list_set (self->advice_list, self->advice);
    take_no_counters (self);
    update_record (self);
    if (continues && self->fault == NULL && pv_record_check_find_fault (self->advice) == NULL)
        record (self);
}

static void
check_now (PvRecordDialog *self)
{
    g_autofree char *fault = NULL;

    g_clear_handle_id (&self->check_source, g_source_remove);
    pv_task_start (self->check_task, pv_record_form_make_plan (self->form, &fault));
}

static gboolean
on_check_due (gpointer user)
{
    PvRecordDialog *self = user;

    self->check_source = 0;
    check_now (self);
    return G_SOURCE_REMOVE;
}

static void
on_form_changed (PvRecordDialog *self)
{
    g_clear_pointer (&self->fault, g_free);
    pv_record_plan_free (pv_record_form_make_plan (self->form, &self->fault));
    self->is_outdated = TRUE;
    self->records_when_checked = FALSE;
    pv_task_cancel (self->check_task);
    g_clear_handle_id (&self->check_source, g_source_remove);
    self->check_source = g_timeout_add (CHECK_AFTER_MS, on_check_due, self);
    update_record (self);
}

/* The user may have followed the advice in another window. */
static void
on_active (PvRecordDialog *self)
{
    if (gtk_window_is_active (GTK_WINDOW (self)) && self->check_source == 0)
        check_now (self);
}

static void
start (GtkWidget *widget, const char *action, GVariant *parameter)
{
    PvRecordDialog *self = PV_RECORD_DIALOG (widget);
    PvFetchForm *fetch_form = pv_record_form_get_fetch_form (self->form);

    pv_record_form_commit (self->form);
    if (fetch_form != NULL) {
        pv_record_form_save (self->form);
        if (pv_fetch_form_start (fetch_form, gtk_window_get_transient_for (GTK_WINDOW (self))))
            gtk_window_close (GTK_WINDOW (self));
    } else if (self->is_outdated) {
        self->records_when_checked = TRUE;
        check_now (self);
    } else {
        record (self);
    }
}

static void
on_fix (PvRecordDialog *self, const PvAdvice *advice)
{
    pv_record_form_apply (self->form, advice->fix);
}

static void
on_fetch_activated (PvRecordDialog *self)
{
    gtk_widget_activate_action (GTK_WIDGET (self), "record.start", NULL);
}

/* Recent launches */

static void
on_launched (PvRecordDialog *self, const PvRecordPlan *plan)
{
    close_and_record (self, plan);
}

/* The plan names a program, and the user picks its process. */
static void
ask_for_process (PvRecordDialog *self, const char *program)
{
    g_autofree char *name = g_filename_display_basename (program);

    gtk_widget_activate_action (GTK_WIDGET (self), "record.choose-process", NULL);
    pv_chooser_search (PV_CHOOSER (self->process_chooser), name);
}

static void
on_edited (PvRecordDialog *self, const PvRecordPlan *plan)
{
    pv_record_form_set_plan (self->form, plan);
    pv_record_form_focus (self->form);
    if (pv_record_plan_lacks_process (plan))
        ask_for_process (self, plan->argv[0]);
}

/* Proposes the last launch, unless the user was faster. */
static void
on_launches_loaded (PvRecordDialog *self)
{
    const PvRecordPlan *newest = pv_launch_list_get_newest (self->launch_list);

    if (newest != NULL && !self->is_filled)
        pv_record_form_propose (self->form, newest);
    self->is_filled = TRUE;
}

/* Pages */

static void
show_chooser (PvRecordDialog *self, GtkWidget *chooser)
{
    g_set_weak_pointer (&self->focus, gtk_window_get_focus (GTK_WINDOW (self)));
    gtk_stack_set_visible_child (self->stack, chooser);
    pv_chooser_begin (PV_CHOOSER (chooser));
}

static void
go_back (GtkWidget *widget, const char *action, GVariant *parameter)
{
    PvRecordDialog *self = PV_RECORD_DIALOG (widget);

    gtk_stack_set_visible_child_name (self->stack, "form");
    if (self->focus != NULL)
        gtk_widget_grab_focus (self->focus);
}

static void
escape (GtkWidget *widget, const char *action, GVariant *parameter)
{
    PvRecordDialog *self = PV_RECORD_DIALOG (widget);

    if (g_strcmp0 (gtk_stack_get_visible_child_name (self->stack), "form") == 0)
        gtk_window_close (GTK_WINDOW (self));
    else
        go_back (widget, action, NULL);
}

static void
on_process_chosen (PvRecordDialog *self, const PvRunningProcess *process)
{
    pv_record_form_set_process (self->form, process);
    go_back (GTK_WIDGET (self), NULL, NULL);
}

static void
on_program_chosen (PvRecordDialog *self, const PvProgram *program)
{
    pv_record_form_set_program (self->form, program);
    go_back (GTK_WIDGET (self), NULL, NULL);
}

static void
on_events_changed (PvRecordDialog *self)
{
    pv_record_form_set_events (self->form,
                               pv_event_chooser_get_names (PV_EVENT_CHOOSER (self->event_chooser)));
}

static GtkWidget *
make_chooser (PvRecordDialog *self, GType type, const char *signal, GCallback callback)
{
    GtkWidget *chooser = g_object_new (type, NULL);

    gtk_stack_add_child (self->stack, chooser);
    g_signal_connect_object (chooser, signal, callback, self, G_CONNECT_SWAPPED);
    return chooser;
}

static void
choose_process (GtkWidget *widget, const char *action, GVariant *parameter)
{
    PvRecordDialog *self = PV_RECORD_DIALOG (widget);

    if (self->process_chooser == NULL)
        self->process_chooser =
            make_chooser (self, PV_TYPE_PROCESS_CHOOSER, "chosen", G_CALLBACK (on_process_chosen));
    show_chooser (self, self->process_chooser);
}

static void
choose_program (GtkWidget *widget, const char *action, GVariant *parameter)
{
    PvRecordDialog *self = PV_RECORD_DIALOG (widget);

    if (self->program_chooser == NULL)
        self->program_chooser =
            make_chooser (self, PV_TYPE_PROGRAM_CHOOSER, "chosen", G_CALLBACK (on_program_chosen));
    show_chooser (self, self->program_chooser);
}

static void
choose_events (GtkWidget *widget, const char *action, GVariant *parameter)
{
    PvRecordDialog *self = PV_RECORD_DIALOG (widget);

    if (self->event_chooser == NULL)
        self->event_chooser =
            make_chooser (self, PV_TYPE_EVENT_CHOOSER, "changed", G_CALLBACK (on_events_changed));
    pv_event_chooser_set_names (PV_EVENT_CHOOSER (self->event_chooser),
                                pv_record_form_get_events (self->form));
    show_chooser (self, self->event_chooser);
}

/* Opening and closing */

static void
fill_in (PvRecordDialog *self, const PvRecordPlan *plan)
{
    pv_record_form_restore (self->form);
    self->is_filled = plan != NULL;
    if (plan != NULL)
        pv_record_form_set_plan (self->form, plan);
    pv_connect (self->form, "changed", on_form_changed, self);
    on_form_changed (self);
    check_now (self);
    pv_launch_list_update (self->launch_list);
}

static gboolean
pv_record_dialog_close_request (GtkWindow *window)
{
    GtkWindow *parent = gtk_window_get_transient_for (window);

    if (parent != NULL)
        g_object_set_data (G_OBJECT (parent), DIALOG_KEY, NULL);
    return GTK_WINDOW_CLASS (pv_record_dialog_parent_class)->close_request (window);
}

/* Object */

static void
pv_record_dialog_dispose (GObject *object)
{
    PvRecordDialog *self = PV_RECORD_DIALOG (object);

    g_clear_handle_id (&self->check_source, g_source_remove);
    g_clear_pointer (&self->check_task, pv_task_close);
    g_clear_pointer (&self->advice, g_ptr_array_unref);
    g_clear_pointer (&self->fault, g_free);
    g_clear_weak_pointer (&self->focus);
    G_OBJECT_CLASS (pv_record_dialog_parent_class)->dispose (object);
}

static void
pv_record_dialog_realize (GtkWidget *widget)
{
    GTK_WIDGET_CLASS (pv_record_dialog_parent_class)->realize (widget);
    pv_connect (gtk_native_get_surface (GTK_NATIVE (widget)), "layout", fit_advice, widget);
}

static void
pv_record_dialog_class_init (PvRecordDialogClass *class)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

    G_OBJECT_CLASS (class)->dispose = pv_record_dialog_dispose;
    widget_class->realize = pv_record_dialog_realize;
    GTK_WINDOW_CLASS (class)->close_request = pv_record_dialog_close_request;
    g_type_ensure (PV_TYPE_ADVICE_LIST);
    g_type_ensure (PV_TYPE_HELP_BUTTON);
    g_type_ensure (PV_TYPE_LAUNCH_LIST);
    g_type_ensure (PV_TYPE_RECORD_FORM);
    gtk_widget_class_set_template_from_resource (widget_class,
                                                 "/org/profview/Profview/record-dialog.ui");
    PV_BIND_CHILDREN (widget_class, PvRecordDialog, stack, record_button, launch_list, form, footer,
                      advice_scroller, advice_clamp, advice_list, reason_label);
    gtk_widget_class_install_action (widget_class, "record.start", NULL, start);
    gtk_widget_class_install_action (widget_class, "record.back", NULL, go_back);
    gtk_widget_class_install_action (widget_class, "record.escape", NULL, escape);
    gtk_widget_class_install_action (widget_class, "record.choose-process", NULL, choose_process);
    gtk_widget_class_install_action (widget_class, "record.choose-program", NULL, choose_program);
    gtk_widget_class_install_action (widget_class, "record.choose-events", NULL, choose_events);
    gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "record.escape", NULL);
}

static void
pv_record_dialog_init (PvRecordDialog *self)
{
    gtk_widget_init_template (GTK_WIDGET (self));
    pv_help_add_key (GTK_WIDGET (self), PV_HELP ("record"));
    self->check_task = pv_record_check_task_new (self, on_checked);
    g_signal_connect (self, "notify::is-active", G_CALLBACK (on_active), NULL);
    pv_connect (self->form, "activated", on_fetch_activated, self);
    pv_connect (self->advice_list, "fix", on_fix, self);
    pv_connect (self->launch_list, "launched", on_launched, self);
    pv_connect (self->launch_list, "edited", on_edited, self);
    pv_connect (self->launch_list, "loaded", on_launches_loaded, self);
}

static void
fit_into (PvRecordDialog *self, GtkWidget *window)
{
    gtk_window_set_default_size (GTK_WINDOW (self),
                                 CLAMP (gtk_widget_get_width (window), MIN_WIDTH, WIDTH),
                                 CLAMP (gtk_widget_get_height (window), MIN_HEIGHT, HEIGHT));
}

void
pv_record_dialog_show (GtkWindow *parent, const PvRecordPlan *plan)
{
    PvRecordDialog *self;

    g_assert (GTK_IS_WINDOW (parent));
    if (g_object_get_data (G_OBJECT (parent), DIALOG_KEY) != NULL)
        return;
    self = g_object_new (PV_TYPE_RECORD_DIALOG, "transient-for", parent, NULL);
    g_object_set_data (G_OBJECT (parent), DIALOG_KEY, self);
    fit_into (self, GTK_WIDGET (parent));
    fill_in (self, plan);
    gtk_window_present (GTK_WINDOW (self));
    pv_record_form_focus (self->form);
    if (plan != NULL && pv_record_plan_lacks_process (plan))
        ask_for_process (self, plan->argv[0]);
}
