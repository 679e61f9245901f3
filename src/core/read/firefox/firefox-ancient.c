/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names may come after the samples, so that both are kept until the end. */
#include "core/read/firefox/firefox-ancient.h"

#include <string.h>

#include "core/base/hash.h"
#include "core/base/idmap.h"
#include "core/read/firefox/firefox-text.h"

typedef struct {
    PvStringId name;
    PvIdColumn frames;       /* of all samples */
    PV_ARRAY (size_t) ends;  /* of each sample, in frames */
    PV_ARRAY (double) times; /* milliseconds */
} Thread;

struct FirefoxAncient {
    FirefoxFile *file;
    PV_ARRAY (Thread) threads;
    PvIdMap name_of_id; /* of frames: row in names + 1 */
    PvStringColumn names;
    PvStringId root_name;
};

/* A thread as it becomes tables. */
typedef struct {
    FirefoxAncient *ancient;
    FirefoxThread *thread;
    PvIdMap frame_of_id;    /* + 1 */
    PvHashMap row_of_stack; /* by its parent and frame; + 1 */
    PvIdMap row_of_string;  /* + 1 */
} Making;

FirefoxAncient *
firefox_ancient_new (FirefoxFile *file)
{
    g_assert (file != NULL && file->interner != NULL);
    FirefoxAncient *ancient = g_new0 (FirefoxAncient, 1);
    ancient->file = file;
    ancient->root_name = pv_interner_add (file->interner, "(root)");
    return ancient;
}

void
firefox_ancient_free (FirefoxAncient *ancient)
{
    if (ancient == NULL)
        return;
    for (size_t t = 0; t < ancient->threads.len; t++) {
        pv_array_clear (&ancient->threads.data[t].frames);
        pv_array_clear (&ancient->threads.data[t].ends);
        pv_array_clear (&ancient->threads.data[t].times);
    }
    pv_array_clear (&ancient->threads);
    pv_id_map_clear (&ancient->name_of_id);
    pv_array_clear (&ancient->names);
    g_free (ancient);
}

/* --- JSON --- */

static Thread *
add_thread (FirefoxAncient *self)
{
    Thread thread = {0};
    pv_array_push (&self->threads, thread);
    pv_json_count_bytes (self->file->json, sizeof thread);
    return &self->threads.data[self->threads.len - 1];
}

static void
name_frame (FirefoxAncient *self, uint64_t id, PvStringId name, bool is_certain)
{
    uint32_t *slot = pv_id_map_slot (&self->name_of_id, id);
    if (*slot == 0) {
        pv_array_push (&self->names, name);
        pv_json_count_bytes (self->file->json, sizeof name + sizeof (PvIdSlot));
        *slot = (uint32_t)self->names.len;
    } else if (is_certain) {
        self->names.data[*slot - 1] = name;
    }
}

/* A frame is the number of a name, or a name itself. */
static void
take_frame (PvJson *json, void *member, void *user)
{
    FirefoxAncient *self = user;
    uint64_t *id = member;
    static const PvJsonField fields[] = {{"location", take_frame, 0}, PV_JSON_NO_MORE_FIELDS};
    if (pv_json_get_type (json) == PV_JSON_OBJECT) {
        pv_json_take_object (json, fields, id, user);
        return;
    }
    *id = pv_json_get_id (json);
    if (pv_json_get_type (json) == PV_JSON_STRING)
        name_frame (self, *id, pv_json_intern (json, self->file->interner), false);
}

/* A sample as it is read. */
typedef struct {
    FirefoxAncient *ancient;
    Thread *thread;
    double time;
    bool has_frames;
} Sample;

static void
take_frames (PvJson *json, void *member, void *user)
{
    Sample *sample = member;
    (void)user;
    if (!pv_json_enter_array (json))
        return;
    sample->has_frames = true;
    while (pv_json_next_element (json)) {
        uint64_t id = 0;
        take_frame (json, &id, sample->ancient);
        pv_array_push (&sample->thread->frames, id);
        pv_json_count_bytes (json, sizeof id);
    }
}

static void
take_extra (PvJson *json, void *member, void *user)
{
    static const PvJsonField fields[] = {{"time", pv_json_take_number, offsetof (Sample, time)},
                                         PV_JSON_NO_MORE_FIELDS};
    pv_json_take_object (json, fields, member, user);
}

