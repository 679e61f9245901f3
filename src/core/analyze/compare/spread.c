/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/compare/spread.h"

#include <stdlib.h>
#include <string.h>

#include "core/analyze/tree/call-tree-private.h"
#include "core/analyze/tree/stack-walk.h"
#include "core/base/array.h"
#include "core/base/large.h"
#include "core/base/pool.h"

/* Functions whose blocks are counted at once: what a worker holds stays small. */
enum { FUNCTIONS_PER_SLICE = 8192 };

/* Successive differences tell less than as many independent ones would. */
#define FREEDOM_PER_BLOCK (2.0 / 3)
/* So do a few bursts of samples, however many each has. */
#define FREEDOM_PER_BURST 2.0

/* Amounts of one function in one run, and the samples that they come from. */
typedef struct {
    float of_block[PV_N_TIME_BLOCKS];
    float n_samples;
} Blocks;

/* Neighbours that count as one block: 1, 2 or 4. */
enum { N_SCALES = 3 };

/* Variance of the amounts, and that of samples which come one by one. */
typedef struct {
    double variance[N_SCALES], expected, n_samples;
} Sums;

/* A sample of the run that the query keeps. */
typedef struct {
    PvStackId stack;
    uint32_t sample;
} Kept;

typedef struct {
    const PvCallTree *tree;
    const PvSampleSet *set;
    uint32_t column_of_samples[PV_N_SIDES];
    PvSampleFilter filter;
    uint32_t n_functions;
    uint32_t first_run; /* of those in work */
    Sums *self, *total; /* of these, by run, then by function */
    PvJob *job;
} Measuring;

/* A run in work. */
typedef struct {
    const Measuring *measuring;
    PV_ARRAY (Kept) kept; /* sorted by stack */
    PV_ARRAY (PvStackId) stacks;
    uint32_t first_function, n_functions; /* of the slice */
    Blocks *self, *total;                 /* of its functions */
    /* The stack in work: its functions, each once. */
    uint32_t *depth; /* how often each function is on the path; or the last stack that had it */
    PV_ARRAY (PvFunctionId) on_path;
    size_t next_kept;
} Run;

static float
count_samples (const Measuring *measuring, uint32_t sample)
{
    uint64_t n = 0;
    for (PvSide side = 0; side < PV_N_SIDES; side++)
        n += pv_sample_set_weight (measuring->set, measuring->column_of_samples[side], sample);
    return (float)n;
}

static void
add_sample (const Measuring *measuring, Blocks *blocks, uint32_t sample)
{
    const PvTimeBlocks *times = measuring->set->blocks;
    for (uint32_t e = times->first_entry_of_sample[sample];
         e < times->first_entry_of_sample[sample + 1]; e++)
        blocks->of_block[times->block[e]] += times->amount[e];
    blocks->n_samples += count_samples (measuring, sample);
}

/* --- stacks --- */

static void
enter_frame (void *data, PvStackFrame *path, size_t depth)
{
    Run *run = data;
    if (run->depth[path[depth].function]++ == 0)
        pv_array_push (&run->on_path, path[depth].function);
}

static void
leave_frame (void *data, PvStackFrame *path, size_t depth)
{
    Run *run = data;
    if (--run->depth[path[depth].function] == 0)
        run->on_path.len--;
}

/* Functions that are not of the slice get none. */
static Blocks *
find_blocks (const Run *run, Blocks *blocks, PvFunctionId function)
{
    uint32_t place = function - run->first_function;
    return place < run->n_functions ? &blocks[place] : NULL;
}

/* Adds the samples of a stack to its functions. Stacks come in the order of their ids. */
static void
add_stack (Run *run, PvStackId stack, PvFunctionId leaf)
{
    Blocks *self = find_blocks (run, run->self, leaf);
    while (run->next_kept < run->kept.len && run->kept.data[run->next_kept].stack < stack)
        run->next_kept++;
    for (; run->next_kept < run->kept.len && run->kept.data[run->next_kept].stack == stack;
         run->next_kept++) {
        uint32_t sample = run->kept.data[run->next_kept].sample;
        if (self != NULL)
            add_sample (run->measuring, self, sample);
        for (size_t i = 0; i < run->on_path.len; i++) {
            Blocks *total = find_blocks (run, run->total, run->on_path.data[i]);
            if (total != NULL)
                add_sample (run->measuring, total, sample);
        }
    }
}

static void
count_stack (void *data, PvStackFrame *path, size_t depth, PvStackId stack)
{
    add_stack (data, stack, path[depth].function);
}

/* Reads the functions of a stack that keeps all its frames. */
static void
read_stack (Run *run, PvStackId stack)
{
    const PvCallTree *tree = run->measuring->tree;
    const bool no_inline = tree->query.no_inline;
    PvFunctionId leaf = 0;
    run->on_path.len = 0;
    for (PvStackId s = stack; s != 0; s = tree->profile->parent_of_stack[s]) {
        uint32_t n;
        const PvFrame *chain =
            pv_symbol_table_frames (tree->symbols, tree->profile->location_of_stack[s], &n);
        for (uint32_t i = no_inline && n > 0 ? n - 1 : 0; i < n; i++) {
            PvFunctionId function = chain[i].function;
            if (run->on_path.len == 0)
                leaf = function;
            if (run->depth[function] == stack)
                continue;
            run->depth[function] = stack;
            pv_array_push (&run->on_path, function);
        }
    }
    if (run->on_path.len > 0)
        add_stack (run, stack, leaf);
}

