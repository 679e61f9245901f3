/*
 * Layers of charts: sites are dealt out to the layers first, then one pass over the rows of the
 * history adds up each layer. The heaviest functions have layers of their own; behind them are two
 * more slots, for all others, and for what the tree does not keep.
 */
#include "core/analyze/heap-series.h"

#include <stdlib.h>
#include <string.h>

#include "core/analyze/call-tree-private.h"
#include "core/base/large.h"
#include "core/base/pool.h"
#include "core/model/heap-rows.h"

enum {
    ROWS_FOR_THREADS = 1 << 18,
    N_PIECES = 64, /* bins differ in their rows */
    MAX_LAYERS = 4096,
};

typedef struct {
    PvSeries series;
    int64_t *block; /* all the layers' values */
} SeriesData;

typedef struct {
    PvFunctionId function;
    uint32_t site; /* that weighs most */
    int64_t site_weight;
    int64_t weight;
} Candidate;

/* One series while it is made. */
typedef struct {
    SeriesData *data;
    PvSeries *series;
    const PvTreeShape *shape;
    const PvFocus *focus;
    const PvHeap *heap;
    PvJob *job;
    uint32_t first_bin;
    uint32_t end_bin;
    uint32_t bins_per_point;
    Candidate *candidates; /* heaviest first */
    uint32_t n_own;        /* layers that are one function */
    uint16_t *slot_of_site;
    int64_t *values;   /* (n_own + 2) * n_points */
    uint32_t *at_peak; /* bin of each point; live only */
} SeriesBuild;

static const char *const chart_names[PV_N_CHARTS] = {
    [PV_CHART_LIVE] = "live",           [PV_CHART_ALLOCATIONS] = "allocations",
    [PV_CHART_TEMPORARY] = "temporary", [PV_CHART_RSS] = "rss",
    [PV_CHART_SIZES] = "sizes",
};

PvChartKind
pv_chart_kind_from_name (const char *name)
{
    PvChartKind kind = 0;
    while (kind < PV_N_CHARTS && strcmp (chart_names[kind], name) != 0)
        kind++;
    return kind;
}

const char *
pv_chart_kind_get_name (PvChartKind kind)
{
    return chart_names[kind];
}

/* --- who gets a layer ------------------------------------------------------------------------- */

/* The function at which the site's stack ends, UINT32_MAX if the tree does not keep it. */
static PvFunctionId
find_function (const SeriesBuild *build, uint32_t site)
{
    uint32_t node = pv_find_position (build->shape, build->focus, build->heap->stack_of_site[site]);
    return node != UINT32_MAX ? build->shape->function_of_node[node] : UINT32_MAX;
}

static int
compare_candidates (const void *a, const void *b, void *user)
{
    const Candidate *left = a, *right = b;
    const PvNameRanks *ranks = user;
    if (left->weight != right->weight)
        return left->weight > right->weight ? -1 : 1;
    return pv_name_ranks_compare (ranks, left->function, right->function);
}

static PvHeapMeasure
ranking_measure (PvChartKind kind)
{
    if (kind == PV_CHART_LIVE)
        return PV_HEAP_LIFETIME; /* the area under the curve */
    return kind == PV_CHART_TEMPORARY ? PV_HEAP_TEMPORARY : PV_HEAP_ALLOCATIONS;
}

/* Weighs the functions, and sorts those that weigh anything. */
static void
rank_functions (SeriesBuild *build, uint32_t max_layers)
{
    const PvHeap *heap = build->heap;
    uint32_t n_functions = build->shape->symbols->n_functions;
    g_autofree int64_t *weight_of_site = pv_new_large (int64_t, MAX (heap->n_sites, 1));
    pv_heap_weigh_sites (heap, ranking_measure (build->series->kind), build->first_bin,
                         build->end_bin, weight_of_site, NULL);
    Candidate *candidates = g_new0 (Candidate, MAX (n_functions, 1));
    for (uint32_t s = 0; s < heap->n_sites; s++) {
        PvFunctionId function = find_function (build, s);
        if (function == UINT32_MAX || function == 0)
            continue;
        Candidate *candidate = &candidates[function];
        candidate->function = function;
        int64_t weight = CLAMP (weight_of_site[s], -INT64_MAX / 4, INT64_MAX / 4);
        candidate->weight = CLAMP (candidate->weight + weight, -INT64_MAX / 4, INT64_MAX / 4);
        if (weight > candidate->site_weight) {
            candidate->site_weight = weight;
            candidate->site = s;
        }
    }
    uint32_t n = 0;
    for (PvFunctionId f = 1; f < n_functions; f++) {
        if (candidates[f].weight > 0)
            candidates[n++] = candidates[f];
    }
    if (n > 1)
        qsort_r (candidates, n, sizeof *candidates, compare_candidates, build->shape->ranks);
    build->candidates = candidates;
    build->n_own = MIN (n, max_layers);
}

