#include "app/window.h"

#include <glib/gi18n.h>
#include <stdio.h>

#include "app/accessible.h"
#include "app/columns.h"
#include "app/document-view.h"
#include "app/document.h"
#include "app/fetch-dialog.h"
#include "app/launching.h"
#include "app/opening.h"
#include "app/preferences.h"
#include "app/recent.h"
#include "app/record-dialog.h"
#include "app/recording-questions.h"
#include "app/start-page.h"
#include "core/base/error.h"

#define MAX_RECENT            8
#define MAX_RECENT_FOLDER_LEN 48
#define MAX_CLOSING_US        (G_USEC_PER_SEC / 2)
/* That the window must have for the text of the button that records. */
#define MIN_WIDTH_FOR_TEXT     600
#define MIN_WIDTH_BESIDE_PAGES 1360

struct _PvWindow {
    AdwApplicationWindow parent;

    AdwToastOverlay *toast_overlay;
    AdwViewSwitcherTitle *switcher_title;
    AdwViewSwitcherBar *switcher_bar;
    GtkButton *record_button;
    GtkWidget *record_label;
    GtkLabel *name_label;
    AdwTabView *tab_view;
    GtkStack *stack;
    AdwBin *start_bin;
    AdwSplitButton *open_button;
    GMenu *recent_menu;
    GtkToggleButton *search_button;
    GBinding *search_binding; /* of the button and the search bar of the document shown */
    PvLane *launches_lane;    /* looks for what is to be recorded again */
};

G_DEFINE_FINAL_TYPE (PvWindow, pv_window, ADW_TYPE_APPLICATION_WINDOW)

static PvDocumentView *
get_view (PvWindow *self)
{
    AdwTabPage *page = adw_tab_view_get_selected_page (self->tab_view);
    return page != NULL ? PV_DOCUMENT_VIEW (adw_tab_page_get_child (page)) : NULL;
}

static PvDocument *
get_document (PvWindow *self)
{
    PvDocumentView *view = get_view (self);
    return view != NULL ? pv_document_view_get_document (view) : NULL;
}

static PvDocumentView *
get_nth_view (PvWindow *self, int i)
{
    return PV_DOCUMENT_VIEW (
        adw_tab_page_get_child (adw_tab_view_get_nth_page (self->tab_view, i)));
}

static PvDocument *
get_nth_document (PvWindow *self, int i)
{
    return pv_document_view_get_document (get_nth_view (self, i));
}

/* Its tables are still losing their rows. */
static gboolean
is_closing (AdwTabPage *page)
{
    return g_object_get_data (G_OBJECT (page), "is-closing") != NULL;
}

/* The tab that shows this, or -1. */
static int
find_tab (PvWindow *self, const PvOrigin *origin)
{
    for (int i = 0; i < adw_tab_view_get_n_pages (self->tab_view); i++)
        if (pv_origin_equal (pv_document_get (get_nth_document (self, i))->origin, origin) &&
            !is_closing (adw_tab_view_get_nth_page (self->tab_view, i)))
            return i;
    return -1;
}

/* What is shown -----------------------------------------------------------------------------------
 */

static void
enable (PvWindow *self, const char *action, gboolean is_enabled)
{
    GAction *found = g_action_map_lookup_action (G_ACTION_MAP (self), action);
    g_simple_action_set_enabled (G_SIMPLE_ACTION (found), is_enabled);
}

static void
update_actions (PvWindow *self)
{
    PvDocument *document = get_document (self);
    const PvDocumentData *data = document != NULL ? pv_document_get (document) : NULL;
    gboolean is_ready = data != NULL && data->state == PV_DOCUMENT_READY;
    static const char *const needs_tree[] = {
        "search-for", "find-next",  "find-previous", "page",       "export",
        "search",     "add-folder", "add-archive",   "zoom-reset", "export-profile"};

    for (unsigned i = 0; i < G_N_ELEMENTS (needs_tree); i++)
        enable (self, needs_tree[i], is_ready);
    gtk_widget_set_sensitive (GTK_WIDGET (self->search_button), is_ready);
    /* Elsewhere there are entries to paste into. */
    enable (self, "paste", document == NULL);
    enable (self, "back", is_ready && data->can_go_back);
    enable (self, "forward", is_ready && data->can_go_forward);
    enable (self, "reload", data != NULL && data->state != PV_DOCUMENT_LOADING);
    adw_view_switcher_title_set_view_switcher_enabled (self->switcher_title, is_ready);
    adw_view_switcher_bar_set_stack (
        self->switcher_bar, is_ready ? pv_document_view_get_pages (get_view (self)) : NULL);
}

