/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/comparing/compare-question.h"

#include <adwaita.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>

#include "app/widgets/message-dialog.h"

static gint64
get_change_us (const char *path)
{
    GStatBuf status;

    if (g_stat (path, &status) != 0)
        return 0;
    return (gint64)status.st_mtim.tv_sec * G_USEC_PER_SEC + status.st_mtim.tv_nsec / 1000;
}

PvSourceSpec *
pv_compare_make_spec_for_files (const char *path, const char *other)
{
    PvSourceSpec *comparison = pv_source_spec_new_comparison (NULL);
    gboolean is_older = get_change_us (path) <= get_change_us (other);
    g_autoptr (PvSourceSpec) base = pv_source_spec_new_for_path (is_older ? path : other);
    g_autoptr (PvSourceSpec) newer = pv_source_spec_new_for_path (is_older ? other : path);

    pv_source_spec_add_files (comparison, PV_SIDE_BASE, base, NULL);
    pv_source_spec_add_files (comparison, PV_SIDE_NEW, newer, NULL);
    comparison->orders_sides = TRUE;
    return comparison;
}

/* Two files */

typedef struct {
    char *paths[3]; /* NULL-terminated */
    PvCompareAnswer answer;
} Question;

static void
question_free (gpointer data, GClosure *closure)
{
    Question *question = data;
    g_free (question->paths[0]);
    g_free (question->paths[1]);
    g_free (question);
}

static void
on_response (AdwMessageDialog *dialog, const char *response, gpointer user)
{
    Question *question = user;
    GtkWindow *window = gtk_window_get_transient_for (GTK_WINDOW (dialog));

    if (window != NULL && !g_str_equal (response, "cancel"))
        question->answer (window, (const char *const *)question->paths,
                          g_str_equal (response, "compare"));
}

void
pv_ask_to_compare (GtkWindow *window, const char *path, const char *other, PvCompareAnswer answer)
{
    g_autoptr (PvSourceSpec) comparison = pv_compare_make_spec_for_files (path, other);
    g_autofree char *body = g_strdup_printf (
        /* Translators: two file names. */
        _ ("What differs between “%s” and “%s”? The one that was recorded first is the base."),
        pv_source_spec_get_run (comparison, PV_SIDE_BASE)->name,
        pv_source_spec_get_run (comparison, PV_SIDE_NEW)->name);
    AdwMessageDialog *dialog = pv_message_dialog_new (window, _ ("Compare These Two?"), body);
    Question *question = g_new0 (Question, 1);

    g_assert (GTK_IS_WINDOW (window) && answer != NULL);
    question->paths[0] = g_strdup (path);
    question->paths[1] = g_strdup (other);
    question->answer = answer;
    adw_message_dialog_add_responses (dialog, "cancel", C_ ("button", "_Cancel"), "open",
                                      _ ("_Open Both"), "compare", C_ ("button", "Co_mpare"), NULL);
    adw_message_dialog_set_response_appearance (dialog, "compare", ADW_RESPONSE_SUGGESTED);
    adw_message_dialog_set_default_response (dialog, "compare");
    adw_message_dialog_set_close_response (dialog, "cancel");
    g_signal_connect_data (dialog, "response", G_CALLBACK (on_response), question, question_free,
                           0);
    gtk_window_present (GTK_WINDOW (dialog));
}

/* More files */

typedef struct {
    char **paths;
    PvRunsAnswer answer;
} RunsQuestion;

static void
runs_question_free (gpointer data, GClosure *closure)
{
    RunsQuestion *question = data;
    g_strfreev (question->paths);
    g_free (question);
}

static void
on_runs_response (AdwMessageDialog *dialog, const char *response, gpointer user)
{
    RunsQuestion *question = user;
    GtkWindow *window = gtk_window_get_transient_for (GTK_WINDOW (dialog));

    if (window != NULL && !g_str_equal (response, "cancel"))
        question->answer (window, (const char *const *)question->paths,
                          g_str_equal (response, "runs"));
}

gboolean
pv_compare_is_folder_of_runs (const char *path)
{
    g_autofree char *data = g_build_filename (path, "data", NULL);
    return g_file_test (path, G_FILE_TEST_IS_DIR) && !g_file_test (data, G_FILE_TEST_EXISTS);
}

void
pv_ask_about_runs (GtkWindow *window, const char *const *paths, PvRunsAnswer answer)
{
    guint n = g_strv_length ((char **)paths);
    g_autofree char *name = g_filename_display_basename (paths[0]);
    g_autofree char *title =
        n == 1 ? g_strdup_printf (_ ("Open “%s”?"), name)
               : g_strdup_printf (g_dngettext (NULL, "Open %u File?", "Open %u Files?", n), n);
    AdwMessageDialog *dialog = pv_message_dialog_new (
        window, title,
        _ ("Profiles of the same program, such as of a benchmark that runs every night, can be "
           "compared as runs in order, to see which functions changed, and when."));
    RunsQuestion *question = g_new0 (RunsQuestion, 1);

    g_assert (GTK_IS_WINDOW (window) && n > 0 && answer != NULL);
    question->paths = g_strdupv ((char **)paths);
    question->answer = answer;
    adw_message_dialog_add_responses (dialog, "cancel", C_ ("button", "_Cancel"), "open",
                                      n == 1 ? C_ ("button", "_Open") : _ ("_Open All"), "runs",
                                      _ ("Compare as _Runs"), NULL);
    adw_message_dialog_set_response_appearance (dialog, "open", ADW_RESPONSE_SUGGESTED);
    adw_message_dialog_set_default_response (dialog, "open");
    adw_message_dialog_set_close_response (dialog, "cancel");
    g_signal_connect_data (dialog, "response", G_CALLBACK (on_runs_response), question,
                           runs_question_free, 0);
    gtk_window_present (GTK_WINDOW (dialog));
}
