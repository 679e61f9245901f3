/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A profile of a file is a thread. It has either samples in their order, each with a weight, or
 * events that open and close frames; the time between two events is a sample of the frames that are
 * open. Keys come in any order, so that a profile is kept until its end.
 */
#include "core/read/speedscope/speedscope-profile.h"

#include <math.h>
#include <string.h>

#include "core/model/profile/symbols.h"

enum { STEPS_PER_CHECK = 4096 };

#define MAX_VALUE      ((double)(INT64_MAX / 4))
#define NS_OF_UNITLESS 1000000u
/* Fractions of sums below are kept, with as many digits. */
#define MIN_ROUNDED_SUM 100.0
#define MAX_SCALE       1e9
/* How far a number may be from a whole one: digits after the point are not exact in a double. */
#define MAX_OFF 1e-6

typedef struct {
    double at;
    int32_t frame;
    char type; /* 'O', 'C', or anything */
} Event;

typedef struct {
    const char *name;
    SpeedscopeUnit unit;
    double scale; /* to nanoseconds, or 1 */
    bool is_evented, is_sampled;
    double start, end;
    PvInt32Column frames; /* of all samples, outermost first */
    PV_ARRAY (size_t) ends;
    PvNumberColumn weights;
    bool has_weights;
    PV_ARRAY (Event) events;
} Columns;

bool
speedscope_is_to_go_on (Speedscope *self)
{
    if (++self->n_steps % STEPS_PER_CHECK != 0)
        return !self->is_out_of_memory;
    uint64_t position = pv_json_get_position (self->json);
    uint64_t used_bytes = pv_profile_builder_count_bytes (self->builder);
    self->is_out_of_memory |= used_bytes > pv_budget_get_bytes (&self->context->budget, position);
    return !self->is_out_of_memory && !pv_job_is_cancelled (self->context->job);
}

/* --- JSON --- */

static void
take_type (PvJson *json, void *member, void *user)
{
    (void)user;
    Columns *columns = member;
    const char *text = pv_json_get_string (json, NULL);
    columns->is_evented = g_strcmp0 (text, "evented") == 0;
    columns->is_sampled = g_strcmp0 (text, "sampled") == 0;
}

static void
take_unit (PvJson *json, void *member, void *user)
{
    static const struct {
        const char *name;
        SpeedscopeUnit unit;
        double scale;
    } units[] = {
        {"nanoseconds", SPEEDSCOPE_TIME, 1},    {"microseconds", SPEEDSCOPE_TIME, 1e3},
        {"milliseconds", SPEEDSCOPE_TIME, 1e6}, {"seconds", SPEEDSCOPE_TIME, 1e9},
        {"bytes", SPEEDSCOPE_BYTES, 1},
    };
    (void)user;
    Columns *columns = member;
    const char *name = pv_json_get_string (json, NULL);
    for (size_t i = 0; name != NULL && i < G_N_ELEMENTS (units); i++)
        if (strcmp (name, units[i].name) == 0) {
            columns->unit = units[i].unit;
            columns->scale = units[i].scale;
        }
}

static void
take_samples (PvJson *json, void *member, void *user)
{
    (void)user;
    Columns *columns = member;
    if (!pv_json_enter_array (json))
        return;
    while (pv_json_next_element (json)) {
        /* Some writers have one more array around a stack or its frames, which other readers take
         * for what is in it. */
        pv_json_append_flat_int32s (json, &columns->frames, -1);
        pv_array_push (&columns->ends, columns->frames.len);
        pv_json_count_bytes (json, sizeof (size_t));
    }
}

static void
take_weights (PvJson *json, void *member, void *user)
{
    (void)user;
    Columns *columns = member;
    columns->has_weights = pv_json_append_numbers (json, &columns->weights, NAN);
}

static void
take_event_type (PvJson *json, void *member, void *user)
{
    (void)user;
    const char *type = pv_json_get_string (json, NULL);
    *(char *)member = type != NULL ? type[0] : '\0';
}

static void
take_events (PvJson *json, void *member, void *user)
{
    static const PvJsonField fields[] = {
        {"type", take_event_type, offsetof (Event, type)},
        {"frame", pv_json_take_index, offsetof (Event, frame)},
        {"at", pv_json_take_number, offsetof (Event, at)},
        PV_JSON_NO_MORE_FIELDS,
    };
    Columns *columns = member;
    if (!pv_json_enter_array (json))
        return;
    while (pv_json_next_element (json)) {
        Event event = {.frame = -1, .at = NAN};
        if (!pv_json_take_object (json, fields, &event, user))
            continue;
        pv_array_push (&columns->events, event);
        pv_json_count_bytes (json, sizeof event);
    }
}

