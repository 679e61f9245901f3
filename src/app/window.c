#include "app/window.h"

#include <glib/gi18n.h>

#include "app/document-view.h"
#include "app/document.h"
#include "app/start-page.h"

#define MAX_RECENT 8

struct _PvWindow {
    AdwApplicationWindow parent;

    AdwToastOverlay *toast_overlay;
    AdwViewSwitcherTitle *switcher_title;
    AdwViewSwitcherBar *switcher_bar;
    AdwTabView *tab_view;
    GtkStack *stack;
    AdwBin *start_bin;
    GMenu *recent_menu;
    GtkToggleButton *search_button;
    GBinding *search_binding; /* of the button and the search bar of the document shown */
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
    static const char *const needs_tree[] = {"search-for", "find-next", "find-previous",
                                             "page",       "export",    "search",
                                             "add-folder", "zoom-reset"};

    for (unsigned i = 0; i < G_N_ELEMENTS (needs_tree); i++)
        enable (self, needs_tree[i], is_ready);
    gtk_widget_set_sensitive (GTK_WIDGET (self->search_button), is_ready);
    enable (self, "back", is_ready && data->can_go_back);
    enable (self, "forward", is_ready && data->can_go_forward);
    enable (self, "close-tab", document != NULL);
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

static void
on_selected_page (PvWindow *self)
{
    PvDocumentView *view = get_view (self);
    AdwViewStack *pages = view != NULL ? pv_document_view_get_pages (view) : NULL;
    const char *title =
        view != NULL ? pv_document_get (pv_document_view_get_document (view))->title : "profview";

    if (view == NULL)
        make_start_page (self);
    gtk_stack_set_visible_child_name (self->stack, view != NULL ? "tabs" : "start");
    adw_view_switcher_title_set_stack (self->switcher_title, pages);
    adw_view_switcher_title_set_title (self->switcher_title, title);
    gtk_window_set_title (GTK_WINDOW (self), title);
    drop_search_binding (self);
    gtk_toggle_button_set_active (self->search_button, FALSE);
    if (view != NULL)
        self->search_binding = g_object_ref (g_object_bind_property (
            pv_document_view_get_search_bar (view), "search-mode-enabled", self->search_button,
            "active", G_BINDING_BIDIRECTIONAL | G_BINDING_SYNC_CREATE));
    update_actions (self);
}

static void
on_document_changed (PvDocument *document, guint what, PvWindow *self)
{
    for (int i = 0; i < adw_tab_view_get_n_pages (self->tab_view); i++) {
        AdwTabPage *page = adw_tab_view_get_nth_page (self->tab_view, i);
        PvDocumentView *view = PV_DOCUMENT_VIEW (adw_tab_page_get_child (page));
        if (pv_document_view_get_document (view) == document)
            adw_tab_page_set_loading (page, pv_document_get (document)->is_working);
    }
    if (document == get_document (self))
        update_actions (self);
}

void
pv_window_show_start (PvWindow *self)
{
    if (get_view (self) == NULL)
        on_selected_page (self);
}

/* Recent files ------------------------------------------------------------------------------------
 */

static void
update_recent (PvWindow *self)
{
    GList *items = pv_start_page_get_recent (MAX_RECENT);

    g_menu_remove_all (self->recent_menu);
    for (GList *item = items; item != NULL; item = item->next) {
        g_autofree char *path =
            g_filename_from_uri (gtk_recent_info_get_uri (item->data), NULL, NULL);
        g_autofree char *shown = gtk_recent_info_get_uri_display (item->data);
        g_autoptr (GMenuItem) entry = NULL;
        if (path == NULL || shown == NULL)
            continue;
        entry = g_menu_item_new (shown, NULL);
        g_menu_item_set_action_and_target (entry, "win.open-path", "s", path);
        g_menu_append_item (self->recent_menu, entry);
    }
    if (items == NULL) {
        /* An item whose action does not exist is shown as not available. */
        g_menu_append (self->recent_menu, _ ("No Recent Files"), "win.none");
    }
    g_list_free_full (items, (GDestroyNotify)gtk_recent_info_unref);
}

static void
remember (GFile *file)
{
    g_autofree char *uri = g_file_get_uri (file);
    g_autofree char *name = g_file_get_basename (file);
    g_autofree char *shown = g_filename_display_name (name);
    GtkRecentData data = {
        .display_name = shown,
        .mime_type = (char *)"application/x-perf-data",
        .app_name = (char *)"profview",
        .app_exec = (char *)"profview %f",
    };
    gtk_recent_manager_add_full (gtk_recent_manager_get_default (), uri, &data);
}

static void
remember_when_ready (PvDocument *document, guint what, gpointer user)
{
    const PvDocumentData *data = pv_document_get (document);
    if ((what & PV_CHANGED_STATE) && data->state == PV_DOCUMENT_READY)
        remember (data->file);
}

/* Opening -----------------------------------------------------------------------------------------
 */

void
pv_window_open (PvWindow *self, GFile *file, const PvSymbolOptions *symbols)
{
    g_autoptr (PvDocument) document = NULL;
    g_autofree char *path = g_file_get_path (file);
    AdwTabPage *page;

    for (int i = 0; i < adw_tab_view_get_n_pages (self->tab_view); i++) {
        AdwTabPage *open = adw_tab_view_get_nth_page (self->tab_view, i);
        PvDocument *other =
            pv_document_view_get_document (PV_DOCUMENT_VIEW (adw_tab_page_get_child (open)));
        if (g_file_equal (pv_document_get (other)->file, file)) {
            adw_tab_view_set_selected_page (self->tab_view, open);
            if (pv_document_get (other)->state == PV_DOCUMENT_FAILED)
                pv_document_load (other);
            return;
        }
    }
    document = pv_document_new (file, symbols);
    g_signal_connect_object (document, "changed", G_CALLBACK (on_document_changed), self, 0);
    g_signal_connect (document, "changed", G_CALLBACK (remember_when_ready), NULL);
    pv_document_load (document);
    page = adw_tab_view_append (self->tab_view, pv_document_view_new (document));
    adw_tab_page_set_title (page, pv_document_get (document)->title);
    adw_tab_page_set_tooltip (page, path);
    adw_tab_page_set_loading (page, pv_document_get (document)->is_working);
    adw_tab_view_set_selected_page (self->tab_view, page);
}

static void
on_open_response (GtkNativeDialog *dialog, int response, gpointer user)
{
    PvWindow *self = user;
    g_autoptr (GListModel) files = gtk_file_chooser_get_files (GTK_FILE_CHOOSER (dialog));

    for (guint i = 0; response == GTK_RESPONSE_ACCEPT && i < g_list_model_get_n_items (files);
         i++) {
        g_autoptr (GFile) file = g_list_model_get_item (files, i);
        pv_window_open (self, file, NULL);
    }
    g_object_unref (dialog);
}

static void
open_dialog (GSimpleAction *action, GVariant *parameter, gpointer user)
{
    PvWindow *self = user;
    GtkFileChooserNative *dialog = gtk_file_chooser_native_new (
        _ ("Open Profiles"), GTK_WINDOW (self), GTK_FILE_CHOOSER_ACTION_OPEN, _ ("_Open"), NULL);
    PvDocument *document = get_document (self);

    /* Profiles are known by content, so there is no filter by name. */
    gtk_file_chooser_set_select_multiple (GTK_FILE_CHOOSER (dialog), TRUE);
    if (document != NULL) {
        g_autoptr (GFile) folder = g_file_get_parent (pv_document_get (document)->file);
        if (folder != NULL)
            gtk_file_chooser_set_current_folder (GTK_FILE_CHOOSER (dialog), folder, NULL);
    }
    gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (dialog), TRUE);
    g_signal_connect_object (dialog, "response", G_CALLBACK (on_open_response), self, 0);
    gtk_native_dialog_show (GTK_NATIVE_DIALOG (dialog));
}

