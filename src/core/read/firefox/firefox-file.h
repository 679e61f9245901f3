/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <math.h>
#include <stdbool.h>

#include "core/base/array.h"
#include "core/base/intern.h"
#include "core/model/build/builder.h"
#include "core/read/json/json.h"
#include "core/read/unpack/reader.h"

/*
 * Contents of a file of the Firefox Profiler, as columns of its tables. Strings are of one
 * interner, which makes them showable. A column that the file lacks is empty; a cell that it lacks
 * or that is null is -1, or FIREFOX_NO_NUMBER. Rows of other tables may be out of range.
 *
 * Both formats become these tables: the processed one, of which each version has its own place for
 * some of them, and that of Gecko, whose frames have texts instead of functions.
 */
#define FIREFOX_NO_NUMBER ((double)NAN)

typedef struct {
    PvStringColumn strings; /* by the rows that refer to them */

    PvInt32Column stack_frame;
    PvInt32Column stack_prefix; /* the parent, */
    PvInt32Column stack_offset; /* or how far before the row it is; 0: none */
    PvInt32Column stack_category;

    PvInt64Column frame_address; /* in its library; of Gecko, in memory */
    PvInt32Column frame_depth;   /* of inlining: 0 for the outermost function */
    PvInt32Column frame_category;
    PvInt32Column frame_function;
    PvInt32Column frame_line;
    PvInt32Column frame_library;
    PvInt32Column frame_location; /* of Gecko: a string */

    PvInt32Column function_name;
    PvInt32Column function_resource;
    PvInt32Column function_file;   /* a string, */
    PvInt32Column function_source; /* or a source */
    PvInt32Column function_line;
    PvInt32Column function_is_js;

    PvInt32Column resource_library;
    PvInt32Column resource_name;

    PvInt32Column source_file; /* a string */
} FirefoxTables;

typedef enum {
    FIREFOX_SAMPLES,
    FIREFOX_TIME, /* milliseconds */
    FIREFOX_BYTES,
} FirefoxWeightType;

/* Samples, or allocations. */
typedef struct {
    PvInt32Column stack;
    PvNumberColumn time; /* in milliseconds, */
    PvNumberColumn time_delta;
    PvNumberColumn weight;
    FirefoxWeightType weight_type;
    PvNumberColumn cpu_delta;
    PvInt64Column memory_address;
} FirefoxSamples;

typedef enum {
    FIREFOX_INSTANT,
    FIREFOX_INTERVAL,
    FIREFOX_START,
    FIREFOX_END,
} FirefoxPhase;

typedef struct {
    PvInt32Column name; /* a string */
    PvNumberColumn start, end, time;
    PvInt32Column phase;
    PvInt32Column category;
    /* Taken from the data: "key: value, key: value", the stack of the cause, and the times, which
     * are nowhere else in older versions. */
    PvStringColumn details;
    PvInt32Column stack;
    PvNumberColumn data_start, data_end;
} FirefoxMarkers;

typedef struct {
    PvStringId path, name, debug_path;
    PvStringId code_id, debug_id;
    double start, end, offset; /* of Gecko */
} FirefoxLibrary;

typedef PV_ARRAY (FirefoxLibrary) FirefoxLibraries;

typedef struct {
    PvStringId name, process_name, process_type;
    PvStringId pid, tid; /* as text */
    bool is_main;
    double register_time, unregister_time;
    double process_startup_time, process_shutdown_time;
    FirefoxTables tables; /* its own: in older versions all, later none or some */
    FirefoxLibraries libraries;
    FirefoxSamples samples;
    FirefoxSamples allocations[2]; /* native ones, and those of JavaScript */
    FirefoxMarkers markers;
} FirefoxThread;

typedef struct {
    PvNumberColumn time; /* in milliseconds, */
    PvNumberColumn time_delta;
    PvNumberColumn count;
} FirefoxCounterSamples;

typedef struct {
    PvStringId name, category, description;
    PvStringId pid;      /* as text; 0: not given */
    int32_t main_thread; /* of the process: in the threads; -1: not given */
    FirefoxCounterSamples samples;
} FirefoxCounter;

/* A profile, or with Gecko the profile of one process. */
typedef struct {
    bool is_gecko;
    double start_time; /* milliseconds since 1970 */
    PvStringId pid;
    FirefoxTables tables; /* of all threads */
    FirefoxLibraries libraries;
    PvStringColumn categories;
    PV_ARRAY (FirefoxThread) threads;
    PV_ARRAY (FirefoxCounter) counters;
} FirefoxProfile;

/* Facts of the first profile. */
typedef struct {
    double interval;     /* milliseconds */
    double monotonic_ns; /* start_time in the clock of the machine */
    double n_cpus, memory_bytes;
    double format_version; /* of the processed format */
    PvStringId product, importer, arguments, system, cpu, build, abi, device;
    PvStringId cpu_unit, time_unit;
    /* Only in files that Profview wrote. */
    PvStringId measure; /* name of the samples' weights */
    bool has_no_times;  /* those in the file only give samples an order */
} FirefoxMeta;

typedef struct {
    PvProfileBuilder *builder;
    const PvReadContext *context;
    PvJson *json;
    PvInterner *interner;
    bool has_meta;
    bool has_unread_samples; /* of the ancient format, but in tables */
    FirefoxMeta meta;
    PV_ARRAY (FirefoxProfile *) profiles;
    uint32_t n_counters;       /* of all profiles */
    uint32_t n_counters_shown; /* once they are in the builder */
} FirefoxFile;

void firefox_file_init (FirefoxFile *file, PvProfileBuilder *builder, const PvReadContext *context);
void firefox_file_clear (FirefoxFile *file);
/* Frees what a thread has once it has been built. */
void firefox_thread_clear (FirefoxThread *thread);
FirefoxProfile *firefox_file_add_profile (FirefoxFile *file);

/* Takes the current value as text, a PvStringId: process ids were numbers once and are strings now;
 * other text is possible too. The user is the file. */
void firefox_take_id (PvJson *json, void *member, void *user);

/* The cell of a row; -1 where it is missing. */
static inline int32_t
firefox_cell (const PvInt32Column *column, int64_t row)
{
    return row >= 0 && (uint64_t)row < column->len ? column->data[row] : -1;
}

static inline double
firefox_number (const PvNumberColumn *column, int64_t row)
{
    return row >= 0 && (uint64_t)row < column->len ? column->data[row] : FIREFOX_NO_NUMBER;
}

/* The string of a row; "" where it is missing. */
static inline const char *
firefox_string (const FirefoxFile *file, const PvStringColumn *strings, int64_t row)
{
    PvStringId id = row >= 0 && (uint64_t)row < strings->len ? strings->data[row] : 0;
    return pv_interner_get (file->interner, id);
}
