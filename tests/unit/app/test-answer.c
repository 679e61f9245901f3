/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which answers have the same serial, and whose functions are known. */
#include "../cases.h"
#include "app/work/answer.h"

#include "../analyze/folded-profile.h"

/* detail: NULL for a tree that folds nothing. */
static PvAnswer *
answer_new (const FoldedProfile *folded, const PvQuery *query, const PvTreeDetail *detail,
            const PvAnswer *previous)
{
    const PvProfile *profile = folded->profile;
    const PvSymbolTable *symbols = folded->symbols;
    PvAnswer *answer = pv_answer_new (profile, symbols);

    answer->tree = assert_ok (
        error, detail != NULL
                   ? pv_call_tree_build_folded (profile, symbols, query, detail, NULL, NULL, &error)
                   : pv_call_tree_build (profile, symbols, query, NULL, NULL, &error));
    answer->flame_tree = pv_call_tree_ref (answer->tree);
    pv_answer_seal (answer, previous);
    return answer;
}

TEST (serial)
{
    g_auto (FoldedProfile) folded = folded_profile_new ("a 60\na;b 40\na;c 1\na;d 1\na;d;e 2");
    g_auto (FoldedProfile) other = folded_profile_new ("a 60\na;b 40\na;c 1\na;d 1\na;d;e 2");
    const PvTreeDetail coarse = {.min_weight = 30}, fine = {.min_weight = 2};
    g_auto (PvQuery) query = new_query ();
    g_auto (PvQuery) without_b = new_query ();
    PvAnswer *first, *unfolded, *filtered, *elsewhere, *whole, *again;

    pv_query_add_transform (&without_b, PV_TRANSFORM_IGNORE, "b");
    first = answer_new (&folded, &query, &coarse, &pv_no_answer);
    unfolded = answer_new (&folded, &query, &fine, first);
    filtered = answer_new (&folded, &without_b, &fine, unfolded);
    elsewhere = answer_new (&other, &query, &coarse, first);
    whole = answer_new (&folded, &query, NULL, &pv_no_answer);
    again = answer_new (&folded, &query, NULL, whole);
    g_assert_cmpuint (pv_no_answer.serial, ==, 0);
    g_assert_cmpuint (first->serial, !=, 0);
    g_assert_cmpuint (unfolded->tree->n_nodes, >, first->tree->n_nodes);
    g_assert_cmpuint (unfolded->serial, ==, first->serial);
    g_assert_cmpuint (filtered->serial, !=, first->serial);
    g_assert_cmpuint (elsewhere->serial, !=, first->serial);
    g_assert_cmpuint (elsewhere->serial, !=, filtered->serial);
    /* Nothing can have been unfolded. */
    g_assert_cmpuint (again->serial, !=, whole->serial);

    g_assert_true (pv_answer_has_functions_of (filtered, first->tree->symbols));
    g_assert_false (pv_answer_has_functions_of (elsewhere, first->tree->symbols));
    g_assert_false (pv_answer_has_functions_of (&pv_no_answer, first->tree->symbols));

    g_assert_true (pv_answer_ref (first) == first);
    g_assert_true (pv_answer_ref (&pv_no_answer) == &pv_no_answer);
    pv_answer_unref (&pv_no_answer);
    pv_answer_unref (first);
    g_assert_cmpuint (first->tree->total[0], ==, 104);
    pv_answer_unref (first);
    pv_answer_unref (unfolded);
    pv_answer_unref (filtered);
    pv_answer_unref (elsewhere);
    pv_answer_unref (whole);
    pv_answer_unref (again);
}
