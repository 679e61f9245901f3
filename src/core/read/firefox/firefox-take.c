/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The outer parts of a file. The processed format moved its tables with time: up to version 40 a
 * thread has all of them, from 41 on the libraries are the profile's, from 56 on strings too, and
 * from 60 on the profile has all of them, as "shared". They are taken from wherever they are.
 */
#include "core/read/firefox/firefox-take.h"

#include "core/read/firefox/firefox-counters.h"
#include "core/read/firefox/firefox-tables.h"

enum { MAX_LEVEL = 8 /* of processes in one another, and of JSON in strings of JSON */ };

typedef struct {
    FirefoxFile *file;
    FirefoxProfile *profile;
    int level;
} Taking;

static PvStringId
take_string (FirefoxFile *file)
{
    return pv_json_intern (file->json, file->interner);
}

static double
take_number (FirefoxFile *file)
{
    return pv_json_get_number (file->json, FIREFOX_NO_NUMBER);
}

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

static FirefoxLibrary
take_library (FirefoxFile *file)
{
    enum { PATH, NAME, DEBUG_PATH, DEBUG_ID, CODE_ID, START, END, OFFSET, PDB_NAME };
    static const char *const keys[] = {"path",  "name", "debugPath", "breakpadId", "codeId",
                                       "start", "end",  "offset",    "pdbName",    NULL};
    FirefoxLibrary library = {0};
    int key;
    if (!pv_json_enter_object (file->json))
        return library;
    while (pv_json_next_key (file->json, keys, &key)) {
        if (key == PATH)
            library.path = take_string (file);
        else if (key == NAME)
            library.name = take_string (file);
        else if (key == DEBUG_PATH)
            library.debug_path = take_string (file);
        else if (key == DEBUG_ID)
            library.debug_id = take_string (file);
        else if (key == CODE_ID)
            library.code_id = take_string (file);
        else if (key == START)
            library.start = pv_json_get_number (file->json, 0);
        else if (key == END)
            library.end = pv_json_get_number (file->json, 0);
        else if (key == OFFSET)
            library.offset = pv_json_get_number (file->json, 0);
    }
    return library;
}

static void
take_libraries (Taking *self, void *user)
{
    FirefoxLibraries *libraries = user;
    PvJson *json = self->file->json;
    if (pv_json_enter_array (json))
        while (pv_json_next_element (json)) {
            FirefoxLibrary library = take_library (self->file);
            pv_array_push (libraries, library);
            pv_json_count_bytes (json, 2 * sizeof library);
        }
}

/* --- threads --- */

/* True: the key is that of a table, or of strings. */
static bool
take_tables (FirefoxFile *file, FirefoxProfile *profile, FirefoxTables *tables)
{
    enum { STRINGS, GECKO_STRINGS, STACKS, FRAMES, FUNCTIONS, RESOURCES, SOURCES };
    static const char *const keys[] = {"stringArray", "stringTable",   "stackTable", "frameTable",
                                       "funcTable",   "resourceTable", "sources"};
    const char *name = pv_json_get_key (file->json, NULL);
    int key = 0;
    while (key < (int)G_N_ELEMENTS (keys) && !g_str_equal (keys[key], name))
        key++;
    switch (key) {
    case STRINGS:
    case GECKO_STRINGS:
        pv_json_append_strings (file->json, &tables->strings, file->interner);
        return true;
    case STACKS:
        profile->is_gecko |= firefox_take_stacks (file, tables);
        return true;
    case FRAMES:
        profile->is_gecko |= firefox_take_frames (file, tables);
        return true;
    case FUNCTIONS:
        firefox_take_functions (file, tables);
        return true;
    case RESOURCES:
        firefox_take_resources (file, tables);
        return true;
    case SOURCES:
        firefox_take_sources (file, tables);
        return true;
    default:
        return false;
    }
}

