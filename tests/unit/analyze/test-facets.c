/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "../cases.h"
#include "../made.h"
#include "../new-query.h"
#include "core/analyze/query/query-words.h"
#include "core/analyze/tables/facet-choice.h"
#include "core/model/build/builder.h"
#include "weigh-stacks.h"

enum { N_THREADS = 5, N_SAMPLES = 40, N_STEPS = 12, ROUNDS = 200 };

/* Two threads have the same number, as after an exec; values have what expressions are made of. */
static const char *const names[N_THREADS] = {"a", "b", "b", "c (7)", ""};
static const int tids[N_THREADS] = {10, 10, 11, 12, 13};
static const char *const values[] = {"red", "a|b", "^(?:x)$", "", "c\\d", "1..2"};

static PvProfile *
make_profile (GRand *random)
{
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    PvThreadId threads[N_THREADS];
    uint32_t sets[G_N_ELEMENTS (values) + 2];
    for (unsigned t = 0; t < N_THREADS; t++) {
        PvProcessId process = pv_profile_builder_add_process (builder, (int)t + 1, "p", 0);
        threads[t] = pv_profile_builder_add_thread (builder, process, tids[t], names[t], t);
    }
    for (unsigned v = 0; v < G_N_ELEMENTS (values); v++) {
        const PvLabel label = {.key = "key", .text = values[v]};
        sets[v] = pv_profile_builder_label_set (builder, &label, 1);
    }
    const PvLabel two[] = {{.key = "key", .text = "one"}, {.key = "key", .text = "two"}};
    sets[G_N_ELEMENTS (values)] = pv_profile_builder_label_set (builder, NULL, 0);
    sets[G_N_ELEMENTS (values) + 1] = pv_profile_builder_label_set (builder, two, 2);
    made_set (builder, "cycles", false, PV_UNIT_COUNT);
    for (unsigned i = 0; i < N_SAMPLES; i++) {
        PvNewSample sample = {
            .time_ns = 1 + i,
            .thread =
                threads[i < N_THREADS ? i : (unsigned)g_rand_int_range (random, 0, N_THREADS)],
            .cpu = (uint16_t)(i < 3 ? i : (unsigned)g_rand_int_range (random, 0, 3)),
            .label_set = sets[i % G_N_ELEMENTS (sets)],
        };
        uint64_t weight = (uint64_t)g_rand_int_range (random, 1, 100);
        pv_profile_builder_add_sample (builder, 0, &sample, &weight);
    }
    return pv_profile_builder_snapshot (builder);
}

static uint64_t
weigh (const PvProfile *profile, const PvQuery *query)
{
    uint64_t total = 0;
    g_autofree uint64_t *weights = weigh_stacks (profile, query, &total);
    uint64_t sum = 0;
    for (PvStackId s = 0; s < profile->n_stacks; s++)
        sum += weights[s];
    return sum;
}

/* Asks the query in words, and the words again. */
static void
check_words (const PvProfile *profile, const PvQuery *query)
{
    g_auto (GStrv) options = pv_query_list_options (query, profile);
    g_auto (PvQueryWords) words;
    g_auto (PvQuery) again;
    pv_query_words_init (&words);
    assert_ok (error, pv_query_words_add_all (&words, (const char *const *)options, &error));
    g_assert_true (assert_ok (error, pv_query_words_resolve (&words, profile, &again, &error)));
    g_assert_true (pv_query_equal (&again, query));
}

/* The facet agrees with the names that should be shown. */
static void
check (const PvProfile *profile, const PvQuery *query, const PvFacetKey *key, GHashTable *shown)
{
    g_autoptr (PvFacet) facet = pv_facet_build (profile, query, key, NULL, 3, NULL);
    uint64_t sum = 0;
    g_assert_cmpuint (facet->n_values, ==, MIN (facet->n_found, 3));
    g_assert_cmpuint (facet->n_found, ==, facet->n_all);
    for (uint32_t i = 0; i < facet->n_found; i++) {
        const PvFacetValue *value = &facet->values[i];
        g_assert_cmpint (value->is_shown, ==, g_hash_table_contains (shown, value->name));
        if (value->is_shown)
            sum += value->weight;
        if (i > 0)
            g_assert_cmpuint (value->weight, <=, value[-1].weight);
    }
    g_assert_cmpuint (facet->n_shown, ==, g_hash_table_size (shown));
    g_assert_cmpuint (weigh (profile, query), ==, sum);
    check_words (profile, query);
}

