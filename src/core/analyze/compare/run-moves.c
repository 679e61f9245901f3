/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/compare/run-moves.h"

#include <math.h>
#include <stdlib.h>

#include "core/analyze/compare/noise.h"
#include "core/base/array.h"
#include "core/base/pool.h"

/* One of twenty tables may name a function wrongly. */
#define ERROR_RATE 0.05
#define MAX_SPREAD 3.0
/* Half of all normal variables are within so many standard deviations. */
#define MEDIAN_DEVIATIONS 0.6745

enum {
    FUNCTIONS_PER_ITEM = 256,
    /* Least number of differences for a usual one; one step of a line moves the median of four
     * least. */
    MIN_STEPS = 5,
    /* Least average in each run, for a function whose lines tell how samples vary. */
    MIN_SAMPLES_PER_RUN = 25,
    MIN_FUNCTIONS = 6,
    /* So few samples are never more than noise. */
    MIN_JUDGED_SAMPLES = 6,
};

/* Statistics of a line besides its move. */
typedef struct {
    double usual_step; /* median difference between neighbours; 0: too few runs */
    double variance;   /* of most - least, as samples let expect */
    double roughness;  /* median difference in deviations that samples let expect; NAN: too few */
    double n_samples;
} Line;

/* A worker's memory. */
typedef struct {
    PV_ARRAY (double) steps;
    PV_ARRAY (double) ratios;
} Scratch;

typedef struct {
    const PvRuns *runs;
    bool is_self;
    PvJob *job;
    double *weight_of_run; /* of a sample, scaled; 0: amounts are exact */
    PvRunMove *moves;
    Line *lines;
    Scratch *scratch; /* by worker */
} Moving;

/* Median of values and so many zeros; no value is below zero. */
static double
find_median (double *values, size_t n, size_t n_zeros)
{
    size_t all = n + n_zeros, middle = all / 2;
    if (all == 0)
        return 0;
    if (middle < n_zeros)
        return 0;
    pv_sort_doubles (values, n);
    double upper = values[middle - n_zeros];
    if (all % 2 == 1)
        return upper;
    double lower = middle - 1 < n_zeros ? 0 : values[middle - 1 - n_zeros];
    return (lower + upper) / 2;
}

/* Variance of an amount; of nothing, that of one sample. */
static double
find_variance (const Moving *moving, uint32_t run, uint64_t amount)
{
    double weight = moving->weight_of_run[run];
    return MAX ((double)amount, weight) * weight;
}

/* A step of the line, from one run to the next. */
static void
take_step (const Moving *moving, Scratch *scratch, PvRunMove *move, uint32_t run, uint64_t before,
           uint64_t after)
{
    if (before == after)
        return;
    int64_t step = (int64_t)(after - before);
    double size = fabs ((double)step);
    if (move->step_run == 0 || size > fabs ((double)move->step)) {
        move->step = step;
        move->step_run = run;
    }
    double variance = find_variance (moving, run - 1, before) + find_variance (moving, run, after);
    pv_array_push (&scratch->steps, size);
    if (variance > 0)
        pv_array_push (&scratch->ratios, size / sqrt (variance));
}

typedef struct {
    uint32_t least_run, most_run;
} Extremes;

static void
take_amount (PvRunMove *move, Extremes *extremes, uint32_t run, uint64_t amount)
{
    if (amount < move->least) {
        move->least = amount;
        extremes->least_run = run;
    }
    if (amount > move->most) {
        move->most = amount;
        extremes->most_run = run;
    }
}

/* Follows the line; runs that do not have the function are only looked at where it comes or goes.
 */
