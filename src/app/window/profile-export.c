/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/window/profile-export.h"

#include <glib/gi18n.h>
#include <string.h>

#include "app/recording/recent.h"
#include "app/widgets/file-dialog.h"
#include "app/widgets/message-dialog.h"
#include "app/work/query-text.h"
#include "app/work/work.h"
#include "core/base/format.h"
#include "core/load/save-pack.h"
#include "core/model/anonymous/anonymize.h"

/* Choices of the dialog, with a check box each. */
#define CHOICE_ANONYMOUS "anonymous"
#define CHOICE_SOURCES   "sources"

typedef struct {
    const PvExport *export;
    PvExportOptions options;
    PvSymbolOptions symbol_options;
    bool is_anonymous;
    char *path;
    char *name; /* of what is shown */
    PvProfile *profile;
    PvSymbolTable *symbols;
    PvQuery query;
} ExportInput;

typedef struct {
    char *path;
    char *measure;          /* of all samples; NULL: all are there */
    const char *media_type; /* of a file that we can open; or NULL */
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
    g_free (input->name);
    pv_export_options_clear (&input->options);
    pv_symbol_options_clear (&input->symbol_options);
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
    g_free (exported->measure);
    g_free (exported);
}

/* Puts pseudonyms in place of names. */
static void
anonymize (ExportInput *input)
{
    PvProfile *profile;
    PvSymbolTable *symbols;
    pv_anonymize (input->profile, input->symbols, &profile, &symbols);
    pv_profile_free (input->profile);
    pv_symbol_table_free (input->symbols);
    input->profile = profile;
    input->symbols = symbols;
}

static gpointer
run_export (gpointer data, PvJob *job, GError **error)
{
    ExportInput *input = data;
    Exported *exported;

    if (input->is_anonymous)
        anonymize (input);
    const PvExportRequest request = {.profile = input->profile,
                                     .symbols = input->symbols,
                                     .query = &input->query,
                                     .options = &input->options,
                                     .name = input->name};
    if (!pv_export_write (input->export, &request, input->path, job, error))
        return NULL;
    exported = g_new0 (Exported, 1);
    exported->path = g_strdup (input->path);
    if (input->export->content == PV_EXPORT_PACK || input->export->content == PV_EXPORT_STACKS)
        exported->media_type = pv_load_find_media_type (input->path);
    if (input->export->has_measure && pv_profile_has_weights (input->profile, input->query.measure))
        exported->measure = g_strdup (pv_measure_get_title (input->profile, input->query.measure));
    return exported;
}

/* Lists what can be opened again as a profile. */
static void
add_to_recent (const Exported *exported, const char *name)
{
    g_autoptr (PvSourceSpec) spec = NULL;

    if (exported->media_type == NULL)
        return;
    spec = pv_source_spec_new_for_path (exported->path);
    pv_recent_add (spec, name, exported->media_type);
}

static void
on_exported (gpointer owner, gpointer result, const GError *error)
{
    Export *work = owner;
    Exported *exported = result;
    g_autofree char *text = NULL;

    if (exported != NULL) {
        g_autofree char *name = g_filename_display_basename (exported->path);
        add_to_recent (exported, name);
        if (exported->measure != NULL)
            /* Translators: the name of a profile, and of the file */
            text = g_strdup_printf (_ ("“%s” was saved as “%s”"), exported->measure, name);
        else
            text = g_strdup_printf (_ ("The profile was saved as “%s”"), name);
    } else {
        text = g_strdup_printf (_ ("The profile was not saved: %s"),
                                error != NULL ? error->message : "");
    }
    if (work->widget != NULL && exported != NULL)
        gtk_widget_activate_action (work->widget, "win.tell-saved", "(s^ay)", text, exported->path);
    else if (work->widget != NULL)
        gtk_widget_activate_action (work->widget, "win.toast", "s", text);
    g_clear_pointer (&exported, exported_free);
    g_clear_weak_pointer (&work->widget);
    pv_task_close (work->task);
    g_free (work);
    g_application_release (g_application_get_default ());
}

static char *
get_file_name (const PvDocumentData *data)
{
    g_autofree char *name = g_file_get_basename (data->file);
    return g_filename_display_name (name);
}

