/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Series of dumps: state, growth and decrease against sums over lists.
 */
#include <string.h>

#include "../cases.h"
#include "../made.h"
#include "core/model/build/builder.h"
#include "core/model/profile/dumps.h"

enum { N_STACKS = 6, N_THREADS = 3, N_LABELS = 4, MAX_DUMPS = 9, N_KEYS = 72 };

/* The others are sizes of blocks, and none. */
enum { OTHER_LABEL = 3 };

/* A dump's record of each (stack, thread, label set). */
typedef struct {
    unsigned n_dumps;
    uint64_t time_ns[MAX_DUMPS];
    uint64_t bytes[MAX_DUMPS][N_KEYS];
} Reference;

static unsigned
key_of (unsigned stack, unsigned thread, unsigned labels)
{
    return (stack * N_THREADS + thread) * N_LABELS + labels;
}

static PvProfile *
make_series (GRand *rand, Reference *ret_reference)
{
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    PvModuleId m = made_module (builder, "/bin/p");
    PvStackId stacks[N_STACKS] = {0};
    PvThreadId threads[N_THREADS] = {0};
    uint32_t labels[N_LABELS] = {0};
    for (unsigned i = 1; i < N_STACKS; i++)
        stacks[i] = made_stack (builder, stacks[i / 2], m, i);
    for (unsigned i = 1; i < N_THREADS; i++)
        threads[i] = pv_profile_builder_add_thread (builder, 0, (int)i, "thread", 0);
    for (unsigned i = 1; i < N_LABELS; i++) {
        PvLabel label = {.key = "bytes", .number = i};
        if (i == OTHER_LABEL)
            label = (PvLabel){
                .key = "size", .number = 1, .text = g_rand_boolean (rand) ? "large" : NULL};
        labels[i] = pv_profile_builder_label_set (builder, &label, 1);
    }
    uint32_t set = pv_profile_builder_add_set (builder, "heap", false);
    pv_profile_builder_add_measure (builder, set, "space", PV_UNIT_BYTES, PV_AGGREGATION_STATE);
    pv_profile_builder_add_measure (builder, set, "calls", PV_UNIT_COUNT, PV_AGGREGATION_SUM);

    Reference *reference = ret_reference;
    memset (reference, 0, sizeof *reference);
    reference->n_dumps = (unsigned)g_rand_int_range (rand, 1, MAX_DUMPS + 1);
    uint64_t time_ns = 5000000;
    for (unsigned d = 0; d < reference->n_dumps; d++) {
        time_ns += (uint64_t)g_rand_int_range (rand, 1, 50) * 1000000;
        reference->time_ns[d] = time_ns;
        pv_profile_builder_add_dump (builder, &(PvDump){.name = "dump", .time_ns = time_ns});
        int n = g_rand_int_range (rand, 0, 60);
        for (int i = 0; i < n; i++) {
            unsigned stack = (unsigned)g_rand_int_range (rand, 0, N_STACKS);
            unsigned thread = (unsigned)g_rand_int_range (rand, 0, N_THREADS);
            unsigned label = (unsigned)g_rand_int_range (rand, 0, N_LABELS);
            uint64_t weights[2] = {(uint64_t)g_rand_int_range (rand, 0, 100), 1};
            PvNewSample sample = {.time_ns = time_ns,
                                  .stack = stacks[stack],
                                  .thread = threads[thread],
                                  .label_set = labels[label]};
            pv_profile_builder_add_sample (builder, set, &sample, weights);
            reference->bytes[d][key_of (stack, thread, label)] += weights[0];
        }
    }
    return pv_profile_builder_snapshot (builder);
}

static const PvMeasure *
find_measure (const PvProfile *profile, const char *name)
{
    PvMeasureId m = pv_profile_find_measure (profile, name);
    g_assert_cmpuint (m, <, profile->n_weights);
    return &profile->measures[m];
}

/* The last dump for which the time, after the first dump's, is below end. */
static unsigned
last_before (const Reference *reference, uint64_t end_ns)
{
    unsigned dump = 0;
    for (unsigned d = 1; d < reference->n_dumps; d++)
        if (reference->time_ns[d] - reference->time_ns[0] < end_ns)
            dump = d;
    return dump;
}

/* Keys that differ in the size of blocks are one. */
static unsigned
group_of (unsigned key)
{
    return key % N_LABELS == OTHER_LABEL ? key : key - key % N_LABELS;
}

