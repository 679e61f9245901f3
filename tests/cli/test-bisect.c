/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The search for a commit: its chances, and when a measurement is enough. */
#include <math.h>

#include "../unit/cases.h"
#include "cli/bisect/pairs.h"
#include "cli/bisect/suspects.h"

static PvSuspects *
make_line (uint32_t n)
{
    PvSuspects *suspects = pv_suspects_new (n);
    for (uint32_t i = 1; i < n; i++)
        pv_suspects_add_parent (suspects, i, i - 1);
    return suspects;
}

static unsigned
log2_up (uint32_t n)
{
    return n > 1 ? g_bit_storage (n - 1) : 0;
}

/* Clear measurements find each commit in as many steps as a binary search has. */
TEST (clear)
{
    for (uint32_t n = 1; n <= 70; n++)
        for (uint32_t culprit = 0; culprit < n; culprit++) {
            g_autoptr (PvSuspects) suspects = make_line (n);
            unsigned n_steps = 0;
            uint32_t next;
            for (; pv_suspects_choose (suspects, &next); n_steps++)
                pv_suspects_add_evidence (suspects, next, next >= culprit ? 20 : -20);
            g_assert_cmpuint (n_steps, <=, log2_up (n));
            g_assert_cmpfloat (pv_suspects_get_chance (suspects, culprit), >, 0.999);
            g_assert_cmpuint (pv_suspects_count_likely (suspects), ==, 1);
        }
}

/* A commit counts for those that contain it, not for those beside it: 0 ← 1 ← 2, 0 ← 3, and 4
 * merges both. */
TEST (merges)
{
    static const uint32_t parents[][2] = {{1, 0}, {2, 1}, {3, 0}, {4, 2}, {4, 3}};
    for (uint32_t culprit = 0; culprit < 5; culprit++) {
        g_autoptr (PvSuspects) suspects = pv_suspects_new (5);
        for (size_t i = 0; i < G_N_ELEMENTS (parents); i++)
            pv_suspects_add_parent (suspects, parents[i][0], parents[i][1]);
        g_assert_false (pv_suspects_contains (suspects, 3, 2));
        g_assert_true (pv_suspects_contains (suspects, 4, 1));
        uint32_t next;
        while (pv_suspects_choose (suspects, &next))
            pv_suspects_add_evidence (suspects, next,
                                      pv_suspects_contains (suspects, next, culprit) ? 20 : -20);
        g_assert_cmpfloat (pv_suspects_get_chance (suspects, culprit), >, 0.999);
    }
}

/* Commits that cannot be measured leave several, alike. */
TEST (skipped)
{
    g_autoptr (PvSuspects) suspects = make_line (8);
    for (uint32_t i = 2; i < 5; i++)
        pv_suspects_skip (suspects, i);
    uint32_t next;
    while (pv_suspects_choose (suspects, &next)) {
        g_assert_true (next < 2 || next >= 5);
        pv_suspects_add_evidence (suspects, next, next >= 3 ? 20 : -20);
    }
    for (uint32_t i = 2; i <= 5; i++)
        g_assert_cmpfloat_with_epsilon (pv_suspects_get_chance (suspects, i), 0.25, 0.001);
    g_assert_cmpuint (pv_suspects_count_likely (suspects), ==, 4);
}

/* Bayes' rule: odds of 3 to 1 that the commit has the change, of 1 to 4 for another. */
TEST (chances)
{
    g_autoptr (PvSuspects) suspects = make_line (4);
    pv_suspects_add_evidence (suspects, 1, log (3));
    g_assert_cmpfloat_with_epsilon (pv_suspects_get_chance (suspects, 0), 3.0 / 8, 1e-12);
    g_assert_cmpfloat_with_epsilon (pv_suspects_get_chance_within (suspects, 1), 6.0 / 8, 1e-12);
    pv_suspects_add_evidence (suspects, 0, -log (4));
    g_assert_cmpfloat_with_epsilon (pv_suspects_get_chance (suspects, 0), 0.75 / 5.75, 1e-12);
    g_assert_cmpfloat_with_epsilon (pv_suspects_get_chance (suspects, 3), 1.0 / 5.75, 1e-12);
    pv_suspects_forget (suspects);
    g_assert_cmpfloat_with_epsilon (pv_suspects_get_chance (suspects, 0), 0.25, 1e-12);
}

/* Evidence is of the end that is nearer, more of it the surer both are, and never without end:
 * other commits change something too. */
