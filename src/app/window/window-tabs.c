/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tabs, one for each document. */
#include <glib/gi18n.h>

#include "app/document/comparing.h"
#include "app/launch/launching.h"
#include "app/launch/record-dialog.h"
#include "app/launch/turns-dialog.h"
#include "app/recording/recent.h"
#include "app/source/source-comparison.h"
#include "app/source/source-file.h"
#include "app/source/source-recording.h"
#include "app/source/source-series.h"
#include "app/source/source-url.h"
#include "app/widgets/accessible.h"
#include "app/window/document-settings.h"
#include "app/window/tab-names.h"
#include "app/window/window-private.h"

/* Key of the data that marks a tab whose document is not loaded yet. */
#define WAITS "pv-waits"
/* Key of the data with a tab's title as the window has it. */
#define LONG_TITLE "pv-title"

PvDocument *
pv_window_get_nth_document (PvWindow *self, int i)
{
    AdwTabPage *page = adw_tab_view_get_nth_page (self->tab_view, i);
    return pv_document_view_get_document (PV_DOCUMENT_VIEW (adw_tab_page_get_child (page)));
}

int
pv_window_find_tab (PvWindow *self, const PvSourceSpec *spec)
{
    g_assert (PV_IS_WINDOW (self) && spec != NULL);
    for (int i = 0; i < adw_tab_view_get_n_pages (self->tab_view); i++) {
        const PvDocumentData *data = pv_document_get (pv_window_get_nth_document (self, i));
        if (pv_source_spec_equal (data->spec, spec) &&
            !pv_window_is_closing (adw_tab_view_get_nth_page (self->tab_view, i)))
            return i;
    }
    return -1;
}

void
pv_window_turn_tabs (PvWindow *self, gboolean is_forward)
{
    AdwTabView *view = self->tab_view;
    const int n = adw_tab_view_get_n_pages (view);

    g_assert (PV_IS_WINDOW (self));
    if (is_forward ? adw_tab_view_select_next_page (view)
                   : adw_tab_view_select_previous_page (view))
        return;
    if (n > 1)
        adw_tab_view_set_selected_page (view,
                                        adw_tab_view_get_nth_page (view, is_forward ? 0 : n - 1));
}

/* Titles and marks */

/* How many tabs have each title. */
static GHashTable *
count_titles (PvWindow *self)
{
    GHashTable *counts = g_hash_table_new (g_str_hash, g_str_equal);

    for (int i = 0; i < adw_tab_view_get_n_pages (self->tab_view); i++) {
        const char *title = pv_document_get (pv_window_get_nth_document (self, i))->title;
        guint n = GPOINTER_TO_UINT (g_hash_table_lookup (counts, title));
        g_hash_table_insert (counts, (gpointer)title, GUINT_TO_POINTER (n + 1));
    }
    return counts;
}

/* Adds the folder to equal titles: almost every recording is called perf.data. */
static char *
make_long_title (const PvDocumentData *data, GHashTable *counts)
{
    gboolean is_one = GPOINTER_TO_UINT (g_hash_table_lookup (counts, data->title)) <= 1 ||
                      data->spec->url != NULL || data->spec->runs != NULL;
    g_autofree char *path = is_one ? NULL : g_file_get_path (data->file);
    g_autofree char *folder = path != NULL ? pv_recent_format_folder (path) : NULL;

    /* Translators: a file name and its folder. */
    return folder != NULL ? g_strdup_printf (_ ("%s – %s"), data->title, folder)
                          : g_strdup (data->title);
}

void
pv_window_name_tabs (PvWindow *self)
{
    g_autoptr (GHashTable) counts = count_titles (self);
    const int n = adw_tab_view_get_n_pages (self->tab_view);
    g_auto (GStrv) titles = g_new0 (char *, (gsize)n + 1);
    g_auto (GStrv) names = NULL;

    for (int i = 0; i < n; i++)
        titles[i] =
            make_long_title (pv_document_get (pv_window_get_nth_document (self, i)), counts);
    names = pv_tab_names_make ((const char *const *)titles, (guint)n);
    for (int i = 0; i < n; i++) {
        AdwTabPage *page = adw_tab_view_get_nth_page (self->tab_view, i);
        adw_tab_page_set_title (page, names[i]);
        g_object_set_data_full (G_OBJECT (page), LONG_TITLE, g_steal_pointer (&titles[i]), g_free);
    }
}

