/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/editor/editor-dialog.h"

#include <glib/gi18n.h>

#include "app/editor/editor-command.h"
#include "app/widgets/setup.h"
#include "app/work/settings.h"

struct _PvEditorDialog {
    AdwWindow parent;

    GtkCheckButton *default_check;
    GtkCheckButton *command_check;
    AdwEntryRow *command_row;
    GtkLabel *error_label;
};

G_DEFINE_FINAL_TYPE (PvEditorDialog, pv_editor_dialog, ADW_TYPE_WINDOW)

/* Says what is wrong with the command, if it is the choice. */
static void
check_command (PvEditorDialog *self)
{
    const char *command = gtk_editable_get_text (GTK_EDITABLE (self->command_row));
    const char *text = NULL;
    g_autoptr (GError) error = NULL;
    g_auto (GStrv) words = pv_editor_parse_command (command, "/", 1, &error);

    if (error != NULL)
        text = error->message;
    else if (g_file_test ("/.flatpak-info", G_FILE_TEST_EXISTS) || g_getenv ("SNAP") != NULL)
        text = _ ("Editors on the host cannot be started from a sandbox such as Flatpak or Snap.");
    gtk_label_set_text (self->error_label, text != NULL ? text : "");
    gtk_widget_set_visible (GTK_WIDGET (self->error_label),
                            text != NULL && gtk_check_button_get_active (self->command_check));
}

static void
on_toggled (PvEditorDialog *self)
{
    const gboolean has_command = gtk_check_button_get_active (self->command_check);

    g_settings_set_string (pv_settings_get (), "editor", has_command ? PV_EDITOR_COMMAND : "");
    check_command (self);
}

static void
on_command_changed (PvEditorDialog *self)
{
    if (*gtk_editable_get_text (GTK_EDITABLE (self->command_row)) != '\0')
        gtk_check_button_set_active (self->command_check, TRUE);
    check_command (self);
}

static void
pv_editor_dialog_class_init (PvEditorDialogClass *class)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

    PV_SET_TEMPLATE (widget_class, "editor-dialog");
    PV_BIND_CHILDREN (widget_class, PvEditorDialog, default_check, command_check, command_row,
                      error_label);
    gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
pv_editor_dialog_init (PvEditorDialog *self)
{
    GSettings *settings = pv_settings_get ();
    g_autofree char *chosen = NULL;

    gtk_widget_init_template (GTK_WIDGET (self));
    pv_editor_renew_settings (settings);
    chosen = g_settings_get_string (settings, "editor");
    gtk_check_button_set_active (
        g_str_equal (chosen, PV_EDITOR_COMMAND) ? self->command_check : self->default_check, TRUE);
    g_settings_bind (settings, "editor-command", self->command_row, "text",
                     G_SETTINGS_BIND_DEFAULT);
    check_command (self);
    pv_connect (self->command_row, "changed", on_command_changed, self);
    pv_connect (self->command_check, "toggled", on_toggled, self);
}

void
pv_editor_dialog_show (GtkWindow *parent)
{
    g_assert (GTK_IS_WINDOW (parent));
    gtk_window_present (
        GTK_WINDOW (g_object_new (PV_TYPE_EDITOR_DIALOG, "transient-for", parent, NULL)));
}
