/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "resampled.h"

#include <math.h>
#include <string.h>

#include "../cases.h"
#include "../new-query.h"
#include "core/analyze/compare/changes.h"
#include "core/analyze/compare/comparison.h"
#include "core/base/array.h"

enum { MAX_RUNS = 20, N_BLOCKS = 100, WEIGHT = 1000000 };

/* A recording of drawn samples, with all else of the original. */
typedef struct {
    PvProfile profile;
    PvSampleSet set;
    PV_ARRAY (PvStackId) stacks;
    PV_ARRAY (uint64_t) times;
    PV_ARRAY (uint16_t) contexts;
} Drawn;

/* A function's samples in the original. */
typedef struct {
    double self, total, slow_self, slow_total; /* slow: in stacks with the slow function */
} Share;

typedef struct {
    const Resampling *with;
    const PvSampleSet *set;
    bool *is_slow; /* by stack */
    Share *shares; /* by function; 0: everything */
    GRand *random;
} Drawing;

/* About a Poisson variable of a large mean. */
static unsigned
draw_many (GRand *random, double mean)
{
    double sum = -6;
    for (unsigned i = 0; i < 12; i++)
        sum += g_rand_double (random);
    return (unsigned)MAX (mean + sum * sqrt (mean) + 0.5, 1);
}

static bool
has_function (const Resampling *with, PvStackId stack, PvFunctionId function)
{
    for (; stack != 0; stack = with->profile->parent_of_stack[stack]) {
        uint32_t n;
        const PvFrame *chain =
            pv_symbol_table_frames (with->symbols, with->profile->location_of_stack[stack], &n);
        for (uint32_t i = 0; i < n; i++)
            if (chain[i].function == function)
                return true;
    }
    return false;
}

/* --- the truth --- */

static void
add_share (Drawing *drawing, PvStackId stack, GHashTable *seen)
{
    const Resampling *with = drawing->with;
    const bool is_slow = drawing->is_slow[stack];
    bool is_leaf = true;
    g_hash_table_remove_all (seen);
    for (PvStackId s = stack; s != 0; s = with->profile->parent_of_stack[s]) {
        uint32_t n;
        const PvFrame *chain =
            pv_symbol_table_frames (with->symbols, with->profile->location_of_stack[s], &n);
        for (uint32_t i = 0; i < n; i++) {
            Share *share = &drawing->shares[chain[i].function];
            share->self += is_leaf;
            share->slow_self += is_leaf && is_slow;
            is_leaf = false;
            if (!g_hash_table_add (seen, GUINT_TO_POINTER (chain[i].function)))
                continue;
            share->total++;
            share->slow_total += is_slow;
        }
    }
    drawing->shares[0].total++;
    drawing->shares[0].slow_total += is_slow;
}

static void
start (Drawing *drawing, const Resampling *with, unsigned seed)
{
    const PvProfile *profile = with->profile;
    PvMeasureId measure = new_query ().measure;
    g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
    drawing->with = with;
    drawing->set = &profile->sets[profile->measures[measure].set];
    drawing->random = g_rand_new_with_seed (seed);
    drawing->is_slow = g_new0 (bool, profile->n_stacks);
    drawing->shares = g_new0 (Share, with->symbols->n_functions + 1);
    for (PvStackId s = 1; s < profile->n_stacks && with->slow != 0; s++)
        drawing->is_slow[s] = has_function (with, s, with->slow);
    for (uint32_t i = 0; i < drawing->set->n_samples; i++)
        add_share (drawing, drawing->set->stack[i], seen);
}

static void
finish (Drawing *drawing)
{
    g_rand_free (drawing->random);
    g_free (drawing->is_slow);
    g_free (drawing->shares);
}

/* --- drawing --- */

static void
draw (Drawing *drawing, double factor, Drawn *drawn)
{
    const Resampling *with = drawing->with;
    const PvSampleSet *from = drawing->set;
    *drawn = (Drawn){.profile = *with->profile, .set = *from};
    /* Stacks with the slow function are taken more often. Single samples are as many as there
     * happen to be; of bursts there is a given number, as no run tells how that varies. */
    const double slow_part = drawing->shares[0].slow_total / drawing->shares[0].total;
    const double n_wanted =
        with->rate * from->n_samples * (1 + (factor - 1) * slow_part) / with->burst;
    unsigned n_bursts =
        with->burst == 1 ? draw_many (drawing->random, n_wanted) : (unsigned)(n_wanted + 0.5);
    while (n_bursts > 0) {
        guint i = (guint)g_rand_int_range (drawing->random, 0, (gint32)from->n_samples);
        double often = drawing->is_slow[from->stack[i]] ? factor : 1;
        if (g_rand_double (drawing->random) >= often / MAX (factor, 1))
            continue;
        n_bursts--;
        for (uint32_t k = 0; k < with->burst; k++) {
            uint64_t time_ns = 1000 * (drawn->stacks.len + 1);
            pv_array_push (&drawn->stacks, from->stack[i]);
            pv_array_push (&drawn->times, time_ns);
            pv_array_push (&drawn->contexts, 0);
        }
    }
    drawn->set.n_samples = (uint32_t)drawn->stacks.len;
    drawn->set.stack = drawn->stacks.data;
    drawn->set.time_ns = drawn->times.data;
    drawn->set.context = drawn->contexts.data;
    drawn->set.wide_context = NULL;
    drawn->set.label_set = drawn->set.wait = drawn->set.record = NULL;
    drawn->set.duration_ns = NULL;
    drawn->set.n_weights = 1;
    static const uint64_t one = WEIGHT;
    static const uint64_t *const no_weights[] = {NULL};
    drawn->set.weights = no_weights;
    drawn->set.uniform_weights = &one;
    drawn->profile.sets = &drawn->set;
    drawn->profile.n_sets = drawn->profile.n_measures = drawn->profile.n_weights = 1;
}