static void
deal_out_sites (SeriesBuild *build)
{
    uint32_t n_functions = build->shape->symbols->n_functions;
    g_autofree uint16_t *slot_of_function = g_new (uint16_t, MAX (n_functions, 1));
    for (PvFunctionId f = 0; f < n_functions; f++)
        slot_of_function[f] = (uint16_t)build->n_own;
    for (uint32_t i = 0; i < build->n_own; i++)
        slot_of_function[build->candidates[i].function] = (uint16_t)i;
    build->slot_of_site = pv_new_large (uint16_t, MAX (build->heap->n_sites, 1));
    for (uint32_t s = 0; s < build->heap->n_sites; s++) {
        PvFunctionId function = find_function (build, s);
        build->slot_of_site[s] =
            function != UINT32_MAX ? slot_of_function[function] : (uint16_t)(build->n_own + 1);
    }
}

/* --- points ----------------------------------------------------------------------------------- */

static void
lay_out_points (SeriesBuild *build, uint32_t max_points)
{
    const PvHeap *heap = build->heap;
    PvSeries *series = build->series;
    uint32_t n_bins = build->end_bin - build->first_bin;
    max_points = MAX (max_points, 1);
    build->bins_per_point = MAX (n_bins / max_points + (n_bins % max_points != 0), 1);
    series->n_points = n_bins / build->bins_per_point + (n_bins % build->bins_per_point != 0);
    series->start_ms = g_new (uint64_t, (size_t)series->n_points + 1);
    for (uint32_t p = 0; p < series->n_points; p++)
        series->start_ms[p] =
            (build->first_bin + (uint64_t)p * build->bins_per_point) * heap->bin_ms;
    /* The last bin ends with the recording, but has some width. */
    uint64_t start_ms = build->end_bin > 0 ? (build->end_bin - 1) * heap->bin_ms : 0;
    uint64_t end_ms = build->end_bin * heap->bin_ms;
    series->start_ms[series->n_points] = MIN (end_ms, MAX (heap->duration_ms, start_ms + 1));
}

/* The bins of a point: [first, end). */
static uint32_t
get_first_bin (const SeriesBuild *build, uint32_t point)
{
    uint64_t bin = build->first_bin + (uint64_t)point * build->bins_per_point;
    return (uint32_t)MIN (bin, build->end_bin);
}

/* Adds up a column of the rows of bins [first, end) by slot. */
static void
add_up (const SeriesBuild *build, uint32_t first, uint32_t end, PvHeapColumn column, int64_t *sums)
{
    for (uint32_t b = first; b < end; b++) {
        const PvHeapRows *rows = build->heap->rows_of_bin[b];
        if (rows != NULL)
            pv_heap_rows_add_up (rows, column, build->slot_of_site, sums);
    }
}

static void
store_point (const SeriesBuild *build, uint32_t point, const int64_t *sums)
{
    for (uint32_t i = 0; i < build->n_own + 2; i++)
        build->values[(size_t)i * build->series->n_points + point] = sums[i];
}

/* Points are dealt out to threads in pieces. A level is what all bins before have left, so pieces
 * begin with nothing, and get what those before them left when all are done. */
typedef struct {
    SeriesBuild *build;
    PvHeapColumn column; /* NET: levels; else what is added up */
    uint32_t n_pieces;
    int64_t *left_of_piece; /* by slot */
} Filling;

static uint32_t
first_point_of (const Filling *filling, size_t piece)
{
    return (uint32_t)(filling->build->series->n_points * piece / filling->n_pieces);
}

/* The level of each point at its highest moment: what was live before its bin, and what the bin's
 * rows say of the time until then. */
