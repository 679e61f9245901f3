/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Flame charts of random profiles, held against stacks that are joined one by one.
 */
#include <string.h>

#include "../cases.h"
#include "core/analyze/time/flame-chart.h"
#include "core/analyze/tree/box-tree.h"
#include "core/base/job.h"
#include "core/model/build/builder.h"
#include "timed-profile.h"

enum { N_FUNCTIONS = 6, N_STACKS = 40, N_THREADS = 3, MAX_DEPTH = 64, N_CASES = 60, N_CUTS = 12 };

typedef struct {
    GRand *random;
    PvProfile *profile;
    PvSymbolTable *symbols;
    PvCallTree *tree;
    PvFlameChart *chart;
} Case;

/* A sample of the thread; depth 0 with is_kept: it has no stack. */
typedef struct {
    uint64_t start_ns;
    uint64_t end_ns;
    uint64_t before_ns; /* of a wait, before its delay begins */
    bool is_kept;
    unsigned depth;
    PvFunctionId path[MAX_DEPTH]; /* outermost first */
} Plain;

typedef struct {
    uint64_t left;
    uint64_t right;
    PvFunctionId function;
} PlainBox;

/* Making a case */

/* Mostly regular, sometimes together, now and then after a pause. */
static uint64_t
pick_step (GRand *random)
{
    unsigned kind = timed_pick (random, 60);
    return kind == 0  ? 2000 + timed_pick (random, 90000)
           : kind < 4 ? 0
                      : 900 + timed_pick (random, 200);
}

static void
add_samples (GRand *random, PvProfileBuilder *builder, unsigned n_samples)
{
    PvStackId stacks[N_STACKS], stack = 0;
    PvThreadId threads[N_THREADS];
    uint64_t time_ns = 7000000000;
    unsigned stays = 1 + timed_pick (random, 40), drops = timed_pick (random, 4) == 0 ? 400 : 0;
    timed_add_stacks (random, builder, N_FUNCTIONS, stacks, N_STACKS, 2);
    PvProcessId process = pv_profile_builder_add_process (builder, 1, "p", 0);
    for (unsigned t = 0; t < N_THREADS; t++)
        threads[t] = pv_profile_builder_add_thread (builder, process, (int)t + 10, "t", 0);
    for (unsigned i = 0; i < n_samples; i++) {
        PvNewSample sample = {.cpu = 0};
        time_ns += pick_step (random);
        if (i == 0 || timed_pick (random, stays) == 0)
            stack = stacks[timed_pick (random, N_STACKS)];
        sample.thread = threads[timed_pick (random, 4) == 0 ? 1 + timed_pick (random, 2) : 0];
        sample.time_ns = time_ns;
        sample.stack = timed_pick (random, 50) == 0 ? 0 : stack;
        uint64_t weight = timed_pick (random, 30) == 0 ? 0 : 1 + timed_pick (random, 100);
        if (drops > 0 && timed_pick (random, drops) > 0)
            weight = 0;
        pv_profile_builder_add_sample (builder, 0, &sample, &weight);
        sample.duration_ns = 1 + timed_pick (random, 3000);
        const uint64_t spent[] = {sample.duration_ns, timed_pick (random, 3000)};
        pv_profile_builder_add_sample (builder, 1, &sample, spent);
    }
}

static void
make_profile (Case *test, unsigned n_samples)
{
    g_autoptr (PvProfileBuilder) builder = timed_new_builder (NULL);
    add_samples (test->random, builder, n_samples);
    test->profile = pv_profile_builder_snapshot (builder);
    test->symbols = timed_name_functions (test->profile);
}

static Case
new_case (unsigned seed)
{
    g_auto (PvQuery) query = new_query ();
    Case test = {.random = g_rand_new_with_seed (seed)};
    make_profile (&test, seed % 4 == 0 ? 5000 : 1 + timed_pick (test.random, 400));
    query.measure = timed_pick (test.random, 3) == 0 ? 1 + timed_pick (test.random, 2) : 0;
    if (timed_pick (test.random, 3) == 0)
        query.start_ns = timed_pick (test.random, 100000);
    if (timed_pick (test.random, 3) == 0)
        query.end_ns = query.start_ns + 1 + timed_pick (test.random, 300000);
    if (timed_pick (test.random, 3) == 0)
        pv_query_add_transform (&query, PV_TRANSFORM_FOCUS, "^f[1-4]$");
    if (timed_pick (test.random, 3) == 0)
        pv_query_add_transform (&query, PV_TRANSFORM_HIDE, "^f2$");
    test.tree = query_tree (test.profile, test.symbols, &query);
    test.chart = pv_flame_chart_build (test.tree, PV_CHART_BUSIEST, NULL);
    return test;
}

