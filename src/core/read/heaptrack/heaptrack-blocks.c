/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds the block of each free. With pointers, the live blocks are in a hash table with open
 * addressing and linear probing; removing a block moves later ones up. The main cost is memory
 * latency, so slots are prefetched some operations ahead.
 *
 * A free of an unknown pointer (allocated before the recording began, or while it was paused)
 * has no effect, except that the allocation before it is not temporary. Allocating a live pointer
 * again replaces its block, which stays live for ever. heaptrack_interpret does the same in both
 * cases.
 */
#include "core/read/heaptrack/heaptrack-blocks.h"

#include <string.h>
#include <time.h>

#include "core/base/hash.h"
#include "core/base/large.h"

#define FIRST_SLOTS ((size_t)1 << 12)
#define AHEAD       16u
#define NO_INFO     UINT64_MAX

/* Allocation infos */

void
heaptrack_infos_add (HeaptrackInfos *infos, uint64_t size, uint32_t site)
{
    if (infos->chunks == NULL)
        infos->chunks = g_new0 (HeaptrackInfo *, HEAPTRACK_MAX_INFOS / HEAPTRACK_INFO_CHUNK);
    HeaptrackInfo **chunk = &infos->chunks[infos->len / HEAPTRACK_INFO_CHUNK];
    if (*chunk == NULL)
        *chunk = g_new (HeaptrackInfo, HEAPTRACK_INFO_CHUNK);
    (*chunk)[infos->len++ % HEAPTRACK_INFO_CHUNK] = (HeaptrackInfo){size, site};
}

void
heaptrack_infos_clear (HeaptrackInfos *infos)
{
    for (uint64_t i = 0; i < infos->len; i += HEAPTRACK_INFO_CHUNK)
        g_free (infos->chunks[i / HEAPTRACK_INFO_CHUNK]);
    g_free (infos->chunks);
}

static inline const HeaptrackInfo *
get_info (const HeaptrackInfos *infos, uint64_t index)
{
    return &infos->chunks[index / HEAPTRACK_INFO_CHUNK][index % HEAPTRACK_INFO_CHUNK];
}

/* The table */

static void
make_slots (HeaptrackBlocks *blocks, size_t n_slots)
{
    blocks->slots = pv_new0_large (HeaptrackBlock, n_slots);
    blocks->mask = n_slots - 1;
    blocks->shift = 64 - (unsigned)__builtin_ctzll (n_slots);
    blocks->len = 0;
    atomic_store_explicit (&blocks->used_bytes, n_slots * sizeof (HeaptrackBlock),
                           memory_order_relaxed);
}

void
heaptrack_blocks_init (HeaptrackBlocks *blocks, const HeaptrackInfos *infos)
{
    *blocks = (HeaptrackBlocks){.infos = infos};
    /* Prevents crafted files in which all pointers collide. */
    struct timespec now;
    clock_gettime (CLOCK_MONOTONIC, &now);
    blocks->seed = pv_hash_mix ((uint64_t)now.tv_nsec ^ (uint64_t)(uintptr_t)blocks << 20);
}

void
heaptrack_blocks_clear (HeaptrackBlocks *blocks)
{
    g_free (blocks->slots);
}

static inline size_t
home_of (const HeaptrackBlocks *blocks, uint64_t pointer)
{
    return (size_t)(pv_hash_fold (pointer ^ blocks->seed, UINT64_C (0x9e3779b97f4a7c15)) >>
                    blocks->shift);
}

static void
grow (HeaptrackBlocks *blocks)
{
    HeaptrackBlock *old = blocks->slots;
    size_t n_old = old != NULL ? blocks->mask + 1 : 0;
    make_slots (blocks, MAX (FIRST_SLOTS, 2 * n_old));
    for (size_t i = 0; i < n_old; i++) {
        if (old[i].taken == 0)
            continue;
        size_t at = home_of (blocks, old[i].pointer);
        while (blocks->slots[at].taken != 0)
            at = (at + 1) & blocks->mask;
        blocks->slots[at] = old[i];
        blocks->len++;
    }
    g_free (old);
}

