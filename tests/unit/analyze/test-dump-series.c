/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Charts of series of dumps against sums over all samples.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../cases.h"
#include "../made.h"
#include "../new-query.h"
#include "core/analyze/series/series-build.h"
#include "core/model/build/builder.h"
#include "weigh-stacks.h"

enum { N_FUNCTIONS = 8, MAX_DUMPS = 12, MAX_DEPTH = 5, N_THREADS = 3, MAX_SAMPLES = 600 };

typedef struct {
    unsigned dump;
    unsigned thread;
    unsigned depth;
    unsigned functions[MAX_DEPTH]; /* root first */
    uint64_t weights[2];
} Sample;

/* A series in which function i is "f<i>", and location i its only place. */
typedef struct {
    PvProfile *profile;
    PvSymbolTable *symbols;
    PvThreadId threads[N_THREADS];
    unsigned n_samples;
    Sample samples[MAX_SAMPLES];
} Made;

static void
add_samples (Made *made, GRand *rand, PvProfileBuilder *builder, const PvLocationId *locations,
             unsigned dump, uint64_t time_ns)
{
    int n = g_rand_int_range (rand, 0, MAX_SAMPLES / MAX_DUMPS);
    for (int i = 0; i < n; i++) {
        Sample *sample = &made->samples[made->n_samples++];
        *sample = (Sample){
            .dump = dump,
            .thread = (unsigned)g_rand_int_range (rand, 0, N_THREADS),
            .depth = (unsigned)g_rand_int_range (rand, 0, MAX_DEPTH + 1),
            .weights = {(uint64_t)g_rand_int_range (rand, 0, 5000), 1},
        };
        PvStackId stack = 0;
        for (unsigned d = 0; d < sample->depth; d++) {
            sample->functions[d] = (unsigned)g_rand_int_range (rand, 0, N_FUNCTIONS);
            stack = pv_profile_builder_stack (builder, stack, locations[sample->functions[d]]);
        }
        PvNewSample row = {
            .time_ns = time_ns, .stack = stack, .thread = made->threads[sample->thread]};
        pv_profile_builder_add_sample (builder, 0, &row, sample->weights);
    }
}

static void
name_functions (Made *made, const PvLocationId *locations)
{
    g_autoptr (PvSymbolBuilder) builder = pv_symbol_builder_new (made->profile);
    for (unsigned f = 0; f < N_FUNCTIONS; f++) {
        g_autofree char *name = g_strdup_printf ("f%u", f);
        PvFunction function = {.name = name, .module = 1};
        PvFrame frame = {.function = pv_symbol_builder_function (builder, &function), .line = f};
        pv_symbol_builder_set_frames (builder, locations[f], &frame, 1);
    }
    made->symbols = pv_symbol_builder_publish (builder, true);
}

static Made *
make (GRand *rand)
{
    Made *made = g_new0 (Made, 1);
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    PvModuleId m = made_module (builder, "/bin/made");
    PvLocationId locations[N_FUNCTIONS];
    for (unsigned f = 0; f < N_FUNCTIONS; f++)
        locations[f] = pv_profile_builder_location (builder, m, 16 * f + 16, PV_LOCATION_RETURN);
    for (unsigned t = 1; t < N_THREADS; t++)
        made->threads[t] = pv_profile_builder_add_thread (builder, 0, (int)t, "thread", 0);
    pv_profile_builder_add_set (builder, "heap", false);
    pv_profile_builder_add_measure (builder, 0, "space", PV_UNIT_BYTES, PV_AGGREGATION_STATE);
    pv_profile_builder_add_measure (builder, 0, "calls", PV_UNIT_COUNT, PV_AGGREGATION_SUM);
    unsigned n_dumps = (unsigned)g_rand_int_range (rand, 1, MAX_DUMPS + 1);
    uint64_t time_ns = 1000000;
    for (unsigned d = 0; d < n_dumps; d++) {
        g_autofree char *name = g_strdup_printf ("p.1.%u.i%u.heap", d, d);
        time_ns += (uint64_t)g_rand_int_range (rand, 1, 2000) * 1000000;
        pv_profile_builder_add_dump (builder, &(PvDump){.name = name, .time_ns = time_ns});
        add_samples (made, rand, builder, locations, d, time_ns);
    }
    made->profile = pv_profile_builder_snapshot (builder);
    name_functions (made, locations);
    return made;
}

static void
made_free (Made *made)
{
    pv_symbol_table_free (made->symbols);
    pv_profile_free (made->profile);
    g_free (made);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Made, made_free)

