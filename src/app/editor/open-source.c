/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/editor/open-source.h"

#include <glib/gi18n.h>
#include <unistd.h>

#include "app/code/source-maps.h"
#include "app/editor/editor-command.h"
#include "app/widgets/start-app.h"
#include "app/work/settings.h"
#include "app/work/work.h"
#include "core/base/subprocess.h"
#include "core/symbolize/files/source-files.h"

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
        pv_app_watch (window, name, pid, say);
    else
        pv_app_tell_not_started (window, name, g_strerror (code), say);
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
        pv_app_open (window, answer->app, answer->uri, say);
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
