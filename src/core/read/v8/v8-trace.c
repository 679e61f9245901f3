/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Chrome's traces have a profile in pieces: an event "Profile" opens it on the thread that is
 * profiled, and events "ProfileChunk" of the same process and id bring nodes and samples, from
 * another thread and not in the order of time. In old ones a "CpuProfile" has all. Keys come in any
 * order, so that the arguments of every event are read before its name is known.
 */
#include "core/read/v8/v8-trace.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

/* A part of a profile. */
typedef struct {
    double ts; /* microseconds */
    uint32_t order;
    V8Data data;
} Piece;

typedef struct {
    int32_t pid, tid;
    bool is_open; /* the event that opens it was there */
    double start;
    PV_ARRAY (Piece) pieces;
} Profile;

typedef struct {
    int32_t pid, tid; /* tid -1: the process itself */
    const char *name;
} Named;

struct V8Trace {
    PvProfileBuilder *builder;
    PV_ARRAY (Profile) profiles;
    PvHashMap profile_of_key; /* by process and id; + 1 */
    PV_ARRAY (Named) names;
    PvIdMap name_of_thread; /* + 1 */
    PvIdMap processes;
    PvIdMap n_of_thread; /* profiles */
    uint64_t n_unopened;
};

/* --- one event --- */

typedef enum { OTHER, PROFILE, PROFILE_CHUNK, CPU_PROFILE, THREAD_NAME, PROCESS_NAME } Kind;

typedef struct {
    Kind kind;
    int64_t pid, tid;
    double ts;
    PvHash id;
    const char *name; /* in the arguments */
    V8Data data;
} Event;

static Kind
find_kind (const char *name)
{
    static const struct {
        const char *name;
        Kind kind;
    } kinds[] = {
        {"Profile", PROFILE},         {"ProfileChunk", PROFILE_CHUNK}, {"CpuProfile", CPU_PROFILE},
        {"thread_name", THREAD_NAME}, {"process_name", PROCESS_NAME},
    };
    for (size_t i = 0; name != NULL && i < G_N_ELEMENTS (kinds); i++)
        if (strcmp (name, kinds[i].name) == 0)
            return kinds[i].kind;
    return OTHER;
}

/* "args": {"data": {"cpuProfile": {...}, "timeDeltas": [...]}, "name": ...} */
static void
take_deltas (PvJson *json, void *member, void *user)
{
    PvNumberColumn *deltas = member;
    deltas->len = 0; /* not twice */
    pv_json_take_field (json, v8_data_fields, user, user);
}

static void
take_cpu_profile (PvJson *json, void *member, void *user)
{
    V8Data *data = member;
    size_t n_deltas = data->deltas.len;
    pv_json_take_object (json, v8_data_fields, data, user);
    if (n_deltas > 0)
        data->deltas.len = n_deltas;
}

static void
take_other (PvJson *json, void *member, void *user)
{
    pv_json_take_field (json, v8_data_fields, member, user);
}

static void
take_data (PvJson *json, void *member, void *user)
{
    static const PvJsonField fields[] = {
        {"timeDeltas", take_deltas, offsetof (V8Data, deltas)},
        {"cpuProfile", take_cpu_profile, 0},
        {NULL, take_other, 0},
    };
    (void)user;
    pv_json_take_object (json, fields, member, member);
}

static void
take_args (PvJson *json, void *member, void *user)
{
    static const PvJsonField fields[] = {
        {"data", take_data, offsetof (Event, data)},
        {"name", pv_json_take_text, offsetof (Event, name)},
        PV_JSON_NO_MORE_FIELDS,
    };
    pv_json_take_object (json, fields, member, user);
}

static void
take_kind (PvJson *json, void *member, void *user)
{
    (void)user;
    *(Kind *)member = find_kind (pv_json_get_string (json, NULL));
}

static void
take_id (PvJson *json, void *member, void *user)
{
    (void)user;
    size_t size_bytes;
    const char *text = pv_json_get_string (json, &size_bytes);
    int64_t number = pv_json_get_integer (json, 0);
    *(PvHash *)member = text != NULL ? pv_hash_bytes (text, size_bytes, 0)
                                     : pv_hash_bytes (&number, sizeof number, 1);
}