/* The part of all this that a query selects. */
typedef struct {
    unsigned column;
    int hidden; /* this function; -1: none */
    int focus;  /* stacks with this one; -1: all */
    int thread; /* this one; -1: all */
} Question;

static Question
random_question (GRand *rand)
{
    return (Question){
        .column = (unsigned)g_rand_int_range (rand, 0, 2),
        .hidden = g_rand_int_range (rand, -1, N_FUNCTIONS),
        .focus = g_rand_boolean (rand) ? g_rand_int_range (rand, 0, N_FUNCTIONS) : -1,
        .thread = g_rand_boolean (rand) ? g_rand_int_range (rand, 1, N_THREADS) : -1,
    };
}

static PvCallTree *
ask (const Made *made, const Question *question, const char *measure)
{
    g_auto (PvQuery) query = new_query ();
    char expression[16];
    query.measure = pv_profile_find_measure (made->profile, measure);
    g_assert_cmpuint (query.measure, <, made->profile->n_measures);
    if (question->focus >= 0) {
        g_snprintf (expression, sizeof expression, "^f%d$", question->focus);
        pv_query_add_transform (&query, PV_TRANSFORM_FOCUS, expression);
    }
    if (question->hidden >= 0) {
        g_snprintf (expression, sizeof expression, "^f%d$", question->hidden);
        pv_query_add_transform (&query, PV_TRANSFORM_HIDE, expression);
    }
    if (question->thread >= 0)
        pv_query_set_only (&query, PV_ORIGIN_THREAD, &made->threads[question->thread], 1);
    return query_tree (made->profile, made->symbols, &query);
}

/* Where the sample's stack ends: N_FUNCTIONS at the root, -1 if it does not count. */
static int
find_end (const Question *question, const Sample *sample)
{
    bool has_focus = question->focus < 0;
    int end = -1;
    if (question->thread >= 0 && sample->thread != (unsigned)question->thread)
        return -1;
    for (unsigned d = 0; d < sample->depth; d++) {
        has_focus = has_focus || sample->functions[d] == (unsigned)question->focus;
        if (sample->functions[d] != (unsigned)question->hidden)
            end = (int)sample->functions[d];
    }
    if (!has_focus)
        return -1;
    /* A stack that was empty before counts as the root; one that was hidden as a whole does not. */
    return end < 0 && sample->depth == 0 ? N_FUNCTIONS : end;
}

typedef int64_t Sums[N_FUNCTIONS + 1][MAX_DUMPS];

static void
add_up (const Made *made, const Question *question, Sums ret_sums)
{
    memset (ret_sums, 0, sizeof (Sums));
    for (unsigned i = 0; i < made->n_samples; i++) {
        const Sample *sample = &made->samples[i];
        int end = find_end (question, sample);
        if (end >= 0)
            ret_sums[end][sample->dump] += (int64_t)sample->weights[question->column];
    }
}

static void
check_series (const Made *made, const PvSeries *series, Sums sums, uint32_t max_layers)
{
    const PvProfile *profile = made->profile;
    double last_weight = INFINITY;
    g_assert_cmpuint (series->n_layers, <=, max_layers);
    for (uint32_t l = 0; l < series->n_layers; l++) {
        const PvSeriesLayer *layer = &series->layers[l];
        double weight = 0;
        for (uint32_t p = 0; p < series->n_points; p++)
            weight +=
                (double)layer->values[p] * (double)(series->start_ms[p + 1] - series->start_ms[p]);
        g_assert_cmpfloat ((double)layer->weight, ==, weight);
        if (layer->function == 0) {
            g_assert_cmpuint (l, ==, series->n_layers - 1);
            continue;
        }
        g_assert_cmpfloat (weight, <=, last_weight);
        last_weight = weight;
        unsigned f = (unsigned)atoi (series->tree->symbols->functions[layer->function].name + 1);
        g_assert_cmpuint (layer->frame->line, ==, f);
        for (uint32_t p = 0; p < series->n_points; p++)
            g_assert_cmpint (layer->values[p], ==, sums[f][series->first_dump + p]);
    }
    int64_t highest = 0;
    for (uint32_t p = 0; p < series->n_points; p++) {
        uint32_t dump = series->first_dump + p;
        int64_t total = 0;
        for (unsigned f = 0; f <= N_FUNCTIONS; f++)
            total += sums[f][dump];
        g_assert_cmpint (series->totals[p], ==, total);
        g_assert_cmpuint (series->start_ms[p], ==,
                          (profile->dumps[dump].time_ns - profile->start_ns) / 1000000);
        g_assert_cmpuint (series->start_ms[p + 1], >, series->start_ms[p]);
        highest = MAX (highest, total);
    }
    g_assert_cmpint (series->highest, ==, highest);
    g_assert_false (series->has_peak);
}

