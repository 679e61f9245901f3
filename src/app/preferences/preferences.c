/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/preferences/preferences.h"

#include <glib/gi18n.h>
#include <string.h>

#include "app/code/source-maps.h"
#include "app/editor/editor-command.h"
#include "app/preferences/fetched-files.h"
#include "app/preferences/path-list.h"
#include "app/widgets/actions.h"
#include "app/widgets/file-dialog.h"
#include "app/widgets/help.h"
#include "app/widgets/setup.h"
#include "app/work/settings.h"
#include "app/work/work.h"
#include "core/base/format.h"
#include "core/model/profile/matcher.h"
#include "fetch/fetch-store.h"
#include "record/plan/machine.h"

struct _PvPreferences {
    AdwPreferencesWindow parent;

    AdwComboRow *scheme_row;
    AdwComboRow *first_row;
    AdwComboRow *colors_row;
    AdwComboRow *units_row;
    GtkSwitch *strip_switch;
    GtkSwitch *root_switch;
    GtkSwitch *session_switch;
    GtkCheckButton *default_check;
    GtkCheckButton *command_check;
    AdwEntryRow *command_row;
    GtkLabel *command_label;
    AdwPreferencesGroup *symbols_group;
    AdwPreferencesGroup *maps_group;
    AdwEntryRow *map_row;
    GtkSwitch *fetch_switch;
    AdwEntryRow *servers_row;
    AdwEntryRow *own_row;
    GtkLabel *own_label;
    AdwEntryRow *allocators_row;
    GtkLabel *allocators_label;
    AdwActionRow *suppressions_row;
    AdwActionRow *fetched_row;

    PvTask *fetched_task;
    gint64 started; /* as pv_preferences_show () says */
    char **(*list_used) (void);
};

G_DEFINE_FINAL_TYPE (PvPreferences, pv_preferences, ADW_TYPE_PREFERENCES_WINDOW)

/* Choices */

/* Settings of texts or enums, with the values of a list in its order. */
typedef struct {
    const char *key;
    const char *const *values;
} Choice;

static const char *const schemes[] = {"default", "force-light", "force-dark", NULL};
static const char *const pages[] = {"automatic", "summary", "graph", "functions",
                                    "timeline",  "source",  NULL};
static const char *const units[] = {"binary", "decimal", NULL};
static const char *const colors[] = {"module", "package", "kind", "name", NULL};

static const Choice scheme_choice = {"color-scheme", schemes};
static const Choice page_choice = {"first-page", pages};
static const Choice unit_choice = {"byte-units", units};
static const Choice color_choice = {"flame-colors", colors};

static gboolean
get_position (GValue *value, GVariant *variant, gpointer user)
{
    const Choice *choice = user;

    for (guint i = 0; choice->values[i] != NULL; i++)
        if (g_str_equal (choice->values[i], g_variant_get_string (variant, NULL)))
            g_value_set_uint (value, i);
    return TRUE;
}

static GVariant *
get_choice (const GValue *value, const GVariantType *type, gpointer user)
{
    const Choice *choice = user;
    guint position = g_value_get_uint (value);

    return position < g_strv_length ((char **)choice->values)
               ? g_variant_new_string (choice->values[position])
               : NULL;
}

static void
bind_choice (AdwComboRow *row, const Choice *choice)
{
    g_settings_bind_with_mapping (pv_settings_get (), choice->key, row, "selected",
                                  G_SETTINGS_BIND_DEFAULT, get_position, get_choice,
                                  (gpointer)choice, NULL);
}

/* The editor */

/* Says what is wrong with the command, if it is the choice. */
static void
check_command (PvPreferences *self)
{
    const char *command = gtk_editable_get_text (GTK_EDITABLE (self->command_row));
    const char *text = NULL;
    g_autoptr (GError) error = NULL;
    g_auto (GStrv) words = pv_editor_parse_command (command, "/", 1, &error);

    if (error != NULL)
        text = error->message;
    else if (pv_record_is_sandboxed ())
        text = _ ("Editors on the host cannot be started from a sandbox such as Flatpak or Snap.");
    gtk_label_set_text (self->command_label, text != NULL ? text : "");
    gtk_widget_set_visible (GTK_WIDGET (self->command_label),
                            text != NULL && gtk_check_button_get_active (self->command_check));
}

static void
on_editor_toggled (PvPreferences *self)
{
    const gboolean has_command = gtk_check_button_get_active (self->command_check);

    g_settings_set_string (pv_settings_get (), "editor", has_command ? PV_EDITOR_COMMAND : "");
    check_command (self);
}

static void
on_command_changed (PvPreferences *self)
{
    if (*gtk_editable_get_text (GTK_EDITABLE (self->command_row)) != '\0')
        gtk_check_button_set_active (self->command_check, TRUE);
    check_command (self);
}

