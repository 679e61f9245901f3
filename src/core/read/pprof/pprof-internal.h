/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/base/array.h"
#include "core/base/cursor.h"
#include "core/base/idmap.h"
#include "core/read/pprof/pprof-wire-reader.h"
#include "core/read/unpack/reader.h"
#include "core/read/unpack/stage-ring.h"

/*
 * The reader of pprof's profile.proto. One message holds all; its fields come in any order, and
 * most writers put the strings last. So samples are taken in while the file is still unpacked: a
 * sample's locations become a path in a tree of location ids, its values and labels stay numbers.
 * When everything was seen, ids become locations of the builder and numbers get their names.
 *
 *     feed: unpack, whole messages ─▶ take: tables of numbers; samples ─▶ add: the tree of stacks
 *                                                             ─▶ places, values: into the builder
 *
 * Feeding, taking what is no sample, taking samples and adding them are threads of their own where
 * a file is longer than a window. They hand windows on.
 */

enum {
    PPROF_MAX_WINDOWS = 16, /* that are on their way */
    PPROF_N_WINDOWS = 6,    /* where each has memory of its own */
};

/* A sample that was taken and not added yet: how many of the window's numbers are its own. */
typedef struct {
    uint32_t n_frames, n_values, n_label_bytes;
} PprofTaken;

/* A row of whole messages, and what was taken from them. */
typedef struct {
    const uint8_t *bytes; /* in own, or in the feed's whole */
    size_t len;
    uint8_t *own;
    size_t own_cap;
    PV_ARRAY (PprofTaken) samples;
    PV_ARRAY (uint32_t) frames; /* numbers of locations, leaf first */
    PV_ARRAY (int64_t) values;
    PV_ARRAY (uint8_t) labels;
    uint64_t added_bytes; /* memory of all samples, when this window was used for the last time */
    uint64_t id_bytes;    /* the same of numbers of locations */
    bool is_skipped;      /* as the file is full */
} PprofWindow;

/* --- feed: pprof-feed.c ---------------------------------------------------------------------- */

typedef enum {
    PPROF_FEED_MORE,
    PPROF_FEED_COMPLETE,
    PPROF_FEED_CUT,     /* the file ends within a message */
    PPROF_FEED_DAMAGED, /* what follows are no messages */
} PprofFeedEnd;

typedef struct {
    PvUnpackStream *stream;
    PvJob *job;
    uint8_t *whole; /* all of the file, if it could be unpacked in one go */
    size_t whole_len, whole_pos;
    size_t start_of_window[PPROF_MAX_WINDOWS]; /* in whole */
    size_t n_windows, n_filled, n_released;
    uint8_t *carry; /* the beginning of the next window */
    size_t carry_len, carry_cap;
    size_t wanted_bytes; /* how long the message in carry is going to be */
    PprofFeedEnd end;
} PprofFeed;

/* Stream and job stay the caller's. */
void pprof_feed_init (PprofFeed *feed, PvUnpackStream *stream, PvJob *job);
void pprof_feed_clear (PprofFeed *feed);

/* The next messages; they stay until the window is filled again, though not longer than the feed
 * and feed->n_windows windows more. False when the stream has ended and nothing is left. */
bool pprof_feed_fill (PprofFeed *feed, PprofWindow *window);

/* --- all three together: pprof-pipe.c -------------------------------------------------------- */

typedef struct PprofFile PprofFile;

/* Everything that can be had from the stream, until the file is full or the job is cancelled. How
 * the feed ended. */
PprofFeedEnd pprof_read_all (PprofFile *file, PvUnpackStream *stream, PvJob *job,
                             unsigned n_workers);

/* --- ids: pprof-ids.c ------------------------------------------------------------------------ */

/* Ids are any 64 bits, but mostly count from 1. They are numbered, from 1, in the order in which
 * they are first seen. */
typedef struct {
    PV_ARRAY (uint32_t) dense; /* the numbers of small ids; 0: none */
    PvIdMap sparse;            /* those of others */
    PV_ARRAY (uint64_t) id_of_number;
} PprofIds;

void pprof_ids_clear (PprofIds *ids);
uint32_t pprof_ids_add (PprofIds *ids, uint64_t id);
uint64_t pprof_ids_count_bytes (const PprofIds *ids);

/* 0 if the id has not been seen. */
static inline uint32_t
pprof_ids_find (const PprofIds *ids, uint64_t id)
{
    uint32_t number = id < ids->dense.len ? ids->dense.data[id] : 0;
    return number != 0 || ids->sparse.len == 0 ? number : pv_id_map_find (&ids->sparse, id);
}

static inline uint32_t
pprof_ids_number (PprofIds *ids, uint64_t id)
{
    if (G_LIKELY (id < ids->dense.len && ids->dense.data[id] != 0))
        return ids->dense.data[id];
    return pprof_ids_add (ids, id);
}

/* --- stacks: pprof-stacks.c ------------------------------------------------------------------ */

/* Rows of a tree that came in one go: each is the parent of the next. */
typedef struct {
    uint32_t first; /* row */
    uint32_t parent;
    uint32_t location; /* of the first */
} PprofChain;

/* Small, so that many fit into the processor's cache. */
typedef struct {
    uint32_t chain; /* place of one from 1 on; 0: the slot is free */
    uint32_t hash;  /* of parent and location; its lower bits say which slot */
} PprofSlot;