static void
check_range (const Made *made, const PvCallTree *tree, GRand *rand, Sums sums)
{
    const PvProfile *profile = made->profile;
    uint32_t max_layers = (uint32_t)g_rand_int_range (rand, 1, N_FUNCTIONS + 3);
    uint64_t start = 0, end = UINT64_MAX;
    if (g_rand_boolean (rand)) {
        start = (uint64_t)g_rand_int_range (rand, 0, 1 << 30) * 4;
        end = start + (uint64_t)g_rand_int_range (rand, 0, 1 << 30) * 8;
    }
    g_autoptr (PvSeries) series =
        pv_series_build (tree, PV_CHART_DUMPS, start, end, max_layers, 1, NULL);
    uint32_t n = 0;
    for (uint32_t d = 0; d < profile->n_dumps; d++) {
        uint64_t time = profile->dumps[d].time_ns - profile->start_ns;
        n += time >= start && time < end;
        if (time >= start && time < end && n == 1)
            g_assert_cmpuint (series->first_dump, ==, d);
    }
    g_assert_cmpuint (series->n_points, ==, n);
    check_series (made, series, sums, max_layers);
}

TEST (random)
{
    for (guint32 seed = 0; seed < 200; seed++) {
        g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
        g_autoptr (Made) made = make (rand);
        for (int i = 0; i < 8; i++) {
            Question question = random_question (rand);
            Sums sums;
            add_up (made, &question, sums);
            const char *measure = question.column == 1 ? "calls" : "space";
            g_autoptr (PvCallTree) tree = ask (made, &question, measure);
            g_assert_cmpstr (pv_series_find_dump_measure (tree)->name, ==, measure);
            check_range (made, tree, rand, sums);
        }
    }
}

/* The chart of growth or decrease since dump p: at dump q, what has changed between them. */
static void
check_change (Made *made, const PvSeries *states, uint32_t p, uint32_t q, const char *name,
              uint64_t amount)
{
    g_auto (PvQuery) query = new_query ();
    uint32_t base;
    query.measure = pv_profile_find_measure (made->profile, name);
    query.start_ns = states->start_ms[p] * 1000000;
    g_autoptr (PvCallTree) tree = query_tree (made->profile, made->symbols, &query);
    g_autoptr (PvSeries) series =
        pv_series_build (tree, PV_CHART_DUMPS, 0, UINT64_MAX, 5, 100, NULL);
    g_assert_true (pv_series_find_base (tree, &base));
    g_assert_cmpuint (base, ==, p);
    g_assert_cmpint (series->totals[q - 1], ==, (int64_t)amount);
    for (uint32_t before = 0; before <= p; before++)
        g_assert_cmpint (series->totals[before], ==, 0);
}

/* Both together: what was taken away is below the axis, what was added above. */
static void
check_net (Made *made, const PvSeries *states, uint32_t p, uint32_t q, uint64_t increase,
           uint64_t decrease)
{
    g_auto (PvQuery) query = new_query ();
    uint32_t base;
    int64_t below = 0, above = 0;
    query.measure = pv_profile_find_measure (made->profile, "space-growth");
    query.start_ns = states->start_ms[p] * 1000000;
    g_autoptr (PvCallTree) tree = query_tree (made->profile, made->symbols, &query);
    g_autoptr (PvSeries) series =
        pv_series_build (tree, PV_CHART_DUMPS, 0, UINT64_MAX, 4, 100, NULL);
    g_assert_true (pv_series_find_base (tree, &base));
    g_assert_cmpuint (base, ==, p);
    g_assert_true (series->is_net);
    g_assert_cmpuint (series->n_points, ==, states->n_points);
    for (uint32_t l = 0; l < series->n_layers; l++)
        *(l < series->n_below ? &below : &above) += series->layers[l].values[q - 1];
    g_assert_cmpint (below, ==, (int64_t)decrease);
    g_assert_cmpint (above, ==, (int64_t)increase);
    g_assert_cmpint (series->totals[q - 1], ==, above - below);
    g_assert_cmpint (series->highest, >=, above + below);
}

