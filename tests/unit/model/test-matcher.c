/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/model/profile/matcher.h"

#include <string.h>
#include <time.h>

#include "../cases.h"

static double
cpu_seconds (void)
{
    struct timespec now;
    clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static char *
repeat (char c, size_t n, const char *end)
{
    g_autofree char *text = g_strnfill (n, c);
    return g_strconcat (text, end, NULL);
}

TEST (ordinary)
{
    static const struct {
        const char *expression;
        const char *text;
        bool ignores_case;
        bool is_match;
    } cases[] = {
        {"b", "abc", false, true},         {"^b", "abc", false, false},
        {"B", "abc", false, false},        {"B", "abc", true, true},
        {"", "abc", false, true},          {"^$", "", false, true},
        {"^.$", "ä", false, true},         {"Ä", "ä", true, true},
        {"^\\w$", "ä", false, true},       {"main|read", "x_read", false, true},
        {"(?<n>a)\\1", "aa", false, true}, {"b", NULL, false, false},
        {"b", "\xff\xff b", false, true},
    };
    for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
        g_autoptr (PvMatcher) matcher =
            assert_ok (error, pv_matcher_new (cases[i].expression, cases[i].ignores_case, &error));
        g_assert_cmpint (pv_matcher_match (matcher, cases[i].text), ==, cases[i].is_match);
        g_assert_false (pv_matcher_gave_up (matcher));
    }
}

TEST (invalid)
{
    g_autofree char *long_one = repeat ('a', 100000, "");
    const char *cases[] = {"(", "a)", "[", "*", "\\", "\\C", long_one};
    for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
        g_autoptr (GError) error = NULL;
        g_assert_null (pv_matcher_new (cases[i], false, &error));
        g_assert_true (error != NULL && error->domain == G_REGEX_ERROR);
        g_assert_false (pv_matcher_check (cases[i], NULL));
    }
    g_assert_true (pv_matcher_check ("a", NULL));
}

/* Long names are no reason to give up. */
TEST (long)
{
    g_autoptr (PvMatcher) matcher = pv_matcher_new ("foo.*bar[0-9]$", false, NULL);
    g_autofree char *text = repeat ('a', 1000000, "foo and bar1");
    g_autofree char *other = repeat ('a', 1000000, "foo and bar");
    for (int i = 0; i < 10; i++) {
        g_assert_true (pv_matcher_match (matcher, text));
        g_assert_false (pv_matcher_match (matcher, other));
    }
    g_assert_false (pv_matcher_gave_up (matcher));
}

TEST (hostile)
{
    static const char *const expressions[] = {
        "(a+)+$", "(a+)+c|a*b5$", "^(a|aa)+$", "^(a*)*$", "^a*a*a*a*a*a*$", "^((?1)?a)+$",
    };
    static const size_t lengths[] = {25, 1000, 100000};
    for (size_t e = 0; e < G_N_ELEMENTS (expressions); e++) {
        for (size_t l = 0; l < G_N_ELEMENTS (lengths); l++) {
            g_autoptr (PvMatcher) matcher = pv_matcher_new (expressions[e], false, NULL);
            g_autofree char *text = repeat ('a', lengths[l], "!");
            double start = cpu_seconds ();
            for (unsigned i = 0; i < 10; i += pv_test_step (5))
                g_assert_false (pv_matcher_match (matcher, text));
            g_assert_cmpfloat (cpu_seconds () - start, <, 2);
            /* Text that matches at once is not known any more, and the matcher says so. */
            if (!pv_matcher_match (matcher, "a"))
                g_assert_true (pv_matcher_gave_up (matcher));
        }
    }
    g_autoptr (PvMatcher) matcher = pv_matcher_new ("(a+)+$", false, NULL);
    g_autofree char *text = repeat ('a', 200, "!");
    g_assert_false (pv_matcher_match (matcher, text));
    g_assert_true (pv_matcher_gave_up (matcher));
}