static void
show_all (GHashTable *shown, const PvFacet *facet)
{
    for (uint32_t i = 0; i < facet->n_found; i++)
        g_hash_table_add (shown, g_strdup (facet->values[i].name));
}

/* One thing that a user does, to the query and to the names. */
static void
step (GRand *random, const PvProfile *profile, PvQuery *query, const PvFacetKey *key,
      GHashTable *shown)
{
    g_autoptr (PvFacet) facet = pv_facet_build (profile, query, key, NULL, 100, NULL);
    PvFacetValue *value = &facet->values[g_rand_int_range (random, 0, (gint32)facet->n_found)];
    switch (g_rand_int_range (random, 0, 8)) {
    case 0:
        pv_facet_show_all (query, key);
        show_all (shown, facet);
        break;
    case 1:
        pv_facet_set_shown (query, profile, key, facet->values, facet->n_found, false);
        g_hash_table_remove_all (shown);
        break;
    case 2:
        pv_facet_show_only (query, key, value);
        g_hash_table_remove_all (shown);
        g_hash_table_add (shown, g_strdup (value->name));
        break;
    case 3:
        pv_facet_set_shown (query, profile, key, facet->values, facet->n_found, true);
        show_all (shown, facet);
        break;
    default:
        pv_facet_set_shown (query, profile, key, value, 1, !value->is_shown);
        if (value->is_shown)
            g_hash_table_remove (shown, value->name);
        else
            g_hash_table_add (shown, g_strdup (value->name));
        break;
    }
}

TEST (choices)
{
    g_autoptr (GRand) random = g_rand_new_with_seed (7);
    for (unsigned round = 0; round < pv_test_rounds (ROUNDS); round++) {
        g_autoptr (PvProfile) profile = make_profile (random);
        g_autoptr (PvFacetKeys) keys = pv_facet_keys_new (profile);
        g_autoptr (GHashTable) shown =
            g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
        g_auto (PvQuery) query = new_query ();
        g_assert_cmpuint (keys->n_keys, ==, 4);
        const PvFacetKey *key = &keys->keys[round % keys->n_keys];
        g_autoptr (PvFacet) all = pv_facet_build (profile, &query, key, NULL, 100, NULL);
        show_all (shown, all);
        for (unsigned i = 0; i < N_STEPS; i++) {
            check (profile, &query, key, shown);
            step (random, profile, &query, key, shown);
        }
    }
}

/* The query's title follows the user's choice: hidden ones are named, or shown ones. */
TEST (forms)
{
    g_autoptr (GRand) random = g_rand_new_with_seed (1);
    g_autoptr (PvProfile) profile = make_profile (random);
    PvFacetKey key = {.by = PV_GROUP_CPU};
    uint32_t ids[] = {0, 1, 2};
    PvFacetValue cpus[] = {
        {.ids = &ids[0], .n_ids = 1}, {.ids = &ids[1], .n_ids = 1}, {.ids = &ids[2], .n_ids = 1}};
    g_auto (PvQuery) query;
    const PvIdList *only = &query.only[PV_ORIGIN_CPU], *except = &query.except[PV_ORIGIN_CPU];
    pv_query_init (&query);
    pv_facet_set_shown (&query, profile, &key, cpus, 2, false);
    g_assert_cmpuint (except->n_ids, ==, 2);
    g_assert_cmpuint (only->n_ids, ==, 0);
    pv_facet_set_shown (&query, profile, &key, &cpus[2], 1, false);
    g_assert_cmpuint (except->n_ids, ==, 3);
    pv_facet_set_shown (&query, profile, &key, &cpus[1], 1, true);
    g_assert_cmpuint (except->n_ids, ==, 0);
    g_assert_cmpuint (only->n_ids, ==, 1);
    pv_facet_set_shown (&query, profile, &key, &cpus[0], 1, true);
    g_assert_cmpuint (only->n_ids, ==, 2);
    pv_facet_set_shown (&query, profile, &key, &cpus[2], 1, true);
    g_assert_false (pv_query_has_origin (&query, PV_ORIGIN_CPU));
}

