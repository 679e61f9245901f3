/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/write/firefox.h"

#include <string.h>

#include "core/base/array.h"
#include "core/base/idmap.h"
#include "core/base/intern.h"
#include "core/write/escape.h"
#include "core/write/gzip-file.h"

enum { PIECE_BYTES = 1 << 16, FORMAT_VERSION = 61, GECKO_VERSION = 24 };
enum { RESOURCE_UNKNOWN = 0, RESOURCE_LIBRARY = 1 };
enum { GUID_BYTES = 16 };

#define NS_PER_MS 1000000

/* The order of PvFirefoxCategory. */
#define CATEGORIES                                                                                 \
    "[{\"name\":\"Other\",\"color\":\"grey\",\"subcategories\":[\"Other\"]},"                      \
    "{\"name\":\"User\",\"color\":\"yellow\",\"subcategories\":[\"Other\"]},"                      \
    "{\"name\":\"Kernel\",\"color\":\"orange\",\"subcategories\":[\"Other\"]}]"

typedef struct {
    PvFunctionId function;
    uint32_t resource;
    PvStringId name;
    uint32_t source; /* UINT32_MAX: unknown */
    uint32_t line;   /* 0: unknown */
} FunctionRow;

struct PvFirefoxWriter {
    const PvProfile *profile;
    const PvSymbolTable *symbols;
    PvUnit unit;
    PvWriter *out;
    PvGzipFile *gzip; /* NULL: not packed */
    GString *text;    /* not written yet */
    bool is_first;    /* of what the current list, table or column has */

    PvInterner *strings;
    PV_ARRAY (FunctionRow) functions;
    PvHashMap function_ids;
    PV_ARRAY (PvModuleId) resources;
    uint32_t *resource_of_module; /* + 1; 0: none yet */
    PV_ARRAY (PvStringId) sources;
    PvIdMap source_of_file; /* by string: + 1 */
    bool has_times;
    uint32_t n_threads;          /* so far */
    uint32_t *thread_of_process; /* the first one: its number + 1; 0: none */
};

static void
flush (PvFirefoxWriter *self)
{
    if (self->gzip == NULL) {
        pv_writer_take (self->text, self->out);
        return;
    }
    pv_gzip_file_write (self->gzip, self->text->str, self->text->len);
    g_string_truncate (self->text, 0);
}

/* --- pieces of JSON --- */

static void
append_number (GString *text, int64_t number)
{
    if (number < 0)
        g_string_append_c (text, '-');
    pv_append_number (text, number < 0 ? -(uint64_t)number : (uint64_t)number);
}

/* Appends milliseconds, without zeros at the end. */
static void
append_ns (GString *text, int64_t ns)
{
    uint64_t rest = ns < 0 ? -(uint64_t)ns : (uint64_t)ns;
    uint32_t part = (uint32_t)(rest % NS_PER_MS);
    if (ns < 0)
        g_string_append_c (text, '-');
    append_number (text, (int64_t)(rest / NS_PER_MS));
    if (part == 0)
        return;
    g_string_append_c (text, '.');
    for (uint32_t unit = NS_PER_MS / 10; part > 0; unit /= 10) {
        g_string_append_c (text, (char)('0' + part / unit));
        part %= unit;
    }
}

/* Separates an item of a list, a table or a column from the one before it. */
static void
separate (PvFirefoxWriter *self)
{
    if (!self->is_first)
        g_string_append_c (self->text, ',');
    self->is_first = false;
    if (self->text->len >= PIECE_BYTES)
        flush (self);
}

static void
append_key (PvFirefoxWriter *self, const char *key)
{
    separate (self);
    g_string_append_printf (self->text, "\"%s\":", key);
}

static void
append_text (PvFirefoxWriter *self, const char *key, const char *value)
{
    append_key (self, key);
    pv_json_append_string (self->text, value);
}

static void
append_fact (PvFirefoxWriter *self, const char *key, const char *value)
{
    if (value != NULL && *value != '\0')
        append_text (self, key, value);
}

static void
append_count (PvFirefoxWriter *self, const char *key, uint64_t count)
{
    append_key (self, key);
    append_number (self->text, (int64_t)MIN (count, (uint64_t)G_MAXINT64));
}

static void
append_time (PvFirefoxWriter *self, const char *key, int64_t ns)
{
    append_key (self, key);
    append_ns (self->text, ns);
}

/* --- head --- */