static void
make_start_page (PvWindow *self)
{
    if (adw_bin_get_child (self->start_bin) == NULL)
        adw_bin_set_child (self->start_bin, g_object_new (PV_TYPE_START_PAGE, NULL));
}

/* A binding lives as long as its ends do, unless it is undone. */
static void
drop_search_binding (PvWindow *self)
{
    if (self->search_binding != NULL)
        g_binding_unbind (self->search_binding);
    g_clear_object (&self->search_binding);
}

/* The name of the only file: of more there are tabs, and without the pages in its way the header
 * bar has it as its title. There it only fades, as its room is what the pages were measured
 * against. */
static void
update_name (PvWindow *self)
{
    gboolean is_title = adw_view_switcher_title_get_title_visible (self->switcher_title);

    if (self->tab_view == NULL)
        return;
    gtk_widget_set_visible (GTK_WIDGET (self->name_label),
                            adw_tab_view_get_n_pages (self->tab_view) == 1);
    gtk_widget_set_opacity (GTK_WIDGET (self->name_label), is_title ? 0 : 1);
    gtk_label_set_text (self->name_label, gtk_window_get_title (GTK_WINDOW (self)));
}

/* Almost every recording is called perf.data: of tabs with the same name the folder tells which. */
static void
update_titles (PvWindow *self)
{
    AdwTabPage *selected = adw_tab_view_get_selected_page (self->tab_view);
    int n = adw_tab_view_get_n_pages (self->tab_view);
    const char *title;

    for (int i = 0; i < n; i++) {
        const PvDocumentData *data = pv_document_get (get_nth_document (self, i));
        g_autofree char *path = g_file_get_path (data->file);
        g_autofree char *folder =
            path != NULL && data->origin->url == NULL ? pv_recent_format_folder (path) : NULL;
        g_autofree char *long_title = NULL;
        for (int other = 0; other < n && long_title == NULL; other++)
            if (other != i && folder != NULL &&
                g_str_equal (pv_document_get (get_nth_document (self, other))->title, data->title))
                /* Translators: name of a file and the folder it is in. */
                long_title = g_strdup_printf (_ ("%s – %s"), data->title, folder);
        adw_tab_page_set_title (adw_tab_view_get_nth_page (self->tab_view, i),
                                long_title != NULL ? long_title : data->title);
    }
    title = selected != NULL ? adw_tab_page_get_title (selected) : "profview";
    adw_view_switcher_title_set_title (self->switcher_title, title);
    gtk_window_set_title (GTK_WINDOW (self), title);
    update_name (self);
}

/* The text of a button gives way to the name of what is open. Not by what is left of the header
 * bar: that depends on the text. */
static void
update_record_label (PvWindow *self)
{
    GdkSurface *surface = gtk_native_get_surface (GTK_NATIVE (self));
    int min_width = get_view (self) != NULL ? MIN_WIDTH_BESIDE_PAGES : MIN_WIDTH_FOR_TEXT;

    if (surface != NULL)
        gtk_widget_set_visible (self->record_label, gdk_surface_get_width (surface) >= min_width);
}

