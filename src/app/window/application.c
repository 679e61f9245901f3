/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/window/application.h"

#include <adwaita.h>
#include <glib-unix.h>
#include <glib/gi18n.h>
#include <malloc.h>
#include <signal.h>
#include <stdlib.h>

#include "app/launch/plan-variant.h"
#include "app/window/opening.h"
#include "app/window/window.h"
#include "app/work/settings.h"
#include "fetch/fetch.h"

/* Made by the resource compiler. */
#include "pv-app-resources.h"

#define PV_TYPE_APPLICATION (pv_application_get_type ())
G_DECLARE_FINAL_TYPE (PvApplication, pv_application, PV, APPLICATION, AdwApplication)

struct _PvApplication {
    AdwApplication parent;

    PvRecordPlan *plan; /* of our own command line; NULL: nothing is to be recorded */
};

G_DEFINE_FINAL_TYPE (PvApplication, pv_application, ADW_TYPE_APPLICATION)

static const struct {
    const char *action;
    const char *accels[4];
} shortcuts[] = {
    {"win.open-dialog", {"<Control>o"}},
    {"win.record-dialog", {"<Control>n"}},
    {"win.record-again", {"<Control><Shift>n"}},
    {"win.fetch-dialog", {"<Control>u"}},
    {"win.paste", {"<Control>v"}},
    {"win.reload", {"F5", "<Control>r"}},
    {"win.close-tab", {"<Control>w"}},
    {"win.search", {"<Control>f"}},
    {"win.find-next", {"<Control>g", "F3"}},
    {"win.find-previous", {"<Control><Shift>g", "<Shift>F3"}},
    {"win.back", {"<Alt>Left", "Back"}},
    {"win.forward", {"<Alt>Right", "Forward"}},
    {"win.zoom-reset", {"<Control>0"}},
    {"win.export", {"<Control>e"}},
    {"win.page::summary", {"<Control>1"}},
    {"win.page::flame", {"<Control>2"}},
    {"win.page::tree", {"<Control>3"}},
    {"win.page::functions", {"<Control>4"}},
    {"win.page::timeline", {"<Control>5"}},
    {"win.show-help-overlay", {"F1", "<Control>question"}},
    {"app.quit", {"<Control>q"}},
};

static PvWindow *
get_window (GApplication *application)
{
    GtkWindow *window = gtk_application_get_active_window (GTK_APPLICATION (application));

    if (window != NULL && PV_IS_WINDOW (window))
        return PV_WINDOW (window);
    return pv_window_new (ADW_APPLICATION (application));
}

static void
pv_application_activate (GApplication *application)
{
    PvWindow *window = get_window (application);

    pv_window_show_start (window);
    gtk_window_present (GTK_WINDOW (window));
}

static void
pv_application_open (GApplication *application, GFile **files, int n_files, const char *hint)
{
    PvWindow *window = get_window (application);

    g_autoptr (GListStore) list = g_list_store_new (G_TYPE_FILE);

    for (int i = 0; i < n_files; i++)
        g_list_store_append (list, files[i]);
    pv_open_file_list (window, G_LIST_MODEL (list));
    gtk_window_present (GTK_WINDOW (window));
}

/* The options of a command line, absolute paths: it may have been given in another folder than the
 * one that the running instance is in. */
static char **
get_paths (GApplicationCommandLine *line, const char *option)
{
    GVariantDict *options = g_application_command_line_get_options_dict (line);
    g_autofree const char **values = NULL;
    GPtrArray *paths = g_ptr_array_new ();

    g_variant_dict_lookup (options, option, "^a&ay", &values);
    for (unsigned i = 0; values != NULL && values[i] != NULL; i++) {
        g_autoptr (GFile) file = g_application_command_line_create_file_for_arg (line, values[i]);
        char *path = g_file_get_path (file);
        if (path != NULL)
            g_ptr_array_add (paths, path);
    }
    g_ptr_array_add (paths, NULL);
    return (char **)g_ptr_array_free (paths, FALSE);
}

/* Files of one command line belong together where they are dumps of one process. What is neither a
 * local file nor a URL says so in a tab of its own. */
static void
open_arguments (PvWindow *window, GApplicationCommandLine *line, const char *const *arguments,
                PvOpenAs as, const PvSymbolOptions *symbols)
{
    g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);

    for (unsigned i = 0; arguments[i] != NULL; i++) {
        g_autoptr (GFile) file =
            g_application_command_line_create_file_for_arg (line, arguments[i]);
        char *path = g_file_get_path (file);
        /* "host:80" may be a file where the command was given. */
        gboolean is_here = path != NULL && !pv_fetch_is_url (arguments[i]) &&
                           g_file_test (path, G_FILE_TEST_EXISTS);
        g_autofree char *url = is_here ? NULL : pv_open_find_url (arguments[i]);
        if (url != NULL) {
            pv_window_fetch (window, url, 0, symbols);
            g_free (path);
        } else if (path != NULL)
            g_ptr_array_add (paths, path);
        else
            pv_window_open (window, file, symbols);
    }
    g_ptr_array_add (paths, NULL);
    pv_open_files (window, (const char *const *)paths->pdata, as, symbols);
}