static const PvJsonField column_fields[] = {
    {"type", take_type, 0},
    {"name", pv_json_take_text, offsetof (Columns, name)},
    {"unit", take_unit, 0},
    {"startValue", pv_json_take_number, offsetof (Columns, start)},
    {"endValue", pv_json_take_number, offsetof (Columns, end)},
    {"samples", take_samples, 0},
    {"weights", take_weights, 0},
    {"events", take_events, 0},
    PV_JSON_NO_MORE_FIELDS,
};

static bool
is_whole (double value)
{
    return !(fabs (value - round (value)) > MAX_OFF); /* not a number: nor has it fractions */
}

/* --- what samples refer to --- */

static PvModuleId
get_module (Speedscope *self, const char *file)
{
    const char *path = file != NULL ? file : "";
    uint32_t *slot = pv_hash_map_slot (&self->modules, pv_hash_bytes (path, strlen (path), 0));
    if (*slot == 0) {
        PvModule module = {
            .path = path,
            .name = file != NULL ? NULL : "[unknown]",
            .kind = file != NULL ? PV_MODULE_FILE : PV_MODULE_UNKNOWN,
            .address_kind = PV_ADDRESS_ORDINAL,
        };
        *slot = pv_profile_builder_add_module (self->builder, &module);
    }
    return *slot;
}

static PvLocationId
get_location (Speedscope *self, int32_t index)
{
    SpeedscopeFrame *frame = &self->frames.data[index];
    if (frame->location == 0) {
        PvGivenFrame given = {.name = frame->name,
                              .file = frame->file,
                              .line = frame->line,
                              .start_line = frame->line};
        const char *module = frame->module != NULL ? frame->module : frame->file;
        given.is_unknown = given.name == NULL;
        frame->location = pv_profile_builder_add_location (self->builder, get_module (self, module),
                                                           self->ordinal++, PV_LOCATION_NAMED);
        pv_profile_builder_give_frames (self->builder, frame->location, &given, 1);
    }
    return frame->location;
}

static bool
is_frame (const Speedscope *self, int32_t index)
{
    return index >= 0 && (size_t)index < self->frames.len;
}

static bool
has_no_frames (const Speedscope *self, const int32_t *frames, size_t n_frames)
{
    return n_frames == 1 && is_frame (self, frames[0]) &&
           g_strcmp0 (self->frames.data[frames[0]].name, PV_NO_STACK) == 0;
}

/* Profiles of the same name are the same thread by several units. */
static PvThreadId
get_thread (Speedscope *self, const char *name)
{
    gpointer known = g_hash_table_lookup (self->threads, name);
    if (known != NULL)
        return GPOINTER_TO_UINT (known);
    if (self->process == 0)
        self->process = pv_profile_builder_add_process (self->builder, -1, "", 0);
    int32_t tid = -1 - (int32_t)g_hash_table_size (self->threads); /* not known, but different */
    PvThreadId thread = pv_profile_builder_add_thread (self->builder, self->process, tid, name, 0);
    g_hash_table_insert (self->threads, (gpointer)name, GUINT_TO_POINTER (thread));
    return thread;
}

static uint32_t
get_set (Speedscope *self, SpeedscopeUnit unit, bool has_times)
{
    static const struct {
        const char *name;
        PvUnit unit;
    } measures[] = {
        [SPEEDSCOPE_TIME] = {"time", PV_UNIT_NS},
        [SPEEDSCOPE_BYTES] = {"bytes", PV_UNIT_BYTES},
        [SPEEDSCOPE_COUNT] = {"weight", PV_UNIT_COUNT},
    };
    uint32_t *set = &self->sets[unit][has_times];
    if (*set == 0) {
        *set = 1 + pv_profile_builder_add_set (self->builder, measures[unit].name, has_times);
        pv_profile_builder_add_measure (self->builder, *set - 1, measures[unit].name,
                                        measures[unit].unit, PV_AGGREGATION_SUM);
        if (unit == SPEEDSCOPE_COUNT && self->count_scale > 1) {
            g_autofree char *one = pv_format_digits (1 / self->count_scale, 1);
            pv_profile_builder_name_unit (self->builder, *set - 1, 0, one);
        }
    }
    return *set - 1;
}

/* --- samples --- */

typedef struct {
    Speedscope *file;
    const Columns *columns;
    uint32_t set;
    PvThreadId thread;
    bool has_times;
    uint64_t ns_of_one, start;
} Samples;

/* A power of ten by which weights without a unit are multiplied if they are small and have
 * fractions, which would be lost in whole numbers. All profiles of a file have the same one. */
