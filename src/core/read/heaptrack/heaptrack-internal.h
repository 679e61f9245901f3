/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdatomic.h>

#include "core/base/array.h"
#include "core/base/idmap.h"
#include "core/model/profile/address-space.h"
#include "core/read/unpack/reader.h"

/*
 * Reading heaptrack files: text goes in blocks of whole lines (heaptrack-feed.c) to the tokeniser
 * (heaptrack-lines.c), which hands the rare lines to the builder (heaptrack-records.c) and makes
 * operations of the frequent ones; of these the blocks' stage (heaptrack-blocks.c) makes events in
 * place, which go to the history. heaptrack-pipe.c runs this, in one thread or in four.
 */

/* --- operations ------------------------------------------------------------------------------- */

typedef enum {
    HEAPTRACK_OP_ALLOC, /* value: pointer, or number of an allocation info; size, site */
    HEAPTRACK_OP_FREE,  /* value: as above */
    HEAPTRACK_OP_TIME,  /* value: ms */
    HEAPTRACK_OP_RSS,   /* value: bytes */
    HEAPTRACK_OP_ATTACHED,
    HEAPTRACK_OP_LARGE, /* value: size of the allocation that follows */
} HeaptrackOpKind;

typedef struct {
    uint64_t value;
    uint32_t size;
    uint32_t site : 29;
    uint32_t kind : 3;
} HeaptrackOp;

#define HEAPTRACK_MAX_TRACES ((1u << 29) - 1)
#define HEAPTRACK_BATCH_OPS  16384u

/* Operations, and then, in their place, the events. */
typedef struct {
    size_t len;
    union {
        HeaptrackOp ops[HEAPTRACK_BATCH_OPS];
        PvHeapEvent events[HEAPTRACK_BATCH_OPS];
    };
} HeaptrackBatch;

G_STATIC_ASSERT (sizeof (HeaptrackOp) == sizeof (PvHeapEvent));

/* --- blocks of memory (heaptrack-blocks.c) ---------------------------------------------------- */

/* Size and site of an allocation, of which files without pointers keep numbers. The tokeniser adds
 * them while another thread looks up older ones, so they never move. */
typedef struct {
    uint64_t size;
    uint32_t site;
} HeaptrackInfo;

#define HEAPTRACK_INFO_CHUNK 16384u
#define HEAPTRACK_MAX_INFOS  ((uint64_t)1 << 29)

typedef struct {
    HeaptrackInfo **chunks; /* room for all that may come */
    uint64_t len;           /* the tokeniser's */
} HeaptrackInfos;

void heaptrack_infos_add (HeaptrackInfos *infos, uint64_t size, uint32_t site);
void heaptrack_infos_clear (HeaptrackInfos *infos);

/* A live block; taken: site + 1, 0 where the slot is free. */
typedef struct {
    uint64_t pointer;
    uint64_t size;
    uint32_t taken;
    uint32_t birth_ms;
} HeaptrackBlock;

/* The live blocks, in a hash table, and what the stage must remember. */
typedef struct {
    HeaptrackBlock *slots;
    size_t len;
    size_t mask;
    unsigned shift;
    uint64_t seed;
    atomic_size_t used_bytes; /* for the tokeniser to look at */

    bool is_by_pointer;
    const HeaptrackInfos *infos;
    uint64_t now_ms;
    uint64_t large_size;
    uint64_t last; /* the pointer or info of the allocation just made, if has_last */
    bool has_last;
} HeaptrackBlocks;

void heaptrack_blocks_init (HeaptrackBlocks *blocks, const HeaptrackInfos *infos);
void heaptrack_blocks_clear (HeaptrackBlocks *blocks);

/* Turns a batch's operations into events; frees of unknown blocks vanish. */
void heaptrack_blocks_resolve (HeaptrackBlocks *blocks, HeaptrackBatch *batch);

/* Tells the history of the blocks that were never freed. */
void heaptrack_blocks_keep (const HeaptrackBlocks *blocks, PvHeapBuilder *heap);

/* --- text (heaptrack-feed.c) ------------------------------------------------------------------ */

/* Readable bytes behind the text of a block; those it has are line feeds. */
#define HEAPTRACK_PADDING 32u

/* Whole lines, the last byte is a line feed. */
typedef struct {
    char *bytes;
    size_t len, cap;
    bool starts_within_line; /* up to its first line feed it is the rest of a line too long */
} HeaptrackText;