static const char *
name_weights (PvUnit unit)
{
    switch (unit) {
    case PV_UNIT_NS:
        return "tracing-ms";
    case PV_UNIT_BYTES:
        return "bytes";
    case PV_UNIT_COUNT:
    case PV_UNIT_BYTE_MS:
        break;
    }
    return "samples";
}

static int64_t
find_start_time (const PvFacts *facts)
{
    int64_t seconds = CLAMP (facts->recorded_at, 0, G_MAXINT64 / G_USEC_PER_SEC / 1000);
    return facts->recorded_at_ns > 0 ? facts->recorded_at_ns : seconds * G_USEC_PER_SEC * 1000;
}

/* Shown by the Firefox Profiler as it is, and read again by our reader. */
static void
append_own_facts (PvFirefoxWriter *self, const PvFirefoxHeader *header)
{
    append_key (self, "extra");
    g_string_append (self->text, "[{\"label\":\"Profview\",\"entries\":[{\"label\":\"Weights\","
                                 "\"format\":\"string\",\"value\":");
    pv_json_append_string (self->text, header->measure);
    if (!header->has_times)
        g_string_append (self->text, "},{\"label\":\"Times\",\"format\":\"string\",\"value\":"
                                     "\"not known; samples come one after the other\"");
    g_string_append (self->text, "}]}]");
    append_text (self, "profviewMeasure", header->measure);
    append_key (self, "profviewHasTimes");
    g_string_append (self->text, header->has_times ? "true" : "false");
}

static void
append_meta (PvFirefoxWriter *self, const PvFirefoxHeader *header)
{
    const PvFacts *facts = &self->profile->facts;
    bool has_bytes = !header->has_times && header->unit == PV_UNIT_BYTES;
    append_time (self, "interval",
                 header->interval_ns > 0 ? (int64_t)MIN (header->interval_ns, G_MAXINT64)
                                         : NS_PER_MS);
    append_time (self, "startTime", find_start_time (facts));
    if (header->has_times && self->profile->start_ns > 0)
        append_count (self, "startTimeAsClockMonotonicNanosecondsSinceBoot",
                      self->profile->start_ns);
    append_count (self, "processType", 0);
    append_count (self, "stackwalk", 1);
    append_count (self, "version", GECKO_VERSION);
    append_count (self, "preprocessedProfileVersion", FORMAT_VERSION);
    append_text (self, "product", header->name);
    append_fact (self, "importedFrom", facts->format);
    append_fact (self, "arguments", facts->command);
    append_fact (self, "CPUName", facts->cpu);
    append_fact (self, "abi", facts->arch);
    if (facts->n_cpus > 0)
        append_count (self, "logicalCPUs", facts->n_cpus);
    if (facts->memory_bytes > 0)
        append_count (self, "mainMemory", facts->memory_bytes);
    append_key (self, "categories");
    g_string_append (self->text, CATEGORIES);
    append_key (self, "markerSchema");
    g_string_append (self->text, "[]");
    append_key (self, "sampleUnits");
    g_string_append_printf (self->text,
                            "{\"time\":\"%s\",\"eventDelay\":\"ms\",\"threadCPUDelta\":\"ns\"}",
                            has_bytes ? "bytes" : "ms");
    append_key (self, "symbolicated");
    g_string_append (self->text, "true,\"usesOnlyOneStackType\":true,"
                                 "\"sourceCodeIsNotOnSearchfox\":true");
    append_key (self, "initialSelectedThreads");
    g_string_append_printf (self->text, "[%" G_GUINT32_FORMAT "]", header->active_thread);
    append_own_facts (self, header);
}

PvFirefoxWriter *
pv_firefox_writer_new (const PvFirefoxHeader *header, PvWriter *out)
{
    g_assert (header != NULL && header->name != NULL && header->measure != NULL && out != NULL);
    PvFirefoxWriter *self = g_new0 (PvFirefoxWriter, 1);
    self->profile = header->profile;
    self->symbols = header->symbols;
    self->unit = header->unit;
    self->has_times = header->has_times;
    self->thread_of_process = g_new0 (uint32_t, MAX (header->profile->n_processes, 1));
    self->out = out;
    self->gzip = header->is_packed ? pv_gzip_file_new (out) : NULL;
    self->strings = pv_interner_new ();
    self->resource_of_module = g_new0 (uint32_t, MAX (header->profile->n_modules, 1));
    self->is_first = true;
    self->text = g_string_new ("{\"meta\":{");
    append_meta (self, header);
    g_string_append (self->text, "},\n\"threads\":[");
    self->is_first = true;
    return self;
}

