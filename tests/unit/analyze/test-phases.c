/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Phases of recordings whose phases are known: made of samples that are drawn from a few stacks,
 * other ones in each phase.
 */
#include <string.h>

#include "../cases.h"
#include "../made.h"
#include "../new-query.h"
#include "core/analyze/time/phases.h"
#include "core/model/build/builder.h"

enum { N_FUNCTIONS = 12, MOST_STACKS = 4, SECOND_NS = 1000000000 };

/* Stacks as letters of functions, outermost first, separated by spaces; samples are dealt to them
 * at random. No stacks: nothing is sampled. */
typedef struct {
    unsigned ms;
    const char *stacks;
    unsigned samples_per_second;
} Act;

typedef struct {
    GRand *random;
    PvProfile *profile;
    PvSymbolTable *symbols;
} Case;

static PvSymbolTable *
name_functions (const PvProfile *profile)
{
    g_autoptr (PvSymbolBuilder) names = pv_symbol_builder_new (profile);
    for (PvLocationId l = 1; l < profile->n_locations; l++) {
        const char name[] = {(char)('A' + l - 1), '\0'};
        made_function (names, l, name, 1);
    }
    return pv_symbol_builder_publish (names, true);
}

static Case
new_case (uint32_t seed, const Act *acts, unsigned n_acts)
{
    Case test = {0};
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    PvModuleId id = made_module (builder, "/bin/test");
    PvLocationId locations[N_FUNCTIONS];
    uint64_t start_ns = 77 * (uint64_t)SECOND_NS;
    test.random = g_rand_new_with_seed (seed);
    made_set (builder, "cycles", false, PV_UNIT_COUNT);
    for (unsigned f = 0; f < N_FUNCTIONS; f++)
        locations[f] = pv_profile_builder_location (builder, id, f, PV_LOCATION_EXACT);
    PvProcessId process = pv_profile_builder_add_process (builder, 1, "p", 0);
    PvNewSample sample = {.thread = pv_profile_builder_add_thread (builder, process, 1, "t", 0)};
    for (unsigned a = 0; a < n_acts; a++) {
        g_auto (GStrv) stacks = g_strsplit (acts[a].stacks, " ", -1);
        unsigned n_samples =
            g_strv_length (stacks) > 0 ? acts[a].samples_per_second * acts[a].ms / 1000 : 0;
        for (unsigned i = 0; i < n_samples; i++) {
            const char *functions =
                stacks[g_rand_int_range (test.random, 0, (gint32)g_strv_length (stacks))];
            const uint64_t weight = 3;
            sample.time_ns = start_ns + (uint64_t)acts[a].ms * 1000000 * i / n_samples;
            sample.stack = 0;
            for (const char *f = functions; *f != '\0'; f++)
                sample.stack =
                    pv_profile_builder_stack (builder, sample.stack, locations[*f - 'A']);
            pv_profile_builder_add_sample (builder, 0, &sample, &weight);
        }
        start_ns += (uint64_t)acts[a].ms * 1000000;
    }
    test.profile = pv_profile_builder_snapshot (builder);
    test.symbols = name_functions (test.profile);
    return test;
}

static void
clear_case (Case *test)
{
    g_rand_free (test->random);
    pv_symbol_table_free (test->symbols);
    pv_profile_free (test->profile);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Case, clear_case)

static PvPhases *
find (const Case *test, const PvQuery *query)
{
    g_autoptr (PvCallTree) tree = assert_ok (
        error, pv_call_tree_build_stacks (test->profile, test->symbols, query, NULL, NULL, &error));
    PvPhases *phases = pv_phases_find (tree, NULL);
    uint64_t weight = 0, n_samples = 0;
    for (uint32_t i = 0; i < phases->n_phases; i++) {
        const PvPhase *phase = &phases->phases[i];
        g_assert_cmpuint (phase->start_ns, <, phase->end_ns);
        g_assert_true (i == 0 || phase->start_ns == phase[-1].end_ns);
        g_assert_cmpint (phase->n_samples == 0, ==, phase->weight == 0);
        weight += phase->weight;
        n_samples += phase->n_samples;
    }
    g_assert_cmpuint (weight, ==, tree->total[0]);
    g_assert_cmpuint (n_samples, ==, tree->n_kept_samples);
    return phases;
}

static PvPhases *
find_all (const Case *test)
{
    g_auto (PvQuery) query = new_query ();
    return find (test, &query);
}

/* name: of the hottest function and of the typical one, "-" for none. */
static void
check_phase (const PvPhases *phases, uint32_t i, unsigned start_ms, unsigned end_ms,
             const char *names)
{
    const PvPhase *phase = &phases->phases[i];
    const PvFunction *functions = phases->tree->symbols->functions;
    const char hottest = phase->function != 0 ? functions[phase->function].name[0] : '-';
    const char typical = phase->typical != 0 ? functions[phase->typical].name[0] : '-';
    g_assert_cmpuint (i, <, phases->n_phases);
    g_assert_cmpfloat_with_epsilon ((double)phase->start_ns / 1e6, start_ms, 60);
    g_assert_cmpfloat_with_epsilon ((double)phase->end_ns / 1e6, end_ms, 60);
    g_assert_cmpint (hottest, ==, names[0]);
    g_assert_cmpint (typical, ==, names[1]);
}

