/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/read/sysprof/sysprof-counters.h"

#include <string.h>

/* A sample is kept, sorted, and kept again. */
#define BYTES_PER_SAMPLE (9 * sizeof (uint64_t))

void
sysprof_counters_clear (SysprofCounters *counters)
{
    g_assert (counters != NULL);
    for (size_t i = 0; i < counters->counters.len; i++) {
        pv_array_clear (&counters->counters.data[i].times);
        pv_array_clear (&counters->counters.data[i].values);
    }
    pv_array_clear (&counters->counters);
    pv_id_map_clear (&counters->counter_of_id);
}

uint64_t
sysprof_counters_count_bytes (const SysprofCounters *counters)
{
    g_assert (counters != NULL);
    return counters->counters.cap * sizeof (SysprofCounter) +
           counters->n_samples * BYTES_PER_SAMPLE;
}

/* A definition that is repeated goes on with the same counter. */
static bool
is_same (const SysprofCounter *counter, const SysprofCounterDefinition *definition, int32_t pid)
{
    return counter->pid == pid && counter->definition.is_double == definition->is_double &&
           pv_text_is_same (counter->definition.category, definition->category) &&
           pv_text_is_same (counter->definition.name, definition->name);
}

static void
define (SysprofCounters *self, const SysprofCounterDefinition *definition,
        const SysprofFrame *frame)
{
    uint32_t *slot = pv_id_map_slot (&self->counter_of_id, definition->id);
    if (*slot != 0 && is_same (&self->counters.data[*slot - 1], definition, frame->pid))
        return;
    *slot = 0;
    if (self->counters.len >= PV_MAX_COUNTERS) {
        self->n_left_out++;
        return;
    }
    SysprofCounter counter = {
        .definition = *definition, .pid = frame->pid, .defined_ns = frame->time_ns};
    pv_array_push (&self->counters, counter);
    *slot = (uint32_t)self->counters.len;
}

bool
sysprof_counters_define (SysprofCounters *counters, const SysprofCapture *capture,
                         const SysprofFrame *frame)
{
    g_assert (counters != NULL && capture != NULL && frame != NULL);
    PvCursor cursor;
    SysprofCounterDefinition definition;
    uint32_t n = sysprof_begin_counters (frame, &cursor);
    for (uint32_t i = 0; i < n; i++) {
        if (!sysprof_take_counter (capture, &cursor, &definition))
            return false;
        if (definition.id != 0)
            define (counters, &definition, frame);
    }
    return true;
}

static void
add_value (SysprofCounters *self, uint32_t id, uint64_t bits, uint64_t time_ns)
{
    uint32_t row = id != 0 ? *pv_id_map_slot (&self->counter_of_id, id) : 0;
    if (row == 0)
        return; /* not defined */
    SysprofCounter *counter = &self->counters.data[row - 1];
    double value = (double)(int64_t)bits;
    if (time_ns < counter->defined_ns)
        return;
    if (counter->definition.is_double)
        memcpy (&value, &bits, sizeof value);
    pv_array_push (&counter->times, time_ns);
    pv_array_push (&counter->values, value);
    self->n_samples++;
}

bool
sysprof_counters_add_values (SysprofCounters *counters, const SysprofFrame *frame)
{
    g_assert (counters != NULL && frame != NULL);
    PvCursor cursor;
    SysprofCounterValues group;
    uint32_t n = sysprof_begin_counters (frame, &cursor);
    for (uint32_t i = 0; i < n; i++) {
        if (!sysprof_take_counter_values (&cursor, &group))
            return false;
        for (size_t k = 0; k < SYSPROF_COUNTERS_PER_GROUP; k++)
            add_value (counters, group.ids[k], group.values[k], frame->time_ns);
    }
    return true;
}

static const char *
keep (PvProfileBuilder *builder, PvText text)
{
    return pv_profile_builder_string_len (builder, text.at, pv_text_len (text));
}

void
sysprof_counters_finish (const SysprofCounters *counters, SysprofPlaces *places)
{
    g_assert (counters != NULL && places != NULL);
    PvProfileBuilder *builder = places->builder;
    for (size_t i = 0; i < counters->counters.len; i++) {
        const SysprofCounter *counter = &counters->counters.data[i];
        const SysprofCounterDefinition *definition = &counter->definition;
        if (counter->times.len == 0)
            continue;
        PvCounter like = {
            .name = keep (builder, definition->name),
            .category = keep (builder, definition->category),
            .description = keep (builder, definition->description),
            .unit = pv_text_equals (definition->category, "CPU Percent") ? PV_COUNTER_PERCENT
                                                                         : PV_COUNTER_PLAIN,
            .kind = PV_COUNTER_LEVEL,
            .process = sysprof_places_get_process (places, counter->pid),
        };
        pv_profile_builder_add_counter (builder, &like, counter->times.data, counter->values.data,
                                        counter->times.len);
    }
}
