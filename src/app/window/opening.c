/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/window/opening.h"

#include <glib/gi18n.h>
#include <string.h>

#include "app/document/comparing.h"
#include "app/widgets/message-dialog.h"
#include "app/window/left-out-files.h"
#include "app/window/window-private.h"
#include "app/work/work.h"
#include "fetch/fetch-url.h"

/* Grouping may take a while; the user is told after this time. */
#define REPORT_AFTER_MS 700

/* The most tabs that are opened without a question. */
#define MANY_TABS 20

/* The main loop's time for tabs that are added one after the other. */
#define FILL_US 8000

typedef struct {
    PvWindow *window; /* weak */
    PvTask *task;     /* groups files; NULL: nothing is to be grouped */
    PvSymbolOptions symbols;
    gboolean has_symbols;
    char **words;   /* or NULL */
    char **paths;   /* as given; once they are grouped, with the content of folders */
    gboolean asks;  /* before many tabs are opened */
    gboolean waits; /* as in PvOpenOptions */
    guint report_source;
    AdwToast *report; /* or NULL */
    GPtrArray *specs; /* PvSourceSpec, each for a tab; NULL: files are still to be grouped */
    PvLeftOutFiles *left_out;
    guint next_spec; /* that gets a tab */
    guint fill_source;
} Opening;

static void
end_report (Opening *opening)
{
    g_clear_handle_id (&opening->report_source, g_source_remove);
    if (opening->report != NULL)
        adw_toast_dismiss (opening->report);
    g_clear_object (&opening->report);
}

static void
opening_free (Opening *opening)
{
    end_report (opening);
    g_clear_handle_id (&opening->fill_source, g_source_remove);
    g_clear_weak_pointer (&opening->window);
    g_clear_pointer (&opening->task, pv_task_close);
    pv_symbol_options_clear (&opening->symbols);
    g_strfreev (opening->words);
    g_strfreev (opening->paths);
    g_clear_pointer (&opening->specs, g_ptr_array_unref);
    pv_left_out_files_free (opening->left_out);
    g_free (opening);
}

/* The files to open, those in folders too, and what belongs together. */
typedef struct {
    char **paths;
    GPtrArray *specs;         /* PvSourceSpec */
    PvLeftOutFiles *left_out; /* NULL: nothing */
} Grouped;

static void
grouped_free (gpointer data)
{
    Grouped *grouped = data;

    g_strfreev (grouped->paths);
    g_clear_pointer (&grouped->specs, g_ptr_array_unref);
    pv_left_out_files_free (grouped->left_out);
    g_free (grouped);
}

/* A folder without profiles gets a tab that says so. */
static void
add_path (GPtrArray *all, const char *path, PvLeftOutFiles *left_out, PvJob *job)
{
    g_autoptr (PvFolderContent) content = pv_folder_content_find (path, job);

    if (content != NULL)
        pv_left_out_files_add (left_out, content);
    if (content == NULL || content->paths[0] == NULL)
        g_ptr_array_add (all, g_strdup (path));
    else
        for (unsigned i = 0; content->paths[i] != NULL; i++)
            g_ptr_array_add (all, g_strdup (content->paths[i]));
}

static PvSourceSpec *
make_spec (const PvFileGroup *group, const char *folder)
{
    return group->is_series ? pv_source_spec_new_together ((const char *const *)group->paths,
                                                           PV_TOGETHER_SERIES, folder)
                            : pv_source_spec_new_for_path (group->paths[0]);
}

/* folder: the only path that was opened, or NULL. */
static GPtrArray *
make_specs (const char *const *paths, const char *folder, PvJob *job)
{
    g_autoptr (GPtrArray) groups = pv_load_group_files (paths, job);
    GPtrArray *specs = g_ptr_array_new_with_free_func ((GDestroyNotify)pv_source_spec_free);

    for (unsigned i = 0; i < groups->len; i++)
        g_ptr_array_add (specs, make_spec (groups->pdata[i], groups->len == 1 ? folder : NULL));
    return specs;
}

/* Runs in a worker, as it reads the files. */
static gpointer
group_files (gpointer input, PvJob *job, GError **error)
{
    char **paths = input;
    GPtrArray *all = g_ptr_array_new ();
    Grouped *grouped = g_new0 (Grouped, 1);
    gboolean is_one = paths[0] != NULL && paths[1] == NULL;

    grouped->left_out = pv_left_out_files_new ();
    for (char **path = paths; *path != NULL; path++)
        add_path (all, *path, grouped->left_out, job);
    g_ptr_array_add (all, NULL);
    grouped->paths = (char **)g_ptr_array_free (all, FALSE);
    grouped->specs =
        make_specs ((const char *const *)grouped->paths, is_one ? paths[0] : NULL, job);
    return grouped;
}

