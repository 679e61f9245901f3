#include "core/base/hash.h"
#include "core/read/pprof-internal.h"

enum { FIRST_SLOT_BITS = 8 };

void
pprof_stacks_init (PprofStacks *stacks)
{
    *stacks = (PprofStacks){.n_slot_bits = FIRST_SLOT_BITS};
    pv_array_push (&stacks->parent, 0);
    pv_array_push (&stacks->location, 0);
    stacks->children = g_new0 (PprofChild, (size_t)1 << stacks->n_slot_bits);
}

void
pprof_stacks_end (PprofStacks *stacks)
{
    g_clear_pointer (&stacks->children, g_free);
}

void
pprof_stacks_clear (PprofStacks *stacks)
{
    pprof_stacks_end (stacks);
    pv_array_clear (&stacks->parent);
    pv_array_clear (&stacks->location);
}

static inline uint64_t
hash_child (uint32_t parent, uint32_t location)
{
    return pv_hash_mix ((uint64_t)parent << 32 | location);
}

/* The child, or the free slot where it belongs. */
static inline PprofChild *
find_slot (const PprofStacks *stacks, uint32_t parent, uint32_t location, uint64_t hash)
{
    size_t mask = ((size_t)1 << stacks->n_slot_bits) - 1;
    for (size_t at = hash & mask;; at = (at + 1) & mask) {
        PprofChild *child = &stacks->children[at];
        if (child->stack == 0 ||
            (child->check == hash >> 32 && stacks->parent.data[child->stack] == parent &&
             stacks->location.data[child->stack] == location))
            return child;
    }
}

static inline uint32_t
find_child (const PprofStacks *stacks, uint32_t parent, uint32_t location)
{
    uint32_t next = parent + 1;
    if (next < stacks->parent.len && stacks->parent.data[next] == parent &&
        stacks->location.data[next] == location)
        return next;
    return find_slot (stacks, parent, location, hash_child (parent, location))->stack;
}

static void
put_child (PprofStacks *stacks, uint32_t stack)
{
    uint32_t parent = stacks->parent.data[stack], location = stacks->location.data[stack];
    uint64_t hash = hash_child (parent, location);
    *find_slot (stacks, parent, location, hash) = (PprofChild){stack, (uint32_t)(hash >> 32)};
}

/* Three quarters full at most. */
static void
add_child (PprofStacks *stacks, uint32_t stack)
{
    size_t n_slots = (size_t)1 << stacks->n_slot_bits;
    if (++stacks->n_children > n_slots / 4 * 3) {
        g_autofree PprofChild *old = g_steal_pointer (&stacks->children);
        stacks->n_slot_bits++;
        stacks->children = g_new0 (PprofChild, 2 * n_slots);
        for (size_t i = 0; i < n_slots; i++)
            if (old[i].stack != 0)
                put_child (stacks, old[i].stack);
    }
    put_child (stacks, stack);
}

uint32_t
pprof_stacks_add (PprofStacks *stacks, const uint32_t *leaf_first, size_t n)
{
    uint32_t at = 0;
    while (n > 0) {
        uint32_t child = find_child (stacks, at, leaf_first[n - 1]);
        if (child == 0)
            break;
        at = child;
        n--;
    }
    if (n == 0)
        return at;
    if (n >= PPROF_MAX_STACKS - stacks->parent.len)
        return PPROF_MAX_STACKS;
    uint32_t row = (uint32_t)stacks->parent.len, first = row;
    bool is_other = row != at + 1;
    pv_array_reserve (&stacks->parent, row + n);
    pv_array_reserve (&stacks->location, row + n);
    for (; n > 0; n--, at = row++) {
        stacks->parent.data[row] = at;
        stacks->location.data[row] = leaf_first[n - 1];
    }
    stacks->parent.len = stacks->location.len = row;
    if (is_other)
        add_child (stacks, first);
    return at;
}
