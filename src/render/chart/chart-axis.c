/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "render/chart/chart-axis.h"

#include <glib.h>
#include <math.h>

#include "core/base/format.h"

enum {
    SECOND = 1000,
    MINUTE = 60 * SECOND,
    HOUR = 60 * MINUTE,
    DAY = 24 * HOUR,
    SECONDS_UNTIL = 2 * MINUTE, /* an axis that ends earlier has no minutes */
    MINUTES_UNTIL = 2 * HOUR,
};

double
pv_chart_value_step (double highest, unsigned most, PvUnit unit)
{
    if (!(highest > 0 && highest < 1e300))
        return 1;
    double least = highest / MAX (most, 1);
    if (unit == PV_UNIT_BYTES && pv_format_get_size_factor () == 1024)
        return exp2 (ceil (log2 (MAX (least, 1))));
    double power = pow (10, floor (log10 (least)));
    for (int i = 0; i < 4; i++) {
        static const double factors[] = {1, 2, 5, 10};
        /* With a small tolerance: least itself may be round. */
        if (factors[i] * power >= least * (1 - 1e-9))
            return factors[i] * power;
    }
    return 10 * power;
}

double
pv_chart_time_step (double least_ms)
{
    static const double steps[] = {
        1,           2,          5,          10,         20,          50,          100,
        200,         500,        SECOND,     2 * SECOND, 5 * SECOND,  10 * SECOND, 15 * SECOND,
        30 * SECOND, MINUTE,     2 * MINUTE, 5 * MINUTE, 10 * MINUTE, 15 * MINUTE, 30 * MINUTE,
        HOUR,        2.0 * HOUR, 3.0 * HOUR, 6.0 * HOUR, 12.0 * HOUR, DAY};
    for (size_t i = 0; i < G_N_ELEMENTS (steps); i++)
        if (steps[i] >= least_ms)
            return steps[i];
    return least_ms < 1e300 ? DAY * pv_chart_value_step (least_ms / DAY, 1, PV_UNIT_COUNT) : DAY;
}

/* Frees number. */
static void
set_label (char *ret_label, char *number, const char *unit)
{
    g_snprintf (ret_label, PV_CHART_LABEL_SIZE, "%s %s", number, unit);
    g_free (number);
}

static void
format_bytes (double value, char *ret_label)
{
    double factor = pv_format_get_size_factor ();
    unsigned power = 0;
    for (; value >= factor && power + 1 < PV_N_SIZE_UNITS; power++)
        value /= factor;
    set_label (ret_label, pv_format_digits (value, 5), pv_format_name_size (power));
}

/* Formats value in the unit that suits `largest`. */
static void
format_ns (double value, double largest, char *ret_label)
{
    static const char *const units[] = {"ns", "µs", "ms", "s"};
    size_t i = 0;
    for (; largest >= 1000 && i + 1 < G_N_ELEMENTS (units); i++) {
        largest /= 1000;
        value /= 1000;
    }
    set_label (ret_label,
               value >= 10000 ? pv_format_count ((uint64_t)(value + 0.5))
                              : pv_format_digits (value, 6),
               units[i]);
}

/* Formats value with the power that suits `largest`, so that all numbers of an axis have the
 * same. */
static void
format_number (double value, double largest, char *ret_label)
{
    static const char *const powers[] = {"M", "G", "T", "P", "E", "Z"};
    if (largest < 1e7 || value == 0) {
        g_autofree char *text = largest < 100 && value != floor (value)
                                    ? pv_format_digits (value, 3)
                                    : pv_format_count ((uint64_t)(value + 0.5));
        g_strlcpy (ret_label, text, PV_CHART_LABEL_SIZE);
        return;
    }
    size_t i = 0;
    value /= 1e6;
    largest /= 1e6;
    for (; largest >= 1000 && i + 1 < G_N_ELEMENTS (powers); i++) {
        value /= 1000;
        largest /= 1000;
    }
    set_label (ret_label, pv_format_digits (value, 5), powers[i]);
}

static double
limit_value (double value)
{
    return value > 0 ? MIN (value, 1e24) : 0;
}

void
pv_chart_format_tick (double value, double highest, PvUnit unit,
                      char ret_label[PV_CHART_LABEL_SIZE])
{
    if (unit == PV_UNIT_BYTES)
        format_bytes (limit_value (value), ret_label);
    else if (unit == PV_UNIT_NS)
        format_ns (limit_value (value), MAX (limit_value (highest), limit_value (value)),
                   ret_label);
    else
        format_number (limit_value (value), limit_value (highest), ret_label);
}

char *
pv_chart_format_value (double value, PvUnit unit)
{
    value = value > 0 ? MIN (value, 1e19) : 0;
    /* Rates have fractions. */
    return unit == PV_UNIT_COUNT && value < 100 && value != floor (value)
               ? pv_format_digits (value, 3)
               : pv_format_amount ((uint64_t)(value + 0.5), unit);
}

/* Decimals of seconds. */
static int
decimals_of (double step_ms)
{
    return step_ms >= SECOND ? 0 : step_ms >= 100 ? 1 : step_ms >= 10 ? 2 : 3;
}

void
pv_chart_format_time (double time_ms, double step_ms, double end_ms,
                      char ret_label[PV_CHART_LABEL_SIZE])
{
    time_ms = time_ms > 0 ? MIN (time_ms, 1e15) : 0;
    end_ms = end_ms > time_ms ? end_ms : time_ms; /* either may be NaN */
    int decimals = decimals_of (step_ms);
    if (end_ms <= SECOND) {
        g_snprintf (ret_label, PV_CHART_LABEL_SIZE, "%.0f ms", time_ms);
        return;
    }
    if (end_ms <= SECONDS_UNTIL) {
        set_label (ret_label, pv_format_decimals (time_ms / SECOND, decimals), "s");
        return;
    }
    /* Round once, so that no part becomes 60. */
    double resolution = SECOND / pow (10, decimals);
    time_ms = floor (time_ms / resolution + 0.5) * resolution;
    uint64_t minutes = (uint64_t)(time_ms / MINUTE);
    double seconds = (time_ms - (double)minutes * MINUTE) / SECOND;
    int width = decimals > 0 ? decimals + 3 : 2;
    bool is_whole = fmod (step_ms, MINUTE) == 0;
    if (end_ms <= MINUTES_UNTIL && is_whole)
        g_snprintf (ret_label, PV_CHART_LABEL_SIZE, "%" G_GUINT64_FORMAT " min", minutes);
    else if (end_ms <= MINUTES_UNTIL)
        g_snprintf (ret_label, PV_CHART_LABEL_SIZE, "%" G_GUINT64_FORMAT ":%0*.*f min", minutes,
                    width, decimals, seconds);
    else if (is_whole)
        g_snprintf (ret_label, PV_CHART_LABEL_SIZE, "%" G_GUINT64_FORMAT ":%02u h", minutes / 60,
                    (unsigned)(minutes % 60));
    else
        g_snprintf (ret_label, PV_CHART_LABEL_SIZE, "%" G_GUINT64_FORMAT ":%02u:%0*.*f h",
                    minutes / 60, (unsigned)(minutes % 60), width, decimals, seconds);
}