/* In the process that was started: what is to be recorded goes to the one that has the window. */
static int
pv_application_handle_local_options (GApplication *application, GVariantDict *options)
{
    PvApplication *self = PV_APPLICATION (application);

    if (self->plan != NULL) {
        pv_plan_resolve_paths (self->plan);
        g_variant_dict_insert_value (options, "record-plan", pv_plan_to_variant (self->plan));
    }
    return -1;
}

static void
record (PvWindow *window, GApplicationCommandLine *line, const PvSymbolOptions *symbols)
{
    g_autoptr (GVariant) message = g_variant_dict_lookup_value (
        g_application_command_line_get_options_dict (line), "record-plan", NULL);
    g_autoptr (PvRecordPlan) plan = message != NULL ? pv_plan_from_variant (message) : NULL;

    if (plan == NULL)
        return;
    pv_plan_add_environment (plan, g_application_command_line_get_environ (line));
    pv_window_record (window, plan, symbols);
}

static int
pv_application_command_line (GApplication *application, GApplicationCommandLine *line)
{
    GVariantDict *options = g_application_command_line_get_options_dict (line);
    g_auto (GStrv) sysroots = get_paths (line, "sysroot");
    g_auto (GStrv) search_paths = get_paths (line, "symbol-path");
    g_autofree const char **path_maps = NULL;
    g_autofree const char **files = NULL;
    PvSymbolOptions symbols = {.sysroot = sysroots[0],
                               .search_paths = (const char *const *)search_paths};
    PvWindow *window = get_window (application);
    gboolean no_demangle = FALSE, is_merged = FALSE, is_series = FALSE;

    g_variant_dict_lookup (options, "map-path", "^a&s", &path_maps);
    g_variant_dict_lookup (options, "no-demangle", "b", &no_demangle);
    g_variant_dict_lookup (options, "merge", "b", &is_merged);
    g_variant_dict_lookup (options, "series", "b", &is_series);
    g_variant_dict_lookup (options, G_OPTION_REMAINING, "^a&ay", &files);
    symbols.path_maps = path_maps;
    symbols.no_demangle = no_demangle;
    if (symbols.sysroot != NULL || search_paths[0] != NULL || path_maps != NULL || no_demangle)
        pv_window_set_symbols (window, &symbols);
    if (files != NULL)
        open_arguments (window, line, files,
                        is_merged   ? PV_OPEN_MERGED
                        : is_series ? PV_OPEN_SERIES
                                    : PV_OPEN_EACH,
                        &symbols);
    record (window, line, &symbols);
    pv_window_show_start (window);
    gtk_window_present (GTK_WINDOW (window));
    return 0;
}

static void
show_about (GSimpleAction *action, GVariant *parameter, gpointer user)
{
    adw_show_about_window (gtk_application_get_active_window (user), "application-name", "profview",
                           "application-icon", "org.profview.Profview", "version", PV_VERSION,
                           "developer-name", _ ("The profview developers"), "license-type",
                           GTK_LICENSE_GPL_3_0, "comments",
                           _ ("Profiles of programs as pictures and tables"), NULL);
}

static gboolean
has_window (GtkApplication *application)
{
    GList *windows = gtk_application_get_windows (application);

    while (windows != NULL && !PV_IS_WINDOW (windows->data))
        windows = windows->next;
    return windows != NULL;
}

static void
quit (GSimpleAction *action, GVariant *parameter, gpointer user)
{
    g_autoptr (GPtrArray) windows = g_ptr_array_new_with_free_func (g_object_unref);

    for (GList *each = gtk_application_get_windows (user); each != NULL; each = each->next)
        g_ptr_array_add (windows, g_object_ref (each->data));
    /* One that records asks first. */
    for (unsigned i = 0; i < windows->len; i++)
        if (PV_IS_WINDOW (windows->pdata[i]))
            gtk_window_close (windows->pdata[i]);
    if (has_window (user))
        return;
    /* Dialogs are nothing without it. */
    for (unsigned i = 0; i < windows->len; i++)
        gtk_window_destroy (windows->pdata[i]);
}

