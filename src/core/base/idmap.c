/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/base/idmap.h"

#include "core/base/large.h"

/* Many maps of hashes live briefly and have few keys. */
enum { FIRST_SLOTS = 64, FIRST_HASH_SLOTS = 8, MAX_SLOTS = 1 << 30 };

/* Key and id are stored side by side, so a look-up costs one cache line. */
static PvIdSlot *
slot_of (const PvIdMap *map, uint64_t key)
{
    uint32_t at = (uint32_t)pv_hash_mix (key) & map->mask;
    while (map->slots[at].id != 0 && map->slots[at].key != key)
        at = (at + 1) & map->mask;
    return &map->slots[at];
}

void
pv_id_map_clear (PvIdMap *map)
{
    g_free (map->slots);
    *map = (PvIdMap){0};
}

uint32_t
pv_id_map_find (const PvIdMap *map, uint64_t key)
{
    return map->slots != NULL ? slot_of (map, key)->id : 0;
}

static void
id_map_grow (PvIdMap *map, uint32_t n_slots)
{
    PvIdMap old = *map;
    map->slots = pv_new0_large (PvIdSlot, n_slots);
    map->mask = n_slots - 1;
    for (uint32_t i = 0; old.slots != NULL && i <= old.mask; i++) {
        if (old.slots[i].id != 0)
            *slot_of (map, old.slots[i].key) = old.slots[i];
    }
    g_free (old.slots);
}

void
pv_id_map_reserve (PvIdMap *map, uint32_t n_keys)
{
    uint32_t n_slots = map->slots != NULL ? map->mask + 1 : FIRST_SLOTS;
    while ((n_slots - 1) / 3 * 2 <= n_keys && n_slots < MAX_SLOTS)
        n_slots *= 2;
    if (map->slots == NULL || n_slots > map->mask + 1)
        id_map_grow (map, n_slots);
}

uint32_t *
pv_id_map_slot (PvIdMap *map, uint64_t key)
{
    /* Keep it at most two thirds full, so that runs of taken slots stay short. */
    if (map->slots == NULL || map->len >= map->mask / 3 * 2)
        id_map_grow (map, map->slots != NULL ? (map->mask + 1) * 2 : FIRST_SLOTS);
    PvIdSlot *slot = slot_of (map, key);
    if (slot->id == 0) {
        slot->key = key;
        map->len++;
    }
    return &slot->id;
}

/* A key's parts and its id are side by side, too: four slots are a cache line. */
static PvHashSlot *
hash_slot_of (const PvHashMap *map, PvHash key)
{
    uint32_t b = (uint32_t)key.b, at = pv_hash_map_place (map, key);
    while (map->slots[at].id != 0 && (map->slots[at].a != key.a || map->slots[at].b != b))
        at = (at + 1) & map->mask;
    return &map->slots[at];
}

void
pv_hash_map_clear (PvHashMap *map)
{
    g_free (map->slots);
    *map = (PvHashMap){0};
}

uint32_t
pv_hash_map_find (const PvHashMap *map, PvHash key)
{
    return map->slots != NULL ? hash_slot_of (map, key)->id : 0;
}

static void
hash_map_grow (PvHashMap *map)
{
    PvHashMap old = *map;
    uint32_t n_slots = old.slots != NULL ? (old.mask + 1) * 2 : FIRST_HASH_SLOTS;
    map->slots = pv_new0_large (PvHashSlot, n_slots);
    map->mask = n_slots - 1;
    for (uint32_t i = 0; old.slots != NULL && i <= old.mask; i++) {
        PvHashSlot slot = old.slots[i];
        if (slot.id != 0)
            *hash_slot_of (map, (PvHash){slot.a, slot.b}) = slot;
    }
    g_free (old.slots);
}

uint32_t *
pv_hash_map_slot (PvHashMap *map, PvHash key)
{
    if (map->slots == NULL || map->len >= map->mask / 2)
        hash_map_grow (map);
    PvHashSlot *slot = hash_slot_of (map, key);
    if (slot->id == 0) {
        slot->a = key.a;
        slot->b = (uint32_t)key.b;
        map->len++;
    }
    return &slot->id;
}
