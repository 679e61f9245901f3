/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/time/phases.h"

#include <math.h>
#include <string.h>

#include "core/analyze/time/time-index.h"
#include "core/analyze/tree/call-tree-private.h"
#include "core/analyze/tree/stack-walk.h"
#include "core/base/array.h"
#include "core/base/hash.h"

enum {
    MOST_PARTS = 256,
    SAMPLES_PER_PART = 10,
    MOST_READ = 1024,           /* samples of a part */
    MOST_FRAMES = 1024,         /* of a sample, from the innermost on */
    MOST_FUNCTIONS = 64 * 1024, /* of all samples of a part, about */
    LEAST_READ = 30,            /* samples of a stretch that may be a phase */
    N_NUMBERS = 128,
    MOST_PHASES = 24,
    SHORT_IDLE = 100, /* shorter idle times than 1 / SHORT_IDLE of the whole do not count */
    SAMPLES_PER_CHECK = 1 << 16,
};

#define ALIKE      0.6  /* cosine from which neighbours are alike */
#define LEAST_IDF  0.05 /* of functions that all stacks have */
#define NEARLY     0.9
#define LEAST_NORM 1e-3 /* below, the samples of a stretch have nothing in common */

/* A sample that is read. */
typedef struct {
    uint32_t part;
    PvFunctionId leaf;
    uint64_t weight;
    size_t first_function; /* in Finding.functions; to that of the next one */
} Read;

/* One part, or several that have become one. */
typedef struct {
    uint32_t first;
    uint32_t end;
    uint64_t weight;
    uint64_t n_samples;
    double n_read;
    double sum[N_NUMBERS];
} Stretch;

typedef struct {
    const PvCallTree *tree;
    const PvCallTreeData *data;
    PvSampleFilter filter;
    uint64_t start_ns; /* in the samples' clock */
    uint64_t end_ns;   /* of the last one */
    uint32_t n_parts;
    PV_ARRAY (Stretch) stretches;
    PV_ARRAY (Read) reads;
    PV_ARRAY (PvFunctionId) functions;
} Finding;

static uint64_t
take (const Finding *finding, uint32_t sample, PvKeptSamples *kept)
{
    return pv_sample_set_time_ns (finding->filter.set, sample) == 0
               ? 0
               : pv_take_sample (&finding->filter, finding->data->shape, finding->data->focus,
                                 sample, kept);
}

static uint32_t
part_of (const Finding *finding, uint32_t sample)
{
    uint64_t time_ns = pv_sample_set_time_ns (finding->filter.set, sample) - finding->start_ns;
    double share = (double)time_ns / ((double)(finding->end_ns - finding->start_ns) + 1);
    return MIN ((uint32_t)(share * finding->n_parts), finding->n_parts - 1);
}

/* The time of the samples and the number of parts. False when cancelled. */
static bool
measure_time (Finding *finding, PvJob *job)
{
    PvKeptSamples kept = {0};
    uint64_t n_samples = 0;
    finding->start_ns = UINT64_MAX;
    for (uint32_t i = finding->filter.first; i < finding->filter.last; i++) {
        if (i % SAMPLES_PER_CHECK == 0 && pv_job_is_cancelled (job))
            return false;
        if (take (finding, i, &kept) == 0)
            continue;
        uint64_t time_ns = pv_sample_set_time_ns (finding->filter.set, i);
        finding->start_ns = MIN (finding->start_ns, time_ns);
        finding->end_ns = MAX (finding->end_ns, time_ns);
        n_samples++;
    }
    finding->n_parts =
        (uint32_t)CLAMP (n_samples / SAMPLES_PER_PART, n_samples > 0 ? 1 : 0, MOST_PARTS);
    return true;
}

/* Weighs each part. False when cancelled. */
static bool
weigh_parts (Finding *finding, PvJob *job)
{
    PvKeptSamples kept = {0};
    for (uint32_t part = 0; part < finding->n_parts; part++) {
        Stretch stretch = {.first = part, .end = part + 1};
        pv_array_push (&finding->stretches, stretch);
    }
    for (uint32_t i = finding->filter.first; i < finding->filter.last; i++) {
        if (i % SAMPLES_PER_CHECK == 0 && pv_job_is_cancelled (job))
            return false;
        uint64_t weight = take (finding, i, &kept);
        if (weight == 0)
            continue;
        Stretch *stretch = &finding->stretches.data[part_of (finding, i)];
        stretch->weight += weight;
        stretch->n_samples++;
    }
    return true;
}

