/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Actions that open, record, fetch and compare, and files or links dropped on a window. */
#include <glib/gi18n.h>

#include "app/comparing/compare-dialog.h"
#include "app/comparing/compare-question.h"
#include "app/document/comparing.h"
#include "app/launch/fetch-dialog.h"
#include "app/launch/launching.h"
#include "app/launch/plan-variant.h"
#include "app/launch/record-dialog.h"
#include "app/recording/recent.h"
#include "app/widgets/actions.h"
#include "app/widgets/file-dialog.h"
#include "app/widgets/setup.h"
#include "app/window/opening.h"
#include "app/window/window-private.h"
#include "core/analyze/query/query-words.h"
#include "fetch/fetch-url.h"
#include "record/perf/perf-arguments.h"

/* Opening */

static void
on_files_chosen (gpointer window, GtkFileChooser *dialog, GFile *first)
{
    g_autoptr (GListModel) files = gtk_file_chooser_get_files (dialog);

    pv_open_file_list (window, files);
}

/* The folder of the profile that is shown, or that was opened last; else the working folder. A
 * fetched profile is not in a folder of the user, and asking about a server's would connect to it.
 */
static GFile *
find_last_folder (PvWindow *self)
{
    PvDocument *document = pv_window_get_document (self);
    GList *recent = pv_recent_list (1);
    g_autoptr (GFile) file = NULL;
    GFile *folder;

    if (document != NULL && pv_document_get (document)->spec->url == NULL)
        file = g_object_ref (pv_document_get (document)->file);
    else if (recent != NULL)
        file = g_file_new_for_uri (gtk_recent_info_get_uri (recent->data));
    g_list_free_full (recent, (GDestroyNotify)gtk_recent_info_unref);
    folder = file != NULL ? g_file_get_parent (file) : NULL;
    return folder != NULL ? folder : g_file_new_for_path (".");
}

static void
ask_for_files (PvWindow *self, const char *title, GtkFileChooserAction action)
{
    GtkFileChooser *dialog = pv_file_dialog_new (self, title, action, C_ ("button", "_Open"));
    g_autoptr (GFile) folder = find_last_folder (self);

    /* Profiles are recognized by content, so there is no filter by name. */
    gtk_file_chooser_set_select_multiple (dialog, TRUE);
    if (folder != NULL)
        gtk_file_chooser_set_current_folder (dialog, folder, NULL);
    pv_file_dialog_show (dialog, on_files_chosen, NULL, NULL);
}

static void
open_dialog (PvWindow *self)
{
    ask_for_files (self, _ ("Open Profiles"), GTK_FILE_CHOOSER_ACTION_OPEN);
}

static void
open_folder (PvWindow *self)
{
    ask_for_files (self, _ ("Open a Folder of Profiles"), GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER);
}

static void
show_record_dialog (PvWindow *self)
{
    pv_record_dialog_show (GTK_WINDOW (self), NULL);
}

/* Asks what to record if nothing was recorded yet. */
static void
on_launches (gpointer owner, gpointer result, const GError *error)
{
    g_autoptr (GPtrArray) plans = result;

    if (plans != NULL && plans->len > 0)
        pv_window_record (owner, plans->pdata[0], NULL);
    else
        pv_record_dialog_show (GTK_WINDOW (owner), NULL);
}

static void
record_again (PvWindow *self)
{
    pv_task_start (self->launches_task, NULL);
}

static void
record_and_compare (PvWindow *self)
{
    PvDocument *document = pv_window_get_document (self);

    if (document != NULL && pv_document_can_record_again (document))
        pv_record_and_compare (self, document);
}

/* Asks about what was recorded in this tab again, with the next but one size of perf's buffers. */
static void
record_with_larger_buffer (PvWindow *self)
{
    PvDocument *document = pv_window_get_document (self);
    g_autoptr (PvRecordPlan) plan = NULL;

    if (document == NULL || pv_document_get (document)->plan == NULL)
        return;
    plan = pv_record_plan_copy (pv_document_get (document)->plan);
    plan->buffer_mib = MIN (pv_perf_get_buffer_mib (plan) * 4, PV_RECORD_MAX_BUFFER_MIB);
    pv_record_dialog_show (GTK_WINDOW (self), plan);
}

