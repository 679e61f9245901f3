/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/window/profile-export.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <string.h>

#include "app/work/work.h"
#include "core/load/save-pprof.h"

#define SUFFIX ".pb.gz"

typedef struct {
    char *path;
    PvProfile *profile;
    PvSymbolTable *symbols;
    PvQuery query;
} ExportInput;

typedef struct {
    char *path;
    uint64_t n_samples;
} Exported;

/* Lives until the worker is done, even if the tab or window is closed. */
typedef struct {
    GtkWidget *widget; /* weak */
    PvTask *task;
} Export;

static void
export_input_free (gpointer data)
{
    ExportInput *input = data;
    g_free (input->path);
    pv_profile_free (input->profile);
    pv_symbol_table_free (input->symbols);
    pv_query_clear (&input->query);
    g_free (input);
}

static void
exported_free (gpointer data)
{
    Exported *exported = data;
    g_free (exported->path);
    g_free (exported);
}

/* Writes a complete file or leaves the old one. */
static gpointer
run_export (gpointer data, PvJob *job, GError **error)
{
    ExportInput *input = data;
    g_autofree char *part = g_strconcat (input->path, ".part", NULL);
    Exported *exported;
    uint64_t n_samples = 0;

    if (!pv_save_pprof (input->profile, input->symbols, &input->query, part, &n_samples, job,
                        error)) {
        g_unlink (part);
        return NULL;
    }
    if (g_rename (part, input->path) != 0) {
        int code = errno;
        g_unlink (part);
        g_set_error_literal (error, G_FILE_ERROR, g_file_error_from_errno (code),
                             g_strerror (code));
        return NULL;
    }
    exported = g_new0 (Exported, 1);
    exported->path = g_strdup (input->path);
    exported->n_samples = n_samples;
    return exported;
}

static void
on_exported (gpointer owner, gpointer result, const GError *error)
{
    Export *work = owner;
    Exported *exported = result;
    g_autofree char *text = NULL;

    if (exported != NULL) {
        g_autofree char *name = g_filename_display_basename (exported->path);
        text = g_strdup_printf (_ ("The profile was saved as “%s”"), name);
    } else {
        text = g_strdup_printf (_ ("The profile was not saved: %s"),
                                error != NULL ? error->message : "");
    }
    if (work->widget != NULL)
        gtk_widget_activate_action (work->widget, "win.toast", "s", text);
    g_clear_pointer (&exported, exported_free);
    g_clear_weak_pointer (&work->widget);
    pv_task_close (work->task);
    g_free (work);
    g_application_release (g_application_get_default ());
}

static void
start_export (GtkWidget *widget, PvDocument *document, const char *path)
{
    const PvDocumentData *data = pv_document_get (document);
    ExportInput *input;
    Export *work;

    if (data->tree == NULL)
        return;
    input = g_new0 (ExportInput, 1);
    input->path = g_strdup (path);
    /* Exports the tree, which has the filtered samples and the names as shown. */
    input->profile = pv_profile_ref (data->tree->profile);
    input->symbols = pv_symbol_table_ref ((PvSymbolTable *)data->tree->symbols);
    pv_query_copy (&input->query, &data->tree->query);
    g_application_hold (g_application_get_default ());
    work = g_new0 (Export, 1);
    g_set_weak_pointer (&work->widget, widget);
    work->task = pv_task_new (work, run_export, export_input_free, exported_free, on_exported);
    pv_task_start (work->task, input);
}

static void
on_response (GtkNativeDialog *dialog, int response, gpointer user)
{
    PvDocument *document = g_object_get_data (G_OBJECT (dialog), "document");
    g_autoptr (GFile) file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog));
    g_autofree char *path = file != NULL ? g_file_get_path (file) : NULL;

    if (response == GTK_RESPONSE_ACCEPT && path != NULL)
        start_export (user, document, path);
    g_object_unref (dialog);
}

/* "perf.data" becomes "perf.data.pb.gz"; "heap.pb.gz" must not be overwritten. */
static char *
make_name (const PvDocumentData *data)
{
    g_autofree char *name = g_file_get_basename (data->file);
    g_autofree char *shown = g_filename_display_name (name);

    if (g_str_has_suffix (shown, SUFFIX)) {
        shown[strlen (shown) - strlen (SUFFIX)] = '\0';
        return g_strconcat (shown, "-", _ ("view"), SUFFIX, NULL);
    }
    return g_strconcat (shown, SUFFIX, NULL);
}

void
pv_profile_export (GtkWidget *widget, PvDocument *document)
{
    GtkFileChooserNative *dialog = gtk_file_chooser_native_new (
        _ ("Export as pprof Profile"), GTK_WINDOW (gtk_widget_get_root (widget)),
        GTK_FILE_CHOOSER_ACTION_SAVE, _ ("_Export"), NULL);
    g_autoptr (GtkFileFilter) filter = gtk_file_filter_new ();
    g_autofree char *name = make_name (pv_document_get (document));

    g_assert (GTK_IS_WIDGET (widget) && PV_IS_DOCUMENT (document));
    gtk_file_filter_set_name (filter, _ ("Profile for pprof (.pb.gz)"));
    gtk_file_filter_add_suffix (filter, "pb.gz");
    gtk_file_chooser_add_filter (GTK_FILE_CHOOSER (dialog), filter);
    gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (dialog), name);
    gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (dialog), TRUE);
    g_object_set_data_full (G_OBJECT (dialog), "document", g_object_ref (document), g_object_unref);
    g_signal_connect_object (dialog, "response", G_CALLBACK (on_response), widget, 0);
    gtk_native_dialog_show (GTK_NATIVE_DIALOG (dialog));
}