GPtrArray *
pv_open_list_folder (const char *folder, PvJob *job)
{
    Grouped *grouped;
    GPtrArray *specs;

    g_assert (folder != NULL);
    grouped = group_files ((char *[]){(char *)folder, NULL}, job, NULL);
    specs = g_steal_pointer (&grouped->specs);
    grouped_free (grouped);
    return specs;
}

static PvOpenOptions
get_options (const Opening *opening)
{
    return (PvOpenOptions){.symbols = opening->has_symbols ? &opening->symbols : NULL,
                           .words = (const char *const *)opening->words,
                           .waits = opening->waits ||
                                    (opening->specs != NULL && opening->specs->len > MANY_TABS)};
}

static void
open_next (Opening *opening)
{
    PvOpenOptions options = get_options (opening);

    pv_window_open_spec (opening->window, opening->specs->pdata[opening->next_spec++], &options);
}

/* Many tabs */

static gboolean
fill (gpointer user)
{
    Opening *opening = user;
    gint64 end_us = g_get_monotonic_time () + FILL_US;
    PvWindow *window = opening->window;

    while (window != NULL && window->tab_view != NULL && opening->next_spec < opening->specs->len &&
           g_get_monotonic_time () < end_us)
        open_next (opening);
    if (window != NULL && window->tab_view != NULL && opening->next_spec < opening->specs->len)
        return G_SOURCE_CONTINUE;
    opening->fill_source = 0;
    if (window != NULL && window->tab_view != NULL) {
        window->is_filling = FALSE;
        pv_window_update_titles (window);
        pv_left_out_files_tell (opening->left_out, window);
    }
    opening_free (opening);
    return G_SOURCE_REMOVE;
}

/* The window stays alive meanwhile. */
static void
start_filling (Opening *opening)
{
    opening->window->is_filling = TRUE;
    opening->fill_source = g_idle_add (fill, opening);
}

static void
on_many_response (AdwMessageDialog *dialog, const char *response, Opening *opening)
{
    PvWindow *window = opening->window;
    PvOpenOptions options = get_options (opening);
    const char *const *paths = (const char *const *)opening->paths;

    options.waits = FALSE;
    if (window == NULL || window->tab_view == NULL)
        return;
    if (g_str_equal (response, "tabs"))
        start_filling (opening);
    else if (g_str_equal (response, "runs"))
        pv_open_runs (window, paths, options.words, NULL, &options);
    else if (g_str_equal (response, "merge"))
        pv_open_files (window, paths, PV_OPEN_MERGED, &options);
}

static void
on_many_gone (gpointer user, GClosure *closure)
{
    Opening *opening = user;

    (void)closure;
    if (opening->fill_source == 0)
        opening_free (opening);
}

static void
ask_about_many (Opening *opening)
{
    guint n = opening->specs->len;
    g_autofree char *title =
        g_strdup_printf (g_dngettext (NULL, "Open %u Tab?", "Open %u Tabs?", n), n);
    AdwMessageDialog *dialog = pv_message_dialog_new (
        GTK_WINDOW (opening->window), title,
        _ ("Each file can have a tab of its own. Profiles of the same program "
           "can be compared as runs in order, to see which functions changed, and when. Or they "
           "can be added up to one profile."));

    adw_message_dialog_add_responses (dialog, "cancel", C_ ("button", "_Cancel"), "tabs",
                                      _ ("Open _Tabs"), "merge", C_ ("button", "_Merge"), "runs",
                                      _ ("Compare as _Runs"), NULL);
    adw_message_dialog_set_close_response (dialog, "cancel");
    g_signal_connect_data (dialog, "response", G_CALLBACK (on_many_response), opening, on_many_gone,
                           0);
    gtk_window_present (GTK_WINDOW (dialog));
}

static void
open_all (Opening *opening)
{
    if (opening->specs->len > MANY_TABS) {
        start_filling (opening);
        return;
    }
    while (opening->next_spec < opening->specs->len)
        open_next (opening);
    pv_left_out_files_tell (opening->left_out, opening->window);
    opening_free (opening);
}

static void
on_grouped (gpointer owner, gpointer result, const GError *error)
{
    Opening *opening = owner;
    Grouped *grouped = result;

    if (grouped == NULL || opening->window == NULL) {
        g_clear_pointer (&grouped, grouped_free);
        opening_free (opening);
        return;
    }
    opening->specs = g_steal_pointer (&grouped->specs);
    opening->left_out = g_steal_pointer (&grouped->left_out);
    g_strfreev (opening->paths);
    opening->paths = g_steal_pointer (&grouped->paths);
    grouped_free (grouped);
    end_report (opening);
    if (opening->specs->len > MANY_TABS && opening->asks)
        ask_about_many (opening);
    else
        open_all (opening);
}