static void
check_measure (const PvProfile *profile, const PvMeasure *measure, const uint64_t *more,
               const uint64_t *less, uint64_t start_ns, uint64_t end_ns)
{
    const PvSampleSet *set = &profile->sets[measure->set];
    uint32_t first, end;
    uint64_t total, expected_total = 0, found[N_KEYS] = {0};
    int64_t net_of_group[N_KEYS] = {0}, found_of_group[N_KEYS] = {0};
    g_autofree uint64_t *weights =
        pv_dumps_weigh (profile, measure, start_ns, end_ns, &first, &end, &total);
    for (uint32_t i = 0; i < set->n_samples; i++) {
        uint32_t label = set->label_set != NULL ? set->label_set[i] : 0;
        found[key_of (set->stack[i], pv_sample_set_thread (set, i), label)] += weights[i];
        g_assert_true ((i >= first && i < end) || weights[i] == 0);
    }
    for (unsigned k = 0; k < N_KEYS; k++) {
        net_of_group[group_of (k)] += (int64_t)more[k] - (int64_t)less[k];
        found_of_group[group_of (k)] += (int64_t)found[k];
        /* It is where it grew. */
        g_assert_cmpuint (found[k], <=, more[k] > less[k] ? more[k] - less[k] : 0);
    }
    for (unsigned k = 0; k < N_KEYS; k++) {
        g_assert_cmpint (found_of_group[k], ==, MAX (net_of_group[k], 0));
        expected_total += (uint64_t)MAX (net_of_group[k], 0);
    }
    g_assert_cmpuint (total, ==, expected_total);
}

/* A change is what was added and what went, each where it is in the two parts. */
static void
check_change (const PvProfile *profile, uint64_t start_ns, uint64_t end_ns)
{
    static const char *const names[] = {"space-increase", "space-decrease", "space-growth"};
    uint64_t *weights[3];
    uint32_t first[3], end[3];
    uint64_t total[3];
    for (int i = 0; i < 3; i++)
        weights[i] = pv_dumps_weigh (profile, find_measure (profile, names[i]), start_ns, end_ns,
                                     &first[i], &end[i], &total[i]);
    const PvMeasure *growth = find_measure (profile, names[2]);
    for (uint32_t i = 0; i < profile->sets[growth->set].n_samples; i++)
        g_assert_cmpuint (weights[2][i], ==, weights[0][i] + weights[1][i]);
    g_assert_cmpuint (total[2], ==, total[0] + total[1]);
    g_assert_cmpuint (first[2], ==, MIN (first[0], first[1]));
    g_assert_cmpuint (end[2], ==, MAX (end[0], end[1]));
    for (int i = 0; i < 3; i++)
        g_free (weights[i]);
}

static void
check_range (const PvProfile *profile, const Reference *reference, uint64_t start_ns,
             uint64_t end_ns)
{
    static const uint64_t nothing[N_KEYS];
    const uint64_t *last = reference->bytes[last_before (reference, end_ns)];
    const uint64_t *first =
        reference->bytes[last_before (reference, start_ns < UINT64_MAX ? start_ns + 1 : start_ns)];
    check_measure (profile, find_measure (profile, "space"), last, nothing, start_ns, end_ns);
    check_measure (profile, find_measure (profile, "space-increase"), last, first, start_ns,
                   end_ns);
    check_measure (profile, find_measure (profile, "space-decrease"), first, last, start_ns,
                   end_ns);
    check_change (profile, start_ns, end_ns);
}

TEST (random)
{
    for (guint32 seed = 0; seed < 300; seed++) {
        g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
        Reference reference;
        g_autoptr (PvProfile) profile = make_series (rand, &reference);
        g_assert_cmpuint (profile->n_dumps, ==, reference.n_dumps);
        g_assert_cmpuint (profile->n_weights, ==, 5);
        check_range (profile, &reference, 0, UINT64_MAX);
        check_range (profile, &reference, UINT64_MAX - 1, UINT64_MAX);
        /* The ranges that charts select: from one dump to before another. */
        for (unsigned p = 0; p < reference.n_dumps; p++) {
            for (unsigned q = p; q < reference.n_dumps; q++)
                check_range (profile, &reference, reference.time_ns[p] - reference.time_ns[0],
                             reference.time_ns[q] - reference.time_ns[0]);
        }
        for (int i = 0; i < 20; i++) {
            uint64_t start = (uint64_t)g_rand_int_range (rand, 0, 500000000);
            check_range (profile, &reference, start,
                         start + (uint64_t)g_rand_int_range (rand, 0, 400000000));
        }
    }
}

/* The profile's descriptions of measures are about the whole series. */
TEST (totals)
{
    for (guint32 seed = 0; seed < 50; seed++) {
        g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
        Reference reference;
        g_autoptr (PvProfile) profile = make_series (rand, &reference);
        int64_t state = 0, growth = 0, net[N_KEYS] = {0};
        for (unsigned k = 0; k < N_KEYS; k++) {
            int64_t last = (int64_t)reference.bytes[reference.n_dumps - 1][k];
            state += last;
            net[group_of (k)] += last - (int64_t)reference.bytes[0][k];
        }
        for (unsigned k = 0; k < N_KEYS; k++)
            growth += MAX (net[k], 0);
        g_assert_cmpint ((int64_t)find_measure (profile, "space")->total, ==, state);
        g_assert_cmpint ((int64_t)find_measure (profile, "space-increase")->total, ==, growth);
        g_assert_cmpuint (find_measure (profile, "calls")->total, ==, profile->n_samples);
        g_assert_null (pv_dumps_weigh (profile, find_measure (profile, "calls"), 0, UINT64_MAX,
                                       NULL, NULL, NULL));
    }
}
