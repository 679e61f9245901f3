/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The output of bpftrace -f json, an object a line:
 *   {"type": "map", "data": {"@n": 7}}
 *   {"type": "map", "data": {"@by": {"bash,7": 3, "\nread+1\nmain+2\n": "4"}}}
 *   {"type": "hist", "data": {"@usecs": {"bash": [{"min": 4, "max": 7, "count": 2}]}}}
 *   {"type": "stats", "data": {"@size": {"count": 3, "average": 5, "total": 15}}}
 * Buckets at the ends lack "min" or "max". Both are in the range.
 */
#include "core/read/bpftrace/bpftrace-json.h"

#include <glib.h>

#include "core/read/json/json.h"

static const char *const any_key[] = {NULL};

/* --- lines --- */

/* Takes `{"type": "…", "data":`; false if the line has another form. */
static bool
take_type (PvText line, PvText *ret_type)
{
    if (!pv_text_take_next (&line, "{") || !pv_text_take_next (&line, "\"type\"") ||
        !pv_text_take_next (&line, ":") || !pv_text_take_next (&line, "\""))
        return false;
    const char *end = pv_text_find_char (line, '"');
    if (end == NULL)
        return false;
    *ret_type = (PvText){line.at, end};
    line.at = end + 1;
    return pv_text_take_next (&line, ",") && pv_text_take_next (&line, "\"data\"") &&
           pv_text_take_next (&line, ":");
}

static bool
is_map (PvText type)
{
    return pv_text_equals (type, "map") || pv_text_equals (type, "hist") ||
           pv_text_equals (type, "stats");
}

bool
bpftrace_sniff_json (const uint8_t *data, size_t size_bytes)
{
    PvText text = pv_text (data, size_bytes), line, type;
    bool is_first = true;
    while (pv_text_next_line (&text, &line)) {
        if (pv_text_len (pv_text_trim (line)) == 0)
            continue;
        if (take_type (line, &type)) {
            if (is_map (type) || pv_text_equals (type, "attached_probes"))
                return true;
        } else if (is_first) {
            return false;
        }
        is_first = false;
    }
    return false;
}

/* --- values --- */

typedef struct {
    PvJson *json;
    BpftraceMaps *maps;
    PvArena *texts;
    PvText map;
    bool is_stats;
} Line;

static PvText
keep_text (Line *self, const char *text, size_t size_bytes)
{
    char *copy = pv_arena_strndup (self->texts, text, size_bytes);
    pv_json_count_bytes (self->json, size_bytes + sizeof (BpftraceCounted));
    return (PvText){copy, copy + size_bytes};
}

static PvText
keep_key (Line *self)
{
    size_t size_bytes = 0;
    const char *key = pv_json_get_key (self->json, &size_bytes);
    return keep_text (self, key, size_bytes);
}

static void
add (Line *self, PvText key, BpftraceValue value)
{
    const BpftraceEntry entry = {.map = self->map, .key = key, .value = value};
    bpftrace_maps_add (self->maps, &entry);
}

/* Gets a number; those that a double cannot hold are strings. False: it is not a number. */
static bool
get_number (PvJson *json, int64_t *ret_number)
{
    size_t size_bytes = 0;
    const char *text;
    switch (pv_json_get_type (json)) {
    case PV_JSON_NUMBER:
        *ret_number = pv_json_get_integer (json, 0);
        return true;
    case PV_JSON_STRING:
        text = pv_json_get_string (json, &size_bytes);
        return bpftrace_parse_number (pv_text (text, size_bytes), ret_number);
    default:
        return false;
    }
}

static bool
read_bucket (PvJson *json, PvBucket *ret_bucket)
{
    static const char *const keys[] = {"min", "max", "count", NULL};
    int64_t numbers[] = {PV_BUCKET_NO_FIRST, PV_BUCKET_NO_LAST, -1};
    int key;
    if (!pv_json_enter_object (json))
        return false;
    while (pv_json_next_key (json, keys, &key))
        if (key >= 0)
            get_number (json, &numbers[key]);
    *ret_bucket = (PvBucket){numbers[0], numbers[1], (uint64_t)MAX (numbers[2], 0)};
    return numbers[2] >= 0 && numbers[0] <= numbers[1];
}

/* Reads an array of buckets. The kind is BPFTRACE_OTHER if it is not one, or has no buckets. */
static BpftraceValue
read_histogram (Line *self)
{
    BpftraceValue value = {.kind = BPFTRACE_HISTOGRAM, .first_bucket = self->maps->buckets.len};
    PvBucket bucket;
    if (!pv_json_enter_array (self->json))
        return (BpftraceValue){.kind = BPFTRACE_OTHER};
    while (pv_json_next_element (self->json)) {
        if (value.n_buckets == BPFTRACE_MAX_BUCKETS || !read_bucket (self->json, &bucket))
            continue;
        pv_array_push (&self->maps->buckets, bucket);
        pv_json_count_bytes (self->json, sizeof bucket);
        value.n_buckets++;
    }
    if (value.n_buckets == 0)
        value.kind = BPFTRACE_OTHER;
    return value;
}

