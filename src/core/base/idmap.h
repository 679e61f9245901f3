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
    uint32_t mask; /* slots - 1; 0 while there are none */
} PvIdMap;

void pv_id_map_clear (PvIdMap *map);

/* The id stored for key, or 0. */
uint32_t pv_id_map_find (const PvIdMap *map, uint64_t key);

/* The slot of a key, to read or write its id: 0 means the key is new, and the caller must store a
 * non-zero id before the next call. The pointer is valid until the next call with this map. */
uint32_t *pv_id_map_slot (PvIdMap *map, uint64_t key);

/* The same for 128-bit keys, which must already be well mixed (from pv_hash_bytes ()). */
typedef struct {
    PvHash *keys;
    uint32_t *ids;
    uint32_t len;
    uint32_t mask;
} PvHashMap;

void pv_hash_map_clear (PvHashMap *map);
uint32_t *pv_hash_map_slot (PvHashMap *map, PvHash key);