static void
on_selected_page (PvWindow *self)
{
    PvDocumentView *view = get_view (self);
    AdwViewStack *pages = view != NULL ? pv_document_view_get_pages (view) : NULL;

    if (view == NULL)
        make_start_page (self);
    gtk_stack_set_visible_child_name (self->stack, view != NULL ? "tabs" : "start");
    adw_view_switcher_title_set_stack (self->switcher_title, pages);
    update_record_label (self);
    update_titles (self);
    drop_search_binding (self);
    gtk_toggle_button_set_active (self->search_button, FALSE);
    if (view != NULL)
        self->search_binding = g_object_ref (g_object_bind_property (
            pv_document_view_get_search_bar (view), "search-mode-enabled", self->search_button,
            "active", G_BINDING_BIDIRECTIONAL | G_BINDING_SYNC_CREATE));
    update_actions (self);
}

static gboolean
is_busy (const PvDocumentData *data)
{
    return data->is_working || (data->fetcher != NULL && pv_fetcher_is_active (data->fetcher));
}

static void
on_document_changed (PvDocument *document, guint what, PvWindow *self)
{
    const PvDocumentData *data = pv_document_get (document);
    gboolean is_ready = data->state == PV_DOCUMENT_READY;

    for (int i = 0; i < adw_tab_view_get_n_pages (self->tab_view); i++) {
        AdwTabPage *page = adw_tab_view_get_nth_page (self->tab_view, i);
        if (get_nth_document (self, i) == document)
            adw_tab_page_set_loading (page, is_busy (data));
    }
    if (document == get_document (self))
        update_actions (self);
    if (what & PV_CHANGED_TITLE)
        update_titles (self);
    /* A series that grows is another one each time. What is being recorded may yet be discarded. */
    if (data->is_recording)
        return;
    if (is_ready && (what & (PV_CHANGED_STATE | PV_CHANGED_TITLE)))
        pv_recent_add (data->origin, data->title, data->profile->facts.format);
    else if ((what & PV_CHANGED_STATE) &&
             g_error_matches (data->error, PV_READ_ERROR, PV_READ_ERROR_NOT_FOUND))
        pv_recent_remove (data->file);
}

void
pv_window_show_start (PvWindow *self)
{
    if (get_view (self) == NULL)
        on_selected_page (self);
}

/* Recent files ------------------------------------------------------------------------------------
 */

/* "perf.data – ~/work", with the end of a long folder only. In labels of menus an underscore marks
 * the next letter. */
static char *
format_recent (GtkRecentInfo *info, const char *path)
{
    g_autofree char *folder = pv_recent_format_folder (path);
    GString *label = g_string_new (gtk_recent_info_get_display_name (info));
    glong length = folder != NULL ? g_utf8_strlen (folder, -1) : 0;

    if (length > MAX_RECENT_FOLDER_LEN)
        g_string_append_printf (label, " – …%s",
                                g_utf8_offset_to_pointer (folder, length - MAX_RECENT_FOLDER_LEN));
    else if (folder != NULL)
        g_string_append_printf (label, " – %s", folder);
    g_string_replace (label, "_", "__", 0);
    return g_string_free (label, FALSE);
}

static void
update_recent (PvWindow *self)
{
    GList *items = pv_recent_list (MAX_RECENT);

    g_menu_remove_all (self->recent_menu);
    for (GList *item = items; item != NULL; item = item->next) {
        g_autofree char *path =
            g_filename_from_uri (gtk_recent_info_get_uri (item->data), NULL, NULL);
        g_autofree char *label = NULL;
        g_autoptr (GMenuItem) entry = NULL;
        if (path == NULL)
            continue;
        label = format_recent (item->data, path);
        entry = g_menu_item_new (label, NULL);
        g_menu_item_set_action_and_target (entry, "win.open-recent", "s",
                                           gtk_recent_info_get_uri (item->data));
        g_menu_append_item (self->recent_menu, entry);
    }
    if (items == NULL) {
        /* An item whose action does not exist is shown as not available. */
        g_menu_append (self->recent_menu, _ ("No Recent Files"), "win.none");
    }
    g_list_free_full (items, (GDestroyNotify)gtk_recent_info_unref);
}

/* Opening -----------------------------------------------------------------------------------------
 */