static void
fill_levels (void *data, size_t item, unsigned worker)
{
    Filling *filling = data;
    SeriesBuild *build = filling->build;
    const PvHeap *heap = build->heap;
    uint32_t n_slots = build->n_own + 2, end = first_point_of (filling, item + 1);
    uint32_t p = first_point_of (filling, item), at = item == 0 ? 0 : get_first_bin (build, p);
    int64_t *level = filling->left_of_piece + item * n_slots;
    g_autofree int64_t *highest = g_new (int64_t, n_slots);
    (void)worker;
    for (; p < end && !pv_job_is_cancelled (build->job); p++) {
        uint32_t bin =
            pv_heap_find_peak (heap, get_first_bin (build, p), get_first_bin (build, p + 1));
        add_up (build, at, bin, PV_HEAP_COLUMN_NET, level);
        memcpy (highest, level, n_slots * sizeof *level);
        add_up (build, bin, bin + 1, PV_HEAP_COLUMN_AT_PEAK, highest);
        store_point (build, p, highest);
        build->at_peak[p] = bin;
        at = bin;
    }
    add_up (build, at, get_first_bin (build, end), PV_HEAP_COLUMN_NET, level);
}

static void
add_what_was_left (const Filling *filling)
{
    const SeriesBuild *build = filling->build;
    uint32_t n_slots = build->n_own + 2, n_points = build->series->n_points;
    g_autofree int64_t *level = g_new0 (int64_t, n_slots);
    for (uint32_t piece = 0; piece < filling->n_pieces; piece++) {
        uint32_t first = first_point_of (filling, piece), end = first_point_of (filling, piece + 1);
        for (uint32_t i = 0; i < n_slots; i++) {
            for (uint32_t p = first; p < end; p++)
                build->values[(size_t)i * n_points + p] += level[i];
            level[i] += filling->left_of_piece[(size_t)piece * n_slots + i];
        }
    }
}

static void
fill_sums (void *data, size_t item, unsigned worker)
{
    const Filling *filling = data;
    const SeriesBuild *build = filling->build;
    uint32_t n_slots = build->n_own + 2, end = first_point_of (filling, item + 1);
    g_autofree int64_t *sums = g_new (int64_t, n_slots);
    (void)worker;
    for (uint32_t p = first_point_of (filling, item); p < end && !pv_job_is_cancelled (build->job);
         p++) {
        memset (sums, 0, n_slots * sizeof *sums);
        add_up (build, get_first_bin (build, p), get_first_bin (build, p + 1), filling->column,
                sums);
        store_point (build, p, sums);
    }
}

static bool
fill (SeriesBuild *build, PvHeapColumn column)
{
    g_autoptr (PvPool) pool = pv_pool_new (build->heap->n_rows < ROWS_FOR_THREADS ? 1 : 0);
    Filling filling = {.build = build, .column = column, .n_pieces = N_PIECES};
    if (column == PV_HEAP_COLUMN_NET) {
        build->at_peak = g_new0 (uint32_t, MAX (build->series->n_points, 1));
        filling.left_of_piece = g_new0 (int64_t, (size_t)N_PIECES * (build->n_own + 2));
        pv_pool_run (pool, N_PIECES, fill_levels, &filling);
        add_what_was_left (&filling);
        g_free (filling.left_of_piece);
    } else {
        pv_pool_run (pool, N_PIECES, fill_sums, &filling);
    }
    return !pv_job_is_cancelled (build->job);
}

static void
fill_rss (SeriesBuild *build)
{
    for (uint32_t p = 0; p < build->series->n_points; p++) {
        uint64_t highest = 0;
        for (uint32_t b = get_first_bin (build, p); b < get_first_bin (build, p + 1); b++)
            highest = MAX (highest, build->heap->bins[b].rss_bytes);
        build->values[p] = (int64_t)MIN (highest, INT64_MAX);
    }
}