static double
find_scale (const Columns *columns)
{
    double sum = columns->is_evented ? columns->end - columns->start : 0, scale = 1;
    for (size_t i = 0; i < columns->weights.len && columns->is_sampled; i++)
        sum += columns->weights.data[i] > 0 ? columns->weights.data[i] : 0;
    if (!(sum < MIN_ROUNDED_SUM))
        return 1;
    for (size_t i = 0; i < columns->weights.len; i++)
        while (scale < MAX_SCALE && !is_whole (columns->weights.data[i] * scale))
            scale *= 10;
    for (size_t i = 0; i < columns->events.len; i++)
        while (scale < MAX_SCALE && !is_whole (columns->events.data[i].at * scale))
            scale *= 10;
    return scale;
}

static void
set_scale (Speedscope *self, Columns *columns)
{
    if (columns->unit != SPEEDSCOPE_COUNT)
        return;
    double scale = find_scale (columns);
    g_autofree char *one = pv_format_digits (1 / scale, 1);
    for (unsigned i = 0; i < 2 && self->count_scale > 0 && scale > self->count_scale; i++)
        if (self->sets[SPEEDSCOPE_COUNT][i] != 0)
            pv_profile_builder_refine (self->builder, self->sets[SPEEDSCOPE_COUNT][i] - 1, 0,
                                       (uint64_t)(scale / self->count_scale), one);
    self->count_scale = MAX (self->count_scale, scale);
    columns->scale = self->count_scale;
}

static uint64_t
to_whole (const Columns *columns, double value)
{
    double scaled = value * columns->scale;
    return scaled > 0 ? (uint64_t)llround (MIN (scaled, MAX_VALUE)) : 0; /* not a number: 0 */
}

static Samples
begin_samples (Speedscope *self, const Columns *columns)
{
    bool has_times = columns->unit == SPEEDSCOPE_TIME || columns->is_evented;
    g_autofree char *name = columns->name != NULL
                                ? g_strdup (columns->name)
                                : g_strdup_printf ("profile %u", self->n_profiles);
    self->has_unitless_time |= has_times && columns->unit != SPEEDSCOPE_TIME;
    return (Samples){
        .file = self,
        .columns = columns,
        .set = get_set (self, columns->unit, has_times),
        .thread = get_thread (self, pv_profile_builder_string (self->builder, name)),
        .has_times = has_times,
        .ns_of_one = columns->unit == SPEEDSCOPE_TIME
                         ? 1
                         : MAX (NS_OF_UNITLESS / (uint64_t)columns->scale, 1),
        .start = to_whole (columns, columns->start),
    };
}

static uint64_t
to_ns (const Samples *self, uint64_t value)
{
    return MIN (value, (uint64_t)MAX_VALUE / self->ns_of_one) * self->ns_of_one;
}

/* From one moment to another after the start, rounded so that the sum of all is right. */
static void
add_sample (const Samples *self, double from, double to, PvStackId stack)
{
    uint64_t begin = to_whole (self->columns, from);
    uint64_t weight = to_whole (self->columns, to) - begin;
    if (weight == 0)
        return;
    self->file->has_amounts = true;
    PvNewSample sample = {
        .stack = stack,
        .thread = self->thread,
        .cpu = PV_CPU_UNKNOWN,
        .stack_end = PV_STACK_END_ROOT,
        .time_ns = self->has_times ? to_ns (self, self->start + begin) + 1 : 0, /* 0 is no time */
        .duration_ns = self->has_times ? to_ns (self, weight) : 0,
    };
    pv_profile_builder_add_sample (self->file->builder, self->set, &sample, &weight);
}

typedef PV_ARRAY (PvStackId) Stacks;

/* Keeps what a sample has in common with the one before. n_good frames of that are there, or all.
 */
static PvStackId
take_stack (Speedscope *self, const int32_t *frames, size_t n_frames, const int32_t *before,
            size_t n_before, Stacks *stacks, size_t *n_good)
{
    size_t n = MIN (MIN (n_frames, n_before), stacks->len), common = 0;
    while (common < n && frames[common] == before[common])
        common++;
    stacks->len = common;
    if (*n_good >= common)
        *n_good = SIZE_MAX;
    PvStackId stack = common > 0 ? stacks->data[common - 1] : 0;
    for (size_t i = common; i < n_frames; i++) {
        if (is_frame (self, frames[i]))
            stack = pv_profile_builder_stack (self->builder, stack, get_location (self, frames[i]));
        else
            *n_good = MIN (*n_good, i);
        pv_array_push (stacks, stack);
    }
    self->n_bad_samples += *n_good != SIZE_MAX;
    return stack;
}

