/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/base/hash.h"

/*
 * Open-addressing hash maps from integer keys to uint32_t ids. Id 0 means "none" and cannot be
 * stored. Initialise with zeros, release with the clear function. Not thread-safe.
 */
typedef struct {
    uint64_t key;
    uint32_t id; /* 0: slot is free */
} PvIdSlot;

typedef struct {
    PvIdSlot *slots;
    uint32_t len;
    uint32_t mask; /* slots - 1; 0 without slots */
} PvIdMap;

void pv_id_map_clear (PvIdMap *map);

/* The id stored for key, or 0. */
uint32_t pv_id_map_find (const PvIdMap *map, uint64_t key);

/* The slot of a key, to read or write its id: 0 means the key is new, and the caller must store a
 * non-zero id before the next call. The pointer is valid until the next call with this map. */
uint32_t *pv_id_map_slot (PvIdMap *map, uint64_t key);

/* Makes room for so many keys in all, so that the map need not grow step by step. */
void pv_id_map_reserve (PvIdMap *map, uint32_t n_keys);

/* Fetches the memory of the slot of a key that will be needed soon. */
static inline void
pv_id_map_prefetch (const PvIdMap *map, uint64_t key)
{
    if (map->slots != NULL)
        __builtin_prefetch (&map->slots[(uint32_t)pv_hash_mix (key) & map->mask]);
}

/* The same for keys of 96 bits: a, which must be well mixed (from pv_hash_bytes () or pv_hash_mix
 * ()), and the lower half of b. */
typedef struct {
    uint64_t a;
    uint32_t b;
    uint32_t id; /* 0: slot is free */
} PvHashSlot;

typedef struct {
    PvHashSlot *slots;
    uint32_t len;
    uint32_t mask;
} PvHashMap;

void pv_hash_map_clear (PvHashMap *map);
/* The id stored for key, or 0. */
uint32_t pv_hash_map_find (const PvHashMap *map, PvHash key);
uint32_t *pv_hash_map_slot (PvHashMap *map, PvHash key);

/* Where a key's slot is, or near there. */
static inline uint32_t
pv_hash_map_place (const PvHashMap *map, PvHash key)
{
    return (uint32_t)(key.a + (uint32_t)key.b * 0x9e3779b97f4a7c15u) & map->mask;
}

/* Fetches the memory of a slot that will be needed soon. For callers with several keys: their slots
 * are fetched at the same time. */
static inline void
pv_hash_map_prefetch (const PvHashMap *map, PvHash key)
{
    if (map->slots != NULL)
        __builtin_prefetch (&map->slots[pv_hash_map_place (map, key)]);
}