typedef struct {
    PvUnpackStream *stream;
    PvJob *job;
    char *carry; /* the start of the next line */
    size_t carry_len, carry_cap;
    bool is_within_line;
    bool is_at_end;
    atomic_uint_least64_t position; /* in the file, for the tokeniser to look at */
} HeaptrackFeed;

/* False at the end: what is left is no whole line, and stays in carry. */
bool heaptrack_feed_fill (HeaptrackFeed *feed, HeaptrackText *text);
void heaptrack_feed_clear (HeaptrackFeed *feed);

/* --- the session ------------------------------------------------------------------------------ */

typedef enum {
    HEAPTRACK_UNDECIDED,
    HEAPTRACK_RAW,
    HEAPTRACK_INTERPRETED,
} HeaptrackKind;

typedef struct {
    PvLocationId location;
    uint32_t generation; /* of the address space that it was looked up in */
} HeaptrackIp;

typedef struct HeaptrackPipe HeaptrackPipe;

typedef struct {
    PvProfileBuilder *builder;
    const PvReadContext *context;
    uint64_t file_bytes;
    HeaptrackFeed feed;
    HeaptrackPipe *pipe;
    HeaptrackBatch *batch; /* being filled */
    PvHeapBuilder *heap;   /* the history stage's once there is a batch */
    HeaptrackBlocks blocks;
    HeaptrackInfos infos;

    HeaptrackKind kind;
    uint32_t version;
    bool has_version;
    bool is_by_pointer; /* + and - carry pointers */
    bool is_attached;
    uint64_t last_ms;
    uint64_t page_bytes;
    const char *executable; /* its path; NULL: not told */
    const char *program;    /* the first word of the command; NULL: not told */

    PV_ARRAY (const char *) strings; /* 0 is none, as in the other tables */
    /* Of each node of the tree of calls; its number as a site of allocations comes with the first
     * one there: plus 1, and 0 until then. */
    PV_ARRAY (PvStackId) stack_of_trace;
    PV_ARRAY (uint32_t) site_of_trace;
    PV_ARRAY (uint32_t) stack_of_site;

    /* Of raw files: what is mapped where, and the addresses that traces name. */
    PvAddressSpace *space; /* link addresses as file offsets */
    PvIdMap ip_ids;
    PV_ARRAY (HeaptrackIp) ips;

    /* Of interpreted files. */
    PV_ARRAY (PvLocationId) locations;
    PV_ARRAY (PvGivenFrame) frames; /* of the line at hand */

    PvIdMap module_ids; /* by the address of the builder's string */

    uint64_t used_bytes; /* about what the tables take */
    uint64_t max_used_bytes;
    bool is_full;
    uint64_t n_damaged;
    uint64_t n_backward;
} HeaptrackSession;

/* Hands the batch on and begins another. */
void heaptrack_push_batch (HeaptrackSession *session); /* heaptrack-pipe.c */

static inline HeaptrackOp *
heaptrack_add_op (HeaptrackSession *session)
{
    if (G_UNLIKELY (session->batch->len == HEAPTRACK_BATCH_OPS))
        heaptrack_push_batch (session);
    return &session->batch->ops[session->batch->len++];
}

/* Reads the stream to its end. False when cancelled. */
bool heaptrack_run (HeaptrackSession *session);

/* heaptrack-lines.c */
const char *heaptrack_parse_hex (const char *text, uint64_t *ret_value);
void heaptrack_tokenise (HeaptrackSession *session, const HeaptrackText *text);

/* heaptrack-records.c: one line that is neither + nor -, from line to line_end, its line feed.
 * Returns where the next one starts: a string may have line feeds inside, up to text_end. */
const char *heaptrack_record (HeaptrackSession *session, const char *line, const char *line_end,
                              const char *text_end);
void heaptrack_decide (HeaptrackSession *session, HeaptrackKind kind);
uint32_t heaptrack_new_site (HeaptrackSession *session, uint64_t trace);
void heaptrack_records_finish (HeaptrackSession *session);

/* The site that allocates with this trace, which must exist. */
static inline uint32_t
heaptrack_get_site (HeaptrackSession *session, uint64_t trace)
{
    uint32_t site = session->site_of_trace.data[trace];
    return G_LIKELY (site != 0) ? site - 1 : heaptrack_new_site (session, trace);
}