static void
add_tab (PvWindow *self, PvDocument *document)
{
    const PvDocumentData *data = pv_document_get (document);
    g_autofree char *path = NULL;
    g_autofree char *shown = NULL;
    g_autofree char *markup = NULL;
    AdwTabPage *page;

    g_signal_connect_object (document, "changed", G_CALLBACK (on_document_changed), self, 0);
    pv_document_load (document);
    /* What is recorded has a file from now on. */
    path = g_file_get_path (data->file);
    shown = path != NULL ? g_filename_display_name (path) : NULL;
    markup = shown != NULL ? g_markup_escape_text (shown, -1) : NULL;
    page = adw_tab_view_append (self->tab_view, pv_document_view_new (document));
    adw_tab_page_set_tooltip (page, markup);
    adw_tab_page_set_loading (page, is_busy (data));
    adw_tab_view_set_selected_page (self->tab_view, page);
    update_titles (self);
}

static gboolean
show_open_tab (PvWindow *self, const PvOrigin *origin)
{
    int open = find_tab (self, origin);
    PvDocument *document;

    if (open < 0)
        return FALSE;
    document = get_nth_document (self, open);
    adw_tab_view_set_selected_page (self->tab_view,
                                    adw_tab_view_get_nth_page (self->tab_view, open));
    if (pv_document_get (document)->state == PV_DOCUMENT_FAILED)
        pv_document_load (document);
    return TRUE;
}

void
pv_window_open_origin (PvWindow *self, const PvOrigin *origin, const PvSymbolOptions *symbols)
{
    g_autoptr (PvDocument) document = NULL;

    if (show_open_tab (self, origin))
        return;
    document = pv_document_new_of (origin, symbols);
    add_tab (self, document);
}

void
pv_window_open (PvWindow *self, GFile *file, const PvSymbolOptions *symbols)
{
    g_autoptr (PvDocument) document = pv_document_new (file, symbols);

    if (!show_open_tab (self, pv_document_get (document)->origin))
        add_tab (self, document);
}

void
pv_window_fetch (PvWindow *self, const char *url, unsigned interval_seconds,
                 const PvSymbolOptions *symbols)
{
    g_autoptr (PvDocument) document = pv_document_new_for_url (url, interval_seconds, symbols);

    if (!show_open_tab (self, pv_document_get (document)->origin))
        add_tab (self, document);
}

void
pv_window_record (PvWindow *self, const PvRecordPlan *plan, const PvSymbolOptions *symbols)
{
    g_autoptr (PvDocument) document = pv_document_new_for_recording (plan, symbols);

    pv_launching_remember (plan);
    add_tab (self, document);
}

static void
on_open_response (GtkNativeDialog *dialog, int response, gpointer user)
{
    PvWindow *self = user;
    g_autoptr (GListModel) files = gtk_file_chooser_get_files (GTK_FILE_CHOOSER (dialog));

    if (response == GTK_RESPONSE_ACCEPT)
        pv_open_file_list (self, files);
    g_object_unref (dialog);
}

static void
ask_for_files (PvWindow *self, const char *title, GtkFileChooserAction action)
{
    GtkFileChooserNative *dialog =
        gtk_file_chooser_native_new (title, GTK_WINDOW (self), action, _ ("_Open"), NULL);
    PvDocument *document = get_document (self);

    /* Profiles are known by content, so there is no filter by name. */
    gtk_file_chooser_set_select_multiple (GTK_FILE_CHOOSER (dialog), TRUE);
    /* What was fetched is in no folder of the user's, and a server's would be asked for its files.
     */
    if (document != NULL && pv_document_get (document)->origin->url == NULL) {
        g_autoptr (GFile) folder = g_file_get_parent (pv_document_get (document)->file);
        if (folder != NULL)
            gtk_file_chooser_set_current_folder (GTK_FILE_CHOOSER (dialog), folder, NULL);
    }
    gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (dialog), TRUE);
    g_signal_connect_object (dialog, "response", G_CALLBACK (on_open_response), self, 0);
    gtk_native_dialog_show (GTK_NATIVE_DIALOG (dialog));
}