/* The functions of a sample, each once: `seen` has the number + 1 of the last sample with each. */
static void
read_sample (Finding *finding, PvStackReader *reader, uint32_t sample, uint32_t *seen)
{
    PvStackFrame frame;
    uint32_t number = (uint32_t)finding->reads.len + 1;
    Read read = {.part = part_of (finding, sample), .first_function = finding->functions.len};
    PvStackId stack = finding->filter.set->stack[sample];
    bool has_frame = pv_stack_reader_begin (reader, stack, &frame);
    for (unsigned i = 0; has_frame && i < MOST_FRAMES; i++) {
        if (finding->functions.len == read.first_function)
            read.leaf = frame.function;
        if (seen[frame.function] != number)
            pv_array_push (&finding->functions, frame.function);
        seen[frame.function] = number;
        has_frame = pv_stack_reader_next (reader, frame.stack, frame.place, &frame);
    }
    pv_array_push (&finding->reads, read);
}

/* Every so-many-th sample of a part with many. False when cancelled. */
static bool
read_samples (Finding *finding, PvJob *job)
{
    PvKeptSamples kept = {0};
    g_autofree uint64_t *n_in_part = g_new0 (uint64_t, MAX (finding->n_parts, 1));
    g_autofree size_t *n_functions = g_new0 (size_t, MAX (finding->n_parts, 1));
    g_autofree uint32_t *seen = g_new0 (uint32_t, MAX (finding->tree->symbols->n_functions, 1));
    g_autoptr (PvStackReader) reader = pv_stack_reader_new (finding->tree, job);
    if (reader == NULL)
        return false;
    for (uint32_t i = finding->filter.first; i < finding->filter.last; i++) {
        if (i % SAMPLES_PER_CHECK == 0 && pv_job_is_cancelled (job))
            return false;
        uint64_t weight = take (finding, i, &kept);
        if (weight == 0)
            continue;
        uint32_t part = part_of (finding, i);
        uint64_t step = finding->stretches.data[part].n_samples / MOST_READ + 1;
        if (n_in_part[part]++ % step != 0 || n_functions[part] >= MOST_FUNCTIONS)
            continue;
        size_t n_before = finding->functions.len;
        read_sample (finding, reader, i, seen);
        finding->reads.data[finding->reads.len - 1].weight = weight;
        n_functions[part] += finding->functions.len - n_before;
    }
    return true;
}

/* Adds a vector of unit length for each sample that was read. */
static void
add_vectors (Finding *finding)
{
    uint32_t n_functions = MAX (finding->tree->symbols->n_functions, 1);
    g_autofree uint32_t *n_with = g_new0 (uint32_t, n_functions);
    for (size_t i = 0; i < finding->functions.len; i++)
        n_with[finding->functions.data[i]]++;
    for (size_t r = 0; r < finding->reads.len; r++) {
        const Read *read = &finding->reads.data[r];
        Stretch *stretch = &finding->stretches.data[read->part];
        size_t end = r + 1 < finding->reads.len ? read[1].first_function : finding->functions.len;
        double vector[N_NUMBERS] = {0}, square = 0;
        for (size_t i = read->first_function; i < end; i++) {
            PvFunctionId function = finding->functions.data[i];
            uint64_t hash = pv_hash_mix (function);
            double value = 1 - (double)n_with[function] / (double)finding->reads.len + LEAST_IDF;
            vector[hash % N_NUMBERS] += hash >> 63 != 0 ? value : -value;
        }
        for (unsigned k = 0; k < N_NUMBERS; k++)
            square += vector[k] * vector[k];
        for (unsigned k = 0; k < N_NUMBERS && square > 0; k++)
            stretch->sum[k] += vector[k] / sqrt (square);
        stretch->n_read++;
    }
}

/* Joining */

static double
multiply (const Stretch *a, const Stretch *b)
{
    double product = 0;
    for (unsigned k = 0; k < N_NUMBERS; k++)
        product += a->sum[k] * b->sum[k];
    return product;
}

/* The product of two different vectors of a stretch on average: without those of each with itself,
 * which are 1. */
static double
multiply_within (const Stretch *stretch)
{
    double n = stretch->n_read;
    return n > 1 ? (multiply (stretch, stretch) - n) / (n * (n - 1)) : 0;
}

