/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sets of samples, waits, samples, and what is known of calls.
 */
#include <string.h>

#include "core/base/search.h"
#include "core/read/pack/pack-reading.h"

#define MAX_MEASURES (1u << 16)
#define MAX_SETS     (1u << 14)
#define MAX_PAIRS    (1u << 10)

enum {
    COLUMN_TIME,
    COLUMN_STACK,
    COLUMN_THREAD,
    COLUMN_CPU,
    COLUMN_END,
    COLUMN_DURATION,
    COLUMN_LABELS,
    COLUMN_WAIT
};

/* --- sets --- */

static bool
take_part (PvPackReading *self, PvCursor *cursor, uint32_t set, uint32_t column, PvMeasurePart part)
{
    PvSide side = pv_pack_below (cursor, PV_N_SIDES);
    uint32_t pair = pv_pack_below (cursor, MAX_PAIRS);
    if (cursor->failed)
        return false;
    if (pair >= self->pairs.len)
        pv_array_resize (&self->pairs, (size_t)pair + 1);
    if (self->pairs.data[pair] == 0)
        self->pairs.data[pair] = pv_profile_builder_add_pair (self->builder) + 1;
    pv_profile_builder_set_part (self->builder, set, column, self->pairs.data[pair] - 1, part,
                                 side);
    return true;
}

static bool
take_measure (PvPackReading *self, PvCursor *cursor, uint32_t set, uint32_t column)
{
    const char *name = pv_pack_string (self, cursor);
    PvUnit unit = pv_pack_below (cursor, PV_UNIT_BYTE_MS + 1);
    const char *unit_name = pv_pack_string (self, cursor);
    PvAggregation aggregation = pv_pack_below (cursor, PV_AGGREGATION_STATE + 1);
    uint64_t flags = pv_cursor_varint (cursor);
    PvMeasurePart part = pv_pack_below (cursor, PV_PART_RUN);
    if (!pv_pack_step (self, cursor) || name == NULL || self->n_measures >= MAX_MEASURES)
        return false;
    pv_profile_builder_add_measure (self->builder, set, name, unit, aggregation);
    self->n_measures++;
    self->sets.data[set].n_columns++;
    if (unit_name != NULL)
        pv_profile_builder_name_unit (self->builder, set, column, unit_name);
    if ((flags & 1) != 0 && self->sets.data[set].has_durations) {
        pv_profile_builder_set_delay (self->builder, set, column);
        self->sets.data[set].delay_column = column + 1;
    }
    return part == PV_PART_NONE || take_part (self, cursor, set, column, part);
}

static bool
take_fields (PvPackReading *self, PvCursor *cursor, uint32_t set)
{
    bool swap = (pv_cursor_varint (cursor) & 1) != 0;
    uint64_t n = pv_cursor_varint (cursor);
    if (n > pv_cursor_left (cursor))
        return false;
    g_autofree PvField *fields = g_new0 (PvField, n + 1);
    for (uint64_t i = 0; i < n && pv_pack_step (self, cursor); i++) {
        const char *name = pv_pack_string (self, cursor);
        fields[i].name = name != NULL ? name : "";
        fields[i].offset = pv_pack_below (cursor, UINT32_MAX);
        fields[i].size_bytes = pv_pack_below (cursor, UINT32_MAX);
        fields[i].origin = pv_pack_below (cursor, UINT32_MAX);
        fields[i].kind = (uint8_t)pv_pack_below (cursor, PV_FIELD_BYTES + 1);
        fields[i].place = (uint8_t)pv_pack_below (cursor, PV_FIELD_BEHIND + 1);
        fields[i].element_size = (uint8_t)pv_pack_below (cursor, UINT8_MAX + 1);
    }
    if (cursor->failed)
        return false;
    pv_profile_builder_set_fields (self->builder, set, fields, (uint32_t)n, swap);
    self->sets.data[set].has_fields = true;
    return true;
}

