/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/read/pprof/pprof-stacks.h"

#include "core/base/hash.h"
#include "core/base/large.h"

enum { FIRST_SLOT_BITS = 8, FIRST_ROWS = 1 << 10 };

/* Row 0 is the root. The row after it always starts a chain. */
void
pprof_stacks_init (PprofStacks *stacks)
{
    *stacks = (PprofStacks){.n_slot_bits = FIRST_SLOT_BITS};
    pv_array_push (&stacks->location, 0);
    stacks->slots = g_new0 (PprofSlot, (size_t)1 << stacks->n_slot_bits);
}

void
pprof_stacks_clear (PprofStacks *stacks)
{
    pv_array_clear (&stacks->location);
    pv_array_clear (&stacks->chains);
    g_clear_pointer (&stacks->slots, g_free);
}

void
pprof_stacks_take (PprofStacks *stacks, uint32_t **ret_parent, uint32_t **ret_location)
{
    size_t n = stacks->location.len, n_chains = stacks->chains.len;
    g_clear_pointer (&stacks->slots, g_free);
    uint32_t *location = pv_large_realloc (stacks->location.data, n, sizeof *location);
    uint32_t *parent = pv_new_large (uint32_t, n);
    parent[0] = 0;
    for (size_t i = 0; i < n_chains; i++) {
        PprofChain chain = stacks->chains.data[i];
        size_t end = i + 1 < n_chains ? stacks->chains.data[i + 1].first : n;
        location[chain.first] = chain.location;
        parent[chain.first] = chain.parent;
        for (uint32_t row = chain.first + 1; row < end; row++)
            parent[row] = row - 1;
    }
    *ret_parent = parent;
    *ret_location = location;
    pv_array_steal (&stacks->location);
    pprof_stacks_clear (stacks);
}

static inline uint32_t
hash_child (uint32_t parent, uint32_t location)
{
    return (uint32_t)(pv_hash_mix ((uint64_t)parent << 32 | location) >> 32);
}

/* The first row of a chain, or 0. */
static uint32_t
find_chain (const PprofStacks *stacks, uint32_t parent, uint32_t location)
{
    size_t mask = ((size_t)1 << stacks->n_slot_bits) - 1;
    uint32_t hash = hash_child (parent, location);
    for (size_t at = hash & mask;; at = (at + 1) & mask) {
        PprofSlot slot = stacks->slots[at];
        if (slot.chain == 0)
            return 0;
        const PprofChain *chain = &stacks->chains.data[slot.chain - 1];
        if (slot.hash == hash && chain->parent == parent && chain->location == location)
            return chain->first;
    }
}

/* Adds a slot that is not in the table yet. */
static void
put_slot (PprofStacks *stacks, PprofSlot slot)
{
    size_t mask = ((size_t)1 << stacks->n_slot_bits) - 1, at = slot.hash & mask;
    while (stacks->slots[at].chain != 0)
        at = (at + 1) & mask;
    stacks->slots[at] = slot;
}

/* Keeps the table at most three quarters full. */
static void
add_chain (PprofStacks *stacks, uint32_t first, uint32_t parent, uint32_t location)
{
    size_t n_slots = (size_t)1 << stacks->n_slot_bits;
    PprofChain chain = {first, parent, location};
    pv_array_push (&stacks->chains, chain);
    if (stacks->chains.len > n_slots / 4 * 3) {
        g_autofree PprofSlot *old = g_steal_pointer (&stacks->slots);
        stacks->n_slot_bits++;
        stacks->slots = pv_new0_large (PprofSlot, 2 * n_slots);
        for (size_t i = 0; i < n_slots; i++)
            if (old[i].chain != 0)
                put_slot (stacks, old[i]);
    }
    put_slot (stacks, (PprofSlot){(uint32_t)stacks->chains.len, hash_child (parent, location)});
}

static void
reserve (PprofStacks *stacks, size_t n)
{
    if (n <= stacks->location.cap)
        return;
    size_t cap = MAX (MAX (n, FIRST_ROWS), stacks->location.cap + stacks->location.cap / 2);
    stacks->location.data = pv_large_realloc (stacks->location.data, cap, sizeof (uint32_t));
    stacks->location.cap = cap;
}

uint32_t
pprof_stacks_add (PprofStacks *stacks, const uint32_t *leaf_first, size_t n)
{
    const uint32_t *location = stacks->location.data;
    uint32_t at = 0, len = (uint32_t)stacks->location.len;
    for (; n > 0; n--) {
        uint32_t wanted = leaf_first[n - 1];
        bool continues = at + 1 < len && location[at + 1] == wanted;
        uint32_t child = continues ? at + 1 : find_chain (stacks, at, wanted);
        if (child == 0)
            break;
        at = child;
    }
    if (n == 0)
        return at;
    if (n >= PPROF_MAX_STACKS - len)
        return PPROF_MAX_STACKS;
    reserve (stacks, len + n);
    add_chain (stacks, len, at, leaf_first[n - 1]);
    uint32_t *row = stacks->location.data + len;
    *row++ = leaf_first[n - 1] | PPROF_IS_FIRST;
    while (--n > 0)
        *row++ = leaf_first[n - 1];
    stacks->location.len = (size_t)(row - stacks->location.data);
    return (uint32_t)stacks->location.len - 1;
}