static void
open_dialog (GSimpleAction *action, GVariant *parameter, gpointer user)
{
    ask_for_files (user, _ ("Open Profiles"), GTK_FILE_CHOOSER_ACTION_OPEN);
}

static void
open_folder (GSimpleAction *action, GVariant *parameter, gpointer user)
{
    ask_for_files (user, _ ("Open a Folder of Profiles"), GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER);
}

static void
show_record_dialog (GSimpleAction *action, GVariant *parameter, gpointer user)
{
    pv_record_dialog_show (user, NULL);
}

/* Nothing was recorded yet: then it is to be chosen. */
static void
on_launches (gpointer owner, gpointer result, const GError *error)
{
    g_autoptr (GPtrArray) plans = result;

    if (plans != NULL && plans->len > 0)
        pv_window_record (owner, plans->pdata[0], NULL);
    else
        pv_record_dialog_show (owner, NULL);
}

static void
record_again (GSimpleAction *action, GVariant *parameter, gpointer user)
{
    PvWindow *self = user;

    pv_lane_start (self->launches_lane, NULL);
}

static void
show_fetch_dialog (GSimpleAction *action, GVariant *parameter, gpointer user)
{
    pv_fetch_dialog_show (user);
}

static gboolean
fetch_text (PvWindow *self, const char *text)
{
    g_autofree char *url = pv_open_find_url (text);

    if (url != NULL)
        pv_window_fetch (self, url, 0, NULL);
    return url != NULL;
}

/* Files, or the address of a link. */
static gboolean
on_drop (PvWindow *self, const GValue *value, double x, double y)
{
    g_autoptr (GListStore) list = NULL;

    if (G_VALUE_HOLDS_STRING (value))
        return fetch_text (self, g_value_get_string (value));
    list = g_list_store_new (G_TYPE_FILE);
    for (GSList *file = g_value_get_boxed (value); file != NULL; file = file->next)
        g_list_store_append (list, file->data);
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
                                    _ ("What was copied is no address of a profile"));
}

/* An entry that has the focus takes the keys for itself. */
static void
paste (GSimpleAction *action, GVariant *parameter, gpointer user)
{
    gdk_clipboard_read_text_async (gtk_widget_get_clipboard (user), NULL, on_pasted,
                                   g_object_ref (user));
}

/* Closing a tab, without holding the main loop while hundreds of rows are freed -------------------
 */

typedef struct {
    AdwTabView *tab_view;
    AdwTabPage *page;
    gint64 end_us; /* not to be waited longer */
} Closing;

static void
free_closing (gpointer user)
{
    Closing *closing = user;
    g_object_unref (closing->tab_view);
    g_object_unref (closing->page);
    g_free (closing);
}

static gboolean
go_on_closing (gpointer user)
{
    Closing *closing = user;

    if (gtk_widget_get_root (GTK_WIDGET (closing->tab_view)) == NULL)
        return G_SOURCE_REMOVE; /* the window went first */
    if (!pv_columns_empty_below (adw_tab_page_get_child (closing->page)) &&
        g_get_monotonic_time () < closing->end_us)
        return G_SOURCE_CONTINUE;
    adw_tab_view_close_page_finish (closing->tab_view, closing->page, TRUE);
    return G_SOURCE_REMOVE;
}

static void
close_view (GtkWidget *view, gpointer user)
{
    PvWindow *self = user;

    if (self->tab_view != NULL && gtk_widget_is_ancestor (view, GTK_WIDGET (self->tab_view)))
        adw_tab_view_close_page (self->tab_view, adw_tab_view_get_page (self->tab_view, view));
}

static gboolean
ask_before_closing (PvWindow *self, PvDocumentView *view)
{
    g_autoptr (GPtrArray) documents = g_ptr_array_new ();

    g_ptr_array_add (documents, pv_document_view_get_document (view));
    return pv_ask_to_close (GTK_WIDGET (view), documents, close_view, g_object_ref (self),
                            g_object_unref);
}

