/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/window/closed-tabs.h"

#include "core/analyze/query/query-command.h"
#include "core/analyze/query/query-words.h"

static PvSourceSpec *
forget_answers (const PvSourceSpec *spec)
{
    if (spec->url == NULL)
        return pv_source_spec_copy (spec);
    if (spec->is_together)
        return pv_source_spec_new_together ((const char *const *)spec->paths, spec->how, NULL);
    return spec->paths[0] != NULL ? pv_source_spec_new_for_path (spec->paths[0])
                                  : pv_source_spec_new_for_url (spec->url);
}

static PvSourceSpec *
forget_runs (const PvRunList *list)
{
    PvRunList *again =
        pv_run_list_new ((const char *const *)list->paths, (const char *const *)list->words,
                         (const char *const *)list->side_words);

    again->scale = list->scale;
    again->scale_function = g_strdup (list->scale_function);
    return pv_source_spec_new_for_runs (again);
}

/* The same comparison of files that are still to be read; NULL: a side is in no file. */
static PvSourceSpec *
forget_sides (const PvSourceSpec *spec)
{
    g_autoptr (PvSourceSpec) again =
        pv_source_spec_new_comparison ((const char *const *)spec->renames);

    again->is_joined = spec->is_joined;
    for (unsigned i = 0; i < spec->runs->len; i++) {
        const PvComparedRun *run = spec->runs->pdata[i];
        g_autoptr (PvSourceSpec) files = forget_answers (run->spec);
        g_auto (GStrv) words = run->is_of_files || run->profile == NULL
                                   ? g_strdupv (run->words)
                                   : pv_query_list_options (&run->query, run->profile);
        g_autoptr (GPtrArray) of_side = g_ptr_array_new ();
        if (files->paths[0] == NULL && files->url == NULL)
            return NULL;
        for (char **word = words; word != NULL && *word != NULL; word++)
            if (pv_command_is_about_side (*word, spec->is_joined))
                g_ptr_array_add (of_side, *word);
        g_ptr_array_add (of_side, NULL);
        pv_source_spec_add_files (again, run->side, files, (const char *const *)of_side->pdata);
    }
    return g_steal_pointer (&again);
}

PvClosedTab *
pv_closed_tab_new (PvDocument *document, int position, const char *shape)
{
    g_assert (PV_IS_DOCUMENT (document) && position >= 0);
    const PvDocumentData *data = pv_document_get (document);
    PvSourceSpec *spec = data->spec->run_list != NULL ? forget_runs (data->spec->run_list)
                         : data->spec->runs != NULL   ? forget_sides (data->spec)
                                                      : forget_answers (data->spec);
    PvClosedTab *tab;

    if (spec == NULL || data->is_discarded || pv_document_failed_to_record (document)) {
        pv_source_spec_free (spec);
        return NULL;
    }
    tab = g_new0 (PvClosedTab, 1);
    tab->spec = spec;
    tab->words = pv_document_list_words (document);
    tab->symbols = pv_symbol_options_copy (pv_document_get_symbol_options (document));
    pv_comparison_view_copy (&tab->comparison, &data->comparison);
    tab->position = position;
    tab->shape = shape;
    return tab;
}

void
pv_closed_tab_free (PvClosedTab *tab)
{
    if (tab == NULL)
        return;
    pv_source_spec_free (tab->spec);
    g_strfreev (tab->words);
    pv_symbol_options_clear (&tab->symbols);
    pv_comparison_view_clear (&tab->comparison);
    g_free (tab);
}