TEST (evidence)
{
    const PvEstimate whole = {0.1, 0.01}, none = {0, 0.01}, unsure = {0, 0.1}, half = {0.05, 0.01};
    const PvEstimate all = {0.1, 0.01}, exact = {0, 0};
    g_assert_cmpfloat (pv_estimate_weigh (&whole, &none), <, -5.3);
    g_assert_cmpfloat (pv_estimate_weigh (&whole, &all), >, 5.3);
    g_assert_cmpfloat (fabs (pv_estimate_weigh (&whole, &half)), <, 1.5);
    g_assert_cmpfloat (fabs (pv_estimate_weigh (&whole, &unsure)), <, 1.5);
    g_assert_cmpfloat (pv_estimate_weigh (&whole, &exact), >, -30);
    g_assert_true (pv_estimate_is_enough (&whole, &none));
    g_assert_false (pv_estimate_is_enough (&whole, &unsure));
    g_assert_true (pv_estimate_is_change (&whole));
    g_assert_false (pv_estimate_is_change (&half) && pv_estimate_is_change (&unsure));
    /* A decrease is found in the same way. */
    const PvEstimate less = {-0.1, 0.01}, all_less = {-0.1, 0.01};
    g_assert_cmpfloat (pv_estimate_weigh (&less, &all_less), >, 5.3);
}

/* --- searches in histories that are made up --- */

static double
draw_normal (GRand *rand)
{
    double u = 1 - g_rand_double (rand), v = g_rand_double (rand);
    return sqrt (-2 * log (u)) * cos (2 * G_PI * v);
}

enum { MAX_ROUNDS = 20, MIN_ROUNDS = 3 };

typedef struct {
    uint32_t n, culprit;
    double change, deviation; /* of the range, and from pair to pair */
    GRand *rand;
    PvPairSpread spread;
    GArray *changes; /* of the commit that is measured */
} History;

static PvEstimate
record_pair (History *history, uint32_t commit)
{
    double value = (commit >= history->culprit ? history->change : 0) +
                   history->deviation * draw_normal (history->rand);
    PvPairSpread spread = history->spread;
    g_array_append_val (history->changes, value);
    const double *changes = (const double *)(gpointer)history->changes->data;
    pv_pair_spread_add (&spread, changes, history->changes->len);
    return pv_pair_spread_estimate (&spread, changes, history->changes->len, PV_PAIR_USUAL_SPREAD);
}

static PvEstimate
measure (History *history, uint32_t commit, const PvEstimate *whole)
{
    PvEstimate estimate = {0};
    g_array_set_size (history->changes, 0);
    do
        estimate = record_pair (history, commit);
    while (history->changes->len < MIN_ROUNDS ||
           (history->changes->len < MAX_ROUNDS &&
            !(whole != NULL ? pv_estimate_is_enough (whole, &estimate)
                            : pv_estimate_is_change (&estimate))));
    pv_pair_spread_add (&history->spread, (const double *)(gpointer)history->changes->data,
                        history->changes->len);
    return estimate;
}

typedef struct {
    unsigned n_found, n_right;
    double sum_chance; /* of those that are right */
} Score;

static void
search (History *history, Score *score)
{
    g_autoptr (PvSuspects) suspects = make_line (history->n);
    const PvEstimate whole = measure (history, history->n - 1, NULL);
    uint32_t next;
    if (!pv_estimate_is_change (&whole))
        return;
    for (unsigned n = 0; n < log2_up (history->n) && pv_suspects_choose (suspects, &next); n++) {
        PvEstimate estimate = measure (history, next, &whole);
        pv_suspects_add_evidence (suspects, next, pv_estimate_weigh (&whole, &estimate));
    }
    score->sum_chance += pv_suspects_get_chance (suspects, history->culprit);
    for (uint32_t i = 0; i < history->n; i++)
        if (pv_suspects_get_chance (suspects, i) >= 0.95) {
            score->n_found++;
            score->n_right += i == history->culprit;
        }
}

static Score
search_often (double change, double deviation, unsigned n_times)
{
    Score score = {0};
    g_autoptr (GRand) rand = g_rand_new_with_seed (7);
    for (unsigned i = 0; i < n_times; i++) {
        History history = {.n = 2 + (uint32_t)g_rand_int_range (rand, 0, 100),
                           .change = log1p (change),
                           .deviation = deviation,
                           .rand = rand,
                           .changes = g_array_new (FALSE, FALSE, sizeof (double))};
        history.culprit = (uint32_t)g_rand_int_range (rand, 0, (gint32)history.n);
        search (&history, &score);
        g_array_unref (history.changes);
    }
    g_test_message ("%+.0f %%, pairs differ by %.1f %%: found %u of %u, right %u", change * 100,
                    deviation * 100, score.n_found, n_times, score.n_right);
    return score;
}

/* Large changes are found; of small ones at least 95 of 100 that are called found are right; and
 * where there is none, nothing is found. */
TEST (searches)
{
    static const double deviations[] = {0.005, 0.02, 0.04};
    for (size_t i = 0; i < G_N_ELEMENTS (deviations); i++) {
        for (unsigned percent = 10; percent <= 30; percent += 20) {
            Score score = search_often (percent / 100.0, deviations[i], 200);
            g_assert_cmpuint (score.n_right, >=, percent / deviations[i] > 300 ? 197 : 180);
            g_assert_cmpuint (score.n_found - score.n_right, <=, 4);
        }
        Score score = search_often (0.05, deviations[i], 200);
        g_assert_cmpuint (score.n_found - score.n_right, <=, score.n_found / 20 + 2);
        g_assert_cmpuint (search_often (0, deviations[i], 200).n_found, <=, 4);
    }
}
