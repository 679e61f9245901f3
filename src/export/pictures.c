/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export/pictures.h"

#include <glib/gi18n-lib.h>

#include "core/analyze/code/source-listing.h"
#include "core/analyze/graph/graph-build.h"
#include "core/analyze/series/series-build.h"
#include "core/analyze/tree/sandwich.h"
#include "core/load/save-dot.h"
#include "export/report/annotated-lines.h"
#include "export/report/print-parts.h"
#include "export/report/report.h"
#include "export/report/timeline.h"
#include "render/draw/palette.h"
#include "render/draw/work-kinds.h"
#include "render/export/export.h"
#include "render/export/graph-export.h"
#include "render/export/source-export.h"
#include "render/graph/graph-colors.h"

enum { DEFAULT_WIDTH = 1200, CHART_LAYERS = 12, MAX_SOURCE_FUNCTIONS = 20 };

static double
get_width (const PvExportOptions *options)
{
    return options->width != 0 ? options->width : DEFAULT_WIDTH;
}

/* The tree of a flame graph. Boxes narrower than half a point are folded if that saves much. NULL,
 * with an error, if nothing matches. */
static PvCallTree *
build_picture_tree (const PvExportRequest *request, GError **error)
{
    const PvExportOptions *options = request->options;
    const PvTreeDetail detail = {.parts = (uint32_t)(get_width (options) * 2)};
    bool is_folded = request->profile->n_stacks >= PV_FOLD_MIN_STACKS;
    g_autoptr (PvCallTree) tree =
        is_folded ? pv_call_tree_build_folded (request->profile, request->symbols, request->query,
                                               &detail, NULL, NULL, error)
                  : pv_call_tree_build (request->profile, request->symbols, request->query, NULL,
                                        NULL, error);
    if (tree != NULL && tree->total[0] == 0) {
        pv_export_set_nothing_matches (request, error);
        return NULL;
    }
    return g_steal_pointer (&tree);
}

static void
init_view (PvFlameView *ret_view, const PvCallTree *tree, const PvExportOptions *options)
{
    pv_flame_view_init (ret_view);
    ret_view->width = get_width (options);
    ret_view->height = options->height;
    ret_view->colors = pv_palette_choose_scheme (tree->profile, tree->symbols);
}

/* Does nothing without values, which only comparisons have. */
static void
color_by_change (PvFlameView *view, const PvNodeValues *values, const char *scale)
{
    if (values == NULL)
        return;
    view->colors = PV_COLOR_BY_CHANGE;
    view->values = values;
    view->scale_text = scale;
}

/* Boxes */

static bool
write_flame_graph (const PvExportRequest *request, const char *path, GError **error)
{
    const PvExportOptions *options = request->options;
    g_autoptr (PvCallTree) tree = build_picture_tree (request, error);
    if (tree == NULL)
        return false;
    g_autofree char *title = pv_export_make_title (request);
    g_autofree char *scale = pv_print_describe_scale (options, tree);
    g_autoptr (PvNodeValues) values =
        pv_node_values_have_sides (tree) ? pv_node_values_build (tree, NULL, NULL) : NULL;
    PvFlameView view;
    init_view (&view, tree, options);
    color_by_change (&view, values, scale);
    if (options->is_side_by_side && values != NULL && values->tree_of_side[0] != NULL)
        return pv_export_side_by_side (path, values, &(PvFlameRange){0, 0, 1}, &view, title, error);
    if (options->view == PV_VIEW_TREEMAP)
        return pv_export_treemap (path, pv_node_values_find_new (values, tree), &view, title,
                                  error);
    return pv_export_flame_graph (path, tree, &view, title, error);
}

/* The busiest thread in the query's time range, of which it spans what the query says, else all
 * that the thread has. */
static bool
write_flame_chart (const PvExportRequest *request, const char *path, GError **error)
{
    const PvExportOptions *options = request->options;
    if (!pv_timeline_check ("--view=flamechart", request->profile, request->query->measure, error))
        return false;
    g_autoptr (PvCallTree) tree = build_picture_tree (request, error);
    if (tree == NULL)
        return false;
    g_autoptr (PvFlameChart) chart = pv_flame_chart_build (tree, PV_CHART_BUSIEST, NULL);
    if (chart->n_threads == 0) {
        pv_export_set_nothing_matches (request, error);
        return false;
    }
    uint64_t least_ns = (chart->end_ns - chart->start_ns) / (uint64_t)get_width (options);
    g_autoptr (PvCallTree) cut =
        pv_flame_chart_cut (chart, chart->start_ns, chart->end_ns, least_ns, NULL);
    g_autofree char *title = pv_export_make_title (request);
    PvFlameView view;
    init_view (&view, tree, options);
    return pv_export_flame_chart (path, chart, cut, &view, title, error);
}

