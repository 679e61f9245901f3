/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/base/array.h"
#include "core/base/idmap.h"
#include "core/read/pprof/pprof-ids.h"
#include "core/read/pprof/pprof-stacks.h"
#include "core/read/pprof/pprof-window.h"
#include "core/read/unpack/reader.h"

/*
 * The reader of pprof's profile.proto. One message contains everything; its fields come in any
 * order, and most writers put the strings last. So samples are taken while the file is being
 * unpacked: a sample's locations become a path in a tree of location ids, its values and labels
 * stay numbers. At the end, ids become locations of the builder and numbers get their names.
 *
 *     feed: unpack, whole messages ─▶ take: tables of numbers; samples ─▶ add: the tree of stacks
 *                                                             ─▶ locations, values: the builder
 *
 * For files longer than a window, each step has a thread: feeding, taking all but samples, taking
 * samples, and adding samples. The threads pass windows on.
 */

/* The field of samples in a profile. */
enum { PPROF_SAMPLE = 2 };

/* Members for strings are indices into the file's string table. */
#define PPROF_NO_STRING UINT32_MAX

enum {
    PPROF_MAX_FRAMES = 1 << 16, /* of a stack */
    PPROF_MAX_TYPES = 1000,     /* sample types */
};

typedef struct {
    uint32_t type, unit;
} PprofValueType;

typedef struct {
    uint64_t start, limit, file_offset;
    uint32_t file, build_id;
} PprofMapping;

typedef struct {
    uint64_t address;
    uint32_t mapping; /* number of its id; 0: none */
    uint32_t first_line, n_lines;
} PprofLocation;

typedef struct {
    uint32_t function; /* number of its id; 0: none */
    uint32_t line;     /* 0: unknown */
} PprofLine;

typedef struct {
    uint32_t name, system_name, file, start_line;
} PprofFunction;

typedef struct {
    uint32_t stack : 30;
    uint32_t is_cut : 1;   /* its outermost frames were left out */
    uint32_t is_added : 1; /* to another with the same stack and labels */
    uint32_t labels;       /* 0: none */
    uint32_t first_value;
} PprofSample;

typedef struct {
    PvProfileBuilder *builder;
    const PvReadContext *context;

    /* For the thread that adds samples: */
    PV_ARRAY (PprofSample) samples;
    PV_ARRAY (int64_t) values; /* of all samples in order */
    PprofStacks stacks;
    /* Labels as in the file; distinct ones are numbered from 1. */
    PvHashMap label_ids;
    PV_ARRAY (uint8_t) label_bytes;
    PV_ARRAY (uint32_t) end_of_labels;
    bool has_no_room; /* for more samples */
    bool has_deep_stacks;

    /* For the thread that takes samples: */
    PprofWindow *window; /* the current one */
    PprofIds used_locations;
    uint64_t n_damaged_samples;

    /* For the thread that takes all other messages: */
    PV_ARRAY (PprofValueType) sample_types;
    PV_ARRAY (PprofMapping) mappings;
    PV_ARRAY (PprofLocation) locations;
    PV_ARRAY (PprofLine) lines;
    PV_ARRAY (PprofFunction) functions;
    /* Ids numbered as they are described, so that the number is row + 1, and as they are used. */
    PprofIds mapping_ids, location_ids, function_ids;
    PprofIds used_mappings, used_functions;

    PV_ARRAY (const char *) strings; /* the builder's; NULL for "" */
    uint64_t string_bytes;
    uint64_t unpacked_bytes; /* taken so far, samples too */

    uint32_t drop_frames, keep_frames, default_sample_type, doc_url;
    int64_t time_ns, duration_ns, period;
    PprofValueType period_type;
    PV_ARRAY (uint32_t) comments;
    bool is_concatenated;
    bool has_more_types; /* behind strings, too */
    bool is_full;
    bool has_missing_locations;
    bool has_bare_addresses; /* not in any mapping */
    bool has_missing_strings;
    uint64_t n_damaged;    /* messages */
    uint64_t n_duplicates; /* ids */
    uint64_t n_without_id;
} PprofFile;

void pprof_file_init (PprofFile *file, PvProfileBuilder *builder, const PvReadContext *context);
void pprof_file_clear (PprofFile *file);

/* Frees what is only needed to take more. */
void pprof_file_end_taking (PprofFile *file);