/* Asks about the same recording with copied stacks, or about a new one if the tab's file was not
 * recorded here. */
static void
record_with_dwarf (PvWindow *self)
{
    PvDocument *document = pv_window_get_document (self);
    const PvRecordPlan *before = document != NULL ? pv_document_get (document)->plan : NULL;
    g_autoptr (PvRecordPlan) plan = NULL;

    plan = before != NULL ? pv_record_plan_copy (before) : pv_record_plan_new ();
    plan->call_graph = PV_CALL_GRAPH_DWARF;
    pv_record_dialog_show (GTK_WINDOW (self), plan);
}

static gboolean
fetch_text (PvWindow *self, const char *text)
{
    g_autofree char *url = pv_open_find_url (text);

    if (url != NULL)
        pv_window_fetch (self, url, 0, NULL);
    return url != NULL;
}

/* Comparing */

static void
on_compare_chosen (GtkWindow *window, const PvSourceSpec *comparison)
{
    pv_open_comparison (PV_WINDOW (window), comparison, NULL);
}

static void
show_compare_dialog (PvWindow *self, PvDocument *document, gboolean joins)
{
    g_autoptr (GPtrArray) others = g_ptr_array_new ();

    if (document == NULL || !pv_document_can_compare (document))
        return;
    for (int i = 0; i < adw_tab_view_get_n_pages (self->tab_view); i++)
        g_ptr_array_add (others, pv_window_get_nth_document (self, i));
    pv_compare_dialog_show (GTK_WINDOW (self), document, others, joins, on_compare_chosen);
}

static void
compare (PvWindow *self)
{
    show_compare_dialog (self, pv_window_get_document (self), FALSE);
}

static void
join (PvWindow *self)
{
    show_compare_dialog (self, pv_window_get_document (self), TRUE);
}

static PvDocument *
get_menu_document (PvWindow *self)
{
    return self->menu_page != NULL ? pv_document_view_get_document (PV_DOCUMENT_VIEW (
                                         adw_tab_page_get_child (self->menu_page)))
                                   : NULL;
}

static void
compare_tab (PvWindow *self)
{
    show_compare_dialog (self, get_menu_document (self), FALSE);
}

static void
join_tab (PvWindow *self)
{
    show_compare_dialog (self, get_menu_document (self), TRUE);
}

static void
compare_ranges (PvWindow *self, GVariant *parameter)
{
    PvDocument *document = pv_window_get_document (self);
    g_autoptr (PvSourceSpec) comparison = NULL;
    guint64 times[4];

    g_variant_get (parameter, "(tttt)", &times[0], &times[1], &times[2], &times[3]);
    if (document == NULL || !pv_document_can_compare (document) || times[0] > times[1] ||
        times[2] > times[3])
        return;
    comparison = pv_document_compare_ranges (document, times[0], times[1], times[2], times[3]);
    pv_open_comparison (self, comparison, NULL);
}

static void
choose_several (gpointer window, const char *title, const char *accept, PvFileChosen chosen)
{
    GtkFileChooser *dialog =
        pv_file_dialog_new (window, title, GTK_FILE_CHOOSER_ACTION_OPEN, accept);

    gtk_file_chooser_set_select_multiple (dialog, TRUE);
    pv_file_dialog_show (dialog, chosen, NULL, NULL);
}

static void
on_compare_answer (GtkWindow *window, const char *const *paths, gboolean compares)
{
    g_autoptr (PvSourceSpec) comparison =
        compares ? pv_compare_make_spec_for_files (paths[0], paths[1]) : NULL;

    if (comparison != NULL)
        pv_open_comparison (PV_WINDOW (window), comparison, NULL);
    else
        pv_open_files (PV_WINDOW (window), paths, PV_OPEN_EACH, NULL);
}

