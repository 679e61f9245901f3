/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/editor/open-source.h"

#include <glib/gi18n.h>
#include <unistd.h>

#include "app/code/source-maps.h"
#include "app/editor/editor-dialog.h"
#include "app/editor/editors.h"
#include "app/work/settings.h"
#include "app/work/work.h"
#include "core/base/subprocess.h"
#include "core/symbolize/files/source-files.h"
#include "record/process/tool.h"

/* An editor that fails within this time could not show the file. */
#define EARLY_END_US (5 * G_USEC_PER_SEC)

enum { MAX_VERSION_BYTES = 4096, MAX_VERSION_MS = 2000 };

#define TASK_KEY "open-source" /* of the window */

/* A file to find, and the editor to show it. */
typedef struct {
    PvProfile *profile;
    PvSymbolOptions options;
    char *file;
    char *binary;
    uint32_t line;
    char *editor; /* from the settings */
    char *command;
} Input;

typedef struct {
    char **command; /* NULL: no editor is known */
} Answer;

static void
free_input (gpointer data)
{
    Input *input = data;

    pv_free_later (input->profile, (GDestroyNotify)pv_profile_free);
    pv_symbol_options_clear (&input->options);
    g_free (input->file);
    g_free (input->binary);
    g_free (input->editor);
    g_free (input->command);
    g_free (input);
}

static void
free_answer (gpointer data)
{
    Answer *answer = data;

    g_strfreev (answer->command);
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

static const PvEditor *
choose_editor (GPtrArray *editors, const char *id)
{
    for (guint i = 0; i < editors->len; i++) {
        const PvEditor *editor = editors->pdata[i];
        if (g_str_equal (editor->id, id))
            return editor;
    }
    return editors->len > 0 && *id == '\0' ? editors->pdata[0] : NULL;
}

/* True if the editor takes a line. Older GNOME Text Editors take it for another file. */
static gboolean
takes_line (const PvEditor *editor, PvJob *job)
{
    g_autoptr (GPtrArray) command = g_ptr_array_new ();

    if (!g_str_equal (editor->id, "gnome-text-editor"))
        return pv_editor_takes_line (editor);
    for (guint i = 0; editor->program[i] != NULL; i++)
        g_ptr_array_add (command, editor->program[i]);
    g_ptr_array_add (command, (gpointer) "--version");
    g_ptr_array_add (command, NULL);
    const PvSubprocessRun run = {.argv = (const char *const *)command->pdata,
                                 .max_output = MAX_VERSION_BYTES,
                                 .max_ms = MAX_VERSION_MS};
    GString *printed = pv_subprocess_run (&run, job, NULL, NULL);
    const gboolean has_line = printed != NULL && pv_editor_version_takes_line (printed->str);
    if (printed != NULL)
        g_string_free (printed, TRUE);
    return has_line;
}

static gpointer
find (gpointer data, PvJob *job, GError **error)
{
    const Input *input = data;
    g_autofree char *path = find_file (input, error);
    g_autoptr (GPtrArray) editors = NULL;
    const PvSourcePlace place = {path, input->line, 0};
    const PvEditor *editor;
    Answer *answer;

    if (path == NULL)
        return NULL;
    answer = g_new0 (Answer, 1);
    if (g_str_equal (input->editor, PV_EDITOR_COMMAND)) {
        answer->command = pv_editor_parse_command (input->command, &place, error);
        if (answer->command == NULL)
            g_clear_pointer (&answer, free_answer);
        return answer;
    }
    editors = pv_editors_find ();
    editor = choose_editor (editors, input->editor);
    if (editor != NULL)
        answer->command = pv_editor_make_command (editor, &place, takes_line (editor, job));
    return answer;
}

/* Starting */

static void
say (GtkWindow *window, const char *text)
{
    gtk_widget_activate_action (GTK_WIDGET (window), "win.toast", "s", text);
}

typedef struct {
    PvTool *editor;
    GWeakRef window;
    char *name;
    gint64 start_us;
} Started;

static void
free_started (Started *started)
{
    pv_tool_free (started->editor);
    g_weak_ref_clear (&started->window);
    g_free (started->name);
    g_free (started);
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
on_ended (const PvToolEnd *end, void *user)
{
    Started *started = user;
    g_autoptr (GtkWindow) window = g_weak_ref_get (&started->window);
    g_autoptr (GError) error = NULL;
    gboolean is_early = g_get_monotonic_time () - started->start_us < EARLY_END_US;

    if (window != NULL && end->start_errno != 0)
        say_not_started (window, started->name, g_strerror (end->start_errno));
    else if (window != NULL && is_early && !g_spawn_check_wait_status (end->wait_status, &error)) {
        g_autofree char *text =
            /* Translators: a program, and why it ended */
            g_strdup_printf (_ ("%s did not open the file: %s"), started->name, error->message);
        say (window, text);
    }
    free_started (started);
}

/* The editor may write to our terminal, and runs on when we end. */
static void
start (GtkWindow *window, char *const *command)
{
    g_autoptr (GError) error = NULL;
    const PvSubprocess program = {.argv = (const char *const *)command,
                                  .fds = (int[]){-1, STDOUT_FILENO, STDERR_FILENO},
                                  .n_fds = 3};
    Started *started = g_new0 (Started, 1);

    g_weak_ref_init (&started->window, window);
    started->name = g_path_get_basename (command[0]);
    started->start_us = g_get_monotonic_time ();
    started->editor = pv_tool_start (&program, 0, on_ended, started, &error);
    if (started->editor == NULL) {
        say_not_started (window, command[0], error->message);
        free_started (started);
    }
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
    else
        pv_editor_dialog_show (window);
    free_answer (answer);
}

void
pv_open_source (GtkWindow *window, PvDocument *document, const PvRecordedPlace *place)
{
    const PvDocumentData *data = pv_document_get (document);
    PvTask *task = g_object_get_data (G_OBJECT (window), TASK_KEY);
    Input *input;

    g_assert (GTK_IS_WINDOW (window) && place != NULL);
    if (data->profile == NULL || place->file == NULL || *place->file == '\0') {
        say (window, _ ("The source file is not known"));
        return;
    }
    if (task == NULL) {
        task = pv_task_new (window, find, free_input, free_answer, on_found);
        g_object_set_data_full (G_OBJECT (window), TASK_KEY, task, (GDestroyNotify)pv_task_close);
    }
    input = g_new0 (Input, 1);
    input->profile = pv_profile_ref (data->profile);
    input->options = pv_symbol_options_copy (pv_document_get_symbol_options (document));
    char **maps = pv_source_maps_list (input->options.path_maps);
    g_strfreev ((char **)input->options.path_maps);
    input->options.path_maps = (const char *const *)maps;
    input->file = g_strdup (place->file);
    input->binary = g_strdup (place->binary);
    input->line = place->line;
    input->editor = g_settings_get_string (pv_settings_get (), "editor");
    input->command = g_settings_get_string (pv_settings_get (), "editor-command");
    pv_task_start (task, input);
}
