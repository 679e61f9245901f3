/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/base/array.h"
#include "core/base/idmap.h"
#include "core/model/profile/address-space.h"
#include "core/read/heaptrack/heaptrack-blocks.h"
#include "core/read/heaptrack/heaptrack-feed.h"
#include "core/read/unpack/reader.h"

/*
 * Reads heaptrack files. heaptrack-feed.c splits the text into blocks of whole lines. The tokeniser
 * (heaptrack-lines.c) adds the rare lines to the builder (heaptrack-records.c) and turns the
 * frequent ones into operations. heaptrack-blocks.c converts these in place to events, which go to
 * the history. heaptrack-pipe.c runs this in up to four threads.
 */

typedef enum {
    HEAPTRACK_UNDECIDED,
    HEAPTRACK_RAW,
    HEAPTRACK_INTERPRETED,
} HeaptrackKind;

typedef struct {
    PvLocationId location;
    uint32_t generation; /* of the address space it was looked up in */
} HeaptrackIp;

typedef struct HeaptrackSession HeaptrackSession;
struct HeaptrackSession {
    PvProfileBuilder *builder;
    const PvReadContext *context;
    uint64_t file_bytes;
    HeaptrackFeed feed;
    HeaptrackBatch *batch; /* being filled */
    /* Passes the batch on and starts another. Set by heaptrack-pipe.c, like pipe. */
    void (*push_batch) (HeaptrackSession *session);
    void *pipe;
    PvHeapBuilder *heap; /* owned by the history stage once there is a batch */
    HeaptrackBlocks blocks;
    HeaptrackInfos infos;

    HeaptrackKind kind;
    uint32_t version;
    bool has_version;
    bool has_second_version;
    bool has_another;         /* a second trace, with a version and a program of its own */
    uint64_t program_version; /* of heaptrack: 0x10400 is 1.4.0; 0: unknown */
    bool is_by_pointer;       /* + and - have pointers */
    bool is_attached;
    bool has_rss;
    bool is_cut;     /* the trace ends before the program did */
    const char *cut; /* why, as its last line says; NULL: there is no such line */
    uint64_t last_ms;
    uint64_t page_bytes;
    const char *executable; /* path; NULL: unknown */
    const char *program;    /* first word of the command; NULL: unknown */
    uint32_t n_relative;    /* modules with relative paths that were looked for */

    PV_ARRAY (const char *) strings; /* index 0: no entry, as in the other tables */
    /* By node of the call tree. site_of_trace is the allocation site + 1, or 0 before the first
     * allocation there. */
    PV_ARRAY (PvStackId) stack_of_trace;
    PV_ARRAY (uint32_t) site_of_trace;
    PV_ARRAY (uint32_t) stack_of_site;

    /* For raw files: the mappings, and the addresses in traces. */
    PvAddressSpace *space; /* link addresses as file offsets */
    PvIdMap ip_ids;
    PV_ARRAY (HeaptrackIp) ips;

    /* For interpreted files: */
    PV_ARRAY (PvLocationId) locations;
    PV_ARRAY (PvGivenFrame) frames; /* of the current line */

    PvIdMap module_ids; /* by the address of the builder's string */

    uint64_t used_bytes;     /* approximate size of the tables */
    uint64_t unpacked_bytes; /* tokenised so far */
    bool is_full;
    uint64_t n_damaged;
    uint64_t n_backward;
};

/* file_bytes is the size on disk. */
void heaptrack_session_init (HeaptrackSession *session, PvUnpackStream *stream, uint64_t file_bytes,
                             PvProfileBuilder *builder, const PvReadContext *context);
void heaptrack_session_clear (HeaptrackSession *session);

/* Sets the kind of file and starts the history. Call once. */
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