static inline void
put (HeaptrackBlocks *blocks, uint64_t pointer, uint64_t size, uint32_t site)
{
    size_t at = home_of (blocks, pointer);
    while (blocks->slots[at].taken != 0 && blocks->slots[at].pointer != pointer)
        at = (at + 1) & blocks->mask;
    blocks->len += blocks->slots[at].taken == 0;
    blocks->slots[at] = (HeaptrackBlock){
        .pointer = pointer,
        .size = size,
        .taken = site + 1,
        .birth_ms = (uint32_t)MIN (blocks->now_ms, UINT32_MAX),
    };
}

/* Empties a slot and closes the gap: later blocks that were displaced by it move up. */
static inline void
remove_at (HeaptrackBlocks *blocks, size_t gap)
{
    HeaptrackBlock *slots = blocks->slots;
    size_t mask = blocks->mask;
    blocks->len--;
    for (size_t at = (gap + 1) & mask; slots[at].taken != 0; at = (at + 1) & mask) {
        size_t distance = (at - home_of (blocks, slots[at].pointer)) & mask;
        if (distance < ((at - gap) & mask))
            continue;
        slots[gap] = slots[at];
        gap = at;
    }
    slots[gap].taken = 0;
}

/* Allocations from before the recorder was attached do not count. */
static void
forget_all (HeaptrackBlocks *blocks)
{
    if (blocks->slots != NULL)
        memset (blocks->slots, 0, (blocks->mask + 1) * sizeof (HeaptrackBlock));
    blocks->len = 0;
    blocks->has_last = false;
}

static inline uint32_t
get_age (uint64_t birth_ms, uint64_t now_ms)
{
    uint64_t age_ms = now_ms - MIN (birth_ms, now_ms);
    return birth_ms == UINT32_MAX ? PV_HEAP_AGE_UNKNOWN
                                  : (uint32_t)MIN (age_ms, PV_HEAP_AGE_UNKNOWN);
}

/* The stage */

static bool
free_pointer (HeaptrackBlocks *blocks, uint64_t pointer, PvHeapEvent *event)
{
    bool is_temporary = blocks->has_last && blocks->last == pointer;
    blocks->has_last = false;
    size_t at = home_of (blocks, pointer);
    while (blocks->slots[at].taken != 0 && blocks->slots[at].pointer != pointer)
        at = (at + 1) & blocks->mask;
    const HeaptrackBlock *block = &blocks->slots[at];
    if (block->taken == 0)
        return false;
    *event = (PvHeapEvent){
        .value = block->size,
        .site = block->taken - 1,
        .kind = is_temporary ? PV_HEAP_EVENT_FREE_TEMPORARY : PV_HEAP_EVENT_FREE,
        .age_ms = get_age (block->birth_ms, blocks->now_ms),
    };
    remove_at (blocks, at);
    return true;
}

static PvHeapEvent
alloc_pointer (HeaptrackBlocks *blocks, const HeaptrackOp *op)
{
    uint64_t size = op->size != UINT32_MAX ? op->size : blocks->large_size;
    blocks->last = op->value;
    blocks->has_last = true;
    put (blocks, op->value, size, op->site);
    return (PvHeapEvent){.value = size, .site = op->site, .kind = PV_HEAP_EVENT_ALLOC};
}

/* Handles an operation without a block. False if it is no event. */
static bool
pass_on (HeaptrackBlocks *blocks, const HeaptrackOp *op, PvHeapEvent *event)
{
    PvHeapEventKind kind = PV_HEAP_EVENT_ATTACHED;
    switch (op->kind) {
    case HEAPTRACK_OP_TIME:
        blocks->now_ms = op->value;
        kind = PV_HEAP_EVENT_TIME;
        break;
    case HEAPTRACK_OP_RSS:
        kind = PV_HEAP_EVENT_RSS;
        break;
    case HEAPTRACK_OP_ATTACHED:
        forget_all (blocks);
        break;
    case HEAPTRACK_OP_LARGE:
        blocks->large_size = op->value;
        return false;
    default:
        break;
    }
    *event = (PvHeapEvent){.value = op->value, .kind = kind};
    return true;
}