static const PvJsonField sample_fields[] = {
    {"frames", take_frames, 0},
    {"time", pv_json_take_number, offsetof (Sample, time)},
    {"extraInfo", take_extra, 0},
    PV_JSON_NO_MORE_FIELDS,
};

/* Samples that were filtered out before saving are null. */
static void
take_samples (FirefoxAncient *self, Thread *thread)
{
    PvJson *json = self->file->json;
    if (!pv_json_enter_array (json))
        return;
    while (pv_json_next_element (json)) {
        Sample sample = {.ancient = self, .thread = thread, .time = FIREFOX_NO_NUMBER};
        if (!pv_json_take_object (json, sample_fields, &sample, NULL) || !sample.has_frames)
            continue;
        pv_array_push (&thread->ends, thread->frames.len);
        pv_array_push (&thread->times, sample.time);
        pv_json_count_bytes (json, sizeof (size_t) + sizeof (double));
    }
}

void
firefox_ancient_take_samples (FirefoxAncient *ancient)
{
    g_assert (ancient != NULL);
    take_samples (ancient, add_thread (ancient));
}

static void
take_samples_of_thread (PvJson *json, void *member, void *user)
{
    FirefoxAncient *self = user;
    self->file->has_unread_samples |= pv_json_get_type (json) == PV_JSON_OBJECT;
    take_samples (self, member);
}

static void
take_thread (FirefoxAncient *self)
{
    static const PvJsonField fields[] = {
        {"name", pv_json_take_interned, offsetof (Thread, name)},
        {"samples", take_samples_of_thread, 0},
        PV_JSON_NO_MORE_FIELDS,
    };
    pv_json_take_object (self->file->json, fields, add_thread (self), self);
}

void
firefox_ancient_take_threads (FirefoxAncient *ancient)
{
    static const char *const no_keys[] = {NULL};
    g_assert (ancient != NULL);
    PvJson *json = ancient->file->json;
    int key;
    if (pv_json_enter_array (json))
        while (pv_json_next_element (json))
            take_thread (ancient);
    else if (pv_json_enter_object (json))
        while (pv_json_next_key (json, no_keys, &key))
            take_thread (ancient);
}

void
firefox_ancient_take_names (FirefoxAncient *ancient)
{
    static const char *const no_keys[] = {NULL};
    g_assert (ancient != NULL);
    PvJson *json = ancient->file->json;
    int key;
    if (!pv_json_enter_object (json))
        return;
    while (pv_json_next_key (json, no_keys, &key)) {
        size_t size_bytes;
        const char *text = pv_json_get_key (json, &size_bytes);
        uint64_t id = pv_json_make_id (text, size_bytes);
        if (pv_json_get_type (json) == PV_JSON_STRING)
            name_frame (ancient, id, pv_json_intern (json, ancient->file->interner), true);
    }
}

/* --- tables --- */

static int32_t
get_string (Making *self, PvStringId id)
{
    FirefoxTables *tables = &self->thread->tables;
    uint32_t *row = pv_id_map_slot (&self->row_of_string, id);
    if (*row == 0) {
        pv_array_push (&tables->strings, id);
        *row = (uint32_t)tables->strings.len;
    }
    return (int32_t)(*row - 1);
}

static int32_t
intern (Making *self, const char *text, size_t len)
{
    return get_string (self, pv_interner_add_len (self->ancient->file->interner, text, len));
}

/* "main (in libxul.so)": the length of the name; library: what is inside the brackets. */
static size_t
split_library (const char *text, const char **ret_library, size_t *ret_len)
{
    static const char mark[] = " (in ";
    size_t len = strlen (text);
    const char *found = NULL;
    for (const char *at = text; (at = strstr (at, mark)) != NULL; at++)
        found = at;
    if (found == NULL || found == text || text[len - 1] != ')')
        return len;
    *ret_library = found + strlen (mark);
    *ret_len = (size_t)(text + len - 1 - *ret_library);
    return (size_t)(found - text);
}