/* Points are the classes, as far as the tree's stacks allocate any. */
static void
lay_out_sizes (SeriesBuild *build)
{
    const PvHeap *heap = build->heap;
    PvSeries *series = build->series;
    PvHeapSizeClass classes[PV_HEAP_N_SIZE_CLASSES];
    unsigned first = PV_HEAP_N_SIZE_CLASSES, end = 0;
    for (unsigned c = 0; c < PV_HEAP_N_SIZE_CLASSES; c++) {
        classes[c] = heap->size_classes[c];
        classes[c].n_allocations = classes[c].allocated_bytes = 0;
    }
    for (uint32_t s = 0; s < heap->n_sites; s++) {
        if (build->slot_of_site[s] == build->n_own + 1)
            continue;
        for (uint32_t i = heap->first_size_of_site[s]; i < heap->first_size_of_site[s + 1]; i++) {
            unsigned c = heap->class_of_size[i];
            classes[c].n_allocations += heap->allocations_of_size[i];
            classes[c].allocated_bytes += heap->bytes_of_size[i];
            first = MIN (first, c);
            end = MAX (end, c + 1);
        }
    }
    series->n_points = end > first ? end - first : 0;
    series->size_classes = g_memdup2 (classes + (end > first ? first : 0),
                                      MAX (series->n_points, 1) * sizeof *classes);
}

static void
fill_sizes (SeriesBuild *build)
{
    const PvHeap *heap = build->heap;
    const PvSeries *series = build->series;
    for (uint32_t s = 0; series->n_points > 0 && s < heap->n_sites; s++) {
        uint16_t slot = build->slot_of_site[s];
        for (uint32_t i = heap->first_size_of_site[s]; i < heap->first_size_of_site[s + 1]; i++) {
            uint64_t high = heap->size_classes[heap->class_of_size[i]].high_bytes;
            uint32_t p = 0;
            while (p + 1 < series->n_points && series->size_classes[p].high_bytes < high)
                p++;
            build->values[(size_t)slot * series->n_points + p] +=
                (int64_t)heap->allocations_of_size[i];
        }
    }
}

/* --- layers ----------------------------------------------------------------------------------- */

/* Whether anything is in the slot of all others. */
static bool
has_others (const SeriesBuild *build)
{
    uint32_t n_points = build->series->n_points;
    const int64_t *values = build->values + (size_t)build->n_own * n_points;
    for (uint32_t p = 0; p < n_points; p++) {
        if (values[p] != 0)
            return true;
    }
    return false;
}

static int64_t
measure_area (const PvSeries *series, const int64_t *values)
{
    __int128 area = 0;
    for (uint32_t p = 0; p < series->n_points; p++) {
        uint64_t width = series->kind == PV_CHART_LIVE || series->kind == PV_CHART_RSS
                             ? series->start_ms[p + 1] - series->start_ms[p]
                             : 1;
        area += (__int128)values[p] * (int64_t)width;
    }
    return (int64_t)CLAMP (area, -INT64_MAX, INT64_MAX);
}

static void
add_layer (SeriesBuild *build, uint32_t slot, const Candidate *candidate)
{
    PvSeries *series = build->series;
    PvSeriesLayer *layer = &series->layers[series->n_layers++];
    *layer = (PvSeriesLayer){.values = build->values + (size_t)slot * series->n_points};
    if (candidate == NULL) {
        layer->weight = measure_area (series, layer->values);
        return;
    }
    uint32_t stack = build->heap->stack_of_site[candidate->site];
    uint32_t node = pv_find_position (build->shape, build->focus, stack);
    layer->function = candidate->function;
    layer->frame = pv_tree_shape_frame (build->shape, node);
    layer->weight = candidate->weight;
}

/* Where there is no room for all others, the lightest one goes to them. */
static void
make_layers (SeriesBuild *build, uint32_t max_layers)
{
    PvSeries *series = build->series;
    bool with_others = has_others (build);
    uint32_t n_shown = build->n_own;
    uint32_t others = build->n_own;
    if (with_others && n_shown == max_layers) {
        n_shown--;
        int64_t *to = build->values + (size_t)others * series->n_points;
        for (uint32_t p = 0; p < series->n_points; p++)
            to[p] += build->values[(size_t)n_shown * series->n_points + p];
    }
    series->layers = g_new0 (PvSeriesLayer, (size_t)n_shown + 1);
    for (uint32_t i = 0; i < n_shown; i++)
        add_layer (build, i, &build->candidates[i]);
    if (with_others)
        add_layer (build, others, NULL);
}