void
pv_firefox_writer_free (PvFirefoxWriter *self)
{
    if (self == NULL)
        return;
    pv_gzip_file_free (self->gzip);
    g_free (self->thread_of_process);
    g_string_free (self->text, TRUE);
    pv_interner_free (self->strings);
    pv_array_clear (&self->functions);
    pv_hash_map_clear (&self->function_ids);
    pv_array_clear (&self->resources);
    g_free (self->resource_of_module);
    pv_array_clear (&self->sources);
    pv_id_map_clear (&self->source_of_file);
    g_free (self);
}

/* --- tables --- */

void
pv_firefox_writer_begin_table (PvFirefoxWriter *self, const char *name)
{
    g_assert (self != NULL && name != NULL);
    append_key (self, name);
    g_string_append (self->text, "{\n");
    self->is_first = true;
}

void
pv_firefox_writer_end_table (PvFirefoxWriter *self, uint64_t n_rows)
{
    g_assert (self != NULL);
    append_count (self, "length", n_rows);
    g_string_append (self->text, "}\n");
    self->is_first = false;
}

void
pv_firefox_writer_begin_column (PvFirefoxWriter *self, const char *name)
{
    g_assert (self != NULL && name != NULL);
    append_key (self, name);
    g_string_append_c (self->text, '[');
    self->is_first = true;
}

void
pv_firefox_writer_end_column (PvFirefoxWriter *self)
{
    g_assert (self != NULL);
    g_string_append (self->text, "]\n");
    self->is_first = false;
}

void
pv_firefox_writer_add_number (PvFirefoxWriter *self, int64_t number)
{
    separate (self);
    append_number (self->text, number);
}

void
pv_firefox_writer_add_ns (PvFirefoxWriter *self, int64_t ns)
{
    separate (self);
    append_ns (self->text, ns);
}

void
pv_firefox_writer_add_null (PvFirefoxWriter *self)
{
    separate (self);
    g_string_append (self->text, "null");
}

static void
add_number_or_null (PvFirefoxWriter *self, int64_t number, bool is_number)
{
    if (is_number)
        pv_firefox_writer_add_number (self, number);
    else
        pv_firefox_writer_add_null (self);
}

static void
add_string (PvFirefoxWriter *self, const char *string)
{
    separate (self);
    pv_json_append_string (self->text, string);
}

void
pv_firefox_writer_add_column (PvFirefoxWriter *self, const char *name, const char *value,
                              uint64_t n_rows)
{
    g_assert (self != NULL && value != NULL);
    pv_firefox_writer_begin_column (self, name);
    for (uint64_t i = 0; i < n_rows; i++) {
        separate (self);
        g_string_append (self->text, value);
    }
    pv_firefox_writer_end_column (self);
}

/* In place of a column that is not there. */
static void
add_no_column (PvFirefoxWriter *self, const char *name)
{
    g_assert (self != NULL && name != NULL);
    append_key (self, name);
    g_string_append (self->text, "null");
}

/* --- threads --- */

static int64_t
find_offset (const PvFirefoxWriter *self, uint64_t time_ns)
{
    return time_ns > self->profile->start_ns ? (int64_t)(time_ns - self->profile->start_ns) : 0;
}

static void
append_end (PvFirefoxWriter *self, const char *key, uint64_t time_ns)
{
    if (time_ns == UINT64_MAX || time_ns == 0)
        add_no_column (self, key);
    else
        append_time (self, key, find_offset (self, time_ns));
}

static void
append_id (PvFirefoxWriter *self, const char *key, int32_t id)
{
    append_key (self, key);
    g_string_append_printf (self->text, "\"%d\"", MAX (id, 0));
}