/* A function and a frame with the same number. */
static int32_t
add_frame (Making *self, PvStringId name)
{
    FirefoxTables *tables = &self->thread->tables;
    const char *text = pv_interner_get (self->ancient->file->interner, name), *library = NULL;
    FirefoxLocation location = firefox_parse_location (text);
    size_t library_len = 0;
    size_t name_len =
        location.file != NULL ? location.name_len : split_library (text, &library, &library_len);
    int32_t function = (int32_t)tables->function_name.len, resource = -1;
    if (library != NULL) {
        resource = (int32_t)tables->resource_name.len;
        pv_array_push (&tables->resource_name, intern (self, library, library_len));
        pv_array_push (&tables->resource_library, -1);
    }
    int32_t file = location.file != NULL ? intern (self, location.file, location.file_len) : -1;
    pv_array_push (&tables->function_name, intern (self, text, name_len));
    pv_array_push (&tables->function_resource, resource);
    pv_array_push (&tables->function_file, file);
    pv_array_push (&tables->function_line, location.line > 0 ? (int32_t)location.line : -1);
    pv_array_push (&tables->function_is_js, location.file != NULL);
    pv_array_push (&tables->frame_function, function);
    pv_array_push (&tables->frame_line, location.line > 0 ? (int32_t)location.line : -1);
    return function;
}

static int32_t
get_frame (Making *self, uint64_t id)
{
    uint32_t *slot = pv_id_map_slot (&self->frame_of_id, id);
    if (*slot == 0) {
        uint32_t row = pv_id_map_find (&self->ancient->name_of_id, id);
        PvStringId name = row != 0 ? self->ancient->names.data[row - 1]
                                   : pv_interner_add (self->ancient->file->interner, "(unknown)");
        *slot = (uint32_t)add_frame (self, name) + 1;
    }
    return (int32_t)(*slot - 1);
}

static bool
is_root (const Making *self, uint64_t id)
{
    uint32_t row = pv_id_map_find (&self->ancient->name_of_id, id);
    return row != 0 && self->ancient->names.data[row - 1] == self->ancient->root_name;
}

/* The row of the stack; -1: it is empty. */
static int32_t
get_stack (Making *self, const uint64_t *frames, size_t n)
{
    FirefoxTables *tables = &self->thread->tables;
    int32_t stack = -1;
    for (size_t i = n > 0 && is_root (self, frames[0]) ? 1 : 0; i < n; i++) {
        const int32_t key[] = {stack, get_frame (self, frames[i])};
        uint32_t *row = pv_hash_map_slot (&self->row_of_stack, pv_hash_bytes (key, sizeof key, 0));
        if (*row == 0) {
            pv_array_push (&tables->stack_prefix, stack);
            pv_array_push (&tables->stack_frame, key[1]);
            *row = (uint32_t)tables->stack_frame.len;
        }
        stack = (int32_t)(*row - 1);
    }
    return stack;
}

static void
make_thread (FirefoxAncient *self, const Thread *thread, FirefoxProfile *profile)
{
    FirefoxThread made = {.name = thread->name,
                          .register_time = FIREFOX_NO_NUMBER,
                          .unregister_time = FIREFOX_NO_NUMBER,
                          .process_startup_time = FIREFOX_NO_NUMBER,
                          .process_shutdown_time = FIREFOX_NO_NUMBER};
    Making making = {.ancient = self, .thread = &made};
    size_t start = 0;
    for (size_t i = 0; i < thread->ends.len; i++) {
        /* There are no frames at all if all stacks are empty. */
        const uint64_t *frames = start < thread->frames.len ? thread->frames.data + start : NULL;
        pv_array_push (&made.samples.stack,
                       get_stack (&making, frames, thread->ends.data[i] - start));
        pv_array_push (&made.samples.time, thread->times.data[i]);
        start = thread->ends.data[i];
    }
    pv_array_push (&profile->threads, made);
    pv_id_map_clear (&making.frame_of_id);
    pv_id_map_clear (&making.row_of_string);
    pv_hash_map_clear (&making.row_of_stack);
}

void
firefox_ancient_finish (FirefoxAncient *ancient, FirefoxProfile *profile)
{
    g_assert (ancient != NULL && profile != NULL);
    for (size_t t = 0; t < ancient->threads.len; t++)
        if (ancient->threads.data[t].ends.len > 0)
            make_thread (ancient, &ancient->threads.data[t], profile);
}