static void
sum_up (SeriesBuild *build)
{
    PvSeries *series = build->series;
    series->totals = g_new0 (int64_t, MAX (series->n_points, 1));
    for (uint32_t l = 0; l < series->n_layers; l++) {
        for (uint32_t p = 0; p < series->n_points; p++)
            series->totals[p] += series->layers[l].values[p];
    }
    for (uint32_t p = 0; p < series->n_points; p++) {
        if (series->totals[p] <= series->highest)
            continue;
        series->highest = series->totals[p];
        if (series->kind == PV_CHART_LIVE) {
            series->has_peak = true;
            series->peak_value = series->totals[p];
            series->peak_ms = build->heap->bins[build->at_peak[p]].peak_ms;
        }
    }
}

static void
allocate_values (SeriesBuild *build)
{
    size_t n = ((size_t)build->n_own + 2) * build->series->n_points;
    build->values = build->data->block = g_new0 (int64_t, MAX (n, 1));
}

static bool
build_layers (SeriesBuild *build, uint32_t max_layers, uint32_t max_points)
{
    PvSeries *series = build->series;
    bool is_done = true;
    if (series->kind == PV_CHART_SIZES) {
        build->first_bin = 0;
        build->end_bin = build->heap->n_bins;
    }
    rank_functions (build, max_layers);
    if (pv_job_is_cancelled (build->job))
        return false;
    deal_out_sites (build);
    if (series->kind == PV_CHART_SIZES)
        lay_out_sizes (build);
    else
        lay_out_points (build, max_points);
    allocate_values (build);
    if (series->kind == PV_CHART_LIVE)
        is_done = fill (build, PV_HEAP_COLUMN_NET);
    else if (series->kind == PV_CHART_SIZES)
        fill_sizes (build);
    else
        is_done = fill (build, series->kind == PV_CHART_TEMPORARY ? PV_HEAP_COLUMN_TEMPORARY
                                                                  : PV_HEAP_COLUMN_ALLOCATIONS);
    if (is_done)
        make_layers (build, max_layers);
    return is_done;
}

static void
build_rss (SeriesBuild *build, uint32_t max_points)
{
    lay_out_points (build, max_points);
    allocate_values (build);
    fill_rss (build);
    build->series->layers = g_new0 (PvSeriesLayer, 1);
    if (build->heap->peak_rss_bytes > 0)
        add_layer (build, 0, NULL);
}

PvSeries *
pv_series_build (const PvCallTree *tree, PvChartKind kind, uint64_t start_ns, uint64_t end_ns,
                 uint32_t max_layers, uint32_t max_points, PvJob *job)
{
    const PvHeap *heap = tree->profile->heap;
    if (heap == NULL || pv_job_is_cancelled (job))
        return NULL;
    SeriesData *data = g_new0 (SeriesData, 1);
    PvSeries *series = &data->series;
    SeriesBuild build = {
        .data = data,
        .series = series,
        .shape = pv_call_tree_data (tree)->shape,
        .focus = pv_call_tree_data (tree)->focus,
        .heap = heap,
        .job = job,
    };
    bool is_done = true;
    max_layers = CLAMP (max_layers, 1, MAX_LAYERS);
    series->kind = kind;
    series->unit = kind == PV_CHART_LIVE || kind == PV_CHART_RSS ? PV_UNIT_BYTES : PV_UNIT_COUNT;
    series->tree = pv_call_tree_ref (tree);
    pv_heap_get_bins (heap, start_ns, end_ns, &build.first_bin, &build.end_bin);
    if (kind == PV_CHART_RSS)
        build_rss (&build, max_points);
    else
        is_done = build_layers (&build, max_layers, max_points);
    if (is_done)
        sum_up (&build);
    g_free (build.candidates);
    g_free (build.slot_of_site);
    g_free (build.at_peak);
    if (!is_done)
        g_clear_pointer (&series, pv_series_free);
    return series;
}

void
pv_series_free (PvSeries *series)
{
    if (series == NULL)
        return;
    SeriesData *data = (SeriesData *)series;
    pv_call_tree_free ((PvCallTree *)series->tree);
    g_free (series->start_ms);
    g_free (series->size_classes);
    g_free (series->layers);
    g_free (series->totals);
    g_free (data->block);
    g_free (data);
}
