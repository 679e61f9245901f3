/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/window/pages.h"

#include <glib/gi18n.h>

#include "app/code/code-page.h"
#include "app/comparing/runs-page.h"
#include "app/distribution/distribution-page.h"
#include "app/graph/graph-page.h"
#include "app/pages/flame-page.h"
#include "app/pages/functions-page.h"
#include "app/pages/marks-page.h"
#include "app/pages/timeline-page.h"
#include "app/pages/tree-page.h"
#include "app/summary/summary-page.h"
#include "app/tracks/tracks-page.h"

gboolean
pv_page_has_charts (const PvProfile *profile)
{
    return profile != NULL && (profile->heap != NULL || profile->n_dumps > 0);
}

static gboolean
is_always_there (const PvDocumentData *data)
{
    return TRUE;
}

static gboolean
has_stacks (const PvDocumentData *data)
{
    return data->answer->profile == NULL ||
           !pv_profile_has_only_distributions (data->answer->profile);
}

static gboolean
has_runs (const PvDocumentData *data)
{
    return data->spec->run_list != NULL;
}

static gboolean
has_charts (const PvDocumentData *data)
{
    return pv_page_has_charts (data->answer->profile);
}

static gboolean
has_tracks (const PvDocumentData *data)
{
    return pv_tracks_page_can_show (data->answer->profile);
}

static gboolean
has_marks (const PvDocumentData *data)
{
    return pv_marks_page_can_show (data->answer->profile);
}

static gboolean
has_code (const PvDocumentData *data)
{
    return pv_code_page_can_show (data->answer->profile, data->answer->symbols);
}

static gboolean
has_distributions (const PvDocumentData *data)
{
    return pv_distribution_page_can_show (data->answer->profile);
}

const PvPageKind pv_pages[] = {
    {"runs", N_ ("Runs"), "pv-runs-symbolic", "<Control>7", pv_runs_page_get_type, has_runs},
    {"summary", N_ ("Summary"), "pv-summary-symbolic", "<Control>1", pv_summary_page_get_type,
     is_always_there},
    {"flame", N_ ("Flame Graph"), "pv-flame-symbolic", "<Control>2", pv_flame_page_get_type,
     has_stacks},
    {"tree", N_ ("Call Tree"), "pv-tree-symbolic", "<Control>3", pv_tree_page_get_type, has_stacks},
    {"functions", N_ ("Functions"), "pv-functions-symbolic", "<Control>4",
     pv_functions_page_get_type, has_stacks},
    {"graph", N_ ("Call Graph"), "pv-graph-symbolic", "<Control>k", pv_graph_page_get_type,
     has_stacks},
    {"timeline", N_ ("Timeline"), "pv-timeline-symbolic", "<Control>5", pv_timeline_page_get_type,
     has_charts},
    {"timeline", N_ ("Timeline"), "pv-timeline-symbolic", "<Control>5", pv_tracks_page_get_type,
     has_tracks},
    {"marks", N_ ("Marks"), "view-list-symbolic", "<Control>6", pv_marks_page_get_type, has_marks},
    {"source", N_ ("Source"), "pv-source-symbolic", "<Control>9", pv_code_page_get_type, has_code},
    {"distribution", N_ ("Distribution"), "pv-distribution-symbolic", "<Control>8",
     pv_distribution_page_get_type, has_distributions},
};
const unsigned pv_n_pages = G_N_ELEMENTS (pv_pages);
