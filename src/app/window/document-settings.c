/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/window/document-settings.h"

#include "app/widgets/setup.h"
#include "app/work/settings.h"

static void
add_symbols (PvDocument *document)
{
    g_auto (GStrv) paths = g_settings_get_strv (pv_settings_get (), "symbol-paths");
    const PvSymbolOptions symbols = {.search_paths = (const char *const *)paths};

    pv_document_add_symbols (document, &symbols);
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
    g_signal_connect (document, "changed", G_CALLBACK (on_changed), NULL);
}