/* The next tab is seen at once. */
static gboolean
on_close_page (PvWindow *self, AdwTabPage *page)
{
    PvDocumentView *view = PV_DOCUMENT_VIEW (adw_tab_page_get_child (page));
    Closing *closing;

    if (ask_before_closing (self, view)) {
        adw_tab_view_close_page_finish (self->tab_view, page, FALSE);
        return GDK_EVENT_STOP;
    }
    pv_document_close (pv_document_view_get_document (view));
    if (pv_columns_empty_below (GTK_WIDGET (view))) {
        adw_tab_view_close_page_finish (self->tab_view, page, TRUE);
        return GDK_EVENT_STOP;
    }
    g_object_set_data (G_OBJECT (page), "is-closing", page);
    if (adw_tab_page_get_selected (page) && !adw_tab_view_select_next_page (self->tab_view))
        adw_tab_view_select_previous_page (self->tab_view);
    closing = g_new0 (Closing, 1);
    closing->tab_view = g_object_ref (self->tab_view);
    closing->page = g_object_ref (page);
    closing->end_us = g_get_monotonic_time () + MAX_CLOSING_US;
    g_timeout_add_full (G_PRIORITY_DEFAULT_IDLE, 10, go_on_closing, closing, free_closing);
    return GDK_EVENT_STOP;
}

/* Commands ----------------------------------------------------------------------------------------
 */

static void
open_recent (GSimpleAction *action, GVariant *parameter, gpointer user)
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
        pv_open_files (user, (const char *const *)together,
                       how == PV_TOGETHER_SERIES ? PV_OPEN_SERIES : PV_OPEN_MERGED, NULL);
    else
        pv_open_files (user, paths, PV_OPEN_EACH, NULL);
}

/* A readable copy takes the place of the file that could not be read. */
static void
open_instead (GSimpleAction *action, GVariant *parameter, gpointer user)
{
    PvWindow *self = user;
    const char *old_path, *path;
    g_autoptr (PvOrigin) old_origin = NULL;
    g_autoptr (GFile) file = NULL;
    int old_tab;

    g_variant_get (parameter, "(^&ay^&ay)", &old_path, &path);
    old_origin = pv_origin_new_for_path (old_path);
    file = g_file_new_for_path (path);
    pv_window_open (self, file, NULL);
    old_tab = find_tab (self, old_origin);
    if (old_tab >= 0)
        adw_tab_view_close_page (self->tab_view,
                                 adw_tab_view_get_nth_page (self->tab_view, old_tab));
}

static void
reload (GSimpleAction *action, GVariant *parameter, gpointer user)
{
    pv_document_reload (get_document (user));
}

static void
close_tab (GSimpleAction *action, GVariant *parameter, gpointer user)
{
    PvWindow *self = user;
    AdwTabPage *page = adw_tab_view_get_selected_page (self->tab_view);
    if (page != NULL)
        adw_tab_view_close_page (self->tab_view, page);
    else
        gtk_window_close (GTK_WINDOW (self));
}

static void
show_page (GSimpleAction *action, GVariant *parameter, gpointer user)
{
    pv_document_view_show_page (get_view (user), g_variant_get_string (parameter, NULL));
}

static void
search (GSimpleAction *action, GVariant *parameter, gpointer user)
{
    pv_document_view_search (get_view (user), NULL);
}

static void
search_for (GSimpleAction *action, GVariant *parameter, gpointer user)
{
    pv_document_view_search (get_view (user), g_variant_get_string (parameter, NULL));
}

static void
find_next (GSimpleAction *action, GVariant *parameter, gpointer user)
{
    pv_document_view_select_match (get_view (user), TRUE);
}

static void
find_previous (GSimpleAction *action, GVariant *parameter, gpointer user)
{
    pv_document_view_select_match (get_view (user), FALSE);
}

static void
go_back (GSimpleAction *action, GVariant *parameter, gpointer user)
{
    pv_document_go_back (get_document (user));
}

static void
go_forward (GSimpleAction *action, GVariant *parameter, gpointer user)
{
    pv_document_go_forward (get_document (user));
}

