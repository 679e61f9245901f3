/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/model/profile/address-space.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

#include "core/base/array.h"
#include "core/base/search.h"

/*
 * Mappings sorted by address, in blocks: programs with a hundred thousand mappings usually map
 * downwards, so a single array would be moved for each of them. Blocks are never empty and have at
 * most BLOCK_MAPPINGS mappings.
 */
#define BLOCK_MAPPINGS 512u

typedef struct {
    uint64_t end; /* end of its last mapping */
    PvMapping *mappings;
    uint32_t len, cap;
} Block;

struct PvAddressSpace {
    PvAddressSpaceHead head;
    PV_ARRAY (Block) blocks;
};

static uint32_t
next_generation (void)
{
    static atomic_uint_fast32_t last;
    return (uint32_t)atomic_fetch_add (&last, 1) + 1;
}

PvAddressSpace *
pv_address_space_new (void)
{
    PvAddressSpace *space = g_new0 (PvAddressSpace, 1);
    space->head.generation = next_generation ();
    return space;
}

PvAddressSpace *
pv_address_space_copy (const PvAddressSpace *space)
{
    g_assert (space != NULL);
    PvAddressSpace *copy = pv_address_space_new ();
    pv_array_append (&copy->blocks, space->blocks.data, space->blocks.len);
    for (size_t i = 0; i < copy->blocks.len; i++) {
        Block *block = &copy->blocks.data[i];
        block->cap = block->len;
        block->mappings = g_memdup2 (block->mappings, block->len * sizeof (PvMapping));
    }
    return copy;
}

void
pv_address_space_free (PvAddressSpace *space)
{
    if (space == NULL)
        return;
    for (size_t i = 0; i < space->blocks.len; i++)
        g_free (space->blocks.data[i].mappings);
    pv_array_clear (&space->blocks);
    g_free (space);
}

/* The first block that ends after addr. */
static size_t
find_block (const PvAddressSpace *space, uint64_t addr)
{
    return pv_bisect (0, space->blocks.len, i, space->blocks.data[i].end <= addr);
}

/* The block's first mapping that ends after addr. */
static uint32_t
find_mapping (const Block *block, uint64_t addr)
{
    return pv_bisect (0, block->len, i, block->mappings[i].end <= addr);
}

static void
remove_block (PvAddressSpace *space, size_t index)
{
    g_free (space->blocks.data[index].mappings);
    space->blocks.len--;
    memmove (space->blocks.data + index, space->blocks.data + index + 1,
             (space->blocks.len - index) * sizeof (Block));
}

static void
insert_block (PvAddressSpace *space, size_t index, const PvMapping *mappings, uint32_t n)
{
    Block block = {mappings[n - 1].end, g_memdup2 (mappings, n * sizeof (PvMapping)), n, n};
    pv_array_push (&space->blocks, block);
    memmove (space->blocks.data + index + 1, space->blocks.data + index,
             (space->blocks.len - 1 - index) * sizeof (Block));
    space->blocks.data[index] = block;
}

/* Replaces the mappings [first, last) of a block by n others. The block may overflow
 * temporarily. */
static void
replace (PvAddressSpace *space, size_t index, uint32_t first, uint32_t last,
         const PvMapping *mappings, uint32_t n)
{
    Block *block = &space->blocks.data[index];
    uint32_t n_after = block->len - last;
    uint32_t len = first + n + n_after;
    if (len == 0) {
        remove_block (space, index);
        return;
    }
    if (len > block->cap) {
        block->cap = MAX (len, block->cap + block->cap / 2);
        block->mappings = g_renew (PvMapping, block->mappings, block->cap);
    }
    memmove (block->mappings + first + n, block->mappings + last, n_after * sizeof (PvMapping));
    if (n > 0)
        memcpy (block->mappings + first, mappings, n * sizeof (PvMapping));
    block->len = len;
    block->end = block->mappings[len - 1].end;
    if (len <= BLOCK_MAPPINGS)
        return;
    uint32_t half = len / 2;
    insert_block (space, index + 1, block->mappings + half, len - half);
    block = &space->blocks.data[index]; /* the array may have moved */
    block->len = half;
    block->end = block->mappings[half - 1].end;
}

/* Removes [start, end) from the first block that ends after start. True if the next block may also
 * overlap it. */
static bool
cut (PvAddressSpace *space, uint64_t start, uint64_t end)
{
    size_t index = find_block (space, start);
    if (index == space->blocks.len)
        return false;
    const Block *block = &space->blocks.data[index];
    uint32_t first = find_mapping (block, start), last = first;
    while (last < block->len && block->mappings[last].start < end)
        last++;
    if (first == last)
        return false;

    /* Keeps the outer parts of the first and last mapping. */
    PvMapping rests[2];
    uint32_t n = 0;
    if (block->mappings[first].start < start) {
        rests[n] = block->mappings[first];
        rests[n++].end = start;
    }
    if (block->mappings[last - 1].end > end) {
        PvMapping rest = block->mappings[last - 1];
        rest.file_offset += end - rest.start;
        rest.start = end;
        rests[n++] = rest;
    }
    bool reached_end = last == block->len && block->end <= end;
    replace (space, index, first, last, rests, n);
    return reached_end;
}

void
pv_address_space_add (PvAddressSpace *space, const PvMapping *mapping)
{
    g_assert (space != NULL && mapping != NULL);
    if (mapping->end <= mapping->start)
        return;
    space->head.generation = next_generation ();
    while (cut (space, mapping->start, mapping->end))
        ;
    size_t index = find_block (space, mapping->start);
    if (index == space->blocks.len && index > 0)
        index--; /* after all others */
    if (index == space->blocks.len) {
        insert_block (space, 0, mapping, 1);
        return;
    }
    uint32_t at = find_mapping (&space->blocks.data[index], mapping->start);
    replace (space, index, at, at, mapping, 1);
}

const PvMapping *
pv_address_space_find_from (const PvAddressSpace *space, uint64_t runtime_addr)
{
    size_t index = find_block (space, runtime_addr);
    if (index == space->blocks.len)
        return NULL;
    const Block *block = &space->blocks.data[index];
    return &block->mappings[find_mapping (block, runtime_addr)];
}

const PvMapping *
pv_address_space_find (const PvAddressSpace *space, uint64_t runtime_addr)
{
    const PvMapping *mapping = pv_address_space_find_from (space, runtime_addr);
    return mapping != NULL && mapping->start <= runtime_addr ? mapping : NULL;
}

/* User addresses have 48 bits, 52 on some machines; signatures are in the bits above. */
uint64_t
pv_address_space_strip_signature (const PvAddressSpace *space, uint64_t runtime_addr)
{
    uint64_t short_addr = runtime_addr & (((uint64_t)1 << 48) - 1);
    uint64_t long_addr = runtime_addr & (((uint64_t)1 << 52) - 1);
    if (runtime_addr == short_addr || pv_address_space_find (space, runtime_addr) != NULL)
        return runtime_addr;
    return pv_address_space_find (space, long_addr) != NULL ? long_addr : short_addr;
}