static void
tear_down (Case *test)
{
    pv_flame_chart_unref (test->chart);
    pv_call_tree_free (test->tree);
    pv_symbol_table_free (test->symbols);
    pv_profile_free (test->profile);
    g_rand_free (test->random);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Case, tear_down)

/* The slow and obvious way */

static void
find_path (const Case *test, PvStackId stack, Plain *plain)
{
    bool is_focused = false, has_focus = false;
    unsigned n = 0;
    PvFunctionId inner[MAX_DEPTH];
    const PvQuery *query = &test->tree->query;
    bool hides = false;
    for (uint32_t i = 0; i < query->n_transforms; i++) {
        has_focus |= query->transforms[i].kind == PV_TRANSFORM_FOCUS;
        hides |= query->transforms[i].kind == PV_TRANSFORM_HIDE;
    }
    bool has_frames = stack != 0;
    for (; stack != 0; stack = test->profile->parent_of_stack[stack]) {
        PvLocationId location = test->profile->location_of_stack[stack];
        uint32_t n_frames;
        PvFunctionId function =
            pv_symbol_table_frames (test->symbols, location, &n_frames)->function;
        const char *name = test->symbols->functions[function].name;
        is_focused |= name[1] >= '1' && name[1] <= '4';
        if (hides && strcmp (name, "f2") == 0)
            continue;
        g_assert_cmpuint (n, <, MAX_DEPTH);
        inner[n++] = function;
    }
    plain->is_kept &= (!has_focus || is_focused) && (n > 0 || !has_frames);
    plain->depth = n;
    for (unsigned i = 0; i < n; i++)
        plain->path[i] = inner[n - 1 - i];
}