/* Every phase has a helper as its innermost function. */
TEST (acts)
{
    static const Act acts[] = {
        {1500, "ABH ABH ABCH", 1000}, /* start-up */
        {2000, "ADH ADE ADF", 300},   {1000, "", 0}, {700, "AGH", 6000}, {3000, "ADH ADE ADF", 300},
    };
    for (uint32_t seed = 1; seed <= pv_test_rounds (20); seed++) {
        g_auto (Case) test = new_case (seed, acts, G_N_ELEMENTS (acts));
        g_autoptr (PvPhases) phases = find_all (&test);
        g_assert_cmpuint (phases->n_phases, ==, 5);
        check_phase (phases, 0, 0, 1500, "HB");
        check_phase (phases, 2, 3500, 4500, "--");
        check_phase (phases, 3, 4500, 5200, "HG");
        g_assert_cmpfloat (phases->phases[3].self_share, >, 0.99);
        for (uint32_t i = 1; i < 5; i += 3) {
            PvFunctionId typical = phases->phases[i].typical;
            g_assert_cmpstr (phases->tree->symbols->functions[typical].name, ==, "D");
        }
    }
}

/* A constant load is one phase, be it much or little. */
TEST (steady)
{
    for (uint32_t seed = 1; seed <= pv_test_rounds (40); seed++) {
        const Act act = {4000, "ABCD ABE AFGH AFI AK", 5 + seed * seed * 4};
        g_auto (Case) test = new_case (seed, &act, 1);
        g_autoptr (PvPhases) phases = find_all (&test);
        g_assert_cmpuint (phases->n_phases, ==, 1);
        g_assert_cmpuint (phases->phases[0].typical, ==, 0);
    }
}

/* At most 24, and of few samples only what has idle time around it. */
TEST (random)
{
    g_autoptr (GRand) random = g_rand_new_with_seed (3);
    unsigned n_several = 0;
    for (unsigned round = 0; round < pv_test_rounds (60); round++) {
        Act acts[40];
        char stacks[G_N_ELEMENTS (acts)][2 * MOST_STACKS * N_FUNCTIONS];
        unsigned n_acts = (unsigned)g_rand_int_range (random, 1, G_N_ELEMENTS (acts));
        for (unsigned a = 0; a < n_acts; a++) {
            char *end = stacks[a];
            for (int s = g_rand_int_range (random, 0, MOST_STACKS); s > 0; s--) {
                for (int f = g_rand_int_range (random, 1, N_FUNCTIONS); f > 0; f--)
                    *end++ = (char)('A' + g_rand_int_range (random, 0, N_FUNCTIONS));
                *end++ = s > 1 ? ' ' : '\0';
            }
            *end = '\0';
            acts[a] = (Act){(unsigned)g_rand_int_range (random, 1, 900), stacks[a],
                            (unsigned)g_rand_int_range (random, 1, 2000)};
        }
        g_auto (Case) test = new_case (round, acts, n_acts);
        if (test.profile->n_samples > 0) {
            g_autoptr (PvPhases) phases = find_all (&test);
            g_assert_cmpuint (phases->n_phases, <=, 24);
            for (uint32_t i = 1; i < phases->n_phases; i++) {
                const PvPhase *phase = &phases->phases[i];
                bool is_beside_idle = phase[-1].n_samples == 0 || phase->n_samples == 0;
                g_assert_true (is_beside_idle || MIN (phase[-1].n_samples, phase->n_samples) >= 30);
            }
            n_several += phases->n_phases > 3;
        }
    }
    g_assert_cmpuint (n_several, >, pv_test_rounds (60) / 3);
}

/* Only what the query keeps. */
TEST (query)
{
    static const Act acts[] = {{1000, "ABH", 500}, {1000, "ACE", 500}, {1000, "ADF", 500}};
    g_auto (PvQuery) query = new_query ();
    g_auto (Case) test = new_case (1, acts, G_N_ELEMENTS (acts));
    query.start_ns = 1000000000;
    g_autoptr (PvPhases) late = find (&test, &query);
    g_assert_cmpuint (late->n_phases, ==, 2);
    check_phase (late, 0, 1000, 2000, "EC");
    check_phase (late, 1, 2000, 3000, "FD");
    query.start_ns = 0;
    pv_query_add_transform (&query, PV_TRANSFORM_IGNORE, "^C$");
    g_autoptr (PvPhases) ignored = find (&test, &query);
    g_assert_cmpuint (ignored->n_phases, ==, 3);
    check_phase (ignored, 1, 1000, 2000, "--");
    pv_query_add_transform (&query, PV_TRANSFORM_HIDE, "^[HF]$");
    g_autoptr (PvPhases) hidden = find (&test, &query);
    check_phase (hidden, 0, 0, 1000, "BB");
    pv_query_add_transform (&query, PV_TRANSFORM_FOCUS, "^nothing$");
    g_autoptr (PvPhases) nothing = find (&test, &query);
    g_assert_cmpuint (nothing->n_phases, ==, 0);
}

TEST (cancelled)
{
    static const Act act = {1000, "AB", 500};
    g_auto (PvQuery) query = new_query ();
    g_autoptr (PvJob) job = pv_job_new ();
    g_auto (Case) test = new_case (1, &act, 1);
    g_autoptr (PvCallTree) tree =
        pv_call_tree_build_stacks (test.profile, test.symbols, &query, NULL, NULL, NULL);
    pv_job_cancel (job);
    g_assert_null (pv_phases_find (tree, job));
}