/* The function takes the whole width; with --by=line its lines do, side by side. */
static void
init_half (PvFlameView *ret_view, const PvCallTree *tree, const PvExportOptions *options)
{
    uint64_t weight = 0;
    for (PvNodeId node = tree->first_child[0]; node < tree->first_child[1]; node++)
        weight += tree->total[node];
    init_view (ret_view, tree, options);
    ret_view->zoom_right = (double)weight / (double)tree->total[0];
    if (tree->first_child[1] - tree->first_child[0] == 1)
        ret_view->zoom_node = tree->first_child[0];
}

static bool
write_sandwich (const PvExportRequest *request, const char *path, GError **error)
{
    const PvExportOptions *options = request->options;
    g_autoptr (PvCallTree) tree = pv_export_build_stacks (request, NULL, error);
    if (tree == NULL)
        return false;
    PvFunctionId function = pv_report_find_function (tree, options->function, error);
    if (function == 0)
        return false;
    g_autoptr (PvSandwich) sandwich = pv_sandwich_build (tree, function, NULL, error);
    if (sandwich == NULL)
        return false;
    g_autofree char *title = pv_export_make_title (request);
    PvFlameView callers, callees;
    init_half (&callers, sandwich->callers, options);
    init_half (&callees, sandwich->callees, options);
    g_autofree char *scale = pv_print_describe_scale (options, tree);
    g_autoptr (PvNodeValues) above = NULL;
    g_autoptr (PvNodeValues) below = NULL;
    if (pv_node_values_have_sides (tree))
        pv_node_values_build_halves (sandwich, NULL, &above, &below, NULL);
    color_by_change (&callers, above, scale);
    color_by_change (&callees, below, scale);
    return pv_export_sandwich (path, sandwich, &callers, &callees, title, error);
}

/* Graphs and source code */

static bool
find_limits (const PvExportOptions *options, const PvCallTree *tree, PvGraphLimits *limits,
             GError **error)
{
    pv_graph_limits_init (limits);
    if (options->n_graph_nodes >= 0)
        limits->n_nodes = (uint32_t)options->n_graph_nodes;
    if (options->node_fraction >= 0)
        limits->node_fraction = options->node_fraction;
    if (options->edge_fraction >= 0)
        limits->edge_fraction = options->edge_fraction;
    if (options->n_callers >= 0)
        limits->n_callers = (uint32_t)options->n_callers;
    if (options->n_callees >= 0)
        limits->n_callees = (uint32_t)options->n_callees;
    if (options->function != NULL)
        limits->around = pv_report_find_function (tree, options->function, error);
    return options->function == NULL || limits->around != 0;
}

static PvGraph *
build_graph (const PvExportRequest *request, PvJob *job, GError **error)
{
    g_autoptr (PvCallTree) tree = pv_export_build_stacks (request, job, error);
    PvGraphLimits limits;
    if (tree == NULL || !find_limits (request->options, tree, &limits, error))
        return NULL;
    return pv_graph_build (tree, &limits, NULL);
}

static bool
write_graph (const PvExportRequest *request, const char *path, GError **error)
{
    g_autoptr (PvGraph) graph = build_graph (request, NULL, error);
    g_autoptr (PvGraphLayout) layout =
        graph != NULL ? pv_graph_layout_new (graph, NULL, NULL, error) : NULL;
    if (layout == NULL)
        return false;
    g_autofree char *title = pv_export_make_title (request);
    g_autofree char *scale = pv_print_describe_scale (request->options, graph->tree);
    return pv_export_graph (path, layout, request->options->width, 1,
                            pv_palette_choose_scheme (graph->tree->profile, graph->tree->symbols),
                            scale, title, error);
}

bool
pv_export_write_dot (const PvExportRequest *request, const char *path, PvJob *job, GError **error)
{
    g_assert (request != NULL && path != NULL);
    g_autoptr (PvGraph) graph = build_graph (request, job, error);
    PvPalette palette;
    if (graph == NULL)
        return false;
    pv_palette_init (&palette, false, false, graph->unit == PV_UNIT_BYTES);
    g_autofree uint32_t *colors = pv_graph_list_colors (
        graph, &palette, pv_palette_choose_scheme (graph->tree->profile, graph->tree->symbols));
    g_autofree char *title = pv_export_make_title (request);
    return pv_save_dot (graph, title, colors, path, error);
}

