/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The window: shows the selected document, keeps its size, and loses no click. */
#include <glib/gi18n.h>
#include <string.h>

#include "app/document/comparing.h"
#include "app/recording/recent.h"
#include "app/widgets/accessible.h"
#include "app/widgets/actions.h"
#include "app/widgets/cut-text.h"
#include "app/widgets/help.h"
#include "app/widgets/setup.h"
#include "app/widgets/style.h"
#include "app/window/pages.h"
#include "app/window/start-page.h"
#include "app/window/window-private.h"
#include "app/work/settings.h"
#include "core/base/error.h"

/* Widths from which the record button has a label, and from which the document's name is shown. */
#define MIN_WIDTH_FOR_TEXT     600
#define MIN_WIDTH_FOR_NAME     700
#define MIN_WIDTH_BESIDE_PAGES 1360
#define MIN_NAME_CHARS         14  /* of a document's name beside the pages */
#define NARROW_WIDTH           500 /* of text of the usual size; in less, it is as on a phone */

#define BUTTONS (GDK_BUTTON1_MASK | GDK_BUTTON2_MASK | GDK_BUTTON3_MASK)

G_DEFINE_FINAL_TYPE (PvWindow, pv_window, ADW_TYPE_APPLICATION_WINDOW)

PvDocumentView *
pv_window_get_view (PvWindow *self)
{
    AdwTabPage *page = adw_tab_view_get_selected_page (self->tab_view);
    return page != NULL ? PV_DOCUMENT_VIEW (adw_tab_page_get_child (page)) : NULL;
}

PvDocument *
pv_window_get_document (PvWindow *self)
{
    PvDocumentView *view = pv_window_get_view (self);
    return view != NULL ? pv_document_view_get_document (view) : NULL;
}

/* Actions, titles and the selected page */

/* Tool tips of the switcher's buttons, which are in the order of the pages. */
static void
tell_keys (PvWindow *self, AdwViewStack *pages)
{
    g_autoptr (GListModel) list = G_LIST_MODEL (adw_view_stack_get_pages (pages));
    GtkWidget *button = gtk_widget_get_first_child (GTK_WIDGET (self->switcher));
    guint number = 0;

    for (guint i = 0; button != NULL && i < g_list_model_get_n_items (list); i++) {
        g_autoptr (AdwViewStackPage) page = g_list_model_get_item (list, i);
        if (adw_view_stack_page_get_visible (page)) {
            g_autofree char *tip =
                g_strdup_printf ("%s (Ctrl+%u)", adw_view_stack_page_get_title (page), ++number);
            gtk_widget_set_tooltip_text (button, tip);
        }
        button = gtk_widget_get_next_sibling (button);
    }
}

void
pv_window_update_actions (PvWindow *self)
{
    GActionMap *actions = G_ACTION_MAP (self);
    PvDocument *document = pv_window_get_document (self);
    const PvDocumentData *data = document != NULL ? pv_document_get (document) : NULL;
    gboolean is_ready = data != NULL && data->state == PV_DOCUMENT_READY;
    static const char *const needs_tree[] = {
        "search-for", "find-next",  "find-previous", "page",       "nth-page", "export",
        "search",     "add-folder", "add-archive",   "zoom-reset", "export-as"};
    gboolean can_compare = document != NULL && pv_document_can_compare (document);

    /* Some actions come after the window. */
    for (unsigned i = 0; i < G_N_ELEMENTS (needs_tree); i++)
        pv_actions_enable (actions, needs_tree[i], is_ready);
    gtk_widget_set_sensitive (GTK_WIDGET (self->search_button), is_ready);
    pv_actions_enable (actions, "copy-command", is_ready && pv_document_has_command (document));
    pv_actions_enable (actions, "compare", can_compare);
    pv_actions_enable (actions, "record-and-compare",
                       document != NULL && pv_document_can_record_again (document));
    pv_actions_enable (actions, "join", can_compare);
    pv_actions_enable (actions, "reopen-tab", self->closed_tabs->len > 0);
    if (!is_ready || !pv_document_is_deriving (document, PV_DERIVED_SUMS))
        pv_actions_enable (actions, "toggle-noise",
                           is_ready && data->sums != NULL && data->sums->functions->noise != NULL);
    pv_actions_enable (actions, "compare-ranges", can_compare);
    /* On other pages, pasting is for their entries. */
    pv_actions_enable (actions, "paste", document == NULL);
    pv_actions_enable (actions, "back", is_ready && data->can_go_back);
    pv_actions_enable (actions, "forward", is_ready && data->can_go_forward);
    pv_actions_enable (actions, "reload", data != NULL && data->state != PV_DOCUMENT_LOADING);
    adw_squeezer_page_set_enabled (
        adw_squeezer_get_page (self->squeezer, GTK_WIDGET (self->switcher)), is_ready);
    if (is_ready)
        tell_keys (self, pv_document_view_get_pages (pv_window_get_view (self)));
    adw_view_switcher_bar_set_stack (
        self->switcher_bar,
        is_ready ? pv_document_view_get_pages (pv_window_get_view (self)) : NULL);
}

