/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/launch/launch-rows.h"

#include <glib/gi18n.h>

#include "app/launch/environment-row.h"
#include "app/widgets/file-dialog.h"
#include "app/widgets/form-rows.h"
#include "app/widgets/setup.h"

#define MIB ((uint64_t)1 << 20)

struct _PvLaunchRows {
    AdwBin parent;

    GtkEditable *command_row;
    GtkEditable *folder_row;
    PvEnvironmentRow *environment_row;
    AdwExpanderRow *memory_row;
    GtkSpinButton *memory_spin;
    GtkWidget *leave_row;
    GtkSwitch *leave_switch;

    gboolean lacks_command;
};

G_DEFINE_FINAL_TYPE (PvLaunchRows, pv_launch_rows, ADW_TYPE_BIN)

static guint changed_signal;

/* To a plan */

/* Variables typed before the command come first, so those with rows of their own win. */
static void
take_environment (PvLaunchRows *self, PvRecordPlan *plan, char **typed)
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

char *
pv_launch_rows_take (PvLaunchRows *self, PvRecordPlan *plan)
{
    g_autofree char *typed = pv_form_get_text (self->command_row);
    g_autofree char *folder = pv_form_get_text (self->folder_row);
    g_auto (GStrv) environment = NULL;
    g_autoptr (GError) error = NULL;
    char *fault = NULL;

    g_assert (PV_IS_LAUNCH_ROWS (self) && plan->target == PV_TARGET_LAUNCH);
    if (self->lacks_command)
        fault = g_strdup (pv_environment_row_find_fault (self->environment_row));
    else if (*typed == '\0')
        fault = g_strdup (_ ("Enter a command to launch"));
    else if (!pv_record_parse_typed (typed, &plan->argv, &environment, &error))
        fault = g_strdup (error->message);
    else
        fault = g_strdup (pv_environment_row_find_fault (self->environment_row));
    take_environment (self, plan, environment);
    plan->folder = *folder != '\0' ? g_filename_from_utf8 (folder, -1, NULL, NULL, NULL) : NULL;
    if (adw_expander_row_get_enable_expansion (self->memory_row))
        plan->max_memory_bytes = (uint64_t)gtk_spin_button_get_value (self->memory_spin) * MIB;
    plan->leaves_target = !self->lacks_command && gtk_switch_get_active (self->leave_switch);
    return fault;
}

gboolean
pv_launch_rows_has_command (PvLaunchRows *self)
{
    g_assert (PV_IS_LAUNCH_ROWS (self));
    return *gtk_editable_get_text (self->command_row) != '\0';
}

void
pv_launch_rows_commit (PvLaunchRows *self)
{
    g_assert (PV_IS_LAUNCH_ROWS (self));
    gtk_spin_button_update (self->memory_spin);
}

/* Filling */

void
pv_launch_rows_fill (PvLaunchRows *self, const PvRecordPlan *plan)
{
    g_autofree char *typed = plan->programs == NULL
                                 ? pv_record_format_typed ((const char *const *)plan->argv, NULL)
                                 : NULL;
    g_autofree char *folder =
        plan->folder != NULL ? g_filename_to_utf8 (plan->folder, -1, NULL, NULL, NULL) : NULL;

    g_assert (PV_IS_LAUNCH_ROWS (self));
    g_assert (plan->target == PV_TARGET_LAUNCH && (plan->argv != NULL || plan->programs != NULL));
    if (typed != NULL)
        gtk_editable_set_text (self->command_row, typed);
    gtk_editable_set_text (self->folder_row, folder != NULL ? folder : "");
    pv_environment_row_set (self->environment_row, (const char *const *)plan->environment);
    adw_expander_row_set_enable_expansion (self->memory_row, plan->max_memory_bytes > 0);
    if (plan->max_memory_bytes > 0)
        gtk_spin_button_set_value (self->memory_spin,
                                   (double)(plan->max_memory_bytes + MIB - 1) / MIB);
    gtk_switch_set_active (self->leave_switch, plan->leaves_target);
}

void
pv_launch_rows_set_program (PvLaunchRows *self, const PvProgram *program)
{
    g_autofree char *typed = pv_record_format_typed ((const char *const *)program->argv, NULL);

    g_assert (PV_IS_LAUNCH_ROWS (self) && program != NULL);
    gtk_editable_set_text (self->command_row, typed);
    gtk_editable_set_text (self->folder_row, program->folder != NULL ? program->folder : "");
}