static void
drawn_clear (Drawn *drawn)
{
    pv_array_clear (&drawn->stacks);
    pv_array_clear (&drawn->times);
    pv_array_clear (&drawn->contexts);
}

/* --- a pair --- */

static void
add_interval (const Drawing *drawing, double true_change, double n_drawn, PvInterval interval,
              ResampledCounts *counts)
{
    const double n_expected = n_drawn * drawing->with->rate * drawing->with->n_runs;
    ResampledSize size = n_drawn > drawing->shares[0].total / 2 ? RESAMPLED_MOST
                         : n_expected < 10                      ? RESAMPLED_RARE
                         : n_expected < 100                     ? RESAMPLED_SOME
                                                                : RESAMPLED_HOT;
    counts->n_intervals[size]++;
    counts->n_covering[size] +=
        interval.low <= true_change * WEIGHT && interval.high >= true_change * WEIGHT;
}

/* How many more samples are expected on the new side. */
static double
find_true_change (const Resampling *with, double slow)
{
    return with->slow != 0 ? with->rate * (with->factor - 1) * slow : 0;
}

/* The functions of the comparison by name; those with a name of several are left out. */
static GHashTable *
index_names (const PvSymbolTable *symbols)
{
    GHashTable *ids = g_hash_table_new (g_str_hash, g_str_equal);
    for (PvFunctionId f = 1; f < symbols->n_functions; f++) {
        bool is_known = g_hash_table_contains (ids, symbols->functions[f].name);
        g_hash_table_insert (ids, (gpointer)symbols->functions[f].name,
                             GUINT_TO_POINTER (is_known ? 0 : f));
    }
    return ids;
}

static void
judge_functions (const Drawing *drawing, const PvSymbolTable *symbols, const PvChanges *changes,
                 ResampledCounts *counts)
{
    const Resampling *with = drawing->with;
    g_autoptr (GHashTable) ids = index_names (symbols), own = index_names (with->symbols);
    bool is_wrong = false;
    for (PvFunctionId f = 1; f < with->symbols->n_functions; f++) {
        const char *name = with->symbols->functions[f].name;
        PvFunctionId found = GPOINTER_TO_UINT (g_hash_table_lookup (ids, name));
        const Share *share = &drawing->shares[f];
        if (found == 0 || GPOINTER_TO_UINT (g_hash_table_lookup (own, name)) == 0)
            continue;
        double self = find_true_change (with, share->slow_self);
        double total = find_true_change (with, share->slow_total);
        if (share->self > 0)
            add_interval (drawing, self, share->self,
                          pv_changes_find_interval (changes, found, true, 1), counts);
        add_interval (drawing, total, share->total,
                      pv_changes_find_interval (changes, found, false, 1), counts);
        is_wrong |= self == 0 && pv_changes_get_self (changes, found) != 0 &&
                    !pv_changes_is_noise (changes, found, true);
        is_wrong |= total == 0 && pv_changes_get_total (changes, found) != 0 &&
                    !pv_changes_is_noise (changes, found, false);
        if (f == with->slow) {
            PvInterval interval = pv_changes_find_interval (changes, found, false, 1);
            counts->n_found += !pv_changes_is_noise (changes, found, false);
            counts->n_sure += with->factor > 1 ? interval.low > 0 : interval.high < 0;
        }
    }
    add_interval (drawing, find_true_change (with, drawing->shares[0].slow_total),
                  drawing->shares[0].total, pv_changes_find_whole_interval (changes, 1), counts);
    counts->n_wrong += is_wrong;
}

/* --- a model of the blocks alone --- */

/* Samples with the slow function in each block, after those of earlier runs. */
static void
count_blocks (const Drawing *drawing, const Drawn *drawn, double *blocks)
{
    size_t n = drawn->stacks.len;
    if (n == 0)
        return;
    uint64_t start_ns = drawn->times.data[0], length_ns = drawn->times.data[n - 1] - start_ns + 1;
    for (size_t i = 0; i < n; i++)
        blocks[(drawn->times.data[i] - start_ns) * N_BLOCKS / length_ns] +=
            drawing->is_slow[drawn->stacks.data[i]];
}