/* Unbinds; unreferencing alone would keep the binding alive. */
static void
drop_search_binding (PvWindow *self)
{
    if (self->search_binding != NULL)
        g_binding_unbind (self->search_binding);
    g_clear_object (&self->search_binding);
}

static void
name_open_button (PvWindow *self)
{
    pv_accessible_name_parts (GTK_WIDGET (self->open_button), C_ ("button", "Open"),
                              _ ("Recent files"));
}

/* Or else an icon. GTK names the button by a new label. */
static void
show_open_label (PvWindow *self, gboolean is_wanted)
{
    if (is_wanted == (adw_split_button_get_icon_name (self->open_button) == NULL))
        return;
    if (is_wanted)
        adw_split_button_set_label (self->open_button, C_ ("button", "_Open"));
    else
        adw_split_button_set_icon_name (self->open_button, "document-open-symbolic");
    name_open_button (self);
}

/* Or else only the one that closes the window, at the side that it has on this desktop. */
static void
show_window_buttons (PvWindow *self, gboolean are_all)
{
    g_autofree char *layout = NULL;
    const char *close, *sides;

    if (are_all == (adw_header_bar_get_decoration_layout (self->header_bar) == NULL))
        return;
    g_object_get (gtk_widget_get_settings (GTK_WIDGET (self)), "gtk-decoration-layout", &layout,
                  NULL);
    close = layout != NULL ? strstr (layout, "close") : NULL;
    sides = layout != NULL ? strchr (layout, ':') : NULL;
    adw_header_bar_set_decoration_layout (self->header_bar, are_all         ? NULL
                                                            : close == NULL ? ":"
                                                            : sides == NULL || close < sides
                                                                ? "close:"
                                                                : ":close");
}

/* Before the window is laid out, the width that it asks for decides, so that it begins as it stays.
 */
static gboolean
is_as_narrow_as_a_phone (PvWindow *self)
{
    int width = self->width, height;

    if (width == 0)
        gtk_window_get_default_size (GTK_WINDOW (self), &width, &height);
    return width > 0 && width < NARROW_WIDTH * pv_style_get_text_scale (GTK_WIDGET (self));
}

/* The record button's label gives way to the document's name, and the name of a single document to
 * the buttons; several documents have tabs. By the width of the window, as the room left in the
 * header bar depends on the labels. Where there is none for the switcher, the bar shows the title:
 * then the name only becomes transparent, because the switcher's room was measured with it. */