const char *
pv_window_get_long_title (AdwTabPage *page)
{
    const char *title = g_object_get_data (G_OBJECT (page), LONG_TITLE);

    return title != NULL ? title : adw_tab_page_get_title (page);
}

/* AdwTabBar gives its indicator buttons no accessible name. */
static void
name_marks (GtkWidget *widget)
{
    if (GTK_IS_BUTTON (widget) && gtk_widget_has_css_class (widget, "tab-indicator"))
        pv_accessible_set_name (widget, C_ ("state", "Recording"));
    for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
         child = gtk_widget_get_next_sibling (child))
        name_marks (child);
}

/* The mark is all that is visible of a recording in another tab. */
static void
mark_tab (PvWindow *self, AdwTabPage *page, PvDocument *document)
{
    const PvDocumentData *data = pv_document_get (document);
    gboolean is_marked = adw_tab_page_get_indicator_icon (page) != NULL;
    g_autoptr (GIcon) icon = NULL;

    adw_tab_page_set_loading (page, pv_document_is_busy (document));
    if (data->is_recording == is_marked)
        return;
    if (data->is_recording)
        icon = g_themed_icon_new ("media-record-symbolic");
    adw_tab_page_set_indicator_icon (page, icon);
    adw_tab_page_set_indicator_tooltip (page, icon != NULL ? C_ ("state", "Recording") : "");
    name_marks (GTK_WIDGET (self->tab_bar));
}

void
pv_window_mark_tabs (PvWindow *self, PvDocument *document)
{
    g_assert (PV_IS_WINDOW (self) && PV_IS_DOCUMENT (document));
    for (int i = 0; i < adw_tab_view_get_n_pages (self->tab_view); i++)
        if (pv_window_get_nth_document (self, i) == document)
            mark_tab (self, adw_tab_view_get_nth_page (self->tab_view, i), document);
}

/* Opening */

/* waits: the document is loaded once its tab is shown. */
static void
add_tab (PvWindow *self, PvDocument *document, gboolean waits)
{
    const PvDocumentData *data = pv_document_get (document);
    g_autofree char *path = NULL;
    g_autofree char *shown = NULL;
    g_autofree char *markup = NULL;
    AdwTabPage *page;

    g_signal_connect_object (document, "changed", G_CALLBACK (pv_window_document_changed), self, 0);
    if (!waits)
        pv_document_load (document);
    /* A recording has its file from now on. */
    path = data->spec->runs == NULL ? g_file_get_path (data->file) : NULL;
    shown = path != NULL ? g_filename_display_name (path) : NULL;
    markup = shown != NULL ? g_markup_escape_text (shown, -1) : NULL;
    page = adw_tab_view_append (self->tab_view, pv_document_view_new (document));
    adw_tab_page_set_tooltip (page, markup);
    mark_tab (self, page, document);
    if (waits) {
        adw_tab_page_set_title (page, data->title);
        g_object_set_data (G_OBJECT (page), WAITS, GINT_TO_POINTER (TRUE));
        if (adw_tab_view_get_selected_page (self->tab_view) == page)
            pv_window_load_selected (self);
        return;
    }
    adw_tab_view_set_selected_page (self->tab_view, page);
    pv_window_update_titles (self);
}

void
pv_window_load_selected (PvWindow *self)
{
    AdwTabPage *page = adw_tab_view_get_selected_page (self->tab_view);

    if (page != NULL && g_object_steal_data (G_OBJECT (page), WAITS) != NULL)
        pv_document_load (
            pv_document_view_get_document (PV_DOCUMENT_VIEW (adw_tab_page_get_child (page))));
}