void
pv_launch_rows_set_command_shown (PvLaunchRows *self, gboolean is_shown)
{
    g_assert (PV_IS_LAUNCH_ROWS (self));
    self->lacks_command = !is_shown;
    gtk_widget_set_visible (GTK_WIDGET (self->command_row), is_shown);
    gtk_widget_set_visible (self->leave_row, is_shown);
}

void
pv_launch_rows_select_command (PvLaunchRows *self)
{
    g_assert (PV_IS_LAUNCH_ROWS (self));
    gtk_editable_select_region (self->command_row, 0, -1);
}

void
pv_launch_rows_focus (PvLaunchRows *self)
{
    g_assert (PV_IS_LAUNCH_ROWS (self));
    gtk_widget_grab_focus (GTK_WIDGET (self->command_row));
    gtk_editable_select_region (self->command_row, 0, -1);
}

/* Files */

static void
on_file_chosen (gpointer owner, GtkFileChooser *dialog, GFile *file)
{
    PvLaunchRows *self = owner;
    g_autofree char *path = g_file_get_path (file);
    const gboolean is_folder =
        gtk_file_chooser_get_action (dialog) == GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER;

    if (path == NULL)
        return;
    g_autofree char *text = is_folder
                                ? g_filename_to_utf8 (path, -1, NULL, NULL, NULL)
                                : pv_record_format_typed ((const char *const[]){path, NULL}, NULL);
    if (text != NULL)
        gtk_editable_set_text (is_folder ? self->folder_row : self->command_row, text);
}

static void
ask_for_file (PvLaunchRows *self, const char *title, GtkFileChooserAction action)
{
    pv_file_dialog_show (pv_file_dialog_new (self, title, action, C_ ("button", "_Choose")),
                         on_file_chosen, NULL, NULL);
}

static void
choose_file (GtkWidget *widget, const char *action, GVariant *parameter)
{
    ask_for_file (PV_LAUNCH_ROWS (widget), _ ("Choose a Program"), GTK_FILE_CHOOSER_ACTION_OPEN);
}

static void
choose_folder (GtkWidget *widget, const char *action, GVariant *parameter)
{
    ask_for_file (PV_LAUNCH_ROWS (widget), _ ("Choose the Working Folder"),
                  GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER);
}

/* Object */

static void
on_changed (PvLaunchRows *self)
{
    g_signal_emit (self, changed_signal, 0);
}

static void
pv_launch_rows_class_init (PvLaunchRowsClass *class)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

    g_type_ensure (ADW_TYPE_ENTRY_ROW);
    g_type_ensure (ADW_TYPE_EXPANDER_ROW);
    g_type_ensure (ADW_TYPE_PREFERENCES_GROUP);
    g_type_ensure (PV_TYPE_ENVIRONMENT_ROW);
    gtk_widget_class_set_template_from_resource (widget_class,
                                                 "/org/profview/Profview/launch-rows.ui");
    PV_BIND_CHILDREN (widget_class, PvLaunchRows, command_row, folder_row, environment_row,
                      memory_row, memory_spin, leave_row, leave_switch);
    gtk_widget_class_install_action (widget_class, "launch.choose-file", NULL, choose_file);
    gtk_widget_class_install_action (widget_class, "launch.choose-folder", NULL, choose_folder);
    changed_signal = pv_signal_new (class, "changed", 0);
}

static void
follow (PvLaunchRows *self, gpointer widget, const char *signal)
{
    pv_connect (widget, signal, on_changed, self);
}

static void
pv_launch_rows_init (PvLaunchRows *self)
{
    gtk_widget_init_template (GTK_WIDGET (self));
    pv_form_name_switch (GTK_WIDGET (self->memory_row), _ ("Limit memory"));
    pv_form_number_init (self->memory_spin);
    follow (self, self->command_row, "changed");
    follow (self, self->folder_row, "changed");
    follow (self, self->environment_row, "changed");
    follow (self, self->memory_row, "notify::enable-expansion");
    follow (self, self->memory_spin, "value-changed");
    follow (self, self->leave_switch, "notify::active");
}