static gboolean
report (gpointer user)
{
    Opening *opening = user;

    opening->report_source = 0;
    if (opening->window != NULL)
        opening->report = g_object_ref (
            pv_window_show_toast (opening->window, _ ("Checking which files belong together…")));
    return G_SOURCE_REMOVE;
}

static Opening *
opening_new (PvWindow *window, const PvOpenOptions *options)
{
    Opening *opening = g_new0 (Opening, 1);

    g_set_weak_pointer (&opening->window, window);
    opening->waits = options != NULL && options->waits;
    if (options != NULL && options->symbols != NULL) {
        opening->has_symbols = TRUE;
        opening->symbols = pv_symbol_options_copy (options->symbols);
    }
    if (options != NULL)
        opening->words = g_strdupv ((char **)options->words);
    return opening;
}

static void
start_grouping (PvWindow *window, const char *const *paths, gboolean asks,
                const PvOpenOptions *options)
{
    Opening *opening = opening_new (window, options);

    opening->asks = asks;
    opening->paths = g_strdupv ((char **)paths);
    opening->report_source = g_timeout_add (REPORT_AFTER_MS, report, opening);
    opening->task =
        pv_task_new (opening, group_files, (GDestroyNotify)g_strfreev, grouped_free, on_grouped);
    pv_task_start (opening->task, g_strdupv ((char **)paths));
}

void
pv_open_files (PvWindow *window, const char *const *paths, PvOpenAs as,
               const PvOpenOptions *options)
{
    g_autoptr (PvSourceSpec) spec = NULL;

    g_assert (PV_IS_WINDOW (window) && paths != NULL);
    if (paths[0] == NULL)
        return;
    if (as == PV_OPEN_SERIES || as == PV_OPEN_MERGED)
        spec = pv_source_spec_new_together (
            paths, as == PV_OPEN_SERIES ? PV_TOGETHER_SERIES : PV_TOGETHER_MERGED, NULL);
    else if (paths[1] == NULL && !g_file_test (paths[0], G_FILE_TEST_IS_DIR))
        spec = pv_source_spec_new_for_path (paths[0]);
    if (spec != NULL)
        pv_window_open_spec (window, spec, options);
    else
        start_grouping (window, paths, as == PV_OPEN_EACH, options);
}

void
pv_open_specs (PvWindow *window, GPtrArray *specs, const PvOpenOptions *options)
{
    Opening *opening;

    g_assert (PV_IS_WINDOW (window) && specs != NULL);
    opening = opening_new (window, options);
    opening->specs = g_ptr_array_ref (specs);
    open_all (opening);
}

void
pv_open_file_list (PvWindow *window, GListModel *files)
{
    g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);

    g_assert (PV_IS_WINDOW (window) && G_IS_LIST_MODEL (files));
    for (unsigned i = 0; i < g_list_model_get_n_items (files); i++) {
        g_autoptr (GFile) file = g_list_model_get_item (files, i);
        g_autofree char *path = g_file_get_path (file);
        g_autofree char *uri = g_file_get_uri (file);
        g_autofree char *url = path == NULL ? pv_open_find_url (uri) : NULL;
        if (path != NULL)
            g_ptr_array_add (paths, g_steal_pointer (&path));
        else if (url != NULL)
            pv_window_fetch (window, url, 0, NULL);
        else
            pv_window_open (window, file, NULL);
    }
    g_ptr_array_add (paths, NULL);
    pv_open_files (window, (const char *const *)paths->pdata, PV_OPEN_EACH, NULL);
}

/* Comparing what is fetched first */

/* A comparison of which some sides are still being fetched. It lives no longer than any of their
 * documents, which live as long as their tabs. */
typedef struct {
    PvWindow *window;   /* weak */
    GPtrArray *fetched; /* PvDocument (weak), for each run; NULL: its files are there */
    PvSourceSpec *comparison;
    PvSymbolOptions symbols;
    gboolean has_symbols;
    char **words; /* or NULL */
    PvComparisonView view;
    gboolean is_one_profile; /* the profile that the first run fetches is both sides */
} Awaiting;

static gboolean
is_to_be_fetched (const PvComparedRun *run)
{
    return run->profile == NULL && run->spec->url != NULL && run->spec->paths[0] == NULL;
}

