/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/editor/editor-dialog.h"

#include <glib/gi18n.h>

#include "app/editor/editors.h"
#include "app/widgets/form-rows.h"
#include "app/widgets/template.h"
#include "app/work/settings.h"

struct _PvEditorDialog {
    AdwWindow parent;

    AdwPreferencesGroup *editors_group;
    AdwPreferencesGroup *command_group;
    AdwEntryRow *command_row;
    GtkLabel *error_label;
    GtkCheckButton *command_check;
};

G_DEFINE_FINAL_TYPE (PvEditorDialog, pv_editor_dialog, ADW_TYPE_WINDOW)

/* Says what is wrong with the command, if it is the choice. */
static void
check_command (PvEditorDialog *self)
{
    const PvSourcePlace place = {"/", 1, 1};
    g_autofree char *command = pv_form_get_text (GTK_EDITABLE (self->command_row));
    g_autoptr (GError) error = NULL;
    g_auto (GStrv) words = NULL;

    if (gtk_check_button_get_active (self->command_check))
        words = pv_editor_parse_command (command, &place, &error);
    gtk_label_set_text (self->error_label, error != NULL ? error->message : "");
    gtk_widget_set_visible (GTK_WIDGET (self->error_label), error != NULL);
}

static void
on_toggled (PvEditorDialog *self, GtkCheckButton *check)
{
    const char *id = g_object_get_data (G_OBJECT (check), "id");

    if (!gtk_check_button_get_active (check))
        return;
    g_settings_set_string (pv_settings_get (), "editor", id);
    check_command (self);
}

static void
on_command_changed (PvEditorDialog *self)
{
    g_autofree char *command = pv_form_get_text (GTK_EDITABLE (self->command_row));

    g_settings_set_string (pv_settings_get (), "editor-command", command);
    if (*command != '\0')
        gtk_check_button_set_active (self->command_check, TRUE);
    check_command (self);
}

static GtkCheckButton *
make_check (PvEditorDialog *self, const char *id, const char *chosen)
{
    GtkCheckButton *check = GTK_CHECK_BUTTON (gtk_check_button_new ());

    gtk_widget_set_valign (GTK_WIDGET (check), GTK_ALIGN_CENTER);
    if (self->command_check != NULL)
        gtk_check_button_set_group (check, self->command_check);
    g_object_set_data_full (G_OBJECT (check), "id", g_strdup (id), g_free);
    gtk_check_button_set_active (check, g_str_equal (id, chosen));
    g_signal_connect_swapped (check, "toggled", G_CALLBACK (on_toggled), self);
    return check;
}

static void
add_row (PvEditorDialog *self, const char *id, const char *name, const char *subtitle,
         const char *chosen)
{
    GtkWidget *row = adw_action_row_new ();
    GtkWidget *check = GTK_WIDGET (make_check (self, id, chosen));

    adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
    adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), name);
    if (subtitle != NULL)
        adw_action_row_set_subtitle (ADW_ACTION_ROW (row), subtitle);
    adw_action_row_add_prefix (ADW_ACTION_ROW (row), check);
    adw_action_row_set_activatable_widget (ADW_ACTION_ROW (row), check);
    adw_preferences_group_add (self->editors_group, row);
}

static void
list_editors (PvEditorDialog *self, const char *chosen)
{
    g_autoptr (GPtrArray) editors = pv_editors_find ();

    if (editors->len == 0) {
        adw_preferences_group_set_description (
            self->editors_group, pv_editors_are_out_of_reach ()
                                     ? _ ("Editors on the host cannot be found or started from a "
                                          "sandbox such as Flatpak "
                                          "or Snap.")
                                     : _ ("None of the editors that profview knows is installed."));
        return;
    }
    add_row (self, "", _ ("First Installed Editor"), ((PvEditor *)editors->pdata[0])->name, chosen);
    for (guint i = 0; i < editors->len; i++) {
        const PvEditor *editor = editors->pdata[i];
        add_row (self, editor->id, editor->name,
                 pv_editor_takes_line (editor) ? NULL : _ ("Opens the file, but not at the line"),
                 chosen);
    }
}

static void
pv_editor_dialog_class_init (PvEditorDialogClass *class)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

    gtk_widget_class_set_template_from_resource (widget_class,
                                                 "/org/profview/Profview/editor-dialog.ui");
    PV_BIND_CHILDREN (widget_class, PvEditorDialog, editors_group, command_group, command_row,
                      error_label);
    gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
pv_editor_dialog_init (PvEditorDialog *self)
{
    g_autofree char *chosen = g_settings_get_string (pv_settings_get (), "editor");
    g_autofree char *command = g_settings_get_string (pv_settings_get (), "editor-command");

    gtk_widget_init_template (GTK_WIDGET (self));
    self->command_check = make_check (self, PV_EDITOR_COMMAND, chosen);
    gtk_accessible_update_property (GTK_ACCESSIBLE (self->command_check),
                                    GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Custom Command"), -1);
    adw_entry_row_add_prefix (self->command_row, GTK_WIDGET (self->command_check));
    gtk_editable_set_text (GTK_EDITABLE (self->command_row), command);
    list_editors (self, chosen);
    check_command (self);
    g_signal_connect_swapped (self->command_row, "changed", G_CALLBACK (on_command_changed), self);
}

void
pv_editor_dialog_show (GtkWindow *parent)
{
    g_assert (GTK_IS_WINDOW (parent));
    gtk_window_present (
        GTK_WINDOW (g_object_new (PV_TYPE_EDITOR_DIALOG, "transient-for", parent, NULL)));
}