static const PvJsonField event_fields[] = {
    {"name", take_kind, offsetof (Event, kind)},
    {"pid", pv_json_take_loose_integer, offsetof (Event, pid)},
    {"tid", pv_json_take_loose_integer, offsetof (Event, tid)},
    {"ts", pv_json_take_loose_number, offsetof (Event, ts)},
    {"id", take_id, offsetof (Event, id)},
    {"args", take_args, 0},
    PV_JSON_NO_MORE_FIELDS,
};

/* --- all events --- */

static uint64_t
make_key (int64_t pid, int64_t tid)
{
    return (uint64_t)(uint32_t)pid << 32 | (uint32_t)tid;
}

static Profile *
get_profile (V8Trace *self, const Event *event)
{
    const uint64_t key[] = {event->id.a, event->id.b, (uint64_t)event->pid};
    uint32_t *slot = pv_hash_map_slot (&self->profile_of_key, pv_hash_bytes (key, sizeof key, 0));
    if (*slot == 0) {
        Profile profile = {.pid = (int32_t)event->pid, .tid = (int32_t)event->tid, .start = NAN};
        pv_array_push (&self->profiles, profile);
        *slot = (uint32_t)self->profiles.len;
    }
    return &self->profiles.data[*slot - 1];
}

/* Takes the event's data. */
static void
add_piece (V8Trace *self, Event *event)
{
    if (event->kind == CPU_PROFILE) /* one for each thread */
        event->id = pv_hash_bytes (&event->tid, sizeof event->tid, 2);
    Profile *profile = get_profile (self, event);
    if (event->kind != PROFILE_CHUNK) {
        profile->is_open = true;
        profile->tid = (int32_t)event->tid;
        profile->start = isfinite (event->data.start) ? event->data.start : profile->start;
    }
    if (v8_data_is_empty (&event->data))
        return;
    Piece piece = {.ts = event->ts, .order = (uint32_t)profile->pieces.len, .data = event->data};
    pv_array_push (&profile->pieces, piece);
    v8_data_init (&event->data);
}

static void
add_name (V8Trace *self, const Event *event)
{
    Named named = {.pid = (int32_t)event->pid, .name = event->name};
    named.tid = event->kind == THREAD_NAME ? (int32_t)event->tid : -1;
    if (named.name == NULL)
        return;
    pv_array_push (&self->names, named);
    *pv_id_map_slot (&self->name_of_thread, make_key (named.pid, named.tid)) =
        (uint32_t)self->names.len;
}

void
v8_trace_read (V8Trace *self, PvJson *json)
{
    g_assert (self != NULL && json != NULL);
    if (!pv_json_enter_array (json))
        return;
    while (pv_json_next_element (json)) {
        Event event = {0};
        v8_data_init (&event.data);
        pv_json_take_object (json, event_fields, &event, NULL);
        if (event.kind == THREAD_NAME || event.kind == PROCESS_NAME)
            add_name (self, &event);
        else if (event.kind != OTHER) {
            add_piece (self, &event);
            pv_json_count_bytes (json, sizeof (Piece));
        }
        v8_data_clear (&event.data);
    }
}

/* --- profiles --- */

static int
compare_pieces (const void *a, const void *b)
{
    const Piece *left = a, *right = b;
    return pv_order (left->ts, right->ts) ?: pv_order (left->order, right->order);
}

/* Puts all pieces into the first; returns it. */
static V8Data *
join_pieces (Profile *profile)
{
    pv_array_sort (&profile->pieces, compare_pieces);
    V8Data *all = &profile->pieces.data[0].data;
    for (size_t i = 1; i < profile->pieces.len; i++) {
        V8Data *data = &profile->pieces.data[i].data;
        pv_array_append (&all->nodes, data->nodes.data, data->nodes.len);
        pv_array_append (&all->links, data->links.data, data->links.len);
        pv_array_append (&all->samples, data->samples.data, data->samples.len);
        pv_array_append (&all->deltas, data->deltas.data, data->deltas.len);
        all->end = isfinite (data->end) ? data->end : all->end;
        all->has_hits |= data->has_hits;
        v8_data_clear (data);
    }
    all->start = profile->start;
    all->is_old = all->has_sizes = false;
    return all;
}