/* Nobody is asked: what is being recorded is completed and kept. */
static gboolean
on_signal (gpointer user)
{
    GList *windows;

    while ((windows = gtk_application_get_windows (user)) != NULL)
        gtk_window_destroy (windows->data);
    return G_SOURCE_CONTINUE;
}

static void
pv_application_startup (GApplication *application)
{
    static const GActionEntry entries[] = {
        {"about", show_about},
        {"quit", quit},
    };
    g_autoptr (GAction) color_scheme =
        g_settings_create_action (pv_settings_get (), "color-scheme");

    G_APPLICATION_CLASS (pv_application_parent_class)->startup (application);
    g_unix_signal_add (SIGTERM, on_signal, application);
    g_unix_signal_add (SIGINT, on_signal, application);
    g_unix_signal_add (SIGHUP, on_signal, application);
    gtk_window_set_default_icon_name ("org.profview.Profview");
    g_action_map_add_action_entries (G_ACTION_MAP (application), entries, G_N_ELEMENTS (entries),
                                     application);
    g_action_map_add_action (G_ACTION_MAP (application), color_scheme);
    g_settings_bind (pv_settings_get (), "color-scheme", adw_style_manager_get_default (),
                     "color-scheme", G_SETTINGS_BIND_GET);
    for (unsigned i = 0; i < G_N_ELEMENTS (shortcuts); i++)
        gtk_application_set_accels_for_action (GTK_APPLICATION (application), shortcuts[i].action,
                                               shortcuts[i].accels);
}

static void
pv_application_finalize (GObject *object)
{
    g_clear_pointer (&PV_APPLICATION (object)->plan, pv_record_plan_free);
    G_OBJECT_CLASS (pv_application_parent_class)->finalize (object);
}

static void
pv_application_class_init (PvApplicationClass *class)
{
    GApplicationClass *application_class = G_APPLICATION_CLASS (class);

    G_OBJECT_CLASS (class)->finalize = pv_application_finalize;
    application_class->handle_local_options = pv_application_handle_local_options;
    application_class->activate = pv_application_activate;
    application_class->open = pv_application_open;
    application_class->command_line = pv_application_command_line;
    application_class->startup = pv_application_startup;
}

static void
pv_application_init (PvApplication *self)
{
    static const GOptionEntry options[] = {
        {"sysroot", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, NULL,
         N_ ("Look for programs and libraries below DIR"), N_ ("DIR")},
        {"symbol-path", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, NULL,
         N_ ("Look for symbols in DIR too, a folder or an archive of perf"), N_ ("DIR")},
        {"map-path", 0, 0, G_OPTION_ARG_STRING_ARRAY, NULL,
         N_ ("Look for files of the folder FROM in the folder TO"), N_ ("FROM=TO")},
        {"no-demangle", 0, 0, G_OPTION_ARG_NONE, NULL, N_ ("Show names as the linker knows them"),
         NULL},
        {"merge", 0, 0, G_OPTION_ARG_NONE, NULL, N_ ("Show all files as one profile"), NULL},
        {"series", 0, 0, G_OPTION_ARG_NONE, NULL,
         N_ ("Show all files as one process at different times"), NULL},
        {G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, NULL, NULL, N_ ("FILE|URL…")},
        {NULL},
    };
    g_application_add_main_option_entries (G_APPLICATION (self), options);
}

void
pv_app_tune_allocator (void)
{
    mallopt (M_MMAP_THRESHOLD, 64 << 20);
    mallopt (M_TRIM_THRESHOLD, 64 << 20);
}

int
pv_app_main (int argc, char **argv, const PvRecordPlan *plan)
{
    g_autoptr (GApplication) application = NULL;

    pv_app_tune_allocator ();
    if (!gtk_init_check ()) {
        g_printerr ("profview: %s\n",
                    _ ("there is no display for a window; --print and --export need none, "
                       "see “profview --help”"));
        return EXIT_FAILURE;
    }
    if (!pv_settings_open ()) {
        g_printerr ("profview: %s\n",
                    _ ("the settings schema “org.profview.Profview” is missing: install profview, "
                       "or run it from its build folder"));
        return EXIT_FAILURE;
    }
    pv_app_register_resource ();
    g_set_application_name ("profview");
    application =
        g_object_new (PV_TYPE_APPLICATION, "application-id", "org.profview.Profview", "flags",
                      G_APPLICATION_HANDLES_OPEN | G_APPLICATION_HANDLES_COMMAND_LINE |
                          G_APPLICATION_SEND_ENVIRONMENT,
                      "resource-base-path", "/org/profview/Profview", NULL);
    PV_APPLICATION (application)->plan = plan != NULL ? pv_record_plan_copy (plan) : NULL;
    return g_application_run (application, argc, argv);
}
