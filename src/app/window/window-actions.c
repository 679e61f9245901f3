/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The window's actions, for its menus, keys and buttons, but for those of opening-actions.c. */
#include <glib/gi18n.h>

#include "app/editor/editor-dialog.h"
#include "app/editor/open-source.h"
#include "app/window/window-private.h"
#include "app/work/settings.h"

/* Actions that only call a function of the document, or of its view with the parameter or NULL */

static void
find_next (PvDocumentView *view)
{
    pv_document_view_select_match (view, TRUE);
}

static void
find_previous (PvDocumentView *view)
{
    pv_document_view_select_match (view, FALSE);
}

static const struct {
    const char *name;
    void (*of_document) (PvDocument *document);
    void (*of_view) (PvDocumentView *view);
    void (*with_text) (PvDocumentView *view, const char *text);
} calls[] = {
    {"reload", .of_document = pv_document_reload},
    {"back", .of_document = pv_document_go_back},
    {"forward", .of_document = pv_document_go_forward},
    {"find-next", .of_view = find_next},
    {"find-previous", .of_view = find_previous},
    {"zoom-reset", .of_view = pv_document_view_zoom_out},
    {"export", .of_view = pv_document_view_export},
    {"add-folder", .of_view = pv_document_view_add_folder},
    {"add-archive", .of_view = pv_document_view_add_archive},
    {"page", .with_text = pv_document_view_show_page},
    {"search", .with_text = pv_document_view_search},
    {"search-for", .with_text = pv_document_view_search},
};

static void
call (GSimpleAction *action, GVariant *parameter, gpointer user)
{
    PvDocumentView *view = pv_window_get_view (user);
    unsigned i = 0;

    while (!g_str_equal (calls[i].name, g_action_get_name (G_ACTION (action))))
        i++;
    if (calls[i].of_document != NULL)
        calls[i].of_document (pv_document_view_get_document (view));
    else if (calls[i].of_view != NULL)
        calls[i].of_view (view);
    else
        calls[i].with_text (view,
                            parameter != NULL ? g_variant_get_string (parameter, NULL) : NULL);
}

/* Commands */

static void
close_menu_tab (GSimpleAction *action, GVariant *parameter, gpointer user)
{
    PvWindow *self = user;

    if (self->menu_page != NULL)
        adw_tab_view_close_page (self->tab_view, self->menu_page);
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

/* Copies the command that shows the same as the page. */
static void
copy_command (GSimpleAction *action, GVariant *parameter, gpointer user)
{
    PvWindow *self = user;
    g_autofree char *command = pv_document_view_make_command (pv_window_get_view (self));

    if (command != NULL)
        gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), command);
}

/* The parameter is an ending of pv_exports. */
static void
export_as (GSimpleAction *action, GVariant *parameter, gpointer user)
{
    const char *ending = g_variant_get_string (parameter, NULL);

    for (size_t i = 0; i < pv_n_exports; i++)
        if (g_str_equal (pv_exports[i].endings[0], ending))
            pv_document_view_export_profile (pv_window_get_view (user), &pv_exports[i]);
}

/* By a key that works wherever the focus is: tables may have no rows any more that could have it.
 */
static void
toggle_noise (GSimpleAction *action, GVariant *parameter, gpointer user)
{
    GSettings *settings = pv_settings_get ();

    g_settings_set_boolean (settings, "noise-hidden",
                            !g_settings_get_boolean (settings, "noise-hidden"));
}

AdwToast *
pv_window_show_toast (PvWindow *self, const char *text)
{
    g_autofree char *markup = g_markup_escape_text (text, -1);
    AdwToast *toast = adw_toast_new (markup);

    g_assert (PV_IS_WINDOW (self));
    adw_toast_overlay_add_toast (self->toast_overlay, toast);
    return toast;
}

static void
show_toast (GSimpleAction *action, GVariant *parameter, gpointer user)
{
    pv_window_show_toast (user, g_variant_get_string (parameter, NULL));
}

/* Parameter: a source file as recorded, a line, and the module's file, which may be empty. */
static void
open_in_editor (GSimpleAction *action, GVariant *parameter, gpointer user)
{
    PvDocument *document = pv_window_get_document (user);
    PvRecordedPlace place = {0};

    g_variant_get (parameter, "(^&ayu^&ay)", &place.file, &place.line, &place.binary);
    if (*place.binary == '\0')
        place.binary = NULL;
    if (document != NULL)
        pv_open_source (GTK_WINDOW (user), document, &place);
}

static void
choose_editor (GSimpleAction *action, GVariant *parameter, gpointer user)
{
    pv_editor_dialog_show (GTK_WINDOW (user));
}

static const GActionEntry actions[] = {
    {"export-as", export_as, "s"},
    {"reload", call},
    {"close-tab", close_tab},
    {"toggle-noise", toggle_noise},
    {"close-menu-tab", close_menu_tab},
    {"page", call, "s"},
    {"search", call},
    {"search-for", call, "s"},
    {"find-next", call},
    {"find-previous", call},
    {"back", call},
    {"forward", call},
    {"copy-command", copy_command},
    {"zoom-reset", call},
    {"export", call},
    {"add-folder", call},
    {"add-archive", call},
    {"toast", show_toast, "s"},
    {"open-in-editor", open_in_editor, "(ayuay)"},
    {"choose-editor", choose_editor},
};

void
pv_window_add_actions (PvWindow *self)
{
    g_action_map_add_action_entries (G_ACTION_MAP (self), actions, G_N_ELEMENTS (actions), self);
}