/* A filter in the user's words stays while values are hidden, and goes when it is in the way. */
TEST (words)
{
    g_autoptr (GRand) random = g_rand_new_with_seed (2);
    g_autoptr (PvProfile) profile = make_profile (random);
    PvFacetKey key = {.by = PV_GROUP_LABEL, .key = "key"};
    g_auto (PvQuery) query = new_query ();
    pv_query_add_label (&query, "key", "re");
    g_autoptr (PvFacet) facet = pv_facet_build (profile, &query, &key, "RED", 100, NULL);
    g_assert_cmpuint (facet->n_found, ==, 1);
    g_assert_cmpuint (facet->n_all, ==, G_N_ELEMENTS (values) + 2);
    g_assert_true (facet->values[0].is_shown && !facet->values[0].is_barred);
    pv_facet_set_shown (&query, profile, &key, facet->values, 1, false);
    g_assert_cmpuint (query.n_labels, ==, 2);
    g_assert_cmpuint (weigh (profile, &query), ==, 0);
    g_autoptr (PvFacet) other = pv_facet_build (profile, &query, &key, "c\\D", 100, NULL);
    g_assert_cmpuint (other->n_found, ==, 1);
    g_assert_true (!other->values[0].is_shown && other->values[0].is_barred);
    pv_facet_set_shown (&query, profile, &key, other->values, 1, true);
    g_assert_cmpuint (query.n_labels, ==, 1);
    g_assert_true (query.labels[0].is_excluding);
}

/* More than an expression could name: ids of requests, for example. */
TEST (many_values)
{
    enum { N_VALUES = 50000 };
    g_autoptr (GRand) random = g_rand_new_with_seed (3);
    g_autoptr (PvProfile) profile = make_profile (random);
    PvFacetKey key = {.by = PV_GROUP_LABEL, .key = "key"};
    g_autofree PvFacetValue *many = g_new0 (PvFacetValue, N_VALUES);
    g_autoptr (GPtrArray) owned = g_ptr_array_new_with_free_func (g_free);
    g_auto (PvQuery) query = new_query ();
    uint64_t whole = weigh (profile, &query);
    for (unsigned i = 0; i < N_VALUES; i++) {
        many[i].name = i == 0 ? g_strdup ("red") : g_strdup_printf ("request-%u", i);
        g_ptr_array_add (owned, many[i].name);
    }
    pv_facet_set_shown (&query, profile, &key, many, N_VALUES, false);
    assert_ok (error, pv_query_check (&query, &error));
    uint64_t rest = weigh (profile, &query);
    g_assert_cmpuint (rest, >, 0);
    g_assert_cmpuint (rest, <, whole);
    check_words (profile, &query);
    pv_facet_set_shown (&query, profile, &key, many, N_VALUES, true);
    g_assert_cmpuint (query.n_labels, ==, 0);
}

/* One of each is no choice. */
TEST (no_choice)
{
    for (unsigned n = 1; n <= 2; n++) {
        g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
        made_set (builder, "cycles", false, PV_UNIT_COUNT);
        for (unsigned i = 0; i < n; i++) {
            PvProcessId process = pv_profile_builder_add_process (builder, (int)i + 1, "p", 0);
            const PvNewSample sample = {
                .time_ns = 1 + i,
                .thread = pv_profile_builder_add_thread (builder, process, (int)i + 1, "t", 0),
                .cpu = (uint16_t)i,
            };
            const uint64_t weight = 1;
            pv_profile_builder_add_sample (builder, 0, &sample, &weight);
        }
        g_autoptr (PvProfile) profile = pv_profile_builder_snapshot (builder);
        g_autoptr (PvFacetKeys) keys = pv_facet_keys_new (profile);
        g_assert_cmpuint (keys->n_keys, ==, n == 1 ? 0 : 3); /* process, thread, processor */
    }
}
