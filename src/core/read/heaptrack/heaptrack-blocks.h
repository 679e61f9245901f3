/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>

#include "core/read/heaptrack/heaptrack-ops.h"

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