static void
update_header (PvWindow *self)
{
    gboolean is_title =
        adw_squeezer_get_visible_child (self->squeezer) == GTK_WIDGET (self->window_title);
    gboolean has_one = self->tab_view != NULL && adw_tab_view_get_n_pages (self->tab_view) == 1;
    gboolean has_view = self->tab_view != NULL && pv_window_get_view (self) != NULL;
    const char *title = gtk_window_get_title (GTK_WINDOW (self));
    gboolean is_narrow = is_as_narrow_as_a_phone (self);
    glong n_chars = title != NULL ? g_utf8_strlen (title, -1) : 0;

    pv_set_css_class (GTK_WIDGET (self), "pv-narrow", is_narrow);
    show_open_label (self, !is_narrow);
    show_window_buttons (self, !is_narrow);
    gtk_widget_set_visible (self->record_label, self->width >= (has_view ? MIN_WIDTH_BESIDE_PAGES
                                                                         : MIN_WIDTH_FOR_TEXT));
    gtk_widget_set_visible (GTK_WIDGET (self->name_label),
                            has_one && self->width >= MIN_WIDTH_FOR_NAME);
    gtk_widget_set_opacity (GTK_WIDGET (self->name_label), is_title ? 0 : 1);
    gtk_label_set_width_chars (self->name_label, (int)MIN (n_chars, MIN_NAME_CHARS));
    gtk_label_set_text (self->name_label, title);
    adw_view_switcher_bar_set_reveal (self->switcher_bar, is_title);
    if (has_view && self->height > 0)
        pv_document_view_set_room (pv_window_get_view (self), self->height, is_narrow);
}

void
pv_window_update_titles (PvWindow *self)
{
    AdwTabPage *selected = adw_tab_view_get_selected_page (self->tab_view);
    const char *title;

    if (!self->is_filling)
        pv_window_name_tabs (self);
    title = selected != NULL ? pv_window_get_long_title (selected) : "Profview";
    adw_window_title_set_title (self->window_title, title);
    gtk_window_set_title (GTK_WINDOW (self), title);
    update_header (self);
}

static gboolean
focus_content (gpointer user)
{
    PvWindow *self = user;
    PvDocumentView *view = self->tab_view != NULL ? pv_window_get_view (self) : NULL;

    if (view != NULL)
        pv_document_view_focus_page (view);
    else if (self->tab_view != NULL)
        gtk_widget_child_focus (GTK_WIDGET (self->start_bin), GTK_DIR_TAB_FORWARD);
    return G_SOURCE_REMOVE;
}

void
pv_window_focus_content (PvWindow *self)
{
    g_idle_add_full (G_PRIORITY_HIGH_IDLE, focus_content, g_object_ref (self), g_object_unref);
}

static void
on_selected_page (PvWindow *self)
{
    PvDocumentView *view = pv_window_get_view (self);
    AdwViewStack *pages = view != NULL ? pv_document_view_get_pages (view) : NULL;

    if (view == NULL && adw_bin_get_child (self->start_bin) == NULL)
        adw_bin_set_child (self->start_bin, g_object_new (PV_TYPE_START_PAGE, NULL));
    pv_window_load_selected (self);
    gtk_stack_set_visible_child_name (self->stack, view != NULL ? "tabs" : "start");
    if (view == NULL)
        pv_window_focus_content (self);
    adw_view_switcher_set_stack (self->switcher, pages);
    pv_window_update_titles (self);
    drop_search_binding (self);
    gtk_toggle_button_set_active (self->search_button, FALSE);
    if (view != NULL)
        self->search_binding = g_object_ref (g_object_bind_property (
            pv_document_view_get_search_bar (view), "search-mode-enabled", self->search_button,
            "active", G_BINDING_BIDIRECTIONAL | G_BINDING_SYNC_CREATE));
    pv_window_update_actions (self);
    /* A view that was hidden may have had another size. When a scroll bar appears there, GTK 4.8
     * draws nothing until all around it is allocated. */
    gtk_widget_queue_resize (GTK_WIDGET (self->tab_view));
}

void
pv_window_document_changed (PvDocument *document, guint what, PvWindow *self)
{
    const PvDocumentData *data = pv_document_get (document);
    gboolean is_ready = data->state == PV_DOCUMENT_READY;

    /* Documents still change while a window that closes disposes of their views. */
    if (self->tab_view == NULL)
        return;
    pv_window_mark_tabs (self, document);
    if (document == pv_window_get_document (self))
        pv_window_update_actions (self);
    if (what & PV_CHANGED_TITLE)
        pv_window_update_titles (self);
    /* A growing series changes each time; a running recording may still be discarded. */
    if (data->is_recording)
        return;
    if (is_ready && (what & (PV_CHANGED_STATE | PV_CHANGED_TITLE)))
        pv_recent_add (data->spec, data->title, data->answer->profile->facts.media_type);
    else if ((what & PV_CHANGED_STATE) && data->spec->runs == NULL &&
             g_error_matches (data->error, PV_READ_ERROR, PV_READ_ERROR_NOT_FOUND))
        pv_recent_remove (data->file);
}