/* 1: alike, also where there is too little to tell. */
static double
compare (const Stretch *a, const Stretch *b)
{
    if ((a->n_samples == 0) != (b->n_samples == 0))
        return -1;
    if (a->n_samples == 0)
        return 1;
    double left = multiply_within (a), right = multiply_within (b);
    if (left < LEAST_NORM || right < LEAST_NORM)
        return 1;
    double cosine = multiply (a, b) / (a->n_read * b->n_read) / sqrt (left * right);
    return MIN (a->n_read, b->n_read) < LEAST_READ ? MAX (cosine, ALIKE) : cosine;
}

static void
join (Finding *finding, size_t i)
{
    Stretch *a = &finding->stretches.data[i], *b = a + 1;
    a->end = b->end;
    a->weight += b->weight;
    a->n_samples += b->n_samples;
    a->n_read += b->n_read;
    for (unsigned k = 0; k < N_NUMBERS; k++)
        a->sum[k] += b->sum[k];
    memmove (b, b + 1, (finding->stretches.len - i - 2) * sizeof *b);
    finding->stretches.len--;
}

/* Joins what is idle, and gives short idle times to what is before them. */
static void
join_idle (Finding *finding)
{
    for (size_t i = 0; i + 1 < finding->stretches.len;) {
        const Stretch *stretch = &finding->stretches.data[i];
        if (stretch[0].n_samples == 0 && stretch[1].n_samples == 0)
            join (finding, i);
        else
            i++;
    }
    for (size_t i = 1; i + 1 < finding->stretches.len; i++) {
        const Stretch *stretch = &finding->stretches.data[i];
        if (stretch->n_samples == 0 &&
            stretch->end - stretch->first <= finding->n_parts / SHORT_IDLE)
            join (finding, --i);
    }
}

/* Loss when two become one: little if they are alike, or if one is short. */
static double
get_cost (const Stretch *a, const Stretch *b)
{
    double left = a->end - a->first, right = b->end - b->first;
    return (1 - compare (a, b)) * left * right / (left + right);
}

static void
join_alike (Finding *finding)
{
    while (finding->stretches.len > 1) {
        size_t alike = 0, cheap = 0;
        double most = -2, least = INFINITY;
        for (size_t i = 0; i + 1 < finding->stretches.len; i++) {
            const Stretch *stretch = &finding->stretches.data[i];
            double cosine = compare (&stretch[0], &stretch[1]);
            double cost = get_cost (&stretch[0], &stretch[1]);
            if (cosine > most) {
                most = cosine;
                alike = i;
            }
            if (cost < least) {
                least = cost;
                cheap = i;
            }
        }
        if (most < ALIKE && finding->stretches.len <= MOST_PHASES)
            return;
        join (finding, most >= ALIKE ? alike : cheap);
    }
}

/* The result */

/* Weights by function while phases are named. */
typedef struct {
    uint64_t *self;  /* in the phase */
    uint64_t *total; /* in the phase */
    uint64_t *whole; /* totals of all phases */
    uint64_t weight; /* of all phases */
} Weights;

static void
add_totals (const Finding *finding, size_t r, uint64_t *total)
{
    const Read *read = &finding->reads.data[r];
    size_t end = r + 1 < finding->reads.len ? read[1].first_function : finding->functions.len;
    for (size_t i = read->first_function; i < end; i++)
        total[finding->functions.data[i]] += read->weight;
}

/* How much larger a function's share is in the phase than outside of it. */
static double
get_excess (const Weights *weights, PvFunctionId function, uint64_t weight)
{
    uint64_t inside = weights->total[function];
    double rest = (double)(weights->weight - weight);
    double share = (double)inside / (double)MAX (weight, 1);
    return rest > 0 ? share - (double)(weights->whole[function] - inside) / rest : 0;
}

/* The most telling function: among those with nearly the highest excess, the innermost with the
 * smallest total, "start_up" rather than "main". The hottest one is named anyway. */
static PvFunctionId
find_typical (const Finding *finding, const Weights *weights, size_t first, size_t end,
              uint64_t weight, PvFunctionId hottest)
{
    PvFunctionId typical = 0;
    double most = 0;
    for (size_t i = first; i < end; i++)
        most = MAX (most, get_excess (weights, finding->functions.data[i], weight));
    for (size_t i = first; i < end && most > 0; i++) {
        PvFunctionId function = finding->functions.data[i];
        if (get_excess (weights, function, weight) >= NEARLY * most &&
            (typical == 0 || typical == hottest ||
             (function != hottest && weights->total[function] < weights->total[typical])))
            typical = function;
    }
    return typical;
}