static void
add_sampled (Speedscope *self, const Columns *columns)
{
    Samples samples = begin_samples (self, columns);
    Stacks stacks = {0};
    size_t start = 0, start_before = 0, end_before = 0, n_good = SIZE_MAX;
    double sum = 0;
    size_t n =
        columns->has_weights ? MIN (columns->ends.len, columns->weights.len) : columns->ends.len;
    self->n_bad_samples += columns->ends.len - n;
    self->has_more_weights |= columns->weights.len > columns->ends.len;
    for (size_t i = 0; i < n && speedscope_is_to_go_on (self); i++) {
        size_t end = columns->ends.data[i];
        double weight = columns->has_weights ? columns->weights.data[i] : 1;
        if (!(weight >= 0)) {
            self->n_bad_samples++;
        } else if (end > start && has_no_frames (self, columns->frames.data + start, end - start)) {
            add_sample (&samples, sum, sum + weight, 0);
            self->n_with_frames++;
        } else if (end > start) { /* or else idle */
            PvStackId stack = take_stack (self, columns->frames.data + start, end - start,
                                          columns->frames.data + start_before,
                                          end_before - start_before, &stacks, &n_good);
            add_sample (&samples, sum, sum + weight, stack);
            start_before = start;
            end_before = end;
            self->n_with_frames++;
        } else {
            self->n_without_frames++;
        }
        sum += weight >= 0 ? weight : 0;
        start = end;
    }
    pv_array_clear (&stacks);
}

/* --- events --- */

typedef struct {
    PV_ARRAY (int32_t) frames; /* that are open, outermost first */
    Stacks stacks;
} Open;

static void
open_frame (Speedscope *self, Open *open, int32_t frame)
{
    PvStackId parent = open->stacks.len > 0 ? open->stacks.data[open->stacks.len - 1] : 0;
    PvStackId stack = pv_profile_builder_stack (self->builder, parent, get_location (self, frame));
    pv_array_push (&open->frames, frame);
    pv_array_push (&open->stacks, stack);
    self->frames.data[frame].n_open++;
}

/* Closes what was opened after the frame too. */
static void
close_frame (Speedscope *self, Open *open, int32_t frame)
{
    if (self->frames.data[frame].n_open == 0) {
        self->n_bad_events++;
        return;
    }
    self->n_bad_events += open->frames.data[open->frames.len - 1] != frame;
    int32_t closed;
    do {
        closed = open->frames.data[--open->frames.len];
        open->stacks.len--;
        self->frames.data[closed].n_open--;
    } while (closed != frame);
}

static void
add_evented (Speedscope *self, const Columns *columns)
{
    Samples samples = begin_samples (self, columns);
    Open open = {0};
    double last = columns->start;
    for (size_t i = 0; i < columns->events.len && speedscope_is_to_go_on (self); i++) {
        const Event *event = &columns->events.data[i];
        bool is_good = is_frame (self, event->frame) && !isnan (event->at) &&
                       (event->type == 'O' || event->type == 'C');
        self->n_bad_events += !is_good || event->at < last;
        if (!is_good)
            continue;
        double at = MAX (event->at, last);
        if (open.stacks.len > 0)
            add_sample (&samples, last - columns->start, at - columns->start,
                        open.stacks.data[open.stacks.len - 1]);
        last = at;
        if (event->type == 'O')
            open_frame (self, &open, event->frame);
        else
            close_frame (self, &open, event->frame);
    }
    self->n_unclosed += open.frames.len;
    if (open.stacks.len > 0 && columns->end > last)
        add_sample (&samples, last - columns->start, columns->end - columns->start,
                    open.stacks.data[open.stacks.len - 1]);
    while (open.frames.len > 0)
        self->frames.data[open.frames.data[--open.frames.len]].n_open = 0;
    pv_array_clear (&open.frames);
    pv_array_clear (&open.stacks);
}

void
speedscope_read_profile (Speedscope *self)
{
    g_assert (self != NULL && self->json != NULL);
    Columns columns = {.unit = SPEEDSCOPE_COUNT, .scale = 1};
    self->n_profiles++;
    pv_json_take_object (self->json, column_fields, &columns, NULL);
    columns.start = isfinite (columns.start) ? columns.start : 0;
    set_scale (self, &columns);
    if (columns.is_evented)
        add_evented (self, &columns);
    else if (columns.is_sampled)
        add_sampled (self, &columns);
    else
        self->n_bad_profiles++;
    pv_array_clear (&columns.frames);
    pv_array_clear (&columns.ends);
    pv_array_clear (&columns.weights);
    pv_array_clear (&columns.events);
}
