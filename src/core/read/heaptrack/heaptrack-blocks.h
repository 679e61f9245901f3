/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>

#include "core/read/heaptrack/heaptrack-ops.h"

/* Size and site of an allocation. Files without pointers refer to infos by number. The tokeniser
 * adds infos while another thread reads older ones, so they never move. */
typedef struct {
    uint64_t size;
    uint32_t site;
} HeaptrackInfo;

#define HEAPTRACK_INFO_CHUNK 16384u
#define HEAPTRACK_MAX_INFOS  ((uint64_t)1 << 29)

typedef struct {
    HeaptrackInfo **chunks; /* room for HEAPTRACK_MAX_INFOS */
    uint64_t len;           /* only for the tokeniser */
} HeaptrackInfos;

void heaptrack_infos_add (HeaptrackInfos *infos, uint64_t size, uint32_t site);
void heaptrack_infos_clear (HeaptrackInfos *infos);

/* A live block. taken is site + 1, or 0 if the slot is free. */
typedef struct {
    uint64_t pointer;
    uint64_t size;
    uint32_t taken;
    uint32_t birth_ms;
} HeaptrackBlock;

/* A hash table of the live blocks, and the state of the stage. */
typedef struct {
    HeaptrackBlock *slots;
    size_t len;
    size_t mask;
    unsigned shift;
    uint64_t seed;
    atomic_size_t used_bytes; /* read by the tokeniser */

    bool is_by_pointer;
    const HeaptrackInfos *infos;
    uint64_t now_ms;
    uint64_t large_size;
    uint64_t last; /* pointer or info of the preceding allocation, if has_last */
    bool has_last;
} HeaptrackBlocks;

void heaptrack_blocks_init (HeaptrackBlocks *blocks, const HeaptrackInfos *infos);
void heaptrack_blocks_clear (HeaptrackBlocks *blocks);

/* Turns a batch's operations into events; drops frees of unknown blocks. */
void heaptrack_blocks_resolve (HeaptrackBlocks *blocks, HeaptrackBatch *batch);

/* Reports the blocks that were never freed to the history. */
void heaptrack_blocks_keep (const HeaptrackBlocks *blocks, PvHeapBuilder *heap);
