/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/editor/open-source.h"

#include <gio/gdesktopappinfo.h>
#include <glib/gi18n.h>
#include <unistd.h>

#include "app/code/source-maps.h"
#include "app/editor/editor-command.h"
#include "app/work/settings.h"
#include "app/work/work.h"
#include "core/base/subprocess.h"
#include "core/symbolize/files/source-files.h"

/* An editor that fails within this time could not show the file. */
#define EARLY_END_US (5 * G_USEC_PER_SEC)

/* Applications start without a copy of our page tables if our descriptors, which execve () closes,
 * are left to them. */
#define LAUNCH_FLAGS                                                                               \
    (G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_LEAVE_DESCRIPTORS_OPEN)

#define TASK_KEY "open-source" /* of the window */

/* A file to find, and what opens it. */
typedef struct {
    PvProfile *profile;
    PvSymbolOptions options;
    char *file;
    char *binary;
    uint32_t line;
    char *command; /* the user's own; NULL: the system's default application opens it */
} Input;

typedef struct {
    char *uri;      /* of the file */
    char **command; /* the user's own, or NULL */
    GAppInfo *app;  /* NULL, and no command: the system knows none */
} Answer;

static void
free_input (gpointer data)
{
    Input *input = data;

    pv_free_later (input->profile, (GDestroyNotify)pv_profile_free);
    pv_symbol_options_clear (&input->options);
    g_free (input->file);
    g_free (input->binary);
    g_free (input->command);
    g_free (input);
}

static void
free_answer (gpointer data)
{
    Answer *answer = data;

    g_free (answer->uri);
    g_strfreev (answer->command);
    g_clear_object (&answer->app);
    g_free (answer);
}

/* Finding, in a worker thread */

/* Path of the file on this machine; one that came with the profile does not count. */
static char *
find_file (const Input *input, GError **error)
{
    g_autoptr (PvSourceFile) file =
        pv_source_file_find (NULL, &input->options, input->file, input->binary, NULL);
    g_autoptr (PvSourceFile) packed = file == NULL
                                          ? pv_source_file_find (input->profile, &input->options,
                                                                 input->file, input->binary, NULL)
                                          : NULL;

    if (file != NULL)
        return g_canonicalize_filename (file->path, NULL);
    g_autofree char *name = g_filename_display_name (input->file);
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
                 /* Translators: a source file */
                 packed != NULL ? _ ("%s came with the profile and is not on this computer")
                                : _ ("%s was not found; the Source page can locate it"),
                 name);
    return NULL;
}

static gpointer
find (gpointer data, PvJob *job, GError **error)
{
    const Input *input = data;
    g_autofree char *path = find_file (input, error);
    g_autoptr (GFile) file = NULL;
    Answer *answer;

    if (path == NULL)
        return NULL;
    answer = g_new0 (Answer, 1);
    file = g_file_new_for_path (path);
    answer->uri = g_file_get_uri (file);
    if (input->command == NULL)
        answer->app = g_file_query_default_handler (file, NULL, NULL);
    else if ((answer->command =
                  pv_editor_parse_command (input->command, path, input->line, error)) == NULL)
        g_clear_pointer (&answer, free_answer);
    return answer;
}

/* Starting */

static void
say (GtkWindow *window, const char *text)
{
    gtk_widget_activate_action (GTK_WIDGET (window), "win.toast", "s", text);
}

typedef struct {
    GWeakRef window;
    char *name;
    gint64 start_us;
} Started;

static void
on_ended (GPid pid, int status, gpointer user)
{
    Started *started = user;
    g_autoptr (GtkWindow) window = g_weak_ref_get (&started->window);
    g_autoptr (GError) error = NULL;
    gboolean is_good = g_spawn_check_wait_status (status, &error);

    if (!is_good && window != NULL && g_get_monotonic_time () - started->start_us < EARLY_END_US) {
        g_autofree char *text =
            /* Translators: a program, and why it ended */
            g_strdup_printf (_ ("%s did not open the file: %s"), started->name, error->message);
        say (window, text);
    }
    g_weak_ref_clear (&started->window);
    g_free (started->name);
    g_free (started);
}