/* Adds what a spec reads, with all runs of a comparison. */
static void
list_files (const PvSourceSpec *spec, GStrvBuilder *paths)
{
    g_strv_builder_addv (paths, (const char **)spec->paths);
    if (spec->folder != NULL)
        g_strv_builder_add (paths, spec->folder);
    if (spec->run_list != NULL)
        g_strv_builder_addv (paths, (const char **)spec->run_list->paths);
    for (guint i = 0; spec->runs != NULL && i < spec->runs->len; i++) {
        const PvComparedRun *run = spec->runs->pdata[i];
        if (run->spec != NULL)
            list_files (run->spec, paths);
    }
}

void
pv_window_list_files (PvWindow *self, GStrvBuilder *paths)
{
    g_assert (PV_IS_WINDOW (self) && paths != NULL);
    for (int i = 0; i < adw_tab_view_get_n_pages (self->tab_view); i++)
        list_files (pv_document_get (pv_window_get_nth_document (self, i))->spec, paths);
}

void
pv_window_set_symbols (PvWindow *self, const PvSymbolOptions *symbols)
{
    g_assert (PV_IS_WINDOW (self) && symbols != NULL);
    pv_symbol_options_clear (&self->symbols);
    self->symbols = pv_symbol_options_copy (symbols);
}

/* Takes source. */
static PvDocument *
make_document (PvWindow *self, PvSource *source, const PvOpenOptions *options)
{
    gboolean has_symbols = options != NULL && options->symbols != NULL;
    PvDocument *document =
        pv_document_new (source, has_symbols ? options->symbols : &self->symbols);

    pv_document_settings_follow (document);
    if (options != NULL && options->words != NULL)
        pv_document_apply_words (document, options->words);
    return document;
}

static void
show_comparison (PvDocument *document, const PvComparisonView *view)
{
    pv_document_set_scale (document, view->scale, view->function);
    pv_document_set_width_side (document, view->has_side ? view->width_side : PV_N_SIDES);
    pv_document_set_side_by_side (document, view->is_side_by_side);
}

/* Selects the tab that already shows the spec, and applies the options to it; FALSE: no such
 * tab. */
static gboolean
show_open_tab (PvWindow *self, const PvSourceSpec *spec, const PvOpenOptions *options)
{
    int open = pv_window_find_tab (self, spec);
    PvDocument *document;

    if (open < 0)
        return FALSE;
    document = pv_window_get_nth_document (self, open);
    adw_tab_view_set_selected_page (self->tab_view,
                                    adw_tab_view_get_nth_page (self->tab_view, open));
    if (options != NULL && options->words != NULL)
        pv_document_apply_words (document, options->words);
    if (options != NULL && options->symbols != NULL)
        pv_document_add_symbols (document, options->symbols);
    if (options != NULL && options->comparison != NULL && pv_document_is_comparison (document))
        show_comparison (document, options->comparison);
    if (pv_document_get (document)->state == PV_DOCUMENT_FAILED)
        pv_document_load (document);
    return TRUE;
}

void
pv_window_open_spec (PvWindow *self, const PvSourceSpec *spec, const PvOpenOptions *options)
{
    g_autoptr (PvDocument) document = NULL;
    PvSource *source;

    g_assert (PV_IS_WINDOW (self) && spec != NULL);
    if (show_open_tab (self, spec, options))
        return;
    source = spec->is_together ? pv_series_source_new (spec) : pv_file_source_new (spec);
    document = make_document (self, source, options);
    add_tab (self, document, options != NULL && options->waits);
}

static gboolean
has_side (const PvSourceSpec *comparison, const PvProfile *profile)
{
    for (unsigned i = 0; i < comparison->runs->len; i++)
        if (((PvComparedRun *)comparison->runs->pdata[i])->profile == profile)
            return TRUE;
    return FALSE;
}

