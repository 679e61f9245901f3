/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/model/heap/heap-classes.h"

#include <string.h>

#include "core/base/array.h"
#include "core/base/hash.h"
#include "core/base/large.h"

void
pv_heap_sizes_clear (PvHeapSizes *sizes)
{
    g_free (sizes->cells);
    *sizes = (PvHeapSizes){0};
}

/* The bytes that say where each class is take the room of these. */
enum { MAP_CELLS = PV_HEAP_N_COUNTED_CLASSES / sizeof (PvHeapSizeCell) };

/* A block of the map and 2^log cells. */
static uint32_t
take_block (PvHeapSizes *sizes, unsigned log)
{
    uint32_t block = sizes->free_block[log];
    if (block != 0) {
        sizes->free_block[log] = (uint32_t)sizes->cells[block].n;
        return block;
    }
    size_t start = MAX (sizes->len, 1);
    sizes->len = start + MAP_CELLS + ((size_t)1 << log);
    if (sizes->len > sizes->cap)
        sizes->cells =
            pv_array_grow (sizes->cells, &sizes->cap, sizes->len, sizeof (PvHeapSizeCell));
    return (uint32_t)start;
}

static void
give_block (PvHeapSizes *sizes, uint32_t block, unsigned log)
{
    sizes->cells[block].n = sizes->free_block[log];
    sizes->free_block[log] = block;
}

static unsigned
block_log (unsigned n_cells)
{
    return n_cells < 2 ? 0 : 32 - (unsigned)__builtin_clz (n_cells - 1);
}

void
pv_heap_sizes_insert (PvHeapSizes *sizes, uint32_t *block, unsigned size_class)
{
    uint32_t old = *block;
    unsigned n = 0;
    for (unsigned c = 0; old != 0 && c < PV_HEAP_N_COUNTED_CLASSES; c++)
        n += pv_heap_sizes_find (sizes, old, c) != NULL;
    if (old == 0 || block_log (n + 1) != block_log (n)) {
        *block = take_block (sizes, block_log (n + 1));
        memset (&sizes->cells[*block], 0, PV_HEAP_N_COUNTED_CLASSES);
        if (old != 0) {
            memcpy (&sizes->cells[*block], &sizes->cells[old],
                    (MAP_CELLS + n) * sizeof (PvHeapSizeCell));
            give_block (sizes, old, block_log (n));
        }
    }
    ((uint8_t *)&sizes->cells[*block])[size_class] = (uint8_t)(MAP_CELLS + n);
    sizes->cells[*block + MAP_CELLS + n] = (PvHeapSizeCell){0};
}

unsigned
pv_heap_sizes_take (PvHeapSizes *sizes, uint32_t block, uint8_t *ret_classes,
                    PvHeapSizeCell *ret_cells)
{
    enum { WORD_BYTES = sizeof (uint64_t), BYTE_BITS = 8 };
    const uint8_t *places = (const uint8_t *)&sizes->cells[block];
    unsigned n = 0;
    for (unsigned w = 0; block != 0 && w < PV_HEAP_N_COUNTED_CLASSES; w += WORD_BYTES) {
        uint64_t any;
        memcpy (&any, places + w, sizeof any);
        any = GUINT64_FROM_LE (any);
        while (any != 0) {
            unsigned at = (unsigned)__builtin_ctzll (any) / BYTE_BITS;
            PvHeapSizeCell *cell = &sizes->cells[block + places[w + at]];
            any &= ~((uint64_t)UINT8_MAX << (at * BYTE_BITS));
            if (cell->n == 0)
                continue;
            ret_classes[n] = (uint8_t)(w + at);
            ret_cells[n++] = *cell;
            *cell = (PvHeapSizeCell){0};
        }
    }
    return n;
}

enum {
    CLASS_BITS = 10,
    COUNT_BITS = 22, /* leaves 42 for the key, of 31 and 10 bits, plus one */
    EXACT_CLASSES = 64,
    MAX_COARSE_BITS = 5,
    FIRST_SLOTS = 1 << 12,
    COARSEN_SLOTS = 1 << 22, /* 32 MB */
};

#define COUNT_MASK (((uint64_t)1 << COUNT_BITS) - 1)

void
pv_heap_ages_clear (PvHeapAges *ages)
{
    g_free (ages->slots);
    g_free (ages->more_counts);
    *ages = (PvHeapAges){0};
}