static gboolean
on_drop (PvWindow *self, const GValue *value, double x, double y)
{
    GSList *files = g_value_get_boxed (value);

    for (GSList *file = files; file != NULL; file = file->next)
        pv_window_open (self, file->data, NULL);
    return files != NULL;
}

/* Commands ----------------------------------------------------------------------------------------
 */

static void
open_path (GSimpleAction *action, GVariant *parameter, gpointer user)
{
    g_autoptr (GFile) file = g_file_new_for_path (g_variant_get_string (parameter, NULL));
    pv_window_open (user, file, NULL);
}

static void
close_tab (GSimpleAction *action, GVariant *parameter, gpointer user)
{
    PvWindow *self = user;
    AdwTabPage *page = adw_tab_view_get_selected_page (self->tab_view);
    if (page != NULL)
        adw_tab_view_close_page (self->tab_view, page);
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
add_folder (GSimpleAction *action, GVariant *parameter, gpointer user)
{
    pv_document_view_add_folder (get_view (user));
}

static void
show_toast (GSimpleAction *action, GVariant *parameter, gpointer user)
{
    PvWindow *self = user;
    g_autofree char *text = g_markup_escape_text (g_variant_get_string (parameter, NULL), -1);
    adw_toast_overlay_add_toast (self->toast_overlay, adw_toast_new (text));
}

static const GActionEntry actions[] = {
    {"open", open_dialog},      {"open-path", open_path, "s"},
    {"close-tab", close_tab},   {"page", show_page, "s"},
    {"search", search},         {"search-for", search_for, "s"},
    {"find-next", find_next},   {"find-previous", find_previous},
    {"back", go_back},          {"forward", go_forward},
    {"zoom-reset", zoom_reset}, {"export", export},
    {"add-folder", add_folder}, {"toast", show_toast, "s"},
};

/* Object ------------------------------------------------------------------------------------------
 */

static void
pv_window_dispose (GObject *object)
{
    PvWindow *self = PV_WINDOW (object);

    if (self->tab_view != NULL)
        g_signal_handlers_disconnect_by_data (self->tab_view, self);
    self->tab_view = NULL;
    drop_search_binding (self);
    G_OBJECT_CLASS (pv_window_parent_class)->dispose (object);
}

static void
pv_window_class_init (PvWindowClass *class)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

    G_OBJECT_CLASS (class)->dispose = pv_window_dispose;
    gtk_widget_class_set_template_from_resource (widget_class, "/org/profview/Profview/window.ui");
    gtk_widget_class_bind_template_child (widget_class, PvWindow, toast_overlay);
    gtk_widget_class_bind_template_child (widget_class, PvWindow, switcher_title);
    gtk_widget_class_bind_template_child (widget_class, PvWindow, switcher_bar);
    gtk_widget_class_bind_template_child (widget_class, PvWindow, tab_view);
    gtk_widget_class_bind_template_child (widget_class, PvWindow, stack);
    gtk_widget_class_bind_template_child (widget_class, PvWindow, start_bin);
    gtk_widget_class_bind_template_child (widget_class, PvWindow, recent_menu);
    gtk_widget_class_bind_template_child (widget_class, PvWindow, search_button);
}

static void
pv_window_init (PvWindow *self)
{
    GtkDropTarget *drop = gtk_drop_target_new (GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);

    gtk_widget_init_template (GTK_WIDGET (self));
    g_action_map_add_action_entries (G_ACTION_MAP (self), actions, G_N_ELEMENTS (actions), self);
    g_object_bind_property (self->switcher_title, "title-visible", self->switcher_bar, "reveal",
                            G_BINDING_SYNC_CREATE);
    g_signal_connect_swapped (self->tab_view, "notify::selected-page",
                              G_CALLBACK (on_selected_page), self);
    g_signal_connect_swapped (drop, "drop", G_CALLBACK (on_drop), self);
    gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drop));
    g_signal_connect_object (gtk_recent_manager_get_default (), "changed",
                             G_CALLBACK (update_recent), self, G_CONNECT_SWAPPED);
    update_recent (self);
    update_actions (self);
}

PvWindow *
pv_window_new (AdwApplication *application)
{
    PvWindow *self = g_object_new (PV_TYPE_WINDOW, "application", application, NULL);
    return self;
}