static const PvSourceText *
find_source (void *user, const PvFunctionLines *function, const char *file, char **ret_heading)
{
    const PvSourceFile *source = pv_annotated_sources_get (user, function->function, file);
    *ret_heading = pv_annotated_make_heading (source, file);
    return source != NULL ? source->text : NULL;
}

static bool
has_lines (const PvLineCosts *costs)
{
    for (uint32_t f = 0; f < costs->n_functions; f++)
        for (uint32_t i = 0; i < costs->functions[f].n_lines; i++)
            if (costs->functions[f].lines[i].line > 0)
                return true;
    return false;
}

static bool
write_listing (const PvExportOptions *options, const PvCallTree *tree, const PvLineCosts *costs,
               const char *title, const char *path, GError **error)
{
    PvCostColumns columns;
    PvAnnotatedSources sources;
    g_autofree char *scale = pv_print_describe_scale (options, tree);
    pv_cost_columns_init (&columns, tree->profile, tree->query.measure, NULL);
    pv_cost_columns_add (&columns, costs);
    pv_annotated_sources_init (&sources, options, tree);
    PvSourceListing *listing = pv_source_listing_new (
        tree, costs, &columns, MAX_SOURCE_FUNCTIONS, NULL,
        pv_export_source_count_rows (options->height), find_source, &sources);
    for (size_t i = 0; i < listing->rows.len; i++)
        if (listing->rows.data[i].costs != NULL)
            pv_cost_columns_fit (&columns, listing->rows.data[i].costs);
    bool ok =
        pv_export_source (path, listing, options->width, options->height, 1, scale, title, error);
    pv_source_listing_free (listing);
    pv_annotated_sources_clear (&sources);
    pv_cost_columns_clear (&columns);
    return ok;
}

static bool
write_source (const PvExportRequest *request, const char *path, GError **error)
{
    const PvProfile *profile = request->profile;
    const char *function = request->options->function;
    g_autoptr (PvCallTree) tree =
        pv_annotated_build_tree (profile, request->symbols, request->query, error);
    if (tree == NULL)
        return false;
    g_autoptr (PvLineCosts) costs = pv_annotated_find_lines (tree, function, error);
    if (costs == NULL)
        return false;
    if (!pv_profile_has_weights (profile, request->query->measure) || !has_lines (costs)) {
        g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED,
                     _ ("--view=source: there is no line information for “%s”"), function);
        return false;
    }
    g_autofree char *title = pv_export_make_title (request);
    return write_listing (request->options, tree, costs, title, path, error);
}

/* Time */

static bool
has_cpus (const PvTimeIndex *index)
{
    for (uint32_t row = 0; row < index->n_rows; row++)
        if (index->rows[row].cpu != PV_CPU_UNKNOWN)
            return true;
    return false;
}

/* Rows of threads, or of CPUs. Sets an error if these are not known. */
static PvTracks *
make_tracks (const PvCallTree *tree, PvTimeRowKind kind, GError **error)
{
    g_autoptr (PvWorkKinds) kinds = pv_work_kinds_new (
        tree->profile, tree->symbols, pv_palette_choose_scheme (tree->profile, tree->symbols));
    g_autoptr (PvTimeIndex) index =
        pv_time_index_build (tree, kind, kinds->kind_of_function, kinds->n_kinds, NULL);
    if (kind == PV_TIME_CPUS && !has_cpus (index)) {
        g_set_error_literal (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                             _ ("--group=cpu: this profile does not say on which CPUs its samples "
                                "were taken"));
        return NULL;
    }
    uint32_t set = tree->profile->measures[index->measure].set;
    PvTracks *tracks =
        pv_tracks_new (g_steal_pointer (&index), g_memdup2 (kinds->hue_of_kind, kinds->n_kinds));
    pv_tracks_take_events (tracks, pv_event_index_new (tree->profile, set));
    pv_tracks_take_counters (tracks, pv_counter_index_build (tree->profile, NULL));
    if (kind == PV_TIME_THREADS) {
        pv_tracks_take_waits (tracks, pv_wait_index_build (tree->profile, NULL, NULL));
        pv_tracks_take_marks (tracks, pv_mark_index_build (tree->profile, set, NULL));
    }
    pv_tracks_take_quality (tracks,
                            pv_quality_index_build (tree->profile, tree->symbols, set, NULL));
    return tracks;
}

