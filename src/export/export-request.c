/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export/export-request.h"

#include <glib/gi18n-lib.h>

#include "core/analyze/tables/emptiness.h"

char *
pv_export_make_title (const PvExportRequest *request)
{
    g_assert (request != NULL);
    const PvProfile *profile = request->profile;
    PvMeasureId measure = request->query->measure;
    return pv_profile_has_weights (profile, measure)
               ? g_strdup_printf ("%s: %s", request->name, profile->measures[measure].name)
               : g_strdup (request->name);
}

PvCallTree *
pv_export_build_stacks (const PvExportRequest *request, PvJob *job, GError **error)
{
    g_assert (request != NULL);
    g_autoptr (PvCallTree) tree = pv_call_tree_build_stacks (request->profile, request->symbols,
                                                             request->query, NULL, job, error);
    if (tree != NULL && tree->total[0] == 0) {
        pv_export_set_nothing_matches (request, error);
        return NULL;
    }
    return g_steal_pointer (&tree);
}

void
pv_export_set_nothing_matches (const PvExportRequest *request, GError **error)
{
    g_assert (request != NULL);
    const PvProfile *profile = request->profile;
    const char *text =
        profile->heap != NULL ? _ ("nothing matches the query") : _ ("no samples match the query");
    g_autoptr (PvEmptiness) emptiness =
        pv_emptiness_find (profile, request->symbols, request->query, NULL);
    g_autofree char *reason = emptiness != NULL ? pv_emptiness_format (emptiness, profile) : NULL;
    if (reason == NULL)
        g_set_error_literal (error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED, text);
    else if (pv_emptiness_is_of_query (emptiness))
        g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED, "%s: %s", text, reason);
    else
        g_set_error_literal (error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED, reason);
}