static void
show_editor (PvPreferences *self)
{
    GSettings *settings = pv_settings_get ();
    g_autofree char *chosen = NULL;

    pv_editor_renew_settings (settings);
    chosen = g_settings_get_string (settings, "editor");
    gtk_check_button_set_active (
        g_str_equal (chosen, PV_EDITOR_COMMAND) ? self->command_check : self->default_check, TRUE);
    g_settings_bind (settings, "editor-command", self->command_row, "text",
                     G_SETTINGS_BIND_DEFAULT);
    check_command (self);
    pv_connect (self->command_row, "changed", on_command_changed, self);
    pv_connect (self->command_check, "toggled", on_editor_toggled, self);
}

/* Folders */

static void
on_symbols_chosen (gpointer owner, GtkFileChooser *dialog, GFile *file)
{
    g_autofree char *path = g_file_get_path (file);

    if (path != NULL)
        pv_path_list_add ("symbol-paths", path);
}

static void
add_symbols (PvPreferences *self)
{
    pv_file_dialog_show (pv_file_dialog_new (self, _ ("Folder With Programs or Debug Information"),
                                             GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER,
                                             C_ ("button", "_Add")),
                         on_symbols_chosen, NULL, NULL);
}

/* A typed "FROM=TO" has two absolute folders. */
static void
on_map_applied (PvPreferences *self)
{
    const char *text = gtk_editable_get_text (GTK_EDITABLE (self->map_row));
    const char *sign = strchr (text, '=');
    gboolean is_map = text[0] == '/' && sign != NULL && sign[1] == '/';

    pv_set_css_class (GTK_WIDGET (self->map_row), "error", !is_map);
    if (!is_map)
        return;
    pv_source_maps_add (text);
    gtk_editable_set_text (GTK_EDITABLE (self->map_row), "");
}

/* Expressions */

/* Takes one over, or says what is wrong with it. */
static void
take_expression (AdwEntryRow *row, GtkLabel *label, const char *key)
{
    const char *text = gtk_editable_get_text (GTK_EDITABLE (row));
    g_autoptr (GError) error = NULL;

    if (*text == '\0' || pv_matcher_check (text, &error))
        g_settings_set_string (pv_settings_get (), key, text);
    pv_set_css_class (GTK_WIDGET (row), "error", error != NULL);
    gtk_label_set_text (label, error != NULL ? error->message : "");
    gtk_widget_set_visible (GTK_WIDGET (label), error != NULL);
}

static void
on_own_changed (PvPreferences *self)
{
    take_expression (self->own_row, self->own_label, "own-code");
}

static void
on_allocators_changed (PvPreferences *self)
{
    take_expression (self->allocators_row, self->allocators_label, "allocators");
}

static void
show_expressions (PvPreferences *self)
{
    g_autofree char *own = g_settings_get_string (pv_settings_get (), "own-code");
    g_autofree char *allocators = g_settings_get_string (pv_settings_get (), "allocators");

    gtk_editable_set_text (GTK_EDITABLE (self->own_row), own);
    gtk_editable_set_text (GTK_EDITABLE (self->allocators_row), allocators);
    on_own_changed (self);
    on_allocators_changed (self);
    pv_connect (self->own_row, "changed", on_own_changed, self);
    pv_connect (self->allocators_row, "changed", on_allocators_changed, self);
}

/* Suppressions */

static void
show_suppressions (PvPreferences *self)
{
    g_autofree char *path = g_settings_get_string (pv_settings_get (), "suppressions-file");
    g_autofree char *shown =
        *path != '\0' ? pv_format_path (path) : g_strdup (C_ ("choice", "None"));

    adw_action_row_set_subtitle (self->suppressions_row, shown);
    gtk_widget_action_set_enabled (GTK_WIDGET (self), "preferences.no-suppressions", *path != '\0');
}

static void
on_suppressions_chosen (gpointer owner, GtkFileChooser *dialog, GFile *file)
{
    g_autofree char *path = g_file_get_path (file);

    if (path != NULL)
        g_settings_set_string (pv_settings_get (), "suppressions-file", path);
    show_suppressions (owner);
}

static void
choose_suppressions (PvPreferences *self)
{
    pv_file_dialog_show (pv_file_dialog_new (self, _ ("Suppressions of LeakSanitizer"),
                                             GTK_FILE_CHOOSER_ACTION_OPEN, NULL),
                         on_suppressions_chosen, NULL, NULL);
}

static void
remove_suppressions (PvPreferences *self)
{
    g_settings_reset (pv_settings_get (), "suppressions-file");
    show_suppressions (self);
}

/* Fetched profiles */

typedef struct {
    char **used; /* files that stay; NULL: all do */
    gint64 since;
} FetchedInput;

static void
fetched_input_free (gpointer data)
{
    FetchedInput *input = data;

    g_strfreev (input->used);
    g_free (input);
}