static void
start_export (GtkWidget *widget, PvDocument *document, const PvExport *export, const char *path,
              bool is_anonymous, bool with_sources)
{
    const PvDocumentData *data = pv_document_get (document);
    const PvAnswer *answer = data->answer;
    ExportInput *input;
    Export *work;

    if (answer->tree == NULL)
        return;
    input = g_new0 (ExportInput, 1);
    input->export = export;
    pv_export_options_init (&input->options);
    input->symbol_options = pv_symbol_options_copy (pv_document_get_symbol_options (document));
    input->options.symbols = input->symbol_options;
    input->options.with_sources = with_sources && !is_anonymous;
    input->is_anonymous = is_anonymous;
    input->path = g_strdup (path);
    input->name = is_anonymous ? g_strdup (PV_ANONYMOUS_NAME) : get_file_name (data);
    /* Exports the tree, which has the filtered samples and the names as shown. */
    input->profile = pv_profile_ref (answer->tree->profile);
    input->symbols = pv_symbol_table_ref (answer->tree->symbols);
    pv_query_copy (&input->query, answer->query);
    g_application_hold (g_application_get_default ());
    work = g_new0 (Export, 1);
    g_set_weak_pointer (&work->widget, widget);
    work->task = pv_task_new (work, run_export, export_input_free, exported_free, on_exported);
    pv_task_start (work->task, input);
}

/* Source code */

/* A pack that waits until the user has seen which source files would be in it. */
typedef struct {
    GtkWidget *widget; /* weak */
    PvDocument *document;
    const PvExport *export;
    char *path;
    PvTask *task;
} Listing;

typedef struct {
    PvProfile *profile;
    PvSymbolTable *symbols;
    PvSymbolOptions options;
} ListInput;

static void
list_input_free (gpointer data)
{
    ListInput *input = data;
    pv_profile_free (input->profile);
    pv_symbol_table_free (input->symbols);
    pv_symbol_options_clear (&input->options);
    g_free (input);
}

static gpointer
run_list (gpointer data, PvJob *job, GError **error)
{
    ListInput *input = data;
    return pv_pack_find_sources (input->profile, input->symbols, &input->options, job, error);
}

static void
listing_free (Listing *listing)
{
    g_clear_weak_pointer (&listing->widget);
    pv_task_close (listing->task);
    g_object_unref (listing->document);
    g_free (listing->path);
    g_free (listing);
}

static void
on_response (AdwMessageDialog *dialog, const char *response, Listing *listing)
{
    (void)dialog;
    if (listing->widget != NULL && !g_str_equal (response, "cancel"))
        start_export (listing->widget, listing->document, listing->export, listing->path, false,
                      g_str_equal (response, "with"));
}

static void
on_question_gone (gpointer data, GClosure *closure)
{
    (void)closure;
    listing_free (data);
}

/* "/home/ann/src/a.c\n/home/ann/src/b.c\nand 3 more" */
static char *
list_paths (const GPtrArray *paths)
{
    enum { MAX_SHOWN = 20 };
    GString *text = g_string_new (NULL);
    for (guint i = 0; i < MIN (paths->len, MAX_SHOWN); i++) {
        g_autofree char *shown = pv_format_path (paths->pdata[i]);
        g_string_append_printf (text, "%s%s", i > 0 ? "\n" : "", shown);
    }
    if (paths->len > MAX_SHOWN) {
        guint n = paths->len - MAX_SHOWN;
        g_string_append_c (text, '\n');
        g_string_append_printf (text, g_dngettext (NULL, "and %u more", "and %u more", n), n);
    }
    return g_string_free (text, FALSE);
}

static void
on_listed (gpointer owner, gpointer result, const GError *error)
{
    Listing *listing = owner;
    g_autoptr (GPtrArray) paths = result;
    GtkRoot *root = listing->widget != NULL ? gtk_widget_get_root (listing->widget) : NULL;

    if (root == NULL || paths == NULL) {
        listing_free (listing);
        return;
    }
    if (paths->len == 0) {
        start_export (listing->widget, listing->document, listing->export, listing->path, false,
                      false);
        listing_free (listing);
        return;
    }
    g_autofree char *list = list_paths (paths);
    g_autofree char *title =
        g_strdup_printf (g_dngettext (NULL, "Save the Source Code of %u File Too?",
                                      "Save the Source Code of %u Files Too?", paths->len),
                         paths->len);
    AdwMessageDialog *dialog = pv_message_dialog_new (GTK_WINDOW (root), title, list);
    adw_message_dialog_add_responses (dialog, "cancel", C_ ("button", "_Cancel"), "without",
                                      _ ("Save With_out"), "with", _ ("_Save With Source"), NULL);
    adw_message_dialog_set_response_appearance (dialog, "with", ADW_RESPONSE_SUGGESTED);
    adw_message_dialog_set_default_response (dialog, "with");
    adw_message_dialog_set_close_response (dialog, "cancel");
    g_signal_connect_data (dialog, "response", G_CALLBACK (on_response), listing, on_question_gone,
                           0);
    gtk_window_present (GTK_WINDOW (dialog));
}

