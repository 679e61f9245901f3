/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "series-maker.h"

#include <math.h>

#include "tree-maker.h"

enum { MAX_FUNCTIONS = 20 };

static const char *const names[MAX_FUNCTIONS] = {
    "m!storage::PageCache::load(storage::PageId, std::span<std::byte>)",
    "m!std::vector<engine::RowBatch, std::allocator<engine::RowBatch>>::_M_realloc_insert<engine::"
    "RowBatch const&>(engine::RowBatch const&)",
    "l!arena_grow",
    "m!engine::exec::HashJoin<engine::RowBatch, std::hash<unsigned long>>::build(engine::RowBatch "
    "const&)",
    "s!std::string::_M_create(unsigned long&, unsigned long)",
    "l!sqlite3_malloc64",
    "m!parse_statement",
    "s!g_slice_alloc",
    "m!engine::Plan::clone() const",
    "l!ZSTD_createDCtx_advanced",
    "m!std::_Hashtable<std::string, std::pair<std::string const, engine::Column>, "
    "std::allocator<int>>::_M_insert_unique_node(unsigned long, unsigned long)",
    "s!_dl_new_object",
    "m!<alloc::vec::Vec<T, A> as core::clone::Clone>::clone",
    "l!PyObject_Malloc",
    "m!tree::Node::split",
    "s!fopen",
    "m!json::Value::from_text",
    "l!png_create_read_struct",
    "m!logger::format_record",
    "s!setlocale",
};

/* One for all series: painters keep references to the symbols, which are part of it. */
static const PvCallTree *
get_tree (void)
{
    static PvCallTree *tree;
    if (tree != NULL)
        return tree;
    g_autoptr (GString) text = g_string_new (NULL);
    for (int i = 0; i < MAX_FUNCTIONS; i++)
        g_string_append_printf (text, "%s %d\n", names[i], 100 - i);
    tree = test_tree_from_text (text->str);
    return tree;
}

/* A tree whose profile has dumps, one for each point. */
typedef struct {
    PvCallTree tree;
    PvProfile profile;
    PvMeasure measure;
    PvDump *dumps;
} DumpTree;

static const PvCallTree *
make_dump_tree (const TestSeriesOptions *options)
{
    DumpTree *dumps = g_new0 (DumpTree, 1);
    dumps->tree = *get_tree ();
    dumps->profile = *dumps->tree.profile;
    dumps->tree.profile = &dumps->profile;
    dumps->measure = (PvMeasure){
        .name = "inuse_space", .unit = PV_UNIT_BYTES, .aggregation = PV_AGGREGATION_STATE};
    dumps->profile.measures = &dumps->measure;
    dumps->profile.n_measures = dumps->profile.n_weights = 1;
    dumps->dumps = g_new0 (PvDump, options->n_points + 1);
    for (uint32_t p = 0; p < options->n_points; p++)
        dumps->dumps[p].name = g_strdup_printf ("prog.4711.%u.i%u.heap", p, p);
    dumps->profile.dumps = dumps->dumps;
    dumps->profile.n_dumps = options->n_points;
    dumps->profile.has_dump_times = !options->has_no_times;
    return &dumps->tree;
}

static void
free_dump_tree (const PvCallTree *tree)
{
    g_autofree DumpTree *dumps = (DumpTree *)tree;
    for (uint32_t p = 0; p < dumps->profile.n_dumps; p++)
        g_free ((char *)dumps->dumps[p].name);
    g_free (dumps->dumps);
}

/* Bytes at a time. */
static bool
is_level (PvChartKind kind)
{
    return kind == PV_CHART_LIVE || kind == PV_CHART_RSS || kind == PV_CHART_DUMPS;
}

PvSeries *
test_series_make_empty (const TestSeriesOptions *options)
{
    PvSeries *series = g_new0 (PvSeries, 1);
    uint64_t point_ms = options->point_ms > 0 ? options->point_ms : 10;
    series->kind = options->kind;
    series->unit = is_level (options->kind) ? PV_UNIT_BYTES : PV_UNIT_COUNT;
    series->tree = options->kind == PV_CHART_DUMPS ? make_dump_tree (options) : get_tree ();
    series->n_points = options->n_points;
    series->n_layers = options->n_layers;
    series->layers = g_new0 (PvSeriesLayer, options->n_layers + 1);
    series->totals = g_new0 (int64_t, options->n_points + 1);
    for (uint32_t l = 0; l < options->n_layers; l++) {
        PvSeriesLayer *layer = &series->layers[l];
        bool is_others = options->has_others && l + 1 == options->n_layers;
        g_assert (is_others || options->kind == PV_CHART_RSS || l < MAX_FUNCTIONS);
        /* Not in the order of the names: colours must not follow from the rank. */
        layer->function = is_others || options->kind == PV_CHART_RSS
                              ? 0
                              : 1 + (l * 7 + options->seed) % MAX_FUNCTIONS;
        layer->values = g_new0 (int64_t, options->n_points + 1);
    }
    if (options->kind == PV_CHART_SIZES) {
        series->size_classes = g_new0 (PvHeapSizeClass, options->n_points + 1);
        for (uint32_t p = 0; p < options->n_points; p++) {
            uint64_t high = p == 0 ? 0 : p < 65 ? (uint64_t)1 << (p - 1) : UINT64_MAX;
            series->size_classes[p].high_bytes = high;
            series->size_classes[p].low_bytes = p < 2 ? high : high / 2 + 1;
        }
        return series;
    }
    series->start_ms = g_new0 (uint64_t, options->n_points + 1);
    for (uint32_t p = 0; p <= options->n_points; p++)
        series->start_ms[p] = p * point_ms;
    return series;
}