void
pv_window_compare (PvWindow *self, const PvSourceSpec *comparison, const PvOpenOptions *options)
{
    const PvComparisonView *view = options != NULL ? options->comparison : NULL;
    g_autoptr (PvDocument) document = NULL;

    g_assert (PV_IS_WINDOW (self) && comparison != NULL && comparison->runs != NULL);
    if (show_open_tab (self, comparison, options))
        return;
    document = make_document (self, pv_comparison_source_new (comparison), options);
    if (view != NULL)
        show_comparison (document, view);
    if (options != NULL && options->recording != NULL)
        pv_document_follow_recording (document, options->recording);
    for (int i = 0; i < adw_tab_view_get_n_pages (self->tab_view); i++) {
        PvDocument *other = pv_window_get_nth_document (self, i);
        const PvProfile *profile = pv_document_get (other)->answer->profile;
        if (profile != NULL && !pv_document_is_comparison (other) && has_side (comparison, profile))
            pv_document_follow_names (document, other);
    }
    add_tab (self, document, FALSE);
}

void
pv_window_open (PvWindow *self, GFile *file, const PvOpenOptions *options)
{
    g_autoptr (PvSourceSpec) spec = pv_source_spec_new_for_file (file);

    g_assert (PV_IS_WINDOW (self) && G_IS_FILE (file));
    pv_window_open_spec (self, spec, options);
}

void
pv_window_fetch (PvWindow *self, const char *url, unsigned interval_seconds,
                 const PvOpenOptions *options)
{
    g_autoptr (PvDocument) document =
        make_document (self, pv_url_source_new (url, interval_seconds), options);

    g_assert (PV_IS_WINDOW (self) && url != NULL);
    if (!show_open_tab (self, pv_document_get (document)->spec, options))
        add_tab (self, document, FALSE);
}

PvDocument *
pv_window_fetch_anew (PvWindow *self, const char *url, const PvOpenOptions *options)
{
    g_autoptr (PvDocument) document = make_document (self, pv_url_source_new (url, 0), options);

    g_assert (PV_IS_WINDOW (self) && url != NULL);
    add_tab (self, document, FALSE);
    return document;
}

PvDocument *
pv_window_record_now (PvWindow *self, const PvRecordPlan *plan, const PvOpenOptions *options)
{
    g_autoptr (PvDocument) document = make_document (self, pv_recording_source_new (plan), options);
    AdwTabPage *page = adw_tab_view_get_selected_page (self->tab_view);
    gboolean has_failed =
        page != NULL && pv_document_failed_to_record (pv_window_get_document (self));

    g_assert (PV_IS_WINDOW (self) && !pv_record_plan_lacks_process (plan));
    pv_launching_remember (plan);
    add_tab (self, document, FALSE);
    if (has_failed) /* the new recording takes its place */
        adw_tab_view_close_page (self->tab_view, page);
    return document;
}

/* Asks the user if there is no such process, or more than one. */
static void
on_process_found (gpointer owner, gpointer result, const GError *error)
{
    g_autoptr (PvRecordPlan) plan = result;

    if (plan != NULL && plan->pid > 0)
        pv_window_record_now (owner, plan, NULL);
    else if (plan != NULL)
        pv_record_dialog_show (GTK_WINDOW (owner), plan);
}

static void
compare_turns (GtkWindow *window, const PvSourceSpec *comparison)
{
    pv_window_compare (PV_WINDOW (window), comparison, NULL);
}

void
pv_window_record (PvWindow *self, const PvRecordPlan *plan, const PvOpenOptions *options)
{
    g_assert (PV_IS_WINDOW (self) && plan != NULL);
    if (plan->programs != NULL) {
        pv_launching_remember (plan);
        pv_turns_dialog_show (GTK_WINDOW (self), plan, compare_turns);
        return;
    }
    if (!pv_record_plan_lacks_process (plan)) {
        pv_window_record_now (self, plan, options);
        return;
    }
    if (self->find_task == NULL)
        self->find_task = pv_launching_find_task_new (self, on_process_found);
    pv_task_start (self->find_task, pv_record_plan_copy (plan));
}