bool
pv_pack_take_sets (PvPackReading *self, PvCursor *cursor)
{
    if (self->heap != NULL)
        return false;
    while (pv_cursor_left (cursor) > 0) {
        const char *name = pv_pack_string (self, cursor);
        uint64_t flags = pv_cursor_varint (cursor), n = pv_cursor_varint (cursor);
        if (cursor->failed || name == NULL || n > MAX_MEASURES || self->sets.len >= MAX_SETS)
            return false;
        PvPackSet row = {.has_durations = (flags & PV_PACK_SET_DURATIONS) != 0,
                         .has_labels = (flags & PV_PACK_SET_LABELS) != 0,
                         .has_waits = (flags & PV_PACK_SET_WAITS) != 0};
        uint32_t set = pv_profile_builder_add_set (self->builder, name, row.has_durations);
        pv_array_push (&self->sets, row);
        if ((flags & PV_PACK_SET_DERIVED) != 0)
            pv_profile_builder_set_derived (self->builder, set);
        if ((flags & PV_PACK_SET_EXACT) != 0)
            pv_profile_builder_set_exact (self->builder, set);
        for (uint32_t c = 0; c < n; c++)
            if (!take_measure (self, cursor, set, c))
                return false;
        if ((flags & PV_PACK_SET_FIELDS) != 0 && !take_fields (self, cursor, set))
            return false;
    }
    return true;
}

bool
pv_pack_take_main (PvPackReading *self, PvCursor *cursor)
{
    uint32_t set = pv_pack_below (cursor, self->sets.len);
    uint32_t column =
        pv_pack_below (cursor, set < self->sets.len ? self->sets.data[set].n_columns : 0);
    if (cursor->failed)
        return false;
    pv_profile_builder_prefer_set (self->builder, set);
    pv_profile_builder_prefer_measure (self->builder, column);
    return true;
}

bool
pv_pack_take_waits (PvPackReading *self, PvCursor *cursor)
{
    pv_pack_give_stacks (self);
    PvWait wait;
    while (pv_pack_take_row (self, cursor, PV_PROFILE_WAITS, &wait)) {
        if (wait.state != 0 && !g_ascii_isgraph (wait.state))
            wait.state = '?';
        pv_array_push (&self->waits, pv_profile_builder_wait (self->builder, &wait));
    }
    return !cursor->failed;
}

/* --- samples --- */

static bool
take_weights (PvPackReading *self, PvCursor *cursor, uint64_t n, uint32_t n_columns)
{
    if (n_columns > self->weights.len)
        pv_array_resize (&self->weights, n_columns);
    for (uint32_t c = 0; c < n_columns; c++) {
        bool is_uniform = pv_pack_below (cursor, 2) == 1;
        if (!pv_pack_take_column (cursor, is_uniform ? 1 : n, false, &self->weights.data[c]))
            return false;
    }
    return !cursor->failed;
}

static bool
take_columns (PvPackReading *self, PvCursor *cursor, const PvPackSet *set, uint64_t n)
{
    PvPackNumbers *columns = self->columns;
    return pv_pack_take_column (cursor, n, true, &columns[COLUMN_TIME]) &&
           pv_pack_take_column (cursor, n, true, &columns[COLUMN_STACK]) &&
           pv_pack_take_column (cursor, n, true, &columns[COLUMN_THREAD]) &&
           pv_pack_take_column (cursor, n, false, &columns[COLUMN_CPU]) &&
           pv_pack_take_column (cursor, n, false, &columns[COLUMN_END]) &&
           (!set->has_durations ||
            pv_pack_take_column (cursor, n, false, &columns[COLUMN_DURATION])) &&
           (!set->has_labels || pv_pack_take_column (cursor, n, false, &columns[COLUMN_LABELS])) &&
           (!set->has_waits || pv_pack_take_column (cursor, n, false, &columns[COLUMN_WAIT])) &&
           take_weights (self, cursor, n, set->n_columns);
}