static void
on_two_files (gpointer window, GtkFileChooser *dialog, GFile *first)
{
    g_autoptr (GListModel) files = gtk_file_chooser_get_files (dialog);
    g_autoptr (GFile) second = g_list_model_get_item (files, 1);
    const char *path = g_file_peek_path (first);
    const char *other_path = second != NULL ? g_file_peek_path (second) : NULL;

    if (path != NULL && other_path != NULL && g_list_model_get_n_items (files) == 2)
        on_compare_answer (window, (const char *const[]){path, other_path, NULL}, TRUE);
    else
        gtk_widget_activate_action (window, "win.toast", "s",
                                    _ ("Choose two files on this computer to compare"));
}

static void
compare_files (PvWindow *self)
{
    choose_several (self, _ ("Choose Two Profiles to Compare"), C_ ("button", "_Compare"),
                    on_two_files);
}

static void
on_runs_answer (GtkWindow *window, const char *const *paths, gboolean are_runs)
{
    if (are_runs)
        pv_open_runs (PV_WINDOW (window), paths, NULL, NULL, NULL);
    else
        pv_open_files (PV_WINDOW (window), paths, PV_OPEN_TABS, NULL);
}

/* Three and more files of this computer, or a folder that is no recording. */
static gboolean
ask_about_runs (PvWindow *self, GListModel *files)
{
    g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);
    guint n = g_list_model_get_n_items (files);

    for (guint i = 0; i < n; i++) {
        g_autoptr (GFile) file = g_list_model_get_item (files, i);
        char *path = g_file_get_path (file);
        if (path == NULL)
            return FALSE;
        g_ptr_array_add (paths, path);
    }
    if (n < 3 && !(n == 1 && pv_compare_is_folder_of_runs (paths->pdata[0])))
        return FALSE;
    g_ptr_array_add (paths, NULL);
    pv_ask_about_runs (GTK_WINDOW (self), (const char *const *)paths->pdata, on_runs_answer);
    return TRUE;
}

static void
on_runs_chosen (gpointer window, GtkFileChooser *dialog, GFile *first)
{
    g_autoptr (GListModel) files = gtk_file_chooser_get_files (dialog);
    g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);

    for (guint i = 0; i < g_list_model_get_n_items (files); i++) {
        g_autoptr (GFile) file = g_list_model_get_item (files, i);
        char *path = g_file_get_path (file);
        if (path != NULL)
            g_ptr_array_add (paths, path);
    }
    g_ptr_array_add (paths, NULL);
    if (paths->len > 2)
        on_runs_answer (window, (const char *const *)paths->pdata, TRUE);
    else
        gtk_widget_activate_action (window, "win.toast", "s",
                                    _ ("Choose several files on this computer"));
}

static void
show_runs_of_files (PvWindow *self)
{
    choose_several (self, _ ("Choose the Profiles of Several Runs"), _ ("_Compare as Runs"),
                    on_runs_chosen);
}

/* Compares two runs of the document by its present query. */
static void
compare_runs (PvWindow *self, GVariant *parameter)
{
    PvDocument *document = pv_window_get_document (self);
    const PvDocumentData *data = document != NULL ? pv_document_get (document) : NULL;
    const PvRunList *list = data != NULL ? data->spec->run_list : NULL;
    g_autoptr (PvSourceSpec) comparison = NULL;
    g_auto (GStrv) words = NULL;
    PvOpenOptions options = {0};
    guint base, newer;

    g_variant_get (parameter, "(uu)", &base, &newer);
    if (list == NULL || list->read == NULL || data->state != PV_DOCUMENT_READY ||
        base >= list->read->runs->n_runs || newer >= list->read->runs->n_runs)
        return;
    comparison = pv_document_compare_runs (document, base, newer);
    words = pv_query_list_transforms (&data->query);
    options.words = (const char *const *)words;
    options.comparison = &data->comparison;
    pv_open_comparison (self, comparison, &options);
}

