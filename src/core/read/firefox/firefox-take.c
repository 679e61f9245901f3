/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The outer parts of a file. The processed format moved its tables with time: up to version 40 a
 * thread has all of them, from 41 on the libraries are the profile's, from 56 on strings too, and
 * from 60 on the profile has all of them, as "shared". They are taken from wherever they are.
 */
#include "core/read/firefox/firefox-take.h"

#include "core/read/firefox/firefox-ancient.h"
#include "core/read/firefox/firefox-counters.h"
#include "core/read/firefox/firefox-tables.h"

enum { MAX_LEVEL = 8 /* of processes in one another, and of JSON in strings of JSON */ };

typedef struct {
    FirefoxFile *file;
    FirefoxProfile *profile;
    FirefoxAncient *ancient;
    int level;
} Taking;

/* Calls `take` for the value, or for the JSON that it is the text of. */
static void
take_or_parse (Taking *self, void (*take) (Taking *self, void *user), void *user)
{
    size_t size_bytes;
    const char *text = pv_json_get_string (self->file->json, &size_bytes);
    if (text == NULL) {
        take (self, user);
        return;
    }
    if (self->level >= MAX_LEVEL)
        return;
    /* Progress is that of the whole. */
    PvReadContext context = {.budget = self->file->context->budget};
    PvMappedFile *bytes = pv_mapped_file_new_take (g_memdup2 (text, size_bytes), size_bytes);
    PvUnpackStream *stream = pv_unpack_stream_new (bytes, PV_PACKING_NONE, UINT64_MAX);
    PvJson *outer = self->file->json;
    self->file->json = pv_json_new (stream, &context);
    pv_json_keep_strings (self->file->json, NULL, self->file->interner);
    self->level++;
    take (self, user);
    self->level--;
    pv_json_free (self->file->json);
    self->file->json = outer;
    pv_json_count_bytes (outer, size_bytes * 2);
    pv_unpack_stream_free (stream);
    pv_mapped_file_unref (bytes);
}

/* --- libraries --- */

static const PvJsonField library_fields[] = {
    {"path", pv_json_take_interned, offsetof (FirefoxLibrary, path)},
    {"name", pv_json_take_interned, offsetof (FirefoxLibrary, name)},
    {"debugPath", pv_json_take_interned, offsetof (FirefoxLibrary, debug_path)},
    {"breakpadId", pv_json_take_interned, offsetof (FirefoxLibrary, debug_id)},
    {"codeId", pv_json_take_interned, offsetof (FirefoxLibrary, code_id)},
    {"start", pv_json_take_number, offsetof (FirefoxLibrary, start)},
    {"end", pv_json_take_number, offsetof (FirefoxLibrary, end)},
    {"offset", pv_json_take_number, offsetof (FirefoxLibrary, offset)},
    PV_JSON_NO_MORE_FIELDS,
};

static void
take_libraries (Taking *self, void *user)
{
    FirefoxLibraries *libraries = user;
    PvJson *json = self->file->json;
    if (pv_json_enter_array (json))
        while (pv_json_next_element (json)) {
            FirefoxLibrary library = {0};
            pv_json_take_object (json, library_fields, &library, NULL);
            pv_array_push (libraries, library);
            pv_json_count_bytes (json, 2 * sizeof library);
        }
}

/* --- threads --- */

/* Takes a table, or strings, if the key is of one. */
static void
take_tables (PvJson *json, void *member, void *user)
{
    static const struct {
        const char *key;
        const FirefoxColumn *columns; /* NULL: strings */
    } known[] = {
        {"stringArray", NULL},
        {"stringTable", NULL},
        {"stackTable", firefox_columns_of_stacks},
        {"frameTable", firefox_columns_of_frames},
        {"funcTable", firefox_columns_of_functions},
        {"resourceTable", firefox_columns_of_resources},
        {"sources", firefox_columns_of_sources},
    };
    Taking *self = user;
    FirefoxTables *tables = member;
    const char *key = pv_json_get_key (json, NULL);
    for (size_t i = 0; i < G_N_ELEMENTS (known); i++) {
        if (!g_str_equal (known[i].key, key))
            continue;
        if (known[i].columns == NULL)
            pv_json_append_strings (json, &tables->strings, self->file->interner);
        else if (firefox_take_table (self->file, known[i].columns, tables))
            self->profile->is_gecko |= known[i].columns == firefox_columns_of_stacks ||
                                       known[i].columns == firefox_columns_of_frames;
        return;
    }
}

static void
take_id (PvJson *json, void *member, void *user)
{
    const Taking *self = user;
    firefox_take_id (json, member, self->file);
}

static void
take_thread_libraries (PvJson *json, void *member, void *user)
{
    (void)json;
    take_or_parse (user, take_libraries, member);
}

