/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "../cases.h"
#include "core/analyze/code/hottest.h"
#include "folded-profile.h"

/* "own: " or "any: ", and the function; "none". */
static char *
find (const char *text)
{
    g_auto (FoldedProfile) folded = folded_profile_new (text);
    g_auto (PvQuery) query = new_query ();
    query.granularity = PV_BY_LINE;
    g_autoptr (PvCallTree) tree =
        pv_call_tree_build_stacks (folded.profile, folded.symbols, &query, NULL, NULL, NULL);
    PvHottest hottest;
    g_assert_true (pv_hottest_find (tree, &hottest, NULL));
    if (hottest.function == 0)
        return g_strdup ("none");
    return g_strdup_printf ("%s: %s", hottest.is_own ? "own" : "any",
                            tree->symbols->functions[hottest.function].name);
}

#define LIBC "/usr/lib/libc.so.6!"

/* A library's time counts for the innermost own function that called it. */
TEST (own)
{
    assert_string (find ("main:1;parse:5 4\nmain:1;sort:9;" LIBC "qsort:2;compare:7 3\n"
                         "main:1;sort:9;" LIBC "qsort:2;" LIBC "memcpy:1 3\n"
                         "main:1;sort:9;" LIBC "qsort:2 2\n"),
                   "own: sort");
    assert_string (find ("main:1;parse:5 6\nmain:1;sort:9;" LIBC "qsort:2 5\n" LIBC "start:1 9\n"),
                   "own: parse");
}

/* Without own code, a function with a line goes before one without. */
TEST (any)
{
    assert_string (find (LIBC "read:0 5\n" LIBC "start:1;" LIBC "write:3 2\n"), "any: write");
    assert_string (find (LIBC "read:0 5\n" LIBC "write:0 2\n"), "any: read");
}