/* Two files of this computer, but no folders. */
static gboolean
ask_about_two (PvWindow *self, GListModel *files)
{
    g_autoptr (GFile) file = g_list_model_get_item (files, 0);
    g_autoptr (GFile) other = g_list_model_get_item (files, 1);
    const char *path = file != NULL ? g_file_peek_path (file) : NULL;
    const char *other_path = other != NULL ? g_file_peek_path (other) : NULL;

    if (g_list_model_get_n_items (files) != 2 || path == NULL || other_path == NULL ||
        g_file_test (path, G_FILE_TEST_IS_DIR) || g_file_test (other_path, G_FILE_TEST_IS_DIR))
        return FALSE;
    pv_ask_to_compare (GTK_WINDOW (self), path, other_path, on_compare_answer);
    return TRUE;
}

/* Dropping */

/* Drops files, or the text of a link. */
static gboolean
on_drop (PvWindow *self, const GValue *value, double x, double y)
{
    g_autoptr (GListStore) list = NULL;

    if (G_VALUE_HOLDS_STRING (value))
        return fetch_text (self, g_value_get_string (value));
    list = g_list_store_new (G_TYPE_FILE);
    for (GSList *file = g_value_get_boxed (value); file != NULL; file = file->next)
        g_list_store_append (list, file->data);
    if (!ask_about_two (self, G_LIST_MODEL (list)) && !ask_about_runs (self, G_LIST_MODEL (list)))
        pv_open_file_list (self, G_LIST_MODEL (list));
    return g_list_model_get_n_items (G_LIST_MODEL (list)) > 0;
}

static void
on_pasted (GObject *clipboard, GAsyncResult *result, gpointer user)
{
    g_autoptr (PvWindow) self = user;
    g_autofree char *text =
        gdk_clipboard_read_text_finish (GDK_CLIPBOARD (clipboard), result, NULL);

    if (text == NULL || self->tab_view == NULL)
        return;
    if (!fetch_text (self, text))
        gtk_widget_activate_action (GTK_WIDGET (self), "win.toast", "s",
                                    _ ("The clipboard does not contain the address of a profile"));
}

/* Entries with the focus handle their keys before this. */
static void
paste (PvWindow *self)
{
    gdk_clipboard_read_text_async (gtk_widget_get_clipboard (GTK_WIDGET (self)), NULL, on_pasted,
                                   g_object_ref (self));
}

static void
open_files (PvWindow *self, GVariant *parameter)
{
    g_autofree const char **paths = g_variant_get_bytestring_array (parameter, NULL);

    pv_open_files (self, paths, PV_OPEN_EACH, NULL);
}

static void
record (PvWindow *self, GVariant *parameter)
{
    g_autoptr (PvRecordPlan) plan = pv_plan_from_variant (parameter);

    if (plan != NULL)
        pv_window_record (self, plan, NULL);
}

static void
fetch (PvWindow *self, GVariant *parameter)
{
    const char *url;
    guint32 interval_seconds;

    g_variant_get (parameter, "(&su)", &url, &interval_seconds);
    if (pv_fetch_is_url (url))
        pv_window_fetch (self, url, interval_seconds, NULL);
}

static void
open_recent (PvWindow *self, GVariant *parameter)
{
    const char *uri = g_variant_get_string (parameter, NULL);
    g_autoptr (GtkRecentInfo) info =
        gtk_recent_manager_lookup_item (gtk_recent_manager_get_default (), uri, NULL);
    g_autoptr (GFile) file = g_file_new_for_uri (uri);
    g_autofree char *path = g_file_get_path (file);
    PvTogether how = PV_TOGETHER_SERIES;
    g_auto (GStrv) together = info != NULL ? pv_recent_get_files (info, &how) : NULL;
    const char *const paths[] = {path, NULL};

    if (together != NULL)
        pv_open_files (self, (const char *const *)together,
                       how == PV_TOGETHER_SERIES ? PV_OPEN_SERIES : PV_OPEN_MERGED, NULL);
    else
        pv_open_files (self, paths, PV_OPEN_EACH, NULL);
}