static int
compare_numbers (gconstpointer a, gconstpointer b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static uint64_t
find_median (const GArray *plains)
{
    g_autoptr (GArray) distances = g_array_new (FALSE, FALSE, sizeof (uint64_t));
    for (guint i = 0; i + 1 < plains->len; i++) {
        uint64_t distance_ns = g_array_index (plains, Plain, i + 1).start_ns -
                               g_array_index (plains, Plain, i).start_ns;
        if (distance_ns > 0)
            g_array_append_val (distances, distance_ns);
    }
    g_array_sort (distances, compare_numbers);
    return distances->len > 0 ? g_array_index (distances, uint64_t, distances->len / 2) : 1;
}

/* The samples of the chart's thread. */
static GArray *
make_plains (const Case *test)
{
    const PvMeasure *measure = &test->profile->measures[test->tree->query.measure];
    const PvSampleSet *set = pv_profile_get_measure_set (test->profile, test->tree->query.measure);
    GArray *plains = g_array_new (FALSE, TRUE, sizeof (Plain));
    for (uint32_t i = 0; i < set->n_samples; i++) {
        uint64_t weight = pv_sample_set_weight (set, measure->column, i);
        Plain plain = {.is_kept = weight > 0};
        if (pv_sample_set_thread (set, i) != test->chart->thread)
            continue;
        plain.start_ns = pv_sample_set_time_ns (set, i) - test->profile->start_ns;
        plain.end_ns = set->duration_ns != NULL ? plain.start_ns + set->duration_ns[i] : 0;
        if (measure->is_delay)
            plain.before_ns = set->duration_ns[i] - MIN (weight, set->duration_ns[i]);
        find_path (test, set->stack[i], &plain);
        g_array_append_val (plains, plain);
    }
    uint64_t period_ns = find_median (plains);
    for (guint i = 0; i < plains->len; i++) {
        Plain *plain = &g_array_index (plains, Plain, i);
        uint64_t next_ns =
            i + 1 < plains->len ? g_array_index (plains, Plain, i + 1).start_ns : UINT64_MAX;
        if (plain->end_ns == 0 && next_ns - plain->start_ns <= 4 * period_ns)
            plain->end_ns = next_ns;
        else if (plain->end_ns == 0)
            plain->end_ns = plain->start_ns + period_ns;
        plain->end_ns = MIN (plain->end_ns, next_ns);
        plain->start_ns = MIN (plain->start_ns + plain->before_ns, plain->end_ns);
    }
    return plains;
}

/* The boxes of a level, from 1 on, that a range of time has. They may be longer. */
static GArray *
join_plains (const Case *test, const GArray *plains, unsigned level, uint64_t start_ns,
             uint64_t end_ns)
{
    g_autoptr (GArray) boxes = g_array_new (FALSE, FALSE, sizeof (PlainBox));
    GArray *found = g_array_new (FALSE, FALSE, sizeof (PlainBox));
    const PvFlameChart *chart = test->chart;
    const Plain *last = NULL;
    for (guint i = 0; i < plains->len; i++) {
        const Plain *plain = &g_array_index (plains, Plain, i);
        uint64_t left = MAX (plain->start_ns, chart->start_ns);
        uint64_t right = MIN (plain->end_ns, chart->end_ns);
        if (!plain->is_kept || left >= right)
            continue;
        bool is_same = last != NULL && last->end_ns == plain->start_ns && last->depth >= level &&
                       plain->depth >= level &&
                       memcmp (last->path, plain->path, level * sizeof *plain->path) == 0;
        last = plain;
        if (is_same) {
            g_array_index (boxes, PlainBox, boxes->len - 1).right = right - chart->start_ns;
        } else if (plain->depth >= level) {
            PlainBox box = {left - chart->start_ns, right - chart->start_ns,
                            plain->path[level - 1]};
            g_array_append_val (boxes, box);
        }
    }
    for (guint i = 0; i < boxes->len; i++) {
        const PlainBox *box = &g_array_index (boxes, PlainBox, i);
        if (chart->start_ns + box->left < end_ns && chart->start_ns + box->right > start_ns)
            g_array_append_vals (found, box, 1);
    }
    return found;
}

/* Checks the promises of call-tree.h, except for the order. */
static void
check_tree (const PvCallTree *tree)
{
    uint64_t sum = 0;
    g_assert_cmpuint (tree->level_start[tree->n_levels], ==, tree->n_nodes);
    g_assert_cmpuint (tree->first_child[tree->n_nodes], ==, tree->n_nodes);
    for (PvNodeId node = 0; node < tree->n_nodes; node++) {
        uint64_t of_children = 0, right = tree->left[node];
        for (PvNodeId child = tree->first_child[node]; child < tree->first_child[node + 1];
             child++) {
            g_assert_cmpuint (tree->parent_of_node[child], ==, node);
            g_assert_cmpuint (tree->left[child], >=, right);
            right = tree->left[child] + tree->total[child];
            of_children += tree->total[child];
        }
        g_assert_cmpuint (right, <=, tree->left[node] + tree->total[node]);
        g_assert_cmpuint (tree->self[node], ==, tree->total[node] - of_children);
        g_assert_cmpuint (tree->total[node], >, 0);
        sum += tree->self[node];
    }
    g_assert_cmpuint (sum, ==, tree->total[0]);
}

static void
check_exact (const Case *test, const GArray *plains, const PvCallTree *tree, uint64_t start_ns,
             uint64_t end_ns)
{
    g_assert_cmpuint (tree->total[0], ==, test->chart->end_ns - test->chart->start_ns);
    g_assert_cmpuint (tree->query.start_ns, ==, test->chart->start_ns);
    check_tree (tree);
    for (unsigned level = 1; level <= tree->n_levels; level++) {
        g_autoptr (GArray) boxes = join_plains (test, plains, level, start_ns, end_ns);
        PvNodeId first = tree->level_start[level];
        uint32_t n = level < tree->n_levels ? tree->level_start[level + 1] - first : 0;
        g_assert_cmpuint (boxes->len, ==, n);
        for (uint32_t i = 0; i < n; i++) {
            const PlainBox *box = &g_array_index (boxes, PlainBox, i);
            g_assert_cmpuint (tree->left[first + i], ==, box->left);
            g_assert_cmpuint (tree->total[first + i], ==, box->right - box->left);
            g_assert_cmpuint (tree->function_of_node[first + i], ==, box->function);
            g_assert_cmpuint (pv_call_tree_count_folded (tree, first + i), ==, 0);
        }
    }
}

/* The box at a moment, PV_NODE_NONE: none. */
static PvNodeId
find_box (const PvCallTree *tree, unsigned level, uint64_t at)
{
    if (level >= tree->n_levels)
        return PV_NODE_NONE;
    for (PvNodeId node = tree->level_start[level]; node < tree->level_start[level + 1]; node++)
        if (at >= tree->left[node] && at - tree->left[node] < tree->total[node])
            return node;
    return PV_NODE_NONE;
}

/* How long there were samples of its path in a box: all the time, if it is not folded. */
static uint64_t
sum_plains (const Case *test, const GArray *plains, const PvCallTree *tree, PvNodeId node,
            unsigned level)
{
    uint64_t sum = 0, start_ns = test->chart->start_ns + tree->left[node];
    for (guint i = 0; i < plains->len; i++) {
        const Plain *plain = &g_array_index (plains, Plain, i);
        uint64_t left = MAX (plain->start_ns, start_ns);
        uint64_t right = MIN (plain->end_ns, start_ns + tree->total[node]);
        if (plain->is_kept && left < right && plain->depth >= level &&
            plain->path[level - 1] == tree->function_of_node[node])
            sum += right - left;
    }
    return sum;
}

/* The legend's sums, which no zoom changes. */
static void
check_functions (const Case *test, const GArray *plains, uint64_t start_ns, uint64_t end_ns)
{
    uint32_t n = test->tree->symbols->n_functions;
    g_autofree uint64_t *sums = g_new0 (uint64_t, n);
    g_autofree uint64_t *weights = pv_flame_chart_weigh_functions (test->chart, start_ns, end_ns);
    for (guint i = 0; i < plains->len; i++) {
        const Plain *plain = &g_array_index (plains, Plain, i);
        uint64_t left = MAX (plain->start_ns, start_ns), right = MIN (plain->end_ns, end_ns);
        if (plain->is_kept && left < right)
            sums[plain->depth > 0 ? plain->path[plain->depth - 1] : 0] += right - left;
    }
    for (PvFunctionId f = 0; f < n; f++)
        g_assert_cmpuint (weights[f], ==, sums[f]);
}

/* Each sample is where it was, in a box of its own functions or in folded ones; and no folded box
 * is wider than what may be joined. */
static void
check_coarse (const Case *test, const GArray *plains, const PvCallTree *tree, uint64_t start_ns,
              uint64_t end_ns, uint64_t least_ns)
{
    uint64_t base_ns = test->chart->start_ns;
    check_tree (tree);
    for (guint i = 0; i < plains->len; i++) {
        const Plain *plain = &g_array_index (plains, Plain, i);
        uint64_t left = MAX (plain->start_ns, MAX (start_ns, base_ns));
        uint64_t right = MIN (plain->end_ns, MIN (end_ns, test->chart->end_ns));
        if (!plain->is_kept || left >= right)
            continue;
        for (unsigned level = 1; level <= plain->depth; level++) {
            PvNodeId node = find_box (tree, level, left - base_ns);
            g_assert_cmpuint (node, !=, PV_NODE_NONE);
            g_assert_cmpuint (tree->left[node] + tree->total[node], >=, right - base_ns);
            if (pv_call_tree_count_folded (tree, node) == 0)
                g_assert_cmpuint (tree->function_of_node[node], ==, plain->path[level - 1]);
            else
                g_assert_cmpuint (plain->end_ns - plain->start_ns, <, least_ns);
        }
    }
    for (unsigned level = 1; level < tree->n_levels; level++)
        for (PvNodeId node = tree->level_start[level]; node < tree->level_start[level + 1]; node++)
            if (pv_call_tree_count_folded (tree, node) > 0)
                g_assert_cmpuint (tree->total[node], <=, least_ns);
            else
                g_assert_cmpuint (sum_plains (test, plains, tree, node, level), ==,
                                  tree->total[node]);
}

static uint32_t
count_plains (const GArray *plains, uint64_t start_ns, uint64_t end_ns)
{
    uint32_t n = 0;
    for (guint i = 0; i < plains->len; i++) {
        const Plain *plain = &g_array_index (plains, Plain, i);
        n += plain->is_kept && plain->start_ns >= start_ns && plain->start_ns < end_ns;
    }
    return n;
}

static void
check_cut (Case *test, const GArray *plains, uint64_t start_ns, uint64_t end_ns)
{
    start_ns = CLAMP (start_ns, test->chart->start_ns, test->chart->end_ns - 1);
    end_ns = CLAMP (end_ns, start_ns + 1, test->chart->end_ns);
    uint64_t least_ns =
        1 + timed_pick (test->random, timed_pick (test->random, 2) == 0 ? 3000 : 200000);
    g_autoptr (PvCallTree) exact = pv_flame_chart_cut (test->chart, start_ns, end_ns, 0, NULL);
    g_autoptr (PvCallTree) coarse =
        pv_flame_chart_cut (test->chart, start_ns, end_ns, least_ns, NULL);
    check_exact (test, plains, exact, start_ns, end_ns);
    check_coarse (test, plains, coarse, start_ns, end_ns, least_ns);
    check_functions (test, plains, start_ns, end_ns);
    g_assert_cmpuint (pv_flame_chart_count (test->chart, start_ns, end_ns), ==,
                      count_plains (plains, start_ns, end_ns));
    g_assert_cmpuint (exact->n_kept_samples, ==,
                      count_plains (plains, test->chart->start_ns, test->chart->end_ns));
}

TEST (random)
{
    for (unsigned seed = 0; seed < N_CASES; seed++) {
        Case test = new_case (seed);
        if (test.chart->n_samples == 0) {
            g_assert_cmpuint (test.tree->total[0], ==, 0);
            tear_down (&test);
            continue;
        }
        g_autoptr (GArray) plains = make_plains (&test);
        uint64_t end_ns = test.chart->end_ns + 1000;
        g_assert_cmpuint (test.chart->n_samples, ==, count_plains (plains, 0, UINT64_MAX));
        check_cut (&test, plains, 0, end_ns);
        for (unsigned i = 0; i < N_CUTS; i++) {
            uint64_t start_ns = timed_pick (test.random, (unsigned)MIN (end_ns, INT32_MAX));
            uint64_t length_ns = timed_pick (test.random, 100000);
            check_cut (&test, plains, start_ns, start_ns + 1 + length_ns);
        }
        tear_down (&test);
    }
}

/* Every box of a chart leads to a node of the tree it is of, with the same path. */
TEST (translate)
{
    for (unsigned seed = 100; seed < 110; seed++) {
        Case test = new_case (seed);
        if (test.chart->n_samples == 0) {
            tear_down (&test);
            continue;
        }
        g_autoptr (PvCallTree) cut =
            pv_flame_chart_cut (test.chart, 0, test.chart->end_ns + 1, 0, NULL);
        for (PvNodeId node = 0; node < cut->n_nodes; node++) {
            PvNodeId found = pv_call_tree_translate (cut, node, test.tree), at = node;
            for (; at != 0; at = cut->parent_of_node[at]) {
                g_assert_cmpuint (cut->function_of_node[at], ==,
                                  test.tree->function_of_node[found]);
                found = test.tree->parent_of_node[found];
            }
            g_assert_cmpuint (found, ==, 0);
        }
        tear_down (&test);
    }
}

/* Threads are weighed in the query's time, the heaviest is taken, and the span is of that time. */
TEST (threads)
{
    g_auto (Case) test = new_case (4);
    const PvFlameChart *chart = test.chart;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < chart->n_threads; i++) {
        sum += chart->threads[i].weight;
        if (i > 0)
            g_assert_cmpuint (chart->threads[i].weight, <=, chart->threads[i - 1].weight);
    }
    g_assert_cmpuint (chart->n_threads, ==, N_THREADS);
    g_assert_cmpuint (sum, ==, test.tree->total[0]);
    g_assert_cmpuint (chart->thread, ==, chart->threads[0].thread);
    g_assert_cmpuint (chart->weight, ==, chart->threads[0].weight);

    g_auto (PvQuery) query;
    pv_query_copy (&query, &test.tree->query);
    query.start_ns = chart->start_ns + 100000;
    query.end_ns = chart->start_ns + 300000;
    g_autoptr (PvCallTree) tree = query_tree (test.profile, test.symbols, &query);
    PvThreadId other = chart->threads[1].thread;
    g_autoptr (PvFlameChart) part = pv_flame_chart_build (tree, other, NULL);
    g_assert_cmpuint (part->thread, ==, other);
    g_assert_cmpuint (part->start_ns, >=, query.start_ns);
    g_assert_cmpuint (part->end_ns, <=, query.end_ns);
    sum = 0;
    for (uint32_t i = 0; i < part->n_threads; i++)
        sum += part->threads[i].weight;
    g_assert_cmpuint (sum, ==, tree->total[0]);
    g_autofree char *name = pv_flame_chart_format_thread (test.profile, other);
    g_assert_true (g_str_has_prefix (name, "p · t ("));
}

/* A cancelled job leaves nothing behind. */
TEST (cancelled)
{
    g_autoptr (PvJob) job = pv_job_new ();
    g_auto (Case) test = new_case (8);
    pv_job_cancel (job);
    g_assert_null (pv_flame_chart_build (test.tree, PV_CHART_BUSIEST, job));
}
