/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/filters/saved-filters-menu.h"

#include <adwaita.h>
#include <glib/gi18n.h>

#include "app/widgets/accessible.h"
#include "app/widgets/actions.h"
#include "app/widgets/cut-text.h"
#include "app/widgets/message-dialog.h"
#include "app/widgets/setup.h"
#include "app/work/query-text.h"
#include "app/work/saved-filters.h"
#include "app/work/settings.h"

/* Data of the actions; owned by the widget. */
typedef struct {
    GtkWidget *widget;
    GMenu *section;
    PvDocument *document;
    GActionMap *actions;
} Saved;

static void
saved_free (gpointer data)
{
    Saved *saved = data;

    g_object_unref (saved->section);
    g_object_unref (saved->document);
    g_free (saved);
}

/* Saving */

static void
on_name_changed (AdwMessageDialog *dialog, GtkEditable *entry)
{
    g_autofree char *name = g_strstrip (g_strdup (gtk_editable_get_text (entry)));
    g_auto (GStrv) taken = pv_saved_filters_get (name);

    adw_message_dialog_set_response_enabled (dialog, "save", *name != '\0');
    adw_message_dialog_set_response_label (
        dialog, "save", taken != NULL ? C_ ("button", "_Replace") : C_ ("button", "_Save"));
}

static void
on_response (AdwMessageDialog *dialog, const char *response, Saved *saved)
{
    GtkEditable *entry = GTK_EDITABLE (adw_message_dialog_get_extra_child (dialog));
    g_autofree char *name = g_strstrip (g_strdup (gtk_editable_get_text (entry)));
    g_auto (GStrv) options = NULL;

    if (!g_str_equal (response, "save") || *name == '\0')
        return;
    options = pv_document_list_transforms (saved->document);
    pv_saved_filters_save (name, (const char *const *)options);
}

/* The filters in words, one in a line. */
static char *
describe_filters (PvDocument *document)
{
    const PvQuery *query = &pv_document_get (document)->query;
    GString *text = g_string_new (NULL);

    for (uint32_t i = 0; i < query->n_transforms; i++) {
        g_autofree char *line = NULL;
        if (query->transforms[i].is_off || !pv_query_has_option (&query->transforms[i]))
            continue;
        line = pv_format_transform (&query->transforms[i]);
        g_string_append_printf (text, "%s%s", text->len > 0 ? "\n" : "", line);
    }
    return g_string_free (text, FALSE);
}

static void
save (Saved *saved)
{
    GtkWidget *entry = gtk_entry_new ();
    g_autofree char *body = describe_filters (saved->document);
    AdwMessageDialog *dialog = pv_message_dialog_new (
        GTK_WINDOW (gtk_widget_get_root (saved->widget)), _ ("Save Filters"), body);

    gtk_entry_set_activates_default (GTK_ENTRY (entry), TRUE);
    gtk_entry_set_placeholder_text (GTK_ENTRY (entry), C_ ("setting", "Name"));
    pv_accessible_set_name (entry, C_ ("setting", "Name"));
    adw_message_dialog_set_extra_child (dialog, entry);
    adw_message_dialog_add_responses (dialog, "cancel", C_ ("button", "_Cancel"), "save",
                                      C_ ("button", "_Save"), NULL);
    adw_message_dialog_set_response_appearance (dialog, "save", ADW_RESPONSE_SUGGESTED);
    adw_message_dialog_set_default_response (dialog, "save");
    adw_message_dialog_set_close_response (dialog, "cancel");
    adw_message_dialog_set_response_enabled (dialog, "save", FALSE);
    pv_connect (entry, "changed", on_name_changed, dialog);
    g_signal_connect (dialog, "response", G_CALLBACK (on_response), saved);
    /* The widget keeps what the answer needs. */
    pv_connect (saved->widget, "destroy", gtk_window_destroy, dialog);
    gtk_window_present (GTK_WINDOW (dialog));
    gtk_widget_grab_focus (entry);
}

/* Using and deleting */

static void
use (Saved *saved, GVariant *parameter)
{
    g_auto (GStrv) options = pv_saved_filters_get (g_variant_get_string (parameter, NULL));

    if (options != NULL)
        pv_document_use_transforms (saved->document, (const char *const *)options);
}

static void delete (Saved *saved, GVariant *parameter)
{
    pv_saved_filters_delete (g_variant_get_string (parameter, NULL));
}

/* The section */

static void
append_name (GMenu *menu, const char *name, const char *action)
{
    g_autofree char *label = pv_make_menu_label (name);
    g_autoptr (GMenuItem) item = g_menu_item_new (label, NULL);

    g_menu_item_set_action_and_target (item, action, "s", name);
    g_menu_append_item (menu, item);
}

static void
fill (Saved *saved)
{
    g_auto (GStrv) names = pv_saved_filters_list ();
    g_autoptr (GMenu) uses = g_menu_new ();
    g_autoptr (GMenu) deletions = g_menu_new ();

    g_menu_remove_all (saved->section);
    for (unsigned i = 0; names[i] != NULL; i++) {
        append_name (uses, names[i], "saved.use");
        append_name (deletions, names[i], "saved.delete");
    }
    if (names[0] != NULL)
        g_menu_append_submenu (saved->section, _ ("Saved _Filters"), G_MENU_MODEL (uses));
    g_menu_append (saved->section, _ ("Sa_ve Filters…"), "saved.save");
    if (names[0] != NULL)
        g_menu_append_submenu (saved->section, _ ("De_lete Saved Filters"),
                               G_MENU_MODEL (deletions));
}

static void
update_save (Saved *saved)
{
    g_auto (GStrv) options = pv_document_list_transforms (saved->document);

    pv_actions_enable (saved->actions, "save", options[0] != NULL);
}

static void
on_document_changed (GtkWidget *widget, guint what)
{
    if (what & (PV_CHANGED_QUERY | PV_CHANGED_STATE))
        update_save (g_object_get_data (G_OBJECT (widget), "saved-filters"));
}

static void
on_settings_changed (GtkWidget *widget)
{
    fill (g_object_get_data (G_OBJECT (widget), "saved-filters"));
}

void
pv_saved_filters_menu_install (GtkWidget *widget, GMenu *section, PvDocument *document)
{
    static const PvAction entries[] = {{"save", G_CALLBACK (save)},
                                       {"use", G_CALLBACK (use), "s"},
                                       {"delete", G_CALLBACK (delete), "s"}};
    Saved *saved = g_new0 (Saved, 1);

    g_assert (GTK_IS_WIDGET (widget) && G_IS_MENU (section) && PV_IS_DOCUMENT (document));
    *saved = (Saved){
        .widget = widget,
        .section = g_object_ref (section),
        .document = g_object_ref (document),
        .actions = pv_actions_new (widget, "saved", entries, G_N_ELEMENTS (entries), saved),
    };
    g_object_set_data_full (G_OBJECT (widget), "saved-filters", saved, saved_free);
    pv_connect (document, "changed", on_document_changed, widget);
    pv_connect (pv_settings_get (), "changed::" PV_SAVED_FILTERS_KEY, on_settings_changed, widget);
    fill (saved);
    update_save (saved);
}