static void
zoom_reset (GSimpleAction *action, GVariant *parameter, gpointer user)
{
    pv_document_zoom (get_document (user), 0);
}

static void export(GSimpleAction *action, GVariant *parameter, gpointer user)
{
    pv_document_view_export (get_view (user));
}

static void
export_profile (GSimpleAction *action, GVariant *parameter, gpointer user)
{
    pv_document_view_export_profile (get_view (user));
}

static void
add_folder (GSimpleAction *action, GVariant *parameter, gpointer user)
{
    pv_document_view_add_folder (get_view (user));
}

static void
add_archive (GSimpleAction *action, GVariant *parameter, gpointer user)
{
    pv_document_view_add_archive (get_view (user));
}

static void
show_toast (GSimpleAction *action, GVariant *parameter, gpointer user)
{
    PvWindow *self = user;
    g_autofree char *text = g_markup_escape_text (g_variant_get_string (parameter, NULL), -1);
    adw_toast_overlay_add_toast (self->toast_overlay, adw_toast_new (text));
}

static const GActionEntry actions[] = {
    {"open", open_dialog},
    {"open-recent", open_recent, "s"},
    {"paste", paste},
    {"open-folder", open_folder},
    {"record", show_record_dialog},
    {"record-again", record_again},
    {"fetch", show_fetch_dialog},
    {"export-profile", export_profile},
    {"reload", reload},
    {"open-instead", open_instead, "(ayay)"},
    {"close-tab", close_tab},
    {"page", show_page, "s"},
    {"search", search},
    {"search-for", search_for, "s"},
    {"find-next", find_next},
    {"find-previous", find_previous},
    {"back", go_back},
    {"forward", go_forward},
    {"zoom-reset", zoom_reset},
    {"export", export},
    {"add-folder", add_folder},
    {"add-archive", add_archive},
    {"toast", show_toast, "s"},
};

/* Recordings that go on when the window is closed
 * ---------------------------------------------------
 */

static void
destroy_window (GtkWidget *window, gpointer user)
{
    gtk_window_destroy (GTK_WINDOW (window));
}

static gboolean
pv_window_close_request (GtkWindow *window)
{
    PvWindow *self = PV_WINDOW (window);
    g_autoptr (GPtrArray) documents = g_ptr_array_new ();

    for (int i = 0; i < adw_tab_view_get_n_pages (self->tab_view); i++)
        g_ptr_array_add (documents, get_nth_document (self, i));
    if (pv_ask_to_close (GTK_WIDGET (self), documents, destroy_window, NULL, NULL))
        return GDK_EVENT_STOP;
    return GTK_WINDOW_CLASS (pv_window_parent_class)->close_request (window);
}

/* Size, remembered from run to run ----------------------------------------------------------------
 */

static void
restore_size (PvWindow *self)
{
    g_autofree char *size = pv_preferences_get ("size", "");
    int width, height;

    if (sscanf (size, "%dx%d", &width, &height) == 2 && width > 0 && height > 0)
        gtk_window_set_default_size (GTK_WINDOW (self), MIN (width, 16384), MIN (height, 16384));
    if (g_str_has_suffix (size, "maximized"))
        gtk_window_maximize (GTK_WINDOW (self));
}

static void
pv_window_realize (GtkWidget *widget)
{
    GTK_WIDGET_CLASS (pv_window_parent_class)->realize (widget);
    g_signal_connect_object (gtk_native_get_surface (GTK_NATIVE (widget)), "layout",
                             G_CALLBACK (update_record_label), widget, G_CONNECT_SWAPPED);
}

static void
pv_window_unrealize (GtkWidget *widget)
{
    g_autofree char *before = pv_preferences_get ("size", "");
    g_autofree char *size = NULL;
    int width, height;

    gtk_window_get_default_size (GTK_WINDOW (widget), &width, &height);
    size = g_strdup_printf ("%dx%d%s", width, height,
                            gtk_window_is_maximized (GTK_WINDOW (widget)) ? " maximized" : "");
    if (!g_str_equal (size, before))
        pv_preferences_set ("size", size);
    GTK_WIDGET_CLASS (pv_window_parent_class)->unrealize (widget);
}