void
pv_window_show_start (PvWindow *self)
{
    g_assert (PV_IS_WINDOW (self));
    if (pv_window_get_view (self) == NULL)
        on_selected_page (self);
}

AdwTabView *
pv_window_get_tabs (PvWindow *self)
{
    g_assert (PV_IS_WINDOW (self));
    return self->tab_view;
}

const char *
pv_window_get_help (PvWindow *self)
{
    g_assert (PV_IS_WINDOW (self));
    PvDocumentView *view = pv_window_get_view (self);

    return view != NULL ? pv_document_view_get_help (view) : PV_HELP ("start");
}

/* Size, remembered from run to run */

static void
restore_size (PvWindow *self)
{
    int width, height;

    g_settings_get (pv_settings_get (), "window-size", "(ii)", &width, &height);
    if (width > 0 && height > 0)
        gtk_window_set_default_size (GTK_WINDOW (self), MIN (width, 16384), MIN (height, 16384));
    if (g_settings_get_boolean (pv_settings_get (), "window-maximized"))
        gtk_window_maximize (GTK_WINDOW (self));
}

static gboolean
follow_width (gpointer user)
{
    PvWindow *self = user;

    self->header_idle = 0;
    update_header (self);
    return G_SOURCE_REMOVE;
}

/* Widgets that come and go while their window is laid out would be drawn without a place: the
 * squeezer, too, chooses its child then. */
static void
queue_header (PvWindow *self)
{
    if (self->header_idle == 0)
        self->header_idle = g_idle_add_full (G_PRIORITY_HIGH_IDLE, follow_width, self, NULL);
}

static void
on_layout (PvWindow *self, int width, int height)
{
    if (width == self->width && height == self->height)
        return;
    self->width = width;
    self->height = height;
    queue_header (self);
}

static void
pv_window_realize (GtkWidget *widget)
{
    GTK_WIDGET_CLASS (pv_window_parent_class)->realize (widget);
    pv_connect (gtk_native_get_surface (GTK_NATIVE (widget)), "layout", on_layout, widget);
}

static void
pv_window_unrealize (GtkWidget *widget)
{
    int width, height;

    gtk_window_get_default_size (GTK_WINDOW (widget), &width, &height);
    g_settings_set (pv_settings_get (), "window-size", "(ii)", width, height);
    g_settings_set_boolean (pv_settings_get (), "window-maximized",
                            gtk_window_is_maximized (GTK_WINDOW (widget)));
    GTK_WIDGET_CLASS (pv_window_parent_class)->unrealize (widget);
}

/* Clicks */

/* After a layout, GTK on X11 asks the server where the pointer is, and makes a motion of the
 * answer, one without a time. When a button is up again by then and the release still waits to be
 * handled, that motion has no button: a click gesture takes it for a cancel, and the click is lost.
 */
static gboolean
on_event (PvWindow *self, GdkEvent *event)
{
    GdkEventType type = gdk_event_get_event_type (event);
    gboolean is_motion = type == GDK_MOTION_NOTIFY;

    if (is_motion && gdk_event_get_time (event) == GDK_CURRENT_TIME)
        return self->is_pressed ? GDK_EVENT_STOP : GDK_EVENT_PROPAGATE;
    if (is_motion || type == GDK_BUTTON_PRESS || type == GDK_BUTTON_RELEASE)
        self->is_pressed = type == GDK_BUTTON_PRESS ||
                           (is_motion && (gdk_event_get_modifier_state (event) & BUTTONS) != 0);
    return GDK_EVENT_PROPAGATE;
}