/* True if the coefficient of the side in glm (n ~ side, family = quasipoisson) has p < 0.05, in the
 * right direction. */
static bool
is_sure_by_blocks (const Resampling *with, const double *base, const double *newer)
{
    unsigned n = with->n_runs * N_BLOCKS;
    double sums[2] = {0}, squares = 0;
    for (unsigned i = 0; i < n; i++) {
        sums[0] += base[i];
        sums[1] += newer[i];
    }
    if (sums[0] == 0 || sums[1] == 0)
        return false;
    for (unsigned i = 0; i < n; i++)
        squares += pow (base[i] - sums[0] / n, 2) / (sums[0] / n) +
                   pow (newer[i] - sums[1] / n, 2) / (sums[1] / n);
    double dispersion = squares / (2 * n - 2);
    double t = log (sums[1] / sums[0]) / sqrt (dispersion * (1 / sums[0] + 1 / sums[1]));
    /* Student's limit for 198 degrees of freedom and more. */
    return (with->factor > 1 ? t : -t) > 1.972;
}

static void
count_pair (Drawing *drawing, ResampledCounts *counts)
{
    const Resampling *with = drawing->with;
    g_auto (PvQuery) query = new_query ();
    Drawn drawn[PV_N_SIDES][MAX_RUNS];
    PvCompareRun runs[PV_N_SIDES][MAX_RUNS];
    PvCompareInput input = {.runs = {runs[0], runs[1]}, .n_runs = {with->n_runs, with->n_runs}};
    PvComparison comparison;
    g_assert (with->n_runs <= MAX_RUNS);
    g_autofree double *blocks = g_new0 (double, 2 * with->n_runs * N_BLOCKS);
    for (PvSide side = 0; side < PV_N_SIDES; side++)
        for (unsigned r = 0; r < with->n_runs; r++) {
            draw (drawing, side == PV_SIDE_NEW ? with->factor : 1, &drawn[side][r]);
            runs[side][r] = (PvCompareRun){&drawn[side][r].profile, with->symbols, &query, "drawn"};
            count_blocks (drawing, &drawn[side][r], blocks + (side * with->n_runs + r) * N_BLOCKS);
        }
    assert_ok (error, pv_comparison_build (&input, &comparison, NULL, &error));
    g_autoptr (PvCallTree) tree =
        assert_ok (error, pv_call_tree_build_stacks (comparison.profile, comparison.symbols, &query,
                                                     NULL, NULL, &error));
    g_autoptr (PvChanges) changes = pv_changes_by_function (tree, NULL);
    judge_functions (drawing, comparison.symbols, changes, counts);
    counts->n_sure_by_blocks +=
        with->slow != 0 && is_sure_by_blocks (with, blocks, blocks + with->n_runs * N_BLOCKS);
    counts->n_pairs++;
    pv_comparison_clear (&comparison);
    for (PvSide side = 0; side < PV_N_SIDES; side++)
        for (unsigned r = 0; r < with->n_runs; r++)
            drawn_clear (&drawn[side][r]);
}

void
resampled_count (const Resampling *resampling, unsigned seed, unsigned n_pairs,
                 ResampledCounts *counts)
{
    Drawing drawing = {0};
    start (&drawing, resampling, seed);
    for (unsigned i = 0; i < n_pairs; i++)
        count_pair (&drawing, counts);
    finish (&drawing);
}

void
resampled_add (ResampledCounts *sum, const ResampledCounts *counts)
{
    for (ResampledSize size = 0; size < RESAMPLED_N_SIZES; size++) {
        sum->n_intervals[size] += counts->n_intervals[size];
        sum->n_covering[size] += counts->n_covering[size];
    }
    sum->n_pairs += counts->n_pairs;
    sum->n_wrong += counts->n_wrong;
    sum->n_found += counts->n_found;
    sum->n_sure += counts->n_sure;
    sum->n_sure_by_blocks += counts->n_sure_by_blocks;
}

double
resampled_get_coverage (const ResampledCounts *counts, ResampledSize size)
{
    return (double)counts->n_covering[size] / MAX (counts->n_intervals[size], 1);
}

PvFunctionId
resampled_find_function (const Resampling *resampling, unsigned permille)
{
    Drawing drawing = {0};
    PvFunctionId found = 0;
    start (&drawing, resampling, 0);
    double wanted = drawing.shares[0].total * permille / 1000, least = INFINITY;
    for (PvFunctionId f = 1; f < resampling->symbols->n_functions; f++)
        if (fabs (drawing.shares[f].total - wanted) < least) {
            least = fabs (drawing.shares[f].total - wanted);
            found = f;
        }
    finish (&drawing);
    return found;
}