static void
take_samples (PvJson *json, void *member, void *user)
{
    (void)json;
    Taking *self = user;
    self->profile->is_gecko |= firefox_take_table (self->file, firefox_columns_of_samples, member);
}

static void
take_allocations (PvJson *json, void *member, void *user)
{
    (void)json;
    const Taking *self = user;
    firefox_take_table (self->file, firefox_columns_of_samples, member);
}

static void
take_markers (PvJson *json, void *member, void *user)
{
    (void)json;
    const Taking *self = user;
    firefox_take_table (self->file, firefox_columns_of_markers, member);
}

static void
take_tables_of_thread (PvJson *json, void *member, void *user)
{
    FirefoxThread *thread = member;
    take_tables (json, &thread->tables, user);
}

static const PvJsonField thread_fields[] = {
    {"name", pv_json_take_interned, offsetof (FirefoxThread, name)},
    {"processName", pv_json_take_interned, offsetof (FirefoxThread, process_name)},
    {"processType", pv_json_take_interned, offsetof (FirefoxThread, process_type)},
    {"pid", take_id, offsetof (FirefoxThread, pid)},
    {"tid", take_id, offsetof (FirefoxThread, tid)},
    {"isMainThread", pv_json_take_boolean, offsetof (FirefoxThread, is_main)},
    {"registerTime", pv_json_take_number, offsetof (FirefoxThread, register_time)},
    {"unregisterTime", pv_json_take_number, offsetof (FirefoxThread, unregister_time)},
    {"processStartupTime", pv_json_take_number, offsetof (FirefoxThread, process_startup_time)},
    {"processShutdownTime", pv_json_take_number, offsetof (FirefoxThread, process_shutdown_time)},
    {"libs", take_thread_libraries, offsetof (FirefoxThread, libraries)},
    {"samples", take_samples, offsetof (FirefoxThread, samples)},
    {"nativeAllocations", take_allocations, offsetof (FirefoxThread, allocations[0])},
    {"jsAllocations", take_allocations, offsetof (FirefoxThread, allocations[1])},
    {"markers", take_markers, offsetof (FirefoxThread, markers)},
    {NULL, take_tables_of_thread, 0},
};

static void
take_thread (Taking *self)
{
    FirefoxThread thread = {.register_time = FIREFOX_NO_NUMBER,
                            .unregister_time = FIREFOX_NO_NUMBER,
                            .process_startup_time = FIREFOX_NO_NUMBER,
                            .process_shutdown_time = FIREFOX_NO_NUMBER};
    PvJson *json = self->file->json;
    if (!pv_json_take_object (json, thread_fields, &thread, self))
        return;
    pv_array_push (&self->profile->threads, thread);
    pv_json_count_bytes (json, 2 * sizeof thread);
}

/* --- meta --- */

static void
take_start_time (PvJson *json, void *member, void *user)
{
    (void)member;
    const Taking *self = user;
    self->profile->start_time = pv_json_get_number (json, FIREFOX_NO_NUMBER);
}

static void
take_categories (PvJson *json, void *member, void *user)
{
    static const PvJsonField fields[] = {{"name", pv_json_take_interned, 0},
                                         PV_JSON_NO_MORE_FIELDS};
    (void)member;
    const Taking *self = user;
    if (!pv_json_enter_array (json))
        return;
    while (pv_json_next_element (json)) {
        PvStringId name = 0;
        pv_json_take_object (json, fields, &name, NULL);
        pv_array_push (&self->profile->categories, name);
        pv_json_count_bytes (json, 2 * sizeof name);
    }
}

static void
take_units (PvJson *json, void *member, void *user)
{
    static const PvJsonField fields[] = {
        {"time", pv_json_take_interned, offsetof (FirefoxMeta, time_unit)},
        {"threadCPUDelta", pv_json_take_interned, offsetof (FirefoxMeta, cpu_unit)},
        PV_JSON_NO_MORE_FIELDS,
    };
    pv_json_take_object (json, fields, member, user);
}

static void
take_has_times (PvJson *json, void *member, void *user)
{
    (void)user;
    FirefoxMeta *meta = member;
    meta->has_no_times = !pv_json_get_boolean (json, true);
}