static void
keep_clicks (PvWindow *self)
{
    GtkEventController *controller = gtk_event_controller_legacy_new ();

    gtk_event_controller_set_propagation_phase (controller, GTK_PHASE_CAPTURE);
    pv_connect (controller, "event", on_event, self);
    gtk_widget_add_controller (GTK_WIDGET (self), controller);
}

/* Keys between tabs, wherever the focus is: text and tables would take them for themselves. */
static gboolean
on_key (PvWindow *self, guint key, guint code, GdkModifierType state)
{
    const gboolean is_forward = key == GDK_KEY_Page_Down || key == GDK_KEY_KP_Page_Down;

    if ((!is_forward && key != GDK_KEY_Page_Up && key != GDK_KEY_KP_Page_Up) ||
        (state & gtk_accelerator_get_default_mod_mask ()) != GDK_CONTROL_MASK)
        return GDK_EVENT_PROPAGATE;
    pv_window_turn_tabs (self, is_forward);
    return GDK_EVENT_STOP;
}

/* GTK 4.8 leaves the focus in the menu if an item of a submenu was clicked: no key would do
 * anything. */
static gboolean
restore_focus (gpointer user)
{
    PvWindow *self = user;
    GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self));
    PvDocumentView *view = self->tab_view != NULL ? pv_window_get_view (self) : NULL;

    if (self->tab_view == NULL || (focus != NULL && gtk_widget_get_mapped (focus)))
        return G_SOURCE_REMOVE;
    if (view == NULL || !pv_document_view_focus_page (view))
        gtk_widget_grab_focus (GTK_WIDGET (self->menu_button));
    return G_SOURCE_REMOVE;
}

static void
on_menu_closed (PvWindow *self)
{
    g_idle_add_full (G_PRIORITY_HIGH_IDLE, restore_focus, g_object_ref (self), g_object_unref);
}

/* The menu of a tab: on what its actions work. */
static void
on_tab_menu (PvWindow *self, AdwTabPage *page)
{
    gboolean can_compare = page != NULL && pv_document_can_compare (pv_document_view_get_document (
                                               PV_DOCUMENT_VIEW (adw_tab_page_get_child (page))));

    self->menu_page = page;
    if (page == NULL)
        return;
    pv_actions_enable (G_ACTION_MAP (self), "compare-tab", can_compare);
    pv_actions_enable (G_ACTION_MAP (self), "join-tab", can_compare);
}

/* Object */

static gboolean
pv_window_close_request (GtkWindow *window)
{
    if (pv_window_keep_open (PV_WINDOW (window)))
        return GDK_EVENT_STOP;
    return GTK_WINDOW_CLASS (pv_window_parent_class)->close_request (window);
}

static void
pv_window_dispose (GObject *object)
{
    PvWindow *self = PV_WINDOW (object);

    if (self->tab_view != NULL)
        g_signal_handlers_disconnect_by_data (self->tab_view, self);
    self->tab_view = NULL;
    g_clear_handle_id (&self->header_idle, g_source_remove);
    g_clear_pointer (&self->closed_tabs, g_ptr_array_unref);
    g_clear_weak_pointer (&self->last_toast);
    g_clear_pointer (&self->launches_task, pv_task_close);
    g_clear_pointer (&self->find_task, pv_task_close);
    drop_search_binding (self);
    G_OBJECT_CLASS (pv_window_parent_class)->dispose (object);
}

static void
pv_window_finalize (GObject *object)
{
    pv_symbol_options_clear (&PV_WINDOW (object)->symbols);
    G_OBJECT_CLASS (pv_window_parent_class)->finalize (object);
}

static void
pv_window_class_init (PvWindowClass *class)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

    G_OBJECT_CLASS (class)->dispose = pv_window_dispose;
    G_OBJECT_CLASS (class)->finalize = pv_window_finalize;
    widget_class->realize = pv_window_realize;
    GTK_WINDOW_CLASS (class)->close_request = pv_window_close_request;
    widget_class->unrealize = pv_window_unrealize;
    PV_SET_TEMPLATE (widget_class, "window");
    PV_BIND_CHILDREN (widget_class, PvWindow, toast_overlay, header_bar, squeezer, switcher,
                      window_title, switcher_bar, record_button, record_label, name_label, tab_bar,
                      tab_view, stack, start_bin, open_button, menu_button, recent_menu,
                      export_menu, search_button);
}

