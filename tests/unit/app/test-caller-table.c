/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "../cases.h"
#include "app/tables/caller-table.h"

#include "../analyze/folded-profile.h"

static void
assert_order (const PvCallTree *tree, const PvCaller *callers, uint32_t n, PvColumnKind kind,
              gboolean is_descending, const char *expected)
{
    uint32_t n_sorted;
    g_autofree uint32_t *places =
        pv_callers_sort (tree, callers, n, &(PvColumn){kind, PV_SHOW_AMOUNT, PV_MEASURE_SHOWN},
                         is_descending, TRUE, &n_sorted);
    g_autoptr (GString) names = g_string_new (NULL);
    for (uint32_t i = 0; i < n_sorted; i++) {
        PvFunctionId function = callers[places[i]].function;
        g_string_append_printf (names, "%s%s", i > 0 ? " " : "",
                                function != 0 ? tree->symbols->functions[function].label : "-");
    }
    g_assert_cmpstr (names->str, ==, expected);
}

/* The callers of b, which also starts a stack. */
TEST (order)
{
    g_auto (FoldedProfile) folded = folded_profile_new (
        "lib!a|z.c:7;b 3\nC;b 5\nlib!d|z.c:30;b 3\nE|a.c:1;b 9\nb 4\nb;a 1\nb;C 1");
    g_auto (PvQuery) query = new_query ();
    g_autoptr (PvCallTree) tree = query_tree (folded.profile, folded.symbols, &query);
    g_autoptr (PvCallersCallees) both =
        pv_callers_callees_build (tree, folded_profile_find (&folded, "b"), NULL);
    PvCaller *callers = both->callers;
    uint32_t n = both->n_callers;
    g_assert_cmpuint (n, ==, 5);
    assert_order (tree, callers, n, PV_COLUMN_TOTAL, TRUE, "E - C a d");
    assert_order (tree, callers, n, PV_COLUMN_TOTAL, FALSE, "a d C - E");
    assert_order (tree, callers, n, PV_COLUMN_NAME, FALSE, "a C d E -");
    assert_order (tree, callers, n, PV_COLUMN_NAME, TRUE, "- E d C a");
    assert_order (tree, callers, n, PV_COLUMN_MODULE, FALSE, "a d E C -");
    assert_order (tree, callers, n, PV_COLUMN_PLACE, FALSE, "E C a d -");
    assert_order (tree, callers, 0, PV_COLUMN_PLACE, FALSE, "");
    /* Numbers that are not known come last, after 0. */
    for (uint32_t i = 0; i < n; i++)
        callers[i].n_calls = callers[i].function == folded_profile_find (&folded, "E")   ? 0
                             : callers[i].function == folded_profile_find (&folded, "d") ? 7
                                                                                         : 3;
    callers[1].n_calls = PV_AMOUNT_UNKNOWN;
    assert_order (tree, callers, n, PV_COLUMN_CALLS, TRUE, "d C a E -");
    /* Without noise: E and a. */
    for (uint32_t i = 0; i < n; i++)
        callers[i].is_noise = callers[i].function == folded_profile_find (&folded, "E") ||
                              callers[i].function == folded_profile_find (&folded, "a");
    assert_order (tree, callers, n, PV_COLUMN_TOTAL, TRUE, "- C d");
    assert_order (tree, callers, n, PV_COLUMN_NAME, FALSE, "C d -");
}