static void
follow_line (const Moving *moving, Scratch *scratch, uint32_t function)
{
    const PvRuns *runs = moving->runs;
    const uint64_t *amounts = moving->is_self ? runs->self_of_entry : runs->total_of_entry;
    PvRunMove move = {.least = UINT64_MAX};
    Extremes extremes = {0};
    Line line = {.roughness = NAN};
    uint64_t before = 0;
    uint32_t next = 0; /* the run after the last one that was looked at */
    scratch->steps.len = scratch->ratios.len = 0;
    for (size_t i = runs->first_of_function[function]; i < runs->first_of_function[function + 1];
         i++) {
        uint32_t run = runs->run_of_entry[i];
        uint64_t amount = pv_run_scale_amount (&runs->runs[run], amounts[i]);
        if (run > next) {
            take_amount (&move, &extremes, next, 0);
            if (next > 0)
                take_step (moving, scratch, &move, next, before, 0);
            before = 0;
        }
        if (run > 0)
            take_step (moving, scratch, &move, run, before, amount);
        take_amount (&move, &extremes, run, amount);
        if (run == 0)
            move.first = amount;
        if (moving->weight_of_run[run] > 0)
            line.n_samples += (double)amount / moving->weight_of_run[run];
        before = amount;
        next = run + 1;
    }
    if (next < runs->n_runs) {
        take_amount (&move, &extremes, next, 0);
        if (next > 0)
            take_step (moving, scratch, &move, next, before, 0);
        before = 0;
    }
    move.last = before;
    size_t n_steps = runs->n_runs - 1;
    bool is_rough = line.n_samples >= (double)MIN_SAMPLES_PER_RUN * runs->n_runs;
    if (n_steps >= MIN_STEPS)
        line.usual_step =
            find_median (scratch->steps.data, scratch->steps.len, n_steps - scratch->steps.len);
    if (is_rough && n_steps > 0)
        line.roughness =
            find_median (scratch->ratios.data, scratch->ratios.len, n_steps - scratch->ratios.len);
    line.variance = find_variance (moving, extremes.least_run, move.least) +
                    find_variance (moving, extremes.most_run, move.most);
    moving->moves[function] = move;
    moving->lines[function] = line;
}

static void
follow_lines (void *data, size_t item, unsigned worker)
{
    Moving *moving = data;
    uint32_t end = (uint32_t)MIN ((item + 1) * FUNCTIONS_PER_ITEM, moving->runs->n_functions);
    for (uint32_t f = (uint32_t)item * FUNCTIONS_PER_ITEM;
         f < end && !pv_job_is_cancelled (moving->job); f++)
        follow_line (moving, &moving->scratch[worker], f);
}

/* Samples come in bursts, and machines are busy with other things: how much more neighbours differ
 * than by the number of samples, for most functions. */
static double
estimate_spread (const Moving *moving)
{
    g_autofree double *values = g_new (double, MAX (moving->runs->n_functions, 1));
    size_t n = 0;
    for (uint32_t f = 0; f < moving->runs->n_functions; f++)
        if (!isnan (moving->lines[f].roughness))
            values[n++] = moving->lines[f].roughness;
    if (n < MIN_FUNCTIONS)
        return 1;
    return CLAMP (find_median (values, n, 0) / MEDIAN_DEVIATIONS, 1, MAX_SPREAD);
}

/* Any two runs of any function. */
static double
find_limit (const Moving *moving)
{
    double n_judged = 0, n = moving->runs->n_runs;
    bool is_exact = true;
    for (uint32_t r = 0; r < moving->runs->n_runs; r++)
        is_exact = is_exact && moving->weight_of_run[r] == 0;
    for (uint32_t f = 0; f < moving->runs->n_functions; f++)
        n_judged += is_exact || moving->lines[f].n_samples >= MIN_JUDGED_SAMPLES;
    double n_pairs = MAX (n * (n - 1) / 2, 1) * MAX (n_judged, 1);
    return pv_noise_find_limit (ERROR_RATE / n_pairs);
}

static void
judge (PvRunMoves *moves, const Moving *moving)
{
    double limit = find_limit (moving);
    for (uint32_t f = 0; f < moves->n_functions; f++) {
        PvRunMove *move = &moves->moves[f];
        const Line *line = &moving->lines[f];
        double by_samples = line->variance * moves->spread * moves->spread;
        double by_steps = line->usual_step / MEDIAN_DEVIATIONS;
        double explained = limit * MAX (sqrt (by_samples), by_steps);
        double range = (double)(move->most - move->least);
        move->beyond = range > explained ? (uint64_t)(range - explained) : 0;
        if (range > explained && move->beyond == 0)
            move->beyond = 1;
    }
}