static void
list_sources (GtkWidget *widget, PvDocument *document, const PvExport *export, const char *path)
{
    const PvAnswer *answer = pv_document_get (document)->answer;
    ListInput *input;
    Listing *listing;

    if (answer->tree == NULL)
        return;
    input = g_new0 (ListInput, 1);
    input->profile = pv_profile_ref (answer->tree->profile);
    input->symbols = pv_symbol_table_ref (answer->tree->symbols);
    input->options = pv_symbol_options_copy (pv_document_get_symbol_options (document));
    listing = g_new0 (Listing, 1);
    g_set_weak_pointer (&listing->widget, widget);
    listing->document = g_object_ref (document);
    listing->export = export;
    listing->path = g_strdup (path);
    listing->task = pv_task_new (listing, run_list, list_input_free,
                                 (GDestroyNotify)g_ptr_array_unref, on_listed);
    pv_task_start (listing->task, input);
}

/* The dialog */

static bool
is_chosen (GtkFileChooser *dialog, const char *choice)
{
    const char *chosen = gtk_file_chooser_get_choice (dialog, choice);
    return g_strcmp0 (chosen, "true") == 0;
}

static void
on_chosen (gpointer widget, GtkFileChooser *dialog, GFile *file)
{
    PvDocument *document = g_object_get_data (G_OBJECT (dialog), "data");
    const PvExport *export = g_object_get_data (G_OBJECT (dialog), "export");
    g_autofree char *path = g_file_get_path (file);
    bool is_anonymous = is_chosen (dialog, CHOICE_ANONYMOUS);

    if (path == NULL)
        return;
    if (export->content == PV_EXPORT_PACK && !is_anonymous && is_chosen (dialog, CHOICE_SOURCES))
        list_sources (widget, document, export, path);
    else
        start_export (widget, document, export, path, is_anonymous, false);
}

/* "perf.data" becomes "perf.data.pb.gz"; "heap.pb.gz" must not be overwritten. */
static char *
make_name (const PvDocumentData *data, const char *suffix)
{
    g_autofree char *shown = get_file_name (data);

    if (g_str_has_suffix (shown, suffix)) {
        shown[strlen (shown) - strlen (suffix)] = '\0';
        return g_strconcat (shown, "-", C_ ("file name", "view"), suffix, NULL);
    }
    return g_strconcat (shown, suffix, NULL);
}

void
pv_profile_export (GtkWidget *widget, PvDocument *document, const PvExport *export)
{
    g_assert (GTK_IS_WIDGET (widget) && PV_IS_DOCUMENT (document));
    const char *suffix = export->endings[0];
    GtkFileChooser *dialog = pv_file_dialog_new (
        widget, _ (export->title), GTK_FILE_CHOOSER_ACTION_SAVE, C_ ("button", "_Save"));
    g_autofree char *name = make_name (pv_document_get (document), suffix);

    pv_file_dialog_add_kind (dialog, _ (export->filter), suffix + 1);
    pv_file_dialog_propose (dialog, name);
    gtk_file_chooser_add_choice (dialog, CHOICE_ANONYMOUS, _ ("Pseudonyms in place of all names"),
                                 NULL, NULL);
    if (export->content == PV_EXPORT_PACK)
        gtk_file_chooser_add_choice (dialog, CHOICE_SOURCES,
                                     _ ("With source code found here, unless names are pseudonyms"),
                                     NULL, NULL);
    g_object_set_data (G_OBJECT (dialog), "export", (gpointer) export);
    pv_file_dialog_show (dialog, on_chosen, g_object_ref (document), g_object_unref);
}
