/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/window/document-settings.h"

#include "app/widgets/setup.h"
#include "app/work/settings.h"

/* Paths that the user added to a document: those that are opened later need them as well. */
static GtkStringList *
get_added (void)
{
    static GtkStringList *added;

    if (added == NULL)
        added = gtk_string_list_new (NULL);
    return added;
}

static void
add_symbols (PvDocument *document)
{
    g_auto (GStrv) paths = g_settings_get_strv (pv_settings_get (), "symbol-paths");
    g_autoptr (GStrvBuilder) all = g_strv_builder_new ();
    g_auto (GStrv) strings = NULL;

    g_strv_builder_addv (all, (const char **)paths);
    for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (get_added ())); i++)
        g_strv_builder_add (all, gtk_string_list_get_string (get_added (), i));
    strings = g_strv_builder_end (all);
    pv_document_add_symbols (document,
                             &(PvSymbolOptions){.search_paths = (const char *const *)strings});
}

void
pv_document_settings_add_path (PvDocument *document, const char *path)
{
    g_assert (PV_IS_DOCUMENT (document) && path != NULL);
    pv_document_add_symbol_path (document, path);
    gtk_string_list_append (get_added (), path);
}

/* Suppressions are asked for each time that a heap has been loaded: loading forgets them. */
static void
on_changed (PvDocument *document, guint what)
{
    const PvDocumentData *data = pv_document_get (document);
    g_autofree char *path = NULL;

    if ((what & PV_CHANGED_STATE) == 0 || data->state != PV_DOCUMENT_READY ||
        data->answer->profile->heap == NULL || data->query.suppressions != NULL)
        return;
    path = g_settings_get_string (pv_settings_get (), "suppressions-file");
    if (*path != '\0') {
        g_autoptr (GFile) file = g_file_new_for_path (path);
        pv_document_set_suppressions_file (document, file);
    }
}

void
pv_document_settings_follow (PvDocument *document)
{
    g_assert (PV_IS_DOCUMENT (document));
    add_symbols (document);
    pv_connect (pv_settings_get (), "changed::symbol-paths", add_symbols, document);
    pv_connect (get_added (), "items-changed", add_symbols, document);
    g_signal_connect (document, "changed", G_CALLBACK (on_changed), NULL);
}