static const PvJsonField meta_fields[] = {
    {"startTime", take_start_time, 0},
    {"categories", take_categories, 0},
    {"sampleUnits", take_units, 0},
    {"interval", pv_json_take_number, offsetof (FirefoxMeta, interval)},
    {"startTimeAsClockMonotonicNanosecondsSinceBoot", pv_json_take_number,
     offsetof (FirefoxMeta, monotonic_ns)},
    {"logicalCPUs", pv_json_take_number, offsetof (FirefoxMeta, n_cpus)},
    {"mainMemory", pv_json_take_number, offsetof (FirefoxMeta, memory_bytes)},
    {"preprocessedProfileVersion", pv_json_take_number, offsetof (FirefoxMeta, format_version)},
    {"product", pv_json_take_interned, offsetof (FirefoxMeta, product)},
    {"importedFrom", pv_json_take_interned, offsetof (FirefoxMeta, importer)},
    {"arguments", pv_json_take_interned, offsetof (FirefoxMeta, arguments)},
    {"oscpu", pv_json_take_interned, offsetof (FirefoxMeta, system)},
    {"CPUName", pv_json_take_interned, offsetof (FirefoxMeta, cpu)},
    {"misc", pv_json_take_interned, offsetof (FirefoxMeta, build)},
    {"abi", pv_json_take_interned, offsetof (FirefoxMeta, abi)},
    {"device", pv_json_take_interned, offsetof (FirefoxMeta, device)},
    {"profviewMeasure", pv_json_take_interned, offsetof (FirefoxMeta, measure)},
    {"profviewHasTimes", take_has_times, 0},
    PV_JSON_NO_MORE_FIELDS,
};

static void
take_meta (Taking *self)
{
    FirefoxFile *file = self->file;
    FirefoxMeta other = {0}, *meta = file->has_meta ? &other : &file->meta;
    if (pv_json_take_object (file->json, meta_fields, meta, self))
        file->has_meta = true;
}

/* --- profiles --- */

static void take_profile (Taking *self, void *user);

/* The profile of a child process. */
static void
take_child (Taking *self, void *user)
{
    (void)user;
    if (pv_json_get_type (self->file->json) != PV_JSON_OBJECT || self->level >= MAX_LEVEL)
        return;
    FirefoxProfile *parent = self->profile;
    self->profile = firefox_file_add_profile (self->file);
    pv_json_count_bytes (self->file->json, 2 * sizeof (FirefoxProfile));
    self->level++;
    take_profile (self, NULL);
    self->level--;
    self->profile = parent;
}

/* In old versions of Gecko's format the JSON of a child process may be among the threads. */
static void
take_threads (Taking *self)
{
    PvJson *json = self->file->json;
    if (!pv_json_enter_array (json))
        return;
    while (pv_json_next_element (json)) {
        if (pv_json_get_type (json) == PV_JSON_STRING)
            take_or_parse (self, take_child, NULL);
        else
            take_thread (self);
    }
}

static void
take_children (Taking *self)
{
    PvJson *json = self->file->json;
    if (pv_json_enter_array (json))
        while (pv_json_next_element (json))
            take_or_parse (self, take_child, NULL);
}

/* Takes the value of "profileJSON" in the ancient format. */
static void
take_ancient (Taking *self)
{
    enum { META, THREADS };
    static const char *const keys[] = {"meta", "threads", NULL};
    int key;
    if (!pv_json_enter_object (self->file->json)) {
        firefox_ancient_take_samples (self->ancient);
        return;
    }
    while (pv_json_next_key (self->file->json, keys, &key)) {
        if (key == META)
            take_meta (self);
        else if (key == THREADS)
            firefox_ancient_take_threads (self->ancient);
    }
}

static void
take_profile (Taking *self, void *user)
{
    enum { META, LIBS, SHARED, THREADS, PROCESSES, COUNTERS, PROFILE, PROFILE_JSON, NAMES };
    static const char *const keys[] = {"meta",    "libs",        "shared",
                                       "threads", "processes",   "counters",
                                       "profile", "profileJSON", "symbolicationTable",
                                       NULL};
    static const PvJsonField shared_fields[] = {{NULL, take_tables, 0}};
    FirefoxFile *file = self->file;
    int key;
    (void)user;
    if (!pv_json_enter_object (file->json))
        return;
    while (pv_json_next_key (file->json, keys, &key)) {
        if (key == META)
            take_meta (self);
        else if (key == LIBS)
            take_or_parse (self, take_libraries, &self->profile->libraries);
        else if (key == SHARED)
            pv_json_take_object (file->json, shared_fields, &self->profile->tables, self);
        else if (key == THREADS)
            take_threads (self);
        else if (key == PROCESSES)
            take_children (self);
        else if (key == COUNTERS)
            firefox_take_counters (file, self->profile);
        else if (key == PROFILE && self->level == 0) /* of the old developer tools */
            take_child (self, NULL);
        else if (key == PROFILE_JSON && self->level == 0)
            take_ancient (self);
        else if (key == NAMES && self->level == 0)
            firefox_ancient_take_names (self->ancient);
    }
}

void
firefox_take (FirefoxFile *file)
{
    g_assert (file != NULL && file->json != NULL);
    g_autoptr (FirefoxAncient) ancient = firefox_ancient_new (file);
    Taking self = {.file = file, .profile = firefox_file_add_profile (file), .ancient = ancient};
    take_profile (&self, NULL);
    firefox_ancient_finish (ancient, self.profile);
}
