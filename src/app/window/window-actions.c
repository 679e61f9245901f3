/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The window's actions, for its menus, keys and buttons, but for those of opening-actions.c. */
#include <glib/gi18n.h>
#include <stdlib.h>

#include "app/editor/open-source.h"
#include "app/widgets/actions.h"
#include "app/widgets/show-file.h"
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

/* text: a number, from 1. */
static void
show_nth_page (PvDocumentView *view, const char *text)
{
    pv_document_view_show_nth_page (view, (guint)atoi (text) - 1);
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
    {"nth-page", .with_text = show_nth_page},
    {"search", .with_text = pv_document_view_search},
    {"search-for", .with_text = pv_document_view_search},
};

static void
call (PvWindow *self, GVariant *parameter, GSimpleAction *action)
{
    PvDocumentView *view = pv_window_get_view (self);
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
close_menu_tab (PvWindow *self)
{
    if (self->menu_page != NULL)
        adw_tab_view_close_page (self->tab_view, self->menu_page);
}

static void
close_tab (PvWindow *self)
{
    AdwTabPage *page = adw_tab_view_get_selected_page (self->tab_view);
    if (page != NULL)
        adw_tab_view_close_page (self->tab_view, page);
    else
        gtk_window_close (GTK_WINDOW (self));
}

/* Copies the command that shows the same as the page. */
static void
copy_command (PvWindow *self)
{
    g_autofree char *command = pv_document_view_make_command (pv_window_get_view (self));

    if (command != NULL)
        gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), command);
}

/* The parameter is an ending of pv_exports. */
static void
export_as (PvWindow *self, GVariant *parameter)
{
    const char *ending = g_variant_get_string (parameter, NULL);

    for (size_t i = 0; i < pv_n_exports; i++)
        if (g_str_equal (pv_exports[i].endings[0], ending))
            pv_document_view_export_profile (pv_window_get_view (self), &pv_exports[i]);
}

/* By a key that works wherever the focus is: tables may have no rows any more that could have it.
 */
static void
toggle_noise (PvWindow *self)
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

/* Says what the user has just done, in place of the last such message. */
static AdwToast *
show_next_toast (PvWindow *self, const char *text)
{
    AdwToast *toast, *last = self->last_toast;

    g_clear_weak_pointer (&self->last_toast);
    if (last != NULL)
        adw_toast_dismiss (last);
    toast = pv_window_show_toast (self, text);
    g_set_weak_pointer (&self->last_toast, toast);
    return toast;
}

/* The same again, such as of rows that are copied twice, stays. */
static void
show_toast (PvWindow *self, GVariant *parameter)
{
    const char *text = g_variant_get_string (parameter, NULL);
    g_autofree char *markup = g_markup_escape_text (text, -1);

    if (self->last_toast != NULL && g_str_equal (adw_toast_get_title (self->last_toast), markup))
        return;
    show_next_toast (self, text);
}

/* The parameter: what is said, and the file that was written. */
static void
tell_saved (PvWindow *self, GVariant *parameter)
{
    const char *text, *path;
    AdwToast *toast;

    g_variant_get (parameter, "(&s^&ay)", &text, &path);
    toast = show_next_toast (self, text);
    adw_toast_set_button_label (toast, _ ("Show in Files"));
    /* The target first: GTK warns of an action that lacks its target. */
    adw_toast_set_action_target_value (toast, g_variant_new_bytestring (path));
    adw_toast_set_action_name (toast, "win.show-file");
}

static void
show_file (PvWindow *self, GVariant *parameter)
{
    pv_show_in_files (GTK_WINDOW (self), g_variant_get_bytestring (parameter));
}

/* Parameter: a source file as recorded, a line, and the module's file, which may be empty. */
static void
open_in_editor (PvWindow *self, GVariant *parameter)
{
    PvDocument *document = pv_window_get_document (self);
    PvRecordedPlace place = {0};

    g_variant_get (parameter, "(^&ayu^&ay)", &place.file, &place.line, &place.binary);
    if (*place.binary == '\0')
        place.binary = NULL;
    if (document != NULL)
        pv_open_source (GTK_WINDOW (self), document, &place);
}

static const PvAction actions[] = {
    {"export-as", G_CALLBACK (export_as), "s"},
    {"reload", G_CALLBACK (call)},
    {"close-tab", G_CALLBACK (close_tab)},
    {"toggle-noise", G_CALLBACK (toggle_noise)},
    {"close-menu-tab", G_CALLBACK (close_menu_tab)},
    {"page", G_CALLBACK (call), "s"},
    {"nth-page", G_CALLBACK (call), "s"},
    {"search", G_CALLBACK (call)},
    {"search-for", G_CALLBACK (call), "s"},
    {"find-next", G_CALLBACK (call)},
    {"find-previous", G_CALLBACK (call)},
    {"back", G_CALLBACK (call)},
    {"forward", G_CALLBACK (call)},
    {"copy-command", G_CALLBACK (copy_command)},
    {"zoom-reset", G_CALLBACK (call)},
    {"export", G_CALLBACK (call)},
    {"add-folder", G_CALLBACK (call)},
    {"add-archive", G_CALLBACK (call)},
    {"toast", G_CALLBACK (show_toast), "s"},
    {"tell-saved", G_CALLBACK (tell_saved), "(say)"},
    {"show-file", G_CALLBACK (show_file), "ay"},
    {"open-in-editor", G_CALLBACK (open_in_editor), "(ayuay)"},
};

void
pv_window_add_actions (PvWindow *self)
{
    pv_actions_add (G_ACTION_MAP (self), actions, G_N_ELEMENTS (actions), self);
}
