/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "../cases.h"
#include "core/analyze/query/time-range.h"

#define MS UINT64_C (1000000)
#define S  UINT64_C (1000000000)

TEST (good)
{
    static const struct {
        const char *text;
        uint64_t start_ns;
        uint64_t end_ns;
    } cases[] = {
        {"1.2s..3.4s", 1200 * MS, 3400 * MS},
        {"1.2s-3.4s", 1200 * MS, 3400 * MS},
        {"200ms..", 200 * MS, UINT64_MAX},
        {"..2", 0, 2 * S},
        {"..", 0, UINT64_MAX},
        {"1.5..20000ms", 1500 * MS, 20 * S},
        {"5..7", 5 * S, 7 * S},
        {" 10 us .. 1 ms ", 10000, MS},
        {"7ns..7ns", 7, 7},
        {"3µs..4us", 3000, 4000},
        /* As chips show them: one unit for both. */
        {"10–20 ms", 10 * MS, 20 * MS},
        {"10-20ms", 10 * MS, 20 * MS},
        {"10s-20000ms", 10 * S, 20 * S},
        {"1e-3..2e-3s", MS, 2 * MS},
        {"1e-3-2e-3", MS, 2 * MS},
        {"0..1e40", 0, UINT64_MAX},
    };
    for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
        uint64_t start_ns = 1, end_ns = 1;
        PvTimeRangeFault fault;
        g_test_message ("%s", cases[i].text);
        g_assert_true (pv_time_range_parse (cases[i].text, &start_ns, &end_ns, &fault));
        g_assert_cmpuint (start_ns, ==, cases[i].start_ns);
        g_assert_cmpuint (end_ns, ==, cases[i].end_ns);
    }
}

TEST (bad)
{
    static const struct {
        const char *text;
        const char *fault; /* the part that is wrong */
    } cases[] = {
        {"", ""},          {"5", "5"},          {" 5ms ", "5ms"},  {"3x..5", "3x"},
        {"3..5 h", "5 h"}, {"3..2", "2"},       {"..ms", "ms"},    {"1..2..3", "2..3"},
        {"+1..2", "+1"},   {"1..-2", "-2"},     {"nan..2", "nan"}, {"1..inf", "inf"},
        {"2s..1s", "1s"},  {"1 2..3ms", "1 2"}, {"5-3ms", "3ms"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
        uint64_t start_ns = 1, end_ns = 1;
        PvTimeRangeFault fault = {0};
        g_test_message ("%s", cases[i].text);
        g_assert_false (pv_time_range_parse (cases[i].text, &start_ns, &end_ns, &fault));
        g_assert_false (pv_time_range_parse (cases[i].text, &start_ns, &end_ns, NULL));
        assert_string (g_strndup (cases[i].text + fault.first, fault.end - fault.first),
                       cases[i].fault);
        g_assert_nonnull (fault.message);
        g_assert_cmpuint (start_ns, ==, 1);
        g_assert_cmpuint (end_ns, ==, 1);
    }
}

TEST (format)
{
    static const struct {
        uint64_t start_ns;
        uint64_t end_ns;
        const char *text;
    } cases[] = {
        {0, UINT64_MAX, ".."},
        {200 * MS, UINT64_MAX, "200ms.."},
        {0, 1500 * MS, "..1.5s"},
        {S, 1234567890, "1s..1.23456789s"},
        {1005, 1500500, "1.005us..1.5005ms"},
        {7, 1234567, "7ns..1.234567ms"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
        assert_string (pv_time_range_format (cases[i].start_ns, cases[i].end_ns), cases[i].text);
    }
}

TEST (both_ways)
{
    for (int i = 0; i < 10000; i++) {
        int shift = g_test_rand_int_range (3, 60);
        uint64_t a = ((uint64_t)(uint32_t)g_test_rand_int () << 21) >> shift;
        uint64_t b = a + (uint32_t)g_test_rand_int (), start_ns, end_ns;
        g_autofree char *text = pv_time_range_format (a, b);
        g_assert_true (pv_time_range_parse (text, &start_ns, &end_ns, NULL));
        g_assert_cmpuint (start_ns, ==, a);
        g_assert_cmpuint (end_ns, ==, b);
    }
}