/* A section for each kind of content. */
static void
fill_export_menu (GMenu *menu)
{
    GMenu *section = NULL;

    for (size_t i = 0; i < pv_n_exports; i++) {
        const PvExport *export = &pv_exports[i];
        g_autofree char *action = g_strdup_printf ("win.export-as::%s", export->endings[0]);
        if (export->label == NULL)
            continue;
        if (section == NULL || pv_exports[i - 1].content != export->content) {
            g_autoptr (GMenu) next = g_menu_new ();
            g_menu_append_section (menu, NULL, G_MENU_MODEL (next));
            section = next; /* the menu's from now on */
        }
        g_menu_append (section, _ (export->label), action);
    }
}

static void
add_to (gpointer parent, gpointer child)
{
    GTK_BUILDABLE_GET_IFACE (parent)->add_child (parent, NULL, child, NULL);
}

/* The list of keys, with a section of the pages' at its end. */
static void
add_help (PvWindow *self)
{
    g_autoptr (GtkBuilder) builder =
        gtk_builder_new_from_resource ("/org/profview/Profview/help-overlay.ui");
    GObject *help = gtk_builder_get_object (builder, "help_overlay");
    gpointer section = g_object_new (GTK_TYPE_SHORTCUTS_SECTION, "section-name", "pages", "title",
                                     C_ ("heading", "Pages"), "max-height", 20, NULL);
    gpointer group =
        g_object_new (GTK_TYPE_SHORTCUTS_GROUP, "title", C_ ("heading", "Pages"), NULL);

    for (PvPageId page = 0; page <= PV_PAGE_SOURCE; page++) {
        g_autofree char *key = g_strdup_printf ("<Control>%u", page + 1);
        add_to (group, g_object_new (GTK_TYPE_SHORTCUTS_SHORTCUT, "title",
                                     g_dpgettext2 (GETTEXT_PACKAGE, "page", pv_pages[page].title),
                                     "accelerator", key, NULL));
    }
    for (unsigned i = 0; i < pv_n_shapes; i++)
        if (pv_shapes[i].key != NULL)
            add_to (group, g_object_new (GTK_TYPE_SHORTCUTS_SHORTCUT, "title", _ (pv_shapes[i].tip),
                                         "accelerator", pv_shapes[i].key, NULL));
    add_to (section, group);
    add_to (help, section);
    gtk_application_window_set_help_overlay (GTK_APPLICATION_WINDOW (self),
                                             GTK_SHORTCUTS_WINDOW (help));
}

static void
pv_window_init (PvWindow *self)
{
    gtk_widget_init_template (GTK_WIDGET (self));
    self->closed_tabs = g_ptr_array_new_with_free_func ((GDestroyNotify)pv_closed_tab_free);
    pv_label_show_cut_text (self->name_label);
    pv_window_add_actions (self);
    pv_connect (self->squeezer, "notify::visible-child", queue_header, self);
    pv_connect (self->tab_view, "notify::selected-page", on_selected_page, self);
    pv_connect (self->tab_view, "notify::n-pages", pv_window_update_titles, self);
    pv_connect (self->tab_view, "close-page", pv_window_close_page, self);
    pv_connect (self->tab_view, "setup-menu", on_tab_menu, self);
    name_open_button (self);
    pv_connect (gtk_menu_button_get_popover (self->menu_button), "closed", on_menu_closed, self);
    fill_export_menu (self->export_menu);
    add_help (self);
    restore_size (self);
    keep_clicks (self);
    pv_add_keys (GTK_WIDGET (self), GTK_PHASE_CAPTURE, on_key, self);
    pv_window_watch_recent (self);
    pv_window_update_actions (self);
}

PvWindow *
pv_window_new (AdwApplication *application)
{
    g_assert (ADW_IS_APPLICATION (application));
    return g_object_new (PV_TYPE_WINDOW, "application", application, NULL);
}