static const char *
find_name (const V8Trace *self, int32_t pid, int32_t tid)
{
    uint32_t name = pv_id_map_find (&self->name_of_thread, make_key (pid, tid));
    return name != 0 ? self->names.data[name - 1].name : "";
}

static PvProcessId
get_process (V8Trace *self, int32_t pid)
{
    uint32_t *process = pv_id_map_slot (&self->processes, (uint64_t)(uint32_t)pid + 1);
    if (*process == 0)
        *process =
            pv_profile_builder_add_process (self->builder, pid, find_name (self, pid, -1), 0);
    return *process;
}

static PvThreadId
add_thread (V8Trace *self, const Profile *profile)
{
    PvProcessId process = get_process (self, profile->pid);
    /* Two of the same thread stay apart. */
    uint32_t *n = pv_id_map_slot (&self->n_of_thread, make_key (profile->pid, profile->tid));
    const char *name = find_name (self, profile->pid, profile->tid);
    g_autofree char *numbered = g_strdup_printf ("%s (%u)", name, ++*n);
    return pv_profile_builder_add_thread (self->builder, process, profile->tid,
                                          *n > 1 ? numbered : name, 0);
}

void
v8_trace_add_counted (V8Trace *self, V8Samples *samples, const V8Data *data)
{
    g_assert (self != NULL && samples != NULL && data != NULL);
    PvIdMap threads = {0};
    g_autofree PvThreadId *of_sample = g_new0 (PvThreadId, MAX (data->counted.len, 1));
    for (size_t i = 0; i < data->counted.len; i++) {
        int32_t pid = (int32_t)data->counted.data[i].pid, tid = (int32_t)data->counted.data[i].tid;
        uint32_t *thread = pv_id_map_slot (&threads, make_key (pid, tid));
        if (*thread == 0)
            *thread = pv_profile_builder_add_thread (self->builder, get_process (self, pid), tid,
                                                     find_name (self, pid, tid), 0);
        of_sample[i] = *thread;
    }
    v8_samples_add_counted (samples, data, of_sample);
    pv_id_map_clear (&threads);
}

uint32_t
v8_trace_add (V8Trace *self, V8Samples *samples)
{
    g_assert (self != NULL && samples != NULL);
    uint32_t n_profiles = 0;
    for (size_t p = 0; p < self->profiles.len; p++) {
        Profile *profile = &self->profiles.data[p];
        if (!profile->is_open) {
            self->n_unopened++;
            continue;
        }
        n_profiles++;
        if (profile->pieces.len > 0)
            v8_samples_add (samples, join_pieces (profile), add_thread (self, profile));
    }
    if (self->n_unopened > 0)
        pv_note_skipped (
            self->builder,
            _ ("A profile began before the trace did. It is left out, as it lacks its beginning."));
    return n_profiles;
}

V8Trace *
v8_trace_new (PvProfileBuilder *builder)
{
    g_assert (builder != NULL);
    V8Trace *self = g_new0 (V8Trace, 1);
    self->builder = builder;
    return self;
}

void
v8_trace_free (V8Trace *self)
{
    if (self == NULL)
        return;
    for (size_t p = 0; p < self->profiles.len; p++) {
        for (size_t i = 0; i < self->profiles.data[p].pieces.len; i++)
            v8_data_clear (&self->profiles.data[p].pieces.data[i].data);
        pv_array_clear (&self->profiles.data[p].pieces);
    }
    pv_array_clear (&self->profiles);
    pv_array_clear (&self->names);
    pv_hash_map_clear (&self->profile_of_key);
    pv_id_map_clear (&self->name_of_thread);
    pv_id_map_clear (&self->processes);
    pv_id_map_clear (&self->n_of_thread);
    g_free (self);
}