/* --- one run --- */

static int
compare_kept (const void *a, const void *b)
{
    const Kept *x = a, *y = b;
    return x->stack != y->stack ? pv_order (x->stack, y->stack) : pv_order (x->sample, y->sample);
}

static void
list_kept (Run *run, uint32_t first, uint32_t end)
{
    const Measuring *measuring = run->measuring;
    const PvCallTreeData *data = pv_call_tree_data (measuring->tree);
    for (uint32_t i = first; i < end; i++) {
        Kept kept = {measuring->set->stack[i], i};
        if (pv_sample_filter_allows (&measuring->filter, i) &&
            pv_find_position (data->shape, data->focus, kept.stack) != UINT32_MAX)
            pv_array_push (&run->kept, kept);
    }
    pv_array_sort (&run->kept, compare_kept);
    for (size_t i = 0; i < run->kept.len; i++)
        if (i == 0 || run->kept.data[i].stack != run->kept.data[i - 1].stack)
            pv_array_push (&run->stacks, run->kept.data[i].stack);
}

static double
find_variance (const float *amounts, unsigned n_blocks)
{
    double squares = 0;
    for (unsigned b = 1; b < n_blocks; b++) {
        double step = amounts[b] - amounts[b - 1];
        squares += step * step;
    }
    return squares / 2 * n_blocks / (n_blocks - 1);
}

static void
take_sums (Blocks *blocks, Sums *sums)
{
    double amount = 0;
    unsigned n_blocks = PV_N_TIME_BLOCKS;
    for (unsigned b = 0; b < n_blocks; b++)
        amount += blocks->of_block[b];
    if (blocks->n_samples <= 0)
        return;
    sums->expected = amount / blocks->n_samples * amount;
    sums->n_samples = blocks->n_samples;
    for (unsigned scale = 0; scale < N_SCALES; scale++, n_blocks /= 2) {
        sums->variance[scale] = find_variance (blocks->of_block, n_blocks);
        for (unsigned b = 0; b < n_blocks / 2; b++)
            blocks->of_block[b] = blocks->of_block[2 * b] + blocks->of_block[2 * b + 1];
    }
}

static void
measure_slice (Run *run, uint32_t first_function, Sums *self, Sums *total)
{
    static const PvStackVisitor visitor = {
        .enter = enter_frame, .leave = leave_frame, .count = count_stack};
    const Measuring *measuring = run->measuring;
    run->first_function = first_function;
    run->n_functions = MIN (measuring->n_functions - first_function, FUNCTIONS_PER_SLICE);
    run->self = pv_new0_large (Blocks, run->n_functions);
    run->total = pv_new0_large (Blocks, run->n_functions);
    run->next_kept = 0;
    if (pv_stack_filter_is_identity (pv_call_tree_data (measuring->tree)->shape->filter)) {
        memset (run->depth, 0, measuring->n_functions * sizeof *run->depth);
        for (size_t i = 0; i < run->stacks.len; i++)
            read_stack (run, run->stacks.data[i]);
    } else {
        pv_stack_walk_some (measuring->tree, run->stacks.data, run->stacks.len, &visitor, run,
                            measuring->job);
    }
    for (uint32_t f = 0; f < run->n_functions; f++) {
        take_sums (&run->self[f], &self[first_function + f]);
        take_sums (&run->total[f], &total[first_function + f]);
    }
    g_free (run->self);
    g_free (run->total);
}

static void
measure_run (void *data, size_t item, unsigned worker)
{
    const Measuring *measuring = data;
    const uint32_t *first_sample = measuring->set->blocks->first_sample_of_run;
    Run run = {.measuring = measuring, .depth = g_new0 (uint32_t, measuring->n_functions)};
    Sums *self = measuring->self + item * measuring->n_functions;
    Sums *total = measuring->total + item * measuring->n_functions;
    Blocks whole = {0};
    (void)worker;
    first_sample += measuring->first_run;
    list_kept (&run, first_sample[item], first_sample[item + 1]);
    for (uint32_t f = 0; f < measuring->n_functions; f += FUNCTIONS_PER_SLICE)
        if (!pv_job_is_cancelled (measuring->job))
            measure_slice (&run, f, self, total);
    for (size_t i = 0; i < run.kept.len; i++)
        add_sample (measuring, &whole, run.kept.data[i].sample);
    take_sums (&whole, &total[0]);
    g_free (run.depth);
    pv_array_clear (&run.on_path);
    pv_array_clear (&run.kept);
    pv_array_clear (&run.stacks);
}

/* --- all runs --- */