static void
watch (GtkWindow *window, const char *name, GPid pid)
{
    Started *started = g_new0 (Started, 1);

    g_weak_ref_init (&started->window, window);
    started->name = g_strdup (name);
    started->start_us = g_get_monotonic_time ();
    g_child_watch_add (pid, on_ended, started);
}

/* An application that starts by D-Bus has no process of ours. */
static void
on_app_started (GDesktopAppInfo *app, GPid pid, gpointer window)
{
    watch (window, g_app_info_get_name (G_APP_INFO (app)), pid);
}

static void
say_not_started (GtkWindow *window, const char *name, const char *reason)
{
    g_autofree char *text =
        /* Translators: a program, and why it could not be started */
        g_strdup_printf (_ ("%s could not be started: %s"), name, reason);
    say (window, text);
}

static void
launch (GtkWindow *window, GAppInfo *app, char *uri)
{
    g_autoptr (GError) error = NULL;
    GdkDisplay *display = gtk_widget_get_display (GTK_WIDGET (window));
    g_autoptr (GdkAppLaunchContext) context = gdk_display_get_app_launch_context (display);
    GList uris = {.data = uri};

    if (!g_desktop_app_info_launch_uris_as_manager (G_DESKTOP_APP_INFO (app), &uris,
                                                    G_APP_LAUNCH_CONTEXT (context), LAUNCH_FLAGS,
                                                    NULL, NULL, on_app_started, window, &error))
        say_not_started (window, g_app_info_get_name (app), error->message);
}

/* It may write to our terminal. */
static void
start (GtkWindow *window, char *const *command)
{
    const PvSubprocess program = {.argv = (const char *const *)command,
                                  .fds = (int[]){-1, STDOUT_FILENO, STDERR_FILENO},
                                  .n_fds = 3};
    g_autofree char *name = g_path_get_basename (command[0]);
    pid_t pid;
    int code = pv_subprocess_start (&program, &pid);

    if (code == 0)
        watch (window, name, pid);
    else
        say_not_started (window, name, g_strerror (code));
}

static void
on_found (gpointer owner, gpointer result, const GError *error)
{
    GtkWindow *window = owner;
    Answer *answer = result;

    if (answer == NULL && error != NULL)
        say (window, error->message);
    if (answer == NULL)
        return;
    if (answer->command != NULL)
        start (window, answer->command);
    else if (answer->app != NULL)
        launch (window, answer->app, answer->uri);
    else
        gtk_widget_activate_action (GTK_WIDGET (window), "app.preferences", NULL);
    free_answer (answer);
}

void
pv_open_source (GtkWindow *window, PvDocument *document, const PvRecordedPlace *place)
{
    const PvAnswer *answer = pv_document_get (document)->answer;
    PvTask *task = g_object_get_data (G_OBJECT (window), TASK_KEY);
    GSettings *settings = pv_settings_get ();
    g_autofree char *chosen = NULL;
    Input *input;

    g_assert (GTK_IS_WINDOW (window) && place != NULL);
    if (answer->profile == NULL || place->file == NULL || *place->file == '\0') {
        say (window, _ ("The source file is not known"));
        return;
    }
    if (task == NULL) {
        task = pv_task_new (window, find, free_input, free_answer, on_found);
        g_object_set_data_full (G_OBJECT (window), TASK_KEY, task, (GDestroyNotify)pv_task_close);
    }
    input = g_new0 (Input, 1);
    input->profile = pv_profile_ref (answer->profile);
    input->options = pv_symbol_options_copy (pv_document_get_symbol_options (document));
    char **maps = pv_source_maps_list (input->options.path_maps);
    g_strfreev ((char **)input->options.path_maps);
    input->options.path_maps = (const char *const *)maps;
    input->file = g_strdup (place->file);
    input->binary = g_strdup (place->binary);
    input->line = place->line;
    pv_editor_renew_settings (settings);
    chosen = g_settings_get_string (settings, "editor");
    if (g_str_equal (chosen, PV_EDITOR_COMMAND))
        input->command = g_settings_get_string (settings, "editor-command");
    pv_task_start (task, input);
}