/*
 * A tree of numbers of locations, parents first, row 0 empty. A stack's new frames are added as a
 * chain, so only the parents of chains need to be known, and to be looked for in a map.
 */
typedef struct {
    PV_ARRAY (uint32_t) location; /* with PPROF_IS_FIRST in the first of a chain */
    PV_ARRAY (PprofChain) chains;
    PprofSlot *slots;
    unsigned n_slot_bits;
} PprofStacks;

#define PPROF_IS_FIRST 0x80000000u

#define PPROF_MAX_STACKS ((uint32_t)1 << 30)

void pprof_stacks_init (PprofStacks *stacks);
void pprof_stacks_clear (PprofStacks *stacks);
/* Nothing will be added any more: the parents of all rows, and the locations as they are. Both are
 * the caller's. */
void pprof_stacks_take (PprofStacks *stacks, uint32_t **ret_parent, uint32_t **ret_location);
/* The row of a stack, leaf first; PPROF_MAX_STACKS when there would be too many. */
uint32_t pprof_stacks_add (PprofStacks *stacks, const uint32_t *leaf_first, size_t n);

/* --- tables: pprof-take.c -------------------------------------------------------------------- */

/* Field of samples in a profile. */
enum { PPROF_SAMPLE = 2 };

/* Members that name strings are indices into the file's table of strings. */
#define PPROF_NO_STRING UINT32_MAX

enum {
    PPROF_MAX_FRAMES = 1 << 16, /* of a stack */
    PPROF_MAX_TYPES = 1000,     /* of values */
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
    uint32_t is_added : 1; /* to another of the same stack and labels */
    uint32_t labels;       /* 0: none */
    uint32_t first_value;
} PprofSample;

struct PprofFile {
    PvProfileBuilder *builder;
    const PvReadContext *context;
    uint64_t max_used_bytes;

    /* What is added, by one thread. */
    PV_ARRAY (PprofSample) samples;
    PV_ARRAY (int64_t) values; /* of all samples one after the other */
    PprofStacks stacks;
    /* Labels as they were in the file: different ones are numbered from 1. */
    PvHashMap label_ids;
    PV_ARRAY (uint8_t) label_bytes;
    PV_ARRAY (uint32_t) end_of_labels;
    bool has_no_room; /* for more samples */
    bool has_deep_stacks;

    /* Samples that are taken, by another. */
    PprofWindow *window; /* at hand */
    PprofIds used_locations;
    uint64_t n_damaged_samples;

    /* What else is taken, by a third: all that follows. */
    PV_ARRAY (PprofValueType) sample_types;
    PV_ARRAY (PprofMapping) mappings;
    PV_ARRAY (PprofLocation) locations;
    PV_ARRAY (PprofLine) lines;
    PV_ARRAY (PprofFunction) functions;
    /* As they are described, so that rows are numbers less one, and as they are used. */
    PprofIds mapping_ids, location_ids, function_ids;
    PprofIds used_mappings, used_functions;

    PV_ARRAY (const char *) strings; /* the builder's; NULL for "" */
    uint64_t string_bytes;

    uint32_t drop_frames, keep_frames, default_sample_type, doc_url;
    int64_t time_ns, duration_ns, period;
    PprofValueType period_type;
    PV_ARRAY (uint32_t) comments;
    bool is_concatenated;
    bool is_full;
    bool has_missing_locations;
    bool has_bare_addresses; /* in no mapping */
    bool has_missing_strings;
    uint64_t n_damaged;    /* messages */
    uint64_t n_duplicates; /* ids */
    uint64_t n_without_id;
};

void pprof_file_init (PprofFile *file, PvProfileBuilder *builder, const PvReadContext *context,
                      uint64_t file_bytes);
void pprof_file_clear (PprofFile *file);

/* Frees what only serves to take more in. */
void pprof_file_end_taking (PprofFile *file);

/* Takes in a window of whole messages, samples aside; stops early, and from then on skips windows,
 * when the file is_full or is_concatenated. */
void pprof_take_messages (PprofFile *file, PprofWindow *window);

/* Its samples, into the window: pprof-samples.c. */
void pprof_take_samples (PprofFile *file, PprofWindow *window);
/* Adds the samples that were taken into the window. */
void pprof_add_taken (PprofFile *file, PprofWindow *window);
/* Samples of the same stack and labels become one. */
void pprof_merge_samples (PprofFile *file);

/* --- into the builder: pprof-strings.c, pprof-locations.c, pprof-values.c ------------------------
 */

/* The builder's string, NULL if it is empty or the file has none of that index. */
const char *pprof_find_string (PprofFile *file, uint32_t index);
/* The same, but "" in place of NULL. */
const char *pprof_string (PprofFile *file, uint32_t index);

/* Modules, locations, given frames and stacks: rows of file->stacks, which are gone afterwards, are
 * stacks of the builder. */
void pprof_add_places (PprofFile *file);

/* Measures, labels and samples. */
void pprof_add_samples (PprofFile *file);

/* What is known of the recording. */
void pprof_add_facts (PprofFile *file);

/* What a unit counts: factor turns it into nanoseconds or bytes. Others are counts. */
PvUnit pprof_parse_unit (const char *unit, uint64_t *ret_factor);