static void on_fetched_gone (gpointer user, GObject *document);

static void
awaiting_free (Awaiting *awaiting)
{
    for (unsigned i = 0; i < awaiting->fetched->len; i++) {
        PvDocument *document = awaiting->fetched->pdata[i];
        if (document == NULL)
            continue;
        g_signal_handlers_disconnect_by_data (document, awaiting);
        g_object_weak_unref (G_OBJECT (document), on_fetched_gone, awaiting);
    }
    g_ptr_array_unref (awaiting->fetched);
    g_clear_weak_pointer (&awaiting->window);
    pv_source_spec_free (awaiting->comparison);
    pv_symbol_options_clear (&awaiting->symbols);
    g_strfreev (awaiting->words);
    pv_comparison_view_clear (&awaiting->view);
    g_free (awaiting);
}

/* The user has closed its tab, or the window: that ends the wait. */
static void
on_fetched_gone (gpointer user, GObject *document)
{
    Awaiting *awaiting = user;

    for (unsigned i = 0; i < awaiting->fetched->len; i++)
        if (awaiting->fetched->pdata[i] == document)
            awaiting->fetched->pdata[i] = NULL;
    awaiting_free (awaiting);
}

/* The part that the run's words ask for. */
static void
add_part (PvSourceSpec *comparison, const PvComparedRun *run, PvDocument *document)
{
    const PvDocumentData *data = pv_document_get (document);
    PvComparedRun *added;

    pv_source_spec_add_files (comparison, run->side, data->spec, (const char *const *)run->words);
    added = comparison->runs->pdata[comparison->runs->len - 1];
    g_free (added->name);
    added->name = g_strdup (data->title);
}

/* Adds the profile of a document; if that still records, the comparison will follow it. */
static void
add_fetched (PvSourceSpec *comparison, const PvComparedRun *run, PvDocument *document,
             PvOpenOptions *options)
{
    pv_document_add_to_comparison (document, comparison, run->side, NULL, 0, 0);
    if (!pv_document_get (document)->is_recording)
        return;
    ((PvComparedRun *)comparison->runs->pdata[comparison->runs->len - 1])->is_live = TRUE;
    options->recording = document;
    options->comparison = NULL;
}

/* Compares the fetched profiles as they are shown; words are asked of them when they are read
 * again. */
static void
compare_fetched (Awaiting *awaiting)
{
    g_autoptr (PvSourceSpec) comparison =
        pv_source_spec_new_comparison ((const char *const *)awaiting->comparison->renames);
    PvOpenOptions options = {.symbols = awaiting->has_symbols ? &awaiting->symbols : NULL,
                             .words = (const char *const *)awaiting->words,
                             .comparison = &awaiting->view};

    comparison->is_joined = awaiting->comparison->is_joined;
    for (unsigned i = 0; i < awaiting->comparison->runs->len; i++) {
        const PvComparedRun *run = awaiting->comparison->runs->pdata[i];
        PvDocument *document = awaiting->fetched->pdata[i];
        if (awaiting->is_one_profile)
            add_part (comparison, run, awaiting->fetched->pdata[0]);
        else if (document != NULL)
            add_fetched (comparison, run, document, &options);
        else if (run->profile != NULL)
            pv_source_spec_add_profile (comparison, run->side, run->spec, run->name, run->profile,
                                        run->symbols, &run->query);
        else
            pv_source_spec_add_files (comparison, run->side, run->spec,
                                      (const char *const *)run->words);
    }
    pv_window_compare (awaiting->window, comparison, &options);
}

/* It failed, or only its first part could be read. */
static gboolean
is_given_up (PvDocument *document)
{
    const PvDocumentData *data = pv_document_get (document);
    return data->state == PV_DOCUMENT_FAILED ||
           (data->is_preview && data->loading == PV_LOADING_NONE);
}

static void
on_fetched_changed (PvDocument *document, guint what, Awaiting *awaiting)
{
    for (unsigned i = 0; i < awaiting->fetched->len; i++) {
        PvDocument *each = awaiting->fetched->pdata[i];
        if (each == NULL)
            continue;
        if (awaiting->window == NULL || is_given_up (each)) {
            awaiting_free (awaiting);
            return;
        }
        if (!pv_document_can_compare (each))
            return;
    }
    compare_fetched (awaiting);
    awaiting_free (awaiting);
}

