/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counters: what is made of samples that are not sorted, not finite or too large. */
#include <math.h>

#include "../cases.h"
#include "core/model/build/builder.h"

static PvCounter
make (PvCounterKind kind, bool is_relative, PvArena *arena)
{
    static const uint64_t times[] = {50, 10, 30, 30, 20, 40};
    static const double values[] = {5, 1, 30, -4, (double)NAN, (double)INFINITY};
    PvCounter like = {
        .name = "n", .category = "", .description = "", .kind = kind, .is_relative = is_relative};
    return pv_counter_make (&like, times, values, G_N_ELEMENTS (times), arena);
}

static void
check (const PvCounter *counter, const double *values, double min, double max, double total)
{
    static const uint64_t times[] = {10, 30, 30, 50};
    g_assert_cmpuint (counter->n_samples, ==, 4);
    for (uint32_t i = 0; i < 4; i++) {
        g_assert_cmpuint (counter->time_ns[i], ==, times[i]);
        g_assert_cmpfloat (counter->values[i], ==, values[i]);
    }
    g_assert_cmpfloat (counter->min, ==, min);
    g_assert_cmpfloat (counter->max, ==, max);
    g_assert_cmpfloat (counter->total, ==, total);
}

TEST (kinds)
{
    static const double plain[] = {1, 30, -4, 5}, added_up[] = {1, 31, 27, 32};
    g_autoptr (PvArena) arena = pv_arena_new ();
    PvCounter level = make (PV_COUNTER_LEVEL, false, arena);
    PvCounter relative = make (PV_COUNTER_LEVEL, true, arena);
    PvCounter amount = make (PV_COUNTER_AMOUNT, false, arena);
    check (&level, plain, -4, 30, 5);
    check (&relative, added_up, 1, 32, 32);
    check (&amount, plain, -4, 30, 32);
}

/* Sums that are too large for a number stay what they were. */
TEST (large)
{
    static const uint64_t times[] = {1, 2, 3};
    static const double values[] = {1e308, 1e308, -1e308};
    PvCounter like = {.name = "", .category = "", .description = "", .is_relative = true};
    g_autoptr (PvArena) arena = pv_arena_new ();
    PvCounter counter = pv_counter_make (&like, times, values, 3, arena);
    g_assert_cmpfloat (counter.max, ==, 1e308);
    g_assert_cmpfloat (counter.total, ==, 0);
    PvCounter none = pv_counter_make (&like, NULL, NULL, 0, arena);
    g_assert_cmpuint (none.n_samples, ==, 0);
    g_assert_cmpfloat (none.max, ==, 0);
}

static void
check_text (PvCounterUnit unit, bool is_relative, double value, const char *expected)
{
    PvCounter counter = {.unit = unit, .is_relative = is_relative};
    assert_string (pv_counter_format_value (&counter, value), expected);
}

TEST (texts)
{
    char buffer[PV_COUNTER_NUMBER_BYTES];
    check_text (PV_COUNTER_PLAIN, false, 12402, "12,402");
    check_text (PV_COUNTER_PLAIN, false, 11.25, "11.25");
    check_text (PV_COUNTER_PLAIN, false, -0.5, "−0.5");
    check_text (PV_COUNTER_PLAIN, false, 0, "0");
    check_text (PV_COUNTER_PLAIN, false, 1e300, "1e+300");
    check_text (PV_COUNTER_BYTES, false, 1536, "1.50 KiB");
    check_text (PV_COUNTER_BYTES, true, 1536, "+1.50 KiB");
    check_text (PV_COUNTER_BYTES, true, -1536, "−1.50 KiB");
    check_text (PV_COUNTER_PERCENT, false, 62.5, "62.5 %");
    g_assert_cmpstr (pv_counter_write_number (0.1, buffer), ==, "0.1");
    g_assert_cmpstr (pv_counter_write_number (4536, buffer), ==, "4536");
    g_assert_cmpstr (pv_counter_write_number (1.0 / 3, buffer), ==, "0.3333333333333333");
}

/* No more than that many. */
TEST (builder)
{
    static const uint64_t time_ns = 5;
    static const double value = 7;
    PvCounter like = {.name = "n", .category = "c", .description = ""};
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    for (uint32_t i = 0; i < PV_MAX_COUNTERS; i++)
        g_assert_true (pv_profile_builder_add_counter (builder, &like, &time_ns, &value, 1));
    g_assert_false (pv_profile_builder_add_counter (builder, &like, &time_ns, &value, 1));
    g_autoptr (PvProfile) profile = pv_profile_builder_snapshot (builder);
    g_assert_cmpuint (profile->n_counters, ==, PV_MAX_COUNTERS);
    g_assert_cmpfloat (profile->counters[PV_MAX_COUNTERS - 1].values[0], ==, 7);
}