enum {
    THREAD_NAME,
    THREAD_PROCESS_NAME,
    THREAD_PROCESS_TYPE,
    THREAD_PID,
    THREAD_TID,
    THREAD_IS_MAIN,
    THREAD_REGISTER,
    THREAD_UNREGISTER,
    THREAD_STARTUP,
    THREAD_SHUTDOWN,
    THREAD_LIBS,
    THREAD_SAMPLES,
    THREAD_NATIVE_ALLOCATIONS,
    THREAD_JS_ALLOCATIONS,
    THREAD_MARKERS,
};

static void
take_thread_part (Taking *self, FirefoxThread *thread, int key)
{
    FirefoxFile *file = self->file;
    switch (key) {
    case THREAD_NAME:
        thread->name = take_string (file);
        break;
    case THREAD_PROCESS_NAME:
        thread->process_name = take_string (file);
        break;
    case THREAD_PROCESS_TYPE:
        thread->process_type = take_string (file);
        break;
    case THREAD_PID:
        thread->pid = firefox_take_id (file);
        break;
    case THREAD_TID:
        thread->tid = firefox_take_id (file);
        break;
    case THREAD_IS_MAIN:
        thread->is_main = pv_json_get_boolean (file->json, false);
        break;
    case THREAD_REGISTER:
        thread->register_time = take_number (file);
        break;
    case THREAD_UNREGISTER:
        thread->unregister_time = take_number (file);
        break;
    case THREAD_STARTUP:
        thread->process_startup_time = take_number (file);
        break;
    case THREAD_SHUTDOWN:
        thread->process_shutdown_time = take_number (file);
        break;
    case THREAD_LIBS:
        take_or_parse (self, take_libraries, &thread->libraries);
        break;
    case THREAD_SAMPLES:
        self->profile->is_gecko |= firefox_take_samples (file, &thread->samples);
        break;
    case THREAD_NATIVE_ALLOCATIONS:
    case THREAD_JS_ALLOCATIONS:
        firefox_take_samples (file, &thread->allocations[key - THREAD_NATIVE_ALLOCATIONS]);
        break;
    case THREAD_MARKERS:
        firefox_take_markers (file, &thread->markers);
        break;
    default:
        take_tables (file, self->profile, &thread->tables);
        break;
    }
}

static void
take_thread (Taking *self)
{
    static const char *const keys[] = {"name",
                                       "processName",
                                       "processType",
                                       "pid",
                                       "tid",
                                       "isMainThread",
                                       "registerTime",
                                       "unregisterTime",
                                       "processStartupTime",
                                       "processShutdownTime",
                                       "libs",
                                       "samples",
                                       "nativeAllocations",
                                       "jsAllocations",
                                       "markers",
                                       NULL};
    FirefoxThread thread = {.register_time = FIREFOX_NO_NUMBER,
                            .unregister_time = FIREFOX_NO_NUMBER,
                            .process_startup_time = FIREFOX_NO_NUMBER,
                            .process_shutdown_time = FIREFOX_NO_NUMBER};
    PvJson *json = self->file->json;
    int key;
    if (!pv_json_enter_object (json))
        return;
    while (pv_json_next_key (json, keys, &key))
        take_thread_part (self, &thread, key);
    pv_array_push (&self->profile->threads, thread);
    pv_json_count_bytes (json, 2 * sizeof thread);
}

/* --- meta --- */

static void
take_categories (FirefoxFile *file, PvStringColumn *categories)
{
    static const char *const keys[] = {"name", NULL};
    int key;
    if (!pv_json_enter_array (file->json))
        return;
    while (pv_json_next_element (file->json)) {
        PvStringId name = 0;
        if (pv_json_enter_object (file->json))
            while (pv_json_next_key (file->json, keys, &key))
                if (key == 0)
                    name = take_string (file);
        pv_array_push (categories, name);
        pv_json_count_bytes (file->json, 2 * sizeof name);
    }
}

static void
take_units (FirefoxFile *file, FirefoxMeta *meta)
{
    static const char *const keys[] = {"time", "threadCPUDelta", NULL};
    int key;
    if (!pv_json_enter_object (file->json))
        return;
    while (pv_json_next_key (file->json, keys, &key)) {
        if (key == 0)
            meta->time_unit = take_string (file);
        else if (key == 1)
            meta->cpu_unit = take_string (file);
    }
}