/* The range from the beginning of one point to that of another has the growth between two dumps. */
TEST (growth_of_ranges)
{
    for (guint32 seed = 0; seed < 60; seed += pv_test_step (4)) {
        g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
        g_autoptr (Made) made = make (rand);
        Question question = {.hidden = -1, .focus = -1, .thread = -1};
        g_autoptr (PvCallTree) whole = ask (made, &question, "space");
        g_autoptr (PvSeries) series =
            pv_series_build (whole, PV_CHART_DUMPS, 0, UINT64_MAX, 5, 100, NULL);
        for (uint32_t p = 0; p < series->n_points; p++) {
            for (uint32_t q = p + 1; q <= series->n_points; q++) {
                uint64_t amounts[2] = {0};
                static const char *const names[] = {"space-increase", "space-decrease"};
                for (int i = 0; i < 2; i++) {
                    g_auto (PvQuery) query = new_query ();
                    query.measure = pv_profile_find_measure (made->profile, names[i]);
                    query.start_ns = series->start_ms[p] * 1000000;
                    query.end_ns = series->start_ms[q] * 1000000;
                    g_free (weigh_stacks (made->profile, &query, &amounts[i]));
                    check_change (made, series, p, q, names[i], amounts[i]);
                }
                check_net (made, series, p, q, amounts[0], amounts[1]);
                g_assert_cmpint ((int64_t)(amounts[0] - amounts[1]), ==,
                                 series->totals[q - 1] - series->totals[p]);
            }
        }
    }
}

TEST (none)
{
    g_autoptr (GRand) rand = g_rand_new_with_seed (1);
    g_autoptr (Made) made = make (rand);
    Question question = {.hidden = -1, .focus = -1, .thread = -1};
    g_autoptr (PvCallTree) tree = ask (made, &question, "space");
    g_autoptr (PvJob) job = pv_job_new ();
    g_assert_null (pv_series_build (tree, PV_CHART_LIVE, 0, UINT64_MAX, 5, 100, NULL));
    pv_job_cancel (job);
    g_assert_null (pv_series_build (tree, PV_CHART_DUMPS, 0, UINT64_MAX, 5, 100, job));
    g_autoptr (PvSeries) empty =
        pv_series_build (tree, PV_CHART_DUMPS, UINT64_MAX - 1, UINT64_MAX, 5, 100, NULL);
    g_assert_cmpuint (empty->n_points, ==, 0);
    g_assert_cmpint (empty->highest, ==, 0);
    g_assert_cmpuint (pv_chart_kind_from_name ("dumps"), ==, PV_CHART_DUMPS);
}

/* The dump that is said to be the peak is marked, unless it is plainly not. */
TEST (peak)
{
    static const uint64_t amounts[] = {10, 500, 507, 20};
    static const bool has_peak[] = {false, true, true, false};
    for (unsigned main_dump = 0; main_dump <= G_N_ELEMENTS (amounts); main_dump++) {
        g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
        pv_profile_builder_add_set (builder, "heap", false);
        pv_profile_builder_add_measure (builder, 0, "space", PV_UNIT_BYTES, PV_AGGREGATION_STATE);
        for (unsigned d = 0; d < G_N_ELEMENTS (amounts); d++) {
            PvNewSample row = {.time_ns = (d + 1) * UINT64_C (1000000000)};
            PvDump dump = {.name = "dump", .time_ns = row.time_ns, .is_main = d == main_dump};
            pv_profile_builder_add_dump (builder, &dump);
            pv_profile_builder_add_sample (builder, 0, &row, &amounts[d]);
        }
        Made made = {.profile = pv_profile_builder_snapshot (builder)};
        g_autoptr (PvSymbolBuilder) names = pv_symbol_builder_new (made.profile);
        made.symbols = pv_symbol_builder_publish (names, true);
        Question question = {.hidden = -1, .focus = -1, .thread = -1};
        g_autoptr (PvCallTree) tree = ask (&made, &question, "space");
        g_autoptr (PvSeries) series =
            pv_series_build (tree, PV_CHART_DUMPS, 0, UINT64_MAX, 5, 100, NULL);
        bool is_wanted = main_dump < G_N_ELEMENTS (amounts) && has_peak[main_dump];
        g_assert_cmpint (series->has_peak, ==, is_wanted);
        if (is_wanted) {
            g_assert_cmpuint (series->peak_ms, ==, series->start_ms[main_dump]);
            g_assert_cmpint (series->peak_value, ==, (int64_t)amounts[main_dump]);
        }
        pv_symbol_table_free (made.symbols);
        pv_profile_free (made.profile);
    }
}