void
pv_firefox_writer_begin_thread (PvFirefoxWriter *self, PvThreadId id)
{
    g_assert (self != NULL && id < MAX (self->profile->n_threads, 1));
    static const PvThread no_thread = {.tid = -1, .end_ns = UINT64_MAX};
    static const PvProcess no_process = {.pid = -1, .end_ns = UINT64_MAX};
    const PvThread *thread = id != 0 ? &self->profile->threads[id] : &no_thread;
    const PvProcess *process =
        thread->process != 0 ? &self->profile->processes[thread->process] : &no_process;
    self->n_threads++;
    if (thread->process != 0 && self->thread_of_process[thread->process] == 0)
        self->thread_of_process[thread->process] = self->n_threads;
    separate (self);
    g_string_append (self->text, "{");
    self->is_first = true;
    append_text (self, "name", thread->name != NULL ? thread->name : "");
    append_key (self, "isMainThread");
    g_string_append (self->text,
                     thread->tid >= 0 && thread->tid == process->pid ? "true" : "false");
    append_fact (self, "processName", process->name);
    append_text (self, "processType", "default");
    append_id (self, "pid", process->pid);
    append_id (self, "tid", thread->tid);
    append_time (self, "processStartupTime", find_offset (self, process->start_ns));
    append_end (self, "processShutdownTime", process->end_ns);
    append_time (self, "registerTime", find_offset (self, thread->start_ns));
    append_end (self, "unregisterTime", thread->end_ns);
    append_key (self, "pausedRanges");
    g_string_append (self->text, "[]");
    pv_firefox_writer_begin_table (self, "markers");
    static const char *const columns[] = {"data",    "name",  "startTime",
                                          "endTime", "phase", "category"};
    for (size_t i = 0; i < G_N_ELEMENTS (columns); i++)
        pv_firefox_writer_add_column (self, columns[i], "", 0);
    pv_firefox_writer_end_table (self, 0);
    pv_firefox_writer_begin_table (self, "samples");
    append_text (self, "weightType", name_weights (self->unit));
}

void
pv_firefox_writer_end_thread (PvFirefoxWriter *self, uint64_t n_samples)
{
    g_assert (self != NULL);
    pv_firefox_writer_end_table (self, n_samples);
    g_string_append (self->text, "}\n");
}

void
pv_firefox_writer_end_threads (PvFirefoxWriter *self)
{
    g_assert (self != NULL);
    g_string_append (self->text, "],\n\"shared\":{");
    self->is_first = true;
}

/* --- functions --- */

static uint32_t
get_resource (PvFirefoxWriter *self, PvModuleId module)
{
    uint32_t *resource = &self->resource_of_module[module];
    if (*resource == 0) {
        pv_array_push (&self->resources, module);
        *resource = (uint32_t)self->resources.len;
    }
    return *resource - 1;
}

static uint32_t
get_source (PvFirefoxWriter *self, const char *file)
{
    if (file == NULL || *file == '\0')
        return UINT32_MAX;
    PvStringId name = pv_interner_lend (self->strings, file);
    uint32_t *source = pv_id_map_slot (&self->source_of_file, name);
    if (*source == 0) {
        pv_array_push (&self->sources, name);
        *source = (uint32_t)self->sources.len;
    }
    return *source - 1;
}

uint32_t
pv_firefox_writer_get_function (PvFirefoxWriter *self, PvFunctionId id, const char *file)
{
    g_assert (self != NULL && id < self->symbols->n_functions);
    const PvFunction *function = &self->symbols->functions[id];
    const uint64_t key[] = {id, (uint64_t)(uintptr_t)file};
    uint32_t *slot = pv_hash_map_slot (&self->function_ids, pv_hash_bytes (key, sizeof key, 0));
    if (*slot == 0) {
        FunctionRow row = {
            .function = id,
            .resource = get_resource (self, function->module),
            .name = pv_interner_lend (self->strings, function->name),
            .source = get_source (self, file),
            .line = g_strcmp0 (file, function->file) == 0 ? function->line : 0,
        };
        pv_array_push (&self->functions, row);
        *slot = (uint32_t)self->functions.len;
    }
    return *slot - 1;
}

static void
write_functions (PvFirefoxWriter *self)
{
    size_t n = self->functions.len;
    const FunctionRow *rows = self->functions.data;
    pv_firefox_writer_begin_table (self, "funcTable");
    pv_firefox_writer_begin_column (self, "name");
    for (size_t i = 0; i < n; i++)
        pv_firefox_writer_add_number (self, rows[i].name);
    pv_firefox_writer_end_column (self);
    pv_firefox_writer_begin_column (self, "resource");
    for (size_t i = 0; i < n; i++)
        pv_firefox_writer_add_number (self, rows[i].resource);
    pv_firefox_writer_end_column (self);
    pv_firefox_writer_begin_column (self, "source");
    for (size_t i = 0; i < n; i++)
        add_number_or_null (self, rows[i].source, rows[i].source != UINT32_MAX);
    pv_firefox_writer_end_column (self);
    pv_firefox_writer_begin_column (self, "lineNumber");
    for (size_t i = 0; i < n; i++)
        add_number_or_null (self, rows[i].line, rows[i].line > 0);
    pv_firefox_writer_end_column (self);
    pv_firefox_writer_add_column (self, "columnNumber", "null", n);
    pv_firefox_writer_add_column (self, "isJS", "false", n);
    pv_firefox_writer_add_column (self, "relevantForJS", "false", n);
    pv_firefox_writer_end_table (self, n);
}

