#pragma once

#include <pthread.h>

#include "core/base/array.h"
#include "core/base/cursor.h"
#include "core/base/idmap.h"
#include "core/read/pprof-wire-reader.h"
#include "core/read/reader.h"
#include "core/read/stage-ring.h"

/*
 * The reader of pprof's profile.proto. One message holds all; its fields come in any order, and
 * most writers put the strings last. So samples are taken in while the file is still unpacked: a
 * sample's locations become a path in a tree of location ids, its values and labels stay numbers.
 * When everything was seen, ids become locations of the builder and numbers get their names.
 *
 *     feed: unpack, whole messages ─▶ take: tables of numbers ─▶ places, values: into the builder
 */

/* --- feed: pprof-feed.c ---------------------------------------------------------------------- */

enum { PPROF_N_WINDOWS = 6 };

typedef struct {
    uint8_t *bytes;
    size_t cap;
    size_t len; /* whole messages */
} PprofWindow;

typedef enum {
    PPROF_FEED_MORE,
    PPROF_FEED_COMPLETE,
    PPROF_FEED_CUT,     /* the file ends within a message */
    PPROF_FEED_DAMAGED, /* what follows are no messages */
} PprofFeedEnd;

/* Unpacks ahead of the caller in a thread of its own, when the file is longer than a window. */
typedef struct {
    PvUnpackStream *stream;
    PvJob *job;
    PvStageRing ring;
    PprofWindow windows[PPROF_N_WINDOWS];
    uint8_t *carry; /* the beginning of the next window */
    size_t carry_len, carry_cap;
    size_t wanted_bytes; /* how long the message in carry is going to be */
    PprofFeedEnd end;    /* of the thread, until it has ended */
    pthread_t thread;
    bool has_thread;
    bool is_started;
    bool may_thread;
} PprofFeed;

/* Stream and job stay the caller's. */
void pprof_feed_init (PprofFeed *feed, PvUnpackStream *stream, PvJob *job, unsigned n_workers);
/* How the feed ended; the stream may be used again. */
PprofFeedEnd pprof_feed_stop (PprofFeed *feed);
void pprof_feed_clear (PprofFeed *feed);

/* The next messages, valid until the next call. False at the end. */
bool pprof_feed_next (PprofFeed *feed, PvCursor *ret_messages);

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

/* Small, so that many fit into the processor's cache. */
typedef struct {
    uint32_t stack; /* 0: the slot is free */
    uint32_t check; /* bits of the hash that tell most others apart */
} PprofChild;

/*
 * A tree of numbers of locations, parents first, row 0 empty. The first child of a node mostly is
 * the row behind it, because a stack's new frames are added in one go; only other children are in a
 * map.
 */
typedef struct {
    PV_ARRAY (uint32_t) parent;
    PV_ARRAY (uint32_t) location;
    PprofChild *children; /* the others, by a hash of parent and location */
    uint32_t n_children;
    unsigned n_slot_bits;
} PprofStacks;

#define PPROF_MAX_STACKS ((uint32_t)1 << 30)

void pprof_stacks_init (PprofStacks *stacks);
void pprof_stacks_clear (PprofStacks *stacks);
/* Frees what only serves to add more. */
void pprof_stacks_end (PprofStacks *stacks);
/* The row of a stack, leaf first; PPROF_MAX_STACKS when there would be too many. */
uint32_t pprof_stacks_add (PprofStacks *stacks, const uint32_t *leaf_first, size_t n);

/* --- tables: pprof-take.c -------------------------------------------------------------------- */

/* Members that name strings are indices into the file's table of strings. */
#define PPROF_NO_STRING UINT32_MAX

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

typedef struct {
    PvProfileBuilder *builder;
    const PvReadContext *context;
    uint64_t max_used_bytes;

    PV_ARRAY (PprofValueType) sample_types;
    PV_ARRAY (PprofSample) samples;
    PV_ARRAY (int64_t) values; /* of all samples one after the other */
    PprofStacks stacks;

    /* Labels as they were in the file: different ones are numbered from 1. */
    PvHashMap label_ids;
    PV_ARRAY (uint8_t) label_bytes;
    PV_ARRAY (uint32_t) end_of_labels;

    PV_ARRAY (PprofMapping) mappings;
    PV_ARRAY (PprofLocation) locations;
    PV_ARRAY (PprofLine) lines;
    PV_ARRAY (PprofFunction) functions;
    /* As they are described, so that rows are numbers less one, and as they are used. */
    PprofIds mapping_ids, location_ids, function_ids;
    PprofIds used_mappings, used_locations, used_functions;

    PV_ARRAY (const char *) strings; /* the builder's; NULL for "" */
    uint64_t string_bytes;

    uint32_t drop_frames, keep_frames, default_sample_type, doc_url;
    int64_t time_ns, duration_ns, period;
    PprofValueType period_type;
    PV_ARRAY (uint32_t) comments;
    bool is_concatenated;
    bool is_full;
    bool has_deep_stacks;
    bool has_missing_locations;
    bool has_bare_addresses; /* in no mapping */
    bool has_missing_strings;
    uint64_t n_damaged;    /* messages */
    uint64_t n_duplicates; /* ids */
    uint64_t n_without_id;

    /* Of the sample at hand. */
    PV_ARRAY (uint32_t) frames;
    PV_ARRAY (int64_t) sample_values;
    PV_ARRAY (uint8_t) sample_labels;
} PprofFile;

void pprof_file_init (PprofFile *file, PvProfileBuilder *builder, const PvReadContext *context,
                      uint64_t file_bytes);
void pprof_file_clear (PprofFile *file);

/* Frees what only serves to take more in. */
void pprof_file_end_taking (PprofFile *file);

/* Takes in a row of whole messages; stops early when the file is_full or is_concatenated. */
void pprof_take_messages (PprofFile *file, PvCursor messages);

/* One sample: pprof-samples.c. False if it is damaged. */
bool pprof_take_sample (PprofFile *file, PvCursor message);
/* Samples of the same stack and labels become one. */
void pprof_merge_samples (PprofFile *file);

/* --- into the builder: pprof-strings.c, pprof-places.c, pprof-values.c ------------------------ */

/* The builder's string, NULL if it is empty or the file has none of that index. */
const char *pprof_find_string (PprofFile *file, uint32_t index);
/* The same, but "" in place of NULL. */
const char *pprof_string (PprofFile *file, uint32_t index);

/* Modules, locations, given frames and stacks; rows of file->stacks are stacks of the builder
 * afterwards. */
void pprof_add_places (PprofFile *file);

/* Measures, labels and samples. */
void pprof_add_samples (PprofFile *file);

/* What is known of the recording. */
void pprof_add_facts (PprofFile *file);

/* What a unit counts: factor turns it into nanoseconds or bytes. Others are counts. */
PvUnit pprof_parse_unit (const char *unit, uint64_t *ret_factor);
