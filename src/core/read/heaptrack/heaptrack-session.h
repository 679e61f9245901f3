/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/base/array.h"
#include "core/base/idmap.h"
#include "core/model/profile/address-space.h"
#include "core/read/heaptrack/heaptrack-blocks.h"
#include "core/read/heaptrack/heaptrack-feed.h"
#include "core/read/unpack/reader.h"

/*
 * Reading heaptrack files: text goes in blocks of whole lines (heaptrack-feed.c) to the tokeniser
 * (heaptrack-lines.c), which hands the rare lines to the builder (heaptrack-records.c) and makes
 * operations of the frequent ones; of these the blocks' stage (heaptrack-blocks.c) makes events in
 * place, which go to the history. heaptrack-pipe.c runs this, in one thread or in four.
 */

typedef enum {
    HEAPTRACK_UNDECIDED,
    HEAPTRACK_RAW,
    HEAPTRACK_INTERPRETED,
} HeaptrackKind;

typedef struct {
    PvLocationId location;
    uint32_t generation; /* of the address space that it was looked up in */
} HeaptrackIp;

typedef struct HeaptrackSession HeaptrackSession;
struct HeaptrackSession {
    PvProfileBuilder *builder;
    const PvReadContext *context;
    uint64_t file_bytes;
    HeaptrackFeed feed;
    HeaptrackBatch *batch; /* being filled */
    /* Passes the batch on and begins another. The pipe's (heaptrack-pipe.c), like its data. */
    void (*push_batch) (HeaptrackSession *session);
    void *pipe;
    PvHeapBuilder *heap; /* the history stage's once there is a batch */
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
};

/* For a file of that size on disk. */
void heaptrack_session_init (HeaptrackSession *session, PvUnpackStream *stream, uint64_t file_bytes,
                             PvProfileBuilder *builder, const PvReadContext *context);
void heaptrack_session_clear (HeaptrackSession *session);

/* Sets the size of the file on disk, which limits the memory that its tables may take. */
void heaptrack_session_set_size (HeaptrackSession *session, uint64_t file_bytes);

/* Settles what kind of file this is, and begins the history. Once. */
void heaptrack_decide (HeaptrackSession *session, HeaptrackKind kind);

/* Finds the blocks of the operations in a batch and adds its events to the history. */
void heaptrack_take_batch (HeaptrackSession *session, HeaptrackBatch *batch);

/* Gives the history to the builder of the profile, which owns what is returned. heap is
 * session->heap or a copy of it; it can only be freed after this. */
const PvHeap *heaptrack_publish (HeaptrackSession *session, PvHeapBuilder *heap);

/* Updates is_full; whether reading goes on. */
bool heaptrack_has_memory (HeaptrackSession *session);

static inline HeaptrackOp *
heaptrack_add_op (HeaptrackSession *session)
{
    if (G_UNLIKELY (session->batch->len == HEAPTRACK_BATCH_OPS))
        session->push_batch (session);
    return &session->batch->ops[session->batch->len++];
}