/* Spans the query's time range. */
static bool
write_timeline (const PvExportRequest *request, const char *path, GError **error)
{
    const PvExportOptions *options = request->options;
    PvExportRequest own = *request;
    PvQuery ungrouped = *request->query; /* rows take the place of groups */
    own.query = &ungrouped;
    ungrouped.grouping = PV_GROUP_NONE;
    if (!pv_timeline_check ("--view=timeline", request->profile, request->query->measure, error))
        return false;
    g_autoptr (PvCallTree) tree = pv_export_build_stacks (&own, NULL, error);
    if (tree == NULL)
        return false;
    g_autoptr (PvTracks) tracks = make_tracks (
        tree, request->query->grouping == PV_GROUP_CPU ? PV_TIME_CPUS : PV_TIME_THREADS, error);
    if (tracks == NULL)
        return false;
    g_autofree char *title = pv_export_make_title (request);
    PvTracksView view = {.width = get_width (options), .height = options->height};
    pv_tracks_fit (tracks, &view);
    view.start_ns = request->query->start_ns;
    if (request->query->end_ns != UINT64_MAX)
        view.end_ns = request->query->end_ns;
    view.end_ns = MAX (view.end_ns, view.start_ns + 1);
    const PvTracksPicture picture = {
        .tracks = tracks,
        .tree = tree,
        .colors = pv_palette_choose_scheme (tree->profile, tree->symbols),
    };
    return pv_export_tracks (path, &picture, &view, title, error);
}

/* The picture spans the query's time range. */
static bool
write_heat_map (const PvExportRequest *request, const char *path, GError **error)
{
    const PvExportOptions *options = request->options;
    if (!pv_timeline_check ("--view=heatmap", request->profile, request->query->measure, error))
        return false;
    g_autoptr (PvCallTree) tree = pv_export_build_stacks (request, NULL, error);
    if (tree == NULL)
        return false;
    g_autoptr (PvHeatMap) map =
        pv_heat_map_build (tree, request->query->start_ns, request->query->end_ns, NULL);
    if (map->weight == 0) {
        pv_export_set_nothing_matches (request, error);
        return false;
    }
    g_autofree char *title = pv_export_make_title (request);
    PvHeatView view = {.width = get_width (options), .height = options->height};
    return pv_export_heat_map (path, map, &view, title, error);
}

/* The chart spans the query's time range. */
static bool
write_chart (const PvExportRequest *request, const char *path, GError **error)
{
    const PvExportOptions *options = request->options;
    bool shows_dumps = options->chart == PV_CHART_DUMPS;
    if (shows_dumps ? request->profile->n_dumps == 0 : request->profile->heap == NULL) {
        g_set_error_literal (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                             shows_dumps ? _ ("--chart=dumps is only for series of dumps")
                                         : _ ("--chart is only for heap traces"));
        return false;
    }
    g_autoptr (PvCallTree) tree = pv_call_tree_build_stacks (request->profile, request->symbols,
                                                             request->query, NULL, NULL, error);
    if (tree == NULL)
        return false;
    PvChartView view;
    pv_chart_view_init (&view);
    view.width = get_width (options);
    view.height = options->height;
    g_autoptr (PvSeries) series =
        pv_series_build (tree, options->chart, request->query->start_ns, request->query->end_ns,
                         CHART_LAYERS, (uint32_t)view.width, NULL);
    if (series->highest <= 0) {
        g_set_error_literal (error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED,
                             _ ("nothing matches the query"));
        return false;
    }
    const char *kind = pv_chart_kind_get_name (options->chart);
    g_autofree char *title =
        /* Translators: the name of a file, and a kind of chart */
        g_strdup_printf (series->is_of_whole ? _ ("%s: %s, of the whole recording") : "%s: %s",
                         request->name, kind);
    return pv_export_chart (path, series, &view, title, error);
}

bool
pv_export_write_picture (const PvExportRequest *request, const char *path, PvJob *job,
                         GError **error)
{
    static bool (*const writers[PV_N_VIEWS]) (const PvExportRequest *request, const char *path,
                                              GError **error) = {
        [PV_VIEW_UNSET] = write_flame_graph,       [PV_VIEW_FLAME_GRAPH] = write_flame_graph,
        [PV_VIEW_SANDWICH] = write_sandwich,       [PV_VIEW_TIMELINE] = write_timeline,
        [PV_VIEW_FLAME_CHART] = write_flame_chart, [PV_VIEW_HEAT_MAP] = write_heat_map,
        [PV_VIEW_TREEMAP] = write_flame_graph,     [PV_VIEW_GRAPH] = write_graph,
        [PV_VIEW_SOURCE] = write_source,
    };
    g_assert (request != NULL && path != NULL && request->options->view < PV_N_VIEWS);
    if (request->options->chart != PV_N_CHARTS)
        return write_chart (request, path, error);
    return writers[request->options->view](request, path, error);
}