void
test_series_finish (PvSeries *series)
{
    series->highest = 0;
    for (uint32_t l = 0; l < series->n_layers; l++)
        series->layers[l].weight = 0;
    for (uint32_t p = 0; p < series->n_points; p++) {
        series->totals[p] = 0;
        for (uint32_t l = 0; l < series->n_layers; l++) {
            series->totals[p] += series->layers[l].values[p];
            series->layers[l].weight += series->layers[l].values[p];
        }
        if (series->totals[p] > series->highest) {
            series->highest = series->totals[p];
            series->peak_ms = series->start_ms != NULL ? series->start_ms[p] : 0;
        }
        if (series->size_classes != NULL) {
            series->size_classes[p].n_allocations = (uint64_t)MAX (series->totals[p], 0);
            double middle = ((double)series->size_classes[p].low_bytes +
                             (double)series->size_classes[p].high_bytes) /
                            2;
            series->size_classes[p].allocated_bytes =
                (uint64_t)MIN ((double)series->size_classes[p].n_allocations * middle, 1e18);
        }
    }
    series->has_peak = series->kind == PV_CHART_LIVE && series->highest > 0;
    series->peak_value = series->has_peak ? series->highest : 0;
}

/* 0 to 1 over the time that a layer is there; each has a shape of its own. */
static double
level (uint32_t layer, double t, GRand *rand)
{
    double noise = 0.97 + 0.06 * g_rand_double (rand);
    switch (layer % 5) {
    case 0: /* a cache that fills, then stays */
        return (1 - exp (-5 * t)) * noise;
    case 1: /* grows to the peak and is given back at once */
        return t < 0.68 ? t / 0.68 * noise : 0.08;
    case 2: /* a saw */
        return fmod (t * 9, 1) * noise;
    case 3: /* a phase in the middle */
        return t > 0.25 && t < 0.8 ? noise : 0.02;
    default: /* leaks */
        return t * noise;
    }
}

static double
rate (uint32_t layer, double t, GRand *rand)
{
    double burst = g_rand_double (rand) < 0.05 ? 4 : 1;
    double phase = layer % 3 == 0   ? (t < 0.2 ? 1 : 0.15)
                   : layer % 3 == 1 ? (t > 0.3 && t < 0.7 ? 1 : 0.1)
                                    : 0.5 + 0.5 * sin (t * 30);
    return phase * burst * g_rand_double (rand);
}

PvSeries *
test_series_make (const TestSeriesOptions *options)
{
    PvSeries *series = test_series_make_empty (options);
    g_autoptr (GRand) rand = g_rand_new_with_seed (options->seed);
    for (uint32_t l = 0; l < series->n_layers; l++) {
        double size = pow (0.72, l);
        for (uint32_t p = 0; p < series->n_points; p++) {
            double t = (double)p / series->n_points, value;
            if (is_level (options->kind))
                value = 420e6 * size * level (l, t, rand);
            else if (options->kind == PV_CHART_SIZES)
                value =
                    9e5 * size * exp (-pow ((double)p - 5 - l % 6, 2) / 9) + (p == 13 ? 200 : 0);
            else
                value = 4000 * size * rate (l, t, rand);
            series->layers[l].values[p] = (int64_t)value;
        }
    }
    test_series_finish (series);
    return series;
}

void
test_series_free (PvSeries *series)
{
    if (series == NULL)
        return;
    for (uint32_t l = 0; l < series->n_layers; l++)
        g_free (series->layers[l].values);
    if (series->kind == PV_CHART_DUMPS)
        free_dump_tree (series->tree);
    g_free (series->layers);
    g_free (series->resident);
    g_free (series->totals);
    g_free (series->start_ms);
    g_free (series->size_classes);
    g_free (series);
}