static void
await (PvWindow *window, const PvSourceSpec *comparison, const PvOpenOptions *options)
{
    Awaiting *awaiting = g_new0 (Awaiting, 1);
    PvDocument *document = NULL;

    g_set_weak_pointer (&awaiting->window, window);
    awaiting->comparison = pv_source_spec_copy (comparison);
    awaiting->fetched = g_ptr_array_new ();
    if (options != NULL && options->symbols != NULL) {
        awaiting->has_symbols = TRUE;
        awaiting->symbols = pv_symbol_options_copy (options->symbols);
    }
    if (options != NULL)
        awaiting->words = g_strdupv ((char **)options->words);
    awaiting->is_one_profile = options != NULL && options->is_one_profile;
    if (options != NULL && options->comparison != NULL)
        pv_comparison_view_copy (&awaiting->view, options->comparison);
    for (unsigned i = 0; i < comparison->runs->len; i++) {
        const PvComparedRun *run = comparison->runs->pdata[i];
        gboolean is_fetched = is_to_be_fetched (run) && (i == 0 || !awaiting->is_one_profile);
        PvOpenOptions open = {.symbols = options != NULL ? options->symbols : NULL,
                              .words = awaiting->is_one_profile ? NULL
                                                                : (const char *const *)run->words};
        document = is_fetched ? pv_window_fetch_anew (window, run->spec->url, &open) : NULL;
        g_ptr_array_add (awaiting->fetched, document);
    }
    for (unsigned i = 0; i < awaiting->fetched->len; i++) {
        if (awaiting->fetched->pdata[i] == NULL)
            continue;
        document = awaiting->fetched->pdata[i];
        g_object_weak_ref (G_OBJECT (document), on_fetched_gone, awaiting);
        g_signal_connect (document, "changed", G_CALLBACK (on_fetched_changed), awaiting);
    }
    on_fetched_changed (document, PV_CHANGED_STATE, awaiting);
}

/* Recording again */

void
pv_record_and_compare (PvWindow *window, PvDocument *recorded)
{
    Awaiting *awaiting = g_new0 (Awaiting, 1);
    g_autoptr (PvRecordPlan) plan = NULL;
    PvDocument *document;

    g_assert (PV_IS_WINDOW (window) && pv_document_can_record_again (recorded));
    plan = pv_record_plan_copy (pv_document_get (recorded)->plan);
    g_clear_pointer (&plan->output, g_free); /* the base stays */
    g_set_weak_pointer (&awaiting->window, window);
    awaiting->comparison = pv_source_spec_new_comparison (NULL);
    pv_document_add_to_comparison (recorded, awaiting->comparison, PV_SIDE_BASE, NULL, 0, 0);
    document = pv_window_record_now (window, plan, NULL);
    pv_source_spec_add_files (awaiting->comparison, PV_SIDE_NEW, pv_document_get (document)->spec,
                              NULL);
    awaiting->fetched = g_ptr_array_new ();
    g_ptr_array_add (awaiting->fetched, NULL);
    g_ptr_array_add (awaiting->fetched, document);
    g_object_weak_ref (G_OBJECT (document), on_fetched_gone, awaiting);
    g_signal_connect (document, "changed", G_CALLBACK (on_fetched_changed), awaiting);
    on_fetched_changed (document, PV_CHANGED_STATE, awaiting);
}

void
pv_open_comparison (PvWindow *window, const PvSourceSpec *comparison, const PvOpenOptions *options)
{
    g_assert (PV_IS_WINDOW (window) && comparison != NULL);
    for (unsigned i = 0; i < comparison->runs->len; i++)
        if (is_to_be_fetched (comparison->runs->pdata[i])) {
            await (window, comparison, options);
            return;
        }
    pv_window_compare (window, comparison, options);
}

void
pv_open_runs (PvWindow *window, const char *const *paths, const char *const *words,
              const char *const *side_words, const PvOpenOptions *options)
{
    const PvComparisonView *view = options != NULL ? options->comparison : NULL;
    PvRunList *list = pv_run_list_new (paths, words, side_words);
    g_autoptr (PvSourceSpec) spec = pv_source_spec_new_for_runs (list);

    g_assert (PV_IS_WINDOW (window));
    if (view != NULL) {
        list->scale = view->scale;
        list->scale_function = g_strdup (view->function);
    }
    pv_window_compare (window, spec, options);
}

char *
pv_open_find_url (const char *text)
{
    g_autofree char *copy = g_strstrip (g_strdup (text));

    g_assert (text != NULL);
    copy[strcspn (copy, "\r\n")] = '\0';
    bool is_url = pv_fetch_is_url (copy) ||
                  (pv_fetch_is_address (copy) && !g_file_test (copy, G_FILE_TEST_EXISTS));
    return is_url ? pv_fetch_make_url (copy, NULL, 0, NULL) : NULL;
}