static void
resolve_pointers (HeaptrackBlocks *blocks, HeaptrackBatch *batch)
{
    /* Make room for the whole batch, so that prefetched slots do not move. */
    while (blocks->slots == NULL || (blocks->len + batch->len) * 2 > blocks->mask)
        grow (blocks);
    size_t n_events = 0;
    for (size_t i = 0; i < batch->len; i++) {
        if (i + AHEAD < batch->len)
            __builtin_prefetch (&blocks->slots[home_of (blocks, batch->ops[i + AHEAD].value)], 1);
        HeaptrackOp op = batch->ops[i];
        PvHeapEvent event;
        bool is_event = true;
        if (op.kind == HEAPTRACK_OP_ALLOC)
            event = alloc_pointer (blocks, &op);
        else if (op.kind == HEAPTRACK_OP_FREE)
            is_event = free_pointer (blocks, op.value, &event);
        else
            is_event = pass_on (blocks, &op, &event);
        if (is_event)
            batch->events[n_events++] = event;
    }
    batch->len = n_events;
}

/* Branchless, as the order of allocations and frees is unpredictable. */
static inline PvHeapEvent
resolve_info (const HeaptrackInfos *infos, HeaptrackOp op, uint64_t *last)
{
    const HeaptrackInfo *info = get_info (infos, op.value);
    unsigned is_free = op.kind;
    unsigned is_temporary = is_free & (*last == op.value);
    *last = op.value | -(uint64_t)is_free;
    return (PvHeapEvent){
        .value = info->size,
        .site = info->site,
        .kind = PV_HEAP_EVENT_ALLOC + is_free + is_temporary,
        .age_ms = PV_HEAP_AGE_UNKNOWN,
    };
}

G_STATIC_ASSERT (HEAPTRACK_OP_ALLOC == 0 && HEAPTRACK_OP_FREE == 1);
G_STATIC_ASSERT (PV_HEAP_EVENT_FREE == PV_HEAP_EVENT_ALLOC + 1 &&
                 PV_HEAP_EVENT_FREE_TEMPORARY == PV_HEAP_EVENT_FREE + 1);

static void
resolve_infos (HeaptrackBlocks *blocks, HeaptrackBatch *batch)
{
    uint64_t last = blocks->has_last ? blocks->last : NO_INFO;
    size_t n_events = 0;
    for (size_t i = 0; i < batch->len; i++) {
        HeaptrackOp op = batch->ops[i];
        PvHeapEvent *event = &batch->events[n_events];
        if (G_LIKELY (op.kind <= HEAPTRACK_OP_FREE))
            *event = resolve_info (blocks->infos, op, &last);
        else if (!pass_on (blocks, &op, event))
            continue;
        n_events++;
    }
    batch->len = n_events;
    blocks->last = last;
    blocks->has_last = last != NO_INFO;
}

void
heaptrack_blocks_resolve (HeaptrackBlocks *blocks, HeaptrackBatch *batch)
{
    if (blocks->is_by_pointer)
        resolve_pointers (blocks, batch);
    else
        resolve_infos (blocks, batch);
}

void
heaptrack_blocks_keep (const HeaptrackBlocks *blocks, PvHeapBuilder *heap)
{
    for (size_t i = 0; blocks->slots != NULL && i <= blocks->mask; i++) {
        const HeaptrackBlock *block = &blocks->slots[i];
        if (block->taken != 0)
            pv_heap_builder_add_unfreed (heap, block->taken - 1,
                                         get_age (block->birth_ms, blocks->now_ms));
    }
}
