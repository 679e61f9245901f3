/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/model/profile/period.h"

#include "../cases.h"

#include <glib.h>

/* Each text is written of its parts, and read as them. */
TEST (forms)
{
    static const struct {
        const char *type;
        uint64_t amount;
        PvUnit unit;
        const char *unit_name;
        const char *expected;
    } cases[] = {
        {"cpu", 10000000, PV_UNIT_NS, "", "cpu 10 ms"},
        {"cpu", 1500, PV_UNIT_NS, "", "cpu 1500 ns"},
        {"wall clock", 2000000000, PV_UNIT_NS, "", "wall clock 2 s"},
        {"space", 512 << 10, PV_UNIT_BYTES, "", "space 512 KiB"},
        {"space", 1023, PV_UNIT_BYTES, "", "space 1023 B"},
        {"", 4000, PV_UNIT_NS, "", "4 µs"},
        {"contentions", 7, PV_UNIT_COUNT, "locks", "contentions 7 locks"},
    };
    for (unsigned i = 0; i < G_N_ELEMENTS (cases); i++) {
        PvPeriod period;
        g_autofree char *text =
            pv_period_format (cases[i].type, cases[i].amount, cases[i].unit, cases[i].unit_name);
        g_assert_cmpstr (text, ==, cases[i].expected);
        g_assert_true (pv_period_parse (text, &period));
        assert_string (g_strndup (period.type, period.type_length), cases[i].type);
        g_assert_cmpuint (period.amount, ==, cases[i].amount);
        g_assert_true (period.unit == cases[i].unit);
        if (period.unit == PV_UNIT_COUNT)
            g_assert_cmpstr (period.unit_name, ==, cases[i].unit_name);
    }
}

TEST (other_forms)
{
    static const char *const wrong[] = {
        "",           "cpu",       "10",
        "cpu ms",     "cpu 10",    "cpu ten ms",
        "cpu 1.5 ms", "cpu -3 ms", "space 99999999999999 GiB",
    };
    PvPeriod period;
    for (unsigned i = 0; i < G_N_ELEMENTS (wrong); i++) {
        g_test_message ("%s", wrong[i]);
        g_assert_false (pv_period_parse (wrong[i], &period));
    }
    g_assert_false (pv_period_parse (NULL, &period));
    /* As other programs and older packs have it. */
    g_assert_true (pv_period_parse ("cpu 5 us", &period) && period.amount == 5000);
    g_assert_true (pv_period_parse ("space 9 bytes", &period) && period.unit == PV_UNIT_BYTES);
}