static uint64_t *
find_slot (const PvHeapAges *ages, uint64_t key)
{
    for (uint32_t at = (uint32_t)pv_hash_mix (key) & ages->mask;; at = (at + 1) & ages->mask) {
        uint64_t slot = ages->slots[at];
        if (slot == 0 || slot >> COUNT_BITS == key + 1)
            return &ages->slots[at];
    }
}

static void
keep_more (PvHeapAges *ages, uint64_t key, uint64_t n)
{
    if (ages->n_more + 2 > ages->cap_more)
        ages->more_counts = pv_array_grow (ages->more_counts, &ages->cap_more, ages->n_more + 2,
                                           sizeof *ages->more_counts);
    ages->more_counts[ages->n_more++] = key;
    ages->more_counts[ages->n_more++] = n;
}

static void
add_count (PvHeapAges *ages, uint64_t key, uint64_t n)
{
    uint64_t *slot = find_slot (ages, key);
    if (*slot == 0) {
        *slot = (key + 1) << COUNT_BITS;
        ages->len++;
    }
    uint64_t sum = (*slot & COUNT_MASK) + n;
    if (sum > COUNT_MASK) {
        keep_more (ages, key, sum);
        sum = 0;
    }
    *slot = (*slot & ~COUNT_MASK) | sum;
}

static uint64_t
coarsen (const PvHeapAges *ages, uint64_t key)
{
    if ((key & ((1 << CLASS_BITS) - 1)) < EXACT_CLASSES)
        return key;
    return key & ~(((uint64_t)1 << ages->coarse_bits) - 1);
}

static void
rebuild (PvHeapAges *ages, size_t n_slots)
{
    uint64_t *old = ages->slots;
    size_t n_old = old != NULL ? (size_t)ages->mask + 1 : 0;
    ages->slots = pv_new0_large (uint64_t, n_slots);
    ages->mask = (uint32_t)(n_slots - 1);
    ages->len = 0;
    for (size_t i = 0; i < n_old; i++) {
        if (old[i] != 0)
            add_count (ages, coarsen (ages, (old[i] >> COUNT_BITS) - 1), old[i] & COUNT_MASK);
    }
    g_free (old);
}

/* Room for all that are waiting. */
static void
make_room (PvHeapAges *ages)
{
    if (ages->slots == NULL)
        rebuild (ages, FIRST_SLOTS);
    while (ages->len + G_N_ELEMENTS (ages->waiting) > ages->mask / 4 * 3) {
        size_t n_slots = (size_t)ages->mask + 1;
        if (n_slots < COARSEN_SLOTS || ages->coarse_bits == MAX_COARSE_BITS) {
            n_slots *= 2;
        } else {
            ages->coarse_bits++;
        }
        rebuild (ages, n_slots);
    }
}

void
pv_heap_ages_flush (PvHeapAges *ages)
{
    if (ages->n_waiting == 0)
        return;
    for (size_t i = 0; i < ages->n_waiting; i++)
        add_count (ages, coarsen (ages, ages->waiting[i]), 1);
    ages->n_waiting = 0;
    make_room (ages);
}

void
pv_heap_ages_add (PvHeapAges *ages, uint32_t site, uint64_t age_ms)
{
    unsigned age_class = pv_heap_age_class (age_ms);
    if (ages->slots == NULL)
        make_room (ages);
    uint64_t key = coarsen (ages, ((uint64_t)site << CLASS_BITS) | age_class);
    __builtin_prefetch (&ages->slots[(uint32_t)pv_hash_mix (key) & ages->mask], 1);
    ages->waiting[ages->n_waiting++] = key;
    if (ages->n_waiting == G_N_ELEMENTS (ages->waiting))
        pv_heap_ages_flush (ages);
}

void
pv_heap_ages_foreach (const PvHeapAges *ages, PvHeapAgeFunc func, void *data)
{
    const unsigned class_mask = (1 << CLASS_BITS) - 1;
    size_t n_slots = ages->slots != NULL ? (size_t)ages->mask + 1 : 0;
    for (size_t i = 0; i < n_slots; i++) {
        uint64_t key = (ages->slots[i] >> COUNT_BITS) - 1, n = ages->slots[i] & COUNT_MASK;
        if (ages->slots[i] != 0 && n > 0)
            func (data, (uint32_t)(key >> CLASS_BITS), (unsigned)key & class_mask, n);
    }
    for (size_t i = 0; i < ages->n_more; i += 2) {
        uint64_t key = coarsen (ages, ages->more_counts[i]);
        func (data, (uint32_t)(key >> CLASS_BITS), (unsigned)key & class_mask,
              ages->more_counts[i + 1]);
    }
}
