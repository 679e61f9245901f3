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
#include "app/widgets/help.h"
#include "core/analyze/time/time-index.h"

/* Conditions */

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
has_tracks_or_marks (const PvDocumentData *data)
{
    return has_tracks (data) || has_marks (data);
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

/* A treemap shows sizes at once; their stacks are those of no run. */
static gboolean
has_sizes (const PvDocumentData *data)
{
    return data->answer->profile != NULL && pv_profile_has_sections (data->answer->profile);
}

/* Only what has times has flame charts. */
static const char *
find_timeless (const PvDocumentData *data)
{
    const PvAnswer *answer = data->answer;

    if (answer->tree == NULL ||
        pv_time_index_can_build (answer->tree->profile, answer->query->measure))
        return NULL;
    return answer->profile->heap != NULL
               ? _ ("A heap profile has no flame chart; the Timeline page shows the heap over time")
           : answer->profile->n_dumps > 0
               ? _ ("A series has no flame chart; the Timeline page shows the totals of each dump")
               : _ ("No flame chart: this profile does not say when its samples were taken");
}

static const char *
find_no_cpus (const PvDocumentData *data)
{
    const PvFacetKeys *keys = data->facet_keys;

    for (uint32_t i = 0; keys != NULL && i < keys->n_keys; i++)
        if (keys->keys[i].by == PV_GROUP_CPU)
            return NULL;
    return _ ("This recording does not say on which CPUs its threads ran");
}

static const char *
find_no_marks (const PvDocumentData *data)
{
    return has_marks (data) ? NULL : _ ("This recording has no events with fields");
}

static const char *
tell_no_times (const PvDocumentData *data)
{
    if (has_sizes (data))
        return _ ("These are the sizes of a program.");
    return data->spec->runs != NULL
               ? _ ("Several recordings have no time in common. Each has a timeline of its own.")
               : _ ("This profile does not say when its samples were taken.");
}

static const char *
tell_no_code (const PvDocumentData *data)
{
    return _ ("Neither lines nor machine code are known of these functions.");
}

/* Tables */

const PvPageKind pv_pages[PV_N_PAGES] = {
    [PV_PAGE_SUMMARY] = {"summary", NC_ ("page", "Summary"), "pv-summary-symbolic",
                         PV_HELP ("summary"), is_always_there},
    [PV_PAGE_GRAPH] = {"graph", NC_ ("page", "Graph"), "pv-flame-symbolic", PV_HELP ("graph"),
                       has_stacks},
    [PV_PAGE_FUNCTIONS] = {"functions", NC_ ("page", "Functions"), "pv-functions-symbolic",
                           PV_HELP ("functions"), has_stacks},
    [PV_PAGE_TIMELINE] = {"timeline", NC_ ("page", "Timeline"), "pv-timeline-symbolic",
                          PV_HELP ("timeline"), has_stacks, N_ ("No Timeline"), tell_no_times},
    [PV_PAGE_SOURCE] = {"source", NC_ ("page", "Source"), "pv-source-symbolic", PV_HELP ("source"),
                        has_stacks, N_ ("No Source"), tell_no_code},
    [PV_PAGE_RUNS] = {"runs", NC_ ("page", "Runs"), "pv-runs-symbolic", PV_HELP ("runs"), has_runs},
    [PV_PAGE_DISTRIBUTION] = {"distribution", NC_ ("page", "Distribution"),
                              "pv-distribution-symbolic", PV_HELP ("distribution"),
                              has_distributions},
};

const PvShapeKind pv_shapes[] = {
    {"summary", PV_PAGE_SUMMARY, .get_type = pv_summary_page_get_type, .can_show = is_always_there},
    {"flame", PV_PAGE_GRAPH, NC_ ("shape", "Flame"), N_ ("Flame graph: where the costs are"),
     .get_type = pv_flame_page_get_type, .can_show = has_stacks},
    {"chart", PV_PAGE_GRAPH, NC_ ("shape", "Chart"), N_ ("Flame chart: one thread over time"),
     .get_type = pv_flame_page_get_type, .can_show = has_stacks, .get_obstacle = find_timeless,
     .help = PV_HELP ("graph#chart")},
    {"treemap", PV_PAGE_GRAPH, NC_ ("shape", "Treemap"), N_ ("Treemap: nested areas"),
     .get_type = pv_flame_page_get_type, .can_show = has_stacks, .is_first = has_sizes,
     .help = PV_HELP ("graph#treemap")},
    {"sandwich", PV_PAGE_GRAPH, NC_ ("shape", "Sandwich"),
     N_ ("Sandwich: one function between its callers and its callees"),
     .get_type = pv_flame_page_get_type, .can_show = has_stacks,
     .help = PV_HELP ("graph#sandwich")},
    {"calls", PV_PAGE_GRAPH, NC_ ("shape", "Calls"), N_ ("Call graph: functions and their calls"),
     "<Control>k", pv_graph_page_get_type, has_stacks, .help = PV_HELP ("graph#calls")},
    {"list", PV_PAGE_FUNCTIONS, NC_ ("shape", "List"),
     N_ ("All functions, with callers and callees"), .get_type = pv_functions_page_get_type,
     .can_show = has_stacks},
    {"tree", PV_PAGE_FUNCTIONS, NC_ ("shape", "Top Down"),
     N_ ("Call tree: from the start of each thread to the functions it called"),
     .get_type = pv_tree_page_get_type, .can_show = has_stacks,
     .help = PV_HELP ("functions#top-down")},
    {"bottom-up", PV_PAGE_FUNCTIONS, NC_ ("shape", "Bottom Up"),
     N_ ("Functions by self cost, with their callers inside"), .get_type = pv_tree_page_get_type,
     .can_show = has_stacks, .help = PV_HELP ("functions#bottom-up")},
    {"charts", PV_PAGE_TIMELINE, NC_ ("shape", "Charts"), N_ ("Amounts over time"),
     .get_type = pv_timeline_page_get_type, .can_show = has_charts,
     .help = PV_HELP ("timeline#charts")},
    {"threads", PV_PAGE_TIMELINE, NC_ ("shape", "Threads"), N_ ("Each thread over time"),
     .get_type = pv_tracks_page_get_type, .can_show = has_tracks},
    {"cpus", PV_PAGE_TIMELINE, NC_ ("shape", "CPUs"), N_ ("Each CPU over time"),
     .get_type = pv_tracks_page_get_type, .can_show = has_tracks, .get_obstacle = find_no_cpus},
    {"heat", PV_PAGE_TIMELINE, NC_ ("shape", "Heat Map"),
     N_ ("Time in columns, from the bottom up"), .get_type = pv_tracks_page_get_type,
     .can_show = has_tracks, .help = PV_HELP ("timeline#heat-map")},
    {"marks", PV_PAGE_TIMELINE, NC_ ("shape", "Marks"), N_ ("Events and their fields"),
     .get_type = pv_marks_page_get_type, .can_show = has_tracks_or_marks,
     .get_obstacle = find_no_marks, .help = PV_HELP ("timeline#marks")},
    {"source", PV_PAGE_SOURCE, .get_type = pv_code_page_get_type, .can_show = has_code},
    {"runs", PV_PAGE_RUNS, .get_type = pv_runs_page_get_type, .can_show = has_runs},
    {"distribution", PV_PAGE_DISTRIBUTION, .get_type = pv_distribution_page_get_type,
     .can_show = has_distributions},
};
const unsigned pv_n_shapes = G_N_ELEMENTS (pv_shapes);

const PvShapeKind *
pv_shape_find (const char *id)
{
    g_assert (id != NULL);
    for (unsigned i = 0; i < pv_n_shapes; i++)
        if (g_str_equal (pv_shapes[i].id, id))
            return &pv_shapes[i];
    return NULL;
}

gboolean
pv_shape_is_possible (const PvShapeKind *shape, const PvDocumentData *data)
{
    g_assert (shape != NULL && data != NULL);
    return shape->can_show (data) &&
           (shape->get_obstacle == NULL || shape->get_obstacle (data) == NULL);
}

const char *
pv_page_get_help (const char *id)
{
    const PvShapeKind *shape = pv_shape_find (id);
    PvPageId page = shape != NULL ? shape->page : 0;

    while (shape == NULL && page < PV_N_PAGES - 1 && !g_str_equal (pv_pages[page].id, id))
        page++;
    return shape != NULL && shape->help != NULL ? shape->help : pv_pages[page].help;
}