/* Object ------------------------------------------------------------------------------------------
 */

static void
pv_window_dispose (GObject *object)
{
    PvWindow *self = PV_WINDOW (object);

    if (self->tab_view != NULL)
        g_signal_handlers_disconnect_by_data (self->tab_view, self);
    self->tab_view = NULL;
    g_clear_pointer (&self->launches_lane, pv_lane_close);
    drop_search_binding (self);
    G_OBJECT_CLASS (pv_window_parent_class)->dispose (object);
}

static void
pv_window_class_init (PvWindowClass *class)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

    G_OBJECT_CLASS (class)->dispose = pv_window_dispose;
    widget_class->realize = pv_window_realize;
    GTK_WINDOW_CLASS (class)->close_request = pv_window_close_request;
    widget_class->unrealize = pv_window_unrealize;
    gtk_widget_class_set_template_from_resource (widget_class, "/org/profview/Profview/window.ui");
    gtk_widget_class_bind_template_child (widget_class, PvWindow, toast_overlay);
    gtk_widget_class_bind_template_child (widget_class, PvWindow, switcher_title);
    gtk_widget_class_bind_template_child (widget_class, PvWindow, switcher_bar);
    gtk_widget_class_bind_template_child (widget_class, PvWindow, record_button);
    gtk_widget_class_bind_template_child (widget_class, PvWindow, record_label);
    gtk_widget_class_bind_template_child (widget_class, PvWindow, name_label);
    gtk_widget_class_bind_template_child (widget_class, PvWindow, tab_view);
    gtk_widget_class_bind_template_child (widget_class, PvWindow, stack);
    gtk_widget_class_bind_template_child (widget_class, PvWindow, start_bin);
    gtk_widget_class_bind_template_child (widget_class, PvWindow, open_button);
    gtk_widget_class_bind_template_child (widget_class, PvWindow, recent_menu);
    gtk_widget_class_bind_template_child (widget_class, PvWindow, search_button);
}

static void
pv_window_init (PvWindow *self)
{
    GtkDropTarget *drop = gtk_drop_target_new (G_TYPE_INVALID, GDK_ACTION_COPY);
    GType dropped[] = {GDK_TYPE_FILE_LIST, G_TYPE_STRING};

    gtk_drop_target_set_gtypes (drop, dropped, G_N_ELEMENTS (dropped));
    gtk_widget_init_template (GTK_WIDGET (self));
    g_action_map_add_action_entries (G_ACTION_MAP (self), actions, G_N_ELEMENTS (actions), self);
    g_object_bind_property (self->switcher_title, "title-visible", self->switcher_bar, "reveal",
                            G_BINDING_SYNC_CREATE);
    g_signal_connect_object (self->switcher_title, "notify::title-visible",
                             G_CALLBACK (update_name), self, G_CONNECT_SWAPPED);
    g_signal_connect_swapped (self->tab_view, "notify::selected-page",
                              G_CALLBACK (on_selected_page), self);
    g_signal_connect_swapped (self->tab_view, "notify::n-pages", G_CALLBACK (update_titles), self);
    g_signal_connect_swapped (self->tab_view, "close-page", G_CALLBACK (on_close_page), self);
    g_signal_connect_swapped (drop, "drop", G_CALLBACK (on_drop), self);
    gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drop));
    g_signal_connect_object (gtk_recent_manager_get_default (), "changed",
                             G_CALLBACK (update_recent), self, G_CONNECT_SWAPPED);
    pv_accessible_name_parts (GTK_WIDGET (self->open_button), _ ("Open"), _ ("Recent files"));
    self->launches_lane = pv_launches_lane_new (self, on_launches);
    restore_size (self);
    update_recent (self);
    update_actions (self);
}

PvWindow *
pv_window_new (AdwApplication *application)
{
    PvWindow *self = g_object_new (PV_TYPE_WINDOW, "application", application, NULL);
    return self;
}