static const char *const stats_keys[] = {"count", "average", "total", NULL};
enum { COUNT, AVERAGE, TOTAL, N_STATS };

static BpftraceValue
make_stats (const int64_t *numbers)
{
    return (BpftraceValue){
        .kind = BPFTRACE_STATS, .number = numbers[TOTAL], .count = numbers[COUNT]};
}

/* {"count": 3, "average": 5, "total": 15} */
static BpftraceValue
read_stats (PvJson *json)
{
    int64_t numbers[N_STATS];
    unsigned seen = 0;
    int key;
    pv_json_enter_object (json);
    while (pv_json_next_key (json, stats_keys, &key))
        if (key >= 0 && get_number (json, &numbers[key]))
            seen |= 1u << key;
    if (seen != (1u << N_STATS) - 1)
        return (BpftraceValue){.kind = BPFTRACE_OTHER};
    return make_stats (numbers);
}

static BpftraceValue
read_value (Line *self)
{
    BpftraceValue value = {.kind = BPFTRACE_NUMBER};
    switch (pv_json_get_type (self->json)) {
    case PV_JSON_ARRAY:
        return read_histogram (self);
    case PV_JSON_OBJECT:
        return read_stats (self->json);
    default:
        if (!get_number (self->json, &value.number))
            value.kind = BPFTRACE_OTHER;
        return value;
    }
}

/* Numbers of stats without a key are seen as entries at first: they may be of such keys. */
typedef struct {
    PvText keys[N_STATS];
    int64_t numbers[N_STATS];
    unsigned seen;
    bool has_others;
} Held;

static bool
hold (Held *held, int name, PvText key, BpftraceValue value)
{
    if (name < 0 || value.kind != BPFTRACE_NUMBER || held->seen & 1u << name)
        return false;
    held->keys[name] = key;
    held->numbers[name] = value.number;
    held->seen |= 1u << name;
    return true;
}

static void
add_held (Line *self, const Held *held)
{
    if (!held->has_others && held->seen == (1u << N_STATS) - 1) {
        add (self, (PvText){NULL, NULL}, make_stats (held->numbers));
        return;
    }
    if (!held->has_others && pv_json_get_end (self->json) != PV_JSON_END_OPEN)
        return; /* cut off in them */
    for (int i = 0; i < N_STATS; i++)
        if (held->seen & 1u << i)
            add (self, held->keys[i],
                 (BpftraceValue){.kind = BPFTRACE_NUMBER, .number = held->numbers[i]});
}

static void
read_entries (Line *self)
{
    Held held = {0};
    int name;
    while (pv_json_next_key (self->json, self->is_stats ? stats_keys : any_key, &name)) {
        PvText key = keep_key (self);
        BpftraceValue value = read_value (self);
        if (hold (&held, name, key, value))
            continue;
        held.has_others = true;
        add (self, key, value);
    }
    add_held (self, &held);
}

static void
read_maps (Line *self)
{
    int key;
    while (pv_json_next_key (self->json, any_key, &key)) {
        self->map = keep_key (self);
        if (!pv_text_begins (self->map, "@"))
            continue;
        bpftrace_maps_begin_print (self->maps, self->map);
        if (pv_json_enter_object (self->json))
            read_entries (self);
        else
            add (self, (PvText){NULL, NULL}, read_value (self));
    }
}

bool
bpftrace_read_json (PvText text, const PvReadContext *context, BpftraceMaps *maps, PvArena *texts)
{
    static const char *const keys[] = {"data", NULL};
    g_assert (context != NULL && maps != NULL && texts != NULL);
    PvText type;
    int key;
    if (!take_type (text, &type))
        return pv_text_len (pv_text_trim (text)) == 0 || text.end[-1] == '}';
    if (!is_map (type))
        return true;
    size_t size_bytes = pv_text_len (text);
    g_autoptr (PvMappedFile) file =
        pv_mapped_file_new_take (g_memdup2 (text.at, size_bytes), size_bytes);
    g_autoptr (PvUnpackStream) stream = pv_unpack_stream_new (file, PV_PACKING_NONE, 0);
    g_autoptr (PvJson) json = pv_json_new (stream, context);
    Line self = {json, maps, texts, .is_stats = pv_text_equals (type, "stats")};
    pv_json_enter_object (json);
    while (pv_json_next_key (json, keys, &key))
        if (key == 0 && pv_json_enter_object (json))
            read_maps (&self);
    return pv_json_get_end (json) == PV_JSON_END_COMPLETE;
}
