/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/base/idmap.h"

enum { FIRST_SLOTS = 64 };

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
id_map_grow (PvIdMap *map)
{
    PvIdMap old = *map;
    uint32_t n_slots = old.slots != NULL ? (old.mask + 1) * 2 : FIRST_SLOTS;
    map->slots = g_new0 (PvIdSlot, n_slots);
    map->mask = n_slots - 1;
    for (uint32_t i = 0; old.slots != NULL && i <= old.mask; i++) {
        if (old.slots[i].id != 0)
            *slot_of (map, old.slots[i].key) = old.slots[i];
    }
    g_free (old.slots);
}

uint32_t *
pv_id_map_slot (PvIdMap *map, uint64_t key)
{
    /* Keep it at most two thirds full, so that runs of taken slots stay short. */
    if (map->slots == NULL || map->len >= map->mask / 3 * 2)
        id_map_grow (map);
    PvIdSlot *slot = slot_of (map, key);
    if (slot->id == 0) {
        slot->key = key;
        map->len++;
    }
    return &slot->id;
}

static uint32_t
hash_slot_of (const PvHashMap *map, PvHash key)
{
    uint32_t slot = (uint32_t)(key.a + key.b * 0x9e3779b97f4a7c15u) & map->mask;
    while (map->ids[slot] != 0 && (map->keys[slot].a != key.a || map->keys[slot].b != key.b))
        slot = (slot + 1) & map->mask;
    return slot;
}

void
pv_hash_map_clear (PvHashMap *map)
{
    g_free (map->keys);
    g_free (map->ids);
    *map = (PvHashMap){0};
}

static void
hash_map_grow (PvHashMap *map)
{
    PvHashMap old = *map;
    uint32_t n_slots = old.ids != NULL ? (old.mask + 1) * 2 : FIRST_SLOTS;
    map->keys = g_new (PvHash, n_slots);
    map->ids = g_new0 (uint32_t, n_slots);
    map->mask = n_slots - 1;
    for (uint32_t i = 0; old.ids != NULL && i <= old.mask; i++) {
        if (old.ids[i] == 0)
            continue;
        uint32_t slot = hash_slot_of (map, old.keys[i]);
        map->keys[slot] = old.keys[i];
        map->ids[slot] = old.ids[i];
    }
    g_free (old.keys);
    g_free (old.ids);
}

uint32_t *
pv_hash_map_slot (PvHashMap *map, PvHash key)
{
    if (map->ids == NULL || map->len >= map->mask / 2)
        hash_map_grow (map);
    uint32_t slot = hash_slot_of (map, key);
    if (map->ids[slot] == 0) {
        map->keys[slot] = key;
        map->len++;
    }
    return &map->ids[slot];
}