/* Opens a readable copy and closes the tab of the unreadable file. */
static void
open_instead (PvWindow *self, GVariant *parameter)
{
    const char *old_path, *path;
    g_autoptr (PvSourceSpec) old_spec = NULL;
    g_autoptr (GFile) file = NULL;
    int old_tab;

    g_variant_get (parameter, "(^&ay^&ay)", &old_path, &path);
    old_spec = pv_source_spec_new_for_path (old_path);
    file = g_file_new_for_path (path);
    pv_window_open (self, file, NULL);
    old_tab = pv_window_find_tab (self, old_spec);
    if (old_tab >= 0)
        adw_tab_view_close_page (self->tab_view,
                                 adw_tab_view_get_nth_page (self->tab_view, old_tab));
}

/* Opens the tab that was closed last again, at its old place, with its filters and its page. */
static void
reopen_tab (PvWindow *self)
{
    const int n_before = adw_tab_view_get_n_pages (self->tab_view);
    g_autoptr (PvClosedTab) tab = NULL;
    PvOpenOptions options = {0};
    int n;

    if (self->closed_tabs->len == 0)
        return;
    tab = g_ptr_array_steal_index (self->closed_tabs, self->closed_tabs->len - 1);
    options.symbols = &tab->symbols;
    options.words = (const char *const *)tab->words;
    options.comparison = &tab->comparison;
    if (tab->spec->runs != NULL)
        pv_open_comparison (self, tab->spec, &options);
    else if (tab->spec->url != NULL)
        pv_window_fetch (self, tab->spec->url, 0, &options);
    else
        pv_window_open_spec (self, tab->spec, &options);
    n = adw_tab_view_get_n_pages (self->tab_view);
    if (n > n_before) {
        AdwTabPage *page = adw_tab_view_get_selected_page (self->tab_view);
        pv_document_view_begin_with (PV_DOCUMENT_VIEW (adw_tab_page_get_child (page)), tab->shape);
        adw_tab_view_reorder_page (self->tab_view, page, MIN (tab->position, n - 1));
    }
    pv_window_update_actions (self);
}

static const PvAction actions[] = {
    {"open", G_CALLBACK (open_files), "aay"},
    {"open-dialog", G_CALLBACK (open_dialog)},
    {"open-recent", G_CALLBACK (open_recent), "s"},
    {"reopen-tab", G_CALLBACK (reopen_tab)},
    {"paste", G_CALLBACK (paste)},
    {"open-folder", G_CALLBACK (open_folder)},
    {"record", G_CALLBACK (record), "a{sv}"},
    {"record-dialog", G_CALLBACK (show_record_dialog)},
    {"record-again", G_CALLBACK (record_again)},
    {"record-and-compare", G_CALLBACK (record_and_compare)},
    {"record-with-dwarf", G_CALLBACK (record_with_dwarf)},
    {"record-with-larger-buffer", G_CALLBACK (record_with_larger_buffer)},
    {"fetch", G_CALLBACK (fetch), "(su)"},
    {"fetch-dialog", G_CALLBACK (pv_fetch_dialog_show)},
    {"open-instead", G_CALLBACK (open_instead), "(ayay)"},
    {"compare", G_CALLBACK (compare)},
    {"compare-tab", G_CALLBACK (compare_tab)},
    {"join", G_CALLBACK (join)},
    {"join-tab", G_CALLBACK (join_tab)},
    {"compare-files", G_CALLBACK (compare_files)},
    {"compare-ranges", G_CALLBACK (compare_ranges), "(tttt)"},
    {"compare-runs", G_CALLBACK (compare_runs), "(uu)"},
    {"runs-of-files", G_CALLBACK (show_runs_of_files)},
};

void
pv_opening_add_actions (PvWindow *self)
{
    GtkDropTarget *drop = gtk_drop_target_new (G_TYPE_INVALID, GDK_ACTION_COPY);
    GType dropped[] = {GDK_TYPE_FILE_LIST, G_TYPE_STRING};

    g_assert (PV_IS_WINDOW (self) && self->launches_task == NULL);
    pv_actions_add (G_ACTION_MAP (self), actions, G_N_ELEMENTS (actions), self);
    self->launches_task = pv_launches_task_new (self, on_launches);
    gtk_drop_target_set_gtypes (drop, dropped, G_N_ELEMENTS (dropped));
    pv_connect (drop, "drop", on_drop, self);
    gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drop));
    pv_window_update_actions (self);
}
