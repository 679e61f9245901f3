/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/model/counters/counter.h"

#include <glib.h>
#include <math.h>
#include <stdlib.h>

#include "core/base/format.h"

typedef struct {
    uint64_t time_ns;
    double value;
    size_t order; /* in the file */
} Sample;

static int
compare_samples (const void *a_, const void *b_)
{
    const Sample *a = a_;
    const Sample *b = b_;
    if (a->time_ns != b->time_ns)
        return a->time_ns < b->time_ns ? -1 : 1;
    return a->order < b->order ? -1 : 1;
}

/* Adds up what is there, and finds its limits. A sum that is too large stays what it was. */
static void
sum_up (PvCounter *self, double *values)
{
    double sum = 0;
    for (uint32_t i = 0; i < self->n_samples; i++) {
        double next = sum + values[i];
        sum = isfinite (next) ? next : sum;
        if (self->is_relative)
            values[i] = sum;
        self->min = i == 0 || values[i] < self->min ? values[i] : self->min;
        self->max = i == 0 || values[i] > self->max ? values[i] : self->max;
    }
    if (self->kind == PV_COUNTER_AMOUNT)
        self->total = sum;
    else if (self->n_samples > 0)
        self->total = values[self->n_samples - 1];
}

PvCounter
pv_counter_make (const PvCounter *like, const uint64_t *time_ns, const double *values,
                 size_t n_samples, PvArena *arena)
{
    g_assert (like != NULL && arena != NULL);
    g_assert (n_samples == 0 || (time_ns != NULL && values != NULL));
    PvCounter self = *like;
    self.min = self.max = self.total = 0;
    self.is_relative = like->is_relative && like->kind == PV_COUNTER_LEVEL;
    n_samples = MIN (n_samples, PV_MAX_COUNTER_SAMPLES);
    g_autofree Sample *samples = g_new (Sample, MAX (n_samples, 1));
    size_t n = 0;
    bool is_sorted = true;
    for (size_t i = 0; i < n_samples; i++) {
        if (!isfinite (values[i]))
            continue;
        is_sorted &= n == 0 || samples[n - 1].time_ns <= time_ns[i];
        samples[n++] = (Sample){time_ns[i], values[i], i};
    }
    if (!is_sorted)
        qsort (samples, n, sizeof *samples, compare_samples);
    uint64_t *own_times = pv_arena_alloc (arena, n * sizeof *own_times);
    double *own_values = pv_arena_alloc (arena, n * sizeof *own_values);
    for (size_t i = 0; i < n; i++) {
        own_times[i] = samples[i].time_ns;
        own_values[i] = samples[i].value;
    }
    self.n_samples = (uint32_t)n;
    sum_up (&self, own_values);
    self.time_ns = own_times;
    self.values = own_values;
    return self;
}

char *
pv_counter_format_value (const PvCounter *self, double value)
{
    g_assert (self != NULL);
    double magnitude = fabs (value);
    const char *sign = value < 0 ? "−" : self->is_relative && value > 0 ? "+" : "";
    g_autofree char *number = NULL;
    if (self->unit == PV_COUNTER_PERCENT && magnitude < 1e9)
        number = pv_format_percent (magnitude, 100);
    else if (self->unit == PV_COUNTER_BYTES && magnitude < 0x1p62)
        number = pv_format_amount ((uint64_t)magnitude, PV_UNIT_BYTES);
    else if (magnitude < 1e15 && (magnitude >= 1e4 || magnitude == floor (magnitude)))
        number = pv_format_count ((uint64_t)(magnitude + 0.5));
    else if (magnitude < 1e4 && magnitude >= 1e-4)
        number = pv_format_digits (magnitude, 4);
    else
        number = g_strdup_printf ("%.3g", magnitude);
    return g_strconcat (sign, number, NULL);
}

const char *
pv_counter_write_number (double value, char buffer[PV_COUNTER_NUMBER_BYTES])
{
    g_assert (buffer != NULL);
    static const char *const formats[] = {"%.15g", "%.16g", "%.17g"};
    for (size_t i = 0; i < G_N_ELEMENTS (formats); i++) {
        g_ascii_formatd (buffer, PV_COUNTER_NUMBER_BYTES, formats[i], value);
        if (g_ascii_strtod (buffer, NULL) == value)
            break;
    }
    return buffer;
}

const char *
pv_counter_get_unit_name (const PvCounter *self)
{
    g_assert (self != NULL);
    static const char *const names[] = {
        [PV_COUNTER_PLAIN] = "",
        [PV_COUNTER_BYTES] = "bytes",
        [PV_COUNTER_PERCENT] = "percent",
    };
    return names[self->unit];
}
