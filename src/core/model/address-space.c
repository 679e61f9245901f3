#include "core/model/address-space.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

#include "core/base/array.h"

struct PvAddressSpace {
    PV_ARRAY (PvMapping) mappings; /* sorted by start, not overlapping */
    uint32_t generation;
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
    space->generation = next_generation ();
    return space;
}

PvAddressSpace *
pv_address_space_copy (const PvAddressSpace *space)
{
    PvAddressSpace *copy = pv_address_space_new ();
    pv_array_append (&copy->mappings, space->mappings.data, space->mappings.len);
    return copy;
}

void
pv_address_space_free (PvAddressSpace *space)
{
    if (space == NULL)
        return;
    pv_array_clear (&space->mappings);
    g_free (space);
}

void
pv_address_space_reset (PvAddressSpace *space)
{
    space->mappings.len = 0;
    space->generation = next_generation ();
}

/* The first mapping that ends after addr. */
static size_t
first_ending_after (const PvAddressSpace *space, uint64_t addr)
{
    size_t low = 0, high = space->mappings.len;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (space->mappings.data[middle].end <= addr)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void
pv_address_space_add (PvAddressSpace *space, const PvMapping *mapping)
{
    if (mapping->end <= mapping->start)
        return;
    space->generation = next_generation ();

    /* [first, last) are the mappings that overlap; what sticks out of the outer two is kept. */
    size_t first = first_ending_after (space, mapping->start);
    size_t last = first;
    while (last < space->mappings.len && space->mappings.data[last].start < mapping->end)
        last++;

    PvMapping replacement[3];
    size_t n = 0;
    if (first < last && space->mappings.data[first].start < mapping->start) {
        replacement[n] = space->mappings.data[first];
        replacement[n++].end = mapping->start;
    }
    replacement[n++] = *mapping;
    if (first < last && space->mappings.data[last - 1].end > mapping->end) {
        PvMapping rest = space->mappings.data[last - 1];
        rest.file_offset += mapping->end - rest.start;
        rest.start = mapping->end;
        replacement[n++] = rest;
    }

    size_t n_after = space->mappings.len - last;
    pv_array_reserve (&space->mappings, first + n + n_after);
    memmove (space->mappings.data + first + n, space->mappings.data + last,
             n_after * sizeof (PvMapping));
    memcpy (space->mappings.data + first, replacement, n * sizeof (PvMapping));
    space->mappings.len = first + n + n_after;
}

const PvMapping *
pv_address_space_find (const PvAddressSpace *space, uint64_t runtime_addr)
{
    size_t i = first_ending_after (space, runtime_addr);
    if (i == space->mappings.len || space->mappings.data[i].start > runtime_addr)
        return NULL;
    return &space->mappings.data[i];
}

uint32_t
pv_address_space_get_generation (const PvAddressSpace *space)
{
    return space->generation;
}