/* Functions with fewer samples tell nothing of how a program repeats itself. */
enum { MIN_TELLING_SAMPLES = 20 };

/* The scale at which functions vary least. */
static unsigned
choose_scale (const Sums *sums, uint32_t n_functions)
{
    double means[N_SCALES] = {0};
    unsigned best = 0;
    for (uint32_t f = 1; f < n_functions; f++)
        for (unsigned s = 0; s < N_SCALES && sums[f].n_samples >= MIN_TELLING_SAMPLES; s++)
            means[s] += sums[f].variance[s] / sums[f].expected;
    for (unsigned s = 1; s < N_SCALES; s++)
        if (means[s] < means[best])
            best = s;
    return best;
}

/* Sums of all runs, each at its scale. */
typedef struct {
    double variance, expected, n_samples, freedom;
} Joined;

static void
join (Joined *joined, const Sums *sums, unsigned scale)
{
    joined->variance += sums->variance[scale];
    joined->expected += sums->expected;
    joined->n_samples += sums->n_samples;
    joined->freedom += FREEDOM_PER_BLOCK * (PV_N_TIME_BLOCKS >> scale);
}

static PvSpread
find_spread (const Joined *joined)
{
    if (joined->expected <= 0)
        return (PvSpread){.dispersion = 1};
    double dispersion = joined->variance / joined->expected;
    double n_bursts = joined->n_samples / MAX (dispersion, 1);
    return (PvSpread){dispersion, MIN (joined->freedom, FREEDOM_PER_BURST * n_bursts)};
}

PvSpreads *
pv_spreads_new (uint32_t n_functions)
{
    PvSpreads *spreads = g_new0 (PvSpreads, 1);
    spreads->n_functions = n_functions;
    spreads->self = g_new (PvSpread, n_functions);
    spreads->total = g_new (PvSpread, n_functions);
    for (uint32_t f = 0; f < n_functions; f++)
        spreads->self[f] = spreads->total[f] = (PvSpread){.dispersion = 1};
    return spreads;
}

/* A few runs at a time, so that many need no more memory. False when cancelled. */
static bool
measure_all (Measuring *measuring, PvSpreads *spreads)
{
    const uint32_t n_runs = measuring->set->blocks->n_runs, n = measuring->n_functions;
    g_autoptr (PvPool) pool = pv_pool_new (0);
    g_autofree Joined *self = pv_new0_large (Joined, n);
    g_autofree Joined *total = pv_new0_large (Joined, n);
    for (uint32_t first = 0; first < n_runs; first += pv_pool_get_size (pool)) {
        const uint32_t n_at_once = MIN (n_runs - first, pv_pool_get_size (pool));
        g_autofree Sums *self_of_run = pv_new0_large (Sums, (size_t)n_at_once * n);
        g_autofree Sums *total_of_run = pv_new0_large (Sums, (size_t)n_at_once * n);
        measuring->first_run = first;
        measuring->self = self_of_run;
        measuring->total = total_of_run;
        pv_pool_run (pool, n_at_once, measure_run, measuring);
        for (uint32_t r = 0; r < n_at_once; r++) {
            const size_t start = (size_t)r * n;
            unsigned scale = choose_scale (total_of_run + start, n);
            for (uint32_t f = 0; f < n; f++) {
                join (&self[f], &self_of_run[start + f], scale);
                join (&total[f], &total_of_run[start + f], scale);
            }
        }
    }
    for (uint32_t f = 0; f < n; f++) {
        spreads->self[f] = find_spread (&self[f]);
        spreads->total[f] = find_spread (&total[f]);
    }
    return !pv_job_is_cancelled (measuring->job);
}

PvSpreads *
pv_spreads_measure (const PvCallTree *any_tree, PvJob *job)
{
    g_assert (any_tree != NULL);
    const PvCallTree *tree = pv_call_tree_top_down (any_tree);
    const PvProfile *profile = tree->profile;
    const PvPair *pair = pv_profile_get_pair (profile, tree->query.measure);
    Measuring measuring = {
        .tree = tree, .n_functions = MAX (tree->symbols->n_functions, 1), .job = job};
    PvSpreads *spreads = pv_spreads_new (measuring.n_functions);
    g_assert (pair != NULL);
    uint32_t set = profile->measures[pair->both].set;
    if (set == PV_NO_SET || profile->sets[set].blocks == NULL)
        return spreads;
    measuring.set = &profile->sets[set];
    for (PvSide side = 0; side < PV_N_SIDES; side++)
        measuring.column_of_samples[side] = profile->measures[pair->samples_of_side[side]].column;
    pv_sample_filter_init (&measuring.filter, &tree->query, profile);
    bool is_done = measure_all (&measuring, spreads);
    pv_sample_filter_clear (&measuring.filter);
    if (!is_done)
        g_clear_pointer (&spreads, pv_spreads_free);
    return spreads;
}

void
pv_spreads_free (PvSpreads *spreads)
{
    if (spreads == NULL)
        return;
    g_free (spreads->self);
    g_free (spreads->total);
    g_free (spreads);
}
