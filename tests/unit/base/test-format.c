/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <locale.h>

#include "../cases.h"
#include "core/base/format.h"

TEST (amounts)
{
    static const struct {
        uint64_t amount;
        PvUnit unit;
        const char *text;
    } cases[] = {
        {0, PV_UNIT_COUNT, "0"},
        {999, PV_UNIT_COUNT, "999"},
        {437001, PV_UNIT_COUNT, "437,001"},
        {UINT64_MAX, PV_UNIT_COUNT, "18,446,744,073,709,551,615"},
        {999, PV_UNIT_NS, "999 ns"},
        {1000, PV_UNIT_NS, "1.00 µs"},
        {12345678, PV_UNIT_NS, "12.3 ms"},
        {1250000000, PV_UNIT_NS, "1.25 s"},
        {9994999, PV_UNIT_NS, "9.99 ms"},
        {9996000, PV_UNIT_NS, "10.0 ms"},
        {99960000, PV_UNIT_NS, "100 ms"},
        {999400000, PV_UNIT_NS, "999 ms"},
        {999600000, PV_UNIT_NS, "1.00 s"},
        {UINT64_C (9999400000000), PV_UNIT_NS, "9999 s"},
        {UINT64_C (16503000000000), PV_UNIT_NS, "16,503 s"},
        {1023, PV_UNIT_BYTES, "1023 B"},
        {1048575, PV_UNIT_BYTES, "1.00 MiB"},
        {13002342, PV_UNIT_BYTES, "12.4 MiB"},
        {0, PV_UNIT_BYTE_MS, "0 B·ms"},
        {999, PV_UNIT_BYTE_MS, "999 B·ms"},
        {1500, PV_UNIT_BYTE_MS, "1.50 B·s"},
        {1023499, PV_UNIT_BYTE_MS, "1023 B·s"},
        {1023999, PV_UNIT_BYTE_MS, "1.00 KiB·s"},
        {1024000, PV_UNIT_BYTE_MS, "1.00 KiB·s"},
        {13314398617600, PV_UNIT_BYTE_MS, "12.4 GiB·s"},
        {UINT64_MAX, PV_UNIT_BYTE_MS, "16,777 TiB·s"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
        g_autofree char *text = pv_format_amount (cases[i].amount, cases[i].unit);
        g_assert_cmpstr (text, ==, cases[i].text);
    }
    static const struct {
        int64_t amount;
        PvUnit unit;
        const char *text;
    } net[] = {
        {0, PV_UNIT_BYTES, "0 B"},
        {1310720, PV_UNIT_BYTES, "+1.25 MiB"},
        {-3000000, PV_UNIT_NS, "−3.00 ms"},
        {-1, PV_UNIT_COUNT, "−1"},
        {INT64_MIN, PV_UNIT_COUNT, "−9,223,372,036,854,775,808"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS (net); i++) {
        g_autofree char *text = pv_format_signed_amount (net[i].amount, net[i].unit);
        g_assert_cmpstr (text, ==, net[i].text);
    }
    static const struct {
        uint64_t count;
        const char *text;
    } counts[] = {
        {0, "0"},
        {999, "999"},
        {1000, "1.00 k"},
        {178568123, "179 M"},
        {999600, "1.00 M"},
        {461631999999, "462 G"},
        {UINT64_MAX, "18.4 E"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS (counts); i++) {
        assert_string (pv_format_short_count (counts[i].count), counts[i].text);
    }
    assert_string (pv_format_percent (482, 1000), "48.2 %");
    assert_string (pv_format_percent (1, 0), "0.0 %");
}

TEST (numbers)
{
    static const struct {
        double number;
        int n_digits;
        const char *decimals, *digits;
    } cases[] = {
        {0, 2, "0.00", "0"},
        {1.5, 3, "1.500", "1.5"},
        {20, 1, "20.0", "2e+01"},
        {-3.14159, 2, "-3.14", "-3.1"},
        {999.96, 1, "1000.0", "1e+03"},
        {12.5, 4, "12.5000", "12.5"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
        g_autofree char *decimals = pv_format_decimals (cases[i].number, cases[i].n_digits);
        g_autofree char *digits = pv_format_digits (cases[i].number, cases[i].n_digits);
        g_assert_cmpstr (decimals, ==, cases[i].decimals);
        g_assert_cmpstr (digits, ==, cases[i].digits);
    }
}

/* A locale that groups nothing and has a point keeps our grouping: the C locale. */
TEST (cut)
{
    static const struct {
        const char *text;
        size_t max_bytes;
        const char *cut;
    } cases[] = {
        {"", 0, ""},       {"abc", 3, "abc"}, {"abcd", 3, "abc…"}, {"aäb", 4, "aäb"},
        {"aäb", 3, "aä…"}, {"aäb", 2, "a…"},  {"äb", 1, "…"},      {"abc", 0, "…"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
        assert_string (pv_format_cut (cases[i].text, cases[i].max_bytes), cases[i].cut);
    }
}

TEST (fill_in)
{
    assert_string (pv_fill_in ("“%s”", "x"), "“x”");
    assert_string (pv_fill_in ("%1$s: 5 %", "%s"), "%s: 5 %");
    assert_string (pv_fill_in ("no place", "x"), "no place");
}

TEST (folder)
{
    g_autofree char *inside = g_strconcat (g_get_home_dir (), "/a b", NULL);
    g_autofree char *beside = g_strconcat (g_get_home_dir (), "s", NULL);
    assert_string (pv_format_folder (g_get_home_dir ()), "~");
    assert_string (pv_format_folder (inside), "~/a b");
    assert_string (pv_format_folder (beside), beside);
    assert_string (pv_format_folder ("/"), "/");
}

TEST (decimal_sizes)
{
    pv_format_set_decimal_sizes (true);
    assert_string (pv_format_amount (999, PV_UNIT_BYTES), "999 B");
    assert_string (pv_format_amount (1048575, PV_UNIT_BYTES), "1.05 MB");
    assert_string (pv_format_amount (999999, PV_UNIT_BYTES), "1.00 MB");
    assert_string (pv_format_amount (1500000, PV_UNIT_BYTE_MS), "1.50 kB·s");
    assert_string (pv_format_signed_amount (-12400000000, PV_UNIT_BYTES), "−12.4 GB");
    g_assert_cmpstr (pv_format_name_size (3), ==, "GB");
    pv_format_set_decimal_sizes (false);
    assert_string (pv_format_amount (1048576, PV_UNIT_BYTES), "1.00 MiB");
    g_assert_cmpstr (pv_format_name_size (3), ==, "GiB");
}

TEST (c_locale)
{
    setlocale (LC_ALL, "C.UTF-8");
    pv_format_use_locale ();
    assert_string (pv_format_count (1234567), "1,234,567");
}