enum {
    META_START,
    META_CATEGORIES,
    META_UNITS,
    META_INTERVAL,
    META_MONOTONIC,
    META_N_CPUS,
    META_MEMORY,
    META_VERSION,
    META_PRODUCT,
    META_IMPORTER,
    META_ARGUMENTS,
    META_SYSTEM,
    META_CPU,
    META_BUILD,
    META_ABI,
    META_DEVICE,
    META_MEASURE,
    META_HAS_TIMES,
};

static void
take_fact (FirefoxFile *file, FirefoxMeta *meta, int key)
{
    double *const numbers[] = {&meta->interval, &meta->monotonic_ns, &meta->n_cpus,
                               &meta->memory_bytes, &meta->format_version};
    PvStringId *const strings[] = {&meta->product, &meta->importer, &meta->arguments,
                                   &meta->system,  &meta->cpu,      &meta->build,
                                   &meta->abi,     &meta->device,   &meta->measure};
    if (key == META_UNITS)
        take_units (file, meta);
    else if (key == META_HAS_TIMES)
        meta->has_no_times = !pv_json_get_boolean (file->json, true);
    else if (key >= META_PRODUCT)
        *strings[key - META_PRODUCT] = take_string (file);
    else if (key >= META_INTERVAL)
        *numbers[key - META_INTERVAL] = pv_json_get_number (file->json, 0);
}

static void
take_meta (FirefoxFile *file, FirefoxProfile *profile)
{
    static const char *const keys[] = {"startTime",
                                       "categories",
                                       "sampleUnits",
                                       "interval",
                                       "startTimeAsClockMonotonicNanosecondsSinceBoot",
                                       "logicalCPUs",
                                       "mainMemory",
                                       "preprocessedProfileVersion",
                                       "product",
                                       "importedFrom",
                                       "arguments",
                                       "oscpu",
                                       "CPUName",
                                       "misc",
                                       "abi",
                                       "device",
                                       "profviewMeasure",
                                       "profviewHasTimes",
                                       NULL};
    FirefoxMeta other = {0}, *meta = file->has_meta ? &other : &file->meta;
    int key;
    if (!pv_json_enter_object (file->json))
        return;
    file->has_meta = true;
    while (pv_json_next_key (file->json, keys, &key)) {
        if (key == META_START)
            profile->start_time = take_number (file);
        else if (key == META_CATEGORIES)
            take_categories (file, &profile->categories);
        else if (key >= 0)
            take_fact (file, meta, key);
    }
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

static void
take_shared (FirefoxFile *file, FirefoxProfile *profile)
{
    static const char *const no_keys[] = {NULL};
    int key;
    if (pv_json_enter_object (file->json))
        while (pv_json_next_key (file->json, no_keys, &key))
            take_tables (file, profile, &profile->tables);
}

static void
take_profile (Taking *self, void *user)
{
    enum { META, LIBS, SHARED, THREADS, PROCESSES, COUNTERS, PROFILE };
    static const char *const keys[] = {"meta",      "libs",     "shared",  "threads",
                                       "processes", "counters", "profile", NULL};
    FirefoxFile *file = self->file;
    int key;
    (void)user;
    if (!pv_json_enter_object (file->json))
        return;
    while (pv_json_next_key (file->json, keys, &key)) {
        if (key == META)
            take_meta (file, self->profile);
        else if (key == LIBS)
            take_or_parse (self, take_libraries, &self->profile->libraries);
        else if (key == SHARED)
            take_shared (file, self->profile);
        else if (key == THREADS)
            take_threads (self);
        else if (key == PROCESSES)
            take_children (self);
        else if (key == COUNTERS)
            firefox_take_counters (file, self->profile);
        else if (key == PROFILE && self->level == 0) /* of the old developer tools */
            take_child (self, NULL);
    }
}

void
firefox_take (FirefoxFile *file)
{
    g_assert (file != NULL && file->json != NULL);
    Taking self = {.file = file, .profile = firefox_file_add_profile (file)};
    take_profile (&self, NULL);
}