static bool
make_sample (const PvPackReading *self, const PvPackSet *set, uint64_t i, PvNewSample *sample)
{
    const PvPackNumbers *columns = self->columns;
    uint64_t stack = columns[COLUMN_STACK].data[i], thread = columns[COLUMN_THREAD].data[i];
    uint64_t cpu = columns[COLUMN_CPU].data[i], end = columns[COLUMN_END].data[i];
    uint64_t labels = set->has_labels ? columns[COLUMN_LABELS].data[i] : 0;
    uint64_t wait = set->has_waits ? columns[COLUMN_WAIT].data[i] : 0;
    if (stack >= self->n_stacks || thread >= self->n_threads || cpu > UINT16_MAX ||
        end >= PV_N_STACK_ENDS || labels >= self->label_sets.len || wait >= self->waits.len)
        return false;
    *sample = (PvNewSample){
        /* So that there is time after it. */
        .time_ns = MIN (columns[COLUMN_TIME].data[i], (uint64_t)INT64_MAX),
        .duration_ns = set->has_durations ? columns[COLUMN_DURATION].data[i] : 0,
        .thread = (PvThreadId)thread,
        .stack = (PvStackId)stack,
        .label_set = self->label_sets.data[labels],
        .wait = self->waits.data[wait],
        .cpu = (uint16_t)cpu,
        .stack_end = (uint8_t)end,
    };
    size_t n_times = self->dump_times.len;
    const uint64_t *times = self->dump_times.data;
    size_t at = pv_bisect (0, n_times, t, times[t] < sample->time_ns);
    return n_times == 0 || (at < n_times && times[at] == sample->time_ns);
}

static bool
take_record (PvPackReading *self, PvCursor *cursor, uint32_t set, uint32_t *ret_record)
{
    uint64_t size = pv_cursor_varint (cursor);
    *ret_record = 0;
    if (cursor->failed || size == 0)
        return !cursor->failed;
    if (size - 1 > pv_cursor_left (cursor))
        return false;
    const uint8_t *bytes = pv_cursor_take (cursor, size - 1);
    *ret_record = pv_profile_builder_add_record (self->builder, set, bytes, size - 1);
    return true;
}

bool
pv_pack_take_samples (PvPackReading *self, PvCursor *cursor)
{
    pv_pack_give_stacks (self);
    uint32_t s = pv_pack_below (cursor, self->sets.len);
    uint64_t n = pv_cursor_varint (cursor);
    if (cursor->failed || n > PV_PACK_MAX_ROWS)
        return false;
    PvPackSet *set = &self->sets.data[s];
    if (n > UINT32_MAX - 1 - set->n_samples || !take_columns (self, cursor, set, n))
        return false;
    g_autofree uint64_t *weights = g_new (uint64_t, set->n_columns + 1);
    for (uint64_t i = 0; i < n; i++) {
        PvNewSample sample;
        if (!pv_pack_goes_on (self) || !make_sample (self, set, i, &sample) ||
            (set->has_fields && !take_record (self, cursor, s, &sample.record)))
            return false;
        for (uint32_t c = 0; c < set->n_columns; c++) {
            const PvPackNumbers *column = &self->weights.data[c];
            weights[c] = column->data[column->len == 1 ? 0 : i];
        }
        if (set->delay_column > 0)
            weights[set->delay_column - 1] =
                MIN (weights[set->delay_column - 1], sample.duration_ns);
        pv_profile_builder_add_sample (self->builder, s, &sample, weights);
        set->n_samples++;
        set->is_unordered |= sample.time_ns < set->latest_ns;
        set->latest_ns = sample.time_ns;
    }
    return true;
}

/* --- what is known of calls --- */

static bool
begin_calls (PvPackReading *self, PvCursor *cursor)
{
    bool is_first = self->n_call_columns == 0;
    uint32_t set = pv_pack_below (cursor, self->sets.len);
    uint64_t n_columns = pv_cursor_varint (cursor);
    if (cursor->failed || n_columns == 0 || n_columns != self->sets.data[set].n_columns ||
        (!is_first && set != self->calls_set))
        return false;
    self->calls_set = set;
    self->n_call_columns = (uint32_t)n_columns;
    return true;
}

/* 0 stands for an unknown amount. */
static uint64_t
take_amount (PvCursor *cursor)
{
    return pv_cursor_varint (cursor) - 1;
}

/* A location with frames. */
static PvLocationId
take_location (PvPackReading *self, PvCursor *cursor)
{
    PvLocationId location = pv_pack_below (cursor, self->n_locations);
    cursor->failed |= location == 0;
    return location;
}

