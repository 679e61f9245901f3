/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/widgets/file-dialog.h"

#include <string.h>

/* Belongs to the dialog. */
typedef struct {
    GObject *owner; /* the dialog goes with it */
    PvFileChosen chosen;
    const char *suffix; /* of the kind that is chosen; the filter's. NULL: there are no kinds */
} Question;

/* The folder that the user saved in last. */
static GFile *last_saved;

static void
on_owner_gone (gpointer dialog, GObject *owner)
{
    gtk_native_dialog_destroy (dialog);
    g_object_unref (dialog);
}

static void
on_response (GtkNativeDialog *dialog, int response, Question *question)
{
    g_autoptr (GFile) file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog));

    g_object_weak_unref (question->owner, on_owner_gone, dialog);
    if (response == GTK_RESPONSE_ACCEPT && file != NULL &&
        gtk_file_chooser_get_action (GTK_FILE_CHOOSER (dialog)) == GTK_FILE_CHOOSER_ACTION_SAVE) {
        g_clear_object (&last_saved);
        last_saved = g_file_get_parent (file);
    }
    if (response == GTK_RESPONSE_ACCEPT && file != NULL)
        question->chosen (question->owner, GTK_FILE_CHOOSER (dialog), file);
    g_object_unref (dialog);
}

/* The name goes with the kind, unless the user gave it another ending. */
static void
on_kind (GtkFileChooser *dialog, GParamSpec *spec, Question *question)
{
    GtkFileFilter *filter = gtk_file_chooser_get_filter (dialog);
    const char *suffix = filter != NULL ? g_object_get_data (G_OBJECT (filter), "suffix") : NULL;
    g_autofree char *name = gtk_file_chooser_get_current_name (dialog);

    if (suffix == NULL || g_strcmp0 (suffix, question->suffix) == 0)
        return;
    if (name != NULL && question->suffix != NULL && g_str_has_suffix (name, question->suffix)) {
        size_t length = strlen (name) - strlen (question->suffix);
        g_autofree char *renamed = g_strdup_printf ("%.*s%s", (int)length, name, suffix);
        gtk_file_chooser_set_current_name (dialog, renamed);
    }
    question->suffix = suffix;
}

GtkFileChooser *
pv_file_dialog_new (gpointer owner, const char *title, GtkFileChooserAction action,
                    const char *accept)
{
    g_assert (GTK_IS_WIDGET (owner));
    GtkFileChooserNative *dialog = gtk_file_chooser_native_new (
        title, GTK_WINDOW (gtk_widget_get_root (owner)), action, accept, NULL);
    Question *question = g_new (Question, 1);

    *question = (Question){.owner = owner};
    g_object_set_data_full (G_OBJECT (dialog), "question", question, g_free);
    gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (dialog), TRUE);
    if (action == GTK_FILE_CHOOSER_ACTION_SAVE && last_saved != NULL)
        gtk_file_chooser_set_current_folder (GTK_FILE_CHOOSER (dialog), last_saved, NULL);
    return GTK_FILE_CHOOSER (dialog);
}

void
pv_file_dialog_add_kind (GtkFileChooser *dialog, const char *name, const char *suffix)
{
    g_autoptr (GtkFileFilter) filter = gtk_file_filter_new ();
    Question *question = g_object_get_data (G_OBJECT (dialog), "question");
    char *copy = g_strconcat (".", suffix, NULL);

    g_object_set_data_full (G_OBJECT (filter), "suffix", copy, g_free);
    if (question->suffix == NULL)
        question->suffix = copy;
    gtk_file_filter_set_name (filter, name);
    gtk_file_filter_add_suffix (filter, suffix);
    gtk_file_chooser_add_filter (dialog, filter);
}

void
pv_file_dialog_propose (GtkFileChooser *dialog, const char *name)
{
    /* Some systems do not take these in names: files are passed on. */
    g_autofree char *proposed = g_strdelimit (g_strdup (name), "/\\:*?\"<>|", '-');

    gtk_file_chooser_set_current_name (dialog, proposed);
}

/* The dialog that GTK shows where there is no portal; NULL: there is one. */
static GtkFileChooser *
find_own_dialog (GtkWindow *parent)
{
    GListModel *windows = gtk_window_get_toplevels ();

    for (guint i = 0; i < g_list_model_get_n_items (windows); i++) {
        g_autoptr (GtkWindow) window = g_list_model_get_item (windows, i);
        if (GTK_IS_FILE_CHOOSER_DIALOG (window) && gtk_widget_get_visible (GTK_WIDGET (window)) &&
            gtk_window_get_transient_for (window) == parent)
            return GTK_FILE_CHOOSER (window);
    }
    return NULL;
}

void
pv_file_dialog_show (GtkFileChooser *dialog, PvFileChosen chosen, gpointer data,
                     GDestroyNotify free_data)
{
    Question *question = g_object_get_data (G_OBJECT (dialog), "question");
    GtkFileChooser *own;

    g_assert (question != NULL && question->chosen == NULL && chosen != NULL);
    question->chosen = chosen;
    g_object_set_data_full (G_OBJECT (dialog), "data", data, free_data);
    g_object_weak_ref (question->owner, on_owner_gone, dialog);
    g_signal_connect (dialog, "response", G_CALLBACK (on_response), question);
    gtk_native_dialog_show (GTK_NATIVE_DIALOG (dialog));
    /* Nothing tells which kind is chosen in the dialog of a portal, and the native dialog does not
     * tell which one is in GTK's own. */
    own = find_own_dialog (gtk_native_dialog_get_transient_for (GTK_NATIVE_DIALOG (dialog)));
    if (own != NULL && question->suffix != NULL)
        g_signal_connect (own, "notify::filter", G_CALLBACK (on_kind), question);
}