/* --- modules --- */

static bool
is_library (const PvFirefoxWriter *self, PvModuleId id)
{
    const char *path = self->profile->modules[id].path;
    return id != 0 && path != NULL && *path != '\0';
}

static const char *
name_module (const PvFirefoxWriter *self, PvModuleId id)
{
    const char *name = id != 0 ? self->profile->modules[id].name : NULL;
    return name != NULL ? name : "";
}

static void
write_resources (PvFirefoxWriter *self)
{
    size_t n = self->resources.len, n_libraries = 0;
    pv_firefox_writer_begin_table (self, "resourceTable");
    pv_firefox_writer_begin_column (self, "lib");
    for (size_t i = 0; i < n; i++)
        if (is_library (self, self->resources.data[i]))
            pv_firefox_writer_add_number (self, (int64_t)n_libraries++);
        else
            pv_firefox_writer_add_null (self);
    pv_firefox_writer_end_column (self);
    pv_firefox_writer_begin_column (self, "name");
    for (size_t i = 0; i < n; i++) {
        const char *name = name_module (self, self->resources.data[i]);
        pv_firefox_writer_add_number (self, pv_interner_lend (self->strings, name));
    }
    pv_firefox_writer_end_column (self);
    pv_firefox_writer_add_column (self, "host", "null", n);
    pv_firefox_writer_begin_column (self, "type");
    for (size_t i = 0; i < n; i++)
        pv_firefox_writer_add_number (
            self, is_library (self, self->resources.data[i]) ? RESOURCE_LIBRARY : RESOURCE_UNKNOWN);
    pv_firefox_writer_end_column (self);
    pv_firefox_writer_end_table (self, n);
}

/* A GUID of the first bytes, of which three fields are in the order of a little-endian machine, and
 * an age of 0. */
static void
append_debug_id (PvFirefoxWriter *self, const PvModule *module)
{
    static const uint8_t order[GUID_BYTES] = {3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15};
    append_key (self, "breakpadId");
    g_string_append_c (self->text, '"');
    for (size_t i = 0; i < GUID_BYTES; i++)
        g_string_append_printf (self->text, "%02X",
                                order[i] < module->build_id_size ? module->build_id[order[i]] : 0);
    g_string_append (self->text, "0\"");
}

static void
append_code_id (PvFirefoxWriter *self, const PvModule *module)
{
    append_key (self, "codeId");
    if (module->build_id_size == 0) {
        g_string_append (self->text, "null");
        return;
    }
    g_string_append_c (self->text, '"');
    pv_append_hex (self->text, module->build_id, module->build_id_size);
    g_string_append_c (self->text, '"');
}

static void
write_libraries (PvFirefoxWriter *self)
{
    const char *arch = self->profile->facts.arch;
    append_key (self, "libs");
    g_string_append (self->text, "[\n");
    self->is_first = true;
    for (size_t i = 0; i < self->resources.len; i++) {
        PvModuleId id = self->resources.data[i];
        const PvModule *module = &self->profile->modules[id];
        if (!is_library (self, id))
            continue;
        separate (self);
        g_string_append_c (self->text, '{');
        self->is_first = true;
        append_text (self, "name", name_module (self, id));
        append_text (self, "path", module->path);
        append_text (self, "debugName", name_module (self, id));
        append_text (self, "debugPath", module->path);
        append_debug_id (self, module);
        append_code_id (self, module);
        append_text (self, "arch", arch != NULL ? arch : "");
        g_string_append (self->text, "}\n");
        self->is_first = false;
    }
    g_string_append_c (self->text, ']');
}

/* --- counters --- */

/* The format has what was added since the sample before, of memory as of anything else; it has no
 * levels of which the first is not counted from nothing. */