/* The functions of the samples from r on begin there. */
static size_t
first_function_of (const Finding *finding, size_t r)
{
    return r < finding->reads.len ? finding->reads.data[r].first_function : finding->functions.len;
}

/* Samples are in the order of time. */
static void
name_phase (const Finding *finding, const Stretch *stretch, const Weights *weights, PvPhase *phase)
{
    const Read *reads = finding->reads.data;
    uint64_t weight = 0;
    size_t first = 0, end;
    while (first < finding->reads.len && reads[first].part < stretch->first)
        first++;
    for (end = first; end < finding->reads.len && reads[end].part < stretch->end; end++) {
        weight += reads[end].weight;
        weights->self[reads[end].leaf] += reads[end].weight;
        add_totals (finding, end, weights->total);
    }
    for (size_t r = first; r < end; r++) {
        PvFunctionId leaf = reads[r].leaf;
        if (leaf != 0 && weights->self[leaf] > weights->self[phase->function])
            phase->function = leaf;
    }
    phase->self_share = weight > 0 ? (double)weights->self[phase->function] / (double)weight : 0;
    phase->typical = find_typical (finding, weights, first_function_of (finding, first),
                                   first_function_of (finding, end), weight, phase->function);
    for (size_t r = first; r < end; r++)
        weights->self[reads[r].leaf] = 0;
    for (size_t i = first_function_of (finding, first); i < first_function_of (finding, end); i++)
        weights->total[finding->functions.data[i]] = 0;
}

static uint64_t
start_of (const Finding *finding, uint32_t part)
{
    double share = (double)part / finding->n_parts;
    return finding->start_ns - finding->tree->profile->start_ns +
           (uint64_t)(share * ((double)(finding->end_ns - finding->start_ns) + 1));
}

static PvPhases *
make_phases (Finding *finding)
{
    uint32_t n_functions = MAX (finding->tree->symbols->n_functions, 1);
    g_autofree uint64_t *self = g_new0 (uint64_t, n_functions);
    g_autofree uint64_t *total = g_new0 (uint64_t, n_functions);
    g_autofree uint64_t *whole = g_new0 (uint64_t, n_functions);
    Weights weights = {self, total, whole, 0};
    PvPhases *phases = g_new0 (PvPhases, 1);
    for (size_t r = 0; r < finding->reads.len; r++) {
        weights.weight += finding->reads.data[r].weight;
        add_totals (finding, r, whole);
    }
    phases->tree = pv_call_tree_ref (finding->tree);
    phases->n_phases = (uint32_t)finding->stretches.len;
    phases->phases = g_new0 (PvPhase, MAX (phases->n_phases, 1));
    for (uint32_t i = 0; i < phases->n_phases; i++) {
        const Stretch *stretch = &finding->stretches.data[i];
        PvPhase *phase = &phases->phases[i];
        phase->start_ns = start_of (finding, stretch->first);
        phase->end_ns = start_of (finding, stretch->end);
        phase->weight = stretch->weight;
        phase->n_samples = stretch->n_samples;
        name_phase (finding, stretch, &weights, phase);
    }
    return phases;
}

static bool
read_all (Finding *finding, PvJob *job)
{
    if (!measure_time (finding, job) || !weigh_parts (finding, job) || !read_samples (finding, job))
        return false;
    add_vectors (finding);
    return true;
}

PvPhases *
pv_phases_find (const PvCallTree *any_tree, PvJob *job)
{
    g_assert (any_tree != NULL &&
              pv_time_index_can_build (any_tree->profile, any_tree->query.measure));
    PvPhases *phases = NULL;
    Finding finding = {.tree = pv_call_tree_top_down (any_tree)};
    finding.data = pv_call_tree_data (finding.tree);
    pv_sample_filter_init (&finding.filter, &finding.tree->query, finding.tree->profile);
    if (read_all (&finding, job)) {
        join_idle (&finding);
        join_alike (&finding);
        phases = make_phases (&finding);
    }
    pv_sample_filter_clear (&finding.filter);
    pv_array_clear (&finding.stretches);
    pv_array_clear (&finding.reads);
    pv_array_clear (&finding.functions);
    return phases;
}

void
pv_phases_free (PvPhases *phases)
{
    if (phases == NULL)
        return;
    pv_call_tree_free (phases->tree);
    g_free (phases->phases);
    g_free (phases);
}