bool
pv_pack_take_calls (PvPackReading *self, PvCursor *cursor)
{
    if (!begin_calls (self, cursor))
        return false;
    while (pv_cursor_left (cursor) > 0) {
        PvKnownCall call = {.caller = take_location (self, cursor),
                            .callee = take_location (self, cursor),
                            .n_calls = pv_cursor_varint (cursor)};
        size_t n_before = self->call_weights.len;
        for (uint32_t c = 0; c < self->n_call_columns && !cursor->failed; c++)
            pv_array_push (&self->call_weights, take_amount (cursor));
        if (!pv_pack_step (self, cursor) || self->calls.len >= UINT32_MAX - 1) {
            self->call_weights.len = n_before;
            return false;
        }
        pv_array_push (&self->calls, call);
    }
    return true;
}

bool
pv_pack_take_totals (PvPackReading *self, PvCursor *cursor)
{
    if (!begin_calls (self, cursor))
        return false;
    while (pv_cursor_left (cursor) > 0) {
        PvLocationId location = take_location (self, cursor);
        size_t n_before = self->call_totals.len;
        for (uint32_t c = 0; c < self->n_call_columns && !cursor->failed; c++)
            pv_array_push (&self->call_totals, take_amount (cursor));
        if (!pv_pack_step (self, cursor) || self->call_functions.len >= UINT32_MAX - 1) {
            self->call_totals.len = n_before;
            return false;
        }
        pv_array_push (&self->call_functions, location);
    }
    return true;
}

void
pv_pack_give_counter (PvPackReading *self)
{
    if (self->has_counter)
        pv_profile_builder_add_counter (self->builder, &self->counter, self->counter_times.data,
                                        self->counter_values.data, self->counter_times.len);
    self->has_counter = false;
    self->counter_times.len = self->counter_values.len = 0;
}

static bool
take_counter_head (PvPackReading *self, PvCursor *cursor)
{
    const char *name = pv_pack_string (self, cursor), *category = pv_pack_string (self, cursor);
    const char *description = pv_pack_string (self, cursor);
    const uint32_t unit = pv_pack_below (cursor, PV_COUNTER_PERCENT + 1);
    const uint32_t kind = pv_pack_below (cursor, PV_COUNTER_AMOUNT + 1);
    const uint64_t flags = pv_cursor_varint (cursor);
    const uint32_t process = pv_pack_below (cursor, self->n_processes);
    const bool is_more = (flags & 2) != 0;
    if (cursor->failed || name == NULL || (is_more && !self->has_counter))
        return false;
    if (is_more)
        return true;
    pv_pack_give_counter (self);
    self->has_counter = true;
    self->counter = (PvCounter){.name = name,
                                .category = category != NULL ? category : "",
                                .description = description != NULL ? description : "",
                                .unit = (PvCounterUnit)unit,
                                .kind = (PvCounterKind)kind,
                                .is_relative = (flags & 1) != 0,
                                .process = process};
    return true;
}

bool
pv_pack_take_counters (PvPackReading *self, PvCursor *cursor)
{
    PvPackNumbers *times = &self->columns[0];
    if (!take_counter_head (self, cursor))
        return false;
    const uint64_t n = pv_cursor_varint (cursor);
    if (!pv_pack_take_column (cursor, n, true, times) ||
        pv_cursor_left (cursor) != n * sizeof (double))
        return false;
    if (self->counter_times.len + n > PV_MAX_COUNTER_SAMPLES)
        return true; /* no more of it */
    for (uint64_t i = 0; i < n; i++) {
        uint64_t bits;
        double value;
        memcpy (&bits, pv_cursor_take (cursor, sizeof bits), sizeof bits);
        bits = GUINT64_FROM_LE (bits);
        memcpy (&value, &bits, sizeof value);
        pv_array_push (&self->counter_times, MIN (times->data[i], (uint64_t)INT64_MAX));
        pv_array_push (&self->counter_values, value);
    }
    return true;
}

void
pv_pack_give_calls (PvPackReading *self)
{
    if (self->n_call_columns == 0)
        return;
    PvKnownCalls calls = {
        .set = self->calls_set,
        .n_columns = self->n_call_columns,
        .n_calls = (uint32_t)self->calls.len,
        .calls = self->calls.data,
        .weights = self->call_weights.data,
        .n_functions = (uint32_t)self->call_functions.len,
        .functions = self->call_functions.data,
        .totals = self->call_totals.data,
    };
    pv_profile_builder_set_known_calls (self->builder, &calls);
}