static gpointer
run_fetched (gpointer data, PvJob *job, GError **error)
{
    const FetchedInput *input = data;
    g_autofree char *folder = pv_fetch_get_folder ();
    PvFetchedFiles *files = g_new (PvFetchedFiles, 1);

    if (input->used != NULL)
        pv_fetched_files_delete (folder, (const char *const *)input->used, input->since, job);
    *files = pv_fetched_files_count (folder, job);
    return files;
}

static void
on_fetched (gpointer owner, gpointer result, const GError *error)
{
    PvPreferences *self = owner;
    g_autofree PvFetchedFiles *files = result;
    g_autofree char *size = pv_format_amount (files->n_bytes, PV_UNIT_BYTES);
    g_autofree char *text =
        files->n_files == 0
            ? g_strdup (C_ ("choice", "None"))
            : g_strdup_printf (g_dngettext (NULL, "%u file, %s", "%u files, %s", files->n_files),
                               files->n_files, size);

    adw_action_row_set_subtitle (self->fetched_row, text);
    gtk_widget_action_set_enabled (GTK_WIDGET (self), "preferences.clear", files->n_files > 0);
}

static void
start_fetched (PvPreferences *self, gboolean clears)
{
    FetchedInput *input = g_new0 (FetchedInput, 1);

    input->used = clears ? self->list_used () : NULL;
    input->since = self->started;
    gtk_widget_action_set_enabled (GTK_WIDGET (self), "preferences.clear", FALSE);
    pv_task_start (self->fetched_task, input);
}

static void
clear_fetched (PvPreferences *self)
{
    start_fetched (self, TRUE);
}

/* Object */

static void
pv_preferences_dispose (GObject *object)
{
    g_clear_pointer (&PV_PREFERENCES (object)->fetched_task, pv_task_close);
    G_OBJECT_CLASS (pv_preferences_parent_class)->dispose (object);
}

static void
pv_preferences_class_init (PvPreferencesClass *class)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

    G_OBJECT_CLASS (class)->dispose = pv_preferences_dispose;
    PV_SET_TEMPLATE (widget_class, "preferences");
    PV_BIND_CHILDREN (widget_class, PvPreferences, scheme_row, first_row, colors_row, units_row,
                      strip_switch, root_switch, session_switch, default_check, command_check,
                      command_row, command_label, symbols_group, maps_group, map_row, fetch_switch,
                      servers_row, own_row, own_label, allocators_row, allocators_label,
                      suppressions_row, fetched_row);
    pv_class_add_action (widget_class, "preferences.add-symbols", NULL, add_symbols);
    pv_class_add_action (widget_class, "preferences.suppressions", NULL, choose_suppressions);
    pv_class_add_action (widget_class, "preferences.no-suppressions", NULL, remove_suppressions);
    pv_class_add_action (widget_class, "preferences.clear", NULL, clear_fetched);
}

static void
pv_preferences_init (PvPreferences *self)
{
    GSettings *settings = pv_settings_get ();

    gtk_widget_init_template (GTK_WIDGET (self));
    pv_help_add_key (GTK_WIDGET (self), PV_HELP ("preferences"));
    bind_choice (self->scheme_row, &scheme_choice);
    bind_choice (self->first_row, &page_choice);
    bind_choice (self->colors_row, &color_choice);
    bind_choice (self->units_row, &unit_choice);
    g_settings_bind (settings, "strip-shown", self->strip_switch, "active",
                     G_SETTINGS_BIND_DEFAULT);
    g_settings_bind (settings, "flame-root-at-bottom", self->root_switch, "active",
                     G_SETTINGS_BIND_DEFAULT);
    g_settings_bind (settings, "restore-session", self->session_switch, "active",
                     G_SETTINGS_BIND_DEFAULT);
    g_settings_bind (settings, "debuginfod", self->fetch_switch, "active", G_SETTINGS_BIND_DEFAULT);
    g_settings_bind (settings, "debuginfod-servers", self->servers_row, "text",
                     G_SETTINGS_BIND_DEFAULT);
    g_object_bind_property (self->fetch_switch, "active", self->servers_row, "sensitive",
                            G_BINDING_SYNC_CREATE);
    show_editor (self);
    pv_path_list_install (self->symbols_group, "symbol-paths");
    pv_path_list_install (self->maps_group, "source-maps");
    pv_connect (self->map_row, "apply", on_map_applied, self);
    show_expressions (self);
    show_suppressions (self);
    self->fetched_task = pv_task_new (self, run_fetched, fetched_input_free, g_free, on_fetched);
    start_fetched (self, FALSE);
}

void
pv_preferences_show (GtkWindow *parent, gint64 started, char **(*list_used) (void))
{
    g_assert ((parent == NULL || GTK_IS_WINDOW (parent)) && list_used != NULL);
    PvPreferences *self = g_object_new (PV_TYPE_PREFERENCES, "transient-for", parent, NULL);

    self->started = started;
    self->list_used = list_used;
    gtk_window_present (GTK_WINDOW (self));
}