static bool
can_write (const PvFirefoxWriter *self, const PvCounter *counter)
{
    bool is_memory = strcmp (counter->category, "Memory") == 0;
    return self->has_times && counter->n_samples > 0 &&
           (counter->kind == PV_COUNTER_LEVEL ? counter->is_relative && is_memory : !is_memory);
}

static void
write_counter (PvFirefoxWriter *self, const PvCounter *counter)
{
    const PvProfile *profile = self->profile;
    char digits[PV_COUNTER_NUMBER_BYTES];
    uint32_t thread = self->thread_of_process[counter->process];
    append_text (self, "name", counter->name);
    append_text (self, "category", counter->category);
    append_text (self, "description", counter->description);
    append_id (self, "pid", counter->process != 0 ? profile->processes[counter->process].pid : -1);
    append_count (self, "mainThreadIndex", thread > 0 ? thread - 1 : 0);
    pv_firefox_writer_begin_table (self, "samples");
    pv_firefox_writer_begin_column (self, "time");
    for (uint32_t i = 0; i < counter->n_samples; i++)
        pv_firefox_writer_add_ns (self, (int64_t)(counter->time_ns[i] - profile->start_ns));
    pv_firefox_writer_end_column (self);
    pv_firefox_writer_begin_column (self, "count");
    for (uint32_t i = 0; i < counter->n_samples; i++) {
        bool is_change = counter->is_relative && i > 0;
        double before = is_change ? counter->values[i - 1] : 0;
        separate (self);
        g_string_append (self->text, pv_counter_write_number (counter->values[i] - before, digits));
    }
    pv_firefox_writer_end_column (self);
    pv_firefox_writer_end_table (self, counter->n_samples);
}

static void
write_counters (PvFirefoxWriter *self)
{
    uint32_t n_written = 0;
    for (uint32_t c = 0; c < self->profile->n_counters; c++)
        n_written += can_write (self, &self->profile->counters[c]);
    if (n_written == 0)
        return;
    append_key (self, "counters");
    g_string_append (self->text, "[\n");
    self->is_first = true;
    for (uint32_t c = 0; c < self->profile->n_counters; c++) {
        if (!can_write (self, &self->profile->counters[c]))
            continue;
        separate (self);
        g_string_append_c (self->text, '{');
        self->is_first = true;
        write_counter (self, &self->profile->counters[c]);
        g_string_append (self->text, "}\n");
        self->is_first = false;
    }
    g_string_append_c (self->text, ']');
    self->is_first = false;
}

/* --- the rest --- */

static void
write_sources (PvFirefoxWriter *self)
{
    size_t n = self->sources.len;
    pv_firefox_writer_begin_table (self, "sources");
    pv_firefox_writer_begin_column (self, "filename");
    for (size_t i = 0; i < n; i++)
        pv_firefox_writer_add_number (self, self->sources.data[i]);
    pv_firefox_writer_end_column (self);
    pv_firefox_writer_add_column (self, "id", "null", n);
    pv_firefox_writer_add_column (self, "startLine", "1", n);
    pv_firefox_writer_add_column (self, "startColumn", "1", n);
    pv_firefox_writer_add_column (self, "sourceMapURL", "null", n);
    pv_firefox_writer_end_table (self, n);
}

static void
write_native_symbols (PvFirefoxWriter *self)
{
    static const char *const columns[] = {"libIndex", "address", "name", "functionSize"};
    pv_firefox_writer_begin_table (self, "nativeSymbols");
    for (size_t i = 0; i < G_N_ELEMENTS (columns); i++)
        pv_firefox_writer_add_column (self, columns[i], "", 0);
    pv_firefox_writer_end_table (self, 0);
}

static void
write_strings (PvFirefoxWriter *self)
{
    uint32_t n = pv_interner_get_count (self->strings);
    pv_firefox_writer_begin_column (self, "stringArray");
    for (PvStringId id = 0; id < n; id++)
        add_string (self, pv_interner_get (self->strings, id));
    pv_firefox_writer_end_column (self);
}

void
pv_firefox_writer_finish (PvFirefoxWriter *self)
{
    g_assert (self != NULL);
    write_functions (self);
    write_resources (self);
    write_sources (self);
    write_native_symbols (self);
    write_strings (self);
    g_string_append_c (self->text, '}');
    write_libraries (self);
    self->is_first = false;
    write_counters (self);
    g_string_append (self->text, "}\n");
    flush (self);
    if (self->gzip != NULL)
        pv_gzip_file_finish (self->gzip);
}