static int
compare_moves (const void *a, const void *b, void *data)
{
    const PvRunMove *moves = data;
    uint32_t f = *(const uint32_t *)a, g = *(const uint32_t *)b;
    const PvRunMove *x = &moves[f], *y = &moves[g];
    uint64_t x_range = x->most - x->least, y_range = y->most - y->least;
    if (x->beyond != y->beyond)
        return x->beyond > y->beyond ? -1 : 1;
    if (x_range != y_range)
        return x_range > y_range ? -1 : 1;
    if (x->most != y->most)
        return x->most > y->most ? -1 : 1;
    return (f > g) - (f < g);
}

static bool
has_weight (const PvRuns *runs, uint32_t function)
{
    for (size_t i = runs->first_of_function[function]; i < runs->first_of_function[function + 1];
         i++)
        if (runs->total_of_entry[i] > 0)
            return true;
    return false;
}

static void
sort_moves (PvRunMoves *moves, const PvRuns *runs)
{
    moves->ordered = g_new (uint32_t, MAX (moves->n_functions, 1));
    for (uint32_t f = 0; f < moves->n_functions; f++) {
        if (!has_weight (runs, f))
            continue;
        moves->ordered[moves->n_ordered++] = f;
        moves->n_beyond += moves->moves[f].beyond > 0;
    }
    if (moves->n_ordered > 1)
        qsort_r (moves->ordered, moves->n_ordered, sizeof *moves->ordered, compare_moves,
                 moves->moves);
}

static double *
find_weights (const PvRuns *runs)
{
    double *weights = g_new0 (double, runs->n_runs);
    for (uint32_t r = 0; r < runs->n_runs; r++) {
        const PvRun *run = &runs->runs[r];
        if (run->n_samples > 0)
            weights[r] = (double)run->all / (double)run->n_samples * run->factor;
    }
    return weights;
}

PvRunMoves *
pv_run_moves_new (const PvRuns *runs, bool is_self, PvJob *job)
{
    g_assert (runs != NULL && runs->n_runs > 0);
    g_autofree double *weights = find_weights (runs);
    g_autofree Line *lines = g_new0 (Line, MAX (runs->n_functions, 1));
    g_autoptr (PvPool) pool = pv_pool_new (0);
    unsigned n_workers = pv_pool_get_size (pool);
    g_autofree Scratch *scratch = g_new0 (Scratch, n_workers);
    PvRunMoves *moves = g_new0 (PvRunMoves, 1);
    moves->n_functions = runs->n_functions;
    moves->moves = g_new0 (PvRunMove, MAX (runs->n_functions, 1));
    Moving moving = {runs, is_self, job, weights, moves->moves, lines, scratch};
    pv_pool_run (pool, ((size_t)runs->n_functions + FUNCTIONS_PER_ITEM - 1) / FUNCTIONS_PER_ITEM,
                 follow_lines, &moving);
    for (unsigned w = 0; w < n_workers; w++) {
        pv_array_clear (&scratch[w].steps);
        pv_array_clear (&scratch[w].ratios);
    }
    if (pv_job_is_cancelled (job)) {
        pv_run_moves_free (moves);
        return NULL;
    }
    moves->spread = estimate_spread (&moving);
    judge (moves, &moving);
    sort_moves (moves, runs);
    return moves;
}

void
pv_run_moves_free (PvRunMoves *moves)
{
    if (moves == NULL)
        return;
    g_free (moves->moves);
    g_free (moves->ordered);
    g_free (moves);
}

PvRunMove
pv_run_moves_find_whole (const PvRuns *runs)
{
    g_assert (runs != NULL && runs->n_runs > 0);
    PvRunMove move = {.least = UINT64_MAX};
    uint64_t before = 0;
    for (uint32_t r = 0; r < runs->n_runs; r++) {
        uint64_t amount = pv_run_scale_amount (&runs->runs[r], runs->runs[r].whole);
        uint64_t size = amount > before ? amount - before : before - amount;
        uint64_t largest = move.step < 0 ? 0 - (uint64_t)move.step : (uint64_t)move.step;
        if (r == 0)
            move.first = amount;
        else if (size > largest) {
            move.step = (int64_t)(amount - before);
            move.step_run = r;
        }
        move.least = MIN (move.least, amount);
        move.most = MAX (move.most, amount);
        before = amount;
    }
    move.last = before;
    return move;
}
